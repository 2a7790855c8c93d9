# memory.sh - exit status 4: too little memory for the data, the model, a row, a token.
# shellcheck shell=sh

small_memory() {
    (
        # shellcheck disable=SC3045 # the one limit POSIX leaves out; where it is missing we skip
        ulimit -v "$KILOBYTES" && bounded "$@"
    )
}

# exhausts NAME PROGRAM ARGUMENT...: the run ends because memory is exhausted, and changes no file here.
exhausts() {
    name=$1
    shift
    before=$(files)
    run "$@"
    same "$name: exit status" 4 "$STATUS"
    matches "$name: message" "$ERR" "$1: out of memory: no room for [0-9]+ bytes"
    same_text "$name: no result" "$OUT" ''
    same "$name: files" "$before" "$(files)"
}

KILOBYTES=16000
if is_sanitized; then
    skips 'out of memory' 'the sanitizers need address space without limit'
elif ! small_memory "$BIN/train" --version >/dev/null 2>&1; then
    skips 'out of memory' 'ulimit -v is not there or too coarse'
else
    write_tiny tiny
    "$BIN/train" -q tiny tiny.model
    echo 'an old model' >model
    awk 'BEGIN {
        print "-1 1:1"
        printf "1"
        for (j = 1; j <= 1500000; j++) printf " %d:1", j
        print "" }' >row
    awk 'BEGIN { for (i = 0; i < 700000; i++) print "1"; for (; i < 1400000; i++) print "0" }' >rows
    {
        printf '1 1:1\n-1 1:'
        head -c 30000000 /dev/zero | tr '\0' 0
        echo 1
    } >token
    printf '1 2147483646:1\n-1 1:1\n' >model_too_large
    awk 'BEGIN {
        x = 1
        for (i = 0; i < 700; i++) {
            printf "%d", i % 2 ? 1 : -1
            for (j = k = 0; k < 4; k++) {
                x = (x * 16807) % 2147483647
                j += 1 + x % 160
                printf " %d:%d", j, 1 + x % 7
            }
            print ""
        } }' >slow
    confine small_memory
    succeeds 'the limit leaves room for small data' train -q tiny /dev/null
    succeeds 'the limit leaves room for many rows to predict' predict -q rows tiny.model /dev/null
    for data in row rows token; do
        exhausts "train: $data" train "$data" model
    done
    for data in row token; do
        exhausts "predict: $data" predict "$data" tiny.model model
    done
    # Training continues without a second-order method for which there is no memory. The least memory without such a
    # method depends on the C library, so it is searched.
    few=0 KILOBYTES=16000
    while [ $((KILOBYTES - few)) -gt 50 ]; do
        middle=$(((few + KILOBYTES) / 2)) enough=$KILOBYTES
        KILOBYTES=$middle
        run train -q -s 3 -c 100 --plain slow /dev/null
        [ "$STATUS" = 0 ] || few=$middle KILOBYTES=$enough
    done
    KILOBYTES=$((KILOBYTES + 200))
    run train -s 3 -c 100 slow model
    same 'no memory for a second-order method: exit status' 0 "$STATUS"
    matches 'no memory for a second-order method: warning' "$ERR" \
        'train: warning: no memory for a second-order method; coordinate descent continued'
    same 'no memory for a second-order method: outcome' 'certified none' \
        "$(record model outcome) $(record model engine)"
    echo 'an old model' >model
    for solver in newton-l2 lr-newton ipm pnewton; do
        exhausts "train: $solver" train -s "$solver" -c 100 slow model
    done
    KILOBYTES=1000000
    refuses 'a model of 16 gigabytes' 4 \
        'train: out of memory: the weights of 2147483646 features take 32768 MB' \
        train model_too_large model
    for mode in '-v 2' '-C -v 2'; do
        # shellcheck disable=SC2086
        run train -q $mode model_too_large
        same "weights of 16 gigabytes: $mode" '4
train: out of memory: the weights of 2147483646 features take 16384 MB
.' "$STATUS
$(whole "$ERR")"
    done
    refuses 'a start of 16 gigabytes' 4 \
        'train: out of memory: the weights of 2147483646 features take 49152 MB' \
        train -s sgd --initial-model tiny.model model_too_large model
    printf 'x\n-1 1\n1 0 2\n2147483646 0 1\n' >ranges_too_large
    printf 'x\n-1 1\n2147483646 0 1\n' >range_too_large
    printf 'x\n-1 1\n2000000000 0 2\n2147483646 0 1\n' >two_ranges_too_large
    refuses 'ranges to measure of 48 gigabytes' 4 \
        'scale: out of memory: the ranges of 2147483646 features take 49152 MB' \
        scale model_too_large output
    for file in ranges_too_large range_too_large; do
        refuses "ranges of 32 gigabytes: $file" 4 \
            'scale: out of memory: the ranges of 2147483646 features take 32768 MB' \
            scale -r "$file" tiny output
    done
    refuses 'ranges of 30 gigabytes, the first of two' 4 \
        'scale: out of memory: the ranges of 2000000000 features take 30518 MB' \
        scale -r two_ranges_too_large tiny output
    KILOBYTES=16000
    succeeds 'features beyond the model take no room' predict -q model_too_large tiny.model -
    printf 'x\n-1 1\n1 0 2\n' >one_range
    run scale -r one_range model_too_large
    same 'features beyond the ranges take no room' '0
1 1:-1
-1
scale: warning: left out 1 value of features without a range
.' "$STATUS
$(cat "$OUT")
$(whole "$ERR")"
    # A row takes 24 bytes. At this number of rows the arrays are full, and twice 12 MB would be too much.
    awk 'BEGIN { for (i = 0; i < 910000; i++) print i % 2 " 1:" i % 1000 }' >rows
    printf '%s\n' 'solver_type L2R_LR' 'nr_class 2' 'label 0 1' 'nr_feature 1' 'bias -1' w 1 >sign
    KILOBYTES=26000
    succeeds 'metrics of many rows' predict --metrics rows sign /dev/null
    same 'metrics of many rows: AUC' 'AUC = 0.499' "$(grep '^AUC' "$OUT")"
    confine bounded
fi

# Ranges of features that are far from each other. The memory between them stays untouched, which is not checked,
# because systems count the memory of a process in different ways.
printf 'x\n-1 1\n1 0 2\n60000000 0 1\n' >far
echo '1 1:1 60000000:1' >row
run scale -r far row
same 'a range far beyond the others' '0 1 60000000:1' "$STATUS $(cat "$OUT")"
