/* objective.h - primal and dual value of a point, and the gap between them. */
#ifndef HINGE_PROBLEM_OBJECTIVE_H
#define HINGE_PROBLEM_OBJECTIVE_H

#include "problem/binary.h"

enum loss {
    LOSS_L1, /* max(0, 1 - z) */
    LOSS_L2  /* max(0, 1 - z)^2 */
};

/* Of a problem with a free bias alpha is feasible if sum alpha_i y_i = 0, too. */
struct objective {
    double primal;   /* P(w), over all rows of the problem */
    double dual;     /* D(alpha), the form that is minimised */
    double gap;      /* (primal + dual) / max(|primal|, DBL_MIN); 0 where rounding makes it less */
    size_t nonzeros; /* of w */
};

/* P(w) alone, of the L1-loss; dual and gap are NaN. */
struct objective objective_primal(const struct binary_problem *problem, const double *w);

/* D(alpha) alone, for any feasible alpha[rows]; combined = binary_weights(alpha). */
double objective_dual(const struct binary_problem *problem, enum loss loss, const double *alpha,
                      const double *combined);

/* P(w) and D(alpha) for any w and any feasible alpha[rows]; combined = binary_weights(alpha), which
 * may be w itself. */
struct objective objective_measure(const struct binary_problem *problem, enum loss loss,
                                   const double *w, const double *alpha, const double *combined);

#endif
