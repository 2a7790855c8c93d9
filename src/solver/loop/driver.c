/* driver.c - until a rule holds: ask the monitors, let the policy choose a method, step.
 *
 * It owns monitors, limits, time, the best point, measuring and the result. Which method steps is
 * the policy's choice.
 */
#include "solver/loop/driver.h"

#include <math.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/status.h"
#include "solver/loop/multiplier.h"
#include "solver/loop/policy.h"
#include "solver/newton/joint_as_binary.h"

/* ---- Methods at work ---------------------------------------------------- */

/* The worker that has the method, NULL one that is idle; NULL: there is none. */
static struct worker *find_worker(struct driver *driver, const struct method *method)
{
    for (int k = 0; k < 2; k++)
        if (driver->worker[k].method == method)
            return &driver->worker[k];
    return NULL;
}

enum hinge_status driver_begin(struct driver *driver, const struct method *method,
                               struct hinge_error *error)
{
    struct worker *worker = find_worker(driver, NULL);
    struct training *training = &driver->training;
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
    worker->fresh = 1;
    if (method->name && !training->progress.fallback) /* else the one that failed is named */
        training->progress.method =
            *method->name ? method->name : solver_newton(training->task->solver);
    return HINGE_OK;
}

void driver_end(struct driver *driver)
{
    for (int k = 0; k < 2; k++) {
        struct worker *worker = &driver->worker[k];

        if (!worker->method)
            continue;
        if (worker->method->end)
            worker->method->end(worker->state);
        workspace_give_block(driver->training.task->workspace, worker->block, worker->size);
        free(worker->state);
        worker->method = NULL;
    }
    if (driver->training.v != driver->v) /* it was in a block of theirs */
        training_leave(&driver->training);
}

void driver_certify(struct driver *driver, const struct method *method)
{
    struct training *training = &driver->training;
    const struct worker *worker = find_worker(driver, method);

    if (!method->measure || !worker)
        training_certify(training, NULL);
    else if (!training->progress.measured)
        method->measure(worker->state);
    if (training->multiplier)
        multiplier_end(training);
}

/* Whether rows could not be read, or a rank has failed. */
static enum hinge_status check(const struct problem *problem, struct hinge_error *error)
{
    return pages_check(&problem->data->x, error) || team_check(problem->team, error)
               ? failure(error)
               : HINGE_OK;
}

/* ---- The loop ---------------------------------------------------------- */

/* For a monitor: what the steps depend on stays as it is. */
static void measure(struct driver *driver, const struct worker *worker)
{
    struct training *training = &driver->training;
    const double primal = training->primal, dual = training->dual;

    if (worker->method->measure) {
        worker->method->measure(worker->state);
        return;
    }
    training_measure(training);
    training->primal = primal; /* as the steps know them, with their rounding */
    training->dual = dual;
}

/* Asks the monitors, and measures if they want to know. */
static enum hinge_answer ask(struct driver *driver, const struct worker *worker)
{
    const struct training *training = &driver->training;
    enum hinge_answer answer = training_ask(training, 0);

    if (answer == HINGE_MEASURE && !training->progress.measured) {
        measure(driver, worker);
        answer = training_ask(training, 0);
    }
    return answer == HINGE_MEASURE ? HINGE_GO_ON : answer;
}

/* Steps until one of the ends there are. *last, NULL at first, is the method whose point is to be
 * returned. */
static enum hinge_status iterate(struct driver *driver, struct policy *policy,
                                 const struct method **last, enum hinge_outcome *outcome,
                                 struct hinge_error *error)
{
    const struct training *training = &driver->training;
    enum verdict verdict = GOES_ON;

    for (;;) {
        const struct method *method = policy_next(policy, driver, *last, verdict, error);
        struct worker *worker = find_worker(driver, method);

        *outcome = HINGE_STALLED;
        if (check(training->problem, error))
            return failure(error);
        if (!method)
            return *last ? HINGE_OK : failure(error);
        *last = method;
        verdict = worker->fresh ? method->met(worker->state) : GOES_ON;
        worker->fresh = 0;
        if (verdict == GOES_ON) {
            const enum hinge_answer answer = ask(driver, worker);

            *outcome = answer == HINGE_INTERRUPT ? HINGE_INTERRUPTED : HINGE_TIME_LIMIT;
            if (answer != HINGE_GO_ON)
                return HINGE_OK;
            *outcome = HINGE_PASS_LIMIT;
            if (training->progress.passes >= training->most_passes)
                return HINGE_OK;
            method->step(worker->state);
            verdict = method->met(worker->state);
        }
        *outcome = verdict == MET ? HINGE_TOLERANCE_MET : HINGE_FINISHED;
        if (verdict == MET || verdict == FINISHED)
            return HINGE_OK;
    }
}

/* ---- Beginning and end -------------------------------------------------- */

/* Of a regression LIBLINEAR bounds the sum of all violations, relative to that at alpha = 0, where
 * row i has max(0, t_i): here its mean. */
static double eps_of(const struct task *task)
{
    const struct problem *problem = task->problem;
    double total = 0;

    if (!loss_has_targets(problem->loss))
        return task->parameters->eps;
    for (uint32_t i = 0; i < problem->rows; i++)
        total += positive_part(problem->target[i]);
    return task->parameters->eps * (total / fmax(problem->rows, 1));
}

static enum hinge_status begin(struct driver *driver, const struct task *task,
                               struct hinge_error *error)
{
    struct training *training = &driver->training;
    const struct team *team = task->problem->team;
    const double nonzeros = problem_nonzeros(task->problem);

    *training = (struct training){.task = task,
                                  .problem = task->problem,
                                  .parameters = task->parameters,
                                  .rows = task->problem->rows,
                                  .width = problem_width(task->problem),
                                  .w = task->w,
                                  .alpha = task->alpha,
                                  .start = task->start,
                                  .primal = HUGE_VAL,
                                  .eps = eps_of(task),
                                  .rounds = team ? team->rounds : 0,
                                  .sent = team ? team->sent : 0,
                                  .progress = progress_new(task)};
    training->most_passes =
        task->parameters->max_passes > 0 ? task->parameters->max_passes : UINT64_MAX;
    training->shards =
        shards_of(task->problem, SUM_OF_VECTORS, nonzeros * (double)problem_outputs(task->problem),
                  training->width);
    training->shards.threads = task->parameters->threads;
    if (workspace_shards(task->workspace, &training->shards, error))
        return failure(error);
    if (task->solver->info.kind != HINGE_DUAL)
        return HINGE_OK;
    if (problem_has_both_norms(task->problem) &&
        !(training->v = driver->v = array_new(training->width, sizeof *driver->v, error)))
        return failure(error);
    if (!task->problem->only_l1)
        training_form(training);
    if (training->start && !task->problem->only_l1 &&
        !(objective_primal(&training->shards, task->problem, task->start).primal <
          objective_at_zero(task->problem)))
        training->start = NULL; /* 0 is nearer */
    return HINGE_OK;
}

/* The last measurement, and the result. */
static void close_training(struct driver *driver, const struct method *last,
                           enum hinge_outcome outcome, struct hinge_result *result)
{
    struct training *training = &driver->training;
    struct hinge_progress *progress = &training->progress;
    const int dual = training->task->solver->info.kind == HINGE_DUAL;
    const struct team *team = training->problem->team;
    struct hinge_error unread;

    driver_certify(driver, last);
    shards_gather(training->problem, training->alpha);
    if (dual)
        training_return_best(training);
    if (dual && outcome != HINGE_INTERRUPTED && training->is_fresh &&
        progress->gap <= certified_gap(training->parameters))
        outcome = HINGE_CERTIFIED;
    else if (dual && outcome == HINGE_TOLERANCE_MET && training->parameters->eps <= 0)
        outcome = HINGE_STALLED; /* a method had the gap by its own sums alone */
    *result = progress_result(progress, outcome);
    result->row_visits /= problem_views(training->problem); /* as count_in_data does */
    if (team) {
        result->rounds = team->rounds - training->rounds;
        result->sent = team->sent - training->sent;
    }
    for (size_t i = 0, views = problem_views(training->problem);
         dual && i < problem_duals(training->problem); i += views)
        result->support_vectors +=
            views > 1 ? training->alpha[i] != training->alpha[i + 1] : training->alpha[i] > 0;
    progress->last = 1;
    progress->result = result;
    if (check(training->problem, &unread) == HINGE_OK)
        training_tell(training, 0);
}

enum hinge_status driver_train(const struct task *task, double *mu, struct hinge_result *result,
                               struct hinge_error *error)
{
    struct driver driver = {{0}, {{0}}, NULL};
    struct policy policy = {0};
    const struct method *last = NULL;
    enum hinge_outcome outcome;
    enum hinge_status status;
    struct stopwatch watch;

    stopwatch_start(&watch);
    status = begin(&driver, task, error);
    if (status == HINGE_OK)
        status = iterate(&driver, &policy, &last, &outcome, error);
    if (status == HINGE_OK)
        close_training(&driver, last, outcome, result);
    if (status == HINGE_OK) /* what was measured last may have needed rows that are not to be had */
        status = check(task->problem, error);
    driver_end(&driver);
    policy_end(&policy);
    free(driver.training.best_w);
    free(driver.v);
    *mu = driver.training.mu;
    result->seconds = stopwatch_processor(&watch);
    return status;
}

enum hinge_status driver_train_part(const struct training *whole, struct task part,
                                    enum first_method method, double gap, uint64_t most_passes,
                                    double *mu, struct hinge_result *result,
                                    struct hinge_error *error)
{
    struct hinge_parameters parameters = *whole->parameters;
    struct solver solver = *whole->task->solver;
    struct hinge_monitor monitor[2];

    training_watch_part(whole, monitor);
    parameters.gap = gap;
    parameters.eps = 0;
    parameters.max_passes = most_passes;
    parameters.plain = 1;
    solver.method = method;
    part.solver = &solver;
    part.parameters = &parameters;
    part.monitor = monitor;
    return driver_train(&part, mu, result, error);
}

enum hinge_status solver_train(const struct task *task, struct hinge_result *result,
                               struct hinge_error *error)
{
    double ignored;

    return joint_as_binary_apply(task) ? joint_as_binary_train(task, result, error)
                                       : driver_train(task, &ignored, result, error);
}
