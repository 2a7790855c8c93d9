/* registry.c - solver number -> name, loss, the method it begins with. */
#include "solver/method.h"

#define HAS(average) (1u << HINGE_AVERAGE_##average)

static const struct solver solvers[] = {
    {.info = {1, HINGE_DUAL, 0, 0, 1, 1, 0, 0, 0, 0, "dcd-l2",
              "L2-loss, dual coordinate descent, then newton (default)", "L2R_L2LOSS_SVC_DUAL"},
     .loss = LOSS_SQUARED_HINGE,
     .method = &coordinate_descent,
     .newton = "newton"},
    {.info = {3, HINGE_DUAL, 0, 0, 1, 1, 0, 0, 0, 0, "dcd-l1",
              "L1-loss, dual coordinate descent, then pnewton", "L2R_L1LOSS_SVC_DUAL"},
     .loss = LOSS_HINGE,
     .method = &coordinate_descent,
     .newton = "pnewton"},
    {.info = {2, HINGE_DUAL, 0, 0, 1, 1, 0, 0, 0, 0, "newton-l2",
              "L2-loss, Newton's method, after passes if features are many", "L2R_L2LOSS_SVC"},
     .loss = LOSS_SQUARED_HINGE,
     .method = &newton,
     .newton = "newton",
     .primal_rule = 1},
    {.info = {0, HINGE_DUAL, 0, 0, 1, 1, 0, 0, 0, 0, "lr-newton",
              "logistic regression, Newton's method, the same way", "L2R_LR"},
     .loss = LOSS_LOGISTIC,
     .method = &newton,
     .newton = "newton",
     .primal_rule = 1},
    {.info = {7, HINGE_DUAL, 0, 0, 1, 1, 0, 0, 0, 0, "lr-dcd",
              "logistic regression, dual coordinate descent, then newton", "L2R_LR_DUAL"},
     .loss = LOSS_LOGISTIC,
     .method = &coordinate_descent,
     .newton = "newton"},
    {.info = {11, HINGE_DUAL, 0, 0, 1, 1, 0, 1, 0, 0, "svr-newton",
              "regression, squared loss beyond epsilon, Newton's method", "L2R_L2LOSS_SVR"},
     .loss = LOSS_SQUARED_INSENSITIVE,
     .method = &newton,
     .newton = "newton",
     .primal_rule = 1},
    {.info = {12, HINGE_DUAL, 0, 0, 1, 1, 0, 1, 0, 0, "svr-dcd-l2",
              "regression, the same loss, dual coordinate descent, then newton",
              "L2R_L2LOSS_SVR_DUAL"},
     .loss = LOSS_SQUARED_INSENSITIVE,
     .method = &coordinate_descent,
     .newton = "newton"},
    {.info = {13, HINGE_DUAL, 0, 0, 1, 1, 0, 1, 0, 0, "svr-dcd-l1",
              "regression, absolute loss beyond epsilon, dcd, then pnewton", "L2R_L1LOSS_SVR_DUAL"},
     .loss = LOSS_INSENSITIVE,
     .method = &coordinate_descent,
     .newton = "pnewton"},
    {.info = {5, HINGE_DUAL, 0, 2, 0, 1, 0, 0, 0, 0, "l1r-l2loss",
              "L2-loss, |w|_1 in the place of |w|^2/2, proximal Newton, then ipm",
              "L1R_L2LOSS_SVC"},
     .loss = LOSS_SQUARED_HINGE,
     .method = &proximal_newton,
     .only_l1 = 1},
    {.info = {6, HINGE_DUAL, 0, 2, 0, 1, 0, 0, 0, 0, "l1r-lr",
              "logistic regression, |w|_1 in the place of |w|^2/2, the same way", "L1R_LR"},
     .loss = LOSS_LOGISTIC,
     .method = &proximal_newton,
     .only_l1 = 1},
    {.info = {4, HINGE_DUAL, 0, 0, 1, 1, 0, 0, 1, 0, "crammer-singer",
              "L1-loss of all classes at once, sequential dual, then pnewton", "MCSVM_CS"},
     .loss = LOSS_HINGE,
     .method = &sequential_dual,
     .newton = "pnewton"},
    {.info = {21, HINGE_DUAL, 0, 0, 0, 1, 0, 0, 0, 1, "one-class",
              "one-class SVM (novelty detection), Newton's method", "ONECLASS_SVM"},
     .loss = LOSS_ONE_CLASS,
     .method = &newton,
     .newton = "pnewton"},
    {.info = {60, HINGE_DUAL, 0, 0, 0, 1, 0, 0, 0, 0, "ipm", "L1-loss, interior point",
              "L2R_L1LOSS_SVC_DUAL"},
     .loss = LOSS_HINGE,
     .method = &interior_point},
    {.info = {61, HINGE_DUAL, 0, 0, 0, 1, 0, 0, 0, 0, "pnewton",
              "L1-loss, Newton steps on the free rows, projected", "L2R_L1LOSS_SVC_DUAL"},
     .loss = LOSS_HINGE,
     .method = &newton,
     .newton = "pnewton"},
    {.info = {62, HINGE_DUAL, 0, 0, 0, 1, 0, 0, 1, 0, "softmax",
              "multinomial logistic regression, all classes at once, Newton's method", "MCSVM_CS"},
     .loss = LOSS_LOGISTIC,
     .method = &softmax,
     .newton = "newton",
     .primal_rule = 1},
    {.info = {42, HINGE_DUAL, 0, 1, 1, 1, 0, 0, 0, 0, "enet",
              "L1-loss and l1, dual coordinate descent, then pnewton", "L2R_L1LOSS_SVC_DUAL"},
     .loss = LOSS_HINGE,
     .method = &coordinate_descent,
     .newton = "pnewton"},
    {.info = {50, HINGE_DUAL, 0, 0, 1, 0, 1, 0, 0, 0, "smo",
              "L1-loss with a free bias, pairs of rows, then pnewton", "L2R_L1LOSS_SVC_DUAL"},
     .loss = LOSS_HINGE,
     .method = &smo,
     .newton = "pnewton"},
    {.info = {30, HINGE_STOCHASTIC, HAS(NONE) | HAS(UNIFORM) | HAS(WEIGHTED) | HAS(RANDOM), 0, 0, 1,
              0, 0, 0, 0, "pegasos", "L1-loss, projected stochastic subgradient",
              "L2R_L1LOSS_SVC_DUAL"},
     .loss = LOSS_HINGE,
     .method = &sgd,
     .schedule = {1, 0, 1, HINGE_AVERAGE_NONE, 0}},
    {.info = {31, HINGE_STOCHASTIC, HAS(NONE) | HAS(UNIFORM) | HAS(WEIGHTED), 0, 0, 1, 0, 0, 0, 0,
              "sgd", "L1-loss, stochastic subgradient, uniform average", "L2R_L1LOSS_SVC_DUAL"},
     .loss = LOSS_HINGE,
     .method = &sgd,
     .schedule = {1, 0, 0, HINGE_AVERAGE_UNIFORM, 0}},
    {.info = {32, HINGE_STOCHASTIC, HAS(NONE) | HAS(UNIFORM) | HAS(WEIGHTED), 0, 0, 1, 0, 0, 0, 0,
              "sgd-w", "L1-loss, stochastic subgradient, average weighted by t",
              "L2R_L1LOSS_SVC_DUAL"},
     .loss = LOSS_HINGE,
     .method = &sgd,
     .schedule = {2, 1, 0, HINGE_AVERAGE_WEIGHTED, 0}},
    {.info = {33, HINGE_STOCHASTIC, HAS(NONE) | HAS(SUFFIX), 0, 0, 1, 0, 0, 0, 0, "sgd-suffix",
              "L1-loss, stochastic subgradient, average of the last half", "L2R_L1LOSS_SVC_DUAL"},
     .loss = LOSS_HINGE,
     .method = &sgd,
     .schedule = {1, 0, 0, HINGE_AVERAGE_SUFFIX, 0}},
    {.info = {40, HINGE_STOCHASTIC, HAS(NONE) | HAS(UNIFORM), 1, 0, 1, 0, 0, 0, 0, "comid",
              "L1-loss and l1, proximal stochastic subgradient", "L2R_L1LOSS_SVC_DUAL"},
     .loss = LOSS_HINGE,
     .method = &proximal,
     .schedule = {1, 1, 0, HINGE_AVERAGE_UNIFORM, 0}},
    {.info = {41, HINGE_STOCHASTIC, HAS(NONE) | HAS(WEIGHTED), 1, 0, 1, 0, 0, 0, 0, "hrmd-w",
              "L1-loss and l1, the same with weights t + 1", "L2R_L1LOSS_SVC_DUAL"},
     .loss = LOSS_HINGE,
     .method = &proximal,
     .schedule = {2, 2, 0, HINGE_AVERAGE_WEIGHTED, 1}},
};

enum { SOLVERS = sizeof solvers / sizeof solvers[0] };

const struct solver *solver_find(int number)
{
    for (int k = 0; k < SOLVERS; k++)
        if (solvers[k].info.number == number)
            return &solvers[k];
    return NULL;
}

int solver_teams(const struct solver *solver)
{
    const struct hinge_solver *info = &solver->info;

    return (solver->method == &coordinate_descent || solver->method == &newton) &&
           !info->one_class && !info->l1;
}

int solver_streams(const struct solver *solver)
{
    return solver->info.kind == HINGE_STOCHASTIC || solver_teams(solver);
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
