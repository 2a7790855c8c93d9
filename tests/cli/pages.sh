# pages.sh - the reports of train and predict have the numbers of other outputs, and change no model.
# shellcheck shell=sh

cp "$CANCER" d
cp "$DIGITS" digits

# facts PAGE NAME: the first value of NAME in the page.
facts() {
    sed -n "s|^<dt>$2</dt><dd>\([^<]*\).*|\1|p" "$1" | head -n 1
}
# rows_of PAGE N: the rows, as text, of the page's tables whose numbers match the pattern N.
rows_of() {
    awk -v n="$2" '/<tbody>/ { tables++ } tables ~ "^" n "$" && /^<tr>/ {
        gsub(/<\/t[dh]>/, " "); gsub(/<[^>]*>/, ""); sub(/ $/, ""); print }' "$1"
}
# checks PAGE: the page is complete, and needs no other file.
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
# The last point of each curve is the result in the record.
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
# The columns of --path are C ... score, the columns of the page are series, C, score.
same '-C: how many' 6 "$(grep -c '^log2c' "$OUT")"
same '-C: the scores' "$(sed -n 's/^log2c= *\([-0-9.]*\).*rate=\(.*\)/\1 \2/p' "$OUT" |
    awk '{ printf "%.6g %.4f\n", 2 ^ $1, $2 / 100 }')" \
    "$(awk '/Score against C/ { on = 1 } on && /^<tr>/ && />accuracy</ {
        gsub(/<\/td>/, " "); gsub(/<[^>]*>/, ""); printf "%s %.4f\n", $2, $3 } /<\/table>/ { on = 0 }' page.html)"
same '-C: one deviation above and below' \
    "$(awk -F , 'NR > 1 { printf "%.6g %.4f %.4f\n", $1, $2 + $NF, $2 - $NF }' path.csv)" \
    "$(awk '/Score against C/ { on = 1 } on && /^<tr>.*one deviation/ {
        gsub(/<[^>]*>/, " "); printf "%.6g %.4f %.4f\n", $(NF - 2), $(NF - 1), $NF } /<\/table>/ { on = 0 }' page.html)"
run train -q -C --c-range -4:6:2 --metrics d
same '-C: the AUC of the best C' "$(sed -n 's/^AUC = //p' "$OUT" | awk '{ printf "%.6g", $1 }')" \
    "$(facts page.html AUC)"
run train -q -s 11 -v 4 --report page.html d
same '-v, a regression' "$(sed -n 's/.*Mean squared error = //p' "$OUT")" "$(facts page.html 'Mean squared error')"
run train -q -s 11 -C --report page.html --refit d model
checks page.html
same '-C --refit: search and model' '1 1' \
    "$(grep -c '<h2>Search</h2>' page.html) $(grep -c '<h2>Weights: which features matter?</h2>' page.html)"

# ---- Hostile names ---------------------------------------------------------

# Names of columns, classes and a file: markup, quotes, right to left, not UTF-8, longer than any line.
longest=$(awk 'BEGIN { for (k = 0; k < 1000; k++) printf "0123456789" }')
hostile='<script>alert(1)"x'
{
    printf 'y,<script>alert(2)</script>,"a ""b"" \047c\047 & d",'
    printf '\327\251\327\234\327\225\342\200\256x,\377\376,%s\n' "$longest"
    for k in 0.5 1.25 2 3.5 4.75 6 7.5 8; do
        printf '</td><script>alert(3)</script>,%s,2%s,3,%s4,%s\n' $k $k $k $k
        printf '"\327\251 ""\377""",1,3%s,%s,1.5,0%s\n' $k $k $k
    done
} >"$hostile"
run convert -s map --header yes --label y "$hostile" rows
same 'hostile names: a map' 0 "$STATUS"
for options in '-v 2' '-C --refit' '-c 1'; do
    # shellcheck disable=SC2086 # several words
    run train -q $options --map map --report page.html rows model
    same "hostile names, $options: exit status" 0 "$STATUS"
    checks page.html
    holds "hostile names, $options: a class is shown" grep -q '&#60;/td&#62;&#60;script&#62;alert(3)' page.html
    same "hostile names, $options: UTF-8" '' "$(iconv -f UTF-8 -t UTF-8 page.html 2>&1 >/dev/null)"
    same "hostile names, $options: no character turns the writing" 0 "$(grep -c "$(printf '\342\200\256')" page.html)"
    holds "hostile names, $options: small" test "$(wc -c <page.html)" -lt 200000
done
holds 'hostile names: a column is shown' grep -q '&#60;script&#62;alert(2)' page.html
holds 'hostile names: quotes are shown' grep -q 'a &#34;b&#34; &#39;c&#39; &#38; d' page.html
holds 'hostile names: letters from right to left are shown' grep -q "$(printf '\327\251\327\234\327\225')" page.html
holds 'hostile names: what is not UTF-8 is shown' grep -q '&#65533;&#65533;' page.html
same 'hostile names: none of 10,000 characters is whole' 0 "$(grep -c "$longest" page.html)"
cp rows "$hostile"
run predict --report page.html "$hostile" model words
checks page.html
holds 'hostile names: a file is shown' grep -q '<h1>[^<]*&#60;script&#62;alert(1)' page.html
run inspect -q --report page.html model
checks page.html

# ---- A page that is described --------------------------------------------

describe() { tr ' _' '\t ' >described; }
describe <<'END'
hinge-page_1 <b>A_page</b>
heading First
text <script>
facts
fact Machine x86
table All data s
row a9a 0.10
row w8a >20
grid Ratios Dark:_good data C log
cell a9a 1 1.5
cell w8a 2 300
bars Better An_arrow:_more data times
bar one 12.5
bar two >30
bar three -
figure Excess Low:_good s excess log-x log-y
point a 0.01 0.1
point b 1 1e-3
point a 0.1 1e-5
END
run inspect --page described --report page.html
same_text 'a described page: silently' "$ERR" ''
checks page.html
same 'a described page: its rows' 'a9a 0.10
w8a &#62;20
a9a 1.5
w8a 300
one 12.5
two &#62; 30
three
a 0.01 0.1
a 0.1 1e-05
b 1 0.001' "$(rows_of page.html '[1-9]' | sed 's/  */ /g; s/ $//')"
same 'a described page: an arrow' 1 "$(grep -c 'h12m-5' page.html)"
same 'a described page: two curves' 2 "$(grep -c 'class="line s[01]" d="M[0-9]*[.]' page.html)"
printf 'old' >page.html
printf 'hinge-page 1\tt\nbar\tx\t1\n' >described
refuses 'an item without a block' 1 "described:2:1: 'bar' begins no block, and no item of the current block" \
    inspect --page described --report page.html
printf 'hinge-page 1\tt\nbars\ta\tb\tc\td\nbar\tx\ty\n' >described
refuses 'no number' 1 "described:3:1: 'y' is no number, '-' or '>NUMBER'" inspect --page described --report page.html
printf 'hinge-page 1\tt\nbars\ta\tb\n' >described
refuses 'too few fields' 1 "described:2:1: 'bars' needs 4 fields with tabs between them" \
    inspect --page described --report page.html
awk 'BEGIN { printf "hinge-page 1\tt\ntable\tc"; for (i = 0; i < 101; i++) printf "\tx%d", i; print "" }' >described
refuses 'too many columns' 1 'described:2:1: more than 100 columns' inspect --page described --report page.html
refuses 'no description' 1 "d:1:1: the description of a page begins with 'hinge-page 1', a tab and a title" \
    inspect --page d --report page.html
same 'a bad description: the old page' old "$(cat page.html)"
refuses 'a page and a model' 2 "inspect: --page takes no model, and no option but --report
Try 'inspect --help'." inspect --page described --report page.html model
refuses 'a page without a name' 2 "inspect: --page needs --report, the page to write
Try 'inspect --help'." inspect --page described

# ---- Refusals ---------------------------------------------------------------

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

# zeros: all decision values are 0, so the last threshold is the double next to 0. far: targets of 1e300.
printf '3\n0\n' >zeros
printf '%s 1:1\n' 1e300 2e300 -1e300 >far
for data in zeros far; do
    [ $data = far ] && options='-s 13 -i 3' || options=
    # shellcheck disable=SC2086 # options are words
    run train -q $options $data model
    rm -f page.html
    run predict --report page.html $data model labels
    same "$data: exit status" 0 "$STATUS"
    same "$data: all places are numbers" '' \
        "$(sed 's/<style.*//' page.html | grep -e '[ M,V"]-*nan' -e '[ M,V"]-*inf[^o]')"
done
