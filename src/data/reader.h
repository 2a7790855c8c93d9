/* reader.h - LIBSVM text -> rows; what hinge_reader and hinge_dataset_read share. */
#ifndef HINGE_DATA_READER_H
#define HINGE_DATA_READER_H

#include "data/entries.h"
#include "data/source.h"
#include "hinge.h"

/* The largest index of a feature, as written in a file; it fits the int of the peers. */
enum { LARGEST_INDEX = 2147483646 };

struct hinge_reader {
    struct source source;
    struct hinge_format format;
    struct entries entries;
    uint64_t rows; /* read so far */
    uint64_t line; /* of the latest one */
    int is_part;   /* the source is a part of the data, and may have no row */
};

/* Makes a reader without a source, with entries of these kinds at first. reader_end is to be called
 * in any case; it frees what the entries and the source still have. */
enum hinge_status reader_begin(struct hinge_reader *reader, const struct hinge_format *format,
                               enum hinge_index_kind index_kind, enum hinge_value_kind value_kind,
                               struct hinge_error *error);
void reader_end(struct hinge_reader *reader);

/* Reads the next row, appending its non-zeros to reader->entries: 1 and *label, *labelled set,
 * 0 at the end of the data, -1 and *error, also if the data end without any row. */
int reader_append_row(struct hinge_reader *reader, double *label, int *labelled,
                      struct hinge_error *error);

/* Takes the word from source->cursor to end, of the row of that number. */
typedef enum hinge_status word_function(void *context, struct source *source, const char *end,
                                        size_t row, struct hinge_error *error);

/* Reads a file of words for so many rows, one a line; comments and lines with nothing on them are
 * skipped. HINGE_BAD_INPUT if there are fewer or more of them; what names such a word. */
enum hinge_status reader_words(const char *path, size_t rows, const char *what, word_function *take,
                               void *context, struct hinge_error *error);

#endif
