/* proximal_newton_step.c - the model at w, and how much of the way to its minimum to go. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/elementary.h"
#include "solver/linear/line_search.h"
#include "solver/sparse/proximal_newton.h"

/* A row's second derivative in the matrix is brought up to date where it has changed by more than
 * this part, */
static const double STALE = 0.2;

/* and, where there is no matrix, left out where it is this part of the largest it can be. */
static const double FLAT = 1e-7;

/* The entry of w that goes with one of the model. */
static size_t feature_of(const struct proximal_newton *state, size_t j)
{
    return state->by_columns ? state->set.member[j] : j;
}

/* ---- The model ---------------------------------------------------------- */

/* Brings the matrix up to date, by the rows whose second derivatives are not those in it any more.
 */
static void form_matrix(struct proximal_newton *state)
{
    const size_t order = state->lasso->order;
    const struct shards one = {.rows = state->rows, .count = 1, .length = order * order};
    double *matrix = state->column_cache->matrix, *weight = state->column_cache->weight;
    uint32_t count = 0;

    for (uint32_t i = 0; i < state->rows; i++) {
        const double difference = state->curvature[i] - weight[i];

        state->changed[count] = i;
        state->difference[count] = difference;
        count += (uint32_t) !(fabs(difference) <= STALE * weight[i]);
    }
    sums_outer(&one, state->problem, (struct selection){state->changed, count}, state->difference,
               &state->stop, matrix);
    for (uint32_t s = 0; s < count; s++)
        weight[state->changed[s]] += state->difference[s];
    if (stop_is_asked(&state->stop)) { /* it may lack rows, and the next training uses it */
        memset(matrix, 0, order * order * sizeof *matrix);
        memset(weight, 0, state->rows * sizeof *weight);
    }
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
    const size_t nonzeros = dense_nonzeros(state->w, state->problem->data->features);

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
        WITH_SMOOTH_PHI(state->loss, weigh_as(state, LOSS));
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
    const double part = state->by_columns ? 0.3 : 0.02; /* of columns sweeps are expensive */
    const double share =
        (state->primal - state->losses) / problem_scale(state->problem, state->primal);

    return clamp(part * now * now,
                 0.5 * certified_gap(state->training->parameters) / fmax(share, 0.01), part * now);
}

/* Finds its minimum u. */
static void solve_model(struct proximal_newton *state)
{
    enum { STEADY = 16 }; /* after so many steps without progress they are to be more exact */
    const double enough = tolerance(state);

    if (state->by_columns) {
        if (state->guess)
            for (size_t j = 0; j < state->lasso->order; j++)
                state->lasso->u[j] = state->guess[feature_of(state, j)];
        column_lasso_solve(&state->by, enough, 1 + state->stalls / STEADY, &state->stop);
    } else {
        dense_lasso_solve(&state->dense, enough, &state->stop);
    }
    state->guess = NULL;
}

/* ---- The step ----------------------------------------------------------- */

/* The dual point of the step, but for its multiple. */
static ALWAYS_INLINE void ahead_as(struct proximal_newton *state, enum loss loss)
{
    for (uint32_t i = 0; i < state->rows; i++) {
        const double moved = state->alpha[i] - state->weight[i] * state->change[i];

        state->ahead[i] = clamp(moved, 0, loss_upper(loss, problem_cost(state->problem, i)));
    }
}

/* A point on the line w + t (u - w). */
struct bound_point {
    struct proximal_newton *state;
    double t;
    double linear; /* |u|_1 - |w|_1: |w + t (u - w)|_1 is at most |w|_1 + t linear */
    double losses; /* last found there */
};

/* Of the bound of P along the step; beyond its end there is nothing to look for. */
static void derive(void *context, double t, double *first, double *second)
{
    struct bound_point *at = context;
    double slope;

    at->t = t;
    at->losses = proximal_newton_losses(at->state, t, &slope, second);
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

/* Where few rows have a positive slack the model has no curvature in most directions. Its minimum
 * is then so far away that other rows get a positive slack on the way. A ridge shortens the step.
 */
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
        shard->scalars[0] += state->alpha[i] * state->change[i];
}

/* w += t (u - w); not if the model promises no descent. */
static void move(struct proximal_newton *state)
{
    struct bound_point at = {.state = state};
    struct lasso *lasso = state->lasso;
    double start, t, ignored, scalars[MOST_SCALARS];

    for (size_t j = 0; j < lasso->order; j++)
        state->step[j] = state->w[feature_of(state, j)];
    at.linear = proximal_newton_norm(lasso->u, lasso->penalised) -
                proximal_newton_norm(state->step, lasso->penalised);
    find_change(state);
    WITH_SMOOTH_PHI(state->loss, ahead_as(state, LOSS));
    sums_run(&state->training->shards, all_rows(state->problem), add_slope, state, scalars, NULL);
    start = scalars[0] - at.linear;
    if (!(start > 0))
        return;
    t = line_search(derive, &at, start, 0.3, 1);
    if (t != at.t)
        at.losses = proximal_newton_losses(state, t, &ignored, &ignored);
    if (state->by_columns)
        damp(state, t);
    for (size_t j = 0; j < lasso->order; j++)
        state->w[feature_of(state, j)] = lasso->u[j] =
            t < 1 ? state->step[j] + t * (lasso->u[j] - state->step[j]) : lasso->u[j];
    for (uint32_t i = 0; i < state->rows; i++)
        state->z[i] = t == 1 ? state->next[i] : state->z[i] + t * state->change[i];
    state->is_exact = t == 1;
    state->has_best_w = 0;
    proximal_newton_keep_primal(state, proximal_newton_norm(lasso->u, lasso->penalised), at.losses);
}

void proximal_newton_take_step(struct proximal_newton *state)
{
    form_model(state);
    solve_model(state);
    move(state);
}
