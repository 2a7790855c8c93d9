/* softmax.h - the logistic loss for several classes.
 *
 * A row with cost C, class y and margins z adds C (ln sum_m e^z_m - z_y) to the primal objective.
 * Its dual numbers a = C (e_y - p), p in the simplex, add C sum_m p_m ln p_m to the dual objective.
 * They are the negative gradient with respect to the margins, so that V = sum_i x_i a_i'. By the
 * Fenchel-Young inequality
 *
 *     C (ln sum_m e^z_m - z_y) + C sum_m p_m ln p_m + <a, z> = C sum_m p_m ln (p_m/q_m) >= 0,
 *
 * with equality exactly at p = q, q_m = e^z_m / sum e^z. Storing a instead of p keeps the digits of
 * 1 - p_y; a = 0 means p = e_y.
 */
#ifndef HINGE_PROBLEM_SOFTMAX_H
#define HINGE_PROBLEM_SOFTMAX_H

#include <stddef.h>

#include "problem/loss.h"

/* The sum of exponentials of margins z[k]. */
struct softmax {
    size_t top;  /* the largest margin is z[top] */
    double rest; /* sum over m != top of e^(z_m - z_top) */
    double log;  /* ln(1 + rest) */
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

/* Returns ln sum_m e^z_m - z_y as a sum of two terms that are not negative. */
static inline double softmax_value(const struct softmax *of, const double *z, size_t y)
{
    return (z[of->top] - z[y]) + of->log;
}

/* Sets a[y] so that sum_m a_m = 0. */
static inline void softmax_balance(size_t k, size_t y, double *a)
{
    double others = 0;

    for (size_t m = 0; m < k; m++)
        others += m == y ? 0 : a[m];
    a[y] = -others;
}

/* Does what softmax_balance does. If rounding makes a[y] exceed C, the largest other share gives up
 * the excess. With two classes, a then has two opposite numbers. */
static inline void softmax_settle(size_t k, double cost, size_t y, double *a)
{
    size_t largest = y == 0;

    softmax_balance(k, y, a);
    if (!(a[y] > cost))
        return;
    for (size_t m = 0; m < k; m++)
        largest = m != y && a[m] < a[largest] ? m : largest;
    a[largest] += a[y] - cost;
    softmax_balance(k, y, a);
    a[y] = fmin(a[y], cost);
}

/* a[k] := C (e_y - q) */
static inline void softmax_point(const struct softmax *of, size_t k, double cost, const double *z,
                                 size_t y, double *a)
{
    const double top = z[of->top], part = cost / (1 + of->rest);

    for (size_t m = 0; m < k; m++)
        a[m] = -part * exp_of(z[m] - top);
    softmax_settle(k, cost, y, a);
}

/* p_m */
static inline double softmax_share(double cost, size_t y, const double *a, size_t m)
{
    return (m == y ? cost - a[m] : -a[m]) / cost;
}

/* ln p_m; for p_m = 0, the logarithm of the smallest normal number. */
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

/* Returns sum_m p_m (d_m - d_y) for the p of a. Differences from d_y need no digits of 1 - p_y. */
static inline double softmax_mean(size_t k, double cost, size_t y, const double *a, const double *d)
{
    double sum = 0;

    for (size_t m = 0; m < k; m++) /* d_y - d_y is 0 */
        sum -= a[m] * (d[m] - d[y]);
    return sum / cost;
}

/* d := C (diag(p) - p p') d, with the Hessian at the margins of a. */
static inline void softmax_curvature(size_t k, double cost, size_t y, const double *a, double *d)
{
    const double base = d[y], mean = softmax_mean(k, cost, y, a, d);

    for (size_t m = 0; m < k; m++)
        d[m] = -a[m] * (d[m] - base - mean);
    softmax_balance(k, y, d);
}

/* to := a, changed to first order for a change of the margins by d: the shares p_m + p_m (d_m - sum
 * p d), without negative ones, divided by their sum. */
static inline void softmax_ahead(size_t k, double cost, size_t y, const double *a, const double *d,
                                 double *to)
{
    const double mean = softmax_mean(k, cost, y, a, d);
    double sum;

    for (size_t m = 0; m < k; m++)
        to[m] = a[m] * positive_part(1 + (d[m] - d[y] - mean));
    softmax_balance(k, y, to);
    sum = to[y] + (cost - a[y]) * positive_part(1 - mean);
    for (size_t m = 0; m < k && sum > cost; m++) /* a share was negative */
        to[m] *= cost / sum;
    softmax_settle(k, cost, y, to);
}

/* Returns C sum_m p_m ln (p_m/q_m) as C sum_m p_m (d - 1 + e^-d), d = ln (p_m/q_m). No term is
 * negative. A small d uses the series of the term. */
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
