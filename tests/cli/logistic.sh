# logistic.sh - logistic regression, -s 0 and -s 7: every option, probabilities, LIBLINEAR's rules.
# shellcheck shell=sh disable=SC2016 # awk's fields

awk 'NR % 8 == 3' "$DIGITS" >digits
awk 'NR % 3' "$CANCER" >cancer
awk '!(NR % 3)' "$CANCER" >cancer.t

# near NAME NUMBER NUMBER RELATIVE
near() {
    holds "$1: $2 and $3" awk -v a="$2" -v b="$3" -v most="$4" \
        'BEGIN { d = a > b ? a - b : b - a; exit !(a != "" && b != "" && d <= most * (a > 0 ? a : -a)) }'
}

# slow_objective DATA MODEL WEIGHTS: P of a model of two classes, from its weights alone; WEIGHTS has
# the C of each row.
slow_objective() {
    awk '
        FILENAME == ARGV[1] && $1 == "label" { positive = $2; next }
        FILENAME == ARGV[1] && $1 == "bias" { bias = $2; next }
        FILENAME == ARGV[1] && $1 == "w" { reading = 1; next }
        FILENAME == ARGV[1] && $1 != "#" && reading { w[++n] = $1; P += $1 * $1 / 2; next }
        FILENAME == ARGV[1] { next }
        FILENAME == ARGV[2] { C[FNR] = $1; next }
        {
            z = bias >= 0 ? bias * w[n] : 0
            for (k = 2; k <= NF; k++) { split($k, p, ":"); z += w[p[1]] * p[2] }
            if ($1 + 0 == positive + 0) z = -z
            P += C[FNR] * (z > 0 ? z + log(1 + exp(-z)) : log(1 + exp(z)))
        }
        END { printf "%.12g\n", P }' "$2" "$3" "$1"
}

# ---- Both solvers find the minimum ---------------------------------------

# both NAME COSTS OPTION...: each solver records the P of its weights, and both have the same P.
both() {
    title=$1 costs=$2
    shift 2
    awk -v OFMT=%.17g "{ print $costs }" cancer >cost_of_rows
    for solver in 0 7; do
        succeeds "$title: -s $solver" train -s "$solver" -g 1e-8 --strict "$@" cancer "model$solver"
        near "$title: -s $solver: P" "$(slow_objective cancer "model$solver" cost_of_rows)" \
            "$(record "model$solver" primal)" 1e-9
        near "$title: -s $solver: D" "$(record "model$solver" primal)" \
            "$(record "model$solver" dual | tr -d -)" 1.1e-8
    done
    near "$title: both" "$(record model0 primal)" "$(record model7 primal)" 1e-8
}
both 'defaults' 1
both 'a small C' 1e-6 -c 1e-6
both 'a large C' 1e6 -c 1e6
both 'a bias' 10 -c 10 -B 1
both 'weights of classes' '($1 > 0 ? 3 : 0.25) * 2' -c 2 -w1 3 -w-1 0.25
awk '{ print NR % 4 / 2 }' cancer >weights
both 'weights of rows' 'NR % 4 / 2' -W weights
both 'balanced' "$(awk '{ m++; n += $1 > 0 }
    END { printf "($1 > 0 ? %.17g : %.17g)", m / 2 / n, m / 2 / (m - n) }' cancer)" --balanced
both 'lambda' 1 -l "$(awk 'END { printf "%.17g\n", 1 / NR }' cancer)"
succeeds 'the solver by name' train -s lr-newton -g 1e-8 cancer named
"$BIN/train" -q -s 0 -g 1e-8 cancer model0
same_file 'the solver by name' model0 named
succeeds 'passes alone' train -s 7 --plain cancer plain
same 'passes alone: the method' none "$(record plain engine)"

# LIBLINEAR's programs read these names.
same 'the kind of -s 0' 'solver_type L2R_LR' "$(head -n 1 model0)"
same 'the kind of -s 7' 'solver_type L2R_LR_DUAL' "$(head -n 1 model7)"
same 'the solver in the record' 'lr-newton lr-dcd' "$(record model0 solver) $(record model7 solver)"

# ---- LIBLINEAR's rules -------------------------------------------------

# gradient DATA MODEL: |grad P(w)| / |grad P(0)| min(#pos, #neg)/m, at C = 1 without a bias.
gradient() {
    awk '
        FILENAME == ARGV[1] && $1 == "label" { positive = $2; next }
        FILENAME == ARGV[1] && $1 == "w" { reading = 1; next }
        FILENAME == ARGV[1] && $1 != "#" && reading { w[++n] = $1; g[n] = $1; next }
        FILENAME == ARGV[1] { next }
        {
            y = $1 + 0 == positive + 0 ? 1 : -1
            m++
            few += y > 0
            z = 0
            for (k = 2; k <= NF; k++) { split($k, p, ":"); z += y * w[p[1]] * p[2] }
            a = 1 / (1 + exp(z))
            for (k = 2; k <= NF; k++) {
                split($k, p, ":")
                g[p[1]] -= a * y * p[2]
                start[p[1]] -= y * p[2] / 2
            }
        }
        END {
            few = few < m - few ? few : m - few
            for (j = 1; j <= n; j++) { here += g[j] * g[j]; zero += start[j] * start[j] }
            print sqrt(here / zero) * m / few
        }' "$2" "$1"
}
for eps in 0.3 0.01 1e-5; do
    succeeds "-s 0 -e $eps" train -s 0 -e "$eps" cancer model
    holds "-s 0 -e $eps: its rule" awk -v e="$eps" -v rule="$(gradient cancer model)" \
        'BEGIN { exit !(rule <= e * 1.000001) }'
done
succeeds '-s 0 -e, at once' train -s 0 -e 1e9 cancer model
same '-s 0 -e, at once: no step' 0 "$(record model iterations)"

# -s 7 ends when the largest violation |ln(alpha/(C - alpha)) + z| is at most -e.
for eps in 1 0.1 1e-4; do
    for C in 1 100; do
        succeeds "-s 7 -c $C -e $eps" train -s 7 -c "$C" -e "$eps" --alpha alpha cancer model
        holds "-s 7 -c $C -e $eps: its rule" awk -v e="$eps" -v C="$C" '
            FILENAME == ARGV[1] && $1 == "label" { positive = $2; next }
            FILENAME == ARGV[1] && $1 == "w" { reading = 1; next }
            FILENAME == ARGV[1] && $1 != "#" && reading { w[++n] = $1; next }
            FILENAME == ARGV[1] { next }
            FILENAME == ARGV[2] { alpha[FNR] = $1; next }
            {
                z = 0
                for (k = 2; k <= NF; k++) { split($k, p, ":"); z += w[p[1]] * p[2] }
                if ($1 + 0 != positive + 0) z = -z
                rest = log(alpha[FNR] / (C - alpha[FNR])) + z
                worst = rest > worst ? rest : -rest > worst ? -rest : worst
            }
            END { exit !(worst <= e * 1.01 + 1e-6) }' model alpha cancer
    done
done

# ---- Probabilities -----------------------------------------------------

# probabilities_hold NAME MODEL DATA: the probabilities of each row follow from its decision values and sum to 1. The
# label has the largest one.
probabilities_hold() {
    "$BIN/predict" -q -b 1 "$3" "$2" shares
    "$BIN/predict" -q --output-format both "$3" "$2" values
    awk '
        FILENAME == ARGV[1] && FNR == 1 { n = NF - 1; for (c = 1; c <= n; c++) label[c] = $(c + 1); next }
        FILENAME == ARGV[1] { row++; said[row] = $1; for (c = 1; c <= n; c++) p[row, c] = $(c + 1); next }
        {
            i++
            sum = best = total = 0
            for (c = 1; c <= n; c++) {
                d = n > 2 ? $(c + 1) : c == 1 ? $2 : -$2
                q[c] = 1 / (1 + exp(-d))
                total += q[c]
            }
            for (c = 1; c <= n; c++) {
                sum += p[i, c]
                if (p[i, c] > best) { best = p[i, c]; winner = label[c] }
                off = p[i, c] - q[c] / total
                if (off > 1e-5 || off < -1e-5) bad = bad " row " i " class " c ": " p[i, c]
            }
            if (sum > 1.00001 || sum < 0.99999) bad = bad " row " i " sum " sum
            if (winner != said[i] || $1 != said[i]) bad = bad " row " i " label " said[i]
        }
        END { if (!i || i != row) bad = bad " rows " i " " row; if (bad) print substr(bad, 1, 200) }
    ' shares values >wrong
    same_text "$1" wrong ''
}
for solver in 0 7; do
    "$BIN/train" -q -s "$solver" -B 1 cancer model
    probabilities_hold "-s $solver, two classes" model cancer.t
    "$BIN/train" -q -s "$solver" digits model
    probabilities_hold "-s $solver, ten classes" model digits
done

# ---- Searching and tracing ---------------------------------------------

# The search of C begins like LIBLINEAR's: at 1/(m max |x|^2), rounded down to a power of 2.
first_C=$(awk '{ s = 0; for (k = 2; k <= NF; k++) { split($k, p, ":"); s += p[2] * p[2] }
    if (s > most) most = s } END { e = log(1 / (NR * most)) / log(2)
    printf "log2c=%7.2f", (int(e) > e ? int(e) - 1 : int(e)) }' cancer)
for solver in 0 7; do
    run train -C -s "$solver" cancer
    same "-C -s $solver: the first C" "$first_C" \
        "$(sed -n '/^log2c/{s/[[:space:]]*rate.*//;p;q;}' "$OUT")"
    holds "-C -s $solver: all certified" grep -q '^Certified = \([0-9]*\) of \1 trainings' "$OUT"
    succeeds "--trace, -s $solver" train -s "$solver" --trace trace --test cancer.t -g 1e-6 cancer model
    near "--trace, -s $solver: P" "$(record model primal)" "$(tail -n 1 trace | cut -d, -f 5)" 1e-12
    near "--trace, -s $solver: the gap" "$(record model relative_gap)" \
        "$(tail -n 1 trace | cut -d, -f 7)" 1e-9
    succeeds "-v -s $solver" train -q -v 5 --metrics=json -s "$solver" cancer
done

# ---- Data that overflow a naive formula ---------------------------------

# Margins of 1e4 and more on both sides, a row without features, tiny and huge C: no nan, true bounds.
printf '%s\n' '1 1:1e4' '-1 1:1e4' '1 2:-1e4' '-1 1:-3e4' '1' '-1 3:1e-300' >extreme
for solver in 0 7; do
    for C in 1e-100 1e-10 1 1e10 1e100; do
        run train -s "$solver" -c "$C" extreme model
        same "-s $solver -c $C, extreme rows: status" 0 "$STATUS"
        holds "-s $solver -c $C, extreme rows: numbers" awk '
            tolower($0) ~ /nan|inf/ { bad = 1 }
            /^# primal/ { primal = $3 } /^# dual/ { dual = $3 }
            END { exit !(!bad && primal > 0 && dual <= 0) }' model
        run predict -b 1 extreme model labels
        holds "-s $solver -c $C, extreme rows: probabilities" awk '
            NR > 1 && !($2 >= 0 && $2 <= 1 && $2 + $3 > 0.999) { bad = 1 } END { exit bad }' labels
    done
done

# ---- What is certified is near the truth ---------------------------------

# The certified excess of P is at most twice the true excess. A run with -g 1e-10 gives the least P.
tight() {
    "$BIN/train" -q -s "$1" -g 1e-10 "$2" model_tight 2>/dev/null
    "$BIN/train" -q -s "$1" -g 1e-3 "$2" model_near 2>/dev/null
    holds "-s $1 $2: the certificate" awk -v P="$(record model_near primal)" \
        -v D="$(record model_near dual)" -v least="$(record model_tight primal)" '
        function total(list, part, n, k, all) {
            n = split(list, part, " ")
            for (k = 1; k <= n; k++) all += part[k]
            return all
        }
        BEGIN { P = total(P); exit !(P > 0 && P + total(D) <= 2 * (P - total(least)) + 1e-8 * P) }'
}
for solver in 0 7 11 12; do
    tight "$solver" "$CANCER"
    tight "$solver" "$DIGITS"
done
# Trainings end with coordinate descent if there are many features, with Newton steps if there are few. Trainings that
# end with Newton steps for the hinge are left out, because D lags behind P there.
tight_all() {
    if [ ! -f "$LARGE/$1" ]; then
        skips "the certificate on $1" "HINGE_DATA has no $1"
        return
    fi
    for solver in $2; do
        tight "$solver" "$LARGE/$1"
    done
}
tight_all a9a '0 2 11 13'
tight_all w8a '0 2 3 11'
tight_all imdb '0 2 3 11'
tight_all farm-ads '0 2 11'
