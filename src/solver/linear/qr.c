/* qr.c - [S; sqrt(W) X S] = Q R by Householder's reflections, d = S R^-1 Q' right side.
 *
 * The normal equations (I + X'WX) d = r lose the I if a feature has values of 1e8 or more, because
 * the squares of its values have more digits than a double. The least squares problem contains only
 * the values. S scales its columns to length 1, which changes nothing in exact arithmetic and makes
 * rounding errors independent of the units of the features. (A table of 252 rows and 751 features
 * of scales 1e-37 to 1e10: a Cholesky factor of the scaled normal equations is not definite.)
 *
 * The rows of S above the diagonal are 0, so a reflection for column j changes only row j and the
 * rows of X. Blocks of rows enter R one after the other, so memory is needed only for R and a
 * block. A solution is refined by R'R correction = S X'W residual (the corrected seminormal
 * equations; A. Bjorck, "Stability analysis of the method of seminormal equations", Linear Algebra
 * Appl., 1987).
 *
 * The caller's units U put U^-2 in the place of I, and U^-1 S in the place of S above X.
 *
 * A column whose length without U^-1 is below NEGLIGIBLE/U_j changes no other d_k, and its d_j
 * follows from the residuals of the rows.
 */
#include "solver/linear/qr.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double NEGLIGIBLE = 1e-9;

enum {
    ROWS = 256,     /* rows of a block */
    QUESTION = 16,  /* columns between two questions whether to stop: a few milliseconds */
    CORRECTIONS = 3 /* refinements of a solution; the first adds a free bias's linear term */
};

/* True if rounding errors of the normal equations may exceed their I. */
int is_badly_scaled(const struct problem *problem)
{
    double trace = 0;

    if (problem->team || problem_is_paged(problem) ||
        (problem->trace_bound > 0 && problem->trace_bound * DBL_EPSILON <= 1))
        return 0;
    for (uint32_t i = 0; i < problem->rows; i++)
        trace += problem_cost(problem, i) * problem_square(problem, i);
    return trace * DBL_EPSILON > 1 && trace <= DBL_MAX;
}

int qr_is_needed(const struct problem *problem)
{
    const size_t width = problem_width(problem);

    return problem->classes == 0 && !problem_has_both_norms(problem) && width > 0 &&
           width <= MOST_ORDER && is_badly_scaled(problem);
}

void qr_lay_out(struct qr *to, struct arena *arena, const struct problem *problem)
{
    const size_t width = problem_width(problem);

    to->width = width;
    to->unit = arena_take(arena, width, sizeof *to->unit);
    to->feature = arena_take(arena, width, sizeof *to->feature);
    to->place = arena_take(arena, width, sizeof *to->place);
    to->length = arena_take(arena, width, sizeof *to->length);
    to->right = arena_take(arena, width, sizeof *to->right);
    to->block = arena_take(arena, width * ROWS, sizeof *to->block);
    to->target = arena_take(arena, ROWS, sizeof *to->target);
    to->rest = arena_take(arena, problem->rows, sizeof *to->rest);
    to->upper = arena_take(arena, width * width, sizeof *to->upper);
}

/* ---- The factor ---------------------------------------------------------- */

/* Subtracts a multiple of v from a line. The compiler makes vectors of four numbers at a time. */
static ALWAYS_INLINE void subtract(size_t count, double multiple, const double *v,
                                   double *restrict line)
{
    size_t s = 0;

    for (; s + 4 <= count; s += 4)
        for (size_t k = s; k < s + 4; k++)
            line[k] -= multiple * v[k];
    for (; s < count; s++)
        line[s] -= multiple * v[s];
}

/* Reflects [top; line] by the reflection of the vector [1; v] and its factor. Returns the top. */
STATIC_VERSIONED(double, return, reflect,
                 (size_t count, double factor, const double *v, double top, double *line),
                 (count, factor, v, top, line))
{
    const double part = factor * (top + dense_dot(v, line, count));

    subtract(count, part, v, line);
    return top - part;
}

/* Absorbs the block of count rows into R and the right side. False if stopped. */
static int absorb(struct qr *qr, const struct stop *stop, size_t order, size_t count)
{
    for (size_t j = 0; j < order; j++) {
        double *const v = qr->block + j * ROWS, *const line = qr->upper + j * order;
        const double below = dense_dot(v, v, count), before = line[j];
        double after, factor;

        if (j % QUESTION == 0 && stop_is_asked(stop))
            return 0;
        if (below == 0)
            continue;
        after = -copysign(sqrt(before * before + below), before);
        factor = (after - before) / after;
        for (size_t s = 0; s < count; s++)
            v[s] /= before - after;
        line[j] = after;
        for (size_t k = j + 1; k < order; k++)
            line[k] = reflect(count, factor, v, line[k], qr->block + k * ROWS);
        qr->right[j] = reflect(count, factor, v, qr->right[j], qr->target);
    }
    return 1;
}

/* Returns the factor of d_j^2. */
static double ridge(const struct least_squares *of, size_t j)
{
    if (j >= problem_penalised(of->problem))
        return 0;
    return of->unit ? 1 / (of->unit[j] * of->unit[j]) : 1;
}

/* Factors the matrix, a block of rows at a time. False if it was stopped. */
static int factor(struct qr *qr, const struct least_squares *of, size_t order)
{
    const struct problem *problem = of->problem;
    const size_t features = problem->data->features;
    const int has_bias = problem->bias_kind != BIAS_NONE && qr->unit[features] > 0;

    memset(qr->upper, 0, order * order * sizeof *qr->upper);
    for (size_t p = 0; p < order; p++) {
        const size_t j = qr->feature[p];
        const double root = sqrt(ridge(of, j));

        qr->upper[p * order + p] = root * qr->unit[j];
        qr->right[p] = root > 0 ? of->centre[j] / root : 0;
    }
    for (uint32_t first = 0, end; first < of->rows.count; first = end) {
        end = of->rows.count - first < ROWS ? of->rows.count : first + ROWS;
        memset(qr->block, 0, order * ROWS * sizeof *qr->block);
        for (uint32_t s = first; s < end; s++) {
            const uint32_t i = selected(&of->rows, s);
            const struct sparse x = problem_row(problem, i);
            const double root = sqrt(of->scale * of->weight[s]), multiple = problem->sign[i] * root;
            double *line = qr->block + (s - first);

            for (size_t k = 0; k < x.count; k++) {
                const size_t j = index_at(&x, k);

                if (qr->unit[j] > 0)
                    line[qr->place[j] * ROWS] = multiple * qr->unit[j] * value_at(&x, k);
            }
            if (has_bias)
                line[qr->place[features] * ROWS] = multiple * qr->unit[features] * problem->bias;
            qr->target[s - first] = root * of->target[s];
        }
        if (!absorb(qr, of->stop, order, end - first))
            return 0;
    }
    return 1;
}

/* ---- Solving ------------------------------------------------------------- */

/* Sets length[width] to scale sum weight_s (target_s - y_s <x_s, d>) y_s x_s. */
static void find_rest(struct qr *qr, const struct least_squares *of, const double *d)
{
    sums_margins(of->shards, of->problem, of->rows, d, qr->rest);
    for (uint32_t s = 0; s < of->rows.count; s++)
        qr->rest[s] = of->scale * of->weight[s] * (of->target[s] - qr->rest[s]);
    memset(qr->length, 0, qr->width * sizeof *qr->length);
    sums_combine(of->shards, of->problem, of->rows, qr->rest, 1, qr->length);
}

int qr_solve(struct qr *qr, const struct least_squares *of, double *d)
{
    const size_t width = qr->width;
    double *const right = qr->right;
    size_t order = 0; /* features that are not negligible */

    memset(qr->length, 0, width * sizeof *qr->length);
    sums_squares(of->shards, of->problem, of->rows, of->weight, qr->length);
    for (size_t j = 0; j < width; j++) {
        const double square = of->scale * qr->length[j];

        qr->unit[j] = 0;
        if (!(square > NEGLIGIBLE * NEGLIGIBLE * ridge(of, j)))
            continue;
        qr->unit[j] = 1 / sqrt(ridge(of, j) + square);
        qr->place[j] = order;
        qr->feature[order++] = j;
    }
    if (!factor(qr, of, order))
        return 0;
    memset(d, 0, width * sizeof *d);
    for (int k = 0; k <= CORRECTIONS; k++) {
        if (k > 0) { /* right := R'^-1 S (X'W rest + centre - U^-2 d) */
            find_rest(qr, of, d);
            for (size_t p = 0; p < order; p++) {
                const size_t j = qr->feature[p];

                right[p] = qr->unit[j] * (qr->length[j] + of->centre[j] - ridge(of, j) * d[j]);
            }
            for (size_t p = 0; p < order; p++) {
                const double *line = qr->upper + p * order;

                right[p] = line[p] != 0 ? right[p] / line[p] : 0;
                add_multiple(order - p - 1, -right[p], line + p + 1, right + p + 1);
            }
        }
        for (size_t p = order; p-- > 0;) { /* right := R^-1 right */
            const double *line = qr->upper + p * order;
            const double rest = right[p] - dense_dot(line + p + 1, right + p + 1, order - p - 1);

            right[p] = line[p] != 0 ? rest / line[p] : 0;
        }
        for (size_t p = 0; p < order; p++)
            d[qr->feature[p]] += qr->unit[qr->feature[p]] * right[p];
    }
    find_rest(qr, of, d);
    for (size_t j = 0; j < problem_penalised(of->problem); j++)
        if (qr->unit[j] == 0)
            d[j] = (of->centre[j] + qr->length[j]) / ridge(of, j);
    return 1;
}
