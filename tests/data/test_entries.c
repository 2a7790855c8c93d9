/* test_entries.c - indices and values are those of the file, in any kind of storage, and after any
 * change of the kind. */
#include "data_files.h"
#include "slow_reader.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void draw_number(char *text, uint64_t *state, unsigned most)
{
    static const char *const odd[] = {"-0", "0", "+0.5", "1e-3", ".25", "-.5", "7.", "1", "-0.0"};
    const unsigned places = (unsigned)(random_bits(state) % (most + 1));
    int length;

    if (random_bits(state) % 200 == 0) {
        sprintf(text, "%s", odd[random_bits(state) % (sizeof odd / sizeof *odd)]);
        return;
    }
    length =
        sprintf(text, "%s%u%s", random_bits(state) % 3 ? "" : "-",
                (unsigned)(random_bits(state) % (places > 12 ? 10 : 3)), places > 0 ? "." : "");
    for (unsigned k = 0; k < places; k++)
        text[length++] = (char)('0' + random_bits(state) % 10);
    text[length] = '\0';
}

/* In any kind of storage, and after any change of the kind, values are the doubles nearest to the
 * text. */
static void test_every_kind_keeps_the_nearest_doubles(void **unused)
{
    enum { FILES = 3000, MOST = 60 };
    unsigned wholes = 0, doubles = 0, late = 0;
    uint64_t state = 5;

    (void)unused;
    for (int f = 0; f < FILES; f++) {
        const unsigned places = (unsigned)(random_bits(&state) % (f % 8 ? 13 : 24));
        const size_t count = 1 + (size_t)(random_bits(&state) % MOST);
        const size_t large = (size_t)(random_bits(&state) % (2 * MOST));
        char text[MOST][32], bytes[MOST * 48] = "1";
        struct hinge_dataset *data;
        struct hinge_error error;
        size_t length = 1;

        for (size_t k = 0; k < count; k++) {
            draw_number(text[k], &state, places);
            if (k == large) /* too large for many places */
                sprintf(text[k], "%lu", (unsigned long)(random_bits(&state) % 3000000000u));
            length += (size_t)sprintf(bytes + length, " %lu:%s", (unsigned long)k + 1, text[k]);
        }
        data = hinge_dataset_read(write_whole(bytes, length), &ordinary, &error);
        assert_non_null(data);
        assert_int_equal(data->x.nonzeros, count);
        for (size_t k = 0; k < count; k++) {
            const double value = hinge_value(&data->x, k), nearest = strtod(text[k], NULL);

            assert_memory_equal(&value, &nearest, sizeof value);
        }
        wholes += data->x.value_kind == HINGE_VALUE_WHOLE;
        doubles += data->x.value_kind == HINGE_VALUE_DOUBLE;
        late += data->x.value_kind == HINGE_VALUE_DOUBLE && large > 20 && large < count;
        hinge_dataset_free(data);
    }
    assert_true(wholes > FILES / 4 && doubles > FILES / 4 && late > 50);
}

/* Values are stored from the first one that is not 1 on, at any place in growing arrays. The values
 * before it become 1. */
static void test_values_are_kept_when_one_is_not_one(void **unused)
{
    enum { FEATURES = 4000 };
    static const int odd[] = {0, 1, 2, 1023, 1024, 1025, 1551, 1552, 1553, 3999, FEATURES};
    static const char *const one[] = {"1", "1.0", "01", "1e0", "+1", "10e-1"};
    struct hinge_error error;
    char *bytes = malloc(16 * FEATURES);

    (void)unused;
    assert_non_null(bytes);
    for (size_t k = 0; k < sizeof odd / sizeof *odd; k++) {
        size_t length = (size_t)sprintf(bytes, "1");
        struct hinge_dataset *data;

        for (int i = 0; i < FEATURES; i++)
            length += (size_t)sprintf(bytes + length, i % 10 ? " %d:%s" : "\n1 %d:%s", i + 1,
                                      i == odd[k] ? "1.5" : one[i % 6]);
        data = hinge_dataset_read(write_whole(bytes, length), &ordinary, &error);
        assert_non_null(data);
        assert_int_equal(data->x.nonzeros, FEATURES);
        assert_int_equal(data->x.value_kind,
                         odd[k] == FEATURES ? HINGE_VALUE_ONE : HINGE_VALUE_WHOLE);
        assert_int_equal(data->x.value == NULL, odd[k] == FEATURES);
        for (int i = 0; i < FEATURES; i++)
            assert_true(hinge_value(&data->x, (size_t)i) == (i == odd[k] ? 1.5 : 1));
        hinge_dataset_free(data);
    }
    free(bytes);
}

/* The kind and the scale depend on the values, not on their notation. */
static void test_a_number_is_kept_alike_however_it_is_written(void **unused)
{
    enum { MOST = 8 };
    static const char *const same[][MOST] = {
        {"-0.3", "-.3", "-0.3e0", "-3e-1", "-0.30", "-00.3", "-30.0E-2", "-.03e+1"},
        {"0.3", ".3", "+0.3", "3e-1", "0.300000000000000000000", "30e-2", "+.3e0", "0.03e1"},
        {"-0.004", "-.004", "-4e-3", "-0.4e-2", "-.0040", "-0.00400e0", "-40e-4", "-4.e-3"},
        {"-0.499999999", "-.499999999", "-499999999e-9", "-4.99999999e-1"},
        {"-1e-9", "-0.000000001", "-.000000001", "-.1e-8"},
        {"-0.25", "-.25", "-25e-2", "-2.5e-1", "-0.25e0", "-000.25"},
        {"-2", "-2.0", "-2.", "-2e0", "-0.2e1", "-20e-1", "-.2e1"},
        {"0", "0.0", "+0", ".0", "0e5", "0.e-3", "00"},
        {"1e-10", "0.0000000001", ".0000000001", "0.1e-9"}, /* too many places */
        {"-0", "-0.0", "-.0", "-0e0"}};                     /* only a double stores the sign */

    (void)unused;
    for (size_t s = 0; s < sizeof same / sizeof *same; s++) {
        const int is_whole = s + 2 < sizeof same / sizeof *same;
        double scale = 0;

        for (size_t k = 0; k < MOST && same[s][k]; k++) {
            const double nearest = strtod(same[s][k], NULL);
            struct hinge_error error;
            struct hinge_dataset *data;
            char bytes[64];
            double value;

            sprintf(bytes, "1 1:%s 2:1", same[s][k]);
            data = hinge_dataset_read(write_whole(bytes, strlen(bytes)), &ordinary, &error);
            assert_non_null(data);
            if (k == 0)
                scale = data->x.scale;
            value = hinge_value(&data->x, 0);
            assert_memory_equal(&value, &nearest, sizeof value);
            if (data->x.value_kind != (is_whole ? HINGE_VALUE_WHOLE : HINGE_VALUE_DOUBLE) ||
                data->x.scale != scale)
                fail_msg("'%s' is of kind %d, scale %g", same[s][k], (int)data->x.value_kind,
                         data->x.scale);
            hinge_dataset_free(data);
        }
    }
}

/* One large index among small ones, at any place in growing arrays, and just beside the limit,
 * changes no index. */
static void test_indices_of_two_bytes_are_widened_when_one_needs_it(void **unused)
{
    enum { ROWS = 2000, PER_ROW = 3 };
    static const uint32_t large[] = {65534, 65535, 65536, 65537, 131072, 2147483645};
    static const size_t rows[] = {0, 1, 341, 342, 517, 1999};
    char *bytes = malloc(ROWS * 48);
    struct hinge_error error;

    (void)unused;
    assert_non_null(bytes);
    for (size_t l = 0; l < sizeof large / sizeof *large; l++)
        for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
            size_t length = 0;
            struct hinge_dataset *data;

            for (size_t i = 0; i < ROWS; i++)
                length += (size_t)sprintf(bytes + length, "1 %u:%u %u:0.%u %u:1\n",
                                          (unsigned)(i % 7 + 1), (unsigned)(i % 3),
                                          (unsigned)(i * 31 % 65000 + 9), (unsigned)(i % 10),
                                          (unsigned)(i == rows[r] ? large[l] : 65533) + 1);
            data = hinge_dataset_read(write_whole(bytes, length), &ordinary, &error);
            assert_non_null(data);
            assert_true(totals_hold(data, &ordinary));
            assert_int_equal(data->x.nonzeros, ROWS * PER_ROW);
            for (size_t i = 0; i < ROWS; i++) {
                assert_int_equal(hinge_index(&data->x, 3 * i), i % 7);
                assert_int_equal(hinge_index(&data->x, 3 * i + 1), i * 31 % 65000 + 8);
                assert_int_equal(hinge_index(&data->x, 3 * i + 2), i == rows[r] ? large[l] : 65533);
                assert_true(hinge_value(&data->x, 3 * i) == (double)(i % 3));
            }
            hinge_dataset_free(data);
        }
    free(bytes);
}

/* ---- Rows of all features ------------------------------------------------ */

enum { DENSE_ROWS = 40, DENSE_FEATURES = 30 };

/* A file of rows in which some entries are missing, and its content. */
struct dense_file {
    size_t rows, features, read;
    int present[DENSE_ROWS][DENSE_FEATURES];
    double value[DENSE_ROWS][DENSE_FEATURES];
    char bytes[DENSE_ROWS * DENSE_FEATURES * 24];
    size_t length;
};

/* Draws values of one of four forms: ones, whole numbers, numbers with more places towards the end,
 * and numbers that only doubles hold from some row on. */
static void dense_file_draw(struct dense_file *file, unsigned number, double missing,
                            uint64_t *random)
{
    const unsigned form = number % 4;

    memset(file, 0, sizeof *file);
    file->rows = 1 + (size_t)(random_unit(random) * DENSE_ROWS);
    file->features = (size_t)(random_unit(random) * (DENSE_FEATURES + 1));
    for (size_t i = 0; i < file->rows; i++) {
        file->length += (size_t)sprintf(file->bytes + file->length, "1");
        for (size_t j = 0; j < file->features; j++) {
            char text[24] = "1";

            if (random_unit(random) < missing)
                continue;
            if (form > 0)
                sprintf(text, "%s%d.%0*d", random_unit(random) < 0.5 ? "-" : "",
                        (int)(random_unit(random) * 30),
                        form == 1 ? 2 : (int)(1 + 8 * i / file->rows),
                        (int)(random_unit(random) * 10));
            if (form == 3 && i > file->rows / 2)
                strcat(text, "12345678912");
            file->present[i][j] = 1;
            file->value[i][j] = strtod(text, NULL);
            file->read++;
            file->length += (size_t)sprintf(file->bytes + file->length, " %d:%s", (int)j + 1, text);
        }
        file->bytes[file->length++] = '\n';
    }
}

static size_t features_of(const struct dense_file *file)
{
    size_t features = 0;

    for (size_t i = 0; i < file->rows; i++)
        for (size_t j = features; j < file->features; j++)
            if (file->present[i][j])
                features = j + 1;
    return features;
}

/* Checks every entry. Without indices, the missing entries are there as zeros. */
static void check_dense(const struct dense_file *file, const struct hinge_dataset *data)
{
    const size_t *start = data->x.start;

    assert_int_equal(data->features, features_of(file));
    for (size_t i = 0; i < file->rows; i++) {
        size_t k = start[i];

        for (size_t j = 0; j < data->features; j++) {
            const int is_there = k < start[i + 1] && hinge_index(&data->x, k) == j;

            assert_int_equal(is_there,
                             file->present[i][j] || data->x.index_kind == HINGE_INDEX_NONE);
            if (is_there)
                assert_true(hinge_value(&data->x, k++) == file->value[i][j]);
        }
        assert_int_equal(k, start[i + 1]);
    }
}

/* The number of missing entries alone decides if indices are stored, not their places or values. */
static void test_rows_of_half_of_the_features_have_no_indices(void **unused)
{
    static struct dense_file file;
    unsigned without = 0, with_zeros = 0, with = 0;
    uint64_t random = 3;

    (void)unused;
    for (unsigned number = 0; number < 6000; number++) {
        const double missing[] = {0, 0.01, 0.11, 0.4, 0.5, 0.6};
        struct hinge_error error;
        struct hinge_dataset *data;
        size_t all;
        int is_dense;

        dense_file_draw(&file, number, missing[number / 4 % 6], &random);
        data = hinge_dataset_read(write_whole(file.bytes, file.length), &ordinary, &error);
        assert_non_null(data);
        assert_true(totals_hold(data, &ordinary));
        check_dense(&file, data);
        all = file.rows * data->features;
        is_dense =
            data->x.value_kind == HINGE_VALUE_ONE ? all == file.read : all - file.read <= file.read;
        assert_int_equal(data->x.index_kind == HINGE_INDEX_NONE, is_dense);
        assert_int_equal(data->zeros, is_dense ? all - file.read : 0);
        without += is_dense && all == file.read;
        with_zeros += is_dense && all > file.read;
        with += !is_dense;
        hinge_dataset_free(data);
    }
    assert_true(without > 500 && with_zeros > 500 && with > 500);
}

/* Indices of each size are dropped if rows have every other feature. */
static void test_indices_of_every_size_go(void **unused)
{
    static const unsigned features[] = {200, 60001, 70001};
    enum { ROWS = 3, MOST = 70001 };
    char *bytes = malloc(2 * MOST * 26); /* room for as many entries as two rows can have */

    (void)unused;
    assert_non_null(bytes);
    for (size_t k = 0; k < 2 * sizeof features / sizeof *features; k++) {
        const char *const form = k % 2 ? " %u:%u.25" : " %u:%u.1234567891234";
        const double part = k % 2 ? 0.25 : 0.1234567891234;
        const unsigned most = features[k / 2];
        struct hinge_dataset *data;
        struct hinge_error error;
        size_t length = 0;

        for (unsigned i = 0; i < ROWS; i++) {
            length += (size_t)sprintf(bytes + length, "1");
            for (unsigned j = 1 + i % 2; j <= most; j += i < 2 ? 2 : 1)
                length += (size_t)sprintf(bytes + length, form, j, (i + j) % 1000);
            length += (size_t)sprintf(bytes + length, "\n");
        }
        data = hinge_dataset_read(write_whole(bytes, length), &ordinary, &error);
        assert_non_null(data);
        assert_int_equal(data->x.index_kind, HINGE_INDEX_NONE);
        assert_int_equal(data->zeros, most);
        for (size_t l = 0; l < data->x.nonzeros; l++) {
            const unsigned i = (unsigned)(l / most), j = (unsigned)(l % most) + 1;
            const int is_there = i == 2 || j % 2 != i % 2;

            assert_true(hinge_value(&data->x, l) == (is_there ? (i + j) % 1000 + part : 0));
        }
        hinge_dataset_free(data);
    }
    free(bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_kind_keeps_the_nearest_doubles),
        cmocka_unit_test(test_values_are_kept_when_one_is_not_one),
        cmocka_unit_test(test_a_number_is_kept_alike_however_it_is_written),
        cmocka_unit_test(test_indices_of_two_bytes_are_widened_when_one_needs_it),
        cmocka_unit_test(test_indices_of_every_size_go),
        cmocka_unit_test(test_rows_of_half_of_the_features_have_no_indices),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
