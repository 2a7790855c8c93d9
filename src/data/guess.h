/* guess.h - what a file that is not in LIBSVM's format may be instead. */
#ifndef HINGE_DATA_GUESS_H
#define HINGE_DATA_GUESS_H

#include "data/source.h"

enum { GUESS_LENGTH = 200 };

/* What a text looks like: nothing in particular, a table that convert makes data of, or something
 * else. */
enum guess { GUESS_NOTHING, GUESS_TABLE, GUESS_OTHER };

/* Ends the message about a table. */
#define GUESS_CONVERT "convert makes LIBSVM's format of it"

/* Fills kind with what the text from begin to end, where a NUL stands, looks like, and what to do
 * about it. The text is the beginning of a file, or if whole all of it. */
enum guess guess_format(const char *begin, const char *end, int whole, char kind[GUESS_LENGTH]);

/* Adds to a message about the source what its text looks like, if it looks like that or what
 * follows it in the enum, and the beginning of the file is still in the buffer. */
void guess_explain(const struct source *source, enum guess least, struct hinge_error *error);

#endif
