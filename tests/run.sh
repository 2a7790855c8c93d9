#!/bin/sh
# run.sh - runs suites of tests: sh tests/run.sh SUITE...
#
# A suite is a program of unit tests, FOLDER/tests/PATH; cli/SUBJECT,SUBJECT..., scripts of that folder;
# mpi/SUBJECT; peers/PART; or data/get. JOBS suites run at a time (default: one for each processor). Prints a line for
# each suite, in the order given, and then the sum. The whole output of a suite comes before its line if the suite fails
# or V is not empty. With V the line ends with the processor seconds.
#
# The last line of a suite is that of totals.sh, or cmocka's count. A suite without that line, or with another exit
# status than 0 although no test failed, counts as one failed test. So does a script that calls a function that does not
# exist, and a suite that runs longer than SUITE_SECONDS: it hangs, and is killed. HINGE_EMULATOR starts unit tests that
# are for another machine.
set -u
CMOCKA_MESSAGE_OUTPUT=stdout
export CMOCKA_MESSAGE_OUTPUT
here=$(CDPATH='' cd "$(dirname "$0")" && pwd) || exit 1

# shellcheck source=tests/environment.sh
. "$here/environment.sh"
# shellcheck source=tests/totals.sh
. "$here/totals.sh"

# ---- One suite ---------------------------------------------------------

# The longest suite takes a minute, and with sanitizers or in an emulator some minutes. -v: timeout says in the output
# that it has killed the suite. --foreground: the suite gets the SIGINT of the terminal.
SUITE_SECONDS=${SUITE_SECONDS:-1800}
limit=
! timeout -v --foreground 9 true 2>/dev/null || limit="timeout -v --foreground -k 5 $SUITE_SECONDS"

# shellcheck disable=SC2046,SC2086 # lists of words
start() {
    case $1 in
    mpi/*) $limit sh "$here/mpi/run.sh" "${1#mpi/}" ;;
    cli/*) $limit sh "$here/cli/run.sh" $(echo "${1#cli/}" | tr , ' ') ;;
    peers/drop_in) $limit sh "$here/peers/drop_in.sh" "${MOST:-2}" ;;
    peers/*) $limit sh "$here/peers/run.sh" "${1#peers/}" ;;
    data/get) $limit sh "$here/data/get.sh" ;;
    */tests/library/example) $limit "$1" && totals 1 0 0 ;; # a program without cmocka
    *) $limit ${HINGE_EMULATOR:-} "$1" ;;
    esac
}

# name SUITE
name() {
    case $1 in
    */tests/*/test_*) echo "${1##*/tests/}" | sed 's|/test_\([^/]*\)$|/\1|' ;;
    */tests/*) echo "${1##*/tests/}" ;;
    *) echo "$1" ;;
    esac
}

# counts STATUS: prints "PASSED FAILED SKIPPED REASONS" for a suite whose output is read.
counts() {
    awk -v status="$1" '
        match($0, /^[0-9]+ passed, [0-9]+ failed, [0-9]+ skipped/) {
            split($0, word, " ")
            passed = word[1]; failed = word[3]; skipped = word[5]
            why = substr($0, RLENGTH + 1)
            counted = 1
        }
        $1 == "[" && match($0, /[0-9]+ test\(s\)/) { # cmocka
            number = substr($0, RSTART) + 0
            if ($2 == "PASSED") passed = number
            if ($2 == "FAILED") failed = number
            if ($2 == "SKIPPED") skipped = number
            counted = 1
        }
        /^\[  SKIPPED \] .* is not there;/ { # support.c, of a file of HINGE_DATA
            file = $4
            sub(/.*\//, "", file)
            if (!absent[file]++) list = list (list == "" ? "" : ", ") file
        }
        /^\[  SKIPPED \] / && !/ is not there;/ && !/test\(s\)/ { # another reason, or the name of a test
            text = substr($0, 14)
            if (text ~ / /) reasons = reasons (reasons == "" ? "" : "; ") text
            else if (!left_out[text]++) names = names (names == "" ? "" : ", ") text
        }
        /[.]sh: .*not found$/ && !/^FAIL / { missing = 1 } # a script calls a function or program that does not exist
        END {
            if (!failed && (status != 0 || !counted || passed + skipped == 0 || missing)) failed = 1
            if (list != "") list = "not in HINGE_DATA: " list
            if (reasons != "") list = list (list == "" ? "" : "; ") reasons
            if (list == "") list = names
            if (list != "") why = "(" list ")"
            sub(/^ /, "", why)
            print passed + 0, failed + 0, skipped + 0, why
        }'
}

# processor_seconds FILE: prints the processor seconds of a shell's children. "times" has written the file.
processor_seconds() {
    awk 'NR == 2 { split($0, x, /[ms ]+/); printf "%.1f", 60 * x[1] + x[2] + 60 * x[3] + x[4] }' "$1"
}

# one SCRATCH NUMBER SUITE: runs the suite and writes NUMBER.log, NUMBER.counts and NUMBER.line.
one() {
    HINGE_SCRATCH=$1/$2.files # for unit tests: two suites of the same name may run at the same time
    export HINGE_SCRATCH
    status=0
    start "$3" >"$1/$2.log" 2>&1 </dev/null || status=$?
    times >"$1/$2.times" # a subshell would know of no children
    counts "$status" <"$1/$2.log" >"$1/$2.counts"
    read -r passed failed skipped why <"$1/$2.counts"
    line="$(name "$3"): $passed passed"
    [ "$failed" -eq 0 ] || line="FAIL $line, $failed failed, exit status $status"
    [ "$skipped" -eq 0 ] || line="$line, $skipped skipped${why:+ $why}"
    [ -z "${V:-}" ] || line="$line, $(processor_seconds "$1/$2.times") s"
    echo "$line" >"$1/$2.line"
    echo "$2"
}

if [ "${1:-}" = --one ]; then
    shift
    one "$@"
    exit 0
fi

# ---- All suites --------------------------------------------------------

if [ $# -eq 0 ]; then
    totals 0 0 0
    exit
fi
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
trap 'exit 130' INT TERM HUP
jobs=${JOBS:-$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 1)}

show() {
    if [ ! -e "$scratch/$1.line" ]; then
        echo 0 1 0 >"$scratch/$1.counts"
        echo "FAIL suite $1: it was killed" >"$scratch/$1.line"
    fi
    read -r _ failed _ <"$scratch/$1.counts"
    if [ -n "${V:-}" ] || [ "$failed" -gt 0 ]; then
        cat "$scratch/$1.log"
    fi
    cat "$scratch/$1.line"
}

# in_order COUNT: reads the numbers of suites in the order in which they end, and shows the suites in the order given.
in_order() {
    next=1
    while read -r ended; do
        : >"$scratch/$ended.ended"
        while [ -e "$scratch/$next.ended" ]; do
            show "$next"
            next=$((next + 1))
        done
    done
    while [ "$next" -le "$1" ]; do
        show "$next"
        next=$((next + 1))
    done
}

# Suites run in the foreground, because a shell lets programs in the background ignore SIGINT, which tests send.
number=0
for suite in "$@"; do
    number=$((number + 1))
    echo "$number $suite"
done | xargs -n 2 -P "$jobs" sh "$0" --one "$scratch" | in_order $#

broken=$(cat "$scratch"/*.line | sed -n 's/^FAIL \([^:]*\):.*/\1/p' | sort | paste -s -d ' ' -)
[ -z "$broken" ] || echo "failed: $broken"
# shellcheck disable=SC2046 # three numbers
totals $(cat "$scratch"/*.counts | awk '{ p += $1; f += $2; s += $3 } END { print p + 0, f + 0, s + 0 }')
