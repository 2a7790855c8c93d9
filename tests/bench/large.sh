#!/bin/sh
# make bench-large: train and liblinear-train on 677,399 rows like RCV1's, and train on more than 2^31
# non-zeros, which LIBLINEAR cannot take. Needs up to a quarter of an hour, about 1 GB of disc and, for the
# second part, much memory. Writes tests/bench/LARGE.md, which make bench takes into RESULTS.md. Run it
# from the top folder, after make.
# HINGE_RUNS: runs of each command (default 3); HINGE_BYTES: memory that train needs for each non-zero
# of value 1, for the second part (default 7).
# shellcheck disable=SC2034,SC2154 # variables shared with lib.sh
set -u

data=${HINGE_DATA:-data}
runs=${HINGE_RUNS:-3}
sets=rcv1-large-synth
here=tests/bench
bench=large
long=120 # seconds from which on a command is run only once
synth=build/plain/synth
non_zeros=2200000000 # more than 2^31
needed=${HINGE_BYTES:-7}

# shellcheck source=/dev/null
. "$here/lib.sh"

gnu_time=$(command -v time) || gnu_time=/usr/bin/time
"$gnu_time" -f %M -o "$scratch/peak" true >/dev/null 2>&1 || gnu_time=

# ---- 677,399 rows ----

# peak_of COMMAND...: megabytes, - where there is no GNU time.
peak_of() {
    if [ -n "$gnu_time" ]; then
        "$gnu_time" -f %M -o "$scratch/peak" "$@" >/dev/null 2>&1 && awk '{ printf "%.0f\n", $1 / 1000 }' "$scratch/peak"
    else
        echo -
    fi
}

large_row() {
    in_turn ours "./train -s $1 -e 0.1 '$file' '$scratch/ours.model'" \
        theirs "liblinear-train -s $1 -e 0.1 '$file' '$scratch/theirs.model'"
    printf '| %d | %.2f | %.2f | **%s** | %.2g | %.2g ' "$1" "$(median theirs)" "$(median ours)" \
        "$(ratio theirs ours)" "$(gap ours)" "$(their_gap "$sets" "$1" 1)"
    echo "| $(peak_of liblinear-train -s "$1" -e 0.1 "$file" "$scratch/theirs.model") |" \
        "$(peak_of ./train -s "$1" -e 0.1 "$file" "$scratch/ours.model") |"
}

large() {
    file=$(path "$sets")
    mkdir -p build/bench
    note "making $file"
    $synth rcv1 677399 --output "$file" || return 1
    echo "## 677,399 rows like RCV1's, $(wc -c <"$file" | awk '{ printf "%.0f", $1 / 1e6 }') MB"
    echo
    echo "Whole runs, \`-e 0.1\`, C = 1, medians of $runs."
    echo
    echo "| \`-s\` | liblinear-train, s | train, s | ratio | our gap | its gap | its MB | our MB |"
    echo "|--:|--:|--:|--:|--:|--:|--:|--:|"
    large_row 1
    large_row 3
    sed -n 's/^\(read .*\)/\nOur last run: \1/p' "$scratch/ours.report"
    rm -f "$file"
}

# ---- More than 2^31 non-zeros ----

available() { awk '/^MemAvailable:/ { print $2 * 1024 }' /proc/meminfo 2>/dev/null; }

# huge: a named pipe and not |, for the status of synth, too.
huge() {
    rows=$((non_zeros / 74 + 1))
    echo
    echo "## $non_zeros non-zeros, all 1"
    echo
    if ! available | awk -v n="$non_zeros" -v each="$needed" '{ good = $1 >= n * each } END { exit !good }'; then
        echo "Skipped: it needs $(awk -v n="$non_zeros" -v each="$needed" 'BEGIN { printf "%.0f", n * each / 1e9 }') GB of memory," \
            "and fewer are available, or it is not known."
        return
    fi
    note "training on $rows rows"
    mkfifo "$scratch/pipe"
    $synth rcv1 "$rows" --ones --output "$scratch/pipe" &
    # shellcheck disable=SC2086 # no word where there is no GNU time
    ${gnu_time:+$gnu_time -v -o $scratch/verbose} ./train -s dcd-l1 -i 3 - "$scratch/ours.model" \
        <"$scratch/pipe" >"$scratch/report" 2>"$scratch/warning"
    echo "\`synth rcv1 $rows --ones | train -s dcd-l1 -i 3 -\`: train's status $?,"
    wait $!
    echo "synth's $?. A part of the time is synth's."
    echo
    sed -n '/^Relative\|rows,\|^read/s/^/    /p' "$scratch/report"
    [ -z "$gnu_time" ] ||
        awk -F': ' '/Maximum resident/ { printf "    peak %.2f GB\n", $2 / 1e6 } /Elapsed/ { print "    " $NF " wall" }' \
            "$scratch/verbose"
}

build grid_gap
{
    echo "# Large data"
    echo
    echo "Written by \`make bench-large\`."
    echo
    large
    huge
    echo
    machine_line
} >"$scratch/page" && mv "$scratch/page" $here/LARGE.md
note "$here/LARGE.md is written"
