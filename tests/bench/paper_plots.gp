# paper_plots.gp - the pictures of PAPER.md: gnuplot -c paper_plots.gp POINTS PICTURES L1 STEPS NAME...
# POINTS is a folder with files NAME:L1:METHOD of lines "steps excess deviation zeros", and files
# seconds:NAME:SOLVER and excess:NAME:VISITS of lines "x y". The pictures go into PICTURES. STEPS is the
# first and last number of steps drawn, "a b".
points = ARG1
pictures = ARG2
l1 = ARG3
names = ARG5
do for [i = 6:ARGC] { names = names . ' ' . value(sprintf('ARG%d', i)) }
first = word(ARG4, 1) + 0
last = word(ARG4, 2) + 0
panels = words(names)

file(name, penalty, method) = points . '/' . name . ':' . penalty . ':' . method
there(path) = int(system("test -s '" . path . "' && echo 1 || echo 0"))

set style line 1 lc rgb '#0072b2' lw 2 pt 7 ps 0.6
set style line 2 lc rgb '#e69f00' lw 2 pt 4 ps 1.1
set style line 3 lc rgb '#009e73' lw 2 pt 9 ps 0.7
set style line 4 lc rgb '#cc79a7' lw 2 pt 11 ps 0.7
set style line 5 lc rgb '#555555' lw 1.5 dt 2
set style line 6 lc rgb '#555555' lw 1.5 dt 4
set style line 7 lc rgb '#000000' lw 1.5 dt 3
set style line 11 lc rgb '#0072b2' lw 1.5 dt 2 pt 6 ps 0.6
set style line 13 lc rgb '#009e73' lw 1.5 dt 2 pt 8 ps 0.7
set grid lc rgb '#dddddd'
set border lw 0.8

# ---- Fig. 1: objective - optimum against steps; two guides, through the first points ----

height = 460.0 * panels
set terminal pngcairo size 1300, height font 'sans,11' background 'white'
set output pictures . '/paper-convergence.png'
set multiplot layout panels, 2 margins 0.075, 0.985, 70 / height, 1 - 50 / height \
    spacing 0.085, 125 / height
set logscale xy
set format x '10^{%L}'
set format y '10^{%L}'
set xlabel 'steps T (one row each)'
set ylabel 'F(w) − optimum'
set xrange [first:last]
set key top right samplen 2.5 spacing 1.05
do for [i = 1:panels] {
    do for [penalty in '0 ' . l1] {
        name = word(names, i)
        stats file(name, penalty, 'hrmd-w') every ::0::0 using (a = $1, b = $2) nooutput
        stats file(name, penalty, 'comid') every ::0::0 using (c = $1, d = $2) nooutput
        set title name . ',  λ = 10^{−4},  λ_1 = ' . (penalty eq '0' ? '0' : penalty)
        if (penalty eq '0') {
            plot b * a / x with lines ls 5 title 'O(1/T)', \
                d * c / log(c) * log(x) / x with lines ls 6 title 'O(ln T / T)', \
                file(name, penalty, 'sgd') using 1:2 with linespoints ls 4 title 'sgd', \
                file(name, penalty, 'comid') using 1:2 with linespoints ls 3 title 'comid', \
                file(name, penalty, 'hrmd-w') using 1:2 with linespoints ls 1 title 'hrmd-w', \
                file(name, penalty, 'sgd-w') using 1:2 with points ls 2 title 'sgd-w'
        } else {
            plot b * a / x with lines ls 5 title 'O(1/T)', \
                d * c / log(c) * log(x) / x with lines ls 6 title 'O(ln T / T)', \
                file(name, penalty, 'comid') using 1:2 with linespoints ls 3 title 'comid', \
                file(name, penalty, 'hrmd-w') using 1:2 with linespoints ls 1 title 'hrmd-w'
        }
    }
}
unset multiplot

# ---- Fig. 2: zeros of w against steps ----

rows = (panels + 1) / 2
height = 460.0 * rows
set terminal pngcairo size 1300, height font 'sans,11' background 'white'
set output pictures . '/paper-sparsity.png'
set multiplot layout rows, (panels > 1 ? 2 : 1) margins 0.065, 0.985, 70 / height, 1 - 50 / height \
    spacing 0.075, 125 / height
unset logscale y
set format y '%g'
set yrange [-3:103]
set ylabel 'share of zero weights, %'
set key samplen 2.5
do for [i = 1:panels] {
    name = word(names, i)
    set title name . ',  λ = 10^{−4},  λ_1 = ' . l1
    stats file(name, l1, 'optimum') every ::0::0 using (z = $2) nooutput
    if (z > 0.6) { set key bottom left } else { set key top left }
    plot file(name, l1, 'optimum') using 1:(100 * $2) with lines ls 7 title 'exact optimum', \
        file(name, l1, 'hrmd-w-last') using 1:(100 * $4) with linespoints ls 11 title 'hrmd-w, last iterate', \
        file(name, l1, 'comid-last') using 1:(100 * $4) with linespoints ls 13 title 'comid, last iterate', \
        file(name, '0', 'sgd-w') using 1:(100 * $4) with linespoints ls 2 title 'sgd-w (no l_1 term)', \
        file(name, l1, 'comid') using 1:(100 * $4) with linespoints ls 3 title 'comid', \
        file(name, l1, 'hrmd-w') using 1:(100 * $4) with linespoints ls 1 title 'hrmd-w'
}
unset multiplot

# ---- Run time against rows ----

set terminal pngcairo size 800, 520 font 'sans,11' background 'white'
set logscale xy
set autoscale xy
set format x '%g'
set format y '10^{%L}'
set title 'Time to an objective 5 % above the optimum,  λ = 10^{−4}'
set xlabel 'rows m of the training set'
set ylabel 'processor seconds'
set key bottom right
seconds(name, who) = points . '/seconds:' . name . ':' . who
set xrange [1000:150000]
if (there(seconds('imdb', 'dcd')) || there(seconds('covtype-93k', 'dcd'))) {
    set output pictures . '/paper-time.png'
    text = there(seconds('imdb', 'dcd')) ? 'imdb' : ''
    cover = there(seconds('covtype-93k', 'dcd')) ? 'covtype-93k' : ''
    guide = word(text . ' ' . cover, 1)
    stats seconds(guide, 'dcd') every ::0::0 using (a = $1, b = $2) nooutput
    plot b * x / a with lines ls 5 title '∝ m', \
        for [name in text] seconds(name, 'pegasos') with linespoints ls 1 title 'pegasos, ' . name, \
        for [name in text] seconds(name, 'dcd') with linespoints ls 11 title 'dcd-l1, ' . name, \
        for [name in cover] seconds(name, 'pegasos') with linespoints ls 3 title 'pegasos, ' . name, \
        for [name in cover] seconds(name, 'dcd') with linespoints ls 13 title 'dcd-l1, ' . name
}

# ---- Error against k ----

set title 'Pegasos with k rows a step, k T row visits in all,  λ = 10^{−4}'
set xlabel 'k'
set ylabel 'F(w) − optimum'
set key top left
set xrange [0.8:1250]
excess(name, visits) = points . '/excess:' . name . ':' . visits
text = there(excess('imdb', '100000')) ? 'imdb' : ''
adult = there(excess('a9a', '100000')) ? 'a9a' : ''
if (words(text . ' ' . adult) > 0) {
    set output pictures . '/paper-batch.png'
    plot for [name in adult] excess(name, '100000') with linespoints ls 11 title name . ', k T = 10^5', \
        for [name in adult] excess(name, '1000000') with linespoints ls 1 title name . ', k T = 10^6', \
        for [name in text] excess(name, '100000') with linespoints ls 13 title name . ', k T = 10^5', \
        for [name in text] excess(name, '1000000') with linespoints ls 3 title name . ', k T = 10^6'
}
