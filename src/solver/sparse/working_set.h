/* working_set.h - the few of many features that a proximal Newton step is about.
 *
 * They are the features with a weight, and those that a dual point shows to be nearest to getting
 * one.
 */
#ifndef HINGE_SOLVER_SPARSE_WORKING_SET_H
#define HINGE_SOLVER_SPARSE_WORKING_SET_H

#include "base/memory.h"
#include "problem/sums.h"
#include "solver/linear/column_cache.h"
#include "solver/sparse/lasso.h"

struct working_set {
    const struct problem *problem;
    size_t count;                       /* features in the set */
    uint32_t *member;                   /* [features + 1] the set, ascending, and then the bias */
    const struct hinge_matrix *columns; /* of all features; no entries if equal to an earlier
                                           column, see feature_columns.h */
    const double *norm;                 /* [features] norms of the columns, see column_cache.h */
    double *signed_alpha;               /* [rows] y_i alpha_i */
    uint32_t *row;                      /* [rows] rows of the model, ascending */
    uint32_t *place;                    /* [rows] index of a row among the rows of the model */
    double *root;                       /* [rows] root of the weight of a row */
    struct hinge_matrix scaled;         /* columns of the model */
    size_t most;                        /* entries that scaled has room for */
    double *key;                        /* [features] priority of a feature; small: first */
    double *sorted;                     /* [features] copies to be partly sorted */
};

/* Takes the arrays for a problem. They need not be zeroed. */
void working_set_lay_out(struct working_set *set, struct arena *arena,
                         const struct problem *problem);

/* Begins with an empty set. */
void working_set_begin(struct working_set *set, const struct problem *problem,
                       const struct column_cache *by);

/* Sets v[width] to sum alpha_i y_i x_i, and to 0 for a feature that is equal to an earlier one. A
 * coordinate adds no more terms one after another than sums_combine does with these shards, so its
 * rounding errors have the same bound. */
void working_set_combine(struct working_set *set, const struct shards *shards, const double *alpha,
                         double *v);

/* Returns the median of |v_j| over the features that have a column, or 0 if there are none. */
double working_set_median(struct working_set *set, const double *v);

/* Sets v, by members, to factor times the sum for the features of the set and the bias. */
void working_set_combine_some(struct working_set *set, const double *alpha, double factor,
                              double *v);

/* Sets z[rows] to y_i <x_i, u>, where u is by members and 0 elsewhere. */
void working_set_margins(const struct working_set *set, const double *u, double *z);

/* Fills in the columns of a model whose rows have these weights. Rows of weight 0 are left out. */
void working_set_model(struct working_set *set, const double *weight, struct column_lasso *by);

/* Chooses all features with a weight, and others by their priority at multiple times v until the
 * set has about that size. A feature without entries or weight is never chosen. */
void working_set_choose(struct working_set *set, size_t size, const double *w, const double *v,
                        double multiple);

#endif
