/* slow_reader.h - what is in a small data file, by a reader that is slow and plain and by the real
 * ones: for the unit tests and the fuzzer alike. */
#ifndef HINGE_TESTS_SLOW_READER_H
#define HINGE_TESTS_SLOW_READER_H

#include "hinge.h"

/* The longest file; no row takes less than 2 bytes of it, no entry less than 4. */
enum { CONTENT_BYTES = 4096, CONTENT_ROWS = CONTENT_BYTES / 2 + 1, CONTENT_ENTRIES = 1024 };

/* All bytes 0 where nothing was read. */
struct content {
    int refused;
    int is_whole;       /* a dataset without indices, with the zeros that the file leaves out */
    unsigned long line; /* line of the fault */
    size_t rows, entries;
    size_t end[CONTENT_ROWS]; /* end of the row's entries */
    int labelled[CONTENT_ROWS];
    double label[CONTENT_ROWS];
    uint32_t index[CONTENT_ENTRIES];
    double value[CONTENT_ENTRIES];
};

/* Reads bytes line by line, with the functions of string.h and strtod, in the "C" locale. Behind a
 * comment they may be more than CONTENT_BYTES. */
void slow_read(const char *bytes, size_t length, const struct hinge_format *format,
               struct content *content);

/* Reads the rows by hinge_reader_next, and by hinge_dataset_read, which demands a label in every
 * row. */
void fast_rows(const char *path, const struct hinge_format *format, struct content *content);
void fast_dataset(const char *path, const struct hinge_format *format, struct content *content);

/* Reads as fast_dataset does, with a first buffer of `chunk` bytes, and that many threads. */
void fast_pieces(const char *path, const struct hinge_format *format, size_t chunk,
                 unsigned threads, struct content *content);

/* True if the contents are equal bit for bit, or refused in the same line. a is not of a dataset.
 */
int same_content(const struct content *a, const struct content *b);

/* True if the totals of a dataset are the totals of its rows. */
int totals_hold(const struct hinge_dataset *data, const struct hinge_format *format);

#endif
