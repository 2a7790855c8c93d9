# softmax.sh - multinomial logistic regression: one problem for all classes, its models and options.
# shellcheck shell=sh

awk 'NR % 4 == 1' "$DIGITS" >digits
awk 'NR % 4 == 3' "$DIGITS" >rows_left
awk 'NR % 3' "$CANCER" >cancer

# ---- A training ----------------------------------------------------------

succeeds 'ten classes' train -s softmax --alpha alpha digits model
matches 'ten classes: one result' "$OUT" "
optimization finished, #iter = [0-9]+
Objective value = -$SHORT
nSV = 450
Primal value = $SHORT
Relative duality gap = $SHORT \\(certified <= 0.001\\)
Method = newton \\([0-9]+ steps?\\)

450 rows, 64 features, [0-9]+ non-zeros, 10 classes
C = 1, lambda = 0.00222222
read $SHORT s, train $SHORT s, write $SHORT s
next: .*"
same 'ten classes: its name, and that for LIBLINEAR' 'softmax solver_type MCSVM_CS' \
    "$(record model solver) $(head -n 1 model)"
succeeds 'by number' train -q -s 62 digits other
same_file 'by number: the model' model other

# Computes D(alpha) = |V|^2 / 2 + C sum p ln p, with V = sum x alpha', from the files alone.
awk '
    FILENAME == ARGV[1] && $1 == "label" { for (c = 2; c <= NF; c++) label[c - 1] = $c; next }
    FILENAME == ARGV[1] && $2 == "dual" { recorded = $3; next }
    FILENAME == ARGV[1] { next }
    FILENAME == ARGV[2] { for (c = 1; c <= NF; c++) a[FNR, c] = $c; columns = NF; next }
    {
        sum = 0
        for (c = 1; c <= columns; c++) {
            p = ($1 == label[c]) - a[FNR, c]
            sum += a[FNR, c]
            if (p < 0 || p > 1) print "a share of " p
            if (p > 0) dual += p * log(p)
            for (k = 2; k <= NF; k++) { split($k, e, ":"); v[e[1], c] += e[2] * a[FNR, c] }
        }
        if (sum > 1e-14 || sum < -1e-14) print "row " FNR ": sum " sum
    }
    END {
        for (k in v) dual += v[k] ^ 2 / 2
        if (dual - recorded > 1e-8 || recorded - dual > 1e-8 || columns != 10)
            print "dual " dual ", recorded " recorded
    }' model alpha digits >wrong
same_text 'alpha proves the dual value' wrong ''

# ---- Predictions ---------------------------------------------------------

succeeds 'labels' predict rows_left model labels
accuracy=$(sed -n 's/.*(\(.*\))/\1/p' "$OUT")
if command -v liblinear-predict >/dev/null 2>&1; then
    liblinear-predict rows_left model theirs >/dev/null
    same_file 'labels of liblinear-predict' theirs labels
else
    skips 'labels of liblinear-predict' 'it is not installed (Debian: liblinear-tools)'
fi
succeeds 'decision values' predict -q --decision rows_left model decisions
succeeds 'probabilities' predict -q -b 1 rows_left model probabilities
awk '
    FILENAME == ARGV[1] && FNR == 1 { for (c = 2; c <= NF; c++) label[c - 1] = $c; next }
    FILENAME == ARGV[1] { for (c = 1; c <= NF; c++) p[FNR - 1, c] = $c; rows = FNR - 1; next }
    {
        total = best = 0
        for (c = 1; c <= NF; c++) { total += exp($c); best = best && $best >= $c ? best : c }
        for (c = 1; c <= NF; c++) {
            far = exp($c) / total - p[FNR, c + 1]
            if (far > 1e-5 || far < -1e-5) print "row " FNR ": " p[FNR, c + 1]
        }
        if (p[FNR, 1] != label[best]) print "row " FNR ": label " p[FNR, 1]
    }
    END { if (rows != FNR) print rows " rows of " FNR }' probabilities decisions >wrong
same_text 'probabilities are the softmax of decision values' wrong ''
cut -d ' ' -f 1 probabilities | tail -n +2 >other
same_file 'probabilities: the labels' labels other
printf '%s\n' 'solver_type MCSVM_CS' 'nr_class 2' 'label 5 7' 'nr_feature 1' 'bias -1' w '300 -300' \
    '# solver softmax' >far
printf '%s\n' '5 1:1' '7 1:-1' '7' >rows
succeeds 'probabilities do not overflow' predict -q -b 1 rows far -
same_text 'probabilities do not overflow: output' "$OUT" 'labels 5 7
5 1 2.6504e-261
7 2.6504e-261 1
7 0.5 0.5'
sed 's/^# solver softmax/# solver dcd-l2/' model >svm
refuses 'probabilities of another model' 2 \
    "predict: -b 1: the model is MCSVM_CS and has no probabilities; train it with -b 1
Try 'predict --help'." predict -b 1 rows_left svm other

# ---- Two classes are logistic regression at twice the C --------------------

succeeds 'two classes' train -s softmax -g 1e-8 -B 1 cancer two
awk '/^#/ { next } reading && $1 + $2 != 0 { print } $1 == "w" { reading = 1 }' two >wrong
same_text 'two classes: opposite columns' wrong ''
succeeds 'logistic regression' train -s 0 -c 2 -g 1e-8 -B 1 cancer one
succeeds 'two classes: probabilities' predict -q -b 1 cancer two ours
succeeds 'logistic regression: probabilities' predict -q -b 1 cancer one theirs
same 'two classes: labels' "$(cut -d ' ' -f 1 theirs)" "$(cut -d ' ' -f 1 ours)"
same 'two classes: probabilities as of logistic regression' 0 "$(paste -d ' ' ours theirs | awk '
    NR > 1 { far = $2 - $5; if (far > 1e-3 || far < -1e-3) wrong++ } END { print wrong + 0 }')"

# ---- Starts, folds, search, trace ------------------------------------------

succeeds 'a start' train -s softmax --initial-model model digits again
same 'a start: nothing to do' 0 "$(record again iterations)"
succeeds 'a start from logistic regression' train -s softmax -c 1 -B 1 --initial-model one cancer again
same 'a start from logistic regression: few steps' certified "$(record again outcome)"
refuses 'a start from another number of classes' 2 \
    "train: the initial model has no class -1: new classes need a training without it
Try 'train --help'." train -s softmax --initial-model model cancer other
succeeds 'folds' train -s softmax -v 3 digits
same 'folds: certified' 'Certified = 3 of 3 trainings' "$(sed -n 's/ (largest.*//; /^Certified/p' "$OUT")"
same 'folds: accuracy' 1 "$(sed -n 's/^Cross Validation Accuracy = \(.*\)%$/\1/p' "$OUT" |
    awk '{ print ($1 > 90 && $1 < 100) }')"
run train -s softmax -C -v 2 --c-range -4:4:4 --path path digits
same 'search: certified' '0 Certified = 6 of 6 trainings' \
    "$STATUS $(sed -n 's/ (largest.*//; /^Certified/p' "$OUT")"
same 'search: the path' 4 "$(wc -l <path | tr -d ' ')"
succeeds 'a trace' train -q -s softmax --trace trace --test rows_left digits other
same 'a trace: the test error is that of predict' "$(echo "$accuracy" |
    awk -F / '{ printf "%.17g", ($2 - $1) / $2 }')" "$(tail -n 1 trace | sed 's/.*,//')"

# ---- A path --------------------------------------------------------------------

# Features are up to 100,000. The optimum is near the weights of the previous C. It is far from the weights of its dual
# point, multiplied by the ratio of both C.
awk 'BEGIN { x = 3; for (i = 0; i < 60; i++) { printf "%d", i % 3; for (j = 1; j <= 20; j++) {
    x = (x * 16807) % 2147483647; printf " %d:%d", j, x / 2147483647 * 200000 - 100000 } print "" } }' >large
succeeds 'a path of large features' train -q -C -s softmax --c-range -2:4 --path path.csv large
same 'a path of large features: few steps' 1 \
    "$(sed 1d path.csv | awk -F , '{ most = $8 > most ? $8 : most } END { print (most <= 10) }')"

# ---- Weights, and a stop -----------------------------------------------------

awk '{ print NR % 3 }' digits >weights
awk 'NR % 3 { print } NR % 3 == 2 { print }' digits >repeated
succeeds 'weights' train -q -s softmax -g 1e-9 -W weights digits other
succeeds 'repeated rows' train -q -s softmax -g 1e-9 repeated again
same 'weights are repeated rows' 1 "$(echo "$(record other primal) $(record again primal)" |
    awk '{ print ($1 - $2 < 3e-9 * $1 && $2 - $1 < 3e-9 * $1) }')"
run train -s softmax -i 2 digits other
same 'a limit of steps' '0 2 pass-limit' "$STATUS $(record other iterations) $(record other outcome)"
matches 'a limit of steps: the warning' "$ERR" "$(warns '' 0.001 'stopped by the limit of passes')"
