/* test_trie.c - compares keys of 16 bits in one trie with a table. */
#include "support.h"

#include <string.h>

#include "base/trie.h"

enum { BITS = 16, KEYS = 1 << BITS, MOST = 3000 };

static size_t tests; /* total number of tested bits */

static unsigned test_bit(const void *key, size_t bit)
{
    assert_in_range(bit, 1, BITS);
    tests++;
    return *(const unsigned *)key >> (BITS - bit) & 1;
}

/* Keys are near each other, such as 0, 1, 2 ..., or drawn from all. With at most BITS tests, a
 * search leads to the key, or to another key if it is not there. */
static void finds_what_was_inserted(void **unused)
{
    static struct trie_node node[MOST];
    static unsigned key[MOST], number[KEYS]; /* a key's number + 1; 0: not there */
    uint64_t state = 1;

    (void)unused;
    for (int kind = 0; kind < 3; kind++) {
        uint32_t root = 0, count = 0;

        memset(number, 0, sizeof number);
        memset(node, 0xff, sizeof node);
        for (unsigned turn = 0; count < MOST && turn < 20 * MOST; turn++) {
            const unsigned next = kind == 0   ? turn
                                  : kind == 1 ? (unsigned)random_bits(&state) % KEYS
                                              : KEYS - 1 - turn * 7 % KEYS;
            const uint32_t like = trie_find(node, &root, test_bit, &next);
            size_t bit = 0;

            assert_int_equal(like == 0, count == 0);
            if (like > 0 && key[like - 1] == next) {
                assert_int_equal(number[next], like);
                continue;
            }
            assert_int_equal(number[next], 0);
            while (like > 0 && (bit == 0 || (key[like - 1] ^ next) >> (BITS - bit) == 0))
                bit++;
            trie_insert(node, &root, test_bit, &next, count, bit);
            key[count] = next;
            number[next] = ++count;
        }
        assert_int_equal(count, MOST);
        for (unsigned next = 0; next < KEYS; next++) {
            const size_t before = tests;
            const uint32_t like = trie_find(node, &root, test_bit, &next);

            assert_in_range(tests - before, 1, BITS);
            assert_int_equal(number[next] > 0, key[like - 1] == next);
            assert_true(number[next] == 0 || number[next] == like);
        }
    }
}

int main(void)
{
    const struct CMUnitTest suite[] = {
        cmocka_unit_test(finds_what_was_inserted),
    };

    return cmocka_run_group_tests(suite, NULL, NULL);
}
