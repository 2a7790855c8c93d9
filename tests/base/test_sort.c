/* test_sort.c - sorts any keys, and stops a sort. */
#include "support.h"

#include <stdlib.h>
#include <string.h>

#include "base/sort.h"

static int ascending(const void *left, const void *right)
{
    const uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;

    return (a > b) - (a < b);
}

/* Keys are random in some of the 64 bits, so that few or many are equal. */
static void keys_of_all_sorts_are_sorted(void **unused)
{
    enum { MOST = 3000 };
    static uint64_t key[MOST], expected[MOST];
    uint64_t random = 9;

    (void)unused;
    for (int n = 0; n < 2000; n++) {
        const size_t count = (size_t)(random_bits(&random) % (n % 10 ? 60 : MOST));
        const unsigned shift = (unsigned)(random_bits(&random) % 64);
        const unsigned unit = (unsigned)(random_bits(&random) % 64);

        for (size_t k = 0; k < count; k++)
            key[k] = random_bits(&random) >> shift << unit;
        memcpy(expected, key, count * sizeof *key);
        qsort(expected, count, sizeof *expected, ascending);
        assert_int_equal(sort_keys(key, count, NULL), 1);
        assert_memory_equal(key, expected, count * sizeof *key);
    }
}

/* Each key has a highest bit of its own, which gives the deepest recursion: 64 levels. */
static void one_key_for_each_bit(void **unused)
{
    enum { TIMES = 30 };
    uint64_t key[64 * TIMES];

    (void)unused;
    for (size_t k = 0; k < COUNT(key); k++)
        key[k] = UINT64_C(1) << (k * 37 % 64);
    assert_int_equal(sort_keys(key, COUNT(key), NULL), 1);
    for (size_t k = 0; k < COUNT(key); k++)
        assert_true(key[k] == UINT64_C(1) << (k / TIMES));
}

static int count_down(const void *context)
{
    unsigned *left = *(unsigned *const *)context;

    return (*left)-- == 0;
}

/* The sort asks for a stop before large parts only, and obeys it. */
static void a_sort_is_stopped(void **unused)
{
    enum { ROWS = 3 << 20 };
    uint64_t *key = malloc(ROWS * sizeof *key), random = 4, sum = 0;
    unsigned left = 1, *const counter = &left;
    const struct stop stop = {count_down, &counter};

    (void)unused;
    assert_non_null(key);
    for (size_t k = 0; k < ROWS; k++)
        sum += key[k] = random_bits(&random);
    assert_int_equal(sort_keys(key, ROWS, &stop), 0);
    for (size_t k = 0; k < ROWS; k++)
        sum -= key[k];
    assert_true(sum == 0); /* no key is lost */
    left = 1000;
    assert_int_equal(sort_keys(key, ROWS, &stop), 1);
    assert_true(left < 1000);
    for (size_t k = 1; k < ROWS; k++)
        assert_true(key[k - 1] <= key[k]);
    free(key);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keys_of_all_sorts_are_sorted),
        cmocka_unit_test(one_key_for_each_bit),
        cmocka_unit_test(a_sort_is_stopped),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
