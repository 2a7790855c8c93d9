#!/bin/sh
# make bench: whole runs of train against liblinear-train, the same file, solver and stop rule (-e 0.1),
# in turn on the same machine. Prints a Markdown table of medians and their ratio, which README.md
# quotes, and writes it to tests/bench/RESULTS.md.
# HINGE_DATA: folder of the data sets; HINGE_RUNS: runs of each command (default 7).
set -u

data=${HINGE_DATA:-data}
runs=${HINGE_RUNS:-7}
sets='a9a w8a covtype-93k covtype.binary.scale imdb rcv1 farm-ads svmlight-ex1 20news letter digits'
results=tests/bench/RESULTS.md

for tool in hyperfine liblinear-train; do
    if ! command -v "$tool" >/dev/null 2>&1; then
        echo "bench: $tool is not installed (Debian: hyperfine, liblinear-tools): nothing measured"
        exit 0
    fi
done
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
trap 'exit 130' INT TERM

# seconds FILE COMMAND: appends the wall time of one run.
seconds() {
    hyperfine --style none --shell none --warmup 0 --runs 1 --export-csv "$scratch/csv" "$2" \
        >/dev/null 2>"$scratch/error" || { cat "$scratch/error" >&2; exit 1; }
    awk -F, 'NR == 2 { print $2 }' "$scratch/csv" >>"$1"
}

median() { sort -g "$1" | awk '{ x[NR] = $1 } END { print (x[int((NR + 1) / 2)] + x[int(NR / 2) + 1]) / 2 }'; }

# row DATA SOLVER: one line of the table.
row() {
    file=$data/$1
    ours="./train -s $2 -e 0.1 $file $scratch/ours"
    theirs="liblinear-train -s $2 -e 0.1 $file $scratch/theirs"
    rm -f "$scratch"/time.*
    $ours >"$scratch/report" && $theirs >/dev/null 2>&1 # both have warmed up, the file is in memory
    for _ in $(seq "$runs"); do
        seconds "$scratch/time.ours" "$ours"
        seconds "$scratch/time.theirs" "$theirs"
    done
    gap=$(awk '/^Relative duality gap/ { if ($5 > worst) worst = $5 } END { print worst + 0 }' "$scratch/report")
    awk -v data="$1" -v solver="$2" -v gap="$gap" -v ours="$(median "$scratch/time.ours")" \
        -v theirs="$(median "$scratch/time.theirs")" 'BEGIN {
            printf "| %s | %d | %.3f | %.3f | **%.1f** | %.2g |\n", data, solver, theirs, ours, theirs / ours, gap
        }'
}

table() {
    echo "| data | \`-s\` | liblinear-train, s | train, s | ratio | our relative gap |"
    echo "|---|--:|--:|--:|--:|--:|"
    for name in $sets; do
        if [ ! -f "$data/$name" ]; then
            echo "bench: $data/$name is not there: skipped" >&2
            continue
        fi
        row "$name" 1
        row "$name" 3
    done
}

machine() { sed -n 's/^model name[^:]*: //p' /proc/cpuinfo 2>/dev/null | head -n 1; }

{
    echo "# From file to model, against LIBLINEAR"
    echo
    echo "Written by \`make bench\`: wall time of the whole program, median of $runs runs taken in turn,"
    echo "stop rule \`-e 0.1\`, C = 1. The gap is the largest of the data set's binary problems."
    echo
    table
    echo
    echo "Machine: $(machine), $(nproc 2>/dev/null || echo '?') processors, $(uname -sm);" \
        "$(${CC:-cc} --version | head -n 1); load $(cut -d' ' -f1 /proc/loadavg 2>/dev/null || echo '?') at the end."
} >"$scratch/results" && mv "$scratch/results" "$results" && cat "$results"
