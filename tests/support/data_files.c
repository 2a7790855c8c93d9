/* data_files.c - data files written, read both ways, and compared with what is expected. */
#define _POSIX_C_SOURCE 200809L
#include "data_files.h"

#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

const struct hinge_format ordinary = {0}, zero_based = {.zero_based = 1},
                          optional_labels = {.optional_labels = 1};

static void dump_add(struct dump *dump, const char *format, ...)
{
    va_list arguments;

    if (dump->capacity - dump->length < 1100) {
        dump->capacity = 2 * dump->capacity + 2200;
        dump->text = realloc(dump->text, dump->capacity);
        assert_non_null(dump->text);
    }
    va_start(arguments, format);
    dump->length += (size_t)vsnprintf(dump->text + dump->length, 1100, format, arguments);
    va_end(arguments);
}

static void dump_row(struct dump *dump, int labelled, double label, size_t count,
                     const uint32_t *index, const double *value)
{
    if (labelled)
        dump_add(dump, "%.17g", label);
    else
        dump_add(dump, "?");
    for (size_t k = 0; k < count; k++)
        dump_add(dump, " %lu:%.17g", (unsigned long)index[k], value ? value[k] : 1);
    dump_add(dump, ";");
}

static void dump_refusal(struct dump *dump, const struct hinge_error *error)
{
    dump->length = 0;
    dump_add(dump, "!%s", error->message);
    assert_null(strchr(error->message, '\n'));
}

struct dump dump_reader(const char *path, const struct hinge_format *format)
{
    struct hinge_error error = {HINGE_OK, "untouched"};
    struct hinge_reader *reader = hinge_reader_open(path, format, &error);
    struct dump dump = {NULL, 0, 0};
    struct hinge_row row;
    int found = reader ? 1 : -1;

    dump_add(&dump, "%s", "");
    while (found > 0 && (found = hinge_reader_next(reader, &row, &error)) > 0)
        dump_row(&dump, row.labelled, row.label, row.count, row.index, row.value);
    if (found < 0) {
        dump_refusal(&dump, &error);
        assert_int_not_equal(error.status, HINGE_OK);
    } else {
        assert_int_equal(hinge_reader_next(reader, &row, &error), 0); /* the end stays the end */
        assert_string_equal(error.message, "untouched");
    }
    hinge_reader_close(reader);
    return dump;
}

struct dump dump_dataset_from(size_t first, const char *path, const struct hinge_format *format)
{
    struct hinge_error error = {HINGE_OK, "untouched"};
    struct hinge_dataset *data = hinge_dataset_read(path, format, &error);
    struct dump dump = {NULL, 0, 0};
    size_t left_out = 0;
    uint32_t *index;
    double *value;

    dump_add(&dump, "%s", "");
    if (!data) {
        dump_refusal(&dump, &error);
        assert_int_not_equal(error.status, HINGE_OK);
        return dump;
    }
    assert_string_equal(error.message, "untouched");
    assert_true(totals_hold(data, format));
    index = malloc((data->x.nonzeros + 1) * sizeof *index);
    value = malloc((data->x.nonzeros + 1) * sizeof *value);
    assert_non_null(index);
    assert_non_null(value);
    for (size_t i = first; i < data->x.rows; i++) {
        size_t count = 0;

        for (size_t k = data->x.start[i]; k < data->x.start[i + 1]; k++) {
            index[count] = hinge_index(&data->x, k);
            value[count] = hinge_value(&data->x, k);
            if (data->zeros > 0 && value[count] == 0 && !signbit(value[count]))
                left_out++;
            else
                count++;
        }
        dump_row(&dump, 1, data->label[i], count, index, value);
    }
    /* a file that leaves zeros out must have none, or they could not be told apart */
    assert_true(first > 0 || left_out == data->zeros);
    free(index);
    free(value);
    hinge_dataset_free(data);
    return dump;
}

struct dump dump_dataset(const char *path, const struct hinge_format *format)
{
    return dump_dataset_from(0, path, format);
}

const char *write_at(size_t offset, const char *bytes, size_t length)
{
    const char *path = scratch_path("reader");
    int file = open(path, O_WRONLY | O_CREAT, 0666);

    assert_true(file >= 0);
    assert_int_equal(pwrite(file, bytes, length, (off_t)offset), length);
    assert_int_equal(ftruncate(file, (off_t)(offset + length)), 0);
    assert_int_equal(close(file), 0);
    return path;
}

const char *write_whole(const char *bytes, size_t length)
{
    keep_seed("reader", bytes, length);
    return write_at(0, bytes, length);
}

void expect_dump(struct dump dump, const char *way, const char *expected,
                 const struct expectation *row, size_t padding)
{
    if (strcmp(dump.text, expected) != 0)
        fail_msg("%s of '%.*s' after %lu bytes:\n'%.2000s', expected\n'%.2000s'", way,
                 (int)(row->length > 1000 ? 1000 : row->length), row->bytes, (unsigned long)padding,
                 dump.text, expected);
    free(dump.text);
}

void expect(const char *path, const struct hinge_format *format, const char *expected,
            const struct expectation *row, size_t padding)
{
    expect_dump(dump_reader(path, format), "rows", expected, row, padding);
    if (!format->optional_labels || *expected == '!')
        expect_dump(dump_dataset(path, format), "dataset", expected, row, padding);
}

void expect_all(const struct expectation *row, size_t rows, const struct hinge_format *format)
{
    for (size_t i = 0; i < rows; i++) {
        const char *path = write_whole(row[i].bytes, row[i].length);

        expect(path, format, row[i].expected, &row[i], 0);
    }
}

const char *refusal(const char *path, const char *expected, unsigned long lines,
                    unsigned long columns)
{
    static char message[1100];
    char *reason;
    unsigned long line = strtoul(expected, &reason, 10);
    unsigned long column = strtoul(reason + 1, &reason, 10);

    snprintf(message, sizeof message, "!%s:%lu:%lu%s", path, line + lines,
             line == 1 ? column + columns : column, reason);
    return message;
}

void expect_refusals(const struct expectation *row, size_t rows, const struct hinge_format *format)
{
    for (size_t i = 0; i < rows; i++) {
        const char *path = write_whole(row[i].bytes, row[i].length);

        expect(path, format, refusal(path, row[i].expected, 0, 0), &row[i], 0);
    }
}

void expect_long(const char *before, char byte, size_t count, const char *behind,
                 const char *expected)
{
    size_t start = strlen(before), length = start + count + strlen(behind);
    char *bytes = malloc(length + 1);
    struct expectation row = {bytes, 100, expected};
    const char *path;

    assert_non_null(bytes);
    memcpy(bytes, before, start);
    memset(bytes + start, byte, count);
    strcpy(bytes + start + count, behind);
    path = write_whole(bytes, length);
    expect(path, &ordinary, *expected == '!' ? refusal(path, expected + 1, 0, 0) : expected, &row,
           count);
    free(bytes);
}

static void fail_content(const struct file *file, size_t padding, const struct hinge_format *format,
                         const struct content *slow, const struct content *fast)
{
    char shown[4 * sizeof file->byte + 1];
    size_t length = 0;

    for (size_t i = 0; i < file->length; i++) {
        unsigned c = (unsigned char)file->byte[i];

        length += (size_t)sprintf(shown + length, c < ' ' || c > 126 ? "\\%03o" : "%c", c);
    }
    shown[length] = '\0';
    fail_msg(
        "zero_based %d, optional_labels %d, after %lu bytes of comment: '%s'\n"
        "expected %s, line %lu, %lu rows, %lu entries; read %s, line %lu, %lu rows, %lu entries",
        format->zero_based, format->optional_labels, (unsigned long)padding, shown,
        slow->refused ? "a refusal" : "rows", slow->line, (unsigned long)slow->rows,
        (unsigned long)slow->entries, fast->refused ? "a refusal" : "rows", fast->line,
        (unsigned long)fast->rows, (unsigned long)fast->entries);
}

const char *pipe_in(const char *bytes, size_t length)
{
    int end[2];

    assert_int_equal(pipe(end), 0);
    assert_int_equal(write(end[1], bytes, length), length);
    close(end[1]);
    assert_int_equal(dup2(end[0], 0), 0);
    close(end[0]);
    clearerr(stdin);
    return "-";
}

void compare_with_slow(const struct file *file, const char *path, size_t padding, const char *whole,
                       const struct hinge_format *format, struct content *slow)
{
    static struct content fast;

    slow_read(whole, padding + file->length, format, slow);
    if (format->optional_labels)
        fast_rows(path, format, &fast);
    else
        fast_dataset(path, format, &fast);
    if (!same_content(slow, &fast))
        fail_content(file, padding, format, slow, &fast);
}
