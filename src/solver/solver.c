/* solver.c - what all solvers share: defaults and checks of parameters, monitors, outcomes. */
#include "solver/solver.h"

#include <float.h>
#include <math.h>

#include "base/status.h"

struct hinge_parameters hinge_parameters_default(void)
{
    struct hinge_parameters parameters = {0};

    parameters.solver = 1;
    parameters.C = 1;
    parameters.bias = -1;
    parameters.gap = HINGE_DEFAULT_GAP;
    parameters.cache = 100;
    parameters.seed = 1;
    parameters.batch = 1;
    parameters.epochs = 20;
    parameters.suffix = 0.5;
    return parameters;
}

static int is_finite(double x)
{
    return x >= -DBL_MAX && x <= DBL_MAX;
}

/* Far inside the range of double, so that neither C^2 nor 1/C leaves it. */
static int is_cost(double x)
{
    return x >= 1e-100 && x <= 1e100;
}

static enum hinge_status refuse(struct hinge_error *error, const char *reason)
{
    return fail(error, HINGE_BAD_ARGUMENT, "%s", reason);
}

/* What only stochastic solvers have. */
static enum hinge_status check_stochastic(const struct hinge_parameters *parameters,
                                          const struct hinge_solver *solver,
                                          struct hinge_error *error)
{
    if (!is_finite(parameters->l1) || parameters->l1 < 0 || parameters->l1 > 1e100)
        return refuse(error, "l1: not between 0 and 1e100");
    if (parameters->l1 > 0 && !solver->l1)
        return fail(error, HINGE_BAD_ARGUMENT, "l1: solver %s has no l1 term", solver->name);
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
    if (!is_finite(parameters->cache) || parameters->cache <= 0)
        return refuse(error, "cache: not a positive finite number");
    if (!is_finite(parameters->gap) || parameters->gap < 0)
        return refuse(error, "gap: not a finite number of at least 0");
    if (!is_finite(parameters->eps) || parameters->eps < 0)
        return refuse(error, "eps: not a finite number of at least 0");
    if (solver->kind == HINGE_DUAL && parameters->gap == 0 && parameters->eps == 0)
        return refuse(error, "gap, eps: one of them must be positive");
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
    return solver->kind == HINGE_STOCHASTIC ? check_stochastic(parameters, solver, error)
                                            : HINGE_OK;
}

double solver_bias(const struct hinge_parameters *parameters)
{
    if (hinge_solver_find(parameters->solver)->pairs)
        return 1;
    return parameters->bias >= 0 ? parameters->bias : -1;
}

double solver_target(const struct hinge_parameters *parameters)
{
    return parameters->gap > 0 ? parameters->gap : HINGE_DEFAULT_GAP;
}

struct hinge_progress progress_new(const struct solver_task *task)
{
    struct hinge_progress progress = {0};

    progress.fold = task->fold;
    progress.folds = task->folds;
    progress.C = task->C;
    progress.problem = task->position;
    progress.problems = task->problems;
    progress.positive = task->positive;
    progress.active = progress.rows = task->problem->rows;
    progress.features = task->problem->data->features;
    progress.bias = task->problem->bias;
    progress.primal = progress.dual = progress.gap = NAN;
    return progress;
}

void progress_measured(struct hinge_progress *progress, const struct objective *objective,
                       const double *w)
{
    progress->measured = 1;
    progress->primal = objective->primal;
    progress->dual = objective->dual;
    progress->gap = objective->gap;
    progress->nonzeros = objective->nonzeros;
    progress->w = w;
}

static enum hinge_answer ask_once(const struct hinge_monitor *monitor,
                                  const struct hinge_progress *progress)
{
    enum hinge_answer strongest = HINGE_GO_ON;

    for (; monitor; monitor = monitor->next) {
        enum hinge_answer answer = monitor->checkpoint(monitor->context, progress);

        if (answer > strongest)
            strongest = answer;
    }
    return strongest;
}

enum hinge_answer monitor_ask(const struct hinge_monitor *monitor,
                              const struct hinge_progress *progress, void (*measure)(void *state),
                              void *state)
{
    enum hinge_answer answer = ask_once(monitor, progress);

    if (answer == HINGE_MEASURE && !progress->measured) {
        measure(state);
        answer = ask_once(monitor, progress);
    }
    return answer == HINGE_MEASURE ? HINGE_GO_ON : answer;
}

enum hinge_outcome outcome_of(enum hinge_answer answer)
{
    return answer == HINGE_INTERRUPT ? HINGE_INTERRUPTED : HINGE_TIME_LIMIT;
}

void result_fill(struct hinge_result *result, const struct hinge_progress *progress,
                 enum hinge_outcome outcome)
{
    result->outcome = outcome;
    result->primal = progress->primal;
    result->dual = progress->dual;
    result->gap = progress->gap;
    result->passes = progress->passes;
    result->steps = progress->steps;
    result->engine = progress->engine;
    result->fallback = progress->fallback;
    result->row_visits = progress->row_visits;
    result->nonzeros = progress->nonzeros;
}

void result_close(struct hinge_result *result, const struct solver_task *task,
                  struct hinge_progress *progress, enum hinge_outcome outcome, const double *alpha)
{
    if (outcome != HINGE_INTERRUPTED && progress->gap <= solver_target(task->parameters))
        outcome = HINGE_CERTIFIED;
    progress->last = 1;
    ask_once(task->monitor, progress);
    result_fill(result, progress, outcome);
    for (uint32_t i = 0; i < task->problem->rows; i++)
        result->support_vectors += alpha[i] > 0;
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
