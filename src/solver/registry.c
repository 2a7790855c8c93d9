/* registry.c - solver number -> name, loss, function. Adding a solver touches nothing else. */
#include "solver/solver.h"

static const struct solver solvers[] = {
    {{1, "dcd-l2", "L2-loss, dual coordinate descent (default)", "L2R_L2LOSS_SVC_DUAL"},
     LOSS_L2,
     dcd_solve},
    {{3, "dcd-l1", "L1-loss, dual coordinate descent", "L2R_L1LOSS_SVC_DUAL"}, LOSS_L1, dcd_solve},
};

enum { SOLVERS = sizeof solvers / sizeof solvers[0] };

const struct solver *solver_find(int number)
{
    for (int k = 0; k < SOLVERS; k++)
        if (solvers[k].info.number == number)
            return &solvers[k];
    return NULL;
}

const struct hinge_solver *hinge_solver_at(size_t position)
{
    return position < SOLVERS ? &solvers[position].info : NULL;
}

const struct hinge_solver *hinge_solver_find(int number)
{
    const struct solver *solver = solver_find(number);

    return solver ? &solver->info : NULL;
}
