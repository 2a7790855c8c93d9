/* dictionary.c - open addressing: slot h, h + 1, ... until the word or an empty slot; at most half
 * of the slots are taken. */
#include "base/dictionary.h"

#include <stdlib.h>
#include <string.h>

#include "base/checksum.h"
#include "base/memory.h"
#include "base/random.h"
#include "base/status.h"

/* A word in two parts. */
struct pair {
    const char *part[2];
    size_t length[2];
};

/* A checksum, and a mix, as slots are taken from its low bits. */
static size_t hash(const struct pair *pair)
{
    uint64_t sum = CHECKSUM_NONE;

    for (int k = 0; k < 2; k++)
        sum = checksum(sum, pair->part[k], pair->length[k]);
    return (size_t)random_mix(sum);
}

static int is_word(const struct dictionary *dictionary, uint32_t number, const struct pair *pair)
{
    const char *text = dictionary_text(dictionary, number);
    const size_t length = dictionary->start[number + 1] - dictionary->start[number] - 1;

    return length == pair->length[0] + pair->length[1] &&
           memcmp(text, pair->part[0], pair->length[0]) == 0 &&
           memcmp(text + pair->length[0], pair->part[1], pair->length[1]) == 0;
}

/* The slot of the word, or the empty one where it would be. There are slots. */
static size_t find_slot(const struct dictionary *dictionary, const struct pair *pair)
{
    size_t at = hash(pair) & (dictionary->slots - 1);

    while (dictionary->slot[at] && !is_word(dictionary, dictionary->slot[at] - 1, pair))
        at = (at + 1) & (dictionary->slots - 1);
    return at;
}

uint32_t dictionary_find(const struct dictionary *dictionary, const char *first,
                         size_t first_length, const char *second, size_t second_length)
{
    const struct pair pair = {{first, second}, {first_length, second_length}};
    const uint32_t found = dictionary->slots ? dictionary->slot[find_slot(dictionary, &pair)] : 0;

    return found ? found - 1 : DICTIONARY_NONE;
}

/* Doubles the slots. */
static enum hinge_status rehash(struct dictionary *dictionary, struct hinge_error *error)
{
    const size_t slots = dictionary->slots ? 2 * dictionary->slots : 16;
    uint32_t *slot = array_new(slots, sizeof *slot, error);

    if (!slot)
        return failure(error);
    free(dictionary->slot);
    dictionary->slot = slot;
    dictionary->slots = slots;
    for (uint32_t k = 0; k < dictionary->count; k++) {
        const struct pair pair = {{dictionary_text(dictionary, k), ""},
                                  {dictionary->start[k + 1] - dictionary->start[k] - 1, 0}};

        dictionary->slot[find_slot(dictionary, &pair)] = k + 1;
    }
    return HINGE_OK;
}

/* Makes room for a word of that length. */
static enum hinge_status reserve(struct dictionary *dictionary, size_t length,
                                 struct hinge_error *error)
{
    const size_t used = dictionary->count ? dictionary->start[dictionary->count] : 0;

    if (dictionary->count >= DICTIONARY_NONE - 1)
        return fail(error, HINGE_NO_MEMORY, "out of memory: more than 2^32 words");
    if (dictionary->count + (size_t)2 > dictionary->starts) {
        const size_t grown = array_grown(dictionary->starts, dictionary->count + (size_t)2);
        size_t *start = array_resize(dictionary->start, grown, sizeof *start, error);

        if (!start)
            return failure(error);
        dictionary->start = start;
        dictionary->starts = grown;
        dictionary->start[dictionary->count] = used;
    }
    if (length >= dictionary->capacity - used) {
        const size_t grown = array_grown(dictionary->capacity, used + length + 1);
        char *text = array_resize(dictionary->text, grown, 1, error);

        if (!text)
            return failure(error);
        dictionary->text = text;
        dictionary->capacity = grown;
    }
    return dictionary->count >= dictionary->slots / 2 ? rehash(dictionary, error) : HINGE_OK;
}

enum hinge_status dictionary_add(struct dictionary *dictionary, const char *first,
                                 size_t first_length, const char *second, size_t second_length,
                                 uint32_t *number, struct hinge_error *error)
{
    const struct pair pair = {{first, second}, {first_length, second_length}};
    char *text;

    *number = dictionary_find(dictionary, first, first_length, second, second_length);
    if (*number != DICTIONARY_NONE)
        return HINGE_OK;
    if (reserve(dictionary, first_length + second_length, error))
        return failure(error);
    *number = dictionary->count;
    dictionary->slot[find_slot(dictionary, &pair)] = dictionary->count + 1;
    text = dictionary->text + dictionary->start[dictionary->count];
    memcpy(text, first, first_length);
    memcpy(text + first_length, second, second_length);
    text[first_length + second_length] = '\0';
    dictionary->count++;
    dictionary->start[dictionary->count] =
        (size_t)(text - dictionary->text) + first_length + second_length + 1;
    return HINGE_OK;
}

const char *dictionary_text(const struct dictionary *dictionary, uint32_t number)
{
    return dictionary->text + dictionary->start[number];
}

void dictionary_free(struct dictionary *dictionary)
{
    free(dictionary->text);
    free(dictionary->start);
    free(dictionary->slot);
    memset(dictionary, 0, sizeof *dictionary);
}
