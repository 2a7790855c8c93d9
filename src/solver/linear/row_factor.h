/* row_factor.h - (I + scale S sum_i weight_i x_i x_i' S)^-1 by a Cholesky factor over the rows, few
 * of which have a weight; S = I or another diagonal matrix.
 */
#ifndef HINGE_SOLVER_LINEAR_ROW_FACTOR_H
#define HINGE_SOLVER_LINEAR_ROW_FACTOR_H

#include "base/memory.h"
#include "base/stop.h"
#include "problem/sums.h"
#include "solver/linear/gathered_rows.h"

struct row_factor {
    size_t order;       /* rows that the factor is over; 0: there is none */
    uint32_t *row;      /* [capacity] these rows */
    double *root;       /* [capacity] diagonal of D Y */
    double *factor;     /* [capacity^2] U of I + A = U'U, see cholesky.h */
    double *reduced;    /* [capacity] */
    double *border;     /* [capacity] h of a large bias; NULL: there is none */
    double pivot;       /* 1 + <u, h> */
    const double *unit; /* [width] S; NULL: I; the caller's */
    double *square;     /* [width] S^2; NULL unless R = |w|_1 */
    double *in_units;   /* [width] S p; NULL unless R = |w|_1 */

    /* Products of rows, kept from one factor to the next. Each of these rows has a slot. */
    size_t capacity;
    size_t slots;      /* taken */
    uint32_t *slot_of; /* [rows of the problem] slot of a row that has one */
    uint32_t *row_in;  /* [capacity] the row in a slot */
    double *pairs;     /* [capacity (capacity + 1)/2] <S x_i, S x_j> of the rows in two slots */
    size_t lanes;      /* rows that get a slot together */
    double *dense;     /* [width lanes] S^2 times these rows; 0 between uses */

    /* In a team, each rank has copies of the rows of all: */
    struct gathered_rows gathered; /* in the order of their slots */
    uint32_t *missing;             /* [capacity] places of a list without a slot; NULL: no team */
    struct problem view;           /* the rows of the factor as a problem of copies */
    uint32_t *copy_row;            /* [capacity] the slot of such a row */
    uint32_t *whole_row;           /* [capacity] its row in the data */
    signed char *sign;             /* [capacity] its sign */
};

/* Takes the arrays for a problem of that shape and so many rows with a weight. If that problem has
 * a free bias, the bias of the problems below is large. */
void row_factor_lay_out(struct row_factor *to, struct arena *arena, const struct problem *problem,
                        size_t capacity);

/* Frees what is not in the arena. */
void row_factor_free(struct row_factor *factor);

/* Forgets the rows. */
void row_factor_clear(struct row_factor *factor);

/* Forgets the rows, and sets S. */
void row_factor_set_units(struct row_factor *factor, const double *unit);

/* Makes it the factor of these rows, ascending, at most capacity of all ranks, and their weights.
 * Rows that are not among them keep their products as long as there is room. False, and there is no
 * factor, if stop was asked or the team failed. */
int row_factor_form(struct row_factor *factor, const struct problem *problem, struct selection rows,
                    const double *weight, double scale, const struct stop *stop);

/* Sets p[width] to that inverse times p. The problem may have the same rows at another C. */
void row_factor_solve(const struct row_factor *factor, const struct shards *shards,
                      const struct problem *problem, double *p);

#endif
