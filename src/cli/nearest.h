/* nearest.h - the word that was perhaps meant. */
#ifndef HINGE_CLI_NEAREST_H
#define HINGE_CLI_NEAREST_H

#include <stddef.h>

/* A search for the candidate that is like a word. */
struct nearest {
    const char *word;
    size_t length;
    size_t distance;  /* the smallest so far; to begin with, the first that is too large */
    const char *best; /* what stands for it; NULL: none is like it */
};

struct nearest nearest_begin(const char *word, size_t length);

/* Takes "as" for the best if candidate is closer than all before it: in letters that are missing,
 * too many, wrong, or swapped with the next, whatever their case; the beginning of a candidate is
 * as good as one wrong letter. */
void nearest_try(struct nearest *nearest, const char *candidate, const char *as);

#endif
