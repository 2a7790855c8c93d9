/* objective.h - primal and dual value of a point, and the gap between them. */
#ifndef HINGE_PROBLEM_OBJECTIVE_H
#define HINGE_PROBLEM_OBJECTIVE_H

#include "problem/sums.h"

struct objective {
    double primal;   /* P(w), over all rows of the problem */
    double dual;     /* D(alpha), the form that is minimised */
    double gap;      /* (primal + dual) / problem_scale, from the terms of the sum, of which none is
                        negative */
    size_t nonzeros; /* of w */
};

/* P(w) alone; dual and gap are NaN. */
struct objective objective_primal(const struct shards *shards, const struct problem *problem,
                                  const double *w);

/* P(w), D(alpha) and their gap for any w and any feasible alpha (with a free bias,
 * sum alpha_i y_i = total, too); v = sum alpha_i y_i x_i, which may be w itself if l1 is 0. Where R
 * has no square, an alpha whose v is not in the domain of R* stands for what objective_scale says.
 * The margins of w are left in z[rows], which may be NULL; not with classes. */
struct objective objective_measure(const struct shards *shards, const struct problem *problem,
                                   const double *w, const double *alpha, const double *v,
                                   double *z);

/* The same, v, which is not w, being formed by the same sum: it begins with what alpha = 0 has. */
struct objective objective_measure_and_combine(const struct shards *shards,
                                               const struct problem *problem, const double *w,
                                               const double *alpha, double *v, double *z);

/* The t, at most 1, of which t v is in the domain of R*: t alpha is the point that alpha stands
 * for. As phi* is convex, and 0 at 0 but for the linear part, D(t alpha) <= t D(alpha). */
double objective_scale(const struct problem *problem, const double *v);

/* D(alpha) alone. */
double objective_dual(const struct shards *shards, const struct problem *problem,
                      const double *alpha, const double *v);

/* P(0), the value that no training may exceed. */
double objective_at_zero(const struct problem *problem);

#endif
