/* test_proximal.c - sums over a stretch in closed form against direct ones; the l1 term against the
 * papers' dense loops. */
#include "solver/proximal.c"

#include <float.h>
#include <stdlib.h>

#include "dense_run.h"

/* ---- Sums over a stretch ----------------------------------------------- */

static long double exact_growth(int quadratic, long double a, long double b)
{
    return quadratic ? (b - a) * (a + b + 1) : b - a;
}

/* catch_up from a to a + length against the sum of its terms. */
static void check_stretch(int quadratic, double u, double a, double length, double k)
{
    const struct proximal stretch = {.quadratic = quadratic, .averages = 1, .k = k};
    struct coordinate coordinate = {u, a, 0.25, 0};
    long double size = fabs(u), sum = 0, rest = size;

    for (long double t = a; t < a + length && rest > 0; t++) {
        sum += rest / t;
        rest = fmaxl(0, size - k * exact_growth(quadratic, a, t + 1));
    }
    rest = fmaxl(0, size - k * exact_growth(quadratic, a, (long double)a + length));
    coordinate.sum = 0;
    catch_up(&stretch, &coordinate, a + length);
    if (!(fabsl(fabsl(coordinate.sum) - sum) <= 1e-11L * sum))
        fail_msg("%s, u %.17g, a %.17g, length %.17g, K %.17g: the sum is %.17g, not %.17Lg",
                 quadratic ? "hrmd-w" : "comid", u, a, length, k, coordinate.sum, sum);
    if (!(fabsl(fabsl(coordinate.u) - rest) <= 1e-15L * size))
        fail_msg("%s, u %.17g, a %.17g, length %.17g, K %.17g: u becomes %.17g, not %.17Lg",
                 quadratic ? "hrmd-w" : "comid", u, a, length, k, coordinate.u, rest);
    assert_true(coordinate.time == a + length);
    assert_true(coordinate.sum == 0 || (coordinate.sum > 0) == (u > 0));
    assert_true(coordinate.u == 0 || (coordinate.u > 0) == (u > 0));
}

/* -x^2/2 + x^3/3 - .. for x < 1/2 */
static long double logarithm_series(long double x)
{
    long double sum = 0;

    for (int n = 60; n >= 2; n--)
        sum = (n % 2 ? 1.0L : -1.0L) / n + x * sum;
    return x * x * sum;
}

/* To the last bits where it is a series; else to those that the difference leaves. */
static void test_logarithm_keeps_its_bits(void **state)
{
    (void)state;
    for (double x = 1e-300; x < 0.5; x *= 1.01)
        if (x * x > DBL_MIN) {
            long double expected = logarithm_series(x);
            long double slack = x > 0.01 ? 4e-16L / x : 1e-15L;

            assert_true(fabsl(log1p_minus(x, log1p(x)) - expected) <= slack * -expected);
        }
    for (double x = 0.5; x < 1e15; x *= 1.1)
        assert_true(fabsl(log1p_minus(x, log1p(x)) - (log1pl(x) - x)) <= 1e-15L * x);
    assert_true(log1p_minus(0, 0) == 0);
}

/* 10^u, u uniform in low .. high */
static double random_decade(uint64_t *random, double low, double high)
{
    return pow(10, low + (high - low) * random_unit(random));
}

/* Draws u and K: none, tiny, one that reaches 0 near the stretch's end, or at one of its steps, or
 * at once. */
static void check_random_stretch(uint64_t *random, double a, double length)
{
    int quadratic = (int)(random_bits(random) >> 63);
    double u = random_decade(random, -12, 12) * (random_bits(random) >> 63 ? 1 : -1);
    double whole = exact_growth(quadratic, a, a + length) > 0
                       ? (double)exact_growth(quadratic, a, a + length)
                       : 1;
    double inside = ceil(length * random_unit(random));
    double k[] = {0, fabs(u) / whole * random_decade(random, -12, -1),
                  fabs(u) / whole / (0.01 + 2 * random_unit(random)),
                  fabs(u) / (double)exact_growth(quadratic, a, a + fmax(1, inside)),
                  fabs(u) * random_decade(random, 0, 6)};

    check_stretch(quadratic, u, a, length, k[(random_bits(random) >> 32) % 5]);
}

static void test_stretches_from_any_time(void **state)
{
    uint64_t random = 17;

    (void)state;
    for (int n = 0; n < 400; n++)
        check_random_stretch(&random, floor(random_decade(&random, 0, 6)),
                             floor(random_decade(&random, 0, 6)));
    for (int n = 0; n < 20000; n++)
        check_random_stretch(&random, floor(random_decade(&random, 0, 3)),
                             floor(random_decade(&random, 0, 3)));
    for (double length = 1; length <= 1e6; length *= 10)
        check_random_stretch(&random, 1, length);
}

/* Where the closed forms take over from the sum: all starts and lengths around it. */
static void test_stretches_where_the_closed_form_begins(void **state)
{
    uint64_t random = 18;

    (void)state;
    for (double a = 1; a <= 40; a++)
        for (double length = 1; length <= 60; length++)
            for (int n = 0; n < 20; n++)
                check_random_stretch(&random, a, length);
}

/* The two terms of the textbook form would cancel here to nothing. */
static void test_stretches_late_in_a_long_run(void **state)
{
    uint64_t random = 19;

    (void)state;
    for (int n = 0; n < 20000; n++)
        check_random_stretch(&random, floor(random_decade(&random, 3, 15)),
                             floor(random_decade(&random, 0, 2.5)));
    for (int n = 0; n < 40; n++)
        check_random_stretch(&random, floor(random_decade(&random, 6, 12)),
                             floor(random_decade(&random, 4, 6)));
}

static void test_no_stretch_changes_nothing(void **state)
{
    const struct proximal stretch = {.quadratic = 1, .averages = 1, .k = 0.5};
    struct coordinate resting = {0, 3, 7, 0}, current = {2, 9, 7, 0};

    (void)state;
    catch_up(&stretch, &resting, 1e9);
    assert_true(resting.u == 0 && resting.sum == 7 && resting.time == 1e9);
    catch_up(&stretch, &current, 9);
    assert_true(current.u == 2 && current.sum == 7 && current.time == 9);
}

/* ---- The l1 term --------------------------------------------------------- */

/* l1 from a term that does little to one that leaves nothing. */
static void test_dense_loop_agrees_with_l1(void **state)
{
    static const double l1[] = {1e-4, 0.01, 0.03, 0.1, 5};
    const int *solver = *state;
    size_t zero[5] = {0}, all = 0;

    for (int variant = 0; variant < VARIANTS; variant++) {
        struct dense_problem *toy = variant_toy(variant);

        for (size_t l = 0; l < 5; l++) {
            struct hinge_parameters parameters = variant_parameters(*solver, variant, 5000);
            struct dense_run run;

            parameters.l1 = l1[l];
            run = check_outputs(toy, parameters);
            zero[l] += zeros_at_end(&run);
            free(run.w);
        }
        all += toy->width;
        dense_problem_free(toy);
    }
    for (size_t l = 1; l < 5; l++)
        assert_true(zero[l] > zero[l - 1]);
    assert_true(zero[0] < all / 4 && zero[2] > all / 4 && zero[3] < all && zero[4] == all);
}

/* The zeros themselves: exactly 0, and the same ones. */
static void test_l1_makes_the_same_zeros(void **state)
{
    (void)state;
    for (int variant = 0; variant < VARIANTS; variant++)
        for (int solver = COMID; solver <= HRMD_W; solver++) {
            struct hinge_parameters parameters = variant_parameters(solver, variant, 2000);
            struct dense_problem *toy = variant_toy(variant);
            double *w = zeros(toy->width, sizeof *w);
            struct dense_run run;

            parameters.l1 = 0.02;
            parameters.average = HINGE_AVERAGE_NONE;
            run = dense_run_new(toy, &parameters);
            assert_int_equal(dense_solve(toy, &parameters, NULL, w).nonzeros,
                             toy->width - zeros_at_end(&run));
            for (size_t j = 0; j < toy->width; j++)
                assert_true((w[j] == 0) == (iterate_at(&run, run.steps + 1)[j] == 0));
            free(run.w);
            free(w);
            dense_problem_free(toy);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_logarithm_keeps_its_bits),
        cmocka_unit_test(test_stretches_from_any_time),
        cmocka_unit_test(test_stretches_where_the_closed_form_begins),
        cmocka_unit_test(test_stretches_late_in_a_long_run),
        cmocka_unit_test(test_no_stretch_changes_nothing),
        OF_SOLVER(test_dense_loop_agrees_with_l1, 4),
        OF_SOLVER(test_dense_loop_agrees_with_l1, 5),
        cmocka_unit_test(test_l1_makes_the_same_zeros),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
