# probabilities.sh - train -b 1, predict -b 1 with its models, log loss, Brier score, --calibration.
# shellcheck shell=sh

awk 'NR % 3' "$CANCER" >cancer
awk 'NR % 3 == 0' "$CANCER" >rows
awk 'NR % 4 == 1 && $1 < 4' "$DIGITS" >digits
# One label of these rows is not a label of the model.
awk 'NR % 4 == 3 && $1 < 5' "$DIGITS" >unknown

# expect MODEL DATA: prints the file of predict -b 1, computed by awk from the decision values and the sigmoids in the
# record. Writes the same into "full", with the label of the row first and all digits.
expect() {
    "$BIN/predict" -q -d "$2" "$1" decisions
    cut -d ' ' -f 1 "$2" | sed 's/^+//' | paste -d ' ' - decisions >joined
    awk '
        FILENAME == ARGV[1] && $1 == "label" { classes = NF - 1
            for (c = 1; c <= classes; c++) label[c] = $(c + 1)
            print "labels " substr($0, 7); next }
        FILENAME == ARGV[1] && $2 == "sigmoid" { for (c = 3; c <= NF; c++) s[c - 3] = $c; next }
        FILENAME == ARGV[1] { next }
        {
            total = 0
            for (c = 1; c < NF; c++)
                total += p[c] = 1 / (1 + exp(s[2 * c - 2] * $(c + 1) + s[2 * c - 1]))
            if (NF == 2) { total = 1; p[2] = 1 / (1 + exp(-s[0] * $2 - s[1])) }
            best = 1
            for (c = 1; c <= classes; c++) { p[c] /= total; if (p[c] > p[best]) best = c }
            printf "%s", label[best]
            printf "%s %s", $1, label[best] >"full"
            for (c = 1; c <= classes; c++) {
                printf " %g", p[c]
                printf " %.17g", p[c] >"full"
            }
            print ""
            print "" >"full"
        }' "$1" joined
}

# rates MODEL: from "full", the log loss and the Brier score as train and predict print them.
rates() {
    awk '
        FILENAME == ARGV[1] && $1 == "label" { classes = NF - 1
            for (c = 1; c <= classes; c++) label[c] = $(c + 1) }
        FILENAME == ARGV[1] { next }
        {
            own = 2.220446049250313e-16; there = 0; squares = 0
            for (c = 1; c <= classes; c++) {
                if (label[c] == $1) { there = 1; if ($(c + 2) > own) own = $(c + 2) }
                squares += ($(c + 2) - (label[c] == $1)) ^ 2
            }
            loss -= log(own)
            brier += (squares + !there) / (classes == 2 ? 2 : 1)
        }
        END { printf "Log loss = %g\nBrier score = %g\n", loss / FNR, brier / FNR }' "$1" full
}

# reliability MODEL: from "full", the table of --calibration with 6 digits.
reliability() {
    awk '
        FILENAME == ARGV[1] && $1 == "label" { classes = NF - 1
            for (c = 1; c <= classes; c++) label[c] = $(c + 1) }
        FILENAME == ARGV[1] { next }
        {
            best = 1
            for (c = 2; c <= classes && classes > 2; c++) if ($(c + 2) > $(best + 2)) best = c
            k = int($(best + 2) * 10); if (k > 9) k = 9
            n[k]++; sum[k] += $(best + 2); of[k] += $1 == label[best]
        }
        END {
            print "lowest,highest,predicted,observed,rows"
            for (k = 0; k < 10; k++)
                if (n[k]) printf "%g,%g,%g,%g,%d\n", k / 10, (k + 1) / 10, sum[k] / n[k], of[k] / n[k], n[k]
                else printf "%g,%g,,,0\n", k / 10, (k + 1) / 10
        }' "$1" full
}

# short FILE: numbers with 6 digits.
short() {
    awk -F , 'NR == 1 { print; next }
        { for (k = 1; k < NF; k++) printf ($k == "" ? "%s," : "%g,"), $k; print $NF }' "$1"
}

# ---- Round trips -------------------------------------------------------

while read -r train test options; do
    name="train $options $train"
    # shellcheck disable=SC2086
    succeeds "$name, without" train -q $options "$train" plain
    # shellcheck disable=SC2086
    succeeds "$name" train -q -b 1 $options "$train" model
    weights plain >expected
    weights model >came
    same_file "$name: the same weights" expected came
    columns=$(awk '$1 == "label" { print NF - 1 == 2 ? 1 : NF - 1 }' model)
    same "$name: numbers in the record" "$((2 * columns))" "$(record model sigmoid | wc -w | tr -d ' ')"
    grep -v '^# sigmoid' model >came
    same_file "$name: no other difference" plain came
    succeeds "$name: predict -b 1" predict -q -b 1 "$test" model labels
    expect model "$test" >expected
    same_file "$name: probabilities" expected labels
    run predict --metrics --calibration table.csv "$test" model other
    same "$name: metrics: nothing but a warning of labels" '0 ' \
        "$STATUS $(grep -v 'a label that the model does not know' "$ERR")"
    rates model >expected
    grep -E '^(Log loss|Brier)' "$OUT" >came
    same_file "$name: log loss and Brier score" expected came
    reliability model >expected
    short table.csv >came
    same_file "$name: reliability" expected came
    run predict -b 1 --metrics=json "$test" model -
    same_file "$name: to standard output" labels "$OUT"
    sed -n 's/.*"log_loss":\([^,]*\),"brier":\([^,]*\),.*/\1 \2/p' "$ERR" |
        awk '{ printf "Log loss = %g\nBrier score = %g\n", $1, $2 }' >came
    rates model >expected
    same_file "$name: JSON" expected came
    if command -v liblinear-predict >/dev/null 2>&1; then
        "$BIN/predict" -q "$test" model expected
        liblinear-predict -q "$test" model came
        same_file "$name: liblinear-predict" expected came
    fi
done <<'END'
cancer rows -s 1
cancer rows -s 3 -B 1 -c 0.01
cancer rows -s 2 -c 1000
cancer rows -s smo
cancer rows -s pegasos
cancer rows -s sgd-w --balanced -l 0.01
digits unknown -s 1 -c 0.01
digits unknown -s 3 --seed 7 -w2 3
digits digits -s hrmd-w --l1 1e-3
END

# ---- Labels ------------------------------------------------------------

# The label with the larger probability is predicted, for any sign of the decision value.
"$BIN/train" -q -b 1 cancer model
sed 's/^# sigmoid .*/# sigmoid -1 0.5/' model >shifted
"$BIN/predict" -q --output-format both rows shifted both
succeeds 'a shifted sigmoid' predict -b 1 -q rows shifted labels
sed 1d labels | paste -d ' ' - both | awk '
    ($1 == 1) != ($2 > $3) { print "contradiction: " $0 }
    ($4 == 1) != ($5 > 0) { print "the sign: " $0 }
    $1 != $4 { other++; if ($5 <= 0 || $5 >= 0.5) print "elsewhere: " $0 }
    END { if (!other) print "no label differs" }' >wrong
same_text 'a shifted sigmoid: labels' wrong ''
succeeds 'a shifted sigmoid: accuracy' predict -b 1 rows shifted labels
sed 1d labels | cut -d ' ' -f 1 | paste -d ' ' - rows | awk '{ right += $1 == $2 + 0 }
    END { printf "Accuracy = %g%% (%d/%d)\n", 100 * right / NR, right, NR }' >expected
same_file 'a shifted sigmoid: accuracy of these labels' expected "$OUT"
succeeds 'a shifted sigmoid, without -b' predict -q rows shifted labels
cut -d ' ' -f 1 both >expected
same_file 'a shifted sigmoid, without -b: the sign' expected labels
sed 's/^# sigmoid .*/# sigmoid 0 0/' model >level
succeeds 'no slope' predict -q -b 1 rows level labels
same 'no slope: the sign' "$(cat expected)" "$(sed 1d labels | cut -d ' ' -f 1)"
same 'no slope: halves' '0.5 0.5' "$(sed 1d labels | cut -d ' ' -f 2- | sort -u)"

# ---- What is printed ---------------------------------------------------

succeeds 'the result' train -b 1 cancer model
same 'the result: as in the record' "$(record model sigmoid | awk '
    { printf "Probability = 1/(1 + exp(A f + B)), A = %g, B = %g", $1, $2 }')" "$(grep '^Probability' "$OUT")"
same 'what to type next' "next: $BIN/predict -b 1 ROWS model LABELS" "$(tail -n 1 "$OUT")"
succeeds 'the result of classes' train -b 1 digits model
grep '^Probability' "$OUT" >came
record model sigmoid | awk '{ for (k = 1; k < NF; k += 2)
    printf "Probability = 1/(1 + exp(A f + B)), A = %g, B = %g, class %d of 4 (label %s)\n", $k,
        $(k + 1), (k + 1) / 2, substr("'"$(sed -n 's/^label //p' model | tr -d ' ')"'", (k + 1) / 2, 1) }' >expected
same_file 'the result of classes: a line each' expected came
succeeds '--trace' train -q -b 1 --trace trace.csv cancer model
"$BIN/train" -q --trace plain.csv cancer plain
same '--trace: of the training on all rows' "$(wc -l <plain.csv)" "$(wc -l <trace.csv)"
searches '-C --refit' train -q -b 1 -C --c-range -4:0:2 --refit cancer model
"$BIN/train" -q -b 1 -c "$(record model C)" cancer expected
same_file '-C --refit: the model of the best C' expected model
for solver in 0 7; do
    "$BIN/train" -q -s "$solver" cancer expected
    succeeds "-s $solver" train -b 1 -s "$solver" cancer model
    same_file "-s $solver: nothing more" expected model
    same "-s $solver: nothing printed" 0 "$(grep -c Probability "$OUT")"
    succeeds "-s $solver, metrics" predict -b 1 --metrics --calibration table.csv rows model labels
    holds "-s $solver, log loss" grep -q -E '^Log loss = 0[.][0-9]+$' "$OUT"
    same "-s $solver, all rows in the table" "$(wc -l <rows | tr -d ' ')" "$(
        awk -F , 'NR > 1 { n += $5 } END { print n }' table.csv)"
done

# The log loss is finite if the row's own label has probability 0.
printf '%s\n' 'solver_type L2R_LR' 'nr_class 2' 'label 1 2' 'nr_feature 1' 'bias -1' w 1 >sure
printf '%s\n' '2 1:1000' '2 1:1000' >wrong
run predict --metrics=json wrong sure labels
holds 'wrong and sure' grep -q '"log_loss":36.04365338911715[0-9]*,"brier":1,' "$OUT"

# The log loss and the Brier score do not depend on which of two classes is the first.
awk '{ x = (i * 41 % 67) / 5 - 6; print ((x > 0.4) == (i % 9 > 0) ? 1 : -1), "1:" 3 * x; i++ }' cancer >first
sed 's/^-1/0/; s/^1/-1/; s/^0/1/' first >second
awk '{ split($2, x, ":"); print $1, "1:" 4 * x[2] }' first >first-rows
awk '{ split($2, x, ":"); print $1, "1:" 4 * x[2] }' second >second-rows
for options in '-s 0 -c 90' '-s 3 -b 1'; do
    for file in first second; do
        # shellcheck disable=SC2086 # a list of options
        "$BIN/train" -q $options "$file" mirrored
        run predict -b 1 --metrics=json "$file-rows" mirrored labels
        grep -o '"log_loss":[^,]*,"brier":[^,]*' "$OUT" >"$file-scores"
    done
    holds "$options: scores" test -s first-scores
    same_file "$options: scores of exchanged labels" first-scores second-scores
done

# An unknown label adds 36.04 to the log loss, and (1 + p^2 + (1 - p)^2)/2 to the Brier score.
printf '3 1:0\n' >strange
run predict --metrics=json strange sure labels
holds 'an unknown label' grep -q '"log_loss":36.04365338911715[0-9]*,"brier":0.75,' "$OUT"

# ---- What is refused ---------------------------------------------------

"$BIN/train" -q cancer plain
for option in '-b 1' '--calibration table.new'; do
    # shellcheck disable=SC2086
    refuses "$option of a model without" 2 \
        "predict: ${option% table.new}: the model is L2R_L2LOSS_SVC_DUAL and has no probabilities; train it with -b 1
Try 'predict --help'." predict $option rows plain new
done
refuses '--calibration without labels' 2 "predict: --calibration and --no-labels exclude each other
Try 'predict --help'." predict --calibration table.new --no-labels rows model new
refuses '--calibration over the model' 2 "predict: --calibration and the model are the same file, 'model'
Try 'predict --help'." predict --calibration model rows model new
refuses '--calibration over the labels' 2 "predict: the output and --calibration are the same file, 'new'
Try 'predict --help'." predict --calibration new rows model new
refuses '--calibration to nowhere' 3 "predict: cannot write absent/table: No such file or directory" \
    predict --calibration absent/table rows model new
refuses 'train -b 2' 2 "train: -b: '2' is not 0 or 1
Try 'train --help'." train -b 2 cancer new
for option in -v\ 5 -C; do
    # shellcheck disable=SC2086
    refuses "-b 1 $option" 2 "train: ${option% 5} and -b exclude each other without $(
        if [ "$option" = -C ]; then echo --refit; else echo --predictions; fi)
Try 'train --help'." train -b 1 $option cancer
done
succeeds '-b 0 -v' train -q -b 0 -v 2 cancer
"$BIN/train" -q -s sgd cancer first
refuses 'a stochastic solver that goes on' 2 \
    "train: -b 1 and --initial-model exclude each other for --solver sgd: its folds start from 0
Try 'train --help'." train -b 1 -s sgd --initial-model first cancer new
succeeds 'a start from a model' train -q -b 1 -s 2 --initial-model first cancer model
"$BIN/train" -q -b 1 -s 2 cancer expected
same 'a start from a model: the folds are the same' "$(record expected sigmoid)" "$(record model sigmoid)"

# A damaged line is a comment.
sed 's/^\(# sigmoid .*\)/\1 x/' model >damaged
refuses 'a damaged line' 2 \
    "predict: -b 1: the model is L2R_L2LOSS_SVC and has no probabilities; train it with -b 1
Try 'predict --help'." predict -b 1 rows damaged new
succeeds 'a damaged line, without -b' predict -q rows damaged labels

# A regression has no probabilities, whatever its record says.
"$BIN/train" -q -s 11 cancer regression
echo '# sigmoid -1 0.5' >>regression
refuses 'a sigmoid in a regression' 2 \
    "predict: -b 1: the model is L2R_L2LOSS_SVR and has no probabilities: it is a regression
Try 'predict --help'." predict -b 1 rows regression new

# With few rows each is a fold of its own, and a class may have one row.
printf '%s\n' '1 1:1' '-1 1:-1' '1 1:0.5' >few
succeeds 'three rows' train -q -b 1 few model
succeeds 'three rows: probabilities' predict -q -b 1 few model labels
printf '%s\n' 0 0 1 >weights
refuses 'one row with a weight' 2 \
    "train: probability: a sigmoid is fitted to two rows at least, and only one weighs more than 0: \
give more rows a weight, or ask for no probabilities
Try 'train --help'." train -q -b 1 -W weights --initial-model model few new
printf '%s\n' '1 1:1e300' '-1 1:-1e300' '1 1:5e299' '-1 1:3e299' '1 1:1e-300' >huge
succeeds 'huge values' train -q -b 1 -c 1e-100 -s pegasos huge model
succeeds 'huge values: probabilities' predict -q -b 1 huge model labels
holds 'huge values: no nan' sh -c '! grep -q nan labels model'

# ---- Ctrl-C in the folds -----------------------------------------------

# With this number of steps the training takes about 1.5 seconds, and its folds five times as long.
steps=$(processor_seconds "$BIN/train" -s sgd -T 1000000 cancer plain | awk '{ printf "%.0f", 1.5e6 / ($1 + 0.001) }')
"$BIN/train" -q -s sgd -T "$steps" cancer plain
in_folds() {
    grep -q 'fold [1-5] of 5, epoch' "$ERR"
}
echo old >model
signalled INT in_folds train -b 1 -s sgd -T "$steps" cancer model
same 'SIGINT in the folds: exit status' 130 "$STATUS"
weights plain >expected
weights model >came
same_file 'SIGINT in the folds: the weights are complete' expected came
same 'SIGINT in the folds: the model says so' 'finished interrupted' \
    "$(record model outcome) $(record model sigmoid)"
same 'SIGINT in the folds: the warning' \
    'train: warning: -b 1 was stopped: the model has no probabilities' "$(tail -n 1 "$ERR")"
same 'SIGINT in the folds: what to type next' "next: $BIN/predict ROWS model LABELS" \
    "$(tail -n 1 "$OUT")"
same 'SIGINT in the folds: no temporary file' '' "$(temporaries)"
refuses 'SIGINT in the folds: no probabilities' 2 \
    "predict: -b 1: the model is L2R_L1LOSS_SVC_DUAL and has no probabilities; train it with -b 1
Try 'predict --help'." predict -b 1 rows model new
