/* newton_step.c - the step p, and the dual point that comes with it. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "solver/linear/cg.h"
#include "solver/newton/newton.h"

/* How the margins of the active rows change along the step; the largest change of own ones. */
static double change_margins(struct newton *state)
{
    sums_margins(&state->training->shards, state->problem, active_rows(state), state->step,
                 state->change);
    state->training->progress.row_visits += state->active;
    return dense_largest(state->change + state->first, state->end - state->first);
}

/* Whether the step, the last one or the present one, is to win so little that its dual point can be
 * the best: about as much as the gap may be, to which mu adds. Where the next point's is not looked
 * at, with many features or under the rule of -e alone, that of the step there serves, too; of a
 * loss that is not curved everywhere it is not worth its evaluation. */
static int is_close(const struct newton *state)
{
    const int is_early = loss_is_curved(state->loss) || !primal_over_features(state->problem);
    const double target =
        state->training->parameters->gap > 0 ? 1.5 * certified_gap(state->training->parameters) : 0;

    return state->promise + (is_early ? 0 : state->rough) <
           fmax(is_early ? 0.1 : 0, target) * problem_scale(state->problem, state->primal);
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

/* Whether the last step moved the margins so little that the weights, of a loss that is curved
 * everywhere, are much the same: then they serve once more, and their matrix, which costs more than
 * the rest of a step, is not formed. A promise of LITTLE changes them by about a tenth, and the
 * step leaves about a hundredth of the excess. */
static int can_reuse(const struct newton *state)
{
    static const double LITTLE = 0.02;

    return loss_is_curved(state->loss) && primal_over_features(state->problem) && !state->is_old &&
           state->promise < LITTLE * problem_scale(state->problem, state->primal);
}

/* From these and the gradient the step p. */
static void find_step(struct newton *state)
{
    struct row_weights *weights = primal_system_weights(state->system);
    double tolerance = state->tolerance;
    /* What the curvature of the losses leaves of the gradient, where steps converge quadratically:
     * less of it in the solution wins nothing (Eisenstat and Walker, SIAM J. Sci. Comput. 17, 1996,
     * their second choice). */
    const double left = 0.9 * state->smooth / fmax(state->earlier, DBL_MIN);

    state->earlier = state->smooth;
    state->is_old = can_reuse(state);
    if (!state->is_old) {
        WITH_PHI(state->loss, WITH_ROWS(active_rows(state), weigh_as(state, ROWS, weights, LOSS)));
        primal_system_form(state->system, state->problem, &state->training->shards,
                           loss_is_smooth(state->loss) ? 1 : 1 / state->mu, state->free);
    }
    if (loss_is_curved(state->loss) && is_close(state))
        tolerance =
            fmin(tolerance, fmax(left, sqrt(certified_gap(state->training->parameters) *
                                            state->primal / (100 * fmax(state->smooth, DBL_MIN)))));
    if (state->tolerance < COARSE)
        tolerance = fmin(tolerance, 0.3 * sqrt(state->minimised / fmax(state->smooth, DBL_MIN)));
    primal_system_solve(state->system, state->gradient, state->step, tolerance, MOST_GRADIENTS);
    for (size_t j = 0; j < state->training->width; j++)
        state->step[j] = -state->step[j];
}

/* ---- The dual point of a step ------------------------------------------- */

/* alpha_i and, to first order, its change along p: alpha_i - weight_i change_i, with the weights of
 * the system. Its sum alpha_i y_i x_i is
 *
 *     w - gradient + p - H p = w + p - r,
 *
 * r being what the system's solution leaves, so that it takes no pass over the data; and its gap is
 * about as small as the excess of P(w + p), where that of w and alpha has all of |gradient|^2 / 2.
 * Weights of an earlier point add sum (weight_i - earlier)^2 change_i^2 / weight_i, about. */
static void find_ahead(void *context, uint32_t first, uint32_t end)
{
    struct newton *state = context;
    const struct row_weights *weights = primal_system_weights(state->system);
    const struct selection rows = active_rows(state);
    const double inverse = loss_is_smooth(state->loss) ? 1 : 1 / state->mu;
    const struct selection weighted = {weights->row, weights->count};
    uint32_t k = first < end ? selection_place(NULL, weighted, selected(&rows, first)) : 0;

    for (uint32_t s = first; s < end; s++) {
        const uint32_t i = selected(&rows, s);
        const int has_weight = k < weights->count && weights->row[k] == i;
        const double weight = has_weight ? inverse * weights->weight[k] : 0;

        state->ahead[s] = state->alpha[i] - weight * state->change[s];
        k += (uint32_t)has_weight;
    }
}

/* That point in its domain. */
struct ahead {
    struct newton *state;
    double share[2]; /* of alpha_i, of a row of sign -1 or +1; of a free bias one is below 1 */
};

static ALWAYS_INLINE double clipped(enum loss loss, double cost, double alpha)
{
    return fmin(positive_part(alpha), loss_upper(loss, cost));
}

/* What the active rows of either sign have together. */
static void add_signs(void *context, const struct shard *shard)
{
    const struct ahead *ahead = context;
    const struct problem *problem = ahead->state->problem;
    const struct selection rows = active_rows(ahead->state);
    struct sum total[2] = {{0, 0}, {0, 0}};

    for (uint32_t s = shard->first; s < shard->end; s++) {
        const uint32_t i = selected(&rows, s);

        sum_add(&total[problem->sign[i] > 0],
                clipped(problem->loss, problem->cost[i], ahead->state->ahead[s]));
    }
    for (int sign = 0; sign < 2; sign++)
        shard->scalars[sign] += sum_value(&total[sign]);
}

/* Of a free bias: that leaves a sum alpha_i y_i, which is taken from the active rows of the class
 * whose sum is larger. Of the hinge rows at a bound are to stay there: see bias_balance. */
static void balance_ahead(struct ahead *ahead)
{
    const struct newton *state = ahead->state;
    double total[MOST_SCALARS], excess;
    int larger;

    sums_run(&state->training->shards, active_rows(state), add_signs, ahead, total, NULL);
    excess = total[1] - total[0] + state->shrunk[state->training->width - 1] / state->problem->bias;
    larger = excess > 0;
    if (total[larger] > 0)
        ahead->share[larger] = fmax(0, 1 - fabs(excess) / total[larger]);
}

/* inside := these places of it in its domain. */
static ALWAYS_INLINE void bring_inside(const struct ahead *ahead, struct selection rows,
                                       const struct loss_rows *some, uint32_t first, double *inside,
                                       enum loss loss)
{
    const signed char *sign = ahead->state->problem->sign;
    const double *alpha = ahead->state->ahead + first;

    for (uint32_t k = 0; k < some->count; k++)
        inside[k] = ahead->share[sign[selected(&rows, first + k)] > 0] *
                    clipped(loss, some->cost[k], alpha[k]);
}

/* Sums of it in its domain; where there is a vector, brings it there, and adds what that changes of
 * sum alpha_i y_i x_i. */
static void add_ahead(void *context, const struct shard *shard)
{
    const struct ahead *ahead = context;
    const struct newton *state = ahead->state;
    const struct selection rows = active_rows(state);
    const int has_targets = loss_has_targets(state->loss);
    double inside[ROWS_AT_ONCE], change[ROWS_AT_ONCE], conjugate[ROWS_AT_ONCE];
    double *const scalars = shard->scalars;
    struct row_room room;

    for (uint32_t first = shard->first, end; first < shard->end; first = end) {
        double *const alpha = state->ahead + first;
        struct loss_rows some;

        end = block_end(first, shard->end);
        some = newton_rows(state, first, end, &room);
        WITH_PHI(state->loss,
                 WITH_ROWS(rows, bring_inside(ahead, ROWS, &some, first, inside, LOSS)));
        loss_rows_conjugates(state->loss, some.count, some.cost, some.target, inside, conjugate);
        for (uint32_t k = 0; k < some.count; k++) {
            scalars[CONJUGATE] += conjugate[k];
            scalars[LINEAR] +=
                (has_targets ? some.target[k] : loss_target(state->loss)) * inside[k];
            scalars[OUTSIDE] += inside[k] != alpha[k];
            change[k] = inside[k] - alpha[k];
        }
        if (!shard->vector)
            continue;
        memcpy(alpha, inside, some.count * sizeof *alpha);
        sums_combine_some(state->problem, rows, change, 1, first, end, shard->vector);
    }
}

/* Few rows leave their domain. Where the loss is curved everywhere mostly none does, and no vector
 * is to be summed. */
static void keep_ahead(struct newton *state)
{
    struct training *training = state->training;
    const double *rest = primal_system_residual(state->system);
    double *v = loss_is_curved(state->loss) ? NULL : state->v;
    struct ahead ahead = {state, {1, 1}};
    double scalars[MOST_SCALARS];

    places_run(&training->shards, state->first, state->end, find_ahead, state);
    if (state->problem->bias_kind == BIAS_FREE && loss_is_smooth(state->loss))
        balance_ahead(&ahead);
    for (size_t j = 0; j < training->width; j++)
        state->v[j] = state->w[j] + state->step[j] - rest[j];
    sums_run(&training->shards, active_rows(state), add_ahead, &ahead, scalars, v);
    if (!v && scalars[OUTSIDE] > 0)
        sums_run(&training->shards, active_rows(state), add_ahead, &ahead, scalars, state->v);
    newton_keep_dual(state, state->ahead,
                     dense_dot(state->v, state->v, problem_penalised(state->problem)) / 2 +
                         scalars[CONJUGATE] - state->shrunk_linear,
                     scalars[LINEAR] + state->shrunk_linear);
}

void newton_prepare_step(struct newton *state)
{
    if (state->has_step)
        return;
    find_step(state);
    state->start = fabs(dense_dot(state->gradient, state->step, state->training->width));
    state->promise = state->start / 2;
    state->largest = change_margins(state);
    state->has_step = 1;
    if (state->continuation <= 1 && is_close(state))
        keep_ahead(state);
}

void newton_take_step(struct newton *state)
{
    double t;

    newton_prepare_step(state);
    if (state->active < state->rows)
        state->largest = team_largest(state->team, state->largest);
    t = newton_length(state, state->start, 0.3, 1);
    if (state->active < state->rows && state->moved + t * state->largest > state->reach) {
        newton_activate_all(state);
        state->largest = change_margins(state);
        t = newton_length(state, state->start, 0.3, 1);
    }
    state->last_move = t * state->largest;
    state->moved += state->last_move;
    add_multiple(state->training->width, t, state->step, state->w);
    newton_move_margins(state, t);
    state->stalls++;
}
