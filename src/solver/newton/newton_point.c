/* newton_point.c - what the method knows where it is: dual point, gradient and gap; shrinking. */
#include <math.h>
#include <string.h>

#include "base/elementary.h"
#include "solver/newton/newton.h"

static const double REACH = 2; /* steps like the last, until the shrunk rows are examined */

void newton_activate_all(struct newton *state)
{
    const struct own_rows own = own_rows(state->problem);

    state->active = state->rows;
    state->first = own.first;
    state->end = own.end;
    state->shrunk_linear = state->shrunk_total = 0;
    memset(state->shrunk, 0, state->training->width * sizeof *state->shrunk);
    sums_margins(&state->training->shards, state->problem, all_rows(state->problem), state->w,
                 state->z);
    state->training->progress.row_visits += state->rows;
}

struct loss_rows newton_rows(const struct newton *state, uint32_t first, uint32_t end,
                             struct row_room *room)
{
    const struct problem *problem = state->problem;
    const struct selection rows = active_rows(state);
    const int has_targets = loss_has_targets(state->loss), is_smooth = loss_is_smooth(state->loss);
    struct loss_rows some = {.loss = state->loss,
                             .count = end - first,
                             .inverse = is_smooth ? 0 : 1 / state->mu,
                             .share = state->share};

    if (!rows.row) {
        some.cost = problem->cost + first;
        some.target = has_targets ? problem->target + first : NULL;
        some.centre = is_smooth ? NULL : state->centre + first;
        return some;
    }
    for (uint32_t s = first; s < end; s++)
        room->cost[s - first] = problem->cost[rows.row[s]];
    for (uint32_t s = first; has_targets && s < end; s++)
        room->target[s - first] = problem->target[rows.row[s]];
    for (uint32_t s = first; !is_smooth && s < end; s++)
        room->centre[s - first] = state->centre[rows.row[s]];
    some.cost = room->cost;
    some.target = room->target;
    some.centre = room->centre;
    return some;
}

/* Brings alpha of these places to their z. */
static struct loss_sums evaluate_alpha(struct newton *state, uint32_t first, uint32_t end,
                                       double *change)
{
    const struct selection rows = active_rows(state);
    struct row_room room;
    const struct loss_rows some = newton_rows(state, first, end, &room);
    double listed[ROWS_AT_ONCE];
    struct loss_sums sums;

    if (!rows.row)
        return loss_rows_evaluate(&some, state->z + first, state->alpha + first, change);
    for (uint32_t s = first; s < end; s++)
        listed[s - first] = state->alpha[rows.row[s]];
    sums = loss_rows_evaluate(&some, state->z + first, listed, change);
    for (uint32_t s = first; s < end; s++)
        state->alpha[rows.row[s]] = listed[s - first];
    return sums;
}

/* And sum alpha_i y_i x_i by what changes. */
static void evaluate_some(struct newton *state, uint32_t first, uint32_t end, double *scalars,
                          double *combined)
{
    double change[ROWS_AT_ONCE];
    const struct loss_sums sums = evaluate_alpha(state, first, end, change);

    sums_combine_some(state->problem, active_rows(state), change, 1, first, end, combined);
    scalars[VALUE] += sums.value;
    scalars[CONJUGATE] += sums.conjugate;
    scalars[LINEAR] += sums.linear;
    scalars[TOTAL] += sums.total;
    scalars[ROUGH] += sums.gap;
    scalars[FREE] += sums.free;
}

/* weight_i x_ij^2 of the rows of a shard, behind the other sum. */
static void add_row_squares(const struct newton *state, const struct shard *shard)
{
    const struct selection rows = active_rows(state);

    for (uint32_t s = shard->first; s < shard->end; s++) {
        const uint32_t i = selected(&rows, s);
        const double weight =
            loss_point_weight(state->loss, step_cost(state, i, state->loss), state->alpha[i]);

        if (weight > 0)
            sums_add_squares(state->problem, i, weight, shard->vector + state->training->width);
    }
}

static void add_evaluation(void *context, const struct shard *shard)
{
    struct newton *state = context;

    for (uint32_t first = shard->first, end; first < shard->end; first = end) {
        end = block_end(first, shard->end);
        evaluate_some(state, first, end, shard->scalars, shard->vector);
    }
    if (state->with_squares)
        add_row_squares(state, shard);
}

/* The sums of an evaluation; in a team with those that the next step begins with, so that both take
 * the same rounds. */
static void sum_evaluation(struct newton *state, double *scalars)
{
    const size_t width = state->training->width;
    struct shards shards = state->training->shards;

    state->with_squares =
        state->squares && state->problem->bias_kind != BIAS_FREE &&
        primal_system_needs_squares(state->system, state->free > 0 ? state->free : state->active);
    if (state->with_squares) {
        shards.length = 2 * width;
        memset(state->squares, 0, width * sizeof *state->squares);
    }
    sums_run(&shards, active_rows(state), add_evaluation, state, scalars, state->combined);
    primal_system_give_squares(state->system, state->with_squares ? state->squares : NULL);
}

void newton_keep_dual(struct newton *state, const double *active, double dual, double linear)
{
    const struct selection rows = active_rows(state);
    const struct own_rows own = own_rows(state->problem);
    const double square = dual + linear;
    double *alpha = state->training->alpha;
    const int is_ray = square > 0 && !loss_is_curved(state->loss) && state->problem->total == 0;
    double t = is_ray ? linear / (2 * square) : 1;

    t = clamp(t, 0, loss_most_multiple(state->loss)); /* targets may be negative, and linear */
    dual = t * (t * square - linear);
    if (state->unbalanced)
        return;
    state->own_dual = active ? state->own_dual : fmin(state->own_dual, dual);
    if (!training_keeps_dual(state->training, dual))
        return;
    for (uint32_t i = own.first; i < own.end; i++)
        alpha[i] = t * state->alpha[i];
    for (uint32_t s = state->first; active && s < state->end; s++)
        alpha[selected(&rows, s)] = t * active[s];
    bias_balance(state->problem, alpha);
}

/* P(w) with the bias that is the best for its other entries, which the training keeps: the bias of
 * the steps is the best of the smoothed loss, and where costs are far above alpha, as in a
 * one-class SVM of small nu, that loss and P have little in common. fixed: what P has beside the
 * bias and the active rows. Not in a team: the corners would be needed of all rows. */
static double best_of_bias(struct newton *state, double fixed)
{
    const struct selection rows = active_rows(state);
    const struct problem *problem = state->problem;
    const size_t last = state->training->width - 1;
    const double before = state->w[last];
    struct sum slope = {problem->total, 0};
    double b, value = 0;

    sum_add(&slope, -state->shrunk[last]);
    for (uint32_t s = 0; s < state->active; s++) {
        const uint32_t i = selected(&rows, s);

        state->points[s].at = before + problem->sign[i] * slack_of(state, i, state->z[s]);
        state->points[s].cost = problem->cost[i];
        sum_add(&slope, problem->sign[i] > 0 ? -problem->cost[i] : 0);
    }
    b = bias_of_corners(state->points, state->active, slope);
    for (uint32_t s = 0; s < state->active; s++) {
        const uint32_t i = selected(&rows, s);
        const double moved = slack_of(state, i, state->z[s]) - problem->sign[i] * (b - before);

        value += loss_value(state->loss, problem->cost[i], moved);
    }
    state->w[last] = b;
    value += fixed + (problem->total - state->shrunk[last]) * b;
    training_keep_primal(state->training, state->w, value);
    state->w[last] = before;
    return value;
}

void newton_evaluate(struct newton *state)
{
    struct training *training = state->training;
    const size_t width = training->width, penalised = problem_penalised(state->problem);
    double scalars[MOST_SCALARS], linear, conjugate, square;

    if (state->problem->bias_kind == BIAS_FREE)
        newton_settle_bias(state);
    sum_evaluation(state, scalars);
    state->free = (uint32_t)scalars[FREE];
    state->rough = scalars[ROUGH];
    linear = state->linear = scalars[LINEAR] + state->shrunk_linear;
    state->total = scalars[TOTAL] + state->shrunk_total;
    conjugate = loss_is_smooth(state->loss) ? scalars[CONJUGATE] - state->shrunk_linear : -linear;
    for (size_t j = 0; j < width; j++)
        state->gradient[j] =
            (j < penalised ? state->w[j] : problem_slope(state->problem)) - state->combined[j];
    square = dense_dot(state->w, state->w, penalised) / 2;
    state->primal = square + scalars[VALUE] + state->shrunk_linear -
                    dense_dot(state->shrunk, state->w, width) +
                    problem_linear(state->problem, state->w);
    state->minimised = square + (loss_is_curved(state->loss)
                                     ? state->share * scalars[VALUE]
                                     : (linear - dense_dot(state->combined, state->w, width)) / 2);
    state->smooth = dense_dot(state->gradient, state->gradient, penalised) / 2;
    if (state->share == 1 || !loss_is_curved(state->loss)) /* else that is no conjugate at C */
        newton_keep_dual(state, NULL,
                         dense_dot(state->combined, state->combined, penalised) / 2 + conjugate,
                         linear);
    training_keep_primal(training, state->w, state->primal);
    if (state->problem->total != 0) {
        const double best = best_of_bias(state, square + state->shrunk_linear -
                                                    dense_dot(state->shrunk, state->w, penalised));

        state->rough = fmax(state->rough - (state->primal - best), 0);
        state->primal = best;
    }
    training->progress.row_visits += state->active;
    training->progress.active = state->free;
    state->has_step = 0;
    if (gap_falls(training->primal + state->own_dual, &state->best))
        state->stalls = 0;
}

void newton_evaluate_all(struct newton *state)
{
    newton_activate_all(state);
    memset(state->alpha, 0, state->rows * sizeof *state->alpha);
    memset(state->combined, 0, state->training->width * sizeof *state->combined);
    newton_evaluate(state);
}

/* What the active rows add to sum alpha_i y_i x_i, sum t_i alpha_i and sum alpha_i. */
static void add_active(void *context, const struct shard *shard)
{
    const struct newton *state = context;
    double alpha[ROWS_AT_ONCE];

    for (uint32_t start = shard->first, stop; start < shard->end; start = stop) {
        stop = block_end(start, shard->end);
        for (uint32_t s = start; s < stop; s++) {
            alpha[s - start] = state->alpha[state->row[s]];
            shard->scalars[LINEAR] +=
                problem_target(state->problem, state->row[s], state->loss) * alpha[s - start];
            shard->scalars[TOTAL] += alpha[s - start];
        }
        sums_combine_some(state->problem, active_rows(state), alpha, 1, start, stop, shard->vector);
    }
}

void newton_shrink(struct newton *state)
{
    const struct problem *problem = state->problem;
    const struct own_rows own = own_rows(problem);
    const uint32_t most = state->rows / 4; /* a list of more saves less than it costs */
    double scalars[MOST_SCALARS], active;
    uint32_t count = 0;

    state->moved = 0;
    if (state->free > most)
        return;
    state->reach = REACH * team_largest(state->team, state->last_move);
    for (uint32_t i = own.first; i < own.end && count <= most; i++) {
        const double centre = state->centre ? state->centre[i] : 0;

        const double distance = loss_distance(state->loss, problem->cost[i],
                                              slack_of(state, i, state->z[i]), centre, state->mu);

        state->row[count] = i; /* without a branch: it would be mispredicted */
        count += (uint32_t) !(distance > state->reach);
    }
    active = count;
    team_add(state->team, &active, 1);
    if (active > most)
        return;
    state->active = (uint32_t)active;
    state->first = 0;
    state->end = count;
    for (uint32_t s = 0; s < count; s++)
        state->z[s] = state->z[state->row[s]];
    sums_run(&state->training->shards, active_rows(state), add_active, state, scalars,
             state->shrunk);
    state->shrunk_linear = state->linear - scalars[LINEAR];
    state->shrunk_total = state->total - scalars[TOTAL];
    for (size_t j = 0; j < state->training->width; j++)
        state->shrunk[j] = state->combined[j] - state->shrunk[j];
}
