/* column_cache.h - the rows of a problem by features, for the proximal Newton method: the columns
 * of X or, with few features, X'WX.
 *
 * Trainings of the same rows and targets at other C share the cache, because C only scales the
 * norms and the matrix.
 */
#ifndef HINGE_SOLVER_LINEAR_COLUMN_CACHE_H
#define HINGE_SOLVER_LINEAR_COLUMN_CACHE_H

#include "data/feature_columns.h"
#include "problem/problem.h"

struct column_cache {
    size_t rows;
    size_t width;
    double cost; /* cost of row 0 when norm, least, most and matrix were found */
    const struct feature_columns *columns; /* columns of the problem's rows; NULL: few features */
    struct feature_columns *own;           /* columns, if they were made here; else NULL */
    double *norm;       /* [features] sqrt(sum h_i x_ij^2), h_i the largest second derivative of row
                           i's loss; 0 for a feature that is equal to an earlier one */
    double least, most; /* least and largest norm that is not 0 */
    double *matrix;     /* [width^2] with few features, sum_i weight_i x_i x_i' */
    double *weight;     /* [rows] */
};

/* True if a model of all features by X'WX costs more than a model of a few features by columns. */
int column_cache_in_columns(const struct problem *problem);

/* Returns the columns and their norms or, unless in_columns, X'WX for weights 0. NULL and *error if
 * there is no memory. */
struct column_cache *column_cache_new(const struct problem *problem, int in_columns,
                                      struct hinge_error *error);
void column_cache_free(struct column_cache *by);

/* Adapts the cache to the same rows and targets at another C. False if the problem needs another
 * cache. */
int column_cache_turn(struct column_cache *by, const struct problem *problem);

#endif
