/* data_files.h - data files for the tests of src/data, and the results that reading must give. */
#ifndef HINGE_TESTS_DATA_FILES_H
#define HINGE_TESTS_DATA_FILES_H

#include "slow_reader.h"
#include "support.h"

extern const struct hinge_format ordinary, zero_based, optional_labels;

/* "label index:value index:value;" for each row, indices from 0; a row without a label starts
 * with '?'. A refusal is "!" and its message, and nothing of the rows before it. */
struct dump {
    char *text;
    size_t length, capacity;
};

/* Returns a dump of the rows, read one by one. */
struct dump dump_reader(const char *path, const struct hinge_format *format);

/* Returns a dump of the dataset's rows from `first` on. A dataset does not say which rows had no
 * label. */
struct dump dump_dataset_from(size_t first, const char *path, const struct hinge_format *format);

struct dump dump_dataset(const char *path, const struct hinge_format *format);

/* A text that may have NUL bytes, and its length. */
#define BYTES(literal) literal, sizeof literal - 1

struct expectation {
    const char *bytes;
    size_t length;
    const char *expected; /* rows, or "LINE:COLUMN: reason" */
};

/* Makes a scratch file end in length bytes at offset; bytes before them stay. Never empties the
 * file and writes little, because there are thousands of files. */
const char *write_at(size_t offset, const char *bytes, size_t length);

const char *write_whole(const char *bytes, size_t length);

void expect_dump(struct dump dump, const char *way, const char *expected,
                 const struct expectation *row, size_t padding);

/* Checks that both ways of reading give the expected dump. */
void expect(const char *path, const struct hinge_format *format, const char *expected,
            const struct expectation *row, size_t padding);

void expect_all(const struct expectation *row, size_t rows, const struct hinge_format *format);

/* Returns the message of a refusal with the path before it. Adds `lines` to its line, and `columns`
 * to its column in line 1. */
const char *refusal(const char *path, const char *expected, unsigned long lines,
                    unsigned long columns);

void expect_refusals(const struct expectation *row, size_t rows, const struct hinge_format *format);

/* Checks that `before`, count times the byte, and `behind` are read as expected: rows, or "!" and a
 * refusal. */
void expect_long(const char *before, char byte, size_t count, const char *behind,
                 const char *expected);

struct file {
    char byte[CONTENT_BYTES];
    size_t length;
};

/* Puts a small file into a pipe, which takes a fraction of the time of a file system. */
const char *pipe_in(const char *bytes, size_t length);

void compare_with_slow(const struct file *file, const char *path, size_t padding, const char *whole,
                       const struct hinge_format *format, struct content *slow);

#endif
