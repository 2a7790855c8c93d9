/* objective.c - P = 1/2 |w|^2 + sum C_i loss_i,  D = 1/2 |w|^2 + 1/2 sum d_i alpha_i^2 - sum
 * alpha_i.
 *
 * By weak duality -D is at most the minimum of P, so P + D bounds the suboptimality of w.
 * The sums are compensated: at a gap of 1e-8 the rounding of a million terms would show.
 */
#include "problem/objective.h"

#include <float.h>
#include <math.h>

#include "base/sum.h"

struct objective objective_measure(const struct binary_problem *problem, enum loss loss,
                                   const double *w, const double *alpha)
{
    struct sum square = {0, 0}, losses = {0, 0}, dual = {0, 0};
    struct objective objective = {0, 0, 0, 0};
    size_t width = binary_width(problem);

    for (size_t j = 0; j < width; j++) {
        sum_add(&square, w[j] * w[j]);
        objective.nonzeros += w[j] != 0;
    }
    for (uint32_t i = 0; i < problem->rows; i++) {
        double cost = problem->cost[i];
        double slack = 1 - problem->sign[i] * binary_decision(problem, i, w);

        if (slack > 0)
            sum_add(&losses, cost * (loss == LOSS_L1 ? slack : slack * slack));
        if (loss == LOSS_L2)
            sum_add(&dual, alpha[i] * alpha[i] / (4 * cost));
        sum_add(&dual, -alpha[i]);
    }
    objective.primal = sum_value(&square) / 2 + sum_value(&losses);
    objective.dual = sum_value(&square) / 2 + sum_value(&dual);
    objective.gap = (objective.primal + objective.dual) / fmax(fabs(objective.primal), DBL_MIN);
    if (objective.gap < 0)
        objective.gap = 0;
    return objective;
}
