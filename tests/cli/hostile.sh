# hostile.sh - extreme sizes: a line of a gibibyte, many thousands of classes. (refusals.sh tests numbers out of range,
# memory.sh too little memory, test_calls.c a model cut at every byte.)
# shellcheck shell=sh

# ---- Lines of a gibibyte, or of four times the memory -------------------

constant_memory() {
    (
        # shellcheck disable=SC3045 # where it is missing we skip
        ulimit -v 16000 && bounded "$@"
    )
}

# long_line CHARACTER: prints the character $bytes times.
bytes=67108864
! is_complete || bytes=1073741824
long_line() {
    head -c "$bytes" /dev/zero | tr '\0' "$1"
}

if is_sanitized || ! constant_memory "$BIN/train" --version >/dev/null 2>&1; then
    skips 'long lines' 'memory cannot be limited here'
else
    confine constant_memory
    for character in ' ' '#'; do
        { printf '+1 1:1\n-1 2:1 ' && long_line "$character" && printf '\n-1 2:2\n'; } >lines
        succeeds "a line of [$character] in constant memory" train -q lines long
        same "a line of [$character]: the model" 2 \
            "$(weights long | awk 'w { n++ } $1 == "w" { w = 1 } END { print n }')"
    done
    { printf '+1 1:1\n-1 2:' && long_line 1 && echo; } >lines
    run train -q lines long
    same 'a number of that length: exit status' 4 "$STATUS"
    matches 'a number of that length: message' "$ERR" \
        'train: out of memory: no room for [0-9]+ bytes'
    rm -f lines
    confine bounded
fi

# ---- Labels ------------------------------------------------------------

printf '1\n-1\n1\n' >alone
succeeds 'labels alone' train -q alone long
succeeds 'labels alone, predicted' predict -q alone long labels
printf '1e300 1:1\n-1e300 1:2\n4.9406564584124654e-324 1:-1\n' >extreme
succeeds 'labels of all sizes' train -q extreme long
same 'labels of all sizes: the model' \
    'label 1.0000000000000001e+300 -1.0000000000000001e+300 4.9406564584124654e-324' \
    "$(sed -n 3p long)"
awk 'BEGIN { for (i = 0; i < 3000; i++) print i, i % 7 + 1 ":1" }' >many
run train -q -s 3 many long
same 'a class for each of 3000 rows' 0 "$STATUS"
holds 'a class for each of 3000 rows: a warning' grep -q 'for a regression take -s 11$' "$ERR"
succeeds 'a class for each of 3000 rows, predicted' predict -q many long labels
same 'a class for each of 3000 rows: labels' 3000 "$(wc -l <labels | tr -d ' ')"

# Training 100,000 classes of two rows would take a hundred times as long as this file may. Once one training is
# stopped, the classes that have not begun must cost no pass over the rows.
awk 'BEGIN { for (i = 0; i < 200000; i++) print i % 100000, i % 7 + 1 ":1", i % 5 + 8 ":2" }' >crowd
run train --time-limit 0.01 crowd long
same 'a crowd of classes, limited: exit status' 0 "$STATUS"
holds 'a crowd of classes, limited: said in one line' \
    grep -q '^[0-9]* of 100000 classes: not begun$' "$OUT"
tail -n 1 "$ERR" >last
matches 'a crowd of classes, limited: warned in one line' last \
    'train: warning: [0-9]+ of 100000 classes: not begun'
holds 'a crowd of classes, limited: no flood' test "$(cat "$OUT" "$ERR" | wc -l)" -lt 1000
for key in outcome engine iterations primal dual relative_gap; do
    record long "$key" | awk '{ print NF, $NF }'
done >came
same_text 'a crowd of classes, limited: what is true of the last' came '100000 not-begun
100000 none
100000 0
100000 unknown
100000 unknown
100000 unknown'
# With threads, several classes may be stopped; if the limit comes between two classes, none is.
holds 'a crowd of classes, limited: classes that ended, were stopped, or were not begun' \
    grep -q -E '^# outcome( certified| time-limit)*( not-begun)+$' long
run train -q --strict --time-limit 0.01 --trace trace crowd long
same 'a crowd of classes, --strict: exit status' 5 "$STATUS"
holds 'a crowd of classes: the trace has no line for what was not begun' \
    test "$(wc -l <trace)" -lt 1000
head -n 3 crowd >few
succeeds 'a crowd of classes, limited: the model serves' predict -q few long labels

# No weight is 0, so that a start from 0 would show.
awk '$1 == "w" { w = 1; print; next } /^#/ { exit } w { gsub(/[^ ]+/, "0.5") } { print }' long >start
run train -q -s sgd --time-limit 0.01 --initial-model start crowd long
same 'a crowd of classes from a model, limited: exit status' 0 "$STATUS"
same 'a crowd of classes from a model, limited: the weights of the last' 12 \
    "$(weights long | awk 'w && $NF == 0.5 { n++ } $1 == "w" { w = 1 } END { print n }')"
same 'a crowd of classes from a model, limited: of these nothing is claimed' \
    '100000 unknown' "$(record long primal | awk '{ print NF, $NF }')"

begun() {
    grep -q 'class [0-9]* of 100000' "$ERR"
}
signalled INT begun train crowd long
same 'a crowd of classes, interrupted: exit status' 130 "$STATUS"
same 'a crowd of classes, interrupted: outcomes' '100000 not-begun' \
    "$(record long outcome | awk '{ print NF, $NF }')"
holds 'a crowd of classes, interrupted: said in one line' \
    grep -q '^[0-9]* of 100000 classes: not begun$' "$OUT"

# ---- C far from 1 --------------------------------------------------------

# At C = 1e30 double precision is exhausted. All warnings say so, also with -q.
for solver in dcd-l2 dcd-l1; do
    for quiet in '' -q; do
        # shellcheck disable=SC2086
        run train $quiet -s "$solver" -c 1e30 "$CANCER" long
        same "$solver $quiet at 1e30: exit status" 0 "$STATUS"
        same "$solver $quiet at 1e30: outcome" stalled "$(record long outcome)"
        matches "$solver $quiet at 1e30: warnings" "$ERR" \
            "train: warning: a second-order method stalled; coordinate descent makes no progress either
$(warns '' 0.001 'no method lowers the gap any further')(; rounding errors alone exceed the target: scaling the data would help)?"
    done
    succeeds "$solver at 1e-30" train -s "$solver" -c 1e-30 "$CANCER" long
done

# Certified or stalled, a model is no worse than w = 0, where P = 569 C, and alpha = 0, where D = 0.
# shellcheck disable=SC2016 # awk's fields
no_worse='
    /^# primal / { primal = $3 } /^# dual / { dual = $3 } /^# outcome / { outcome = $3 }
    END { exit !(primal > 0 && primal <= 569 * C && dual <= 0 && outcome ~ /^(certified|stalled)$/) }'
for C in 1e20 1e25 1e30; do
    for solver in dcd-l2 dcd-l1 newton-l2 lr-newton lr-dcd ipm pnewton; do
        run train -q -s "$solver" -c "$C" "$CANCER" long
        same "$solver at $C, -q: exit status" 0 "$STATUS"
        holds "$solver at $C: no worse than 0" awk -v C="$C" "$no_worse" long
        same "$solver at $C: a warning where it stalled" "$(record long outcome | grep -c stalled)" \
            "$(grep -c 'relative duality gap' "$ERR")"
    done
done

# Products that cancel: the least P, in rational numbers, is 2.17683608825356e-18 (both margins are 1).
printf '1 1:1321012652 2:1906784170\n-1 1:1441773731 2:702416762\n' >cancelling
succeeds 'cancelling products' train -q -s 61 cancelling model
same 'cancelling products: the model is certified, and P is the least one' 'certified 2.176836e-18' \
    "$(record model outcome) $(record model primal | awk '{ printf "%.6e", $1 }')"

# Below 1e-300, P consists of numbers that may have underflowed, so nothing is certified.
printf '3e-165 1:1 2:2\n-2e-165 1:2\n1e-165 2:3\n' >tiny_targets
printf '1 1:5e151 2:1e151\n-1 1:-2e151 2:7e151\n1 1:4e151 2:-1e151\n' >tiny_weights
for case in '11 tiny_targets' '12 tiny_targets' '1 tiny_weights' '3 tiny_weights'; do
    run train -q -s "${case% *}" -p 0 -c 7 "${case#* }" model
    same "P below 1e-300, $case: exit status" 0 "$STATUS"
    holds "P below 1e-300, $case: P" grep -q '^# primal [0-9.]*e-3[0-2][0-9]$' model
    same "P below 1e-300, $case: not certified" stalled "$(record model outcome)"
    holds "P below 1e-300, $case: the gap says nothing" grep -q '^# relative_gap 1\(\.000000.*\)*$' model
done

# ---- Data without features, and values at both ends of the range ---------

# A division by 0 ends a program that has sanitizers.
printf '1\n-1\n-1\n1\n1\n' >no_features
printf '1 2:3\n-1\n1 1:0\n-1 3:0 4:-2\n' >empty_rows
awk 'BEGIN { for (i = 0; i < 6; i++) { printf i % 2 ? "-1" : "1"
    for (j = 1; j < 40; j++) if ((i * j) % 3 != 1) printf " %d:%se%s", j, (i - j) % 5, j % 4 ? "308" : "-308"
    print "" } }' | sed 's/:\(-*\)[2-4]e308/:\11.5e308/g' >both_ends
for data in no_features empty_rows both_ends; do
    for solver in 0 1 2 3 4 5 6 7 11 12 13 21 42 50 60 61 62 30 31 32 33 40 41; do
        for options in '-c 1e-100 -g 1e-300 --max-iter 200' '-c 23' '-c 1e100'; do
            case $solver in
            21) options="${options#-c * } -n 0.3" ;;
            3[0-3] | 4[01]) options="${options%% -g *} -T 90" ;;
            esac
            # shellcheck disable=SC2086 # lists of options
            run train -q -s "$solver" $options "$data" model
            if [ "$STATUS" = 1 ]; then
                holds "$data, -s $solver $options: values that are refused" \
                    grep -q -E 'scale the data, or choose a C nearer to 1' "$ERR"
            else
                same "$data, -s $solver $options: exit status" 0 "$STATUS"
                holds "$data, -s $solver $options: finite weights" sh -c '! grep -i -q -E "^-?(nan|inf)" model'
            fi
        done
    done
done
