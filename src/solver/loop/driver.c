/* driver.c - until a rule holds: let the policy choose a method, ask the monitors, step.
 *
 * The driver owns monitors, limits, time, the best point, measuring and the result. The policy
 * chooses the method that steps.
 */
#include "solver/loop/loop.h"

#include <math.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/status.h"

/* Fails if rows could not be read or a rank has failed. */
static enum hinge_status check(const struct problem *problem, struct hinge_error *error)
{
    return pages_check(&problem->data->x, error) || team_check(problem->team, error)
               ? failure(error)
               : HINGE_OK;
}

/* ---- The loop ---------------------------------------------------------- */

/* Steps until the training ends. *last is the method that stepped last; NULL: none has. Monitors
 * that want a measurement get one and are asked again. Measuring changes no value that steps depend
 * on. */
static enum hinge_status iterate(struct run *run, struct policy *policy, const struct method **last,
                                 enum hinge_outcome *outcome, struct hinge_error *error)
{
    struct training *training = &run->training;
    enum verdict verdict = GOES_ON;

    for (;;) {
        const struct method *method = policy_next(policy, run, *last, verdict, error);
        struct worker *worker = run_worker(run, method);

        *outcome = HINGE_STALLED;
        if (check(training->problem, error))
            return failure(error);
        if (!method)
            return *last ? HINGE_OK : failure(error);
        *last = method;
        verdict = worker->is_new ? method->met(worker->state) : GOES_ON;
        worker->is_new = 0;
        if (verdict == GOES_ON) {
            const double primal = training->point.primal, dual = training->point.dual;
            enum hinge_answer answer = training_ask(training, 0);

            if (answer == HINGE_MEASURE && !training->progress.measured) {
                if (method->measure) {
                    method->measure(worker->state);
                } else {
                    training_measure(training);
                    training->point.primal = primal;
                    training->point.dual = dual;
                }
                answer = training_ask(training, 0);
            }
            *outcome = answer == HINGE_INTERRUPT ? HINGE_INTERRUPTED : HINGE_TIME_LIMIT;
            if (answer != HINGE_GO_ON && answer != HINGE_MEASURE)
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

static enum hinge_status begin(struct run *run, const struct task *task, struct hinge_error *error)
{
    struct training *training = &run->training;
    const struct team *team = task->problem->team;
    const double nonzeros = problem_nonzeros(task->problem);
    double total = 0;

    *training = (struct training){.task = task,
                                  .problem = task->problem,
                                  .parameters = task->parameters,
                                  .rows = task->problem->rows,
                                  .width = problem_width(task->problem),
                                  .point.w = task->w,
                                  .point.alpha = task->alpha,
                                  .start = task->start,
                                  .point.primal = HUGE_VAL,
                                  .primal_at_zero = objective_at_zero(task->problem),
                                  .eps = task->parameters->eps,
                                  .train_part = driver_train_part,
                                  .rounds = team ? team->rounds : 0,
                                  .sent = team ? team->sent : 0,
                                  .progress = progress_new(task)};
    if (!isfinite(training->primal_at_zero)) /* no method ends if P is infinite at its start */
        return HINGE_OK;
    /* For regression, LIBLINEAR's dual solvers bound the sum of all violations relative to the sum
     * at alpha = 0, where row i violates by max(0, t_i). Methods know the mean violation, so its
     * bound is eps times the mean of max(0, t_i). */
    if (loss_has_targets(task->problem->loss)) {
        for (uint32_t i = 0; i < task->problem->rows; i++)
            total += positive_part(task->problem->target[i]);
        training->eps *= total / fmax(task->problem->rows, 1);
    }
    training->most_passes =
        task->parameters->max_passes > 0 ? task->parameters->max_passes : UINT64_MAX;
    training->shards =
        shards_of(task->problem, SUM_OF_VECTORS, nonzeros * (double)problem_outputs(task->problem),
                  training->width);
    training->shards.threads = task->threads;
    if (workspace_shards(task->workspace, &training->shards, error))
        return failure(error);
    if (task->solver->info.kind != HINGE_DUAL)
        return HINGE_OK;
    if (problem_has_both_norms(task->problem) &&
        !(training->point.v = run->v = array_new(training->width, sizeof *run->v, error)))
        return failure(error);
    if (!task->problem->only_l1)
        training_form(training);
    if (training->start && !task->problem->only_l1 &&
        !(objective_primal(&training->shards, task->problem, task->start).primal <
          training->primal_at_zero))
        training->start = NULL; /* P is no lower there than at w = 0 */
    return HINGE_OK;
}

/* Takes the last measurement and fills in the result. */
static void close_training(struct run *run, const struct method *last, enum hinge_outcome outcome,
                           struct hinge_result *result)
{
    struct training *training = &run->training;
    struct hinge_progress *progress = &training->progress;
    const int dual = training->task->solver->info.kind == HINGE_DUAL;
    const struct team *team = training->problem->team;
    struct hinge_error unread;

    run_certify(run, last);
    shards_gather(training->problem, training->point.alpha);
    if (dual)
        training_return_best(training);
    if (dual && outcome != HINGE_INTERRUPTED && training->point.sums != SUMS_UPDATED &&
        progress->relative_gap <= certified_gap(training->parameters))
        outcome = HINGE_CERTIFIED;
    else if (dual && outcome == HINGE_TOLERANCE_MET && training->parameters->eps <= 0)
        outcome = HINGE_STALLED; /* the method's sums met the gap, fresh sums do not */
    *result = progress_result(progress, outcome);
    result->row_visits /= problem_views(training->problem); /* rows of the data, not views */
    if (team) {
        result->rounds = team->rounds - training->rounds;
        result->sent = team->sent - training->sent;
    }
    for (size_t i = 0, views = problem_views(training->problem);
         dual && i < problem_duals(training->problem); i += views)
        result->support_vectors += views > 1
                                       ? training->point.alpha[i] != training->point.alpha[i + 1]
                                       : training->point.alpha[i] > 0;
    progress->last = 1;
    progress->result = result;
    if (check(training->problem, &unread) == HINGE_OK)
        training_tell(training, 0);
}

enum hinge_status solver_train(const struct task *task, struct hinge_result *result,
                               struct hinge_error *error)
{
    struct run run = {{0}, {{0}}, NULL};
    struct policy policy = {0};
    const struct method *last = NULL;
    enum hinge_outcome outcome;
    enum hinge_status status;
    struct stopwatch watch;

    if (task->problem->classes == 2 && task->solver->of_two != task->solver->info.number)
        return joint_as_binary_train(task, result, error);
    stopwatch_start(&watch);
    status = begin(&run, task, error);
    *result = (struct hinge_result){
        .outcome = HINGE_STALLED, .primal = HUGE_VAL, .relative_gap = HUGE_VAL};
    if (status == HINGE_OK && isfinite(run.training.primal_at_zero)) {
        status = iterate(&run, &policy, &last, &outcome, error);
        if (status == HINGE_OK)
            close_training(&run, last, outcome, result);
    }
    if (status == HINGE_OK) /* the last measurement may have met rows that could not be read */
        status = check(task->problem, error);
    run_end_methods(&run);
    free(policy.start);
    free(run.training.best.w);
    free(run.training.best.alpha);
    free(run.v);
    if (task->mu)
        *task->mu = run.training.mu;
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
    parameters.relative_gap = gap;
    parameters.eps = 0;
    parameters.max_passes = most_passes;
    parameters.single_method = 1;
    solver.method = method;
    part.solver = &solver;
    part.parameters = &parameters;
    part.monitor = monitor;
    part.mu = mu;
    return solver_train(&part, result, error);
}
