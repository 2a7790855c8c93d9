/* test_dataset.c - a file read as a whole. */
#include "data_files.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A dataset cannot store that a row had no label. Its label must be a number, the same one in each
 * run. */
static void gives_rows_without_label_a_definite_label(void **unused)
{
    static const double label[] = {0, 7, 0, 0, -8, 0};
    const char *path = write_whole(BYTES("1:1\n7 1:1\n1:2\n1:3\n-8\n1:4\n"));
    struct hinge_error error;
    struct hinge_reader *reader = hinge_reader_open(path, &optional_labels, &error);
    struct hinge_dataset *data = hinge_dataset_read(path, &optional_labels, &error);
    struct hinge_row row;

    (void)unused;
    assert_true(reader && data);
    assert_int_equal(data->x.rows, COUNT(label));
    for (size_t i = 0; i < COUNT(label); i++) {
        assert_int_equal(hinge_reader_next(reader, &row, &error), 1);
        assert_int_equal(row.labelled, label[i] != 0);
        assert_true(row.label == label[i]);
        assert_true(data->label[i] == label[i]);
    }
    hinge_reader_close(reader);
    hinge_dataset_free(data);
}

/* One row has more features than a buffer holds, and is shifted byte by byte. Each value is
 * computed from its index. */
static void reads_on_inside_a_row_of_many_features(void **unused)
{
    enum { FEATURES = 30000, STEPS = 24 };
    char *bytes = malloc(FEATURES * 16 + STEPS);
    struct hinge_error error;

    (void)unused;
    assert_non_null(bytes);
    for (size_t shift = 0; shift < STEPS; shift++) {
        size_t length = 1;
        struct hinge_dataset *data;

        memset(bytes, ' ', shift);
        bytes[shift] = '7';
        length += shift;
        for (int i = 1; i <= FEATURES; i++)
            length += (size_t)sprintf(bytes + length, " %d:%d.5", i, i);
        data = hinge_dataset_read(write_whole(bytes, length), &ordinary, &error);
        assert_non_null(data);
        assert_int_equal(data->x.rows, 1);
        assert_int_equal(data->x.nonzeros, FEATURES);
        for (int i = 0; i < FEATURES; i++)
            assert_true(hinge_index(&data->x, (size_t)i) == (uint32_t)i &&
                        hinge_value(&data->x, (size_t)i) == i + 1.5);
        hinge_dataset_free(data);
    }
    free(bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gives_rows_without_label_a_definite_label),
        cmocka_unit_test(reads_on_inside_a_row_of_many_features),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
