/* proximal_newton_point.c - P(w), the dual point that goes with it, and the gap between them.
 *
 * The dual point of a step, `ahead`, is scaled until its sum v = sum alpha_i y_i x_i is feasible.
 * Scaling costs the gap |w|_1 times the largest violation; a repair of the point costs about |w|_1
 * times the mean violation. At a large C, where a model has nearly as many features as rows and is
 * solved roughly, the largest violation is ten times the mean, and P is near its minimum long
 * before the largest is small. The repair is
 *
 *     min over d of sum_i h_i <x_i, d>^2/2 - <v, d> + |d|_1,    alpha_i -= h_i y_i <x_i, d>,
 *
 * the dual of: find the point nearest to alpha, in the norm of 1/h_i, at which no |v_j| of some
 * features exceeds 1. h_i is the curvature of the model, 0 for rows at an end of their domain.
 * d is 0 where |v_j| < 1, even if w_j is not 0, so a few sweeps find it. A repair that does not end
 * goes on at the next step.
 */
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/elementary.h"
#include "base/sum.h"
#include "problem/bias.h"
#include "problem/loss_rows.h"
#include "solver/sparse/proximal_newton.h"

/* ---- P ------------------------------------------------------------------- */

/* A point w + t (u - w) of the step. */
struct line_point {
    struct proximal_newton *state;
    double t;
};

enum { VALUE, SLOPE, BEND };

/* Returns the target of row i, from which its slack is the distance of the margin. */
static double target_at(const struct proximal_newton *state, uint32_t i)
{
    return loss_target(state->loss) + (state->is_centred ? state->shift[i] : 0);
}

static void find_slacks(const struct line_point *at, uint32_t first, uint32_t count, double *slack)
{
    const struct proximal_newton *state = at->state;
    const double t = at->t;
    const double *z = t == 1 ? state->next : state->z;

    for (uint32_t k = 0; k < count; k++) {
        const uint32_t i = first + k;

        slack[k] = target_at(state, i) - (t == 0 || t == 1 ? z[i] : z[i] + t * state->change[i]);
    }
}

/* Replaces values and derivatives of the squared hinge by smoothed ones. */
static void smooth_points(const struct proximal_newton *state, uint32_t first, uint32_t count,
                          const double *slack, double *value)
{
    const double width = state->width;

    for (uint32_t k = 0; k < count; k++) {
        const double cost = state->cost[first + k], s = slack[k];
        const double root = sqrt(s * s + width * width);
        const double sum = s > 0 ? root + s : width * (width / (root - s));

        value[k] = cost * (s * sum + width * width * log_of(sum / width)) / 2;
        state->alpha[first + k] = cost * sum;
        state->curvature[first + k] = cost * (sum / root);
    }
}

static void add_evaluation(void *context, const struct shard *shard)
{
    const struct line_point *at = context;
    const struct proximal_newton *state = at->state;
    struct sum value = {0, 0};
    double slope = 0, bend = 0;
    double cost[ROWS_AT_ONCE], slack[ROWS_AT_ONCE], some[ROWS_AT_ONCE];

    for (uint32_t i = shard->first, count; i < shard->end; i += count) {
        const double *change = state->change + i;
        const double *alpha = state->alpha + i, *curvature = state->curvature + i;

        count = block_end(i, shard->end) - i;
        find_slacks(at, i, count, slack);
        loss_rows_points(state->loss, count, problem_costs(state->problem, i, count, cost), slack,
                         some, state->alpha + i, state->curvature + i);
        if (state->width > 0)
            smooth_points(state, i, count, slack, some);
        sum_add_all(&value, some, count);
        for (uint32_t k = 0; k < count; k++) {
            slope += alpha[k] * change[k];
            bend += curvature[k] * change[k] * change[k];
        }
    }
    shard->scalars[VALUE] += sum_value(&value);
    shard->scalars[SLOPE] += slope;
    shard->scalars[BEND] += bend;
}

double proximal_newton_losses(struct proximal_newton *state, double t, double *slope, double *bend)
{
    const struct training *training = state->training;
    struct line_point at = {state, t};
    double scalars[MOST_SCALARS];

    sums_run(&training->shards, all_rows(training->problem), add_evaluation, &at, scalars, NULL);
    state->training->progress.row_visits += state->rows;
    *slope = scalars[SLOPE];
    *bend = scalars[BEND];
    return scalars[VALUE];
}

static void add_whole_losses(void *context, const struct shard *shard)
{
    const struct proximal_newton *state = context;
    struct sum value = {0, 0};

    for (uint32_t i = shard->first; i < shard->end; i++)
        sum_add(&value, loss_value(state->loss, problem_cost(state->training->problem, i),
                                   loss_target(state->loss) - state->z[i]));
    shard->scalars[VALUE] += sum_value(&value);
}

/* Returns the losses at w with the training's costs and targets. */
static double whole_losses(struct proximal_newton *state)
{
    const struct training *training = state->training;
    double scalars[MOST_SCALARS];

    sums_run(&training->shards, all_rows(training->problem), add_whole_losses, state, scalars,
             NULL);
    return scalars[VALUE];
}

void proximal_newton_keep_primal(struct proximal_newton *state, double norm, double losses)
{
    const double whole =
        state->is_centred || state->width > 0 ? whole_losses(state) : losses / state->share;

    state->primal = norm + losses;
    state->losses = losses;
    state->plain = state->width > 0 ? norm + state->share * whole : state->primal;
    state->is_estimate = 0;
    state->has_best_w |= training_keep_primal(state->training, state->w, norm + whole);
}

double proximal_newton_norm(const double *u, size_t penalised)
{
    struct sum norm = {0, 0};

    for (size_t j = 0; j < penalised; j++)
        sum_add(&norm, fabs(u[j]));
    return sum_value(&norm);
}

double proximal_newton_norm_part(const struct proximal_newton *state)
{
    return (state->primal - state->losses) / problem_scale(state->problem, state->primal);
}

void proximal_newton_evaluate(struct proximal_newton *state)
{
    double ignored;
    const double losses = proximal_newton_losses(state, 0, &ignored, &ignored);

    proximal_newton_keep_primal(
        state, proximal_newton_norm(state->w, problem_penalised(state->problem)), losses);
}

void proximal_newton_evaluate_all(struct proximal_newton *state)
{
    sums_margins(&state->training->shards, state->problem, all_rows(state->problem), state->w,
                 state->z);
    state->is_exact = 1;
    state->training->progress.row_visits += state->rows;
    proximal_newton_evaluate(state);
}

/* ---- The dual point ----------------------------------------------------- */

/* Returns the problem whose dual values are compared. */
static const struct problem *problem_of_dual(const struct proximal_newton *state)
{
    return state->is_centred ? state->training->problem : state->problem;
}

double proximal_newton_best_multiple(const struct proximal_newton *state)
{
    const double largest = dense_largest(state->combined, problem_penalised(state->problem));
    double linear = 0, square = 0, most;

    most = largest > 0 ? (1 - 16 * DBL_EPSILON) / largest : HUGE_VAL;
    if (!loss_is_squared(state->loss))
        return fmin(most, 1);
    for (uint32_t i = 0; i < state->rows; i++) {
        linear += state->ahead[i];
        square += state->ahead[i] / problem_cost(problem_of_dual(state), i) * state->ahead[i];
    }
    return square > 0 ? fmin(most, 2 * linear / square) : 1;
}

/* Forms the sum of `ahead`. */
static void combine_ahead(struct proximal_newton *state)
{
    struct training *training = state->training;

    bias_balance(training->problem, state->ahead);
    if (state->by_columns)
        working_set_combine(&state->set, &training->shards, state->ahead, state->combined);
    else
        sums_form(&training->shards, training->problem, state->ahead, 1, state->combined);
    training->progress.row_visits += state->rows;
}

void proximal_newton_scale_ahead(struct proximal_newton *state, double multiple)
{
    for (uint32_t i = 0; i < state->rows; i++)
        state->ahead[i] *= multiple;
    for (size_t j = 0; j < state->training->width; j++)
        state->combined[j] *= multiple;
}

/* Finds the dual value of `ahead`, which is feasible, and keeps the point if that is the lowest. */
static void keep_ahead(struct proximal_newton *state)
{
    struct training *training = state->training;
    const struct problem *whole = training->problem;
    const double dual = sums_conjugates(&training->shards, problem_of_dual(state), state->ahead);

    state->dual = fmin(state->dual, dual);
    state->has_best_dual = training_keeps_dual(
        training, state->is_centred || state->share == 1
                      ? dual
                      : sums_conjugates(&training->shards, whole, state->ahead));
    if (state->has_best_dual) {
        memcpy(training->point.alpha, state->ahead, state->rows * sizeof *state->ahead);
        memcpy(state->v, state->combined, training->width * sizeof *state->v);
    }
}

/* For a curved loss, the gap of a row is about the squared difference of `ahead` and alpha over
 * twice the curvature. */
static ALWAYS_INLINE double losses_gap_as(const struct proximal_newton *state, enum loss loss)
{
    double gap = 0;

    for (uint32_t i = 0; i < state->rows; i++) {
        const double difference = state->ahead[i] - state->alpha[i];

        gap += loss_is_curved(loss) ? difference * difference / (2 * state->curvature[i] + DBL_MIN)
                                    : loss_gap(loss, loss_scale(loss, state->cost[i]),
                                               state->ahead[i], target_at(state, i) - state->z[i]);
    }
    return gap;
}

double proximal_newton_losses_gap(const struct proximal_newton *state)
{
    double gap = 0;

    WITH_SMOOTH_PHI(state->loss, gap = losses_gap_as(state, LOSS));
    return gap;
}

/* ---- Repairing the dual point -------------------------------------------- */

/* A largest |v_j| that exceeds 1 by this part of the target gap needs no repair: scaling adds at
 * most as much to the gap, because |w|_1 <= P. */
static const double SMALL = 0.1;

/* Returns by how much the largest |v_j| of `ahead` exceeds 1. */
static double excess_ahead(const struct proximal_newton *state)
{
    return dense_largest(state->combined, problem_penalised(state->problem)) - 1;
}

/* Returns an estimate of the relative gap that scaling `ahead` by 1/(1 + excess) adds. The square
 * matters if |w|_1 is a small part of P. */
static double gap_of_scaling(const struct proximal_newton *state, double excess)
{
    return excess * (proximal_newton_norm_part(state) + excess);
}

/* Returns the relative gap of w and `ahead` that would be left if no |v_j| exceeded 1. */
static double gap_within(const struct proximal_newton *state)
{
    double gap = proximal_newton_losses_gap(state);

    for (size_t j = 0; j < problem_penalised(state->problem); j++)
        gap += fmax(fabs(state->w[j]) - state->w[j] * state->combined[j], 0);
    return gap / problem_scale(state->problem, state->primal);
}

/* True if scaled `ahead`, of which `gap` is gap_within, meets the target, or its excess is small.
 */
static int scaling_is_enough(const struct proximal_newton *state, double gap, double target)
{
    const double excess = excess_ahead(state);

    return excess <= SMALL * target || gap + gap_of_scaling(state, excess) <= target;
}

/* Adds the features that are near or beyond the bound to those of the repair. */
static void add_violators(const struct proximal_newton *state, struct working_set *set)
{
    static const double NEAR = 0.9;
    const uint32_t features = state->problem->data->features;
    size_t earlier = 0, count = 0;

    for (uint32_t j = 0; j < features; j++) {
        const int is_in = earlier < set->count && set->member[earlier] == j;

        earlier += (size_t)is_in;
        if (is_in || fabs(state->combined[j]) > NEAR)
            state->violator[count++] = j;
    }
    memcpy(set->member, state->violator, count * sizeof *set->member);
    set->member[count] = features;
    set->count = count;
}

/* Moves `ahead` to the nearest point that is feasible for the features of the set. */
static void project_ahead(struct proximal_newton *state, struct working_set *set,
                          struct column_lasso *by, double tolerance)
{
    for (uint32_t i = 0; i < state->rows; i++)
        if (!loss_is_free(state->loss, problem_cost(state->problem, i), state->ahead[i]))
            state->weight[i] = 0;
    working_set_model(set, state->weight, by);
    for (size_t k = 0; k < by->lasso.order; k++) {
        by->lasso.gradient[k] = -state->combined[set->member[k]];
        by->lasso.u[k] = by->origin[k] = by->ridge[k] = 0;
    }
    column_lasso_solve(by, tolerance, 1, &state->stop);
    working_set_margins(set, by->lasso.u, state->next);
    for (uint32_t i = 0; i < state->rows; i++) {
        const double moved = state->ahead[i] - state->weight[i] * state->next[i];

        state->ahead[i] = clamp(moved, 0, loss_upper(state->loss, problem_cost(state->problem, i)));
    }
    state->training->progress.row_visits += state->rows;
    combine_ahead(state);
}

/* Repairs `ahead` in rounds. `gap` is gap_within. Rounds end when the scaled point meets the target
 * or cannot, when the excess is small, or when a round does not halve it.
 *
 * If no |v_j| exceeds 1 by much, a round projects onto all features near the bound, and features
 * that it lifts above 1 join them. (Multiply-adds of -s 6, C = 16, instead of those with the
 * working set alone: sst2 with uni- and bigrams 2.1e9 instead of 2.3e9, farm-ads 5.2e8 instead
 * of 6.0e8.) Otherwise, or with centres, a round projects onto the working set. True if another
 * working set was chosen. */
static int repair_ahead(struct proximal_newton *state, double gap, double target)
{
    enum { ROUNDS = 3 };
    /* For the logistic loss, the first round may leave this part of what the target allows.
     * (blocks-8190x1845-synth, C = 64: 7.3e8 multiply-adds instead of 9.3e8.) */
    static const double ROOM = 0.5;
    const double room = ROOM * (target - gap), least = SMALL * target;
    double excess = excess_ahead(state), before = HUGE_VAL;
    const int is_far = excess > 1 || state->is_centred;
    const int rounds = state->is_centred ? 1 : ROUNDS;
    struct working_set set = state->set;
    struct column_lasso by = state->by;
    double tolerance = least;

    column_lasso_renew(&by);
    column_lasso_renew(&state->by); /* the repair overwrites this factor */
    /* Conjugate gradients are slow on dependent features. (grants, C = 1: 2.0e9 instructions
     * instead of 3.1e9 by -s 5, 1.4e9 instead of 2.1e9 by -s 6.) */
    by.has_factor = 1;
    by.factor.work = by.lasso.work;
    if (!is_far) {
        proximal_newton_choose_set(state, proximal_newton_best_multiple(state));
        set.member = state->repaired;
        set.count = 0;
    }
    if (loss_is_curved(state->loss)) /* gap_of_scaling of this is at most room */
        tolerance = fmax(least, room / (proximal_newton_norm_part(state) + sqrt(room)));
    for (int round = 0; round < rounds; round++) {
        if (gap > target || scaling_is_enough(state, gap, target) || excess >= 0.5 * before)
            break;
        if (!is_far) {
            add_violators(state, &set);
            column_lasso_renew(&by);
        }
        before = excess;
        project_ahead(state, &set, &by, tolerance);
        excess = excess_ahead(state);
        gap = gap_within(state);
        tolerance = least;
    }
    memcpy(state->repair, state->ahead, state->rows * sizeof *state->repair);
    memcpy(state->repair_combined, state->combined,
           state->training->width * sizeof *state->repair_combined);
    state->has_repair = !state->is_centred;
    state->by.factor.work +=
        by.lasso.work - state->by.lasso.work; /* only models pay for a factor */
    state->by.lasso.work = by.lasso.work;
    return !is_far;
}

void proximal_newton_choose_set(struct proximal_newton *state, double multiple)
{
    const size_t nonzeros = dense_nonzeros(state->w, state->problem->data->features);

    working_set_choose(&state->set, 2 * nonzeros + 128, state->w, state->combined, multiple);
    column_lasso_renew(&state->by);
}

/* Chooses another working set if a feature outside of it limits the multiple of `ahead`, or has a
 * |v_j| far above 1. (grants, -s 6, C = 1: 3.0e8 multiply-adds instead of 5.4e8.) */
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
        *largest = fmax(*largest, fabs(state->combined[j]));
    }
    if (multiple * inside < 1 - 1e-9 || outside > FAR_ABOVE)
        proximal_newton_choose_set(state, multiple);
}

/* Exchanges `ahead` and the last repaired point. */
static void exchange_ahead(struct proximal_newton *state)
{
    double *ahead = state->ahead, *combined = state->combined;

    state->ahead = state->repair;
    state->combined = state->repair_combined;
    state->repair = ahead;
    state->repair_combined = combined;
}

/* Replaces `ahead`, of which *gap is gap_within, by the last repaired point if that is nearer to
 * feasibility and a repair of it may meet the target. Near the minimum, w changes little from step
 * to step, and a repair goes on where the last one ended. (phrases-67000x86000-synth, C = 256:
 * 4.0e8 multiply-adds instead of 2.7e9 by -s 5, 2.8e9 instead of 4.0e9 by -s 6.) */
static void take_repair(struct proximal_newton *state, double target, double *gap)
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

/* By columns, finds a dual point near `ahead` if that meets the target gap and `ahead` does not,
 * and renews the working set. */
static void improve_ahead(struct proximal_newton *state, int may_repair)
{
    const double target = certified_gap(state->training->parameters);
    double gap = may_repair ? gap_within(state) : HUGE_VAL;

    if (may_repair && !state->is_centred && state->has_repair &&
        !scaling_is_enough(state, gap, target))
        take_repair(state, target, &gap);
    if (gap > target || scaling_is_enough(state, gap, target) || !repair_ahead(state, gap, target))
        renew_set(state, proximal_newton_best_multiple(state));
}

void proximal_newton_find_dual(struct proximal_newton *state, int may_repair)
{
    combine_ahead(state);
    if (state->by_columns)
        improve_ahead(state, may_repair);
    proximal_newton_scale_ahead(state, proximal_newton_best_multiple(state));
    keep_ahead(state);
}

void proximal_newton_judge(struct proximal_newton *state)
{
    const struct training *training = state->training;
    const double primal = state->is_centred ? training->point.primal : state->plain;
    const double dual = state->is_centred ? training->point.dual : state->dual;

    state->gap = (primal + dual) / problem_scale(state->problem, primal);
    if (gap_falls(state->gap, &state->best))
        state->stalls = 0;
}
