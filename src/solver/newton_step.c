/* newton_step.c - the step p, and the dual point that comes with it. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "solver/newton.h"

/* How the margins of the active rows change along the step; the largest change of own ones. */
static double change_margins(struct newton *state)
{
    double low = 0, high = 0;

    sums_margins(&state->training->shards, state->problem, active_rows(state), state->step,
                 state->change);
    state->training->progress.row_visits += state->active;
    for (uint32_t s = state->first; s < state->end; s++) {
        low = state->change[s] < low ? state->change[s] : low;
        high = state->change[s] > high ? state->change[s] : high;
    }
    return high > -low ? high : -low;
}

/* Whether the last step is not to win so much that the dual point of a step cannot tell yet. */
static int is_close(const struct newton *state)
{
    return state->promise < fmax(0.1, training_target(state->training)) *
                                problem_scale(state->problem, state->primal);
}

/* Second derivatives of the rows' functions. */
static ALWAYS_INLINE void weigh_as(const struct newton *state, struct selection rows,
                                   struct row_weights *weights, enum loss loss)
{
    uint32_t count = 0;

    for (uint32_t s = state->first; s < state->end; s++) {
        const uint32_t i = selected(&rows, s);
        const double weight = loss_point_weight(loss, step_cost(state, i, loss), state->alpha[i]);

        weights->row[count] = i;
        weights->weight[count] = weight;
        count += weight > 0;
    }
    weights->count = count;
}

/* From these and the gradient the step p. */
static void find_step(struct newton *state)
{
    enum { MOST_GRADIENTS = 200 };
    struct row_weights *weights = primal_system_weights(state->system);
    double tolerance = state->tolerance;
    /* What the curvature of the losses leaves of the gradient, where steps converge quadratically:
     * less of it in the solution wins nothing (Eisenstat and Walker, SIAM J. Sci. Comput. 17, 1996,
     * their second choice). */
    const double left = 0.9 * state->smooth / state->earlier;

    state->earlier = state->smooth;
    WITH_LOSS(state->loss, WITH_ROWS(active_rows(state), weigh_as(state, ROWS, weights, LOSS)));
    primal_system_form(state->system, state->problem, &state->training->shards,
                       loss_is_smooth(state->loss) ? 1 : 1 / state->mu, state->free);
    if (loss_is_curved(state->loss) && is_close(state))
        tolerance =
            fmin(tolerance, fmax(left, sqrt(training_target(state->training) * state->primal /
                                            (100 * fmax(state->smooth, DBL_MIN)))));
    if (state->tolerance < COARSE)
        tolerance = fmin(tolerance, 0.3 * sqrt(state->minimised / fmax(state->smooth, DBL_MIN)));
    primal_system_solve(state->system, state->gradient, state->step, tolerance, MOST_GRADIENTS);
    for (size_t j = 0; j < state->training->width; j++)
        state->step[j] = -state->step[j];
}

/* The dual point of the step p: alpha_i and, to first order, its change along p. Its sum
 * alpha_i y_i x_i is w + p but for what the system's solution leaves, and its gap is about as small
 * as the excess of P(w + p), where that of w and alpha has all of |gradient|^2 / 2. */
static ALWAYS_INLINE void find_ahead(struct newton *state, struct selection rows, enum loss loss)
{
    const double inverse = loss_is_smooth(loss) ? 1 : 1 / state->mu;

    for (uint32_t s = state->first; s < state->end; s++) {
        const uint32_t i = selected(&rows, s);
        const double cost = state->problem->cost[i], alpha = state->alpha[i];
        const double weight = inverse * loss_point_weight(loss, cost, alpha);

        state->ahead[s] =
            fmin(positive_part(alpha - weight * state->change[s]), loss_upper(loss, cost));
    }
}

/* What the active rows of either sign have together. */
static void add_signs(void *context, const struct shard *shard)
{
    const struct newton *state = context;
    const struct selection rows = active_rows(state);
    struct sum total[2] = {{0, 0}, {0, 0}};

    for (uint32_t s = shard->first; s < shard->end; s++)
        sum_add(&total[state->problem->sign[selected(&rows, s)] > 0], state->ahead[s]);
    for (int sign = 0; sign < 2; sign++)
        shard->scalars[sign] += sum_value(&total[sign]);
}

/* Of a free bias: that leaves a sum alpha_i y_i, which is taken from the active rows of the class
 * whose sum is larger. Of the hinge rows at a bound are to stay there: see bias_balance. */
static void balance_ahead(struct newton *state)
{
    const struct selection rows = active_rows(state);
    double total[MOST_SCALARS], excess;
    int larger;

    sums_run(&state->training->shards, rows, add_signs, state, total, NULL);
    excess = total[1] - total[0] + state->shrunk[state->training->width - 1] / state->problem->bias;
    larger = excess > 0;
    for (uint32_t s = state->first; s < state->end; s++)
        if ((state->problem->sign[selected(&rows, s)] > 0) == larger)
            state->ahead[s] *= fmax(0, 1 - fabs(excess) / total[larger]);
}

static ALWAYS_INLINE void ahead_as(const struct newton *state, struct selection rows,
                                   uint32_t first, uint32_t end, double *scalars, double *vector,
                                   enum loss loss)
{
    enum { SOME = 1024 };
    double change[SOME];

    for (uint32_t start = first, stop; start < end; start = stop) {
        stop = end - start < SOME ? end : start + SOME;
        for (uint32_t s = start; s < stop; s++) {
            const uint32_t i = selected(&rows, s);
            const double target = problem_target(state->problem, i, loss);

            change[s - start] = state->ahead[s] - state->alpha[i];
            scalars[CONJUGATE] +=
                loss_conjugate(loss, state->problem->cost[i], target, state->ahead[s]);
            scalars[LINEAR] += target * state->ahead[s];
        }
        sums_combine_some(state->problem, rows, change, 1, start, stop, vector);
    }
}

static void add_ahead(void *context, const struct shard *shard)
{
    const struct newton *state = context;

    WITH_LOSS(state->loss,
              WITH_ROWS(active_rows(state), ahead_as(state, ROWS, shard->first, shard->end,
                                                     shard->scalars, shard->vector, LOSS)));
}

static void keep_ahead(struct newton *state)
{
    struct training *training = state->training;
    double scalars[MOST_SCALARS];

    WITH_LOSS(state->loss, WITH_ROWS(active_rows(state), find_ahead(state, ROWS, LOSS)));
    if (state->problem->bias_kind == BIAS_FREE && loss_is_smooth(state->loss))
        balance_ahead(state);
    memcpy(state->v, state->combined, training->width * sizeof *state->v);
    sums_run(&training->shards, active_rows(state), add_ahead, state, scalars, state->v);
    training->progress.row_visits += state->active;
    newton_keep_dual(state, state->ahead,
                     dense_dot(state->v, state->v, problem_penalised(state->problem)) / 2 +
                         scalars[CONJUGATE] - state->shrunk_linear,
                     scalars[LINEAR] + state->shrunk_linear);
}

void newton_look_ahead(struct newton *state)
{
    find_step(state);
    change_margins(state);
    keep_ahead(state);
}

void newton_take_step(struct newton *state)
{
    double largest, start, t;

    find_step(state);
    start = fabs(dense_dot(state->gradient, state->step, state->training->width));
    largest = change_margins(state);
    if (state->active < state->rows)
        largest = team_largest(state->team, largest);
    state->promise = start / 2;
    if (state->looks_ahead && state->continuation <= 1 && is_close(state))
        keep_ahead(state);
    t = newton_length(state, start, 0.3, 1);
    if (state->active < state->rows && state->moved + t * largest > state->reach) {
        newton_activate_all(state);
        largest = change_margins(state);
        t = newton_length(state, start, 0.3, 1);
    }
    state->last_move = t * largest;
    state->moved += state->last_move;
    for (size_t j = 0; j < state->training->width; j++)
        state->w[j] += t * state->step[j];
    newton_move_margins(state, t);
    state->stalls++;
}
