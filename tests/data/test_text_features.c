/* test_text_features.c - compares a dataset of a caller's texts with the features of each text
 * alone. */
#include "support.h"

#include <stdlib.h>
#include <string.h>

#include "hinge_text.h"
#include "text/bag.h"

static const char texts[] = "a good film, a good one!no good filmvery bad"
                            "\xe4\xb8\xad\xe5\x9b\xbd film";
static const size_t end[] = {24, 36, 36, 44, 55};
enum { ROWS = 5 };

static struct hinge_text *text_new(uint32_t ngrams, uint32_t hash_bits)
{
    struct hinge_error error;
    struct hinge_text *text = hinge_text_new(ngrams, 1, 0, HINGE_TF_IDF, hash_bits, &error);

    assert_non_null(text);
    return text;
}

static void check_row(struct bag *bag, size_t i, const int64_t *start, const int32_t *index,
                      const double *value)
{
    const size_t begin = i ? end[i - 1] : 0;
    struct hinge_error error;

    assert_int_equal(bag_weigh(bag, texts + begin, end[i] - begin, &error), HINGE_OK);
    assert_int_equal(start[i + 1] - start[i], bag->values);
    for (size_t k = 0; k < bag->values; k++) {
        assert_int_equal(index[start[i] + (int64_t)k], bag->value[k].feature);
        assert_true(value[start[i] + (int64_t)k] == bag->value[k].value);
    }
}

static void makes_the_rows_of_texts(void **unused)
{
    (void)unused;
    for (uint32_t hash_bits = 0; hash_bits < 6; hash_bits += 5) {
        struct bag bag = {.settings = {.ngrams = 2, .min_rows = 1, .hash_bits = hash_bits}};
        struct hinge_text *text = text_new(2, hash_bits);
        struct hinge_error error;
        struct hinge_dataset *data;
        int64_t start[ROWS + 1];
        int32_t index[64];
        double value[64] = {0};

        for (size_t i = 0; i < ROWS && !hash_bits; i++)
            assert_int_equal(bag_count(&bag, texts + (i ? end[i - 1] : 0),
                                       end[i] - (i ? end[i - 1] : 0), &error),
                             HINGE_OK);
        bag.texts = ROWS;
        assert_int_equal(hinge_text_count(text, ROWS, texts, end, &error), HINGE_OK);
        assert_int_equal(hinge_text_choose(text, &error), HINGE_OK);
        assert_int_equal(hinge_text_rows(text), ROWS);
        assert_non_null(data = hinge_text_dataset(text, ROWS, texts, end, &error));
        assert_int_equal(hinge_dataset_features(data), hinge_text_features(text));
        assert_int_equal(hinge_text_features(text), bag_features(&bag));
        assert_null(hinge_dataset_labels(data));
        assert_true(hinge_dataset_entries(data) <= 64);
        assert_int_equal(hinge_dataset_copy(data, start, index, value, &error), HINGE_OK);
        for (size_t i = 0; i < ROWS; i++)
            check_row(&bag, i, start, index, value);
        hinge_dataset_free(data);
        hinge_text_free(text);
        bag_free(&bag);
    }
    hinge_text_free(NULL);
}

static void restores_words(void **unused)
{
    struct hinge_text *text = text_new(1, 0), *again = text_new(1, 0);
    char words[200];
    uint32_t counts[20];
    size_t length = 0, features;
    struct hinge_error error;

    (void)unused;
    assert_int_equal(hinge_text_count(text, ROWS, texts, end, &error), HINGE_OK);
    assert_int_equal(hinge_text_choose(text, &error), HINGE_OK);
    features = hinge_text_features(text);
    assert_string_equal(hinge_text_word(text, 0, &counts[0]), "good");
    assert_int_equal(counts[0], 2);
    assert_null(hinge_text_word(text, features, NULL));
    for (size_t k = 0; k < features; k++) {
        strcpy(words + length, hinge_text_word(text, k, &counts[k]));
        length += strlen(words + length) + 1;
    }
    assert_int_equal(hinge_text_restore(again, ROWS, features, words, counts, &error), HINGE_OK);
    for (int k = 0; k < 2; k++) {
        struct hinge_dataset *data = hinge_text_dataset(k ? again : text, ROWS, texts, end, &error);
        static double first[64];
        int64_t start[ROWS + 1];
        int32_t index[64];
        double value[64] = {0};

        assert_non_null(data);
        assert_int_equal(hinge_dataset_copy(data, start, index, value, &error), HINGE_OK);
        if (k)
            assert_memory_equal(first, value, (size_t)start[ROWS] * sizeof *value);
        memcpy(first, value, sizeof first);
        hinge_dataset_free(data);
    }
    hinge_text_free(text);
    hinge_text_free(again);
}

static void refuses_misuse(void **unused)
{
    struct hinge_text *text = text_new(1, 0);
    const uint32_t counts[] = {1, 1};
    struct hinge_error error;

    (void)unused;
    assert_null(hinge_text_new(0, 1, 0, HINGE_TF_IDF, 0, &error));
    assert_string_equal(error.message, "ngrams: not from 1 to 9");
    assert_null(hinge_text_new(1, 1, 0, HINGE_TF_IDF, 31, &error));
    assert_string_equal(error.message, "hash_bits: not from 0 to 30");
    assert_null(hinge_text_new(1, 1, 0, (enum hinge_weighting)3, 0, &error));
    assert_null(hinge_text_dataset(text, ROWS, texts, end, &error));
    assert_int_equal(error.status, HINGE_BAD_ARGUMENT);
    assert_int_equal(hinge_text_restore(text, 2, 2, "one\0one", counts, &error), HINGE_BAD_INPUT);
    hinge_text_free(text);
    text = text_new(1, 0);
    assert_int_equal(hinge_text_choose(text, &error), HINGE_OK);
    assert_int_equal(hinge_text_choose(text, &error), HINGE_BAD_ARGUMENT);
    assert_int_equal(hinge_text_count(text, ROWS, texts, end, &error), HINGE_BAD_ARGUMENT);
    assert_int_equal(hinge_text_restore(text, 2, 2, "one\0two", counts, &error),
                     HINGE_BAD_ARGUMENT);
    assert_null(hinge_text_dataset(text, 0, texts, end, &error));
    assert_int_equal(error.status, HINGE_BAD_ARGUMENT);
    hinge_text_free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(makes_the_rows_of_texts),
                                       cmocka_unit_test(restores_words),
                                       cmocka_unit_test(refuses_misuse)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
