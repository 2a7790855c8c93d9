# bias.sh - -R: a free bias of the solvers with a certificate.
# shellcheck shell=sh

for solver in pegasos sgd hrmd-w smo; do
    refuses "-R of $solver" 2 "train: -R: it has no such meaning for --solver $solver
Try 'train --help'." train -R -s "$solver" "$CANCER"
done
for bias in '' '-B 0' '-B 2' '-B -1'; do
    # shellcheck disable=SC2086 # a list of words
    refuses "-R, bias '$bias'" 2 "train: -R needs -B 1
Try 'train --help'." train -s 2 -R $bias "$CANCER"
done
refuses '-R without another method' 2 "train: -R and --plain exclude each other
Try 'train --help'." train -B 1 -R --plain "$CANCER"

# A constant added to every feature, of those that are 0, too, changes nothing but the bias.
awk '{
    for (j = 1; j <= 30; j++) x[j] = 0
    for (k = 2; k <= NF; k++) { split($k, p, ":"); x[p[1]] = p[2] }
    printf "%s", $1
    for (j = 1; j <= 30; j++) printf " %d:%.17g", j, x[j] + 10
    print "" }' "$CANCER" >moved
for solver in 0 1 2 3 7 ipm pnewton; do
    succeeds "-s $solver -R" train -s "$solver" -B 1 -R -g 1e-7 "$CANCER" model
    same "-s $solver -R: the model" 'nr_feature 30 bias 1 w' "$(sed -n '4,6p' model | xargs)"
    same "-s $solver -R: the record" '1 certified' \
        "$(record model free_bias) $(record model outcome)"
    succeeds "-s $solver -R, moved" train -s "$solver" -B 1 -R -g 1e-7 moved moved.model
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
"$BIN/train" -q -s smo -g 1e-7 "$CANCER" smo.model
succeeds '-s 3 -R from a model of smo' train -s 3 -B 1 -R -g 1e-7 --initial-model smo.model "$CANCER" model
holds 'the optimum of smo' awk -v a="$(record model primal)" -v b="$(record smo.model primal)" \
    'BEGIN { d = a - b; exit !(d * d <= (2e-7 * a) ^ 2) }'

succeeds '-v' train -q -v 5 -s 3 -B 1 -R "$CANCER"
succeeds '-C --path' train -q -C --c-range -4:4:2 --path path -s 1 -B 1 -R "$CANCER"
same '-C --path: all are certified' 5 "$(awk -F, 'NR > 1 && $6 <= 1e-3' path | wc -l | tr -d ' ')"
