/* dictionary.c - word -> number, through a hash table of words. Words with the same value of the
 * hash function form a trie by their bits. Each word ends in a NUL, which no word contains, so no
 * word is the beginning of another one.
 */
#include "base/dictionary.h"

#include <stdlib.h>
#include <string.h>

#include "base/checksum.h"
#include "base/compiler.h"
#include "base/memory.h"
#include "base/random.h"
#include "base/status.h"
#include "base/trie.h"

/* A word in two parts, and its hash value. */
struct pair {
    const char *part[2];
    size_t length[2];
    uint64_t hash;
};

static struct pair make_pair(const char *first, size_t first_length, const char *second,
                             size_t second_length)
{
    const uint64_t sum = checksum(CHECKSUM_NONE, first, first_length);

    return (struct pair){{first, second},
                         {first_length, second_length},
                         dictionary_hash(checksum(sum, second, second_length))};
}

/* Returns a bit of the word; bytes beyond its end are 0. */
static unsigned test(const void *context, size_t bit)
{
    const struct pair *pair = context;
    const size_t at = (bit - 1) / 8, first = pair->length[0];
    unsigned char byte = 0;

    if (at < first)
        byte = (unsigned char)pair->part[0][at];
    else if (at - first < pair->length[1])
        byte = (unsigned char)pair->part[1][at - first];
    return (unsigned)byte >> (7 - (bit - 1) % 8) & 1;
}

/* Returns the trie of a hash value. */
static uint32_t *root_of(const struct dictionary *dictionary, uint64_t hash)
{
    return &dictionary->root[hash & (dictionary->capacity - 1)];
}

/* Returns the length of a word. */
static size_t length_of(const struct dictionary *dictionary, uint32_t number)
{
    const size_t end =
        number + 1 < dictionary->count ? dictionary->start[number + 1] : dictionary->length;

    return end - dictionary->start[number] - 1;
}

static uint32_t find(const struct dictionary *dictionary, const struct pair *pair)
{
    const size_t first = pair->length[0], second = pair->length[1];
    const char *text;
    uint32_t like = 0;

    if (dictionary->count > 0)
        like = trie_find(dictionary->node, root_of(dictionary, pair->hash), test, pair);
    if (like == 0 || length_of(dictionary, like - 1) != first + second)
        return DICTIONARY_NONE;
    text = dictionary_text(dictionary, like - 1);
    return memcmp(text, pair->part[0], first) == 0 &&
                   memcmp(text + first, pair->part[1], second) == 0
               ? like - 1
               : DICTIONARY_NONE;
}

uint32_t dictionary_find(const struct dictionary *dictionary, const char *first,
                         size_t first_length, const char *second, size_t second_length)
{
    const struct pair pair = make_pair(first, first_length, second, second_length);

    return find(dictionary, &pair);
}

/* The mix makes the low bits depend on the whole checksum. */
uint64_t dictionary_hash(uint64_t sum)
{
    return random_mix(sum);
}

void dictionary_fetch(const struct dictionary *dictionary, uint64_t hash, int stage)
{
    const uint32_t *root;

    if (dictionary->count == 0)
        return;
    root = root_of(dictionary, hash);
    if (stage == 0)
        PREFETCH(root);
    else if (*root > 0 && stage == 1) {
        PREFETCH(&dictionary->node[*root - 1]);
        PREFETCH(&dictionary->start[*root - 1]);
    } else if (*root > 0) {
        PREFETCH(dictionary_text(dictionary, *root - 1));
    }
}

uint32_t dictionary_find_hashed(const struct dictionary *dictionary, uint64_t hash,
                                const char *word, size_t length)
{
    return find(dictionary, &(struct pair){{word, ""}, {length, 0}, hash});
}

/* Adds the word of this number to its trie. */
static void insert(struct dictionary *dictionary, uint32_t number)
{
    const char *text = dictionary_text(dictionary, number);
    const struct pair pair = make_pair(text, length_of(dictionary, number), "", 0);
    uint32_t *root = root_of(dictionary, pair.hash);
    const uint32_t like = trie_find(dictionary->node, root, test, &pair);
    const char *other = like > 0 ? dictionary_text(dictionary, like - 1) : NULL;
    size_t bit = 0, at = 0; /* the first bit in which the words differ, from 1 */

    while (other && other[at] == text[at])
        at++;
    if (other)
        bit = 8 * at + 8 - HIGHEST_BIT((unsigned char)(other[at] ^ text[at]));
    trie_insert(dictionary->node, root, test, &pair, number, bit);
}

static enum hinge_status add(struct dictionary *dictionary, const struct pair *pair,
                             uint32_t *number, struct hinge_error *error)
{
    const size_t needed = dictionary->length + pair->length[0] + pair->length[1] + 1;
    const size_t capacity = dictionary->capacity ? 2 * dictionary->capacity : 16;
    uint32_t *root;
    char *text;

    *number = find(dictionary, pair);
    if (*number != DICTIONARY_NONE)
        return HINGE_OK;
    if (dictionary->count == DICTIONARY_NONE)
        return fail(error, HINGE_NO_MEMORY, "out of memory: more than 2^32 words");
    if (ARRAY_RESERVE(&dictionary->text, &dictionary->room, needed, error))
        return failure(error);
    if (dictionary->count == dictionary->capacity) { /* adds all words to more tries */
        if (ARRAY_RESIZE(&dictionary->start, capacity, error) ||
            ARRAY_RESIZE(&dictionary->node, capacity, error) ||
            !(root = array_new(capacity, sizeof *root, error)))
            return failure(error);
        free(dictionary->root);
        dictionary->root = root;
        dictionary->capacity = capacity;
        for (uint32_t k = 0; k < dictionary->count; k++)
            insert(dictionary, k);
    }
    *number = dictionary->count++;
    dictionary->start[*number] = dictionary->length;
    text = dictionary->text + dictionary->length;
    memcpy(text, pair->part[0], pair->length[0]);
    memcpy(text + pair->length[0], pair->part[1], pair->length[1]);
    text[pair->length[0] + pair->length[1]] = '\0';
    dictionary->length = needed;
    insert(dictionary, *number);
    return HINGE_OK;
}

enum hinge_status dictionary_add(struct dictionary *dictionary, const char *first,
                                 size_t first_length, const char *second, size_t second_length,
                                 uint32_t *number, struct hinge_error *error)
{
    const struct pair pair = make_pair(first, first_length, second, second_length);

    return add(dictionary, &pair, number, error);
}

enum hinge_status dictionary_add_hashed(struct dictionary *dictionary, uint64_t hash,
                                        const char *word, size_t length, uint32_t *number,
                                        struct hinge_error *error)
{
    return add(dictionary, &(struct pair){{word, ""}, {length, 0}, hash}, number, error);
}

const char *dictionary_text(const struct dictionary *dictionary, uint32_t number)
{
    return dictionary->text + dictionary->start[number];
}

void dictionary_free(struct dictionary *dictionary)
{
    free(dictionary->root);
    free(dictionary->node);
    free(dictionary->start);
    free(dictionary->text);
    memset(dictionary, 0, sizeof *dictionary);
}
