#!/bin/sh
# grid.sh - accuracy over a grid of C, solvers and weights of the l1 term; see grid.sh --help.
self=$(readlink -f -- "$0" 2>/dev/null) || self=$0 # old systems have no readlink -f
here=$(dirname -- "$self")
# shellcheck source=src/scripts/common.sh
. "$here/common.sh"
OMP_NUM_THREADS=1 # trainings run side by side; not -j 1, which LIBLINEAR's train does not know
export OMP_NUM_THREADS

print_help() {
    cat <<END
usage: $name [options] data [-- options of train]
Trains with each C, solver and weight of |w|_1, and prints a table of accuracies, or for regressions
(11, 12, 13) of mean squared errors.

options:
  -c LO:HI:STEP    C = 2^LO, 2^(LO+STEP) ... 2^HI (default -10:10:2)
  -s SOLVERS       solvers as in train -s, in one argument (default "1")
  --l1 WEIGHTS     for enet, comid and hrmd-w: values of train --l1, in one argument
  -v N             accuracy of N-fold cross-validation (default 5)
  -t FILE          instead: on the rows of FILE
  -j N             N trainings at a time, one thread each (default: one a processor)
  -o DIR           folder of the results (default: DATA.grid, in the current folder)
  -q               no progress on standard error
  -h, --help       print this text
  --version        print the version of the train beside it

Each finished cell is a file in DIR and is not computed again, so that an interrupted or extended
grid continues. A cell that failed is computed again. DIR gets a page, heat.html. It has a heat map of
C and weights of |w|_1 for each solver with that term, and one of C and solvers for the others.
Seconds are processor time.
TRAIN, PREDICT and INSPECT in the environment name the programs. A -- in front of data ends the options of
this script; the next one begins those of train.
Exit status: 0 done, 1 a cell failed, 2 usage, 3 file not readable or writable, or DIR is of
another grid, 130 interrupted.
END
}

# has_l1 SOLVER
has_l1() { case $1 in enet | comid | hrmd-w | 40 | 41 | 42) return 0 ;; *) return 1 ;; esac }

# is_regression SOLVER
is_regression() { case $1 in 11 | 12 | 13 | svr-*) return 0 ;; *) return 1 ;; esac }

# of_solvers CLASSIFIERS REGRESSIONS: prints the text for the kind of the grid's solvers.
of_solvers() { if is_regression "${solvers%% *}"; then echo "$2"; else echo "$1"; fi; }

# ---- One cell, in a process of its own: grid.sh --cell RUN NUMBER ----------

# RUN is the folder of this run. "job" says what to do. "cells" has a line "solver l1 log2c C" for each
# cell. "pid.N" exists while the process N runs. "stop" appears when the run must end.

busy= # a program is running, $! is its number

# end_cell STATUS
end_cell() {
    rm -f "$run/pid.$$" "$run"/*".$$.tmp"*
    exit "$1"
}

# Status 255 tells xargs to start no further cells.
stop_cell() {
    trap '' TERM HUP
    if [ -n "$busy" ] && [ -n "${!:-}" ]; then
        kill -s TERM "$!" 2>/dev/null
        wait "$!" 2>/dev/null
    fi
    end_cell 255
}

# run_program COMMAND...: runs it in the background, because the shell acts on a signal only while it waits.
run_program() {
    busy=yes
    "$@" >"$run/out.$$.tmp" 2>"$run/err.$$.tmp" </dev/null &
    wait "$!"
    status=$?
    busy=
    return "$status"
}

# accuracy_of LINE: prints the number in the line "LINE = 84.81%", "LINE = 84.81% (...)" or "LINE = 0.25" of
# the output.
accuracy_of() {
    sed -n "s/^$1 = \\([0-9][0-9.e+-]*\\).*/\\1/p" "$run/out.$$.tmp" | head -n 1
}

# measure OPTION...: sets accuracy, or returns an exit status.
measure() {
    if [ "$folds" != none ]; then
        run_program "$train" -q -v "$folds" "$@" "$data" || return
        accuracy=$(accuracy_of "Cross Validation $(solvers=$solver of_solvers Accuracy 'Mean squared error')")
    else
        run_program "$train" -q "$@" "$data" "$run/model.$$.tmp" || return
        run_program "$predict" "$test" "$run/model.$$.tmp" /dev/null || return
        accuracy=$(accuracy_of "$(solvers=$solver of_solvers Accuracy 'Mean squared error')")
    fi
}

# seconds: prints the processor time from before.$$.tmp to after.$$.tmp, by the second lines of "times".
seconds() {
    awk 'FNR == 2 {
        sum[++files] = 0
        for (i = 1; i <= 2; i++) { split($i, part, "[ms]"); sum[files] += 60 * part[1] + part[2] }
    } END { printf "%.2f\n", sum[2] - sum[1] }' "$run/before.$$.tmp" "$run/after.$$.tmp"
}

# fail_cell REASON: prints one line at once, because other cells print at the same time.
fail_cell() {
    say "$label: $1"
    end_cell 1
}

cell() {
    run=$1
    trap stop_cell TERM HUP
    : >"$run/pid.$$"
    if [ -e "$run/stop" ] || ! kill -0 "${run##*.}" 2>/dev/null; then
        end_cell 255
    fi
    options=
    # shellcheck source=/dev/null
    . "$run/job"
    # shellcheck disable=SC2046 # four words
    set -- "$@" $(sed -n "$2p" "$run/cells")
    solver=$3 l1=$4 log2c=$5 cost=$6
    eval "set -- $options"
    [ "$l1" = - ] || set -- --l1 "$l1" "$@"
    set -- -s "$solver" -c "$cost" "$@"
    label="-s $solver$([ "$l1" = - ] || echo " --l1 $l1") -c 2^$log2c"
    accuracy=
    times >"$run/before.$$.tmp"
    measure "$@" || fail_cell "exit status $?: $(sed -n '/./{p;q;}' "$run/err.$$.tmp")"
    times >"$run/after.$$.tmp"
    [ -n "$accuracy" ] || fail_cell "the output has no accuracy: $(sed -n '/./{p;q;}' "$run/out.$$.tmp")"
    took=$(seconds)
    { echo "$accuracy $took" >"$run/cell.$$.tmp" &&
        mv -f "$run/cell.$$.tmp" "$(cell_file "$solver" "$l1" "$log2c")"; } ||
        fail_cell 'the result cannot be written'
    [ -n "$quiet" ] || say "$label: $(solvers=$solver of_solvers "$accuracy%" "MSE $accuracy"), $took s"
    end_cell 0
}

# cell_file SOLVER L1 LOG2C
cell_file() { printf '%s/cell_%s_%s_%s\n' "$folder" "$1" "$2" "$3"; }

# ---- The grid --------------------------------------------------------------

# cells: prints a line "solver l1 log2c C" for each cell; l1 is - for a solver without it. Exit status 1: the
# range is bad. awk first reads all lines, because echo must not write to a closed pipe.
cells() {
    for solver in $solvers; do
        has_l1 "$solver" && [ -n "$l1s" ] && echo "$solver $l1s" || echo "$solver -"
    done | awk -v range="$range" '
        function is_number(x) { return x ~ /^[-+]?([0-9]+[.]?[0-9]*|[.][0-9]+)$/ }
        BEGIN {
            n = split(range, part, ":")
            if (n == 1) { part[2] = part[1]; part[3] = 1 }
            if (n == 2) part[3] = 1
            bad = n < 1 || n > 3 || !is_number(part[1]) || !is_number(part[2]) ||
                !is_number(part[3]) || part[3] + 0 == 0
            ratio = bad ? -1 : (part[2] - part[1]) / part[3]
            steps = int(ratio + 1e-9)
            bad = ratio < 0 || steps > 9999
            if (bad) steps = -1
            for (k = 0; k <= steps; k++) {
                x = sprintf("%.9f", part[1] + k * part[3]) + 0 # without what rounding left
                log2c[k] = sprintf("%.12g", x)
                C[k] = sprintf("%.17g", 2 ^ log2c[k])
            }
        }
        {
            for (i = 2; i <= NF; i++)
                for (k = 0; k <= steps; k++)
                    if (!seen[$1, $i, log2c[k]]++) print $1, $i, log2c[k], C[k]
        }
        END { exit bad }'
}

# result SOLVER L1 LOG2C: prints "accuracy seconds" of a finished cell, or nothing.
result() { sed -n '1s/^[0-9][0-9.e+-]* [0-9.][0-9.]*$/&/p' "$(cell_file "$@")" 2>/dev/null; }

# results: prints a line "solver l1 log2c C accuracy seconds" for each cell, with - - without a result.
results() {
    while read -r solver l1 log2c cost; do
        found=$(result "$solver" "$l1" "$log2c")
        echo "$solver $l1 $log2c $cost ${found:-- -}"
    done <"$run/cells"
}

print_table() {
    awk -v score="$(of_solvers accuracy MSE)" -v unit="$(of_solvers % '')" '
        BEGIN { printf "solver      l1        C             log2c     %-8s   seconds\n", score }
        {
            printf "%-11s %-9s %-13.6g %-9s %-10s %s\n", $1, $2, $4, $3,
                ($5 == "-" ? "failed" : $5 unit), $6
        }
        END { print "" }' "$run/results"
}

# best: prints the line with the largest accuracy or the smallest error, the first of equal ones.
best() {
    awk -v sign="$(of_solvers 1 -1)" '
        $5 != "-" && (!n++ || sign * $5 > most) { most = sign * $5; line = $0 }
        END { if (n) print line }' "$run/results"
}

# print_best OPTION...
print_best() {
    line=$(best)
    [ -n "$line" ] || return 0
    # shellcheck disable=SC2086 # six words
    set -- $line "$@"
    chosen="-s $1$([ "$2" = - ] || echo " --l1 $2") -c $4"
    printf 'Best: %s  %s\n' "$chosen" "$(of_solvers "accuracy = $5%" "MSE = $5")"
    shift 6
    printf '%s %s%s %s\n' "$(quote_all "$train")" "$chosen" "${1+ }$(quote_all "$@")" "$(quote_all "$data")"
}

# ---- The page --------------------------------------------------------------

# field TEXT: prints it with blanks for tabs and line ends.
field() { printf '%s' "$1" | tr '\t\r\n' '   '; }

# heat_map TITLE AXIS: turns lines "other log2c score" into a grid.
heat_map() {
    printf 'grid\t%s\t%s\t%s\tlog2 C\n' "$1" \
        "$(of_solvers 'Accuracy in %: the darkest are the best.' 'Mean squared error: the lightest are the best.')" "$2"
    awk '{ printf "cell\t%s\t%s\t%s\n", $1, $2, $3 }'
}

# describe OPTION...: prints the description of the page for inspect --page.
describe() {
    printf 'hinge-page 1\tGrid of parameters for %s\nfacts\n' "$(field "${data##*/}")"
    printf 'fact\t%s\t%s\n' Data "$(field "$data")" \
        'Scores of' "$(field "${test:-$folds-fold cross-validation}")" \
        'Options of train' "$(field "${*:-none}")" \
        Program "$(sed -n 's/^program: //p' "$folder/grid")" \
        Best "$(field "$(print_best "$@" | sed -n 's/^Best: //p')")"
    printf 'heading\tScores\n'
    drawn=' '
    for solver in $solvers; do
        case $drawn in *" $solver "*) continue ;; esac
        if [ -z "$l1s" ] || ! has_l1 "$solver"; then
            continue
        fi
        drawn="$drawn$solver "
        awk -v solver="$solver" '$1 == solver { print $2, $3, $5 }' "$run/results" |
            heat_map "$solver: which C and which weight of |w|_1?" l1
    done
    awk '$2 == "-" { print $1, $3, $5 }' "$run/results" >"$run/plain"
    [ ! -s "$run/plain" ] || heat_map 'Which C, which solver?' solver <"$run/plain"
    printf 'heading\tNumbers\ntable\tAll cells\tsolver\tl1\tC\tlog2 C\t%s\tseconds\n' \
        "$(of_solvers 'accuracy in %' 'mean squared error')"
    awk 'NR <= 2000 { printf "row\t%s\t%s\t%.6g\t%s\t%s\t%s\n", $1, $2, $4, $3, $5, $6 }' "$run/results"
}

page() {
    inspect=$(find_program "${INSPECT-}" inspect) || return 0
    describe "$@" >"$run/page"
    if "$inspect" --page "$run/page" --report "$folder/heat.html" 2>"$run/err"; then
        echo "Page: $folder/heat.html"
    else
        say "no page: $(sed -n '/./{p;q;}' "$run/err")"
    fi
}

# ---- Which grid a folder is of ---------------------------------------------

# identity OPTION...: prints what all cells of a grid have in common, a line each. An option that names a
# file comes with the file's checksum.
identity() {
    echo "data: $(cksum <"$data")"
    echo "test file: $(if [ -n "$test" ]; then cksum <"$test"; else echo none; fi)"
    echo "folds: $folds"
    printf 'options of train:'
    [ $# -gt 0 ] || printf ' none'
    for word in "$@"; do
        printf ' %s' "$(quote_all "$word" | tr '\n' ' ' | sed 's/ $//')"
        case $word in
        --*=*) word=${word#*=} ;;
        esac
        [ ! -f "$word" ] || printf ' (%s)' "$(cksum <"$word")"
    done
    printf '\nprogram: %s\n' "$("$train" --version 2>/dev/null </dev/null | sed -n 1p)"
}

# claim_folder OPTION...: makes the folder this grid's, or ends the script if it is another grid's.
claim_folder() {
    mkdir -p -- "$folder" || exit 3
    identity "$@" >"$run_identity" || die 3 "cannot write $run_identity"
    if [ ! -e "$folder/grid" ]; then
        for file in "$folder"/cell_*; do
            [ ! -e "$file" ] || refuse_folder 'cells, but no file "grid" that says of what'
        done
        mv -f "$run_identity" "$folder/grid" || exit 3
    elif ! cmp -s "$run_identity" "$folder/grid"; then
        difference=$(awk '
            { key = $0; sub(/: .*/, "", key); value = substr($0, length(key) + 3) }
            FILENAME == ARGV[1] { mine[key] = value; next }
            key in mine && mine[key] != value && !n++ {
                print "another grid: " key " is " value ", and here " mine[key]
            }
        ' "$run_identity" "$folder/grid")
        rm -f "$run_identity"
        refuse_folder "${difference:-another grid}"
    fi
    rm -f "$run_identity"
}

# refuse_folder WHAT
refuse_folder() {
    say "$folder holds $1"
    die 3 'name another folder with -o, or remove that one'
}

# ---- The run ---------------------------------------------------------------

# Removes the folders of runs that were killed.
sweep() {
    for old in "$folder"/grid-run.*; do
        [ ! -d "$old" ] || kill -0 "${old##*.}" 2>/dev/null || rm -rf -- "$old"
    done
}

stop_run() {
    trap '' INT TERM HUP
    : >"$run/stop"
    for file in "$run"/pid.*; do
        [ ! -e "$file" ] || kill -s TERM "${file##*.}" 2>/dev/null
    done
    [ -z "$xargs" ] || wait "$xargs"
    rm -rf -- "$run"
    say 'interrupted; the same command goes on from here'
    exit 130
}

# run_cells: computes the cells without a result by "xargs -P", which gets only their numbers.
run_cells() {
    results | awk '$5 == "-" { print NR }' >"$run/todo"
    all=$(awk 'END { print NR }' "$run/cells")
    missing=$(awk 'END { print NR }' "$run/todo")
    [ "$missing" -eq "$all" ] || [ -n "$quiet" ] || say "$((all - missing)) of $all cells are there"
    [ "$missing" -gt 0 ] || return 0
    # Errors of the cells go to standard error, those of xargs are kept.
    xargs -n 1 -P "$jobs" sh -c 'exec sh "$@" 2>&3' sh "$self" --cell "$run" \
        <"$run/todo" 3>&2 2>"$run/xargs.err" &
    xargs=$!
    wait "$xargs"
    ended=$?
    xargs=
    case $ended in
    0 | 123) ;;
    *) say "xargs ended with status $ended: $(sed -n '/./{p;q;}' "$run/xargs.err")" ;;
    esac
}

# write_job OPTION...: prints what a cell must know, as assignments of the shell.
write_job() {
    for variable in train predict data test folds folder quiet; do
        eval "value=\$$variable"
        # shellcheck disable=SC2154 # the line before
        printf '%s=%s\n' "$variable" "$(quote_all "$value")"
    done
    printf 'options=%s\n' "$(quote_all "$(quote_all "$@")")"
}

# ---- The command line ------------------------------------------------------

check_solvers() {
    for solver in $solvers; do
        case $solver in
        *[!A-Za-z0-9-]* | -*) bad_usage "-s: '$solver' is not a solver" ;;
        esac
    done
    # shellcheck disable=SC2086,SC2116 # a word a solver
    solvers=$(echo $solvers)
    [ -n "$solvers" ] || bad_usage '-s: there is no solver'
    scores=''
    for solver in $solvers; do
        if is_regression "$solver"; then score=errors; else score=accuracies; fi
        case $scores in
        '' | "$score") scores=$score ;;
        *) bad_usage '-s: classifiers and regressions have no score in common' ;;
        esac
    done
}

check_l1() {
    [ -n "$has_l1s" ] || return 0
    for l1 in $l1s; do
        printf '%s\n' "$l1" | grep -Eq '^[0-9]*[.]?[0-9]+([eE][-+]?[0-9]+)?$' ||
            bad_usage "--l1: '$l1' is not a number of at least 0"
    done
    # shellcheck disable=SC2086,SC2116 # a word a number
    l1s=$(echo $l1s)
    [ -n "$l1s" ] || bad_usage '--l1: there is no number'
    for solver in $solvers; do
        ! has_l1 "$solver" || return 0
    done
    bad_usage "--l1: of the solvers $solvers none has the l1 term; enet, comid and hrmd-w have it"
}

# check_options OPTION...: refuses options of train that the grid sets.
check_options() {
    for word in "$@"; do
        case ${word%%=*} in
        -s | --solver | -c | --cost | -l | --lambda | --l1 | -v | --cross-validation | -C | --search | \
            -j | --threads | -h | --help | --version)
            bad_usage "$word cannot be among the options of train: it is the grid's" ;;
        esac
    done
}

if [ "${1-}" = --cell ]; then
    shift
    cell "$@"
fi

range=-10:10:2 solvers=1 l1s='' has_l1s='' folds='' test='' jobs='' folder='' quiet='' data='' has_data=''
while [ $# -gt 0 ]; do
    case $1 in
    -h | --help) print_help; exit 0 ;;
    --version) train=$(find_program '' train) && exec "$train" --version; exit ;;
    -q) quiet=yes; shift; continue ;;
    --l1=*) l1s=${1#*=} has_l1s=yes; shift; continue ;;
    --)
        shift
        if [ -n "$has_data" ] || [ $# -eq 0 ]; then
            break
        fi
        data=$1 has_data=yes
        shift
        [ $# -eq 0 ] || [ "$1" != -- ] || { shift; break; }
        [ $# -eq 0 ] || bad_usage "'$1': there is one data file only"
        continue ;;
    -c | -s | --l1 | -v | -t | -j | -o) [ $# -ge 2 ] || bad_usage "$1: a value is missing" ;;
    -?*) bad_usage "$1: there is no such option" ;;
    *)
        [ -z "$has_data" ] || bad_usage "'$1': there is one data file only; options of train stand after --"
        data=$1 has_data=yes
        shift
        continue ;;
    esac
    case $1 in
    -c) range=$2 ;;
    -s) solvers=$2 ;;
    --l1) l1s=$2 has_l1s=yes ;;
    -v) need_count -v "$2" 2; folds=$2 ;;
    -t) [ -n "$2" ] || bad_usage '-t: a name is missing'; test=$(path "$2") ;;
    -j) need_count -j "$2" 1; jobs=$2 ;;
    -o) [ -n "$2" ] || bad_usage '-o: a name is missing'; folder=$(path "$2") ;;
    esac
    shift 2
done
[ -n "$data" ] || bad_usage 'a data file is missing'
[ "$data" != - ] || bad_usage 'the data are read more than once: standard input will not do'
[ -z "$folds" ] || [ -z "$test" ] || bad_usage '-v and -t exclude each other'
set -f
check_solvers
check_l1
check_options "$@"
lines=$(cells) || bad_usage "-c: '$range' is not LO:HI:STEP, exponents of 2"
set +f
data=$(path "$data")
readable "$data"
if [ -n "$test" ]; then readable "$test"; folds=none; else folds=${folds:-5}; fi
folder=${folder:-./${data##*/}.grid}
[ -n "$jobs" ] || jobs=$(getconf _NPROCESSORS_ONLN 2>/dev/null) || jobs=1
train=$(find_program "${TRAIN-}" train) || exit 3
predict=
[ -z "$test" ] || predict=$(find_program "${PREDICT-}" predict) || exit 3

run=$folder/grid-run.$$
run_identity=$folder/grid.$$.tmp
xargs=
claim_folder "$@"
sweep
mkdir -- "$run" || exit 3
trap stop_run INT TERM HUP
printf '%s\n' "$lines" >"$run/cells"
write_job "$@" >"$run/job" || die 3 "cannot write $run/job"
run_cells
results >"$run/results"
print_table
print_best "$@"
page "$@"
trap '' INT TERM HUP
failed=$(awk '$5 == "-"' "$run/results" | wc -l)
rm -rf -- "$run"
[ "$failed" -eq 0 ] || die 1 "cells that failed: $((failed)); the same command tries them again"
