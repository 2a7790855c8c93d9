# tables.sh - src/scripts/table.sh, from a table to predictions, and convert --append.
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
run convert --append labels plain.csv
same '--append alone' 2 "$STATUS"
