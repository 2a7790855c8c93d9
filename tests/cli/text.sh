# text.sh - columns of text become words, with the weights of the formula and of scikit-learn. New texts
# get the features of the map.
# shellcheck shell=sh

# ---- Weights ---------------------------------------------------------------

cat >films.csv <<'EOF'
label,review
good,"Good film, good!"
bad,a bad film
good,GOOD
EOF

run convert --text review --min-rows 3 films.csv data
same_text 'no word is in enough rows' "$ERR" 'convert: warning: column 2 has no features: no word of two letters is in as many '\
'rows as --min-rows says, 3'

# good and film are in 2 of 3 rows, ln(4/3) + 1 = 1.28768; bad is in one, ln(4/2) + 1 = 1.69315. In row 1
# good counts 1 + ln 2 = 1.69315 times, so its weight is 1.69315 / sqrt(1.69315^2 + 1) = 0.86103.
run convert -s map --text review --min-rows 1 films.csv data
same 'exit status' 0 "$STATUS"
same_text 'what is said' "$OUT" "column  kind        features  missing  name
     1  label                       0  label
     2  text               3        0  review
3 rows, 3 features
label: 1 = good, 2 = bad
next: $BIN/train --map map data"
same_text 'tf-idf' data '1 1:0.861036995944 2:0.5085423203783
2 2:0.6053485081063 3:0.7959605415682
1 1:1'
same_text 'the map' map 'hinge-map 3
separator comma
decimal point
missing auto
names 1
column 1 words label
column 2 text review
class 1 good
class 2 bad
text 2 ngrams 1 min-rows 1 max-features 0 weighting tf-idf hash 0 rows 3
feature 1 2 word 2 good
feature 2 2 word 2 film
feature 3 2 word 1 bad
end c5aad2a31878266b'
run convert -q -r map films.csv
same_file 'the same rows by the map' data "$OUT"
run_piped films.csv convert -q --text review --min-rows 1 -
same_file 'a pipe is read twice, too' data "$OUT"
run convert -q --text 2 --label 1 --weighting counts films.csv
same_text 'counts of words in two rows' "$OUT" '1 1:2 2:1
2 2:1
1 1:1'
run convert -q --text review --weighting binary --ngrams 2 --min-rows 1 films.csv
same_text 'pairs of words' "$OUT" '1 1:1 2:1 3:1 4:1
2 2:1 5:1 6:1
1 1:1'
run convert -q --text review --weighting counts --max-features 1 films.csv
same_text 'the most frequent word' "$OUT" '1 1:2
2
1 1:1'
run convert -q -s hashed --text review --hash 20 films.csv hashed.data
same 'no words in the map' 0 "$(grep -c '^feature' hashed)"
same 'as many values as words' '2 2 1' "$(awk '{ printf "%s%d", (NR > 1 ? " " : ""), NF - 1 }' hashed.data)"
run convert -q -r hashed films.csv
same_file 'hashed words by the map' hashed.data "$OUT"

printf 'review,label\nthe film is dull: dull,?\nunheard of words,?\n"",?\n' >new.csv
run convert -q --no-labels -r map new.csv
same_text 'new texts have the words of the map alone' "$OUT" '0 2:1
0
0'

# ---- Tables with other columns ----------------------------------------------

# Numbers, then the words of each text in the order of columns, then categories.
printf '%s\n' 'title;age;y;body;town' 'Red house;1,5;1;old red house;Bonn' 'house;2;2;house red;Ulm' >mixed.csv
run convert -q -s mixed --text title,body --min-rows 1 --weighting counts --categorical town --label y \
    --decimal-comma mixed.csv data
same_text 'all kinds of columns' data '1 1:1.5 2:1 3:1 4:1 5:1 6:1 7:1
2 1:2 3:1 5:1 6:1 8:1'
run convert -q -r mixed mixed.csv
same_file 'by the map' data "$OUT"
awk -F ';' '{ print $5 ";" $4 ";" $3 ";" $2 ";" $1 }' mixed.csv >turned.csv
run convert -q -r mixed turned.csv
same_file 'columns in another order' data "$OUT"
run train -q data model
run inspect --names mixed -n 8 model
for name in age title=red title=house body=old body=red body=house town=Bonn town=Ulm; do
    holds "inspect names $name" grep -Fqw "$name" "$OUT"
done
run convert -q -s hashed --text title,body --hash 4 --missing mean --weighting counts --label y --ignore town \
    --decimal-comma mixed.csv data
same 'hashed texts and numbers' 33 "$(awk '{ for (k = 2; k <= NF; k++) if ($k + 0 > most) most = $k + 0 }
    END { print most <= 33 ? 33 : most }' data)"
run train -q data model
run inspect --names hashed model
holds 'inspect numbers hashed words' grep -Eq 'body #[0-9]+' "$OUT"

# ---- Lines ------------------------------------------------------------------

printf '__label__x good film\n__label__y, "bad" film\n\n__label__x good\n' | sed 3d >fast
run convert -q -s map --min-rows 1 --weighting counts fast data
same_text 'lines for fastText' data '1 1:1 2:1
2 2:1 3:1
1 1:1'
same_text 'their map' map 'hinge-map 3
separator lines
decimal point
missing auto
names 0
column 1 words
column 2 text
class 1 x
class 2 y,
text 2 ngrams 1 min-rows 1 max-features 0 weighting counts hash 0 rows 3
feature 1 2 word 2 good
feature 2 2 word 2 film
feature 3 2 word 1 bad
end eb853977fca4d14b'
printf 'film film\r\n\r\n"good\r\n' >lines
run convert -q --no-labels -r map lines
same_text 'a sentence a line, of which one is empty' "$OUT" '0 2:2
0
0 1:1'
printf '%s\n' x y x >predicted
run convert -q --no-labels -r map --append predicted lines
printf 'film film\tx\r\n\ty\r\n"good\tx\r\n' >expected
same_file 'a prediction after each sentence' expected "$OUT"
run convert -q --no-labels --separator lines --min-rows 1 --weighting binary lines
same_text 'lines without a label' "$OUT" '0 1:1
0
0 2:1'
refuses 'a text is no label' 2 "convert: no column is left for the label; --no-labels converts rows without one
Try 'convert --help'." convert --separator lines lines
printf '__label__a __label__b good\n' >two
refuses 'two labels' 1 'two:1:12: a second label; a row can have only one' convert two
printf 'good\n__label__a good\n' >late
refuses 'a label in a later line' 1 'late:2:12: 2 columns where the first line has 1' \
    convert --separator lines --no-labels late
printf '__label__a good\ngood\n' >lacks
refuses 'a line without its label' 1 'lacks:2:1: the label is missing' convert lacks new

# ---- Hostile texts ----------------------------------------------------------

# Bytes that are not UTF-8 separate words. Greek and Cyrillic capitals become small letters, Chinese characters words.
printf 'y\tt\n1\tab\377cd ef\300\241gh\n2\t... ?! -\n1\t\n2\t\320\226\320\201\320\226 \316\243\316\237\316\243\n' >odd.tsv
printf '1\t\344\270\255\345\233\275\n2\t\320\266\321\221\320\266 \317\203\316\277\317\202\n' >>odd.tsv
run convert -q -s map --label y --text t --min-rows 1 --weighting binary odd.tsv
same_text 'odd texts' "$OUT" '1 1:1 2:1 3:1 4:1
2
1
2 5:1 6:1
1 7:1 8:1 9:1
2 5:1 6:1'
printf 'y\tt\n1\tgood\0bad\n' >nul.tsv
refuses 'a NUL' 1 'nul.tsv:2:7: NUL byte' convert --label y --text t nul.tsv
awk 'BEGIN { print "y\tt"; for (i = 0; i < 3; i++) { printf "%d\t", i % 2
    for (k = 0; k < 150000; k++) printf "w%d ", (k * k + i) % 997; print "" } }' >long.tsv
run convert -q -s map --label y --text t --ngrams 3 long.tsv data
run convert -q -r map long.tsv
same_file 'cells of 600 KB' data "$OUT"
awk 'BEGIN { print "y\tt"; for (i = 0; i < 2; i++) { printf "%d\t", i; for (k = 0; k < 1000000; k++) printf "x"
    print "" } }' >word.tsv
run convert -q -s map --label y --text t word.tsv data
same 'a word of a million letters' 2 "$(grep -c '1:1$' data)"
printf 't,y\n,1\n!,2\n' >none.csv
run convert -q --text t none.csv
same_text 'no words at all' "$OUT" '1
2'

# ---- Options ----------------------------------------------------------------

for option in '--text t' '--ngrams 2' '--min-rows 1' '--max-features 9' '--weighting binary' '--hash 4'; do
    # shellcheck disable=SC2086 # two words
    refuses "-r and $option" 2 "convert: -r and ${option% *} exclude each other
Try 'convert --help'." convert -r map $option odd.tsv
done
refuses 'hashes have no frequent words' 2 "convert: --hash and --min-rows exclude each other
Try 'convert --help'." convert --hash 4 --min-rows 2 --text t odd.tsv
refuses 'too many bits' 2 "convert: --hash: at most 30
Try 'convert --help'." convert --hash 31 --text t odd.tsv
refuses 'an ignored text' 2 "convert: --text: column 't' is ignored
Try 'convert --help'." convert --ignore t --text t odd.tsv
refuses 'a text as label' 2 "convert: --label: column 't' is text
Try 'convert --help'." convert --label t --text t odd.tsv

# ---- Hostile maps -----------------------------------------------------------

head='hinge-map 3
separator tab
decimal point
missing refused
names 0
column 1 label
column 2 text
'
text='text 2 ngrams 1 min-rows 1 max-features 0 weighting tf-idf hash 0 rows 9
'
# bad_map LINES MESSAGE: the message is about these lines after the head.
bad_map() {
    printf "%s$1" "$head" >bad.map
    refuses "$2" 1 "bad.map:$2" convert -r bad.map odd.tsv
}
bad_map '' '8:1: text 2 expected'
bad_map 'text 3\n' "8:6: '3' is no column"
bad_map 'text 1 ngrams 1\n' '8:6: column 1 is none of text'
bad_map 'text 2 ngrams 10\n' "8:15: '10' is no ngrams"
bad_map 'text 2 grams 1\n' "8:8: 'grams' where a map has ngrams"
bad_map 'text 2 ngrams 1 min-rows 0\n' "8:26: '0' is no min-rows"
bad_map 'text 2 ngrams 1 min-rows 1 max-features 9999999999\n' "8:41: '9999999999' is no max-features"
bad_map 'text 2 ngrams 1 min-rows 1 max-features 0 weighting bm25\n' "8:53: 'bm25' where a map has a weighting"
bad_map 'text 2 ngrams 1 min-rows 1 max-features 0 weighting tf-idf hash 31\n' "8:65: '31' is no hash"
bad_map 'text 2 ngrams 1\n' '8:16: min-rows expected'
bad_map "$text$text" '9:6: column 2 is repeated'
bad_map "${text}feature 1 2 word 10 good\n" "9:18: '10' is no number of rows"
bad_map "${text}feature 1 2 word 0 good\n" "9:18: '0' is no number of rows"
bad_map "${text}feature 2 2 word 1 good\n" '9:9: feature 2 where 1 is the next one'
bad_map "${text}feature 1 2 word 1 good\nfeature 2 2 word 1 good\n" '10:9: the feature is repeated'
bad_map "${text}feature 1 1 word 1 good\n" '9:9: words come after numbers, in the order of columns of text'
bad_map "${text}feature 1 2 category good\n" '9:9: column 2 is of another kind'
bad_map "${text}feature 1 2 number\n" '9:9: features of numbers come first, in the order of columns'
bad_map "${text}feature 1 2 word 1 good\n" \
    '10:1: end expected: the map is cut short; convert -s makes it anew'
hash='text 2 ngrams 1 min-rows 1 max-features 0 weighting tf-idf hash 30 rows 0
'
bad_map "${hash}feature 1073741825 2 word 1 good\n" \
    '9:9: words come after numbers, in the order of columns of text'
head="${head}column 3 text
column 4 text
"
bad_map "$hash$(printf '%s' "$hash" | sed 's/ 2/ 3/')
$(printf '%s' "$hash" | sed 's/ 2/ 4/')
" '13:1: more than 2147483646 features'

# ---- scikit-learn -----------------------------------------------------------

cat >oracle.py <<'EOF'
"""Compares convert's weights of random texts with those of TfidfVectorizer, by the names of the map."""
import csv, random, subprocess, sys
from sklearn.feature_extraction.text import TfidfVectorizer

random.seed(7)
parts = ['Film', 'GOOD', 'été', 'ÉTÉ', 'жизнь', 'ЖИЗНЬ', 'ὀδός', '42', 'x', 'don', "t's", 'naïve', 'straße', 'w%d']
for ngrams, rows, least in ((1, 300, 1), (2, 500, 2), (3, 200, 3)):
    texts = []
    for _ in range(rows):
        words = [random.choice(parts).replace('%d', str(random.randrange(40))) for _ in range(random.randrange(30))]
        texts.append(''.join(word + random.choice([' ', ', ', '; ', '-', '.\n', '"']) for word in words))
    with open('oracle.csv', 'w', encoding='utf-8', newline='') as file:
        csv.writer(file).writerows([['text', 'label']] + [[text, k] for k, text in enumerate(texts)])
    subprocess.run([sys.argv[1], '-q', '-s', 'oracle.map', '--text', 'text', '--header', 'yes', '--ngrams', str(ngrams),
                    '--min-rows', str(least), 'oracle.csv', 'oracle.data'], check=True)
    names = []
    for line in open('oracle.map', encoding='utf-8'):
        if line.startswith('feature '):
            names.append(line.rstrip('\n').split(' ', 5)[5])
            assert int(line.split()[1]) == len(names)
    vectorizer = TfidfVectorizer(sublinear_tf=True, ngram_range=(1, ngrams), min_df=least,
                                 token_pattern=r'(?u)[^\W_]{2,}')
    matrix = vectorizer.fit_transform(texts)
    assert sorted(names) == sorted(vectorizer.vocabulary_), set(names) ^ set(vectorizer.vocabulary_)
    for k, line in enumerate(open('oracle.data')):
        fields = line.split()
        assert int(fields[0]) == k
        ours = {names[int(index) - 1]: float(value) for index, value in (field.split(':') for field in fields[1:])}
        row = matrix[k]
        theirs = dict(zip((list(vectorizer.get_feature_names_out())[j] for j in row.indices), row.data))
        assert ours.keys() == theirs.keys()
        assert all(abs(ours[name] - theirs[name]) <= 1e-12 * theirs[name] for name in ours), (ours, theirs)
EOF
if /usr/bin/python3 -c 'import sklearn.feature_extraction.text' 2>/dev/null; then
    same 'the weights of scikit-learn' '' "$(/usr/bin/python3 oracle.py "$BIN/convert" 2>&1)"
else
    skips 'the weights of scikit-learn' '/usr/bin/python3 has no sklearn'
fi

# ---- sst2 -------------------------------------------------------------------

if [ -f "$LARGE/sst2.train.tsv" ] && [ -f "$LARGE/sst2.dev.tsv" ]; then
    run convert -q -s map --text sentence --label label --ngrams 2 "$LARGE/sst2.train.tsv" sst2
    run convert -q -r map --header skip "$LARGE/sst2.dev.tsv" dev
    run train -q -c 2 sst2 model
    run predict dev model predicted
    # shellcheck disable=SC2016 # awk's
    holds 'at least 80 % of the sentences' awk '{ exit !(substr($3, 1, 4) >= 80) }' "$OUT"
else
    skips sst2 'HINGE_DATA has no sst2'
fi
