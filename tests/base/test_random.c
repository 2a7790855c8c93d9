/* test_random.c - random numbers: the generator, draws below a bound, shuffles. */
#include "support.h"

#include <stdlib.h>

#include "base/random.h"

/* The expected numbers were computed independently, with whole numbers of unlimited size. */
static void gives_the_numbers_of_splitmix64(void **unused)
{
    static const struct {
        uint64_t seed, number[5];
    } row[] = {
        {0,
         {UINT64_C(0xe220a8397b1dcdaf), UINT64_C(0x6e789e6aa1b965f4), UINT64_C(0x06c45d188009454f),
          UINT64_C(0xf88bb8a8724c81ec), UINT64_C(0x1b39896a51a8749b)}},
        {1234567,
         {UINT64_C(6457827717110365317), UINT64_C(3203168211198807973),
          UINT64_C(9817491932198370423), UINT64_C(4593380528125082431),
          UINT64_C(16408922859458223821)}},
    };

    (void)unused;
    for (size_t i = 0; i < COUNT(row); i++) {
        struct random_state random = {row[i].seed};

        for (size_t k = 0; k < 5; k++)
            assert_int_equal(random_next(&random), row[i].number[k]);
    }
}

static double chi_square(const unsigned long *observed, size_t cells, double expected)
{
    double total = 0;

    for (size_t i = 0; i < cells; i++) {
        double difference = (double)observed[i] - expected;

        total += difference * difference / expected;
    }
    return total;
}

static void draws_below_a_bound_uniformly(void **unused)
{
    enum { DRAWS = 100000 };
    static const uint32_t edge[] = {1, 2, 3, 10, UINT32_C(0x80000001), UINT32_MAX};
    struct random_state random = {11};
    unsigned long observed[10] = {0};
    uint32_t largest = 0;

    (void)unused;
    for (size_t i = 0; i < COUNT(edge); i++)
        for (int k = 0; k < 1000; k++)
            assert_true(random_below(&random, edge[i]) < edge[i]);
    for (int k = 0; k < DRAWS; k++) {
        uint32_t wide = random_below(&random, UINT32_MAX);

        observed[random_below(&random, 10)]++;
        largest = wide > largest ? wide : largest;
    }
    assert_true(largest > UINT32_C(0xfff00000));
    assert_true(chi_square(observed, 10, DRAWS / 10) < 27.88); /* one of 1000 is above */
}

static void shuffles_to_a_permutation(void **unused)
{
    static const uint32_t count[] = {0, 1, 2, 3, 10, 1000, 65537};
    struct random_state random = {5};

    (void)unused;
    for (size_t i = 0; i < COUNT(count); i++) {
        uint32_t n = count[i], moved = 0;
        uint32_t *item = calloc(n + 1, sizeof *item);
        char *seen = calloc(n + 1, 1);

        assert_true(item && seen);
        for (uint32_t k = 0; k <= n; k++)
            item[k] = k;
        random_shuffle(&random, item, n);
        assert_int_equal(item[n], n); /* after the end */
        for (uint32_t k = 0; k < n; k++) {
            assert_true(item[k] < n && !seen[item[k]]);
            seen[item[k]] = 1;
            moved += item[k] != k;
        }
        assert_true(n < 1000 || moved > n - 20);
        free(item);
        free(seen);
    }
}

static size_t permutation_number(const uint32_t *item)
{
    size_t number = 0;

    for (size_t i = 0; i < 4; i++) {
        size_t smaller = 0;

        for (size_t k = i + 1; k < 4; k++)
            smaller += item[k] < item[i];
        number = number * (4 - i) + smaller;
    }
    return number;
}

static void shuffles_to_every_order_alike(void **unused)
{
    enum { EACH = 10000 };
    struct random_state random = {1};
    unsigned long order[24] = {0}, place[10][10] = {{0}};

    (void)unused;
    for (int i = 0; i < 24 * EACH; i++) {
        uint32_t item[4] = {0, 1, 2, 3};

        random_shuffle(&random, item, 4);
        order[permutation_number(item)]++;
    }
    assert_true(chi_square(order, 24, EACH) < 49.73); /* one of 1000 is above, here and below */
    for (int i = 0; i < 10 * EACH; i++) {
        uint32_t item[10] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9};

        random_shuffle(&random, item, 10);
        for (size_t k = 0; k < 10; k++)
            place[k][item[k]]++;
    }
    for (size_t k = 0; k < 10; k++)
        assert_true(chi_square(place[k], 10, EACH) < 27.88);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gives_the_numbers_of_splitmix64),
        cmocka_unit_test(draws_below_a_bound_uniformly),
        cmocka_unit_test(shuffles_to_a_permutation),
        cmocka_unit_test(shuffles_to_every_order_alike),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
