/* binary.c - <w, x_i> = sum_j w_j x_ij + w_n b,  w = sum_i alpha_i y_i x_i. */
#include "problem/binary.h"

#include <string.h>

#include "problem/kernel.h"

size_t binary_width(const struct binary_problem *problem)
{
    return (size_t)problem->data->features + (problem->bias >= 0);
}

double binary_decision(const struct binary_problem *problem, uint32_t i, const double *w)
{
    const struct hinge_dataset *data = problem->data;
    size_t start = data->start[problem->row[i]];
    size_t count = data->start[problem->row[i] + 1] - start;
    double decision = sparse_dot(data->index + start, data->value + start, count, w);

    return problem->bias >= 0 ? decision + problem->bias * w[data->features] : decision;
}

double binary_square(const struct binary_problem *problem, uint32_t i)
{
    const struct hinge_dataset *data = problem->data;
    size_t start = data->start[problem->row[i]];
    size_t count = data->start[problem->row[i] + 1] - start;
    double square = sparse_square(data->value + start, count);

    return problem->bias >= 0 ? square + problem->bias * problem->bias : square;
}

void binary_weights(const struct binary_problem *problem, const double *alpha, double *w)
{
    const struct hinge_dataset *data = problem->data;

    memset(w, 0, binary_width(problem) * sizeof *w);
    for (uint32_t i = 0; i < problem->rows; i++) {
        size_t start = data->start[problem->row[i]];
        size_t count = data->start[problem->row[i] + 1] - start;
        double factor = problem->sign[i] * alpha[i];

        if (factor == 0)
            continue;
        sparse_add(data->index + start, data->value + start, count, factor, w);
        if (problem->bias >= 0)
            w[data->features] += factor * problem->bias;
    }
}
