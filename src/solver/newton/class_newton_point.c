/* class_newton_point.c - what a step and the rules need of W; the rows that count. */
#include "solver/newton/class_newton.h"

#include <math.h>
#include <string.h>

static const double REACH = 4; /* steps like the last, until shrunk rows are examined */

/* ---- Evaluating --------------------------------------------------------- */

enum { VALUE, CONJUGATE, ROUGH };

/* Brings alpha of the places to their gains, and sum x_i alpha_i' by what changes. */
static void add_evaluation(void *context, const struct shard *shard)
{
    struct class_newton *state = context;
    const struct selection rows = active_rows(state);
    const size_t k = state->classes;
    double *const a = shard->room;
    uint32_t *const member = (uint32_t *)(void *)(a + k);

    for (uint32_t s = shard->first; s < shard->end; s++) {
        const uint32_t i = selected(&rows, s), y = state->problem->class_of[i];
        const double cost = state->problem->cost[i], *gain = state->gain + s * k;
        const double top = singer_top(k, gain);
        double *alpha = state->alpha + i * k;
        size_t changed = 0;

        state->shares[s] = (uint32_t)singer_point(k, cost, gain, y, state->centre + i * k,
                                                  1 / state->mu, a, member);
        shard->scalars[VALUE] += cost * top;
        shard->scalars[CONJUGATE] += singer_conjugate(k, y, a);
        shard->scalars[ROUGH] += singer_gap(k, cost, top, gain, y, a);
        for (size_t m = 0; m < k; m++) {
            const double change = a[m] - alpha[m];

            alpha[m] = a[m];
            member[changed] = (uint32_t)m;
            a[changed] = change;
            changed += change != 0;
        }
        if (changed > 0) {
            const struct sparse x = problem_row(state->problem, i);

            problem_add_outer_of(state->problem, &x, changed, member, a, shard->vector);
        }
    }
}

/* W without a loss, if scaling makes it so. */
static void keep_scaled(struct class_newton *state)
{
    struct training *training = state->training;
    double largest = 0, times, primal;

    if (state->shrunk_conjugate != 0)
        return; /* a shrunk row has a loss */
    for (size_t d = 0; d < state->active * state->classes; d++)
        largest = fmax(largest, state->gain[d]);
    times = largest < 1 ? 1 / (1 - largest) : HUGE_VAL;
    primal = times * times * dense_dot(state->w, state->w, training->width) / 2;
    state->scaled = fmin(state->scaled, primal);
    if (training_keep_primal(training, state->w, primal))
        for (size_t j = 0; j < training->width; j++)
            training->w[j] *= times;
}

/* Keeps alpha, or a multiple of it, if its dual value is the lowest so far. On the ray D(t alpha) =
 * t^2 square - t linear. */
static void keep_dual(struct class_newton *state)
{
    struct training *training = state->training;
    const struct problem *problem = state->problem;
    const double square = dense_dot(state->combined, state->combined, training->width) / 2;
    const double linear = -state->conjugate;
    const double t = square > 0 ? fmin(linear / (2 * square), 1) : 1;

    if (!training_keeps_dual(training, t * (t * square - linear)))
        return;
    for (uint32_t i = 0; i < state->rows; i++) {
        const double *from = state->alpha + i * state->classes;
        double *to = training->alpha + i * state->classes, others = 0;

        for (size_t m = 0; m < state->classes; m++) {
            to[m] = t * from[m];
            others -= m != problem->class_of[i] ? to[m] : 0;
        }
        to[problem->class_of[i]] = fmin(others, problem->cost[i]);
    }
}

void class_newton_evaluate(struct class_newton *state)
{
    struct training *training = state->training;
    const size_t width = training->width;
    double scalars[MOST_SCALARS];

    sums_run(&training->shards, active_rows(state), add_evaluation, state, scalars,
             state->combined);
    training->progress.row_visits += state->active;
    state->rough = scalars[ROUGH];
    state->conjugate = scalars[CONJUGATE] + state->shrunk_conjugate;
    for (size_t j = 0; j < width; j++)
        state->gradient[j] = state->w[j] - state->combined[j];
    state->smooth = dense_dot(state->gradient, state->gradient, width) / 2;
    state->primal = dense_dot(state->w, state->w, width) / 2 + scalars[VALUE] -
                    state->shrunk_conjugate - dense_dot(state->shrunk, state->w, width);
    keep_dual(state);
    if (state->problem == training->problem)
        training_keep_primal(training, state->w, state->primal);
    keep_scaled(state);
    if (gap_falls(training->primal + training->dual, &state->best))
        state->stalls = 0;
}

void class_newton_activate_all(struct class_newton *state)
{
    state->active = state->rows;
    state->shrunk_conjugate = 0;
    memset(state->shrunk, 0, state->training->width * sizeof *state->shrunk);
    sums_margins(&state->training->shards, state->problem, all_rows(state->problem), state->w,
                 state->gain);
    for (uint32_t i = 0; i < state->rows; i++) {
        double *const gain = state->gain + i * state->classes;

        singer_gains(state->classes, gain, state->problem->class_of[i], gain);
    }
    state->training->progress.row_visits += state->rows;
}

void class_newton_evaluate_all(struct class_newton *state)
{
    class_newton_activate_all(state);
    memset(state->alpha, 0, problem_duals(state->problem) * sizeof *state->alpha);
    memset(state->combined, 0, state->training->width * sizeof *state->combined);
    class_newton_evaluate(state);
}

/* ---- Shrinking ---------------------------------------------------------- */

/* How far the gains of a row may move until a second class has a share; 0 if one has. Of the own
 * class the cost is left out as long as it has them all, beside which the rest would lose its
 * digits. */
static double distance_of(const struct class_newton *state, uint32_t i)
{
    const size_t k = state->classes, y = state->problem->class_of[i];
    const double all = state->mu * state->problem->cost[i], *gain = state->gain + i * k;
    const double *centre = state->centre + i * k, own = -state->mu * centre[y];
    double top = -HUGE_VAL, second = -HUGE_VAL;

    if (state->shares[i] > 1)
        return 0;
    for (size_t m = 0; m < k; m++) {
        const double d = m == y ? -HUGE_VAL : gain[m] - state->mu * centre[m];

        second = fmax(second, fmin(d, top));
        top = fmax(top, d);
    }
    return own > top ? (own - top) / 2 : (top - fmax(second, own + all) - all) / 2;
}

static void add_active(void *context, const struct shard *shard)
{
    const struct class_newton *state = context;
    const size_t k = state->classes;

    for (uint32_t s = shard->first; s < shard->end; s++) {
        const uint32_t i = state->row[s];
        const struct sparse x = problem_row(state->problem, i);

        shard->scalars[0] += singer_conjugate(k, state->problem->class_of[i], state->alpha + i * k);
        problem_add_outer(state->problem, &x, state->alpha + i * k, shard->vector);
    }
}

void class_newton_shrink(struct class_newton *state)
{
    const uint32_t most = state->rows / 3 * 2;
    const size_t k = state->classes;
    double scalars[MOST_SCALARS];
    uint32_t active = 0;

    state->moved = 0;
    state->reach = REACH * state->last_move;
    for (uint32_t i = 0; i < state->rows && active <= most; i++)
        if (!(distance_of(state, i) > state->reach))
            state->row[active++] = i;
    if (active > most)
        return;
    state->active = active;
    for (uint32_t s = 0; s < active; s++) {
        memmove(state->gain + s * k, state->gain + state->row[s] * k, k * sizeof *state->gain);
        state->shares[s] = state->shares[state->row[s]];
    }
    sums_run(&state->training->shards, active_rows(state), add_active, state, scalars,
             state->shrunk);
    state->shrunk_conjugate = state->conjugate - scalars[0];
    for (size_t j = 0; j < state->training->width; j++)
        state->shrunk[j] = state->combined[j] - state->shrunk[j];
}
