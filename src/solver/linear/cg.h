/* cg.h - preconditioned conjugate gradients for A p = r, A symmetric and positive definite. */
#ifndef HINGE_SOLVER_LINEAR_CG_H
#define HINGE_SOLVER_LINEAR_CG_H

#include "base/memory.h"
#include "base/stop.h"

/* Most steps of a solution in Newton's methods, primal and dual. */
enum { MOST_GRADIENTS = 200 };

/* The state of the preconditioner M before a step. */
enum preconditioner {
    UNCHANGED,
    RENEWED, /* the search direction restarts */
    EXACT,   /* M = A, so M^-1 residual is the missing part of p */
    STOPPED  /* M could not be made: the solution ends where it is */
};

struct cg {
    void *context;
    void (*multiply)(void *context, const double *p, double *product);    /* product := A p */
    void (*precondition)(void *context, const double *r, double *result); /* result := M^-1 r */
    enum preconditioner (*prepare)(void *context); /* called before each step; NULL: M is fixed */
    struct stop stop;  /* asked before each step; on yes, the solution ends where it is */
    double *residual;  /* [order] r - A p, also after the solution */
    double *direction; /* [order] */
    double *product;   /* [order] A direction */
    double *corrected; /* [order] M^-1 residual */
};

/* Takes the arrays for systems up to that order. */
void cg_lay_out(struct cg *cg, struct arena *arena, size_t order);

/* Sets p[order] to A^-1 r. Ends when |r - A p| <= tolerance |r|, after `most` steps, when rounding
 * errors leave no direction, or when stopped. */
void cg_solve(const struct cg *cg, size_t order, const double *r, double *p, double tolerance,
              unsigned most);

#endif
