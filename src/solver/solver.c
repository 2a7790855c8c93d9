/* solver.c - what all solvers share: defaults and checks of parameters, monitors, outcomes. */
#include "solver/solver.h"

#include <float.h>

#include "base/status.h"

struct hinge_parameters hinge_parameters_default(void)
{
    struct hinge_parameters parameters = {0};

    parameters.solver = 1;
    parameters.C = 1;
    parameters.bias = -1;
    parameters.gap = HINGE_DEFAULT_GAP;
    parameters.seed = 1;
    return parameters;
}

static int is_finite(double x)
{
    return x >= -DBL_MAX && x <= DBL_MAX;
}

/* Far inside the range of double, so that neither C^2 nor 1/C leaves it. */
static int is_cost(double x)
{
    return x >= 1e-150 && x <= 1e150;
}

static enum hinge_status refuse(struct hinge_error *error, const char *reason)
{
    return fail(error, HINGE_BAD_ARGUMENT, "%s", reason);
}

enum hinge_status hinge_parameters_check(const struct hinge_parameters *parameters,
                                         struct hinge_error *error)
{
    if (!solver_find(parameters->solver))
        return fail(error, HINGE_BAD_ARGUMENT, "solver: there is no number %d", parameters->solver);
    if (!is_cost(parameters->C))
        return refuse(error, "C: not between 1e-150 and 1e150");
    if (parameters->lambda != 0 && !is_cost(parameters->lambda))
        return refuse(error, "lambda: not between 1e-150 and 1e150");
    if (!is_finite(parameters->bias))
        return refuse(error, "bias: not a finite number");
    if (!is_finite(parameters->gap) || parameters->gap < 0)
        return refuse(error, "gap: not a finite number of at least 0");
    if (!is_finite(parameters->eps) || parameters->eps < 0)
        return refuse(error, "eps: not a finite number of at least 0");
    if (parameters->gap == 0 && parameters->eps == 0)
        return refuse(error, "gap, eps: one of them must be positive");
    for (size_t k = 0; k < parameters->weights; k++)
        if (!is_finite(parameters->weight[k]) || parameters->weight[k] < 0)
            return refuse(error, "weight: not a finite number of at least 0");
    return HINGE_OK;
}

double solver_target(const struct hinge_parameters *parameters)
{
    return parameters->gap > 0 ? parameters->gap : HINGE_DEFAULT_GAP;
}

enum hinge_answer monitor_ask(const struct hinge_monitor *monitor,
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
    }
    return "unknown";
}
