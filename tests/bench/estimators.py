"""estimators.py DATA FOLDER: estimators of scikit-learn beside those of hinge, as tables of Markdown.

DATA is the folder of the data sets, FOLDER one for the tables that convert makes of them. Each fit has one thread and
a process of its own, and is stopped after LIMIT seconds. Times are processor seconds of fit on arrays in memory, of
three fits in turn the median. Run it in the top folder, with PYTHONPATH=src/python.
"""
import json
import os
import select
import signal
import statistics
import subprocess
import sys
import time
import warnings

for threads in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ[threads] = "1"

import numpy
import sklearn
from sklearn.datasets import load_svmlight_file, load_svmlight_files
from sklearn.linear_model import LogisticRegression, SGDClassifier
from sklearn.model_selection import train_test_split
from sklearn.svm import LinearSVC, LinearSVR, OneClassSVM

import hinge

LIMIT = 120
REPEATS = 3
LONG = 5  # seconds from which on a fit is run once


def measure(make, X, y, score):
    """Fit once in a child: {"seconds", "score", "said", "gap"}, or None if it was stopped."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        model = make()
        with warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("always")
            start = time.process_time()
            model.fit(X) if y is None else model.fit(X, y)
            seconds = time.process_time() - start
        found = {"seconds": seconds, "score": float(score(model)), "said": sorted({w.category.__name__ for w in said}),
                 "gap": getattr(model, "relative_gap_", None), "certified": getattr(model, "certified_", None)}
        os.write(writing, json.dumps(found).encode())
        os._exit(0)
    os.close(writing)
    ready = select.select([reading], [], [], LIMIT)[0]
    if not ready:
        os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    text = os.read(reading, 65536) if ready else b""
    os.close(reading)
    return json.loads(text) if text else None


def compare(name, problem, theirs, ours, X, y, score, digits):
    runs = {"theirs": [], "ours": []}
    for turn in range(REPEATS):
        for side, make in (("theirs", theirs), ("ours", ours)):
            if turn == 0 or (runs[side][0] and runs[side][0]["seconds"] < LONG):
                runs[side].append(measure(make, X, y, score))
    cells = [name, problem]
    for side in ("theirs", "ours"):
        if runs[side][0] is None:
            cells += ["> %d" % LIMIT, "-"] + (["stopped"] if side == "theirs" else ["-", "-"])
            continue
        first = runs[side][0]
        cells += ["%.3g" % statistics.median(run["seconds"] for run in runs[side]), "%.*f" % (digits, first["score"])]
        if side == "theirs":
            cells.append(", ".join(first["said"]) or "-")
        else:
            cells += ["yes" if first["certified"] else "no", "%.1e" % first["gap"]]
    print("| %s |" % " | ".join(cells), flush=True)


def heading(estimator, score):
    print("\n### %s\n" % estimator)
    print("| data | problem | theirs, s | %s | warnings | ours, s | %s | certified | relative gap |" % (score, score))
    print("|---|---|--:|--:|---|--:|--:|---|--:|", flush=True)


def of_classes(folder):
    """Rows to train and to test, as {name: (X, y, X of the test, y of the test)}."""
    sets = {}
    for name in ("a9a", "w8a", "20news", "imdb", "letter"):
        path = os.path.join(folder, name)
        sets[name] = load_svmlight_files([path, path + ".t"])
    return sets


def of_numbers(folder, scratch):
    """Regressions, by the converted tables; targets of 25 % of the rows are kept back."""
    sets = {}
    with open(os.path.join(folder, "adult.data")) as file:
        rows = [line for line in file if line.strip()]
    names = ("age,workclass,fnlwgt,education,education-num,marital-status,occupation,relationship,race,sex,"
             "capital-gain,capital-loss,hours-per-week,country,income\n")
    with open(os.path.join(scratch, "adult.csv"), "w") as file:
        file.write(names + "".join(rows))
    for name, table, label, unit in (
            ("ames, price", os.path.join(folder, "ames.csv"), "SalePrice", 1e5),
            ("ames, area", os.path.join(folder, "ames.csv"), "Gr Liv Area", 1e3),
            ("adult, age", os.path.join(scratch, "adult.csv"), "age", 10),
            ("adult, hours", os.path.join(scratch, "adult.csv"), "hours-per-week", 10),
            ("adult, education", os.path.join(scratch, "adult.csv"), "education-num", 1)):
        path = os.path.join(scratch, "rows")
        subprocess.run(["./convert", "-q", "--scale", "-s", path + ".map", "--label", label, table, path], check=True)
        X, y = load_svmlight_file(path)
        X, test, y, target = train_test_split(X, y / unit, random_state=1)
        sets[name] = X, y, test, target
    return sets


def main(folder, scratch):
    print("scikit-learn %s, hinge %s; one thread. Ours are at their default, a certified relative gap of 0.001."
          % (sklearn.__version__, hinge.__version__))
    classes = of_classes(folder)

    def pairs(estimator, problems):
        heading(estimator, "accuracy, %")
        for name, (X, y, test, label) in classes.items():
            for problem, theirs, ours in problems(X, y):
                compare(name, problem, theirs, ours, X, y, lambda model: 100 * model.score(test, label), 2)

    pairs("LinearSVC", lambda X, y: [
        ("hinge, C = %g" % C, lambda C=C: LinearSVC(loss="hinge", C=C),
         lambda C=C: hinge.HingeClassifier("dcd-l1", C=C, n_jobs=1)) for C in (1, 100)] + [
        ("squared hinge, C = 1", lambda: LinearSVC(), lambda: hinge.HingeClassifier("dcd-l2", n_jobs=1))])
    pairs("LogisticRegression", lambda X, y: [
        ("logistic, C = %g" % C, lambda C=C: LogisticRegression(C=C),
         lambda C=C: hinge.HingeClassifier("lr-newton" if len(numpy.unique(y)) == 2 else "softmax", C=C,
                                           fit_intercept="free", n_jobs=1)) for C in (1, 100)])
    pairs("SGDClassifier", lambda X, y: [
        ("hinge, alpha = 1e-5", lambda: SGDClassifier(alpha=1e-5, random_state=1),
         lambda: hinge.HingeClassifier("dcd-l1", C=1 / (1e-5 * X.shape[0]), n_jobs=1))])
    heading("LinearSVR", "RMSE")
    for name, (X, y, test, target) in of_numbers(folder, scratch).items():
        for C in (1, 100):
            compare(name, "epsilon = 0.1, C = %g" % C, lambda: LinearSVR(C=C, epsilon=0.1),
                    lambda: hinge.HingeRegressor("svr-dcd-l1", C=C, epsilon=0.1, n_jobs=1), X, y,
                    lambda model: numpy.sqrt(numpy.mean((model.predict(test) - target) ** 2)), 4)
    heading("OneClassSVM(kernel=\"linear\")", "outliers in the test, %")
    for name, (X, y, test, label) in classes.items():
        compare(name, "nu = 0.1", lambda: OneClassSVM(kernel="linear", nu=0.1),
                lambda: hinge.OneClass(nu=0.1, n_jobs=1), X, None,
                lambda model: 100 * numpy.mean(model.predict(test) < 0), 2)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
