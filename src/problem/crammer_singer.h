/* crammer_singer.h - the hinge for several classes (Crammer and Singer, JMLR 2001).
 *
 * A row with cost C, class y and margins z adds C max_m g_m to the primal objective, where
 *
 *     g_m = 1(m != y) + z_m - z_y.
 *
 * Its dual numbers a = C (e_y - p), p in the simplex, have the domain of softmax.h, and add -C
 * sum_(m != y) p_m to the dual objective. By the Fenchel-Young inequality
 *
 *     C max_m g_m - C sum_(m != y) p_m + <a, z> = C sum_m p_m (max_l g_l - g_m) >= 0,
 *
 * with equality exactly if p is 0 except on the largest g_m. A row is optimal if max_m g_m equals
 * the smallest g_m with p_m > 0; their difference is the row's violation. With two classes, the
 * loss is the hinge of z_y - z_m.
 */
#ifndef HINGE_PROBLEM_CRAMMER_SINGER_H
#define HINGE_PROBLEM_CRAMMER_SINGER_H

#include "problem/softmax.h"

/* Sets g[k], which may be z. */
static inline void singer_gains(size_t k, const double *z, size_t y, double *g)
{
    const double own = z[y];

    for (size_t m = 0; m < k; m++)
        g[m] = 1 + (z[m] - own);
    g[y] = 0;
}

/* Returns max_m g_m, which is at least g_y = 0. */
static inline double singer_top(size_t k, const double *g)
{
    double top = 0;

    for (size_t m = 0; m < k; m++)
        top = g[m] > top ? g[m] : top;
    return top;
}

/* C p_m */
static ALWAYS_INLINE double singer_share(double cost, size_t y, const double *a, size_t m)
{
    return m == y ? cost - a[m] : -a[m];
}

/* -C sum_(m != y) p_m */
static inline double singer_conjugate(size_t k, size_t y, const double *a)
{
    double sum = 0;

    for (size_t m = 0; m < k; m++)
        sum += m == y ? 0 : a[m];
    return sum;
}

/* Returns C sum_m p_m (top - g_m) with top = max_m g_m; no term is negative. */
static inline double singer_gap(size_t k, double cost, double top, const double *g, size_t y,
                                const double *a)
{
    double sum = 0;

    for (size_t m = 0; m < k; m++)
        sum += singer_share(cost, y, a, m) * (top - g[m]);
    return sum;
}

/* Returns max_m g_m minus the smallest g_m with a share. */
static inline double singer_violation(size_t k, double cost, const double *g, size_t y,
                                      const double *a)
{
    const double top = singer_top(k, g);
    double least = top;

    for (size_t m = 0; m < k; m++)
        if (singer_share(cost, y, a, m) > 0 && g[m] < least)
            least = g[m];
    return top - least;
}

/* Projects d[k] on the points with that sum and no negative entry: d_m := max(0, d_m - t) for some
 * t. Lists the positive entries in member[k] and returns their number. Finds t by leaving out the
 * entries below the t of the others until there are none (Michelot, J. Optim. Theory Appl. 1986).
 * The first t is the largest entry minus the sum, which is at most the final t. */
static inline size_t simplex_project(size_t k, double sum, double *d, uint32_t *member)
{
    size_t members = 0, before = 0;
    double top = d[0], limit = -sum, total = 0;

    for (size_t m = 1; m < k; m++)
        top = d[m] > top ? d[m] : top;
    for (size_t m = 0; m < k; m++) {
        d[m] -= top; /* so that differences keep their digits */
        if (d[m] > limit) {
            member[members++] = (uint32_t)m;
            total += d[m];
        } else {
            d[m] = 0;
        }
    }
    while (members != before) {
        before = members;
        limit = (total - sum) / (double)members;
        total = 0;
        members = 0;
        for (size_t s = 0; s < before; s++) {
            const uint32_t m = member[s];

            if (d[m] > limit) {
                member[members++] = m;
                total += d[m];
            } else {
                d[m] = 0;
            }
        }
    }
    for (size_t s = 0; s < members; s++)
        d[member[s]] = members == 1 ? sum : d[member[s]] - limit;
    return members;
}

/* Does what simplex_project does, for the shares of a row of class y, whose sum is the cost. d[y],
 * given and returned, is the share minus the cost. With a large cost, the shares of the other
 * classes then keep their digits: class y usually has a share, and then t does not depend on the
 * cost. The first t, for class y and the largest other d_m alone, is at most the final t. */
static inline size_t singer_project(size_t k, double cost, size_t y, double *d, uint32_t *member)
{
    const double own = d[y];
    size_t members = 0, before = k;
    double top = -HUGE_VAL, total = own, limit;

    d[y] = -HUGE_VAL; /* leaves class y out of the loops over the others */
    for (size_t m = 0; m < k; m++)
        top = d[m] > top ? d[m] : top;
    limit = top > own ? own + (top - own) / 2 : own;
    for (size_t m = 0; m < k; m++)
        if (d[m] > limit) {
            member[members++] = (uint32_t)m;
            total += d[m];
        }
    while (members != before) {
        before = members;
        limit = total / ((double)members + 1);
        total = own;
        members = 0;
        for (size_t s = 0; s < before; s++)
            if (d[member[s]] > limit) {
                total += d[member[s]];
                member[members++] = member[s];
            }
    }
    if (cost + (own - limit) > 0) {
        for (size_t m = 0; m < k; m++)
            d[m] = d[m] > limit ? d[m] - limit : 0;
        d[y] = own - limit;
        member[members] = (uint32_t)y;
        return members + 1;
    }
    d[y] = own + cost;
    members = simplex_project(k, cost, d, member);
    d[y] -= cost;
    return members;
}

/* Sets a := C e_y - q for the shares q that maximise <g, q> - mu/2 |q - c|^2, with inverse = 1/mu
 * and c = C e_y - centre; centre[k] NULL: 0. Lists the classes with a share in member[k] and
 * returns their number. */
static inline size_t singer_point(size_t k, double cost, const double *g, size_t y,
                                  const double *centre, double inverse, double *a, uint32_t *member)
{
    double others = 0, own;
    size_t members;

    for (size_t m = 0; m < k; m++)
        a[m] = inverse * g[m] - (centre ? centre[m] : m == y ? cost : 0);
    members = singer_project(k, cost, y, a, member);
    own = cost + a[y];
    for (size_t m = 0; m < k; m++) {
        others += m == y ? 0 : a[m];
        a[m] = -a[m];
    }
    a[y] = own > 0 ? fmin(others, cost) : cost;
    return members;
}

#endif
