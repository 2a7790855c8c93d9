#!/bin/sh
# unit.sh - runs unit tests: sh tests/unit.sh PROGRAM...
#
# Prints one line for each program (a suite), the whole output of each that fails, and the totals.
# A program passes if it exits with 0 and, where it is one of cmocka's (FOLDER/test_FILE), says how
# many tests passed. One that crashes, leaks under a sanitizer or ends early counts as one failed test.
set -u
LC_ALL=C
CMOCKA_MESSAGE_OUTPUT=stdout
export LC_ALL CMOCKA_MESSAGE_OUTPUT

log=$(mktemp) || exit 1
trap 'rm -f "$log"' EXIT
trap 'exit 130' INT TERM HUP
suites=0 passed=0 failed=0 skipped=0

# tests_that KIND: the number of tests that PASSED, FAILED or were SKIPPED, from cmocka's closing lines.
tests_that() {
    awk -v kind="$1" '
        $1 == "[" && $2 == kind && match($0, /[0-9]+ test\(s\)/) { number = substr($0, RSTART) + 0 }
        END { print number + 0 }' "$log"
}

# missing: why tests were skipped, as " (PATH is not there)", where support.c says so.
missing() {
    sed -n 's/^\[  SKIPPED \] \(.*\) is not there;.*/\1/p' "$log" | sort -u |
        awk '{ list = list (NR > 1 ? ", " : "") $0 } END { if (NR) print " (not there: " list ")" }'
}

for program in "$@"; do
    name=${program##*/tests/} status=0
    "$program" >"$log" 2>&1 </dev/null || status=$?
    good=$(tests_that PASSED) bad=$(tests_that FAILED) left_out=$(tests_that SKIPPED)
    case $name in
    */test_*) name=${name%%test_*}${name#*/test_} ;;
    *) [ "$status" -ne 0 ] || good=1 ;; # not one of cmocka's
    esac
    if [ "$bad" -eq 0 ] && { [ "$status" -ne 0 ] || [ $((good + left_out)) -eq 0 ]; }; then
        bad=1
    fi
    suites=$((suites + 1)) passed=$((passed + good)) failed=$((failed + bad)) skipped=$((skipped + left_out))
    if [ "$bad" -gt 0 ]; then
        cat "$log"
        echo "FAIL $name: $good passed, $bad failed, exit status $status"
    elif [ "$left_out" -gt 0 ]; then
        echo "$name: $good passed, $left_out skipped$(missing)"
    else
        echo "$name: $good passed"
    fi
done
echo "cmocka: $suites suites, $passed tests passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
