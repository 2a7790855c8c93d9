# scale.sh - values in their range, zeros that stay zeros, and files of svm-scale.
# shellcheck shell=sh

printf '1 1:5 2:3 4:0.5\n-1 1:5 2:-4 3:1e-3\n1 1:5 2:1 3:8 4:1\n' >d

# ---- Without options: by the largest magnitude -------------------------

run scale d
same_text 'by the largest magnitude' "$OUT" '1 1:1 2:0.75 4:0.5
-1 1:1 2:-1 3:0.000125
1 1:1 2:0.25 3:1 4:1'
same_text 'silently' "$ERR" ''
run scale - <d
same_text 'standard input' "$OUT" "$("$BIN/scale" d)"
run scale -s r d out
same_text 'ranges are symmetric' r 'x
-1 1
1 -5 5
2 -4 4
3 -8 8
4 -1 1'
run scale -r r d again
same_file 'the same ranges, the same data' out again
printf '1 1:10 3:4\n' >t
run scale -r r t
same_text 'test data as the training data were' "$OUT" '1 1:2 3:0.5'
same '-p 3' '3:0.000125' "$("$BIN/scale" -p 3 d | grep -o '3:0[^ ]*')"
printf '1 1:3 2:-1\n-1 1:-1 2:0.1\n' >thirds
same '-p 17 is all of a double' '0.33333333333333331' "$("$BIN/scale" -p 17 thirds | sed -n 's/.*1:-\([^ ]*\).*/\1/p')"
"$BIN/scale" -p 17 "$CANCER" c1
"$BIN/scale" -p 17 c1 c2
same_file 'scaled data stay as they are' c1 c2

# Explicit zeros are left out, and so are features with only zeros.
printf '1 1:0 2:1\n-1 2:0\n' >zeros
run scale zeros
same_text 'zeros are left out' "$OUT" '1 2:1
-1'
nonzeros() { tr ' ' '\n' <"$1" | grep -c :; }
"$BIN/scale" "$DIGITS" digits
same 'as many non-zeros as before' "$(nonzeros "$DIGITS")" "$(nonzeros digits)"

# Values that are all 1 are not stored.
printf '1 1:1 3:1\n-1 2:1\n' >ones
run scale ones
same_text 'all values 1' "$OUT" "$(cat ones)"

# ---- The ends of doubles -----------------------------------------------

printf '1 1:1.7e308\n-1 1:-1.7e308\n1 1:1e308\n' >huge
run scale -l -1 huge
same_text 'largest doubles' "$OUT" '1 1:1
-1 1:-1
1 1:0.588235'
run scale -l 0 huge
same_text 'a difference beyond doubles' "$OUT" '1 1:1
-1
1 1:0.794118'
printf '1 1:1.7e308\n-1 1:-1.7e308\n1 1:-1.2e308\n' >wide
run scale -l 0 -u 2 wide
same_text 'a width beyond doubles' "$OUT" '1 1:2
-1
1 1:0.294118'
run scale -p 2 -l 0 -u 1.797e308 huge
same_text 'largest doubles in few digits' "$OUT" '1 1:1.797e+308
-1
1 1:1.427029411764706e+308'
# The distance of the ends overflows. The middle of a range is still 0, and a quarter is half of an end.
printf '1 1:1\n-1 1:5\n1 1:3\n1 1:2\n-1 1:4\n' >five
ends='1 1:-1e+308
-1 1:1e+308
1
1 1:-5e+307
-1 1:5e+307'
run scale -q -l -1e308 -u 1e308 -s far five
same_text 'ends beyond doubles' "$OUT" "$ends"
same_text 'ends beyond doubles: the ranges' far 'x
-1e+308 1e+308
1 1 5'
run scale -q -r far five
same_text 'ends beyond doubles: from their file' "$OUT" "$ends"
printf '1 1:1\n\n# the value\n1 1:7' >seven
far='for its image to be a double; correct the value, or measure wider ranges: -s'
refuses 'ends beyond doubles: a value beyond them' 1 \
    "seven:4:1: feature 1: 7 is too far from its range, 1 to 5, $far" scale -r far seven new
run scale -r far - new <seven
same 'ends beyond doubles: in standard input' "1 (standard input):4:1: feature 1: 7 is too far" \
    "$STATUS $(sed 's/ from its range.*//' "$ERR")"
printf '1 1:5e-324\n-1 1:0\n' >tiny
run scale tiny
same_text 'smallest double' "$OUT" '1 1:1
-1'
printf 'x\n-1 1\n1 0 1e-300\n' >narrow
refuses 'beyond doubles' 1 "huge:1:1: feature 1: 1.7e+308 is too far from its range, 0 to 1e-300, $far" \
    scale -r narrow huge new
printf 'x\n-1 1\n1 0 5e-324\n' >narrow
printf '1 1:1\n' >one
refuses 'beyond doubles: the narrowest range' 1 \
    "one:1:1: feature 1: 1 is too far from its range, 0 to 4.94066e-324, $far" scale -r narrow one new

# ---- Rows without features, labels, base 0 -----------------------------

printf '+1 1:2\n-1\n0.1 1:1 # comment\n2.50\n' >rows
run scale rows
same_text 'labels and rows are kept' "$OUT" '1 1:1
-1
0.10000000000000001 1:0.5
2.5'
printf '1 0:2 2:4\n-1 1:3\n' >zero
run scale --zero-based -s r0 zero
same_text 'indices from 0' "$OUT" '1 0:1 2:1
-1 1:1'
same 'ranges from 0' '0 -2 2' "$(sed -n 3p r0)"
run scale --zero-based -r r0 zero
same_text 'and back' "$OUT" '1 0:1 2:1
-1 1:1'
printf '1:2.5\n9:1\n' >unlabelled
run scale --no-labels -r r unlabelled
same_text 'no labels: label 0, and as many rows' "$OUT" '0 1:0.5
0'
same_text 'a feature without a range' "$ERR" \
    'scale: warning: left out 1 value of features without a range'
run scale -q --no-labels -r r unlabelled
same_text '-q' "$ERR" ''
printf '1 1:1 2:5 3:7\n1 1:2 2:5\n' >constant
run scale -l 0 -s gap constant
same_text 'a feature with a single value' "$ERR" ''
printf '1 1:1 2:5 3:7 9:1\n1 1:2 2:0 3:0\n1 1:2 2:5\n' >constant
run scale -r gap constant
same_text 'features without a range, below the last one and above' "$ERR" \
    'scale: warning: left out 3 values of features without a range'

# ---- -l and -u ---------------------------------------------------------

run scale -l 0 -u 2 -s r d
same_text '-l 0 -u 2' "$OUT" '1 2:2 4:1
-1 3:0.00025
1 2:1.42857 3:2 4:2'
same_text 'the ranges of -l 0 -u 2' r 'x
0 2
2 -4 3
3 0 8
4 0 1'
printf '1 1:1\n1 1:3\n-1 2:1\n' >sparse
run scale -u 1 sparse
same_text 'zeros become something else' "$OUT" '1 1:-0.333333 2:-1
1 1:1 2:-1
-1 1:-1 2:1'
same_text 'which is said' "$ERR" 'scale: warning: 3 non-zeros became 6, because -l and -u move zeros; without them zeros stay zeros'
run scale -q -u 1 sparse
same_text 'and not with -q' "$ERR" ''

# ---- svm-scale ---------------------------------------------------------

# interchange NAME OPTIONS: with these options, scale and svm-scale write the same data and ranges, and scale test data
# alike by these ranges.
interchange() {
    name=$1
    shift
    svm-scale "$@" -s theirs.ranges "$name" 2>/dev/null | sed 's/ $//' >theirs
    "$BIN/scale" -q "$@" -s ours.ranges "$name" ours
    same_file "$name $*: the data" theirs ours
    same_file "$name $*: the ranges" theirs.ranges ours.ranges
    head -n 300 "$name" | awk '{ $2 = "1:0.777"; print }' >new.rows
    svm-scale -r theirs.ranges new.rows 2>/dev/null | sed 's/ $//' >theirs
    "$BIN/scale" -q -r theirs.ranges new.rows ours
    same_file "$name $*: test data by their ranges" theirs ours
}
if command -v svm-scale >/dev/null 2>&1; then
    cp "$CANCER" cancer
    awk '{ printf "%d", $1; for (k = 2; k <= NF; k++) if ($k !~ /:0$/) printf " %s", $k; print "" }' \
        "$DIGITS" >digits
    # ranges about 3, not 0, so that a difference between both programs shows
    awk '{ printf "%s", $1; for (k = 2; k <= NF; k++) { split($k, f, ":"); printf " %d:%.17g", \
        f[1], 3 + f[1] * f[2] * 1.01 }; print "" }' cancer >moved
    for data in cancer digits moved d; do
        interchange "$data" -l 0
        interchange "$data" -l -1
        interchange "$data" -l -1 -u 3
        interchange "$data" -l 0.25 -u 0.5
    done
    # targets of any size, and of two values
    awk 'BEGIN { srand(7) } { $1 = sprintf("%.*g", 1 + NR % 17, 3e5 * (rand() - 0.2) ^ 3); print }' cancer >targets
    for data in targets cancer; do
        for limits in '0 1' '-1 1' '0.1 0.9' '-0.3 3e7'; do
            # shellcheck disable=SC2086 # two words
            interchange "$data" -l 0 -y $limits
        done
    done
    # svm-scale reads the symmetric ranges of scale
    "$BIN/scale" -s ours.ranges moved ours
    svm-scale -r ours.ranges moved 2>/dev/null | sed 's/ $//' >theirs
    # svm-scale adds and subtracts the ends where scale divides, so the sixth digit may differ by one
    same 'our ranges in svm-scale' '569 rows, 0 values apart' "$(sed 's/:/ /g' theirs >one
        sed 's/:/ /g' ours | paste -d '\n' one - | awk 'NR % 2 { split($0, a); next }
            { for (k = 1; k <= NF; k++) { d = a[k] - $k; s = $k; if (d < 0) d = -d; if (s < 0) s = -s
                if (d > 1.001e-5 * s || d > 1.001e-6) apart++ } }
            END { printf "%d rows, %d values apart", NR / 2, apart }')"
    for range in -1 0; do
        svm-scale -l "$range" -s theirs.ranges moved >/dev/null 2>&1
        run scale -r theirs.ranges moved
        same "their ranges in ours, -l $range" "$(svm-scale -r theirs.ranges moved 2>/dev/null |
            sed 's/ $//' | cksum)" "$(cksum <"$OUT")"
    done
else
    skips svm-scale 'it is not installed'
fi

# ---- Targets -----------------------------------------------------------

# Prices with area and rooms. With -y alone, features are scaled by their largest magnitude, as without -y.
printf '%s\n' '200 1:2 2:3' '700 1:4' '450 2:-6 3:1' '201 1:-1' >prices
run scale -y 10 20 -s price.ranges prices
same_text '-y: rows' "$OUT" '10 1:0.5 2:0.5
20 1:1
15 2:-1 3:1
10.02 1:-0.25'
same '-y: the beginning of the ranges' 'y 10 20 200 700 x -1 1' "$(head -n 5 price.ranges | xargs)"
printf '%s\n' '325 1:2' '1200 1:2' '-50 1:2' >news
run scale -r price.ranges news
same '-r: targets, also outside the range' '12.5 30 5' "$(cut -d ' ' -f 1 "$OUT" | xargs)"
printf '%s\n' '1:2' '325 1:2' >unlabelled
run scale --no-labels -r price.ranges unlabelled
same '-r: a row without a target' '0 12.5' "$(cut -d ' ' -f 1 "$OUT" | xargs)"
printf '%s\n' '7 1:1' '7 1:2' >constant
run scale -y 0 1 -s constant.ranges constant
same '-y of one value' '0 0' "$(cut -d ' ' -f 1 "$OUT" | xargs)"
refuses '-r of one value, and another' 1 \
    'news:1:1: the target 325 is too far from the range of targets, 7 to 7' scale -r constant.ranges news

# predict --scale-back turns predictions and errors for scaled data into those for the original data.
awk '{ $1 = sprintf("%.6g", 1e5 + 4e4 * $1 + 1000 * (NR % 31)); print }' "$CANCER" >houses
"$BIN/scale" -q -l 0 -y -1 3 -s house.ranges houses scaled
"$BIN/train" -q -s 11 -B 1 scaled house.model
"$BIN/predict" -q scaled house.model raw
succeeds '--scale-back' predict --metrics --scale-back house.ranges scaled house.model back
same '--scale-back: the predictions' '569 0' "$(paste -d ' ' raw back | awk '
    FNR == NR { if (NR == 3) { low = $1; high = $2 } next }
    { n++; wanted = low + (high - low) * ($1 + 1) / 4; d = wanted - $2; if (d > 1e-6 || d < -1e-6) apart++ }
    END { print n, apart + 0 }' house.ranges -)"
same '--scale-back: the errors are those of the data before' "$(awk '{ print $1 }' houses | paste -d ' ' - back | awk '
    { e = $1 - $2; s += e * e; a += e < 0 ? -e : e } END { printf "%.5g %.5g", s / NR, a / NR }')" \
    "$(awk '/^Mean squared/ { s = $5 } /^Mean absolute/ { a = $5 } END { printf "%.5g %.5g", s, a }' "$OUT")"
succeeds '--scale-back with decision values' predict -q -d --scale-back house.ranges scaled house.model values
same_file '--scale-back: decision values are predictions' back values
"$BIN/scale" -q -s plain.ranges houses scaled.x
refuses '--scale-back without a range of targets' 1 \
    'plain.ranges:1:1: there is no range of targets: scale -y with -s writes it' \
    predict --scale-back plain.ranges scaled house.model new
"$BIN/train" -q "$CANCER" classes.model
refuses '--scale-back of classes' 2 \
    "predict: --scale-back: the model has classes: their labels are not numbers to scale
Try 'predict --help'." predict --scale-back house.ranges "$CANCER" classes.model new

# ---- Refusals ----------------------------------------------------------

# misuse MESSAGE ARGUMENT...
misuse() {
    message=$1
    shift
    refuses "scale $*" 2 "scale: $message
Try 'scale --help'." scale "$@"
}
same 'scale alone' "usage: scale [options] data [output]
Try 'scale --help'." "$("$BIN/scale" 2>&1 >/dev/null | sed -n '1p; $p')"
misuse 'no data file given' -q
misuse "too many arguments: 'c'" a b c
misuse '-l 1 is not below -u 1' -l 1 d
misuse '-l 3 is not below -u 2' -l 3 -u 2 d
misuse "-l: 'x' is not a finite number" -l x d
misuse '-p: at least 1' -p 0 d
misuse '-p: at most 17' -p 18 d
misuse '-r and -s exclude each other' -r r -s s d
misuse '-r and -l exclude each other' -l 0 -r r d
misuse '-r and -u exclude each other' -r r -u 2 d
misuse '--no-labels needs -r' --no-labels d
misuse '-s cannot go to standard output' -s - d
misuse 'the data and -r cannot both be standard input' -r - -
misuse "the output and the data are the same file, 'd'" d d
misuse "-s and the data are the same file, 'd'" -s d d
misuse "the output and -s are the same file, 'new'" -s new d new
misuse "the output and -r are the same file, 'r'" -r r d r
misuse '--svae: there is no such option; did you mean --save?' --svae r d
misuse '-z: there is no such option' -z 0 1 d
misuse '-y: a value is missing' d -y 0
for limits in '1 0' '0 0' '0 x' 'nan 1' '0 1e999' '0 1e39' '1 1.00000001'; do
    # shellcheck disable=SC2086 # two words
    misuse "-y: '$limits' is not two finite numbers, the lower one first" -y $limits d
done
misuse '-r and -y exclude each other' -r r -y 0 1 d

refuses 'no data' 3 "scale: cannot open absent: No such file or directory" scale absent new
refuses 'no ranges' 3 "scale: cannot open absent: No such file or directory" scale -r absent d new
refuses 'no folder for ranges' 3 "$("$BIN/scale" -s absent/r d new 2>&1)" scale -s absent/r d new

# bad_ranges TEXT MESSAGE
bad_ranges() {
    printf '%b' "$1" >ranges
    refuses "ranges '$1'" 1 "ranges:$2" scale -r ranges d new
}
bad_ranges '' '1:1: x expected'
bad_ranges 'y\n0 1\n' '3:1: smallest target expected'
bad_ranges 'y\n1 0\n0 1\nx\n0 1\n' '2:4: the upper end is not above the lower'
bad_ranges 'y\n0 1\n2 1\nx\n0 1\n' '3:4: the range ends below its beginning'
bad_ranges 'y\n0 1\n1 2\n' '4:1: x expected'
bad_ranges '1 1:1\n' "1:1: '1' where a file of ranges has x"
bad_ranges 'x\n0\n' '3:1: upper expected'
bad_ranges 'x\n1 0\n' '2:4: the upper end is not above the lower'
bad_ranges 'x\n0 nan\n' "2:3: upper 'nan' is not a finite number"
bad_ranges 'x\n0 1\n0 1 2\n' "3:2: '0' is not a feature index above the previous one"
bad_ranges 'x\n0 1\n2 1 2\n2 1 3\n' "4:2: '2' is not a feature index above the previous one"
bad_ranges 'x\n0 1\n1.5 1 2\n' "3:4: '1.5' is not a feature index above the previous one"
bad_ranges 'x\n0 1\n2147483647 1 2\n' "3:11: '2147483647' is not a feature index above the previous one"
bad_ranges 'x\n0 1\n1 3 2\n' '3:6: the range ends below its beginning'
bad_ranges 'x\n0 1\n1 3\n' '4:1: largest value expected'
bad_ranges 'x\n0 1\n1 1 1e999\n' "3:5: largest value '1e999' is beyond the largest double"

# ---- Nothing is lost ---------------------------------------------------

if [ -e /dev/full ]; then
    run scale d /dev/full
    same 'a full disk' 3 "$STATUS"
    STATUS=0
    "$BIN/scale" d >/dev/full 2>/dev/null || STATUS=$?
    same 'a full standard output' 3 "$STATUS"
fi
echo old >kept
printf '1 1:1\n1 x\n' >half
refuses 'the old output stays' 1 "half:2:3: 'x' is no index:value pair" scale half kept
refuses 'with -r, too' 1 "half:2:3: 'x' is no index:value pair" scale -r r half kept

# ---- Mean and deviation ------------------------------------------------

# mean_and_deviation FILE: the mean and deviation of each feature. Absent values are 0.
mean_and_deviation() {
    awk '{
        for (k = 2; k <= NF; k++) {
            split($k, pair, ":")
            sum[pair[1]] += pair[2]
            squares[pair[1]] += pair[2] * pair[2]
            last = pair[1] > last ? pair[1] : last
        }
    } END {
        for (j = 1; j <= last; j++)
            printf "%d %.9f %.9f\n", j, sum[j] / NR < 0 ? -sum[j] / NR : sum[j] / NR,
                sqrt(squares[j] / NR - (sum[j] / NR) ^ 2)
    }' "$1"
}

"$BIN/scale" --standardise --centre -p 17 -s r "$CANCER" centred
same 'mean 0 and deviation 1' '0.000000000 1.000000000' "$(mean_and_deviation centred | cut -d ' ' -f 2- | sort -u)"
"$BIN/scale" -r r -p 17 "$CANCER" again
same_bytes 'their ranges, the same data' centred again
"$BIN/scale" --standardise -p 17 "$DIGITS" standard
same 'deviation 1' 1.000000000 "$(mean_and_deviation standard | awk '$3 > 0 { print $3 }' | sort -u)"
"$BIN/scale" -p 17 "$DIGITS" divided
same 'zeros stay zeros' "$(nonzeros divided)" "$(nonzeros standard)"
if command -v svm-scale >/dev/null 2>&1; then
    "$BIN/scale" -r r "$CANCER" again
    svm-scale -r r "$CANCER" 2>/dev/null | sed 's/ $//' >theirs
    same_bytes 'svm-scale reads these ranges' theirs again
else
    skips 'svm-scale reads these ranges' 'it is not installed'
fi
printf '1 1:4 2:7 3:1e308\n-1 2:7 3:-1e308\n' >d2
run scale --standardise d2
same_text 'a constant feature is left out; large values' "$OUT" '1 1:2 3:1
-1 3:-1'
run scale --standardise --centre d2
same_text 'mean and deviation of large values' "$OUT" '1 1:1 3:1
-1 1:-1 3:-1'
printf '1 1:1 4:2\n-1 2:1\n1 3:1\n1 5:1\n' >sparse
run scale --standardise --centre sparse
same_text 'the data become dense' "$ERR" "scale: warning: 5 non-zeros became 20, because --centre moves zeros; without it zeros \
stay zeros"

# ---- Scales in a map ---------------------------------------------------

printf 'size,shape,year,y\n1.5,round,2001,no\n0,flat,2003,yes\n-2.5,,2002,no\n4,round,2004,yes\n' >table
for options in '' '-l 0' '-l 2 -u 5' --standardise '--standardise --centre'; do
    "$BIN/convert" -q --missing column --categorical shape -s map table data
    # shellcheck disable=SC2086 # options are words
    run scale -q $options --map map data scaled
    same "scale $options --map" 0 "$STATUS"
    run convert -q -r map table converted
    same_bytes "scale $options --map: convert -r writes the same values" scaled converted
    # shellcheck disable=SC2086
    "$BIN/scale" -q $options -p 17 data alone
    same "scale $options --map: values without a map, up to rounding" \
        "$(awk '{ for (k = 2; k <= NF; k++) { split($k, p, ":"); printf "%s:%.8g ", p[1], p[2] } }' alone)" \
        "$(awk '{ for (k = 2; k <= NF; k++) { split($k, p, ":"); printf "%s:%.8g ", p[1], p[2] } }' scaled)"
done
"$BIN/train" -q --map map scaled model
run convert -q -r model table converted
same_bytes 'convert -r MODEL writes scaled values' scaled converted
refuses 'a map with scales' 1 "map:1:1: the map has scales already, so convert -r writes scaled values; convert -s makes \
it anew" scale --map map data scaled
refuses 'a model' 1 "model:1:1: this is a model, and it was trained on data as they were: scale data and map, then train" \
    scale --map model data scaled
# In a map of version 1, unknown is a category.
printf 'hinge-map 1\nseparator comma\ndecimal point\nmissing column\nnames 1\ncolumn 1 category c\ncolumn 2 number x
column 3 label y\nmean 2 2\nfeature 1 2 number\nfeature 2 1 category unknown\nfeature 3 1 missing\n' >map
printf 'c,x,y\nunknown,1,1\nNA,2,2\nunknown,4,1\n' >old.csv
run convert -q -r map old.csv old
run scale -q -l 0 --map map old scaled
run convert -q -r map old.csv
same 'a map of an older version stays one' 'hinge-map 1 1 2:1
2 1:0.33333333333333331 3:1
1 1:1 2:1' "$(head -n 1 map) $(cat "$OUT")"
printf '1\n-1\n' >empty
"$BIN/convert" -q --missing column --categorical shape -s map table data
cp map before
succeeds 'data without a feature' scale --map map empty scaled
same_bytes 'data without a feature: the map' before map
printf '1 1:1e10\n-1 1:-1e10\n' >ten
refuses 'ends too near each other' 1 "ten:1:1: feature 1, -1e+10 to 1e+10, has no scale to -l and -u among doubles" \
    scale -l 1e-320 -u 2e-320 --map map ten scaled
printf '1 9:1\n' >wide
"$BIN/convert" -q --missing column --categorical shape -s map table data
refuses 'a feature beyond the map' 1 "wide:1:1: the data have a feature 9, and map has 5 features: give the map that \
convert made with these data" scale --map map wide scaled

printf 'y,t\nno,a good good film\nyes,a bad film\nno,good good good\nyes,film so bad\n' >texts
for hash in '' '--hash 4'; do
    # shellcheck disable=SC2086
    run convert -q --text t --label y $hash -s map texts data
    run scale -q --standardise --map map data scaled
    run convert -q -r map texts converted
    same_bytes "words $hash: convert -r writes the values of scale --map" scaled converted
done

succeeds 'convert --scale' convert -q --missing mean --ignore shape --scale -s map table converted
same 'convert --scale: mean 0 and deviation 1' '1 0.000000000 1.000000000
2 0.000000000 1.000000000' "$(mean_and_deviation converted)"
"$BIN/convert" -q --missing mean --ignore shape -s plain table data
"$BIN/scale" -q --standardise --centre --map plain data scaled
same 'convert --scale: the values of scale --map, up to rounding' "$(mean_and_deviation scaled)" \
    "$(mean_and_deviation converted)"
succeeds 'convert --scale, then -r' convert -q -r map table again
same_bytes 'convert --scale, then -r: the same bytes' converted again
printf 'size,shape,year,y\n,round,2001,no\n' >new
run convert -q -r map new -
same_text 'a missing value has the mean, which is 0' "$OUT" "1 2:$(sed -n 's/^1 .* 2://p' again | head -n 1)"
scale=$(sed -n '/^scale 1/=' map)
sed 's/^scale 1 .*/scale 3 1 1/' map >beyond
refuses 'a scale of no feature' 1 "beyond:$scale:7: '3' is no feature" convert -r beyond new data
sed 's/^scale 1 .*/scale 1 1 inf/' map >beyond
run convert -r beyond new data
same 'a factor that is no number' 1 "$STATUS"
sed '/^scale 1/p' map >beyond
refuses 'a scale given twice' 1 "beyond:$((scale + 1)):7: feature 1 is not above the previous one" \
    convert -r beyond new data
