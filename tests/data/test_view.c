/* test_view.c - datasets over the caller's arrays: arrays are not copied, and unusable ones are
 * refused with the place. */
#include "support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS = 3, FEATURES = 4, ENTRIES = 5 };

/* The rows (1, 0, 2, 0), a row without entries, (0, 3, -4, 5). */
struct arrays {
    int32_t start[ROWS + 1];
    int64_t long_start[ROWS + 1];
    int32_t index[ENTRIES];
    double value[ENTRIES], label[ROWS];
    float single[ENTRIES];
    int32_t whole[ENTRIES];
};

static struct arrays arrays_of_test(void)
{
    const struct arrays arrays = {{0, 2, 2, 5}, {0, 2, 2, 5},     {0, 2, 1, 2, 3}, {1, 2, 3, -4, 5},
                                  {1, -1, 1},   {1, 2, 3, -4, 5}, {1, 2, 3, -4, 5}};

    return arrays;
}

static struct hinge_dataset *view(const struct arrays *arrays, struct hinge_error *error)
{
    return hinge_view_csr(ROWS, FEATURES, arrays->start, sizeof *arrays->start, arrays->index,
                          arrays->value, HINGE_VALUE_DOUBLE, arrays->label, error);
}

static void rows_are_where_they_were(void **unused)
{
    const struct arrays arrays = arrays_of_test();
    const void *const value[] = {NULL, arrays.whole, arrays.single, arrays.value};

    (void)unused;
    for (int kind = HINGE_VALUE_ONE; kind <= HINGE_VALUE_DOUBLE; kind++)
        for (int is_long = 0; is_long < 2; is_long++) {
            const void *start = is_long ? (const void *)arrays.long_start : arrays.start;
            struct hinge_error error;
            struct hinge_dataset *data =
                hinge_view_csr(ROWS, FEATURES, start, is_long ? 8 : 4, arrays.index, value[kind],
                               (enum hinge_value_kind)kind, arrays.label, &error);

            assert_non_null(data);
            assert_ptr_equal(data->x.index, arrays.index);
            assert_ptr_equal(data->x.value, value[kind]);
            assert_ptr_equal(data->label, arrays.label);
            assert_int_equal(data->x.rows, ROWS);
            assert_int_equal(data->features, FEATURES);
            assert_int_equal(data->x.nonzeros, ENTRIES);
            for (size_t i = 0; i <= ROWS; i++)
                assert_int_equal(data->x.start[i], arrays.start[i]);
            for (size_t k = 0; k < ENTRIES; k++) {
                assert_int_equal(hinge_index(&data->x, k), arrays.index[k]);
                assert_true(hinge_value(&data->x, k) == (kind ? arrays.value[k] : 1));
            }
            hinge_view_free(data);
        }
    hinge_view_free(NULL);
}

static void dense_rows_have_no_indices(void **unused)
{
    static const size_t table[] = {0, 1, 256, 257, 100000};

    (void)unused;
    for (size_t t = 0; t < COUNT(table); t++) {
        const size_t features = table[t], entries = ROWS * features;
        float *value = calloc(entries + 1, sizeof *value);
        struct hinge_error error;
        struct hinge_dataset *data =
            hinge_view_dense(ROWS, features, value, HINGE_VALUE_FLOAT, NULL, &error);

        assert_non_null(data);
        assert_ptr_equal(data->x.value, value);
        assert_null(data->label);
        assert_int_equal(data->x.index_kind, HINGE_INDEX_NONE);
        assert_null(data->x.index);
        assert_int_equal(data->x.nonzeros, entries);
        for (size_t i = 0; i <= ROWS; i++)
            assert_int_equal(data->x.start[i], i * features);
        for (size_t k = 0; k < entries; k++)
            assert_int_equal(hinge_index(&data->x, k), k % features);
        hinge_view_free(data);
        free(value);
    }
}

static void rows_of_ones_need_no_values(void **unused)
{
    struct hinge_error error;
    struct hinge_dataset *data = hinge_view_dense(ROWS, 3, NULL, HINGE_VALUE_ONE, NULL, &error);

    (void)unused;
    assert_non_null(data);
    for (size_t k = 0; k < data->x.nonzeros; k++)
        assert_true(hinge_value(&data->x, k) == 1);
    hinge_view_free(data);
}

static void expect_refusal(struct hinge_dataset *data, const struct hinge_error *error,
                           enum hinge_status status, const char *message)
{
    assert_null(data);
    assert_int_equal(error->status, status);
    assert_string_equal(error->message, message);
}

static void refuses_unknown_kinds(void **unused)
{
    static const double value[] = {1, 2};
    struct hinge_error error;

    (void)unused;
    for (int kind = -1; kind <= 4; kind += 5)
        expect_refusal(hinge_view_dense(1, 2, value, (enum hinge_value_kind)kind, NULL, &error),
                       &error, HINGE_BAD_ARGUMENT,
                       kind < 0 ? "kind: -1 is none of HINGE_VALUE_..."
                                : "kind: 4 is none of HINGE_VALUE_...");
}

static void refuses_columns_out_of_order_or_range(void **unused)
{
    static const struct {
        size_t entry;
        int32_t column;
        const char *message;
    } table[] = {
        {1, 0,
         "row 0 (from 0): column 0 follows column 0: sort the columns of each row, and add up "
         "equal ones"},
        {4, 1,
         "row 2 (from 0): column 1 follows column 2: sort the columns of each row, and add up "
         "equal ones"},
        {4, 4, "row 2 (from 0): there is no column 4 of 4"},
        {0, -1, "row 0 (from 0): there is no column -1 of 4"},
    };

    (void)unused;
    for (size_t t = 0; t < COUNT(table); t++) {
        struct arrays arrays = arrays_of_test();
        struct hinge_error error;

        arrays.index[table[t].entry] = table[t].column;
        expect_refusal(view(&arrays, &error), &error, HINGE_BAD_INPUT, table[t].message);
    }
}

static void refuses_what_is_not_finite(void **unused)
{
    const double bad[] = {NAN, INFINITY, -INFINITY};

    (void)unused;
    for (size_t t = 0; t < COUNT(bad); t++) {
        struct arrays arrays = arrays_of_test();
        struct hinge_error error;

        arrays.value[3] = bad[t];
        expect_refusal(view(&arrays, &error), &error, HINGE_BAD_INPUT,
                       "row 2 (from 0): the value of column 2 is not finite (NaN or infinity)");
        arrays = arrays_of_test();
        arrays.single[1] = (float)bad[t];
        expect_refusal(hinge_view_dense(1, 2, arrays.single, HINGE_VALUE_FLOAT, NULL, &error),
                       &error, HINGE_BAD_INPUT,
                       "row 0 (from 0): the value of column 1 is not finite (NaN or infinity)");
        arrays.label[1] = bad[t];
        expect_refusal(view(&arrays, &error), &error, HINGE_BAD_INPUT,
                       "row 1 (from 0): the label is not finite");
    }
}

static void refuses_starts_that_are_none(void **unused)
{
    static const struct {
        size_t entry;
        int32_t start;
        int wrong; /* number of the entry in the message */
    } table[] = {{0, 1, 0}, {2, 1, 2}, {1, -1, 1}, {1, 3, 2}};

    (void)unused;
    for (size_t t = 0; t < COUNT(table); t++) {
        struct arrays arrays = arrays_of_test();
        struct hinge_error error;
        char message[100];

        snprintf(message, sizeof message,
                 "start[%d]: not 0 for the first row, or less than the one before", table[t].wrong);
        arrays.start[table[t].entry] = table[t].start;
        arrays.long_start[table[t].entry] = table[t].start;
        expect_refusal(view(&arrays, &error), &error, HINGE_BAD_INPUT, message);
        expect_refusal(hinge_view_csr(ROWS, FEATURES, arrays.long_start, 8, arrays.index,
                                      arrays.value, HINGE_VALUE_DOUBLE, NULL, &error),
                       &error, HINGE_BAD_INPUT, message);
    }
}

static void refuses_sizes(void **unused)
{
    const struct arrays arrays = arrays_of_test();
    struct hinge_error error;

    (void)unused;
    expect_refusal(hinge_view_csr(0, FEATURES, arrays.start, 4, arrays.index, arrays.value,
                                  HINGE_VALUE_DOUBLE, NULL, &error),
                   &error, HINGE_BAD_ARGUMENT, "0 rows: not from 1 to 4294967295");
    expect_refusal(hinge_view_csr(ROWS, 0x80000000u, arrays.start, 4, arrays.index, arrays.value,
                                  HINGE_VALUE_DOUBLE, NULL, &error),
                   &error, HINGE_BAD_ARGUMENT, "2147483648 features: more than 2147483647");
    expect_refusal(hinge_view_csr(ROWS, FEATURES, arrays.start, 2, arrays.index, arrays.value,
                                  HINGE_VALUE_DOUBLE, NULL, &error),
                   &error, HINGE_BAD_ARGUMENT, "start_size: neither 4 nor 8");
    expect_refusal(hinge_view_dense(0, 1, arrays.value, HINGE_VALUE_DOUBLE, NULL, &error), &error,
                   HINGE_BAD_ARGUMENT, "0 rows: not from 1 to 4294967295");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_are_where_they_were),
        cmocka_unit_test(dense_rows_have_no_indices),
        cmocka_unit_test(rows_of_ones_need_no_values),
        cmocka_unit_test(refuses_unknown_kinds),
        cmocka_unit_test(refuses_columns_out_of_order_or_range),
        cmocka_unit_test(refuses_what_is_not_finite),
        cmocka_unit_test(refuses_starts_that_are_none),
        cmocka_unit_test(refuses_sizes),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
