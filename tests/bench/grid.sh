#!/bin/sh
# make bench-grid: compares train with liblinear-train over data sets and C = 2^-10 .. 2^10, for the solvers of L2-loss,
# L1-loss, logistic loss, regression, whose targets are the labels, and with |w|_1. Times are those of whole runs, in
# turn, and each run has its distance from the minimum. The same for kinds of data that are hard to train on, made by
# synth, at C = 2^-6, 1, 2^6, 2^12. Then every certified solver on dense data, up to C = 2^16, and train -s 3 against
# svmocas. Writes tests/bench/GRID.md, and its summary with heat maps as GRID.html. Run it from the top folder, after
# make. Needs awk, hyperfine, build/plain/synth.
# HINGE_DATA: folder of the data sets; HINGE_RUNS: runs of each command (default 3);
# HINGE_SETS: the data sets; synth makes those with a name KIND-NUMBERxNUMBER-synth; HINGE_SOLVERS: the solvers;
# HINGE_POWERS, HINGE_SYNTH_POWERS: the powers of 2 that C takes, on given and on made sets;
# HINGE_DENSE, HINGE_DENSE_POWERS: dense data, dense-ROWSxFEATURES-CLASSES-synth, and their powers of 2;
# HINGE_PAGE: another file to write; HINGE_KEEP: a folder for measurements. The next run measures only what is not
# there. So a run can continue an interrupted one, and several can run at once on different sets.
# shellcheck disable=SC2034,SC2154 # variables shared with lib.sh
set -u

data=${HINGE_DATA:-data}
runs=${HINGE_RUNS:-3}
sets=${HINGE_SETS:-a9a w8a covtype-93k farm-ads imdb svmlight-ex1 breast-cancer digits raw-252x751-synth
    counts-6000x40000-synth blocks-8190x1845-synth phrases-67000x86000-synth}
sets=$(echo "$sets" | tr '\n' ' ') # has looks for blanks around a name
solvers=${HINGE_SOLVERS:-1 3 0 7 11 12 13 5 6}
powers=${HINGE_POWERS:--10 -8 -6 -4 -2 0 2 4 6 8 10}
synth_powers=${HINGE_SYNTH_POWERS:--6 0 6 12}
dense=${HINGE_DENSE-digits dense-500x50-2-synth dense-500x50-10-synth dense-2000x256-2-synth
    dense-2000x256-10-synth dense-5000x800-2-synth dense-5000x800-10-synth}
dense_powers=${HINGE_DENSE_POWERS:--10 -4 2 8 12 16}
here=tests/bench
page=${HINGE_PAGE:-$here/GRID.md}
keep=${HINGE_KEEP:-}
bench=grid
limit=60       # seconds allowed for a training by train or svmocas
their_limit=10 # seconds allowed for liblinear-train; a stopped run counts as that long
patience=30    # seconds allowed for liblinear-train -s 5 and 6 with a smaller -e
allowed=$their_limit
long=0.5       # seconds from which on a command is run only once

# shellcheck source=/dev/null
. "$here/lib.sh"

# train_command SOLVER C GAP DATA MODEL
train_command() {
    echo "./train -j 1 -s $1 -c $2 -g $3 --time-limit $limit '$(path "$4")' '$scratch/$5'"
}

# their_command SOLVER C DATA [E]: ended after $allowed seconds.
their_command() {
    echo "timeout $allowed liblinear-train -s $1 -c $2 ${4:+-e $4} '$(path "$3")' '$scratch/theirs.model'"
}

# power_of_2 EXPONENT
power_of_2() { awk -v power="$1" 'BEGIN { printf "%.17g", 2 ^ power }'; }

# ---- What the programs print: "-" stands for nothing ----

# method NAME: the method of one binary problem with its numbers, or the commonest method of several without numbers.
method() {
    awk 'sub(/^Method = /, "") { n++; full = $0; gsub(/ \([^)]*\)/, ""); if (++count[$0] > count[best]) best = $0 }
        END {
            if (n == 0) print "-"
            else if (n == 1) print full
            else print best " in " count[best] " of " n
        }' "$scratch/$1.report"
}

# iterations NAME: the most iterations for a binary problem of liblinear-train.
iterations() {
    awk '/^optimization finished, #iter = / { n++; if ($5 > most) most = $5 } END { print n ? most + 0 : "-" }' \
        "$scratch/$1.report"
}

# their_seconds: the median, or > and the limit if it ended the run.
their_seconds() { if [ -e "$scratch/theirs.late" ]; then echo ">$allowed"; else median theirs; fi; }

# table HEAD KINDS: makes a table of lines with a field for each column. The kind of a column is text, right (text on
# the right), power (of 2) or a number of digits.
table() {
    echo "$1"
    echo "$2" | sed 's/^/| /; s/text/---/g; s/[a-z0-9]\{1,\}/--:/g; s/ /|/g; s/||/|/; s/$/|/'
    awk -F '\t' -v kinds="$2" '
        BEGIN { columns = split(kinds, kind, " ") }
        {
            printf "|"
            for (k = 1; k <= columns; k++)
                if (kind[k] == "power") printf " 2^%d |", $k
                else if (kind[k] ~ /^[0-9]$/ && $k ~ /^[-+0-9.e]*[0-9]$/) printf " %." kind[k] "g |", $k
                else printf " %s |", $k
            print ""
        }'
}

# ---- The grid ----

# cell DATA POWER SOLVER: a line of $scratch/cells:
# DATA POWER SOLVER SECONDS GAP EXCESS CERTIFIED METHOD SECONDS@1e-6 CERTIFIED@1e-6,
# then LIBLINEAR's SECONDS ITERATIONS EXCESS RATIO E SECONDS.
cell() {
    C=$(power_of_2 "$2")
    rm -f "$scratch"/*.model
    in_turn ours "$(train_command "$3" "$C" 1e-3 "$1" ours.model)" \
        theirs "$(their_command "$3" "$C" "$1")"
    run tight "$(train_command "$3" "$C" 1e-6 "$1" tight.model)"
    least
    their_excess=$(excess theirs.model "$1" "$C" "$3")
    printf '%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t' "$1" "$2" "$3" "$(median ours)" \
        "$(gap ours)" "$(excess ours.model "$1" "$C" "$3")" "$(certified ours)" "$(method ours)" \
        "$(median tight)" "$(certified tight)" "$(their_seconds)" "$(iterations theirs)" "$their_excess" \
        "$(echo "$(their_seconds) $(median ours)" | awk '{ late = sub(/^>/, "")
            if ($1 == "-" || $2 == "-") print "-"; else printf "%s%.2f\n", late ? ">" : "", $1 / $2 }')"
    nearer "$1" "$3" "$C"
    allowed=$their_limit
}

# nearer DATA SOLVER C: the first -e of LIBLINEAR's default, a tenth of it, ... whose P is within 1e-3 of the minimum,
# and its seconds. their_excess belongs to the default -e. If a run ends at its limit of passes or at the limit of time,
# or if the default/10^4 is not near enough: - and >, with the seconds of the last run.
nearer() {
    case $2 in
    0) e=0.01 ;;
    5 | 6) e=0.01 allowed=$patience ;;
    11) e=0.0001 ;;
    *) e=0.1 ;;
    esac
    for digit in 0 1 2 3 4; do
        if [ "$digit" -gt 0 ]; then
            e=$(echo "$e" | awk '{ print $1 / 10 }')
            rm -f "$scratch"/theirs.*
            run theirs "$(their_command "$2" "$3" "$1" "$e")"
            their_excess=$(excess theirs.model "$1" "$3" "$2")
        fi
        [ "$their_excess" != - ] || break
        if awk -v x="$their_excess" 'BEGIN { exit !(x <= 1e-3) }'; then
            printf '%s\t%s\n' "$e" "$(median theirs)"
            return
        fi
        ! grep -q 'max number of iterations' "$scratch/theirs.report" || break
    done
    their_seconds | awk '{ sub(/^>/, ""); printf "-\t>%.3g\n", $1 }'
}

# kept FILE COMMAND...: the output of COMMAND, from FILE if an earlier run has kept it there.
kept() {
    kept_file=$keep/$1
    shift
    if [ -z "$keep" ]; then
        "$@"
    elif [ -s "$kept_file" ] || { "$@" >"$kept_file.part" && mv "$kept_file.part" "$kept_file"; }; then
        cat "$kept_file"
    fi
}

# cells DATA SOLVER
cells() {
    note "$1 -s $2"
    case $1 in *-synth) some=$synth_powers ;; *) some=$powers ;; esac
    for power in $some; do
        cell "$1" "$power" "$2"
    done
}

grid() {
    for name in $sets; do
        if ! has "$name"; then
            note "$(path "$name") is not there: skipped"
            echo "$name" >>"$scratch/skipped"
            continue
        fi
        cat "$(path "$name")" >/dev/null # brings the file into memory
        for solver in $solvers; do
            kept "$name-s$solver" cells "$name" "$solver"
        done
    done
}

tables() {
    for name in $sets; do
        has "$name" || continue
        printf '\n## %s\n\n' "$name"
        awk -F '\t' -v name="$name" '$1 == name' "$scratch/cells" | cut -f 2- | table \
            "| C | \`-s\` | train, s | gap | excess | certified | method | s at 1e-6 | certified | liblinear-train, s | #iter | excess | ratio | \`-e\` for 1e-3 | s |" \
            'power right 3 2 2 text text 3 text 3 right 2 right right 3'
    done
}

# totals: sums over all cells, a line for each solver.
totals() {
    awk -F '\t' -v solvers="$solvers" '
        function ratio(s) { return ours[s] > 0 ? sprintf("%.2f", theirs[s] / ours[s]) : "-" }
        {
            cells[$3]++
            if ($7 == "yes") certified[$3]++
            if ($10 == "yes") tight[$3]++
            if ($7 == "yes" && $5 > 2 * $6) loose[$3]++
            if ($13 != "-" && $13 <= 1e-3) within[$3]++
            if (sub(/^>/, "", $11)) late[$3]++
            if ($4 != "-" && $11 != "-") {
                ours[$3] += $4; tight_seconds[$3] += $9; theirs[$3] += $11
                if ($4 > $11 + 0) slower[$3]++
            }
            is_least = sub(/^>/, "", $16)
            if ($4 != "-" && $16 != "-") {
                ours[$3 "all"] += $4; theirs[$3 "all"] += $16
                if (!is_least) {
                    ours[$3 "e"] += $4; theirs[$3 "e"] += $16; reached[$3]++
                    if ($4 > $16) slower[$3 "e"]++
                }
            }
        }
        END {
            n = split(solvers, solver, " ")
            for (k = 1; k <= n; k++) {
                s = solver[k]
                printf "%s\t%d\t%d\t%d\t%d\t%.2f\t%.2f\t%.2f\t%s\t%d\t%d\t%d\t%d\t%.2f\t%.2f\t%s\t%d\t%.2f\t>%.2f\t>%s\n", s,
                    cells[s], certified[s], loose[s], tight[s], ours[s], tight_seconds[s], theirs[s], ratio(s),
                    slower[s], late[s], within[s], reached[s], ours[s "e"], theirs[s "e"], ratio(s "e"), slower[s "e"],
                    ours[s "all"], theirs[s "all"], ratio(s "all")
            }
        }' "$scratch/cells"
}

# heat_maps: two grids of LIBLINEAR's time / our time, from lines DATA POWER SOLVER OUR_SECONDS THEIR_SECONDS.
heat_maps() {
    awk '
        function add(key, ours, theirs) { our_sum[key] += ours; their_sum[key] += theirs }
        function grid(title, row_label, column_label, rows, row, columns, column, prefix, i, k, key) {
            printf "grid\t%s\tSeconds of LIBLINEAR over ours, sums over the others; where it was ended, they are more. ", title
            printf "Darker: the larger ratio; colours are logarithmic.\t%s\t%s\tlog\n", row_label, column_label
            for (i = 1; i <= rows; i++)
                for (k = 1; k <= columns; k++) {
                    key = prefix row[i] " " column[k]
                    printf "cell\t%s\t%s\t%s\n", row[i], column[k],
                        (our_sum[key] > 0 ? sprintf("%.3g", their_sum[key] / our_sum[key]) : "-")
                }
        }
        {
            sub(/^>/, "", $5)
            if ($4 == "-" || $5 == "-") next
            if (!seen["d" $1]++) data[++datas] = $1
            if (!seen["p" $2]++) power[++powers] = "2^" $2
            if (!seen["s" $3]++) solver[++solvers] = "-s " $3
            add("d-s " $3 " " $1, $4, $5)
            add("p-s " $3 " 2^" $2, $4, $5)
        }
        END {
            grid("How many times faster: solvers and data", "solver", "data", solvers, solver, datas, data, "d")
            grid("How many times faster: solvers and C", "solver", "C", solvers, solver, powers, power, "p")
        }'
}

summary() {
    printf '\n## Summary\n\n'
    awk -F '\t' '{ print $1, $2, $3, $4, $11 }' "$scratch/cells" | heat_maps | figure summary
    echo
    echo "The pictures are in [GRID.html](GRID.html)."
    echo
    echo "Loose: certified cells whose gap is more than twice the excess. Slower: where train took longer than"
    echo "LIBLINEAR. Late: where LIBLINEAR was ended after $their_limit s, which count. Within: where LIBLINEAR, at its defaults,"
    echo "is within 1e-3 of the minimum. The five columns that follow are of the cells where it is with some \`-e\`. The last"
    echo "three are of all: where it is with none, its time with the smallest \`-e\` that was tried counts, which was not enough."
    echo
    totals | table \
        "| \`-s\` | cells | certified | loose | at 1e-6 | train, s | at 1e-6, s | liblinear-train, s | ratio | slower | late | within | with some \`-e\` | train, s | liblinear-train, s | ratio | slower | train, s | liblinear-train, s | ratio |" \
        'right right right right right right right right right right right right right right right right right right right right'
    echo
    awk -F '\t' '
        {
            theirs = $11
            sub(/^>/, "", theirs)
            if ($4 != "-" && theirs != "-" && $4 > theirs + 0)
                slow = slow sprintf("  - %s, C = 2^%d, `-s %s`: %.3g s against %s%.3g s, whose excess is %s\n", $1, $2, $3,
                    $4, $11 ~ /^>/ ? "more than " : "", theirs, $13 == "-" ? $13 : sprintf("%.2g", $13))
        }
        END { printf "- Cells where train was slower:%s", slow == "" ? " none.\n" : "\n" slow }' "$scratch/cells"
}

# ---- Dense data, every solver ----

# outcomes NAME: "certified" for all problems, or each outcome with its number of problems.
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

# synthesise: makes the sets whose names end in -synth, from the numbers in them.
synthesise() {
    for name in $sets $dense; do
        case $name in
        *-synth)
            [ -f "$(path "$name")" ] && continue
            note "making $name"
            mkdir -p build/bench
            # shellcheck disable=SC2046 # a kind and numbers
            build/plain/synth $(echo "$name" | sed 's/-synth$//; s/[-x]/ /g') --output "$(path "$name")" || exit 1
            ;;
        esac
    done
}

# dense_cell DATA POWER SOLVER: a line of $scratch/dense: DATA POWER SOLVER SECONDS GAP OUTCOMES METHOD
# THEIR_SECONDS THEIR_GAP. LIBLINEAR runs on data of two classes, if it has the solver.
dense_cell() {
    C=$(power_of_2 "$2")
    case $1:$3 in
    *-2-synth:[123])
        in_turn ours "$(train_command "$3" "$C" 1e-3 "$1" ours.model)" \
            theirs "$(their_command "$3" "$C" "$1")"
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

# dense_cells DATA
dense_cells() {
    note "dense: $1"
    for power in $dense_powers; do
        for solver in 1 3 2 60 61 smo; do
            dense_cell "$1" "$power" "$solver"
        done
    done
}

# dense_grid: runs the cells of the dense data once each.
dense_grid() {
    all_runs=$runs runs=1
    for name in $dense; do
        if [ ! -f "$(path "$name")" ]; then
            note "$(path "$name") is not there: skipped"
            echo "$name" >>"$scratch/skipped"
            continue
        fi
        cat "$(path "$name")" >/dev/null
        kept "dense-$name" dense_cells "$name"
    done
    runs=$all_runs
}

dense_page() {
    [ -s "$scratch/dense" ] || return 0
    printf '\n## Dense data, every solver\n\n'
    echo "Sets named dense-ROWSxFEATURES-CLASSES-synth are made by synth.c: correlated features in [-1, 1]. One run of each"
    echo "cell, to 1e-3. liblinear-train on data of two classes; its gap is (P(w) - dual)/P(w), with the dual value that it"
    echo "printed."
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
    table "| data | C | \`-s\` | train, s | gap | outcome | method | liblinear-train, s | gap |" \
        'text power right 3 2 text text 3 2' <"$scratch/dense"
}

# ---- svmocas ----

# ocas_row DATA C
ocas_row() {
    in_turn ours "$(train_command 3 "$2" 1e-3 "$1" ours.model)" \
        ocas "svmocas -b 0 -m 1 -r 0.001 -t $limit -c $2 '$data/$1' '$scratch/ocas.model'"
    ocas_gap=$(awk 'match($0, /1-Q_D\/Q_P=[0-9.]+/) { last = substr($0, RSTART + 10, RLENGTH - 10) }
        END { print last == "" ? "-" : last + 0 }' "$scratch/ocas.report")
    printf '%s\t%s\t%s\t%s\t%s\t%s\t%s\n' "$1" "$2" "$(median ours)" "$(gap ours)" "$(median ocas)" "$ocas_gap" \
        "$(ratio ocas ours)"
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
    ocas_rows | table "| data | C | train, s | gap | svmocas, s | gap | ratio |" 'text right 3 2 3 2 right'
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
    echo "Written by \`make bench-grid\`: whole runs, medians of $runs taken in turn, one run of what takes longer"
    echo "than $long s. \`train -s S -c C\` stops at relative duality gap 1e-3, once more (\`-g 1e-6\`) at 1e-6,"
    echo "both with \`--time-limit $limit\`; \`liblinear-train -s S -c C\` runs at its defaults and is ended after"
    echo "$their_limit s: >$their_limit, but with \`-s 5, 6\` and a smaller \`-e\` after $patience. Our gap is the"
    echo "certificate. The excess is (P(w) - least)/P(w): P of the model that was saved, summed by grid_gap.c,"
    echo "least the lower bound from our run to 1e-6. The last two columns are the first of LIBLINEAR's default"
    echo "\`-e\`, a tenth of it, a hundredth ... at which its excess is at most 1e-3, and the seconds of one run"
    echo "with that; - where it ends at its limit of passes first, and > that time. With several classes, the gap"
    echo "is that of the worst problem, and #iter is the largest. The ratio is their time over ours. With \`-s 11,"
    echo "12, 13\` the labels are the targets."
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
dense_grid >"$scratch/dense"
{
    summary
    tables
    dense_page
    ocas
    optimum
} >"$scratch/body"
head_lines | cat - "$scratch/body" >"$scratch/page" && mv "$scratch/page" "$page" && draw "$page" 1
note "$page is written"
