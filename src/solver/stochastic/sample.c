/* sample.c - i := uniform in 0 .. m-1, or the rows of block order[position++], one after another.
 *
 * Of rows in a random order each one's memory has to be found, whose pages and cache lines hold
 * others, too: an epoch of short rows takes twice as long as one of blocks of 8. Longer blocks take
 * hardly less, and on files sorted by class more epochs: imdb, to 1 % above the optimum, sgd-w:
 * 36 epochs by single rows, 38 by blocks of 8, 42 of 16.
 */
#include "solver/stochastic/sample.h"

/* Few rows stay in the cache, and blocks of them would be few. */
static uint32_t block_size(uint32_t rows)
{
    enum { SIZE = 8, FEWEST = 1024 };

    return rows < SIZE * FEWEST ? 1 : SIZE;
}

/* Of so few entries each is in the second-level cache, and asking for them takes a tenth of a step;
 * of twice as many (letter) it saves a sixth of one. Of rows in a file pages are asked for. */
static int is_to_fetch(const struct problem *problem)
{
    enum { CACHED = 1 << 17 };

    return !problem_is_paged(problem) && problem->data->x.nonzeros > CACHED;
}

static uint32_t draw(struct sampler *sampler)
{
    const uint32_t rows = sampler->problem->rows;

    if (!sampler->order)
        return random_below(&sampler->random, rows);
    if (sampler->row == sampler->end) {
        if (sampler->position == sampler->blocks) {
            if (problem_is_paged(sampler->problem))
                paged_order_shuffle(&sampler->paged, &sampler->random, sampler->order,
                                    sampler->blocks);
            else
                random_shuffle(&sampler->random, sampler->order, sampler->blocks);
            sampler->position = 0;
        }
        sampler->row = sampler->order[sampler->position++] * sampler->size;
        sampler->end = rows - sampler->row < sampler->size ? rows : sampler->row + sampler->size;
    }
    return sampler->row++;
}

void sampler_lay_out(struct sampler *sampler, struct arena *arena, const struct problem *problem,
                     enum hinge_sampling sampling)
{
    *sampler = (struct sampler){
        .problem = problem, .is_fetching = is_to_fetch(problem), .size = block_size(problem->rows)};
    sampler->blocks = problem->rows / sampler->size + (problem->rows % sampler->size > 0);
    if (sampling == HINGE_PERMUTE)
        sampler->order = arena_take(arena, sampler->blocks, sizeof *sampler->order);
    paged_order_lay_out(
        &sampler->paged, arena, problem, sampler->size,
        arena_take(arena, problem_is_paged(problem) ? sampler->blocks : 0, sizeof(uint32_t)));
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
