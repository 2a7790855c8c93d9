/* table.h - the records of a text table: CSV, TSV, columns of blanks; and what the text of a field
 * is.
 *
 * A field is what is between separators, without the blanks around it. In a field that begins with
 * a quote, separators and line ends up to the next quote are text, and two quotes stand for one
 * (RFC 4180). A line ends with \n, \r\n or \r. Lines without text are skipped. All records must
 * have as many fields as the first.
 */
#ifndef HINGE_DATA_TABLE_H
#define HINGE_DATA_TABLE_H

#include "data/source.h"

struct field {
    const char *text; /* text[length] cannot belong to a number */
    size_t length;
    const char *place; /* in the source, for messages */
    int doubled;       /* two quotes stand in it for one */
};

struct table {
    struct source source;
    char separator;      /* , ; | or tab; a blank stands for any number of blanks and tabs */
    int decimal_comma;   /* the comma is part of numbers and separates nothing */
    size_t fields;       /* fields of the record */
    struct field *field; /* [fields] */
    uint64_t records;    /* read so far, this one included */
    size_t capacity;     /* fields that there is room for */
    size_t width;        /* fields of the first record; 0: there was none */
    const char *after;   /* where the next record begins */
    char *text;          /* copies of fields whose quotes are doubled */
    size_t room;         /* bytes of text */
};

/* Opens a table; "-" is standard input. If the separator is 0, the first line decides: the first of
 * tab ; , | that is there outside quotes, else blanks. With decimal_comma, the comma is no such
 * separator. `twice` allows table_rewind; a pipe is then held in memory. Call table_close on
 * failure, too. */
enum hinge_status table_open(struct table *table, const char *path, char separator,
                             int decimal_comma, int twice, struct hinge_error *error);

/* Begins again. */
enum hinge_status table_rewind(struct table *table, struct hinge_error *error);

/* Reads the next record, whose fields are valid until the next call. Returns 1, 0 at the end, -1 on
 * failure. */
int table_next(struct table *table, struct hinge_error *error);

/* Closes the table, which may be all zero. */
void table_close(struct table *table);

/* Does what source_fail does, at a place in the record. */
#define table_fail(table, place, error, ...)                                                       \
    (table_error_fill((table), (place), (error), __VA_ARGS__), HINGE_BAD_INPUT)

void table_error_fill(const struct table *table, const char *place, struct hinge_error *error,
                      const char *format, ...) PRINTF_LIKE(4, 5);

/* ---- Texts of fields ----------------------------------------------------- */

enum cell {
    CELL_MISSING, /* nothing, ?, or NA, N/A, NaN or null in any case */
    CELL_NUMBER,
    CELL_HUGE,  /* a number beyond the largest double */
    CELL_COMMA, /* a number with a decimal comma in a table with decimal points */
    CELL_DATE,  /* a date or a time of day */
    CELL_PAIR,  /* index:value, of data that are in LIBSVM's format */
    CELL_TEXT
};

/* Returns what the text is, and *value if it is a number. decimal is '.' or ','. text[length] is no
 * character of a number. */
enum cell cell_read(const char *text, size_t length, char decimal, double *value);

/* True if the text is digits, a colon and a number. text[length] is no character of a number. */
int cell_is_pair(const char *text, size_t length);

/* True if the text stands for a missing value. */
int cell_is_missing(const char *text, size_t length);

#endif
