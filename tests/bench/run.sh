#!/bin/sh
# make bench: compares train and predict with LIBLINEAR's programs, on the same files, in turn on the same machine:
# whole runs, reading, time to a certified gap, memory, prediction. Then it measures, by --trace, how fast each solver
# comes near the optimum, and the time of a pass. Writes tests/bench/RESULTS.md, RESULTS.html with pictures, the rows of
# its first table that README.md quotes, and README's picture. RESULTS.md ends with LARGE.md of make bench-large. Run it
# from the top folder, after make. An argument that names the function of a section prints this section only; html only
# writes RESULTS.html again.
# HINGE_DATA: folder of the data sets; HINGE_RUNS: runs of each command (default 5).
# Needs awk, hyperfine, liblinear-tools; gnuplot for README's picture, GNU time for the memory, python3-sklearn,
# svmocas and libsvm-tools for the other peers.
# shellcheck disable=SC2034,SC2154 # variables shared with lib.sh, curves.sh and ratios.sh
set -u

data=${HINGE_DATA:-data}
runs=${HINGE_RUNS:-5}
sets='a9a w8a covtype-93k covtype.binary.scale imdb rcv1 farm-ads svmlight-ex1 20news letter digits rcv1-synth covtype-synth dense-2-synth dense-10-synth'
curve_sets='a9a w8a covtype-93k farm-ads imdb'
here=tests/bench
bench=bench
long=4 # seconds from which on a command is run only once

# shellcheck source=/dev/null
. "$here/lib.sh"
# shellcheck source=/dev/null
. "$here/curves.sh"
# shellcheck source=/dev/null
. "$here/ratios.sh"

# field NUMBER DIGITS: the number for a table.
field() { awk -v x="$1" -v digits="$2" 'BEGIN { if (x == "-") print x; else printf "%." digits "f\n", x }'; }

short() { awk -v x="$1" 'BEGIN { if (x == "-") print x; else printf "%.2g\n", x }'; }

megabytes() { wc -c <"$(path "$1")" | awk '{ printf "%.1f\n", $1 / 1e6 }'; }

# ---- From file to model ----

whole_row() {
    file=$(path "$1")
    in_turn ours "./train -j 1 -s $2 -e 0.1 '$file' '$scratch/ours.model'" \
        default "./train -s $2 -e 0.1 '$file' '$scratch/default.model'" \
        theirs "liblinear-train -s $2 -e 0.1 '$file' '$scratch/theirs.model'"
    echo "| $1 | $2 | $(field "$(median theirs)" 3) | $(field "$(median ours)" 3) |" \
        "**$(ratio theirs ours)** | $(short "$(gap ours)") | $(ratio ours default 2) |"
}

whole() {
    echo "Wall time of the whole program, stop rule \`-e 0.1\`, C = 1. The gap is the largest of the data set's"
    echo "binary problems. synth.c makes rcv1-synth (20,242 rows) and covtype-synth (581,012 rows), which have the"
    echo "size and shape of RCV1 and covtype. It also makes dense-2-synth and dense-10-synth, which have 20,000"
    echo "rows of 500 correlated features and two or ten classes. The last column divides the time of \`-j 1\` by"
    echo "the time without \`-j\`, where train takes as many threads as pay."
    echo
    echo "| data | \`-s\` | liblinear-train, s | train, s | ratio | our relative gap | one thread/default |"
    echo "|---|--:|--:|--:|--:|--:|--:|"
    for name in $sets; do
        has "$name" || continue
        cat "$(path "$name")" >/dev/null # brings the file into memory
        whole_row "$name" 1
        whole_row "$name" 3
    done
}

# ---- Threads ----

multicore=${HINGE_PEERS_BUILT:-build/peers}/liblinear-multicore-2.50/train

threads_row() {
    file=$(path "$1")
    set -- "$1" "$2" "-s $2 -e 0.1" "'$file' '$scratch/"
    if [ -x "$multicore" ]; then
        in_turn one "./train -j 1 $3 $4one'" two "./train -j 2 $3 $4two'" \
            theirs "liblinear-train $3 $4theirs'" many "$multicore -m 2 $3 $4many'"
    else
        in_turn one "./train -j 1 $3 $4one'" two "./train -j 2 $3 $4two'" theirs "liblinear-train $3 $4theirs'"
        : >"$scratch/many.time"
    fi
    cmp -s "$scratch/one" "$scratch/two" || note "$1 -s $2: two threads have another model"
    echo "| $1 | $2 | $(field "$(median theirs)" 3) | $(field "$(median many)" 3) | $(field "$(median one)" 3) |" \
        "$(field "$(median two)" 3) | $(ratio one two) | **$(ratio theirs two)** | $(ratio many two) |"
}

# speed_up WHAT DATA COMMAND: the speed of a program with two threads, relative to one.
speed_up() {
    has "$2" || return 0
    in_turn one "./train -j 1 -q $3" two "./train -j 2 -q $3"
    echo "$(median one) $(median two)" |
        awk -v what="$1" -v name="$2" '{ printf "| %s | %s | %.3f | %.3f | **%.2f** |\n", what, name, $1, $2, $1 / $2 }'
}

# reading_speed_up DATA: the speed of reading with two threads, relative to one, by reading.c.
reading_speed_up() {
    has "$1" && build/plain/reading "$(path "$1")" 2 "$runs" 2>/dev/null |
        awk -v name="$1" 'END { printf "| reading alone | %s | %.3f | %.3f | **%.2f** |\n", name, $3, $9, $14 + 0 }'
}

speed_ups() {
    echo
    echo "The next table compares whole runs of train by one thread and by two:"
    echo
    echo "| what | data | -j 1, s | -j 2, s | one/two |"
    echo "|---|---|--:|--:|--:|"
    for name in imdb covtype-synth; do
        reading_speed_up $name
    done
    for name in covtype-93k covtype-synth imdb; do
        speed_up "\`-s 2 -v 5\`" $name "-s 2 -v 5 '$(path $name)'"
        speed_up "\`-s 2 -v 10\`" $name "-s 2 -v 10 '$(path $name)'"
    done
    for name in a9a imdb; do
        speed_up "\`-s 2 -C\`" $name "-s 2 -C '$(path $name)'"
    done
    speed_up "20 classes, \`-s 2\`" 20news "-s 2 '$(path 20news)' '$scratch/m'"
    for solver in 61 2 0; do
        speed_up "\`-s $solver\`" covtype-synth "-s $solver '$(path covtype-synth)' '$scratch/m'"
    done
}

threads() {
    build reading
    if ./train -q -j 2 data/breast-cancer "$scratch/m" 2>&1 | grep -q OpenMP; then
        echo "Skipped: the compiler has no OpenMP."
        return
    fi
    if [ ! -x "$multicore" ] && [ -f "${HINGE_PEERS:-}/build.sh" ]; then
        sh "$HINGE_PEERS/build.sh" "${HINGE_PEERS_BUILT:-build/peers}" >"$scratch/built" 2>&1
    fi
    echo "Two threads, \`-j 2\`, and LIBLINEAR's multi-core edition, 2.50, with \`-m 2\`. All other tables have one thread,"
    echo "\`-j 1\`. The last three columns divide by the time of two threads: that of one thread, of liblinear-train and of"
    echo "the multi-core edition. The models of one thread and two are compared, byte for byte."
    echo
    echo "| data | \`-s\` | liblinear-train, s | multi-core, s | train, s | -j 2, s | one/two | ratio | to multi-core |"
    echo "|---|--:|--:|--:|--:|--:|--:|--:|--:|"
    for name in $sets; do
        has "$name" || continue
        threads_row "$name" 1
        threads_row "$name" 3
    done
    speed_ups
}

# ---- Reading ----

# rate DATA NAME: megabytes a second.
rate() {
    echo "$(megabytes "$1") $(median "$2")" | awk '{ if ($2 > 0) printf "%.0f\n", $1 / $2; else print "-" }'
}

reading_row() {
    file=$(path "$1")
    rm -f "$scratch"/*.time "$scratch"/*.done
    for _ in $(seq "$runs"); do
        turn ours "./train -j 1 -q -s 3 -i 1 '$file' '$scratch/ours.model'" \
            theirs "liblinear-train -q -s 3 -e 1e9 '$file' '$scratch/theirs.model'"
        build/plain/floor "$file" >"$scratch/rates"
        for column in 1 2 3 4; do
            cut -d' ' -f"$column" "$scratch/rates" >>"$scratch/rate$column.time"
        done
    done
    set -- "$1" "$(field "$(median rate1)" 0)" "$(field "$(median rate2)" 0)" \
        "$(field "$(median rate3)" 0)" "$(field "$(median rate4)" 0)"
    echo "| $1 | $(megabytes "$1") | $2 | $3 | $4 | **$5** | $(rate "$1" theirs) |" \
        "$(awk -v a="$5" -v b="$(rate "$1" theirs)" 'BEGIN { printf "%.1f", a / b }') | $(ratio theirs ours) |"
}

reading() {
    echo "Rates are in MB/s. floor.c measures the first four columns in processor time: fread alone, fread and"
    echo "memchr for the ends of lines, rows that are parsed and forgotten, and a dataset. Parsing costs five to"
    echo "eight nanoseconds for each non-zero. A non-zero ends where its digits end, so the next one cannot begin"
    echo "earlier, and at the ends of rows branches are mispredicted. Storing costs memory, which the system hands"
    echo "out in pages of 4 KiB, filled with zeros, at microseconds each. A file whose values are all 1 or whole"
    echo "numbers of a small unit needs little memory. Its dataset may even be faster than its rows, whose values"
    echo "are doubles."
    echo
    echo "liblinear-train cannot read without training, so its rate is that of whole runs with one pass over the"
    echo "rows, \`-s 3 -e 1e9\`. The last column compares such a run with \`train -q -s 3 -i 1\`."
    echo
    echo "| data | MB | fread | + memchr | + parsing | + storing | liblinear-train | ratio | whole runs |"
    echo "|---|--:|--:|--:|--:|--:|--:|--:|--:|"
    for name in a9a covtype-93k imdb farm-ads 20news rcv1-synth covtype-synth; do
        has "$name" && reading_row "$name"
    done
}

# ---- Time to a certified gap of 1e-3 ----

# theirs_at DATA SOLVER EPS
theirs_at() { echo "timeout 20 liblinear-train -s $2 -e $3 '$(path "$1")' '$scratch/theirs.model'"; }

# first_good DATA SOLVER: sets eps to the first -e whose gap is at most 1e-3, or else best_gap and best_time.
first_good() {
    eps='' best_gap=- best_time=-
    for try in 1 0.1 0.01 0.001 0.0001; do
        rm -f "$scratch"/theirs.*
        run theirs "$(theirs_at "$1" "$2" "$try")"
        came=$(their_gap "$1" "$2" 1)
        if [ "$came" != - ] && awk -v a="$came" -v b="$best_gap" 'BEGIN { exit !(b == "-" || a + 0 < b + 0) }'; then
            best_gap=$came best_time=$(median theirs) best_eps=$try
        fi
        if [ "$came" != - ] && awk -v a="$came" 'BEGIN { exit !(a <= 1e-3) }'; then
            eps=$try
            return
        fi
    done
}

certified_row() {
    first_good "$1" "$2"
    ours="./train -j 1 -s $2 -g 1e-3 '$(path "$1")' '$scratch/ours.model'"
    if [ -n "$eps" ]; then
        in_turn ours "$ours" theirs "$(theirs_at "$1" "$2" "$eps")"
        echo "| $1 | $2 | $(field "$(median ours)" 3) | $(short "$(gap ours)") | $(field "$(median theirs)" 3) |" \
            "$(short "$best_gap") | $eps | **$(ratio theirs ours)** |"
    else
        in_turn ours "$ours"
        echo "| $1 | $2 | $(field "$(median ours)" 3) | $(short "$(gap ours)") | $(field "$best_time" 3) |" \
            "$(short "$best_gap") | ${best_eps:--}, not reached |" \
            "**>$(echo "$best_time $(median ours)" | awk '{ printf "%.1f", ($1 == "-" ? 20 : $1) / $2 }')** |"
    fi
}

certified_gap() {
    echo "Whole runs again: \`train -g 1e-3\` stops when its certificate says so. LIBLINEAR has no such rule. Its"
    echo "time is that of the first of \`-e\` 1, 0.1, 0.01, 0.001, 0.0001 whose model has a relative gap of at most"
    echo "1e-3. grid_gap.c computes this gap afterwards; a user would have to try the values. If no value is enough"
    echo "within 20 s, the row has the best one, and the ratio is a lower bound. With several classes, the gap is"
    echo "that of the worst problem."
    echo
    echo "| data | \`-s\` | train, s | gap | liblinear-train, s | gap | its \`-e\` | ratio |"
    echo "|---|--:|--:|--:|--:|--:|--:|--:|"
    for name in $sets; do
        has "$name" || continue
        certified_row "$name" 1
        certified_row "$name" 3
    done
}

# ---- Dense data, at small and large C ----

dense_row() {
    file=$(path "$1")
    in_turn ours "./train -j 1 -s $2 -c $3 '$file' '$scratch/ours.model'" \
        theirs "timeout 60 liblinear-train -q -s $2 -c $3 -e 0.1 '$file' '$scratch/theirs.model'"
    echo "| $1 | $2 | $3 | $(field "$(median ours)" 3) | $(short "$(gap ours)") | $(field "$(median theirs)" 3) |" \
        "**$(ratio theirs ours)** |"
}

dense() {
    echo "Whole runs: \`train\` to its default, a certified gap of 1e-3, against \`liblinear-train -e 0.1\`, which"
    echo "proves nothing; a - took more than 60 s."
    echo
    echo "| data | \`-s\` | C | train, s | gap | liblinear-train, s | ratio |"
    echo "|---|--:|--:|--:|--:|--:|--:|"
    for name in dense-2-synth dense-10-synth; do
        for solver in 1 3; do
            for C in 1 64 4096; do
                dense_row "$name" "$solver" "$C"
            done
        done
    done
}

# ---- Other peers ----

peers_row() {
    file=$(path "$1")
    in_turn ours "./train -j 1 -s 3 -g 1e-3 '$file' '$scratch/ours.model'" \
        ocas "timeout $long svmocas -b 0 -m 1 -r 0.001 -c 1 '$file' '$scratch/ocas.model'" \
        libsvm "timeout $long svm-train -q -t 0 -c 1 '$file' '$scratch/libsvm.model'"
    echo "| $1 | $(field "$(median ours)" 3) | $(field "$(median ocas)" 3) | $(ratio ocas ours) |" \
        "$(field "$(median libsvm)" 3) | $(ratio libsvm ours) |"
}

peers() {
    echo "\`train -s 3 -g 1e-3\` is compared in whole runs, on sets of two classes with C = 1, with two other"
    echo "programs. \`svmocas -b 0 -m 1 -r 0.001\` has the same problem and stops by the same certificate."
    echo "\`svm-train -t 0\` has a free bias and its own stop rule. A - means that a program took more than $long s"
    echo "or is not installed."
    echo
    echo "| data | train, s | svmocas, s | ratio | svm-train, s | ratio |"
    echo "|---|--:|--:|--:|--:|--:|"
    for name in a9a w8a covtype-93k imdb farm-ads svmlight-ex1 rcv1-synth; do
        has "$name" && peers_row "$name"
    done
}

# ---- scikit-learn ----

# lbfgs NAME DATA TOL ITERATIONS: runs lbfgs.py, appends its time to NAME.time and writes NAME.model.
lbfgs() { "$python" $here/lbfgs.py "$(path "$2")" 1 "$3" "$4" "$scratch/$1.model" >>"$scratch/$1.time"; }

# first_tol DATA: sets tol to the first tolerance whose excess is at most 1e-3, or to - if there is none.
first_tol() {
    for tol in 1000 100 10 1 0.1 0.01 0.001 0.0001 -; do
        [ "$tol" != - ] || return 0
        lbfgs near "$1" "$tol" 100000
        if awk -v x="$(excess near.model "$1" 1 0)" 'BEGIN { exit !(x <= 1e-3) }'; then return 0; fi
    done
}

scikit_row() {
    ./train -j 1 -q -s 0 -g 1e-6 "$(path "$1")" "$scratch/tight.model"
    least
    first_tol "$1"
    rm -f "$scratch"/*.time "$scratch"/*.done
    for _ in $(seq "$runs"); do
        turn ours "./train -j 1 -s 0 -g 1e-3 '$(path "$1")' '$scratch/ours.model'"
        lbfgs default "$1" 0.0001 100
        [ "$tol" = - ] || lbfgs near "$1" "$tol" 100000
    done
    [ "$tol" != - ] || : >"$scratch/near.time"
    echo "| $1 | $(field "$(median ours)" 3) | $(short "$(excess ours.model "$1" 1 0)") |" \
        "$(field "$(median default)" 3) | $(short "$(excess default.model "$1" 1 0)") | **$(ratio default ours)** |" \
        "$tol | $(field "$(median near)" 3) | $(ratio near ours) |"
}

scikit() {
    for python in python3 /usr/bin/python3 -; do
        if "$python" -c 'import sklearn' 2>/dev/null; then break; fi
    done
    if [ "$python" = - ]; then
        echo "Skipped: scikit-learn is not installed (Debian: python3-sklearn)."
        return
    fi
    echo "\`train -s 0 -g 1e-3\` against LogisticRegression of scikit-learn" \
        "$("$python" -c 'import sklearn; print(sklearn.__version__)'), solver lbfgs, without a bias, C = 1,"
    echo "in one thread, from file to weights, lbfgs.py: at its defaults, tol = 0.0001 and 100 iterations; then at the"
    echo "first of tol = 1000, 100 ... with which P(w) is within 1e-3 of the minimum. Ours are whole runs; theirs are"
    echo "without the start of Python. The excess is that of P(w), relative, over the lower bound of a run of ours to 1e-6."
    echo
    echo "| data | train, s | excess | lbfgs, s | excess | ratio | tol for 1e-3 | lbfgs, s | ratio |"
    echo "|---|--:|--:|--:|--:|--:|--:|--:|--:|"
    for name in a9a w8a covtype-93k imdb farm-ads svmlight-ex1 rcv1-synth; do
        has "$name" && scikit_row "$name"
    done
}

# ---- Memory ----

# peak COMMAND...: the peak memory in megabytes.
peak() { "$gnu_time" -f %M -o "$scratch/peak" "$@" >/dev/null 2>&1 && awk '{ printf "%.1f\n", $1 / 1000 }' "$scratch/peak"; }

memory() {
    gnu_time=$(command -v time) || gnu_time=/usr/bin/time
    if ! "$gnu_time" -f %M -o "$scratch/peak" true >/dev/null 2>&1; then
        echo "Skipped: GNU time is not installed (Debian: time)."
        return
    fi
    echo "Largest resident set of \`train -e 0.1\` and \`liblinear-train -e 0.1\`, MB, by GNU time."
    echo
    echo "| data | file, MB | train -s 1 | train -s 3 | liblinear-train -s 1 | liblinear-train -s 3 |"
    echo "|---|--:|--:|--:|--:|--:|"
    for name in $sets; do
        has "$name" || continue
        file=$(path "$name")
        echo "| $name | $(megabytes "$name") | $(peak ./train -j 1 -s 1 -e 0.1 "$file" "$scratch/ours.model") |" \
            "$(peak ./train -j 1 -s 3 -e 0.1 "$file" "$scratch/ours.model") |" \
            "$(peak liblinear-train -s 1 -e 0.1 "$file" "$scratch/theirs.model") |" \
            "$(peak liblinear-train -s 3 -e 0.1 "$file" "$scratch/theirs.model") |"
    done
}

# ---- Prediction ----

# predict_row WHAT DATA MODEL
predict_row() {
    in_turn ours "./predict '$2' '$3' '$scratch/ours.labels'" \
        theirs "liblinear-predict '$2' '$3' '$scratch/theirs.labels'"
    equal=no
    ! cmp -s "$scratch/ours.labels" "$scratch/theirs.labels" || equal=yes
    echo "| $1 | $(wc -c <"$2" | awk '{ printf "%.1f", $1 / 1e6 }') | $(wc -c <"$3" | awk '{ printf "%.1f", $1 / 1e6 }') |" \
        "$(field "$(median theirs)" 3) | $(field "$(median ours)" 3) | **$(ratio theirs ours)** | $equal |"
}

# dense_model: a model of 1,350,000 non-zero weights, as LIBLINEAR writes them.
dense_model() {
    awk 'BEGIN {
        print "solver_type L2R_L2LOSS_SVC_DUAL\nnr_class 2\nlabel 1 -1\nnr_feature 1350000\nbias -1\nw"
        for (j = 1; j <= 1350000; j++) printf "%.17g \n", sin(j) / 7
    }'
}

prediction() {
    echo "Whole runs of predict and liblinear-predict with the same model, LIBLINEAR's of \`-e 0.1\`; a model of"
    echo "1,350,000 features on the first 10 rows of a9a.t measures how fast a model is read."
    echo
    echo "| rows | MB | model, MB | liblinear-predict, s | predict, s | ratio | same labels |"
    echo "|---|--:|--:|--:|--:|--:|---|"
    for name in imdb a9a covtype-93k covtype-synth; do
        has "$name" || continue
        file=$(path "$name")
        liblinear-train -q -e 0.1 "$file" "$scratch/predict.model" >/dev/null 2>&1
        [ ! -f "$file.t" ] || file=$file.t
        predict_row "${file##*/}" "$file" "$scratch/predict.model"
    done
    has a9a && [ -f "$data/a9a.t" ] || return 0
    head -n 10 "$data/a9a.t" >"$scratch/ten"
    dense_model >"$scratch/dense.model"
    predict_row "10 rows, 1.35 M features" "$scratch/ten" "$scratch/dense.model"
}

# ---- What bounds it ----

bounded='covtype-93k,1 covtype-93k,3 imdb,1 imdb,3 20news,1 rcv1-synth,3 covtype-synth,1 covtype-synth,3 dense-2-synth,3'

# phases NAME: appends the seconds of the three phases in NAME's report to read.time, train.time and write.time.
phases() {
    for column in 2 5 8; do
        awk -v column="$column" '/^read [0-9.]+ s, train/ { print $column }' "$scratch/$1.report" \
            >>"$scratch/phase$column.time"
    done
}

# instructions FUNCTION: the instructions of a function in the last run of callgrind.
instructions() {
    callgrind_annotate --inclusive=yes --threshold=100 "$scratch/callgrind" 2>/dev/null |
        awk -v name=":$1" 'index($0, name) { gsub(",", "", $1); print $1; found = 1; exit } END { if (!found) print 0 }'
}

# bounds_row DATA SOLVER: a line of numbers for each phase.
bounds_row() {
    file=$(path "$1")
    options="-s $2 -e 0.1 '$file' '$scratch/ours.model'"
    rm -f "$scratch"/*.time "$scratch"/*.done
    for _ in $(seq "$runs"); do
        turn ours "./train -j 1 $options"
        phases ours
    done
    eval "valgrind --tool=callgrind --callgrind-out-file='$scratch/callgrind' ./train -j 1 -q $options" >"$scratch/ours.report" 2>&1 ||
        note "callgrind failed on $1"
    eval "./train -j 1 -q --trace '$scratch/trace' $options" >/dev/null
    # shellcheck disable=SC2046 # three numbers
    set -- "$1" "$2" $(build/plain/bounds "$file")
    passes=$(awk -F, 'NR > 1 { if ($1 != problem) sum += last; problem = $1; last = $3 } END { print sum + last }' "$scratch/trace")
    echo "read $1 $2 $(wc -c <"$file") $5 $(median phase2) $(instructions hinge_dataset_read)"
    echo "train $1 $2 $passes $5 $(median phase5) $(instructions hinge_train) $4"
    echo "write $1 $2 $(wc -c <"$scratch/ours.model") $(wc -l <"$scratch/ours.model") $(median phase8) $(instructions hinge_model_write)"
}

bounds() {
    if ! command -v callgrind_annotate >/dev/null 2>&1; then
        echo "Skipped: valgrind is not installed."
        return
    fi
    build bounds
    build/plain/bounds >"$scratch/rates"
    for row in $bounded; do
        ! has "${row%,*}" || bounds_row "${row%,*}" "${row#*,}"
    done >"$scratch/rows"
    awk -f $here/bounds.awk "$scratch/rates" "$scratch/rows"
}

# ---- The page ----

# section TITLE FUNCTION
section() {
    note "$(($(date +%s) - start)) s: $1"
    printf '\n## %s\n\n' "$1"
    "$2"
}

absent() {
    for name in $sets; do
        has "$name" || printf ' %s' "$name"
    done
}

page() {
    echo "# Measurements, against LIBLINEAR"
    echo
    echo "\`make bench\` writes this page. Times are medians of $runs runs, taken in turn; a program that takes"
    echo "longer than $long s runs once."
    [ -z "$(absent)" ] || printf '\nNot there, so skipped:%s\n' "$(absent)"
    echo
    machine_line
    echo
    ratios
    cat "$scratch/sections"
    if [ -f $here/LARGE.md ]; then
        echo
        sed 's/^#/##/' $here/LARGE.md
    fi
}

# quote SECTIONS FILE: prints the file with new numbers in its rows of the first table. These rows lack the last column.
quote() {
    awk '
        { split($0, field, "|"); key = field[2] field[3] }
        FILENAME == ARGV[1] && /^## / { first = /From file to model/ }
        FILENAME == ARGV[1] { if (first && sub(/[^|]*[|]$/, "")) row[key] = $0; next }
        /^[|].*[*][*] [|] [^|]* [|]$/ && key in row { $0 = row[key] }
        { print }' "$1" "$2"
}

start=$(date +%s)
if [ "${1-}" = html ]; then
    draw $here/RESULTS.md
    exit
fi
build grid_gap
build floor
synthesise
if [ $# -gt 0 ]; then
    "$1"
    exit
fi
{
    section "From file to model" whole
    section "Threads" threads
    section "Reading" reading
    section "Time to a certified gap" certified_gap
    section "Dense data, at small and large C" dense
    section "Other peers" peers
    section "scikit-learn" scikit
    section "Memory" memory
    section "Prediction" prediction
    section "What bounds it" bounds
    section "Towards the optimum" curves
    section "What a pass costs" growth
} >"$scratch/sections"
page >"$scratch/page" && mv "$scratch/page" $here/RESULTS.md && draw $here/RESULTS.md
quote "$scratch/sections" README.md >"$scratch/readme" && cat "$scratch/readme" >README.md
note "$(($(date +%s) - start)) s: $here/RESULTS.md is written"
