# common.sh - what the scripts of this folder share. Installing puts it into each of them.
# Each script sets $here, the folder of its file, also if a symbolic link names it.
# shellcheck shell=sh
set -u
LC_ALL=C
export LC_ALL
unset CDPATH

name=${0##*/}

say() { printf '%s: %s\n' "$name" "$*" >&2; }

die() {
    status=$1
    shift
    say "$@"
    exit "$status"
}

bad_usage() {
    say "$@"
    printf "Try '%s --help'.\n" "$name" >&2
    exit 2
}

# quote_all TEXT...: prints the texts as words of the shell, in quotes if necessary.
quote_all() {
    blank=
    for word in "$@"; do
        case $word in
        '' | *[!A-Za-z0-9_./:=+,@%-]*)
            word=$(printf '%s\n' "$word" | sed "s/'/'\\\\''/g; 1s/^/'/; \$s/\$/'/") ;;
        esac
        printf '%s%s' "$blank" "$word"
        blank=' '
    done
}

# find_program NAME FILE: prints NAME, or if it is empty the program installed beside this script, or
# built here, or in PATH as hinge-FILE or FILE.
# shellcheck disable=SC2154 # the script sets $here
find_program() {
    found=$1
    [ -n "$found" ] || [ ! -x "$here/hinge-$2" ] || found=$here/hinge-$2
    [ -n "$found" ] || [ ! -x "$here/../../$2" ] || found=$(cd "$here/../.." && pwd)/$2
    [ -n "$found" ] || ! command -v "hinge-$2" >/dev/null 2>&1 || found=hinge-$2
    found=${found:-$2}
    command -v -- "$found" >/dev/null 2>&1 || die 3 "there is no program $found"
    printf '%s\n' "$found"
}

# path NAME: prints a name that no program takes for an option, a file of options or an assignment.
path() { case $1 in -?* | @* | [!./]*=*) printf './%s\n' "$1" ;; *) printf '%s\n' "$1" ;; esac }

# need_count OPTION VALUE LEAST
need_count() {
    case $2 in
    '' | *[!0-9]* | ??????????*) ;;
    *) [ "$2" -lt "$3" ] || return 0 ;;
    esac
    bad_usage "$1: '$2' is not a whole number of at least $3"
}

# readable FILE: ends the script if the file cannot be read more than once.
readable() {
    [ ! -p "$1" ] || die 3 "$1 is a pipe, which cannot be read again"
    if [ ! -f "$1" ] || [ ! -r "$1" ]; then
        die 3 "cannot read $1"
    fi
}
