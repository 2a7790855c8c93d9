"""Tests of the module hinge, which is to be in PYTHONPATH; HINGE_BIN holds the programs, HINGE_ROOT the source.

Prints a line for each test: "pass NAME", "skip NAME: REASON" or "FAIL NAME: ...". Tests of scipy and
scikit-learn are skipped where these are not installed.
"""
import copy
import csv
import io
import multiprocessing
import os
import pathlib
import pickle
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time
import traceback
import unittest
import warnings

import numpy as np

import hinge

try:
    import scipy.sparse
except ImportError:
    scipy = None
try:
    import pandas
except ImportError:
    pandas = None
try:
    import sklearn.datasets
    import sklearn.ensemble
    import sklearn.feature_selection
    import sklearn.model_selection
    import sklearn.pipeline
    import sklearn.utils.estimator_checks
except ImportError:
    sklearn = None

try:
    import joblib
except ImportError:
    joblib = None

needs_scipy = unittest.skipUnless(scipy, "scipy is not installed")
needs_sklearn = unittest.skipUnless(sklearn, "scikit-learn is not installed")

BIN, ROOT = os.environ["HINGE_BIN"], os.environ["HINGE_ROOT"]
DIGITS, CANCER = os.path.join(ROOT, "data", "digits"), os.path.join(ROOT, "data", "breast-cancer")


def read(path, base):
    """A file in LIBSVM's format, as a dense array and labels."""
    with open(path) as file:
        rows = [line.split() for line in file]
    entries = [[entry.split(":") for entry in row[1:]] for row in rows]
    features = 1 - base + max(int(entry[0]) for row in entries for entry in row)
    X = np.zeros((len(rows), features))
    for i, row in enumerate(entries):
        for j, value in row:
            X[i, int(j) - base] = float(value)
    return X, np.array([float(row[0]) for row in rows])


digits, digit = read(DIGITS, 0)
digits *= 16  # whole numbers then, which are the same in a file
cancer, ill = read(CANCER, 1)
cancer_scaled = cancer / np.abs(cancer).max(axis=0)


def program(name, *arguments):
    return subprocess.run([os.path.join(BIN, name), *arguments], check=True, capture_output=True,
                          text=True).stdout


class TestTraining(unittest.TestCase):
    def check_the_program_s_model(self, X, rows):
        """The program gets the same rows in a file."""
        with tempfile.TemporaryDirectory() as folder:
            data, path = os.path.join(folder, "data"), os.path.join(folder, "model")
            with open(data, "w") as file:
                for label, row in zip(digit, rows):
                    file.write("%d%s\n" % (label, "".join(" %d:%d" % (j, row[j]) for j in np.flatnonzero(row))))
            for solver in "dcd-l2", "dcd-l1", "lr-newton", "sgd", "crammer-singer", "svr-dcd-l2":
                program("train", "-q", "-s", solver, "-c", "1e-4", "-B", "1", "--zero-based", data, path)
                theirs, ours = hinge.load(path), hinge.train(X, digit, solver=solver, cost=1e-4, bias=1)
                self.assertTrue(np.array_equal(ours.weights, theirs.weights), solver)
                self.assertTrue(np.array_equal(ours.intercepts, theirs.intercepts), solver)
                self.assertTrue(np.array_equal(ours.classes, theirs.classes), solver)
                for name in "C", "rows", "solver", "relative_gap", "primal", "dual", "iterations":
                    np.testing.assert_equal(ours.value(name), theirs.value(name))
                decisions = program("predict", "-q", "--output-format", "decision", data, path, "-")
                decisions = np.array([line.split() for line in decisions.splitlines()], float)
                self.assertTrue(np.array_equal(ours.decision_values(X), decisions), solver)

    @needs_scipy
    def test_csr_gives_the_program_s_model(self):
        bright = np.where(digits > 9, digits, 0)
        bright[0, -1] = 1  # the last feature is in the file, too
        self.assertLess(np.count_nonzero(bright), bright.size / 2)
        self.check_the_program_s_model(scipy.sparse.csr_matrix(bright), bright)

    def test_an_array_gives_the_program_s_model(self):
        self.assertGreater(np.count_nonzero(digits), digits.size / 2)
        self.check_the_program_s_model(digits, digits)

    def test_kinds_of_values_change_no_bit(self):
        expected = hinge.train(digits, digit, C=1e-4)
        self.assertTrue(expected.certified and 0 <= expected.relative_gap <= 1e-3)
        for kind in np.float32, np.int32, np.int64, np.uint8, np.float16, ">f8", ">i4":
            model = hinge.train(digits.astype(kind), digit.astype(int), C=1e-4)
            self.assertTrue(np.array_equal(model.weights, expected.weights), kind)
            self.assertTrue(np.array_equal(model.decision_values(digits.astype(kind)),
                                           expected.decision_values(digits)), kind)
        for array in (np.asfortranarray(digits), np.repeat(digits, 2, axis=1)[:, ::2], digits.tolist()):
            self.assertTrue(np.array_equal(hinge.train(array, digit, C=1e-4).weights, expected.weights))

    def test_arrays_that_are_not_aligned(self):
        def moved(array):
            copy = np.empty(array.nbytes + 1, np.uint8)[1:].view(array.dtype).reshape(array.shape)
            copy[...] = array
            self.assertFalse(copy.flags.aligned)
            return copy

        X, y, weight = moved(digits), moved(digit), moved(digit + 1)
        view = hinge._data.View(X, y)
        for array in view.values, view.labels, hinge._data.vector(weight, len(weight), "sample_weight"):
            self.assertTrue(array.flags.aligned)
        self.assertTrue(np.array_equal(hinge.train(X, y, sample_weight=weight, C=1e-4).weights,
                                       hinge.train(digits, digit, sample_weight=digit + 1, C=1e-4).weights))

    @needs_scipy
    def test_sparse_matrices_of_any_kind(self):
        X = scipy.sparse.csr_matrix(digits)
        expected = hinge.train(X, digit, C=1e-4)
        long = X.copy()
        long.indices, long.indptr = X.indices.astype(np.int64), X.indptr.astype(np.int64)
        for other in (X.tocsc(), X.tocoo(), X.tolil(), scipy.sparse.csr_array(X), X.astype(np.float32),
                      X.astype(np.int32), X.astype(np.int64), long):
            self.assertTrue(np.array_equal(hinge.train(other, digit, C=1e-4).weights, expected.weights))
        # Columns from the right to the left, each entry in two halves.
        order = np.lexsort((-X.indices, np.repeat(np.arange(X.shape[0]), np.diff(X.indptr))))
        twice = np.repeat(order, 2)
        odd = scipy.sparse.csr_matrix((X.data[twice] / 2, X.indices[twice], X.indptr * 2), X.shape)
        before = odd.indices.copy()
        self.assertTrue(np.array_equal(hinge.train(odd, digit, C=1e-4).weights, expected.weights))
        self.assertTrue(np.array_equal(odd.indices, before))
        # Without labels.
        self.assertTrue(np.array_equal(hinge.train(X, solver="one-class").weights,
                                       hinge.train(X, digit, solver="one-class").weights))
        with self.assertRaisesRegex(ValueError, "^label: the data have none"):
            hinge.train(X)

    @needs_scipy
    def test_nothing_is_copied(self):
        X = scipy.sparse.csr_matrix(digits)
        for kind in np.float64, np.float32, np.int32:
            sparse = X.astype(kind)
            view = hinge._data.View(sparse, digit)
            self.assertEqual(view.values.ctypes.data, sparse.data.ctypes.data)
            self.assertEqual(view.index.ctypes.data, sparse.indices.ctypes.data)
            dense = digits.astype(kind)
            self.assertEqual(hinge._data.View(dense, digit).values.ctypes.data, dense.ctypes.data)
        # What the library sees of a view are the arrays: it sees what is written into them later.
        model = hinge.train(X, digit, C=1e-4)
        before, after = np.empty((2, X.shape[0], 10))
        with hinge._data.View(X) as data:
            hinge._library.call("hinge_model_decisions", model._handle, data, before.ctypes.data, None)
            X.data *= 2
            hinge._library.call("hinge_model_decisions", model._handle, data, after.ctypes.data, None)
        self.assertTrue(np.array_equal(after, 2 * before))

    def test_weights(self):
        kept = np.arange(len(ill)) % 3 > 0
        options = {"C": 0.5, "relative_gap": 1e-10, "bias": 1}
        expected = hinge.train(np.vstack([cancer_scaled[kept]] * 2), np.tile(ill[kept], 2), **options)
        weighed = hinge.train(cancer_scaled, ill, sample_weight=2.0 * kept, **options)
        np.testing.assert_allclose(weighed.weights, expected.weights, rtol=1e-4, atol=1e-6)
        self.assertFalse(np.allclose(hinge.train(cancer_scaled, ill, **options).weights, expected.weights))
        by_class = hinge.train(cancer_scaled, ill, class_weight={1: 3, -1: 0.5}, **options)
        by_row = hinge.train(cancer_scaled, ill, sample_weight=np.where(ill == 1, 3, 0.5), **options)
        np.testing.assert_allclose(by_class.weights, by_row.weights, rtol=1e-4, atol=1e-6)
        balanced = hinge.train(cancer_scaled, ill, class_weight="balanced", **options)
        share = len(ill) / 2 / np.where(ill == 1, (ill == 1).sum(), (ill == -1).sum())
        by_row = hinge.train(cancer_scaled, ill, sample_weight=share, **options)
        np.testing.assert_allclose(balanced.weights, by_row.weights, rtol=1e-4, atol=1e-6)

    def test_other_problems(self):
        line = cancer_scaled @ np.arange(30.0) + 1
        model = hinge.train(cancer_scaled, line, solver="svr-newton", C=1e4, epsilon=0, bias=1)
        self.assertEqual(len(model.classes), 0)
        np.testing.assert_allclose(model.predict(cancer_scaled), line, atol=0.1)
        model = hinge.train(cancer_scaled, solver="one-class", nu=0.1)
        self.assertEqual(sorted(model.classes), [-1, 1])
        self.assertLess((model.predict(cancer_scaled) == -1).mean(), 0.11)
        labelled = hinge.train(cancer_scaled, ill, solver="one-class", nu=0.1)
        self.assertTrue(np.array_equal(labelled.weights, model.weights))
        rough = hinge.train(cancer_scaled, ill, C=10, relative_gap=1e-2)
        again = hinge.train(cancer_scaled, ill, C=10, relative_gap=1e-2, initial=rough, max_iter=1)
        self.assertLessEqual(again.value("primal"), rough.value("primal"))
        # eps alone is LIBLINEAR's rule, without a gap.
        by_eps = hinge.train(cancer_scaled, ill, eps=10)
        self.assertTrue(by_eps.relative_gap > 1e-3 or by_eps.value("iterations") < rough.value("iterations"))
        self.assertTrue(hinge.train(cancer_scaled, ill, eps=10, relative_gap=1e-6).certified)

    def test_refusals(self):
        def refuses(kind, pattern, *arguments, **options):
            with self.assertRaisesRegex(kind, pattern):
                hinge.train(*arguments, **options)

        bad = cancer.copy()
        bad[3, 5] = np.nan
        refuses(ValueError, r"row 3 \(from 0\): the value of column 5 is not finite", bad, ill)
        refuses(ValueError, "y: 569 numbers are wanted", cancer, ill[1:])
        for solver in "dcd-l2", "svr-newton":
            refuses(ValueError, "^label: the data have none", cancer, solver=solver)
        refuses(ValueError, "sample_weight: 569 numbers", cancer, ill, sample_weight=[1, 2])
        refuses(ValueError, "label is not finite", cancer, ill * np.inf)
        refuses(ValueError, "1 dimensions, not 2", ill, ill)
        refuses(ValueError, "^0 rows: not from 1", cancer[:0], ill[:0])
        refuses(ValueError, "there is no parameter 'itterations'", cancer, ill, itterations=3)
        refuses(ValueError, r"solver: 'dcd' is not a solver; there are 1 \(dcd-l2\), .* 41 \(hrmd-w\)$", cancer, ill,
                solver="dcd")
        refuses(ValueError, "class_weight: 'even' is neither", cancer, ill, class_weight="even")
        refuses(ValueError, r"class_weight: \[1, 2\] is neither", cancer, ill, class_weight=[1, 2])
        for wrong, named in ({1: 3, -1: 2, 17: 9}, "17"), ({0: 1, 1: 2}, "0"), ({"1": 2, True: 1}, "1"):
            refuses(ValueError, "class_weight: no class has the label %s; the labels are -1.0, 1.0$" % named,
                    cancer, ill, class_weight=wrong)
        refuses(ValueError, "no class has the label 1; the labels are none", cancer, solver="one-class",
                class_weight={1: 2})
        refuses(ValueError, "X: complex128 are not real numbers", cancer + 0j, ill)
        refuses(ValueError, "y: complex128 are not real numbers", cancer, ill + 0j)
        refuses(ValueError, r"'dcd-l1\\x00' contains the character 0", cancer, ill, solver="dcd-l1\0")
        refuses(ValueError, "contains the character 0", cancer, ill, **{"C\0": 1})
        refuses(ValueError, "row_weight: all are 0", cancer, ill, sample_weight=np.zeros(len(ill)))
        refuses(ValueError, "C: 'nan' is not a finite number", cancer, ill, C=np.nan)
        refuses(ValueError, "C", cancer, ill, C=-1)
        refuses(ValueError, "max-iter|max_iter", cancer, ill, max_iter=-1)
        refuses(ValueError, "class", cancer, np.ones(len(ill)))
        refuses(ValueError, "could not convert", cancer, ["a"] * len(ill))
        model = hinge.train(cancer, ill)
        with self.assertRaisesRegex(OSError, "no/where"):
            hinge.load("no/where")
        with self.assertRaisesRegex(OSError, "no/where"):
            model.save("no/where")
        with self.assertRaisesRegex(ValueError, "breast-cancer:1:1: .* model"):
            hinge.load(CANCER)
        with self.assertRaisesRegex(ValueError, "no probabilities"):
            model.probabilities(cancer)
        with tempfile.TemporaryDirectory() as folder:
            for path in os.path.join(folder, "a\0b"), os.path.join(folder, "a\0b").encode():
                for call in model.save, hinge.load:
                    with self.assertRaisesRegex(ValueError, "contains the character 0"):
                        call(path)
            self.assertEqual(os.listdir(folder), [])

    def test_masked_arrays_are_refused(self):
        model = hinge.train(cancer, ill)
        for masked in np.ma.masked_greater(cancer, 100), np.ma.array(cancer):
            for call in hinge.train, lambda X, _: model.predict(X):
                with self.assertRaisesRegex(ValueError, "X is a masked array"):
                    call(masked, ill)
        with self.assertRaisesRegex(ValueError, "y is a masked array"):
            hinge.train(cancer, np.ma.masked_equal(ill, -1))
        with self.assertRaisesRegex(ValueError, "sample_weight is a masked array"):
            hinge.train(cancer, ill, sample_weight=np.ma.array(ill * ill))

    @needs_scipy
    def test_arrays_of_sparse_matrices_are_checked(self):
        def wide(make=scipy.sparse.csr_matrix):
            return make((np.array([1.0, 2, 3]), np.array([0, 3, 1]), np.array([0, 2, 3])),
                        (2, 4) if make is scipy.sparse.csr_matrix else (4, 2))

        y = [1, -1]
        expected = hinge.train(wide(), y).weights
        for kind in "<i4", ">i4", "<i8", ">i8", "<u2", ">u4", "<u8":
            for name in "indices", "indptr":
                X = wide()
                setattr(X, name, getattr(X, name).astype(kind))
                self.assertTrue(np.array_equal(hinge.train(X, y).weights, expected), (kind, name))
        for make in scipy.sparse.csr_matrix, scipy.sparse.csc_matrix:
            for wrong in 2**32 + 2, 2**32 - 1, -2**32, -1, 4, 2**63 - 1:
                X = wide(make)
                X.indices = X.indices.astype(np.int64)
                X.indices[1] = wrong
                with self.assertRaisesRegex(ValueError, "indices: %d is not from 0 to 3" % wrong):
                    hinge.train(X, y)
            for kind in np.float64, np.float32, bool, complex:
                for name in "indices", "indptr":
                    X = wide(make)
                    setattr(X, name, getattr(X, name).astype(kind))
                    with self.assertRaisesRegex(ValueError, name + ": "):
                        hinge.train(X, y)
            for wrong in [0, 1], [0, 2, 4], [0, 3, 2], [1, 2, 3], [0, 2**32, 3], [0, -1, 3], [[0, 2, 3]], []:
                X = wide(make)
                X.indptr = np.array(wrong, np.int64)
                with self.assertRaisesRegex(ValueError, "indptr: |do not fit together"):
                    hinge.train(X, y)
            X = wide(make)
            X.data = X.data[:2]
            with self.assertRaisesRegex(ValueError, "do not fit together"):
                hinge.train(X, y)

    def test_each_option_of_train_is_a_parameter(self):
        text = program("train", "--help", "all")
        sections = re.split(r"\n(?=[^ \n].*:\n)", text)
        wanted = [section for section in sections if section.startswith(
            ("the problem:", "solvers with a certificate:", "stochastic solvers:"))]
        self.assertEqual(len(wanted), 3, text)
        names = re.findall(r"^ .*?--([a-z0-9-]+)", "\n".join(wanted), re.MULTILINE)
        self.assertIn("free-bias", names)
        for name in set(names) - {"weight", "row-weights", "initial-model", "strict", "alpha",
                                "checkpoint", "checkpoint-every"} | {"seed"}:
            with self.assertRaises(ValueError) as caught:
                hinge.train(cancer, ill, **{name: "?"})
            self.assertIn(" is not ", str(caught.exception))


class TestModels(unittest.TestCase):
    def test_copies_are_the_same(self):
        model = hinge.train(cancer_scaled, ill, solver="dcd-l1", C=4, bias=1, probability=True)
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "a model")
            model.save(path)
            copies = [hinge.load(path), pickle.loads(pickle.dumps(model)), copy.deepcopy(model)]
        for other in copies:
            for name in "predict", "decision_values", "probabilities":
                self.assertTrue(np.array_equal(getattr(other, name)(cancer_scaled),
                                               getattr(model, name)(cancer_scaled)), name)
            self.assertEqual((other.relative_gap, other.certified, other.outcomes, other.features),
                             (model.relative_gap, True, ["certified"], 30))
            self.assertTrue(np.array_equal(other.iterations, model.iterations))
        probabilities = model.probabilities(cancer_scaled)
        np.testing.assert_allclose(probabilities.sum(axis=1), 1)
        values = cancer_scaled @ model.weights.T + model.intercepts
        np.testing.assert_allclose(model.decision_values(cancer_scaled), values, rtol=1e-9, atol=1e-9)
        self.assertTrue(np.array_equal(model.predict(cancer_scaled),
                                       model.classes[(values[:, 0] <= 0).astype(int)]))
        self.assertTrue(np.isnan(model.value("no such number")))
        weights = model.weights
        del model
        self.assertEqual(weights.shape, (1, 30))
        self.assertTrue(np.isfinite(weights).all())

    def test_only_sparse_rows_may_have_other_features(self):
        model = hinge.train(cancer_scaled[:, :10], ill)
        for X in cancer_scaled, cancer_scaled[:, :3]:
            for call in model.predict, model.decision_values:
                with self.assertRaisesRegex(ValueError, "X has %d columns, but the model has 10 features" % X.shape[1]):
                    call(X)
        if scipy:
            sparse = scipy.sparse.csr_matrix(cancer_scaled)
            self.assertTrue(np.array_equal(model.predict(sparse), model.predict(cancer_scaled[:, :10])))
            self.assertEqual(model.predict(sparse[:, :3]).shape, ill.shape)
        with open(CANCER) as file:
            self.assertTrue(file.read(1))
        self.assertEqual(hinge.version(), program("train", "--version").split()[1])


class TestReading(unittest.TestCase):
    @needs_scipy
    def test_files_are_read(self):
        for path, zero_based, X, y in (DIGITS, True, digits / 16, digit), (CANCER, False, cancer, ill):
            for threads in 0, 1, 2:
                rows, labels = hinge.read_svmlight(path, zero_based=zero_based, threads=threads)
                self.assertTrue(np.array_equal(rows.toarray(), X))
                self.assertTrue(np.array_equal(labels, y))
                self.assertTrue((rows.data != 0).all() and rows.has_canonical_format)
            wider, _ = hinge.read_svmlight(pathlib.Path(path), zero_based=zero_based, n_features=100)
            self.assertEqual(wider.shape, (len(y), 100))
            self.assertEqual((wider[:, X.shape[1]:]).nnz, 0)
        if sklearn:
            theirs, labels = sklearn.datasets.load_svmlight_file(CANCER)
            ours, _ = hinge.read_svmlight(CANCER)
            for name in "data", "indices", "indptr":
                self.assertTrue(np.array_equal(getattr(ours, name), getattr(theirs, name)))

    @needs_scipy
    def test_refusals(self):
        with self.assertRaisesRegex(OSError, "no/where"):
            hinge.read_svmlight("no/where")
        with tempfile.NamedTemporaryFile("w") as file:
            file.write("1 0:1\n")
            file.flush()
            with self.assertRaisesRegex(ValueError, "%s:1:3: " % re.escape(file.name)):
                hinge.read_svmlight(file.name)
        with self.assertRaisesRegex(ValueError, "n_features: 3, but the file has 30"):
            hinge.read_svmlight(CANCER, n_features=3)
        with self.assertRaisesRegex(ValueError, "threads: -1 is not from 0"):
            hinge.read_svmlight(CANCER, threads=-1)


class TestProgress(unittest.TestCase):
    def lines(self, **options):
        """What a training with verbose=True shows, without what is written over."""
        kept, sys.stderr = sys.stderr, io.StringIO()
        try:
            model = hinge.train(digits, digit, verbose=True, **options)
            return model, sys.stderr.getvalue()
        finally:
            sys.stderr = kept

    def test_a_line(self):
        model, text = self.lines(C=1e-4, relative_gap=1e-4)
        self.assertTrue(text.startswith("\rhinge: ") and text.endswith("\n"))
        self.assertEqual(text.count("\n"), 1)
        last = text.split("\r")[-1]
        self.assertRegex(last, r"^hinge: %d iterations, relative gap %.2g, \d+\.\d s \(certified\) *\n$"
                         % (model.iterations.sum(), model.relative_gap))
        plain = hinge.train(digits, digit, C=1e-4, relative_gap=1e-4)
        self.assertTrue(np.array_equal(plain.weights, model.weights))

    def test_it_is_renewed(self):
        _, text = self.lines(time_limit=1, threads=2, **ENDLESS)
        lines = text.split("\r")[1:]
        self.assertGreater(len(lines), 2)
        self.assertRegex(lines[0], r"^hinge: problem \d+ of 10, \d+ iterations, \d\.\d s *$")
        self.assertIn("time-limit", lines[-1])


ENDLESS = {"solver": "sgd", "iterations": 2**53}  # on these data for years


class TestStops(unittest.TestCase):
    def test_interrupt(self):
        timer = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT))
        timer.start()
        begin = time.monotonic()
        with self.assertRaises(KeyboardInterrupt) as caught:
            hinge.train(cancer_scaled, ill, **ENDLESS)
        timer.join()
        self.assertLess(time.monotonic() - begin, 20)
        self.assertIs(signal.getsignal(signal.SIGINT), signal.default_int_handler)
        model = caught.exception.model
        self.assertEqual(model.outcomes, ["interrupted"])
        self.assertGreater((model.predict(cancer_scaled) == ill).mean(), 0.8)

    def test_handlers_of_others_stay(self):
        def handler(*_):
            pass

        signal.signal(signal.SIGINT, handler)
        try:
            hinge.train(cancer_scaled, ill)
            self.assertIs(signal.getsignal(signal.SIGINT), handler)
        finally:
            signal.signal(signal.SIGINT, signal.default_int_handler)

    def test_time_limit_in_threads(self):
        models = []
        threads = [threading.Thread(target=lambda: models.append(
            hinge.train(cancer_scaled, ill, time_limit=0.2, **ENDLESS))) for _ in range(2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(30)
        self.assertEqual([model.outcomes for model in models], [["time-limit"]] * 2)
        self.assertFalse(models[0].certified)


@needs_sklearn
class TestEstimators(unittest.TestCase):
    def check_all(self, estimator, least):
        checks, count = sklearn.utils.estimator_checks, 0
        for checked, check in (checks.estimator_checks_generator(estimator)
                               if hasattr(checks, "estimator_checks_generator")
                               else checks.check_estimator(estimator, generate_only=True)):
            with self.subTest(check=str(check)), warnings.catch_warnings():
                warnings.simplefilter("ignore")
                try:
                    check(checked)
                    count += 1
                except unittest.SkipTest as reason:
                    self.assertRegex(str(reason), "pandas|within their certified gaps|1000 steps")
        self.assertGreaterEqual(count, least)
        print("note check_estimator(%r): %d checks passed" % (estimator, count))

    def test_check_estimator(self):
        for solver in ("dcd-l2", "dcd-l1", "newton-l2", "lr-newton", "lr-dcd", "l1r-l2loss", "l1r-lr", "enet", "softmax",
                       "crammer-singer", "smo", "pegasos", "sgd", "sgd-w", "comid", "hrmd-w"):
            self.check_all(hinge.HingeClassifier(solver), 40)
        self.check_all(hinge.HingeClassifier(fit_intercept="free", warm_start=True, n_jobs=2), 40)
        for solver in "svr-dcd-l2", "svr-dcd-l1", "svr-newton":
            self.check_all(hinge.HingeRegressor(solver), 40)
        self.check_all(hinge.OneClass(), 37)

    def test_labels_are_text(self):
        names = np.array(["nought", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"])
        y = names[digit.astype(int)]
        for solver in "dcd-l2", "crammer-singer", "softmax":
            for rows in slice(None), digit < 2:
                X = digits[rows]
                model = hinge.HingeClassifier(solver, C=1e-2).fit(X, y[rows])
                self.assertEqual(list(model.classes_), sorted(set(y[rows])))
                self.assertGreater(model.score(X, y[rows]), 0.95)
                self.assertTrue(model.certified_ and 0 <= model.relative_gap_ <= 1e-3)
                np.testing.assert_allclose(model.decision_function(X), (
                    X @ model.coef_.T + model.intercept_).reshape(model.decision_function(X).shape),
                    rtol=1e-6, atol=1e-6)
                if solver == "softmax":
                    best = model.classes_[model.predict_proba(X).argmax(axis=1)]
                    self.assertTrue(np.array_equal(best, model.predict(X)))
                else:
                    self.assertFalse(hasattr(model, "predict_proba"))

    def test_weights_and_probabilities(self):
        y = np.where(ill == 1, "yes", "no")
        options = {"relative_gap": 1e-10, "C": 0.5}
        by_class = hinge.HingeClassifier(class_weight={"yes": 4}, **options).fit(cancer_scaled, y)
        by_row = hinge.HingeClassifier(**options).fit(cancer_scaled, y, np.where(ill == 1, 4, 1))
        plain = hinge.HingeClassifier(**options).fit(cancer_scaled, y)
        np.testing.assert_allclose(by_class.coef_, by_row.coef_, rtol=1e-4, atol=1e-6)
        self.assertGreater((by_class.predict(cancer_scaled) == "yes").sum(),
                           (plain.predict(cancer_scaled) == "yes").sum())
        model = hinge.HingeClassifier(probability=True).fit(cancer_scaled, y)
        yes = model.predict_proba(cancer_scaled)[:, list(model.classes_).index("yes")]
        self.assertGreater(yes[y == "yes"].mean(), 0.8)
        self.assertLess(yes[y == "no"].mean(), 0.2)
        np.testing.assert_allclose(np.exp(model.predict_log_proba(cancer_scaled))[:, 1], yes)
        copied = pickle.loads(pickle.dumps(model))
        self.assertTrue(np.array_equal(copied.predict_proba(cancer_scaled)[:, 1], yes))

        for wrong, named in ({"yes": 2, "no": 1, "maybe": 3}, "maybe"), ({1: 4, 2: 1}, "1 or 2"), ({-1: 4}, "-1"):
            with self.assertRaisesRegex(ValueError, "no class has the label %s; the labels are no, yes$" % named):
                hinge.HingeClassifier(class_weight=wrong).fit(cancer_scaled, y)
        digits_weights = hinge.HingeClassifier(class_weight={7: 2}, C=1e-4).fit(digits, digit.astype(int))
        self.assertEqual(digits_weights.coef_.shape, (10, digits.shape[1]))
        for wrong in [1, 2], "even":
            with self.assertRaisesRegex(ValueError, "class_weight: .* is neither"):
                hinge.HingeClassifier(class_weight=wrong).fit(cancer_scaled, y)

    def test_the_bias_can_be_set(self):
        kept = hinge.train(cancer_scaled, ill, bias=7.5)
        for estimator in (hinge.HingeClassifier(intercept_scaling=7.5), hinge.HingeClassifier(parameters={"bias": 7.5}),
                          hinge.HingeClassifier(fit_intercept=False, parameters={"bias": 7.5})):
            estimator.fit(cancer_scaled, ill)
            self.assertTrue(np.array_equal(estimator.coef_, kept.weights))
            np.testing.assert_allclose(estimator.intercept_, kept.intercepts)
        one = hinge.HingeClassifier().fit(cancer_scaled, ill)
        self.assertFalse(np.allclose(one.coef_, estimator.coef_))
        line = cancer_scaled @ np.arange(30.0) + 100
        expected = hinge.train(cancer_scaled, line, solver="svr-dcd-l2", bias=20).intercepts
        for estimator in (hinge.HingeRegressor(intercept_scaling=20), hinge.HingeRegressor(parameters={"bias": 20})):
            np.testing.assert_allclose(estimator.fit(cancer_scaled, line).intercept_, expected[0])
        for wrong in 0, -1:
            with self.assertRaisesRegex(ValueError, "intercept_scaling: %d is not above 0" % wrong):
                hinge.HingeClassifier(intercept_scaling=wrong).fit(cancer_scaled, ill)

    def test_features_are_selected_by_l1(self):
        select = sklearn.feature_selection.SelectFromModel
        for solver, parameters in (("l1r-lr", {}), (5, {}), ("enet", {"l1": 0.01})):
            model = hinge.HingeClassifier(solver, C=0.3, parameters=parameters)
            self.assertEqual(model.penalty, "l1")
            model.fit(cancer_scaled, ill)
            kept = (np.abs(model.coef_) >= 1e-5).sum()
            self.assertTrue(0 < kept < 30, kept)
            self.assertEqual(select(model, prefit=True).get_support().sum(), kept)
            self.assertEqual(select(sklearn.base.clone(model)).fit(cancer_scaled, ill).get_support().sum(), kept)
        self.assertEqual(hinge.HingeClassifier().penalty, "l2")
        self.assertNotIn("penalty", hinge.HingeClassifier().get_params())

    def test_masked_arrays_are_refused(self):
        model = hinge.HingeClassifier().fit(cancer_scaled, ill)
        masked = np.ma.masked_less(cancer_scaled, 0.1)
        for name, call in (("X", lambda: model.predict(masked)), ("X", lambda: model.fit(masked, ill)),
                           ("y", lambda: model.fit(cancer_scaled, np.ma.masked_equal(ill, 2))),
                           ("sample_weight", lambda: model.fit(cancer_scaled, ill, np.ma.array(ill * ill)))):
            with self.assertRaisesRegex(ValueError, name + " is a masked array"):
                call()

    def test_which_will_have_probabilities(self):
        y = np.where(ill == 1, "yes", "no")
        text = program("train", "--help", "all").split("\nsolvers:\n")[1]
        solvers = re.findall(r"^ +([0-9]+)  ([a-z0-9-]+) ", text, re.MULTILINE)
        self.assertGreater(len(solvers), 20)
        for number, name in solvers:
            model = hinge.HingeClassifier(int(number), C=1e-2, fit_intercept=name != "smo")
            before = hasattr(model, "predict_proba")
            self.assertEqual(before, name in ("lr-newton", "lr-dcd", "l1r-lr", "softmax"), name)
            self.assertEqual(before, hasattr(hinge.HingeClassifier(name), "predict_log_proba"), name)
            if name != "one-class" and not name.startswith("svr-"):
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    model.fit(cancer_scaled, y)
                self.assertEqual(before, hasattr(model, "predict_proba"), name)
                model = hinge.HingeClassifier(name, probability=True)
                self.assertTrue(hasattr(model, "predict_proba"), name)
        self.assertFalse(hasattr(hinge.HingeClassifier("no solver"), "predict_proba"))
        stack = sklearn.ensemble.StackingClassifier([("lr", hinge.HingeClassifier("lr-newton"))],
                                                    stack_method="predict_proba")
        self.assertGreater(stack.fit(cancer_scaled, y).score(cancer_scaled, y), 0.9)

    def test_partial_fit(self):
        names = np.array(list("abcdefghij"))[digit.astype(int)]
        order = np.argsort(names, kind="stable")  # the first parts have some of the classes
        model = hinge.HingeClassifier("sgd-suffix", parameters={"lambda": 1e-3})
        parts = np.array_split(order, 7) + np.array_split(np.random.RandomState(1).permutation(len(digit)), 9)
        for rows in parts:
            self.assertIs(model, model.partial_fit(digits[rows] / 16, names[rows], classes=list("jihgfedcba")))
        self.assertEqual(list(model.classes_), list("abcdefghij"))
        self.assertEqual(model.n_iter_, len(parts[-1]))
        self.assertEqual(model.model_.value("steps"), 1 + sum(map(len, parts)))
        self.assertGreater(model.score(digits / 16, names), 0.9)
        # What was fitted continues, and what was stored.
        fitted = hinge.HingeClassifier("sgd", C=1e-2).fit(cancer_scaled, ill)
        copied = pickle.loads(pickle.dumps(fitted))
        for estimator in fitted, copied:
            estimator.partial_fit(cancer_scaled[:50], ill[:50])
        self.assertTrue(np.array_equal(fitted.coef_, copied.coef_))
        self.assertGreater(fitted.score(cancer_scaled, ill), 0.85)
        self.assertFalse(hasattr(hinge.HingeClassifier(), "partial_fit"))
        for options, pattern in ({}, "classes must be passed"), ({"classes": [1, 2]}, "y has classes that are not"), (
                {"classes": [1]}, "one class only"):
            with self.assertRaisesRegex(ValueError, pattern):
                hinge.HingeClassifier("sgd").partial_fit(cancer_scaled, ill, **options)
        with self.assertRaisesRegex(ValueError, "are not those of the first call"):
            fitted.partial_fit(cancer_scaled, ill, classes=[1, -1, 2])

    def test_passes_of_a_stochastic_solver(self):
        for passes in 1, 3:
            model = hinge.HingeClassifier("sgd", max_iter=passes).fit(cancer_scaled, ill)
            self.assertEqual(model.n_iter_, passes * len(ill))
        self.assertEqual(model.partial_fit(cancer_scaled, ill).n_iter_, len(ill))
        model = hinge.HingeClassifier("sgd", max_iter=3, parameters={"iterations": 5}).fit(cancer_scaled, ill)
        self.assertEqual(model.n_iter_, 5)

    def test_warm_start(self):
        model = hinge.HingeClassifier("dcd-l1", relative_gap=1e-6, warm_start=True)
        first = model.fit(cancer_scaled, ill).n_iter_
        self.assertLess(model.fit(cancer_scaled, ill).n_iter_, first)
        model.fit(np.vstack([cancer_scaled] * 2)[::2], np.tile(ill, 2)[::2])
        with self.assertRaisesRegex(ValueError, "warm_start: y has other classes"):
            model.fit(cancer_scaled, ill + 1)
        model = hinge.HingeRegressor(relative_gap=1e-6, warm_start=True)
        first = model.fit(cancer_scaled, ill).n_iter_
        self.assertLess(model.fit(cancer_scaled, ill).n_iter_, first)

    def test_a_free_intercept(self):
        far = cancer_scaled + 5
        expected = hinge.train(far, ill, solver="dcd-l1", bias=1, free_bias=True)
        model = hinge.HingeClassifier("dcd-l1", fit_intercept="free", intercept_scaling=7).fit(far, ill)
        self.assertTrue(np.array_equal(model.coef_, expected.weights))
        self.assertTrue(np.array_equal(model.intercept_, expected.intercepts))
        self.assertGreater(hinge.HingeClassifier("smo", fit_intercept="free").fit(far, ill).score(far, ill), 0.9)
        with self.assertRaisesRegex(ValueError, "fit_intercept: 'loose' is not True, False or \"free\""):
            hinge.HingeClassifier(fit_intercept="loose").fit(far, ill)

    def test_threads_and_progress(self):
        expected = hinge.HingeClassifier(C=1e-4).fit(digits, digit)
        for jobs in 2, -1:
            model = hinge.HingeClassifier(C=1e-4, n_jobs=jobs).fit(digits, digit)
            self.assertTrue(np.array_equal(model.coef_, expected.coef_))
        kept, sys.stderr = sys.stderr, io.StringIO()
        try:
            hinge.HingeRegressor(verbose=True).fit(cancer_scaled, ill)
            self.assertRegex(sys.stderr.getvalue(), r"^\rhinge: .* \(certified\) *\n$")
        finally:
            sys.stderr = kept

    def test_the_gap(self):
        model = hinge.HingeClassifier(C=1e-4).fit(digits, digit)
        gaps = [model.model_.value("primal", k) + model.model_.value("dual", k) for k in range(10)]
        self.assertEqual(model.gap_, max(gaps))
        self.assertTrue(0 <= model.gap_ and model.certified_ and model.relative_gap_ <= 1e-3)
        self.assertTrue(np.isnan(hinge.HingeClassifier("sgd").fit(cancer_scaled, ill).gap_))

    def test_one_class(self):
        model = hinge.OneClass(nu=0.1).fit(cancer_scaled)
        expected = hinge.train(cancer_scaled, solver="one-class", nu=0.1)
        self.assertTrue(np.array_equal(model.coef_, expected.weights))
        self.assertTrue(np.array_equal(model.predict(cancer_scaled), expected.predict(cancer_scaled)))
        self.assertLess((model.predict(cancer_scaled) == -1).mean(), 0.11)
        np.testing.assert_allclose(model.score_samples(cancer_scaled), (cancer_scaled @ model.coef_.T).ravel())
        np.testing.assert_allclose(model.decision_function(cancer_scaled),
                                   (cancer_scaled @ model.coef_.T + model.intercept_).ravel(), atol=1e-12)

    def test_arrays_are_not_copied(self):
        for kind in np.float32, np.float64:
            with tempfile.NamedTemporaryFile() as file:
                mapped = np.memmap(file.name, kind, "w+", shape=cancer_scaled.shape)
                mapped[...] = cancer_scaled
                mapped = np.memmap(file.name, kind, "r", shape=cancer_scaled.shape)
                for X in mapped, scipy.sparse.csr_matrix(cancer_scaled).astype(kind):
                    model = hinge.HingeClassifier().fit(X, ill)
                    values = getattr(X, "data", X) if X is not mapped else X
                    seen = hinge._data.View(model._checked(X, reset=False)).values
                    self.assertTrue(np.shares_memory(seen, values) and seen.dtype == kind)
                    self.assertTrue(np.array_equal(model.coef_, hinge.train(X, ill, bias=1).weights))
                del mapped

    @unittest.skipUnless(pandas, "pandas is not installed")
    def test_names_of_features(self):
        table = pandas.DataFrame(cancer_scaled, columns=["f%d" % j for j in range(30)])
        for estimator in hinge.HingeClassifier(), hinge.HingeRegressor(), hinge.OneClass():
            self.assertEqual(list(estimator.fit(table, ill).feature_names_in_), list(table.columns))

    def test_it_searches(self):
        search = sklearn.model_selection.GridSearchCV(
            hinge.HingeClassifier(), {"C": [1e-8, 1e-4], "solver": ["dcd-l1", "dcd-l2"]}, cv=3)
        search.fit(scipy.sparse.csr_matrix(digits), digit)
        self.assertGreater(search.best_score_, 0.9)
        self.assertEqual(search.best_params_["C"], 1e-4)

    def test_what_is_not_certified_is_told(self):
        with self.assertWarnsRegex(sklearn.exceptions.ConvergenceWarning, r"gap is .* \(pass-limit\)"):
            model = hinge.HingeClassifier(max_iter=1, parameters={"plain": 1}, C=100).fit(cancer, ill)
        self.assertFalse(model.certified_)
        self.assertGreater(model.relative_gap_, 1e-3)

    def test_kinds_of_problems(self):
        line = cancer_scaled @ np.arange(30.0) + 1
        model = hinge.HingeRegressor(C=1e4, epsilon=0).fit(cancer_scaled, line)
        self.assertGreater(model.score(cancer_scaled, line), 0.999)
        with self.assertRaisesRegex(ValueError, "is for a regression, not for classes"):
            hinge.HingeClassifier("svr-dcd-l2").fit(cancer_scaled, ill)
        with self.assertRaisesRegex(ValueError, "is for one class, not for classes"):
            hinge.HingeClassifier("one-class", fit_intercept=False).fit(cancer_scaled, ill)
        with self.assertRaisesRegex(ValueError, "is for classes, not for a regression"):
            hinge.HingeRegressor("dcd-l2").fit(cancer_scaled, ill)
        free = hinge.HingeClassifier(parameters={"free_bias": True}).fit(cancer_scaled, ill)
        self.assertFalse(np.allclose(free.coef_, hinge.HingeClassifier().fit(cancer_scaled, ill).coef_))

    def test_interrupt(self):
        timer = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT))
        timer.start()
        with self.assertRaises(KeyboardInterrupt):
            hinge.HingeClassifier("sgd", parameters={"iterations": 2**53}).fit(cancer_scaled, ill)
        timer.join()


@needs_sklearn
class TestTexts(unittest.TestCase):
    texts = ["A good film, a very good film!", "no good film", "na\u00efve \u4e2d\u56fd film", "very very bad", "",
             "bad \"film\""]

    def test_the_numbers_of_convert(self):
        for arguments, options in ([], {}), (["--ngrams", "2", "--min-rows", "1"], {"ngrams": 2, "min_rows": 1}), (
                ["--weighting", "counts", "--max-features", "2"], {"weighting": "counts", "max_features": 2}), (
                ["--weighting", "binary"], {"weighting": "binary"}), (["--hash", "5"], {"hash_bits": 5}):
            with tempfile.TemporaryDirectory() as folder:
                table, rows = os.path.join(folder, "table.csv"), os.path.join(folder, "rows")
                with open(table, "w", encoding="utf-8", newline="") as file:
                    writer = csv.writer(file)
                    writer.writerow(["label", "text"])
                    writer.writerows(enumerate(self.texts))
                program("convert", "-q", "--label", "label", "--text", "text", *arguments, table, rows)
                ours = hinge.TextFeatures(**options).fit_transform(self.texts)
                expected, _ = hinge.read_svmlight(rows, n_features=ours.shape[1])
            # convert writes 13 digits
            np.testing.assert_allclose(ours.toarray(), expected.toarray(), rtol=1e-12, atol=0)
            self.assertTrue(np.array_equal(ours.indices, expected.indices))

    def test_a_vocabulary(self):
        features = hinge.TextFeatures(min_rows=1, ngrams=2).fit(self.texts)
        names = list(features.get_feature_names_out())
        self.assertEqual(len(names), features.n_features_)
        self.assertEqual(names[:3], ["good", "film", "good film"])
        self.assertIn("\u4e2d\u56fd", names)
        new = ["good bad unknown", b"\xff film"]
        for copied in pickle.loads(pickle.dumps(features)), copy.deepcopy(features):
            self.assertEqual(list(copied.get_feature_names_out()), names)
            self.assertTrue(np.array_equal(copied.transform(new).toarray(), features.transform(new).toarray()))
        self.assertEqual(features.transform(new).nnz, 3)
        hashed = hinge.TextFeatures(hash_bits=30).fit(self.texts)
        self.assertEqual(pickle.loads(pickle.dumps(hashed)).transform(new).shape, (2, 2**30))

    def test_in_a_pipeline(self):
        pipeline = sklearn.pipeline.make_pipeline(hinge.TextFeatures(), hinge.HingeClassifier())
        search = sklearn.model_selection.GridSearchCV(pipeline, {"textfeatures__ngrams": [1, 2]}, cv=3)
        texts = ["it was %s, really" % word for word in ("good", "fine", "bad", "poor")] * 9
        self.assertEqual(search.fit(texts, [1, 1, 0, 0] * 9).score(["good and fine", "bad"], [1, 0]), 1)

    def test_refusals(self):
        for options, pattern in ({"ngrams": 0}, "ngrams: not from 1"), ({"hash_bits": 31}, "hash_bits: not from 0"), (
                {"weighting": "idf"}, "weighting: 'idf' is not tf-idf"), (
                {"min_rows": -1}, "min_rows: -1 is not from 0"):
            with self.assertRaisesRegex(ValueError, pattern):
                hinge.TextFeatures(**options).fit(self.texts)
        for texts, pattern in ("one", "a list of texts is expected"), ([3], "3 is not a text"):
            with self.assertRaisesRegex(ValueError, pattern):
                hinge.TextFeatures().fit(texts)
        with self.assertRaises(sklearn.exceptions.NotFittedError):
            hinge.TextFeatures().transform(self.texts)


def train_in_threads(threads):
    """Rows enough for threads to share the classes."""
    return hinge.train(np.tile(digits, (20, 1)), np.tile(digit, 20), C=1e-6, threads=threads).weights


class TestProcesses(unittest.TestCase):
    """A process that is forked after a training with threads has none of these, and trains all the same."""

    def setUp(self):
        self.weights = train_in_threads(2)
        maps = pathlib.Path("/proc/self/maps")
        if not maps.exists() or "/libomp" in maps.read_text():
            self.skipTest("clang's OpenMP keeps its threads")

    def check(self, results):
        for weights in results:
            np.testing.assert_array_equal(weights, self.weights)

    @unittest.skipUnless("fork" in multiprocessing.get_all_start_methods(), "processes are not forked here")
    def test_multiprocessing(self):
        with multiprocessing.get_context("fork").Pool(2) as pool:
            self.check(pool.map_async(train_in_threads, [2, 1]).get(60))
        self.check([train_in_threads(2)])

    @unittest.skipUnless(joblib, "joblib is not installed")
    def test_joblib(self):
        for backend in "multiprocessing", "loky":
            with self.subTest(backend):
                jobs = joblib.Parallel(n_jobs=2, backend=backend, timeout=60)
                self.check(jobs(joblib.delayed(train_in_threads)(threads) for threads in (2, 1)))


class Result(unittest.TestResult):
    """Prints a line for each test."""

    def __init__(self, *arguments):
        super().__init__(*arguments)
        self.bad = 0

    def addSuccess(self, test):
        print("pass", test.id().split(".", 1)[1])

    def addSkip(self, test, reason):
        print("skip %s: %s" % (test.id().split(".", 1)[-1], reason))

    def addFailure(self, test, failure):
        self.bad += 1
        lines = "".join(traceback.format_exception(*failure)).strip().splitlines()
        print("FAIL %s: %s" % (test.id().split(".", 1)[-1], " | ".join(lines[-8:])))

    addError = addFailure

    def addSubTest(self, test, subtest, failure):
        if failure:
            self.addFailure(subtest, failure)


if __name__ == "__main__":
    outcome = Result()
    unittest.defaultTestLoader.loadTestsFromModule(sys.modules["__main__"]).run(outcome)
    sys.exit(outcome.bad > 0)
