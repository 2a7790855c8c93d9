#!/bin/sh
# run.sh - other compilers, C libraries, word sizes and byte orders: sh tests/portability/run.sh [quick] [target ...].
# Each target runs the unit tests and the tests of the whole programs. Its models, predictions and results must have the
# same bytes as those of the native build.
#
# quick leaves out the slow unit tests, the tests of the programs, and most of the optimisation. It takes the programs
# that make has built, if there are any, for the native build. Missing packages are installed by apt-get, if it exists
# and the user is root. A target whose compiler or emulator is missing is skipped with a message.
# Foreign programs run in qemu's user mode. Unit tests use the small cmocka beside this file.
set -u
LC_ALL=C
export LC_ALL

root=$(CDPATH='' cd "$(dirname "$0")/../.." && pwd) || exit 1
cd "$root" || exit 1
build=$root/build/portability
data=$(cd "${HINGE_DATA:-data}" && pwd)
passed=0 failed=0 skipped=0

quick=
if [ "${1:-}" = quick ]; then
    quick=1
    shift
fi
[ $# -gt 0 ] || set -- clang m32 musl tcc unsigned-char s390x
mkdir -p "$build"

pass() {
    passed=$((passed + 1))
    echo "pass $1"
}

fails() {
    failed=$((failed + 1))
    echo "FAIL $1"
}

skips() {
    skipped=$((skipped + 1))
    echo "skip $1: $2"
}

# install PACKAGE...
install() {
    if [ $# = 0 ] || [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null 2>&1; then
        return
    fi
    echo "installing $*"
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq "$@" >"$build/install.log" 2>&1
}

# works COMPILER...: true if the compiler can build a program.
works() {
    printf '#include <stdio.h>\n#include <math.h>\nint main(void) { return puts("") < 0; }\n' \
        >"$build/works.c"
    "$@" -o "$build/works" "$build/works.c" -lm >"$build/works.log" 2>&1
}

# describe TARGET: sets compiler, runner, packages.
describe() {
    runner='' packages='' required='' objects='' slow='' faulty='' wraps=1 threadless=''
    # The package gcc-multilib, which would remove the compilers for other machines, has only a link to these headers.
    asm="-idirafter /usr/include/$(gcc -print-multiarch)"
    case $1 in
    native) compiler=gcc ;;
    clang) compiler=clang packages=clang ;;
    m32) compiler="gcc -m32 $asm" packages="gcc-$(gcc -dumpversion)-multilib" ;;
    musl) compiler='musl-gcc -static' packages=musl-tools threadless=1 ;; # libgomp is for another library
    tcc)
        compiler=tcc packages=tcc # which prefers any shared library: the test's is named as a file
        objects=$build/tcc/cmocka.o
        required='-std=c99 -Wall -Iinclude -Isrc' slow=1 # it does not optimise
        wraps='' # its linker cannot; another one needs the functions that it calls
        objects="$objects $(tcc -print-search-dirs 2>/dev/null | sed -n 's/^install: //p')/libtcc1.a"
        faulty='gcc -std=c99 -no-pie'
        ;;
    unsigned-char) compiler='gcc -funsigned-char' ;;
    s390x)
        compiler='s390x-linux-gnu-gcc -static' runner=qemu-s390x slow=1
        packages='qemu-user gcc-s390x-linux-gnu libc6-dev-s390x-cross'
        ;;
    *)
        echo "there is no target $1" >&2
        exit 2
        ;;
    esac
}

# unit_tests: prints the unit tests to run, as FOLDER/test_FILE. Tests that wrap functions need a linker that can.
unit_tests() {
    if [ -z "$quick" ]; then
        # shellcheck disable=SC2046 # no name has a space
        set -- $(find tests -name 'test_*.c' | sort)
    elif [ -n "$runner" ]; then
        set -- tests/base/test_*.c tests/data/test_decimal.c tests/data/test_digits.c tests/data/test_number.c
    else
        set -- tests/base/test_*.c tests/data/test_*.c tests/model/test_*.c
    fi
    # shellcheck disable=SC2046
    [ -n "$wraps" ] || set -- $(grep -L '__wrap_\|"refusal.h"' "$@")
    printf '%s\n' "$@" | sed 's|^tests/\(.*\)\.c$|\1|'
}

# subtracts: true if the compiler can subtract numbers of type long double, which tcc 0.9.27 cannot always. Only
# references of tests have that type.
subtracts() {
    printf '%s\n' 'static long double two(void) { return 2; }' \
        'int main(void) { double x = 7; x -= two(); return x != 5; }' >"$build/subtracts.c"
    # shellcheck disable=SC2086 # lists of words
    $compiler -o "$build/subtracts" "$build/subtracts.c" && $runner "$build/subtracts"
}

# make_in TARGET GOALS
make_in() {
    folder=$build/$1 goals=$2
    set -- variant="$folder" bin="$folder/bin/" CC="$compiler" CPPFLAGS=-Itests/portability \
        LDFLAGS="-L$folder $objects"
    [ -z "$quick" ] || set -- "$@" CFLAGS=-O1
    [ -z "$required" ] || set -- "$@" required="$required" STATIC=
    [ -z "$threadless" ] || set -- "$@" OPENMP=
    [ -z "$faulty" ] || set -- "$@" faulty_compile="$faulty"
    [ -z "$runner" ] || set -- "$@" tested="$folder/run" tested_tools="$folder/run"
    # shellcheck disable=SC2086 # a list of words
    make -j2 --no-print-directory "$@" HINGE_DATA="$data" HINGE_EMULATOR="$runner" \
        HINGE_SLOW="$slow" V=1 $goals
}

# start_by NAME PROGRAM: builds a native program that starts the foreign one.
start_by() {
    mkdir -p "$(dirname "$folder/run/$1")"
    gcc -o "$folder/run/$1" -DRUNNER="\"$runner\"" -DPROGRAM="\"$folder/$2\"" \
        tests/portability/foreign.c
}

# make_target TARGET: builds the programs and unit tests in a folder of their own. Its folder run has programs that can
# be started here.
make_target() {
    folder=$build/$1
    mkdir -p "$folder/bin"
    # shellcheck disable=SC2086 # a list of words
    $compiler -std=c99 -c -o "$folder/cmocka.o" tests/portability/cmocka.c &&
        ar rcs "$folder/libcmocka.a" "$folder/cmocka.o" || return 1
    make_in "$1" "all $(unit_tests | tr ' ' '\n' | sed "s|.*|$folder/tests/&|" | tr '\n' ' ')" ||
        return 1
    rm -rf "$folder/run"
    if [ -z "$runner" ]; then
        ln -s bin "$folder/run"
        return
    fi
    for program in train predict scale convert inspect; do
        start_by "$program" "bin/$program" && start_by "faulty/$program" "faulty/$program" ||
            return 1
    done
    start_by synth synth && start_by probe probe
}

# one BIN NAME DATA OPTION...: trains and predicts. The output leaves out times, progress, which depends on time, and
# paths of programs.
one() {
    programs=$1 name=$2 file=$3
    shift 3
    "$programs/train" "$@" "$file" "$name.model" 2>&1 |
        sed -e '/^read .* train .* write /d' -e '/pass [0-9][0-9]*[, ]/d' -e '/step [0-9][0-9]*[, ]/d' \
            -e '/^next: /d' >"$name.out"
    "$programs/predict" --output-format both "$file" "$name.model" "$name.labels" \
        >>"$name.out" 2>&1
}

# results BIN FOLDER: writes the programs' results to the folder.
results() {
    rm -rf "$2"
    mkdir -p "$2"
    (
        cd "$2" || exit 1
        cancer=$root/data/breast-cancer
        for solver in 1 2 3 ipm pnewton; do
            one "$1" "$solver" "$cancer" -s "$solver" -c 4
        done
        one "$1" smo "$cancer" -q -s smo
        for solver in pegasos sgd sgd-w sgd-suffix comid hrmd-w; do
            one "$1" "$solver" "$cancer" -s "$solver" -c 4 -T 2000
        done
        one "$1" l1 "$cancer" -s hrmd-w -T 2000 --l1 1e-3 -B 1
        one "$1" digits "$root/data/digits" -s 3 --zero-based -i 20
        one "$1" sigmoid "$cancer" -b 1 -s 3
        "$1/predict" -b 1 --metrics=json --calibration table "$cancer" sigmoid.model - \
            >probabilities 2>&1
        "$1/train" -v 3 "$cancer" >validation 2>/dev/null
        "$1/train" -C -s 3 --c-range -2:2 --metrics=json "$cancer" >search 2>/dev/null
        for file in a9a svmlight-ex1; do
            [ -n "$runner" ] || [ ! -f "$data/$file" ] || one "$1" "$file" "$data/$file" -s 1
        done
    )
}

# compare TARGET
compare() {
    results "$build/$1/run" "$build/$1/results"
    # Results that take too long under qemu are missing.
    if diff -r "$build/native/results" "$build/$1/results" |
        grep -v "^Only in $build/native/results: \(a9a\|svmlight-ex1\)[.]" >"$build/$1/difference"
    then
        fails "$1: other results than by gcc, $build/$1/difference"
    else
        pass "$1: $(find "$build/$1/results" -type f | wc -l | tr -d ' ') files of results as by gcc"
    fi
}

run_unit_tests() {
    target=$1 references=' '
    subtracts || references=' solver/passes/test_smo solver/stochastic/test_stochastic '
    set --
    for test in $(unit_tests); do
        case $references in
        *" $test "*) skips "$target: $test" "$compiler gets differences of long double wrong" ;;
        *) set -- "$@" "$build/$target/tests/$test" ;;
        esac
    done
    if HINGE_DATA=data HINGE_TEST_NUMBERS=300000 HINGE_EMULATOR="$runner" sh tests/run.sh "$@" >"$build/$target/units.log" 2>&1
    then
        pass "$target: unit tests, $(tail -n 1 "$build/$target/units.log")"
    else
        fails "$target: unit tests, $build/$target/units.log"
        cat "$build/$target/units.log"
    fi
}

run_programs() {
    if make_in "$1" program-tests >"$build/$1/cli.log" 2>&1; then
        pass "$1: tests/cli, $(tail -n 1 "$build/$1/cli.log")"
    else
        fails "$1: tests/cli, $build/$1/cli.log"
        grep -a '^FAIL' "$build/$1/cli.log" | cut -c 1-300
    fi
    grep -a '^skip' "$build/$1/cli.log" | sed "s/^skip/& $1:/"
}

try_target() {
    describe "$1"
    # shellcheck disable=SC2086 # lists of words
    if ! works $compiler; then
        install $packages
        describe "$1" # where its parts are
        if ! works $compiler; then
            skips "$1" "no $compiler here"
            return
        fi
    fi
    if [ -n "$runner" ] && ! "$runner" "$build/works" >/dev/null 2>&1; then
        skips "$1" "no $runner here"
        return
    fi
    if ! make_target "$1" >"$build/$1.log" 2>&1; then
        fails "$1: does not build, $build/$1.log"
        return
    fi
    [ "$1" != native ] || return 0
    compare "$1"
    run_unit_tests "$1"
    [ -n "$quick" ] || run_programs "$1"
}

if [ -n "$quick" ] && [ -x train ] && [ -x predict ]; then # which are gcc's, or as good
    describe native
    mkdir -p "$build/native"
    results "$root" "$build/native/results"
else
    try_target native
    results "$build/native/run" "$build/native/results"
fi
for target in "$@"; do
    try_target "$target"
done
echo "portability: $passed passed, $failed failed, $skipped skipped"
[ "$failed" = 0 ]
