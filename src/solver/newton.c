/* newton.c - (I + sum_i weight_i x_i x_i') p = -gradient,  w += t p.
 *
 * What is minimised is |w|^2 / 2 + sum_i phi_i(s_i), s_i = t_i - y_i <w, x_i>, where phi_i is the
 * loss C_i phi, or, if that has no derivative everywhere, the loss smoothed by a proximal term:
 *
 *     phi_i(s) = max over a of a s - C_i phi*(a/C_i) - mu/2 (a - centre_i)^2,
 *
 * attained at alpha_i(s) = loss_point(). The function is convex and once differentiable, gradient =
 * w - sum alpha_i y_i x_i; weight_i is the derivative of alpha_i by s_i, 0 but on the free rows.
 *
 * A smooth loss has mu = 0, and the gap P(w) + D(alpha) is |gradient|^2 / 2. That may be a thousand
 * times the excess of P, unless the step before solved its system exactly and changed no weight. So
 * where it is solved by conjugate gradients, or the loss is curved everywhere, the dual point of
 * the step is looked at, too: see add_ahead.
 *
 * Else mu > 0, and the centre is the last dual point: the proximal point method on the dual. It is
 * a Newton step of the dual on its free rows, projected on the box, whose matrix Q_FF + mu I is
 * regular whatever the rank of Q_FF is. (In the dual alone that is the projected Newton method of
 * Bertsekas; Li, Sun and Toh, SIAM J. Optim. 2018, solve the proximal problem in the primal as
 * here.) The gap is |gradient|^2 / 2 plus what mu costs, a sum over rows, each at least 0; when the
 * first has become the smaller, the centre moves and mu falls. Under the rule of -e it falls until
 * no gradient -s_i = mu (centre_i - alpha_i) can break it.
 *
 * A free bias b is not in |w|^2; at its best value sum alpha_i y_i = total, which makes alpha
 * feasible. The steps take it with w, and each evaluation moves it to that value.
 *
 * At a large C on rows that can be separated, the steps enter a polyhedron where |w|^2 is nearly
 * all of P, and find out one by one which rows are free. So where the first steps have not been
 * enough, C falls to a share of it, or mu rises and the centre is 0, and both go back by a factor
 * whenever the minimum is near: the free rows change little from one to the next.
 *
 * Most rows are at a bound and far from leaving it. Until the steps may have brought one of them
 * near, they are shrunk: alpha_i is what it is, and their part of everything is linear in w.
 */
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/status.h"
#include "base/sum.h"
#include "problem/bias.h"
#include "solver/cost.h"
#include "solver/line_search.h"
#include "solver/linear/primal_system.h"

static const double REACH = 4;        /* steps like the last, until the shrunk rows are examined */
static const double ROUNDING = 1e-15; /* of a sum, relative to the sum of the absolute values */
static const double END_MU = 10;      /* times 1/C: mu at which every row is free at w = 0 */
static const double START_MU = 0.5;   /* times 1/C: a row is free within a quarter of a margin */
static const double COARSE = 0.3;     /* tolerance of a system's solution */
static const double FAR_FALL = 8;     /* of mu, where the minimum is far */

enum { DIRECT = 12 }; /* steps at C itself, before a continuation */

struct newton {
    struct training *training;
    const struct problem *problem;
    struct primal_system *system;
    enum loss loss;
    struct team *team;
    uint32_t rows;
    uint32_t active; /* rows that are not shrunk, of all ranks */
    uint32_t *row;   /* [active] which they are, own ones, ascending; not used while all are */
    uint32_t first;  /* own active rows are at places first .. end - 1 of arrays over them; while */
    uint32_t end;    /* all are active, these are the rows */
    double reach;    /* how far margins may move until the shrunk rows have to be examined, */
    double moved;    /* have moved since they were, */
    double last_move; /* and did in the last step, at most */
    double *alpha;    /* [rows] alpha_i(z_i) */
    double *centre;   /* [rows] of the proximal term; NULL: of a smooth loss there is none */
    double *ahead;    /* [active] the dual point of the step */
    double *z;        /* [active] margins of the active rows */
    double *change;   /* [active] of these along the step */
    struct breakpoint *points; /* [rows] for the best bias, where it has a linear term */
    double *w;                 /* [width] the iterate */
    double *gradient;          /* [width] */
    double *step;              /* [width] p */
    double *combined;          /* [width] sum alpha_i y_i x_i, */
    double *shrunk;            /* [width] the shrunk rows' part of it, */
    double shrunk_linear;
    double shrunk_total; /* and of */
    double linear;       /* sum t_i alpha_i, */
    double total;        /* sum alpha_i */
    double *v;           /* [width] the training's */
    double mu;
    double continuation; /* how many times C is too small, or mu too large; 1: no more */
    double share;        /* of C in phi_i; 1 but for a smooth loss in a continuation */
    double tolerance;    /* of the system's solution, relative to the gradient, at most */
    int looks_ahead;     /* the dual point of a step is worth a pass: see add_ahead */
    double own_dual;     /* lowest D of alpha at an iterate */
    double promise;      /* by how much the last step was to lower P, as the Hessian has it */
    unsigned steps;      /* so far */
    double largest_cost;
    double longest; /* largest |x_i|, of a regression the root of the mean |x_i|^2, if there is the
                       rule of -e */
    uint32_t free;  /* rows in F */
    int unbalanced; /* sum alpha_i y_i is not its total, though the bias is free */
    double primal;  /* P at w */
    double minimised; /* |w|^2 / 2 + sum phi_i(z_i), if the centre is 0 and no row at its C */
    double smooth;    /* |gradient|^2 / 2 */
    double rough;     /* the cost of mu in the gap */
    double best;      /* lowest primal + dual so far, */
    unsigned stalls;  /* and steps since it last fell by a tenth */
    double at_zero;   /* |gradient| at w = 0, for LIBLINEAR's rule of its primal solvers */
};

static struct selection active_rows(const struct newton *state)
{
    return state->active < state->rows ? (struct selection){state->row, state->end}
                                       : (struct selection){NULL, state->rows};
}

/* The slack of row i at margin z. */
static double slack_of(const struct newton *state, uint32_t i, double z)
{
    return problem_target(state->problem, i, state->loss) - z;
}

/* The cost of row i in what the steps minimise. */
static ALWAYS_INLINE double step_cost(const struct newton *state, uint32_t i, enum loss loss)
{
    return state->problem->cost[i] * (loss_is_smooth(loss) ? state->share : 1);
}

/* ---- Along a line ------------------------------------------------------- */

/* A point on the line w + t p. */
struct line_point {
    const struct newton *state;
    double t;
    double linear; /* derivatives there of what does not depend on the active rows */
    double square;
};

/* What the active rows add to the derivatives of the function along the step: the first has -this,
 * the second this. */
static ALWAYS_INLINE void slope_as(const struct line_point *at, struct selection rows,
                                   uint32_t first, uint32_t end, double *scalars, enum loss loss)
{
    const struct newton *state = at->state;
    const double inverse = loss_is_smooth(loss) ? 0 : 1 / state->mu;
    double slope = 0, bend = 0;

    for (uint32_t s = first; s < end; s++) {
        const uint32_t i = selected(&rows, s);
        const double change = state->change[s];
        const double centre = loss_is_smooth(loss) ? 0 : state->centre[i];
        double curvature;
        const double slack =
            problem_target(state->problem, i, loss) - (state->z[s] + at->t * change);
        const double alpha =
            loss_point(loss, step_cost(state, i, loss), slack, centre, inverse, &curvature);

        slope += alpha * change;
        bend += curvature * change * change;
    }
    scalars[0] += slope;
    scalars[1] += bend;
}

static void add_slope(void *context, const struct shard *shard)
{
    const struct line_point *at = context;

    WITH_LOSS(at->state->loss,
              WITH_ROWS(active_rows(at->state),
                        slope_as(at, ROWS, shard->first, shard->end, shard->scalars, LOSS)));
}

static void derive(void *context, double t, double *first, double *second)
{
    struct line_point *at = context;
    double scalars[MOST_SCALARS];

    at->t = t;
    sums_run(&at->state->training->shards, active_rows(at->state), add_slope, at, scalars, NULL);
    *first = at->linear + t * at->square - scalars[0];
    *second = at->square + scalars[1];
}

/* How much of the step to take, first at t. Near the minimum is a part of the derivative at 0,
 * -start. */
static double find_length(const struct newton *state, double start, double part, double t)
{
    const size_t width = state->training->width, penalised = problem_penalised(state->problem);
    struct line_point at = {.state = state};

    at.linear = dense_dot(state->w, state->step, penalised) -
                dense_dot(state->shrunk, state->step, width) +
                problem_linear(state->problem, state->step);
    at.square = dense_dot(state->step, state->step, penalised);
    return line_search(derive, &at, start, part, t);
}

/* Takes back the shrunk rows, and finds all z anew. */
static void activate_all(struct newton *state)
{
    const struct own_rows own = own_rows(state->problem);

    state->active = state->rows;
    state->first = own.first;
    state->end = own.end;
    state->shrunk_linear = state->shrunk_total = 0;
    memset(state->shrunk, 0, state->training->width * sizeof *state->shrunk);
    sums_margins(&state->training->shards, state->problem, all_rows(state->problem), state->w,
                 state->z);
    state->training->progress.row_visits += state->rows;
}

/* Whether every alpha is 0 at a point of the line, and there are rows of both signs to limit w. */
static int leaves_no_loss(const struct line_point *at)
{
    const struct newton *state = at->state;
    const struct selection rows = active_rows(state);
    const double inverse = loss_is_smooth(state->loss) ? 0 : 1 / state->mu;
    int64_t signs = 0;
    int any = 0;

    for (uint32_t s = state->first; s < state->end && !any; s++) {
        const uint32_t i = selected(&rows, s);
        const double centre = state->centre ? state->centre[i] : 0;
        double curvature;

        any = loss_point(state->loss, state->problem->cost[i],
                         slack_of(state, i, state->z[s] + at->t * state->change[s]), centre,
                         inverse, &curvature) > 0;
    }
    if (team_any(state->team, any) || state->active < state->rows)
        return 0;
    for (uint32_t i = 0; i < state->rows; i++)
        signs += state->problem->sign[i];
    return signs < state->rows && -signs < state->rows;
}

/* The best free bias for the weights: sum alpha_i y_i is its total there. Its step takes no data.
 * Where it would leave no row with a loss, it is left to the steps: they would not know what limits
 * w. */
static void settle_bias(struct newton *state)
{
    const struct selection rows = active_rows(state);
    static const double ENOUGH = 1e-12; /* at nu = 1 rounding may take more than all rows have */
    const size_t last = state->training->width - 1;
    struct line_point at = {.state = state};
    double scalars[MOST_SCALARS], slope, t;

    state->unbalanced = 0;

    memset(state->step, 0, state->training->width * sizeof *state->step);
    state->step[last] = 1;
    for (uint32_t s = state->first; s < state->end; s++)
        state->change[s] = state->problem->bias * state->problem->sign[selected(&rows, s)];
    sums_run(&state->training->shards, rows, add_slope, &at, scalars, NULL);
    slope = scalars[0] + state->shrunk[last] - problem_slope(state->problem);
    if (fabs(slope) <= fmax(ROUNDING * state->total, ENOUGH * state->problem->total))
        return;
    if (slope < 0) {
        state->step[last] = -1;
        for (uint32_t s = state->first; s < state->end; s++)
            state->change[s] = -state->change[s];
    }
    at.t = t = find_length(state, fabs(slope), 1e-9, scalars[1] > 0 ? fabs(slope) / scalars[1] : 1);
    state->unbalanced = leaves_no_loss(&at);
    if (state->unbalanced)
        return;
    state->last_move += t * fabs(state->problem->bias);
    state->moved += t * fabs(state->problem->bias);
    state->w[last] += t * state->step[last];
    for (uint32_t s = state->first; s < state->end; s++)
        state->z[s] += t * state->change[s];
    if (state->active < state->rows && state->moved > state->reach) {
        activate_all(state);
        settle_bias(state);
    }
}

/* ---- Evaluating -------------------------------------------------------- */

/* What an evaluation adds up. */
enum { VALUE, CONJUGATE, LINEAR, TOTAL, ROUGH, FREE };

/* Brings alpha of the places to their z, and sum alpha_i y_i x_i by what changes. */
static ALWAYS_INLINE void evaluate_as(struct newton *state, struct selection rows, uint32_t first,
                                      uint32_t end, double *scalars, double *combined,
                                      enum loss loss)
{
    enum { SOME = 1024 };
    const double inverse = loss_is_smooth(loss) ? 0 : 1 / state->mu;
    double change[SOME];

    for (uint32_t start = first, stop; start < end; start = stop) {
        double value = 0, conjugate = 0, linear = 0, total = 0, rough = 0;
        uint32_t free = 0;

        stop = end - start < SOME ? end : start + SOME;
        for (uint32_t s = start; s < stop; s++) {
            const uint32_t i = selected(&rows, s);
            const double cost = state->problem->cost[i];
            const double target = problem_target(state->problem, i, loss);
            const double slack = target - state->z[s];
            const double centre = loss_is_smooth(loss) ? 0 : state->centre[i];
            double curvature;
            const double alpha =
                loss_point(loss, step_cost(state, i, loss), slack, centre, inverse, &curvature);
            const double lost = loss_value(loss, cost, slack);

            change[s - start] = alpha - state->alpha[i];
            state->alpha[i] = alpha;
            value += lost;
            linear += target * alpha;
            total += alpha;
            if (loss_is_smooth(loss))
                conjugate += loss_conjugate_at(loss, cost, target, alpha, slack, lost);
            else
                rough += loss_gap(loss, loss_scale(loss, cost), alpha, slack);
        }
        for (uint32_t s = start; s < stop; s++) { /* above it would make alpha a branch */
            const uint32_t i = selected(&rows, s);

            free += (uint32_t)loss_is_free(loss, state->problem->cost[i], state->alpha[i]);
        }
        sums_combine_some(state->problem, rows, change, 1, start, stop, combined);
        scalars[VALUE] += value;
        scalars[CONJUGATE] += conjugate;
        scalars[LINEAR] += linear;
        scalars[TOTAL] += total;
        scalars[ROUGH] += rough;
        scalars[FREE] += free;
    }
}

static void add_evaluation(void *context, const struct shard *shard)
{
    struct newton *state = context;

    WITH_LOSS(state->loss,
              WITH_ROWS(active_rows(state), evaluate_as(state, ROWS, shard->first, shard->end,
                                                        shard->scalars, shard->vector, LOSS)));
}

/* Keeps alpha, `active` being what the active rows have instead if it is not NULL, or a multiple of
 * it, if its dual value is the lowest so far. On the ray D(t alpha) = t^2 square - t linear, for a
 * loss whose conjugate is quadratic. */
static void keep_dual(struct newton *state, const double *active, double dual, double linear)
{
    const struct selection rows = active_rows(state);
    const struct own_rows own = own_rows(state->problem);
    const double square = dual + linear;
    double *alpha = state->training->alpha;
    const int is_ray = square > 0 && !loss_is_curved(state->loss) && state->problem->total == 0;
    double t = is_ray ? linear / (2 * square) : 1;

    t = fmin(fmax(t, 0), loss_most_multiple(state->loss)); /* targets may be negative, and linear */
    dual = t * (t * square - linear);
    state->own_dual = active ? state->own_dual : fmin(state->own_dual, dual);
    if (state->unbalanced || !training_keeps_dual(state->training, dual))
        return;
    for (uint32_t i = own.first; i < own.end; i++)
        alpha[i] = t * state->alpha[i];
    for (uint32_t s = state->first; active && s < state->end; s++)
        alpha[selected(&rows, s)] = t * active[s];
    bias_balance(state->problem, alpha);
}

/* P(w) with the bias that is the best for its other entries, which the training keeps: the bias of
 * the steps is the best of the smoothed loss, and where costs are far above alpha, as in a
 * one-class SVM of small nu, that loss and P have little in common. fixed: what P has beside the
 * bias and the active rows. Not in a team: the corners would be needed of all rows. */
static double best_of_bias(struct newton *state, double fixed)
{
    const struct selection rows = active_rows(state);
    const struct problem *problem = state->problem;
    const size_t last = state->training->width - 1;
    const double before = state->w[last];
    struct sum slope = {problem->total, 0};
    double b, value = 0;

    sum_add(&slope, -state->shrunk[last]);
    for (uint32_t s = 0; s < state->active; s++) {
        const uint32_t i = selected(&rows, s);

        state->points[s].at = before + problem->sign[i] * slack_of(state, i, state->z[s]);
        state->points[s].cost = problem->cost[i];
        sum_add(&slope, problem->sign[i] > 0 ? -problem->cost[i] : 0);
    }
    b = bias_of_corners(state->points, state->active, slope);
    for (uint32_t s = 0; s < state->active; s++) {
        const uint32_t i = selected(&rows, s);
        const double moved = slack_of(state, i, state->z[s]) - problem->sign[i] * (b - before);

        value += loss_value(state->loss, problem->cost[i], moved);
    }
    state->w[last] = b;
    value += fixed + (problem->total - state->shrunk[last]) * b;
    training_keep_primal(state->training, state->w, value);
    state->w[last] = before;
    return value;
}

/* Everything that the next step and the rules need, at the present w and z of the active rows;
 * evaluations only add what changed. Keeps w and alpha if they are the best so far. */
static void evaluate(struct newton *state)
{
    struct training *training = state->training;
    const size_t width = training->width, penalised = problem_penalised(state->problem);
    double scalars[MOST_SCALARS], linear, conjugate, square;

    if (state->problem->bias_kind == BIAS_FREE)
        settle_bias(state);
    sums_run(&training->shards, active_rows(state), add_evaluation, state, scalars,
             state->combined);
    state->free = (uint32_t)scalars[FREE];
    state->rough = scalars[ROUGH];
    linear = state->linear = scalars[LINEAR] + state->shrunk_linear;
    state->total = scalars[TOTAL] + state->shrunk_total;
    conjugate = loss_is_smooth(state->loss) ? scalars[CONJUGATE] - state->shrunk_linear : -linear;
    for (size_t j = 0; j < width; j++)
        state->gradient[j] =
            (j < penalised ? state->w[j] : problem_slope(state->problem)) - state->combined[j];
    square = dense_dot(state->w, state->w, penalised) / 2;
    state->primal = square + scalars[VALUE] + state->shrunk_linear -
                    dense_dot(state->shrunk, state->w, width) +
                    problem_linear(state->problem, state->w);
    state->minimised = square + (loss_is_curved(state->loss)
                                     ? state->share * scalars[VALUE]
                                     : (linear - dense_dot(state->combined, state->w, width)) / 2);
    state->smooth = dense_dot(state->gradient, state->gradient, penalised) / 2;
    keep_dual(state, NULL, dense_dot(state->combined, state->combined, penalised) / 2 + conjugate,
              linear);
    training_keep_primal(training, state->w, state->primal);
    if (state->problem->total != 0) {
        const double best = best_of_bias(state, square + state->shrunk_linear -
                                                    dense_dot(state->shrunk, state->w, penalised));

        state->rough = fmax(state->rough - (state->primal - best), 0);
        state->primal = best;
    }
    training->progress.row_visits += state->active;
    training->progress.active = state->free;
    if (gap_falls(training->primal + state->own_dual, &state->best))
        state->stalls = 0;
}

/* evaluate() for all rows, and with all sums formed anew. */
static void evaluate_all(struct newton *state)
{
    activate_all(state);
    memset(state->alpha, 0, state->rows * sizeof *state->alpha);
    memset(state->combined, 0, state->training->width * sizeof *state->combined);
    evaluate(state);
}

/* What the active rows add to sum alpha_i y_i x_i, sum t_i alpha_i and sum alpha_i. */
static void add_active(void *context, const struct shard *shard)
{
    enum { SOME = 1024 };
    const struct newton *state = context;
    double alpha[SOME];

    for (uint32_t start = shard->first, stop; start < shard->end; start = stop) {
        stop = shard->end - start < SOME ? shard->end : start + SOME;
        for (uint32_t s = start; s < stop; s++) {
            alpha[s - start] = state->alpha[state->row[s]];
            shard->scalars[LINEAR] +=
                problem_target(state->problem, state->row[s], state->loss) * alpha[s - start];
            shard->scalars[TOTAL] += alpha[s - start];
        }
        sums_combine_some(state->problem, active_rows(state), alpha, 1, start, stop, shard->vector);
    }
}

/* All rows having been evaluated, shrinks those that the next steps will not bring near the end of
 * their bound, if they move the margins no farther than the last. Where that is the lesser part, it
 * does not pay. A smaller mu, and a centre moved to alpha, only make the distance larger. */
static void shrink(struct newton *state)
{
    const struct problem *problem = state->problem;
    const struct own_rows own = own_rows(problem);
    const uint32_t most = state->rows / 3;
    double scalars[MOST_SCALARS], active;
    uint32_t count = 0;

    state->moved = 0;
    state->reach = REACH * state->last_move;
    if (state->free > most)
        return;
    for (uint32_t i = own.first; i < own.end && count <= most; i++) {
        const double centre = state->centre ? state->centre[i] : 0;

        const double distance = loss_distance(state->loss, problem->cost[i],
                                              slack_of(state, i, state->z[i]), centre, state->mu);

        state->row[count] = i; /* without a branch: it would be mispredicted */
        count += !(distance > state->reach);
    }
    active = count;
    team_add(state->team, &active, 1);
    if (active > most)
        return;
    state->active = (uint32_t)active;
    state->first = 0;
    state->end = count;
    for (uint32_t s = 0; s < count; s++)
        state->z[s] = state->z[state->row[s]];
    sums_run(&state->training->shards, active_rows(state), add_active, state, scalars,
             state->shrunk);
    state->shrunk_linear = state->linear - scalars[LINEAR];
    state->shrunk_total = state->total - scalars[TOTAL];
    for (size_t j = 0; j < state->training->width; j++)
        state->shrunk[j] = state->combined[j] - state->shrunk[j];
}

/* ---- A step ------------------------------------------------------------ */

/* How the margins of the active rows change along the step; the largest change. */
static double change_margins(struct newton *state)
{
    double low = 0, high = 0;

    sums_margins(&state->training->shards, state->problem, active_rows(state), state->step,
                 state->change);
    state->training->progress.row_visits += state->active;
    for (uint32_t s = state->first; s < state->end; s++) {
        low = state->change[s] < low ? state->change[s] : low;
        high = state->change[s] > high ? state->change[s] : high;
    }
    return team_largest(state->team, high > -low ? high : -low);
}

/* Whether the last step is not to win so much that the dual point of a step cannot tell yet. */
static int is_close(const struct newton *state)
{
    return state->promise < fmax(0.1, training_target(state->training)) *
                                problem_scale(state->problem, state->primal);
}

/* Second derivatives of the rows' functions, and from them and the gradient the step p. */
static void find_step(struct newton *state)
{
    enum { MOST_GRADIENTS = 200 };
    const struct selection rows = active_rows(state);
    struct row_weights *weights = primal_system_weights(state->system);
    double tolerance = state->tolerance;

    weights->count = 0;
    for (uint32_t s = state->first; s < state->end; s++) {
        const uint32_t i = selected(&rows, s);
        const double weight =
            loss_point_weight(state->loss, state->share * state->problem->cost[i], state->alpha[i]);

        weights->row[weights->count] = i;
        weights->weight[weights->count] = weight;
        weights->count += weight > 0;
    }
    primal_system_form(state->system, state->problem, &state->training->shards,
                       loss_is_smooth(state->loss) ? 1 : 1 / state->mu);
    if (loss_is_curved(state->loss) && is_close(state))
        tolerance = fmin(tolerance, sqrt(training_target(state->training) * state->primal /
                                         (100 * fmax(state->smooth, DBL_MIN))));
    if (state->tolerance < COARSE)
        tolerance = fmin(tolerance, 0.3 * sqrt(state->minimised / fmax(state->smooth, DBL_MIN)));
    primal_system_solve(state->system, state->gradient, state->step, tolerance, MOST_GRADIENTS);
    for (size_t j = 0; j < state->training->width; j++)
        state->step[j] = -state->step[j];
}

/* The dual point of the step p: alpha_i and, to first order, its change along p. Its sum
 * alpha_i y_i x_i is w + p but for what the system's solution leaves, and its gap is about as small
 * as the excess of P(w + p), where that of w and alpha has all of |gradient|^2 / 2. */
static ALWAYS_INLINE void find_ahead(struct newton *state, struct selection rows, enum loss loss)
{
    const double inverse = loss_is_smooth(loss) ? 1 : 1 / state->mu;

    for (uint32_t s = state->first; s < state->end; s++) {
        const uint32_t i = selected(&rows, s);
        const double cost = state->problem->cost[i], alpha = state->alpha[i];
        const double weight = inverse * loss_point_weight(loss, cost, alpha);

        state->ahead[s] =
            fmin(positive_part(alpha - weight * state->change[s]), loss_upper(loss, cost));
    }
}

/* What the active rows of either sign have together. */
static void add_signs(void *context, const struct shard *shard)
{
    const struct newton *state = context;
    const struct selection rows = active_rows(state);
    struct sum total[2] = {{0, 0}, {0, 0}};

    for (uint32_t s = shard->first; s < shard->end; s++)
        sum_add(&total[state->problem->sign[selected(&rows, s)] > 0], state->ahead[s]);
    for (int sign = 0; sign < 2; sign++)
        shard->scalars[sign] += sum_value(&total[sign]);
}

/* Of a free bias: that leaves a sum alpha_i y_i, which is taken from the active rows of the class
 * whose sum is larger. Of the hinge rows at a bound are to stay there: see bias_balance. */
static void balance_ahead(struct newton *state)
{
    const struct selection rows = active_rows(state);
    double total[MOST_SCALARS], excess;
    int larger;

    sums_run(&state->training->shards, rows, add_signs, state, total, NULL);
    excess = total[1] - total[0] + state->shrunk[state->training->width - 1] / state->problem->bias;
    larger = excess > 0;
    for (uint32_t s = state->first; s < state->end; s++)
        if ((state->problem->sign[selected(&rows, s)] > 0) == larger)
            state->ahead[s] *= fmax(0, 1 - fabs(excess) / total[larger]);
}

static ALWAYS_INLINE void ahead_as(const struct newton *state, struct selection rows,
                                   uint32_t first, uint32_t end, double *scalars, double *vector,
                                   enum loss loss)
{
    enum { SOME = 1024 };
    double change[SOME];

    for (uint32_t start = first, stop; start < end; start = stop) {
        stop = end - start < SOME ? end : start + SOME;
        for (uint32_t s = start; s < stop; s++) {
            const uint32_t i = selected(&rows, s);
            const double target = problem_target(state->problem, i, loss);

            change[s - start] = state->ahead[s] - state->alpha[i];
            scalars[CONJUGATE] +=
                loss_conjugate(loss, state->problem->cost[i], target, state->ahead[s]);
            scalars[LINEAR] += target * state->ahead[s];
        }
        sums_combine_some(state->problem, rows, change, 1, start, stop, vector);
    }
}

static void add_ahead(void *context, const struct shard *shard)
{
    const struct newton *state = context;

    WITH_LOSS(state->loss,
              WITH_ROWS(active_rows(state), ahead_as(state, ROWS, shard->first, shard->end,
                                                     shard->scalars, shard->vector, LOSS)));
}

static void keep_ahead(struct newton *state)
{
    struct training *training = state->training;
    double scalars[MOST_SCALARS];

    WITH_LOSS(state->loss, WITH_ROWS(active_rows(state), find_ahead(state, ROWS, LOSS)));
    if (state->problem->bias_kind == BIAS_FREE && loss_is_smooth(state->loss))
        balance_ahead(state);
    memcpy(state->v, state->combined, training->width * sizeof *state->v);
    sums_run(&training->shards, active_rows(state), add_ahead, state, scalars, state->v);
    training->progress.row_visits += state->active;
    keep_dual(state, state->ahead,
              dense_dot(state->v, state->v, problem_penalised(state->problem)) / 2 +
                  scalars[CONJUGATE] - state->shrunk_linear,
              scalars[LINEAR] + state->shrunk_linear);
}

/* Where a step goes so far that shrunk rows may become free, they are taken back. */
static void take_step(struct newton *state)
{
    double largest, start, t;

    find_step(state);
    start = fabs(dense_dot(state->gradient, state->step, state->training->width));
    largest = change_margins(state);
    state->promise = start / 2;
    if (state->looks_ahead && state->continuation <= 1 && is_close(state))
        keep_ahead(state);
    t = find_length(state, start, 0.3, 1);
    if (state->active < state->rows && state->moved + t * largest > state->reach) {
        activate_all(state);
        largest = change_margins(state);
        t = find_length(state, start, 0.3, 1);
    }
    state->last_move = t * largest;
    state->moved += state->last_move;
    for (size_t j = 0; j < state->training->width; j++)
        state->w[j] += t * state->step[j];
    for (uint32_t s = state->first; s < state->end; s++)
        state->z[s] += t * state->change[s];
    state->stalls++;
}

/* ---- The proximal term ------------------------------------------------- */

/* The mu that is small enough for the rule of -e, as alpha and centre are in the box. */
static double smallest_mu(const struct newton *state)
{
    const double eps = state->training->eps;

    return eps > 0 ? eps / (2 * state->largest_cost) : HUGE_VAL;
}

/* Whether the rest of the gap is for another centre and a smaller mu: not if it will come below the
 * target here, and the rule of -e be met, unless there is no rest. */
static int stage_is_over(const struct newton *state)
{
    const double gap = state->training->parameters->gap;
    const double enough =
        gap > 0 ? 0.5 * gap * problem_scale(state->problem, state->primal) : HUGE_VAL;

    return !loss_is_smooth(state->loss) && !state->unbalanced && state->continuation <= 1 &&
           state->smooth <= 2 * state->rough &&
           (state->rough > enough || state->mu > smallest_mu(state) ||
            state->smooth <= 1e-9 * state->rough);
}

/* Whether the gap is still a large part of D. The first alpha of a one-class SVM, rows up to the
 * sum that it is to have, may be far off, while its first mu is what that gap makes it. */
static int is_far(const struct newton *state)
{
    const struct training *training = state->training;

    return state->problem->total != 0 && training->primal + training->dual > 0.3 * training->dual;
}

/* sum alpha_i^2, and the gap of the rows. */
static void add_first(void *context, const struct shard *shard)
{
    const struct newton *state = context;
    const double *alpha = state->training->alpha;
    double squares = 0, gap = 0;

    for (uint32_t i = shard->first; i < shard->end; i++) {
        const double scale = loss_scale(state->loss, state->problem->cost[i]);

        squares += alpha[i] * alpha[i];
        gap += loss_gap(state->loss, scale, alpha[i], slack_of(state, i, state->z[i]));
    }
    shard->scalars[0] += squares;
    shard->scalars[1] += gap;
}

/* The first mu: such that it costs about as much as the gap is, and a row is free at least over a
 * thousandth of a margin, where margins have a unit. Without a dual point, so large that every row
 * is. */
static double first_mu(const struct newton *state)
{
    struct training *training = state->training;
    const struct own_rows own = own_rows(state->problem);
    double scalars[MOST_SCALARS], largest = 0, mu;

    sums_run(&training->shards, all_rows(state->problem), add_first, (void *)state, scalars, NULL);
    for (uint32_t i = own.first; i < own.end; i++)
        largest = fmax(largest, training->alpha[i]);
    largest = team_largest(state->team, largest);
    mu = scalars[0] > 0 ? 3 * scalars[1] / scalars[0] : END_MU / state->largest_cost;
    if (scalars[0] > 0 && state->problem->total == 0)
        mu = fmax(mu, 1e-3 / largest);
    if (!(mu > DBL_MIN)) /* nothing is left to do */
        mu = 1;
    return training->parameters->gap > 0 ? mu : fmax(mu, smallest_mu(state));
}

/* ---- Continuation in C -------------------------------------------------- */

/* sum C_i |x_i|^2 */
static void add_curvature(void *context, const struct shard *shard)
{
    const struct problem *problem = context;
    double sum = 0;

    for (uint32_t i = shard->first; i < shard->end; i++)
        sum += problem->cost[i] * problem_square(problem, i);
    shard->scalars[0] += sum;
}

/* Begins where the curvature of a row in the direction of x_i is so many times that of |w|^2 / 2. A
 * loss that is not smooth needs it only where the steps at C have won nothing.
 *
 * What the system's solution leaves is the gradient after a full step. The larger C is, the more of
 * the gradient is in the span of the free rows; a residual of a third of it may be all that there
 * is in the other directions, in which |w|^2 is still to fall. */
static void begin_continuation(struct newton *state)
{
    const double curvature = loss_is_smooth(state->loss) ? 100 : 100 * END_MU;
    double scalars[MOST_SCALARS];

    if (state->problem->total != 0 ||
        (state->centre && state->training->primal + state->own_dual < state->primal / 2))
        return;
    sums_run(&state->training->shards, all_rows(state->problem), add_curvature,
             (void *)state->problem, scalars, NULL);
    if (!(scalars[0] <= DBL_MAX))
        return;
    state->continuation = fmax(1, scalars[0] / state->rows / curvature);
    state->tolerance = fmax(0.03, COARSE / sqrt(state->continuation));
}

/* It goes on before the minimum is found: only the free rows count. */
static void continue_in_C(struct newton *state)
{
    const double before = state->continuation;

    if (state->steps == DIRECT)
        begin_continuation(state);
    else if (state->smooth <= 10 * state->minimised)
        state->continuation = fmax(1, before / 8);
    if (state->continuation == before)
        return;
    if (state->centre) {
        memset(state->centre, 0, state->rows * sizeof *state->centre);
        state->mu = state->continuation * END_MU / state->largest_cost;
    } else {
        state->share = 1 / state->continuation;
    }
    if (state->continuation > before)
        evaluate_all(state); /* a larger mu can free shrunk rows */
    else
        evaluate(state);
}

static void step(void *context)
{
    struct newton *state = context;
    struct training *training = state->training;

    training->progress.passes++;
    training->progress.steps++;
    training_moved(training);
    continue_in_C(state);
    state->steps++;
    if (stage_is_over(state)) {
        /* a larger fall of mu leaves too few rows free, and they come back one by one */
        memcpy(state->centre, state->alpha, state->rows * sizeof *state->centre);
        state->mu /= is_far(state) ? FAR_FALL : 2;
        evaluate(state);
    }
    take_step(state);
    if (state->stalls % 8 == 0) {
        /* the steps add up z, and with it rounding errors, which change the gap */
        training_measure(training);
        evaluate_all(state);
    } else {
        evaluate(state);
    }
    if (state->active == state->rows)
        shrink(state);
}

/* ---- Rules ------------------------------------------------------------- */

/* LIBLINEAR's rule of its primal solvers: |gradient| <= eps max(min(#pos, #neg), 1)/m |that at 0|,
 * of a regression |gradient| <= eps |that at 0|. */
static int primal_rule(const struct newton *state)
{
    const struct problem *problem = state->problem;
    double positive = 0, fewer;

    if (state->continuation > 1) /* the gradient is not that of P */
        return 0;
    for (uint32_t i = 0; i < problem->rows; i++)
        positive += problem->sign[i] > 0;
    fewer = loss_has_targets(problem->loss) ? problem->rows
                                            : fmax(fmin(positive, problem->rows - positive), 1);
    return sqrt(2 * state->smooth) <=
           state->training->parameters->eps * fewer / fmax(problem->rows, 1) * state->at_zero;
}

/* The rule of its dual solvers; where it holds, the training has the w that it is about. z_i there
 * is uncertain by |x_i| |gradient|, and not worth the passes while that is much. The mean of all
 * rows, which a regression's rule is about, is a tenth of that bound and less. */
static int dual_rule(struct newton *state)
{
    const double uncertain = sqrt(2 * state->smooth) * state->longest;

    if (uncertain > (loss_has_targets(state->loss) ? 8 : 1) * state->training->eps &&
        state->stalls % 8 != 7)
        return 0;
    if (training_dual_rule(state->training, state->alpha, state->w, state->ahead))
        return 1;
    evaluate_all(state);
    return 0;
}

/* Keeps the dual point of one more step, which is not taken: near the minimum w is a step ahead of
 * the dual point that it was found with, and nearly all of the gap is that one's: of the logistic
 * loss it is some three times the excess of P, of the squared epsilon-insensitive one up to 1e4
 * times. Of the squared hinge most of it is gone where the free rows are settled, and what is left
 * is not worth a tenth of the training. */
static void look_ahead_again(struct newton *state)
{
    static const double LITTLE = 1e-9; /* a relative gap that needs no more */
    const struct training *training = state->training;

    if (state->steps == 0 || state->centre || training->parameters->gap <= 0 ||
        !(loss_is_curved(state->loss) || loss_has_targets(state->loss)) ||
        training->primal + training->dual <= LITTLE * training->primal)
        return;
    find_step(state);
    change_margins(state);
    keep_ahead(state);
}

/* Whether the rules hold; of the gap, for what was measured. */
static int rules_hold(struct newton *state)
{
    struct training *training = state->training;

    if (!training_gap_is_near(training))
        return 0;
    if (training->parameters->eps > 0 &&
        !(training->task->solver->primal_rule ? primal_rule(state) : dual_rule(state)))
        return 0;
    look_ahead_again(state);
    if (training->parameters->gap > 0 &&
        state->problem->total != 0) { /* of all rows, which nu is about */
        training->w[training->width - 1] = bias_best(state->problem, training->w, state->points);
        training_moved(training);
    }
    if (training_gap_is_met(training))
        return 1;
    evaluate_all(state);
    return 0;
}

static enum verdict met(void *context)
{
    enum { PATIENCE = 100 };
    struct newton *state = context;

    if (rules_hold(state))
        return MET;
    return state->stalls > PATIENCE || !(state->primal <= DBL_MAX) ? STALLED : GOES_ON;
}

/* ---- Beginning and end ------------------------------------------------- */

static void lay_out(void *context, struct arena *arena, const struct training *training)
{
    struct newton *to = context;
    const size_t rows = training->rows, width = training->width;
    const int is_one_class = training->problem->total != 0;

    to->alpha = arena_take(arena, rows, sizeof *to->alpha);
    to->combined = arena_take(arena, width, sizeof *to->combined);
    to->gradient = arena_take(arena, width, sizeof *to->gradient);
    arena_leave_rest(arena);
    to->row = arena_take(arena, rows, sizeof *to->row);
    to->centre = loss_is_smooth(training->problem->loss)
                     ? NULL
                     : arena_take(arena, rows, sizeof *to->centre);
    to->ahead = arena_take(arena, rows, sizeof *to->ahead);
    to->z = arena_take(arena, rows, sizeof *to->z);
    to->change = arena_take(arena, rows, sizeof *to->change);
    to->points = arena_take(arena, is_one_class ? rows : 0, sizeof *to->points);
    to->w = arena_take(arena, width, sizeof *to->w);
    to->step = arena_take(arena, width, sizeof *to->step);
    to->shrunk = arena_take(arena, width, sizeof *to->shrunk);
    to->v = arena_take(arena, width, sizeof *to->v);
}

/* |gradient| at w = 0, where alpha_i = -C_i phi'(0). */
static double gradient_at_zero(struct newton *state)
{
    const size_t width = state->training->width;
    double curvature;

    for (uint32_t i = 0; i < state->rows; i++)
        state->alpha[i] = loss_point(state->loss, state->problem->cost[i], slack_of(state, i, 0), 0,
                                     0, &curvature);
    sums_combine(&state->training->shards, state->problem, all_rows(state->problem), state->alpha,
                 1, state->v);
    memset(state->alpha, 0, state->rows * sizeof *state->alpha);
    return sqrt(dense_dot(state->v, state->v, width));
}

static void end(void *context)
{
    struct newton *state = context;

    training_leave(state->training);
    state->training->mu = state->mu;
}

/* Sets the costs, and where the proximal term is centred. */
static void begin_rows(struct newton *state, int at_start)
{
    const struct problem *problem = state->problem;

    for (uint32_t i = 0; i < state->rows; i++) {
        state->largest_cost = fmax(state->largest_cost, problem->cost[i]);
        if (state->centre)
            state->centre[i] = at_start ? problem->cost[i] / 2 : state->training->alpha[i];
    }
}

/* sum |x_i|^2, by which longest is found of a regression. */
static void add_squares(void *context, const struct shard *shard)
{
    const struct newton *state = context;

    for (uint32_t i = shard->first; i < shard->end; i++)
        shard->scalars[0] += problem_square(state->problem, i);
}

static double find_longest(struct newton *state)
{
    const struct own_rows own = own_rows(state->problem);
    double scalars[MOST_SCALARS], longest = 0;

    if (loss_has_targets(state->loss)) {
        sums_run(&state->training->shards, all_rows(state->problem), add_squares, state, scalars,
                 NULL);
        return sqrt(scalars[0] / fmax(state->rows, 1));
    }
    for (uint32_t i = own.first; i < own.end; i++)
        longest = fmax(longest, problem_square(state->problem, i));
    return sqrt(team_largest(state->team, longest));
}

/* At w as it is given, or at that of the dual point. */
static enum hinge_status begin(void *context, struct training *training, struct hinge_error *error)
{
    struct newton *state = context;
    const struct problem *problem = training->problem;
    const double *start = training->start;

    if (!(state->system = training_system(training, error)))
        return failure(error);
    state->training = training;
    state->problem = problem;
    state->team = problem->team;
    state->loss = problem->loss;
    state->largest_cost = DBL_MIN; /* there may be no row */
    state->rows = training->rows;
    state->best = state->promise = HUGE_VAL;
    state->own_dual = training->dual;
    state->looks_ahead = loss_is_curved(problem->loss) || !primal_over_features(problem);
    state->share = 1;
    state->tolerance = COARSE;
    state->continuation = 1;
    memcpy(state->w, start ? start : training->w, training->width * sizeof *state->w);
    training->start = NULL;
    if (problem->total != 0 && !start) /* of the margins nothing is known but this */
        state->w[training->width - 1] = bias_best(problem, state->w, state->points);
    begin_rows(state, start != NULL);
    if (training->parameters->eps > 0)
        state->longest = find_longest(state);
    training->v = state->v;
    if (training->task->solver->primal_rule && training->parameters->eps > 0)
        state->at_zero = gradient_at_zero(state);
    activate_all(state);
    if (state->centre)
        state->mu = training->mu > 0 ? training->mu
                    : start          ? START_MU / state->largest_cost
                                     : first_mu(state);
    evaluate(state);
    return HINGE_OK;
}

const struct method newton = {.name = "",
                              .size = sizeof(struct newton),
                              .lay_out = lay_out,
                              .begin = begin,
                              .step = step,
                              .met = met,
                              .price = cost_of_newton,
                              .end = end};
