#!/bin/sh
# run.sh - tests of the whole programs: sh tests/cli/run.sh [subject ...]
#
# Folders: HINGE_BIN, the programs (default: the repository), HINGE_FAULTY, the programs linked with faults.c,
# HINGE_DATA, large data sets, which may be missing. HINGE_SYNTH and HINGE_PROBE are the programs of synth.c and
# probe.c. make program-tests sets all of them. Prints a line for each check that fails or is skipped, and their
# numbers at the end. A subject is a script beside this one, or in the folder SUBJECTS_OF. Each works in folders of its
# own, so several runs may go on at a time.
set -u
here=$(CDPATH='' cd "$(dirname "$0")" && pwd) || exit 1
SUBJECTS_OF=${SUBJECTS_OF:-$here}
ROOT=$(cd "$here/../.." && pwd) || exit 1
# shellcheck source=tests/environment.sh
. "$ROOT/tests/environment.sh"
SCRATCH=$(scratch_folder "$ROOT") || exit 1
trap 'cd / && rm -rf "$SCRATCH"' EXIT
trap 'exit 130' INT TERM HUP

# without_blanks NAME FOLDER: prints the folder's path, or the path of a link NAME to it if it has blanks. Paths
# without blanks can stand in lists of words and in expected messages. newcomer.sh tests names with blanks.
without_blanks() {
    folder=$(cd "$2" 2>/dev/null && pwd) || return 1
    case $folder in
    *[[:blank:]]*)
        ln -s "$folder" "$SCRATCH/$1" && folder=$SCRATCH/$1
        ;;
    esac
    printf '%s\n' "$folder"
}
BIN=$(without_blanks bin "${HINGE_BIN:-$ROOT}") || exit 1
data=$(without_blanks data "$ROOT/data") || exit 1
LARGE=$(without_blanks large "${HINGE_DATA:-$ROOT/data}") || LARGE=$data
CANCER=$data/breast-cancer
DIGITS=$data/digits

# 99, because the error of a sanitizer must not look like an exit status of the program.
ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}exitcode=99
LSAN_OPTIONS=${LSAN_OPTIONS:+$LSAN_OPTIONS:}exitcode=99
UBSAN_OPTIONS=${UBSAN_OPTIONS:+$UBSAN_OPTIONS:}exitcode=99
export ROOT BIN LARGE CANCER DIGITS SCRATCH ASAN_OPTIONS LSAN_OPTIONS UBSAN_OPTIONS

for program in train predict scale convert inspect; do
    if [ ! -x "$BIN/$program" ]; then
        echo "tests/cli: there is no program $program in $BIN" >&2
        exit 1
    fi
done

# shellcheck source=tests/totals.sh
. "$ROOT/tests/totals.sh"
# shellcheck source=/dev/null
. "$here/lib.sh"
if [ $# -eq 0 ]; then
    # shellcheck disable=SC2046 # a list of words
    set -- $(find "$SUBJECTS_OF" -name '*.sh' | sed 's|.*/||; s/[.]sh$//' | grep -v -x -e lib -e run | sort)
fi
for subject in "$@"; do
    scene "$subject"
    # shellcheck source=/dev/null
    . "$SUBJECTS_OF/$subject.sh"
done
report
