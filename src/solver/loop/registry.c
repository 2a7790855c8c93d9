/* registry.c - solver number -> name, loss, the method it begins with. */
#include <stdio.h>
#include <string.h>

#include "data/number.h"
#include "data/token.h"
#include "solver/loop/solver.h"

#define HAS(average) (1u << HINGE_AVERAGE_##average)

/* Fields that are not named are 0; kind 0 is HINGE_DUAL. */
static const struct solver solvers[] = {
    {.info = {.number = 1,
              .descends = 1,
              .starts = 1,
              .name = "dcd-l2",
              .summary = "L2-loss, dual coordinate descent, then newton (default)",
              .model_name = "L2R_L2LOSS_SVC_DUAL"},
     .loss = LOSS_SQUARED_HINGE,
     .method = METHOD_COORDINATE_DESCENT},
    {.info = {.number = 3,
              .descends = 1,
              .starts = 1,
              .name = "dcd-l1",
              .summary = "L1-loss, dual coordinate descent, then pnewton",
              .model_name = "L2R_L1LOSS_SVC_DUAL"},
     .loss = LOSS_HINGE,
     .method = METHOD_COORDINATE_DESCENT},
    {.info = {.number = 2,
              .descends = 1,
              .starts = 1,
              .name = "newton-l2",
              .summary = "L2-loss, Newton's method, after passes if features are many",
              .model_name = "L2R_L2LOSS_SVC"},
     .loss = LOSS_SQUARED_HINGE,
     .method = METHOD_NEWTON,
     .primal_rule = 1},
    {.info = {.number = 0,
              .descends = 1,
              .starts = 1,
              .name = "lr-newton",
              .summary = "logistic regression, Newton's method, after passes if features are many",
              .model_name = "L2R_LR"},
     .loss = LOSS_LOGISTIC,
     .method = METHOD_NEWTON,
     .primal_rule = 1},
    {.info = {.number = 7,
              .descends = 1,
              .starts = 1,
              .name = "lr-dcd",
              .summary = "logistic regression, dual coordinate descent, then newton",
              .model_name = "L2R_LR_DUAL"},
     .loss = LOSS_LOGISTIC,
     .method = METHOD_COORDINATE_DESCENT},
    {.info = {.number = 11,
              .descends = 1,
              .starts = 1,
              .regression = 1,
              .name = "svr-newton",
              .summary = "regression, squared loss beyond epsilon, Newton's method",
              .model_name = "L2R_L2LOSS_SVR"},
     .loss = LOSS_SQUARED_INSENSITIVE,
     .method = METHOD_NEWTON,
     .primal_rule = 1},
    {.info = {.number = 12,
              .descends = 1,
              .starts = 1,
              .regression = 1,
              .name = "svr-dcd-l2",
              .summary = "regression, squared loss beyond epsilon, dcd, then newton",
              .model_name = "L2R_L2LOSS_SVR_DUAL"},
     .loss = LOSS_SQUARED_INSENSITIVE,
     .method = METHOD_COORDINATE_DESCENT},
    {.info = {.number = 13,
              .descends = 1,
              .starts = 1,
              .regression = 1,
              .name = "svr-dcd-l1",
              .summary = "regression, absolute loss beyond epsilon, dcd, then pnewton",
              .model_name = "L2R_L1LOSS_SVR_DUAL"},
     .loss = LOSS_INSENSITIVE,
     .method = METHOD_COORDINATE_DESCENT},
    {.info = {.number = 5,
              .l1 = 2,
              .starts = 1,
              .name = "l1r-l2loss",
              .summary = "L2-loss, |w|_1 instead of |w|^2/2, proximal Newton, then ipm",
              .model_name = "L1R_L2LOSS_SVC"},
     .loss = LOSS_SQUARED_HINGE,
     .method = METHOD_PROXIMAL_NEWTON},
    {.info = {.number = 6,
              .l1 = 2,
              .starts = 1,
              .name = "l1r-lr",
              .summary = "logistic regression, |w|_1 instead of |w|^2/2, proximal Newton, then ipm",
              .model_name = "L1R_LR"},
     .loss = LOSS_LOGISTIC,
     .method = METHOD_PROXIMAL_NEWTON},
    {.info = {.number = 4,
              .descends = 1,
              .starts = 1,
              .joint = 1,
              .name = "crammer-singer",
              .summary = "L1-loss of all classes at once, sequential dual, then pnewton",
              .model_name = "MCSVM_CS"},
     .loss = LOSS_HINGE,
     .method = METHOD_SEQUENTIAL_DUAL,
     .of_two = 3},
    {.info = {.number = 21,
              .starts = 1,
              .one_class = 1,
              .name = "one-class",
              .summary = "one-class SVM (novelty detection), Newton's method",
              .model_name = "ONECLASS_SVM"},
     .loss = LOSS_ONE_CLASS,
     .method = METHOD_NEWTON},
    {.info = {.number = 61,
              .starts = 1,
              .name = "pnewton",
              .summary = "L1-loss, Newton steps on the free rows, projected",
              .model_name = "L2R_L1LOSS_SVC_DUAL"},
     .loss = LOSS_HINGE,
     .method = METHOD_NEWTON},
    {.info = {.number = 60,
              .starts = 1,
              .name = "ipm",
              .summary = "another name of pnewton",
              .model_name = "L2R_L1LOSS_SVC_DUAL"},
     .loss = LOSS_HINGE,
     .method = METHOD_NEWTON},
    {.info = {.number = 62,
              .starts = 1,
              .joint = 1,
              .name = "softmax",
              .summary = "multinomial logistic regression, all classes at once, Newton's method",
              .model_name = "MCSVM_CS"},
     .loss = LOSS_LOGISTIC,
     .method = METHOD_SOFTMAX,
     .primal_rule = 1,
     .of_two = 0},
    {.info = {.number = 42,
              .l1 = 1,
              .descends = 1,
              .starts = 1,
              .name = "enet",
              .summary = "L1-loss, |w|_1 beside |w|^2/2, dual coordinate descent, then pnewton",
              .model_name = "L2R_L1LOSS_SVC_DUAL"},
     .loss = LOSS_HINGE,
     .method = METHOD_COORDINATE_DESCENT},
    {.info = {.number = 50,
              .descends = 1,
              .pairs = 1,
              .name = "smo",
              .summary = "L1-loss with a free bias, pairs of rows, then pnewton",
              .model_name = "L2R_L1LOSS_SVC_DUAL"},
     .loss = LOSS_HINGE,
     .method = METHOD_SMO},
    {.info = {.number = 30,
              .kind = HINGE_STOCHASTIC,
              .averages = HAS(NONE) | HAS(UNIFORM) | HAS(WEIGHTED) | HAS(RANDOM),
              .starts = 1,
              .name = "pegasos",
              .summary = "L1-loss, projected stochastic subgradient",
              .model_name = "L2R_L1LOSS_SVC_DUAL"},
     .loss = LOSS_HINGE,
     .method = METHOD_SGD,
     .schedule = {1, 0, 1, HINGE_AVERAGE_NONE, 0}},
    {.info = {.number = 31,
              .kind = HINGE_STOCHASTIC,
              .averages = HAS(NONE) | HAS(UNIFORM) | HAS(WEIGHTED),
              .starts = 1,
              .name = "sgd",
              .summary = "L1-loss, stochastic subgradient, uniform average",
              .model_name = "L2R_L1LOSS_SVC_DUAL"},
     .loss = LOSS_HINGE,
     .method = METHOD_SGD,
     .schedule = {1, 0, 0, HINGE_AVERAGE_UNIFORM, 0}},
    {.info = {.number = 32,
              .kind = HINGE_STOCHASTIC,
              .averages = HAS(NONE) | HAS(UNIFORM) | HAS(WEIGHTED),
              .starts = 1,
              .name = "sgd-w",
              .summary = "L1-loss, stochastic subgradient, average weighted by t",
              .model_name = "L2R_L1LOSS_SVC_DUAL"},
     .loss = LOSS_HINGE,
     .method = METHOD_SGD,
     .schedule = {2, 1, 0, HINGE_AVERAGE_WEIGHTED, 0}},
    {.info = {.number = 33,
              .kind = HINGE_STOCHASTIC,
              .averages = HAS(NONE) | HAS(SUFFIX),
              .starts = 1,
              .name = "sgd-suffix",
              .summary = "L1-loss, stochastic subgradient, average of the last half",
              .model_name = "L2R_L1LOSS_SVC_DUAL"},
     .loss = LOSS_HINGE,
     .method = METHOD_SGD,
     .schedule = {1, 0, 0, HINGE_AVERAGE_SUFFIX, 0}},
    {.info = {.number = 40,
              .kind = HINGE_STOCHASTIC,
              .averages = HAS(NONE) | HAS(UNIFORM),
              .l1 = 1,
              .starts = 1,
              .name = "comid",
              .summary = "L1-loss, |w|_1 beside |w|^2/2, proximal stochastic subgradient",
              .model_name = "L2R_L1LOSS_SVC_DUAL"},
     .loss = LOSS_HINGE,
     .method = METHOD_PROXIMAL,
     .schedule = {1, 1, 0, HINGE_AVERAGE_UNIFORM, 0}},
    {.info = {.number = 41,
              .kind = HINGE_STOCHASTIC,
              .averages = HAS(NONE) | HAS(WEIGHTED),
              .l1 = 1,
              .starts = 1,
              .name = "hrmd-w",
              .summary = "L1-loss, |w|_1 beside |w|^2/2, proximal steps with weights t + 1",
              .model_name = "L2R_L1LOSS_SVC_DUAL"},
     .loss = LOSS_HINGE,
     .method = METHOD_PROXIMAL,
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

const struct solver *solver_named(const char *name, size_t length)
{
    for (int k = 0; k < SOLVERS; k++)
        if (is_word(name, name + length, solvers[k].info.name))
            return &solvers[k];
    return NULL;
}

const struct solver *solver_called(const char *text)
{
    double number;

    if (!number_read(text, &number))
        return solver_named(text, strlen(text));
    for (int k = 0; k < SOLVERS; k++)
        if (solvers[k].info.number == number)
            return &solvers[k];
    return NULL;
}

void solver_list(char *list, size_t size)
{
    *list = '\0';
    for (int k = 0; k < SOLVERS; k++) {
        const size_t length = strlen(list);

        snprintf(list + length, size - length, "%s%d (%s)", k ? ", " : "", solvers[k].info.number,
                 solvers[k].info.name);
    }
}

int solver_teams(const struct solver *solver)
{
    const struct hinge_solver *info = &solver->info;

    return (solver->method == METHOD_COORDINATE_DESCENT || solver->method == METHOD_NEWTON) &&
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
