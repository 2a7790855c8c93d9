# overwriting.sh - an output that is an input, under any name, is refused before any work. Other files are
# overwritten.
# shellcheck shell=sh

write_tiny data
head -n 20 "$CANCER" >rows
printf '1\n2\n1\n2\n' >weights
"$BIN/train" -q -s 2 data initial
"$BIN/train" -q -s 3 data model
"$BIN/scale" -s ranges data >/dev/null
printf 'x,y\n1,a\n2,b\n3,a\n' >table
"$BIN/convert" -q -s map table /dev/null
printf '1\n2\n2\n' >labels
mkdir folder
ln -s . sub

# ---- An input under each name ------------------------------------------

# refused OUTPUT COMMAND INPUT FILE [INPUT FILE]...: COMMAND has the word NAME in the place of the output's name. OUTPUT
# and INPUT are the names of output and input in messages.
refused() {
    output=$1 command=$2
    shift 2
    while [ $# -gt 0 ]; do
        input=$1 file=$2
        shift 2
        ln -s "$file" link
        ln "$file" hard
        for name in "$file" "./$file" ".//$file" "folder/../$file" "sub/$file" "$PWD/$file" link hard; do
            message="$output and $input are the same file, '$name'"
            case $name in
            sub/* | /* | link | hard) message="$output, '$name', has the content of $input, '$file', and \
may be the same file; if it is a copy, remove it" ;;
            esac
            # shellcheck disable=SC2086 # lists of words
            refuses "$output $name, $input" 2 "${command%% *}: $message
Try '${command%% *} --help'." ${command%%NAME*}$name${command#*NAME}
        done
        rm link hard
    done
}
refused 'the model' \
    'train -s 2 -W weights --initial-model initial --trace trace --test rows data NAME' \
    'the data' data -W weights --initial-model initial --test rows
refused --trace 'train -s 2 -W weights --initial-model initial --trace NAME --test rows data new' \
    'the data' data -W weights --initial-model initial --test rows
refused --alpha 'train -W weights --alpha NAME data new' 'the data' data -W weights
refused --path 'train -C -v 2 --path NAME -W weights data' 'the data' data -W weights
refused --predictions 'train -v 2 --predictions NAME --folds weights data' 'the data' data --folds weights
refused --curve 'predict --curve NAME data model new' 'the data' data 'the model' model
refused 'the output' 'predict data model NAME' 'the data' data 'the model' model
refused 'the output' 'scale data NAME' 'the data' data
refused 'the output' 'scale -r ranges data NAME' 'the data' data -r ranges
refused -s 'scale -s NAME data new' 'the data' data
refused 'the output' 'convert table NAME' 'the input' table
refused 'the output' 'convert --missing mean table NAME' 'the input' table
refused 'the output' 'convert -r map table NAME' 'the input' table -r map
refused -s 'convert -s NAME table new' 'the input' table
refused 'the output' 'convert --labels map labels NAME' 'the input' labels --labels map

cp data data.model
refuses 'the default model' 2 "train: the model, 'data.model', has the content of the data, 'data', \
and may be the same file; if it is a copy, remove it
Try 'train --help'." train data
rm data.model

# ---- Two outputs -------------------------------------------------------

refuses 'model and alpha' 2 "train: the model and --alpha are the same file, 'new'
Try 'train --help'." train --alpha ./new data new
refuses 'alpha and trace' 2 "train: --alpha and --trace are the same file, 'new'
Try 'train --help'." train --alpha new --trace folder/..//new data other
refuses 'labels and curve' 2 "predict: the output and --curve are the same file, './new'
Try 'predict --help'." predict --curve new data model ./new
refuses 'calibration and curve' 2 "predict: --calibration and --curve are the same file, 'new'
Try 'predict --help'." predict --curve new --calibration new data model labels
refuses 'scaled and ranges' 2 "scale: the output and -s are the same file, './new'
Try 'scale --help'." scale -s new data ./new
refuses 'rows and map' 2 "convert: the output and -s are the same file, './new'
Try 'convert --help'." convert -s new table ./new
succeeds 'a device, several times' train --alpha /dev/null --trace /dev/null data /dev/null

# ---- What is not refused -----------------------------------------------

# other has the size of the data and a different last byte. longer begins with the data.
sed '$ s/2$/3/' data >other
cat data data >longer
: >empty
for old in other longer empty; do
    for run in 'train -q data' 'predict -q data model' 'scale data'; do
        cp "$old" new
        # shellcheck disable=SC2086 # a list of words
        succeeds "over a file that is $old, $run" $run new
        differ "over a file that is $old, $run" "$(cksum <"$old")" "$(cksum <new)"
    done
done
succeeds 'an empty file of weights' train -q data new
: >empty
run train -W empty data empty
same 'an output that is an input, empty: by its name' 2 "$STATUS"

# A program opens a named pipe once, so its writer can write everything, whichever side comes first.
mkfifo pipe
for run in 'train -q pipe new' 'predict -q pipe model new' 'scale pipe new' 'scale -r ranges pipe new' \
    'convert -q --separator blanks --ignore 2 --categorical 1,3 pipe new'; do
    for delay in 0 0.2; do
        cp other new
        rm -f status
        { sleep "$delay" 2>/dev/null || sleep 1; cat data >pipe; echo "$?" >status; } 2>/dev/null &
        [ "$delay" != 0 ] || nap
        # shellcheck disable=SC2086 # a list of words
        succeeds "from a named pipe over an old file, $run" $run
        wait "$!"
        same "from a named pipe over an old file, $run: its writer" 0 "$(cat status)"
        # shellcheck disable=SC2046 # a list of words
        "$BIN"/$(echo "$run" | sed 's/pipe/data/; s/new$/right/')
        same_file "from a named pipe over an old file, $run: what came" right new
    done
done
