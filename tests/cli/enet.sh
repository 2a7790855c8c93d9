# enet.sh - the elastic net: lines, models, certificates from the files alone, and other options.
# shellcheck shell=sh

awk 'NR % 3' "$CANCER" >cancer
awk 'NR % 3 == 0' "$CANCER" >others

# objectives MODEL ALPHA DATA C X: P(w) and D(alpha) with l1 = X sum C, computed here, and the number of
# weights that are not 0.
objectives() {
    awk -v C="$4" -v X="$5" '
        function size(x) { return x < 0 ? -x : x }
        FILENAME == ARGV[1] && $1 == "label" { positive = $2 }
        FILENAME == ARGV[1] && /^#/ { next }
        FILENAME == ARGV[1] { if (reading) w[++n] = $1; if ($1 == "w") reading = 1; next }
        FILENAME == ARGV[2] { alpha[FNR] = $1; next }
        {
            y = $1 == positive ? 1 : -1
            z = 0
            for (k = 2; k <= NF; k++) {
                split($k, pair, ":")
                z += y * pair[2] * w[pair[1]]
                v[pair[1]] += y * alpha[FNR] * pair[2]
            }
            if (z < 1) primal += C * (1 - z)
            if (alpha[FNR] < 0 || alpha[FNR] > C) infeasible = 1
            dual -= alpha[FNR]
            rows++
        }
        END {
            l1 = X * C * rows
            for (j = 1; j <= n; j++) {
                primal += l1 * size(w[j]) + w[j] ^ 2 / 2
                if (size(v[j]) > l1) dual += (size(v[j]) - l1) ^ 2 / 2
                nonzeros += w[j] != 0
            }
            printf "%.6g %s %d\n", primal, infeasible ? "infeasible" : sprintf("%.6g", dual), nonzeros
        }' "$1" "$2" "$3"
}

# ---- A training ----------------------------------------------------------

for C in 1 1000; do
    for X in 0 1e-4 1e-2; do
        succeeds "-c $C --l1 $X" train -s enet -c $C --l1 $X --alpha alpha cancer model
        matches "-c $C --l1 $X: its lines" "$OUT" "
optimization finished, #iter = [0-9]+
Objective value = -$SHORT
#nonzeros/#features = [0-9]+/30
nSV = [0-9]+
Primal value = $SHORT
Relative duality gap = $SHORT \\(certified <= 0.001\\)
Method = .*

380 rows, 30 features, 11400 non-zeros, 2 classes
C = $C, lambda = $SHORT
read $SHORT s, train $SHORT s, write $SHORT s
next: .*"
        same "-c $C --l1 $X: P, D and the number of weights are true" \
            "$(objectives model alpha cancer $C $X)" \
            "$(printf '%.6g %.6g %s' "$(record model primal)" "$(record model dual)" \
                "$(sed -n 's,^#nonzeros/#features = \(.*\)/.*,\1,p' "$OUT")")"
    done
done
same 'its name, and that for LIBLINEAR' 'enet solver_type L2R_L1LOSS_SVC_DUAL' \
    "$(record model solver) $(head -n 1 model)"
same 'the record: l1' '0.01' "$(record model l1)"
succeeds 'by number' train -q -s 42 -c 1000 --l1 1e-2 cancer other
same_file 'by number: the model' model other
succeeds 'without l1' train -q -s enet -g 1e-6 cancer model
succeeds 'without l1: -s 3' train -q -s 3 -g 1e-6 cancer other
grep -v '^#' model >weights
grep -v '^#' other >expected
same_file 'without l1: the weights of -s 3' expected weights
succeeds 'a large l1' train -s enet --l1 10 cancer model
holds 'a large l1: no weight' grep -q '^#nonzeros/#features = 0/30$' "$OUT"
succeeds 'passes alone' train -s enet --plain --l1 1e-2 cancer model
holds 'passes alone: certified' grep -q 'certified <= 0.001' "$OUT"
holds 'passes alone: no other method' grep -Eq '^Method = dcd \([0-9]+ passes\)$' "$OUT"

# The P of comid and hrmd-w is not below the lower bound of enet.
succeeds 'a small gap' train -q -s enet -g 1e-6 --l1 1e-3 cancer model
for solver in comid hrmd-w; do
    succeeds "$solver" train -q -s $solver --l1 1e-3 cancer other
    same "$solver is not below the lower bound" yes \
        "$(awk -v bound="$(record model dual)" -v primal="$(record other primal)" \
            'BEGIN { print (primal >= -bound) ? "yes" : "no: " primal }')"
done

# ---- Together with other options -------------------------------------------

awk '{ print; if (NR % 2) print }' cancer >twice
awk '{ print NR % 2 ? 2 : 1 }' cancer >weights
primal_of() {
    run train -q -g 1e-7 -s enet -B 1 "$@"
    awk '/^# primal/ { printf "%.5g\n", $3 }' "${model:-model}"
}
same 'row weights are rows more' "$(primal_of --l1 1e-3 twice model)" \
    "$(primal_of --l1 1e-3 -W weights cancer model)"
same 'a class weight is a row weight' \
    "$(awk '{ print $1 == 1 ? 3 : 1 }' cancer >weights; primal_of --l1 1e-3 -W weights cancer model)" \
    "$(primal_of --l1 1e-3 -w1 3 cancer model)"
succeeds 'balanced' train -s enet --l1 1e-3 --balanced cancer model
succeeds 'folds' train -s enet --l1 1e-3 -v 5 cancer
holds 'folds: certified' grep -q '^Cross Validation Accuracy = 9[0-9]' "$OUT"
searches 'search' train -s enet --l1 1e-3 -C --c-range=-2:6:2 --path path --refit cancer model
same 'search: a line of the path for each C' 6 "$(awk 'END { print NR }' path)"
same 'search: each gap is small' '' "$(awk -F, 'NR > 1 && !($6 <= 0.001)' path)"
succeeds 'trace' train -q -s enet --l1 1e-3 -c 1000 --trace trace --test others cancer model
same 'trace: the last line is the result' "$(record model primal | cut -c 1-9)" \
    "$(awk -F, 'END { print $5 }' trace | cut -c 1-9)"
succeeds 'trace: the same model without' train -q -s enet --l1 1e-3 -c 1000 cancer other
grep -v '^# seconds' model >mine
grep -v '^# seconds' other >expected
same_file 'trace: the same model' expected mine
succeeds 'a model to start from' train -q -s enet --l1 1e-3 -g 1e-6 cancer first
succeeds 'a start' train -q -s enet --l1 1e-3 --initial-model first cancer model
same 'a start: no worse' yes "$(awk -v before="$(record first primal)" \
    -v after="$(record model primal)" 'BEGIN { print (after <= before * 1.001) ? "yes" : after }')"
run train -s enet --l1 1e-3 -c 1000 -i 5 cancer model
holds 'a limit: said' grep -q 'stopped by the limit of passes' "$OUT"
succeeds 'the rule of -e' train -s enet --l1 1e-3 -c 1000 -e 0.01 cancer model

refuses 'a free bias' 2 "train: -R has no meaning for --solver enet
Try 'train --help'." train -s enet -R -B 1 cancer model
refuses 'l1 of another solver' 2 "train: --l1 has no meaning for --solver dcd-l1
Try 'train --help'." train -s 3 --l1 1 cancer model
