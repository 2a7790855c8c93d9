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

/* ---- Many words at once ----------------------------------------------------
 *
 * Looking for a word waits for memory three times. A caller that looks for several words calls
 * dictionary_hash for all, then each stage of dictionary_fetch for all, so that they wait together.
 */

/* Returns the hash value of a word with this checksum (base/checksum.h). */
uint64_t dictionary_hash(uint64_t sum);

/* Fetches from memory what a word with this hash value needs. Stages 0, 1 and 2 come in order. */
void dictionary_fetch(const struct dictionary *dictionary, uint64_t hash, int stage);

/* Do what dictionary_find and dictionary_add do for a word whose hash value is known. */
uint32_t dictionary_find_hashed(const struct dictionary *dictionary, uint64_t hash,
                                const char *word, size_t length);
enum hinge_status dictionary_add_hashed(struct dictionary *dictionary, uint64_t hash,
                                        const char *word, size_t length, uint32_t *number,
                                        struct hinge_error *error);

#endif
