/* proximal_newton.c - min over u of L(w) + <L'(w), u - w> + (u - w)'H(u - w)/2 + |u|_1,
 *                     w += t (u - w).
 *
 * P(w) = |w|_1 + L(w), where L is the sum of the smooth losses. H = sum_i h_i x_i x_i', where h_i
 * is the second derivative of the loss of row i, or an earlier one if it has changed little.
 *
 * The dual point of a step is alpha_i = C_i phi'(s_i) plus, to first order, its change along the
 * step, clipped to its domain. Its sum v = sum alpha_i y_i x_i is minus the gradient of the model
 * at u, of which no coordinate exceeds 1 at the minimum. What exceeds 1 is repaired or scaled away:
 * see proximal_newton_repair.c.
 *
 * With few features the model has a matrix. With many, it has the columns of a working set; the
 * dual point is scaled by all features, and a largest |v_j| outside the set asks for another set.
 * Features that are equal in all rows have the same v_j, and any division of their weight without
 * opposite signs has the same P. So the first of them has the whole weight, and the others have
 * weight 0 and no columns. (sst2 with uni- and bigrams: 22,655 of 74,055 features are such.)
 * From w = 0 a large C would make the first sets much larger than the last one, so the costs grow
 * in stages. For the squared hinge, a proximal term of the dual replaces the last stages.
 */
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/elementary.h"
#include "base/status.h"
#include "base/sum.h"
#include "solver/linear/cost.h"
#include "solver/linear/line_search.h"
#include "solver/loop/method.h"
#include "solver/sparse/proximal_newton.h"

/* The matrix gets the present second derivative of a row when that has changed by this part. */
static const double STALE = 0.2;

/* By columns, the model leaves out rows whose second derivative is this part of the largest one. */
static const double FLAT = 1e-7;

/* Returns the feature of coordinate j of the model. */
static size_t feature_of(const struct proximal_newton *state, size_t j)
{
    return state->by_columns ? state->set.member[j] : j;
}

/* ---- The model ---------------------------------------------------------- */

/* Brings the matrix up to date by the rows whose second derivative has changed. */
static void form_matrix(struct proximal_newton *state)
{
    const size_t order = state->lasso->order;
    const struct shards one = {.rows = state->rows, .count = 1, .length = order * order};
    double *matrix = state->column_cache->matrix, *weight = state->column_cache->weight;
    uint32_t count = 0;

    for (uint32_t i = 0; i < state->rows; i++) {
        const double difference = state->curvature[i] - weight[i];

        state->changed[count] = i;
        state->difference[count] = difference;
        count += (uint32_t) !(fabs(difference) <= STALE * weight[i]);
    }
    sums_outer(&one, state->problem, (struct selection){state->changed, count}, state->difference,
               &state->stop, matrix);
    for (uint32_t s = 0; s < count; s++)
        weight[state->changed[s]] += state->difference[s];
    if (stop_is_asked(&state->stop)) { /* it may lack rows, and the next training uses it */
        memset(matrix, 0, order * order * sizeof *matrix);
        memset(weight, 0, state->rows * sizeof *weight);
    }
    for (size_t j = 0; j < order; j++)
        for (size_t k = 0; k < j; k++)
            matrix[j * order + k] = matrix[k * order + j];
}

static ALWAYS_INLINE void weigh_as(struct proximal_newton *state, enum loss loss)
{
    for (uint32_t i = 0; i < state->rows; i++) {
        const double now = state->curvature[i];

        state->weight[i] = now > FLAT * loss_most_curvature(loss, state->cost[i]) ? now : 0;
    }
}

/* Forms the model at w, by columns over the working set. */
static void form_model(struct proximal_newton *state)
{
    const struct problem *problem = state->problem;
    struct lasso *lasso = state->lasso;

    if (state->by_columns) {
        WITH_SMOOTH_PHI(state->loss, weigh_as(state, LOSS));
        working_set_model(&state->set, state->weight, &state->by);
        working_set_combine_some(&state->set, state->alpha, -1, lasso->gradient);
        for (size_t j = 0; j < lasso->order; j++) {
            const double norm = j < state->set.count ? state->set.norm[state->set.member[j]] : 0;

            state->by.ridge[j] = state->mu * state->share * norm * norm;
        }
    } else {
        form_matrix(state);
        memset(lasso->gradient, 0, lasso->order * sizeof *lasso->gradient);
        sums_combine(&state->training->shards, problem, all_rows(problem), state->alpha, -1,
                     lasso->gradient);
    }
    state->training->progress.row_visits += state->rows;
    for (size_t j = 0; j < lasso->order; j++)
        lasso->u[j] = state->w[feature_of(state, j)];
    if (state->by_columns)
        memcpy(state->by.origin, lasso->u, lasso->order * sizeof *lasso->u);
}

/* Returns the largest violation at w. The violation of coordinate j is the change of its gradient
 * that would make w_j its minimum. By columns, a weight that is nearly 0 and has |v_j| < 1 counts
 * only as much as the step to 0 would change its gradient. A step that is not taken whole leaves
 * many such weights. (20news, -s 5, C = 0.0625: at most 7 steps for a class instead of 22.) */
static double violation_now(const struct proximal_newton *state)
{
    const struct lasso *lasso = state->lasso;
    double largest = 0;

    if (!state->by_columns)
        return lasso_violation(lasso, lasso->gradient);
    for (size_t j = 0; j < lasso->order; j++) {
        const double gradient = lasso->gradient[j], w = lasso->u[j];
        double violation = lasso_violation_of(j < lasso->penalised, w, gradient);

        if (j < state->set.count && w != 0) {
            const double norm = state->set.norm[state->set.member[j]];

            violation = fmin(violation, state->share * norm * norm * fabs(w) +
                                            lasso_violation_of(1, 0, gradient));
        }
        largest = fmax(largest, violation);
    }
    return largest;
}

/* Returns the violation that the model's solution may have. It is scaled away from the dual point,
 * which adds |w|_1/P times as much to the relative gap: half of the target is enough for the last
 * step. Before that, Newton's method squares the violation. By columns, sweeps are expensive. For
 * the logistic loss, a rougher solution and a repair of the dual point are cheaper. (sst2 with
 * uni- and bigrams, -s 6, C = 16, to a gap of 1e-6: 24 s instead of 33 s.) For the squared hinge,
 * rougher solutions delay the centres. (farm-ads, -s 5, C = 1024: 6.5 s instead of 0.9 s.) */
static double tolerance(const struct proximal_newton *state, int is_last)
{
    const double now = violation_now(state);
    const double part = state->by_columns ? 0.3 : 0.02;
    const double square = state->by_columns && loss_is_curved(state->loss) ? 3 : part;
    const double enough = 0.5 * certified_gap(state->training->parameters) /
                          fmax(proximal_newton_norm_part(state), 0.01);

    return is_last ? enough : clamp(square * now * now, enough, part * now);
}

int proximal_newton_is_far(const struct proximal_newton *state)
{
    static const double FAR_PROMISE = 0.05; /* part of P */

    return state->promise > FAR_PROMISE * state->primal;
}

/* Returns the most rounds for a model by columns. Far from the minimum, where the model is far from
 * P, one is enough. (sst2 with uni- and bigrams, -s 6, C = 16: 0.54 s instead of 0.70 s.) For the
 * logistic loss, FEW are enough until the promise falls below BETWEEN of P. (grants, -s 6, C = 4,
 * 256: 0.08, 0.30 s instead of 0.12, 0.47 s.) */
static unsigned rounds_of_model(const struct proximal_newton *state, int is_last)
{
    enum { FEW = 4, STEADY = 16 }; /* STEADY steps without progress add rounds */
    static const double BETWEEN = 0.003;

    if (!is_last && proximal_newton_is_far(state))
        return 1;
    if (!is_last && loss_is_curved(state->loss) && state->promise > BETWEEN * state->primal)
        return FEW;
    return LASSO_ROUNDS * (1 + state->stalls / STEADY);
}

/* Finds the minimum u of the model. */
static void solve_model(struct proximal_newton *state, int is_last)
{
    const double enough = tolerance(state, is_last);

    if (state->by_columns)
        column_lasso_solve(&state->by, enough, rounds_of_model(state, is_last), &state->stop);
    else
        dense_lasso_solve(&state->dense, enough, &state->stop);
}

/* ---- The step ----------------------------------------------------------- */

/* Finds the dual point of the step, before it is scaled. */
static ALWAYS_INLINE void ahead_as(struct proximal_newton *state, enum loss loss)
{
    for (uint32_t i = 0; i < state->rows; i++) {
        const double moved = state->alpha[i] - state->weight[i] * state->change[i];

        state->ahead[i] = clamp(moved, 0, loss_upper(loss, problem_cost(state->problem, i)));
    }
}

/* A point w + t (u - w) of the step. */
struct bound_point {
    struct proximal_newton *state;
    double t;
    double linear; /* |u|_1 - |w|_1; |w + t (u - w)|_1 is at most |w|_1 + t linear */
    double losses; /* the losses at the last t */
};

/* Finds the derivatives of a bound of P along the step. The search ends at t = 1. */
static void derive(void *context, double t, double *first, double *second)
{
    struct bound_point *at = context;
    double slope;

    at->t = t;
    at->losses = proximal_newton_losses(at->state, t, &slope, second);
    *first = at->linear - slope;
    if (t >= 1 && *first < 0)
        *first = 0;
}

/* Adapts the ridge. If few rows have a positive slack, the model has no curvature in most
 * directions, and its minimum is so far away that other rows get a positive slack on the way. A
 * ridge shortens the step. After a short step, the ridge is at least FIRST/2^n, where n is the
 * number of earlier short steps at the same costs, and at least LEAST. With a ridge that is too
 * large, a dozen steps win nothing until it has shrunk. (counts-6000x40000-synth, -s 6,
 * C = 4096: 3.0 s, with FIRST alone 6.4 s.) */
static void damp(struct proximal_newton *state, double t)
{
    static const double FIRST = 1e-4, LEAST = 1e-6, NONE = 1e-7;
    const double less = state->smoothing > 0 ? 8 : 2;

    if (t < 0.5)
        state->mu = fmax(4 * state->mu, fmax(FIRST * exp2(-(double)state->short_steps), LEAST));
    else if (t == 1)
        state->mu = state->mu > NONE ? state->mu / less : 0;
}

/* Adds minus the slope of the losses along the step at w. */
static void add_slope(void *context, const struct shard *shard)
{
    const struct proximal_newton *state = context;

    for (uint32_t i = shard->first; i < shard->end; i++)
        shard->scalars[0] += state->alpha[i] * state->change[i];
}

/* Finds the step from w to the minimum of the model, and its dual point. If the step is the last
 * one, only its dual point will be used. */
static void find_step(struct proximal_newton *state, int is_last)
{
    struct lasso *lasso = state->lasso;

    form_model(state);
    solve_model(state, is_last);
    for (size_t j = 0; j < lasso->order; j++)
        state->step[j] = state->w[feature_of(state, j)];
    if (state->by_columns)
        working_set_margins(&state->set, lasso->u, state->next);
    else
        sums_margins(&state->training->shards, state->problem, all_rows(state->problem), lasso->u,
                     state->next);
    for (uint32_t i = 0; i < state->rows; i++)
        state->change[i] = state->next[i] - state->z[i];
    state->training->progress.row_visits += state->rows;
    WITH_SMOOTH_PHI(state->loss, ahead_as(state, LOSS));
}

/* Moves w by t (u - w), unless the model promises no descent. */
static void move(struct proximal_newton *state)
{
    struct bound_point at = {.state = state};
    struct lasso *lasso = state->lasso;
    double start, t, ignored, scalars[MOST_SCALARS];

    at.linear = proximal_newton_norm(lasso->u, lasso->penalised) -
                proximal_newton_norm(state->step, lasso->penalised);
    sums_run(&state->training->shards, all_rows(state->problem), add_slope, state, scalars, NULL);
    state->promise = start = scalars[0] - at.linear;
    if (!(start > 0))
        return;
    t = line_search(derive, &at, start, 0.3, 1);
    if (t != at.t)
        at.losses = proximal_newton_losses(state, t, &ignored, &ignored);
    if (state->by_columns)
        damp(state, t);
    state->short_steps += t < 0.5;
    for (size_t j = 0; j < lasso->order; j++)
        state->w[feature_of(state, j)] = lasso->u[j] =
            t < 1 ? state->step[j] + t * (lasso->u[j] - state->step[j]) : lasso->u[j];
    for (uint32_t i = 0; i < state->rows; i++)
        state->z[i] = t == 1 ? state->next[i] : state->z[i] + t * state->change[i];
    state->is_exact = t == 1;
    state->has_best_w = 0;
    proximal_newton_keep_primal(state, proximal_newton_norm(lasso->u, lasso->penalised), at.losses);
}

/* ---- The method ---------------------------------------------------------- */

static void step(void *context)
{
    struct proximal_newton *state = context;
    const double nonzeros = problem_nonzeros(state->problem), worked = state->lasso->work;
    double before;

    training_count_step(state->training);
    state->stalls++;
    proximal_newton_before_step(state);
    before = state->primal;
    find_step(state, 0);
    move(state);
    if (state->stalls % 8 == 0 && !state->is_exact) /* partial steps add up rounding errors in z */
        proximal_newton_evaluate_all(state);
    proximal_newton_find_dual(state, proximal_newton_is_last(state));
    proximal_newton_judge(state);
    state->training->spent +=
        cost_of_evaluation(state->rows, nonzeros) + state->lasso->work - worked;
    proximal_newton_after_step(state, before);
}

/* ---- Rules -------------------------------------------------------------- */

/* Returns the sum of all violations of optimality at w. */
static double violation(struct proximal_newton *state)
{
    const struct problem *problem = state->problem;
    struct sum sum = {0, 0};

    sums_form(&state->training->shards, problem, state->alpha, -1, state->combined);
    state->training->progress.row_visits += state->rows;
    for (size_t j = 0; j < state->training->width; j++)
        sum_add(&sum, lasso_violation_of(j < problem_penalised(problem), state->w[j],
                                         state->combined[j]));
    return sum_value(&sum);
}

/* True if the gap is met. If the training has the step's point, the step's sums measure it. */
static int gap_is_met(struct proximal_newton *state)
{
    struct training *training = state->training;
    const double gap = training->parameters->relative_gap;

    if (gap <= 0 || state->is_centred || state->width > 0 || !state->has_best_w ||
        !state->has_best_dual)
        return training_gap_is_met(training);
    if (!state->is_exact)
        proximal_newton_evaluate_all(state);
    if (state->is_estimate)
        proximal_newton_evaluate(state);
    training_take_measure(training, state->primal, state->dual);
    return training->progress.relative_gap <= gap;
}

/* LIBLINEAR's rule holds if the violations at w are at most eps max(min(#pos, #neg), 1)/m times
 * those at w = 0. */
static int rules_hold(struct proximal_newton *state)
{
    struct training *training = state->training;
    const double gap = training->parameters->relative_gap, eps = training->parameters->eps;
    const double rows = fmax(state->problem->rows, 1);

    if (!proximal_newton_is_last(state) || (gap > 0 && state->gap > gap))
        return 0;
    if (eps > 0 &&
        !(violation(state) <= eps * primal_rule_fewer(state->problem) / rows * state->first))
        return 0;
    if (training_needs_dual(training)) {
        find_step(state, 1);
        proximal_newton_find_dual(state, 1);
    }
    if (gap_is_met(state))
        return 1;
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
        to->inverse = arena_take(arena, rows, sizeof *to->inverse);
        to->shift = arena_take(arena, rows, sizeof *to->shift);
        to->repaired = arena_take(arena, rows, sizeof *to->repaired);
        to->repaired_combined = arena_take(arena, width, sizeof *to->repaired_combined);
        working_set_lay_out(&to->set, arena, training->problem);
        column_lasso_lay_out(&to->by, arena, width, rows + (size_t)1, to->set.most);
    } else {
        dense_lasso_lay_out(&to->dense, arena, width);
        to->difference = arena_take(arena, rows + (size_t)1, sizeof *to->difference);
        to->changed = arena_take(arena, rows + (size_t)1, sizeof *to->changed);
    }
}

/* Leaves the point for the next C, if all of its sums are known. */
static void end(void *context)
{
    const struct proximal_newton *state = context;
    const struct training *training = state->training;
    struct last_point *last = training->task->last;

    if (!last)
        return;
    last->C = training->point.sums == SUMS_FROM_METHOD && !state->is_centred && state->width == 0
                  ? training->problem->C
                  : 0;
    last->losses = state->losses;
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
    /* the rule of violations needs the alpha of w itself */
    state->may_centre =
        state->by_columns && loss_is_squared(state->loss) && training->parameters->eps <= 0;
    state->may_smooth = state->may_centre;
    if (last) { /* the method works in its arrays */
        state->z = last->margin;
        state->alpha = last->slope;
        state->curvature = last->curvature;
        state->v = last->v;
    }
    training->point.v = state->v;
    training->start = NULL;
    if (start) /* it may be training->point.w, which the evaluation at 0 overwrites */
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
