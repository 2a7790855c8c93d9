"""Estimators by the conventions of scikit-learn."""
import warnings

import joblib
import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, OutlierMixin, RegressorMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import check_random_state
from sklearn.utils.metaestimators import available_if
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import _check_sample_weight, check_is_fitted

from ._data import refuse_masked
from ._training import check_class_weight, model_from_bytes, train

try:
    from sklearn.utils.validation import validate_data  # since scikit-learn 1.6
except ImportError:
    validate_data = None

# Parts of the docstrings that estimators share.
_SHARED = {
    "common": """relative_gap : float, default=1e-3
        The training stops when the objective is proven to be this close to its minimum.""",
    "bias": """fit_intercept : bool or "free", default=True
        True: a constant feature of the value intercept_scaling, whose weight is regularised (hinge-train's bias).
        "free": an intercept that is not regularised; not for the stochastic solvers and crammer-singer. smo
        always has one.
    intercept_scaling : float, default=1.0
        Value of the constant feature, above 0. The larger it is, the less the intercept is regularised.""",
    "running": """max_iter : int, optional
        The training stops after this number of passes and steps. A stochastic solver makes this number of passes,
        by default 20.
    warm_start : bool, default=False
        True: fit starts from the weights of the previous fit. Not for smo.
    n_jobs : int, optional
        Number of threads; -1 stands for all processors, None for 1, as in scikit-learn. It changes no weight.
    verbose : bool, default=False
        True: a line of progress on standard error, which is renewed in a terminal and in Jupyter.
    random_state : int, RandomState instance or None, default=None
        Seed of the order of rows. With None it is hinge-train's seed, so results are the same in each run.
    time_limit : float, optional
        Seconds after which the training ends with what it has.
    parameters : dict, optional
        Other options of hinge-train by name, as {"epochs": 5}. They replace the parameters above.""",
    "results": """n_iter_ : int
        Passes and steps, the largest number of all problems.
    n_features_in_ : int
        Number of columns of X.
    feature_names_in_ : numpy.ndarray of str
        Names of the columns, if X is a table of pandas.
    gap_ : float
        The largest duality gap, which bounds how far the objective is above its minimum; nan for stochastic solvers.
    relative_gap_ : float
        The largest gap relative to the objective; nan for stochastic solvers.
    certified_ : bool
        True if each gap is at most relative_gap.
    model_ : hinge.Model
        The model, which save writes to a file of hinge-train.""",
}


def _documented(cls):
    """Fills the parts that estimators share into the docstring."""
    for name, text in _SHARED.items():
        cls.__doc__ = cls.__doc__.replace("@%s@" % name, text)
    cls.__module__ = "hinge"
    return cls


# Checks of scikit-learn before 1.6. Its own stochastic and one-class estimators do not pass the first one either.
_NOT_EQUIVALENT = {"_xfail_checks": {
    "check_sample_weights_invariance": "two models are equal within their certified gaps, not to 1e-7"}}
_FEW_STEPS = {"_xfail_checks": {
    **_NOT_EQUIVALENT["_xfail_checks"],
    "check_class_weight_classifiers": "1000 steps with costs of 1000 do not come near the minimum"}}


class _Estimator(BaseEstimator):
    def _checked(self, X, **options):
        options.update(accept_sparse="csr", dtype=[np.float64, np.float32], order="C")
        refuse_masked(X, "X")
        refuse_masked(options.get("y"), "y")
        if validate_data:
            return validate_data(self, X, **options)
        return self._validate_data(X, **options)

    def _intercept(self):
        """The parameters of the intercept."""
        always_free = str(self.solver) in ("50", "smo")
        if isinstance(self.fit_intercept, str):
            if self.fit_intercept != "free":
                raise ValueError("fit_intercept: %r is not True, False or \"free\"" % self.fit_intercept)
            return {} if always_free else {"bias": 1, "free_bias": True}
        if always_free:
            return {}
        if self.fit_intercept and not self.intercept_scaling > 0:
            raise ValueError("intercept_scaling: %r is not above 0" % self.intercept_scaling)
        return {"bias": self.intercept_scaling if self.fit_intercept else -1}

    def _train(self, X, y, sample_weight, initial=None, **parameters):
        """Trains model_ and sets the results that all estimators have."""
        if sample_weight is not None:
            refuse_masked(sample_weight, "sample_weight")
            sample_weight = _check_sample_weight(sample_weight, X, dtype=np.float64)
        if self.random_state is not None:
            parameters["seed"] = check_random_state(self.random_state).randint(2**31)
        if self.n_jobs is not None:
            parameters["threads"] = min(joblib.effective_n_jobs(self.n_jobs), 256)
        options = {"solver": self.solver, "relative_gap": self.relative_gap, "max_iter": self.max_iter,
                   **parameters, **(self.parameters or {})}
        model = train(X, y, sample_weight=sample_weight, initial=initial, time_limit=self.time_limit,
                      verbose=self.verbose, **options)
        kind = "a regression" if len(model.classes) == 0 else "classes"
        kind = "one class" if model.value("one_class") else kind
        if kind != self._kind:
            raise ValueError("solver=%r is for %s, not for %s" % (self.solver, kind, self._kind))
        self.model_ = model
        self.gap_, self.relative_gap_, self.certified_ = model.gap, model.relative_gap, model.certified
        self.n_iter_ = int(model.iterations.max())
        if not self.certified_ and self.relative_gap_ == self.relative_gap_:
            warnings.warn("the relative duality gap is %.2g (%s)" % (
                self.relative_gap_, ", ".join(sorted(set(model.outcomes)))), ConvergenceWarning)

    def _previous(self):
        """The model that fit starts from; None: it starts from 0."""
        return getattr(self, "model_", None) if self.warm_start else None

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags


@_documented
class HingeClassifier(ClassifierMixin, _Estimator):
    """A linear classifier by any solver of hinge-train for classes.

    Parameters
    ----------
    solver : str or int, default="dcd-l2"
        Name or number of a solver of hinge-train(1): "dcd-l1" and "dcd-l2" for the hinge loss and its square,
        "lr-newton" for logistic regression, "l1r-lr" for it with |w|_1, "pegasos" for a stochastic solver, ...
    C : float, default=1.0
        Weight of the sum of losses.
    @common@
    @bias@
    class_weight : dict or "balanced", optional
        {class: factor of C}, whose keys must be classes; "balanced" gives each class the same total.
    probability : bool, default=False
        True: there is predict_proba, by sigmoids from 5 folds. Logistic regression has it in any case.
    @running@

    Attributes
    ----------
    classes_ : numpy.ndarray
        The classes.
    coef_ : numpy.ndarray, shape (1 or classes, features)
        The weights, without the intercept.
    intercept_ : numpy.ndarray, shape (1 or classes,)
        What is added to each decision value.
    penalty : str
        "l1" if |w|_1 is part of the problem, else "l2".
    @results@

    Examples
    --------
    >>> import hinge
    >>> X, y = [[1, 0.5], [-1, 2], [2, -1], [-0.5, -2]], ["yes", "no", "yes", "no"]
    >>> classifier = hinge.HingeClassifier("dcd-l1", C=10, fit_intercept="free").fit(X, y)
    >>> classifier.predict(X).tolist(), classifier.certified_
    (['yes', 'no', 'yes', 'no'], True)
    """

    _kind = "classes"

    @property
    def penalty(self):
        """"l1" if |w|_1 is part of the problem, else "l2": SelectFromModel keeps all weights of "l1"."""
        is_l1 = str(self.solver) in ("5", "6", "l1r-l2loss", "l1r-lr") or (self.parameters or {}).get("l1")
        return "l1" if is_l1 else "l2"

    def __init__(self, solver="dcd-l2", C=1.0, *, relative_gap=1e-3, fit_intercept=True, intercept_scaling=1.0,
                 class_weight=None, probability=False, max_iter=None, warm_start=False, n_jobs=None, verbose=False,
                 random_state=None, time_limit=None, parameters=None):
        self.solver = solver
        self.C = C
        self.relative_gap = relative_gap
        self.fit_intercept = fit_intercept
        self.intercept_scaling = intercept_scaling
        self.class_weight = class_weight
        self.probability = probability
        self.max_iter = max_iter
        self.warm_start = warm_start
        self.n_jobs = n_jobs
        self.verbose = verbose
        self.random_state = random_state
        self.time_limit = time_limit
        self.parameters = parameters

    def fit(self, X, y, sample_weight=None):
        """Train on all rows.

        Parameters
        ----------
        X : array or sparse matrix, shape (rows, features)
            Finite numbers. Arrays of float64 and float32 are not copied, also if a file is mapped into memory.
        y : array, shape (rows,)
            The class of each row: numbers or texts.
        sample_weight : array, shape (rows,), optional
            Factors of C for the rows, of at least 0.

        Returns
        -------
        HingeClassifier
            The estimator itself.
        """
        X, y = self._checked(X, y=y)
        check_classification_targets(y)
        classes, initial = np.unique(y), self._previous()
        if initial and set(classes) <= set(self.classes_):
            classes = self.classes_
        elif initial:
            raise ValueError("warm_start: y has other classes than the model to start from")
        elif len(classes) < 2:
            raise ValueError("y has one class only; two are needed")
        return self._fit(X, y, classes, sample_weight, initial)

    def _fit(self, X, y, classes, sample_weight, initial, **parameters):
        labels = _labels(len(classes))
        if self._is_stochastic():
            parameters = {"epochs": self.max_iter, "max_iter": None, **parameters}
        class_weight = self.class_weight
        if isinstance(class_weight, dict):
            check_class_weight(class_weight, classes.tolist())
            present = set(y)
            class_weight = {label: class_weight[name] for label, name in zip(labels, classes.tolist())
                            if name in class_weight and name in present}
        self._train(X, labels[np.searchsorted(classes, y)], sample_weight, initial, class_weight=class_weight,
                    C=self.C, probability=self.probability, **self._intercept(), **parameters)
        self.classes_ = classes
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
        """Return the decision values.

        Parameters
        ----------
        X : array or sparse matrix, shape (rows, features)

        Returns
        -------
        numpy.ndarray, shape (rows,) or (rows, classes)
            For two classes, positive for classes_[1].
        """
        check_is_fitted(self)
        values = self._by_class(self.model_.decision_values(self._checked(X, reset=False)))
        return values if len(self.classes_) > 2 else values[:, 0]

    def predict(self, X):
        """Return the class of each row.

        Parameters
        ----------
        X : array or sparse matrix, shape (rows, features)

        Returns
        -------
        numpy.ndarray, shape (rows,)
        """
        values = self.decision_function(X)
        return self.classes_[values.argmax(axis=1) if values.ndim > 1 else (values > 0).astype(int)]

    def _example(self):
        """A model of two rows, which takes no time and shows what a model will have; None: fit will fail."""
        try:
            return train([[1], [-1]], [1, -1], solver=self.solver, probability=self.probability)
        except ValueError:
            return None

    def _has_probabilities(self):
        model = getattr(self, "model_", None) or self._example()
        return model is not None and model.value("probabilities") == 1

    @available_if(_has_probabilities)
    def predict_proba(self, X):
        """Return the probability of each class, for logistic regression or with probability=True.

        Parameters
        ----------
        X : array or sparse matrix, shape (rows, features)

        Returns
        -------
        numpy.ndarray, shape (rows, classes)
            In the order of classes_.
        """
        check_is_fitted(self)
        return self.model_.probabilities(self._checked(X, reset=False))[:, self._order()]

    @available_if(_has_probabilities)
    def predict_log_proba(self, X):
        """Return the logarithms of predict_proba."""
        return np.log(self.predict_proba(X))

    def _is_stochastic(self):
        model = self._example()
        return model is not None and model.value("steps") > 0

    def _more_tags(self):
        return _FEW_STEPS if self._is_stochastic() else _NOT_EQUIVALENT

    @available_if(_is_stochastic)
    def partial_fit(self, X, y, classes=None, sample_weight=None):
        """Take the steps of one pass over some rows, from the weights so far; only for stochastic solvers.

        The objective is that of these rows: with C, the weight of the regulariser depends on their number. For parts
        of different sizes give parameters={"lambda": 1e-4}.

        Parameters
        ----------
        X : array or sparse matrix, shape (rows, features)
        y : array, shape (rows,)
            Rows of some classes may be missing.
        classes : array, optional
            All classes that any part has. It must be given in the first call.
        sample_weight : array, shape (rows,), optional
            Factors of the losses of the rows.

        Returns
        -------
        HingeClassifier
            The estimator itself.

        Examples
        --------
        >>> import hinge
        >>> classifier = hinge.HingeClassifier("pegasos", parameters={"lambda": 0.01})
        >>> for X, y in ([[1.0], [2.0]], [1, 1]), ([[-1.0], [-2.0]], [0, 0]):
        ...     classifier = classifier.partial_fit(X, y, classes=[0, 1])
        >>> classifier.predict([[3.0], [-3.0]]).tolist()
        [1, 0]
        """
        is_first = not hasattr(self, "model_")
        X, y = self._checked(X, y=y, reset=is_first)
        check_classification_targets(y)
        if classes is not None:
            classes = np.unique(classes)
            if not is_first and not np.array_equal(classes, self.classes_):
                raise ValueError("classes: %s are not those of the first call, %s" % (classes, self.classes_))
        elif is_first:
            raise ValueError("classes must be passed on the first call to partial_fit.")
        else:
            classes = self.classes_
        if len(classes) < 2:
            raise ValueError("there is one class only; two are needed")
        if not set(y) <= set(classes):
            raise ValueError("y has classes that are not in classes: %s" % sorted(set(y) - set(classes)))
        initial = self._of_zeros(X.shape[1], classes) if is_first else self.model_
        return self._fit(X, y, classes, sample_weight, initial, epochs=1)

    def _of_zeros(self, features, classes):
        """A model with all classes, whose next step is the second one: the first has left w = 0."""
        labels = _labels(len(classes))
        bias = {**self._intercept(), **(self.parameters or {})}.get("bias", -1)
        columns = len(labels) if len(labels) > 2 else 1
        zeros = (b"0 " * columns + b"\n") * (features + (bias >= 0))
        head = "solver_type L2R_L1LOSS_SVC_DUAL\nnr_class %d\nlabel %s\nnr_feature %d\nbias %r\nw\n" % (
            len(labels), " ".join(map(str, labels[::-1] if columns == 1 else labels)), features, float(bias))
        return model_from_bytes(head.encode() + zeros + b"# steps 1\n")


def _labels(count):
    """The library's labels of so many classes."""
    return np.arange(count) if count > 2 else np.array([-1, 1])


@_documented
class HingeRegressor(RegressorMixin, _Estimator):
    """A linear regression by support vectors.

    Parameters
    ----------
    solver : str or int, default="svr-dcd-l2"
        "svr-dcd-l2", "svr-dcd-l1" or "svr-newton" of hinge-train(1).
    C : float, default=1.0
        Weight of the sum of losses.
    epsilon : float, default=0.1
        Residuals up to this cost nothing.
    @common@
    @bias@
    @running@

    Attributes
    ----------
    coef_ : numpy.ndarray, shape (features,)
        The weights, without the intercept.
    intercept_ : float
        What is added to each prediction.
    @results@

    Examples
    --------
    >>> import hinge
    >>> regressor = hinge.HingeRegressor(C=1000, epsilon=0).fit([[0.0], [1.0], [2.0]], [1.0, 3.0, 5.0])
    >>> round(regressor.predict([[3.0]])[0], 1)
    7.0
    """

    _kind = "a regression"

    def _more_tags(self):
        return _NOT_EQUIVALENT

    def __init__(self, solver="svr-dcd-l2", C=1.0, *, epsilon=0.1, relative_gap=1e-3, fit_intercept=True,
                 intercept_scaling=1.0, max_iter=None, warm_start=False, n_jobs=None, verbose=False,
                 random_state=None, time_limit=None, parameters=None):
        self.solver = solver
        self.C = C
        self.epsilon = epsilon
        self.relative_gap = relative_gap
        self.fit_intercept = fit_intercept
        self.intercept_scaling = intercept_scaling
        self.max_iter = max_iter
        self.warm_start = warm_start
        self.n_jobs = n_jobs
        self.verbose = verbose
        self.random_state = random_state
        self.time_limit = time_limit
        self.parameters = parameters

    def fit(self, X, y, sample_weight=None):
        """Train on all rows.

        Parameters
        ----------
        X : array or sparse matrix, shape (rows, features)
            Finite numbers. Arrays of float64 and float32 are not copied, also if a file is mapped into memory.
        y : array, shape (rows,)
            The numbers to be predicted.
        sample_weight : array, shape (rows,), optional
            Factors of C for the rows, of at least 0.

        Returns
        -------
        HingeRegressor
            The estimator itself.
        """
        X, y = self._checked(X, y=y, y_numeric=True)
        self._train(X, y, sample_weight, self._previous(), C=self.C, epsilon=self.epsilon, **self._intercept())
        self.coef_ = self.model_.weights[0]
        self.intercept_ = self.model_.intercepts[0]
        return self

    def predict(self, X):
        """Return the predicted number of each row.

        Parameters
        ----------
        X : array or sparse matrix, shape (rows, features)

        Returns
        -------
        numpy.ndarray, shape (rows,)
        """
        check_is_fitted(self)
        return self.model_.predict(self._checked(X, reset=False))


@_documented
class OneClass(OutlierMixin, _Estimator):
    """A linear one-class SVM: a half-space, away from 0, with most of the rows.

    Parameters
    ----------
    nu : float, default=0.5
        At most this share of the rows, by weight, is outside, and at least this share are support vectors.
    @common@
    @running@

    Attributes
    ----------
    coef_ : numpy.ndarray, shape (1, features)
        The weights.
    offset_ : numpy.ndarray, shape (1,)
        rho: rows whose score_samples is below it are outside.
    intercept_ : numpy.ndarray, shape (1,)
        -rho.
    @results@

    Examples
    --------
    >>> import hinge
    >>> X = [[1.0, 1.0], [1.1, 0.9], [0.9, 1.0], [1.0, 1.1], [0.1, 0.1]]
    >>> hinge.OneClass(nu=0.4).fit(X).predict([[0.1, 0.1], [2.0, 2.0]]).tolist()
    [-1, 1]
    """

    _kind = "one class"
    solver = "one-class"

    def _more_tags(self):
        return _NOT_EQUIVALENT

    def __init__(self, nu=0.5, *, relative_gap=1e-3, max_iter=None, warm_start=False, n_jobs=None, verbose=False,
                 random_state=None, time_limit=None, parameters=None):
        self.nu = nu
        self.relative_gap = relative_gap
        self.max_iter = max_iter
        self.warm_start = warm_start
        self.n_jobs = n_jobs
        self.verbose = verbose
        self.random_state = random_state
        self.time_limit = time_limit
        self.parameters = parameters

    def fit(self, X, y=None, sample_weight=None):
        """Train on all rows.

        Parameters
        ----------
        X : array or sparse matrix, shape (rows, features)
            Finite numbers. Arrays of float64 and float32 are not copied, also if a file is mapped into memory.
        y : None
            Ignored.
        sample_weight : array, shape (rows,), optional
            Weights of the rows, of at least 0.

        Returns
        -------
        OneClass
            The estimator itself.
        """
        X = self._checked(X)
        self._train(X, None, sample_weight, self._previous(), nu=self.nu)
        self.coef_, self.intercept_ = self.model_.weights, self.model_.intercepts
        self.offset_ = -self.intercept_
        return self

    def decision_function(self, X):
        """Return how far each row is inside.

        Parameters
        ----------
        X : array or sparse matrix, shape (rows, features)

        Returns
        -------
        numpy.ndarray, shape (rows,)
            <w, x> - rho: negative outside.
        """
        check_is_fitted(self)
        return self.model_.decision_values(self._checked(X, reset=False))[:, 0]

    def score_samples(self, X):
        """Return <w, x> for each row: decision_function plus offset_."""
        return self.decision_function(X) + self.offset_

    def predict(self, X):
        """Return 1 for each row inside, and -1 outside.

        Parameters
        ----------
        X : array or sparse matrix, shape (rows, features)

        Returns
        -------
        numpy.ndarray of int, shape (rows,)
        """
        return np.where(self.decision_function(X) > 0, 1, -1)
