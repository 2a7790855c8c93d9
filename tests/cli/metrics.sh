# metrics.sh - decision values and metrics of predict, against figures computed here.
# shellcheck shell=sh

write_tiny tiny
sed 's/^[+]1/7/; s/^-1/5/' "$CANCER" >cancer
awk '{ print $1, int((NR * 37) % 11), $0 }' "$DIGITS" | sort -k 2n | cut -d ' ' -f 3- >digits
"$BIN/train" -q -B 1 -c 0.01 cancer cancer.model
"$BIN/train" -q -g 0.1 -c 0.001 digits digits.model

# ---- What is written ---------------------------------------------------

# decisions MODEL DATA: the decision values, computed by awk: labels of the model first.
decisions() {
    awk '
        FILENAME == ARGV[1] && /^#/ { next }
        FILENAME == ARGV[1] && reading { for (c = 1; c <= NF; c++) w[n, c] = $c
            n++; columns = NF; next }
        $1 == "nr_feature" { features = $2; next }
        $1 == "bias" { bias = $2; next }
        $1 == "w" { reading = 1; n = 1; next }
        FILENAME == ARGV[1] { next }
        {
            line = ""
            for (c = 1; c <= columns; c++) {
                z = 0
                for (k = 2; k <= NF; k++) {
                    split($k, pair, ":")
                    if (pair[1] <= features) z += pair[2] * w[pair[1] + 0, c]
                }
                if (bias >= 0) z += bias * w[features + 1, c]
                line = line " " sprintf("%.17g", z)
            }
            print substr(line, 2)
        }' "$1" "$2"
}

for name in cancer digits; do
    columns=1
    [ "$name" = cancer ] || columns=10
    succeeds "$name: labels" predict "$name" "$name.model" labels
    cp "$OUT" accuracy
    succeeds "$name: -d" predict -d "$name" "$name.model" values
    same_file "$name: -d: accuracy" accuracy "$OUT"
    succeeds "$name: both" predict --output-format both "$name" "$name.model" both
    same_file "$name: both: accuracy" accuracy "$OUT"
    paste -d ' ' labels values >expected
    same_file "$name: both is the labels and the values" expected both
    same "$name: rows and columns" "$(wc -l <"$name" | tr -d ' ') $columns" \
        "$(awk '{ n[NF]++ } END { for (k in n) print n[k], k }' values)"
    decisions "$name.model" "$name" >expected
    paste -d ' ' expected values | awk -v columns="$columns" '{
        for (c = 1; c <= columns; c++) {
            apart = $c - $(columns + c)
            if (apart < 0) apart = -apart
            if (apart > 1e-9) { print NR ": " $c " or " $(columns + c); exit }
        }
    }' >wrong
    same_text "$name: decision values" wrong ''
    for format in labels decision both; do
        succeeds "$name: $format" predict -q --output-format "$format" "$name" "$name.model" -
        cp "$OUT" "as.$format"
    done
    same_file "$name: --output-format labels is the default" labels as.labels
    same_file "$name: --output-format decision is -d" values as.decision
    same_file "$name: both to standard output" both as.both
    succeeds "$name: --decision" predict -q --decision "$name" "$name.model" -
    same_file "$name: --decision is -d" values "$OUT"
    "$BIN/predict" -q -d - "$name.model" - <"$name" >came
    same_file "$name: from standard input" values came
    cut -d ' ' -f 2- "$name" >bare
    succeeds "$name: rows without labels" predict --no-labels -d bare "$name.model" -
    same_file "$name: rows without labels: values" values "$OUT"
done

# A positive value means the first label of the model. Of several values, the largest has the predicted label.
succeeds 'signs' predict -q --output-format both cancer cancer.model -
same 'labels of the model' 'label 7 5' "$(sed -n 3p cancer.model)"
same 'signs agree with labels' '' "$(awk '$1 != ($2 > 0 ? 7 : 5)' "$OUT")"
same 'both signs occur' 2 "$(awk '{ print ($2 > 0) }' "$OUT" | sort -u | grep -c .)"
succeeds 'largest' predict -q --output-format both digits digits.model -
same 'the largest value has the label' '' "$(awk -v labels="$(sed -n 3p digits.model)" '
    BEGIN { split(labels, label, " ") }
    { best = 2; for (c = 3; c <= NF; c++) if ($c > $best) best = c }
    $1 != label[best]' "$OUT")"
run predict -q --output-format both tiny "$(printf '%s\n' 'solver_type L2R_L2LOSS_SVC_DUAL' \
    'nr_class 2' 'label 1 -1' 'nr_feature 1' 'bias -1' w 0.1 >tenth && echo tenth)" -
same_text 'decision values, letter for letter' "$OUT" '1 0.10000000000000001
-1 -0.10000000000000001
-1 0
-1 -0.050000000000000003'

# ---- Figures -----------------------------------------------------------

# rate MODEL DATA FORMAT: what --metrics says, computed by awk from the labels in the data and what
# predict writes; FORMAT is text, or json with all numbers to 10 digits.
rate() {
    "$BIN/predict" -q --output-format both "$2" "$1" both
    awk -v format="$3" -v labels="$(sed -n 's/^label //p' "$1")" '
        function ratio(a, b) { return b > 0 ? a / b : 0 }
        function number(x) { return sprintf("%.10g", x) }
        function means(p, r, f) {
            return "{\"precision\":" number(p) ",\"recall\":" number(r) ",\"f1\":" number(f) "}"
        }
        function unbraced(text) { return substr(text, 2, length(text) - 2) }
        BEGIN {
            known = n = split(labels, label, " ")
            for (c = 1; c <= n; c++) at[label[c] + 0] = c
        }
        FILENAME == ARGV[1] { given[FNR] = $1 + 0; next }
        {
            if (!(given[FNR] in at)) { label[++n] = given[FNR]; at[given[FNR]] = n }
            i = at[given[FNR]]
            j = at[$1 + 0]
            of[i]++
            as[j]++
            pair[i, j]++
            right += i == j
            class[FNR] = i
            value[FNR] = $2
            rows = FNR
        }
        function area(    i, j, sum) {
            if (n != 2 || !of[1] || !of[2]) return "null"
            for (i = 1; i <= rows; i++)
                if (class[i] == 1)
                    for (j = 1; j <= rows; j++)
                        if (class[j] == 2)
                            sum += value[i] > value[j] ? 1 : value[i] == value[j] ? 0.5 : 0
            return sum / of[1] / of[2]
        }
        # mean precision at the rows of the positive class, the larger label of a model of two
        function average_precision(    i, j, sum, above, right, side) {
            if (n != 2 || !of[positive]) return "null"
            side = positive == 1 ? 1 : -1
            for (i = 1; i <= rows; i++) {
                if (class[i] != positive) continue
                above = right = 0
                for (j = 1; j <= rows; j++)
                    if (side * value[j] >= side * value[i]) { above++; right += class[j] == positive }
                sum += right / above
            }
            return sum / of[positive]
        }
        END {
            if (known == 2) positive = label[1] + 0 > label[2] + 0 ? 1 : 2
            for (c = 1; c <= n; c++) {
                p[c] = ratio(pair[c, c], as[c])
                r[c] = ratio(pair[c, c], of[c])
                f[c] = p[c] + r[c] > 0 ? 2 * p[c] * r[c] / (p[c] + r[c]) : 0
                if (of[c]) { balanced += r[c]; there++ }
                if (of[c] || as[c]) { mp += p[c]; mr += r[c]; mf += f[c]; some++ }
            }
            if (format == "text") {
                text()
                printf "Accuracy = %g%% (%d/%d)\n", 100 * right / rows, right, rows
            } else {
                json()
            }
        }
        # Matthews correlation: of the class indicators, with variances and covariances summed over the classes
        function correlation(    c, st, sp, both, t, p) {
            for (c = 1; c <= n; c++) {
                t = of[c] / rows; p = as[c] / rows
                st += t * (1 - t); sp += p * (1 - p); both += pair[c, c] / rows - t * p
            }
            return st > 1e-12 && sp > 1e-12 ? both / sqrt(st * sp) : 0
        }
        function shown(c) { return n <= 100 || of[c] + as[c] > 0 }
        function text(    c, d) {
            printf "Balanced accuracy = %g%%\n", 100 * balanced / there
            printf "Macro precision = %g\nMacro recall = %g\n", mp / some, mr / some
            printf "Macro F1 = %g\nMicro F1 = %g\n", mf / some, right / rows
            printf "Matthews correlation = %g\n", correlation()
            if (positive)
                printf "Precision of %g = %g\nRecall of %g = %g\nF1 of %g = %g\n", label[positive],
                    p[positive], label[positive], r[positive], label[positive], f[positive]
            if (positive && average_precision() != "null")
                printf "Average precision of %g = %g\n", label[positive], average_precision()
            if (area() != "null") printf "AUC = %g\n", area()
            printf "\n%-12s %10s %10s %10s %10s %10s\n", "class", "rows", "predicted", "precision",
                "recall", "F1"
            for (c = 1; c <= n; c++) if (shown(c))
                printf "%-12s %10d %10d %10.4f %10.4f %10.4f\n", number(label[c]), of[c], as[c], p[c],
                    r[c], f[c]
            if (n > 100) {
                printf "\n%-12s %12s %10s\n", "class", "predicted as", "rows"
                for (c = 1; c <= n; c++) for (d = 1; d <= n; d++) if (pair[c, d])
                    printf "%-12s %12s %10d\n", number(label[c]), number(label[d]), pair[c, d]
                return
            }
            printf "\nrows of a class (down), by the class predicted (across)\n            "
            for (c = 1; c <= n; c++) printf " %8s", number(label[c])
            for (c = 1; c <= n; c++) {
                printf "\n%-12s", number(label[c])
                for (d = 1; d <= n; d++) printf " %8d", pair[c, d]
            }
            printf "\n"
        }
        function json(    c, d, listed) {
            printf "{\"rows\":%d,\"correct\":%d,\"accuracy\":%s", rows, right, number(right / rows)
            printf ",\"balanced_accuracy\":%s", number(balanced / there)
            printf ",\"auc\":%s", area() == "null" ? "null" : number(area())
            printf ",\"mcc\":%s", number(correlation())
            if (positive)
                printf ",\"positive\":{\"label\":%s,\"threshold\":null,%s,\"average_precision\":%s}",
                    number(label[positive]), unbraced(means(p[positive], r[positive], f[positive])),
                    average_precision() == "null" ? "null" : number(average_precision())
            else
                printf ",\"positive\":null"
            printf ",\"macro\":%s", means(mp / some, mr / some, mf / some)
            printf ",\"micro\":%s", means(right / rows, right / rows, right / rows)
            printf ",\"classes\":["
            for (c = 1; c <= n; c++) if (shown(c))
                printf "%s{\"label\":%s,\"rows\":%d,\"predicted\":%d,\"correct\":%d,%s",
                    (listed++ ? "," : ""), number(label[c]), of[c], as[c], pair[c, c],
                    substr(means(p[c], r[c], f[c]), 2)
            if (n > 100) {
                printf "],\"confusion_entries\":["
                listed = 0
                for (c = 1; c <= n; c++) for (d = 1; d <= n; d++) if (pair[c, d])
                    printf "%s{\"label\":%s,\"predicted\":%s,\"rows\":%d}", (listed++ ? "," : ""),
                        number(label[c]), number(label[d]), pair[c, d]
                print "]}"
                return
            }
            printf "],\"confusion\":["
            for (c = 1; c <= n; c++) {
                printf "%s[", (c > 1 ? "," : "")
                for (d = 1; d <= n; d++) printf "%s%d", (d > 1 ? "," : ""), pair[c, d]
                printf "]"
            }
            print "]}"
        }' "$2" both
}

# ten_digits: JSON with its numbers written to ten digits.
ten_digits() {
    awk '{
        while (match($0, /[[,:]-?[0-9][-+.0-9e]*/)) {
            printf "%s%.10g", substr($0, 1, RSTART), substr($0, RSTART + 1, RLENGTH - 1)
            $0 = substr($0, RSTART + RLENGTH)
        }
        print
    }' "$1"
}

# parses FILE: the file is JSON, if python3 is there to check it.
parses() {
    if command -v python3 >/dev/null 2>&1; then
        python3 -c 'import json, sys; json.load(open(sys.argv[1]), parse_constant=int)' "$1"
    elif command -v jq >/dev/null 2>&1; then
        jq -e . "$1" >/dev/null
    else
        [ "$(wc -l <"$1" | tr -d ' ')" = 1 ] && ! grep -q -E 'nan|inf|,[]}]|[[{],|,,' "$1"
    fi
}

# warning MODEL DATA: the warning of predict about rows whose label the model does not know.
warning() {
    awk '
        FILENAME == ARGV[1] { if ($1 == "label") for (k = 2; k <= NF; k++) known[$k + 0]; next }
        { rows++ }
        !($1 + 0 in known) && !unknown++ { label = sprintf("%.17g", $1); first = FNR }
        END {
            if (!unknown) exit
            printf "predict: warning: %d of %d rows have a label that the model does not know, " \
                "the first is %s, of row %d: they count as wrong%s\n", unknown, rows, label, first,
                unknown == rows ? "; for rows without true labels there is --no-labels" : ""
        }' "$1" "$2"
}

# rated NAME MODEL DATA: predict prints the metrics that are computed here, in both formats.
rated() {
    rate "$2" "$3" text >expected
    run predict --metrics "$3" "$2" labels
    same "$1: text: status, warning" "0 $(warning "$2" "$3")" "$STATUS $(grep -v ' advice: ' "$ERR")"
    same_file "$1: text as computed" expected "$OUT"
    rate "$2" "$3" json >expected
    run predict --metrics=json "$3" "$2" labels
    same "$1: JSON: status, warning" "0 $(warning "$2" "$3")" "$STATUS $(grep -v ' advice: ' "$ERR")"
    holds "$1: JSON parses" parses "$OUT"
    ten_digits "$OUT" >came
    same_file "$1: JSON as computed" expected came
    "$BIN/predict" -q "$3" "$2" other
    same_file "$1: the labels are not changed" other labels
}

rated 'two classes' cancer.model cancer
rated 'ten classes' digits.model digits
sed 's/^8 /3 /' digits >without
rated 'a class that no row has' digits.model without
grep '^7' cancer >one
rated 'rows of one class of two' cancer.model one
awk '{ if (NR % 7 == 0) $1 = "42.5"; if (NR % 11 == 0) $1 = "-3"; print }' cancer >unknown
rated 'labels unknown to a model of two' cancer.model unknown
sed 's/^4 /1e6 /' digits >unknown
rated 'a label unknown to a model of ten' digits.model unknown
sed 's/^7/1/; s/^5/2/' cancer >foreign
rated 'none but unknown labels' cancer.model foreign
rated 'one row' cancer.model "$(head -n 1 cancer >row && echo row)"
same_text 'labels unknown to the model, letter for letter' "$(
    printf '%s\n' '1 1:1' '-1 1:-1' '3 1:1' '3 1:-1' >unknown
    "$BIN/predict" --metrics unknown tenth labels >letters 2>"$ERR"
    echo letters
)" 'Balanced accuracy = 66.6667%
Macro precision = 0.333333
Macro recall = 0.666667
Macro F1 = 0.444444
Micro F1 = 0.5
Matthews correlation = 0.447214
Precision of 1 = 0.5
Recall of 1 = 1
F1 of 1 = 0.666667

class              rows  predicted  precision     recall         F1
1                     1          2     0.5000     1.0000     0.6667
-1                    1          2     0.5000     1.0000     0.6667
3                     2          0     0.0000     0.0000     0.0000

rows of a class (down), by the class predicted (across)
                    1       -1        3
1                   1        0        0
-1                  0        1        0
3                   1        1        0
Accuracy = 50% (2/4)'
same_text 'labels unknown to the model: a warning' "$ERR" "predict: warning: 2 of 4 rows have a label \
that the model does not know, the first is 3, of row 3: they count as wrong"
succeeds 'labels unknown to the model, -q: none' predict -q unknown tenth labels
succeeds 'labels unknown to the model, --no-labels: none' predict --no-labels unknown tenth labels

# One model has the same decision value for all rows, the other has two classes and two columns.
printf '%s\n' 'solver_type L2R_L2LOSS_SVC_DUAL' 'nr_class 2' 'label 7 5' 'nr_feature 2' 'bias -1' \
    w 0 0 >zero.model
rated 'all decision values equal' zero.model cancer
same 'all decision values equal: half the area' 'AUC = 0.5' "$(
    "$BIN/predict" --metrics cancer zero.model labels | grep AUC)"
succeeds 'all decision values equal: 0' predict -q -d cancer zero.model -
same 'all decision values equal: no sign' 0 "$(sort -u "$OUT")"
printf '%s\n' 'solver_type MCSVM_CS' 'nr_class 2' 'label 7 5' 'nr_feature 2' 'bias -1' w '1 0.3' \
    '-0.5 2' >pair.model
rated 'two columns for two classes' pair.model cancer
awk '{ print $1, "1:" (NR % 4) }' cancer >ties
rated 'many equal decision values' tenth \
    "$(sed 's/^7/1/; s/^5/-1/' ties >tied && echo tied)"

# Up to a hundred classes there is a matrix, beyond that a list of its entries. No row has the classes 95 to 98.
# With 57 classes, the 64 labels of model and rows fill their array.
awk 'BEGIN { for (i = 0; i < 700; i++) print i * i % 90 * 2 - 7, i % 95 + 1 ":1" }' >crowded
for classes in 57 100 101; do
    awk -v n="$classes" 'BEGIN {
        printf "solver_type L2R_L2LOSS_SVC_DUAL\nnr_class %d\nlabel", n
        for (c = 0; c < n; c++) printf " %d", c * 2 - 7
        printf "\nnr_feature %d\nbias -1\nw\n", n
        for (j = 0; j < n; j++) {
            for (c = 0; c < n; c++) printf "%d ", j == c
            print ""
        } }' >crowd.model
    rated "$classes classes" crowd.model crowded
done

# Neither time nor memory may grow with the square of the number of classes.
awk 'BEGIN { n = 100000
    printf "solver_type L2R_L2LOSS_SVC_DUAL\nnr_class %d\nlabel", n
    for (c = 0; c < n; c++) printf " %d", c
    printf "\nnr_feature 1\nbias -1\nw\n"
    for (c = 0; c < n; c++) printf "%d ", c == 77777
    print "" }' >crowd.model
printf '%s\n' '77777 1:1' '5 1:1' '-5 1:-1' '5 1:1' >few
run predict --metrics few crowd.model labels
same 'a hundred thousand classes: status, warning' "0 $(warning crowd.model few)" \
    "$STATUS $(cat "$ERR")"
same_text 'a hundred thousand classes, letter for letter' "$OUT" 'Balanced accuracy = 33.3333%
Macro precision = 0.0833333
Macro recall = 0.25
Macro F1 = 0.125
Micro F1 = 0.25
Matthews correlation = 0.129099

class              rows  predicted  precision     recall         F1
0                     0          1     0.0000     0.0000     0.0000
5                     2          0     0.0000     0.0000     0.0000
77777                 1          3     0.3333     1.0000     0.5000
-5                    1          0     0.0000     0.0000     0.0000

class        predicted as       rows
5                   77777          2
77777               77777          1
-5                      0          1
Accuracy = 25% (1/4)'

# ---- Outputs -----------------------------------------------------------

for format in --metrics --metrics=json; do
    run predict "$format" cancer cancer.model labels
    cp "$OUT" expected
    same "$format: nothing on standard error" '' "$(cat "$ERR")"
    run predict "$format" cancer cancer.model -
    same_file "$format, labels to standard output: there" labels "$OUT"
    same_file "$format, labels to standard output: metrics on standard error" expected "$ERR"
done
run predict --metrics=json --metrics cancer cancer.model labels
same 'the last --metrics counts' Accuracy "$(tail -n 1 "$OUT" | cut -d ' ' -f 1)"
run predict --metrics --metrics=json cancer cancer.model labels
same 'JSON is all there is' 1 "$(wc -l <"$OUT" | tr -d ' ')"
: >empty
for format in --metrics --metrics=json; do
    refuses "$format of no rows" 1 'empty:1:1: no rows' predict "$format" empty cancer.model new
done
printf '%s\n' '7 1:1' '5 1:x' >bad
refuses 'metrics of bad rows' 1 "bad:2:5: value 'x' is not a number" \
    predict --metrics bad cancer.model new
if [ -w /dev/full ]; then
    STATUS=0
    "$BIN/predict" --metrics=json cancer cancer.model labels >/dev/full 2>"$ERR" || STATUS=$?
    same 'metrics that cannot be printed' \
        '3 predict: cannot write standard output: No space left on device' "$STATUS $(cat "$ERR")"
fi

# Probabilities and metrics, of a logistic model.
sed 's/^solver_type.*/solver_type L2R_LR/' cancer.model >lr.model
succeeds 'metrics with probabilities' predict --metrics -b 1 cancer lr.model labels
cp "$OUT" came
run predict --metrics cancer lr.model other
same_file 'metrics with probabilities: the same' "$OUT" came

# Indices from 0, as the model says.
awk '{ for (k = 2; k <= NF; k++) { split($k, p, ":"); $k = p[1] - 1 ":" p[2] } print }' \
    cancer >from0
"$BIN/train" -q -B 1 -c 0.01 --zero-based from0 zero_based.model
run predict --metrics -d cancer cancer.model expected
cp "$OUT" metrics
succeeds 'indices from 0' predict --metrics -d from0 zero_based.model values
same_file 'indices from 0: decision values' expected values
same_file 'indices from 0: metrics' metrics "$OUT"

# Cross-validation computes its metrics from the predictions of all folds. Here each row is a fold.
awk 'NR % 38 == 7' cancer >little
rows=$(wc -l <little | tr -d ' ') row=1
: >pooled
while [ "$row" -le "$rows" ]; do
    sed "${row}d" little >others
    sed -n "${row}p" little >one
    "$BIN/train" -q -g 1e-9 -s 3 others one.model
    "$BIN/predict" -q --output-format both one one.model both
    echo "$(cut -d ' ' -f 1 one) $(sed -n 's/^label \([^ ]*\).*/\1/p' one.model) $(cat both)"
    row=$((row + 1))
done >pooled
awk '{ # each row has its own model, whose first label decides the sign
        label[NR] = $1; value[NR] = $2 == 7 ? $4 : -$4
        as[$3]++; of[$1]++; right[$1] += $1 == $3
    }
    END {
        for (i = 1; i <= NR; i++)
            for (j = 1; j <= NR; j++)
                if (label[i] == 7 && label[j] == 5) sum += value[i] > value[j] ? 1 : 0
        printf "Macro recall = %g\n", (right[7] / of[7] + right[5] / of[5]) / 2
        printf "AUC = %g\n", sum / of[7] / of[5]
        printf "%.4f %.4f\n", right[7] / as[7], right[5] / as[5]
    }' pooled >expected
run train -v "$rows" -g 1e-9 -s 3 --metrics little
{
    grep -E '^(Macro recall|AUC)' "$OUT"
    echo "$(awk '$1 == 7 && NF == 6 { print $4 }' "$OUT") $(
        awk '$1 == 5 && NF == 6 { print $4 }' "$OUT")"
} >came
same_file 'cross-validation: metrics of all rows left out' expected came

# ---- A page of HTML -----------------------------------------------------

# facts PAGE NAME: the value that the page states.
facts() {
    sed -n "s|^<dt>$2</dt><dd>\\([^ <]*\\).*|\\1|p" "$1"
}
# member NAME: the value in the last JSON, with six digits.
member() {
    sed 's/.*"'"$1"'":\([-0-9.e+]*\).*/\1/' "$OUT" | awk '{ printf "%.6g\n", $1 }'
}
"$BIN/train" -q -b 1 -s 0 cancer sure.model
run predict --metrics=json --positive 5 --threshold 0.4 --curve curve.csv --calibration bins.csv \
    --report page.html cancer sure.model labels
same_text 'a report: silently' "$ERR" ''
for pair in 'AUC auc' 'Average precision average_precision' 'Log loss log_loss' 'Brier score brier'; do
    same "a report: ${pair% *}" "$(member "${pair##* }")" "$(facts page.html "${pair% *}")"
done
same 'a report: the accuracy' "$(member accuracy | awk '{ print 100 * $1 }')" \
    "$(facts page.html Accuracy | awk '{ printf "%.4f\n", $1 }' | sed 's/0*$//')"
same 'a report: the confusion matrix' "$(sed 's/.*"confusion":\[\[//; s/\]\].*//; s/\],\[/,/' "$OUT")" \
    "$(awk '/class="grid"/ { on = 1 } on && /<td style/ { n = split($0, cell, /<td style[^>]*>/)
        for (k = 2; k <= n; k++) { sub(/<.*/, "", cell[k]); line = line (line ? "," : "") cell[k] } }
        /<\/table>/ { on = 0 } END { print line }' page.html)"
# Each point in the picture of the scores by threshold is a line of the curve.
awk -F , 'NR > 1 { printf "precision %.6g %.6g\nrecall %.6g %.6g\nF1 %.6g %.6g\n", $1, $2, $1, $3, $1, $6 }' curve.csv >points
awk '/which threshold/ { on = 1 } /<\/table>/ { on = 0 }
    on && /^<tr>/ { gsub(/<\/td>/, " "); gsub(/<[^>]*>/, ""); print $1, $2, $3 }' page.html >drawn
same 'a report: points by threshold that the curve lacks' '' "$(grep -v -x -F -f points drawn)"
holds 'a report: there are such points' test "$(grep -c . drawn)" -gt 100
# The two ends of the curve, and of the reliability, stand in the tables beneath the pictures.
same 'a report: precision and recall' "$(awk -F , 'END { printf "<td>%.6g</td><td>%.6g</td>", $3, $2 }' curve.csv)" \
    "$(grep -o "$(awk -F , 'END { printf "<td>%.6g</td><td>%.6g</td>", $3, $2 }' curve.csv)" page.html | head -n 1)"
same 'a report: reliability' "$(awk -F , 'END { printf "<td>%.6g</td><td>%.6g</td>", $3, $4 }' bins.csv)" \
    "$(grep -o "$(awk -F , 'END { printf "<td>%.6g</td><td>%.6g</td>", $3, $4 }' bins.csv)" page.html | head -n 1)"
same 'a report: the certificate' 1 "$(grep -c 'proven by a dual point, and certified' page.html)"

run predict --report page.html digits digits.model labels
same 'ten classes: rows of the matrix' 10 "$(awk '/class="grid"/, /<\/table>/' page.html | grep -c 'scope="row"')"
# For the rows that the page calls wrong, label and prediction differ, and are those of the files.
awk '/by the largest decision/ { on = 1 } /<\/table>/ { on = 0 }
    on && /^<tr><td>[0-9]/ { gsub(/<[^>]*>/, " "); print $1, $2, $3, $2 != $3 }' page.html >worst
paste -d ' ' digits labels | awk '{ print NR, $1, $NF, 1 }' >all
same 'ten classes: rows predicted worst' "$(grep -c . worst)" "$(grep -c -x -F -f worst all)"
holds 'ten classes: there are such rows' test -s worst
sed 's/^[^ ]* //' cancer >bare
run predict --no-labels --report page.html bare cancer.model labels
same 'without labels: the classes predicted' "$(sort labels | uniq -c | awk '{ print $2, $1 }')" \
    "$(awk '/<tbody>/ { tables++ } tables == 1 && /^<tr>/ { gsub(/<[^>]*>/, " "); print $1, $2 }' page.html | sort)"
awk '{ $1 = NR / 10; print }' "$CANCER" >targets
"$BIN/train" -q -s 11 -B 1 targets line.model
run predict --metrics=json --report page.html targets line.model labels
for pair in 'Mean squared error mean_squared_error' 'R2 r2' 'Largest residual largest_residual'; do
    same "a regression: ${pair% *}" "$(member "${pair##* }")" "$(facts page.html "${pair% *}")"
done
same 'a regression: three pictures' 3 "$(grep -c '<figure' page.html)"
if command -v tidy >/dev/null 2>&1; then
    same 'a report: tidy finds no fault' '' "$(tidy -q -e page.html 2>&1)"
fi
