# install.sh - make install puts each file in its place, and manual pages and completion know each option.
# shellcheck shell=sh

if [ -n "${HINGE_EMULATOR:-}" ]; then
    skips install "what is installed does not start without $HINGE_EMULATOR"
    return
fi

# MAKEFLAGS, from the make that runs the tests, passes on the compiler, the flags and SANITIZE.
makes() {
    STATUS=0
    make --no-print-directory -C "$ROOT" "$@" >"$OUT" 2>"$ERR" || STATUS=$?
    same "exit status of make $1" 0 "$STATUS"
}

usr="$PWD/a place/usr"
makes install DESTDIR="$PWD/a place" PREFIX=/usr
# A shared library is installed, too, if the compiler can make one.
shared=$([ ! -e "$usr/lib/libhinge.so" ] || echo yes)
case $(uname -s) in
Linux) same 'there is a shared library' yes "$shared" ;;
esac
version=$(sed -n 's/^#define HINGE_VERSION "\(.*\)"$/\1/p' "$ROOT/include/hinge.h")
libraries='lib/libhinge.a'
[ -z "$shared" ] || libraries="$libraries
lib/libhinge.so
lib/libhinge.so.${version%.*}
lib/libhinge.so.$version"
mpi=
[ ! -e "$BIN/train-mpi" ] || mpi='
bin/hinge-train-mpi'
same 'the files' "bin/hinge-compare
bin/hinge-convert
bin/hinge-grid
bin/hinge-inspect
bin/hinge-predict
bin/hinge-scale
bin/hinge-table
bin/hinge-train$mpi
include/hinge.h
include/hinge_metrics.h
include/hinge_team.h
include/hinge_text.h
lib/cmake/hinge/hinge-config-version.cmake
lib/cmake/hinge/hinge-config.cmake
$libraries
lib/pkgconfig/hinge.pc
share/bash-completion/completions/hinge-compare
share/bash-completion/completions/hinge-convert
share/bash-completion/completions/hinge-grid
share/bash-completion/completions/hinge-inspect
share/bash-completion/completions/hinge-predict
share/bash-completion/completions/hinge-scale
share/bash-completion/completions/hinge-table
share/bash-completion/completions/hinge-train
share/fish/vendor_completions.d/hinge-compare.fish
share/fish/vendor_completions.d/hinge-convert.fish
share/fish/vendor_completions.d/hinge-grid.fish
share/fish/vendor_completions.d/hinge-inspect.fish
share/fish/vendor_completions.d/hinge-predict.fish
share/fish/vendor_completions.d/hinge-scale.fish
share/fish/vendor_completions.d/hinge-table.fish
share/fish/vendor_completions.d/hinge-train.fish
share/hinge/folders
share/man/man1/hinge-compare.1
share/man/man1/hinge-convert.1
share/man/man1/hinge-grid.1
share/man/man1/hinge-inspect.1
share/man/man1/hinge-predict.1
share/man/man1/hinge-scale.1
share/man/man1/hinge-table.1
share/man/man1/hinge-train.1
share/man/man1/hinge.1
share/man/man3/hinge.3
share/man/man5/hinge-files.5
share/man/man7/hinge-algorithms.7
share/man/man7/hinge-parallel.7
share/zsh/site-functions/_hinge-compare
share/zsh/site-functions/_hinge-convert
share/zsh/site-functions/_hinge-grid
share/zsh/site-functions/_hinge-inspect
share/zsh/site-functions/_hinge-predict
share/zsh/site-functions/_hinge-scale
share/zsh/site-functions/_hinge-table
share/zsh/site-functions/_hinge-train" "$(cd "$usr" && find . -type f -o -type l | sed 's,^\./,,' | sort)"

# ---- Programs ----------------------------------------------------------

built=$BIN
BIN=$usr/bin
cp "$CANCER" d
run hinge-train d
same 'the installed train trains' 0 "$STATUS"
same 'and names the installed predict' "next: '$usr/bin/hinge-predict' ROWS d.model LABELS" \
    "$(tail -n 1 "$OUT")"
same 'and is named in the record' 'hinge-train d' "$(record d.model command)"
awk 'NR % 38 == 7' d >little
run hinge-train -v 16 little
same 'a warning begins with the installed name' \
    'hinge-train: warning: more folds than rows: each row is a fold of its own' "$(cat "$ERR")"
run hinge-predict -q d d.model labels
same 'the installed predict predicts' 0 "$STATUS"
run hinge-scale -q d d.scaled
same 'the installed scale scales' 0 "$STATUS"
run hinge-inspect d.model
same 'the installed inspect inspects' 0 "$STATUS"
printf 'x,y\n1,a\n2,b\n' >table
run hinge-convert table converted
same 'the installed convert names the installed train' "next: '$usr/bin/hinge-train' converted" \
    "$(tail -n 1 "$OUT")"
run hinge-train table
same 'which names the installed convert' "Try: '$usr/bin/hinge-convert' -s MAP table DATA" \
    "$(grep '^Try' "$ERR")"
for program in hinge-train hinge-predict hinge-scale hinge-convert hinge-inspect; do
    refuses 'messages begin with the installed name' 2 \
        "$program: --foo: there is no such option
Try '$program --help'." "$program" --foo
    same 'so does the usage' "usage: $program" "$("$BIN/$program" --help | sed -n '1s/ \[.*//p')"
done

# ---- Scripts -----------------------------------------------------------

for script in hinge-grid hinge-compare hinge-table; do
    same "$script --version" "hinge $version" "$(bounded "$BIN/$script" --version 2>&1)"
    cp "$BIN/$script" alone
    same "$script without the programs" 'alone: there is no program train
3' \
        "$(PATH=/usr/bin:/bin bounded sh alone --version 2>&1; echo $?)"
    same "$script with the programs in PATH" "hinge $version" \
        "$(PATH=$BIN:/usr/bin:/bin bounded sh alone --version 2>&1)"
done

# Without TRAIN and PREDICT, scripts use the programs beside them. "sh" runs them where their first line cannot be
# followed.
for script in grid compare table; do
    holds "hinge-$script can be executed" test -x "$BIN/hinge-$script"
done
cp "$CANCER" rows
STATUS=0
bounded sh "$BIN/hinge-grid" -q -c 0:1 -t rows rows >"$OUT" 2>"$ERR" || STATUS=$?
same 'the installed grid runs' 0 "$STATUS"
same 'with the installed train' "'$BIN/hinge-train' -s 1" \
    "$(sed -n '/^Best/{n;s/ -c .*//p;}' "$OUT")"
if command -v liblinear-train >/dev/null 2>&1; then
    STATUS=0
    bounded sh "$BIN/hinge-compare" --runs 1 -s 3 rows rows >"$OUT" 2>"$ERR" || STATUS=$?
    same 'the installed comparison runs' "0 3" "$STATUS $(awk '$1 == 3 { print $1 }' "$OUT")"
else
    skips hinge-compare 'liblinear-tools are not installed'
fi
BIN=$built

# ---- Manual pages ------------------------------------------------------

# options PROGRAM: each way to write each option, from --help.
options() {
    {
        if [ -e "$BIN/$1" ]; then "$BIN/$1" --help all; else "$usr/bin/hinge-$1" --help; fi
    } | awk '$1 == "-wL" { print $3; next }
        $1 ~ /^-/ { print $1; if ($1 ~ /,$/) print $2 }' |
        sed 's/,$//; s/\[=json\]$//' | sort -u
}

same 'options of train are found' '--alpha -c' "$(options train | grep -x -e -c -e --alpha | xargs)"
for program in train predict scale convert inspect; do
    page=$usr/share/man/man1/hinge-$program.1
    same "each option of $program is described" '' "$(options "$program" |
        while read -r option; do
            grep -q -e "^\\.It.* Fl $(echo "${option#-}" | sed 's/^-/\\\\-/')\\( \\|\$\\)" "$page" ||
                echo "$option"
        done)"
    same "nothing is left to fill in for $program" '' "$(grep -e '^@' "$page")"
done
same 'each solver is described' "$("$BIN/train" --help all | awk '/^solvers:/ { on = 1; next }
    on && !NF { exit } on { print $1 " , " $2 }')" \
    "$(sed -n '/^\.Sh SOLVERS/,/^\.Sh OUTPUT/s/^\.It Cm //p' "$usr/share/man/man1/hinge-train.1")"
same 'a value that may be a word or a number' '.It Fl \-threshold Ar X | Cm max-f1' \
    "$(grep '^[.]It Fl .-threshold' "$usr/share/man/man1/hinge-predict.1")"
public=$(cat "$ROOT"/include/*.h | grep -o 'hinge_[a-zA-Z_]*(' | tr -d '(' | sort -u)
same 'hinge(3) has each public function' "$public" \
    "$(sed -n 's/^\.Fn \(hinge_[a-zA-Z_]*\) .*/\1/p' "$usr/share/man/man3/hinge.3" | sort -u)"
{
    sed -n 's/^[.]In \(hinge[a-z_]*[.]h\)$/#include "\1"/p' "$usr/share/man/man3/hinge.3"
    awk '
        /^[.]Ft / { sub(/^[.]Ft /, ""); gsub(/"/, ""); type = $0 }
        /^[.]Fn / && type { name = $2; sub(/^[.]Fn [^ ]* /, ""); gsub(/" "/, ", "); gsub(/"/, "")
            print type " " name "(" $0 ");"; type = "" }' "$usr/share/man/man3/hinge.3"
} >prototypes.c
# shellcheck disable=SC2086
holds 'the prototypes of hinge(3) are those of the headers' \
    ${CC:-cc} -std=c99 -I "$ROOT/include" -c -o prototypes.o prototypes.c
if command -v mandoc >/dev/null 2>&1; then
    # Its advice on style differs between releases; make lint shows all of it.
    holds 'mandoc finds no error' mandoc -Tlint -W error "$usr"/share/man/man1/* "$usr"/share/man/man[357]/*
    makes html
    pages=$ROOT/$(tail -n 1 "$OUT")
    pages=${pages%/*}
    same 'each link of the pages in HTML leads to one of them or to a page of another program' '' "$(
        cat "$pages"/*.html | grep -o 'href="[^"#]*"' | sed 's/href="//; s/"$//' | sort -u |
            while read -r link; do
                case $link in
                man:hinge*) echo "$link" ;;
                man:*) ;;
                *) [ -s "$pages/$link" ] || echo "$link" ;;
                esac
            done)"
    # shellcheck disable=SC2016 # for sh -c
    holds 'hinge(1) leads to all others' sh -c 'cd "$1" && for page in hinge*.html; do
        [ "$page" = hinge.1.html ] || grep -q "href=\"$page\"" index.html || exit; done' sh "$pages"
else
    skips 'manual pages' 'mandoc is not installed'
fi

# ---- The library -------------------------------------------------------

case $BIN in
*sanitize*) sanitizers=-fsanitize=address,undefined ;;
*) sanitizers= ;;
esac
cp "$CANCER" data
sed -n '/^#include <hinge.h>/,/^\.Ed/p' "$usr/share/man/man3/hinge.3" | sed '/^\.Ed/d; s/\\e/\\/g' \
    >example.c
ln -s 'a place' place # the flags of a compiler cannot contain a blank
if command -v pkg-config >/dev/null 2>&1; then
    flags=$(PKG_CONFIG_PATH="$usr/lib/pkgconfig" \
        pkg-config --define-variable=prefix="$PWD/place/usr" --cflags --libs hinge)
    same 'its version' "$version" "$(PKG_CONFIG_PATH="$usr/lib/pkgconfig" pkg-config --modversion hinge)"
else
    flags="-I$PWD/place/usr/include -L$PWD/place/usr/lib -lhinge -lm"
    skips 'hinge.pc' 'pkg-config is not installed'
fi
# shellcheck disable=SC2086
holds 'the example of hinge(3) compiles' ${CC:-cc} -std=c99 $sanitizers -o example example.c $flags
# LD_LIBRARY_PATH is set because the folder is not one of the system's.
same 'and trains' 'relative gap' "$(LD_LIBRARY_PATH="$usr/lib" ./example 2>&1 | sed 's/ [0-9.e-]*$//')"
if command -v cmake >/dev/null 2>&1 && [ -z "$sanitizers" ]; then
    mkdir cmake newer older
    cat >cmake/CMakeLists.txt <<EOF
cmake_minimum_required(VERSION 3.10)
project(example C)
find_package(hinge ${version%.*} REQUIRED)
add_executable(linked ../example.c)
target_link_libraries(linked hinge::hinge)
add_executable(copied ../example.c)
target_link_libraries(copied hinge::static)
EOF
    sed 's/(hinge [0-9.]*/(hinge 99.0/' cmake/CMakeLists.txt >newer/CMakeLists.txt
    sed 's/(hinge [0-9.]*/(hinge 0.0.9/' cmake/CMakeLists.txt >older/CMakeLists.txt
    with_cmake() { (cd "$1" && env -u MAKEFLAGS -u MAKELEVEL cmake "-DCMAKE_PREFIX_PATH=$usr" . && cmake --build .); }
    without_cmake() { ! with_cmake "$1"; }
    holds 'CMake finds the library and builds with it' with_cmake cmake
    for kind in linked copied; do
        same "CMake: the program $kind trains" 'relative gap' "$("cmake/$kind" 2>&1 | sed 's/ [0-9.e-]*$//')"
    done
    holds 'CMake refuses a version that is not there' without_cmake newer
    holds 'and one with another interface' without_cmake older
else
    skips 'find_package' 'cmake is not installed, or the library has sanitizers'
fi
if [ -n "$shared" ] && command -v readelf >/dev/null 2>&1; then
    same 'it needs the library by a name with a version' "libhinge.so.${version%.*}" \
        "$(readelf -d example | sed -n 's/.*NEEDED.*\[\(libhinge.*\)\]/\1/p')"
    same 'which exports the public functions' "$public" \
        "$(readelf --dyn-syms -W "$usr/lib/libhinge.so" | awk '$7 != "UND" && $8 ~ /^hinge_/ { print $8 }' |
            sort)"
    same 'and nothing else' '' "$(readelf --dyn-syms -W "$usr/lib/libhinge.so" |
        awk '$4 == "FUNC" && $7 ~ /^[0-9]/ && $8 !~ /^hinge_/ { print $8 }')"
else
    skips 'the shared library' 'there is none, or no readelf'
fi

# ---- Completion --------------------------------------------------------

# completes PROGRAM WORD...: the completions of the last word by bash.
completes() {
    # shellcheck disable=SC2016 # for bash
    bash -c '. "$1/share/bash-completion/completions/$2"
        shift
        COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
        "_$1"
        printf "%s\n" "${COMPREPLY[@]}"' bash "$usr" "$@" 2>&1 | tr '\n' ' ' | sed 's/ $//'
}

if command -v bash >/dev/null 2>&1; then
    for program in train predict scale convert inspect grid compare table; do
        same "bash offers each option of $program" "$(options "$program" | xargs)" \
            "$(completes "hinge-$program" - | tr ' ' '\n' | sort | tr '\n' ' ' | sed 's/ $//')"
    done
    same 'bash: the beginning of an option' '--sampling' "$(completes hinge-train --samp)"
    same 'bash: a list of values' 'iid permute' "$(completes hinge-train --sampling '')"
    same 'bash: a value after =' 'permute' "$(completes hinge-train --sampling = per)"
    same 'bash: nothing after = yet' 'iid permute' "$(completes hinge-train --sampling =)"
    same 'bash: solvers' 'dcd-l2 dcd-l1' "$(completes hinge-train -s dcd)"
    same 'bash: solvers, by number' '6 61 60 62' "$(completes hinge-train d --solver 6)"
    same 'bash: json' json "$(completes hinge-train --metrics = j)"
    same 'bash: files are left to bash' '' "$(completes hinge-train --alpha '')"
    same 'bash: operands, too' '' "$(completes hinge-train -q '')"
else
    skips 'bash completion' 'bash is not installed'
fi
if command -v zsh >/dev/null 2>&1; then
    for program in train predict scale convert inspect grid compare table; do
        file=$usr/share/zsh/site-functions/_hinge-$program
        same "zsh: the program" "#compdef hinge-$program" "$(head -n 1 "$file")"
        # shellcheck disable=SC2016 # for zsh
        same "zsh has each option of $program" "$(options "$program" | xargs)" \
            "$(zsh -f -c '_arguments() { print -rl -- "$@" }; . "$1"' zsh "$file" |
                sed -n 's/^[*]*\(-[-a-zA-Z0-9]*\)=*-*\[.*\].*/\1/p' | sed 's/-$//' | sort | xargs)"
    done
    # zsh_types WORDS EXPECTED: a zsh in a terminal, in which WORDS and a tab are typed, shows EXPECTED.
    cat >typed.zsh <<'END'
zmodload zsh/zpty
zpty shell zsh -f -i
zpty -w shell "PS1=; fpath=($1 \$fpath); autoload -U compinit; compinit -D -u; bindkey '^I' complete-word; echo rea''dy"
zpty -r -m shell seen '*ready*'
zpty -w -n shell "$2"$'\t'
zpty -r -m shell seen "*$3*"
END
    ln -s "$usr/share/zsh/site-functions" functions
    zsh_types() { bounded zsh -f typed.zsh "$PWD/functions" "$@"; }
    holds 'zsh completes an option' zsh_types 'hinge-train --samp' '--sampling'
    holds 'zsh completes a value' zsh_types 'hinge-train --sampling=per' '--sampling=permute'
else
    skips 'zsh completion' 'zsh is not installed'
fi

# fish_completes PROGRAM TEXT: the completions of "PROGRAM TEXT" by fish, without descriptions.
fish_completes() {
    # shellcheck disable=SC2016 # for fish
    HOME=$PWD fish --no-config -c 'source $argv[1]; complete -C $argv[2]' \
        "$usr/share/fish/vendor_completions.d/$1.fish" "$1 $2" 2>&1 | cut -f 1 | sort -u | xargs
}

if command -v fish >/dev/null 2>&1; then
    for program in train predict scale convert inspect grid compare table; do
        same "fish offers each option of $program" "$(options "$program" | xargs)" \
            "$(fish_completes "hinge-$program" - | tr ' ' '\n' | grep -v '=$' | LC_ALL=C sort | xargs)"
    done
    same 'fish: the beginning of an option' '--sampling' "$(fish_completes hinge-train --samp)"
    same 'fish: a list of values' 'iid permute' "$(fish_completes hinge-train '--sampling ')"
    same 'fish: a value after =' '--sampling=permute' "$(fish_completes hinge-train --sampling=per)"
    same 'fish: solvers' 'dcd-l1 dcd-l2' "$(fish_completes hinge-train '-s dcd')"
    same 'fish: json' '--metrics=json' "$(fish_completes hinge-train --metrics=j)"
    same 'fish: a file' 'typed.txt' "$(: >typed.txt && fish_completes hinge-train '--alpha typed.t')"
    same 'fish: an operand' 'typed.txt' "$(fish_completes hinge-train '-q typed.t')"
    same 'fish: a file of a script' 'typed.txt' "$(fish_completes hinge-grid '-t typed.t')"
    same 'fish: no file where a number belongs' '' "$(fish_completes hinge-train '--gap typed.t')"
else
    skips 'fish completion' 'fish is not installed'
fi

# ---- Uninstalling ------------------------------------------------------

: >"$usr/bin/another"
makes uninstall DESTDIR="$PWD/a place" PREFIX=/usr
same 'only what is another'\''s is left' './bin/another' "$(cd "$usr" && find . -type f -o -type l)"
same 'no folder is left but its own' './bin' "$(cd "$usr" && find . -mindepth 1 -type d)"
mkdir -p old/share/man
makes install PREFIX="$PWD/old/usr"
makes install PREFIX="$PWD/old"
makes uninstall PREFIX="$PWD/old/usr"
makes uninstall PREFIX="$PWD/old"
same 'a folder that was there before stays, others go' 'old old/share old/share/man' "$(find old | sort | xargs)"
