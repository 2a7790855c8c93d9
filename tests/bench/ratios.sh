# ratios.sh - the picture of what the tables of make bench say: how many times better than LIBLINEAR.
# Sourced by run.sh, behind curves.sh.
# shellcheck shell=sh disable=SC2154

# table TITLE PROGRAM: the rows of that section's tables, their cells being $2, $3 ..., through an awk program.
table() {
    awk -F ' *[|] *' -v title="## $1" "
        /^## / { here = \$0 == title }
        here && /^[|] [^ ]/ && !/^[|] (data|rows) / { gsub(/[*]/, \"\"); $2 }" "$scratch/sections"
}

# both: two lines of a data set, for -s 1 and -s 3, as one.
both() { awk '$2 == 1 { first[$1] = $3 } $2 == 3 { print $1, first[$1], ($3 == "" ? "-" : $3) }'; }

ratios() {
    mkdir "$scratch/ratios"
    # shellcheck disable=SC2016 # awk's fields
    {
        table "Reading" 'print $2, $9, "-"' >"$scratch/ratios/reading"
        table "From file to model" 'print $2, $3, $6' | both >"$scratch/ratios/whole"
        table "Time to a certified gap" 'print $2, $3, $9' | both >"$scratch/ratios/certified"
        table "Memory" 'print $2, $6 / $4, $7 / $5' >"$scratch/ratios/memory"
        table "Prediction" 'sub(/ rows, .*/, "-rows", $2); print $2, $7, "-"' >"$scratch/ratios/prediction"
    }
    plots bench-ratios.png ratios "$scratch/ratios"
    echo
    echo "LIBLINEAR's time or memory over ours, our rate of reading over its, of the tables below; the axes are"
    echo "logarithmic."
}
