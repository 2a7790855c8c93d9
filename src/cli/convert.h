/* convert.h - what the parts of convert share: the command line (convert_options.c), the line of
 * names (convert_header.c), the choice of columns (convert_columns.c), the first reading
 * (convert_profile.c), rows for a test (convert_split.c), the fields (convert_cell.c), the rows and
 * predictions beside them (convert_rows.c), what is printed (convert_report.c), and the work from
 * the beginning to the end (convert_run.c). */
#ifndef HINGE_CLI_CONVERT_H
#define HINGE_CLI_CONVERT_H

#include <stdio.h>

#include "base/output.h"
#include "base/random.h"
#include "base/sum.h"
#include "cli/map.h"
#include "cli/options.h"
#include "data/table.h"
#include "learn/classes.h"

/* HEADER_SKIP: the first line has names, which are not those of the map. */
enum header { HEADER_AUTO, HEADER_YES, HEADER_NO, HEADER_SKIP };

/* QUOTES_AUTO: as QUOTES_YES, with a warning if it is doubtful. QUOTES_NO: quotes are letters. */
enum quotes { QUOTES_AUTO, QUOTES_YES, QUOTES_NO };

/* The values of an option that may be given several times. */
struct column_list {
    const char *item[32];
    size_t count;
};

struct convert_settings {
    const char *label; /* a column; NULL: the last one */
    int no_labels;
    struct column_list ignore;
    struct column_list number;
    struct column_list categorical;
    struct column_list text;
    struct bag_settings words; /* settings of columns of text */
    struct column_list date;
    int strict_kinds;
    struct column_list weight; /* the column of the weights of rows; at most one */
    struct column_list group;  /* the column of the groups of rows; at most one */
    const char *test;          /* file for a share of the rows; NULL: none */
    double share;
    struct column_list by; /* rows with the same value in this column stay together */
    int in_order;          /* the last rows are for the test */
    uint64_t seed;
    enum missing missing;
    struct column_list missing_values; /* spellings, separated by commas */
    int scale;                         /* numbers get mean 0 and deviation 1 */
    const char *save;                  /* file for the map; NULL: none */
    const char *restore;               /* map to convert by; NULL: none */
    const char *labels; /* map of the words that numbers become; NULL: a table is converted */
    const char *append; /* predictions that become further columns; NULL: data are written */
    enum header header;
    enum quotes quotes;
    char separator; /* 0: the map's one, or found in the first line */
    int decimal_comma;
    int thousands;
    int quiet;
    const char *called;
    const char *program;
    const char *data; /* a table, or predicted labels */
    const char *output;
};

/* The options store into a struct convert_settings. */
extern const struct program convert_program;

/* ---- Rows ------------------------------------------------------------------- */

enum { COLUMN_NONE = -1 };

/* A value of a row. */
struct entry {
    uint32_t feature; /* index from 1 */
    double value;
    const char *text; /* the value as the table has it; NULL: value is printed */
    size_t length;
};

/* The kinds of columns that the first reading finds. */
enum finding {
    FOUND_NOTHING, /* the kind is given */
    FOUND_NUMBER,
    FOUND_YES_NO, /* two categories, or the numbers 0 and 1 */
    FOUND_CATEGORY,
    FOUND_DATE,
    FOUND_TEXT,
    FOUND_IDENTIFIER, /* tells rows apart, and new rows have other values: left out */
    FOUND_CONSTANT,   /* left out */
    FOUND_EMPTY       /* left out */
};

/* Sums over numbers x. Distances from the first number keep their digits where x hardly varies. */
struct moments {
    struct sum sum;       /* sum of x times 2^-64 */
    double first;         /* the first x */
    double mean, squares; /* mean of x - first, and sum of squared distances from it (Welford) */
};

/* The values of a column of the map in the rows read so far. If rows are written in the first
 * reading, only numbers and missing values are counted. */
struct column_profile {
    int is_given; /* an option gives the kind of the column */
    enum finding finding;
    int marks_missing;        /* with --missing auto: a feature says which values are missing */
    uint64_t values, missing; /* values that are there, and those that are not */
    uint32_t features;        /* categories and missing values that have a feature */
    int has_unknown;          /* unknown_names has a value of the column */

    uint64_t numbers;
    struct moments moments; /* moments of the numbers; without --scale only their sum */
    double lowest, largest, last;
    const char *unit; /* unit of the numbers that have one; NULL: none has */
    int is_whole;     /* all numbers are whole ones from 0 on */
    int is_rising;    /* each number is larger than the one before */
    int is_by_ones;   /* the numbers are 0, 1, 2, ... or 1, 2, 3, ... */
    int is_odd;      /* a value has signs that the notation does not have, is too large or a pair */
    int has_id_name; /* the column is named like an identifier */

    uint64_t dates;
    unsigned orders;                  /* bit k: all dates can have enum date_order k */
    int is_ambiguous;                 /* a date has a day and a month that can change places */
    int has_slashes;                  /* a date has slashes between day, month and year */
    struct moments days[DATE_ORDERS]; /* moments of days since 1970, by order of dates */

    uint64_t compared; /* values added to distinct; numbers before the first word are not */
    struct dictionary distinct; /* different values; long ones by their checksums */
    uint64_t words;             /* words of all values that are no numbers */
};

/* The rows of one class or one group, which are dealt to training and test. */
struct part {
    uint64_t rows;   /* rows in the table; while rows are written, rows left */
    uint64_t tested; /* rows for the test; while rows are written, rows left */
};

struct split {
    long by;     /* the column of --by, or COLUMN_NONE */
    long column; /* the column whose values are the keys, or COLUMN_NONE: one part */
    struct dictionary keys;
    struct part *part; /* [keys.count], or one */
    size_t capacity;
    struct random_state random;
    unsigned long long rows; /* rows written for the test */
};

/* The files beside the data. */
enum {
    BESIDE_TEST,
    BESIDE_WEIGHTS,
    BESIDE_GROUPS,
    BESIDE_TEST_WEIGHTS,
    BESIDE_TEST_GROUPS,
    BESIDES
};

struct conversion {
    const struct convert_settings *settings;
    struct table table;
    struct map map;
    long *to; /* [table.width] the column of the map for each column, or COLUMN_NONE */
    struct column_profile *profile; /* [map.columns] */
    uint64_t rows_read;  /* rows in the profiles; 0 with -r: the map comes from another table */
    int is_profiled;     /* the profiles are complete, or not needed */
    struct entry *entry; /* [entries] of the current row */
    size_t entries, capacity;
    struct split split;
    struct dictionary groups;      /* number k + 1 in the file of groups */
    struct output beside[BESIDES]; /* the open ones have a stream */
    int found;           /* the answer of table_next for the record to be converted next */
    int header_seen;     /* the table begins with a line of names */
    int header_doubtful; /* the line of names may be a row */
    unsigned long long rows;
    unsigned long long first_class; /* rows of class 1, if labels are words */
    struct labels numbers;        /* labels that are numbers, until they are too many for classes */
    unsigned long long fractions; /* rows whose label is no whole number */
    unsigned long long missing;   /* missing values */
    unsigned long long unknown;   /* values of categories that are not in the map, left out */
    char unknown_names[256];      /* COLUMN=VALUE for the first of them in each column */
    unsigned long long unmarked;  /* missing values for which the map has no feature */
    unsigned long long unlabelled; /* rows that got label 0 */
    struct table predictions;      /* --append */
    char *names;                   /* --append: the line of names, without its end */
    int complete;                  /* the output is written */
};

/* Writes a row for each record. This is a row_writer. */
enum hinge_status conversion_write(void *context, FILE *stream, struct hinge_error *error);

/* Begins again with the first row, which becomes the current record. */
enum hinge_status conversion_rewind(struct conversion *conversion, struct hinge_error *error);

/* Opens the file of predictions, and keeps the line of names, which is the current record, if the
 * table has one. */
enum hinge_status appending_begin(struct conversion *conversion, struct hinge_error *error);

/* Writes the table with a prediction at the end of each row. This is a row_writer. */
enum hinge_status appending_write(void *context, FILE *stream, struct hinge_error *error);

/* ---- What is printed ---------------------------------------------------------- */

/* Prints what the rows are, to standard error if they go to standard output. */
void conversion_report(const struct conversion *conversion);

/* Warns of columns, of values that were left out or replaced, and of a line of names that may be a
 * row. */
void conversion_warn(const struct conversion *conversion);

/* ---- Fields ------------------------------------------------------------------ */

/* Returns what the text of a field is, and its value if it is a number. */
enum cell conversion_cell(const struct conversion *conversion, const struct field *field,
                          double *value);

/* Returns what the text of a label is, like conversion_cell. A label may be a word such as None or
 * a hyphen. */
enum cell conversion_label_cell(const struct conversion *conversion, const struct field *field,
                                double *value);

/* Returns the length of the part of a field that a message shows. */
int field_shown(const struct field *field);

/* Returns what is wrong with the text of a number in any column, or NULL if that depends on the
 * column. Names no option that the command line or the rest of the number excludes. */
const char *conversion_fault(const struct conversion *conversion, const struct field *field,
                             enum cell cell);

/* Says what is wrong with field k, which is in a column of numbers. */
enum hinge_status conversion_fail_number(const struct conversion *conversion, size_t k,
                                         enum cell cell, struct hinge_error *error);

/* ---- The first reading ------------------------------------------------------ */

/* Adds a number to the profile of its column. */
void profile_add_number(struct column_profile *profile, double value);

/* Sets the mean of each column from its numbers or dates. With --scale, gives their features
 * the scales with mean 0 and deviation 1. */
enum hinge_status profiles_set_means(struct conversion *conversion, struct hinge_error *error);

/* True if a column is likely to number the rows. All its values are whole numbers, and it has no
 * name or "Unnamed: 0", which pandas writes instead. In a table with a line of names, the numbers
 * must rise or have room to differ. In a table without one, they must count from 0 or 1. */
int profile_is_row_number(const struct conversion *conversion, size_t column);

/* Reads all records, beginning with the current one, for the kinds, means and words of columns, and
 * begins again. */
enum hinge_status profiles_read(struct conversion *conversion, struct hinge_error *error);

/* ---- Rows for the test, and files beside the data --------------------------- */

/* Counts the class or the group of the current record, in the first reading. */
enum hinge_status split_count(struct conversion *conversion, struct hinge_error *error);

/* Decides how many rows of each class, or which groups, are for the test. */
enum hinge_status split_deal(struct conversion *conversion, struct hinge_error *error);

/* True if the current record is for the test. Call it once for each record. */
int split_is_test(struct conversion *conversion);

/* Opens the files that the settings ask for. Call besides_close on failure, too. */
enum hinge_status besides_open(struct conversion *conversion, struct hinge_error *error);

/* Writes the weight or the group of the current record, which is in field k. */
enum hinge_status besides_write(struct conversion *conversion, size_t k, int is_test,
                                struct hinge_error *error);

/* Closes the files. They appear if is_complete, and if all could be written. */
enum hinge_status besides_close(struct conversion *conversion, int is_complete,
                                struct hinge_error *error);

/* ---- Columns ---------------------------------------------------------------- */

/* Finds out if the current record, the first one, has the names of columns. Without -r, fills the
 * map with the columns of the table: their kinds, as the options say, and how numbers are written.
 */
enum hinge_status columns_choose(struct conversion *conversion, struct hinge_error *error);

/* Fills an empty map with the columns of the table, whose current record has their names if
 * map->named. */
enum hinge_status columns_fill_map(struct conversion *conversion, struct hinge_error *error);

/* Makes labels words if the label of the current record, the first row, is one. */
enum hinge_status columns_choose_label(struct conversion *conversion, struct hinge_error *error);

/* Sets to[k] to the column of the map that column k of the table is, or COLUMN_NONE. named: the
 * current record has the names of the columns. */
enum hinge_status columns_match(const struct map *map, const struct convert_settings *settings,
                                const struct table *table, int named, long *to,
                                struct hinge_error *error);

#endif
