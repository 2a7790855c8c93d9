/* sample.h - which row comes next: i.i.d. as in the seeds, or a fresh permutation each epoch. */
#ifndef HINGE_SOLVER_SAMPLE_H
#define HINGE_SOLVER_SAMPLE_H

#include "base/random.h"
#include "problem/binary.h"

enum { SAMPLES_AHEAD = 16 }; /* a power of 2 */

/* Rows are drawn some time before they are asked for, so that they can be fetched meanwhile. */
struct sampler {
    const struct binary_problem *problem;
    enum hinge_sampling sampling;
    struct random_state random;
    uint32_t *order;               /* [rows] the permutation; NULL for i.i.d. */
    uint32_t position;             /* in order */
    uint32_t drawn[SAMPLES_AHEAD]; /* a ring */
    uint32_t next;                 /* in the ring */
};

/* Prepares for drawing from all rows of the problem, at least one. Free with sampler_free, on
 * failure too. */
enum hinge_status sampler_new(struct sampler *sampler, const struct binary_problem *problem,
                              enum hinge_sampling sampling, uint64_t seed,
                              struct hinge_error *error);
void sampler_free(struct sampler *sampler);

/* The next row of the problem. */
uint32_t sampler_next(struct sampler *sampler);

/* A vector of so many entries does not stay in the cache: entries that a row will need are worth
 * asking for one row ahead. */
enum { FETCH_WIDTH = 1 << 15 };

/* The row that sampler_next will give, its non-zeros from *start to before *end in the dataset. */
static inline void sampler_peek(const struct sampler *sampler, size_t *start, size_t *end)
{
    const struct binary_problem *problem = sampler->problem;
    uint32_t row = problem->row[sampler->drawn[sampler->next]];

    *start = problem->data->x.start[row];
    *end = problem->data->x.start[row + 1];
}

#endif
