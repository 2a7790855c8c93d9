/* row_factor.h - (I + scale S sum_i weight_i x_i x_i' S)^-1 by a Cholesky factor over the rows, of
 * which few have a weight; S = I or another diagonal matrix.
 */
#ifndef HINGE_SOLVER_LINEAR_ROW_FACTOR_H
#define HINGE_SOLVER_LINEAR_ROW_FACTOR_H

#include "problem/sums.h"
#include "solver/linear/row_products.h"

struct row_factor {
    struct row_products products;
    size_t order;       /* rows that it is over; 0: there is none */
    uint32_t *row;      /* [capacity] which these are */
    double *root;       /* [capacity] of D Y */
    double *factor;     /* [capacity^2] U of I + A = U'U, see cholesky.h */
    double *reduced;    /* [capacity] */
    double *border;     /* [capacity] h of a large bias; NULL: there is none */
    double pivot;       /* 1 + <u, h> */
    const double *unit; /* [width] S; NULL: I; the caller's */
    double *square;     /* [width] S^2; NULL unless R = |w|_1 */
    double *in_units;   /* [width] S p; NULL unless R = |w|_1 */

    /* In a team: */
    struct problem view; /* its rows, of those that are lent */
    uint32_t *lent_row;  /* [capacity] the slot of such a row, */
    uint32_t *whole_row; /* [capacity] its row in the data, */
    signed char *sign;   /* [capacity] and its sign; NULL: no team */
};

/* Takes the arrays for a problem of that shape and so many rows with a weight. Whether it has a
 * free bias is what decides whether the one of the problems below is large. */
void row_factor_lay_out(struct row_factor *to, struct arena *arena, const struct problem *problem,
                        size_t capacity);

/* Frees what is not in the arena. */
void row_factor_free(struct row_factor *factor);

/* Forgets the rows. */
void row_factor_clear(struct row_factor *factor);

/* Forgets the rows, and sets S. */
void row_factor_set_units(struct row_factor *factor, const double *unit);

/* Makes it that of these rows, capacity of all ranks at most, ascending, and their weights. 0, and
 * no factor: it is not to be had. */
int row_factor_form(struct row_factor *factor, const struct problem *problem, struct selection rows,
                    const double *weight, double scale, const struct stop *stop);

/* p[width] := that inverse times p. The problem may be one of the same rows at another C. */
void row_factor_solve(const struct row_factor *factor, const struct shards *shards,
                      const struct problem *problem, double *p);

#endif
