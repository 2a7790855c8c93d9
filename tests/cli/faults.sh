# faults.sh - every allocation, opening, read, write, close and rename refused in turn: the
# documented exit status, one line that says why, what was there before still there, nothing leaked.
# And a signal at each: the files are what the exit status says.
# shellcheck shell=sh disable=SC3013 # all shells have test -ef, and POSIX since 2024
#
# There are tens of thousands of runs: for what is right in most of them no other program is started, and
# what was not given back is counted in faults.c alone, not by the sanitizer too, in half the time.
# HINGE_FAULTY holds the programs over the C library of faults.c. One check stands for all calls
# of a kind in a run; the numbers of calls are printed at the end.

# survive FAULT ARGUMENT...: runs the scenario's program so, over old files. Sets STATUS, and FIRST
# and SECOND to the lines on standard error, but for those of progress, which come after a second; LEFT to
# what was not given back.
survive() {
    fault=$1
    shift
    STATUS=0 FIRST='' SECOND='' LEFT=''
    : >log
    ASAN_OPTIONS=$ASAN_OPTIONS:detect_leaks=0 HINGE_FAULT=$fault HINGE_FAULT_LOG=log \
        "$HINGE_FAULTY/$program" "$@" >out 2>err <"$input" || STATUS=$?
    while [ -z "$SECOND" ] && IFS= read -r line; do
        case $line in
        *', relative gap '* | *'epoch '*', objective '*) ;;
        *) if [ -z "$FIRST" ]; then FIRST=$line; else SECOND=$line; fi ;;
        esac
    done <err
    IFS= read -r LEFT <log
    [ "$LEFT" != 'left 0 blocks, 0 streams' ] || LEFT=
}

# is_new FILE: it is what the run without a fault wrote; of tables with times in them lines count.
is_new() {
    case $1 in
    *.csv) [ "$(grep -c . "$1")" = "$(grep -c . "right.$1")" ] ;;
    *) cmp -s "$1" "right.$1" ;;
    esac
}

# What is there before a run: links to the file "old". A program that writes to what is there, and not a
# new file in its place, changes "old" itself, which is looked at after all runs of a kind.
make_old() {
    for output in $outputs; do
        is_old "$output" || ln -f old "$output"
    done
}

is_old() {
    [ "$1" -ef old ]
}

# still_old: adds to BAD, and mends it, if some run has written into "old".
still_old() {
    cmp -s old pristine && return
    damaged 'some run before: the old file was written to'
    cp pristine old
}

# An engine, or steps on faces, that there was no memory for: another model, as good.
did_without() {
    [ -n "$outputs" ] && ! is_new "${outputs%% *}" &&
        grep -q '^# outcome certified' "${outputs%% *}"
}

# reason KIND: the C library's words for why such a call failed.
reason() {
    sed -n "s/^reason $1 //p" calls
}

damaged() {
    BAD="$BAD [$fault: $1]"
}

# judge KIND: adds to BAD what is wrong with the run.
judge() {
    [ -z "$LEFT" ] || damaged "$LEFT"
    for output in ./*.tmp-*; do
        [ ! -e "$output" ] || damaged "left behind: $output"
    done
    if [ "$1 $STATUS" = 'alloc 0' ] && did_without; then
        make_old
        return
    fi
    case "$1 $STATUS $FIRST" in
    "alloc 4 $program: out of memory: no room for "*' bytes') ;;
    "open 3 $program: cannot "*": $why") ;;
    "read 3 $program: cannot read "*": $why") ;;
    "write 3 $program: cannot write "*": $why") ;;
    # The disk had room again when it was asked a last time.
    "write 3 $program: cannot write "*': input/output error') ;;
    "print 3 $program: cannot write standard output: $why") ;;
    "close 3 $program: cannot write "*": $why") ;;
    "rename 3 $program: cannot write "*": $why") ;;
    "seek 3 $program: cannot "*) ;;
    *" 0 $usual") ;;
    *) damaged "status $STATUS, $FIRST" ;;
    esac
    [ "$STATUS" = 0 ] || [ -z "$SECOND" ] || damaged "a second line, $SECOND"
    for output in $outputs; do
        if [ "$STATUS" != 0 ] && is_old "$output"; then
            continue
        fi
        is_new "$output" || damaged "$output"
        # Of one file: nothing was done, unless it was done and the rest could not be said.
        case "$1 $STATUS:$outputs:$name" in
        *' 0:'* | print* | *:*' '*:* | alloc*:labels:*metrics) ;;
        *) damaged "the old $output is gone" ;;
        esac
        ln -f old "$output"
    done
}

# each KIND CALLS ARGUMENT...: refuses each call of a kind, alone, and again with all after it.
each() {
    calls=$2 BAD=
    why=$(reason "$kind")
    shift 2
    for on in '' $again; do
        call=0
        while [ "$call" -lt "$calls" ]; do
            call=$((call + 1))
            survive "$kind $call $on" "$@"
            judge "$kind"
            echo "$kind $STATUS" >>refused
        done
    done
    still_old
    same "$name: $kind refused" '' "$BAD"
}

# some_reads ARGUMENT...: refuses some reads and seeks of the last scenario and all after them.
some_reads() {
    program=$1 BAD=
    shift
    ln -f old model
    for kind in read seek; do
        calls=$(sed -n "s/^$kind //p" calls) call=1
        why=$(reason "$kind")
        while [ "$call" -lt "$calls" ]; do
            survive "$kind $call on" "$@"
            judge "$kind"
            echo "$kind $STATUS" >>refused
            call=$((call + 1 + calls / 12))
        done
    done
    still_old
    rm -f model
    same "$name: some reads refused" '' "$BAD"
}

# obeyed: what there is after SIGINT is what the exit status says: all outputs are new, or all are
# old, or all are those of a training that was interrupted.
obeyed() {
    [ -z "$FIRST" ] || [ "$FIRST" = "$usual" ] || [ "$STATUS" != 0 ] || damaged "said $FIRST"
    for output in ./*.tmp-*; do
        [ ! -e "$output" ] || damaged "left behind: $output"
        rm -f "$output"
    done
    old=0 new=0 all=0
    for output in $outputs; do
        all=$((all + 1))
        if is_old "$output"; then
            old=$((old + 1))
        elif is_new "$output"; then
            new=$((new + 1))
        fi
    done
    case $STATUS in
    0) [ "$new" = "$all" ] || damaged "status 0, $new of $all new" ;;
    130) [ "$old" = "$all" ] || { [ "$old" = 0 ] && grep -q -E '^# (outcome|sigmoid).* interrupted' "${outputs%% *}"; } ||
        damaged "status 130, $old of $all old" ;;
    *) damaged "status $STATUS, $FIRST" ;;
    esac
    make_old
}

# interrupted ARGUMENT...: SIGINT at each call that has to do with files.
interrupted() {
    BAD=
    make_old
    for moment in open read write seek close print rename 'rename after'; do
        kind=${moment% after}
        calls=$(sed -n "s/^$kind //p" calls) call=0
        while [ "$call" -lt "$calls" ]; do
            call=$((call + 1))
            survive "signal $kind $call${moment#"$kind"}" "$@"
            obeyed
            echo "signal $STATUS" >>refused
        done
    done
    still_old
    same "$name: SIGINT" '' "$BAD"
}

# scenario NAME OUTPUTS INPUT PROGRAM ARGUMENT...: the outputs are all files that the run writes.
scenario() {
    name=$1 outputs=$2 input=$3 program=$4 why=
    shift 4
    usual='' BAD=
    make_old
    survive '' "$@"
    usual=$FIRST
    same "$name: exit status, left behind" '0' "$STATUS$LEFT"
    cp out right.out
    cp log calls
    for output in $outputs; do
        mv "$output" "right.$output"
    done
    make_old
    survive trickle "$@"
    judge trickle
    same "$name: bytes that come in drops" '' "$BAD"
    [ -z "$again" ] || interrupted "$@"
    for kind in $kinds; do
        each "$kind" "$(sed -n "s/^$kind //p" calls)" "$@"
    done
    # shellcheck disable=SC2086 # a list of words; none is to be written to while it is a link
    [ -z "$outputs" ] || rm $outputs
}

if [ ! -x "${HINGE_FAULTY:-}/train" ]; then
    skips 'refused calls' 'there are no programs over faults.c (HINGE_FAULTY)'
else
    head -n 40 "$CANCER" >data
    head -n 20 "$CANCER" | tail -n 7 >rows
    awk '{ print 0.5 + NR % 3 }' data >weights
    awk '{ $1 = NR % 3; print }' data >three
    awk 'BEGIN {
        x = 1
        for (i = 0; i < 80; i++) {
            printf "%d", i % 2 ? 1 : -1
            for (j = k = 0; k < 30; k++) {
                x = (x * 16807) % 2147483647
                printf " %d:%d", j += 1 + x % 40, 1 + x % 7
            }
            print ""
        } }' >wide
    awk 'BEGIN { # some more than 64 kB of non-zeros: few are read again
        x = 1
        for (i = 0; i < 610; i++) {
            printf "%d", i % 3 ? 1 : -1
            for (j = 1; j <= 30; j++) {
                x = (x * 16807) % 2147483647
                if (x % 4 > 0) printf " %d:%.2f", j, x % 100 / 100 + i % 3 / 5
            }
            print ""
        } }' >long
    # Longer than what is written over it.
    awk 'BEGIN { for (i = 0; i < 5000; i++) print "old" }' >old
    cp old pristine
    : >refused
    kinds='alloc open read write seek close rename print' again=on
    if is_sanitized; then # which is about memory, and slow
        kinds=alloc again=
    fi
    for solver in dcd-l2 dcd-l1 newton-l2 lr-newton lr-dcd l1r-l2loss l1r-lr ipm pnewton smo; do
        scenario "$solver" model data train -s "$solver" -c 10 - model
        case $solver in # all their methods take part, in milliseconds
        l1r*) cost=10 ;;
        *) cost=1000 ;;
        esac
        scenario "$solver, many features" model /dev/null train -s "$solver" -c "$cost" wide model
    done
    scenario 'enet' model data train -s enet --l1 1e-3 -c 1000 - model
    scenario 'enet, many features' model /dev/null train -s enet --l1 1 wide model
    scenario 'one-class' 'model alpha' data train -s one-class -n 0.2 --alpha alpha - model
    scenario 'one-class, many features' model /dev/null train -s one-class -n 0.2 wide model
    for solver in pegasos sgd sgd-w sgd-suffix comid hrmd-w; do
        scenario "$solver" model /dev/null train -q -s "$solver" -T 50 data model
    done
    scenario 'pegasos, a random iterate' model /dev/null \
        train -s pegasos -T 50 --average random -k 3 data model
    scenario 'hrmd-w, l1, permuted' model /dev/null \
        train -s hrmd-w -T 50 --l1 1e-3 --sampling permute data model
    scenario 'three classes' model /dev/null train -B 1 three model
    for solver in softmax crammer-singer; do
        scenario "$solver" 'model alpha' three train -s "$solver" -c 10 --alpha alpha - model
        scenario "$solver, two classes" 'model alpha' data \
            train -s "$solver" -c 10 --alpha alpha - model
    done
    scenario 'softmax, free biases' model /dev/null train -s softmax -B 1 -R -c 1000 three model
    scenario 'softmax, validation' '' /dev/null train -s softmax -v 3 three
    scenario 'weights' model /dev/null train -W weights --balanced -w1 2 --weight -1:0.5 data model
    scenario 'alpha and trace' 'model alpha trace.csv' /dev/null \
        train -s 3 --alpha alpha --trace trace.csv --test rows data model
    scenario 'a model of no name' data.model /dev/null train data
    "$BIN/train" -q data first
    scenario 'an initial model' model /dev/null train -s newton-l2 --initial-model first data model
    scenario 'goes on' model /dev/null train -s sgd -T 50 --initial-model first data model
    # Of reads from a temporary file there are hundreds: some of them fail.
    all_kinds=$kinds all_again=$again again=''
    [ "$kinds" = alloc ] || kinds='alloc open write close rename'
    for solver in newton-l2 dcd-l1; do
        scenario "$solver, from a temporary file" model /dev/null \
            train -s "$solver" -i 30 --memory 0.0625 long model
        some_reads train -s "$solver" -i 30 --memory 0.0625 long model
    done
    scenario 'pegasos, from a temporary file' model /dev/null \
        train -q -s pegasos --sampling permute --epochs 0.1 --memory 0.0625 long model
    some_reads train -q -s pegasos --sampling permute --epochs 0.1 --memory 0.0625 long model
    scenario 'a temporary file of that name' model /dev/null \
        train -s newton-l2 -i 2 --memory 0.0625 --scratch scratch long model
    scenario 'validation, from a temporary file' '' /dev/null train -v 2 -i 1 --memory 0.0625 long
    some_reads train -v 2 -i 1 --memory 0.0625 long
    holds 'no temporary file is left' test ! -e scratch
    kinds=$all_kinds again=$all_again
    scenario 'validation' '' /dev/null train -v 3 data
    scenario 'validation, metrics' '' /dev/null train -v 3 --metrics three
    awk '{ print NR % 2 ? "odd" : NR % 3 ? "even" : "third" }' three >names
    scenario 'validation, folds of a file' rows.csv names \
        train --folds - -b 1 --predictions rows.csv three
    scenario 'validation, groups' rows.csv /dev/null \
        train -v 2 --folds names --positive 1 --predictions rows.csv -s 0 three
    scenario 'search' 'model path.csv' /dev/null \
        train -C -v 2 -s 3 --c-range -2:0:2 --metrics=json --refit --path path.csv data model
    scenario 'search, stochastic' '' /dev/null train -C -v 2 -s sgd -T 50 --c-range 0:1 data
    awk '{ $1 = NR % 11 - 4.5; print }' data >numbers
    for solver in svr-newton svr-dcd-l2 svr-dcd-l1; do
        scenario "$solver" 'model alpha' numbers train -s "$solver" -c 10 --alpha alpha - model
    done
    scenario 'search of a regression' 'model path.csv' /dev/null \
        train -C -v 2 -s 12 --c-range -2:0:2 -p 1 --metrics --refit --path path.csv numbers model
    "$BIN/train" -q -s 11 numbers regression
    scenario 'predict numbers' labels /dev/null predict --metrics numbers regression labels
    scenario 'predict' labels rows predict - first labels
    scenario 'predict, quietly' labels /dev/null predict -q rows first labels
    scenario 'predict, decisions' labels /dev/null predict -d rows first labels
    scenario 'predict, metrics' labels /dev/null predict --metrics rows first labels
    scenario 'predict, JSON metrics' labels /dev/null predict --metrics=json rows first labels
    scenario 'predict to standard output' '' /dev/null predict -q rows first -
    "$BIN/train" -q -s one-class -n 0.2 data outside
    scenario 'predict, one-class metrics' labels /dev/null predict --metrics rows outside labels
    scenario 'predict, the best threshold' 'labels points' /dev/null \
        predict --threshold max-f1 --metrics --curve points rows first labels
    scenario 'predict, a threshold' labels /dev/null predict --threshold 0.5 -d rows first labels
    awk '{ $1 = NR % 3; print }' rows >three.t
    "$BIN/train" -q -s softmax three columns
    scenario 'predict, softmax' labels /dev/null predict -b 1 three.t columns labels
    sed 's/^solver_type .*/solver_type L2R_LR/' first >logistic
    scenario 'predict, probabilities' labels /dev/null predict -b 1 rows logistic labels
    scenario 'probabilities' model /dev/null train -b 1 -s 3 -c 10 data model
    scenario 'probabilities of three classes' model /dev/null train -b 1 -W weights three model
    "$BIN/train" -q -b 1 three sigmoids
    scenario 'predict, sigmoids' 'labels table' /dev/null \
        predict -b 1 --metrics --calibration table three.t sigmoids labels
    scenario 'scale' 'scaled ranges' /dev/null scale -s ranges data scaled
    scenario 'scale between bounds' 'scaled' data scale -l 0 -u 1 - scaled
    "$BIN/scale" -q -s known data first-scaled
    scenario 'scale by known ranges' 'scaled' /dev/null scale -r known rows scaled
    scenario 'scale to standard output' '' /dev/null scale -r known rows
    awk 'BEGIN { print "id,size,\"color \"\"c\"\"\",y"
        for (i = 0; i < 60; i++) printf "%d,%s,c%d,%s\n", i, i % 7 ? i / 8 : "?", i % 25, i % 3 ? "yes" : "no"
        }' >table
    scenario 'convert' 'converted map' /dev/null \
        convert -s map --ignore id --categorical 3 --missing column table converted
    scenario 'convert from standard input' converted table \
        convert --no-labels --ignore id,4 --categorical 3 --missing zero - converted
    scenario 'convert, means' 'converted map' table \
        convert -s map --ignore id --categorical 3 --missing mean table converted
    scenario 'convert, means, from standard input' converted table \
        convert --ignore id --categorical 3 --missing mean - converted
    "$BIN/convert" -q -s table.map --ignore id --categorical 3 --missing mean table /dev/null
    scenario 'convert by a map' converted table convert -r table.map - converted
    scenario 'convert to standard output' '' /dev/null convert -q -r table.map table
    awk 'BEGIN { for (i = 0; i < 40; i++) print i % 2 + 1 }' >predicted
    scenario 'words' words /dev/null convert --labels table.map predicted words
    awk 'BEGIN { for (j = 1; j <= 30; j++) print "name", j }' >names
    awk 'BEGIN {
        print "hinge-map 1\nseparator comma\ndecimal point\nmissing zero\nnames 1\ncolumn 1 words kind"
        for (j = 2; j <= 31; j++) print "column", j, "number x" j
        print "class 1 benign"
        for (j = 1; j <= 30; j++) print "feature", j, j + 1, "number" }' >map
    scenario 'inspect' '' /dev/null inspect --names names first
    scenario 'inspect, a map' '' first inspect --json --names map -
    scenario 'inspect two' '' /dev/null inspect --diff first sigmoids
    scenario 'inspect two, JSON' '' /dev/null inspect --diff --json first first
    scenario 'the help' '' /dev/null train --help
    # A second-order method that there is no memory for is done without: the next one takes over, or
    # passes go on.
    program=train input=/dev/null
    for solver in dcd-l2 dcd-l1; do
        survive '' -q -s "$solver" -c 1000 "$CANCER" model
        calls=$(sed -n 's/^alloc //p' log) call=0 BAD=
        cp model right.model
        : >without
        while [ "$call" -lt "$calls" ]; do
            call=$((call + 1))
            survive "alloc $call" -s "$solver" -c 1000 "$CANCER" model
            if [ "$STATUS" != 0 ] || is_new model; then
                continue
            fi
            printf '%s %s%s\n' "$solver" "$(sed -n 's/^# outcome //p; s/^# engine //p' model | tr '\n' ' ')" \
                "$(sed -n 's/^train: warning: //p' err)" >>without
        done
        case $(sort -u without) in
        'dcd-l2 certified none no memory for a second-order method; coordinate descent continued') pass ;;
        'dcd-l1 certified ipm ') pass ;;
        *) fails "$solver without its second-order method" 'certified models' "$(cat without)" ;;
        esac
    done
    awk '{ calls[$1]++; ended[$1] += $2 != 0 }
        END { for (kind in calls)
            printf "faults: %d times %s%s, %d runs ended by it\n",
                calls[kind], kind, kind == "signal" ? "" : " refused", ended[kind] }' refused | sort
fi
