/* dual_system.h - the system over rows, (Q + diag(ridge)) p = r over some rows of a problem,
 * Q_ij = y_i y_j <x_i, x_j>: the Hessian of the dual.
 */
#ifndef HINGE_SOLVER_LINEAR_DUAL_SYSTEM_H
#define HINGE_SOLVER_LINEAR_DUAL_SYSTEM_H

#include "base/stop.h"
#include "problem/sums.h"

/* Returns the largest order of a factor. It is MOST_ORDER or, with very many features, up to twice
 * as large: in single precision that takes 256 MiB. (6,000 rows of counts with 40,000 features,
 * nearly all free: -s 13 -c 4096 takes 35 s with MOST_ORDER, 8 s with this. With 2 to 4 times as
 * many features as rows, passes settle faster which rows are free: phrases take up to 4 times as
 * long with such a factor.) */
size_t dual_system_capacity(const struct problem *problem);

struct dual_system;

/* Allocates everything up front. The shards are for sums of [width] vectors and stay the caller's.
 * If stop says yes, a solution ends where it is. NULL and *error if there is no memory. */
struct dual_system *dual_system_new(const struct problem *problem, const struct shards *shards,
                                    struct stop stop, struct hinge_error *error);
void dual_system_free(struct dual_system *system);

/* Chooses the rows of the system. Solutions and right sides have an entry for each chosen row.
 * ridge[rows of the problem] is above 0. Both arrays stay the caller's. */
void dual_system_choose(struct dual_system *system, struct selection rows, const double *ridge);

/* Sets p to the solution. Ends at a residual of at most tolerance |r|, or after `most` steps of
 * conjugate gradients. */
void dual_system_solve(struct dual_system *system, const double *r, double *p, double tolerance,
                       unsigned most);

/* Returns what all solutions have cost so far, in the unit of cost.h. */
double dual_system_spent(const struct dual_system *system);

#endif
