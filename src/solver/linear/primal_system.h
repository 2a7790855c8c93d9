/* primal_system.h - the system over features, H = R + scale sum_i weight_i x_i x_i', R = I or
 * another diagonal matrix.
 *
 * It is the Hessian of Newton's method, and what a step of the interior point method comes down to.
 * A free bias has a 0 in the place of its entry of R, or a number so small that it makes no
 * difference where H is regular.
 */
#ifndef HINGE_SOLVER_LINEAR_PRIMAL_SYSTEM_H
#define HINGE_SOLVER_LINEAR_PRIMAL_SYSTEM_H

#include "base/stop.h"
#include "problem/sums.h"

struct primal_system;

/* Whether there is room for a factor over features whatever rows have a weight. */
int primal_over_features(const struct problem *problem);

/* How many rows may have a weight where a factor is over rows; 0: none is. */
size_t primal_row_capacity(const struct problem *problem);

/* Whether there is room for a factor whatever rows have a weight. */
int primal_has_factor(const struct problem *problem);

/* Allocates everything up front. NULL and *error if there is no memory. */
struct primal_system *primal_system_new(const struct problem *problem, struct hinge_error *error);
void primal_system_free(struct primal_system *system);

/* The bytes it takes. */
size_t primal_system_size(const struct primal_system *system);

/* Makes it new for a problem of other rows; 0 if that takes another one. */
int primal_system_reset(struct primal_system *system, const struct problem *problem);

/* The rows of positive weight, ascending, and their weights. */
struct row_weights {
    uint32_t *row;
    double *weight;
    uint32_t count;
};

/* Those of the system, to be filled in: there is room for all rows, and for one that is not
 * counted. */
struct row_weights *primal_system_weights(struct primal_system *system);

/* Who may stop what it does next: a solution is then what there is of it. */
void primal_system_listen(struct primal_system *system, struct stop stop);

/* Whether a solution with so many weights of all ranks begins with the sum of weight[s] x_sj^2 over
 * the rows, to be given, which else takes the ranks of a team more rounds. squares[width] serves
 * the next solution alone; NULL: there is none. */
int primal_system_needs_squares(const struct primal_system *system, double of_all_ranks);
void primal_system_give_squares(struct primal_system *system, const double *squares);

/* Takes the weights that were filled in; all ranks of a team together have so many, or fewer. The
 * problem may be another one with the same rows, at another C. The shards, of sums of [width]
 * vectors, stay the caller's. */
void primal_system_form(struct primal_system *system, const struct problem *problem,
                        const struct shards *shards, double scale, double of_all_ranks);

/* R := diag(unit^-2), where primal_has_factor() and R = |w|_1, until it is formed again;
 * unit[width] stays the caller's. NULL: I. Of a free bias it is the largest of the others. */
void primal_system_set_units(struct primal_system *system, const double *unit);

/* p := H^-1 r, both [width], until |r - H p| <= tolerance |r| or so many steps of conjugate
 * gradients are taken. Weights that were solved for before need no new factor. */
void primal_system_solve(struct primal_system *system, const double *r, double *p, double tolerance,
                         unsigned most);

/* What the last solution left, r - H p; of a factor that is exact 0. [width], of which the entry of
 * a free bias has no meaning. */
const double *primal_system_residual(const struct primal_system *system);

#endif
