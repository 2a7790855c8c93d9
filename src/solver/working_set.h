/* working_set.h - the features that a step of the proximal Newton method is about.
 *
 * With few features, all of them. Else those nearest to leaving 0 as a dual point has it, and those
 * that are not 0: the problem of these alone is a view of a copy of their columns. Of the others
 * some are screened: a bound of the gap shows that they are 0 in every solution.
 */
#ifndef HINGE_SOLVER_WORKING_SET_H
#define HINGE_SOLVER_WORKING_SET_H

#include "base/memory.h"
#include "problem/problem.h"

struct working_set {
    struct problem problem; /* of these features alone */
    const struct problem *whole;
    size_t most;                  /* features of a set; 0: it is always all */
    size_t count;                 /* of the set */
    uint32_t *member;             /* [most + 1] which they are, ascending, and the bias */
    struct hinge_matrix *columns; /* of all features; not used if the set is all */
    struct hinge_dataset data;    /* the rows of problem */
    uint32_t *row;                /* [rows] 0, 1, 2 .. */
    uint32_t candidates;          /* features that are not screened, */
    uint32_t *candidate;          /* [features] ascending */
    double *norm;                 /* [features] sqrt(sum h_i x_ij^2), h_i the largest second
                                     derivative of row i's loss */
    double *signed_alpha;         /* [rows] */
    double *key;                  /* [features] */
    double *sorted;               /* [features] */
};

/* Takes the arrays for a problem. */
void working_set_lay_out(struct working_set *set, struct arena *arena,
                         const struct problem *problem);

/* Begins with all features, or with none of many. */
enum hinge_status working_set_begin(struct working_set *set, const struct problem *problem,
                                    struct hinge_error *error);
void working_set_end(struct working_set *set);

/* The entry of w that goes with one of the set, the bias being the last. */
static inline size_t working_set_feature(const struct working_set *set, size_t j)
{
    return set->most > 0 ? set->member[j] : j;
}

/* v[width] := sum alpha_i y_i x_i, of screened features 0. Not if the set is all features. */
void working_set_combine(struct working_set *set, const double *alpha, double *v);

/* Chooses about so many features. */
void working_set_choose(struct working_set *set, size_t size, const double *w, const double *v);

/* Screens features, v being that of a dual point at most gap from P(w). Then, or not, all come
 * back. */
void working_set_screen(struct working_set *set, double gap, const double *w, const double *v);
void working_set_restore(struct working_set *set);

#endif
