# bias.sh - -R, a free bias, with the solvers that have a certificate.
# shellcheck shell=sh

for solver in pegasos sgd hrmd-w smo; do
    refuses "-R of $solver" 2 "train: -R has no meaning for --solver $solver
Try 'train --help'." train -R -s "$solver" "$CANCER"
done
for bias in '' '-B 0' '-B 2' '-B -1'; do
    # shellcheck disable=SC2086 # a list of words
    refuses "-R, bias '$bias'" 2 "train: -R needs -B 1
Try 'train --help'." train -s 2 -R $bias "$CANCER"
done

# A constant added to every feature, also to those that are 0, changes only the bias.
awk '{
    for (j = 1; j <= 30; j++) x[j] = 0
    for (k = 2; k <= NF; k++) { split($k, p, ":"); x[p[1]] = p[2] }
    printf "%s", $1
    for (j = 1; j <= 30; j++) printf " %d:%.17g", j, x[j] + 10
    print "" }' "$CANCER" >moved
for solver in 0 1 2 3 7 ipm pnewton softmax; do
    succeeds "-s $solver -R" train -s "$solver" -B 1 -R -g 1e-7 "$CANCER" model
    same "-s $solver -R: the model" 'nr_feature 30 bias 1 w' "$(sed -n '4,6p' model | xargs)"
    same "-s $solver -R: the record" '1 certified' \
        "$(record model free_bias) $(record model outcome)"
    succeeds "-s $solver -R, moved" train -q -s "$solver" -B 1 -R -g 1e-7 moved moved.model
    holds "-s $solver -R, moved: the same optimum" awk -v a="$(record model primal)" \
        -v b="$(record moved.model primal)" 'BEGIN { d = a - b; exit !(d * d <= (2e-7 * a) ^ 2) }'
    "$BIN/predict" -q "$CANCER" model labels
    "$BIN/predict" -q moved moved.model moved.labels
    same_file "-s $solver -R, moved: the labels" labels moved.labels
    succeeds "-s $solver -R, again" train -s "$solver" -B 1 -R -g 1e-7 --initial-model model \
        "$CANCER" again
    holds "-s $solver -R, again: not more steps" \
        test "$(record again iterations)" -le "$(record model iterations)"
    run train -q -s "$solver" -B 1 -R -w-1 0 "$CANCER" model # P may have no minimum
    same "-s $solver -R: no negative row" 0 "$STATUS"
    holds "-s $solver -R: no negative row: P" awk -v p="$(record model primal)" 'BEGIN { exit !(p + 0 < 1e-6) }'
done
# Coordinate descent alone finds the same bias, with and without a trace.
for solver in 1 3 7; do
    "$BIN/train" -q -s "$solver" -c 0.1 -B 1 -R -g 1e-6 "$CANCER" model
    succeeds "-s $solver -R --plain" train -s "$solver" -c 0.1 -B 1 -R --plain -g 1e-6 --alpha alpha \
        "$CANCER" plain
    same "-s $solver -R --plain: certified" certified "$(record plain outcome)"
    holds "-s $solver -R --plain: the same optimum" awk -v a="$(record model primal)" \
        -v b="$(record plain primal)" 'BEGIN { d = a - b; exit !(d * d <= (2e-6 * a) ^ 2) }'
    # shellcheck disable=SC2016 # awk's
    holds "-s $solver -R --plain: the sum of alpha y" awk '
        NR == FNR { y[FNR] = $1; next } { n = y[FNR] * $1; sum += n; all += n < 0 ? -n : n }
        END { exit !(sum * sum <= (1e-9 * all) ^ 2 && all > 0) }' "$CANCER" alpha
    succeeds "-s $solver -R --plain, traced" train -s "$solver" -c 0.1 -B 1 -R --plain -g 1e-6 \
        --trace trace --trace-every 1 "$CANCER" traced
    same_file "-s $solver -R --plain, traced: the model" plain traced
done
"$BIN/train" -q -s smo -g 1e-7 "$CANCER" smo.model
succeeds '-s 3 -R from a model of smo' train -s 3 -B 1 -R -g 1e-7 --initial-model smo.model "$CANCER" model
holds 'the optimum of smo' awk -v a="$(record model primal)" -v b="$(record smo.model primal)" \
    'BEGIN { d = a - b; exit !(d * d <= (2e-7 * a) ^ 2) }'


# Softmax of ten classes.
awk 'NR % 4 == 1' "$DIGITS" >digits
awk 'NR % 4 == 3' "$DIGITS" >rows_left
awk '{
    for (j = 1; j <= 64; j++) x[j] = 0
    for (k = 2; k <= NF; k++) { split($k, p, ":"); x[p[1]] = p[2] }
    printf "%s", $1
    for (j = 1; j <= 64; j++) printf " %d:%.17g", j, x[j] + 10
    print "" }' digits >moved
succeeds 'ten classes' train -s softmax -B 1 -R -g 1e-6 --alpha alpha digits model
succeeds 'ten classes, moved' train -q -s softmax -B 1 -R -g 1e-6 moved moved.model
same 'ten classes: the record' '1 certified certified' \
    "$(record model free_bias) $(record model outcome) $(record moved.model outcome)"
holds 'ten classes, moved: the same optimum' awk -v a="$(record model primal)" \
    -v b="$(record moved.model primal)" 'BEGIN { d = a - b; exit !(d * d <= (2e-6 * a) ^ 2) }'
same 'ten classes: the sums of alpha' 0 "$(awk '
    { for (m = 1; m <= NF; m++) { sum[m] += $m; size += $m < 0 ? -$m : $m } }
    END { for (m in sum) wrong += sum[m] ^ 2 > (1e-13 * size) ^ 2; print wrong + 0 }' alpha)"
succeeds 'ten classes: labels' predict -q -b 1 rows_left model labels
same 'ten classes: folds' 'Certified = 3 of 3 trainings' "$(run train -s softmax -B 1 -R -v 3 digits
    sed -n 's/ (largest.*//; /^Certified/p' "$OUT")"
searches 'ten classes: a path' train -q -C --c-range -4:4:4 --path path -s softmax -B 1 -R digits
same 'ten classes: all are certified' 3 "$(awk -F, 'NR > 1 && $6 <= 1e-3' path | wc -l | tr -d ' ')"

succeeds '-v' train -q -v 5 -s 3 -B 1 -R "$CANCER"
succeeds '-C --path' train -q -C --c-range -4:4:2 --path path -s 1 -B 1 -R "$CANCER"
same '-C --path: all are certified' 5 "$(awk -F, 'NR > 1 && $6 <= 1e-3' path | wc -l | tr -d ' ')"
