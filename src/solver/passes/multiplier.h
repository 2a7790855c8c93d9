/* multiplier.h - passes of coordinate descent with a free bias.
 *
 * A step along one coordinate cannot keep sum alpha_i y_i = 0. So passes minimise the augmented
 * Lagrangian of that constraint (Hestenes; Powell, both 1969): with u = origin + a sum alpha_i y_i,
 *
 *     D(alpha) + (u^2 - origin^2)/2.
 *
 * This is the dual of a problem in which a constant feature of value a takes the place of the free
 * bias b = a u. The weight u of that feature costs (u - origin)^2/2. Before each pass the origin,
 * which is the multiplier, moves to u or beyond. When it no longer moves, the sum is 0, and the
 * bias is the best one.
 *
 * The training would return another point, whose alpha is balanced (bias_balance).
 */
#ifndef HINGE_SOLVER_PASSES_MULTIPLIER_H
#define HINGE_SOLVER_PASSES_MULTIPLIER_H

#include "solver/loop/method.h"

struct multiplier {
    struct problem problem;     /* the problem with the constant feature */
    const struct problem *free; /* the problem with the free bias */
    double origin;
    double change; /* change of u by the last pass */
    double moved;  /* move of the origin before the last pass */
    double *w;     /* [width] w of the settled point (multiplier_settle) */
    double *alpha; /* [rows] alpha of the settled point */
};

void multiplier_lay_out(struct multiplier *multiplier, struct arena *arena,
                        const struct training *training);

/* Replaces the training's problem by the multiplier's until multiplier_end. The last entry of w
 * becomes u, and w must be formed next. The bias begins at the bias of w, or at the task's if w is
 * the sum. */
void multiplier_begin(struct multiplier *multiplier, struct training *training);

/* Makes the settled point the training's. */
void multiplier_end(struct training *training);

/* Moves the origin to u or beyond, and u as far. */
void multiplier_move(struct training *training);

/* Returns approximately by how much moving the origin to u would change D; 0 without passes of a
 * free bias. */
double multiplier_rest(const struct training *training);

/* Finds the settled point, which would be returned now: alpha balanced, and its w with the bias. */
void multiplier_settle(struct training *training);

#endif
