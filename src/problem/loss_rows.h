/* loss_rows.h - functions of loss.h at many rows, as vector code: to the bit what they are there.
 */
#ifndef HINGE_PROBLEM_LOSS_ROWS_H
#define HINGE_PROBLEM_LOSS_ROWS_H

#include <stddef.h>

#include "problem/loss.h"

/* Rows at a time: their terms stay in the first-level cache. */
enum { ROWS_AT_ONCE = 256 };

/* C phi(s), its derivative and its second one by s, of a smooth loss. */
void loss_rows_points(enum loss loss, size_t count, const double *cost, const double *slack,
                      double *value, double *slope, double *curvature);

/* C phi*(a/C) - t a; target: of a loss whose rows have targets of their own, else not read. */
void loss_rows_conjugates(enum loss loss, size_t count, const double *cost, const double *target,
                          const double *a, double *conjugate);

#endif
