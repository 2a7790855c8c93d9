/* reader.h - LIBSVM text -> rows; what hinge_reader and hinge_dataset_read share. */
#ifndef HINGE_DATA_READER_H
#define HINGE_DATA_READER_H

#include "data/source.h"
#include "hinge.h"

/* Non-zeros of one row after the other, in growing arrays. */
struct entries {
    uint32_t *index;
    double *value; /* NULL as long as all are 1 */
    size_t count;
    size_t capacity;
};

struct hinge_reader {
    struct source source;
    struct hinge_format format;
    struct entries entries;
    uint64_t rows; /* read so far */
};

/* Reads the next row, appending its non-zeros to reader->entries: 1 and *label, *labelled set,
 * 0 at the end of the data, -1 and *error, also if the data end without any row. */
int reader_append_row(struct hinge_reader *reader, double *label, int *labelled,
                      struct hinge_error *error);

/* Before the first row: keep no values as long as all are 1. */
void reader_forget_values(struct hinge_reader *reader);

/* Reads the number on the next line that has something on it: 1, 0 at the end, -1. That it is alone
 * there shows at the next call. */
int reader_next_number(struct hinge_reader *reader, const char *what, double *number,
                       struct hinge_error *error);

#endif
