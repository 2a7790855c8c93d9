# suites.sh - tests/run.sh with stand-ins for suites, and tests/cmocka.sh with stand-ins for compiler and package
# manager.
# shellcheck shell=sh disable=SC2016 # what stand-ins do

# stand_in PROGRAM LINE...
stand_in() {
    mkdir -p "$(dirname "$1")"
    program=$1
    shift
    printf '%s\n' '#!/bin/sh' "$@" >"$program"
    chmod +x "$program"
}

# ---- A line a suite ----------------------------------------------------

says() {
    printf "echo '%s'\n" "$@"
}
stand_in of/tests/base/test_late 'sleep 1' "$(says '[  PASSED  ] 3 test(s).')"
stand_in of/tests/base/test_good "$(says 'a note' '[  PASSED  ] 5 test(s).')"
stand_in of/tests/base/test_bad "$(says '[  ERROR   ] 1 != 2' '[  PASSED  ] 1 test(s).' \
    '[  FAILED  ] 2 test(s), listed below:')" 'exit 2'
stand_in of/tests/base/test_crash "$(says 'before')" 'kill -SEGV $$'
stand_in of/tests/base/test_exits "$(says '[  PASSED  ] 5 test(s).')" 'exit 99'
stand_in of/tests/base/test_silent 'exit 0'
stand_in of/tests/data/test_skips "$(says '[  SKIPPED ] here/a9a is not there; data/get.sh fetches it' \
    '[  PASSED  ] 4 test(s).' '[  SKIPPED ] 1 test(s), listed below:' '[  SKIPPED ] test_of_a9a')"
stand_in of/tests/data/test_all_skipped "$(says '[  PASSED  ] 0 test(s).' \
    '[  SKIPPED ] 1 test(s), listed below:' '[  SKIPPED ] test_alone')"
stand_in of/tests/library/example true

# suites FILE JOBS V SUITE...
suites() {
    file=$1 JOBS=$2 V=$3 STATUS=0
    shift 3
    JOBS=$JOBS V=$V HINGE_BIN=$BIN sh "$ROOT/tests/run.sh" "$@" >"$file" 2>&1 || STATUS=$?
}

base=of/tests/base/test_
for jobs in 1 3; do
    suites out $jobs '' ${base}late of/tests/data/test_skips ${base}good of/tests/data/test_all_skipped \
        of/tests/library/example
    same "$jobs at a time: exit status" 0 "$STATUS"
    same_text "$jobs at a time: in order" out 'base/late: 3 passed
data/skips: 4 passed, 1 skipped (not in HINGE_DATA: a9a)
base/good: 5 passed
data/all_skipped: 0 passed, 1 skipped (test_alone)
library/example: 1 passed
13 passed, 0 failed, 2 skipped'
    suites out $jobs '' ${base}bad ${base}good ${base}exits ${base}silent
    same "$jobs at a time: exit status where tests fail" 1 "$STATUS"
    same_text "$jobs at a time: what those say that fail" out '[  ERROR   ] 1 != 2
[  PASSED  ] 1 test(s).
[  FAILED  ] 2 test(s), listed below:
FAIL base/bad: 1 passed, 2 failed, exit status 2
base/good: 5 passed
[  PASSED  ] 5 test(s).
FAIL base/exits: 5 passed, 1 failed, exit status 99
FAIL base/silent: 0 passed, 1 failed, exit status 0
failed: base/bad base/exits base/silent
11 passed, 4 failed, 0 skipped'
done
suites out 2 '' ${base}crash
same 'a crash' 'before
FAIL base/crash: 0 passed, 1 failed, exit status 139' "$(grep -v '^failed: \|Segmentation\|^0 passed' out)"
stand_in of/tests/base/test_calls.sh 'checks_nothing 1 2' 'echo 1 passed, 0 failed, 0 skipped'
suites out 2 '' ${base}calls.sh
same 'a script that calls a function that does not exist' '1 passed, 1 failed, 0 skipped' "$(tail -n 1 out)"
suites out 2 1 ${base}good
sed 's/[0-9.]* s$/N s/' out >came
same_text 'V=1: all that it says, and seconds' came 'a note
[  PASSED  ] 5 test(s).
base/good: 5 passed, N s
5 passed, 0 failed, 0 skipped'
suites out 2 '' cli/weights
same 'a subject' 'cli/weights: N passed' "$(sed -n '1s/[0-9][0-9]*/N/p' out)"
suites out 2 '' cli/weights,stochastic
same 'two subjects' 'cli/weights,stochastic: N passed' "$(sed -n '1s/[0-9][0-9]*/N/p' out)"
stand_in of/tests/data/test_reason "$(says '[  SKIPPED ] there is no such locale' '[  PASSED  ] 0 test(s).' \
    '[  SKIPPED ] 1 test(s), listed below:' '[  SKIPPED ] test_alone')"
suites out 2 '' of/tests/data/test_reason
same 'the reason of a skipped test' 'data/reason: 0 passed, 1 skipped (there is no such locale)' "$(head -n 1 out)"
suites out 2 '' cli/nonsense
same 'a suite that is not there' 'failed: cli/nonsense' "$(grep '^failed' out)"
same 'no suite' '0 passed, 0 failed, 0 skipped' "$(suites out 2 '' && cat out)"

stand_in of/tests/base/test_signal 'trap "echo 1 passed, 0 failed, 0 skipped; exit" INT' 'kill -s INT $$' 'exit 1'
if [ "$(sh -c 'trap "echo caught; exit" INT; kill -s INT $$; echo ignored')" = caught ]; then
    suites out 2 '' ${base}signal ${base}signal
    same 'suites side by side do not ignore SIGINT' '2 passed, 0 failed, 0 skipped' "$(tail -n 1 out)"
else
    skips 'suites side by side do not ignore SIGINT' 'it is ignored here'
fi

# Two suites hang: a program of unit tests, and a script that waits for another program. Both are killed.
stand_in of/tests/base/test_hangs 'exec sleep 60'
stand_in of/tests/base/test_waits 'sleep 9' 'echo 1 passed, 0 failed, 0 skipped'
if timeout -v --foreground 9 true 2>/dev/null; then
    for hanging in hangs waits; do
        SUITE_SECONDS=1 suites out 2 '' ${base}$hanging ${base}good
        same "a suite that $hanging: exit status" 1 "$STATUS"
        holds "a suite that $hanging: why it was killed" grep -q "^timeout: sending signal TERM to command '\{0,1\}.*$hanging" out
        same "a suite that $hanging fails, and the next runs" "failed: base/$hanging
5 passed, 1 failed, 0 skipped" "$(tail -n 2 out)"
    done
else
    skips 'a suite that hangs' 'there is no timeout'
fi

# Unit tests have files in a folder of their own.
stand_in of/tests/base/test_folder 'mkdir "$HINGE_SCRATCH" && echo 1 passed, 0 failed, 0 skipped'
suites out 2 '' ${base}folder ${base}folder
same 'files of suites side by side' '2 passed, 0 failed, 0 skipped' "$(tail -n 1 out)"

# ---- cmocka ------------------------------------------------------------

# The compiler finds cmocka once the file "there" exists, and always compiles the small replacement.
compiler=$(command -v "${CC:-cc}" 2>/dev/null || command -v cc)
stand_in tools/compiler 'case $* in' '*-lcmocka*) test -e there ;;' "*) exec $compiler \"\$@\" ;;" 'esac'
for tool in sudo apt-get dnf apk pacman zypper brew; do
    stand_in "tools/$tool" 'echo "${0##*/} $*" >>ran' 'case $0 in *sudo) "$@" ;; esac' \
        'case $* in *libcmocka-dev) test ! -e works || : >there ;; esac'
done

# cmocka WHAT: runs tests/cmocka.sh with INSTALL=WHAT.
cmocka() {
    rm -rf small ran
    mkdir small
    STATUS=0
    : >ran
    PATH=$PWD/tools:$PATH CC=tools/compiler CPPFLAGS='' CFLAGS='' LDFLAGS='' INSTALL=$1 \
        sh "$ROOT/tests/cmocka.sh" small >"$OUT" 2>"$ERR" || STATUS=$?
}
replacement='The unit tests are built with the small replacement in tests/portability.'

sudo=$([ "$(id -u)" = 0 ] || echo 'sudo ')
command="${sudo}apt-get update -qq && ${sudo}env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq libcmocka-dev"

cmocka no
same_text 'INSTALL=no: what it says' "$OUT" "cmocka, the unit tests' library, is not installed. To install it: $command
$replacement"
same_text 'INSTALL=no: nothing is run' ran ''
same 'INSTALL=no: the small one' '0 small/cmocka.h small/cmocka.o small/libcmocka.a' "$STATUS $(echo small/*)"
printf '%s\n' '#include <cmocka.h>' 'static void test(void **state) { (void)state; assert_true(1); }' \
    'int main(void) {' '    const struct CMUnitTest tests[] = {cmocka_unit_test(test)};' \
    '    return cmocka_run_group_tests(tests, 0, 0);' '}' >unit.c
holds 'INSTALL=no: it is compiled against' "$compiler" -Ismall -o unit unit.c -Lsmall -lcmocka
same 'INSTALL=no: and counts' '1 passed, 0 failed, 0 skipped' "$(./unit)"

cmocka ''
same_text 'a package manager that fails: what is said' "$OUT" "cmocka, the unit tests' library, is not \
installed; INSTALL=no does without. Running:
    $command
cmocka could not be installed.
$replacement"
same 'a package manager that fails: it was run' 'apt-get install -y -qq libcmocka-dev' "$(tail -n 1 ran)"
same 'a package manager that fails: the small one' '0 small/cmocka.h small/cmocka.o small/libcmocka.a' "$STATUS $(echo small/*)"
: >works
cmocka ''
same 'a package manager that works: exit status, lines' '0 2' "$STATUS $(grep -c . "$OUT")"
same 'a package manager that works: nothing is made' '' "$(find small -type f)"
cmocka ''
same_text 'cmocka is there: nothing is said' "$OUT" ''
same_text 'cmocka is there: nothing is run' ran ''

# ---- make test ---------------------------------------------------------

make -C "$ROOT" -n test JOBS=2 INSTALL=no >"$OUT" 2>&1
holds 'make test says how long it takes' grep -q '^echo .About [0-9]* to [0-9]* minutes with JOBS=2,' "$OUT"

# ---- make help ---------------------------------------------------------

make -C "$ROOT" --no-print-directory help >"$OUT" 2>&1
same 'make help: each target has a text' '' "$(grep -v -E '^make [a-z-]+ +[a-z]' "$OUT")"
for goal in all demo test test-all install lint clean; do
    holds "make help: $goal" grep -q "^make $goal " "$OUT"
done
