"""Arrays of numpy and scipy as data of the library, without a copy, and files as such arrays."""
import ctypes

import numpy as np

from ._library import VALUE_KINDS, c_text, call, library


def address(array):
    return None if array is None else array.ctypes.data


def refuse_masked(values, what):
    if isinstance(values, np.ma.MaskedArray):
        raise ValueError("%s is a masked array: drop its masked rows, or replace its masked values by filled()" % what)


def _array(values, what):
    """The values as an array, if each of them can become a real number."""
    refuse_masked(values, what)
    array = np.asarray(values)
    if array.dtype.kind in "cmMV":
        raise ValueError("%s: %s are not real numbers" % (what, array.dtype))
    return array


def vector(values, length, what):
    """A contiguous, aligned array of so many doubles."""
    array = np.require(_array(values, what), np.float64, ["C", "A"])
    if array.shape != (length,):
        raise ValueError("%s: %d numbers are wanted, one a row, not an array of shape %s"
                         % (what, length, array.shape))
    return array


def _as_stored(values):
    """The array where it is, if the library takes it as it is."""
    if values.dtype.name not in VALUE_KINDS or not values.dtype.isnative:
        values = values.astype(np.float64)
    return np.require(values, requirements=["C", "A"])


def _positions(values, most, kinds, what):
    """An array of whole numbers from 0 to most in the first of the kinds, or where it is, in one of them."""
    array = _array(values, what)
    if array.ndim != 1 or array.dtype.kind not in "iu":
        raise ValueError("%s: a list of whole numbers is expected, not %d-dimensional %s"
                         % (what, array.ndim, array.dtype))
    if len(array) and not 0 <= array.min() <= array.max() <= most:
        wrong = array.min() if array.min() < 0 else array.max()
        raise ValueError("%s: %d is not from 0 to %d" % (what, wrong, most))
    if array.dtype not in kinds:
        array = array.astype(kinds[0])
    return np.require(array, requirements=["C", "A"])


def _checked(X):
    """The csr or csc matrix over the same arrays, after a check: scipy itself trusts them."""
    lines, places = X.shape if X.format == "csr" else X.shape[::-1]
    start = _positions(X.indptr, len(X.indices), [np.int64, np.int32], "indptr")
    index = _positions(X.indices, min(places, 2**31 - 1) - 1, [np.int32], "indices")
    if not len(start) == lines + 1 or not len(index) == len(X.data) or start[0] or (start[1:] < start[:-1]).any():
        raise ValueError("the arrays of the sparse matrix do not fit together")
    return type(X)((_array(X.data, "data"), index, start), X.shape)


class View:
    """A struct hinge_dataset over the arrays of X and labels, within a "with"."""

    def __init__(self, X, labels=None):
        if hasattr(X, "tocsr"):
            self._of_sparse(X)
        else:
            self._of_dense(_array(X, "X"))
        self.labels = None if labels is None else vector(labels, self.rows, "y")

    def _of_sparse(self, X):
        if getattr(X, "format", None) == "csc":
            X = _checked(X)
        X = _checked(X.tocsr())
        if not X.has_canonical_format:
            X = X.copy()
            X.sum_duplicates()
        self.rows, self.features = X.shape
        self.values = _as_stored(X.data)
        self.index = np.require(X.indices, np.int32, ["C", "A"])
        self.start = np.require(X.indptr, requirements=["C", "A"])

    def _of_dense(self, X):
        if X.ndim != 2:
            raise ValueError("X has %d dimensions, not 2" % X.ndim)
        self.rows, self.features = X.shape
        self.values = _as_stored(X)
        self.index = None

    def __enter__(self):
        kind, labels = VALUE_KINDS[self.values.dtype.name], address(self.labels)
        if self.index is None:
            self._handle = call("hinge_view_dense", self.rows, self.features, address(self.values), kind,
                                 labels)
        else:
            self._handle = call("hinge_view_csr", self.rows, self.features, address(self.start),
                                 self.start.itemsize, address(self.index), address(self.values), kind,
                                 labels)
        return self._handle

    def __exit__(self, *_):
        library.hinge_view_free(self._handle)


def read_svmlight(path, *, zero_based=False, n_features=None, threads=0):
    """Read a data file in LIBSVM's format, by several threads.

    Parameters
    ----------
    path : str or path-like
        Name of the file; "-" is standard input.
    zero_based : bool, default=False
        True if the indices in the file start at 0 instead of 1.
    n_features : int, optional
        Number of columns of X, at least the largest index of the file. By default it is the largest index.
    threads : int, default=0
        The most threads; 0 stands for one for each processor. The result is the same for each number.

    Returns
    -------
    X : scipy.sparse.csr_matrix of float64, shape (rows, n_features)
        The values that are not 0.
    y : numpy.ndarray of float64, shape (rows,)
        The labels.

    Raises
    ------
    ValueError
        If the file has unusable contents. The message begins with file:line:column.
    OSError
        If the file cannot be read.

    Examples
    --------
    >>> import hinge, tempfile
    >>> with tempfile.NamedTemporaryFile("w", suffix=".svm") as file:
    ...     _ = file.write("+1 1:0.5 3:2\\n-1 2:1\\n")
    ...     file.flush()
    ...     X, y = hinge.read_svmlight(file.name)
    >>> X.toarray().tolist(), y.tolist()
    ([[0.5, 0.0, 2.0], [0.0, 1.0, 0.0]], [1.0, -1.0])
    """
    if not 0 <= threads <= 256:
        raise ValueError("threads: %r is not from 0 to 256" % (threads,))
    data = call("hinge_dataset_read_file", c_text(path), bool(zero_based), threads)
    try:
        labels = ctypes.cast(library.hinge_dataset_labels(data), ctypes.POINTER(ctypes.c_double))
        y = np.ctypeslib.as_array(labels, (library.hinge_dataset_rows(data),)).copy()
        found = library.hinge_dataset_features(data)
        if n_features is not None and n_features < found:
            raise ValueError("n_features: %d, but the file has %d features" % (n_features, found))
        return csr_copy(data, n_features), y
    finally:
        library.hinge_dataset_free(data)


def csr_copy(data, features=None):
    """The values of a struct hinge_dataset that are not 0, with so many columns, by default its own."""
    from scipy.sparse import csr_matrix

    rows, entries = library.hinge_dataset_rows(data), library.hinge_dataset_entries(data)
    start, index, value = np.empty(rows + 1, np.int64), np.empty(entries, np.int32), np.empty(entries)
    call("hinge_dataset_copy", data, address(start), address(index), address(value))
    entries = start[-1]  # without the zeros that a dense file leaves out
    return csr_matrix((value[:entries], index[:entries], start),
                      (rows, library.hinge_dataset_features(data) if features is None else features))
