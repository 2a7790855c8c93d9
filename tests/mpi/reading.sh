# reading.sh - whatever the file and the number of ranks, the model is that of one rank.
# shellcheck shell=sh

# shellcheck source=tests/mpi/lib.sh
. "$ROOT/tests/mpi/lib.sh"

# alike NAME DATA: checks that each number of ranks writes the same model.
alike() {
    ranks 1 -q -s 2 "$2" one
    same "$1: exit status" 0 "$STATUS"
    for size in 2 3 7; do
        ranks "$size" -q -s 2 "$2" many
        same "$1, $size ranks: exit status" "0 " "$STATUS $(cat "$ERR")"
        same_file "$1, $size ranks" one many
    done
}

cp "$CANCER" dense
awk '{ for (k = 2; k <= NF; k++) if ((NR + k) % 3) $k = ""; print }' dense >sparse
awk '{ for (k = 2; k <= NF; k++) if ((NR + k * k) % 9 < 4) $k = ""; print }' dense >half # and more
awk '{ for (k = 2; k <= NF; k++) if ((NR + k) % 97 == 0) $k = ""; print }' dense >few_zeros
awk '{ for (k = 2; k <= NF; k++) sub(/:.*/, ":1", $k); print }' sparse >ones
awk '{ for (k = 2; k <= NF; k++) sub(/:.*/, ":" NR % 9, $k); print }' sparse >wholes
awk 'NR < 500 { for (k = 2; k <= NF; k++) sub(/:.*/, ":1", $k) } { print }' sparse >ones_first
awk 'NR == 400 { $2 = "1:0.12345678901234" } { print }' sparse >a_double
awk '{ printf "# %d\n\n%s\r\n", NR, $0 }' dense >with_comments
awk 'NR % 63 == 5' dense >little
printf '\357\273\277' | cat - dense >with_mark
awk 'NR == 5 { printf "%s", $0; for (k = 31; k < 20000; k++) printf " %d:%d", k, k % 5; print ""; next } { print }' \
    dense >long_row
for data in dense sparse half few_zeros ones wholes ones_first a_double with_comments little with_mark long_row; do
    alike "$data" "$data"
done
for data in dense with_comments; do
    ranks 3 -q -s 2 --zero-based "$data" many
    run train -q -s 2 --zero-based "$data" one
    same_file "$data, from 0" one many
done

# Numbered files, fewer and more than ranks, with no line in one of them.
for files in 1 3 5; do
    rm -f parts.[0-9]*
    awk -v files="$files" '{ print >("parts." int((NR - 1) * files / 569)) }' dense
    : >"parts.$files"
    ranks 1 -q -s 2 dense one
    for size in 1 2 4; do
        ranks "$size" -q -s 2 parts many
        same "numbered files, $files, $size ranks: exit status" "0 " "$STATUS $(cat "$ERR")"
        same_file "numbered files, $files, $size ranks" one many
    done
done
sed -i.old '3s/ 2:/ 2:x/' parts.4
ranks 3 -q -s 2 parts many
same 'a fault in a numbered file' '1 train-mpi: rank 2 of 3: parts.4:3:' "$STATUS $(cut -d : -f 1-4 "$ERR"):"

# A number that is missing, or a file that may not be read.
rm -f parts.*
for part in 0 1 3 9; do
    awk -v part="$part" 'NR % 4 == part % 3' dense >"parts.$part"
done
for size in 1 3; do
    refused="train-mpi: cannot open parts.2: it is missing, but there is parts.9"
    ranks "$size" -q -s 2 parts many
    same "a part is missing, $size ranks" "3 $refused" "$STATUS $(cat "$ERR")"
done
rm parts.9 parts.0
ranks 2 -q -s 2 parts many
same 'the first part is missing' '3 train-mpi: cannot open parts.0: it is missing, but there is parts.3' \
    "$STATUS $(cat "$ERR")"
rm parts.3
mv parts.1 parts.0
ln -s nowhere parts.1
ranks 2 -q -s 2 parts many
same 'the last part is a link that leads nowhere' \
    '3 train-mpi: rank 1 of 2: cannot open parts.1: No such file or directory' "$STATUS $(cat "$ERR")"
rm parts.1
: >parts.1
chmod 000 parts.1
if [ -r parts.1 ]; then
    skips 'the last part may not be read' 'this user may read all files'
else
    ranks 2 -q -s 2 parts many
    same 'the last part may not be read' \
        '3 train-mpi: rank 1 of 2: cannot open parts.1: Permission denied' "$STATUS $(cat "$ERR")"
fi
