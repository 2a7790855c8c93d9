/* certificate.c - what rounding may have taken from P and D is added to them.
 *
 * Notation: u = 2^-53; k_i the entries of row i and a few operations more; e_i bounds the error of
 * z_i. A sum of k products is off by at most r(k) = k u/(1 - k u) times the sum of their absolute
 * values (Higham, Accuracy and Stability, 3.1). So
 *
 *     e_i <= r(k_i) sum_j |w_j x_ij| <= r(k_i) |w| |x_i|,
 *     P grows by at most what moving each z_i by e_i does (loss_rise),
 *     |v computed - v| <= E = r(K) sum_i alpha_i |x_i|,   K additions to a coordinate at most,
 *     R* grows by at most |v| E + E^2/2, its gradient being at most |v|, and 1-Lipschitz.
 *
 * Where R has no square, each |v_j| grows by E at most, and alpha stands for the multiple of it
 * that is in the domain of R* then.
 *
 * A target of its own, as of regression, is a difference that was rounded: u |t_i| more in e_i.
 *
 * With classes, e_i is the largest of the row's margins, by which its loss changes twice as much at
 * most; alpha_i is sum_m |alpha_im|. Where sum_m alpha_im is not 0 but d_i, alpha_i stands for the
 * point of the shares p_m divided by their sum: it is off by 4 |d_i| at most, and its conjugate by
 * 2 (1 + ln k) |d_i|, of the hinge |d_i|. Where the biases are free and sum_i alpha_im is not 0, it
 * stands for the point that bias_balance_classes would make of it exactly: r = max_m |sum_i
 * alpha_im| / N_m, N_m the costs of class m, p_i has moved by r at most towards other shares, that
 * is alpha_i by 2 r C_i, and of the conjugates, which are convex and nowhere above 0, a share of r
 * at most is lost.
 *
 * The other sums have terms of one sign or are compensated: a few u of their size. Almost always
 * the largest |x_i| and k_i are enough, which many trainings share: bounds by them are below 1e-9
 * of P on all but the strangest data. Where they are not, each row's own serve, and where these are
 * not, z and v are computed with twice the precision, and a running bound of what that rounds.
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

static const double U = DBL_EPSILON / 2; /* of a double */

/* A sum of products: high + low, but for at most u error. */
struct precise {
    double high;
    double low;
    double error;
};

/* The errors of product and sum are known exactly (Dekker, Knuth); low is what they add up to. */
static ALWAYS_INLINE void precise_add(struct precise *to, double a, double b)
{
    const double product = a * b, sum = to->high + product, part = sum - to->high;
    const double lost = ((to->high - (sum - part)) + (product - part)) + fma(a, b, -product);

    to->high = sum;
    to->low += lost;
    to->error += fabs(lost) + fabs(to->low) + DBL_MIN;
}

/* The double next to a sum, and what is left of it. */
static inline double precise_nearest(const struct precise *sum, double *rest)
{
    const double high = sum->high + sum->low, part = high - sum->high;

    *rest = (sum->high - (high - part)) + (sum->low - part);
    return high;
}

/* a - b, rounded once; *error is what that and the errors of both leave open. */
static inline double precise_difference(const struct precise *a, const struct precise *b,
                                        double *error)
{
    const double high = a->high - b->high, part = high - a->high;
    const double lost = (a->high - (high - part)) - (b->high + part);
    const double low = lost + (a->low - b->low), result = high + low;

    *error =
        U * (fabs(result) + 2 * (fabs(lost) + fabs(a->low) + fabs(b->low)) + a->error + b->error);
    return result;
}

/* ---- How much one product may lose --------------------------------------- */

/* Roundings beside those of a row's products: of unit, sign, bias and the reading of decimals. */
enum { OTHERS = 10 };

/* What a product may lose where it is too small for its digits. */
static const double SMALLEST = DBL_MIN * DBL_EPSILON;

/* r(k), with a margin for the rounding of the bounds themselves. */
static ALWAYS_INLINE double relative_error(double k)
{
    return 1.01 * k * U;
}

/* ---- How large what is added up is -------------------------------------- */

struct sizes {
    const struct problem *problem;
    const double *alpha;
    const struct max_row_norm *max_row_norm;
    int by_row; /* sharper: each row's own norm, not that of the longest */
    double sum[MOST_SCALARS];
    double excess; /* of a v that has a domain, largest |v_j| / l1; else 0 */
};

/* The sums. */
enum {
    TOTAL,         /* sum alpha_i */
    LINEAR,        /* sum |t_i| alpha_i */
    NORMS,         /* sum alpha_i |x_i| */
    FIRST,         /* sum C_i e_i / |w| */
    SECOND,        /* sum C_i e_i^2 / |w|^2 */
    TARGET_FIRST,  /* sum C_i u |t_i|, of targets that were rounded, */
    TARGET_SECOND, /* and sum C_i (u |t_i|)^2 */
    UNEVEN         /* sum |d_i| */
};

/* At least |x| of a row with so many features, from its square. DBL_MIN is for what products lose
 * where they are that small. */
static ALWAYS_INLINE double norm_of_row(double square, double features)
{
    return sqrt(square + (features + OTHERS) * DBL_MIN);
}

/* alpha_i, as in sum alpha_i; with classes adds |d_i|, too. */
static double size_of_dual(const struct sizes *sizes, uint32_t i, double *uneven)
{
    const size_t classes = sizes->problem->classes;
    const double *alpha = sizes->alpha + i * classes;
    double sum = 0, size = 0;

    if (classes == 0)
        return sizes->alpha[i];
    for (size_t m = 0; m < classes; m++) {
        sum += alpha[m];
        size += fabs(alpha[m]);
    }
    *uneven += fabs(sum) + relative_error((double)classes) * size;
    return size;
}

static void add_sizes(void *context, const struct shard *shard)
{
    const struct sizes *sizes = context;
    const struct problem *problem = sizes->problem;
    const double constant = problem->bias_kind == BIAS_FREE ? fabs(problem->bias) : 0;
    double features = sizes->max_row_norm->features;
    double norm = norm_of_row(sizes->max_row_norm->square, features) + constant, ignored = 0;
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
        features = (double)problem_length(problem, i);
        norm = norm_of_row(problem_square(problem, i), features) + constant;
        error = moves * relative_error(features + OTHERS) * norm;
        shard->scalars[NORMS] += norm * (size_of_dual(sizes, i, &ignored) + sqrt(DBL_MIN));
        shard->scalars[FIRST] += error * problem_cost(problem, i);
        shard->scalars[SECOND] += error * error * problem_cost(problem, i);
    }
}

static void find_sizes(const struct shards *shards, struct sizes *sizes)
{
    const enum loss loss = sizes->problem->loss;
    double *sum = sizes->sum;

    sums_run(shards, all_rows(sizes->problem), add_sizes, sizes, sum, NULL);
    if (sizes->problem->classes > 0) /* of p_m near 1 the conjugate has errors of u C p_m */
        sum[LINEAR] = sum[TOTAL];
    else if (!loss_has_targets(loss))
        sum[LINEAR] = loss_target(loss) * sum[TOTAL];
}

/* At least |vector|. */
static double norm_above(const double *vector, size_t width)
{
    return 1.01 * sqrt(dense_dot(vector, vector, width) + DBL_MIN);
}

/* At least |sum alpha_i y_i - total| where that has to be 0. */
static double imbalance(const struct problem *problem, const double *alpha, double total)
{
    struct sum sum = {0, 0};

    for (uint32_t i = 0; i < problem->rows; i++)
        sum_add(&sum, problem->sign[i] * alpha[i]);
    sum_add(&sum, -problem->total);
    return fabs(sum_value(&sum)) * (1 + 4 * U) + 4 * U * U * problem->rows * total;
}

/* At least r of a free bias with classes; uneven rows have changed the classes' sums before.
 * room[3 classes] is for its use. */
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
        else if (left > 0) /* no point that it could stand for */
            most = HUGE_VAL;
    }
    return 1.01 * most;
}

/* ---- The bounds --------------------------------------------------------- */

static struct objective with_gap(const struct problem *problem, double primal, double dual,
                                 size_t nonzeros)
{
    const double gap = (primal + dual) / problem_scale(problem, primal) * (1 + 4 * U);

    return (struct objective){primal, dual, gap, nonzeros};
}

/* The bounds, of a P and a D whose margins and v have errors that E and rise stand for; linear is
 * P's linear term, the only one that may be negative. D is that of alpha itself, wherever its v is.
 */
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
        const double delta = imbalance(problem, sizes->alpha, sizes->sum[TOTAL]);

        if (problem->total != 0) /* it is added to or taken from any rows that have room for it */
            E += 1.01 * delta * longest;
        else if (delta > 0) /* of the larger class that is taken away; as the conjugate is convex
                             * and 0 at 0, a term that is negative loses no larger a share */
            share = 2.01 * delta / sizes->sum[TOTAL];
        E += share * sizes->sum[NORMS];
    }
    if (classes > 0) {
        E += 4 * sizes->sum[UNEVEN] * longest;
        computed.dual += 2 * (1 + log_of((double)classes)) * sizes->sum[UNEVEN];
    }
    computed.primal += 1.01 * (rise + few * (fabs(computed.primal) + 2 * fabs(linear)) + least);
    computed.dual += 1.01 * ((problem->only_l1 ? 0 : V * E + E * E / 2) + share * conjugates +
                             least + few * (V * V + conjugates));
    if (problem->only_l1 && computed.dual < 0)
        computed.dual /= fmax(1, 1.01 * E / problem->l1 + sizes->excess * (1 + 8 * U));
    return with_gap(problem, computed.primal, computed.dual, computed.nonzeros);
}

/* At least the largest |v_j| / l1, where no v_j may exceed l1. */
static double excess_of(const struct problem *problem, const double *v)
{
    return problem->only_l1
               ? dense_largest(v, problem_penalised(problem)) / problem->l1 * (1 + 4 * U)
               : 0;
}

/* Of what was measured. */
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

    find_sizes(shards, sizes);
    sizes->excess = excess_of(problem, v);
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

/* The double next to the feature's decimal number, which whole numbers are stored without. */
static double exact_value(const struct problem *problem, const struct sparse *x, size_t k)
{
    return x->value_kind == HINGE_VALUE_WHOLE
               ? bare_value(x, HINGE_VALUE_WHOLE, k) / problem->data->x.scale
               : value_at(x, k);
}

/* At least C phi(t - z), z with its error in either direction, and that of a target that was
 * rounded. */
static double loss_above(const struct problem *problem, uint32_t i, const struct precise *z)
{
    double low;
    const double high = precise_nearest(z, &low), sign = problem->sign[i];
    const double cost = problem_cost(problem, i),
                 target = problem_target(problem, i, problem->loss);
    const double slack = target - sign * high;
    const double error = 1.01 * U * z->error + loss_has_targets(problem->loss) * U * fabs(target);

    return fmax(loss_value_near(problem->loss, cost, slack, sign * low - error),
                loss_value_near(problem->loss, cost, slack, sign * low + error));
}

/* The same with classes, by the margins less one of them: these may be small differences of large
 * numbers. The loss falls with the row's own margin and rises with the others. z[classes] is
 * overwritten. */
static double class_loss_above(const struct problem *problem, uint32_t i, const struct precise *sum,
                               double *z)
{
    const size_t k = problem->classes, y = problem->class_of[i];
    double error;
    size_t base;

    for (size_t m = 0; m < k; m++)
        z[m] = precise_nearest(&sum[m], &error);
    base = class_base(problem->loss, k, z, y);
    for (size_t m = 0; m < k; m++) {
        z[m] = m == base ? 0 : precise_difference(&sum[m], &sum[base], &error);
        if (m != base) /* 3: the addition rounds by less than an error */
            z[m] += (m == y ? -3 : 3) * error;
    }
    return class_terms(problem->loss, k, problem_cost(problem, i), z, y, NULL).value;
}

/* loss_above of row i. */
static double row_above(const struct primal_dual *point, uint32_t i, double *room)
{
    const struct problem *problem = point->problem;
    const size_t outputs = problem_outputs(problem);
    const struct sparse x = problem_row(problem, i);
    struct precise one = {0, 0, 0},
                   *z = problem->classes > 0 ? (struct precise *)(void *)room : &one;

    memset(z, 0, outputs * sizeof *z);
    for (size_t k = 0; k < x.count; k++)
        for (size_t m = 0; m < outputs; m++)
            precise_add(&z[m], exact_value(problem, &x, k),
                        point->w[index_at(&x, k) * outputs + m]);
    for (size_t m = 0; m < outputs && problem->bias_kind != BIAS_NONE; m++)
        precise_add(&z[m], problem->bias, point->w[problem->data->features * outputs + m]);
    return problem->classes > 0 ? class_loss_above(problem, i, z, room + 3 * problem->classes)
                                : loss_above(problem, i, z);
}

static void add_losses(void *context, const struct shard *shard)
{
    const struct primal_dual *point = context;
    struct sum total = {0, 0};

    for (uint32_t i = shard->first; i < shard->end; i++)
        sum_add(&total, row_above(point, i, shard->room));
    shard->scalars[0] += sum_value(&total);
}

/* vector: the coordinates of v, a struct precise each. */
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

/* The bounds by another computation; v[width] is 0. */
static struct objective bound_anew(const struct shards *shards, struct sizes *sizes,
                                   struct primal_dual point, struct precise *v)
{
    const struct problem *problem = sizes->problem;
    const size_t width = problem_width(problem), penalised = problem_penalised(problem);
    struct shards one = *shards;
    struct sum value = {0, 0}, conjugate = {0, 0};
    struct objective objective = {0, 0, 0, 0};
    const double l1 = problem->l1, l2 = problem_l2(problem);
    double losses[MOST_SCALARS];

    sums_run(shards, all_rows(problem), add_losses, &point, losses, NULL);
    one.count = 1;
    one.length = 3 * width;
    sums_run(&one, all_rows(problem), add_rows, &point, NULL, (double *)(void *)v);
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

/* Whether bounds need no other computation: their gap is at most the target, and, where that is so
 * large that any P would do, P is not far above what was measured, either. */
static int are_close(const struct problem *problem, const struct objective *bound,
                     const struct objective *measured, double target)
{
    const double most = 0.001 * problem_scale(problem, measured->primal);

    return bound->gap <= target && bound->primal <= measured->primal + most;
}

/* Whether no row of a regression has a loss, where all weights but that of a free bias are 0: it is
 * to be at least r - epsilon, the target of a view, and at most r + epsilon, less that of the next.
 * Where both were rounded to the same number, that is r. */
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
    struct sizes sizes = {.problem = problem, .alpha = point->alpha, .max_row_norm = max_row_norm};
    struct objective bound = *measured, anew;
    struct hinge_error ignored;
    struct precise *precise;

    /* no product was rounded: a margin is 0, or that of a free bias alone */
    if (dense_is_zero(point->w, problem_penalised(problem)) &&
        dense_is_zero(point->alpha, problem_duals(problem)) && measured->primal == 0 &&
        (!loss_has_targets(problem->loss) || are_targets_met(problem, point->w)))
        return bound;
    max_row_norm_find(problem, shards, max_row_norm);
    for (; sizes.by_row < 2; sizes.by_row++) {
        bound = bound_measured(shards, &sizes, point->w, v, measured);
        if (are_close(problem, &bound, measured, target))
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
