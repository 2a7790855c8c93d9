/* test_sum.c - compensated sums against exact ones. */
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

/* A million ones onto 1e16: each alone is lost. */
static void sums_many_small_terms(void **unused)
{
    struct sum sum = {0, 0};
    volatile double plain = 1e16; /* volatile: as a compiler for x87 would not round it */

    (void)unused;
    sum_add(&sum, 1e16);
    for (int i = 0; i < 1000000; i++) {
        sum_add(&sum, 1);
        plain = plain + 1;
    }
    assert_true(sum_value(&sum) == 1e16 + 1e6);
    assert_true(plain == 1e16); /* or this test proves nothing */
}

/* Multiples of 2^-20 of very different size, the exact sum kept as a whole number. */
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keeps_what_an_addition_loses),
        cmocka_unit_test(sums_many_small_terms),
        cmocka_unit_test(sums_to_the_nearest_double),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
