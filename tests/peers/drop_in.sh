#!/bin/sh
# drop_in.sh [MOST|all]: runs LIBLINEAR's programs and ours with the options of LIBLINEAR's usage text.
#
# Each solver of the usage text, and no solver, is run on rows of two classes with every combination of at most MOST (2)
# options, of which a model name is one. Rows of three classes and targets get at most MOST - 1 options. Models of
# fewer options go through both programs' predict with every combination of its options. Then come values, forms of
# options and rows at the border of what is accepted. Exit status (0 or not), printed lines, predictions, and the names,
# headers and weights of models are compared. A difference that the manual does not explain, in its section DIFFERENCES
# FROM LIBLINEAR, fails.
#
# all: every combination, which takes half an hour.
#
# HINGE_BIN: folder of train and predict. HINGE_PEERS: folder with a script build.sh that builds LIBLINEAR 2.50 in a
# given folder, HINGE_PEERS_BUILT, once. Without the script, liblinear-train of PATH is taken, and options that it lacks
# are skipped.
set -u
LC_ALL=C
# A sanitizer's find must not pass for an exit status of the program's own.
ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}exitcode=99
UBSAN_OPTIONS=${UBSAN_OPTIONS:+$UBSAN_OPTIONS:}exitcode=99
export LC_ALL ASAN_OPTIONS UBSAN_OPTIONS

here=$(CDPATH='' cd "$(dirname "$0")" && pwd) || exit 1
root=$(cd "$here/../.." && pwd) || exit 1
bin=$(cd "${HINGE_BIN:-$root}" && pwd) || exit 1
peers=${HINGE_PEERS:-}
built=${HINGE_PEERS_BUILT:-$root/build/peers}
most=${1:-2}
scratch=$(mktemp -d) || exit 1
trap 'cd / && rm -rf "$scratch"' EXIT
trap 'exit 130' INT TERM

# shellcheck source=tests/totals.sh
. "$root/tests/totals.sh"
skipped=0 reasons=
skip() {
    skipped=$((skipped + 1))
    reasons="$reasons
$1"
    echo "skipped: $1"
}

# ---- LIBLINEAR's programs, and what their usage text has ----------------

if [ -f "$peers/build.sh" ]; then
    [ -x "$built/liblinear-2.50/predict" ] || sh "$peers/build.sh" "$built" >/dev/null 2>&1
fi
if [ -x "$built/liblinear-2.50/predict" ]; then
    their_train=$built/liblinear-2.50/train their_predict=$built/liblinear-2.50/predict release=2.50
elif command -v liblinear-train >/dev/null 2>&1; then
    their_train=$(command -v liblinear-train) their_predict=$(command -v liblinear-predict) release='of PATH'
else
    skip 'LIBLINEAR is not installed (Debian: liblinear-tools)'
    totals 0 0 1 "$reasons"
    exit 0
fi

usage=$("$their_train")
solvers=$(echo "$usage" | sed -n 's/^[[:space:]]*\([0-9][0-9]*\) -- .*/\1/p')
letters=$(echo "$usage" | sed -n 's/^-\([A-Za-z]\).*/\1/p' | grep -v s)
has() { printf '%s\n' "$letters" "$solvers" | grep -qx "$1"; }
has R || skip "LIBLINEAR $release has no -R"
has 21 || skip "LIBLINEAR $release has no -s 21"

# word LETTER: prints the option with a value.
word() {
    case $1 in
    c) echo '-c 0.5' ;;
    p) echo '-p 0.3' ;;
    n) echo '-n 0.2' ;;
    e) echo '-e 1e-6' ;;
    B) echo '-B 1' ;;
    w) echo '-w1 2' ;;
    v) echo '-v 4' ;;
    b) echo '-b 1' ;;
    R | C | q) echo "-$1" ;;
    *) return 1 ;;
    esac
}

# ---- Rows ---------------------------------------------------------------

mkdir "$scratch/ours" "$scratch/theirs" && cd "$scratch" || exit 1

# rows KIND: prints rows of two classes, three classes, or targets. The first of two labels is -1. Classes overlap.
rows() {
    awk -v kind="$1" '
        function u() { x = (16807 * x) % 2147483647; return x / 2147483647 }
        BEGIN {
            x = 7
            for (i = 0; i < 31; i++) {
                class = kind == "two" ? i % 2 : i % 3
                a = u() - 0.5
                b = u() - 0.5
                if (kind == "two") printf class ? "+1" : "-1"
                else if (kind == "three") printf "%d", class + 1
                else printf "%.3f", 2 + a - 2 * b + 0.2 * u()
                for (j = 1; j <= 4; j++) {
                    v = j == 1 ? a + 0.5 * (class == 1) : j == 2 ? b + 0.6 * (class == 0) : u() * (u() < 0.6)
                    if (v) printf " %d:%.3g", j, v
                }
                print ""
            }
        }'
}
rows two >./two
rows three >./three
rows numbers >./numbers
head -n 30 numbers >even

# ---- Running both --------------------------------------------------------

# one WHO PROGRAM ARGUMENTS: runs the program in the folder WHO, and notes its output, status and message.
one() {
    who=$1 status=0 said=
    shift
    (cd "$who" && exec "$@") >>notes 2>"$who.err" </dev/null || status=$?
    read -r said <"$who.err"
    echo "
@status $who $status $said" >>notes
}

# clean: empties the folders of both.
clean() {
    for file in ours/* theirs/*; do
        [ ! -e "$file" ] || { rm -f ours/* theirs/*; return; }
    done
}

# train KEY ARGUMENTS: trains by both.
train() {
    clean
    key=$1
    shift
    echo "@run $key | train $*" >>notes
    one ours "$bin/train" "$@"
    one theirs "$their_train" "$@"
    for file in ours/* theirs/*; do
        [ ! -e "$file" ] || { echo "@file ${file%%/*} ${file#*/}"; cat "$file"; }
    done >>notes
    echo @end >>notes
}

# predict KEY DATA MODEL OPTIONS: predicts by both.
predict() {
    key=$1 data=$2 model=$3
    shift 3
    echo "@run $key | predict $* $data $model" >>notes
    one ours "$bin/predict" "$@" "../$data" "../$model" ../labels.ours
    one theirs "$their_predict" "$@" "../$data" "../$model" ../labels.theirs
    if [ -e labels.ours ] && ! cmp -s labels.ours labels.theirs; then
        echo '@file ours other-predictions' >>notes
    fi
    echo @end >>notes
    rm -f labels.ours labels.theirs
}

# predict_all DATA MODEL ARGUMENTS: predicts with both models of the last training, whose name is MODEL, by all options
# of predict, and notes the labels of both. ARGUMENTS are the training's.
predict_all() {
    cp "ours/$2" model.ours
    cp "theirs/$2" model.theirs
    for whose in ours theirs; do
        for options in '' -q '-b 0' '-b 0 -q' '-b 1' '-b 1 -q'; do
            # shellcheck disable=SC2086 # words
            predict - "$1" "model.$whose" $options
        done
        "$bin/predict" -q --output-format both "$1" "model.$whose" "labels-$whose"
    done
    {
        echo "@run - | predict after train $3
@labels"
        paste labels-ours labels-theirs
        echo @end
    } >>notes
}

# ---- Combinations of options ---------------------------------------------

# combinations MOST: prints lines "DATA|EXPLANATION|whether to predict|ARGUMENTS".
combinations() {
    for letter in $letters; do
        word "$letter" || { echo "drop-in: no value is known for LIBLINEAR's option -$letter" >&2; }
    done | awk -v solvers="$solvers" -v most="$1" '
        { option[++options] = $0 }
        END {
            option[++options] = "model"
            all = most == "all"
            count = split("none " solvers, solver, /[ \n]+/)
            sets = split("two three numbers", set, " ")
            for (d = 1; d <= sets; d++)
                for (s = 1; s <= count; s++) {
                    regression = solver[s] ~ /^1[123]$/
                    if ((d == 2 && (regression || solver[s] == 21)) || (d == 3 && !regression && solver[s] != 21)) continue
                    for (mask = 0; mask < 2 ^ options; mask++) {
                        taken = 0
                        words = solver[s] == "none" ? "" : " -s " solver[s]
                        rest = mask
                        for (k = 1; k < options; k++) {
                            if (rest % 2) { words = words " " option[k]; taken++ }
                            rest = int(rest / 2)
                        }
                        if (rest) taken++
                        limit = most - (d > 1)
                        if (!all && taken > limit) continue
                        free = words ~ / -R/ && words ~ / -B/ && solver[s] ~ /^(none|1|3|7|12|13)$/
                        search = words ~ / -C/ && solver[s] ~ /^(1|3|4|5|6|7|12|13)$/
                        key = free || search ? "Options taken here" : "-"
                        asks = words !~ / -[qvC]/ && !rest && (all || taken < limit)
                        print set[d] "|" key "|" asks "|" words " ../" set[d] (rest ? " model" : "")
                    }
                }
        }'
}

: >notes
combinations "$most" >plan
while IFS='|' read -r data key asks arguments; do
    # shellcheck disable=SC2086 # words
    train "$key" $arguments
    if [ "$asks" = 1 ] && [ -e "ours/$data.model" ] && [ -e "theirs/$data.model" ]; then
        predict_all "$data" "$data.model" "$arguments"
    fi
done <plan
echo "drop-in: $(wc -l <plan) combinations of options"

# ---- Values, and forms of the command line --------------------------------

# table: trains for each line "EXPLANATION|ARGUMENTS" of standard input. The explanation - is none.
table() {
    while IFS='|' read -r explanation arguments; do
        # shellcheck disable=SC2086 # words
        train "$explanation" $arguments
    done
}

# values EXPLANATION LINES: prints each line with each value of standard input in the place of @.
values() {
    awk -v explanation="$1" -v places="$2" '
        BEGIN { count = split(places, place, ", ") }
        { for (k = 1; k <= count; k++) { line = place[k]; sub(/@/, $0, line); print explanation "|" line } }'
}

values_and_forms() {
    places='-c @ ../two, -s 0 -e @ ../two, -s 1 -p @ ../two, -s 11 -p @ ../numbers, -s 13 -p @ ../numbers'
    places="$places, -s 1 -n @ ../two, -s 3 -B @ ../two, -s 0 -B @ -R ../two, -C -c @ ../two"
    printf '%s\n' 1e-3 0.25 1 1.0 | values - "$places, -s 0 -w1 @ ../two"
    echo 0 | values - '-s 3 -w1 @ ../two, -s 0 -w1 @ ../two'
    echo 0 | values 'nan and inf' '-s 1 -w1 @ ../two'
    printf '%s\n' 0 -1 abc '' nan inf -inf 1e400 1x 0x1 1e-200 1e200 |
        values 'Values refused here' "$places, -s 21 -n @ ../two, -s 21 -B @ ../two"
    printf '%s\n' -1 abc nan inf 1x 1e-200 1e200 | values 'Values refused here' '-s 1 -w1 @ ../two, -s 0 -w1 @ ../two'
    printf '%s\n' 0.1 0.9 | values - '-s 21 -e 1e-6 -n @ ../two'
    echo 1 | values 'nan and inf' '-s 21 -n @ ../two'
    echo 0.5 | values 'rho of solver 21' '-s 21 -e 1e-6 -n @ ../even'
    places='-v @ ../two, -C -v @ ../two, -s 12 -v @ ../numbers'
    printf '%s\n' 2 3 31 32 1000 1 0 -1 | values - "$places"
    printf '%s\n' 2.5 3x abc | values 'Values refused here' "$places"
    printf '%s\n' 8 9 10 14 15 16 17 18 19 20 22 99 -1 | values - '-s @ ../two, -C -s @ ../two'
    printf '%s\n' 30 31 32 33 40 41 42 50 60 61 62 | values 'Options taken here' '-s @ ../two'
    printf '%s\n' abc 2.5 3x | values 'Values refused here' '-s @ ../two'
    places='-w@ 2 ../two, -s 12 -w@ 2 ../two, -s 4 -w@ 2 ../three'
    printf '%s\n' 1 -1 +1 01 2 7 | values - "$places"
    printf '%s\n' x '' 1x | values 'Values refused here' "$places"
    cat <<'END'
-|-w1 2 -w-1 0.5 ../two
-|-w1 2 -w1 0.25 ../two
-|-w2 2 -w3 0.25 ../three
-|-w1 2 -w2 3 -w3 4 -s 4 ../three
-|-c 8 -c 0.5 ../two
-|-s 0 -s 3 ../two
-|-q -q ../two
-|-C -C ../two
-|-R -R -B 1 -s 0 ../two
-|-B 1 -B -1 ../two
Words refused here|-c1 0.5 ../two
Words refused here|-cost 0.5 ../two
Words refused here|-quiet ../two
Words refused here|-q1 ../two
Words refused here|-Cx ../two
-|-a ../two
-|-a 1 ../two
-|-m 2 ../two
-|-M 1 ../two
-|-x 1 ../two
-|-c
-|-q
-|
Options taken here|-h
Options taken here|--help
Options taken here|-- ../two
Words refused here|../two -x 1
Order of words|../two -c 2
Order of words|../two -q
Words refused here|../two model third
-|-v 3 ../two model
-|-v 3 ../two ../two
-|-v 3 ../two absent/model
-|-C ../two model
-|-s 0 -C -q ../two model
-|-p 0.2 -n 0.3 -s 3 ../two model
-|-s 13 -n 0.3 -w1 2 ../numbers
-|../absent
-|../two absent/model
-|../two ..
END
}

: >lines
if has R && has 21; then # of 2.50; other releases take other values
    values_and_forms >lines
else
    skip 'values and forms are compared with LIBLINEAR 2.50'
fi
table <lines 2>/dev/null # where LIBLINEAR crashes, the shell says so
echo "drop-in: $(wc -l <lines) command lines with other values and forms"

# ---- Rows at the border ---------------------------------------------------

"$their_train" -q -s 0 two border.model

# border EXPLANATION FORMAT: trains on the rows that printf makes of FORMAT, and predicts them.
border() {
    # shellcheck disable=SC2059 # the escapes are the point
    printf -- "$2" >border
    train "$1" -s 3 -e 1e-4 ../border
    predict "$1" border border.model
}

while IFS='|' read -r explanation text; do
    border "$explanation" "$text"
done <<'END'
-|1 1:1 2:0.5\n-1 1:-1 3:2\n1 2:1\n-1 4:1\n
-|-1 1:1\n1 2:1\n-1 2:-1 5:7\n
-|2 1:1\n1 2:1\n2 2:-1 3:7\n
-|0 1:1\n1 2:1\n1 2:-1 3:7\n
-|+1.0 1:1\n-1e0 2:1\n
-|3 1:1\n-7 2:1\n12 3:1\n3 2:0.5\n
-|1\t1:1\t2:0.5\t\n-1  1:-1   3:2 \n
-|1 1:1\r\n-1 2:1\r\n
-|1 1:1\n-1 2:1
-|1 1:1\n-1\n1\n-1 2:1\n
-| 1 1:1\n  -1 2:1\n
-|1 01:1e0\n-1 2:.5\n1 3:+1.\n
-|1 1:0\n-1 2:0.0\n1 3:1\n
-|1 0:1\n-1 2:1\n
-|1 1:1 1:1\n-1 2:1\n
-|1 2:1 1:1\n-1 2:1\n
-|1 2147483648:1\n-1 2:1\n
-|1 1:1e999\n-1 2:1\n
-|1 2:\n-1 2:1\n
-|1 2:x\n-1 2:1\n
-|1 x:1\n-1 2:1\n
-|a 1:1\n-1 2:1\n
-|1,3 1:1\n-1 2:1\n
-|1 1:1:1\n-1 2:1\n
-|1 -1:1\n-1 2:1\n
Rows taken here|1 1:1\n\n-1 2:1\n
Rows taken here|1 1:1\n-1 2:1\n\n
Rows taken here|1 1:1\n# comment\n-1 2:1\n
Rows taken here|1 1:1 # a:b\n-1 2:1\n
Rows taken here|1 qid:3 1:1\n-1 qid:3 2:1\n
Rows taken here|1 1:1e-320\n-1 2:1\n
Rows taken here|1 1:1\r\n-1\r\n1 2:1\r\n
Rows taken here|\357\273\2771 1:1\n-1 2:1\n
-|1 1:1 # comment\n-1 2:1\n
Rows refused here|1 1:1 2\n-1 2:1\n
Rows refused here|1 1:1\n-1 :2\n
-|1 1: 1\n-1 2:1\n
Rows refused here|1 1:nan\n-1 2:1\n
Rows refused here|1 1:inf\n-1 2:1\n
Rows refused here|1 1:0x1p3\n-1 2:1\n
Rows refused here|nan 1:1\n-1 2:1\n
Rows refused here|
Rows refused here|1 1:1\n1 2:1\n
Labels|1.5 1:1\n1.25 2:1\n-1 3:1\n
END

# ---- Forms of predict -------------------------------------------------------

while IFS='|' read -r explanation options; do
    # shellcheck disable=SC2086 # words
    predict "$explanation" two border.model $options
done <<'END'
-|-b 0 -b 1
-|-q -b 1 -q
Values refused here|-b 2
Values refused here|-b x
Words refused here|-quiet
Words refused here|-b1 1
-|-x
-|-c 1
END
predict - absent border.model
predict - two absent
predict - two two

# ---- What came of it --------------------------------------------------------

awk -f "$here/drop_in.awk" notes >verdict
grep '^DIFFERENT' verdict
section=$(sed -n '/^\.Sh DIFFERENCES FROM LIBLINEAR/,/^\.Sh EX/p' "$root/src/man/train.1.in")
passed=$(sed -n 's/^passed //p' verdict) failed=$(sed -n 's/^failed //p' verdict)
sed -n 's/^explained //p' verdict >explained
while read -r times item; do
    if echo "$section" | grep -qxF ".It $item"; then
        passed=$((passed + 1))
        echo "drop-in: $item: explains $times runs"
    else
        failed=$((failed + 1))
        echo "FAILED: the manual does not explain: $item ($times runs)"
    fi
done <explained
echo "drop-in: LIBLINEAR $release"
totals "$passed" "$failed" "$skipped" "$reasons"
