/* bag.c - texts -> vocabulary; text -> values of features. */
#include "text/bag.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/checksum.h"
#include "base/elementary.h"
#include "base/memory.h"
#include "base/output.h"
#include "base/sort.h"
#include "base/status.h"

/* True if the words from i - k to i of the text are a feature. Two joined characters are a feature
 * even if settings.ngrams is 1. */
static int is_feature(const struct bag *bag, size_t i, size_t k)
{
    return k <= i && (k < bag->settings.ngrams || (k == 1 && bag->words.word[i].is_joined));
}

/* Sets key[] to the hash values of the features of the text, each of which continues the checksum
 * of the words before its last one. Returns their number. */
static size_t hash_features(const struct bag *bag, uint64_t *key)
{
    const struct words *words = &bag->words;
    uint64_t sum[BAG_MAX_NGRAMS + 1]; /* checksum of the words i - k .. i, for each k */
    size_t keys = 0;

    for (size_t i = 0, before = 0; i < words->count; before = words->word[i++].end) {
        const struct word *word = &words->word[i];

        for (size_t k = bag->settings.ngrams < 2 ? 1 : bag->settings.ngrams - 1; k > 0; k--)
            if (is_feature(bag, i, k))
                sum[k] = checksum(sum[k - 1], words->text + before, word->end - before);
        sum[0] = checksum(CHECKSUM_NONE, words->text + word->begin, word->end - word->begin);
        for (size_t k = 0; is_feature(bag, i, k); k++) {
            key[keys] = dictionary_hash(sum[k]);
            dictionary_fetch(&bag->names, key[keys++], 0);
        }
    }
    return keys;
}

/* Sets bag->key to the features of a text, in ascending order. New words join the vocabulary if
 * `grow`, else they are left out. */
static enum hinge_status find_keys(struct bag *bag, const char *text, size_t length, int grow,
                                   struct hinge_error *error)
{
    const struct bag_settings *settings = &bag->settings;
    struct words *words = &bag->words;
    uint64_t *key;
    size_t keys;

    if (words_split(words, text, length, error))
        return failure(error);
    if (ARRAY_RESERVE(&bag->key, &bag->key_capacity,
                      words->count * (settings->ngrams < 2 ? 2 : settings->ngrams) + 1, error))
        return failure(error);
    key = bag->key;
    keys = hash_features(bag, key);
    for (int stage = 1; stage <= 2 && !settings->hash_bits; stage++)
        for (size_t n = 0; n < keys; n++)
            dictionary_fetch(&bag->names, key[n], stage);
    bag->keys = 0;
    for (size_t i = 0, n = 0; i < words->count; i++)
        for (size_t k = 0; is_feature(bag, i, k); k++, n++) {
            const char *name = words->text + words->word[i - k].begin;
            const size_t name_length = words->word[i].end - words->word[i - k].begin;
            uint32_t number;

            if (settings->hash_bits)
                number = (uint32_t)(key[n] & ((UINT64_C(1) << settings->hash_bits) - 1));
            else if (!grow)
                number = dictionary_find_hashed(&bag->names, key[n], name, name_length);
            else if (dictionary_add_hashed(&bag->names, key[n], name, name_length, &number, error))
                return failure(error);
            if (number != DICTIONARY_NONE)
                key[bag->keys++] = number;
        }
    sort_keys(key, bag->keys, NULL);
    return HINGE_OK;
}

/* Returns the number of keys that equal key[k], from k on. */
static size_t run_length(const struct bag *bag, size_t k)
{
    size_t next = k + 1;

    while (next < bag->keys && bag->key[next] == bag->key[k])
        next++;
    return next - k;
}

/* Makes room for the counts of all words, and sets the counts of the words from `known` on to 0. */
static enum hinge_status reserve_counts(struct bag *bag, uint32_t known, struct hinge_error *error)
{
    if (ARRAY_RESERVE(&bag->word, &bag->capacity, bag->names.count + (size_t)1, error))
        return failure(error);
    memset(bag->word + known, 0, (bag->names.count - known) * sizeof *bag->word);
    return HINGE_OK;
}

/* Forgets the features of the counted texts. */
static void forget(struct bag *bag)
{
    if (bag->kept)
        fclose(bag->kept);
    bag->kept = NULL;
}

enum hinge_status bag_count(struct bag *bag, const char *text, size_t length,
                            struct hinge_error *error)
{
    const uint32_t known = bag->names.count;
    uint32_t block[256];
    size_t count = 1; /* numbers in the block; the first number of a text counts its features */

    if (find_keys(bag, text, length, 1, error) || reserve_counts(bag, known, error))
        return failure(error);
    if (bag->settings.keeps && bag->texts == 0)
        bag->kept = tmpfile();
    block[0] = (uint32_t)bag->keys;
    for (size_t k = 0; bag->kept && (k < bag->keys || count > 0); count = 0) {
        for (; k < bag->keys && count < sizeof block / sizeof *block; k++)
            block[count++] = (uint32_t)bag->key[k];
        if (fwrite(block, sizeof *block, count, bag->kept) < count)
            forget(bag);
    }
    bag->texts++;
    for (size_t k = 0, uses; k < bag->keys; k += uses) {
        struct bag_word *word = &bag->word[bag->key[k]];

        uses = run_length(bag, k);
        word->texts++;
        word->uses += (uint32_t)(uses < UINT32_MAX - word->uses ? uses : UINT32_MAX - word->uses);
    }
    return HINGE_OK;
}

enum hinge_status bag_choose(struct bag *bag, struct hinge_error *error)
{
    struct dictionary names = {0};
    const uint32_t least = bag->settings.min_rows > 0 ? bag->settings.min_rows : 1;
    uint64_t *order;
    size_t kept = 0;

    if (bag->settings.max_features) { /* among equally frequent words, the first ones are kept */
        if (!(order = array_new(bag->names.count, sizeof *order, error)))
            return failure(error);
        for (uint32_t j = 0; j < bag->names.count; j++)
            if (bag->word[j].texts >= bag->settings.min_rows)
                order[kept++] = (uint64_t)(UINT32_MAX - bag->word[j].uses) << 32 | j;
        sort_keys(order, kept, NULL);
        for (size_t k = bag->settings.max_features; k < kept; k++)
            bag->word[(uint32_t)order[k]].texts = 0;
        free(order);
    }
    if (!(bag->number = array_new(bag->names.count + (size_t)1, sizeof *bag->number, error)))
        return failure(error);
    for (uint32_t j = 0; j < bag->names.count; j++) {
        const char *name = dictionary_text(&bag->names, j);

        bag->number[j] = DICTIONARY_NONE;
        if (bag->word[j].texts < least)
            continue;
        if (dictionary_add(&names, name, strlen(name), "", 0, &bag->number[j], error)) {
            dictionary_free(&names);
            return failure(error);
        }
        bag->word[bag->number[j]] = bag->word[j];
    }
    if (bag->kept && fseek(bag->kept, 0, SEEK_SET))
        forget(bag);
    dictionary_free(&bag->names);
    bag->names = names;
    return HINGE_OK;
}

enum hinge_status bag_restore(struct bag *bag, const char *word, uint32_t texts,
                              struct hinge_error *error)
{
    const uint32_t known = bag->names.count;
    uint32_t number;

    if (dictionary_add(&bag->names, word, strlen(word), "", 0, &number, error) ||
        reserve_counts(bag, known, error))
        return failure(error);
    if (number < known)
        return fail(error, HINGE_BAD_INPUT, "the word is repeated");
    bag->word[number].texts = texts;
    return HINGE_OK;
}

uint32_t bag_features(const struct bag *bag)
{
    return bag->settings.hash_bits ? (uint32_t)1 << bag->settings.hash_bits : bag->names.count;
}

/* Sets bag->value to the weights of the features in bag->key. */
static enum hinge_status weigh_keys(struct bag *bag, struct hinge_error *error)
{
    const enum weighting weighting = bag->settings.weighting;
    struct bag_value *value;
    double squares = 0, norm;

    if (ARRAY_RESERVE(&bag->value, &bag->value_capacity, bag->keys + 1, error))
        return failure(error);
    value = bag->value;
    for (size_t k = 0, uses; k < bag->keys; k += uses, value++) {
        uses = run_length(bag, k);
        value->feature = (uint32_t)bag->key[k];
        value->value = weighting == WEIGHT_BINARY   ? 1
                       : weighting == WEIGHT_COUNTS ? (double)uses
                       : uses == 1                  ? 1
                                                    : 1 + log_of((double)uses);
        if (weighting == WEIGHT_TF_IDF && !bag->settings.hash_bits) {
            struct bag_word *word = &bag->word[value->feature];

            if (word->rarity == 0)
                word->rarity = log_of((1 + (double)bag->texts) / (1 + (double)word->texts)) + 1;
            value->value *= word->rarity;
        }
        squares += value->value * value->value;
    }
    bag->values = (size_t)(value - bag->value);
    norm = sqrt(squares);
    for (size_t k = 0; k < bag->values && weighting == WEIGHT_TF_IDF; k++)
        bag->value[k].value /= norm;
    return HINGE_OK;
}

enum hinge_status bag_weigh(struct bag *bag, const char *text, size_t length,
                            struct hinge_error *error)
{
    bag->values = 0;
    return find_keys(bag, text, length, 0, error) ? failure(error) : weigh_keys(bag, error);
}

enum hinge_status bag_weigh_kept(struct bag *bag, struct hinge_error *error)
{
    uint32_t block[256], count;

    bag->keys = bag->values = 0;
    errno = 0;
    if (fread(&count, sizeof count, 1, bag->kept) < 1)
        return fail_file(error, "read", "a temporary file");
    if (ARRAY_RESERVE(&bag->key, &bag->key_capacity, (size_t)count + 1, error))
        return failure(error);
    for (uint32_t some; count > 0; count -= some) {
        some = count < sizeof block / sizeof *block ? count : sizeof block / sizeof *block;
        if (fread(block, sizeof *block, some, bag->kept) < some)
            return fail_file(error, "read", "a temporary file");
        for (uint32_t k = 0; k < some; k++)
            if (bag->number[block[k]] != DICTIONARY_NONE)
                bag->key[bag->keys++] = bag->number[block[k]];
    }
    return weigh_keys(bag, error);
}

void bag_free(struct bag *bag)
{
    const struct bag_settings settings = bag->settings;

    dictionary_free(&bag->names);
    words_free(&bag->words);
    forget(bag);
    free(bag->word);
    free(bag->number);
    free(bag->key);
    free(bag->value);
    memset(bag, 0, sizeof *bag);
    bag->settings = settings;
}
