"""A tour of hinge in cells, which Jupyter (by jupytext), VS Code and Spyder show as a notebook.

    python3 tour.py [DATA]      DATA is a file in LIBSVM's format with two classes, by default data/breast-cancer
"""
# %% A model and its certificate
#
# hinge.train minimises P(w) = 1/2 |w|^2 + C (sum of losses). It returns w with a proof of how far P(w) can be above the
# minimum.
import os
import sys
import tempfile

import numpy as np

import hinge

path = sys.argv[1] if len(sys.argv) > 1 else "data/breast-cancer"
X, y = hinge.read_svmlight(path)
model = hinge.train(X, y, solver="dcd-l1", C=10, relative_gap=1e-6, bias=1)
print("certified:", model.certified)
assert model.certified and model.relative_gap <= 1e-6
assert model.value("primal") + model.value("dual") == model.gap

# %% The model in a file
#
# hinge-predict and LIBLINEAR read the same file.
with tempfile.TemporaryDirectory() as folder:
    model.save(os.path.join(folder, "model"))
    again = hinge.load(os.path.join(folder, "model"))
assert np.array_equal(again.predict(X), model.predict(X))
print("accuracy on the rows of training: %.3f" % (model.predict(X) == y).mean())

# %% An estimator of scikit-learn
#
# Labels may be texts. Values are scaled first, as for any linear model.
from sklearn.model_selection import GridSearchCV, cross_val_score, train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MaxAbsScaler

names = np.where(y == y.max(), "yes", "no")
fitted, left, names_fitted, names_left = train_test_split(X, names, random_state=0)
search = GridSearchCV(make_pipeline(MaxAbsScaler(), hinge.HingeClassifier("dcd-l1", fit_intercept="free")),
                      {"hingeclassifier__C": 10.0 ** np.arange(-2, 3)}).fit(fitted, names_fitted)
best = search.best_estimator_[-1]
print("C = %g, certified: %s" % (best.C, best.certified_))
print("accuracy on the rows left out: %.3f" % search.score(left, names_left))
assert best.certified_ and search.score(left, names_left) > 0.9

# %% Probabilities
scaled = MaxAbsScaler().fit_transform(X)
logistic = hinge.HingeClassifier("lr-newton", C=10, n_jobs=-1).fit(scaled, names)
probability = logistic.predict_proba(scaled)[:, list(logistic.classes_).index("yes")]
print("mean probability of yes: %.3f, share of yes: %.3f" % (probability.mean(), (names == "yes").mean()))
assert abs(probability.mean() - (names == "yes").mean()) < 0.05

# %% Few features, by |w|_1
sparse = hinge.HingeClassifier("l1r-lr", C=1).fit(scaled, names)
print("%d of %d weights are not 0" % (np.count_nonzero(sparse.coef_), sparse.coef_.size))
assert 0 < np.count_nonzero(sparse.coef_) < sparse.coef_.size

# %% Rows that arrive in parts
#
# Stochastic solvers continue where they were. The classes are declared in the first call.
stream = hinge.HingeClassifier("sgd-suffix", parameters={"lambda": 1e-3})
for epoch in range(5):
    for part in np.array_split(np.random.RandomState(epoch).permutation(len(y)), 10):
        stream.partial_fit(scaled[part], names[part], classes=["no", "yes"])
print("accuracy after 5 passes: %.3f" % stream.score(scaled, names))
assert stream.score(scaled, names) > 0.9

# %% A regression, and the rows that are unlike the others
target = scaled @ np.linspace(-1, 1, scaled.shape[1])
regressor = hinge.HingeRegressor(C=100, epsilon=0.01)
print("R2 in 5 folds: %.3f" % cross_val_score(regressor, scaled, target).mean())
assert cross_val_score(regressor, scaled, target).min() > 0.95
outside = hinge.OneClass(nu=0.05).fit(scaled).predict(scaled) == -1
print("%d of %d rows are outside" % (outside.sum(), len(outside)))
assert outside.mean() <= 0.06

# %% Texts
texts = ["a film with a good plot", "good actors, good plot", "a bad film", "bad plot, bad actors"]
reviews = make_pipeline(hinge.TextFeatures(ngrams=2), hinge.HingeClassifier()).fit(texts, ["+", "+", "-", "-"])
print("so good: %s, so bad: %s" % tuple(reviews.predict(["so good", "so bad"])))
assert list(reviews.predict(["so good", "so bad"])) == ["+", "-"]

# %% A line of progress, and a limit of time
#
# verbose=True writes the line to standard error. Ctrl-C raises hinge.Interrupted, whose model is the best so far.
limited = hinge.train(X, y, solver="dcd-l1", C=1e4, relative_gap=1e-9, time_limit=0.05, verbose=True)
print("the training ended:", "certified" if limited.certified else limited.outcomes[0])
