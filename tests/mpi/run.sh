#!/bin/sh
# run.sh - tests of train-mpi: sh tests/mpi/run.sh [subject ...], with the variables of tests/cli/run.sh.
set -u
here=$(CDPATH='' cd "$(dirname "$0")" && pwd) || exit 1
if [ ! -x "${HINGE_BIN:-$here/../..}/train-mpi" ]; then
    echo "tests/mpi: there is no program train-mpi in ${HINGE_BIN:-$here/../..}: make mpi" >&2
    exit 1
fi
SUBJECTS_OF=$here exec sh "$here/../cli/run.sh" "$@"
