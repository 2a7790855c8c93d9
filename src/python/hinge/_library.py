"""libhinge.so and the types of its functions."""
import ctypes
import ctypes.util
import os
import platform
from ctypes import c_char_p, c_double, c_int, c_size_t, c_uint32, c_void_p

CHECKPOINT = ctypes.CFUNCTYPE(c_int, c_void_p, c_void_p)

# Result and arguments; pointers to structures are c_void_p. Where the last argument of a function is a
# struct hinge_error *, it fails by returning NULL or a status that is not 0.
_SIGNATURES = {
    "hinge_version": (c_char_p,),
    "hinge_error_new": (c_void_p,),
    "hinge_error_status": (c_int, c_void_p),
    "hinge_error_message": (c_char_p, c_void_p),
    "hinge_error_free": (None, c_void_p),
    "hinge_view_csr": (c_void_p, c_size_t, c_size_t, c_void_p, c_size_t, c_void_p, c_void_p, c_int,
                       c_void_p, c_void_p),
    "hinge_view_dense": (c_void_p, c_size_t, c_size_t, c_void_p, c_int, c_void_p, c_void_p),
    "hinge_view_free": (None, c_void_p),
    "hinge_dataset_read_file": (c_void_p, c_char_p, c_int, c_uint32, c_void_p),
    "hinge_dataset_copy": (c_int, c_void_p, c_void_p, c_void_p, c_void_p, c_void_p),
    "hinge_dataset_rows": (c_size_t, c_void_p),
    "hinge_dataset_features": (c_size_t, c_void_p),
    "hinge_dataset_entries": (c_size_t, c_void_p),
    "hinge_dataset_labels": (c_void_p, c_void_p),
    "hinge_dataset_free": (None, c_void_p),
    "hinge_text_new": (c_void_p, c_uint32, c_uint32, c_uint32, c_int, c_uint32, c_void_p),
    "hinge_text_free": (None, c_void_p),
    "hinge_text_count": (c_int, c_void_p, c_size_t, c_char_p, c_void_p, c_void_p),
    "hinge_text_choose": (c_int, c_void_p, c_void_p),
    "hinge_text_restore": (c_int, c_void_p, c_size_t, c_size_t, c_char_p, c_void_p, c_void_p),
    "hinge_text_rows": (c_size_t, c_void_p),
    "hinge_text_features": (c_size_t, c_void_p),
    "hinge_text_word": (c_char_p, c_void_p, c_size_t, c_void_p),
    "hinge_text_dataset": (c_void_p, c_void_p, c_size_t, c_char_p, c_void_p, c_void_p),
    "hinge_parameters_new": (c_void_p, c_void_p),
    "hinge_parameters_free": (None, c_void_p),
    "hinge_parameters_set": (c_int, c_void_p, c_char_p, c_char_p, c_void_p),
    "hinge_parameters_weigh_classes": (None, c_void_p, c_size_t, c_void_p, c_void_p),
    "hinge_parameters_weigh_rows": (None, c_void_p, c_size_t, c_void_p),
    "hinge_parameters_start": (None, c_void_p, c_void_p),
    "hinge_monitor_new": (c_void_p, CHECKPOINT, c_void_p, c_int, c_void_p),
    "hinge_monitor_free": (None, c_void_p),
    "hinge_progress_value": (c_double, c_void_p, c_char_p),
    "hinge_train": (c_void_p, c_void_p, c_void_p, c_void_p, c_void_p),
    "hinge_model_free": (None, c_void_p),
    "hinge_model_write": (c_int, c_void_p, c_char_p, c_void_p),
    "hinge_model_read": (c_void_p, c_char_p, c_void_p),
    "hinge_model_decisions": (c_int, c_void_p, c_void_p, c_void_p, c_void_p, c_void_p),
    "hinge_model_probabilities": (c_int, c_void_p, c_size_t, c_void_p, c_void_p, c_void_p, c_void_p),
    "hinge_model_value": (c_double, c_void_p, c_char_p, c_size_t),
    "hinge_model_values": (None, c_void_p, c_char_p, c_size_t, c_void_p),
    "hinge_model_weights": (c_void_p, c_void_p),
    "hinge_outcome_name": (c_char_p, c_int),
}

# Numbers of hinge.h.
VALUE_KINDS = {"int32": 1, "float32": 2, "float64": 3}
GO_ON, OUT_OF_TIME, INTERRUPT = 0, 2, 3
BETWEEN = 1
CERTIFIED = 0
_EXCEPTIONS = {1: ValueError, 2: ValueError, 3: OSError, 4: MemoryError}


def _open_library():
    here = os.path.dirname(os.path.abspath(__file__))
    names = [os.path.join(here, *part, "libhinge.so")
             for part in ((), ("..", "..", ".."), ("..", "..", "..", "build", "plain"))]
    names = [name for name in names if os.path.exists(name)]
    names = [os.environ.get("HINGE_LIBRARY") or (names + ["libhinge.so"])[0]]
    names += filter(None, [ctypes.util.find_library("hinge")])
    for name in names:
        try:
            library = ctypes.CDLL(name)
            break
        except OSError as failure:
            reason = failure
    else:
        raise ImportError("cannot load %s (%s): run pip install or make install, or let HINGE_LIBRARY name it"
                          % (names[0], reason))
    for name, (result, *arguments) in _SIGNATURES.items():
        function = getattr(library, name)
        function.restype, function.argtypes = result, arguments
    return library


library = _open_library()


def call(name, *arguments):
    """The result of a function whose last argument, left out here, is a struct hinge_error *."""
    function = getattr(library, name)
    error = library.hinge_error_new()
    if not error:
        raise MemoryError("out of memory")
    try:
        result = function(*arguments, error)
        if not result if function.restype is c_void_p else result != 0:
            message = library.hinge_error_message(error).decode("utf-8", "replace")
            raise _EXCEPTIONS[library.hinge_error_status(error)](message)
        return result
    finally:
        library.hinge_error_free(error)


def c_text(text):
    """The text or path for C, where the character 0 would end it."""
    encoded = os.fsencode(text)
    if b"\0" in encoded:
        raise ValueError("%r contains the character 0" % text)
    return encoded


def version():
    """Return the version of the library.

    Returns
    -------
    str
        Three numbers, as in "0.3.0".

    Examples
    --------
    >>> import hinge
    >>> hinge.version() == hinge.__version__
    True
    """
    return library.hinge_version().decode()


def show_versions():
    """Print the versions of hinge, Python and packages, and the system, for the report of a defect.

    Examples
    --------
    >>> import hinge
    >>> hinge.show_versions()  # doctest: +ELLIPSIS
    hinge ...
    """
    print("hinge %s (%s)" % (version(), os.path.normpath(library._name)))
    print("python %s" % platform.python_version())
    for name in ("numpy", "scipy", "sklearn"):
        try:
            print("%s %s" % (name, __import__(name).__version__))
        except ImportError:
            print("%s is not installed" % name)
    print(platform.platform())
