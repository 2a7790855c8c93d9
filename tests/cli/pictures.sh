# pictures.sh - each script of gnuplot puts title, axes and legend inside the picture, without an overlap; pages of
# benchmarks.
# shellcheck shell=sh

# svg FILE ARGUMENT...: runs a script of gnuplot that draws a picture, so that it draws SVG.
svg() {
    as_svg <"$1" >script
    shift
    gnuplot -c script "$@" >drawn 2>errors || echo "status $?" >>errors
    same_text "gnuplot: $*" errors ''
}

# each PICTURE TIMES TEXT...: each text is in TIMES parts of the picture.
each() {
    picture=$1 parts=$2
    shift 2
    for text in "$@"; do
        same "$picture: '$text', times" "$parts" "$(grep -cxF -e "$text" "$SCRATCH/texts")"
    done
}

if ! command -v gnuplot >/dev/null 2>&1; then
    skips 'pictures' 'gnuplot is not installed'
    return
fi

# ---- make bench --------------------------------------------------------

mkdir ratios
for table in reading whole certified memory prediction; do
    printf '%s\n' 'a9a 20 9' 'covtype-93k 12 -' 'svmlight-ex1 4 >3' >"ratios/$table"
done
svg "$ROOT/tests/bench/bench_plots.gp" ratios.svg ratios
readable ratios ratios.svg reading 'from file to model, -e 0.1' 'to a certified gap of 1e-3' 'peak memory' \
    prediction
each ratios 5 'times better than LIBLINEAR' data a9a covtype-93k svmlight-ex1
each ratios 3 '-s 1' '-s 3'
each ratios 2 'all solvers'
each ratios 3 '↑'

# ---- Pages of benchmarks ------------------------------------------------

mkdir figures
printf 'bars\tHow much better\tAn arrow: more.\tdata\ttimes\nbar\ta9a\t>3\n' >figures/ratios
cat >PAGE.md <<'END'
# Measurements

Machine: a `fast` one.
It has <two> processors.

<!-- ratios -->

## A table

| data | `-s` | ratio |
|---|--:|--:|
| a9a | 1 | **16.2** |

- One line.

## Another part

Not drawn.
END
awk -v figures=figures -v parts=1 -f "$ROOT/tests/bench/page.awk" PAGE.md >described
same_text 'a page of Markdown' described 'hinge-page 1	Measurements
text	Machine: a fast one. It has <two> processors.
bars	How much better	An arrow: more.	data	times
bar	a9a	>3
heading	A table
table	A table	data	-s	ratio
row	a9a	1	16.2
text	One line.'
run inspect --page described --report page.html
same 'a page of Markdown: is drawn' 0 "$STATUS"

# ---- make paper --------------------------------------------------------

mkdir points paper
for name in a9a imdb; do
    for weight in 0 1e-3; do
        for method in sgd comid hrmd-w sgd-w hrmd-w-last comid-last optimum; do
            printf '%s\n' '1000 0.1 0.01 0.2' '1e6 0.001 0.001 0.9' >"points/$name:$weight:$method"
        done
    done
    for visits in 100000 1000000; do printf '%s\n' '1 0.1' '1000 0.01' >"points/excess:$name:$visits"; done
done
for name in imdb covtype-93k; do
    for solver in pegasos dcd; do printf '%s\n' '2000 0.01' '20000 0.1' >"points/seconds:$name:$solver"; done
done
svg "$ROOT/tests/bench/paper_plots.gp" points paper 1e-3 '1000 1000000' a9a imdb
readable convergence paper/paper-convergence.svg sgd sgd-w comid hrmd-w 'O(1/T)' 'O(ln T / T)' \
    'a9a,  λ = 10−4,  λ1 = 0' 'a9a,  λ = 10−4,  λ1 = 1e-3' 'imdb,  λ = 10−4,  λ1 = 0' 'imdb,  λ = 10−4,  λ1 = 1e-3'
each convergence 4 'steps T (one row each)' 'F(w) − optimum'
readable sparsity paper/paper-sparsity.svg 'exact optimum' 'hrmd-w, last iterate' comid \
    'a9a,  λ = 10−4,  λ1 = 1e-3' 'imdb,  λ = 10−4,  λ1 = 1e-3'
each sparsity 2 'steps T (one row each)' 'share of zero weights, %'
readable time paper/paper-time.svg 'Time to an objective 5 % above the optimum,  λ = 10−4' \
    'rows m of the training set' 'processor seconds' 'pegasos, imdb' 'dcd-l1, covtype-93k'
readable batch paper/paper-batch.svg 'Pegasos with k rows a step, k T row visits in all,  λ = 10−4' k \
    'F(w) − optimum' 'a9a, k T = 105' 'imdb, k T = 106'
