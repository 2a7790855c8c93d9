# slices.sh - messages of more bytes than a call of MPI takes go in several: with a limit of a few bytes.
# shellcheck shell=sh

# shellcheck source=tests/mpi/lib.sh
. "$ROOT/tests/mpi/lib.sh"

# The archives hold the objects of the present sources; their folder may have objects of deleted ones as well.
cli=$ROOT/build/plain/libcli.a
if is_sanitized || [ ! -f "$cli" ]; then
    skips slices 'done with the plain build'
    return
fi
mkdir few
# shellcheck disable=SC2086 # words
if ! "${MPICC:-mpicc}" -std=c99 -O1 -DHINGE_MPI_SLICE=100 -I"$ROOT/include" -I"$ROOT/src" -o few/train-mpi \
    "$ROOT"/src/mpi/*.c "$cli" "$ROOT/build/plain/libhinge.a" ${HINGE_OPENMP:-} -lm 2>errors; then
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
