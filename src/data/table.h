/* table.h - the records of a text table: CSV, TSV, columns of blanks.
 *
 * A field is what is between separators, without the blanks around it. In a field that begins with
 * a quote, separators and line ends up to the next quote are text, and two quotes stand for one
 * (RFC 4180), unless plain_quotes is set. A line ends with \n, \r\n or \r. Lines without text are
 * skipped. A first line "sep=;" names the separator. All records must have as many fields as the
 * first; empty fields after them do not count. With first_is_free, they must have as many as the
 * second.
 *
 * With TABLE_LINES as separator, a line is one field, with its quotes, and empty lines count. If
 * the first line begins with __label__, as fastText's do, a line is two fields: the word after
 * __label__, empty where it is missing, and the rest.
 */
#ifndef HINGE_DATA_TABLE_H
#define HINGE_DATA_TABLE_H

#include "data/source.h"

#define TABLE_LINES '\n'

struct field {
    const char *text; /* text[length] cannot belong to a number */
    size_t length;
    const char *place; /* place in the source, for messages */
    int doubled;       /* two quotes stand in it for one */
};

struct table {
    struct source source;
    /* , ; | tab, or TABLE_LINES; a blank stands for any number of blanks and tabs */
    char separator;
    int decimal_comma;         /* a comma between digits separates no columns */
    int plain_quotes;          /* quotes are letters */
    const char *quotes_advice; /* the end of messages about quotes */
    size_t fields;             /* fields of the record */
    size_t dropped;            /* empty fields after the last one that counts */
    struct field *field;       /* [fields] */
    uint64_t records;          /* read so far, this one included */
    size_t capacity;           /* fields that there is room for */
    size_t width;              /* fields that records must have; 0: there was none */
    int row_names;             /* the first record lacks the first field, which is then empty */
    int is_sample;             /* the buffer belongs to another table, see table_sample */
    int is_cut;                /* the last record of a sample may be incomplete and is left out */
    int any_width;             /* records may have different numbers of fields */
    int first_is_free;   /* the first record may have another number of fields than the others */
    int has_quotes;      /* a field of the record began with a quote and may have several lines */
    uint64_t long_field; /* with tabs, the line where the first record with a line end in a field
                            begins; 0: there is none so far */
    const char *after;   /* where the next record begins */
    char *text;          /* copies of fields whose quotes are doubled */
    size_t room;         /* bytes of text */
};

/* Opens a table; "-" is standard input. If the separator is 0, the first line decides: TABLE_LINES
 * if it begins with __label__, or the first of tab ; , | that is there outside quotes, else blanks.
 * With decimal_comma, a comma between digits is no such separator. Call table_close on failure,
 * too. */
enum hinge_status table_open(struct table *table, const char *path, char separator,
                             int decimal_comma, struct hinge_error *error);

/* Finds width and row_names from the first records, before any is read. Fields that are empty at
 * the end of all these records are no columns, except the first `least` ones. can_lack_name allows
 * tables of R, whose first line of names has one field less than all others. */
enum hinge_status table_survey(struct table *table, size_t least, int can_lack_name,
                               struct hinge_error *error);

/* Makes *sample a reader of the records in the buffer, from the current one on: after table_survey
 * at least ten, unless the table or 16 MiB end before. The sample lasts until the next call for the
 * table, ends at a record that is wrong, and is closed by table_close. */
void table_sample(const struct table *table, struct table *sample);

/* Moves back to the first record. Call source_keep before, while the beginning is in the buffer of
 * the source: after table_survey it is until more than ten records are read. */
enum hinge_status table_rewind(struct table *table, struct hinge_error *error);

/* Reads the next record, whose fields are valid until the next call. Returns 1, 0 at the end, -1 on
 * failure. */
int table_next(struct table *table, struct hinge_error *error);

/* Returns the text of the current record as the table has it, up to its last field that counts, and
 * stores its length. The line end stands after the fields that do not count, at *end. */
const char *table_text(const struct table *table, size_t *length, const char **end);

/* Closes the table, which may be all zero. */
void table_close(struct table *table);

/* Does what source_fail does, at a place in the record. */
#define table_fail(table, place, error, ...)                                                       \
    (table_error_fill((table), (place), (error), __VA_ARGS__), HINGE_BAD_INPUT)

void table_error_fill(const struct table *table, const char *place, struct hinge_error *error,
                      const char *format, ...) PRINTF_LIKE(4, 5);

#endif
