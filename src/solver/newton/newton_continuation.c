/* newton_continuation.c - minimise at C/f, or at mu = f NEWTON_END_MU/C and centre 0; f := f/8.
 *
 * At a large C on rows that can be separated, the steps enter a polyhedron where |w|^2 is nearly
 * all of P, and find out one by one which rows are free. So if the first steps for one margin were
 * not enough, or will not be, a continuation begins: C falls to a fraction, or mu rises and the
 * centre becomes 0. Whenever the minimum is near, C or mu goes back by a factor. The free rows then
 * change little each time.
 */
#include <float.h>
#include <math.h>
#include <string.h>

#include "solver/newton/newton.h"

/* Steps at C itself before a continuation, at least and at most. */
enum { EARLY = 4, DIRECT = 12 };

void newton_add_squares(void *context, const struct shard *shard)
{
    const struct problem *problem = context;
    double with_cost = 0, sum = 0;

    for (uint32_t i = shard->first; i < shard->end; i++) {
        with_cost += problem->cost[i] * problem_square(problem, i);
        sum += problem_square(problem, i);
    }
    shard->scalars[0] += with_cost;
    shard->scalars[1] += sum;
}

/* Begins a continuation if the mean curvature of a row in the direction of x_i is more than
 * `curvature` times that of |w|^2 / 2. A loss that is not smooth needs one only if the steps at C
 * have won nothing.
 *
 * The residual of the system's solution is the gradient after a full step. The larger C is, the
 * more of the gradient is in the span of the free rows. A residual of a third of the gradient may
 * be its whole part in the other directions, in which |w|^2 has yet to fall. So the tolerance must
 * fall. */
static void begin_continuation(struct newton *state)
{
    static const double NEAR = 0.01; /* relative gap below which few steps are left */
    const double curvature = loss_is_smooth(state->loss) ? 100 : 100 * NEWTON_END_MU;
    const struct training *training = state->training;
    const double primal = training->point.primal;
    double scalars[MOST_SCALARS];

    if (state->problem->total != 0 || primal + training->point.dual < NEAR * primal ||
        (state->centre && primal + state->own_dual < (state->has_qr ? primal : state->primal) / 2))
        return;
    sums_run(&state->training->shards, all_rows(state->problem), newton_add_squares,
             (void *)state->problem, scalars, NULL);
    if (!(scalars[0] <= DBL_MAX))
        return;
    state->continuation = fmax(1, scalars[0] / state->rows / curvature);
    state->step.tolerance = fmax(0.03, state->kind->tolerance / sqrt(state->continuation));
}

/* The continuation begins before DIRECT steps if almost no row has a loss at the minimum. Then D
 * rises slowly (for the hinge it doubles with each step, with alpha as mu falls) and would stay
 * below P/2. Otherwise D rises by far more in one of the first steps, or after a start in one of
 * the last. For a loss that is curved everywhere, D tells nothing. For a squared loss with a
 * factor, no continuation begins while steps predict little decrease, because they converge soon.
 * (Grants, -s 2, C = 1, 64, 4096: 0.10, 0.19 and 0.21 s with a continuation, 0.05, 0.11 and 0.14 s
 * without.) */
void newton_continue(struct newton *state)
{
    static const double LITTLE = 0.1; /* fraction of P, or of the minimised function */
    static const double MUCH = 4;
    const int is_slow = !loss_is_curved(state->loss) && !state->has_start &&
                        state->steps >= EARLY && state->own_dual > MUCH * state->last_dual &&
                        -state->own_dual < ldexp(state->primal / 2, (int)state->steps - DIRECT);
    const int has_settled = loss_is_squared(state->loss) && primal_over_features(state->problem) &&
                            state->step.predicted_decrease < LITTLE * state->primal;
    const double before = state->continuation;
    const int is_near = state->has_qr ? state->step.predicted_decrease <= LITTLE * state->minimised
                                      : state->half_gradient_sq <= 10 * state->minimised;

    if (state->is_direct && !has_settled && (state->steps >= DIRECT || is_slow)) {
        state->is_direct = 0;
        begin_continuation(state);
    } else if (is_near ||
               (loss_is_curved(state->loss) && state->step.fall <= LITTLE * state->minimised)) {
        state->continuation = fmax(1, before / 8);
    }
    state->last_dual = state->own_dual;
    if (state->continuation == before)
        return;
    state->step.predicted_decrease = HUGE_VAL;
    if (loss_is_curved(state->loss))
        state->stalls = 0; /* P at the full C may have risen far */
    if (state->centre) {
        memset(state->centre, 0, state->rows * sizeof *state->centre);
        state->mu = state->continuation * NEWTON_END_MU / state->largest_cost;
    } else {
        state->cost_fraction = 1 / state->continuation;
    }
    if (state->continuation > before)
        newton_evaluate_all(state); /* a larger mu can free shrunk rows */
    else
        newton_evaluate(state);
}
