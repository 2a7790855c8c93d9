/* column_cache.h - the rows of a problem by features, as the proximal Newton method needs them: the
 * columns of X, or where the features are few X'WX.
 *
 * Trainings of the same rows and targets at other C share it: norms and matrix change with C by a
 * factor alone.
 */
#ifndef HINGE_SOLVER_LINEAR_COLUMN_CACHE_H
#define HINGE_SOLVER_LINEAR_COLUMN_CACHE_H

#include "problem/problem.h"

struct column_cache {
    size_t size; /* bytes of its own arrays */
    size_t rows;
    size_t width;
    double cost;                        /* of row 0, which the following numbers go with */
    const struct hinge_matrix *columns; /* [features] entries of the problem's rows; NULL: few */
    struct hinge_matrix *own;           /* the same if the problem had none */
    double *norm;       /* [features] sqrt(sum h_i x_ij^2), h_i the largest second derivative of row
                           i's loss */
    double least, most; /* of those that are not 0 */
    double *matrix;     /* [width^2] of few features: sum_i weight_i x_i x_i' */
    double *weight;     /* [rows] */
};

/* Whether a model of all features by a matrix costs more than one of a few of them by columns. */
int column_cache_in_columns(const struct problem *problem);

/* The columns and their norms, or a matrix of weights 0. NULL and *error if there is no memory. */
struct column_cache *column_cache_new(const struct problem *problem, int in_columns,
                                      struct hinge_error *error);
void column_cache_free(struct column_cache *by);

/* Makes it that of the same rows and targets at another C; 0: the problem needs another one. */
int column_cache_turn(struct column_cache *by, const struct problem *problem);

#endif
