/* test_line_search.c - the length meets the rule in the header, for functions that are smooth, have
 * kinks, are nearly flat, or have their minimum far away.
 */
#include "solver/linear/line_search.h"

#include <math.h>

#include "support.h"

/* The function sum_k weight[k] max(0, t - kink[k])^power + square t^2/2 - start t, and the number
 * of its calls. */
struct function {
    double kink[8], weight[8];
    int terms;
    int power; /* 1: the slope jumps; 2: the curvature does */
    double square;
    double start;
    int calls;
};

static void derive(void *context, double t, double *first, double *second)
{
    struct function *f = context;

    *first = f->square * t - f->start;
    *second = f->square;
    for (int k = 0; k < f->terms; k++)
        if (t > f->kink[k]) {
            *first += f->weight[k] * (f->power == 1 ? 1 : 2 * (t - f->kink[k]));
            *second += f->power == 1 ? 0 : 2 * f->weight[k];
        }
    f->calls++;
}

static double slope(struct function *f, double t)
{
    double first, second;

    derive(f, t, &first, &second);
    return first;
}

/* Checks that the derivative at the length is in -part start .. 0, up to rounding at 0. */
static void check(struct function *f, double part, double first)
{
    const double t = line_search(derive, f, f->start, part, first);

    assert_true(t >= 0 && isfinite(t));
    assert_true(f->calls <= 60);
    assert_true(slope(f, t) >= -part * f->start * (1 + 1e-9));
    assert_true(slope(f, t) <= 1e-9 * f->start);
}

static void test_smooth_functions(void **state)
{
    static const double parts[] = {0.5, 0.1, 1e-3};
    uint64_t random = 1;

    (void)state;
    for (int round = 0; round < 2000; round++) {
        struct function f = {
            .terms = 8, .power = 2, .square = exp2(20 * random_unit(&random) - 10)};

        f.start = exp2(40 * random_unit(&random) - 20);
        for (int k = 0; k < f.terms; k++) {
            f.kink[k] = exp2(10 * random_unit(&random) - 5);
            f.weight[k] = exp2(10 * random_unit(&random) - 5);
        }
        check(&f, parts[round % 3], exp2(6 * random_unit(&random) - 3));
    }
}

/* For a quadratic, the first step of Newton's method is the minimum. */
static void test_quadratic_takes_one_more_question(void **state)
{
    struct function f = {.square = 3, .start = 6};

    (void)state;
    assert_true(line_search(derive, &f, f.start, 1e-3, 1) == 2);
    assert_int_equal(f.calls, 2);
    f.calls = 0;
    assert_true(line_search(derive, &f, f.start, 0.5, 1) == 1); /* the first length will do */
    assert_int_equal(f.calls, 1);
}

/* If the slope jumps from below -part * start to above 0, no length meets the rule. The search ends
 * on the side where the function has fallen all the way. */
static void test_kinks(void **state)
{
    uint64_t random = 2;

    (void)state;
    for (int round = 0; round < 1000; round++) {
        struct function f = {.terms = 1, .power = 1, .square = 1e-3, .start = 1};
        double t;

        f.kink[0] = exp2(8 * random_unit(&random) - 4);
        f.weight[0] = 10;
        t = line_search(derive, &f, f.start, 1e-6, 1);
        assert_true(t > 0.999999 * f.kink[0] && t <= f.kink[0]);
        assert_true(slope(&f, t) < 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_smooth_functions),
                                       cmocka_unit_test(test_quadratic_takes_one_more_question),
                                       cmocka_unit_test(test_kinks)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
