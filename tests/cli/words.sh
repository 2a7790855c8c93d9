# words.sh - the words of a table: in the model of train --map, in predictions, scores, pages and advice.
# shellcheck shell=sh

cat >table.csv <<'END'
id,radius,shape,width,diagnosis
1,5.5,round,1,very malignant
2,1.5,flat,2,benign
3,2.5,been cut,1,benign
4,6.5,round,3,very malignant
5,1.25,flat,1,benign
6,7.5,flat,2,very malignant
7,2.25,round,2,benign
8,1.75,been cut,3,benign
9,6.25,been cut,1,very malignant
10,2.75,round,1,benign
END
succeeds 'convert' convert -q --ignore id --categorical shape -s map table.csv data
succeeds 'train --map' train -q --map map data model
succeeds 'train without a map' train -q data plain

# ---- The model ---------------------------------------------------------

sed -n 's/^# map //p' model >lines
same_bytes 'the map is in the record, line by line' map lines
sed '/^# map /d' model | sed 's/ --map map//' >bare
same_bytes 'the rest is the model without a map' plain bare
if command -v liblinear-predict >/dev/null 2>&1; then
    liblinear-predict data model labels >/dev/null
    run predict -q data model own
    same_bytes 'liblinear-predict reads it' labels own
else
    skips 'liblinear-predict reads it' 'it is not installed'
fi
succeeds '--no-record keeps the map' train -q --no-record --map map data stripped
same '--no-record: lines' "$(wc -l <map | tr -d ' ')" "$(grep -c '^#' stripped)"

# From here on the map of the model is the only one.
mv map saved
succeeds 'convert -r MODEL' convert -q -r model table.csv again
same_bytes 'convert -r MODEL: the data' data again
succeeds 'predict --words' predict -q --words data model words
succeeds 'predict' predict -q data model numbers
succeeds 'convert --labels MODEL' convert -q --labels model numbers converted
same_bytes 'predict --words writes what convert --labels does' converted words
holds 'predict --words: a word' grep -qx 'very malignant' words
succeeds 'train --map MODEL' train -q --map model data second
same_file 'train --map MODEL: the same model' model second
succeeds 'inspect' inspect -n 9 model
holds 'inspect: words of classes' grep -qx 'class 1 (very malignant) against 2 (benign)' "$OUT"
holds 'inspect: names of features' grep -q ' radius$' "$OUT"
succeeds 'inspect --names MODEL' inspect -n 9 --names model plain
holds 'inspect --names MODEL: names' grep -q ' radius$' "$OUT"

# ---- Words in outputs --------------------------------------------------

run predict --words --output-format both data model -
same '--words, both: in quotes' '"very malignant" ' "$(head -n 1 "$OUT" | grep -o '^"very malignant" ')"
succeeds 'a model with probabilities' train -q -s 0 --map saved data logistic
run predict -q --words -b 1 data logistic -
same '--words -b 1: the first line' 'labels "very malignant" benign' "$(head -n 1 "$OUT")"
run predict --positive 'very malignant' --metrics data model labels
holds '--positive WORD: precision' grep -q '^Precision of very malignant = ' "$OUT"
holds 'the table of classes' grep -Eq '^very malignant +4 ' "$OUT"
holds 'the confusion matrix' grep -Eq '^rows of a class' "$OUT"
holds 'the confusion matrix: columns' grep -Eq '^ +very malignant +benign$' "$OUT"
same 'the last line is LIBLINEAR'"'"'s' 'Accuracy = 100% (10/10)' "$(tail -n 1 "$OUT")"
cp "$OUT" by_word
run predict --positive 1 --metrics data model labels
same_bytes '--positive takes the number, too' by_word "$OUT"
run predict --positive 'very malignant' --threshold max-f1 data model labels
holds 'the threshold, as it is typed' grep -q "(for new rows: --positive 'very malignant' --threshold" "$OUT"
run predict --metrics=json data model labels
holds 'JSON has label and word' grep -q '{"label":1,"word":"very malignant","rows":4' "$OUT"
run train -v 2 --map model --positive benign --metrics data
holds 'train -v: the positive class' grep -q '^F1 of benign = ' "$OUT"

# ---- The model to start from -------------------------------------------

succeeds '--initial-model' train -q --initial-model model data follower
sed -n 's/^# map //p' follower >kept
same_bytes '--initial-model keeps the map' lines kept
succeeds '--initial-model: -w takes a word' train -q --initial-model model -wbenign 2 data follower
(cat data && echo '1 6:1') >longer
succeeds '--initial-model, more features' train -q --initial-model model longer follower
same '--initial-model, more features: no map' 0 "$(grep -c '^# map ' follower)"

# ---- Words in train ----------------------------------------------------

for weight in '-w1 3' '-wvery malignant 3' '--weight very malignant:3' '--weight 1:3'; do
    option=${weight% 3}
    [ "$option" = "$weight" ] || set -- "$option" 3
    [ "$option" != "$weight" ] || set -- --weight "${weight#--weight }"
    succeeds "train $weight" train -q --map model "$@" data weighed
    grep -v '^# command' weighed >bare
    [ "$weight" = '-w1 3' ] && cp bare by_label
    same_bytes "train $weight: the model" by_label bare
done
differ 'the weight of a word changes the model' "$(cksum <plain)" "$(cksum <bare)"
run train --map model '-wvery malignant' 3 --weight '7:2' data weighed
same_text 'a label without rows' "$ERR" 'train: warning: no row has the label 7, for which a weight is given'
run train -v 2 --map model --predictions rows data
same '--predictions: words' 'very malignant,benign' "$(awk -F, 'NR > 1 { print $3 }' rows | awk '!seen[$0]++' |
    paste -s -d , -)"
same '--predictions: predicted words' '' \
    "$(awk -F, 'NR > 1 && $4 != "benign" && $4 != "very malignant"' rows)"
sed 's/very malignant/a:b/; s/benign/"c, ""d"/' table.csv >signs.csv
succeeds 'words with signs' convert -q --ignore id --categorical shape -s signs.map signs.csv signs
run train -v 2 --map signs.map --weight a:b:2 '-wc, "d' 2 --predictions rows signs
same '--predictions: words in quotes' '"c, ""d"' "$(grep -o '"c, ""d"' rows | head -n 1)"
same_text '--weight takes the last colon' "$ERR" ''
refuses 'a weight of a word that is no class' 2 "train: -wlost: 'lost' is neither a class of the map nor a finite \
number; the map has 'very malignant', 'benign'
Try 'train --help'." \
    train --map model -wlost 2 data third
refuses 'a weight of a word without a map' 2 "train: -wbenign: 'benign' is not a class label
Try 'train --help'." \
    train -wbenign 2 data third
succeeds 'pages' train -q --map model --report page data third
holds 'a page of train: features' grep -q 'shape=been cut' page
holds 'a page of train: classes' grep -q 'very malignant against benign' page
succeeds 'a page of predict' predict -q --report page data model labels
holds 'a page of predict: classes' grep -q 'very malignant' page
succeeds 'a page of inspect' inspect -q --report page model
holds 'a page of inspect: features' grep -q 'radius' page

awk -F, -v OFS=, 'NR % 3 == 0 { $5 = "normal" } 1' table.csv >three.csv
succeeds 'three classes' convert -q --ignore id --categorical shape -s map3 three.csv data3
run train --map map3 data3 model3
same 'train: the word of each class' '(very malignant) (normal) (benign) ' \
    "$(sed -n 's/^class .* of 3 \(([^)]*)\) against the rest$/\1/p' "$OUT" | tr '\n' ' ')"

# If a word looks like the number of another class, the word counts.
awk -F, -v OFS=, 'NR > 1 { $5 = $5 == "benign" ? 1 : 2 } 1' table.csv >digits.csv
succeeds 'classes 2 and 1' convert -q --ignore id --categorical shape,diagnosis -s map digits.csv data2
succeeds 'classes 2 and 1: train' train -q --map map data2 model2
run predict --positive 1 --metrics data2 model2 labels
holds 'classes 2 and 1: --positive is the word' grep -q '^Precision of 1 = ' "$OUT"
run predict --positive 1 --output-format both --words data2 model2 -
same 'classes 2 and 1: the value is for the word' 1 "$(awk '$1 == 1 && $2 > 0 { one = 1 } END { print one }' "$OUT")"

# Labels that are numbers stay numbers.
succeeds 'labels that are numbers' convert -q --ignore id,diagnosis --label width --categorical shape \
    -s map3 table.csv data3
succeeds 'labels that are numbers: train' train -q -s 11 --map map3 data3 model3
succeeds 'labels that are numbers: predict' predict -q data3 model3 labels
succeeds 'labels that are numbers: classes' train -q --map map3 data3 model4
succeeds 'labels that are numbers: --words' predict -q --words data3 model4 labels
holds 'labels that are numbers: a label' grep -qx '[123]' labels

# ---- What does not fit -------------------------------------------------

refuses 'a word that is no class' 2 "predict: --positive: 'lost' is neither a class of the map nor a finite number; \
the map has 'very malignant', 'benign'
Try 'predict --help'." \
    predict --positive lost data model labels
refuses '--words without a map' 2 "predict: --words: the model has no map: train --map puts one into it
Try 'predict --help'." \
    predict --words data plain labels
refuses '--words of a regression' 2 "predict: --words: the model is a regression, without classes
Try 'predict --help'." \
    predict --words data3 model3 labels
refuses 'a model without a map' 1 'plain:1:1: the model has no map: train --map MAP puts one into it' \
    convert -r plain table.csv again
refuses 'a list of names is no map' 1 "table.csv:1:1: 'id,radius,shape,width,diagnosis' where a map has hinge-map" \
    train --map table.csv data third
echo '1 6:1' >wide
refuses 'a feature beyond the map' 1 \
    'wide:1:1: the data have a feature 6, and saved has 5 features: give the map that convert made with these data' \
    train --map saved wide third
echo '3 1:1' >other
refuses 'a label beyond the map' 1 \
    "other:1:1: row 1 has the label 3, and the classes of saved are 1 to 2: give the map that convert made with \
these data" \
    train --map saved other third
refuses '--zero-based' 2 "train: --map and --zero-based exclude each other
Try 'train --help'." \
    train --zero-based --map saved data third

# ---- Models that were bad short or changed -----------------------------

# broken NAME MESSAGE: all programs that read its map refuse the model `bad`, with one line.
broken() {
    refuses "$1: convert" 1 "$2" convert -r bad table.csv again
    refuses "$1: inspect" 1 "$2" inspect bad
    refuses "$1: train" 1 "$2" train --map bad data third
}

first=$(sed -n '/^# map hinge-map/=' model)
last=$(sed -n '/^# map end/=' model)
sed '/^# map end/d' model >bad
broken 'no end' "bad:$last:1: end expected: the map is cut short; convert -s makes it anew"
refuses 'no end: predict' 1 'bad:1:1: the map in the model is cut short; train --map makes it anew' \
    predict data bad labels
sed 's/ benign$/ Benign/' model >bad
broken 'a word that was changed' "bad:$last:11: the checksum is not that of the lines before: the map was \
changed; convert -s makes it anew"
sed 's/# map hinge-map .*/# map hinge-map 99/' model >bad
for command in 'convert -r bad table.csv again' 'inspect bad' 'train --map bad data third' 'predict data bad labels'; do
    # shellcheck disable=SC2086 # the words of a command
    run $command
    matches "a version to come: $command" "$ERR" "bad:$first:17: '99' where a map has version .*"
    same "a version to come: $command: exit status" 1 "$STATUS"
done
{ cat model && sed -n '/^# map /p' model; } >bad
broken 'two maps' "bad:$((last + 1)):7: 'hinge-map' after 'end'"
sed 's/^# map class 2 /# map class 4294967295 /' model >bad
class=$(sed -n '/^# map class 4/=' bad)
broken 'a huge number of a class' "bad:$class:13: '4294967295' is no class"
refuses 'a huge number of a class: predict' 1 "bad:$class:13: '4294967295' is no class" predict data bad labels
sed 's/^# map column 5 words.*/# map column 5/' model >bad
column=$(sed -n '/^# map column 5/=' bad)
broken 'a column without a kind' "bad:$column:15: the kind of the column expected"
