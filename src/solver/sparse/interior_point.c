/* interior_point.c - alpha lambda = (U - alpha) nu = mu -> 0, a primal-dual method.
 *
 * Let lambda >= 0 be the multipliers for alpha >= 0, nu >= 0 those for alpha <= U if there is such
 * a bound, z_i = y_i <w, x_i>, and g the gradient of the dual with the derivative d: z - t for the
 * hinge (d = 0), z - t + d alpha for its square (d = 1/(2C)), and z + ln(alpha/(C - alpha)) for the
 * logistic loss (d = C/(alpha (C - alpha))). The optimality conditions of the dual are
 *
 *     v = sum alpha_i y_i x_i,   g - lambda + nu = 0,   alpha lambda = 0,   (U - alpha) nu = 0,
 *
 * and the conditions between v and w in interior_features.h (v = w without an l1 term). The method
 * is Newton's on these equations with a falling mu instead of the zeros (Mehrotra's predictor and
 * corrector, SIAM J. Optim. 1992). With Theta = lambda/alpha + nu/(U - alpha) + d, all steps except
 * dw are eliminated (Ferris and Munson, SIAM J. Optim. 2002):
 *
 *     (R + X' Theta^-1 X) dw = R rest - (v - X'Y alpha) + X'Y Theta^-1 q,
 *     dalpha = Theta^-1 (q - dz),   R = unit^-2, or I without an l1 term.
 *
 * A full step satisfies the linear equations; a step of length t leaves 1 - t of the error. A free
 * bias adds the equation sum alpha_i y_i = 0 as the last row, where R and v are 0.
 *
 * At the minimum for the logistic loss, no alpha_i is at a bound. The multipliers keep the steps
 * away from bounds, where ln(alpha/(C - alpha)) is far from linear. (grants, -s 6 -c 65536: steps
 * without them end at a gap of 0.05.)
 *
 * On badly scaled data (see qr.h) a factor may lose R. Then dw is the solution of the least squares
 * problem min over dw of |R^1/2 dw|^2 - 2 <R rest - v, dw> + |Theta^-1/2 (dz - q - Theta alpha)|^2.
 * (252 rows of 751 features of scales 1e-37 to 1e10, -s 5: gaps of 0.04 to 0.8 without it.)
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

struct interior_point {
    struct training *training;
    const struct problem *problem;
    struct primal_system *system;
    struct interior_features features;
    double *alpha;   /* [rows] */
    double *lambda;  /* [rows] */
    double *nu;      /* [rows] 0 without an upper bound */
    double *z;       /* [rows] y_i <w, x_i> */
    double *inverse; /* [rows] 1/Theta */
    double *q;       /* [rows] part of Theta dalpha + dz that is not in dalpha yet */
    double *dalpha;  /* [rows] */
    double *dlambda; /* [rows] */
    double *dnu;     /* [rows] */
    double *settled; /* [rows] the feasible dual point of alpha; room within a step */
    double *right;   /* [width] right hand side */
    double *part;    /* [width] part of dw: the solution for the right hand side */
    double *v;       /* [width] sum alpha_i y_i x_i, for the training */
    double gap;     /* relative gap of w and alpha; with an l1 term, that of w and the best alpha if
                       it is smaller */
    double mu;      /* mean of the products */
    double least;   /* lowest mu so far, up to a tenth */
    double best;    /* lowest gap so far; with an l1 term, the lowest absolute gap, up to a tenth,
                       because the first P is arbitrary */
    int has_qr;     /* steps are least squares problems, because rounding has spoilt them */
    unsigned stall; /* steps since best last fell by a tenth */
    unsigned idle;  /* steps since best, or a mu too large for the gap, fell by a tenth */
};

/* Context of the sums over rows. */
struct terms {
    struct interior_point *state;
    double part;   /* length of the step */
    double target; /* target of the products alpha lambda and (U - alpha) nu */
    int corrector;
};

/* True if alpha has an upper bound; otherwise nu is 0. */
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

/* Returns the mean of all products after a part of the step. */
static double mean_after(struct interior_point *state, double part)
{
    struct terms terms = {state, part, 0, 0};
    double scalars[MOST_SCALARS];

    sums_run(&state->training->shards, all_rows(state->problem), add_products, &terms, scalars,
             NULL);
    return (scalars[0] + interior_features_products(&state->features, part)) /
           count_products(state);
}

/* Sets settled to the dual point of the iterate. That is alpha, balanced for a free bias, because
 * the steps reach sum alpha_i y_i = 0 only in the end. */
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

/* Computes P, D and the gap of the iterate, and hands the best points to the training. */
static void evaluate(struct interior_point *state)
{
    struct training *training = state->training;
    const double enough = certified_gap(training->parameters) * training->point.primal;
    const struct problem *problem = state->problem;
    const size_t penalised = problem_penalised(problem);
    const double l1 = problem->l1, l2 = problem_l2(problem), *w = state->features.w;
    double rows[MOST_SCALARS], primal, dual, gap, left, excess = 1;

    balance(state);
    state->mu = mean_after(state, 0);
    if (state->features.is_l1 && primal_system_has_qr(state->system) &&
        state->mu * count_products(state) <= enough)
        excess = interior_features_mend(&state->features, training, state->system, state->settled,
                                        state->v);
    else
        training_form_feasible(training, state->settled, state->v);
    sums_run(&training->shards, all_rows(state->problem), add_objective, state, rows, NULL);
    primal = regulariser_values(l1, l2, w, penalised) + rows[0];
    dual = regulariser_conjugates(l1, l2, state->v, penalised) + rows[1];
    gap = regulariser_gaps(l1, l2, w, state->v, penalised) + rows[2];
    training_keep_primal(training, w, primal);
    if (training_keeps_dual(training, dual / excess))
        memcpy(training->point.alpha, state->settled, state->problem->rows * sizeof *state->alpha);
    state->gap = gap / problem_scale(problem, primal);
    if (state->features.is_l1)
        state->gap =
            fmin(state->gap, (primal + training->point.dual) / problem_scale(problem, primal));
    left = state->features.is_l1 ? gap : state->gap;
    state->stall = left < 0.9 * state->best ? 0 : state->stall + 1;
    if (!state->features.is_l1 || state->stall == 0)
        state->best = fmin(state->best, left);
    state->idle = state->stall > 0 ? state->idle + 1 : 0;
    if (state->mu * count_products(state) > certified_gap(training->parameters) * primal &&
        gap_falls(state->mu, &state->least))
        state->idle = 0; /* while v differs from w, a falling mu may not show in the gap */
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

/* Starts with an l1 term. For a squared loss, sum alpha_i and |w|_1 are at most about the lowest P
 * so far, so alpha, plus and minus get that size. */
static void start_at_size(struct interior_point *state)
{
    const struct problem *problem = state->problem;
    const double primal = fmin(state->training->point.primal, state->training->primal_at_zero);

    for (uint32_t i = 0; i < problem->rows; i++) {
        state->alpha[i] = fmin(primal / problem->rows, problem_upper(problem, i) / 2);
        state->lambda[i] = 1;
        state->nu[i] = has_upper(state) ? 1 : 0;
        state->z[i] = 0;
    }
    interior_features_begin(&state->features, primal);
}

/* Without an l1 term, starts at a given w, or else in the middle of the box with w = 0. The middle
 * is far from the equation between w and alpha, which the steps solve, and well away from all
 * bounds, as the steps need. At a given w, each row solves its own equations with
 * alpha lambda = (U - alpha) nu = mu. There mu is at most P per row, so that the gap of the start
 * is not far above P. */
static enum hinge_status begin(void *context, struct training *training, struct hinge_error *error)
{
    static const double START_MU = 0.125, LEAST_MU = 1e-9; /* bounds of mu/C at a given w */
    struct interior_point *state = context;
    const struct problem *problem = training->problem;
    const double *w = training->start;
    double largest = 0, mu;

    if (!(state->system = training_system(training, error)))
        return failure(error);
    state->training = training;
    state->problem = problem;
    training->point.v = state->v;
    training->start = NULL;
    if (state->features.is_l1) {
        start_at_size(state);
    } else if (w) {
        for (uint32_t i = 0; i < problem->rows; i++)
            largest = fmax(largest, problem_upper(problem, i));
        mu = objective_primal(&training->shards, problem, w).primal / problem->rows;
        mu = clamp(mu, LEAST_MU * largest, START_MU * largest);
        memcpy(state->features.w, w, training->width * sizeof *w);
        sums_margins(&training->shards, problem, all_rows(problem), w, state->z);
        for (uint32_t i = 0; i < problem->rows; i++) {
            const double slack = problem_target(problem, i, problem->loss) - state->z[i];
            const double most = problem_upper(problem, i), pull = slack * most / mu;
            const double root = sqrt(pull * pull + 4);

            state->alpha[i] = most * 2 / (2 - pull + root);
            state->lambda[i] = mu / most * (2 - pull + root) / 2;
            state->nu[i] = mu / most * (2 + pull + root) / 2;
        }
    } else {
        for (uint32_t i = 0; i < problem->rows; i++) {
            state->alpha[i] = problem_upper(problem, i) / 2;
            state->lambda[i] = 1;
            state->nu[i] = 2;
        }
    }
    state->best = state->least = HUGE_VAL;
    evaluate(state);
    return HINGE_OK;
}

/* ---- A step ------------------------------------------------------------ */

/* Finds q, the parts of dlambda and dnu that do not depend on dalpha, and the rows' part of the
 * right hand side. The corrector includes the products of the predictor's steps, which Newton's
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

/* Adds the effect of a part of dw to dalpha, dlambda and dnu; the first part also adds the terms
 * that do not depend on dw. */
static void add_row_steps(void *context, const struct shard *shard)
{
    struct interior_point *state = context;
    const struct problem *problem = state->problem;

    for (uint32_t i = shard->first; i < shard->end; i++) {
        const double dz = problem->sign[i] * problem_decision(problem, i, state->part);
        const double change = state->inverse[i] * (state->q[i] - dz);

        state->q[i] = 0;
        state->dalpha[i] += change;
        state->dlambda[i] -= state->lambda[i] * change / state->alpha[i];
        state->dnu[i] += state->nu[i] * change / (problem_upper(problem, i) - state->alpha[i]);
    }
}

/* Solves the system for a part of dw, and adds it and the steps of the rows that go with it. */
static void add_part(struct interior_point *state, double tolerance)
{
    primal_system_solve(state->system, state->right, state->part, tolerance, 200);
    for (size_t j = 0; j < state->training->width; j++)
        state->features.dw[j] += state->part[j];
    sums_run(&state->training->shards, all_rows(state->problem), add_row_steps, state, NULL, NULL);
    state->training->progress.row_visits += state->problem->rows;
}

/* Finds the step to products alpha lambda = (U - alpha) nu = target. While steps win, a solution
 * without a factor is rough, because conjugate gradients would end at their limit. (67,000 phrases,
 * -s 3 -c 4096: 22 s instead of 31 s.) If progress has stalled, also solves for the residual of the
 * equation between v and alpha, which rounding errors leave: with rank-deficient rows and a large C
 * |x|^2 it exceeds the gap. With an l1 term, the first stall does not count. A least squares
 * problem takes what the features add to the right hand side as its centre, and leaves no such
 * residual. */
static void find_step(struct interior_point *state, double target, int corrector)
{
    const unsigned patience = state->features.is_l1 ? 1 : 0;
    const struct shards *shards = &state->training->shards;
    const struct problem *problem = state->problem;
    const double tolerance = primal_has_factor(problem) || state->idle > 0 ? 1e-10 : 1e-2;
    const struct selection all = all_rows(problem);
    const size_t width = state->training->width;
    struct terms terms = {state, 0, target, corrector};

    memset(state->right, 0, width * sizeof *state->right);
    interior_features_add_right(&state->features, target, corrector, state->right);
    memcpy(state->part, state->right, width * sizeof *state->part);
    sums_run(shards, all, add_right, &terms, NULL, state->right);
    memset(state->features.dw, 0, width * sizeof *state->features.dw);
    memset(state->dalpha, 0, all.count * sizeof *state->dalpha);
    if (state->has_qr) {
        const struct row_weights *weights = primal_system_weights(state->system);

        for (uint32_t s = 0; s < weights->count; s++) {
            const uint32_t i = weights->row[s];

            state->settled[s] = state->q[i] + state->alpha[i] / weights->weight[s];
        }
        primal_system_fit(state->system, problem, shards, 1, state->part, state->settled,
                          state->features.dw);
        memcpy(state->part, state->features.dw, width * sizeof *state->part);
        sums_run(shards, all, add_row_steps, state, NULL, NULL);
    } else {
        add_part(state, tolerance);
        if (target > 0 && state->stall > patience) {
            memset(state->right, 0, width * sizeof *state->right);
            interior_features_take_moved(&state->features, state->right);
            for (uint32_t i = 0; i < all.count; i++)
                state->settled[i] = state->alpha[i] + state->dalpha[i];
            sums_combine(shards, problem, all, state->settled, 1, state->right);
            add_part(state, 1e-4);
        }
    }
    interior_features_find_steps(&state->features);
}

/* Returns the largest part of the step after which everything is positive. */
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

/* Takes a step. Steps that rounding has spoilt become least squares problems. The spoilt ones may
 * have lowered mu far from the equation between v and alpha, so weights with an l1 term start
 * again. */
static void step(void *context)
{
    enum { MOST_IDLE = 2 };
    struct interior_point *state = context;
    const struct problem *problem = state->problem;
    const struct selection all = all_rows(problem);
    struct row_weights *weights = primal_system_weights(state->system);
    double centring, t, mean;

    training_count_step(state->training);
    if (state->idle > MOST_IDLE && !state->has_qr && primal_system_has_qr(state->system)) {
        state->has_qr = 1;
        state->idle = state->stall = 0;
        state->best = state->least = HUGE_VAL;
        if (state->features.is_l1) {
            start_at_size(state);
            evaluate(state);
        }
    }
    if (!interior_features_weigh(&state->features)) {
        state->mu = 0; /* v or a multiplier was rounded to a bound: met ends the method */
        return;
    }
    weights->count = 0;
    for (uint32_t i = 0; i < all.count; i++) {
        const double alpha = state->alpha[i], upper = problem_upper(problem, i);
        const double above = upper - alpha;

        if (!(alpha > 0 && above > 0)) {
            state->mu = 0; /* alpha was rounded to a bound: met ends the method */
            return;
        }
        state->inverse[i] =
            1 / (state->lambda[i] / alpha + state->nu[i] / above +
                 (loss_is_curved(problem->loss) ? upper / alpha / above
                                                : problem_dual_curvature(problem, i)));
        weights->row[weights->count] = i;
        weights->weight[weights->count] = state->inverse[i];
        weights->count += state->inverse[i] > 0;
    }
    primal_system_form(state->system, problem, &state->training->shards, 1, weights->count, NULL);
    primal_system_set_units(state->system, state->features.unit);
    find_step(state, 0, 0);
    centring = mean_after(state, fmin(1, longest(state))) / state->mu;
    if (state->idle <= MOST_IDLE)
        find_step(state, centring * centring * centring * state->mu, 1);
    else
        find_step(state, 0.3 * state->mu, 0); /* steps with the corrector can cycle */
    t = fmin(1, 0.99 * longest(state));
    mean = mean_after(state, t);
    if (!(mean > 0 && mean <= DBL_MAX)) {
        state->mu = 0; /* the step is not finite: met ends the method */
        return;
    }
    interior_features_move(&state->features, t);
    for (uint32_t i = 0; i < all.count; i++) {
        state->alpha[i] += t * state->dalpha[i];
        state->lambda[i] += t * state->dlambda[i];
        state->nu[i] += t * state->dnu[i];
    }
    sums_margins(&state->training->shards, problem, all, state->features.w, state->z);
    state->training->progress.row_visits += all.count;
    evaluate(state);
}

/* ---- Rules ------------------------------------------------------------- */

/* Sets settled to alpha, but sets rows that a multiplier holds at a bound to that bound. They then
 * count as no support vectors, or as bounded ones. For a curved loss, no alpha_i of a solution is
 * at a bound. */
static void settle(struct interior_point *state)
{
    for (uint32_t i = 0; i < state->problem->rows; i++) {
        const double alpha = state->alpha[i], most = problem_upper(state->problem, i);
        const double share =
            has_upper(state) ? alpha / most : alpha * problem_dual_curvature(state->problem, i);

        state->settled[i] = alpha;
        if (loss_is_curved(state->problem->loss))
            continue;
        if (share < 0.1 * state->lambda[i] && share < 0.1)
            state->settled[i] = 0;
        else if (has_upper(state) && 1 - share < 0.1 * state->nu[i] && share > 0.9)
            state->settled[i] = most;
    }
    bias_balance(state->problem, state->settled);
}

/* True if the rules hold for the settled dual point, which becomes the training's. */
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

/* Makes alpha the training's, although its D is not the lowest: v stays away from
 * sum alpha_i y_i x_i without a factor, so that D is poor where alpha is good. Passes improve D in
 * a fraction of a step's time. The best point is kept beside. */
static void leave_to_passes(struct interior_point *state)
{
    struct training *training = state->training;

    training_measure(training);
    training_keep_best(training);
    training_keep_best_dual(training);
    settle(state);
    memcpy(training->point.alpha, state->settled, training->rows * sizeof *state->settled);
    training_moved(training);
}

/* Judges the point. With an l1 term, the gap must be met by the settled weights and the settled
 * dual point, or by the best dual point so far, which is tried if it is late, or if settling may
 * take what was mended. Otherwise the rules must hold for the settled point or for the iterate
 * itself. Without a factor, the method ends soon after mu is small enough. (67,000 phrases, C =
 * 4096: with -s 3 all takes 22 s instead of 44 s, with -s 13 43 s instead of 92 s.) */
static enum verdict met(void *context)
{
    enum { PATIENCE = 3, MOST_IDLE = 20, FEW_IDLE = 4 };
    struct interior_point *state = context;
    struct training *training = state->training;
    struct point best = {.w = state->right, .alpha = state->dalpha};
    const double *const points[] = {state->settled, best.alpha};
    const double gap = training->parameters->relative_gap;
    const double enough = certified_gap(training->parameters) * training->point.primal;
    const int has_factor = primal_has_factor(state->problem);
    const int is_near = state->mu * count_products(state) <= enough;
    const unsigned most_idle = is_near && !has_factor ? FEW_IDLE : MOST_IDLE;
    const int is_over = !(state->mu > DBL_MIN && state->mu <= DBL_MAX);
    const int is_late = state->stall >= PATIENCE || is_over;
    int is_met;

    if (gap <= 0 || state->gap <= gap) {
        training_hold(training, &best);
        settle(state);
        if (state->features.is_l1) {
            training_form_feasible(training, state->settled, state->v);
            is_met = interior_features_gap_is_met(
                &state->features, training, points,
                is_late || primal_system_has_qr(state->system) ? 2 : 1, is_late);
        } else if (!(is_met = rules_hold(state))) {
            balance(state);
            is_met = rules_hold(state);
        }
        if (is_met)
            return MET;
        training_put_back(training, &best);
    }
    if (state->idle <= most_idle && !is_over)
        return GOES_ON;
    if (!has_factor && !is_over)
        leave_to_passes(state);
    return STALLED;
}

const struct method interior_point = {
    .name = "ipm",
    .size = sizeof(struct interior_point),
    .lay_out = lay_out,
    .begin = begin,
    .step = step,
    .met = met,
};
