/* text.h - prints texts of users and files so that they break no line and no terminal. */
#ifndef HINGE_CLI_TEXT_H
#define HINGE_CLI_TEXT_H

#include <stdio.h>

#include "hinge.h"

/* Prints the text. Bytes of control characters, and bytes that are not UTF-8, become \ooo. */
void text_print(FILE *stream, const char *text);

/* Writes the text as text_print does to escaped, which has room for four characters for each byte
 * of the text, and a NUL. */
void text_escape(char *escaped, const char *text);

/* Returns the length of a text of at most `most` bytes that cuts no character of UTF-8 in two. */
size_t text_cut(const char *text, size_t most);

/* Prints the text as a string of JSON, in quotes. A byte that is not UTF-8 becomes U+FFFD. */
void text_print_json(FILE *stream, const char *text);

/* Prints the text as a field of CSV. If it has one of the special characters, it is in quotes, and
 * '"' is doubled. */
void text_print_field(FILE *stream, const char *text, const char *special);

/* Appends a blank and a word to a command line; NULL is the empty one. The word is quoted for a
 * shell if necessary: 'a b', or $'a\012b' with characters that are not printable. The caller frees
 * *line, on failure too. */
enum hinge_status text_append_word(char **line, const char *word, struct hinge_error *error);

#endif
