/* sample.c - i := uniform in 0 .. m-1, or order[position++]. */
#include "solver/sample.h"

static uint32_t draw(struct sampler *sampler)
{
    const uint32_t rows = sampler->problem->rows;

    if (!sampler->order)
        return random_below(&sampler->random, rows);
    if (sampler->position == rows) {
        random_shuffle(&sampler->random, sampler->order, rows);
        sampler->position = 0;
    }
    return sampler->order[sampler->position++];
}

void sampler_lay_out(struct sampler *sampler, struct arena *arena, const struct problem *problem,
                     enum hinge_sampling sampling)
{
    *sampler = (struct sampler){.problem = problem};
    if (sampling == HINGE_PERMUTE)
        sampler->order = arena_take(arena, problem->rows, sizeof *sampler->order);
}

void sampler_begin(struct sampler *sampler, uint64_t seed)
{
    sampler->random.counter = seed;
    sampler->position = sampler->problem->rows;
    for (uint32_t i = 0; sampler->order && i < sampler->problem->rows; i++)
        sampler->order[i] = i;
    for (uint32_t k = 0; k < SAMPLES_AHEAD; k++)
        sampler->drawn[k] = draw(sampler);
}

uint32_t sampler_next(struct sampler *sampler)
{
    const struct problem *problem = sampler->problem;
    const uint32_t slot = sampler->next, row = sampler->drawn[slot];
    const struct sparse fetched =
        problem_row(problem, sampler->drawn[(slot + SAMPLES_AHEAD / 2) % SAMPLES_AHEAD]);

    sampler->drawn[slot] = draw(sampler);
    sampler->next = (slot + 1) % SAMPLES_AHEAD;
    PREFETCH(&problem->data->x.start[problem->row[sampler->drawn[slot]]]);
    sparse_prefetch(&fetched, 64);
    return row;
}
