# predictions.sh - convert --append, and src/scripts/table.sh: from a table to predictions for another.
# shellcheck shell=sh

# ---- convert --append --------------------------------------------------------

printf 'name,x,y\r\n"a, b",1,yes\r\n"two\nlines",2,no,\r\nc,"3",yes' >table.csv
run convert --ignore name -s map table.csv data
printf '%s\n' 'labels yes no' 'yes .5 .5' '"no no" .1 .9' '"a,b" 1 0' >predicted
run convert -r map --append predicted table.csv whole.csv
same 'exit status' 0 "$STATUS"
same_text 'rows are counted' "$OUT" '3 rows'
tr '\r' '~' <whole.csv >visible
same_text 'each row as it is, then its prediction' visible 'name,x,y,predicted,yes,no~
"a, b",1,yes,yes,.5,.5~
"two
lines",2,no,no no,.1,.9~
c,"3",yes,"a,b",1,0'
printf '%s\n' 1 2 3 >labels
run convert -q -r map --append labels table.csv
tr '\r' '~' <"$OUT" >visible
same_text 'labels only' visible 'name,x,y,predicted~
"a, b",1,yes,1~
"two
lines",2,no,2~
c,"3",yes,3'
printf '%s\n' '1 -0.5 2' '2 1 2' '3 0 2' >labels
run convert -q -r map --append labels table.csv
same 'values have names, too' 'name,x,y,predicted,value 1,value 2' "$(sed 's/\r$//; q' "$OUT")"
printf 'old\n' >kept
printf '%s\n' 1 2 >labels
run convert -q -r map --append labels table.csv kept
same 'too few predictions' 1 "$STATUS"
same_text 'the message' "$ERR" 'labels:3:1: fewer predictions than table.csv has rows; predict writes one for each row that convert -r makes of that table'
same_text 'the old file stays' kept old
printf '%s\n' 1 2 3 4 >labels
run convert -q -r map --append labels table.csv kept
same 'too many predictions' 1 "$STATUS"
same_text 'the message names the line' "$ERR" 'labels:4:1: more predictions than table.csv has rows; predict writes one for each row that convert -r makes of that table'
printf '1;2;u\n3;4;v\n' >plain.csv
run convert -q -s map plain.csv data
printf '%s\n' 1 2 >labels
run convert -q -r map --append labels plain.csv
same_text 'a table without names' "$OUT" '1;2;u;1
3;4;v;2'
printf '%s\n' 'labels u v' 'u .5 .5' 'v .1 .9' >predicted
run convert -q -r map --append predicted plain.csv
same_text 'a table without names, probabilities' "$OUT" '1;2;u;u;.5;.5
3;4;v;v;.1;.9'
printf '5;6\n' | sed 'p' >unlabelled.csv
run convert -q -r map --append labels unlabelled.csv
same_text 'a table without the label' "$OUT" '5;6;1
5;6;2'
printf '"1,5",u\n"2,5",v\n' >commas.csv
run convert -q -s map commas.csv data
printf '%s\n' '0.25 x.y' '1e-3 2' >numbers
run convert -q -r map --append numbers commas.csv
same_text 'numbers with decimal commas' "$OUT" '"1,5",u,"0,25",x.y
"2,5",v,1e-3,2'
printf '%s\n' '"1' 2 >quoted
refuses 'predictions with a quote: no option for the table' 1 \
    'quoted:1:1: no quote ends the text that this one begins' convert -q -r map --append quoted commas.csv new
run convert --append labels plain.csv
same '--append alone' 2 "$STATUS"

# ---- table.sh ------------------------------------------------------------------

# table ARGUMENT...: runs table.sh as "run" runs a program.
table() {
    STATUS=0
    CONVERT=$BIN/convert TRAIN=$BIN/train PREDICT=$BIN/predict \
        bounded sh "$ROOT/src/scripts/table.sh" "$@" >"$OUT" 2>"$ERR" || STATUS=$?
}

# commands FILE: the names of the programs in the commands of the file.
commands() { sed -n 's|^\$ [^ ]*/\([a-z]*\) .*|\1|p' "$1" | xargs; }

head -n 601 "$ROOT/data/adult.csv" >old.csv
{ head -n 1 old.csv && sed -n '602,701p' "$ROOT/data/adult.csv"; } | cut -d , -f 1-14 >new.csv
table fit --label income old.csv "a folder"
same 'fit: exit status' 0 "$STATUS"
same_text 'fit: nothing on standard error' "$ERR" ''
same 'fit: the programs that run' 'convert train train train predict' "$(commands "$OUT")"
holds 'fit: the score of the rows kept' grep -q '^Accuracy = [78][0-9.]*% ([0-9]*/15[01])$' "$OUT"
for page in report test; do
    same "fit: $page.html" '</html>' "$(tail -n 1 "a folder/$page.html")"
done
mkdir moved
mv "a folder/model" moved/model
table predict moved new.csv predicted.csv
same 'predict: exit status' 0 "$STATUS"
same 'predict: the programs that run' 'convert predict convert' "$(commands "$ERR")"
same_text 'predict: the columns' predicted.head "$(head -n 1 predicted.csv >predicted.head && cat predicted.head)"
holds 'predict: class and probabilities' grep -q ',native-country,predicted,[<>]=*50K,[<>]=*50K$' predicted.head
same_text 'predict: the table itself' predicted.left "$(cat new.csv)$(cut -d , -f 1-14 predicted.csv >predicted.left)"
same 'predict: each row has a class' 100 "$(sed 1d predicted.csv | cut -d , -f 15 | grep -c -x -e '<=50K' -e '>50K')"
table predict -q moved old.csv -
same 'predict: to standard output' 601 "$(wc -l <"$OUT" | tr -d ' ')"
holds 'predict: rows with labels get a score' grep -q '^Accuracy = ' "$ERR"
awk -F , -v OFS=, 'NR == 7 { $15 = "maybe" } { print }' old.csv >odd.csv
table predict -q moved odd.csv odd.predicted
same_text 'predict: a label that the model does not have' "$ERR" \
    "table.sh: no score: odd.csv:7:$(sed -n '7s/maybe.*//p' odd.csv | wc -c | tr -d ' '): label 'maybe' is not in moved/model"
same 'predict: all rows nevertheless' 601 "$(wc -l <odd.predicted | tr -d ' ')"
table predict moved - <new.csv
same_text 'predict: of standard input' "$OUT" "$(cat predicted.csv)"

# A regression, with the label in the middle, semicolons, CRLF and decimal commas.
awk 'BEGIN {
    print "size;price;rooms;town\r"
    for (i = 1; i <= 400; i++) {
        size = 40 + i * 37 % 101 + 0.5; rooms = 1 + i * 7 % 5
        price = 3000 * size + 10000 * rooms + (i % 3 == 0) * 90000 + i * 13 % 17 * 100
        sub(/[.]/, ",", size)
        printf "%s;%d;%d;%s\r\n", size, price, rooms, i % 3 ? "Ulm" : "Bonn"
    }
}' >homes.csv
table fit --label price homes.csv homes
same 'regression: exit status' 0 "$STATUS"
holds 'regression: the error in the unit of the label' grep -q '^Mean absolute error = ' "$OUT"
# shellcheck disable=SC2016 # awk's
holds 'regression: R2' awk '/^Squared correlation coefficient = / { r = $5 } END { exit !(r > 0.99) }' "$OUT"
table predict -q homes homes.csv homes.predicted
same 'regression: a number for each row' 400 \
    "$(sed 1d homes.predicted | tr -d '\r' | cut -d ';' -f 5 | grep -c '^[0-9,]*$')"
run convert --label predicted homes.predicted data
same 'regression: numbers have the decimal sign of the table' 0 "$STATUS"
printf 'size;rooms;town\r\n50,5;2;Ulm\r\n60,5;3;Rome\r\n' >abroad.csv
table predict -q homes abroad.csv abroad.predicted
same_text 'a category that the model does not have' "$ERR" \
    'convert: warning: left out 1 value of categories that homes/model does not have, such as town=Rome'

# Sentences; the new table names its columns differently.
awk 'BEGIN {
    good = "fine clear moving funny warm"; bad = "dull long empty loud weak"; split(good, g); split(bad, b)
    print "label\tsentence"
    for (i = 1; i <= 200; i++)
        printf "%s\tthe film number %d is %s and %s\n", i % 2 ? "yes" : "no", i,
            i % 2 ? g[1 + i % 5] : b[1 + i % 5], i % 2 ? g[1 + i * 3 % 5] : b[1 + i * 3 % 5]
}' >films.tsv
table fit --label label films.tsv films
same 'text: exit status' 0 "$STATUS"
holds 'text: all rows kept are right' grep -q '^Accuracy = 100% (50/50)$' "$OUT"
printf 'class\tcontent\nyes\ta warm, funny thing\nno\tloud. and: EMPTY\n' >seen.tsv
table predict -q --header skip films seen.tsv seen.predicted
same_text 'text: a table with other names' seen.short "$(cut -f 3 seen.predicted >seen.short
printf 'predicted\nyes\nno\n')"

# A solver among the options of train replaces the candidates. The last line is the next command.
table fit --minutes 0.02 films.tsv films -- -s 3
same 'a solver: exit status' 0 "$STATUS"
same 'a solver: it alone is tried' '-s 3' "$(sed -n 's/^\$ .* -C .*\(-s [0-9]*\) .*/\1/p' "$OUT")"
same 'fit: the next command' "next: $ROOT/src/scripts/table.sh predict films NEW.csv PREDICTED.csv" "$(tail -n 1 "$OUT")"

# Weights and groups of rows.
awk -F ';' -v OFS=';' '{ sub(/\r/, ""); print $0, NR == 1 ? "w;g" : NR % 2 + 1 ";" "g" int(NR / 4) }' homes.csv >heavy.csv
table fit --label price --weight w --group g --by g heavy.csv heavy
same 'weights and groups: exit status' 0 "$STATUS"
same 'weights and groups: options of the search' 2 \
    "$(grep -c -e '-C .*--folds heavy/train.data.groups -W heavy/train.data.weights' "$OUT")"

# The criterion decides if few whole numbers are classes.
awk 'BEGIN { print "x,z,stars"
    for (i = 0; i < 200; i++) print i % 5 + i % 3 / 10 "," i * 7 % 11 "," i % 5 + 1 }' >stars.csv
for criterion in r2 accuracy; do
    table fit -q --criterion $criterion --minutes 0.02 stars.csv stars
    same "--criterion $criterion: exit status" 0 "$STATUS"
    same "--criterion $criterion: the score" \
        "$([ $criterion = r2 ] && echo 'Squared correlation' || echo 'Accuracy =')" \
        "$(tail -n 1 "$OUT" | cut -d ' ' -f 1,2)"
done
table fit --criterion f2 stars.csv refused
same 'a criterion that there is not' "2 train: --criterion: 'f2' is not accuracy, balanced-accuracy" \
    "$STATUS $(head -n 1 "$ERR" | cut -d , -f 1-2)"
same_text 'a criterion that there is not: nothing ran' "$OUT" ''
table fit stars.csv refused -- -s 99
same 'a solver that there is not: nothing ran' '2 no' "$STATUS $(test -d refused || echo no)$(cat "$OUT")"
table fit -q --criterion log-loss --minutes 0.02 stars.csv stars
same '--criterion log-loss' 0 "$STATUS"
table fit --criterion mse films.tsv words
same 'mse of words: exit status' 2 "$STATUS"
same_text 'mse of words' "$ERR" 'table.sh: --criterion mse is for labels that are numbers'

# Refusals.
table
same 'nothing: exit status' 2 "$STATUS"
table fit old.csv
same 'no folder: exit status' 2 "$STATUS"
for minutes in x 0 0.0 . ''; do
    table fit --minutes "$minutes" old.csv bad
    same "--minutes '$minutes'" "table.sh: --minutes: '$minutes' is not a number above 0" "$(head -n 1 "$ERR")"
done
table fit -- old.csv bad
same 'a table after --' "table.sh: 'old.csv' comes after --, where options of train are expected" "$(head -n 1 "$ERR")"
for options in '-c 1' '-s 3' '--balanced'; do
    # shellcheck disable=SC2086 # two words
    table fit $options old.csv bad
    holds "fit $options: where options of train are" grep -q 'options of train come after --$' "$ERR"
done
table fit --save map old.csv bad
same '--save: exit status' 2 "$STATUS"
table fit missing.csv bad
same 'no table: the status of convert' 3 "$STATUS"
same 'no table: no folder' '' "$(find . -name bad)"
table fit --label nothing old.csv bad
same 'no such label: the status of convert' 2 "$STATUS"
table predict nowhere new.csv
same 'no model: exit status' 3 "$STATUS"
