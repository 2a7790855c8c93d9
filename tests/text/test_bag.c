/* test_bag.c - words of texts in several scripts, and their weights against the formula evaluated
 * one word at a time.
 */
#include "support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "text/bag.h"
#include "text/letters.h"

/* Prints the names of the features of one text, in the order in which the text has them. */
static const char *names_of(const char *text, uint32_t ngrams)
{
    static char names[1000];
    struct bag bag = {.settings = {.ngrams = ngrams}};
    struct hinge_error error;
    size_t used = 0;

    assert_int_equal(bag_count(&bag, text, strlen(text), &error), HINGE_OK);
    assert_int_equal(bag_choose(&bag, &error), HINGE_OK);
    *names = '\0';
    for (uint32_t k = 0; k < bag_features(&bag); k++)
        used += (size_t)snprintf(names + used, sizeof names - used, k ? "|%s" : "%s",
                                 dictionary_text(&bag.names, k));
    bag_free(&bag);
    return names;
}

static void splits_words(void **unused)
{
    static const struct {
        const char *text, *names;
        uint32_t ngrams;
    } cases[] = {
        {"", "", 1},
        {" ., a b", "", 1},
        {"The cat's 2 nine-lives: 42x", "the|cat|nine|lives|42x", 1},
        {"no good movie", "no|good|no good|movie|good movie", 2},
        {"no good movie", "no|good|no good|movie|good movie|no good movie", 3},
        {"a snake_case", "snake|case", 1},
        {"\xc3\x89t\xc3\xa9 STRASSE \xc3\x9f\xc3\x9c", "\xc3\xa9t\xc3\xa9|strasse|\xc3\x9f\xc3\xbc",
         1},
        {"\xd0\x96\xd1\x91\xd0\x81", "\xd0\xb6\xd1\x91\xd1\x91", 1},
        /* Capital sigma at the end of a Greek word, at its beginning, and after a Cyrillic letter.
         */
        {"\xce\xa3\xce\x9f\xce\xa3 \xce\xa3", "\xcf\x83\xce\xbf\xcf\x82", 1},
        {"\xd0\x96\xce\xa3", "\xd0\xb6\xcf\x83", 1},
        /* Chinese characters and their pairs; a blank or a letter between two parts them. */
        {"\xe4\xb8\xad\xe5\x9b\xbd x\xe4\xb8\xad",
         "\xe4\xb8\xad|\xe5\x9b\xbd|\xe4\xb8\xad\xe5\x9b\xbd", 1},
        {"ab\xe4\xb8\xad"
         "cd",
         "ab|\xe4\xb8\xad|ab \xe4\xb8\xad|cd|\xe4\xb8\xad cd", 2},
        /* Bytes that are not UTF-8: a lone byte, an overlong form, a surrogate, a character that is
         * cut short. */
        {"ab\xff"
         "cd ef\xc0\xa1gh ij\xed\xa0\x80kl mn\xe4\xb8",
         "ab|cd|ef|gh|ij|kl|mn", 1},
    };

    (void)unused;
    for (size_t k = 0; k < COUNT(cases); k++)
        assert_string_equal(names_of(cases[k].text, cases[k].ngrams), cases[k].names);
}

static void reads_and_writes_characters(void **unused)
{
    char text[4];
    uint32_t code;

    (void)unused;
    for (uint32_t c = 1; c < 0x110000; c += c < 0x10000 ? 1 : 97) {
        const size_t bytes = letter_encode(c, text);

        assert_int_equal(letter_decode(text, bytes, &code), bytes);
        assert_int_equal(code, c >= 0xd800 && c < 0xe000 ? LETTER_INVALID : c);
        if (c >= 0x80 && letter_lower(c) != c) {
            assert_true(letter_is(c));
            assert_int_equal(letter_lower(letter_lower(c)), letter_lower(c));
        }
    }
}

/* Random texts of the words w10, w11 ..., in which small numbers are frequent. */
enum { TEXTS = 200, LONGEST = 30, WORDS = 40 };
static uint32_t drawn[TEXTS][LONGEST];
static size_t drawn_length[TEXTS];
static uint32_t uses_of[TEXTS][WORDS]; /* how often the text has the word */
static uint32_t texts_with[WORDS];     /* how many texts have the word */

static size_t text_of(size_t i, char *text, size_t size)
{
    size_t used = 0;

    *text = '\0';
    for (size_t k = 0; k < drawn_length[i]; k++)
        used +=
            (size_t)snprintf(text + used, size - used, "W%lu, ", 10 + (unsigned long)drawn[i][k]);
    return used;
}

static void draw_texts(void)
{
    uint64_t random = 11;

    memset(uses_of, 0, sizeof uses_of);
    memset(texts_with, 0, sizeof texts_with);
    for (size_t i = 0; i < TEXTS; i++) {
        drawn_length[i] = draw_below(&random, LONGEST + 1);
        for (size_t k = 0; k < drawn_length[i]; k++) {
            const size_t word = draw_below(&random, 1 + draw_below(&random, WORDS));

            drawn[i][k] = (uint32_t)word;
            texts_with[word] += uses_of[i][word]++ == 0;
        }
    }
}

/* Returns tf-idf of a word in a text, as the formula in bag.h says. */
static double tf_idf(size_t i, uint32_t word, int is_hashed)
{
    const uint32_t uses = uses_of[i][word];
    const double idf = log((1. + TEXTS) / (1. + texts_with[word])) + 1;

    return uses ? (1 + log((double)uses)) * (is_hashed ? 1 : idf) : 0;
}

static void check_weights(enum weighting weighting, uint32_t min_rows, uint32_t hash_bits)
{
    struct bag bag = {
        .settings = {
            .ngrams = 1, .min_rows = min_rows, .weighting = weighting, .hash_bits = hash_bits}};
    struct hinge_error error;
    char text[LONGEST * 8];

    for (size_t i = 0; i < TEXTS && !hash_bits; i++)
        assert_int_equal(bag_count(&bag, text, text_of(i, text, sizeof text), &error), HINGE_OK);
    assert_int_equal(bag_choose(&bag, &error), HINGE_OK);
    for (size_t i = 0; i < TEXTS; i++) {
        double squares = 0, values = 0, sum = 0, expected = 0;

        assert_int_equal(bag_weigh(&bag, text, text_of(i, text, sizeof text), &error), HINGE_OK);
        for (uint32_t word = 0; word < WORDS; word++)
            if (texts_with[word] >= min_rows && uses_of[i][word])
                values++, squares += pow(tf_idf(i, word, hash_bits > 0), 2);
        assert_int_equal(bag.values, values);
        for (size_t k = 0; k < bag.values; k++) {
            const uint32_t feature = bag.value[k].feature;

            assert_true(feature < bag_features(&bag));
            assert_true(k == 0 || feature > bag.value[k - 1].feature);
            sum += bag.value[k].value;
            if (!hash_bits) {
                const uint32_t word =
                    (uint32_t)strtoul(dictionary_text(&bag.names, feature) + 1, NULL, 10) - 10;
                double right;

                assert_true(word < WORDS);
                right = weighting == WEIGHT_BINARY   ? 1
                        : weighting == WEIGHT_COUNTS ? uses_of[i][word]
                                                     : tf_idf(i, word, 0) / sqrt(squares);

                assert_true(fabs(bag.value[k].value - right) <= 1e-14);
            }
        }
        for (uint32_t word = 0; word < WORDS; word++)
            if (texts_with[word] >= min_rows)
                expected += weighting == WEIGHT_BINARY   ? uses_of[i][word] > 0
                            : weighting == WEIGHT_COUNTS ? uses_of[i][word]
                            : squares > 0 ? tf_idf(i, word, hash_bits > 0) / sqrt(squares)
                                          : 0;
        assert_true(fabs(sum - expected) <= 1e-12);
    }
    bag_free(&bag);
}

static void weighs_words(void **unused)
{
    (void)unused;
    draw_texts();
    for (uint32_t min_rows = 0; min_rows < 30; min_rows += 7) {
        check_weights(WEIGHT_TF_IDF, min_rows, 0);
        check_weights(WEIGHT_COUNTS, min_rows, 0);
        check_weights(WEIGHT_BINARY, min_rows, 0);
    }
    /* Among 2^30 values, no two of these words collide. */
    check_weights(WEIGHT_TF_IDF, 0, 30);
    check_weights(WEIGHT_COUNTS, 0, 30);
}

/* Collisions add counts, so a single feature has all words of a text. */
static void adds_words_that_collide(void **unused)
{
    struct bag bag = {.settings = {.ngrams = 1, .weighting = WEIGHT_COUNTS, .hash_bits = 1}};
    struct hinge_error error;
    double sum = 0;

    (void)unused;
    assert_int_equal(bag_weigh(&bag, "aa bb cc dd ee", 14, &error), HINGE_OK);
    assert_true(bag.values <= 2);
    for (size_t k = 0; k < bag.values; k++)
        sum += bag.value[k].value;
    assert_true(sum == 5);
    bag_free(&bag);
}

/* Texts that were kept have the weights that the texts themselves have. */
static void weighs_kept_texts(void **unused)
{
    struct bag bag = {.settings = {.ngrams = 2, .min_rows = 3, .keeps = 1}};
    struct hinge_error error;
    char text[LONGEST * 8];

    (void)unused;
    draw_texts();
    for (size_t i = 0; i < TEXTS; i++)
        assert_int_equal(bag_count(&bag, text, text_of(i, text, sizeof text), &error), HINGE_OK);
    assert_int_equal(bag_choose(&bag, &error), HINGE_OK);
    assert_non_null(bag.kept);
    for (size_t i = 0; i < TEXTS; i++) {
        struct bag_value value[2 * LONGEST];
        size_t values;

        assert_int_equal(bag_weigh(&bag, text, text_of(i, text, sizeof text), &error), HINGE_OK);
        values = bag.values;
        assert_true(values <= COUNT(value));
        memcpy(value, bag.value, values * sizeof *value);
        assert_int_equal(bag_weigh_kept(&bag, &error), HINGE_OK);
        assert_int_equal(bag.values, values);
        for (size_t k = 0; k < values; k++)
            assert_true(bag.value[k].feature == value[k].feature &&
                        bag.value[k].value == value[k].value);
    }
    assert_int_equal(bag_weigh_kept(&bag, &error), HINGE_FILE_ERROR);
    bag_free(&bag);
}

static void keeps_the_most_frequent(void **unused)
{
    struct bag bag = {.settings = {.ngrams = 1, .min_rows = 2, .max_features = 2}};
    struct hinge_error error;
    const char *const texts[] = {"once xx xx xx xx", "bb aa cc cc", "cc bb aa", "bb"};

    (void)unused;
    for (size_t i = 0; i < COUNT(texts); i++)
        assert_int_equal(bag_count(&bag, texts[i], strlen(texts[i]), &error), HINGE_OK);
    assert_int_equal(bag_choose(&bag, &error), HINGE_OK);
    /* xx is in one text alone; bb and cc are used three times, aa twice. */
    assert_int_equal(bag_features(&bag), 2);
    assert_string_equal(dictionary_text(&bag.names, 0), "bb");
    assert_string_equal(dictionary_text(&bag.names, 1), "cc");
    assert_int_equal(bag.word[0].texts, 3);
    assert_int_equal(bag.word[1].texts, 2);
    assert_int_equal(bag.word[1].uses, 3);
    bag_free(&bag);
}

/* The words and their numbers of texts are all that weights need. */
static void restores_a_vocabulary(void **unused)
{
    struct bag bag = {.settings = {.ngrams = 2, .min_rows = 2}}, again = {.settings = bag.settings};
    struct hinge_error error;
    const char *const texts[] = {"good film", "a good film, good", "bad film", "bad bad"};

    (void)unused;
    for (size_t i = 0; i < COUNT(texts); i++)
        assert_int_equal(bag_count(&bag, texts[i], strlen(texts[i]), &error), HINGE_OK);
    assert_int_equal(bag_choose(&bag, &error), HINGE_OK);
    again.texts = bag.texts;
    for (uint32_t k = 0; k < bag_features(&bag); k++)
        assert_int_equal(
            bag_restore(&again, dictionary_text(&bag.names, k), bag.word[k].texts, &error),
            HINGE_OK);
    assert_int_equal(bag_features(&again), 4);
    for (size_t i = 0; i < COUNT(texts); i++) {
        assert_int_equal(bag_weigh(&bag, texts[i], strlen(texts[i]), &error), HINGE_OK);
        assert_int_equal(bag_weigh(&again, texts[i], strlen(texts[i]), &error), HINGE_OK);
        assert_int_equal(again.values, bag.values);
        for (size_t k = 0; k < bag.values; k++) {
            assert_int_equal(again.value[k].feature, bag.value[k].feature);
            assert_true(again.value[k].value == bag.value[k].value);
        }
    }
    assert_int_equal(bag_restore(&again, "good film", 1, &error), HINGE_BAD_INPUT);
    bag_free(&bag);
    bag_free(&again);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(splits_words),          cmocka_unit_test(reads_and_writes_characters),
        cmocka_unit_test(weighs_words),          cmocka_unit_test(adds_words_that_collide),
        cmocka_unit_test(weighs_kept_texts),     cmocka_unit_test(keeps_the_most_frequent),
        cmocka_unit_test(restores_a_vocabulary),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
