# lib.sh - what the subjects of train-mpi share: several ranks on this machine.
# shellcheck shell=sh disable=SC2016,SC2034

# As root in a container, more ranks than processors, which are to yield while they wait; -q: nothing
# but what the ranks say. A sanitizer's finds are those of hinge, not of the MPI library.
OMPI_ALLOW_RUN_AS_ROOT=1
OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
LSAN_OPTIONS=$LSAN_OPTIONS:suppressions=$ROOT/tests/mpi/leaks.txt:print_suppressions=0
export OMPI_ALLOW_RUN_AS_ROOT OMPI_ALLOW_RUN_AS_ROOT_CONFIRM LSAN_OPTIONS
LAUNCH=mpirun
OPEN_MPI=
if mpirun --version 2>/dev/null | grep -q 'Open MPI'; then
    OPEN_MPI=yes
    LAUNCH='mpirun -q --oversubscribe --mca mpi_yield_when_idle 1 --mca btl_vader_single_copy_mechanism none'
fi
SIZES='1 2 3 4 7'
SECONDS_ALLOWED=180 # as a round can take milliseconds where ranks share a processor with other work

# A leak is known by where it comes from, which libraries that are unloaded before the end hide: a dlclose
# that does nothing keeps them.
if is_sanitized && [ -n "$OPEN_MPI" ] && printf 'int dlclose(void *x) { return x == 0; }\n' >"$SCRATCH/keep.c" &&
    "${CC:-cc}" -shared -fPIC -o "$SCRATCH/keep.so" "$SCRATCH/keep.c" 2>/dev/null; then
    LAUNCH="$LAUNCH -x LD_PRELOAD=$SCRATCH/keep.so"
    ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}verify_asan_link_order=0
    export ASAN_OPTIONS
fi

# drop_lines: removes from $ERR what the program did not write: progress (drop_progress), a warning of Open MPI's
# launcher that it set a process group too late, a warning of its event loop about a connection that was closed
# during the end, and a sanitizer's line about a symbolizer that was killed with the ranks.
drop_lines() {
    drop_progress "$ERR"
    sed -e '/plm:rsh: Warning: setpgid/d' -e '/^\[warn\] Epoll /d' -e '/from symbolizer at fd/d' "$ERR" >"$SCRATCH/said"
    cat "$SCRATCH/said" >"$ERR"
}

# ranks NUMBER ARGUMENT...: train-mpi by so many.
ranks() {
    number=$1
    shift
    STATUS=0
    # shellcheck disable=SC2086 # words
    bounded $LAUNCH -n "$number" "$BIN/train-mpi" "$@" >"$OUT" 2>"$ERR" </dev/null || STATUS=$?
    drop_lines
}

# mixed_ranks NUMBER SCRIPT: each rank runs the script, whose $RANK is its number.
mixed_ranks() {
    number=$1
    printf '#!/bin/sh\nRANK=${OMPI_COMM_WORLD_RANK:-$PMI_RANK}\n%s\n' "$2" >each
    chmod +x each
    STATUS=0
    # shellcheck disable=SC2086 # words
    bounded $LAUNCH -n "$number" ./each >"$OUT" 2>"$ERR" </dev/null || STATUS=$?
    drop_lines
}

# ended NAME STATUS MESSAGE: the last run ended so, with this line alone, and printed nothing else.
ended() {
    same "$1" "status $2
$3" "status $STATUS
$(cat "$ERR" "$OUT")"
}

# agrees NAME SIZES ARGUMENT...: the model of ARGUMENT..., its dual variables and what is printed are those
# of one rank.
agrees() {
    what=$1 sizes=$2
    shift 2
    ranks 1 --alpha alpha "$@" one
    same "$what: exit status" "0 " "$STATUS $(grep -v 'advice: \|warning: \|primal ' "$ERR")"
    grep -v '^read\|^next\|^[0-9]* ranks' "$OUT" >printed
    for size in $sizes; do
        rm -f many alphas
        ranks "$size" --alpha alphas "$@" many
        same "$what, $size ranks: exit status" "0 " "$STATUS $(grep -v 'advice: \|warning: \|primal ' "$ERR")"
        same_bytes "$what, $size ranks" one many
        same_bytes "$what, $size ranks, alpha" alpha alphas
        grep -v '^read\|^next\|^[0-9]* ranks' "$OUT" >others
        same_bytes "$what, $size ranks, what is printed" printed others
    done
}

# as_train NAME ARGUMENT...: after agrees, that model is train's.
as_train() {
    what=$1
    shift
    rm -f alone
    "$BIN/train" -q "$@" alone
    same_file "$what: train's" alone one
}

# prints NAME SIZES ARGUMENT...: a validation prints what train prints.
prints() {
    what=$1 sizes=$2
    shift 2
    ranks 1 -q "$@"
    cp "$OUT" printed
    for size in $sizes; do
        ranks "$size" -q "$@"
        same "$what, $size ranks: exit status" "0 " "$STATUS $(cat "$ERR")"
        same_bytes "$what, $size ranks, what is printed" printed "$OUT"
    done
}
