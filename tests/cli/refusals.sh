# refusals.sh - data and models that cannot be used: FILE:LINE:COLUMN: reason, exit status 1.
# shellcheck shell=sh

echo 'an old model' >model

# refuses_data NAME PLACE_AND_REASON FORMAT [OPTION...]: train refuses what printf makes of FORMAT.
refuses_data() {
    name=$1 reason=$2 format=$3
    shift 3
    # shellcheck disable=SC2059 # the escapes are the point
    printf -- "$format" >bad
    refuses "$name" 1 "bad:$reason" train "$@" bad model
}

# ---- Indices -----------------------------------------------------------

zero='feature index 0; indices start at 1 (--zero-based reads files whose indices start at 0)'
refuses_data 'index 0' "1:3: $zero" '1 0:1\n'
refuses_data 'index 0 after others' "1:7: $zero" '1 1:1 0:1\n'
refuses_data 'index 00' "1:3: $zero" '1 00:1\n'
refuses_data 'descending' '1:7: feature index 2 after 3; indices must ascend' '1 3:1 2:1\n'
refuses_data 'descending far apart' \
    '1:16: feature index 7 after 2147483646; indices must ascend' '1 2147483646:1 7:1\n'
refuses_data 'repeated' '1:7: feature index 3 is repeated' '1 3:1 3:1\n'
refuses_data 'repeated, written otherwise' '1:7: feature index 3 is repeated' '1 3:1 03:1\n'
refuses_data 'repeated 0' '1:7: feature index 0 is repeated' '1 0:1 0:2\n' --zero-based
refuses_data 'descending to 0' '1:7: feature index 0 after 5; indices must ascend' \
    '1 5:1 0:2\n' --zero-based
for index in 2147483647 2147483648 4294967295 4294967296 4294967297 9999999999 10000000000 \
    18446744073709551615 18446744073709551617 99999999999999999999999; do
    refuses_data "index $index" "1:3: feature index $index is beyond 2147483646" "1 $index:1\\n"
done
refuses_data 'largest index with --zero-based' \
    '1:3: feature index 2147483647 is beyond 2147483646' '1 2147483647:1\n' --zero-based
for index in -1 +2 a .5 -; do
    refuses_data "index $index" "1:3: '$index:5' is no index:value pair" "1 $index:5\\n"
done
refuses_data 'no index' "1:3: ':5' is no index:value pair" '1 :5\n'
refuses_data 'fractional index' "1:4: feature index '1.5:2' is not a whole number" '1 1.5:2\n'
refuses_data 'index with an exponent' "1:4: feature index '1e2:2' is not a whole number" '1 1e2:2\n'
refuses_data 'junk after an index' "1:4: feature index '1x:2' is not a whole number" '1 1x:2\n'
refuses_data 'blank before the colon' "1:4: no ':' after feature index 1" '1 1 :2\n'

# ---- Values ------------------------------------------------------------

refuses_data 'no colon' "1:4: no ':' after feature index 3" '1 3\n'
refuses_data 'no colon between others' "1:8: no ':' after feature index 3" '1 1:1 3 4:1\n'
refuses_data 'no colon at the end of the data' "1:5: no ':' after feature index 33" '1 33'
refuses_data 'bare numbers after a row' "2:4: no ':' after feature index 3" '1 1:1\n1 3 5 7\n'
refuses_data 'no value' "1:5: no value after '3:'" '1 3:\n'
refuses_data 'no value between others' "1:5: no value after '3:'" '1 3: 4:1\n'
refuses_data 'no value before a comment' "1:5: no value after '3:'" '1 3:#1\n'
refuses_data 'no value at the end of the data' "1:5: no value after '3:'" '1 3:'
refuses_data 'junk after a value' "1:6: value '2x' is not a number" '1 1:2x\n'
refuses_data 'two colons' "1:6: value '2:3' is not a number" '1 1:2:3\n'
refuses_data 'hexadecimal value' "1:6: value '0x10' is not a number" '1 1:0x10\n'
refuses_data 'decimal comma' "1:6: value '1,5' is not a number: the decimal sign is a point" '1 1:1,5\n'
refuses_data 'two points' "1:8: value '1.2.3' is not a number" '1 1:1.2.3\n'
refuses_data 'exponent without digits' "1:6: value '1e' is not a number" '1 1:1e\n'
refuses_data 'exponent with a sign alone' "1:6: value '1e+' is not a number" '1 1:1e+ 2:1\n'
refuses_data 'two signs' "1:5: value '--1' is not a number" '1 1:--1\n'
for value in abc - + . -. e5 .e5 :1; do
    refuses_data "value $value" "1:5: value '$value' is not a number" "1 1:$value\\n"
done
for value in nan NaN -nan inf -inf +Infinity INF; do
    refuses_data "value $value" "1:5: value '$value' is not a finite number" "1 1:$value\\n"
done
for value in 1e309 -1e309 1.7976931348623159e308 1e999999999999999999999; do
    refuses_data "value $value" "1:5: value '$value' is beyond the largest double" "1 1:$value\\n"
done
refuses_data 'a long token is cut' \
    "1:45: value '0123456789012345678901234567890123456789' is not a number" \
    '1 1:0123456789012345678901234567890123456789xyz\n'

# ---- Labels ------------------------------------------------------------

refuses_data 'label nan' "1:1: label 'nan' is not a finite number" 'nan 1:1\n'
refuses_data 'label inf' "1:1: label '-inf' is not a finite number" '-inf 1:1\n'
refuses_data 'label that overflows' "1:1: label '1e999' is beyond the largest double" '1e999 1:1\n'
refuses_data 'label that is a word' "1:1: label 'x' is not a number" 'x 1:1\n'
refuses_data 'label with junk' "1:2: label '1x' is not a number" '1x 1:1\n'
refuses_data 'two labels' "1:2: label '1,2' is not a number; the file looks like multi-label data: keep one label a row, or make a file for each label, with labels 1 and -1" '1,2 1:1\n'
refuses_data 'no label' "1:1: the row has no label, it starts with '1:1'$BARE_OR_WEIGHTED" '1:1 2:1\n'
refuses_data 'no label after a blank' "1:2: the row has no label, it starts with '1:1'$BARE_OR_WEIGHTED" \
    ' 1:1 2:1\n'
refuses_data 'no label but a query' "1:1: the row has no label, it starts with 'qid:3'" \
    'qid:3 1:1\n'
refuses_data 'no query' "1:7: no value after 'qid:'" '1 qid: 1:1\n'
refuses_data 'query that is a word' "1:7: qid 'x' is not a number" '1 qid:x 1:1\n'
refuses_data 'query with junk' "1:8: qid '3x' is not a number" '1 qid:3x 1:1\n'
refuses_data 'two queries' "1:9: 'qid:2' is no index:value pair" '1 qid:1 qid:2 1:1\n'
refuses_data 'query after a feature' "1:7: 'qid:1' is no index:value pair" '1 1:1 qid:1\n'

# ---- What is no text ---------------------------------------------------

refuses_data 'NUL alone' '1:1: NUL byte' '\000'
refuses_data 'NUL in a label' '1:2: NUL byte' '1\000 1:1\n'
refuses_data 'NUL after a label' '1:3: NUL byte' '1 \0001:1\n'
refuses_data 'NUL in an index' '1:4: NUL byte' '1 1\000:1\n'
refuses_data 'NUL for a value' '1:5: NUL byte' '1 1:\000\n'
refuses_data 'NUL in a value' '1:6: NUL byte' '1 1:1\0002\n'
refuses_data 'NUL after a value' '1:7: NUL byte' '1 1:1 \000\n'
refuses_data 'NUL in a comment' '1:9: NUL byte' '1 1:1 # \000\n'
refuses_data 'NUL in a comment line' '2:3: NUL byte' '1 1:1\n# \000\n'
refuses_data 'NUL at the end of the data' '1:6: NUL byte' '1 1:1\000'
refuses_data 'NUL line' '2:1: NUL byte' '1 1:1\n\000\n'
refuses_data 'control byte in a label' '1:1: byte 0x1f: this is no text file' '\037\212\010\000'
refuses_data 'control byte in a feature' '1:6: byte 0x01: this is no text file' '1 1:1\001\n'
refuses_data 'escape byte' '1:5: byte 0x1b: this is no text file' '1 1:\033[31m\n'
refuses_data 'delete byte' '1:3: byte 0x7f: this is no text file' '1 \177\n'
refuses_data 'carriage return inside a line' '1:6: carriage return inside a line' '1 1:1\r2:1\n'
refuses_data 'lines ended by carriage returns' '1:6: carriage return inside a line' \
    '1 1:1\r-1 1:2\r'

# ---- Data as a whole ---------------------------------------------------

refuses_data 'empty' '1:1: no rows' ''
refuses_data 'blank lines alone' '3:1: no rows' '\n \n'
refuses_data 'blanks alone' '1:3: no rows' ' \t'
refuses_data 'comments alone' '2:1: no rows' '# 1 1:1\n'
refuses_data 'byte order mark alone' '1:1: no rows' '\357\273\277'
one='all rows have the label 1: a classifier needs two classes'
refuses_data 'one row' "1:1: $one" '1 1:1\n'
refuses_data 'one class' "1:1: $one" '1 1:1\n1 2:1\n1\n'
refuses_data 'one class, written in many ways' "1:1: $one" '1 1:1\n+1 2:1\n1.0 1:2\n0.1e1 1:3\n'
refuses_data 'one class, 0 and -0' \
    '1:1: all rows have the label 0: a classifier needs two classes' '-0 1:1\n0 2:1\n'

# ---- Places of errors --------------------------------------------------

refuses_data 'third line' "3:3: $zero" '1 1:1\n-1 1:1\n1 0:1\n'
refuses_data 'after blank lines and comments' "5:3: $zero" '1 1:1\n\n# c\n  \n1 0:1\n'
refuses_data 'after CRLF' "3:3: $zero" '1 1:1\r\n\r\n1 0:1\r\n'
refuses_data 'after a byte order mark' "1:3: $zero" '\357\273\2771 0:1\n'
refuses_data 'tabs are one column each' "1:6: $zero" '\t1\t\t\t0:1\n'
awk 'BEGIN {
    for (i = 1; i <= 60000; i++) print "1 1:1"
    printf "1"; for (i = 1; i <= 50000; i++) printf " %d:1", i + 100000
    print " 3:x" }' >bad
refuses 'far into the file' 1 "bad:60001:450005: value 'x' is not a number" train bad model
awk 'BEGIN { printf "1 1:"; for (i = 0; i < 300000; i++) printf "0"; print "1x" }' >bad
refuses 'in a token longer than the buffer' 1 \
    "bad:1:300006: value '0000000000000000000000000000000000000000' is not a number" \
    train bad model
printf '1 1:1\n1 0:1\n' >bad
refuses 'standard input' 1 "(standard input):2:3: $zero" train - model <bad
mkdir folder
cp bad folder/bad
refuses 'path in the message' 1 "folder/bad:2:3: $zero" train folder/bad model
refuses 'no model where there was none' 1 "bad:2:3: $zero" train bad
refuses 'refused with -q too' 1 "bad:2:3: $zero" train -q bad model

# ---- Data of predict ---------------------------------------------------

write_tiny tiny
"$BIN/train" -q tiny tiny.model
echo 'old labels' >labels

# refuses_rows NAME PLACE_AND_REASON FORMAT [OPTION...]: predict refuses the rows, and keeps the old output.
refuses_rows() {
    name=$1 reason=$2 format=$3
    shift 3
    # shellcheck disable=SC2059 # the escapes are the point
    printf -- "$format" >bad
    refuses "predict: $name" 1 "bad:$reason" predict "$@" bad tiny.model labels
}

refuses_rows 'index 0' "1:3: $zero" '1 0:1\n'
refuses_rows 'after good rows' "3:7: feature index 2 is repeated" '1 1:1\n-1 1:1\n1 2:1 2:1\n'
refuses_rows 'index too large' '1:3: feature index 2147483647 is beyond 2147483646' \
    '1 2147483647:1\n'
refuses_rows 'value nan' "1:5: value 'nan' is not a finite number" '1 1:nan\n'
refuses_rows 'NUL byte' '2:1: NUL byte' '1 1:1\n\000\n'
refuses_rows 'no rows' '1:1: no rows' ''
refuses_rows 'no label' "2:1: the row has no label, it starts with '1:1'$BARE_OR_WEIGHTED" '1 1:1\n1:1\n'
refuses_rows 'bad label with --no-labels' "1:1: 'x' is neither a label nor an index:value pair" 'x 1:1\n' --no-labels
refuses_rows 'no label and descending' '1:5: feature index 2 after 3; indices must ascend' \
    '3:1 2:1\n' --no-labels
printf '1 1:1\nx\n' >bad
run predict bad tiny.model -
same 'predict: exit status when a row to standard output is bad' 1 "$STATUS"
same_text 'predict: message when a row to standard output is bad' "$ERR" \
    "bad:2:1: label 'x' is not a number"

# ---- Models ------------------------------------------------------------

# refuses_model NAME PLACE_AND_REASON FORMAT
refuses_model() {
    # shellcheck disable=SC2059 # the escapes are the point
    printf -- "$3" >bad.model
    refuses "model: $1" 1 "bad.model:$2" predict tiny bad.model labels
}

type='solver_type L2R_LR\n'
header="${type}nr_class 2\\nlabel 1 -1\\nnr_feature 2\\nbias -1\\n"
refuses_model 'empty' "1:1: a model's key expected" ''
refuses_model 'data' "1:1: '1' is no key of a model; the file looks like data: is the order of the arguments right?" '1 1:1\n'
refuses_model 'unknown key' "2:1: 'foo' is no key of a model" "${type}foo 1\\n"
refuses_model 'unknown solver' "1:13: solver_type 'FOO' is unknown" 'solver_type FOO\n'
refuses_model 'one-class without rho' '5:2: rho is missing before w' \
    'solver_type ONECLASS_SVM\nnr_class 2\nnr_feature 1\nbias -1\nw\n1\n'
for count in 0 -1 1.5 x 2147483648 nan; do
    refuses_model "nr_class $count" \
        "2:10: nr_class '$count' is no whole number from 1 to 2^31-1" "${type}nr_class $count\\n"
done
refuses_model 'nr_feature' "2:12: nr_feature '-1' is no whole number from 0 to 2^31-1" \
    "${type}nr_feature -1\\n"
refuses_model 'bias' "2:6: bias 'nan' is not a finite number" "${type}bias nan\\n"
refuses_model 'key given twice' '2:1: solver_type is given twice' "$type$type"
refuses_model 'label before nr_class' '2:6: label before nr_class' "${type}label 1 -1\\n"
refuses_model 'too many labels' "3:11: '3' is no key of a model" \
    "${type}nr_class 2\\nlabel 1 2 3\\n"
refuses_model 'key missing' '3:2: solver_type is missing before w' 'nr_class 2\nlabel 1 2\nw\n'
refuses_model 'weights missing' '7:1: weight expected' "${header}w\\n"
refuses_model 'one weight missing' '8:1: weight expected' "${header}w\\n1\\n"
refuses_model 'weights missing before the record' '8:1: weight expected' \
    "${header}w\\n1\\n# C 1\\n"
refuses_model 'many classes announced' '4:1: label expected' \
    "${type}nr_class 2147483647\\nlabel 1 2\\n"
refuses_model 'many weights announced' '8:1: weight expected' \
    "${type}nr_class 2\\nlabel 1 2\\nnr_feature 400000000\\nbias 1\\nw\\n1\\n"
refuses_model 'text after the weights' '9:1: text after the last weight' \
    "${header}w\\n1\\n2\\n3\\n"
refuses_model 'NUL after the weights' '9:1: NUL byte' "${header}w\\n1\\n2\\n\\000"
refuses_model 'NUL in the record' '9:3: NUL byte' "${header}w\\n1\\n2\\n# \\000\\n"
refuses 'control characters in the name of a file' 3 \
    'train: cannot open \033[31m\302\233é\351: No such file or directory' \
    train "$(printf '\033[31m\302\233\303\251\351')" new
refuses 'no rows but a model: the message names the model' 1 \
    "tiny:1:1: '+1' is no key of a model; the file looks like data: is the order of the arguments right?" \
    predict tiny tiny labels
