# smo.sh - steps of pairs of rows, with a free bias: model, trace, cache, interruption.
# shellcheck shell=sh disable=SC2016,SC2034 # awk's $; SECONDS_ALLOWED is for lib.sh

# ---- The model ---------------------------------------------------------

succeeds 'smo' train -s smo -g 1e-6 "$CANCER" model
same 'smo: the bias of the model is a feature of value 1' 'bias 1' "$(sed -n 5p model)"
same 'smo: weights, and the bias' 31 "$(weights model | awk 'w && NF == 1 { n++ } $1 == "w" { w = 1 }
    END { print n }')"
same 'smo: the record' 'smo smo certified' \
    "$(record model solver) $(record model engine) $(record model outcome)"
# P(w, b) on these data, computed here. b is the 31st weight and not part of |w|^2.
same 'smo: the primal value is that of the model' "$(grep '^Primal' "$OUT")" "$(awk '
    FILENAME == ARGV[1] && /^#/ { next }
    FILENAME == ARGV[1] { if (reading) w[++n] = $1; if ($1 == "w") reading = 1; next }
    FNR == 1 { for (j = 1; j < n; j++) square += w[j] * w[j] }
    {
        z = w[n]
        for (k = 2; k <= NF; k++) { split($k, pair, ":"); z += pair[2] * w[pair[1]] }
        slack = 1 - $1 * z
        if (slack > 0) loss += slack
    }
    END { printf "Primal value = %f\n", square / 2 + loss }' model "$CANCER")"

# A constant added to a feature changes only the bias.
awk '{ printf "%s", $1; for (k = 2; k <= NF; k++) { split($k, p, ":"); printf " %s:%.17g", p[1], p[2] + 3 }
    print "" }' "$CANCER" >moved
"$BIN/predict" -q "$CANCER" model labels
succeeds 'smo: moved rows' train -q -s smo -g 1e-6 moved moved.model
"$BIN/predict" -q moved moved.model moved.labels
same_file 'smo: moved rows have the same labels' labels moved.labels
holds 'smo: moved rows have the same optimum' awk -v a="$(record model primal)" \
    -v b="$(record moved.model primal)" 'BEGIN { d = a - b; exit !(d * d <= (2e-6 * a) ^ 2) }'

refuses 'smo has its own bias, of value 0, too' 2 "train: -B has no meaning for --solver smo
Try 'train --help'." train -s smo -B 0 "$CANCER"
succeeds 'smo: -B -1 asks for no other bias' train -q -s smo -g 1e-6 -B -1 "$CANCER" other
same_file 'smo: -B -1: the model' model other

# A cache of any size gives the same model.
for size in 1e-9 0.01 1000; do
    succeeds "smo -m $size" train -q -s smo -g 1e-6 -m "$size" "$CANCER" other
    holds "smo -m $size: the same optimum" awk -v a="$(record model dual)" \
        -v b="$(record other dual)" 'BEGIN { d = a - b; exit !(d * d <= (1e-6 * a) ^ 2) }'
done

# ---- Trace -------------------------------------------------------------

succeeds 'smo --trace --test' train -q -s smo --trace trace --test moved moved model
run predict moved model labels
same 'smo: the last test error is that of predict' \
    "$(tail -n 1 trace | awk -F, '{ printf "%.4f\n", 100 * (1 - $NF) }')" \
    "$(sed -n 's/^Accuracy = \(.*\)% .*/\1/p' "$OUT" | awk '{ printf "%.4f\n", $1 }')"
holds 'smo: the trace comes down to the certified gap' awk -F, 'NR > 1 { gap = $7 }
    END { exit !(NR > 3 && gap <= 1e-3) }' trace

# ---- Limits ------------------------------------------------------------

run train -s smo -i 7 "$CANCER" model
same 'smo -i 7: steps, outcome' '7 pass-limit' "$(record model iterations) $(record model outcome)"

# On these badly scaled data, smo alone does not end in the time of this file.
awk '{ printf "%s", $1; for (k = 2; k <= NF; k++) { split($k, p, ":")
    printf " %s:%.17g", p[1], p[2] * 10 ^ (p[1] % 9 - 3) } print "" }' "$CANCER" >endless
endless='-s smo --plain -c 1e6 -g 1e-12'
# shellcheck disable=SC2086
run train $endless -q --time-limit 1.5 endless limited
same 'smo --time-limit: exit status' 0 "$STATUS"
same 'smo --time-limit: the model says so' 'time-limit' "$(record limited outcome)"

a_line() {
    grep -q '^smo step' "$ERR"
}

# smo does not stop at every step, so the first checkpoint at or after a multiple has the line.
succeeds 'smo, --trace-every' train -q -s smo --plain -c 10 -g 1e-6 --trace every --trace-every 3000 "$DIGITS" model
same 'smo, --trace-every: multiples without a line, or with two' '' "$(awk -F, 'NR == 1 { next }
    $1 == problem {
        if (int($2 / 3000) > int(before / 3000) + 1 || twice) print
        twice = int($2 / 3000) == int(before / 3000) # only the last line of a problem may be so
    }
    { if ($1 != problem) twice = 0; problem = $1; before = $2 }' every)"
holds 'smo, --trace-every: there are such lines' test "$(wc -l <every)" -gt 30

# shellcheck disable=SC2086
signalled INT a_line train $endless endless model
same 'smo, SIGINT: exit status' 130 "$STATUS"
same 'smo, SIGINT: the model says so' 'interrupted' "$(record model outcome)"
grep -m 1 "^smo step" "$ERR" >first
matches 'smo: progress' first 'smo step [0-9]+, relative gap [0-9.e+-]+, primal [0-9.e+]+, [0-9.]+% of the rows free'
succeeds 'smo, SIGINT: the model serves' predict -q endless model labels

# ---- What takes over ---------------------------------------------------

# A billion pair steps would be too few.
printf '1 1:20000\n-1 1:-10000\n1 1:-30000\n-1 1:5000 2:1\n' >slow
run train -s smo slow model
same 'smo, slow pairs: the record' 'smo certified' "$(record model solver) $(record model outcome)"
grep '^Method' "$OUT" >first
matches 'smo, slow pairs: which methods ran' first \
    'Method = smo [(][0-9]+ steps?[)] [+] (pnewton|ipm) [(][0-9]+ steps?[)]'
run train -q -s smo --plain -i 100000 slow model
same 'smo --plain, slow pairs: no other method' 'smo pass-limit' \
    "$(record model engine) $(record model outcome)"

# If |x|^2 or the curvature of a pair overflows, every solver ends, and records how.
for size in 1e154 1e155 1e300; do
    printf '1 1:%s\n-1 1:-%s\n' $size $size >two
    printf '1 1:%s 2:1\n-1 1:%s 2:-1\n1 2:3\n' $size $size >three
    for data in two three; do
        for solver in dcd-l2 dcd-l1 newton-l2 ipm pnewton smo; do
            run train -q -s $solver $data model
            same "$solver, $data rows, $size: exit status" 0 "$STATUS"
            holds "$solver, $data rows, $size: outcome" \
                grep -q -E '^# outcome (certified|stalled)$' model
            same "$solver, $data rows, $size: not a number" '' "$(grep -i -E 'nan|inf' model)"
        done
    done
done

# ---- A certificate that rounding errors do not allow -----------------------------

# One large value leaves a hinge loss of rounding errors, which scaling removes.
printf '%s\n' '1 1:1000000' 2 2 >huge
succeeds 'a large value' train -s smo -c 1e4 huge model
same 'a large value: certified' certified "$(record model outcome)"

# If a method meets the gap by its own sums, but the certificate does not, the training has stalled.
run train -q -s smo -g 1e-300 "$CANCER" model
same 'rounding errors: stalled' '0 stalled' "$STATUS $(record model outcome)"
same 'rounding errors: the warning' 1 "$(grep -c 'no method lowers the gap any further' "$ERR")"
