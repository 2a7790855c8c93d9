/* test_paged_order.c - every item comes once, in groups of pages that fit in memory together.
 * Groups differ each time. */
#include "problem/paged_order.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "data/dataset.h"

#undef fail /* status.h's; cmocka has another */
#include "support.h"

enum { ROWS = 3000 };

static struct hinge_dataset *read_paged(void)
{
    const struct hinge_format format = {.memory = 10000};
    struct hinge_dataset *data;
    struct hinge_error error;
    char *text = malloc(ROWS * 40), *end = text;

    assert_non_null(text);
    for (int i = 0; i < ROWS; i++)
        end += sprintf(end, "%d 1:%d 3:%d.5\n", i % 2, i % 9 + 1, i % 5);
    data = hinge_dataset_read(scratch_write("order", text, (size_t)(end - text)), &format, &error);
    free(text);
    assert_non_null(data);
    assert_true(hinge_dataset_is_paged(data));
    return data;
}

static void shuffle(const struct hinge_dataset *data, uint32_t stride, uint64_t seed,
                    uint32_t *item, uint32_t count, struct paged_order *order)
{
    static uint32_t row[ROWS], sorted[ROWS];
    struct problem problem = {.data = data, .rows = ROWS, .row = row};
    struct random_state random = {seed};
    struct arena arena = {NULL, 0, 0};
    struct hinge_error error;
    unsigned char seen[ROWS] = {0};
    const size_t at_once = pages_at_once(data->x.pages);
    void *block;

    for (uint32_t i = 0; i < ROWS; i++)
        row[i] = i;
    paged_order_lay_out(order, &arena, &problem, stride, sorted);
    assert_non_null(block = arena_new(&arena, &error));
    paged_order_lay_out(order, &arena, &problem, stride, sorted);
    for (uint32_t s = 0; s < count; s++)
        item[s] = s;
    paged_order_shuffle(order, &random, item, count);
    assert_int_equal(order->end[order->groups - 1], count);
    for (uint32_t g = 0, first = 0; g < order->groups; first = order->end[g++]) {
        unsigned char page[ROWS] = {0};
        size_t pages = 0;

        for (uint32_t s = first; s < order->end[g]; s++) {
            const size_t its = pages_of_row(data->x.pages, (size_t)item[s] * stride);

            pages += !page[its];
            page[its] = 1;
            assert_int_equal(seen[item[s]]++, 0);
        }
        assert_true(pages <= at_once);
    }
    for (uint32_t s = 0; s < count; s++)
        assert_int_equal(seen[s], 1);
    free(block);
}

static void test_groups_are_pages_at_once(void **unused)
{
    static uint32_t one[ROWS], other[ROWS];
    static const uint32_t stride[] = {1, 2, 8};
    struct hinge_dataset *data = read_paged();

    (void)unused;
    for (size_t k = 0; k < COUNT(stride); k++) {
        const uint32_t count = ROWS / stride[k];
        struct paged_order order;

        shuffle(data, stride[k], 1, one, count, &order);
        assert_true(order.groups > 1);
        shuffle(data, stride[k], 2, other, count, &order);
        assert_int_not_equal(memcmp(one, other, count * sizeof *one), 0);
        shuffle(data, stride[k], 1, other, count, &order);
        assert_memory_equal(one, other, count * sizeof *one);
    }
    hinge_dataset_free(data);
}

static void test_rows_in_memory_take_nothing(void **unused)
{
    const struct hinge_dataset data = {.features = 1};
    const struct problem problem = {.data = &data};
    struct arena arena = {NULL, 0, 0};
    struct paged_order order;

    (void)unused;
    paged_order_lay_out(&order, &arena, &problem, 1, NULL);
    assert_true(arena.used <= 64);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_groups_are_pages_at_once),
        cmocka_unit_test(test_rows_in_memory_take_nothing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
