# tables.sh - kinds of columns found in a first reading, missing values, rows for a test, weights and groups.
# shellcheck shell=sh

# kinds: number, kind, features and missing values of each column, as the last run has printed them.
kinds() {
    awk '$1 ~ /^[0-9]+(-[0-9]+)?$/ && $2 !~ /^row/ { what = $3 == "left" ? "out " $5 : $3 " " $4
        print $1, $2, what }' "$OUT"
}

# as_map NAME TABLE ARGUMENT...: the map makes the same bytes of the same table.
as_map() {
    name=$1 table=$2
    shift 2
    run convert -q -s again.map "$@" "$table" again.data
    run convert -q -r again.map "$table"
    same_file "$name: the same rows by the map" again.data "$OUT"
}

# ---- Kinds -----------------------------------------------------------------

# 40 rows: an identifier, hashes, numbers, few words, yes/no, dates, sentences, a constant, an empty column.
awk 'BEGIN {
    print "nr,key,size,shape,open,day,note,unit,none,y"
    for (i = 1; i <= 40; i++)
        printf "%d,k%dz%d,%.2f,%s,%s,2024-%02d-%02d,the %s film is %s,cm,,%s\n", i, i, i * 7919 % 101, i % 7 + 0.5,
            i % 3 == 0 ? "round" : i % 3 == 1 ? "flat" : "long", i % 2 ? "yes" : "no", i % 12 + 1, i % 28 + 1,
            i % 5 ? "new" : "old", i % 3 ? "good number " i : "bad number " i, i % 4 ? "a" : "b"
}' >all.csv
run convert -s map all.csv data
same 'all kinds' '1 identifier out 0
2 identifier out 0
3 number 1 0
4 category 3 0
5 yes/no 2 0
6 date 20 0
7 text 8 0
8 constant out 0
9 empty out 40
10 label 0 y' "$(kinds)"
as_map 'all kinds' all.csv
run_piped all.csv convert -q -
same_file 'a pipe is read again from a temporary file' data "$OUT"
run convert --number nr --categorical key --ignore shape,note --date day all.csv data
same 'kinds that are given' '1 number 1 0
2 category 40 0
3 number 1 0
4 ignored out 0
5 yes/no 2 0
6 date 20 0
7 ignored out 0
8 constant out 0
9 empty out 40
10 label 0 y' "$(kinds)"
refuses 'a column of two kinds' 2 "convert: --date: column 'day' is of another kind by another option
Try 'convert --help'." convert --number day --date day all.csv data
refuses '--strict-kinds' 1 "all.csv:2:3: column 2, key: 'k1z41' is not a number; for categories: --categorical \
key,shape,open,note,unit; to leave it out: --ignore 2; --label names the label" convert --strict-kinds all.csv data
printf 'a,b,y\n7,1,1\n7,,2\n' >strict.csv
run convert -q --strict-kinds --missing mean strict.csv
same_text '--strict-kinds: a constant stays a number' "$OUT" '1 1:7 2:1
2 1:7 2:1'
refuses 'dates of two orders' 1 "days.csv:3:1: column 1: '2024-02-01' is not a date in the order of day, month, year; \
--missing-values takes it for a missing one" \
    convert --date d "$(printf 'd,x,y\n1.2.2024,1,1\n2024-02-01,2,2\n' >days.csv && echo days.csv)" new

refuses 'nothing is left' 1 "left.csv:2:1: no column is left for features: besides the label there are only \
identifiers and constants; --number or --categorical takes one of them" \
    convert "$(printf 'a,y\nk,1\nk,2\n' >left.csv && echo left.csv)" new
refuses 'one group' 1 "left.csv:2:1: --by puts all rows into one group" convert --by b --test test \
    "$(printf 'a,b,y\n1,k,1\n2,k,2\n' >left.csv && echo left.csv)" new

printf 'w,x,y\n1,2,a\n1,3,b\n2,4,a\n' >beside.csv
for files in '--test new.weights beside.csv new' '--test new beside.csv new.weights' '-s new.weights beside.csv new'; do
    # shellcheck disable=SC2086 # options are words
    refuses "weights beside $files" 2 "convert: new.weights is also the file of weights or groups
Try 'convert --help'." convert --weight w $files
done

refuses 'a short first line that is none of names' 1 "left.csv:1:1: one column fewer than the other lines have; if the \
line has the names of columns: --header yes" \
    convert "$(printf '2023-02-01x,c\na,4,p\nb,5,q\n' >left.csv && echo left.csv)" new

# One impossible date among ten does not turn the column into identifiers.
awk 'BEGIN { print "d,x,y"
    for (i = 1; i <= 10; i++) printf "2026-02-%02d,%d,%s\n", 3 * i, i * i, i % 2 ? "a" : "b" }' >days.csv
refuses 'a day that no month has' 1 "days.csv:11:1: column 1: '2026-02-30' is not a date; \
--missing-values takes it for a missing one" convert days.csv new
refuses 'a day that no month has, in the first row' 1 "first.csv:2:1: column 1: '04/31/2024' is not a date; \
--missing-values takes it for a missing one" \
    convert --date d "$(printf 'd,x,y\n04/31/2024,1,1\n04/30/2024,2,2\n' >first.csv && echo first.csv)" new
printf '1 2026-01-05T10:30:00 5.5\n2 2026-01-05T22:30:00 6.5\n' >blanks.txt
run convert blanks.txt data
same 'a time with blanks between columns is no index:value pair' '2 date 3 0' "$(kinds | sed -n 2p)"
run convert --missing-values 2026-02-30 days.csv data
same 'it can stand for a missing date' '1 date 10 1
2 number 1 0
3 label 0 y' "$(kinds)"

# Numbers with a currency or a % are numbers. The name of a column may be one.
awk 'BEGIN { print "price,rate,25%,y"; for (i = 1; i <= 20; i++)
    printf "\"$%d,%03d.50\",%.1f %%,%d,%s\n", i, i * 7, i * 1.5, i * i, i % 2 ? "a" : "b" }' >units.csv
run convert -s map units.csv data
same 'currencies and shares are numbers' '1 number 1 0
2 number 1 0
3 number 1 0
4 label 0 y' "$(kinds)"
same 'they are written without their units' '2 1:2014.50 2:3.0 3:4' "$(sed -n 2p data)"
as_map 'units' units.csv
# shellcheck disable=SC2016 # a currency
refuses 'two currencies' 1 "units.csv:3:1: column 1: '2 €' is in €, and a number before it in \$; to leave the column \
out: --ignore 1" convert "$(printf 'p,x,y\n$1,1,1\n2 €,2,2\n' >units.csv && echo units.csv)" new

# --scale with deviations much smaller than the values: seconds within a minute, and numbers near 1e8.
awk 'BEGIN { print "d,x,y"
    for (i = 0; i < 4; i++) printf "2026-01-05 12:00:%02d,%d.5,%d\n", 16 * i, 1e8 + i, i % 2 }' >days.csv
run convert -q --scale -s map days.csv data
same 'small deviations of dates and numbers' '-1.342 -1.342,-0.447 -0.447,0.447 0.447,1.342 1.342' \
    "$(awk '{ sub(/1:/, "", $2); sub(/2:/, "", $3); printf "%s%.3f %.3f", s, $2, $3; s = "," }' data)"

# Dates: days since 1970, month and weekday.
printf 'd,y\n21.11.2026,1\n1.1.1970,2\n,1\n2.1.1970 12:00,2\n' >days.csv
run convert -q -s map days.csv
same_text 'dates' "$OUT" '1 1:20778 2:1 3:1
2 4:1 5:1
1 1:6926.5 6:1
2 1:1.5 4:1 7:1'
same 'dates: their order and the mean of days' 'mean 1 6926.5
feature 1 1 days dmy
feature 2 1 category month 11
feature 3 1 category weekday 6' "$(sed -n '/^mean/,/weekday 6/p' map)"
printf 'd,y\n1/2/2024,1\n3/4/2024,2\n' >days.csv
run convert -q -s map days.csv
same 'between slashes the month comes first' 'feature 1 1 days mdy' "$(grep days map)"
run convert -s map days.csv data
same_text 'order in doubt' "$ERR" "convert: warning: column 1: its dates are read as month, day, year, but no day is \
beyond 12; write them as year-month-day if that is wrong"
for dates in '13/4/2024' '2-Jan-2024' '2024-02-01' '3/3/2024'; do
    printf 'd,y\n%s,1\n%s,2\n' "${dates#3/3/2024}" "$dates" >one.csv
    run convert --date d one.csv data
    same_text "no doubt of $dates" "$ERR" ''
done
printf 'd,y\n1/2/2024,1\n13/4/2024,2\n' >days.csv
run convert -q -s map days.csv
same 'unless that cannot be' 'feature 1 1 days dmy' "$(grep days map)"

# The label is the column with a name for labels, or else the last one.
printf 'class,a,b\nu,1,2\nv,3,4\nu,5,1\n' >named.csv
run convert named.csv data
same 'a label by its name' 'label = class: 1 = u, 2 = v' "$(grep '^label =' "$OUT")"
printf 'x,label\n1,5\n2,6\n' >numbers.csv
run convert numbers.csv data
same 'a column named label says nothing more' 0 "$(grep -c '^label' "$OUT")"

# A word that comes once among numbers is a mistake. Words that come again are categories.
awk 'BEGIN { print "a,y"; for (i = 1; i <= 50; i++) print (i == 30 ? "l3" : i * 7 % 31) "," i % 2 }' >typo.csv
refuses 'a word among numbers' 1 "typo.csv:31:1: column 1, a: 'l3' is not a number, but most values are; \
--missing-values takes it for a missing one; to leave the column out: --ignore 1" convert typo.csv new
awk 'BEGIN { print "a,y"; for (i = 1; i <= 50; i++) print (i % 4 == 3 ? "3+" : i % 4) "," i % 2 }' >counts.csv
run convert counts.csv data
same 'numbers and a word' '1 category 4 0
2 label 0 y' "$(kinds)"

# ---- Missing values --------------------------------------------------------

awk 'BEGIN { print "few,many,c,y"; for (i = 1; i <= 300; i++)
    print (i == 7 ? "" : i % 5) "," (i % 10 == 3 ? "Unknown" : i % 6) "," \
        (i == 9 ? "?" : i % 2 ? "u" : "v") "," i % 2 }' >gaps.csv
run convert -s map gaps.csv data
same 'a feature says what is missing, where more than 1 % are' '1 number 1 1
2 number 2 30
3 yes/no 3 1
4 label 0 y' "$(kinds)"
same 'missing numbers are the mean' "1 1:$(awk '/^mean 1/ { print $3 }' map) 2:1 3:1" "$(sed -n 7p data)"
same 'missing categories' '1 1:4 2:3 6:1' "$(sed -n 9p data)"
as_map 'missing values' gaps.csv
printf 'few,many,c,y\n,2,u,1\n1,,v,0\n1,1,,1\n' >new.csv
run convert -r map new.csv
same 'new rows have no other features' '' "$(grep warning "$ERR")"
refuses '--strict-kinds: a missing value' 1 \
    'gaps.csv:4:3: column 2, many: the value is missing; --missing zero, mean or column replaces it' \
    convert --strict-kinds --categorical c gaps.csv new

# ---- Ten tables ------------------------------------------------------------

# goes NAME KINDS: the table is converted without an option, trained on, and predicted.
goes() {
    run convert -s map table.csv data
    same "$1" "$2" "$(kinds | cut -d ' ' -f 1,2 | paste -s -d , -)"
    as_map "$1" table.csv
    run train -q --map map data model
    same "$1: trained" 0 "$STATUS"
    run convert -q -r model table.csv rows
    run predict rows model words
    same "$1: predicted" 0 "$STATUS"
}
table() {
    awk "BEGIN { $1 }" >table.csv
}
table 'printf "a;c;y\r\n"
    for (i = 0; i < 60; i++) printf "%d,5;%s;%s\r\n", i % 7, i % 3 ? "u" : "v", i % 2 ? "p" : "q"'
goes 'semicolons and CRLF' '1 number,2 yes/no,3 label'
table 'print "a,c,y"
    for (i = 0; i < 60; i++) print (i % 9 ? i % 7 : "unknown") "," (i % 8 ? i % 3 : "unknown") "," i % 2'
goes 'unknown' '1 number,2 number,3 label'
table 'print "a,c,y"
    for (i = 0; i < 60; i++) print (i % 9 ? i % 7 : " ") "," (i % 8 ? "k" i % 3 : " ") "," i % 2'
goes 'a blank' '1 number,2 category,3 label'
table 'print "a,c,y"
    for (i = 0; i < 60; i++) print i % 7 ",\"" (i % 3 ? "sales, retail" : "the \"\"best\"\", once") "\"," i % 2'
goes 'commas in quotes' '1 number,2 yes/no,3 label'
table 'print "a,c,y"
    for (i = 0; i < 60; i++) print i % 7 ",\"" (i % 3 ? "two\nlines" : "one" i % 2) "\"," i % 2'
goes 'newlines in quotes' '1 number,2 category,3 label'
table 'print "a,class,c"; for (i = 0; i < 60; i++) print i % 7 "," (i % 2 ? "p" : "q") "," i % 5 / 4'
goes 'the target in the middle' '1 number,2 label,3 number'
table 'print "d,a,y"; for (i = 0; i < 60; i++) printf "%d/%d/2023,%d,%d\n", i % 12 + 1, i % 28 + 1, i % 7, i % 2'
goes 'dates' '1 date,2 number,3 label'
table 'print "a,c,y"; for (i = 0; i < 60; i++) print i % 7 ",k" i % 3 "," (i < 30 ? "p" : "q")'
goes 'sorted by class' '1 number,2 category,3 label'
table 'print "a,c,y"; for (i = 0; i < 60; i++) print i % 7 ",k" i % 3 "," (i == 50 ? "rare" : "usual")'
goes 'one rare class' '1 number,2 category,3 label'
table 'for (j = 1; j < 100; j++) printf "x%d,", j; print "y"; for (i = 0; i < 60; i++) {
    for (j = 1; j < 100; j++) printf "%s,", j == 50 ? "k" i % 3 : j == 60 ? 5 : (i * 10 + j) % 11; print i % 2 }'
goes '100 columns' '1-49 number,50 category,51-59 number,60 constant,61-99 number,100 label'

# ---- Rows for a test -------------------------------------------------------

awk 'BEGIN { print "x,w,g,y"
    for (i = 0; i < 200; i++)
        print i * 37 % 101 / 8 "," i % 4 ",p" i % 37 "," (i < 20 ? "rare" : i < 120 ? "yes" : "no") }' >split.csv
deal() {
    "$BIN/convert" -q "$@" split.csv train
}
"$BIN/convert" -q --ignore w,g split.csv all
# classes FILE: how many rows each class has.
classes() {
    awk '{ n[$1]++ } END { print n[1], n[2], n[3] }' "$1"
}
deal --test test --ignore w,g
same 'classes have their shares' '15 75 60, 5 25 20' "$(classes train), $(classes test)"
sort all >expected
sort train test >both
same_file 'each row is in one file' expected both
cp test first
deal --test test --seed 2 --ignore w,g
same 'another seed, as many rows of each class' '15 75 60, 5 25 20' "$(classes train), $(classes test)"
same 'another seed, other rows' 1 "$(cmp -s first test; echo $?)"
deal --test test --seed 1 --ignore w,g
same_file 'the same seed, the same rows' first test
deal --test test --share 0.1 --in-order --ignore w,g
tail -n 20 all >expected
same_file '--in-order' expected test
run convert -s map --weight w --group g --test test split.csv train
same 'weights and groups: next' \
    "next: $BIN/train --map map -W train.weights -C --refit -v 5 --folds train.groups train" "$(grep '^next' "$OUT")"
same 'a weight and a group for each row' "$(grep -c . train) $(grep -c . train), $(grep -c . test) $(grep -c . test)" \
    "$(grep -c . train.weights) $(grep -c . train.groups), $(grep -c . test.weights) $(grep -c . test.groups)"
same 'no group is in both files' '' "$(sort -u train.groups >a && sort -u test.groups | comm -12 a -)"
holds 'groups: about a quarter of the rows' test "$(grep -c . test)" -ge 45 -a "$(grep -c . test)" -le 55
sh -c "$(sed -n 's/^next: //p' "$OUT") model" >/dev/null 2>&1
same 'weights and groups: what next says works' 0 "$?"
"$BIN/convert" -q --weight w --group g split.csv data
awk -F, 'NR > 1 { print $2 }' split.csv >expected
same_file 'weights are in the order of rows' expected data.weights
refuses 'no weight' 1 "split.bad:2:3: weight '-1' is not a number of at least 0" \
    convert --weight w "$(sed '2s/,0,/,-1,/' split.csv >split.bad && echo split.bad)" new
refuses 'weights beside rows that are printed' 2 "convert: --weight and --group need an output file: they \
write OUTPUT.weights and OUTPUT.groups
Try 'convert --help'." convert --weight w split.csv
refuses 'a share of all' 2 "convert: --share: a number between 0 and 1 expected
Try 'convert --help'." convert --test test --share 1 split.csv data
refuses '--share without --test' 2 "convert: --share needs --test
Try 'convert --help'." convert --share 0.5 split.csv data

# ---- Random tables, against the csv module of Python -----------------------

cat >oracle.py <<'EOF'
"""Converts random tables, and compares each value with what the csv module reads and the map says."""
import csv, datetime, math, random, subprocess, sys

ABSENT = ("", "NA", "?", "unknown")
WORDS = ["red", "blue", "a,b", 'say "hi"', "x;y", "two\nlines", "  blanks", "\u00fcn\u00ef", "k9", "back\\slash"]


def make_table():
    kinds = random.choices(["number", "whole", "category", "date", "constant", "id"], k=random.randint(1, 6))
    kinds[0] = "number"
    gaps = [random.choice([0, 0, 0.005, 0.1]) for _ in kinds]
    words = [random.sample(WORDS, random.randint(2, 4)) for _ in kinds]
    rows = []
    for i in range(random.randint(12, 60)):
        row = []
        for kind, gap, some in zip(kinds, gaps, words):
            day = datetime.date(2000, 1, 1) + datetime.timedelta(random.randrange(11000))
            value = {"number": "%.*f" % (random.randint(0, 4), random.gauss(0, 10)), "whole": str(random.randint(0, 5)),
                     "category": random.choice(some), "date": str(day), "constant": "7", "id": "id%d" % (7 * i)}[kind]
            row.append(random.choice(ABSENT) if random.random() < gap else value)
        rows.append(row + ["pq"[i] if i < 2 else random.choice("pq")])
    return rows


def read_map():
    kinds, means, features = [], {}, {}
    with open("random.map", newline="") as lines:
        for line in lines.read().split("\n"):
            key, *words = line.split(" ")
            if key == "column":
                kinds.append(words[1])
            elif key == "mean":
                means[int(words[0]) - 1] = float(words[1])
            elif key == "feature":
                text = " ".join(words[3:]).replace("\\\\", "\0").replace("\\n", "\n").replace("\0", "\\")
                features[int(words[1]) - 1, words[2], text if words[2] == "category" else ""] = int(words[0])
    return kinds, means, features


def expect(row, rows, kinds, means, features):
    values = {}
    for j, kind in enumerate(kinds[:-1]):
        text = row[j].strip()
        is_number = kind in ("number", "date")
        if kind == "ignored":
            continue
        if text in ABSENT:
            absent = sum(other[j].strip() in ABSENT for other in rows)
            if is_number:
                values[features[j, "number" if kind == "number" else "days", ""]] = means[j]
            if not is_number or 100 * absent > len(rows):
                values[features[j, "missing", ""]] = 1
        elif kind == "number":
            values[features[j, "number", ""]] = float(text)
        elif kind == "date":
            day = datetime.date.fromisoformat(text)
            values[features[j, "days", ""]] = (day - datetime.date(1970, 1, 1)).days
            values[features[j, "category", "month %d" % day.month]] = 1
            values[features[j, "category", "weekday %d" % day.isoweekday()]] = 1
        else:
            values[features[j, "category", text]] = 1
    return {feature: value for feature, value in values.items() if value != 0}


random.seed(int(sys.argv[2]))
for _ in range(40):
    separator = random.choice(",;\t|")
    with open("random.csv", "w", newline="") as table:
        writer = csv.writer(table, delimiter=separator, lineterminator=random.choice(["\n", "\r\n"]))
        rows = make_table()
        writer.writerow(["c%d" % j for j in range(len(rows[0]) - 1)] + ["y"])
        writer.writerows(rows)
    subprocess.run([sys.argv[1], "-q", "-s", "random.map", "random.csv", "random.data"], check=True)
    with open("random.csv", newline="") as table:
        rows = list(csv.reader(table, delimiter=separator))[1:]
    kinds, means, features = read_map()
    for j, mean in means.items():
        values = [float(row[j]) for row in rows if kinds[j] == "number" and row[j].strip() not in ABSENT]
        assert not values or abs(mean - math.fsum(values) / len(values)) <= 1e-12 * abs(mean), (j, mean)
    with open("random.data") as data:
        lines = data.read().splitlines()
    assert len(lines) == len(rows)
    for line, row in zip(lines, rows):
        came = {int(pair.split(":")[0]): float(pair.split(":")[1]) for pair in line.split()[1:]}
        assert came == expect(row, rows, kinds, means, features), (row, line)
    subprocess.run([sys.argv[1], "-q", "-r", "random.map", "random.csv", "again.data"], check=True)
    with open("again.data") as again:
        assert again.read().splitlines() == lines
EOF
if command -v python3 >/dev/null; then
    same 'random tables: the values that Python reads' '' "$(python3 oracle.py "$BIN/convert" 7 2>&1)"
else
    skips 'random tables' 'no python3'
fi

# ---- Real tables -----------------------------------------------------------

if [ -f "$LARGE/adult.data" ]; then
    { tail -n +2 "$LARGE/adult.test" | sed 's/\.$//'; } >adult.test
    run convert --scale -s map "$LARGE/adult.data" adult
    same 'adult: rows, features, gaps' '32561 rows, 108 features, 4262 missing values' "$(grep '^32561' "$OUT")"
    run convert -q -r map adult.test test
    run train -q -B 1 -c 0.1 adult model
    run predict test model words
    # shellcheck disable=SC2016 # awk's
    holds 'adult: at least 85 % of the new rows' awk '{ exit !(substr($3, 1, 4) >= 85) }' "$OUT"
else
    skips adult 'HINGE_DATA has no adult.data'
fi
if [ -f "$LARGE/ames.csv" ]; then
    run convert -s map --test test "$LARGE/ames.csv" train
    same 'ames: identifiers' '1 identifier,2 identifier' "$(kinds | grep ' out ' | cut -d ' ' -f 1,2 | paste -s -d , -)"
    same 'ames: a regression' "next: $BIN/train -s 11 --map map train" "$(grep '^next' "$OUT")"
    as_map 'ames' "$LARGE/ames.csv"
else
    skips ames 'HINGE_DATA has no ames.csv'
fi
