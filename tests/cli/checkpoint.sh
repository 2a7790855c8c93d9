# checkpoint.sh - --checkpoint: the checkpoint of a killed training, and trainings that continue from it.
# shellcheck shell=sh

try="
Try 'train --help'."
refuses 'without a file' 2 "train: --checkpoint-every needs --checkpoint$try" train --checkpoint-every 1 "$CANCER"
for option in '-v 3' -C; do
    # shellcheck disable=SC2086
    refuses "$option" 2 "train: ${option%% *} and --checkpoint exclude each other$try" \
        train $option --checkpoint saved "$CANCER"
done
refuses 'smo' 2 "train: --checkpoint has no meaning for --solver smo$try" \
    train -s smo --checkpoint saved "$CANCER"
refuses 'a stochastic solver' 2 "train: --checkpoint has no meaning for --solver pegasos$try" \
    train -s pegasos --checkpoint saved "$CANCER"
refuses 'the file is the model' 2 "train: the model and --checkpoint are the same file, './saved'$try" \
    train --checkpoint saved "$CANCER" ./saved
refuses 'a folder that is not there' 3 'train: cannot write not/there: No such file or directory' \
    train --checkpoint not/there "$CANCER" model

mkfifo saved
refuses 'a named pipe' 3 'train: cannot write saved: it is a named pipe; redirect to it' \
    train --checkpoint saved "$CANCER" model
rm saved
succeeds 'a training that ends' train -q --checkpoint saved "$CANCER" model
"$BIN/train" -q "$CANCER" other
same_file 'the same model' other model
same 'no checkpoint is left' '' "$(find . -name 'saved*')"
# If a checkpoint cannot be removed, even by root, the outputs are written all the same.
if [ -e /proc/self/fd ]; then
    rm -f new steps
    run train -q --checkpoint /proc/self/fd/3 --trace steps "$CANCER" new 3<model
    same 'a checkpoint that stays' '3 train: cannot remove /proc/self/fd/3' \
        "$STATUS $(sed 's|\(/fd/3\): .*|\1|' "$ERR")"
    holds 'a checkpoint that stays: the model' test -s new
    holds 'a checkpoint that stays: the trace' test -s steps
    rm -f new steps
else
    skips 'a checkpoint that stays' 'there is no /proc/self/fd'
fi

# ---- Killed -------------------------------------------------------------

endless='-s 3 -c 1e6 -g 1e-12 --plain'
saved() {
    [ -s saved ]
}

# shellcheck disable=SC2086
signalled KILL saved train $endless -q --checkpoint saved --checkpoint-every 0.003 "$CANCER" new
same 'killed: exit status' 137 "$STATUS"
same 'killed: no model' '' "$(find . -name new)"
same 'killed: the checkpoint says what it is' interrupted "$(record saved outcome)"
succeeds 'killed: the checkpoint is a model' predict -q "$CANCER" saved labels
holds 'killed: not that of 0' grep -q '^[0-9.-]*[1-9]' saved
cp saved before
run train -s 3 -c 1e6 --checkpoint saved "$CANCER" new
same 'again: exit status' 0 "$STATUS"
same_text 'again: it says where it starts' "$ERR" 'train: starts from the checkpoint saved'
same 'again: certified' certified "$(record new outcome)"
same 'again: the checkpoint is removed' '' "$(find . -name saved)"
"$BIN/train" -q -s 3 -c 1e6 --initial-model before "$CANCER" other
same_file 'as from --initial-model' other new
cp before saved
"$BIN/train" -q -s 3 -c 1e6 --initial-model model --checkpoint saved "$CANCER" new
same_file '--initial-model is ignored then' other new

# A training starts near the minimum with badly fitting dual variables. Its checkpoints are no worse than its start.
renewed() {
    ! cmp -s saved other
}
cp other saved
# shellcheck disable=SC2086
signalled KILL renewed train $endless -q --checkpoint saved --checkpoint-every 0.003 "$CANCER" new
holds 'killed after a restart: no higher primal value' awk -v before="$(record other primal)" \
    -v after="$(record saved primal)" 'BEGIN { exit !(after > 0 && after <= before * (1 + 1e-12)) }'

# A checkpoint has the map, also when a training without --map starts from one that has it.
renewed_file() {
    saved && renewed
}
awk '{ printf "%s", ($1 > 0 ? "benign" : "malignant")
    for (k = 2; k <= NF; k++) { sub(/.*:/, "", $k); printf ",%s", $k }
    print "" }' "$CANCER" >cancer.csv
"$BIN/convert" -q -s map --label 1 cancer.csv cancer
rm saved
for how in '--map map' ''; do
    # shellcheck disable=SC2086
    signalled KILL renewed_file train $endless $how -q --checkpoint saved --checkpoint-every 0.003 cancer new
    same "killed $how: the checkpoint has the map" "$(sed 's/^/# map /' map)" "$(grep '^# map' saved)"
    cp saved other
done
rm saved

# Another training removes the checkpoint while this one writes its model.
awk 'BEGIN { for (i = 0; i < 2; i++) { printf "%d", i
    for (j = 1; j <= 20000; j++) printf " %d:%d", j, (i + j) % 7 + 1
    print "" } }' >wide
"$BIN/train" -q wide saved
{
    "$BIN/train" -q --checkpoint saved wide /dev/stdout 2>"$ERR"
    echo "$?" >status
} | {
    head -c 1 >first
    rm saved
    cat >>first
}
same 'removed meanwhile: exit status' '0 ' "$(cat status) $(grep -v 'starts from' "$ERR")"
same 'removed meanwhile: the model' certified "$(record first outcome)"

# A checkpoint of other data is refused.
"$BIN/train" -q "$DIGITS" ten
for option in '' '--initial-model model'; do
    # shellcheck disable=SC2086
    refuses "of other data $option" 2 "train: starts from the checkpoint ten
train: the checkpoint ten has no class -1: new classes need a training without it$try" \
        train $option --checkpoint ten "$CANCER" new
done

# ---- Stopped ------------------------------------------------------------

# shellcheck disable=SC2086
run train $endless -q --time-limit 0.3 --checkpoint saved "$CANCER" new
same '--time-limit: the outcome' time-limit "$(record saved outcome)"
same_bytes '--time-limit: the checkpoint is the model' new saved
rm -f saved

# SIGINT comes in the folds of -b 1. The training takes about 1.5 seconds, and its folds four times as long.
# shellcheck disable=SC2086
passes=$(processor_seconds "$BIN/train" $endless -i 200000 "$CANCER" new | awk '{ printf "%.0f", 3e5 / ($1 + 0.001) }')
in_folds() {
    grep -q 'fold [1-5] of 5' "$ERR"
}
# shellcheck disable=SC2086
signalled INT in_folds train -b 1 $endless -i "$passes" --checkpoint saved "$CANCER" new
same 'SIGINT in the folds: no sigmoid yet' interrupted "$(record new sigmoid)"
same_bytes 'SIGINT in the folds: the checkpoint is the model' new saved
run train -q -b 1 -s 3 --checkpoint saved "$CANCER" new
same 'SIGINT in the folds: goes on' '0 2' "$STATUS $(record new sigmoid | wc -w | tr -d ' ')"
same 'SIGINT in the folds: no checkpoint is left' '' "$(find . -name 'saved*')"

# A checkpoint of several classes records which are finished and which have not begun. A training continues if a
# checkpoint cannot be written.
# shellcheck disable=SC2086
signalled KILL saved train $endless -q --checkpoint saved --checkpoint-every 0.003 "$DIGITS" new
# No class is interrupted if the checkpoint was written between two classes.
holds 'classes: the outcomes' grep -q -E '^# outcome [a-z]+( [a-z]+)*( not-begun)+$' saved
run train -q -s 3 -c 1 --checkpoint saved "$DIGITS" new
same 'classes: all are certified' '0 10' "$STATUS $(record new outcome | tr ' ' '\n' | grep -c -x certified)"
block() {
    until [ -d saved ] || [ -e over ]; do
        ! saved || { rm saved && mkdir saved; } # mkdir fails if a new checkpoint came in between
        nap
    done 2>/dev/null
}
for limit in 2 8 32; do
    rm -rf saved over
    block &
    # shellcheck disable=SC2086
    run train $endless --time-limit "$limit" --checkpoint saved --checkpoint-every 0.003 "$CANCER" new
    : >over
    wait "$!"
    ! grep -q 'no checkpoint' "$ERR" || break
done
holds 'not writable: a warning' grep -q '^train: warning: no checkpoint: cannot write saved' "$ERR"
same 'not writable: the training goes on, its model is written' 'time-limit' "$(record new outcome)"
same 'not writable: exit status' 3 "$STATUS"
