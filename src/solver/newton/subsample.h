/* subsample.h - where Newton's method starts: at the solution for a sixteenth of the rows. */
#ifndef HINGE_SOLVER_NEWTON_SUBSAMPLE_H
#define HINGE_SOLVER_NEWTON_SUBSAMPLE_H

#include "solver/loop/method.h"

/* Whether Newton's method is likely to be done from alpha = 0 before coordinate descent would be:
 * it starts at a part, and C is not small. */
int subsample_pays(const struct training *training);

/* Where there are so many rows that a part of them has nearly the same solution, and the training
 * is far from it: minimises the problem of the part, through the driver. The w[width] it finds,
 * free()d by the caller, and *mu to go on from; NULL if it does not. */
double *subsample_solve(const struct training *training, double *mu);

#endif
