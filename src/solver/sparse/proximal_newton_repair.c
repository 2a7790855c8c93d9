/* proximal_newton_repair.c - min over d of sum_i h_i <x_i, d>^2/2 - <v, d> + |d|_1,
 *                            alpha_i -= h_i y_i <x_i, d>.
 *
 * With v = sum alpha_i y_i x_i of the step's dual point, h_i the curvature of the model, 0 for rows
 * at an end of their domain, this is the dual of: find the point nearest to alpha, in the norm of
 * 1/h_i, of which no |v_j| of the working set exceeds 1.
 *
 * To scale a dual point costs the gap |w|_1 times its largest violation; to repair it, about |w|_1
 * times the mean one. At large C, where a model has nearly as many features as rows and its
 * solution is found to a small accuracy only, the largest is ten times the mean, and P is near its
 * minimum long before the largest is small. Unlike the model's solution, d need not be small where
 * |v_j| < 1 and w_j is not 0: it is 0 there, and a few sweeps find it.
 */
#include <math.h>
#include <string.h>

#include "base/elementary.h"
#include "base/sum.h"
#include "solver/sparse/proximal_newton.h"

/* The part of the target that violations may leave. */
static const double LEFT = 0.1;

/* The relative gap of w and `ahead`, if nothing of v exceeded 1: v is by members of the set. */
static double gap_within(const struct proximal_newton *state, const double *v)
{
    double gap = proximal_newton_losses_gap(state);

    for (size_t k = 0; k < state->lasso->penalised; k++) {
        const double w = state->w[state->set.member[k]];

        gap += fmax(fabs(w) - w * v[k], 0);
    }
    return gap / problem_scale(state->problem, state->primal);
}

/* Whether `ahead` would do if nothing of v exceeded 1, but, scaled, does not. */
static int is_worth_it(const struct proximal_newton *state, const double *v, double target)
{
    const double gap = gap_within(state, v);
    const double excess = dense_largest(v, state->lasso->penalised) - 1;
    const double norm = state->primal - state->losses;

    return gap <= target && excess > LEFT * target &&
           gap + excess * norm / problem_scale(state->problem, state->primal) > target;
}

/* Sets up the columns of the rows whose alpha_i may move, and begins at d = 0. */
static void set_up(struct proximal_newton *state)
{
    struct lasso *lasso = state->lasso;

    for (uint32_t i = 0; i < state->rows; i++)
        if (!loss_is_free(state->loss, problem_cost(state->problem, i), state->ahead[i]))
            state->weight[i] = 0;
    working_set_model(&state->set, state->weight, &state->by);
    for (size_t k = 0; k < lasso->order; k++)
        lasso->gradient[k] = -lasso->gradient[k];
    memset(lasso->u, 0, lasso->order * sizeof *lasso->u);
    memset(state->by.origin, 0, lasso->order * sizeof *state->by.origin);
    memset(state->by.ridge, 0, lasso->order * sizeof *state->by.ridge);
}

void proximal_newton_repair_ahead(struct proximal_newton *state)
{
    const double target = certified_gap(state->training->parameters);
    struct lasso *lasso = state->lasso;

    working_set_combine_some(&state->set, state->ahead, 1, lasso->gradient);
    state->training->progress.row_visits += state->rows;
    if (!is_worth_it(state, lasso->gradient, target))
        return;
    set_up(state);
    column_lasso_solve(&state->by, LEFT * target, 1, &state->stop);
    working_set_margins(&state->set, lasso->u, state->next);
    for (uint32_t i = 0; i < state->rows; i++) {
        const double moved = state->ahead[i] - state->weight[i] * state->next[i];

        state->ahead[i] = clamp(moved, 0, loss_upper(state->loss, problem_cost(state->problem, i)));
    }
    state->training->progress.row_visits += state->rows;
}
