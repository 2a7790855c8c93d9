/* conversion.h - the records of a table -> rows in LIBSVM's format, by a map. */
#ifndef HINGE_CLI_CONVERSION_H
#define HINGE_CLI_CONVERSION_H

#include <stdio.h>

#include "base/sum.h"
#include "cli/convert_options.h"
#include "data/number.h"
#include "data/table.h"

/* A value of a row. */
struct entry {
    uint32_t feature; /* index from 1 */
    const char *text;
    size_t length;
};

/* What is known of a column of the map while rows are converted. */
struct column_sum {
    struct sum sum; /* of its values times 2^-64 */
    uint64_t values;
    char mean[NUMBER_LENGTH]; /* what stands for a missing value, as text */
};

struct conversion {
    const struct convert_settings *settings;
    struct table table;
    struct map map;
    long *to;                /* [table.width] the column of the map of each column, COLUMN_NONE */
    struct column_sum *sums; /* [map.columns] */
    struct entry *entry;     /* [table.width] of the current row */
    size_t entries;
    int found;       /* table_next's answer: the record to be converted next */
    int header_seen; /* the table begins with a line of names */
    unsigned long long rows;
    unsigned long long first_class; /* rows of class 1, of labels that are words */
    unsigned long long missing;     /* values */
    unsigned long long unknown;     /* categories that are not in the map, left out */
    unsigned long long unmarked;    /* missing values for which the map has no feature */
    unsigned long long unlabelled;  /* rows with label 0 for want of one */
    int complete;                   /* the output is written */
};

/* Opens the table, finds its columns and, for the means of missing values, reads it once. Call
 * conversion_end on failure, too. */
enum hinge_status conversion_begin(struct conversion *conversion,
                                   const struct convert_settings *settings,
                                   struct hinge_error *error);

/* Writes a row for each record: a row_writer. */
enum hinge_status conversion_write(void *context, FILE *stream, struct hinge_error *error);

void conversion_end(struct conversion *conversion);

#endif
