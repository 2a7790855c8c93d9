/* test_shards.c - the number of shards is a function of the sizes of the data. */
#include "problem/shards.h"

#include "sample.h"

static struct shards of_sizes(enum summed what, double work, size_t rows, size_t nonzeros,
                              uint32_t features)
{
    const struct hinge_dataset data = {.x = {.rows = rows, .nonzeros = nonzeros},
                                       .features = features};
    const struct problem problem = {.data = &data};
    const size_t length = what == SUM_OF_VECTORS ? features : (size_t)features * features;
    const struct shards shards = shards_of(&problem, what, work, length);

    assert_int_equal(shards.rows, rows);
    assert_int_equal(shards.length, length);
    return shards;
}

/* A shard has at least 256 rows, and at least 64 additions for each number of the vector, or 6 if
 * there are not more rows than features. There are at most 64 shards. */
static void test_number_of_shards(void **state)
{
    (void)state;
    for (unsigned count = 1; count <= 64; count *= 2) {
        const unsigned twice = count < 64 ? 2 * count : 64;

        assert_int_equal(of_sizes(SUM_OF_VECTORS, 0, 256 * count, SIZE_MAX, 1).count, count);
        assert_int_equal(of_sizes(SUM_OF_VECTORS, 0, 512 * count - 1, SIZE_MAX, 1).count, count);
        assert_int_equal(of_sizes(SUM_OF_VECTORS, 0, 512 * count, SIZE_MAX, 1).count, twice);
        for (uint32_t n = 1; n < 4000; n = 3 * n + 1) {
            const size_t few = (size_t)64 * n * count;

            assert_int_equal(of_sizes(SUM_OF_VECTORS, 0, UINT32_MAX, few, n).count, count);
            assert_int_equal(of_sizes(SUM_OF_VECTORS, 0, UINT32_MAX, 2 * few - 1, n).count, count);
            assert_int_equal(of_sizes(SUM_OF_VECTORS, 0, UINT32_MAX, 2 * few, n).count, twice);
        }
        for (uint32_t n = 32768; n < 1000000; n = 3 * n + 1) {
            const size_t few = (size_t)6 * n * count;

            assert_int_equal(of_sizes(SUM_OF_VECTORS, 0, 32768, few, n).count, count);
            assert_int_equal(of_sizes(SUM_OF_VECTORS, 0, 32768, 2 * few - 1, n).count, count);
            assert_int_equal(of_sizes(SUM_OF_VECTORS, 0, 32768, 2 * few, n).count, twice);
        }
    }
    assert_int_equal(of_sizes(SUM_OF_VECTORS, 0, 1, 0, 0).count, 1);
    assert_int_equal(of_sizes(SUM_OF_VECTORS, 0, UINT32_MAX, 0, 1).count, 1);
    assert_int_equal(of_sizes(SUM_OF_VECTORS, 0, UINT32_MAX, UINT32_MAX, 0).count, 64);
}

/* The number of shards of X'WX also depends on the work. Sums over few rows are not divided. Others
 * have the shards of vectors, or more if the work pays for them. */
static void test_number_of_shards_of_products(void **state)
{
    static const struct {
        size_t rows, nonzeros;
        uint32_t features;
        unsigned fewest;
    } data[] = {{32561, 451592, 123, 16},   {49749, 579586, 300, 8},       {92962, 1110377, 54, 16},
                {20000, 10000000, 500, 16}, {569, 17070, 30, 2},           {4096, 8192, 2, 16},
                {1000, 20000, 4000, 1},     {10000000, 1200000000, 50, 64}};

    (void)state;
    for (size_t k = 0; k < COUNT(data); k++) {
        const double length = (double)data[k].features * data[k].features;
        const unsigned vectors =
            of_sizes(SUM_OF_VECTORS, 0, data[k].rows, data[k].nonzeros, data[k].features).count;

        for (double additions = 1; additions < 1e9; additions *= 2) {
            const unsigned count = of_sizes(SUM_OF_PRODUCTS, additions * length, data[k].rows,
                                            data[k].nonzeros, data[k].features)
                                       .count;

            if (additions < 16) {
                assert_int_equal(count, 1);
            } else {
                assert_true(count % data[k].fewest == 0);
                assert_true(count == data[k].fewest || additions / count >= 64);
                assert_true(data[k].fewest <= vectors);
            }
        }
    }
}

static void test_shards_depend_on_sizes_alone(void **state)
{
    (void)state;
    for (size_t rows = 1; rows < 5000; rows = 2 * rows + 1) {
        struct sample one, other;

        sample_new(&one, rows, 12, 4, BIAS_NONE, LOSS_HINGE);
        sample_new(&other, rows, 12, 4, BIAS_NONE, LOSS_SQUARED_HINGE);
        for (size_t k = 0; k < other.random.data.x.nonzeros; k++)
            other.random.value[k] *= k % 2 ? 0 : 1e9;
        other.problem.rows = 0; /* a view without rows */
        assert_int_equal(shards_of(&other.problem, SUM_OF_VECTORS, 0, 12).count, one.shards.count);
        sample_free(&one);
        sample_free(&other);
    }
}

/* Threads are used for sums of seven million additions or more over the selected rows. */
static void test_threads_for_the_work(void **state)
{
    struct shards shards = of_sizes(SUM_OF_VECTORS, 14e6, 1000, 1000000, 10000);

    (void)state;
    shards.over = 1000;
    for (shards.threads = 1; shards.threads <= 8; shards.threads++) {
        assert_int_equal(shards_threads(&shards, 1000), shards.threads);
        assert_int_equal(shards_threads(&shards, 500), shards.threads);
        assert_int_equal(shards_threads(&shards, 499), 1);
        assert_int_equal(shards_threads(&shards, 0), 1);
    }
    shards.over = 0;
    assert_int_equal(shards_threads(&shards, 0), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_number_of_shards),
        cmocka_unit_test(test_number_of_shards_of_products),
        cmocka_unit_test(test_threads_for_the_work),
        cmocka_unit_test(test_shards_depend_on_sizes_alone),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
