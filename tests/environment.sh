# environment.sh - what the tests' outcome must not depend on, for tests/run.sh and tests/cli/run.sh.
# shellcheck shell=sh

LC_ALL=C
export LC_ALL
umask 022 # tests look at who may read what
unset CDPATH POSIXLY_CORRECT
# The user's wishes about threads. Tests have many and little work for each: where they spun while they wait, as those
# of a shared libgomp do, data/pieces took six times as long.
# shellcheck disable=SC2046 # a list of names
unset OMP_NUM_THREADS $(env | sed -E -n 's/^((OMP|GOMP|KMP)_[A-Z_]*)=.*/\1/p')
OMP_WAIT_POLICY=passive
export OMP_WAIT_POLICY

# scratch_folder: makes a folder for temporary files and prints its name, which has no blank. Programs can be
# started there: where TMPDIR or /tmp is mounted without that right, it is below build.
scratch_folder() {
    for parent in "${TMPDIR:-/tmp}" /tmp "$1/build"; do
        case $parent in *[[:blank:]]*) continue ;; esac
        scratch=$(TMPDIR=$parent mktemp -d 2>/dev/null) || continue
        printf '#!/bin/sh\n' >"$scratch/program" && chmod +x "$scratch/program" && "$scratch/program" 2>/dev/null &&
            rm "$scratch/program" && printf '%s\n' "$scratch" && return
        rm -rf "$scratch"
    done
    echo 'There is no folder for temporary files in which programs can be started: set TMPDIR' >&2
    return 1
}
