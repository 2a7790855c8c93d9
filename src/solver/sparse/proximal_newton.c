/* proximal_newton.c - min over u of L(w) + <L'(w), u - w> + (u - w)'H(u - w)/2 + |u|_1,
 *                     w += t (u - w).
 *
 * P(w) = |w|_1 + L(w), L the sum of losses, which is smooth; H = sum_i h_i x_i x_i' with h_i the
 * second derivative of row i's loss, or the one it had before where that has changed little.
 *
 * The dual point of a step is alpha_i = C_i phi'(s_i) and, to first order, its change along the
 * step, back in its domain: its sum alpha_i y_i x_i is minus the gradient of the model at u, of
 * which no coordinate exceeds 1 at the minimum. What exceeds 1 is scaled away, and by columns first
 * repaired: see proximal_newton_repair.c.
 *
 * With few features the model has a matrix. With many it is about a working set of them, by
 * columns; a dual point is scaled by all, and the largest |v_j| out of the set asks for another
 * one. From w = 0 a large C would make the first sets much larger than the last: the costs grow in
 * stages, from the smallest of which the solution is not 0. Of the squared hinge the
 * last ones have a proximal term of the dual in their place: see proximal_newton_centre.c.
 */
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/elementary.h"
#include "base/status.h"
#include "base/sum.h"
#include "solver/loop/cost.h"
#include "solver/loop/primal_rule.h"
#include "solver/sparse/proximal_newton.h"

static const double STAGE_GAP = 0.1; /* the relative gap that ends a stage */

/* What part of P the losses are to be, where the dual gets a proximal term. */
static const double LOSSES = 0.1;

/* The next stage: of larger costs, or of centres. */
static void next_stage(struct proximal_newton *state)
{
    const double part = state->losses / problem_scale(state->problem, state->primal) / LOSSES;
    double factor = STAGE;

    if (state->may_centre && part <= 2) {
        proximal_newton_begin_centres(state);
        return;
    }
    if (state->may_centre)
        factor = clamp(part, 1.5, STAGE);
    proximal_newton_set_share(state, fmin(1, factor * state->share));
}

/* Whether what is found is about the training's problem. */
static int is_last(const struct proximal_newton *state)
{
    return state->share == 1 || state->is_centred;
}

static void step(void *context)
{
    struct proximal_newton *state = context;
    const double nonzeros = problem_nonzeros(state->problem), worked = state->lasso->work;
    double before;

    training_count_step(state->training);
    state->stalls++;
    if (state->by_columns && is_last(state) && state->ahead_dual < 0)
        working_set_screen(&state->set, state->training->primal + state->ahead_dual, state->w,
                           state->combined);
    if (!is_last(state) && state->gap < STAGE_GAP)
        next_stage(state);
    before = state->primal;
    proximal_newton_take_step(state);
    if (state->stalls % 8 == 0 && !state->is_exact) /* parts of steps add up rounding errors of z */
        proximal_newton_evaluate_all(state);
    if (state->by_columns && is_last(state))
        proximal_newton_repair_ahead(state);
    proximal_newton_find_dual(state);
    proximal_newton_judge(state);
    state->training->spent +=
        cost_of_evaluation(state->rows, nonzeros) + state->lasso->work - worked;
    if (state->is_centred && proximal_newton_has_few_weights(state))
        proximal_newton_end_centres(state);
    else if (state->is_centred && proximal_newton_is_settled(state, before))
        proximal_newton_centre(state);
}

/* ---- Rules -------------------------------------------------------------- */

/* The sum of all violations of optimality at w. */
static double violation(struct proximal_newton *state)
{
    const struct problem *problem = state->problem;
    struct sum sum = {0, 0};

    state->has_reference = 0;
    sums_form(&state->training->shards, problem, state->alpha, -1, state->combined);
    state->training->progress.row_visits += state->rows;
    for (size_t j = 0; j < state->training->width; j++)
        sum_add(&sum, lasso_violation_of(j < problem_penalised(problem), state->w[j],
                                         state->combined[j]));
    return sum_value(&sum);
}

/* LIBLINEAR's rule: that sum is at most eps max(min(#pos, #neg), 1)/m times what it is at w = 0. */
static int liblinear_rule(struct proximal_newton *state)
{
    const struct problem *problem = state->problem;

    return violation(state) <= state->training->parameters->eps * primal_rule_fewer(problem) /
                                   fmax(problem->rows, 1) * state->first;
}

/* The rule of the gap, measured by what the step has found if that is the training's point. */
static int gap_is_met(struct proximal_newton *state)
{
    struct training *training = state->training;
    const double gap = training->parameters->relative_gap;

    if (gap <= 0 || state->is_centred || !state->has_best_w || !state->has_best_dual)
        return training_gap_is_met(training);
    if (!state->is_exact)
        proximal_newton_evaluate_all(state);
    if (state->is_estimate)
        proximal_newton_evaluate(state);
    training_take_measure(training, state->primal, state->dual);
    return training->progress.relative_gap <= gap;
}

static int rules_hold(struct proximal_newton *state)
{
    struct training *training = state->training;
    const double gap = training->parameters->relative_gap;

    if (!is_last(state) || (gap > 0 && state->gap > gap))
        return 0;
    if (training->parameters->eps > 0 && !liblinear_rule(state))
        return 0;
    if (gap_is_met(state))
        return 1;
    if (state->by_columns)
        working_set_restore(&state->set);
    if (!state->is_exact)
        proximal_newton_evaluate_all(state);
    return 0;
}

static enum verdict met(void *context)
{
    enum { PATIENCE = 200 };
    struct proximal_newton *state = context;

    if (rules_hold(state))
        return MET;
    return state->stalls > PATIENCE || !(state->primal <= DBL_MAX) ? STALLED : GOES_ON;
}

/* ---- Beginning and end -------------------------------------------------- */

static void lay_out(void *context, struct arena *arena, const struct training *training)
{
    struct proximal_newton *to = context;
    const size_t rows = training->rows, width = training->width;

    to->w = arena_take(arena, width, sizeof *to->w);
    to->change = arena_take(arena, rows, sizeof *to->change);
    arena_leave_rest(arena);
    to->cost = arena_take(arena, rows, sizeof *to->cost);
    to->guess = arena_take(arena, width, sizeof *to->guess);
    to->step = arena_take(arena, width, sizeof *to->step);
    to->combined = arena_take(arena, width, sizeof *to->combined);
    to->v = arena_take(arena, width, sizeof *to->v);
    to->z = arena_take(arena, rows, sizeof *to->z);
    to->next = arena_take(arena, rows, sizeof *to->next);
    to->alpha = arena_take(arena, rows, sizeof *to->alpha);
    to->curvature = arena_take(arena, rows, sizeof *to->curvature);
    to->ahead = arena_take(arena, rows, sizeof *to->ahead);
    to->by_columns = column_cache_in_columns(training->problem);
    if (to->by_columns) {
        to->weight = arena_take(arena, rows, sizeof *to->weight);
        to->reference = arena_take(arena, rows, sizeof *to->reference);
        to->inverse = arena_take(arena, rows, sizeof *to->inverse);
        to->shift = arena_take(arena, rows, sizeof *to->shift);
        working_set_lay_out(&to->set, arena, training->problem);
        column_lasso_lay_out(&to->by, arena, width, rows + (size_t)1);
    } else {
        dense_lasso_lay_out(&to->dense, arena, width);
        to->difference = arena_take(arena, rows + (size_t)1, sizeof *to->difference);
        to->changed = arena_take(arena, rows + (size_t)1, sizeof *to->changed);
    }
}

static void end(void *context)
{
    proximal_newton_leave_last(context);
}

static enum hinge_status begin(void *context, struct training *training, struct hinge_error *error)
{
    struct proximal_newton *state = context;
    const struct problem *problem = training->problem;
    struct last_point *last = training->task->last;
    const double *start = training->start;
    int goes_on = start && last && last->C > 0 && training->progress.passes == 0;

    if (!(state->column_cache = workspace_by_features(training->task->workspace, problem, error)))
        return failure(error);
    if (state->by_columns)
        working_set_begin(&state->set, problem, state->column_cache);
    else
        state->weight = state->column_cache->weight;
    state->dense.matrix = state->column_cache->matrix;
    state->lasso = state->by_columns ? &state->by.lasso : &state->dense.lasso;
    state->lasso->order = training->width;
    state->lasso->penalised = problem_penalised(problem);
    state->training = training;
    state->staged = *problem;
    state->staged.cost = state->cost;
    state->problem = &state->staged;
    state->loss = problem->loss;
    state->rows = training->rows;
    state->stop = training_stop(training);
    /* the rule of violations is about w's own alpha */
    state->may_centre =
        state->by_columns && loss_is_squared(state->loss) && training->parameters->eps <= 0;
    if (last) { /* it works in these */
        state->z = last->margin;
        state->alpha = last->slope;
        state->curvature = last->curvature;
        state->v = last->v;
    }
    training->v = state->v;
    training->start = NULL;
    if (start) /* it may be training->w, which the evaluation at 0 overwrites */
        memcpy(state->step, start, training->width * sizeof *state->step);
    proximal_newton_set_costs(state, 1);
    if (!start || training->parameters->eps > 0)
        proximal_newton_evaluate_all(state);
    if (training->parameters->eps > 0) {
        state->first = violation(state);
        goes_on = 0;
    }
    proximal_newton_start(state, start ? state->step : NULL, goes_on);
    return HINGE_OK;
}

const struct method proximal_newton = {.name = "newton",
                                       .size = sizeof(struct proximal_newton),
                                       .lay_out = lay_out,
                                       .begin = begin,
                                       .step = step,
                                       .met = met,
                                       .end = end};
