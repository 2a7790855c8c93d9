/* primal_system.h - the system over features, H = R + scale sum_i weight_i x_i x_i', R = I or
 * another diagonal matrix.
 *
 * H is the Hessian of Newton's method, and the matrix of a step of the interior-point method. A
 * free bias has a 0 in the place of its entry of R, or a number so small that it makes no
 * difference if H is regular.
 */
#ifndef HINGE_SOLVER_LINEAR_PRIMAL_SYSTEM_H
#define HINGE_SOLVER_LINEAR_PRIMAL_SYSTEM_H

#include "base/stop.h"
#include "problem/sums.h"

struct primal_system;

/* True if there is room for a factor over features, whatever rows have a weight. */
int primal_over_features(const struct problem *problem);

/* Returns how many rows may have a weight for a factor over rows; 0 if there is none. */
size_t primal_row_capacity(const struct problem *problem);

/* True if there is room for a factor, whatever rows have a weight. */
int primal_has_factor(const struct problem *problem);

/* Allocates everything up front. NULL and *error if there is no memory. */
struct primal_system *primal_system_new(const struct problem *problem, struct hinge_error *error);
void primal_system_free(struct primal_system *system);

/* Makes the system new for a problem of other rows. False if that needs another system. */
int primal_system_reset(struct primal_system *system, const struct problem *problem);

/* Rows with a positive weight, ascending, and their weights. */
struct row_weights {
    uint32_t *row;
    double *weight;
    uint32_t count;
};

/* Returns the weights of the system for the caller to fill in. There is room for all rows, and for
 * one that is not counted. */
struct row_weights *primal_system_weights(struct primal_system *system);

/* Sets the question that may stop the next solutions. A stopped solution stays as far as it got. */
void primal_system_listen(struct primal_system *system, struct stop stop);

/* True if a solution with of_all_ranks weights begins with the sum of weight[s] x_sj^2 over the
 * rows. */
int primal_system_needs_squares(const struct primal_system *system, double of_all_ranks);

/* Takes the weights that were filled in. All ranks of a team together have at most of_all_ranks.
 * The problem may be another one with the same rows, at another C. The shards are for sums of
 * [width] vectors and stay the caller's. squares[width] is the sum of weight[s] x_sj^2; NULL: the
 * system forms it if it needs it, which takes the ranks of a team more rounds. */
void primal_system_form(struct primal_system *system, const struct problem *problem,
                        const struct shards *shards, double scale, double of_all_ranks,
                        const double *squares);

/* Sets R := diag(unit^-2) until the system is formed again, where primal_has_factor() and R =
 * |w|_1. unit[width] stays the caller's; NULL: I. A free bias has the largest unit of the others.
 */
void primal_system_set_units(struct primal_system *system, const double *unit);

/* Sets p := H^-1 r, both [width], until |r - H p| <= tolerance |r| or `most` steps of conjugate
 * gradients are taken. Weights that were solved for before need no new factor. */
void primal_system_solve(struct primal_system *system, const double *r, double *p, double tolerance,
                         unsigned most);

/* True if the system can solve least squares problems over features of any scale. */
int primal_system_has_qr(const struct primal_system *system);

/* Sets d[width] to the minimum of d'S^-2 d - 2 <centre, d> + scale sum_i weight_i
 * (y_i <x_i, d> - target_i)^2 over the rows with a weight, where a free bias is not in the first
 * term. Needs primal_system_has_qr. Sets d to 0 if it was stopped. */
void primal_system_fit(struct primal_system *system, const struct problem *problem,
                       const struct shards *shards, double scale, const double *centre,
                       const double *target, double *d);

/* Returns the price of a factor over features of all rows that eliminates rare features first, and
 * of `steps` steps of conjugate gradients with it; 0: there is no such factor. */
double primal_system_ordered_price(struct primal_system *system, const struct problem *problem,
                                   unsigned steps);

/* Returns r - H p[width] of the last solution; 0 if the factor was exact. The entry of a free bias
 * has no meaning. */
const double *primal_system_residual(const struct primal_system *system);

#endif
