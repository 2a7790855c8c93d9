/* violations.h - how far the rows are from optimality. */
#ifndef HINGE_PROBLEM_VIOLATIONS_H
#define HINGE_PROBLEM_VIOLATIONS_H

#include "problem/shard_sum.h"

/* Violations of optimality (loss_violation, singer_violation) over all rows. */
struct violations {
    double largest;
    double smallest;
    double total; /* sum of absolute values */
};

/* Measures the violations at w and alpha. */
struct violations violations_at_point(const struct shards *shards, const struct problem *problem,
                                      const double *w, const double *alpha);

/* Measures the violations at the margins z[rows] and alpha; not for classes. */
struct violations violations_at_margins(const struct shards *shards, const struct problem *problem,
                                        const double *z, const double *alpha);

#endif
