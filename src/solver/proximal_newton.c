/* proximal_newton.c - min over u of L(w) + <L'(w), u - w> + (u - w)'H(u - w)/2 + |u|_1,
 *                     w += t (u - w).
 *
 * P(w) = |w|_1 + L(w), L the sum of losses, which is smooth; H = sum_i h_i x_i x_i' with h_i the
 * second derivative of row i's loss, or the one it had before where that has changed little.
 *
 * The dual point of a step is alpha_i = C_i phi'(s_i) and, to first order, its change along the
 * step, back in its domain: its sum alpha_i y_i x_i is minus the gradient of the model at u, of
 * which no coordinate exceeds 1 at the minimum. What exceeds 1 is scaled away.
 *
 * With few features the model has a matrix. With many it is about a working set of them, by
 * columns; a dual point is scaled by all, and the largest |v_j| out of the set asks for another
 * one. From w = 0 a large C would make the first sets much larger than the last: the costs grow in
 * stages, from the smallest of which the solution is not 0.
 */
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/status.h"
#include "base/sum.h"
#include "problem/bias.h"
#include "solver/line_search.h"
#include "solver/method.h"
#include "solver/working_set.h"

/* A row's second derivative in the matrix is brought up to date where it has changed by more than
 * this part, */
static const double STALE = 0.1;

/* and, where there is no matrix, left out where it is this part of the largest it can be. */
static const double FLAT = 1e-7;

/* By how much the costs grow from a stage to the next, and the relative gap that ends a stage. */
static const double STAGE = 8, STAGE_GAP = 0.1;

struct proximal_newton {
    struct training *training;
    const struct problem *problem; /* the training's, with the costs of the stage */
    struct problem staged;
    double *cost; /* [rows] these: */
    double share; /* of the training's costs; 1 in the last stage */
    enum loss loss;
    uint32_t rows;
    int by_columns;         /* the features are many: a step is about a working set of them; */
    struct working_set set; /* this one */
    struct column_lasso by;
    struct dense_lasso dense; /* the model of all features */
    struct lasso *lasso;      /* that of either */
    int outside;              /* a feature out of the set keeps the dual point from its domain */
    struct by_features *by_features; /* the workspace's */
    struct stop stop;
    double *w;          /* [width] the iterate */
    double *guess;      /* [width] where the model's solution is looked for; NULL: at w */
    double *z;          /* [rows] its margins, */
    int is_exact;       /* formed anew, free of the rounding of steps; */
    int is_estimate;    /* P(w) is not a sum over these, but the last C's; */
    double *next;       /* [rows] those at the end of the step, */
    double *change;     /* [rows] and what they differ by */
    double *alpha;      /* [rows] C phi'(s) */
    double *curvature;  /* [rows] C phi''(s) */
    double *weight;     /* [rows] h_i, those in the model by columns, */
    double *difference; /* [rows + 1] or by how much those of the rows changed[] have to grow */
    uint32_t *changed;  /* [rows + 1] */
    double *ahead;      /* [rows] the dual point of the step */
    double *step;       /* [width] u - w over the features of the model */
    double *combined;   /* [width] sum alpha_i y_i x_i of `ahead`, */
    double *reference;  /* [rows] by columns a copy of it, */
    int has_reference;  /* if there is one: the next sum is to be near */
    double *v;          /* [width] the training's */
    int has_best_w;     /* w is the training's, */
    int has_best_dual;  /* and its alpha and v, formed anew, are those of `ahead` */
    double primal;      /* P(w), */
    double losses;      /* its sum C_i phi(s_i), */
    double ahead_dual;  /* D of `ahead`; 0: not known, */
    double dual;        /* lowest D, */
    double gap;         /* and of these the relative gap, with the costs of the stage */
    double best;        /* lowest gap so far, */
    unsigned stalls;    /* and steps since it last fell by a tenth */
    double mu;          /* the ridge of feature j in the model, over the largest second derivative
                           of L along it */
    double first;       /* violation at w = 0, for LIBLINEAR's rule */
};

/* The entry of w that goes with one of the model. */
static size_t feature_of(const struct proximal_newton *state, size_t j)
{
    return state->by_columns ? state->set.member[j] : j;
}

/* ---- Evaluating --------------------------------------------------------- */

/* A point on the line w + t (u - w). */
struct line_point {
    struct proximal_newton *state;
    double t;
    double linear; /* |u|_1 - |w|_1: |w + t (u - w)|_1 is at most |w|_1 + t linear */
    double value;  /* sum C_i phi(s_i), last found there */
};

enum { VALUE, SLOPE, BEND };

static ALWAYS_INLINE void evaluate_as(const struct line_point *at, uint32_t first, uint32_t end,
                                      double *scalars, enum loss loss)
{
    const struct proximal_newton *state = at->state;
    struct sum value = {0, 0};
    double slope = 0, bend = 0;

    for (uint32_t i = first; i < end; i++) {
        const double cost = state->problem->cost[i], change = state->change[i];
        const double z = at->t == 0   ? state->z[i]
                         : at->t == 1 ? state->next[i]
                                      : state->z[i] + at->t * change;
        const double slack = loss_target(loss) - z;

        state->alpha[i] = loss_point(loss, cost, slack, 0, 0, &state->curvature[i]);
        sum_add(&value, loss_value(loss, cost, slack));
        slope += state->alpha[i] * change;
        bend += state->curvature[i] * change * change;
    }
    scalars[VALUE] += sum_value(&value);
    scalars[SLOPE] += slope;
    scalars[BEND] += bend;
}

static void add_evaluation(void *context, const struct shard *shard)
{
    const struct line_point *at = context;

    WITH_LOSS(at->state->loss, evaluate_as(at, shard->first, shard->end, shard->scalars, LOSS));
}

/* Finds alpha, its derivative and the losses there; slope and curvature along the line. */
static void evaluate_at(struct line_point *at, double t, double *slope, double *bend)
{
    const struct training *training = at->state->training;
    double scalars[MOST_SCALARS];

    at->t = t;
    sums_run(&training->shards, all_rows(training->problem), add_evaluation, at, scalars, NULL);
    at->state->training->progress.row_visits += at->state->rows;
    at->value = scalars[VALUE];
    *slope = scalars[SLOPE];
    *bend = scalars[BEND];
}

/* P(w), from |w|_1 and the losses, where alpha is that of w. */
static void keep_primal(struct proximal_newton *state, double norm, double losses)
{
    state->primal = norm + losses;
    state->losses = losses;
    state->is_estimate = 0;
    state->has_best_w |=
        training_keep_primal(state->training, state->w, norm + losses / state->share);
}

static double norm_of(const double *u, size_t penalised)
{
    struct sum norm = {0, 0};

    for (size_t j = 0; j < penalised; j++)
        sum_add(&norm, fabs(u[j]));
    return sum_value(&norm);
}

/* Finds alpha and P(w). */
static void evaluate(struct proximal_newton *state)
{
    struct line_point here = {.state = state};
    double ignored;

    evaluate_at(&here, 0, &ignored, &ignored);
    keep_primal(state, norm_of(state->w, problem_penalised(state->problem)), here.value);
}

/* Finds the margins anew. */
static void evaluate_all(struct proximal_newton *state)
{
    sums_margins(&state->training->shards, state->problem, all_rows(state->problem), state->w,
                 state->z);
    state->is_exact = 1;
    state->training->progress.row_visits += state->rows;
    evaluate(state);
}

/* ---- The dual point ----------------------------------------------------- */

/* The multiple of a dual point whose dual value is lowest, with v in the domain. */
static double best_multiple(const struct proximal_newton *state)
{
    const double largest = dense_largest(state->combined, problem_penalised(state->problem));
    double linear = 0, square = 0, most;

    most = largest > 0 ? (1 - 16 * DBL_EPSILON) / largest : HUGE_VAL;
    if (!loss_is_squared(state->loss))
        return fmin(most, 1);
    for (uint32_t i = 0; i < state->rows; i++) {
        linear += state->ahead[i];
        square += state->ahead[i] / state->cost[i] * state->ahead[i];
    }
    return square > 0 ? fmin(most, 2 * linear / square) : 1;
}

/* Whether a feature out of the working set is what limits the multiple. */
static int is_outside(const struct proximal_newton *state, double multiple)
{
    double inside = 0;

    for (size_t j = 0; j < state->set.count; j++)
        inside = fmax(inside, fabs(state->combined[state->set.member[j]]));
    return multiple * inside < 1 - 1e-9;
}

/* combined := sum alpha_i y_i x_i of `ahead`, or bounds of it. */
static void combine_ahead(struct proximal_newton *state)
{
    struct training *training = state->training;
    const struct problem *whole = training->problem;

    bias_balance(whole, state->ahead);
    if (state->by_columns && state->has_reference) {
        working_set_combine_near(&state->set, &training->shards, state->ahead, state->reference,
                                 state->combined);
    } else if (state->by_columns) {
        working_set_combine(&state->set, &training->shards, state->ahead, state->combined);
    } else {
        memset(state->combined, 0, training->width * sizeof *state->combined);
        sums_combine(&training->shards, whole, all_rows(whole), state->ahead, 1, state->combined);
    }
    training->progress.row_visits += state->rows;
}

/* `ahead` and its sum times that. */
static void scale_ahead(struct proximal_newton *state, double multiple)
{
    for (uint32_t i = 0; i < state->rows; i++)
        state->ahead[i] *= multiple;
    for (size_t j = 0; j < state->training->width; j++)
        state->combined[j] *= multiple;
    if (state->by_columns)
        memcpy(state->reference, state->ahead, state->rows * sizeof *state->ahead);
    state->has_reference = state->by_columns;
}

/* Keeps `ahead`, which is feasible, if its dual value is the lowest so far. */
static void keep_ahead(struct proximal_newton *state)
{
    struct training *training = state->training;
    const struct problem *whole = training->problem;
    const double dual = sums_conjugates(&training->shards, state->problem, state->ahead);

    state->ahead_dual = dual;
    state->dual = fmin(state->dual, dual);
    state->has_best_dual = training_keeps_dual(
        training,
        state->share < 1 ? sums_conjugates(&training->shards, whole, state->ahead) : dual);
    if (state->has_best_dual) {
        memcpy(training->alpha, state->ahead, state->rows * sizeof *state->ahead);
        memcpy(state->v, state->combined, training->width * sizeof *state->v);
    }
}

/* The dual point that `ahead` is a multiple of. */
static void find_dual(struct proximal_newton *state)
{
    double multiple;

    combine_ahead(state);
    multiple = best_multiple(state);
    state->outside = state->by_columns && is_outside(state, multiple);
    scale_ahead(state, multiple);
    keep_ahead(state);
}

/* Looks at how far P(w) is from the dual point. */
static void judge(struct proximal_newton *state)
{
    state->gap = (state->primal + state->dual) / fmax(state->primal, DBL_MIN);
    if (gap_falls(state->gap, &state->best))
        state->stalls = 0;
}

/* ---- The model ---------------------------------------------------------- */

/* Brings the matrix up to date, by the rows whose second derivatives are not those in it any more.
 */
static void form_matrix(struct proximal_newton *state)
{
    const size_t order = state->lasso->order;
    const struct shards one = {.rows = state->rows, .count = 1, .length = order * order};
    double *matrix = state->by_features->matrix, *weight = state->by_features->weight;
    uint32_t count = 0;

    for (uint32_t i = 0; i < state->rows; i++) {
        const double difference = state->curvature[i] - weight[i];

        state->changed[count] = i;
        state->difference[count] = difference;
        count += !(fabs(difference) <= STALE * weight[i]);
    }
    sums_outer(&one, state->problem, (struct selection){state->changed, count}, state->difference,
               &state->stop, matrix);
    for (uint32_t s = 0; s < count; s++)
        weight[state->changed[s]] += state->difference[s];
    for (size_t j = 0; j < order; j++)
        for (size_t k = 0; k < j; k++)
            matrix[j * order + k] = matrix[k * order + j];
}

static ALWAYS_INLINE void weigh_as(struct proximal_newton *state, enum loss loss)
{
    for (uint32_t i = 0; i < state->rows; i++) {
        const double now = state->curvature[i];

        state->weight[i] = now > FLAT * loss_most_curvature(loss, state->cost[i]) ? now : 0;
    }
}

/* Chooses a working set by the dual point. */
static void choose_set(struct proximal_newton *state)
{
    size_t nonzeros = 0;

    for (size_t j = 0; j < state->problem->data->features; j++)
        nonzeros += state->w[j] != 0;
    /* from the last C few features are to come */
    working_set_choose(&state->set,
                       state->guess ? nonzeros + nonzeros / 8 + 16 : 2 * nonzeros + 128, state->w,
                       state->combined);
    state->outside = 0;
}

/* The model at w. */
static void form_model(struct proximal_newton *state)
{
    const struct problem *problem = state->problem;
    struct lasso *lasso = state->lasso;

    if (state->by_columns) {
        if (state->outside)
            choose_set(state);
        WITH_LOSS(state->loss, weigh_as(state, LOSS));
        working_set_model(&state->set, state->weight, &state->by);
        working_set_combine_some(&state->set, state->alpha, -1, lasso->gradient);
        for (size_t j = 0; j < lasso->order; j++) {
            const double norm = j < state->set.count ? state->set.norm[state->set.member[j]] : 0;

            state->by.ridge[j] = state->mu * state->share * norm * norm;
        }
    } else {
        form_matrix(state);
        memset(lasso->gradient, 0, lasso->order * sizeof *lasso->gradient);
        sums_combine(&state->training->shards, problem, all_rows(problem), state->alpha, -1,
                     lasso->gradient);
    }
    state->training->progress.row_visits += state->rows;
    for (size_t j = 0; j < lasso->order; j++)
        lasso->u[j] = state->w[feature_of(state, j)];
    if (state->by_columns)
        memcpy(state->by.origin, lasso->u, lasso->order * sizeof *lasso->u);
}

/* Of the model's solution. What it leaves is scaled away from the dual point: the relative gap
 * grows by |w|_1/P times that, of which the last step may leave a half of the target. Before,
 * Newton's method squares the violation. */
static double tolerance(const struct proximal_newton *state)
{
    const double now = lasso_violation(state->lasso, state->lasso->gradient);
    const double part = state->by_columns ? 0.3 : 0.02; /* of columns sweeps are dear */
    const double share = (state->primal - state->losses) / state->primal;

    return fmin(fmax(part * now * now, 0.5 * training_target(state->training) / fmax(share, 0.01)),
                part * now);
}

/* ---- The step ----------------------------------------------------------- */

static ALWAYS_INLINE void ahead_as(struct proximal_newton *state, enum loss loss)
{
    for (uint32_t i = 0; i < state->rows; i++) {
        const double moved = state->alpha[i] - state->weight[i] * state->change[i];

        state->ahead[i] = fmin(fmax(moved, 0), loss_upper(loss, state->problem->cost[i]));
    }
}

/* Of the bound of P along the step; beyond its end there is nothing to look for. */
static void derive(void *context, double t, double *first, double *second)
{
    struct line_point *at = context;
    double slope;

    evaluate_at(at, t, &slope, second);
    *first = at->linear - slope;
    if (t >= 1 && *first < 0)
        *first = 0;
}

/* The margins of u, and what they differ by from those of w. */
static void find_change(struct proximal_newton *state)
{
    const struct problem *problem = state->problem;

    if (state->by_columns)
        working_set_margins(&state->set, state->lasso->u, state->next);
    else
        sums_margins(&state->training->shards, problem, all_rows(problem), state->lasso->u,
                     state->next);
    for (uint32_t i = 0; i < state->rows; i++)
        state->change[i] = state->next[i] - state->z[i];
    state->training->progress.row_visits += state->rows;
}

/* Where the model is flat, as in the many directions that no row with a slack feels, its minimum is
 * so far away that rows without one get in the way. A ridge keeps it near. */
static void damp(struct proximal_newton *state, double t)
{
    static const double LEAST = 1e-4, NONE = 1e-7;

    if (t < 0.5)
        state->mu = fmax(4 * state->mu, LEAST);
    else if (t == 1)
        state->mu = state->mu > NONE ? state->mu / 2 : 0;
}

/* The slope of the losses along the step at w is minus this. */
static void add_slope(void *context, const struct shard *shard)
{
    const struct proximal_newton *state = context;

    for (uint32_t i = shard->first; i < shard->end; i++)
        shard->scalars[SLOPE] += state->alpha[i] * state->change[i];
}

/* w += t (u - w); not if the model promises no descent. Then alpha is that of the new w. */
static void take_step(struct proximal_newton *state)
{
    struct line_point at = {.state = state};
    struct lasso *lasso = state->lasso;
    double start, t, ignored, scalars[MOST_SCALARS];

    for (size_t j = 0; j < lasso->order; j++)
        state->step[j] = state->w[feature_of(state, j)];
    at.linear = norm_of(lasso->u, lasso->penalised) - norm_of(state->step, lasso->penalised);
    find_change(state);
    WITH_LOSS(state->loss, ahead_as(state, LOSS));
    sums_run(&state->training->shards, all_rows(state->problem), add_slope, state, scalars, NULL);
    start = scalars[SLOPE] - at.linear;
    if (!(start > 0))
        return;
    t = line_search(derive, &at, start, 0.3, 1);
    if (t != at.t)
        evaluate_at(&at, t, &ignored, &ignored);
    damp(state, t);
    for (size_t j = 0; j < lasso->order; j++)
        state->w[feature_of(state, j)] = lasso->u[j] =
            t < 1 ? state->step[j] + t * (lasso->u[j] - state->step[j]) : lasso->u[j];
    for (uint32_t i = 0; i < state->rows; i++)
        state->z[i] = t == 1 ? state->next[i] : state->z[i] + t * state->change[i];
    state->is_exact = t == 1;
    state->has_best_w = 0;
    keep_primal(state, norm_of(lasso->u, lasso->penalised), at.value);
}

static void set_costs(struct proximal_newton *state, double share)
{
    for (uint32_t i = 0; i < state->rows; i++)
        state->cost[i] = share * state->training->problem->cost[i];
    state->share = share;
    state->dual = 0;
    state->best = HUGE_VAL;
}

/* Goes on with other costs. */
static void set_share(struct proximal_newton *state, double share)
{
    set_costs(state, share);
    evaluate(state);
    judge(state);
}

static void step(void *context)
{
    enum { STEADY = 16 }; /* after so many steps without progress they are to be more exact */
    struct proximal_newton *state = context;
    double enough;

    state->training->progress.passes++;
    state->training->progress.steps++;
    training_moved(state->training);
    state->stalls++;
    if (state->by_columns && state->share == 1 && state->ahead_dual < 0)
        working_set_screen(&state->set, state->primal + state->ahead_dual, state->w,
                           state->combined);
    if (state->share < 1 && state->gap < STAGE_GAP)
        set_share(state, fmin(1, STAGE * state->share));
    form_model(state);
    enough = tolerance(state);
    if (state->by_columns) {
        if (state->guess)
            for (size_t j = 0; j < state->lasso->order; j++)
                state->lasso->u[j] = state->guess[feature_of(state, j)];
        column_lasso_solve(&state->by, enough, 1 + state->stalls / STEADY, &state->stop);
    } else {
        dense_lasso_solve(&state->dense, enough, &state->stop);
    }
    state->guess = NULL;
    take_step(state);
    if (state->stalls % 8 == 0 && !state->is_exact) /* parts of steps add up rounding errors of z */
        evaluate_all(state);
    find_dual(state);
    judge(state);
}

/* ---- Rules -------------------------------------------------------------- */

/* The sum of all violations of optimality at w. */
static double violation(struct proximal_newton *state)
{
    const struct problem *problem = state->problem;
    struct sum sum = {0, 0};

    state->has_reference = 0;
    memset(state->combined, 0, state->training->width * sizeof *state->combined);
    sums_combine(&state->training->shards, problem, all_rows(problem), state->alpha, -1,
                 state->combined);
    state->training->progress.row_visits += state->rows;
    for (size_t j = 0; j < state->training->width; j++)
        sum_add(&sum, lasso_violation_of(j < problem_penalised(problem), state->w[j],
                                         state->combined[j]));
    return sum_value(&sum);
}

/* LIBLINEAR's rule: that sum is at most eps max(min(#pos, #neg), 1)/m times what it is at w = 0. */
static int liblinear_rule(struct proximal_newton *state)
{
    const struct problem *problem = state->problem;
    double positive = 0, fewer;

    for (uint32_t i = 0; i < problem->rows; i++)
        positive += problem->sign[i] > 0;
    fewer = fmax(fmin(positive, problem->rows - positive), 1);
    return violation(state) <=
           state->training->parameters->eps * fewer / fmax(problem->rows, 1) * state->first;
}

/* The rule of the gap, measured by what the step has found if that is the training's point. */
static int gap_is_met(struct proximal_newton *state)
{
    struct training *training = state->training;
    const double gap = training->parameters->gap;

    if (gap <= 0 || !state->has_best_w || !state->has_best_dual)
        return training_gap_is_met(training);
    if (!state->is_exact)
        evaluate_all(state);
    if (state->is_estimate)
        evaluate(state);
    training_take_measure(training, state->primal, state->dual);
    return training->progress.gap <= gap;
}

static int rules_hold(struct proximal_newton *state)
{
    struct training *training = state->training;
    const double gap = training->parameters->gap;

    if (state->share < 1 || (gap > 0 && state->gap > gap))
        return 0;
    if (training->parameters->eps > 0 && !liblinear_rule(state))
        return 0;
    if (gap_is_met(state))
        return 1;
    if (state->by_columns)
        working_set_restore(&state->set);
    if (!state->is_exact)
        evaluate_all(state);
    return 0;
}

static enum verdict met(void *context)
{
    enum { PATIENCE = 200 };
    struct proximal_newton *state = context;

    if (rules_hold(state))
        return MET;
    return state->stalls > PATIENCE || !(state->primal <= DBL_MAX) ? STALLED : GOES_ON;
}

/* ---- Beginning and end -------------------------------------------------- */

static void lay_out(void *context, struct arena *arena, const struct training *training)
{
    struct proximal_newton *to = context;
    const size_t rows = training->rows, width = training->width;

    to->w = arena_take(arena, width, sizeof *to->w);
    to->change = arena_take(arena, rows, sizeof *to->change);
    arena_leave_rest(arena);
    to->cost = arena_take(arena, rows, sizeof *to->cost);
    to->guess = arena_take(arena, width, sizeof *to->guess);
    to->step = arena_take(arena, width, sizeof *to->step);
    to->combined = arena_take(arena, width, sizeof *to->combined);
    to->v = arena_take(arena, width, sizeof *to->v);
    to->z = arena_take(arena, rows, sizeof *to->z);
    to->next = arena_take(arena, rows, sizeof *to->next);
    to->alpha = arena_take(arena, rows, sizeof *to->alpha);
    to->curvature = arena_take(arena, rows, sizeof *to->curvature);
    to->ahead = arena_take(arena, rows, sizeof *to->ahead);
    to->by_columns = by_features_in_columns(training->problem);
    if (to->by_columns) {
        to->weight = arena_take(arena, rows, sizeof *to->weight);
        to->reference = arena_take(arena, rows, sizeof *to->reference);
        working_set_lay_out(&to->set, arena, training->problem);
        column_lasso_lay_out(&to->by, arena, width, rows + (size_t)1);
    } else {
        dense_lasso_lay_out(&to->dense, arena, width);
        to->difference = arena_take(arena, rows + (size_t)1, sizeof *to->difference);
        to->changed = arena_take(arena, rows + (size_t)1, sizeof *to->changed);
    }
}

/* Leaves the point for the next C, if all of it is known. */
static void leave_last(const struct proximal_newton *state)
{
    const struct training *training = state->training;
    struct last_point *last = training->task->last;

    if (!last)
        return;
    last->C = training->is_taken ? training->parameters->C : 0;
    last->losses = state->losses;
}

static void end(void *context)
{
    struct proximal_newton *state = context;

    leave_last(state);
    training_leave(state->training);
}

/* The first stage, from w = 0: there alpha, and with it the largest |v_j|, is proportional to the
 * costs; where that is at most 1 the solution is 0. */
static void begin_stages(struct proximal_newton *state)
{
    double largest;

    working_set_combine(&state->set, &state->training->shards, state->alpha, state->combined);
    largest = dense_largest(state->combined, problem_penalised(state->problem));
    if (STAGE < largest)
        set_share(state, STAGE / largest);
}

/* Where the next solution is expected: as far from the last one, by ln C, as that is from the one
 * before. */
static void guess_weights(struct proximal_newton *state, struct last_point *last)
{
    const size_t width = state->training->width;
    const double part =
        log(state->training->parameters->C / last->C) / log(last->C / last->C_before);

    for (size_t j = 0; j < width; j++) {
        const double to = state->w[j] + part * (state->w[j] - last->w_before[j]);

        state->guess[j] = state->w[j] * to > 0 ? to : 0;
    }
}

/* Takes the sums at the last C's solution for those at the start. */
static void begin_at_last(struct proximal_newton *state, struct last_point *last)
{
    struct training *training = state->training;
    const double factor = training->parameters->C / last->C;

    for (uint32_t i = 0; i < state->rows; i++) {
        state->alpha[i] *= factor;
        state->curvature[i] *= factor;
    }
    keep_primal(state, norm_of(state->w, problem_penalised(state->problem)), factor * last->losses);
    state->is_exact = state->is_estimate = 1;
}

/* Evaluates at the point to start from, or at 0 where that is better; whether it is the former. */
static int begin_at(struct proximal_newton *state, const double *start, struct last_point *last)
{
    struct training *training = state->training;

    memcpy(state->w, start, training->width * sizeof *state->w);
    state->has_best_w = 0;
    if (last)
        begin_at_last(state, last);
    else
        evaluate_all(state);
    if (state->primal < objective_at_zero(training->problem))
        return 1;
    memset(state->w, 0, training->width * sizeof *state->w);
    state->has_best_w = 0;
    evaluate_all(state);
    return 0;
}

/* The losses' part of P + D of `ahead`: of a curved loss an estimate. Its conjugate at a is, at
 * another number near to it, larger by about the square of the difference over twice the curvature.
 */
static ALWAYS_INLINE double losses_gap(const struct proximal_newton *state, enum loss loss)
{
    double gap = 0;

    for (uint32_t i = 0; i < state->rows; i++) {
        const double difference = state->ahead[i] - state->alpha[i];

        gap += loss_is_curved(loss) ? difference * difference / (2 * state->curvature[i] + DBL_MIN)
                                    : loss_gap(loss, loss_scale(loss, state->cost[i]),
                                               state->ahead[i], loss_target(loss) - state->z[i]);
    }
    return gap;
}

/* The last C's dual point with these costs. Its dual value is looked for where it may end the
 * training. */
static void begin_dual_at_last(struct proximal_newton *state, const struct last_point *last)
{
    struct training *training = state->training;
    const double factor = training->parameters->C / last->C;
    double gap = 0;

    for (uint32_t i = 0; i < state->rows; i++)
        state->ahead[i] =
            fmin(factor * training->alpha[i], loss_upper(state->loss, state->cost[i]));
    for (size_t j = 0; j < training->width; j++)
        state->combined[j] = factor * state->v[j];
    scale_ahead(state, best_multiple(state));
    memset(training->alpha, 0, state->rows * sizeof *training->alpha);
    WITH_LOSS(state->loss, gap = losses_gap(state, LOSS));
    if (gap <= training_target(training) * state->primal)
        find_dual(state);
}

static enum hinge_status begin(void *context, struct training *training, struct hinge_error *error)
{
    struct proximal_newton *state = context;
    const struct problem *problem = training->problem;
    struct last_point *last = training->task->last;
    const double *start = training->start;
    int goes_on = start && last && last->C > 0;

    if (!(state->by_features = training_by_features(training, error)))
        return failure(error);
    if (state->by_columns)
        working_set_begin(&state->set, problem, state->by_features);
    else
        state->weight = state->by_features->weight;
    state->dense.matrix = state->by_features->matrix;
    state->lasso = state->by_columns ? &state->by.lasso : &state->dense.lasso;
    state->lasso->order = training->width;
    state->lasso->penalised = problem_penalised(problem);
    state->training = training;
    state->staged = *problem;
    state->staged.cost = state->cost;
    state->problem = &state->staged;
    state->loss = problem->loss;
    state->rows = training->rows;
    state->stop = training_stop(training);
    if (last) { /* it works in these */
        state->z = last->margin;
        state->alpha = last->slope;
        state->curvature = last->curvature;
        state->v = last->v;
    }
    training->v = state->v;
    training->start = NULL;
    if (start) /* it may be training->w, which the evaluation at 0 overwrites */
        memcpy(state->step, start, training->width * sizeof *state->step);
    set_costs(state, 1);
    if (!start || training->parameters->eps > 0)
        evaluate_all(state);
    if (training->parameters->eps > 0) {
        state->first = violation(state);
        goes_on = 0;
    }
    if (start) {
        const int is_better = begin_at(state, state->step, goes_on ? last : NULL);

        goes_on &= is_better;
        start = is_better ? start : NULL;
    }
    if (!start && state->by_columns)
        begin_stages(state);
    if (goes_on && state->by_columns && last->C_before > 0)
        guess_weights(state, last);
    else
        state->guess = NULL;
    if (last) {
        last->C_before = goes_on ? last->C : 0;
        memcpy(last->w_before, state->w, training->width * sizeof *state->w);
    }
    if (goes_on) {
        begin_dual_at_last(state, last);
    } else {
        memcpy(state->ahead, state->alpha, state->rows * sizeof *state->ahead);
        memset(training->alpha, 0, state->rows * sizeof *training->alpha);
        find_dual(state);
    }
    state->outside = state->by_columns;
    judge(state);
    return HINGE_OK;
}

const struct method proximal_newton = {.name = "newton",
                                       .size = sizeof(struct proximal_newton),
                                       .lay_out = lay_out,
                                       .begin = begin,
                                       .step = step,
                                       .met = met,
                                       .end = end};
