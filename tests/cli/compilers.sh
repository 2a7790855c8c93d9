# compilers.sh - models are the same with any compiler, with other flags, and without the functions that are compiled
# for several instruction sets.
# shellcheck shell=sh

# has_openmp COMPILER
has_openmp() {
    echo 'int main(void) { return 0; }' >probe.c && "$1" -fopenmp -o probe probe.c 2>/dev/null
}

# builds COMPILER VARIANT: builds COMPILER.VARIANT/train, whose models record the name train. If it fails, the reason is
# in a file beside it.
builds() {
    program=$PWD/$1.$2/train
    mkdir "$1.$2"
    # shellcheck disable=SC2046 # lists of words
    (cd "$ROOT" && "$1" -std=c99 -ffp-contract=off -Iinclude -Isrc $(echo "$2" | tr _ ' ') \
        -o "$program" src/cli/train.c \
        $(find src -name mpi -prune -o -name '*.c' -exec grep -L '^int main(' {} +) -lm) 2>"$program.err"
}

# agrees COMPILER VARIANT DATA: this build and the program under test write the same models.
agrees() {
    if ! [ -x "$1.$2/train" ]; then
        fails "$1 $2" 'a program' "$(head -n 3 "$1.$2/train.err")"
        return
    fi
    for solver in 1 3 7; do
        rm -f other
        "$1.$2/train" -q -j 2 -b 1 -s "$solver" "$3" other
        same_bytes "$(basename "$3"), -s $solver, $1 $2" "model.$solver" other
    done
}

if is_sanitized; then
    skips 'compilers' 'done with the plain build'
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
first='' last=''
for compiler in gcc clang; do
    if command -v "$compiler" >/dev/null 2>&1; then
        first=${first:-$compiler} last=$compiler
    else
        skips "$compiler" 'it is not installed'
    fi
done
[ -n "$first" ] || return
openmp=''
if has_openmp "$last"; then
    openmp=_-fopenmp
else
    skips "$last with threads" 'it has no OpenMP'
fi
# gcc makes the first build, clang the second, which has threads. If only one compiler is there, it makes both. The
# target clang of make portability optimises more.
baseline=-O0_-DBASELINE native=-O1_-march=native$openmp
builds "$first" $baseline &
builds "$last" "$native"
wait
for data in $sets; do
    for solver in 1 3 7; do
        "$BIN/train" -q -b 1 -s "$solver" "$data" "model.$solver"
    done
    agrees "$first" $baseline "$data"
    agrees "$last" "$native" "$data"
done
