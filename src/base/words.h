/* words.h - texts numbered in the order in which they are met: 0, 1, 2 ... */
#ifndef HINGE_BASE_WORDS_H
#define HINGE_BASE_WORDS_H

#include <stddef.h>
#include <stdint.h>

#include "hinge.h"

/* A set of texts; all zero is an empty one. */
struct words {
    uint32_t count;
    char *text;      /* each word with a NUL behind it, in order */
    size_t *start;   /* [count + 1] of each in text */
    uint32_t *slot;  /* [slots] hash table: number of a word + 1, 0 if the slot is empty */
    size_t slots;    /* a power of two, more than count; or 0 */
    size_t capacity; /* of text */
    size_t starts;   /* of start */
};

enum { WORDS_NONE = UINT32_MAX - 1 };

/* The number of the word that consists of the two parts; WORDS_NONE if there is none. A part is no
 * NUL-ended text, and has no NUL in it. */
uint32_t words_find(const struct words *words, const char *first, size_t first_length,
                    const char *second, size_t second_length);

/* The same, but a word that is not there is added. */
enum hinge_status words_add(struct words *words, const char *first, size_t first_length,
                            const char *second, size_t second_length, uint32_t *number,
                            struct hinge_error *error);

/* The text of a word, NUL-ended, until a word is added. */
const char *words_text(const struct words *words, uint32_t number);

void words_free(struct words *words);

#endif
