# python.sh - runs tests/python with the module hinge and the shared library as they are installed.
# shellcheck shell=sh

if [ -n "${HINGE_EMULATOR:-}" ]; then
    skips python "Python does not load a library for $HINGE_EMULATOR"
    return
fi
# Python has no sanitizers: gcc's is loaded before all others.
preload=
if is_sanitized; then
    preload=$(${CC:-cc} -print-file-name=libasan.so)
    if ${CC:-cc} --version | grep -q clang || [ ! -f "$preload" ]; then
        skips python "the sanitizers of ${CC:-cc} are not in a library"
        return
    fi
fi

# The first Python that has numpy.
python=
for candidate in "${PYTHON:-python3}" /usr/bin/python3; do
    if [ -z "$python" ] && "$candidate" -c 'import numpy' 2>/dev/null; then
        python=$candidate
    fi
done
if [ -z "$python" ]; then
    skips python 'no Python with numpy is installed (python3-numpy)'
    return
fi

usr=$PWD/usr
installs() {
    make --no-print-directory -C "$ROOT" "$@" PYTHON="$python" PREFIX="$usr" >"$OUT" 2>"$ERR"
}
installs install
if [ ! -e "$usr/lib/libhinge.so" ]; then
    skips python "$(${CC:-cc} --version | head -n 1) makes no shared library"
    return
fi
holds 'it is installed' installs install-python
module=$(cd "$usr" && find . -path '*/hinge/__init__.py')
same 'below lib, for this Python' "./lib/python$("$python" -c '
import sys
print("%d.%d" % sys.version_info[:2])')/site-packages/hinge/__init__.py" "$module"

# in_python ARGUMENT...: runs Python so that it finds the installed module.
in_python() {
    bounded env LD_PRELOAD="$preload" ASAN_OPTIONS="$ASAN_OPTIONS:detect_leaks=0" HINGE_LIBRARY= \
        HINGE_BIN="$BIN" HINGE_ROOT="$ROOT" PYTHONPATH="${usr}/${module%/hinge/*}" \
        PYTHONDONTWRITEBYTECODE= "$python" "$@"
}
same 'it loads the library that is installed' "$usr/lib/libhinge.so" \
    "$(in_python -c 'import hinge, os; print(os.path.normpath(hinge._library.library._name))' 2>&1)"

SECONDS_ALLOWED=600
in_python "$ROOT/tests/python/test_hinge.py" >report 2>err </dev/null
# shellcheck disable=SC2034 # for lib.sh
SECONDS_ALLOWED=60
while read -r kind rest; do
    case $kind in
    pass) pass ;;
    skip) skips "${rest%%: *}" "${rest#*: }" ;;
    FAIL) fails "${rest%%: *}" 'a test that passes' "${rest#*: }" ;;
    esac
done <report
holds 'there are tests' grep -q '^pass ' report
same 'nothing else is said' '' "$(cat err)"

cp "$ROOT/src/python/README.md" readme
holds 'README has an example' grep -q 'import hinge' readme
if in_python -c 'import scipy' 2>/dev/null; then
    same 'the examples of the docstrings' '' "$(in_python -c 'import doctest, hinge; doctest.testmod(hinge)' 2>&1)"
else
    skips 'the examples of the docstrings' 'scipy is not installed'
fi
if in_python -c 'import sklearn' 2>/dev/null; then
    same 'the examples of the estimators' '' "$(in_python -c 'import doctest, hinge
for estimator in hinge.HingeClassifier, hinge.HingeRegressor, hinge.OneClass, hinge.TextFeatures:
    doctest.run_docstring_examples(estimator, {}, name=estimator.__name__)
doctest.run_docstring_examples(hinge.HingeClassifier.__dict__["partial_fit"].fn, {})' 2>&1)"
    mkdir data
    cp "$CANCER" data/breast-cancer
    same 'README: what Python prints' '' "$(in_python -m doctest readme 2>&1)"
    in_python "$ROOT/src/python/tour.py" >tour 2>tour.err </dev/null && echo ended >>tour
    same 'the tour trains a model to its certificate, and ends' 'certified: True ended' \
        "$(sed -n '1p; $p' tour | xargs)$(tr -d '\r' <tour.err | grep -v '^hinge: [0-9]* iterations, ')"
else
    skips 'README' 'scikit-learn is not installed'
fi

installs uninstall
same 'nothing is left' '' "$(find "$usr" -type f -o -type l 2>&1 | grep -v 'No such file')"

# ---- A wheel -----------------------------------------------------------

if is_sanitized || ! "$python" -c 'import setuptools, wheel, pip' 2>/dev/null; then
    skips 'a wheel' 'pip, setuptools and wheel are not installed, or the library has sanitizers'
    return
fi
# pip builds in the folder of the source, so it gets a copy, without the results of an earlier pip. -O0, because
# optimising takes most of the time, and other tests use optimised libraries.
mkdir -p copy/tests
cp -R "$ROOT/Makefile" "$ROOT/LICENSE" "$ROOT/include" "$ROOT/src" copy
rm -rf copy/src/python/build copy/src/python/*.egg-info
cp "$ROOT/tests/tests.mk" copy/tests
makes_wheel() {
    env -u MAKEFLAGS -u MAKELEVEL CFLAGS=-O0 "$python" -m pip wheel -q --no-build-isolation --no-deps --no-index \
        -w wheels copy/src/python >"$OUT" 2>"$ERR" </dev/null
}
holds 'pip makes a wheel' makes_wheel
wheel=$(cd wheels && echo hinge-*)
case $wheel in
hinge-*-py3-none-*.whl) pass ;;
*) fails 'the wheel' 'is for every Python 3' "$wheel" ;;
esac
(mkdir unpacked && cd unpacked && "$python" -m zipfile -e "../wheels/$wheel" .)
same 'the wheel loads its own library, of its version' \
    "hinge $(sed -n 's/^#define HINGE_VERSION "\(.*\)"$/\1/p' "$ROOT/include/hinge.h") ($PWD/unpacked/hinge/libhinge.so)" \
    "$(PYTHONPATH=$PWD/unpacked HINGE_LIBRARY='' "$python" -c 'import hinge; hinge.show_versions()' 2>&1 | head -n 1)"
