/* lasso.c - u_j := soft(u_j - g_j/G_jj, 1/G_jj), one coordinate after the other, and Newton steps
 * on the support between sweeps.
 *
 * With a matrix, the gradient is kept for all coordinates, so a coordinate that stays at 0 costs a
 * comparison. If the sweeps go on for long, the signs are mostly correct and the matrix is badly
 * conditioned. On the support, the coordinates that are not 0, with their signs fixed, the model is
 * a quadratic, and a Cholesky factor minimises it. A coordinate that would change its sign on the
 * way becomes 0. If that is no descent, because the matrix is singular, the step ends at the
 * minimum of the model along its line. A step is taken whenever the sweeps have cost as much as a
 * factor.
 *
 * By columns, a round is some sweeps and a step on the support by conjugate gradients. If that is
 * asked for, there is a Cholesky factor on the support, in single precision, once the rounds have
 * cost as much. It preconditions these steps until the rounds have cost as much again, also on
 * other supports and with another H. (6,000 rows of counts, 1,600 weights: a factor takes 0.03 s.)
 */
#include "solver/sparse/lasso.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "problem/problem.h"
#include "problem/regulariser.h"
#include "solver/linear/cholesky.h"
#include "solver/linear/cost.h"

/* The factor adds this to a diagonal of ones, because the matrix may be singular. */
static const double RIDGE = 1e-10;

/* The system by columns adds this part of the diagonal of H. Without it, rounding leaves no
 * curvature in directions in which H is singular, and |u|_1 may fall along them. */
static const double FLATTEST = 1e-8;

/* A factor in single precision adds this to a diagonal of ones. */
static const double SINGLE_RIDGE = 1e-5;

/* The largest order of a factor by columns: 64 MB. */
enum { MOST_FACTOR = 4096 };

static void lay_out(struct lasso *lasso, struct arena *arena, size_t order)
{
    lasso->u = arena_take(arena, order, sizeof *lasso->u);
    lasso->gradient = arena_take(arena, order, sizeof *lasso->gradient);
    lasso->member = arena_take(arena, order, sizeof *lasso->member);
    lasso->step = arena_take(arena, order, sizeof *lasso->step);
    lasso->slope = arena_take(arena, order, sizeof *lasso->slope);
    lasso->change = arena_take(arena, order, sizeof *lasso->change);
}

void dense_lasso_lay_out(struct dense_lasso *dense, struct arena *arena, size_t order)
{
    lay_out(&dense->lasso, arena, order);
    dense->factor = arena_take(arena, order * order, sizeof *dense->factor);
    dense->unit = arena_take(arena, order, sizeof *dense->unit);
    dense->product = arena_take(arena, order, sizeof *dense->product);
}

void column_lasso_lay_out(struct column_lasso *by, struct arena *arena, size_t order, size_t rows,
                          size_t nonzeros)
{
    struct support_factor *factor = &by->factor;

    lay_out(&by->lasso, arena, order);
    by->residual = arena_take(arena, rows, sizeof *by->residual);
    by->product = arena_take(arena, rows, sizeof *by->product);
    by->ridge = arena_take(arena, order, sizeof *by->ridge);
    by->origin = arena_take(arena, order, sizeof *by->origin);
    by->diagonal = arena_take(arena, order, sizeof *by->diagonal);
    by->active = arena_take(arena, order, sizeof *by->active);
    cg_lay_out(&by->cg, arena, order);
    factor->capacity = order < rows ? order : rows;
    factor->capacity = factor->capacity < MOST_FACTOR ? factor->capacity : MOST_FACTOR;
    factor->matrix = arena_take(arena, factor->capacity * factor->capacity, sizeof(float));
    factor->right = arena_take(arena, factor->capacity, sizeof *factor->right);
    factor->unit = arena_take(arena, order, sizeof *factor->unit);
    factor->place = arena_take(arena, order, sizeof *factor->place);
    factor->start = arena_take(arena, rows + 2, sizeof *factor->start);
    factor->index = arena_take(arena, nonzeros, sizeof *factor->index);
    factor->value = arena_take(arena, nonzeros, sizeof *factor->value);
    column_lasso_renew(by);
}

void column_lasso_renew(struct column_lasso *by)
{
    by->factor.order = 0;
}

/* ---- Coordinates -------------------------------------------------------- */

double lasso_violation_of(int is_penalised, double u, double gradient)
{
    if (!is_penalised)
        return fabs(gradient);
    return u != 0 ? fabs(gradient + copysign(1, u)) : fmax(0, fabs(gradient) - 1);
}

static double violation_at(const struct lasso *lasso, size_t j, double gradient)
{
    return lasso_violation_of(j < lasso->penalised, lasso->u[j], gradient);
}

double lasso_violation(const struct lasso *lasso, const double *gradient)
{
    double largest = 0;

    for (size_t j = 0; j < lasso->order; j++)
        largest = fmax(largest, violation_at(lasso, j, gradient[j]));
    return largest;
}

/* Returns the minimum along coordinate j. */
static double minimum_at(const struct lasso *lasso, size_t j, double gradient, double curvature)
{
    const double u = lasso->u[j];
    double to = u;

    if (!(curvature > DBL_MIN))
        return j < lasso->penalised && fabs(gradient) < 1 ? 0 : u;
    to -= gradient / curvature;
    if (j < lasso->penalised)
        to = soft(to, 1 / curvature);
    return fabs(to) <= DBL_MAX ? to : u;
}

/* ---- Steps on the support ----------------------------------------------- */

/* Returns u + step of a member, or 0 if its sign would change. */
static double clipped(const struct lasso *lasso, size_t k)
{
    const uint32_t j = lasso->member[k];
    const double u = lasso->u[j], to = u + lasso->step[k];

    return j < lasso->penalised && u * to < 0 ? 0 : to;
}

/* Moves u along the step to the minimum of the model, at most to its end, and returns the part of
 * the step. Along it, the slope of the model begins at -start, grows by the curvature, and jumps
 * where a coordinate becomes 0. */
static double move_along(struct lasso *lasso, double start, double curvature)
{
    double slope = -start, t = 0;
    size_t zero = lasso->count;

    while (slope < 0 && t < 1) {
        const double end = fmin(1, curvature > 0 ? t - slope / curvature : 1);
        double next = HUGE_VAL;

        for (size_t k = 0; k < lasso->count; k++) {
            const uint32_t j = lasso->member[k];
            const double at = lasso->step[k] != 0 ? -lasso->u[j] / lasso->step[k] : HUGE_VAL;

            if (j < lasso->penalised && at > t && at < next) {
                next = at;
                zero = k;
            }
        }
        if (!(next < end)) {
            zero = lasso->count;
            t = end;
            break;
        }
        slope += curvature * (next - t) + 2 * fabs(lasso->step[zero]);
        t = next;
    }
    for (size_t k = 0; k < lasso->count; k++)
        lasso->u[lasso->member[k]] += t * lasso->step[k];
    if (zero < lasso->count)
        lasso->u[lasso->member[zero]] = 0;
    return t;
}

/* Forms H or X times a change of the members, and returns the curvature of the model along it. */
typedef double lasso_product(void *context, const double *change);

/* Takes the clipped step if the model falls by a tenth of what the full step promises, for which
 * |u|_1 is linear. Otherwise moves along the step to the minimum of the model; if rounding has
 * spoilt the step, the model may not fall along it, and u stays. Returns the part of the step that
 * was taken; its product is the last one that was formed. */
static double take_step(struct lasso *lasso, lasso_product *form, void *context)
{
    double promised = 0, slope = 0, curvature;

    for (size_t k = 0; k < lasso->count; k++) {
        lasso->change[k] = clipped(lasso, k) - lasso->u[lasso->member[k]];
        promised += lasso->step[k] * lasso->slope[k];
        slope += lasso->change[k] * lasso->slope[k];
    }
    curvature = form(context, lasso->change);
    if (promised < 0 && slope + curvature / 2 <= 0.1 * promised) {
        for (size_t k = 0; k < lasso->count; k++)
            lasso->u[lasso->member[k]] = clipped(lasso, k);
        return 1;
    }
    curvature = form(context, lasso->step);
    if (!(promised < 0 && -promised <= DBL_MAX && curvature <= DBL_MAX))
        return 0;
    return move_along(lasso, -promised, curvature);
}

/* ---- A matrix ----------------------------------------------------------- */

/* Visits every coordinate once. Returns the largest violation met. */
static double sweep(struct dense_lasso *dense)
{
    struct lasso *lasso = &dense->lasso;
    const size_t order = lasso->order;
    const double before = lasso->spent;
    double largest = 0;

    for (size_t j = 0; j < order; j++) {
        const double *line = dense->matrix + j * order;
        const double u = lasso->u[j], gradient = lasso->gradient[j];

        if (j < lasso->penalised && u == 0 && fabs(gradient) <= 1)
            continue;
        largest = fmax(largest, violation_at(lasso, j, gradient));
        lasso->u[j] = minimum_at(lasso, j, gradient, line[j]);
        if (lasso->u[j] == u)
            continue;
        add_multiple(order, lasso->u[j] - u, line, lasso->gradient);
        lasso->spent += (double)order;
    }
    lasso->work += COST_OF_LINE_ENTRY * (lasso->spent - before);
    return largest;
}

/* Finds the support: the coordinates that are not 0, and the free ones. */
static void find_support(struct dense_lasso *dense)
{
    struct lasso *lasso = &dense->lasso;

    lasso->count = 0;
    for (size_t j = 0; j < lasso->order; j++) {
        const double curvature = dense->matrix[j * (lasso->order + 1)];

        if ((j < lasso->penalised && lasso->u[j] == 0) || !(curvature > DBL_MIN))
            continue;
        lasso->slope[lasso->count] =
            lasso->gradient[j] + (j < lasso->penalised ? copysign(1, lasso->u[j]) : 0);
        dense->unit[lasso->count] = 1 / sqrt(curvature);
        lasso->member[lasso->count++] = (uint32_t)j;
    }
}

/* Finds the Newton step on the support. False if it was stopped. */
static int find_step(struct dense_lasso *dense, const struct stop *stop)
{
    struct lasso *lasso = &dense->lasso;
    const size_t count = lasso->count;

    for (size_t k = 0; k < count; k++) {
        const double *line = dense->matrix + lasso->member[k] * lasso->order;

        for (size_t l = k; l < count; l++)
            dense->factor[k * count + l] =
                line[lasso->member[l]] * (dense->unit[k] * dense->unit[l] / RIDGE);
        lasso->step[k] = -lasso->slope[k] * (dense->unit[k] / RIDGE);
    }
    if (!cholesky_factor(dense->factor, count, stop))
        return 0;
    cholesky_solve(dense->factor, count, lasso->step);
    for (size_t k = 0; k < count; k++)
        lasso->step[k] *= dense->unit[k];
    return 1;
}

static double form_by_lines(void *context, const double *change)
{
    struct dense_lasso *dense = context;
    const struct lasso *lasso = &dense->lasso;
    double curvature = 0;

    memset(dense->product, 0, lasso->order * sizeof *dense->product);
    for (size_t k = 0; k < lasso->count; k++)
        add_multiple(lasso->order, change[k], dense->matrix + lasso->member[k] * lasso->order,
                     dense->product);
    for (size_t k = 0; k < lasso->count; k++)
        curvature += change[k] * dense->product[lasso->member[k]];
    return curvature;
}

void dense_lasso_solve(struct dense_lasso *dense, double tolerance, const struct stop *stop)
{
    enum { MOST = 10000, FEWEST = 3 };
    struct lasso *lasso = &dense->lasso;
    const double order = (double)lasso->order;
    int sweeps = 0;

    lasso->spent = 0;
    for (int k = 0; k < MOST; k++) {
        double size, part;

        if (sweep(dense) <= tolerance && lasso_violation(lasso, lasso->gradient) <= tolerance)
            return;
        if (++sweeps < FEWEST)
            continue;
        find_support(dense);
        size = (double)lasso->count;
        if (lasso->spent < size * size * size / 6 + 2 * size * order)
            continue;
        if (stop_is_asked(stop) || !find_step(dense, stop))
            return;
        lasso->work +=
            cost_of_primal_factor(1, size, 0, 0) + COST_OF_LINE_ENTRY * (2 * size * order);
        part = take_step(lasso, form_by_lines, dense);
        if (part > 0)
            add_multiple(lasso->order, part, dense->product, lasso->gradient);
        lasso->spent = sweeps = 0;
    }
}

/* ---- Columns ------------------------------------------------------------ */

static double gradient_at(const struct column_lasso *by, size_t j, const struct sparse *x)
{
    return by->lasso.gradient[j] + sparse_dot(x, by->residual) +
           by->ridge[j] * (by->lasso.u[j] - by->origin[j]);
}

/* Visits the coordinates in the list, and returns the largest violation met. A coordinate stays in
 * the list if it is not 0 afterwards, or had a violation. */
static double visit(struct column_lasso *by, size_t *count)
{
    struct lasso *lasso = &by->lasso;
    size_t left = 0, nonzeros = 0;
    double largest = 0;

    for (size_t k = 0; k < *count; k++) {
        const uint32_t j = by->active[k];
        const struct sparse x = sparse_row(&by->columns, j);
        const double u = lasso->u[j], gradient = gradient_at(by, j, &x);
        const double violation = violation_at(lasso, j, gradient);

        largest = fmax(largest, violation);
        if (violation > 0)
            lasso->u[j] = minimum_at(lasso, j, gradient, by->diagonal[j]);
        if (lasso->u[j] != u)
            sparse_add(&x, lasso->u[j] - u, by->residual);
        by->active[left] = j;
        left += lasso->u[j] != 0 || violation > 0;
        nonzeros += x.count * (lasso->u[j] != u ? 2 : 1);
    }
    lasso->work += COST_OF_NONZERO * (double)nonzeros;
    *count = left;
    return largest;
}

/* product := X p, with p by members */
static void combine(struct column_lasso *by, const double *p)
{
    memset(by->product, 0, by->rows * sizeof *by->product);
    for (size_t k = 0; k < by->lasso.count; k++) {
        const struct sparse x = sparse_row(&by->columns, by->lasso.member[k]);

        sparse_add(&x, p[k], by->product);
    }
}

static void multiply(void *context, const double *p, double *product)
{
    struct column_lasso *by = context;
    struct lasso *lasso = &by->lasso;
    size_t nonzeros = 0;

    combine(by, p);
    for (size_t k = 0; k < lasso->count; k++) {
        const uint32_t j = lasso->member[k];
        const struct sparse x = sparse_row(&by->columns, j);

        nonzeros += x.count;
        product[k] =
            sparse_dot(&x, by->product) + (by->ridge[j] + FLATTEST * by->diagonal[j]) * p[k];
    }
    lasso->work += COST_OF_NONZERO * (2 * (double)nonzeros);
}

/* Lists the entries of X on the support by rows, divided by the roots of the diagonal of H. */
static void transpose_support(struct column_lasso *by)
{
    struct support_factor *factor = &by->factor;
    const struct lasso *lasso = &by->lasso;

    memset(factor->start, 0, (by->rows + 2) * sizeof *factor->start);
    for (size_t k = 0; k < lasso->count; k++) {
        const struct sparse x = sparse_row(&by->columns, lasso->member[k]);

        for (size_t e = 0; e < x.count; e++)
            factor->start[index_at(&x, e) + 2]++;
    }
    for (size_t i = 2; i < by->rows + 2; i++)
        factor->start[i] += factor->start[i - 1];
    for (size_t k = 0; k < lasso->count; k++) {
        const struct sparse x = sparse_row(&by->columns, lasso->member[k]);

        for (size_t e = 0; e < x.count; e++) {
            const size_t at = factor->start[index_at(&x, e) + 1]++;

            factor->index[at] = (uint32_t)k;
            factor->value[at] = (float)(value_at(&x, e) * factor->unit[lasso->member[k]]);
        }
    }
}

/* Makes a factor of H on the support. If it was stopped, there is none. */
static void form_factor(struct column_lasso *by)
{
    struct support_factor *factor = &by->factor;
    const struct lasso *lasso = &by->lasso;
    const size_t count = lasso->count;

    memset(factor->matrix, 0, count * count * sizeof *factor->matrix);
    memset(factor->place, 0, lasso->order * sizeof *factor->place);
    for (size_t k = 0; k < count; k++) {
        const uint32_t j = lasso->member[k];

        factor->unit[j] = 1 / sqrt(SINGLE_RIDGE * by->diagonal[j]);
        factor->place[j] = (uint32_t)k + 1;
        factor->matrix[k * (count + 1)] = (float)(by->ridge[j] * factor->unit[j] * factor->unit[j]);
    }
    transpose_support(by);
    for (size_t i = 0; i < by->rows; i++)
        for (size_t a = factor->start[i]; a < factor->start[i + 1]; a++) {
            float *line = factor->matrix + factor->index[a] * count;
            const float value = factor->value[a];

            for (size_t b = a; b < factor->start[i + 1]; b++)
                line[factor->index[b]] += value * factor->value[b];
        }
    factor->order = single_cholesky_factor(factor->matrix, count, &by->cg.stop) ? count : 0;
}

/* Makes a new factor if steps on the support have cost as much as it would. */
static void renew_factor(struct column_lasso *by)
{
    struct support_factor *factor = &by->factor;
    struct lasso *lasso = &by->lasso;
    double nonzeros = 0, price;

    if (!by->has_factor || lasso->count > factor->capacity)
        return;
    for (size_t k = 0; k < lasso->count; k++)
        nonzeros += (double)sparse_row(&by->columns, lasso->member[k]).count;
    price = cost_of_primal_factor(1, (double)lasso->count, (double)by->rows, nonzeros);
    if (lasso->work - factor->work < price)
        return;
    form_factor(by);
    lasso->work += price;
    factor->work = lasso->work;
}

/* Returns 1/sqrt(ridge H_jj) of a coordinate of the factor, and 0 of another. */
static double unit_of(const struct support_factor *factor, uint32_t j)
{
    return factor->order > 0 && factor->place[j] > 0 ? factor->unit[j] : 0;
}

static void precondition(void *context, const double *r, double *result)
{
    struct column_lasso *by = context;
    struct support_factor *factor = &by->factor;
    struct lasso *lasso = &by->lasso;
    double largest = DBL_MIN; /* a float may not hold what is divided by it */

    for (size_t k = 0; k < lasso->count; k++)
        largest = fmax(largest, fabs(r[k] * unit_of(factor, lasso->member[k])));
    for (size_t c = 0; c < factor->order; c++)
        factor->right[c] = 0;
    for (size_t k = 0; k < lasso->count; k++) {
        const uint32_t j = lasso->member[k];
        const double unit = unit_of(factor, j);

        if (unit > 0)
            factor->right[factor->place[j] - 1] = (float)(r[k] * unit / largest);
    }
    single_cholesky_solve(factor->matrix, factor->order, factor->right);
    lasso->work += COST_OF_LINE_ENTRY * ((double)factor->order * (double)factor->order);
    for (size_t k = 0; k < lasso->count; k++) {
        const uint32_t j = lasso->member[k];
        const double unit = unit_of(factor, j);

        result[k] = unit > 0 ? factor->right[factor->place[j] - 1] * unit * largest
                             : r[k] / by->diagonal[j];
    }
}

/* A step that is not clipped may be long in directions in which H is singular. The system adds
 * curvature there. */
static double form_by_columns(void *context, const double *change)
{
    struct column_lasso *by = context;
    const struct lasso *lasso = &by->lasso;
    double curvature = 0;

    if (change == lasso->step) {
        multiply(by, change, by->cg.product);
        return dense_dot(change, by->cg.product, lasso->count);
    }
    combine(by, change);
    for (size_t k = 0; k < lasso->count; k++)
        curvature += by->ridge[lasso->member[k]] * change[k] * change[k];
    return curvature + dense_dot(by->product, by->product, by->rows);
}

/* Takes a step on the support, found by at most so many steps of conjugate gradients. True if the
 * step ended where a coordinate became 0. */
static int step_on_support(struct column_lasso *by, unsigned most)
{
    static const double ROUGH = 0.1, FINE = 0.03; /* tolerances without and with a factor */
    struct lasso *lasso = &by->lasso;
    double part;

    lasso->count = 0;
    for (size_t j = 0; j < lasso->order; j++)
        if ((lasso->u[j] != 0 || j >= lasso->penalised) && by->diagonal[j] > DBL_MIN) {
            const struct sparse x = sparse_row(&by->columns, j);

            lasso->slope[lasso->count] =
                gradient_at(by, j, &x) + (j < lasso->penalised ? copysign(1, lasso->u[j]) : 0);
            lasso->member[lasso->count++] = (uint32_t)j;
        }
    by->cg.context = by;
    by->cg.multiply = multiply;
    by->cg.precondition = precondition;
    renew_factor(by);
    cg_solve(&by->cg, lasso->count, lasso->slope, lasso->step, by->factor.order > 0 ? FINE : ROUGH,
             most);
    for (size_t k = 0; k < lasso->count; k++)
        lasso->step[k] = -lasso->step[k];
    part = take_step(lasso, form_by_columns, by);
    if (part > 0)
        add_multiple(by->rows, part, by->product, by->residual);
    return part > 0 && part < 1;
}

/* ---- The solution by columns -------------------------------------------- */

/* Takes a step on the support; if is_stuck, several longer ones in a row, so that a coordinate that
 * becomes 0 stays 0 for all of them. After a single step, sweeps would bring it back. */
static void settle_support(struct column_lasso *by, int is_stuck, unsigned effort,
                           const struct stop *stop)
{
    enum { STEPS = 10, REPEATS = 3 };
    const unsigned steps = is_stuck ? effort * REPEATS : 1;

    for (unsigned step = 0; step < steps; step++)
        if (!step_on_support(by, (is_stuck ? 3 * STEPS : STEPS) * effort) || stop_is_asked(stop))
            return;
}

void column_lasso_solve(struct column_lasso *by, double tolerance, unsigned effort,
                        const struct stop *stop)
{
    enum { MOST = 10, SWEEPS = 8, PATIENCE = 6 };
    struct lasso *lasso = &by->lasso;
    double least = HUGE_VAL;
    int stuck = 0;

    by->cg.stop = *stop;
    memset(by->residual, 0, by->rows * sizeof *by->residual);
    for (size_t j = 0; j < lasso->order; j++) {
        const struct sparse x = sparse_row(&by->columns, j);

        by->diagonal[j] = sparse_square(&x) + by->ridge[j];
        if (lasso->u[j] != by->origin[j])
            sparse_add(&x, lasso->u[j] - by->origin[j], by->residual);
    }
    for (unsigned k = 0; k < effort * MOST; k++) {
        size_t count = lasso->order;
        double most;
        unsigned sweeps = 0;

        for (size_t j = 0; j < count; j++)
            by->active[j] = (uint32_t)j;
        most = visit(by, &count);
        if (most <= tolerance || stop_is_asked(stop))
            return;
        while (visit(by, &count) > fmax(0.3 * tolerance, 0.03 * most) && ++sweeps < SWEEPS)
            if (stop_is_asked(stop))
                return;
        stuck = most < 0.9 * least ? 0 : stuck + 1;
        least = fmin(least, most);
        if (sweeps == SWEEPS)
            settle_support(by, stuck > PATIENCE, effort, stop);
    }
}
