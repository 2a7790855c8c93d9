/* nearest.h - the known word closest to a misspelt one. */
#ifndef HINGE_CLI_NEAREST_H
#define HINGE_CLI_NEAREST_H

#include <stddef.h>

/* A search for the candidate closest to a word. */
struct nearest {
    const char *word;
    size_t length;
    size_t distance;  /* the smallest so far; at first, the smallest one that is too large */
    const char *best; /* the text for the best candidate; NULL: no candidate is close enough */
};

struct nearest nearest_begin(const char *word, size_t length);

/* Stores "as" if candidate is closer than all earlier ones. The distance is the number of letters
 * that are missing, superfluous, wrong or swapped with the next one; case does not count. A prefix
 * of a candidate has distance 1. */
void nearest_try(struct nearest *nearest, const char *candidate, const char *as);

#endif
