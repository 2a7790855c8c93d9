/* test_sum.c - compares compensated sums with exact sums. */
#include "support.h"

#include <math.h>

#include "base/sum.h"

static double sum_of(const double *term, size_t count)
{
    struct sum sum = {0, 0};

    for (size_t i = 0; i < count; i++)
        sum_add(&sum, term[i]);
    return sum_value(&sum);
}

static void keeps_what_an_addition_loses(void **unused)
{
    static const double one[] = {1e16, 1, -1e16};
    static const double smaller_first[] = {1, 1e100, 1, -1e100};
    static const double both_ways[] = {1, 1e16, 1, 1e16, 1, -2e16};
    static const double negative[] = {-1e16, -1, 1e16, -1};

    (void)unused;
    assert_true(sum_of(NULL, 0) == 0);
    assert_true(sum_of(one, COUNT(one)) == 1);
    assert_true(sum_of(smaller_first, COUNT(smaller_first)) == 2);
    assert_true(sum_of(both_ways, COUNT(both_ways)) == 3);
    assert_true(sum_of(negative, COUNT(negative)) == -2);
}

/* A million ones are added to 1e16. A plain sum loses each of them. */
static void sums_many_small_terms(void **unused)
{
    struct sum sum = {0, 0};
    volatile double plain = 1e16; /* volatile, because x87 code would not round it */

    (void)unused;
    sum_add(&sum, 1e16);
    for (int i = 0; i < 1000000; i++) {
        sum_add(&sum, 1);
        plain = plain + 1;
    }
    assert_true(sum_value(&sum) == 1e16 + 1e6);
    assert_true(plain == 1e16); /* otherwise this test proves nothing */
}

/* The terms are multiples of 2^-20 of very different size. A whole number has their exact sum. */
static void sums_to_the_nearest_double(void **unused)
{
    uint64_t state = 17;
    int plain_differs = 0;

    (void)unused;
    for (int round = 0; round < 2000; round++) {
        struct sum sum = {0, 0};
        volatile double plain = 0;
        int64_t exact = 0;

        for (int i = 0; i < 200; i++) {
            int64_t term = (int64_t)(random_bits(&state) >> (12 + random_bits(&state) % 50));
            double scaled;

            term = random_bits(&state) & 1 ? term : -term;
            scaled = ldexp((double)term, -20);
            exact += term;
            sum_add(&sum, scaled);
            plain = plain + scaled;
        }
        assert_true(sum_value(&sum) == ldexp((double)exact, -20));
        plain_differs += plain != ldexp((double)exact, -20);
    }
    assert_true(plain_differs > 100);
}

/* Several sums at once, in any number of calls, equal the sums of whole numbers. */
static void sums_all_to_the_nearest_double(void **unused)
{
    uint64_t state = 18;

    (void)unused;
    for (size_t count = 0; count < 300; count++) {
        struct sum sum = {0, 0}, parts = {0, 0};
        double term[300];
        int64_t exact = 0;
        const size_t first = count ? draw_below(&state, count) : 0;

        for (size_t i = 0; i < count; i++) {
            int64_t whole = (int64_t)(random_bits(&state) >> (12 + random_bits(&state) % 50));

            whole = random_bits(&state) & 1 ? whole : -whole;
            exact += whole;
            term[i] = ldexp((double)whole, -20);
        }
        sum_add_all(&sum, term, count);
        sum_add_all(&parts, term, first);
        sum_add_all(&parts, term + first, count - first);
        assert_true(sum_value(&sum) == ldexp((double)exact, -20));
        assert_true(sum_value(&parts) == sum_value(&sum));
    }
}

/* If one chain, or all together, overflow, the sum is infinite and never NaN. */
static void sums_all_beyond_a_double(void **unused)
{
    double term[64];

    (void)unused;
    for (size_t large = 0; large < COUNT(term); large++) {
        struct sum infinite = {0, 0}, finite = {0, 0};

        for (size_t i = 0; i < COUNT(term); i++)
            term[i] = 1e300;
        term[large] = HUGE_VAL;
        sum_add_all(&infinite, term, COUNT(term));
        sum_add_all(&infinite, term, large);
        assert_true(sum_value(&infinite) == HUGE_VAL);
        term[large] = DBL_MAX / 2;
        sum_add_all(&finite, term, COUNT(term));
        assert_true(sum_value(&finite) < DBL_MAX);
        sum_add_all(&finite, term, COUNT(term));
        assert_true(sum_value(&finite) == HUGE_VAL);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keeps_what_an_addition_loses),
        cmocka_unit_test(sums_many_small_terms),
        cmocka_unit_test(sums_to_the_nearest_double),
        cmocka_unit_test(sums_all_to_the_nearest_double),
        cmocka_unit_test(sums_all_beyond_a_double),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
