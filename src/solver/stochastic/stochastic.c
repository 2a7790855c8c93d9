/* stochastic.c - for t = begin + 1 .. begin + T: draw A_t, step; at the end of an epoch, a
 * checkpoint. */
#include "solver/stochastic/stochastic.h"

#include <float.h>
#include <math.h>

/* The largest double up to which all whole numbers are there. */
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

enum hinge_average stochastic_average(const struct training *training)
{
    const enum hinge_average average = training->parameters->average;

    return average == HINGE_AVERAGE_DEFAULT ? training->task->solver->schedule.average : average;
}

void stochastic_lay_out(struct stochastic *run, struct arena *arena,
                        const struct training *training)
{
    const struct hinge_parameters *parameters = training->parameters;

    *run = (struct stochastic){.problem = training->problem, .k = parameters->batch};
    run->batch = arena_take(arena, run->k, sizeof *run->batch);
    run->factor = arena_take(arena, run->k, sizeof *run->factor);
    sampler_lay_out(&run->sampler, arena, training->problem, parameters->sampling);
}

/* A suffix and a random iterate fix their steps before the first one. */
void stochastic_set_up(struct stochastic *run, struct training *training)
{
    const struct hinge_parameters *parameters = training->parameters;
    const double rows = run->problem->rows;
    struct random_state random = {parameters->seed};
    double total = 0, steps, unit;

    for (uint32_t i = 0; i < run->problem->rows; i++)
        total += problem_cost(run->problem, i);
    run->training = training;
    run->schedule = &training->task->solver->schedule;
    run->width = training->width;
    total = fmax(total, DBL_MIN); /* there may be no row */
    run->sigma = 1 / total;
    run->weight_scale = rows / total;
    run->t = run->begin = stochastic_begin(parameters, rows);
    run->end = fmin(run->begin + steps_to_take(parameters, rows), MOST_STEPS);

    steps = run->end - run->begin;
    unit = (double)(random_next(&random) >> 11) / 9007199254740992.0;
    run->average = stochastic_average(training);
    run->suffix_start = run->end - fmax(1, floor(parameters->suffix * steps)) + 1;
    run->random_step = run->begin + 1 + floor(unit * steps);
    run->epoch_primal = HUGE_VAL;
    if (run->problem->rows > 0)
        sampler_begin(&run->sampler, random_next(&random));
}

/* The steps taken. */
static double taken(const struct stochastic *run)
{
    return run->t - run->begin;
}

/* The t of the next checkpoint: the end of an epoch, or sooner if asked for. */
static double next_checkpoint(const struct stochastic *run)
{
    const double rows = run->problem->rows, k = run->k;
    const double epoch = ceil((floor(taken(run) * k / rows) + 1) * rows / k);
    const double every = (double)run->training->parameters->checkpoint;
    const double next = every > 0 ? fmin(epoch, (floor(taken(run) / every) + 1) * every) : epoch;

    return fmin(run->begin + fmax(next, taken(run) + 1), run->end);
}

/* All steps up to the next checkpoint. */
void stochastic_step(void *state)
{
    struct stochastic *run = state;
    struct hinge_progress *progress = &run->training->progress;
    const double next = next_checkpoint(run);

    while (run->t < next) {
        run->t++;
        for (uint32_t b = 0; b < run->k; b++)
            run->batch[b] = sampler_next(&run->sampler);
        run->take(state);
    }
    progress->passes = (uint64_t)taken(run);
    progress->row_visits = progress->passes * run->k;
    progress->measured = 0;
}

/* Changes nothing that the next steps depend on. */
void stochastic_measure(void *state)
{
    struct stochastic *run = state;
    struct training *training = run->training;
    struct objective objective;

    run->output(state, training->w);
    objective = objective_primal(&training->shards, run->problem, training->w);
    training_note(training, &objective);
}

/* The rule of eps: the objective has improved by less than that, relatively, since the epoch
 * before. */
enum verdict stochastic_met(void *state)
{
    struct stochastic *run = state;
    const double eps = run->training->parameters->eps, before = run->epoch_primal;
    double epoch;

    if (run->problem->rows == 0 || run->t >= run->end)
        return FINISHED;
    epoch = floor(taken(run) * run->k / run->problem->rows);
    if (eps <= 0 || epoch <= run->epoch)
        return GOES_ON;
    if (!run->training->progress.measured)
        stochastic_measure(run);
    run->epoch = epoch;
    run->epoch_primal = run->training->progress.primal;
    return before - run->epoch_primal < eps * before ? FINISHED : GOES_ON;
}
