/* softmax.c - (I + sum_i C_i (diag(p_i) - p_i p_i') (x) x_i x_i') s = -gradient,  W += t s.
 *
 * What is minimised is |W|^2 / 2 + sum_i C_i (ln sum_m e^z_im - z_iy), z_i = W'x_i; p_i are its
 * probabilities, alpha_i = C_i (e_y - p_i), gradient = W - sum_i x_i alpha_i'.
 *
 * The loss does not change where all margins of a row move alike, so that the columns of the
 * optimum sum to 0. All that the steps work with is kept so; the Hessian there has no direction
 * that the diagonal of it, or that of its blocks, knows nothing of.
 *
 * The dual point of a step s is p_i and, to first order, its change along s, with what is negative
 * cut off: its sum x_i alpha_i' is W + s but for what the system's solution leaves, and its gap
 * about as small as the excess of P(W + s). That of p_i itself is |gradient|^2 / 2.
 *
 * Free biases are not in |W|^2, and the dual has the constraint sum_i alpha_i = 0 for them. Each
 * step takes them to where its dual point meets that to first order, and bias_balance_classes does
 * the rest; p_i itself is no dual point. Before the first step they go alone to their best values.
 */
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/elementary.h"
#include "base/status.h"
#include "problem/bias.h"
#include "problem/softmax.h"
#include "solver/linear/class_system.h"
#include "solver/linear/line_search.h"
#include "solver/loop/method.h"

static const double COARSE = 0.3; /* tolerance of a system's solution */

struct softmax_newton {
    struct training *training;
    const struct problem *problem;
    size_t classes;
    size_t penalised; /* entries of w in |W|^2, all but free biases */
    struct class_system system;
    double *alpha;    /* [rows classes] C (e_y - p) at z */
    double *z;        /* [rows classes] margins, */
    double *change;   /* [rows classes] of these along the step, and then its dual point */
    double *w;        /* [width] the iterate */
    double *gradient; /* [width] */
    double *step;     /* [width] s */
    double *v;        /* [width] the training's, and sum x_i alpha_i' */
    double primal;    /* P(w) */
    double smooth;    /* |gradient|^2 / 2 */
    double promise;   /* by how much the last step was to lower P, as the Hessian has it */
    double best;      /* lowest primal + dual so far, */
    unsigned stalls;  /* and steps since it last fell by a tenth */
    double enough;    /* |gradient| for the rule of -e */
};

/* What a row is to the loops below. */
struct class_row {
    double cost;
    uint32_t y;
    const double *alpha; /* [classes] */
};

static ALWAYS_INLINE struct class_row row_of(const struct softmax_newton *state, uint32_t i)
{
    return (struct class_row){state->problem->cost[i], state->problem->class_of[i],
                              state->alpha + i * state->classes};
}

/* ---- The step ------------------------------------------------------------ */

/* The step. Where systems are solved exactly, the excess of P, relative to P, becomes about its
 * square; a residual of the root of it, relative to the gradient, leaves no more. What the last
 * step had to gain stands for the excess. The residual is in the gap as |residual|^2 / 2: no less
 * is asked for than the target takes. */
static void find_step(struct softmax_newton *state)
{
    enum { FEW = 50, MOST = 500 }; /* directions; far from the optimum it makes do with few */
    const double target = certified_gap(state->training->parameters);
    const double excess = state->promise / problem_scale(state->problem, state->primal);
    const double enough = sqrt(target * state->primal / (10 * fmax(state->smooth, DBL_MIN)));
    const double tolerance = clamp(sqrt(excess), enough, COARSE);

    class_system_form(&state->system, state->problem, all_rows(state->problem), state->alpha, 0);
    class_system_solve(&state->system, state->gradient, state->step, tolerance,
                       tolerance < COARSE ? MOST : FEW);
    for (size_t j = 0; j < state->training->width; j++)
        state->step[j] = -state->step[j];
}

/* ---- Along the step ------------------------------------------------------ */

static void find_margins(const struct softmax_newton *state, const double *w, double *z)
{
    sums_margins(&state->training->shards, state->problem, all_rows(state->problem), w, z);
    state->training->progress.row_visits += state->training->rows;
}

static void add_slope(void *context, const struct shard *shard)
{
    const struct sum_line *line = context;
    const struct softmax_newton *state = line->state;
    const size_t k = state->classes;
    double *const q = shard->room;

    for (uint32_t i = shard->first; i < shard->end; i++) {
        const double *z = state->z + i * k, *change = state->change + i * k;
        const double base = change[state->problem->class_of[i]];
        double top = -HUGE_VAL, sum = 0, mean = 0, spread = 0;

        for (size_t m = 0; m < k; m++)
            top = fmax(top, q[m] = z[m] + line->t * change[m]);
        for (size_t m = 0; m < k; m++) {
            sum += q[m] = exp_of(q[m] - top);
            mean += q[m] * (change[m] - base);
        }
        mean /= sum;
        for (size_t m = 0; m < k; m++) {
            const double rest = change[m] - base - mean;

            spread += q[m] * rest * rest;
        }
        shard->scalars[0] -= state->problem->cost[i] * mean;
        shard->scalars[1] += state->problem->cost[i] * (spread / sum);
    }
}

/* ---- Evaluating --------------------------------------------------------- */

static void add_evaluation(void *context, const struct shard *shard)
{
    struct softmax_newton *state = context;
    const size_t k = state->classes;

    for (uint32_t i = shard->first; i < shard->end; i++) {
        const struct class_row row = row_of(state, i);
        const double *z = state->z + i * k;
        const struct softmax of = softmax_of(k, z);

        shard->scalars[0] += row.cost * softmax_value(&of, z, row.y);
        softmax_point(&of, k, row.cost, z, row.y, state->alpha + i * k);
    }
    problem_rows_add_outer(state->problem, shard->first, shard->end - shard->first,
                           state->alpha + shard->first * k, shard->vector);
}

/* P, alpha and the gradient at z; keeps w and alpha if they are the best so far. */
static void evaluate(struct softmax_newton *state)
{
    struct training *training = state->training;
    const size_t width = training->width;
    double scalars[MOST_SCALARS];

    memset(state->v, 0, width * sizeof *state->v);
    sums_run(&training->shards, all_rows(state->problem), add_evaluation, state, scalars, state->v);
    training->progress.row_visits += training->rows;
    for (size_t j = 0; j < width; j++)
        state->gradient[j] = (j < state->penalised ? state->w[j] : 0) - state->v[j];
    state->primal = dense_dot(state->w, state->w, state->penalised) / 2 + scalars[0];
    state->smooth = dense_dot(state->gradient, state->gradient, width) / 2;
    if (state->problem->bias_kind != BIAS_FREE &&
        training_keeps_dual(training, state->smooth - state->primal))
        memcpy(training->alpha, state->alpha, problem_duals(state->problem) * sizeof *state->alpha);
    training_keep_primal(training, state->w, state->primal);
    if (gap_falls(training->primal + training->dual, &state->best))
        state->stalls = 0;
}

static void evaluate_anew(struct softmax_newton *state)
{
    find_margins(state, state->w, state->z);
    evaluate(state);
}

/* ---- The dual point of the step ------------------------------------------ */

static void add_ahead(void *context, const struct shard *shard)
{
    const struct softmax_newton *state = context;
    const size_t k = state->classes;

    for (uint32_t i = shard->first; i < shard->end; i++) {
        const struct class_row row = row_of(state, i);

        shard->scalars[0] += softmax_conjugate(k, row.cost, row.y, state->change + i * k);
    }
    problem_rows_add_outer(state->problem, shard->first, shard->end - shard->first,
                           state->change + shard->first * k, shard->vector);
}

/* In the place of the change of the margins. */
static void keep_ahead(struct softmax_newton *state)
{
    struct training *training = state->training;
    const size_t k = state->classes, duals = problem_duals(state->problem);
    double scalars[MOST_SCALARS];

    for (uint32_t i = 0; i < training->rows; i++) {
        const struct class_row row = row_of(state, i);
        double *a = state->change + i * k;

        memcpy(training->shards.room, a, k * sizeof *a);
        softmax_ahead(k, row.cost, row.y, row.alpha, training->shards.room, a);
    }
    if (state->problem->bias_kind == BIAS_FREE)
        bias_balance_classes(state->problem, state->change, training->shards.room);
    memset(state->v, 0, training->width * sizeof *state->v);
    sums_run(&training->shards, all_rows(state->problem), add_ahead, state, scalars, state->v);
    training->progress.row_visits += training->rows;
    if (training_keeps_dual(training,
                            dense_dot(state->v, state->v, state->penalised) / 2 + scalars[0]))
        memcpy(training->alpha, state->change, duals * sizeof *state->change);
}

/* ---- A step -------------------------------------------------------------- */

/* Along the step, the change of the margins being known. */
static void move(struct softmax_newton *state)
{
    struct training *training = state->training;
    struct sum_line line = {.state = state,
                            .shards = &training->shards,
                            .rows = all_rows(state->problem),
                            .add = add_slope};
    double start, t;

    if (state->problem->bias_kind == BIAS_FREE)
        class_system_settle(&state->system, state->step, state->change);
    start = -dense_dot(state->gradient, state->step, training->width);
    state->promise = start / 2;
    line.linear = dense_dot(state->w, state->step, state->penalised);
    line.square = dense_dot(state->step, state->step, state->penalised);
    t = sum_line_search(&line, start, 0.3, 1);
    add_multiple(training->width, t, state->step, state->w);
    add_multiple(problem_duals(state->problem), t, state->change, state->z);
    keep_ahead(state);
    if (++state->stalls % 8 == 0)
        evaluate_anew(state);
    else
        evaluate(state);
}

static void step(void *context)
{
    struct softmax_newton *state = context;

    training_count_step(state->training);
    find_step(state);
    find_margins(state, state->step, state->change);
    move(state);
}

/* Steps of the free biases alone, until little is left of them. */
static void settle_biases(struct softmax_newton *state)
{
    enum { MOST = 30 };

    for (int k = 0; k < MOST && state->promise > 1e-4 * state->primal; k++) {
        memset(state->step, 0, state->training->width * sizeof *state->step);
        memset(state->change, 0, problem_duals(state->problem) * sizeof *state->change);
        class_system_form(&state->system, state->problem, all_rows(state->problem), state->alpha,
                          0);
        move(state);
    }
    state->promise = HUGE_VAL;
    state->stalls = 0;
}

/* ---- Rules --------------------------------------------------------------- */

static int rules_hold(struct softmax_newton *state)
{
    struct training *training = state->training;

    if (!training_may_end(training, state->smooth) ||
        (training->parameters->eps > 0 && sqrt(2 * state->smooth) > state->enough))
        return 0;
    if (training_gap_is_met(training))
        return 1;
    evaluate_anew(state);
    return 0;
}

static enum verdict met(void *context)
{
    enum { PATIENCE = 50 };
    struct softmax_newton *state = context;

    if (rules_hold(state))
        return MET;
    return state->stalls > PATIENCE || !(state->primal <= DBL_MAX) ? STALLED : GOES_ON;
}

/* LIBLINEAR's rule of its primal solvers, which it has for two classes: |gradient| <= eps
 * max(rows of the smallest class, 1)/m |that at 0|. */
static void find_enough(struct softmax_newton *state)
{
    const struct problem *problem = state->problem;
    double *const count = state->training->shards.room;
    double fewest = problem->rows;

    memset(count, 0, state->classes * sizeof *count);
    for (uint32_t i = 0; i < problem->rows; i++)
        count[problem->class_of[i]]++;
    for (size_t m = 0; m < state->classes; m++)
        fewest = fmin(fewest, count[m]);
    sums_run(&state->training->shards, all_rows(problem), add_evaluation, state, NULL, state->v);
    state->enough = state->training->parameters->eps * fmax(fewest, 1) / fmax(problem->rows, 1) *
                    sqrt(dense_dot(state->v, state->v, state->training->width));
}

/* ---- Beginning and end --------------------------------------------------- */

static void lay_out(void *context, struct arena *arena, const struct training *training)
{
    struct softmax_newton *to = context;
    const size_t duals = problem_duals(training->problem), width = training->width;

    to->alpha = arena_take(arena, duals, sizeof *to->alpha);
    to->z = arena_take(arena, duals, sizeof *to->z);
    to->change = arena_take(arena, duals, sizeof *to->change);
    to->w = arena_take(arena, width, sizeof *to->w);
    to->gradient = arena_take(arena, width, sizeof *to->gradient);
    to->step = arena_take(arena, width, sizeof *to->step);
    to->v = arena_take(arena, width, sizeof *to->v);
    class_system_lay_out(&to->system, arena, training->problem);
}

static enum hinge_status begin(void *context, struct training *training, struct hinge_error *error)
{
    struct softmax_newton *state = context;

    (void)error;
    state->training = training;
    state->problem = training->problem;
    state->classes = training->problem->classes;
    state->penalised = problem_penalised(training->problem);
    class_system_begin(&state->system, training->problem, &training->shards,
                       training_stop(training));
    state->best = state->promise = HUGE_VAL;
    memcpy(state->w, training->start ? training->start : training->w,
           training->width * sizeof *state->w);
    problem_centre(state->problem, state->w);
    training->start = NULL;
    training->v = state->v;
    if (training->parameters->eps > 0)
        find_enough(state); /* at z = 0 */
    evaluate_anew(state);
    if (state->problem->bias_kind == BIAS_FREE)
        settle_biases(state);
    return HINGE_OK;
}

const struct method softmax = {.name = "newton",
                               .size = sizeof(struct softmax_newton),
                               .lay_out = lay_out,
                               .begin = begin,
                               .step = step,
                               .met = met};
