/* regulariser.c - sums over coordinates, some at a time in loops without a branch. */
#include "problem/regulariser.h"

#include "base/sum.h"

enum { AT_ONCE = 256 }; /* coordinates: their terms stay in the first-level cache */

enum term { VALUE, CONJUGATE, GAP };

/* Returns the sum of a term. CONJUGATE does not read w, VALUE does not read v. */
static ALWAYS_INLINE double sum_of(enum term term, double l1, double l2, const double *w,
                                   const double *v, size_t count)
{
    struct sum sum = {0, 0};
    double terms[AT_ONCE];

    for (size_t first = 0, end; first < count; first = end) {
        end = count - first < AT_ONCE ? count : first + AT_ONCE;
        for (size_t j = first; j < end; j++)
            terms[j - first] = term == VALUE       ? regulariser_value(l1, l2, w[j])
                               : term == CONJUGATE ? regulariser_conjugate(l1, l2, v[j])
                                                   : regulariser_gap(l1, l2, w[j], v[j]);
        sum_add_all(&sum, terms, end - first);
    }
    return sum_value(&sum);
}

VERSIONED(double, return, regulariser_values, (double l1, double l2, const double *w, size_t count),
          (l1, l2, w, count))
{
    return sum_of(VALUE, l1, l2, w, NULL, count);
}

VERSIONED(double, return, regulariser_conjugates,
          (double l1, double l2, const double *v, size_t count), (l1, l2, v, count))
{
    return sum_of(CONJUGATE, l1, l2, NULL, v, count);
}

VERSIONED(double, return, regulariser_gaps,
          (double l1, double l2, const double *w, const double *v, size_t count),
          (l1, l2, w, v, count))
{
    return sum_of(GAP, l1, l2, w, v, count);
}
