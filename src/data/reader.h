/* reader.h - LIBSVM text -> rows; what hinge_reader and hinge_dataset_read share. */
#ifndef HINGE_DATA_READER_H
#define HINGE_DATA_READER_H

#include "data/entries.h"
#include "data/source.h"
#include "hinge.h"

struct hinge_reader {
    struct source source;
    struct hinge_format format;
    struct entries entries;
    uint64_t rows; /* read so far */
};

/* hinge_reader_open, with entries of these kinds at first. */
struct hinge_reader *reader_open(const char *path, const struct hinge_format *format,
                                 enum hinge_index_kind index_kind, enum hinge_value_kind value_kind,
                                 struct hinge_error *error);

/* Reads the next row, appending its non-zeros to reader->entries: 1 and *label, *labelled set,
 * 0 at the end of the data, -1 and *error, also if the data end without any row. */
int reader_append_row(struct hinge_reader *reader, double *label, int *labelled,
                      struct hinge_error *error);

#endif
