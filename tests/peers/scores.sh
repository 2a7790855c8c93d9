# scores.sh - how good probabilities are. Sourced by run.sh and by tests/bench/smo.sh; scratch is a folder.
# shellcheck shell=sh disable=SC2154

# scores ROWS PROBABILITIES: prints log loss and Brier score, summed over rows of two classes, of the output of
# predict -b 1 or svm-predict -b 1.
scores() {
    first=$(sed -n '1s/^labels \([^ ]*\).*/\1/p' "$2")
    cut -d ' ' -f 1 "$1" >"$scratch/labels"
    sed 1d "$2" | paste -d ' ' "$scratch/labels" - | awk -v first="$first" '
        {
            p = $1 + 0 == first + 0 ? $3 : 1 - $3
            if (p < 2e-16) p = 2e-16
            loss -= log(p)
            brier += (1 - p) ^ 2
        }
        END { print loss, brier }'
}
