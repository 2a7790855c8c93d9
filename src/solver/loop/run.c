/* run.c - begins, certifies and ends the methods at work. */
#include "solver/loop/loop.h"

#include <stdlib.h>

#include "base/status.h"
#include "solver/passes/multiplier.h"

struct worker *run_worker(struct run *run, const struct method *method)
{
    for (int k = 0; k < 2; k++)
        if (run->worker[k].method == method)
            return &run->worker[k];
    return NULL;
}

enum hinge_status run_begin_method(struct run *run, const struct method *method,
                                   struct hinge_error *error)
{
    struct worker *worker = run_worker(run, NULL);
    struct training *training = &run->training;
    struct arena arena = {NULL, 0, 0};
    int has_room;

    worker->block = NULL;
    worker->size = 0;
    if ((worker->state = array_new(1, method->size, error))) {
        method->lay_out(worker->state, &arena, training);
        worker->block =
            workspace_take_block(training->task->workspace, &arena, &worker->size, error);
    }
    has_room = team_agrees(training->problem->team, worker->block != NULL, error);
    if (has_room)
        method->lay_out(worker->state, &arena, training);
    if (!has_room || method->begin(worker->state, training, error)) {
        workspace_give_block(training->task->workspace, worker->block, worker->size);
        free(worker->state);
        return failure(error);
    }
    worker->method = method;
    worker->is_new = 1;
    if (method->name && !training->progress.fallback) /* after a failure, the failed one is named */
        training->progress.method =
            *method->name ? method->name : solver_newton(training->task->solver);
    return HINGE_OK;
}

void run_certify(struct run *run, const struct method *method)
{
    struct training *training = &run->training;
    const struct worker *worker = run_worker(run, method);

    if (!method->measure || !worker)
        training_certify(training, NULL);
    else if (!training->progress.measured)
        method->measure(worker->state);
    if (training->multiplier)
        multiplier_end(training);
}

void run_end_methods(struct run *run)
{
    for (int k = 0; k < 2; k++) {
        struct worker *worker = &run->worker[k];

        if (!worker->method)
            continue;
        if (worker->method->end)
            worker->method->end(worker->state);
        workspace_give_block(run->training.task->workspace, worker->block, worker->size);
        free(worker->state);
        worker->method = NULL;
    }
    if (run->training.point.v != run->v) /* v was in the block of a method */
        training_leave(&run->training);
}
