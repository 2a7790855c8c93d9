/* stochastic.c - for t = begin + 1 .. begin + T: draw A_t, step; at the end of an epoch, a
 * checkpoint.
 *
 * An epoch draws all rows in blocks. A row in random order must be found in memory each time, and
 * its pages and cache lines hold other rows, too. An epoch of short single rows takes twice as long
 * as one of blocks of 8. Longer blocks save little more, and on files sorted by class they take
 * more epochs (imdb, sgd-w, to 1 % above the optimum: 36 epochs by single rows, 38 by blocks of 8,
 * 42 by blocks of 16).
 */
#include "solver/stochastic/stochastic.h"

#include <float.h>
#include <math.h>

/* ---- Samples ------------------------------------------------------------ */

void sampler_lay_out(struct sampler *sampler, struct arena *arena, const struct problem *problem,
                     enum hinge_sampling sampling)
{
    enum { SIZE = 8, FEWEST = 1024 }; /* fewer blocks mix badly, and their rows fit in the cache */
    enum { CACHED = 1 << 17 };        /* entries that the second-level cache holds */
    const int is_paged = problem_is_paged(problem);

    *sampler = (struct sampler){.problem = problem};
    sampler->size = problem->rows < SIZE * FEWEST ? 1 : SIZE;
    sampler->blocks = problem->rows / sampler->size + (problem->rows % sampler->size > 0);
    /* Prefetching cached rows takes a tenth of a step. With twice as many entries (letter) it saves
     * a sixth. Rows in a file are fetched by pages. */
    sampler->is_fetching = !is_paged && problem->data->x.nonzeros > CACHED;
    if (sampling == HINGE_PERMUTE)
        sampler->order = arena_take(arena, sampler->blocks, sizeof *sampler->order);
    paged_order_lay_out(&sampler->paged, arena, problem, sampler->size,
                        arena_take(arena, is_paged ? sampler->blocks : 0, sizeof(uint32_t)));
}

static uint32_t draw(struct sampler *sampler)
{
    const struct problem *problem = sampler->problem;

    if (!sampler->order)
        return random_below(&sampler->random, problem->rows);
    if (sampler->row == sampler->end) {
        if (sampler->position == sampler->blocks) {
            sampler->position = 0;
            if (problem_is_paged(problem))
                paged_order_shuffle(&sampler->paged, &sampler->random, sampler->order,
                                    sampler->blocks);
            else
                random_shuffle(&sampler->random, sampler->order, sampler->blocks);
        }
        sampler->row = sampler->order[sampler->position++] * sampler->size;
        sampler->end = sampler->row + (problem->rows - sampler->row < sampler->size
                                           ? problem->rows - sampler->row
                                           : sampler->size);
    }
    return sampler->row++;
}

void sampler_begin(struct sampler *sampler, uint64_t seed)
{
    sampler->random.counter = seed;
    sampler->position = sampler->blocks;
    for (uint32_t b = 0; sampler->order && b < sampler->blocks; b++)
        sampler->order[b] = b;
    for (uint32_t k = 0; k < SAMPLES_AHEAD; k++)
        sampler->drawn[k] = draw(sampler);
}

uint32_t sampler_next(struct sampler *sampler)
{
    const struct problem *problem = sampler->problem;
    const uint32_t slot = sampler->next, row = sampler->drawn[slot];

    if (sampler->is_fetching) {
        const struct sparse fetched =
            problem_row(problem, sampler->drawn[(slot + SAMPLES_AHEAD / 2) % SAMPLES_AHEAD]);

        sparse_prefetch(&fetched, 64);
    }
    sampler->drawn[slot] = draw(sampler);
    sampler->next = (slot + 1) % SAMPLES_AHEAD;
    PREFETCH(&problem->data->x.start[problem->row[sampler->drawn[slot]]]);
    PREFETCH(&problem->sign[sampler->drawn[slot]]);
    if (problem->cost)
        PREFETCH(&problem->cost[sampler->drawn[slot]]);
    return row;
}

/* ---- Beginning ---------------------------------------------------------- */

static const double TWO_TO_53 = 9007199254740992.0; /* doubles hold all whole numbers up to it */

/* Returns T. */
static double steps_to_take(const struct hinge_parameters *parameters, double rows)
{
    const double steps = parameters->iterations > 0
                             ? (double)parameters->iterations
                             : ceil(parameters->epochs * rows / parameters->batch);

    return fmin(steps, TWO_TO_53);
}

double stochastic_begin(const struct hinge_parameters *parameters, double rows)
{
    double steps;

    if (!parameters->initial)
        return 0;
    steps = hinge_model_steps(parameters->initial);
    return fmin(steps > 0 ? steps : steps_to_take(parameters, rows), TWO_TO_53 / 2);
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

/* The steps of a suffix average and of a random iterate are fixed before the first one. */
void stochastic_set_up(struct stochastic *run, struct training *training)
{
    const struct hinge_parameters *parameters = training->parameters;
    const double rows = run->problem->rows;
    struct random_state random = {parameters->seed};
    double total = 0, steps, unit;

    for (uint32_t i = 0; i < run->problem->rows; i++)
        total += problem_cost(run->problem, i);
    total = fmax(total, DBL_MIN); /* there may be no row */
    run->training = training;
    run->schedule = &training->task->solver->schedule;
    run->width = training->width;
    run->sigma = 1 / total;
    run->weight_scale = rows / total;
    run->t = run->begin = stochastic_begin(parameters, rows);
    run->end = fmin(run->begin + steps_to_take(parameters, rows), TWO_TO_53);

    steps = run->end - run->begin;
    unit = (double)(random_next(&random) >> 11) / TWO_TO_53;
    run->average = stochastic_average(training);
    run->suffix_start = run->end - fmax(1, floor(parameters->suffix * steps)) + 1;
    run->random_step = run->begin + 1 + floor(unit * steps);
    run->epoch_primal = HUGE_VAL;
    if (run->problem->rows > 0)
        sampler_begin(&run->sampler, random_next(&random));
}

/* ---- Steps up to a checkpoint ------------------------------------------- */

/* Takes all steps up to the next checkpoint: the end of an epoch, or an earlier one that was asked
 * for. */
void stochastic_step(void *state)
{
    struct stochastic *run = state;
    struct hinge_progress *progress = &run->training->progress;
    const double rows = run->problem->rows, k = run->k, taken = run->t - run->begin;
    const double every = (double)run->training->parameters->checkpoint;
    double next = ceil((floor(taken * k / rows) + 1) * rows / k);

    if (every > 0)
        next = fmin(next, (floor(taken / every) + 1) * every);
    next = fmin(run->begin + fmax(next, taken + 1), run->end);
    while (run->t < next) {
        run->t++;
        for (uint32_t b = 0; b < run->k; b++)
            run->batch[b] = sampler_next(&run->sampler);
        run->take(state);
    }
    progress->passes = (uint64_t)(run->t - run->begin);
    progress->row_visits = progress->passes * run->k;
    progress->measured = 0;
}

/* Measures P of the iterate to be returned. No later step depends on it. */
void stochastic_measure(void *state)
{
    struct stochastic *run = state;
    struct training *training = run->training;
    struct objective objective;

    run->output(state, training->point.w);
    objective = objective_primal(&training->shards, run->problem, training->point.w);
    training_note(training, &objective);
}

/* Returns FINISHED after the last step, or if P fell by a smaller fraction than eps in an epoch. */
enum verdict stochastic_met(void *state)
{
    struct stochastic *run = state;
    const double eps = run->training->parameters->eps, before = run->epoch_primal;
    double epoch;

    if (run->problem->rows == 0 || run->t >= run->end)
        return FINISHED;
    epoch = floor((run->t - run->begin) * run->k / run->problem->rows);
    if (eps <= 0 || epoch <= run->epoch)
        return GOES_ON;
    if (!run->training->progress.measured)
        stochastic_measure(run);
    run->epoch = epoch;
    run->epoch_primal = run->training->progress.primal;
    return before - run->epoch_primal < eps * before ? FINISHED : GOES_ON;
}
