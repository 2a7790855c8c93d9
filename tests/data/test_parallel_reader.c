/* test_parallel_reader.c - several threads read the same as one thread, to the byte, wherever the
 * pieces end, and report the same faults. */
#include "data/dataset.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#undef fail /* status.h's; cmocka has another */
#include "data_files.h"

/* Returns the number of repetitions, like repeats(), but a small one if thousands of real threads
 * would be created. */
static size_t with_threads(size_t all, size_t few)
{
#ifdef _OPENMP
    all = few;
#endif
    return repeats(all, few);
}

/* A text that grows. */
struct text {
    char *byte;
    size_t length, capacity;
};

static void put_bytes(struct text *text, const char *bytes, size_t length)
{
    if (text->capacity - text->length < length) {
        text->capacity = 2 * (text->length + length);
        text->byte = realloc(text->byte, text->capacity);
        assert_non_null(text->byte);
    }
    memcpy(text->byte + text->length, bytes, length);
    text->length += length;
}

static void put(struct text *text, const char *string)
{
    put_bytes(text, string, strlen(string));
}

static void put_many(struct text *text, char byte, size_t count)
{
    for (; count > 0; count--)
        put_bytes(text, &byte, 1);
}

/* ---- One thread and several -------------------------------------------- */

static void assert_same(const struct hinge_dataset *data, const struct hinge_dataset *expected)
{
    const struct hinge_matrix *x = &data->x, *y = &expected->x;

    assert_int_equal(x->rows, y->rows);
    assert_int_equal(x->nonzeros, y->nonzeros);
    assert_int_equal(x->index_kind, y->index_kind);
    assert_int_equal(x->value_kind, y->value_kind);
    assert_memory_equal(&x->scale, &y->scale, sizeof x->scale);
    assert_int_equal(data->features, expected->features);
    assert_int_equal(data->zero_based, expected->zero_based);
    assert_memory_equal(x->start, y->start, (y->rows + 1) * sizeof *y->start);
    assert_memory_equal(data->label, expected->label, y->rows * sizeof *data->label);
    if (y->nonzeros > 0 && y->index_kind != HINGE_INDEX_NONE)
        assert_memory_equal(x->index, y->index, y->nonzeros << y->index_kind);
    assert_true((x->value == NULL) == (y->value == NULL));
    if (y->value && y->nonzeros > 0)
        assert_memory_equal(x->value, y->value, y->nonzeros * value_size(y->value_kind));
}

/* Reads the text with chunks of `chunk` bytes, by one thread and by several. Returns 1 if it is
 * data. */
static int compare(const struct text *text, size_t chunk, unsigned threads,
                   const struct hinge_format *format)
{
    const char *path = write_at(0, text->byte, text->length);
    struct hinge_error error = {HINGE_OK, ""}, other = {HINGE_OK, ""};
    struct hinge_dataset *expected = dataset_read(path, format, chunk, 1, 0, &error);
    struct hinge_dataset *data = dataset_read(path, format, chunk, threads, 0, &other);
    const int good = expected != NULL;

    assert_int_equal(other.status, error.status);
    assert_string_equal(other.message, error.message);
    assert_true((data != NULL) == good);
    if (good)
        assert_same(data, expected);
    hinge_dataset_free(data);
    hinge_dataset_free(expected);
    return good;
}

static unsigned draw_threads(uint64_t *state)
{
    static const unsigned team[] = {2, 2, 3, 8};

    return team[draw_below(state, COUNT(team))];
}

static void compare_at_all(const struct text *text, const struct hinge_format *format)
{
    uint64_t state = text->length;

    for (size_t chunk = 1; chunk <= text->length + 2; chunk++)
        compare(text, chunk, draw_threads(&state), format);
}

/* ---- Texts ------------------------------------------------------------- */

/* Writes a number for a kind of values: 1, few places, many places, doubles only. */
static void put_value(struct text *text, unsigned kind, uint64_t *state)
{
    static const char *const odd[] = {"-0",  "1e300", "0.1234567891", "1e-320", "2147483648.5",
                                      "1.0", "1e0",   "3.50000000",   "0.10",   "-.5"};
    char number[32];

    if (kind == 0)
        put(text, "1");
    else if (kind < 10) {
        snprintf(number, sizeof number, "%u.%0*u", (unsigned)draw_below(state, 3), (int)kind,
                 (unsigned)draw_below(state, 10));
        put(text, number);
    } else
        put(text, odd[draw_below(state, COUNT(odd))]);
}

static void put_row(struct text *text, unsigned kind, unsigned long most, uint64_t *state)
{
    size_t features = draw_below(state, draw_below(state, 20) ? 8 : 200);
    unsigned long index = 0;
    char number[32];

    snprintf(number, sizeof number, "%d", (int)draw_below(state, 5) - 2);
    put(text, number);
    if (draw_below(state, 20) == 0)
        put(text, " qid:3");
    for (; features > 0 && index < most; features--) {
        index += 1 + (unsigned long)draw_below(state, (size_t)(most - index) / features + 1);
        if (index > most)
            break;
        snprintf(number, sizeof number, "%s%lu:", draw_below(state, 9) ? " " : "\t  ", index);
        put(text, number);
        put_value(text, (unsigned)draw_below(state, kind + 1), state);
    }
}

static void put_line(struct text *text, unsigned kind, unsigned long most, uint64_t *state)
{
    const size_t choice = draw_below(state, 24);

    if (choice == 0)
        put_many(text, draw_below(state, 2) ? ' ' : '\n', draw_below(state, 60));
    else if (choice == 1) {
        put(text, "# 1:1 70000:0.25 ");
        put_many(text, "x1:\n"[draw_below(state, 4)], draw_below(state, 100));
    } else
        put_row(text, kind, most, state);
    if (choice == 2)
        put(text, " # 3:1e5");
    put(text, draw_below(state, 5) ? "\n" : "\r\n");
}

/* Draws some lines, whose values and indices become larger once. */
static void draw_text(struct text *text, uint64_t *state)
{
    static const unsigned long most[] = {9, 250, 256, 257, 65536, 65537, 2147483646};
    const size_t lines = draw_below(state, draw_below(state, 8) ? 80 : 400);
    const size_t change = draw_below(state, lines + 1);
    unsigned kind = (unsigned)draw_below(state, 4);
    size_t largest = draw_below(state, 3);

    text->length = 0;
    if (draw_below(state, 10) == 0)
        put(text, "\xef\xbb\xbf");
    for (size_t k = 0; k < lines; k++) {
        if (k == change) {
            kind = (unsigned)draw_below(state, 12);
            largest += draw_below(state, COUNT(most) - largest);
        }
        put_line(text, kind, most[largest], state);
    }
    if (draw_below(state, 3) == 0 && text->length > 0) /* ends inside a line */
        text->length -= 1 + draw_below(state, text->length < 9 ? text->length : 9);
}

/* Puts a fault somewhere, perhaps at a harmless place. */
static void spoil(struct text *text, uint64_t *state)
{
    static const struct {
        const char *bytes;
        size_t length;
    } fault[] = {{BYTES("\0")},       {BYTES("\x01")}, {BYTES("\r")},        {BYTES(" 0:1")},
                 {BYTES(":")},        {BYTES("nan")},  {BYTES("1e999")},     {BYTES("\n2:1\n")},
                 {BYTES("\n1 2:\n")}, {BYTES("x")},    {BYTES(" 7:1 7:1 ")}, {BYTES(" 9:1 3:1")}};
    const size_t k = draw_below(state, COUNT(fault));

    if (text->length >= fault[k].length)
        memcpy(text->byte + draw_below(state, text->length - fault[k].length + 1), fault[k].bytes,
               fault[k].length);
}

/* ---- Tests ------------------------------------------------------------- */

static void random_files_are_the_same_for_all_threads(void **unused)
{
    static const size_t chunks[] = {1, 5, 16, 33, 64, 100, 256, 1000, 4096};
    const long count = (long)with_threads(6000, 1000);
    struct text text = {NULL, 0, 0};
    uint64_t state = 22;
    long good = 0;

    (void)unused;
    for (long i = 0; i < count; i++) {
        const struct hinge_format format = {.zero_based = (int)draw_below(&state, 2),
                                            .optional_labels = (int)draw_below(&state, 2)};

        draw_text(&text, &state);
        for (size_t faults = draw_below(&state, 3); faults > 0; faults--)
            spoil(&text, &state);
        good += compare(&text, chunks[draw_below(&state, COUNT(chunks))], draw_threads(&state),
                        &format);
    }
    print_message("%ld random files, %ld of them refused\n", count, count - good);
    assert_in_range(good, count / 4, count - count / 4);
    free(text.byte);
}

static void pieces_may_end_anywhere(void **unused)
{
    static const struct {
        const char *bytes;
        size_t length;
    } file[] = {
        {BYTES("1 1:1 2:1\n-1 3:1\n1 1:1\n-1 2:1\n1 4:1\n")},
        {BYTES("\xef\xbb\xbf# c\n\n1 1:1\r\n-1 3:1 #\r\n1 300:0.5\n-1 2:-0\n1 70000:1e300")},
        {BYTES("1 1:1\n-1 2:1\n\n\n# 1:1 2:x\n#\n1 3:1\n \t \n1 4:1\n2")},
        {BYTES("1 1:1\n-1 2:1\n1 3:1\n-1 4:1 4:1\n1 x\n")},
        {BYTES("1 1:1\n-1 2:1\n1 3:1\n-1 4:1\0\n1 x\n")},
        {BYTES("1 1:1\n-1 2:1\n1 3:1\n-1 4:1\r5:1\n")},
        {BYTES("1 1:1\n-1 2:1\n1 3:1\n#\0\n")},
        {BYTES("1 1:1\n-1 2:1\n1 3:1\n-1 4:")},
        {BYTES("1 1:1\n-1 2:1\n1 3:1\n-1 4:1\r")},
        {BYTES("# c\n\n# d\n")},
        {BYTES("")},
    };
    struct text text = {NULL, 0, 0};

    (void)unused;
    for (size_t k = 0; k < COUNT(file); k++) {
        text.length = 0;
        put_bytes(&text, file[k].bytes, file[k].length);
        compare_at_all(&text, &ordinary);
        compare_at_all(&text, &zero_based);
        compare_at_all(&text, &optional_labels);
    }
    free(text.byte);
}

/* A long line among others, at the beginning and at the end; with a fault far inside, or after it.
 */
static void lines_may_be_longer_than_a_buffer(void **unused)
{
    struct text text = {NULL, 0, 0};
    uint64_t state = 5;

    (void)unused;
    for (int form = 0; form < 64; form++) {
        text.length = 0;
        for (int line = 0; line < 40; line++) {
            const int is_long = line % 13 == form % 13 || line == 39;
            char number[32];

            put(&text, line % 2 ? "1" : "-1");
            if (is_long && form & 16)
                put(&text, " # 5:1 ");
            for (int index = 1; index <= (is_long ? 300 : 3); index++) {
                snprintf(number, sizeof number, " %d:%d", index, line % 3);
                put(&text, number);
            }
            if (is_long && form & 32 && line > 20)
                put(&text, " 7:1");
            put(&text, "\n");
        }
        text.length -= (size_t)(form & 1);
        for (size_t chunk = 8; chunk < 3000; chunk += with_threads(chunk / 3, chunk))
            assert_int_equal(compare(&text, chunk, draw_threads(&state), &ordinary),
                             !(form & 32) || form & 16);
    }
    free(text.byte);
}

/* Large files are read with the buffers that the programs use, with the fault in the last line. */
static void large_files_are_the_same_for_all_threads(void **unused)
{
    struct text text = {NULL, 0, 0};
    uint64_t state = 4;

    (void)unused;
    while (text.length < 40u * SOURCE_CHUNK) {
        put_row(&text, text.length > 20u * SOURCE_CHUNK ? 3 : 2, 40000, &state);
        put(&text, "\n");
    }
    for (unsigned threads = 2; threads <= 8; threads += 3) {
        assert_int_equal(compare(&text, SOURCE_CHUNK, threads, &ordinary), 1);
        assert_int_equal(compare(&text, SOURCE_CHUNK / 16, threads, &ordinary), 1);
    }
    put(&text, "1 5:1 4:1\n");
    assert_int_equal(compare(&text, SOURCE_CHUNK / 16, 3, &ordinary), 0);
    free(text.byte);
}

static void assert_read_alike(const char *path, const struct hinge_format *format)
{
    struct hinge_error error;
    struct hinge_dataset *expected = dataset_read(path, &ordinary, SOURCE_CHUNK, 1, 0, &error);
    struct hinge_dataset *data = hinge_dataset_read(path, format, &error);

    assert_true(expected && data);
    assert_same(data, expected);
    hinge_dataset_free(expected);
    hinge_dataset_free(data);
}

/* The public function takes the number of threads from the format, and begins with one thread. In
 * files of this size, others join when it has read some rows and has estimated the number of all.
 */
enum { SHARED_BYTES = 136 * SOURCE_CHUNK };

static void the_format_says_how_many_threads(void **unused)
{
    const struct hinge_format two = {.threads = 2};
    struct text text = {NULL, 0, 0};
    struct hinge_error error, other;
    const char *path;
    uint64_t state = 7;

    (void)unused;
    while (text.length < SHARED_BYTES) {
        put_row(&text, 5, 900, &state);
        put(&text, "\n");
    }
    path = write_at(0, text.byte, text.length);
    for (uint32_t threads = 0; threads <= HINGE_MOST_THREADS; threads += threads < 4 ? 1 : 126) {
        const struct hinge_format format = {.threads = threads};

        assert_read_alike(path, &format);
    }
    put(&text, "1 5:1 4:1\n");
    path = write_at(0, text.byte, text.length);
    assert_null(dataset_read(path, &ordinary, SOURCE_CHUNK, 1, 0, &error));
    assert_null(hinge_dataset_read(path, &two, &other));
    assert_string_equal(other.message, error.message);
    free(text.byte);
}

/* If the first rows are longer, shorter or denser than the others, the estimate of the size is
 * wrong. */
static void first_rows_need_not_be_like_others(void **unused)
{
    static const struct {
        unsigned kind;
        unsigned long most;
    } rows[] = {{0, 3}, {0, 60000}, {2, 9}, {11, 2000000}};
    uint64_t state = 9;

    (void)unused;
    for (size_t k = 0; k < COUNT(rows); k++) {
        const struct hinge_format format = {.threads = 2 + k % 2};
        const size_t then = (k + 1 + draw_below(&state, COUNT(rows) - 1)) % COUNT(rows);
        struct text text = {NULL, 0, 0};

        while (text.length < SHARED_BYTES) {
            const size_t part = text.length < SHARED_BYTES / 8 ? k : then;

            put_row(&text, rows[part].kind, rows[part].most, &state);
            put(&text, "\n");
        }
        assert_read_alike(write_at(0, text.byte, text.length), &format);
        free(text.byte);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pieces_may_end_anywhere),
        cmocka_unit_test(random_files_are_the_same_for_all_threads),
        cmocka_unit_test(lines_may_be_longer_than_a_buffer),
        cmocka_unit_test(large_files_are_the_same_for_all_threads),
        cmocka_unit_test(the_format_says_how_many_threads),
        cmocka_unit_test(first_rows_need_not_be_like_others),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
