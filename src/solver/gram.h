/* gram.h - the dual of a Newton step: (Q + diag(ridge)) p = r over some rows, Q_ij = y_i y_j <x_i,
 * x_j>.
 */
#ifndef HINGE_SOLVER_GRAM_H
#define HINGE_SOLVER_GRAM_H

#include "problem/binary.h"

struct gram;

/* Asks for all the memory it will ever use. NULL and *error when there is none. */
struct gram *gram_new(const struct binary_problem *problem, struct hinge_error *error);
void gram_free(struct gram *gram);

/* From now on it is about these rows, ascending; the vectors below have an entry for each. The
 * ridge is [rows of the problem], above 0, and stays the caller's. */
void gram_choose(struct gram *gram, const uint32_t *member, uint32_t members, const double *ridge);

/* shift[width] := sum p_i y_i x_i */
void gram_combine(const struct gram *gram, const double *p, double *shift);

/* z_i := y_i <v, x_i> */
void gram_margins(const struct gram *gram, const double *v, double *z);

/* p until the residual is at most tolerance |r|, or so many steps of conjugate gradients are taken.
 */
void gram_solve(struct gram *gram, const double *r, double *p, double tolerance, unsigned most);

/* What all of that has cost so far, in the unit of normal_price. */
double gram_spent(const struct gram *gram);

/* The price of a solution with so many members and non-zeros in them, factors included, on average
 * over the steps of face.c. */
double gram_price(double members, double nonzeros, double width);

#endif
