/* engine.c - what the engines share: measuring, asking, and running one alone. */
#include "solver/engine.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/memory.h"
#include "base/status.h"

void engine_measure(void *state)
{
    struct engine_run *run = state;
    struct objective objective;

    binary_weights(run->task->problem, run->alpha, run->combined);
    objective = objective_measure(run->task->problem, run->task->loss, run->w, run->alpha,
                                  run->combined);
    progress_measured(&run->progress, &objective, run->w);
}

enum hinge_answer engine_ask(struct engine_run *run)
{
    return monitor_ask(run->task->monitor, &run->progress, engine_measure, run);
}

void engine_report(struct engine_run *run, enum hinge_outcome outcome, struct hinge_result *result)
{
    engine_measure(run);
    if (outcome != HINGE_INTERRUPTED && run->progress.gap <= solver_target(run->task->parameters))
        outcome = HINGE_CERTIFIED;
    run->progress.last = 1;
    engine_ask(run);
    result_fill(result, &run->progress, outcome);
    for (uint32_t i = 0; i < run->task->problem->rows; i++)
        result->support_vectors += run->alpha[i] > 0;
}

enum hinge_status engine_solve(const struct solver_task *task, engine_function *engine,
                               const char *name, double *w, struct hinge_result *result,
                               struct hinge_error *error)
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
        run.progress.engine = name;
        binary_weights(task->problem, run.alpha, w);
        status = engine(&run, &outcome, error);
    }
    if (status == HINGE_OK)
        engine_report(&run, outcome, result);
    free(own);
    result->seconds = stopwatch_processor(&watch);
    return status;
}

enum hinge_status newton_solve(const struct solver_task *task, double *w,
                               struct hinge_result *result, struct hinge_error *error)
{
    return engine_solve(task, newton_run, task->loss == LOSS_L2 ? "newton" : "pnewton", w, result, error);
}
