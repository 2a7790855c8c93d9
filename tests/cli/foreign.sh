# foreign.sh - files of other programs: linear models of LIBSVM are read. Messages about others name the program and
# say what to do.
# shellcheck shell=sh disable=SC2016 # awk programs

# ---- Models of LIBSVM --------------------------------------------------

# Two features, w = 2 (1, 0.5) - 3 (0, 1) + 1 (-1, 0) = (1, -2), and the bias 0.25.
printf '%s\n' 'svm_type c_svc' 'kernel_type linear' 'nr_class 2' 'total_sv 3' 'rho -0.25' 'label 5 -7' \
    'probA -1.5' 'probB 0.5' 'nr_sv 1 2' SV '2 1:1 2:.5' '-3  2:1 ' '1 1:-1' >two
printf '%s\n' '5 1:1' '-7 2:1' '-7 1:-0.5' '5 1:3 2:1.5' '-7' '5 3:9' >rows
succeeds 'two classes: predict' predict rows two labels
same 'two classes: labels' '5 -7 -7 5 5 5' "$(paste -s -d ' ' labels)"
same 'two classes: accuracy' 'Accuracy = 83.3333% (5/6)' "$(tail -n 1 "$OUT")"
succeeds 'two classes: decision values' predict -q -d rows two -
same 'two classes: <w, x> + b' '1.25 -1.75 -0.25 0.25 0.25 0.25' "$(paste -s -d ' ' "$OUT")"
succeeds 'two classes: probabilities' predict -q -b 1 rows two -
same 'two classes: 1/(1 + exp(A f + B))' 'labels 5 -7;5 0.798187 0.201813' "$(sed 2q "$OUT" | paste -s -d ';' -)"
run inspect -n 2 two
for line in 'classes = 2: 5 -7' 'features = 2, indices from 1' 'bias term = 0.25'; do
    holds "two classes: inspect: $line" grep -q -x "$line" "$OUT"
done
sed 's/ 1:/ 0:/; s/ 2:/ 1:/' two >from0
sed 's/ 1:/ 0:/; s/ 2:/ 1:/' rows >rows0
succeeds 'indices from 0' predict -q -d rows0 from0 -
same 'indices from 0: <w, x> + b' '1.25 -1.75 -0.25 0.25 0.25 0.25' "$(paste -s -d ' ' "$OUT")"
printf '%s\n' 'svm_type epsilon_svr' 'kernel_type linear' 'nr_class 2' 'total_sv 1' 'rho 3' SV '2 2:4' >number
succeeds 'a regression' predict -q rows number -
same 'a regression: numbers' '-3 5 -3 9 -3 -3' "$(paste -s -d ' ' "$OUT")"
printf '%s\n' 'svm_type one_class' 'kernel_type linear' 'nr_class 2' 'total_sv 1' 'rho 0.5' SV '1 1:1' >one
succeeds 'one class' predict -q rows one -
same 'one class: labels' '1 -1 -1 1 -1 -1' "$(paste -s -d ' ' "$OUT")"

head -n 12 two >"cut"
refuses 'a model that is cut short' 1 \
    'cut:13:1: 2 support vectors, but total_sv is 3: the model is cut short, or not one of LIBSVM' predict rows cut new
sed 's/linear/rbf/' two >rbf
refuses 'another kernel' 1 "rbf:2:13: a model of LIBSVM with the kernel rbf, which has no weights of features: \
svm-predict reads it, and svm-train -t 0 makes one that predict reads" predict rows rbf new
sed 's/nr_class 2/nr_class 3/' two >three
refuses 'three classes' 1 "three:3:11: a model of LIBSVM with 3 classes, which vote in pairs: svm-predict reads it, \
and train makes one with weights for each class" predict rows three new
sed '/^rho/d' two >bad
refuses 'no rho' 1 'bad:10:1: rho is missing before SV' predict rows bad new
sed 's/ 2:1 / x:1/' two >bad
refuses 'a faulty support vector' 1 "bad:12:5: 'x:1' is no index:value pair" predict rows bad new
sed '/^SV/,$d' two >bad
refuses 'no support vectors' 1 'bad:10:1: SV expected' predict rows bad new

if starts svm-train && starts svm-predict; then
    awk '{ if (NR % 2) print >"train.half"; else print >"test.half" }' "$CANCER"
    for type in '-s 0' '-s 1 -n 0.1' '-s 0 -b 1' '-s 2' '-s 3' '-s 4'; do
        # shellcheck disable=SC2086
        svm-train -q -t 0 $type train.half peer
        case $type in *-b*) probability='-b 1' ;; *) probability='' ;; esac
        # shellcheck disable=SC2086
        svm-predict $probability test.half peer expected >/dev/null
        # shellcheck disable=SC2086
        succeeds "svm-train $type" predict -q $probability test.half peer came
        holds "svm-train $type: as svm-predict" awk 'NR == FNR { line[NR] = $0; next }
            { n = split(line[FNR], e, " ") }
            { for (k = 1; k <= n; k++) if (e[k] != $k && (e[k] - $k) ^ 2 > 1e-10) wrong = 1 }
            END { if (wrong || FNR != length(line)) exit 1 }' expected came
    done
else
    skips 'svm-predict' 'libsvm-tools are not installed'
fi

# ---- Files that are something else -------------------------------------

# is_named FILE DATA_PLACE MODEL_PLACE KIND: train, predict and scale name the kind of the file given as data, predict
# and inspect the kind of the file given as a model.
is_named() {
    refuses "train $1" 1 "$1:$2; the file looks like $4" train "$1" new
    refuses "predict $1" 1 "$1:$2; the file looks like $4" predict "$1" two new
    refuses "scale $1" 1 "$1:$2; the file looks like $4" scale "$1" new
    [ -z "$3" ] && return
    refuses "predict with $1" 1 "$1:$3; the file looks like $4" predict rows "$1" new
    refuses "inspect $1" 1 "$1:$3; the file looks like $4" inspect "$1"
}
is_named two "1:1: label 'svm_type' is not a number" '' 'a model of LIBSVM: is the order of the arguments right?'
printf '%s\n' '%%MatrixMarket matrix coordinate real general' '2 2 1' '1 1 3' >market
is_named market "1:1: label '%%MatrixMarket' is not a number" "1:1: '%%MatrixMarket' is no key of a model" \
    "a Matrix Market file: in Python, dump_svmlight_file of sklearn.datasets writes what scipy.io.mmread reads of it \
as data"
"$BIN/scale" -q -s ranges rows s
is_named ranges "1:1: label 'x' is not a number" "1:1: 'x' is no key of a model" \
    'ranges of scale: scale -r RANGES DATA SCALED takes them'
counted='data with the numbers of rows, features and labels in the first line: tail -n +2 FILE > DATA leaves it out'
printf '%s\n' '2 5 3' '1,2 0:1 3:2' '2 1:1' >counts
is_named counts "1:4: no ':' after feature index 5" "1:1: '2' is no key of a model" "$counted"
printf '%s\r\n' '3 5 3' ' 0:1 3:2' '2 1:1' '1 0:4' >counts
is_named counts "1:4: no ':' after feature index 5" '' "$counted"
tail -n +2 counts >headless
sed 's/^ /1 /' headless >labelled
succeeds 'what it says works' train -q --zero-based labelled model
refuses 'ranges that are a model' 1 "two:1:1: 'svm_type' where a file of ranges has x; the file looks like \
a model of LIBSVM: is the order of the arguments right?" scale -r two rows new
printf '3 4 5\n6 7 8\n' >table
run train table new
holds 'three numbers alone are a table' grep -q 'a table with blanks between columns' "$ERR"
