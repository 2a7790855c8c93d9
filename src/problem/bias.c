/* bias.c - min over b of total b + sum_i C_i max(0, t - y_i (<w, x_i> + b)): a weighted quantile.
 *
 * Row i's loss has its corner at b = t y_i - <w, x_i>. Its slope is -C_i below the corner for y_i =
 * +1, and C_i above the corner for y_i = -1. So the slope of the sum starts at total minus the
 * costs of the positive rows and grows by C_i at each corner. The best b is where the slope stops
 * being negative.
 */
#include "problem/bias.h"

#include <math.h>

#include "base/elementary.h"
#include "base/random.h"
#include "base/sum.h"
#include "problem/softmax.h"
#include "problem/sums.h"

static void swap(struct breakpoint *points, uint32_t i, uint32_t j)
{
    const struct breakpoint moved = points[i];

    points[i] = points[j];
    points[j] = moved;
}

/* Returns slope plus the costs of points first .. end - 1. */
static struct sum add_costs(const struct breakpoint *points, uint32_t first, uint32_t end,
                            struct sum slope)
{
    for (uint32_t k = first; k < end; k++)
        sum_add(&slope, points[k].cost);
    return slope;
}

static double least_corner(const struct breakpoint *points, uint32_t first, uint32_t end)
{
    double least = points[first].at;

    for (uint32_t k = first; k < end; k++)
        least = fmin(least, points[k].at);
    return least;
}

double bias_of_corners(struct breakpoint *points, uint32_t count, struct sum slope)
{
    struct random_state random = {count};
    struct sum before = slope; /* slope below the corners first .. end - 1 */
    uint32_t first = 0, end = count;
    double at = 0;

    if (count > 0 && !(sum_value(&slope) < 0))
        return least_corner(points, 0, count);
    while (first < end) {
        /* smaller corners go to first .. below - 1, equal ones to below .. above - 1 */
        uint32_t below = first, above = end, next = first;
        struct sum then;

        at = points[first + random_below(&random, end - first)].at;
        while (next < above)
            if (points[next].at < at)
                swap(points, next++, below++);
            else if (points[next].at > at)
                swap(points, next, --above);
            else
                next++;
        then = add_costs(points, first, below, before);
        if (!(sum_value(&then) < 0) && below > first) {
            end = below;
            continue;
        }
        then = add_costs(points, below, above, then);
        if (sum_value(&then) == 0 && above < count)
            return at + (least_corner(points, above, count) - at) / 2;
        if (!(sum_value(&then) < 0))
            return at;
        before = then;
        first = above;
    }
    return at;
}

double bias_best(const struct problem *problem, const double *w, struct breakpoint *points)
{
    const double target = loss_target(problem->loss);
    struct sum slope = {problem->total, 0};

    for (uint32_t i = 0; i < problem->rows; i++) {
        const struct sparse x = problem_row(problem, i);

        points[i].at = problem->sign[i] * target - sparse_dot(&x, w);
        points[i].cost = problem_cost(problem, i);
        if (problem->sign[i] > 0)
            sum_add(&slope, -problem_cost(problem, i));
    }
    return bias_of_corners(points, problem->rows, slope);
}

void bias_balance(const struct problem *problem, double *alpha)
{
    struct sum total = {-problem->total, 0}; /* sum alpha_i y_i - total */

    if (problem->bias_kind != BIAS_FREE || problem->classes > 0)
        return;
    shards_gather(problem, alpha);
    if (loss_is_smooth(problem->loss)) {
        /* Multiplies the alpha of the sign with the larger sum. With a curved conjugate, taking the
         * whole difference from a few rows would raise D much more. */
        struct sum of_sign[2] = {{0, 0}, {0, 0}};
        double share = 1, most;
        int larger;

        for (uint32_t i = 0; i < problem->rows; i++)
            sum_add(&of_sign[problem->sign[i] > 0], alpha[i]);
        larger = sum_value(&of_sign[1]) > sum_value(&of_sign[0]);
        most = sum_value(&of_sign[larger]);
        if (most > 0)
            share = sum_value(&of_sign[!larger]) / most;
        for (uint32_t i = 0; i < problem->rows && share < 1; i++)
            if ((problem->sign[i] > 0) == larger)
                alpha[i] *= share;
        return;
    }
    for (uint32_t i = 0; i < problem->rows; i++)
        sum_add(&total, problem->sign[i] * alpha[i]);
    for (int bounded = 0; bounded < 2; bounded++)
        for (uint32_t i = 0; i < problem->rows && sum_value(&total) != 0; i++) {
            const double before = alpha[i], after = before - problem->sign[i] * sum_value(&total);

            if (!bounded && !loss_is_free(problem->loss, problem_cost(problem, i), before))
                continue;
            alpha[i] = clamp(after, 0, loss_upper(problem->loss, problem_cost(problem, i)));
            sum_add(&total, problem->sign[i] * (alpha[i] - before));
        }
}

/* For class m let N_m be the costs of its rows and s_m the sum of its alpha; let N = sum_m N_m and
 * r = max_m -s_m/N_m. The shares c_m = (N_m + s_m/r)/N are not negative and add up to 1. Each row
 * becomes
 *
 *     (alpha_i + r C_i (e_y - c)) / (1 + r).
 *
 * The sum for class m is (s_m + r N_m - r N c_m)/(1 + r) = 0. With alpha_i = C_i (e_y - p_i), p_i
 * becomes (p_i + r c)/(1 + r), which stays in the simplex. */
void bias_balance_classes(const struct problem *problem, double *alpha, double *room)
{
    const size_t k = problem->classes;
    double *const costs = room, *const part = room + k, total = 0, most = 0;
    struct sum *const sum = (struct sum *)(void *)(room + 2 * k);
    int empty = 0;

    memset(room, 0, 4 * k * sizeof *room);
    for (uint32_t i = 0; i < problem->rows; i++)
        costs[problem->class_of[i]] += problem_cost(problem, i);
    for (size_t m = 0; m < k; m++) {
        total += costs[m];
        empty |= costs[m] <= 0;
    }
    for (uint32_t i = 0; empty && i < problem->rows; i++) { /* no row could balance such a class */
        for (size_t m = 0; m < k; m++)
            alpha[i * k + m] = costs[m] > 0 ? alpha[i * k + m] : 0;
        softmax_balance(k, problem->class_of[i], alpha + i * k);
    }
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
            a[m] = (a[m] - problem_cost(problem, i) * part[m]) / (1 + most);
        softmax_settle(k, problem_cost(problem, i), y, a);
    }
}
