/* solver.h - what a solver is to the rest of the program: one file, and one row in registry.c.
 *
 * A solver minimises P over w for one binary problem and proves with a dual point how far it got.
 * It never prints, keeps nothing it allocated, and knows the world only through its monitor.
 */
#ifndef HINGE_SOLVER_SOLVER_H
#define HINGE_SOLVER_SOLVER_H

#include "problem/objective.h"

/* What a training asks of each of its binary problems. */
struct solver_task {
    const struct binary_problem *problem;
    enum loss loss;
    const struct hinge_parameters *parameters;
    const struct hinge_monitor *monitor; /* or NULL */
    size_t position;                     /* of this problem, for the monitor */
    size_t problems;
};

/* Fills w[binary_width] and *result. On failure (HINGE_NO_MEMORY) neither has a meaning. */
typedef enum hinge_status solve_function(const struct solver_task *task, double *w,
                                         struct hinge_result *result, struct hinge_error *error);

struct solver {
    struct hinge_solver info;
    enum loss loss;
    solve_function *solve;
};

/* The solver of that number, or NULL. */
const struct solver *solver_find(int number);

/* Asks all monitors; the largest answer. */
enum hinge_answer monitor_ask(const struct hinge_monitor *monitor,
                              const struct hinge_progress *progress);

/* The gap that "certified" stands for. */
double solver_target(const struct hinge_parameters *parameters);

solve_function dcd_solve;

#endif
