/* normal_factor.h - what normal.c has: the weights of a normal matrix, and a factor of it or of an
 * earlier one.
 */
#ifndef HINGE_SOLVER_NORMAL_FACTOR_H
#define HINGE_SOLVER_NORMAL_FACTOR_H

#include "solver/normal.h"

struct normal {
    const struct binary_problem *problem;
    size_t width;
    double scale;
    int by_features;   /* A is over features, else over rows */
    size_t capacity;   /* largest order of a factor; 0: none */
    size_t order;      /* of the factor; 0: there is none */
    double spent;      /* multiply-adds of solving, since the factor was made */
    size_t nonzeros;   /* of the member rows */
    uint32_t members;  /* rows of positive weight */
    uint32_t *member;  /* [rows] which they are, in ascending order */
    uint32_t *held;    /* the rows that the factor is over; [rows] by features, else [capacity] */
    size_t helds;      /* by features: how many, those with a weight in sum */
    double *memory;    /* the arrays below */
    double *weight;    /* [rows] of the members */
    double *summed;    /* [rows] by features: of the held rows, in sum */
    double *sum;       /* by features [width^2]: upper triangle of X'WX, by rows; by rows
                          [capacity (capacity + 1)/2]: <x_i, x_j> of the rows in two slots */
    uint32_t *slot_of; /* [rows] by rows: slot of a row that has one */
    uint32_t *row_in;  /* [capacity] by rows: the row in a slot */
    size_t slots;      /* how many are taken */
    double *factor;    /* [order^2] U of I + A = U'U by rows; on its diagonal 1/U_jj */
    double *root;      /* [capacity] by rows: the diagonal of D */
    double *reduced;   /* [capacity] */
    double *diagonal;  /* [width] 1/H_jj */
    double *residual;  /* [width] */
    double *direction; /* [width] */
    double *product;   /* [width] */
    double *corrected; /* [width] the preconditioned residual */
};

/* What a factor costs, of that order, over so many rows and their non-zeros. */
double normal_factor_price(int by_features, double order, double members, double nonzeros);

/* What one of the present H costs; infinite where there is no room for it. */
double normal_factor_price_now(const struct normal *normal);

/* Makes it. */
void normal_factor_renew(struct normal *normal);

/* p := (I + A)^-1 r, or what it comes to over rows. */
void normal_factor_solve(struct normal *normal, const double *r, double *p);

/* Whether the factor, which is of the present H, solves as well as asked for, so that there is
 * nothing to refine. Its rounding errors, relative to the trace of H, count relative to the
 * smallest eigenvalue, which is at least 1; and those of older, larger sums are in it. */
int normal_factor_is_exact(const struct normal *normal, double tolerance);

#endif
