/* newton_point.c - dual point, gradient and gap at w; a step from there; the rows that count.
 *
 * Most rows are at a bound and far from leaving it. Such rows are shrunk until steps may have
 * brought one of them near: their alpha_i stay constant, and their part in every sum is linear in
 * w.
 */
#include <math.h>
#include <string.h>

#include "base/elementary.h"
#include "problem/crammer_singer.h"
#include "solver/linear/line_search.h"
#include "solver/newton/newton.h"

/* ---- Evaluating ---------------------------------------------------------- */

void newton_activate_all(struct newton *state)
{
    struct active_rows *active = &state->active;
    const struct own_rows own = own_rows(state->problem);

    active->count = state->rows;
    active->first = own.first;
    active->end = own.end;
    active->shrunk_linear = active->shrunk_total = 0;
    memset(active->shrunk, 0, state->training->width * sizeof *active->shrunk);
    sums_margins(&state->training->shards, state->problem, all_rows(state->problem), state->w,
                 state->z);
    state->training->progress.row_visits += state->rows;
    for (uint32_t i = 0; i < state->rows && state->kind == &newton_singer; i++) {
        double *const z = state->z + i * state->k;

        singer_gains(state->k, z, state->problem->class_of[i], z);
    }
}

void newton_keep_dual(struct newton *state, const double *active, double dual, double linear)
{
    const double square = dual + linear;
    const int is_ray = square > 0 && !loss_is_curved(state->loss) && state->problem->total == 0;
    double t = is_ray ? linear / (2 * square) : 1;

    t = clamp(t, 0, loss_most_multiple(state->loss)); /* with targets, linear may be negative */
    dual = t * (t * square - linear);
    if (state->is_unbalanced)
        return;
    state->own_dual = active ? state->own_dual : fmin(state->own_dual, dual);
    if (training_keeps_dual(state->training, dual))
        state->kind->scale_alpha(state, active, t, state->training->point.alpha);
}

void newton_evaluate(struct newton *state)
{
    struct training *training = state->training;
    const struct active_rows *active = &state->active;
    const size_t width = training->width, penalised = problem_penalised(state->problem);
    /* For one margin, a free bias is at its best value, so its gradient is rounding. */
    const size_t counted = state->k > 1 ? width : penalised;
    const int has_free_bias = state->problem->bias_kind == BIAS_FREE;
    double scalars[MOST_SCALARS], linear, conjugate, square;
    struct shards shards = training->shards;

    if (has_free_bias && state->kind->settle_bias)
        state->kind->settle_bias(state);
    else
        state->is_unbalanced = has_free_bias;
    /* In a team, the first sums of the next step share the rounds of this evaluation. */
    state->sums_squares =
        state->squares && !has_free_bias &&
        primal_system_needs_squares(state->system, state->free > 0 ? state->free : active->count);
    if (state->sums_squares) {
        shards.length = 2 * width;
        memset(state->squares, 0, width * sizeof *state->squares);
    }
    sums_run(&shards, newton_active(state), state->kind->add_evaluation, state, scalars,
             state->combined);
    state->free = (uint32_t)scalars[FREE];
    state->prox_gap = scalars[GAP];
    linear = state->linear = scalars[LINEAR] + active->shrunk_linear;
    state->total = scalars[TOTAL] + active->shrunk_total;
    conjugate = loss_is_smooth(state->loss) ? scalars[CONJUGATE] - active->shrunk_linear : -linear;
    for (size_t j = 0; j < width; j++)
        state->gradient[j] =
            (j < penalised ? state->w[j] : problem_slope(state->problem)) - state->combined[j];
    square = dense_dot(state->w, state->w, penalised) / 2;
    state->primal = square + scalars[VALUE] + active->shrunk_linear -
                    dense_dot(active->shrunk, state->w, width) +
                    problem_linear(state->problem, state->w);
    state->minimised = square + (loss_is_curved(state->loss)
                                     ? state->cost_fraction * scalars[VALUE]
                                     : (linear - dense_dot(state->combined, state->w, width)) / 2);
    state->half_gradient_sq = dense_dot(state->gradient, state->gradient, counted) / 2;
    if (state->cost_fraction == 1 || !loss_is_curved(state->loss)) /* else no conjugate at C */
        newton_keep_dual(state, NULL,
                         dense_dot(state->combined, state->combined, penalised) / 2 + conjugate,
                         linear);
    if (!state->has_limits)
        training_keep_primal(training, state->w, state->primal);
    if (state->kind->improve_primal)
        state->kind->improve_primal(state, square);
    training->progress.row_visits += active->count;
    training->progress.active = state->free;
    state->step.is_known = 0;
    if (gap_falls(training->point.primal +
                      (state->k > 1 || state->has_qr ? training->point.dual : state->own_dual),
                  &state->best_gap))
        state->stalls = 0;
}

void newton_evaluate_all(struct newton *state)
{
    newton_activate_all(state);
    memset(state->alpha, 0, state->rows * state->k * sizeof *state->alpha);
    memset(state->combined, 0, state->training->width * sizeof *state->combined);
    newton_evaluate(state);
}

void newton_shrink(struct newton *state)
{
    struct active_rows *active = &state->active;
    const uint32_t most = (uint32_t)(state->kind->most_active * state->rows);
    const size_t k = state->k;
    double scalars[MOST_SCALARS], all;
    uint32_t count;

    active->margin_moved = 0;
    if (state->free > most)
        return;
    active->margin_slack = state->kind->reach * team_largest(state->team, active->last_move);
    count = state->kind->list_active(state, most, active->row);
    all = count;
    team_add(state->team, &all, 1);
    if (all > most)
        return;
    active->count = (uint32_t)all;
    active->first = 0;
    active->end = count;
    for (uint32_t s = 0; s < count && k == 1; s++)
        state->z[s] = state->z[active->row[s]];
    for (uint32_t s = 0; s < count && k > 1; s++)
        memmove(state->z + s * k, state->z + active->row[s] * k, k * sizeof *state->z);
    sums_run(&state->training->shards, newton_active(state), state->kind->add_active, state,
             scalars, active->shrunk);
    active->shrunk_linear = state->linear - scalars[LINEAR];
    active->shrunk_total = state->total - scalars[TOTAL];
    for (size_t j = 0; j < state->training->width; j++)
        active->shrunk[j] = state->combined[j] - active->shrunk[j];
}

/* ---- A step -------------------------------------------------------------- */

static void derive(void *context, double t, double *first, double *second)
{
    struct newton_line *line = context;
    const struct newton *state = line->state;
    double scalars[MOST_SCALARS];

    line->t = t;
    sums_run(&state->training->shards, newton_active(state), state->kind->add_line, line, scalars,
             NULL);
    *first = line->linear + t * line->square - scalars[0];
    *second = line->square + scalars[1];
}

static struct newton_line line_of(const struct newton *state)
{
    const size_t width = state->training->width, penalised = problem_penalised(state->problem);
    const double *direction = state->step.direction;

    return (struct newton_line){.state = state,
                                .linear = dense_dot(state->w, direction, penalised) -
                                          dense_dot(state->active.shrunk, direction, width) +
                                          problem_linear(state->problem, direction),
                                .square = dense_dot(direction, direction, penalised)};
}

double newton_length(const struct newton *state, double fall, double part, double t)
{
    struct newton_line line = line_of(state);

    return line_search(derive, &line, fall, part, t);
}

/* Returns the second derivative of the minimised function along the direction. */
static double curvature(const struct newton *state)
{
    struct newton_line line = line_of(state);
    double first, second;

    derive(&line, 0, &first, &second);
    return second;
}

static void move_places(void *context, uint32_t first, uint32_t end)
{
    const struct newton_line *line = context;
    const size_t k = line->state->k;

    add_multiple((end - first) * k, line->t, line->state->step.change + first * k,
                 line->state->z + first * k);
}

void newton_move_margins(struct newton *state, double t)
{
    struct newton_line line = {.state = state, .t = t};

    places_run(&state->training->shards, state->active.first, state->active.end, move_places,
               &line);
}

/* Finds how the margins of the active rows change along the step. */
static void change_margins(struct newton *state)
{
    sums_margins(&state->training->shards, state->problem, newton_active(state),
                 state->step.direction, state->step.change);
    state->training->progress.row_visits += state->active.count;
    state->step.largest = state->kind->finish_change(state);
}

void newton_begin_qr(struct newton *state)
{
    const struct point *point = &state->training->point;

    state->has_qr = 1;
    state->may_begin_qr = 0;
    state->stalls = 0;
    if (state->continuation <= 1 && point->primal < state->primal)
        memcpy(state->w, point->w, state->training->width * sizeof *state->w);
    newton_evaluate_all(state);
}

/* Finds the direction, and the change of the margins along it. */
static void find_direction(struct newton *state)
{
    struct newton_step *step = &state->step;

    state->kind->solve(state);
    for (size_t j = 0; j < state->training->width; j++)
        step->direction[j] = -step->direction[j];
    change_margins(state);
    step->fall =
        fabs(state->has_qr ? curvature(state)
                           : dense_dot(state->gradient, step->direction, state->training->width));
}

void newton_prepare_step(struct newton *state)
{
    static const double FALSE = 0.01; /* fraction by which -<gradient, d> may differ from d'Hd */
    struct newton_step *step = &state->step;

    if (step->is_known)
        return;
    find_direction(state);
    if (state->may_begin_qr && !(fabs(step->fall - curvature(state)) <= FALSE * step->fall)) {
        newton_begin_qr(state);
        find_direction(state);
    }
    step->predicted_decrease = step->fall / 2;
    step->is_known = 1;
    if (state->kind->keep_ahead_before &&
        (state->continuation <= 1 || (state->has_qr && state->centre)))
        state->kind->keep_ahead_before(state);
}

void newton_take_step(struct newton *state)
{
    struct active_rows *active = &state->active;
    static const double FAR = 1e3; /* without free rows, the direction is only a gradient */
    struct newton_step *step = &state->step;
    double t;

    newton_prepare_step(state);
    if (active->count < state->rows)
        step->largest = team_largest(state->team, step->largest);
    t = newton_length(
        state, step->fall, 0.3,
        step->largest > FAR && (state->may_begin_qr || state->has_qr) ? FAR / step->largest : 1);
    if (active->count < state->rows &&
        active->margin_moved + t * step->largest > active->margin_slack) {
        newton_activate_all(state);
        change_margins(state);
        t = newton_length(state, step->fall, 0.3, 1);
    }
    active->last_move = t * step->largest;
    active->margin_moved += active->last_move;
    add_multiple(state->training->width, t, step->direction, state->w);
    newton_move_margins(state, t);
    if (state->kind->keep_ahead_after)
        state->kind->keep_ahead_after(state);
    state->stalls++;
}
