/* normal.h - the normal matrix of a second-order step, H = I + scale sum_i weight_i x_i x_i'.
 *
 * All engines meet it: it is the Hessian of Newton's method, and an interior-point step comes down
 * to it.
 */
#ifndef HINGE_SOLVER_NORMAL_H
#define HINGE_SOLVER_NORMAL_H

#include "problem/binary.h"

struct normal;

/* Asks for all the memory it will ever use. NULL and *error when there is none. */
struct normal *normal_new(const struct binary_problem *problem, struct hinge_error *error);
void normal_free(struct normal *normal);

/* Takes new weights, each at least 0, [count] of these rows, which ascend, or of the first ones;
 * that of others is 0. */
void normal_form(struct normal *normal, const uint32_t *row, const double *weight, uint32_t count,
                 double scale);

/* p := H^-1 r, both [width], until |r - H p| <= tolerance |r| or so many steps of conjugate
 * gradients are taken. */
void normal_solve(struct normal *normal, const double *r, double *p, double tolerance,
                  unsigned most);

/* Whether a factor is over features; else it is over rows, or there is no room for one. */
int normal_by_features(const struct binary_problem *problem);

/* The price of a solution, factors included, on average over the steps of an engine; with so many
 * rows of positive weight, and non-zeros in them. In multiply-adds over the non-zeros of rows that
 * stand in memory one behind the other: about half a nanosecond each. */
double normal_price(const struct binary_problem *problem, double members, double nonzeros);

#endif
