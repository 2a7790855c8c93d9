/* cell.h - classifies the text of a field: a number, a missing value, a date, or another text. No
 * other file knows the spellings of tables. */
#ifndef HINGE_DATA_CELL_H
#define HINGE_DATA_CELL_H

#include <stddef.h>
#include <stdio.h>

#include "base/dictionary.h"

/* The notation of numbers and missing values in a table. */
struct notation {
    int decimal_comma; /* 5,1 is 5.1 */
    int thousands;     /* 1,234 is 1234, or 1.234 with a decimal comma */
    int plain_quotes;  /* quotes are letters */
    int version; /* version of the map; spellings that came later, such as None, are texts; 0: the
                    newest version */
    struct dictionary missing; /* spellings of missing values besides the known ones */
};

enum cell {
    CELL_MISSING, /* see cell_is_missing */
    CELL_NUMBER,
    CELL_HUGE,  /* a number beyond the largest double */
    CELL_COMMA, /* a number with commas or points that the notation does not have */
    CELL_DATE,  /* a date or a time of day */
    CELL_PAIR,  /* index:value, as in LIBSVM's format */
    CELL_TEXT
};

/* Returns the class of a text, and sets *value if the text is a number, which may have a unit.
 * text[length] is no character of a number. */
enum cell cell_read(const struct notation *notation, const char *text, size_t length,
                    double *value);

/* True if the text stands for a missing value: nothing, ?, NA, N/A, NaN or null in any case, #N/A,
 * <NA>, \N, or a spelling of the notation. Unless the text may be a word, also true for unknown in
 * any case, None, a hyphen or a point. */
int cell_is_missing(const struct notation *notation, const char *text, size_t length, int is_word);

/* True if the text is digits, a colon and a number. text[length] is no character of a number. */
int cell_is_pair(const char *text, size_t length);

/* Removes a unit from the ends of the text, with blanks beside it: $, euro, pound or yen before or
 * after a number, % after it. Returns the unit, or NULL if there is none. */
const char *cell_strip_unit(const char **text, size_t *length);

/* Writes a number with a decimal point, without its unit and the separators of thousands. */
void cell_write_number(const struct notation *notation, const char *text, size_t length,
                       FILE *stream);

/* Counts the numbers of a sample by their commas and points. */
struct notation_signs {
    size_t decimal_commas;  /* 5,1 */
    size_t comma_groups;    /* 1,234,567 or 1,234.5 */
    size_t comma_or_groups; /* 1,234 */
    size_t points;          /* 5.1 */
    size_t point_groups;    /* 1.234,5 or 1.234.567 */
    size_t below_thousand;  /* whole numbers without a separator */
    size_t thousand_plain;  /* other whole numbers, 1000 and more */
};

/* Counts the text, if it is a number. */
void cell_add_signs(struct notation_signs *signs, const char *text, size_t length);

#endif
