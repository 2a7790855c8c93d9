/* softmax.h - the logistic loss of several classes, as loss.h has it of two.
 *
 * A row of cost C and class y with margins z adds C (ln sum_m e^z_m - z_y) to the primal objective.
 * Its dual numbers are a = C (e_y - p), p in the simplex, and add C sum_m p_m ln p_m to the dual
 * one; they have the margins' gradient, so that V = sum_i x_i a_i'. By the Fenchel-Young inequality
 *
 *     C (ln sum_m e^z_m - z_y) + C sum_m p_m ln p_m + <a, z> = C sum_m p_m ln (p_m/q_m) >= 0,
 *
 * and 0 exactly where p is q, q_m = e^z_m / sum e^z. That a is kept and not p saves the digits of
 * 1 - p_y; a = 0 is p = e_y.
 */
#ifndef HINGE_PROBLEM_SOFTMAX_H
#define HINGE_PROBLEM_SOFTMAX_H

#include <stddef.h>

#include "problem/loss.h"

/* Of margins z[k]: which is the largest, sum_m e^(z_m - largest) without its own 1, and ln of the
 * sum. */
struct softmax {
    size_t top;
    double rest;
    double log;
};

static inline struct softmax softmax_of(size_t k, const double *z)
{
    struct softmax of = {0, 0, 0};

    for (size_t m = 1; m < k; m++)
        of.top = z[m] > z[of.top] ? m : of.top;
    for (size_t m = 0; m < k; m++)
        of.rest += m == of.top ? 0 : exp_of(z[m] - z[of.top]);
    of.log = of.rest <= 1 ? log1p_of(of.rest) : log_of(1 + of.rest);
    return of;
}

/* ln sum_m e^z_m - z_y, a sum of two terms of which none is negative. */
static inline double softmax_value(const struct softmax *of, const double *z, size_t y)
{
    return (z[of->top] - z[y]) + of->log;
}

/* a[k] := C (e_y - q); a may be z. */
static inline void softmax_point(const struct softmax *of, size_t k, double cost, const double *z,
                                 size_t y, double *a)
{
    const double top = z[of->top], part = cost / (1 + of->rest);
    double others = 0;

    for (size_t m = 0; m < k; m++) {
        a[m] = -part * (m == of->top ? 1 : exp_of(z[m] - top));
        others -= m == y ? 0 : a[m];
    }
    a[y] = others < cost ? others : cost;
}

/* p_m */
static inline double softmax_share(double cost, size_t y, const double *a, size_t m)
{
    return (m == y ? cost - a[m] : -a[m]) / cost;
}

/* ln p_m, of p_m = 0 that of the smallest normal number. */
static inline double softmax_log_share(double cost, size_t y, const double *a, size_t m)
{
    const double p = softmax_share(cost, y, a, m);

    return m == y && p > 0.5 ? -log1p_of(a[y] / (cost - a[y])) : log_of(p);
}

/* C sum_m p_m ln p_m */
static inline double softmax_conjugate(size_t k, double cost, size_t y, const double *a)
{
    double sum = 0;

    for (size_t m = 0; m < k; m++)
        sum += softmax_share(cost, y, a, m) * softmax_log_share(cost, y, a, m);
    return cost * sum;
}

/* C sum_m p_m ln (p_m/q_m), as C sum_m p_m (d - 1 + e^-d), d = ln (p_m/q_m): none of these terms is
 * negative. Where d is small its series. */
static inline double softmax_gap(const struct softmax *of, size_t k, double cost, const double *z,
                                 size_t y, const double *a)
{
    double sum = 0;

    for (size_t m = 0; m < k; m++) {
        const double p = softmax_share(cost, y, a, m), from_top = z[m] - z[of->top];
        const double d = softmax_log_share(cost, y, a, m) - (from_top - of->log);

        if (fabs(d) < 1e-2)
            sum += p * d * d * (0.5 - d * (1.0 / 6 - d / 24));
        else
            sum += positive_part(p * (d - 1) + exp_of(from_top) / (1 + of->rest));
    }
    return cost * sum;
}

#endif
