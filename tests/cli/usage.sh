# usage.sh - wrong command lines: exit status 2 and a message, before any file is touched.
# shellcheck shell=sh
#
# The data, the models and their folders do not exist. A program that looked for them first would say so instead.

data=absent/data

# misuses MESSAGE PROGRAM ARGUMENT...
misuses() {
    message=$1
    shift
    refuses "$*" 2 "$1: $message
Try '$1 --help'." "$@"
}

# ---- Help --------------------------------------------------------------

# listed: the options in a text of help.
listed() {
    awk '$1 ~ /^-/ { print $(NF > 1 && $1 ~ /,$/ ? 2 : 1) }' "$1"
}

for program in train predict scale convert inspect; do
    succeeds "$program --help" $program --help
    cp "$OUT" brief
    same "$program --help: a screen of 24 lines of 80 columns" '' \
        "$(awk 'length($0) > 80; END { if (NR > 24) print NR " lines" }' brief)"
    same "$program --help: the last line" "All options and the exit statuses: $program --help all" \
        "$(tail -n 1 brief)"
    run $program -h
    same_file "$program -h" brief "$OUT"
    succeeds "$program --help all" $program --help all
    same "$program --help all: the first line" "$(head -n 1 brief)" "$(head -n 1 "$OUT")"
    holds "$program --help all: groups" grep -x 'general:' "$OUT"
    holds "$program --help all: the exit statuses" grep '^Exit status: 0 done' "$OUT"
    listed brief | sort >some
    listed "$OUT" | sort >all
    same "$program --help all: has those of --help" '' "$(comm -23 some all)"
    holds "$program --help has options" test "$(wc -l <some)" -ge 6
done
run train -h all
holds 'train -h all: an option that --help leaves out' grep -e '--suffix' "$OUT"
for solver in $("$BIN/train" --help | sed -n '/^Solvers:/,$p' | sed '$d' | grep -o '[0-9][0-9]*'); do
    holds "a solver of train --help: $solver" grep "^ *$solver  " "$OUT"
done

# ---- train -------------------------------------------------------------

same 'train alone' "usage: train [options] data [model]
Try 'train --help'." "$("$BIN/train" 2>&1 >/dev/null | sed -n '1p; $p')"
run train
same 'exit status of train alone' 2 "$STATUS"
same_text 'train alone has no result' "$OUT" ''

# LIBLINEAR for several processors has these options for threads.
threads='the number of threads is -j'
misuses "-m has no meaning for --solver dcd-l2; $threads" train -m 2 "$data" absent/m
for solver in 1 21; do
    misuses "-n: NU is at most 1; $threads" train -s "$solver" -n 4 "$data" absent/m
done
for options in '-v 5' -C; do
    # shellcheck disable=SC2086
    refuses "--no-record and $options" 2 "train: ${options% *} and --no-record exclude each other$(
        [ "$options" != -C ] || echo ' without --refit')
Try 'train --help'." train $options --no-record "$data"
done
for program in train predict scale convert inspect; do
    same "$program --help: --version" 1 "$("$BIN/$program" --help | grep -c '^ *--version')"
done

for value in abc 0 -1 nan inf -inf 1e999 '' ' 1' '1 ' 1x 0x1 1,5 -0; do
    misuses "-c: '$value' is not a positive finite number" train -c "$value" "$data" absent/m
done
for option in --cost -l --lambda -g --gap -e --eps -m --cache --time-limit; do
    for value in abc 0 -1 nan; do
        misuses "$option: '$value' is not a positive finite number" train "$option" "$value" "$data"
    done
done
misuses "--cost=abc: 'abc' is not a positive finite number" train --cost=abc "$data"
misuses "--cost=: '' is not a positive finite number" train --cost= "$data"
misuses "-c: 'abc' is not a positive finite number" train "$data" absent/m -c abc
misuses 'C: not between 1e-100 and 1e100' train -c 1e-151 "$data"
misuses 'C: not between 1e-100 and 1e100' train -c 1e151 "$data"
misuses 'lambda: not between 1e-100 and 1e100' train -l 1e-151 "$data"
misuses 'lambda: not between 1e-100 and 1e100' train -l 1e151 "$data"
misuses '-c and -l exclude each other' train -c 1 -l 1 "$data"
misuses '-c and -l exclude each other' train --lambda=1 "$data" --cost=1

solvers=$("$BIN/train" --help all | awk '/^solvers:/ { on = 1; next } on && !NF { exit }
    on { printf "%s%s (%s)", n++ ? ", " : "", $1, $2 }')
same 'the solvers' '1 (dcd-l2), 3 (dcd-l1)' \
    "$(echo "$solvers" | grep -o '1 (dcd-l2), 3 (dcd-l1)')"
for value in 8 99 -1 foo '' 1.5 nan 1x xyz; do
    misuses "-s: there is no solver '$value'; there are $solvers" train -s "$value" "$data"
done
for value in DCD-L2 'dcd-l2 ' dcdl2 dcd-2 dcd dcd-2l; do
    misuses "-s: there is no solver '$value'; did you mean dcd-l2?" train -s "$value" "$data"
done
misuses "-s: there is no solver 'som'; did you mean smo?" train -s som "$data"
misuses "-s: there is no solver 'pegaoss'; did you mean pegasos?" train -s pegaoss "$data"
misuses "--solver=newton: there is no solver 'newton'; did you mean newton-l2?" \
    train --solver=newton "$data"
misuses "--solver=foo: there is no solver 'foo'; there are $solvers" train --solver=foo "$data"

for value in nan inf -inf 1e999 x '' 1x; do
    misuses "-B: '$value' is not a finite number" train -B "$value" "$data"
done

misuses '-w: there is no such option; did you mean --weight?' train -w 1 2 "$data"
for label in x nan inf 1e999 1x 1=2 1:2; do
    misuses "-w$label: '$label' is not a class label" train "-w$label" 2 "$data"
done
for value in 1 '' : :2 x:2 nan:2 1e999:2 1x:2 1,2:3; do
    misuses "--weight: '$value' is not a class label, ':' and a weight" \
        train --weight "$value" "$data"
done
misuses "--weight=2: '2' is not a class label, ':' and a weight" train --weight=2 "$data"
for weight in x '' nan inf 1e999 -2 -1e-300 2x; do
    misuses "-w-1: '$weight' is not a finite number of at least 0" train -w-1 "$weight" "$data"
    misuses "--weight: '$weight' is not a finite number of at least 0" \
        train --weight "1:$weight" "$data"
done
misuses "-w-1: '2:3' is not a finite number of at least 0" train -w-1 2:3 "$data"
misuses "--weight: '1:2:3' is not a class label, ':' and a weight" train --weight 1:2:3 "$data"

for option in -i --max-iter; do
    misuses "$option: at least 1" train "$option" 0 "$data"
done
for option in -i --seed; do
    for value in 1.5 -1 +1 x '' ' 1' 1e3 0x10; do
        misuses "$option: '$value' is not a whole number" train "$option" "$value" "$data"
    done
    for value in 18446744073709551616 18446744073709551620 99999999999999999999999; do
        misuses "$option: '$value' is not below 2^64" train "$option" "$value" "$data"
    done
done

for option in -c --cost -l -g -e -B -m -w1 --weight -i --time-limit --seed -s --solver -v \
    --criterion --c-range --path --alpha --initial-model --positive --predictions --folds; do
    misuses "$option: a value is missing" train "$data" "$option"
done
# train has none of these options.
for option in -z -M -S --foo -qq -1 ---- --q -q=1 -Y --solverversolversolversolver; do
    misuses "$option: there is no such option" train "$option" 1 "$data"
done
while read -r option meant; do
    misuses "$option: there is no such option; did you mean $meant?" train "$option" 1 "$data"
done <<'EOF'
--cos --cost
--costs --cost
--COST --cost
--csot --cost
-cost --cost
--cots=1 --cost
-c1 -c 1
-c=1 -c 1
-s3 -s 3
-Q -q
--maxiter --max-iter
--crossvalidation --cross-validation
--cross --cross-validation
EOF
for option in --quiet --help --version --zero-based --search --refit; do
    misuses "$option=1: this option takes no value" train "$option=1" "$data"
    misuses "$option=: this option takes no value" train "$option=" "$data"
done

for value in 1.5 -1 +5 x '' ' 5' 1e1 5x; do
    misuses "-v: '$value' is not a whole number" train -v "$value" "$data"
done
misuses '-v: at least 2' train -v 0 "$data"
misuses '-v: at least 2' train -v 1 "$data"
misuses '-v: at most 4294967295' train -v 4294967296 "$data"
misuses "--cross-validation=x: 'x' is not a whole number" train --cross-validation=x "$data"
for value in 1 :1 1: 1:2: 1:2:3:4 a:b '' ' 0:1' '0:1 ' 0:nan inf:1 0:1:inf 0x1:2 0,1; do
    misuses "--c-range: '$value' is not LO:HI or LO:HI:STEP" train -C --c-range "$value" "$data"
done
for value in 2:1 -1:-2 0:1:0 0:1:-1 0:1:0.0009; do
    misuses '--c-range: HI is below LO, or STEP is below 0.001' train -C --c-range "$value" "$data"
done
misuses "--c-range: '0:1:1e999' is not LO:HI or LO:HI:STEP" train -C --c-range 0:1:1e999 "$data"
for value in 0:333 -333:0 0:1e999; do
    misuses '--c-range: the exponents of 2 are not between -332 and 332' \
        train -C --c-range "$value" "$data"
done
for value in foo '' F1 balanced -C; do
    misuses "--criterion: '$value' is not accuracy, balanced-accuracy, precision, recall, f1, mcc, auc, average-precision, log-loss, mse, mae or r2" \
        train --criterion "$value" -C "$data"
done
for value in xml '' JSON jsonl; do
    misuses "--metrics: '$value' is not json" train -v 2 "--metrics=$value" "$data"
done
misuses 'the model cannot go to standard output' train -C --refit "$data" -
misuses "too many arguments: 'third'" train "$data" second third
misuses "too many arguments: '-q'" train -- "$data" second -q
misuses 'no data file given' train -q
misuses 'no data file given' train -c 1 --
model_is_output='the model cannot go to standard output'
misuses "$model_is_output" train "$data" -
misuses "$model_is_output" train -- - -

# ---- predict -----------------------------------------------------------

same 'predict alone' "usage: predict [options] data model output
Try 'predict --help'." "$("$BIN/predict" 2>&1 >/dev/null | sed -n '1p; $p')"
run predict
same 'exit status of predict alone' 2 "$STATUS"
same_text 'predict alone has no result' "$OUT" ''
misuses 'data, model and output must be given' predict "$data"
misuses 'data, model and output must be given' predict "$data" absent/m
misuses 'data, model and output must be given' predict -q "$data" absent/m
misuses "too many arguments: 'fourth'" predict "$data" absent/m third fourth
misuses 'the data and the model cannot both be standard input' predict - - absent/o
for value in 2 -1 x '' nan 0.5 1x; do
    misuses "-b: '$value' is not 0 or 1" predict -b "$value" "$data" absent/m absent/o
done
misuses "--probability=2: '2' is not 0 or 1" predict --probability=2 "$data" absent/m absent/o
for value in label Both '' decisions; do
    misuses "--output-format: '$value' is not labels, decision or both" \
        predict --output-format "$value" "$data" absent/m absent/o
done
for value in xml ''; do
    misuses "--metrics: '$value' is not json" predict "--metrics=$value" "$data" absent/m absent/o
done
misuses '--output-format: a value is missing' predict "$data" absent/m absent/o --output-format
misuses '-b: a value is missing' predict "$data" absent/m absent/o -b
for option in -c --foo; do
    misuses "$option: there is no such option" predict "$option" "$data" absent/m absent/o
done
misuses '-b1: there is no such option; did you mean -b 1?' predict -b1 "$data" absent/m absent/o
misuses '--no-label: there is no such option; did you mean --no-labels?' \
    predict --no-label "$data" absent/m absent/o
for option in --quiet --no-labels --zero-based --decision --help --version; do
    misuses "$option=1: this option takes no value" predict "$option=1" "$data" absent/m absent/o
done
