/* primal_system.h - the system over features, H = R + scale sum_i weight_i x_i x_i', R = I or
 * another diagonal matrix.
 *
 * H is the Hessian of Newton's method, and the matrix of a step of the interior-point method. The
 * entry of a free bias in R is 0, or so small that it makes no difference if H is regular.
 */
#ifndef HINGE_SOLVER_LINEAR_PRIMAL_SYSTEM_H
#define HINGE_SOLVER_LINEAR_PRIMAL_SYSTEM_H

#include "base/stop.h"
#include "problem/sums.h"

struct primal_system;

/* True if there is room for a factor over features, whichever rows have a weight. */
int primal_over_features(const struct problem *problem);

/* Returns how many rows with a weight a factor over rows has room for; 0: none. */
size_t primal_row_capacity(const struct problem *problem);

/* True if there is room for a factor, whichever rows have a weight. */
int primal_has_factor(const struct problem *problem);

/* Allocates everything up front. NULL and *error if there is no memory. */
struct primal_system *primal_system_new(const struct problem *problem, struct hinge_error *error);
void primal_system_free(struct primal_system *system);

/* Prepares the system for a problem of other rows. False if that problem needs another system. */
int primal_system_reset(struct primal_system *system, const struct problem *problem);

/* Rows with a positive weight, ascending, and their weights. */
struct row_weights {
    uint32_t *row;
    double *weight;
    uint32_t count;
};

/* Returns the weights of the system for the caller to fill in. There is room for all rows, and for
 * one entry beyond count. */
struct row_weights *primal_system_weights(struct primal_system *system);

/* Sets the question that may stop the next solutions. A stopped solution ends where it is. */
void primal_system_listen(struct primal_system *system, struct stop stop);

/* True if a solution with of_all_ranks weights on all ranks begins with the sums of
 * weight[s] x_sj^2. */
int primal_system_needs_squares(const struct primal_system *system, double of_all_ranks);

/* Takes the weights that were filled in. All ranks together have at most of_all_ranks weights. The
 * problem may have the same rows at another C. The shards are for sums of [width] vectors and stay
 * the caller's. squares[width] is the sum of weight[s] x_sj^2; NULL: the system forms the sums when
 * needed, in more rounds of a team. */
void primal_system_form(struct primal_system *system, const struct problem *problem,
                        const struct shards *shards, double scale, double of_all_ranks,
                        const double *squares);

/* Sets R := diag(unit^-2) until the system is formed again. Needs primal_has_factor and only_l1.
 * unit[width] stays the caller's; NULL: I. The unit of a free bias is the largest of all units. */
void primal_system_set_units(struct primal_system *system, const double *unit);

/* Sets p := H^-1 r, both [width], until |r - H p| <= tolerance |r| or `most` steps of conjugate
 * gradients are taken. A factor of the same weights is used again. */
void primal_system_solve(struct primal_system *system, const double *r, double *p, double tolerance,
                         unsigned most);

/* True if the system can solve least squares problems over features of any scale. */
int primal_system_has_qr(const struct primal_system *system);

/* Sets d[width] to the minimiser of d'S^-2 d - 2 <centre, d> + scale sum_i weight_i
 * (y_i <x_i, d> - target_i)^2 over the rows with a weight, where a free bias is not in the first
 * term. Needs primal_system_has_qr. Sets d to 0 if it was stopped. */
void primal_system_fit(struct primal_system *system, const struct problem *problem,
                       const struct shards *shards, double scale, const double *centre,
                       const double *target, double *d);

/* Returns the price of a factor over features, of all rows, that eliminates rare features first,
 * and of `steps` steps of conjugate gradients with it; 0: there is no such factor. */
double primal_system_ordered_price(struct primal_system *system, const struct problem *problem,
                                   unsigned steps);

/* Returns r - H p[width] of the last solution; 0 if the factor was exact. The entry of a free bias
 * has no meaning. */
const double *primal_system_residual(const struct primal_system *system);

#endif
