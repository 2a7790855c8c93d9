/* certificate.c - what rounding may have taken from P and D is added to them.
 *
 * Notation: u = 2^-53; k_i the entries of row i and a few operations more; e_i bounds the error of
 * z_i. A sum of k products with rounding errors is off by at most r(k) times the sum of their
 * absolute values, r(k) = k u/(1 - k u) (Higham, Accuracy and Stability, 3.1), computed with twice
 * the precision by r(k) = (k u)^2 of that kind (Ogita, Rump, Oishi, SIAM J. Sci. Comput. 2005,
 * Dot2). So
 *
 *     e_i <= r(k_i) sum_j |w_j x_ij| <= r(k_i) |w| |x_i|,
 *     P grows by at most what moving each z_i by e_i does (loss_rise),
 *     |v computed - v| <= E = r(K) sum_i alpha_i |x_i|,   K additions to a coordinate at most,
 *     R* grows by at most |v| E + E^2/2, its gradient being at most |v|, and 1-Lipschitz.
 *
 * The other sums have terms of one sign or are compensated: a few u of their size. Almost always
 * the largest |x_i| and k_i are enough, which many trainings share: bounds by them are below 1e-9
 * of P on all but the strangest data.
 */
#include "problem/certificate.h"

#include <float.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/sum.h"
#include "problem/regulariser.h"

static const double U = DBL_EPSILON / 2;

/* Roundings beside those of a row's products: of unit, sign, bias and the reading of decimals. */
enum { OTHERS = 10 };

/* r(k), with a margin for the rounding of the bounds themselves. */
static ALWAYS_INLINE double relative_error(double k, int twice)
{
    const double once = 1.01 * k * U;

    return twice ? 4 * once * once : once;
}

/* ---- How large what is added up is -------------------------------------- */

/* How sharp the bounds are: by the longest row, by each row, by each row in twice the precision. */
enum sharpness { BY_LONGEST, BY_ROW, TWICE };

struct sizes {
    const struct problem *problem;
    const double *alpha;
    const struct longest *longest;
    enum sharpness sharpness;
    double total;  /* sum alpha_i */
    double reach;  /* sum alpha_i |x_i| */
    double first;  /* sum C_i e_i / |w| */
    double second; /* sum C_i e_i^2 / |w|^2 */
};

/* At least |x| of a row with so many features, from its square. DBL_MIN is for what products lose
 * where they are that small. */
static ALWAYS_INLINE double norm_of_row(double square, double features)
{
    return sqrt(square + (features + OTHERS) * DBL_MIN);
}

static void find_longest(const struct problem *problem, struct longest *longest)
{
    const struct hinge_matrix *x = &problem->data->x;
    const double bias = problem_constant(problem);

    for (size_t i = 0; i < longest->rows; i++) {
        const size_t *start = x->start + (longest->row ? longest->row[i] : i);
        const struct sparse row = sparse_part(x, *start, start[1] - *start);

        longest->square = fmax(longest->square, sparse_square(&row) + bias * bias);
        longest->features = fmax(longest->features, (double)row.count);
    }
    longest->known = 1;
}

static void add_sizes(void *context, uint32_t first, uint32_t end, double *scalars, double *vector)
{
    const struct sizes *sizes = context;
    const struct problem *problem = sizes->problem;
    const double constant = problem->bias_kind == BIAS_FREE ? fabs(problem->bias) : 0;
    double features = sizes->longest->features;
    double norm = norm_of_row(sizes->longest->square, features) + constant;
    double error = relative_error(features + OTHERS, 0) * norm, cost = 0, alpha = 0;

    (void)vector;
    for (uint32_t i = first; i < end; i++) {
        cost += problem->cost[i];
        alpha += sizes->alpha[i];
    }
    scalars[0] += alpha;
    if (sizes->sharpness == BY_LONGEST) {
        scalars[1] += norm * (alpha + (end - first) * sqrt(DBL_MIN));
        scalars[2] += error * cost;
        scalars[3] += error * error * cost;
        return;
    }
    for (uint32_t i = first; i < end; i++) {
        features = (double)problem_length(problem, i);
        norm = norm_of_row(problem_square(problem, i), features) + constant;
        error = relative_error(features + OTHERS, sizes->sharpness == TWICE) * norm;
        scalars[1] += norm * (sizes->alpha[i] + sqrt(DBL_MIN));
        scalars[2] += error * problem->cost[i];
        scalars[3] += error * error * problem->cost[i];
    }
}

static void find_sizes(const struct shards *shards, struct sizes *sizes)
{
    double scalars[MOST_SCALARS];

    sums_run(shards, all_rows(sizes->problem), add_sizes, sizes, scalars, NULL);
    sizes->total = scalars[0];
    sizes->reach = scalars[1];
    sizes->first = scalars[2];
    sizes->second = scalars[3];
}

/* At least |vector|. */
static double norm_above(const double *vector, size_t width)
{
    return 1.01 * sqrt(dense_dot(vector, vector, width) + DBL_MIN);
}

/* At least |sum alpha_i y_i| where that has to be 0. */
static double imbalance(const struct problem *problem, const double *alpha, double total)
{
    struct sum sum = {0, 0};

    if (problem->bias_kind != BIAS_FREE)
        return 0;
    for (uint32_t i = 0; i < problem->rows; i++)
        sum_add(&sum, problem->sign[i] * alpha[i]);
    return fabs(sum_value(&sum)) * (1 + 4 * U) + 4 * U * U * problem->rows * total;
}

/* ---- The bounds --------------------------------------------------------- */

/* The bounds of what was computed. */
static struct objective widen(const struct shards *shards, struct sizes *sizes, const double *w,
                              const double *v, struct objective computed)
{
    const struct problem *problem = sizes->problem;
    const size_t width = problem_width(problem);
    const double W = norm_above(w, width), V = v == w ? W : norm_above(v, width);
    const double few = (shards->count + 20) * U, least = (double)(problem->rows + width) * DBL_MIN;
    const int twice = sizes->sharpness == TWICE;
    const double additions = /* to a coordinate of v, at most */
        twice ? problem->rows : problem->rows / shards->count + 1 + shards->count;
    double delta, E;

    find_sizes(shards, sizes);
    delta = imbalance(problem, sizes->alpha, sizes->total);
    E = relative_error(additions + OTHERS, twice);
    if (delta > 0)
        E += 2.01 * delta / sizes->total;
    E *= sizes->reach;
    computed.dual += 1.01 * (V * E + E * E / 2 + delta + least +
                             few * (V * V + fabs(computed.dual) + 2 * sizes->total));
    computed.primal += 1.01 * (loss_rise(problem->loss, computed.primal, W * sizes->first,
                                         W * W * sizes->second + least) +
                               few * computed.primal + least);
    computed.gap = (computed.primal + computed.dual) / fmax(computed.primal, DBL_MIN) * (1 + 4 * U);
    return computed;
}

/* ---- The values with twice the precision -------------------------------- */

/* high + low += a b. The errors of product and sum are known exactly (Dekker, Knuth). */
static ALWAYS_INLINE void add_product(double *high, double *low, double a, double b)
{
    const double product = a * b, sum = *high + product, part = sum - *high;

    *low += ((*high - (sum - part)) + (product - part)) + fma(a, b, -product);
    *high = sum;
}

/* The double next to the feature's decimal number, which whole numbers are stored without. */
static double exact_value(const struct problem *problem, const struct sparse *x, size_t k)
{
    return x->value_kind == HINGE_VALUE_WHOLE
               ? bare_value(x, HINGE_VALUE_WHOLE, k) / problem->data->x.scale
               : value_at(x, k);
}

struct point {
    const struct problem *problem;
    const double *w;
    const double *alpha;
};

static void add_losses(void *context, uint32_t first, uint32_t end, double *scalars, double *vector)
{
    const struct point *point = context;
    const struct problem *problem = point->problem;
    struct sum total = {0, 0};

    (void)vector;
    for (uint32_t i = first; i < end; i++) {
        const struct sparse x = problem_row(problem, i);
        const double sign = problem->sign[i];
        double z = 0, rest = 0, loss;

        for (size_t k = 0; k < x.count; k++)
            add_product(&z, &rest, exact_value(problem, &x, k), point->w[index_at(&x, k)]);
        if (problem->bias_kind != BIAS_NONE)
            add_product(&z, &rest, problem->bias, point->w[problem->data->features]);
        WITH_LOSS(problem->loss,
                  loss = loss_value_near(LOSS, problem->cost[i], sign * z, sign * rest));
        sum_add(&total, loss);
    }
    scalars[0] += sum_value(&total);
}

/* vector[2 width]: high and low of each coordinate of v. */
static void add_rows(void *context, uint32_t first, uint32_t end, double *scalars, double *vector)
{
    const struct point *point = context;
    const struct problem *problem = point->problem;
    double *constant = vector + 2 * (size_t)problem->data->features;

    (void)scalars;
    for (uint32_t i = first; i < end; i++) {
        const struct sparse x = problem_row(problem, i);
        const double change = problem->sign[i] * point->alpha[i];

        for (size_t k = 0; k < x.count && change != 0; k++) {
            double *v = vector + 2 * (size_t)index_at(&x, k);

            add_product(&v[0], &v[1], exact_value(problem, &x, k), change);
        }
        if (problem->bias_kind != BIAS_NONE)
            add_product(&constant[0], &constant[1], problem->bias, change);
    }
}

/* P and D; v[2 width] is 0 before, and v in its first half afterwards. */
static struct objective measure_twice(const struct shards *shards, const struct problem *problem,
                                      const double *w, const double *alpha, double *v)
{
    const size_t width = problem_width(problem);
    const struct shards one = {problem->rows, 1, 2 * width, NULL};
    struct point point = {problem, w, alpha};
    struct sum value = {0, 0};
    double losses[MOST_SCALARS];

    sums_run(shards, all_rows(problem), add_losses, &point, losses, NULL);
    sums_run(&one, all_rows(problem), add_rows, &point, NULL, v);
    for (size_t j = 0; j < width; j++)
        v[j] = v[2 * j] + v[2 * j + 1];
    for (size_t j = 0; j < problem_penalised(problem); j++)
        sum_add(&value, regulariser_value(problem->l1, w[j]));
    return (struct objective){.primal = sum_value(&value) + losses[0],
                              .dual = objective_dual(shards, problem, alpha, v)};
}

static int is_zero(const double *vector, size_t count)
{
    while (count > 0 && vector[count - 1] == 0)
        count--;
    return count == 0;
}

struct objective certificate_take(const struct shards *shards, const struct problem *problem,
                                  const double *w, const double *alpha, const double *v,
                                  const struct objective *measured, double target,
                                  struct longest *longest)
{
    const size_t width = problem_width(problem);
    struct sizes sizes = {.problem = problem, .alpha = alpha, .longest = longest};
    struct objective bound = *measured, twice;
    struct hinge_error ignored;
    double *precise;

    if (is_zero(w, problem_penalised(problem)) && is_zero(alpha, problem->rows) &&
        measured->primal == 0)
        return bound; /* nothing was rounded: a margin is 0, or that of a free bias alone */
    if (!longest->known)
        find_longest(problem, longest);
    for (; sizes.sharpness < TWICE; sizes.sharpness++) {
        bound = widen(shards, &sizes, w, v, *measured);
        if (bound.gap <= target)
            return bound;
    }
    if (!(precise = array_new(width, 2 * sizeof *precise, &ignored)))
        return bound;
    twice = measure_twice(shards, problem, w, alpha, precise);
    twice.nonzeros = measured->nonzeros;
    twice = widen(shards, &sizes, w, precise, twice);
    free(precise);
    return bound.gap <= twice.gap ? bound : twice;
}
