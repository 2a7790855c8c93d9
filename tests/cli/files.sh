# files.sh - the names of models and labels, and files that cannot be read or written.
# shellcheck shell=sh

write_tiny tiny
echo 'an old model' >old

# only NAME FILE...: the folder "new" has these files and no others.
only() {
    name=$1
    shift
    same "$name" "$(printf '%s\n' "$@" | sort)" "$(ls -A new)"
}

fresh() {
    rm -rf new
    mkdir new
}

# ---- Names -------------------------------------------------------------

"$BIN/train" -q tiny model
fresh
mkdir -p sub/dir.d
cp tiny sub/dir.d/rows.txt
(cd new && "$BIN/train" -q ../sub/dir.d/rows.txt)
only 'the default name is of the current folder' rows.txt.model
same_file 'the model of the default name' model new/rows.txt.model
fresh
(cd new && "$BIN/train" -q - <../tiny)
only 'the default name for standard input' stdin.model
same_file 'the model of standard input' model new/stdin.model
fresh
cp old new/m
awk 'BEGIN { for (i = 0; i < 100000; i++) print "old" }' >>new/m
succeeds 'over a longer old one' train -q tiny new/m
only 'over a longer old one: nothing else' m
same_file 'over a longer old one: the model' model new/m
succeeds 'once more' train -q tiny "$PWD/new/m"
only 'once more: nothing else' m
same_file 'once more: the model' model new/m
: >new/m
succeeds 'over an empty one' train -q tiny new/m
only 'over an empty one: nothing else' m
same_file 'over an empty one: the model' model new/m
cp tiny new/m
refuses 'over its own data' 2 "train: the model and the data are the same file, 'new/m'
Try 'train --help'." train -q new/m new/m
same_file 'over its own data: they stay' tiny new/m
cp model new/m
matches 'the model, letter for letter' model "$(
    number='-?[0-9.]+(e-?[0-9]+)?'
    printf '%s\n' 'solver_type L2R_L2LOSS_SVC_DUAL' 'nr_class 2' 'label 1 -1' 'nr_feature 3' \
        'bias -1' 'w' "$number " "$number " "$number " '# hinge [0-9.]+' '# solver dcd-l2' '# C 1' \
        '# lambda 0[.]25' '# seed 1' '# rows 4' '# outcome certified' '# engine none' '# iterations [0-9]+' \
        "# primal $number" "# dual $number" "# relative_gap $number" '# data tiny' \
        '# command train tiny'
)"
fresh
succeeds 'labels' predict -q tiny model new/labels
only 'labels: nothing else' labels
same 'labels: the file' '1 -1 1 -1' "$(xargs <new/labels)"
printf 'old\nold\nold\nold\nold\n' >new/labels
succeeds 'labels over old ones' predict -q tiny model new/labels
only 'labels over old ones: nothing else' labels
same 'labels over old ones: the file' '1 -1 1 -1' "$(xargs <new/labels)"

# ---- What is no plain file ---------------------------------------------

succeeds 'model to /dev/null' train -q tiny /dev/null
succeeds 'labels to /dev/null' predict -q tiny model /dev/null
holds '/dev/null is a device still' test -c /dev/null
if [ -w /dev/stdout ]; then
    "$BIN/train" -q tiny /dev/stdout | cat >got
    same_file 'model to /dev/stdout' model got
    "$BIN/predict" -q tiny model /dev/stdout | cat >got
    same_file 'labels to /dev/stdout' new/labels got
    echo before >got
    "$BIN/predict" tiny model /dev/stdout >>got
    same 'labels to /dev/stdout, which is a file: all is there' 'before 1 -1 1 -1 Accuracy' \
        "$(sed 's/ = .*//' got | xargs)"
    "$BIN/predict" tiny model /dev/stderr 2>got >/dev/null
    same_file 'labels to /dev/stderr, which is a file' new/labels got
else
    skips 'model and labels to /dev/stdout' 'it cannot be written'
fi

# A named pipe is refused as an output. Only opening it shows that it is one, and then its reader has seen an end. No
# program may wait for ever, with or without a reader.
mkfifo pipe
for reader in '' 'with a reader'; do
    if [ -n "$reader" ]; then
        cat pipe >/dev/null &
    fi
    for run in 'train tiny pipe' 'predict tiny model pipe'; do
        # shellcheck disable=SC2086 # a list of words
        refuses "named pipe $reader, $run" 3 \
            "${run%% *}: cannot write pipe: it is a named pipe; redirect to it" $run
    done
done
wait
if [ -w /dev/stdout ]; then
    cat pipe >got &
    "$BIN/train" -q tiny /dev/stdout >pipe
    wait
    same_file 'redirected to a named pipe' model got
fi

# Other device files, such as //dev/null or one in a changed root.
if mknod node c 1 3 2>/dev/null && (: >node) 2>/dev/null; then
    succeeds 'model to a device outside /dev' train -q tiny node
    holds 'a device outside /dev is not replaced' test -c node
else
    skips 'a device outside /dev' 'none can be made here'
fi
rm -f node pipe

# ---- Long names --------------------------------------------------------

fresh
# The name is as long as the file system allows. The name of a temporary file is up to 13 bytes longer.
longest=$(getconf NAME_MAX new 2>/dev/null || echo 255)
for length in $((longest - 13)) $((longest - 12)) "$longest"; do
    long=$(awk -v n="$length" 'BEGIN { while (n-- > 0) printf "n" }')
    for old in '' ' over an old one'; do
        succeeds "a name of $length bytes$old" train -q tiny "new/$long"
        same_file "a name of $length bytes$old: the model" model "new/$long"
        only "a name of $length bytes$old: nothing else" "$long"
    done
    rm "new/$long"
done
run train absent "new/n$long"
same 'a name that is too long, found before reading: exit status' 3 "$STATUS"
matches 'a name that is too long: message' "$ERR" "train: cannot write new/n$long: File ?name too long"

# ---- Standard streams that are closed ----------------------------------

# closed PROGRAM ARGUMENT...: runs the program with the streams in CLOSED closed.
closed() {
    STATUS=0
    case $CLOSED in
    input) bounded "$@" <&- >"$OUT" 2>"$ERR" || STATUS=$? ;;
    output) bounded "$@" >&- 2>"$ERR" || STATUS=$? ;;
    error) bounded "$@" >"$OUT" 2>&- || STATUS=$? ;;
    *) bounded "$@" <&- >&- 2>&- || STATUS=$? ;;
    esac
}

fresh
"$BIN/predict" -q tiny model labels
"$BIN/scale" -s ranges tiny scaled
printf 'x,y\n1,a\n2,b\n' >table
"$BIN/convert" -q -s map table converted
for CLOSED in input output error all; do
    unprintable=0
    case $CLOSED in output | all) unprintable=3 ;; esac
    # A training of more than a second prints lines of progress.
    closed "$BIN/train" -s 3 -c 1e6 -g 1e-12 --plain --time-limit 1.3 --trace new/trace --alpha new/alpha \
        "$CANCER" new/model
    same "$CLOSED closed, train: exit status" "$unprintable" "$STATUS"
    same "$CLOSED closed, train: lines of the trace" 9 \
        "$(awk -F , '{ print NF }' new/trace | sort -u)"
    holds "$CLOSED closed, train: the trace begins with its names" \
        sh -c 'head -n 1 new/trace | grep -q ^problem,'
    same "$CLOSED closed, train: lines of alpha" 569 "$(grep -c '^[0-9.e+-]*$' new/alpha)"
    succeeds "$CLOSED closed, train: the model serves" predict -q "$CANCER" new/model /dev/null
    closed "$BIN/predict" tiny model new/labels
    same "$CLOSED closed, predict: exit status" "$unprintable" "$STATUS"
    same_file "$CLOSED closed, predict: labels" labels new/labels
    closed "$BIN/scale" -s new/ranges tiny new/scaled
    same "$CLOSED closed, scale: exit status" 0 "$STATUS"
    same_file "$CLOSED closed, scale: rows" scaled new/scaled
    same_file "$CLOSED closed, scale: ranges" ranges new/ranges
    closed "$BIN/convert" -s new/map table new/converted
    same "$CLOSED closed, convert: exit status" "$unprintable" "$STATUS"
    same_file "$CLOSED closed, convert: rows" converted new/converted
    same_file "$CLOSED closed, convert: map" map new/map
done
CLOSED=input
for run in 'train - new/model' 'predict - model new/labels' 'predict tiny - new/labels' 'scale - new/scaled' \
    'convert - new/converted' 'convert --missing mean - new/converted'; do
    # shellcheck disable=SC2086
    closed "$BIN"/$run
    same "input closed, $run: exit status" 3 "$STATUS"
    holds "input closed, $run: message" grep -q "^${run%% *}: cannot read (standard input): " "$ERR"
done
rm labels scaled ranges converted map

# ---- Exit status 3 -----------------------------------------------------

fresh
cp old new/m
cd new || exit 1
cp ../tiny ../model .
mkdir folder
none='No such file or directory'
refuses 'no data' 3 "train: cannot open absent: $none" train absent m
: >empty
refuses 'no data, an empty model' 3 "train: cannot open absent: $none" train absent empty
refuses 'no data, default model' 3 "train: cannot open absent: $none" train absent
refuses 'data in no folder' 3 "train: cannot open absent/data: $none" train absent/data m
refuses 'data with no name' 3 "train: cannot open : $none" train '' m
refuses 'data is a folder' 3 'train: cannot read folder: Is a directory' train folder m
refuses 'model is a folder' 3 'train: cannot write folder: Is a directory' train tiny folder
refuses 'model in no folder' 3 "train: cannot write absent/m: $none" train tiny absent/m
refuses 'model in a file' 3 'train: cannot write m/m: Not a directory' train tiny m/m
refuses 'model with no name' 3 "train: cannot write : $none" train tiny ''
refuses 'model in no folder, found before reading' 3 "train: cannot write absent/m: $none" \
    train absent absent/m
refuses 'model is a folder, found before reading' 3 'train: cannot write folder: Is a directory' \
    train absent folder
refuses 'quiet errors are printed' 3 "train: cannot open absent: $none" train -q absent m
refuses 'predict: no model' 3 "predict: cannot open absent: $none" predict tiny absent m
refuses 'predict: no data' 3 "predict: cannot open absent: $none" predict absent model m
refuses 'predict: data is a folder' 3 'predict: cannot read folder: Is a directory' \
    predict folder model m
refuses 'predict: model is a folder' 3 'predict: cannot read folder: Is a directory' \
    predict tiny folder m
refuses 'predict: output is a folder' 3 'predict: cannot write folder: Is a directory' \
    predict tiny model folder
refuses 'predict: output in no folder' 3 "predict: cannot write absent/o: $none" \
    predict tiny model absent/o
refuses 'predict: output in no folder, found before reading' 3 \
    "predict: cannot write absent/o: $none" predict absent model absent/o
if [ -c /dev/full ]; then
    no_space='No space left on device'
    refuses 'model to /dev/full' 3 "train: cannot write /dev/full: $no_space" train tiny /dev/full
    refuses 'large model to /dev/full' 3 "train: cannot write /dev/full: $no_space" \
        train -q "$DIGITS" /dev/full
    rm -f kept
    run train --alpha /dev/full tiny kept
    same 'dual variables to /dev/full: status, message, and the model' \
        "3 train: cannot write /dev/full: $no_space certified" \
        "$STATUS $(cat "$ERR") $(record kept outcome)"
    rm -f kept
    refuses 'labels to /dev/full' 3 "predict: cannot write /dev/full: $no_space" \
        predict tiny model /dev/full
    for arguments in '' -q; do
        STATUS=0
        # shellcheck disable=SC2086
        "$BIN/predict" $arguments tiny model - >/dev/full 2>"$ERR" || STATUS=$?
        same "predict $arguments to a full standard output: exit status" 3 "$STATUS"
        same "predict $arguments to a full standard output: message" \
            "predict: cannot write standard output: $no_space" "$(tail -n 1 "$ERR")"
    done
    for program in 'train tiny got' 'train --help' 'train --version' 'predict tiny model labels' \
        'predict --help'; do
        STATUS=0
        # shellcheck disable=SC2086
        "$BIN"/$program >/dev/full 2>"$ERR" || STATUS=$?
        same "$program with a full standard output: exit status" 3 "$STATUS"
        same_text "$program with a full standard output: message" "$ERR" \
            "${program%% *}: cannot write standard output: $no_space"
    done
    rm -f got labels
else
    skips 'full devices' 'there is no /dev/full'
fi

# small_disk COMMAND...: runs the command on a disk that is full after half a kilobyte or one.
small_disk() {
    (
        trap '' XFSZ
        ulimit -f 1
        bounded "$@"
    )
}
"$BIN/train" -q "$DIGITS" digits.model
confine small_disk
refuses 'full disk, an old model' 3 'train: cannot write m: File too large' train -q "$DIGITS" m
refuses 'full disk, no model' 3 'train: cannot write n: File too large' train -q "$DIGITS" n
: >empty
refuses 'full disk, an empty model' 3 'train: cannot write empty: File too large' \
    train -q "$DIGITS" empty
refuses 'full disk, old labels' 3 'predict: cannot write m: File too large' \
    predict "$DIGITS" digits.model m
refuses 'full disk, no labels' 3 'predict: cannot write n: File too large' \
    predict "$DIGITS" digits.model n
confine bounded

# Missing rights, as a user who is not root.
if [ "$(id -u)" != 0 ]; then
    unprivileged() { bounded "$@"; }
else
    unprivileged() { setpriv --reuid=65534 --regid=65534 --clear-groups "$@"; }
    chmod 755 "$SCRATCH"
fi
if unprivileged "$BIN/train" --version >/dev/null 2>&1; then
    mkdir locked
    cp m locked/m
    chmod 444 m
    chmod 777 .
    chmod 555 locked
    confine unprivileged
    denied='Permission denied'
    refuses 'protected folder' 3 "train: cannot write locked/n: $denied" train tiny locked/n
    refuses 'protected folder, an old model' 3 "train: cannot write locked/m: $denied" \
        train tiny locked/m
    refuses 'protected folder, found before reading' 3 "train: cannot write locked/n: $denied" \
        train absent locked/n
    refuses 'protected model' 3 "train: cannot write m: $denied" train tiny m
    refuses 'protected labels' 3 "predict: cannot write m: $denied" predict tiny model m
    confine bounded
    cp m hidden
    chmod 000 hidden
    confine unprivileged
    refuses 'a model that may not be read, either' 3 "train: cannot write hidden: $denied" train tiny hidden
    refuses 'a checkpoint that may not be read' 3 "train: cannot write hidden: $denied" \
        train --checkpoint hidden tiny n
    confine bounded
    chmod 600 hidden
    same_bytes 'a model that may not be read: it stays' m hidden
    chmod 000 hidden
    cp tiny secret
    chmod 000 secret
    before=$(ls -A)
    confine unprivileged
    run train secret n
    confine bounded
    same 'data that may not be read: exit status' 3 "$STATUS"
    same_text 'data that may not be read: message' "$ERR" "train: cannot open secret: $denied"
    same 'data that may not be read: files' "$before" "$(ls -A)"
    chmod 755 locked
else
    skips 'rights' 'this is root, and setpriv does not make it anyone else'
fi
