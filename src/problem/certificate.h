/* certificate.h - bounds of P and D that no rounding error breaks. */
#ifndef HINGE_PROBLEM_CERTIFICATE_H
#define HINGE_PROBLEM_CERTIFICATE_H

#include "problem/max_row_norm.h"
#include "problem/objective.h"

/* A primal and a dual point of a problem. */
struct primal_dual {
    const struct problem *problem;
    const double *w;
    const double *alpha;
};

/* Upper bounds of the exact P(w) and the exact D(alpha), and the gap between them: w, alpha, the
 * costs and the features are the doubles that they are, each feature the one next to its decimal
 * number, and all else is exact. With a free bias, alpha stands for the point whose larger class is
 * multiplied by what makes sum alpha_i y_i exactly 0. measured is what objective_measure computed
 * with these shards, v what sums_combine did. *max_row_norm is found if it is not known. Where the
 * bounds leave a gap above the target, or P more than a thousandth above what was measured, the
 * values are computed once more with twice the precision, which takes as long as some twenty
 * passes; without memory for it, the bounds stay as they are. */
struct objective certificate_take(const struct shards *shards, const struct primal_dual *point,
                                  const double *v, const struct objective *measured, double target,
                                  struct max_row_norm *max_row_norm);

#endif
