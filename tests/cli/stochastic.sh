# stochastic.sh - the stochastic solvers from the command line: options, lines, models, traces.
# shellcheck shell=sh

# misused MESSAGE ARGUMENT...: a usage error, found before any data are read.
misused() {
    message=$1
    shift
    refuses "train $*" 2 "train: $message
Try 'train --help'." train "$@" absent/data
}

for value in 0 -1 1.5 nan x 9007199254740993; do
    case $value in
    0) reason="at least 1" ;;
    9007199254740993) reason="at most 9007199254740992" ;;
    *) reason="'$value' is not a whole number" ;;
    esac
    misused "-T: $reason" -s pegasos -T "$value"
done
misused "-k: at least 1" -s sgd -k 0
misused "-k: at most 1048576" -s sgd -k 1048577
misused "-k: '-3' is not a whole number" -s sgd -k -3
for value in -1 nan inf 1e999 x; do
    misused "--l1: '$value' is not a finite number of at least 0" -s comid --l1 "$value"
done
for option in --epochs --lambda --suffix; do
    for value in 0 -1 nan; do
        misused "$option: '$value' is not a positive finite number" -s sgd-suffix "$option" "$value"
    done
done
misused "suffix: not above 0 and at most 1" -s sgd-suffix --suffix 1.5
misused "--sampling: 'best' is not iid or permute" -s sgd --sampling best
misused "--average: 'best' is not default, none, uniform, weighted, suffix or random" -s sgd --average best

# Options that mean nothing to the solver, or contradict each other, are not ignored.
misused "--l1 has no meaning for --solver pegasos" -s pegasos --l1 0.1
misused "--average has no meaning for --solver comid" -s comid --average random
misused "--suffix has no meaning for --solver sgd" -s sgd --suffix 0.5
misused "-g has no meaning for --solver hrmd-w" -s hrmd-w -g 0.1
misused "-i has no meaning for --solver sgd-w" -s sgd-w -i 3
misused "--strict has no meaning for --solver pegasos" -s pegasos --strict
misused "--plain has no meaning for --solver sgd" -s sgd --plain
for option in '-T 3' '--epochs 3' '-k 3' '--l1 3' '--sampling iid' '--average none' '--suffix 1'; do
    # shellcheck disable=SC2086 # two words
    misused "${option%% *} has no meaning for --solver dcd-l1" -s 3 $option
done
misused "-T and --epochs exclude each other" -s sgd -T 3 --epochs 4
misused "-c and -l exclude each other" -s sgd -c 3 -l 4
misused "--test needs --trace" -s sgd --test "$CANCER"
misused "--trace-every needs --trace" --trace-every 5

for solver in '30 pegasos' '31 sgd' '32 sgd-w' '33 sgd-suffix' '40 comid' '41 hrmd-w'; do
    number=${solver% *} name=${solver#* }
    succeeds "$name" train -s "$name" -T 3000 "$CANCER" model
    matches "$name: lines" "$OUT" "
optimization finished, #iter = 3000
Objective value = [0-9.]+
#nonzeros/#features = 30/30
Relative duality gap = unknown \\(a stochastic solver has no certificate\\)

569 rows, 30 features, 17070 non-zeros, 2 classes
C = 1, lambda = 0.00175747
read [0-9.]+ s, train [0-9.]+ s, write [0-9.]+ s
next: .*predict ROWS [^ ]+ LABELS"
    same "$name: outcome" finished "$(record model outcome)"
    same "$name: name in the model" "$name" "$(record model solver)"
    holds "$name: no gap in the model" sh -c '! grep -q "nan\|relative_gap" model'
    succeeds "$name by number" train -q -s "$number" -T 3000 "$CANCER" other
    same_file "$name: by number as by name" model other
    succeeds "$name: other seed" train -q -s "$name" -T 3000 --seed 2 "$CANCER" other
    differ "$name: another seed, another model" "$(weights model)" "$(weights other)"
    succeeds "$name: ten classes" train -q -s "$name" -k 5 --epochs 20 -B 1 "$DIGITS" model
    succeeds "$name: predicts" predict "$DIGITS" model labels
    # shellcheck disable=SC2016 # the dollar is awk's
    holds "$name: accuracy above 85%" awk '$3 + 0 < 85 { exit 1 }' "$OUT"
done

# A trace has a line for each checkpoint, and its last line has the reported values.
succeeds 'trace' train -s hrmd-w --l1 1e-3 -T 1000 --trace trace --trace-every 250 --test "$CANCER" \
    "$CANCER" model
matches 'trace: lines' trace "problem,iterations,passes,seconds,primal,dual,gap,nonzeros,test_error
1,0,0,[0-9.]+,569,,,0,[0-9.]+
1,250,[0-9.]+,[0-9.]+,[0-9.]+,,,[0-9]+,[0-9.]+
1,500,[0-9.]+,[0-9.]+,[0-9.]+,,,[0-9]+,[0-9.]+
1,750,[0-9.]+,[0-9.]+,[0-9.]+,,,[0-9]+,[0-9.]+
1,1000,[0-9.]+,[0-9.]+,[0-9.]+,,,[0-9]+,[0-9.]+"
same 'trace: the last objective' "$(record model primal)" "$(tail -n 1 trace | cut -d, -f 5)"
succeeds 'trace of dcd' train --trace trace "$CANCER" model
same 'trace of dcd: the last gap' "$(record model relative_gap)" "$(tail -n 1 trace | cut -d, -f 7)"
same 'trace of dcd: a line a pass' "$(record model iterations)" "$(($(wc -l <trace) - 2))"
succeeds 'no trace' train -q "$CANCER" other
same_file 'tracing changes no bit' model other
run train -s sgd --trace absent/trace "$CANCER" other
same 'trace in no folder' 3 "$STATUS"

# The rule of -e: an epoch that improves the objective by less than -e ends the training.
succeeds 'stops by -e' train -s sgd-w -e 0.5 --epochs 1000 "$CANCER" model
holds 'stops by -e: early' test "$(record model iterations)" -lt 56900
