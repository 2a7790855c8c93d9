# convert.sh - tables become data, new rows become data by the same map, and predicted labels become words.
# shellcheck shell=sh

cat >table.csv <<'EOT'
id,diagnosis,radius,shape,size
p1,M,5.10,round,1
p2,B,0,"flat, wide",2
p3,B,-0.0,round,0.30
p4,M,1e-3,"the ""best""",4
EOT

# counts: the line with the numbers of rows and features. labels: the line with the classes.
counts() {
    grep '^[0-9]* row' "$OUT"
}
labels() {
    grep '^label = ' "$OUT"
}

# ---- Rows and the map --------------------------------------------------

run convert --strict-kinds -s map --label diagnosis --ignore id --categorical shape table.csv data
same 'exit status' 0 "$STATUS"
same_text 'what is said' "$OUT" "4 rows, 5 features
label = diagnosis: 1 = M, 2 = B
next: $BIN/train --map map data"
same_text 'nothing to warn of' "$ERR" ''
same_text 'digits as in the table, zeros left out' data '1 1:5.10 2:1 3:1
2 2:2 4:1
2 2:0.30 3:1
1 1:1e-3 2:4 5:1'
same_text 'the map' map 'hinge-map 3
separator comma
decimal point
missing refused
names 1
column 1 ignored id
column 2 words diagnosis
column 3 number radius
column 4 category shape
column 5 number size
class 1 M
class 2 B
mean 3 1.27525
mean 5 1.825
feature 1 3 number
feature 2 5 number
feature 3 4 category round
feature 4 4 category flat, wide
feature 5 4 category the "best"
end 4a8fb9c548f46d76'
run convert -r map table.csv
same_file 'the same rows by the map' data "$OUT"
same_text 'said beside rows on standard output' "$ERR" '4 rows, 5 features
label = diagnosis: 1 = M, 2 = B'
run convert -q -r map table.csv
same_text '-q' "$ERR" ''
run_piped table.csv convert -q -r map -
same_file 'standard input' data "$OUT"
for ending in '\r\n' '\r'; do
    awk -v end="$ending" '{ printf "%s" end, $0 }' table.csv >ends.csv
    run convert -q -r map ends.csv
    same_file "lines that end with $ending" data "$OUT"
done
{
    printf '\357\273\277'
    printf '\n'
    cat table.csv
    printf '\n\n'
} >marked.csv
run convert -q -r map marked.csv
same_file 'a byte order mark, empty lines' data "$OUT"
run convert -q --label 2 --ignore 1 --categorical 4 table.csv
same_file 'columns by number' data "$OUT"
run convert -q --label diagnosis --ignore id,shape,3 table.csv
same_text 'several ignored' "$OUT" '1 1:1
2 1:2
2 1:0.30
1 1:4'
run convert -q --label diagnosis --ignore id --ignore shape --ignore radius table.csv again
same_text 'the option several times' again "$(cat "$OUT" "$SCRATCH/$SCENE/again")"

# Each separator is recognised, and can be given.
for separator in 'tab 	' 'semicolon ;' 'bar |' 'blanks  '; do
    name=${separator%% *} character=${separator#* }
    printf 'a,b,y\n1,2,1\n3,0,2\n' | tr , "$character" >other
    run convert -q other
    same_text "$name" "$OUT" '1 1:1 2:2
2 1:3'
    run convert -q --separator "$name" other
    same_text "$name, said" "$OUT" '1 1:1 2:2
2 1:3'
    run convert -q --separator "$character" other
    same_text "$name, the character" "$OUT" '1 1:1 2:2
2 1:3'
done
printf '  1   2 3 \n\t4 "5" 6' >other
run convert -q other
same_text 'columns of blanks, no names, no last line end' "$OUT" '3 1:1 2:2
6 1:4 2:5'
printf 'a;b;y\n1,50;-2,25e1;1\n0,0;3;0\n' >other
run convert -q --decimal-comma -s commas other
same_text 'decimal commas' "$OUT" '1 1:1.50 2:-2.25e1
0 2:3'
run convert -q -r commas other
same_text 'decimal commas, by the map' "$OUT" '1 1:1.50 2:-2.25e1
0 2:3'

printf 'a,b,y\n"1,50","-2,25e1",1\n"0,0",3,0\n' >other
run convert -q -r commas --separator comma other
same_text 'decimal commas by the map, and commas between columns' "$OUT" '1 1:1.50 2:-2.25e1
0 2:3'
printf '1,5 0\n2,7 1\n' >other
run convert -q --decimal-comma other
same_text 'decimal commas, blanks between columns' "$OUT" '0 1:1.5
1 1:2.7'

# Digits that no double has pass through.
printf '0.1000000000000000055511151231257827,12345678901234567890,1\n' >digits.csv
run convert -q digits.csv
same_text 'all digits' "$OUT" '1 1:0.1000000000000000055511151231257827 2:12345678901234567890'

# ---- Names and labels --------------------------------------------------

printf '1,2,1\n3,4,0\n' >numbers.csv
run convert -s m numbers.csv data
same_text 'no line of names' "$OUT" "column  kind        features  missing  name
     1  number             1        0
     2  number             1        0
     3  label                       0
2 rows, 2 features
label = column 3
next: $BIN/train --map m data"
same_text 'labels that are numbers' data '1 1:1 2:2
0 1:3 2:4'
printf 'x,y,z\nu,v,w\nx,v,z\n' >words.csv
run convert -q --header no --categorical 1,2 words.csv
same_text 'a line of words that is none of names' "$OUT" '1 1:1 2:1
2 3:1 4:1
1 1:1 4:1'
run convert -q --categorical x,y words.csv
same_text 'words taken for names' "$OUT" '1 1:1 2:1
2 2:1 3:1'
printf 'p,p,yes\np,q,no\n' >words.csv
run convert -q --categorical 1,2 words.csv
same_text 'no names: two are equal' "$OUT" '1 1:1 2:1
2 1:1 3:1'
# A line of names that is taken for a row has a label that no other row has.
printf '0,1,label\n5.1,3.5,cat\n4.9,3,dog\n5,3,cat\n' >pandas.csv
row_said='the first line is taken for names of columns; if it is a row, give --header no'
names_said='of the first one: if that line has the names of columns, give --header yes'
run convert pandas.csv data
same_text 'a name that is a number' "$ERR" "convert: warning: $row_said"
same 'a name that is a number: the rows' '3 rows, 2 features' "$(counts)"
run convert -q pandas.csv data
same_text 'a name that is a number, -q' "$ERR" ''
succeeds 'a name that is a number, --header yes' convert --header yes -s m pandas.csv data
succeeds 'a name that is a number, by the map' convert -r m pandas.csv data
succeeds 'a name that is a number, --header no' convert --header no pandas.csv data
printf 'c1,c1,class\nu,v,yes\nu,w,no\nu,w,no\n' >same.csv
run convert --categorical 1,2 same.csv data
same_text 'a name that is there twice' "$ERR" "convert: warning: no other row has the label 'class' $names_said"
printf '7,1,cat\n5.1,3.5,dog\n4.9,3,emu\n' >each.csv
succeeds 'each row has a label of its own' convert each.csv data
printf '5.1,3.5,cat\n4.9,3,dog\n5,3,cat\n1,1,emu\n' >once.csv
succeeds 'a label that another row has once' convert once.csv data
printf '2001,2002,y\n1,2,1\n' >years.csv
run convert -q --header yes --label y years.csv
same_text 'numbers as names' "$OUT" '1 1:1 2:2'
printf 'x,y\n1,0\n2,10\n3,0\n' >codes.csv
run convert --categorical y codes.csv data
same_text 'numbers as words' "$OUT" "column  kind        features  missing  name
     1  number             1        0  x
     2  label                       0  y
3 rows, 1 feature
label = y: 1 = 0, 2 = 10
next: $BIN/train data"
run convert -q --no-labels codes.csv
same_text 'no label' "$OUT" '0 1:1
0 1:2 2:10
0 1:3'
awk 'BEGIN { print "x,y"; for (i = 1; i <= 12; i++) print i ",class" i }' >many.csv
run convert many.csv data
same 'many labels' 'label = y: 1 = class1, 2 = class2, 3 = class3, 4 = class4, 5 = class5, 6 = class6,
7 = class7, 8 = class8, 9 = class9, 10 = class10, ...' "$(labels | sed 's/6, /6,\
/; s/class6, 7/class6,\
7/')"
printf 'x,"a\nlabel"\n1,"b\302\23331m\303\251\351"\n' >codes.csv
run convert codes.csv data
same 'names with control characters' 'label = a\012label: 1 = b\302\23331mé\351' "$(labels)"
printf 'x,y\n1,%s\n2,b\n' "123456789012345678901234567890123456789é end" >names.csv
run convert names.csv new
same 'a long name is cut between two characters' \
    'label = y: 1 = 123456789012345678901234567890123456789, 2 = b' "$(labels)"
printf 'x,y\n1,2026-11-21\n2,1e999\n' >codes.csv
succeeds 'dates and large numbers as words' convert -q --categorical y codes.csv data
same 'dates and large numbers as words: the rows' '1 1:1
2 1:2' "$(cat data)"

# bad TABLE MESSAGE ARGUMENT...
bad() {
    printf '%b' "$1" >bad.csv
    message=$2
    shift 2
    refuses "bad table: $message" 1 "bad.csv:$message" convert -q "$@" bad.csv new
}

# ---- What the first lines tell -----------------------------------------

# rows NAME TABLE ROWS ARGUMENT...: the table becomes ROWS, directly and by the map that convert has written.
rows() {
    name=$1 expected=$3
    printf '%b' "$2" >kind.csv
    shift 3
    run convert -s kind.map "$@" kind.csv
    same_text "$name" "$OUT" "$expected"
    cp "$ERR" said
    run convert -q -r kind.map kind.csv
    same_text "$name, by the map" "$OUT" "$expected"
}
# said NAME LINE...: the last call of "rows" has printed these warnings.
said() {
    name=$1
    shift
    same "$name: what is said" "$(printf '%s\n' "$@")" "$(sed -n '/^convert: /p' said)"
}
rows 'words that stand again in their columns are a row' 'b,r,u\nb,g,v\nc,r,u\n' '1 1:1 2:1
2 1:1 3:1
1 2:1 4:1' --categorical 1,2
said 'a row of words' ''
rows 'one word stands again' 'b,r,u\nb,g,v\nc,k,v\n' '1 1:1 2:1
1 3:1 4:1' --categorical 1,2
said 'one word' ''
rows 'two of three words stand again' 'b,r,u\nb,g,v\nc,r,v\n' '1 1:1 2:1
1 3:1 4:1' --categorical 1,2
said 'two of three words' "convert: warning: $row_said"
rows 'numbers of columns' '0,1,2\n0.5,7,1\n0.25,8,2\n' '1 1:0.5 2:7
2 1:0.25 2:8'
said 'numbers of columns' "convert: warning: $row_said"
rows 'small whole numbers' '0,1,2\n0,1,1\n1,2,2\n' '2 2:1
1 2:1
2 1:1 2:2'
said 'small whole numbers' ''
rows 'years as names' '1990,1991,y\n1.5,2,1\n3,0.5,2\n2,2.5,1\n' '1 1:1.5 2:2
2 1:3 2:0.5
1 1:2 2:2.5'
said 'years as names' "convert: warning: $row_said"
rows 'numbers like those below' '5,6,y\n4,7,y\n6,5,z\n5.5,6.5,z\n' '1 1:5 2:6
1 1:4 2:7
2 1:6 2:5
2 1:5.5 2:6.5'
said 'numbers like those below' ''
printf '0,1,2\n0.5,7,1\n' >kind.csv
run convert -q --header no kind.csv
same_text 'numbers of columns, --header no' "$OUT" '2 2:1
1 1:0.5 2:7'
printf '1,0,2\n7,0.5,1\n' >moved.csv
run convert -q --header auto -s kind.map kind.csv kept.data
printf '2,0,1\n1,0.5,7\n' >moved.csv
run convert -q -r kind.map moved.csv
same_file 'numbers of columns in another order' kept.data "$OUT"

# Separators at the ends of lines, the "sep=" line for Excel, and the tables of R.
rows 'separators at the ends of all lines' 'a,b,y,\n1,2,p,\n3,4,q,\n' '1 1:1 2:2
2 1:3 2:4'
rows 'separators at the ends of rows' 'a;b;y\n1;2;p;;\n3;4;q;;\n' '1 1:1 2:2
2 1:3 2:4'
printf '5,6,\n' >kind.csv
"$BIN/convert" -q --missing zero --label 1 -s kind.map numbers.csv /dev/null
run convert -q -r kind.map kind.csv
same_text 'the only value of the last column is missing' "$OUT" '5 1:6'
rows 'sep=' 'sep=|\na|b|y\n1|2|p\n3,4|5|q\n' '1 1:1 2:2
2 1:3.4 2:5'
rows 'a table of R' '"a" "b" "y"\n"red" 1 2 "p"\n"5" 3 4 "q"\n' '1 1:1 2:2
2 1:3 2:4'
said 'a table of R' "convert: column 1 has no name, like the names of rows in tables of R; it is left out, \
as by --ignore 1"
rows 'a table of R, its names of rows as categories' 'a,y\nred,1,p\nblue,3,q\n' '1 1:1 2:1
2 1:3 3:1' --categorical 1
said 'a table of R with categories' ''
bad 'a,y\nred,1,p\nblue,3\n' '2:7: 3 columns where the first line has 2'

# Columns that number the rows.
leak='has no name and its numbers are like those of rows, which new rows do not have'
awk 'BEGIN { print ",a,y"; for (i = 0; i < 5; i++) print i "," i % 3 + 0.5 ",c" i % 2 }' >kind.csv
run convert --strict-kinds kind.csv data
same 'the row numbers of pandas' "convert: warning: column 1 $leak: --ignore 1 leaves it out" "$(cat "$ERR")"
run convert --ignore 1 kind.csv data
same 'the row numbers of pandas, ignored' '' "$(cat "$ERR")"
run convert -q kind.csv data
same 'the row numbers of pandas, -q' '' "$(cat "$ERR")"
sed 's/^,a/id,a/' kind.csv >other
run convert other data
same 'a column with a name' '' "$(cat "$ERR")"
printf 'a,Unnamed: 0,y\n5,12,p\n6,3,q\n8,7,p\n' >kind.csv
run convert --strict-kinds kind.csv data
same 'row numbers in another order' "convert: warning: column 2 $leak: --ignore 2 leaves it out" "$(cat "$ERR")"
printf ',a,y\n1,12,p\n0,3,q\n1,7,p\n' >kind.csv
run convert kind.csv data
same 'no name, but no row numbers' '' "$(cat "$ERR")"
awk 'BEGIN { for (i = 1; i <= 12; i++) print i % 5 ";" i ";" i % 2 }' >kind.csv
run convert --strict-kinds kind.csv data
same 'row numbers in a table without names' "convert: warning: column 2 $leak: --ignore 2 leaves it out" "$(cat "$ERR")"

# Commas in numbers.
rows 'decimal commas in quotes' 'a,b,y\n"7,25",1,0\n2,"0,125",1\n' '0 1:7.25 2:1
1 1:2 2:0.125'
rows 'decimal commas between semicolons' 'a;y\n7,25;1\n2,250;2\n' '1 1:7.25
2 1:2.250'
rows 'decimal commas and points of thousands' 'a;b;y\n1.234,5;2.000;1\n17;3;2\n' '1 1:1234.5 2:2000
2 1:17 2:3'
rows 'thousands in quotes' 'a,b,y\n"2,500",3,p\n17,4,q\n' '1 1:2500 2:3
2 1:17 2:4'
rows 'thousands beside points' 'a;b;y\n2,500;3.5;p\n1,000;4;q\n' '1 1:2500 2:3.5
2 1:1000 2:4'
rows 'millions' 'a;y\n2,500,000;p\n1,000;q\n' '1 1:2500000
2 1:1000'
rows 'a table without names' '"1,5",2\n"2,5",1\n' '2 1:1.5
1 1:2.5'
rows 'commas in categories decide nothing' 'a,b,y\n"1,5",2.5,1\n"2,5",3,2\n' '1 1:2.5 2:1
2 1:3 3:1' --categorical a
doubt="--thousands reads the comma as a separator of thousands, --decimal-comma as a point"
bad 'a,y\n"2,500",p\n"1,250",q\n' "2:1: column 1, a: '2,500' is not a number; $doubt"
rows 'thousands, said' 'a,y\n"2,500",p\n"1,250",q\n' '1 1:2500
2 1:1250' --thousands
rows 'a decimal comma, said' 'a,y\n"2,500",p\n"1,250",q\n' '1 1:2.500
2 1:1.250' --decimal-comma
rows 'a decimal comma and commas between columns, said' 'a,y\n"2,5",p\n1,q\n' '1 1:2.5
2 1:1' --decimal-comma --separator comma
bad 'a,b,y\n1.5,"2,5",1\n' "2:5: column 2, b: '2,5' is not a number; --decimal-comma reads the comma as a point"
rows 'points beside a decimal comma' 'a,b,y\n1.5,"2,5",1\n' '1 1:1.5 2:2.5' --decimal-comma
bad 'a;y\n2.500;1\n' "2:1: column 1, a: '2.500' has a point: --thousands reads points as separators of thousands; \
write a decimal point as a comma" --decimal-comma
rows 'points of thousands, said' 'a;y\n2.500;1\n' '1 1:2500' --decimal-comma --thousands
bad 'a;b;y\n1,500;2,50;1\n' "2:7: column 2, b: '2,50' is not written like the other numbers, which have commas or points \
between thousands" --thousands
awk 'BEGIN { print "a,y"; for (i = 1; i <= 60000; i++) print i % 900 "," i % 2; print "\"1,500\",1" }' >kind.csv
refuses 'a comma far from the beginning' 1 "kind.csv:60002:1: column 1, a: '1,500' is not a number; $doubt" \
    convert -q kind.csv new
printf 'a,y\n5,1\n' >plain.csv
"$BIN/convert" -q -s kind.map plain.csv /dev/null
printf 'a,y\n"1,500",1\n' >kind.csv
refuses 'a comma that the map does not have' 1 "kind.csv:2:1: column 1, a: '1,500' has commas or points that the \
numbers of the map do not have; write it like them, or make the map anew: convert -s, with --decimal-comma or \
--thousands" convert -q -r kind.map kind.csv new
printf 'a,y\n2026-11-21,1\n' >kind.csv
refuses 'no option that -r excludes' 1 "kind.csv:2:1: column 1, a: '2026-11-21' is a date or a time; write it as a \
number, such as days since a day" convert -q -r kind.map kind.csv new
misuse='-r and --thousands exclude each other'
refuses '-r and --thousands' 2 "convert: $misuse
Try 'convert --help'." convert -r kind.map --thousands kind.csv
rows 'labels like 1:2' 'a,y\n5,1:2\n6,0:3\n7,1:2\n' '1 1:5
2 1:6
1 1:7' --categorical y

# A quoted text of more than a mebibyte.
{
    echo 'text,x,y'
    awk 'BEGIN { printf "\""; for (i = 0; i < 30000; i++) printf "%s", "forty characters of text, and a line end\n"
        print "\",1,2" }'
    echo 'b,3,4'
} >long.csv
run convert -q --ignore text long.csv
same_text 'a long text in quotes' "$OUT" '2 1:1
4 1:3'

# ---- Missing values ----------------------------------------------------

printf 'x,c,y\n1,a,1\n?,b,2\n4, NA ,1\n,nan,2\n0,a,1\n' >gaps.csv
refuses 'a missing value' 1 \
    'gaps.csv:3:1: column 1, x: the value is missing; --missing zero, mean or column replaces it' \
    convert -q --strict-kinds -s m --categorical c gaps.csv new
run convert --categorical c --missing zero gaps.csv data
same '--missing zero' '5 rows, 3 features, 4 missing values' "$(counts)"
same_text '--missing zero: the rows' data '1 1:1 2:1
2 3:1
1 1:4
2
1 2:1'
run convert -q --categorical c --missing column -s m gaps.csv
same_text '--missing column' "$OUT" '1 1:1 2:1
2 3:1 4:1
1 1:4 5:1
2 3:1 5:1
1 2:1'
same 'the map of --missing column' 'feature 3 1 missing
feature 5 2 missing' "$(grep missing$ m)"
"$BIN/convert" -q --categorical c --missing mean -s m gaps.csv means
same_text '--missing mean' means '1 1:1 2:1
2 1:1.6666666666666667 3:1
1 1:4
2 1:1.6666666666666667
1 2:1'
run_piped gaps.csv convert -q --categorical c --missing mean -s m2 -
same_file '--missing mean from a pipe' means "$OUT"
same_file '--missing mean from a pipe: the map' m m2
run convert -q --categorical c --missing mean - <gaps.csv
same_file '--missing mean from a redirected file' means "$OUT"
{
    printf '\357\273\277'
    cat gaps.csv
} >marked.csv
run convert -q --categorical c --missing mean marked.csv
same_file '--missing mean after a byte order mark' means "$OUT"
run convert -q -r m gaps.csv
same_file '--missing mean by the map' means "$OUT"
run convert -q -r m --missing zero gaps.csv
same_file '--missing zero in its place' data "$OUT"
printf 'x,y\n1e308,1\n1.5e308,2\n?,1\n' >huge.csv
run convert -q --missing mean huge.csv
same '--missing mean of large doubles' '1 1:1.25e+308' "$(tail -n 1 "$OUT")"
# The mean of 100,000 values, whose sum rounds.
awk 'BEGIN { print "x,y"; for (i = 0; i < 100000; i++) print "0.1,1"; print "?,2" }' >long.csv
run convert -q --missing mean long.csv
same '--missing mean of many values' '2 1:0.10000000000000001' "$(tail -n 1 "$OUT")"
awk 'BEGIN { print "x,y"; for (i = 0; i < 100000; i++) print "0.1,1"; print "?,2" }' |
    "$BIN/convert" -q --missing mean - piped
same_file '--missing mean of many values from a pipe' "$OUT" piped

rows 'spellings of missing values' 'a,b,y\n5,1,p\nNone,<NA>,q\n-,#N/A,q\n.,\\N,p\n' '1 1:5 2:1
2 1:5 2:1
2 1:5 2:1
1 1:5 2:1' --missing mean
rows 'own spellings' 'a,c,y\n5,u,p\n-999,none,q\n-999.0,none,no\n' '1 1:5 2:1
2
3 1:-999.0' --missing zero --missing-values=-999,none --categorical c
same 'own spellings: the map' 'spelling -999
spelling none' "$(grep '^spelling' kind.map)"
printf 'a,c,y\n-999,u,q\n7,?,p\nnil,u,p\n' >kind.csv
run convert -q -r kind.map --missing-values nil kind.csv
same_text 'own spellings of the map, and one more' "$OUT" '2 2:1
1 1:7
1 2:1'
rows 'labels that look like missing values' 'a,y\n5,-\n6,+\n7,None\n' '1 1:5
2 1:6
3 1:7'
bad 'a,y\n5,p\n6,none\n' '3:3: the label is missing' --missing-values none

# Missing values in columns for which the map has no feature of missing values.
printf 'x,c,y\n1,a,1\n?,a,2\n' >some.csv
"$BIN/convert" -q --categorical c --missing column -s some some.csv /dev/null
printf 'x,c,y\n?,?,1\n2,NA,2\n3,b,1\n' >more.csv
run convert -r some more.csv
same_text 'missing where none was' "$OUT" '1 3:1
2 1:2
1 1:3'
same 'missing where none was: what is said' \
    'convert: warning: left out 1 value of categories that some does not have, such as c=b
convert: warning: 2 missing values became 0, because their columns had none when some was made' \
    "$(grep warning "$ERR")"

# ---- New rows ----------------------------------------------------------

"$BIN/convert" -q -s map --label diagnosis --ignore id --categorical shape table.csv data
printf 'size,extra,shape,diagnosis,radius\n7,x,round,B,8\n0,x,square,M,9\n' >new.csv
run convert -r map new.csv
same_text 'columns in another order' "$OUT" '2 1:8 2:7 3:1
1 1:9'
same 'a category that the map does not have' \
    'convert: warning: left out 1 value of categories that map does not have, such as shape=square' \
    "$(tail -n 1 "$ERR")"
printf 'c,d,y\na,a,1\nb,b,2\n' >two.csv
"$BIN/convert" -q --categorical c,d -s two two.csv /dev/null
long=$(printf '%060d' 0)
printf 'd,c,y\n%s,c,1\ne,c,2\nb,a,1\n' "$long" >more.csv
run convert -r two more.csv
same_text 'categories of two columns that the map does not have' "$ERR" "3 rows, 4 features
label = y
convert: warning: left out 4 values of categories that two does not have, such as \
d=$(printf '%040d' 0), c=c"
printf 'radius,shape,size\n8,round,7\n' >bare.csv
refuses 'no label' 1 \
    "bare.csv:1:1: there is no column 'diagnosis', which map has; --no-labels converts rows without a label" \
    convert -r map bare.csv
run convert -q -r map --no-labels bare.csv
same_text '--no-labels' "$OUT" '0 1:8 2:7 3:1'
printf 'p9,8,round,7\n' >bare.csv
refuses 'no label, by position' 1 \
    'bare.csv:1:1: 4 columns where map has 5; --no-labels converts rows without a label' \
    convert -r map bare.csv
run convert -q -r map --no-labels bare.csv
same_text '--no-labels, by position' "$OUT" '0 1:8 2:7 3:1'
printf 'p9,,8,round,7\np9,X,8,round,7\np9,B,8,round,7\n' >bare.csv
run convert -q -r map --no-labels bare.csv
same_text '--no-labels, labels missing and unknown' "$OUT" '0 1:8 2:7 3:1
0 1:8 2:7 3:1
2 1:8 2:7 3:1'
refuses 'a missing label' 1 \
    'bare.csv:1:4: the label is missing; with --no-labels it becomes 0' convert -q -r map bare.csv new
sed -n 2p bare.csv >unknown.csv
refuses 'an unknown label' 1 \
    "unknown.csv:1:4: label 'X' is not in map; with --no-labels it becomes 0" \
    convert -q -r map unknown.csv new
printf 'p9,B,8,round\n' >short.csv
refuses 'too few columns' 1 'short.csv:1:1: 4 columns where map has 5; --no-labels converts rows without a label' \
    convert -q -r map short.csv new
printf 'p9,B,8,round,7,8\n' >long.csv
refuses 'too many columns' 1 'long.csv:1:1: 6 columns where map has 5' convert -q -r map long.csv new
# --quotes no: quotes are letters, in the map and in predictions, too.
printf 'label\ttext\nyes\tgood\n"no"\t"bad film\nyes\tfine\n"no"\tthe "end"\nyes\t"great\n' >letters.tsv
refuses 'quotes that are letters' 1 \
    'odd.tsv:5:2: text after a quoted field; a quote inside one must stand there twice; --quotes no takes quotes as '\
'letters' convert --text text "$(printf 'label\ttext\nyes\tgood\nno\t"bad film\nyes\tfine\n"a"b\tx\n' >odd.tsv && echo odd.tsv)" new
succeeds '--quotes no' convert -q --quotes no -s letters.map --text text --min-rows 1 letters.tsv new
same '--quotes no: rows and labels' '1 2 1 2 1 "no"' \
    "$(cut -d ' ' -f 1 new | xargs) $(sed -n 's/^class 2 //p' letters.map)"
run convert -q -r letters.map letters.tsv
same_text '--quotes no: by the map' "$OUT" "$(cat new)"
grep -v '^quotes' letters.map | sed '$d' >letters.without
sed 's/^hinge-map.*/hinge-map 1/' letters.without >letters.first
run convert -q --quotes no -r letters.first letters.tsv
same_text '--quotes no: without it in the map' "$OUT" "$(cat new)"
printf '1\n2\n1\n2\n1\n' >letters.predicted
"$BIN/convert" --labels letters.map letters.predicted letters.words
run convert -q -r letters.map --append letters.words letters.tsv
same '--quotes no: --append' '"no"	"bad film	"no"' "$(sed -n 3p "$OUT")"
printf 'label\ttext\n1\tgood\n0\t"bad\n1\tfine\n0\tend"\n' >lines.tsv
run convert --text text --min-rows 1 lines.tsv new
same_text 'a field of several lines' "$ERR" "convert: warning: a field in quotes has several lines, as at line 3; \
if quotes are letters in this table, give --quotes no"
for how in yes no; do
    run convert --quotes $how --text text --min-rows 1 lines.tsv new
    same "a field of several lines, --quotes $how: nothing is said" '0 ' "$STATUS $(cat "$ERR")"
done
# With --header skip and a map, the first line may have any number of columns.
for first in 'a title' 'one,two,three,four,five,six' 'x,y,,,,,,'; do
    { echo "$first" && cat bare.csv; } >titled.csv
    "$BIN/convert" -q --no-labels --header no -r map bare.csv right
    succeeds "a first line that is skipped, $first" convert -q --no-labels --header skip -r map titled.csv new
    same_bytes "a first line that is skipped, $first: the rows" right new
done
echo 'a title' >titled.csv
refuses 'a first line that is skipped, alone' 1 'titled.csv:2:1: no rows after the line of names' \
    convert -q --no-labels --header skip -r map titled.csv new
{ echo 'a title' && cat bare.csv && echo 1,2; } >titled.csv
refuses 'a later line is too short' 1 \
    "titled.csv:$(wc -l <titled.csv | tr -d ' '):3: 2 columns where the second line has 5" \
    convert -q --no-labels --header skip -r map titled.csv new
printf 'diagnosis,radius,shape\nB,1,round\n' >less.csv
refuses 'a column less' 1 "less.csv:1:1: there is no column 'size', which map has" \
    convert -q -r map less.csv new

printf 'a,b,y\n1,2,1\n' >named.csv
"$BIN/convert" -q -s unnamed numbers.csv /dev/null
refuses 'names where the map has none' 1 \
    "named.csv:1:1: column 1: 'a' is not a number; if the line has the names of columns: --header yes" \
    convert -q -r unnamed named.csv new
run convert -q -r unnamed --header yes named.csv
same_text 'names where the map has none, said' "$OUT" '1 1:1 2:2'

# Labels that are numbers, one of them 0.
"$BIN/convert" -q -s numbered numbers.csv /dev/null
printf '5,6\n' >bare.csv
run convert -r numbered --no-labels bare.csv
same_text 'labels 0 and 1, and rows without' "$OUT" '0 1:5 2:6'
zero='which may be a class, because the labels of numbered are numbers: give predict --no-labels'
same 'which is said' "convert: warning: 1 label became 0, $zero" "$(grep warning "$ERR")"
printf '5,6,\n7,8,1\n9,1,?\n' >bare.csv
run convert -r numbered --no-labels bare.csv
same 'some rows without' "convert: warning: 2 labels became 0, $zero" "$(grep warning "$ERR")"
run convert -r numbered --no-labels numbers.csv
same 'no row without' '' "$(grep warning "$ERR")"
printf '8,round,7\n' | sed 's/^/p9,/' >bare.csv
run convert -r map --no-labels bare.csv
same 'labels that are words: 0 is none' '' "$(grep warning "$ERR")"
run convert --no-labels numbers.csv
same 'no map' '' "$(grep warning "$ERR")"

# Names of every kind go through the map.
printf '"a\nb","c\\d"," e  f ","",y\n1,2,3,4,"w\\\n x"\n5,6,7,8,"\r"\n' >strange.csv
run convert -s map2 strange.csv data
same 'strange names on a line' 'label = y: 1 = w\\012 x, 2 = \015' "$(labels)"
same 'strange names' 'column 1 number a\nb
column 2 number c\\d
column 3 number e  f
column 4 number
column 5 words y
class 1 w\\\n x
class 2 \r' "$(grep -e '^column' -e '^class' map2)"
run convert -q -r map2 strange.csv
same_file 'strange names, by the map' data "$OUT"
sed 's/$/\r/' map2 >map3
run convert -q -r map3 strange.csv
same_file 'a map with Windows line ends' data "$OUT"

# ---- And back ----------------------------------------------------------

printf '2\n1\n2' >predicted
run convert --labels map predicted
same_text 'labels become words' "$OUT" 'B
M
B'
run convert --labels map - <predicted
same_text 'labels from standard input' "$OUT" 'B
M
B'
run convert --labels map predicted words
same_text 'labels into a file' words 'B
M
B'
same_text 'labels: nothing is said' "$OUT" ''
printf 'labels 1 2\n2 0.25 0.75\n1 1 0\r\n' >predicted
run convert --labels map predicted
same_text 'labels with probabilities' "$OUT" 'labels M B
B 0.25 0.75
M 1 0'
printf 'x,y\n1,New York\n2,Rome\n3,"5"" pipe"\n' >cities.csv
"$BIN/convert" -q -s cities cities.csv /dev/null
printf '1 0.5\n2 -1\n3 2\n' >predicted
run convert --labels cities predicted
same_text 'words with blanks beside numbers' "$OUT" '"New York" 0.5
Rome -1
"5"" pipe" 2'
printf '1\n2\n' >predicted
run convert --labels cities predicted
same_text 'words with blanks alone' "$OUT" 'New York
Rome'
printf '3\n1\n' >predicted
refuses 'a label that is no class' 1 'predicted:1:1: 3 is no label of map' \
    convert --labels map predicted new
printf '1\nx\n' >predicted
refuses 'a label that is no number' 1 "predicted:2:1: label 'x' is not a number" \
    convert --labels map predicted new
"$BIN/convert" -q -s numbers.map numbers.csv /dev/null
printf '1\n-5.5\n' >predicted
run convert --labels numbers.map predicted
same_file 'labels that are numbers stay' predicted "$OUT"

# ---- Refusals ----------------------------------------------------------

bad '' '1:1: no rows'
bad 'a,b\n' '2:1: no rows after the line of names'
bad '1,2\n3\n' '2:1: 1 column where the first line has 2'
bad '1,2\n3,"4\n' '2:3: no quote ends the text that this one begins; --quotes no takes quotes as letters'
bad 'a,b,y\n1,2,1\n3,red,2\n' "3:3: column 2, b: 'red' is not a number; for categories: --categorical \
b; to leave it out: --ignore 2; --label names the label"
bad 'a,b,c d,y\n1,red,big,2\n' "2:3: column 2, b: 'red' is not a number; for categories: --categorical \
2,3; to leave it out: --ignore 2" --label y --strict-kinds
bad '1,2,1\nred,2,2\n' "2:1: column 1: 'red' is not a number; for categories: --categorical 1; to \
leave it out: --ignore 1; --label names the label" --missing mean
bad '1,red,2\n' "1:3: column 2: 'red' is not a number; if the line has the names of columns: --header \
yes; if it has categories: --categorical 2" --strict-kinds
bad 'when,y\n2026-11-21,1\n' "2:1: column 1, when: '2026-11-21' is a date or a time; write it as a \
number, such as days since a day; for categories: --categorical 1; to leave it out: --ignore 1" --strict-kinds
bad 'x,when\n1,21/11/2026\n' "2:3: the label '21/11/2026' is a date or a time; --label COLUMN names \
another column, --categorical 2 takes labels for words"
bad 'x,y\n1e999,1\n' "2:1: column 1, x: '1e999' is beyond the largest double"
bad 'x,y\n1,2\n3,b\n' "3:3: label 'b' is not a number, but the first one is; for labels that are words: \
--categorical 2"
bad 'x,y\n1,1e999\n' "2:3: label '1e999' is beyond the largest double"
bad 'x;y\n1.5;5,1\n' "2:5: label '5,1' is not a number; --decimal-comma reads the comma as a point"
libsvm="the file looks like LIBSVM's format, which train reads: train FILE"
bad '1 1:5\n' "1:3: label '1:5' is an index:value pair; for labels that are words: --categorical 2; $libsvm"
bad 'x,y\n1,2\n3,2026-11-21\n' "3:3: label '2026-11-21' is not a number, but the first one is; for labels \
that are words: --categorical 2"
bad 'x,y\n1,2\n3,?\n' '3:3: the label is missing'
bad 'x,y\n"a\nb",2\n' "2:1: column 1, x: 'a b' is not a number; for categories: --categorical x; to \
leave it out: --ignore 1; --label names the label" --strict-kinds
bad 'y\n1\n' '1:1: no column is left for features'
bad '1 1:5 2:3\n' "1:3: column 2: '1:5' is an index:value pair; for categories: --categorical 2; to leave \
it out: --ignore 2; $libsvm"
bad '1 2:30 3:30\n' "1:3: column 2: '2:30' is an index:value pair; for categories: --categorical 2; to leave \
it out: --ignore 2; $libsvm"
bad '1 1:5 2:3\n-1 1:4\n' "2:4: 2 columns where the first line has 3; $libsvm"
printf '{"a": 1}\n{"a": 2}\n' >bad.json
run convert bad.json
same 'JSON' 'the file looks like JSON: save it as a table (CSV), which convert reads' \
    "$(sed 's/.*; //' "$ERR")"
printf '\037\213\010\000' >table.csv.gz
refuses 'a compressed table' 1 'table.csv.gz:1:1: the file looks like data compressed by gzip: try zcat FILE > PLAIN' \
    convert table.csv.gz new

# bad_map TEXT MESSAGE: convert refuses the map TEXT. $head is a correct beginning of a map.
head='hinge-map 1\nseparator comma\ndecimal point\nmissing mean\nnames 0\n'
bad_map() {
    printf '%b' "$1" >bad.map
    refuses "bad map: $2" 1 "bad.map:$2" convert -q -r bad.map numbers.csv new
}
bad_map '' '1:1: hinge-map expected'
bad_map '1 1:5\n' "1:1: '1' where a map has hinge-map"
bad_map 'hinge-map 4\n' "1:11: '4' where a map has version 1, 2 or 3"
bad_map 'hinge-map 1\nnames 1\n' "2:1: 'names' after 'hinge-map'"
bad_map 'hinge-map 1\nseparator colon\n' "2:11: 'colon' where a map has a separator"
bad_map 'hinge-map 1\nseparator comma\ndecimal dot\n' \
    "3:9: 'dot' where a map has point or comma, or either with -thousands"
bad_map "$head" '6:1: column expected'
bad_map "${head}column 2 number\n" '6:8: column 2 where 1 is the next one'
bad_map "${head}column 1 real\n" "6:10: 'real' where a map has the kind of the column"
bad_map "${head}column 1 label\ncolumn 2 words\n" '7:8: a second column with labels'
bad_map "${head}column 1 number\n" '7:1: feature 1 expected'
bad_map "${head}column 1 number a\\\\x\n" '6:18: a backslash without n, r or a backslash after it'
bad_map "${head}column 1 number\ncolumn 2 category\nfeature 1 2 category a\n" \
    '8:9: features of numbers come first, in the order of columns'
bad_map "${head}column 1 number\nfeature 1 1 number\nfeature 2 1 category a\n" \
    '8:9: column 1 is of another kind'
bad_map "${head}column 1 category\nfeature 1 1 category a\nfeature 2 1 category a\n" \
    '8:9: the feature is repeated'
bad_map "${head}column 1 words\nclass 1 a\nclass 2 a\n" '8:9: the class is repeated'
bad_map "${head}column 1 words\nmean 1 5\n" '7:6: column 1 is none of numbers'
bad_map "${head}column 1 number\nmean 1 x\n" "7:8: mean 'x' is not a number"
bad_map "${head}column 1 words\nclass 1 a\ncolumn 2 number\n" "8:1: 'column' after 'class'"
bad_map "${head}column 1 words\ncolor 2\n" \
    "7:1: 'color' where a map has column, class, text, mean, feature, scale or end"

# A map that is cut short at any of its bytes, or has a changed line, is refused.
"$BIN/convert" -q -s whole --label diagnosis --ignore id --categorical shape table.csv expected
size=$(wc -c <whole) k=0 passed=
while [ "$k" -lt "$((size - 1))" ]; do
    head -c "$k" whole >"cut"
    "$BIN/convert" -q -r cut table.csv >/dev/null 2>&1 && passed="$passed $k"
    k=$((k + 1))
done
same 'maps cut short that pass' '' "$passed"
k=1 passed=
while [ "$k" -le "$(grep -c . whole)" ]; do
    sed "${k}s/[a-z0-9]\$/x/" whole >changed
    cmp -s whole changed || { "$BIN/convert" -q -r changed table.csv >/dev/null 2>&1 && passed="$passed $k"; }
    sed "${k}d" whole >changed
    "$BIN/convert" -q -r changed table.csv >/dev/null 2>&1 && passed="$passed $k"
    k=$((k + 1))
done
same 'maps with a changed or missing line that pass' '' "$passed"
grep -v '^end' whole >"cut"
refuses 'a map without its last line' 1 \
    "cut:20:1: end expected: the map is cut short; convert -s makes it anew" convert -q -r cut table.csv new
sed 's/round/roumd/' whole >changed
refuses 'a map with another word' 1 "changed:20:5: the checksum is not that of the lines before: the map was changed; \
convert -s makes it anew" convert -q -r changed table.csv new
{ cat whole; echo 'feature 6 4 category red'; } >longer
refuses 'a line after the end' 1 "longer:21:1: 'feature' after 'end'" convert -q -r longer table.csv new
sed -e '1s/3/1/' -e '/^end/d' whole >first.map
old='is of version 1, which does not show if it was cut short or changed; convert -s makes it anew'
run convert -r first.map table.csv
same_file 'a map of version 1' expected "$OUT"
same 'a map of version 1: what is said' "convert: warning: first.map $old" "$(grep warning "$ERR")"
echo 1 >predicted
run convert --labels first.map predicted
same 'labels by a map of version 1' "M convert: warning: first.map $old" "$(cat "$OUT") $(cat "$ERR")"
printf 'hinge-map 1\nseparator comma\ndecimal point\nmissing zero\nnames 1\ncolumn 1 category c\ncolumn 2 label y
feature 1 1 category None\n' >first.map
printf 'c,y\nNone,5\n?,6\n' >kind.csv
run convert -q -r first.map kind.csv
same_text 'a word of a map of version 1 stays a word' "$OUT" '5 1:1
6'

# misuse MESSAGE ARGUMENT...
misuse() {
    message=$1
    shift
    refuses "convert $*" 2 "convert: $message
Try 'convert --help'." convert "$@"
}
same 'convert alone' "usage: convert [options] table [output]
Try 'convert --help'." "$("$BIN/convert" 2>&1 >/dev/null | sed -n '1p; $p')"
misuse 'no table file given' -q
misuse 'no labels file given' --labels map
misuse "too many arguments: 'c'" a b c
misuse '-r and -s exclude each other' -r map -s m table.csv
for option in --label --ignore --categorical; do
    misuse "-r and $option exclude each other" -r map "$option" id table.csv
    misuse "--labels and $option exclude each other" --labels map "$option" id table.csv
done
misuse '--labels and -r exclude each other' --labels map -r map table.csv
misuse '--label and --no-labels exclude each other' --label id --no-labels table.csv
misuse "--missing: 'none' is not zero, mean, column or auto" --missing none table.csv
misuse '--missing column and -r exclude each other: the map says which columns have one' \
    -r map --missing column table.csv
for v in : '' ';;'; do
    misuse "--separator: '$v' is not comma, semicolon, tab, bar, blanks or lines" --separator "$v" table.csv
done
misuse "--label: there is no column 'diagnosi'; did you mean diagnosis?" --label diagnosi table.csv
misuse "--label: there is no column '9'" --label 9 table.csv
misuse "--label: column 'id' is ignored" --label id --ignore id table.csv
misuse "--ignore: there is no column 'Color'; the table has no line of names" --ignore Color numbers.csv
misuse "--ignore: there is no column ''" --ignore id,,2 table.csv
printf 'a,b,a,y\n1,2,3,1\n' >twice.csv
for option in --ignore --categorical; do
    misuse "$option: columns 1 and 3 have the name 'a'; give the number" --header yes $option b,a twice.csv
done
misuse "--label: columns 1 and 3 have the name 'a'; give the number" --header yes --label a twice.csv
run convert -q --header yes --ignore 3 --label 1 twice.csv
same_text 'columns of one name by number' "$OUT" '1 1:2 2:1'
"$BIN/convert" -q --header yes -s named twice.csv >expected
printf 'y,a,b,a\n1,1,2,3\n' >moved.csv
succeeds 'columns of one name, in their order' convert -q --header yes -r named moved.csv
same_file 'columns of one name, in their order' expected "$OUT"
printf 'a,b,a,y,a\n1,2,3,1,9\n' >thrice.csv
succeeds 'one more column of the name' convert -q --header yes -r named thrice.csv
same_file 'one more column of the name' expected "$OUT"
run convert -q --header yes --ignore 4 twice.csv
same_text 'the last column ignored: the label is the one before' "$OUT" '3 1:1 2:2'
misuse "--categorical: column 'id' is ignored" --ignore id --categorical shape,id table.csv
misuse "the output and the input are the same file, 'table.csv'" table.csv table.csv
misuse "the output and -s are the same file, 'new'" -s new table.csv new
misuse "the output and --labels are the same file, 'map'" --labels map predicted map
misuse '-s cannot go to standard output' -s - table.csv
refuses 'no table' 3 'convert: cannot open absent: No such file or directory' convert absent new
refuses 'no map' 3 'convert: cannot open absent: No such file or directory' \
    convert -r absent table.csv new

# ---- Nothing is lost ---------------------------------------------------

echo old >kept
printf '1,2\n3,x\n' >half.csv
refuses 'the old map stays' 1 "half.csv:2:3: label 'x' is not a number, but the first one is; for \
labels that are words: --categorical 2" convert -s kept half.csv kept2
refuses 'the old output stays, too' 1 "half.csv:2:3: label 'x' is not a number, but the first one is; for \
labels that are words: --categorical 2" convert half.csv kept
if [ -e /dev/full ]; then
    run convert table.csv --ignore id,shape --label diagnosis /dev/full
    same 'a full disk' 3 "$STATUS"
fi

# ---- What a newcomer types ---------------------------------------------

# A table like UCI's breast cancer: a number of the patient, the diagnosis as a word, and thirty measurements, with
# their names in the first line.
awk 'BEGIN { printf "id,diagnosis"; for (j = 1; j <= 30; j++) printf ",measure_%d", j; print "" }
    { printf "%d,%s", 842301 + 7 * NR, ($1 > 0 ? "M" : "B")
      for (k = 2; k <= NF; k++) { split($k, f, ":"); v[f[1]] = f[2] }
      for (j = 1; j <= 30; j++) printf ",%s", (v[j] + 0 == 0 ? 0 : v[j])
      split("", v); print "" }' "$CANCER" >cancer.csv
awk 'NR == 1 || NR % 3' cancer.csv >train.csv
awk 'NR == 1 || NR % 3 == 0' cancer.csv >test.csv
run train train.csv
same 'train names the line to type' "Try: $BIN/convert -s MAP train.csv DATA" "$(sed -n 2p "$ERR")"
sed -n 's/-s MAP/--strict-kinds -s typed.map/; s/DATA/typed/; s/^Try: //p' "$ERR" >line
sh ./line >got 2>&1
same 'which says what it needs' "train.csv:2:8: column 2, diagnosis: 'M' is not a number; for categories: \
--categorical diagnosis; to leave it out: --ignore 2; --label names the label" "$(sed "s/'B'/'M'/" got)"
run convert -s map --label diagnosis --ignore id train.csv train.data
same 'rows of cancer' '379 rows, 30 features' "$(counts)"
run convert -q -r map test.csv test.data
same 'new rows of cancer' 190 "$(grep -c . test.data)"
"$BIN/train" -q train.data model
"$BIN/predict" -q test.data model predicted
run convert --labels map predicted words
same 'words of cancer' 'B M' "$(sort -u words | xargs)"
holds 'words of cancer: nearly all are right' test "$(awk -F, 'NR > 1 { print $2 }' test.csv |
    paste -d ' ' - words | awk '$1 == $2' | grep -c .)" -ge 180
# The converted numbers are those of data/breast-cancer, from which the table was made.
awk -F, 'NR > 1 { print ($2 == "M" ? 1 : 2) }' cancer.csv >labels
"$BIN/convert" -q --label diagnosis --ignore id cancer.csv cancer.data
sed 's/^[^ ]* *//; s/ [0-9]*:0\( \|$\)/\1/g' "$CANCER" | sed 's/ *$//' >features
paste -d ' ' labels features | sed 's/ $//' | awk '{ printf "%s", $1
    for (k = 2; k <= NF; k++) { split($k, f, ":"); if (f[2] + 0 != 0) printf " %s", $k }; print "" }' \
    >expected
awk '{ if (NR == 1) first = $1; printf "%s", $1 == first ? 1 : 2; for (k = 2; k <= NF; k++) printf " %s", $k; print "" }' \
    expected >renumbered
same_file 'rows of cancer: as in data/breast-cancer' renumbered cancer.data

# A table with categories and missing values.
awk 'BEGIN {
    print "age,job,\"marital status\",hours,income"
    jobs[0] = "clerk"; jobs[1] = "\"sales, retail\""; jobs[2] = "driver"; jobs[3] = "nurse"
    marital[0] = "married"; marital[1] = "single"; marital[2] = "widowed"
    x = 7
    for (i = 0; i < 300; i++) {
        x = x * 16807 % 2147483647; a = 18 + x % 60
        x = x * 16807 % 2147483647; j = x % 4
        x = x * 16807 % 2147483647; m = x % 3
        x = x * 16807 % 2147483647; h = 10 + x % 40
        rich = a + h + 15 * (j == 3) - 10 * (m == 1) > 75
        printf "%s,%s, %s,%s,%s\n", i % 17 == 3 ? "?" : a, i % 23 == 5 ? "" : jobs[j], marital[m], \
            i % 29 == 8 ? "NA" : h, rich ? ">50K" : "<=50K"
    } }' >income.csv
head -n 201 income.csv >train.csv
{ head -n 1 income.csv; tail -n 100 income.csv; } >test.csv
run convert -s map --categorical "job,marital status" --missing column train.csv train.data
same 'categories and gaps' '200 rows, 12 features, 28 missing values' "$(counts)"
same 'categories and gaps: the label' 'label = income: 1 = <=50K, 2 = >50K' \
    "$(labels | sed 's/1 = >50K, 2 = <=50K/1 = <=50K, 2 = >50K/')"
run convert -q -r map test.csv test.data
same 'categories and gaps: nothing is unknown' '0 ' "$STATUS $(cat "$ERR")"
"$BIN/scale" -q -s ranges train.data train.scaled
"$BIN/scale" -q -r ranges test.data test.scaled
"$BIN/train" -q -c 10 -B 1 train.scaled model
"$BIN/predict" -q test.scaled model predicted
run convert --labels map predicted words
holds 'categories and gaps: most are right' test "$(awk -F, 'NR > 1 { print $NF }' test.csv |
    paste -d ' ' - words | awk '$1 == $2' | grep -c .)" -ge 85
