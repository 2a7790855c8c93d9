#!/bin/sh
# Compares stochastic solvers with peers: processor seconds from file to model until P, with C = 1, is 1 % and 0.1 %
# above the optimum, for pegasos, sgd-w, hrmd-w (--sampling permute) and dcd-l1 of train, Bottou's svmsgd and svmasgd
# 2.0 and sofia-ml's pegasos. Prints the rows of a table in COMPARISONS.md. Run it from the top folder, after make.
# HINGE_PEERS: folder of the built peers, bottou-sgd-2.0 and sofia-ml; HINGE_DATA: folder of the data; HINGE_RUNS.
# train runs for the epochs that --trace has shown to be enough. svmsgd and svmasgd run for the epochs that their own
# output has shown: its cost is P/m of all rows, and the tests after its epochs are not counted. sofia-ml runs for the
# first number of m, 1.5 m, .. steps whose model is good enough (P by grid_gap.c). A run has at most $epochs epochs.
# Needs hyperfine, liblinear-tools (for lib.sh), awk.
# shellcheck disable=SC2034,SC2154 # variables shared with lib.sh
set -u

data=${HINGE_DATA:-data}
peers=${HINGE_PEERS:-$data/../peers}
runs=${HINGE_RUNS:-5}
sets=${HINGE_SETS:-a9a covtype-93k imdb rcv1-synth}
epochs=${HINGE_EPOCHS:-200}
bench=stochastic
long=20

# shellcheck source=/dev/null
. tests/bench/lib.sh
build grid_gap
build synth
mkdir -p build/bench
[ -f build/bench/rcv1-synth ] || build/plain/synth rcv1 20242 --output build/bench/rcv1-synth

# time_of COMMAND: processor seconds, the mean of the runs.
time_of() {
    hyperfine --style none --shell none --warmup 0 --runs "$runs" --export-json "$scratch/json" "$1" \
        >/dev/null 2>"$scratch/error" || { note "failed: $1"; echo -; return; }
    awk -F: '/"user"/ { user = $2 } /"system"/ { kernel = $2 }
        END { printf "%.3f\n", user + kernel }' "$scratch/json"
}

# first_epoch MOST: the first epoch in lines "epoch cost" whose cost is at most MOST.
first_epoch() { awk -v most="$1" '$2 <= most { print $1; exit }'; }

# ours SOLVER SHARE
ours() {
    if [ "$1" = dcd-l1 ]; then
        time_of "./train -j 1 -q -s dcd-l1 -g $2 '$file' '$scratch/model'"
        return
    fi
    needed=$(awk -F, 'NR > 1 && $5 != "" { print $3, $5 }' "$scratch/$1.trace" | first_epoch "$(above "$2")")
    [ -n "$needed" ] || { echo -; return; }
    time_of "./train -j 1 -q -s $1 --sampling permute --epochs $needed '$file' '$scratch/model'"
}

above() { awk -v p="$optimum" -v share="$1" 'BEGIN { printf "%.17g\n", p * (1 + share) }'; }

# bottou PROGRAM: runs the program once, and writes its epochs, costs and training times to a file.
bottou() {
    ln -sf "$(realpath "$file")" "$scratch/rows.txt"
    "$peers/bottou-sgd-2.0/bin/$1-HingeLoss-b0" -lambda "$lambda" -dontnormalize -epochs "$epochs" "$scratch/rows.txt" |
        awk -v m="$rows" '/Total training time/ { seconds = $4 }
            /Cost=/ { sub(/.*Cost=/, ""); print ++n, $1 * m, seconds }' >"$scratch/$1.costs"
    time_of "$peers/bottou-sgd-2.0/bin/$1-HingeLoss-b0 -lambda $lambda -dontnormalize -epochs 1 $scratch/rows.txt" \
        >"$scratch/$1.load"
}

bottou_time() {
    awk -v most="$(above "$2")" -v load="$(cat "$scratch/$1.load")" 'NR == 1 { load -= $3 }
        $2 <= most { printf "%.3f\n", load + $3; found = 1; exit } END { if (!found) print "-" }' "$scratch/$1.costs"
}

sofia_command() {
    echo "$peers/sofia-ml/src/sofia-ml --learner_type pegasos --loop_type stochastic --eta_type pegasos" \
        "--no_bias_term --random_seed 1 --lambda $lambda --iterations $1 --dimensionality $((features + 1))" \
        "--training_file $scratch/spaced --model_out $scratch/sofia.weights"
}

# sofia_objective STEPS: P of sofia-ml's model after this number of steps.
sofia_objective() {
    sh -c "$(sofia_command "$1")" >/dev/null 2>&1
    {
        printf 'solver_type L2R_L1LOSS_SVC_DUAL\nnr_class 2\nlabel 1 -1\nnr_feature %s\nbias -1\nw\n' "$features"
        tr ' ' '\n' <"$scratch/sofia.weights" | awk -v n="$features" 'NR > 1 && NR <= n + 1'
    } >"$scratch/sofia.model"
    build/plain/grid_gap "$file" "$scratch/sofia.model" 1 3
}

# sofia SHARE: continues from the steps that the last share took.
sofia() {
    while awk -v n="$steps" -v m="$rows" -v e="$epochs" 'BEGIN { exit !(n <= m * e) }'; do
        if awk -v p="$(sofia_objective "$steps")" -v most="$(above "$1")" 'BEGIN { exit !(p <= most) }'; then
            time_of "$(sofia_command "$steps")"
            return
        fi
        steps=$((steps * 3 / 2))
    done
    echo -
}

echo "| data | above | dcd-l1 | pegasos | sgd-w | hrmd-w | svmsgd | svmasgd | sofia-ml |"
echo "|---|--:|--:|--:|--:|--:|--:|--:|--:|"
for name in $sets; do
    file=$(path "$name")
    optimum=$(./train -j 1 -s 3 -g 1e-7 "$file" "$scratch/model" 2>/dev/null |
        awk '/^Objective value/ { print -$4 }')
    rows=$(wc -l <"$file")
    features=$(sed -n 's/^nr_feature //p' "$scratch/model")
    lambda=$(awk -v m="$rows" 'BEGIN { printf "%.9g\n", 1 / m }')
    steps=$rows
    for solver in pegasos sgd-w hrmd-w; do
        ./train -j 1 -q -s "$solver" --sampling permute --epochs "$epochs" --trace "$scratch/$solver.trace" "$file" \
            "$scratch/model" 2>/dev/null
    done
    sed 's/ *$/ /' "$file" >"$scratch/spaced" # sofia-ml reads only lines that end in a blank
    bottou svmsgd
    bottou svmasgd
    for share in 0.01 0.001; do
        line="| $name | $share |"
        for solver in dcd-l1 pegasos sgd-w hrmd-w; do
            line="$line $(ours "$solver" "$share") |"
        done
        for solver in svmsgd svmasgd; do
            line="$line $(bottou_time "$solver" "$share") |"
        done
        echo "$line $(sofia "$share") |"
    done
done
machine_line
