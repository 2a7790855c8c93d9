/* proximal_newton_centre.c - max over alpha of -D(alpha) - sum_i (alpha_i - a_i)^2/(4 c_i), a :=
 * that alpha, and again.
 *
 * At large C the losses are a small part of P, and a w of which P is near its minimum says little
 * about alpha, which is 2 C_i times small slacks. The proximal point method of the dual
 * (Rockafellar 1976), for P the method of multipliers, keeps the costs small. Of the squared hinge
 * the term leaves a problem of the same kind, with
 *
 *     1/cost_i = 1/C_i + 1/c_i   and targets larger by   shift_i = a_i/(2 c_i).
 *
 * From a = 0 on its first solution is that of a stage with these costs; each further centre divides
 * what the dual point lacks by a constant, where the costs of stages would have to grow by as much.
 * That it need not be solved to the end is in Rockafellar's paper, too, and for the lasso in Li,
 * Sun and Toh (SIAM J. Optim. 2018).
 *
 * alpha_i - a_i is 2 c_i times what the slack exceeds alpha_i/(2 C_i) by, and in the end no slack
 * does: of a row that stays far from there, as of one that cannot be separated, c_i grows. Where
 * such rows make nearly all of P, the other rows matter little, and stages are better.
 */
#include <math.h>

#include "solver/sparse/proximal_newton.h"

void proximal_newton_begin_centres(struct proximal_newton *state)
{
    const struct problem *whole = state->training->problem;

    for (uint32_t i = 0; i < state->rows; i++) {
        state->inverse[i] =
            state->cost[i] > 0 ? 1 / state->cost[i] - 1 / problem_cost(whole, i) : 0;
        state->shift[i] = 0;
    }
    state->is_centred = 1;
    state->best = HUGE_VAL;
    proximal_newton_centre(state);
}

void proximal_newton_end_centres(struct proximal_newton *state)
{
    state->is_centred = state->may_centre = 0;
    proximal_newton_set_share(state, fmin(1, STAGE * state->share));
}

int proximal_newton_has_few_weights(const struct proximal_newton *state)
{
    static const double MOST = 16;

    return -state->training->dual > MOST * (state->primal - state->losses);
}

void proximal_newton_centre(struct proximal_newton *state)
{
    static const double FAR = 0.3, LESS = 0.25;
    enum { STEADY = 24 }; /* after so many steps without progress all c_i grow */
    const struct problem *whole = state->training->problem;
    const double all = state->stalls > STEADY ? 0.5 : 1;

    for (uint32_t i = 0; i < state->rows; i++) {
        const double cost = problem_cost(whole, i), alpha = state->alpha[i];
        const double slack = loss_target(state->loss) - state->z[i];

        if (!(cost > 0))
            continue;
        state->inverse[i] *= slack - alpha / (2 * cost) > FAR ? LESS : all;
        state->shift[i] = alpha * state->inverse[i] / 2;
        state->cost[i] = 1 / (1 / cost + state->inverse[i]);
    }
    state->since_centre = 0;
    proximal_newton_evaluate(state);
    proximal_newton_judge(state);
}

int proximal_newton_is_settled(struct proximal_newton *state, double before)
{
    double distance = 0;

    if (++state->since_centre < 2) /* the first may be far from the solution and find no more */
        return 0;
    for (uint32_t i = 0; i < state->rows; i++)
        if (state->inverse[i] > 0) {
            const double inverse = state->inverse[i];
            const double moved = state->alpha[i] - 2 * state->shift[i] / inverse;

            distance += moved * moved * inverse / 4;
        }
    return before - state->primal <= distance / 2;
}
