#!/bin/sh
# Makes sure that cmocka can be compiled against and linked; installs it with the system's package
# manager if not, saying so.
set -u

# The flags may be several words each.
# shellcheck disable=SC2086
works() {
    printf '%s\n' '#include <stdarg.h>' '#include <stddef.h>' '#include <setjmp.h>' \
        '#include <stdint.h>' '#include <cmocka.h>' 'int main(void) { assert_true(1); return 0; }' |
        ${CC:-cc} ${CPPFLAGS:-} -x c -o /dev/null - ${LDFLAGS:-} -lcmocka >/dev/null 2>&1
}

as_root() {
    if [ "$(id -u)" = 0 ]; then
        "$@"
    elif command -v sudo >/dev/null 2>&1; then
        sudo "$@"
    else
        echo "cmocka: installing needs root and there is no sudo" >&2
        return 1
    fi
}

install() {
    if command -v apt-get >/dev/null 2>&1; then
        as_root apt-get update -qq && as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq libcmocka-dev
    elif command -v dnf >/dev/null 2>&1; then
        as_root dnf install -y libcmocka-devel
    elif command -v apk >/dev/null 2>&1; then
        as_root apk add cmocka-dev
    elif command -v pacman >/dev/null 2>&1; then
        as_root pacman -S --noconfirm cmocka
    elif command -v zypper >/dev/null 2>&1; then
        as_root zypper install -y libcmocka-devel
    elif command -v brew >/dev/null 2>&1; then
        brew install cmocka
    else
        echo "cmocka: no package manager that is known here" >&2
        return 1
    fi
}

works && exit 0
echo "cmocka, the unit tests' library, is not installed: installing it with the package manager."
log=$(install 2>&1) && works && exit 0
printf '%s\n' "$log" >&2
echo "cmocka could not be installed; please install its development package and try again." >&2
exit 1
