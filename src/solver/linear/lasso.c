/* lasso.c - u_j := soft(u_j - g_j/G_jj, 1/G_jj), one coordinate after the other, and Newton steps
 * on the face between sweeps.
 *
 * The gradient is kept for all coordinates, so that one that stays at 0 costs a comparison. Where
 * the sweeps go on for long, the signs are mostly right and the matrix is badly conditioned: on the
 * face of the coordinates that are not 0, with their signs, the model is a quadratic, which a
 * Cholesky factor minimises. What would change its sign on the way there stays at 0; or, where that
 * is no descent, as where the matrix is singular, the step ends at the minimum of the model along
 * its line. It is taken whenever the sweeps have cost as much as a factor.
 */
#include "solver/linear/lasso.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "problem/problem.h"
#include "problem/regulariser.h"
#include "solver/linear/cholesky.h"

/* What the factor adds to a diagonal of ones: the matrix may be singular. */
static const double RIDGE = 1e-10;

void lasso_lay_out(struct lasso *lasso, struct arena *arena, size_t order)
{
    lasso->matrix = arena_take(arena, order * order, sizeof *lasso->matrix);
    lasso->factor = arena_take(arena, order * order, sizeof *lasso->factor);
    lasso->u = arena_take(arena, order, sizeof *lasso->u);
    lasso->gradient = arena_take(arena, order, sizeof *lasso->gradient);
    lasso->unit = arena_take(arena, order, sizeof *lasso->unit);
    lasso->member = arena_take(arena, order, sizeof *lasso->member);
    lasso->step = arena_take(arena, order, sizeof *lasso->step);
    lasso->product = arena_take(arena, order, sizeof *lasso->product);
}

/* ---- Optimality --------------------------------------------------------- */

/* Of one coordinate. */
static double violation_of(int is_penalised, double u, double gradient)
{
    if (!is_penalised)
        return fabs(gradient);
    return u != 0 ? fabs(gradient + copysign(1, u)) : fmax(0, fabs(gradient) - 1);
}

double lasso_violation(size_t order, size_t penalised, const double *u, const double *gradient)
{
    double largest = 0;

    for (size_t j = 0; j < order; j++)
        largest = fmax(largest, violation_of(j < penalised, u[j], gradient[j]));
    return largest;
}

/* ---- Along coordinates -------------------------------------------------- */

/* One sweep; the largest violation met. */
static double sweep(struct lasso *lasso)
{
    const size_t order = lasso->order;
    double largest = 0;

    for (size_t j = 0; j < order; j++) {
        const double *line = lasso->matrix + j * order;
        const double curvature = line[j], u = lasso->u[j], gradient = lasso->gradient[j];
        const int is_penalised = j < lasso->penalised;
        double to;

        if (is_penalised && u == 0 && fabs(gradient) <= 1)
            continue;
        largest = fmax(largest, violation_of(is_penalised, u, gradient));
        if (curvature > DBL_MIN)
            to = is_penalised ? soft(u - gradient / curvature, 1 / curvature)
                              : u - gradient / curvature;
        else
            to = is_penalised && fabs(gradient) < 1 ? 0 : u;
        if (to == u || !(fabs(to) <= DBL_MAX))
            continue;
        lasso->u[j] = to;
        add_multiple(order, to - u, line, lasso->gradient);
        lasso->spent += (double)order;
    }
    return largest;
}

/* ---- On a face ---------------------------------------------------------- */

/* The coordinates that are not 0, or free. */
static size_t find_face(struct lasso *lasso)
{
    size_t count = 0;

    for (size_t j = 0; j < lasso->order; j++) {
        const double curvature = lasso->matrix[j * (lasso->order + 1)];

        if ((lasso->u[j] == 0 && j < lasso->penalised) || !(curvature > DBL_MIN))
            continue;
        lasso->unit[count] = 1 / sqrt(curvature);
        lasso->member[count++] = (uint32_t)j;
    }
    return count;
}

/* The slope of the model in a coordinate of the face. */
static double slope_of(const struct lasso *lasso, uint32_t j)
{
    return lasso->gradient[j] + (j < lasso->penalised ? copysign(1, lasso->u[j]) : 0);
}

/* step := the Newton step on the face of so many coordinates; 0 if it was stopped. */
static int find_step(struct lasso *lasso, size_t count, const struct stop *stop)
{
    const uint32_t *member = lasso->member;

    for (size_t k = 0; k < count; k++) {
        const double *line = lasso->matrix + member[k] * lasso->order;

        for (size_t l = k; l < count; l++)
            lasso->factor[k * count + l] =
                line[member[l]] * (lasso->unit[k] * lasso->unit[l] / RIDGE);
        lasso->step[k] = -slope_of(lasso, member[k]) * (lasso->unit[k] / RIDGE);
    }
    if (!cholesky_factor(lasso->factor, count, stop))
        return 0;
    cholesky_solve(lasso->factor, count, lasso->step);
    for (size_t k = 0; k < count; k++)
        lasso->step[k] *= lasso->unit[k];
    return 1;
}

/* u + step in coordinate k of the face; where its sign would change, 0. */
static double clipped(const struct lasso *lasso, size_t k)
{
    const uint32_t j = lasso->member[k];
    const double u = lasso->u[j], to = u + lasso->step[k];

    return j < lasso->penalised && u * to < 0 ? 0 : to;
}

/* Takes the step like that, if the model falls by enough: without the signs |u|_1 is linear. */
static int take_clipped(struct lasso *lasso, size_t count)
{
    const size_t order = lasso->order;
    double promised = 0, slope = 0, curvature = 0;

    memset(lasso->product, 0, order * sizeof *lasso->product);
    for (size_t k = 0; k < count; k++) {
        const uint32_t j = lasso->member[k];
        const double change = clipped(lasso, k) - lasso->u[j];

        promised += lasso->step[k] * slope_of(lasso, j);
        slope += change * slope_of(lasso, j);
        add_multiple(order, change, lasso->matrix + j * order, lasso->product);
    }
    for (size_t k = 0; k < count; k++)
        curvature += (clipped(lasso, k) - lasso->u[lasso->member[k]]) *
                     lasso->product[lasso->member[k]];
    if (!(promised < 0 && slope + curvature / 2 <= 0.1 * promised))
        return 0;
    for (size_t k = 0; k < count; k++)
        lasso->u[lasso->member[k]] = clipped(lasso, k);
    add_multiple(order, 1, lasso->product, lasso->gradient);
    return 1;
}

/* How far to go along the step: the slope of the model begins with -start, grows by curvature, and
 * jumps where a coordinate becomes 0. *zero is one that does so at the end, or count. */
static double find_length(const struct lasso *lasso, size_t count, double start, double curvature,
                          size_t *zero)
{
    double slope = -start, t = 0;

    for (;;) {
        const double end = fmin(1, curvature > 0 ? t - slope / curvature : 1);
        double next = HUGE_VAL;

        *zero = count;
        for (size_t k = 0; k < count; k++) {
            const uint32_t j = lasso->member[k];
            const double at = -lasso->u[j] / lasso->step[k];

            if (j < lasso->penalised && at > t && at < next) {
                next = at;
                *zero = k;
            }
        }
        if (!(next < end)) {
            *zero = count;
            return end;
        }
        slope += curvature * (next - t) + 2 * fabs(lasso->step[*zero]);
        t = next;
        if (slope >= 0)
            return t;
    }
}

/* Goes along the step to the minimum of the model, signs changing on the way; not if rounding has
 * spoilt the factor, so that it does not fall. */
static void take_part(struct lasso *lasso, size_t count)
{
    const size_t order = lasso->order;
    double start = 0, curvature = 0, t;
    size_t zero;

    memset(lasso->product, 0, order * sizeof *lasso->product);
    for (size_t k = 0; k < count; k++) {
        add_multiple(order, lasso->step[k], lasso->matrix + lasso->member[k] * order,
                     lasso->product);
        start -= lasso->step[k] * slope_of(lasso, lasso->member[k]);
    }
    for (size_t k = 0; k < count; k++)
        curvature += lasso->step[k] * lasso->product[lasso->member[k]];
    if (!(start > 0 && start <= DBL_MAX && curvature <= DBL_MAX))
        return;
    t = find_length(lasso, count, start, curvature, &zero);
    for (size_t k = 0; k < count; k++)
        lasso->u[lasso->member[k]] += t * lasso->step[k];
    if (zero < count)
        lasso->u[lasso->member[zero]] = 0;
    add_multiple(order, t, lasso->product, lasso->gradient);
}

/* ---- Both --------------------------------------------------------------- */

double lasso_solve(struct lasso *lasso, double tolerance, const struct stop *stop)
{
    enum { MOST = 10000, FEWEST = 3 };
    double since = lasso->spent, best = HUGE_VAL;
    int sweeps = 0;

    for (int k = 0; k < MOST; k++) {
        const double order = (double)lasso->order;
        double size, price;

        if (sweep(lasso) <= tolerance) {
            best = lasso_violation(lasso->order, lasso->penalised, lasso->u, lasso->gradient);
            if (best <= tolerance)
                return best;
        }
        if (++sweeps < FEWEST)
            continue;
        size = (double)find_face(lasso);
        price = size * size * size / 6 + 2 * size * order;
        if (lasso->spent - since < price)
            continue;
        if (stop_is_asked(stop) || !find_step(lasso, (size_t)size, stop))
            break;
        if (!take_clipped(lasso, (size_t)size))
            take_part(lasso, (size_t)size);
        lasso->spent += price;
        since = lasso->spent;
        sweeps = 0;
    }
    return lasso_violation(lasso->order, lasso->penalised, lasso->u, lasso->gradient);
}
