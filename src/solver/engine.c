/* engine.c - what the engines share: measuring, asking, and running one alone. */
#include "solver/engine.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/memory.h"
#include "base/status.h"
#include "solver/normal.h"

/* A relative gap near what rounding errors leave of it: an engine that ends there has done what can
 * be done. */
static const double PRECISION = 1e-9;

void engine_measure(void *state)
{
    struct engine_run *run = state;
    struct objective objective;

    binary_weights(run->task->problem, run->alpha, run->combined);
    objective =
        objective_measure(run->task->problem, run->task->loss, run->w, run->alpha, run->combined);
    progress_measured(&run->progress, &objective, run->w);
}

void engine_margins(struct engine_run *run, const double *v, double *z)
{
    const struct binary_problem *problem = run->task->problem;

    binary_margins(problem, NULL, problem->rows, v, z);
    run->progress.row_visits += problem->rows;
}

/* The gradient of the dual for alpha_i at the margin z, not counting what leads out of the box. */
static double projected_gradient(const struct engine_run *run, double alpha, double cost, double z)
{
    const int bounded = run->task->loss == LOSS_L1;
    const double G = z - 1 + (bounded ? 0 : alpha / (2 * cost));

    if (alpha == 0)
        return G < 0 ? G : 0;
    return bounded && alpha == cost && G < 0 ? 0 : G;
}

int engine_dual_rule(struct engine_run *run, const double *alpha)
{
    const struct binary_problem *problem = run->task->problem;
    const double eps = run->task->parameters->eps;
    double largest = -HUGE_VAL, smallest = HUGE_VAL;

    binary_weights(problem, alpha, run->combined);
    run->progress.row_visits += problem->rows;
    for (struct margins some = margins_of(problem, run->combined); margins_next(&some);)
        for (uint32_t k = 0; k < some.count; k++) {
            const uint32_t i = some.first + k;
            const double G = projected_gradient(run, alpha[i], problem->cost[i], some.z[k]);

            largest = G > largest ? G : largest;
            smallest = G < smallest ? G : smallest;
        }
    if (!(largest <= eps && smallest >= -eps && largest - smallest <= eps))
        return 0;
    memcpy(run->w, run->combined, binary_width(problem) * sizeof *run->w);
    if (alpha != run->alpha)
        memcpy(run->alpha, alpha, problem->rows * sizeof *run->alpha);
    return 1;
}

enum hinge_outcome engine_iterate(struct engine_run *run, const struct engine_method *method,
                                  void *state)
{
    const uint64_t max_passes = run->task->parameters->max_passes;

    for (;;) {
        enum hinge_answer answer;

        if (method->solved(state))
            return HINGE_TOLERANCE_MET;
        run->progress.measured = 0; /* it may have measured another point */
        answer = monitor_ask(run->task->monitor, &run->progress, engine_measure, run);
        if (answer != HINGE_GO_ON)
            return outcome_of(answer);
        if (max_passes > 0 && run->progress.passes == max_passes)
            return HINGE_PASS_LIMIT;
        if (method->stalled(state))
            return HINGE_STALLED;
        run->progress.passes++;
        run->progress.steps++;
        method->step(state);
    }
}

struct normal *engine_take_normal(struct engine_run *run, struct hinge_error *error)
{
    struct normal **kept = run->task->kept;
    struct normal *normal = kept ? *kept : NULL;

    if (!normal)
        return normal_new(run->task->problem, error);
    *kept = NULL;
    return normal;
}

void engine_return_normal(struct engine_run *run, struct normal *normal)
{
    if (run->task->kept)
        *run->task->kept = normal;
    else
        normal_free(normal);
}

double engine_price(const struct solver_task *task, double logarithm, double support,
                    double nonzeros)
{
    const double by_gap = task->loss == LOSS_L2 ? 6 + logarithm / 2 : 5 + 1.5 * logarithm;
    const double by_rule = task->loss == LOSS_L2 ? by_gap : 5 + 1.25 * logarithm;
    const double steps = task->parameters->eps > 0 ? by_rule : by_gap;
    const struct binary_problem *problem = task->problem;
    const struct hinge_dataset *data = problem->data;
    const double all = (double)data->x.nonzeros * problem->rows / (double)data->x.rows;

    return steps * (4 * all + 80.0 * problem->rows + normal_price(problem, support, nonzeros));
}

/* Runs one engine. 1 unless it could not go on. */
static int engine_try(struct engine_run *run, engine_function *engine, enum hinge_outcome *outcome)
{
    struct hinge_error error;

    run->progress.measured = 0;
    if (engine(run, outcome, &error)) {
        run->progress.fallback = "no memory for an engine";
        return 0;
    }
    if (!run->progress.measured)
        engine_measure(run);
    if (*outcome != HINGE_STALLED)
        return 1;
    run->broke_down = 1;
    run->progress.fallback = "rounding errors stopped an engine";
    return 0;
}

int engines_run(struct engine_run *run, enum hinge_outcome *outcome)
{
    static engine_function *const engines[][2] = {
        [LOSS_L1] = {newton_run, interior_point_run}, [LOSS_L2] = {newton_run, NULL}};
    struct hinge_error error;
    int ended = 0;

    run->combined = array_new(binary_width(run->task->problem), sizeof *run->combined, &error);
    if (!run->combined)
        run->progress.fallback = "no memory for an engine";
    for (int k = 0; run->combined && !ended && k < 2 && engines[run->task->loss][k]; k++)
        ended = engine_try(run, engines[run->task->loss][k], outcome);
    if (run->combined && !ended && run->progress.gap <= PRECISION) {
        *outcome = HINGE_STALLED;
        ended = 1;
    }
    if (ended)
        run->progress.fallback = NULL;
    free(run->combined);
    return ended;
}

enum hinge_status engine_solve(const struct solver_task *task, engine_function *engine, double *w,
                               struct hinge_result *result, struct hinge_error *error)
{
    const size_t rows = task->problem->rows, width = binary_width(task->problem);
    struct engine_run run = {.task = task, .w = w, .alpha = task->alpha};
    enum hinge_outcome outcome = HINGE_STALLED;
    enum hinge_status status = HINGE_NO_MEMORY;
    struct stopwatch watch;
    double *own;

    stopwatch_start(&watch);
    *result = (struct hinge_result){0};
    own = array_new(width + (task->alpha ? 0 : rows), sizeof *own, error);
    if (own) {
        run.combined = own;
        if (!run.alpha)
            run.alpha = own + width;
        run.primal_rule = task->loss == LOSS_L2;
        run.progress = progress_new(task);
        binary_weights(task->problem, run.alpha, w);
        status = engine(&run, &outcome, error);
    }
    if (status == HINGE_OK) {
        if (!run.progress.measured)
            engine_measure(&run);
        result_close(result, task, &run.progress, outcome, run.alpha);
    }
    free(own);
    result->seconds = stopwatch_processor(&watch);
    return status;
}
