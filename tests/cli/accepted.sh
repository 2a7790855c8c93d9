# accepted.sh - one data set, written in each allowed way, always gives the same model.
# shellcheck shell=sh

printf '%s\n' '1 1:0.5 2:2' '-1 1:-1 3:0.25' '1' '-1 2:1' >plain
"$BIN/train" -q plain plain.model

# accepts NAME FORMAT [OPTION...]: what printf makes of FORMAT gives the same model.
accepts() {
    name=$1 format=$2
    shift 2
    # shellcheck disable=SC2059 # the escapes are the point
    printf -- "$format" >data
    rm -f model
    succeeds "$name" train -q "$@" data model
    same_file "$name: the model" plain.model model
}

accepts 'tabs and blanks' ' 1\t1:0.5  2:2 \t\n\t-1 1:-1 \t 3:0.25\n  1  \n-1\t\t2:1\t\n'
accepts 'CRLF' '1 1:0.5 2:2\r\n-1 1:-1 3:0.25\r\n1\r\n-1 2:1\r\n'
accepts 'CRLF after blanks' '1 1:0.5 2:2 \r\n-1 1:-1 3:0.25\t\r\n1 \r\n-1 2:1 \r\n'
accepts 'no final newline' '1 1:0.5 2:2\n-1 1:-1 3:0.25\n1\n-1 2:1'
accepts 'blanks and no final newline' '1 1:0.5 2:2\n-1 1:-1 3:0.25\n1\n-1 2:1 \t'
accepts 'a carriage return at the end' '1 1:0.5 2:2\n-1 1:-1 3:0.25\n1\n-1 2:1\r'
accepts 'empty lines' '\n\n1 1:0.5 2:2\n  \n-1 1:-1 3:0.25\n\t\n1\n\r\n-1 2:1\n\n\n'
accepts 'comment lines' '# 1 9:9\n1 1:0.5 2:2\n  # x\n-1 1:-1 3:0.25\n#\n1\n-1 2:1\n# end'
accepts 'trailing comments' '1 1:0.5 2:2 # a:b\n-1 1:-1 3:0.25#\n1#nan\n-1 2:1# #'
accepts 'comments of other alphabets' '1 1:0.5 2:2 # \303\251\n-1 1:-1 3:0.25\n1 # \377\n-1 2:1\n'
accepts 'queries' '1 qid:3 1:0.5 2:2\n-1 \tqid:12  1:-1 3:0.25\n1 qid:1\n-1 qid:0 2:1\n'
accepts 'a byte order mark' '\357\273\2771 1:0.5 2:2\n-1 1:-1 3:0.25\n1\n-1 2:1\n'
accepts 'labels written otherwise' '+1 1:0.5 2:2\n-1.0 1:-1 3:0.25\n10e-1\n-01 2:1\n'
accepts 'values written otherwise' \
    '1 1:+.5 2:2.\n-1 1:-10e-1 3:0.2500000000000000000000000000000000000000\n1\n-1 2:1E+0\n'
accepts 'blanks before values' '1 1: .50 2:   2\n-1 1:\t-1 3: .25\n1\n-1 2: 1'
accepts 'indices written otherwise' '1 01:0.5 0000000002:2\n-1 1:-1 03:0.25\n1\n-1 2:1\n'

printf '1 0:0.5 1:2\n-1 0:-1 2:0.25\n1\n-1 1:1\n' >data
succeeds 'indices from 0' train -q --zero-based data model
same 'indices from 0: the weights' "$(weights plain.model)" "$(weights model)"
same 'indices from 0: the record' 1 "$(record model zero_based)"
same 'indices from 1: the record' '' "$(record plain.model zero_based)"

# Long lines and long tokens, across the ends of any buffer.
awk 'BEGIN {
    blanks = " "; zeros = "0"
    while (length(blanks) < 140000) { blanks = blanks blanks; zeros = zeros zeros }
    print "1" blanks "1:0.5" blanks "2:2." zeros blanks
    print "-1 1:-1." zeros " 3:" zeros "0.25"
    print "1 #" blanks blanks
    print blanks "-1 2:1" }' >data
succeeds 'lines longer than any buffer' train -q data model
same_file 'lines longer than any buffer: the model' plain.model model
awk 'BEGIN {
    for (i = 1; i <= 2; i++) {
        printf "%d", i
        for (j = 1; j <= 40000; j++) printf " %d:%.3f", j, i / j
        print ""
    } }' >data
succeeds 'many features' train -q data model
same 'many features: nr_feature' 'nr_feature 40000' "$(grep nr_feature model)"

# Numbers at the ends of the range. What the arithmetic cannot hold is refused, never written.
printf '1 1:4.9406564584124654e-324 2:1\n-1 1:2.2250738585072011e-308 2:-1\n1 1:1e-400\n' >data
succeeds 'denormal values' train -q data model
printf '1 1:1.7976931348623157e308 2:1\n-1 1:-1.7976931348623157e308 2:-1\n' >data
rm -f model
run train -q data model
case $STATUS in
0) holds 'the largest values: the model is finite' awk '/nan|inf/ { exit 1 }' model ;;
*)
    same 'the largest values: exit status' 1 "$STATUS"
    holds 'the largest values: no model' test ! -e model
    matches 'the largest values: message' "$ERR" 'data:1:1: .*'
    ;;
esac

# Labels are any finite numbers, in the order of first appearance, except that +1 comes before -1.
labels_of() {
    # shellcheck disable=SC2059
    printf -- "$1" >data
    run train -q data model
    sed -n 3p model
}
same 'labels -1 +1' 'label 1 -1' "$(labels_of '-1 1:1\n+1 2:1\n')"
same 'labels +1 -1' 'label 1 -1' "$(labels_of '+1 1:1\n-1 2:1\n')"
same 'labels 2 1' 'label 2 1' "$(labels_of '2 1:1\n1 2:1\n')"
same 'labels 0 1' 'label 0 1' "$(labels_of '0 1:1\n1 2:1\n')"
same 'labels -1 1 0' 'label -1 1 0' "$(labels_of '-1 1:1\n1 2:1\n0 3:1\n')"
same 'labels that are no whole numbers' 'label 0.5 -30000000000 0.10000000000000001' \
    "$(labels_of '0.5 1:1\n-3e10 2:1\n.1 3:1\n')"
same 'labels written in two ways' 'label 3 7' "$(labels_of '3 1:1\n7 2:1\n3.0 1:2\n+7 3:1\n')"

# The way to write a negative fraction changes neither its storage nor the rounding of sums.
printf '1 1:-0.3\n-1 1:0.7\n1 2:0.2\n' >plain
"$BIN/train" -q plain plain.model
for value in -.3 -0.3e0 -3e-1 -0.30 -00.3; do
    accepts "-0.3 as $value" "1 1:$value\n-1 1:0.7\n1 2:0.2\n"
done
