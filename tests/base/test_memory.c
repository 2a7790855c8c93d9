/* test_memory.c - arrays: sizes that overflow, resizing, growth; several arrays in one block. */
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

/* The products of counts and sizes are small after wrapping around. */
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

static void grows_an_array_when_it_is_full(void **unused)
{
    struct hinge_error error = {HINGE_OK, ""};
    size_t capacity = 0, resizes = 0;
    uint32_t *array = NULL;

    (void)unused;
    for (size_t count = 0; count < 100000; count++) {
        const size_t before = capacity;
        const uint32_t *held = array;

        assert_int_equal(ARRAY_RESERVE(&array, &capacity, count + 1, &error), HINGE_OK);
        assert_true(capacity > count && (capacity == before ? array == held : count == before));
        resizes += capacity != before;
        array[count] = (uint32_t)count;
    }
    assert_in_range(resizes, 10, 40);
    for (uint32_t k = 0; k < 100000; k++)
        assert_int_equal(array[k], k);
    capacity = 100000;
    assert_int_equal(ARRAY_RESERVE(&array, &capacity, SIZE_MAX / 2, &error), HINGE_NO_MEMORY);
    assert_int_equal(array[99999], 99999);
    assert_int_equal(capacity, 100000);
    free(array);
}

/* ---- Arenas ------------------------------------------------------------- */

enum { LINE = 64, ARRAYS = 12 };

static const struct {
    size_t count, size, bytes; /* bytes: in whole cache lines */
} layout[ARRAYS] = {{1, 1, 64}, {64, 1, 64},     {65, 1, 128},  {0, 8, 0},
                    {8, 8, 64}, {9, 8, 128},     {3, 100, 320}, {100, 3, 320},
                    {0, 1, 0},  {1000, 4, 4032}, {5, 24, 128},  {1, 63, 64}};

static size_t lay_out(struct arena *arena, unsigned char **array)
{
    size_t bytes = 0;

    for (size_t i = 0; i < ARRAYS; i++) {
        array[i] = arena_take(arena, layout[i].count, layout[i].size);
        bytes += layout[i].bytes;
    }
    return bytes;
}

/* Checks that each array is zero and begins at the cache line after the previous array. Then fills
 * it. */
static void expect_zeroed_arrays(unsigned char *const *array)
{
    const unsigned char *next = array[0];

    assert_int_equal((uintptr_t)next % LINE, 0);
    for (size_t i = 0; i < ARRAYS; i++) {
        assert_ptr_equal(array[i], next);
        next += layout[i].bytes;
        for (size_t k = 0; k < layout[i].bytes; k++)
            assert_int_equal(array[i][k], 0);
        memset(array[i], 0xa5, layout[i].bytes);
    }
}

static void arena_counts_then_gives(void **unused)
{
    struct hinge_error error = {HINGE_OK, "untouched"};
    struct arena arena = {NULL, 0, 0};
    unsigned char *array[ARRAYS];
    void *block;
    size_t bytes;

    (void)unused;
    bytes = lay_out(&arena, array);
    for (size_t i = 0; i < ARRAYS; i++)
        assert_null(array[i]);
    assert_int_equal(arena.used, bytes);
    block = arena_new(&arena, &error);
    assert_non_null(block);
    assert_int_equal(arena.used, bytes);
    lay_out(&arena, array);
    expect_zeroed_arrays(array);
    assert_in_range(array[0] - (unsigned char *)block, 0, LINE - 1);
    free(block);
    assert_string_equal(error.message, "untouched");
}

/* The arena reuses its block for other arrays that need no more memory. Their bytes are zero
 * again. */
static void arena_reuses_a_block(void **unused)
{
    struct hinge_error error;
    struct arena first = {NULL, 0, 0}, arena;
    unsigned char *array[ARRAYS], *small;
    void *block;

    (void)unused;
    lay_out(&first, array);
    block = arena_new(&first, &error);
    assert_non_null(block);
    lay_out(&first, array);
    expect_zeroed_arrays(array);
    for (int turn = 0; turn < 3; turn++) {
        arena = (struct arena){NULL, 0, 0};
        lay_out(&arena, array);
        arena_reuse(&arena, block);
        lay_out(&arena, array);
        expect_zeroed_arrays(array);
    }
    arena = (struct arena){NULL, 0, 0};
    arena_take(&arena, 70, 1);
    arena_reuse(&arena, block);
    small = arena_take(&arena, 70, 1);
    assert_ptr_equal(small, array[0]);
    for (size_t k = 0; k < 128; k++)
        assert_int_equal(small[k], 0);
    assert_int_equal(small[128], 0xa5); /* other bytes are unchanged */
    free(block);
}

/* In a block that is used again, arrays that need no zeros keep the old bytes. */
static void arena_leaves_the_rest(void **unused)
{
    struct hinge_error error;
    struct arena arena = {NULL, 0, 0};
    unsigned char *zeroed, *left;
    void *block = NULL;

    (void)unused;
    for (int turn = 0; turn < 2; turn++) {
        arena = (struct arena){NULL, 0, 0};
        for (int part = 0; part < 2; part++) {
            zeroed = arena_take(&arena, 100, 1);
            arena_leave_rest(&arena);
            left = arena_take(&arena, 100, 1);
            arena_leave_rest(&arena);
            arena_take(&arena, 1, 1);
            if (part == 0 && block)
                arena_reuse(&arena, block);
            else if (part == 0)
                assert_non_null(block = arena_new(&arena, &error));
        }
        for (size_t k = 0; k < 100; k++) {
            assert_int_equal(zeroed[k], 0);
            assert_int_equal(left[k], turn == 0 ? 0 : 0xa5);
        }
        memset(zeroed, 0xa5, 100);
        memset(left, 0xa5, 100);
    }
    free(block);
}

static void arena_begins_at_a_cache_line(void **unused)
{
    static unsigned char memory[5 * LINE];
    unsigned char *line = memory + (LINE - (uintptr_t)memory % LINE) % LINE;

    (void)unused;
    for (size_t at = 0; at <= LINE; at++) {
        struct arena arena = {NULL, 0, 0};

        memset(memory, 0xa5, sizeof memory);
        arena_take(&arena, 100, 1);
        assert_int_equal(arena.used, 2 * LINE);
        arena_reuse(&arena, line + at);
        assert_ptr_equal(arena.next, line + (at + LINE - 1) / LINE * LINE);
        for (unsigned char *byte = memory; byte < memory + sizeof memory; byte++)
            assert_int_equal(*byte, (unsigned char *)arena.next <= byte &&
                                            byte < (unsigned char *)arena.next + 2 * LINE
                                        ? 0
                                        : 0xa5);
    }
}

/* No sum wraps around, and a size that is too large stays too large. */
static void arena_refuses_what_is_no_size(void **unused)
{
    static const struct {
        size_t count, size;
    } row[] = {{SIZE_MAX, 2},         {SIZE_MAX / 8 + 1, 8},
               {SIZE_MAX / 8 + 3, 8}, {8, SIZE_MAX / 8 + 1},
               {SIZE_MAX, 1},         {SIZE_MAX - 62, 1}, /* 0 when rounded up to cache lines */
               {SIZE_MAX - 63, 1},     /* fits, but not with a line for the beginning */
               {SIZE_MAX - 200, 1},    /* fits, but not after others */
               {SIZE_MAX / 2 + 1, 1}}; /* too large together with others */
    struct hinge_error error;

    (void)unused;
    for (size_t i = 0; i < COUNT(row); i++)
        for (int order = 0; order < 3; order++) {
            struct arena arena = {NULL, 0, 0};

            memset(&error, 0, sizeof error);
            for (int k = 0; k < 3; k++)
                if (k == order)
                    assert_null(arena_take(&arena, row[i].count, row[i].size));
                else
                    assert_null(arena_take(&arena, SIZE_MAX / 4, 1));
            expect_out_of_memory(arena_new(&arena, &error), &error);
        }
    for (size_t i = 0; i + 1 < COUNT(row); i++) {
        struct arena arena = {NULL, 0, 0};

        memset(&error, 0, sizeof error);
        arena_take(&arena, row[i].count, row[i].size);
        for (int k = 0; k < 100; k++) {
            const size_t before = arena.used;

            arena_take(&arena, 10, 10);
            assert_true(arena.used > before || arena.used == SIZE_MAX);
        }
        expect_out_of_memory(arena_new(&arena, &error), &error);
    }
}

/* An array without elements has an address, too. */
static void arena_of_nothing(void **unused)
{
    struct hinge_error error;
    struct arena arena = {NULL, 0, 0};
    void *block;

    (void)unused;
    assert_null(arena_take(&arena, 0, 8));
    assert_int_equal(arena.used, 0);
    block = arena_new(&arena, &error);
    assert_non_null(block);
    assert_non_null(arena_take(&arena, 0, 8));
    free(block);
}

/* memory_ask must really allocate. A compiler may remove an allocation that is freed at once, and
 * assume that it succeeded. */
static void asks_for_room(void **unused)
{
    struct hinge_error error = {HINGE_OK, ""};

    (void)unused;
    assert_int_equal(memory_ask("weights", 1000, 2, &error), HINGE_OK);
#ifndef ADDRESS_SANITIZER
    assert_int_equal(memory_ask("weights", SIZE_MAX / sizeof(double), 1, &error), HINGE_NO_MEMORY);
    assert_non_null(strstr(error.message, "out of memory: the weights of "));
#endif
    assert_int_equal(memory_ask("weights", SIZE_MAX / 2, 3, &error), HINGE_NO_MEMORY);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(refuses_array_sizes_that_overflow),
        cmocka_unit_test(makes_and_resizes_arrays),
        cmocka_unit_test(grows_by_half_without_overflow),
        cmocka_unit_test(grows_an_array_when_it_is_full),
        cmocka_unit_test(arena_counts_then_gives),
        cmocka_unit_test(arena_reuses_a_block),
        cmocka_unit_test(arena_leaves_the_rest),
        cmocka_unit_test(arena_begins_at_a_cache_line),
        cmocka_unit_test(arena_refuses_what_is_no_size),
        cmocka_unit_test(arena_of_nothing),
        cmocka_unit_test(asks_for_room),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
