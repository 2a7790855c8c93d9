/* loss_rows.h - functions of loss.h at many rows, as vector code with the same bits. */
#ifndef HINGE_PROBLEM_LOSS_ROWS_H
#define HINGE_PROBLEM_LOSS_ROWS_H

#include <stddef.h>

#include "problem/loss.h"

/* Rows at a time, whose terms stay in the first-level cache. */
enum { ROWS_AT_ONCE = 256 };

/* Returns the end of a block of rows from first on, at most end. */
static inline uint32_t block_end(uint32_t first, uint32_t end)
{
    return end - first < ROWS_AT_ONCE ? end : first + ROWS_AT_ONCE;
}

/* Computes C phi(s) and its first and second derivative by s, for a smooth loss. */
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

/* At most ROWS_AT_ONCE rows with the functions that Newton's method minimises, see loss_point. */
struct loss_rows {
    enum loss loss;
    size_t count;
    const double *cost;   /* [count] */
    const double *target; /* [count] read only if rows have targets of their own */
    const double *centre; /* [count] read only if the loss is not smooth */
    double inverse;       /* read only if the loss is not smooth */
    double share;         /* fraction of the cost that a smooth loss has */
};

/* On the line z + t change, adds the first derivative by t, summed over the rows, to sums[0] and
 * the second to sums[1]. */
void loss_rows_line(const struct loss_rows *rows, const double *z, const double *change, double t,
                    double *sums);

/* Sums over rows at the margins z, with the slopes a of loss_point. */
struct loss_sums {
    double value;     /* sum of the loss */
    double conjugate; /* sum of C phi*(a/C) - t a, for a smooth loss */
    double gap;       /* sum of loss_gap, for a loss that is not smooth */
    double linear;    /* sum of t a */
    double total;     /* sum of a */
    double free;      /* number of rows whose second derivative is not 0 */
};

/* Sets alpha[count] to the slopes at z and change[count] to the changes of alpha. Returns the sums.
 */
struct loss_sums loss_rows_evaluate(const struct loss_rows *rows, const double *z, double *alpha,
                                    double *change);

#endif
