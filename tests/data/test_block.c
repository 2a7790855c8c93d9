/* test_block.c - blocks that are put together equal the block of one reader. A place that is
 * reserved first and filled later changes no row, and neither does room that is reserved in
 * advance. */
#include "data/reader.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#undef fail /* status.h's; cmocka has another */
#include "data_files.h"

/* Writes some rows, dense or with some of the features, with ones or with values of a random number
 * of places. */
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

/* Reads the file into a block, which first gets the kinds of the block of `like`, if it is given.
 */
static void read_into(struct hinge_reader *reader, const char *path,
                      const struct hinge_reader *like)
{
    struct hinge_error error;

    assert_int_equal(reader_begin(reader, &ordinary, &error), HINGE_OK);
    if (like)
        assert_int_equal(reader_clear(reader, like, &error), HINGE_OK);
    assert_int_equal(source_open(&reader->source, path, &error), HINGE_OK);
    assert_int_equal(reader_rest(reader, &error), HINGE_OK);
}

static void assert_same_rows(const struct block *one, const struct block *other)
{
    const struct hinge_matrix *x = &one->x, *y = &other->x;

    assert_int_equal(x->rows, y->rows);
    assert_int_equal(x->nonzeros, y->nonzeros);
    assert_int_equal(x->index_kind, y->index_kind);
    assert_int_equal(x->value_kind, y->value_kind);
    assert_true(one->places == other->places && one->row == other->row &&
                one->filled == other->filled && one->width == other->width &&
                one->features == other->features);
    assert_memory_equal(one->label, other->label, y->rows * sizeof *one->label);
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
        struct hinge_reader joined, whole, part[2];
        struct block_place place[2];
        struct hinge_error error;

        read_into(&joined, first, NULL);
        read_into(&whole, first, NULL);
        if (draw_below(&state, 2))
            block_expect(&whole.block, 300);
        second = draw_file(0, &state);
        for (int i = 0; i < 2; i++)
            read_into(&part[i], second, &whole);
        if (block_reserve_place(&whole.block, &part[0].block, &place[0]) &&
            block_reserve_place(&whole.block, &part[1].block, &place[1])) {
            assert_int_equal(whole.block.x.rows, place[1].row + (place[1].row - place[0].row));
            block_copy(&whole.block, &part[1].block, &place[1]);
            block_copy(&whole.block, &part[0].block, &place[0]);
            for (int i = 0; i < 2; i++)
                assert_int_equal(block_join(&joined.block, &part[i].block, &error), HINGE_OK);
            placed++;
        } else if (whole.block.x.rows == joined.block.x.rows) {
            refused++; /* and the block has not changed */
        } else {
            block_copy(&whole.block, &part[0].block, &place[0]);
            assert_int_equal(block_join(&joined.block, &part[0].block, &error), HINGE_OK);
        }
        assert_same_rows(&whole.block, &joined.block);
        reader_end(&joined);
        reader_end(&whole);
        for (int i = 0; i < 2; i++)
            reader_end(&part[i]);
    }
    print_message("%d pairs of files, %d placed, %d refused\n", FILES, placed, refused);
    assert_true(placed > FILES / 20 && refused > FILES / 20);
}

/* Parts of any kinds, which begin with any kinds, give the rows and the kinds of one reader when
 * they are joined. */
static void joined_blocks_are_the_whole_file(void **unused)
{
    enum { FILES = 3000, MOST = 1 << 15 };
    static char text[3 * MOST];
    uint64_t state = 4;
    unsigned dense = 0, listed = 0;

    (void)unused;
    for (int k = 0; k < FILES; k++) {
        struct hinge_reader joined, part, whole;
        struct hinge_error error;
        size_t length = 0, zeros;

        for (int i = 0; i < 3; i++) {
            const char *path = draw_file(0, &state);
            FILE *file = fopen(path, "rb");

            assert_non_null(file);
            length += fread(text + length, 1, MOST, file);
            fclose(file);
            if (i == 0) {
                read_into(&joined, path, NULL);
                continue;
            }
            read_into(&part, path, draw_below(&state, 2) ? &joined : NULL);
            assert_int_equal(block_join(&joined.block, &part.block, &error), HINGE_OK);
            reader_end(&part);
        }
        read_into(&whole, write_at(0, text, length), NULL);
        zeros = block_finish(&whole.block);
        joined.block.x.start[joined.block.x.rows] = joined.block.x.nonzeros;
        assert_int_equal(block_finish(&joined.block), zeros);
        whole.block.width = joined.block.width; /* the width has no meaning if there are indices */
        assert_same_rows(&joined.block, &whole.block);
        dense += whole.block.x.index_kind == HINGE_INDEX_NONE;
        listed += whole.block.x.index_kind != HINGE_INDEX_NONE;
        reader_end(&joined);
        reader_end(&whole);
    }
    print_message("%u files without indices, %u with indices\n", dense, listed);
    assert_true(dense > FILES / 20 && listed > FILES / 20);
}

static void expected_room_changes_no_row(void **unused)
{
    static const double times[] = {0, 0.5, 1, 7.25, 1000, 1e300, HUGE_VAL};
    uint64_t state = 3;

    (void)unused;
    for (int k = 0; k < 100; k++) {
        const char *path = draw_file(0, &state);
        const double more = times[draw_below(&state, sizeof times / sizeof *times)];
        struct hinge_reader expected, reader;
        const struct block *block = &reader.block;

        read_into(&expected, path, NULL);
        read_into(&reader, path, NULL);
        block_expect(&reader.block, more);
        assert_same_rows(block, &expected.block);
        if (more > 1 && more <= 1000) {
            assert_true((double)block->row_capacity >= floor(more * (double)block->x.rows));
            assert_true((double)block->capacity >= floor(more * (double)block->x.nonzeros));
        }
        reader_end(&expected);
        reader_end(&reader);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_copied_later_are_rows_joined),
        cmocka_unit_test(joined_blocks_are_the_whole_file),
        cmocka_unit_test(expected_room_changes_no_row),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
