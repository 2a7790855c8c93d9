/* regulariser.h - R(w) = sum_j l1 |w_j| + w_j^2 / 2, one coordinate at a time.
 *
 * Its conjugate is R*(v) = sum_j max(0, |v_j| - l1)^2 / 2, attained at w_j = soft(v_j, l1). With
 * l1 = 0 that is |v|^2 / 2 and w = v. To add a regulariser is to add it here.
 */
#ifndef HINGE_PROBLEM_REGULARISER_H
#define HINGE_PROBLEM_REGULARISER_H

#include <math.h>

#include "base/compiler.h"

/* sign(u) max(0, |u| - threshold) */
static ALWAYS_INLINE double soft(double u, double threshold)
{
    const double rest = fabs(u) - threshold;

    return rest > 0 ? copysign(rest, u) : 0;
}

/* R of a coordinate. */
static inline double regulariser_value(double l1, double w)
{
    return l1 * fabs(w) + w * w / 2;
}

/* R* of a coordinate. */
static inline double regulariser_conjugate(double l1, double v)
{
    const double w = soft(v, l1);

    return w * w / 2;
}

/* R(w) + R*(v) - w v of a coordinate, as two terms of which none is negative. The second one needs
 * v - soft(v, l1) without the rounding of soft, by which it could exceed l1. */
static inline double regulariser_gap(double l1, double w, double v)
{
    const double s = soft(v, l1), rest = fabs(v) > l1 ? copysign(l1, v) : v;

    return (w - s) * (w - s) / 2 + (l1 * fabs(w) - w * rest);
}

#endif
