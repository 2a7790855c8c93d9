/* lasso.h - min over u of <g, u - w> + (u - w)'H(u - w)/2 + |u|_1: the model of P that a proximal
 * Newton step minimises. H is a matrix, or given by columns: H = X'X + diag(ridge).
 */
#ifndef HINGE_SOLVER_SPARSE_LASSO_H
#define HINGE_SOLVER_SPARSE_LASSO_H

#include "base/memory.h"
#include "base/stop.h"
#include "data/matrix.h"
#include "solver/linear/cg.h"

/* What both have. */
struct lasso {
    size_t order;     /* of what follows */
    size_t penalised; /* these first coordinates are in |u|_1, the others are free */
    double *u;        /* [order] first where to begin, of a matrix at w, then the solution */
    double *gradient; /* [order] g + H(u - w), first g; by columns it stays g */
    double spent;     /* multiply-adds since the last step on the support, */
    double work;      /* and what all of them cost, in the unit of cost.h */
    uint32_t *member; /* [order] coordinates of the support, */
    size_t count;     /* so many, */
    double *step;     /* [order] the step there, by members, */
    double *slope;    /* [order] and the derivative of the model */
};

struct dense_lasso {
    struct lasso lasso;
    double *matrix;  /* [order^2] H, both triangles; the caller's */
    double *factor;  /* [order^2] of the support, */
    double *unit;    /* [order] 1/sqrt(H_jj) of its members, */
    double *product; /* [order] and H times its step */
};

struct column_lasso {
    struct lasso lasso;
    struct hinge_matrix columns; /* [order] X; the caller's */
    size_t rows;                 /* of X */
    double *residual;            /* [rows] X (u - w) */
    double *product;             /* [rows] X step */
    double *ridge;               /* [order] */
    double *diagonal;            /* [order] H_jj */
    double *origin;              /* [order] w: the caller fills it in */
    uint32_t *active;            /* [order] coordinates in a sweep */
    struct cg cg;
    double *before; /* [order] u after the last round of sweeps, */
    float *changes; /* [ROUNDS][order] and by how much the last rounds changed it, */
    size_t rounds;  /* so many of them */
};

/* The rounds of sweeps that an extrapolation is made from. */
enum { ROUNDS = 6 };

/* Takes the arrays for at most that order, and so many rows, but those of H and X. */
void dense_lasso_lay_out(struct dense_lasso *dense, struct arena *arena, size_t order);
void column_lasso_lay_out(struct column_lasso *by, struct arena *arena, size_t order, size_t rows);

/* Improves u until no coordinate of the subgradient nearest to 0 was larger than the tolerance when
 * it was last looked at, or rounding errors allow no more, or it is stopped. */
void dense_lasso_solve(struct dense_lasso *dense, double tolerance, const struct stop *stop);
/* The same; where many coordinates are near a change of sign it ends earlier, the later the larger
 * the effort, from 1 on. */
void column_lasso_solve(struct column_lasso *by, double tolerance, unsigned effort,
                        const struct stop *stop);

/* The absolute value of a coordinate of the smallest subgradient: of |u|_1, if it is penalised, and
 * that gradient; */
double lasso_violation_of(int is_penalised, double u, double gradient);

/* and the largest of all coordinates. */
double lasso_violation(const struct lasso *lasso, const double *gradient);

#endif
