/* test_reader.c - every form of data file that is accepted, every one that is refused. */
#define _POSIX_C_SOURCE 200809L
#include "slow_reader.h"
#include "support.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#if defined(__SANITIZE_ADDRESS__)
#define SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SANITIZED 1
#endif
#endif
#ifndef SANITIZED
#define SANITIZED 0
#endif

enum { CHUNK = 131072 }; /* what the reader holds at first, the CHUNK of src/data/source.c */

static const struct hinge_format ordinary = {0, 0}, zero_based = {1, 0}, optional_labels = {0, 1};

/* ---- What was read, as text -------------------------------------------- */

/* "label index:value index:value;" for each row, indices from 0; a row without a label starts
 * with '?'. A refusal is "!" and its message, and nothing of the rows before it. */
struct dump {
    char *text;
    size_t length, capacity;
};

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

/* Row by row. */
static struct dump dump_reader(const char *path, const struct hinge_format *format)
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

/* As a whole, from row first on; a dataset does not tell which rows had no label. */
static struct dump dump_dataset_from(size_t first, const char *path,
                                     const struct hinge_format *format)
{
    struct hinge_error error = {HINGE_OK, "untouched"};
    struct hinge_dataset *data = hinge_dataset_read(path, format, &error);
    struct dump dump = {NULL, 0, 0};
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
    for (size_t k = 0; k < data->x.nonzeros; k++) {
        index[k] = hinge_index(&data->x, k);
        value[k] = hinge_value(&data->x, k);
    }
    for (size_t i = first; i < data->x.rows; i++)
        dump_row(&dump, 1, data->label[i], data->x.start[i + 1] - data->x.start[i],
                 index + data->x.start[i], value + data->x.start[i]);
    free(index);
    free(value);
    hinge_dataset_free(data);
    return dump;
}

static struct dump dump_dataset(const char *path, const struct hinge_format *format)
{
    return dump_dataset_from(0, path, format);
}

/* ---- Expecting --------------------------------------------------------- */

/* Text with NUL bytes in it. */
#define BYTES(literal) literal, sizeof literal - 1

struct expectation {
    const char *bytes;
    size_t length;
    const char *expected; /* rows, or "LINE:COLUMN: reason" */
};

/* Makes a scratch file end in length bytes at offset; what stands before them stays. Nothing is
 * cut to nothing and little is written, as there are thousands of files. */
static const char *write_at(size_t offset, const char *bytes, size_t length)
{
    const char *path = scratch_path("reader");
    int file = open(path, O_WRONLY | O_CREAT, 0666);

    assert_true(file >= 0);
    assert_int_equal(pwrite(file, bytes, length, (off_t)offset), length);
    assert_int_equal(ftruncate(file, (off_t)(offset + length)), 0);
    assert_int_equal(close(file), 0);
    return path;
}

static const char *write_whole(const char *bytes, size_t length)
{
    keep_seed("reader", bytes, length);
    return write_at(0, bytes, length);
}

static void expect_dump(struct dump dump, const char *way, const char *expected,
                        const struct expectation *row, size_t padding)
{
    if (strcmp(dump.text, expected) != 0)
        fail_msg("%s of '%.*s' behind %lu bytes:\n'%.2000s', expected\n'%.2000s'", way,
                 (int)(row->length > 1000 ? 1000 : row->length), row->bytes, (unsigned long)padding,
                 dump.text, expected);
    free(dump.text);
}

/* Both ways of reading give the expected dump. */
static void expect(const char *path, const struct hinge_format *format, const char *expected,
                   const struct expectation *row, size_t padding)
{
    expect_dump(dump_reader(path, format), "rows", expected, row, padding);
    if (!format->optional_labels || *expected == '!')
        expect_dump(dump_dataset(path, format), "dataset", expected, row, padding);
}

static void expect_all(const struct expectation *row, size_t rows,
                       const struct hinge_format *format)
{
    for (size_t i = 0; i < rows; i++) {
        const char *path = write_whole(row[i].bytes, row[i].length);

        expect(path, format, row[i].expected, &row[i], 0);
    }
}

/* The message of a refusal with the file in front, its line and column moved on. */
static const char *refusal(const char *path, const char *expected, unsigned long lines,
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

static void expect_refusals(const struct expectation *row, size_t rows,
                            const struct hinge_format *format)
{
    for (size_t i = 0; i < rows; i++) {
        const char *path = write_whole(row[i].bytes, row[i].length);

        expect(path, format, refusal(path, row[i].expected, 0, 0), &row[i], 0);
    }
}

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

/* ---- What is accepted -------------------------------------------------- */

static const struct expectation accepted[] = {
    {BYTES("1 1:0.5 3:-2\n-1 2:1\n"), "1 0:0.5 2:-2;-1 1:1;"},
    /* the end of the file */
    {BYTES("1 1:0.5"), "1 0:0.5;"},
    {BYTES("1"), "1;"},
    {BYTES("1 "), "1;"},
    {BYTES("1 1:1\n2"), "1 0:1;2;"},
    {BYTES("1 1:1\r\n2 2:2\r\n"), "1 0:1;2 1:2;"},
    {BYTES("1 1:1\r\n2 2:2\r"), "1 0:1;2 1:2;"},
    {BYTES("1\r\n2 \r\n3\t\r\n"), "1;2;3;"},
    {BYTES("1 1:1\r\n2 2:2\n3 3:3\r\n"), "1 0:1;2 1:2;3 2:3;"},
    /* blanks */
    {BYTES("1\t1:2\t\t3:4\n"), "1 0:2 2:4;"},
    {BYTES(" \t 1  \t 1:2   \n"), "1 0:2;"},
    {BYTES("1 1:2\t\r\n"), "1 0:2;"},
    /* rows without a feature, lines without a row */
    {BYTES("1\n2\n"), "1;2;"},
    {BYTES("1 \n2\t\n-3 1:1\n"), "1;2;-3 0:1;"},
    {BYTES("\n\n1 1:1\n\n \n\t\n\r\n2 1:2\n\n"), "1 0:1;2 0:2;"},
    /* comments */
    {BYTES("# title\n1 1:1\n  # indented\n2 1:2\n"), "1 0:1;2 0:2;"},
    {BYTES("1 1:1 # trailing 9:9\n2 1:2 #\n"), "1 0:1;2 0:2;"},
    {BYTES("1 1:1#attached 9:9\n2#3 1:1\n"), "1 0:1;2;"},
    {BYTES("1 # no feature\n#\n##\n2 1:2 # no line end"), "1;2 0:2;"},
    {BYTES("1 1:1 # crlf\r\n#\r\n2 1:2#\r\n"), "1 0:1;2 0:2;"},
    {BYTES("1 1:1 # any \x01\x7f\xff\r byte\n2\n"), "1 0:1;2;"},
    /* queries */
    {BYTES("1 qid:7 1:1\n2\tqid:0\n3 qid:10 # x\n4 qid:1#\n"), "1 0:1;2;3;4;"},
    {BYTES("1   \t qid:3 \t 1:1\r\n2  qid:4\r\n"), "1 0:1;2;"},
    {BYTES("1 qid:99999999999999999999 1:1\n"), "1 0:1;"},
    /* byte order mark */
    {BYTES("\xef\xbb\xbf"
           "1 1:1\n"),
     "1 0:1;"},
    {BYTES("\xef\xbb\xbf\r\n# x\n1"), "1;"},
    /* labels */
    {BYTES("+1 1:1\n-1 1:1\n"), "1 0:1;-1 0:1;"},
    {BYTES("0\n-0\n1e2\n.5\n5.\n-1.25E-2\n3000000000\n"),
     "0;-0;100;0.5;5;-0.012500000000000001;3000000000;"},
    /* values */
    {BYTES("1 1:+1 2:-1 3:1. 4:.5 5:-.5 6:007\n"), "1 0:1 1:-1 2:1 3:0.5 4:-0.5 5:7;"},
    {BYTES("1 1:1e3 2:1E-3 3:1.5e+2 4:-2.5e00\n"), "1 0:1000 1:0.001 2:150 3:-2.5;"},
    {BYTES("1 1:4.9406564584124654e-324 2:2.2250738585072011e-308 3:-1e-310\n"),
     "1 0:4.9406564584124654e-324 1:2.2250738585072009e-308 2:-9.9999999999999694e-311;"},
    {BYTES("1 1:1.7976931348623157e308 2:1e-400\n"), "1 0:1.7976931348623157e+308 1:0;"},
    {BYTES("1 1:0.1000000000000000055511151231257827021181583404541015625\n"),
     "1 0:0.10000000000000001;"},
    {BYTES("1 1:0 2:0.0 3:-0\n"), "1 0:0 1:0 2:-0;"}, /* explicit zeros are kept */
    /* indices */
    {BYTES("1 1:1 2147483646:2\n"), "1 0:1 2147483645:2;"},
    {BYTES("1 01:1 0000000002:2\n"), "1 0:1 1:2;"},
};

static const struct expectation accepted_zero_based[] = {
    {BYTES("1 0:1 1:2 9:3\n"), "1 0:1 1:2 9:3;"},
    {BYTES("1 0:0\n2 5:1"), "1 0:0;2 5:1;"},
    {BYTES("1 2147483646:1\n"), "1 2147483646:1;"},
    {BYTES("1\n"), "1;"},
};

static const struct expectation accepted_optional[] = {
    {BYTES("1:1 2:2\n5 1:1\n3:3\n"), "? 0:1 1:2;5 0:1;? 2:3;"},
    {BYTES("  1:1\n\t\n7\n8 \n"), "? 0:1;7;8;"},
    {BYTES("qid:3 1:1\n1 qid:3 1:1\nqid:4\n"), "? 0:1;1 0:1;?;"},
    {BYTES("  qid:3   1:1\r\n1:5#x"), "? 0:1;? 0:5;"},
    {BYTES("\xef\xbb\xbf"
           "1:1\n"),
     "? 0:1;"},
};

static void accepts_every_form(void **unused)
{
    (void)unused;
    expect_all(accepted, COUNT(accepted), &ordinary);
    expect_all(accepted_zero_based, COUNT(accepted_zero_based), &zero_based);
    expect_all(accepted_optional, COUNT(accepted_optional), &optional_labels);
}

static void reads_an_index_with_many_leading_zeros(void **unused)
{
    static const struct expectation row[] = {
        {BYTES("1 00000000001:5 00000000000000000000000000000000000000003:7\n"), "1 0:5 2:7;"},
    };

    (void)unused;
    expect_all(row, COUNT(row), &ordinary);
}

/* A dataset has no place to say that a row had no label, but its label is to be a number, and the
 * same one in each run. */
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

/* ---- What is refused --------------------------------------------------- */

static const struct expectation refused[] = {
    /* indices */
    {BYTES("1 0:1\n"), "1:3: feature index 0; indices start at 1 (--zero-based reads files whose "
                       "indices start at 0)"},
    {BYTES("1 00:1 1:1\n"), "1:3: feature index 0; indices start at 1 (--zero-based reads files "
                            "whose indices start at 0)"},
    {BYTES("1 1:1 1:2\n"), "1:7: feature index 1 is repeated"},
    {BYTES("1 1:1 01:2\n"), "1:7: feature index 1 is repeated"},
    {BYTES("1 2:1 1:2\n"), "1:7: feature index 1 behind 2; indices must ascend"},
    {BYTES("1 2:1 2147483646:1 3:1"),
     "1:20: feature index 3 behind 2147483646; indices must ascend"},
    {BYTES("1 2147483647:1\n"), "1:3: feature index 2147483647 is beyond 2147483646"},
    {BYTES("1 2147483648:1\n"), "1:3: feature index 2147483648 is beyond 2147483646"},
    {BYTES("1 1:1 4294967298:1\n"), "1:7: feature index 4294967298 is beyond 2147483646"},
    {BYTES("1 18446744073709551617:1\n"),
     "1:3: feature index 18446744073709551617 is beyond 2147483646"},
    {BYTES("1 184467440737095516160000000000000000000000000001:1\n"),
     "1:3: feature index 1844674407370955161600000000000000000000 is beyond 2147483646"},
    {BYTES("1 -1:1\n"), "1:3: '-1:1' is no index:value pair"},
    {BYTES("1 +1:1\n"), "1:3: '+1:1' is no index:value pair"},
    {BYTES("1 x:1\n"), "1:3: 'x:1' is no index:value pair"},
    {BYTES("1 :1\n"), "1:3: ':1' is no index:value pair"},
    {BYTES("1 :\n"), "1:3: ':' is no index:value pair"},
    {BYTES("1 x\n"), "1:3: 'x' is no index:value pair"},
    {BYTES("1 xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxyyyy\n"),
     "1:3: 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx' is no index:value pair"},
    {BYTES("1 1.5:1\n"), "1:4: trailing junk in feature index '1.5:1'"},
    {BYTES("1 1x:1\n"), "1:4: trailing junk in feature index '1x:1'"},
    {BYTES("1 1e2:1\n"), "1:4: trailing junk in feature index '1e2:1'"},
    {BYTES("1 0x1:1\n"), "1:4: trailing junk in feature index '0x1:1'"},
    {BYTES("1 1,2:1\n"), "1:4: trailing junk in feature index '1,2:1'"},
    /* no colon, no value */
    {BYTES("1 1\n"), "1:4: no ':' behind feature index 1"},
    {BYTES("1 12"), "1:5: no ':' behind feature index 12"},
    {BYTES("1 2 1:1\n"), "1:4: no ':' behind feature index 2"},
    {BYTES("1 1 :1\n"), "1:4: no ':' behind feature index 1"},
    {BYTES("1 1:1 2\r\n"), "1:8: no ':' behind feature index 2"},
    {BYTES("1 1#:1\n"), "1:4: no ':' behind feature index 1"},
    {BYTES("1 1:\n"), "1:5: no value behind '1:'"},
    {BYTES("1 1:"), "1:5: no value behind '1:'"},
    {BYTES("1 1:\r\n"), "1:5: no value behind '1:'"},
    {BYTES("1 1: 2\n"), "1:5: no value behind '1:'"},
    {BYTES("1 1:#2\n"), "1:5: no value behind '1:'"},
    /* values */
    {BYTES("1 1:2x\n"), "1:6: trailing junk in value '2x'"},
    {BYTES("1 1:2:3\n"), "1:6: trailing junk in value '2:3'"},
    {BYTES("1 1:2,5\n"), "1:6: trailing junk in value '2,5'"},
    {BYTES("1 1:1.2.3\n"), "1:8: trailing junk in value '1.2.3'"},
    {BYTES("1 1:1e\n"), "1:6: trailing junk in value '1e'"},
    {BYTES("1 1:1e+ 2:1\n"), "1:6: trailing junk in value '1e+'"},
    {BYTES("1 1:0x1p3\n"), "1:6: trailing junk in value '0x1p3'"},
    {BYTES("1 1:-\n"), "1:5: value '-' is not a number"},
    {BYTES("1 1:.\n"), "1:5: value '.' is not a number"},
    {BYTES("1 1:e5\n"), "1:5: value 'e5' is not a number"},
    {BYTES("1 1:--1\n"), "1:5: value '--1' is not a number"},
    {BYTES("1 1:x\n"), "1:5: value 'x' is not a number"},
    {BYTES("1 1:\xc2\xa0\n"), "1:5: value '\xc2\xa0' is not a number"},
    {BYTES("1 1:nan\n"), "1:5: value 'nan' is not a finite number"},
    {BYTES("1 1:-NaN\n"), "1:5: value '-NaN' is not a finite number"},
    {BYTES("1 1:inf\n"), "1:5: value 'inf' is not a finite number"},
    {BYTES("1 1:+Infinity\n"), "1:5: value '+Infinity' is not a finite number"},
    {BYTES("1 1:1e309\n"), "1:5: value '1e309' is beyond the largest double"},
    {BYTES("1 1:-1e99999999999999999999\n"),
     "1:5: value '-1e99999999999999999999' is beyond the largest double"},
    {BYTES("1 1:1.7976931348623159e308\n"),
     "1:5: value '1.7976931348623159e308' is beyond the largest double"},
    /* labels */
    {BYTES("x 1:1\n"), "1:1: label 'x' is not a number"},
    {BYTES("  + 1:1\n"), "1:3: label '+' is not a number"},
    {BYTES("1,3 1:1\n"), "1:2: trailing junk in label '1,3'"},
    {BYTES("1x\n"), "1:2: trailing junk in label '1x'"},
    {BYTES("0x10 1:1\n"), "1:2: trailing junk in label '0x10'"},
    {BYTES("nan 1:1\n"), "1:1: label 'nan' is not a finite number"},
    {BYTES("-inf\n"), "1:1: label '-inf' is not a finite number"},
    {BYTES("1e400 1:1\n"), "1:1: label '1e400' is beyond the largest double"},
    {BYTES("1\xef\xbb\xbf 1:1\n"), "1:2: trailing junk in label '1\xef\xbb\xbf'"},
    {BYTES("\xef\xbb\xbf\xef\xbb\xbf"
           "1 1:1\n"),
     "1:1: label '\xef\xbb\xbf"
     "1' is not a number"},
    {BYTES("1\n\xef\xbb\xbf"
           "1 1:1\n"),
     "2:1: label '\xef\xbb\xbf"
     "1' is not a number"},
    {BYTES("1:1 2:1\n"), "1:1: the row has no label, it starts with '1:1'"},
    {BYTES("1\n\t 3:1\n"), "2:3: the row has no label, it starts with '3:1'"},
    {BYTES("qid:1 1:1\n"), "1:1: the row has no label, it starts with 'qid:1'"},
    {BYTES(":\n"), "1:1: the row has no label, it starts with ':'"},
    /* queries */
    {BYTES("1 qid:\n"), "1:7: no value behind 'qid:'"},
    {BYTES("1 qid: 1:1\n"), "1:7: no value behind 'qid:'"},
    {BYTES("1 qid:#\n"), "1:7: no value behind 'qid:'"},
    {BYTES("1 qid:x 1:1\n"), "1:7: qid 'x' is not a number"},
    {BYTES("1 qid:1x 1:1\n"), "1:8: trailing junk in qid '1x'"},
    {BYTES("1 qid:1:1\n"), "1:8: trailing junk in qid '1:1'"},
    {BYTES("1 qid:nan\n"), "1:7: qid 'nan' is not a finite number"},
    {BYTES("1 qid:1e999\n"), "1:7: qid '1e999' is beyond the largest double"},
    {BYTES("1 qid 1:1\n"), "1:3: 'qid' is no index:value pair"},
    {BYTES("1 QID:1 1:1\n"), "1:3: 'QID:1' is no index:value pair"},
    {BYTES("1 qid:1 qid:2\n"), "1:9: 'qid:2' is no index:value pair"},
    {BYTES("1 1:1 qid:2\n"), "1:7: 'qid:2' is no index:value pair"},
    /* NUL bytes */
    {BYTES("\0"), "1:1: NUL byte"},
    {BYTES("\0001 1:1\n"), "1:1: NUL byte"},
    {BYTES("1\0 1:1\n"), "1:2: NUL byte"},
    {BYTES("1 \0001:1\n"), "1:3: NUL byte"},
    {BYTES("1 1:1\0"), "1:6: NUL byte"},
    {BYTES("1 1:1\0 2:2\n"), "1:6: NUL byte"},
    {BYTES("1 1:1 \0\n"), "1:7: NUL byte"},
    {BYTES("1 1:1\n\0"), "2:1: NUL byte"},
    {BYTES("1 1:1\n\0\n"), "2:1: NUL byte"},
    {BYTES("1 1:1\r\0\n"), "1:6: carriage return inside a line"},
    {BYTES("1 qid:1\0 1:1\n"), "1:8: NUL byte"},
    {BYTES("#\0\n1\n"), "1:2: NUL byte"},
    {BYTES("# title \0 and more\n1\n"), "1:9: NUL byte"},
    {BYTES("1 1:1 # x\0\n"), "1:10: NUL byte"},
    {BYTES("1 1:1#\0"), "1:7: NUL byte"},
    {BYTES("1 1:1\n# x\n1 # \0"), "3:5: NUL byte"},
    /* other bytes that no text has */
    {BYTES("\x01\n"), "1:1: byte 0x01: this is no text file"},
    {BYTES("1\x1b[0m 1:1\n"), "1:2: byte 0x1b: this is no text file"},
    {BYTES("1 \x0b 1:1\n"), "1:3: byte 0x0b: this is no text file"},
    {BYTES("1 1\x0c:1\n"), "1:4: byte 0x0c: this is no text file"},
    {BYTES("1 1:1\x7f\n"), "1:6: byte 0x7f: this is no text file"},
    {BYTES("1 1:\x08 2:1\n"), "1:5: byte 0x08: this is no text file"},
    {BYTES("\x7f"
           "ELF\x02\x01\x01\0\0\0"),
     "1:1: byte 0x7f: this is no text file"},
    {BYTES("\x1f\x8a\x08\0\0\0\0\0"), "1:1: byte 0x1f: this is no text file"},
    /* carriage returns that end no line */
    {BYTES("\r1 1:1\n"), "1:1: carriage return inside a line"},
    {BYTES("1\r1:1\n"), "1:2: carriage return inside a line"},
    {BYTES("1 1:1\r2 1:1\r"), "1:6: carriage return inside a line"},
    {BYTES("1 1:1\r\r\n"), "1:6: carriage return inside a line"},
    {BYTES("1 1:1 \r 2:2\n"), "1:7: carriage return inside a line"},
    {BYTES("1 qid:1\r1:1\n"), "1:8: carriage return inside a line"},
    {BYTES("1\n\r\r"), "2:1: carriage return inside a line"},
    /* no rows */
    {BYTES(""), "1:1: no rows"},
    {BYTES("\n"), "2:1: no rows"},
    {BYTES("\r\n\r\n"), "3:1: no rows"},
    {BYTES(" \t "), "1:4: no rows"},
    {BYTES("# nothing"), "1:10: no rows"},
    {BYTES("# nothing\n\n# else\n"), "4:1: no rows"},
    {BYTES("\xef\xbb\xbf"), "1:1: no rows"},
    /* the place is counted through everything that is skipped */
    {BYTES("1 1:1\n\n# c\r\n  \n-1 qid:3 1:1 # c\n1 2:2 2:3\n"),
     "6:7: feature index 2 is repeated"},
    {BYTES("\xef\xbb\xbf"
           "1 1:1 1:1\n"),
     "1:7: feature index 1 is repeated"},
    {BYTES("\xef\xbb\xbf\n\t1 \t 1:x\n"), "2:8: value 'x' is not a number"},
};

static const struct expectation refused_zero_based[] = {
    {BYTES("1 0:1 0:2\n"), "1:7: feature index 0 is repeated"},
    {BYTES("1 1:1 0:2\n"), "1:7: feature index 0 behind 1; indices must ascend"},
    {BYTES("1 2147483647:1\n"), "1:3: feature index 2147483647 is beyond 2147483646"},
};

static const struct expectation refused_optional[] = {
    {BYTES("x 1:1\n"), "1:1: label 'x' is not a number"},
    {BYTES("x:1\n"), "1:1: 'x:1' is no index:value pair"},
    {BYTES("1:1 1:1\n"), "1:5: feature index 1 is repeated"},
    {BYTES("1:1 5 2:1\n"), "1:6: no ':' behind feature index 5"},
    {BYTES("1\n0:1\n"), "2:1: feature index 0; indices start at 1 (--zero-based reads files whose "
                        "indices start at 0)"},
    {BYTES("\n"), "2:1: no rows"},
};

static void refuses_every_fault_where_it_is(void **unused)
{
    (void)unused;
    expect_refusals(refused, COUNT(refused), &ordinary);
    expect_refusals(refused_zero_based, COUNT(refused_zero_based), &zero_based);
    expect_refusals(refused_optional, COUNT(refused_optional), &optional_labels);
}

/* Not "no value behind '1:'": an editor would show nothing wrong there. */
static void names_a_nul_byte_wherever_it_stands(void **unused)
{
    static const struct expectation row[] = {
        {BYTES("1 1\0:1\n"), "1:4: NUL byte"},    {BYTES("1 1:\0001\n"), "1:5: NUL byte"},
        {BYTES("1 1:1e\0\n"), "1:7: NUL byte"},   {BYTES("1 qid:\0001 1:1\n"), "1:7: NUL byte"},
        {BYTES("-\0001 1:1\n"), "1:2: NUL byte"}, {BYTES("1:\0 1:1\n"), "1:3: NUL byte"},
    };

    (void)unused;
    expect_refusals(row, COUNT(row), &ordinary);
}

/* An escape sequence in a message would go to the user's terminal. */
static void shows_no_control_bytes_in_messages(void **unused)
{
    static const struct expectation row[] = {
        {BYTES("1 qid:1\x1b[2J 1:1\n"), "1:8: byte 0x1b: this is no text file"},
        {BYTES("1 qid:\x07 1:1\n"), "1:7: byte 0x07: this is no text file"},
    };

    (void)unused;
    expect_refusals(row, COUNT(row), &ordinary);
}

/* ---- Places that cannot be read ---------------------------------------- */

static void expect_file_error(const char *path, const char *message)
{
    struct hinge_error error = {HINGE_OK, ""};
    struct hinge_row row;
    struct hinge_reader *reader = hinge_reader_open(path, &ordinary, &error);

    if (reader)
        assert_int_equal(hinge_reader_next(reader, &row, &error), -1);
    assert_int_equal(error.status, HINGE_FILE_ERROR);
    assert_string_equal(error.message, message);
    hinge_reader_close(reader);
    memset(&error, 0, sizeof error);
    assert_null(hinge_dataset_read(path, &ordinary, &error));
    assert_int_equal(error.status, HINGE_FILE_ERROR);
    assert_string_equal(error.message, message);
}

static void says_what_file_cannot_be_read(void **unused)
{
    char message[512];
    const char *path = scratch_path("no-such-file");

    (void)unused;
    snprintf(message, sizeof message, "cannot open %s: %s", path, strerror(ENOENT));
    expect_file_error(path, message);
    path = scratch_path("");
    snprintf(message, sizeof message, "cannot read %s: %s", path, strerror(EISDIR));
    expect_file_error(path, message);
    snprintf(message, sizeof message, "cannot open : %s", strerror(ENOENT));
    expect_file_error("", message);
    path = write_whole(BYTES("x\n"));
    assert_null(hinge_dataset_read(path, &ordinary, &(struct hinge_error){HINGE_OK, ""}));
    hinge_dataset_free(NULL);
    hinge_reader_close(NULL);
}

/* ---- Standard input ---------------------------------------------------- */

/* Makes standard input the reading end of a pipe that a child fills in dribs and drabs. */
static pid_t feed(const char *bytes, size_t length, size_t step)
{
    int end[2];
    pid_t child;

    assert_int_equal(pipe(end), 0);
    child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        close(end[0]);
        for (size_t i = 0; i < length; i += step)
            if (write(end[1], bytes + i, length - i < step ? length - i : step) < 0)
                _exit(1);
        _exit(0);
    }
    close(end[1]);
    assert_int_equal(dup2(end[0], 0), 0);
    close(end[0]);
    clearerr(stdin);
    return child;
}

static void expect_fed(const char *bytes, size_t length, size_t step, const char *expected)
{
    struct expectation row = {bytes, length > 60 ? 60 : length, expected};
    int saved = dup(0);

    assert_true(saved > 0);
    for (int way = 0; way < 2; way++) {
        pid_t child = feed(bytes, length, step);
        struct dump dump = (way ? dump_reader : dump_dataset)("-", &ordinary);

        assert_int_equal(dup2(saved, 0), 0);
        assert_int_equal(waitpid(child, NULL, 0), child);
        expect_dump(dump, "standard input", expected, &row, 0);
    }
    close(saved);
    clearerr(stdin);
}

static void reads_a_pipe_as_it_comes(void **unused)
{
    enum { LENGTH = 400000 };
    char *bytes = malloc(LENGTH);

    (void)unused;
    assert_non_null(bytes);
    expect_fed(BYTES("\xef\xbb\xbf"
                     "1 1:1\r\n-1 2:25\r\n"),
               1, "1 0:1;-1 1:25;");
    expect_fed(BYTES("1 1:1\n2 1:x\n"), 1, "!(standard input):2:5: value 'x' is not a number");
    expect_fed(BYTES(""), 1, "!(standard input):1:1: no rows");
    memset(bytes, ' ', LENGTH);
    memcpy(bytes, "1 1:3", 5);
    memcpy(bytes + LENGTH - 6, "\n4 2:5", 6);
    expect_fed(bytes, LENGTH, 4097, "1 0:3;4 1:5;");
    free(bytes);
}

/* ---- The ends of the buffer -------------------------------------------- */

enum padding { COMMENT, BLANKS, BLANK_LINES, PADDINGS };

/* Fills filler with length bytes that change nothing but the place of what follows. */
static void fill(char *filler, size_t length, enum padding padding)
{
    memset(filler, padding == COMMENT ? '#' : padding == BLANKS ? ' ' : '\n', length);
    if (padding == COMMENT && length > 0)
        filler[length - 1] = '\n';
}

/* Reads the case with the first end of the buffer behind each of its bytes. */
static void sweep(const struct expectation *row, const struct hinge_format *format, int is_refusal,
                  enum padding padding)
{
    static char filler[CHUNK + 8];

    for (size_t inside = 0; inside <= row->length + 1; inside++) {
        size_t length = CHUNK + 1 - inside;
        unsigned long lines = padding == COMMENT ? 1 : padding == BLANKS ? 0 : length;
        const char *path, *expected = row->expected;

        fill(filler, length, padding);
        if (inside == 0)
            write_whole(filler, length);
        else
            write_at(length - 1, filler + length - 1, 1);
        path = write_at(length, row->bytes, row->length);
        if (is_refusal)
            expected = refusal(path, expected, lines, padding == BLANKS ? length : 0);
        expect(path, format, expected, row, length);
    }
}

static void sweep_all(const struct expectation *row, size_t rows, const struct hinge_format *format,
                      int is_refusal)
{
    for (size_t i = 0; i < rows; i++) {
        if (row[i].length >= 3 && memcmp(row[i].bytes, "\xef\xbb\xbf", 3) == 0)
            continue; /* no mark unless at the start */
        sweep(&row[i], format, is_refusal, COMMENT);
        sweep(&row[i], format, is_refusal, BLANKS);
    }
}

static void reads_on_inside_everything_accepted(void **unused)
{
    (void)unused;
    sweep_all(accepted, COUNT(accepted), &ordinary, 0);
    sweep_all(accepted_zero_based, COUNT(accepted_zero_based), &zero_based, 0);
    sweep_all(accepted_optional, COUNT(accepted_optional), &optional_labels, 0);
}

static void reads_on_inside_everything_refused(void **unused)
{
    (void)unused;
    sweep_all(refused, COUNT(refused), &ordinary, 1);
    sweep_all(refused_zero_based, COUNT(refused_zero_based), &zero_based, 1);
    sweep_all(refused_optional, COUNT(refused_optional), &optional_labels, 1);
}

/* Everything at once. */
static const struct expectation medley = {
    BYTES("+1  qid:12 \t 1:0.5  20:-1.25e-3\t300:4 # comment\r\n"
          "\r\n"
          "-1 1:1#attached\n"
          "2\r\n"
          "# whole line\r\n"
          "\t3.5e0 7:123456789012345678901234567890 8:0\r\n"
          "-1"),
    "1 0:0.5 19:-0.00125 299:4;-1 0:1;2;3.5 6:1.2345678901234568e+29 7:0;-1;"};

/* Writes rows "1 1:1" until count bytes are full but for a comment, to filler; how many rows. */
static size_t fill_rows(char *filler, size_t count)
{
    size_t rows = 0;

    for (; 6 * (rows + 1) + 2 <= count; rows++)
        memcpy(filler + 6 * rows, "1 1:1\n", 6);
    fill(filler + 6 * rows, count - 6 * rows, COMMENT);
    return rows;
}

/* Behind rows, where the buffer is refilled in the middle of a token, at its first and second
 * end. */
static void reads_on_behind_many_rows(void **unused)
{
    static char filler[2 * CHUNK + 8];
    char expected[300];

    (void)unused;
    snprintf(expected, sizeof expected, "1 0:1;%s", medley.expected);
    sweep(&medley, &ordinary, 0, BLANK_LINES);
    for (size_t chunk = 1; chunk <= 2; chunk++)
        for (size_t inside = 0; inside <= medley.length + 1; inside++) {
            size_t length = chunk * CHUNK + 1 - inside, rows = fill_rows(filler, length);
            const char *path;

            write_whole(filler, length);
            path = write_at(length, medley.bytes, medley.length);
            expect_dump(dump_dataset_from(rows - 1, path, &ordinary), "dataset", expected, &medley,
                        length);
        }
}

/* One row of more features than a buffer holds, shifted byte by byte; each value tells its
 * index. */
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

/* A number of up to so many places, now and then in another notation. */
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

/* However the values are kept, and whenever that has to change, they are the doubles nearest to
 * the text. */
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

/* Values are kept from the first one that is not 1 on, wherever in growing arrays that is; those
 * before it are 1 then. */
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

/* One large index among small ones, wherever in growing arrays it is, and just beside the limit:
 * all are what they were. */
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

/* ---- What is longer than the buffer ------------------------------------ */

/* Expects before, count times the byte, behind to read as expected: rows, or "!" and a refusal. */
static void expect_long(const char *before, char byte, size_t count, const char *behind,
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

static void reads_numbers_longer_than_the_buffer(void **unused)
{
    static const size_t count[] = {65533,  65534,  65535,  65536,  65537,  65538,  131066, 131067,
                                   131068, 131069, 131070, 131071, 131072, 131073, 196608, 300000};

    (void)unused;
    for (size_t i = 0; i < COUNT(count); i++) {
        size_t n = count[i];

        expect_long("1 1:0.", '0', n, "5 2:3\n-1 4:5\n", "1 0:0 1:3;-1 3:5;");
        expect_long("1 1:0.5", '0', n, " 2:3\n", "1 0:0.5 1:3;");
        expect_long("1 1:0.1", '3', n, "\r\n2 1:1", "1 0:0.13333333333333333;2 0:1;");
        expect_long("1 1:", '0', n, "25e-1#", "1 0:2.5;");
        expect_long("", '0', n, "2 1:3\n", "2 0:3;");
        expect_long("1 qid:", '0', n, "9 1:3\n", "1 0:3;");
        expect_long("1 1:1e", '0', n, "2\n", "1 0:100;");
        expect_long("1 1:3 2:1e-", '9', n, "\n", "1 0:3 1:0;");
    }
}

static void refuses_tokens_longer_than_the_buffer(void **unused)
{
    enum { N = 300000 };

    (void)unused;
    expect_long(
        "1 1", '3', N, ":1\n",
        "!1:3: feature index 1333333333333333333333333333333333333333 is beyond 2147483646");
    expect_long(
        "1 1:1", '0', N, "\n",
        "!1:5: value '1000000000000000000000000000000000000000' is beyond the largest double");
    expect_long("1 1:", '0', N, "x\n",
                "!1:300005: trailing junk in value '0000000000000000000000000000000000000000'");
    expect_long("", '0', N, ",5 1:1\n",
                "!1:300001: trailing junk in label '0000000000000000000000000000000000000000'");
    expect_long("1 ", '2', N, "\n",
                "!1:300003: no ':' behind feature index 2222222222222222222222222222222222222222");
    expect_long("1 1:1 ", 'y', N, "",
                "!1:7: 'yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy' is no index:value pair");
    expect_long(
        "1 qid:", '1', N, "\n",
        "!1:7: qid '1111111111111111111111111111111111111111' is beyond the largest double");
    expect_long("1 1:", '1', N, "\x01\n", "!1:300005: byte 0x01: this is no text file");
}

static void reads_lines_of_many_mebibytes(void **unused)
{
    enum { LONG = 5 << 20 }; /* 5242880 */

    (void)unused;
    expect_long("1 1:1 ", ' ', LONG, "2:2\n3 1:1\n", "1 0:1 1:2;3 0:1;");
    expect_long("", '\t', LONG, "1 1:1\n", "1 0:1;");
    expect_long("1 1:1 #", 'x', LONG, "\n3 1:1\n", "1 0:1;3 0:1;");
    expect_long("#", '#', LONG, "\r\n3 1:1\n", "3 0:1;");
    expect_long("1 1:1", '\n', LONG, "3 1:1\n", "1 0:1;3 0:1;");
    expect_long("1 ", ' ', LONG, "qid:4 2:2\n3 1:1\n", "1 1:2;3 0:1;");
    expect_long("1 1:1 #", 'x', LONG, "", "1 0:1;");
    expect_long("1 1:1", ' ', LONG, "1:1\n", "!1:5242886: feature index 1 is repeated");
    expect_long("1 1:1", ' ', LONG, "\r2:2\n", "!1:5242886: carriage return inside a line");
    expect_long("", ' ', LONG, "", "!1:5242881: no rows");
    expect_long("1\n", '\n', LONG, "x 1:1\n", "!5242882:1: label 'x' is not a number");
}

/* ---- Against a slow reader --------------------------------------------- */

struct file {
    char byte[CONTENT_BYTES];
    size_t length;
};

static size_t below(uint64_t *state, size_t bound)
{
    return (size_t)(random_bits(state) % bound);
}

static void put(struct file *file, const char *text)
{
    size_t length = strlen(text);

    assert_true(file->length + length <= sizeof file->byte);
    memcpy(file->byte + file->length, text, length);
    file->length += length;
}

static const char *pick_blanks(uint64_t *state)
{
    static const char *const blanks[] = {" ", " ", " ", " ", "\t", "  ", " \t ", "   "};

    return blanks[below(state, COUNT(blanks))];
}

static void put_number(struct file *file, uint64_t *state)
{
    static const char *const number[] = {
        "1",     "-1",  "+1",    "0",     "2",      "3.5",  ".5",
        "5.",    "1e5", "-2E-3", "1e308", "1e-320", "0.1",  "12345.678",
        "-.25",  "00",  "-0",    "1e22",  "1e23",   "9e15", "9007199254740993",
        "1e-400"};

    put(file, number[below(state, COUNT(number))]);
}

static void put_row(struct file *file, uint64_t *state)
{
    unsigned long index = 0;
    char text[32];

    if (below(state, 6) == 0)
        put(file, pick_blanks(state));
    if (below(state, 12) > 0)
        put_number(file, state);
    if (below(state, 6) == 0) {
        put(file, pick_blanks(state));
        put(file, below(state, 4) ? "qid:3" : "qid:12");
    }
    if (below(state, 4) == 0)
        index = below(state, 20000000) >> below(state, 24);
    for (size_t count = below(state, 6); count > 0; count--) {
        index += 1 + below(state, below(state, 8) ? 5 : 400000000);
        put(file, pick_blanks(state));
        snprintf(text, sizeof text, "%lu:", index - (below(state, 30) == 0));
        put(file, text);
        put_number(file, state);
    }
    if (below(state, 6) == 0)
        put(file, pick_blanks(state));
}

/* Mostly valid. */
static void make_file(struct file *file, uint64_t *state)
{
    file->length = 0;
    if (below(state, 20) == 0)
        put(file, "\xef\xbb\xbf");
    for (size_t lines = 1 + below(state, 6); lines > 0; lines--) {
        if (below(state, 8) > 0)
            put_row(file, state);
        if (below(state, 6) == 0)
            put(file, below(state, 2) ? "# a comment 1:1" : "#");
        if (lines > 1 || below(state, 4) > 0)
            put(file, below(state, 4) ? "\n" : "\r\n");
    }
}

/* Replaces count bytes at place by other ones. */
static void replace(struct file *file, size_t place, size_t count, const char *other, size_t length)
{
    memmove(file->byte + place + length, file->byte + place + count, file->length - place - count);
    memcpy(file->byte + place, other, length);
    file->length += length - count;
}

static void mutate(struct file *file, uint64_t *state)
{
    static const char byte[] = "0123456789::..eE+-## \t\n\r\0\x01\x7fxnaqid,\xef\xbb\xbf";
    static const struct {
        const char *bytes;
        size_t length;
    } fragment[] = {
        {BYTES("nan")},   {BYTES("inf")},          {BYTES("qid:")},        {BYTES(" qid:7")},
        {BYTES("0x1p3")}, {BYTES("1e999")},        {BYTES(" 0:1")},        {BYTES("e-")},
        {BYTES("\r\n")},  {BYTES("2147483647:")},  {BYTES("4294967297:")}, {BYTES(" 7:8 ")},
        {BYTES(" ")},     {BYTES("\xef\xbb\xbf")}, {BYTES("\n\n")},        {BYTES("# \0")},
        {BYTES("#")},     {BYTES("2147483646:")},  {BYTES("\r")},          {BYTES("+-")},
    };
    size_t place = below(state, file->length + 1), rest = file->length - place;
    size_t count = rest ? below(state, rest < 8 ? rest : 8) : 0;
    size_t i = below(state, COUNT(fragment));
    char copy[8];

    switch (below(state, 6)) {
    case 0:
        replace(file, place, rest > 0, "", 0);
        break;
    case 1:
        replace(file, place, 0, byte + below(state, sizeof byte - 1), 1);
        break;
    case 2:
        replace(file, place, rest > 0, byte + below(state, sizeof byte - 1), 1);
        break;
    case 3:
        replace(file, place, 0, fragment[i].bytes, fragment[i].length);
        break;
    case 4:
        memcpy(copy, file->byte + place, count);
        replace(file, place, 0, copy, count);
        break;
    default:
        replace(file, place, count, "", 0);
    }
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
        "zero_based %d, optional_labels %d, behind %lu bytes of comment: '%s'\n"
        "expected %s, line %lu, %lu rows, %lu entries; read %s, line %lu, %lu rows, %lu entries",
        format->zero_based, format->optional_labels, (unsigned long)padding, shown,
        slow->refused ? "a refusal" : "rows", slow->line, (unsigned long)slow->rows,
        (unsigned long)slow->entries, fast->refused ? "a refusal" : "rows", fast->line,
        (unsigned long)fast->rows, (unsigned long)fast->entries);
}

/* Puts a small file into a pipe, which takes a fraction of the time of a file system. */
static const char *pipe_in(const char *bytes, size_t length)
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

static void compare_with_slow(const struct file *file, const char *path, size_t padding,
                              const char *whole, const struct hinge_format *format,
                              struct content *slow)
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

/* Reads a random file both ways; 1 if it was refused. */
static int compare_readers(uint64_t *state)
{
    static struct content slow;
    static struct file file;
    static char whole[CHUNK + sizeof file.byte];
    struct hinge_format format = {(int)below(state, 2), (int)below(state, 2)};
    size_t padding = 0;
    const char *path;

    make_file(&file, state);
    for (size_t count = below(state, 4); count > 0; count--)
        mutate(&file, state);
    if (below(state, 16) == 0) { /* the end of the buffer somewhere inside */
        padding = CHUNK - below(state, file.length + 2);
        fill(whole, padding, COMMENT);
    }
    memcpy(whole + padding, file.byte, file.length);
    path = (padding ? write_whole : pipe_in)(whole, padding + file.length);
    compare_with_slow(&file, path, padding, whole, &format, &slow);
    return slow.refused;
}

/* Three indices of as many digits, any byte in the place of any of the second one and its colon:
 * the reader expects it to be as long as the first. */
static void test_indices_of_every_length(void **unused)
{
    enum { MOST = 10 };
    unsigned long first = 1;
    unsigned rows = 0;
    int saved = dup(0);

    (void)unused;
    assert_true(saved > 0);
    for (unsigned digits = 1; digits <= MOST; digits++, first *= 10)
        for (unsigned place = 0; place <= digits; place++)
            for (unsigned byte = 0; byte < 256; byte++) {
                const struct hinge_format format = {0, byte % 2};
                static struct content slow;
                struct file file;
                int second = 0;

                file.length = (size_t)sprintf(file.byte, "1 %lu:0.5 %n%lu:0.25 %lu:1.5\n", first,
                                              &second, first + 1, first + 7);
                file.byte[(unsigned)second + place] = (char)byte;
                compare_with_slow(&file, pipe_in(file.byte, file.length), 0, file.byte, &format,
                                  &slow);
                rows += !slow.refused;
            }
    assert_true(rows > 3 * MOST);
    assert_int_equal(dup2(saved, 0), 0);
    close(saved);
    clearerr(stdin);
}

static void reads_random_files_like_a_slow_reader(void **unused)
{
    const long count = SANITIZED ? 50000 : 300000;
    uint64_t state = 3;
    long refusals = 0;
    int saved = dup(0);

    (void)unused;
    assert_true(saved > 0);
    for (long i = 0; i < count; i++)
        refusals += compare_readers(&state);
    print_message("%ld random files read twice, %ld of them refused\n", count, refusals);
    assert_in_range(refusals, count / 4, count - count / 4);
    assert_int_equal(dup2(saved, 0), 0);
    close(saved);
    clearerr(stdin);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_kind_keeps_the_nearest_doubles),
        cmocka_unit_test(test_values_are_kept_when_one_is_not_one),
        cmocka_unit_test(test_indices_of_two_bytes_are_widened_when_one_needs_it),
        cmocka_unit_test(accepts_every_form),
        cmocka_unit_test(reads_an_index_with_many_leading_zeros),
        cmocka_unit_test(gives_rows_without_label_a_definite_label),
        cmocka_unit_test(refuses_every_fault_where_it_is),
        cmocka_unit_test(names_a_nul_byte_wherever_it_stands),
        cmocka_unit_test(shows_no_control_bytes_in_messages),
        cmocka_unit_test(says_what_file_cannot_be_read),
        cmocka_unit_test(reads_a_pipe_as_it_comes),
        cmocka_unit_test(reads_on_inside_everything_accepted),
        cmocka_unit_test(reads_on_inside_everything_refused),
        cmocka_unit_test(reads_on_behind_many_rows),
        cmocka_unit_test(reads_on_inside_a_row_of_many_features),
        cmocka_unit_test(reads_numbers_longer_than_the_buffer),
        cmocka_unit_test(refuses_tokens_longer_than_the_buffer),
        cmocka_unit_test(reads_lines_of_many_mebibytes),
        cmocka_unit_test(test_indices_of_every_length),
        cmocka_unit_test(reads_random_files_like_a_slow_reader),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
