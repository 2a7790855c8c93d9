# lib.sh - what the benchmarks share: running commands in turn, reading what they print, the machine.
# The script that sources it has set bench (its name), data, runs, long and, for has, sets.
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

first_load=$(cut -d' ' -f1 /proc/loadavg 2>/dev/null || echo '?')

note() { echo "$bench: $*" >&2; }

# path NAME: of a data set; those of synth are made by the benchmark.
path() {
    case $1 in
    *-synth) echo "build/bench/$1" ;;
    *) echo "$data/$1" ;;
    esac
}

has() { case " $sets " in *" $1 "*) [ -f "$(path "$1")" ] ;; *) return 1 ;; esac }

# ---- Running ----

# run NAME COMMAND: appends the wall time of one run to NAME.time; what it printed is in NAME.report.
# Nothing happens after a run that was long or that failed; a failed one leaves neither, but NAME.late if
# timeout, with which the command began, has ended it.
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

# ---- What the programs print: all of these answer - where there is nothing ----

# median NAME: of its times.
median() {
    sort -g "$scratch/$1.time" |
        awk '{ x[NR] = $1 } END { print NR ? (x[int((NR + 1) / 2)] + x[int(NR / 2) + 1]) / 2 : "-" }'
}

# ratio NAME NAME: of two medians.
ratio() {
    echo "$(median "$1") $(median "$2")" |
        awk '{ if ($1 == "-" || $2 == "-" || $2 == 0) print "-"; else printf "%.1f\n", $1 / $2 }'
}

# gap NAME: the largest relative gap of the binary problems of train.
gap() {
    awk '/^Relative duality gap/ { n++; if ($5 > worst) worst = $5 } END { print n ? worst + 0 : "-" }' \
        "$scratch/$1.report"
}

# certified NAME: yes if all binary problems of train are, else no.
certified() {
    awk '/^optimization finished/ { n++ } /^Relative duality gap = .*\(certified <= / { good++ }
        END { print n && n == good ? "yes" : "no" }' "$scratch/$1.report"
}

# their_gap DATA SOLVER C: of theirs.model, the worst binary problem. The printed dual has six decimals:
# half of the last is the smallest gap we state, and where that is above 1e-4 we state none.
their_gap() {
    if [ ! -s "$scratch/theirs.report" ] ||
        ! "$scratch/grid_gap" "$(path "$1")" "$scratch/theirs.model" "$3" "$2" >"$scratch/primals"; then
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

# least: the lower bounds of tight.model, a line for each problem, into the file of that name.
least() {
    sed -n 's/^# dual //p' "$scratch/tight.model" | tr ' ' '\n' | awk '{ printf "%.17g\n", -$1 }' >"$scratch/least"
}

# excess MODEL DATA C SOLVER: the largest (P - least)/P of its problems, least from the file of that name.
excess() {
    if [ -s "$scratch/$1" ] && "$scratch/grid_gap" "$(path "$2")" "$scratch/$1" "$3" "$4" >"$scratch/primals"; then
        paste "$scratch/primals" "$scratch/least" | awk '
            { x = ($1 - $2) / $1; if (NR == 1 || x > worst) worst = x } END { print NR ? worst + 0 : "-" }'
    else
        echo -
    fi
}

# ---- The machine ----

load() { cut -d' ' -f1 /proc/loadavg 2>/dev/null || echo '?'; }

machine() { sed -n 's/^model name[^:]*: //p' /proc/cpuinfo 2>/dev/null | head -n 1; }

# package NAME: with its version, where dpkg knows it.
package() { dpkg-query -W -f "$1 \${Version}" "$1" 2>/dev/null || echo "$1 (version unknown)"; }

machine_line() {
    echo "Machine: $(machine), $(nproc 2>/dev/null || echo '?') processors, $(uname -sm);" \
        "$(${CC:-cc} --version | head -n 1); $(./train --version);" \
        "$(package liblinear-tools); load $first_load at the start, $(load) at the end."
}

# The option for threads, if the library was built with it.
openmp=$(grep -o -e -fopenmp build/plain/flags 2>/dev/null | head -n 1)

# shellcheck disable=SC2086 # a word or none
build() {
    ${CC:-cc} -std=c99 -O2 -ffp-contract=off -Iinclude -o "$scratch/$1" "tests/bench/$1.c" \
        build/plain/libhinge.a $openmp -lm || exit 1
}
