/* lasso.c - u_j := soft(u_j - g_j/G_jj, 1/G_jj), one coordinate after the other, and Newton steps
 * on the support between sweeps.
 *
 * With a matrix, the gradient is kept for all coordinates, so a coordinate that stays at 0 costs a
 * comparison. If the sweeps go on for long, the signs are mostly correct and the matrix is badly
 * conditioned. On the support, the coordinates that are not 0, with their signs fixed, the model is
 * a quadratic, and a Cholesky factor minimises it. A coordinate that would change its sign on the
 * way becomes 0. If that is no descent, because the matrix is singular or many signs would change,
 * the step ends at the minimum of the model along its line, or becomes shorter. A step is taken
 * whenever the sweeps have cost as much as a factor.
 *
 * By columns, a round is some sweeps and a step on the support by conjugate gradients. A Cholesky
 * factor may precondition them (support_factor.c): the first one once the rounds have cost as much,
 * and another one whenever they have cost as much again.
 */
#include "solver/sparse/lasso.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/compiler.h"
#include "problem/problem.h"
#include "problem/regulariser.h"
#include "solver/linear/cholesky.h"
#include "solver/linear/cost.h"

/* The factor adds this to a diagonal of ones, because the matrix may be singular. */
static const double RIDGE = 1e-10;

/* The system by columns adds this part of the diagonal of H. Without it, rounding leaves no
 * curvature in directions in which H is singular, and |u|_1 may fall along them. */
static const double FLATTEST = 1e-8;

static void lay_out(struct lasso *lasso, struct arena *arena, size_t order)
{
    lasso->u = arena_take(arena, order, sizeof *lasso->u);
    lasso->gradient = arena_take(arena, order, sizeof *lasso->gradient);
    lasso->member = arena_take(arena, order, sizeof *lasso->member);
    lasso->step = arena_take(arena, order, sizeof *lasso->step);
    lasso->slope = arena_take(arena, order, sizeof *lasso->slope);
    lasso->change = arena_take(arena, order, sizeof *lasso->change);
    lasso->kink = arena_take(arena, order, sizeof *lasso->kink);
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
    lay_out(&by->lasso, arena, order);
    by->residual = arena_take(arena, rows, sizeof *by->residual);
    by->product = arena_take(arena, rows, sizeof *by->product);
    by->ridge = arena_take(arena, order, sizeof *by->ridge);
    by->origin = arena_take(arena, order, sizeof *by->origin);
    by->diagonal = arena_take(arena, order, sizeof *by->diagonal);
    by->active = arena_take(arena, order, sizeof *by->active);
    cg_lay_out(&by->cg, arena, order);
    support_factor_lay_out(&by->factor, arena, order, rows, nonzeros);
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
    if (u != 0)
        return fabs(gradient + copysign(1, u));
    /* fmax would be a call */
    return fabs(gradient) > 1 ? fabs(gradient) - 1 : 0;
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

/* True if coordinate j is in the support: it is free or not 0, and its second derivative is not 0.
 */
static int is_in_support(const struct lasso *lasso, size_t j, double curvature)
{
    return (lasso->u[j] != 0 || j >= lasso->penalised) && curvature > DBL_MIN;
}

/* Adds coordinate j, whose gradient is given, to the list of the support. */
static void add_member(struct lasso *lasso, size_t j, double gradient)
{
    lasso->slope[lasso->count] = gradient + (j < lasso->penalised ? copysign(1, lasso->u[j]) : 0);
    lasso->member[lasso->count++] = (uint32_t)j;
}

/* Returns u + t step of a member, or 0 if its sign would change. */
static double clipped(const struct lasso *lasso, size_t k, double t)
{
    const uint32_t j = lasso->member[k];
    const double u = lasso->u[j], to = u + t * lasso->step[k];

    return j < lasso->penalised && u * to < 0 ? 0 : to;
}

/* Forms H or X times a change of the members, and returns the curvature of the model along it. */
typedef double lasso_product(void *context, const double *change);

/* Returns where along the step, from 0 to 1, the model has its minimum. Its slope begins at
 * `promised`, grows by the curvature, and jumps by 2 |step_k| where member k becomes 0. *zero
 * becomes the member that is 0 there, or the number of members. The search divides the jumps by a
 * pivot and goes on with one side, as quickselect does. It uses lasso->change as storage. */
static double end_of_step(struct lasso *lasso, double promised, double curvature, size_t *zero)
{
    double *at = lasso->change; /* at[k] is the part of the step at which kink[k] becomes 0 */
    uint32_t *kink = lasso->kink;
    double slope = promised; /* slope at 0 plus all jumps before those in `kink` */
    double end = 1;
    size_t count = 0;

    *zero = lasso->count;
    for (size_t k = 0; k < lasso->count; k++) {
        const uint32_t j = lasso->member[k];
        const double to = lasso->step[k] != 0 ? -lasso->u[j] / lasso->step[k] : HUGE_VAL;

        if (j < lasso->penalised && to > 0 && to < 1) {
            at[count] = to;
            kink[count++] = (uint32_t)k;
        }
    }
    while (count > 0) {
        const double pivot = at[count / 2];
        const uint32_t member = kink[count / 2];
        double before = 0, here = 0;
        size_t left = 0;
        int is_before, is_here;

        for (size_t k = 0; k < count; k++) {
            const double jump = 2 * fabs(lasso->step[kink[k]]);

            before += at[k] < pivot ? jump : 0;
            here += at[k] == pivot ? jump : 0;
        }
        is_before = slope + before + curvature * pivot >= 0;
        is_here = slope + before + here + curvature * pivot >= 0;
        if (is_here && !is_before) {
            *zero = member;
            return pivot;
        }
        if (is_before)
            end = pivot;
        else
            slope += before + here;
        for (size_t k = 0; k < count; k++)
            if (is_before ? at[k] < pivot : at[k] > pivot) {
                at[left] = at[k];
                kink[left++] = kink[k];
            }
        count = left;
    }
    return fmin(end, curvature > 0 ? -slope / curvature : 1);
}

/* Takes the part t of the step, clipped, if the model falls by at least a tenth of what that part
 * promises with |u|_1 taken as linear. False if u stays. */
static int take_clipped(struct lasso *lasso, double t, double promised, lasso_product *form,
                        void *context)
{
    double slope = 0, curvature;

    for (size_t k = 0; k < lasso->count; k++) {
        lasso->change[k] = clipped(lasso, k, t) - lasso->u[lasso->member[k]];
        slope += lasso->change[k] * lasso->slope[k];
    }
    curvature = form(context, lasso->change);
    if (!(slope + curvature / 2 <= 0.1 * t * promised))
        return 0;
    for (size_t k = 0; k < lasso->count; k++)
        lasso->u[lasso->member[k]] = clipped(lasso, k, t);
    return 1;
}

/* Takes the whole step, clipped, if the model falls by enough. Otherwise moves along the step to
 * the minimum of the model, at most to its end. Where members near 0 would end the step before
 * SHORT of it, takes a quarter of the step, clipped, or a smaller part: all members whose signs
 * change become 0 at once. If rounding has spoilt the step, the model may not fall along it, and u
 * stays. Sets *multiple to the factor that turns the product formed last into that of the change of
 * u; 0: u stays. True if the step ended early. (-s 6, C = 256: phrases-67000x86000-synth 0.9e9
 * multiply-adds instead of 2.9e9 without the smaller parts, sst2 with uni- and bigrams 5.6e9
 * instead of 1.07e10.) */
static int take_step(struct lasso *lasso, lasso_product *form, void *context, double *multiple)
{
    enum { PARTS = 3 };
    static const double SHORT = 0.1, LESS = 0.25;
    double promised = 0, part = 1, curvature, t;
    size_t zero;

    *multiple = 0;
    for (size_t k = 0; k < lasso->count; k++)
        promised += lasso->step[k] * lasso->slope[k];
    if (!(promised < 0 && -promised <= DBL_MAX))
        return 0;
    if (take_clipped(lasso, 1, promised, form, context)) {
        *multiple = 1;
        return 0;
    }
    curvature = form(context, lasso->step);
    if (!(curvature <= DBL_MAX))
        return 0;
    t = end_of_step(lasso, promised, curvature, &zero);
    if (t < SHORT) {
        for (int k = 0; k < PARTS; k++) {
            part *= LESS;
            if (take_clipped(lasso, part, promised, form, context)) {
                *multiple = 1;
                return 1;
            }
        }
        form(context, lasso->step);
    }
    for (size_t k = 0; k < lasso->count; k++)
        lasso->u[lasso->member[k]] += t * lasso->step[k];
    if (zero < lasso->count)
        lasso->u[lasso->member[zero]] = 0;
    *multiple = t;
    return t < 1;
}

/* ---- A matrix ----------------------------------------------------------- */

/* Adds a multiple of a line of the matrix. When the compiler inlined this loop in a sweep, its time
 * depended on where a line of the cache began. (digits, -s 5 -c 64: 0.26 s inlined, 0.21 s as
 * here.) */
STATIC_VERSIONED(void, (void), add_line,
                 (size_t count, double factor, const double *line, double *sum),
                 (count, factor, line, sum))
{
    add_multiple(count, factor, line, sum);
}

/* Forms H times a change of the members from the lines of the matrix. */
static double form_by_lines(void *context, const double *change)
{
    struct dense_lasso *dense = context;
    const struct lasso *lasso = &dense->lasso;
    double curvature = 0;

    memset(dense->product, 0, lasso->order * sizeof *dense->product);
    for (size_t k = 0; k < lasso->count; k++)
        add_line(lasso->order, change[k], dense->matrix + lasso->member[k] * lasso->order,
                 dense->product);
    for (size_t k = 0; k < lasso->count; k++)
        curvature += change[k] * dense->product[lasso->member[k]];
    return curvature;
}

/* Takes the Newton step on the support. False if it was stopped. */
static int take_newton_step(struct dense_lasso *dense, const struct stop *stop)
{
    struct lasso *lasso = &dense->lasso;
    const size_t order = lasso->order, count = lasso->count;
    const double size = (double)count;
    double multiple;

    for (size_t k = 0; k < count; k++)
        dense->unit[k] = 1 / sqrt(dense->matrix[lasso->member[k] * (order + 1)]);
    for (size_t k = 0; k < count; k++) {
        const double *line = dense->matrix + lasso->member[k] * order;

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
    lasso->work +=
        cost_of_primal_factor(1, size, 0, 0) + COST_OF_LINE_ENTRY * (2 * size * (double)order);
    take_step(lasso, form_by_lines, dense, &multiple);
    if (multiple > 0)
        add_line(order, multiple, dense->product, lasso->gradient);
    return 1;
}

void dense_lasso_solve(struct dense_lasso *dense, double tolerance, const struct stop *stop)
{
    enum { MOST = 10000, FEWEST = 3 };
    struct lasso *lasso = &dense->lasso;
    const size_t order = lasso->order;
    double spent = 0; /* multiply-adds since the last step on the support */
    int sweeps = 0;   /* sweeps since the last step on the support */

    for (int k = 0; k < MOST; k++) {
        double largest = 0, changes = 0, size;

        for (size_t j = 0; j < order; j++) {
            const double *line = dense->matrix + j * order;
            const double u = lasso->u[j], gradient = lasso->gradient[j];

            if (j < lasso->penalised && u == 0 && fabs(gradient) <= 1)
                continue;
            largest = fmax(largest, violation_at(lasso, j, gradient));
            lasso->u[j] = minimum_at(lasso, j, gradient, line[j]);
            if (lasso->u[j] == u)
                continue;
            add_line(order, lasso->u[j] - u, line, lasso->gradient);
            changes++;
        }
        spent += changes * (double)order;
        lasso->work += COST_OF_LINE_ENTRY * (changes * (double)order);
        if (largest <= tolerance && lasso_violation(lasso, lasso->gradient) <= tolerance)
            return;
        if (++sweeps < FEWEST)
            continue;
        lasso->count = 0;
        for (size_t j = 0; j < order; j++)
            if (is_in_support(lasso, j, dense->matrix[j * (order + 1)]))
                add_member(lasso, j, lasso->gradient[j]);
        size = (double)lasso->count;
        if (spent < size * size * size / 6 + 2 * size * (double)order)
            continue;
        if (stop_is_asked(stop) || !take_newton_step(dense, stop))
            return;
        spent = sweeps = 0;
    }
}

/* ---- Columns ------------------------------------------------------------ */

/* Executes the statement with the kind of the columns' indices as the constant INDEX, if values are
 * floats. Otherwise INDEX is HINGE_INDEX_NONE, and a call for each column looks up the kinds. Many
 * columns are so short that the call takes longer than its sum. (phrases-67000x86000-synth, -s 5,
 * C = 64: 0.8 to 0.9 of the time.) */
#define WITH_COLUMNS(columns, statement)                                                           \
    do {                                                                                           \
        const int has_floats = (columns)->value_kind == HINGE_VALUE_FLOAT;                         \
                                                                                                   \
        if (has_floats && (columns)->index_kind == HINGE_INDEX_32)                                 \
            WITH_KIND(hinge_index_kind, INDEX, HINGE_INDEX_32, statement);                         \
        else if (has_floats && (columns)->index_kind == HINGE_INDEX_16)                            \
            WITH_KIND(hinge_index_kind, INDEX, HINGE_INDEX_16, statement);                         \
        else                                                                                       \
            WITH_KIND(hinge_index_kind, INDEX, HINGE_INDEX_NONE, statement);                       \
    } while (0)

static ALWAYS_INLINE struct sparse column_at(const struct column_lasso *by, size_t j)
{
    const size_t *start = by->columns.start + j;

    return sparse_part(&by->columns, *start, start[1] - *start);
}

static ALWAYS_INLINE double column_dot(const struct sparse *x, enum hinge_index_kind index_kind,
                                       const double *w)
{
    return index_kind == HINGE_INDEX_NONE ? sparse_dot(x, w)
                                          : dot_as(x, index_kind, HINGE_VALUE_FLOAT, w);
}

static ALWAYS_INLINE void column_add(const struct sparse *x, enum hinge_index_kind index_kind,
                                     double factor, double *w)
{
    if (index_kind == HINGE_INDEX_NONE)
        sparse_add(x, factor, w);
    else
        add_as(x, index_kind, HINGE_VALUE_FLOAT, 0, factor, w);
}

static ALWAYS_INLINE double gradient_at(const struct column_lasso *by, size_t j,
                                        const struct sparse *x, enum hinge_index_kind index_kind)
{
    return by->lasso.gradient[j] + column_dot(x, index_kind, by->residual) +
           by->ridge[j] * (by->lasso.u[j] - by->origin[j]);
}

static ALWAYS_INLINE double visit_as(struct column_lasso *by, size_t *count,
                                     enum hinge_index_kind index_kind)
{
    struct lasso *lasso = &by->lasso;
    size_t left = 0, nonzeros = 0;
    double largest = 0;

    for (size_t k = 0; k < *count; k++) {
        const uint32_t j = by->active[k];
        const struct sparse x = column_at(by, j);
        const double u = lasso->u[j], gradient = gradient_at(by, j, &x, index_kind);
        const double violation = violation_at(lasso, j, gradient);

        largest = violation > largest ? violation : largest;
        if (violation > 0)
            lasso->u[j] = minimum_at(lasso, j, gradient, by->diagonal[j]);
        if (lasso->u[j] != u)
            column_add(&x, index_kind, lasso->u[j] - u, by->residual);
        by->active[left] = j;
        left += lasso->u[j] != 0 || violation > 0;
        nonzeros += x.count * (lasso->u[j] != u ? 2 : 1);
    }
    lasso->work += COST_OF_NONZERO * (double)nonzeros;
    *count = left;
    return largest;
}

/* Visits the coordinates in the list, and returns the largest violation met. A coordinate stays in
 * the list if it is not 0 afterwards, or had a violation. */
static double visit(struct column_lasso *by, size_t *count)
{
    WITH_COLUMNS(&by->columns, return visit_as(by, count, INDEX));
}

static ALWAYS_INLINE void combine_as(struct column_lasso *by, const double *p,
                                     enum hinge_index_kind index_kind)
{
    for (size_t k = 0; k < by->lasso.count; k++) {
        const struct sparse x = column_at(by, by->lasso.member[k]);

        column_add(&x, index_kind, p[k], by->product);
    }
}

/* product := X p, with p by members */
static void combine(struct column_lasso *by, const double *p)
{
    memset(by->product, 0, by->rows * sizeof *by->product);
    WITH_COLUMNS(&by->columns, combine_as(by, p, INDEX));
}

/* Sets result, by members, to H p; X p is in by->product. Returns the non-zeros of the members. */
static ALWAYS_INLINE size_t multiply_as(const struct column_lasso *by, const double *p,
                                        double *result, enum hinge_index_kind index_kind)
{
    size_t nonzeros = 0;

    for (size_t k = 0; k < by->lasso.count; k++) {
        const uint32_t j = by->lasso.member[k];
        const struct sparse x = column_at(by, j);

        nonzeros += x.count;
        result[k] = column_dot(&x, index_kind, by->product) +
                    (by->ridge[j] + FLATTEST * by->diagonal[j]) * p[k];
    }
    return nonzeros;
}

static void multiply(void *context, const double *p, double *product)
{
    struct column_lasso *by = context;
    size_t nonzeros = 0;

    combine(by, p);
    WITH_COLUMNS(&by->columns, nonzeros = multiply_as(by, p, product, INDEX));
    by->lasso.work += COST_OF_NONZERO * (2 * (double)nonzeros);
}

/* Forms X times a change of the members. A step that is not clipped may be long in directions in
 * which H is singular, so its curvature is taken from the system, which adds some there. */
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

/* Takes a step on the support, found by at most `most` steps of conjugate gradients. First makes a
 * new factor if the rounds have cost as much as a factor. True if the step ended before its full
 * length, as it does where a coordinate becomes 0. */
static int step_on_support(struct column_lasso *by, unsigned most)
{
    static const double ROUGH = 0.1, FINE = 0.03; /* tolerances without and with a factor */
    struct support_factor *factor = &by->factor;
    struct lasso *lasso = &by->lasso;
    double nonzeros = 0, price, multiple;
    int is_short;

    lasso->count = 0;
    for (size_t j = 0; j < lasso->order; j++)
        if (is_in_support(lasso, j, by->diagonal[j])) {
            const struct sparse x = column_at(by, j);

            add_member(lasso, j, gradient_at(by, j, &x, HINGE_INDEX_NONE));
            nonzeros += (double)x.count;
        }
    price = cost_of_primal_factor(1, (double)lasso->count, (double)by->rows, nonzeros);
    if (by->has_factor && lasso->count <= factor->capacity && lasso->work - factor->work >= price) {
        support_factor_form(by);
        lasso->work += price;
        factor->work = lasso->work;
    }
    cg_solve(&by->cg, lasso->count, lasso->slope, lasso->step, factor->order > 0 ? FINE : ROUGH,
             most);
    for (size_t k = 0; k < lasso->count; k++)
        lasso->step[k] = -lasso->step[k];
    is_short = take_step(lasso, form_by_columns, by, &multiple);
    if (multiple > 0)
        add_multiple(by->rows, multiple, by->product, by->residual);
    return is_short;
}

/* A round is some sweeps and a step on the support. If rounds win little, several longer steps in a
 * row follow, so that a coordinate that becomes 0 stays 0 for all of them. After a single step,
 * sweeps would bring it back. */
void column_lasso_solve(struct column_lasso *by, double tolerance, unsigned rounds,
                        const struct stop *stop)
{
    enum { SWEEPS = 8, FEW = 4, PATIENCE = 6, STEPS = 10, REPEATS = 3 };
    const unsigned effort = rounds > LASSO_ROUNDS ? rounds / LASSO_ROUNDS : 1;
    const unsigned most_sweeps = rounds > 1 ? SWEEPS : FEW;
    struct lasso *lasso = &by->lasso;
    double least = HUGE_VAL;
    int stuck = 0;

    by->cg.context = by;
    by->cg.multiply = multiply;
    by->cg.precondition = support_factor_solve;
    by->cg.stop = *stop;
    memset(by->residual, 0, by->rows * sizeof *by->residual);
    for (size_t j = 0; j < lasso->order; j++) {
        const struct sparse x = column_at(by, j);

        by->diagonal[j] = sparse_square(&x) + by->ridge[j];
        if (lasso->u[j] != by->origin[j])
            sparse_add(&x, lasso->u[j] - by->origin[j], by->residual);
    }
    for (unsigned k = 0; k < rounds; k++) {
        size_t count = lasso->order;
        double most;
        unsigned sweeps = 0, steps, length;

        for (size_t j = 0; j < count; j++)
            by->active[j] = (uint32_t)j;
        most = visit(by, &count);
        if (most <= tolerance || stop_is_asked(stop))
            return;
        while (visit(by, &count) > fmax(0.3 * tolerance, 0.03 * most) && ++sweeps < most_sweeps)
            if (stop_is_asked(stop))
                return;
        stuck = most < 0.9 * least ? 0 : stuck + 1;
        least = fmin(least, most);
        steps = sweeps < SWEEPS ? 0 : stuck > PATIENCE ? effort * REPEATS : 1;
        length = (stuck > PATIENCE ? 3 * STEPS : STEPS) * effort;
        while (steps-- > 0 && step_on_support(by, length) && !stop_is_asked(stop))
            continue;
    }
}
