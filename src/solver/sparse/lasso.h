/* lasso.h - min over u of <g, u - w> + (u - w)'H(u - w)/2 + |u|_1: the model of P that a proximal
 * Newton step minimises. H is a matrix, or X'X + diag(ridge) with X given by columns.
 */
#ifndef HINGE_SOLVER_SPARSE_LASSO_H
#define HINGE_SOLVER_SPARSE_LASSO_H

#include "base/memory.h"
#include "base/stop.h"
#include "data/matrix.h"
#include "solver/linear/cg.h"

/* The common part of both kinds. */
struct lasso {
    size_t order;     /* number of coordinates */
    size_t penalised; /* number of first coordinates that are in |u|_1; the rest are free */
    double *u;        /* [order] the start, which is w with a matrix; then the solution */
    double *gradient; /* [order] g; with a matrix, the solver changes it to g + H(u - w) */
    double work;      /* cost of all solutions, in the unit of cost.h */
    uint32_t *member; /* [order] coordinates of the support */
    size_t count;     /* members of the support */
    double *step;     /* [order] step on the support, by members */
    double *slope;    /* [order] derivative of the model at u, by members */
    double *change;   /* [order] the step, clipped where a sign would change, by members */
    uint32_t *kink;   /* [order] members that become 0 along the step */
};

struct dense_lasso {
    struct lasso lasso;
    double *matrix;  /* [order^2] the caller's H, both triangles */
    double *factor;  /* [order^2] Cholesky factor of H on the support */
    double *unit;    /* [order] 1/sqrt(H_jj) on the support, by members */
    double *product; /* [order] H times the step */
};

/* A Cholesky factor of H on an earlier support, see support_factor.c. */
struct support_factor {
    size_t capacity; /* largest order */
    size_t order;    /* 0: there is none yet */
    float *matrix;   /* [capacity^2] */
    float *right;    /* [capacity] */
    double *unit;    /* [order of the model] 1/sqrt(RIDGE H_jj) of a coordinate of the factor */
    uint32_t *place; /* [order of the model] place in the factor, from 1 on; 0: not in the factor */
    size_t *start;   /* [rows + 2] first entry of a row in X on the support by rows */
    uint32_t *index; /* [nonzeros of X] places in the factor */
    float *value;    /* [nonzeros of X] */
    double work;     /* lasso.work when the factor was made */
};

struct column_lasso {
    struct lasso lasso;
    struct hinge_matrix columns; /* [order] the caller's X */
    size_t rows;                 /* rows of X */
    double *residual;            /* [rows] X (u - w) */
    double *product;             /* [rows] X step */
    double *ridge;               /* [order] */
    double *diagonal;            /* [order] H_jj */
    double *origin;              /* [order] w; the caller fills it in */
    uint32_t *active;            /* [order] coordinates that a sweep visits */
    struct cg cg;
    int has_factor;               /* set by the caller; true: a factor may precondition cg */
    struct support_factor factor; /* unused without has_factor */
};

/* Take all arrays except H and X, for at most this order and these numbers of rows and non-zeros of
 * X. */
void dense_lasso_lay_out(struct dense_lasso *dense, struct arena *arena, size_t order);
void column_lasso_lay_out(struct column_lasso *by, struct arena *arena, size_t order, size_t rows,
                          size_t nonzeros);

/* Tells the solver that X has other columns than in the last solution. */
void column_lasso_renew(struct column_lasso *by);

/* Rounds of a usual solution by columns. */
enum { LASSO_ROUNDS = 10 };

/* Improves u until no coordinate of the smallest subgradient exceeded the tolerance when it was
 * last visited. Ends earlier if rounding allows no progress, or stop is asked. By columns, the
 * solver also ends after `rounds` rounds, at least 1. A single round has few sweeps and no step on
 * the support. From 2 LASSO_ROUNDS on, steps are longer, for models in which many coordinates are
 * near a change of sign. */
void dense_lasso_solve(struct dense_lasso *dense, double tolerance, const struct stop *stop);
void column_lasso_solve(struct column_lasso *by, double tolerance, unsigned rounds,
                        const struct stop *stop);

/* Returns the absolute value of a coordinate of the smallest subgradient of the model, given the
 * gradient without |u|_1. */
double lasso_violation_of(int is_penalised, double u, double gradient);

/* Returns the largest lasso_violation_of over all coordinates. */
double lasso_violation(const struct lasso *lasso, const double *gradient);

/* ---- The preconditioner by columns: support_factor.c --------------------- */

void support_factor_lay_out(struct support_factor *factor, struct arena *arena, size_t order,
                            size_t rows, size_t nonzeros);

/* Makes a factor of H on the support of the model. If it was stopped, there is no factor. */
void support_factor_form(struct column_lasso *by);

/* Sets result, by members, to the preconditioner of a struct column_lasso times r. */
void support_factor_solve(void *context, const double *r, double *result);

#endif
