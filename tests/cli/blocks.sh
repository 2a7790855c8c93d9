# blocks.sh - --memory, data in a temporary file: the models are the same, or certified as well, and no file is left
# behind, whatever ends the program.
# shellcheck shell=sh

# narrow: rows with most of 30 features, with noise, 1.2 MB. wide: rows with 15 of 4999 features, 0.8 MB. tall: so many
# rows of 2 features that the training on a part of the rows itself starts from a part of them.
awk 'BEGIN {
    x = 1
    for (i = 0; i < 10000; i++) {
        sum = 0; line = ""
        for (j = 1; j <= 30; j++) {
            x = (x * 16807) % 2147483647
            if (x % 5 == 0) continue
            value = x % 100 / 100; sum += (j % 3 - 1) * value
            line = line sprintf(" %d:%.2f", j, value)
        }
        x = (x * 16807) % 2147483647
        printf "%d%s\n", (sum + x % 100 / 50 > 1.2 ? 1 : -1), line
    } }' >narrow
awk 'BEGIN {
    x = 1
    for (i = 0; i < 9000; i++) {
        sum = 0; line = ""; j = 0
        for (k = 0; k < 15; k++) {
            x = (x * 16807) % 2147483647
            j += 1 + x % 330
            sum += j % 7 < 3 ? 1 : -1
            line = line sprintf(" %d:%.1f", j, 0.1 + x % 10 / 10)
        }
        printf "%d%s\n", (sum > -2 ? 1 : -1), line
    } }' >wide
awk 'BEGIN {
    x = 1
    for (i = 0; i < 60000; i++) {
        x = (x * 16807) % 2147483647; a = x % 1000 / 1000
        x = (x * 16807) % 2147483647; b = x % 1000 / 1000
        x = (x * 16807) % 2147483647
        printf "%d 1:%.3f 2:%.3f\n", (a - b + x % 100 / 100 > 0.5 ? 1 : -1), a, b
    } }' >tall
awk '{ $1 = ($1 > 0) + (NR % 10 == 0) * 2; print }' narrow >classes
sort -k 1,1n wide >sorted
for data in narrow wide sorted; do
    awk '{ $1 = $1 + NR % 7 / 4; print }' "$data" >"numbers.$data"
done
echo 'an old model' >old

# in_file: the last run printed that the data were in a file.
in_file() {
    grep -q -x 'data read [0-9.]* times' "$OUT"
}

# ---- The same models ---------------------------------------------------

# agrees NAME ARGUMENT...: the model is the same with data in memory and in files, with each limit in $sizes.
sizes=0.25
! is_complete || sizes='0.0625 0.7'
agrees() {
    name=$1
    shift
    "$BIN/train" -q "$@" one
    for memory in $sizes; do
        succeeds "$name, $memory MiB" train --memory "$memory" "$@" other
        holds "$name, $memory MiB: a file" in_file
        same_bytes "$name, $memory MiB" one other
    done
}

agrees 'newton-l2' -s newton-l2 narrow
agrees 'newton-l2, parts of parts' -s newton-l2 tall
agrees 'lr-newton, parts of parts' -s lr-newton tall
agrees 'newton-l2, a bias' -s newton-l2 -B 1 -c 10 narrow
agrees 'newton-l2, a free bias' -s newton-l2 -B 1 -R narrow
agrees 'lr-newton' -s lr-newton narrow
agrees 'svr-newton' -s svr-newton numbers.narrow
agrees 'pnewton' -s pnewton -c 0.1 narrow
agrees 'newton-l2, four classes' -s newton-l2 --balanced classes
agrees 'newton-l2, probabilities' -s newton-l2 -b 1 narrow
agrees 'pnewton, dual variables' -s pnewton --alpha alpha narrow
"$BIN/train" -q -s newton-l2 narrow one
run_piped narrow train -s newton-l2 --memory 0.1 - other
holds 'from a pipe: a file' in_file
same_file 'from a pipe' one other
run train -s newton-l2 --memory 4 narrow other
same_bytes 'enough memory' one other
holds 'enough memory: no file is spoken of' test "$(grep -c 'data read' "$OUT")" = 0
# The data take more than what is read before the file is opened, and less than the limit.
run train -s newton-l2 --memory 1.5 narrow other
same_bytes 'enough memory, at the end' one other

# ---- Certified ones ----------------------------------------------------

sets='narrow sorted'
! is_complete || sets='narrow wide sorted'
for solver in 0 1 2 3 7 11 12 13; do
    for data in $sets; do
        [ "$solver" -lt 8 ] || data=numbers.$data
        succeeds "$solver, $data" train --strict -s "$solver" -c 0.1 --memory 0.125 "$data" model
        holds "$solver, $data: a file" in_file
    done
done
succeeds 'LIBLINEAR-like rule' train --strict -s 2 -e 0.01 -g 0.001 --memory 0.125 wide model
succeeds 'the rule of the dual' train -s 3 -e 0.1 -c 0.1 --memory 0.125 wide model
succeeds 'a start' train --strict -s 1 --initial-model model --memory 0.125 wide other
cp other model
succeeds 'one method' train --strict --plain -s 1 -c 0.1 --memory 0.125 narrow model

"$BIN/train" -q -s sgd-w --sampling permute wide one
for solver in pegasos sgd sgd-w sgd-suffix comid hrmd-w; do
    succeeds "$solver" train -s "$solver" --sampling permute --memory 0.125 wide model
    holds "$solver: a file" in_file
done
run train -s sgd-w --memory 0.125 wide model
same_text 'permuted, and said' "$ERR" 'train: warning: --sampling is permute: the data are in a temporary file'
holds 'sgd-w: as good a model' awk -v one="$(record one primal)" -v model="$(record model primal)" \
    'BEGIN { exit !(model < 1.05 * one && one < 1.05 * model) }'

# ---- Many rows of many features ----------------------------------------

# There are 144 rows for each feature, and more features than a factor may have. Newton's method begins before any
# pass, at the solution of a part of the rows. With a file, its vectors must have room, for which 40 MiB do not suffice.
if is_complete; then
    awk 'BEGIN {
        x = 1
        for (i = 0; i < 600000; i++) {
            sum = 0; j = 0; line = ""
            for (k = 0; k < 10; k++) {
                x = (x * 16807) % 2147483647
                j += 1 + x % 410
                sum += j % 7 < 3 ? 1 : -1
                line = line " " j ":1"
            }
            print (sum > -1 ? 1 : -1) line (i ? "" : " 4150:1")
        } }' >many
    # trains MIB: "status S, METHOD, N passes, file" of a training.
    trains() {
        run train --strict -s 2 --memory "$1" many model
        trained="status $STATUS, $(record model engine), $(sed -n 's/^optimization finished, #iter = //p' "$OUT") iterations"
        ! in_file || trained="$trained, in a file"
    }
    trains 1000
    same 'many rows, in memory' 'status 0, newton, 5 iterations' "$trained"
    trains 65
    same 'many rows, room for vectors' 'status 0, newton, 5 iterations, in a file' "$trained"
    trains 40
    same 'many rows, no room' 'status 0, none, 57 iterations, in a file' "$trained"
    rm -f many
fi

# ---- Cross-validation and search ---------------------------------------

for data in narrow wide; do
    "$BIN/train" -v 3 -s newton-l2 -g 1e-6 "$data" >expected
    run train -v 3 -s newton-l2 -g 1e-6 --memory 0.25 "$data"
    same "-v, $data" "$(cat expected)" "$(grep -v 'data read' "$OUT")"
    holds "-v, $data: a file" in_file
done
"$BIN/train" -q -C -v 2 --refit -s newton-l2 --c-range -3:1:2 narrow one >expected
run train -q -C -v 2 --refit -s newton-l2 --c-range -3:1:2 --memory 0.25 narrow other
same '-C' "$(cat expected)" "$(cat "$OUT")"
same_bytes '-C' one other
run train -C -v 2 -s 3 --memory 0.25 -c 0.01 --c-range -6:-4 wide
same '-C, c and range' 2 "$STATUS"
searches '-C, many features' train -q -C -v 2 -s 3 --memory 0.25 --c-range -6:-4 wide

# ---- What is refused ---------------------------------------------------

try="
Try 'train --help'."

for solver in 4 5 6 21 42 50 62; do
    name=$("$BIN/train" --help all | awk -v s="$solver" '/^solvers:/ { on = 1 } on && $1 == s { print $2; exit }')
    refuses "$name" 2 "train: the data do not fit in the memory that is allowed, and solver $name needs all of them there; solvers 0-3, 7, 11-13, 30-33, 40, 41 and 61 do not$try" \
        train -q -s "$solver" --memory 0.125 narrow model
    run train -q -s "$solver" -i 1 --memory 8 narrow other
    same "$name, enough memory" 0 "$STATUS"
    rm -f other
done
refuses 'independent draws' 2 \
    "train: sampling: iid needs all data in memory, and they do not fit; permute needs only a part of them$try" \
    train -q -s sgd --sampling iid --memory 0.125 narrow model
awk 'BEGIN { printf "1"; for (j = 1; j <= 30000; j++) printf " %d:%d", j, j % 7 + 1; print "\n-1 1:1\n1 2:1" }' >long
refuses 'a row that is too long' 4 \
    'train: out of memory: a row of 180000 bytes is too much for the 16384 bytes that are left for non-zeros' \
    train -q --memory 0.125 long model
refuses 'too little' 2 "train: --memory: less than 1/16$try" train --memory 0.01 narrow
refuses 'none' 2 "train: --memory: '0' is not a positive finite number$try" train --memory 0 narrow

# ---- The file ----------------------------------------------------------

cp old scratch
cp old model
refuses 'a file that is there' 3 'train: cannot write scratch: it is there already' \
    train -q --memory 0.125 --scratch scratch narrow model
rm scratch
mkfifo scratch
refuses 'a named pipe' 3 'train: cannot write scratch: it is there already' \
    train -q --memory 0.125 --scratch scratch narrow model
rm scratch
ln -s target scratch
refuses 'a link that leads nowhere' 3 'train: cannot write scratch: it is there already' \
    train -q --memory 0.125 --scratch scratch narrow model
holds 'a link that leads nowhere: it stays, and nothing is written' test -h scratch -a ! -e target
rm scratch
refuses 'no such folder' 3 'train: cannot write absent/scratch: No such file or directory' \
    train -q --memory 0.125 --scratch absent/scratch narrow model
succeeds 'a name' train -q -s 2 --memory 0.125 --scratch scratch narrow model
"$BIN/train" -q -s 2 narrow one
same_bytes 'a name: the model' one model
holds 'a name: no file is left' test ! -e scratch

# full_disk COMMAND...: ignores SIGXFSZ, so that a write fails as on a full disk.
full_disk() {
    (
        trap '' XFSZ
        # shellcheck disable=SC3045 # where it is missing we skip
        ulimit -f 512 && bounded "$@"
    )
}
cp old model
if is_sanitized || ! full_disk true 2>/dev/null; then
    skips 'a full disk' 'ulimit -f or the signal cannot be set'
else
    confine full_disk
    refuses 'a full disk' 3 'train: cannot write a temporary file: File too large' \
        train -q --memory 0.0625 narrow model
    refuses 'a full disk, a name' 3 'train: cannot write scratch: File too large' \
        train -q --memory 0.0625 --scratch scratch narrow model
    confine bounded
fi

# A training that does not end by itself, with the file open.
endless='-s 3 -c 1e6 -g 1e-12 --plain --memory 0.125 --scratch scratch'
begun() {
    grep -q 'pass' "$ERR"
}
# shellcheck disable=SC2086
signalled INT begun train $endless wide model
same 'SIGINT: exit status' 130 "$STATUS"
same 'SIGINT: the model says so' interrupted "$(record model outcome)"
holds 'SIGINT: reads were told of' grep -E -q ', data read [0-9.]* times(, about [0-9]+ to come)?$' "$ERR"
holds 'SIGINT: no file is left' test ! -e scratch
told() {
    grep -q 'epoch' "$ERR"
}
signalled INT told train -s sgd-w --sampling permute --epochs 100000 --memory 0.125 wide model
holds 'epochs: reads to come' grep -E -q ', data read [0-9.]* times, about [0-9]+ to come$' "$ERR"
cp old model
# shellcheck disable=SC2086
signalled KILL begun train $endless wide model
same 'SIGKILL: exit status' 137 "$STATUS"
holds 'SIGKILL: the old model' cmp old model
holds 'SIGKILL: no file is left' test ! -e scratch

# ---- Memory ------------------------------------------------------------

small_memory() {
    (
        # shellcheck disable=SC3045
        ulimit -v 14000 && bounded "$@"
    )
}
awk 'BEGIN { for (i = 0; i < 12000; i++) { printf "%d", i % 2 ? 1 : -1
    for (j = 1; j <= 200; j++) printf " %d:%d", j, (i * j) % (j + 2 + i % 2) + 1
    print "" } }' >large
if is_sanitized || ! small_memory "$BIN/train" --version >/dev/null 2>&1; then
    skips 'less memory than data' 'ulimit -v is not there or too coarse'
else
    confine small_memory
    run train -q -s 2 large model
    same '10 MB of data in 14 MB' 4 "$STATUS"
    succeeds '10 MB of data in 2 MB' train -q -s 2 -g 0.01 --memory 2 large model
    # a row takes 46 bytes without its non-zeros: see hinge-parallel(7)
    awk 'BEGIN { for (i = 0; i < 400000; i++) printf "%d %d:1 %d:1\n", i % 2, i % 4999 + 1, i % 7 + 5000 }' >short
    rows_memory() {
        (
            # shellcheck disable=SC3045
            ulimit -v 25000 && bounded "$@"
        )
    }
    confine rows_memory
    run train -q -s 1 -i 3 short model
    same '400,000 short rows in 25 MB' 4 "$STATUS"
    succeeds '400,000 short rows in 25 MB' train -q -s 1 -i 3 --memory 1 short model
    confine bounded
fi
