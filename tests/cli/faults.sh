# faults.sh - refuses calls of the C library, and sends SIGINT, to programs that are processes, with files on the disk.
# test_calls.c makes the same demands on exit status, message and files for the programs as functions, for every call
# and for many more command lines.
# shellcheck shell=sh disable=SC3013 # all shells have test -ef, and POSIX since 2024
#
# HINGE_FAULTY is the folder of the programs linked with faults.c. Not every linker can make them.

# run_with FAULT: runs the program with the fault, over an old output, which is a name of the file "old". Sets
# STATUS, FIRST to the first line on standard error, and BAD if something is left behind or "old" has changed.
run_with() {
    STATUS=0 FIRST='' BAD=''
    [ -z "$output" ] || [ "$output" -ef old ] || ln -f old "$output"
    : >log
    # shellcheck disable=SC2086 # a list of words
    ASAN_OPTIONS=$ASAN_OPTIONS:detect_leaks=0 HINGE_FAULT=$1 HINGE_FAULT_LOG=log \
        "$HINGE_FAULTY/$program" $words >out 2>err <rows || STATUS=$?
    IFS= read -r FIRST <err
    IFS= read -r rest <log
    [ "$rest" = 'left 0 blocks, 0 streams' ] || [ "$STATUS" = 130 ] || BAD=$rest
    for temporary in ./*.tmp-*; do
        [ ! -e "$temporary" ] || BAD="$BAD $temporary"
    done
    cmp -s old pristine || BAD="$BAD old"
}

# is_right old|new: the output is the old file, or the output of the run without a fault.
is_right() {
    case $1 in
    old) [ -z "$output" ] || [ "$output" -ef old ] ;;
    new) [ -z "$output" ] || cmp -s "$output" right ;;
    esac
}

# judge KIND: adds the faults of the run to BAD. If only the printing failed, the output may be new.
judge() {
    case "$1 $STATUS $FIRST" in
    "alloc 4 $program: out of memory: no room for "*' bytes') is_right old ;;
    "open 3 $program: cannot "*": $why") is_right old ;;
    "read 3 $program: cannot read "*": $why") is_right old ;;
    "print 3 $program: cannot write standard output: $why") is_right old || is_right new ;;
    "write 3 $program: cannot write "*": $why") is_right old ;;
    "close 3 $program: cannot write "*": $why") is_right old ;;
    "rename 3 $program: cannot write "*": $why") is_right old ;;
    "seek 3 $program: cannot "*) is_right old ;;
    'signal 130 ') is_right old ;;
    'signal 130 train: '*) grep -q '^# outcome interrupted' "$output" ;;
    *" 0 $usual") is_right new ;;
    *) false ;;
    esac || BAD="$BAD [status $STATUS, $FIRST]"
}

# scenario OUTPUT PROGRAM ARGUMENT...: refuses the last call of each kind, and the first one with all later ones. Sends
# SIGINT before the last call, and after a rename.
scenario() {
    output=$1 program=$2 why=''
    shift 2
    words=$*
    run_with ''
    usual=$FIRST
    cp log calls
    [ -z "$output" ] || cp "$output" right
    is_right new || BAD="$BAD $output"
    same "$program: without a fault" '0' "$STATUS$BAD"
    run_with trickle
    judge trickle
    same "$program: bytes that come in drops" '' "$BAD"
    for kind in alloc open read write seek close rename print; do
        last=$(sed -n "s/^$kind //p" calls) why=$(sed -n "s/^reason $kind //p" calls)
        [ "$last" -gt 0 ] || continue
        for fault in "$kind $last" "$kind 1 on"; do
            run_with "$fault"
            judge "$kind"
            same "$program: $fault refused" '' "$BAD"
        done
        [ "$kind" != alloc ] || continue
        [ "$kind" != rename ] || last="$last after"
        run_with "signal $kind $last"
        judge signal
        same "$program: SIGINT, $kind $last" '' "$BAD"
    done
}

if [ ! -x "${HINGE_FAULTY:-}/train" ]; then
    skips 'refused calls' 'there are no programs over faults.c (HINGE_FAULTY)'
else
    head -n 40 "$CANCER" >rows
    awk 'BEGIN { for (i = 0; i < 5000; i++) print "old" }' >old # longer than any output
    cp old pristine
    awk 'BEGIN { print "size,color,y"; for (i = 0; i < 60; i++) printf "%d,c%d,%d\n", i, i % 9, i % 3 }' >table
    "$BIN/train" -q rows first
    scenario model train -s 1 -c 10 rows model
    scenario labels predict - first labels
    scenario scaled scale -l 0 -u 1 rows scaled
    scenario converted convert --categorical color table converted
    scenario '' inspect first
fi
