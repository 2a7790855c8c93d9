"""Linear support vector machines, trained to a certificate: libhinge for Python.

    import hinge
    model = hinge.train(X, y, solver="dcd-l2", cost=1)
    model.relative_gap, model.certified          # how close to the optimum, and whether as close as asked
    labels = model.predict(X)
    model.save("file")                  # also read by hinge-predict and LIBLINEAR
    model = hinge.load("file")

X is a two-dimensional numpy array or a sparse matrix of scipy, y one number a row. Values of type
float64, float32 and int32 are used where they are, as are the indices of a csr matrix: nothing is
copied, unless an array is not contiguous, the indices have 64 bits or are not sorted in each row, or
the type is another one. Besides, the library notes where each row begins, in 8 bytes.

Where scikit-learn is installed, HingeClassifier and HingeRegressor are estimators by its conventions.

The library is the file that HINGE_LIBRARY names, or libhinge.so beside this file (in a wheel), or three
folders above it (PREFIX/lib), or in build/plain of the source, or where the system finds it. Errors are
ValueError, OSError or MemoryError. The programs' manual hinge-train(1) describes solvers and parameters.
"""
import ctypes
import ctypes.util
import numbers
import os
import platform
import signal
import tempfile
import threading
import time
from ctypes import c_char_p, c_double, c_int, c_size_t, c_void_p

import numpy as np

__all__ = ["Interrupted", "Model", "load", "show_versions", "train", "version"]

# ---- The library -----------------------------------------------------------------------------------

_ASK = ctypes.CFUNCTYPE(c_int, c_void_p)

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
    "hinge_parameters_new": (c_void_p, c_void_p),
    "hinge_parameters_free": (None, c_void_p),
    "hinge_parameters_set": (c_int, c_void_p, c_char_p, c_char_p, c_void_p),
    "hinge_parameters_weigh_classes": (None, c_void_p, c_size_t, c_void_p, c_void_p),
    "hinge_parameters_weigh_rows": (None, c_void_p, c_size_t, c_void_p),
    "hinge_parameters_start": (None, c_void_p, c_void_p),
    "hinge_train_until": (c_void_p, c_void_p, c_void_p, _ASK, c_void_p, c_void_p),
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
_VALUE_KINDS = {"int32": 1, "float32": 2, "float64": 3}
_GO_ON, _OUT_OF_TIME, _INTERRUPT = 0, 2, 3
_CERTIFIED = 0
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


_library = _open_library()


def _call(name, *arguments):
    """The result of a function whose last argument, left out here, is a struct hinge_error *."""
    function = getattr(_library, name)
    error = _library.hinge_error_new()
    if not error:
        raise MemoryError("out of memory")
    try:
        result = function(*arguments, error)
        if not result if function.restype is c_void_p else result != 0:
            message = _library.hinge_error_message(error).decode("utf-8", "replace")
            raise _EXCEPTIONS[_library.hinge_error_status(error)](message)
        return result
    finally:
        _library.hinge_error_free(error)


def _c_text(text):
    """The text or path for C, where the character 0 would end it."""
    encoded = os.fsencode(text)
    if b"\0" in encoded:
        raise ValueError("%r contains the character 0" % text)
    return encoded


def version():
    """The version of the library, as "0.3.0"."""
    return _library.hinge_version().decode()


__version__ = version()


def show_versions():
    """Print what a report of a defect should contain: versions of hinge, Python and packages, and the system."""
    print("hinge %s (%s)" % (version(), os.path.normpath(_library._name)))
    print("python %s" % platform.python_version())
    for name in ("numpy", "scipy", "sklearn"):
        try:
            print("%s %s" % (name, __import__(name).__version__))
        except ImportError:
            print("%s is not installed" % name)
    print(platform.platform())


# ---- Data ------------------------------------------------------------------------------------------


def _address(array):
    return None if array is None else array.ctypes.data


def _refuse_masked(values, what):
    if isinstance(values, np.ma.MaskedArray):
        raise ValueError("%s is a masked array: drop its masked rows, or replace its masked values by filled()" % what)


def _array(values, what):
    """The values as an array, if each of them can become a real number."""
    _refuse_masked(values, what)
    array = np.asarray(values)
    if array.dtype.kind in "cmMV":
        raise ValueError("%s: %s are not real numbers" % (what, array.dtype))
    return array


def _vector(values, length, what):
    """A contiguous, aligned array of so many doubles."""
    array = np.require(_array(values, what), np.float64, ["C", "A"])
    if array.shape != (length,):
        raise ValueError("%s: %d numbers are wanted, one a row, not an array of shape %s"
                         % (what, length, array.shape))
    return array


def _as_stored(values):
    """The array where it is, if the library takes it as it is."""
    if values.dtype.name not in _VALUE_KINDS or not values.dtype.isnative:
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


class _View:
    """A struct hinge_dataset over the arrays of X and labels, within a "with"."""

    def __init__(self, X, labels=None):
        if hasattr(X, "tocsr"):
            self._of_sparse(X)
        else:
            self._of_dense(_array(X, "X"))
        self.labels = None if labels is None else _vector(labels, self.rows, "y")

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
        kind, labels = _VALUE_KINDS[self.values.dtype.name], _address(self.labels)
        if self.index is None:
            self._handle = _call("hinge_view_dense", self.rows, self.features, _address(self.values), kind,
                                 labels)
        else:
            self._handle = _call("hinge_view_csr", self.rows, self.features, _address(self.start),
                                 self.start.itemsize, _address(self.index), _address(self.values), kind,
                                 labels)
        return self._handle

    def __exit__(self, *_):
        _library.hinge_view_free(self._handle)


# ---- Training --------------------------------------------------------------------------------------


class Interrupted(KeyboardInterrupt):
    """Ctrl-C during a training. model: as far as it got, the best weights so far."""

    def __init__(self, model):
        super().__init__("the training was interrupted")
        self.model = model


class _Monitor:
    """Ends a training after Ctrl-C, which Python notices only while Python runs, or a time limit."""

    def __init__(self, time_limit):
        self.interrupted = False
        self.end = None if time_limit is None else time.monotonic() + time_limit
        self.ask = _ASK(self._answer)

    def _answer(self, _):
        if self.interrupted:
            return _INTERRUPT
        return _GO_ON if self.end is None or time.monotonic() < self.end else _OUT_OF_TIME

    def _interrupt(self, *_):
        self.interrupted = True

    def __enter__(self):
        # Only the main thread gets signals; handlers of others are left alone.
        self.handles = (threading.current_thread() is threading.main_thread()
                        and signal.getsignal(signal.SIGINT) is signal.default_int_handler)
        if self.handles:
            signal.signal(signal.SIGINT, self._interrupt)
        return self

    def __exit__(self, *_):
        if self.handles:
            signal.signal(signal.SIGINT, signal.default_int_handler)


def _text(value):
    """A parameter's value as an option of hinge-train has it."""
    if isinstance(value, (bool, np.bool_, numbers.Integral)):
        return str(int(value))
    return repr(float(value)) if isinstance(value, numbers.Real) else str(value)


def _check_class_weight(class_weight, labels):
    """Refuses what is not a dictionary, and keys that are no labels."""
    if not isinstance(class_weight, dict):
        raise ValueError("class_weight: %r is neither a dictionary nor \"balanced\"" % (class_weight,))
    strange = [str(key) for key in class_weight if key not in labels]
    if strange:
        raise ValueError("class_weight: no class has the label %s; the labels are %s%s" % (
            " or ".join(strange), ", ".join(map(str, labels[:20])) or "none", ", ..." if len(labels) > 20 else ""))


def _fill_parameters(handle, view, sample_weight, class_weight, initial, parameters):
    """Sets all that is given; the arrays, which must last until the training is done."""
    if parameters.get("eps") is not None and "gap" not in parameters:
        parameters.setdefault("relative_gap", 0)  # as hinge-train -e
    if isinstance(class_weight, str) and class_weight == "balanced":
        parameters["balanced"] = True
        class_weight = None
    for name, value in parameters.items():
        if value is not None:
            _call("hinge_parameters_set", handle, _c_text(name), _c_text(_text(value)))
    classes = weights = rows = None
    if class_weight is not None:
        _check_class_weight(class_weight, [] if view.labels is None else np.unique(view.labels).tolist())
    if class_weight:
        classes = _vector(list(class_weight.keys()), len(class_weight), "class_weight")
        weights = _vector(list(class_weight.values()), len(class_weight), "class_weight")
        _library.hinge_parameters_weigh_classes(handle, len(classes), _address(classes), _address(weights))
    if sample_weight is not None:
        rows = _vector(sample_weight, view.rows, "sample_weight")
        _library.hinge_parameters_weigh_rows(handle, len(rows), _address(rows))
    if initial is not None:
        _library.hinge_parameters_start(handle, initial._handle)
    return classes, weights, rows


def train(X, y=None, *, sample_weight=None, class_weight=None, initial=None, time_limit=None, **parameters):
    """Trains on the rows of X with the numbers y and returns a Model.

    The parameters have the names of hinge-train's options: solver="lr-newton", cost or C=10, gap or
    relative_gap=1e-6, max_iter=100, bias=1, probability=True, ... As there, eps replaces the gap as the
    stopping rule, unless a gap is given, too.
    sample_weight: factors of C, one a row. class_weight: of the rows of a class, {label: factor}, whose
    keys must be labels, or "balanced". initial: a Model to start from. time_limit: seconds. Only for a
    one-class SVM y may be left out.

    Ctrl-C raises Interrupted, a KeyboardInterrupt that has the model as far as it got.
    """
    view = _View(X, y)
    handle = _call("hinge_parameters_new")
    try:
        arrays = _fill_parameters(handle, view, sample_weight, class_weight, initial, dict(parameters))
        with view as data, _Monitor(time_limit) as monitor:
            model = Model(_call("hinge_train_until", data, handle, monitor.ask, None))
        del arrays
    finally:
        _library.hinge_parameters_free(handle)
    if monitor.interrupted:
        raise Interrupted(model)
    return model


# ---- Models ----------------------------------------------------------------------------------------


class Model:
    """A trained model, or one from a file: see train and load."""

    def __init__(self, handle):
        self._handle = handle
        if not handle:
            raise TypeError("hinge.Model is not called: use hinge.train or hinge.load")

    def __del__(self, _free=_library.hinge_model_free):
        _free(self._handle)

    def __repr__(self):
        return "<hinge.Model: %d classes, %d features>" % (len(self.classes), self.features)

    def __reduce__(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "model")
            self.save(path)
            with open(path, "rb") as file:
                return _from_bytes, (file.read(),)

    def value(self, name, position=0):
        """A number by its name: "C", "rows", "solver", ..., or of the binary problem at that position
        "primal", "dual", "relative_gap", "outcome", "iterations", ... as hinge_model_value of hinge(3)
        has it. nan: not known."""
        return _library.hinge_model_value(self._handle, _c_text(name), position)

    def _values(self, name, count):
        values = np.empty(int(count) if count == count else 0)
        _library.hinge_model_values(self._handle, name.encode(), len(values), values.ctypes.data)
        return values

    def _problems(self, name):
        return self._values(name, self.value("problems"))

    @property
    def classes(self):
        """The labels, in the order of columns and probabilities; empty of a regression."""
        return self._values("label", self.value("classes"))

    @property
    def features(self):
        """How many, without the bias."""
        return int(self.value("features"))

    @property
    def weights(self):
        """A copy of the weights: a row for each column of decision values."""
        return self._all_weights()[:, :self.features].copy()

    @property
    def intercepts(self):
        """What is added to each column of decision values."""
        bias = self.value("bias")
        return self._all_weights()[:, -1] * bias if bias >= 0 else np.zeros(int(self.value("columns")))

    def _all_weights(self):
        shape = (self.features + (self.value("bias") >= 0), int(self.value("columns")))
        if 0 in shape:
            return np.zeros(shape).T
        address = _library.hinge_model_weights(self._handle)
        pointer = ctypes.cast(address, ctypes.POINTER(c_double))
        return np.ctypeslib.as_array(pointer, shape).T

    @property
    def relative_gap(self):
        """The largest relative duality gap; nan: not known."""
        gaps = self._problems("relative_gap")
        return float(gaps.max()) if len(gaps) else np.nan

    @property
    def outcomes(self):
        """How the training of each problem ended, as words: "certified", ..."""
        return [_library.hinge_outcome_name(int(k)).decode() for k in self._problems("outcome") if k == k]

    @property
    def certified(self):
        """Whether all problems have the gap that was asked for."""
        outcomes = self._problems("outcome")
        return len(outcomes) > 0 and bool((outcomes == _CERTIFIED).all())

    @property
    def iterations(self):
        """Passes and steps of each problem."""
        return self._problems("iterations")

    def _decide(self, X):
        view = _View(X)
        if view.index is None and view.features != self.features:
            raise ValueError("X has %d columns, but the model has %d features; only a sparse matrix may have others"
                             % (view.features, self.features))
        decision = np.empty((view.rows, int(self.value("columns"))))
        predicted = np.empty(view.rows, np.uint32)
        with view as data:
            _call("hinge_model_decisions", self._handle, data, _address(decision), _address(predicted))
        return decision, predicted

    def decision_values(self, X):
        """A row for each of X: one column for two classes, positive for classes[0], and for a regression,
        else one for each class."""
        return self._decide(X)[0]

    def predict(self, X):
        """The label of each row, of a regression the number."""
        decision, predicted = self._decide(X)
        classes = self.classes
        return classes[predicted] if len(classes) else decision[:, 0]

    def probabilities(self, X):
        """A row for each of X, with the probability of each class."""
        decision, _ = self._decide(X)
        probability = np.empty((len(decision), int(self.value("classes"))))
        _call("hinge_model_probabilities", self._handle, len(decision), _address(decision),
              _address(probability), None)
        return probability

    def save(self, path):
        """Writes a model file of hinge-train."""
        _call("hinge_model_write", self._handle, _c_text(path))


def load(path):
    """The model in a file of hinge-train, LIBLINEAR or Model.save."""
    return Model(_call("hinge_model_read", _c_text(path)))


def _from_bytes(text):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "model")
        with open(path, "wb") as file:
            file.write(text)
        return load(path)


# ---- Estimators ------------------------------------------------------------------------------------

try:
    from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
    from sklearn.exceptions import ConvergenceWarning
    from sklearn.utils import check_random_state
    from sklearn.utils.metaestimators import available_if
    from sklearn.utils.multiclass import check_classification_targets
    from sklearn.utils.validation import _check_sample_weight, check_is_fitted
except ImportError:
    BaseEstimator = None
try:
    from sklearn.utils.validation import validate_data  # since scikit-learn 1.6
except ImportError:
    validate_data = None


def __getattr__(name):
    if name in ("HingeClassifier", "HingeRegressor"):
        raise ImportError("hinge.%s needs scikit-learn, which is not installed" % name)
    raise AttributeError("module 'hinge' has no attribute '%s'" % name)


if BaseEstimator:
    import warnings

    __all__ += ["HingeClassifier", "HingeRegressor"]

    class _Estimator(BaseEstimator):
        def _checked(self, X, **options):
            options.update(accept_sparse="csr", dtype=[np.float64, np.float32], order="C")
            _refuse_masked(X, "X")
            _refuse_masked(options.get("y"), "y")
            if validate_data:
                return validate_data(self, X, **options)
            return self._validate_data(X, **options)

        def _train(self, X, y, sample_weight, class_weight, **parameters):
            if sample_weight is not None:
                _refuse_masked(sample_weight, "sample_weight")
                sample_weight = _check_sample_weight(sample_weight, X, dtype=np.float64)
            if self.random_state is not None:
                parameters["seed"] = check_random_state(self.random_state).randint(2**31)
            if self.fit_intercept and not self.intercept_scaling > 0:
                raise ValueError("intercept_scaling: %r is not above 0" % self.intercept_scaling)
            parameters.update(solver=self.solver, C=self.C, relative_gap=self.relative_gap, max_iter=self.max_iter,
                              bias=self.intercept_scaling if self.fit_intercept else -1)
            parameters.update(self.parameters or {})
            self.model_ = train(X, y, sample_weight=sample_weight, class_weight=class_weight,
                                time_limit=self.time_limit, **parameters)
            kind = "a regression" if len(self.model_.classes) == 0 else "classes"
            kind = "one class" if self.model_.value("one_class") else kind
            if kind != self._kind:
                raise ValueError("solver=%r is for %s, not for %s" % (self.solver, kind, self._kind))
            self.relative_gap_ = self.model_.relative_gap
            self.certified_ = self.model_.certified
            self.n_iter_ = int(self.model_.iterations.max())
            if not self.certified_ and self.relative_gap_ == self.relative_gap_:
                warnings.warn("the relative duality gap is %.2g (%s)" % (
                    self.relative_gap_, ", ".join(sorted(set(self.model_.outcomes)))), ConvergenceWarning)

        def __sklearn_tags__(self):
            tags = super().__sklearn_tags__()
            tags.input_tags.sparse = True
            return tags

    class HingeClassifier(ClassifierMixin, _Estimator):
        """A linear classifier by any solver of hinge-train for classes.

        Parameters: those of hinge-train that each training needs. Others are in the dictionary parameters, as
        {"free_bias": 1}, and win over those by name. fit_intercept: a constant feature of the value
        intercept_scaling (hinge-train's bias), whose weight is regularised; not with solver="smo", which has its
        own. class_weight: {class: factor of C}, whose keys must be classes, or "balanced". probability: have
        predict_proba; solvers of logistic regression have it in any case. random_state: None is hinge-train's seed.

        After fit: classes_, coef_, intercept_, n_iter_; relative_gap_, the largest relative duality gap; certified_,
        True if it is at most relative_gap; model_, the Model, whose labels are positions in classes_, or -1 and 1.
        """

        _kind = "classes"

        @property
        def penalty(self):
            """"l1" if |w|_1 is part of the problem, else "l2": SelectFromModel keeps all weights of "l1"."""
            is_l1 = str(self.solver) in ("5", "6", "l1r-l2loss", "l1r-lr") or (self.parameters or {}).get("l1")
            return "l1" if is_l1 else "l2"

        def __init__(self, solver="dcd-l2", C=1.0, *, relative_gap=1e-3, fit_intercept=True, intercept_scaling=1.0,
                     class_weight=None, probability=False, max_iter=None, random_state=None, time_limit=None,
                     parameters=None):
            self.solver = solver
            self.C = C
            self.relative_gap = relative_gap
            self.fit_intercept = fit_intercept
            self.intercept_scaling = intercept_scaling
            self.class_weight = class_weight
            self.probability = probability
            self.max_iter = max_iter
            self.random_state = random_state
            self.time_limit = time_limit
            self.parameters = parameters

        def fit(self, X, y, sample_weight=None):
            X, y = self._checked(X, y=y)
            check_classification_targets(y)
            self.classes_, position = np.unique(y, return_inverse=True)
            if len(self.classes_) < 2:
                raise ValueError("y has one class only; two are needed")
            labels = np.arange(len(self.classes_)) if len(self.classes_) > 2 else np.array([-1, 1])
            class_weight = self.class_weight
            if isinstance(class_weight, dict):
                _check_class_weight(class_weight, self.classes_.tolist())
                class_weight = {label: class_weight[name] for label, name in zip(labels, self.classes_.tolist())
                                if name in class_weight}
            self._train(X, labels[position], sample_weight, class_weight, probability=self.probability)
            self.coef_ = self._by_class(self.model_.weights.T).T.copy()
            self.intercept_ = self._by_class(self.model_.intercepts[np.newaxis]).ravel()
            return self

        def _order(self):
            return np.argsort(self.model_.classes)

        def _by_class(self, columns):
            """The columns of decision values as scikit-learn has them: that of classes_[1], or of all."""
            if columns.shape[1] > 1:
                columns = columns[:, self._order()]
                return columns if len(self.classes_) > 2 else columns[:, 1:] - columns[:, :1]
            return columns if self.model_.classes[0] > self.model_.classes[1] else -columns

        def decision_function(self, X):
            check_is_fitted(self)
            values = self._by_class(self.model_.decision_values(self._checked(X, reset=False)))
            return values if len(self.classes_) > 2 else values[:, 0]

        def predict(self, X):
            values = self.decision_function(X)
            return self.classes_[values.argmax(axis=1) if values.ndim > 1 else (values > 0).astype(int)]

        def _has_probabilities(self):
            if hasattr(self, "model_"):
                return self.model_.value("probabilities") == 1
            try:  # what a model will have, one of two rows tells, which takes no time
                model = train([[1], [-1]], [1, -1], solver=self.solver, probability=self.probability)
            except ValueError:  # as fit will say
                return False
            return model.value("probabilities") == 1

        @available_if(_has_probabilities)
        def predict_proba(self, X):
            check_is_fitted(self)
            return self.model_.probabilities(self._checked(X, reset=False))[:, self._order()]

        @available_if(_has_probabilities)
        def predict_log_proba(self, X):
            return np.log(self.predict_proba(X))

    class HingeRegressor(RegressorMixin, _Estimator):
        """A linear regression by svr-dcd-l2, svr-dcd-l1 or svr-newton of hinge-train.

        Parameters and results are as of HingeClassifier; epsilon: residuals up to this cost nothing.
        """

        _kind = "a regression"

        def __init__(self, solver="svr-dcd-l2", C=1.0, *, epsilon=0.1, relative_gap=1e-3, fit_intercept=True,
                     intercept_scaling=1.0, max_iter=None, random_state=None, time_limit=None, parameters=None):
            self.solver = solver
            self.C = C
            self.epsilon = epsilon
            self.relative_gap = relative_gap
            self.fit_intercept = fit_intercept
            self.intercept_scaling = intercept_scaling
            self.max_iter = max_iter
            self.random_state = random_state
            self.time_limit = time_limit
            self.parameters = parameters

        def fit(self, X, y, sample_weight=None):
            X, y = self._checked(X, y=y, y_numeric=True)
            self._train(X, y, sample_weight, None, epsilon=self.epsilon)
            self.coef_ = self.model_.weights[0]
            self.intercept_ = self.model_.intercepts[0]
            return self

        def predict(self, X):
            check_is_fitted(self)
            return self.model_.predict(self._checked(X, reset=False))
