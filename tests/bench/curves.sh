# curves.sh - the parts of make bench that read traces: objective against time, time of a pass against
# the size of the data; and the data that synth makes. Sourced by run.sh.
# shellcheck shell=sh disable=SC2154

synth=build/plain/synth

synthesise() {
    mkdir -p build/bench
    $synth rcv1 20242 --output build/bench/rcv1-synth && $synth covtype 581012 --output build/bench/covtype-synth &&
        $synth dense 20000 500 2 --output build/bench/dense-2-synth &&
        $synth dense 20000 500 10 --output build/bench/dense-10-synth
}

# plots FILE ARGUMENT...: bench_plots.gp, where gnuplot is; FILE is what it draws, which is then shown.
plots() {
    picture=$1
    shift
    if ! command -v gnuplot >/dev/null 2>&1; then
        echo "No picture $picture: gnuplot is not installed."
    elif gnuplot -c "$here/bench_plots.gp" "$here/$picture" "$@" >&2; then
        printf '![%s](%s)\n' "$picture" "$picture"
    else
        echo "No picture $picture: gnuplot failed."
    fi
}

# ---- Objective against time ----

curve_seconds=1.5
curve_solvers='3:dcd-l1 3:dcd-l1-plain 3:ipm 3:pnewton 3:pegasos 3:sgd 3:sgd-w 3:sgd-suffix 3:comid 3:hrmd-w
1:dcd-l2 1:dcd-l2-plain 1:newton-l2'

# solver_options SOLVER: on the way to a gap that none reaches too soon, or until the time is up.
solver_options() {
    case $1 in
    *-plain) echo "-s ${1%-plain} --plain -g 1e-7" ;;
    dcd* | newton* | ipm | pnewton) echo "-s $1 -g 1e-7" ;;
    *) echo "-s $1 --epochs 1000" ;;
    esac
}

# optimum FILE LOSS: a lower bound of the objective, the dual, which a trace has with its sign turned.
optimum() {
    ./train -j 1 -q -s "$2" -g 1e-9 --time-limit 10 --trace "$scratch/trace" --trace-every 100000 "$1" \
        "$scratch/curve.model" 2>/dev/null
    awk -F, 'NR > 1 && $6 != "" && -$6 > best + 0 { best = -$6 } END { printf "%.17g\n", best }' "$scratch/trace"
}

# thin OPTIMUM: of a trace, lines "seconds excess", a few for each factor of ten of the time.
thin() {
    awk -F, -v optimum="$1" '
        function put() { if (seconds > 0) printf "%.6g %.4g\n", seconds, (excess > 1e-9 ? excess : 1e-9) }
        NR > 1 && $5 != "" {
            seconds = $4; excess = $5 / optimum - 1; pending = 1
            if (seconds >= next_time) { put(); next_time = seconds * 1.15; pending = 0 }
        }
        END { if (pending) put() }'
}

curve_page() {
    rm -rf "$scratch/curve"
    mkdir "$scratch/curve"
    file=$(path "$1")
    for loss in 1 3; do
        best=$(optimum "$file" "$loss")
        for each in $curve_solvers; do
            [ "${each%%:*}" = "$loss" ] || continue
            # shellcheck disable=SC2046 # a list of options
            ./train -j 1 -q $(solver_options "${each#*:}") -c 1 --time-limit "$curve_seconds" --trace "$scratch/trace" \
                "$file" "$scratch/curve.model" 2>/dev/null
            thin "$best" <"$scratch/trace" >"$scratch/curve/$each"
        done
    done
    plots "bench-$1.png" curves "$1" "$scratch/curve"
}

curves() {
    echo "How far the objective is above the optimum, relatively, against the processor seconds of training, by"
    echo "\`--trace\`, C = 1; the optimum is the best dual of a run with \`-g 1e-9\`. A line ends where its solver"
    echo "is at a gap of 1e-7, or after $curve_seconds s, in which the program counts its evaluations of the objective for"
    echo "the trace, and the picture does not. Both axes are logarithmic; what is below 1e-9 is drawn there."
    echo "The stochastic solvers have one seed. -plain is coordinate descent alone, \`--plain\`."
    for name in $curve_sets; do
        has "$name" || continue
        echo
        curve_page "$name"
    done
}

# ---- What a pass costs ----

# pass_cost ROWS FEATURES NONZEROS: nanoseconds for each non-zero that a pass of dcd-l1 visits, and the
# number of those in the data; median of runs.
pass_cost() {
    rm -f "$scratch"/pass.time
    $synth rcv1 "$1" "$2" "$3" --output "$scratch/growing"
    for _ in $(seq "$runs"); do
        ./train -j 1 -s 3 --plain -g 1e-12 -i "$passes" --trace "$scratch/trace" --trace-every "$passes" "$scratch/growing" \
            "$scratch/curve.model" >"$scratch/report" 2>/dev/null
        nonzeros=$(sed -n 's/.* features, \([0-9]*\) non-zeros.*/\1/p' "$scratch/report")
        awk -F, -v n="$nonzeros" 'NR == 2 { seconds = $4; passes = $3 }
            END { if ($3 > passes) print ($4 - seconds) / ($3 - passes) / n * 1e9 }' "$scratch/trace" >>"$scratch/pass.time"
    done
    echo "$nonzeros $(median pass)"
}

# growth_line AXIS VALUE ROWS FEATURES NONZEROS
growth_line() {
    pass_cost "$3" "$4" "$5" | sed "s/^/$2 /" >>"$scratch/growth/$1"
}

growth_tables() {
    for axis in rows features nonzeros; do
        printf '\n| %s | non-zeros in all | ns for each |\n|--:|--:|--:|\n' "$axis"
        awk '{ printf "| %d | %d | %s |\n", $1, $2, ($3 == "-" ? "-" : sprintf("%.2f", $3)) }' "$scratch/growth/$axis"
    done
}

# cache_sizes: a sentence, where lscpu is.
cache_sizes() {
    lscpu 2>/dev/null | sed -n 's/^\(L[123]d\{0,1\}\) cache: *\(.*\)/\1 \2/p' | paste -s -d, - |
        sed 's/..*/ The caches here: &./; s/,/, /g'
}

growth() {
    mkdir "$scratch/growth"
    passes=3
    for x in 100 1000 10000 100000 1000000; do growth_line rows "$x" "$x" 10000 10; done
    for x in 1000 10000 100000 1000000 10000000; do growth_line features "$x" 20000 "$x" 50; done
    for x in 1 10 100 1000 10000; do growth_line nonzeros "$x" 1000 100000 "$x"; done
    rm -f "$scratch/growing"
    echo "Processor nanoseconds of \`train -s 3 --plain\` for each non-zero of a row it visits, $passes passes, on data"
    echo "of synth.c: against rows (10,000 features, about 10 non-zeros a row), features (20,000 rows, about 50 a row)"
    echo "and non-zeros a row (1,000 rows, 100,000 features). Cost linear in the data is a level line. It rises where"
    echo "w (8 bytes a feature) or the rows, visited in random order, outgrow a level of the cache, until every"
    echo "visit waits for memory: by a factor of the latencies, once, and not with the size on and on. It falls"
    echo "where a row's or a pass's own cost is shared by more non-zeros: short rows pay for the random number"
    echo "and the step, few rows for the sums over all features that an evaluation takes.$(cache_sizes)"
    echo
    plots bench-growth.png growth "$scratch/growth"
    growth_tables
}
