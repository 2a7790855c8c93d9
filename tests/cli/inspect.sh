# inspect.sh - the record of a model, and the output of inspect, compared with awk's.
# shellcheck shell=sh

cp "$CANCER" d

# ---- The record: data, rows, weights, command line ---------------------

# trains MODEL ARGUMENT...
trains() {
    model=$1
    shift
    succeeds "train $*" train "$@" "$model"
}

trains one -q -c 2 d
trains two -c 2 d
same_bytes 'another name of the model: the same bytes' one two
trains two --strict -q --trace t.csv --trace-every=2 --test d --alpha alpha -c 2 d
same_bytes 'trace and alpha: the same bytes' one two
same 'the command line' 'train -c 2 d' "$(record one command)"
same 'the data' d "$(record one data)"
same 'the rows' 569 "$(record one rows)"
same 'no weights, no line' '' "$(record one class_weights)$(record one balanced)$(record one row_weights)"
cp d -- -d
"$BIN/train" -q --cost=2 -- -d two
same 'an option with =, data like an option' 'train --cost=2 -- -d' "$(record two command)"
same 'data like an option' -d "$(record two data)"
"$BIN/train" -q -c 2 - two <d
same 'standard input' '- train -c 2 -' "$(record two data) $(record two command)"
succeeds '-C --refit' train -q -C --c-range 1:1 --refit d two
same '-C --refit: the command line' 'train -C --c-range 1:1 --refit d' "$(record two command)"
without_origin two >three
without_origin one >four
same_bytes '-C --refit: the model of its C but for that' four three

trains two -q -w1 2 -w-1 0.25 d
same 'weights of classes, by label' '2 0.25' "$(record two class_weights)"
trains two -q -w1 2 -w1 3 -w7 5 d
same 'they multiply, others do not count' '6 1' "$(record two class_weights)"
trains two -q --balanced d
same '--balanced' '1 1.342 0.797' "$(record two balanced) $(record two class_weights |
    awk '{ printf "%.3f %.3f", $1, $2 }')"
awk '{ print NR % 3 }' d >row_weights
trains two -q -W row_weights d
same '-W' '1 train -W row_weights d' "$(record two row_weights) $(record two command)"
trains two -q -s 11 -B 1 d
same 'a regression has no weights of classes' '' "$(record two class_weights)"

# Names that would break the line of the record, or that need quotes in a shell.
odd=$(printf 'a b\n\351"c\\d')
cp d "$odd"
cp d "it's"
cp d 'sp ace'
trains two -q "$odd"
same 'an odd name' "\$'a b\\012\\351\"c\\\\d'" "$(record two data)"
same 'an odd name: the command line' "train \$'a b\\012\\351\"c\\\\d'" "$(record two command)"
same 'an odd name: lines of the record' '' "$(sed '1,/^w$/d' two | grep -v -e '^#' -e '^[-0-9]')"
succeeds 'an odd name: the model is read' predict -q d two labels
if command -v bash >/dev/null 2>&1; then
    same 'an odd name: a shell reads it' "$odd" "$(bash -c "printf %s $(record two data)")"
fi
trains two -q "it's"
same 'a quote' "'it'\\''s'" "$(record two data)"
trains two -q 'sp ace'
same 'a blank' "'sp ace'" "$(record two data)"
eval "set -- $(record two command)"
same 'a blank: a shell reads it' 'sp ace' "$2"
if command -v liblinear-predict >/dev/null 2>&1; then
    trains two -q "$odd"
    liblinear-predict d two theirs >/dev/null
    "$BIN/predict" -q d two labels
    same_file "an odd name: LIBLINEAR's labels" theirs labels
else
    skips "an odd name: LIBLINEAR's labels" 'it is not installed'
fi

# ---- A model, letter for letter ----------------------------------------

cat >small <<'end'
solver_type L2R_L1LOSS_SVC_DUAL
nr_class 2
label 7 -3
nr_feature 5
bias 2
w
0.5 
0 
-3 
3 
-0.25 
0.125 
end
run inspect small
same_text 'a model without a record' "$OUT" 'solver_type = L2R_L1LOSS_SVC_DUAL
loss = L1-loss (hinge)
regulariser = |w|^2/2
classes = 2: 7 -3
features = 5, indices from 1
bias = 2
record = none

class 7 against -3
#nonzeros/#features = 4/5
|w| = 4.27931, |w|_1 = 6.75
bias term = 0.25
     feature        weight
           3            -3
           4             3
           1           0.5
           5         -0.25'
same_text 'silently' "$ERR" ''
cp "$OUT" expected
run inspect - <small
same_file 'from standard input' expected "$OUT"
run inspect -n 2 small
same '-n 2' '3 4 ' "$(sed '1,/weight$/d' "$OUT" | awk '{ printf "%s ", $1 }')"
run inspect --largest=0 small
same '-n 0' 'bias term = 0.25' "$(tail -n 1 "$OUT")"
run inspect -n 18446744073709551615 small
same_file '-n beyond the features' expected "$OUT"
{ cat small && echo '# zero_based 1'; } >zero
run inspect -n 1 zero
same 'indices from 0' 'features = 5, indices from 0|2 -3' \
    "$(sed -n 5p "$OUT")|$(tail -n 1 "$OUT" | awk '{ print $1, $2 }')"
sed 's/^0.5 /1e200/; s/^-3 /-1e200/' small >large
run inspect -n 0 large
same 'no overflow' '|w| = 1.41421e+200, |w|_1 = 2e+200' "$(grep '^|w' "$OUT")"
sed 's/^0.5 /1e-200/; s/^-3 /-1e-200/; s/^3 /0/; s/^-0.25 /0/' small >little
run inspect -n 0 little
same 'no underflow' '|w| = 1.41421e-200, |w|_1 = 2e-200' "$(grep '^|w' "$OUT")"

# LIBLINEAR writes a model of one class if all rows have one label.
printf 'solver_type L2R_LR\nnr_class 1\nlabel 5\nnr_feature 1\nbias -1\nw\n2 \n' >single
run inspect single
same 'one class' 'class 5|           1             2' "$(grep '^class ' "$OUT")|$(tail -n 1 "$OUT")"
{ cat small && printf '# C 4\n#\n#   a  b c\t\n# \033[31m red\r\n# \377\342\202\254\n'; } >noted
run inspect -n 0 noted
same 'odd lines of a record' 'C = 4
a = b c
\033[31m = red
\377€ = ' "$(sed -n '7,10p' "$OUT")"
run inspect --json -n 2 noted
same_text 'JSON' "$OUT" '{"model":"noted","solver_type":"L2R_L1LOSS_SVC_DUAL","loss":"L1-loss (hinge)","regulariser":"|w|^2/2","labels":[7,-3],"features":5,"first_index":1,"bias":2,"record":{"C":4,"a":"b c","\u001b[31m":"red","\ufffd€":""},"columns":[{"label":7,"nonzeros":4,"norm":4.2793106921559225,"norm1":6.75,"bias_term":0.25,"largest":[{"feature":3,"weight":-3},{"feature":4,"weight":3}]}]}'

# ---- Trained models ----------------------------------------------------

# largest MODEL COLUMN N: the N largest weights of a column, as index and weight, by awk and sort.
largest() {
    weights "$1" | awk -v c="$2" 'w { n++; x = $c < 0 ? -$c : $c; if (x != 0) printf "%d %.17g %s\n", n, x, $c }
        $1 == "nr_feature" { most = $2 } $1 == "w" { w = 1 } w && n == most { exit }' |
        sort -k 2,2gr -k 1,1n | head -n "$3" | awk '{ printf "%d %.6g\n", $1, $3 }'
}

# tables: one line for each weight in the tables of the last output: number of the class, index, weight.
tables() {
    awk '/^class / || $0 == "weights" { n++ } !NF { on = 0 } on { print n, $1, $2 }
        /^ *feature +weight$/ { on = 1 }' "$OUT"
}

# norms MODEL COLUMN: non-zeros, |w|, |w|_1 as inspect prints them.
norms() {
    weights "$1" | awk -v c="$2" 'w && n < most { n++; s += $c * $c; a += $c < 0 ? -$c : $c; k += $c != 0 }
        $1 == "nr_feature" { most = $2 } $1 == "w" { w = 1 }
        END { printf "#nonzeros/#features = %d/%d\n|w| = %.6g, |w|_1 = %.6g\n", k, most, sqrt(s), a }'
}

awk 'NR % 8 == 3' "$DIGITS" >digits
while read -r name columns options data; do
    # shellcheck disable=SC2046
    trains "$name" -q $(echo "$options" | tr , ' ') "$data"
    for most in 3 10; do
        run inspect -n "$most" "$name"
        same_text "$name: no complaint" "$ERR" ''
        tables >came
        column=0
        while [ $((column += 1)) -le "$columns" ]; do
            largest "$name" "$column" "$most" | sed "s/^/$column /"
        done >expected
        same_file "$name: the $most largest" expected came
    done
    grep -e '^#nonzeros' -e '^|w|' "$OUT" >came
    column=0
    while [ $((column += 1)) -le "$columns" ]; do norms "$name" "$column"; done >expected
    same_file "$name: norms" expected came
done <<'end'
svm 1 -s,1,-B,1 d
l1r 1 -s,6 d
digits.svm 10 -s,3,-B,1 digits
digits.cs 10 -s,4 digits
digits.softmax 10 -s,softmax digits
two.cs 2 -s,4 d
regression 1 -s,11 d
end
run inspect -n 0 digits.svm
same 'ten classes: certified' 'certified = 10 of 10' "$(grep '^certified' "$OUT")"
same 'ten classes: each gap' "$(record digits.svm relative_gap | tr ' ' '\n' |
    awk '{ printf "relative_gap = %g\n", $1 }')" "$(grep '^relative_gap' "$OUT")"
same 'ten classes: the largest gap' "largest relative_gap = $(record digits.svm relative_gap |
    tr ' ' '\n' | sort -g | tail -n 1 | awk '{ printf "%g", $1 }')" "$(grep '^largest' "$OUT")"
same 'ten classes: their names' 'class 0 against the rest' "$(grep '^class ' "$OUT" | sort | head -n 1)"
run inspect -n 0 digits.softmax
same 'softmax' 'loss = softmax|class 0' \
    "$(grep '^loss' "$OUT")|$(grep '^class ' "$OUT" | sort | head -n 1)"
trains net -q -s enet --l1 1e-3 d
for model in l1r net; do
    run inspect -n 0 "$model"
    grep '^regulariser' "$OUT"
done >came
same_text 'regularisers' came 'regulariser = |w|_1
regulariser = |w|^2/2 and l1 |w|_1'
run inspect -n 0 digits.cs
same 'crammer-singer' "loss = Crammer and Singer's|outcome = certified" \
    "$(grep '^loss' "$OUT")|$(grep '^outcome' "$OUT")"
run inspect -n 0 regression
same 'a regression' 'classes = none, the model predicts numbers|weights' \
    "$(grep '^classes' "$OUT")|$(grep '^weights$' "$OUT")"
trains inside -q -s one-class d
run inspect -n 0 inside
same 'a one-class SVM: rho' "rho = $(sed -n 's/^rho //p' inside | awk '{ printf "%g", $1 }')" \
    "$(grep '^rho' "$OUT")"
trains platt -q -b 1 d
run inspect -n 0 platt
same 'a sigmoid' "$(record platt sigmoid |
    awk '{ printf "Probability = 1/(1 + exp(A f + B)), A = %g, B = %g", $1, $2 }')" \
    "$(grep '^Probability' "$OUT")"
for model in svm digits.svm regression inside platt; do
    if command -v python3 >/dev/null 2>&1; then
        run inspect --json "$model"
        holds "$model: JSON" python3 -m json.tool "$OUT"
    else
        skips "$model: JSON" 'python3 is not installed'
    fi
done

# ---- Names -------------------------------------------------------------

printf 'one\n  the second \r\n\nd\303\251j\303\240\na\001b\377' >names
run inspect --names names small
same_text 'names: silently' "$ERR" ''
same 'names' '           3            -3
           4             3  déjà
           1           0.5  one
           5         -0.25  a\001b\377' "$(sed '1,/weight$/d' "$OUT")"
cp "$OUT" expected
run_piped names inspect --names - small
same_file 'names from a pipe' expected "$OUT"
printf '\357\273\277one\nthe second\n\nd\303\251j\303\240\na\001b\377\n' >marked
run inspect --names=marked small
same_file 'names after a byte order mark' expected "$OUT"
run inspect --json -n 1 --names names small
same 'no name in JSON' '{"feature":3,"weight":-3}' "$(grep -o '{"feature[^}]*}' "$OUT")"
run inspect --json -n 4 --names names small
same 'names in JSON' '{"feature":5,"name":"a\u0001b\ufffd","weight":-0.25}' \
    "$(grep -o '{"feature[^}]*}' "$OUT" | tail -n 1)"
echo six >>names
echo seven >>names
run inspect --names names small
same_text 'too many names' "$ERR" 'inspect: warning: names has 6 names for 5 features'
cp "$OUT" expected
succeeds 'too many names, -q: no warning' inspect -q --names names small
same_file 'too many names, -q: the output' expected "$OUT"
head -n 4 names >few
run inspect --names few small
same_text 'too few names' "$ERR" 'inspect: warning: few has 4 names for 5 features'
same 'too few names: the last one has none' '           5         -0.25' "$(tail -n 1 "$OUT")"

# A map of convert, whose words for labels are printed, too.
cat >map <<'end'
hinge-map 1
separator comma
decimal point
missing column
names 1
column 1 words diagnosis
column 2 number radius
column 3 ignored id
column 4 number
column 5 category shape
class 1 benign
class 2 quite malignant
feature 1 2 number
feature 2 4 number
feature 3 5 category round
feature 4 5 category two words
feature 5 4 missing
end
sed 's/^label .*/label 2 1/' small >mapped
run inspect --names map mapped
same_text 'a map: silently' "$ERR" ''
same 'a map' 'class 2 (quite malignant) against 1 (benign)
           3            -3  shape=round
           4             3  shape=two words
           1           0.5  radius
           5         -0.25  column 4 is missing' "$(sed -n -e '/^class /p' -e '/weight$/,$p' "$OUT" |
    sed '/weight$/d')"
run_piped map inspect --names - -n 0 mapped
same 'a map from a pipe' 'class 2 (quite malignant) against 1 (benign)' "$(grep '^class ' "$OUT")"
run inspect --json --names map -n 0 mapped
same 'a map in JSON' '"label":2,"word":"quite malignant"' "$(grep -o '"label":.*alignant"' "$OUT")"
run inspect --names map -n 0 small
same 'a map of other labels' 'class 7 against -3' "$(grep '^class ' "$OUT")"
sed 4d map >broken
run inspect --names broken small
same 'a broken map' '1 broken:4:1:' "$STATUS $(cut -d ' ' -f 1 "$ERR")"

awk 'BEGIN { print "size,colour,kind"
    for (i = 0; i < 60; i++) print i % 10 ",c" i % 3 "," (i % 3 == 1 ? "good" : "bad") }' >table.csv
"$BIN/convert" -q -s made --label kind --categorical colour table.csv made.data
trains made.model -q made.data
run inspect --names made -n 1 made.model
same_text 'a map of convert: silently' "$ERR" ''
same 'a map of convert' 'class 1 (bad) against 2 (good) colour=c1' \
    "$(grep '^class ' "$OUT") $(tail -n 1 "$OUT" | awk '{ print $3 }')"

# ---- A page of HTML -----------------------------------------------------

# weights_of PAGE: the weights in the table beneath the picture of the largest weights.
weights_of() {
    awk '/<tbody>/ { tables++ } tables == 2 && /^<tr>/ { gsub(/<[^>]*>/, " "); print $NF }' "$1"
}
run inspect -n 7 --json --report page.html one
tr '{' '\n' <"$OUT" | sed -n 's/.*"weight":\([^}]*\)}.*/\1/p' | awk '{ printf "%.6g\n", $1 }' >expected
weights_of page.html >listed
same_bytes 'a report: the weights of --json' expected listed
same 'a report: how many' 7 "$(grep -c . listed)"
same 'a report: the certificate' 1 \
    "$(grep -c 'at most .* % above the smallest possible: proven by a dual point, and certified as asked' page.html)"
same 'a report: its end' '</html>' "$(tail -n 1 page.html)"
same 'a report: no script, no other file' '' "$(grep -e '<script' -e 'src=' -e 'href=' -e 'http' page.html)"
printf '<b>&"x\n\377\n' >names
run inspect -q --names names --report page.html small
same 'a report: names are text' 2 "$(grep -c '&#60;b&#62;&#38;&#34;x' page.html)"
same 'a report: a model without a record' 1 "$(grep -c 'It is not known how near' page.html)"
if command -v tidy >/dev/null 2>&1; then
    same 'a report: tidy finds no fault' '' "$(tidy -q -e page.html 2>&1)"
fi

# ---- Refusals ----------------------------------------------------------

# misuse MESSAGE ARGUMENT...
misuse() {
    message=$1
    shift
    refuses "inspect $*" 2 "inspect: $message
Try 'inspect --help'." inspect "$@"
}
same 'inspect alone' "usage: inspect [options] model
Try 'inspect --help'." "$("$BIN/inspect" 2>&1 >/dev/null | sed -n '1p; $p')"
misuse 'no model given' --json
misuse "too many arguments: 'other'" small other
misuse "-n: '-1' is not a whole number" -n -1 small
misuse '--jsn: there is no such option; did you mean --json?' --jsn small
misuse 'the model and --names cannot both be standard input' --names - -
misuse "--report and the model are the same file, 'small'" --report small small
refuses 'no such model' 3 'inspect: cannot open absent: No such file or directory' inspect absent
refuses 'no such names' 3 'inspect: cannot open absent: No such file or directory' \
    inspect --names absent small
refuses 'data for a model' 1 "d:1:1: '+1' is no key of a model; the file looks like data: is the order of the arguments right?" inspect d
printf 'a\n\0b\n' >binary
refuses 'binary names' 1 'binary:2:1: NUL byte' inspect --names binary small
if [ -w /dev/full ]; then
    STATUS=0
    "$BIN/inspect" small >/dev/full 2>"$ERR" || STATUS=$?
    same_text 'a full disk' "$ERR" 'inspect: cannot write standard output: No space left on device'
    same 'a full disk: exit status' 3 "$STATUS"
fi
