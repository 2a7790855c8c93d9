/* number.h - decimal text and doubles, the same in every locale. */
#ifndef HINGE_DATA_NUMBER_H
#define HINGE_DATA_NUMBER_H

#include <stdint.h>
#include <stdio.h>

/* Parses the longest decimal number at text: [+-] digits [. digits] [e [+-] digits], with digits on
 * at least one side of the point. There are no blanks before it, no hexadecimal numbers, no names.
 * text must end in a character that cannot belong to a number, such as NUL.
 * Returns the end of the number and sets *value to the nearest double, ties to even: bit for bit
 * what strtod gives in the "C" locale, +-HUGE_VAL beyond the largest double included. If there is
 * no number, returns text and leaves *value alone. */
const char *number_parse(const char *text, double *value);

/* Parses as many digits at text as make a whole number of at most `most`, and sets *value: to 0 if
 * there are none. Returns their end. If a digit follows there, the number is larger than `most`. */
const char *number_parse_whole(const char *text, uint64_t most, uint64_t *value);

/* True if all of a text is a finite number. Sets *value to it. */
int number_read(const char *text, double *value);

/* Returns the double nearest to whole / 10^places, ties to even. places is at most 22. */
double number_nearest(uint64_t whole, unsigned places);

enum { NUMBER_LENGTH = 40 };

/* Prints value as %.17g with a point, into text[NUMBER_LENGTH], and returns the length. The bytes
 * after the end of the text are undefined. */
int number_print(char *text, double value);

/* Prints value like number_print, with at most `digits` of its digits, 1 to 17. */
int number_print_rounded(char *text, double value, int digits);

/* Writes what number_print prints. */
void number_write(FILE *stream, double value);

#endif
