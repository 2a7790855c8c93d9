#!/bin/sh
# make lint: includes, rooms, losses, compilers' warnings as errors, cppcheck, clang-tidy, formatting, shellcheck,
# man pages (those that HINGE_PAGES lists). A tool that is not installed is skipped with a message. HINGE_COMPILED=yes
# says that gcc and clang compile src and the tests elsewhere, with the Makefile's warnings as errors. Here they then
# check only $unbuilt.
# Flags and lists of files are words to be split, and the checks are called through "check".
# shellcheck disable=SC2086,SC2046,SC2317
set -u

failed=0
have() {
    command -v "$1" >/dev/null 2>&1 || { echo "lint: $1 is not installed: skipped"; return 1; }
}
check() {
    echo "lint: $1"
    shift
    "$@" || failed=1
}

flags='-std=c99 -pedantic -Wall -Wextra -Wconversion -Wshadow -Wstrict-prototypes'
includes='-Iinclude -Isrc -Itests/support'
sources=$(find src -name mpi -prune -o -name '*.c' -print)
mpi_sources=$(find src/mpi -name '*.c')
tests=$(find tests -name mpi_count.c -prune -o -name '*.c' -print)
# document is built by gcc only.
unbuilt="src/cli/document.c $(find tests/bench tests/fuzz tests/portability -name mpi_count.c -prune -o -name '*.c' -print)"
counter=tests/bench/mpi_count.c # which needs <mpi.h>
scripts="$(find tests data src -name '*.sh') .ci/run"

# each FILES COMMAND: runs the command for each file, which takes the place of {}; several files at a time.
jobs=$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 1)
each() {
    printf '%s\n' $1 | xargs -P "$jobs" -I '{}' sh -c "$2"
}

# Some of gcc's warnings come from its optimiser; clang's do not.
compile_strictly() {
    if [ "${HINGE_COMPILED:-}" = yes ]; then
        each "$unbuilt" "$1 $flags -Werror $includes -fsyntax-only '{}'"
        return
    fi
    case $1 in
    clang) how=-fsyntax-only ;;
    *) how='-O1 -c -o /dev/null' ;;
    esac
    each "$sources" "$1 $flags -Werror $includes $how '{}'" &&
        each "$tests" "$1 $flags -Werror $includes -fsyntax-only '{}'"
}

# mpi_includes: prints options for the folders of mpi.h, as a system header, so that it gets no warnings. -compile_info
# is MPICH's option.
mpi_includes() {
    { mpicc --showme:compile || mpicc -compile_info; } 2>/dev/null | tr ' ' '\n' |
        sed -n 's/^-I/-isystem/p'
}

compile_mpi_strictly() {
    for source in $mpi_sources $counter; do
        "$1" $flags -Werror $includes $(mpi_includes) -O2 -c -o /dev/null "$source" || return 1
    done
}

# cppcheck sees the macros of one compiler. Other compilers see differences in src/base/compiler.h alone, and cppcheck
# would read each file again for each macro that is tested there.
run_cppcheck() {
    cppcheck --quiet -j "$jobs" --std=c99 --enable=warning,performance,portability --inline-suppr \
        -D__GNUC__=12 -D__x86_64__ -U__AVX2__ -UBASELINE -U_OPENMP \
        --error-exitcode=1 -Iinclude -Isrc $sources $mpi_sources
}

# One file a process: in a process with many files the analyser mistakes each va_list. -DBASELINE: each function for
# one set of instructions. max-nodes: the number of states of a function that are examined. 15,000 states found as
# many of 50 defects sown at random as 50,000 did, but gave two false warnings. 30,000 give none.
run_clang_tidy() {
    each "$sources" "clang-tidy --quiet '{}' -- -std=c99 -Iinclude -Isrc -DBASELINE \
        -Xclang -analyzer-config -Xclang max-nodes=30000 2>/dev/null"
}

run_clang_tidy_of_mpi() {
    each "$mpi_sources" "clang-tidy --quiet '{}' -- -std=c99 -Iinclude -Isrc $(mpi_includes | xargs) 2>/dev/null"
}

check_format() {
    clang-format --dry-run -Werror $sources $mpi_sources $counter $tests $(find src include tests -name '*.h')
}

# mandoc finds the pages to which a page refers only when they are installed, and the system's index may be old: these
# messages are left out. mandoc gets one page at a time, because the messages about many fill a buffer, and a line could
# then be cut by lines of another stream.
check_pages() {
    for page in ${HINGE_PAGES-}; do
        mandoc -Tlint "$page" 2>&1
    done | grep -v -e 'referenced manual not found' -e 'outdated mandoc.db' >&2
    [ $? -eq 1 ]
}

# Debian's man has groff, which knows macros as arguments that mandoc takes for text. A line of a file
# that is longer than the page cannot be broken.
check_pages_by_groff() {
    for page in ${HINGE_PAGES-}; do
        groff -mdoc -Tutf8 -ww "$page" 2>&1 >/dev/null
    done | grep -v "can't break line" >&2
    [ $? -eq 1 ]
}

check includes sh tests/lint/includes.sh
check rooms sh tests/lint/rooms.sh
check losses sh tests/lint/losses.sh
for compiler in gcc clang; do
    have "$compiler" && check "$compiler" compile_strictly "$compiler"
done
if have mpicc; then
    for compiler in gcc clang; do
        have "$compiler" && check "$compiler, src/mpi" compile_mpi_strictly "$compiler"
    done
    have clang-tidy && check 'clang-tidy, src/mpi' run_clang_tidy_of_mpi
fi
have cppcheck && check cppcheck run_cppcheck
have clang-tidy && check clang-tidy run_clang_tidy
have clang-format && check clang-format check_format
have shellcheck && check shellcheck shellcheck $scripts
have mandoc && check mandoc check_pages
have groff && check groff check_pages_by_groff
[ "$failed" -eq 0 ] && echo "lint: clean"
exit "$failed"
