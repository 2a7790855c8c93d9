/* sum.h - sums whose rounding error does not grow with the number of terms: Neumaier's variant of
 * Kahan's summation, which adds up the errors of all additions (Neumaier, ZAMM 54, 1974). */
#ifndef HINGE_BASE_SUM_H
#define HINGE_BASE_SUM_H

#include <float.h>
#include <math.h>
#include <stddef.h>

struct sum {
    double total; /* 0 with lost = 0: no terms */
    double lost;  /* sum of the errors of the additions */
};

static inline void sum_add(struct sum *sum, double term)
{
    double total = sum->total + term;

    if (!(fabs(total) <= DBL_MAX))
        sum->lost = 0; /* an infinite total stays infinite */
    else if (fabs(sum->total) >= fabs(term))
        sum->lost += (sum->total - total) + term;
    else
        sum->lost += (term - total) + sum->total;
    sum->total = total;
}

/* Adds all of term[count], in an order that depends on count alone. */
void sum_add_all(struct sum *sum, const double *term, size_t count);

static inline double sum_value(const struct sum *sum)
{
    return sum->total + sum->lost;
}

#endif
