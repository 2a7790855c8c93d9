# lib.sh - shared by the benchmarks: runs commands in turn, reads their output, describes the machine.
# A script sets bench (its name), data, runs, long and, for has, sets before it sources this file.
# shellcheck shell=sh disable=SC2154

LC_ALL=C
export LC_ALL

for tool in hyperfine liblinear-train; do
    if ! command -v "$tool" >/dev/null 2>&1; then
        echo "$bench: $tool is not installed (Debian: hyperfine, liblinear-tools): nothing measured"
        exit 0
    fi
done
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
trap 'exit 130' INT TERM

# The data of pictures in pages of HTML, as inspect --page reads them. They are kept, so that a page can be made again.
figures=build/bench/figures
mkdir -p "$figures"

first_load=$(cut -d' ' -f1 /proc/loadavg 2>/dev/null || echo '?')

note() { echo "$bench: $*" >&2; }

# path NAME: prints the path of a data set. The benchmark makes the sets of synth itself.
path() {
    case $1 in
    *-synth) echo "build/bench/$1" ;;
    *) echo "$data/$1" ;;
    esac
}

has() { case " $sets " in *" $1 "*) [ -f "$(path "$1")" ] ;; *) return 1 ;; esac }

# ---- Running ----

# run NAME COMMAND: appends the wall time of one run to NAME.time and writes its output to NAME.report. A command that
# took long or failed does not run again. A failed run leaves both files empty, and NAME.late if timeout ended it.
run() {
    [ ! -e "$scratch/$1.done" ] || return 0
    if ! hyperfine --style none --shell none --warmup 0 --runs 1 --output "$scratch/$1.report" \
        --export-csv "$scratch/csv" "$2" >/dev/null 2>"$scratch/error"; then
        note "failed: $2: $(head -n 1 "$scratch/error")"
        : >"$scratch/$1.report"
        : >"$scratch/$1.time"
        : >"$scratch/$1.done"
        ! grep -q 'exit code: 124' "$scratch/error" || : >"$scratch/$1.late"
        return 0
    fi
    awk -F, 'NR == 2 { print $2 }' "$scratch/csv" >>"$scratch/$1.time"
    awk -v long="$long" '$1 > long { exit 1 }' "$scratch/$1.time" || : >"$scratch/$1.done"
}

# in_turn NAME COMMAND NAME COMMAND ...
in_turn() {
    rm -f "$scratch"/*.time "$scratch"/*.done "$scratch"/*.late "$scratch"/*.report
    for _ in $(seq "$runs"); do
        turn "$@"
    done
}

turn() {
    while [ $# -ge 2 ]; do
        run "$1" "$2"
        shift 2
    done
}

# ---- Reading the output of the programs: "-" stands for a missing number ----

# median NAME: prints the median of the times.
median() {
    sort -g "$scratch/$1.time" |
        awk '{ x[NR] = $1 } END { print NR ? (x[int((NR + 1) / 2)] + x[int(NR / 2) + 1]) / 2 : "-" }'
}

# ratio NAME NAME [DIGITS]: prints the ratio of two medians, with DIGITS digits (default 1) after the point.
ratio() {
    echo "$(median "$1") $(median "$2")" | awk -v digits="${3:-1}" \
        '{ if ($1 == "-" || $2 == "-" || $2 == 0) print "-"; else printf "%." digits "f\n", $1 / $2 }'
}

# gap NAME: prints the largest relative gap of the binary problems of train.
gap() {
    awk '/^Relative duality gap/ { n++; if ($5 > worst) worst = $5 } END { print n ? worst + 0 : "-" }' \
        "$scratch/$1.report"
}

# certified NAME: prints yes if all binary problems of train are certified, and no otherwise.
certified() {
    awk '/^optimization finished/ { n++ } /^Relative duality gap = .*\(certified <= / { good++ }
        END { print n && n == good ? "yes" : "no" }' "$scratch/$1.report"
}

# their_gap DATA SOLVER C: prints the largest relative gap of the binary problems of theirs.model. The printed dual has
# six decimals. Half of the last decimal is the smallest gap stated; if that is above 1e-4, no gap is stated.
their_gap() {
    if [ ! -s "$scratch/theirs.report" ] ||
        ! build/plain/grid_gap "$(path "$1")" "$scratch/theirs.model" "$3" "$2" >"$scratch/primals"; then
        echo -
        return
    fi
    sed -n 's/^Objective value = //p' "$scratch/theirs.report" >"$scratch/duals"
    awk 'NR == FNR { primal[++n] = $1; next }
        {
            unsure = 5e-7 / primal[++m]; gap = 1 + $1 / primal[m]
            if ($1 !~ /^-?[0-9.]+$/ || m > n || unsure > 1e-4 || gap < -2 * unsure - 1e-9) bad = 1
            if (gap < unsure) gap = unsure
            if (gap > worst) worst = gap
        }
        END { print n && n == m && !bad ? worst : "-" }' "$scratch/primals" "$scratch/duals"
}

# least: writes the lower bounds of tight.model to the file least, a line for each problem.
least() {
    sed -n 's/^# dual //p' "$scratch/tight.model" | tr ' ' '\n' | awk '{ printf "%.17g\n", -$1 }' >"$scratch/least"
}

# excess MODEL DATA C SOLVER: prints the largest (P - least)/P of the problems. The file least has the bounds.
excess() {
    if [ -s "$scratch/$1" ] && build/plain/grid_gap "$(path "$2")" "$scratch/$1" "$3" "$4" >"$scratch/primals"; then
        paste "$scratch/primals" "$scratch/least" | awk '
            { x = ($1 - $2) / $1; if (NR == 1 || x > worst) worst = x } END { print NR ? worst + 0 : "-" }'
    else
        echo -
    fi
}

# ---- Pages ----

# figure NAME: keeps standard input as the picture NAME, and prints <!-- NAME -->, its place in a page.
figure() {
    cat >"$figures/$1"
    echo "<!-- $1 -->"
}

# draw MARKDOWN [N]: writes the page of HTML beside the Markdown page; with N, only the first N parts.
draw() {
    awk -v figures="$figures" -v parts="${2-}" -f "$here/page.awk" "$1" >"$scratch/description"
    ./inspect --page "$scratch/description" --report "${1%.md}.html"
}

# ---- The machine ----

load() { cut -d' ' -f1 /proc/loadavg 2>/dev/null || echo '?'; }

machine() { sed -n 's/^model name[^:]*: //p' /proc/cpuinfo 2>/dev/null | head -n 1; }

# package NAME: prints the package and its version, if dpkg knows it.
package() { dpkg-query -W -f "$1 \${Version}" "$1" 2>/dev/null || echo "$1 (version unknown)"; }

machine_line() {
    echo "Machine: $(machine), $(nproc 2>/dev/null || echo '?') processors, $(uname -sm);" \
        "$(${CC:-cc} --version | head -n 1); $(./train --version);" \
        "$(package liblinear-tools); load $first_load at the start, $(load) at the end."
}

# build NAME: makes the program of tests/bench/NAME.c in build/plain.
build() { make -s brief=yes "build/plain/$1" || exit 1; }
