/* max_row_norm.c - max |x_i|^2, and the largest number of features of a row. */
#include "problem/max_row_norm.h"

#include <math.h>

#include "base/parallel.h"

enum { SEARCH_BLOCKS = 64 };

/* A search at work. */
struct norm_search {
    const struct problem *problem;
    const struct max_row_norm *of;
    size_t block; /* rows of a block */
    double square[SEARCH_BLOCKS];
    double features[SEARCH_BLOCKS];
};

static void search_block(void *context, size_t block, unsigned thread)
{
    struct norm_search *search = context;
    const struct hinge_matrix *x = &search->problem->data->x;
    const size_t first = block * search->block, rest = search->of->rows - first;
    const size_t end = first + (rest < search->block ? rest : search->block);
    double longest = 0;
    size_t most = 0;

    (void)thread;
    for (size_t i = first; i < end; i++) {
        const size_t at = search->of->row ? search->of->row[i] : i;
        const size_t features = x->start[at + 1] - x->start[at];
        double square;

        if (search->problem->square) {
            square = search->problem->square[at];
        } else {
            const struct sparse row = sparse_row(x, at);

            square = sparse_square(&row);
        }
        longest = square > longest ? square : longest; /* fmax would be a call */
        most = features > most ? features : most;
    }
    search->square[block] = longest;
    search->features[block] = (double)most;
}

void max_row_norm_find(const struct problem *problem, const struct shards *shards,
                       struct max_row_norm *norm)
{
    const unsigned threads = shards_threads(shards, problem->square ? 0 : (double)norm->rows);
    const double bias = problem_constant(problem);
    const size_t blocks = threads > 1 ? SEARCH_BLOCKS : 1;
    struct norm_search search = {.problem = problem, .of = norm};
    double largest[2] = {0, 0};

    if (norm->known)
        return;
    search.block = norm->rows / blocks + 1;
    parallel_run(threads, norm->rows / search.block + 1, search_block, NULL, &search);
    for (size_t k = 0; k <= norm->rows / search.block; k++) {
        largest[0] = fmax(largest[0], search.square[k] + bias * bias);
        largest[1] = fmax(largest[1], search.features[k]);
    }
    team_largest_each(problem->team, largest, 2);
    norm->square = largest[0];
    norm->features = largest[1];
    norm->known = 1;
}
