/* solver.h - what a solver is to the rest of the program: one file, and one row in registry.c.
 *
 * A solver minimises P over w for one binary problem and proves with a dual point how far it got.
 * It never prints, keeps nothing it allocated, and knows the world only through its monitor.
 */
#ifndef HINGE_SOLVER_SOLVER_H
#define HINGE_SOLVER_SOLVER_H

#include "problem/objective.h"

struct normal;

/* What tells the stochastic solvers apart: the step size is step/(sigma (t + shift)). */
struct recipe {
    double step;
    double shift;
    int projection;             /* onto |w| <= 1/sqrt(sigma) */
    enum hinge_average average; /* by default */
};

/* What a training asks of each of its binary problems. */
struct solver_task {
    const struct binary_problem *problem;
    enum loss loss;
    const struct hinge_parameters *parameters;
    const struct hinge_monitor *monitor; /* or NULL */
    size_t fold;                         /* for the monitor, like the next five */
    size_t folds;
    double C;
    size_t position; /* of this problem */
    size_t problems;
    double positive;             /* label of the rows whose sign is +1 */
    const struct recipe *recipe; /* of a stochastic solver */
    const double *start; /* [width] w to start from, if the solver starts so; NULL: from 0 */
    double *alpha; /* [rows] or NULL; a dual solver starts from this feasible point (NULL: from 0)
                      and leaves the dual point of its certificate there */
    struct normal **kept; /* or NULL; what an engine leaves for the next training of a problem with
                             the same rows, freed by the caller */
};

/* Fills w[binary_width], *result and, if it is a dual solver, the task's alpha. On failure
 * (HINGE_NO_MEMORY) none of them has a meaning. */
typedef enum hinge_status solve_function(const struct solver_task *task, double *w,
                                         struct hinge_result *result, struct hinge_error *error);

struct solver {
    struct hinge_solver info;
    enum loss loss;
    solve_function *solve;
    struct recipe recipe; /* all zero for the others */
};

/* The solver of that number, or NULL. */
const struct solver *solver_find(int number);

/* The progress of a task that has not begun. */
struct hinge_progress progress_new(const struct solver_task *task);

/* Notes a measurement for w. */
void progress_measured(struct hinge_progress *progress, const struct objective *objective,
                       const double *w);

/* Asks all monitors; the largest answer. Where that is HINGE_MEASURE, measure(state), which is to
 * call progress_measured, and asks again. Never answers HINGE_MEASURE. */
enum hinge_answer monitor_ask(const struct hinge_monitor *monitor,
                              const struct hinge_progress *progress, void (*measure)(void *state),
                              void *state);

/* The t of the step sizes behind which a stochastic solver starts: 0, or where the initial model
 * ended, or if that is not known as many steps as it will take itself. */
double stochastic_begin(const struct hinge_parameters *parameters, double rows);

/* The value of the constant feature: 1 where the bias is free, else what the parameters say; -1:
 * none. */
double solver_bias(const struct hinge_parameters *parameters);

/* The gap that "certified" stands for. */
double solver_target(const struct hinge_parameters *parameters);

/* The outcome that an answer ends with. */
enum hinge_outcome outcome_of(enum hinge_answer answer);

/* Copies what progress says into a result, whose outcome it sets. */
void result_fill(struct hinge_result *result, const struct hinge_progress *progress,
                 enum hinge_outcome outcome);

/* The end of a training by a dual solver, whose last measurement is of what it returns: the
 * outcome is HINGE_CERTIFIED if the gap says so, the monitors hear the last word. */
void result_close(struct hinge_result *result, const struct solver_task *task,
                  struct hinge_progress *progress, enum hinge_outcome outcome, const double *alpha);

solve_function dcd_solve, newton_solve, interior_point_solve, smo_solve, sgd_solve, proximal_solve;

#endif
