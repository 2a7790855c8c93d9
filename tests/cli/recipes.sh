# recipes.sh - the commands of several lines in the manual's examples, and pictures, as printed.
# shellcheck shell=sh

mkdir data tools
cp "$CANCER" data/breast-cancer
for program in train predict scale; do
    printf '#!/bin/sh\nexec "%s/%s" "$@"\n' "$BIN" "$program" >"tools/hinge-$program"
    chmod +x "tools/hinge-$program"
done
"$BIN/train" -q data/breast-cancer model

# blocks PAGE: writes the examples of a page, but the first, which are single commands, to PAGE.N.
blocks() {
    awk -v page="$1" '
        /^[.]Sh / { examples = $2 == "EXAMPLES"; next }
        examples && /^[.]Bd -literal/ { reading = ++n > 1; next }
        /^[.]Ed/ { reading = 0 }
        reading { gsub(/\\e$/, "\\"); print > (page "." n) }' "$ROOT/src/man/$1".1*
}

# is_picture FILE: a PNG of some size.
is_picture() {
    [ "$(head -c 4 "$1" | tail -c 3)" = PNG ] && [ "$(wc -c <"$1")" -gt 3000 ]
}

# done_as_printed NAME FILE: runs the commands; no line on standard error.
done_as_printed() {
    STATUS=0
    (PATH=$PWD/tools:$PATH && export PATH && sh -e "./$2") >"$OUT" 2>"$ERR" || STATUS=$?
    same "$1: status, errors" '0 ' "$STATUS $(cat "$ERR")"
}

# labelled NAME FILE: it draws something; there are as many titles, axis labels and legends as pictures,
# and they stand in these.
labelled() {
    drawn=$(sed -n "s/.*set output '\([^']*\)[.]png'.*/\1/p" "$2")
    differ "$1: pictures" '' "$drawn"
    for what in 'set title' 'set xlabel' 'set ylabel' " with [a-z]* title '"; do
        same "$1: '$what' of each picture" "$(echo "$drawn" | wc -l)" "$(grep -c "$what" "$2")"
    done
    : >texts
    for stem in $drawn; do
        holds "$1: $stem" is_picture "$stem.png"
        readable "$1: $stem" "$stem.svg"
        cat "$SCRATCH/texts" >>texts
    done
    same "$1: texts that are not in the pictures" '' "$(
        grep -o -e "title '[^']*'" -e "label '[^']*'" "$2" | sed "s/^[a-z]* '//; s/'$//" | grep -v -xF -f texts)"
}

# Each picture is drawn once more as SVG, where texts can be found.
plotter=$(command -v gnuplot)
printf '%s\n' '#!/bin/sh' "$plotter \"\$@\" || exit" "[ \"\$1\" = -e ] || exit 0" \
    "exec $plotter -e \"\$(printf '%s\n' \"\$2\" | as_svg)\"" >tools/gnuplot
printf '#!/bin/sh\n' >tools/as_svg
sed -n '/^as_svg()/,/^}/p' "$ROOT/tests/cli/lib.sh" >>tools/as_svg
echo as_svg >>tools/as_svg
chmod +x tools/gnuplot tools/as_svg

for page in predict train; do
    blocks $page
    for block in "$page".[0-9]*; do
        name="$page(1), example ${block#*.}"
        if ! grep -q gnuplot "$block"; then
            done_as_printed "$name" "$block"
            cp "$OUT" "$block.out"
        elif command -v gnuplot >/dev/null 2>&1; then
            done_as_printed "$name" "$block"
            labelled "$name" "$block"
        else
            skips "$name" 'gnuplot is not installed'
        fi
    done
done
same 'a ranking: ten rows of class 1' '10 +1' "$(awk '{ n++; label[$2] }
    END { for (l in label) all = all " " l; print n all }' predict.2.out)"

# The threshold that the manual's line finds in the rows held out is the one of the largest F1.
tail -n 1 train.2.out >came
sed 1d rows.csv | awk -F , '{ value[NR] = $5; label[NR] = $3; ones += $3 == 1 }
    END {
        for (i = 1; i <= NR; i++) {
            right = above = 0
            for (j = 1; j <= NR; j++)
                if (value[j] >= value[i]) { above++; right += label[j] == 1 }
            f = 2 * right / (above + ones)
            if (f > best) best = f
        }
        printf "%.6g\n", best }' >expected
same 'the threshold of rows held out: its F1' "$(cat expected)" "$(cut -d ' ' -f 2 came)"
same 'the threshold of rows held out: F1 by it' "$(cat expected)" "$(sed 1d rows.csv |
    awk -F , -v x="$(cut -d ' ' -f 1 came)" '{ ones += $3 == 1 }
        $5 > x { above++; right += $3 == 1 } END { printf "%.6g\n", 2 * right / (above + ones) }')"

# The example of a threshold in hinge(1): what it prints is what it goes on with.
blocks hinge
done_as_printed 'hinge(1): a threshold' hinge.3
used=$(sed -n 's/.* --threshold \(-*[0-9.][0-9.]*\) .*/\1/p' hinge.3)
printed=$(sed -n 's/^Threshold = [^ ]* (for new rows: --positive 1 --threshold \(.*\))$/\1/p' "$OUT")
holds 'hinge(1): the threshold is the one that is printed' awk -v printed="$printed" -v used="$used" \
    'BEGIN { exit !(used != "" && printed - used < 0.006 && used - printed < 0.006) }'
