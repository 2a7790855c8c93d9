#!/bin/sh
# make paper: the experiments of the HRMD-W paper (Shao, Tao, Jiang, Zhou, Journal of Software 25(9),
# 2014, section 3) and the claims about Pegasos, into tests/bench/PAPER.md and paper-*.png beside it.
# Run it from the top folder, after make. Needs awk, sort, xargs; gnuplot for the pictures.
#   HINGE_DATA               folder of the data sets
#   HINGE_PAPER_JOBS         trainings at the same time, except those that are timed (2)
#   HINGE_PAPER_SEEDS        runs behind each mean (10)
#   HINGE_PAPER_GRID_SEEDS   runs for each point of the grid (3)
#   HINGE_PAPER_CURVE_SEEDS  runs behind the curves of data sets other than a9a (3)
#   HINGE_PAPER_TIMED_SEEDS  runs behind each median of times (5)
#   HINGE_PAPER_STEPS        steps of the runs for the test error (10000)
#   HINGE_PAPER_LAMBDAS, HINGE_PAPER_L1S  the grid
set -eu

data=${HINGE_DATA:-data}
jobs=${HINGE_PAPER_JOBS:-2}
seeds=${HINGE_PAPER_SEEDS:-10}
grid_seeds=${HINGE_PAPER_GRID_SEEDS:-3}
curve_seeds=${HINGE_PAPER_CURVE_SEEDS:-3}
timed_seeds=${HINGE_PAPER_TIMED_SEEDS:-5}
steps=${HINGE_PAPER_STEPS:-10000}
lambdas=${HINGE_PAPER_LAMBDAS:-1e-6 1e-5 3e-5 1e-4 3e-4 1e-3 3e-3 1e-2}
l1s=${HINGE_PAPER_L1S:-0 1e-6 1e-5 1e-4 1e-3}

here=tests/bench
# shellcheck source=tests/bench/paper_page.sh
. $here/paper_page.sh
lambda=1e-4 # for everything except the test error
l1=1e-4     # for solvers with an l1 term
LC_ALL=C
export LC_ALL

scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
trap 'exit 130' INT TERM

note() { echo "paper: $*" >&2; }

# count N [FIRST]: N numbers from FIRST, one a line.
count() { awk -v n="$1" -v first="${2:-1}" 'BEGIN { for (i = 0; i < n; i++) print first + i }'; }

# ---- Data ----

# shuffle FILE SEED: the rows of the file in an order that depends on SEED only, by Park and Miller's
# generator, which is exact in the doubles of any awk.
shuffle() {
    awk -v x="$2" '{ x = (x * 16807) % 2147483647; printf "%d\t%s\n", x, $0 }' "$1" |
        sort -n -s -k1,1 | cut -f2-
}

# divide FROM ROWS HEAD TAIL: the first ROWS rows into HEAD, the others into TAIL.
divide() {
    awk -v rows="$2" -v head="$3" -v tail="$4" '{ print > (NR <= rows ? head : tail) }' "$1"
}

rows() { awk 'END { print NR }' "$1"; }

# share FILE NUMERATOR DENOMINATOR: this share of the file's rows, as a number of rows.
share() { awk -v a="$2" -v b="$3" 'END { print int(NR * a / b) }' "$1"; }

# split_rows NAME SHUFFLED: the number of training rows, as in the paper: 24703 of a9a, 9/10 of covtype.
split_rows() {
    case $1 in
    a9a) share "$2" 24703 32561 ;;
    *) share "$2" 9 10 ;;
    esac
}

# prepare NAME: makes NAME.train and NAME.test, and divides NAME.train into NAME.fit, four fifths, and NAME.held.
prepare() {
    shuffle "$data/$1" 20140901 >"$scratch/all"
    case $1 in
    a9a | covtype-93k) divide "$scratch/all" "$(split_rows "$1" "$scratch/all")" \
        "$scratch/$1.train" "$scratch/$1.test" ;;
    *)
        mv "$scratch/all" "$scratch/$1.train"
        cp "$data/$1.t" "$scratch/$1.test"
        ;;
    esac
    divide "$scratch/$1.train" "$(share "$scratch/$1.train" 4 5)" "$scratch/$1.fit" "$scratch/$1.held"
}

sets=
missing=
for name in a9a covtype-93k imdb svmlight-ex1; do
    case $name in
    imdb | svmlight-ex1) second=$data/$name.t ;;
    *) second=$data/$name ;;
    esac
    if [ -f "$data/$name" ] && [ -f "$second" ]; then
        sets="$sets $name"
    else
        missing="$missing $name"
        note "$name is not in HINGE_DATA: skipped"
    fi
done
[ -n "$sets" ] || { note "no data set there: nothing done"; exit 0; }

has() { case " $sets " in *" $1 "*) return 0 ;; *) return 1 ;; esac }

# ---- Trainings ----

# trainings: trains for each line "TRACE DATA OPTIONS..." of standard input.
# shellcheck disable=SC2016 # the inner shell expands it
trainings() {
    xargs -P "$jobs" -L 1 sh -c \
        'trace=$1; data=$2; shift 2; ./train -j 1 -q "$@" --trace "$trace" "$data" /dev/null' train
}

# options METHOD L1: train's options for a method. METHOD-last has no average, METHOD-uniform has the mean.
options() {
    solver=${1%-last}
    solver=${solver%-uniform}
    case $1 in
    *-uniform) average=' --average uniform' ;;
    pegasos | *-last) average=' --average none' ;;
    *) average= ;;
    esac
    case $1 in
    hrmd-w* | comid*) echo "-s $solver --l1 $2$average" ;;
    *) echo "-s $solver$average" ;;
    esac
}

# last_lines DIRECTORY: the last line of each trace A:B:..., as "A B ... STEPS EPOCHS SECONDS OBJECTIVE NONZEROS ERROR".
last_lines() {
    awk -F, 'function flush() { if (name != "") print name, line }
        FNR == 1 { flush(); name = FILENAME; sub(/.*\//, "", name); gsub(/:/, " ", name) }
        { line = $2 " " $3 " " $4 " " $5 " " $8 " " ($9 == "" ? "-" : $9) }
        END { flush() }' "$1"/*
}

# statistics: turns lines "KEY VALUE" into "KEY MEAN DEVIATION MEDIAN COUNT", in order of first appearance.
statistics() {
    awk '{ if (!($1 in n)) key[++keys] = $1; x[$1, ++n[$1]] = $2; s[$1] += $2 }
        END {
            for (i = 1; i <= keys; i++) {
                k = key[i]; mean = s[k] / n[k]; q = 0
                for (j = 1; j <= n[k]; j++) {
                    v = x[k, j]; q += (v - mean) ^ 2
                    for (h = j - 1; h > 0 && x[k, h] > v; h--) x[k, h + 1] = x[k, h]
                    x[k, h + 1] = v
                }
                median = (x[k, int((n[k] + 1) / 2)] + x[k, int(n[k] / 2) + 1]) / 2
                printf "%s %.17g %.17g %.17g %d\n", k, mean, (n[k] > 1 ? sqrt(q / (n[k] - 1)) : 0), median, n[k]
            }
        }'
}

# slopes: turns lines "KEY X Y" into "KEY SLOPE", the slope of the least-squares line through (log X, log Y).
slopes() {
    awk '{ if (!($1 in n)) key[++keys] = $1; x = log($2); y = log($3)
            n[$1]++; sx[$1] += x; sy[$1] += y; xx[$1] += x * x; xy[$1] += x * y }
        END { for (i = 1; i <= keys; i++) { k = key[i]
            printf "%s %.3f\n", k, (n[k] * xy[k] - sx[k] * sy[k]) / (n[k] * xx[k] - sx[k] ^ 2) } }'
}

# value FILE KEY COLUMN: the column of the first line that starts with KEY.
value() { awk -v key="$2" -v column="$3" '$1 == key { print $column; exit }' "$1"; }

# ---- Optima ----

# reference DATA LAMBDA L1 GAP SECONDS [TEST]: prints PRIMAL,DUAL,GAP,NONZEROS,FEATURES,PASSES,SECONDS,ERROR.
reference() { build/plain/paper_reference "$@"; }

# certified DATA LAMBDA L1: "PRIMAL DUAL GAP" of the averaged objective by train -s enet, which is -s 3 if L1 is 0. DUAL
# is a lower bound.
certified() {
    ./train -j 1 -q -s enet --l1 "$3" -g 1e-8 -l "$2" --time-limit 60 "$1" "$scratch/model"
    awk -v lambda="$2" '/^# primal/ { primal = $3 } /^# dual/ { dual = $3 } /^# relative_gap/ { gap = $3 }
        END { printf "%.15g %.15g %.3g\n", primal * lambda, -dual * lambda, gap }' "$scratch/model"
}

# optima: lines "NAME:L1 OPTIMUM GAP REFERENCE REFERENCE_GAP NONZEROS FEATURES PASSES SECONDS". OPTIMUM is the lower
# bound of train, so that no difference from it is too small. The reference checks it.
optima() {
    for name in $sets; do
        for penalty in 0 "$l1"; do
            reference "$scratch/$name.train" "$lambda" "$penalty" 1e-8 60 | tr , ' ' >"$scratch/line"
            read -r primal _ gap nonzeros features passes time <"$scratch/line"
            certified "$scratch/$name.train" "$lambda" "$penalty" >"$scratch/line"
            read -r _ optimum optimum_gap <"$scratch/line"
            echo "$name:$penalty $optimum $optimum_gap $primal $gap $nonzeros $features $passes $time"
        done
    done
}

# ---- Convergence and sparsity: Figures 1 and 2 ----

curve_methods() { [ "$1" = 0 ] && echo hrmd-w sgd-w comid sgd || echo hrmd-w comid hrmd-w-last comid-last; }

# curve_jobs: lines for trainings. Each trace has 20 lines for each T, because a line for each step would be too many.
curve_jobs() {
    for name in $sets; do
        [ "$name" = a9a ] && runs=$seeds || runs=$curve_seeds
        for penalty in 0 "$l1"; do
            for method in $(curve_methods "$penalty"); do
                for seed in $(count "$runs"); do
                    for T in 10000 100000 1000000; do
                        echo "$scratch/curve/$name:$penalty:$method:$seed:$T $scratch/$name.train" \
                            "$(options "$method" "$penalty") -l $lambda --seed $seed -T $T --trace-every $((T / 20))"
                    done
                done
            done
        done
    done
}

# curve_points: lines "NAME:L1:METHOD:STEPS EXCESS ZEROS" for each run, at nearly even distances of log STEPS.
curve_points() {
    awk -F, -v lambda="$lambda" -v optima="$scratch/optima" '
        BEGIN {
            while ((getline line < optima) > 0) {
                split(line, field, " "); optimum[field[1]] = field[2]; features[field[1]] = field[7]
            }
        }
        FNR == 1 { name = FILENAME; sub(/.*\//, "", name); split(name, part, ":"); next }
        {
            share = $2 / part[5] * 20; set = part[1] ":" part[2]
            if ((share == 2 && part[5] == 10000) || share ~ /^(3|4|6|8|10|14|20)$/)
                printf "%s:%s:%s %.17g %.17g\n", set, part[3], $2, $5 * lambda - optimum[set], 1 - $8 / features[set]
        }' "$scratch"/curve/*
}

# curve_files: writes plot/NAME:L1:METHOD for gnuplot, with lines "STEPS EXCESS DEVIATION ZEROS".
curve_files() {
    awk -v directory="$scratch/plot/" 'NR == FNR { zeros[$1] = $2; next }
        {
            split($1, part, ":"); file = directory part[1] ":" part[2] ":" part[3]
            print part[4], $2, $3, zeros[$1] | ("sort -g >" file)
        }' "$scratch/zeros" "$scratch/excess"
}

curves() {
    mkdir "$scratch/curve" "$scratch/plot"
    curve_jobs | trainings
    curve_points >"$scratch/points"
    awk '{ print $1, $2 }' "$scratch/points" | statistics >"$scratch/excess"
    awk '{ print $1, $3 }' "$scratch/points" | statistics >"$scratch/zeros"
    curve_files
    awk '{ split($1, part, ":"); print part[1] ":" part[2] ":" part[3], part[4], $2 }' "$scratch/excess" |
        slopes >"$scratch/slopes"
}

# ---- Test error: Table 2 ----

methods='hrmd-w comid sgd-w'

l1s_of() { [ "$1" = sgd-w ] && echo 0 || echo "$l1s"; }

# run_line DIRECTORY NAME METHOD LAMBDA L1 SEED TRAIN TEST [OPTIONS]: a line for trainings.
run_line() {
    echo "$scratch/$1/$2:$3:$4:$5:$6 $7 $(options "$3" "$5") -l $4 --seed $6 -T $steps --trace-every $steps --test $8${9:+ $9}"
}

# grid_jobs DIRECTORY TRAIN TEST: TRAIN and TEST are suffixes.
grid_jobs() {
    for name in $sets; do
        for method in $methods; do
            for strength in $lambdas; do
                for penalty in $(l1s_of "$method"); do
                    for seed in $(count "$grid_seeds"); do
                        run_line "$1" "$name" "$method" "$strength" "$penalty" "$seed" \
                            "$scratch/$name.$2" "$scratch/$name.$3"
                    done
                done
            done
        done
    done
}

# best DIRECTORY: "NAME METHOD LAMBDA L1" with the least mean error. Among equal errors, the larger lambda and l1.
best() {
    last_lines "$1" | awk '{ print $1 ":" $2 ":" $3 ":" $4, $NF }' | statistics |
        awk '{ split($1, part, ":"); set = part[1] " " part[2]; if (!(set in least)) key[++keys] = set
                if (!(set in least) || $2 < least[set] || ($2 == least[set] && (part[3] > lambda[set] ||
                    (part[3] == lambda[set] && part[4] + 0 > l1[set] + 0)))) {
                    least[set] = $2; lambda[set] = part[3] + 0; chosen[set] = part[3] " " part[4]; l1[set] = part[4]
                } }
            END { for (i = 1; i <= keys; i++) print key[i], chosen[key[i]] }'
}

# final_jobs DIRECTORY: trainings with the chosen parameters, read from standard input, and new seeds.
final_jobs() {
    while read -r name method strength penalty; do
        for seed in $(count "$seeds" 1001); do
            run_line "$1" "$name" "$method" "$strength" "$penalty" "$seed" \
                "$scratch/$name.train" "$scratch/$name.test"
        done
    done
}

# errors WAY TRAIN TEST: trains on TRAIN, chooses parameters on TEST, then trains and tests as the paper does.
errors() {
    mkdir "$scratch/grid.$1" "$scratch/final.$1"
    grid_jobs "grid.$1" "$2" "$3" | trainings
    best "$scratch/grid.$1" >"$scratch/chosen.$1"
    final_jobs "final.$1" <"$scratch/chosen.$1" | trainings
    last_lines "$scratch/final.$1" >"$scratch/runs.$1"
    awk '{ print $1 ":" $2, $NF }' "$scratch/runs.$1" | statistics >"$scratch/error.$1"
}

# optimum_errors: lines "NAME:METHOD ERROR GAP ZEROS" of the exact optimum at the chosen parameters.
optimum_errors() {
    while read -r name method strength penalty; do
        reference "$scratch/$name.train" "$strength" "$penalty" 1e-6 20 "$scratch/$name.test" |
            awk -F, -v key="$name:$method" '{ print key, $8, $3, 1 - $4 / $5 }'
    done <"$scratch/chosen.held"
}

# fresh_splits: the test errors on $seeds other splits of a9a and covtype, one run on each split.
fresh_splits() {
    mkdir "$scratch/fresh"
    for name in a9a covtype-93k; do
        has "$name" || continue
        for split in $(count "$seeds" 1001); do
            shuffle "$data/$name" "$split" >"$scratch/all"
            divide "$scratch/all" "$(split_rows "$name" "$scratch/all")" "$scratch/again.train" "$scratch/again.test"
            awk -v name="$name" '$1 == name' "$scratch/chosen.held" |
                while read -r _ method strength penalty; do
                    run_line fresh "$name" "$method" "$strength" "$penalty" "$split" \
                        "$scratch/again.train" "$scratch/again.test"
                done | trainings
        done
    done
    has a9a || has covtype-93k || return 0
    last_lines "$scratch/fresh" | awk '{ print $1 ":" $2, $NF }' | statistics >"$scratch/error.fresh"
}

# standardise FROM TO: prints the rows of TO, scaled by the mean and deviation of each feature in FROM.
standardise() {
    awk 'function read_row(x, i, pair) { split("", x)
            for (i = 2; i <= NF; i++) { split($i, pair, ":"); x[pair[1]] = pair[2]; if (pair[1] > n) n = pair[1] } }
        NR == FNR { m++; read_row(x); for (j in x) { s[j] += x[j]; q[j] += x[j] ^ 2 }; next }
        FNR == 1 { for (j = 1; j <= n; j++) { s[j] /= m; q[j] = sqrt(q[j] / m - s[j] ^ 2) } }
        { read_row(x); printf "%s", $1
            for (j = 1; j <= n; j++) if (q[j] > 0) printf " %d:%.6g", j, (x[j] - s[j]) / q[j]
            print "" }' "$1" "$2"
}

# variants: test errors on a9a and covtype with 100 rows in each step, and on covtype standardised and with a bias.
variants() {
    mkdir "$scratch/hundred" "$scratch/standard"
    for name in a9a covtype-93k; do
        has "$name" || continue
        awk -v name="$name" '$1 == name' "$scratch/chosen.held" |
            while read -r _ method strength penalty; do
                for seed in $(count "$seeds" 1001); do
                    run_line hundred "$name" "$method" "$strength" "$penalty" "$seed" \
                        "$scratch/$name.train" "$scratch/$name.test" "-k 100"
                done
            done | trainings
    done
    if has a9a || has covtype-93k; then
        last_lines "$scratch/hundred" | awk '{ print $1 ":" $2, $NF }' | statistics >"$scratch/error.hundred"
    fi
    has covtype-93k || return 0
    standardise "$scratch/covtype-93k.train" "$scratch/covtype-93k.train" >"$scratch/again.train"
    standardise "$scratch/covtype-93k.train" "$scratch/covtype-93k.test" >"$scratch/again.test"
    for method in $methods; do
        for seed in $(count "$seeds" 1001); do
            run_line standard covtype-93k "$method" 1e-2 0 "$seed" "$scratch/again.train" "$scratch/again.test" "-B 1"
        done
    done | trainings
    last_lines "$scratch/standard" | awk '{ print $1 ":" $2, $NF }' | statistics >"$scratch/error.standard"
    ./train -j 1 -q -s 3 -l 1e-4 -B 1 --trace "$scratch/trace" --test "$scratch/again.test" "$scratch/again.train" /dev/null
    awk -F, '{ error = $9 } END { print "covtype-93k", error }' "$scratch/trace" >"$scratch/error.exact"
}

# ---- Pegasos: one training at a time, because it is timed ----

# until_within TRACE OPTIMUM TOLERANCE: "STEPS EPOCHS SECONDS" of the first line whose objective is so near to the
# optimum, or "- - -" if there is none.
until_within() {
    awk -F, -v optimum="$2" -v tolerance="$3" -v lambda="$lambda" '
        NR > 1 && $5 * lambda <= optimum * (1 + tolerance) { print $2, $3, $4; found = 1; exit }
        END { if (!found) print "- - -" }' "$1"
}

# excess_after TRACE OPTIMUM EPOCHS: the relative excess of the objective EPOCHS after the start.
excess_after() {
    awk -F, -v optimum="$2" -v epochs="$3" -v lambda="$lambda" '
        NR > 1 && $3 >= epochs - 1e-6 { print $5 * lambda / optimum - 1; exit }' "$1"
}

race_epochs() { [ "$1" = a9a ] && echo 250 || echo 60; }

# race_options WHO: train's options for a solver of the race.
race_options() {
    case $1 in
    dcd) echo "-s 3 -g 1e-4 --plain" ;;
    *) options "$1" 0 ;;
    esac
}

# race: lines "NAME:WHO:WHAT VALUE" for each run: epochs and seconds to 1 %, and the excess after 1, 10 and 50 epochs.
race() {
    for name in imdb a9a; do
        has "$name" || continue
        optimum=$(value "$scratch/optima" "$name:0" 2)
        for who in dcd pegasos sgd-last pegasos-uniform sgd sgd-w; do
            for seed in $(count "$timed_seeds"); do
                limit=
                [ "$who" = dcd ] || limit="--epochs $(race_epochs "$name")"
                # shellcheck disable=SC2046,SC2086 # lists of options
                ./train -j 1 -q $(race_options "$who") -l "$lambda" --seed "$seed" $limit \
                    --trace "$scratch/trace" "$scratch/$name.train" /dev/null
                until_within "$scratch/trace" "$optimum" 0.01 |
                    awk -v key="$name:$who:" '$1 != "-" { print key "epochs", $2; print key "seconds", $3 }'
                for after in 1 10 50; do
                    excess_after "$scratch/trace" "$optimum" "$after" | sed "s/^/$name:$who:$after /"
                done
            done
        done
    done
}

# growth: lines "NAME:WHO:ROWS:WHAT VALUE": steps and seconds to 5 % on the first 1/16 .. 1 of the rows.
growth() {
    for name in imdb covtype-93k; do
        has "$name" || continue
        for part in 16 8 4 2 1; do
            head -n "$(share "$scratch/$name.train" 1 $part)" "$scratch/$name.train" >"$scratch/subset"
            certified "$scratch/subset" "$lambda" 0 >"$scratch/line"
            read -r _ optimum _ <"$scratch/line"
            for who in dcd pegasos; do
                for seed in $(count "$timed_seeds"); do
                    limit=
                    [ "$who" = dcd ] || limit="-T 600000 --trace-every 2500"
                    # shellcheck disable=SC2046,SC2086
                    ./train -j 1 -q $(race_options "$who") -l "$lambda" --seed "$seed" $limit \
                        --trace "$scratch/trace" "$scratch/subset" /dev/null
                    until_within "$scratch/trace" "$optimum" 0.05 |
                        awk -v key="$name:$who:$(rows "$scratch/subset"):" '$1 != "-" {
                            print key "steps", $1; print key "seconds", $3 }'
                done
            done
        done
    done
}

# batches: lines "NAME:VISITS:K:WHAT VALUE": Pegasos with K rows a step and VISITS/K steps.
batches() {
    for name in a9a imdb; do
        has "$name" || continue
        optimum=$(value "$scratch/optima" "$name:0" 2)
        for visits in 100000 1000000; do
            for k in 1 10 100 1000; do
                for seed in $(count "$timed_seeds"); do
                    ./train -j 1 -q -s pegasos -k "$k" -T $((visits / k)) -l "$lambda" --seed "$seed" --trace \
                        "$scratch/trace" --trace-every $((visits / k)) "$scratch/$name.train" /dev/null
                    awk -F, -v key="$name:$visits:$k:" -v lambda="$lambda" -v optimum="$optimum" '
                        { objective = $5; seconds = $4 }
                        END { printf "%sexcess %.17g\n%sseconds %s\n", key, objective * lambda - optimum, key, seconds }' \
                        "$scratch/trace"
                done
            done
        done
    done
}

# series_files FILE WHAT COLUMN: writes plot/WHAT:A:B for gnuplot, with lines "X VALUE" from lines "A:B:X:WHAT ...".
series_files() {
    awk -v what="$2" -v column="$3" -v directory="$scratch/plot/" '{ split($1, part, ":")
        if (part[4] == what) print part[3], $column > (directory what ":" part[1] ":" part[2]) }' "$1"
}

# ---- All of it ----

start=$(date +%s)
step() { note "$(($(date +%s) - start)) s: $*"; }

make -s brief=yes build/plain/paper_reference || exit 1
step data
for name in $sets; do prepare "$name"; done
step optima
optima >"$scratch/optima"
step Pegasos
race >"$scratch/raw"
statistics <"$scratch/raw" >"$scratch/race"
growth >"$scratch/raw"
statistics <"$scratch/raw" >"$scratch/growth"
batches >"$scratch/raw"
statistics <"$scratch/raw" >"$scratch/batches"
step curves
curves
series_files "$scratch/growth" seconds 4
series_files "$scratch/batches" excess 2
step "grid, chosen on held-out rows"
errors held fit held
step "grid, chosen on test rows"
errors test train test
step "optima at the chosen parameters"
optimum_errors >"$scratch/error.optimum"
step "fresh splits"
fresh_splits
step variants
variants
step page
draw
write_page >"$scratch/page"
mv "$scratch/page" $here/PAPER.md
step "$here/PAPER.md is written"
