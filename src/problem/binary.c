/* binary.c - <w, x_i> = sum_j w_j x_ij + w_n b,  w = sum_i alpha_i y_i x_i. */
#include "problem/binary.h"

#include <string.h>

#include "problem/kernel.h"

size_t binary_width(const struct binary_problem *problem)
{
    return (size_t)problem->data->features + (problem->bias >= 0);
}

size_t binary_penalised(const struct binary_problem *problem)
{
    return binary_width(problem) - (problem->free_bias != 0);
}

double binary_decision(const struct binary_problem *problem, uint32_t i, const double *w)
{
    const struct binary_row row = binary_row(problem, i);
    const double decision = sparse_dot(&row, w);

    return problem->bias >= 0 ? decision + problem->bias * w[problem->data->features] : decision;
}

double binary_square(const struct binary_problem *problem, uint32_t i)
{
    const struct binary_row row = binary_row(problem, i);
    const double square = sparse_square(&row);

    return problem->bias >= 0 && !problem->free_bias ? square + problem->bias * problem->bias
                                                     : square;
}

void binary_weights(const struct binary_problem *problem, const double *alpha, double *w)
{
    memset(w, 0, binary_width(problem) * sizeof *w);
    for (uint32_t i = 0; i < problem->rows; i++) {
        const struct binary_row row = binary_row(problem, i);
        const double factor = problem->sign[i] * alpha[i];

        if (factor == 0)
            continue;
        sparse_add(&row, factor, w);
        if (problem->bias >= 0)
            w[problem->data->features] += factor * problem->bias;
    }
}
