/* column_cache.c - norm_j = sqrt(sum h_i x_ij^2), where h_i is proportional to C. */
#include "solver/linear/column_cache.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "data/storage_kinds.h"

int column_cache_in_columns(const struct problem *problem)
{
    enum { MOST = 512, LENGTH = 128 }; /* features, and non-zeros of a row on average */

    return problem_width(problem) > MOST ||
           problem_nonzeros(problem) > (double)LENGTH * problem->rows;
}

/* Finds the columns and their norms. False if there is no memory. */
static int take_columns(struct column_cache *by, const struct problem *problem,
                        struct hinge_error *error)
{
    const size_t features = problem->data->features;

    if (!(by->norm = array_new(features, sizeof *by->norm, error)))
        return 0;
    by->columns = problem->columns;
    if (!by->columns) {
        if (!(by->own = feature_columns_new(problem->data, problem->row, problem->rows, error)))
            return 0;
        by->columns = by->own;
    }
    by->least = HUGE_VAL;
    for (size_t j = 0; j < features; j++) {
        const struct sparse x = sparse_row(by->columns->x, j);
        double square = 0;

        for (size_t k = 0; k < x.count; k++) {
            const double value = value_at(&x, k);

            square +=
                loss_most_curvature(problem->loss, problem->cost[index_at(&x, k)]) * value * value;
        }
        by->norm[j] = sqrt(square);
        by->most = fmax(by->most, by->norm[j]);
        by->least = square > 0 ? fmin(by->least, by->norm[j]) : by->least;
    }
    return 1;
}

struct column_cache *column_cache_new(const struct problem *problem, int in_columns,
                                      struct hinge_error *error)
{
    struct column_cache *by = array_new(1, sizeof *by, error);

    if (!by)
        return NULL;
    by->rows = problem->rows;
    by->width = problem_width(problem);
    by->cost = problem->rows > 0 ? problem->cost[0] : 1;
    if (in_columns ? take_columns(by, problem, error)
                   : (by->matrix = array_new(by->width * by->width, sizeof(double), error)) &&
                         (by->weight = array_new(problem->rows, sizeof(double), error)))
        return by;
    column_cache_free(by);
    return NULL;
}

void column_cache_free(struct column_cache *by)
{
    if (!by)
        return;
    feature_columns_free(by->own);
    free(by->norm);
    free(by->matrix);
    free(by->weight);
    free(by);
}

int column_cache_turn(struct column_cache *by, const struct problem *problem)
{
    const double cost = problem->rows > 0 ? problem->cost[0] : 1, factor = cost / by->cost;
    const double root = sqrt(factor);

    if (problem->rows != by->rows || problem_width(problem) != by->width)
        return 0;
    if (by->cost == cost)
        return 1;
    for (size_t j = 0; by->columns && j < problem->data->features; j++)
        by->norm[j] *= root;
    for (size_t k = 0; by->matrix && k < by->width * by->width; k++)
        by->matrix[k] *= factor;
    for (size_t i = 0; by->matrix && i < by->rows; i++)
        by->weight[i] *= factor;
    by->least *= root;
    by->most *= root;
    by->cost = cost;
    return 1;
}
