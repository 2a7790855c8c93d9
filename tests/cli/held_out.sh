# held_out.sh - cross-validation row by row: folds from a file, groups of rows, the prediction for
# each row, and the positive class.
# shellcheck shell=sh

awk 'NR % 4 == 1' "$CANCER" | sed 's/^[+]1/1/; s/^-1/0/' >d
awk '$1 < 3' "$DIGITS" | awk 'NR % 3 == 1' >three
rows=$(wc -l <d | tr -d ' ')
awk '{ print substr("xyxxzyzzyx", (NR * 7) % 10 + 1, 1) }' d >names # three folds of different sizes

# column N FILE: column N of a CSV without its head.
column() {
    sed 1d "$2" | cut -d , -f "$1"
}

# by_hand DATA NAMES OPTIONS...: for each name, in order of appearance, trains on all other rows and predicts its own
# rows. Prints the expected file of --predictions, without probabilities, sorted by row. Decision values are for the
# larger label.
by_hand() {
    file=$1 folds=$2
    shift 2
    awk '!seen[$1]++' "$folds" >list
    while read -r name; do
        paste -d ' ' "$folds" "$file" | awk -v name="$name" '$1 != name' | cut -d ' ' -f 2- >others
        paste -d ' ' "$folds" "$file" | awk -v name="$name" '$1 == name' | cut -d ' ' -f 2- >own
        "$BIN/train" -q -g 1e-10 "$@" others fold.model
        awk -v name="$name" '$1 == name { print NR "," name }' "$folds" >place
        if [ "$(sed -n 's/^label //p' fold.model | wc -w | tr -d ' ')" = 2 ]; then
            "$BIN/predict" -q --output-format both --positive 1 own fold.model -
        else
            "$BIN/predict" -q own fold.model -
        fi | paste -d ' ' own - | awk '{ line = $1
            for (k = 2; k <= NF; k++) if ($k !~ /:/) line = line "," $k
            print line }' | paste -d , place -
    done <list | sort -n
}

# as_by_hand NAME CAME EXPECTED COLUMNS: the rows agree, decision values to six digits.
as_by_hand() {
    paste -d , "$2" "$3" | awk -F , -v columns="$4" '{
        for (k = 1; k <= columns; k++) {
            apart = $k - $(NF - columns + k)
            if (k < 5 ? $k != $(NF - columns + k) : apart > 1e-6 || -apart > 1e-6) {
                print; exit
            }
        }
    }' >wrong
    same_text "$1" wrong ''
}

# ---- Folds of a file ---------------------------------------------------

succeeds '--folds' train --folds names --predictions p.csv -g 1e-10 -c 0.01 d
cp "$OUT" lines
same '--folds: columns' row,fold,label,predicted,decision,probability "$(head -n 1 p.csv)"
same '--folds: trainings' 'Certified = 3 of 3' "$(grep -o 'Certified = . of .' lines)"
by_hand d names -c 0.01 >expected
sed 1d p.csv | cut -d , -f 1-5 >came
same '--folds: rows' "$rows" "$(wc -l <came | tr -d ' ')"
as_by_hand '--folds: what models of the other names predict' came expected 5
same '--folds: the accuracy is that of the file' \
    "$(column 3-4 p.csv | awk -F , '{ n++; right += $1 == $2 } END { printf "%.6g%%", 100 * right / n }')" \
    "$(sed -n 's/^Cross Validation Accuracy = //p' lines)"
same '--folds: no probabilities' '' "$(column 6 p.csv | sort -u)"
succeeds '--folds: the same with -v' train -v 3 --folds names --predictions q.csv -g 1e-10 -c 0.01 d
same_file '--folds with -v: the same lines' lines "$OUT"
same_file '--folds with -v: the same rows' p.csv q.csv
"$BIN/train" -q --seed 7 --folds names --predictions q.csv d >"$OUT"
same '--folds: the same folds with any seed' "$(column 1-3 p.csv)" "$(column 1-3 q.csv)"
succeeds '--folds with -C' train -C --c-range 0:1 --folds names d
holds '--folds with -C: so many folds' grep -q 'with 3-fold cross validation' "$OUT"
succeeds '--folds, three classes' train -q -s softmax -g 1e-10 --folds names --predictions p.csv \
    "$(head -n "$rows" three >few && head -n "$(wc -l <few)" names >few_names && echo few)"
same '--folds, three classes: columns' "row,fold,label,predicted,\
decision_0,decision_1,decision_2,probability_0,probability_1,probability_2" "$(head -n 1 p.csv)"
# shellcheck disable=SC2016 # awk's
holds '--folds, three classes: probabilities add up to 1' awk -F , 'NR > 1 && ($8 + $9 + $10 < 1 - 1e-9 ||
    $8 + $9 + $10 > 1 + 1e-9) { exit 1 }' p.csv
by_hand few few_names -s softmax >expected
sed 1d p.csv | cut -d , -f 1-4 >came
same_file '--folds, three classes: labels' expected came
# shellcheck disable=SC2016 # awk's
holds '--folds, three classes: the largest value has the label' awk -F , 'NR > 1 {
    best = 0; for (k = 1; k < 3; k++) if ($(5 + k) > $(5 + best)) best = k
    if ($4 != best) exit 1 }' p.csv
succeeds '--folds, a regression' train -q -s 11 -g 1e-10 --folds names --predictions p.csv d
same '--folds, a regression: columns' row,fold,label,predicted "$(head -n 1 p.csv)"
by_hand d names -s 11 >expected
paste -d , p.csv /dev/null | sed 1d | awk -F , '{ print $1 "," $2 "," $3 ",," $4 }' >came
awk -F , '{ print $1 "," $2 "," $3 ",," $4 }' expected >wanted
as_by_hand '--folds, a regression: numbers' came wanted 5

# Rows with weight 0 are in no fold, and a name with only such rows is no fold.
awk '{ print $1 == "z" || NR % 5 == 0 ? 0 : 1 }' names >weights
succeeds '--folds, rows that weigh 0' train -q --folds names -W weights --predictions p.csv d
column 1-2 p.csv >came
paste -d ' ' weights names | awk '$1 { print NR "," $2 }' >expected
same_file '--folds, rows that weigh 0: the others, by their names' expected came

# Names with a comma and quotes, which have a meaning in CSV.
awk '{ print NR % 2 ? "a,b" : "say\"so\"" }' d >odd
succeeds '--folds, odd names' train -q --folds odd --predictions p.csv d
same '--folds, odd names: quoted' '1,"a,b" 2,"say""so"""' \
    "$(sed -n '2,3p' p.csv | sed 's/,[01],[01],.*//' | tr '\n' ' ' | sed 's/ $//')"

# ---- Groups ------------------------------------------------------------

awk '{ print "patient-" int((NR * NR) % 37) }' d >groups
for folds in 2 4 7; do
    succeeds "groups in $folds folds" train -q -v "$folds" --folds groups --predictions p.csv d
    same "groups in $folds folds: all of them" "$folds" "$(column 2 p.csv | sort -u | wc -l | tr -d ' ')"
    column 2 p.csv | paste -d ' ' groups - | sort -u | cut -d ' ' -f 1 | uniq -d >parted
    same_text "groups in $folds folds: none is split" parted ''
    column 2 p.csv | sort | uniq -c | awk -v rows="$rows" -v folds="$folds" '
        $1 < 0.7 * rows / folds || $1 > 1.4 * rows / folds' >uneven
    same_text "groups in $folds folds: about equal" uneven ''
done
run train -v 1000 --folds groups d
same 'more folds than groups' \
    '0 train: warning: more folds than groups: each group is a fold of its own' "$STATUS $(cat "$ERR")"
"$BIN/train" -q -v 2 --folds groups --predictions p.csv d >"$OUT"
"$BIN/train" -q -v 2 --folds groups --predictions q.csv --seed 2 d >"$OUT"
differ 'groups: the seed matters' "$(column 2 p.csv)" "$(column 2 q.csv)"

# ---- Random folds ------------------------------------------------------

succeeds '--predictions, random folds' train -q -v 4 -g 1e-10 --predictions p.csv d
column 2 p.csv >folds
same '--predictions: folds from 1' '1 2 3 4' "$(sort -u folds | tr '\n' ' ' | sed 's/ $//')"
"$BIN/train" -q --folds folds -g 1e-10 --predictions q.csv d >"$OUT"
same_file '--predictions: its folds, as --folds, give it again' p.csv q.csv

# Probabilities of a logistic model are those of predict -b 1. For other models a sigmoid gives them, which was fitted
# without the row.
succeeds '--predictions, logistic' train -q -s 0 -g 1e-10 --folds names --predictions p.csv d
for name in x y z; do
    paste -d ' ' names d | awk -v name=$name '$1 != name' | cut -d ' ' -f 2- >others
    "$BIN/train" -q -s 0 -g 1e-10 others fold.model
    "$BIN/predict" -q -b 1 d fold.model - | sed 1d |
        awk -v one="$(sed -n 's/^label //p' fold.model | awk '{ print $1 == 1 ? 2 : 3 }')" '{ print $one }' |
        paste -d ' ' names - | awk -v name=$name '$1 == name { print NR "," $2 }'
done | sort -n >expected
column 1,6 p.csv | paste -d , - expected | awk -F , '{ apart = $2 - $4
    if ($1 != $3 || apart > 1e-5 || -apart > 1e-5) print }' >wrong
same_text '--predictions, logistic: probabilities' wrong ''
succeeds '--predictions -b 1' train -q -b 1 -g 1e-10 --folds names --predictions q.csv -c 0.01 d
"$BIN/train" -q -g 1e-10 --folds names --predictions p.csv -c 0.01 d >"$OUT"
cut -d , -f 1-5 p.csv >expected
cut -d , -f 1-5 q.csv >came
same_file '--predictions -b 1: the same decision values' expected came
# shellcheck disable=SC2016 # awk's
holds '--predictions -b 1: probabilities rise with decision values of a fold' awk -F , 'NR > 1 {
    for (k in value) if (fold[k] == $2 && (value[k] - $5) * (probability[k] - $6) < 0) exit 1
    fold[NR] = $2; value[NR] = $5; probability[NR] = $6; sum += $6; ones += $3 }
    END { exit !(sum - ones < 5 && ones - sum < 5) }' q.csv

# ---- --positive --------------------------------------------------------

run train -v 4 d
cp "$OUT" larger
run train -v 4 --positive 1 d
same_file '--positive: of two classes the larger label by default' larger "$OUT"
run train -v 4 --positive 0 --predictions q.csv --metrics d
for what in Precision Recall F1 'Average precision'; do
    same "--positive 0: $what" 1 "$(grep -c "^$what of 0 = " "$OUT")"
done
same '--positive 0: precision, recall and F1 are those of the table' \
    "$(awk '$1 == "0" && NF == 6 { print $4, $5, $6 }' "$OUT")" \
    "$(awk '/^(Precision|Recall|F1) of 0 = / { printf "%s%.4f", n++ ? " " : "", $5 }' "$OUT")"
"$BIN/train" -q -v 4 --predictions p.csv d >"$OUT"
column 5 p.csv | awk '{ print -$1 }' >expected
column 5 q.csv | awk '{ print $1 + 0 }' >came
same_file '--positive 0: decision values of the other sign' expected came
for label in 0 1; do
    run train -C --c-range -4:0:2 --criterion f1 --positive $label d
    sed -n 's/^log2c=.*rate=\([^	]*\).*/\1/p' "$OUT" >came
    for c in 0.0625 0.25 1; do
        "$BIN/train" -v 5 -c $c --metrics=json --positive $label d
    done | sed 's/.*"positive":{"label":.,"threshold":null,.*"f1":\([^,]*\),"average.*/\1/' |
        awk '{ printf "%.3f\n", 100 * $1 }' >expected
    awk '{ printf "%.3f\n", $1 }' came >rounded
    same_file "--criterion f1 --positive $label" expected rounded
done
run train -v 2 --positive 2 --metrics=json few
holds '--positive, three classes' grep -q '"positive":{"label":2,' "$OUT"
run train -v 2 --metrics=json few
holds '--positive, three classes: none by default' grep -q '"positive":null' "$OUT"

# ---- Refusals ----------------------------------------------------------

refuses 'a label that no row has' 2 "train: --positive: no row has the label 7
Try 'train --help'." train -v 2 --positive 7 d
sed 's/.*/same/' d >one
for v in '' '-v 2'; do
    # shellcheck disable=SC2086
    refuses "one name $v" 1 "one:1:1: each row has the name 'same': at least two names are needed" \
        train $v --folds one d
done
awk -v name="$(tail -n 1 names)" '{ print $0 == name }' names >weights
refuses 'one name has a weight' 1 \
    "names:1:1: each row that weighs more than 0 has the name '$(tail -n 1 names)': at least two names are needed" \
    train --folds names -W weights d
awk '{ print 0 }' names >weights
refuses 'no name has a weight' 1 'weights:1:1: all weights are 0' train --folds names -W weights d
head -n 5 names >short
refuses 'too few names' 1 "short:6:1: 5 fold names for $rows rows" train --folds short d
cat names names >long
refuses 'too many names' 1 "long:$((rows + 1)):2: more fold names than the $rows rows" \
    train --folds long d
sed 's/$/ 1/' names >two
refuses 'two names' 1 'two:1:3: more than a fold name on the line' train --folds two d
refuses 'no such file' 3 'train: cannot open absent: No such file or directory' \
    train --folds absent d
succeeds 'a model is named, and not written' train -q --folds names d m
same 'a model with --folds' '' "$(find . -name m)"
refuses 'rows into a missing folder' 3 'train: cannot write absent/p: No such file or directory' \
    train -v 2 --predictions absent/p d

# ---- Classes in one fold only ------------------------------------------

# rare_rows NUMBER: prints 36 rows of 2 .. 6 classes, each after the name of its fold. The 4 features of a class are
# near one point, and some classes have one or two rows. The last one or two classes are in the first of the 5 folds
# only, so the other folds may have one class.
rare_rows() {
    awk -v number="$1" 'BEGIN {
        srand(number)
        classes = 2 + number % 5
        for (i = 0; i < 36; i++) {
            label = i < 30 && number % 3 ? i % (classes < 4 ? 2 : 3) : i % classes
            fold = label > 0 && label >= classes - 1 - number % 2 ? "a" : substr("abcde", 1 + int(5 * rand()), 1)
            line = label * 3 - 2
            for (j = 1; j <= 4; j++)
                line = line " " j ":" (label % 4 == j - 1) * 1.2 + 2 * rand() - 1
            print fold, line
        }
    }'
}

# hand_labels OPTIONS...: the label that a model of the other folds predicts for each row of the file rare. If the
# other folds have one class, it is the label.
hand_labels() {
    for name in a b c d e; do
        awk -v name="$name" '$1 != name' rare | cut -d ' ' -f 2- >others
        awk -v name="$name" '$1 == name' rare | cut -d ' ' -f 2- >own
        awk -v name="$name" '$1 == name { print NR }' rare >place
        if [ "$(cut -d ' ' -f 1 others | sort -u | wc -l | tr -d ' ')" = 1 ]; then
            awk -v label="$(head -n 1 others | cut -d ' ' -f 1)" '{ print label }' own
        else
            "$BIN/train" -q "$@" others fold.model && "$BIN/predict" -q own fold.model -
        fi | paste -d ' ' place -
    done | sort -n | cut -d ' ' -f 2
}

wrong='' hidden=0 number=0
while [ "$number" -lt 30 ]; do
    number=$((number + 1))
    rare_rows "$number" >rare
    cut -d ' ' -f 1 rare >names
    cut -d ' ' -f 2- rare >d
    case $((number % 6)) in
    0) options='-s 4' ;;
    1) options='-s softmax' ;;
    2) options='-s 7 -B 1 --balanced' ;;
    3) options='-s 5' ;;
    4) options='-s 2 -j 2' ;;
    *) options='-s 3' ;;
    esac
    # shellcheck disable=SC2086 # words
    "$BIN/train" $options -g 1e-10 --folds names --predictions p.csv d >lines 2>warning || wrong="$wrong $number: fails"
    # shellcheck disable=SC2086
    hand_labels $options -g 1e-10 >expected
    column 4 p.csv | cmp -s expected - || wrong="$wrong $number"
    right=$(cut -d ' ' -f 1 d | paste -d ' ' - expected | awk '$1 == $2' | wc -l)
    same "rare classes, $number: accuracy" "$(awk -v right="$right" 'BEGIN { printf "%.5g%%", right / .36 }')" \
        "$(awk 'END { printf "%.5g%%", $NF }' lines)"
    ! grep -q 'in one fold only' warning || hidden=$((hidden + 1))
done
same 'rare classes: labels are those of models without the fold' '' "$wrong"
same 'rare classes: all sets have one in a single fold' 30 "$hidden"
rare_rows 19 >rare # five classes, two of them in fold a only
cut -d ' ' -f 1 rare >names
cut -d ' ' -f 2- rare >d
for options in '-s 0' '-s softmax' '-b 1'; do
    # shellcheck disable=SC2086 # words
    succeeds "rare classes, $options" train -q $options --folds names --predictions p.csv d
    awk -F , 'NR == 1 { for (k = 5; k <= NF; k++) name[k] = $k; next }
        { total = 0
          for (k = 5; k <= NF; k++)
              if (name[k] ~ /^decision/) is_hidden[substr(name[k], 9)] = $k == "-inf"
              else {
                  total += $k
                  if ($2 == "a" ? is_hidden[substr(name[k], 12)] != ($k == 0) : $k == 0) print
                  hidden += $2 == "a" && $k == 0
              }
          if (total < 1 - 1e-12 || total > 1 + 1e-12) print }
        END { if (hidden == 0) print "none" }' p.csv >wrong
    same_text "rare classes, $options: what a fold has not seen has probability 0" wrong ''
done
"$BIN/train" -q -b 1 --folds names --predictions q.csv -j 4 d >"$OUT"
same_file 'rare classes: the same with threads' p.csv q.csv

# ---- The area under the curve ------------------------------------------

# area FILE: the share of pairs in the correct order, averaged over the folds of --predictions that have both classes.
area() {
    sed 1d "$1" | awk -F , '
        { rows++; fold[rows] = $2; label[rows] = $3; value[rows] = $5; names[$2] }
        END {
            for (name in names) {
                pairs = won = 0
                for (i = 1; i <= rows; i++) for (j = 1; j <= rows; j++)
                    if (fold[i] == name && fold[j] == name && label[i] == 1 && label[j] != 1) {
                        pairs++
                        won += value[i] > value[j] ? 1 : value[i] == value[j] ? 0.5 : 0
                    }
                if (pairs) { folds++; sum += won / pairs }
            }
            printf "%.4f\n", sum / folds
        }'
}
awk 'NR % 4 == 1 { print $1 < 0 ? 0 : 1, "1:" ++n % 7, $3, "3:0" }' "$CANCER" >d
awk '{ print substr("xyxxzyzzyx", NR * 7 % 10 + 1, 1) }' d >names
awk '{ print $1 ? "only" : "rest" NR % 2 }' d >apart
for c in 0.001 10; do
    "$BIN/train" --folds names --predictions p.csv -c "$c" d >lines
    same "AUC is the mean over the folds, C = $c" "$(area p.csv)" \
        "$(sed -n 's/^AUC = //p' lines | awk '{ printf "%.4f\n", $1 }')"
done
"$BIN/train" -C --criterion auc --folds names -c 10 -s 2 d >lines
best=$(sed -n 's/^Best C = \([^ ]*\) .*/\1/p' lines)
"$BIN/train" -s 2 --folds names --predictions p.csv -c "$best" d >"$OUT"
same 'AUC of -C is that of -v' "$(area p.csv | awk '{ printf "%.3f", $1 }')" \
    "$(awk 'END { printf "%.3f", $NF / 100 }' lines)"
"$BIN/train" --folds apart d >"$OUT" 2>"$ERR"
holds 'AUC of folds of one class each: of all rows' grep -q '^AUC = [0-9]' "$OUT"
