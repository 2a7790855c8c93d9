/* class_blocks.c - a Cholesky factor for each class. */
#include "solver/linear/class_blocks.h"

#include <string.h>

#include "solver/linear/cholesky.h"

size_t class_blocks_order(const struct problem *problem)
{
    enum { MOST = 2048 };
    static const double MOST_NUMBERS = 2e7; /* 160 MB */
    const size_t k = problem->classes, order = problem_penalised(problem) / k;

    return order <= MOST && (double)(order * order) * (double)k <= MOST_NUMBERS ? order : 0;
}

void class_blocks_lay_out(struct class_blocks *to, struct arena *arena,
                          const struct problem *problem)
{
    const size_t order = class_blocks_order(problem);

    to->classes = problem->classes;
    to->order = order;
    to->factor = arena_take(arena, problem->classes * order * order, sizeof *to->factor);
    to->part = arena_take(arena, order, sizeof *to->part);
}

int class_blocks_factor(struct class_blocks *blocks, const struct problem *problem, size_t m,
                        struct selection rows, const double *weight, const double *mean,
                        double total, const struct stop *stop)
{
    const size_t k = blocks->classes, order = blocks->order;
    const struct shards one = {.rows = problem->rows, .count = 1, .length = order * order};
    double *const matrix = blocks->factor + m * order * order;
    struct problem column = *problem; /* of one output */

    column.classes = 0;
    if (column.bias_kind == BIAS_FREE)
        column.bias_kind = BIAS_NONE;
    memset(matrix, 0, order * order * sizeof *matrix);
    sums_outer(&one, &column, rows, weight, stop, matrix);
    for (size_t i = 0; mean && i < order; i++)
        for (size_t j = i; j < order; j++)
            matrix[i * order + j] -= total * mean[i * k + m] * mean[j * k + m];
    return cholesky_factor(matrix, order, stop);
}

void class_blocks_solve(const struct class_blocks *blocks, double *p)
{
    const size_t k = blocks->classes, order = blocks->order;

    for (size_t m = 0; m < k; m++) {
        for (size_t j = 0; j < order; j++)
            blocks->part[j] = p[j * k + m];
        cholesky_solve(blocks->factor + m * order * order, order, blocks->part);
        for (size_t j = 0; j < order; j++)
            p[j * k + m] = blocks->part[j];
    }
}
