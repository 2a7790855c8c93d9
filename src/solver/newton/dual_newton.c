/* dual_newton.c - alpha_F := alpha_F - t (Q_FF + diag(d) + mu I)^-1 G_F, clipped to the box.
 *
 * F are the free rows, 0 < alpha_i < U_i. Q_ij = y_i y_j <x_i, x_j>, d_i is the curvature of the
 * loss's conjugate, and G the gradient of the dual. This is the projected Newton method (Bertsekas,
 * SIAM J. Control and Optimization 1982) on the rows that coordinate descent has found to be free.
 * Passes of coordinate descent before and after a step exchange rows between F and the bounds, as
 * gradient projection alternates with conjugate gradients in the method of More and Toraldo (SIAM
 * J. Optim. 1991). mu keeps the matrix regular if rows depend on each other.
 *
 * Clipping bends the path. Between two bends the dual is a parabola, so bisection over the sorted
 * bends and one division find a minimum.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/elementary.h"
#include "base/sort.h"
#include "base/status.h"
#include "solver/linear/cg.h"
#include "solver/linear/cost.h"
#include "solver/linear/dual_system.h"
#include "solver/loop/method.h"

struct dual_newton {
    struct training *training;
    const struct problem *problem;
    struct dual_system *system;
    int is_stalled;        /* the last step gave no decrease */
    double *ridge;         /* [rows] d_i + mu */
    uint32_t *row;         /* [rows] numbers of the free rows */
    struct selection free; /* the free rows */
    double *alpha;         /* [free.count] */
    double *descent;       /* [free.count] -G */
    double *step;          /* [free.count] step of alpha, before it is clipped */
    double *bend;          /* [free.count] part of the step that takes alpha to its bound */
    double *bends;         /* [free.count] the bends below 1, sorted */

    /* A point of the path. */
    double part;     /* part of the step that was taken */
    double *change;  /* [free.count] change of alpha */
    double *shift;   /* [width] sum change_i y_i x_i */
    double *product; /* [free.count] y_i <x_i, shift> */
    double decrease; /* decrease of the dual */
};

/* ---- Setting up -------------------------------------------------------- */

static void lay_out(void *context, struct arena *arena, const struct training *training)
{
    struct dual_newton *to = context;
    const size_t rows = training->rows;

    to->ridge = arena_take(arena, rows, sizeof *to->ridge);
    to->row = arena_take(arena, rows, sizeof *to->row);
    to->alpha = arena_take(arena, rows, sizeof *to->alpha);
    to->descent = arena_take(arena, rows, sizeof *to->descent);
    to->step = arena_take(arena, rows, sizeof *to->step);
    to->bend = arena_take(arena, rows, sizeof *to->bend);
    to->bends = arena_take(arena, rows, sizeof *to->bends);
    to->change = arena_take(arena, rows, sizeof *to->change);
    to->shift = arena_take(arena, training->width, sizeof *to->shift);
    to->product = arena_take(arena, rows, sizeof *to->product);
}

/* Sets the ridge to d_i + mu. If rows depend on each other, only mu limits a step along them, and
 * mu = 1/U_i keeps the step in the box. A mu above a small part of |x_i|^2 would slow down all
 * other rows. A mu below the precision of the factor would spoil it. */
static enum hinge_status begin(void *context, struct training *training, struct hinge_error *error)
{
    struct dual_newton *state = context;
    const struct problem *problem = training->problem;
    double mean = 0;

    if (!(state->system =
              dual_system_new(problem, &training->shards, training_stop(training), error)))
        return failure(error);
    state->training = training;
    state->problem = problem;
    for (uint32_t i = 0; i < problem->rows; i++)
        mean += problem_square(problem, i) / problem->rows;
    for (uint32_t i = 0; i < problem->rows; i++) {
        const double mu = fmin(1 / problem_upper(problem, i), 1e-4 * mean);

        state->ridge[i] = fmax(problem_dual_curvature(problem, i) + mu, 1e-7 * mean);
        if (!(state->ridge[i] > 0))
            state->ridge[i] = 1; /* no row has a feature */
    }
    return HINGE_OK;
}

static void end(void *context)
{
    struct dual_newton *state = context;

    dual_system_free(state->system);
}

/* ---- The path ---------------------------------------------------------- */

/* Sets shift := sum change_i y_i x_i. */
static void form_shift(struct dual_newton *state)
{
    memset(state->shift, 0, state->training->width * sizeof *state->shift);
    sums_combine(&state->training->shards, state->problem, state->free, state->change, 1,
                 state->shift);
}

/* Goes to t on the path. Rows whose bend is at t or before are clipped. Returns the slope of the
 * dual after t. */
static double go_to(struct dual_newton *state, double t)
{
    double slope = 0;

    state->part = t;
    state->decrease = 0;
    for (uint32_t s = 0; s < state->free.count; s++)
        state->change[s] = fmin(t, state->bend[s]) * state->step[s];
    form_shift(state);
    sums_margins(&state->training->shards, state->problem, state->free, state->shift,
                 state->product);
    for (uint32_t s = 0; s < state->free.count; s++) {
        const double change = state->change[s], descent = state->descent[s];
        const double bent =
            state->product[s] + problem_dual_curvature(state->problem, state->row[s]) * change;

        state->decrease += change * (descent - bent / 2);
        slope += state->bend[s] > t ? state->step[s] * (bent - descent) : 0;
    }
    return slope;
}

/* Goes to the minimum of the parabola that begins at t, or to its end, whichever is nearer. */
static void go_to_minimum(struct dual_newton *state, double t, double slope, double end)
{
    double second = 0; /* derivative */

    for (uint32_t s = 0; s < state->free.count; s++) {
        const double step = state->bend[s] > t ? state->step[s] : 0;

        state->change[s] = step;
        second += problem_dual_curvature(state->problem, state->row[s]) * step * step;
    }
    form_shift(state);
    second += dense_dot(state->shift, state->shift, state->training->width);
    if (slope < 0)
        t = second > 0 ? fmin(t - slope / second, end) : end;
    go_to(state, t);
}

/* Goes to a minimum along the path, in the parabola that begins at the last bend where the dual
 * still falls. If there are several minima, this one may be above the start. Rounding errors may
 * leave no minimum. The first parabola, which falls in any case, is then taken. */
static void search(struct dual_newton *state)
{
    size_t bends = 0, low = 0, high;
    double first, slope;

    for (uint32_t s = 0; s < state->free.count; s++) {
        const double step = state->step[s];
        const double room = step < 0
                                ? -state->alpha[s]
                                : problem_upper(state->problem, state->row[s]) - state->alpha[s];

        state->bend[s] = step != 0 ? room / step : HUGE_VAL;
        if (state->bend[s] < 1)
            state->bends[bends++] = state->bend[s];
    }
    qsort(state->bends, bends, sizeof *state->bends, compare_doubles);
    first = slope = go_to(state, 0);
    for (high = bends + 1; high - low > 1;) { /* low: bends before the parabola */
        const size_t middle = low + (high - low) / 2;
        const double after = middle > bends ? 0 : go_to(state, state->bends[middle - 1]);

        if (after < 0) {
            low = middle;
            slope = after;
        } else {
            high = middle;
        }
    }
    go_to_minimum(state, low > 0 ? state->bends[low - 1] : 0, slope,
                  low < bends ? state->bends[low] : 1);
    if (!(state->decrease > 0) && low > 0)
        go_to_minimum(state, 0, first, bends > 0 ? state->bends[0] : 1);
}

/* ---- A step ------------------------------------------------------------ */

/* Solves the system and searches, several times. A search that ends early has met the bounds of
 * rows that made up much of the step. The rest of the step has no meaning. Another step for the
 * remaining rows costs little while the factor is fresh. */
static void step(void *context)
{
    enum { MOST_ROUNDS = 10 };
    struct dual_newton *state = context;
    struct training *training = state->training;
    const struct problem *problem = state->problem;
    double *alpha = training->point.alpha, *w = training->point.w;
    const double before = dual_system_spent(state->system);
    double decrease = 0;

    state->part = 0;
    for (int k = 0; k < MOST_ROUNDS && state->part <= 0.5; k++) {
        uint32_t count = 0;

        for (uint32_t i = 0; i < problem->rows; i++)
            if (loss_is_free(problem->loss, problem_cost(problem, i), alpha[i])) {
                state->alpha[count] = alpha[i];
                state->row[count++] = i;
            }
        state->free = (struct selection){state->row, count};
        dual_system_choose(state->system, state->free, state->ridge);
        sums_margins(&training->shards, problem, state->free, w, state->descent);
        for (uint32_t s = 0; s < count; s++)
            state->descent[s] = problem_target(problem, state->row[s], problem->loss) -
                                state->descent[s] -
                                problem_dual_curvature(problem, state->row[s]) * state->alpha[s];
        /* A residual of a tenth is enough, because the rows that come and go cause a larger
         * error. */
        dual_system_solve(state->system, state->descent, state->step, 0.1, MOST_GRADIENTS);
        search(state);
        if (!(state->decrease > 0))
            break;
        for (uint32_t s = 0; s < count; s++) { /* clipped rows are at their bound exactly */
            const double upper = problem_upper(problem, state->row[s]);
            const double bound = state->step[s] < 0 ? 0 : upper;
            const double moved = clamp(state->alpha[s] + state->change[s], 0, upper);

            alpha[state->row[s]] = state->bend[s] <= state->part ? bound : moved;
        }
        for (size_t j = 0; j < training->width; j++)
            w[j] += state->shift[j];
        decrease += state->decrease;
    }
    state->is_stalled = decrease == 0;
    training->point.dual -= decrease;
    training->alpha_version++;
    training->spent += dual_system_spent(state->system) - before;
    training_count_step(training);
}

static enum verdict met(void *context)
{
    const struct dual_newton *state = context;

    return state->is_stalled ? STALLED : GOES_ON;
}

const struct method dual_newton = {
    .name = "",
    .size = sizeof(struct dual_newton),
    .lay_out = lay_out,
    .begin = begin,
    .step = step,
    .met = met,
    .price = cost_of_dual_newton,
    .end = end,
};
