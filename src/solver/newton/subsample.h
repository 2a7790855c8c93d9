/* subsample.h - where Newton's method starts: at the solution for a sixteenth of the rows. */
#ifndef HINGE_SOLVER_NEWTON_SUBSAMPLE_H
#define HINGE_SOLVER_NEWTON_SUBSAMPLE_H

#include "solver/loop/method.h"

/* True if Newton's method is likely to end from alpha = 0 before coordinate descent would: it
 * starts at a part, and C is not small. */
int subsample_pays(const struct training *training);

/* Minimises the problem of a part of the rows, if there are so many that it has nearly the same
 * solution, and the training is far from that. Returns its w[width], which the caller frees, and
 * sets *mu to go on from; NULL if there is no such part. */
double *subsample_solve(const struct training *training, double *mu);

#endif
