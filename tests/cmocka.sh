#!/bin/sh
# cmocka.sh FOLDER - makes sure that cmocka can be compiled against and linked. If cmocka is missing, prints the package
# manager's command and runs it. With INSTALL=no, or if the command fails, builds the small cmocka of tests/portability
# in FOLDER, for -I and -L.
set -u
here=$(CDPATH='' cd "$(dirname "$0")" && pwd) || exit 1

# The flags may be several words each.
# shellcheck disable=SC2086
works() {
    printf '%s\n' '#include <stdarg.h>' '#include <stddef.h>' '#include <setjmp.h>' \
        '#include <stdint.h>' '#include <cmocka.h>' 'int main(void) { assert_true(1); return 0; }' |
        ${CC:-cc} ${CPPFLAGS:-} -x c -o /dev/null - ${LDFLAGS:-} -lcmocka >/dev/null 2>&1
}

# installation: prints the command that installs cmocka, or nothing if none is known.
installation() {
    as_root=
    [ "$(id -u)" = 0 ] || as_root='sudo '
    for manager in apt-get dnf apk pacman zypper brew; do
        command -v "$manager" >/dev/null 2>&1 || continue
        case $manager in
        apt-get) echo "${as_root}apt-get update -qq && ${as_root}env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq libcmocka-dev" ;;
        dnf) echo "${as_root}dnf install -y libcmocka-devel" ;;
        apk) echo "${as_root}apk add cmocka-dev" ;;
        pacman) echo "${as_root}pacman -S --noconfirm cmocka" ;;
        zypper) echo "${as_root}zypper install -y libcmocka-devel" ;;
        brew) echo 'brew install cmocka' ;;
        esac
        return
    done
}

! works || exit 0
command=$(installation)
if [ "${INSTALL:-}" = no ]; then
    echo "cmocka, the unit tests' library, is not installed.${command:+ To install it: $command}"
elif [ -z "$command" ]; then
    echo "cmocka, the unit tests' library, is not installed, and no package manager is known here."
else
    echo "cmocka, the unit tests' library, is not installed; INSTALL=no does without. Running:"
    echo "    $command"
    log=$(sh -c "$command" 2>&1) && works && exit 0
    printf '%s\n' "$log" >&2
    echo "cmocka could not be installed."
fi
echo 'The unit tests are built with the small replacement in tests/portability.'
# shellcheck disable=SC2086
${CC:-cc} ${CPPFLAGS:-} ${CFLAGS:-} -std=c99 -c -o "$1/cmocka.o" "$here/portability/cmocka.c" &&
    cp "$here/portability/cmocka.h" "$1/cmocka.h" &&
    ar rcs "$1/libcmocka.a" "$1/cmocka.o"
