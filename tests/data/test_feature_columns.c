/* test_feature_columns.c - compares columns with a transpose, and the first of equal features with
 * a search through all pairs. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "data/feature_columns.h"
#include "data/transpose.h"
#include "support.h"

enum { ROWS = 12, FEATURES = 30, PROBLEMS = 300 };

struct drawn {
    size_t start[ROWS + 1];
    uint8_t index[ROWS * FEATURES];
    double value[ROWS * FEATURES];
    int32_t whole[ROWS * FEATURES];
    uint32_t row[ROWS], count;
    struct hinge_dataset data;
};

/* Draws so few values and entries that many features are equal. Some rows are left out, so that
 * features are equal only in the others. */
static void draw(struct drawn *drawn, unsigned long number)
{
    static const enum hinge_value_kind kind[] = {HINGE_VALUE_ONE, HINGE_VALUE_WHOLE,
                                                 HINGE_VALUE_DOUBLE};
    uint64_t random = number + 1;
    size_t end = 0;

    memset(drawn, 0, sizeof *drawn);
    for (size_t i = 0; i < ROWS; i++) {
        for (uint8_t j = 0; j < FEATURES; j++)
            if (random_unit(&random) < (number % 2 ? 0.1 : 0.9)) {
                drawn->index[end] = j;
                drawn->whole[end] = (int32_t)(2 * random_unit(&random) * random_unit(&random));
                drawn->value[end] = drawn->whole[end];
                end++;
            }
        drawn->start[i + 1] = end;
        drawn->row[drawn->count] = (uint32_t)i;
        drawn->count += random_unit(&random) < 0.7;
    }
    drawn->data = (struct hinge_dataset){
        .x = {.rows = ROWS,
              .nonzeros = end,
              .start = drawn->start,
              .index_kind = HINGE_INDEX_8,
              .value_kind = kind[number % COUNT(kind)],
              .index = drawn->index,
              .value = number % COUNT(kind) == 1 ? (void *)drawn->whole : (void *)drawn->value,
              .scale = 10},
        .features = FEATURES};
}

/* True if features j and k of the transpose are equal and have an entry. */
static int are_equal(const struct hinge_matrix *x, size_t j, size_t k)
{
    const size_t count = x->start[j + 1] - x->start[j];
    int equal = count > 0 && x->start[k + 1] - x->start[k] == count;

    for (size_t e = 0; equal && e < count; e++)
        equal = hinge_index(x, x->start[j] + e) == hinge_index(x, x->start[k] + e) &&
                hinge_value(x, x->start[j] + e) == hinge_value(x, x->start[k] + e);
    return equal;
}

static void test_first_of_equal_features(void **state)
{
    static struct drawn drawn;
    size_t repeated = 0;

    (void)state;
    for (unsigned long number = 0; number < PROBLEMS; number++) {
        struct hinge_error error;
        struct hinge_matrix *x;
        struct feature_columns *columns;
        uint32_t length[FEATURES], first[FEATURES];

        draw(&drawn, number);
        assert_non_null(x = transpose_new(&drawn.data, drawn.data.x.nonzeros, &error));
        transpose_fill(x, &drawn.data, drawn.row, drawn.count);
        assert_non_null(columns = feature_columns_new(&drawn.data, drawn.row, drawn.count, &error));
        assert_int_equal(
            feature_columns_guess(&drawn.data, drawn.row, drawn.count, length, first, &error),
            HINGE_OK);
        for (uint32_t j = 0; j < FEATURES; j++) {
            const size_t start = columns->x->start[j], end = columns->x->start[j + 1];
            uint32_t k = 0;

            while (k < j && !are_equal(x, j, k))
                k++;
            repeated += k < j;
            assert_int_equal(columns->first[j], k);
            assert_int_equal(first[j], k);
            assert_int_equal(length[j], x->start[j + 1] - x->start[j]);
            assert_int_equal(end - start, k < j ? 0 : length[j]);
            for (size_t e = 0; e < end - start; e++) {
                assert_int_equal(hinge_index(columns->x, start + e),
                                 hinge_index(x, x->start[j] + e));
                assert_true(hinge_value(columns->x, start + e) == hinge_value(x, x->start[j] + e));
            }
        }
        assert_int_equal(columns->x->nonzeros, columns->x->start[FEATURES]);
        feature_columns_free(columns);
        transpose_free(x);
    }
    assert_true(repeated > PROBLEMS);
}

/* Features 0 and 1 have one entry each, in different rows. The second value is chosen so that the
 * sums of hashes are the same. The guess takes the features for equal; their columns show that they
 * are not. */
static void test_equal_hashes_of_different_features(void **state)
{
    enum { LAST = 63 }; /* with so many rows, one gives the value a usual size */
    size_t start[LAST + 2] = {0, 1};
    uint8_t index[] = {0, 1};
    double value[] = {1.5, 0};
    uint32_t row[LAST + 1], s = 0, length[2], first[2];
    struct hinge_dataset data = {.x = {.rows = LAST + 1,
                                       .nonzeros = 2,
                                       .start = start,
                                       .index_kind = HINGE_INDEX_8,
                                       .value_kind = HINGE_VALUE_DOUBLE,
                                       .index = index,
                                       .value = value},
                                 .features = 2};
    struct hinge_error error;
    struct feature_columns *columns;

    (void)state;
    while (!(fabs(value[1]) > 1e-30 && fabs(value[1]) < 1e30)) {
        uint64_t bits;

        assert_true(++s <= LAST);
        memcpy(&bits, &value[0], sizeof bits);
        bits ^= random_mix(1) ^ random_mix(s + UINT64_C(1));
        memcpy(&value[1], &bits, sizeof bits);
    }
    for (uint32_t i = 0; i <= LAST; i++) {
        row[i] = i;
        start[i + 1] = i < s ? 1 : 2;
    }
    assert_int_equal(feature_columns_guess(&data, row, LAST + 1, length, first, &error), HINGE_OK);
    assert_int_equal(first[1], 0);
    assert_non_null(columns = feature_columns_new(&data, row, LAST + 1, &error));
    assert_int_equal(columns->first[1], 1);
    assert_int_equal(columns->x->nonzeros, 2);
    assert_true(hinge_value(columns->x, 1) == value[1]);
    feature_columns_free(columns);
}

/* Rows without indices are not searched. */
static void test_rows_without_indices(void **state)
{
    double value[] = {1, 1, 2, 2, 2, 3};
    size_t start[] = {0, 3, 6};
    const uint32_t row[] = {0, 1};
    const struct hinge_dataset data = {.x = {.rows = 2,
                                             .nonzeros = 6,
                                             .start = start,
                                             .index_kind = HINGE_INDEX_NONE,
                                             .value_kind = HINGE_VALUE_DOUBLE,
                                             .value = value},
                                       .features = 3};
    struct hinge_error error;
    struct feature_columns *columns = feature_columns_new(&data, row, 2, &error);

    (void)state;
    assert_non_null(columns);
    for (uint32_t j = 0; j < 3; j++) {
        assert_int_equal(columns->first[j], j);
        assert_int_equal(columns->x->start[j + 1], 2 * (j + 1));
        assert_true(hinge_value(columns->x, 2 * j) == value[j]);
        assert_true(hinge_value(columns->x, 2 * j + 1) == value[3 + j]);
    }
    feature_columns_free(columns);
    feature_columns_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_first_of_equal_features),
                                       cmocka_unit_test(test_equal_hashes_of_different_features),
                                       cmocka_unit_test(test_rows_without_indices)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
