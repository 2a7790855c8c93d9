/* bias.c - min over b of total b + sum_i C_i max(0, t - y_i (<w, x_i> + b)): a weighted quantile.
 *
 * Row i's loss has its corner at b = t y_i - <w, x_i>; its slope is -C_i below it for y_i = +1, C_i
 * above it for y_i = -1. So the slope of the sum starts at total minus the cost of the positive
 * rows and grows by C_i at each corner: the best b is where it stops being negative.
 */
#include "problem/bias.h"

#include <stdlib.h>

#include "base/sum.h"

static int compare(const void *one, const void *other)
{
    const double a = ((const struct breakpoint *)one)->at;
    const double b = ((const struct breakpoint *)other)->at;

    return (a > b) - (a < b);
}

double bias_best(const struct problem *problem, const double *w, struct breakpoint *points)
{
    const uint32_t rows = problem->rows;
    const double target = loss_target(problem->loss);
    struct sum slope = {problem->total, 0};
    uint32_t k = 0;

    for (uint32_t i = 0; i < rows; i++) {
        const struct sparse x = problem_row(problem, i);

        points[i].at = problem->sign[i] * target - sparse_dot(&x, w);
        points[i].cost = problem->cost[i];
        if (problem->sign[i] > 0)
            sum_add(&slope, -problem->cost[i]);
    }
    if (rows == 0)
        return 0;
    qsort(points, rows, sizeof *points, compare);
    if (!(sum_value(&slope) < 0))
        return points[0].at;
    while (k + 1 < rows) {
        sum_add(&slope, points[k].cost);
        if (!(sum_value(&slope) < 0))
            break;
        k++;
    }
    return sum_value(&slope) == 0 && k + 1 < rows
               ? points[k].at + (points[k + 1].at - points[k].at) / 2
               : points[k].at;
}

/* Multiplies the alpha of the class whose sum is larger. A conjugate that is curved makes it dear
 * to take all from a few rows, and there is no upper end of the domain to keep rows at. */
static void scale_class(const struct problem *problem, double *alpha)
{
    struct sum total[2] = {{0, 0}, {0, 0}};
    double share;
    int larger;

    for (uint32_t i = 0; i < problem->rows; i++)
        sum_add(&total[problem->sign[i] > 0], alpha[i]);
    larger = sum_value(&total[1]) > sum_value(&total[0]);
    if (!(sum_value(&total[larger]) > 0))
        return;
    share = sum_value(&total[!larger]) / sum_value(&total[larger]);
    for (uint32_t i = 0; i < problem->rows && share < 1; i++)
        if ((problem->sign[i] > 0) == larger)
            alpha[i] *= share;
}

void bias_balance(const struct problem *problem, double *alpha)
{
    struct sum total = {-problem->total, 0}; /* too much */

    if (problem->bias_kind != BIAS_FREE)
        return;
    if (loss_is_smooth(problem->loss)) {
        scale_class(problem, alpha);
        return;
    }
    for (uint32_t i = 0; i < problem->rows; i++)
        sum_add(&total, problem->sign[i] * alpha[i]);
    for (int bounded = 0; bounded < 2; bounded++)
        for (uint32_t i = 0; i < problem->rows && sum_value(&total) != 0; i++) {
            const double before = alpha[i], after = before - problem->sign[i] * sum_value(&total);

            if (!bounded && !loss_is_free(problem->loss, problem->cost[i], before))
                continue;
            alpha[i] = fmin(fmax(after, 0), loss_upper(problem->loss, problem->cost[i]));
            sum_add(&total, problem->sign[i] * (alpha[i] - before));
        }
}
