/* certificate.c - adds bounds of the rounding errors to P and D.
 *
 * Notation: u = 2^-53; k_i is the number of entries of row i and a few operations more; e_i bounds
 * the error of z_i. A sum of k products is off by at most r(k) = k u/(1 - k u) times the sum of
 * their absolute values (Higham, Accuracy and Stability, 3.1). So
 *
 *     e_i <= r(k_i) sum_j |w_j x_ij| <= r(k_i) |w| |x_i|,
 *     P grows by at most what moving each z_i by e_i does (loss_rise),
 *     |v computed - v| <= E = r(K) sum_i alpha_i |x_i|,   at most K additions to a coordinate,
 *     R* grows by at most |v| E + E^2/2: its gradient is at most |v| and 1-Lipschitz.
 *
 * |w|_1 alone. Each |v_j| grows by at most E, and alpha is scaled into the domain of R*.
 *
 * Regression. A target is a difference that was rounded, which adds u |t_i| to e_i.
 *
 * Classes. e_i is the largest error of the row's margins, and the loss changes by at most twice
 * that. alpha_i stands for sum_m |alpha_im|. If sum_m alpha_im = d_i is not 0, alpha_i is replaced
 * by the point whose shares p_m are divided by their sum: alpha_i moves by at most 4 |d_i|, and its
 * conjugate by 2 (1 + ln k) |d_i|, for the hinge |d_i|. If the biases are free and sum_i alpha_im
 * is not 0, alpha is replaced by the exact result of bias_balance_classes. With r = max_m |sum_i
 * alpha_im| / N_m and the costs N_m of class m, alpha_i moves by at most 2 r C_i. The conjugates
 * are convex and nowhere above 0, so at most the fraction r of them is lost.
 *
 * All other sums have terms of one sign or are compensated, and are off by a few u of their size.
 * Three bounds are tried in turn. The first uses the largest |x_i| and k_i, which many trainings
 * share; it is below 1e-9 of P on almost all data. The second uses each row's own |x_i| and k_i.
 * The third computes z and v with twice the precision and a running bound of the remaining error.
 */
#include "problem/certificate.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/compiler.h"
#include "base/memory.h"
#include "base/sum.h"
#include "problem/class_loss.h"
#include "problem/regulariser.h"

/* ---- Sums with twice the precision -------------------------------------- */

static const double U = DBL_EPSILON / 2; /* u, the unit roundoff of double */

/* A sum of products: high + low up to an error of at most u error. */
struct precise {
    double high;
    double low;
    double error;
};

/* Adds a b. The errors of product and sum are known exactly (Dekker, Knuth) and add up in low. */
static ALWAYS_INLINE void precise_add(struct precise *to, double a, double b)
{
    const double product = a * b, sum = to->high + product, part = sum - to->high;
    const double lost = ((to->high - (sum - part)) + (product - part)) + fma(a, b, -product);

    to->high = sum;
    to->low += lost;
    to->error += fabs(lost) + fabs(to->low) + DBL_MIN;
}

/* Returns the double next to a sum and sets *rest to the difference. */
static inline double precise_nearest(const struct precise *sum, double *rest)
{
    const double high = sum->high + sum->low, part = high - sum->high;

    *rest = (sum->high - (high - part)) + (sum->low - part);
    return high;
}

/* ---- The error of one product --------------------------------------- */

/* Roundings of a margin besides those of its products: unit, sign, bias, reading of decimals. */
enum { OTHERS = 10 };

/* The most that a product loses if it is too small for all its digits. */
static const double SMALLEST = DBL_MIN * DBL_EPSILON;

/* Returns r(k), enlarged for the rounding of the bounds themselves. */
static ALWAYS_INLINE double relative_error(double k)
{
    return 1.01 * k * U;
}

/* ---- The sizes of terms -------------------------------------- */

struct sizes {
    const struct problem *problem;
    const double *alpha;
    const struct max_row_norm *max_row_norm;
    int by_row; /* 1: use each row's own norm, not the largest one */
    double sum[MOST_SCALARS];
    double excess; /* |w|_1 alone: largest |v_j| / l1; else 0 */
};

/* The sums over rows. */
enum {
    TOTAL,         /* sum alpha_i */
    LINEAR,        /* sum |t_i| alpha_i */
    NORMS,         /* sum alpha_i |x_i| */
    FIRST,         /* sum C_i e_i / |w| */
    SECOND,        /* sum C_i e_i^2 / |w|^2 */
    TARGET_FIRST,  /* sum C_i u |t_i|, for targets that were rounded */
    TARGET_SECOND, /* sum C_i (u |t_i|)^2 */
    UNEVEN,        /* sum |d_i| */
    UNEVEN_NORMS   /* sum |d_i| |x_i| */
};

/* Returns an upper bound of |x| for a row with this number of features, given the computed |x|^2.
 * DBL_MIN stands for what tiny products lose. */
static ALWAYS_INLINE double norm_of_row(double square, double features)
{
    return sqrt(square + (features + OTHERS) * DBL_MIN);
}

/* Returns alpha_i. With classes, returns sum_m |alpha_im|, and adds a bound of |d_i| to *uneven. If
 * by_row, the bound comes from a compensated sum. */
static ALWAYS_INLINE double size_of_dual(const struct sizes *sizes, uint32_t i, double *uneven)
{
    const size_t classes = sizes->problem->classes;
    const double *alpha = sizes->alpha + i * classes;
    struct sum exact = {0, 0};
    double sum = 0, size = 0;

    if (classes == 0)
        return sizes->alpha[i];
    for (size_t m = 0; m < classes; m++) {
        sum += alpha[m];
        size += fabs(alpha[m]);
    }
    for (size_t m = 0; m < classes && sizes->by_row; m++)
        sum_add(&exact, alpha[m]);
    *uneven += sizes->by_row ? fabs(sum_value(&exact)) * (1 + 4 * U) +
                                   4 * U * U * (double)(classes * classes) * size
                             : fabs(sum) + relative_error((double)classes) * size;
    return size;
}

static void add_sizes(void *context, const struct shard *shard)
{
    const struct sizes *sizes = context;
    const struct problem *problem = sizes->problem;
    const double constant = problem->bias_kind == BIAS_FREE ? fabs(problem->bias) : 0;
    double features = sizes->max_row_norm->features;
    double norm = norm_of_row(sizes->max_row_norm->square, features) + constant;
    const double moves = problem->classes > 0 ? 2 : 1;
    double error = moves * relative_error(features + OTHERS) * norm, cost = 0, alpha = 0;

    for (uint32_t i = shard->first; i < shard->end; i++) {
        cost += problem_cost(problem, i);
        alpha += size_of_dual(sizes, i, &shard->scalars[UNEVEN]);
    }
    shard->scalars[TOTAL] += alpha;
    for (uint32_t i = shard->first; i < shard->end && loss_has_targets(problem->loss); i++) {
        const double target = fabs(problem->target[i]);

        shard->scalars[LINEAR] += target * sizes->alpha[i];
        shard->scalars[TARGET_FIRST] += U * target * problem_cost(problem, i);
        shard->scalars[TARGET_SECOND] += U * target * (U * target) * problem_cost(problem, i);
    }
    if (!sizes->by_row) {
        shard->scalars[NORMS] += norm * (alpha + (shard->end - shard->first) * sqrt(DBL_MIN));
        shard->scalars[FIRST] += error * cost;
        shard->scalars[SECOND] += error * error * cost;
        return;
    }
    for (uint32_t i = shard->first; i < shard->end; i++) {
        double uneven = 0;

        features = (double)problem_length(problem, i);
        norm = norm_of_row(problem_square(problem, i), features) + constant;
        error = moves * relative_error(features + OTHERS) * norm;
        shard->scalars[NORMS] += norm * (size_of_dual(sizes, i, &uneven) + sqrt(DBL_MIN));
        shard->scalars[UNEVEN_NORMS] += norm * uneven;
        shard->scalars[FIRST] += error * problem_cost(problem, i);
        shard->scalars[SECOND] += error * error * problem_cost(problem, i);
    }
}

/* Returns an upper bound of |vector|. */
static double norm_above(const double *vector, size_t width)
{
    return 1.01 * sqrt(dense_dot(vector, vector, width) + DBL_MIN);
}

/* Returns an upper bound of r for free biases with classes, and sets *costs to the sum of costs.
 * Uneven rows change the sums of classes, too. room[3 classes] is working storage. */
static double class_imbalance(const struct sizes *sizes, double *room, double *costs)
{
    const struct problem *problem = sizes->problem;
    const size_t k = problem->classes;
    const double others = 4 * sizes->sum[UNEVEN] + 4 * U * U * problem->rows * sizes->sum[TOTAL];
    struct sum *const sum = (struct sum *)(void *)room;
    double *const cost = room + 2 * k, most = 0;

    memset(room, 0, 3 * k * sizeof *room);
    for (uint32_t i = 0; i < problem->rows; i++) {
        cost[problem->class_of[i]] += problem_cost(problem, i);
        for (size_t m = 0; m < k; m++)
            sum_add(&sum[m], sizes->alpha[i * k + m]);
    }
    *costs = 0;
    for (size_t m = 0; m < k; m++) {
        const double left = fabs(sum_value(&sum[m])) * (1 + 4 * U);

        *costs += cost[m];
        if (cost[m] > 0)
            most = fmax(most, (left + others) / cost[m]);
        else if (left > 0) /* there is no feasible point to replace alpha by */
            most = HUGE_VAL;
    }
    return 1.01 * most;
}

/* ---- The bounds --------------------------------------------------------- */

static struct objective with_gap(const struct problem *problem, double primal, double dual,
                                 size_t nonzeros)
{
    return (struct objective){primal, dual, problem_gap(problem, primal, dual) * (1 + 4 * U),
                              nonzeros};
}

/* Returns the bounds for computed P and D. E bounds the error of v, rise the growth of P by the
 * errors of margins, V bounds |v|. linear is the linear term of P, its only part that may be
 * negative. The computed D is D of alpha before alpha is scaled into the domain of R*. */
static struct objective widen(const struct shards *shards, const struct sizes *sizes, double linear,
                              double V, double E, double rise, struct objective computed)
{
    const struct problem *problem = sizes->problem;
    const size_t classes = problem->classes;
    const double few = ((double)classes + shards->count + 20) * U;
    const double least =
        8 * ((double)problem_duals(problem) + (double)problem_width(problem)) * SMALLEST;
    /* sum |C_i phi*(alpha_i/C_i) - t_i alpha_i|, the conjugates all having one sign */
    const double conjugates = V * V / 2 + fabs(computed.dual) + 2 * sizes->sum[LINEAR];
    const double longest = norm_of_row(sizes->max_row_norm->square, sizes->max_row_norm->features);
    double share = 0, costs;

    if (problem->bias_kind == BIAS_FREE && classes > 0) {
        share = class_imbalance(sizes, shards->room, &costs);
        E += 2 * share * costs * longest;
    } else if (problem->bias_kind == BIAS_FREE) {
        struct sum sum = {-problem->total, 0};
        double delta; /* bounds |sum alpha_i y_i - total|, which should be 0 */

        for (uint32_t i = 0; i < problem->rows; i++)
            sum_add(&sum, problem->sign[i] * sizes->alpha[i]);
        delta = fabs(sum_value(&sum)) * (1 + 4 * U) + 4 * U * U * problem->rows * sizes->sum[TOTAL];
        if (problem->total != 0) /* delta moves to rows that are not at a bound */
            E += 1.01 * delta * longest;
        else if (delta > 0) /* delta is taken from the larger class. The conjugate is convex and 0
                             * at 0, so a negative term loses no larger a fraction */
            share = 2.01 * delta / sizes->sum[TOTAL];
        E += share * sizes->sum[NORMS];
    }
    if (classes > 0) {
        E += 4 * (sizes->by_row ? sizes->sum[UNEVEN_NORMS] : sizes->sum[UNEVEN] * longest);
        computed.dual += 2 * (1 + log_of((double)classes)) * sizes->sum[UNEVEN];
    }
    computed.primal += 1.01 * (rise + few * (fabs(computed.primal) + 2 * fabs(linear)) + least);
    computed.dual += 1.01 * ((problem->only_l1 ? 0 : V * E + E * E / 2) + share * conjugates +
                             least + few * (V * V + conjugates));
    if (problem->only_l1 && computed.dual < 0)
        computed.dual /= fmax(1, 1.01 * E / problem->l1 + sizes->excess * (1 + 8 * U));
    return with_gap(problem, computed.primal, computed.dual, computed.nonzeros);
}

/* Returns the bounds for the measured P and D. */
static struct objective bound_measured(const struct shards *shards, struct sizes *sizes,
                                       const double *w, const double *v,
                                       const struct objective *measured)
{
    const struct problem *problem = sizes->problem;
    const size_t width = problem_width(problem);
    const double W = norm_above(w, width);
    const double V = problem->only_l1 ? 0 : v == w ? W : norm_above(v, width);
    const double views = problem_views(problem);
    const double in_shard = views * ((double)shards->rows / shards->count + 1);
    const double additions = fmin(problem->rows, in_shard) + shards->count + OTHERS;
    struct objective computed = *measured;

    sums_run(shards, all_rows(problem), add_sizes, sizes, sizes->sum, NULL);
    if (problem->classes > 0) /* for p_m near 1 the conjugate has errors of u C p_m */
        sizes->sum[LINEAR] = sizes->sum[TOTAL];
    else if (!loss_has_targets(problem->loss))
        sizes->sum[LINEAR] = loss_target(problem->loss) * sizes->sum[TOTAL];
    sizes->excess = problem->only_l1
                        ? dense_largest(v, problem_penalised(problem)) / problem->l1 * (1 + 4 * U)
                        : 0;
    computed.dual *= fmax(1, sizes->excess);
    return widen(
        shards, sizes, problem_linear(problem, w), V, relative_error(additions) * sizes->sum[NORMS],
        loss_rise(problem->loss, measured->primal, W * sizes->sum[FIRST] + sizes->sum[TARGET_FIRST],
                  (loss_has_targets(problem->loss) ? 2 : 1) *
                          (W * W * sizes->sum[SECOND] + sizes->sum[TARGET_SECOND]) +
                      problem->rows * DBL_MIN),
        computed);
}

/* ---- With twice the precision ------------------------------------------- */

/* Returns the double next to the feature's decimal number, also if the value is a scaled whole
 * number. */
static double exact_value(const struct problem *problem, const struct sparse *x, size_t k)
{
    return x->value_kind == HINGE_VALUE_WHOLE
               ? bare_value(x, HINGE_VALUE_WHOLE, k) / problem->data->x.scale
               : value_at(x, k);
}

/* Returns an upper bound of the loss with classes. One margin is subtracted from all, because
 * margins may be large numbers with small differences. The loss falls with the row's own margin and
 * rises with the others. z[classes] is working storage. */
static double class_loss_above(const struct problem *problem, uint32_t i, const struct precise *sum,
                               double *z)
{
    const size_t k = problem->classes, y = problem->class_of[i];
    double rest;
    size_t base;

    for (size_t m = 0; m < k; m++)
        z[m] = precise_nearest(&sum[m], &rest);
    base = class_base(problem->loss, k, z, y);
    for (size_t m = 0; m < k; m++) {
        const struct precise *a = &sum[m], *b = &sum[base];
        const double high = a->high - b->high, part = high - a->high;
        const double lost = (a->high - (high - part)) - (b->high + part);
        const double low = lost + (a->low - b->low), difference = high + low;
        const double error =
            U * (fabs(difference) + 2 * (fabs(lost) + fabs(a->low) + fabs(b->low)) + a->error +
                 b->error);

        /* 3: the addition rounds by less than an error */
        z[m] = m == base ? 0 : difference + (m == y ? -3 : 3) * error;
    }
    return class_terms(problem->loss, k, problem_cost(problem, i), z, y, NULL).value;
}

/* Adds upper bounds of the losses of rows, over the errors of z and of a rounded target, in both
 * directions. */
static void add_losses(void *context, const struct shard *shard)
{
    const struct primal_dual *point = context;
    const struct problem *problem = point->problem;
    const size_t outputs = problem_outputs(problem);
    struct precise one = {0, 0, 0},
                   *z = problem->classes > 0 ? (struct precise *)(void *)shard->room : &one;
    struct sum total = {0, 0};

    for (uint32_t i = shard->first; i < shard->end; i++) {
        const struct sparse x = problem_row(problem, i);

        memset(z, 0, outputs * sizeof *z);
        for (size_t k = 0; k < x.count; k++)
            for (size_t m = 0; m < outputs; m++)
                precise_add(&z[m], exact_value(problem, &x, k),
                            point->w[index_at(&x, k) * outputs + m]);
        for (size_t m = 0; m < outputs && problem->bias_kind != BIAS_NONE; m++)
            precise_add(&z[m], problem->bias, point->w[problem->data->features * outputs + m]);
        if (problem->classes > 0) {
            sum_add(&total, class_loss_above(problem, i, z, shard->room + 3 * outputs));
        } else {
            const double cost = problem_cost(problem, i), sign = problem->sign[i];
            const double target = problem_target(problem, i, problem->loss);
            double low;
            const double slack = target - sign * precise_nearest(z, &low);
            const double error =
                1.01 * U * z->error + loss_has_targets(problem->loss) * U * fabs(target);

            sum_add(&total, fmax(loss_value_near(problem->loss, cost, slack, sign * low - error),
                                 loss_value_near(problem->loss, cost, slack, sign * low + error)));
        }
    }
    shard->scalars[0] += sum_value(&total);
}

/* Adds rows to v. shard->vector has a struct precise for each coordinate. */
static void add_rows(void *context, const struct shard *shard)
{
    const struct primal_dual *point = context;
    const struct problem *problem = point->problem;
    const size_t outputs = problem_outputs(problem);
    struct precise *v = (struct precise *)(void *)shard->vector;

    for (size_t d = shard->first * outputs; d < shard->end * outputs; d++) {
        const uint32_t i = (uint32_t)(d / outputs);
        const struct sparse x = problem_row(problem, i);
        const size_t m = d % outputs;
        const double change = (problem->classes > 0 ? 1 : problem->sign[i]) * point->alpha[d];

        for (size_t k = 0; k < x.count && change != 0; k++)
            precise_add(&v[index_at(&x, k) * outputs + m], exact_value(problem, &x, k), change);
        if (problem->bias_kind != BIAS_NONE)
            precise_add(&v[problem->data->features * outputs + m], problem->bias, change);
    }
}

/* Sets v[width] to sum alpha_i y_i x_i. */
static void form(const struct shards *shards, const struct primal_dual *point, struct precise *v)
{
    struct shards one = *shards;

    one.count = 1;
    one.length = 3 * problem_width(point->problem);
    memset(v, 0, problem_width(point->problem) * sizeof *v);
    sums_run(&one, all_rows(point->problem), add_rows, (void *)point, NULL, (double *)(void *)v);
}

void certificate_combine(const struct shards *shards, const struct problem *problem,
                         const double *alpha, double *room, double *v)
{
    const struct primal_dual point = {problem, NULL, alpha};
    struct precise *const sum = (struct precise *)(void *)room;

    form(shards, &point, sum);
    for (size_t j = 0; j < problem_width(problem); j++)
        v[j] = sum[j].high + sum[j].low;
}

/* Returns the bounds by sums with twice the precision. v[width] is working storage. */
static struct objective bound_anew(const struct shards *shards, struct sizes *sizes,
                                   struct primal_dual point, struct precise *v)
{
    const struct problem *problem = sizes->problem;
    const size_t penalised = problem_penalised(problem);
    struct sum value = {0, 0}, conjugate = {0, 0};
    struct objective objective = {0, 0, 0, 0};
    const double l1 = problem->l1, l2 = problem_l2(problem);
    double losses[MOST_SCALARS];

    sums_run(shards, all_rows(problem), add_losses, &point, losses, NULL);
    form(shards, &point, v);
    sizes->excess = 0;
    for (size_t j = 0; j < penalised; j++) {
        const double above = fabs(v[j].high + v[j].low) * (1 + 4 * U) + 1.01 * U * v[j].error;

        sum_add(&value, regulariser_value(l1, l2, point.w[j]));
        sum_add(&conjugate, regulariser_conjugate(l1, l2, above));
        if (problem->only_l1)
            sizes->excess = fmax(sizes->excess, above / l1);
    }
    objective.primal = sum_value(&value) + losses[0] + problem_linear(problem, point.w);
    objective.dual = sum_value(&conjugate) + sums_conjugates(shards, problem, sizes->alpha);
    return widen(shards, sizes, problem_linear(problem, point.w),
                 sqrt(2 * sum_value(&conjugate)) * 1.01, 0, 0, objective);
}

/* True if, for regression, no row has a loss when all weights except a free bias are 0. The bias
 * must be at least r - epsilon, the target of a row's first view, and at most r + epsilon, minus
 * the target of the second. If both were rounded to the same number, it is r. */
static int are_targets_met(const struct problem *problem, const double *w)
{
    const double bias =
        problem->bias_kind == BIAS_FREE ? problem->bias * w[problem_penalised(problem)] : 0;

    for (uint32_t i = 0; i + 1 < problem->rows; i += problem_views(problem)) {
        const double low = problem->target[i], high = -problem->target[i + 1];
        const double error = low == high ? 0 : 4 * U;

        if (!(low + error * fabs(low) <= bias && bias <= high - error * fabs(high)))
            return 0;
    }
    return 1;
}

struct objective certificate_take(const struct shards *shards, const struct primal_dual *point,
                                  const double *v, const struct objective *measured, double target,
                                  struct max_row_norm *max_row_norm)
{
    const struct problem *problem = point->problem;
    /* the bound of P must be near the measured P, which matters if the target is large */
    const double most = measured->primal + 0.001 * problem_scale(problem, measured->primal);
    struct sizes sizes = {.problem = problem, .alpha = point->alpha, .max_row_norm = max_row_norm};
    struct objective bound = *measured, anew;
    struct hinge_error ignored;
    struct precise *precise;

    max_row_norm_find(problem, shards, max_row_norm);
    /* no product was rounded: each margin is 0 or the free bias */
    if (measured->primal == 0 && dense_is_zero(point->w, problem_penalised(problem)) &&
        (max_row_norm->features == 0 || dense_is_zero(point->alpha, problem_duals(problem))) &&
        (!loss_has_targets(problem->loss) || are_targets_met(problem, point->w)))
        return bound;
    for (; sizes.by_row < 2; sizes.by_row++) {
        bound = bound_measured(shards, &sizes, point->w, v, measured);
        if (bound.gap <= target && bound.primal <= most)
            return bound;
    }
    precise = array_new(problem_width(problem), sizeof *precise, &ignored);
    if (!team_agrees(problem->team, precise != NULL, &ignored) || !precise) {
        free(precise);
        return bound;
    }
    anew = bound_anew(shards, &sizes, *point, precise);
    free(precise);
    return with_gap(problem, fmin(bound.primal, anew.primal), fmin(bound.dual, anew.dual),
                    bound.nonzeros);
}
