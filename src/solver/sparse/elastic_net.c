/* elastic_net.c - min P over the weights of some features, until no other feature has |v_j| > l1.
 *
 * R has an l1 term beside |w|^2/2. With many features most weights are 0. A step solves the problem
 * for a working set of features, with weight 0 for all others: Newton's method solves this part,
 * or, if that takes long or data are badly scaled, the interior-point method (l1_subproblem.h). The
 * w and the alpha of the part are points of the whole problem. A feature outside with |v_j| > l1
 * should have a weight. The largest such features join the working set, up to about the number of
 * its weights. Without such a feature, the part and the whole have the same gap. (Working sets that
 * grow like this: Johnson and Guestrin, ICML 2015; Massias, Gramfort, Salmon, ICML 2018.)
 *
 * The two methods leave small weights that should be 0. Once the gap is small enough, as many of
 * them are set to 0 as P allows.
 */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/sort.h"
#include "base/status.h"
#include "solver/linear/cost.h"
#include "solver/linear/primal_system.h"
#include "solver/linear/qr.h"
#include "solver/loop/method.h"
#include "solver/sparse/l1_subproblem.h"

enum {
    FEW_FEATURES = 1000, /* with at most this many features, all are in the working set */
    EXTRA_FEATURES = 100 /* features that may join it beyond the number of weights */
};

static const double EARLY_GAP = 0.01;  /* relative gap of a part while the whole's gap is large */
static const double LARGE_GAP = 0.2;   /* relative gap of the whole that counts as large */
static const double STAYS = 0.8;       /* a feature with |v_j| >= STAYS l1 is not dropped */
static const double LEAST_GAP = 1e-12; /* rounding errors keep the gap of a part above this */

struct elastic_net {
    struct training *training;
    const struct problem *problem;
    enum first_method method; /* the method that solves the parts */
    double target;            /* relative gap of the next part */
    double gap;               /* least relative gap of the whole so far */
    int stalled;
    int warm;          /* true: the next part starts at w */
    double dropped_at; /* P when features last left the working set */
    uint32_t *place;   /* [width] index of a feature in the working set, or LEFT_OUT */
    double *alpha;     /* [rows] dual point of the last part */
    double *v;         /* [width] sum alpha_i y_i x_i */
    double *w;         /* [width] weights of the last part */
    double *sizes;     /* [width + 1] absolute values to sort, or the start of a part */
};

static void lay_out(void *context, struct arena *arena, const struct training *training)
{
    struct elastic_net *to = context;
    const size_t width = training->width;

    to->place = arena_take(arena, width, sizeof *to->place);
    to->alpha = arena_take(arena, training->rows, sizeof *to->alpha);
    to->v = arena_take(arena, width, sizeof *to->v);
    to->w = arena_take(arena, width, sizeof *to->w);
    to->sizes = arena_take(arena, width + 1, sizeof *to->sizes);
}

/* Lets features with |v_j| > l1 join the working set, the largest ones first and about `most` in
 * total. Returns how many join. */
static uint32_t grow(struct elastic_net *state, size_t most)
{
    const size_t width = state->training->width;
    uint32_t members = 0, joined = 0;
    double least = state->problem->l1;
    size_t count = 0;

    for (size_t j = 0; j < width; j++)
        if (state->place[j] == LEFT_OUT && fabs(state->v[j]) > least)
            state->sizes[count++] = fabs(state->v[j]);
    if (count > most) {
        qsort(state->sizes, count, sizeof *state->sizes, compare_doubles);
        least = fmax(least, nextafter(state->sizes[count - most], 0));
    }
    for (size_t j = 0; j < width; j++) {
        const uint32_t joins = state->place[j] == LEFT_OUT && fabs(state->v[j]) > least;

        joined += joins;
        if (state->place[j] != LEFT_OUT || joins > 0)
            state->place[j] = members++;
    }
    return joined;
}

/* ---- A step -------------------------------------------------------------- */

/* Solves the part by a training of its own, which starts at w if the last part came near. */
static enum hinge_status solve(const struct elastic_net *state, struct l1_subproblem *part,
                               struct hinge_result *result, struct hinge_error *error)
{
    enum { MOST_STEPS = 60 };
    const struct training *training = state->training;
    const uint64_t left = training->most_passes - training->progress.passes;
    struct task task = *training->task;
    enum hinge_status status;
    double mu;

    for (size_t j = 0; j < training->width; j++)
        if (state->place[j] != LEFT_OUT)
            state->sizes[state->place[j]] = state->w[j];
    task.problem = &part->problem;
    task.start = state->warm ? state->sizes : NULL;
    task.alpha = part->alpha;
    task.w = part->w;
    task.max_row_norm = NULL;
    if (!(task.workspace = workspace_new(error)))
        return failure(error);
    status = training->train_part(training, task, state->method, state->target,
                                  left < MOST_STEPS ? left : MOST_STEPS, &mu, result, error);
    workspace_free(task.workspace);
    return status;
}

/* True if the weight of the last part should be 0 by the sign of v_j. */
static int is_outside(const struct elastic_net *state, size_t j)
{
    return soft(state->v[j], state->problem->l1) * state->w[j] <= 0;
}

/* Sets the training's w to the weights of the part, except that weights of at most this size are 0
 * if they should be. Returns P there. */
static double primal_without(const struct elastic_net *state, double size)
{
    double *const w = state->training->point.w;

    for (size_t j = 0; j < state->training->width; j++)
        w[j] = is_outside(state, j) && fabs(state->w[j]) <= size ? 0 : state->w[j];
    return objective_primal(&state->training->shards, state->problem, w).primal;
}

/* Takes the w and the alpha of the part if they are better. If the gap is small enough, w then
 * loses as many small weights as P allows, found by bisection. Returns the number of weights. */
static size_t take_point(struct elastic_net *state, const struct l1_subproblem *part)
{
    struct training *training = state->training;
    const struct problem *problem = state->problem;
    const double enough = 0.9 * certified_gap(training->parameters);
    size_t weights = 0, low = 0, high = 1;
    double primal, gap, most;

    memcpy(state->alpha, part->alpha, training->rows * sizeof *state->alpha);
    if (training_keeps_dual(training, training_dual_at(training, state->alpha, state->v)))
        memcpy(training->point.alpha, state->alpha, training->rows * sizeof *state->alpha);
    for (size_t j = 0; j < training->width; j++) {
        state->w[j] = state->place[j] != LEFT_OUT ? part->w[state->place[j]] : 0;
        weights += soft(state->v[j], problem->l1) * state->w[j] > 0;
    }
    primal = objective_primal(&training->shards, problem, state->w).primal;
    training_keep_primal(training, state->w, primal);
    gap = (primal + training->point.dual) / problem_scale(problem, primal);
    if (!(gap <= enough))
        return weights;
    most = -training->point.dual / (1 - fmin(4 * gap, enough));
    for (size_t j = 0; j < training->width; j++)
        if (is_outside(state, j) && state->w[j] != 0)
            state->sizes[high++] = fabs(state->w[j]);
    state->sizes[0] = 0;
    qsort(state->sizes, high, sizeof *state->sizes, compare_doubles);
    for (size_t middle = high - 1; low < middle; middle = low + (high - low) / 2)
        if (primal_without(state, state->sizes[middle]) <= most)
            low = middle;
        else
            high = middle;
    training->point.primal = primal_without(state, state->sizes[low]);
    return weights;
}

/* Plans the method and the gap of the next part, after one that was solved to that relative gap. */
static void plan(struct elastic_net *state, const struct l1_subproblem *part, double gap,
                 uint32_t joined)
{
    const struct training *training = state->training;
    const double whole = fmax((training->point.primal + training->point.dual) /
                                  problem_scale(state->problem, training->point.primal),
                              0);
    const double next = whole > LARGE_GAP
                            ? EARLY_GAP
                            : fmax(0.002 * whole, 0.2 * certified_gap(training->parameters));
    const int failed = !(gap <= state->target), was_warm = state->warm;

    state->warm = !failed && state->method == METHOD_INTERIOR_POINT;
    if (failed && state->method == METHOD_NEWTON && primal_over_features(&part->problem))
        state->method = METHOD_INTERIOR_POINT;
    else if (joined == 0 &&
             (failed ? !was_warm && whole >= 0.99 * state->gap : state->target <= LEAST_GAP))
        state->stalled = 1;
    else if (joined == 0 && !failed)
        state->target = fmin(next, 0.1 * state->target);
    state->target = fmax(fmin(next, state->target), LEAST_GAP);
    state->gap = fmin(whole, state->gap);
}

static void step(void *context)
{
    struct elastic_net *state = context;
    struct training *training = state->training;
    struct hinge_result result;
    struct hinge_error ignored;
    struct l1_subproblem part;

    state->stalled =
        l1_subproblem_new(&part, state->problem, state->place, state->alpha, state->v, &ignored) ||
        solve(state, &part, &result, &ignored);
    training->no_memory = state->stalled;
    if (!state->stalled) {
        const size_t weights = take_point(state, &part);

        if (state->method == METHOD_INTERIOR_POINT)
            training->progress.method = "ipm";
        if (training->width > FEW_FEATURES && result.primal < 0.95 * state->dropped_at) {
            /* P falls between two drops, so that no working set comes back */
            state->dropped_at = result.primal;
            for (size_t j = 0; j < training->width; j++)
                if (fabs(state->v[j]) < STAYS * state->problem->l1)
                    state->place[j] = LEFT_OUT;
        }
        plan(state, &part, result.relative_gap, grow(state, weights + EXTRA_FEATURES));
        training->progress.steps += result.passes;
        training->progress.passes += result.passes;
        training->progress.row_visits += result.row_visits;
    }
    l1_subproblem_free(&part);
    training_moved(training);
}

/* ---- Rules --------------------------------------------------------------- */

/* Judges the training's point. The rule of -e is about w = soft(v, l1); if it holds, that is the
 * training's w. */
static enum verdict met(void *context)
{
    struct elastic_net *state = context;
    struct training *training = state->training;
    const struct hinge_parameters *parameters = training->parameters;
    const enum verdict otherwise = state->stalled ? STALLED : GOES_ON;

    if (!training->progress.measured)
        training_measure(training);
    if (parameters->eps > 0) {
        for (size_t j = 0; j < training->width; j++)
            state->w[j] = soft(training->point.v[j], state->problem->l1);
        if (!training_keeps_rule(training, state->problem, state->w, training->point.alpha))
            return otherwise;
        memcpy(training->point.w, state->w, training->width * sizeof *state->w);
        training_measure(training);
    }
    return parameters->relative_gap <= 0 ||
                   training->progress.relative_gap <= parameters->relative_gap
               ? MET
               : otherwise;
}

/* ---- Beginning ----------------------------------------------------------- */

static enum hinge_status begin(void *context, struct training *training, struct hinge_error *error)
{
    struct elastic_net *state = context;
    const int has_few = training->width <= FEW_FEATURES;

    (void)error;
    state->training = training;
    state->problem = training->problem;
    state->method = is_badly_scaled(training->problem) ? METHOD_INTERIOR_POINT : METHOD_NEWTON;
    state->gap = state->dropped_at = HUGE_VAL;
    state->target = has_few ? 0.1 * certified_gap(training->parameters) : EARLY_GAP;
    training_certify(training, NULL);
    training->point.is_formed = 0; /* from here on w is not soft(v, l1) */
    memcpy(state->alpha, training->point.alpha, training->rows * sizeof *state->alpha);
    memcpy(state->v, training->point.v, training->width * sizeof *state->v);
    for (size_t j = 0; j < training->width; j++)
        state->place[j] = has_few ? 0 : LEFT_OUT;
    grow(state, training->width);
    return HINGE_OK;
}

/* Returns the price of Newton's method if features are few. Otherwise, returns the price of STEPS
 * of its steps with a factor, on a part with twice as many features as have a weight now. All parts
 * before the last one take about as long as the last one. */
static double price(const struct training *training)
{
    enum { STEPS = 30 };
    const struct problem *problem = training->problem;
    double weights, nonzeros = 0, order;

    if (training->width <= FEW_FEATURES)
        return cost_of_newton(training);
    weights = (double)dense_nonzeros(training->point.w, training->width);
    for (uint32_t i = 0; i < problem->rows; i++) {
        const struct sparse x = problem_row(problem, i);

        for (size_t k = 0; k < x.count; k++)
            nonzeros += training->point.w[index_at(&x, k)] != 0;
    }
    order = fmin(fmin(2 * weights + EXTRA_FEATURES, (double)training->width), MOST_ORDER);
    return STEPS * (cost_of_evaluation(problem->rows, 2 * nonzeros) +
                    cost_of_primal_factor(1, order, problem->rows, 2 * nonzeros));
}

const struct method elastic_net = {.name = "",
                                   .size = sizeof(struct elastic_net),
                                   .lay_out = lay_out,
                                   .begin = begin,
                                   .step = step,
                                   .met = met,
                                   .price = price};
