/* proximal_newton_start.c - the first point of the proximal Newton method: w = 0, given weights, or
 *                           the sums of the last C times the factor between the two C.
 */
#include <float.h>
#include <math.h>
#include <string.h>

#include "solver/linear/qr.h"
#include "solver/sparse/proximal_newton.h"

/* Begins with the sums at the last C's solution, times the factor between the two C. */
static void begin_at_last(struct proximal_newton *state, struct last_point *last)
{
    struct training *training = state->training;
    const double factor = training->problem->C / last->C;

    for (uint32_t i = 0; i < state->rows; i++) {
        state->alpha[i] *= factor;
        state->curvature[i] *= factor;
    }
    proximal_newton_keep_primal(state,
                                proximal_newton_norm(state->w, problem_penalised(state->problem)),
                                factor * last->losses);
    state->is_exact = state->is_estimate = 1;
}

/* Moves the weights of equal features to the first of them, the only one that has a column. Since
 * they have the same value in each row, no margin changes, and |w|_1 does not rise. */
static void merge_equal(const struct proximal_newton *state, double *w)
{
    const uint32_t *first = state->column_cache->columns->first;

    for (uint32_t j = 0; j < state->problem->data->features; j++)
        if (first[j] != j && w[j] != 0) {
            w[first[j]] += w[j];
            w[j] = 0;
        }
}

/* Evaluates the start, or w = 0 if that is better. True if the start is better. */
static int begin_at(struct proximal_newton *state, const double *start, struct last_point *last)
{
    struct training *training = state->training;

    memcpy(state->w, start, training->width * sizeof *state->w);
    state->has_best_w = 0;
    if (last)
        begin_at_last(state, last);
    else
        proximal_newton_evaluate_all(state);
    if (state->primal < training->primal_at_zero)
        return 1;
    memset(state->w, 0, training->width * sizeof *state->w);
    state->has_best_w = 0;
    proximal_newton_evaluate_all(state);
    return 0;
}

/* Begins with the last C's dual point, times the factor between the two C. Its dual value is found
 * if that may end the training. */
static void begin_dual_at_last(struct proximal_newton *state, const struct last_point *last)
{
    struct training *training = state->training;
    const double factor = training->problem->C / last->C;

    for (uint32_t i = 0; i < state->rows; i++)
        state->ahead[i] =
            fmin(factor * training->point.alpha[i], loss_upper(state->loss, state->cost[i]));
    for (size_t j = 0; j < training->width; j++)
        state->combined[j] = factor * state->v[j];
    proximal_newton_scale_ahead(state, proximal_newton_best_multiple(state));
    memset(training->point.alpha, 0, state->rows * sizeof *training->point.alpha);
    if (proximal_newton_losses_gap(state) <= certified_gap(training->parameters) * state->primal)
        proximal_newton_find_dual(state, 0);
}

/* Sets the costs of the first stage. `ahead` is alpha at w = 0, balanced if the bias is free, and
 * becomes alpha for these costs: alpha and with it v are proportional to the costs. If the largest
 * |v_j| is at most 1, the solution is 0 or near it. The first costs make the largest STAGE. If the
 * median |v_j| is then below `wanted`, they make the median that, so that there are fewer stages.
 * (sst2 with uni- and bigrams, -s 6, C = 16: 0.5 s instead of 1.0 s.) The squared hinge needs
 * smaller costs. (The same data, -s 5, C = 16: 1.3 s; 20 s without stages.) On badly scaled data,
 * the median says nothing about the largest. The costs stay above 0 if a sum of values near 1e308
 * overflows, and the sum is formed anew. */
static void begin_stages(struct proximal_newton *state)
{
    static const double LEAST_SHARE = 1e-100;
    const double wanted = loss_is_curved(state->loss) ? 16 : 1;
    double largest, median, share;

    largest = dense_largest(state->combined, problem_penalised(state->problem));
    if (!(largest > STAGE)) /* it may be 0 */
        return;
    share = STAGE / largest;
    median = working_set_median(&state->set, state->combined);
    if (median > 0 && !is_badly_scaled(state->problem))
        share = fmax(share, wanted / median);
    if (!(share < 1))
        return;
    share = fmax(share, LEAST_SHARE);
    proximal_newton_set_share(state, share);
    proximal_newton_scale_ahead(state, share);
    if (!(largest <= DBL_MAX))
        proximal_newton_combine_ahead(state);
}

void proximal_newton_start(struct proximal_newton *state, double *start, int goes_on)
{
    struct training *training = state->training;
    struct last_point *last = training->task->last;
    int is_better;

    if (start && state->by_columns)
        merge_equal(state, start);
    is_better = start && begin_at(state, start, goes_on ? last : NULL);
    goes_on = goes_on && is_better;
    if (is_better)
        state->promise = 0;
    if (goes_on) {
        begin_dual_at_last(state, last);
    } else {
        memcpy(state->ahead, state->alpha, state->rows * sizeof *state->ahead);
        proximal_newton_combine_ahead(state);
        if (!is_better && state->by_columns)
            begin_stages(state);
        if (training->point.dual < 0) /* another method's point */
            training_form_feasible(training, training->point.alpha, state->v);
        else
            memset(training->point.alpha, 0, state->rows * sizeof *training->point.alpha);
        proximal_newton_use_ahead(state, 0);
    }
    if (state->by_columns && state->set.count == 0)
        proximal_newton_choose_set(state, 1);
    proximal_newton_judge(state);
}
