#!/bin/sh
# run.sh - runs goals of the Makefile that are tests: sh tests/run.sh GOAL..., MAKE is the make to use.
#
# All of them run, also after one that fails. The last line is the sum of the numbers of tests that
# each goal prints in its own last line; a goal that fails without such a number counts as one failed test.
set -u

scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
trap 'exit 130' INT TERM HUP

for goal in "$@"; do
    {
        status=0
        ${MAKE:-make} --no-print-directory "$goal" 2>&1 || status=$?
        echo "$status" >"$scratch/status"
    } | tee "$scratch/log"
    awk -v status="$(cat "$scratch/status")" '
        match($0, /[0-9]+ (tests )?passed, [0-9]+ failed/) {
            words = split(substr($0, RSTART, RLENGTH), word, " ")
            passed = word[1]
            failed = word[words - 1]
        }
        END { print passed + 0, status != 0 && !failed ? 1 : failed + 0 }' "$scratch/log" \
        >>"$scratch/numbers"
done
awk '
    { passed += $1; failed += $2 }
    END { printf "%d passed, %d failed\n", passed, failed; exit failed > 0 }' "$scratch/numbers"
