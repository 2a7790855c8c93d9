/* trie.h - finds keys by their bits: Morrison's trie (PATRICIA, J. ACM 15(4), 1968).
 *
 * Any fixed hash function can be inverted, and keys with the same value would make a chain
 * quadratic. Therefore keys with the same value form a trie, which is never deeper than a key has
 * bits. The node of a key tests the first bit in which the key differs from one added before. A
 * link to a node that tests no later bit leads to the only candidate. No key may be the beginning
 * of another one.
 */
#ifndef HINGE_BASE_TRIE_H
#define HINGE_BASE_TRIE_H

#include <stddef.h>
#include <stdint.h>

#include "base/compiler.h"

/* The node of a key. A link is the number of a key + 1; 0 is the root of an empty trie. */
struct trie_node {
    size_t bit;       /* from 1, the highest; 0: the first key of a trie tests none */
    uint32_t link[2]; /* for bit 0 and bit 1 */
};

/* Returns a bit of a key. */
typedef unsigned trie_test(const void *key, size_t bit);

/* Returns the link that a key leads to by the tests of bits before end. */
static ALWAYS_INLINE uint32_t *trie_descend(struct trie_node *node, uint32_t *root, trie_test *test,
                                            const void *key, size_t end)
{
    uint32_t *link = root;
    size_t bit = 0;

    while (*link > 0) {
        struct trie_node *next = &node[*link - 1];

        if (next->bit <= bit || next->bit >= end)
            break;
        bit = next->bit;
        link = &next->link[test(key, bit)];
    }
    return link;
}

/* Returns the link to the only key that can equal this one. */
static ALWAYS_INLINE uint32_t trie_find(struct trie_node *node, uint32_t *root, trie_test *test,
                                        const void *key)
{
    return *trie_descend(node, root, test, key, SIZE_MAX);
}

/* Adds a key by its number. bit is the first bit in which it differs from the key that trie_find
 * returned; 0 if that returned none. */
static ALWAYS_INLINE void trie_insert(struct trie_node *node, uint32_t *root, trie_test *test,
                                      const void *key, uint32_t number, size_t bit)
{
    uint32_t *link = trie_descend(node, root, test, key, bit);

    node[number] = (struct trie_node){bit, {0, 0}};
    if (bit > 0) {
        node[number].link[test(key, bit)] = number + 1;
        node[number].link[!test(key, bit)] = *link;
    }
    *link = number + 1;
}

#endif
