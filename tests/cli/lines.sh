# lines.sh - the output of the programs, letter for letter, because scripts parse it.
# shellcheck shell=sh

number='-?[0-9]+[.][0-9][0-9][0-9][0-9][0-9][0-9]'
seconds='[0-9]+[.][0-9][0-9][0-9] s'

# block OUTCOME: patterns for the lines about one binary problem.
block() {
    printf '%s\n' 'optimization finished, #iter = [0-9]+' "Objective value = $number" \
        'nSV = [0-9]+' "Primal value = $number" "Relative duality gap = $SHORT \\($1\\)" \
        "Method = $METHOD"
}

# What the line about the method may say.
METHOD='dcd [(][0-9]+ pass(es)?[)]( [+] p?newton [(][0-9]+ steps?[)])?'


# summary DATA C LAMBDA: patterns for the lines at the end.
summary() {
    printf '\n%s\n%s\n%s\n%s\n' "$1" "C = $2, lambda = $3" \
        "read $seconds, train $seconds, write $seconds" "next: $BIN/predict ROWS [^ ]+ LABELS"
}

# two_classes OUTCOME [C LAMBDA]: patterns for all lines about breast-cancer.
two_classes() {
    echo
    block "$1"
    summary '569 rows, 30 features, 17070 non-zeros, 2 classes' "${2:-1}" "${3:-0[.]00175747}"
}

# primal MODEL SOLVER: P(w) on breast-cancer with C = 1, computed here.
primal() {
    awk -v solver="$2" '
        FILENAME == ARGV[1] && /^#/ { next }
        FILENAME == ARGV[1] { if (reading) w[++n] = $1; if ($1 == "w") reading = 1; next }
        FNR == 1 { for (j = 1; j <= n; j++) square += w[j] * w[j] }
        {
            z = 0
            for (k = 2; k <= NF; k++) { split($k, pair, ":"); z += pair[2] * w[pair[1]] }
            slack = 1 - $1 * z
            if (slack > 0) loss += solver == 3 ? slack : slack * slack
        }
        END { printf "%f\n", square / 2 + loss }' "$1" "$CANCER"
}

# ---- train -------------------------------------------------------------

for solver in 1 3; do
    succeeds "training of two classes, -s $solver" train -s "$solver" "$CANCER" model
    matches "lines of two classes, -s $solver" "$OUT" "$(two_classes 'certified <= 0[.]001')"
    same "the primal value is the one of the model, -s $solver" \
        "Primal value = $(primal model "$solver")" "$(grep '^Primal' "$OUT")"
    printed=$(awk '$1 == "optimization" { printf "%s ", $NF }
        $1 == "Objective" || $1 == "Primal" { printf "%s ", $4 }
        $1 == "Relative" { print $5 }' "$OUT")
    recorded=$(awk -v iter="$(record model iterations)" -v dual="$(record model dual)" \
        -v primal="$(record model primal)" \
        'BEGIN { printf "%s %f %f\n", iter, dual, primal }')
    same "the printed results are those of the model's record, -s $solver" "$recorded" \
        "${printed% *}"
    holds "the printed gap is the next of three digits that is not below, -s $solver" \
        awk -v gap="$(record model relative_gap)" -v printed="${printed##* }" 'BEGIN {
            exit !(printed >= gap && printed < 1.01 * gap && printed == sprintf("%.3g", printed)) }'
    holds "the gap is (primal + dual) / primal, -s $solver" \
        awk -v d="$(record model dual)" -v p="$(record model primal)" \
        -v g="$(record model relative_gap)" \
        'BEGIN { e = (p + d) / p - g; exit !(e < 1e-12 && e > -1e-12 && g <= 0.001) }'
done

succeeds 'training of ten classes' train "$DIGITS" model
matches 'lines of ten classes' "$OUT" "$(
    for class in 0 1 2 3 4 5 6 7 8 9; do
        printf '\n%s\n' "class $((class + 1)) of 10 [(]label ${class}[)] against the rest"
        block 'certified <= 0[.]001'
    done
    summary '1797 rows, 64 features, 58736 non-zeros, 10 classes' 1 '0[.]000556483'
)"

succeeds 'another gap, another C' train -g 0.25 -c 0.5 "$CANCER" model
matches 'lines with -g 0.25 -c 0.5' "$OUT" \
    "$(two_classes 'certified <= 0[.]25' '0[.]5' '0[.]00351494')"

# A training stopped by a limit succeeds with a warning. A training stopped by -e has no warning.
run train -i 1 "$CANCER" model
same 'exit status when -i stopped it' 0 "$STATUS"
same 'outcome when -i stopped it' 'pass-limit' "$(record model outcome)"
same 'passes when -i 1 stopped it' 1 "$(record model iterations)"
why='stopped by the limit of passes'
matches 'lines when -i stopped it' "$OUT" "$(two_classes "not certified: $why")"
matches 'warning when -i stopped it' "$ERR" "$(warns '' '0[.]001' "$why")"

run train -i 1 "$DIGITS" model
same 'exit status when -i stopped ten classes' 0 "$STATUS"
matches 'warnings when -i stopped ten classes' "$ERR" "$(
    for class in 0 1 2 3 4 5 6 7 8 9; do
        warns "class $((class + 1)) of 10 \\(label $class\\): " '0[.]001' "$why"
    done
)"

succeeds 'training by the rule of -e' train --plain -e 0.5 "$CANCER" model
same 'outcome of -e' 'tolerance' "$(record model outcome)"
matches 'lines of -e' "$OUT" "$(two_classes 'not certified: stopped by the rule of -e; the bound may be loose')"
for rule in '-s 2 -e 0.005 -c 3' '-s 2 -e 0.02 -c 0.05 -B 1 -R' '-s 5 -e 0.003 -c 0.1' '-s 6 -e 0.003'; do
    # shellcheck disable=SC2086 # words
    succeeds "the gap of a primal rule: $rule" train $rule "$CANCER" model
    same "the gap of a primal rule is a certificate: $rule" certified "$(record model outcome)"
done
succeeds 'the gap of a primal rule: regression' train -s 11 -e 0.01 "$DIGITS" model
same 'the gap of a primal rule is a certificate: regression' certified "$(record model outcome)"
succeeds 'training by the rule of -e, and tightly' train -e 1e-6 "$CANCER" model
same 'outcome of a tight -e' 'certified' "$(record model outcome)"

# The second-order methods and smo, chosen by name, make no passes of coordinate descent.
for solver in '0 newton' '2 newton' '60 pnewton' '61 pnewton' '50 smo'; do
    method=${solver#* }
    METHOD="$method [(][0-9]+ steps[)]"
    succeeds "training by $method" train -s "${solver% *}" "$CANCER" model
    matches "lines of $method" "$OUT" "$(two_classes 'certified <= 0[.]001')"
    same "the record of $method" "$method" "$(record model engine)"
done

# If coordinate descent would take long, a second-order method continues, except with --plain.
METHOD='dcd [(][0-9]+ passes[)] [+] newton [(][0-9]+ steps[)]'
succeeds 'a large C' train -c 1000 "$CANCER" model
matches 'lines of a large C' "$OUT" "$(two_classes 'certified <= 0[.]001' 1000 '1[.]75747e-06')"
same 'the record of a large C' newton "$(record model engine)"
holds 'a large C takes few passes' test "$(record model iterations)" -lt 100
METHOD='dcd [(][0-9]+ passes[)]'
succeeds 'a large C, --plain' train --plain -c 100 "$CANCER" model
matches 'lines of a large C, --plain' "$OUT" \
    "$(two_classes 'certified <= 0[.]001' 100 '1[.]75747e-05')"
holds 'a large C, --plain, takes many passes' test "$(record model iterations)" -gt 100

# --strict: an uncertified model is written, and gives an exit status of its own.
succeeds '--strict, certified' train --strict "$CANCER" model
rm -f model
run train --strict -i 1 "$CANCER" model
same '--strict, not certified' 5 "$STATUS"
same '--strict, not certified: the model is there' 'pass-limit' "$(record model outcome)"
run train --strict -q -e 100 "$DIGITS" model
same '--strict: the rule of -e is no certificate' 5 "$STATUS"
same '--strict with -q says nothing' '' "$(cat "$OUT" "$ERR")"

run train --plain -s 3 -g 1e-300 "$CANCER" model
same 'exit status when double precision ends it' 0 "$STATUS"
same 'outcome when double precision ends it' stalled "$(record model outcome)"
matches 'warning when double precision ends it' "$ERR" \
    "$(warns '' 1e-300 'no method lowers the gap any further')"

write_tiny tiny
run train -w7 2 tiny model
same 'exit status with a weight for no class' 0 "$STATUS"
same_text 'warning about a weight for no class' "$ERR" \
    'train: warning: no row has the label 7, for which a weight is given'
run train -w7 2 -w-1 2 -w7.5 1 -w-0 1 -w7 3 tiny model
same_text 'warnings about weights for no class' "$ERR" \
    'train: warning: no row has the label 7, for which a weight is given
train: warning: no row has the label 7.5, for which a weight is given
train: warning: no row has the label -0, for which a weight is given'
run train -q -w7 2 tiny model
same_text 'no warning about a weight for no class with -q' "$ERR" ''

# ---- predict -----------------------------------------------------------

# accuracy LABELS DATA: the line about the accuracy, counted here.
accuracy() {
    awk 'FILENAME == ARGV[1] { label[FNR] = $1; next }
        { rows++; right += label[FNR] == $1 + 0 }
        END { printf "Accuracy = %g%% (%d/%d)\n", right / rows * 100, right, rows }' "$1" "$2"
}

"$BIN/train" -q "$DIGITS" digits.model
"$BIN/train" -q "$CANCER" cancer.model
succeeds 'predicting ten classes' predict "$DIGITS" digits.model labels
same_text 'accuracy of ten classes' "$OUT" "$(accuracy labels "$DIGITS")"
succeeds 'predicting two classes' predict "$CANCER" cancer.model labels
same_text 'accuracy of two classes' "$OUT" "$(accuracy labels "$CANCER")"
head -n 3 "$CANCER" >few
printf '%s\n' '-1' >>few
succeeds 'predicting few rows' predict few cancer.model labels
same_text 'accuracy that is a whole number' "$OUT" 'Accuracy = 100% (4/4)'
run predict "$CANCER" cancer.model -
"$BIN/predict" -q "$CANCER" cancer.model labels
same_file 'output - is standard output' labels "$OUT"
same_text 'accuracy is on standard error then' "$ERR" "$(accuracy labels "$CANCER")"

# ---- -q, --help, --version ---------------------------------------------

for data in "$CANCER" "$DIGITS"; do
    succeeds 'train -q' train -q "$data" model
    same_text 'train -q prints nothing' "$OUT" ''
    succeeds 'predict -q' predict -q "$data" model labels
    same_text 'predict -q prints nothing' "$OUT" ''
done
succeeds 'predict -q to standard output' predict -q few cancer.model -
same 'predict -q to standard output prints the labels alone' '1 1 1 -1' "$(xargs <"$OUT")"

version=$(sed -n 's/^#define HINGE_VERSION "\(.*\)"$/\1/p' "$ROOT/include/hinge.h")
for program in train predict; do
    succeeds "$program --version" "$program" --version
    same_text "$program --version" "$OUT" "hinge $version"
    succeeds "$program --help" "$program" --help
    cp "$OUT" help
    succeeds "$program -h" "$program" -h
    same_file "$program -h is --help" help "$OUT"
    succeeds "$program --help among other things" "$program" -q --help absent
    same_file "$program --help needs no file" help "$OUT"
done
"$BIN/train" --help all >help
for option in '-s, --solver S' '-c, --cost C' '-l, --lambda X' '-g, --gap R' '-e, --eps E' \
    '-B, --bias B' '-m, --cache MIB' '-wL W, --weight L:W' '-i, --max-iter N' '    --time-limit S' '    --seed N' \
    '    --zero-based' '-q, --quiet' '-h, --help' '    --version'; do
    holds "train --help names $option" grep -q -F -e "  $option  " help
done
for solver in '1  dcd-l2' '3  dcd-l1' '50  smo'; do
    holds "train --help names the solver $solver" grep -q -e "^ *$solver  " help
done
"$BIN/predict" --help all >help
for option in '-b, --probability 0|1' '    --no-labels' '    --zero-based' '-q, --quiet' \
    '-h, --help' '    --version'; do
    holds "predict --help names $option" grep -q -F -e "  $option  " help
done
