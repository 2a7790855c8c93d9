# ratios.sh - makes pictures from the tables of make bench: how many times better than LIBLINEAR.
# Sourced by run.sh, after curves.sh.
# shellcheck shell=sh disable=SC2154

# table TITLE PROGRAM: runs an awk program over the rows of the tables in the section TITLE. Cells are $2, $3 ...
table() {
    awk -F ' *[|] *' -v title="## $1" "
        /^## / { here = \$0 == title }
        here && /^[|] [^ ]/ && !/^[|] (data|rows) / { gsub(/[*]/, \"\"); $2 }" "$scratch/sections"
}

# both: joins the two lines of a data set, for -s 1 and -s 3.
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
    if ! command -v gnuplot >/dev/null 2>&1; then
        echo "No picture bench-ratios.png: gnuplot is not installed."
    elif gnuplot -c "$here/bench_plots.gp" "$here/bench-ratios.png" "$scratch/ratios" >&2; then
        echo "![LIBLINEAR's time or memory over ours](bench-ratios.png)"
    else
        echo "No picture bench-ratios.png: gnuplot failed."
    fi
    echo
    echo "LIBLINEAR's time or memory over ours, our rate of reading over its, of the tables below. An arrow says that"
    echo "LIBLINEAR never gets there: the ratio is that of the time in which it did not. This page with all its pictures"
    echo "is [RESULTS.html](RESULTS.html)."
    echo
    ratio_figures | figure ratios
}

ratio_figures() {
    echo reading whole certified memory prediction | tr ' ' '\n' | while read -r file; do
        case $file in
        reading) title='Reading: our rate over that of LIBLINEAR' ;;
        whole) title='From file to model, -e 0.1: seconds of LIBLINEAR over ours' ;;
        certified) title='To a certified gap of 1e-3: seconds of LIBLINEAR over ours' ;;
        memory) title='Peak memory: that of LIBLINEAR over ours' ;;
        prediction) title='Prediction: seconds of LIBLINEAR over ours' ;;
        esac
        printf 'bars\t%s\t%s\tdata and -s\ttimes better\n' "$title" \
            "The longer, the better.$(! grep -q '>' "$scratch/ratios/$file" ||
                echo ' An arrow: LIBLINEAR never gets there.')"
        awk '$3 == "-" { printf "bar\t%s\t%s\n", $1, $2; next }
            { printf "bar\t%s, 1\t%s\nbar\t%s, 3\t%s\n", $1, $2, $1, $3 }' "$scratch/ratios/$file"
    done
}
