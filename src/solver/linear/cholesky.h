/* cholesky.h - a dense positive definite matrix, factored and solved with. */
#ifndef HINGE_SOLVER_LINEAR_CHOLESKY_H
#define HINGE_SOLVER_LINEAR_CHOLESKY_H

#include <stddef.h>

#include "base/stop.h"

/* Factors I + A = U'U. matrix[order^2] holds the upper triangle of a positive semidefinite A by
 * rows, and then that of U, with 1/U_jj on the diagonal. Below the diagonal, the first column is
 * overwritten, too. Except for rounding, each pivot is at least 1. Rounding can take up to the last
 * digits of A_jj: such a pivot is set to these digits, and the rest of its row, which is noise that
 * would grow from row to row, to 0. The caller must then refine solutions. False, and there is no
 * factor, if it was stopped. */
int cholesky_factor(double *matrix, size_t order, const struct stop *stop);

/* Sets p[order] := (U'U)^-1 p. */
void cholesky_solve(const double *matrix, size_t order, double *p);

/* Single precision: seven digits in half the time and memory. */
int single_cholesky_factor(float *matrix, size_t order, const struct stop *stop);
void single_cholesky_solve(const float *matrix, size_t order, float *p);

#endif
