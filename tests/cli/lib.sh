# lib.sh - functions for all subjects: running a program, comparing its output, counting.
# shellcheck shell=sh

SCENE=
OUT=$SCRATCH/out # standard output of the last run
ERR=$SCRATCH/err # its standard error
STATUS=0         # its exit status
CONFINED=bounded # the function that runs the programs
SECONDS_ALLOWED=300 # a program that runs longer hangs; no check takes a tenth of it, even on a busy machine

# ---- Counting ----------------------------------------------------------

# Each check appends a byte to a file, because a check inside a pipeline or ( ) could not change a variable.
: >"$SCRATCH/passed"
: >"$SCRATCH/failed"
: >"$SCRATCH/skipped"
: >"$SCRATCH/reasons"

count() {
    wc -c <"$SCRATCH/$1" | tr -d ' '
}

# scene NAME: starts a subject, in an empty folder of its own.
scene() {
    SCENE=$1
    mkdir "$SCRATCH/$1" && cd "$SCRATCH/$1" || exit 1
}

# shown TEXT: the beginning of the text, on one line.
shown() {
    printf '%s\n' "$1" | awk '{ printf "%s%s", (NR > 1 ? "\\n" : ""), $0 }' | cut -c 1-1200
}

pass() {
    printf . >>"$SCRATCH/passed"
}

# fails NAME EXPECTED CAME
fails() {
    printf . >>"$SCRATCH/failed"
    printf 'FAIL %s: %s: expected [%s], came [%s]\n' "$SCENE" "$1" "$(shown "$2")" "$(shown "$3")"
}

# skips NAME REASON
skips() {
    printf . >>"$SCRATCH/skipped"
    printf '%s: %s\n' "$1" "$2" >>"$SCRATCH/reasons"
    printf 'skip %s: %s: %s\n' "$SCENE" "$1" "$2"
}

report() {
    totals "$(count passed)" "$(count failed)" "$(count skipped)" "$(cat "$SCRATCH/reasons")"
}

# The end of the message about a row that begins with a feature.
BARE_OR_WEIGHTED='; predict --no-labels reads such rows'
# shellcheck disable=SC2034 # the subjects use it
BARE_OR_WEIGHTED="$BARE_OR_WEIGHTED; train -W reads the weights of rows from a file of their own, one a line"

# ---- Comparing ---------------------------------------------------------

# same NAME EXPECTED CAME
same() {
    if [ "$2" = "$3" ]; then pass; else fails "$1" "$2" "$3"; fi
}

# differ NAME TEXT TEXT
differ() {
    if [ "$2" != "$3" ]; then pass; else fails "$1" "something else" "$3"; fi
}

# without_origin MODEL: the model without the lines of its record that name its command and data.
without_origin() {
    sed -e '/^# command /d' -e '/^# data /d' "$1"
}

# same_model FILE FILE: both are models, and differ at most in their command and data.
same_model() {
    [ "$(head -c 11 "$1" 2>/dev/null)" = solver_type ] && without_origin "$1" >"$SCRATCH/one.model" &&
        without_origin "$2" 2>/dev/null | cmp -s - "$SCRATCH/one.model"
}

# same_file NAME EXPECTED CAME: the files have the same bytes. Two models may differ in the command line and the name
# of the data.
same_file() {
    if cmp -s "$2" "$3" || same_model "$2" "$3"; then
        pass
    else
        fails "$1" "the bytes of $2" "$3: $(cmp "$2" "$3" 2>&1)"
    fi
}

# same_bytes NAME EXPECTED CAME: the files have the same bytes, also if they are models.
same_bytes() {
    holds "$1" cmp "$2" "$3"
}

# holds NAME COMMAND...
holds() {
    check=$1
    shift
    if "$@" >/dev/null 2>&1; then pass; else fails "$check" "$*" "the contrary"; fi
}

# whole FILE: its text and a dot, which shows whether the last line has an end.
whole() {
    [ ! -s "$1" ] || cat "$1"
    echo .
}

# is_text FILE TEXT: the file holds this text as whole lines; "" is no line at all. Unlike "whole", it starts no
# process, because refuses, succeeds and same_text call it for nearly every check.
is_text() {
    if [ -z "$2" ]; then
        [ ! -s "$1" ]
        return
    fi
    text_read=
    while [ ${#text_read} -le $((${#2} + 1)) ] && IFS= read -r next_line; do
        text_read="$text_read$next_line
"
    done <"$1"
    [ -z "$next_line" ] && [ "$text_read" = "$2
" ]
}

# same_text NAME FILE EXPECTED: the file holds this text as whole lines; "" is no line at all.
same_text() {
    if is_text "$2" "$3"; then
        pass
        return
    fi
    same "$1" "${3:+$3
}." "$(whole "$2")"
}

# matches NAME FILE PATTERNS: each line of the file matches the extended regular expression in the same line of
# PATTERNS. A | must be inside parentheses.
matches() {
    printf '%s\n' "$3" >"$SCRATCH/patterns"
    wrong=$(awk '
        FILENAME == ARGV[1] { pattern[++patterns] = $0; next }
        pattern[FNR] == "" ? $0 != "" : $0 !~ ("^" pattern[FNR] "$") {
            print "line " FNR " like " pattern[FNR] "\n" $0; bad = 1; exit
        }
        { lines = FNR }
        END { if (!bad && lines != patterns) print patterns " lines\n" lines + 0 " lines" }
    ' "$SCRATCH/patterns" "$2")
    if [ -z "$wrong" ]; then
        pass
    else
        fails "$1" "${wrong%%
*}" "${wrong#*
}"
    fi
}

# ---- Running -----------------------------------------------------------

# A program that hangs must fail its check and not the whole run.
if command -v timeout >/dev/null 2>&1; then
    bounded() { timeout -k 5 "$SECONDS_ALLOWED" "$@"; } # train goes on after the first signal
else
    bounded() { "$@"; }
fi

# starts TOOL: the tool is installed with everything that it needs to start, such as the interpreter of a script.
starts() {
    command -v "$1" >/dev/null 2>&1 || return 1
    "$1" </dev/null >/dev/null 2>&1
    [ $? -lt 126 ]
}

# confine FUNCTION: runs the programs in the function from here on; "confine bounded" ends that.
confine() {
    CONFINED=$1
}

# keep_seed PROGRAM ARGUMENT...: writes a seed for the fuzzer of the program's command line, if HINGE_SEEDS names a
# folder.
keep_seed() {
    [ -n "${HINGE_SEEDS:-}" ] || return 0
    fuzzer=$1
    shift
    printf '%s\n' "$@" >"$SCRATCH/seed"
    cp "$SCRATCH/seed" "$HINGE_SEEDS/$fuzzer/$(cksum <"$SCRATCH/seed" | tr ' ' -)"
}

# drop_progress FILE: prints the file without the lines of progress. A program prints one each second, so their
# number depends on the machine and its load.
drop_progress() {
    [ -s "$1" ] || return 0
    # Up to 500 characters without progress need no sed.
    text_read=
    while IFS= read -r next_line; do
        text_read="$text_read$next_line
"
        case $text_read in *primal* | *objective*) break ;; esac
        [ ${#text_read} -lt 500 ] || { next_line='more' && break; }
    done <"$1"
    if [ -z "$next_line" ]; then
        printf '%s' "$text_read"
        return
    fi
    sed -E -e '/(pass|step) [0-9]+, .*primal .*, .*% of the rows (active|free)(, data read .* times(, about [0-9]* to come)?)?$/d' \
        -e '/epoch [0-9.]+, objective /d' "$1"
}

# run PROGRAM ARGUMENT...
run() {
    keep_seed "$@"
    program=$1
    shift
    STATUS=0
    "$CONFINED" "$BIN/$program" "$@" >"$OUT" 2>"$SCRATCH/said" || STATUS=$?
    drop_progress "$SCRATCH/said" >"$ERR"
}

# run_piped FILE PROGRAM ARGUMENT...: with the file coming through a pipe on standard input.
run_piped() {
    file=$1 program=$2
    shift 2
    STATUS=0
    # shellcheck disable=SC2002 # the pipe is the point
    cat "$file" | bounded "$BIN/$program" "$@" >"$OUT" 2>"$ERR" || STATUS=$?
}

# files: the names and checksums of all files in this folder.
files() {
    find . -type f -exec cksum {} + -o -print | sort
}

# refuses NAME STATUS MESSAGE PROGRAM ARGUMENT...: the run ends with this exit status, writes only MESSAGE to standard
# error and nothing to standard output, and changes no file here.
refuses() {
    check=$1 expected=$2 message=$3
    shift 3
    before=$(files)
    run "$@"
    after=$(files)
    if [ "$STATUS" = "$expected" ] && is_text "$ERR" "$message" && [ ! -s "$OUT" ] && [ "$after" = "$before" ]; then
        pass
        return
    fi
    [ "$after" = "$before" ] && after='no file changed'
    same "$check" "status $expected
${message:+$message
}.
.
no file changed" "status $STATUS
$(whole "$ERR")
$(whole "$OUT")
$after"
}

# succeeds NAME PROGRAM ARGUMENT...: exit status 0 and nothing on standard error.
succeeds() {
    check=$1
    shift
    run "$@"
    if [ "$STATUS" = 0 ] && [ ! -s "$ERR" ]; then
        pass
        return
    fi
    same "$check" "status 0
." "status $STATUS
$(whole "$ERR")"
}

# searches NAME COMMAND...: exit status 0, and no message except that the best C is at an end of its range.
searches() {
    check=$1
    shift
    run "$@"
    same "$check" "status 0
." "status $STATUS
$(sed '/ warning: the best C is the [a-z]* that was tried; try also --c-range [-0-9.]*:[-0-9.]*$/d' "$ERR" >"$SCRATCH/rest" &&
        whole "$SCRATCH/rest")"
}

# is_complete: make test-all is running, so checks that take long are done, too.
is_complete() {
    [ -n "${HINGE_ALL:-}" ]
}

# is_sanitized: the programs are built with sanitizers, which change their memory and time.
is_sanitized() {
    case ${HINGE_BIN:-} in *sanitize*) return 0 ;; *) return 1 ;; esac
}

# ---- Waiting and interrupting --------------------------------------------

nap() {
    sleep 0.05 2>/dev/null || sleep 1
}

# await COMMAND...: repeats the command until it succeeds. Fails after SECONDS_ALLOWED.
await() {
    deadline=$(($(date +%s) + SECONDS_ALLOWED))
    until "$@"; do
        [ "$(date +%s)" -lt "$deadline" ] || return 1
        nap
    done
}

# alive: the program whose number is in the file "number" still runs.
alive() {
    kill -0 "$(cat number)" 2>/dev/null
}

gone() {
    ! alive
}

temporaries() {
    find . -name '*.tmp-*'
}

# signalled SIGNAL READY PROGRAM ARGUMENT...: sends the signal once READY succeeds. The program runs in the foreground,
# because a shell lets programs in the background ignore SIGINT. Sets STATUS, and TOOK to the seconds of the run.
signalled() {
    signal=$1 ready=$2 program=$3
    shift 3
    begin=$(date +%s)
    rm -f number "$SCRATCH/sent"
    (
        await test -s number
        await "$ready"
        kill -s "$signal" "$(cat number)"
        : >"$SCRATCH/sent"
        await gone || kill -s KILL "$(cat number)"
    ) &
    killer=$!
    STATUS=0
    # shellcheck disable=SC2016 # for the inner shell
    sh -c 'echo $$ >number; exec "$@"' sh "$BIN/$program" "$@" >"$OUT" 2>"$ERR" || STATUS=$?
    wait "$killer"
    # shellcheck disable=SC2034 # for the subjects
    TOOK=$(($(date +%s) - begin))
}

# processor_seconds COMMAND...: prints the processor time of the command, which other load hardly changes.
processor_seconds() {
    (
        "$@" >/dev/null 2>&1
        times
    ) | awk 'NR == 2 { split($0, x, /[ms ]+/); print 60 * x[1] + x[2] + 60 * x[3] + x[4] }'
}

# ---- Patterns ----------------------------------------------------------

SHORT='[0-9.]+(e[-+][0-9]+)?' # a number as %g prints it

# warns WHERE GAP WHY: pattern for a warning of train.
warns() {
    echo "train: warning: $1relative duality gap $SHORT is above $2 \\(not certified: $3\\)"
}

# ---- Pictures ----------------------------------------------------------

# as_svg: turns a script of gnuplot that draws PNG into one that draws SVG, in which texts can be found. In SVG a point
# is 4/3 pixels. The default font has 12 points.
as_svg() {
    awk '{
        line = ""
        while (match($0, /[\047"][a-z]*,[0-9]+[\047"]/)) { # a font
            head = substr($0, 1, RSTART - 1)
            split(substr($0, RSTART, RLENGTH - 1), font, ",")
            line = line head font[1] "," font[2] * 4 / 3 substr($0, RSTART, 1)
            $0 = substr($0, RSTART + RLENGTH)
        }
        $0 = line $0
        if (/set terminal png/ && !/ font /) sub(/set terminal png[a-z]*/, "& font \047sans,16\047")
        gsub(/set terminal png[a-z]*/, "set terminal svg")
        gsub(/[.]png/, ".svg")
        print
    }'
}

# readable NAME FILE TEXT...: the picture, an SVG, has these texts, and all its texts can be read.
readable() {
    drawing=$1 picture=$2
    shift 2
    same "$drawing: what cannot be read" '' "$(awk -v check=1 -f "$ROOT/tests/cli/svg.awk" "$picture" 2>&1)"
    awk -f "$ROOT/tests/cli/svg.awk" "$picture" >"$SCRATCH/texts" 2>&1
    for text in "$@"; do
        holds "$drawing: '$text'" grep -qxF -e "$text" "$SCRATCH/texts"
    done
}

# ---- What the subjects train on and look at ----------------------------

# Two classes, four rows, solved within a few passes.
write_tiny() {
    printf '%s\n' '+1 1:1 2:0.5' '-1 1:-1 3:2' '+1 2:1 3:-1' '-1 1:-0.5 2:-2' >"$1"
}

# weights MODEL: the model without its record.
weights() {
    grep -v '^#' "$1"
}

# record MODEL KEY: the values of a line "# KEY values".
record() {
    sed -n "s/^# $2 //p" "$1"
}
