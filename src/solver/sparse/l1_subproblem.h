/* l1_subproblem.h - a problem with an l1 term, its weights 0 but on some features, as a problem
 * without.
 *
 * A feature's l1 term is the hinge loss of two more rows, of target 0 and either sign:
 *
 *     l1 |w_j| = c max(0, k w_j) + c max(0, -k w_j),   c k = l1,
 *
 * c being about a C_i, so that rows and features are of one size. With beta_j, -c <= beta_j <= c,
 * for the two of a feature, the dual is that with R* where beta is best: v_j + k beta_j is then
 * soft(v_j, l1).
 */
#ifndef HINGE_SOLVER_SPARSE_L1_SUBPROBLEM_H
#define HINGE_SOLVER_SPARSE_L1_SUBPROBLEM_H

#include "problem/problem.h"

/* A feature that is left out. */
#define LEFT_OUT UINT32_MAX

struct l1_subproblem {
    struct problem problem; /* rows as the whole's, then two for each feature; all features are in
                               R: a constant one is one of the data */
    double *alpha;          /* [problem.rows + 1] one more than it has: the driver looks at twos */
    double *w;              /* [features] */
    struct hinge_dataset data;
    uint32_t *row;
    signed char *sign;
    double *cost;
    double *target;
    void *block; /* the memory of it all */
};

/* The part of the features that have a place: place[width] counts them from 0, and is LEFT_OUT of
 * the others. It starts at alpha[rows] of the whole, of which v[width] is the sum. */
enum hinge_status l1_subproblem_new(struct l1_subproblem *part, const struct problem *whole,
                                    const uint32_t *place, const double *alpha, const double *v,
                                    struct hinge_error *error);
void l1_subproblem_free(struct l1_subproblem *part);

#endif
