/* problem.c - what is not worth inlining of problem.h. */
#include "problem/problem.h"

void problem_add_mapped(const struct problem *problem, const struct sparse *x, double factor,
                        double *v, double *w)
{
    const double l1 = problem->l1;

    problem_add(problem, x, factor, v);
    for (size_t k = 0; k < x->count; k++)
        w[index_at(x, k)] = soft(v[index_at(x, k)], l1);
    if (problem->bias_kind != BIAS_NONE)
        w[problem->data->features] = soft(v[problem->data->features], l1);
}
