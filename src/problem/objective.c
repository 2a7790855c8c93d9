/* objective.c - P = 1/2 |w|^2 + sum C_i loss_i,
 * D = 1/2 |sum alpha_i y_i x_i|^2 + 1/2 sum d_i alpha_i^2 - sum alpha_i.
 *
 * By weak duality -D is at most the minimum of P, so P + D bounds the suboptimality of w.
 * The sums are compensated: at a gap of 1e-8 the rounding of a million terms would show.
 */
#include "problem/objective.h"

#include <float.h>
#include <math.h>

#include "base/sum.h"

static double half_square(const struct binary_problem *problem, const double *w, size_t *nonzeros)
{
    struct sum square = {0, 0};
    const size_t width = binary_width(problem), penalised = binary_penalised(problem);

    for (size_t j = 0; j < width; j++) {
        if (j < penalised)
            sum_add(&square, w[j] * w[j]);
        *nonzeros += w[j] != 0;
    }
    return sum_value(&square) / 2;
}

static double losses(const struct binary_problem *problem, enum loss loss, const double *w)
{
    struct sum total = {0, 0};

    for (struct margins some = margins_of(problem, w); margins_next(&some);)
        for (uint32_t k = 0; k < some.count; k++) {
            const double cost = problem->cost[some.first + k], slack = 1 - some.z[k];

            if (slack > 0)
                sum_add(&total, cost * (loss == LOSS_L1 ? slack : slack * slack));
        }
    return sum_value(&total);
}

/* 1/2 sum d_i alpha_i^2 - sum alpha_i */
static double dual_losses(const struct binary_problem *problem, enum loss loss, const double *alpha)
{
    struct sum total = {0, 0};

    for (uint32_t i = 0; i < problem->rows; i++) {
        if (loss == LOSS_L2)
            sum_add(&total, alpha[i] * alpha[i] / (4 * problem->cost[i]));
        sum_add(&total, -alpha[i]);
    }
    return sum_value(&total);
}

double objective_dual(const struct binary_problem *problem, enum loss loss, const double *alpha,
                      const double *combined)
{
    size_t ignored = 0;

    return half_square(problem, combined, &ignored) + dual_losses(problem, loss, alpha);
}

struct objective objective_primal(const struct binary_problem *problem, const double *w)
{
    struct objective objective = {0, NAN, NAN, 0};

    objective.primal = half_square(problem, w, &objective.nonzeros);
    objective.primal += losses(problem, LOSS_L1, w);
    return objective;
}

struct objective objective_measure(const struct binary_problem *problem, enum loss loss,
                                   const double *w, const double *alpha, const double *combined)
{
    struct objective objective = {0, 0, 0, 0};
    const double square = half_square(problem, w, &objective.nonzeros);

    objective.primal = square + losses(problem, loss, w);
    objective.dual = combined == w ? square + dual_losses(problem, loss, alpha)
                                   : objective_dual(problem, loss, alpha, combined);
    objective.gap = (objective.primal + objective.dual) / fmax(fabs(objective.primal), DBL_MIN);
    if (objective.gap < 0)
        objective.gap = 0;
    return objective;
}
