/* objective.h - primal and dual value of a point, the gap between them, and the violations of rows.
 */
#ifndef HINGE_PROBLEM_OBJECTIVE_H
#define HINGE_PROBLEM_OBJECTIVE_H

#include "problem/sums.h"

struct objective {
    double primal;   /* P(w), over all rows of the problem */
    double dual;     /* D(alpha), the form that is minimised */
    double gap;      /* (primal + dual) / problem_scale, summed from terms that are not negative */
    size_t nonzeros; /* non-zero entries of w */
};

/* Measures P(w) alone; dual and gap are NaN. */
struct objective objective_primal(const struct shards *shards, const struct problem *problem,
                                  const double *w);

/* Measures P(w), D(alpha) and their gap for any w and any feasible alpha. With a free bias, a
 * feasible alpha also has sum_i alpha_i y_i = total. v = sum_i alpha_i y_i x_i may be w itself if
 * l1 is 0. With l2 = 0, an alpha whose v is outside the domain of R* is scaled by objective_scale.
 * Stores the margins of w in z[rows], which may be NULL and is not used with classes. */
struct objective objective_measure(const struct shards *shards, const struct problem *problem,
                                   const double *w, const double *alpha, const double *v,
                                   double *z);

/* Does what objective_measure does and computes v in the same pass over the rows. v must not be w.
 * Before the call it must hold the v of alpha = 0. */
struct objective objective_measure_and_combine(const struct shards *shards,
                                               const struct problem *problem, const double *w,
                                               const double *alpha, double *v, double *z);

/* Returns the largest t <= 1 for which t v is in the domain of R*. t alpha then replaces alpha.
 * D(t alpha) <= t D(alpha), because phi* is convex and, without its linear part, 0 at 0. */
double objective_scale(const struct problem *problem, const double *v);

/* Returns D(alpha). */
double objective_dual(const struct shards *shards, const struct problem *problem,
                      const double *alpha, const double *v);

/* Returns P(0), the value that no training may exceed. */
double objective_at_zero(const struct problem *problem);

/* Violations of optimality (loss_violation, singer_violation) over all rows. */
struct violations {
    double largest;
    double smallest;
    double total; /* sum of absolute values */
};

/* Measures the violations at w and alpha. z[rows], if it is not NULL, has the margins of w, so that
 * w is not read; with classes z must be NULL. */
struct violations violations_at(const struct shards *shards, const struct problem *problem,
                                const double *w, const double *z, const double *alpha);

#endif
