/* l1_subproblem.h - writes a problem with an l1 term, restricted to some features, as a problem
 * without an l1 term.
 *
 * The l1 term of a feature is the hinge loss of two more rows, of target 0 and opposite signs:
 *
 *     l1 |w_j| = c max(0, k w_j) + c max(0, -k w_j),   c k = l1.
 *
 * c is about the mean C_i, so that the new rows resemble the others. The two rows of a feature have
 * the dual number beta_j, -c <= beta_j <= c. At the best beta, v_j + k beta_j = soft(v_j, l1), and
 * the dual is the dual of the problem with the l1 term.
 */
#ifndef HINGE_SOLVER_SPARSE_L1_SUBPROBLEM_H
#define HINGE_SOLVER_SPARSE_L1_SUBPROBLEM_H

#include "problem/problem.h"

/* The place of a feature that is left out. */
#define LEFT_OUT UINT32_MAX

struct l1_subproblem {
    struct problem problem; /* the rows of the whole, then two for each feature; a constant feature
                               is a feature of the data */
    double *alpha; /* [problem.rows + 1]; one more, because the driver reads them in pairs */
    double *w;     /* [features] */
    struct hinge_dataset data;
    uint32_t *row;
    signed char *sign;
    double *cost;
    double *target;
    void *block; /* storage of the arrays */
};

/* Makes the subproblem of the features with a place. place[width] numbers them from 0, and is
 * LEFT_OUT for the others. The part starts at alpha[rows] of the whole, whose sum is v[width]. */
enum hinge_status l1_subproblem_new(struct l1_subproblem *part, const struct problem *whole,
                                    const uint32_t *place, const double *alpha, const double *v,
                                    struct hinge_error *error);
void l1_subproblem_free(struct l1_subproblem *part);

#endif
