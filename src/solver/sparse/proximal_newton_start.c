/* proximal_newton_start.c - where the method begins: at 0 with smaller costs, or at the last C. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "solver/sparse/proximal_newton.h"

/* ---- Stages ------------------------------------------------------------- */

void proximal_newton_set_costs(struct proximal_newton *state, double share)
{
    for (uint32_t i = 0; i < state->rows; i++)
        state->cost[i] = share * problem_cost(state->training->problem, i);
    state->share = share;
    state->dual = 0;
    state->best = HUGE_VAL;
}

void proximal_newton_set_share(struct proximal_newton *state, double share)
{
    proximal_newton_set_costs(state, share);
    proximal_newton_evaluate(state);
    proximal_newton_judge(state);
}

/* The first stage, from w = 0: there alpha, and with it the largest |v_j|, is proportional to the
 * costs; where that is at most 1 the solution is 0. */
static void begin_stages(struct proximal_newton *state)
{
    double largest;

    working_set_combine(&state->set, &state->training->shards, state->alpha, state->combined);
    largest = dense_largest(state->combined, problem_penalised(state->problem));
    if (STAGE < largest)
        proximal_newton_set_share(state, STAGE / largest);
}

/* ---- The last C --------------------------------------------------------- */

/* Where the next solution is expected: as far from the last one, by ln C, as that is from the one
 * before. */
static void guess_weights(struct proximal_newton *state, struct last_point *last)
{
    const size_t width = state->training->width;
    const double part =
        log(state->training->parameters->C / last->C) / log(last->C / last->C_before);

    for (size_t j = 0; j < width; j++) {
        const double to = state->w[j] + part * (state->w[j] - last->w_before[j]);

        state->guess[j] = state->w[j] * to > 0 ? to : 0;
    }
}

/* Takes the sums at the last C's solution for those at the start. */
static void begin_at_last(struct proximal_newton *state, struct last_point *last)
{
    struct training *training = state->training;
    const double factor = training->parameters->C / last->C;

    for (uint32_t i = 0; i < state->rows; i++) {
        state->alpha[i] *= factor;
        state->curvature[i] *= factor;
    }
    proximal_newton_keep_primal(state,
                                proximal_newton_norm(state->w, problem_penalised(state->problem)),
                                factor * last->losses);
    state->is_exact = state->is_estimate = 1;
}

/* Evaluates at the point to start from, or at 0 where that is better; whether it is the former. */
static int begin_at(struct proximal_newton *state, const double *start, struct last_point *last)
{
    struct training *training = state->training;

    memcpy(state->w, start, training->width * sizeof *state->w);
    state->has_best_w = 0;
    if (last)
        begin_at_last(state, last);
    else
        proximal_newton_evaluate_all(state);
    if (state->primal < objective_at_zero(training->problem))
        return 1;
    memset(state->w, 0, training->width * sizeof *state->w);
    state->has_best_w = 0;
    proximal_newton_evaluate_all(state);
    return 0;
}

/* The last C's dual point with these costs. Its dual value is looked for where it may end the
 * training. */
static void begin_dual_at_last(struct proximal_newton *state, const struct last_point *last)
{
    struct training *training = state->training;
    const double factor = training->parameters->C / last->C;

    for (uint32_t i = 0; i < state->rows; i++)
        state->ahead[i] =
            fmin(factor * training->alpha[i], loss_upper(state->loss, state->cost[i]));
    for (size_t j = 0; j < training->width; j++)
        state->combined[j] = factor * state->v[j];
    proximal_newton_scale_ahead(state, proximal_newton_best_multiple(state));
    memset(training->alpha, 0, state->rows * sizeof *training->alpha);
    if (proximal_newton_losses_gap(state) <= certified_gap(training->parameters) * state->primal)
        proximal_newton_find_dual(state);
}

void proximal_newton_start(struct proximal_newton *state, const double *start, int goes_on)
{
    struct training *training = state->training;
    struct last_point *last = training->task->last;
    const int is_better = start && begin_at(state, start, goes_on ? last : NULL);

    goes_on = goes_on && is_better;
    if (!is_better && state->by_columns)
        begin_stages(state);
    if (goes_on && state->by_columns && last->C_before > 0 && last->C != last->C_before)
        guess_weights(state, last);
    else
        state->guess = NULL;
    if (last) {
        last->C_before = goes_on ? last->C : 0;
        memcpy(last->w_before, state->w, training->width * sizeof *state->w);
    }
    if (goes_on) {
        begin_dual_at_last(state, last);
    } else {
        memcpy(state->ahead, state->alpha, state->rows * sizeof *state->ahead);
        if (training->dual < 0) /* another method's point */
            training_form_feasible(training, training->alpha, state->v);
        else
            memset(training->alpha, 0, state->rows * sizeof *training->alpha);
        proximal_newton_find_dual(state);
    }
    state->outside = state->by_columns;
    proximal_newton_judge(state);
}

void proximal_newton_leave_last(const struct proximal_newton *state)
{
    const struct training *training = state->training;
    struct last_point *last = training->task->last;

    if (!last)
        return;
    last->C = training->sums == SUMS_FROM_METHOD && !state->is_centred ? training->parameters->C : 0;
    last->losses = state->losses;
}
