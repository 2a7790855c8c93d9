#!/bin/sh
# Tests data/get.sh without a network: made-up files of the right shape, file:// and loopback servers,
# and stand-ins for curl and wget that fail in every way the real ones do.
set -u

get=$(CDPATH='' cd -- "$(dirname -- "$0")/../../data" && pwd)/get.sh
real=$(CDPATH='' cd -- "${HINGE_DATA:-$(dirname -- "$get")}" 2>/dev/null && pwd)
unset http_proxy https_proxy all_proxy HTTP_PROXY HTTPS_PROXY ALL_PROXY LC_ALL
unset HINGE_DATA HINGE_DATA_URL

scratch=$(mktemp -d) || exit 1
server=$scratch/server
box="$scratch/box = 1" # this name fails in carelessly quoted shell or awk
web_pid=
trap '[ -z "$web_pid" ] || kill "$web_pid"; rm -rf "$scratch"' EXIT
trap 'exit 1' HUP INT TERM
mkdir "$server"

# The shapes of the real files, kept apart from the table in get.sh: set, file, remote, rows, index.
shapes='a9a a9a a9a 32561 123
a9a a9a.t a9a.t 16281 122
w8a w8a w8a 49749 300
w8a w8a.t w8a.t 14951 300
covtype.binary covtype.binary covtype.libsvm.binary.bz2 581012 54
covtype.binary.scale covtype.binary.scale covtype.libsvm.binary.scale.bz2 581012 54
rcv1 rcv1 rcv1_train.binary.bz2 20242 47236
rcv1 rcv1.t rcv1_test.binary.bz2 677399 47236'

# ---- Counting ----

passed=0
failed=0
skipped=0
reasons=

# shellcheck source=tests/totals.sh
. "$(dirname "$0")/../totals.sh"

have() {
    command -v "$1" >/dev/null 2>&1
}

skip() {
    skipped=$((skipped + 1))
    reasons="$reasons
$1"
    echo "skipped: $1"
}

# begin NAME: begins a test with an empty folder, all tools and a server that cannot be reached.
begin() {
    test_name=$1
    wrong=
    rm -rf "$box"
    mkdir "$box"
    tools=$PATH
    url=http://localhost:9
}

blame() {
    wrong="$wrong
    $1"
}

finish() {
    if [ -z "$wrong" ]; then
        passed=$((passed + 1))
        echo "ok: $test_name"
    else
        failed=$((failed + 1))
        echo "FAILED: $test_name$wrong"
    fi
}

# run NAME...: runs get.sh in the test's environment. Stand-ins find its process number in a file.
shell=$(command -v sh)
run() {
    # shellcheck disable=SC2016 # for the inner shell
    HINGE_DATA=$box HINGE_DATA_URL=$url PATH=$tools GET_PID=$scratch/pid \
        "$shell" -c 'echo $$ >"$GET_PID"; exec "$@"' run "$shell" "$get" "$@" \
        >"$scratch/out" 2>"$scratch/err" </dev/null
    status=$?
}

want_status() {
    [ "$status" = "$1" ] || blame "exit status $status, not $1: $(cat "$scratch/err")"
}

# want_error TEXT: standard error is one line that begins with "get.sh: " and contains TEXT.
want_error() {
    case $(cat "$scratch/err") in
    "get.sh: "*"$1"*) ;;
    *) blame "no '$1' in: $(cat "$scratch/err")" ;;
    esac
    [ "$(wc -l <"$scratch/err")" -eq 1 ] || blame "not one line: $(cat "$scratch/err")"
}

# want_files LIST: the test's folder has exactly these files, including hidden ones.
want_files() {
    found=$(cd "$box" && find . -type f | sort | sed 's:^\./::' | tr '\n' ' ')
    [ "$found" = "${1:+$1 }" ] || blame "the folder holds '$found', not '$1'"
}

# ---- Made-up files ----

# fake ROWS INDEX: prints rows, with the largest index in row 7, and a row without features that ends in a space, as in
# w8a.
fake() {
    awk -v rows="$1" -v largest="$2" 'BEGIN {
        for (i = 1; i <= rows; i++)
            print (i == 2 ? "-1 " : i == 7 ? "+1 3:1 " largest ":0.5 " : "-1 1:999999")
    }'
}

# serve FILE ROWS INDEX: puts a made-up file on the server, compressed if its name says so.
serve() {
    case $1 in
    *.bz2) fake "$2" "$3" | bzip2 -1 >"$server/$1" ;;
    *) fake "$2" "$3" >"$server/$1" ;;
    esac
}

serve_all() {
    while read -r set file remote rows largest; do
        case $remote in
        *.bz2) have bzip2 || continue ;;
        esac
        serve "$remote" "$rows" "$largest"
    done <<EOF
$shapes
EOF
}

# take_away FILE, bring_back FILE: in between, another file may replace it.
take_away() {
    mv "$server/$1" "$server/away"
}
bring_back() {
    mv "$server/away" "$server/$1"
}

# ---- Tools: folders that hold only some of them, and stand-ins ----

# only FOLDER TOOL...: makes a folder for PATH that has only these tools.
only() {
    only_folder=$1
    rm -rf "$only_folder"
    mkdir "$only_folder"
    shift
    for only_tool; do
        have "$only_tool" && ln -s "$(command -v "$only_tool")" "$only_folder/$only_tool"
    done
}

basics='awk cat dirname mv rm sed tail'
# shellcheck disable=SC2086 # a list
{
    only "$scratch/no-bzip2" $basics
    only "$scratch/no-download" $basics bzip2
    only "$scratch/curl" $basics bzip2 curl
    only "$scratch/wget" $basics bzip2 wget
}

# Stand-ins are scripts that replace tools. no_stand_ins begins a PATH for them. stand_in TOOL adds one, whose body is
# on standard input. In stand-ins for curl and wget, $out is the name of the output file.
stand_ins=$scratch/stand-ins
no_stand_ins() {
    # shellcheck disable=SC2086 # a list
    only "$stand_ins" $basics bzip2
    rm -f "$scratch/downloads"
    tools=$stand_ins
}
stand_in() {
    rm -f "$stand_ins/$1"
    {
        echo "#!$shell"
        case $1 in
        curl | wget)
            echo "echo \"\$*\" >>'$scratch/downloads'"
            # shellcheck disable=SC2016 # for the stand-in
            echo 'until [ "$1" = -o ] || [ "$1" = -O ]; do shift; done; out=$2'
            ;;
        esac
        cat
    } >"$stand_ins/$1"
    chmod +x "$stand_ins/$1"
}

# idle_curl: a curl that only records its call.
idle_curl() {
    no_stand_ins
    stand_in curl </dev/null
}
want_no_download() {
    [ ! -e "$scratch/downloads" ] || blame "a download was tried: $(cat "$scratch/downloads")"
}

# ---- Its help ----

begin 'no name: the list, with every file, its rows and features'
run
want_status 0
while read -r set file remote rows largest; do
    awk -v set="$set" -v file="$file" -v rows="$rows" -v largest="$largest" '
        $1 == set && $2 == file && $3 == rows && $4 == largest && NF >= 5 { found = 1 }
        END { exit !found }' <"$scratch/out" || blame "no proper line for $file"
done <<EOF
$shapes
EOF
finish

begin 'an unknown name fetches nothing, not even the known ones beside it'
idle_curl
for names in nonsense 'a9a nonsense' 'all nonsense' a9a.t a9 '*'; do
    set -f
    # shellcheck disable=SC2086 # several names
    run $names
    set +f
    want_status 2
    grep -q "^get.sh: unknown data set '" "$scratch/err" || blame "$names: not said"
    grep -q '^covtype.binary.scale ' "$scratch/err" || blame "$names: no list"
done
run 'a9a w8a'
want_status 2
want_no_download
want_files ''
finish

begin 'a folder that is not there is not made'
idle_curl
rmdir "$box"
run a9a
want_status 1
want_error "no such folder: $box"
want_no_download
[ ! -e "$box" ] || blame 'it was made'
finish

# ---- No network, no tools ----

unreachable='no network, or the server cannot be reached'

for tool in curl wget; do
    if ! have "$tool"; then
        skip "$tool is not installed: its message when nothing listens"
        continue
    fi
    begin "$tool: nothing listens at the address"
    tools=$scratch/$tool
    url=http://localhost:9/ # one slash too many is allowed
    run all
    want_status 1
    want_error "cannot download http://localhost:9/a9a: $unreachable"
    want_files ''
    finish
done

begin 'neither curl nor wget is installed'
tools=$scratch/no-download
run a9a
want_status 1
want_error 'install curl or wget'
want_files ''
finish

begin 'bzip2 is not installed: said before the download'
idle_curl
rm -f "$stand_ins/bzip2"
run covtype.binary
want_status 1
want_error 'install the package bzip2'
want_no_download
want_files ''
finish

# fails TOOL STATUS OUTPUT REASON: TOOL, the only one there, leaves part of a file and ends with STATUS and OUTPUT.
# get.sh must ask wget for messages in English.
fails() {
    begin "$1 ends with status $2 $3"
    no_stand_ins
    stand_in "$1" <<EOF
printf '+1 1:1' >"\$out"
[ $1 = curl ] || exec >&2
[ $1 = curl ] || [ "\${LC_ALL-}" = C ] || exit 99
printf '%s' "$3"
exit $2
EOF
    url=http://example.org/set
    run a9a
    want_status 1
    want_error "cannot download http://example.org/set/a9a: $4"
    want_files ''
    finish
}

missing='the server has no such file (HTTP status 404)'
busy='the server answered with HTTP status 503'
fails curl 5 000 "$unreachable"
fails curl 6 000 "$unreachable"
fails curl 7 000 "$unreachable"
fails curl 18 200 'the connection broke off'
fails curl 22 404 "$missing"
fails curl 22 503 "$busy"
fails curl 23 200 "cannot write to $box"
fails curl 28 000 'timed out: no network, or the server does not answer'
fails curl 56 200 'the connection broke off'
fails curl 60 000 'the server failed the TLS check'
fails curl 99 000 'curl ended with status 99'
fails wget 3 '' "cannot write to $box"
fails wget 4 'failed: Name or service not known.' "$unreachable"
fails wget 5 '' 'the server failed the TLS check'
fails wget 8 '2025-01-01 00:00:00 ERROR 404: Not Found.' "$missing"
fails wget 8 'HTTP ERROR response 503  [http://example.org/set/a9a]' "$busy"
fails wget 1 "wget: bad address 'example.org'" "$unreachable"
fails wget 1 "wget: can't connect to remote host: Connection refused" "$unreachable"
fails wget 1 'wget: server returned error: HTTP/1.1 404 Not Found' "$missing"
fails wget 1 'something else' 'wget ended with status 1: something else'

for call in 'curl --connect-timeout 20' 'curl --speed-time 60' 'wget -T 20' 'wget -t 1'; do
    begin "a silent server cannot hold it for ever: $call"
    no_stand_ins
    stand_in "${call%% *}" </dev/null
    run a9a
    grep -q -e "${call#* } " "$scratch/downloads" || blame 'not asked for'
    finish
done

# ---- Files that are there already ----

begin 'right files that are there are not touched, and nothing is fetched'
idle_curl
fake 32561 123 >"$box/a9a"
fake 16281 122 >"$box/a9a.t"
touch -t 200001010000 "$box/a9a" "$box/a9a.t"
touch -t 200001020000 "$scratch/later"
cp "$box/a9a" "$box/a9a.t" "$scratch"
run a9a
want_status 0
want_no_download
want_files 'a9a a9a.t'
cmp -s "$box/a9a" "$scratch/a9a" || blame 'a9a changed'
cmp -s "$box/a9a.t" "$scratch/a9a.t" || blame 'a9a.t changed'
[ -z "$(find "$box" -type f -newer "$scratch/later")" ] || blame 'a file was written anew'
finish

begin 'a wrong file that is there is refused with figures and not deleted'
idle_curl
fake 5 123 >"$box/a9a"
cp "$box/a9a" "$scratch"
run a9a
want_status 1
want_error "$box/a9a: 5 rows and largest index 1, but a9a has 32561 and 123"
want_no_download
want_files 'a9a'
cmp -s "$box/a9a" "$scratch/a9a" || blame 'it changed'
finish

begin 'a folder in the place of a file'
idle_curl
mkdir "$box/a9a"
run a9a
want_status 1
want_error "$box/a9a is in the way"
want_no_download
want_files ''
finish

# real_figures SET FILE...: the table of get.sh agrees with the real files, if they are there.
real_figures() {
    real_set=$1
    shift
    for file; do
        [ -f "$real/$file" ] && continue
        skip "HINGE_DATA has no $file: whether the table has the figures of the real $real_set"
        return
    done
    begin "the table has the figures of the real $real_set"
    idle_curl
    made_up=$box
    box=$real
    run "$real_set"
    box=$made_up
    want_status 0
    want_no_download
    finish
}
real_figures a9a a9a a9a.t
real_figures w8a w8a w8a.t

# ---- Downloads, from file:// and from a server on the loopback ----

web_script='
import http.server, os, sys
root, port_file = sys.argv[1:]
class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        kind, name = self.path.lstrip("/").split("/")
        path = os.path.join(root, name)
        status = 503 if kind == "busy" else 200 if os.path.exists(path) else 404
        body = open(path, "rb").read() if status == 200 else b"<html>no</html>\n"
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body[:len(body) // 2] if kind == "short" else body)
    def log_message(self, *ignored):
        pass
web = http.server.HTTPServer(("127.0.0.1", 0), Handler)
with open(port_file + ".part", "w") as f:
    f.write(str(web.server_port))
os.rename(port_file + ".part", port_file)
web.serve_forever()'

start_web() {
    have python3 && python3 -c 'import http.server' 2>/dev/null || return
    python3 -c "$web_script" "$server" "$scratch/port" >/dev/null 2>&1 &
    web_pid=$!
}
await_web() {
    [ -n "$web_pid" ] || return 1
    until [ -e "$scratch/port" ]; do
        kill -0 "$web_pid" 2>/dev/null || return 1
        sleep 1
    done
    python3 -c "import socket
socket.create_connection(('127.0.0.1', $(cat "$scratch/port")))" 2>/dev/null &&
        web=http://127.0.0.1:$(cat "$scratch/port")
}

# begin_from NAME: a test with the $tool and the server's $address that the loops below set.
begin_from() {
    begin "$tool, ${address%%:*}: $1"
    tools=$scratch/$tool
    url=$address
}

right_files() {
    begin_from 'right files are accepted as they are'
    run a9a
    want_status 0
    want_files 'a9a a9a.t'
    [ ! -s "$scratch/err" ] || blame "it said: $(cat "$scratch/err")"
    for file in a9a a9a.t; do
        cmp -s "$server/$file" "$box/$file" || blame "$file is not the file served"
    done
    finish
}

missing_file() {
    begin_from 'a file that the server does not have; the one before it stays'
    take_away a9a.t
    run a9a
    bring_back a9a.t
    want_status 1
    want_error "cannot download $address/a9a.t: "
    want_error 'no such file'
    want_files 'a9a'
    finish
}

# wrong_shape ROWS INDEX
wrong_shape() {
    begin_from "$1 rows and largest index $2 in the place of 32561 and 123"
    take_away a9a
    serve a9a "$1" "$2"
    run a9a
    bring_back a9a
    want_status 1
    want_error "$address/a9a: $1 rows and largest index $2, but a9a has 32561 and 123"
    want_files ''
    finish
}

# damaged NAME: the server sends standard input as rcv1_train.binary.bz2.
damaged() {
    begin_from "$1"
    take_away rcv1_train.binary.bz2
    cat >"$server/rcv1_train.binary.bz2"
    run rcv1
    bring_back rcv1_train.binary.bz2
    want_status 1
    want_error "cannot decompress $address/rcv1_train.binary.bz2"
    want_files ''
    finish
}

server_failures() {
    begin_from 'the server is out of order'
    url=$web/busy
    run a9a
    want_status 1
    want_error "cannot download $url/a9a: $busy"
    want_files ''
    finish

    begin_from 'the connection breaks off half-way'
    url=$web/short
    run a9a
    want_status 1
    want_error "cannot download $url/a9a: "
    want_files ''
    finish
}

downloads() {
    right_files
    missing_file
    wrong_shape 32560 123
    wrong_shape 32562 123
    wrong_shape 32561 122
    wrong_shape 32561 124
    wrong_shape 0 0
    if have bzip2; then
        size=$(wc -c <"$server/rcv1_train.binary.bz2")
        dd if="$server/rcv1_train.binary.bz2" of="$scratch/cut" bs=1 count=$((size - 9)) 2>/dev/null
        damaged 'a compressed file cut short' <"$scratch/cut"
        fake 20242 47236 >"$scratch/plain"
        damaged 'plain text under a compressed name' <"$scratch/plain"
    else
        skip 'bzip2 is not installed: damaged compressed files'
    fi
}

web=
start_web
serve_all
await_web || skip 'python3 is not installed, or there is no loopback: servers there'
for tool in curl wget; do
    if ! have "$tool"; then
        skip "$tool is not installed: downloads with it"
        continue
    fi
    address=file://$server
    [ "$tool" = wget ] || downloads # wget has no file://
    address=$web/good
    [ -z "$web" ] || downloads
    [ -z "$web" ] || server_failures
done

# ---- Names, places and times of downloads ----

no_stand_ins
if have curl && have bzip2; then
    begin 'all: every file has the shape that the data page gives'
    url=file://$server
    run all
    want_status 0
    want_files 'a9a a9a.t covtype.binary covtype.binary.scale rcv1 rcv1.t w8a w8a.t'
    finish

    for name in covtype.binary covtype.binary.scale; do
        begin "$name does not bring its namesake"
        url=file://$server
        run "$name"
        want_status 0
        want_files "$name"
        finish
    done
else
    skip 'curl or bzip2 is not installed: all'
fi

# copying_curl: a curl without a server, which copies the file.
copying_curl() {
    no_stand_ins
    stand_in curl <<EOF
while [ \$# -gt 1 ]; do shift; done
cat "$server/\${1##*/}" >"\$out"
EOF
}

begin 'without HINGE_DATA the files go beside the script, wherever it is called from'
copying_curl
cp "$get" "$box/get.sh"
(cd / && PATH=$tools "$shell" "$box/get.sh" a9a) >/dev/null 2>"$scratch/err"
status=$?
want_status 0
want_files 'a9a a9a.t get.sh'
finish

begin 'HINGE_DATA may be relative'
copying_curl
(cd "$scratch" && HINGE_DATA='box = 1' PATH=$tools "$shell" "$get" a9a) >/dev/null 2>"$scratch/err"
status=$?
want_status 0
want_files 'a9a a9a.t'
finish

begin 'a file has its name only after the check'
copying_curl
stand_in awk <<EOF
[ ! -e '$box/a9a' ] || [ -e '$scratch/checked' ] || : >'$scratch/too-early'
: >'$scratch/checked'
exec '$(command -v awk)' "\$@"
EOF
run a9a
want_status 0
[ -e "$scratch/checked" ] || blame 'there was no check'
[ ! -e "$scratch/too-early" ] || blame 'it was there before'
case $(cat "$scratch/downloads") in
*" -o $box/.a9a."*) ;;
*) blame "no temporary name in the same folder: $(cat "$scratch/downloads")" ;;
esac
finish

# ---- Interrupted ----

# can_catch SIGNAL: a shell can trap the signal. It cannot if the signal was ignored when it started: an asynchronous
# shell starts its children with SIGINT ignored, nohup with SIGHUP ignored.
can_catch() {
    sh -c "trap 'exit 9' $1; kill -$1 \$\$; exit 0"
    [ $? = 9 ]
}

# interrupted SIGNAL STATUS TOOL: the signal arrives while TOOL works. TOOL and the tools before it succeed.
interrupted() {
    begin "SIG$1 while $3 works: nothing is left behind"
    no_stand_ins
    for stand in curl bzip2 awk; do
        # shellcheck disable=SC2016 # for the stand-in
        case $stand in
        curl) echo 'echo x >"$out"' ;;
        bzip2) echo 'echo x' ;;
        awk) echo 'echo 20242 47236' ;;
        esac >"$scratch/body"
        [ "$stand" != "$3" ] || echo "kill -$1 \$(cat '$scratch/pid')" >>"$scratch/body"
        stand_in "$stand" <"$scratch/body"
    done
    run rcv1
    want_status "$2"
    want_files ''
    finish
}

can_catch INT || skip 'SIGINT is ignored here: Ctrl-C'
for tool in curl bzip2 awk; do
    can_catch INT && interrupted INT 130 "$tool"
    interrupted TERM 143 "$tool"
done
if can_catch HUP; then interrupted HUP 129 curl; else skip 'SIGHUP is ignored here: a terminal that closes'; fi

totals "$passed" "$failed" "$skipped" "$reasons"
