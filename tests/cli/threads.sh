# threads.sh - -j N: every number of threads gives the same bytes, and little work takes one thread.
# shellcheck shell=sh

# A program without threads says so; the model is the same.
"$BIN/train" -q -j 1 "$CANCER" one
succeeds '-j 1' train -j 1 "$CANCER" other
run train -j 0 "$CANCER" other
warning='train: warning: -j is ignored: this program was built without OpenMP'
[ -z "${HINGE_OPENMP:-}" ] || warning=
same '-j 0' "status 0
${warning:+$warning
}." "status $STATUS
$(whole "$ERR")"
for threads in 0 2 256; do
    "$BIN/train" -q -j "$threads" "$CANCER" other
    same_bytes "breast-cancer, -j $threads" one other
done
"$BIN/train" -q "$CANCER" other
same_bytes 'breast-cancer, no -j' one other
try="
Try 'train --help'."
refuses 'too many' 2 "train: -j: at most 256$try" train -j 257 "$CANCER"
refuses 'too few' 2 "train: -j: '-1' is not a whole number$try" train -j -1 "$CANCER"
refuses 'half a thread' 2 "train: -j: '1.5' is not a whole number$try" train -j 1.5 "$CANCER"

# ---- With threads --------------------------------------------------------

if [ -z "${HINGE_OPENMP:-}" ]; then
    skips 'threads' 'built without OpenMP'
    return
fi

# make test runs a part of these tests. Sanitizers, which multiply the time, run a smaller part.
counts=3 solvers='1 3' sum_solvers=2
! is_complete || counts='3 8' solvers='0 1 2 3 5 6 7 50 60 61 enet pegasos' sum_solvers='2 5 11'
! is_sanitized || counts=2 solvers=3

# threads_of PROGRAM ARGUMENT...: the number of its threads, including the first one; 0 if it starts none.
threads_of() {
    OMP_DISPLAY_AFFINITY=true OMP_AFFINITY_FORMAT='thread %n of %N' "$@" 2>&1 |
        sed -n 's/^thread \([0-9]*\) of .*/\1/p' | sort -u | wc -l | tr -d ' '
}

# stays_alone NAME ARGUMENT...: the work is little, and no thread is begun.
stays_alone() {
    name=$1
    shift
    same "$name: no thread" 0 "$(threads_of "$BIN/train" -q -j 2 "$@")"
}

# has_threads NAME ARGUMENT...: -j 2 begins two threads.
has_threads() {
    name=$1
    shift
    if [ "$reported" = 2 ]; then
        same "$name: threads" 2 "$(threads_of "$BIN/train" -q -j 2 "$@")"
    else
        skips "$name: threads" "OpenMP's library does not tell them"
    fi
}
reported=2
[ ! -x "${HINGE_PROBE:-}" ] || reported=$(threads_of "$HINGE_PROBE" threads)

# agrees NAME ARGUMENT...: model and output are the same for every number of threads.
agrees() {
    name=$1
    shift
    rm -f one many
    "$BIN/train" -q -j 1 "$@" one >printed 2>&1
    for threads in $counts; do
        "$BIN/train" -q -j "$threads" "$@" many >others 2>&1
        same_bytes "$name, -j $threads" one many
        same_bytes "$name, -j $threads, what is printed" printed others
    done
}

# prints NAME ARGUMENT...: every number of threads prints the same.
prints() {
    name=$1
    shift
    "$BIN/train" -j 1 "$@" >printed 2>&1
    for threads in $counts; do
        "$BIN/train" -j "$threads" "$@" >others 2>&1
        same_bytes "$name, -j $threads" printed others
    done
}

same 'OMP_NUM_THREADS' 0 "$(OMP_NUM_THREADS=1 threads_of -v 5 "$DIGITS")"
stays_alone 'one problem' "$CANCER" other
stays_alone 'few classes' "$DIGITS" other
stays_alone 'small folds' -v 5 "$CANCER"

# Folds side by side, and for larger data the problems of ten classes.
has_threads 'larger folds' -v 5 "$DIGITS"
for solver in 0 1 3 4 5 11 hrmd-w; do
    prints "digits, -s $solver -v 5" -q -s "$solver" -v 5 "$DIGITS"
done
prints 'digits, -C' -q -C --c-range -4:4:2 -s 1 "$DIGITS"
prints 'digits, -C, -s 5' -q -C --c-range -4:4:2 -s 5 "$DIGITS"
prints 'digits, --metrics' -v 5 -q -s 3 --metrics=json "$DIGITS"
"$BIN/train" -q -j 1 -s 3 -v 5 --predictions rows "$DIGITS" >printed
"$BIN/train" -q -j 4 -s 3 -v 5 --predictions others "$DIGITS" >printed
same_bytes 'digits, --predictions' rows others

# A row without features has the same value in all classes. The first class gets it, whichever class ended first.
awk 'BEGIN {
    x = 1
    for (i = 0; i < 4500; i++) {
        printf "%d", i < 40 ? i : i % 3 ? 0 : 1 + i % 39
        for (j = 1; i % 20 != 19 && j <= 12; j++) {
            x = x * 16807 % 2147483647
            printf " %d:%d", j, x % 19 - 9
        }
        print ""
    }
}' >ties
has_threads 'forty classes' -v 20 -s 1 -i 30 ties
"$BIN/train" -q -j 1 -v 20 -s 1 -i 30 --predictions rows ties >printed
for threads in $counts; do
    "$BIN/train" -q -j "$threads" -v 20 -s 1 -i 30 --predictions others ties >printed
    same_bytes "equal classes, -j $threads" rows others
done

awk '{ for (i = 0; i < 5; i++) print }' "$DIGITS" >digits
has_threads 'ten classes' digits other
for solver in $solvers; do
    agrees "ten classes, -s $solver" -s "$solver" digits
done
agrees 'ten classes, -b 1' -b 1 -s 3 digits
agrees 'ten classes, -i 2' -i 2 -s 3 digits
"$BIN/train" -q -j 1 -s 1 --alpha alpha digits one
"$BIN/train" -q -j 3 -s 1 --alpha alphas digits many
same_bytes 'ten classes, --alpha' alpha alphas

# The results of the classes are printed in the order of the classes, whichever ended first.
"$BIN/train" -j 1 -s 3 digits other | sed '/^read /d' >printed
for threads in $counts; do
    "$BIN/train" -j "$threads" -s 3 digits other | sed '/^read /d' >others
    same_bytes "what is printed of ten classes, -j $threads" printed others
done

# Sums of one problem, whose shards threads compute.
synth=${HINGE_SYNTH:-$ROOT/build/plain/synth}
if is_sanitized; then
    skips 'sums' 'done with the plain build'
elif [ -x "$synth" ]; then
    "$synth" covtype 620000 --output sums
    has_threads 'sums' -s 2 sums other
    for solver in $sum_solvers; do
        agrees "sums, -s $solver" -s "$solver" sums
    done
    rm sums
else
    skips 'sums' "there is no program $synth"
fi

# Threads write 150,000 weights.
awk 'BEGIN { for (i = 0; i < 60; i++) printf "%d %d:1 %d:0.5\n", i % 30, i + 1, 4056 + i * 16 }' >wide
has_threads 'many weights' -s 3 wide other
agrees 'many weights' -s 3 wide

is_complete || return 0

# The first of all failures is reported, whichever thread met it.
awk 'BEGIN { for (i = 0; i < 100000; i++) print 1 + i % 3, "1:" (i % 3 == 0 ? "1e200" : i % 3 == 1 ? "-1e200" : 1) }' >far
has_threads 'out of range' -s 1 -c 1e50 far other
counts=3 # what follows takes long
prints 'out of range' -q -s 1 -c 1e50 far
prints 'out of range, folds' -q -s 1 -c 1e50 -v 3 far

# The shards of one problem's sums, and larger problems side by side.
for big in letter covtype-93k; do
    if [ ! -f "$LARGE/$big" ]; then
        skips "$big" "HINGE_DATA has no $big"
        continue
    fi
    for solver in 0 2 3; do
        agrees "$big, -s $solver" -s "$solver" "$LARGE/$big"
    done
done
