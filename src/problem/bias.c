/* bias.c - min over b of sum_i C_i max(0, 1 - y_i (<w, x_i> + b)): a weighted median.
 *
 * Row i's loss has its corner at b = y_i - <w, x_i>; its slope is -C_i below it for y_i = +1, C_i
 * above it for y_i = -1. So the slope of the sum starts at minus the cost of the positive rows and
 * grows by C_i at each corner: the best b is where it stops being negative.
 */
#include "problem/bias.h"

#include <stdlib.h>

#include "base/sum.h"
#include "problem/softmax.h"

static int compare(const void *one, const void *other)
{
    const double a = ((const struct breakpoint *)one)->at;
    const double b = ((const struct breakpoint *)other)->at;

    return (a > b) - (a < b);
}

double bias_best(const struct problem *problem, const double *w, struct breakpoint *points)
{
    const uint32_t rows = problem->rows;
    struct sum slope = {0, 0};
    uint32_t k = 0;

    for (uint32_t i = 0; i < rows; i++) {
        const struct sparse x = problem_row(problem, i);

        points[i].at = problem->sign[i] - sparse_dot(&x, w);
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
    struct sum total = {0, 0};

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

/* A class that no row has gives nothing up: no row may have a share of it. */
static void empty_classes(const struct problem *problem, const double *costs, double *alpha)
{
    const size_t k = problem->classes;

    for (uint32_t i = 0; i < problem->rows; i++) {
        for (size_t m = 0; m < k; m++)
            alpha[i * k + m] = costs[m] > 0 ? alpha[i * k + m] : 0;
        softmax_balance(k, problem->class_of[i], alpha + i * k);
    }
}

/* Of class m let N_m be the costs of its rows, s_m the sum of alpha, N that of all costs, and r the
 * largest -s_m/N_m. With shares c_m = (N_m + s_m/r)/N, which are not negative and sum to 1, the
 * sums of
 *
 *     (alpha_i + r C_i (e_y - c)) / (1 + r)
 *
 * are s_m + r N_m - r N c_m = 0 over the same; and as alpha_i is C_i (e_y - p_i), p_i becomes
 * (p_i + r c)/(1 + r): it stays in the simplex. */
void bias_balance_classes(const struct problem *problem, double *alpha, double *room)
{
    const size_t k = problem->classes;
    double *const costs = room, *const part = room + k, total = 0, most = 0;
    struct sum *const sum = (struct sum *)(void *)(room + 2 * k);
    int empty = 0;

    memset(room, 0, 4 * k * sizeof *room);
    for (uint32_t i = 0; i < problem->rows; i++)
        costs[problem->class_of[i]] += problem->cost[i];
    for (size_t m = 0; m < k; m++) {
        total += costs[m];
        empty |= costs[m] <= 0;
    }
    if (empty)
        empty_classes(problem, costs, alpha);
    for (uint32_t i = 0; i < problem->rows; i++)
        for (size_t m = 0; m < k; m++)
            sum_add(&sum[m], alpha[i * k + m]);
    for (size_t m = 0; m < k; m++)
        if (costs[m] > 0)
            most = fmax(most, -sum_value(&sum[m]) / costs[m]);
    for (size_t m = 0; m < k; m++)
        part[m] = positive_part(most * costs[m] + sum_value(&sum[m])) / total; /* r c_m */
    for (uint32_t i = 0; i < problem->rows && most > 0; i++) {
        const size_t y = problem->class_of[i];
        double *a = alpha + i * k;

        for (size_t m = 0; m < k; m++)
            a[m] = (a[m] - problem->cost[i] * part[m]) / (1 + most);
        softmax_balance(k, y, a);
        a[y] = fmin(a[y], problem->cost[i]);
    }
}
