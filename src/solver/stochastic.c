/* stochastic.c - for t = begin + 1 .. begin + T: draw A_t, step; at the end of an epoch, look. */
#include "solver/stochastic.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/status.h"
#include "base/sum.h"

/* The largest double behind which all whole numbers are there. */
static const double MOST_STEPS = 9007199254740992.0;

/* T */
static double steps_to_take(const struct hinge_parameters *parameters, double rows)
{
    const double steps = parameters->iterations > 0
                             ? (double)parameters->iterations
                             : ceil(parameters->epochs * rows / parameters->batch);

    return fmin(steps, MOST_STEPS);
}

double stochastic_begin(const struct hinge_parameters *parameters, double rows)
{
    if (!parameters->initial)
        return 0;
    return fmin(parameters->initial->steps > 0 ? parameters->initial->steps
                                               : steps_to_take(parameters, rows),
                MOST_STEPS / 2);
}

/* sigma, v_i and T from costs and parameters. */
static void scale_problem(struct run *run)
{
    const struct hinge_parameters *parameters = run->task->parameters;
    double total = 0, rows = run->problem->rows;

    for (uint32_t i = 0; i < run->problem->rows; i++)
        total += run->problem->cost[i];
    run->sigma = 1 / total;
    run->weight_scale = rows / total;
    run->t = run->begin = stochastic_begin(parameters, rows);
    run->end = fmin(run->begin + steps_to_take(parameters, rows), MOST_STEPS);
}

/* Which iterates count. Both kinds that need T fix their steps before the first one. */
static void choose_average(struct run *run, struct random_state *random)
{
    const struct hinge_parameters *parameters = run->task->parameters;
    double unit = (double)(random_next(random) >> 11) / 9007199254740992.0;
    double steps = run->end - run->begin;

    run->average = parameters->average == HINGE_AVERAGE_DEFAULT ? run->task->recipe->average
                                                                : parameters->average;
    run->suffix_start = run->end - fmax(1, floor(parameters->suffix * steps)) + 1;
    run->random_step = run->begin + 1 + floor(unit * steps);
}

enum hinge_status run_new(struct run *run, const struct solver_task *task,
                          struct hinge_error *error)
{
    const struct hinge_parameters *parameters = task->parameters;
    struct random_state random = {parameters->seed};

    *run = (struct run){.task = task, .problem = task->problem};
    run->width = binary_width(task->problem);
    run->k = parameters->batch;
    scale_problem(run);
    choose_average(run, &random);
    run->progress = progress_new(task);
    run->epoch_primal = HUGE_VAL;
    if (!(run->batch = array_new(run->k, sizeof *run->batch, error)) ||
        !(run->factor = array_new(run->k, sizeof *run->factor, error)))
        return failure(error);
    if (task->problem->rows == 0)
        return HINGE_OK;
    return sampler_new(&run->sampler, task->problem, parameters->sampling, random_next(&random),
                       error);
}

void run_free(struct run *run)
{
    sampler_free(&run->sampler);
    free(run->batch);
    free(run->factor);
}

/* ---- Steps ------------------------------------------------------------- */

/* What measuring between two steps needs. */
struct observation {
    struct run *run;
    const struct engine *engine;
    const void *state;
    double *w;
};

/* Measures the iterate that would be returned now. Changes nothing that the next ones depend on. */
static void measure(void *state)
{
    struct observation *observation = state;
    struct run *run = observation->run;
    double l1 = run->task->parameters->l1 / run->sigma;
    struct objective objective;
    struct sum absolute = {0, 0};

    observation->engine->output(run, observation->state, observation->w);
    objective = objective_primal(run->problem, observation->w);
    for (size_t j = 0; l1 > 0 && j < run->width; j++)
        sum_add(&absolute, fabs(observation->w[j]));
    objective.primal += l1 * sum_value(&absolute);
    progress_measured(&run->progress, &objective, observation->w);
}

/* The steps taken. */
static double taken(const struct run *run)
{
    return run->t - run->begin;
}

/* The t after which to look next: the end of an epoch, or sooner if asked for. */
static double next_checkpoint(const struct run *run)
{
    double rows = run->problem->rows, k = run->k;
    double epoch = ceil((floor(taken(run) * k / rows) + 1) * rows / k);
    double every = (double)run->task->parameters->checkpoint;
    double next = every > 0 ? fmin(epoch, (floor(taken(run) / every) + 1) * every) : epoch;

    return fmin(run->begin + fmax(next, taken(run) + 1), run->end);
}

/* Whether the objective has improved by less than eps, relatively, since the epoch before. */
static int settled(struct run *run, struct observation *observation)
{
    double epoch = floor(taken(run) * run->k / run->problem->rows);
    double before = run->epoch_primal;

    if (run->task->parameters->eps <= 0 || epoch <= run->epoch)
        return 0;
    if (!run->progress.measured)
        measure(observation);
    run->epoch = epoch;
    run->epoch_primal = run->progress.primal;
    return before - run->epoch_primal < run->task->parameters->eps * before;
}

static enum hinge_outcome iterate(struct run *run, struct observation *observation, void *state)
{
    for (;;) {
        enum hinge_answer answer =
            monitor_ask(run->task->monitor, &run->progress, measure, observation);
        double next = next_checkpoint(run);

        if (answer != HINGE_GO_ON)
            return outcome_of(answer);
        if (run->t >= run->end || settled(run, observation))
            return HINGE_FINISHED;
        while (run->t < next) {
            run->t++;
            for (uint32_t b = 0; b < run->k; b++)
                run->batch[b] = sampler_next(&run->sampler);
            observation->engine->step(run, state);
        }
        run->progress.passes = (uint64_t)taken(run);
        run->progress.row_visits = run->progress.passes * run->k;
        run->progress.measured = 0;
    }
}

void run_steps(struct run *run, const struct engine *engine, void *state, double *w,
               struct hinge_result *result)
{
    struct observation observation = {run, engine, state, w};
    enum hinge_outcome outcome = HINGE_FINISHED;

    if (run->problem->rows > 0)
        outcome = iterate(run, &observation, state);
    if (!run->progress.measured)
        measure(&observation);
    run->progress.last = 1;
    monitor_ask(run->task->monitor, &run->progress, measure, &observation);
    result_fill(result, &run->progress, outcome);
}
