/* class_newton.c - (I + 1/mu sum_i x_i x_i' (x) P_i) s = -gradient,  W += t s.
 *
 * Newton's method for the hinge of several classes, as newton.c is for that of two: what is
 * minimised is |W|^2 / 2 + sum_i psi_i(z_i), z_i = W'x_i, where psi_i is the loss smoothed by a
 * proximal term,
 *
 *     psi_i(z) = max over shares q of <g, q> - mu/2 |q - centre_i|^2,
 *     g_m = 1(m != y) + z_m - z_y,
 *
 * attained at the projection of centre_i + g/mu on the simplex. Its gradient is minus the row's
 * dual numbers, alpha_i = C_i e_y - q, and its Hessian 1/mu P_i: the projection on the vectors that
 * sum to 0 and are 0 but for the classes with a share (of the projection, that is the generalised
 * Jacobian). A row of which a single class has a share has none: the rows with two or more are
 * free.
 *
 * The centre is the last dual point: the proximal point method on the dual. The gap is |gradient|^2
 * / 2 plus what mu costs, a sum over rows, each at least 0; when the first has become the smaller,
 * the centre moves and mu falls. Where the losses of W are far above the minimum, that comes too
 * early: the second is about these losses, while D(alpha) is |gradient|^2 / 2 below what mu leaves
 * of it, and such an alpha is no good centre. So the first has to be small beside D, too. Under the
 * rule of -e mu falls until it cannot break that.
 *
 * No gradient has a part in which all columns are alike, and W is kept without one.
 *
 * Rows that are far from a second share are shrunk, as in newton.c: alpha_i is what it is, and
 * their part of everything is linear in W.
 *
 * Of a W with all margins above 0 a multiple has no loss, and P = |t W|^2/2. Of a solution the
 * shares of the classes other than the rows' own are |W|^2 and the losses together, so at most 2 P,
 * and 2 P of any W. So costs above that may as well be that: the solution is the same, and W of
 * these costs, scaled, is nearly one of any costs.
 */
#include "solver/newton/class_newton.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/status.h"
#include "solver/loop/cost.h"

static const double START_MU = 0.1; /* times 1/C: mu at weights that are given */

/* Whether costs were limited now that had to be. */
static int limit_costs(struct class_newton *state)
{
    static const double WORTH = 4; /* times: with less, little is to be had */
    const struct problem *problem = state->training->problem;
    const double most = 2 * state->scaled;

    if (!(WORTH * most < state->largest_cost))
        return 0;
    for (uint32_t i = 0; i < state->rows; i++)
        state->cost[i] = fmin(problem->cost[i], most);
    state->limited = *problem;
    state->limited.cost = state->cost;
    state->problem = &state->limited;
    state->largest_cost = most;
    return 1;
}

/* The mu that is small enough for the rule of -e: gains of classes with a share differ by mu times
 * the difference of what their shares have moved. */
static double smallest_mu(const struct class_newton *state)
{
    const double eps = state->training->eps;

    return eps > 0 ? eps / (4 * state->largest_cost) : HUGE_VAL;
}

/* Whether the rest of the gap is for another centre and a smaller mu. */
static int stage_is_over(const struct class_newton *state)
{
    static const double SMALL = 0.01; /* beside D */
    const double gap = state->training->parameters->gap;
    const double enough =
        gap > 0 ? 0.5 * gap * problem_scale(state->problem, state->primal) : HUGE_VAL;

    return state->smooth <= 2 * fmin(state->rough, SMALL * -state->training->dual) &&
           (state->rough > enough || state->mu > smallest_mu(state) ||
            state->smooth <= 1e-9 * state->rough);
}

/* The rest of the gap is for another centre and a smaller mu. */
static void begin_stage(struct class_newton *state)
{
    memcpy(state->centre, state->alpha, problem_duals(state->problem) * sizeof *state->centre);
    state->mu /= 2;
    if (limit_costs(state))
        class_newton_evaluate_all(state);
    else
        class_newton_evaluate(state);
}

static void step(void *context)
{
    struct class_newton *state = context;
    struct training *training = state->training;

    training_count_step(training);
    if (stage_is_over(state))
        begin_stage(state);
    class_newton_take_step(state);
    if (state->stalls % 8 == 0) /* the steps add up gains, and with them rounding errors */
        class_newton_evaluate_all(state);
    else
        class_newton_evaluate(state);
    if (state->active == state->rows)
        class_newton_shrink(state);
}

/* ---- Rules --------------------------------------------------------------- */

/* LIBLINEAR's rule, of sum x_i alpha_i', which is |gradient| away. */
static int dual_rule(struct class_newton *state)
{
    const double uncertain = sqrt(2 * state->smooth) * state->longest;

    if (uncertain > state->training->eps && state->stalls % 8 != 7)
        return 0;
    if (training_dual_rule(state->training, state->alpha, state->w, NULL))
        return 1;
    class_newton_evaluate_all(state);
    return 0;
}

static int rules_hold(struct class_newton *state)
{
    struct training *training = state->training;

    if (!training_gap_is_near(training) || (training->parameters->eps > 0 && !dual_rule(state)))
        return 0;
    if (training_gap_is_met(training))
        return 1;
    class_newton_evaluate_all(state);
    return 0;
}

static enum verdict met(void *context)
{
    enum { PATIENCE = 100 };
    struct class_newton *state = context;

    if (rules_hold(state))
        return MET;
    return state->stalls > PATIENCE || !(state->primal <= DBL_MAX) ? STALLED : GOES_ON;
}

/* ---- Beginning and end --------------------------------------------------- */

static void lay_out(void *context, struct arena *arena, const struct training *training)
{
    struct class_newton *to = context;
    const size_t rows = training->rows, width = training->width;
    const size_t duals = problem_duals(training->problem);

    to->row = arena_take(arena, rows, sizeof *to->row);
    to->cost = arena_take(arena, rows, sizeof *to->cost);
    to->alpha = arena_take(arena, duals, sizeof *to->alpha);
    to->centre = arena_take(arena, duals, sizeof *to->centre);
    to->gain = arena_take(arena, duals, sizeof *to->gain);
    to->change = arena_take(arena, duals, sizeof *to->change);
    to->shares = arena_take(arena, rows, sizeof *to->shares);
    to->w = arena_take(arena, width, sizeof *to->w);
    to->gradient = arena_take(arena, width, sizeof *to->gradient);
    to->step = arena_take(arena, width, sizeof *to->step);
    to->combined = arena_take(arena, width, sizeof *to->combined);
    to->shrunk = arena_take(arena, width, sizeof *to->shrunk);
    to->v = arena_take(arena, width, sizeof *to->v);
    class_system_lay_out(&to->system, arena, training->problem);
}

/* The first mu: such that it costs about as much as the gap is, or D where that is less, and at
 * least a thousandth of a margin. Without a dual point, see newton.c. */
static double first_mu(const struct class_newton *state)
{
    const struct problem *problem = state->problem;
    const size_t k = state->classes;
    double squares = 0, gap = 0, largest = 0;

    for (uint32_t i = 0; i < state->rows; i++) {
        const double *centre = state->centre + i * k;

        gap += singer_gap(k, problem->cost[i], singer_top(k, state->gain + i * k),
                          state->gain + i * k, problem->class_of[i], centre);
        for (size_t m = 0; m < k; m++) {
            squares += centre[m] * centre[m];
            largest = fmax(largest, centre[m]);
        }
    }
    gap = fmin(gap, -state->training->dual);
    return squares > 0 ? fmax(3 * gap / squares, 1e-3 / largest) : 10 / state->largest_cost;
}

static enum hinge_status begin(void *context, struct training *training, struct hinge_error *error)
{
    struct class_newton *state = context;
    const struct problem *problem = training->problem;
    const double *start = training->start;
    const size_t k = problem->classes;

    (void)error;
    state->training = training;
    state->problem = problem;
    state->classes = k;
    state->rows = training->rows;
    class_system_begin(&state->system, problem, &training->shards, training_stop(training));
    state->largest_cost = DBL_MIN; /* there may be no row */
    state->best = state->scaled = HUGE_VAL;
    memcpy(state->w, start ? start : training->w, training->width * sizeof *state->w);
    problem_centre(problem, state->w);
    training->start = NULL;
    training->v = state->v;
    class_newton_activate_all(state);
    for (uint32_t i = 0; i < state->rows; i++) {
        state->largest_cost = fmax(state->largest_cost, problem->cost[i]);
        state->longest = fmax(state->longest, sqrt(problem_square(problem, i)));
        if (start)
            singer_point(k, problem->cost[i], state->gain + i * k, problem->class_of[i], NULL,
                         4 * problem->cost[i], state->centre + i * k, state->system.member);
        else
            memcpy(state->centre + i * k, training->alpha + i * k, k * sizeof *state->centre);
    }
    state->mu = training->mu > 0 ? training->mu
                : start          ? START_MU / state->largest_cost
                                 : first_mu(state);
    class_newton_evaluate(state);
    if (limit_costs(state))
        class_newton_evaluate_all(state);
    return HINGE_OK;
}

static void end(void *context)
{
    struct class_newton *state = context;

    state->training->mu = state->mu;
}

const struct method class_newton = {.name = "",
                                    .size = sizeof(struct class_newton),
                                    .lay_out = lay_out,
                                    .begin = begin,
                                    .step = step,
                                    .met = met,
                                    .price = cost_of_class_newton,
                                    .end = end};
