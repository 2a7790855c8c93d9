# predict.sh - labels compared with labels computed here, streams, rows of all sorts, probabilities.
# shellcheck shell=sh

# decide MODEL DATA: the label of each row, computed by awk.
decide() {
    awk '
        FILENAME == ARGV[1] && /^#/ { next }
        FILENAME == ARGV[1] && reading {
            for (c = 1; c <= NF; c++) w[n, c] = $c
            n++; columns = NF
            next
        }
        $1 == "label" { for (c = 2; c <= NF; c++) label[c - 1] = $c; next }
        $1 == "nr_feature" { features = $2; next }
        $1 == "bias" { bias = $2; next }
        $1 == "w" { reading = 1; n = 1; next }
        FILENAME == ARGV[1] { next }
        {
            best = 1
            for (c = 1; c <= columns; c++) {
                z[c] = 0
                for (k = 2; k <= NF; k++) {
                    split($k, pair, ":")
                    if (pair[1] <= features) z[c] += pair[2] * w[pair[1] + 0, c]
                }
                if (bias >= 0) z[c] += bias * w[features + 1, c]
                if (z[c] > z[best]) best = c
            }
            if (columns <= 2) best = z[1] > 0 ? 1 : 2
            print label[best]
        }' "$1" "$2"
}

# ---- Labels ------------------------------------------------------------

for arguments in '-s 1' '-s 3 -B 1' '-B 2.5 -c 0.01'; do
    for data in "$CANCER" "$DIGITS"; do
        # shellcheck disable=SC2086
        run train -q $arguments "$data" model
        run predict "$data" model labels
        decide model "$data" >expected
        same_file "labels of train $arguments $(basename "$data")" expected labels
    done
done

# ---- Streams -----------------------------------------------------------

run predict -q "$DIGITS" model expected
run_piped "$DIGITS" predict - model labels
same_file 'data from a pipe' expected labels
run_piped "$DIGITS" predict -q - model -
same_file 'from pipe to standard output' expected "$OUT"
run_piped model predict -q "$DIGITS" - labels
same_file 'model from a pipe' expected labels
run predict -q "$DIGITS" model -
same_file 'to standard output' expected "$OUT"
"$BIN/predict" -q "$DIGITS" model - | sed 3q >first
sed 3q expected >three
same_file 'a reader that stops early' three first

# ---- Rows of all sorts -------------------------------------------------

write_tiny tiny
run train -q -B 1 tiny model
same 'the model has a bias' 'nr_feature 3 bias 1' "$(sed -n 4,5p model | xargs)"
printf '%s\n' '1' '1 1:3' '-1 1:-3 # c' '+1 2:1' '' '-1 qid:4 3:1' >rows
run predict rows model labels
decide model rows | sed 5d >expected
sed '/^$/d; s/qid:4 //; s/ #.*//' rows >clean
decide model clean >expected
same_file 'a label alone, comments, empty lines, queries' expected labels
same 'a label alone is a row' 5 "$(wc -l <labels | tr -d ' ')"

# The weight after the last feature's weight is the bias. Feature nr_feature + 1 must not get it.
sed 's/$/ 4:1e6 5:-1e6 2147483646:1e300/' clean >beyond
succeeds 'features beyond the model' predict -q beyond model labels
same_file 'features beyond the model: labels' expected labels
sed 's/$/ 4:1e6/' clean >beyond
succeeds 'the feature after the last' predict -q beyond model labels
same_file 'the feature after the last: labels' expected labels

# ---- --no-labels -------------------------------------------------------

cut -d ' ' -f 2- clean | sed '/^1$/d' >bare
tail -n +2 expected >expected_bare
succeeds 'rows without labels' predict --no-labels bare model labels
same_text 'rows without labels: no accuracy' "$OUT" ''
same_file 'rows without labels: labels' expected_bare labels
refuses 'rows without labels, unannounced' 1 \
    "bare:1:1: the row has no label, it starts with '1:3'$BARE_OR_WEIGHTED" predict bare model other
succeeds '--no-labels with labels' predict --no-labels clean model labels
same_text '--no-labels with labels: no accuracy' "$OUT" ''
same_file '--no-labels with labels: labels' expected labels
{
    sed -n 1,2p clean
    sed -n 2,4p bare
} >mixed
succeeds '--no-labels with some labels' predict --no-labels mixed model labels
same_file '--no-labels with some labels: labels' expected labels
succeeds '--no-labels to standard output' predict --no-labels bare model -
same_file '--no-labels to standard output: labels' expected_bare "$OUT"

# ---- Indices from 0 ----------------------------------------------------

awk '{ for (k = 2; k <= NF; k++) { split($k, p, ":"); $k = p[1] - 1 ":" p[2] } print }' \
    "$DIGITS" >zero
run train -q "$DIGITS" model
run predict -q "$DIGITS" model expected
run train -q --zero-based zero zero.model
same 'the model says that indices start at 0' '# zero_based 1' "$(grep zero_based zero.model)"
succeeds 'a model that knows' predict -q zero zero.model labels
same_file 'a model that knows: labels' expected labels
succeeds 'a model that knows, told again' predict -q --zero-based zero zero.model labels
same_file 'a model that knows, told again: labels' expected labels
weights zero.model >bare.model
succeeds 'a model that does not know' predict -q --zero-based zero bare.model labels
same_file 'a model that does not know: labels' expected labels
printf '1 0:1\n' >row
reason='indices start at 1 (--zero-based reads files whose indices start at 0)'
refuses 'a model that does not know, not told' 1 "row:1:3: feature index 0; $reason" \
    predict row bare.model other

# ---- Probabilities -----------------------------------------------------

for type in L2R_L2LOSS_SVC_DUAL L2R_L1LOSS_SVC_DUAL L2R_L2LOSS_SVC MCSVM_CS L1R_L2LOSS_SVC; do
    printf '%s\n' "solver_type $type" 'nr_class 3' 'label 1 2 3' 'nr_feature 1' 'bias -1' w \
        '1 2 3' >svm
    refuses "probabilities of $type" 2 \
        "predict: -b 1: the model is $type and has no probabilities; train it with -b 1
Try 'predict --help'." predict -b 1 row svm other
    succeeds "no probabilities of $type" predict -b 0 -q tiny svm labels
done

printf '%s\n' '5 1:1' '7 1:-2 2:0.5' '5' '7 2:100' '5 1:1000' >rows
for type in L2R_LR L1R_LR L2R_LR_DUAL; do
    printf '%s\n' "solver_type $type" 'nr_class 2' 'label 5 7' 'nr_feature 2' 'bias 0.5' w '1' \
        '-2' '0.5' >lr
    succeeds "probabilities of two classes, $type" predict -b 1 rows lr labels
    awk 'BEGIN { print "labels 5 7" }
        {
            z = 0.5 * 0.5
            for (k = 2; k <= NF; k++) { split($k, p, ":"); z += (p[1] == 1 ? 1 : -2) * p[2] }
            first = 1 / (1 + exp(-z))
            printf "%d %g %g\n", (z > 0 ? 5 : 7), first, 1 - first
        }' rows >expected
    same_file "probabilities of two classes, $type: output" expected labels
    same_text "probabilities of two classes, $type: accuracy" "$OUT" 'Accuracy = 100% (5/5)'
done
same_text 'probabilities, letter for letter' labels 'labels 5 7
5 0.7773 0.2227
7 0.0600867 0.939913
5 0.562177 0.437823
7 1.77696e-87 1
5 1 0'
printf '%s\n' 'solver_type L2R_LR' 'nr_class 3' 'label 3 1 2' 'nr_feature 1' 'bias -1' w \
    '1 0 -1' >lr
printf '%s\n' '3 1:1' '2 1:-1' >rows
succeeds 'probabilities of three classes' predict -q -b 1 rows lr -
same_text 'probabilities of three classes: output' "$OUT" 'labels 3 1 2
3 0.487372 0.333333 0.179294
2 0.179294 0.333333 0.487372'
succeeds 'a logistic model without -b' predict -q rows lr -
same_text 'a logistic model without -b: output' "$OUT" '3
2'

# ---- Models of others --------------------------------------------------

printf '%s\n' 'nr_class 2' 'bias -1.0' 'label 4 9' 'solver_type MCSVM_CS' 'nr_feature 2' w '1 -1 ' \
    '0 2e0 ' >model
printf '%s\n' '4 1:1' '9 2:-1' '9 1:0' '9 1:-1 2:-9' '4 1:1e-9 2:5' >rows
succeeds 'two columns for two classes, keys in another order' predict -q rows model -
same_text 'two columns for two classes: the sign of the first value' "$OUT" '4
9
9
9
4'
# Without rounding the sums are 0. LIBLINEAR adds feature by feature; another order gives -1e-16 and 9e-17.
printf '%s\n' 'solver_type L2R_LR' 'nr_class 2' 'label 4 9' 'nr_feature 5' 'bias -1' w 1 1 1 1 1 >tie
printf '%s\n' '4 1:0.7 2:0.1 3:0.2 4:-0.7 5:-0.3' '9 1:0.4 2:0.1 3:0.2 4:-0.3 5:-0.4' >rows
succeeds 'rounding decides' predict -q rows tie labels
same_text 'rounding decides: the labels of liblinear-predict' labels '4
9'
printf '%s\r\n' 'solver_type L2R_LR' 'nr_class 2' 'label 1 2' 'nr_feature 1' 'bias -1' w 1 >model
printf '%s\n' '1 1:1' '2 1:-1' >rows
succeeds 'a model with CRLF' predict -q rows model -
same_text 'a model with CRLF: labels' "$OUT" '1
2'
printf '%s\n' 'solver_type L2R_LR' 'nr_class 2' 'label 1 2' 'nr_feature 0' 'bias -1' w >model
succeeds 'a model without features' predict -q rows model -
same_text 'a model without features: the second class, as decision 0' "$OUT" '2
2'
