# newcomer.sh - the first five minutes: messages about files that are not in LIBSVM's format, and about the next step.
# shellcheck shell=sh

# ---- What comes after a training ---------------------------------------

write_tiny tiny
run train tiny
same 'the next command' "next: $BIN/predict ROWS tiny.model LABELS" "$(tail -n 1 "$OUT")"
same_text 'without advice' "$ERR" ''
sed -n 's/^next: //p' "$OUT" | sed 's/ROWS/tiny/; s/LABELS/labels/' >next
sh ./next >got 2>&1
same_text 'does what it says' got 'Accuracy = 100% (4/4)'
run train tiny "it's my model"
same 'a name with blanks can be typed' \
    "next: $BIN/predict ROWS 'it'\\''s my model' LABELS" "$(tail -n 1 "$OUT")"
run train tiny "$(printf 'my\033[31m\302\233model')"
same 'a name with control characters is shown, and can be typed' \
    "next: $BIN/predict ROWS \$'my\\033[31m\\302\\233model' LABELS" "$(tail -n 1 "$OUT")"
run train -- tiny -my=model
same 'a name that is no option, and no assignment' \
    "next: $BIN/predict ROWS ./-my=model LABELS" "$(tail -n 1 "$OUT")"
cp tiny ./-tiny
run train -- -tiny
sed -n 's/^next: //p' "$OUT" | sed 's/ROWS/tiny/; s/LABELS/labels/' >next
sh ./next >got 2>&1
same_text 'the default name of such data' got 'Accuracy = 100% (4/4)'
for quiet in '-q tiny' '-C tiny' '-v 2 tiny' '-C --refit --metrics=json tiny m'; do
    # shellcheck disable=SC2086
    run train $quiet
    same "nothing next: train $quiet" '' "$(grep next: "$OUT")"
done
(PATH=$BIN:$PATH && train tiny) >got 2>&1
same 'found by PATH' 'next: predict ROWS tiny.model LABELS' "$(tail -n 1 got)"

# ---- Advice to scale ---------------------------------------------------

# spread FACTOR: data whose second feature is FACTOR times as large as the first.
spread() {
    awk -v factor="$1" 'BEGIN {
        for (i = 0; i < 40; i++)
            printf "%d 1:%g 2:%g 3:%g\n", i % 2 ? 1 : -1, i % 2 ? 0.5 : -0.25, \
                (i % 3 - 1) * 0.5 * factor, i % 5 ? -0.1 : 0.2
    }'
}
spread 398 >d
run train d
same_text 'nothing below a factor of 1000' "$ERR" ''
spread 402 >d
run train d
same_text 'advice above it' "$ERR" "train: advice: feature 2 reaches 201, feature 3 0.2; scaled data \
train faster and often better: $BIN/scale -s RANGES DATA SCALED"
same 'with exit status 0' 0 "$STATUS"
run train -q d
same_text 'none with -q' "$ERR" ''
awk '{ printf "%s", $1; for (k = 2; k <= NF; k++) { split($k, f, ":"); printf " %d:%s", f[1] - 1, f[2] }
    print "" }' d >zero
run train --zero-based zero
same 'indices as in the file' 'train: advice: feature 1 reaches 201, feature 2 0.2' \
    "$(sed 's/;.*//' "$ERR")"
"$BIN/scale" d e
run train e
same_text 'none once it is done' "$ERR" ''
spread 1 >d
echo '1 1:0.5 2:0.5 4:1e6' >>d
run train d
same_text 'none for a feature that few rows have' "$ERR" ''
awk 'BEGIN { for (i = 0; i < 300000; i++) printf "%d 1:1 2:%d\n", i % 2, i % 7 == 3 ? 5000 : 2 }' >d
run train d
same 'a sample of a large file does' 'train: advice: feature 2 reaches 5e+03, feature 1 1' \
    "$(sed 's/;.*//; q' "$ERR")"

# ---- Files that are something else -------------------------------------

# try_line OPTION FILE: the advice about a table: -s makes a map, -r uses the map of the model or the ranges.
try_line() {
    case $1 in
    -s) echo "
Try: $BIN/convert -s MAP $2 DATA
     The label is a column called label, class or target, else the last one. --label COLUMN names it." ;;
    -r) echo "
Try: $BIN/convert -r MAP $2 DATA
     MAP is the map that convert -s saved with the training rows. For rows without labels add --no-labels." ;;
    esac
}

# is_no_data FILE PLACE KIND: train, predict and scale refuse the file, by name and on standard input. For a table they
# also say what to type.
is_no_data() {
    new='' old='' new_stdin='' old_stdin=''
    case $3 in
    *"$convert")
        new=$(try_line -s "$1") old=$(try_line -r "$1")
        new_stdin=$(try_line -s TABLE) old_stdin=$(try_line -r TABLE)
        ;;
    esac
    refuses "train $1" 1 "$1:$2; the file looks like $3$new" train "$1" new
    refuses "predict $1" 1 "$1:$2; the file looks like $3$old" predict "$1" tiny.model new
    refuses "scale $1" 1 "$1:$2; the file looks like $3$new" scale "$1" new
    refuses "scale -r $1" 1 "$1:$2; the file looks like $3$old" scale -r tiny.ranges "$1" new
    run train - new <"$1"
    same "train - <$1" "(standard input):$2; the file looks like $3$new_stdin" "$(cat "$ERR")"
    run predict - tiny.model new <"$1"
    same "predict - <$1" "(standard input):$2; the file looks like $3$old_stdin" "$(cat "$ERR")"
}
convert="convert makes LIBSVM's format of it"
"$BIN/scale" -s tiny.ranges tiny /dev/null

# is_compressed FILE KIND: every program refuses the compressed file, in each place for a file.
is_compressed() {
    message="$1:1:1: the file looks like $2 > PLAIN"
    refuses "train $1" 1 "$message" train "$1" new
    refuses "train -W $1" 1 "$message" train -W "$1" tiny new
    refuses "train --initial-model $1" 1 "$message" train -s 2 --initial-model "$1" tiny new
    refuses "predict $1" 1 "$message" predict "$1" tiny.model new
    refuses "predict with $1" 1 "$message" predict tiny "$1" new
    refuses "inspect $1" 1 "$message" inspect "$1"
    refuses "scale $1" 1 "$message" scale "$1" new
    refuses "scale -r $1" 1 "$message" scale -r "$1" tiny new
    refuses "convert $1" 1 "$message" convert "$1" new
    refuses "convert -r $1" 1 "$message" convert -r "$1" tiny new
    run train - new <"$1"
    same "train - <$1" "(standard input)${message#"$1"}" "$(cat "$ERR")"
}
printf '\037\213\010\000' >t.gz
is_compressed t.gz 'data compressed by gzip: try zcat FILE'
printf 'BZh91AY&SY\001\002' >t.bz2
is_compressed t.bz2 'data compressed by bzip2: try bzcat FILE'
printf '\3757zXZ\000\000' >t.xz
is_compressed t.xz 'data compressed by xz: try xzcat FILE'
printf '(\265/\375\044\001' >t.zst
is_compressed t.zst 'data compressed by zstd: try zstdcat FILE'
printf 'PK\003\004\024\000' >t.zip
is_compressed t.zip 'a zip archive: try unzip -p FILE'
printf 'BZh,class\n1,2\n' >bz.csv
run convert -q bz.csv
same_text 'a name like the beginning of compressed data' "$OUT" '2 1:1'
"$BIN/train" -q tiny zipped
if starts gzip; then
    gzip -c tiny >t.gz
    refuses 'a file of gzip' 1 't.gz:1:1: the file looks like data compressed by gzip: try zcat FILE > PLAIN' train t.gz new
    gzip -dc t.gz >plain
    "$BIN/train" -q plain unzipped
    same_file 'what the message says works' zipped unzipped
else
    skips 'what the message says works' 'gzip is not installed'
fi

printf 'sepal,petal,class\n5.1,3.5,1\n' >names.csv
is_no_data names.csv "1:1: label 'sepal,petal,class' is not a number" \
    "a table with ',' between columns (CSV): $convert"
printf '1,5.1,3.5\n' >numbers.csv
is_no_data numbers.csv "1:2: label '1,5.1,3.5' is not a number" \
    "a table with ',' between columns (CSV): $convert"
printf '1;5,1;3,5\r\n' >semicolons.csv
is_no_data semicolons.csv "1:2: label '1;5,1;3,5' is not a number" \
    "a table with ';' between columns (CSV): $convert"
printf '2026-11-21 12:30:00,1,2,3\n' >times.csv
is_no_data times.csv "1:5: label '2026-11-21' is not a number" \
    "a table with ',' between columns (CSV): $convert"
awk 'BEGIN { for (j = 0; j < 100000; j++) printf "%d,", j }' >wide.csv
is_no_data wide.csv "1:2: label '$(head -c 40 wide.csv)' is not a number" \
    "a table with ',' between columns (CSV): $convert"
printf '# a, b, c\n1\t5.1\t3.5' >table.tabs
is_no_data table.tabs "2:4: feature index '5.1' is not a whole number" \
    "a table with tabs between columns: $convert"
printf '1 5.1 3.5\n' >blanks
is_no_data blanks "1:4: feature index '5.1' is not a whole number" \
    "a table with blanks between columns: $convert"
printf '"a b","12:30"\n"x, y",1\n' >quoted.csv
is_no_data quoted.csv "1:1: label '\"a' is not a number" \
    "a table with quoted columns, ',' between them (CSV): $convert"
printf 'a\tb\n1\t2\n' >"my table.tsv"
run train "my table.tsv"
same 'a name with a blank' "Try: $BIN/convert -s MAP 'my table.tsv' DATA" "$(grep '^Try' "$ERR")"
run train --trace t --test names.csv tiny new
same 'new rows' "Try: $BIN/convert -r MAP names.csv DATA" "$(grep '^Try' "$ERR")"
printf '{"x": 1, "y": 2}\n' >t.json
is_no_data t.json "1:1: the row has no label, it starts with '{\"x\":'" \
    'JSON: save it as a table (CSV), which convert reads'
printf '1 |f a:1 b:2\n' >t.vw
is_no_data t.vw "1:3: '|f' is no index:value pair" \
    "Vowpal Wabbit's format: LIBSVM's is 'label index:value ...', without bars"
printf '1,3 1:1 2:1\n' >several
is_no_data several "1:2: label '1,3' is not a number" \
    'multi-label data: keep one label a row, or make a file for each label, with labels 1 and -1'
printf '%% comment\n@RELATION iris\n' >iris.arff
is_no_data iris.arff "1:1: label '%' is not a number" 'an ARFF file: the lines after @data are a table (CSV), which convert reads'
printf '\n@relation iris\n' >other.arff
is_no_data other.arff "2:1: label '@relation' is not a number" 'an ARFF file: the lines after @data are a table (CSV), which convert reads'
printf '<!DOCTYPE html>\n<html>\n' >page
is_no_data page "1:1: label '<!DOCTYPE' is not a number" 'a web page (HTML)'
printf '\377\3761\000 \0001\000' >utf
is_no_data utf '1:4: NUL byte' 'UTF-16 text: save it as plain text (UTF-8)'
is_no_data zipped "1:1: label 'solver_type' is not a number" \
    'a model: is the order of the arguments right?'

# Mistakes in files nearly in LIBSVM's format have exact messages.
printf '1 1:1 2:1,5\n' >comma
refuses 'a comma in a number' 1 "comma:1:10: value '1,5' is not a number: the decimal sign is a point" train comma new
printf '1 1:1\n1,2,3\n' >late
refuses 'not on the first row' 1 "late:2:2: label '1,2,3' is not a number" train late new
printf 'a 1:1 2:1\n' >word
refuses 'a word as label' 1 "word:1:1: label 'a' is not a number" train word new

# Windows line ends are fine.
sed 's/$/\r/' tiny >windows
"$BIN/train" -q windows model
same_file 'Windows line ends' zipped model
