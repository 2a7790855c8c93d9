/* cell.h - what the text of a field of a table is. */
#ifndef HINGE_DATA_CELL_H
#define HINGE_DATA_CELL_H

#include <stddef.h>

enum cell {
    CELL_MISSING, /* nothing, ?, or NA, N/A, NaN or null in any case */
    CELL_NUMBER,
    CELL_HUGE,  /* a number beyond the largest double */
    CELL_COMMA, /* a number with a decimal comma, where there is a point */
    CELL_DATE,  /* a date or a time of day */
    CELL_PAIR,  /* index:value, of data that are in LIBSVM's format */
    CELL_TEXT
};

/* What the text is, and *value if it is a number; decimal is '.' or ','. text[length] is no
 * character of a number. */
enum cell cell_read(const char *text, size_t length, char decimal, double *value);

/* Is it digits, a colon and a number? text[length] as above. */
int cell_is_pair(const char *text, size_t length);

/* Is there no value? */
int cell_is_missing(const char *text, size_t length);

#endif
