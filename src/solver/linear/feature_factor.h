/* feature_factor.h - U'U = I + scale S X'WX S over features, where many are rare or alike.
 *
 * feature_order.c finds the order of elimination, once for a system. feature_factor.c factors and
 * solves. Where no such order pays, cholesky.h does both.
 */
#ifndef HINGE_SOLVER_LINEAR_FEATURE_FACTOR_H
#define HINGE_SOLVER_LINEAR_FEATURE_FACTOR_H

#include "base/stop.h"
#include "problem/problem.h"

/* Features in the order of their elimination: first rare ones, whose lines of U are sparse, then
 * all others in a dense block. Features that are equal in every row have one place together, and
 * the first of them stands for all. Initialise it to 0. */
struct feature_order {
    void *block;         /* the memory of all arrays; NULL: there is no order */
    size_t width;        /* features, with the constant one */
    size_t leading;      /* places before the dense block */
    size_t dense;        /* places of the dense block, in the order of features */
    uint32_t *place;     /* [width] */
    uint32_t *own_place; /* [width] place, or NO_PLACE for all but the first of equal features */

    /* The entries of U in its leading lines, without the diagonal: by lines, and by columns. */
    size_t *start;    /* [leading + 1] the first entry of a line */
    size_t *tail;     /* [leading] a line's first entry in the dense block */
    uint32_t *column; /* [start[leading]] ascending places; from the tail on, places in the block */
    size_t *above;    /* [leading + 2] where the entries above a place begin in line and entry */
    uint32_t *line;   /* [above[leading]] the line of an entry */
    size_t *entry;    /* [above[leading]] the number of that entry in column */
    double products;  /* multiplications before the dense block */

    /* The values of the leading features. */
    size_t *first; /* [leading + 2] the first entry of a feature */
    uint32_t *row; /* [first[leading]] rows of the problem */
    double *value; /* [first[leading]] */

    /* The last factor, and working storage. */
    double *diagonal; /* [leading] 1/U_kk */
    double *norm;   /* [leading + dense] q, q^2 is the sum of s_j^2 over the features of a place */
    double *share;  /* [width] s_j / q */
    double *sum;    /* [leading + dense] a line; 0 between uses */
    double *folded; /* [2 (leading + dense)] a vector over places before and after a solution */
};

#define NO_PLACE UINT32_MAX

/* Returns about how many additions feature_order_find takes; infinite if there are too few
 * features, or rows are in a file, or have too many of these non-zeros. */
double feature_order_cost(const struct problem *problem, double nonzeros);

/* Finds an order if it halves the work of a factor and memory suffices; otherwise block stays NULL.
 * The problem has no team. */
void feature_order_find(struct feature_order *order, const struct problem *problem);
void feature_order_free(struct feature_order *order);

/* Forms the factor[width^2] from the upper triangle products[dense^2] of X'WX, the weights[rows]
 * of all rows, and S = diag(unit), NULL: I. Returns the trace of the matrix, or 0 if it was
 * stopped. */
double feature_factor_form(struct feature_order *order, const struct problem *problem,
                           const double *products, const double *weight, double scale,
                           const double *unit, double *factor, const struct stop *stop);

/* Sets p[width] := (U'U)^-1 p. */
void feature_factor_solve(const struct feature_order *order, const double *factor, double *p);

#endif
