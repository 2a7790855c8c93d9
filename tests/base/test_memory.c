/* test_memory.c - arrays: sizes that overflow, resizing, growth. */
#include "support.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

static void expect_out_of_memory(const void *array, struct hinge_error *error)
{
    assert_null(array);
    assert_int_equal(error->status, HINGE_NO_MEMORY);
    assert_memory_equal(error->message, "out of memory", 13);
    memset(error, 0, sizeof *error);
}

/* Products that are small once they have wrapped around. */
static void refuses_array_sizes_that_overflow(void **unused)
{
    static const struct {
        size_t count, size;
    } row[] = {
        {SIZE_MAX, 2},         {SIZE_MAX, SIZE_MAX},  {SIZE_MAX / 8 + 1, 8},
        {SIZE_MAX / 8 + 3, 8}, {8, SIZE_MAX / 8 + 1}, {SIZE_MAX / 24 + 1, 24},
        {SIZE_MAX / 2 + 1, 2}, {SIZE_MAX / 2 + 2, 4},
    };
    struct hinge_error error = {HINGE_OK, ""};
    double *kept = array_new(3, sizeof *kept, &error);

    (void)unused;
    assert_non_null(kept);
    kept[2] = 7;
    for (size_t i = 0; i < COUNT(row); i++) {
        expect_out_of_memory(array_new(row[i].count, row[i].size, &error), &error);
        expect_out_of_memory(array_resize(NULL, row[i].count, row[i].size, &error), &error);
        expect_out_of_memory(array_resize(kept, row[i].count, row[i].size, &error), &error);
        assert_true(kept[0] == 0 && kept[2] == 7);
    }
    free(kept);
}

static void makes_and_resizes_arrays(void **unused)
{
    struct hinge_error error = {HINGE_OK, "untouched"};
    uint32_t *array = array_new(1000, sizeof *array, &error);
    void *empty = array_new(0, sizeof *array, &error);

    (void)unused;
    assert_true(array && empty);
    for (uint32_t i = 0; i < 1000; i++) {
        assert_int_equal(array[i], 0);
        array[i] = i;
    }
    array = array_resize(array, 100000, sizeof *array, &error);
    assert_non_null(array);
    array[99999] = 1;
    for (uint32_t i = 0; i < 1000; i++)
        assert_int_equal(array[i], i);
    array = array_resize(array, 10, sizeof *array, &error);
    assert_true(array && array[9] == 9);
    array = array_resize(array, 0, sizeof *array, &error);
    assert_non_null(array);
    free(array);
    free(empty);
    empty = array_resize(NULL, 0, 8, &error);
    assert_non_null(empty);
    free(empty);
    assert_string_equal(error.message, "untouched");
}

static void grows_by_half_without_overflow(void **unused)
{
    static const size_t edge[] = {0, 1, 2, 1000, SIZE_MAX / 3, SIZE_MAX / 2, SIZE_MAX - 1};

    (void)unused;
    for (size_t i = 0; i < COUNT(edge); i++) {
        assert_true(array_grown(edge[i], edge[i] + 1) > edge[i]);
        assert_true(array_grown(edge[i], 0) >= edge[i]);
        assert_true(array_grown(edge[i], SIZE_MAX) == SIZE_MAX);
    }
    for (size_t capacity = 100; capacity < 1000000000; capacity += capacity / 3) {
        size_t grown = array_grown(capacity, capacity + 1);

        assert_in_range(grown, capacity + capacity / 4, 2 * capacity);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(refuses_array_sizes_that_overflow),
        cmocka_unit_test(makes_and_resizes_arrays),
        cmocka_unit_test(grows_by_half_without_overflow),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
