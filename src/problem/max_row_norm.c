/* max_row_norm.c - max |x_i|^2, and the largest number of features of a row. */
#include <math.h>

#include "base/parallel.h"
#include "problem/certificate.h"

struct norm_search {
    const struct problem *problem;
    struct max_row_norm *norm;
};

/* Searches rows first .. end - 1. Maxima do not depend on the order of the threads. */
static void search_rows(void *context, uint32_t first, uint32_t end)
{
    const struct norm_search *search = context;
    const struct hinge_matrix *x = &search->problem->data->x;
    struct max_row_norm *norm = search->norm;
    double longest = 0;
    size_t most = 0;
    int is_locked;

    for (uint32_t i = first; i < end; i++) {
        const size_t at = norm->row ? norm->row[i] : i;
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
    is_locked = parallel_enter();
    norm->square = fmax(norm->square, longest);
    norm->features = fmax(norm->features, (double)most);
    parallel_leave(is_locked);
}

void max_row_norm_find(const struct problem *problem, const struct shards *shards,
                       struct max_row_norm *norm)
{
    const double bias = problem_constant(problem);
    struct norm_search search = {problem, norm};
    struct shards few = *shards;
    double largest[2];

    if (norm->known)
        return;
    if (problem->square) /* too little work for threads */
        few.threads = 1;
    norm->square = norm->features = 0;
    places_run(&few, 0, (uint32_t)norm->rows, search_rows, &search);
    largest[0] = norm->square + bias * bias;
    largest[1] = norm->features;
    team_largest_each(problem->team, largest, 2);
    norm->square = largest[0];
    norm->features = largest[1];
    norm->known = 1;
}
