/* groups.c - a word a row -> numbers, through a trie of the words seen so far.
 *
 * It is Morrison's (PATRICIA), as that of labels: the node of a word tests one bit, the first that
 * tells the word from one added before. A link that leads to no later bit leads to the only word
 * that may be the one looked for. A word ends in a NUL, which no word contains, so that none is the
 * beginning of another one. However the words are chosen, a search takes a step a bit at most.
 */
#include "data/groups.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/status.h"
#include "data/reader.h"

/* A link is the number of a word. */
struct group_node {
    uint32_t link[2]; /* by the bit tested */
    size_t bit;       /* from 1, the highest of the first byte; 0: of the first word, no test */
};

/* The bit of a word that ends at length; 0 beyond. */
static unsigned test(const char *word, size_t length, size_t bit)
{
    const size_t byte = (bit - 1) / 8;

    return byte < length ? (unsigned)(unsigned char)word[byte] >> (7 - (bit - 1) % 8) & 1 : 0;
}

/* The link that a word leads to by the tests of bits before end. */
static uint32_t *descend(const struct groups *groups, const char *word, size_t length, size_t end)
{
    uint32_t *link = &groups->node[0].link[0];
    size_t bit = 0;

    while (groups->node[*link].bit > bit && groups->node[*link].bit < end) {
        bit = groups->node[*link].bit;
        link = &groups->node[*link].link[test(word, length, bit)];
    }
    return link;
}

/* The first bit in which they differ; 0: none. */
static size_t differing_bit(const char *one, const char *word, size_t length)
{
    const size_t own = strlen(one), longer = own > length ? own : length;
    size_t byte = 0, bit;

    while (byte < longer && byte < own && byte < length && one[byte] == word[byte])
        byte++;
    if (byte == longer)
        return 0;
    for (bit = 8 * byte + 1; test(one, own, bit) == test(word, length, bit); bit++)
        ;
    return bit;
}

/* Makes room for one more word of this length. */
static enum hinge_status make_room(struct groups *groups, size_t length, struct hinge_error *error)
{
    const size_t needed = groups->length + length + 1;
    void *array;

    if (needed > groups->room) {
        groups->room = array_grown(groups->room, needed);
        if (!(array = array_resize(groups->text, groups->room, 1, error)))
            return failure(error);
        groups->text = array;
    }
    if (groups->count < groups->capacity)
        return HINGE_OK;
    groups->capacity = array_grown(groups->capacity, groups->count + 64);
    if (!(array = array_resize(groups->name, groups->capacity, sizeof *groups->name, error)))
        return failure(error);
    groups->name = array;
    if (!(array = array_resize(groups->node, groups->capacity, sizeof *groups->node, error)))
        return failure(error);
    groups->node = array;
    return HINGE_OK;
}

/* Adds a word that first differs from its like at this bit; 0: the first one. */
static void add(struct groups *groups, const char *word, size_t length, size_t bit)
{
    const uint32_t number = (uint32_t)groups->count++;
    struct group_node *node = &groups->node[number];
    uint32_t *link;

    memcpy(groups->text + groups->length, word, length);
    groups->text[groups->length + length] = '\0';
    groups->name[number] = groups->length;
    groups->length += length + 1;
    node->bit = bit;
    node->link[0] = node->link[1] = number;
    if (bit == 0)
        return;
    link = descend(groups, word, length, bit);
    node->link[!test(word, length, bit)] = *link;
    *link = number;
}

static enum hinge_status take_name(void *context, struct source *source, const char *end,
                                   size_t row, struct hinge_error *error)
{
    struct groups *groups = context;
    const char *word = source->cursor;
    const size_t length = (size_t)(end - word);
    size_t bit = 0;

    if (groups->count > 0) {
        const uint32_t number = *descend(groups, word, length, SIZE_MAX);

        groups->of_row[row] = number;
        if (!(bit = differing_bit(groups_name(groups, number), word, length)))
            return HINGE_OK;
    }
    if (make_room(groups, length, error))
        return failure(error);
    groups->of_row[row] = (uint32_t)groups->count;
    add(groups, word, length, bit);
    return HINGE_OK;
}

enum hinge_status groups_read(struct groups *groups, const char *path, size_t rows,
                              struct hinge_error *error)
{
    *groups = (struct groups){0};
    if (!(groups->of_row = array_new(rows, sizeof *groups->of_row, error)))
        return failure(error);
    return reader_words(path, rows, "fold name", take_name, groups, error);
}

void groups_free(struct groups *groups)
{
    free(groups->of_row);
    free(groups->text);
    free(groups->name);
    free(groups->node);
}
