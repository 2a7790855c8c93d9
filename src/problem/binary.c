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

static ALWAYS_INLINE double decision(const struct binary_problem *problem, uint32_t i,
                                     const double *w)
{
    const struct sparse row = binary_row(problem, i);
    const double decision = sparse_dot(&row, w);

    return problem->bias >= 0 ? decision + problem->bias * w[problem->data->features] : decision;
}

double binary_decision(const struct binary_problem *problem, uint32_t i, const double *w)
{
    return decision(problem, i, w);
}

void binary_margins(const struct binary_problem *problem, const uint32_t *row, uint32_t count,
                    const double *v, double *z)
{
    for (uint32_t s = 0; s < count; s++) {
        const uint32_t i = row ? row[s] : s;

        z[s] = problem->sign[i] * decision(problem, i, v);
    }
}

struct margins margins_of(const struct binary_problem *problem, const double *w)
{
    return (struct margins){.problem = problem, .w = w};
}

int margins_next(struct margins *some)
{
    const uint32_t most = sizeof some->z / sizeof *some->z;
    struct binary_problem part = *some->problem;

    some->first += some->count;
    part.rows -= some->first;
    some->count = part.rows < most ? part.rows : most;
    part.row += some->first;
    part.sign += some->first;
    binary_margins(&part, NULL, some->count, some->w, some->z);
    return some->count > 0;
}

double binary_square(const struct binary_problem *problem, uint32_t i)
{
    const struct sparse row = binary_row(problem, i);
    const double square = sparse_square(&row);

    return problem->bias >= 0 && !problem->free_bias ? square + problem->bias * problem->bias
                                                     : square;
}

/* Which changes are 0 is close to random, and a branch on it would be mispredicted: the others are
 * gathered first, without a branch. */
void binary_add(const struct binary_problem *problem, const uint32_t *row, const double *alpha,
                uint32_t count, double factor, double *w)
{
    enum { BLOCK = 256 };
    uint32_t member[BLOCK] = {0};
    double change[BLOCK] = {0};

    for (uint32_t s = 0; s < count;) {
        uint32_t members = 0;

        for (const uint32_t end = count - s < BLOCK ? count : s + BLOCK; s < end; s++) {
            member[members] = row ? row[s] : s;
            change[members] = factor * problem->sign[member[members]] * alpha[s];
            members += change[members] != 0;
        }
        for (uint32_t k = 0; k < members; k++) {
            const struct sparse entries = binary_row(problem, member[k]);

            sparse_add(&entries, change[k], w);
            if (problem->bias >= 0)
                w[problem->data->features] += change[k] * problem->bias;
        }
    }
}

void binary_weights(const struct binary_problem *problem, const double *alpha, double *w)
{
    memset(w, 0, binary_width(problem) * sizeof *w);
    binary_add(problem, NULL, alpha, problem->rows, 1, w);
}
