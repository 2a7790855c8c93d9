/* newton_rows.c - the sums and systems of Newton's method over rows of one margin.
 *
 * The dual point of a step p is, to first order, alpha_i after the step:
 * alpha_i - weight_i change_i, with the weights of the system. Its sum alpha_i y_i x_i is
 *
 *     w - gradient + p - H p = w + p - r,
 *
 * where r is the residual of the system's solution, so the sum takes no pass over the data. The gap
 * of this point is about as small as the excess of P(w + p). The gap of w and alpha contains all of
 * |gradient|^2 / 2. Weights of an earlier point add about sum (weight_i - earlier)^2 change_i^2 /
 * weight_i to the gap.
 */
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/elementary.h"
#include "problem/loss_rows.h"
#include "solver/linear/cg.h"
#include "solver/newton/newton.h"

/* Returns the cost of row i in the function that the steps minimise. */
static ALWAYS_INLINE double step_cost(const struct newton *state, uint32_t i, enum loss loss)
{
    return state->problem->cost[i] * (loss_is_smooth(loss) ? state->cost_fraction : 1);
}

/* Returns the factor of the weights in the Hessian. */
static double weight_scale(const struct newton *state)
{
    return loss_is_smooth(state->loss) ? 1 : 1 / state->mu;
}

/* Memory for the costs, targets and centres of a block of active rows that are not adjacent. */
struct row_room {
    double cost[ROWS_AT_ONCE];
    double target[ROWS_AT_ONCE];
    double centre[ROWS_AT_ONCE];
};

/* Returns the active rows at places first .. end - 1, ROWS_AT_ONCE at most. */
static struct loss_rows block_of(const struct newton *state, uint32_t first, uint32_t end,
                                 struct row_room *room)
{
    const struct problem *problem = state->problem;
    const struct selection rows = newton_active(state);
    const int has_targets = loss_has_targets(state->loss), is_smooth = loss_is_smooth(state->loss);
    struct loss_rows block = {.loss = state->loss,
                              .count = end - first,
                              .inverse = is_smooth ? 0 : 1 / state->mu,
                              .share = state->cost_fraction};

    if (!rows.row) {
        block.cost = problem->cost + first;
        block.target = has_targets ? problem->target + first : NULL;
        block.centre = is_smooth ? NULL : state->centre + first;
        return block;
    }
    for (uint32_t s = first; s < end; s++)
        room->cost[s - first] = problem->cost[rows.row[s]];
    for (uint32_t s = first; has_targets && s < end; s++)
        room->target[s - first] = problem->target[rows.row[s]];
    for (uint32_t s = first; !is_smooth && s < end; s++)
        room->centre[s - first] = state->centre[rows.row[s]];
    block.cost = room->cost;
    block.target = room->target;
    block.centre = room->centre;
    return block;
}

/* ---- Sums ---------------------------------------------------------------- */

static void add_first(void *context, const struct shard *shard)
{
    const struct newton *state = context;
    const double *alpha = state->training->point.alpha;
    double squares = 0, gap = 0;

    for (uint32_t i = shard->first; i < shard->end; i++) {
        const double scale = loss_scale(state->loss, state->problem->cost[i]);

        squares += alpha[i] * alpha[i];
        gap += loss_gap(state->loss, scale, alpha[i], newton_slack(state, i, state->z[i]));
    }
    shard->scalars[0] += squares;
    shard->scalars[1] += gap;
}

static void add_line(void *context, const struct shard *shard)
{
    const struct newton_line *line = context;
    const struct newton *state = line->state;
    struct row_room room;

    for (uint32_t first = shard->first, end; first < shard->end; first = end) {
        struct loss_rows block;

        end = block_end(first, shard->end);
        block = block_of(state, first, end, &room);
        loss_rows_line(&block, state->z + first, state->step.change + first, line->t,
                       shard->scalars);
    }
}

static void add_evaluation(void *context, const struct shard *shard)
{
    struct newton *state = context;
    const struct selection rows = newton_active(state);
    double *const scalars = shard->scalars, change[ROWS_AT_ONCE], listed[ROWS_AT_ONCE];
    struct row_room room;

    for (uint32_t first = shard->first, end; first < shard->end; first = end) {
        struct loss_sums sums;
        struct loss_rows block;
        double *alpha = rows.row ? listed : state->alpha + first;

        end = block_end(first, shard->end);
        block = block_of(state, first, end, &room);
        for (uint32_t s = first; rows.row && s < end; s++)
            listed[s - first] = state->alpha[rows.row[s]];
        sums = loss_rows_evaluate(&block, state->z + first, alpha, change);
        for (uint32_t s = first; rows.row && s < end; s++)
            state->alpha[rows.row[s]] = listed[s - first];
        sums_combine_some(state->problem, rows, change, 1, first, end, shard->vector);
        scalars[VALUE] += sums.value;
        scalars[CONJUGATE] += sums.conjugate;
        scalars[LINEAR] += sums.linear;
        scalars[TOTAL] += sums.total;
        scalars[GAP] += sums.gap;
        scalars[FREE] += sums.free;
    }
    for (uint32_t s = shard->first; state->sums_squares && s < shard->end; s++) {
        const uint32_t i = selected(&rows, s);
        const double weight =
            loss_point_weight(state->loss, step_cost(state, i, state->loss), state->alpha[i]);

        if (weight > 0)
            sums_add_squares(state->problem, i, weight, shard->vector + state->training->width);
    }
}

static void add_active(void *context, const struct shard *shard)
{
    const struct newton *state = context;
    const uint32_t *row = state->active.row;
    double alpha[ROWS_AT_ONCE];

    for (uint32_t first = shard->first, end; first < shard->end; first = end) {
        end = block_end(first, shard->end);
        for (uint32_t s = first; s < end; s++) {
            alpha[s - first] = state->alpha[row[s]];
            shard->scalars[LINEAR] +=
                problem_target(state->problem, row[s], state->loss) * alpha[s - first];
            shard->scalars[TOTAL] += alpha[s - first];
        }
        sums_combine_some(state->problem, newton_active(state), alpha, 1, first, end,
                          shard->vector);
    }
}

static uint32_t list_active(const struct newton *state, uint32_t most, uint32_t *row)
{
    const struct own_rows own = own_rows(state->problem);
    uint32_t count = 0;

    for (uint32_t i = own.first; i < own.end && count <= most; i++) {
        const double centre = state->centre ? state->centre[i] : 0;
        const double distance =
            loss_distance(state->loss, state->problem->cost[i], newton_slack(state, i, state->z[i]),
                          centre, state->mu);

        row[count] = i; /* A branch would be mispredicted. */
        count += (uint32_t) !(distance > state->active.margin_slack);
    }
    return count;
}

static void scale_alpha(const struct newton *state, const double *active, double t, double *to)
{
    const struct selection rows = newton_active(state);
    const struct own_rows own = own_rows(state->problem);

    for (uint32_t i = own.first; i < own.end; i++)
        to[i] = t * state->alpha[i];
    for (uint32_t s = state->active.first; active && s < state->active.end; s++)
        to[selected(&rows, s)] = t * active[s];
    bias_balance(state->problem, to);
}

/* ---- The step ------------------------------------------------------------ */

/* True if the last or present step wins so little that its dual point can be the best one: with the
 * part of mu, about as much as the gap may be. With many features, or under the rule of -e alone,
 * the dual point of the next step is not tried. So with many features, or for a loss that is curved
 * everywhere, a tenth of P is little enough. Otherwise, an early dual point is not worth its
 * evaluation. */
static int is_close(const struct newton *state)
{
    const int is_early = loss_is_curved(state->loss) || !primal_over_features(state->problem);
    const double target = state->training->parameters->relative_gap > 0
                              ? 1.5 * certified_gap(state->training->parameters)
                              : 0;

    return state->step.predicted_decrease + (is_early ? 0 : state->prox_gap) <
           fmax(is_early ? 0.1 : 0, target) * problem_scale(state->problem, state->primal);
}

/* Lists the free rows and the second derivatives of their functions as the weights. */
static ALWAYS_INLINE void weigh_as(const struct newton *state, struct selection rows,
                                   struct row_weights *weights, enum loss loss)
{
    uint32_t count = 0;

    for (uint32_t s = state->active.first; s < state->active.end; s++) {
        const uint32_t i = selected(&rows, s);
        const double weight = loss_point_weight(loss, step_cost(state, i, loss), state->alpha[i]);

        weights->row[count] = i;
        weights->weight[count] = weight;
        count += weight > 0;
    }
    weights->count = count;
}

/* Sets direction to minus the step by a least squares problem. The step is the minimiser d of
 * |w + d - f|^2 + sum_i weight_i (y_i <x_i, d> - alpha_i/weight_i)^2, where f is the sum of alpha_i
 * y_i x_i over the rows without a weight. */
static void solve_by_qr(struct newton *state)
{
    struct newton_step *step = &state->step;
    struct row_weights *weights = primal_system_weights(state->system);
    const size_t penalised = problem_penalised(state->problem);
    const double inverse = weight_scale(state);
    double *const fixed_alpha = step->change, *const target = step->ahead;

    WITH_PHI(state->loss, weigh_as(state, all_rows(state->problem), weights, LOSS));
    memcpy(fixed_alpha, state->alpha, state->rows * sizeof *fixed_alpha);
    for (uint32_t s = 0; s < weights->count; s++) {
        const uint32_t i = weights->row[s];

        target[s] = state->alpha[i] / (inverse * weights->weight[s]);
        fixed_alpha[i] = 0;
    }
    sums_form(&state->training->shards, state->problem, fixed_alpha, 1, step->centre);
    for (size_t j = 0; j < state->training->width; j++)
        step->centre[j] -= j < penalised ? state->w[j] : problem_slope(state->problem);
    primal_system_fit(state->system, state->problem, &state->training->shards, inverse,
                      step->centre, target, step->direction);
    for (size_t j = 0; j < state->training->width; j++)
        step->direction[j] = -step->direction[j];
}

static void solve(struct newton *state)
{
    static const double LITTLE = 0.02;
    struct newton_step *step = &state->step;
    struct row_weights *weights = primal_system_weights(state->system);
    const double now = fmax(state->half_gradient_sq, DBL_MIN);
    double tolerance = step->tolerance;
    /* While steps converge quadratically, the curvature of the losses leaves this part of the
     * gradient. A smaller residual of the solution gains nothing (Eisenstat and Walker, SIAM J.
     * Sci. Comput. 17, 1996, choice 2). */
    const double left =
        0.9 * state->half_gradient_sq / fmax(step->previous_half_gradient_sq, DBL_MIN);

    if (state->has_qr) {
        solve_by_qr(state);
        return;
    }
    step->previous_half_gradient_sq = state->half_gradient_sq;
    /* For a loss that is curved everywhere, the weights serve once more if the last step moved the
     * margins little, because forming their matrix costs more than the rest of a step. A predicted
     * decrease of LITTLE changes the weights by about a tenth, and the step leaves about a
     * hundredth of the excess. */
    step->has_old_weights =
        loss_is_curved(state->loss) && primal_over_features(state->problem) &&
        !step->has_old_weights &&
        step->predicted_decrease < LITTLE * problem_scale(state->problem, state->primal);
    if (!step->has_old_weights) {
        WITH_PHI(state->loss,
                 WITH_ROWS(newton_active(state), weigh_as(state, ROWS, weights, LOSS)));
        primal_system_form(state->system, state->problem, &state->training->shards,
                           weight_scale(state), state->free,
                           state->sums_squares ? state->squares : NULL);
    }
    if (step->is_last || (loss_is_curved(state->loss) && is_close(state)))
        tolerance = fmin(tolerance, fmax(left, sqrt(certified_gap(state->training->parameters) *
                                                    state->primal / (100 * now))));
    if (step->tolerance < state->kind->tolerance) /* in a continuation */
        tolerance = fmin(tolerance, 0.3 * sqrt(state->minimised / now));
    primal_system_solve(state->system, state->gradient, step->direction, tolerance, MOST_GRADIENTS);
}

static double largest_change(struct newton *state)
{
    const struct active_rows *active = &state->active;

    return dense_largest(state->step.change + active->first, active->end - active->first);
}

/* ---- The dual point of a step -------------------------------------------- */

static void find_ahead(void *context, uint32_t first, uint32_t end)
{
    struct newton *state = context;
    const struct row_weights *weights = primal_system_weights(state->system);
    const struct selection rows = newton_active(state);
    const double inverse = weight_scale(state);
    const struct selection weighted = {weights->row, weights->count};
    uint32_t k = first < end ? selection_place(NULL, weighted, selected(&rows, first)) : 0;

    for (uint32_t s = first; s < end; s++) {
        const uint32_t i = selected(&rows, s);
        const int has_weight = k < weights->count && weights->row[k] == i;
        const double weight = has_weight ? inverse * weights->weight[k] : 0;

        state->step.ahead[s] = state->alpha[i] - weight * state->step.change[s];
        k += (uint32_t)has_weight;
    }
}

/* Context of the sums that bring the dual point of a step into its domain. */
struct ahead {
    struct newton *state;
    double share[2]; /* factors of alpha_i by sign, -1 and +1; below 1 only with a free bias */
};

static ALWAYS_INLINE double clipped(enum loss loss, double cost, double alpha)
{
    return fmin(positive_part(alpha), loss_upper(loss, cost));
}

/* Adds the sums of the clipped alpha_i over active rows of sign -1 and of sign +1. */
static void add_signs(void *context, const struct shard *shard)
{
    const struct ahead *ahead = context;
    const struct problem *problem = ahead->state->problem;
    const struct selection rows = newton_active(ahead->state);
    struct sum total[2] = {{0, 0}, {0, 0}};

    for (uint32_t s = shard->first; s < shard->end; s++) {
        const uint32_t i = selected(&rows, s);

        sum_add(&total[problem->sign[i] > 0],
                clipped(problem->loss, problem->cost[i], ahead->state->step.ahead[s]));
    }
    for (int sign = 0; sign < 2; sign++)
        shard->scalars[sign] += sum_value(&total[sign]);
}

/* Sets inside to a block of the dual point in its domain. */
static ALWAYS_INLINE void bring_inside(const struct ahead *ahead, struct selection rows,
                                       const struct loss_rows *block, uint32_t first,
                                       double *inside, enum loss loss)
{
    const signed char *sign = ahead->state->problem->sign;
    const double *alpha = ahead->state->step.ahead + first;

    for (uint32_t k = 0; k < block->count; k++)
        inside[k] = ahead->share[sign[selected(&rows, first + k)] > 0] *
                    clipped(loss, block->cost[k], alpha[k]);
}

/* Sums the scalars of the point in its domain. If there is a vector, brings the point into the
 * domain, and adds the change of sum alpha_i y_i x_i. */
static void add_ahead(void *context, const struct shard *shard)
{
    const struct ahead *ahead = context;
    const struct newton *state = ahead->state;
    const struct selection rows = newton_active(state);
    const int has_targets = loss_has_targets(state->loss);
    double inside[ROWS_AT_ONCE], change[ROWS_AT_ONCE], conjugate[ROWS_AT_ONCE];
    double *const scalars = shard->scalars;
    struct row_room room;

    for (uint32_t first = shard->first, end; first < shard->end; first = end) {
        double *const alpha = state->step.ahead + first;
        struct loss_rows block;

        end = block_end(first, shard->end);
        block = block_of(state, first, end, &room);
        WITH_PHI(state->loss,
                 WITH_ROWS(rows, bring_inside(ahead, ROWS, &block, first, inside, LOSS)));
        loss_rows_conjugates(state->loss, block.count, block.cost, block.target, inside, conjugate);
        for (uint32_t k = 0; k < block.count; k++) {
            scalars[CONJUGATE] += conjugate[k];
            scalars[LINEAR] +=
                (has_targets ? block.target[k] : loss_target(state->loss)) * inside[k];
            scalars[OUTSIDE] += inside[k] != alpha[k];
            change[k] = inside[k] - alpha[k];
        }
        if (!shard->vector)
            continue;
        memcpy(alpha, inside, block.count * sizeof *alpha);
        sums_combine_some(state->problem, rows, change, 1, first, end, shard->vector);
    }
}

/* Keeps the dual point of the step near the minimum. Few of its rows leave their domain. For a loss
 * that is curved everywhere, usually no row does, and no vector needs to be summed. With a free
 * bias, clipping leaves a sum alpha_i y_i other than 0, which is taken from the active rows of the
 * sign with the larger sum. For the hinge, rows at a bound must stay there: see bias_balance. */
static void keep_ahead(struct newton *state)
{
    struct training *training = state->training;
    const double *rest = primal_system_residual(state->system);
    double *v = loss_is_curved(state->loss) ? NULL : state->v;
    struct ahead ahead = {state, {1, 1}};
    double scalars[MOST_SCALARS];

    if (!state->step.is_last && !state->has_qr && !is_close(state))
        return;
    places_run(&training->shards, state->active.first, state->active.end, find_ahead, state);
    if (state->problem->bias_kind == BIAS_FREE && loss_is_smooth(state->loss)) {
        double excess;
        int larger;

        sums_run(&training->shards, newton_active(state), add_signs, &ahead, scalars, NULL);
        excess = scalars[1] - scalars[0] +
                 state->active.shrunk[training->width - 1] / state->problem->bias;
        larger = excess > 0;
        if (scalars[larger] > 0)
            ahead.share[larger] = fmax(0, 1 - fabs(excess) / scalars[larger]);
    }
    if (state->has_qr)
        sums_form(&training->shards, state->problem, state->step.ahead, 1, state->v);
    else
        for (size_t j = 0; j < training->width; j++)
            state->v[j] = state->w[j] + state->step.direction[j] - rest[j];
    sums_run(&training->shards, newton_active(state), add_ahead, &ahead, scalars, v);
    if (!v && scalars[OUTSIDE] > 0)
        sums_run(&training->shards, newton_active(state), add_ahead, &ahead, scalars, state->v);
    newton_keep_dual(state, state->step.ahead,
                     dense_dot(state->v, state->v, problem_penalised(state->problem)) / 2 +
                         scalars[CONJUGATE] - state->active.shrunk_linear,
                     scalars[LINEAR] + state->active.shrunk_linear);
}

const struct newton_kind newton_rows = {.tolerance = 0.3, /* relative residual of a step */
                                        .start_mu = 0.5,  /* free within a quarter of a margin */
                                        .settled_mu = 0.5,
                                        .reach = 2,
                                        .most_active = 0.25,
                                        .add_first = add_first,
                                        .add_line = add_line,
                                        .add_evaluation = add_evaluation,
                                        .add_active = add_active,
                                        .list_active = list_active,
                                        .solve = solve,
                                        .finish_change = largest_change,
                                        .scale_alpha = scale_alpha,
                                        .settle_bias = newton_settle_bias,
                                        .improve_primal = newton_improve_primal,
                                        .keep_ahead_before = keep_ahead};
