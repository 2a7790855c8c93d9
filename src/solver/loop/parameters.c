/* parameters.c - defaults of parameters, what is refused, and the words for outcomes. */
#include <float.h>
#include <math.h>

#include "base/status.h"
#include "solver/loop/solver.h"

struct hinge_parameters parameters_default(void)
{
    struct hinge_parameters parameters = {0};

    parameters.solver = 1;
    parameters.C = 1;
    parameters.bias = -1;
    parameters.relative_gap = HINGE_DEFAULT_GAP;
    parameters.epsilon = 0.1;
    parameters.nu = 0.5;
    parameters.cache = 100;
    parameters.seed = 1;
    parameters.threads = 1;
    parameters.batch = 1;
    parameters.epochs = 20;
    parameters.suffix = 0.5;
    return parameters;
}

static int is_finite(double x)
{
    return x >= -DBL_MAX && x <= DBL_MAX;
}

/* True if x is so far inside the range of double that neither x^2 nor 1/x leaves it. */
static int is_cost(double x)
{
    return x >= 1e-100 && x <= 1e100;
}

static enum hinge_status refuse(struct hinge_error *error, const char *reason)
{
    return fail(error, HINGE_BAD_ARGUMENT, "%s", reason);
}

static enum hinge_status check_stochastic(const struct hinge_parameters *parameters,
                                          const struct hinge_solver *solver,
                                          struct hinge_error *error)
{
    if (parameters->batch < 1 || parameters->batch > 1u << 20)
        return refuse(error, "batch: not between 1 and 2^20");
    if (parameters->iterations > UINT64_C(1) << 53)
        return refuse(error, "iterations: more than 2^53");
    if (!is_finite(parameters->epochs) || parameters->epochs <= 0)
        return refuse(error, "epochs: not a positive finite number");
    if (!is_finite(parameters->suffix) || parameters->suffix <= 0 || parameters->suffix > 1)
        return refuse(error, "suffix: not above 0 and at most 1");
    if (parameters->sampling != HINGE_IID && parameters->sampling != HINGE_PERMUTE)
        return refuse(error, "sampling: unknown");
    if (parameters->average != HINGE_AVERAGE_DEFAULT &&
        ((unsigned)parameters->average > HINGE_AVERAGE_RANDOM ||
         !(solver->averages >> parameters->average & 1)))
        return fail(error, HINGE_BAD_ARGUMENT, "average: solver %s has no such average",
                    solver->name);
    return HINGE_OK;
}

/* Checks the free bias. Its value has no meaning; LIBLINEAR requires 1. */
static enum hinge_status check_free_bias(const struct hinge_parameters *parameters,
                                         const struct hinge_solver *solver,
                                         struct hinge_error *error)
{
    if (!parameters->free_bias)
        return HINGE_OK;
    if (solver->kind == HINGE_STOCHASTIC || solver->one_class || solver->l1 == 1 ||
        (solver->joint && solver->descends))
        return fail(error, HINGE_BAD_ARGUMENT, "free_bias: solver %s has no free bias",
                    solver->name);
    if (solver->pairs)
        return fail(error, HINGE_BAD_ARGUMENT, "free_bias: that of solver %s is free in any case",
                    solver->name);
    if (parameters->bias != 1)
        return refuse(error, "free_bias: the bias is not 1");
    return HINGE_OK;
}

/* Checks the solver of a team. Ranks can divide sums over rows, and so Newton's method, but no
 * method that visits one row after the other. */
static enum hinge_status check_team(const struct hinge_parameters *parameters,
                                    struct hinge_error *error)
{
    const struct solver *solver = solver_find(parameters->solver);

    if (!solver_teams(solver))
        return fail(error, HINGE_BAD_ARGUMENT,
                    "team: solver %s is not for several processes; solvers 0-3, 7, 11-13 and 61 "
                    "are, by Newton's method",
                    solver->info.name);
    if (parameters->single_method && solver->method != METHOD_NEWTON)
        return fail(error, HINGE_BAD_ARGUMENT,
                    "single_method: the own method of solver %s is not for several processes",
                    solver->info.name);
    return HINGE_OK;
}

enum hinge_status hinge_parameters_check(const struct hinge_parameters *parameters,
                                         struct hinge_error *error)
{
    const struct hinge_solver *solver = hinge_solver_find(parameters->solver);

    if (!solver)
        return fail(error, HINGE_BAD_ARGUMENT, "solver: there is no number %d", parameters->solver);
    if (!is_cost(parameters->C))
        return refuse(error, "C: not between 1e-100 and 1e100");
    if (parameters->lambda != 0 && !is_cost(parameters->lambda))
        return refuse(error, "lambda: not between 1e-100 and 1e100");
    if (!is_finite(parameters->bias))
        return refuse(error, "bias: not a finite number");
    if (parameters->bias >= 0 && solver->pairs)
        return fail(error, HINGE_BAD_ARGUMENT, "bias: that of solver %s is free", solver->name);
    if (parameters->bias >= 0 && solver->one_class)
        return fail(error, HINGE_BAD_ARGUMENT, "bias: solver %s has rho instead", solver->name);
    if (check_free_bias(parameters, solver, error) ||
        (parameters->team && check_team(parameters, error)))
        return failure(error);
    if (!is_finite(parameters->l1) || parameters->l1 < 0 || parameters->l1 > 1e100)
        return refuse(error, "l1: not between 0 and 1e100");
    if (parameters->l1 > 0 && solver->l1 != 1)
        return fail(error, HINGE_BAD_ARGUMENT, "l1: solver %s has no l1 term", solver->name);
    if (!is_finite(parameters->cache) || parameters->cache <= 0)
        return refuse(error, "cache: not a positive finite number");
    if (!is_finite(parameters->relative_gap) || parameters->relative_gap < 0)
        return refuse(error, "relative_gap: not a finite number of at least 0");
    if (!is_finite(parameters->eps) || parameters->eps < 0)
        return refuse(error, "eps: not a finite number of at least 0");
    if (!(parameters->epsilon >= 0 && parameters->epsilon <= 1e100))
        return refuse(error, "epsilon: not between 0 and 1e100");
    if (!(parameters->nu >= 1e-100 && parameters->nu <= 1))
        return refuse(error, "nu: not between 1e-100 and 1");
    if (parameters->threads > HINGE_MOST_THREADS)
        return refuse(error, "threads: more than 256");
    if ((parameters->balanced || parameters->probability) &&
        (solver->regression || solver->one_class))
        return fail(error, HINGE_BAD_ARGUMENT, "%s: a %s (%s) has no classes",
                    parameters->balanced ? "balanced" : "probability",
                    solver->regression ? "regression" : "one-class SVM", solver->name);
    if (solver->kind == HINGE_DUAL && parameters->relative_gap == 0 && parameters->eps == 0)
        return refuse(error, "relative_gap, eps: one of them must be positive");
    if (parameters->initial && !solver->starts)
        return fail(error, HINGE_BAD_ARGUMENT, "initial: solver %s starts from no model",
                    solver->name);
    if (parameters->keep_alpha && solver->kind == HINGE_STOCHASTIC)
        return fail(error, HINGE_BAD_ARGUMENT, "keep_alpha: solver %s has no dual point",
                    solver->name);
    for (size_t k = 0; k < parameters->weights; k++)
        if (!is_finite(parameters->weight[k]) || parameters->weight[k] < 0)
            return refuse(error, "weight: not a finite number of at least 0");
    for (size_t k = 0; k < parameters->row_weights; k++)
        if (!is_finite(parameters->row_weight[k]) || parameters->row_weight[k] < 0)
            return refuse(error, "row_weight: not a finite number of at least 0");
    return check_stochastic(parameters, solver, error);
}

enum bias_kind solver_bias_kind(const struct solver *solver,
                                const struct hinge_parameters *parameters)
{
    if (solver->info.pairs || solver->info.one_class || parameters->free_bias)
        return BIAS_FREE;
    return parameters->bias >= 0 ? BIAS_REGULARISED : BIAS_NONE;
}

double solver_bias(const struct solver *solver, const struct hinge_parameters *parameters)
{
    if (solver->info.pairs || solver->info.one_class)
        return 1;
    return parameters->bias >= 0 ? parameters->bias : -1;
}

const char *hinge_outcome_name(enum hinge_outcome outcome)
{
    switch (outcome) {
    case HINGE_CERTIFIED:
        return "certified";
    case HINGE_TOLERANCE_MET:
        return "tolerance";
    case HINGE_PASS_LIMIT:
        return "pass-limit";
    case HINGE_TIME_LIMIT:
        return "time-limit";
    case HINGE_INTERRUPTED:
        return "interrupted";
    case HINGE_STALLED:
        return "stalled";
    case HINGE_FINISHED:
        return "finished";
    case HINGE_NOT_BEGUN:
        return "not-begun";
    }
    return "unknown";
}
