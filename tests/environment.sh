# environment.sh - sets the environment of all tests, so that they do not depend on the user's; for tests/run.sh and
# tests/cli/run.sh.
# shellcheck shell=sh

LC_ALL=C
export LC_ALL
umask 022 # tests look at who may read what
unset CDPATH POSIXLY_CORRECT
# The user's settings of threads are removed. Tests begin many threads with little work each, so threads must not spin
# while they wait, as they do by default with a shared libgomp: data/test_parallel_reader took six times as long.
# shellcheck disable=SC2046 # a list of names
unset OMP_NUM_THREADS $(env | sed -E -n 's/^((OMP|GOMP|KMP)_[A-Z_]*)=.*/\1/p')
OMP_WAIT_POLICY=passive
export OMP_WAIT_POLICY

# scratch_folder ROOT: makes a folder for temporary files and prints its name, which has no blank. Programs can be
# started in it. It is below TMPDIR, /tmp or ROOT/build, the first that allows this.
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
