#!/bin/sh
# Runs reported inputs: `sh tests/cases.sh DIR [NAME...]`. Each folder of DIR has `cmd`, a command line of sh, and
# `expect`, a sentence that says the correct result. A case runs in a copy of its folder, with HINGE (the built
# checkout), DATA (HINGE_DATA) and the programs in PATH. The table below says how each known case is judged. For other
# cases, the sentence and the output are shown, and only a crash or a sanitizer's report fails. Exit status 1: a case
# failed.
set -u

if [ $# -eq 0 ] || ! directory=$(cd "$1" && pwd); then
    echo "usage: sh tests/cases.sh DIR [NAME...]" >&2
    exit 2
fi
shift
HINGE=$(cd "$(dirname "$0")/.." && pwd)
DATA=$(cd "${HINGE_DATA:-$HINGE/data}" && pwd)
PYTHONPATH=$HINGE/src/python
PATH=$HINGE:$PATH
OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export HINGE DATA PYTHONPATH PATH OMPI_ALLOW_RUN_AS_ROOT OMPI_ALLOW_RUN_AS_ROOT_CONFIRM
scratch=$(mktemp -d) || exit 3
trap 'rm -rf "$scratch"' EXIT

# Each line has a case, a regular expression (grep -E) that its output, in one line, must match, and one that it must
# not match. The output ends with `exit status N`. sed turns the separators into tabulators.
judgements() {
    sed 's/ *| */	/g' <<'TABLE'
best-at-end-of-range | largest.*exit status 0 |
blank-after-colon | exit status 0 |
checkpoint-removed | rc 0 # outcome certified |
convert-columns-quadratic | real.0m[0-4]\. |
convert-long-quoted | exit status 0 |
csv-excel-sep-line | 2 rows, 2 features |
csv-first-row-lost | 5 rows |
csv-index-column | --ignore |
csv-missing-spellings | ^(. 1:1 2:2 . 2:3 ?){6} |
csv-quoted-decimal-comma | 1:1.5 2:2.5 |
csv-thousands | 950.*1234 |
cv-unseen-class | = 75% |
cv-unseen-class-multi | = 95.2381% |
cv-weighted-scores | = 40% |
label-weight | -W |
mpi-missing-part | s\.1.*exit status [123] |
py-class-weight-keys | ValueError: .*label |
py-select-from-model | 6 6 |
python-int64-index | ValueError: indices | ^\[\[
scale-y | 0.5 |
scratch-dangling-link | there already | target$
svr-large-targets | -C |
ubsan-l1 | . | runtime error
update-one-class | exit status 0 |
TABLE
}

# checkpoint-worse: each primal value is at most the one before it within the same solver.
# scale-advice-hurts: the advice is scale -l -1, which does not lower the accuracy, instead of scale alone.
judge_figures() {
    case $1 in
    checkpoint-worse) awk '/killed:/ { last = 1e308; next } /^# primal/ { n++; if ($3 > last) bad = 1; last = $3 }
        END { exit bad || n < 7 }' "$2" ;;
    scale-advice-hurts) ! grep -q 'scale -s RANGES DATA' "$2" && grep -q -- '-l -1' "$2" ;;
    *) return 2 ;;
    esac
}

failures=0
for folder in "$directory"/*/; do
    name=$(basename "$folder")
    [ $# -eq 0 ] || case " $* " in *" $name "*) ;; *) continue ;; esac
    rm -rf "$scratch/case"
    cp -R "$folder" "$scratch/case"
    ln -s "$DATA/rcv1-1k" "$scratch/case/rcv1-1k" 2>/dev/null
    for script in "$scratch/case"/*.py; do # the place of the data, where a script has it
        [ -f "$script" ] && sed -i "s|[\$]DATA|$DATA|g" "$script"
    done
    command=cmd shell=bash
    [ -f "$folder/cmd" ] || { command=cmd.py shell=/usr/bin/python3; }
    case $name in ubsan-*) path=$HINGE/build/sanitize:$PATH ;; *) path=$PATH ;; esac
    (cd "$scratch/case" && PATH=$path $shell "./$command") >"$scratch/output" 2>&1 </dev/null
    echo "exit status $?" >>"$scratch/output"
    line=$(tr -s '\n ' '  ' <"$scratch/output")
    judge_figures "$name" "$scratch/output"
    verdict=$?
    if [ $verdict -eq 2 ]; then
        judgement=$(judgements | grep "^$name	")
        wanted=$(printf '%s\n' "$judgement" | cut -f2)
        unwanted=$(printf '%s\n' "$judgement" | cut -f3)
        unwanted=${unwanted:-exit status (1(29|3[0-9])|2[0-9][0-9])|runtime error|Sanitizer}
        printf '%s\n' "$line" | grep -Eq -e "${wanted:-exit}" && ! printf '%s\n' "$line" | grep -Eq -e "$unwanted"
        verdict=$?
        [ -n "$judgement" ] || name="$name (not judged: look)"
    fi
    if [ $verdict -eq 0 ]; then echo "ok      $name"; else echo "FAILED  $name"; failures=$((failures + 1)); fi
    case $verdict-$name in
    0-*look\)) ;;
    0-*) continue ;;
    esac
    sed 's/^/        expected: /' "$folder/expect"
    tail -n 12 "$scratch/output" | cut -c1-300 | sed 's/^/        /'
done
[ $failures -eq 0 ]
