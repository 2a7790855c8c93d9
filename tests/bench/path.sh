#!/bin/sh
# make bench-path: compares paths of L1-regularised logistic regression with 5 folds by train -s 6 -C -v 5 --path and
# by cv.glmnet at the same C. Prints a table. Run it from the top folder, after make.
# HINGE_DATA: folder of the data sets; HINGE_SETS: the data sets; HINGE_RUNS: runs of train; the fastest counts
# (default 3); HINGE_OBJECTIVE: the program grid_gap; HINGE_BIN: folder of train.
# Needs awk, Rscript with glmnet (Debian: r-cran-glmnet).
set -u
LC_ALL=C
export LC_ALL

data=${HINGE_DATA:-data}
sets=${HINGE_SETS-a9a w8a farm-ads imdb}
runs=${HINGE_RUNS:-3}
bin=${HINGE_BIN:-.}
objective=${HINGE_OBJECTIVE:-build/plain/grid_gap}
here=tests/bench

if ! command -v Rscript >/dev/null 2>&1 || ! Rscript -e 'library(glmnet)' >/dev/null 2>&1; then
    echo "bench-path: skipped: Rscript or its package glmnet is not installed (Debian: r-cran-glmnet)"
    exit 0
fi
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
trap 'exit 130' INT TERM HUP

# excess K C SET: the relative excess of glmnet's model K at C.
excess() {
    optimum=$("$bin/train" -s 6 -c "$2" -g 1e-8 "$data/$3" "$scratch/model" |
        awk '/^Primal value = / { print $4 }')
    "$objective" "$data/$3" "$scratch/glmnet.$1" "$2" 6 |
        awk -v optimum="$optimum" '{ printf "%.1e ", $1 / optimum - 1 }'
}

# processor COMMAND ...: the seconds of user and system time of the command. Its output goes to $scratch/out.
processor() {
    (
        "$@" >"$scratch/out" 2>/dev/null || exit 1
        times >"$scratch/times"
    ) || return 1
    awk -F'[ms ]+' 'NR == 2 { printf "%.2f\n", 60 * $1 + $2 + 60 * $3 + $4 }' "$scratch/times"
}

measured=0
for set in $sets; do
    if [ ! -f "$data/$set" ]; then
        echo "bench-path: $set skipped: $data/$set is not there"
        continue
    fi
    if ! Rscript "$here/path.R" "$data/$set" "$scratch/glmnet" >"$scratch/theirs" 2>"$scratch/error"; then
        echo "bench-path: $set failed in R: $(head -n 1 "$scratch/error")"
        exit 1
    fi
    range=$(awk 'NR == 1 { printf "%s:%s:%.10f", $2, $3, ($3 - $2) / ($1 - 1) }' "$scratch/theirs")
    : >"$scratch/ours"
    for _ in $(seq "$runs"); do
        processor "$bin/train" -s 6 -C -v 5 --c-range "$range" --path "$scratch/path.csv" "$data/$set" \
            >>"$scratch/ours" || exit 1
    done
    if [ "$measured" -eq 0 ]; then
        echo "Seconds of user and system time; train's with the reading of the file. glmnet's models certify nothing:"
        echo "excess is how far they are above the minimum at a third of the path, two thirds and its end, relatively."
        echo
        echo "| data | values of C | trainings certified | train -s 6 -C -v 5 --path | glmnet | cv.glmnet | ratio | excess of glmnet |"
        echo "|---|---|---|---|---|---|---|---|"
    fi
    measured=$((measured + 1))
    certified=$(sed -n 's/^Certified = \([0-9]* of [0-9]*\) .*/\1/p' "$scratch/out")
    gaps=$(awk '$1 == "model" { print $2, $3 }' "$scratch/theirs" | while read -r k C; do excess "$k" "$C" "$set"; done)
    sort -n "$scratch/ours" | awk -v set="$set" -v certified="$certified" -v gaps="$gaps" '
        NR == FNR && FNR == 1 { ours = $1 }
        NR != FNR && FNR == 1 {
            printf "| %s | %d | %s | %.2f | %.2f | %.2f | %.1f | %s |\n", set, $1, certified, ours, $4, $5,
                $5 / ours, gaps
        }' - "$scratch/theirs"
done
