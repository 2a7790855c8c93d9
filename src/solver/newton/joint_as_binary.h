/* joint_as_binary.h - the problem of all classes, where they are two, as one of signs.
 *
 * A sum over both columns of |w_m|^2 is least where w_2 = -w_1 among all of that w_1 - w_2, on
 * which alone the losses depend. With u = w_1 - w_2
 *
 *     |w_1|^2/2 + |w_2|^2/2 + sum_i C_i phi_i(w) = 1/2 (|u|^2/2 + sum_i 2 C_i phi(y_i <u, x_i>)),
 *
 * phi the hinge of Crammer and Singer's problem, the logistic loss of softmax. The dual points go
 * with each other the same way: a_i = (alpha_i/2, -alpha_i/2) for the row's class and the other.
 * As a half is exact, so is what this keeps of the other problem's certificate.
 */
#ifndef HINGE_SOLVER_NEWTON_JOINT_AS_BINARY_H
#define HINGE_SOLVER_NEWTON_JOINT_AS_BINARY_H

#include "solver/loop/solver.h"

/* Whether a task is such a problem. */
int joint_as_binary_apply(const struct task *task);

/* solver_train by the solver's of_two, for such a task. */
enum hinge_status joint_as_binary_train(const struct task *task, struct hinge_result *result,
                                        struct hinge_error *error);

#endif
