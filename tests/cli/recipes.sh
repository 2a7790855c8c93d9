# recipes.sh - runs the commands of several lines in the manual's examples, as printed.
# shellcheck shell=sh

mkdir data tools
cp "$CANCER" data/breast-cancer
for program in train predict scale; do
    printf '#!/bin/sh\nexec "%s/%s" "$@"\n' "$BIN" "$program" >"tools/hinge-$program"
    chmod +x "tools/hinge-$program"
done
"$BIN/train" -q data/breast-cancer model

# blocks PAGE: writes the examples of a page to PAGE.N, except the first ones, which are single commands.
blocks() {
    awk -v page="$1" '
        /^[.]Sh / { examples = $2 == "EXAMPLES"; next }
        examples && /^[.]Bd -literal/ { reading = ++n > 1; next }
        /^[.]Ed/ { reading = 0 }
        reading { gsub(/\\e$/, "\\"); print > (page "." n) }' "$ROOT/src/man/$1".1*
}

# done_as_printed NAME FILE: runs the commands; no line on standard error.
done_as_printed() {
    STATUS=0
    (PATH=$PWD/tools:$PATH && export PATH && sh -e "./$2") >"$OUT" 2>"$ERR" || STATUS=$?
    same "$1: status, errors" '0 ' "$STATUS $(cat "$ERR")"
}

for page in predict train; do
    blocks $page
    for block in "$page".[0-9]*; do
        name="$page(1), example ${block#*.}"
        done_as_printed "$name" "$block"
        cp "$OUT" "$block.out"
    done
done
same 'a ranking: ten rows of class 1' '10 +1' "$(awk '{ n++; label[$2] }
    END { for (l in label) all = all " " l; print n all }' predict.2.out)"

# The manual's line finds the threshold with the largest F1 in the rows held out.
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

# The example of a threshold in hinge(1) prints the threshold that its next command uses.
blocks hinge
done_as_printed 'hinge(1): a threshold' hinge.3
used=$(sed -n 's/.* --threshold \(-*[0-9.][0-9.]*\) .*/\1/p' hinge.3)
printed=$(sed -n 's/^Threshold = [^ ]* (for new rows: --positive 1 --threshold \(.*\))$/\1/p' "$OUT")
holds 'hinge(1): the threshold is the one that is printed' awk -v printed="$printed" -v used="$used" \
    'BEGIN { exit !(used != "" && printed - used < 0.006 && used - printed < 0.006) }'
