#!/bin/sh
# run.sh - make fuzz: runs each fuzzer for FUZZ_SECONDS on the seeds that the tests leave, on earlier finds, and on
# inputs that it makes of them. Then runs the oracle (oracle.c) for FUZZ_SECONDS. FUZZ_SEED, by default the time,
# determines the inputs.
#
# HINGE_SEEDING_TESTS lists the unit tests that leave seeds, as make fuzz names them.
# build/fuzz/seeds keeps the seeds, and build/fuzz/corpus what the fuzzers add to them. An input that breaks something
# is in build/fuzz/finds. It goes to tests/fuzz/finds with the repair.
set -u

root=$(CDPATH='' cd "$(dirname "$0")/../.." && pwd) || exit 1
cd "$root" || exit 1
seconds=${FUZZ_SECONDS:-60}
seed=${FUZZ_SEED:-$(date +%s)}
fuzzers='reader model train solve predict scale convert inspect'
build=build/fuzz

for fuzzer in $fuzzers; do
    mkdir -p "$build/seeds/$fuzzer" "$build/corpus/$fuzzer" "$build/finds/$fuzzer"
done

HINGE_SEEDS=$root/$build/seeds
export HINGE_SEEDS
# seed_scale: adds seeds with ranges and data behind each command line of scale.
seed_scale() {
    for words in "$build"/seeds/scale/*; do
        case $words in *-files) continue ;; esac
        for data in '1 1:5 2:3 4:0.5\n-1 1:5 2:-4 3:1e-3\n1\n' '1 1:1.7e308\n-1 1:-1.7e308\n' \
            '0 0:1 7:-3\n2.5 1:5e-324\n' '1:2.5\n9:1\n'; do
            for ranges in 'x\n-1 1\n1 -5 5\n2 -4 4\n3 -8 8\n' 'x\n0 2\n0 -2 2\n7 0 1e-300\n'; do
                printf '\n--\n%b\n--\n%b' "$ranges" "$data" | cat "$words" - >"$build/seed"
                mv "$build/seed" "$build/seeds/scale/$(cksum <"$build/seed" | tr ' ' -)-files"
            done
        done
    done
}
# seed_convert: adds seeds with a map and a table behind each command line of convert.
seed_convert() {
    map='hinge-map 1\nseparator comma\ndecimal point\nmissing mean\nnames 1\ncolumn 1 number x\n'
    map=$map'column 2 category c\ncolumn 3 words y\nclass 1 a\nclass 2 b\nmean 1 5\n'
    map=$map'feature 1 1 number\nfeature 2 2 category r\nfeature 3 2 missing\n'
    for words in "$build"/seeds/convert/*; do
        case $words in *-files) continue ;; esac
        for data in 'x,c,y\n1,r,a\n?,"s ""t",b\n' '1;2,5;a\r\n0;;b' 'a b 1\n"c d" e 2\r' \
            'id\tdiagnosis\n1\tM\n' 'x,y\n5,1\n6,2\n' '1\n2\n'; do
            printf '\n--\n%b\n--\n%b' "$map" "$data" | cat "$words" - >"$build/seed"
            mv "$build/seed" "$build/seeds/convert/$(cksum <"$build/seed" | tr ' ' -)-files"
        done
    done
}
collect() {
    # shellcheck disable=SC2086 # a list of programs
    sh tests/run.sh $HINGE_SEEDING_TESTS cli/options cli/usage cli/scale cli/convert cli/inspect &&
        seed_scale && seed_convert
}
if ! collect >"$build/tests.log" 2>&1; then
    echo "make fuzz: the tests that leave the seeds fail: $build/tests.log"
    exit 1
fi
unset HINGE_SEEDS

# dictionary PROGRAM: prints the names and values of options, which the fuzzer puts together.
dictionary() {
    "${HINGE_BIN:-.}/$1" --help all |
        grep -oE -e '--?[a-zA-Z0-9-]+' -e '\b[a-z0-9-]+\b' | sort -u | sed 's/.*/"&"/'
}

# fuzz NAME: runs the fuzzer on all known inputs, then on new ones. The output goes to a file.
fuzz() {
    folders="$build/corpus/$1 $build/seeds/$1"
    [ ! -d "tests/fuzz/finds/$1" ] || folders="$folders tests/fuzz/finds/$1"
    words=$build/$1.dict
    case $1 in
    train | predict | inspect) dictionary "$1" >"$words" ;;
    scale)
        dictionary scale | cat - tests/fuzz/numbers.dict >"$words"
        printf '%s\n' '"\x0a--\x0a"' >>"$words"
        ;;
    convert)
        dictionary convert | cat - tests/fuzz/numbers.dict >"$words"
        printf '%s\n' '"\x0a--\x0a"' '"\x22"' '"\x22\x22"' '"hinge-map 1\x0a"' '" category "' \
            '"feature "' '"column "' '"2026-11-21"' '"?"' >>"$words"
        ;;
    *) words=tests/fuzz/numbers.dict ;;
    esac
    # shellcheck disable=SC2086 # lists of words
    "$build/fuzz_$1" -dict="$words" -artifact_prefix="$build/finds/$1/" -max_len=4096 \
        -timeout=20 -rss_limit_mb=1024 -malloc_limit_mb=64 -max_total_time="$seconds" -seed="$seed" \
        -print_final_stats=1 $folders >"$build/$1.log" 2>&1
    echo $? >"$build/$1.status"
}

# Two at a time.
# shellcheck disable=SC2086 # a list of words
set -- $fuzzers
while [ $# -gt 0 ]; do
    fuzz "$1" &
    [ $# -lt 2 ] || fuzz "$2"
    wait
    shift
    [ $# -eq 0 ] || shift
done

# Then the oracle.
failed=0
mkdir -p "$build/finds/oracle"
if "${HINGE_ORACLE:-build/plain/oracle}" -d "$build/finds/oracle" "${seconds}s" "$seed" \
    >"$build/oracle.log"; then
    sed -n 's/^\([0-9]* problems of seed .*\)/fuzz: oracle: \1/p' "$build/oracle.log"
else
    echo "fuzz: oracle: a find:"
    tail -n 80 "$build/oracle.log"
    failed=1
fi
for fuzzer in $fuzzers; do
    if [ "$(cat "$build/$fuzzer.status")" = 0 ]; then
        sed -n "s/^stat::number_of_executed_units: *\(.*\)/fuzz: $fuzzer: \1 inputs, no find/p" \
            "$build/$fuzzer.log"
    else
        echo "fuzz: $fuzzer: a find:"
        tail -n 40 "$build/$fuzzer.log"
        failed=1
    fi
done
exit "$failed"
