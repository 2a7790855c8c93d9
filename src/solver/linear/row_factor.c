/* row_factor.c - with D = sqrt(scale W) and Y the targets (Sherman, Morrison, Woodbury),
 *
 *     A = D Y X S S X' Y D,    H^-1 = I - S X'Y D (I + A)^-1 D Y X S.
 *
 * A bias much larger than the rows, as a free one is given, would take the digits of this X S S X'.
 * It is left out, borders H, and is eliminated: with u = S_b B D Y 1, r_b and S_b the entries of
 * the bias,
 *
 *     q = (r_b - <u, g>)/(1 + <u, h>),    g = (I + A)^-1 D Y X S r,    h = (I + A)^-1 u,
 *     p = r - S X'Y D (g + q h).
 */
#include "solver/linear/row_factor.h"

#include <math.h>
#include <string.h>

#include "solver/linear/cholesky.h"

void row_factor_lay_out(struct row_factor *to, struct arena *arena, const struct problem *problem,
                        size_t capacity)
{
    row_products_lay_out(&to->products, arena, problem, capacity);
    to->row = arena_take(arena, capacity, sizeof *to->row);
    to->root = arena_take(arena, capacity, sizeof *to->root);
    to->factor = arena_take(arena, capacity * capacity, sizeof *to->factor);
    to->reduced = arena_take(arena, capacity, sizeof *to->reduced);
    if (problem->bias_kind == BIAS_FREE)
        to->border = arena_take(arena, capacity, sizeof *to->border);
    if (problem->only_l1) {
        to->square = arena_take(arena, problem_width(problem), sizeof *to->square);
        to->in_units = arena_take(arena, problem_width(problem), sizeof *to->in_units);
    }
    if (!team_is_shared(problem->team))
        return;
    to->lent_row = arena_take(arena, capacity, sizeof *to->lent_row);
    to->whole_row = arena_take(arena, capacity, sizeof *to->whole_row);
    to->sign = arena_take(arena, capacity, sizeof *to->sign);
}

void row_factor_free(struct row_factor *factor)
{
    row_products_free(&factor->products);
}

void row_factor_clear(struct row_factor *factor)
{
    factor->order = 0;
    row_products_clear(&factor->products);
}

void row_factor_set_units(struct row_factor *factor, const double *unit)
{
    factor->unit = unit;
    row_factor_clear(factor);
    row_products_weigh(&factor->products, unit ? factor->square : NULL);
}

/* The problem as the factor has it. */
static struct problem without_border(const struct row_factor *factor, const struct problem *problem)
{
    struct problem inner = *problem;

    if (factor->border)
        inner.bias_kind = BIAS_NONE;
    return inner;
}

/* Its rows, which are in slots, as a problem whose sums are those over the rows of all ranks. */
static void view_rows(struct row_factor *factor, const struct problem *inner)
{
    struct problem *view = &factor->view;

    for (size_t k = 0; k < factor->order; k++) {
        const uint32_t i = factor->row[k];

        factor->lent_row[k] = factor->products.slot_of[i];
        factor->whole_row[k] = inner->row[i];
        factor->sign[k] = inner->sign[i];
    }
    *view = *inner;
    view->data = &factor->products.lent.data;
    view->whole = inner->data;
    view->rows = (uint32_t)factor->order;
    view->row = factor->lent_row;
    view->whole_row = factor->whole_row;
    view->sign = factor->sign;
    view->team = NULL;
}

/* S_b B */
static double bias_in_units(const struct row_factor *factor, const struct problem *problem)
{
    return problem->bias * (factor->unit ? factor->unit[problem_width(problem) - 1] : 1);
}

/* <u, p>, u being root times that bias */
static double border_dot(const struct row_factor *factor, double bias, const double *p)
{
    return bias * dense_dot(factor->root, p, factor->order);
}

static void form_border(struct row_factor *factor, double bias)
{
    for (size_t k = 0; k < factor->order; k++)
        factor->border[k] = bias * factor->root[k];
    cholesky_solve(factor->factor, factor->order, factor->border);
    factor->pivot = 1 + border_dot(factor, bias, factor->border);
}

int row_factor_form(struct row_factor *factor, const struct problem *problem, struct selection rows,
                    const double *weight, double scale, const struct stop *stop)
{
    struct row_products *products = &factor->products;
    const struct problem inner = without_border(factor, problem);
    const uint32_t *row = rows.row;
    size_t order = rows.count;

    factor->order = 0;
    for (size_t j = 0; factor->unit && j < problem_width(problem); j++)
        factor->square[j] = factor->unit[j] * factor->unit[j];
    if (factor->sign) {
        if (!gathered_rows_list(&products->lent, problem, row, weight, rows.count))
            return 0;
        order = products->lent.listed;
        row = products->lent.row;
        weight = products->lent.weight;
    }
    if (!row_products_form(products, &inner, row, order, stop))
        return 0;
    for (size_t k = 0; k < order; k++) {
        factor->row[k] = row[k];
        factor->root[k] = problem->sign[row[k]] * sqrt(scale * weight[k]);
    }
    for (size_t k = 0; k < order; k++)
        for (size_t l = k; l < order; l++)
            factor->factor[k * order + l] =
                factor->root[k] * factor->root[l] * row_product(products, row[k], row[l]);
    if (!cholesky_factor(factor->factor, order, stop))
        return 0;
    factor->order = order;
    if (factor->sign)
        view_rows(factor, &inner);
    if (factor->border)
        form_border(factor, bias_in_units(factor, problem));
    return 1;
}

void row_factor_solve(const struct row_factor *factor, const struct shards *shards,
                      const struct problem *problem, double *p)
{
    const struct problem rows = factor->sign ? factor->view : without_border(factor, problem);
    const struct selection factored = {factor->sign ? NULL : factor->row, (uint32_t)factor->order};
    const size_t width = problem_width(problem);
    const double *unit = factor->unit;
    struct shards own = *shards;
    double *const reduced = factor->reduced, *const bias = p + width - 1;
    double *const in_units = unit ? factor->in_units : p;

    own.team = NULL; /* all that it needs is here */
    own.row = factor->sign ? factor->whole_row : own.row;
    for (size_t j = 0; unit && j < width; j++)
        in_units[j] = unit[j] * p[j];
    sums_margins(&own, &rows, factored, in_units, reduced);
    for (size_t k = 0; k < factor->order; k++)
        reduced[k] *= fabs(factor->root[k]);
    cholesky_solve(factor->factor, factor->order, reduced);
    if (factor->border) {
        *bias =
            (*bias - border_dot(factor, bias_in_units(factor, problem), reduced)) / factor->pivot;
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
