/* regulariser.c - sums over coordinates, some at a time in loops without a branch. */
#include "problem/regulariser.h"

#include "base/sum.h"

enum { AT_ONCE = 256 }; /* coordinates: their terms stay in the first-level cache */

static size_t some_of(size_t count)
{
    return count < AT_ONCE ? count : AT_ONCE;
}

static ALWAYS_INLINE double regulariser_values_as(double l1, double l2, const double *w,
                                                  size_t count)
{
    struct sum sum = {0, 0};
    double value[AT_ONCE];

    for (size_t some; count > 0; w += some, count -= some) {
        some = some_of(count);
        for (size_t j = 0; j < some; j++)
            value[j] = regulariser_value(l1, l2, w[j]);
        sum_add_all(&sum, value, some);
    }
    return sum_value(&sum);
}

static ALWAYS_INLINE double regulariser_conjugates_as(double l1, double l2, const double *v,
                                                      size_t count)
{
    struct sum sum = {0, 0};
    double conjugate[AT_ONCE];

    for (size_t some; count > 0; v += some, count -= some) {
        some = some_of(count);
        for (size_t j = 0; j < some; j++)
            conjugate[j] = regulariser_conjugate(l1, l2, v[j]);
        sum_add_all(&sum, conjugate, some);
    }
    return sum_value(&sum);
}

static ALWAYS_INLINE double regulariser_gaps_as(double l1, double l2, const double *w,
                                                const double *v, size_t count)
{
    struct sum sum = {0, 0};
    double gap[AT_ONCE];

    for (size_t some; count > 0; w += some, v += some, count -= some) {
        some = some_of(count);
        for (size_t j = 0; j < some; j++)
            gap[j] = regulariser_gap(l1, l2, w[j], v[j]);
        sum_add_all(&sum, gap, some);
    }
    return sum_value(&sum);
}

VERSIONED(double, return, regulariser_values, (double l1, double l2, const double *w, size_t count),
          (l1, l2, w, count))
VERSIONED(double, return, regulariser_conjugates,
          (double l1, double l2, const double *v, size_t count), (l1, l2, v, count))
VERSIONED(double, return, regulariser_gaps,
          (double l1, double l2, const double *w, const double *v, size_t count),
          (l1, l2, w, v, count))
