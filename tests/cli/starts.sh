# starts.sh - dual variables written with a model, and trainings that start from a model.
# shellcheck shell=sh

awk 'NR % 8 == 3' "$DIGITS" >digits
awk 'NR % 3' "$CANCER" >cancer
rows() {
    wc -l <"$1" | tr -d ' '
}

# ---- --alpha -----------------------------------------------------------

# dual_holds NAME DATA LOSS WEIGHTS: each column of the file "alpha" is a feasible point of the dual for LOSS: the hinge
# (1), its square (2) or the logistic loss (0). Its value and its weights are those of "model", its number of support
# vectors is the printed one. WEIGHTS has the C of each row.
dual_holds() {
    sed -n 's/^nSV = //p' "$OUT" | tr '\n' ' ' >vectors
    awk -v loss="$3" -v vectors="$(cat vectors)" '
        FILENAME == ARGV[1] && $1 == "label" { classes = NF - 1
            for (c = 2; c <= NF; c++) label[c - 1] = $c; next }
        FILENAME == ARGV[1] && $1 == "nr_feature" { features = $2; next }
        FILENAME == ARGV[1] && $1 == "bias" { bias = $2; next }
        FILENAME == ARGV[1] && $1 == "w" { reading = 1; next }
        FILENAME == ARGV[1] && $2 == "solver" { free = $3 == "smo" }
        FILENAME == ARGV[1] && $2 == "free_bias" { free = 1 } # a free bias is no feature
        FILENAME == ARGV[1] && $1 == "#" { for (c = 3; c <= NF; c++) record[$2, c - 2] = $c; next }
        FILENAME == ARGV[1] && reading { n++; columns = NF
            for (c = 1; c <= NF; c++) w[n, c] = $c; next }
        FILENAME == ARGV[1] { next }
        FILENAME == ARGV[2] { C[FNR] = $1; next }
        FILENAME == ARGV[3] { rows = FNR
            if (NF != columns) complain("columns in row " FNR)
            for (c = 1; c <= NF; c++) alpha[FNR, c] = $c; next }
        {
            for (c = 1; c <= columns; c++) {
                a = alpha[FNR, c]
                if (a == 0) continue
                if (a < 0 || a + 0 != a) complain("alpha " a)
                if (loss < 2 && a > C[FNR] * (1 + 1e-12)) complain("alpha " a " above " C[FNR])
                if (C[FNR] == 0) complain("alpha " a " of a row that weighs 0")
                support[c]++
                if (loss > 0) sum[c] += a
                else sum[c] -= a * log(a / C[FNR])
                if (loss == 0 && a < C[FNR]) sum[c] -= (C[FNR] - a) * log(1 - a / C[FNR])
                if (loss == 2) square[c] += a * a / (2 * C[FNR])
                y = $1 == label[c] ? a : -a
                for (k = 2; k <= NF; k++) { split($k, p, ":"); v[p[1] + 0, c] += y * p[2] }
                if (bias >= 0) v[features + 1, c] += y * bias
            }
            read = FNR
        }
        function complain(what) { if (!bad++) print what }
        function far(a, b) { return (a > b ? a - b : b - a) > 1e-6 * (1 + (a > 0 ? a : -a)) }
        END {
            split(vectors, said, " ")
            if (rows != read || rows == 0) complain(rows " rows for " read)
            for (c = 1; c <= columns; c++) {
                norm = 0
                for (k = 1; k <= n; k++) norm += v[k, c] * v[k, c]
                if (free && norm + v[n, c] ^ 2 != norm + 0) complain("sum of y alpha: " v[n, c])
                dual = norm / 2 + square[c] / 2 - sum[c]
                if (far(dual, record["dual", c]))
                    complain("dual value " dual ", recorded " record["dual", c])
                if (support[c] != said[c]) complain(support[c] " vectors, said " said[c])
                for (k = 1; k <= n - free; k++)
                    if (bad < 3 && (v[k, c] - w[k, c]) ^ 2 > 1e-8) # the gap bounds this difference
                        complain("weight " k ": " w[k, c] ", of alpha " v[k, c])
            }
        }' model "$4" alpha "$2" >wrong
    same_text "alpha: $1" wrong ''
}

# each_weighs DATA AWK: writes the C of each row, computed by AWK, into the file "costs".
each_weighs() {
    awk "{ print $2 }" "$1" >costs
}

for solver in 1 3 newton-l2 lr-newton lr-dcd ipm pnewton smo; do
    case $solver in 1 | newton-l2) loss=2 ;; lr-*) loss=0 ;; *) loss=1 ;; esac
    case $solver in smo) bias=-1 ;; *) bias=1 ;; esac
    for data in cancer digits; do
        each_weighs "$data" 0.5
        succeeds "-s $solver $data" train -s "$solver" -g 1e-10 -c 0.5 --alpha alpha "$data" model
        dual_holds "-s $solver, $data" "$data" "$loss" costs
    done
    # shellcheck disable=SC2016 # awk's
    each_weighs cancer '($1 > 0 ? 3 : 0.25) * 2'
    succeeds "-s $solver -w" train -s "$solver" -g 1e-10 -c 2 -w1 3 -w-1 0.25 -B $bias --alpha alpha \
        cancer model
    dual_holds "-s $solver, weights of classes" cancer "$loss" costs
    awk '{ print NR % 4 / 2 }' cancer >weights
    each_weighs cancer 'NR % 4 / 2'
    succeeds "-s $solver -W" train -s "$solver" -g 1e-10 -W weights --alpha alpha cancer model
    dual_holds "-s $solver, weights of rows" cancer "$loss" costs
done
for solver in 1 3 newton-l2 ipm pnewton; do
    case $solver in 1 | newton-l2) loss=2 ;; *) loss=1 ;; esac
    for data in cancer digits; do
        each_weighs "$data" 0.5
        succeeds "-s $solver -R $data" train -s "$solver" -B 1 -R -g 1e-10 -c 0.5 --alpha alpha \
            "$data" model
        dual_holds "-s $solver -R, $data" "$data" "$loss" costs
    done
    # shellcheck disable=SC2016 # awk's
    each_weighs cancer '($1 > 0 ? 3 : 0.25) * (NR % 4)'
    awk '{ print NR % 4 }' cancer >weights
    succeeds "-s $solver -R -w -W" train -s "$solver" -g 1e-10 -w1 3 -w-1 0.25 -W weights -B 1 -R \
        --alpha alpha cancer model
    dual_holds "-s $solver -R, weights" cancer "$loss" costs
done
awk -v rows="$(rows cancer)" '{ n[$1]++; label[NR] = $1 }
    END { for (i = 1; i <= NR; i++) printf "%.17g\n", rows / 2 / n[label[i]] }' cancer >costs
succeeds '--balanced' train -s 3 -g 1e-10 --balanced --alpha alpha cancer model
dual_holds '--balanced' cancer 1 costs
each_weighs cancer 4
succeeds '--plain' train -s 3 -c 4 -g 1e-6 --plain --alpha alpha cancer model
dual_holds '--plain, coordinate descent alone' cancer 1 costs
succeeds '-C --refit' train -C --c-range 2:2 -s 3 -g 1e-6 --refit --alpha alpha cancer model
dual_holds '-C --refit, the C found' cancer 1 costs
"$BIN/train" -q -s 3 -c 4 -g 1e-6 --alpha other cancer trained
same_file '-C --refit: alpha of the model' other alpha
same_file '-C --refit: the model' trained model
succeeds 'with and without --alpha' train -q -s 3 -c 4 -g 1e-6 cancer model
same_file 'with and without --alpha: the model' trained model
# After two passes alpha is not optimal, but feasible, and the gap is computed from it.
run train -s 3 -c 4 -i 2 --alpha alpha cancer model
same '-i 2' pass-limit "$(record model outcome)"
dual_holds 'two passes' cancer 1 costs

rm -f model
refuses 'alpha into a missing folder, before any work' 3 \
    'train: cannot write absent/a: No such file or directory' train --alpha absent/a cancer model
echo old >alpha
echo old >model
refuses 'alpha, the model into a missing folder' 3 \
    'train: cannot write absent/m: No such file or directory' train --alpha alpha cancer absent/m
printf '1 1:1\n2 1:x\n' >bad
refuses 'alpha of bad rows: the old one stays' 1 "bad:2:5: value 'x' is not a number" \
    train --alpha alpha bad model

# ---- --initial-model ---------------------------------------------------

# its_steps: the number of Newton steps of each problem in the last run.
its_steps() {
    sed -n 's/^Method = newton (\([0-9]*\) step.*/\1/p' "$OUT" | tr '\n' ' '
}
# A training may end with the dual point of an earlier step, so the gap that is computed from its w alone may be
# larger. Therefore the first model is more exact than the next one has to be.
for data in cancer digits; do
    succeeds "$data, from nothing" train -s newton-l2 -g 1e-8 "$data" first
    differ "$data, from nothing: steps" '' "$(its_steps | tr -d '0 ')"
    succeeds "$data, from its own model" train -s newton-l2 -g 1e-6 --initial-model first "$data" \
        next
    same "$data, from its own model: no step" '' "$(its_steps | tr -d '0 ')"
    same "$data, from its own model: the weights" "$(weights first)" "$(weights next)"
done
succeeds 'ten classes, no step in any' train -s newton-l2 -g 1e-6 --initial-model first digits next
same 'ten classes, no step in any' '0 0 0 0 0 0 0 0 0 0 ' "$(its_steps)"

for solver in lr-newton newton-l2; do
    "$BIN/train" -q -s "$solver" -g 1e-6 cancer first
    "$BIN/train" -q -s "$solver" -g 1e-6 -c 1.1 cancer cold
    succeeds "$solver from the model of another C" train -s "$solver" -g 1e-6 -c 1.1 \
        --initial-model first cancer next
    holds "$solver from the model of another C: the same optimum" \
        awk -v a="$(record cold primal)" -v b="$(record next primal)" \
        'BEGIN { exit !((a - b) / a < 2e-6 && (b - a) / a < 2e-6) }'
    holds "$solver from the model of another C: not more steps" \
        test "$(record next iterations)" -le "$(record cold iterations)"
done
weights first >bare
succeeds 'from a model without a record' train -s newton-l2 -g 1e-6 --initial-model bare cancer next
same 'from a model without a record: no step' '0 ' "$(its_steps)"
"$BIN/train" -s newton-l2 -g 1e-6 --initial-model - cancer other <first >"$OUT"
same 'from standard input: no step' '0 ' "$(its_steps)"

# If the data have their classes in another order, or other features, labels and indices assign the weights.
tac_rows() {
    awk '{ row[NR] = $0 } END { for (i = NR; i > 0; i--) print row[i] }' "$1"
}
for data in cancer digits; do
    sed 's/^[+]1/3/; s/^-1/4/' "$data" >relabelled
    tac_rows relabelled >reversed
    "$BIN/train" -q -s newton-l2 -g 1e-8 relabelled first
    succeeds "$data reversed" train -s newton-l2 -g 1e-6 --initial-model first reversed next
    differ "$data reversed: the classes" "$(sed -n 3p first)" "$(sed -n 3p next)"
    same "$data reversed: no step" '' "$(its_steps | tr -d '0 ')"
done
"$BIN/train" -q -s newton-l2 -B 1 -g 1e-6 cancer first
sed 's/$/ 40:0/' cancer >wide
succeeds 'features that the model does not know' train -s newton-l2 -B 1 -g 1e-6 \
    --initial-model first wide next
same 'features that the model does not know: no step, the bias last' '0 ' "$(its_steps)"
succeeds 'features that the data do not have' train -s newton-l2 -B 1 -g 1e-6 \
    --initial-model next cancer other
same 'features that the data do not have: no step, the bias last' '0 ' "$(its_steps)"

# Indices from 0, as the initial model says, in the data and in the rows of --test.
awk '{ for (k = 2; k <= NF; k++) { split($k, p, ":"); $k = p[1] - 1 ":" p[2] } print }' \
    cancer >from0
refuses 'indices from 0 after a model from 1' 2 "train: --zero-based: the features of first count from 1, and a start \
needs the same
Try 'train --help'." train --zero-based -B 1 --initial-model first from0 next
"$BIN/train" -q -s newton-l2 --zero-based from0 zero.first
"$BIN/train" -q -s newton-l2 cancer first
succeeds 'indices from 1: test error' train -q -s newton-l2 --initial-model first --trace ones \
    --test cancer cancer next
succeeds 'indices from 0: test error' train -q -s newton-l2 --initial-model zero.first --trace zeros \
    --test from0 from0 next
same 'indices from 0: the test error is the same' "$(cut -d, -f 9 ones)" "$(cut -d, -f 9 zeros)"
same 'the test error is that of predict' "$("$BIN/predict" cancer first labels |
    awk -F '[(/)]' '{ printf "%.17g", ($3 - $2) / $3 }')" "$(tail -n 1 ones | cut -d, -f 9)"

# If the rows lack some of the model's classes, they train as with one more row of weight 0 in each class.
# part_of NAME DATA CLASSES ARGUMENT...: CLASSES is awk's condition for the rows of the day.
part_of() {
    name=$1 data=$2 classes=$3
    shift 3
    succeeds "$name: a model of all classes" train -q "$@" "$data" first
    awk '!seen[$1]++ { print > "beside"; print 0 > "weights" }' "$data"
    awk "$classes"' { print > "day"; print >> "beside"; print 1 >> "weights" }' "$data"
    succeeds "$name" train -q "$@" --initial-model first day next
    "$BIN/train" -q "$@" --initial-model first -W weights beside other
    same "$name: the model's classes" "$(sed -n '/^label/p' first)" "$(sed -n '/^label/p' next)"
    holds "$name: the primal values" awk -v a="$(record next primal)" -v b="$(record other primal)" 'BEGIN {
        exit !(split(a, x) == split(b, y) && x[1] > 0)
        for (k in x) if ((x[k] - y[k]) ^ 2 > 1e-14 * x[k] ^ 2) exit 1 }'
}
awk '{ $1 = NR % 3 + 4; print }' cancer >three
awk '{ $1 = $1 < 0 ? 7 : 5; print }' cancer >two
for solver in 0 2 3 4 5 6 7 11 12 13 42 61 62; do
    l1=
    [ "$solver" != 42 ] || l1='--l1 0.01'
    # shellcheck disable=SC2086,SC2016 # words; a condition of awk
    part_of "one of two classes, -s $solver" two '$1 == 7' -s "$solver" $l1 -g 1e-8
    # shellcheck disable=SC2086,SC2016 # words; a condition of awk
    part_of "two of three classes, -s $solver" three '$1 != 5' -s "$solver" $l1 -g 1e-8
done
for solver in pegasos sgd sgd-w sgd-suffix comid hrmd-w; do
    for data in two three; do
        awk '$1 == 5' "$data" >day
        "$BIN/train" -q -s "$solver" "$data" first
        succeeds "one class of $data, -s $solver" train -q -s "$solver" --epochs 1 --initial-model first day next
        same "one class of $data, -s $solver: the model's classes" "$(sed -n '/^label/p' first)" \
            "$(sed -n '/^label/p' next)"
        differ "one class of $data, -s $solver: the weights" "$(weights first)" "$(weights next)"
    done
done
refuses 'one class without a model' 1 'day:1:1: all rows have the label 5: a classifier needs two classes' \
    train -s sgd-w day next

# refuses_start REASON MODEL ARGUMENT...: a usage error once the model and the data are known.
refuses_start() {
    reason=$1 start=$2
    shift 2
    refuses "start: $reason" 2 "train: $reason
Try 'train --help'." train --initial-model "$start" "$@" new
}
"$BIN/train" -q cancer plain
"$BIN/train" -q -B 1 cancer biased
"$BIN/train" -q digits ten
sed 's/^[+]1/2/' cancer >others
unknown=': new classes need a training without it'
for solver in newton-l2 lr-newton sgd; do
    refuses_start 'the initial model has the bias -1, not 1' plain -s "$solver" -B 1 cancer
    refuses_start 'the initial model has the bias 1, not -1' biased -s "$solver" cancer
    refuses_start 'the initial model has the bias 1, not 2' biased -s "$solver" -B 2 cancer
    refuses_start "the initial model has no class -1$unknown" ten -s "$solver" cancer
    refuses_start "the initial model has no classes 2, 0, 8, 6, ...$unknown" plain -s "$solver" digits
    refuses_start "the initial model has no class 2$unknown" plain -s "$solver" others
done
refuses 'start: no file' 3 'train: cannot open nowhere: No such file or directory' \
    train -s newton-l2 --initial-model nowhere cancer new
refuses 'start: data for a model' 1 "others:1:1: '2' is no key of a model; the file looks like data: is the order of the arguments right?" \
    train -s newton-l2 --initial-model others cancer new
: >empty
run train -s newton-l2 --initial-model empty digits new
same 'start: an empty file' 'empty:1:1: 1' "$(cut -d ' ' -f 1 "$ERR") $STATUS"
head -n 20 plain >half
run train -s newton-l2 --initial-model half digits new
same 'start: half a model' '1 half:21:1:' "$STATUS $(cut -d ' ' -f 1 "$ERR")"
holds 'start: nothing was written' test ! -e new

# A stochastic solver continues at the model, so it comes nearer to the optimum than from w = 0.
"$BIN/train" -q -s 3 -g 1e-9 cancer first
best=$(record first primal)
for solver in pegasos sgd sgd-w sgd-suffix comid hrmd-w; do
    "$BIN/train" -q -s "$solver" --epochs 1 cancer cold
    succeeds "$solver from the optimum" train -q -s "$solver" --epochs 1 --initial-model first \
        cancer warm
    holds "$solver from the optimum: nearer to it" awk -v best="$best" \
        -v cold="$(record cold primal)" -v warm="$(record warm primal)" \
        'BEGIN { exit !(warm >= best * (1 - 1e-9) && warm - best < (cold - best) / 2) }'
    "$BIN/train" -q -s "$solver" --epochs 1 --initial-model first cancer again
    same_file "$solver from the optimum: the same again" warm again
done

# The model is written first, so that it is not lost if the dual variables cannot be written.
if [ -w /dev/full ]; then
    rm -f new
    run train -q --alpha /dev/full cancer new
    same 'alpha that cannot be written' '3 train: cannot write /dev/full: No space left on device certified' \
        "$STATUS $(cat "$ERR") $(record new outcome)"
fi
