/* working_set.h - the features that a step of the proximal Newton method is about, of many.
 *
 * They are those nearest to leaving 0 as a dual point has it, and those that are not 0. Of the
 * others some are screened: a bound of the gap shows that they are 0 in every solution.
 */
#ifndef HINGE_SOLVER_SPARSE_WORKING_SET_H
#define HINGE_SOLVER_SPARSE_WORKING_SET_H

#include "base/memory.h"
#include "problem/sums.h"
#include "solver/linear/column_cache.h"
#include "solver/sparse/lasso.h"

struct working_set {
    const struct problem *problem;
    size_t count;                       /* of the set, */
    uint32_t *member;                   /* [features + 1] which they are, ascending, and the bias */
    const struct hinge_matrix *columns; /* of all features, */
    const double *norm;                 /* [features] and their norms: see column_cache.h */
    uint32_t candidates;                /* features that are not screened, */
    uint32_t *candidate;                /* [features] ascending */
    double *signed_alpha;               /* [rows] */
    uint32_t *row;                      /* [rows] the rows of the model, ascending, */
    uint32_t *place;                    /* [rows] the place of a row in these, */
    double *root;                       /* [rows] and the root of its weight */
    struct hinge_matrix scaled;         /* columns of the model */
    double *key;                        /* [features] */
    double *sorted;                     /* [features] */
};

/* Takes the arrays for a problem. None of them need be zeroed. */
void working_set_lay_out(struct working_set *set, struct arena *arena,
                         const struct problem *problem);

/* Begins with no features. */
void working_set_begin(struct working_set *set, const struct problem *problem,
                       const struct column_cache *by);

/* v[width] := sum alpha_i y_i x_i. A coordinate has no more additions than that of sums_combine
 * with these shards. */
void working_set_combine(struct working_set *set, const struct shards *shards, const double *alpha,
                         double *v);

/* The same where v has that of another dual point: the farther that is, the more of the |v_j| are
 * computed, and the others are bounded. v_j becomes the bound: at least |v_j|, less than 1, and so
 * much less that feature j is not among the nearest to leaving 0. */
void working_set_combine_near(struct working_set *set, const struct shards *shards,
                              const double *alpha, const double *reference, double *v);

/* The same of the features of the set alone, and the bias: factor times that, by members. */
void working_set_combine_some(struct working_set *set, const double *alpha, double factor,
                              double *v);

/* z[rows] := y_i <x_i, u>, u by members and 0 elsewhere. */
void working_set_margins(const struct working_set *set, const double *u, double *z);

/* Fills in the columns of a model whose rows have these weights; those of 0 are left out. */
void working_set_model(struct working_set *set, const double *weight, struct column_lasso *by);

/* Chooses about so many features. */
void working_set_choose(struct working_set *set, size_t size, const double *w, const double *v);

/* Screens features, v being that of a dual point at most gap from P(w), or bounds of it. Then, or
 * not, all come back. */
void working_set_screen(struct working_set *set, double gap, const double *w, const double *v);
void working_set_restore(struct working_set *set);

#endif
