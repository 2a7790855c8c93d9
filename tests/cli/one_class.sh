# one_class.sh - -s 21: lines, models, alpha, labels, ignored labels, and refusals.
# shellcheck shell=sh

# 300 rows near (3, 1, 2), except each tenth row, which is near 0 and has the label -1.
awk 'BEGIN {
    x = 1
    for (i = 0; i < 300; i++) {
        for (j = 0; j < 3; j++) { x = (x * 16807) % 2147483647; v[j] = x / 1073741823.5 - 1 }
        size = i % 10 ? 1 : 0.1
        printf "%d 1:%.4f 2:%.4f 3:%.4f\n", i % 10 ? 1 : -1, size * (3 + v[0]), size * (1 + v[1]), size * (2 + v[2])
    }
}' >rows

# objectives MODEL ALPHA NU: P(w, rho), D and the number of support vectors from the files.
objectives() {
    awk -v nu="$3" '
        FILENAME == ARGV[1] && $1 == "rho" { rho = $2 }
        FILENAME == ARGV[1] && /^#/ { next }
        FILENAME == ARGV[1] { if (reading) w[++n] = $1; if ($1 == "w") reading = 1; next }
        FILENAME == ARGV[2] { alpha[++rows] = $1; next }
        {
            row++
            z = 0
            for (k = 2; k <= NF; k++) {
                split($k, pair, ":")
                z += pair[2] * w[pair[1]]
                v[pair[1]] += alpha[row] * pair[2]
            }
            if (z < rho) { primal += rho - z; outside++ }
            if (alpha[row] < 0 || alpha[row] > 1) infeasible = 1
            sum += alpha[row]
            support += alpha[row] > 0
        }
        END {
            for (j = 1; j <= n; j++) { primal += w[j] * w[j] / 2; dual += v[j] * v[j] / 2 }
            rest = sum - nu * row
            if (rest > 1e-9 || rest < -1e-9 || outside > nu * row) infeasible = 1
            printf "%.4f %.4f %d\n", primal - nu * row * rho, infeasible ? "infeasible" : dual, support
        }' "$1" "$2" rows
}

# ---- A training ----------------------------------------------------------

succeeds 'a training' train -s 21 -n 0.1 --alpha alpha rows model
matches 'a training: its lines' "$OUT" "
optimization finished, #iter = [0-9]+
Objective value = [0-9.]+
nSV = [0-9]+
rho = [0-9.]+
Primal value = -[0-9.]+
Relative duality gap = $SHORT \\(certified <= 0[.]001\\)
Method = pnewton \\([0-9]+ steps?\\)

300 rows, 3 features, 900 non-zeros, one class, nu = 0[.]1
read .* s, train .* s, write .* s
next: .*predict ROWS model LABELS"
same 'the head of the model' 'solver_type ONECLASS_SVM
nr_class 2
nr_feature 3
bias -1
rho
w' "$(sed '/^w/q; s/^rho [0-9.]*$/rho/' model)"
same 'the record' 'one-class 0.1' "$(record model solver) $(record model nu | cut -c 1-3)"
same 'no C in the record' '' "$(record model C)$(record model lambda)$(record model free_bias)"
same 'P, D and support vectors of the files are those printed' \
    "$(awk '$1 == "Primal" { p = $4 } $1 == "Objective" { d = $4 } $1 == "nSV" { n = $3 }
        END { printf "%.4f %.4f %d\n", p, d, n }' "$OUT")" \
    "$(objectives model alpha 0.1)"
succeeds 'by name' train -q -s one-class -n 0.1 rows named
same_file 'by name: the model' model named
succeeds 'the default of -n' train -q -s 21 rows half
same 'the default of -n: in the record' 0.5 "$(record half nu)"
succeeds 'the rule of -e' train -s 21 -n 0.1 -e 1e-6 --alpha alpha rows tight
same 'the rule of -e: certified, too' 1 "$(record tight relative_gap | awk '{ print ($1 < 1e-6) }')"
same 'the rule of -e: D' 1 "$(paste -d ' ' alpha rows | awk '
    { for (k = 3; k <= NF; k++) { split($k, pair, ":"); v[pair[1]] += $1 * pair[2] } }
    END { for (j in v) d += v[j] ^ 2 / 2; printf "%.9g\n", d }' |
    awk -v said="$(record tight dual)" '{ print ($1 / said < 1 + 1e-7 && said / $1 < 1 + 1e-7) }')"

# ---- Predictions ---------------------------------------------------------

succeeds 'labels' predict --metrics rows model labels
same 'labels: those near to 0 are outside' '30 0' "$(awk '{ print $1 }' rows | paste -d ' ' - labels |
    awk '$2 == -1 { outside++ } $1 == -1 && $2 != -1 { wrong++ } END { print outside, wrong + 0 }')"
same 'labels: the lines' 'AUC = 1
Accuracy = 100% (300/300)' "$(sed -n '/^Accuracy/p; /^AUC/p' "$OUT")"
succeeds 'decision values' predict -q --decision rows model decisions
same_text 'decision values have the sign of the label' wrong "$(: >wrong; paste -d ' ' labels decisions |
    awk '($2 > 0 ? 1 : -1) != $1')"
if command -v liblinear-predict >/dev/null 2>&1 && liblinear-predict rows model theirs >/dev/null 2>&1; then
    same_file 'labels of liblinear-predict' theirs labels
else
    skips 'labels of liblinear-predict' 'there is none that knows one-class SVMs'
fi
refuses 'probabilities' 2 \
    "predict: -b 1: the model is ONECLASS_SVM and has no probabilities: it is a one-class SVM
Try 'predict --help'." predict -b 1 rows model other

# ---- Folds, starts, trace, weights -----------------------------------------

succeeds 'folds' train -s 21 -n 0.1 -v 5 rows
same 'folds: the lines' '1 Certified = 5 of 5 trainings' \
    "$(sed -n 's/^Cross Validation Accuracy = \(.*\)%$/\1/p' "$OUT" | awk '{ print ($1 > 90) }') $(
        sed -n 's/ (largest.*//; /^Certified/p' "$OUT")"
succeeds 'a start' train -q -s 21 -n 0.1 -g 1e-6 --initial-model model rows again
same 'a start: certified' certified "$(record again outcome)"
succeeds 'a classifier' train -q -s smo rows classifier
refuses 'a start from a classifier' 2 "train: the initial model is no one-class SVM, the solver one-class
Try 'train --help'." train -s 21 --initial-model classifier rows other
refuses 'a classifier that starts from it' 2 "train: the initial model is a one-class SVM, the solver dcd-l2
Try 'train --help'." train --initial-model model rows other
succeeds 'a trace' train -q -s 21 -n 0.1 --trace trace --test rows rows other
same 'a trace: the test error is that of predict' 0 "$(tail -n 1 trace | sed 's/.*,//')"
awk '{ print NR % 3 }' rows >weights
awk 'NR % 3 { print } NR % 3 == 2 { print }' rows >repeated
succeeds 'weights' train -q -s 21 -g 1e-9 -W weights rows other
succeeds 'repeated rows' train -q -s 21 -g 1e-9 repeated again
same 'weights are repeated rows' 1 "$(echo "$(record other primal) $(record again primal)" |
    awk '{ print ($1 / $2 < 1 + 3e-9 && $2 / $1 < 1 + 3e-9) }')"

# ---- What is ignored, as in LIBLINEAR --------------------------------

sed 's/^[^ ]*/7/' rows >others
succeeds 'other labels' train -q -s 21 -n 0.1 others other
same_file 'other labels: the model' model other
succeeds '-c' train -q -s 21 -n 0.1 -c 100 rows other
same_file '-c: the model' model other
succeeds '-B -1' train -q -s 21 -n 0.1 -B -1 rows other
same_file '-B -1: the model' model other
run train -s 21 -n 0.1 -w1 100 rows other
same_file '-w1: the model' model other
same_text '-w1: the warning' "$ERR" \
    'train: warning: a one-class SVM has no classes: their weights are ignored'

# ---- A start -------------------------------------------------------------------

# 10 rows of 30 features in the thousands. Margins have no unit, so the first mu must not depend on the scale.
awk 'BEGIN { x = 7; for (i = 0; i < 10; i++) { printf "1"; for (j = 1; j <= 30; j++) {
    x = (x * 16807) % 2147483647; printf " %d:%d", j, x / 2147483647 * 3400 - 1500 } print "" } }' >large
succeeds 'large values' train -q -s 21 -n 0.1 large large.model
succeeds 'from the model of them' train -q -s 21 -n 0.1 --initial-model large.model large other
same 'from the model of them: both certified' 'certified certified' \
    "$(record large.model outcome) $(record other outcome)"
same 'from the model of them: no more steps' '1' \
    "$(($(record other iterations) <= $(record large.model iterations)))"

# ---- Degenerate data ---------------------------------------------------------

printf '%s\n' '1 1:1' '1 1:-1' '1 2:1' '1 2:-1' >around
succeeds 'rows on all sides of 0' train -s 21 around other
same 'rows on all sides of 0: certified, and 0' 'certified 0 0' \
    "$(record other outcome) $(sed -n 's/^rho //p' other) $(sed '1,/^w/d; /^#/d' other | sort -u | tr -d ' ')"
printf '%s\n' 1 1 1 >empty
succeeds 'rows without features' train -q -s 21 empty other
same 'rows without features: certified' certified "$(record other outcome)"
printf '%s\n' '1 1:2' >single
succeeds 'a single row' train -q -s 21 -n 0.25 single other
same 'a single row: w and rho' '0.5 1' "$(sed '1,/^w/d; /^#/d' other | tr -d ' ') $(sed -n 's/^rho //p' other)"

# ---- Refusals ----------------------------------------------------------------

usage="
Try 'train --help'."
for value in 0 -1 nan x ''; do
    refuses "-n $value" 2 "train: -n: '$value' is not a positive finite number$usage" train -s 21 -n "$value" rows
done
refuses '-n 1.5' 2 "train: -n: NU is at most 1; the number of threads is -j$usage" train -s 21 -n 1.5 rows
refuses '-n 1e-101' 2 "train: nu: not between 1e-100 and 1$usage" train -s 21 -n 1e-101 rows
run train -n 0.25 -p 0.3 "$CANCER" one
same_text '-n and -p of another solver are ignored' "$ERR" \
    'train: warning: -p is ignored: it has no meaning for --solver dcd-l2
train: warning: -n is ignored: it has no meaning for --solver dcd-l2'
"$BIN/train" -q "$CANCER" other
same_file '-n and -p of another solver: the model' other one
for option in '-B 1' '-B 0' '-B 1 -R' -C '-l 1' --balanced '-b 1'; do
    name=${option%% *}
    case $option in *-R) name=-R ;; esac
    # shellcheck disable=SC2086 # an option and its value
    refuses "$option" 2 "train: $name has no meaning for --solver one-class$usage" \
        train -s 21 $option rows
done
sed 's/^rho.*/rho inf/' model >infinite
refuses 'an infinite rho' 1 "infinite:5:5: rho 'inf' is not a finite number" predict rows infinite other
