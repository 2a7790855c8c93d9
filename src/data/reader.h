/* reader.h - lines of text -> rows of a block, and files with a word for each row. */
#ifndef HINGE_DATA_READER_H
#define HINGE_DATA_READER_H

#include "base/dictionary.h"
#include "data/block.h"
#include "data/source.h"
#include "hinge.h"

/* The largest index of a feature, as written in a file. It fits the int of the peers. */
enum { LARGEST_INDEX = 2147483646 };

struct hinge_reader {
    struct source source;
    struct hinge_format format;
    struct block block;
    uint64_t rows; /* read so far */
    uint64_t line; /* number of the line of the latest row */
    int is_part;   /* the source is a part of the data, and may have no row */
};

/* Makes a reader without a source, for a whole file: its block has no indices at first. Call
 * reader_end in any case; it frees what the block and the source still have. */
enum hinge_status reader_begin(struct hinge_reader *reader, const struct hinge_format *format,
                               struct hinge_error *error);
void reader_end(struct hinge_reader *reader);

/* Empties the block and gives it the kinds of the block of another reader. */
enum hinge_status reader_clear(struct hinge_reader *reader, const struct hinge_reader *like,
                               struct hinge_error *error);

/* Appends the next row to the block. Returns 1, 0 at the end of the data, -1 on failure: also if
 * the data end without any row. */
int reader_next(struct hinge_reader *reader, struct hinge_error *error);

/* Appends all rows that follow. */
enum hinge_status reader_rest(struct hinge_reader *reader, struct hinge_error *error);

/* ---- One word for each row (row_words.c) -------------------------------- */

/* Groups of rows. All zero: no group. */
struct groups {
    struct dictionary names; /* the number of a name is the number of its group */
    uint32_t *of_row;        /* [rows] group of each row */
};

/* Reads a file of names, one on each line, without blanks, for this number of rows. Skips comments
 * and empty lines. Rows with the same name, letter by letter, are a group. Free with groups_free,
 * on failure too. */
enum hinge_status groups_read(struct groups *groups, const char *path, size_t rows,
                              struct hinge_error *error);
void groups_free(struct groups *groups);

#endif
