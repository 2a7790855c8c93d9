#!/bin/sh
# The rooms of src/solver: linear <- passes, newton, sparse, stochastic <- loop. A file includes headers of its own room
# and of rooms to the left of it. loop/method.h is for every room: by this contract the loop calls the methods. A room
# has at most FILES files of C.
set -u
FILES=15

# shellcheck disable=SC2016 # the dollars are awk's
find src/solver -name '*.[ch]' | sort | xargs awk -v files="$FILES" '
    BEGIN {
        level["linear"] = 1
        level["passes"] = level["newton"] = level["sparse"] = level["stochastic"] = 2
        level["loop"] = 3
    }
    FNR == 1 {
        split(FILENAME, path, "/")
        room = path[3]
        if (!(room in level)) {
            print FILENAME ":1:1: a room without a place in the order"
            failed = 1
        }
        if (FILENAME ~ /[.]c$/ && ++sources[room] == files + 1) {
            print FILENAME ":1:1: the room has more than " files " files of C"
            failed = 1
        }
    }
    match($0, /^#include "solver\/[a-z]+\//) && !/"solver\/loop\/method[.]h"/ {
        target = substr($0, 18, RLENGTH - 18)
        if (target != room && level[target] >= level[room]) {
            print FILENAME ":" FNR ":1: " $0 " runs backward"
            failed = 1
        }
    }
    END { exit failed }'
