# totals.sh - the last line of a suite of tests, which run.sh reads.
# shellcheck shell=sh

# totals PASSED FAILED SKIPPED [REASONS]: REASONS says why tests were skipped, a reason a line. The
# exit status is 0 if no test failed.
totals() {
    printf '%d passed, %d failed, %d skipped' "$1" "$2" "$3"
    [ -z "${4:-}" ] || printf '%s\n' "$4" |
        awk 'NF && !seen[$0]++ { all = all (all == "" ? "" : "; ") $0 } END { printf " (%s)", all }'
    printf '\n'
    [ "$2" -eq 0 ]
}
