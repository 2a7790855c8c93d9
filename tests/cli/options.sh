# options.sh - the ways to write an option, and the effect of each option.
# shellcheck shell=sh

# trains MODEL ARGUMENT...: silently, to the model of that name.
trains() {
    model=$1
    shift
    run train -q "$@" "$model"
    same "train $*" "status 0
." "status $STATUS
$(whole "$ERR")"
}

# alike ARGUMENTS ARGUMENTS: both command lines, split at the blanks, give the same model.
alike() {
    # shellcheck disable=SC2086
    trains one $1
    # shellcheck disable=SC2086
    trains two $2
    same_file "$1 as $2" one two
}

# unlike ARGUMENTS ARGUMENTS: both command lines give different weights.
unlike() {
    # shellcheck disable=SC2086
    trains one $1
    # shellcheck disable=SC2086
    trains two $2
    differ "$1 unlike $2" "$(weights one)" "$(weights two)"
}

cp "$CANCER" d
head -n 512 d >e # a power of two: 1 / (lambda m) is exact

# ---- Ways to write -----------------------------------------------------

alike '-c 0.25 d' '--cost 0.25 d'
alike '-c 0.25 d' '--cost=0.25 d'
alike '-c 0.25 d' 'd -c 0.25'
alike '-c 0.25 d' '-c 0.25 -- d'
alike '-c 0.25 d' '-c 7 -c 0.25 d'
alike '-c 0.25 d' '-c +2.5e-1 d'
alike '-s 3 -c 2 -B 1 d' 'd --bias=1 --cost 2 --solver=3'
alike '-s 1 d' '-s dcd-l2 d'
alike '-s 1 d' 'd'
alike '-s 3 d' '-s dcd-l1 d'
alike '-s 3 d' '--solver=dcd-l1 d'
alike '-g 0.1 d' '--gap=0.1 d'
alike '-e 0.1 d' '--eps 0.1 d'
alike '-B 2.5 d' '--bias=2.5 d'
alike '-B -1 d' 'd'
alike '-B -7 d' 'd'
alike '-i 3 d' '--max-iter=3 d'
alike '--seed 1 d' 'd'
alike '--seed=7 d' '--seed 7 d'
alike '-w1 2 -w-1 3 d' '--weight 1:2 --weight -1:3 d'
alike '-w1 2 -w-1 3 d' 'd --weight=-1:3 --weight=+1.0:2e0'
alike '-l 0.00390625 e' '-c 0.5 e'
alike '--lambda=0.00390625 e' '-l 0.00390625 e'

# The words of a file replace @FILE.
cat >words <<'EOF'
# how it was trained in May
--solver dcd-l1
  -c "0.25" -B 1 # two of them
"d"
EOF
alike '-s 3 -c 0.25 -B 1 d' "@words"
printf -- '-s 3\r\n-c 0.25 -B 1' >words # a line end of Windows, and none after the last line
alike '-s 3 -c 0.25 -B 1 d' '@words d'
alike '-s 3 -c 2 -B 1 d' 'd @words -c 2'
same 'the record has the words' 'train d -s 3 -c 0.25 -B 1 -c 2' "$(record two command)"
printf -- '--test "an option file"\n-v "2"\n' >quoted
refuses 'words in quotes may have blanks' 2 'train: -v and --trace exclude each other
Try '\''train --help'\''.' train @quoted --trace t d
printf 'd\n-q "an' >open
refuses 'a quote without an end' 1 'open:2:4: the quote does not end in its line' train @open
refuses 'no file' 3 'train: cannot open absent: No such file or directory' train d @absent
cp d @words
alike '-s 1 d' '-- @words'
rm @words
for program in predict scale convert inspect; do
    refuses "$program @FILE" 3 "$program: cannot open absent: No such file or directory" "$program" @absent
done

# --json: the training as one object.
run train --json -s 3 -g 1e-5 d m
same 'JSON alone' '1 {"solver":"dcd-l1","C":1,' "$(wc -l <"$OUT" | tr -d ' ') $(cut -c 1-25 "$OUT")$(cat "$ERR")"
for key in primal dual relative_gap iterations; do
    holds "JSON has $key of the record" test "$(record m "$key" | sed 's/0*$//')" = \
        "$(sed 's/.*"'"$key"'":\([^,}]*\).*/\1/; s/0*$//' "$OUT")"
done
holds 'and says that it is certified' grep -q '"certified":true,"problems":\[{"outcome":"certified",' "$OUT"
run train --json -q -s pegasos -C d
same 'with -C the scores are the object' '1 {"C":' "$(wc -l <"$OUT" | tr -d ' ') $(cut -c 1-5 "$OUT")"
run train --json -q --refit -C d m
same 'with --refit, the scores and the training are members' '1 {"validation":{"C":32, },"training":{"solver":' \
    "$(wc -l <"$OUT" | tr -d ' ') $(sed 's/,.*//' "$OUT"), $(sed 's/.*\(},"training":{"solver":\).*/\1/' "$OUT")"
if command -v python3 >/dev/null 2>&1; then
    for line in '--zero-based '"$DIGITS" '-C --refit d' '-s 11 -C --refit d' '-s 21 d' '-s 11 d' '-s 30 d' '-s 61 -i 1 -q d'; do
        # shellcheck disable=SC2086
        run train --json $line m
        holds "JSON of train $line" python3 -c 'import json, sys
json.load(open(sys.argv[1]), parse_constant=int)' "$OUT"
    done
fi
run predict --metrics=json d m labels
cp "$OUT" expected
run predict --json d m labels
same_file 'predict --json is --metrics=json' expected "$OUT"

trains one -c 1e-100 e
same 'the smallest C is recorded' 1e-100 "$(awk '$2 == "C" { printf "%.15g", $3 }' one)"
trains one --seed 18446744073709551615 e
same 'the largest seed is recorded' 18446744073709551615 "$(record one seed)"

cp d -- -d
trains one -c 0.25 -- -d
trains two -c 0.25 d
same_file 'data whose name starts with -' one two
run train -q -- -d -m
trains two d
same_file 'model whose name starts with -' two ./-m

for data in "$CANCER" "$DIGITS"; do
    trains one "$data"
    run train -q - two <"$data"
    same_file 'data on standard input' one two
    run_piped "$data" train -q - three
    same "exit status of data from a pipe" 0 "$STATUS"
    same_file 'data from a pipe' one three
done
mkfifo pipe
cat d >pipe &
trains one pipe
wait
trains two d
same_file 'data from a named pipe' one two

# ---- What they do ------------------------------------------------------

unlike 'd' '-c 2 d'
unlike 'd' '-s 3 d'
unlike 'd' '-B 1 d'
unlike 'd' '-g 1e-9 d'
unlike 'd' '-e 10 d'
unlike 'd' '-i 1 d'
unlike 'd' '-w1 2 d'
unlike '-w1 2 d' '-w-1 2 d'

trains one -l 0.00390625 e
same 'C of -l' '0.5' "$(record one C)"
same 'lambda of -l' '0.00390625' "$(record one lambda)"
trains one -B 2.5 d
same 'the bias in the model' 'bias 2.5, 31 lines' \
    "$(sed -n 5p one), $(weights one | sed '1,6d' | grep -c .) lines"
trains one -g 1e-9 -s 3 d
holds '-g 1e-9 is kept' awk -v gap="$(record one relative_gap)" 'BEGIN { exit !(gap <= 1e-9) }'
trains one -i 7 -g 1e-9 d
same '-i 7' 'pass-limit 7' "$(record one outcome) $(record one iterations)"

# --no-record leaves out what predictions do not need.
for options in '' '-b 1' '--zero-based -s 0'; do
    # shellcheck disable=SC2086
    trains one $options d
    # shellcheck disable=SC2086
    trains two --no-record $options d
    same "--no-record $options: lines with #" "$(grep -E '^# (sigmoid|zero_based)' one | xargs)" \
        "$(grep '^#' two | xargs)"
    grep -v '^#' one >expected
    grep -v '^#' two >came
    same_file "--no-record $options: the weights" expected came
    rm -f expected came
    probabilities=$([ -z "$options" ] || echo '-b 1')
    # shellcheck disable=SC2086
    "$BIN/predict" $probabilities d one expected >/dev/null
    # shellcheck disable=SC2086
    succeeds "--no-record $options: predict" predict $probabilities d two came
    same_file "--no-record $options: the predictions" expected came
done

# A weight is a factor of C for its class.
trains one -w1 2 -w-1 2 d
trains two -c 2 d
same 'weight 2 of both classes is C = 2' "$(weights two)" "$(weights one)"
trains one -w1 1 d
trains two d
same_file 'weight 1 is no weight' two one
trains one -w1 2 -w1 3 d
trains two -w1 6 d
same_file 'weights of one class multiply' two one
awk '/^[+]1/ || !negative++' d >f
# All rows of the file decide how sums are divided, so the bits agree only if the rows are few enough for one sum.
trains one -w-1 0 -c 3 d
trains two -w-1 0 -c 3 f
weights one >first
weights two | paste - first | awk 'NF == 2 { d = $1 - $2; if (d > 1e-12 || d < -1e-12) print } END { print NR }' >apart
same 'weight 0 leaves the rows of a class out' "$(wc -l <first)" "$(cat apart)"
head -n 300 d >few
awk '/^[+]1/ || !negative++' few >left
trains one -w-1 0 -c 3 few
trains two -w-1 0 -c 3 left
same 'weight 0 leaves the rows of a class out, few rows' "$(weights one)" "$(weights two)"
run train -q -w0 0 -w1 5 "$DIGITS" one
same 'exit status with weights of some of ten classes' 0 "$STATUS"
