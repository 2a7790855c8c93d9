/* class_newton_step.c - the system, the line, the step. */
#include "solver/newton/class_newton.h"

#include <math.h>

#include "solver/linear/line_search.h"

/* ---- Along a line ------------------------------------------------------- */

static void add_slope(void *context, const struct shard *shard)
{
    const struct sum_line *line = context;
    const struct class_newton *state = line->state;
    const struct selection rows = active_rows(state);
    const size_t k = state->classes;
    double *const g = shard->room, *const a = g + k;
    uint32_t *const member = (uint32_t *)(void *)(a + k);
    double slope = 0, bend = 0;

    for (uint32_t s = shard->first; s < shard->end; s++) {
        const uint32_t i = selected(&rows, s), y = state->problem->class_of[i];
        const double *change = state->change + s * k;
        double sum = 0, squares = 0;
        size_t members;

        for (size_t m = 0; m < k; m++)
            g[m] = state->gain[s * k + m] + line->t * change[m];
        members = singer_point(k, state->problem->cost[i], g, y, state->centre + i * k,
                               1 / state->mu, a, member);
        for (size_t m = 0; m < k; m++)
            slope += a[m] * change[m];
        for (size_t u = 0; u < members; u++)
            sum += change[member[u]];
        for (size_t u = 0; u < members; u++) {
            const double rest = change[member[u]] - sum / (double)members;

            squares += rest * rest;
        }
        bend += squares;
    }
    shard->scalars[0] += slope;
    shard->scalars[1] += bend / state->mu;
}

static double find_length(const struct class_newton *state, double start)
{
    const size_t width = state->training->width;
    struct sum_line line = {.state = state,
                            .shards = &state->training->shards,
                            .rows = active_rows(state),
                            .add = add_slope,
                            .linear = dense_dot(state->w, state->step, width) -
                                      dense_dot(state->shrunk, state->step, width),
                            .square = dense_dot(state->step, state->step, width)};

    return sum_line_search(&line, start, 0.3, 1);
}

/* ---- A step -------------------------------------------------------------- */

static void find_step(struct class_newton *state)
{
    static const double COARSE = 0.1;

    class_system_form(&state->system, state->problem, active_rows(state), state->alpha,
                      1 / state->mu);
    state->training->progress.active = state->system.free;
    class_system_solve(&state->system, state->gradient, state->step, COARSE, MOST_GRADIENTS);
    for (size_t j = 0; j < state->training->width; j++)
        state->step[j] = -state->step[j];
}

/* How the gains of the active rows change along the step; the largest change. */
static double change_gains(struct class_newton *state)
{
    const struct selection rows = active_rows(state);
    const size_t k = state->classes;
    double largest = 0;

    sums_margins(&state->training->shards, state->problem, rows, state->step, state->change);
    state->training->progress.row_visits += state->active;
    for (uint32_t s = 0; s < state->active; s++) {
        double *const change = state->change + s * k;
        const double own = change[state->problem->class_of[selected(&rows, s)]];

        for (size_t m = 0; m < k; m++) {
            change[m] -= own;
            largest = fabs(change[m]) > largest ? fabs(change[m]) : largest;
        }
    }
    return largest;
}

void class_newton_take_step(struct class_newton *state)
{
    double largest, start, t;

    find_step(state);
    start = fabs(dense_dot(state->gradient, state->step, state->training->width));
    largest = change_gains(state);
    t = find_length(state, start);
    if (state->active < state->rows && state->moved + t * largest > state->reach) {
        class_newton_activate_all(state);
        largest = change_gains(state);
        t = find_length(state, start);
    }
    state->last_move = t * largest;
    state->moved += state->last_move;
    add_multiple(state->training->width, t, state->step, state->w);
    add_multiple(state->active * state->classes, t, state->change, state->gain);
    state->stalls++;
}
