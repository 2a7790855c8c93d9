# compilers.sh - models are the same with another compiler, clang where it is installed, with other flags, and without
# the functions that are compiled for several instruction sets. make portability tests more compilers and flags.
# shellcheck shell=sh

if is_sanitized; then
    skips 'compilers' 'done with the plain build'
    return
fi
compiler=''
for name in gcc clang; do
    if command -v "$name" >/dev/null 2>&1; then
        compiler=$name
    else
        skips "$name" 'it is not installed'
    fi
done
[ -n "$compiler" ] || return
flags='-O1 -march=native -DBASELINE'
if echo 'int main(void) { return 0; }' >probe.c && "$compiler" -fopenmp -o probe probe.c 2>/dev/null; then
    flags="$flags -fopenmp"
else
    skips "$compiler with threads" 'it has no OpenMP'
fi
mkdir other # models record the name train
program=$PWD/other/train
# shellcheck disable=SC2046,SC2086 # lists of words
if ! (cd "$ROOT" && "$compiler" -std=c99 -ffp-contract=off -Iinclude -Isrc $flags -o "$program" src/cli/train.c \
    $(find src -name mpi -prune -o -name '*.c' -exec grep -L '^int main(' {} +) -lm) 2>reason; then
    fails "$compiler $flags" 'a program' "$(head -n 3 reason)"
    return
fi

sets="$CANCER $DIGITS"
synth=${HINGE_SYNTH:-$ROOT/build/plain/synth}
if [ -x "$synth" ]; then
    "$synth" dense 600 150 3 --output dense
    sets="$sets $PWD/dense"
else
    skips 'compilers on rows of all features' "there is no program $synth"
fi
if [ -f "$LARGE/a9a" ]; then
    sets="$sets $LARGE/a9a"
else
    skips 'compilers on a9a' 'HINGE_DATA has no a9a'
fi
for data in $sets; do
    for solver in 1 3 7; do
        "$BIN/train" -q -b 1 -s "$solver" "$data" model
        "$program" -q -j 2 -b 1 -s "$solver" "$data" model.other
        same_bytes "$(basename "$data"), -s $solver, $compiler $flags" model model.other
        rm -f model model.other
    done
done
