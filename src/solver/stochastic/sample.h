/* sample.h - which row comes next: i.i.d. as in the papers, or all in a fresh order each epoch:
 * blocks of rows in a random one, inside a block as they are. */
#ifndef HINGE_SOLVER_STOCHASTIC_SAMPLE_H
#define HINGE_SOLVER_STOCHASTIC_SAMPLE_H

#include "base/memory.h"
#include "base/random.h"
#include "solver/passes/paged_order.h"

enum { SAMPLES_AHEAD = 16 }; /* a power of 2 */

/* Rows are drawn some time before they are asked for, so that many can be fetched meanwhile. */
struct sampler {
    const struct problem *problem;
    int is_fetching; /* rows before they are asked for */
    struct random_state random;
    uint32_t *order; /* [blocks] of this epoch; NULL for i.i.d. */
    uint32_t blocks;
    uint32_t size;                 /* rows of a block; the last one may have fewer */
    uint32_t position;             /* in order, of the block after this one */
    uint32_t row, end;             /* what is left of this block */
    uint32_t drawn[SAMPLES_AHEAD]; /* a ring */
    uint32_t next;                 /* in the ring */
    struct paged_order paged;      /* of blocks of rows that are not all in memory */
};

/* Takes the sampler's array from the arena. */
void sampler_lay_out(struct sampler *sampler, struct arena *arena, const struct problem *problem,
                     enum hinge_sampling sampling);

/* Prepares for drawing from all rows of the problem, at least one. */
void sampler_begin(struct sampler *sampler, uint64_t seed);

/* The next row of the problem. */
uint32_t sampler_next(struct sampler *sampler);

/* The features of the row that sampler_next will return. */
static inline struct sparse sampler_peek(const struct sampler *sampler)
{
    return problem_row(sampler->problem, sampler->drawn[sampler->next]);
}

#endif
