/* interior_point.c - alpha lambda = (U - alpha) nu = mu -> 0, a primal-dual method for losses whose
 * conjugate is linear or quadratic.
 *
 * The optimality conditions of the dual, with multipliers lambda >= 0 of alpha >= 0 and nu >= 0 of
 * alpha <= U, if there is such a bound, z_i = y_i <w, x_i>, and g = z - t + d alpha the gradient of
 * the dual, d being 0 or 1/(2C):
 *
 *     v = sum alpha_i y_i x_i,   g - lambda + nu = 0,   alpha lambda = 0,   (U - alpha) nu = 0,
 *
 * and those between v and w of interior_features.h, v = w without an l1 term. Newton's method on
 * them, the zeros replaced by a falling mu (Mehrotra's predictor and corrector, SIAM J. Optim.
 * 1992). With Theta = lambda/alpha + nu/(U - alpha) + d, the steps of all but w are eliminated
 * (Ferris and Munson, SIAM J. Optim. 2002):
 *
 *     (R + X' Theta^-1 X) dw = R rest - (v - X'Y alpha) + X'Y Theta^-1 q,
 *     dalpha = Theta^-1 (q - dz),   R = unit^-2, and without an l1 term I.
 *
 * A full step satisfies the linear equations; a part of it leaves the same part of the error. With
 * a free bias there is one more, sum alpha_i y_i = 0: the last row, where R and v have a 0.
 */
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/elementary.h"
#include "base/status.h"
#include "problem/bias.h"
#include "solver/linear/primal_system.h"
#include "solver/loop/method.h"
#include "solver/sparse/interior_features.h"

static const double START_MU = 0.125, LEAST_MU = 1e-9; /* times C: where it starts at a given w */

struct interior_point {
    struct training *training;
    const struct problem *problem;
    struct primal_system *system;
    struct interior_features features;
    double *alpha; /* [rows], as those below */
    double *lambda;
    double *nu;
    double *z;       /* y_i <w, x_i> */
    double *inverse; /* 1/Theta */
    double *q;       /* Theta dalpha + dz, what is left of it */
    double *dalpha;
    double *dlambda;
    double *dnu;
    double *settled; /* the dual point that alpha stands for; within a step alpha + dalpha */
    double *right;   /* [width] right hand side, */
    double *part;    /* [width] and the part of dw that solves for it */
    double *v;       /* [width] sum alpha_i y_i x_i, for the training */
    double gap;      /* relative, of w and alpha; with an l1 term or the best alpha, if less */
    double mu;       /* mean of the products */
    double least;    /* that, not lowered by less than a tenth */
    double best;     /* lowest gap so far; with an l1 term, where P begins anywhere, that is not
                        relative to it, and not lowered by less than a tenth */
    unsigned stall;  /* steps since it last fell by a tenth, */
    unsigned idle;   /* and since it or a mu too large for the gap did */
};

/* What the sums over rows below are of. */
struct terms {
    struct interior_point *state;
    double part;   /* of the step */
    double target; /* of the products alpha lambda and (U - alpha) nu */
    int corrector;
};

/* Whether alpha has an upper bound; else nu is 0. */
static int has_upper(const struct interior_point *state)
{
    return !loss_is_squared(state->problem->loss);
}

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
        if (has_upper(state))
            sum += (problem_upper(state->problem, i) - moved) * (state->nu[i] + t * state->dnu[i]);
    }
    shard->scalars[0] += sum;
}

static double count_products(const struct interior_point *state)
{
    const double rows = fmax(state->problem->rows, 1);

    return (has_upper(state) ? 2 * rows : rows) + interior_features_count(&state->features);
}

/* The mean of all products after a part of the step. */
static double mean_after(struct interior_point *state, double part)
{
    struct terms terms = {state, part, 0, 0};
    double scalars[MOST_SCALARS];

    sums_run(&state->training->shards, all_rows(state->problem), add_products, &terms, scalars,
             NULL);
    return (scalars[0] + interior_features_products(&state->features, part)) /
           count_products(state);
}

/* The dual point of the iterate: alpha itself, unless a free bias wants sum alpha_i y_i = 0, which
 * the steps bring about only in the end. */
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

/* P, D and the gap of the iterate; the training gets what is the best so far. */
static void evaluate(struct interior_point *state)
{
    struct training *training = state->training;
    double rows[MOST_SCALARS], primal, dual, off, left;

    balance(state);
    training_form_feasible(training, state->settled, state->v);
    sums_run(&training->shards, all_rows(state->problem), add_objective, state, rows, NULL);
    interior_features_evaluate(&state->features, state->v, &primal, &dual, &off);
    primal += rows[0];
    training_keep_primal(training, state->features.w, primal);
    if (training_keeps_dual(training, dual + rows[1]))
        memcpy(training->point.alpha, state->settled, state->problem->rows * sizeof *state->alpha);
    state->gap = (rows[2] + off) / problem_scale(state->problem, primal);
    if (state->features.is_l1)
        state->gap = fmin(state->gap,
                          (primal + training->point.dual) / problem_scale(state->problem, primal));
    state->mu = mean_after(state, 0);
    left = state->features.is_l1 ? rows[2] + off : state->gap;
    state->stall = left < 0.9 * state->best ? 0 : state->stall + 1;
    if (!state->features.is_l1 || state->stall == 0)
        state->best = fmin(state->best, left);
    state->idle = state->stall > 0 ? state->idle + 1 : 0;
    if (state->mu * count_products(state) > certified_gap(training->parameters) * primal &&
        gap_falls(state->mu, &state->least))
        state->idle = 0; /* v apart from w may hide yet what else the gap falls by */
}

/* ---- Setting up -------------------------------------------------------- */

static void lay_out(void *context, struct arena *arena, const struct training *training)
{
    struct interior_point *to = context;
    double **of_rows[] = {&to->alpha, &to->lambda, &to->nu,      &to->z,   &to->inverse,
                          &to->q,     &to->dalpha, &to->dlambda, &to->dnu, &to->settled};

    for (size_t k = 0; k < sizeof of_rows / sizeof *of_rows; k++)
        *of_rows[k] = arena_take(arena, training->rows, sizeof(double));
    to->right = arena_take(arena, training->width, sizeof *to->right);
    to->part = arena_take(arena, training->width, sizeof *to->part);
    to->v = arena_take(arena, training->width, sizeof *to->v);
    interior_features_lay_out(&to->features, arena, training->problem);
}

/* At a w that is given: each row solves its own equations with alpha lambda = (U - alpha) nu = mu,
 * and only that which ties w and alpha is left to the steps. mu is at most what P has of a row: the
 * gap that it stands for is not to be far above P. */
static void start_at(struct interior_point *state, const double *w)
{
    const struct problem *problem = state->problem;
    double largest = 0, mu;

    for (uint32_t i = 0; i < problem->rows; i++)
        largest = fmax(largest, problem_upper(state->problem, i));
    mu = objective_primal(&state->training->shards, problem, w).primal / problem->rows;
    mu = clamp(mu, LEAST_MU * largest, START_MU * largest);
    memcpy(state->features.w, w, state->training->width * sizeof *w);
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

/* In the middle of the box, w = 0: far from the equation that ties the two, which the steps bring
 * about, and well away from all bounds, which they need. */
static void start_inside(struct interior_point *state)
{
    for (uint32_t i = 0; i < state->problem->rows; i++) {
        state->alpha[i] = problem_upper(state->problem, i) / 2;
        state->lambda[i] = 1;
        state->nu[i] = 2;
    }
}

/* The same where alpha has no such bound, and w an l1 term: both are of the size that the lowest P
 * so far allows them, sum alpha_i and |w|_1 being at most about that. */
static void start_at_size(struct interior_point *state)
{
    const struct problem *problem = state->problem;
    const double primal = fmin(state->training->point.primal, objective_at_zero(problem));

    for (uint32_t i = 0; i < problem->rows; i++) {
        state->alpha[i] = primal / problem->rows;
        state->lambda[i] = 1;
        state->nu[i] = 0;
    }
    interior_features_begin(&state->features, primal);
}

static enum hinge_status begin(void *context, struct training *training, struct hinge_error *error)
{
    struct interior_point *state = context;

    if (!(state->system = training_system(training, error)))
        return failure(error);
    state->training = training;
    state->problem = training->problem;
    training->point.v = state->v;
    if (state->features.is_l1)
        start_at_size(state);
    else if (training->start)
        start_at(state, training->start);
    else
        start_inside(state);
    training->start = NULL;
    state->best = state->least = HUGE_VAL;
    evaluate(state);
    return HINGE_OK;
}

/* ---- A step ------------------------------------------------------------ */

/* The parts of dlambda and dnu that do not depend on dalpha; q; and the right hand side, but for w.
 * The corrector takes in the products of the steps as the predictor left them, which Newton's
 * equations neglect. */
static void add_right(void *context, const struct shard *shard)
{
    const struct terms *terms = context;
    struct interior_point *state = terms->state;
    const struct problem *problem = state->problem;

    for (uint32_t i = shard->first; i < shard->end; i++) {
        const struct sparse x = problem_row(problem, i);
        const double alpha = state->alpha[i], above = problem_upper(state->problem, i) - alpha;
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

/* What a part of dw adds to dalpha, dlambda and dnu; the first one has what does not depend on it,
 * too. */
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

/* Solves for a part of dw, and takes it in. */
static void add_part(struct interior_point *state, struct terms *terms, double tolerance)
{
    primal_system_solve(state->system, state->right, state->part, tolerance, 200);
    for (size_t j = 0; j < state->training->width; j++)
        state->features.dw[j] += state->part[j];
    sums_run(&state->training->shards, all_rows(state->problem), add_row_steps, terms, NULL, NULL);
    state->training->progress.row_visits += state->problem->rows;
}

/* The step to products alpha lambda = (U - alpha) nu = target. Where progress has stalled - an l1
 * term's first stalls are none - what rounding errors have left of the equation between v and alpha
 * is solved for, too: rank-deficient rows at large C |x|^2 leave more than the gap. */
static void find_step(struct interior_point *state, double target, int corrector)
{
    const unsigned patience = state->features.is_l1 ? 1 : 0;
    const struct shards *shards = &state->training->shards;
    const struct selection all = all_rows(state->problem);
    const size_t width = state->training->width;
    struct terms terms = {state, 0, target, corrector};

    memset(state->right, 0, width * sizeof *state->right);
    interior_features_add_right(&state->features, target, corrector, state->right);
    sums_run(shards, all, add_right, &terms, NULL, state->right);
    memset(state->features.dw, 0, width * sizeof *state->features.dw);
    memset(state->dalpha, 0, all.count * sizeof *state->dalpha);
    add_part(state, &terms, 1e-10);
    if (target > 0 && state->stall > patience) {
        memset(state->right, 0, width * sizeof *state->right);
        interior_features_take_moved(&state->features, state->right);
        for (uint32_t i = 0; i < all.count; i++)
            state->settled[i] = state->alpha[i] + state->dalpha[i];
        sums_combine(shards, state->problem, all, state->settled, 1, state->right);
        add_part(state, &terms, 1e-4);
    }
    interior_features_find_steps(&state->features);
}

/* How much of the step everything stays positive for. */
static double longest(const struct interior_point *state)
{
    double t = interior_features_longest(&state->features);

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
    if (!interior_features_weigh(&state->features)) {
        state->mu = 0; /* this is the end, as below */
        return;
    }
    weights->count = 0;
    for (uint32_t i = 0; i < all.count; i++) {
        const double alpha = state->alpha[i], above = problem_upper(state->problem, i) - alpha;

        if (!(alpha > 0 && above > 0)) {
            state->mu = 0; /* alpha was rounded to a bound: this is the end */
            return;
        }
        state->inverse[i] = 1 / (state->lambda[i] / alpha + state->nu[i] / above +
                                 problem_dual_curvature(state->problem, i));
        weights->row[weights->count] = i;
        weights->weight[weights->count] = state->inverse[i];
        weights->count += state->inverse[i] > 0;
    }
    primal_system_form(state->system, state->problem, &state->training->shards, 1, weights->count);
    primal_system_set_units(state->system, state->features.unit);
    find_step(state, 0, 0);
    centring = mean_after(state, fmin(1, longest(state))) / state->mu;
    if (state->stall <= MOST_STALLED)
        find_step(state, centring * centring * centring * state->mu, 1);
    else
        find_step(state, 0.3 * state->mu, 0); /* the corrector can go in circles */
    t = fmin(1, 0.99 * longest(state));
    mean = mean_after(state, t);
    if (!(mean > 0 && mean <= DBL_MAX)) {
        state->mu = 0; /* a step of no numbers: this is the end */
        return;
    }
    interior_features_move(&state->features, t);
    for (uint32_t i = 0; i < all.count; i++) {
        state->alpha[i] += t * state->dalpha[i];
        state->lambda[i] += t * state->dlambda[i];
        state->nu[i] += t * state->dnu[i];
    }
    sums_margins(&state->training->shards, state->problem, all, state->features.w, state->z);
    state->training->progress.row_visits += all.count;
    evaluate(state);
}

/* ---- Rules ------------------------------------------------------------- */

/* Rows that a multiplier holds at a bound are put there, so that they count as no, or as bounded,
 * support vectors. */
static void settle(struct interior_point *state)
{
    for (uint32_t i = 0; i < state->problem->rows; i++) {
        const double alpha = state->alpha[i], most = problem_upper(state->problem, i);
        const double share =
            has_upper(state) ? alpha / most : alpha * problem_dual_curvature(state->problem, i);

        state->settled[i] = alpha;
        if (share < 0.1 * state->lambda[i] && share < 0.1)
            state->settled[i] = 0;
        else if (has_upper(state) && 1 - share < 0.1 * state->nu[i] && share > 0.9)
            state->settled[i] = most;
    }
    bias_balance(state->problem, state->settled);
}

/* With an l1 term: whether the gap is met with what is settled, or if it is late with the best dual
 * point there was. */
static int settled_gap_is_met(struct interior_point *state, const double *best, int is_late)
{
    const double *const points[] = {state->settled, best};

    settle(state);
    training_form_feasible(state->training, state->settled, state->v);
    return interior_features_gap_is_met(&state->features, state->training, points, is_late ? 2 : 1,
                                        is_late);
}

/* Whether the rules hold for the dual point, which then is the training's. */
static int rules_hold(struct interior_point *state)
{
    struct training *training = state->training;
    const struct hinge_parameters *parameters = training->parameters;

    if (parameters->eps > 0) {
        if (!training_dual_rule(training, state->settled, state->features.w, state->q))
            return 0;
    } else {
        memcpy(training->point.alpha, state->settled, training->rows * sizeof *state->settled);
        training_measure(training);
    }
    return parameters->relative_gap <= 0 ||
           training->progress.relative_gap <= parameters->relative_gap;
}

/* The same of what is settled, or else of the iterate. */
static int either_holds(struct interior_point *state)
{
    settle(state);
    if (rules_hold(state))
        return 1;
    balance(state);
    return rules_hold(state);
}

static enum verdict met(void *context)
{
    enum { PATIENCE = 3, MOST_IDLE = 20 };
    struct interior_point *state = context;
    struct training *training = state->training;
    struct point best = {.w = state->right, .alpha = state->dalpha};
    const double gap = training->parameters->relative_gap;
    const int is_over = !(state->mu > DBL_MIN && state->mu <= DBL_MAX);
    const int is_late = state->stall >= PATIENCE || is_over;

    if (gap <= 0 || state->gap <= gap) {
        training_hold(training, &best);
        if (state->features.is_l1 ? settled_gap_is_met(state, best.alpha, is_late)
                                  : either_holds(state))
            return MET;
        training_put_back(training, &best);
    }
    return state->idle > MOST_IDLE || is_over ? STALLED : GOES_ON;
}

const struct method interior_point = {
    .name = "ipm",
    .size = sizeof(struct interior_point),
    .lay_out = lay_out,
    .begin = begin,
    .step = step,
    .met = met,
};
