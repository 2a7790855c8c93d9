# hostile.sh - sizes that nobody has: a line of a gibibyte, thousands of classes, a model cut at every
# byte. (Numbers out of range are in refusals.sh, more memory than there is in memory.sh.)
# shellcheck shell=sh

write_tiny tiny
"$BIN/train" -q tiny model

# ---- A model cut at every byte -----------------------------------------

# What is left is refused with its place, or it is what stands before the record, all weights whole.
size=$(wc -c <model | tr -d ' ') header=$(weights model | wc -c | tr -d ' ')
cut=0 bad='' accepted=0
while [ "$cut" -lt "$size" ]; do
    head -c "$cut" model >part
    run predict -q tiny part labels
    case "$STATUS $(cat "$ERR")" in
    '0 ') accepted=$((accepted + 1)) ;;
    '1 part:'[0-9]*) [ "$cut" -lt "$header" ] || bad="$bad $cut" ;;
    *) bad="$bad $cut" ;;
    esac
    cut=$((cut + 1))
done
same 'a model cut at every byte: where something else came of it' '' "$bad"
holds 'a model cut at every byte: the record may be missing' test "$accepted" -ge $((size - header))
holds 'a model cut at every byte: the weights may not' test "$accepted" -lt $((size - header + 25))

# ---- Lines of a gibibyte -----------------------------------------------

constant_memory() {
    (
        # shellcheck disable=SC3045 # where it is missing we skip
        ulimit -v 16000 && bounded "$@"
    )
}

# gibibyte CHARACTER: so many of it.
gibibyte() {
    head -c 1073741824 /dev/zero | tr '\0' "$1"
}

if is_sanitized || ! constant_memory "$BIN/train" --version >/dev/null 2>&1; then
    skips 'lines of a gibibyte' 'memory cannot be limited here'
else
    confine constant_memory
    for character in ' ' '#'; do
        { printf '+1 1:1\n-1 2:1 ' && gibibyte "$character" && printf '\n-1 2:2\n'; } >lines
        succeeds "a gibibyte of [$character] in constant memory" train -q lines long
        same "a gibibyte of [$character]: the model" 2 \
            "$(weights long | awk 'w { n++ } $1 == "w" { w = 1 } END { print n }')"
    done
    { printf '+1 1:1\n-1 2:' && gibibyte 1 && echo; } >lines
    run train -q lines long
    same 'a number of a gibibyte: exit status' 4 "$STATUS"
    matches 'a number of a gibibyte: message' "$ERR" \
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
succeeds 'a class for each of 3000 rows' train -q -s 3 many long
succeeds 'a class for each of 3000 rows, predicted' predict -q many long labels
same 'a class for each of 3000 rows: labels' 3000 "$(wc -l <labels | tr -d ' ')"
