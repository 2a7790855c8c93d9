/* proximal_newton.c - min over u of L(w) + <L'(w), u - w> + (u - w)'H(u - w)/2 + |u|_1,
 *                     w += t (u - w).
 *
 * P(w) = |w|_1 + L(w), L the sum of losses, which is smooth; H = sum_i h_i x_i x_i' with h_i the
 * second derivative of row i's loss, or the one it had before where that has changed little.
 *
 * The dual point of a step is alpha_i = C_i phi'(s_i) and, to first order, its change along the
 * step, back in its domain: its sum alpha_i y_i x_i is minus the gradient of the model at u, of
 * which no coordinate exceeds 1 at the minimum. What exceeds 1 is scaled away.
 */
#include <float.h>
#include <math.h>
#include <string.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/status.h"
#include "base/sum.h"
#include "problem/bias.h"
#include "solver/cost.h"
#include "solver/line_search.h"
#include "solver/linear/lasso.h"
#include "solver/method.h"
#include "solver/working_set.h"

/* A row's second derivative is brought up to date where it has changed by more than this part. */
static const double STALE = 0.1;

struct proximal_newton {
    struct training *training;
    const struct problem *problem; /* the training's, with the costs of the stage */
    struct problem staged;
    double *cost;                  /* [rows] these: */
    double share;                  /* of the training's costs; 1 in the last stage */
    double dual;                   /* lowest dual value in this stage */
    enum loss loss;
    uint32_t rows;
    struct working_set set;
    struct lasso lasso; /* of its features */
    int renewed;        /* the matrix is to be formed anew */
    int outside;        /* a feature out of the set keeps the dual point from its domain */
    struct shards own;  /* of sums over the working set */
    struct stop stop;
    double *w;          /* [width] the iterate */
    double *z;          /* [rows] its margins, */
    double *change;     /* [rows] and of these along the step */
    double *alpha;      /* [rows] C phi'(s) */
    double *weight;     /* [rows] h_i, those in the matrix, */
    double *difference; /* [rows] and by how much those of the rows changed[] have to grow */
    uint32_t *changed;  /* [rows] */
    double *ahead;      /* [rows] the dual point of the step */
    double *start;      /* [width] u - w over the working set, before u */
    double *combined;   /* [width] sum alpha_i y_i x_i of the last dual point, scaled like it */
    double *v;          /* [width] the training's */
    char *key_mark;
    double primal;      /* P(w) */
    double gap;         /* of P(w) and the training's dual point, relative */
    double best;        /* lowest gap so far, */
    unsigned stalls;    /* and steps since it last fell by a tenth */
    double first;       /* violation at w = 0, for LIBLINEAR's rule */
};

/* ---- Evaluating --------------------------------------------------------- */

enum { VALUE };

static ALWAYS_INLINE void evaluate_as(struct proximal_newton *state, uint32_t first, uint32_t end,
                                      double *scalars, enum loss loss)
{
    struct sum value = {0, 0};

    for (uint32_t i = first; i < end; i++) {
        const double cost = state->problem->cost[i];
        const double slack = loss_target(loss) - state->z[i];
        double curvature;

        state->alpha[i] = loss_point(loss, cost, slack, 0, 0, &curvature);
        sum_add(&value, loss_value(loss, cost, slack));
    }
    scalars[VALUE] += sum_value(&value);
}

static void add_evaluation(void *context, uint32_t first, uint32_t end, double *scalars,
                           double *vector)
{
    struct proximal_newton *state = context;

    (void)vector;
    WITH_LOSS(state->loss, evaluate_as(state, first, end, scalars, LOSS));
}

/* Finds alpha and P(w). */
static void evaluate(struct proximal_newton *state)
{
    const size_t penalised = problem_penalised(state->problem);
    struct sum value = {0, 0};
    double scalars[MOST_SCALARS];

    sums_run(&state->training->shards, all_rows(state->problem), add_evaluation, state, scalars,
             NULL);
    for (size_t j = 0; j < penalised; j++)
        sum_add(&value, fabs(state->w[j]));
    state->primal = sum_value(&value) + scalars[VALUE];
    state->training->progress.row_visits += state->rows;
    training_keep_primal(state->training, state->w,
                         sum_value(&value) + scalars[VALUE] / state->share);
}

/* Finds the margins anew, free of the rounding of the steps. */
static void evaluate_all(struct proximal_newton *state)
{
    sums_margins(state->problem, all_rows(state->problem), state->w, state->z);
    state->training->progress.row_visits += state->rows;
    evaluate(state);
}

/* ---- The dual point ----------------------------------------------------- */

/* The multiple of a dual point whose dual value is lowest, with v in the domain. */
static double best_multiple(const struct proximal_newton *state, const double *alpha,
                            const struct problem *problem, const double *v)
{
    double largest = 0, linear = 0, square = 0, most;

    for (size_t j = 0; j < problem_penalised(problem); j++)
        largest = fmax(largest, fabs(v[j]));
    most = largest > 0 ? (1 - 16 * DBL_EPSILON) / largest : HUGE_VAL;
    if (!loss_is_squared(state->loss))
        return fmin(most, 1);
    for (uint32_t i = 0; i < state->rows; i++) {
        linear += alpha[i];
        square += alpha[i] / state->problem->cost[i] * alpha[i];
    }
    return square > 0 ? fmin(most, 2 * linear / square) : 1;
}

/* Scales `ahead` to a feasible point, and keeps it if its dual value is the lowest so far. */
static void keep_ahead(struct proximal_newton *state)
{
    struct training *training = state->training;
    double multiple, dual;

    bias_balance(state->problem, state->ahead);
    if (state->set.most > 0) {
        working_set_combine(&state->set, state->ahead, state->combined);
    } else {
        memset(state->combined, 0, training->width * sizeof *state->combined);
        sums_combine(&training->shards, state->problem, all_rows(state->problem), state->ahead, 1,
                     state->combined);
    }
    training->progress.row_visits += state->rows;
    multiple = best_multiple(state, state->ahead, state->problem, state->combined);
    for (uint32_t i = 0; i < state->rows; i++)
        state->ahead[i] *= multiple;
    dual = sums_conjugates(&training->shards, state->problem, state->ahead);
    state->dual = fmin(state->dual, dual);
    if (training_keeps_dual(training, state->share < 1 ? sums_conjugates(&training->shards,
                                                                         training->problem,
                                                                         state->ahead)
                                                       : dual))
        memcpy(training->alpha, state->ahead, state->rows * sizeof *state->ahead);
    if (state->set.most == 0)
        return;
    double inside = 0, outside = 0;
    for (size_t j = 0; j < state->set.count; j++) {
        inside = fmax(inside, fabs(state->combined[state->set.member[j]]));
        state->key_mark[state->set.member[j]] = 1;
    }
    for (size_t j = 0; j < problem_penalised(state->problem); j++) {
        if (!state->key_mark[j])
            outside = fmax(outside, fabs(state->combined[j]));
        state->key_mark[j] = 0;
    }
    state->outside = outside > inside;
    if (getenv("DBG")) fprintf(stderr, "set %zu cand %u in %.4g out %.4g dual %.6g best %.6g P %.8g\n", state->set.count, state->set.candidates, inside, outside, dual, training->dual, state->primal);
    for (size_t j = 0; j < training->width; j++)
        state->combined[j] *= multiple;
    if (state->share == 1)
        working_set_screen(&state->set, state->primal + dual, state->w, state->combined);
}

/* Chooses a working set by the dual point. */
static void choose_set(struct proximal_newton *state)
{
    size_t nonzeros = 0;

    for (size_t j = 0; j < state->problem->data->features; j++)
        nonzeros += state->w[j] != 0;
    working_set_choose(&state->set, 2 * nonzeros + 128, state->w, state->combined);
    state->lasso.order = problem_width(&state->set.problem);
    state->lasso.penalised = problem_penalised(&state->set.problem);
    state->own = (struct shards){state->rows, 1, state->lasso.order, NULL, NULL};
    state->renewed = 1;
    state->outside = 0;
}

/* Looks at how far P(w) is from the dual point. */
static void judge(struct proximal_newton *state)
{
    state->gap = (state->primal + state->dual) / fmax(state->primal, DBL_MIN);
    if (state->gap <= 0.9 * state->best) {
        state->best = state->gap;
        state->stalls = 0;
    }
}

/* ---- The step ----------------------------------------------------------- */

/* Which rows' second derivatives are not those in the matrix any more. */
static ALWAYS_INLINE uint32_t find_changed(struct proximal_newton *state, enum loss loss)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < state->rows; i++) {
        const double before = state->weight[i];
        double now;

        loss_point(loss, state->problem->cost[i], loss_target(loss) - state->z[i], 0, 0, &now);
        state->changed[count] = i;
        state->difference[count] = now - before;
        count += !(fabs(now - before) <= STALE * before);
    }
    return count;
}

/* Brings the matrix up to date. */
static void form_matrix(struct proximal_newton *state)
{
    const struct problem *core = &state->set.problem;
    const size_t order = state->lasso.order;
    const struct shards one = {state->rows, 1, order * order, NULL, NULL};
    double *matrix = state->lasso.matrix;
    uint32_t count = 0;

    if (state->renewed) {
        memset(state->weight, 0, state->rows * sizeof *state->weight);
        memset(matrix, 0, order * order * sizeof *matrix);
    }
    WITH_LOSS(state->loss, count = find_changed(state, LOSS));
    sums_outer(&one, core, (struct selection){state->changed, count}, state->difference,
               &state->stop, matrix);
    for (uint32_t s = 0; s < count; s++)
        state->weight[state->changed[s]] += state->difference[s];
    for (size_t j = 0; j < order; j++)
        for (size_t k = 0; k < j; k++)
            matrix[j * order + k] = matrix[k * order + j];
    state->renewed = 0;
}

static ALWAYS_INLINE void ahead_as(struct proximal_newton *state, enum loss loss)
{
    for (uint32_t i = 0; i < state->rows; i++) {
        const double moved = state->alpha[i] - state->weight[i] * state->change[i];

        state->ahead[i] = fmin(fmax(moved, 0), loss_upper(loss, state->problem->cost[i]));
    }
}

/* A point on the line w + t step. */
struct line_point {
    const struct proximal_newton *state;
    double t;
    double linear; /* |u|_1 - |w|_1: |w + t step|_1 is at most |w|_1 + t linear */
};

static ALWAYS_INLINE void slope_as(const struct line_point *at, uint32_t first, uint32_t end,
                                   double *scalars, enum loss loss)
{
    const struct proximal_newton *state = at->state;
    double slope = 0, bend = 0;

    for (uint32_t i = first; i < end; i++) {
        const double change = state->change[i];
        double curvature;
        const double alpha =
            loss_point(loss, state->problem->cost[i],
                       loss_target(loss) - (state->z[i] + at->t * change), 0, 0, &curvature);

        slope += alpha * change;
        bend += curvature * change * change;
    }
    scalars[0] += slope;
    scalars[1] += bend;
}

static void add_slope(void *context, uint32_t first, uint32_t end, double *scalars, double *vector)
{
    const struct line_point *at = context;

    (void)vector;
    WITH_LOSS(at->state->loss, slope_as(at, first, end, scalars, LOSS));
}

/* Of the bound of P along the step; beyond its end there is nothing to look for. */
static void derive(void *context, double t, double *first, double *second)
{
    struct line_point *at = context;
    const struct training *training = at->state->training;
    double scalars[MOST_SCALARS];

    at->t = t;
    sums_run(&training->shards, all_rows(training->problem), add_slope, at, scalars, NULL);
    *first = at->linear - scalars[0];
    *second = scalars[1];
    if (t >= 1 && *first < 0)
        *first = 0;
}

/* w += t (u - w); 0 if the model promises no descent. */
static int take_step(struct proximal_newton *state)
{
    const struct problem *core = &state->set.problem;
    struct line_point at = {.state = state};
    struct sum before = {0, 0}, after = {0, 0};
    double start, t, scalars[MOST_SCALARS];

    for (size_t j = 0; j < state->lasso.order; j++) {
        const double w = state->w[working_set_feature(&state->set, j)];

        if (j < state->lasso.penalised) {
            sum_add(&before, fabs(w));
            sum_add(&after, fabs(state->lasso.u[j]));
        }
        state->start[j] = state->lasso.u[j] - w;
    }
    sums_margins(core, all_rows(core), state->start, state->change);
    state->training->progress.row_visits += state->rows;
    WITH_LOSS(state->loss, ahead_as(state, LOSS));
    at.linear = sum_value(&after) - sum_value(&before);
    sums_run(&state->training->shards, all_rows(core), add_slope, &at, scalars, NULL);
    start = scalars[0] - at.linear;
    if (!(start > 0))
        return 0;
    t = line_search(derive, &at, start, 0.3, 1);
    for (size_t j = 0; j < state->lasso.order; j++) {
        double *w = &state->w[working_set_feature(&state->set, j)];

        *w = t < 1 ? *w + t * state->start[j] : state->lasso.u[j];
    }
    for (uint32_t i = 0; i < state->rows; i++)
        state->z[i] += t * state->change[i];
    return 1;
}

/* Of the model's solution. What it leaves is scaled away from the dual point, so that the last step
 * needs a part of the target; and Newton's method squares the violation near the end. */
static double tolerance(const struct proximal_newton *state)
{
    const struct lasso *lasso = &state->lasso;
    const double now =
        lasso_violation(lasso->order, lasso->penalised, lasso->u, lasso->gradient);

    return fmin(fmax(0.03 * now * now, 0.2 * training_target(state->training)), 0.02 * now);
}

/* Multiplies the costs, and all that is proportional to them. */
static void set_share(struct proximal_newton *state, double share)
{
    const double times = share / state->share;

    for (uint32_t i = 0; i < state->rows; i++) {
        state->cost[i] = share < 1 ? share * state->training->problem->cost[i] : state->training->problem->cost[i];
        state->weight[i] *= times;
    }
    for (size_t k = 0; k < state->lasso.order * state->lasso.order; k++)
        state->lasso.matrix[k] *= times;
    state->share = share;
    state->dual = 0;
    state->best = HUGE_VAL;
    evaluate(state);
    judge(state);
}

static void step(void *context)
{
    struct proximal_newton *state = context;
    struct training *training = state->training;
    const struct problem *core = &state->set.problem;
    struct lasso *lasso = &state->lasso;

    training->progress.passes++;
    training->progress.steps++;
    training_moved(training);
    state->stalls++;
    if (state->share < 1 && state->gap < (getenv("SG")?atof(getenv("SG")):0.3))
        set_share(state, fmin(1, (getenv("SF")?atof(getenv("SF")):4) * state->share));
    if (state->outside)
        choose_set(state);
    form_matrix(state);
    memset(lasso->gradient, 0, lasso->order * sizeof *lasso->gradient);
    sums_combine(&state->own, core, all_rows(core), state->alpha, -1, lasso->gradient);
    for (size_t j = 0; j < lasso->order; j++)
        lasso->u[j] = state->w[working_set_feature(&state->set, j)];
    lasso_solve(lasso, tolerance(state), &state->stop);
    if (take_step(state)) {
        if (state->stalls % 8 == 0)
            evaluate_all(state);
        else
            evaluate(state);
    }
    keep_ahead(state);
    judge(state);
}

/* ---- Rules -------------------------------------------------------------- */

/* The sum of all violations of optimality at w. */
static double violation(struct proximal_newton *state)
{
    const struct problem *problem = state->problem;
    struct sum sum = {0, 0};

    memset(state->combined, 0, state->training->width * sizeof *state->combined);
    sums_combine(&state->training->shards, problem, all_rows(problem), state->alpha, -1, state->combined);
    state->training->progress.row_visits += state->rows;
    for (size_t j = 0; j < state->training->width; j++)
        sum_add(&sum, lasso_violation(1, j < problem_penalised(problem), &state->w[j],
                                      &state->combined[j]));
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

static int rules_hold(struct proximal_newton *state)
{
    struct training *training = state->training;
    const double gap = training->parameters->gap;

    if (state->share < 1 || (gap > 0 && state->gap > gap))
        return 0;
    if (training->parameters->eps > 0 && !liblinear_rule(state))
        return 0;
    if (gap <= 0)
        return 1;
    training_measure(training);
    if (training->progress.gap <= gap)
        return 1;
    if (state->set.most > 0)
        working_set_restore(&state->set);
    evaluate_all(state);
    return 0;
}

static enum verdict met(void *context)
{
    enum { PATIENCE = 50 };
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
    to->start = arena_take(arena, width, sizeof *to->start);
    to->combined = arena_take(arena, width, sizeof *to->combined);
    to->v = arena_take(arena, width, sizeof *to->v);
    to->z = arena_take(arena, rows, sizeof *to->z);
    to->change = arena_take(arena, rows, sizeof *to->change);
    to->alpha = arena_take(arena, rows, sizeof *to->alpha);
    to->weight = arena_take(arena, rows, sizeof *to->weight);
    to->difference = arena_take(arena, rows + 1, sizeof *to->difference);
    to->changed = arena_take(arena, rows + 1, sizeof *to->changed);
    to->cost = arena_take(arena, rows, sizeof *to->cost);
    to->ahead = arena_take(arena, rows, sizeof *to->ahead);
    working_set_lay_out(&to->set, arena, training->problem);
    lasso_lay_out(&to->lasso, arena, to->set.most > 0 ? to->set.most + 1 : width);
    to->key_mark = arena_take(arena, width, 1);
}

static void end(void *context)
{
    struct proximal_newton *state = context;

    training_leave(state->training);
    working_set_end(&state->set);
}

static enum hinge_status begin(void *context, struct training *training, struct hinge_error *error)
{
    struct proximal_newton *state = context;
    const struct problem *problem = training->problem;

    if (working_set_begin(&state->set, problem, error))
        return failure(error);
    state->training = training;
    state->rows = training->rows;
    state->staged = *problem;
    state->staged.cost = state->cost;
    state->problem = &state->staged;
    memcpy(state->cost, problem->cost, state->rows * sizeof *state->cost);
    state->share = 1;
    state->loss = problem->loss;
    state->stop = training_stop(training);
    state->best = HUGE_VAL;
    state->renewed = 1;
    state->lasso.order = state->set.most > 0 ? 0 : training->width;
    state->lasso.penalised = problem_penalised(problem);
    state->own = training->shards;
    training->v = state->v;
    if (training->parameters->eps > 0) {
        evaluate_all(state);
        state->first = violation(state);
    }
    const int cold=!training->start;
    if (training->start)
        memcpy(state->w, training->start, training->width * sizeof *state->w);
    training->start = NULL;
    evaluate_all(state);
    if (cold && state->set.most>0) {
    working_set_combine(&state->set, state->alpha, state->combined);
    double largest=0;
    for (size_t j = 0; j < problem_penalised(state->problem); j++)
        largest = fmax(largest, fabs(state->combined[j]));
    double share=(getenv("SB")?atof(getenv("SB")):4)/largest;
    if (share<1) set_share(state, share);
    }
    memcpy(state->ahead, state->alpha, state->rows * sizeof *state->ahead);
    keep_ahead(state);
    state->outside = state->set.most > 0;
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
