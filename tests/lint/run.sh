#!/bin/sh
# make lint: includes, compilers' warnings as errors, cppcheck, clang-tidy, formatting, shellcheck,
# man pages. What is not installed is skipped, saying so.
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
includes='-Iinclude -Isrc -Itests/unit'
sources=$(find src -name '*.c')
tests=$(find tests -name '*.c')
scripts="$(find tests data src -name '*.sh') .ci/run"

# shellcheck disable=SC2086 # lists of words
compile_strictly() {
    for source in $sources $tests; do
        "$1" $flags -Werror $includes -O2 -c -o /dev/null "$source" || return 1
    done
}

# shellcheck disable=SC2086
run_cppcheck() {
    cppcheck --quiet --std=c99 --enable=warning,performance,portability --inline-suppr \
        --error-exitcode=1 -Iinclude -Isrc $sources
}

# shellcheck disable=SC2086
run_clang_tidy() {
    clang-tidy --quiet $sources -- -std=c99 $includes 2>/dev/null
}

# shellcheck disable=SC2086
check_format() {
    clang-format --dry-run -Werror $sources $tests $(find src include tests -name '*.h')
}

check includes sh tests/lint/includes.sh
for compiler in gcc clang; do
    have "$compiler" && check "$compiler" compile_strictly "$compiler"
done
have cppcheck && check cppcheck run_cppcheck
have clang-tidy && check clang-tidy run_clang_tidy
have clang-format && check clang-format check_format
# shellcheck disable=SC2086
have shellcheck && check shellcheck shellcheck $scripts
# shellcheck disable=SC2046
have mandoc && check mandoc mandoc -Tlint -W warning $(find src/man -name '*.[1-9]')
[ "$failed" -eq 0 ] && echo "lint: clean"
exit "$failed"
