# crammer.sh - Crammer and Singer's problem, -s 4: LIBLINEAR's, with a certificate.
# shellcheck shell=sh

awk 'NR % 4 == 1' "$DIGITS" >digits
awk 'NR % 4 == 3' "$DIGITS" >rows_left
awk 'NR % 3' "$CANCER" >cancer

# ---- A training ----------------------------------------------------------

run train -s 4 -c 10 --alpha alpha digits model
same 'ten classes' 0 "$STATUS"
matches 'ten classes: one result' "$OUT" "
optimization finished, #iter = [0-9]+
Objective value = -$SHORT
nSV = [0-9]+
Primal value = $SHORT
Relative duality gap = $SHORT \\(certified <= 0.001\\)
Method = dcd \\([0-9]+ passes\\) \\+ pnewton \\([0-9]+ steps?\\)

450 rows, 64 features, [0-9]+ non-zeros, 10 classes
C = 10, lambda = 0.000222222
read $SHORT s, train $SHORT s, write $SHORT s
next: .*"
same 'ten classes: its name, and LIBLINEAR'"'"'s' 'crammer-singer solver_type MCSVM_CS' \
    "$(record model solver) $(head -n 1 model)"
succeeds 'by name' train -q -s crammer-singer -c 10 digits other
same_file 'by name: the model' model other

# Computes P = |W|^2 / 2 + C sum max (1(m != y) + z_m - z_y) and D = |V|^2 / 2 + sum_(m != y) alpha, with
# V = sum x alpha', from the files alone.
awk -v C=10 '
    FILENAME == ARGV[1] && $1 == "label" { for (c = 2; c <= NF; c++) label[c - 1] = $c; next }
    FILENAME == ARGV[1] && $2 == "dual" { recorded = $3; next }
    FILENAME == ARGV[1] && $2 == "primal" { primal_recorded = $3; next }
    FILENAME == ARGV[1] && $1 == "w" { reading = 1; next }
    FILENAME == ARGV[1] && reading && !/^#/ {
        line++
        for (c = 1; c <= NF; c++) { w[line, c] = $c; primal += $c ^ 2 / 2 }
        next
    }
    FILENAME == ARGV[1] { next }
    FILENAME == ARGV[2] { for (c = 1; c <= NF; c++) a[FNR, c] = $c; columns = NF; next }
    {
        sum = top = own = 0
        for (c = 1; c <= columns; c++) {
            z[c] = $1 == label[c] ? 0 : 1
            for (k = 2; k <= NF; k++) {
                split($k, e, ":")
                z[c] += e[2] * w[e[1], c]
                v[e[1], c] += e[2] * a[FNR, c]
            }
            if ($1 == label[c]) own = z[c]
            if ($1 == label[c] ? a[FNR, c] < 0 || a[FNR, c] > C : a[FNR, c] > 0) print "alpha " a[FNR, c]
            if ($1 != label[c]) dual += a[FNR, c]
            sum += a[FNR, c]
        }
        for (c = 1; c <= columns; c++) top = z[c] - own > top ? z[c] - own : top
        primal += C * top
        if (sum > 1e-13 || sum < -1e-13) print "row " FNR ": sum " sum
    }
    END {
        for (k in v) dual += v[k] ^ 2 / 2
        if (dual - recorded > 1e-8 || recorded - dual > 1e-8 || columns != 10)
            print "dual " dual ", recorded " recorded
        if (primal - primal_recorded > 1e-8 || primal_recorded - primal > 1e-8)
            print "primal " primal ", recorded " primal_recorded
        if (primal + dual > 0.001 * primal) print "gap " (primal + dual) / primal
    }' model alpha digits >wrong
same_text 'model and alpha prove the values' wrong ''

# ---- Rules ---------------------------------------------------------------

run train --plain -s 4 digits other
same 'passes alone: certified' "certified 1" "$(record other outcome) $(grep -c 'Method = dcd ([0-9]* passes)$' "$OUT")"
succeeds 'the rule of -e' train -q -s 4 -e 0.1 digits other
same 'the rule of -e: the outcome' tolerance "$(record other outcome)"
run train -q -s 4 -i 2 digits other
same 'a limit of passes' '0 2 pass-limit' "$STATUS $(record other iterations) $(record other outcome)"
refuses 'a free bias' 2 "train: -R has no meaning for --solver crammer-singer
Try 'train --help'." train -s 4 -B 1 -R digits other
succeeds 'another seed' train -q --plain -s 4 --seed 2 digits other
succeeds 'the first seed' train -q --plain -s 4 digits again
same 'another seed: another order' 1 "$(cmp -s other again; echo $?)"

# ---- Predictions ---------------------------------------------------------

succeeds 'labels' predict rows_left model labels
accuracy=$(sed -n 's/.*(\(.*\))/\1/p' "$OUT")
if command -v liblinear-predict >/dev/null 2>&1; then
    liblinear-predict rows_left model theirs >/dev/null
    same_file 'labels of liblinear-predict' theirs labels
    liblinear-train -q -s 4 digits theirs_model >/dev/null
    liblinear-predict rows_left theirs_model theirs >/dev/null
    succeeds "a model of LIBLINEAR's" predict -q rows_left theirs_model other
    same_file "labels of LIBLINEAR's model" theirs other
    succeeds 'the same header' train -q -s 4 digits other
    same 'the same header' "$(sed '/^w/q' theirs_model)" "$(sed '/^w/q' other)"
else
    skips 'labels of liblinear-predict' 'it is not installed (Debian: liblinear-tools)'
fi
refuses 'probabilities' 2 \
    "predict: -b 1: the model is MCSVM_CS and has no probabilities; train it with -b 1
Try 'predict --help'." predict -b 1 rows_left model other
run train -s 4 -b 1 digits other # a slow machine shows progress
same 'a model with probabilities: a sigmoid for each class' '0 10 class 10 of 10 (label 9)' \
    "$STATUS $(grep -c '^Probability = ' "$OUT") $(sed -n 's|^Probability = .*, class 10|class 10|p' "$OUT")"
succeeds 'its probabilities' predict -b 1 rows_left other probabilities
same 'its probabilities: most labels are right' 1 "$(sed -n 's/.*= \(.*\)%.*/\1/p' "$OUT" | awk '{ print ($1 > 90) }')"
same 'its probabilities add up to 1' 0 "$(awk 'NR > 1 {
    sum = 0; for (c = 2; c <= NF; c++) sum += $c; if (sum > 1.0001 || sum < 0.9999) wrong++ }
    END { print wrong + 0 }' probabilities)"

# ---- Two classes are the L1-loss at twice the C -----------------------------

succeeds 'two classes' train -q -s 4 -g 1e-8 -B 1 cancer two
awk '/^#/ { next } reading && $1 + $2 != 0 { print } $1 == "w" { reading = 1 }' two >wrong
same_text 'two classes: opposite columns' wrong ''
succeeds 'the L1-loss' train -q -s 3 -c 2 -g 1e-8 -B 1 cancer one
same 'two classes: half the objective' 1 "$(echo "$(record two primal) $(record one primal)" |
    awk '{ far = 2 * $1 / $2 - 1; print (far < 3e-8 && far > -3e-8) }')"
succeeds 'two classes: labels' predict -q cancer two ours
succeeds 'the L1-loss: labels' predict -q cancer one theirs
same_file 'two classes: labels as of the L1-loss' theirs ours
succeeds 'two classes with probabilities' train -q -s 4 -b 1 -B 1 cancer other
succeeds 'two classes: probabilities' predict -q -b 1 cancer other probabilities
same 'two classes: probabilities on the side of the label' 1 "$(cut -d ' ' -f 1 probabilities |
    tail -n +2 | paste -d ' ' - ours | awk '{ right += $1 == $2 } END { print (right > 0.97 * NR) }')"

# ---- Starts, folds, search, trace ------------------------------------------

run train -s 4 -c 1 --initial-model model digits again
same "a start: Newton's method first" '1 certified' \
    "$(grep -c 'Method = pnewton ([0-9]* steps)' "$OUT") $(record again outcome)"
succeeds 'a start from the L1-loss' train -q -s 4 -B 1 --initial-model one cancer again
same 'a start from the L1-loss: few steps' 'certified 1' "$(record again outcome) $(($(record again iterations) < 30))"
run train -s 4 -v 3 digits
same 'folds: certified' '0 Certified = 3 of 3 trainings' \
    "$STATUS $(sed -n 's/ (largest.*//; /^Certified/p' "$OUT")"
same 'folds: accuracy' 1 "$(sed -n 's/^Cross Validation Accuracy = \(.*\)%$/\1/p' "$OUT" |
    awk '{ print ($1 > 90 && $1 < 100) }')"
run train -s 4 -C -v 2 --c-range -4:4:4 --path path digits
same 'search: certified' '0 Certified = 6 of 6 trainings' \
    "$STATUS $(sed -n 's/ (largest.*//; /^Certified/p' "$OUT")"
same 'search: the path' 4 "$(wc -l <path | tr -d ' ')"
succeeds 'a trace' train -q -s 4 -c 10 --trace trace --test rows_left digits other
same 'a trace: the test error is that of predict' "$(echo "$accuracy" |
    awk -F / '{ printf "%.17g", ($2 - $1) / $2 }')" "$(tail -n 1 trace | sed 's/.*,//')"

# ---- Weights -----------------------------------------------------------------

awk '{ print NR % 3 }' digits >weights
awk 'NR % 3 { print } NR % 3 == 2 { print }' digits >repeated
succeeds 'weights' train -q -s 4 -g 1e-7 -W weights digits other
succeeds 'repeated rows' train -q -s 4 -g 1e-7 repeated again
same 'weights are repeated rows' 1 "$(echo "$(record other primal) $(record again primal)" |
    awk '{ print ($1 - $2 < 3e-7 * $1 && $2 - $1 < 3e-7 * $1) }')"
awk '$1 == 3 { print 2; next } { print 1 }' digits >weights
succeeds 'a class weight' train -q -s 4 -g 1e-7 -w3 2 digits other
succeeds 'a class weight by rows' train -q -s 4 -g 1e-7 -W weights digits again
same 'a class weight is that of its rows' 1 "$(echo "$(record other primal) $(record again primal)" |
    awk '{ print ($1 - $2 < 3e-7 * $1 && $2 - $1 < 3e-7 * $1) }')"
