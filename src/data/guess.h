/* guess.h - guesses the format of a file that is not in LIBSVM's format. */
#ifndef HINGE_DATA_GUESS_H
#define HINGE_DATA_GUESS_H

#include "data/source.h"

enum { GUESS_LENGTH = 200 };

/* Kinds of text: nothing known, a table that convert makes data of, LIBSVM's format, or something
 * else. */
enum guess { GUESS_NOTHING = 0, GUESS_TABLE = 1, GUESS_DATA = 2, GUESS_OTHER = 4 };

/* The end of the message about a table. */
#define GUESS_CONVERT "convert makes LIBSVM's format of it"

/* Fills kind with the probable format of the text from begin to end, and advice. A NUL stands at
 * end. The text is the beginning of a file, or all of it if `whole`. */
enum guess guess_format(const char *begin, const char *end, int whole, char kind[GUESS_LENGTH]);

/* Adds the probable format of a source to a message. Adds nothing if the guess is not one of the
 * sum `wanted`, or if the beginning of the file has left the buffer. Returns the guess that was
 * added. */
enum guess guess_explain(const struct source *source, unsigned wanted, struct hinge_error *error);

#endif
