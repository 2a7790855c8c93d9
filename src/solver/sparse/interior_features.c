/* interior_features.c - |w|_1 = min sum plus_j + minus_j over w = plus - minus, plus, minus >= 0.
 */
#include "solver/sparse/interior_features.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/sum.h"
#include "problem/certificate.h"
#include "solver/linear/qr.h"

void interior_features_lay_out(struct interior_features *to, struct arena *arena,
                               const struct problem *problem)
{
    double **of_l1[] = {&to->v, &to->plus, &to->minus, &to->unit, &to->dv, &to->dplus, &to->dminus};

    to->width = problem_width(problem);
    to->penalised = problem_penalised(problem);
    to->is_l1 = problem->only_l1;
    to->w = arena_take(arena, to->width, sizeof *to->w);
    to->dw = arena_take(arena, to->width, sizeof *to->dw);
    for (size_t k = 0; to->is_l1 && k < sizeof of_l1 / sizeof *of_l1; k++)
        *of_l1[k] = arena_take(arena, to->width, sizeof(double));
    if (to->is_l1 && qr_is_needed(problem)) {
        to->outside = arena_take(arena, to->width, sizeof *to->outside);
        to->margin = arena_take(arena, to->width, sizeof *to->margin);
        to->fit = arena_take(arena, to->width, sizeof *to->fit);
        to->sums = arena_take(arena, 3 * to->width, sizeof *to->sums);
        to->change = arena_take(arena, problem->rows, sizeof *to->change);
        to->target = arena_take(arena, problem->rows, sizeof *to->target);
    }
}

void interior_features_begin(struct interior_features *features, double norm)
{
    memset(features->w, 0, features->width * sizeof *features->w);
    memset(features->v, 0, features->width * sizeof *features->v);
    for (size_t j = 0; j < features->penalised; j++)
        features->plus[j] = features->minus[j] = norm / (double)features->penalised;
}

double interior_features_products(const struct interior_features *features, double part)
{
    double sum = 0;

    for (size_t j = 0; features->is_l1 && j < features->penalised; j++) {
        const double v = features->v[j] + part * features->dv[j];

        sum += (features->plus[j] + part * features->dplus[j]) * (1 - v) +
               (features->minus[j] + part * features->dminus[j]) * (1 + v);
    }
    return sum;
}

double interior_features_count(const struct interior_features *features)
{
    return features->is_l1 ? 2 * (double)features->penalised : 0;
}

int interior_features_weigh(struct interior_features *features)
{
    double largest = 0;

    for (size_t j = 0; features->is_l1 && j < features->penalised; j++) {
        const double below = 1 - features->v[j], above = 1 + features->v[j];
        double square;

        if (!(below > 0 && above > 0))
            return 0;
        square = features->plus[j] / below + features->minus[j] / above;
        if (!(square > DBL_MIN && square <= DBL_MAX))
            return 0;
        features->unit[j] = sqrt(square);
        largest = fmax(largest, features->unit[j]);
    }
    for (size_t j = features->penalised; features->is_l1 && j < features->width; j++)
        features->unit[j] = largest;
    return 1;
}

void interior_features_add_right(struct interior_features *features, double target, int corrector,
                                 double *right)
{
    if (!features->is_l1) {
        for (size_t j = 0; j < features->penalised; j++)
            right[j] -= features->w[j];
        return;
    }
    for (size_t j = 0; j < features->penalised; j++) {
        const double below = 1 - features->v[j], above = 1 + features->v[j];
        const double cross = corrector ? features->dv[j] : 0, unit = features->unit[j];

        features->dplus[j] = (target + cross * features->dplus[j]) / below - features->plus[j];
        features->dminus[j] = (target - cross * features->dminus[j]) / above - features->minus[j];
        right[j] += (features->dplus[j] - features->dminus[j]) / (unit * unit) - features->v[j];
    }
}

void interior_features_take_moved(const struct interior_features *features, double *right)
{
    for (size_t j = 0; j < features->penalised; j++) {
        const double dw = features->dw[j];

        if (features->is_l1) {
            const double unit = features->unit[j];
            const double rest = features->dplus[j] - features->dminus[j];

            right[j] -= features->v[j] + (dw - rest) / (unit * unit);
        } else {
            right[j] -= features->w[j] + dw;
        }
    }
}

void interior_features_find_steps(struct interior_features *features)
{
    for (size_t j = 0; features->is_l1 && j < features->penalised; j++) {
        const double unit = features->unit[j], v = features->v[j];
        const double rest = features->dplus[j] - features->dminus[j];
        const double change = (features->dw[j] - rest) / (unit * unit);

        features->dv[j] = change;
        features->dplus[j] += features->plus[j] * change / (1 - v);
        features->dminus[j] -= features->minus[j] * change / (1 + v);
    }
}

double interior_features_longest(const struct interior_features *features)
{
    double t = 1e300;

    for (size_t j = 0; features->is_l1 && j < features->penalised; j++) {
        const double change = features->dv[j];

        if (features->dplus[j] < 0)
            t = fmin(t, -features->plus[j] / features->dplus[j]);
        if (features->dminus[j] < 0)
            t = fmin(t, -features->minus[j] / features->dminus[j]);
        if (change != 0)
            t = fmin(t, (1 - copysign(1, change) * features->v[j]) / fabs(change));
    }
    return t;
}

void interior_features_move(struct interior_features *features, double part)
{
    for (size_t j = 0; j < features->width; j++)
        features->w[j] += part * features->dw[j];
    for (size_t j = 0; features->is_l1 && j < features->penalised; j++) {
        features->v[j] += part * features->dv[j];
        features->plus[j] += part * features->dplus[j];
        features->minus[j] += part * features->dminus[j];
        features->w[j] = features->plus[j] - features->minus[j];
    }
}

void interior_features_settle(const struct interior_features *features, int level, double *w)
{
    const double times = level < SETTLING_LEVELS - 1 ? pow(100, -level) : 0;
    double largest = 0;

    memcpy(w, features->w, features->width * sizeof *w);
    for (size_t j = 0; j < features->penalised; j++)
        largest = fmax(largest, fabs(w[j]));
    for (size_t j = 0; j < features->penalised; j++)
        if (fabs(w[j]) < times * (1 - fabs(features->v[j])) * largest)
            w[j] = 0;
}

int interior_features_gap_is_met(const struct interior_features *features,
                                 struct training *training, const double *const *alpha, int points,
                                 int is_late)
{
    for (int level = 0; level < (is_late ? SETTLING_LEVELS : 1); level++) {
        interior_features_settle(features, level, training->point.w);
        for (int k = 0; k < points; k++) {
            memcpy(training->point.alpha, alpha[k], training->rows * sizeof *alpha[k]);
            training_measure(training);
            if (training->progress.relative_gap <= training->parameters->relative_gap)
                return 1;
        }
    }
    return 0;
}

/* ---- Rounding of alpha ---------------------------------------------------
 *
 * With features of 1e10 and alpha_i of 1e4, the rounding errors of alpha alone change v by 1. An
 * ordinary sum has as large an error. Only small alpha_i can change by little, because their
 * rounding errors are small. Twice as many of them as there are such features correct v. (2,000
 * rows of 300 features of scales 1e-37 to 1e10, -s 5 -c 4096: a gap of 0.6 without it.)
 */

/* For a free bias, makes sum alpha_i y_i exactly 0. The smallest alpha_i that is large enough takes
 * the sum, and a smaller one the rounding error of that. */
static void balance_small(const struct problem *problem, double *alpha)
{
    enum { TIMES = 4 };

    for (int k = 0; k < TIMES; k++) {
        struct sum sum = {0, 0};
        uint32_t taker = problem->rows;

        for (uint32_t i = 0; i < problem->rows; i++)
            sum_add(&sum, problem->sign[i] * alpha[i]);
        for (uint32_t i = 0; i < problem->rows; i++)
            if (alpha[i] >= 2 * fabs(sum_value(&sum)) &&
                (taker == problem->rows || alpha[i] < alpha[taker]))
                taker = i;
        if (taker == problem->rows || sum_value(&sum) == 0)
            return;
        alpha[taker] -= problem->sign[taker] * sum_value(&sum);
    }
}

/* Sets margin[width] to about what rounding errors of alpha do to v_j. It is at most so large that
 * |v_j| <= 1 - margin_j costs PART of the gap. Returns how many features have a large margin. */
static size_t find_margins(const struct interior_features *features,
                           const struct training *training, const double *alpha)
{
    static const double MOST = 0.1, LARGE = 0.01, PART = 0.2;
    const struct problem *problem = training->problem;
    double norm = 0, most;
    size_t count = 0;

    for (size_t j = 0; j < features->penalised; j++)
        norm += fabs(features->w[j]);
    most = PART * certified_gap(training->parameters) * training->point.primal;
    most = most < MOST * norm ? most / norm : MOST;
    memset(features->margin, 0, features->width * sizeof *features->margin);
    for (uint32_t i = 0; i < problem->rows; i++)
        sums_add_squares(problem, i, alpha[i] * alpha[i], features->margin);
    for (size_t j = 0; j < features->penalised; j++) {
        features->margin[j] = fmin(most, 2 * DBL_EPSILON * sqrt(features->margin[j]));
        count += features->margin[j] > LARGE * most;
    }
    return count;
}

/* The change of alpha is -X d, where X are the rows of about 2 count + 2 of the smallest alpha_i,
 * d = (I + X'X)^-1 (v - u), and u is the v of the iterate within the margins. No row with an
 * alpha_i near 0 is among them, because alpha_i could become negative. */
double interior_features_mend(const struct interior_features *features,
                              const struct training *training, struct primal_system *system,
                              double *alpha, double *v)
{
    enum { ROUNDS = 4 };
    static const double LITTLE = 0.05; /* of the gap */
    static const double NEAR = 1e-9;   /* of the largest alpha_i */
    const struct problem *problem = training->problem;
    struct row_weights *some = primal_system_weights(system);
    const double enough = 1 + LITTLE * certified_gap(training->parameters);
    const double most_alpha = dense_largest(alpha, problem->rows);
    const size_t count = find_margins(features, training, alpha);
    double largest = 1, bound = NEAR * most_alpha;

    if (count == 0) {
        training_form_feasible(training, alpha, v);
        return 1;
    }
    some->count = 0;
    while (some->count < 2 * count + 2 && bound < 2 * most_alpha) {
        some->count = 0;
        for (uint32_t i = 0; i < problem->rows; i++) {
            some->row[some->count] = i;
            some->weight[some->count] = 1;
            some->count += alpha[i] > NEAR * most_alpha && alpha[i] <= bound;
        }
        bound *= 2;
    }
    primal_system_set_units(system, NULL);
    for (int round = 0; round < ROUNDS; round++) {
        if (problem->bias_kind == BIAS_FREE)
            balance_small(problem, alpha);
        certificate_combine(&training->shards, problem, alpha, features->sums, v);
        largest = fmax(1, dense_largest(v, features->penalised));
        if (largest <= enough)
            break;
        for (size_t j = 0; j < features->width; j++) {
            const double most = 1 - features->margin[j];

            features->outside[j] =
                v[j] - (j < features->penalised ? clamp(features->v[j], -most, most) : 0);
        }
        primal_system_fit(system, problem, &training->shards, 1, features->outside,
                          features->target, features->fit);
        sums_margins(&training->shards, problem, (struct selection){some->row, some->count},
                     features->fit, features->change);
        for (uint32_t k = 0; k < some->count; k++)
            alpha[some->row[k]] = clamp(alpha[some->row[k]] - features->change[k], 0,
                                        problem_upper(problem, some->row[k]));
    }
    return largest;
}
