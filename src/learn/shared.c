/* shared.c - rows -> their squares, and their transpose: once for all classes and values of C. */
#include "learn/shared.h"

#include <stdlib.h>

#include "base/memory.h"
#include "base/status.h"
#include "data/transpose.h"
#include "problem/kernel.h"
#include "solver/linear/column_cache.h"

static enum hinge_status take_squares(struct shared *shared, const struct path *path,
                                      struct hinge_error *error)
{
    const struct hinge_matrix *x = &path->data->x;

    if (!(shared->square = array_new(x->rows, sizeof *shared->square, error)))
        return failure(error);
    for (size_t i = 0; i < path->rows; i++) {
        const struct sparse row = sparse_row(x, path_row(path, i));

        shared->square[path_row(path, i)] = sparse_square(&row);
    }
    return HINGE_OK;
}

static enum hinge_status take_columns(struct shared *shared, const struct path *path,
                                      struct hinge_error *error)
{
    const size_t *start = path->data->x.start;
    uint32_t *row = array_new(path->rows, sizeof *row, error);
    size_t nonzeros = 0;

    for (size_t i = 0; row && i < path->rows; i++) {
        row[i] = path_row(path, i);
        nonzeros += start[row[i] + (size_t)1] - start[row[i]];
    }
    if (row && (shared->columns = transpose_new(path->data, nonzeros, error)))
        transpose_fill(shared->columns, path->data, row, (uint32_t)path->rows);
    free(row);
    return shared->columns ? HINGE_OK : failure(error);
}

/* Whether several problems ask for columns. Those of a path that is to go on at another C outlast
 * it: each of its problems keeps its own. */
static int wants_columns(const struct path *path)
{
    const struct problem all = {.data = path->data,
                                .rows = (uint32_t)path->rows,
                                .bias_kind = solver_bias_kind(path->solver, path->parameters)};

    return solver_is_only_l1(path->solver) && path_problems(path) > 1 && !path->ends &&
           column_cache_in_columns(&all);
}

/* A stochastic solver asks for few of the squares, and once or twice for each. */
enum hinge_status shared_new(struct shared *shared, const struct path *path,
                             struct hinge_error *error)
{
    *shared = (struct shared){NULL, NULL};
    if (path->solver->info.kind == HINGE_STOCHASTIC ||
        (path_problems(path) == 1 && path->count == 1))
        return HINGE_OK;
    if (take_squares(shared, path, error))
        return failure(error);
    return wants_columns(path) ? take_columns(shared, path, error) : HINGE_OK;
}

void shared_free(struct shared *shared)
{
    free(shared->square);
    transpose_free(shared->columns);
}
