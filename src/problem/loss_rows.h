/* loss_rows.h - functions of loss.h at many rows, as vector code: to the bit what they are there.
 */
#ifndef HINGE_PROBLEM_LOSS_ROWS_H
#define HINGE_PROBLEM_LOSS_ROWS_H

#include <stddef.h>

#include "problem/loss.h"

/* Rows at a time: their terms stay in the first-level cache. */
enum { ROWS_AT_ONCE = 256 };

/* Where so many rows from first on end, or all do. */
static inline uint32_t block_end(uint32_t first, uint32_t end)
{
    return end - first < ROWS_AT_ONCE ? end : first + ROWS_AT_ONCE;
}

/* C phi(s), its derivative and its second one by s, of a smooth loss. */
void loss_rows_points(enum loss loss, size_t count, const double *cost, const double *slack,
                      double *value, double *slope, double *curvature);

/* Computes C phi*(a/C) - t a for at most ROWS_AT_ONCE rows. target is read only if the loss has a
 * target for each row. */
void loss_rows_conjugates(enum loss loss, size_t count, const double *cost, const double *target,
                          const double *a, double *conjugate);

/* Computes the value C phi(t - z) for at most ROWS_AT_ONCE rows. Unless a is NULL, also computes
 * the conjugate C phi*(a/C) - t a, and loss_gap, which is value + conjugate + a z. target is read
 * only if the loss has a target for each row. */
void loss_rows_terms(enum loss loss, size_t count, const double *cost, const double *target,
                     const double *z, const double *a, double *value, double *conjugate,
                     double *gap);

/* Some rows, ROWS_AT_ONCE at most, with the functions that Newton's method minimises: loss_point's.
 */
struct loss_rows {
    enum loss loss;
    size_t count;
    const double *cost; /* [count] */
    const double
        *target; /* [count] of a loss whose rows have targets of their own, else not read */
    const double *centre; /* [count] of a loss that is not smooth, else not read */
    double inverse;       /* of such a loss, too */
    double share;         /* of the cost in the function of a smooth loss */
};

/* The line z + t change: sums[0] += the sum of the rows' slopes there times change, sums[1] += that
 * of their second derivatives times change^2. */
void loss_rows_line(const struct loss_rows *rows, const double *z, const double *change, double t,
                    double *sums);

/* Sums over rows at their margins z, a being loss_point's slopes. */
struct loss_sums {
    double value;     /* of the loss, */
    double conjugate; /* of C phi*(a/C) - t a, of a smooth loss, */
    double gap;       /* of loss_gap, of one that is not, */
    double linear;    /* of t a, */
    double total;     /* of a, */
    double free;      /* and rows whose second derivative is not 0 */
};

/* Sets alpha[count] to the slopes at z, change to how much each changes by that. */
struct loss_sums loss_rows_evaluate(const struct loss_rows *rows, const double *z, double *alpha,
                                    double *change);

#endif
