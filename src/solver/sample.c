/* sample.c - i := uniform in 0 .. m-1, or order[position++]. */
#include "solver/sample.h"

#include <stdlib.h>

#include "base/compiler.h"
#include "base/memory.h"
#include "base/status.h"
#include "problem/kernel.h"

static uint32_t draw(struct sampler *sampler)
{
    uint32_t rows = sampler->problem->rows;

    if (sampler->sampling == HINGE_IID)
        return random_below(&sampler->random, rows);
    if (sampler->position == rows) {
        random_shuffle(&sampler->random, sampler->order, rows);
        sampler->position = 0;
    }
    return sampler->order[sampler->position++];
}

enum hinge_status sampler_new(struct sampler *sampler, const struct binary_problem *problem,
                              enum hinge_sampling sampling, uint64_t seed,
                              struct hinge_error *error)
{
    *sampler = (struct sampler){problem, sampling, {seed}, NULL, problem->rows, {0}, 0};
    if (sampling == HINGE_PERMUTE) {
        sampler->order = array_new(problem->rows, sizeof *sampler->order, error);
        if (!sampler->order)
            return failure(error);
        for (uint32_t i = 0; i < problem->rows; i++)
            sampler->order[i] = i;
    }
    for (uint32_t k = 0; k < SAMPLES_AHEAD; k++)
        sampler->drawn[k] = draw(sampler);
    return HINGE_OK;
}

void sampler_free(struct sampler *sampler)
{
    free(sampler->order);
}

uint32_t sampler_next(struct sampler *sampler)
{
    const struct binary_problem *problem = sampler->problem;
    uint32_t slot = sampler->next;
    uint32_t row = sampler->drawn[slot];
    uint32_t fetched = sampler->drawn[(slot + SAMPLES_AHEAD / 2) % SAMPLES_AHEAD];
    const struct sparse entries = binary_row(problem, fetched);

    sampler->drawn[slot] = draw(sampler);
    sampler->next = (slot + 1) % SAMPLES_AHEAD;
    PREFETCH(&problem->data->x.start[problem->row[sampler->drawn[slot]]]);
    sparse_prefetch(&entries, 64);
    return row;
}
