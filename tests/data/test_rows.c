/* test_rows.c - rows that get their place first and are copied there later are those that are
 * joined at once; room that is asked for in advance changes none. */
#include "data/rows.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#undef fail /* status.h's; cmocka has another */
#include "data_files.h"

/* Writes some rows: dense ones, or with some features up to a number; with ones, or with values of
 * so many places. */
static const char *draw_file(size_t offset, uint64_t *state)
{
    static const unsigned most[] = {5, 200, 300, 70000};
    static char text[1 << 15];
    const unsigned places = (unsigned)draw_below(state, 3), largest = most[draw_below(state, 4)];
    const int is_dense = draw_below(state, 2) == 0;
    const size_t rows = 1 + draw_below(state, 40);
    size_t length = 0;

    for (size_t i = 0; i < rows; i++) {
        unsigned index = 0;

        length += (size_t)sprintf(text + length, "%d", (int)draw_below(state, 3) - 1);
        for (int k = 0; k < 5; k++) {
            index += is_dense ? 1 : 1 + (unsigned)draw_below(state, largest / 5);
            length += (size_t)sprintf(text + length, places > 0 ? " %u:0.%0*u" : " %u:1", index,
                                      (int)places, 1 + (unsigned)draw_below(state, 9));
        }
        text[length++] = '\n';
    }
    return write_at(offset, text, length);
}

/* Reads the file, into rows that are of the kinds of others at first, if they are given. */
static void read_into(struct rows *rows, const char *path, const struct rows *like)
{
    struct hinge_error error;

    assert_int_equal(rows_new(rows, &ordinary, &error), HINGE_OK);
    if (like)
        assert_int_equal(rows_clear(rows, like, &error), HINGE_OK);
    assert_int_equal(source_open(&rows->reader.source, path, &error), HINGE_OK);
    assert_int_equal(rows_read(rows, &error), HINGE_OK);
}

static void assert_same_rows(const struct rows *rows, const struct rows *expected)
{
    const struct entries *one = &rows->reader.entries, *other = &expected->reader.entries;
    const struct hinge_matrix *x = &one->x, *y = &other->x;

    assert_int_equal(x->rows, y->rows);
    assert_int_equal(x->nonzeros, y->nonzeros);
    assert_int_equal(x->index_kind, y->index_kind);
    assert_int_equal(x->value_kind, y->value_kind);
    assert_true(one->places == other->places && one->row == other->row &&
                one->filled == other->filled && one->width == other->width);
    assert_true(rows->features == expected->features && rows->reader.rows == expected->reader.rows);
    assert_memory_equal(rows->label, expected->label, y->rows * sizeof *y->start);
    assert_memory_equal(x->start, y->start, y->rows * sizeof *y->start);
    if (y->index_kind != HINGE_INDEX_NONE)
        assert_memory_equal(x->index, y->index, y->nonzeros << y->index_kind);
    if (y->value_kind != HINGE_VALUE_ONE)
        assert_memory_equal(x->value, y->value, y->nonzeros * value_size(y->value_kind));
}

static void rows_copied_later_are_rows_joined(void **unused)
{
    enum { FILES = 3000 };
    int placed = 0, refused = 0;
    uint64_t state = 8;

    (void)unused;
    for (int k = 0; k < FILES; k++) {
        const char *first = draw_file(0, &state), *second;
        struct rows joined, rows, others[2];
        struct row_start at[2];
        struct hinge_error error;

        read_into(&joined, first, NULL);
        read_into(&rows, first, NULL);
        if (draw_below(&state, 2))
            rows_expect(&rows, 300);
        second = draw_file(0, &state);
        for (int i = 0; i < 2; i++)
            read_into(&others[i], second, &rows);
        if (rows_place(&rows, &others[0], &at[0]) && rows_place(&rows, &others[1], &at[1])) {
            assert_int_equal(rows.reader.entries.x.rows, at[1].row + (at[1].row - at[0].row));
            rows_copy(&rows, &others[1], &at[1]);
            rows_copy(&rows, &others[0], &at[0]);
            for (int i = 0; i < 2; i++)
                assert_int_equal(rows_join(&joined, &others[i], &error), HINGE_OK);
            placed++;
        } else if (rows.reader.entries.x.rows == joined.reader.entries.x.rows) {
            refused++; /* and nothing has changed */
        } else {
            rows_copy(&rows, &others[0], &at[0]);
            assert_int_equal(rows_join(&joined, &others[0], &error), HINGE_OK);
        }
        assert_same_rows(&rows, &joined);
        rows_free(&joined);
        rows_free(&rows);
        for (int i = 0; i < 2; i++)
            rows_free(&others[i]);
    }
    print_message("%d pairs of files, %d placed, %d refused\n", FILES, placed, refused);
    assert_true(placed > FILES / 20 && refused > FILES / 20);
}

static void expected_room_changes_no_row(void **unused)
{
    static const double times[] = {0, 0.5, 1, 7.25, 1000, 1e300, HUGE_VAL};
    uint64_t state = 3;

    (void)unused;
    for (int k = 0; k < 100; k++) {
        const char *path = draw_file(0, &state);
        const double more = times[draw_below(&state, sizeof times / sizeof *times)];
        struct rows expected, rows;

        read_into(&expected, path, NULL);
        read_into(&rows, path, NULL);
        rows_expect(&rows, more);
        assert_same_rows(&rows, &expected);
        if (more > 1 && more <= 1000) {
            assert_true((double)rows.capacity >= floor(more * (double)rows.reader.rows));
            assert_true((double)rows.reader.entries.capacity >=
                        floor(more * (double)rows.reader.entries.x.nonzeros));
        }
        rows_free(&expected);
        rows_free(&rows);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_copied_later_are_rows_joined),
        cmocka_unit_test(expected_room_changes_no_row),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
