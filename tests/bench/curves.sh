# curves.sh - the parts of make bench that read traces (objective against time, time of a pass against the size of the
# data), and the data that synth makes. Sourced by run.sh.
# shellcheck shell=sh disable=SC2154

synth=build/plain/synth

synthesise() {
    mkdir -p build/bench
    $synth rcv1 20242 --output build/bench/rcv1-synth && $synth covtype 581012 --output build/bench/covtype-synth &&
        $synth dense 20000 500 2 --output build/bench/dense-2-synth &&
        $synth dense 20000 500 10 --output build/bench/dense-10-synth
}

# ---- Objective against time ----

curve_seconds=1.5

# solver_options SOLVER: options with so small a gap, or so many epochs, that a training does not end too early.
solver_options() {
    case $1 in
    *-plain) echo "-s ${1%-plain} --plain -g 1e-7" ;;
    dcd* | newton* | ipm | pnewton) echo "-s $1 -g 1e-7" ;;
    *) echo "-s $1 --epochs 100000" ;;
    esac
}

# optimum FILE LOSS: a lower bound of the objective: the dual value, whose sign is reversed in a trace.
optimum() {
    ./train -j 1 -q -s "$2" -g 1e-9 --time-limit 10 --trace "$scratch/trace" --trace-every 100000 "$1" \
        "$scratch/curve.model" 2>/dev/null
    awk -F, 'NR > 1 && $6 != "" && -$6 > best + 0 { best = -$6 } END { printf "%.17g\n", best }' "$scratch/trace"
}

# thin OPTIMUM NAME: the points of a curve from a trace, a few for each decade of time.
thin() {
    awk -F, -v optimum="$1" -v name="$2" -v most="$curve_seconds" '
        function put() {
            if (seconds > 0) printf "point\t%s\t%.6g\t%.4g\n", name, seconds, (excess > 1e-9 ? excess : 1e-9)
        }
        NR > 1 && $5 != "" && $4 <= most {
            seconds = $4; excess = $5 / optimum - 1; pending = 1
            if (seconds >= next_time) { put(); next_time = seconds * 1.15; pending = 0 }
        }
        END { if (pending) put() }'
}

# traced SOLVER LIMIT FILE: writes the trace of a training of at most LIMIT wall seconds. Prints its seconds of training.
traced() {
    # shellcheck disable=SC2046 # a list of options
    ./train -j 1 -q $(solver_options "$1") -c 1 --time-limit "$2" --trace "$scratch/trace" "$3" \
        "$scratch/curve.model" 2>/dev/null
    awk -F, 'NR > 1 { seconds = $4 } END { print seconds + 0 }' "$scratch/trace"
}

# our_curve SOLVER FILE OPTIMUM: the evaluations for the trace take time, too. If the limit came too early for that
# reason, the training runs again with a larger one.
our_curve() {
    begun=$(date +%s.%N)
    seconds=$(traced "$1" "$curve_seconds" "$2")
    limit=$(echo "$begun $(date +%s.%N) $seconds" | awk -v most="$curve_seconds" '{
        if ($2 - $1 >= most && $3 > 0 && $3 < 0.9 * most) {
            limit = 1.1 * most * most / $3
            print (limit > 30 ? 30 : limit)
        }
    }')
    [ -z "$limit" ] || traced "$1" "$limit" "$2" >/dev/null
    thin "$3" "$1" <"$scratch/trace"
}

# user_seconds COMMAND: user seconds of a run.
user_seconds() {
    hyperfine --style none --shell none --warmup 0 --runs 1 --export-csv "$scratch/csv" "$1" >/dev/null 2>&1 &&
        awk -F, 'NR == 2 { print $5 }' "$scratch/csv"
}

# their_curve FILE LOSS OPTIMUM: a point for each -e. The seconds of a run that stops at once are subtracted. The curve
# ends at LIBLINEAR's limit of passes, where a smaller -e changes nothing.
their_curve() {
    before=
    none=$(user_seconds "liblinear-train -q -s $2 -e 1e9 '$1' '$scratch/theirs.model'")
    for try in 1 0.3 0.1 0.03 0.01 0.003 0.001 0.0001; do
        some=$(user_seconds "timeout 10 liblinear-train -q -s $2 -e $try '$1' '$scratch/theirs.model'") || break
        primal=$(build/plain/grid_gap "$1" "$scratch/theirs.model" 1 "$2") || break
        [ "$primal" != "$before" ] || break
        before=$primal
        echo "$some $none $primal" | awk -v optimum="$3" '$1 > $2 {
            printf "point\tLIBLINEAR\t%.6g\t%.4g\n", $1 - $2, ($3 / optimum > 1 + 1e-9 ? $3 / optimum - 1 : 1e-9) }'
        ! awk -v x="$some" -v most="$curve_seconds" 'BEGIN { exit !(x > 2 * most) }' || break
    done
}

curve_figures() {
    file=$(path "$1")
    for loss in 3 1; do
        best=$(optimum "$file" "$loss")
        their_curve "$file" "$loss" "$best" >"$scratch/theirs"
        for group in $(curve_groups $loss); do
            printf 'figure\t%s, L%s-loss (-s %s), C = 1: %s\t%s\t%s\t%s\tlog-x\tlog-y\n' "$1" \
                "$([ "$loss" = 3 ] && echo 1 || echo 2)" "$loss" "$(echo "$group" | sed 's/:.*//; s/_/ /g')" \
                'Lower and further to the left is better.' 'processor seconds of training' \
                '(objective - optimum) / optimum'
            cat "$scratch/theirs"
            for each in $(echo "${group#*:}" | tr , ' '); do
                our_curve "$each" "$file" "$best"
            done
        done
    done
}

# curve_groups LOSS: the solvers of each picture: at most five curves beside LIBLINEAR's.
curve_groups() {
    if [ "$1" = 3 ]; then
        echo "with_a_certificate:dcd-l1,dcd-l1-plain,ipm,pnewton"
        echo "stochastic:pegasos,sgd,sgd-w,sgd-suffix"
        echo "stochastic_and_sparse:comid,hrmd-w"
    else
        echo "with_a_certificate:dcd-l2,dcd-l2-plain,newton-l2"
    fi
}

curves() {
    echo "How far the objective is above the optimum, relatively, against the processor seconds of training, by"
    echo "\`--trace\`, C = 1; the optimum is the best dual of a run with \`-g 1e-9\`. A line ends where its solver"
    echo "is at a gap of 1e-7, or after $curve_seconds s of training. LIBLINEAR's points are whole runs with \`-e\` 1, 0.3,"
    echo "0.1 ... 0.0001, less the seconds of a run with \`-e 1e9\`, which reads the data and stops at once. Both axes"
    echo "are logarithmic; what is below 1e-9 is drawn there. The stochastic solvers have one seed. -plain is"
    echo "coordinate descent alone, \`--plain\`."
    echo
    echo "The pictures are in [RESULTS.html](RESULTS.html)."
    for name in $curve_sets; do
        has "$name" || continue
        note "curves of $name"
        echo
        curve_figures "$name" | figure "curves-$name"
    done
}

# ---- What a pass costs ----

# pass_cost ROWS FEATURES NONZEROS: nanoseconds for each non-zero that a pass of dcd-l1 visits (median of the runs), and
# the number of non-zeros in the data.
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

growth_figures() {
    for axis in rows features nonzeros; do
        printf 'figure\tCost of a pass, by %s\t%s\t%s\tns for each non-zero visited\tlog-x\tlog-y\n' "$axis" \
            'A level curve is a cost linear in the data.' "$axis"
        awk '{ printf "point\t-s 3 --plain\t%s\t%s\n", $1, $3 }' "$scratch/growth/$axis"
    done
}

# cache_sizes: a sentence about the caches, if lscpu is installed.
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
    echo "The pictures are in [RESULTS.html](RESULTS.html)."
    echo
    growth_figures | figure growth
    growth_tables
}
