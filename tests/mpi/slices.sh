# slices.sh - messages of more bytes than a call of MPI takes go in several: with a limit of a few bytes.
# shellcheck shell=sh

# shellcheck source=tests/mpi/lib.sh
. "$ROOT/tests/mpi/lib.sh"

objects=$(find "$ROOT/build/plain/cli" -name '*.o' 2>/dev/null |
    grep -v -E '/(train|predict|scale|convert|inspect|document)[.]o$')
if is_sanitized || [ -z "$objects" ]; then
    skips slices 'done with the plain build'
    return
fi
mkdir few
# shellcheck disable=SC2086 # a list of words
if ! "${MPICC:-mpicc}" -std=c99 -O1 -DHINGE_MPI_SLICE=100 -I"$ROOT/include" -I"$ROOT/src" -o few/train-mpi \
    "$ROOT"/src/mpi/*.c $objects "$ROOT/build/plain/libhinge.a" ${HINGE_OPENMP:-} -lm 2>errors; then
    skips slices "what the plain build has cannot be linked: $(head -n 1 errors)"
    return
fi
ranks 1 -q -s 2 "$CANCER" one
usual=$BIN
BIN=$PWD/few
for size in 2 3; do
    ranks "$size" -q -s 2 "$CANCER" many
    same "slices, $size ranks: exit status" "0 " "$STATUS $(cat "$ERR")"
    same_bytes "slices, $size ranks" one many
done
BIN=$usual
