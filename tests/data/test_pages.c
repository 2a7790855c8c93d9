/* test_pages.c - rows in a temporary file equal rows in memory, to the byte, with any memory, any
 * ends of pages, and any order of reading. A file that cannot be read or written is reported. */
#define _XOPEN_SOURCE 700 /* ftruncate, setrlimit */
#include "data/pages.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "data/dataset.h"
#include "problem/kernel.h"

#undef fail /* status.h's; cmocka has another */
#include "data_files.h"
#include "refusal.h"

static unsigned long left_to_fail;

static unsigned long *calls_left(void)
{
    return &left_to_fail;
}

/* A text that grows. */
struct text {
    char *byte;
    size_t length, capacity;
};

static void put(struct text *text, const char *string)
{
    const size_t length = strlen(string);

    if (text->capacity - text->length < length) {
        text->capacity = 2 * (text->length + length);
        text->byte = realloc(text->byte, text->capacity);
        assert_non_null(text->byte);
    }
    memcpy(text->byte + text->length, string, length);
    text->length += length;
}

/* The kind of values that some rows have. */
enum values { ONES, WHOLES, PLACES, MANY_PLACES, LARGE, LONG_ONES, VALUES };

static void put_value(struct text *text, enum values values, uint64_t *state)
{
    const unsigned small = (unsigned)draw_below(state, 100);
    char number[32];

    if (values == ONES)
        snprintf(number, sizeof number, "1");
    else if (values == WHOLES)
        snprintf(number, sizeof number, "%d", (int)small - 50);
    else if (values == PLACES)
        snprintf(number, sizeof number, "%u.%02u", (unsigned)draw_below(state, 3), small);
    else if (values == MANY_PLACES)
        snprintf(number, sizeof number, "0.%07u", small);
    else if (values == LARGE)
        snprintf(number, sizeof number, "%u", small * 20000000u);
    else
        snprintf(number, sizeof number, "%s", small % 2 ? "-0" : "0.12345678901234");
    put(text, number);
}

static void put_row(struct text *text, enum values values, unsigned features, unsigned percent,
                    uint64_t *state)
{
    char number[32];

    put(text, draw_below(state, 2) ? "1" : "-1");
    for (unsigned j = 1; j <= features; j++)
        if (draw_below(state, 100) < percent) {
            /* the last entry always has the last feature */
            snprintf(number, sizeof number, " %u:", j);
            put(text, number);
            put_value(text, values, state);
        }
    put(text, "\n");
}

/* Draws rows whose kinds may change now and then. */
static void draw_text(struct text *text, uint64_t *state)
{
    static const unsigned share[] = {2, 30, 60, 85, 97, 100};
    static const unsigned most[] = {3, 20, 256, 257, 300};
    const size_t rows = 60 + draw_below(state, 200);
    enum values values = draw_below(state, 3) ? (enum values)draw_below(state, VALUES) : ONES;
    unsigned features = most[draw_below(state, COUNT(most))];
    unsigned percent = share[draw_below(state, COUNT(share))];
    const size_t often = 10 + draw_below(state, 200);

    text->length = 0;
    for (size_t i = 0; i < rows; i++) {
        if (draw_below(state, often) == 0)
            values = (enum values)draw_below(state, VALUES);
        if (draw_below(state, often) == 0)
            percent = share[draw_below(state, COUNT(share))];
        if (draw_below(state, often) == 0)
            features = most[draw_below(state, COUNT(most))];
        put_row(text, values, features, percent, state);
    }
    if (draw_below(state, 4) == 0)
        put(text, "1 70000:2\n");
}

/* Draws rows with more than half of the entries, whose kind of values changes late. */
static void draw_half(struct text *text, uint64_t *state)
{
    const size_t rows = 60 + draw_below(state, 200);
    const enum values late = (enum values)(PLACES + draw_below(state, VALUES - PLACES));

    text->length = 0;
    for (size_t i = 0; i < rows; i++)
        put_row(text, i < rows / 4 * 3 ? WHOLES : late, 60, 60, state);
}

static struct hinge_dataset *read_in(const char *path, size_t memory, struct hinge_error *error)
{
    const struct hinge_format format = {.memory = memory};

    *error = (struct hinge_error){HINGE_OK, ""};
    return dataset_read(path, &format, 4096, 1, 0, error);
}

/* ---- The same rows ----------------------------------------------------- */

static void assert_same_entries(const struct sparse *x, const struct sparse *y)
{
    assert_int_equal(x->count, y->count);
    assert_int_equal(x->index_kind, y->index_kind);
    assert_int_equal(x->value_kind, y->value_kind);
    assert_memory_equal(&x->unit, &y->unit, sizeof x->unit);
    if (y->count > 0 && y->index_kind != HINGE_INDEX_NONE)
        assert_memory_equal(x->index, y->index, y->count << y->index_kind);
    if (y->count > 0 && y->value_kind != HINGE_VALUE_ONE)
        assert_memory_equal(x->value, y->value, y->count * value_size(y->value_kind));
}

static void assert_same_row(const struct hinge_dataset *data, const struct hinge_dataset *expected,
                            size_t row)
{
    const struct sparse x = sparse_row(&data->x, row), y = sparse_row(&expected->x, row);

    assert_same_entries(&x, &y);
}

static void assert_same(const struct hinge_dataset *data, const struct hinge_dataset *expected)
{
    assert_int_equal(data->x.rows, expected->x.rows);
    assert_int_equal(data->x.nonzeros, expected->x.nonzeros);
    assert_int_equal(data->zeros, expected->zeros);
    assert_int_equal(data->x.index_kind, expected->x.index_kind);
    assert_int_equal(data->x.value_kind, expected->x.value_kind);
    assert_int_equal(data->features, expected->features);
    assert_memory_equal(&data->x.scale, &expected->x.scale, sizeof data->x.scale);
    assert_memory_equal(data->label, expected->label, data->x.rows * sizeof *data->label);
    assert_memory_equal(data->x.start, expected->x.start,
                        (data->x.rows + 1) * sizeof *data->x.start);
}

/* Reads each row in order, twice, and backwards; then rows of two pages at once; then rows at
 * random. */
static void ask_for_rows(const struct hinge_dataset *data, const struct hinge_dataset *expected,
                         uint64_t *state)
{
    const size_t rows = data->x.rows;

    for (size_t i = 0; i < 2 * rows; i++)
        assert_same_row(data, expected, i % rows);
    for (size_t i = rows; i-- > 0;)
        assert_same_row(data, expected, i);
    for (size_t i = 0; i < rows; i++) {
        const size_t one = draw_below(state, rows), other = draw_below(state, rows);
        const struct sparse x = sparse_row(&data->x, one), y = sparse_row(&expected->x, one);

        assert_same_row(data, expected, other);
        assert_same_entries(&x, &y);
    }
}

static void test_rows_are_those_in_memory(void **unused)
{
    enum { TEXTS = 500 };
    unsigned paged = 0, whole = 0, refused = 0, index[4] = {0}, value[4] = {0};
    struct text text = {NULL, 0, 0};
    uint64_t state = 23;

    (void)unused;
    for (int t = 0; t < TEXTS; t++) {
        struct hinge_dataset *expected, *data;
        struct hinge_error error;
        const char *path;

        if (t % 5 == 0)
            draw_half(&text, &state);
        else
            draw_text(&text, &state);
        path = write_at(0, text.byte, text.length);
        expected = read_in(path, 0, &error);
        assert_non_null(expected);
        data = read_in(path, 1000 + draw_below(&state, draw_below(&state, 2) ? 40000 : 160000),
                       &error);
        if (!data) {
            assert_int_equal(error.status, HINGE_NO_MEMORY);
            refused++;
        } else {
            assert_same(data, expected);
            ask_for_rows(data, expected, &state);
            paged += data->x.pages != NULL;
            whole += !data->x.pages;
            index[data->x.index_kind] += data->x.pages != NULL;
            value[data->x.value_kind] += data->x.pages != NULL;
        }
        hinge_dataset_free(data);
        hinge_dataset_free(expected);
    }
    free(text.byte);
    assert_true(paged > TEXTS / 4 && whole > TEXTS / 20 && refused < TEXTS / 2);
    for (int kind = 0; kind < 4; kind++) {
        assert_true(index[kind] > 5);
        assert_true(kind == HINGE_VALUE_FLOAT || value[kind] > 5);
    }
}

/* A fault in a file is reported with its place, with pages and without. */
static void test_faults_have_their_places(void **unused)
{
    struct text text = {NULL, 0, 0};
    uint64_t state = 7;

    (void)unused;
    for (size_t lines = 1; lines < 120; lines += 7) {
        struct hinge_error error, other;
        const char *path;

        text.length = 0;
        for (size_t i = 0; i < lines; i++)
            put_row(&text, PLACES, 20, 50, &state);
        put(&text, "1 3:1 2:1\n1 1:1\n");
        path = write_at(0, text.byte, text.length);
        assert_null(read_in(path, 0, &error));
        assert_null(read_in(path, 3000, &other));
        assert_int_equal(error.status, other.status);
        assert_string_equal(error.message, other.message);
    }
    free(text.byte);
}

/* ---- Reads ------------------------------------------------------------- */

/* Memory of which an eighth, 25 kB, is left for pages. */
enum { LEAVES_25000 = 8 * 25000 };

/* Writes rows of about ten features with two decimal places. */
static const char *write_many(size_t rows)
{
    struct text text = {NULL, 0, 0};
    uint64_t state = 3;
    const char *path;

    for (size_t i = 0; i < rows; i++)
        put_row(&text, PLACES, 20, 50, &state);
    path = write_at(0, text.byte, text.length);
    free(text.byte);
    return path;
}

/* A sweep reads each page that is not pinned once. */
static void test_a_sweep_reads_what_is_not_pinned(void **unused)
{
    struct hinge_error error;
    struct hinge_dataset *data = read_in(write_many(2000), LEAVES_25000, &error);
    double before, share;

    (void)unused;
    assert_non_null(data);
    assert_true(hinge_dataset_is_paged(data));
    for (size_t i = 0; i < data->x.rows; i++)
        pages_find(&data->x, i);
    before = hinge_dataset_reads(data);
    for (int sweep = 1; sweep <= 3; sweep++)
        for (size_t i = 0; i < data->x.rows; i++) {
            pages_find(&data->x, i);
            assert_true(pages_has(&data->x, i));
        }
    share = (hinge_dataset_reads(data) - before) / 3;
    /* entries take 100 kB, as whole numbers and bytes; three quarters of 25 kB are pinned */
    assert_true(share > 0.8 && share < 0.84);
    hinge_dataset_free(data);
}

/* ---- Copies ------------------------------------------------------------ */

static void test_rows_are_lent(void **unused)
{
    enum { ROWS = 2000, FEW = 100 };
    static uint32_t row[ROWS];
    struct hinge_error error;
    const char *path = write_many(ROWS);
    struct hinge_dataset *expected = read_in(path, 0, &error);
    struct hinge_dataset *data = read_in(path, LEAVES_25000, &error), *copy;
    uint64_t state = 1;

    (void)unused;
    assert_non_null(data);
    for (uint32_t s = 0; s < ROWS; s++)
        row[s] = s;
    assert_null(pages_lend(data, row, ROWS)); /* too many rows */
    ask_for_rows(data, expected, &state);
    for (uint32_t s = 0; s < FEW; s++)
        row[s] = s * (ROWS / FEW) + (uint32_t)draw_below(&state, ROWS / FEW);
    copy = pages_lend(data, row, FEW);
    assert_non_null(copy);
    assert_int_equal(copy->x.rows, ROWS);
    assert_int_equal(copy->x.nonzeros, data->x.nonzeros);
    ask_for_rows(data, expected, &state); /* with fewer pages in memory */
    for (uint32_t s = 0; s < FEW; s++) {
        const struct sparse x = sparse_row(&copy->x, s), y = sparse_row(&expected->x, row[s]);

        assert_same_entries(&x, &y);
    }
    pages_give_back(data, copy);
    ask_for_rows(data, expected, &state);
    hinge_dataset_free(data);
    hinge_dataset_free(expected);
}

/* Returns the number of times that a second sweep reads all entries. */
static double reads_of_sweep(const struct hinge_dataset *data)
{
    double before = 0;

    for (int sweep = 0; sweep < 2; sweep++) {
        before = hinge_dataset_reads(data);
        for (size_t i = 0; i < data->x.rows; i++)
            pages_find(&data->x, i);
    }
    return hinge_dataset_reads(data) - before;
}

/* Without memory for a copy, as many pages are pinned as before. Without memory for pages that made
 * room for it, fewer are. Neither is a failure. */
static void test_lending_without_memory(void **unused)
{
    enum { ROWS = 2000, FEW = 100 };
    static uint32_t row[FEW];
    struct hinge_error error;
    const char *path = write_many(ROWS);
    struct hinge_dataset *expected = read_in(path, 0, &error);
    struct hinge_dataset *data = read_in(path, LEAVES_25000, &error), *copy;
    const double reads = reads_of_sweep(data);
    unsigned refused = 0;
    uint64_t state = 1;

    (void)unused;
    for (uint32_t s = 0; s < FEW; s++)
        row[s] = s * (ROWS / FEW);
    for (unsigned long call = 1, left = 0; left == 0; call++) { /* until no call fails */
        left_to_fail = call;
        copy = pages_lend(data, row, FEW);
        left = left_to_fail;
        left_to_fail = 0;
        refused += !copy;
        if (copy)
            pages_give_back(data, copy);
        assert_true(fabs(reads_of_sweep(data) - reads) < 1e-9);
    }
    assert_int_equal(refused, 6);
    for (unsigned long call = 1; call <= 2; call++) {
        assert_non_null(copy = pages_lend(data, row, FEW));
        left_to_fail = call;
        pages_give_back(data, copy);
        assert_int_equal(left_to_fail, 0);
        assert_int_equal(pages_check(&data->x, &error), HINGE_OK);
        assert_true(reads_of_sweep(data) > reads);
        ask_for_rows(data, expected, &state);
    }
    hinge_dataset_free(data);
    hinge_dataset_free(expected);
}

/* ---- Files that fail --------------------------------------------------- */

static void cut_files(void)
{
    for (int file = 3; file < 64; file++) {
        struct stat status;

        if (fstat(file, &status) == 0 && S_ISREG(status.st_mode) && status.st_nlink == 0)
            assert_int_equal(ftruncate(file, 0), 0);
    }
}

/* After a failure, rows keep their lengths, indices are in range, and the failure is reported. */
static void test_a_file_that_cannot_be_read_is_told_of(void **unused)
{
    struct hinge_error error;
    const char *path = write_many(2000);
    struct hinge_dataset *data = read_in(path, 25000, &error);

    (void)unused;
    assert_non_null(data);
    assert_int_equal(pages_check(&data->x, &error), HINGE_OK);
    cut_files();
    for (size_t i = 0; i < data->x.rows; i++) {
        const struct sparse x = sparse_row(&data->x, i);

        for (size_t k = 0; k < x.count; k++)
            assert_true(index_at(&x, k) < data->features &&
                        (k == 0 || index_at(&x, k - 1) < index_at(&x, k)));
    }
    assert_int_equal(pages_check(&data->x, &error), HINGE_FILE_ERROR);
    assert_non_null(strstr(error.message, "cannot read a temporary file: "));
    hinge_dataset_free(data);
}

static void test_a_full_disk_is_told_of(void **unused)
{
    char scratch[300];
    const struct hinge_format format = {.memory = 25000, .scratch = scratch};
    const char *path = write_many(2000);
    struct rlimit limit, before;
    struct hinge_error error;

    (void)unused;
    snprintf(scratch, sizeof scratch, "%s.paged", path);
    remove(scratch);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    limit = before;
    limit.rlim_cur = 20000;
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
    assert_null(dataset_read(path, &format, 4096, 1, 0, &error));
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    assert_int_equal(error.status, HINGE_FILE_ERROR);
    assert_non_null(strstr(error.message, "cannot write "));
    assert_int_not_equal(access(scratch, F_OK), 0);
}

/* The file has no name while it is in use. An existing file of that name is left alone. */
static void test_the_file_has_no_name(void **unused)
{
    char scratch[300];
    const struct hinge_format format = {.memory = 25000, .scratch = scratch};
    const char *path = write_many(2000);
    struct hinge_error error;
    struct hinge_dataset *data;
    size_t length;
    char *old;

    (void)unused;
    snprintf(scratch, sizeof scratch, "%s.paged", path);
    remove(scratch);
    data = dataset_read(path, &format, 4096, 1, 0, &error);
    assert_non_null(data);
    assert_int_not_equal(access(scratch, F_OK), 0);
    hinge_dataset_free(data);
    scratch_write("reader.paged", "old", 3);
    path = write_many(2000);
    assert_null(dataset_read(path, &format, 4096, 1, 0, &error));
    assert_int_equal(error.status, HINGE_FILE_ERROR);
    assert_non_null(strstr(error.message, "it is there already"));
    old = read_file(scratch, &length);
    assert_string_equal(old, "old");
    free(old);
    remove(scratch);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows_are_those_in_memory),
        cmocka_unit_test(test_faults_have_their_places),
        cmocka_unit_test(test_a_sweep_reads_what_is_not_pinned),
        cmocka_unit_test(test_rows_are_lent),
        cmocka_unit_test(test_lending_without_memory),
        cmocka_unit_test(test_a_file_that_cannot_be_read_is_told_of),
        cmocka_unit_test(test_a_full_disk_is_told_of),
        cmocka_unit_test(test_the_file_has_no_name),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
