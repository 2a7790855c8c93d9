/* regulariser.h - R(w) = sum_j l1 |w_j| + l2 w_j^2 / 2, of a coordinate or of many; l2 is 1 or 0.
 *
 * Its conjugate is R*(v) = sum_j max(0, |v_j| - l1)^2 / 2, attained at w_j = soft(v_j, l1). With
 * l1 = 0 that is |v|^2 / 2 and w = v. With l2 = 0 it is 0 where no |v_j| exceeds l1, and infinite
 * elsewhere: a dual point with a larger one stands for a multiple of itself that has none, see
 * regulariser_excess. To add a regulariser is to add it here.
 */
#ifndef HINGE_PROBLEM_REGULARISER_H
#define HINGE_PROBLEM_REGULARISER_H

#include <math.h>
#include <stddef.h>

#include "base/compiler.h"

/* sign(u) max(0, |u| - threshold) */
static ALWAYS_INLINE double soft(double u, double threshold)
{
    const double rest = fabs(u) - threshold;

    return rest > 0 ? copysign(rest, u) : 0;
}

/* R of a coordinate; l2 being 0, also where w^2 is beyond a double. */
static inline double regulariser_value(double l1, double l2, double w)
{
    return l1 * fabs(w) + l2 * w * (w / 2);
}

/* R* of a coordinate, of its domain where l2 is 0. */
static inline double regulariser_conjugate(double l1, double l2, double v)
{
    const double w = soft(v, l1);

    return l2 * (w * w / 2);
}

/* What a coordinate has to be divided by to be in the domain of R*; 1: it is there. l1 is above 0
 * where l2 is 0. */
static inline double regulariser_excess(double l1, double l2, double v)
{
    return l2 > 0 || fabs(v) <= l1 ? 1 : fabs(v) / l1;
}

/* R(w) + R*(v) - w v of a coordinate, as two terms of which none is negative. The second one needs
 * v - soft(v, l1) without the rounding of soft, by which it could exceed l1. With l2 = 0, and v out
 * of the domain, l1 |w| - w v, which is negative where their signs agree. */
static inline double regulariser_gap(double l1, double l2, double w, double v)
{
    const double s = soft(v, l1), rest = l2 > 0 && fabs(v) > l1 ? copysign(l1, v) : v;

    return l2 * ((w - s) * (w - s) / 2) + (l1 * fabs(w) - w * rest);
}

/* Their sums over count coordinates. */
double regulariser_values(double l1, double l2, const double *w, size_t count);
double regulariser_conjugates(double l1, double l2, const double *v, size_t count);
double regulariser_gaps(double l1, double l2, const double *w, const double *v, size_t count);

#endif
