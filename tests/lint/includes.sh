#!/bin/sh
# The rooms of src/: base <- text <- report <- data <- problem <- solver <- model <- learn <- cli <- mpi. A file may
# include headers of its own room, of rooms to the left of it, public headers (include/hinge*.h), and headers of the C99
# standard library. Two files also include headers of compilers.
set -u

# shellcheck disable=SC2016 # the dollars are awk's
find src include -name '*.[ch]' | sort | xargs awk '
    BEGIN {
        rooms = split("base text report data problem solver model learn cli mpi", name, " ")
        for (k = 1; k <= rooms; k++) level[name[k]] = k
        headers = split("assert complex ctype errno fenv float inttypes iso646 limits locale math " \
            "setjmp signal stdarg stdbool stddef stdint stdio stdlib string tgmath time wchar wctype",
            header, " ")
        for (k = 1; k <= headers; k++) standard[header[k] ".h"] = 1
    }
    function complain(reason) {
        printf "%s:%d:1: %s: %s\n", FILENAME, FNR, $0, reason
        failed = 1
    }
    /^[ \t]*#[ \t]*include/ {
        split(FILENAME, path, "/")
        here = path[1] == "include" ? 0 : level[path[2]]
        if (path[1] == "src" && !here) complain("a folder without a place in the order")
        if (match($0, /<[^>]*>/)) {
            file = substr($0, RSTART + 1, RLENGTH - 2)
            if (file == "mpi.h" && path[2] == "mpi") next
            # extras of compilers
            if (file == "omp.h" && FILENAME == "src/base/compiler.h") next
            if (file == "cpuid.h" && FILENAME == "src/base/compiler.c") next
            if (!(file in standard)) complain("not a C99 header")
        } else if (match($0, /"[^"]*"/)) {
            target = substr($0, RSTART + 1, RLENGTH - 2)
            if (target ~ /^hinge(_metrics|_team|_text)?\.h$/) next
            split(target, part, "/")
            if (!level[part[1]]) complain("not ROOM/FILE.h")
            else if (level[part[1]] > here) complain("points upwards")
        } else {
            complain("neither <...> nor \"...\"")
        }
    }
    END { exit failed }
'
