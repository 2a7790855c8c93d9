# failures.sh - a failure of one rank ends all ranks: one line names the rank, the exit status is the documented one, no
# rank waits for ever, and no model is written.
# shellcheck shell=sh disable=SC2016

# shellcheck source=tests/mpi/lib.sh
. "$ROOT/tests/mpi/lib.sh"

mkdir other
cp "$CANCER" data
cp data other/data
train='exec "$BIN/train-mpi" -s 2 -q'
echo old >model
cp model other/model

# no_model NAME: checks that the old model is there and no temporary file.
no_model() {
    same "$1: the old model" 'old old' "$(cat model other/model | xargs)"
    same "$1: no temporary file" '' "$(temporaries)"
}

# ---- Before the training ---------------------------------------------------

mixed_ranks 3 '[ "$RANK" != 1 ] || exec "$BIN/train-mpi" -s 2 -c 2 -q data model
'"$train data model"
ended 'another option' 2 'train-mpi: rank 1 of 3: the words of the command line differ from those of rank 0'
mixed_ranks 3 '[ "$RANK" != 0 ] || exec "$BIN/train-mpi" -s 2 -q data
'"$train data model"
ended 'rank 0 has others' 2 'train-mpi: rank 1 of 3: the words of the command line differ from those of rank 0'
mixed_ranks 3 '[ "$RANK" != 0 ] || exec "$BIN/train-mpi"
'"$train data model"
ended 'rank 0 has none' 2 'train-mpi: rank 1 of 3: the words of the command line differ from those of rank 0'
mixed_ranks 3 '[ "$RANK" != 2 ] || exec "$BIN/train-mpi"
'"$train data model"
ended 'rank 2 has none' 2 'train-mpi: rank 2 of 3: the words of the command line differ from those of rank 0'
no_model 'other options'

rm other/data
mixed_ranks 3 '[ "$RANK" != 2 ] || cd other
'"$train data model"
ended 'no file on a rank' 3 'train-mpi: rank 2 of 3: cannot open data: No such file or directory'
sed '300s/ 1:/ 1:1/' data >other/data
mixed_ranks 3 '[ "$RANK" != 1 ] || cd other
'"$train data model"
ended 'a file of another size' 1 "train-mpi: rank 1 of 3: data:1:1: it has $(wc -c <other/data | tr -d ' ') bytes, and $(
    wc -c <data | tr -d ' ') for rank 0"
sed '1s/ 1:./ 1:9/' data >other/data
mixed_ranks 3 '[ "$RANK" != 1 ] || cd other
'"$train data model"
ended 'a file with another beginning' 1 'train-mpi: rank 1 of 3: data:1:1: it differs from the file of rank 0'
awk 'NR > 100' data >other/data
awk 'NR <= 100' data >>other/data
mixed_ranks 4 '[ "$RANK" != 2 ] || cd other
'"$train data model"
same 'a file with other lines: exit status' 1 "$STATUS"
holds 'a file with other lines: a line' grep -q -x 'train-mpi: rank [1-3] of 4: data:1:1: it differs from the file of rank [0-3]' "$ERR"
cp data other/data
awk '{ print 1 }' data >weights
sed '77s/1/2/' weights >other/weights
mixed_ranks 3 '[ "$RANK" != 1 ] || cd other
'"$train -W weights data model"
other='weights, groups of rows or the model to start from differ from those of rank 0'
ended 'other weights' 2 "train-mpi: rank 1 of 3: $other"
awk '{ print 0 }' data >other/weights
mixed_ranks 3 '[ "$RANK" != 2 ] || cd other
'"$train -W weights data model"
ended 'weights of 0 on a rank' 1 'train-mpi: rank 2 of 3: weights:1:1: all weights are 0'
rm other/weights
awk '{ print NR % 7 }' data >names
awk '{ print NR % 3 }' data >other/names
mixed_ranks 3 '[ "$RANK" != 1 ] || cd other
'"$train -v 3 --folds names data"
ended 'other groups' 2 "train-mpi: rank 1 of 3: $other"
"$BIN/train" -q -s 2 data start
"$BIN/train" -q -s 2 -c 2 data other/start
mixed_ranks 3 '[ "$RANK" != 2 ] || cd other
'"$train --initial-model start data model"
ended 'another model to start from' 2 "train-mpi: rank 2 of 3: $other"
sed 's/^label .*/label 3 7/' start >other/start
mixed_ranks 3 '[ "$RANK" != 2 ] || cd other
'"$train --initial-model start data model"
ended 'a model with other labels' 2 "train-mpi: rank 2 of 3: $other"
rm start other/start
mixed_ranks 3 '[ "$RANK" != 1 ] || cd other
'"$train -W weights data model"
ended 'no weights' 3 'train-mpi: rank 1 of 3: cannot open weights: No such file or directory'
no_model 'other files'

# The first of several faults is reported, whichever rank meets it, with the number of its line in the file.
for line in 1 2 250 568 569; do
    sed -e "${line}s/ 3:/ 3:x/" -e '569s/ 4:/ 4:y/' data >bad
    run train -q -s 2 bad model
    expected=$(cat "$ERR")
    ranks 4 -q -s 2 bad model
    same "a fault in line $line: exit status" 1 "$STATUS"
    same "a fault in line $line" "$expected" "$(sed 's/^train-mpi: rank [0-3] of 4: //' "$ERR")"
    same "a fault in line $line: one line" 1 "$(wc -l <"$ERR" | tr -d ' ')"
done

ranks 3 -s 2 nothing model
ended 'no file anywhere' 3 'train-mpi: cannot open nothing: No such file or directory'
ranks 3 -s 2 - model
ended 'standard input' 2 'train-mpi: several processes cannot share standard input: name a file'
# No rank waits for ever, with a writer of the pipe or without.
mkfifo pipe pipes.1
cp data pipes.0
for size in 1 3; do
    for writer in '' ', with a writer'; do
        [ -z "$writer" ] || cat data >pipe 2>/dev/null &
        ranks "$size" -s 2 pipe model
        kill "$!" 2>/dev/null
        ended "a named pipe, $size ranks$writer" 3 \
            'train-mpi: cannot read pipe: it is a pipe, and several processes need a file'
        [ -z "$writer" ] || cat data >pipes.1 2>/dev/null &
        ranks "$size" -s 2 pipes model
        kill "$!" 2>/dev/null
        same "a named pipe among numbered files, $size ranks$writer" \
            '3 cannot read pipes.1: it is a pipe, and several processes need a file' \
            "$STATUS $(sed 's/^train-mpi: \(rank [0-9] of 3: \)*//' "$ERR")"
    done
done
ranks 3 -s 2 --memory 1 data model
ended '--memory' 2 'train-mpi: several processes keep their rows in memory, not in a temporary file'
ranks 3 -s 2 data not/there
ended 'a folder for the model that is not there' 3 \
    'train-mpi: rank 0 of 3: cannot write not/there: No such file or directory'
cp data parts.0
: >parts.1
for output in ./parts.0 parts.1; do
    ranks 2 -q -s 2 parts "$output"
    ended "an output that is a numbered file, $output" 2 \
        "train-mpi: rank 0 of 2: the model and the data are the same file, '$output'"
done
ranks 2 -q -s 2 --alpha "$PWD/parts.0" parts model
ended 'an output that is a numbered file by another name' 2 \
    "train-mpi: rank 0 of 2: --alpha, '$PWD/parts.0', has the content of the data, 'parts.0', and may be the same file; \
if it is a copy, remove it"
same_bytes 'a numbered file stays' data parts.0
ranks 2 -q -s 2 data parts.1
same 'a name like that of a numbered file, where there is the file itself' '0 ' "$STATUS $(cat "$ERR")"
gzip -c data >data.gz
ranks 3 -s 2 data.gz model
same 'compressed data: exit status' 1 "$STATUS"
holds 'compressed data: what to do' grep -q '^train-mpi: rank 0 of 3: data[.]gz:1:1: .*: try zcat FILE > PLAIN$' "$ERR"
ranks 3 --foo data model
ended 'an option that there is not' 2 "train-mpi: --foo: there is no such option
Try 'train-mpi --help'."
ranks 3
same 'no arguments' '2 5' "$STATUS $(wc -l <"$ERR" | tr -d ' ')"
ranks 3 --help
holds '--help: of several processes' grep -q 'Solvers are 0-3, 7, 11-13 and 61;$' "$OUT"
ranks 3 --version
same '--version' "0 hinge $(sed -n 's/^#define HINGE_VERSION "\(.*\)"/\1/p' "$ROOT/include/hinge.h")" "$STATUS $(cat "$OUT")"
no_model 'refusals'

# ---- In the training ---------------------------------------------------------

printf '%s\n' '1 1:1' '1 1:2' '1 1:3' >ones
ranks 2 -s 2 ones model
same 'one class: exit status' 1 "$STATUS"
same 'one class: one line' "$("$BIN/train" -s 2 ones new 2>&1)" "$(sed 's/^train-mpi: //' "$ERR")"
for solver in 30 31 32 33 40 41 4 5 6 21 42 50 62; do
    ranks 2 -s "$solver" data model
    same "-s $solver: exit status" 2 "$STATUS"
    same "-s $solver: one line" 1 "$(grep -c '^train-mpi: ' "$ERR")"
done

# A rank without memory says so, whenever it runs out, and the other ranks say nothing.
printf '%s\n' '1 1:1 20000000:1' '-1 1:-1 2:1' '1 3:1' '-1 4:1' >wide
# shellcheck disable=SC3045 # the condition tests that ulimit has -v
if is_sanitized || ! (ulimit -v 1000000) 2>/dev/null; then
    skips 'a rank without memory' 'memory cannot be limited'
else
    for limit in 400000 600000 1500000; do
        mixed_ranks 3 '[ "$RANK" != 1 ] || ulimit -v '"$limit
$train wide model"
        same "a rank with $limit kB: exit status" 4 "$STATUS"
        same "a rank with $limit kB: one line" 'train-mpi: rank 1 of 3: out of memory: no room for N bytes' \
            "$(sed 's/for [0-9]* bytes/for N bytes/' "$ERR")"
    done
fi
no_model 'in the training'
