"""Training and models."""
import ctypes
import numbers
import os
import signal
import sys
import tempfile
import threading
import time

import numpy as np

from ._data import View, address, vector
from ._library import BETWEEN, CERTIFIED, CHECKPOINT, GO_ON, INTERRUPT, OUT_OF_TIME, c_text, call, library


class Interrupted(KeyboardInterrupt):
    """Ctrl-C during a training.

    Attributes
    ----------
    model : Model
        The best weights so far.

    Examples
    --------
    >>> import hinge
    >>> try:
    ...     model = hinge.train([[1.0], [-1.0]], [1, -1])
    ... except hinge.Interrupted as stop:
    ...     model = stop.model
    >>> model.outcomes
    ['certified']
    """

    def __init__(self, model):
        super().__init__("the training was interrupted")
        self.model = model


class _Monitor:
    """Ends a training after Ctrl-C, which Python notices only while Python runs, or a time limit; shows progress."""

    def __init__(self, time_limit, verbose):
        self.interrupted = False
        self.begin = time.monotonic()
        self.end = None if time_limit is None else self.begin + time_limit
        self.is_shown, self.shown, self.width = bool(verbose) and sys.stderr is not None, self.begin, 0
        self.checkpoint = CHECKPOINT(self._answer)

    def _answer(self, _, progress):
        now = time.monotonic()
        if self.is_shown and now - self.shown > 0.2:
            self.shown = now
            self._show(lambda name: library.hinge_progress_value(progress, name.encode()), now)
        if self.interrupted:
            return INTERRUPT
        return GO_ON if self.end is None or now < self.end else OUT_OF_TIME

    def _show(self, value, now):
        """Writes over the line of before, which terminals and Jupyter do after a carriage return."""
        problem = "problem %d of %d, " % (value("problem") + 1, value("problems")) if value("problems") > 1 else ""
        self._write("%s%d iterations%s, %.1f s" % (problem, value("passes"), _gap_text(value("relative_gap")),
                                                   now - self.begin), "")

    def _write(self, text, end):
        print("\rhinge: " + text.ljust(self.width), end=end, file=sys.stderr, flush=True)
        self.width = len(text)

    def report(self, model):
        """Writes the last line."""
        if self.is_shown:
            self._write("%d iterations%s, %.1f s (%s)" % (
                model.iterations.sum(), _gap_text(model.relative_gap), time.monotonic() - self.begin,
                ", ".join(sorted(set(model.outcomes)))), "\n")

    def _interrupt(self, *_):
        self.interrupted = True

    def __enter__(self):
        self.handle = call("hinge_monitor_new", self.checkpoint, None, BETWEEN)
        # Only the main thread gets signals. A handler that other code has set stays.
        self.takes_signals = (threading.current_thread() is threading.main_thread()
                              and signal.getsignal(signal.SIGINT) is signal.default_int_handler)
        if self.takes_signals:
            signal.signal(signal.SIGINT, self._interrupt)
        return self.handle

    def __exit__(self, *_):
        library.hinge_monitor_free(self.handle)
        if self.takes_signals:
            signal.signal(signal.SIGINT, signal.default_int_handler)


def _gap_text(gap):
    return ", relative gap %.2g" % gap if gap == gap else ""


def _text(value):
    """A parameter's value as an option of hinge-train has it."""
    if isinstance(value, (bool, np.bool_, numbers.Integral)):
        return str(int(value))
    return repr(float(value)) if isinstance(value, numbers.Real) else str(value)


def check_class_weight(class_weight, labels):
    """Refuses a class_weight that is not a dictionary, and keys that are no labels."""
    if not isinstance(class_weight, dict):
        raise ValueError("class_weight: %r is neither a dictionary nor \"balanced\"" % (class_weight,))
    strange = [str(key) for key in class_weight if key not in labels]
    if strange:
        raise ValueError("class_weight: no class has the label %s; the labels are %s%s" % (
            " or ".join(strange), ", ".join(map(str, labels[:20])) or "none", ", ..." if len(labels) > 20 else ""))


def _fill_parameters(handle, view, sample_weight, class_weight, initial, parameters):
    """Sets all given parameters and returns the arrays, which must last until the training is done."""
    if parameters.get("eps") is not None and "gap" not in parameters:
        parameters.setdefault("relative_gap", 0)  # as hinge-train -e
    if isinstance(class_weight, str) and class_weight == "balanced":
        parameters["balanced"] = True
        class_weight = None
    for name, value in parameters.items():
        if value is not None:
            call("hinge_parameters_set", handle, c_text(name), c_text(_text(value)))
    classes = weights = rows = None
    if class_weight is not None:
        check_class_weight(class_weight, [] if view.labels is None else np.unique(view.labels).tolist())
    if class_weight:
        classes = vector(list(class_weight.keys()), len(class_weight), "class_weight")
        weights = vector(list(class_weight.values()), len(class_weight), "class_weight")
        library.hinge_parameters_weigh_classes(handle, len(classes), address(classes), address(weights))
    if sample_weight is not None:
        rows = vector(sample_weight, view.rows, "sample_weight")
        library.hinge_parameters_weigh_rows(handle, len(rows), address(rows))
    if initial is not None:
        library.hinge_parameters_start(handle, initial._handle)
    return classes, weights, rows


def train(X, y=None, *, sample_weight=None, class_weight=None, initial=None, time_limit=None, verbose=False,
          **parameters):
    """Train on the rows of X with the numbers y.

    Ctrl-C raises Interrupted, a KeyboardInterrupt that has the model as far as it got.

    Parameters
    ----------
    X : array or sparse matrix, shape (rows, features)
        Finite numbers. float64, float32 and int32 are used where they are, also in a file that is mapped into memory.
    y : array, shape (rows,), optional
        Labels of classes, or numbers to be predicted by a regression. Only a one-class SVM needs none.
    sample_weight : array, shape (rows,), optional
        Factors of C for the rows, of at least 0.
    class_weight : dict or "balanced", optional
        Factors of C for the rows of a class, {label: factor}, whose keys must be labels. "balanced" gives each class
        the same total.
    initial : Model, optional
        The training starts from its weights. A stochastic solver continues its steps.
    time_limit : float, optional
        Seconds after which the training ends with what it has.
    verbose : bool, default=False
        True to write a line of progress to standard error, which is renewed in a terminal and in Jupyter.
    **parameters
        The options of hinge-train(1) by their long names: solver="lr-newton", C=10, relative_gap=1e-6, max_iter=100,
        bias=1, free_bias=True, probability=True, threads=0, ... eps replaces the gap as the stopping rule, unless a
        gap is given, too.

    Returns
    -------
    Model
        Its property certified is True if each gap is at most relative_gap.

    Raises
    ------
    ValueError
        If an argument or the data cannot be used. The message names it.

    Examples
    --------
    >>> import hinge
    >>> X, y = [[1, 0.5], [-1, 2], [2, -1], [-0.5, -2]], [1, 2, 1, 2]
    >>> model = hinge.train(X, y, solver="dcd-l1", C=10, relative_gap=1e-6)
    >>> model.certified, model.predict(X).tolist()
    (True, [1.0, 2.0, 1.0, 2.0])
    """
    view = View(X, y)
    handle = call("hinge_parameters_new")
    monitor = _Monitor(time_limit, verbose)
    try:
        arrays = _fill_parameters(handle, view, sample_weight, class_weight, initial, dict(parameters))
        with view as data, monitor as watch:
            model = Model(call("hinge_train", data, handle, watch))
        del arrays
    finally:
        library.hinge_parameters_free(handle)
    monitor.report(model)
    if monitor.interrupted:
        raise Interrupted(model)
    return model


class Model:
    """A trained model: what train and load return.

    Attributes
    ----------
    classes : numpy.ndarray
        The labels, in the order of columns and probabilities; empty for a regression.
    features : int
        Number of features, without the bias.
    weights : numpy.ndarray, shape (columns, features)
        A copy of the weights: a row for each column of decision values.
    intercepts : numpy.ndarray, shape (columns,)
        What is added to each column of decision values.
    gap : float
        The largest duality gap: a bound of how far the objective P(w) is above its minimum.
    relative_gap : float
        The largest gap relative to P(w); nan if it is not known, as for stochastic solvers.
    certified : bool
        True if each problem has the gap that was asked for.
    outcomes : list of str
        How the training of each problem ended: "certified", "time-limit", ...
    iterations : numpy.ndarray
        Passes and steps of each problem.

    Examples
    --------
    >>> import hinge
    >>> model = hinge.train([[1.0], [-1.0]], [1, -1], C=0.1)
    >>> model
    <hinge.Model: 2 classes, 1 features>
    >>> model.decision_values([[2.0]]).shape, model.predict([[2.0], [-3.0]]).tolist()
    ((1, 1), [1.0, -1.0])
    """

    def __init__(self, handle):
        self._handle = handle
        if not handle:
            raise TypeError("hinge.Model cannot be called: use hinge.train or hinge.load")

    def __del__(self, _free=library.hinge_model_free):
        _free(self._handle)

    def __repr__(self):
        return "<hinge.Model: %d classes, %d features>" % (len(self.classes), self.features)

    def __reduce__(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "model")
            self.save(path)
            with open(path, "rb") as file:
                return model_from_bytes, (file.read(),)

    def value(self, name, position=0):
        """Return a number by its name, as hinge_model_value of hinge(3).

        Parameters
        ----------
        name : str
            "C", "rows", "solver", ..., or for each problem "primal", "dual", "relative_gap", "iterations", ...
        position : int, default=0
            The problem.

        Returns
        -------
        float
            nan if the model does not have it.
        """
        return library.hinge_model_value(self._handle, c_text(name), position)

    def _values(self, name, count):
        values = np.empty(int(count) if count == count else 0)
        library.hinge_model_values(self._handle, name.encode(), len(values), values.ctypes.data)
        return values

    def _problems(self, name):
        return self._values(name, self.value("problems"))

    @property
    def classes(self):
        """The labels, in the order of columns and probabilities; empty for a regression."""
        return self._values("label", self.value("classes"))

    @property
    def features(self):
        """Number of features, without the bias."""
        return int(self.value("features"))

    @property
    def weights(self):
        """A copy of the weights: a row for each column of decision values."""
        return self._all_weights()[:, :self.features].copy()

    @property
    def intercepts(self):
        """The constants that are added to the columns of decision values."""
        bias = self.value("bias")
        return self._all_weights()[:, -1] * bias if bias >= 0 else np.zeros(int(self.value("columns")))

    def _all_weights(self):
        shape = (self.features + (self.value("bias") >= 0), int(self.value("columns")))
        if 0 in shape:
            return np.zeros(shape).T
        address = library.hinge_model_weights(self._handle)
        pointer = ctypes.cast(address, ctypes.POINTER(ctypes.c_double))
        return np.ctypeslib.as_array(pointer, shape).T

    @property
    def relative_gap(self):
        """The largest relative duality gap; nan if it is not known."""
        gaps = self._problems("relative_gap")
        return float(gaps.max()) if len(gaps) else np.nan

    @property
    def gap(self):
        """The largest duality gap P(w) + D(alpha), a bound of P(w) minus its minimum; nan if it is not known."""
        gaps = self._problems("primal") + self._problems("dual")
        return float(gaps.max()) if len(gaps) else np.nan

    @property
    def outcomes(self):
        """How the training of each problem ended, as words: "certified", ..."""
        return [library.hinge_outcome_name(int(k)).decode() for k in self._problems("outcome") if k == k]

    @property
    def certified(self):
        """True if each problem has the gap that was asked for."""
        outcomes = self._problems("outcome")
        return len(outcomes) > 0 and bool((outcomes == CERTIFIED).all())

    @property
    def iterations(self):
        """Passes and steps of each problem."""
        return self._problems("iterations")

    def _decide(self, X):
        view = View(X)
        if view.index is None and view.features != self.features:
            raise ValueError("X has %d columns, but the model has %d features; only a sparse matrix may have others"
                             % (view.features, self.features))
        decision = np.empty((view.rows, int(self.value("columns"))))
        predicted = np.empty(view.rows, np.uint32)
        with view as data:
            call("hinge_model_decisions", self._handle, data, address(decision), address(predicted))
        return decision, predicted

    def decision_values(self, X):
        """Return the decision values of the rows of X.

        Returns
        -------
        numpy.ndarray, shape (rows, columns)
            One column for a regression and for two classes, positive for classes[0]; else one for each class.
        """
        return self._decide(X)[0]

    def predict(self, X):
        """Return the label of each row of X; the number, for a regression.

        Parameters
        ----------
        X : array or sparse matrix, shape (rows, features)
            Only a sparse matrix may have more or fewer features than the model.

        Returns
        -------
        numpy.ndarray, shape (rows,)
        """
        decision, predicted = self._decide(X)
        classes = self.classes
        return classes[predicted] if len(classes) else decision[:, 0]

    def probabilities(self, X):
        """Return the probability of each class for the rows of X.

        Returns
        -------
        numpy.ndarray, shape (rows, classes)
            In the order of classes.

        Raises
        ------
        ValueError
            If the model has none: it is neither a logistic regression nor trained with probability=True.
        """
        decision, _ = self._decide(X)
        probability = np.empty((len(decision), int(self.value("classes"))))
        call("hinge_model_probabilities", self._handle, len(decision), address(decision),
              address(probability), None)
        return probability

    def save(self, path):
        """Write a model file of hinge-train, which hinge-predict and LIBLINEAR read.

        Parameters
        ----------
        path : str or path-like
            An existing file is replaced when the new one is complete.
        """
        call("hinge_model_write", self._handle, c_text(path))


def load(path):
    """Read a model file of hinge-train, LIBLINEAR or Model.save.

    Parameters
    ----------
    path : str or path-like
        Name of the file.

    Returns
    -------
    Model

    Examples
    --------
    >>> import hinge, os, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = os.path.join(folder, "model")
    ...     hinge.train([[1.0], [-1.0]], [1, -1]).save(path)
    ...     hinge.load(path).classes.tolist()
    [1.0, -1.0]
    """
    return Model(call("hinge_model_read", c_text(path)))


def model_from_bytes(text):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "model")
        with open(path, "wb") as file:
            file.write(text)
        return load(path)
