/* class_system.h - the system over features and classes, whose unknowns sum to 0 over classes:
 *
 *     H = R + sum_i B_i (x) x_i x_i',
 *
 * the Hessian of Newton's method. R = I, with a 0 for each free bias. B_i, k x k, is the curvature
 * of row i. For softmax, B_i = C_i (diag(p_i) - p_i p_i'). For Crammer and Singer's hinge, the
 * members of a row are the classes with a share. Rows with two members or more have a B_i: scale
 * times the projection on the vectors that sum to 0 and are 0 outside the members.
 */
#ifndef HINGE_SOLVER_LINEAR_CLASS_SYSTEM_H
#define HINGE_SOLVER_LINEAR_CLASS_SYSTEM_H

#include "problem/sums.h"
#include "solver/linear/cg.h"

struct class_system {
    const struct problem *problem;
    const struct shards *shards; /* for sums of [width] vectors */
    const double *alpha;         /* [rows classes] the dual point that gives the B_i */
    size_t width;
    size_t penalised; /* entries with a 1 in R */
    struct cg cg;

    /* For softmax. */
    double *diagonal; /* [width] diagonal of H; with free biases, for features minus their means */
    double *mean;     /* [width] for each class, weighted means of the features, then the sum of the
                         weights; NULL without free biases */
    double *right;    /* [classes] right side of the system over biases; NULL without free biases */
    double *correction; /* [classes] change of the biases; NULL without free biases */

    /* For Crammer and Singer's hinge. */
    double scale;
    uint32_t free;    /* rows with a B_i */
    uint32_t *row;    /* [free] rows with a B_i, ascending */
    size_t *first;    /* [free + 1] first entry of a row in member */
    uint32_t *member; /* [rows classes + 1] members of the rows, one row after the other */

    /* The preconditioner: Cholesky factors of the block of H for each class separately. */
    size_t order;               /* order of each block; 0: there are no blocks */
    double *factor;             /* [classes order^2] */
    double *part;               /* [order] the entries of a vector for one class */
    uint32_t *block_row;        /* [rows] rows of a block */
    double *block_weight;       /* [rows] weights of these rows */
    unsigned char *is_factored; /* [classes] */
    int has_blocks;
    int is_present; /* the blocks are of the present H */
    double spent;   /* cost of the steps since the blocks were formed */
};

/* Returns the order of the problem's blocks; 0 if they would be too large. */
size_t class_system_order(const struct problem *problem);

/* Takes the arrays for a problem of that shape. */
void class_system_lay_out(struct class_system *system, struct arena *arena,
                          const struct problem *problem);

/* Sets the system up. The problem and the shards stay the caller's. */
void class_system_begin(struct class_system *system, const struct problem *problem,
                        const struct shards *shards, struct stop stop);

/* Sets H to the Hessian at the dual point alpha. rows contains all rows with a B_i. scale is read
 * only for Crammer and Singer's hinge. The problem may have other costs than at
 * class_system_begin. */
void class_system_form(struct class_system *system, const struct problem *problem,
                       struct selection rows, const double *alpha, double scale);

/* Sets p := H^-1 r, both [width], until |r - H p| <= tolerance |r| or `most` steps of conjugate
 * gradients are taken. */
void class_system_solve(struct class_system *system, const double *r, double *p, double tolerance,
                        unsigned most);

/* Moves the free biases of a step, and with them the change[rows classes] of the margins, so that
 * sum_i alpha_i after the step is 0 to first order. */
void class_system_settle(struct class_system *system, double *step, double *change);

#endif
