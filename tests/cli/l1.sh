# l1.sh - |w|_1 instead of |w|^2/2, -s 5 and -s 6: every option, sparse models, the certificate.
# shellcheck shell=sh disable=SC2016 # awk's fields

awk 'NR % 8 == 3' "$DIGITS" >digits
awk 'NR % 3' "$CANCER" >cancer

# near NAME NUMBER NUMBER RELATIVE
near() {
    holds "$1: $2 and $3" awk -v a="$2" -v b="$3" -v most="$4" \
        'BEGIN { d = a > b ? a - b : b - a; exit !(a != "" && b != "" && d <= most * (a > 0 ? a : -a)) }'
}

# slow_objective DATA MODEL WEIGHTS SOLVER FREE: P of a model of two classes, from its weights alone;
# WEIGHTS has the C of each row, FREE is 1 if the last weight is not in |w|_1.
slow_objective() {
    awk -v solver="$4" -v free="$5" '
        FILENAME == ARGV[1] && $1 == "label" { positive = $2; next }
        FILENAME == ARGV[1] && $1 == "bias" { bias = $2; next }
        FILENAME == ARGV[1] && $1 == "w" { reading = 1; next }
        FILENAME == ARGV[1] && $1 != "#" && reading { w[++n] = $1; P += $1 > 0 ? $1 : -$1; next }
        FILENAME == ARGV[1] { next }
        FILENAME == ARGV[2] { C[FNR] = $1; next }
        FNR == 1 && free { P -= w[n] > 0 ? w[n] : -w[n] }
        {
            z = bias >= 0 ? bias * w[n] : 0
            for (k = 2; k <= NF; k++) { split($k, p, ":"); z += w[p[1]] * p[2] }
            if ($1 + 0 == positive + 0) z = -z
            if (solver == 6) P += C[FNR] * (z > 0 ? z + log(1 + exp(-z)) : log(1 + exp(z)))
            else if (z > -1) P += C[FNR] * (1 + z) * (1 + z)
        }
        END { printf "%.12g\n", P }' "$2" "$3" "$1"
}

# nonzeros MODEL: how many of its weights are not 0.
nonzeros() {
    weights "$1" | awk '$1 == "w" { reading = 1; next } reading { n += $1 != 0 } END { print n + 0 }'
}

# slow_largest DATA ALPHA BIAS: the largest |sum alpha_i y_i x_ij|.
slow_largest() {
    awk -v bias="$3" '
        FILENAME == ARGV[1] { alpha[FNR] = $1; next }
        {
            a = $1 > 0 ? alpha[FNR] : -alpha[FNR]
            for (k = 2; k <= NF; k++) { split($k, p, ":"); v[p[1]] += a * p[2] }
            v[0] += a * (bias > 0 ? bias : 0)
        }
        END { for (j in v) { x = v[j] > 0 ? v[j] : -v[j]; if (x > most) most = x }
            printf "%.15g\n", most }' "$2" "$1"
}

# both NAME COSTS OPTION...: both solvers record the P of their weights, a feasible dual point and the correct gap.
both() {
    title=$1 costs=$2
    shift 2
    awk -v OFMT=%.17g "{ print $costs }" cancer >cost_of_rows
    free=0 bias=-1
    case " $* " in *' -R '*) free=1 ;; *' -B '*) bias=1 ;; esac
    for solver in 5 6; do
        succeeds "$title: -s $solver" train -s "$solver" -g 1e-8 --strict --alpha alpha "$@" cancer model
        near "$title: -s $solver: P" "$(slow_objective cancer model cost_of_rows $solver $free)" \
            "$(record model primal)" 1e-8
        near "$title: -s $solver: D" "$(record model primal)" "$(record model dual | tr -d -)" 1.1e-8
        holds "$title: -s $solver: feasible" awk -v v="$(slow_largest cancer alpha $bias)" \
            'BEGIN { exit !(v <= 1 + 1e-9) }'
    done
}
both 'defaults' 1
both 'a small C' 1e-6 -c 1e-6
both 'a large C' 1e3 -c 1e3
both 'a bias' 10 -c 10 -B 1
both 'a free bias' 10 -c 10 -B 1 -R
both 'weights of classes' '($1 > 0 ? 3 : 0.25) * 2' -c 2 -w1 3 -w-1 0.25
awk '{ print NR % 4 / 2 }' cancer >weights
both 'weights of rows' 'NR % 4 / 2' -W weights
both 'balanced' "$(awk '{ m++; n += $1 > 0 }
    END { printf "($1 > 0 ? %.17g : %.17g)", m / 2 / n, m / 2 / (m - n) }' cancer)" --balanced
both 'lambda' 1 -l "$(awk 'END { printf "%.17g\n", 1 / NR }' cancer)"

# ---- What is printed and written ----------------------------------------

succeeds 'output' train -s 5 -c 0.1 -B 1 cancer model
count=$(nonzeros model)
same 'nonzeros' "#nonzeros/#features = $count/31" "$(sed -n '/#nonzeros/p' "$OUT")"
near 'objective value' "$(sed -n 's/^Objective value = //p' "$OUT")" "$(record model primal)" 1e-6
holds 'a sparse model' test "$count" -lt 31
same 'the kind of -s 5' 'solver_type L1R_L2LOSS_SVC' "$(head -n 1 model)"
same 'no l1 of the averaged objective' '' "$(sed -n '/^# l1 /p' model)"
succeeds 'by name' train -s l1r-l2loss -c 0.1 -B 1 cancer named
same_file 'by name' model named
succeeds 'many classes' train -s 6 -c 0.1 digits model
same 'the kind of -s 6' 'solver_type L1R_LR' "$(head -n 1 model)"
same 'many classes: a line each' 10 "$(grep -c '^#nonzeros/#features' "$OUT")"
succeeds 'probabilities' predict -b 1 digits model labels
same 'probabilities: of each class' 11 "$(awk 'NR == 2 { print NF }' labels)"
refuses "--l1 is another term" 2 "train: --l1 has no meaning for --solver l1r-l2loss
Try 'train --help'." \
    train -s 5 --l1 0.1 cancer model

# ---- Starts, paths, folds ------------------------------------------------

succeeds 'first' train -s 5 -g 1e-6 cancer model
succeeds 'a start at the solution' train -s 5 -g 1e-6 --initial-model model cancer again
holds 'a start at the solution: no work' test "$(record again iterations)" -le 1
succeeds 'a trace' train -s 6 --trace trace cancer model
holds 'a trace: gaps fall' awk -F, 'NR == 2 { first = $7 } { last = $7 } END { exit !(NR > 2 && last < first) }' trace
for solver in 5 6; do
    succeeds "path of -s $solver" train -q -C -s "$solver" --path path -v 3 cancer
    least=$(awk -F, 'NR == 2 { print $1 }' path)
    "$BIN/train" -q -s "$solver" -c "$least" cancer model
    holds "path of -s $solver: its first model is not 0" test "$(nonzeros model)" -gt 0
    "$BIN/train" -q -s "$solver" -c "$(awk -v C="$least" 'BEGIN { print C / 2 }')" cancer model
    same "path of -s $solver: at half of that C it is 0" 0 "$(nonzeros model)"
done
succeeds 'folds' train -s 5 -v 3 digits

# ---- LIBLINEAR's rule ----------------------------------------------------

succeeds '-e, at once' train -s 5 -e 1e9 cancer model
same '-e, at once: no step' 0 "$(record model iterations)"
succeeds '-e' train -s 6 -e 1e-4 cancer model
same '-e: its outcome' yes "$(case $(record model outcome) in tolerance | certified) echo yes ;; esac)"

# ---- Many features -------------------------------------------------------

# 400 rows of 3000 features. Ten features matter.
awk 'function unit() { x = (x * 16807) % 2147483647; return x / 2147483647 }
    BEGIN {
        x = 1
        for (i = 0; i < 400; i++) {
            y = unit() < 0.5 ? 1 : -1
            line = y
            for (j = 1; j <= 3000; j++)
                if (unit() < (j <= 10 ? 0.5 : 0.01))
                    line = line " " j ":" sprintf("%.3f", unit() - 0.5 + (j <= 10 ? y * 0.3 : 0))
            print line
        }
    }' >wide
before=
for gap in 1e-1 1e-3 1e-6 1e-9; do
    succeeds "many features, -g $gap" train -s 5 -g "$gap" --strict wide model
    P=$(record model primal)
    [ -z "$before" ] || holds "many features, -g $gap: no worse" awk -v a="$P" -v b="$before" \
        'BEGIN { exit !(a <= b * (1 + 1e-9)) }'
    before=$P
done
holds 'many features: a sparse model' test "$(nonzeros model)" -lt 500
awk '{ print 1 }' wide >cost_of_rows
near 'many features: P' "$(slow_objective wide model cost_of_rows 5 0)" "$P" 1e-9
succeeds 'many features, logistic, a free bias' train -s 6 -B 1 -R -g 1e-6 --strict wide model
near 'many features, logistic: P' "$(slow_objective wide model cost_of_rows 6 1)" \
    "$(record model primal)" 1e-9

# If rounding errors stop the interior-point method, passes continue from its point.
for solver in 5 6; do
    run train -s $solver -c 1e12 -g 1e-9 -i 300 "$CANCER" model
    holds "-s $solver, C = 1e12: passes after the interior-point method" awk -v gap="$(record model relative_gap)" \
        'BEGIN { exit !(gap < 1e-3) }'
done
