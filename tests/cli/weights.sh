# weights.sh - weights of rows and balanced classes: refused files, and their effect.
# shellcheck shell=sh

printf '%s\n' '1 1:0.5 2:2' '-1 1:-1 3:0.25' '1' '-1 2:1' >rows
printf '%s\n' '1 1:0.5 2:2' '1 1:0.5 2:2' '-1 1:-1 3:0.25' '-1 2:1' >repeated
printf '2\n1\n0\n1\n' >weights

# A row of weight 2 counts as two rows, a row of weight 0 as none. Comments, empty lines and line ends do not matter.
optimum() { awk '/^Primal value/ { print $4 }' "$OUT"; }
succeeds 'repeated rows' train -s 2 -g 1e-9 repeated model
expected=$(optimum)
succeeds 'weights of rows' train -s 2 -g 1e-9 -W weights rows model
same 'weights of rows: the optimum' "$expected" "$(optimum)"
for text in '2\r\n1\r\n0\r\n1' '# w\n\n+2.0 # twice\n\t1\n0e5\n\n1e0\n' '\357\273\2772\n1\n0\n1\n'; do
    # shellcheck disable=SC2059 # the escapes are the point
    printf "$text" >otherwise
    succeeds 'weights written otherwise' train -s 2 -g 1e-9 --row-weights otherwise rows model
    same 'weights written otherwise: the optimum' "$expected" "$(optimum)"
done
name='weights from standard input'
"$BIN/train" -s 2 -g 1e-9 -W - rows model <weights >"$OUT" 2>"$ERR"
same "$name: the optimum" "$expected" "$(optimum)"

# Lambda counts a row by its weight.
succeeds 'lambda with weights' train -s 2 -l 0.25 -W weights rows model
same 'lambda with weights: C' '1 0.25' "$(record model C) $(record model lambda)"

# refuses_weights REASON TEXT
refuses_weights() {
    # shellcheck disable=SC2059 # the escapes are the point
    printf "$2" >bad
    refuses "weights: $1" 1 "bad:$1" train -W bad rows model
}
refuses_weights '2:1: weight '"'x'"' is not a number' '1\nx\n1\n1\n'
refuses_weights '3:1: weight '"'nan'"' is not a finite number' '1\n2\nnan\n1\n'
refuses_weights '2:3: the weight is negative' '1\n-2\n1\n1\n'
refuses_weights '1:3: more than a weight on the line' '1 2\n1\n1\n1\n'
refuses_weights '4:1: 3 weights for 4 rows' '1\n2\n1\n'
refuses_weights '5:2: more weights than the 4 rows' '1\n1\n1\n1\n1\n'
refuses 'weights: no file' 3 'train: cannot open nowhere: No such file or directory' train -W nowhere rows model
printf '0\n0\n0\n0\n' >none
refuses 'weights: all 0' 1 'none:1:1: all weights are 0' train -W none rows model
awk '{ print ($1 == 1) }' "$CANCER" >positive
refuses 'weights: 0 for all rows of one of two classes' 1 \
    "train: warning: all rows with the label -1 weigh 0
$CANCER:1:1: all rows that weigh more than 0 have the label 1: a classifier needs two classes" \
    train -W positive -w-1 2 "$CANCER" model
succeeds 'weights: a model to start from' train -q "$CANCER" both
run train -q -W positive --initial-model both "$CANCER" model
same 'weights: 0 for one of two classes of a model to start from' 2 "$(awk '$1 == "nr_class" { print $2 }' model)"
awk '{ print ($1 > 1) }' "$DIGITS" >most
run train -W most -w1 2 -w77 2 "$DIGITS" model
same_text 'weights: 0 for all rows of some classes' "$ERR" 'train: warning: all rows with the label 0 weigh 0
train: warning: all rows with the label 1 weigh 0
train: warning: no row has the label 77, for which a weight is given'
refuses 'weights: both from standard input' 2 'train: the data and -W cannot both be standard input
Try '"'train --help'"'.' train -W - - model

# Balanced classes: if one class has 2 rows and the other 6, their rows weigh 2 and 2/3.
awk 'BEGIN { for (i = 0; i < 8; i++) printf "%d 1:%d 2:%d\n", i < 2 ? 1 : -1, i % 3, i % 5 }' >uneven
succeeds 'class weights' train -s 2 -g 1e-9 -w1 2 -w-1 0.66666666666666663 uneven model
expected=$(optimum)
succeeds 'balanced' train -s 2 -g 1e-9 --balanced uneven model
same 'balanced: the optimum' "$expected" "$(optimum)"

# ---- Scores of cross-validation ------------------------------------------

# In scores, too, a row of weight k counts as k equal rows in the same fold.
awk 'NR % 9 == 1' "$CANCER" >d
awk '{ print 1 + NR * 7 % 5 % 4 }' d >weights
awk '{ print substr("abc", 1 + NR * 5 % 7 % 3, 1) }' d >names
paste -d ' ' weights d | awk '{ times = $1; sub(/^[^ ]* /, ""); while (times-- > 0) print }' >repeated
paste -d ' ' weights names | awk '{ while ($1-- > 0) print $2 }' >repeated.names
without_counts() { sed '/^Certified/d; /^-*1  /d'; }
for options in '-s 3' '-s 0' '-s 11' '-C --c-range -4:2:2 --criterion auc' '-C --c-range -4:2:2 --criterion f1' \
    '-C --c-range -4:2:2 -s 0 --criterion log-loss' '-C --c-range -4:2:2 --criterion mcc' \
    '-C --c-range -4:2:2 -s 11 -p 0.2 --criterion mae'; do
    # shellcheck disable=SC2086 # words
    "$BIN/train" $options -g 1e-10 --folds repeated.names --metrics repeated 2>"$ERR" | without_counts >expected
    # shellcheck disable=SC2086
    "$BIN/train" $options -g 1e-10 --folds names -W weights --metrics d 2>"$ERR" | without_counts >lines
    same_file "weighted scores, $options" expected lines
    holds "weighted scores, $options: there are some" grep -q ' = ' lines
done
"$BIN/train" -q -s 3 -g 1e-10 --folds names d >expected
differs() { ! cmp -s "$1" "$2"; }
"$BIN/train" -q -s 3 -g 1e-10 --folds names -W weights d >lines
holds 'weighted scores: others than without weights' differs expected lines
