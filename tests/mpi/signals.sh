# signals.sh - Ctrl-C to mpirun, signals to ranks, ranks that are killed, and going on from a checkpoint.
# shellcheck shell=sh disable=SC2016

# shellcheck source=tests/mpi/lib.sh
. "$ROOT/tests/mpi/lib.sh"

if is_sanitized; then
    skips signals 'takes long with sanitizers'
    return
fi
# of_classes NUMBER: prints data of NUMBER classes. They are trained one after the other.
of_classes() {
    awk -v number="$1" 'BEGIN {
        srand(3)
        for (i = 0; i < 3000; i++) {
            printf "%d", i % number
            for (j = 1; j <= 120; j++) printf " %d:%.6f", j, rand()
            print ""
        }
    }'
}
of_classes 300 >many
long='-s 61 -c 100 -g 1e-9'

# meets SIGNAL WHOM READY NUMBER ARGUMENT...: runs NUMBER ranks. Rank WHOM, or mpirun, gets the signal once READY
# succeeds. The ranks run in the foreground, because a shell lets programs in the background ignore SIGINT. Sets TOOK.
meets() {
    signal=$1 whom=$2 ready=$3 number=$4
    shift 4
    begin=$(date +%s)
    rm -f pid.*
    (
        await test -s pid.mpirun
        await "$ready"
        kill -s "$signal" "$(cat "pid.$whom")"
    ) &
    killer=$!
    # shellcheck disable=SC2016 # for the ranks
    printf '#!/bin/sh\necho $$ >"pid.${OMPI_COMM_WORLD_RANK:-$PMI_RANK}"\nexec "$BIN/train-mpi" "$@"\n' >each
    chmod +x each
    STATUS=0
    # shellcheck disable=SC2086,SC2016 # words, for the inner shell
    bounded sh -c 'echo $$ >pid.mpirun; exec "$@"' sh $LAUNCH -n "$number" ./each "$@" >"$OUT" 2>"$ERR" \
        </dev/null || STATUS=$?
    wait "$killer"
    TOOK=$(($(date +%s) - begin))
}

progress() {
    grep -q 'class [0-9]* of 300' "$ERR"
}

# done_classes: prints the number of certified classes of the checkpoint.
done_classes() {
    record saved outcome | tr ' ' '\n' | grep -c -x certified
}

saved() {
    [ -s saved ] && [ "$(done_classes)" -gt 0 ]
}

# no_ranks: true if no rank is left.
no_ranks() {
    for pid in pid.*; do
        ! kill -0 "$(cat "$pid")" 2>/dev/null || return 1
    done
}

# ---- The model so far --------------------------------------------------------

for case in 'INT mpirun' 'TERM 0'; do
    name="SIG${case% *} to ${case#* }"
    rm -f model
    # shellcheck disable=SC2086
    meets "${case% *}" "${case#* }" progress 3 $long many model
    case $case in
    *mpirun) holds "$name: exit status" test "$STATUS" -ne 0 -a "$STATUS" -ne 124 -a "$STATUS" -ne 137 ;;
    *) same "$name: exit status" 130 "$STATUS" ;;
    esac
    holds "$name: the model says so" grep -q -E '^# outcome ([a-z]+ )*interrupted( not-begun)+$' model
    same "$name: the model is complete" 120 "$(weights model | awk 'w && NF == 300 { n++ } $1 == "w" { w = 1 } END { print n }')"
    same "$name: no temporary file" '' "$(temporaries)"
    holds "$name: no rank is left" await no_ranks
    holds "$name: soon" test "$TOOK" -lt 120
done

values() {
    grep -q '^log2c=' "$OUT"
}

# Only one rank gets the signal. All ranks end the search, and write nothing.
rm -f model
meets INT 0 values 3 -s 2 -C --c-range -8:20:0.05 --refit --path path "$CANCER" model
same '-C: exit status' 130 "$STATUS"
holds '-C: the best so far' grep -q '^Best C = ' "$OUT"
holds '-C: it says that it is not all' grep -q '^Incomplete = .* values of C (interrupted)$' "$OUT"
same '-C: no model, no path' '' "$(find . -name 'model*' -o -name 'path*')"
holds '-C: no rank is left' await no_ranks

# ---- Killed -------------------------------------------------------------------

echo old >model
for rank in 0 1 2; do
    # shellcheck disable=SC2086
    meets KILL "$rank" progress 3 $long many model
    same "rank $rank is killed: exit status" 137 "$STATUS"
    same "rank $rank is killed: the old model" old "$(cat model)"
    same "rank $rank is killed: no temporary file" '' "$(temporaries)"
    same "rank $rank is killed: at most one line but those of progress" '' "$(
        grep -v -e 'class [0-9]* of 300' -e 'advice: ' -e 'warning: 300 labels' "$ERR" | tail -n +2)"
    holds "rank $rank is killed: no rank is left" await no_ranks
    holds "rank $rank is killed: soon" test "$TOOK" -lt 120
done

# ---- Going on ------------------------------------------------------------------

# This run goes to its end, so it has fewer classes.
of_classes 30 >some
# shellcheck disable=SC2086
meets KILL 1 saved 3 -q $long --checkpoint saved --checkpoint-every 0.001 some model
same 'killed: exit status' 137 "$STATUS"
same 'killed: the old model' old "$(cat model)"
done=$(done_classes)
holds 'killed: the checkpoint has classes that are done, and not all' test "$done" -gt 0 -a "$done" -lt 30
ranks 2 -s 61 -c 100 -g 1e-3 --checkpoint saved some model
same 'again: exit status' 0 "$STATUS"
same 'again: where it starts' 'train-mpi: starts from the checkpoint saved' "$(grep checkpoint "$ERR")"
same 'again: certified' 30 "$(record model outcome | tr ' ' '\n' | grep -c -x certified)"
same 'again: the checkpoint is removed' '' "$(find . -name saved)"
# shellcheck disable=SC2086
ranks 3 -q $long --time-limit 2 --checkpoint saved many model
same 'a limit of time: exit status' 0 "$STATUS"
same_bytes 'a limit of time: the checkpoint is the model' model saved
mkdir other
cp many other/many
mixed_ranks 3 '[ "$RANK" != 2 ] || cd other
exec "$BIN/train-mpi" -q --checkpoint saved many model'
ended 'a rank that does not see the checkpoint' 3 \
    'train-mpi: rank 2 of 3: cannot open saved: No such file or directory'
