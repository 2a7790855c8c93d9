/* test_bias.c - the best free bias against every corner; dual points balanced again. */
#include "problem/bias.h"

#include <math.h>

#include "toy.h"

/* The number-th small problem, with the hinge and a free bias. */
static void draw(struct toy *toy, unsigned long number)
{
    struct draft draft = draft_small(number);

    draft.loss = LOSS_HINGE;
    draft.bias = -1;
    toy_draw(toy, &draft, number, 0, 0);
    toy->problem.bias = 1;
    toy->problem.bias_kind = BIAS_FREE;
}

/* sum_i C_i max(0, 1 - y_i (<w, x_i> + b)) */
static long double losses(const struct toy *toy, const double *w, double b)
{
    long double total = 0;

    for (size_t i = 0; i < toy->m; i++) {
        const long double slack = 1 - ((long double)margin(toy, i, w) + toy->sign[i] * b);

        total += slack > 0 ? toy->cost[i] * slack : 0;
    }
    return total;
}

/* The least of these for all b: each corner is tried. */
static long double least_losses(const struct toy *toy, const double *w)
{
    long double least = HUGE_VALL;

    for (size_t i = 0; i < toy->m; i++) {
        const double b = toy->sign[i] - toy->sign[i] * margin(toy, i, w);

        least = fminl(least, losses(toy, w, b));
    }
    return toy->m > 0 ? least : 0;
}

/* Many equal corners, unbounded intervals, costs apart. */
static void test_best_bias_is_the_best_of_all_corners(void **state)
{
    static struct toy toy;

    (void)state;
    for (unsigned long number = 0; number < 2000; number++) {
        struct breakpoint points[MOST_ROWS];
        uint64_t random = number;
        double w[MOST_WIDTH], b, costs = 0;

        draw(&toy, number);
        for (size_t j = 0; j < toy.data.features; j++)
            w[j] = number % 5 ? random_between(&random, -2, 2) : 0;
        for (size_t i = 0; i < toy.m; i++)
            costs += toy.cost[i] * (1 + fabs(margin(&toy, i, w)));
        b = bias_best(&toy.problem, w, points);
        CHECK(&toy, losses(&toy, w, b) <= least_losses(&toy, w) + 1e-13 * costs);
    }
}

static long double imbalance(const struct toy *toy, const double *alpha)
{
    long double total = 0;

    for (size_t i = 0; i < toy->m; i++)
        total += (long double)toy->sign[i] * alpha[i];
    return total;
}

/* Points that are balanced but for rounding: rows of one cost at a bound or free, in pairs of
 * unlike signs; one is then moved a little. All stay in 0 .. C; rows at a bound move only if none
 * is free. */
static void test_balance_moves_free_rows_first(void **state)
{
    static struct toy toy;
    size_t free_moved = 0, bounded_moved = 0;

    (void)state;
    for (unsigned long number = 0; number < 3000; number++) {
        const double C = exp2((double)(number % 9) - 4);
        double alpha[MOST_ROWS], before[MOST_ROWS];
        uint64_t random = number + 1;
        size_t free = 0;

        draw(&toy, number);
        if (toy.m < 2)
            continue;
        for (size_t i = 0; i < toy.m; i++) {
            const double u = random_between(&random, -1, number % 3 ? 2 : 0);

            toy.cost[i] = C;
            toy.sign[i] = i % 2 ? -1 : 1;
            alpha[i] = i % 2 ? alpha[i - 1] : C * fmin(fmax(u, 0), 1);
        }
        alpha[toy.m - 1] = toy.m % 2 ? 0 : alpha[toy.m - 1];
        alpha[0] += (alpha[0] > 0 ? -1e-13 : 1e-13) * C * (double)(number % 5);
        for (size_t i = 0; i < toy.m; i++) {
            before[i] = alpha[i];
            free += alpha[i] > 0 && alpha[i] < C;
        }
        bias_balance(&toy.problem, alpha);
        CHECK(&toy, fabsl(imbalance(&toy, alpha)) <= 1e-16L * C);
        for (size_t i = 0; i < toy.m; i++) {
            const int bounded = before[i] == 0 || before[i] == C;

            CHECK(&toy, alpha[i] >= 0 && alpha[i] <= C && fabs(alpha[i] - before[i]) <= 1e-12 * C);
            CHECK(&toy, alpha[i] == before[i] || !bounded || free == 0);
            free_moved += alpha[i] != before[i] && !bounded;
            bounded_moved += alpha[i] != before[i] && bounded;
        }
    }
    assert_true(free_moved > 1000);
    assert_true(bounded_moved == 0);
}

/* With every row at a bound, those make up for it. */
static void test_balance_moves_rows_at_a_bound_where_it_must(void **state)
{
    static struct toy toy;
    double alpha[3] = {1, 1, 0};

    (void)state;
    toy_draw(&toy, &(struct draft){ORDINARY, 1, 0, -1, 0, 1, LOSS_HINGE}, 1, 3, 2);
    for (size_t i = 0; i < 3; i++)
        toy.sign[i] = i == 1 ? -1 : 1;
    toy.cost[0] = toy.cost[2] = 1;
    toy.cost[1] = alpha[1] = 1 - 1e-13;
    bias_balance(&toy.problem, alpha);
    assert_true(alpha[0] == alpha[1] && alpha[1] == toy.cost[1] && alpha[2] == 0);
    toy.cost[0] = alpha[0] = 1 - 2e-13;
    bias_balance(&toy.problem, alpha);
    assert_true(alpha[0] == 1 - 2e-13 && alpha[0] + alpha[2] == alpha[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_best_bias_is_the_best_of_all_corners),
        cmocka_unit_test(test_balance_moves_free_rows_first),
        cmocka_unit_test(test_balance_moves_rows_at_a_bound_where_it_must),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
