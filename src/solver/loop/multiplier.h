/* multiplier.h - passes of coordinate descent with a free bias.
 *
 * A step along one coordinate keeps no sum alpha_i y_i = 0. So passes minimise the augmented
 * Lagrangian of that constraint (Hestenes; Powell, both 1969): with u = origin + a sum alpha_i y_i,
 *
 *     D(alpha) + (u^2 - origin^2)/2,
 *
 * which is the dual of a problem that has, instead of the free bias b = a u, a constant feature of
 * value a whose weight u costs (u - origin)^2/2. Before each pass the origin, the multiplier, moves
 * to u. Where that changes nothing, the sum is 0, and the bias is the best one.
 *
 * The point that would be returned is another: its alpha is balanced (bias_balance).
 */
#ifndef HINGE_SOLVER_LOOP_MULTIPLIER_H
#define HINGE_SOLVER_LOOP_MULTIPLIER_H

#include "solver/loop/method.h"

struct multiplier {
    struct problem problem;     /* with the constant feature */
    const struct problem *free; /* with the free bias */
    double origin;
    double change; /* of u by the last pass */
    double moved;  /* by how much the origin moved before it */
    double *w;     /* [width] what would be returned, */
    double *alpha; /* [rows] when it was last settled */
};

void multiplier_lay_out(struct multiplier *multiplier, struct arena *arena,
                        const struct training *training);

/* From here until its end the training's problem is that of the multiplier, and the last entry of w
 * is u; w is to be formed. The bias begins at that of w, or, where w is the sum, at the task's. */
void multiplier_begin(struct multiplier *multiplier, struct training *training);

/* The training's point becomes what was last settled. */
void multiplier_end(struct training *training);

/* Moves the origin to u. */
void multiplier_move(struct training *training);

/* About what that will change D by; 0 without passes of a free bias. */
double multiplier_rest(const struct training *training);

/* Finds what would be returned now: alpha balanced, w of it, with the bias. */
void multiplier_settle(struct training *training);

#endif
