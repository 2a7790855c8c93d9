# bench_plots.gp - the pictures of RESULTS.md:
# gnuplot -c bench_plots.gp PICTURE curves NAME FOLDER: of files LOSS:SOLVER with lines "seconds excess";
# gnuplot -c bench_plots.gp PICTURE growth FOLDER: of files rows, features, nonzeros, "x count ns";
# gnuplot -c bench_plots.gp PICTURE ratios FOLDER: of files reading, whole ..., "NAME RATIO RATIO".
picture = ARG1
kind = ARG2
there(path) = int(system("test -s '" . path . "' && echo 1 || echo 0"))

set style line 1 lc rgb '#0072b2' lw 2.5
set style line 2 lc rgb '#0072b2' lw 1.5 dt 2
set style line 3 lc rgb '#000000' lw 1.8
set style line 4 lc rgb '#d55e00' lw 1.8
set style line 5 lc rgb '#009e73' lw 1.5
set style line 6 lc rgb '#cc79a7' lw 1.5
set style line 7 lc rgb '#e69f00' lw 1.5
set style line 8 lc rgb '#e69f00' lw 1.5 dt 2
set style line 9 lc rgb '#56b4e9' lw 1.5
set style line 10 lc rgb '#777777' lw 1.5 dt 4
set border lw 0.8

set terminal pngcairo size (kind eq 'curves' ? 1060 : 900), (kind eq 'ratios' ? 640 : 340) font 'sans,9' background 'white'
set output picture
if (kind eq 'curves') {
    folder = ARG4
    first = 'dcd-l1 dcd-l1-plain ipm pnewton pegasos sgd sgd-w sgd-suffix comid hrmd-w'
    second = 'dcd-l2 dcd-l2-plain newton-l2'
    file(loss, solver) = folder . '/' . loss . ':' . solver
    set logscale xy
    set format x '10^{%L}'
    set format y '10^{%L}'
    set xlabel 'processor seconds of training'
    set ylabel '(objective − optimum) / optimum'
    set yrange [5e-10:*]
    set multiplot
    set tmargin at screen 0.89
    set bmargin at screen 0.17
    set lmargin at screen 0.075
    set rmargin at screen 0.39
    set key at screen 0.395, 0.87 left top Left reverse samplen 2 spacing 1.1
    set title ARG3 . ', L1-loss (-s 3), C = 1'
    plot for [i = 1:words(first)] (there(file('3', word(first, i))) ? file('3', word(first, i)) : '/dev/null') \
        using 1:2 with lines ls i title word(first, i)
    set lmargin at screen 0.58
    set rmargin at screen 0.875
    set key at screen 0.88, 0.87
    set title ARG3 . ', L2-loss (-s 1), C = 1'
    plot for [i = 1:words(second)] (there(file('1', word(second, i))) ? file('1', word(second, i)) : '/dev/null') \
        using 1:2 with lines ls i title word(second, i)
    unset multiplot
} else { if (kind eq 'ratios') {
    folder = ARG3
    tables = 'reading whole certified memory prediction'
    array title[5] = ['reading', 'from file to model, -e 0.1', 'to a certified gap of 1e-3', \
                      'peak memory', 'prediction']
    set datafile missing '-'
    set logscale y
    set yrange [1:100]
    set ytics (1, 2, 5, 10, 20, 50)
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
        two = i >= 2 && i <= 4
        set title title[i]
        if (two) {
            plot file using 2:xtic(1) lc rgb '#0072b2' title '-s 1', '' using 3 lc rgb '#e69f00' title '-s 3'
        } else {
            plot file using 2:xtic(1) lc rgb '#0072b2' title 'all solvers'
        }
    }
    unset multiplot
} else {
    folder = ARG3
    axes = 'rows features nonzeros'
    set logscale xy
    set format x '10^{%L}'
    set yrange [0.5:500]
    set ylabel 'ns for each non-zero visited'
    set key top right samplen 2
    set multiplot layout 1, 3 margins 0.075, 0.98, 0.17, 0.89 spacing 0.085, 0
    do for [axis in axes] {
        name = axis eq 'nonzeros' ? 'non-zeros of a row' : axis
        set title 'Cost of a pass, by ' . name
        set xlabel name
        plot folder . '/' . axis using 1:3 with linespoints lc rgb '#0072b2' lw 2 pt 7 ps 0.8 title '-s 3 --plain'
    }
    unset multiplot
}}
