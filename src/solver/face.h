/* face.h - a step of the projected Newton method for the dual, between passes of coordinate
 * descent.
 *
 * Coordinate descent soon knows which rows are at a bound, and then creeps along the face that the
 * others span; a step on the face goes where it creeps to, but learns little of other faces.
 */
#ifndef HINGE_SOLVER_FACE_H
#define HINGE_SOLVER_FACE_H

#include "problem/objective.h"

struct face;

/* Asks for all the memory it will ever use. NULL and *error when there is none. */
struct face *face_new(const struct binary_problem *problem, enum loss loss,
                      struct hinge_error *error);
void face_free(struct face *face);

/* Moves the rows inside their box, and w = sum alpha_i y_i x_i with them, such that the dual falls.
 * Gives back by how much: 0 if it does not move. */
double face_step(struct face *face, double *alpha, double *w);

/* What the steps have cost so far, in the unit of normal_price. */
double face_spent(const struct face *face);

/* What finishing by such steps costs. logarithm is that of how many times too large the gap (or
 * violation) is; support the rows inside their box, and nonzeros how many they have. */
double face_price(const struct binary_problem *problem, double logarithm, double support,
                  double nonzeros);

#endif
