/* dictionary.h - texts numbered in the order in which they are met: 0, 1, 2 ... */
#ifndef HINGE_BASE_DICTIONARY_H
#define HINGE_BASE_DICTIONARY_H

#include <stddef.h>
#include <stdint.h>

#include "hinge.h"

/* A set of words. All zero: no words. */
struct dictionary {
    uint32_t count;
    uint32_t *root;         /* [capacity] the trie of each value of the hash function */
    struct trie_node *node; /* [count] */
    size_t *start;          /* [count] position of each word in text */
    size_t capacity;        /* length of root, node and start: a power of 2, or 0 */
    char *text;             /* the words in order, each with a NUL at its end */
    size_t length;          /* bytes of text in use */
    size_t room;            /* bytes of text allocated */
};

#define DICTIONARY_NONE UINT32_MAX

/* Returns the number of the word that consists of two parts; DICTIONARY_NONE if there is none. A
 * part contains no NUL and needs none at its end. */
uint32_t dictionary_find(const struct dictionary *dictionary, const char *first,
                         size_t first_length, const char *second, size_t second_length);

/* Sets *number to the number of the word, which is added if it is new. */
enum hinge_status dictionary_add(struct dictionary *dictionary, const char *first,
                                 size_t first_length, const char *second, size_t second_length,
                                 uint32_t *number, struct hinge_error *error);

/* Returns the text of a word, with a NUL at its end. It lasts until a word is added. */
const char *dictionary_text(const struct dictionary *dictionary, uint32_t number);

void dictionary_free(struct dictionary *dictionary);

#endif
