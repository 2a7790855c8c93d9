/* training.h - trainings of small problems, and the certificate recomputed from w, alpha and the
 * data. */
#ifndef HINGE_TESTS_TRAINING_H
#define HINGE_TESTS_TRAINING_H

#include "toy.h"

struct answer {
    double w[MOST_WIDTH];
    double alpha[MOST_ROWS];
    struct hinge_result result;
};

/* The place among the binary problems that trainings of toys report. */
enum { POSITION = 2, PROBLEMS = 5 };

/* Returns the number of the solver that a toy is tried with. */
int solver_of(const struct toy *toy);

/* Returns parameters with at most 100,000 passes, so that an endless training fails its test. */
struct hinge_parameters parameters_for(double gap, double eps);

/* Returns the same parameters without a second-order method and without a limit of passes. */
struct hinge_parameters plain_parameters_for(double gap, double eps);

/* Returns a task for the toy without a workspace, with w and alpha in the answer. */
struct task task_for(const struct toy *toy, const struct hinge_parameters *parameters,
                     const struct hinge_monitor *monitor, struct answer *answer);

/* Trains from the alpha in the answer; the rest of it is set to NaN before. */
void toy_train_from(const struct toy *toy, const struct hinge_parameters *parameters,
                    const struct hinge_monitor *monitor, struct answer *answer);

/* Trains as toy_train_from does, in a workspace that other trainings may have used. */
void toy_train_in(struct workspace *workspace, const struct toy *toy,
                  const struct hinge_parameters *parameters, const struct hinge_monitor *monitor,
                  struct answer *answer);

/* Trains from alpha = 0. */
void toy_train(const struct toy *toy, const struct hinge_parameters *parameters,
               const struct hinge_monitor *monitor, struct answer *answer);

/* Checks that the result is true of w and alpha, and that alpha is feasible. */
void check_certificate(const struct toy *toy, const struct answer *answer);

/* Checks by the reference that the certificate bounds the distance from the minimum. */
void check_optimum(const struct toy *toy, const struct answer *answer,
                   const struct bracket *bracket);

/* Checks LIBLINEAR's rule for its primal solvers: the norm of w - w(2 C max(0, 1 - z)). */
void check_primal_rule(const struct toy *toy, const struct answer *answer, double eps);

/* Checks LIBLINEAR's rule for its dual solvers, by the projected gradients at w = sum alpha_i y_i
 * x_i. Descent visits the rows of its last pass one after the other, so steps of at most eps / Q_jj
 * follow an examination. */
void check_dual_rule(const struct toy *toy, const struct answer *answer, double eps);

/* Checks the certificate, the outcome if only eps is asked for, and the rule of the toy's solver.
 */
void check_rule(const struct toy *toy, const struct answer *answer, double eps);

#endif
