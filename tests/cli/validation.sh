# validation.sh - cross-validation and the search for C: lines, scores, folds, files.
# shellcheck shell=sh

cp "$CANCER" d
head -n 40 "$CANCER" >few

# score OPTIONS: the accuracy that cross-validation prints.
score() {
    "$BIN/train" -q "$@" | sed -n 's/^Cross Validation Accuracy = \(.*\)%$/\1/p'
}

percent="$SHORT%"
positive_lines="Precision of 1 = $SHORT
Recall of 1 = $SHORT
F1 of 1 = $SHORT
Average precision of 1 = $SHORT"

# unchanged NAME COMMAND...: the run changes no file here.
unchanged() {
    check=$1
    shift
    before=$(files)
    searches "$check" "$@"
    same "$check: no file is written" "$before" "$(files)"
}

# ---- Lines of -v -------------------------------------------------------

# LIBLINEAR's line is the last one, also with -q, because scripts look for it.
unchanged '-v' train -v 5 d
matches '-v, two classes' "$OUT" "Certified = 5 of 5 trainings \\(largest relative duality gap $SHORT\\)
Balanced accuracy = $percent
Macro F1 = $SHORT
$positive_lines
AUC = $SHORT
Cross Validation Accuracy = $percent"
tail -n 1 "$OUT" >expected
unchanged '-v -q' train -v 5 -q d
same_file '-v -q: the last line alone' expected "$OUT"

# A model may be named, as in LIBLINEAR. It is not written, and a warning says so.
echo 'an old model' >old
awk '{ print NR % 3 }' d >thirds
for options in '-v 5' '-C --c-range 0:1' '--folds thirds'; do
    case $options in
    -v*) warning="train: warning: -v writes no model: 'old' is not written" ;;
    --f*) warning="train: warning: --folds writes no model: 'old' is not written" ;;
    *) warning="train: warning: -C writes no model without --refit: 'old' is not written" ;;
    esac
    # shellcheck disable=SC2086 # words
    "$BIN/train" $options d >lines
    before=$(files)
    # shellcheck disable=SC2086
    run train $options d old
    same "$options with a model: exit status and files" "0 $before" "$STATUS $(files)"
    same_text "$options with a model: the warning" "$ERR" "$warning"
    same_file "$options with a model: the lines" lines "$OUT"
    for model in old d - absent/model; do
        # shellcheck disable=SC2086
        unchanged "$options -q with the model $model" train -q $options d "$model"
    done
done

unchanged '-v, ten classes' train -v 2 -g 0.1 "$DIGITS"
matches '-v, ten classes: lines' "$OUT" "Certified = 20 of 20 trainings \\(largest relative duality gap $SHORT\\)
Balanced accuracy = $percent
Macro F1 = $SHORT
Cross Validation Accuracy = $percent"
unchanged '-v, stochastic' train -v 5 -s pegasos --epochs 2 d
matches '-v, stochastic: lines, no certificate' "$OUT" "Balanced accuracy = $percent
Macro F1 = $SHORT
$positive_lines
AUC = $SHORT
Cross Validation Accuracy = $percent"
unchanged '-v from standard input' train -q -v 5 - <d
same_file '-v from standard input: the same' expected "$OUT"

# leave_one_out FILE OPTIONS: the score, computed here. The model of all other rows predicts each row.
leave_one_out() {
    rows=$(wc -l <"$1" | tr -d ' ') right=0 row=1
    file=$1
    shift
    while [ "$row" -le "$rows" ]; do
        sed "${row}d" "$file" >others
        sed -n "${row}p" "$file" >one
        "$BIN/train" -q -g 1e-6 "$@" others one.model
        "$BIN/predict" one one.model labels >accuracy
        right=$((right + $(grep -c '100%' accuracy)))
        row=$((row + 1))
    done
    awk -v right="$right" -v rows="$rows" 'BEGIN { printf "%.6g\n", 100 * right / rows }'
}

awk 'NR % 38 == 7' d >little
awk 'NR % 9 == 1' "$DIGITS" | awk '$1 < 3' | head -n 18 >three
scores=''
for file in little three; do
    for options in '-s 1 -c 0.01' '-s 3 -B 1' '-s newton-l2 -c 0.1 --balanced' '-s lr-newton'; do
        # shellcheck disable=SC2086
        expected=$(leave_one_out "$file" $options)
        scores="$scores $expected"
        # shellcheck disable=SC2086
        same "rows of $file, each left out, $options" "$expected" "$(
            score -v "$(wc -l <"$file" | tr -d ' ')" -g 1e-6 $options "$file"
        )"
    done
done
holds 'rows left out: the scores differ' \
    test "$(echo "$scores" | tr ' ' '\n' | sort -u | grep -c .)" -ge 3

# With more folds than rows, each row is a fold, as in LIBLINEAR, and the seed does not matter.
more='train: warning: more folds than rows: each row is a fold of its own'
run train -v "$(wc -l <little | tr -d ' ')" -g 1e-6 little
grep -v '^Certified' "$OUT" >expected
run train -v 16 -g 1e-6 --seed 5 little
same '-v above the rows' "0 $more" "$STATUS $(cat "$ERR")"
grep -v '^Certified' "$OUT" >came
same_file '-v above the rows: the lines' expected came
run train -v 4294967295 -g 1e-6 -q little
same_text '-v above the rows, -q: no warning' "$ERR" ''
same_text '-v above the rows, -q: the line' "$OUT" "$(tail -n 1 expected)"

# Rows with weight 0 are in no fold.
awk 'NR % 3 == 0 { print 0; next } { print 1 }' little >weights
awk 'NR % 3 != 0' little >rest
run train -v 10 -g 1e-6 rest
cp "$OUT" expected
succeeds 'rows that weigh 0' train -v 10 -g 1e-6 -W weights little
same_file 'rows that weigh 0 are not there' expected "$OUT"
run train -v 11 -g 1e-6 -W weights little
same 'rows that weigh 0 do not count' "0 $more" "$STATUS $(cat "$ERR")"
sed 's/1/0/; 1s/0/1/' weights >alone
only='there is only one row that weighs more than 0: at least two are needed'
refuses 'one row that weighs something' 2 "train: -v: $only
Try 'train --help'." train -q -v 5 -W alone little
refuses '-C, one row that weighs something' 2 "train: -C: $only
Try 'train --help'." train -q -C -W alone little

refuses 'one class' 1 \
    'same:1:1: all rows have the label 1: a classifier needs two classes' \
    train -v 2 "$(awk '$1 == 1' little >same && echo same)"
succeeds 'a class of one row' train -v 3 -q \
    "$(printf '%s\n' '1 1:1' '1 1:2' '1 1:3' '-1 1:-1' >single && echo single)"

# ---- Seed, weights, solvers, lambda ------------------------------------

# seeds OPTIONS...: for each of five seeds, a line with the score and the certificate, if there is one. The line of
# seed 1 comes twice.
seeds() {
    for seed in 1 1 2 3 4 5; do
        "$BIN/train" -v 5 --seed "$seed" "$@" | sed -n '/^AUC/p; /^Certified/p' | tr '\n' ' '
        echo
    done
}
for solver in 1 3 newton-l2 lr-newton lr-dcd ipm pnewton smo; do
    seeds -s "$solver" d >lines
    same "-s $solver: the same seed, the same line" "$(sed -n 1p lines)" "$(sed -n 2p lines)"
    same "-s $solver: other seeds, other folds" 5 "$(sort -u lines | grep -c .)"
done
seeds -s sgd --epochs 1 d >lines
same 'sgd: the same seed, the same line' "$(sed -n 1p lines)" "$(sed -n 2p lines)"
same 'sgd: other seeds, other folds' 5 "$(sort -u lines | grep -c .)"

same '-s newton-l2 is dcd-l2 in score' "$(score -v 5 -g 1e-6 d)" \
    "$(score -v 5 -g 1e-6 -s newton-l2 d)"
same '-s lr-newton is lr-dcd in score' "$(score -v 5 -g 1e-6 -s 7 d)" "$(score -v 5 -g 1e-6 -s 0 d)"
same '-s ipm is dcd-l1 in score' "$(score -v 5 -g 1e-6 -s 3 d)" "$(score -v 5 -g 1e-6 -s ipm d)"
same '-s pnewton is dcd-l1 in score' "$(score -v 5 -g 1e-6 -s 3 d)" \
    "$(score -v 5 -g 1e-6 -s pnewton d)"
# 512 rows in 4 folds of 128: lambda 1/96 is C 1/4 for each.
head -n 512 "$CANCER" >e
run train -v 4 -g 1e-6 -l 0.010416666666666666 e
grep -v '^Cert' "$OUT" >expected
run train -v 4 -g 1e-6 -c 0.25 e
grep -v '^Cert' "$OUT" >came
same_file '-l is the C of what is trained on' expected came
unlike_score() {
    check=$1
    shift
    run train -v 5 d
    cp "$OUT" expected
    run train -v 5 "$@" d
    differ "$check" "$(cat expected)" "$(cat "$OUT")"
}
unlike_score '-c matters' -c 0.01
unlike_score '-B matters' -B 1
unlike_score '-w matters' -w1 0.1
unlike_score '--balanced matters' --balanced
run train -q -v 2 -w7 3 few
same_text 'a weight of no class, -q: no warning' "$ERR" ''
run train -v 2 -w7 3 -w-1 2 -w0.5 2 few
same_text 'a weight of no class' "$ERR" 'train: warning: no row has the label 7, for which a weight is given
train: warning: no row has the label 0.5, for which a weight is given'
run train -C --c-range 0:0 -w7 3 few
same_text 'a weight of no class, -C' "$ERR" \
    'train: warning: no row has the label 7, for which a weight is given'

# ---- --strict ----------------------------------------------------------

succeeds '-i 1 without --strict' train -v 5 -i 1 d
holds '-i 1: no training is certified' grep -q '^Certified = 0 of 5 trainings ' "$OUT"
for options in '-v 5' '-C --c-range 0:1'; do
    # shellcheck disable=SC2086
    run train -q $options -i 1 --strict d
    same "$options --strict: exit status, messages, lines" '5  1' \
        "$STATUS $(grep -v 'the best C is the largest' "$ERR") $(wc -l <"$OUT" | tr -d ' ')"
    # shellcheck disable=SC2086
    succeeds "$options --strict, certified" train -q $options --strict d
done
run train -q -C --c-range 0:1 -i 1 --strict --refit d refitted
same '-C --refit --strict: exit status, and the model' '5 pass-limit' \
    "$STATUS $(record refitted outcome)"

# ---- Lines of -C -------------------------------------------------------

# rates: the scores of the last search, one a line.
rates() {
    sed -n 's/^log2c=.*	[A-Za-z0-9 ]*=//p' "$OUT"
}
rate_line="rate=$SHORT"
unchanged '-C' train -C --c-range -3:1:2 d
matches '-C: lines' "$OUT" "Doing parameter search with 5-fold cross validation[.]
log2c=  -3[.]00	$rate_line
log2c=  -1[.]00	$rate_line
log2c=   1[.]00	$rate_line
Certified = 15 of 15 trainings \\(largest relative duality gap $SHORT\\)
Deviation over the folds = $SHORT%
Best C = $SHORT  CV accuracy = $percent"
grep '^Best C = ' "$OUT" >expected
unchanged '-C -q' train -C --c-range -3:1:2 -q d
same_file '-C -q: the best alone' expected "$OUT"
unchanged '-C, seven folds' train -C -v 7 --c-range -10.5:-10:0.25 d
matches '-C, seven folds: lines' "$OUT" "Doing parameter search with 7-fold cross validation[.]
log2c= -10[.]50	$rate_line
log2c= -10[.]25	$rate_line
log2c= -10[.]00	$rate_line
Certified = 21 of 21 trainings \\(largest relative duality gap $SHORT\\)
Deviation over the folds = $SHORT%
Best C = $SHORT  CV accuracy = $percent"

# LIBLINEAR's line is the last one.
for options in '' '--metrics' '--criterion auc' '--one-se'; do
    # shellcheck disable=SC2086
    searches "-C $options" train -C --c-range 0:1 $options d
    tail -n 1 "$OUT" >last
    matches "-C $options: the last line" last "Best C = $SHORT  CV [a-zA-Z]* = $percent"
done

# ---- Deviation over the folds ------------------------------------------

# deviations: the last column of the file "path", in %, one a line.
deviations() {
    sed '1d; s/.*,//' path | awk '{ print $1 == "" ? "" : 100 * $1 }'
}

# With two folds of the same size, the scores are rate -+ deviation/sqrt(2), and each is a whole number of rows.
head -n 568 d >even
run train -C -v 2 --c-range -8:4:3 --path path even
deviations >came
rates | paste -d ' ' - came | awk '{
    for (side = -1; side <= 1; side += 2) {
        right = ($1 + side * $2 / sqrt(2)) * 284 / 100
        apart = right - int(right + 0.5)
        if (apart > 0.02 || apart < -0.02) print NR ": " right " rows"
    }
    different += $2 > 0; n++
} END { if (n != 5 || different < 2) print n " rates, " different " deviations" }' >wrong
same_text 'deviation of two folds' wrong ''
# If each row is a fold, each score is 0 or 100.
run train -C -v 40 --c-range -9:-6 --path path few
deviations >came
rates | paste -d ' ' - came | awk '{
    p = $1 / 100
    apart = $2 - 100 * sqrt(p * (1 - p) * 40 / 39)
    if (apart > 0.06 || apart < -0.06) print $0
    n += p < 1
} END { if (!n) print "no row is wrong" }' >wrong
same_text 'deviation of rows left out' wrong ''
best=$(sed -n 's/^Best C = \([^ ]*\) .*/\1/p' "$OUT")
same 'the deviation of the best' "$(awk -F, -v C="$best" '$1 + 0 == C + 0 { printf "%.3g%%", 100 * $NF }' path)" \
    "$(sed -n 's/^Deviation over the folds = //p' "$OUT")"
run train -C -v 40 --c-range -9:-6 --criterion auc --path path few
same 'no deviation where a fold has no score' '4 0' \
    "$(rates | grep -c .) $(deviations | grep -c .)"
same 'no deviation: no line' 0 "$(grep -c '^Deviation' "$OUT")"
run train -s 11 -C -v 40 -p 0.1 --c-range -9:-6 --path path few
same 'of a regression: a deviation for each line' "$(grep -c '^log2c' "$OUT")" \
    "$(deviations | grep -c .)"

# --one-se chooses the smallest C whose score is within a standard error of the best.
within_error() {
    awk -F, -v folds="$1" -v sign="$2" -v column="$3" '
        NR > 1 {
            n++
            c[n] = $1; score[n] = sign * $column; deviation[n] = $NF
            if (n == 1 || score[n] > score[best]) best = n
        }
        END {
            chosen = best
            for (k = 1; k <= n; k++)
                if (score[k] >= score[best] - deviation[best] / sqrt(folds) &&
                    (c[k] < c[chosen] || (c[k] == c[chosen] && score[k] > score[chosen])))
                    chosen = k
            printf "%g %g\n", c[chosen], c[best]
        }' path
}
differing=0
for options in '' '-v 10' '-s 3' '-s 11' '-s 11 --criterion r2' '-s 0 --criterion log-loss' '--criterion mcc'; do
    sign=1 column=2
    case $options in
    *r2) column=3 ;;
    *11) column=3 sign=-1 ;;
    *loss) sign=-1 ;;
    esac
    folds=5
    [ "$options" != '-v 10' ] || folds=10
    # shellcheck disable=SC2086
    run train -C --one-se --c-range -8:4 --path path $options d
    expected=$(within_error $folds $sign $column)
    [ "${expected% *}" = "${expected#* }" ] || differing=$((differing + 1))
    same "--one-se $options" "${expected% *}" "$(sed -n 's/^Best C = \([^ ]*\) .*/\1/p' "$OUT")"
done
holds '--one-se: another one than the best' test "$differing" -ge 3
run train -C -q --one-se -g 1e-6 --c-range -8:4 --metrics=json d
same '--one-se: the metrics are those of its C' \
    "$("$BIN/train" -q -v 5 -g 1e-6 -c "$(sed 's/^{"C":\([^,]*\),.*/\1/' "$OUT")" d |
        sed 's/.* = \(.*\)%/\1/')" \
    "$(sed 's/.*"accuracy":\([^,]*\),.*/\1/' "$OUT" | awk '{ printf "%g\n", 100 * $1 }')"
refuses '--one-se without -C' 2 "train: --one-se needs -C
Try 'train --help'." train --one-se d
run train -C --c-range 0:0 -v 99 few
same '-C, more folds than rows' "0 $more" "$STATUS $(cat "$ERR")"
same '-C, more folds than rows: so many' 'Doing parameter search with 40-fold cross validation.' \
    "$(head -n 1 "$OUT")"
refuses '-C -v 5 -v 1' 2 "train: -v: at least 2
Try 'train --help'." train -C -v 5 -v 1 d

# The range is LIBLINEAR's, from -c to 2^10 in powers of 2.
exponents() {
    sed -n 's/^log2c= *\([^	]*\)	.*/\1/p' "$OUT" | tr '\n' ' '
}
run train -C -c 100 few
same '-c begins the range' '6.64 7.64 8.64 9.64 ' "$(exponents)"
run train -C -c 1024 few
same '-c is the end of the range' '10.00 ' "$(exponents)"
run train -C -c 2048 few
same '-c is beyond the end of the range' '11.00 ' "$(exponents)"
awk 'BEGIN { for (i = 0; i < 40; i++) print i % 5, "1:" i % 7 }' >targets
run train -s 11 -C -v 2 --c-range 0:0 -p 0.5 targets
same '-p is the largest epsilon, in twentieths of the largest target' '0.40 0.20 0.00 ' \
    "$(sed -n 's/^log2c=.*p= *\([0-9.]*\)	.*/\1/p' "$OUT" | tr '\n' ' ')"
run train -C few
same 'the range, without -c, ends at 10' 10.00 "$(exponents | awk '{ print $NF }')"
holds 'the range, without -c, begins below' awk -v first="$(exponents)" \
    'BEGIN { exit !(first + 0 < 0) }'
run train -C --c-range 1:1 few
same 'a range of one' '1.00 ' "$(exponents)"
run train -C --c-range 0:0.95:0.1 few
same 'a step that does not come out' '0.00 0.10 0.20 0.30 0.40 0.50 0.60 0.70 0.80 0.90 ' \
    "$(exponents)"
run train -C --c-range 0:1:0.1 few
same 'a step that comes out but for its rounding' 11 "$(exponents | wc -w | tr -d ' ')"
run train -C --c-range 0:1:5 few
same 'a step beyond the range' '0.00 ' "$(exponents)"
run train -C --c-range=-2.5:-1 few
same 'a range that begins with -' '-2.50 -1.50 ' "$(exponents)"

# The search ends where no larger C can be better. One such place is a perfect score.
printf '%s\n' '1 1:1' '1 1:2' '-1 1:-1' '-1 1:-2' >easy
run train -C -v 2 easy
same 'nothing is better than 100 %' '1 100' "$(rates | grep -c .) $(rates)"
run train -C -v 2 --c-range 0:10 easy
same 'a range that was given is tried to its end' 11 "$(rates | grep -c .)"
# Another one is where five solutions are the same. Here row 1 alone has feature 2, so every C predicts it wrongly.
{
    echo '1 2:100'
    for row in 1 2 3 4 5 6 7; do printf '%s\n' "-1 1:-10$row" "1 1:10$row"; done
} >settled
for solver in 1 3; do
    run train -C -v 15 -s "$solver" settled
    last=$(exponents | awk '{ print $NF }')
    rates | tail -n 1 >expected
    holds "-s $solver, the solutions do not change: it ends before 10" \
        awk -v last="$last" 'BEGIN { exit !(last >= -8 && last < 10) }'
    best=$(tail -n 1 "$OUT")
    first=$(exponents | awk '{ print $1 }')
    run train -C -v 15 -s "$solver" --c-range "$first:10" settled
    same "-s $solver, the solutions do not change: the best of all is the same" "$best" \
        "$(tail -n 1 "$OUT")"
    same "-s $solver, the solutions do not change: nor do the scores" "$(cat expected)" \
        "$(rates | tail -n 1)"
    holds "-s $solver: others come later in the range" test "$(rates | tail -n 5 | sort -u | wc -l)" = 1
done

printf '%s\n' '1 1:1e100' '-1 1:-1e100' '1 1:2e100' '-1 1:-3e100' >huge
succeeds 'the range, of huge values, begins with a C that is allowed' train -C -v 2 huge

# ---- The best ----------------------------------------------------------

# best: the first of the lines of a search with the highest score, found by comparing all lines.
best() {
    awk '/^log2c=/ {
            sub(/^log2c= */, ""); sub(/[A-Za-z]+=/, "")
            if (!n++ || $2 > most) { most = $2; c = $1 }
        }
        END {
            for (digits = 6; digits < 17 && sprintf("%." digits "g", 2 ^ c) + 0 != 2 ^ c; digits++)
                ;
            printf "%." digits "g %s\n", 2 ^ c, most
        }' "$OUT"
}
for arguments in '--c-range -8:6 d' '--c-range -8:6 --seed 3 d' '--c-range -3:9 -s 3 few' \
    '--c-range -4:8:4 -s pegasos d'; do
    # shellcheck disable=SC2086
    run train -C $arguments
    same "the best of $arguments" "$(best)" \
        "$(sed -n 's/^Best C = \(.*\)  CV accuracy = \(.*\)%$/\1 \2/p' "$OUT")"
done
run train -C --c-range -1:3 "$(printf '%s\n' '1 1:1' '1 1:2' '-1 1:-1' '-1 1:-2' >easy &&
    echo easy)"
same 'the first of equally good ones' '100 100 100 100 100 0.5' \
    "$(rates | tr '\n' ' ')$(sed -n 's/^Best C = \([^ ]*\) .*/\1/p' "$OUT")"

# The score of each C is the score of -v alone if both are certified, although they start at different points.
for solver in 1 3 newton-l2 lr-newton lr-dcd ipm pnewton smo; do
    run train -C --c-range -6:4:5 -g 1e-6 -s "$solver" d
    for c in 0.015625 0.5 16; do score -v 5 -g 1e-6 -s "$solver" -c "$c" d; done >expected
    rates >came
    same_file "-s $solver: scores of -C and of -v" expected came
done
for solver in pegasos sgd sgd-w sgd-suffix comid hrmd-w; do
    run train -C --c-range -6:4:5 -s "$solver" --epochs 2 d
    for c in 0.015625 0.5 16; do score -v 5 -s "$solver" --epochs 2 -c "$c" d; done >expected
    rates >came
    same_file "-s $solver: scores of -C and of -v" expected came
done
run train -C --c-range -6:4:5 -g 1e-10 -v 3 --seed 8 -B 1 -w1 3 d
for c in 0.015625 0.5 16; do score -v 3 -g 1e-10 --seed 8 -B 1 -w1 3 -c "$c" d; done >expected
rates >came
same_file 'scores of -C and of -v with other options' expected came
run train -C --c-range -2:0:2 -g 1e-5 -v 2 "$DIGITS"
for c in 0.25 1; do score -v 2 -g 1e-5 -c "$c" "$DIGITS"; done >expected
rates >came
same_file 'scores of -C and of -v, ten classes' expected came

# ---- Criteria ----------------------------------------------------------

# criterion NAME WORDS FILTER FILE: the rates of -C are the numbers that the filter finds in the output of -v.
criterion() {
    run train -C --c-range -6:0:3 -g 1e-10 --criterion "$1" "$4"
    rates >came
    same "--criterion $1: the last lines" "CV $2" \
        "$(sed -n 's/^Best C = [^ ]*  \(.*\) = .*$/\1/p' "$OUT")"
    same "--criterion $1: the best" "$(best)" \
        "$(sed -n 's/%$//; s/^Best C = \(.*\)  CV .* = \(.*\)$/\1 \2/p' "$OUT")"
    for c in 0.015625 0.125 1; do
        "$BIN/train" -v 5 -g 1e-10 -c "$c" --metrics "$4" | sed -n "$3"
    done >raw
    awk -v scale="$5" -v digits="$6" '{
        getline came <"came"
        came = came / scale
        if ($1 - came > digits || came - $1 > digits) print NR ": " $1 " or " came; n++
    } END { if (n != 3) print n + 0 " scores" }' raw >wrong
    same_text "--criterion $1: the rates" wrong ''
}
few_classes=digits_to_2
awk '$1 < 3' "$DIGITS" | head -n 150 >"$few_classes"
criterion accuracy accuracy 's/^Cross Validation Accuracy = \(.*\)%/\1/p' d 1 1e-9
criterion balanced-accuracy 'balanced accuracy' 's/^Balanced accuracy = \(.*\)%/\1/p' d 1 1e-9
criterion auc AUC 's/^AUC = //p' d 100 1e-6
criterion f1 F1 's/^1 .* \([01][.][0-9]*\)$/\1/p' d 100 5.1e-5
sed 's/^[+]1/3/; s/^-1/9/' d >larger_label
criterion f1 F1 's/^9 .* \([01][.][0-9]*\)$/\1/p' larger_label 100 5.1e-5
criterion f1 F1 's/^Macro F1 = //p' "$few_classes" 100 1e-6
criterion precision precision 's/^Precision of 1 = //p' d 100 1e-6
criterion precision precision 's/^Macro precision = //p' "$few_classes" 100 1e-6
criterion recall recall 's/^Recall of 9 = //p' larger_label 100 1e-6
criterion recall recall 's/^Macro recall = //p' "$few_classes" 100 1e-6
criterion mcc MCC 's/^Matthews correlation = //p' d 1 1e-9
criterion mcc MCC 's/^Matthews correlation = //p' "$few_classes" 1 1e-9
criterion average-precision 'average precision' 's/^Average precision of 1 = //p' d 100 1e-6

# log-loss is computed from the probabilities of --predictions, fitted (-b 1) or the model's own.
for options in '-s 0' '-s 62' '-b 1 -s 3'; do
    # shellcheck disable=SC2086 # words
    run train -C $options --c-range -1:3:2 -g 1e-8 --criterion log-loss \
        --path path d
    rates >came
    for c in 0.5 2 8; do
        # shellcheck disable=SC2086
        "$BIN/train" -q -v 5 $options -c "$c" -g 1e-8 --predictions held_out d >/dev/null
        awk -F, 'NR > 1 { sum -= log($3 > 0 ? $6 : 1 - $6) } END { printf "%.5g\n", sum / (NR - 1) }' held_out
    done >expected
    same "$options: --criterion log-loss: the losses" "$(xargs <expected)" \
        "$(awk '{ printf "%.5g\n", $1 }' came | xargs)"
    same "$options: --criterion log-loss: the least is the best" "$(sort -g came | head -n 1)" \
        "$(sed -n 's/^Best C = .*  CV log loss = //p' "$OUT")"
    same "$options: --criterion log-loss: a deviation for each C" 3 "$(deviations | grep -c .)"
done
run train -q -s 0 -C --c-range -1:3:2 -g 1e-8 --criterion log-loss \
    --metrics=json d
json=$(sed 's/.*"log_loss":\([^,]*\),"brier":\([^,]*\),.*/\1 \2/' "$OUT")
"$BIN/train" -q -v 5 -s 0 -c "$(sed 's/^{"C":\([^,]*\),.*/\1/' "$OUT")" -g 1e-8 --predictions held_out d >/dev/null
same '--criterion log-loss --metrics=json: the log loss and the Brier score' "$(awk -F, 'NR > 1 {
    p = $3 > 0 ? $6 : 1 - $6; sum -= log(p); squares += (1 - p) ^ 2
} END { printf "%.5g %.5g", sum / (NR - 1), squares / (NR - 1) }' held_out)" \
    "$(echo "$json" | awk '{ printf "%.5g %.5g", $1, $2 }')"
refuses '--criterion log-loss without probabilities' 2 \
    "train: --criterion log-loss needs -b 1: --solver dcd-l2 has no probabilities
Try 'train --help'." train -C --criterion log-loss d

# Errors of regressions.
for pair in 'mae Mean absolute error' 'mse Cross Validation Mean squared error' 'r2 R2'; do
    criterion=${pair%% *}
    run train -s 11 -C --c-range -2:2:4 -p 0 -g 1e-8 --criterion "$criterion" d
    rates >came
    for c in 0.25 4; do
        "$BIN/train" -s 11 -v 5 -p 0 -c "$c" -g 1e-8 --metrics d 2>/dev/null | sed -n "s/^${pair#* } = //p"
    done >expected
    same_file "--criterion $criterion: the scores" expected came
    [ "$criterion" = r2 ] && least= || least=1
    same "--criterion $criterion: the best" "$(sort -g ${least:+-r} came | tail -n 1)" \
        "$(sed -n "s/^Best C = .* Best p = 0  CV $(echo "$criterion" | tr '[:lower:]' '[:upper:]') = //p" "$OUT")"
done
refuses 'a criterion of regressions' 2 "train: --criterion r2 has no meaning for --solver dcd-l2
Try 'train --help'." train -C --criterion r2 d
refuses 'the area under a curve is for two classes' 2 \
    "train: --criterion auc: the score is for two classes, but the data have 3
Try 'train --help'." train -C --criterion auc "$few_classes"
awk '{ print ($1 > 0) }' d >one_sided
refuses 'an area under the curve of one class' 1 \
    'train: warning: all rows with the label -1 weigh 0
d:1:1: all rows that weigh more than 0 have the label 1: a classifier needs two classes' \
    train -C --criterion auc -W one_sided d
# The values of C are multiples of -c to the last bit: 7 2^2 is not exp2(log2(7) + 2).
run train -q -C -c 7 --refit d refitted
same '-C -c: a multiple of it' 1 "$(record refitted C |
    awk '{ for (C = 7; C < $1; C *= 2) {} print (C > 14 && C == $1) }')"

# ---- --refit -----------------------------------------------------------

for options in '' '-s 3' '-s newton-l2' '-s lr-newton' '-s lr-dcd' '-s ipm' '-s pnewton' '-s smo' '-s sgd' '-s hrmd-w --l1 0.001' \
    '-v 3 -B 1 -w1 2'; do
    # shellcheck disable=SC2086
    searches "--refit $options" train -C --c-range -4:4:2 --refit $options d refitted
    holds "--refit $options: the best before the results" \
        awk '/^Best C = /{ b = NR } /^optimization finished/ { exit !b }' "$OUT"
    c=$(sed -n 's/^Best C = \([^ ]*\) .*/\1/p' "$OUT")
    # shellcheck disable=SC2046
    "$BIN/train" -q -c "$c" $(echo "$options" | sed 's/-v 3//') d trained
    same_file "--refit $options: the model of the best" trained refitted
done
for limit in 0.4 1.6 6.4 26 96; do # until it suffices for one value of C
    run train -C -v 2 --c-range 0:10:0.01 --time-limit "$limit" --refit -b 1 "$DIGITS" refitted
    grep -q 'no score' "$ERR" || break
done
holds '--refit -b 1: the limit is of the search' grep -q 'stopped' "$ERR"
same '--refit -b 1: the model has probabilities' 20 "$(record refitted sigmoid | wc -w | tr -d ' ')"
run train -q -C --c-range -4:-3 --refit "$CANCER"
holds '--refit: the model without a name' test -f breast-cancer.model
rm -f breast-cancer.model
refuses '--refit into a missing folder, before any work' 3 \
    'train: cannot write absent/m: No such file or directory' train -C --refit d absent/m

# ---- --path ------------------------------------------------------------

# path_holds OPTIONS...: each line of the file has the primal value of a training that starts at w = 0, to
# within the sum of both gaps, and a dual value that bounds it.
path_holds() {
    searches "--path $*" train -C --c-range -6:2:4 --path path "$@" d
    rates >came
    same "--path $*: columns" C,score,accuracy,primal,dual,gap,nonzeros,passes,seconds,deviation \
        "$(head -n 1 path)"
    for c in 0.015625 0.25 4; do
        "$BIN/train" -q -c "$c" "$@" d cold
        echo "$c $(record cold primal) $(record cold relative_gap)"
    done >cold.txt
    awk -F '[ ,]' '
        FILENAME == ARGV[1] { score[FNR] = $1; next }
        FILENAME == ARGV[2] { c[FNR] = $1; primal[FNR] = $2; gap[FNR] = $3; next }
        FNR == 1 { next }
        {
            line = FNR - 1
            if (NF != 10) print "columns in line " FNR
            if ($1 + 0 != c[line] + 0) print "C " $1
            if (sprintf("%g", 100 * $2) != score[line] || $2 != $3) print "score " $2
            if (!($6 <= 1e-3)) print "gap " $6
            computed = ($4 + $5) / $4
            if (computed - $6 > 1e-9 || $6 - computed > 1e-9) print "gap " $6 " is " computed
            apart = $4 - primal[line]
            if (apart < 0) apart = -apart
            if (apart > ($6 + gap[line] + 1e-12) * $4) print "primal " $4 ", cold " primal[line]
            if ($7 < 1 || $7 > 31 || $8 < 0 || $9 < 0) print "line " FNR
        }
        END { if (FNR != 4) print FNR " lines" }' came cold.txt path >wrong
    same_text "--path $*: lines" wrong ''
}
path_holds
path_holds -s 3
path_holds -s newton-l2 -B 1
path_holds -s lr-newton -B 1
path_holds -s lr-dcd
path_holds -s ipm
path_holds -s pnewton
path_holds -s smo
path_holds -s 3 -w1 2 -g 1e-6
searches '--path, stochastic' train -q -C --c-range 0:1 --path path -s sgd d
# shellcheck disable=SC2016 # awk's, here and below
holds '--path, stochastic: no dual, no gap' awk -F , 'NR > 1 && !($4 > 0 && $5 == "" && $6 == "" &&
    NF == 10) { bad = 1 } END { exit bad || NR != 3 }' path
"$BIN/train" -q -s sgd -c 2 d cold
same '--path, stochastic: the primal value' "$(record cold primal)" \
    "$(sed -n 3p path | cut -d , -f 4)"
succeeds '--path, ten classes' train -q -C -v 2 -g 0.01 --c-range 0:0 --path path "$DIGITS"
"$BIN/train" -q -g 0.01 "$DIGITS" cold
# shellcheck disable=SC2016
holds '--path, ten classes: sums, the largest gap' awk -v primal="$(record cold primal)" '
    NR == 2 {
        n = split(primal, p, " ")
        for (k = 1; k <= n; k++) sum += p[k]
        split($0, field, ",")
        apart = field[4] - sum
        exit !(n == 10 && field[6] <= 0.01 && apart < 0.02 * sum && -apart < 0.02 * sum)
    }' path

refuses '--path into a missing folder, before any work' 3 \
    'train: cannot write absent/p: No such file or directory' train -C --path absent/p d
refuses '--path into a missing folder, before the data are read' 3 \
    'train: cannot write absent/p: No such file or directory' train -C --path absent/p absent/d
refuses '-C of one class' 1 'same:1:1: all rows have the label 1: a classifier needs two classes' \
    train -C same

# ---- Metrics -----------------------------------------------------------

for options in '-v 5' '-C --c-range 0:0'; do
    # shellcheck disable=SC2086
    succeeds "$options --metrics" train $options --metrics d
    grep -v -E '^(Doing|log2c|Best|Certified|Deviation|Cross)' "$OUT" >full
    holds "$options --metrics: a table for two classes" \
        awk '/^class / { on = 1 } on && NF == 6 { n++ } END { exit n != 3 }' full
    # shellcheck disable=SC2086
    succeeds "$options --metrics -q" train $options --metrics -q d
    grep -v -E '^(Best|Cross)' "$OUT" >came
    same_file "$options --metrics -q: the same figures" full came
    # shellcheck disable=SC2086
    succeeds "$options --metrics=json" train $options --metrics=json d
    same "$options --metrics=json: that line alone" '1 1 569' "$(wc -l <"$OUT" | tr -d ' ') $(
        sed -n 's/^{"C":\([^,]*\),"rows":\([^,]*\),.*}$/\1 \2/p' "$OUT")"
done
succeeds '-C --refit --metrics=json' train -C --c-range 0:0 --refit --metrics=json d refitted
same '-C --refit --metrics=json: that line alone' 1 "$(wc -l <"$OUT" | tr -d ' ')"
run train -v 5 -l 0.01 --metrics=json d
holds '-l: no C to speak of' grep -q '^{"rows":569,' "$OUT"
run train -v 5 -s 11 -l 0.01 --metrics=json d
holds '-l, a regression: no C to speak of' grep -q '^{"epsilon":0.1[0-9]*,"rows":569,' "$OUT"

# ---- Results that cannot be printed ------------------------------------

if [ -w /dev/full ]; then
    for options in '-v 5' '-C --c-range 0:0' '-C --c-range 0:0 --refit' '-v 5 --metrics=json'; do
        STATUS=0
        rm -f d.model
        # shellcheck disable=SC2086
        "$BIN/train" $options d >/dev/full 2>"$ERR" || STATUS=$?
        same "$options: results that cannot be printed" \
            '3 train: cannot write standard output: No space left on device' \
            "$STATUS $(cat "$ERR")"
        holds "$options: results that cannot be printed: no model" test ! -e d.model
    done
else
    skips 'results that cannot be printed' 'there is no /dev/full'
fi

# ---- The same scores from -C and -v --------------------------------------

# The best C and P of -C, given to -v, have the same score as in the lines of -C, to the last digit.
awk 'NR % 3 == 0' "$DIGITS" >third
for options in '-s 1 -c 0.01' '-s 3 -c 0.003' '-s 2 -B 1' '-s 0' '-s 4 --c-range -3:3:1.5'; do
    # shellcheck disable=SC2086 # words
    "$BIN/train" -C $options -v 3 third >lines 2>"$ERR"
    best=$(sed -n 's/^Best C = \([^ ]*\) .*/\1/p' lines)
    # shellcheck disable=SC2086
    same "-v at the best C of -C, $options" "$(sed -n 's/^Best C = .* = //p' lines)" \
        "$(score ${options%% -[c-]*} -v 3 -c "$best" third)%"
done
for options in '-s 11' '-s 13 -j 2'; do
    # shellcheck disable=SC2086
    "$BIN/train" -q -C $options -c 0.007 -p 5.3 -v 3 --criterion mse third >lines 2>"$ERR"
    best=$(sed -n 's/^Best C = \([^ ]*\) Best p = \([^ ]*\) .*/-c \1 -p \2/p' lines)
    # shellcheck disable=SC2086
    same "-v at the best C and P of -C, $options" "$(sed -n 's/^Best C = .* = //p' lines)" \
        "$("$BIN/train" -q $options $best -v 3 third | sed -n 's/^Cross Validation Mean squared error = //p')"
done
"$BIN/train" -q -C -s 11 -c 0.007 -v 3 --path path third >lines 2>"$ERR"
best=$(sed -n 's/^Best C = \([^ ]*\) Best p = \([^ ]*\) .*/\1,\2/p' lines)
same 'best C and P: all digits' 1 "$(awk -F , -v best="$best" 'BEGIN { split(best, is, ",") }
    $1 + 0 == is[1] + 0 && $2 + 0 == is[2] + 0' path | wc -l | tr -d ' ')"

# ---- Ctrl-C ------------------------------------------------------------

is_complete || return 0 # each of these trainings runs for seconds
endless='-s 3 -g 1e-12 --plain'
in_fold() {
    grep -q ' fold ' "$ERR"
}
# interrupted NAME ARGUMENT...: SIGINT in the middle of a fold ends the program, which changes no file.
interrupted() {
    check=$1
    shift
    echo old >path
    echo old >model
    before=$(files | grep -v ' ./number$')
    # shellcheck disable=SC2086
    signalled INT in_fold train $endless "$@"
    rm -f number
    same "$check, SIGINT: exit status" 130 "$STATUS"
    same "$check, SIGINT: no file is changed" "$before" "$(files)"
    same "$check, SIGINT: no score" 0 "$(grep -c -E 'Cross|Accuracy|log2c|Best|rate' "$OUT")"
    holds "$check, SIGINT: progress of folds" grep -q -E \
        "C = $SHORT, fold 1 of 2, pass [0-9]+, relative gap [0-9.e+-]+, primal $SHORT, " "$ERR"
    same "$check, SIGINT: the last word" "train: warning: no score: $(
        [ "${1#-C}" = "$1" ] && echo '0 of 2 folds' || echo '0 of 2 values of C') (interrupted)" \
        "$(tail -n 1 "$ERR")"
}
rm -f number
cat d d d d >larger
interrupted '-v' -v 2 -c 1e8 larger
interrupted '-C' -C -v 2 --c-range 25:26 --path path --refit larger model

# After SIGINT, the best of the finished values of C is printed and marked as incomplete.
three_rates() {
    [ "$(grep -c '^log2c' "$OUT")" -ge 3 ]
}
# best_so_far NAME WHY: checks the best value of C in OUT and the mark before it. OUT stays unchanged.
best_so_far() {
    same "$1: the best of those that are done" "$(best)" \
        "$(sed -n '$s/^Best C = \(.*\)  CV accuracy = \(.*\)%$/\1 \2/p' "$OUT")"
    part="$(grep -c '^log2c' "$OUT") of 60 values of C ($2)"
    same "$1: marked" "Incomplete = $part" "$(sed '$d' "$OUT" | tail -n 1)"
    same "$1: said" "train: warning: the best so far: $part" \
        "$(grep '^train: warning: the best' "$ERR")"
    holds "$1: at least three of them" three_rates
}
echo old >path
echo old >model
before=$(files | grep -v ' ./number$')
# shellcheck disable=SC2086
signalled INT three_rates train $endless -C -v 2 --c-range -30:29 --path path --refit larger model
rm -f number
same '-C, SIGINT after three C: exit status' 130 "$STATUS"
best_so_far '-C, SIGINT after three C' interrupted
same '-C, SIGINT after three C: no file is changed' "$before" "$(files)"
# A limit of time ends the search, but not the training of --refit.
for limit in 0.8 3 12 48; do
    # shellcheck disable=SC2086
    run train $endless -C -v 2 --c-range -30:29 --time-limit "$limit" --path path --refit larger model
    ! three_rates || break
done
same '-C, --time-limit: exit status' 0 "$STATUS"
sed '/^Best C/q' "$OUT" >search
tail -n +"$(($(wc -l <search) + 1))" "$OUT" | grep -c '^Relative duality gap' >came
cp search "$OUT"
best_so_far '-C, --time-limit' 'stopped by the limit of time'
same_text '-C, --time-limit: then --refit' came 1
same '-C, --time-limit: its model' "$(sed -n 's/^Best C = \([^ ]*\) .*/\1/p' "$OUT")" \
    "$(record model C | awk '{ printf "%g", $1 }')"
differ '-C, --time-limit: its model is not cut' time-limit "$(record model outcome)"
same '-C, --time-limit: --path has those that are done' "$(rates | grep -c .)" \
    "$(sed 1d path | grep -c .)"
# shellcheck disable=SC2086
run train $endless -C -q -v 2 --c-range -30:29 --time-limit "$limit" --strict larger
same '-C, --time-limit -q: marked, nothing said' 'Incomplete Best ' \
    "$(sed 's/ .*//' "$OUT" | tr '\n' ' ')$(cat "$ERR")"
same '-C, --time-limit, --strict: exit status' 5 "$STATUS"
echo old >path
echo old >model
before=$(files)
# shellcheck disable=SC2086
run train $endless -q -C -v 2 --c-range 25:26 --time-limit 0.2 --path path --refit larger model
same '-C, --time-limit before any score' \
    '5 train: warning: no score: 0 of 2 values of C (stopped by the limit of time)' \
    "$STATUS $(cat "$ERR")"
same_text '-C, --time-limit before any score: none' "$OUT" ''
same '-C, --time-limit before any score: no file is changed' "$before" "$(files)"

# The model for fold 1 is trained on one row, which ends at once. The other training does not end.
{ cat larger; echo '1 1:1'; } >folds
{ sed 's/.*/1/' larger; echo 2; } >parts
# shellcheck disable=SC2086
run train $endless -c 1e8 --folds parts --time-limit 0.4 folds
same '--folds, --time-limit: exit status' 0 "$STATUS"
same '--folds, --time-limit: marked' 'Incomplete = 1 of 2 folds (stopped by the limit of time)' \
    "$(grep '^Incomplete' "$OUT")"
same '--folds, --time-limit: said' \
    "train: warning: the score so far: 1 of 2 folds (stopped by the limit of time)" "$(tail -n 1 "$ERR")"
same '--folds, --time-limit: the score is of the rows of fold 1' \
    "$(awk '{ right += $1 > 0 } END { printf "%g%%", 100 * right / NR }' larger)" \
    "$(sed -n 's/^Cross Validation Accuracy = //p' "$OUT")"

# Each fold has one class. Training on one fold ends at once, training on both does not end.
awk '{ print ($1 > 0 ? 1 : 2) }' larger >sides
on_all_rows() {
    grep -q '^pass ' "$ERR"
}
echo old >path
rm -f model
before=$(files | grep -v ' ./number$')
# shellcheck disable=SC2086
signalled INT on_all_rows train $endless -C --folds sides --c-range 60:60 --path path --refit larger model
rm -f number
same '--path, SIGINT in a training on all rows: exit status' 130 "$STATUS"
same '--path, SIGINT in a training on all rows: no file is changed' "$before" "$(files)"
same '--path, SIGINT in a training on all rows: said' \
    "train: warning: interrupted in the trainings of --path: not written: 'path', 'model'" "$(tail -n 1 "$ERR")"
# shellcheck disable=SC2086
signalled INT on_all_rows train $endless -C --folds sides --c-range 60:60 --path path larger
same '--path without --refit, SIGINT in a training on all rows: said' \
    "130 train: warning: interrupted in the trainings of --path: not written: 'path'" \
    "$STATUS $(tail -n 1 "$ERR")"
rm -f number
# shellcheck disable=SC2086
signalled INT on_all_rows train $endless -C --folds sides --c-range 60:60 --refit --alpha alpha larger model
same '--refit, SIGINT: exit status' 130 "$STATUS"
same '--refit, SIGINT: the model says so' interrupted "$(record model outcome)"
same '--refit, SIGINT: alpha of its rows' "$(wc -l <larger)" "$(wc -l <alpha)"

# A training on one fold is certified at once. A training on both is not certified in 1000 passes.
run train -q -s 3 --plain -C --c-range 60:60 --folds sides -i 1000 --strict larger
same '--strict without --path' 0 "$STATUS"
run train -q -s 3 --plain -C --c-range 60:60 --folds sides -i 1000 --strict --path path larger
same '--strict, --path: a gap above what was asked for' '5 1' \
    "$STATUS $(awk -F , 'NR > 1 { print ($6 > 1e-3) }' path)"
