#!/bin/sh
# Compares train and predict with LIBLINEAR's programs on real data. At a tight tolerance, predictions are the same, and
# each side's predict reads the other side's models to the same labels. Compares the free bias and probabilities with
# LIBSVM's svm-train.
# run.sh [PART...]: a data set, rings, free, one_class, libsvm or glmnet; default all.
# HINGE_BIN: folder of train and predict. HINGE_DATA: folder of the data sets. HINGE_OBJECTIVE: the program that sums
# P(w) of a model. LIBLINEAR_R: train of a release of LIBLINEAR that has -R and one-class SVMs, beside its predict.
set -u

bin=${HINGE_BIN:-.}
data=${HINGE_DATA:-data}
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
trap 'exit 130' INT TERM
passed=0 failed=0 skipped=0 reasons=
here=$PWD/tests/peers

# shellcheck source=/dev/null
. "$here/scores.sh"
# shellcheck source=tests/totals.sh
. "$here/../totals.sh"

pass() { passed=$((passed + 1)); }
fail() { failed=$((failed + 1)); echo "FAILED: $*"; }

# some_of FILE COUNT: prints the name of a file with each k-th row, about COUNT, because rows may be sorted by class.
some_of() {
    some=$scratch/some.$2.$(basename "$1")
    [ -f "$some" ] || awk -v step=$(($(wc -l <"$1") / $2 + 1)) 'NR % step == 0' "$1" >"$some"
    echo "$some"
}

# rows_of NAME: prints the file of the rows on which both sides train. a9a is whole, except with |w|_1. Other large sets
# are some of their rows: LIBLINEAR takes minutes to come near the minimum on all of them.
rows_of() { case $1 in a9a) echo "$data/$1" ;; *) some_of "$data/$1" 2000 ;; esac }

# test_part NAME: prints the file of the data set's test part, or of the set itself if it has none.
test_part() { if [ -f "$data/$1.t" ]; then some_of "$data/$1.t" 5000; else some_of "$data/$1" 5000; fi; }

# same NAME FILE FILE: checks that two files have the same bytes.
same() { if cmp -s "$2" "$3"; then pass; else fail "$1: $2 and $3 differ"; fi; }

# limited: true if LIBLINEAR says in theirs.out that it ended at its limit of passes or of Newton steps.
limited() { grep -q -e 'max number of iterations' -e '^iter 1000 ' theirs.out; }

# agree NAME FILE FILE: checks that 99.8 % of the lines are equal, or 99 % if LIBLINEAR was limited.
agree() {
    differ=0.002
    ! limited || differ=0.01
    if paste "$2" "$3" | awk -v name="$1" -v most="$differ" '
        { rows++; if ($1 != $2) differ++ }
        END {
            printf "%-20s %7d rows, %3d predicted differently: %.3f %% agree\n",
                name, rows, differ, 100 * (1 - differ / rows)
            exit !(rows > 0 && differ <= most * rows)
        }'; then pass; else fail "$1: too few of the predictions agree"; fi
}

compare() {
    name=$1 solver=$2 rows=$(rows_of "$1") test_rows=$(test_part "$1")
    cd "$scratch" || exit 1
    liblinear-train -s "$solver" -e 1e-5 "$rows" theirs >theirs.out 2>&1 ||
        fail "$name: liblinear-train"
    "$bin/train" -q -s "$solver" -g "${3:-1e-6}" "$rows" ours || fail "$name: train"
    liblinear-predict -q "$test_rows" theirs theirs.theirs || fail "$name: liblinear-predict"
    liblinear-predict -q "$test_rows" ours ours.theirs || fail "$name: liblinear-predict of our model"
    "$bin/predict" -q "$test_rows" ours ours.ours || fail "$name: predict"
    "$bin/predict" -q "$test_rows" theirs theirs.ours || fail "$name: predict of LIBLINEAR's model"
    same "$name -s $solver, our model" ours.ours ours.theirs
    same "$name -s $solver, LIBLINEAR's model" theirs.ours theirs.theirs
    [ "$solver" != 4 ] || leave_ties_out ours.ours theirs.theirs
    agree "$name -s $solver" ours.ours theirs.theirs
}

# leave_ties_out FILE...: removes the labels of rows whose two largest decision values are equal at the minimum, as when
# two wrong classes share the loss: rounding chooses between them.
leave_ties_out() {
    "$bin/predict" -q --output-format decision "$test_rows" ours decisions || fail "$name: predict decisions"
    for labels; do
        paste -d ' ' "$labels" decisions | awk '{
            first = NF > 2 ? $2 : 0; second = -1e300
            for (c = NF > 2 ? 3 : 2; c <= NF; c++) {
                if ($c > first) { second = first; first = $c } else if ($c > second) second = $c
            }
            if (first - second > 1e-6) print $1
        }' >untied
        mv untied "$labels"
    done
}

# near NAME WHAT MOST: compares the two lines of the file pair, ours first, number by number. They may differ by MOST
# times the larger of |theirs| and 1. If LIBLINEAR was limited, ours may be lower by any amount.
near() {
    limit=0
    ! limited || limit=1
    if awk -v name="$1" -v what="$2" -v most="$3" -v limit="$limit" '
        { for (c = 1; c <= NF; c++) x[NR, c] = $c; fields[NR] = NF }
        END {
            for (c = 1; c <= fields[1]; c++) {
                a = x[2, c] < 0 ? -x[2, c] : x[2, c]
                off = (x[1, c] - x[2, c]) / (a > 1 ? a : 1)
                if (off < 0 && !limit) off = -off
                if (c == 1 || off > worst) worst = off
            }
            printf "%-20s %s differ by %.1e\n", name, what, worst
            exit !(NR == 2 && fields[1] && fields[1] == fields[2] && worst <= most)
        }' pair; then pass; else fail "$1: other $2"; fi
}

# same_minimum NAME ROWS SOLVER MOST [free]: compares P(w) of both models.
same_minimum() {
    for model in ours theirs; do
        # shellcheck disable=SC2086 # free, or nothing
        "$HINGE_OBJECTIVE" "$2" "$model" 1 "$3" ${5:-} | tr '\n' ' '
        echo
    done >pair
    near "$1" objectives "$4"
}

# bias MODEL: prints its last weight.
bias() { sed '1,/^w/d; /^#/,$d' "$1" | tail -n 1; }

# same_bias NAME MOST THEIRS...: compares our bias with the one that the command THEIRS prints.
same_bias() {
    of=$1 most=$2
    shift 2
    { bias ours; "$@"; } >pair
    near "$of" biases "$most"
}

# All classes at once: the predictions, and the minimum to 1e-5. With a gap of 1e-6, margins of digits may be 0.05 away
# from the minimum's, which changes the labels of a few rows.
compare_classes() {
    compare "$1" 4 1e-9
    same_minimum "$1 -s 4" "$(rows_of "$1")" 4 1e-5
}

# The elastic net with l1 = 0 is the L1-loss: the same minimum to 1e-5.
compare_enet() {
    cd "$scratch" || exit 1
    liblinear-train -s 3 -e 1e-5 "$(rows_of "$1")" theirs >theirs.out 2>&1 || fail "$1: liblinear-train -s 3"
    "$bin/train" -q -s enet -g 1e-6 "$(rows_of "$1")" ours || fail "$1: train -s enet"
    same_minimum "$1 -s enet" "$(rows_of "$1")" 3 1e-5
}

# Newton's method on the primal: the same minimum to 1e-8, and the same predictions.
compare_newton() {
    name=$1 rows=$(rows_of "$1") test_rows=$(test_part "$1")
    cd "$scratch" || exit 1
    liblinear-train -s 2 -e 1e-7 "$rows" theirs >theirs.out 2>&1 ||
        fail "$name: liblinear-train -s 2"
    "$bin/train" -q -s 2 -g 1e-12 "$rows" ours || fail "$name: train -s 2"
    same_minimum "$name -s 2" "$rows" 2 1e-8
    liblinear-predict -q "$test_rows" theirs labels.theirs
    "$bin/predict" -q "$test_rows" ours labels.ours
    leave_ties_out labels.ours labels.theirs
    same "$name -s 2" labels.ours labels.theirs
}

# A free bias against LIBLINEAR of a release that has -R: the same minimum to 1e-8, the same bias to 1e-3,
# and each reads the other one's model to the same labels, or numbers.
compare_free() {
    name=$1 solver=$2 rows=$data/$1
    cd "$scratch" || exit 1
    "$liblinear_R" -s "$solver" -B 1 -R -e 1e-9 "$rows" theirs >theirs.out 2>&1 ||
        fail "$name: LIBLINEAR -s $solver -R"
    "$bin/train" -q -s "$solver" -B 1 -R -g 1e-10 "$rows" ours 2>/dev/null || fail "$name: train -s $solver -R"
    same_minimum "$name -s $solver -R" "$rows" "$solver" 1e-8 free
    same_bias "$name -s $solver -R" 1e-3 bias theirs
    for model in ours theirs; do
        "$bin/predict" -q "$rows" "$model" "$model.ours"
        liblinear-predict -q "$rows" "$model" "$model.theirs"
        same "$name -s $solver -R, model $model" "$model.ours" "$model.theirs"
    done
    [ "$solver" = 11 ] || agree "$name -s $solver -R" ours.ours theirs.theirs
}

# Logistic regression with a free bias against glmnet: the same minimum to 1e-8, the same bias to 1e-3.
compare_glmnet() {
    name=$1
    cd "$scratch" || exit 1
    Rscript "$here/glmnet.R" "$data/$name" 1 theirs >theirs.out 2>&1 || fail "$name: glmnet"
    "$bin/train" -q -s 0 -B 1 -R -g 1e-10 "$data/$name" ours || fail "$name: train -s 0 -R"
    same_minimum "$name, glmnet" "$data/$name" 0 1e-8 free
    same_bias "$name, glmnet" 1e-3 bias theirs
}

# Regressions with labels as targets: the same minimum as LIBLINEAR's to 1e-6. Each reads the other one's model to the
# same numbers.
compare_regression() {
    name=$1 rows=$2 some=$(some_of "$2" 5000)
    cd "$scratch" || exit 1
    shift 2
    for solver in "$@"; do
        liblinear-train -s "$solver" -e 1e-7 "$rows" theirs >theirs.out 2>&1 ||
            fail "$name: liblinear-train -s $solver"
        "$bin/train" -q -s "$solver" -g 1e-8 "$rows" ours 2>/dev/null || fail "$name: train -s $solver"
        for model in ours theirs; do
            liblinear-predict "$some" "$model" "$model.theirs" >lines.theirs || fail "$name: liblinear-predict"
            "$bin/predict" "$some" "$model" "$model.ours" >lines.ours || fail "$name: predict"
            same "$name -s $solver, $model" "$model.ours" "$model.theirs"
            if paste -d ' ' lines.ours lines.theirs | awk '{
                    for (i = 1; i <= NF / 2; i++) { # words are equal, numbers nearly
                        other = $(i + NF / 2)
                        if ($i != other && !($i / other - 1 < 1e-4 && other / $i - 1 < 1e-4)) bad = 1
                    }
                } END { exit bad || NR != 2 }'; then pass; else fail "$name -s $solver: lines of predict"; fi
        done
        same_minimum "$name -s $solver" "$rows" "$solver" 1e-6
    done
}

# Logistic regression: the same minimum to 1e-6 (-s 7 at its smallest -e that ends). Each reads the other one's model to
# the same labels and probabilities. Probabilities of both models differ by 2e-3 at most.
compare_logistic() {
    name=$1 solver=$2 rows=$(rows_of "$1") test_rows=$(test_part "$1")
    cd "$scratch" || exit 1
    liblinear-train -s "$solver" -e "$3" "$rows" theirs >theirs.out 2>&1 ||
        fail "$name: liblinear-train -s $solver"
    "$bin/train" -q -s "$solver" -g 1e-9 "$rows" ours || fail "$name: train -s $solver"
    same_minimum "$name -s $solver" "$rows" "$solver" 1e-6
    for model in ours theirs; do
        for b in 0 1; do
            liblinear-predict -q -b "$b" "$test_rows" "$model" "$model.theirs" || fail "$name: liblinear-predict -b $b"
            "$bin/predict" -q -b "$b" "$test_rows" "$model" "$model.ours" || fail "$name: predict -b $b"
            same "$name -s $solver -b $b, model of $model" "$model.ours" "$model.theirs"
        done
    done
    if paste ours.ours theirs.ours | awk '
        NR == 1 { n = NF / 2; next }
        { for (c = 2; c <= n; c++) { d = $c - $(c + n); if (d > 2e-3 || d < -2e-3) bad++ } }
        END { exit !(NR > 1 && !bad) }'; then pass; else fail "$name -s $solver: other probabilities"; fi
}

# |w|_1 in the place of |w|^2/2: each reads the other one's model to the same labels, and our objective is at most
# LIBLINEAR's. LIBLINEAR's may be far higher: with -s 5, a tight -e shrinks away features that it needs.
compare_l1() {
    name=$1 solver=$2 rows=$(some_of "$data/$1" 5000) test_rows=$(test_part "$1")
    cd "$scratch" || exit 1
    liblinear-train -s "$solver" -e "$3" "$rows" theirs >theirs.out 2>&1 ||
        fail "$name: liblinear-train -s $solver"
    "$bin/train" -q -s "$solver" -g 1e-7 --strict "$rows" ours || fail "$name: train -s $solver"
    for model in ours theirs; do
        liblinear-predict -q "$test_rows" "$model" "$model.theirs" || fail "$name: liblinear-predict"
        "$bin/predict" -q "$test_rows" "$model" "$model.ours" || fail "$name: predict"
        same "$name -s $solver, model of $model" "$model.ours" "$model.theirs"
    done
    if { sed -n 's/^# primal //p' ours; sed -n 's/^Objective value = //p' theirs.out; } |
        awk -v name="$name -s $solver" -v most="$4" '
            { x[NR] = $1 }
            END {
                above = x[2] / x[1] - 1
                printf "%-20s LIBLINEAR stops %.1e above the minimum\n", name, above
                exit !(NR == 2 && above >= -2e-7 && above <= most)
            }'; then pass; else fail "$name -s $solver: another minimum"; fi
}

# distinct: prints the number of different lines of standard input.
distinct() { sed 's/ *$//' | sort -u | wc -l; }

# libsvm_bias: prints the bias of theirs, with the sign that it has in ours.
libsvm_bias() {
    awk '$1 == "label" { first[FILENAME] = $2 } $1 == "rho" { rho = $2 }
        END { print first["ours"] == first["theirs"] ? -rho : rho }' ours theirs
}

# same_dual NAME MOST: compares the dual values of ours and svm-train.
same_dual() {
    { sed -n 's/^# dual //p' ours; sed -n 's/^obj = \([^,]*\),.*/\1/p' theirs.out; } >pair
    near "$1" "dual values" "$2"
}

# The free bias against svm-train: the dual value to 1e-6, the bias to 1e-4, the support vectors to 0.5 %,
# 99.9 % of the predictions; and liblinear-predict reads the bias. Equal rows of one label count once among the support
# vectors, because they can share their alpha in many ways.
compare_libsvm() {
    name=$1 rows=$2 solver=$3
    shift 2
    cd "$scratch" || exit 1
    svm-train -t 0 -e 1e-6 "$rows" theirs >theirs.out || fail "$name: svm-train"
    "$bin/train" -q -s "$@" -e 1e-6 --alpha alpha "$rows" ours || fail "$name: train -s $*"
    svm-predict "$rows" theirs labels.theirs >/dev/null || fail "$name: svm-predict"
    "$bin/predict" -q "$rows" ours labels.ours || fail "$name: predict"
    liblinear-predict -q "$rows" ours labels.liblinear || fail "$name: liblinear-predict"
    same "$name -s $solver, our model" labels.ours labels.liblinear
    paste -d ' ' alpha "$rows" | awk '$1 > 0' | cut -d ' ' -f 2- | sed 's/^+//' | distinct >vectors
    sed '1,/^SV/d; s/^-[^ ]*/-1/; t; s/^[^ ]*/1/' theirs | distinct >>vectors
    same_dual "$name -s $solver" 1e-6
    same_bias "$name -s $solver" 1e-4 libsvm_bias
    if awk -v name="$name -s $solver" '
        { x[NR] = $1 }
        END {
            off = x[1] / x[2] - 1
            printf "%-20s %d and %d distinct support vectors\n", name, x[1], x[2]
            exit !(NR == 2 && off <= 0.005 && off >= -0.005)
        }' vectors; then pass; else fail "$name -s $solver: support vectors"; fi
    if paste labels.ours labels.theirs | awk '{ n++; if ($1 != $2) differ++ }
        END { exit !(n > 0 && differ <= 0.001 * n) }'; then pass; else fail "$name -s $solver: predictions"; fi
}

# The regression with the absolute loss and a free bias against svm-train -s 3: the dual value to 1e-6, the
# bias and the numbers predicted to 1e-3.
compare_libsvm_regression() {
    name=$1 rows=$2
    cd "$scratch" || exit 1
    svm-train -s 3 -t 0 -e 1e-6 "$rows" theirs >theirs.out || fail "$name: svm-train -s 3"
    "$bin/train" -q -s 13 -B 1 -R -g 1e-9 "$rows" ours 2>/dev/null || fail "$name: train -s 13 -R"
    same_dual "$name -s 13 -R" 1e-6
    same_bias "$name -s 13 -R" 1e-3 libsvm_bias
    svm-predict -q "$rows" theirs numbers.theirs || fail "$name: svm-predict"
    "$bin/predict" -q "$rows" ours numbers.ours || fail "$name: predict"
    for whose in ours theirs; do tr '\n' ' ' <"numbers.$whose"; echo; done >pair
    near "$name -s 13 -R" numbers 1e-3
}

# One-class SVMs against LIBLINEAR of a release that has them: D to 1e-6, and each reads the other one's model to the
# same labels. LIBLINEAR's -e is a violation in units of <w, x>, like rho, so it is set to 1e-8 |rho|.
compare_one_class() {
    name=$1 nu=$2 rows=$data/$1
    cd "$scratch" || exit 1
    "$liblinear_R" -s 21 -n "$nu" "$rows" theirs >theirs.out 2>&1 || fail "$name: LIBLINEAR -s 21"
    eps=$(awk '$1 == "rho" { print 1e-8 * ($3 < 0 ? -$3 : $3) }' theirs.out)
    "$liblinear_R" -s 21 -n "$nu" -e "$eps" "$rows" theirs >theirs.out 2>&1 || fail "$name: LIBLINEAR -s 21"
    "$bin/train" -q -s 21 -n "$nu" -g 1e-7 "$rows" ours || fail "$name: train -s 21"
    if { sed -n 's/^# dual //p' ours; sed -n 's/^Objective value = //p' theirs.out; } |
        awk -v name="$name -s 21 -n $nu" '
            { x[NR] = $1 }
            END { off = x[1] / x[2] - 1; if (off < 0) off = -off
                printf "%-20s dual values differ by %.1e\n", name, off; exit !(NR == 2 && off <= 1e-6) }
        '; then pass; else fail "$name -s 21: another optimum"; fi
    for model in ours theirs; do
        "$bin/predict" -q "$rows" "$model" "$model.ours"
        "${liblinear_R%train}predict" -q "$rows" "$model" "$model.theirs"
        same "$name -s 21, model $model" "$model.ours" "$model.theirs"
    done
}

# One-class SVMs against svm-train -s 2 -e 1e-6: D to 1e-6, and rho to 1e-4.
compare_one_class_libsvm() {
    name=$1 nu=$2 rows=$data/$1
    cd "$scratch" || exit 1
    svm-train -s 2 -t 0 -n "$nu" -e 1e-6 "$rows" theirs >theirs.out || fail "$name: svm-train -s 2"
    "$bin/train" -q -s 21 -n "$nu" -g 1e-9 "$rows" ours || fail "$name: train -s 21"
    if { sed -n 's/^# dual //p; s/^rho //p' ours; sed -n 's/^obj = \([^,]*\),.*/\1/p' theirs.out
        sed -n 's/^rho //p' theirs; } | awk -v name="$name -s 21 -n $nu" '
            { x[NR] = $1 }
            function apart(a, b) { return a / b > 1 ? a / b - 1 : b / a - 1 }
            END {
                printf "%-20s dual values differ by %.1e from svm-train, rho by %.1e\n", name,
                    apart(x[2], x[3]), apart(x[1], x[4])
                exit !(NR == 4 && apart(x[2], x[3]) <= 1e-6 && apart(x[1], x[4]) <= 1e-4)
            }'; then pass; else fail "$name -s 21: another optimum than svm-train's"; fi
}

# compare_probabilities NAME PARTS: Platt's sigmoids against svm-train -b 1: log loss and Brier score at most 1 %
# larger. Trains on an eighth of the rows and scores the test part. Without a test part, trains on all but one of PARTS
# parts and scores that part, for each part in turn, and adds the scores.
compare_probabilities() {
    name=$1 part=0
    cd "$scratch" || exit 1
    : >ours.score
    : >theirs.score
    while [ "$part" -lt "$2" ]; do
        if [ -f "$data/$name.t" ]; then
            awk 'NR % 8 == 1' "$data/$name" >fold.train
            cp "$data/$name.t" fold.test
        else
            awk -v n="$2" -v k="$part" 'NR % n != k' "$data/$name" >fold.train
            awk -v n="$2" -v k="$part" 'NR % n == k' "$data/$name" >fold.test
        fi
        svm-train -q -b 1 -t 0 fold.train theirs
        svm-predict -q -b 1 fold.test theirs probability.theirs >/dev/null
        "$bin/train" -q -b 1 -s smo fold.train ours
        "$bin/predict" -q -b 1 fold.test ours probability.ours
        for whose in ours theirs; do
            scores fold.test "probability.$whose" >>"$whose.score"
        done
        part=$((part + 1))
    done
    if paste -d ' ' ours.score theirs.score | awk -v name="$name -b 1" '
        { for (k = 1; k <= 4; k++) sum[k] += $k }
        END {
            printf "%-20s log loss %+.2f %%, Brier score %+.2f %% of those of svm-train\n", name,
                100 * (sum[1] / sum[3] - 1), 100 * (sum[2] / sum[4] - 1)
            exit !(NR > 0 && sum[1] <= 1.01 * sum[3] && sum[2] <= 1.01 * sum[4])
        }'; then pass; else fail "$name -b 1: probabilities"; fi
}

# Models of all of LIBLINEAR's classifiers, with a bias and without, are read to the same labels. 1 in 12 test rows of
# w8a has no feature, and more have the decision value 0 except for rounding.
read_all_kinds() {
    name=$1 rows=$(test_part "$1")
    cd "$scratch" || exit 1
    for solver in 0 1 2 3 4 5 6 7; do
        for bias in -1 1; do
            liblinear-train -q -s "$solver" -B "$bias" "$data/$name" theirs >/dev/null 2>&1
            liblinear-predict -q "$rows" theirs labels.theirs
            "$bin/predict" -q "$rows" theirs labels.ours
            same "$name: LIBLINEAR's -s $solver -B $bias" labels.ours labels.theirs
        done
    done
    for solver in 0 6 7; do
        liblinear-train -q -s "$solver" "$data/$name" theirs
        liblinear-predict -q -b 1 "$data/$name" theirs probability.theirs
        "$bin/predict" -q -b 1 "$data/$name" theirs probability.ours
        # LIBLINEAR's second probability is 1 - p, whose rounding error shows in the digits of a small one.
        if paste probability.ours probability.theirs | awk '
            { half = NF / 2; if (half != int(half)) bad = 1
                for (k = 1; k <= half; k++)
                    if ($k != $(k + half) && !(($k - $(k + half)) ^ 2 <= 1e-31)) bad = 1 }
            END { exit bad || NR < 2 }'; then
            pass
        else
            fail "$name: probabilities of -s $solver: probability.ours and probability.theirs differ"
        fi
    done
}

# rings: prints 4,000 rows of eight numbers, like abalone's: sizes that go together, and a count of rings.
rings() {
    awk 'function u() { x = (16807 * x) % 2147483647; return x / 2147483647 }
        BEGIN {
            x = 1
            for (i = 0; i < 4000; i++) {
                size = u() + u()
                printf "%d 1:%d", 5 + 6 * size + 3 * u() * u(), int(3 * u())
                for (j = 2; j <= 8; j++) printf " %d:%.4f", j, size * j / 8 + 0.2 * u()
                print ""
            }
        }'
}

skip() {
    skipped=$((skipped + 1))
    reasons="$reasons
$*"
    echo "skipped: $*"
}

# ---- The parts ---------------------------------------------------------

# has FILE: true if it exists. Otherwise counts a skip.
has() {
    [ -f "$1" ] || { skip "${1##*/} is not in HINGE_DATA" && false; }
}

# against_liblinear NAME: makes the comparisons for a data set.
against_liblinear() {
    has "$data/$1" || return 0
    compare "$1" 1
    compare "$1" 3
    # On farm-ads, LIBLINEAR's -s 2 ends at its limit of steps, 0.1 % above the minimum, and -s 11 takes 16 s for the
    # same P as -s 12.
    [ "$1" = farm-ads ] || compare_newton "$1"
    compare_logistic "$1" 0 1e-6
    compare_logistic "$1" 7 1e-4
    # shellcheck disable=SC2046 # none or one
    compare_regression "$1" "$(rows_of "$1")" $([ "$1" = farm-ads ] || echo 11) 12 13
    case $1 in breast-cancer | digits | w8a) read_all_kinds "$1" ;; esac
    case $1 in breast-cancer | digits | svmlight-ex1) compare_classes "$1" && compare_enet "$1" ;; esac
    case $1 in a9a | rcv1-1k | svmlight-ex1 | breast-cancer)
        compare_l1 "$1" 5 1e-3 0.1
        compare_l1 "$1" 6 1e-5 1e-4
        ;;
    esac
}

liblinear_R=${LIBLINEAR_R:-liblinear-train} # that of Debian 12, 2.3.0, has no -R

free() {
    if ! "$liblinear_R" 2>&1 | grep -q '^-R'; then
        skip "$liblinear_R has no -R (LIBLINEAR_R names one that has)"
        return
    fi
    for name in a9a w8a covtype-93k svmlight-ex1 breast-cancer; do
        has "$data/$name" && for solver in 0 2 11; do compare_free "$name" "$solver"; done
    done
}

one_class() {
    if ! "$liblinear_R" 2>&1 | grep -q '^ *21 -- '; then
        skip "$liblinear_R has no one-class SVM (LIBLINEAR_R names one that has)"
        return
    fi
    for name in a9a covtype-93k digits breast-cancer svmlight-ex1; do
        has "$data/$name" && for nu in 0.02 0.5; do compare_one_class "$name" "$nu"; done
    done
}

against_libsvm() {
    if ! command -v svm-train >/dev/null 2>&1; then
        skip "svm-train is not installed (Debian: libsvm-tools)"
        return
    fi
    [ ! -f "$data/digits" ] || awk '{ $1 = $1 == 8 ? "+1" : "-1"; print }' "$data/digits" >"$scratch/eights"
    for rows in "$data/breast-cancer" "$data/svmlight-ex1" "$scratch/eights"; do
        has "$rows" || continue
        compare_libsvm "${rows##*/}" "$rows" smo
        compare_libsvm "${rows##*/}" "$rows" 3 -B 1 -R
    done
    for rows in "$data/breast-cancer" "$data/svmlight-ex1" "$data/digits" "$scratch/rings"; do
        has "$rows" && compare_libsvm_regression "${rows##*/}" "$rows"
    done
    for name in digits breast-cancer svmlight-ex1; do
        has "$data/$name" && for nu in 0.02 0.5; do compare_one_class_libsvm "$name" "$nu"; done
    done
    has "$data/breast-cancer" && compare_probabilities breast-cancer 10
    has "$data/a9a.t" && compare_probabilities a9a 1
    has "$data/w8a.t" && compare_probabilities w8a 1
}

against_glmnet() {
    if ! Rscript -e 'library(glmnet)' >/dev/null 2>&1; then
        skip "R with glmnet is not installed (Debian: r-cran-glmnet)"
        return
    fi
    for name in breast-cancer svmlight-ex1 rcv1-1k a9a; do
        has "$data/$name" && compare_glmnet "$name"
    done
}

case $bin in /*) ;; *) bin=$PWD/$bin ;; esac
case $data in /*) ;; *) data=$PWD/$data ;; esac
rings >"$scratch/rings"
if ! command -v liblinear-train >/dev/null 2>&1; then
    skip "liblinear-train is not installed (Debian: liblinear-tools)"
    set --
elif [ $# -eq 0 ]; then
    set -- a9a w8a covtype-93k farm-ads imdb rcv1-1k svmlight-ex1 20news letter digits breast-cancer rings free \
        one_class libsvm glmnet
fi
for part in "$@"; do
    case $part in
    rings) compare_regression rings "$scratch/rings" 11 12 13 ;;
    free | one_class) "$part" ;;
    libsvm | glmnet) "against_$part" ;;
    *) against_liblinear "$part" ;;
    esac
done
totals "$passed" "$failed" "$skipped" "$reasons"
