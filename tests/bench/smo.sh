#!/bin/sh
# make bench-smo: compares train -s smo with LIBSVM's svm-train -t 0, which solves the same problem with a free bias, by
# the same stop rule. Then it compares their probabilities. Writes tests/bench/SMO.md. Run it from the top folder,
# after make.
# HINGE_DATA: folder of the data sets; HINGE_RUNS: runs of each command (default 9); HINGE_SETS: the data
# sets; HINGE_PROBABILITY_SETS: data sets for probabilities; HINGE_PAGE: another file to write; HINGE_COSTS: more
# values of C for a9a (default none, because at 100 each program takes many minutes); HINGE_PATIENCE:
# seconds after which svm-train is stopped (default 1500).
# Needs awk, hyperfine, libsvm-tools.
# shellcheck disable=SC2034,SC2154 # variables shared with lib.sh
set -u

data=${HINGE_DATA:-data}
runs=${HINGE_RUNS:-9}
patience=${HINGE_PATIENCE:-1500}
sets=${HINGE_SETS-breast-cancer svmlight-ex1 digits w8a a9a}
probability_sets=${HINGE_PROBABILITY_SETS-breast-cancer w8a a9a}
here=tests/bench
page=${HINGE_PAGE:-$here/SMO.md}
bench='bench-smo'
long=4 # seconds from which on a command is run only once

# shellcheck source=/dev/null
. "$here/lib.sh"
# shellcheck source=/dev/null
. tests/peers/scores.sh
if ! command -v svm-train >/dev/null 2>&1; then
    echo "$bench: svm-train is not installed (Debian: libsvm-tools): nothing measured"
    exit 0
fi

# parts NAME: writes the binary problems of a data set as files 1, 2 ... in $scratch/parts. With more than two classes,
# each class is against all others, because svm-train alone would take each pair of classes.
parts() {
    rm -rf "$scratch/parts"
    mkdir "$scratch/parts"
    awk -v out="$scratch/parts/" '
        !($1 in seen) { seen[$1]; label[++classes] = $1 }
        { line[NR] = $0; given[NR] = $1 }
        END {
            for (c = 1; c <= (classes == 2 ? 1 : classes); c++)
                for (i = 1; i <= NR; i++) {
                    text = line[i]
                    sub(/^[^ ]*/, given[i] == label[c] ? "+1" : "-1", text)
                    print text >(out c)
                }
        }' "$(path "$1")"
}

# each COMMAND: a command that runs COMMAND for each part, as $p. A single part needs no shell.
each() {
    if [ -f "$scratch/parts/2" ]; then
        # shellcheck disable=SC2016 # for the inner shell
        echo "sh -c 'for p in $scratch/parts/*[0-9]; do $1 || exit 1; done'"
    else
        echo "$1" | sed "s|\$p|$scratch/parts/1|g"
    fi
}

# distinct_ours, distinct_theirs PART: the number of support vectors; equal rows of one label count once.
distinct_ours() { paste -d ' ' "$scratch/results/$1.alpha" "$scratch/parts/$1" | awk '$1 > 0' | cut -d ' ' -f 2- | distinct; }
distinct_theirs() { sed '1,/^SV/d; s/^-[^ ]*/-1/; t; s/^[^ ]*/+1/' "$scratch/results/$1.theirs" | distinct; }
distinct() { sed 's/ *$//' | sort -u | wc -l; }

# differences: over all parts, the largest relative difference of the objectives, the support vectors of both programs,
# and the equal predictions.
differences() {
    objective=0 ours=0 theirs=0 ours_distinct=0 theirs_distinct=0 equal=0 rows=0 problem=0
    for file in "$scratch"/parts/*; do
        part=${file##*/}
        result=$scratch/results/$part
        svm-predict "$file" "$result.theirs" "$result.theirs.labels" >/dev/null
        ./predict -q "$file" "$result.ours" "$result.ours.labels"
        problem=$((problem + 1))
        objective=$(sed -n "${problem}p" "$scratch/objectives" |
            awk -v worst="$objective" -v ours="$(sed -n 's/^# dual //p' "$result.ours")" \
                '{ d = ours / $1 - 1; if (d < 0) d = -d; print (d > worst ? d : worst) }')
        ours=$((ours + $(awk '$1 > 0' "$result.alpha" | wc -l)))
        theirs=$((theirs + $(sed '1,/^SV/d' "$result.theirs" | wc -l)))
        ours_distinct=$((ours_distinct + $(distinct_ours "$part")))
        theirs_distinct=$((theirs_distinct + $(distinct_theirs "$part")))
        rows=$((rows + $(wc -l <"$file")))
        equal=$((equal + $(paste "$result.ours.labels" "$result.theirs.labels" |
            awk '$1 == $2 { n++ } END { print n + 0 }')))
    done
    awk -v d="$objective" -v a="$ours" -v b="$theirs" -v da="$ours_distinct" -v db="$theirs_distinct" \
        -v e="$equal" -v n="$rows" 'BEGIN {
        printf "%.1e | %d | %d | %d | %d | %+.2f %% | %.3f %%\n", d, a, b, da, db, 100 * (da / db - 1), 100 * e / n }'
}

# row NAME C EPS
row() {
    parts "$1"
    rm -rf "$scratch/results"
    mkdir "$scratch/results"
    # shellcheck disable=SC2016 # for the inner shell
    in_turn ours "$(each "./train -j 1 -s smo -c $2 -e $3 --alpha \$p.alpha \$p \$p.ours")" \
        theirs "timeout $patience $(each "svm-train -t 0 -c $2 -e $3 \$p \$p.theirs")"
    mv "$scratch"/parts/*.* "$scratch/results"
    if [ ! -s "$scratch/theirs.time" ]; then
        echo "| $1 | $2 | $3 | > $patience | $(seconds ours) | | | | | | | | |"
        return
    fi
    sed -n 's/^obj = \([^,]*\),.*/\1/p' "$scratch/theirs.report" >"$scratch/objectives"
    echo "| $1 | $2 | $3 | $(seconds theirs) | $(seconds ours) | **$(ratio theirs ours)** | $(differences) |"
}

seconds() { median "$1" | awk '{ printf "%.3f\n", $1 }'; }

table() {
    echo "| data | C | \`-e\` | svm-train, s | train, s | ratio | objective differs by | our SV | its SV | distinct: our SV | its SV | differ by | same predictions |"
    echo "|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|"
}

# ---- Probabilities ----

# their_train ROWS MODEL, smo_train, free_train: commands that train with probabilities.
their_train() { echo "timeout $patience svm-train -b 1 -t 0 '$1' '$scratch/$2'"; }
smo_train() { echo "./train -j 1 -b 1 -s smo '$1' '$scratch/$2'"; }
free_train() { echo "./train -j 1 -b 1 -s 3 -B 1 -R '$1' '$scratch/$2'"; }

# predicted ROWS: appends the scores of each model on those rows to NAME.scores.
predicted() {
    svm-predict -q -b 1 "$1" "$scratch/theirs" "$scratch/probabilities" >/dev/null
    scores "$1" "$scratch/probabilities" >>"$scratch/theirs.scores"
    for name in smo free; do
        ./predict -q -b 1 "$1" "$scratch/$name" "$scratch/probabilities"
        scores "$1" "$scratch/probabilities" >>"$scratch/$name.scores"
    done
}

# probability_rows DATA: scores on its test part, or over ten folds if it has none.
probability_rows() {
    file=$(path "$1")
    rm -f "$scratch"/*.scores
    in_turn smo "$(smo_train "$file" smo)" free "$(free_train "$file" free)" theirs "$(their_train "$file" theirs)"
    if [ ! -s "$scratch/theirs.time" ]; then
        echo "| $1 | | > $patience | $(seconds smo) | | | | | | | |"
        return
    fi
    if [ -f "$file.t" ]; then
        predicted "$file.t"
    else
        for part in 0 1 2 3 4 5 6 7 8 9; do
            awk -v k="$part" 'NR % 10 != k' "$file" >"$scratch/fold"
            awk -v k="$part" 'NR % 10 == k' "$file" >"$scratch/rest"
            for whose in their_train:theirs smo_train:smo free_train:free; do
                eval "$("${whose%:*}" "$scratch/fold" "${whose#*:}")" >/dev/null
            done
            predicted "$scratch/rest"
        done
    fi
    for name in smo free; do
        paste -d ' ' "$scratch/theirs.scores" "$scratch/$name.scores" | awk -v data="$1" \
            -v solver="$([ $name = smo ] && echo smo || echo '3 -B 1 -R')" \
            -v theirs="$(seconds theirs)" -v ours="$(seconds $name)" -v ratio="$(ratio theirs $name)" \
            -v rows="$(if [ -f "$file.t" ]; then wc -l <"$file.t"; else wc -l <"$file"; fi)" '
            { for (k = 1; k <= 4; k++) sum[k] += $k / rows }
            END {
                printf "| %s | `%s` | %s | %s | **%s** | %.5f | %.5f | %+.2f %% | %.5f | %.5f | %+.2f %% |\n", data,
                    solver, theirs, ours, ratio, sum[1], sum[3], 100 * (sum[3] / sum[1] - 1), sum[2], sum[4],
                    100 * (sum[4] / sum[2] - 1)
            }'
    done
}

probabilities() {
    printf '\n## Probabilities\n\n'
    echo "The table compares Platt's sigmoids of \`train -b 1\` and of \`svm-train -b 1 -t 0\` with C = 1. It has"
    echo "the time of whole runs, and the mean log loss and Brier score of the test rows. breast-cancer has no test"
    echo "rows, so ten folds replace them."
    echo
    echo "| data | \`-s\` | svm-train, s | train, s | ratio | log loss: svm-train | train | differs | Brier score: svm-train | train | differs |"
    echo "|---|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|"
    for name in $probability_sets; do
        if [ -f "$(path "$name")" ]; then
            note "probabilities: $name"
            probability_rows "$name"
        fi
    done
}

write_page() {
    echo "# The free bias, against LIBSVM"
    echo
    echo "\`make bench-smo\` writes this page. It compares the elapsed time of whole runs of \`train -s smo\` and"
    echo "\`svm-train -t 0\`, both with LIBSVM's rule \`-e\` and a cache of 100 MiB. Times are medians of $runs"
    echo "runs, taken in turn; a program that takes longer than $long s runs once. Predictions are those of the"
    echo "training rows. The ten classes of digits are ten problems, each against the rest, run one after the"
    echo "other. Where rows are equal, the optimum leaves open how they share their α, and with it the number of"
    echo "support vectors: distinct ones are equal rows of one label counted once."
    echo
    table
    for name in $sets; do
        if has "$name"; then
            note "$name"
            row "$name" 1 1e-6
        fi
    done
    for C in ${HINGE_COSTS:-}; do
        if has a9a; then
            note "a9a, C = $C"
            row a9a "$C" 1e-6
        fi
    done
    probabilities
    echo
    machine_line
    echo "$(package libsvm-tools)."
}

write_page >"$scratch/page" && mv "$scratch/page" "$page"
note "$page is written"
