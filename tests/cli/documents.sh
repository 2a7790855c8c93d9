# documents.sh - the commands of README.md and of the manual pages run in order, in a folder with the files of a
# clone, and print what the documents say.
# shellcheck shell=sh

# Commands that do not run here: COMMAND | REASON. Each must occur in a document.
cat >unrun <<'END'
make test | runs this test
make help | tests/cli/suites.sh
make install | tests/cli/install.sh installs, elsewhere
make install PREFIX=$HOME/.local | tests/cli/install.sh installs, elsewhere
make uninstall PREFIX=$HOME/.local | tests/cli/install.sh uninstalls, elsewhere
make STATIC= | tests/portability builds so
make OPENMP= | tests/cli/compilers.sh builds such a program
make mpi | make test-all builds it where there is an MPI
make bench-grid | takes hours
make costs | takes minutes; a table of times
make documents | tests/cli/install.sh installs them
make html | tests/cli/install.sh
make deb | .ci/run installs them
data/get.sh a9a | downloads; tests/data/get.sh tests it
man -l build/plain/man/hinge-train.1 | opens a pager
pkg-config --cflags --libs hinge | tests/cli/install.sh, where it is installed
END

# blocks_of_readme FILE: prints the indented blocks, without the indent, and the commands in the text, each with an
# empty line after it. An empty line inside a block becomes a blank.
blocks_of_readme() {
    awk '
        /^```/ { fenced = !fenced; if (!fenced) print ""; next }
        fenced { if (/^ *([.]\/|make |[$] )/) print "false # a command in a fenced block"; next }
        /^    / { while (empty-- > 0) print " "; empty = 0; print substr($0, 5); inside = 1; next }
        /^$/ && inside { empty++; next }
        {
            if (inside) print ""
            inside = empty = 0
            while (match($0, /`([.]\/|make |data\/get|src\/|man |pkg-config )[^`]*`/)) {
                print substr($0, RSTART + 1, RLENGTH - 2) "\n"
                $0 = substr($0, RSTART + RLENGTH)
            }
        }' "$1"
}

# blocks_of_page FILE: prints the literal blocks of the page's examples, and the commands in its text, in the same form.
blocks_of_page() {
    awk '
        /^[.]Sh / { examples = $2 == "EXAMPLES"; next }
        examples && /^[.]Bd -literal/ { inside = 1; next }
        /^[.]Ed/ { if (inside) print ""; inside = 0; next }
        /^[.](Dl|Ql) (hinge-|make |pkg-config )/ {
            sub(/^[.]D?Q?l /, ""); sub(/ [.,;]$/, ""); print $0 "\n"; next }
        inside { gsub(/\\e/, "\\"); gsub(/\\&/, ""); print }' "$1"
}

# is_whole FILE: the file has a complete command, not the beginning of one.
is_whole() {
    case $(tail -n 1 "$1") in
    *\\) return 1 ;;
    EOF) return 0 ;;
    esac
    ! grep -q '<<' "$1" && sh -n "$1" 2>/dev/null
}

# lacks FILE: names a program that the command needs and this machine does not have.
lacks() {
    for tool in liblinear-train svm-grid python3 gzip; do
        case $tool in
        liblinear-train) pattern='liblinear|hinge-compare' ;;
        gzip) pattern='gzip|zcat' ;;
        *) pattern=$tool ;;
        esac
        if grep -q -E "$pattern" "$1" && ! starts $tool; then
            echo "$tool is not installed, or does not start"
            return
        fi
    done
    if [ -n "${HINGE_EMULATOR:-}" ] && grep -q -E '^make |hinge-grid|grid[.]sh|hinge-compare|hinge-table|table[.]sh|svm-grid' "$1"; then
        echo "not under $HINGE_EMULATOR"
    fi
}

# as_documented SAYS CAME: the files have the same lines, except that a line "..." in SAYS stands for any lines.
as_documented() {
    awk '
        FILENAME == ARGV[1] { says[++lines] = $0; next }
        { came[FNR] = $0; all = FNR }
        function fits(i, j) {
            for (; i <= lines; i++) {
                if (says[i] == "...") {
                    for (; j <= all + 1; j++)
                        if (fits(i + 1, j)) return 1
                    return 0
                }
                if (j > all || says[i] != came[j++]) return 0
            }
            return j == all + 1
        }
        END { exit !fits(1, 1) }' "$1" "$2"
}

# perform COMMAND-FILE SESSION: runs the command. If SESSION is set, the file "says" has what it must print.
perform() {
    name="$document: $(head -n 1 "$1")"
    bare=$(sed 's/  *#.*//' "$1")
    if cut -d '|' -f 1 "$SCENE_FOLDER/unrun" | sed 's/ *$//' | grep -q -x -F -e "$bare"; then
        echo "$bare" >>"$SCENE_FOLDER/listed"
        return
    fi
    echo "$bare" >>"$SCENE_FOLDER/met"
    reason=$(lacks "$1")
    if [ -n "$reason" ]; then
        skips "$name" "$reason"
        return
    fi
    STATUS=0
    case $bare in
    'make demo') make --no-print-directory -C "$ROOT" "${bare#* }" >"$OUT" 2>&1 || STATUS=$? ;;
    'make '*) echo 'runs neither here nor is it on the list' >"$OUT" && STATUS=1 ;; # it might be these tests
    *) bounded sh "$1" >"$OUT" 2>&1 || STATUS=$? ;;
    esac
    drop_progress "$OUT" >"$SCRATCH/said"
    cat "$SCRATCH/said" >"$OUT"
    if [ "$2" = 0 ]; then
        same "$name: exit status" 0 "$([ "$STATUS" = 0 ] || cat "$OUT")$STATUS"
    elif as_documented says "$OUT"; then
        pass
    else
        fails "$name" "$(cat says)" "$(cat "$OUT")"
    fi
}

# perform_all: runs the commands of the blocks on standard input.
perform_all() {
    : >./command
    : >says
    session=0 pending=0
    while IFS= read -r line <&3; do
        if [ -s command ] && [ "$pending" = 0 ]; then
            printf '%s\n' "$line" >>./command
        elif [ "$session" = 1 ] && [ -n "$line" ] && [ "${line#\$ }" = "$line" ]; then
            if [ "$line" = ' ' ]; then line=''; fi
            printf '%s\n' "$line" >>says
            continue
        else
            [ "$pending" = 0 ] || perform command "$session"
            pending=0
            : >./command
            : >says
            [ -n "$line" ] || { session=0 && continue; }
            [ "${line#\$ }" = "$line" ] || session=1
            printf '%s\n' "${line#\$ }" >./command
        fi
        if is_whole command; then pending=1; fi
    done
    [ "$pending" = 0 ] || perform command "$session"
    [ "$pending" = 1 ] || same "$document: the last command ends" '' "$(cat command)"
}

# settle FOLDER: makes the files of a clone, and the files that the examples name. breast-cancer replaces a9a and w8a.
settle() {
    mkdir -p "$1/data" "$1/build/demo" "$1/src" && cd "$1" || exit 1
    cp "$ROOT"/data/breast-cancer* "$ROOT/data/adult.csv" "$ROOT/data/digits" "$ROOT/data/get.sh" data/
    for name in a9a a9a.t w8a w8a.t; do
        cp data/breast-cancer "data/$name"
    done
    cp -R "$ROOT/src/scripts" src/scripts
    for program in train predict scale convert inspect; do
        ln -s "$BIN/$program" "$program"
    done
    printf 'sentence\ngood film\nbad film\ngood\nbad plot\n' >new.tsv
    printf 'label\tsentence\n1\tgood film\n0\tbad film\n1\tgood\n0\tbad plot\n' >one.tsv
    { cat one.tsv && sed 1d one.tsv; } >reviews.tsv
    awk 'NR % 2' data/breast-cancer >yesterday
    awk 'NR % 2 == 0' data/breast-cancer | tee choose >today
    ! starts gzip || gzip -c data/breast-cancer >rows.gz
}

SCENE_FOLDER=$PWD
mkdir tools
for program in train predict scale convert inspect; do
    printf '#!/bin/sh\nexec "%s/%s" "$@"\n' "$BIN" "$program" >"tools/hinge-$program"
done
# shellcheck disable=SC2016 # for the script
printf '#!/bin/sh\nTRAIN=${TRAIN:-%s/train} PREDICT=%s/predict exec sh "%s/src/scripts/grid.sh" "$@"\n' \
    "'$BIN'" "'$BIN'" "$ROOT" >tools/hinge-grid
printf '#!/bin/sh\nTRAIN=%s/train PREDICT=%s/predict exec sh "%s/src/scripts/compare-liblinear.sh" "$@"\n' \
    "'$BIN'" "'$BIN'" "$ROOT" >tools/hinge-compare
printf '#!/bin/sh\nCONVERT=%s/convert TRAIN=%s/train PREDICT=%s/predict exec sh "%s/src/scripts/table.sh" "$@"\n' \
    "'$BIN'" "'$BIN'" "'$BIN'" "$ROOT" >tools/hinge-table
chmod +x tools/*

document=README
blocks_of_readme "$ROOT/README.md" >README.blocks
(settle README && perform_all 3<../README.blocks)
for page in search predictions folder/report folder/test; do
    same "README: $page.html" '</html>' "$(tail -n 1 "README/$page.html")"
done
for page in "$ROOT"/src/man/*.in "$ROOT"/src/man/*.[0-9]; do
    document=${page##*/}
    document=${document%.in}
    [ "$document" != hinge.3 ] || continue # its example is C: install.sh compiles it and runs it
    blocks_of_page "$page" >"$document.blocks"
    (
        PATH=$PWD/tools:$PATH
        export PATH
        settle "$document"
        "$BIN/train" -q data/breast-cancer model
        perform_all 3<"../$document.blocks"
    )
done
# The model in hinge-files(5), which has the same bytes for every compiler.
awk '/^[.]Sh MODELS/ { models = 1 } /^[.]Sh DUAL/ { models = 0 }
    models && /^[.]Bd -literal/ { inside = 1; next } /^[.]Ed/ { inside = 0 }
    inside { gsub(/\\&/, ""); print }' "$ROOT/src/man/hinge-files.5" >says
(settle files && "$BIN/train" -q data/breast-cancer model &&
    sed 's/ *$//; s/^# command .*train /# command train /' model >../came)
holds 'the model in hinge-files(5) is the one that is written' as_documented says came
sed 's/ *|.*//' unrun | sort >expected
same 'each command that does not run is in a document' '' "$(sort -u listed | comm -13 - expected)"
holds 'commands have run, or were skipped' test "$(wc -l <met)" -gt 90
same 'README has at most 180 lines' '' "$(awk 'END { if (NR > 180) print NR }' "$ROOT/README.md")"
same 'pages: commands outside of what runs' '' "$(grep -h -E '^(hinge-[a-ln-z][a-z]*|zcat|awk) ' "$ROOT"/src/man/* |
    sed 's/\\e$/\\/' | while IFS= read -r line; do
    grep -q -x -F -e "$line" ./*.blocks || echo "$line"
done)"
