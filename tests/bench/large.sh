#!/bin/sh
# make bench-large: runs train and liblinear-train on 677,399 rows like RCV1's, and train on more than 2^31 non-zeros,
# which LIBLINEAR cannot read. On both, train runs again within a quarter of its memory. Needs half an hour, about 7 GB
# of disc and, for the second part, much memory. Writes tests/bench/LARGE.md, which make bench copies into RESULTS.md.
# Run it from the top folder, after make.
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

# peak_of COMMAND...: the peak memory in megabytes, or - without GNU time.
peak_of() {
    if [ -n "$gnu_time" ]; then
        "$gnu_time" -f %M -o "$scratch/peak" "$@" >/dev/null 2>&1 && awk '{ printf "%.0f\n", $1 / 1000 }' "$scratch/peak"
    else
        echo -
    fi
}

large_row() {
    in_turn ours "./train -j 1 -s $1 -e 0.1 '$file' '$scratch/ours.model'" \
        theirs "liblinear-train -s $1 -e 0.1 '$file' '$scratch/theirs.model'"
    printf '| %d | %.2f | %.2f | **%s** | %.2g | %.2g ' "$1" "$(median theirs)" "$(median ours)" \
        "$(ratio theirs ours)" "$(gap ours)" "$(their_gap "$sets" "$1" 1)"
    echo "| $(peak_of liblinear-train -s "$1" -e 0.1 "$file" "$scratch/theirs.model") |" \
        "$(peak_of ./train -j 1 -s "$1" -e 0.1 "$file" "$scratch/ours.model") |"
}

# quarter MEGABYTES: a quarter of MEGABYTES, in MiB.
quarter() { awk -v mb="$1" 'BEGIN { printf "%d", mb * 1e6 / 4 / 1048576 }'; }

# reads NAME: the number of times that train has read data from its file.
reads() { sed -n 's/^data read \([0-9.]*\) times$/\1/p' "$scratch/$1.report"; }

within_head() {
    echo
    echo "To a certified gap of 1e-3, in memory and with \`--memory\` at a quarter of the peak of that; the first"
    echo "seconds and MB are those in memory."
    echo
    echo "| training | s | MB | gap | \`--memory\`, MiB | s | MB | gap | data read |"
    echo "|---|--:|--:|--:|--:|--:|--:|--:|--:|"
}

# within_row SOLVER: compares a training with all data in memory and one in a quarter of the memory.
within_row() {
    peak=$(peak_of ./train -j 1 -s "$1" "$file" "$scratch/ours.model")
    if [ "$peak" = - ]; then
        echo "Skipped: it needs GNU time."
        return
    fi
    limit=$(quarter "$peak")
    in_turn whole "./train -j 1 -s $1 '$file' '$scratch/ours.model'" \
        paged "./train -j 1 -s $1 --memory $limit '$file' '$scratch/ours.model'"
    printf "| \`-s %d\` | %.2f | %s | %.2g | %s " "$1" "$(median whole)" "$peak" "$(gap whole)" "$limit"
    printf '| %.2f | %s ' "$(median paged)" "$(peak_of ./train -j 1 -s "$1" --memory "$limit" "$file" "$scratch/ours.model")"
    printf '| %.2g | %s times |\n' "$(gap paged)" "$(reads paged)"
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
    within_head
    for solver in 1 3 0; do within_row $solver; done
    rm -f "$file"
}

# ---- More than 2^31 non-zeros ----

available() { awk '/^MemAvailable:/ { print $2 * 1024 }' /proc/meminfo 2>/dev/null; }

# huge_run NAME OPTIONS: trains on the rows while synth makes them. A named pipe instead of | gives the status of synth,
# too. Returns 0 if both programs have succeeded.
huge_run() {
    name=$1
    shift
    rm -f "$scratch/pipe"
    mkfifo "$scratch/pipe"
    $synth rcv1 "$rows" --ones --output "$scratch/pipe" &
    "$gnu_time" -f '%e %M' -o "$scratch/$name.spent" ./train -j 1 "$@" - "$scratch/ours.model" \
        <"$scratch/pipe" >"$scratch/$name.report" 2>"$scratch/warning"
    status=$?
    wait $! && [ $status -eq 0 ]
}

# spent NAME FIELD: the wall seconds (1) or the peak memory in MB (2) of a huge_run.
spent() { awk -v k="$2" '{ printf "%.0f", k == 1 ? $1 : $2 / 1000 }' "$scratch/$1.spent"; }

huge() {
    rows=$((non_zeros / 74 + 1))
    training="-s dcd-l1 -c 0.01"
    echo
    echo "## $non_zeros non-zeros, all 1"
    echo
    if ! available | awk -v n="$non_zeros" -v each="$needed" '{ good = $1 >= n * each } END { exit !good }'; then
        echo "Skipped: it needs $(awk -v n="$non_zeros" -v each="$needed" 'BEGIN { printf "%.0f", n * each / 1e9 }') GB of memory," \
            "and fewer are available, or it is not known."
        return
    fi
    if [ -z "$gnu_time" ]; then
        echo "Skipped: it needs GNU time."
        return
    fi
    note "training on $rows rows"
    # shellcheck disable=SC2086 # words
    if ! huge_run whole $training; then
        echo "train or synth failed: $(head -n 1 "$scratch/warning")"
        return
    fi
    limit=$(quarter "$(spent whole 2)")
    note "and within $limit MiB"
    # shellcheck disable=SC2086
    if ! huge_run paged $training --memory "$limit"; then
        echo "train --memory $limit or synth failed: $(head -n 1 "$scratch/warning")"
        return
    fi
    echo "\`synth rcv1 $rows --ones | train $training -\`, one run each. A part of the time is synth's, beside which"
    echo "train reads."
    echo
    sed -n '/rows,/s/^/    /p; /^read/s/^/    in memory: /p' "$scratch/whole.report"
    sed -n '/^read/s/^/    in a file: /p' "$scratch/paged.report"
    within_head
    printf "| \`%s\` | %s | %s | %.2g " "$training" "$(spent whole 1)" "$(spent whole 2)" "$(gap whole)"
    printf '| %s | %s | %s | %.2g | %s times |\n' "$limit" "$(spent paged 1)" "$(spent paged 2)" "$(gap paged)" \
        "$(reads paged)"
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
