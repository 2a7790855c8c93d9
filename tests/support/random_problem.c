/* random_problem.c - a row has one feature from each of in_row strips of the features. The first
 * row of the data is not in the problem, so that rows have other numbers in data and problem. */
#include "random_problem.h"

#include <stdlib.h>

void random_problem_new(struct random_problem *random, size_t rows, size_t features, size_t in_row,
                        double bias)
{
    struct hinge_matrix *x = &random->data.x;
    const size_t all = rows + 1;
    uint32_t *row = malloc(rows * sizeof *row), *index = malloc(all * in_row * sizeof *index);
    signed char *sign = malloc(rows);
    double *cost = malloc(rows * sizeof *cost);

    *x = (struct hinge_matrix){.rows = all,
                               .start = malloc((all + 1) * sizeof *x->start),
                               .index_kind = HINGE_INDEX_32,
                               .value_kind = HINGE_VALUE_DOUBLE,
                               .index = index,
                               .value = malloc(all * in_row * sizeof *random->value)};
    random->data.features = (uint32_t)features;
    random->value = x->value;
    assert_true(row && sign && cost && x->start && index && random->value);
    x->nonzeros = all * in_row;
    for (size_t i = 0; i <= all; i++)
        x->start[i] = i * in_row;
    for (size_t i = rows; i > 0; i--)
        for (size_t k = 0; k < in_row; k++) {
            const size_t step = features / in_row, at = x->start[i] + k;

            index[at] =
                (uint32_t)(k * step + (size_t)(random_unit(&random->random) * (double)step));
            random->value[at] = 2 * random_unit(&random->random) - 1;
        }
    for (size_t k = 0; k < in_row; k++) {
        index[k] = index[x->start[rows] + k];
        random->value[k] = 3;
    }
    for (size_t i = 0; i < rows; i++) {
        row[i] = (uint32_t)i + 1;
        sign[i] = i % 3 ? 1 : -1;
        cost[i] = 1;
    }
    random->problem = (struct problem){.data = &random->data,
                                       .rows = (uint32_t)rows,
                                       .row = row,
                                       .sign = sign,
                                       .cost = cost,
                                       .bias_kind = bias < 0 ? BIAS_NONE : BIAS_REGULARISED,
                                       .bias = bias};
}

void random_problem_free(struct random_problem *random)
{
    free((void *)random->problem.row);
    free((void *)random->problem.sign);
    free((void *)random->problem.cost);
    free(random->data.x.start);
    free(random->data.x.index);
    free(random->data.x.value);
}

long double random_problem_dot(const struct random_problem *random, uint32_t i,
                               const long double *p)
{
    const struct hinge_matrix *x = &random->data.x;
    const size_t row = random->problem.row[i];
    long double dot = random->problem.bias_kind == BIAS_NONE
                          ? 0
                          : random->problem.bias * p[random->data.features];

    for (size_t k = x->start[row]; k < x->start[row + 1]; k++)
        dot += random->value[k] * p[hinge_index(x, k)];
    return dot;
}

void random_problem_add(const struct random_problem *random, uint32_t i, long double factor,
                        long double *p)
{
    const struct hinge_matrix *x = &random->data.x;
    const size_t row = random->problem.row[i];

    for (size_t k = x->start[row]; k < x->start[row + 1]; k++)
        p[hinge_index(x, k)] += factor * random->value[k];
    if (random->problem.bias_kind != BIAS_NONE)
        p[random->data.features] += factor * random->problem.bias;
}
