# kill.sh - kill -9 at any moment: each file that a program writes is the old one or the whole new one. (Nothing can be
# promised for standard output.)
# shellcheck shell=sh

# The programs write for most of their time: wide has three classes, 60,000 features and few rows, long many rows.
awk 'BEGIN {
    for (i = 1; i <= 3; i++) {
        printf "%d", i
        for (j = 1; j <= 60000; j++) printf " %d:%.4f", j, i / (j + 1)
        print ""
    } }' >wide
awk 'BEGIN { for (i = 0; i < 60000; i++) print i % 3, i % 7 + 1 ":" i % 11 }' >long
echo 'an old file' >old

# timeless FILE: a table without its column of seconds, which differ in each run.
timeless() {
    awk -F , 'NR == 1 { for (k = 1; k <= NF; k++) if ($k == "seconds") seconds = k }
        { $seconds = ""; print }' "$1"
}

# same_content FILE FILE
same_content() {
    case $1 in
    *.csv) [ "$(timeless "$1" | cksum)" = "$(timeless "$2" | cksum)" ] ;;
    *) cmp -s "$1" "$2" ;;
    esac
}

# writing: the program has written something, or is gone.
writing() {
    for temporary in ./*.tmp-*; do
        [ ! -s "$temporary" ] || return 0
    done
    ! kill -0 "$number" 2>/dev/null
}

# killed_once DELAY EXPECTED OUTPUTS PROGRAM ARGUMENT...: EXPECTED says whether outputs exist before, "old" or "none".
# Adds the outputs that are neither old nor new to DAMAGED, and the number of temporary files left to MET.
killed_once() {
    delay=$1 expected=$2 outputs=$3 program=$4
    shift 4
    for output in $outputs; do
        rm -f "$output"
        [ "$expected" = none ] || cp old "$output"
    done
    "$BIN/$program" "$@" >/dev/null &
    number=$!
    if [ "$expected" = old ]; then # every other kill waits until the program writes
        until writing; do
            sleep 0.001
        done
    fi
    sleep "$delay"
    kill -s KILL "$number" 2>/dev/null
    wait "$number" 2>/dev/null
    for output in $outputs; do
        if [ -e "$output" ]; then
            same_content "$output" "whole.$output" ||
                { [ "$expected" = old ] && cmp -s "$output" old; } ||
                DAMAGED="$DAMAGED $output:$delay"
        elif [ "$expected" = old ]; then
            DAMAGED="$DAMAGED $output:$delay"
        fi
    done
    for temporary in ./*.tmp-*; do
        [ ! -e "$temporary" ] || MET=$((MET + 1))
        rm -f "$temporary"
    done
}

# killed OUTPUTS PROGRAM ARGUMENT...: the outputs are all files that the run writes.
killed() {
    outputs=$1 round=0 DAMAGED='' MET=0
    shift
    run "$@"
    for output in $outputs; do
        mv "$output" "whole.$output"
    done
    while read -r delay; do
        round=$((round + 1)) expected=none
        [ $((round % 2)) = 1 ] || expected=old
        killed_once "$delay" "$expected" "$outputs" "$@"
    done <delays
    same "$outputs, killed at any moment: delays that left something else" '' "$DAMAGED"
    [ "$MET" -gt 0 ] || skips "$outputs, killed at any moment" 'no kill met the writing'
}

if ! sleep 0.001 2>/dev/null; then
    skips 'killed at any moment' 'sleep takes whole seconds only'
else
    # Delays: up to 0.18 s, the time of a program, and up to 0.015 s into its writing.
    awk 'BEGIN { srand(); for (k = 0; k < 20; k++) printf "%.3f\n", (k % 2 ? 0.015 : 0.18) * rand() }' \
        >delays
    killed model train -q -i 3 wide model
    killed 'alpha trace.csv model' train -q -i 1 --alpha alpha --trace trace.csv long model
    killed path.csv train -q -C -v 2 --c-range 0:4 --path path.csv "$DIGITS"
    "$BIN/train" -q -i 1 long first
    killed rows.csv train -q -v 2 --predictions rows.csv "$DIGITS"
    killed 'labels points' predict -q --curve points long first labels
    killed labels predict -q --output-format both long first labels
    killed 'scaled ranges' scale -q -s ranges wide scaled
    killed again scale -q -r whole.ranges wide again
    awk 'BEGIN { print "x,c,y"; for (i = 0; i < 60000; i++) print i % 7 ",c" i % 500 "," i % 3 }' >table
    killed 'converted map' convert -q -s map --categorical c table converted
fi
