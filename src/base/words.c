/* words.c - open addressing: slot h, h + 1, ... until the word or an empty slot; at most half of
 * the slots are taken. */
#include "base/words.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/random.h"
#include "base/status.h"

/* A word in two parts. */
struct pair {
    const char *part[2];
    size_t length[2];
};

/* FNV-1a, and a mix, as slots are taken from its low bits. */
static size_t hash(const struct pair *pair)
{
    uint64_t sum = UINT64_C(0xcbf29ce484222325);

    for (int k = 0; k < 2; k++)
        for (size_t i = 0; i < pair->length[k]; i++)
            sum = (sum ^ (unsigned char)pair->part[k][i]) * UINT64_C(0x100000001b3);
    return (size_t)random_mix(sum);
}

static int is_word(const struct words *words, uint32_t number, const struct pair *pair)
{
    const char *text = words_text(words, number);
    const size_t length = words->start[number + 1] - words->start[number] - 1;

    return length == pair->length[0] + pair->length[1] &&
           memcmp(text, pair->part[0], pair->length[0]) == 0 &&
           memcmp(text + pair->length[0], pair->part[1], pair->length[1]) == 0;
}

/* The slot of the word, or the empty one where it would be. There are slots. */
static size_t find_slot(const struct words *words, const struct pair *pair)
{
    size_t at = hash(pair) & (words->slots - 1);

    while (words->slot[at] && !is_word(words, words->slot[at] - 1, pair))
        at = (at + 1) & (words->slots - 1);
    return at;
}

uint32_t words_find(const struct words *words, const char *first, size_t first_length,
                    const char *second, size_t second_length)
{
    const struct pair pair = {{first, second}, {first_length, second_length}};
    const uint32_t found = words->slots ? words->slot[find_slot(words, &pair)] : 0;

    return found ? found - 1 : WORDS_NONE;
}

/* Doubles the slots. */
static enum hinge_status rehash(struct words *words, struct hinge_error *error)
{
    const size_t slots = words->slots ? 2 * words->slots : 16;
    uint32_t *slot = array_new(slots, sizeof *slot, error);

    if (!slot)
        return failure(error);
    free(words->slot);
    words->slot = slot;
    words->slots = slots;
    for (uint32_t k = 0; k < words->count; k++) {
        const struct pair pair = {{words_text(words, k), ""},
                                  {words->start[k + 1] - words->start[k] - 1, 0}};

        words->slot[find_slot(words, &pair)] = k + 1;
    }
    return HINGE_OK;
}

/* Makes room for a word of that length. */
static enum hinge_status reserve(struct words *words, size_t length, struct hinge_error *error)
{
    const size_t used = words->count ? words->start[words->count] : 0;

    if (words->count >= WORDS_NONE - 1)
        return fail(error, HINGE_NO_MEMORY, "out of memory: more than 2^32 words");
    if (words->count + (size_t)2 > words->starts) {
        const size_t grown = array_grown(words->starts, words->count + (size_t)2);
        size_t *start = array_resize(words->start, grown, sizeof *start, error);

        if (!start)
            return failure(error);
        words->start = start;
        words->starts = grown;
        words->start[words->count] = used;
    }
    if (length >= words->capacity - used) {
        const size_t grown = array_grown(words->capacity, used + length + 1);
        char *text = array_resize(words->text, grown, 1, error);

        if (!text)
            return failure(error);
        words->text = text;
        words->capacity = grown;
    }
    return words->count >= words->slots / 2 ? rehash(words, error) : HINGE_OK;
}

enum hinge_status words_add(struct words *words, const char *first, size_t first_length,
                            const char *second, size_t second_length, uint32_t *number,
                            struct hinge_error *error)
{
    const struct pair pair = {{first, second}, {first_length, second_length}};
    char *text;

    *number = words_find(words, first, first_length, second, second_length);
    if (*number != WORDS_NONE)
        return HINGE_OK;
    if (reserve(words, first_length + second_length, error))
        return failure(error);
    *number = words->count;
    words->slot[find_slot(words, &pair)] = words->count + 1;
    text = words->text + words->start[words->count];
    memcpy(text, first, first_length);
    memcpy(text + first_length, second, second_length);
    text[first_length + second_length] = '\0';
    words->count++;
    words->start[words->count] = (size_t)(text - words->text) + first_length + second_length + 1;
    return HINGE_OK;
}

const char *words_text(const struct words *words, uint32_t number)
{
    return words->text + words->start[number];
}

void words_free(struct words *words)
{
    free(words->text);
    free(words->start);
    free(words->slot);
    memset(words, 0, sizeof *words);
}
