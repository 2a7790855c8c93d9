/* guess.h - what a file that is not in LIBSVM's format may be instead. */
#ifndef HINGE_DATA_GUESS_H
#define HINGE_DATA_GUESS_H

#include "hinge.h"

enum { GUESS_LENGTH = 160 };

/* Fills reason with what the text from begin to end, a NUL, the beginning of a file, looks like and
 * what to do about it; 0 if it looks like nothing in particular. */
int guess_format(const char *begin, const char *end, char reason[GUESS_LENGTH]);

#endif
