/* test_kernel_cache.c - columns hold the correct products: with any kind of entry, in a cache of
 * any size, in any order of the rows, and if memory is short. */
#include <stdlib.h>

#include "solver/passes/smo.h"

/* Share of the allocations that are refused, in 256ths. */
static unsigned refused;

static void *array_resize_or_not(void *array, size_t count, size_t size, struct hinge_error *error)
{
    static unsigned call;

    call = call * 1103515245u + 12345u;
    return (call >> 16 & 255) < refused ? NULL : array_resize(array, count, size, error);
}

/* The cache with this allocation. */
#define array_resize array_resize_or_not
#include "solver/passes/kernel_cache.c"
#undef array_resize
#undef fail /* status.h's; cmocka has another */

#include "free_bias.h"

/* Makes a cache ready, and returns the block of its arrays. */
static void *begin(struct kernel_cache *cache, const struct free_bias *large, double mebibytes)
{
    struct arena arena = {NULL, 0, 0};
    struct hinge_error error;
    void *block;

    kernel_cache_lay_out(cache, &arena, &large->problem);
    assert_non_null(block = arena_new(&arena, &error));
    kernel_cache_lay_out(cache, &arena, &large->problem);
    assert_int_equal(kernel_cache_begin(cache, mebibytes, &error), HINGE_OK);
    return block;
}

static void end(struct kernel_cache *cache, void *block)
{
    kernel_cache_end(cache);
    free(block);
}

/* The kind of entry is the narrowest that holds all products. */
static void test_entries_are_the_narrowest(void **state)
{
    static struct free_bias large;
    struct kernel_cache cache;

    (void)state;
    for (int entry = ENTRY_BYTE; entry <= ENTRY_DOUBLE; entry++) {
        void *block;

        free_bias_draw(&large, (enum entry)entry, 1, 3);
        block = begin(&cache, &large, 1);
        assert_int_equal(cache.entry, entry);
        end(&cache, block);
    }
    free_bias_draw(&large, ENTRY_FLOAT, 1, 3);
    large.value[5] = 1 << 20; /* its square times the non-zeros exceeds 2^24 */
    end(&cache, begin(&cache, &large, 1));
    assert_int_equal(cache.entry, ENTRY_DOUBLE);
}

/* With ones alone, a product counts the common features, and a byte counts to 255. The kind of
 * entry must not depend on how the ones are stored, because it changes the steps. */
static void test_entries_count_the_ones(void **state)
{
    uint8_t index[2 * 256];
    int32_t whole[2 * 256];
    float single[2 * 256];
    double value[2 * 256];
    void *const values[] = {NULL, whole, single, value};
    signed char sign[] = {1, -1};
    double cost[] = {1, 1};
    uint32_t row[] = {0, 1};

    (void)state;
    for (size_t k = 0; k < 2 * 256; k++)
        value[k] = single[k] = (float)(whole[k] = 1);
    for (size_t n = 0; n < 3 * 4; n++) {
        const size_t ones = 254 + n / 4;
        size_t start[] = {0, ones, 2 * ones};
        const struct hinge_dataset data = {.x = {.rows = 2,
                                                 .nonzeros = 2 * ones,
                                                 .start = start,
                                                 .index = index,
                                                 .value_kind = (enum hinge_value_kind)(n % 4),
                                                 .value = values[n % 4],
                                                 .scale = 1},
                                           .features = 256};
        const struct free_bias two = {.problem = {.data = &data,
                                                  .rows = 2,
                                                  .row = row,
                                                  .sign = sign,
                                                  .cost = cost,
                                                  .bias_kind = BIAS_FREE,
                                                  .bias = 1}};
        struct kernel_cache cache;
        void *block = begin(&cache, &two, 1);

        for (size_t k = 0; k < 2 * ones; k++)
            index[k] = (uint8_t)(k % ones);
        assert_int_equal(cache.entry, ones < 256 ? ENTRY_BYTE : ENTRY_FLOAT);
        assert_true(kernel_entry(kernel_cache_get(&cache, 0, 2), cache.entry, 1) == (double)ones);
        end(&cache, block);
    }
}

/* Moves the positions that are multiples of a number to the end. */
static void reorder(struct kernel_cache *cache, uint32_t number)
{
    uint32_t from[ROWS], behind = ROWS - (ROWS + number - 1) / number, kept = 0;
    const uint32_t active = behind;

    for (uint32_t i = 0; i < ROWS; i++)
        from[i % number ? kept++ : behind++] = i;
    kernel_cache_reorder(cache, from, active);
}

static void check_entry(const struct free_bias *large, const struct kernel_cache *cache,
                        double entry, uint32_t position, uint32_t at)
{
    const long double product = product_of(large, cache->row[position], cache->row[at]);

    assert_true(fabsl(entry - product) <= 1e-12);
}

/* Checks parts of columns, of different lengths, two at a time, before and after a change of the
 * order of rows. Entries of a byte or a float are exact. Doubles are sums in another order. */
static void check_columns(const struct free_bias *large, double mebibytes, uint64_t *random)
{
    struct kernel_cache cache;
    void *block = begin(&cache, large, mebibytes);

    for (int ask = 0; ask < 3000; ask++) {
        const uint32_t position = (uint32_t)draw_below(random, ROWS);
        const uint32_t other = (uint32_t)draw_below(random, ROWS);
        const uint32_t length = 1 + (uint32_t)draw_below(random, ROWS);
        const uint32_t from = (uint32_t)draw_below(random, ROWS);
        const void *one = kernel_cache_get(&cache, position, length);
        const void *two = kernel_cache_get(&cache, other, length);
        const double *rest = kernel_cache_rest(&cache, position, from);

        assert_true(cache.used <= cache.room);
        for (uint32_t at = ask % 7 ? length - 1 : 0; at < length; at++) {
            check_entry(large, &cache, kernel_entry(one, cache.entry, at), position, at);
            check_entry(large, &cache, kernel_entry(two, cache.entry, at), other, at);
        }
        for (uint32_t at = from; at < ROWS; at += 17)
            check_entry(large, &cache, rest[at], position, at);
        if (ask % 100 == 99)
            reorder(&cache, (uint32_t)(ask / 100 + 2));
    }
    end(&cache, block);
}

static void test_columns_hold_what_was_asked_for(void **state)
{
    static const double sizes[] = {1e-9, 0.01, 0.1, 100};
    static struct free_bias large;
    uint64_t random = 5;

    (void)state;
    for (int k = 0; k < 12; k++) {
        free_bias_draw(&large, (enum entry)(k % 3), 1, (uint64_t)k);
        check_columns(&large, sizes[k / 3], &random);
    }
}

/* Memory is refused to a new column, to a growing column, and to a column that gives memory back.
 */
static void test_columns_hold_it_where_memory_is_short(void **state)
{
    static const double sizes[] = {1e-9, 0.1, 100};
    static struct free_bias large;
    uint64_t random = 6;

    (void)state;
    for (int k = 0; k < 27; k += (int)repeats(1, 4)) {
        free_bias_draw(&large, (enum entry)(k % 3), 1, (uint64_t)k);
        refused = (unsigned[]){64, 200, 256}[k / 9];
        check_columns(&large, sizes[k / 3 % 3], &random);
    }
    refused = 0;
}

static void test_training_ends_where_memory_is_short(void **state)
{
    static struct free_bias large;
    static double label[ROWS];
    struct hinge_parameters parameters = parameters_default();

    (void)state;
    parameters.solver = 50;
    parameters.relative_gap = 1e-6;
    parameters.C = 0.1;
    free_bias_draw(&large, ENTRY_DOUBLE, 1, 7);
    for (size_t i = 0; i < ROWS; i++)
        label[i] = large.sign[i];
    large.data.label = label;
    for (refused = 64; refused <= 256; refused += 64) {
        struct hinge_error error;
        struct hinge_model *model = hinge_train(&large.data, &parameters, NULL, &error);

        assert_non_null(model);
        assert_int_equal(model->result->outcome, HINGE_CERTIFIED);
        hinge_model_free(model);
    }
    refused = 0;
}

static void test_arrays_follow_the_rows(void **state)
{
    static struct free_bias large;
    struct kernel_cache cache;
    uint32_t from[ROWS], words[ROWS];
    unsigned char bytes[ROWS];
    double doubles[ROWS];
    void *block;

    (void)state;
    free_bias_draw(&large, ENTRY_BYTE, 1, 3);
    block = begin(&cache, &large, 1);
    for (uint32_t i = 0; i < ROWS; i++) {
        from[i] = i < ROWS / 2 ? 2 * i + 1 : 2 * (i - ROWS / 2);
        words[i] = i;
        bytes[i] = (unsigned char)i;
        doubles[i] = i;
    }
    kernel_cache_reorder(&cache, from, ROWS / 2);
    kernel_cache_permute(&cache, words, sizeof *words, from);
    kernel_cache_permute(&cache, bytes, sizeof *bytes, from);
    kernel_cache_permute(&cache, doubles, sizeof *doubles, from);
    for (uint32_t i = 0; i < ROWS; i++) {
        assert_true(cache.row[i] == from[i] && words[i] == from[i]);
        assert_true(bytes[i] == (unsigned char)from[i] && doubles[i] == from[i]);
    }
    end(&cache, block);
}

/* Least squares: f(w) = 1/2 |Xw - y|^2, grad f = X'(Xw - y), delta grad f = X'X delta w. The rows
 * of the data are the columns of X here, so that the columns of K are those of X'X. */
static void test_least_squares_gradient_is_incremental(void **state)
{
    static struct free_bias large;
    static double gradient[ROWS];
    double residual[FEATURES];
    struct kernel_cache cache;
    uint64_t random = 11;
    void *block;

    (void)state;
    free_bias_draw(&large, ENTRY_DOUBLE, 1, 11);
    block = begin(&cache, &large, 0.05);
    for (size_t j = 0; j < FEATURES; j++)
        residual[j] = 2 * random_unit(&random) - 1; /* -y */
    for (size_t i = 0; i < ROWS; i++)
        for (size_t j = 0; j < FEATURES; j++)
            gradient[i] += large.x[i][j] * residual[j];
    for (int step = 0; step < 2000; step++) {
        const uint32_t i = (uint32_t)draw_below(&random, ROWS);
        const void *column = kernel_cache_get(&cache, i, ROWS);
        const double square = kernel_entry(column, cache.entry, i);
        const double change = square > 0 ? -gradient[i] / square : 0;

        for (size_t k = 0; k < ROWS; k++)
            gradient[k] += kernel_entry(column, cache.entry, k) * change;
        for (size_t j = 0; j < FEATURES; j++)
            residual[j] += large.x[i][j] * change;
        if (step % 200 != 199)
            continue;
        for (size_t k = 0; k < ROWS; k++) {
            long double recomputed = 0;

            for (size_t j = 0; j < FEATURES; j++)
                recomputed += (long double)large.x[k][j] * residual[j];
            assert_true(fabsl(gradient[k] - recomputed) <= 1e-11);
        }
    }
    end(&cache, block);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_entries_are_the_narrowest),
        cmocka_unit_test(test_entries_count_the_ones),
        cmocka_unit_test(test_columns_hold_what_was_asked_for),
        cmocka_unit_test(test_columns_hold_it_where_memory_is_short),
        cmocka_unit_test(test_training_ends_where_memory_is_short),
        cmocka_unit_test(test_arrays_follow_the_rows),
        cmocka_unit_test(test_least_squares_gradient_is_incremental),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
