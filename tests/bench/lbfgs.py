"""lbfgs.py DATA C TOL ITERATIONS MODEL: scikit-learn's logistic regression of two classes by L-BFGS, without a bias.

Prints the seconds from the file to the weights, in one thread, without those of starting Python and of
importing; then writes the weights as a model of LIBLINEAR's.
"""
import os
import sys
import time
import warnings

for threads in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ[threads] = "1"

from sklearn.datasets import load_svmlight_file
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression

warnings.simplefilter("ignore", ConvergenceWarning)
data, model = sys.argv[1], sys.argv[5]
C, tol = float(sys.argv[2]), float(sys.argv[3])

start = time.perf_counter()
x, y = load_svmlight_file(data)
fit = LogisticRegression(C=C, tol=tol, max_iter=int(sys.argv[4]), fit_intercept=False).fit(x, y)
print(time.perf_counter() - start)

with open(model, "w") as file:
    file.write("solver_type L2R_LR\nnr_class 2\nlabel %d %d\n" % (fit.classes_[1], fit.classes_[0]))
    file.write("nr_feature %d\nbias -1\nw\n" % x.shape[1])
    file.writelines("%.17g \n" % w for w in fit.coef_[0])
