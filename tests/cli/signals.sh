# signals.sh - long trainings: progress, also on a terminal, limits of time, Ctrl-C; Ctrl-C in predict.
# shellcheck shell=sh

# These options give a training that does not end in the time of this file. If it ever does, change this line.
endless='-s 3 -c 1e6 -g 1e-12 --plain'
pattern='pass [0-9]+, relative gap [0-9][.][0-9][0-9]e[-+][0-9][0-9], primal [0-9.e+]+, '
pattern=$pattern'[0-9.]+% of the rows active'

# ---- Limits of time and silence, at the same time ----------------------

# shellcheck disable=SC2086
bounded "$BIN/train" $endless --time-limit 1 "$CANCER" limited >limited.out 2>limited.err &
limited=$!
# shellcheck disable=SC2086
bounded "$BIN/train" $endless -q --time-limit 2.5 "$CANCER" quiet >quiet.out 2>quiet.err &
quiet=$!

# ---- Ctrl-C in a training ----------------------------------------------

two_lines() {
    [ "$(grep -c '^pass' "$ERR")" -ge 2 ]
}

one_line() {
    [ "$(grep -c 'pass' "$ERR")" -ge 1 ]
}

# shellcheck disable=SC2086
signalled INT two_lines train $endless "$CANCER" model
same 'SIGINT: exit status' 130 "$STATUS"
same 'SIGINT: the model says so' 'interrupted' "$(record model outcome)"
same 'SIGINT: the model is complete' 30 "$(weights model | awk 'w && NF == 1 { n++ }
    $1 == "w" { w = 1 } END { print n }')"
holds 'SIGINT: results' grep -q "^Relative duality gap = .* (not certified: interrupted)\$" "$OUT"
matches 'SIGINT: progress and the warning' "$ERR" "$(
    sed '$d' "$ERR" | while read -r _; do echo "$pattern"; done
    warns '' 1e-12 interrupted
)"
holds 'SIGINT: there was progress' two_lines
holds 'SIGINT: not more than a line a second' test "$(grep -c '^pass' "$ERR")" -le $((TOOK + 1))
succeeds 'SIGINT: the model serves' predict -q "$CANCER" model labels
rm -f model

# shellcheck disable=SC2086
signalled TERM one_line train $endless "$DIGITS" model
same 'SIGTERM: exit status' 130 "$STATUS"
holds 'SIGTERM: one class is interrupted, those after it are not begun' \
    grep -q -E '^# outcome ([a-z]+ )*interrupted( not-begun)+$' model
for key in primal dual relative_gap; do
    same "SIGTERM: $key of a class not begun" unknown "$(record model "$key" | awk '{ print $NF }')"
done
waiting=$(record model outcome | tr ' ' '\n' | grep -c -x not-begun)
same 'SIGTERM: classes not begun: one line' "$waiting of 10 classes: not begun" \
    "$(grep 'not begun' "$OUT")"
same 'SIGTERM: classes not begun: one warning, the last' \
    "train: warning: $waiting of 10 classes: not begun" "$(tail -n 1 "$ERR")"
same 'SIGTERM: no other class is printed' $((10 - waiting)) "$(grep -c '^class' "$OUT")"
same 'SIGTERM: the model is complete' 64 "$(weights model | awk 'w && NF == 10 { n++ }
    $1 == "w" { w = 1 } END { print n }')"
head -n 1 "$ERR" >first
matches 'SIGTERM: progress of ten classes' first \
    "[0-9]+%, ([0-9]+ s left, )?class [0-9]+ of 10, $pattern"
same 'SIGTERM: no temporary file' '' "$(temporaries)"

# ---- Progress on a terminal --------------------------------------------

# in_terminal FILE READY COMMAND: runs the command in a terminal of its own, and sends SIGINT to the program that
# it starts by "exec" once READY succeeds. The output goes to the file, with carriage returns as ends of lines.
in_terminal() {
    rm -f number "$1.raw"
    (
        await test -s number
        await "$2" "$1.raw"
        kill -s INT "$(cat number)"
    ) &
    killer=$!
    script -q -f -e -c "echo \$\$ >number; $3" "$1.raw" </dev/null >/dev/null 2>&1 || STATUS=$?
    wait "$killer"
    grep -v '^Script ' "$1.raw" | tr '\r' '\n' >"$1"
}

# progress_in FILE: the file has three lines of progress, the last perhaps not complete. scores_in FILE: four lines of
# scores as well.
progress_in() {
    [ "$(tr '\r' '\n' <"$1" 2>/dev/null | grep -c 'pass ')" -ge 3 ]
}
progress_in_lines() {
    progress_in lines
}
scores_in() {
    progress_in "$1" && [ "$(grep -c 'log2c.*rate=' "$1")" -ge 4 ]
}

# in_one_line NAME FILE MOST: the widest line of progress has MOST characters, and there are at least two. At most one
# of them ends, where the terminal shows ^C. None ends if no progress is shown at the interrupt.
in_one_line() {
    same "$1: the widest" "$3" "$(grep 'pass ' "$2" | awk '
        length($0) > most { most = length($0) } END { print most + 0 }')"
    holds "$1: more than once" test "$(grep -c 'pass ' "$2")" -ge 2
    holds "$1: a line ends there after the interrupt alone" test "$(awk -F '\r' '
        ($NF == "" && NF > 1 ? $(NF - 1) : $NF) ~ /pass / { n++ } END { print n + 0 }' "$2.raw")" -le 1
    holds "$1: it is taken away" grep -q '^ *$' "$2"
}

if ! is_complete; then
    : # each of these trainings runs until it has shown three lines, one a second
elif ! grep -q ' - devpts ' /proc/self/mountinfo 2>/dev/null ||
    [ "$(script -q -e -c 'echo works' typescript </dev/null 2>/dev/null | tr -d '\r')" != works ]; then
    skips 'progress on a terminal' 'no script(1), or no terminals'
else
    brief="exec '$BIN/train' $endless '$DIGITS' terminal.model"
    STATUS=0
    unset COLUMNS
    in_terminal wide progress_in "$brief"
    same 'a terminal: exit status' 130 "$STATUS"
    in_one_line 'a terminal of 80 columns' wide 79
    in_terminal narrow progress_in "export COLUMNS=41; $brief"
    in_one_line 'a terminal of 41 columns' narrow 40
    rm -f lines
    in_terminal none progress_in_lines "$brief 2>lines"
    same 'standard error is a file: nothing in place' 0 "$(grep -c 'pass ' none)"
    holds 'standard error is a file: lines' test "$(grep -c 'pass .* active$' lines)" -ge 2
    rm -f lines
    mkfifo piped.fifo
    in_terminal piped progress_in_lines "cat piped.fifo >lines & $brief 2>piped.fifo"
    holds 'standard error is a pipe: lines' test "$(grep -c 'pass .* active$' lines)" -ge 2
    in_terminal search scores_in \
        "exec '$BIN/train' -s 3 -g 1e-12 --plain -C -v 2 --c-range -30:29 '$DIGITS'"
    in_one_line 'a search in a terminal' search 79
    holds 'a search in a terminal: lines of scores are whole' test "$(
        tr -d '\r' <search.raw | sed 's/.*  *log2c/log2c/' |
            grep -c '^log2c= *-[0-9.]*	rate=[0-9.]*$')" -ge 3
    # Ctrl-C itself, which the terminal shows as ^C.
    {
        await scores_in typed.raw
        printf '\003'
        await grep -q '^Best' typed.raw
    } | script -q -f -e -c \
        "exec '$BIN/train' -s 3 -g 1e-12 --plain -C -v 2 --c-range -30:29 '$DIGITS'" typed.raw >/dev/null 2>&1 || :
    same 'Ctrl-C: the results begin on a line of their own' 'Certified Best' \
        "$(tr -d '\r' <typed.raw | sed -n 's/^\(Certified\|Best\) .*/\1/p' | xargs)"
    rm -f terminal.model
fi

# ---- The ones from above -----------------------------------------------

STATUS=0
wait "$limited" || STATUS=$?
same '--time-limit: exit status' 0 "$STATUS"
same '--time-limit: the model says so' 'time-limit' "$(record limited outcome)"
why='stopped by the limit of time'
holds '--time-limit: results' \
    grep -q "^Relative duality gap = .* (not certified: $why)\$" limited.out
tail -n 1 limited.err >warning
matches '--time-limit: warning' warning "$(warns '' 1e-12 "$why")"
STATUS=0
wait "$quiet" || STATUS=$?
same '-q: exit status' 0 "$STATUS"
same '-q: it ended by the limit' 'time-limit' "$(record quiet outcome)"
same_text '-q: nothing on standard output' quiet.out ''
same_text '-q: nothing on standard error' quiet.err ''

# ---- Ctrl-C while data are read ----------------------------------------

rm -f pipe wrote
mkfifo pipe

# Writes some rows into the pipe and holds it open, silent, until HELD succeeds.
HELD=gone
hold() {
    exec 3>pipe
    head -n 20 "$CANCER" >&3
    echo >wrote
    await test -s number
    await "$HELD"
    exec 3>&-
}

# wrote: the rows are in the pipe, and the program has had time to read them.
wrote() {
    [ -e wrote ] && nap && nap && nap
}

# While a program reads, it has created no file, and a signal ends train, scale and, if it reads twice, convert.
echo old >old
for signal in INT TERM; do
    ended=130
    [ "$signal" = INT ] || ended=143
    for run in 'train --trace table --alpha alpha pipe model' 'scale -s table pipe model' \
        'convert --missing mean --separator blanks -s table pipe model'; do
        for output in table alpha model; do
            cp old "$output"
        done
        rm -f wrote number
        hold &
        holder=$!
        # shellcheck disable=SC2086
        signalled "$signal" wrote $run
        wait "$holder"
        name="SIG$signal while reading, ${run%% *}"
        same "$name: exit status" "$ended" "$STATUS"
        same "$name: the old files" 'old old old' "$(cat table alpha model | xargs)"
        same "$name: no temporary file" '' "$(temporaries)"
    done
done

# If the C library continues a read after a signal, predict ends at the next rows or at the end of the file.
if [ -x "${HINGE_PROBE:-}" ]; then
    rm -f number
    mkfifo silence
    # shellcheck disable=SC2016 # for the inner shell
    sh -c 'echo $$ >number; exec "$HINGE_PROBE"' <silence >reads &
    exec 3>silence
    await test -s reads
    nap && nap && nap
    kill -s TERM "$(cat number)"
    nap && nap && nap
    exec 3>&-
    wait "$!"
    case $(sed 1d reads) in
    ends) ;;
    'goes on') HELD=answered ;;
    *) fails 'a read that a signal meets' 'ends, or goes on' "$(cat reads)" ;;
    esac
fi

# answered: the signal has been sent. It arrives soon after the rows.
answered() {
    test -e "$SCRATCH/sent"
}

"$BIN/train" -q "$CANCER" model
for signal in INT TERM; do
    rm -f wrote number new
    hold &
    holder=$!
    signalled "$signal" wrote predict pipe model new
    wait "$holder"
    same "predict, waiting pipe, SIG$signal: exit status" 130 "$STATUS"
    same_text "predict, waiting pipe, SIG$signal: nothing to say" "$ERR" ''
    same_text "predict, waiting pipe, SIG$signal: no accuracy" "$OUT" ''
    same "predict, waiting pipe, SIG$signal: no output, no temporary file" '' \
        "$(find . -name 'new*')"
done

# The same with rows that never stop, and an old output.
pour() {
    while cat "$CANCER"; do
        :
    done >pipe 2>/dev/null
}
echo old >new
rm -f number
soon() {
    nap && nap
}
pour &
pourer=$!
signalled INT soon predict pipe model new
kill "$pourer" 2>/dev/null
wait "$pourer" 2>/dev/null
same 'predict, flowing pipe: exit status' 130 "$STATUS"
same_text 'predict, flowing pipe: the old output' new old
same 'predict, flowing pipe: no temporary file' '' "$(temporaries)"
