/* by_hand.c - a task, its dual point and its workspace for one training. */
#include "by_hand.h"

#include <stdlib.h>

struct problem problem_for(const struct hinge_dataset *data,
                           const struct hinge_parameters *parameters, const uint32_t *row,
                           const signed char *sign, const double *cost)
{
    const struct solver *solver = solver_find(parameters->solver);

    return (struct problem){.data = data,
                            .row = row,
                            .sign = sign,
                            .cost = cost,
                            .loss = solver->loss,
                            .bias_kind = solver_bias_kind(solver, parameters),
                            .bias = solver_bias(solver, parameters)};
}

struct hinge_result solve_problem(const struct problem *problem,
                                  const struct hinge_parameters *parameters, const double *start,
                                  double *w)
{
    struct hinge_error error = {HINGE_OK, ""};
    struct hinge_result result;
    struct task task = {.problem = problem,
                        .solver = solver_find(parameters->solver),
                        .parameters = parameters,
                        .problems = 1,
                        .positive = 1,
                        .start = start,
                        .alpha = calloc((size_t)problem->rows + 1, sizeof *task.alpha),
                        .w = w,
                        .workspace = workspace_new(&error)};

    assert_true(task.alpha && task.workspace);
    assert_int_equal(solver_train(&task, &result, &error), HINGE_OK);
    workspace_free(task.workspace);
    free(task.alpha);
    return result;
}
