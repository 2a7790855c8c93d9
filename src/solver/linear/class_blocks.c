/* class_blocks.c - a Cholesky factor for each class. */
#include "solver/linear/class_blocks.h"

#include <stdlib.h>
#include <string.h>

#include "base/parallel.h"
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
    const size_t order = class_blocks_order(problem), k = problem->classes;

    to->classes = k;
    to->order = order;
    to->factor = arena_take(arena, k * order * order, sizeof *to->factor);
    to->part = arena_take(arena, order, sizeof *to->part);
    to->row = arena_take(arena, problem->rows, sizeof *to->row);
    to->weight = arena_take(arena, problem->rows, sizeof *to->weight);
    to->is_formed = arena_take(arena, k, sizeof *to->is_formed);
}

/* ---- Forming ------------------------------------------------------------ */

struct forming {
    const struct class_blocks *blocks;
    const struct problem *problem;
    const struct class_weights *weights;
    const struct stop *stop;
    uint32_t *row;  /* [threads rows], */
    double *weight; /* [threads rows] */
};

/* The block of class m. */
static void form(void *context, size_t m, unsigned thread)
{
    const struct forming *forming = context;
    const struct class_blocks *blocks = forming->blocks;
    const double *mean = forming->weights->mean;
    const size_t k = blocks->classes, order = blocks->order;
    const size_t first = (size_t)thread * forming->problem->rows;
    const struct selection rows = {forming->row + first,
                                   forming->weights->list(forming->weights->context, m,
                                                          forming->row + first,
                                                          forming->weight + first)};
    const struct shards one = {.rows = forming->problem->rows, .count = 1, .length = order * order};
    double *const matrix = blocks->factor + m * order * order;
    struct problem column = *forming->problem; /* of one output */

    column.classes = 0;
    if (column.bias_kind == BIAS_FREE)
        column.bias_kind = BIAS_NONE;
    memset(matrix, 0, order * order * sizeof *matrix);
    sums_outer(&one, &column, rows, forming->weight + first, forming->stop, matrix);
    for (size_t i = 0; mean && i < order; i++)
        for (size_t j = i; j < order; j++)
            matrix[i * order + j] -= mean[order * k + m] * mean[i * k + m] * mean[j * k + m];
    blocks->is_formed[m] = cholesky_factor(matrix, order, forming->stop) != 0;
}

int class_blocks_form(struct class_blocks *blocks, const struct problem *problem,
                      const struct class_weights *weights, unsigned threads,
                      const struct stop *stop)
{
    struct forming forming = {blocks, problem, weights, stop, NULL, NULL};
    struct hinge_error ignored; /* without memory for more threads there is one */
    int are_formed = 1;

    if (threads > 1) {
        forming.row = array_new(problem->rows, threads * sizeof *forming.row, &ignored);
        forming.weight = array_new(problem->rows, threads * sizeof *forming.weight, &ignored);
    }
    if (forming.row && forming.weight) {
        parallel_run(threads, blocks->classes, form, NULL, &forming);
    } else {
        struct forming alone = forming;

        alone.row = blocks->row;
        alone.weight = blocks->weight;
        parallel_run(1, blocks->classes, form, NULL, &alone);
    }
    free(forming.row);
    free(forming.weight);
    for (size_t m = 0; m < blocks->classes; m++)
        are_formed &= blocks->is_formed[m];
    return are_formed;
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
