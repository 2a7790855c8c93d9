/* by_features.h - the rows of a problem by features, as the proximal Newton method needs them: the
 * columns of X, or where the features are few X'WX.
 *
 * Trainings of the same rows and targets at other C share it: norms and matrix change with C by a
 * factor alone.
 */
#ifndef HINGE_SOLVER_BY_FEATURES_H
#define HINGE_SOLVER_BY_FEATURES_H

#include "problem/problem.h"

struct by_features {
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
int by_features_in_columns(const struct problem *problem);

/* The columns and their norms, or a matrix of weights 0. NULL and *error if there is no memory. */
struct by_features *by_features_new(const struct problem *problem, int in_columns,
                                    struct hinge_error *error);
void by_features_free(struct by_features *by);

/* Makes it that of the same rows and targets at another C; 0: the problem needs another one. */
int by_features_turn(struct by_features *by, const struct problem *problem);

#endif
