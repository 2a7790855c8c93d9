/* test_bias.c - compares the best free bias with all corners of the sum of losses, exactly if
 * numbers have few bits; balances alpha. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "problem/bias.h"
#include "toy.h"

/* Draws a problem of the hinge loss with a free bias. */
static void draw(struct toy *toy, unsigned long number)
{
    struct draft draft = draft_small(number);

    draft.loss = LOSS_HINGE;
    draft.bias = 1;
    toy_draw(toy, &draft, number, 0, 0);
    toy->problem.bias_kind = BIAS_FREE;
}

static long double losses(const struct toy *toy, const double *w, long double b)
{
    long double sum = 0;

    for (size_t i = 0; i < toy->m; i++) {
        long double z = b;

        for (size_t j = 0; j < toy->data.features; j++)
            z += (long double)w[j] * toy->x[i][j];
        z *= toy->sign[i];
        sum += z < 1 ? toy->cost[i] * (1 - z) : 0;
    }
    return sum;
}

static long double corner(const struct toy *toy, const double *w, size_t i)
{
    long double at = toy->sign[i];

    for (size_t j = 0; j < toy->data.features; j++)
        at -= (long double)w[j] * toy->x[i][j];
    return at;
}

/* ---- The best bias ------------------------------------------------------- */

static void draw_weights(double *w, const struct toy *toy, unsigned long number)
{
    uint64_t random = number + 1;

    for (size_t j = 0; j < toy->data.features; j++)
        w[j] = number % 5 ? random_between(&random, -2, 2) : 0;
    w[toy->data.features] = NAN;
}

/* The best bias is the best of all corners, with many equal corners, unbounded intervals and costs
 * of different size. */
static void test_best_bias_is_the_best_of_all_corners(void **state)
{
    static struct toy toy;

    (void)state;
    for (unsigned long number = 0; number < 4000; number++) {
        struct breakpoint points[MOST_ROWS];
        long double least = HUGE_VALL, costs = 0;
        double w[MOST_WIDTH], b;

        draw(&toy, number);
        draw_weights(w, &toy, number);
        for (size_t i = 0; i < toy.m; i++) {
            least = fminl(least, losses(&toy, w, corner(&toy, w, i)));
            costs += toy.cost[i] * (2 + fabsl(corner(&toy, w, i)));
        }
        b = bias_best(&toy.problem, w, points);
        CHECK(&toy, losses(&toy, w, b) <= least + 1e-14L * costs);
    }
}

/* Rounds a number to few bits: sums of products of such numbers are exact. */
static double rounded(double x)
{
    return floor(16 * x) / 16;
}

/* Draws a problem with table and costs of few bits, so that many corners coincide. */
static void draw_exact(struct toy *toy, double *w, unsigned long number)
{
    uint64_t random = UINT64_C(0x9e3779b97f4a7c15) * (number + 1);

    draw(toy, number);
    if (toy->draft.shape == UNLIKE_NORMS)
        memset(toy->table, 0, sizeof toy->table);
    for (size_t i = 0; i < MOST_ROWS; i++)
        for (size_t j = 0; j < toy->data.features; j++)
            toy->table[i][j] = rounded(toy->table[i][j]);
    for (size_t i = 0; i < toy->m; i++)
        toy->cost[i] = 0.25 * (double)(1 + random_index(&random, number % 2 ? 4 : 1));
    compress_table(toy);
    expand_view(toy);
    draw_weights(w, toy, number);
    for (size_t j = 0; j < toy->data.features; j++)
        w[j] = rounded(w[j]);
}

/* The best bias is the middle of the interval where the sum is least, or the end of an unbounded
 * interval. */
static void test_best_bias_is_the_middle(void **state)
{
    static struct toy toy;
    size_t intervals = 0, unbounded = 0;

    (void)state;
    for (unsigned long number = 0; number < 4000; number++) {
        struct breakpoint points[MOST_ROWS];
        long double least = HUGE_VALL, low = HUGE_VALL, high = -HUGE_VALL;
        size_t positive = 0;
        double w[MOST_WIDTH], b;

        draw_exact(&toy, w, number);
        for (size_t i = 0; i < toy.m; i++) {
            least = fminl(least, losses(&toy, w, corner(&toy, w, i)));
            positive += toy.sign[i] > 0;
        }
        for (size_t i = 0; i < toy.m; i++)
            if (losses(&toy, w, corner(&toy, w, i)) == least) {
                low = fminl(low, corner(&toy, w, i));
                high = fmaxl(high, corner(&toy, w, i));
            }
        b = bias_best(&toy.problem, w, points);
        if (positive == 0 || positive == toy.m) {
            CHECK(&toy, b == (positive ? low : high) && losses(&toy, w, b) == 0);
            unbounded++;
        } else {
            CHECK(&toy, b == (low + high) / 2);
            intervals += low < high;
        }
    }
    assert_true(intervals > 200 && unbounded > 200);
}

/* With a linear term, the best bias is a quantile: the rows above it cost at most `total`, and
 * together with those at it at least `total`. */
static void test_best_bias_with_a_linear_term_is_a_quantile(void **state)
{
    static struct toy toy;

    (void)state;
    for (unsigned long number = 0; number < 4000; number++) {
        struct breakpoint points[MOST_ROWS];
        double w[MOST_WIDTH], b, costs = 0, outside = 0, at = 0;

        draw_exact(&toy, w, number);
        toy.problem.loss = LOSS_ONE_CLASS;
        for (size_t i = 0; i < toy.m; i++) {
            toy.sign[i] = 1;
            costs += toy.cost[i];
        }
        toy.problem.total = costs * (double)(1 + number % 8) / 8;
        b = bias_best(&toy.problem, w, points);
        for (size_t i = 0; i < toy.m; i++) {
            const long double slack = 1 - corner(&toy, w, i) + b; /* z: the corner's target is 1 */

            outside += slack < 0 ? toy.cost[i] : 0;
            at += slack == 0 ? toy.cost[i] : 0;
        }
        CHECK(&toy, outside <= toy.problem.total && outside + at >= toy.problem.total);
    }
}

static void test_no_rows_have_the_bias_0(void **state)
{
    static struct toy toy;
    double w[MOST_WIDTH];

    (void)state;
    draw(&toy, 1);
    draw_weights(w, &toy, 1);
    toy.problem.rows = 0;
    assert_true(bias_best(&toy.problem, w, NULL) == 0);
}

/* ---- Balance -------------------------------------------------------------- */

static long double imbalance(const struct toy *toy, const double *alpha)
{
    long double sum = 0;

    for (size_t i = 0; i < toy->m; i++)
        sum += toy->sign[i] * (long double)alpha[i];
    return sum;
}

static void expect_feasible(const struct toy *toy, const double *alpha)
{
    for (size_t i = 0; i < toy->m; i++)
        CHECK(toy, alpha[i] >= 0 && alpha[i] <= toy->cost[i]);
}

/* Draws alpha with a third of the rows free, in steps of cost/64 if `exact`, and the others at a
 * bound. */
static void draw_alpha(const struct toy *toy, double *alpha, int exact, uint64_t *random)
{
    for (size_t i = 0; i < toy->m; i++) {
        const double share = random_unit(random);

        alpha[i] =
            random_unit(random) < 0.33 ? (exact ? floor(64 * share) / 64 : share) : share > 0.5;
        alpha[i] *= toy->cost[i];
    }
}

/* Balancing removes any imbalance, exactly if numbers have few bits. Rows at a bound stay if the
 * free rows suffice. */
static void test_balance_is_exact_in_few_bits(void **state)
{
    static struct toy toy;
    size_t by_free = 0, by_bounded = 0;

    (void)state;
    for (unsigned long number = 0; number < 4000; number++) {
        double w[MOST_WIDTH], before[MOST_ROWS], alpha[MOST_ROWS];
        uint64_t random = number + 1;
        long double sum, room = 0;

        draw_exact(&toy, w, number);
        draw_alpha(&toy, alpha, 1, &random);
        memcpy(before, alpha, sizeof before);
        sum = imbalance(&toy, alpha);
        for (size_t i = 0; i < toy.m; i++) /* how much of the sum free rows can remove */
            if (alpha[i] > 0 && alpha[i] < toy.cost[i])
                room += (toy.sign[i] > 0) == (sum > 0) ? alpha[i] : toy.cost[i] - alpha[i];
        bias_balance(&toy.problem, alpha);
        expect_feasible(&toy, alpha);
        CHECK(&toy, imbalance(&toy, alpha) == 0);
        for (size_t i = 0; i < toy.m && room >= fabsl(sum); i++)
            if (before[i] == 0 || before[i] == toy.cost[i])
                CHECK(&toy, alpha[i] == before[i]);
        if (sum == 0)
            CHECK(&toy, memcmp(alpha, before, toy.m * sizeof *alpha) == 0);
        by_free += sum != 0 && room >= fabsl(sum);
        by_bounded += room < fabsl(sum);
    }
    assert_true(by_free > 400 && by_bounded > 400);
}

/* Balancing removes the sum that rounding left, except for the error of the last addition. alpha
 * hardly moves. */
static void test_balance_makes_good_for_rounding(void **state)
{
    static struct toy toy;
    size_t unbalanced = 0;

    (void)state;
    for (unsigned long number = 0; number < 4000; number++) {
        double alpha[MOST_ROWS], before[MOST_ROWS], largest = 0;
        uint64_t random = number + 1;
        long double side[2] = {0}, sum;

        draw(&toy, number);
        draw_alpha(&toy, alpha, 0, &random);
        for (size_t i = 0; i < toy.m; i++)
            side[toy.sign[i] > 0] += alpha[i];
        for (size_t i = 0; i < toy.m; i++) { /* the heavier side is scaled down, as paths do */
            const int own = toy.sign[i] > 0;

            if (side[own] > side[!own])
                alpha[i] = (double)(alpha[i] * (side[!own] / side[own]));
            largest = fmax(largest, alpha[i]);
        }
        memcpy(before, alpha, sizeof before);
        sum = imbalance(&toy, alpha);
        bias_balance(&toy.problem, alpha);
        expect_feasible(&toy, alpha);
        CHECK(&toy, fabsl(imbalance(&toy, alpha)) <= DBL_EPSILON / 2 * largest);
        for (size_t i = 0; i < toy.m; i++)
            CHECK(&toy, fabs(alpha[i] - before[i]) <= 2 * fabsl(sum) + 2 * DBL_EPSILON * largest);
        unbalanced += sum != 0;
    }
    assert_true(unbalanced > 400);
}

/* Balances any alpha in the domain, sometimes with a class without rows. All sums become 0 up to
 * rounding, rows stay in the domain, and alpha moves no farther than the share of the largest sum
 * in its class. */
static void test_balance_of_classes(void **state)
{
    enum { K = 5, ROWS = 12 };
    size_t empty = 0, large = 0, small = 0;

    (void)state;
    for (unsigned long number = 0; number < 4000; number++) {
        uint64_t random = number + 1;
        uint32_t class_of[ROWS];
        double cost[ROWS], alpha[ROWS * K], before[ROWS * K], room[4 * K];
        const double size = exp(random_between(&random, -30, 0));
        const size_t classes = number % 4 ? K : K - 1; /* number of classes with rows */
        const struct problem problem = {.rows = ROWS,
                                        .cost = cost,
                                        .classes = K,
                                        .class_of = class_of,
                                        .bias_kind = BIAS_FREE,
                                        .bias = 1};
        long double sum[K] = {0}, costs[K] = {0}, share = 0, part[K] = {0}, total = 0;

        for (uint32_t i = 0; i < ROWS; i++) {
            double others = 0;

            class_of[i] =
                i < (uint32_t)classes ? i : (uint32_t)random_index(&random, (uint32_t)classes);
            cost[i] = exp(random_between(&random, -3, 3));
            for (size_t m = 0; m < K; m++) {
                alpha[i * K + m] = -size * cost[i] * random_unit(&random) / K;
                others += m == class_of[i] ? 0 : alpha[i * K + m];
            }
            alpha[i * K + class_of[i]] = -others;
            costs[class_of[i]] += cost[i];
            total += cost[i];
        }
        memcpy(before, alpha, sizeof before);
        bias_balance_classes(&problem, alpha, room);
        for (size_t i = 0; i < ROWS; i++) {
            long double row = 0, row_size = 0;

            for (size_t m = 0; m < K; m++) {
                const double a = alpha[i * K + m];

                assert_true(m == class_of[i] ? a >= 0 && a <= cost[i] : a <= 0 && a >= -cost[i]);
                assert_true(costs[m] > 0 || a == 0);
                row += a;
                row_size += fabs(a);
                part[m] += a;
                if (classes == K)
                    sum[m] += before[i * K + m];
            }
            assert_true(fabsl(row) <= 1e-15L * row_size);
        }
        for (size_t m = 0; m < K; m++) {
            assert_true(fabsl(part[m]) <= 1e-14L * total * size);
            share = fmaxl(share, costs[m] > 0 ? -sum[m] / costs[m] : 0);
        }
        for (size_t d = 0; d < ROWS * K && classes == K; d++)
            assert_true(fabsl((long double)alpha[d] - before[d]) <=
                        share * cost[d / K] * (1 + 1e-12L) + 1e-15L * size * cost[d / K]);
        empty += classes < K;
        large += share > 0.1L;
        small += share < 1e-6L;
        memcpy(before, alpha, sizeof before);
        bias_balance_classes(&problem, alpha, room); /* changes only by rounding */
        for (size_t d = 0; d < ROWS * K; d++)
            assert_true(fabs(alpha[d] - before[d]) <= 1e-13 * size * (double)total);
    }
    assert_true(empty > 400 && large > 40 && small > 400);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_best_bias_is_the_best_of_all_corners),
        cmocka_unit_test(test_best_bias_is_the_middle),
        cmocka_unit_test(test_best_bias_with_a_linear_term_is_a_quantile),
        cmocka_unit_test(test_no_rows_have_the_bias_0),
        cmocka_unit_test(test_balance_is_exact_in_few_bits),
        cmocka_unit_test(test_balance_makes_good_for_rounding),
        cmocka_unit_test(test_balance_of_classes),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
