"""Linear support vector machines, trained to a certificate: libhinge for Python.

    import hinge
    X, y = hinge.read_svmlight("data")
    model = hinge.train(X, y, solver="dcd-l2", C=1)
    model.relative_gap, model.certified          # how close to the optimum; True if as close as asked
    labels = model.predict(X)
    model.save("file")                           # also read by hinge-predict and LIBLINEAR
    model = hinge.load("file")

X is a two-dimensional numpy array or a sparse matrix of scipy, and y has one number for each row. Values
of type float64, float32 and int32 and the indices of a csr matrix are used where they are. They are
copied only if an array is not contiguous, if indices have 64 bits or are not sorted in each row, or if
the type is another one. The library also stores where each row begins, in 8 bytes.

Where scikit-learn is installed, HingeClassifier, HingeRegressor and OneClass are estimators by its conventions,
and TextFeatures is a transformer.

The library is the file that HINGE_LIBRARY names. Otherwise it is libhinge.so beside this file (in a
wheel), three folders above it (PREFIX/lib), in build/plain of the source, or where the system finds it.
Errors are ValueError, OSError or MemoryError. The programs' manual hinge-train(1) describes solvers and
parameters.
"""
import importlib.util

from ._data import read_svmlight
from ._library import show_versions, version
from ._training import Interrupted, Model, load, train

__all__ = ["Interrupted", "Model", "load", "read_svmlight", "show_versions", "train", "version"]
__version__ = version()

_ESTIMATORS = ["HingeClassifier", "HingeRegressor", "OneClass", "TextFeatures"]
if importlib.util.find_spec("sklearn"):
    __all__ += _ESTIMATORS
for _public in Interrupted, Model, load, read_svmlight, show_versions, train, version:
    _public.__module__ = "hinge"


def __getattr__(name):
    """Import the estimators, and with them scikit-learn, when the first of them is used."""
    if name not in _ESTIMATORS:
        raise AttributeError("module 'hinge' has no attribute '%s'" % name)
    try:
        from . import _estimators, _text
    except ImportError as reason:
        raise ImportError("hinge.%s needs scikit-learn, which is not installed" % name) from reason
    return getattr(_text if name == "TextFeatures" else _estimators, name)
