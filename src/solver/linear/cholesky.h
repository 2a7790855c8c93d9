/* cholesky.h - a dense positive definite matrix, factored and solved with. */
#ifndef HINGE_SOLVER_LINEAR_CHOLESKY_H
#define HINGE_SOLVER_LINEAR_CHOLESKY_H

#include <stddef.h>

#include "base/stop.h"

/* Factors I + A = U'U. matrix[order^2] holds the upper triangle of a positive semidefinite A by
 * rows. It becomes the upper triangle of U, with 1/U_jj on the diagonal. The first column is
 * overwritten below the diagonal, too. In exact arithmetic, each pivot is at least 1. A pivot that
 * rounding has brought below the last digits of A_jj is set to their size. The rest of its row is
 * noise that would grow from row to row, and is set to 0. The caller must then refine solutions.
 * False, without a factor, if stopped. */
int cholesky_factor(double *matrix, size_t order, const struct stop *stop);

/* Sets p[order] := (U'U)^-1 p. */
void cholesky_solve(const double *matrix, size_t order, double *p);

/* Single precision: seven digits in half the time and memory. */
int single_cholesky_factor(float *matrix, size_t order, const struct stop *stop);
void single_cholesky_solve(const float *matrix, size_t order, float *p);

#endif
