/* interior_point.c - alpha lambda = (C - alpha) nu = mu -> 0: a primal-dual interior-point method
 * for the hinge.
 *
 * Let z_i = y_i <w, x_i>, and let lambda >= 0 and nu >= 0 be the multipliers of alpha >= 0 and of
 * alpha <= C. The dual is optimal where
 *
 *     w = sum alpha_i y_i x_i,   z - t - lambda + nu = 0,   alpha lambda = 0,   (C - alpha) nu = 0.
 *
 * Newton's method solves these equations with a falling mu in place of the last two zeros
 * (Mehrotra's predictor and corrector, SIAM J. Optim. 1992). With Theta = lambda/alpha +
 * nu/(C - alpha), one system over w is left (Ferris and Munson, SIAM J. Optim. 2002):
 *
 *     (I + X' Theta^-1 X) dw = X'Y alpha - w + X'Y Theta^-1 q,   dalpha = Theta^-1 (q - dz).
 *
 * A full step satisfies the linear equations, and a part of it leaves the same part of their error.
 * A free bias adds the equation sum alpha_i y_i = 0: its entry of w is not in |w|^2, so its row of
 * the system has a 0 in place of the 1 of I.
 */
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/elementary.h"
#include "base/status.h"
#include "problem/bias.h"
#include "solver/linear/primal_system.h"
#include "solver/loop/method.h"

/* Bounds of mu, as multiples of the largest C, where the method starts at a given w. */
static const double START_MU = 0.125, LEAST_MU = 1e-9;

struct interior_point {
    struct training *training;
    const struct problem *problem;
    struct primal_system *system;
    double *w;        /* [width] */
    double *dw;       /* [width] its step */
    double *v;        /* [width] sum alpha_i y_i x_i: room that the training needs */
    double *right;    /* [width] right hand side of the system */
    double *part;     /* [width] a solution of the system, which dw is a sum of */
    double *alpha;    /* [rows] */
    double *lambda;   /* [rows] */
    double *nu;       /* [rows] */
    double *z;        /* [rows] y_i <w, x_i> */
    double *inverse;  /* [rows] 1/Theta */
    double *q;        /* [rows] what is left of Theta dalpha + dz */
    double *dalpha;   /* [rows] */
    double *dlambda;  /* [rows] */
    double *dnu;      /* [rows] */
    double *settled;  /* [rows] the dual point that alpha stands for */
    double gap;       /* relative gap of w and alpha */
    double mu;        /* mean of the products alpha lambda and (C - alpha) nu */
    double least_mu;  /* the least mu so far; updated when mu falls by a tenth */
    double best;      /* the least gap so far */
    unsigned stalled; /* steps since the gap last fell by a tenth */
    unsigned idle;    /* steps since the gap, or a mu too large for it, fell by a tenth */
};

/* What the sums over rows need. */
struct terms {
    struct interior_point *state;
    double part;   /* the part of the step that is taken */
    double target; /* what alpha lambda and (C - alpha) nu are to become */
    int corrector; /* true if the step corrects a predicted one */
};

/* ---- The iterate ------------------------------------------------------- */

static void add_products(void *context, const struct shard *shard)
{
    const struct terms *terms = context;
    const struct interior_point *state = terms->state;
    const double t = terms->part;
    double sum = 0;

    for (uint32_t i = shard->first; i < shard->end; i++) {
        const double moved = state->alpha[i] + t * state->dalpha[i];

        sum += moved * (state->lambda[i] + t * state->dlambda[i]);
        sum += (problem_upper(state->problem, i) - moved) * (state->nu[i] + t * state->dnu[i]);
    }
    shard->scalars[0] += sum;
}

/* Returns the number of products: two for each row. */
static double count_products(const struct interior_point *state)
{
    return 2 * fmax(state->problem->rows, 1);
}

/* Returns the mean of the products after a part of the step. */
static double mean_after(struct interior_point *state, double part)
{
    struct terms terms = {state, part, 0, 0};
    double scalars[MOST_SCALARS];

    sums_run(&state->training->shards, all_rows(state->problem), add_products, &terms, scalars,
             NULL);
    return scalars[0] / count_products(state);
}

/* Finds the dual point of the iterate. That is alpha, except with a free bias: the steps reach
 * sum alpha_i y_i = 0 only in the end. */
static void balance(struct interior_point *state)
{
    memcpy(state->settled, state->alpha, state->problem->rows * sizeof *state->alpha);
    bias_balance(state->problem, state->settled);
}

static void add_objective(void *context, const struct shard *shard)
{
    const struct interior_point *state = context;
    const struct problem *problem = state->problem;

    for (uint32_t i = shard->first; i < shard->end; i++) {
        const double cost = problem_cost(problem, i), scale = loss_scale(problem->loss, cost);
        const double target = problem_target(problem, i, problem->loss);
        const double slack = target - state->z[i];

        shard->scalars[0] += loss_value(problem->loss, cost, slack);
        shard->scalars[1] += loss_conjugate(problem->loss, cost, target, state->settled[i]);
        shard->scalars[2] += loss_gap(problem->loss, scale, state->settled[i], slack);
    }
}

/* Finds P, D and the gap of the iterate, and gives the training the better of its and this point.
 */
static void evaluate(struct interior_point *state)
{
    struct training *training = state->training;
    double sums[MOST_SCALARS], primal = 0, dual = 0, apart = 0;

    balance(state);
    training_form_feasible(training, state->settled, state->v);
    sums_run(&training->shards, all_rows(state->problem), add_objective, state, sums, NULL);
    for (size_t j = 0; j < problem_penalised(state->problem); j++) {
        const double w = state->w[j], v = state->v[j];

        primal += w * w / 2;
        dual += v * v / 2;
        apart += (w - v) * (w - v) / 2;
    }
    primal += sums[0];
    training_keep_primal(training, state->w, primal);
    if (training_keeps_dual(training, dual + sums[1]))
        memcpy(training->alpha, state->settled, state->problem->rows * sizeof *state->alpha);
    state->gap = (sums[2] + apart) / problem_scale(state->problem, primal);
    state->mu = mean_after(state, 0);
    state->stalled = state->gap < 0.9 * state->best ? 0 : state->stalled + 1;
    state->best = fmin(state->best, state->gap);
    state->idle = state->stalled > 0 ? state->idle + 1 : 0;
    /* While v is far from w it hides how much the gap falls by a smaller mu. */
    if (state->mu * count_products(state) > certified_gap(training->parameters) * primal &&
        gap_falls(state->mu, &state->least_mu))
        state->idle = 0;
}

/* ---- Setting up -------------------------------------------------------- */

static void lay_out(void *context, struct arena *arena, const struct training *training)
{
    struct interior_point *to = context;
    double **of_rows[] = {&to->alpha, &to->lambda, &to->nu,      &to->z,   &to->inverse,
                          &to->q,     &to->dalpha, &to->dlambda, &to->dnu, &to->settled};
    double **of_width[] = {&to->w, &to->dw, &to->v, &to->right, &to->part};

    for (size_t k = 0; k < sizeof of_rows / sizeof *of_rows; k++)
        *of_rows[k] = arena_take(arena, training->rows, sizeof(double));
    for (size_t k = 0; k < sizeof of_width / sizeof *of_width; k++)
        *of_width[k] = arena_take(arena, training->width, sizeof(double));
}

/* Starts at a given w. Each row solves its own equations with alpha lambda = (C - alpha) nu = mu;
 * only the equation between w and alpha is left to the steps. mu is at most the mean loss, so that
 * the gap it stands for is not far above P. */
static void start_at(struct interior_point *state, const double *w)
{
    const struct problem *problem = state->problem;
    double largest = 0, mu;

    for (uint32_t i = 0; i < problem->rows; i++)
        largest = fmax(largest, problem_upper(problem, i));
    mu = objective_primal(&state->training->shards, problem, w).primal / problem->rows;
    mu = clamp(mu, LEAST_MU * largest, START_MU * largest);
    memcpy(state->w, w, state->training->width * sizeof *w);
    sums_margins(&state->training->shards, problem, all_rows(problem), w, state->z);
    for (uint32_t i = 0; i < problem->rows; i++) {
        const double slack = problem_target(problem, i, problem->loss) - state->z[i];
        const double most = problem_upper(problem, i), pull = slack * most / mu;
        const double root = sqrt(pull * pull + 4);

        state->alpha[i] = most * 2 / (2 - pull + root);
        state->lambda[i] = mu / most * (2 - pull + root) / 2;
        state->nu[i] = mu / most * (2 + pull + root) / 2;
    }
}

static enum hinge_status begin(void *context, struct training *training, struct hinge_error *error)
{
    struct interior_point *state = context;

    if (!(state->system = training_system(training, error)))
        return failure(error);
    state->training = training;
    state->problem = training->problem;
    training->v = state->v;
    if (training->start) {
        start_at(state, training->start);
    } else { /* w = 0 and the middle of the box: far from all bounds, as the steps need */
        for (uint32_t i = 0; i < state->problem->rows; i++) {
            state->alpha[i] = problem_upper(state->problem, i) / 2;
            state->lambda[i] = 1;
            state->nu[i] = 2;
        }
    }
    training->start = NULL;
    state->best = state->least_mu = HUGE_VAL;
    evaluate(state);
    return HINGE_OK;
}

/* ---- A step ------------------------------------------------------------ */

/* Finds q and the parts of dlambda and dnu that do not depend on dalpha, and adds the sum over rows
 * to the right hand side. The corrector takes in the products of the predicted steps, which
 * Newton's equations neglect. */
static void add_right(void *context, const struct shard *shard)
{
    const struct terms *terms = context;
    struct interior_point *state = terms->state;
    const struct problem *problem = state->problem;

    for (uint32_t i = shard->first; i < shard->end; i++) {
        const struct sparse x = problem_row(problem, i);
        const double alpha = state->alpha[i], above = problem_upper(problem, i) - alpha;
        const double cross = terms->corrector ? state->dalpha[i] : 0;
        const double scale = loss_scale(problem->loss, problem_cost(problem, i));
        const double slack = problem_target(problem, i, problem->loss) - state->z[i];
        const double off =
            loss_gradient(problem->loss, scale, alpha, slack) - state->lambda[i] + state->nu[i];

        state->dlambda[i] =
            (terms->target - alpha * state->lambda[i] - cross * state->dlambda[i]) / alpha;
        state->dnu[i] = (terms->target + cross * state->dnu[i]) / above - state->nu[i];
        state->q[i] = state->dlambda[i] - state->dnu[i] - off;
        problem_add(problem, &x, problem->sign[i] * (state->inverse[i] * state->q[i] + alpha),
                    shard->vector);
    }
}

/* Adds to dalpha, dlambda and dnu what a part of dw changes of them; q, which does not depend on
 * dw, goes with the first part. */
static void add_row_steps(void *context, const struct shard *shard)
{
    const struct terms *terms = context;
    struct interior_point *state = terms->state;
    const struct problem *problem = state->problem;

    for (uint32_t i = shard->first; i < shard->end; i++) {
        const double dz = problem->sign[i] * problem_decision(problem, i, state->part);
        const double change = state->inverse[i] * (state->q[i] - dz);

        state->q[i] = 0;
        state->dalpha[i] += change;
        state->dlambda[i] -= state->lambda[i] * change / state->alpha[i];
        state->dnu[i] +=
            state->nu[i] * change / (problem_upper(state->problem, i) - state->alpha[i]);
    }
}

/* Solves the system for a part of dw, and adds it and the steps of the rows that go with it. */
static void add_part(struct interior_point *state, struct terms *terms, double tolerance)
{
    primal_system_solve(state->system, state->right, state->part, tolerance, 200);
    for (size_t j = 0; j < state->training->width; j++)
        state->dw[j] += state->part[j];
    sums_run(&state->training->shards, all_rows(state->problem), add_row_steps, terms, NULL, NULL);
    state->training->progress.row_visits += state->problem->rows;
}

/* Finds the step to alpha lambda = (C - alpha) nu = target. When the gap has stalled, a second
 * solution corrects what rounding has left of w = sum alpha_i y_i x_i: with rank-deficient rows and
 * a large C |x|^2 that is more than the gap. */
static void find_step(struct interior_point *state, double target, int corrector)
{
    const struct shards *shards = &state->training->shards;
    const struct selection all = all_rows(state->problem);
    const size_t width = state->training->width, penalised = problem_penalised(state->problem);
    struct terms terms = {state, 0, target, corrector};

    memset(state->right, 0, width * sizeof *state->right);
    for (size_t j = 0; j < penalised; j++)
        state->right[j] = -state->w[j];
    sums_run(shards, all, add_right, &terms, NULL, state->right);
    memset(state->dw, 0, width * sizeof *state->dw);
    memset(state->dalpha, 0, all.count * sizeof *state->dalpha);
    add_part(state, &terms, 1e-10);
    if (target > 0 && state->stalled > 0) {
        memset(state->right, 0, width * sizeof *state->right);
        for (size_t j = 0; j < penalised; j++)
            state->right[j] = -(state->w[j] + state->dw[j]);
        for (uint32_t i = 0; i < all.count; i++)
            state->settled[i] = state->alpha[i] + state->dalpha[i];
        sums_combine(shards, state->problem, all, state->settled, 1, state->right);
        add_part(state, &terms, 1e-4);
    }
}

/* Returns how much of the step everything stays positive for. */
static double longest(const struct interior_point *state)
{
    double t = 1e300;

    for (uint32_t i = 0; i < state->problem->rows; i++) {
        if (state->dalpha[i] < 0)
            t = fmin(t, -state->alpha[i] / state->dalpha[i]);
        if (state->dalpha[i] > 0)
            t = fmin(t, (problem_upper(state->problem, i) - state->alpha[i]) / state->dalpha[i]);
        if (state->dlambda[i] < 0)
            t = fmin(t, -state->lambda[i] / state->dlambda[i]);
        if (state->dnu[i] < 0)
            t = fmin(t, -state->nu[i] / state->dnu[i]);
    }
    return t;
}

static void step(void *context)
{
    enum { MOST_STALLED = 2 };
    struct interior_point *state = context;
    const struct selection all = all_rows(state->problem);
    struct row_weights *weights = primal_system_weights(state->system);
    double centring, t, mean;

    training_count_step(state->training);
    weights->count = 0;
    for (uint32_t i = 0; i < all.count; i++) {
        const double alpha = state->alpha[i], above = problem_upper(state->problem, i) - alpha;

        if (!(alpha > 0 && above > 0)) {
            state->mu = 0; /* alpha was rounded to a bound: met() ends the method */
            return;
        }
        state->inverse[i] = 1 / (state->lambda[i] / alpha + state->nu[i] / above);
        weights->row[weights->count] = i;
        weights->weight[weights->count] = state->inverse[i];
        weights->count += state->inverse[i] > 0;
    }
    primal_system_form(state->system, state->problem, &state->training->shards, 1, weights->count);
    find_step(state, 0, 0);
    centring = mean_after(state, fmin(1, longest(state))) / state->mu;
    if (state->stalled <= MOST_STALLED)
        find_step(state, centring * centring * centring * state->mu, 1);
    else
        find_step(state, 0.3 * state->mu, 0); /* the corrector can go round in circles */
    t = fmin(1, 0.99 * longest(state));
    mean = mean_after(state, t);
    if (!(mean > 0 && mean <= DBL_MAX)) {
        state->mu = 0; /* the step is not finite: met() ends the method */
        return;
    }
    for (size_t j = 0; j < state->training->width; j++)
        state->w[j] += t * state->dw[j];
    for (uint32_t i = 0; i < all.count; i++) {
        state->alpha[i] += t * state->dalpha[i];
        state->lambda[i] += t * state->dlambda[i];
        state->nu[i] += t * state->dnu[i];
    }
    sums_margins(&state->training->shards, state->problem, all, state->w, state->z);
    state->training->progress.row_visits += all.count;
    evaluate(state);
}

/* ---- Rules ------------------------------------------------------------- */

/* True if the rules hold for the settled dual point, which then is the training's. */
static int rules_hold(struct interior_point *state)
{
    struct training *training = state->training;
    const struct hinge_parameters *parameters = training->parameters;

    if (parameters->eps > 0) {
        if (!training_dual_rule(training, state->settled, state->w, state->q))
            return 0;
    } else {
        memcpy(training->alpha, state->settled, training->rows * sizeof *state->settled);
        training_measure(training);
    }
    return parameters->relative_gap <= 0 ||
           training->progress.relative_gap <= parameters->relative_gap;
}

/* True if the rules hold with the rows at a bound that a multiplier holds there, so that they count
 * as no, or as bounded, support vectors; or else as the iterate is. */
static int either_holds(struct interior_point *state)
{
    for (uint32_t i = 0; i < state->problem->rows; i++) {
        const double alpha = state->alpha[i], most = problem_upper(state->problem, i);
        const double share = alpha / most;

        state->settled[i] = alpha;
        if (share < 0.1 * state->lambda[i] && share < 0.1)
            state->settled[i] = 0;
        else if (1 - share < 0.1 * state->nu[i] && share > 0.9)
            state->settled[i] = most;
    }
    bias_balance(state->problem, state->settled);
    if (rules_hold(state))
        return 1;
    balance(state);
    return rules_hold(state);
}

static enum verdict met(void *context)
{
    enum { MOST_IDLE = 20 };
    struct interior_point *state = context;
    struct training *training = state->training;
    struct point best = {.w = state->right, .alpha = state->dalpha};
    const double gap = training->parameters->relative_gap;

    if (gap <= 0 || state->gap <= gap) {
        training_hold(training, &best);
        if (either_holds(state))
            return MET;
        training_put_back(training, &best);
    }
    return state->idle > MOST_IDLE || !(state->mu > DBL_MIN && state->mu <= DBL_MAX) ? STALLED
                                                                                     : GOES_ON;
}

const struct method interior_point = {
    .name = "ipm",
    .size = sizeof(struct interior_point),
    .lay_out = lay_out,
    .begin = begin,
    .step = step,
    .met = met,
};
