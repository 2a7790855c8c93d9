/* test_elementary.c - compares exp, ln and ln(1 + x) with the C library's in long double. */
#include "base/elementary.h"

#include <float.h>
#include <math.h>

#include "support.h"

static const double MOST_ULPS = 3;

/* Returns |fast - slow| in units of the last place of slow, or of DBL_MIN if slow is smaller. */
static double ulps(double fast, long double slow)
{
    int exponent;

    frexpl(fmaxl(fabsl(slow), DBL_MIN), &exponent);
    return (double)(fabsl((long double)fast - slow) / ldexpl(1, exponent - 53));
}

#define CHECK(function, reference, x)                                                              \
    do {                                                                                           \
        const double fast = function(x);                                                           \
        if (!(ulps(fast, reference) <= MOST_ULPS))                                                 \
            fail_msg(#function "(%.17g) is %.17g, not %.17Lg", x, fast, reference);                \
    } while (0)

static double random_between(uint64_t *random, double low, double high)
{
    return low + (high - low) * random_unit(random);
}

/* ---- exp ---------------------------------------------------------------- */

static void exp_is_accurate(void **unused)
{
    static const double edge[] = {0,
                                  -0.0,
                                  -DBL_MIN * DBL_EPSILON,
                                  -DBL_MIN,
                                  -0x1p-54,
                                  -1,
                                  -DBL_EPSILON,
                                  -708,
                                  -708.5,
                                  -709,
                                  -740,
                                  -744.44007192,
                                  -744.99999999999989,
                                  -745};
    uint64_t random = 1;

    (void)unused;
    for (size_t k = 0; k < COUNT(edge); k++)
        CHECK(exp_of, expl(edge[k]), edge[k]);
    assert_true(exp_of(0) == 1 && exp_of(-0.0) == 1);
    for (int k = 0; k < 300000; k++) {
        const double x = random_between(&random, -745, 0), near = x / 745 * exp2(-(k % 60));

        CHECK(exp_of, expl(x), x);
        CHECK(exp_of, expl(near), near);
    }
}

/* Below -745, exp is the smallest number, not 0, so its logarithm is finite. */
static void exp_ends_at_the_smallest_number(void **unused)
{
    const double below[] = {-745, -745.2, -746, -1e4, -1e100, -DBL_MAX, -HUGE_VAL};

    (void)unused;
    for (size_t k = 0; k < COUNT(below); k++)
        assert_true(exp_of(below[k]) == DBL_MIN * DBL_EPSILON);
}

/* An argument that should be 0 may be -0, or below 0 by a rounding error. */
static void log1p_of_what_rounds_below_0(void **unused)
{
    static const double below[] = {-0.0, -1e-300, -1e-17, -1e-12, -1e-3};

    (void)unused;
    for (size_t k = 0; k < COUNT(below); k++)
        CHECK(log1p_of, log1pl(below[k]), below[k]);
}

/* Checks that a function rises across a point where another formula, or another power of 2, begins.
 */
static void ascends(double (*function)(double), double seam)
{
    const double step = fmax(fabs(seam), DBL_MIN) * DBL_EPSILON / 2;
    double x = seam - 64 * step, before = function(x);

    for (int k = 0; k < 128; k++) {
        const double next = nextafter(x, HUGE_VAL), value = function(next);

        /* each value may have an error of a few units of the last place */
        if (!(value >= before - MOST_ULPS * DBL_EPSILON * fabs(before)))
            fail_msg("%.17g at %.17g, but %.17g at %.17g", before, x, value, next);
        x = next;
        before = value;
    }
}

static double exp_here(double x)
{
    return exp_of(x);
}

static double log1p_here(double x)
{
    return log1p_of(x);
}

static double log_here(double x)
{
    return log_of(x);
}

/* If arguments differ by more than the error of the function, the values ascend. */
static void all_ascend(void **unused)
{
    (void)unused;
    for (double x = -744; x < 0; x += 1e-3)
        assert_true(exp_of(x) < exp_of(x + 1e-3) || x < -730);
    for (double x = 0; x < 1; x += 1e-5)
        assert_true(log1p_of(x) < log1p_of(x + 1e-5));
    for (double x = DBL_MIN; x < 1e300; x *= 1.001)
        assert_true(log_of(x) < log_of(x * 1.001));
    for (int k = 0; k < 1074; k++) { /* another power of 2 begins at (k + 1/2) ln 2 */
        ascends(exp_here, fmax(-(k + 0.5) * 0.69314718055994531, -744.9));
        ascends(exp_here, fmax(-k * 0.69314718055994531, -744.9));
    }
    ascends(log1p_here, 0.41421356237309503);
    for (int k = -1020; k < 1020; k++) {
        ascends(log_here, ldexp(1, k));
        ascends(log_here, ldexp(0.70710678118654752, k));
    }
}

/* ---- ln ----------------------------------------------------------------- */

static void log1p_is_accurate(void **unused)
{
    static const double edge[] = {0,
                                  DBL_MIN * DBL_EPSILON,
                                  DBL_MIN,
                                  0x1p-60,
                                  0x1p-53,
                                  0.5,
                                  0.41421356237309503,
                                  0.41421356237309509,
                                  1 - DBL_EPSILON / 2,
                                  1};
    uint64_t random = 2;

    (void)unused;
    for (size_t k = 0; k < COUNT(edge); k++)
        CHECK(log1p_of, log1pl(edge[k]), edge[k]);
    assert_true(log1p_of(0) == 0);
    for (int k = 0; k < 300000; k++) {
        const double x = random_unit(&random), small = x * exp2(-(k % 1074));

        CHECK(log1p_of, log1pl(x), x);
        CHECK(log1p_of, log1pl(small), small);
    }
}

static void log_is_accurate(void **unused)
{
    static const double edge[] = {DBL_MIN,
                                  1e-300,
                                  1e-100,
                                  0.5,
                                  0.70710678118654746,
                                  0.70710678118654757,
                                  1 - DBL_EPSILON / 2,
                                  1 - DBL_EPSILON,
                                  1,
                                  1 + DBL_EPSILON,
                                  1 + 2 * DBL_EPSILON,
                                  1.4142135623730949,
                                  1.4142135623730951,
                                  2,
                                  0x1p1000,
                                  DBL_MAX};
    uint64_t random = 3;

    (void)unused;
    for (size_t k = 0; k < COUNT(edge); k++)
        CHECK(log_of, logl(edge[k]), edge[k]);
    assert_true(log_of(1) == 0);
    for (int k = 0; k < 300000; k++) {
        const double x = exp2(random_between(&random, -1022, 1023.99));
        const double near = 1 + random_between(&random, -1, 1) * exp2(-(k % 53));

        CHECK(log_of, logl(x), x);
        if (near > 0)
            CHECK(log_of, logl(near), near);
    }
}

/* Subnormal numbers and 0 count as the smallest normal number. */
static void log_begins_at_the_smallest_normal_number(void **unused)
{
    (void)unused;
    assert_true(log_of(0) == log_of(DBL_MIN));
    assert_true(log_of(DBL_MIN * DBL_EPSILON) == log_of(DBL_MIN));
    assert_true(log_of(DBL_MIN) > -709 && log_of(DBL_MIN) < -708);
}

/* ---- clamp -------------------------------------------------------------- */

static void clamp_is_fmin_of_fmax(void **unused)
{
    const double at[] = {-HUGE_VAL, -2, -1, -0.0, 0, DBL_MIN, 1, 2, HUGE_VAL};

    (void)unused;
    for (size_t x = 0; x < COUNT(at); x++)
        for (size_t low = 0; low < COUNT(at); low++)
            for (size_t high = 0; high < COUNT(at); high++)
                assert_true(clamp(at[x], at[low], at[high]) ==
                            fmin(fmax(at[x], at[low]), at[high]));
    assert_true(clamp(NAN, -1, 1) == -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exp_is_accurate),
        cmocka_unit_test(exp_ends_at_the_smallest_number),
        cmocka_unit_test(log1p_of_what_rounds_below_0),
        cmocka_unit_test(all_ascend),
        cmocka_unit_test(log1p_is_accurate),
        cmocka_unit_test(log_is_accurate),
        cmocka_unit_test(log_begins_at_the_smallest_normal_number),
        cmocka_unit_test(clamp_is_fmin_of_fmax),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
