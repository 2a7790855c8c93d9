# pairs.sh - options that make no sense together are refused by a message that names both; all others pass.
# shellcheck shell=sh
#
# Every pair of options is tried, with the options that they need and a solver that knows both.
# There is no data file, so an accepted command line fails there, or at a file to be written.

data=absent/data

# misuse MESSAGE PROGRAM ARGUMENT...
misuse() {
    message=$1
    shift
    refuses "$*" 2 "$1: $message
Try '$1 --help'." "$@"
}

# verdicts PROGRAM OPERANDS <LINES: each line is a message and, after a |, options. The program
# refuses them with this message or, where that is "", looks for a file.
verdicts() {
    while IFS='|' read -r message options; do
        if [ -n "$message" ]; then
            expected="2 $1: $message"
        else
            expected='3 no such file'
        fi
        STATUS=0
        # shellcheck disable=SC2086 # lists of words
        "$BIN/$1" $options $2 >"$OUT" 2>"$ERR" || STATUS=$?
        read -r line <"$ERR"
        case $line in *': No such file or directory') line='no such file' ;; esac
        same "$1 $options $2" "$expected" "$STATUS $line$(cat "$OUT")"
    done
    same "$1: no file was made" '' "$(ls -A)"
}

# ---- Options and solvers -----------------------------------------------

regressions='svr-newton svr-dcd-l2 svr-dcd-l1'
newtons='newton-l2 lr-newton'
sparse='l1r-l2loss l1r-lr'
costed="dcd-l2 dcd-l1 $newtons lr-dcd $sparse softmax crammer-singer ipm pnewton enet smo $regressions"
dual="$costed one-class"
descents="dcd-l2 dcd-l1 $newtons lr-dcd crammer-singer enet smo $regressions"
steps='pegasos sgd sgd-w sgd-suffix comid hrmd-w'
classifiers="dcd-l2 dcd-l1 $newtons lr-dcd $sparse softmax crammer-singer ipm pnewton enet smo $steps"
same 'the solvers' "$(echo "$dual $steps" | tr ' ' '\n' | sort)" \
    "$("$BIN/train" --help all | awk '/^solvers:/ { on = 1; next } on && !NF { exit } on { print $2 }' |
        sort)"

# An option with a value, and the solvers that know it.
cat >"$SCRATCH/pairs_solvers" <<EOF
-g 1|$dual
-i 1|$dual
--strict|$dual
--alpha absent/a|$dual
--checkpoint absent/c|dcd-l2 dcd-l1 $newtons lr-dcd $sparse softmax crammer-singer ipm pnewton enet one-class $regressions
--plain|$descents
-m 1|smo
-B 1|dcd-l2 dcd-l1 $newtons lr-dcd $sparse softmax crammer-singer ipm pnewton enet $regressions $steps
-R -B 1|dcd-l2 dcd-l1 $newtons lr-dcd $sparse softmax ipm pnewton $regressions
-p 1|$dual $steps
-n 1|$dual $steps
-l 1|$costed $steps
-C|$costed $steps
--balanced|$classifiers
-b 1|$classifiers
--seed 1|$descents $steps
-T 1|$steps
--epochs 1|$steps
-k 1|$steps
--sampling iid|$steps
--average none|$steps
--l1 1|enet comid hrmd-w
--suffix 1|sgd-suffix
--initial-model absent/m|dcd-l2 dcd-l1 $newtons lr-dcd $sparse softmax crammer-singer ipm pnewton enet one-class $regressions $steps
EOF
for solver in $dual $steps; do
    awk -F '|' -v solver="$solver" '{
        split($1, word, " ")
        known = index(" " $2 " ", " " solver " ") > 0
        message = known ? "" : word[1] " has no meaning for --solver " solver
        if (!known && word[1] == "-m") message = message "; the number of threads is -j"
        print message "|-s " solver " " $1
        if (word[1] != "--seed") next
        print "|-v 5 -s " solver " " $1
        if (solver != "one-class") print "|-C -s " solver " " $1
    }' "$SCRATCH/pairs_solvers"
done >"$SCRATCH/pairs_lines"
verdicts train "$data" <"$SCRATCH/pairs_lines"
cat >>"$SCRATCH/pairs_solvers" <<EOF # these options need another one
--criterion f1|$classifiers
--positive 1|$classifiers
--c-range 1:2|$costed $steps
--one-se|$costed $steps
--refit|$costed $steps
--path absent/p|$costed $steps
EOF

# ---- Options that need another one -------------------------------------

verdicts train "$data" <<'EOF'
--trace-every needs --trace|--trace-every 5
--test needs --trace|--test absent/t
--scratch needs --memory|--scratch absent/s
--checkpoint-every needs --checkpoint|--checkpoint-every 5
--criterion needs -C|--criterion f1
--criterion needs -C|--criterion f1 -v 5
--c-range needs -C|--c-range 0:1
--c-range needs -C|--c-range 0:1 -v 5
--refit needs -C|--refit
--refit needs -C|--refit --cross-validation=5
--path needs -C|--path absent/p
--path needs -C|--path absent/p -v 5
--metrics needs -v or -C|--metrics
--metrics needs -v or -C|--metrics=json
|--metrics -v 5
|--metrics=json --search
--positive needs -v or -C|--positive 1
|--positive 1 -v 5
|--positive 1 --search
|--positive 1 --folds absent/f
--predictions needs -v or --folds|--predictions absent/r
--predictions and -C exclude each other|--predictions absent/r -C
|--predictions absent/r --folds absent/f
|--predictions absent/r -v 5 -b 1
EOF

# ---- Pairs of train ----------------------------------------------------

# An option with a value; options that it needs.
cat >"$SCRATCH/pairs_options" <<'EOF'
-c 1|
-l 1|
-g 1|
-e 1|
-B 1|
-R -B 1|
-m 1|
-p 1|
-n 1|
-w1 2|
-W absent/w|
--balanced|
-b 1|
-i 1|
--plain|
--strict|
-T 1|
--epochs 1|
-k 1|
--l1 1|
--sampling iid|
--average none|
--suffix 1|
-v 5|
-C|
--criterion f1|-C
--c-range 1:2|-C
--one-se|-C
--refit|-C
--path absent/p|-C
--metrics|-v 5
--positive 1|-v 5
--predictions absent/r|-v 5
--folds absent/f|
--alpha absent/a|
--checkpoint absent/c|
--checkpoint-every 1|--checkpoint absent/c
--initial-model absent/m|
--time-limit 1|
--seed 1|
--trace absent/t|
--trace-every 1|--trace absent/t
--test absent/e|--trace absent/t
--report absent/page|
--no-record|
--zero-based|
--map absent/n|
--json|
-q|
-j 2|
--memory 1|
--scratch absent/s|--memory 1
EOF
same 'the options' "$("$BIN/train" --help all | awk '$1 ~ /^-/ {
        name = $1 ~ /,$/ ? $1 : $1 ","
        if (name !~ /^(-s|-h|--version|-wL|--eps),/ && !seen[name]++) print name
    }' | sed 's/,$//; s/\[=json\]//' | sort)" \
    "$(sed 's/[ |].*//; /^-w1/d' "$SCRATCH/pairs_options" | sort)"

# Pairs that contradict each other. An initial model may have seen the rows held out, which falsifies the score. Each
# fold has its own dual variables, and a trace belongs to one training. Without --c-range, the range begins at -c.
# Probabilities belong to a model that is written, or to rows in a file.
cat >"$SCRATCH/pairs_senseless" <<'EOF'
-c -l
-T --epochs
-C -l
--c-range -c
-v --trace
-v --initial-model
-v --alpha
-v --checkpoint
-v --no-record
-v -b
-C --trace
-C --initial-model
-C --alpha
-C --checkpoint
-C --no-record
-C -b
--predictions -C
--folds --trace
--folds --initial-model
--folds --alpha
--folds --checkpoint
--folds --no-record
--folds -b
--memory --test
--map --zero-based
--metrics --json
EOF
awk -F '|' -v all="$dual $steps" '
    FILENAME == ARGV[1] { solvers[$1] = $2; next }
    FILENAME == ARGV[2] { split($0, word, " "); first[++contradictions] = word[1]
        second[contradictions] = word[2]; next }
    { option[++options] = $1; need[$1] = $2 }
    function has_one(option, solver) {
        return !(option in solvers) || index(" " solvers[option] " ", " " solver " ") > 0
    }
    function knows(option, solver) { return has_one(option, solver) && has_one(need[option], solver) }
    function has(line, name) { return index(" " line " ", " " name " ") > 0 }
    function depends(k) {
        return first[k] == "-C" && second[k] ~ /^(--alpha|--no-record|-b)$/
    }
    # Returns the message that refuses the line, or "".
    function verdict(line,    k) {
        for (k = 1; k <= contradictions; k++)
            if (has(line, first[k]) && has(line, second[k])) {
                if (depends(k) && has(line, "--refit")) continue
                if (second[k] == "-b" && has(line, "--predictions")) continue
                return first[k] " and " second[k] " exclude each other" \
                    (depends(k) ? " without --refit" : second[k] == "-b" ? " without --predictions" : "")
            }
        return ""
    }
    # Returns what option a needs beside option b. It needs nothing if -C, one of two options that would do, is there.
    function needed(a, b) {
        if (need[a] == "" || a ~ /^--(metrics|positive)/ && (b == "-C" || need[b] == "-C")) return ""
        return " " need[a]
    }
    function try(a, b,    line, solver, count, k) {
        line = a " " b needed(a, b) needed(b, a)
        count = split(all, solver, " ")
        for (k = 1; k <= count; k++)
            if (knows(a, solver[k]) && knows(b, solver[k])) {
                print verdict(line) "|-s " solver[k] " " line
                return
            }
    }
    END {
        for (i = 1; i <= options; i++)
            for (j = 1; j <= options; j++)
                if (i < j || i > j && verdict(option[i] " " option[j]) != "")
                    if (!(option[i] option[j] ~ /average.*suffix/)) try(option[i], option[j])
    }' "$SCRATCH/pairs_solvers" "$SCRATCH/pairs_senseless" "$SCRATCH/pairs_options" \
    >"$SCRATCH/pairs_lines"
# shellcheck disable=SC2016 # awk's
holds 'there are pairs of all sorts' awk -F '|' '{ n[$1 != ""]++; kind[$1] }
    END { for (k in kind) kinds++; exit !(n[0] > 300 && n[1] > 40 && kinds == 27) }' \
    "$SCRATCH/pairs_lines"
verdicts train "$data" <"$SCRATCH/pairs_lines"

# Without an average over a suffix, its share has no meaning.
misuse '--suffix and --average none exclude each other' \
    train -s sgd-suffix --average none --suffix 0.3 "$data"

# Contradictions are found in every way to write the options.
verdicts train "$data" <<'EOF'
-C and -l exclude each other|--search --lambda=1
-v and --alpha exclude each other|--alpha=absent/a --cross-validation 5
-C and --alpha exclude each other without --refit|--alpha=absent/a -C -v 3
-C and -l exclude each other|-l 1 -C -v 3
--c-range and -c exclude each other|--cost=1 -C --c-range=-1:1
|-C --c-range=-1:1 --refit --alpha absent/a -v 3
|-C -v 3 -v 4
|-C --c-range 0:1 --c-range 0:2
EOF

# Standard input can be read once.
misuse 'the data and -W cannot both be standard input' train -W - -
misuse 'the data and --folds cannot both be standard input' train --folds - -
misuse 'the data and -W cannot both be standard input' train -v 5 -W - -
misuse 'the data and --initial-model cannot both be standard input' train -s 2 --initial-model - -
misuse 'the data and --test cannot both be standard input' train --trace t --test - -
misuse '-W and --initial-model cannot both be standard input' \
    train -s 2 --initial-model - -W - "$data"
misuse '-W and --test cannot both be standard input' train --trace t --test - -W - "$data"
misuse '--initial-model and --test cannot both be standard input' \
    train -s 2 --initial-model - --trace t --test - "$data"

# ---- Pairs of predict --------------------------------------------------

cat >"$SCRATCH/pairs_options" <<'EOF'
-b 1
-d
--output-format both
--metrics
--metrics=json
--json
--positive 1
--threshold 0.5
--threshold max-f1
--calibration absent/c
--curve absent/u
--no-labels
--zero-based
-q
EOF
awk '
    function refused(a, b) {
        if (a == "-d" && b ~ /^--output-format/) return "-d and --output-format"
        if (a == "-b 1" && b == "-d") return "-b and -d"
        if (a == "-b 1" && b ~ /^--output-format/) return "-b and --output-format"
        if (a ~ /^--metrics/ && b == "--json") return "--metrics and --json"
        if (a == "--json" && b ~ /^(--no-labels|-q)$/) return "--json and " b
        if (a ~ /^--metrics/ && b == "--no-labels") return "--metrics and --no-labels"
        if (a ~ /^--calibration/ && b == "--no-labels") return "--calibration and --no-labels"
        if (a ~ /^--curve/ && b == "--no-labels") return "--curve and --no-labels"
        if (a ~ /^--metrics/ && b == "-q") return "--metrics and -q"
        if (a == "-b 1" && b ~ /max-f1/) return "--threshold max-f1 and -b"
        if (a ~ /max-f1/ && b == "--no-labels") return "--threshold max-f1 and --no-labels"
        if (a ~ /max-f1/ && b == "-q") return "--threshold max-f1 and -q"
        return ""
    }
    function line(message, a, b) {
        print (message == "" ? "" : message " exclude each other") "|" a " " b
    }
    { option[NR] = $0 }
    END {
        for (i = 1; i < NR; i++)
            for (j = i + 1; j <= NR; j++) {
                line(refused(option[i], option[j]), option[i], option[j])
                line(refused(option[i], option[j]), option[j], option[i])
            }
    }' "$SCRATCH/pairs_options" >"$SCRATCH/pairs_lines"
verdicts predict 'absent/d absent/m absent/o' <"$SCRATCH/pairs_lines"
misuse 'the data and the model cannot both be standard input' predict --metrics - - absent/o

# ---- Files that would overwrite each other -----------------------------

# overwrites OPTION OTHER ARGUMENT...: both would be the same file. A usage error names the option, and the other one
# or the file. No file changes.
overwrites() {
    one=$1 two=$2
    shift 2
    rm -f same
    write_tiny tiny
    before=$(files)
    run train "$@"
    same "$*: exit status, files" "2
$before" "$STATUS
$(files)"
    holds "$*: it is said" grep -q -e "$one .*$two" -e "$two.* $one" "$ERR"
}
overwrites --alpha same --alpha same tiny same
overwrites --alpha tiny --alpha tiny tiny model
overwrites --path same -C --path same --refit tiny same
overwrites --path tiny -C --path tiny tiny
overwrites --trace same --trace same tiny same
overwrites --trace tiny --trace tiny tiny model
overwrites --predictions tiny -v 2 --predictions tiny tiny
overwrites --predictions groups --predictions groups --folds groups tiny
overwrites --alpha --trace --alpha same --trace same tiny model
overwrites --alpha --path -C --refit --alpha same --path same tiny model

# "-" is a standard stream for an input. As an output it is refused, because nobody means a file of that name.
write_tiny tiny
for options in '--alpha -' '--trace -' '-C --path -'; do
    rm -f tiny.model ./-
    before=$(files)
    # shellcheck disable=SC2086
    run train $options tiny
    same "$options: exit status, files" "2
$before" "$STATUS
$(files)"
done
