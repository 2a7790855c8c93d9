/* guess.h - what a file that is not in LIBSVM's format may be instead. */
#ifndef HINGE_DATA_GUESS_H
#define HINGE_DATA_GUESS_H

#include "hinge.h"

enum { GUESS_LENGTH = 160 };

/* Fills kind with what the text from begin to end, where a NUL stands, looks like, and what to do
 * about it; 0 if it looks like nothing in particular. The text is the beginning of a file, or if
 * whole all of it. */
int guess_format(const char *begin, const char *end, int whole, char kind[GUESS_LENGTH]);

#endif
