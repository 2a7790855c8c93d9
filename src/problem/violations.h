/* violations.h - how far all rows are from optimality. */
#ifndef HINGE_PROBLEM_VIOLATIONS_H
#define HINGE_PROBLEM_VIOLATIONS_H

#include "problem/shard_sum.h"

/* The largest and the smallest violation of optimality (loss_violation, singer_violation) over all
 * rows, and the sum of their absolute values. */
struct violations {
    double largest;
    double smallest;
    double total;
};

struct violations violations_at_point(const struct shards *shards, const struct problem *problem,
                                      const double *w, const double *alpha);

/* The same where the margins are known, z[rows]; not with classes. */
struct violations violations_at_margins(const struct shards *shards, const struct problem *problem,
                                        const double *z, const double *alpha);

#endif
