#!/bin/sh
# get.sh - fetches data sets from the LIBSVM data page, checks them and puts them beside itself.
#
# get.sh              lists the sets
# get.sh NAME...      fetches these; "all": every one
#
# HINGE_DATA          the folder to put them in, instead of this script's
# HINGE_DATA_URL      the address to fetch from, instead of the LIBSVM data page
#
# Exit status: 0 all there; 1 something could not be had; 2 unknown name; 129, 130, 143 interrupted.
set -u

base=${HINGE_DATA_URL:-https://www.csie.ntu.edu.tw/~cjlin/libsvmtools/datasets/binary}
base=${base%/}

# set, file, its name on the server, rows, largest index, size here (~: estimated)
table='a9a a9a a9a 32561 123 2.3 MB
a9a a9a.t a9a.t 16281 122 1.2 MB
w8a w8a w8a 49749 300 3.5 MB
w8a w8a.t w8a.t 14951 300 1.0 MB
covtype.binary covtype.binary covtype.libsvm.binary.bz2 581012 54 ~40 MB
covtype.binary.scale covtype.binary.scale covtype.libsvm.binary.scale.bz2 581012 54 ~70 MB
rcv1 rcv1 rcv1_train.binary.bz2 20242 47236 ~35 MB
rcv1 rcv1.t rcv1_test.binary.bz2 677399 47236 ~1.2 GB'

say() {
    printf 'get.sh: %s\n' "$1" >&2
}

fail() {
    say "$1"
    exit 1
}

have() {
    command -v "$1" >/dev/null 2>&1
}

list() {
    echo 'usage: get.sh NAME...   (or: get.sh all)'
    row='%-22s %-22s %8s %9s  %s\n'
    # shellcheck disable=SC2059 # the same columns for heading and rows
    printf "$row" name file rows features size
    while read -r set file remote rows largest size; do
        # shellcheck disable=SC2059
        printf "$row" "$set" "$file" "$rows" "$largest" "$size"
    done <<EOF
$table
EOF
}

known() {
    while read -r set file remote rows largest size; do
        [ "$1" = "$set" ] && return 0
    done <<EOF
$table
EOF
    return 1
}

# ---- Checking ----

# Prints "ROWS LARGEST-INDEX" of a file. Indices ascend in a row, so the last one is the largest.
figures() {
    LC_ALL=C awk 'NF { rows++ }
        NF > 1 && $NF + 0 > largest { largest = $NF + 0 }
        END { print rows + 0, largest + 0 }' <"$1"
}

# check PATH NAME AFTERWORD: ends the program if PATH is not what the table says of $file.
check() {
    found=$(figures "$1" 2>/dev/null) || fail "cannot read $1"
    [ "$found" = "$rows $largest" ] && return
    fail "$2: ${found% *} rows and largest index ${found#* }, but $file has $rows and $largest; $3"
}

# ---- Fetching ----

unreachable='no network, or the server cannot be reached'

http_reason() {
    case $1 in
    404 | 410) reason="the server has no such file (HTTP status $1)" ;;
    *) reason="the server answered with HTTP status $1" ;;
    esac
}

# curl_reason STATUS HTTP-CODE
curl_reason() {
    case $1 in
    5 | 6 | 7) reason=$unreachable ;;
    18 | 52 | 56) reason='the connection broke off' ;;
    22) http_reason "$2" ;;
    23) reason="cannot write to $folder" ;;
    28) reason='timed out: no network, or the server does not answer' ;;
    35 | 60) reason='the server failed the TLS check' ;;
    37) reason='there is no such file' ;;
    *) reason="curl ended with status $1" ;;
    esac
}

# wget_reason STATUS MESSAGES. Only GNU wget tells by its status; busybox has 1 for everything.
wget_reason() {
    code=$(printf '%s\n' "$2" | sed -n -e 's/.*ERROR[^0-9]*\([0-9][0-9][0-9]\).*/\1/p' \
        -e 's/.*error: HTTP[^ ]* \([0-9][0-9][0-9]\).*/\1/p' | tail -n 1)
    if [ -n "$code" ]; then
        http_reason "$code"
        return
    fi
    case $1:$2 in
    3:*) reason="cannot write to $folder" ;;
    4:* | 1:*'bad address'* | 1:*"can't connect"* | 1:*'timed out'*) reason=$unreachable ;;
    5:*) reason='the server failed the TLS check' ;;
    *) reason="wget ended with status $1: $(printf '%s\n' "$2" | tail -n 1)" ;;
    esac
}

# fetch URL PATH: fails with the cause in $reason.
fetch() {
    if have curl; then
        code=$(curl -sfgL --connect-timeout 20 --speed-limit 1 --speed-time 60 \
            -w '%{http_code}' -o "$2" "$1") && return
        curl_reason $? "$code"
    else
        messages=$(LC_ALL=C wget -nv -t 1 -T 20 -O "$2" "$1" 2>&1) && return
        wget_reason $? "$messages"
    fi
    return 1
}

# The work goes on under temporary names in the same folder, so that the last step is a rename.
part=
remove_parts() {
    [ -z "$part" ] || rm -f "$part" "$part.bz2"
}

# get: $file, if it is not there.
get() {
    target=$folder/$file
    url=$base/$remote
    if [ -e "$target" ]; then
        [ -f "$target" ] || fail "$target is in the way: not a file"
        check "$target" "$target" 'remove it to fetch it anew'
        echo "$file: already there"
        return
    fi
    case $remote in
    *.bz2) have bzip2 || fail "$file comes compressed: install the package bzip2" ;;
    esac
    have curl || have wget || fail 'nothing to download with: install curl or wget'

    echo "$file: fetching $url ($size here)"
    part=$folder/.$file.$$.part
    case $remote in
    *.bz2)
        fetch "$url" "$part.bz2" || fail "cannot download $url: $reason"
        bzip2 -dc <"$part.bz2" >"$part" 2>/dev/null ||
            fail "cannot decompress $url: damaged, cut short, or no room left in $folder"
        rm -f "$part.bz2"
        ;;
    *) fetch "$url" "$part" || fail "cannot download $url: $reason" ;;
    esac
    check "$part" "$url" 'not kept'
    mv "$part" "$target" || fail "cannot write $target"
    echo "$file: $rows rows, largest index $largest"
}

# ---- The program ----

case ${1-} in
'' | -h | --help)
    list
    exit 0
    ;;
esac

for name; do
    if [ "$name" != all ] && ! known "$name"; then
        say "unknown data set '$name'"
        list >&2
        exit 2
    fi
done

folder=$(CDPATH='' cd -- "${HINGE_DATA:-$(dirname -- "$0")}" 2>/dev/null && pwd) ||
    fail "no such folder: ${HINGE_DATA-}"

trap remove_parts EXIT
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 143' TERM

while read -r set file remote rows largest size; do
    case " $* " in
    *" $set "* | *' all '*) get ;;
    esac
done <<EOF
$table
EOF
