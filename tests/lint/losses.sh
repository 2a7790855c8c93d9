#!/bin/sh
# Losses are told apart in problem/loss.h, and their generalisations to all classes in problem/class_loss.h. Elsewhere,
# the name of a loss may occur only in the registry, which says what each solver minimises, and in the call of a
# template. Strings, such as the names of solvers in models, are not checked.
set -u

# shellcheck disable=SC2016 # the dollars are awk's
find src -name '*.[ch]' ! -path src/problem/loss.h ! -path src/problem/class_loss.h \
    ! -path src/solver/loop/registry.c | sort | xargs awk '
    {
        line = $0
        gsub(/"[^"]*"/, "", line)
        sub(/\/\*.*/, "", line)
        if (line !~ /(^|[^A-Z_0-9])LOSS_[A-Z]/ || line ~ /^[ \t]*[a-z_]+_as\(/) next
        printf "%s:%d:1: %s: a loss is named outside of the files of losses\n", FILENAME, FNR, $0
        failed = 1
    }
    END { exit failed }'
