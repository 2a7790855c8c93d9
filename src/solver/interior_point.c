/* interior_point.c - alpha lambda = (U - alpha) nu = mu -> 0, a primal-dual method for the L1-loss.
 *
 * The optimality conditions of the dual, with multipliers lambda >= 0 of alpha >= 0 and nu >= 0 of
 * alpha <= U, z_i = y_i <w, x_i>:
 *
 *     w = sum alpha_i y_i x_i,   z - 1 - lambda + nu = 0,   alpha lambda = 0,   (U - alpha) nu = 0.
 *
 * Newton's method on them, the zeros replaced by a falling mu (Mehrotra's predictor and corrector,
 * SIAM J. Optim. 1992). With Theta = lambda/alpha + nu/(U - alpha), the steps of all but w are
 * eliminated (Ferris and Munson, SIAM J. Optim. 2002):
 *
 *     (I + X' Theta^-1 X) dw = -(w - X'Y alpha) + X'Y Theta^-1 q,   dalpha = Theta^-1 (q - dz).
 *
 * A full step satisfies the two linear equations; a part of it leaves the same part of the error.
 */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/status.h"
#include "problem/kernel.h"
#include "solver/engine.h"
#include "solver/normal.h"

struct interior {
    struct engine_run *run;
    const struct binary_problem *problem;
    const double *U; /* [rows] */
    struct normal *normal;
    double *memory; /* the arrays below, of rows but for the last two */
    double *lambda;
    double *nu;
    double *z;       /* y_i <w, x_i> */
    double *inverse; /* 1/Theta */
    double *wanted;  /* q; Theta dalpha + dz */
    double *dz;
    double *dalpha;
    double *dlambda;
    double *dnu;
    double *right;      /* [width] right hand side */
    double *dw;         /* [width] */
    double *best_alpha; /* [rows] */
    double *best_w;     /* [width] */
    double kept;        /* their gap, */
    double gap;         /* relative, of the iterate */
    double mu;          /* mean of alpha lambda and (U - alpha) nu */
    double best;        /* lowest gap so far, */
    unsigned vain;      /* and steps since it last fell by a tenth */
};

/* ---- Setting up -------------------------------------------------------- */

static void interior_free(struct interior *interior)
{
    engine_return_normal(interior->run, interior->normal);
    free(interior->memory);
}

static enum hinge_status interior_new(struct interior *interior, struct engine_run *run,
                                      struct hinge_error *error)
{
    const size_t rows = run->task->problem->rows;
    const size_t width = binary_width(run->task->problem);
    double **arrays[] = {&interior->lambda,    &interior->nu,      &interior->z,
                         &interior->inverse,   &interior->wanted,  &interior->dz,
                         &interior->dalpha,    &interior->dlambda, &interior->dnu,
                         &interior->best_alpha};
    const size_t count = sizeof arrays / sizeof *arrays;

    *interior =
        (struct interior){.run = run, .problem = run->task->problem, .U = run->task->problem->cost};
    if (!(interior->normal = engine_take_normal(run, error)) ||
        !(interior->memory = array_new(count * rows + 3 * width, sizeof(double), error)))
        return failure(error);
    for (size_t k = 0; k < count; k++)
        *arrays[k] = interior->memory + k * rows;
    interior->right = interior->memory + count * rows;
    interior->dw = interior->right + width;
    interior->best_w = interior->dw + width;
    return HINGE_OK;
}

/* The mean of alpha lambda and (U - alpha) nu after t of the step. */
static double mean_after(const struct interior *interior, double t)
{
    const double *alpha = interior->run->alpha;
    double sum = 0;

    for (uint32_t i = 0; i < interior->problem->rows; i++) {
        const double moved = alpha[i] + t * interior->dalpha[i];

        sum += moved * (interior->lambda[i] + t * interior->dlambda[i]) +
               (interior->U[i] - moved) * (interior->nu[i] + t * interior->dnu[i]);
    }
    return sum / (2 * (double)interior->problem->rows);
}

/* P(w) + D(alpha), the sum over rows in dcd.c and |w - sum alpha_i y_i x_i|^2 / 2. */
static void find_gap(struct interior *interior)
{
    const size_t width = binary_width(interior->problem);
    const double *alpha = interior->run->alpha, *w = interior->run->w;
    double *off = interior->right;
    double gap = 0, primal;

    primal = dense_dot(w, w, width) / 2;
    for (uint32_t i = 0; i < interior->problem->rows; i++) {
        const double slack = 1 - interior->z[i];
        const double loss = slack > 0 ? interior->U[i] * slack : 0;

        primal += loss;
        gap += loss - alpha[i] * slack;
    }
    binary_weights(interior->problem, alpha, off);
    for (size_t j = 0; j < width; j++)
        off[j] -= w[j];
    interior->gap = (gap + dense_dot(off, off, width) / 2) / fmax(primal, DBL_MIN);
}

/* Keeps what the run has, whose gap this is. */
static void keep(struct interior *interior, double gap)
{
    interior->kept = gap;
    memcpy(interior->best_w, interior->run->w, binary_width(interior->problem) * sizeof(double));
    memcpy(interior->best_alpha, interior->run->alpha, interior->problem->rows * sizeof(double));
}

/* Measures the iterate, and keeps it if it is the best so far. */
static void evaluate(struct interior *interior)
{
    interior->mu = mean_after(interior, 0);
    find_gap(interior);
    interior->vain++;
    if (interior->gap < 0.9 * interior->best)
        interior->vain = 0;
    interior->best = fmin(interior->best, interior->gap);
    if (interior->gap < interior->kept)
        keep(interior, interior->gap);
}

/* In the middle of the box, w = 0: far from the equation that ties the two, which the steps bring
 * about, and well away from all bounds, which they need. */
static void start(struct interior *interior)
{
    const double gap = interior->run->progress.gap;

    keep(interior, gap >= 0 ? gap : HUGE_VAL);
    memset(interior->run->w, 0, binary_width(interior->problem) * sizeof(double));
    for (uint32_t i = 0; i < interior->problem->rows; i++) {
        interior->run->alpha[i] = interior->U[i] / 2;
        interior->z[i] = 0;
        interior->lambda[i] = 1;
        interior->nu[i] = 2;
    }
    interior->best = HUGE_VAL;
    evaluate(interior);
}

/* ---- A step ------------------------------------------------------------ */

/* The step to products alpha lambda = (U - alpha) nu = target. The corrector takes in the products
 * of the steps as the predictor left them, which Newton's equations neglect. */
static void direction(struct interior *interior, double target, int corrector)
{
    const struct binary_problem *problem = interior->problem;
    const size_t width = binary_width(problem);
    const double *alpha = interior->run->alpha;

    for (uint32_t i = 0; i < problem->rows; i++) {
        const double above = interior->U[i] - alpha[i];
        const double cross = corrector ? interior->dalpha[i] : 0;
        const double first = target - alpha[i] * interior->lambda[i] - cross * interior->dlambda[i];
        const double second = target - above * interior->nu[i] + cross * interior->dnu[i];
        const double off = interior->z[i] - 1 - interior->lambda[i] + interior->nu[i];

        interior->dlambda[i] = first; /* for now */
        interior->dnu[i] = second;
        interior->wanted[i] = first / alpha[i] - second / above - off;
        interior->dalpha[i] = interior->inverse[i] * interior->wanted[i] + alpha[i];
    }
    binary_weights(problem, interior->dalpha, interior->right);
    for (size_t j = 0; j < width; j++)
        interior->right[j] -= interior->run->w[j];
    normal_solve(interior->normal, interior->right, interior->dw, 1e-10, 200);
    engine_margins(interior->run, interior->dw, interior->dz);
    for (uint32_t i = 0; i < problem->rows; i++) {
        const double change = interior->inverse[i] * (interior->wanted[i] - interior->dz[i]);

        interior->dalpha[i] = change;
        interior->dlambda[i] = (interior->dlambda[i] - interior->lambda[i] * change) / alpha[i];
        interior->dnu[i] =
            (interior->dnu[i] + interior->nu[i] * change) / (interior->U[i] - alpha[i]);
    }
}

/* How much of the step everything stays positive for. */
static double longest(const struct interior *interior)
{
    const double *alpha = interior->run->alpha;
    double t = 1e300;

    for (uint32_t i = 0; i < interior->problem->rows; i++) {
        if (interior->dalpha[i] < 0)
            t = fmin(t, -alpha[i] / interior->dalpha[i]);
        if (interior->dalpha[i] > 0)
            t = fmin(t, (interior->U[i] - alpha[i]) / interior->dalpha[i]);
        if (interior->dlambda[i] < 0)
            t = fmin(t, -interior->lambda[i] / interior->dlambda[i]);
        if (interior->dnu[i] < 0)
            t = fmin(t, -interior->nu[i] / interior->dnu[i]);
    }
    return t;
}

static void move(struct interior *interior, double t)
{
    double *alpha = interior->run->alpha;

    for (size_t j = 0; j < binary_width(interior->problem); j++)
        interior->run->w[j] += t * interior->dw[j];
    for (uint32_t i = 0; i < interior->problem->rows; i++) {
        alpha[i] += t * interior->dalpha[i];
        interior->lambda[i] += t * interior->dlambda[i];
        interior->nu[i] += t * interior->dnu[i];
    }
    engine_margins(interior->run, interior->run->w, interior->z);
}

static void step(void *state)
{
    enum { MOST_VAIN = 2 };
    struct interior *interior = state;
    const double *alpha = interior->run->alpha;
    double centring, t;

    for (uint32_t i = 0; i < interior->problem->rows; i++)
        interior->inverse[i] =
            1 / (interior->lambda[i] / alpha[i] + interior->nu[i] / (interior->U[i] - alpha[i]));
    normal_form(interior->normal, NULL, interior->inverse, interior->problem->rows, 1);
    direction(interior, 0, 0);
    centring = mean_after(interior, fmin(1, longest(interior))) / interior->mu;
    if (interior->vain <= MOST_VAIN)
        direction(interior, centring * centring * centring * interior->mu, 1);
    else
        direction(interior, 0.3 * interior->mu, 0); /* the corrector can go in circles */
    t = fmin(1, 0.99 * longest(interior));
    if (!(mean_after(interior, t) > 0 && mean_after(interior, t) <= DBL_MAX)) {
        interior->mu = 0; /* a step of no numbers: this is the end */
        return;
    }
    move(interior, t);
    evaluate(interior);
}

/* ---- Rules ------------------------------------------------------------- */

/* Rows that a multiplier holds at a bound are put there, so that they count as no, or as bounded,
 * support vectors. */
static void settle(struct interior *interior)
{
    double *alpha = interior->run->alpha;

    for (uint32_t i = 0; i < interior->problem->rows; i++) {
        const double share = alpha[i] / interior->U[i];

        if (share < 0.1 * interior->lambda[i] && share < 0.1)
            alpha[i] = 0;
        else if (1 - share < 0.1 * interior->nu[i] && share > 0.9)
            alpha[i] = interior->U[i];
    }
}

static int solved(void *state)
{
    struct interior *interior = state;
    struct engine_run *run = interior->run;
    const struct hinge_parameters *parameters = run->task->parameters;
    int met = 0;

    if (parameters->gap > 0 && interior->gap > parameters->gap)
        return 0;
    memcpy(interior->dlambda, run->alpha, interior->problem->rows * sizeof(double));
    settle(interior);
    for (int as_it_was = 0; !met && as_it_was < 2; as_it_was++) {
        if (as_it_was)
            memcpy(run->alpha, interior->dlambda, interior->problem->rows * sizeof(double));
        if (parameters->eps > 0 && !engine_dual_rule(run, run->alpha))
            continue;
        engine_measure(run);
        met = parameters->gap <= 0 || run->progress.gap <= parameters->gap;
    }
    return met;
}

static int stalled(const void *state)
{
    const struct interior *interior = state;

    return interior->vain > 20 || !(interior->mu > DBL_MIN && interior->mu <= DBL_MAX);
}

static void return_best(struct interior *interior)
{
    const size_t width = binary_width(interior->problem);

    memcpy(interior->run->w, interior->best_w, width * sizeof(double));
    memcpy(interior->run->alpha, interior->best_alpha, interior->problem->rows * sizeof(double));
    interior->run->progress.measured = 0;
}

enum hinge_status interior_point_run(struct engine_run *run, enum hinge_outcome *outcome,
                                     struct hinge_error *error)
{
    static const struct engine_method method = {solved, stalled, step};
    struct interior interior;

    if (interior_new(&interior, run, error)) {
        interior_free(&interior);
        return failure(error);
    }
    run->progress.engine = "ipm";
    start(&interior);
    *outcome = engine_iterate(run, &method, &interior);
    if (*outcome != HINGE_TOLERANCE_MET)
        return_best(&interior);
    interior_free(&interior);
    return HINGE_OK;
}

enum hinge_status interior_point_solve(const struct solver_task *task, double *w,
                                       struct hinge_result *result, struct hinge_error *error)
{
    return engine_solve(task, interior_point_run, w, result, error);
}
