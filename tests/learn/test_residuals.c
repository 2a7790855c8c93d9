/* test_residuals.c - compares errors and correlation with two passes in long double. */
#include <math.h>

#include "hinge.h"
#include "support.h"

enum { ROWS = 1000 };

static void check(const double *target, const double *predicted, double tolerance)
{
    struct hinge_residuals residuals = {0};
    long double squares = 0, absolute = 0, largest = 0, mean[2] = {0, 0};
    long double spread[2] = {0, 0}, product = 0;
    double r2;

    for (size_t i = 0; i < ROWS; i++) {
        const long double error = fabsl((long double)predicted[i] - target[i]);

        hinge_residuals_add(&residuals, target[i], predicted[i], 1);
        squares += error * error;
        absolute += error;
        largest = error > largest ? error : largest;
        mean[0] += (long double)target[i] / ROWS;
        mean[1] += (long double)predicted[i] / ROWS;
    }
    for (size_t i = 0; i < ROWS; i++) {
        const long double a = target[i] - mean[0], b = predicted[i] - mean[1];

        spread[0] += a * a;
        spread[1] += b * b;
        product += a * b;
    }
    assert_true(residuals.rows == ROWS);
    assert_true(fabsl(residuals.squares - squares) <= 1e-12L * squares);
    assert_true(fabsl(residuals.absolute - absolute) <= 1e-12L * absolute);
    assert_true(residuals.largest == (double)largest);
    assert_true(fabs(hinge_determination(&residuals) - (double)(1 - squares / spread[0])) <=
                tolerance * (double)(1 + squares / spread[0]));
    r2 = hinge_squared_correlation(&residuals);
    assert_true(r2 >= 0 && r2 <= 1);
    assert_true(fabs(r2 - (double)(product * product / (spread[0] * spread[1]))) <= tolerance);
}

static void test_against_two_passes(void **state)
{
    static const double offsets[] = {0, 1,
                                     1e9}; /* with large means, sums of squares have few digits */
    uint64_t random = 1;

    (void)state;
    for (size_t k = 0; k < COUNT(offsets); k++)
        for (int noise = 0; noise < 4; noise++) {
            double target[ROWS], predicted[ROWS];

            for (size_t i = 0; i < ROWS; i++) {
                target[i] = offsets[k] + random_unit(&random);
                predicted[i] = target[i] + noise * (random_unit(&random) - 0.3);
            }
            check(target, predicted, offsets[k] > 1 ? 1e-6 : 1e-12);
        }
}

static void test_equal_values_have_no_correlation(void **state)
{
    struct hinge_residuals none = {0}, residuals = {0};

    (void)state;
    assert_true(isnan(hinge_squared_correlation(&none)));
    assert_true(isnan(hinge_determination(&none)));
    for (int i = 0; i < 10; i++)
        hinge_residuals_add(&residuals, i, 0.1, 1);
    assert_true(isnan(hinge_squared_correlation(&residuals)));
    residuals = (struct hinge_residuals){0};
    for (int i = 0; i < 10; i++)
        hinge_residuals_add(&residuals, 0.1, i, 1);
    assert_true(isnan(hinge_determination(&residuals)));
    assert_true(isnan(hinge_squared_correlation(&residuals)));
}

/* Opposite predictions are as correlated as equal ones: r is squared. */
static void test_opposite_predictions(void **state)
{
    struct hinge_residuals residuals = {0};

    (void)state;
    for (int i = 0; i < 10; i++)
        hinge_residuals_add(&residuals, i, -3.0 * i, 1);
    assert_true(fabs(hinge_squared_correlation(&residuals) - 1) <= 1e-15);
    assert_true(residuals.largest == 36);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_against_two_passes),
                                       cmocka_unit_test(test_equal_values_have_no_correlation),
                                       cmocka_unit_test(test_opposite_predictions)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
