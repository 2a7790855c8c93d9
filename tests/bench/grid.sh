#!/bin/sh
# make bench-grid: train against liblinear-train over data sets, C = 2^-10 .. 2^10 and both losses:
# whole runs, in turn, each with its relative duality gap; logistic regression against LIBLINEAR at the
# -e that it needs for the same; every certified solver on dense data, up to
# C = 2^16; then train -s 3 against svmocas. Writes tests/bench/GRID.md. Run it from the top folder,
# after make. Needs awk, hyperfine, build/plain/synth.
# HINGE_DATA: folder of the data sets; HINGE_RUNS: runs of each command (default 3);
# HINGE_SETS: the data sets; HINGE_POWERS: the powers of 2 that C takes;
# HINGE_DENSE, HINGE_DENSE_POWERS: those of the dense data, dense-ROWSxFEATURES-CLASSES-synth made.
# shellcheck disable=SC2034,SC2154 # variables shared with lib.sh
set -u

data=${HINGE_DATA:-data}
runs=${HINGE_RUNS:-3}
sets=${HINGE_SETS:-a9a w8a covtype-93k farm-ads imdb svmlight-ex1 breast-cancer digits}
powers=${HINGE_POWERS:--10 -8 -6 -4 -2 0 2 4 6 8 10}
dense=${HINGE_DENSE-digits dense-500x50-2-synth dense-500x50-10-synth dense-2000x256-2-synth
    dense-2000x256-10-synth dense-5000x800-2-synth dense-5000x800-10-synth}
dense_powers=${HINGE_DENSE_POWERS:--10 -4 2 8 12 16}
here=tests/bench
bench=grid
limit=60 # seconds a training of ours, or of svmocas, may take
dense_limit=20 # the same, on dense data
long=5   # seconds from which on a command is run only once

# shellcheck source=/dev/null
. "$here/lib.sh"

# train_command SOLVER C GAP DATA MODEL
train_command() {
    echo "./train -s $1 -c $2 -g $3 --time-limit $limit '$(path "$4")' '$scratch/$5'"
}

# power_of_2 EXPONENT
power_of_2() { awk -v power="$1" 'BEGIN { printf "%.17g", 2 ^ power }'; }

# ---- What the programs print: all of these answer - where there is nothing ----

# method NAME: of the one binary problem in full, of several the commonest, without its numbers.
method() {
    awk 'sub(/^Method = /, "") { n++; full = $0; gsub(/ \([^)]*\)/, ""); if (++count[$0] > count[best]) best = $0 }
        END {
            if (n == 0) print "-"
            else if (n == 1) print full
            else print best " in " count[best] " of " n
        }' "$scratch/$1.report"
}

# iterations NAME: the most that a binary problem of liblinear-train took.
iterations() {
    awk '/^optimization finished, #iter = / { n++; if ($5 > most) most = $5 } END { print n ? most + 0 : "-" }' \
        "$scratch/$1.report"
}

# ---- The grid ----

# cell DATA POWER SOLVER: a line of $scratch/cells:
# DATA POWER SOLVER SECONDS GAP CERTIFIED METHOD SECONDS@1e-6 CERTIFIED@1e-6 SECONDS ITERATIONS GAP,
# the last three LIBLINEAR's.
cell() {
    C=$(power_of_2 "$2")
    in_turn ours "$(train_command "$3" "$C" 1e-3 "$1" ours.model)" \
        theirs "liblinear-train -s $3 -c $C '$data/$1' '$scratch/theirs.model'" \
        tight "$(train_command "$3" "$C" 1e-6 "$1" tight.model)"
    printf '%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n' "$1" "$2" "$3" "$(median ours)" "$(gap ours)" \
        "$(certified ours)" "$(method ours)" "$(median tight)" "$(certified tight)" \
        "$(median theirs)" "$(iterations theirs)" "$(their_gap "$1" "$3" "$C")"
}

grid() {
    for name in $sets; do
        if ! has "$name"; then
            note "$data/$name is not there: skipped"
            echo "$name" >>"$scratch/skipped"
            continue
        fi
        note "$name"
        cat "$data/$name" >/dev/null # the file is in memory from now on
        for power in $powers; do
            cell "$name" "$power" 1
            cell "$name" "$power" 3
        done
    done
}

# table: the cells of one data set, on standard input.
table() {
    echo "| C | \`-s\` | train, s | gap | method | at 1e-6 | s | liblinear-train, s | #iter | gap | ratio |"
    echo "|--:|--:|--:|--:|---|---|--:|--:|--:|--:|--:|"
    awk -F'\t' '
        function short(x, digits) { return x == "-" ? x : sprintf("%." digits "g", x) }
        {
            seconds = $4 == "-" ? "failed" : short($4, 3)
            proof = $6 == "yes" ? "" : " (not certified)"
            ratio = $4 == "-" || $10 == "-" || $4 == 0 ? "-" : sprintf("%.2f", $10 / $4)
            printf "| 2^%d | %d | %s | %s%s | %s | %s | %s | %s | %s | %s | %s |\n", $2, $3, seconds,
                short($5, 2), proof, $7, $9, short($8, 3), short($10, 3), $11, short($12, 2), ratio
        }'
}

tables() {
    for name in $sets; do
        has "$name" || continue
        printf '\n## %s\n\n' "$name"
        awk -F'\t' -v name="$name" '$1 == name' "$scratch/cells" | table
    done
}

# summary: counts and totals over all cells, and where we are slow although LIBLINEAR is done.
summary() {
    printf '\n## Summary\n\n'
    awk -F'\t' '
        $6 == "yes" { certified++ }
        $9 == "yes" { tight++ }
        $12 != "-" && $12 <= 1e-3 { theirs++ }
        $4 != "-" && $10 != "-" { ours_total += $4; tight_total += $8; theirs_total += $10 }
        $4 != "-" && $10 != "-" && $12 != "-" && $12 <= 1e-3 && $4 > 2 * $10 {
            slow = slow sprintf("  - %s, C = 2^%d, `-s %d`: %.3g s against %.3g s\n", $1, $2, $3, $4, $10)
        }
        END {
            printf "- Certified at 1e-3: %d of %d cells; at 1e-6: %d of %d.\n", certified, NR, tight, NR
            printf "- LIBLINEAR, at its defaults, has a gap of at most 1e-3 in %d of them.\n", theirs
            printf "- All cells: train %.2f s (at 1e-6: %.2f s), liblinear-train %.2f s: ratio %.2f.\n",
                ours_total, tight_total, theirs_total, (ours_total ? theirs_total / ours_total : 0)
            printf "- Cells where train took more than twice the time of LIBLINEAR, whose gap was at most 1e-3:%s",
                slow == "" ? " none.\n" : "\n" slow
        }' "$scratch/cells"
}

# ---- Logistic regression ----

# excess MODEL DATA C LEAST: the largest (P - least)/P of a model's problems; LEAST has a line a problem.
excess() {
    [ -s "$scratch/$1" ] || { echo -; return; }
    build/plain/grid_gap "$(path "$2")" "$scratch/$1" "$3" 0 | paste - "$4" | awk '
        { x = ($1 - $2) / $1; if (x > worst) worst = x } END { print NR ? worst + 0 : "-" }'
}

# logistic_cell DATA POWER SOLVER: a line of $scratch/logistic: DATA POWER SOLVER SECONDS GAP CERTIFIED
# METHOD EXCESS E SECONDS ITERATIONS EXCESS. LIBLINEAR prints no dual value for -s 0: how far a model is
# above the minimum is known from the dual values of a run of ours to 1e-6. E is the first of its
# default 0.01 or 0.1, a tenth of that, ... with which LIBLINEAR comes as near as our gap has to be.
logistic_cell() {
    C=$(power_of_2 "$2") e=$([ "$3" = 0 ] && echo 0.01 || echo 0.1) their_excess=-
    eval "$(train_command 0 "$C" 1e-6 "$1" tight.model)" >/dev/null 2>&1
    sed -n 's/^# dual //p' "$scratch/tight.model" | tr ' ' '\n' | sed 's/^-//' >"$scratch/least"
    for digit in 0 1 2 3 4 5; do
        e=$(echo "$e $digit" | awk '{ print $2 ? $1 / 10 : $1 }')
        their_command="timeout $limit liblinear-train -s $3 -c $C -e $e '$(path "$1")' '$scratch/theirs.model'"
        rm -f "$scratch/theirs.model"
        eval "$their_command" >/dev/null 2>&1 || break
        their_excess=$(excess theirs.model "$1" "$C" "$scratch/least")
        if awk -v x="$their_excess" 'BEGIN { exit !(x <= 1e-3) }'; then break; fi
    done
    in_turn ours "$(train_command "$3" "$C" 1e-3 "$1" ours.model)" theirs "$their_command"
    printf '%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n' "$1" "$2" "$3" "$(median ours)" \
        "$(gap ours)" "$(certified ours)" "$(method ours)" "$(excess ours.model "$1" "$C" "$scratch/least")" \
        "$e" "$(median theirs)" "$(iterations theirs)" "$their_excess"
}

logistic_grid() {
    for name in $sets; do
        has "$name" || continue
        note "logistic: $name"
        for power in $powers; do
            logistic_cell "$name" "$power" 0
            logistic_cell "$name" "$power" 7
        done
    done
}

logistic_page() {
    printf '\n## Logistic regression\n\n'
    echo "\`train -s S -g 1e-3\` against \`liblinear-train -s S\` at the first -e of its default, a tenth of it,"
    echo "and so on, at which its P(w) is within 1e-3 of the minimum. Excess: how far P(w) is above the lower"
    echo "bound of a run of ours to 1e-6, relative to P(w)."
    echo
    awk -F'\t' '
        $6 == "yes" { certified++ }
        $4 != "-" && $10 != "-" { ours += $4; theirs += $10; if ($4 > $10) slower++ }
        $12 == "-" || $12 > 1e-3 { short++ }
        $8 > 0 && $8 != "-" && $5 / $8 > 2 { loose++ }
        END {
            printf "- Certified: %d of %d cells; in %d of them the gap is more than twice the excess.\n",
                certified, NR, loose
            printf "- LIBLINEAR does not come that near in %d of them.\n", short
            printf "- All cells: train %.2f s, liblinear-train %.2f s: ratio %.2f; slower in %d of them.\n",
                ours, theirs, (ours ? theirs / ours : 0), slower
        }' "$scratch/logistic"
    echo
    echo "| data | C | \`-s\` | train, s | gap | excess | method | liblinear-train -e | s | #iter | excess | ratio |"
    echo "|---|--:|--:|--:|--:|--:|---|--:|--:|--:|--:|--:|"
    awk -F'\t' '
        function short(x, digits) { return x == "-" ? x : sprintf("%." digits "g", x) }
        {
            printf "| %s | 2^%d | %d | %s | %s%s | %s | %s | %s | %s | %s | %s | %s |\n", $1, $2, $3, short($4, 3),
                short($5, 2), ($6 == "yes" ? "" : " (not certified)"), short($8, 2), $7, $9, short($10, 3), $11,
                short($12, 2), ($4 == "-" || $10 == "-" || $4 == 0 ? "-" : sprintf("%.2f", $10 / $4))
        }' "$scratch/logistic"
}

# ---- Dense data, every solver ----

# outcomes NAME: of its problems: certified, or each reason and how many it was.
outcomes() {
    awk '/^Relative duality gap = / {
            n++
            sub(/^[^(]*\(/, ""); sub(/( <= [^ ]*)?\)$/, ""); sub(/^not certified: /, "")
            if (!count[$0]++) reason[++kinds] = $0
        }
        / classes: not begun$/ { n += $1; count["not begun"] += $1; reason[++kinds] = "not begun" }
        END {
            for (k = 1; k <= kinds; k++)
                printf "%s%s%s", (k > 1 ? ", " : ""), (kinds > 1 ? count[reason[k]] " " : ""), reason[k]
            print n ? "" : "failed"
        }' "$scratch/$1.report"
}

synthesise() {
    for name in $dense; do
        case $name in
        dense-*-synth)
            [ -f "$(path "$name")" ] && continue
            note "making $name"
            mkdir -p build/bench
            # shellcheck disable=SC2046 # three numbers
            build/plain/synth $(echo "$name" | sed 's/^dense-\(.*\)x\(.*\)-\(.*\)-synth$/dense \1 \2 \3/') \
                --output "$(path "$name")" || exit 1
            ;;
        esac
    done
}

# dense_cell DATA POWER SOLVER: a line of $scratch/dense: DATA POWER SOLVER SECONDS GAP OUTCOMES METHOD
# THEIR_SECONDS THEIR_GAP. LIBLINEAR runs on data of two classes, where it has the solver.
dense_cell() {
    C=$(power_of_2 "$2")
    case $1:$3 in
    *-2-synth:[123])
        in_turn ours "$(train_command "$3" "$C" 1e-3 "$1" ours.model)" \
            theirs "timeout $limit liblinear-train -s $3 -c $C '$(path "$1")' '$scratch/theirs.model'"
        ;;
    *) in_turn ours "$(train_command "$3" "$C" 1e-3 "$1" ours.model)" ;;
    esac
    their_seconds=- their_gap=-
    if [ -s "$scratch/theirs.time" ]; then
        their_seconds=$(median theirs)
        [ "$3" = 2 ] || their_gap=$(their_gap "$1" "$3" "$C")
    fi
    printf '%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n' "$1" "$2" "$3" "$(median ours)" "$(gap ours)" \
        "$(outcomes ours)" "$(method ours)" "$their_seconds" "$their_gap"
}

dense_cells() {
    for name in $dense; do
        if [ ! -f "$(path "$name")" ]; then
            note "$(path "$name") is not there: skipped"
            echo "$name" >>"$scratch/skipped"
            continue
        fi
        note "dense: $name"
        cat "$(path "$name")" >/dev/null
        for power in $dense_powers; do
            for solver in 1 3 2 60 61 smo; do
                dense_cell "$name" "$power" "$solver"
            done
        done
    done
}

# dense_grid: its cells, once each.
dense_grid() {
    all_runs=$runs all_limit=$limit
    runs=1 limit=$dense_limit
    dense_cells
    runs=$all_runs limit=$all_limit
}

dense_page() {
    printf '\n## Dense data, every solver\n\n'
    echo "Sets named dense-ROWSxFEATURES-CLASSES-synth are made by synth.c: correlated features in [-1, 1].\
 One run of each"
    echo "cell, to 1e-3, with \`--time-limit $dense_limit\`. liblinear-train, with the same limit, on data of two\
 classes."
    echo
    awk -F'\t' '
        {
            cells++
            kind = $3 == "smo" ? "smo" : "others"
            count[kind]++; seconds[kind] += $4
            if ($6 == "certified") good[kind]++
            else left = left sprintf("  - %s, C = 2^%d, `-s %s`: %s\n", $1, $2, $3, $6)
        }
        END {
            printf "- Without smo: %d of %d cells certified, %.1f s. smo: %d of %d, %.1f s.\n", good["others"],
                count["others"], seconds["others"], good["smo"], count["smo"], seconds["smo"]
            printf "- Not certified, and why:%s", left == "" ? " none.\n" : "\n" left
        }' "$scratch/dense"
    echo
    echo "| data | C | \`-s\` | train, s | gap | outcome | method | liblinear-train, s | gap |"
    echo "|---|--:|--:|--:|--:|---|---|--:|--:|"
    awk -F'\t' '
        function short(x, digits) { return x == "-" ? x : sprintf("%." digits "g", x) }
        {
            printf "| %s | 2^%d | %s | %s | %s | %s | %s | %s | %s |\n", $1, $2, $3, short($4, 3),
                short($5, 2), $6, $7, short($8, 3), short($9, 2)
        }' "$scratch/dense"
}

# ---- svmocas ----

# ocas_row DATA C: svmocas wants labels +1 and -1.
ocas_row() {
    if ! awk '$1 + 0 != 1 && $1 + 0 != -1 { exit 1 }' "$data/$1"; then
        echo "| $1 | $2 | skipped: labels other than +1 and -1 | | | | |"
        return
    fi
    in_turn ours "$(train_command 3 "$2" 1e-3 "$1" ours.model)" \
        ocas "svmocas -b 0 -m 1 -r 0.001 -t $limit -c $2 '$data/$1' '$scratch/ocas.model'"
    ocas_gap=$(awk 'match($0, /1-Q_D\/Q_P=[0-9.]+/) { last = substr($0, RSTART + 10, RLENGTH - 10) }
        END { print last == "" ? "-" : last + 0 }' "$scratch/ocas.report")
    printf '%s\t%s\t%s\t%s\t%s\t%s\n' "$1" "$2" "$(median ours)" "$(gap ours)" "$(median ocas)" "$ocas_gap" |
        awk -F'\t' '
            function short(x, digits) { return x == "-" ? "failed" : sprintf("%." digits "g", x) }
            {
                ratio = $3 == "-" || $5 == "-" || $3 == 0 ? "-" : sprintf("%.2f", $5 / $3)
                printf "| %s | %s | %s | %s | %s | %s | %s |\n", $1, $2, short($3, 3), short($4, 2),
                    short($5, 3), short($6, 2), ratio
            }'
}

ocas() {
    printf '\n## Against svmocas\n\n'
    if ! command -v svmocas >/dev/null 2>&1; then
        echo "Skipped: svmocas is not installed (Debian: libocas-tools)."
        return
    fi
    echo "L1-loss, the same objective (its \`-c\` weights the sum of losses, too): \`train -s 3 -c C -g 1e-3\`"
    echo "and \`svmocas -b 0 -m 1 -r 0.001 -c C\`, whole runs in turn, medians of $runs; it takes labels +1"
    echo "and -1 only."
    echo
    echo "| data | C | train, s | gap | svmocas, s | gap | ratio |"
    echo "|---|--:|--:|--:|--:|--:|--:|"
    ocas_rows
}

ocas_rows() {
    for name in a9a w8a covtype-93k farm-ads imdb; do
        has "$name" || continue
        note "svmocas: $name"
        ocas_row "$name" 1
        ocas_row "$name" 100
    done
}

# ---- A known optimum ----

optimum() {
    printf '\n## The optimum of a9a, L1-loss, C = 100\n\n'
    if ! has a9a; then
        echo "Skipped: a9a is not there, or not asked for."
        return
    fi
    in_turn ours "$(train_command 3 100 1e-8 a9a ours.model)"
    awk -v optimum=1142271.5875 -v seconds="$(median ours)" '
        /^Primal value = / { primal = $4 } /^Objective value = / { dual = -$4 } /^Relative duality gap/ { gap = $0 }
        END {
            if (gap == "") { print "`train -s 3 -c 100 -g 1e-8` failed."; exit }
            printf "`train -s 3 -c 100 -g 1e-8`: primal %.6f, dual %.6f, %.3g s; known optimum %.4f,\n",
                primal, dual, seconds, optimum
            printf "which is rounded: certain to 4e-11 of it.\n"
            printf "Relatively, primal - optimum = %.1e, optimum - dual = %.1e. %s\n",
                primal / optimum - 1, 1 - dual / optimum, gap
        }' "$scratch/ours.report"
}

# ---- The page ----

head_lines() {
    echo "# Over C: time and certificate, against LIBLINEAR and OCAS"
    echo
    echo "Written by \`make bench-grid\`: whole runs, median of $runs taken in turn, of what takes longer than"
    echo "$long s one. \`train -s S -c C\` stops at relative duality gap 1e-3, the second time (\`-g 1e-6\`) at 1e-6,"
    echo "both with \`--time-limit $limit\`; \`liblinear-train -s S -c C\` runs at its defaults. Our gap is the"
    echo "certificate; theirs is (P(w) - dual)/P(w), P of the model they saved summed by grid_gap.c, the"
    echo "dual as they printed it (six decimals: \`-\` where that is too few). Of one-vs-rest trainings the"
    echo "worst problem counts, of #iter the largest. Ratio: their time over ours."
    echo
    echo "Machine: $(machine), $(nproc 2>/dev/null || echo '?') processors, $(uname -sm);" \
        "$(${CC:-cc} --version | head -n 1); $(./train --version);" \
        "$(package liblinear-tools), $(package libocas-tools); load $first_load at the start, $(load) at the end."
    if [ -s "$scratch/skipped" ]; then
        echo
        echo "Not there, so skipped: $(tr '\n' ' ' <"$scratch/skipped")"
    fi
}

build grid_gap
synthesise
grid >"$scratch/cells"
logistic_grid >"$scratch/logistic"
dense_grid >"$scratch/dense"
{
    tables
    summary
    logistic_page
    dense_page
    ocas
    optimum
} >"$scratch/body"
head_lines | cat - "$scratch/body" >"$scratch/page" && mv "$scratch/page" $here/GRID.md
note "$here/GRID.md is written"
