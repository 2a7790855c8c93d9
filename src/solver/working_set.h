/* working_set.h - the features that a step of the proximal Newton method is about, of many.
 *
 * They are those nearest to leaving 0 as a dual point has it, and those that are not 0. Of the
 * others some are screened: a bound of the gap shows that they are 0 in every solution.
 */
#ifndef HINGE_SOLVER_WORKING_SET_H
#define HINGE_SOLVER_WORKING_SET_H

#include "base/memory.h"
#include "problem/problem.h"
#include "solver/linear/lasso.h"

struct working_set {
    const struct problem *problem;
    size_t count;                 /* of the set, */
    uint32_t *member;             /* [features + 1] which they are, ascending, and the bias */
    struct hinge_matrix *columns; /* of all features */
    uint32_t candidates;          /* features that are not screened, */
    uint32_t *candidate;          /* [features] ascending */
    double *norm;                 /* [features] sqrt(sum h_i x_ij^2), h_i the largest second
                                     derivative of row i's loss */
    double *signed_alpha;         /* [rows] */
    uint32_t *place;              /* [rows] of a row in the model, or rows, */
    double *root;                 /* [rows] and the root of its weight */
    struct hinge_matrix scaled;   /* columns of the model */
    double *key;                  /* [features] */
    double *sorted;               /* [features] */
};

/* Whether a set of few features is worth its choice. */
int working_set_pays(const struct problem *problem);

/* Takes the arrays for a problem, but for the columns. */
void working_set_lay_out(struct working_set *set, struct arena *arena,
                         const struct problem *problem);

/* Begins with no features. */
enum hinge_status working_set_begin(struct working_set *set, const struct problem *problem,
                                    struct hinge_error *error);
void working_set_end(struct working_set *set);

/* v[width] := sum alpha_i y_i x_i, of screened features 0. */
void working_set_combine(struct working_set *set, const double *alpha, double *v);

/* The same of the features of the set alone, and the bias: factor times that, by members. */
void working_set_combine_some(struct working_set *set, const double *alpha, double factor,
                              double *v);

/* change[rows] := y_i <x_i, step>, the step by members. */
void working_set_margins(const struct working_set *set, const double *step, double *change);

/* Fills in the columns of a model whose rows have these weights; those of 0 are left out. */
void working_set_model(struct working_set *set, const double *weight, struct column_lasso *by);

/* Chooses about so many features. */
void working_set_choose(struct working_set *set, size_t size, const double *w, const double *v);

/* Screens features, v being that of a dual point at most gap from P(w). Then, or not, all come
 * back. */
void working_set_screen(struct working_set *set, double gap, const double *w, const double *v);
void working_set_restore(struct working_set *set);

#endif
