/* softmax.c - (I + sum_i C_i (diag(p_i) - p_i p_i') (x) x_i x_i') s = -gradient,  W += t s.
 *
 * What is minimised is |W|^2 / 2 + sum_i C_i (ln sum_m e^z_im - z_iy), z_i = W'x_i; p_i are its
 * probabilities, alpha_i = C_i (e_y - p_i), gradient = W - sum_i x_i alpha_i'. The system is solved
 * by conjugate gradients: a product is a pass over the rows, in which each takes the margins d of
 * the direction to C_i (diag(p) - p p') d.
 *
 * The loss does not change where all margins of a row move alike, so that the columns of the
 * optimum sum to 0. All that the steps work with is kept so; the Hessian there has no direction
 * that the diagonal of it, or that of its blocks, knows nothing of.
 *
 * The dual point of a step s is p_i and, to first order, its change along s, with what is negative
 * cut off: its sum x_i alpha_i' is W + s but for what the system's solution leaves, and its gap
 * about as small as the excess of P(W + s). That of p_i itself is |gradient|^2 / 2.
 */
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/status.h"
#include "problem/softmax.h"
#include "solver/line_search.h"
#include "solver/linear/cg.h"
#include "solver/method.h"

static const double COARSE = 0.3; /* tolerance of a system's solution */

struct softmax_newton {
    struct training *training;
    const struct problem *problem;
    size_t classes;
    struct stop stop;
    struct cg cg;
    double *alpha;    /* [rows classes] C (e_y - p) at z */
    double *z;        /* [rows classes] margins, */
    double *change;   /* [rows classes] and of these along the step */
    double *w;        /* [width] the iterate */
    double *gradient; /* [width] */
    double *step;     /* [width] s */
    double *diagonal; /* [width] of the system's matrix */
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
    struct sparse x;
    double cost;
    uint32_t y;
    const double *alpha; /* [classes] */
};

static ALWAYS_INLINE struct class_row row_of(const struct softmax_newton *state, uint32_t i)
{
    return (struct class_row){problem_row(state->problem, i), state->problem->cost[i],
                              state->problem->class_of[i], state->alpha + i * state->classes};
}

/* Makes the columns sum to 0; two become opposite numbers exactly. */
static void centre_columns(const struct softmax_newton *state, double *w)
{
    const size_t k = state->classes, width = state->training->width;

    for (double *line = w; line < w + width; line += k) {
        double mean = 0, others = 0;

        for (size_t m = 0; m < k; m++)
            mean += line[m];
        mean /= (double)k;
        for (size_t m = 0; m + 1 < k; m++)
            others += line[m] -= mean;
        line[k - 1] = -others;
    }
}

/* ---- The system --------------------------------------------------------- */

struct product {
    const struct softmax_newton *state;
    const double *p;
};

static void add_product(void *context, uint32_t first, uint32_t end, double *scalars,
                        double *vector)
{
    const struct product *product = context;
    const struct softmax_newton *state = product->state;
    double *const d = state->training->shards.room;

    (void)scalars;
    for (uint32_t i = first; i < end; i++) {
        const struct class_row row = row_of(state, i);

        problem_dots(state->problem, &row.x, product->p, d);
        softmax_curvature(state->classes, row.cost, row.y, row.alpha, d);
        problem_add_outer(state->problem, &row.x, d, vector);
    }
}

static void multiply(void *context, const double *p, double *result)
{
    struct softmax_newton *state = context;
    struct product product = {state, p};

    memcpy(result, p, state->training->width * sizeof *p);
    sums_run(&state->training->shards, all_rows(state->problem), add_product, &product, NULL,
             result);
}

static void add_diagonal(void *context, uint32_t first, uint32_t end, double *scalars,
                         double *vector)
{
    const struct softmax_newton *state = context;
    const struct problem *problem = state->problem;
    const size_t k = state->classes;
    double *const weight = state->training->shards.room;

    (void)scalars;
    for (uint32_t i = first; i < end; i++) {
        const struct class_row row = row_of(state, i);

        for (size_t m = 0; m < k; m++) {
            const double size = fabs(row.alpha[m]);

            weight[m] = size / row.cost * (row.cost - size);
        }
        for (size_t e = 0; e < row.x.count; e++)
            add_multiple(k, value_at(&row.x, e) * value_at(&row.x, e), weight,
                         vector + index_at(&row.x, e) * k);
        if (problem->bias_kind != BIAS_NONE)
            add_multiple(k, problem->bias * problem->bias, weight,
                         vector + problem->data->features * k);
    }
}

static void precondition(void *context, const double *r, double *result)
{
    const struct softmax_newton *state = context;

    for (size_t j = 0; j < state->training->width; j++)
        result[j] = r[j] / state->diagonal[j];
    centre_columns(state, result);
}

static enum preconditioner prepare(void *context)
{
    const struct softmax_newton *state = context;

    return stop_is_asked(&state->stop) ? STOPPED : UNCHANGED;
}

/* The step. The residual has to be small against the gradient, the smaller the less the last step
 * had to gain, but no smaller than the gap that is asked for takes. */
static void find_step(struct softmax_newton *state)
{
    enum { FEW = 50, MOST = 500 }; /* directions; far from the optimum it makes do with few */
    const size_t width = state->training->width;
    double tolerance = COARSE;

    for (size_t j = 0; j < width; j++)
        state->diagonal[j] = 1;
    sums_run(&state->training->shards, all_rows(state->problem), add_diagonal, state, NULL,
             state->diagonal);
    tolerance = fmin(tolerance, fmax(state->promise / fmax(state->primal, DBL_MIN),
                                     sqrt(training_target(state->training) * state->primal /
                                          (10 * fmax(state->smooth, DBL_MIN)))));
    cg_solve(&state->cg, width, state->gradient, state->step, tolerance,
             tolerance < COARSE ? MOST : FEW);
    for (size_t j = 0; j < width; j++)
        state->step[j] = -state->step[j];
    centre_columns(state, state->step);
}

/* ---- Along the step ------------------------------------------------------ */

static void find_margins(const struct softmax_newton *state, const double *w, double *z)
{
    for (uint32_t i = 0; i < state->training->rows; i++) {
        const struct sparse x = problem_row(state->problem, i);

        problem_dots(state->problem, &x, w, z + i * state->classes);
    }
    state->training->progress.row_visits += state->training->rows;
}

/* The point W + t s, and the derivatives of |W + t s|^2 / 2 by t at 0. */
struct line_point {
    const struct softmax_newton *state;
    double t;
    double linear;
    double square;
};

static void add_slope(void *context, uint32_t first, uint32_t end, double *scalars, double *vector)
{
    const struct line_point *at = context;
    const struct softmax_newton *state = at->state;
    const size_t k = state->classes;
    double *const q = state->training->shards.room;

    (void)vector;
    for (uint32_t i = first; i < end; i++) {
        const double *z = state->z + i * k, *change = state->change + i * k;
        const double base = change[state->problem->class_of[i]];
        double top = -HUGE_VAL, sum = 0, mean = 0, spread = 0;

        for (size_t m = 0; m < k; m++)
            top = fmax(top, q[m] = z[m] + at->t * change[m]);
        for (size_t m = 0; m < k; m++) {
            sum += q[m] = exp_of(q[m] - top);
            mean += q[m] * (change[m] - base);
        }
        mean /= sum;
        for (size_t m = 0; m < k; m++) {
            const double rest = change[m] - base - mean;

            spread += q[m] * rest * rest;
        }
        scalars[0] += state->problem->cost[i] * mean;
        scalars[1] += state->problem->cost[i] * (spread / sum);
    }
}

static void derive(void *context, double t, double *first, double *second)
{
    struct line_point *at = context;
    double scalars[MOST_SCALARS];

    at->t = t;
    sums_run(&at->state->training->shards, all_rows(at->state->problem), add_slope, at, scalars,
             NULL);
    *first = at->linear + t * at->square + scalars[0];
    *second = at->square + scalars[1];
}

/* ---- Evaluating --------------------------------------------------------- */

static void add_evaluation(void *context, uint32_t first, uint32_t end, double *scalars,
                           double *vector)
{
    struct softmax_newton *state = context;
    const size_t k = state->classes;

    for (uint32_t i = first; i < end; i++) {
        const struct class_row row = row_of(state, i);
        const double *z = state->z + i * k;
        const struct softmax of = softmax_of(k, z);

        scalars[0] += row.cost * softmax_value(&of, z, row.y);
        softmax_point(&of, k, row.cost, z, row.y, state->alpha + i * k);
        problem_add_outer(state->problem, &row.x, row.alpha, vector);
    }
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
        state->gradient[j] = state->w[j] - state->v[j];
    state->primal = dense_dot(state->w, state->w, width) / 2 + scalars[0];
    state->smooth = dense_dot(state->gradient, state->gradient, width) / 2;
    if (training_keeps_dual(training, state->smooth - state->primal))
        memcpy(training->alpha, state->alpha, problem_duals(state->problem) * sizeof *state->alpha);
    training_keep_primal(training, state->w, state->primal);
    if (state->best > 0 && training->primal + training->dual < 0.9 * state->best) {
        state->best = training->primal + training->dual;
        state->stalls = 0;
    }
}

static void evaluate_anew(struct softmax_newton *state)
{
    find_margins(state, state->w, state->z);
    evaluate(state);
}

/* ---- The dual point of the step ------------------------------------------ */

static void add_ahead(void *context, uint32_t first, uint32_t end, double *scalars, double *vector)
{
    const struct softmax_newton *state = context;
    const size_t k = state->classes;
    double *const a = state->training->shards.room;

    for (uint32_t i = first; i < end; i++) {
        const struct class_row row = row_of(state, i);

        softmax_ahead(k, row.cost, row.y, row.alpha, state->change + i * k, a);
        scalars[0] += softmax_conjugate(k, row.cost, row.y, a);
        problem_add_outer(state->problem, &row.x, a, vector);
    }
}

static void keep_ahead(struct softmax_newton *state)
{
    struct training *training = state->training;
    const size_t k = state->classes;
    double scalars[MOST_SCALARS];

    memset(state->v, 0, training->width * sizeof *state->v);
    sums_run(&training->shards, all_rows(state->problem), add_ahead, state, scalars, state->v);
    training->progress.row_visits += training->rows;
    if (!training_keeps_dual(training,
                             dense_dot(state->v, state->v, training->width) / 2 + scalars[0]))
        return;
    for (uint32_t i = 0; i < training->rows; i++) {
        const struct class_row row = row_of(state, i);

        softmax_ahead(k, row.cost, row.y, row.alpha, state->change + i * k,
                      training->alpha + i * k);
    }
}

/* ---- A step -------------------------------------------------------------- */

static void step(void *context)
{
    struct softmax_newton *state = context;
    struct training *training = state->training;
    const size_t width = training->width;
    struct line_point at = {.state = state};
    double start, t;

    training->progress.passes++;
    training->progress.steps++;
    training_moved(training);
    find_step(state);
    find_margins(state, state->step, state->change);
    keep_ahead(state);
    start = -dense_dot(state->gradient, state->step, width);
    state->promise = start / 2;
    at.linear = dense_dot(state->w, state->step, width);
    at.square = dense_dot(state->step, state->step, width);
    t = line_search(derive, &at, start, 0.3, 1);
    for (size_t j = 0; j < width; j++)
        state->w[j] += t * state->step[j];
    for (size_t k = 0; k < problem_duals(state->problem); k++)
        state->z[k] += t * state->change[k];
    if (++state->stalls % 8 == 0)
        evaluate_anew(state);
    else
        evaluate(state);
}

/* ---- Rules --------------------------------------------------------------- */

static int rules_hold(struct softmax_newton *state)
{
    struct training *training = state->training;
    const double gap = training->parameters->gap;

    if (gap > 0 && training->primal + training->dual > gap * training->primal)
        return 0;
    if (training->parameters->eps > 0 && sqrt(2 * state->smooth) > state->enough)
        return 0;
    if (gap <= 0)
        return 1;
    training_measure(training);
    if (training->progress.gap <= gap)
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
    to->diagonal = arena_take(arena, width, sizeof *to->diagonal);
    to->v = arena_take(arena, width, sizeof *to->v);
    cg_lay_out(&to->cg, arena, width);
}

static enum hinge_status begin(void *context, struct training *training, struct hinge_error *error)
{
    struct softmax_newton *state = context;

    (void)error;
    state->training = training;
    state->problem = training->problem;
    state->classes = training->problem->classes;
    state->stop = training_stop(training);
    state->cg.context = state;
    state->cg.multiply = multiply;
    state->cg.precondition = precondition;
    state->cg.prepare = prepare;
    state->best = state->promise = HUGE_VAL;
    memcpy(state->w, training->start ? training->start : training->w,
           training->width * sizeof *state->w);
    centre_columns(state, state->w);
    training->v = state->v;
    if (training->parameters->eps > 0)
        find_enough(state); /* at z = 0 */
    evaluate_anew(state);
    return HINGE_OK;
}

static void end(void *context)
{
    struct softmax_newton *state = context;

    training_leave(state->training);
}

const struct method softmax = {.name = "newton",
                               .size = sizeof(struct softmax_newton),
                               .lay_out = lay_out,
                               .begin = begin,
                               .step = step,
                               .met = met,
                               .end = end};
