/* row_factor.c - with D = sqrt(scale W) and Y the targets (Sherman, Morrison, Woodbury),
 *
 *     A = D Y X S S X' Y D,    H^-1 = I - S X'Y D (I + A)^-1 D Y X S.
 *
 * The products X S S X' of rows are kept, because few rows are new in the next factor. A new row is
 * multiplied with all rows that have slots. If rows have no indices, LANES new ones are multiplied
 * with AT_ONCE others at a time, which stay in the cache.
 *
 * A free bias has a value much larger than the rows, beside which these products would lose their
 * digits. So they leave out the bias, which borders H and is eliminated. With u = S_b B D Y 1,
 * where r_b and S_b are the entries of the bias,
 *
 *     q = (r_b - <u, g>)/(1 + <u, h>),    g = (I + A)^-1 D Y X S r,    h = (I + A)^-1 u,
 *     p = r - S X'Y D (g + q h).
 */
#include "solver/linear/primal_factor.h"

#include <math.h>
#include <string.h>

#include "solver/linear/cholesky.h"

enum { LANES = 8, AT_ONCE = 16 };

/* ---- Products of rows ---------------------------------------------------- */

static double *pairs_of(const struct row_factor *factor, size_t slot)
{
    return factor->pairs + slot * (slot + 1) / 2;
}

static int has_slot(const struct row_factor *factor, uint32_t i)
{
    return factor->slot_of[i] < factor->slots && factor->row_in[factor->slot_of[i]] == i;
}

static struct sparse row_in_slot(const struct row_factor *factor, const struct problem *problem,
                                 size_t slot)
{
    return factor->missing ? sparse_row(&factor->gathered.data.x, slot)
                           : problem_row(problem, factor->row_in[slot]);
}

/* Gives the next slots to at most `lanes` rows, and multiplies each with all rows that have
 * slots. */
static void add_products(struct row_factor *factor, const struct problem *problem,
                         const uint32_t *row, size_t count)
{
    const size_t width = problem_width(problem), begun = factor->slots;
    const struct hinge_matrix *data = &problem->data->x;
    const double *unit = factor->unit;
    const double constant = problem_constant(problem);
    const double of_bias =
        constant != 0 ? constant * constant * (unit ? unit[width - 1] * unit[width - 1] : 1) : 0;
    uint32_t data_row[AT_ONCE];

    for (size_t lane = 0; lane < count; lane++) {
        struct sparse x;

        factor->row_in[factor->slots] = row[lane];
        factor->slot_of[row[lane]] = (uint32_t)factor->slots;
        x = row_in_slot(factor, problem, factor->slots++);
        for (size_t k = 0; k < x.count; k++) {
            const uint32_t j = index_at(&x, k);

            factor->dense[lane * width + j] = value_at(&x, k) * (unit ? unit[j] * unit[j] : 1);
        }
    }
    for (size_t first = 0; first < factor->slots; first += AT_ONCE)
        for (size_t lane = 0; lane < count; lane++) {
            const size_t slot = begun + lane, others = first > slot ? 0 : slot + 1 - first;
            const size_t some = others < AT_ONCE ? others : AT_ONCE;
            const double *dense = factor->dense + lane * width;
            double *const product = pairs_of(factor, slot) + first;

            if (has_whole_rows(data) && !factor->missing) {
                for (size_t k = 0; k < some; k++)
                    data_row[k] = problem->row[factor->row_in[first + k]];
                whole_rows_dot(data, data_row, some, dense, product);
            } else {
                for (size_t k = 0; k < some; k++) {
                    const struct sparse x = row_in_slot(factor, problem, first + k);

                    product[k] = sparse_dot(&x, dense);
                }
            }
            for (size_t k = 0; k < some; k++)
                product[k] += of_bias;
        }
    for (size_t lane = 0; lane < count; lane++) {
        const struct sparse x = row_in_slot(factor, problem, begun + lane);

        for (size_t k = 0; k < x.count; k++)
            factor->dense[lane * width + index_at(&x, k)] = 0;
    }
}

/* Forms the missing products of these rows. If there is no room, gives up all products first. In a
 * team, row is the gathered list. False if stop was asked, or rows of other ranks could not be
 * copied; then the team has failed. */
static int form_products(struct row_factor *factor, const struct problem *problem,
                         const uint32_t *row, size_t count, const struct stop *stop)
{
    uint32_t some[LANES], missing = 0;
    size_t listed = 0;

    for (size_t k = 0; k < count; k++)
        missing += !has_slot(factor, row[k]);
    if (factor->slots + missing > factor->capacity)
        row_factor_clear(factor);
    missing = 0;
    for (uint32_t k = 0; k < count && factor->missing; k++)
        if (!has_slot(factor, row[k]))
            factor->missing[missing++] = k;
    if (factor->missing &&
        !gathered_rows_append(&factor->gathered, problem, factor->missing, missing))
        return 0;
    for (size_t k = 0; k < count; k++) {
        if (!has_slot(factor, row[k]))
            some[listed++] = row[k];
        if (listed < factor->lanes && k + 1 < count)
            continue;
        if (stop_is_asked(stop))
            return 0;
        add_products(factor, problem, some, listed);
        listed = 0;
    }
    return 1;
}

/* ---- The factor ---------------------------------------------------------- */

/* Returns the problem, without the bias if that borders the factor. */
static struct problem without_border(const struct row_factor *factor, const struct problem *problem)
{
    struct problem inner = *problem;

    if (factor->border)
        inner.bias_kind = BIAS_NONE;
    return inner;
}

/* Returns <u, p>, where u is root times S_b B. */
static double border_dot(const struct row_factor *factor, const struct problem *problem,
                         const double *p)
{
    const double unit = factor->unit ? factor->unit[problem_width(problem) - 1] : 1;

    return problem->bias * unit * dense_dot(factor->root, p, factor->order);
}

int row_factor_form(struct row_factor *factor, const struct problem *problem, struct selection rows,
                    const double *weight, double scale, const struct stop *stop)
{
    const struct problem inner = without_border(factor, problem);
    const size_t width = problem_width(problem);
    const uint32_t *row = rows.row;
    size_t order = rows.count;

    factor->order = 0;
    if (factor->missing) {
        if (!gathered_rows_list(&factor->gathered, problem, row, weight, rows.count))
            return 0;
        order = factor->gathered.listed;
        row = factor->gathered.row;
        weight = factor->gathered.weight;
    }
    if (!form_products(factor, &inner, row, order, stop))
        return 0;
    for (size_t k = 0; k < order; k++) {
        factor->row[k] = row[k];
        factor->root[k] = problem->sign[row[k]] * sqrt(scale * weight[k]);
    }
    for (size_t k = 0; k < order; k++)
        for (size_t l = k; l < order; l++) {
            const size_t slot = factor->slot_of[row[k]], other = factor->slot_of[row[l]];

            factor->factor[k * order + l] =
                factor->root[k] * factor->root[l] *
                (slot < other ? pairs_of(factor, other)[slot] : pairs_of(factor, slot)[other]);
        }
    if (!cholesky_factor(factor->factor, order, stop))
        return 0;
    factor->order = order;
    if (factor->missing) { /* view the copies as a problem with the sums of all ranks */
        struct problem *view = &factor->view;

        for (size_t k = 0; k < order; k++) {
            factor->copy_row[k] = factor->slot_of[row[k]];
            factor->whole_row[k] = problem->row[row[k]];
            factor->sign[k] = problem->sign[row[k]];
        }
        *view = inner;
        view->data = &factor->gathered.data;
        view->whole = problem->data;
        view->rows = (uint32_t)order;
        view->row = factor->copy_row;
        view->whole_row = factor->whole_row;
        view->sign = factor->sign;
        view->team = NULL;
    }
    if (factor->border) {
        const double unit = factor->unit ? factor->unit[width - 1] : 1;

        for (size_t k = 0; k < order; k++)
            factor->border[k] = problem->bias * unit * factor->root[k];
        cholesky_solve(factor->factor, order, factor->border);
        factor->pivot = 1 + border_dot(factor, problem, factor->border);
    }
    return 1;
}

void row_factor_solve(const struct row_factor *factor, const struct shards *shards,
                      const struct problem *problem, double *p)
{
    const struct problem rows = factor->missing ? factor->view : without_border(factor, problem);
    const struct selection factored = {factor->missing ? NULL : factor->row,
                                       (uint32_t)factor->order};
    const size_t width = problem_width(problem);
    const double *unit = factor->unit;
    struct shards own = *shards;
    double *const reduced = factor->reduced, *const bias = p + width - 1;
    double *const in_units = unit ? factor->in_units : p;

    own.team = NULL; /* every rank has all rows of the factor */
    own.row = factor->missing ? factor->whole_row : own.row;
    for (size_t j = 0; unit && j < width; j++)
        in_units[j] = unit[j] * p[j];
    sums_margins(&own, &rows, factored, in_units, reduced);
    for (size_t k = 0; k < factor->order; k++)
        reduced[k] *= fabs(factor->root[k]);
    cholesky_solve(factor->factor, factor->order, reduced);
    if (factor->border) {
        *bias = (*bias - border_dot(factor, problem, reduced)) / factor->pivot;
        for (size_t k = 0; k < factor->order; k++)
            reduced[k] += factor->border[k] * *bias;
    }
    for (size_t k = 0; k < factor->order; k++)
        reduced[k] *= fabs(factor->root[k]);
    if (unit)
        memset(in_units, 0, width * sizeof *in_units);
    sums_combine(&own, &rows, factored, reduced, -1, in_units);
    for (size_t j = 0; unit && j < width; j++)
        p[j] += unit[j] * in_units[j];
}

/* ---- Setting up ---------------------------------------------------------- */

void row_factor_lay_out(struct row_factor *to, struct arena *arena, const struct problem *problem,
                        size_t capacity)
{
    const size_t width = problem_width(problem);

    to->capacity = capacity;
    to->slot_of = arena_take(arena, problem->rows, sizeof *to->slot_of);
    to->row_in = arena_take(arena, capacity, sizeof *to->row_in);
    to->pairs = arena_take(arena, capacity * (capacity + 1) / 2, sizeof *to->pairs);
    to->lanes = has_whole_rows(&problem->data->x) ? LANES : 1;
    to->dense = arena_take(arena, width * to->lanes, sizeof *to->dense);
    to->row = arena_take(arena, capacity, sizeof *to->row);
    to->root = arena_take(arena, capacity, sizeof *to->root);
    to->factor = arena_take(arena, capacity * capacity, sizeof *to->factor);
    to->reduced = arena_take(arena, capacity, sizeof *to->reduced);
    if (problem->bias_kind == BIAS_FREE)
        to->border = arena_take(arena, capacity, sizeof *to->border);
    if (problem->only_l1)
        to->in_units = arena_take(arena, width, sizeof *to->in_units);
    if (!team_is_shared(problem->team))
        return;
    to->missing = arena_take(arena, capacity, sizeof *to->missing);
    to->copy_row = arena_take(arena, capacity, sizeof *to->copy_row);
    to->whole_row = arena_take(arena, capacity, sizeof *to->whole_row);
    to->sign = arena_take(arena, capacity, sizeof *to->sign);
}

void row_factor_free(struct row_factor *factor)
{
    gathered_rows_free(&factor->gathered);
}

void row_factor_clear(struct row_factor *factor)
{
    factor->order = factor->slots = 0;
    gathered_rows_clear(&factor->gathered);
}

void row_factor_set_units(struct row_factor *factor, const double *unit)
{
    factor->unit = unit;
    row_factor_clear(factor);
}
