/* dictionary.h - texts numbered in the order in which they are met: 0, 1, 2 ... */
#ifndef HINGE_BASE_DICTIONARY_H
#define HINGE_BASE_DICTIONARY_H

#include <stddef.h>
#include <stdint.h>

#include "hinge.h"

/* A set of texts; all zero is an empty one. */
struct dictionary {
    uint32_t count;
    uint32_t *root;         /* [capacity] a trie for each value of the hash function */
    struct trie_node *node; /* [count] */
    size_t *start;          /* [count] of each word in text */
    size_t capacity;        /* a power of two; or 0 */
    char *text;             /* each word with a NUL after it, in order */
    size_t length;          /* of text, */
    size_t room;            /* and for how much there is room */
};

#define DICTIONARY_NONE UINT32_MAX

/* The number of the word that consists of the two parts; DICTIONARY_NONE if there is none. A part
 * needs no NUL at its end, and has none in it. */
uint32_t dictionary_find(const struct dictionary *dictionary, const char *first,
                         size_t first_length, const char *second, size_t second_length);

/* The same, but a word that is not there is added. */
enum hinge_status dictionary_add(struct dictionary *dictionary, const char *first,
                                 size_t first_length, const char *second, size_t second_length,
                                 uint32_t *number, struct hinge_error *error);

/* The text of a word, NUL-ended, until a word is added. */
const char *dictionary_text(const struct dictionary *dictionary, uint32_t number);

void dictionary_free(struct dictionary *dictionary);

#endif
