#!/bin/sh
# compare-liblinear.sh - train and LIBLINEAR's train on the same rows; see compare-liblinear.sh --help.
self=$(readlink -f -- "$0" 2>/dev/null) || self=$0 # old systems have no readlink -f
here=$(dirname -- "$self")
# shellcheck source=src/scripts/common.sh
. "$here/common.sh"

print_help() {
    cat <<END
usage: $name [options] data [test]
Trains with train and with LIBLINEAR on the same rows, and prints side by side: accuracy on the
test rows, processor seconds of the whole program, and the relative duality gap of the model.

options:
  -c C             weight of the sum of losses, for both (default 1)
  -s SOLVERS       of 0, 1, 2, 3, 4, 7, 11, 12 and 13, in one argument (default "1 3")
  -e EPS           LIBLINEAR's stop rule for both (default: each program's own)
  -R               a free bias, -B 1 -R of both; solvers 0, 2 and 11; LIBLINEAR 2.50 has one, not 2.3.0
  --runs N         runs of each program, in turn (default 5); the time is their median
  --seed N         of the split (default 1)
  -h, --help       print this text
  --version        print the version of the train beside it

Without a test file, both are tested on a fifth of the rows of data, drawn at random. Runs of less
than 0.2 s are repeated within each measurement, because the clock counts hundredths.
The gap of train is the one it prints. LIBLINEAR's gap is (P - D)/P. P is computed from the decision
values of its model on all training rows, and D is the number that it printed, with six decimals;
"<=" marks a gap below the precision of these decimals. With more than two classes, P and D are
sums over the binary problems, except for solver 4, which has one problem for all classes.
LIBLINEAR's solvers 0, 2 and 11 print no D. The regressions 11, 12 and 13 have the mean squared
error in place of the accuracy.
Softmax (62) is not compared, because LIBLINEAR has no such problem for all classes. With two
classes, softmax with C is solver 0 with 2 C.
TRAIN, PREDICT, LIBLINEAR_TRAIN and LIBLINEAR_PREDICT in the environment name the programs.
Exit status: 0 done, 1 a program failed, 2 usage, 3 a file or a program is not there,
130 interrupted.
END
}

# ---- Running ---------------------------------------------------------------

# must NAME COMMAND...: writes the output to $scratch/NAME, and ends the script if the command fails.
must() {
    output=$scratch/$1
    shift
    "$@" >"$output" 2>"$scratch/error" </dev/null && return 0
    failure=$?
    die 1 "$1: exit status $failure: $(sed -n '/./{p;q;}' "$scratch/error")"
}

# processor_seconds COUNT COMMAND...: prints the seconds of one of COUNT runs. The second line of "times" is
# about the shell's children.
processor_seconds() {
    # shellcheck disable=SC2016 # for the inner shell
    sh -c 'count=$1 k=0
        shift
        while [ "$k" -lt "$count" ]; do
            k=$((k + 1))
            "$@" >/dev/null 2>&1 </dev/null || exit
        done
        times' sh "$@" >"$scratch/times" || die 1 "$2: exit status $?"
    awk -v count="$1" 'NR == 2 {
        for (i = 1; i <= 2; i++) { split($i, part, "[ms]"); sum += 60 * part[1] + part[2] }
        printf "%.6f\n", sum / count
    }' "$scratch/times"
}

median() { sort -n "$1" | awk '{ x[NR] = $1 } END { print (x[int((NR + 1) / 2)] + x[int(NR / 2) + 1]) / 2 }'; }

# repeats COMMAND...: prints how many runs take 0.2 s, at most 50.
repeats() {
    processor_seconds 1 "$@" >"$scratch/first"
    awk '{ print ($1 >= 0.2 ? 1 : $1 > 0.004 ? int(0.2 / $1) + 1 : 50) }' "$scratch/first"
}

# ---- The split -------------------------------------------------------------

# split_rows: splits data into train-rows and test-rows. Exactly n/5 of n rows, rounded, go to test-rows.
# Each choice has the same probability (selection sampling). Random numbers are x <- 16807 x mod 2^31 - 1,
# which is exact in doubles, so they are the same everywhere.
split_rows() {
    rows=$(count_rows "$data")
    [ "$rows" -ge 5 ] || die 1 "$data: $rows rows are too few to split"
    awk -v rows="$rows" -v seed="$seed" -v kept="$scratch/train-rows" -v tested="$scratch/test-rows" '
        function uniform() { x = (16807 * x) % 2147483647; return x / 2147483647 }
        BEGIN {
            x = seed % 2147483646 + 1
            for (i = 0; i < 20; i++) uniform() # small seeds begin with small numbers
            left = rows
            wanted = int(rows / 5 + 0.5)
        }
        NF && $1 !~ /^#/ {
            if (uniform() * left < wanted) { wanted--; print >tested } else print >kept
            left--
        }' <"$data" || die 3 "cannot write to $scratch"
    data=$scratch/train-rows
    test=$scratch/test-rows
}

count_rows() { awk 'NF && $1 !~ /^#/ { n++ } END { print n + 0 }' <"$1"; }

# ---- What came out ---------------------------------------------------------

# accuracy NAME: prints the number in the line "Accuracy = 84.9764% (13835/16281)" or "Mean squared error =
# 0.25 (regression)" of $scratch/NAME.
accuracy() { sed -n 's/^Accuracy = \([^ ]*\).*/\1/p; s/^Mean squared error = \([^ ]*\).*/\1/p' "$scratch/$1"; }

# our_gap: prints train's gap, or for several problems the gap of the sums of P and D in the model's record,
# "# primal P P ..." and "# dual -D -D ...".
our_gap() {
    awk '
        /^# primal / { for (i = 3; i <= NF; i++) primal += $i; problems = NF - 2 }
        /^# dual / { for (i = 3; i <= NF; i++) dual += $i }
        /^Relative duality gap = / { printed = $5 }
        END {
            if (problems == 1) print printed
            else if (primal > 0) printf "%.3g\n", (primal + dual > 0 ? (primal + dual) / primal : 0)
            else print "-"
        }' "$scratch/ours.model" "$scratch/ours.report"
}

# their_gap SOLVER: prints (P - D)/P of theirs.model. P = 1/2 |w|^2 + C sum loss(y <w, x>) comes from its
# weights, and the labels and decision values of the rows. y is 1 for the class of the column; for two
# classes, for the first. For regression, the loss is loss(|<w, x> - label| - 0.1). For solver 4, it is the
# largest of 1(m is not the row's class) + <w_m, x>, minus <w_m, x> of the row's class.
their_gap() {
    if [ "$1" -eq 2 ] || [ "$1" -eq 0 ] || [ "$1" -eq 11 ]; then
        echo -
        return
    fi
    must decisions "$predict" -q --output-format decision "$data" "$scratch/theirs.model" -
    awk 'NF && $1 !~ /^#/ { print $1 }' <"$data" >"$scratch/labels"
    paste -d ' ' "$scratch/labels" "$scratch/decisions" >"$scratch/pairs"
    awk -v C="$cost" -v squared="$(($1 == 1 || $1 == 12))" -v logistic="$(($1 == 7))" \
        -v regression="$(($1 > 10))" -v joint="$(($1 == 4))" '
        BEGIN { columns = problems = 1 }
        FILENAME == ARGV[1] {
            if (weights) for (i = 1; i <= NF; i++) square += $i * $i
            else if ($1 == "label") for (i = 2; i <= NF; i++) class[++classes] = $i + 0
            else if ($1 == "w") {
                weights = 1
                columns = classes > 2 || joint ? classes : 1
                problems = joint ? 1 : columns
            }
            next
        }
        FILENAME == ARGV[2] { if (sub(/^Objective value = /, "")) { dual += $1; duals++ }; next }
        {
            rows++
            if (NF != columns + 1) bad = 1
            if (joint) {
                top = own = -1e308
                for (i = 1; i <= columns; i++) {
                    if ($1 + 0 == class[i]) own = $(i + 1)
                    gain = $(i + 1) + ($1 + 0 != class[i])
                    if (gain > top) top = gain
                }
                loss += top - own
                next
            }
            for (i = 1; i <= columns; i++) {
                z = ($1 + 0 == class[i] ? 1 : -1) * $(i + 1)
                xi = 1 - z
                if (regression) { xi = $(i + 1) - $1; xi = (xi < 0 ? -xi : xi) - 0.1 }
                if (logistic) loss += (z < 0 ? -z : 0) + log(1 + exp(z < 0 ? z : -z))
                else if (xi > 0) loss += squared ? xi * xi : xi
            }
        }
        END {
            primal = square / 2 + C * loss
            if (bad || !rows || duals != problems || primal <= 0) { print "-"; exit }
            known = problems * 5e-7 / primal # half of the last decimal of each D
            gap = (primal + dual) / primal
            if (gap < known) printf "<=%.2g\n", known
            else printf "%.3g\n", gap
        }' "$scratch/theirs.model" "$scratch/theirs.report" "$scratch/pairs"
}

# compare SOLVER: prints one line of the table.
compare() {
    solver=$1
    set -- -s "$solver" -c "$cost" ${eps:+-e} ${eps:+"$eps"} ${free:+-B} ${free:+1} ${free:+-R} "$data"
    must ours.report "$train" "$@" "$scratch/ours.model"
    must theirs.report "$liblinear_train" "$@" "$scratch/theirs.model"
    must ours.accuracy "$predict" "$test" "$scratch/ours.model" /dev/null
    must theirs.accuracy "$liblinear_predict" "$test" "$scratch/theirs.model" /dev/null
    # All programs have run once, so their files are in memory when the clock starts.
    our_count=$(repeats "$train" -j 1 "$@" "$scratch/model") || exit
    their_count=$(repeats "$liblinear_train" "$@" "$scratch/model") || exit
    : >"$scratch/ours.times"
    : >"$scratch/theirs.times"
    done_runs=0
    while [ "$done_runs" -lt "$runs" ]; do
        done_runs=$((done_runs + 1))
        processor_seconds "$our_count" "$train" -j 1 "$@" "$scratch/model" >>"$scratch/ours.times"
        processor_seconds "$their_count" "$liblinear_train" "$@" "$scratch/model" >>"$scratch/theirs.times"
    done
    gap=$(their_gap "$solver") || exit
    print_row "$solver" "$(median "$scratch/ours.times")" "$(median "$scratch/theirs.times")" \
        "$(accuracy ours.accuracy)" "$(accuracy theirs.accuracy)" "$(our_gap)" "$gap"
}

# print_row SOLVER SECONDS SECONDS ACCURACY ACCURACY GAP GAP: each pair ours and theirs.
print_row() {
    awk -v ours="$2" -v theirs="$3" -v solver="$1" -v a="$4" -v b="$5" -v g="$6" -v h="$7" 'BEGIN {
        printf "%-6s %10s %10s %9.4f %9.4f %7s %10s %10s\n", solver, a, b, ours, theirs,
            (ours > 0 ? sprintf("%.1f", theirs / ours) : "-"), g, h
    }'
}

print_head() {
    printf '%s rows of training%s, %s of test; C = %s, %s; median of %s runs\n\n' \
        "$(count_rows "$data")" "$split" "$(count_rows "$test")" "$cost" \
        "$(if [ -n "$eps" ]; then echo "-e $eps"; else echo 'stop rules as by default'; fi)${free:+, a free bias}" \
        "$runs"
    echo '             accuracy           processor seconds            relative gap'
    echo 'solver      train  LIBLINEAR     train LIBLINEAR   ratio      train  LIBLINEAR'
}

# ---- The command line ------------------------------------------------------

need_positive() {
    printf '%s\n' "$2" | awk '{ good = /^[+]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][-+]?[0-9]+)?$/ && $0 + 0 > 0 }
        END { exit !(good && NR == 1) }' || bad_usage "$1: '$2' is not a positive number"
}

check_solvers() {
    set -f
    for solver in $solvers; do
        case $solver in
        0 | 1 | 2 | 3 | 4 | 7 | 11 | 12 | 13) ;;
        62 | softmax) bad_usage "-s: LIBLINEAR has no softmax; of two classes it is solver 0 with 2 C" ;;
        *) bad_usage "-s: both programs have the solvers 0, 1, 2, 3, 4, 7, 11, 12 and 13, not '$solver'" ;;
        esac
        case $free:$solver in
        :* | 1:0 | 1:2 | 1:11) ;;
        *) bad_usage "-R: LIBLINEAR has no free bias with -s $solver" ;;
        esac
    done
    set +f
    case $solvers in *[!\ ]*) ;; *) bad_usage '-s: there is no solver' ;; esac
}

# need_liblinear PROGRAM VARIABLE
need_liblinear() {
    command -v -- "$1" >/dev/null 2>&1 ||
        die 3 "LIBLINEAR is not installed (Debian: liblinear-tools): there is no program $1, which $2 may name"
}

# operand NAME: sets data, and test at the second call.
operand() {
    [ -n "$1" ] || bad_usage 'the name of a file is empty'
    [ "$1" != - ] || bad_usage 'the data are read more than once: standard input will not do'
    if [ -z "$data" ]; then
        data=$(path "$1")
    elif [ -z "$test" ]; then
        test=$(path "$1")
    else
        bad_usage "'$1': there are data and test, no third file"
    fi
}

cost=1 solvers='1 3' eps='' free='' runs=5 seed=1 data='' test=''
while [ $# -gt 0 ]; do
    case $1 in
    -h | --help) print_help; exit 0 ;;
    --version) train=$(find_program '' train) && exec "$train" --version; exit ;;
    --) shift; break ;;
    -R) free=1; shift; continue ;;
    -c | -s | -e | --runs | --seed) [ $# -ge 2 ] || bad_usage "$1: a value is missing" ;;
    -?*) bad_usage "$1: there is no such option" ;;
    *) operand "$1"; shift; continue ;;
    esac
    case $1 in
    -c) need_positive -c "$2"; cost=$2 ;;
    -s) solvers=$2 ;;
    -e) need_positive -e "$2"; eps=$2 ;;
    --runs) need_count --runs "$2" 1; runs=$2 ;;
    --seed) need_count --seed "$2" 0; seed=$2 ;;
    esac
    shift 2
done
for word in "$@"; do
    operand "$word"
done
[ -n "$data" ] || bad_usage 'a data file is missing'
check_solvers
readable "$data"
[ -z "$test" ] || readable "$test"
train=$(find_program "${TRAIN-}" train) || exit 3
predict=$(find_program "${PREDICT-}" predict) || exit 3
liblinear_train=${LIBLINEAR_TRAIN:-liblinear-train}
liblinear_predict=${LIBLINEAR_PREDICT:-liblinear-predict}
need_liblinear "$liblinear_train" LIBLINEAR_TRAIN
need_liblinear "$liblinear_predict" LIBLINEAR_PREDICT

umask 077
scratch=$(path "${TMPDIR:-/tmp}")/compare-liblinear.$$
mkdir -- "$scratch" || exit 3
trap 'rm -rf -- "$scratch"' EXIT
trap 'exit 130' INT TERM HUP

split=
if [ -z "$test" ]; then
    split_rows
    split=" (split with seed $seed)"
fi
print_head
for solver in $solvers; do
    compare "$solver" || exit 1
done
