/* elastic_net.c - min P over the weights of some features, until no other has |v_j| > l1.
 *
 * R has an l1 term beside |w|^2/2. With many features most weights are 0. A step solves the problem
 * for a working set of features, with weight 0 for all others: Newton's method solves this part,
 * or, if that takes long or data are badly scaled, the interior-point method (l1_subproblem.h). The
 * w and the alpha of the part are points of the whole problem. A feature outside with |v_j| > l1
 * should have a weight; the largest of them join the working set, at most as many as it has
 * weights. If there is none, the gap of the part is that of the whole. (Working sets that grow like
 * this: Johnson and Guestrin, ICML 2015; Massias, Gramfort, Salmon, ICML 2018.)
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
    FEW = 1000,  /* at most so many features are all in the working set */
    GROWTH = 100 /* so many more features than there are weights may join it */
};

static const double ROUGH = 0.01;  /* relative gap of a part, while that of the whole exceeds FAR */
static const double FAR = 0.2;     /* relative gap of the whole */
static const double NEAR = 0.8;    /* a feature with |v_j| of this part of l1 stays in any case */
static const double LEAST = 1e-12; /* rounding errors keep the gap of a part above this */

struct elastic_net {
    struct training *training;
    const struct problem *problem;
    enum first_method method; /* the method that solves the parts */
    double target;            /* relative gap of the next part */
    double gap;               /* least relative gap of the whole so far */
    int stalled;
    int warm;          /* true: the next part starts at w */
    double dropped_at; /* P when features last left the working set */
    uint32_t members;  /* features in the working set */
    uint32_t *place;   /* [width] index of a feature in the working set; LEFT_OUT */
    double *alpha;     /* [rows] dual point of the last part */
    double *v;         /* [width] sum alpha_i y_i x_i */
    double *w;         /* [width] weights of the last part */
    double *sizes;     /* [width + 1] absolute values to sort */
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

/* ---- The working set ----------------------------------------------------- */

/* Lets features with |v_j| > l1 join the working set, the largest ones first and about `most` in
 * all. Returns how many join. */
static uint32_t grow(struct elastic_net *state, size_t most)
{
    const size_t width = state->training->width;
    uint32_t joined = 0;
    double least = state->problem->l1;
    size_t count = 0;

    for (size_t j = 0; j < width; j++)
        if (state->place[j] == LEFT_OUT && fabs(state->v[j]) > least)
            state->sizes[count++] = fabs(state->v[j]);
    if (count > most) {
        qsort(state->sizes, count, sizeof *state->sizes, compare_doubles);
        least = fmax(least, nextafter(state->sizes[count - most], 0));
    }
    state->members = 0;
    for (size_t j = 0; j < width; j++) {
        joined += state->place[j] == LEFT_OUT && fabs(state->v[j]) > least;
        if (state->place[j] != LEFT_OUT || fabs(state->v[j]) > least)
            state->place[j] = state->members++;
    }
    return joined;
}

/* Drops features that are far from having a weight. P falls between two drops, so that no working
 * set comes back. */
static void drop(struct elastic_net *state, double primal)
{
    if (primal >= 0.95 * state->dropped_at || state->training->width <= FEW)
        return;
    state->dropped_at = primal;
    for (size_t j = 0; j < state->training->width; j++)
        if (fabs(state->v[j]) < NEAR * state->problem->l1)
            state->place[j] = LEFT_OUT;
}

/* ---- A part -------------------------------------------------------------- */

/* Returns the weights of the last part in the places of the next one. */
static const double *start_of(const struct elastic_net *state)
{
    for (size_t j = 0; j < state->training->width; j++)
        if (state->place[j] != LEFT_OUT)
            state->sizes[state->place[j]] = state->w[j];
    return state->sizes;
}

/* Solves the part. */
static enum hinge_status solve(const struct elastic_net *state, struct l1_subproblem *part,
                               struct hinge_result *result, struct hinge_error *error)
{
    enum { MOST_STEPS = 60 };
    const struct training *training = state->training;
    const uint64_t left = training->most_passes - training->progress.passes;
    struct task task = *training->task;
    enum hinge_status status;
    double mu;

    task.problem = &part->problem;
    task.start = state->warm ? start_of(state) : NULL;
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

/* ---- Its point ----------------------------------------------------------- */

/* Sets w to the weights of the part, except that those of at most this size are 0 where v_j says
 * so. Returns P there. */
static double primal_without(const struct elastic_net *state, double size, double *w)
{
    const double l1 = state->problem->l1;

    for (size_t j = 0; j < state->training->width; j++) {
        const int outside = soft(state->v[j], l1) * state->w[j] <= 0;

        w[j] = outside && fabs(state->w[j]) <= size ? 0 : state->w[j];
    }
    return objective_primal(&state->training->shards, state->problem, w).primal;
}

/* Sets the training's w to that of the part, without as many small weights as keep P at `most` or
 * below. */
static void round_weights(struct elastic_net *state, double most)
{
    struct training *training = state->training;
    size_t low = 0, high = 1;

    for (size_t j = 0; j < training->width; j++)
        if (soft(state->v[j], state->problem->l1) * state->w[j] <= 0 && state->w[j] != 0)
            state->sizes[high++] = fabs(state->w[j]);
    state->sizes[0] = 0;
    qsort(state->sizes, high, sizeof *state->sizes, compare_doubles);
    for (size_t middle = high - 1; low < middle; middle = low + (high - low) / 2)
        if (primal_without(state, state->sizes[middle], training->point.w) <= most)
            low = middle;
        else
            high = middle;
    training->point.primal = primal_without(state, state->sizes[low], training->point.w);
}

/* Takes the w and the alpha of the part if they are better. Returns the number of its weights. */
static size_t take_point(struct elastic_net *state, const struct l1_subproblem *part)
{
    struct training *training = state->training;
    const struct problem *problem = state->problem;
    size_t weights = 0;
    double primal, gap;

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
    if (gap <= 0.9 * certified_gap(training->parameters))
        round_weights(state, -training->point.dual /
                                 (1 - fmin(4 * gap, 0.9 * certified_gap(training->parameters))));
    return weights;
}

/* ---- A step -------------------------------------------------------------- */

/* Plans the next part, after one that was solved to that relative gap: its method and its gap. */
static void plan(struct elastic_net *state, const struct l1_subproblem *part, double gap,
                 uint32_t joined)
{
    const struct training *training = state->training;
    const double whole = fmax((training->point.primal + training->point.dual) /
                                  problem_scale(state->problem, training->point.primal),
                              0);
    const double next =
        whole > FAR ? ROUGH : fmax(0.002 * whole, 0.2 * certified_gap(training->parameters));
    const int failed = !(gap <= state->target), was_warm = state->warm;

    state->warm = !failed && state->method == METHOD_INTERIOR_POINT;
    if (failed && state->method == METHOD_NEWTON && primal_over_features(&part->problem))
        state->method = METHOD_INTERIOR_POINT;
    else if (joined == 0 &&
             (failed ? !was_warm && whole >= 0.99 * state->gap : state->target <= LEAST))
        state->stalled = 1;
    else if (joined == 0 && !failed)
        state->target = fmin(next, 0.1 * state->target);
    state->target = fmax(fmin(next, state->target), LEAST);
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
        drop(state, result.primal);
        plan(state, &part, result.relative_gap, grow(state, weights + GROWTH));
        training->progress.steps += result.passes;
        training->progress.passes += result.passes;
        training->progress.row_visits += result.row_visits;
    }
    l1_subproblem_free(&part);
    training_moved(training);
}

/* ---- Rules --------------------------------------------------------------- */

/* True if the rule of -e holds for w = soft(v, l1), which then is the training's w. */
static int dual_rule(struct elastic_net *state)
{
    struct training *training = state->training;
    const double l1 = state->problem->l1;

    for (size_t j = 0; j < training->width; j++)
        state->w[j] = soft(training->point.v[j], l1);
    if (!training_keeps_rule(training, state->problem, state->w, training->point.alpha))
        return 0;
    memcpy(training->point.w, state->w, training->width * sizeof *state->w);
    training_measure(training);
    return 1;
}

static enum verdict met(void *context)
{
    struct elastic_net *state = context;
    struct training *training = state->training;
    const struct hinge_parameters *parameters = training->parameters;

    if (!training->progress.measured)
        training_measure(training);
    if ((parameters->eps <= 0 || dual_rule(state)) &&
        (parameters->relative_gap <= 0 ||
         training->progress.relative_gap <= parameters->relative_gap))
        return MET;
    return state->stalled ? STALLED : GOES_ON;
}

/* ---- Beginning ----------------------------------------------------------- */

static enum hinge_status begin(void *context, struct training *training, struct hinge_error *error)
{
    struct elastic_net *state = context;

    (void)error;
    state->training = training;
    state->problem = training->problem;
    state->method = is_badly_scaled(training->problem) ? METHOD_INTERIOR_POINT : METHOD_NEWTON;
    state->gap = state->dropped_at = HUGE_VAL;
    state->target = training->width <= FEW ? 0.1 * certified_gap(training->parameters) : ROUGH;
    training_certify(training, NULL);
    training->point.is_formed = 0; /* from here on w is not soft(v, l1) */
    memcpy(state->alpha, training->point.alpha, training->rows * sizeof *state->alpha);
    memcpy(state->v, training->point.v, training->width * sizeof *state->v);
    for (size_t j = 0; j < training->width; j++)
        state->place[j] = training->width <= FEW ? 0 : LEFT_OUT;
    grow(state, training->width);
    return HINGE_OK;
}

/* Returns the price of Newton's method if features are few. Otherwise it is that of STEPS of its
 * steps with a factor, on a part with twice as many features as have a weight now: all parts before
 * the last one take about as long as the last one. */
static double price(const struct training *training)
{
    enum { STEPS = 30 };
    const struct problem *problem = training->problem;
    double weights, nonzeros = 0, order;

    if (training->width <= FEW)
        return cost_of_newton(training);
    weights = (double)dense_nonzeros(training->point.w, training->width);
    for (uint32_t i = 0; i < problem->rows; i++) {
        const struct sparse x = problem_row(problem, i);

        for (size_t k = 0; k < x.count; k++)
            nonzeros += training->point.w[index_at(&x, k)] != 0;
    }
    order = fmin(fmin(2 * weights + GROWTH, (double)training->width), MOST_ORDER);
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
