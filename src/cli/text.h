/* text.h - texts that come from users and files, where they must not break a line or a terminal. */
#ifndef HINGE_CLI_TEXT_H
#define HINGE_CLI_TEXT_H

#include <stdio.h>

#include "hinge.h"

/* Prints the text; control characters and what is not UTF-8 as \ooo, byte by byte. */
void text_print(FILE *stream, const char *text);

/* The same into escaped, which has room for four characters for each of the text, and a NUL. */
void text_escape(char *escaped, const char *text);

/* Prints the text as a string of JSON, in quotes; a byte that is not UTF-8 as U+FFFD. */
void text_print_json(FILE *stream, const char *text);

/* Prints the text as a field of CSV: in quotes if one of the special characters is in it, '"' being
 * doubled. */
void text_print_field(FILE *stream, const char *text, const char *special);

/* Appends a word to a command line, NULL being the empty one, after a blank: as it is, or quoted
 * for a shell: 'a b', or where a character is not printable $'a\012b'. *line is free()d by the
 * caller, on failure too. */
enum hinge_status text_append_word(char **line, const char *word, struct hinge_error *error);

#endif
