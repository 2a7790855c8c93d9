# threads.sh - -j N: the same bytes for every number of threads, from a program with threads and one without.
# shellcheck shell=sh

# A program without threads says so, one with them (make OPENMP=1) does not; the model is the same.
"$BIN/train" -q "$CANCER" one
succeeds '-j 1' train -j 1 "$CANCER" other
run train -j 0 "$CANCER" other
warning='train: warning: -j is ignored: this program was built without OpenMP (make OPENMP=1)'
[ -z "${HINGE_OPENMP:-}" ] || warning=
same '-j 0' "status 0
$(whole_lines "$warning")" "status $STATUS
$(whole "$ERR")"
for threads in 0 2 256; do
    "$BIN/train" -q -j "$threads" "$CANCER" other
    same_bytes "breast-cancer, -j $threads" one other
done
try="
Try 'train --help'."
refuses 'too many' 2 "train: -j: more than 256$try" train -j 257 "$CANCER"
refuses 'too few' 2 "train: -j: '-1' is not a whole number$try" train -j -1 "$CANCER"
refuses 'half a thread' 2 "train: -j: '1.5' is not a whole number$try" train -j 1.5 "$CANCER"

# ---- With threads --------------------------------------------------------

compiler=$(cut -d ' ' -f 1 "$ROOT/build/plain/flags" 2>/dev/null)
if is_sanitized; then
    skips 'threads' 'done with the plain build'
    return
fi
mkdir with
threaded=$PWD/with/train
# shellcheck disable=SC2046 # lists of words
if [ -n "${HINGE_THREADED:-}" ]; then # a program with threads that is there already
    cp "$HINGE_THREADED" "$threaded"
elif ! (cd "$ROOT" && "${compiler:-cc}" -std=c99 -ffp-contract=off -O1 -fopenmp -Iinclude -Isrc -o "$threaded" \
    src/cli/train.c $(find src -name mpi -prune -o -name '*.c' -exec grep -L '^int main(' {} +) -lm) 2>errors; then
    skips 'threads' "${compiler:-cc} has no OpenMP"
    return
fi

# agrees NAME ARGUMENT...: the model of ARGUMENT..., what is printed, and the dual variables are the same.
agrees() {
    name=$1
    shift
    rm -f one many
    "$BIN/train" -q "$@" one >printed 2>&1
    for threads in 2 3 8; do
        with/train -q -j "$threads" "$@" many >others 2>&1
        same_bytes "$name, -j $threads" one many
        same_bytes "$name, -j $threads, what is printed" printed others
    done
}

# prints NAME ARGUMENT...: a validation prints the same.
prints() {
    name=$1
    shift
    "$BIN/train" -q "$@" >printed 2>&1
    for threads in 2 3 8; do
        with/train -q -j "$threads" "$@" >others 2>&1
        same_bytes "$name, -j $threads" printed others
    done
}

for data in "$CANCER" "$DIGITS"; do
    for solver in 0 1 2 3 4 5 6 7 50 60 61 enet softmax pegasos; do
        agrees "$(basename "$data"), -s $solver" -s "$solver" "$data"
    done
    agrees "$(basename "$data"), -s 11" -s 11 "$data"
    agrees "$(basename "$data"), -b 1" -b 1 -s 3 "$data"
    agrees "$(basename "$data"), -i 2" -i 2 -s 3 "$data"
    for solver in 0 1 3 4 5 11 hrmd-w; do
        prints "$(basename "$data"), -s $solver -v 5" -s "$solver" -v 5 "$data"
    done
    prints "$(basename "$data"), -C" -C --c-range -4:4:2 -s 1 "$data"
    prints "$(basename "$data"), -C, -s 5" -C --c-range -4:4:2 -s 5 "$data"
    prints "$(basename "$data"), --metrics" -v 3 -s 3 --metrics=json "$data"
    "$BIN/train" -q -s 1 --alpha alpha "$data" one
    with/train -q -j 3 -s 1 --alpha alphas "$data" many
    same_bytes "$(basename "$data"), --alpha" alpha alphas
    "$BIN/train" -q -s 3 -v 4 --predictions rows "$data" >printed
    with/train -q -j 4 -s 3 -v 4 --predictions others "$data" >printed
    same_bytes "$(basename "$data"), --predictions" rows others
done

# 150,000 weights, which threads write.
awk 'BEGIN { for (i = 0; i < 60; i++) printf "%d %d:1 %d:0.5\n", i % 30, i + 1, 4056 + i * 16 }' >wide
agrees 'many weights' -s 3 wide

# The first failure of all, whichever thread met it.
printf '%s\n' '1 1:1e200' '2 1:-1e200' '3 1:1' >far
prints 'out of range' -s 1 -c 1e50 far
prints 'out of range, folds' -s 1 -c 1e50 -v 3 far

# The shards of one problem's sums, and larger problems side by side.
for big in a9a letter covtype-93k; do
    if [ ! -f "$LARGE/$big" ]; then
        skips "$big" "HINGE_DATA has no $big"
        continue
    fi
    for solver in 0 2 3; do
        agrees "$big, -s $solver" -s "$solver" "$LARGE/$big"
    done
done
