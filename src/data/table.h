/* table.h - the records of a text table: CSV, TSV, columns of blanks.
 *
 * Fields are what is between separators, without the blanks around them. In a field that begins
 * with a quote, separators and line ends up to the next quote are text, and two quotes stand for
 * one (RFC 4180). A line ends with \n, \r\n or \r. Lines without text are skipped. All records must
 * have as many fields as the first.
 */
#ifndef HINGE_DATA_TABLE_H
#define HINGE_DATA_TABLE_H

#include "data/source.h"

struct field {
    const char *text; /* what stands at text[length] cannot belong to a number */
    size_t length;
    const char *place; /* in the source, for messages */
    int doubled;       /* quotes stand in it twice */
};

struct table {
    struct source source;
    char separator;      /* , ; | or tab; a blank: any number of blanks and tabs */
    int decimal_comma;   /* the comma is part of numbers and separates nothing */
    size_t fields;       /* of the record */
    struct field *field; /* [fields] */
    uint64_t records;    /* read so far, this one included */
    size_t capacity;     /* of field */
    size_t width;        /* fields of the first record; 0: there was none */
    const char *after;   /* where the next record begins */
    char *text;          /* of fields whose quotes are doubled */
    size_t room;         /* of text */
};

/* Opens a table, "-" being standard input. Separator 0: it is taken from the first line, the first
 * of tab ; , | that is there outside quotes, else blanks; with decimal_comma the comma is not
 * looked for. A table that is opened to be read twice can be rewound; from a pipe it is then held
 * in memory. Call table_close on failure, too. */
enum hinge_status table_open(struct table *table, const char *path, char separator,
                             int decimal_comma, int twice, struct hinge_error *error);

/* Begins again. */
enum hinge_status table_rewind(struct table *table, struct hinge_error *error);

/* Reads the next record, whose fields are valid until the next call: 1, 0 at the end, -1 and
 * *error. */
int table_next(struct table *table, struct hinge_error *error);

/* Closes the table; all zero is fine. */
void table_close(struct table *table);

/* source_fail at a place in the record. */
#define table_fail(table, place, error, ...)                                                       \
    (table_error_fill((table), (place), (error), __VA_ARGS__), HINGE_BAD_INPUT)

void table_error_fill(const struct table *table, const char *place, struct hinge_error *error,
                      const char *format, ...) PRINTF_LIKE(4, 5);

#endif
