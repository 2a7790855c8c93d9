# synth.sh - tests/bench/synth.c, which makes data for benchmarks, prints the same bytes everywhere, in the
# promised form. HINGE_SYNTH is the program.
# shellcheck shell=sh

SYNTH=${HINGE_SYNTH:-$ROOT/build/plain/synth}

# synth ARGUMENT...: runs synth as "run" runs a program.
synth() {
    STATUS=0
    bounded "$SYNTH" "$@" >"$OUT" 2>"$ERR" || STATUS=$?
}

# well_formed FEATURES [UNIT [LOWEST]]: prints the numbers of rows and non-zeros on standard input, after all that is
# wrong with the lines. With UNIT, rows must have norm 1 as exactly as seven decimals allow.
well_formed() {
    awk -v features="$1" -v unit="${2:-}" -v lowest="${3:-0}" '
        {
            last = 0; square = 0; n += NF - 1
            for (i = 2; i <= NF; i++) {
                split($i, part, ":")
                if (part[1] <= last || part[1] > features) print "row " NR ": index " part[1]
                if (part[2] == 0 || part[2] < lowest || part[2] > 1) print "row " NR ": value " part[2]
                last = part[1]; square += part[2] ^ 2
            }
            if (unit && (square - 1) ^ 2 > (2e-7 * NF + 1e-9) ^ 2) print "row " NR ": norm^2 " square
        }
        END { print NR, n }'
}

synth_is_the_same_everywhere() {
    synth rcv1 300 --seed 7
    same 'rcv1: bytes' "$RCV1_SUM" "$(cksum <"$OUT")"
    synth rcv1 300 2000 30 --seed 7 --ones
    same 'rcv1 of ones: bytes' "$ONES_SUM" "$(cksum <"$OUT")"
    synth covtype 300 --output file
    same 'covtype: bytes' "$COVTYPE_SUM" "$(cksum <file)"
    synth dense 30 40 12 --seed 7
    same 'dense: bytes' "$DENSE_SUM" "$(cksum <"$OUT")"
    synth counts 100 5000 30 --seed 7
    same 'counts: bytes' "$COUNTS_SUM" "$(cksum <"$OUT")"
    synth raw 30 40 --seed 7
    same 'raw: bytes' "$RAW_SUM" "$(cksum <"$OUT")"
    synth blocks 100 900 --seed 7
    same 'blocks: bytes' "$BLOCKS_SUM" "$(cksum <"$OUT")"
    synth phrases 300 2000 --seed 7
    same 'phrases: bytes' "$PHRASES_SUM" "$(cksum <"$OUT")"
    synth rcv1 300 --seed 8
    differ 'another seed' "$RCV1_SUM" "$(cksum <"$OUT")"
}
RCV1_SUM='1730522752 355360' ONES_SUM='2046557930 58344' COVTYPE_SUM='1448114115 30520' DENSE_SUM='1502515745 11731'
COUNTS_SUM='2505891995 19803' RAW_SUM='1854244117 13737' BLOCKS_SUM='2607135428 13982' PHRASES_SUM='4098938011 9760'

synth_lines() {
    synth rcv1 2000
    same 'rcv1' "2000 $(tr -cd : <"$OUT" | wc -c | tr -d ' ')" "$(well_formed 47236 unit <"$OUT")"
    holds 'rcv1: 74 a row on average' awk '{ n += NF - 1 } END { exit !(n > 70 * NR && n < 78 * NR) }' "$OUT"
    synth rcv1 500 300 --ones 200
    same 'most features in each row' '500 100000' "$(well_formed 300 <"$OUT")"
    holds 'ones alone' awk '{ gsub(/ [0-9]+:1/, "") } !/^[-+]1$/ { exit 1 }' "$OUT"
    synth rcv1 20 70 70
    same 'all features in each row' '20 1400' "$(well_formed 70 unit <"$OUT")"
    synth rcv1 20 1 1
    same 'one feature' '20 20' "$(well_formed 1 unit <"$OUT")"
    synth covtype 2000
    same 'covtype: 12 a row' '2000 24000' "$(well_formed 54 <"$OUT")"
    synth dense 500 50 10
    holds 'dense: nearly all features in each row' test "$(well_formed 50 '' -1 <"$OUT" | cut -d' ' -f2)" -gt 24900
    same 'dense: rows, ten labels' '500 10' "$(well_formed 50 '' -1 <"$OUT" | cut -d' ' -f1) $(cut -d' ' -f1 "$OUT" | sort -u | wc -l | tr -d ' ')"
    synth counts 500
    # shellcheck disable=SC2016 # awk's
    holds 'counts: whole numbers to 3000' awk '{ for (i = 2; i <= NF; i++) { sub(/.*:/, "", $i)
        if ($i !~ /^[1-9][0-9]*$/ || $i > 3000) exit 1; if ($i > most) most = $i } } END { exit most < 1000 }' "$OUT"
    synth raw 200
    # shellcheck disable=SC2016 # awk's
    holds 'raw: 1e-37 to 1e10, both classes' awk '{ n[$1]++; for (i = 2; i <= NF; i++) { sub(/.*:-?/, "", $i)
        if ($i < least || !least) least = $i; if ($i + 0 > most) most = $i + 0 } }
        END { exit !(least < 1e-36 && most > 1e10 && n["+1"] > 50 && n["-1"] > 50) }' "$OUT"
    synth blocks 200
    holds 'blocks: 44 in each row' awk '{ if (NF != n + 0 && n) exit 1; n = NF } END { exit n < 40 }' "$OUT"
    synth phrases 2000 5000
    same 'phrases: values 1' 2000 "$(well_formed 5000 '' 1 <"$OUT" | cut -d' ' -f1)"
    synth rcv1 0
    same 'no rows' '0 0' "$STATUS $(wc -c <"$OUT" | tr -d ' ')"
}

# accuracy_within LOW HIGH FILE: the accuracy of cross-validation with train -s 1 is in this range.
accuracy_within() {
    run train -s 1 -v 3 "$3"
    awk -v low="$1" -v high="$2" '/^Cross Validation Accuracy/ { got = $5 + 0 } END { exit !(got >= low && got <= high) }' "$OUT"
}

synth_learns() {
    synth rcv1 20000 --output text
    holds 'rcv1: 3 to 6 % of error' accuracy_within 94 97 text
    synth covtype 5000 --output cover
    holds 'covtype: about 25 % of error' accuracy_within 72 78 cover
    synth dense 2000 100 2 --output full
    holds 'dense: about 19 % of error' accuracy_within 78 84 full
}

# Fewer rows than features, which have all scales: P is 1e-15 of P(0).
synth_raw_is_certified() {
    synth raw 40 4500 --output raw
    for options in '-s 42 --l1 1e-4' '-s 61' '-s 61 -B 1 -R' '-s 3' '-s 3 -B 1 -R' '-s 50' '-s 1' '-s 2' '-s 0'; do
        for cost in 1 4096; do
            # shellcheck disable=SC2086 # several words
            run train $options -c $cost --strict raw model
            same "raw: $options -c $cost" 0 "$STATUS"
        done
    done
    synth raw 300 100 --seed 5
    awk '{ $1 = NR % 3; print }' "$OUT" >raw
    for options in '-s 4 -c 1' '-s 4 -c 4096' '-s 62 -c 1' '-s 62 -c 4096' '-s 62 -B 1 -R -c 1'; do
        # shellcheck disable=SC2086 # several words
        run train $options --strict raw model
        same "raw, three classes: $options" 0 "$STATUS"
    done
}

# wrong NAME ARGUMENT...: a usage error.
wrong() {
    check=$1
    shift
    synth "$@"
    same "$check" '2, nothing written' "$STATUS, $([ -s "$OUT" ] && echo something || echo nothing) written"
}

synth_refuses() {
    wrong 'nothing asked'
    wrong 'a kind it has not' mnist 10
    wrong 'no rows said' rcv1
    wrong 'rows beyond 64 bits' rcv1 18446744073709551616
    wrong 'a negative number' rcv1 -1
    wrong 'no features' rcv1 10 0
    wrong 'more non-zeros than features' rcv1 10 5 6
    wrong 'too many features' rcv1 10 50000001
    wrong 'covtype with features' covtype 10 54
    wrong 'covtype of ones' covtype 10 --ones
    wrong 'dense of ones' dense 10 --ones
    wrong 'dense of one class' dense 10 5 1
    wrong 'dense of many classes' dense 10 5 101
    wrong 'dense of many features' dense 10 20001
    wrong 'raw with classes' raw 10 5 2
    wrong 'phrases of one feature' phrases 10 1
    wrong 'no seed' rcv1 10 --seed
    wrong 'a seed of letters' rcv1 10 --seed x
    synth rcv1 10 --output no/such/folder
    same 'a folder that is not there' 3 "$STATUS"
    if [ -w /dev/full ]; then
        synth rcv1 10 --output /dev/full
        same 'a full disk' 3 "$STATUS"
    fi
}

if [ -x "$SYNTH" ]; then
    synth_is_the_same_everywhere
    synth_lines
    synth_learns
    synth_raw_is_certified
    synth_refuses
else
    skips synth "there is no program $SYNTH"
fi
