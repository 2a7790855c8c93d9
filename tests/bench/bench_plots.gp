# bench_plots.gp - README's picture of how many times better than LIBLINEAR: gnuplot -c bench_plots.gp PICTURE FOLDER.
# The folder has files reading, whole ... of lines "NAME RATIO RATIO". A ratio after > gets an arrow; - is no ratio.
picture = ARG1
folder = ARG2
number(text) = text eq '-' ? NaN : real(text[1:1] eq '>' ? text[2:] : text)
bound(text) = text[1:1] eq '>' ? number(text) : NaN

set border lw 0.8
set terminal pngcairo size 900, 640 font 'sans,9' background 'white'
set output picture
tables = 'reading whole certified memory prediction'
array title[5] = ['reading', 'from file to model, -e 0.1', 'to a certified gap of 1e-3', 'peak memory', 'prediction']
set logscale y
set yrange [1:200]
set ytics (1, 2, 5, 10, 20, 50, 100)
set grid ytics
set style data histograms
set style fill solid 0.85 border
set boxwidth 0.9
set xtics rotate by 40 right font ',7' nomirror
set xlabel 'data' offset 0, 0.5
set ylabel 'times better than LIBLINEAR' offset 1, 0
set key top right samplen 1 font ',8'
set multiplot layout 2, 3 margins 0.065, 0.985, 0.16, 0.94 spacing 0.075, 0.23
do for [i = 1:words(tables)] {
    file = folder . '/' . word(tables, i)
    set title title[i]
    if (i >= 2 && i <= 4) {
        plot file using (number(strcol(2))):xtic(1) lc rgb '#0072b2' title '-s 1', \
            '' using (number(strcol(3))) lc rgb '#e69f00' title '-s 3', \
            '' using ($0 - 0.125):(bound(strcol(2))):('↑') with labels offset 0, 0.4 notitle, \
            '' using ($0 + 0.125):(bound(strcol(3))):('↑') with labels offset 0, 0.4 notitle
    } else {
        plot file using (number(strcol(2))):xtic(1) lc rgb '#0072b2' title 'all solvers'
    }
}
unset multiplot
