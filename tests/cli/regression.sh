# regression.sh - -s 11, 12, 13: lines, models, scores, warnings and refusals.
# shellcheck shell=sh

# 400 rows, their labels 3 x_1 - x_2 + x_3/2 and noise.
awk 'BEGIN {
    x = 1
    for (i = 0; i < 400; i++) {
        for (j = 0; j < 4; j++) { x = (x * 16807) % 2147483647; v[j] = x / 1073741823.5 - 1 }
        printf "%.4f 1:%.4f 2:%.4f 3:%.4f\n", 3 * v[0] - v[1] + v[2] / 2 + v[3] / 4, v[0], v[1], v[2]
    }
}' >rows

# residuals LABELS: errors of the predictions in a file, computed here: the largest, RMSE, MAE, R2, MSE, r^2.
residuals() {
    awk '{ print $1 }' rows | paste -d ' ' - "$1" | awk '
        { n++; e = $2 - $1; a = e < 0 ? -e : e; s += e * e; t += a; if (a > m) m = a
          y[n] = $1; v[n] = $2; my += $1; mv += $2 }
        END {
            my /= n; mv /= n
            for (i = 1; i <= n; i++) {
                yy += (y[i] - my) ^ 2; vv += (v[i] - mv) ^ 2; vy += (y[i] - my) * (v[i] - mv)
            }
            printf "%.3g %.3g %.3g %.3g %.3g %.3g\n", m, sqrt(s / n), t / n, 1 - s / yy, s / n,
                vy * vy / vv / yy
        }'
}

# objectives MODEL ALPHA SQUARED P: P(w) and D(beta) of a model and the file of --alpha, at C = 1.
objectives() {
    awk -v squared="$3" -v p="$4" '
        FILENAME == ARGV[1] && /^#/ { next }
        FILENAME == ARGV[1] { if (reading) w[++n] = $1; if ($1 == "w") reading = 1; next }
        FILENAME == ARGV[2] { beta[++rows] = $1; next }
        {
            row++
            z = 0
            for (k = 2; k <= NF; k++) {
                split($k, pair, ":")
                z += pair[2] * w[pair[1]]
                v[pair[1]] += beta[row] * pair[2]
            }
            e = z - $1; if (e < 0) e = -e
            if (e > p) primal += squared ? (e - p) ^ 2 : e - p
            size = beta[row] < 0 ? -beta[row] : beta[row]
            dual += p * size - $1 * beta[row] + (squared ? size * size / 4 : 0)
            if (size > 1 && !squared) infeasible = 1
            support += size != 0
        }
        END {
            for (j = 1; j <= n; j++) { primal += w[j] * w[j] / 2; dual += v[j] * v[j] / 2 }
            printf "%.4f %.4f %d\n", primal, infeasible ? "infeasible" : dual, support
        }' "$1" "$2" rows
}

types='11 L2R_L2LOSS_SVR 12 L2R_L2LOSS_SVR_DUAL 13 L2R_L1LOSS_SVR_DUAL'
for solver in 11 12 13; do
    type=${types#*"$solver" } type=${type%% *}
    succeeds "-s $solver" train -s "$solver" -p 0.05 --alpha alpha rows model
    matches "-s $solver: its lines" "$OUT" "
optimization finished, #iter = [0-9]+
Objective value = -[0-9.]+
nSV = [0-9]+
Primal value = [0-9.]+
Relative duality gap = [-0-9.e]+ \\(certified <= 0[.]001\\)
Method = .*[0-9]+ (steps?|pass|passes)\\).*

400 rows, 3 features, 1200 non-zeros, regression, p = 0[.]05
C = 1, lambda = 0[.]0025
read .* s, train .* s, write .* s
next: .*predict ROWS model LABELS"
    same "-s $solver: the head of the model" "solver_type $type
nr_class 2
nr_feature 3
bias -1
w" "$(sed '/^w/q' model)"
    same "-s $solver: epsilon in the record" 0.05 "$(record model epsilon | cut -c 1-4)"
    same "-s $solver: P, D and support vectors of the files are those printed" \
        "$(awk '$1 == "Primal" { p = $4 } $1 == "Objective" { d = $4 } $1 == "nSV" { n = $3 }
            END { printf "%.4f %.4f %d\n", p, d, n }' "$OUT")" \
        "$(objectives model alpha "$((solver < 13))" 0.05)"
    succeeds "-s $solver: predict" predict --metrics rows model labels
    same "-s $solver: the lines of predict" "Largest residual = 
Root mean squared error = 
Mean absolute error = 
R2 = 
Mean squared error =  (regression)
Squared correlation coefficient =  (regression)" "$(sed 's/= [0-9.e-]*/= /' "$OUT")"
    same "-s $solver: its numbers" "$(residuals labels)" \
        "$(sed 's/.*= //; s/ .*//' "$OUT" | awk '{ printf "%s%.3g", (NR > 1 ? " " : ""), $1 }')"
    succeeds "-s $solver: JSON" predict --metrics=json rows model labels
    matches "-s $solver: the object" "$OUT" \
        '[{]"rows":400,"mean_squared_error":[0-9.e-]+,"mean_absolute_error":[0-9.e-]+,"squared_correlation":[0-9.e-]+,"largest_residual":[0-9.e-]+,"root_mean_squared_error":[0-9.e-]+,"r2":[0-9.e-]+[}]'
    for content in decision both; do
        succeeds "-s $solver: --output-format $content" predict --output-format "$content" rows model "$content"
    done
    same_file "-s $solver: the decision value is what is predicted" labels decision
    same "-s $solver: both" "$(paste -d ' ' labels labels)" "$(cat both)"
    succeeds "-s $solver: -v" train -s "$solver" -v 4 rows
    matches "-s $solver: the lines of -v" "$OUT" "Certified = 4 of 4 trainings \\(largest relative duality gap $SHORT\\)
Cross Validation Mean squared error = $SHORT
Cross Validation Squared correlation coefficient = $SHORT"
    succeeds "-s $solver: -q -v" train -q -s "$solver" -v 4 rows
    same "-s $solver: the lines of -q -v" 2 "$(grep -c '^Cross Validation' "$OUT")"
done

# Options for classifiers are refused for a regression, and the reverse.
refuses 'probabilities of a regression' 2 "predict: -b 1: the model is L2R_L1LOSS_SVR_DUAL and has no probabilities: it is a regression
Try 'predict --help'." predict -b 1 rows model labels

# ---- -C: over C and p -----------------------------------------------------

searches '-C' train -s 11 -C --c-range -2:2:2 -p 1 --path path.csv --refit rows best
# The largest label is about 4.5, so -p 1 is the fourth of its twentieths. The search goes from there down to 0.
same '-C: how many' "$(($(grep -c '^log2c' "$OUT")))" "$(($(sed 1d path.csv | grep -c .)))"
matches '-C: a line' "$OUT" "$({
    echo 'Doing parameter search with 5-fold cross validation[.]'
    sed 1d path.csv | sed "s/.*/log2c=  *-?[0-9.]+\tp=  *[0-9.]+\tMean squared error=$SHORT/"
    sed '/^Certified/!d; s/[().=]/\\&/g' "$OUT"
    echo "Deviation over the folds = $SHORT"
    echo "Best C = $SHORT Best p = $SHORT  CV MSE = $SHORT"
    sed '1,/^Best/d; s/[][().=+*^$|]/\\&/g' "$OUT"
})"
best=$(awk '/^Best/ { print $4, $8, $12 }' "$OUT")
same '-C: the best is the least of the file of --path' "$best" \
    "$(sed 1d path.csv | awk -F, 'NR == 1 || $3 < least { least = $3; C = $1; p = $2 } END { printf "%g %g %g\n", C, p, least }')"
same '-C: the file of --path' 'C,p,mse,primal,dual,gap,nonzeros,passes,seconds,deviation' "$(sed q path.csv)"
same '-C: C and p of --refit' "$(echo "$best" | cut -d ' ' -f 1,2)" \
    "$(awk -v C="$(record best C)" -v p="$(record best epsilon)" 'BEGIN { printf "%g %g\n", C, p }')"
printf '0 1:1\n0 2:1\n0 1:2\n0 3:1\n' >zeros
run train -s 11 -C --c-range 0:0 -p 0.1 -v 2 zeros
same '-C: of labels that are all 0 there is one p' '1 Best C = 1 Best p = 0  CV MSE = 0' \
    "$(grep -c '^log2c' "$OUT") $(tail -n 1 "$OUT")"
searches '-C: JSON' train -s 12 -C --c-range 0:1 -p 0.01 --metrics=json --criterion mse rows
matches '-C: the object' "$OUT" '[{]"C":[12],"epsilon":0,"rows":400,"mean_squared_error":.*[}]'
refuses 'a criterion of classifiers' 2 "train: --criterion accuracy has no meaning for --solver svr-newton
Try 'train --help'." train -s 11 -C --criterion accuracy rows
refuses 'a criterion of regressions' 2 "train: --criterion mse has no meaning for --solver dcd-l2
Try 'train --help'." train -C --criterion mse rows

# ---- Options --------------------------------------------------------------

succeeds 'a classifier' train -q "$CANCER" classifier
run train -p 0.3 "$CANCER" other
same_text '-p of a classifier is ignored' "$ERR" \
    'train: warning: -p is ignored: it has no meaning for --solver dcd-l2'
same_file '-p of a classifier: the model' classifier other
succeeds '-p of a classifier: silently' train -q -p 0.3 "$CANCER" other
refuses '-p below 0' 2 "train: -p: '-1' is not a finite number of at least 0
Try 'train --help'." train -s 11 -p -1 rows model
refuses '--balanced' 2 "train: --balanced has no meaning for --solver svr-dcd-l1
Try 'train --help'." train -s 13 --balanced rows model
run train -s 13 -w1 3 rows other
same '-wi is ignored' 'train: warning: a regression has no classes: their weights are ignored' "$(cat "$ERR")"
succeeds 'without -wi' train -s 13 rows model
same_file '-wi: the model' model other
head -n 20 rows >few
awk '{ print 1 + NR % 3 }' few >weights
paste -d ' ' weights few | awk '{ n = $1; sub(/^[0-9] /, ""); for (i = 0; i < n; i++) print }' >repeated
for solver in 11 12 13; do
    succeeds "-s $solver -W" train -q -s "$solver" -g 1e-9 -W weights few weighed
    succeeds "-s $solver, rows repeated" train -q -s "$solver" -g 1e-9 repeated again
    same "-s $solver -W is rows repeated" "$(awk '/^# primal/ { printf "%.6g\n", $3 }' again)" \
        "$(awk '/^# primal/ { printf "%.6g\n", $3 }' weighed)"
    succeeds "-s $solver -l" train -q -s "$solver" -l 0.05 few other
    same "-s $solver -l" 1 "$(record other C)"
    succeeds "-s $solver -e" train -s "$solver" -e 1e-6 rows other
    succeeds "-s $solver: trace" train -q -s "$solver" --trace trace.csv --test few rows other
    "$BIN/predict" -q few other labels
    same "-s $solver: the test error is the mean squared one" \
        "$(awk '{ print $1 }' few | paste -d ' ' - labels | awk '{ s += ($1 - $2) ^ 2 } END { printf "%.5g\n", s / NR }')" \
        "$(awk -F, 'END { printf "%.5g\n", $9 }' trace.csv)"
    # shellcheck disable=SC2016 # awk's
    holds "-s $solver: the test error has its digits" awk -F, 'END { exit length($9) < 15 }' trace.csv
done
succeeds '--initial-model' train -q -s 11 -g 1e-9 rows model
succeeds '--initial-model: goes on' train -q -s 11 -g 1e-8 --initial-model model rows other
holds '--initial-model: in fewer steps' test "$(record other iterations)" -lt 2
"$BIN/train" -q "$CANCER" classifier
refuses 'the initial model is a classifier' 2 "train: the initial model is a classifier, the solver svr-newton
Try 'train --help'." train -q -s 11 --initial-model classifier rows other
refuses 'the initial model is a regression' 2 "train: the initial model is a regression, the solver newton-l2
Try 'train --help'." train -q -s 2 --initial-model model "$CANCER" other

# ---- Labels that are of the other kind ------------------------------------

run train -i 1 rows other
same 'numbers as classes: a warning before hundreds of trainings' \
    "train: warning: $(awk '{ print $1 + 0 }' rows | sort -u | grep -c .) labels for 400 rows look like numbers to predict, and each is taken for a class: for a regression take -s 11" \
    "$(sed q "$ERR")"
awk 'BEGIN { for (i = 0; i < 4200; i++) print (i < 1500 ? 0 : i % 11 + (i % 21 > 1) / 2) " 1:" i % 7 }' >many
run train -i 1 many other
same 'many rows: half of the labels have fractions' \
    "train: warning: $(awk '{ print $1 }' many | sort -u | grep -c .) labels for 4200 rows look like numbers to predict, and each is taken for a class: for a regression take -s 11" \
    "$(sed q "$ERR")"
sed 's/^\([0-9]*\)\.5/\1/' many >whole
run train -i 1 whole other
same 'many rows: whole labels are classes' '' "$(grep 'look like' "$ERR")"
run train -s 13 "$CANCER" other
same 'a regression on two labels: a warning' \
    'train: warning: all labels are 1 or -1: for two classes take -s 1' "$(cat "$ERR")"
succeeds 'ten classes are classes' train "$DIGITS" other
succeeds 'a regression of ten numbers' train -s 12 "$DIGITS" other
printf '%s\n' '5 1:1' '5 1:2' >equal
succeeds 'labels that are all equal' train -s 13 equal other
printf '%s\n' '0.05 1:1' '-0.03 1:2 3:1' '0.1' >near
run train -s 11 near other
same_text 'no label beyond epsilon' "$ERR" \
    'train: advice: no target is beyond p = 0.1, so the model is 0: take a smaller -p, such as -p 0.001'
same 'no label beyond epsilon: w = 0' '0 0 0' "$(sed '1,/^w$/d; /^#/d' other | tr -d ' ' | paste -s -d ' ' -)"
same 'no label beyond epsilon: P = 0' '0' "$(record other primal)"

printf '0 1:1\n7e149 1:2\n1 1:3\n' >far
for solver in 11 12; do
    refuses "-s $solver: the objective is infinite at w = 0" 1 "far:1:1: the training leaves the range of double \
precision; scale the data, or choose a C nearer to 1" train -q -s $solver -c 1e10 far model
done

# ---- Models ---------------------------------------------------------------

succeeds 'a model to change' train -q -s 11 few model
sed 's/^nr_class 2/nr_class 3/' model >bad
refuses 'three classes of a regression' 1 'bad:5:2: a regression has nr_class 2 and no label' predict few bad labels
awk '{ print } /^nr_class/ { print "label 1 -1" }' model >bad
refuses 'labels of a regression' 1 'bad:6:2: a regression has nr_class 2 and no label' predict few bad labels
sed 's/^solver_type .*/solver_type ONECLASS_SVM/' model >bad
refuses 'one class' 1 'bad:5:2: rho is missing before w' predict few bad labels
