# determinism.sh - same data, options and seed: the same bytes. compilers.sh tests other compilers.
# shellcheck shell=sh

for data in "$CANCER" "$DIGITS"; do
    name=$(basename "$data")
    for solver in 1 3 7; do
        "$BIN/train" -q -s "$solver" "$data" first
        "$BIN/train" -q -s "$solver" "$data" second
        same_bytes "$name, -s $solver, twice" first second
        [ "$solver" -ne 7 ] || continue # Newton's method comes first, and draws nothing
        "$BIN/train" -q -s "$solver" --seed 2 "$data" second
        differ "$name, -s $solver, another seed" "$(weights first)" "$(weights second)"
    done
done
"$BIN/train" "$CANCER" first >/dev/null
"$BIN/train" -q "$CANCER" second
same_bytes 'with and without -q' first second
