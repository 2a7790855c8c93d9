# bounds.awk - the section "What bounds it" of RESULTS.md: rates of the machine (bounds.c), then rows of
# run.sh: phase, data, solver, ... seconds, instructions.

function share(part, whole) { return whole > 0 ? sprintf("%.0f %%", 100 * part / whole) : "-" }

NR == FNR {
    reading = $1; writing = $2; page = $3; cycle = $4
    print "What the machine gives one thread, measured by bounds.c: memory is read in order at " $1 " GB/s and written at"
    print $2 " GB/s; a page of 4 KiB that a program uses for the first time costs " $3 " microseconds, which is"
    printf "%.1f GB/s; a cycle, as a chain of additions goes, takes %.2f ns; a load whose address the load before it\n", 4.096 / $3, $4
    print "gives takes " $5 " ns in 1 MiB, " $6 " ns in 16 MiB, " $7 " ns in 512 MiB. Instructions are counted by"
    print "callgrind; processors of today can finish four to six a cycle where none waits for another."
    next
}

$1 == "read" && !($2 in seen) {
    seen[$2] = 1
    pages = $5 / 4096 * page * 1e-6
    moved = 2 * $4 / 1e9 / reading + $5 / 1e9 / writing
    read_row[++reads] = sprintf("| %s | %.1f | %.1f | %.3f | %s | %s | %.1f | %.1f |", $2, $4 / 1e6, $5 / 1e6, $6,
        share(moved, $6), share(pages, $6), $7 / $4, $6 > 0 ? $7 * cycle * 1e-9 / $6 : 0)
}

$1 == "train" {
    moved = $4 * $5 / 1e9
    train_row[++trains] = sprintf("| %s | %s | %.1f | %.2f | %.3f | %s | %.2f | %.1f | %.1f |", $2, $3, $4, moved, $6,
        share(moved / reading, $6), $6 * 1e9 / ($4 * $8), $7 / ($4 * $8), $6 > 0 ? $7 * cycle * 1e-9 / $6 : 0)
}

$1 == "write" && $6 >= 0.002 {
    write_row[++writes] = sprintf("| %s | %s | %.1f | %.3f | %s | %.1f | %.1f |", $2, $3, $4 / 1e6, $6,
        share(2 * $4 / 1e9 / writing, $6), $7 / $4, $7 * cycle * 1e-9 / $6)
}

END {
    print "\n### Reading\n"
    print "Memory: the time that the file's bytes, read and copied once, and the dataset's take at the rates above, of all.\n" \
        "Pages: the time in which the system hands out the dataset's memory. Per byte of the file.\n"
    print "| data | file, MB | dataset, MB | read, s | memory | pages | instructions a byte | a cycle |"
    print "|---|--:|--:|--:|--:|--:|--:|--:|"
    for (k = 1; k <= reads; k++) print read_row[k]
    print "\nReading waits neither for memory nor for the file. Instructions take its time. Few of them finish in a\n" \
        "cycle if the branches at the ends of rows and numbers are mispredicted. Pages take most of the remaining\n" \
        "time."
    print "\n### Training\n"
    print "Stop rule `-e 0.1`. A pass is as many visits of rows as there are rows; GB is what rows of the dataset these\n" \
        "visits touch, memory the time it takes at the rate above. ns and instructions are for each non-zero of a\n" \
        "visited row; forming X'WX does more than one addition with each.\n"
    print "| data | `-s` | passes | GB | train, s | memory | ns | instructions | a cycle |"
    print "|---|--:|--:|--:|--:|--:|--:|--:|--:|"
    for (k = 1; k <= trains; k++) print train_row[k]
    print "\nSparse rows: a visit is an index and a value to fetch, a multiplication and an addition, once for the margin and\n" \
        "once for the change of w, and w itself waits in a cache; at three and four instructions a cycle the processor is\n" \
        "busy, and only fewer visits, or fewer instructions for each, would be faster. Dense rows have no index and are\n" \
        "taken eight at a time: there memory is the bound."
    print "\n### Writing\n"
    print "Models that take 2 ms and more.\n"
    print "| data | `-s` | model, MB | write, s | memory | instructions a byte | a cycle |"
    print "|---|--:|--:|--:|--:|--:|--:|"
    for (k = 1; k <= writes; k++) print write_row[k]
    print "\nEach number is brought to its shortest decimal form, digits that depend on each other: few instructions finish a\n" \
        "cycle."
}
