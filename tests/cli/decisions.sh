# decisions.sh - from decision values to labels: the positive class, thresholds, the curve.
# shellcheck shell=sh

# Two files have the same rows: one begins with label 1, the other with label 0. So the models have different first
# labels, and their decision values have opposite signs.
sed 's/^[+]1/1/; s/^-1/0/' "$CANCER" >rows
sort -k 1,1nr rows >one_first
sort -k 1,1n rows >zero_first
"$BIN/train" -q -g 1e-8 -B 1 -c 0.01 one_first one.model
"$BIN/train" -q -g 1e-8 -B 1 -c 0.01 zero_first zero.model
same 'labels of the models' 'label 1 0, label 0 1' \
    "$(sed -n 3p one.model), $(sed -n 3p zero.model)"

# ---- --positive --------------------------------------------------------

for model in one zero; do
    first=1 second=0
    [ "$model" = one ] || { first=0 second=1; }
    succeeds "$model: -d" predict -q -d rows "$model.model" "$model.values"
    succeeds "$model: --positive, the first label" predict -q -d --positive "$first" rows \
        "$model.model" came
    same_file "$model: --positive, the first label: the same values" "$model.values" came
    succeeds "$model: --positive, the second label" predict -q --output-format both \
        --positive "$second" rows "$model.model" both
    awk '{ print $1 == 0 ? 0 : $1 ~ /^-/ ? substr($1, 2) : "-" $1 }' "$model.values" >expected
    cut -d ' ' -f 2 both >came
    same_file "$model: --positive, the second label: the other sign" expected came
    "$BIN/predict" -q rows "$model.model" expected
    cut -d ' ' -f 1 both >came
    same_file "$model: --positive: the same labels" expected came
    for label in 1 0; do
        "$BIN/predict" --metrics=json --positive "$label" rows "$model.model" labels |
            sed 's/.*"positive":{"label":\([^,]*\),.*"average_precision":\(0[.][0-9]\{6\}\).*},"macro.*/\1 \2/' \
            >"$model.$label"
    done
done
# The recipe for a ranking finds the rows most likely to be of class 1, whichever label comes first.
for model in one zero; do
    "$BIN/predict" -q -d --positive 1 rows "$model.model" - | paste -d ' ' - rows | sort -gr |
        head -n 50 | cut -d ' ' -f 2- >"$model.top"
done
same_file 'a ranking: the same rows, whichever label is the first' one.top zero.top
same 'a ranking: rows of that class' 1 "$(cut -d ' ' -f 1 one.top | sort -u)"
for label in 1 0; do
    same_file "average precision of $label, whichever label is the first" "one.$label" "zero.$label"
    same "average precision of $label: its label" "$label" "$(cut -d ' ' -f 1 "one.$label")"
done
differ 'average precision of 1 and of 0' "$(cut -d ' ' -f 2 one.1)" "$(cut -d ' ' -f 2 one.0)"

"$BIN/train" -q -g 0.1 -c 0.001 "$DIGITS" digits.model
"$BIN/predict" -q -d "$DIGITS" digits.model expected
column=$(sed -n 's/^label //p' digits.model | tr ' ' '\n' | grep -n '^3$' | cut -d : -f 1)
cut -d ' ' -f "$column" expected >values
succeeds 'ten classes: --positive' predict -q -d --positive 3 "$DIGITS" digits.model came
same_file 'ten classes: the column of that label' values came
run predict --metrics --positive 3 "$DIGITS" digits.model labels
same 'ten classes: precision, recall and F1 of that label' \
    "$(awk '$1 == 3 && NF == 6 { print $4, $5, $6 }' "$OUT")" \
    "$(awk '/ of 3 = / { printf "%s%.4f", n++ ? " " : "", $5 }' "$OUT")"
refuses 'a label that the model does not have' 2 \
    "predict: --positive: the model does not know the label 2
Try 'predict --help'." predict --positive 2 rows one.model new
"$BIN/train" -q -s 11 rows numbers.model
for option in '--positive 1' '--threshold 1' '--threshold max-f1' '--curve points'; do
    # shellcheck disable=SC2086
    refuses "a regression: $option" 2 \
        "predict: ${option%% *}: the model is a regression, without classes
Try 'predict --help'." predict $option rows numbers.model new
done
for option in '--threshold 1' '--threshold max-f1' '--curve points'; do
    # shellcheck disable=SC2086
    refuses "ten classes: $option" 2 \
        "predict: ${option%% *}: the option is for two classes, but the model has 10
Try 'predict --help'." predict $option "$DIGITS" digits.model new
done

# The table of --calibration has the probability of the positive class. For the other class its bins are in reverse.
"$BIN/train" -q -s 0 zero_first lr.model
succeeds '--calibration of 1' predict -q --positive 1 --calibration one rows lr.model labels
succeeds '--calibration of 0' predict -q --positive 0 --calibration zero rows lr.model labels
succeeds '--calibration of the first' predict -q --calibration plain rows lr.model labels
same_file '--calibration: the first label of the model is 0' zero plain
sed 1d one | sort -t , -k 1,1nr | awk -F , '{ print $5, $4 == "" ? "" : sprintf("%.9g", 1 - $4) }' >came
sed 1d zero | awk -F , '{ print $5, $4 == "" ? "" : sprintf("%.9g", $4) }' >expected
same_file '--calibration of 1: mirrored' expected came

# ---- --threshold X -----------------------------------------------------

# cut_by FIRST X VALUES: the labels that a threshold on the value for class 1 gives; a row on it gets
# the model's second label.
cut_by() {
    awk -v first="$1" -v x="$2" '{
        if (first == 1) print ($1 > x ? 1 : 0)
        else print (-$1 < x ? 0 : 1)
    }' "$3"
}
for model in one zero; do
    first=1
    [ "$model" = one ] || first=0
    for x in -1.5 -0.25 0 0.5 1e3; do
        cut_by "$first" "$x" "$model.values" >expected
        succeeds "$model: --threshold $x" predict -q --threshold "$x" rows "$model.model" came
        same_file "$model: --threshold $x: labels" expected came
    done
    "$BIN/predict" -q rows "$model.model" expected
    "$BIN/predict" -q --threshold 0 rows "$model.model" came
    same_file "$model: --threshold 0 is the usual rule" expected came
done
printf '%s\n' 'solver_type L2R_L2LOSS_SVC_DUAL' 'nr_class 2' 'label 7 5' 'nr_feature 1' 'bias -1' w 1 \
    >unit.model
printf '%s\n' '7 1:2' '5 1:1' '7 1:0.5' '5' '5 1:-1' >units
for case in '7 1 7 5 5 5 5' '7 0 7 7 7 5 5' '7 -1 7 7 7 7 5' '5 1 7 7 7 7 5' '5 -0.5 7 7 5 5 5'; do
    # shellcheck disable=SC2086
    set -- $case
    run predict -q --positive "$1" --threshold "$2" units unit.model -
    shift 2
    same "on the threshold: ${case%% [57] *}" "$*" "$(tr '\n' ' ' <"$OUT" | sed 's/ $//')"
done
succeeds 'values with --threshold' predict -q --positive 5 --threshold 1 -d units unit.model -
same_text 'values with --threshold: those it is for' "$OUT" '-2
-1
-0.5
0
1'
run predict --threshold 0.75 --metrics=json units unit.model labels
same '--metrics=json has the threshold' '7 0.75 0.5' "$(sed \
    's/.*"positive":{"label":\([^,]*\),"threshold":\([^,]*\),"precision":\([^,]*\),.*/\1 \2 \3/' \
    "$OUT")"

# With -b 1 the threshold is a probability.
"$BIN/predict" -q -b 1 rows lr.model probabilities
for x in 0.05 0.5 0.9; do
    awk -v x="$x" 'NR > 1 { print ($3 > x ? 1 : 0) }' probabilities >expected
    succeeds "-b 1 --threshold $x" predict -q -b 1 --threshold "$x" rows lr.model -
    sed 1d "$OUT" | cut -d ' ' -f 1 >came
    same_file "-b 1 --threshold $x: labels" expected came
done
for x in -0.1 1.1; do
    refuses "-b 1 --threshold $x" 2 \
        "predict: --threshold: with -b 1 the threshold is a probability, between 0 and 1
Try 'predict --help'." predict -b 1 --threshold "$x" rows lr.model new
done

# ---- The curve ---------------------------------------------------------

# curve_of FIRST VALUES: the columns of --curve for the rows, except the thresholds, computed here.
curve_of() {
    paste -d ' ' "$2" rows | awk -v first="$1" '
        { text[NR] = $1; value[NR] = first == 1 ? $1 : -$1; label[NR] = $2; of[$2]++ }
        END {
            for (i = 1; i <= NR; i++) {
                if (seen[text[i]]++) continue
                right = above = 0
                for (j = 1; j <= NR; j++) if (value[j] >= value[i]) { above++; right += label[j] }
                printf "%d %.9g %.9g %.9g %.9g %.9g\n", above, right / above, right / of[1],
                    right / of[1], (above - right) / of[0], 2 * right / (of[1] + above)
            }
        }' | sort -n | cut -d ' ' -f 2-
}
for model in one zero; do
    first=1
    [ "$model" = one ] || first=0
    curve_of "$first" "$model.values" >expected
    succeeds "$model: --curve" predict -q --curve "$model.curve" rows "$model.model" labels
    same "$model: --curve: columns" \
        threshold,precision,recall,true_positive_rate,false_positive_rate,f1 \
        "$(head -n 1 "$model.curve")"
    sed 1d "$model.curve" |
        awk -F , '{ printf "%.9g %.9g %.9g %.9g %.9g\n", $2, $3, $4, $5, $6 }' >came
    same_file "$model: --curve: figures" expected came
    holds "$model: --curve: thresholds descend" sh -c \
        "sed 1d $model.curve | cut -d , -f 1 | sort -c -gr"
    # A threshold of the curve, given to --threshold, gives the figures of its line.
    for line in 2 70 213 400 570; do
        x=$(sed -n "${line}p" "$model.curve" | cut -d , -f 1)
        "$BIN/predict" --metrics=json --threshold "$x" rows "$model.model" labels |
            sed 's/.*"threshold":\([^,]*\),"precision":\([^,]*\),"recall":\([^,]*\),"f1":\([^,]*\),.*/\1 \2 \3 \3 \4/' |
            awk '{ printf "%s %.9g %.9g %.9g\n", $1, $2, $3, $5 }' >came
        sed -n "${line}p" "$model.curve" | awk -F , '{ printf "%s %.9g %.9g %.9g\n", $1, $2, $3, $6 }' \
            >expected
        same_file "$model: line $line of --curve, as --threshold" expected came
    done
done
sed 's/^0/1/' rows >ones # no row is of class 0, so there is no false positive rate
succeeds 'rows of the positive class alone' predict -q --curve curve ones one.model labels
same 'rows of the positive class alone: no false positive rate' ',1,' \
    "$(sed -n 2p curve | cut -d , -f 5),$(sed -n 2p curve | cut -d , -f 2),"
# The area under the precision-recall curve, by steps, is the average precision.
awk -F , 'NR > 1 { sum += ($3 - before) * $2; before = $3 } END { printf "%.6f\n", sum - 5e-7 }' \
    one.curve >came
cut -d ' ' -f 2 one.1 >expected
# shellcheck disable=SC2016 # awk's
holds 'average precision: the area by steps' awk '{ getline e <"expected"
    exit !($1 - e < 2e-6 && e - $1 < 2e-6) }' came

# ---- --threshold max-f1 ------------------------------------------------

for model in one zero; do
    first=1
    [ "$model" = one ] || first=0
    succeeds "$model: max-f1" predict --threshold max-f1 --metrics rows "$model.model" labels
    x=$(sed -n 's/^Threshold = \([^ ]*\) (for new rows: --positive 1 --threshold \1)$/\1/p' "$OUT")
    same "$model: max-f1: the threshold of the largest F1 in the curve" \
        "$(sed 1d "$model.curve" | sort -t , -k 6,6gr -k 1,1gr | head -n 1 | cut -d , -f 1)" "$x"
    cut_by "$first" "$x" "$model.values" >expected
    same_file "$model: max-f1: labels" expected labels
    grep -v '^Threshold' "$OUT" >expected
    succeeds "$model: the threshold found" predict --threshold "$x" --metrics rows "$model.model" other
    same_file "$model: the threshold found: the same metrics" expected "$OUT"
    same_file "$model: the threshold found: the same labels" labels other
    "$BIN/predict" --metrics rows "$model.model" other >plain
    holds "$model: max-f1 is better than 0" test \
        "$(sed -n 's/^F1 of 1 = 0[.]//p' plain)" -lt "$(sed -n 's/^F1 of 1 = 0[.]//p' expected)"
done
succeeds 'max-f1 of the other class' predict --threshold max-f1 --positive 0 rows one.model labels
matches 'max-f1 of the other class: the line' "$OUT" "Threshold = -?$SHORT \\(for new rows: --positive 0 --threshold -?$SHORT\\)
Accuracy = $SHORT% \\([0-9]+/569\\)"
for format in labels decision both; do
    x=$("$BIN/predict" --threshold max-f1 rows one.model other |
        sed -n 's/.* --threshold \(.*\))$/\1/p')
    "$BIN/predict" -q --threshold "$x" --output-format "$format" rows one.model expected
    "$BIN/predict" --threshold max-f1 --output-format "$format" rows one.model came >accuracy
    same_file "max-f1: --output-format $format" expected came
done
run predict --threshold max-f1 rows one.model -
same 'max-f1, labels to standard output: the threshold on standard error' 1 \
    "$(grep -c '^Threshold = ' "$ERR")"
same_file 'max-f1, labels to standard output: there' other "$OUT"
succeeds 'max-f1: JSON' predict --threshold max-f1 --metrics=json rows one.model labels
same 'max-f1: JSON: the threshold' "$x" "$(sed 's/.*"threshold":\([^,]*\),.*/\1/' "$OUT")"
sed 's/^1/0/' rows >zeros
refuses 'max-f1 without a row of the class' 1 \
    'zeros:1:1: no row has the label 1, whose F1 --threshold max-f1 maximises' \
    predict --threshold max-f1 zeros one.model new
printf '%s\n' 'solver_type L2R_LR' 'nr_class 2' 'label 1 0' 'nr_feature 1' 'bias -1' w 1e200 >huge.model
printf '%s\n' '1 1:1' '0 1:-1e200' >huge
refuses 'max-f1 of an overflow' 1 \
    'huge:1:1: the decision value of row 2 is -inf, and --threshold max-f1 needs finite ones: scale the data' \
    predict --threshold max-f1 huge huge.model new
for option in '-b 1' --no-labels -q; do
    # shellcheck disable=SC2086
    refuses "max-f1 $option" 2 "predict: --threshold max-f1 and ${option% 1} exclude each other
Try 'predict --help'." predict --threshold max-f1 $option rows lr.model new
done
for value in x '' nan inf max max-f2; do
    refuses "--threshold '$value'" 2 \
        "predict: --threshold: '$value' is neither a finite number nor max-f1
Try 'predict --help'." predict --threshold "$value" rows one.model new
done
