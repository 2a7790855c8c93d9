# scripts.sh - src/scripts: the grid's order, its restarts, what it refuses, interruptions; the
# comparison with LIBLINEAR; callers like LIBSVM's grid.py.
# shellcheck shell=sh

GRID=$ROOT/src/scripts/grid.sh
COMPARE=$ROOT/src/scripts/compare-liblinear.sh

# script FILE ARGUMENT...: runs a script as "run" runs a program. It uses $TRAIN_USED and $PREDICT_USED.
TRAIN_USED=$BIN/train PREDICT_USED=$BIN/predict
script() {
    STATUS=0
    TRAIN=$TRAIN_USED PREDICT=$PREDICT_USED bounded sh "$@" >"$OUT" 2>"$ERR" || STATUS=$?
}

# has_option PROGRAM OPTION: the help of the program lists the option.
has_option() {
    "$BIN/$1" --help all | grep -q -e "$2"
}

# A train that looks its accuracies up in "accuracies", lines "solver l1 C accuracy", writes what it was
# asked for into "begun" and "ended", and sleeps, fails or hangs where "late", "bad", "endless" name C.
cat >stub <<'END'
#!/bin/sh
[ "$1" != --version ] || { cat version; exit; }
echo "$*" >>arguments
echo "$OMP_NUM_THREADS" >threads
l1=-
while [ $# -gt 1 ]; do
    case $1 in
    -q) shift; continue ;;
    -s) solver=$2 ;;
    -c) cost=$2 ;;
    --l1) l1=$2 ;;
    esac
    shift 2
done
echo "$solver $l1 $cost" >>begun
! grep -qsx "$cost" late || sleep 0.3 2>/dev/null || sleep 1
! grep -qsx "$cost" bad || { echo "stub: no luck with $cost" >&2; exit 4; }
! grep -qsx "$cost" silent || exit 0
if grep -qsx "$cost" endless; then
    echo $$ >hanging
    exec sleep 100
fi
echo "$solver $l1 $cost" >>ended
awk -v cell="$solver $l1 $cost" '$1 " " $2 " " $3 == cell { print "Cross Validation Accuracy = " $4 "%" }' accuracies
END
chmod +x stub
echo 'stub 1' >version
printf '%s\n' '1 - 0.5 9.5' '1 - 1 80' '1 - 2 100' '1 - 4 99.5' '3 - 0.5 80.25' '3 - 1 100' '3 - 2 9' \
    '3 - 4 1e+01' >accuracies
printf '%s\n' '1 1:1' '-1 1:-1' >rows
cp rows "it's rows"

stub_grid() {
    TRAIN_USED=./stub
    script "$GRID" "$@"
    TRAIN_USED=$BIN/train
}

# table: the rows of the table, without the seconds.
table() {
    awk 'NR > 1 { if (NF == 0) exit; print $1, $2, $3, $4, $5 }' "$OUT"
}

best() {
    grep '^Best' "$OUT"
}

# begun: what the stub was asked for since the last call of this function.
begun() {
    [ ! -e begun ] || sort begun
    rm -f begun ended
}

# ---- The order of the table, the best of it ----------------------------

expected='1 - 0.5 -1 9.5%
1 - 1 0 80%
1 - 2 1 100%
1 - 4 2 99.5%
3 - 0.5 -1 80.25%
3 - 1 0 100%
3 - 2 1 9%
3 - 4 2 1e+01%'
echo 0.5 >late
stub_grid -q -j 4 -c -1:2:1 -s '1 3' rows
same 'order: exit status' 0 "$STATUS"
same 'order: the grid'"'"'s, not that of the ends' "$expected" "$(table)"
differ 'order: the first cell was not the first to end' '1 - 0.5' "$(head -n 1 ended)"
same 'best: the first of the largest numbers' 'Best: -s 1 -c 2  accuracy = 100%' "$(best)"
same 'best: the command' './stub -s 1 -c 2 rows' "$(grep '^\./stub' "$OUT")"
same 'threads: one a training' 1 "$(cat threads)"
same 'folds: five by default' '-q -v 5 -s 1 -c 2 rows' "$(grep -e '-s 1 -c 2 ' arguments)"
rm late

# ---- Restarts ----------------------------------------------------------

begun >/dev/null
stub_grid -c -1:2 -s '1 3' rows
same 'again: nothing is run' '' "$(begun)"
same 'again: the same table' "$expected" "$(table)"
holds 'again: says so' grep -qx 'grid.sh: 8 of 8 cells are there' "$ERR"
rm rows.grid/cell_3_-_0
printf 99 >rows.grid/cell_1_-_1
: >rows.grid/cell_1_-_2
stub_grid -q -c -1:2 -s '1 3' rows
same 'again: a cell that is gone, and two that are torn' '1 - 2
1 - 4
3 - 1' "$(begun)"
same 'again: the table is whole' "$expected" "$(table)"
stub_grid -q -c 2:-1:-1 -s '3 dcd-l1' rows
same 'extended: another solver and direction' 'dcd-l1 - 0.5
dcd-l1 - 1
dcd-l1 - 2
dcd-l1 - 4' "$(begun)"
same 'extended: order, and cells without an accuracy' '3 - 4 2 1e+01%
3 - 2 1 9%
3 - 1 0 100%
3 - 0.5 -1 80.25%
dcd-l1 - 4 2 failed
dcd-l1 - 2 1 failed
dcd-l1 - 1 0 failed
dcd-l1 - 0.5 -1 failed' "$(table)"
same 'extended: exit status' 1 "$STATUS"

# ---- The cells of another grid -----------------------------------------

# refuses_cells NAME DIFFERENCE ARGUMENT...
refuses_cells() {
    check=$1 difference=$2
    shift 2
    before=$(files)
    stub_grid -q "$@"
    same "$check: exit status" 3 "$STATUS"
    same_text "$check: the reason" "$ERR" "grid.sh: ./rows.grid holds another grid: $difference
grid.sh: name another folder with -o, or remove that one"
    same "$check: no file changed" "$before" "$(files)"
    same "$check: nothing was run" '' "$(begun)"
}

old=$(cksum <rows)
refuses_cells 'other folds' 'folds is 5, and here 3' -v 3 rows
refuses_cells 'a test file' "test file is none, and here $old" -t rows rows
refuses_cells 'other options' "options of train is none, and here -B 1" rows -- -B 1
echo 'stub 2' >version
refuses_cells 'another program' 'program is stub 1, and here stub 2' rows
echo 'stub 1' >version
echo '1 1:2' >>rows
refuses_cells 'other data' "data is $old, and here $(cksum <rows)" rows
sed '$d' rows >short && mv short rows

echo 1 >weights
stub_grid -q -o weighted -c 0 rows -- -W weights
same 'a file of options: exit status' 0 "$STATUS"
echo 2 >weights
stub_grid -q -o weighted -c 0 rows -- -W weights
same 'a file of options with other contents: exit status' 3 "$STATUS"
mkdir strange
echo '80 0.1' >strange/cell_1_-_0
stub_grid -q -o strange -c 0 rows
same 'cells of nobody knows what: exit status' 3 "$STATUS"
begun >/dev/null

# ---- Cells that fail ---------------------------------------------------

printf '%s\n' 1 4 >bad
echo 2 >silent
stub_grid -q -o failing -c -1:2 rows
same 'failing: exit status' 1 "$STATUS"
same 'failing: the others' '1 - 0.5 -1 9.5%
1 - 1 0 failed
1 - 2 1 failed
1 - 4 2 failed' "$(table)"
sort "$ERR" >messages
same_text 'failing: each with its message' messages 'grid.sh: -s 1 -c 2^0: exit status 4: stub: no luck with 1
grid.sh: -s 1 -c 2^1: the output has no accuracy: 
grid.sh: -s 1 -c 2^2: exit status 4: stub: no luck with 4
grid.sh: cells that failed: 3; the same command tries them again'
same 'failing: the best of the others' 'Best: -s 1 -c 0.5  accuracy = 9.5%' "$(best)"
stub_grid -q -o hopeless -c 0 rows -- -B 1 -R -e 0.1 --strict
same 'all fail: exit status' 1 "$STATUS"
same 'all fail: no best, and no command' '' "$(grep -e '^Best' -e stub "$OUT")"
begun >/dev/null
rm bad silent
killed=$(sh -c 'echo $$')
mkdir "failing/grid-run.$killed" "failing/grid-run.$$"
stub_grid -q -o failing -c -1:2 rows
same 'failing: tried again' '1 - 1
1 - 2
1 - 4' "$(begun)"
same 'failing: exit status then' 0 "$STATUS"
same 'the folder of a run that was killed is removed, that of a living one is not' "failing/grid-run.$$" \
    "$(find failing ! -name 'cell_*' ! -name grid ! -name heat.html ! -name failing)"

# ---- Interruptions -----------------------------------------------------

# interrupted SIGNAL: sends the signal to a grid when one cell hangs and all others are done.
others_done() {
    [ -s hanging ] && [ -s number ] && [ -e stopped/cell_1_-_2 ]
}
interrupted() {
    rm -rf stopped hanging number
    (
        await others_done
        kill -s "$1" "$(cat number)"
    ) &
    killer=$!
    STATUS=0
    # shellcheck disable=SC2016 # for the inner shell
    TRAIN=./stub bounded sh -c 'echo $$ >number; exec sh "$@"' sh "$GRID" -q -j 2 -o stopped -c -1:2 rows \
        >"$OUT" 2>"$ERR" || STATUS=$?
    wait "$killer"
    check="interrupted by $1"
    same "$check: exit status" 130 "$STATUS"
    same_text "$check: what it says" "$ERR" 'grid.sh: interrupted; the same command goes on from here'
    holds "$check: the training is gone" gone "$(cat hanging)"
    same "$check: the finished cells and nothing else" 'stopped
stopped/cell_1_-_-1
stopped/cell_1_-_1
stopped/cell_1_-_2
stopped/grid' "$(find stopped | sort)"
}

gone() {
    ! kill -0 "$1" 2>/dev/null
}

echo 1 >endless
interrupted TERM
# A shell cannot catch a signal that was ignored when it began.
if [ "$(sh -c 'trap "echo caught; exit" INT; kill -s INT $$; echo ignored')" = caught ]; then
    interrupted INT
else
    skips 'interrupted by INT' 'SIGINT is ignored here'
fi
rm endless
begun >/dev/null
stub_grid -q -o stopped -c -1:2 rows
same 'interrupted: goes on' '1 - 1' "$(begun)"
same 'interrupted: the table is whole' "$(printf '%s\n' "$expected" | head -n 4)" "$(table)"

# ---- The l1 term -------------------------------------------------------

printf '%s\n' '1 - 1 50' 'hrmd-w 0 1 60' 'hrmd-w 1e-3 1 70' '40 0 1 70' '40 1e-3 1 65' >accuracies
stub_grid -q -o lines -c 0 -s '1
40' --l1 '
0
1e-3' rows
same 'l1: words on several lines' '1 - 1 0 50%
40 0 1 0 70%
40 1e-3 1 0 65%' "$(table)"
rm -f arguments
stub_grid -q -o sparse -c 0 -s '1 hrmd-w 40' --l1 '0 1e-3' rows -- -B 1
same 'l1: for the solvers that have it' '1 - 1 0 50%
hrmd-w 0 1 0 60%
hrmd-w 1e-3 1 0 70%
40 0 1 0 70%
40 1e-3 1 0 65%' "$(table)"
same 'l1: the best' 'Best: -s hrmd-w --l1 1e-3 -c 1  accuracy = 70%' "$(best)"
same 'l1: the command' './stub -s hrmd-w --l1 1e-3 -c 1 -B 1 rows' "$(grep '^\./stub' "$OUT")"
same 'l1: what train was given' '-q -v 5 -s 1 -c 1 -B 1 rows
-q -v 5 -s 40 -c 1 --l1 0 -B 1 rows
-q -v 5 -s 40 -c 1 --l1 1e-3 -B 1 rows
-q -v 5 -s hrmd-w -c 1 --l1 0 -B 1 rows
-q -v 5 -s hrmd-w -c 1 --l1 1e-3 -B 1 rows' "$(sort arguments)"

# ---- The page ----------------------------------------------------------

# cells PAGE: the cells of its grids, "row value ..."; - is none.
cells() {
    awk '/<table class="grid">/ { on = 1 } /<\/table>/ { on = 0 } on && /<th scope="row">/ {
        gsub(/<td><\/td>/, " - "); gsub(/<\/t[dh]>/, " "); gsub(/<[^>]*>/, "")
        gsub(/  +/, " "); sub(/ $/, ""); print }' "$1"
}

same 'the page is named' 'Page: sparse/heat.html' "$(tail -n 1 "$OUT")"
same 'the page: each solver with |w|_1 has a grid, the others one' '0 60
1e-3 70
0 70
1e-3 65
1 50' "$(cells sparse/heat.html)"
same 'the page: titles' 'hrmd-w: which C and which weight of |w|_1?
40: which C and which weight of |w|_1?
Which C, which solver?' "$(sed -n 's|.*<h3>\(.*\)</h3>.*|\1|p' sparse/heat.html)"
printf '%s\n' '1 - 0.5 50' '1 - 2 51.5' '3 - 0.5 49' '3 - 1 50' '3 - 2 50' >accuracies
cp rows '<b>it"s & rows'
stub_grid -q -o drawn -c -1:1 -s '1 3' '<b>it"s & rows'
same 'the page: a cell that failed is empty' '1 50 - 51.5
3 49 50 50' "$(cells drawn/heat.html)"
same 'the page: a name is text' 0 "$(grep -c '<b>' drawn/heat.html)"
holds 'the page: its title' grep -qF '<h1>Grid of parameters for &#60;b&#62;it&#34;s &#38; rows</h1>' drawn/heat.html
if command -v tidy >/dev/null 2>&1; then
    same 'the page: tidy finds no fault' '' "$(tidy -q -e drawn/heat.html 2>&1)"
fi
printf '#!/bin/sh\necho "no such option" >&2\nexit 2\n' >old-inspect
chmod +x old-inspect
INSPECT=./old-inspect stub_grid -q -o drawn -c -1:1 -s 3 '<b>it"s & rows'
same 'no page: exit status' 0 "$STATUS"
same_text 'no page: says so' "$ERR" 'grid.sh: no page: no such option'
begun >/dev/null

# ---- Usage of the grid -------------------------------------------------

# misuses FILE NAME MESSAGE ARGUMENT...
misuses() {
    file=$1 check=$2 message=$3
    shift 3
    before=$(files)
    script "$file" "$@"
    same "usage: $check" "status 2
${file##*/}: $message
Try '${file##*/} --help'.
.
.
no file changed" "status $STATUS
$(whole "$ERR")
$(whole "$OUT")
$([ "$before" = "$(files)" ] && echo no file changed)"
}

misuses "$GRID" 'no data' 'a data file is missing'
misuses "$GRID" 'standard input' 'the data are read more than once: standard input will not do' -
misuses "$GRID" 'two files' "'b': there is one data file only; options of train stand after --" rows b
misuses "$GRID" 'an option that is not there' '-x: there is no such option' -x rows
misuses "$GRID" 'no value' '-c: a value is missing' rows -c
for range in '' a 1: 1:2:0 1:2:-1 2:1 1:2:3:4 1e3 0:1:1e-5 0:99999:1 '*'; do
    misuses "$GRID" "range '$range'" "-c: '$range' is not LO:HI:STEP, exponents of 2" -c "$range" rows
done
# The list of solvers is longer than a pipe holds, and awk refuses the range before it has read the list. No command
# may be left writing to a closed pipe, which it would report if SIGPIPE is ignored.
many=$(awk 'BEGIN { for (i = 0; i < 30000; i++) printf "1 " }')
(
    trap '' PIPE
    script "$GRID" -c 2:1 -s "$many" rows
    echo "$STATUS" >status
)
same 'a bad range without SIGPIPE' "2
grid.sh: -c: '2:1' is not LO:HI:STEP, exponents of 2
Try 'grid.sh --help'.
." "$(cat status)
$(whole "$ERR")"
rm status
for blanks in ' ' '
'; do
    misuses "$GRID" 'no solver' '-s: there is no solver' -s "$blanks" rows
    misuses "$GRID" 'blanks for l1' '--l1: there is no number' -s comid --l1 "$blanks" rows
done
misuses "$GRID" 'a path as solver' "-s: '../3' is not a solver" -s '1 ../3' rows
misuses "$GRID" 'a pattern as solver' "-s: '*' is not a solver" -s '*' rows
misuses "$GRID" 'l1 without its solvers' '--l1: of the solvers 1 3 none has the l1 term; enet, comid and hrmd-w have it' \
    --l1 0 -s '1 3' rows
misuses "$GRID" 'negative l1' "--l1: '-1' is not a number of at least 0" -s comid --l1 '0 -1' rows
misuses "$GRID" 'no l1' '--l1: there is no number' -s comid --l1= rows
misuses "$GRID" 'one fold' "-v: '1' is not a whole number of at least 2" -v 1 rows
misuses "$GRID" 'no jobs' "-j: '0' is not a whole number of at least 1" -j 0 rows
misuses "$GRID" 'folds and test file' '-v and -t exclude each other' -v 3 -t rows rows
for option in -s --cost=3 -v --cross-validation=3 -C --l1 -j --threads=2; do
    misuses "$GRID" "$option for train" "$option cannot be among the options of train: it is the grid's" \
        rows -- "$option" 1
done
script "$GRID" nowhere
same 'no such data' 'status 3 grid.sh: cannot read nowhere' "status $STATUS $(cat "$ERR")"
TRAIN_USED=./nowhere
script "$GRID" rows
TRAIN_USED=$BIN/train
same 'no such program' 'status 3 grid.sh: there is no program ./nowhere' "status $STATUS $(cat "$ERR")"
for file in "$GRID" "$COMPARE"; do
    script "$file" --help
    same "help: ${file##*/}" "status 0 usage: ${file##*/}" "status $STATUS $(head -n 1 "$OUT" | cut -d ' ' -f 1,2)"
done
for of in compare-liblinear table; do
    ln -s "$ROOT/src/scripts/$of.sh" linked
    script ./linked --version
    same "a symbolic link to $of.sh" "0 $("$BIN/train" --version)" "$STATUS $(cat "$OUT")"
    rm linked
done
ln -s "$GRID" linked
cp "$CANCER" @cancer
script ./linked -q -c 0:1 -t @cancer @cancer
same 'a symbolic link to the script, a name that looks like a file of options' "0 $BIN/train -s 1" \
    "$STATUS $(sed -n '/^Best/{n;s/ -c .*//p;}' "$OUT")"

# ---- Names with blanks, quotes, dashes; the real programs --------------

odd="-a b'c\"d\$HOME=*"
mkdir -- "$odd"
awk 'NR % 5 == 0' "$CANCER" >"./$odd/test"
awk 'NR % 5' "$CANCER" >"./$odd=-"
ln -s "$BIN/train" "./$odd/train"
ln -s "$BIN/predict" "./$odd/predict"
TRAIN_USED="./$odd/train" PREDICT_USED=$PWD/$odd/predict
script "$GRID" -q -c -3:3:3 -s '3 2 0 softmax' -t "$odd/test" -o "$odd/results" -- "$odd=-" -- --trace "$odd/it's" -g 1e-6
TRAIN_USED=$BIN/train PREDICT_USED=$BIN/predict
same 'odd names: exit status' 0 "$STATUS"
cp "$ERR" messages
same_text 'odd names: no complaint' messages ''
expected=$(
    for solver in 3 2 0 softmax; do
        for power in -3 0 3; do
            C=$(awk -v power="$power" 'BEGIN { print 2 ^ power }')
            "$BIN/train" -q -s "$solver" -c "$C" -g 1e-6 -- "./$odd=-" model
            echo "$solver - $C $power $("$BIN/predict" -- "./$odd/test" model /dev/null | sed 's/.*= //; s/ .*//')"
        done
    done
)
same 'odd names: the accuracies of train and predict' "$expected" "$(table)"
rm -f "./$odd/it's"
cat >caller <<END
$(sed -n '/^Best/{n;p;}' "$OUT") chosen
END
holds 'odd names: the command that it names' sh caller
holds 'odd names: with its options' test -s "./$odd/it's"
"$BIN/predict" "./$odd/test" chosen /dev/null >accuracy
same 'odd names: has that accuracy' "$(best | sed 's/.*accuracy = //')" "$(sed 's/.*= //; s/ .*//' accuracy)"
holds 'odd names: the results' test -s "./$odd/results/cell_2_-_-3"

# ---- Cross-validation by train, and by callers like LIBSVM's grid.py ----

# rate ARGUMENT...: what grid.py reads from a training: the last word, without its last character, of the first line
# with "Cross".
rate() {
    "$BIN/train" "$@" 2>/dev/null | awk '/Cross/ { print substr($NF, 1, length($NF) - 1); exit }'
}

if has_option train ' -v,'; then
    script "$GRID" -q -c 0 -s 3 -v 3 -o folds "$CANCER"
    "$BIN/train" -q -s 3 -c 1 -v 3 "$CANCER" >printed
    same 'cross-validation: as train prints it' "3 - 1 0 $(sed 's/.*= //' printed)" "$(table)"
    for arguments in '-q -c 0.5 -v 5' '-c 0.5 -v 5'; do
        # shellcheck disable=SC2086
        found=$(rate $arguments "$CANCER")
        holds "grid.py: $arguments gives a percentage" awk -v x="$found" \
            'BEGIN { exit !(x ~ /^[0-9]+([.][0-9]+)?$/ && x > 90 && x <= 100) }'
    done
    if starts svm-grid; then
        for power in -1 0 1; do
            C=$(awk -v power="$power" 'BEGIN { print 2 ^ power }')
            echo "log2c=$power.0 rate=$(awk -v x="$(rate -c "$C" -v 5 "$CANCER")" 'BEGIN { print x + 0 }')"
        done >wanted
        bounded svm-grid -log2c -1,1,1 -log2g null -svmtrain "$BIN/train" -gnuplot null -out found "$CANCER" \
            >"$OUT" 2>"$ERR"
        same 'svm-grid: the rates' "$(cat wanted)" "$(sort -t = -k 2n found)"
    else
        skips 'svm-grid' 'it is not installed, or not its Python (Debian: libsvm-tools, python-is-python3)'
    fi
else
    skips 'cross-validation' 'train has no -v'
fi

# ---- The comparison: usage ---------------------------------------------

misuses "$COMPARE" 'no data' 'a data file is missing'
misuses "$COMPARE" 'three files' "'c': there are data and test, no third file" a b -- c
misuses "$COMPARE" 'standard input' 'the data are read more than once: standard input will not do' rows -
misuses "$COMPARE" 'an option that is not there' '-x: there is no such option' -x rows
misuses "$COMPARE" 'no value' '--runs: a value is missing' rows --runs
misuses "$COMPARE" 'a solver of ours only' "-s: both programs have the solvers 0, 1, 2, 3, 4, 7, 11, 12 and 13, not 'ipm'" -s '1 ipm' rows
misuses "$COMPARE" 'softmax' '-s: LIBLINEAR has no softmax; of two classes it is solver 0 with 2 C' -s '0 softmax' rows
for solver in 1 3 4 7 12 13; do
    misuses "$COMPARE" "a free bias with solver $solver" "-R: LIBLINEAR has no free bias with -s $solver" \
        -R -s "0 2 11 $solver" rows
done
misuses "$COMPARE" 'no run' "--runs: '0' is not a whole number of at least 1" --runs 0 rows
for number in 0 -1 x '' 1x nan; do
    misuses "$COMPARE" "C '$number'" "-c: '$number' is not a positive number" -c "$number" rows
done

# ---- The comparison: rows and gap, with programs that stand for LIBLINEAR ----

mkdir temporary
TMPDIR=$PWD/temporary
export TMPDIR
LIBLINEAR_TRAIN=./none
export LIBLINEAR_TRAIN
script "$COMPARE" -s '0 1 2 3 4 7 11 12 13' rows
same 'all solvers, no free bias: exit status' 3 "$STATUS"
script "$COMPARE" -R -s '0 2 11' rows
same 'a free bias with those that have one: exit status' 3 "$STATUS"
script "$COMPARE" rows
same_text 'no LIBLINEAR: says so' "$ERR" 'compare-liblinear.sh: LIBLINEAR is not installed (Debian: liblinear-tools):'\
' there is no program ./none, which LIBLINEAR_TRAIN may name'
same 'no LIBLINEAR: exit status' 3 "$STATUS"

printf '%s\n' 'solver_type L2R_L2LOSS_SVC' 'nr_class 2' 'label 1 -1' 'nr_feature 1' 'bias -1' w 1 >their-model
echo 'Objective value = 1' >their-report

# The last operand is the model, the one before it data.
cat >their-train <<'END'
#!/bin/sh
for word; do data=$model model=$word; done
cp "$data" seen-train
cp their-model "$model"
cat their-report
END
cat >their-predict <<'END'
#!/bin/sh
cp "$1" seen-test
echo 'Accuracy = 12.5% (1/8)'
END
chmod +x their-train their-predict
LIBLINEAR_TRAIN=./their-train LIBLINEAR_PREDICT=./their-predict
export LIBLINEAR_PREDICT

# column N: this column of the row of the table.
column() {
    awk -v n="$1" '/^solver/ { row = NR + 1 } NR == row { print $n }' "$OUT"
}

if has_option predict '--output-format'; then
    # w = (1, -0.5, bias 0.25). <w, x> is 1.25 and -0.25 for the rows of class 7, the first label of the model, and
    # 1.25 for the row of class -2. C = 2: the losses 0, 1.25, 2.25 give P = 1.3125/2 + 2 * 3.5 = 7.65625,
    # squared losses 1.3125/2 + 2 * 6.625 = 13.90625. With D = -5 the relative gaps are 0.346939 and 0.640449.
    printf '%s\n' '7 1:1' '7 2:1' '-2 1:1' >by-hand
    printf '%s\n' 'solver_type L2R_L1LOSS_SVC_DUAL' 'nr_class 2' 'label 7 -2' 'nr_feature 2' 'bias 1' w 1 -0.5 0.25 \
        >their-model
    printf 'Objective value = -5.000000\n' >their-report
    script "$COMPARE" --runs 1 -c 2 -s 3 by-hand by-hand
    same 'their gap by hand: L1-loss' '0.347' "$(column 8)"
    same 'their accuracy' '12.5%' "$(column 3)"
    script "$COMPARE" --runs 1 -c 2 -s 1 by-hand by-hand
    same 'their gap by hand: L2-loss' '0.64' "$(column 8)"
    # ln(1 + e^-1.25) + ln(1 + e^0.25) + ln(1 + e^1.25) = 2.579794: P = 5.815838
    script "$COMPARE" --runs 1 -c 2 -s 7 by-hand by-hand
    same 'their gap by hand: logistic' '0.14' "$(column 8)"
    for solver in 0 2; do
        script "$COMPARE" --runs 1 -c 2 -s "$solver" by-hand by-hand
        same "their gap: solver $solver has none" '-' "$(column 8)"
    done
    printf 'Objective value = -7.65625\n' >their-report
    script "$COMPARE" --runs 1 -c 2 -s 3 by-hand by-hand
    same 'their gap: not below what six decimals tell' '<=6.5e-08' "$(column 8)"

    # Three classes, w = (1, 0, -1) for the one feature: P = 2/2 + losses, D = -3 in total. Rows 1, 2, 3 with
    # x = 1, 1, 2 have the values (1, 0, -1), (1, 0, -1), (2, 0, -2). Their losses in the three problems are
    # 0 2 3, 1 1 1, 0 0 3: P = 1 + 11.
    printf '%s\n' '1 1:1' '2 1:1' '3 1:2' >by-hand
    printf '%s\n' 'solver_type L2R_L1LOSS_SVC_DUAL' 'nr_class 3' 'label 1 2 3' 'nr_feature 1' 'bias -1' w '1 0 -1' \
        >their-model
    printf 'Objective value = -1\nx\nObjective value = -1.5\nObjective value = -0.5\n' >their-report
    script "$COMPARE" --runs 1 -s 3 by-hand by-hand
    same 'their gap by hand: three classes' '0.75' "$(column 8)"
    # Solver 4: the losses of the rows are 0, 2 - 0 and 3 + 2, so P = 1 + 7. D is one number.
    printf 'Objective value = -3\n' >their-report
    script "$COMPARE" --runs 1 -s 4 by-hand by-hand
    same 'their gap by hand: all classes at once' '0.625' "$(column 8)"
else
    skips 'the gap of LIBLINEAR' 'predict has no --output-format'
fi

# If a program fails after the trainings, there is no row, and the exit status is 1.
cat >their-predict <<'END'
#!/bin/sh
cp "$1" seen-test
[ ! -e worse ] || rm -f "$2"
echo 'Accuracy = 12.5% (1/8)'
END
echo >worse
script "$COMPARE" --runs 1 -s 3 rows rows
same 'the gap cannot be told: exit status' 1 "$STATUS"
same 'the gap cannot be told: no row' '' "$(column 1)"
rm worse

# Splits rows that all differ.
awk 'BEGIN { for (i = 1; i <= 103; i++) print (i % 3 ? 1 : -1) " 1:" i; print "" }' >many
split() {
    script "$COMPARE" --runs 1 -s 2 --seed "$1" many
    sort seen-train seen-test >"seen-$1"
    mv seen-test "test-$1"
}
split 1
same 'split: exit status' 0 "$STATUS"
same 'split: a fifth' 21 "$(($(wc -l <test-1)))"
grep . many | sort >all
same_file 'split: each row once' all seen-1
mv test-1 first
split 1
same_file 'split: the same for a seed' first test-1
split 2
differ 'split: another seed' "$(cksum <test-1)" "$(cksum <test-2)"
same_file 'split: each row once' all seen-2

printf '#!/bin/sh\necho "no memory" >&2\nexit 9\n' >their-train
script "$COMPARE" --runs 1 -s 2 many
same 'a program that fails: exit status' 1 "$STATUS"
same_text 'a program that fails: its message' "$ERR" 'compare-liblinear.sh: ./their-train: exit status 9: no memory'
same 'nothing is left in the folder for temporary files' '' "$(ls temporary)"
unset LIBLINEAR_TRAIN LIBLINEAR_PREDICT TMPDIR

# ---- The comparison: the real thing ------------------------------------

if ! command -v liblinear-train >/dev/null 2>&1; then
    skips 'the comparison' 'liblinear-train is not installed (Debian: liblinear-tools)'
elif ! has_option predict '--output-format'; then
    skips 'the comparison' 'predict has no --output-format'
else
    script "$COMPARE" --runs 1 -s 3 -e 0.01 "$CANCER" "$CANCER"
    same 'comparison: exit status' 0 "$STATUS"
    liblinear-train -q -s 3 -e 0.01 "$CANCER" theirs
    "$BIN/train" -s 3 -e 0.01 "$CANCER" ours >report
    same 'comparison: accuracies' "$("$BIN/predict" "$CANCER" ours labels | sed 's/.*= //; s/ .*//')\
 $(liblinear-predict "$CANCER" theirs labels | sed 's/.*= //; s/ .*//')" "$(column 2) $(column 3)"
    same 'comparison: our gap' "$(awk '/^Relative/ { print $5 }' report)" "$(column 7)"
    holds 'comparison: their gap is small' awk -v gap="$(column 8)" 'BEGIN { exit !(gap > 0 && gap < 0.01) }'
    script "$COMPARE" --runs 1 -s 4 "$DIGITS"
    holds 'comparison of all classes at once: gaps' awk -v a="$(column 7)" -v b="$(column 8)" \
        'BEGIN { exit !(a > 0 && a < 0.001 && b > 0 && b < 0.1) }'
    script "$COMPARE" --runs 1 -s 1 "$DIGITS"
    same 'comparison of ten classes: exit status' 0 "$STATUS"
    holds 'comparison of ten classes: gaps' awk -v a="$(column 7)" -v b="$(column 8)" \
        'BEGIN { exit !(a > 0 && a < 0.001 && b > 0 && b < 0.1) }'
fi
