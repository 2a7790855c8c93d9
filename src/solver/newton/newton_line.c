/* newton_line.c - how much of a step to take, and margins there; the best free bias. */
#include <math.h>
#include <string.h>

#include "solver/linear/line_search.h"
#include "solver/newton/newton.h"

static const double ROUNDING = 1e-15; /* of a sum, relative to the sum of the absolute values */

static void add_slope(void *context, const struct shard *shard)
{
    const struct sum_line *line = context;
    const struct newton *state = line->state;
    struct row_room room;

    for (uint32_t first = shard->first, end; first < shard->end; first = end) {
        struct loss_rows rows;

        end = block_end(first, shard->end);
        rows = newton_rows(state, first, end, &room);
        loss_rows_line(&rows, state->z + first, state->change + first, line->t, shard->scalars);
    }
}

double newton_length(const struct newton *state, double start, double part, double t)
{
    const size_t width = state->training->width, penalised = problem_penalised(state->problem);
    struct sum_line line = {.state = state,
                            .shards = &state->training->shards,
                            .rows = active_rows(state),
                            .add = add_slope,
                            .linear = dense_dot(state->w, state->step, penalised) -
                                      dense_dot(state->shrunk, state->step, width) +
                                      problem_linear(state->problem, state->step),
                            .square = dense_dot(state->step, state->step, penalised)};

    return sum_line_search(&line, start, part, t);
}

/* A move along the line. */
struct margin_move {
    struct newton *state;
    double t;
};

static void move_places(void *context, uint32_t first, uint32_t end)
{
    const struct margin_move *move = context;

    for (uint32_t s = first; s < end; s++)
        move->state->z[s] += move->t * move->state->change[s];
}

void newton_move_margins(struct newton *state, double t)
{
    struct margin_move move = {state, t};

    places_run(&state->training->shards, state->first, state->end, move_places, &move);
}

/* Whether every alpha is 0 at t of the line, and there are rows of both signs to limit w. */
static int leaves_no_loss(const struct newton *state, double t)
{
    const struct selection rows = active_rows(state);
    const double inverse = loss_is_smooth(state->loss) ? 0 : 1 / state->mu;
    int64_t signs = 0;
    int any = 0;

    for (uint32_t s = state->first; s < state->end && !any; s++) {
        const uint32_t i = selected(&rows, s);
        const double centre = state->centre ? state->centre[i] : 0;
        double curvature;

        any = loss_point(state->loss, state->problem->cost[i],
                         slack_of(state, i, state->z[s] + t * state->change[s]), centre, inverse,
                         &curvature) > 0;
    }
    if (team_any(state->team, any) || state->active < state->rows)
        return 0;
    for (uint32_t i = 0; i < state->rows; i++)
        signs += state->problem->sign[i];
    return signs < state->rows && -signs < state->rows;
}

void newton_settle_bias(struct newton *state)
{
    const struct selection rows = active_rows(state);
    static const double ENOUGH = 1e-12; /* at nu = 1 rounding may take more than all rows have */
    const size_t last = state->training->width - 1;
    struct sum_line here = {.state = state};
    double scalars[MOST_SCALARS], slope, t;

    state->unbalanced = 0;
    memset(state->step, 0, state->training->width * sizeof *state->step);
    state->step[last] = 1;
    for (uint32_t s = state->first; s < state->end; s++)
        state->change[s] = state->problem->bias * state->problem->sign[selected(&rows, s)];
    sums_run(&state->training->shards, rows, add_slope, &here, scalars, NULL);
    slope = scalars[0] + state->shrunk[last] - problem_slope(state->problem);
    if (fabs(slope) <= fmax(ROUNDING * state->total, ENOUGH * state->problem->total))
        return;
    if (slope < 0) {
        state->step[last] = -1;
        for (uint32_t s = state->first; s < state->end; s++)
            state->change[s] = -state->change[s];
    }
    t = newton_length(state, fabs(slope), 1e-9, scalars[1] > 0 ? fabs(slope) / scalars[1] : 1);
    state->unbalanced = leaves_no_loss(state, t);
    if (state->unbalanced)
        return;
    state->last_move += t * fabs(state->problem->bias);
    state->moved += t * fabs(state->problem->bias);
    state->w[last] += t * state->step[last];
    newton_move_margins(state, t);
    if (state->active < state->rows && state->moved > state->reach) {
        newton_activate_all(state);
        newton_settle_bias(state);
    }
}
