# advice.sh - runs the commands that messages of advice name. None may end in a refusal.
# shellcheck shell=sh

# says NAME REGEX COMMAND...: one line that the command prints matches the expression (grep -E).
says() {
    check=$1 regex=$2
    shift 2
    run "$@"
    cat "$OUT" "$ERR" >said
    if grep -qE -e "$regex" said; then pass; else fails "$check" "$regex" "$(cat said)"; fi
}

# does NAME COMMAND...: the command that a message has named ends with exit status 0.
does() {
    check=$1
    shift
    run "$@"
    cat "$OUT" "$ERR" >said
    same "$check" "status 0" "status $STATUS$([ "$STATUS" = 0 ] || cat said)"
}

# typed NAME BEFORE SED: runs the command after the text BEFORE in the last message, with names replaced by SED.
typed() {
    sed -n "s/.*$2//p" said | sed "$3" >step
    matches "$1: there is a command" step '.+'
    STATUS=0
    sh ./step >said 2>&1 || STATUS=$?
    same "$1: $(cat step)" 'status 0' "status $STATUS$([ "$STATUS" = 0 ] || cat said)"
}

# accuracy: the accuracy of the last prediction, in percent.
accuracy() {
    sed -n 's/^Accuracy = \([0-9.]*\)%.*/\1/p' said
}

# above NAME HIGHER LOWER
above() {
    holds "$1: $2 is above $3" awk -v a="$2" -v b="$3" 'BEGIN { exit !(a != "" && b != "" && a > b) }'
}

# draw SEED COUNT PROGRAM: prints a row for each i. u() is uniform in 0 .. 1, g() has nearly the normal distribution.
draw() {
    awk -v seed="$1" -v count="$2" 'function u() { return rand() }
        function g() { return u() + u() + u() + u() + u() + u() + u() + u() + u() + u() + u() + u() - 6 }
        BEGIN { srand(seed); for (i = 0; i < count; i++) { '"$3"' } }'
}

# ---- Scaling -----------------------------------------------------------

# scaled NAME DATA OPTION: the advice about the data, followed, does not lower the accuracy.
scaled() {
    "$BIN/train" -q -B 1 "$2" m && "$BIN/predict" "$2" m o >said
    before=$(accuracy)
    advice=" advice: .* far from 0; .*scale $3 -s RANGES DATA SCALED, and train with -B 1\$"
    says "$1: advice" "^train:$advice" train "$2" m
    typed "$1" 'often better: ' "s/RANGES/r/; s/DATA/$2/; s/SCALED/s/; s/, and.*//"
    same "$1: scale says nothing more" '' "$(cat said)"
    does "$1: train" train -B 1 s m
    same "$1: no more advice" '' "$(grep advice: said)"
    does "$1: predict" predict s m o
    after=$(accuracy)
    holds "$1: $after is not below $before" awk -v a="$after" -v b="$before" 'BEGIN { exit !(a >= b) }'
    says "$1: scale alone, too" "^scale:$advice" scale "$2" s
}
draw 1 300 't = 1950 + int(90 * u()); v = u(); print (t + 20 * v > 2005 ? 1 : -1), "1:" t, "2:" v' >years
scaled years years '-l -1'
draw 2 300 't = 285 + 9 * g(); p = 101000 + 800 * g()
    print ((t - 285) / 9 + (p - 101000) / 800 + g() / 3 > 0.4 ? 2 : 5), "1:" t, "2:" p, "3:" g()' >weather
scaled 'kelvin and pascal' weather '-l -1'
{ echo year,size,class && sed 's/^\([^ ]*\) 1:\([^ ]*\) 2:\(.*\)/\2,\3,\1/' years; } >years.csv
does 'a table of years' convert -s map years.csv data
says 'a table of years: the scales belong into the map' \
    'scale -l -1 --map map DATA SCALED, and train with -B 1$' train --map map data m
typed 'a table of years' 'often better: ' 's/DATA/data/; s/SCALED/s/; s/, and.*//'
does 'a table of years: rows of the map' convert -q -r map years.csv again
same_bytes 'a table of years: rows of the map are scaled' s again
draw 3 400 't = 1970 + int(50 * u()); c = int(30 * u())
    print (t - 1995 + 20 * sin(9 * c) > 0 ? 1 : 2), "1:" t, (c + 2) ":1"' >sparse
scaled 'a year and categories' sparse '-l 0'
same 'categories stay sparse' 2 "$("$BIN/scale" -q -l 0 sparse - | awk 'NF - 1 > n { n = NF - 1 } END { print n }')"
for quiet in 'train -q years m' 'scale -q years s' 'scale -l -1 years s' 'scale -u 1 years s'; do
    # shellcheck disable=SC2086
    succeeds "no advice: $quiet" $quiet
done
# features near 0, constant ones, and ones that a row lacks
draw 4 60 'print i % 2, "1:" 7, "2:" u() - 0.5' >near
succeeds 'no advice: a constant, and values around 0' train near m
draw 4 60 'print i % 2, (i == 30 ? "" : "1:" 7 + u()), "2:" u()' >lacking
succeeds 'no advice: a row without the feature' train lacking m

# ---- Large indices -----------------------------------------------------

draw 11 80 'y = i % 2 ? 1 : -1; print y, 1500000 + i % 4 ":1", 2000000 + i % 3 ":" y + g(), "3000000:2"' >hashed
says 'large indices' '^train: advice: indices reach 3000000, and at most 240 features occur' train hashed m
"$BIN/predict" -q hashed m expected
typed 'large indices' 'with the index: ' 's/RANGES/r/; s/DATA/hashed/; s/NUMBERED/numbered/; s/, and.*//'
same 'large indices: numbers' '1 2 3 4 5 6 7 8' \
    "$(awk '{ for (k = 2; k <= NF; k++) print $k + 0 }' numbered | sort -nu | paste -s -d ' ' -)"
does 'large indices: train' train numbered m
same 'large indices: no more advice' '' "$(grep 'indices reach' said)"
holds 'large indices: the model' test "$(sed '1,/^w$/d; /^#/d' m | wc -l)" -eq 8
tail -n 7 hashed >few
does 'large indices: rows to predict' scale --renumber -r r few few.numbered
tail -n 7 numbered >tail.numbered
same_file 'large indices: rows to predict have the same numbers' tail.numbered few.numbered
succeeds 'large indices: no advice with -q' train -q hashed m
awk '{ print $1, "0:5", $2 }' hashed >based
"$BIN/scale" -q --zero-based --renumber based numbered
same 'large indices, from 0' '0 1 2 3 4' \
    "$(awk '{ for (k = 2; k <= NF; k++) print $k + 0 }' numbered | sort -nu | paste -s -d ' ' -)"

# ---- Labels ------------------------------------------------------------

# prices COUNT DIFFERENT: a table of COUNT rows with DIFFERENT prices.
prices() {
    awk -v n="$1" -v k="$2" 'BEGIN { print "rooms,area,price"; for (i = 0; i < n; i++)
        print i % 7 "," i % 11 "," 500 * (i % k) }'
}
# Labels are taken for prices if they are more than a fifth of the rows (40 of 150), or more than 100.
for shape in '150 40' '9000 101'; do
    # shellcheck disable=SC2086
    prices $shape >houses.csv
    does "prices, $shape: convert" convert houses.csv houses
    typed "prices, $shape: next" 'next: ' 's/$/ m/'
    same "prices, $shape: without a warning" '' "$(grep warning: said)"
    says "prices, $shape: classes, with -q" ' labels for .* for a regression take -s 11$' train -q -i 1 houses m
    does "prices, $shape: a regression" train -q -s 11 houses m
done
for shape in '150 30' '9000 100' '12 10'; do
    # shellcheck disable=SC2086
    prices $shape >houses.csv
    does "classes, $shape: convert" convert houses.csv houses
    same "classes, $shape: next" "next: $BIN/train houses" "$(grep next: said)"
    succeeds "classes, $shape: no warning" train -q -i 1 houses m
done
says 'two labels of a regression' 'for two classes take -s 1$' train -s 13 "$CANCER" m
does 'two labels of a regression: -s 1' train -s 1 "$CANCER" m
draw 5 300 'y = i % 2 ? 1 : -1; print (i % 5 < 3 ? y : 0), "1:" y + g(), "2:" y + g()' >zeros
says 'labels 1, -1 and 0' "^train: advice: 0 is a third class beside 1 and -1; " train zeros m
typed 'labels 1, -1 and 0' 'leave them out: ' 's/DATA/zeros/; s/LABELLED/labelled/'
does 'labels 1, -1: train' train labelled m
same 'labels 1, -1: two classes' '2' "$(sed -n 's/^nr_class //p' m)"
same 'labels 1, -1: no advice' '' "$(grep advice: said)"
says 'all classes weigh 0' '^train: advice: all classes weigh 0' train -w1 0 -w-1 0 -w2 5 "$CANCER" m
does 'a class weighs 2' train -w1 0 -w-1 2 "$CANCER" m
same 'a class weighs 2: no advice' '' "$(grep advice: said)"
for quiet in '-q zeros' '-q -w0 0 -w1 0 -w-1 0 zeros' '-q -s 13 labelled'; do
    # shellcheck disable=SC2086
    succeeds "no advice: $quiet" train $quiet m
done

# ---- Regressions -------------------------------------------------------

error_of() {
    sed -n 's/^Mean squared error = \([^ ]*\).*/\1/p' said
}
draw 6 200 'a = u(); b = u(); print 40000 + 90000 * a - 20000 * b + 500 * g(), "1:" a, "2:" b' >targets
"$BIN/train" -q -s 13 targets m && "$BIN/predict" targets m o >said
before=$(error_of)
says 'predictions far below targets' \
    '^train: advice: targets reach 1[.0-9]*e\+05, predictions [0-9.]*: C = 1 is too small' train -s 13 targets m
typed 'predictions far below targets' 'find a better one: ' 's/DATA/targets/; s/MODEL/m/'
same 'predictions near targets: no more advice' '' "$(grep advice: said)"
does 'predictions near targets' predict targets m o
above 'the mean squared error' "$before" "$(error_of)"
draw 7 50 'print 0.01 * u() + 0.02, "1:" u()' >small
says 'targets within p' '^train: advice: no target is beyond p = 0.1, so the model is 0' train -s 11 small m
does 'targets beyond p' train -s 11 "$(sed -n 's/.*such as -p /--epsilon=/p' said)" small m
same 'targets beyond p: no more advice' '' "$(grep advice: said)"
succeeds 'no advice: -q' train -q -s 13 targets m
draw 8 100 'print g(), "1:" g()' >noise
succeeds 'no advice: targets around 0' train -s 11 noise m

# ---- Classes that are not recognised -----------------------------------

# rare: a class of three standard deviations in twenty rows
draw 9 300 'y = i % 20 ? 8 : 3; print y, "1:" g() + (y == 3), "2:" g() + (y == 3), "3:1"' >rare
"$BIN/train" -q rare m
says 'a rare class' \
    '^predict: advice: no row of class 3 is recognised \(15 of 300 rows\): train --balanced, or predict ' \
    predict rare m o
option=$(sed -n 's/.*or predict //p' said)
# shellcheck disable=SC2086
does 'a rare class: a threshold' predict --metrics $option rare m o
above 'a rare class: F1 with a threshold' "$(sed -n 's/^F1 of 3 = //p' said)" 0
does 'a rare class: --balanced' train --balanced rare m
does 'a rare class: --balanced, predict' predict --metrics --positive 3 rare m o
above 'a rare class: recall with --balanced' "$(sed -n 's/^Recall of 3 = //p' said)" 0.3
same 'a rare class: no more advice' '' "$(grep advice: said)"
says 'a rare class, -v' '^train: advice: no row of class 3 is recognised' train -v 4 rare
does 'a rare class, -v --balanced' train -v 4 --balanced rare
same 'a rare class, -v: no more advice' '' "$(grep advice: said)"
draw 10 200 'a = u(); b = u(); print (a + b + g() / 9 > 1 ? 4 : 6), "1:" a, "2:" b' >positive
"$BIN/train" -q positive m
says 'one label for all rows' '^predict: advice: all rows got the label [46]: train with -B 1' predict positive m o
before=$(accuracy)
does 'one label for all rows: -B 1' train -B 1 positive m
does 'one label for all rows: predict' predict positive m o
above 'one label for all rows: the accuracy' "$(accuracy)" "$before"
same 'one label for all rows: no more advice' '' "$(grep advice: said)"
awk '{ for (k = 2; k <= NF; k++) { split($k, f, ":"); $k = f[1] ":" f[2] * 50 } print }' positive >unscaled
"$BIN/scale" -q -s r unscaled s && "$BIN/train" -q -B 1 s m
says 'data that are not scaled' '(scale -s, then scale -r)' predict unscaled m o
does 'data that are scaled' scale -q -r r unscaled s
does 'data that are scaled: predict' predict s m o
same 'data that are scaled: no more advice' '' "$(grep advice: said)"
"$BIN/train" -q rare m
for quiet in '-q' '--no-labels' '--threshold 0.5 --positive 3'; do
    # shellcheck disable=SC2086
    succeeds "no advice: $quiet" predict $quiet rare m o
done

# ---- The end of a range ------------------------------------------------

for range in -9:-7 9:11; do
    says "the end of $range" "^train: warning: the best C is the [a-z]*est that was tried; try also --c-range " \
        train -q -C --c-range="$range" -v 3 "$CANCER"
    does "the end of $range: what it says" \
        train -q -C "$(sed -n 's/.*try also \(--c-range\) /\1=/p' said)" -v 3 "$CANCER"
done
run train -q -C --c-range -2:5 "$CANCER" # 97.2 % at the end, 96.5 % to 97.0 % before
same_text 'scores that hardly rise at the end of a range' "$ERR" ''
succeeds 'one C has no ends' train -q -C --c-range 3:3 "$CANCER"

# ---- Options that a refusal or a warning names -------------------------

sed 's/^\([^ ]*\) 1:/\1 0:/' near >from0
says 'index 0' '\(--zero-based reads files' train from0 m
does 'index 0: --zero-based' train --zero-based from0 m
sed 's/^[^ ]* //' near >bare
says 'no labels' '; predict --no-labels reads such rows; train -W ' train bare m
"$BIN/train" -q near m
does 'no labels: predict' predict --no-labels bare m o
sed 's/^\([^ ]*\) /\1:0.5 /' near >weighted
says 'label:weight' '; train -W reads the weights of rows from a file of their own, one a line' train weighted m
sed 's/^[^ ]*:\([^ ]*\) .*/\1/' weighted >weights
sed 's/^\([^ ]*\):[^ ]* /\1 /' weighted >labelled
does 'label:weight: -W' train -W weights labelled m
says 'unknown labels' 'there is --no-labels$' predict zeros "$("$BIN/train" -q rare m && echo m)" o
does 'unknown labels: --no-labels' predict --no-labels zeros m o
says 'no probabilities' 'train it with -b 1$' predict -b 1 rare m o
does 'no probabilities: train -b 1' train -b 1 rare m
does 'no probabilities: predict -b 1' predict -b 1 rare m o
does 'max-f1' predict --positive 3 --threshold max-f1 rare m o
options=$(sed -n 's/.*(for new rows: \(.*\))$/\1/p' said)
# shellcheck disable=SC2086
does "max-f1: $options" predict $options rare m o
says 'a model as data' 'is the order of the arguments right\?$' predict m rare o
does 'a model as data: the other order' predict rare m o
says 'zeros that move' 'without them zeros stay zeros$' scale -u 3 "$(echo '1 5:1
2 2:1' >moved && echo moved)" s
does 'zeros that move: without them' scale moved s
says 'a model that is not written' 'writes no model without --refit' train -C --c-range 0:1 near m
does 'a model that is not written: --refit' train -C --c-range 0:1 --refit near m
says 'a gap below rounding errors' 'take a larger -g$' train -q -g 1e-17 -s 2 rare m
does 'a gap below rounding errors: -g 1e-9' train -q -g 1e-9 -s 2 rare m
same 'a gap below rounding errors: nothing more' '' "$(cat said)"
says 'scores without folds' 'needs -v or' train --predictions p near
does 'scores without folds: -v' train -v 3 --predictions p near
says 'several labels' 'keep one label a row' train "$(sed 's/^\([^ ]*\) /\1,7 /' near >several && echo several)" m
sed 's/,[^ ]*//' several >single
does 'several labels: one' train single m

# ---- Tables ------------------------------------------------------------

# table LINE...
table() {
    printf '%s\n' "$@" >table.csv
}
table 'size,place,class' '1.5,east,yes' '2,west,no' '3,east,yes' '4,west,no'
says 'a table as data' '^Try: .*convert -s MAP table.csv DATA' train table.csv m
says 'a table as data: what is typed' 'for categories: --categorical place; to leave it out: --ignore 2' \
    convert --strict-kinds -s map table.csv data
does 'words: --ignore' convert --ignore 2 table.csv data
does 'words: --categorical' convert -s map --categorical place table.csv data
typed 'words: next' 'next: ' 's/$/ m/'
typed 'words: next of next' 'next: ' 's/ROWS/data/; s/LABELS/o/'
same 'words: labels are words' 'no yes' "$(sort -u o | tr '\n' ' ' | sed 's/ $//')"
says 'new rows as data' '^Try: .*convert -r MAP table.csv DATA' predict table.csv m o
does 'new rows: -r' convert -r map table.csv rows
printf '%s\n' 'size,place' '1,east' '2,west' >new.csv
says 'new rows without labels' '--no-labels converts rows without a label' convert -r map new.csv rows
does 'new rows without labels: --no-labels' convert -r map --no-labels new.csv rows
does 'new rows without labels: predict' predict --no-labels rows m o
printf '%s\n' 'size,place,class' '1,east,' '2,west,no' >new.csv
says 'a missing label' 'with --no-labels it becomes 0$' convert -r map new.csv rows
does 'a missing label: --no-labels' convert -r map --no-labels new.csv rows
printf '%s\n' 'size,place,class' '1,east,perhaps' >new.csv
says 'an unknown label' 'with --no-labels it becomes 0$' convert -r map new.csv rows
does 'an unknown label: --no-labels' convert -r map --no-labels new.csv rows
table 'a,b,y' '1,2,1' '3,,2' '5,6,1'
for kind in zero mean column; do
    says 'a missing value' '; --missing zero, mean or column replaces it' convert --strict-kinds table.csv data
    does "a missing value: $kind" convert --missing "$kind" -s map table.csv data
    does "a missing value: $kind, -r" convert -r map table.csv data
done
table 'a,b,y' '1,2,1' '3,4,2'
"$BIN/convert" -q --strict-kinds -s map table.csv data
printf '%s\n' 'a,b,y' '1,,1' >new.csv
says 'a missing value of new rows' 'zero or mean replaces it' convert -r map new.csv rows
does 'a missing value of new rows: zero' convert -r map --missing zero new.csv rows
table 'day,b,y' '2024-01-02,2,1' '2024-01-03,4,2'
says 'a date' 'to leave it out: --ignore 1$' convert --strict-kinds table.csv data
does 'a date: --ignore' convert --ignore 1 table.csv data
table 'a;b;y' '1,500;2;1' '3,250;4;2'
says 'a decimal comma' '--decimal-comma' convert table.csv data
does 'a decimal comma: --decimal-comma' convert --decimal-comma table.csv data
printf '%s\n' 'a,b,y' '1,2,' '3,4,1' >new.csv
"$BIN/convert" -q -s map "$(table a,b,y 1,2,0 3,4,1 && echo table.csv)" data
does 'labels that become 0' convert -r map --no-labels new.csv rows
holds 'labels that become 0: a warning' grep -q 'give predict --no-labels$' said
"$BIN/train" -q data m
does 'labels that become 0: predict --no-labels' predict --no-labels rows m o

# ---- Words that are proposed -------------------------------------------

# proposes MISSPELT COMMAND...: the message asks "did you mean WORD?"; the command does its work with that word.
proposes() {
    misspelt=$1
    shift
    says "$misspelt: a proposal" 'did you mean .*[?]$' "$@"
    proposed=$(sed -n 's/.*did you mean \(.*\)[?]$/\1/p' said)
    count=$#
    for word in "$@"; do
        [ "$word" != "$misspelt" ] || word=$proposed
        set -- "$@" "$word"
    done
    shift "$count"
    does "$misspelt: $proposed" "$@"
}
table 'a,b,class' '1,2,p' '3,1,n' '2,4,p'
cp "$CANCER" cancer
"$BIN/train" -q cancer m
proposes --cots train --cots 2 cancer m
proposes --balancd train --balancd cancer m
proposes newton-l3 train -s newton-l3 cancer m
proposes lr-dcdd train -s lr-dcdd cancer m
proposes --metrisc predict --metrisc cancer m o
proposes --no-labl predict --no-labl cancer m o
proposes --lowr scale --lowr 0 cancer
table 'a,b' '1,2' '3,1'
proposes --no-labl convert --no-labl table.csv data
table 'a,b,class' '1,2,p' '3,1,n' '2,4,p'
proposes clas convert --label clas table.csv data
proposes --jsn inspect --jsn m

# ---- Options that need another one -------------------------------------

# needs NEEDED OPTION...: train refuses the options alone and names the one that they need; with it, they do their work.
needs() {
    needed=$1
    shift
    says "$1 needs ${needed%% *}" "^train: $1 needs .*${needed%% *}" train "$@" cancer m
    # shellcheck disable=SC2086 # an option, and its value
    does "$1 with $needed" train "$@" $needed cancer m
}
needs '--trace t.csv' --trace-every 2
needs '--trace t.csv' --test cancer
needs -C --criterion f1
needs -C --c-range -2:0
needs -C --one-se
needs -C --refit
needs -C --path p.csv
needs '-v 3' --metrics
needs '-v 3' --positive 1
needs '-v 3' --predictions r.csv
needs '--memory 1' --scratch s
needs '--checkpoint c' --checkpoint-every 1
