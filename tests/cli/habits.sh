# habits.sh - one-liners from scripts that read LIBLINEAR's output find the same words in hinge's.
# shellcheck shell=sh

if [ -n "${HINGE_EMULATOR:-}" ]; then
    skips habits "one-liners start the programs directly, without $HINGE_EMULATOR"
    return
fi

# Each line has a one-liner and its output, with N for each number and one blank for several. The one-liners use
# the files d (two classes), t (its test part) and r (a regression), and files that earlier one-liners have written.
one_liners() {
    cat <<'TABLE'
train -v 5 d | tail -1	Cross Validation Accuracy = N%
train -v 5 d | tail -n 1 | awk '{ print $5 }'	N%
train -v 5 d | tail -1 | cut -d' ' -f5	N%
train -v 5 d | tail -1 | cut -d= -f2	 N%
train -v 5 d | awk 'END { print $NF }'	N%
train -v 5 d | grep Cross | sed 's/.*= //; s/%//'	N
train -v 5 d | sed '$!d; s/[^0-9.]//g'	N
train -v 5 d | sed -n 's/^Cross Validation Accuracy = \(.*\)%$/\1/p'	N
train -v 5 d | grep Accuracy | grep -o '[0-9.]*%'	N%
train -v 5 -q d | wc -l	N
train -q -v 5 d >cv; cat cv	Cross Validation Accuracy = N%
for c in 0.5 1 2; do train -q -c $c -v 3 d | awk '{ print $NF }'; done | sort -g | tail -1	N%
for s in 0 1 2 3 5 6 7; do train -s $s -v 3 d | tail -1 | cut -d' ' -f2,5; done | sort -u | head -1	Validation N%
train -v 3 -s 11 r | tail -1	Cross Validation Squared correlation coefficient = N
train -v 3 -s 11 r | tail -1 | awk '{ print $NF }'	N
train -v 3 -s 12 r | tail -2 | head -1	Cross Validation Mean squared error = N
train -v 3 -s 13 r | grep 'Mean squared error' | awk '{ print $7 }'	N
train -C -s 0 d >search; tail -1 search	Best C = N CV accuracy = N%
tail -1 search | awk '{ print $4 }'	N
tail -1 search | awk '{ print $NF }'	N%
sed -n 's/^Best C = \([^ ]*\)  CV accuracy = \(.*\)%$/\1 \2/p' search	N N
head -1 search	Doing parameter search with N-fold cross validation.
grep log2c search | awk '{ print $NF }' | head -1	rate=N
grep log2c search | awk -F= '{ print $3 }' | sort -g | tail -1	N
grep log2c search | cut -f2 | cut -d= -f2 | sort -g | head -1	N
grep '^log2c' search | tail -1	logNc= N	rate=N
train -C -s 2 -v 3 d | tail -1 | cut -d' ' -f4	N
train -C -s 11 -p 0.1 -v 2 r >search11; tail -1 search11	Best C = N Best p = N CV MSE = N
tail -1 search11 | awk '{ print $4, $8, $NF }'	N N N
grep log2c search11 | awk '{ print $NF }' | head -1	error=N
train d m >log; grep nSV log | awk '{ print $3 }'	N
awk -F'= ' '/^Objective value/ { print $2 }' log	N
sed -n 's/.*#iter = //p' log	N
train -q d m | wc -c	N
predict t m out | tail -1	Accuracy = N% (N/N)
predict t m out | awk '{ print $3 }'	N%
predict t m out | cut -d'(' -f2 | tr -d ')'	N/N
predict t m out | sed 's/Accuracy = \([0-9.]*\)%.*/\1/'	N
predict t m out | grep -o '[0-9]*/[0-9]*'	N/N
predict -q t m out; sort -u out | wc -l	N
train -q -s 0 d m0; predict -b 1 t m0 p | tail -1; head -1 p	Accuracy = N% (N/N) labels N N
train -q -s 11 r mr; predict r mr out >scores; head -1 scores	Mean squared error = N (regression)
tail -1 scores	Squared correlation coefficient = N (regression)
head -1 scores | cut -d' ' -f5	N
train -v 5 d >cv; python3 -c "print([l.split()[-1][0:-1] for l in open('cv') if str(l).find('Cross') != -1][-1])"	N
python3 -c "print(open('cv').read().splitlines()[-1].split()[-1].strip('%'))"	N
python3 -c "print(float(open('cv').read().strip().split(chr(10))[-1].split('=')[1].strip()[:-1]))"	N
python3 -c "import re; print(re.search(r'Cross Validation Accuracy = ([0-9.]+)%', open('cv').read()).group(1))"	N
python3 -c "print(open('search').read().splitlines()[-1].split()[3])"	N
python3 -c "print(max(float(l.split('rate=')[1]) for l in open('search') if 'rate=' in l))"	N
python3 -c "print(open('scores').read().splitlines()[-1].split()[4])"	N
TABLE
}

# takes NAME TOOLS: runs each one-liner with the programs of the folder TOOLS, and lists wrong outputs in NAME.wrong.
takes() {
    mkdir -p "$1"
    (
        cd "$1" || exit
        awk 'NR % 4' "$CANCER" >d
        awk 'NR % 4 == 0' "$CANCER" >t
        awk '{ $1 = sprintf("%g", 3 + NR % 7 / 3 + substr($2, index($2, ":") + 1)); print }' d | head -n 120 >r
        PATH=$2:$PATH
        export PATH
        one_liners | while IFS='	' read -r line wanted; do
            case $line in
            *python3*) [ -n "$has_python" ] || continue ;;
            esac
            came=$(sh -c "$line" 2>/dev/null | tr '\n' ' ' | sed 's/ $//; s/  */ /g
                s/-\{0,1\}[0-9][0-9]*\([.][0-9]*\)\{0,1\}\(e[-+][0-9]*\)\{0,1\}/N/g')
            [ "$came" = "$wanted" ] || printf '%s: [%s], not [%s]\n' "$line" "$came" "$wanted"
        done >../"$1.wrong"
    )
}

has_python=$(command -v python3)
[ -n "$has_python" ] || skips 'one-liners of python' 'there is no python3'
mkdir tools_of_ours
ln -s "$BIN/train" "$BIN/predict" tools_of_ours
takes ours "$PWD/tools_of_ours"
same_text 'each one-liner takes its words from our output' ours.wrong ''
if command -v liblinear-train >/dev/null 2>&1; then
    mkdir tools_of_theirs
    ln -s "$(command -v liblinear-train)" tools_of_theirs/train
    ln -s "$(command -v liblinear-predict)" tools_of_theirs/predict
    takes theirs "$PWD/tools_of_theirs"
    same_text "each one-liner takes its words from LIBLINEAR's output" theirs.wrong ''
    # With the same model, the words are the same to the digit.
    liblinear-train -q ours/d model >/dev/null
    same 'the accuracy of one model' "$(liblinear-predict ours/t model theirs.labels | awk '{ print $3, $4 }')" \
        "$("$BIN/predict" --metrics ours/t model our.labels | tail -n 1 | awk '{ print $3, $4 }')"
    liblinear-train -q -s 11 ours/r model >/dev/null
    same 'the errors of one regression' "$(liblinear-predict ours/r model theirs.labels)" \
        "$("$BIN/predict" --metrics ours/r model our.labels | tail -n 2)"
else
    skips "LIBLINEAR's output" 'it is not installed (Debian: liblinear-tools)'
fi
