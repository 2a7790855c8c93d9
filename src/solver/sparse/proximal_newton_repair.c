/* proximal_newton_repair.c - a feasible dual point near that of a step, and the working set that
 *                            goes with it.
 *
 * Scaling the dual point of a step until no |v_j| exceeds 1 costs the gap |w|_1 times the largest
 * violation; a repair of the point costs about |w|_1 times the mean violation. At a large C, where
 * a model has nearly as many features as rows and is solved roughly, the largest violation is ten
 * times the mean, and P is near its minimum long before the largest is small. The repair is
 *
 *     min over d of sum_i h_i <x_i, d>^2/2 - <v, d> + |d|_1,    alpha_i -= h_i y_i <x_i, d>,
 *
 * the dual of: find the point nearest to alpha, in the norm of 1/h_i, at which no |v_j| of the
 * working set exceeds 1. h_i is the curvature of the model, 0 for rows at an end of their domain.
 * d is 0 where |v_j| < 1, even if w_j is not 0, so a few sweeps find it. A repair that does not end
 * goes on at the next step.
 */
#include <math.h>
#include <string.h>

#include "base/elementary.h"
#include "problem/loss.h"
#include "solver/sparse/proximal_newton.h"

/* A largest |v_j| that exceeds 1 by this part of the target gap needs no repair: scaling adds at
 * most as much to the gap, because |w|_1 <= P. */
static const double SMALL = 0.1;

/* Returns by how much the largest |v_j| of `ahead` exceeds 1. */
static double excess_ahead(const struct proximal_newton *state)
{
    return dense_largest(state->combined, problem_penalised(state->problem)) - 1;
}

/* Returns the relative gap of w and `ahead` that would be left if no |v_j| exceeded 1. */
static double gap_within(const struct proximal_newton *state)
{
    double gap = proximal_newton_losses_gap(state);

    for (size_t j = 0; j < problem_penalised(state->problem); j++)
        if (state->w[j] != 0 && state->w[j] * state->combined[j] < fabs(state->w[j]))
            gap += fabs(state->w[j]) - state->w[j] * state->combined[j];
    return gap / problem_scale(state->problem, proximal_newton_judged_primal(state));
}

/* True if scaled `ahead`, of which `gap` is gap_within, meets the target, or its excess is small.
 * Scaling by 1/(1 + excess) adds about excess |w|_1/P to the gap, and the square of the excess,
 * which matters if |w|_1 is a small part of P. */
static int scaling_is_enough(const struct proximal_newton *state, double gap, double target)
{
    const double excess = excess_ahead(state);

    return excess <= SMALL * target ||
           gap + excess * (proximal_newton_norm_part(state) + excess) <= target;
}

/* Moves `ahead` to the nearest point that is feasible for the features of the working set. */
static void project_ahead(struct proximal_newton *state, struct column_lasso *by, double tolerance)
{
    for (uint32_t i = 0; i < state->rows; i++)
        if (!loss_is_free(state->loss, problem_cost(state->problem, i), state->ahead[i]))
            state->weight[i] = 0;
    working_set_model(&state->set, state->weight, by);
    for (size_t k = 0; k < by->lasso.order; k++) {
        by->lasso.gradient[k] = -state->combined[state->set.member[k]];
        by->lasso.u[k] = by->origin[k] = by->ridge[k] = 0;
    }
    column_lasso_solve(by, tolerance, LASSO_ROUNDS, &state->stop);
    working_set_margins(&state->set, by->lasso.u, state->next);
    for (uint32_t i = 0; i < state->rows; i++) {
        const double moved = state->ahead[i] - state->weight[i] * state->next[i];

        state->ahead[i] = clamp(moved, 0, loss_upper(state->loss, problem_cost(state->problem, i)));
    }
    state->training->progress.row_visits += state->rows;
    proximal_newton_combine_ahead(state);
}

/* Repairs `ahead` in at most ROUNDS rounds. They end earlier when the scaled point meets the target
 * or cannot meet it, or when its excess is small. */
static void repair_ahead(struct proximal_newton *state, double target)
{
    enum { ROUNDS = 5 };
    struct column_lasso by = state->by;
    double gap;
    int rounds = 0;

    column_lasso_renew(&by);
    column_lasso_renew(&state->by); /* the repair overwrites this factor */
    /* Conjugate gradients are slow on dependent features. (-s 6, grants, C = 1: without a factor,
     * 1.4 times the time.) */
    by.has_factor = 1;
    by.factor.work = by.lasso.work;
    do {
        project_ahead(state, &by, SMALL * target);
        gap = gap_within(state);
    } while (++rounds < ROUNDS && gap <= target && !scaling_is_enough(state, gap, target));
    memcpy(state->repaired, state->ahead, state->rows * sizeof *state->repaired);
    memcpy(state->repaired_combined, state->combined,
           state->training->width * sizeof *state->repaired_combined);
    state->has_repaired = !state->is_centred;
    state->by.factor.work +=
        by.lasso.work - state->by.lasso.work; /* only models pay for a factor */
    state->by.lasso.work = by.lasso.work;
}

/* Far from the minimum, a model of short rows is about all features, because such a model costs
 * little. (sst2 with uni- and bigrams, -s 6, C = 4: 0.28 s instead of 0.75 s.) No feature is
 * outside of that set, so none asks for another one, and it usually stays until the end. A set that
 * grows by steps follows the solution to one that has few weights. */
void proximal_newton_choose_set(struct proximal_newton *state, double multiple)
{
    enum { SHORT_ROW = 20, TIMES = 4, MORE = 128 };
    const size_t features = state->problem->data->features;
    const size_t nonzeros = dense_nonzeros(state->w, features);
    const int has_short_rows = problem_nonzeros(state->problem) < SHORT_ROW * (double)state->rows;

    working_set_choose(&state->set,
                       has_short_rows && proximal_newton_is_far(state) ? features
                                                                       : TIMES * nonzeros + MORE,
                       state->w, state->combined, multiple);
    column_lasso_renew(&state->by);
}

/* Chooses another working set if a feature outside of it limits the multiple of `ahead`, or has a
 * |v_j| far above 1. (grants, -s 6, C = 1: 0.03 s instead of 0.18 s.) */
static void renew_set(struct proximal_newton *state, double multiple)
{
    static const double FAR_ABOVE = 1.2;
    const struct working_set *set = &state->set;
    double inside = 0, outside = 0;
    size_t earlier = 0;

    for (uint32_t j = 0; j < state->problem->data->features; j++) {
        const int is_in = earlier < set->count && set->member[earlier] == j;
        double *largest = is_in ? &inside : &outside;

        earlier += (size_t)is_in;
        if (fabs(state->combined[j]) > *largest) /* fmax would be a call */
            *largest = fabs(state->combined[j]);
    }
    for (size_t j = state->problem->data->features; j < problem_penalised(state->problem); j++)
        inside = fmax(inside, fabs(state->combined[j])); /* the bias is in every set */
    if (multiple * inside < 1 - 1e-9 || outside > FAR_ABOVE)
        proximal_newton_choose_set(state, multiple);
}

/* Exchanges `ahead` and the last repaired point. */
static void exchange_ahead(struct proximal_newton *state)
{
    double *ahead = state->ahead, *combined = state->combined;

    state->ahead = state->repaired;
    state->combined = state->repaired_combined;
    state->repaired = ahead;
    state->repaired_combined = combined;
}

/* Replaces `ahead`, of which *gap is gap_within, by the last repaired point if that is nearer to
 * feasibility and a repair of it may meet the target. Near the minimum, w changes little from step
 * to step, and a repair goes on where the last one ended. (phrases-67000x86000-synth, -s 6,
 * C = 4096: 1.0 s instead of 26 s.) */
static void take_repaired(struct proximal_newton *state, double target, double *gap)
{
    const double excess = excess_ahead(state);
    double its_gap;

    exchange_ahead(state);
    its_gap = gap_within(state);
    if (its_gap <= target && (*gap > target || excess_ahead(state) < excess))
        *gap = its_gap;
    else
        exchange_ahead(state);
}

void proximal_newton_improve_ahead(struct proximal_newton *state, int may_repair)
{
    const double target = certified_gap(state->training->parameters);
    double gap = may_repair ? gap_within(state) : HUGE_VAL;

    if (may_repair && !state->is_centred && state->has_repaired &&
        !scaling_is_enough(state, gap, target))
        take_repaired(state, target, &gap);
    if (gap <= target && !scaling_is_enough(state, gap, target))
        repair_ahead(state, target);
    renew_set(state, proximal_newton_best_multiple(state));
}
