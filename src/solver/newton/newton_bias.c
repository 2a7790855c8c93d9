/* newton_bias.c - the free bias for rows of one margin, and points near w with a lower P.
 *
 * At the best bias for the other weights, sum alpha_i y_i = total. A step of the bias alone reads
 * no data, because the margins change by y_i times the same number.
 */
#include <math.h>
#include <string.h>

#include "problem/objective.h"
#include "solver/newton/newton.h"

/* True if every alpha is 0 at t of the line, and there are rows of both signs to limit w. */
static int leaves_no_loss(const struct newton *state, double t)
{
    const struct selection rows = newton_active(state);
    const double inverse = loss_is_smooth(state->loss) ? 0 : 1 / state->mu;
    int64_t signs = 0;
    int any = 0;

    for (uint32_t s = state->active.first; s < state->active.end && !any; s++) {
        const uint32_t i = selected(&rows, s);
        const double z = state->z[s] + t * state->step.change[s];
        double curvature;

        any = loss_point(state->loss, state->problem->cost[i], newton_slack(state, i, z),
                         state->centre ? state->centre[i] : 0, inverse, &curvature) > 0;
    }
    if (team_any(state->team, any) || state->active.count < state->rows)
        return 0;
    for (uint32_t i = 0; i < state->rows; i++)
        signs += state->problem->sign[i];
    return signs < state->rows && -signs < state->rows;
}

void newton_settle_bias(struct newton *state)
{
    static const double ROUNDING = 1e-15; /* of a sum, relative to the sum of absolute values */
    static const double ENOUGH = 1e-12; /* of the total, which may round above sum C_i at nu = 1 */
    struct active_rows *active = &state->active;
    struct newton_step *step = &state->step;
    const struct selection rows = newton_active(state);
    const size_t last = state->training->width - 1;
    struct newton_line here = {.state = state};
    double scalars[MOST_SCALARS], slope, t, moved;

    state->is_unbalanced = 0;
    memset(step->direction, 0, state->training->width * sizeof *step->direction);
    step->direction[last] = 1;
    for (uint32_t s = active->first; s < active->end; s++)
        step->change[s] = state->problem->bias * state->problem->sign[selected(&rows, s)];
    sums_run(&state->training->shards, rows, state->kind->add_line, &here, scalars, NULL);
    slope = scalars[0] + active->shrunk[last] - problem_slope(state->problem);
    if (fabs(slope) <= fmax(ROUNDING * state->total, ENOUGH * state->problem->total))
        return;
    if (slope < 0) {
        step->direction[last] = -1;
        for (uint32_t s = active->first; s < active->end; s++)
            step->change[s] = -step->change[s];
    }
    t = newton_length(state, fabs(slope), 1e-9, scalars[1] > 0 ? fabs(slope) / scalars[1] : 1);
    state->is_unbalanced = leaves_no_loss(state, t);
    if (state->is_unbalanced)
        return;
    moved = t * fabs(state->problem->bias);
    active->last_move += moved;
    active->margin_moved += moved;
    state->w[last] += t * step->direction[last];
    newton_move_margins(state, t);
    if (active->count < state->rows && active->margin_moved > active->margin_slack) {
        newton_activate_all(state);
        newton_settle_bias(state);
    }
}

/* Takes P of a one-class SVM with the bias that is best for the other weights, and keeps that
 * point. The bias of the steps is best for the smoothed loss, which has little in common with P if
 * costs are far above alpha, as with a small nu. No team trains a one-class SVM: it would need all
 * corners. */
static void improve_bias(struct newton *state, double square)
{
    const struct selection rows = newton_active(state);
    const struct problem *problem = state->problem;
    const struct active_rows *active = &state->active;
    struct sum slope = {problem->total, 0};
    const size_t last = state->training->width - 1;
    const double before = state->w[last];
    double b, value = 0;

    sum_add(&slope, -active->shrunk[last]);
    for (uint32_t s = 0; s < active->count; s++) {
        const uint32_t i = selected(&rows, s);

        state->points[s].at = before + problem->sign[i] * newton_slack(state, i, state->z[s]);
        state->points[s].cost = problem->cost[i];
        sum_add(&slope, problem->sign[i] > 0 ? -problem->cost[i] : 0);
    }
    b = bias_of_corners(state->points, active->count, slope);
    for (uint32_t s = 0; s < active->count; s++) {
        const uint32_t i = selected(&rows, s);
        const double moved = newton_slack(state, i, state->z[s]) - problem->sign[i] * (b - before);

        value += loss_value(state->loss, problem->cost[i], moved);
    }
    state->w[last] = b;
    value += square + active->shrunk_linear -
             dense_dot(active->shrunk, state->w, problem_penalised(problem)) +
             (problem->total - active->shrunk[last]) * b;
    training_keep_primal(state->training, state->w, value);
    state->w[last] = before;
    state->prox_gap = fmax(state->prox_gap - (state->primal - value), 0);
    state->primal = value;
}

void newton_improve_primal(struct newton *state, double square)
{
    static const double ROUNDING = 1e-12;                   /* relative to a margin */
    const struct problem *whole = state->training->problem; /* has the whole tube */
    double *const scaled = state->step.centre;
    double least = HUGE_VAL, factor, value = square;

    if (state->problem->total != 0)
        improve_bias(state, square);
    if (state->problem->target != whole->target) {
        for (uint32_t i = 0; i < state->rows; i++)
            value +=
                loss_value(whole->loss, state->problem->cost[i], whole->target[i] - state->z[i]);
        training_keep_primal(state->training, state->w, value);
    }
    if (state->problem->total != 0 || !state->is_raw || loss_is_smooth(state->loss) ||
        loss_has_targets(state->loss))
        return;
    for (uint32_t i = 0; i < state->rows; i++)
        least = fmin(least, state->z[i]);
    if (!(least > 0))
        return;
    factor = (1 + ROUNDING) / least;
    if (!(square * factor * factor < state->primal))
        return;
    for (size_t j = 0; j < state->training->width; j++)
        scaled[j] = factor * state->w[j];
    training_keep_primal(state->training, scaled, square * factor * factor);
}
