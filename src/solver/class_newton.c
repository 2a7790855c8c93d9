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
 * the centre moves and mu falls. Under the rule of -e it falls until it cannot break that.
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
 *
 * The steps towards such a W find out one by one which rows are free. So where the first ones leave
 * a large gap, mu rises and the centre is 0, and mu falls whenever the minimum is near: the free
 * rows change little from one to the next. newton.c does so, too.
 */
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/status.h"
#include "problem/class_loss.h"
#include "solver/cost.h"
#include "solver/line_search.h"
#include "solver/linear/singer_system.h"

static const double REACH = 4;      /* steps like the last, until shrunk rows are examined */
static const double START_MU = 0.1; /* times 1/C: mu at weights that are given */
static const double END_MU = 10;    /* times 1/C: the last mu with the centre at 0 */
static const double COARSE = 0.1;   /* tolerance of a system's solution, */
static const double FINE = 0.03;    /* and after a continuation in mu was begun */

struct class_newton {
    struct training *training;
    const struct problem *problem; /* the training's, or */
    struct problem limited;        /* it with costs that are limited, */
    double *cost;                  /* [rows] these */
    double scaled;                 /* lowest P of a W that was scaled */
    size_t classes;
    uint32_t rows;
    struct singer_system system;
    uint32_t active;         /* rows that are not shrunk */
    uint32_t *row;           /* [active] which they are, ascending; not used while all are active */
    double reach;            /* how far gains may move until the shrunk rows have to be examined, */
    double moved;            /* have moved since they were, */
    double last_move;        /* and did in the last step, at most */
    double *alpha;           /* [rows classes] at the gains */
    double *centre;          /* [rows classes] the dual point of the proximal term */
    double *gain;            /* [active classes] g_m of the active rows, */
    double *change;          /* [active classes] and of these along the step */
    uint32_t *shares;        /* [active] classes with a share */
    double *w;               /* [width] the iterate */
    double *gradient;        /* [width] */
    double *step;            /* [width] s */
    double *combined;        /* [width] sum x_i alpha_i', */
    double *shrunk;          /* [width] the shrunk rows' part of it, */
    double shrunk_conjugate; /* and of */
    double conjugate;        /* -sum of all shares but those of the own class */
    double *v;               /* [width] the training's */
    double mu;
    int continues;    /* mu falls, the centre being 0 */
    double tolerance; /* of a system's solution */
    double largest_cost;
    double longest;     /* largest |x_i|, */
    double mean_square; /* and mean |x_i|^2 */
    double primal;      /* P at W */
    double minimised;   /* |W|^2 / 2 + sum psi_i(z_i), if the centre is 0 and no share at its C */
    double smooth;      /* |gradient|^2 / 2 */
    double rough;       /* the cost of mu in the gap */
    unsigned steps;     /* so far */
    double best;        /* lowest primal + dual so far, */
    unsigned stalls;    /* and steps since it last fell by a tenth */
};

static struct selection active_rows(const struct class_newton *state)
{
    return (struct selection){state->active < state->rows ? state->row : NULL, state->active};
}

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

/* Everything that the next step and the rules need, at the present W and gains of the active rows.
 * Keeps W and alpha if they are the best so far. */
static void evaluate(struct class_newton *state)
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
    state->minimised = dense_dot(state->w, state->w, width) / 2 -
                       (state->conjugate + dense_dot(state->combined, state->w, width)) / 2;
    keep_dual(state);
    if (state->problem == training->problem)
        training_keep_primal(training, state->w, state->primal);
    keep_scaled(state);
    if (gap_falls(training->primal + training->dual, &state->best))
        state->stalls = 0;
}

/* Takes back the shrunk rows, and finds all gains anew. */
static void activate_all(struct class_newton *state)
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

/* evaluate() for all rows, and with all sums formed anew. */
static void evaluate_all(struct class_newton *state)
{
    activate_all(state);
    memset(state->alpha, 0, problem_duals(state->problem) * sizeof *state->alpha);
    memset(state->combined, 0, state->training->width * sizeof *state->combined);
    evaluate(state);
}

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

/* How far the gains of a row may move until a second class has a share; 0 if one has. */
static double distance_of(const struct class_newton *state, uint32_t i)
{
    const size_t k = state->classes, y = state->problem->class_of[i];
    const double cost = state->problem->cost[i], *gain = state->gain + i * k;
    const double *centre = state->centre + i * k;
    double top = -HUGE_VAL, second = -HUGE_VAL;

    if (state->shares[i] > 1)
        return 0;
    for (size_t m = 0; m < k; m++) {
        const double d = gain[m] + state->mu * singer_share(cost, y, centre, m);

        second = fmax(second, fmin(d, top));
        top = fmax(top, d);
    }
    return (top - second - state->mu * cost) / 2;
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

/* All rows having been evaluated, shrinks those that the next steps will not bring near a second
 * share, if they move the gains no farther than the last. Where that is the lesser part, it does
 * not pay. A smaller mu, and a centre moved to alpha, only make the distance larger. */
static void shrink(struct class_newton *state)
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

/* ---- A step -------------------------------------------------------------- */

/* The free rows and their classes with a share, for the system. */
static void list_free(struct class_newton *state)
{
    struct singer_system *system = &state->system;
    const struct selection rows = active_rows(state);
    const size_t k = state->classes;
    size_t end = 0;

    system->free = 0;
    for (uint32_t s = 0; s < state->active; s++) {
        const uint32_t i = selected(&rows, s), y = state->problem->class_of[i];

        if (state->shares[s] < 2)
            continue;
        system->first[system->free] = end;
        for (size_t m = 0; m < k; m++) {
            system->member[end] = (uint32_t)m;
            end += singer_share(state->problem->cost[i], y, state->alpha + i * k, m) > 0;
        }
        system->row[system->free++] = i;
    }
    system->first[system->free] = end;
    state->training->progress.active = system->free;
}

static void find_step(struct class_newton *state)
{
    enum { MOST = 200 };

    list_free(state);
    singer_system_form(&state->system, 1 / state->mu);
    singer_system_solve(&state->system, state->gradient, state->step, state->tolerance, MOST);
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

/* Where a step goes so far that shrunk rows may become free, they are taken back. */
static void take_step(struct class_newton *state)
{
    double largest, start, t;

    find_step(state);
    start = fabs(dense_dot(state->gradient, state->step, state->training->width));
    largest = change_gains(state);
    t = find_length(state, start);
    if (state->active < state->rows && state->moved + t * largest > state->reach) {
        activate_all(state);
        largest = change_gains(state);
        t = find_length(state, start);
    }
    state->last_move = t * largest;
    state->moved += state->last_move;
    for (size_t j = 0; j < state->training->width; j++)
        state->w[j] += t * state->step[j];
    for (size_t d = 0; d < state->active * state->classes; d++)
        state->gain[d] += t * state->change[d];
    state->stalls++;
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
    const double gap = state->training->parameters->gap;
    const double enough = gap > 0 ? 0.5 * gap * state->primal : HUGE_VAL;

    return !state->continues && state->smooth <= 2 * state->rough &&
           (state->rough > enough || state->mu > smallest_mu(state) ||
            state->smooth <= 1e-9 * state->rough);
}

/* Begins where the curvature of a row in the direction of x_i is a hundred times that of |W|^2 / 2,
 * if the first steps leave a large gap. */
static void begin_continuation(struct class_newton *state)
{
    static const double LITTLE = 0.5, CURVATURE = 100;
    const struct training *training = state->training;
    const double gap = training->primal + training->dual, mu = state->mean_square / CURVATURE;

    if (gap < LITTLE * training->primal || !(mu > END_MU / state->largest_cost && mu <= DBL_MAX))
        return;
    state->continues = 1;
    state->tolerance = FINE;
    state->mu = mu;
    memset(state->centre, 0, problem_duals(state->problem) * sizeof *state->centre);
    evaluate_all(state); /* a larger mu can free shrunk rows */
}

/* Whether costs or mu have changed. It goes on before the minimum is found: only the free rows
 * count. */
static int continue_in_mu(struct class_newton *state)
{
    static const double FALL = 3, FOUND = 30;

    if (state->smooth > FOUND * state->minimised)
        return 0;
    limit_costs(state);
    state->continues = state->mu > END_MU / state->largest_cost;
    if (state->continues)
        state->mu = fmax(state->mu / FALL, END_MU / state->largest_cost);
    return 1;
}

/* The rest of the gap is for another centre and a smaller mu. */
static void begin_stage(struct class_newton *state)
{
    memcpy(state->centre, state->alpha, problem_duals(state->problem) * sizeof *state->centre);
    state->mu /= 2;
    if (limit_costs(state))
        evaluate_all(state);
    else
        evaluate(state);
}

static void step(void *context)
{
    enum { DIRECT = 12 }; /* steps before a continuation */
    struct class_newton *state = context;
    struct training *training = state->training;

    training->progress.passes++;
    training->progress.steps++;
    training_moved(training);
    if (state->steps++ == DIRECT)
        begin_continuation(state);
    else if (state->continues && continue_in_mu(state))
        evaluate_all(state);
    if (stage_is_over(state))
        begin_stage(state);
    take_step(state);
    if (state->stalls % 8 == 0)
        evaluate_all(state); /* the steps add up gains, and with them rounding errors */
    else
        evaluate(state);
    if (state->active == state->rows)
        shrink(state);
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
    evaluate_all(state);
    return 0;
}

static int rules_hold(struct class_newton *state)
{
    struct training *training = state->training;

    if (!training_gap_is_near(training) || (training->parameters->eps > 0 && !dual_rule(state)))
        return 0;
    if (training_gap_is_met(training))
        return 1;
    evaluate_all(state);
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
    singer_system_lay_out(&to->system, arena, training->problem);
}

/* The first mu: such that it costs about as much as the gap is, and at least a thousandth of a
 * margin. Without a dual point, see newton.c. */
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
    singer_system_begin(&state->system, problem, &training->shards, training_stop(training));
    state->tolerance = COARSE;
    state->largest_cost = DBL_MIN; /* there may be no row */
    state->best = state->scaled = HUGE_VAL;
    memcpy(state->w, start ? start : training->w, training->width * sizeof *state->w);
    problem_centre(problem, state->w);
    training->start = NULL;
    training->v = state->v;
    activate_all(state);
    for (uint32_t i = 0; i < state->rows; i++) {
        state->largest_cost = fmax(state->largest_cost, problem->cost[i]);
        state->longest = fmax(state->longest, sqrt(problem_square(problem, i)));
        state->mean_square += problem_square(problem, i) / state->rows;
        if (start)
            singer_point(k, problem->cost[i], state->gain + i * k, problem->class_of[i], NULL,
                         4 * problem->cost[i], state->centre + i * k, state->system.member);
        else
            memcpy(state->centre + i * k, training->alpha + i * k, k * sizeof *state->centre);
    }
    state->mu = training->mu > 0 ? training->mu
                : start          ? START_MU / state->largest_cost
                                 : first_mu(state);
    evaluate(state);
    if (limit_costs(state))
        evaluate_all(state);
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
