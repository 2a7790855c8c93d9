/* precise.h - sums of products with twice the precision, and a running bound of what that rounds.
 */
#ifndef HINGE_PROBLEM_PRECISE_H
#define HINGE_PROBLEM_PRECISE_H

#include <float.h>
#include <math.h>

#include "base/compiler.h"

static const double U = DBL_EPSILON / 2; /* of a double */

/* A sum of products: high + low, but for at most u error. */
struct precise {
    double high;
    double low;
    double error;
};

/* The errors of product and sum are known exactly (Dekker, Knuth); low is what they add up to. */
static ALWAYS_INLINE void precise_add(struct precise *to, double a, double b)
{
    const double product = a * b, sum = to->high + product, part = sum - to->high;
    const double lost = ((to->high - (sum - part)) + (product - part)) + fma(a, b, -product);

    to->high = sum;
    to->low += lost;
    to->error += fabs(lost) + fabs(to->low) + DBL_MIN;
}

/* The double next to a sum, and what is left of it. */
static inline double precise_nearest(const struct precise *sum, double *rest)
{
    const double high = sum->high + sum->low, part = high - sum->high;

    *rest = (sum->high - (high - part)) + (sum->low - part);
    return high;
}

/* a - b, rounded once; *error is what that and the errors of both leave open. */
static inline double precise_difference(const struct precise *a, const struct precise *b,
                                        double *error)
{
    const double high = a->high - b->high, part = high - a->high;
    const double lost = (a->high - (high - part)) - (b->high + part);
    const double low = lost + (a->low - b->low), result = high + low;

    *error =
        U * (fabs(result) + 2 * (fabs(lost) + fabs(a->low) + fabs(b->low)) + a->error + b->error);
    return result;
}

#endif
