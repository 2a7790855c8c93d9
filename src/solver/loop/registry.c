/* registry.c - solver number -> name, loss, the method it begins with. */
#include <stdio.h>
#include <string.h>

#include "data/number.h"
#include "data/token.h"
#include "solver/loop/solver.h"

#define HAS(average) (1u << HINGE_AVERAGE_##average)

/* A solver: number, name, name of its models, loss, first method; then a summary and other fields,
 * which are 0 unless they are named. Kind 0 is HINGE_DUAL. All but SMO can start from a model. */
#define SOLVER(NUMBER, NAME, MODEL, PHI, FIRST, ...)                                               \
    {                                                                                              \
        .info.number = NUMBER, .info.name = NAME, .info.model_name = MODEL, .loss = LOSS_##PHI,    \
        .method = METHOD_##FIRST, .info.starts = METHOD_##FIRST != METHOD_SMO,                     \
        .info.summary = __VA_ARGS__                                                                \
    }

static const struct solver solvers[] = {
    SOLVER(1, "dcd-l2", "L2R_L2LOSS_SVC_DUAL", SQUARED_HINGE, COORDINATE_DESCENT,
           "L2-loss, dual coordinate descent, then newton (default)", .info.descends = 1),
    SOLVER(3, "dcd-l1", "L2R_L1LOSS_SVC_DUAL", HINGE, COORDINATE_DESCENT,
           "L1-loss, dual coordinate descent, then pnewton", .info.descends = 1),
    SOLVER(2, "newton-l2", "L2R_L2LOSS_SVC", SQUARED_HINGE, NEWTON,
           "L2-loss, Newton's method, after passes if features are many", .info.descends = 1,
           .primal_rule = 1),
    SOLVER(0, "lr-newton", "L2R_LR", LOGISTIC, NEWTON,
           "logistic regression, Newton's method, after passes if features are many",
           .info.descends = 1, .primal_rule = 1),
    SOLVER(7, "lr-dcd", "L2R_LR_DUAL", LOGISTIC, COORDINATE_DESCENT,
           "logistic regression, dual coordinate descent, then newton", .info.descends = 1),
    SOLVER(11, "svr-newton", "L2R_L2LOSS_SVR", SQUARED_INSENSITIVE, NEWTON,
           "regression, squared loss beyond epsilon, Newton's method", .info.descends = 1,
           .info.regression = 1, .primal_rule = 1),
    SOLVER(12, "svr-dcd-l2", "L2R_L2LOSS_SVR_DUAL", SQUARED_INSENSITIVE, COORDINATE_DESCENT,
           "regression, squared loss beyond epsilon, dcd, then newton", .info.descends = 1,
           .info.regression = 1),
    SOLVER(13, "svr-dcd-l1", "L2R_L1LOSS_SVR_DUAL", INSENSITIVE, COORDINATE_DESCENT,
           "regression, absolute loss beyond epsilon, dcd, then pnewton", .info.descends = 1,
           .info.regression = 1),
    SOLVER(5, "l1r-l2loss", "L1R_L2LOSS_SVC", SQUARED_HINGE, PROXIMAL_NEWTON,
           "L2-loss, |w|_1 instead of |w|^2/2, proximal Newton, then ipm", .info.l1 = 2),
    SOLVER(6, "l1r-lr", "L1R_LR", LOGISTIC, PROXIMAL_NEWTON,
           "logistic regression, |w|_1 instead of |w|^2/2, proximal Newton, then ipm",
           .info.l1 = 2),
    SOLVER(4, "crammer-singer", "MCSVM_CS", HINGE, SEQUENTIAL_DUAL,
           "L1-loss of all classes at once, sequential dual, then pnewton", .info.descends = 1,
           .info.joint = 1, .of_two = 3),
    SOLVER(21, "one-class", "ONECLASS_SVM", ONE_CLASS, NEWTON,
           "one-class SVM (novelty detection), Newton's method", .info.one_class = 1),
    SOLVER(61, "pnewton", "L2R_L1LOSS_SVC_DUAL", HINGE, NEWTON,
           "L1-loss, Newton steps on the free rows, projected"),
    SOLVER(60, "ipm", "L2R_L1LOSS_SVC_DUAL", HINGE, NEWTON, "another name of pnewton"),
    SOLVER(62, "softmax", "MCSVM_CS", LOGISTIC, SOFTMAX,
           "multinomial logistic regression, all classes at once, Newton's method", .info.joint = 1,
           .primal_rule = 1, .of_two = 0),
    SOLVER(42, "enet", "L2R_L1LOSS_SVC_DUAL", HINGE, COORDINATE_DESCENT,
           "L1-loss, |w|_1 beside |w|^2/2, dual coordinate descent, then pnewton", .info.l1 = 1,
           .info.descends = 1),
    SOLVER(50, "smo", "L2R_L1LOSS_SVC_DUAL", HINGE, SMO,
           "L1-loss with a free bias, pairs of rows, then pnewton", .info.descends = 1,
           .info.pairs = 1),
    SOLVER(30, "pegasos", "L2R_L1LOSS_SVC_DUAL", HINGE, SGD,
           "L1-loss, projected stochastic subgradient", .info.kind = HINGE_STOCHASTIC,
           .info.averages = HAS(NONE) | HAS(UNIFORM) | HAS(WEIGHTED) | HAS(RANDOM),
           .schedule = {1, 0, 1, HINGE_AVERAGE_NONE, 0}),
    SOLVER(31, "sgd", "L2R_L1LOSS_SVC_DUAL", HINGE, SGD,
           "L1-loss, stochastic subgradient, uniform average", .info.kind = HINGE_STOCHASTIC,
           .info.averages = HAS(NONE) | HAS(UNIFORM) | HAS(WEIGHTED),
           .schedule = {1, 0, 0, HINGE_AVERAGE_UNIFORM, 0}),
    SOLVER(32, "sgd-w", "L2R_L1LOSS_SVC_DUAL", HINGE, SGD,
           "L1-loss, stochastic subgradient, average weighted by t", .info.kind = HINGE_STOCHASTIC,
           .info.averages = HAS(NONE) | HAS(UNIFORM) | HAS(WEIGHTED),
           .schedule = {2, 1, 0, HINGE_AVERAGE_WEIGHTED, 0}),
    SOLVER(33, "sgd-suffix", "L2R_L1LOSS_SVC_DUAL", HINGE, SGD,
           "L1-loss, stochastic subgradient, average of the last half",
           .info.kind = HINGE_STOCHASTIC, .info.averages = HAS(NONE) | HAS(SUFFIX),
           .schedule = {1, 0, 0, HINGE_AVERAGE_SUFFIX, 0}),
    SOLVER(40, "comid", "L2R_L1LOSS_SVC_DUAL", HINGE, PROXIMAL,
           "L1-loss, |w|_1 beside |w|^2/2, proximal stochastic subgradient",
           .info.kind = HINGE_STOCHASTIC, .info.averages = HAS(NONE) | HAS(UNIFORM), .info.l1 = 1,
           .schedule = {1, 1, 0, HINGE_AVERAGE_UNIFORM, 0}),
    SOLVER(41, "hrmd-w", "L2R_L1LOSS_SVC_DUAL", HINGE, PROXIMAL,
           "L1-loss, |w|_1 beside |w|^2/2, proximal steps with weights t + 1",
           .info.kind = HINGE_STOCHASTIC, .info.averages = HAS(NONE) | HAS(WEIGHTED), .info.l1 = 1,
           .schedule = {2, 2, 0, HINGE_AVERAGE_WEIGHTED, 1}),
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
    const int is_number = number_read(text, &number);

    for (int k = 0; k < SOLVERS; k++)
        if (is_number ? solvers[k].info.number == number : strcmp(solvers[k].info.name, text) == 0)
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
