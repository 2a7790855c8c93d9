/* lasso.h - min over u of <g, u - w> + (u - w)'G(u - w)/2 + |u|_1: the model of P that a proximal
 * Newton step minimises.
 */
#ifndef HINGE_SOLVER_LINEAR_LASSO_H
#define HINGE_SOLVER_LINEAR_LASSO_H

#include "base/memory.h"
#include "base/stop.h"

struct lasso {
    size_t order;     /* of what follows */
    size_t penalised; /* these first coordinates are in |u|_1, the others are free */
    double *matrix;   /* [order^2] G, positive semidefinite, both triangles */
    double *u;        /* [order] first w, then the solution */
    double *gradient; /* [order] g + G(u - w), first g */
    double spent;     /* multiply-adds of all solutions */
    double *factor;   /* [order^2] of a face, */
    double *unit;     /* [order] 1/sqrt(G_jj) of its coordinates, */
    uint32_t *member; /* [order] which they are, */
    double *step;     /* [order] the step there, */
    double *product;  /* [order] and G times it */
};

/* Takes the arrays for at most that order. */
void lasso_lay_out(struct lasso *lasso, struct arena *arena, size_t order);

/* Improves u until no coordinate of the subgradient nearest to 0 is larger than the tolerance, or
 * rounding errors allow no more, or it is stopped. Returns the largest. */
double lasso_solve(struct lasso *lasso, double tolerance, const struct stop *stop);

/* The largest coordinate of the subgradient of |u|_1 and that gradient that is nearest to 0. */
double lasso_violation(size_t order, size_t penalised, const double *u, const double *gradient);

#endif
