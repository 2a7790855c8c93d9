/* normal.h - the normal matrix of a second-order step, H = I + scale sum_i weight_i x_i x_i'.
 *
 * All engines meet it: Newton's method has it as its Hessian, an interior-point step comes down to
 * it. With few features it is formed and factored; with many it is only multiplied with.
 */
#ifndef HINGE_SOLVER_NORMAL_H
#define HINGE_SOLVER_NORMAL_H

#include "problem/binary.h"

struct normal;

/* Whether H is formed and factored. */
enum normal_method {
    NORMAL_DIRECT, /* n^2 numbers twice; Cholesky */
    NORMAL_ITERATIVE /* conjugate gradients, preconditioned with the diagonal */
};

/* Asks for all the memory it will use. NULL and *error when there is none. */
struct normal *normal_new(const struct binary_problem *problem, enum normal_method method,
                          struct hinge_error *error);
void normal_free(struct normal *normal);

/* Takes new weights, [rows] >= 0, and factors where it factors. */
void normal_form(struct normal *normal, const double *weight, double scale);

/* p := H^-1 r, both [width], up to |r - H p| <= tolerance |r|, or as near as it gets in so many
 * steps of conjugate gradients. The steps taken. */
size_t normal_solve(struct normal *normal, const double *r, double *p, double tolerance,
                    size_t most);

#endif
