# lib.sh - runs several ranks of train-mpi on this machine, for the subjects of this folder.
# shellcheck shell=sh disable=SC2016,SC2034

# The launcher runs as root in a container, and starts more ranks than processors; ranks yield while they wait. With -q
# it prints only the output of the ranks. Leaks of the MPI library are not reported.
OMPI_ALLOW_RUN_AS_ROOT=1
OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
LSAN_OPTIONS=$LSAN_OPTIONS:suppressions=$ROOT/tests/mpi/leaks.txt:print_suppressions=0
# A launcher that ends removes the folder that it shares with the others of this user, if it is empty. One that begins at
# that moment fails, so each subject has a folder of its own.
OMPI_MCA_orte_tmpdir_base=$SCRATCH
export OMPI_ALLOW_RUN_AS_ROOT OMPI_ALLOW_RUN_AS_ROOT_CONFIRM OMPI_MCA_orte_tmpdir_base LSAN_OPTIONS
LAUNCH=mpirun
OPEN_MPI=
if mpirun --version 2>/dev/null | grep -q 'Open MPI'; then
    OPEN_MPI=yes
    LAUNCH='mpirun -q --oversubscribe --mca mpi_yield_when_idle 1 --mca btl_vader_single_copy_mechanism none'
fi
SIZES='1 2 3 4 7'
SECONDS_ALLOWED=600 # a round can take milliseconds if ranks share a processor with other work

# Leaks are suppressed by the library that they come from. Libraries must therefore stay loaded until the end: dlclose
# does nothing.
if is_sanitized && [ -n "$OPEN_MPI" ] && printf 'int dlclose(void *x) { return x == 0; }\n' >"$SCRATCH/keep.c" &&
    "${CC:-cc}" -shared -fPIC -o "$SCRATCH/keep.so" "$SCRATCH/keep.c" 2>/dev/null; then
    LAUNCH="$LAUNCH -x LD_PRELOAD=$SCRATCH/keep.so"
    ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}verify_asan_link_order=0
    export ASAN_OPTIONS
fi

# drop_lines: removes from $ERR the lines that the program did not write: progress (drop_progress), a sanitizer's line
# about a symbolizer that was killed with the ranks, and notes of Open MPI and its launcher, which depend on the load.
# Those begin with [HOST:PROCESS], or with [warn] or [err] of the launcher's event loop. Notes with *** stay: Open MPI
# reports crashes and failed calls so.
drop_lines() {
    drop_progress "$ERR"
    sed -E -e '/[*]{3}/b' -e '/^\[(warn|err|[^] ]+:[0-9]+)\] /d' -e '/from symbolizer at fd/d' "$ERR" >"$SCRATCH/said"
    cat "$SCRATCH/said" >"$ERR"
}

# ranks NUMBER ARGUMENT...: runs train-mpi by NUMBER ranks.
ranks() {
    number=$1
    shift
    STATUS=0
    # shellcheck disable=SC2086 # words
    bounded $LAUNCH -n "$number" "$BIN/train-mpi" "$@" >"$OUT" 2>"$ERR" </dev/null || STATUS=$?
    drop_lines
}

# mixed_ranks NUMBER SCRIPT: runs the script as each rank. $RANK is the rank's number.
mixed_ranks() {
    number=$1
    printf '#!/bin/sh\nRANK=${OMPI_COMM_WORLD_RANK:-$PMI_RANK}\n%s\n' "$2" >each
    chmod +x each
    STATUS=0
    # shellcheck disable=SC2086 # words
    bounded $LAUNCH -n "$number" ./each >"$OUT" 2>"$ERR" </dev/null || STATUS=$?
    drop_lines
}

# ended NAME STATUS MESSAGE: checks the exit status of the last run, and that it printed MESSAGE and nothing else.
ended() {
    same "$1" "status $2
$3" "status $STATUS
$(cat "$ERR" "$OUT")"
}

# agrees NAME SIZES ARGUMENT...: checks that several ranks and one write the same model and dual variables, and print
# the same.
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

# as_train NAME ARGUMENT...: checks, after agrees, that train writes the same model.
as_train() {
    what=$1
    shift
    rm -f alone
    "$BIN/train" -q "$@" alone
    same_file "$what: train's" alone one
}

# prints NAME SIZES ARGUMENT...: checks that several ranks print what one rank prints in a validation.
prints() {
    what=$1 sizes=$2
    shift 2
    ranks 1 -q "$@"
    cp "$OUT" printed
    advice=$(grep 'warning: the best C is' "$ERR")
    for size in $sizes; do
        ranks "$size" -q "$@"
        same "$what, $size ranks: exit status" "0 $advice" "$STATUS $(cat "$ERR")"
        same_bytes "$what, $size ranks, what is printed" printed "$OUT"
    done
}
