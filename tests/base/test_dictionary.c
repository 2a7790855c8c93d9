/* test_dictionary.c - compares the numbers of words, in order of appearance, with those of a list
 * that is searched from its beginning.
 */
#include "support.h"

#include <stdio.h>
#include <string.h>

#include "base/checksum.h"
#include "base/dictionary.h"

#include "base/checksum.h"
#include "base/random.h"

enum { MOST = 600 };

static void numbers_words_as_they_come(void **unused)
{
    static char list[MOST][16];
    struct dictionary words = {0};
    struct hinge_error error = {HINGE_OK, ""};
    uint64_t random = 5;
    uint32_t count = 0, number;

    (void)unused;
    for (int n = 0; n < 4000; n++) {
        char word[16];
        uint32_t known = 0;
        size_t length, cut;
        uint64_t hash;

        snprintf(word, sizeof word, "%lx", (unsigned long)draw_below(&random, 700));
        if (n % 50 == 0)
            *word = '\0';
        length = strlen(word);
        cut = draw_below(&random, length + 1); /* any two parts give the word */
        while (known < count && strcmp(list[known], word) != 0)
            known++;
        if (known == MOST)
            continue;
        assert_int_equal(dictionary_find(&words, word, cut, word + cut, length - cut),
                         known < count ? known : DICTIONARY_NONE);
        assert_int_equal(
            dictionary_add(&words, word, cut, word + cut, length - cut, &number, &error), HINGE_OK);
        assert_int_equal(number, known);
        hash = dictionary_hash(checksum(CHECKSUM_NONE, word, length));
        dictionary_fetch(&words, hash, 0);
        dictionary_fetch(&words, hash, 1);
        assert_int_equal(dictionary_find_hashed(&words, hash, word, length), known);
        assert_int_equal(dictionary_add_hashed(&words, hash, word, length, &number, &error),
                         HINGE_OK);
        assert_int_equal(number, known);
        if (known == count)
            strcpy(list[count++], word);
        assert_int_equal(words.count, count);
    }
    assert_true(count > MOST / 2);
    for (uint32_t k = 0; k < count; k++)
        assert_string_equal(dictionary_text(&words, k), list[k]);
    dictionary_free(&words);
    assert_int_equal(dictionary_find(&words, "1", 1, "", 0), DICTIONARY_NONE);
    dictionary_free(&words);
}

/* Words with one hash value are all in one trie. Some are the beginning of others. */
static void numbers_words_of_one_hash_value(void **unused)
{
    enum { WORDS = 1024 };
    static char list[WORDS][32];
    struct dictionary words = {0};
    struct hinge_error error = {HINGE_OK, ""};
    uint32_t number;

    (void)unused;
    for (unsigned k = 0, count = 0; count < WORDS; k++) {
        const int length = snprintf(list[count], sizeof *list, k % 2 ? "%u" : "%u-%u", k / 2, k);

        if (random_mix(checksum(CHECKSUM_NONE, list[count], (size_t)length)) % WORDS == 0)
            count++;
    }
    for (int pass = 0; pass < 2; pass++)
        for (uint32_t k = 0; k < WORDS; k++) {
            assert_int_equal(dictionary_find(&words, list[k], strlen(list[k]), "", 0),
                             pass ? k : DICTIONARY_NONE);
            assert_int_equal(
                dictionary_add(&words, "", 0, list[k], strlen(list[k]), &number, &error), HINGE_OK);
            assert_int_equal(number, k);
            assert_string_equal(dictionary_text(&words, k), list[k]);
        }
    assert_int_equal(words.count, WORDS);
    dictionary_free(&words);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_words_as_they_come),
        cmocka_unit_test(numbers_words_of_one_hash_value),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
