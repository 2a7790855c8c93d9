# pages.sh - the report of train: its numbers are those of other outputs, and it changes no model.
# shellcheck shell=sh

cp "$CANCER" d
cp "$DIGITS" digits

# facts PAGE NAME: the value that the page states first.
facts() {
    sed -n "s|^<dt>$2</dt><dd>\([^<]*\).*|\1|p" "$1" | head -n 1
}
# rows_of PAGE N: the rows of its table N, as text.
rows_of() {
    awk -v n="$2" '/<tbody>/ { tables++ } tables == n && /^<tr>/ {
        gsub(/<\/t[dh]>/, " "); gsub(/<[^>]*>/, ""); sub(/ $/, ""); print }' "$1"
}
# checks PAGE: it is whole, and needs nothing else.
checks() {
    same "$1: its end" '</html>' "$(tail -n 1 "$1")"
    same "$1: no script, no other file" '' "$(grep -e '<script' -e 'src=' -e 'href=' -e 'http' "$1")"
    same "$1: no value that is none" '' "$(grep -i -e '[^a-z]nan[^a-z]' -e '[^a-z]inf[^a-z]' "$1")"
    if command -v tidy >/dev/null 2>&1; then
        same "$1: tidy finds no fault" '' "$(tidy -q -e "$1" 2>&1)"
    fi
}

# ---- Training -----------------------------------------------------------

for solver in 1 2 3 4 5 11 21 42 pegasos; do
    run train -q -s $solver d plain
    run train -q -s $solver --report page.html d model
    same "-s $solver: exit status" 0 "$STATUS"
    same_bytes "-s $solver: the same model" plain model
    checks page.html
    run inspect --json -n 15 model
    tr '{' '\n' <"$OUT" | sed -n 's/.*"weight":\([^}]*\)}.*/\1/p' | awk '{ printf "%.6g\n", $1 }' >expected
    awk '/Largest weights/ { on = 1 } on && /^<tr>/ { gsub(/<[^>]*>/, " "); print $NF }
        on && /<\/table>/ { on = 0 }' page.html >listed
    same_bytes "-s $solver: the largest weights" expected listed
done
run train -q -s 2 -c 3 -g 1e-6 --report page.html d model
same 'rows, features, C' '569 30 3' "$(facts page.html Rows) $(facts page.html Features) $(facts page.html C)"
same 'classes' '1 212 37.2583
-1 357 62.7417' "$(rows_of page.html 1)"
# The last point of each curve is the result, which the record has.
gap=$(record model relative_gap | awk '{ printf "%.6g", $1 }')
primal=$(record model primal | awk '{ printf "%.6g", $1 }')
same 'the last gap' "$gap" "$(rows_of page.html 2 | grep -v '^asked for' | tail -n 1 | awk '{ print $NF }')"
same 'the last objective' "$primal" "$(rows_of page.html 4 | tail -n 1 | awk '{ print $NF }')"
same 'the certificate' "$(record model relative_gap | awk '{ printf "%.3g", 100 * $1 / (1 - $1) }')" \
    "$(sed -n 's/.*at most \([^ ]*\) % above the smallest possible: proven.*/\1/p' page.html)"
same 'the histogram has each weight that is not 0' 30 "$(awk '/Values of the weights/ { on = 1 }
    on && /^<tr>/ { gsub(/<[^>]*>/, " "); sum += $NF } /<\/table>/ { on = 0 } END { print sum }' page.html)"
run train -q -i 1 -s 3 -c 1000 --report page.html d model
same 'stopped early: the sentence' 1 "$(grep -c 'but more was asked\|not known to be near' page.html)"
run train -q --report page.html digits model
same 'ten problems' 1 "$(grep -c 'first 5 of 10 problems' page.html)"
checks page.html

# ---- Cross-validation and search ----------------------------------------

run train -v 5 --metrics=json --predictions rows.csv --report page.html d
checks page.html
same '-v: AUC' "$(sed 's/.*"auc":\([0-9.]*\).*/\1/' "$OUT" | awk '{ printf "%.6g", $1 }')" "$(facts page.html AUC)"
same '-v: scores of the folds' "$(awk -F , 'NR > 1 { n[$2]++; right[$2] += $3 == $4 }
    END { for (k = 1; k <= 5; k++) printf "%d %d %.6g\n", k, n[k], 100 * right[k] / n[k] }' rows.csv)" \
    "$(rows_of page.html 2)"
run train -v 3 --report page.html digits
same '-v, ten classes: the accuracy' "$(tail -n 1 "$OUT" | sed 's/.*= //; s/%.*//')" \
    "$(facts page.html Accuracy | awk '{ print $1 }')"
run train -C --c-range -4:6:2 --path path.csv --report page.html d
checks page.html
# Columns of --path: C ... score; those of the page: series, C, score.
same '-C: how many' 6 "$(grep -c '^log2c' "$OUT")"
same '-C: the scores' "$(sed -n 's/^log2c= *\([-0-9.]*\).*rate=\(.*\)/\1 \2/p' "$OUT" |
    awk '{ printf "%.6g %.4f\n", 2 ^ $1, $2 / 100 }')" \
    "$(awk '/Score against C/ { on = 1 } on && /^<tr>/ && />accuracy</ {
        gsub(/<\/td>/, " "); gsub(/<[^>]*>/, ""); printf "%s %.4f\n", $2, $3 } /<\/table>/ { on = 0 }' page.html)"
same '-C: one deviation above and below' \
    "$(awk -F , 'NR > 1 { printf "%.6g %.4f %.4f\n", $1, $2 + $NF, $2 - $NF }' path.csv)" \
    "$(awk '/Score against C/ { on = 1 } on && /^<tr>.*one deviation/ {
        gsub(/<[^>]*>/, " "); printf "%.6g %.4f %.4f\n", $(NF - 2), $(NF - 1), $NF } /<\/table>/ { on = 0 }' page.html)"
run train -q -s 11 -v 4 --report page.html d
same '-v, a regression' "$(sed -n 's/.*Mean squared error = //p' "$OUT")" "$(facts page.html 'Mean squared error')"
run train -q -s 11 -C --report page.html --refit d model
checks page.html
same '-C --refit: search and model' '1 1' \
    "$(grep -c '<h2>Search</h2>' page.html) $(grep -c '<h2>Weights: which features matter?</h2>' page.html)"

# ---- Hostile names, refusals ----------------------------------------------

cp d '<b>&"x'
run train -q --report page.html '<b>&"x' model
checks page.html
same 'a name is text' 0 "$(grep -c '<b>' page.html)"
refuses 'the report is the data' 2 "train: --report and the data are the same file, 'd'
Try 'train --help'." train --report d d model
refuses 'a folder that is not there' 3 \
    'train: cannot write absent/page.html: No such file or directory' train --report absent/page.html d model
printf 'old' >page.html
printf '1 x:1\n' >bad
refuses 'bad data: the old page stays' 1 "bad:1:3: 'x:1' is no index:value pair" train --report page.html bad model
same 'bad data: the old page' old "$(cat page.html)"
printf '1 1:1\n1 1:2\n1 1:3\n-1 1:-1\n' >four
run train -q -v 4 --report page.html four
same 'a class in one fold only: three decision values are finite' 3 "$(awk '/Decision values/ { on = 1 }
    on && /^<tr>/ { gsub(/<[^>]*>/, " "); sum += $NF } /<\/table>/ { on = 0 } END { print sum }' page.html)"
