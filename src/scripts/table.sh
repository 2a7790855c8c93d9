#!/bin/sh
# table.sh - from a table to a model, and from new rows to predictions; see table.sh --help.
self=$(readlink -f -- "$0" 2>/dev/null) || self=$0 # old systems have no readlink -f
here=$(dirname -- "$self")
# shellcheck source=src/scripts/common.sh
. "$here/common.sh"

print_help() {
    cat <<END
usage: $name fit [options] TABLE FOLDER [-- options of train]
       $name predict [options of convert] FOLDER TABLE [OUTPUT]
fit trains on most rows of a table (CSV, TSV) and scores the model on the others. predict writes the
rows of a new table with further columns: the predicted class and the probability of each class, or
the predicted number. Both print the commands that they run.

options of fit:
  --label COLUMN   column of the label, by name or number (default: label, class, target or the last)
  --share X        share of the rows that are kept for the score (default 0.25)
  --criterion M    choose by this score of train -C (default: accuracy; mcc if the rarer of two classes
                   has less than a fifth of the rows; mse for numbers). With mse, mae and r2 labels
                   are numbers to predict, with the others they are classes
  --minutes X      time for the choice of solver, weights of classes and C (default 2)
  -q, --quiet      print no commands
  -h, --help       print this text
  --version        print the version of the train beside it
Every other option is one of convert, such as --categorical, --text, --ignore or --seed. With --header
skip, predict takes columns by their positions, not by their names.

files in FOLDER: model (all that predict needs), report.html, test.html (how well the model predicts the
rows kept for the score), map, train.data, test.data.
CONVERT, TRAIN and PREDICT in the environment name the programs.
Exit status: 0 done, 2 usage, 3 a file or program is missing or fails, 5 no time for a score,
130 interrupted, else the status of the program that failed.
END
}

show() { [ -n "$quiet" ] || printf '$ %s\n' "$(quote_all "$@")" >&3; }

# step COMMAND...: shows and runs it, and ends with its status if it fails.
step() {
    show "$@"
    "$@" || exit
}

# keep_input: makes table a file that can be read again.
keep_input() {
    case $table in
    -) cat >"$run/table" ;;
    *)
        [ -p "$table" ] || return 0
        cat "$table" >"$run/table" ;;
    esac || die 3 "cannot keep $table"
    table=$run/table
}

# begin_run: makes the folder of temporary files.
begin_run() {
    run=$(mktemp -d) || die 3 'cannot make a folder for temporary files'
    trap 'rm -rf -- "$run"' EXIT
    trap 'exit 130' INT TERM HUP
}

# ---- fit -------------------------------------------------------------------

# learn_problem: sets problem to numbers or classes, by the criterion or else by the command that convert
# proposed. If no criterion is given, sets it, for classes by the share of the rarer of two.
learn_problem() {
    problem=classes
    ! grep -q '^next: .* -s 11 ' "$run/summary" || problem=numbers
    case $criterion in
    '') ;;
    mse | mae | r2)
        ! grep -q '^column [0-9]* words' "$folder/map" ||
            die 2 "--criterion $criterion is for labels that are numbers"
        problem=numbers ;;
    *) problem=classes ;;
    esac
    [ -z "$criterion" ] || return 0
    criterion=mse
    [ "$problem" = numbers ] || criterion=$(awk '
        { rows[$1]++ }
        END {
            for (label in rows) if (!n++ || rows[label] < least) least = rows[label]
            print (n == 2 && least < NR / 5) ? "mcc" : "accuracy"
        }' "$folder/train.data")
}

# candidates: prints a line of options of train for each candidate. A solver that the user gives comes later on the
# line, and is the only one.
candidates() {
    case $problem,$own_solver,$criterion in
    numbers,,*) set -- '-s 11 -p 0' '-s 13 -p 0' ;;
    numbers,yes,*) set -- '-p 0' ;;
    *,yes,*) set -- '' ;;
    *,log-loss) set -- '-s 0' ;;
    *) set -- '-s 1' '-s 0' ;;
    esac
    balanced=
    [ "$problem" = numbers ] || [ "$criterion" = accuracy ] || balanced=--balanced
    for weighting in '' $balanced; do
        for solver in "$@"; do
            printf '%s\n' "$solver -B 1 -R $weighting"
        done
    done
}

# check_options OPTION...: ends if train refuses the criterion or the options, before it reads any data.
check_options() {
    case $criterion in mse | mae | r2) problem=numbers ;; *) problem=classes ;; esac
    # shellcheck disable=SC2046 # several words
    "$train" -q -C ${criterion:+--criterion "$criterion"} $(candidates | sed 1q) "$@" - \
        </dev/null >/dev/null 2>"$run/said"
    [ $? -ne 2 ] || { cat "$run/said" >&2; exit 2; }
}

# try_candidate OPTION...: sets found to "C score" of the best C, or to nothing if the time ended
# before a score.
try_candidate() {
    tried=$((tried + 1))
    seconds=$(awk -v left="$((deadline - $(date +%s)))" -v n="$((1 + count - tried))" \
        'BEGIN { s = left / n; printf "%d\n", s < 1 ? 1 : s }')
    set -- "$train" -q -C --criterion "$criterion" --time-limit "$seconds" "$@" "$folder/train.data"
    show "$@"
    status=0
    found=$("$@") || status=$?
    [ "$status" -eq 0 ] || [ "$status" -eq 5 ] || exit "$status"
    [ -z "$found" ] || [ -n "$quiet" ] || printf '%s\n' "$found" >&3
    found=$(printf '%s\n' "$found" |
        sed -n 's/^Best C = \([0-9.e+-]*\) .*= \([-0-9][0-9.e+-]*\)%\{0,1\}$/\1 \2/p')
}

# choose OPTION...: sets chosen to the options of the best candidate.
choose() {
    candidates >"$run/candidates"
    count=$(awk 'END { print NR }' "$run/candidates")
    tried=0 best='' chosen=''
    while read -r options; do
        # shellcheck disable=SC2086 # several words
        try_candidate $options "$@" </dev/null
        [ -n "$found" ] || continue
        if [ -z "$best" ] || awk -v new="${found#* }" -v old="$best" -v criterion="$criterion" 'BEGIN {
            exit !(criterion ~ /^(mse|mae|log-loss)$/ ? new + 0 < old + 0 : new + 0 > old + 0)
        }'; then
            best=${found#* } chosen="$options -c ${found%% *}"
        fi
    done <"$run/candidates"
    [ -n "$chosen" ] || die 5 "no score before the end of the time; --minutes with more than $minutes helps"
}

# fit OPTION-OF-TRAIN...: trains and scores a model. The options of convert are in convert_options.
fit() {
    train_options=$(quote_all "$@")
    is_new=
    [ -d "$folder" ] || is_new=yes
    mkdir -p -- "$folder" || exit 3
    eval "set -- $convert_options"
    set -- "$convert" --scale -s "$folder/map" --test "$folder/test.data" --share "$share" "$@" \
        "$table" "$folder/train.data"
    show "$@"
    "$@" >"$run/summary" || {
        status=$?
        [ -z "$is_new" ] || rmdir -- "$folder" 2>/dev/null
        exit "$status"
    }
    [ -n "$quiet" ] || grep -v '^next: ' "$run/summary" >&3
    learn_problem
    eval "set -- $train_options"
    [ -z "$weights" ] || set -- -W "$folder/train.data.weights" "$@"
    deadline=$(awk -v now="$(date +%s)" -v minutes="$minutes" 'BEGIN { printf "%d\n", now + 60 * minutes }')
    if [ -n "$groups" ]; then
        choose --folds "$folder/train.data.groups" "$@"
    else
        choose "$@"
    fi
    probabilities='-b 1'
    [ "$problem" = classes ] || probabilities=''
    # shellcheck disable=SC2086 # several words
    step "$train" -q $chosen $probabilities "$@" --map "$folder/map" --report "$folder/report.html" \
        "$folder/train.data" "$folder/model"
    step "$predict" --metrics --report "$folder/test.html" "$folder/test.data" "$folder/model" /dev/null
    [ -n "$quiet" ] || printf 'next: %s NEW.csv PREDICTED.csv\n' "$(quote_all "$0" predict "$folder")" >&3
}

# ---- predict ---------------------------------------------------------------

# predict_table OPTION-OF-CONVERT...
predict_table() {
    model=$folder/model
    [ -r "$model" ] || die 3 "there is no $model: $name fit makes it"
    columns='--words -b 1'
    ! sed 1q "$model" | grep -q SVR || columns=
    # Rows with labels get a score. A label that the model does not know is shown, a column that is not there is not.
    # Warnings are shown, such as one of categories that the model does not have.
    unlabelled='' status=0
    "$convert" -r "$model" "$@" "$table" "$run/data" >/dev/null 2>"$run/said" || {
        unlabelled=--no-labels
        reason=$(sed -n '/: the label is missing/p; /: label .* is not /p' "$run/said")
        "$convert" -r "$model" $unlabelled "$@" "$table" "$run/data" >/dev/null 2>"$run/said" || status=$?
    }
    # shellcheck disable=SC2086 # a word or none
    show "$convert" -r "$model" $unlabelled "$@" "$table" "$run/data"
    sed '/ labels* became 0, /d' "$run/said" >&2
    [ "$status" -eq 0 ] || exit "$status"
    [ -z "${reason-}" ] || say "no score: ${reason%; with *}"
    # shellcheck disable=SC2086 # words or none
    step "$predict" $unlabelled $columns "$run/data" "$model" "$run/predicted" >&3
    step "$convert" -q -r "$model" "$@" --append "$run/predicted" "$table" "$output"
}

# ---- The command line ------------------------------------------------------

quiet='' share=0.25 criterion='' minutes=2 weights='' groups='' convert_options='' operands=''
action=${1-}
case $action in
fit | predict) shift ;;
-h | --help) print_help; exit 0 ;;
--version) train=$(find_program '' train) && exec "$train" --version; exit ;;
'') bad_usage 'fit or predict is missing' ;;
*) bad_usage "'$action' is not fit or predict" ;;
esac
after='; options of train come after --'
[ "$action" = fit ] || after=
while [ $# -gt 0 ]; do
    case $1 in
    -h | --help) print_help; exit 0 ;;
    -q | --quiet) quiet=yes; shift; continue ;;
    --) shift; break ;;
    --*) ;;
    -[!sr]*) [ "$action" = predict ] || bad_usage "$1 is no option of fit$after" ;;
    -?*) ;;
    *) operands="$operands${operands:+ }$(quote_all "$(path "$1")")"; shift; continue ;;
    esac
    case $1 in
    --*=* | --decimal-comma | --thousands | --in-order | --strict-kinds) words=1 ;;
    *)
        [ $# -ge 2 ] || bad_usage "$1: a value is missing"
        words=2 ;;
    esac
    case $1 in
    --weight | --weight=*) weights=yes ;;
    --group | --group=*) groups=yes ;;
    esac
    case $1 in
    --share) share=$2 ;;
    --share=*) share=${1#*=} ;;
    --criterion) criterion=$2 ;;
    --criterion=*) criterion=${1#*=} ;;
    --minutes) minutes=$2 ;;
    --minutes=*) minutes=${1#*=} ;;
    --test | --test=* | -s | --save | --save=* | -r | --restore | --restore=* | --labels | --labels=* | \
        --append | --append=*)
        bad_usage "$1 cannot be among the options: $name sets it$after" ;;
    *)
        convert_options="$convert_options $(quote_all "$1")"
        [ "$words" -eq 1 ] || convert_options="$convert_options $(quote_all "$2")" ;;
    esac
    shift "$words"
done
case $minutes in *[!0-9.]* | *.*.*) minutes_are_bad=yes ;; *[1-9]*) minutes_are_bad= ;; *) minutes_are_bad=yes ;; esac
[ -z "$minutes_are_bad" ] || bad_usage "--minutes: '$minutes' is not a number above 0"
case ${1--} in -*) ;; *) bad_usage "'$1' comes after --, where options of train are expected" ;; esac
own_solver=
for word in "$@"; do
    case $word in -s* | --solver | --solver=*) own_solver=yes ;; esac
done
train_options=$(quote_all "$@")
eval "set -- $operands"
table=${1-} folder=${2-} output=-
if [ "$action" = predict ]; then
    folder=${1-} table=${2-} output=${3--}
    [ $# -le 3 ] || bad_usage "'$4': there are a folder, a table and an output only"
    [ -z "$train_options" ] || bad_usage 'predict has no options of train'
else
    [ $# -le 2 ] || bad_usage "'$3': there are a table and a folder only"
fi
if [ -z "$table" ] || [ -z "$folder" ]; then bad_usage "a table or a folder is missing$after"; fi
convert=$(find_program "${CONVERT-}" convert) || exit
train=$(find_program "${TRAIN-}" train) || exit
predict=$(find_program "${PREDICT-}" predict) || exit
begin_run
[ "$action" = predict ] || eval "check_options $train_options"
keep_input
if [ "$action" = fit ]; then
    eval "fit $train_options" 3>&1
else
    eval "predict_table $convert_options" 3>&2
fi
