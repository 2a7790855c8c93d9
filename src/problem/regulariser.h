/* regulariser.h - R(w) = sum_j l1 |w_j| + l2 w_j^2 / 2, with l2 = 1 or 0.
 *
 * With l2 = 1 the conjugate is R*(v) = sum_j max(0, |v_j| - l1)^2 / 2, attained at
 * w_j = soft(v_j, l1); with l1 = 0 that is |v|^2 / 2 and w = v. With l2 = 0 the conjugate is 0 if
 * no |v_j| exceeds l1, and infinite otherwise. A dual point outside this domain is scaled into it,
 * see regulariser_excess. This file is the only place that a new regulariser needs.
 */
#ifndef HINGE_PROBLEM_REGULARISER_H
#define HINGE_PROBLEM_REGULARISER_H

#include <math.h>
#include <stddef.h>

#include "base/compiler.h"

/* Returns sign(u) max(0, |u| - threshold). */
static ALWAYS_INLINE double soft(double u, double threshold)
{
    const double rest = fabs(u) - threshold;

    return rest > 0 ? copysign(rest, u) : 0;
}

/* Returns R of a coordinate. With l2 = 0, w^2 may leave the range of double. */
static inline double regulariser_value(double l1, double l2, double w)
{
    return l1 * fabs(w) + l2 * w * (w / 2);
}

/* Returns R* of a coordinate, which is in the domain if l2 is 0. */
static inline double regulariser_conjugate(double l1, double l2, double v)
{
    const double w = soft(v, l1);

    return l2 * (w * w / 2);
}

/* Returns the number >= 1 by which a coordinate must be divided to be in the domain of R*. If l2 is
 * 0, l1 is above 0. */
static inline double regulariser_excess(double l1, double l2, double v)
{
    return l2 > 0 || fabs(v) <= l1 ? 1 : fabs(v) / l1;
}

/* Returns R(w) + R*(v) - w v of a coordinate, as two terms that are not negative. The second term
 * needs v - soft(v, l1) without the rounding of soft, which could make it exceed l1. With l2 = 0
 * and v outside the domain it returns l1 |w| - w v, which is negative if the signs agree. */
static inline double regulariser_gap(double l1, double l2, double w, double v)
{
    const double s = soft(v, l1), rest = l2 > 0 && fabs(v) > l1 ? copysign(l1, v) : v;

    return l2 * ((w - s) * (w - s) / 2) + (l1 * fabs(w) - w * rest);
}

/* Return the sums of value, conjugate and gap over count coordinates. */
double regulariser_values(double l1, double l2, const double *w, size_t count);
double regulariser_conjugates(double l1, double l2, const double *v, size_t count);
double regulariser_gaps(double l1, double l2, const double *w, const double *v, size_t count);

#endif
