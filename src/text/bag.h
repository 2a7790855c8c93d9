/* bag.h - a text as features: words and sequences of words, weighted and counted.
 *
 * If df of m texts have a word, and this text has it tf times, the tf-idf of the word is
 *
 *     (1 + ln tf) (ln((1 + m) / (1 + df)) + 1)
 *
 * divided by the Euclidean length of these values of the text. This is the sublinear, smooth form
 * (Salton, Buckley, Information Processing & Management 24(5), 1988).
 */
#ifndef HINGE_TEXT_BAG_H
#define HINGE_TEXT_BAG_H

#include <stdint.h>
#include <stdio.h>

#include "base/dictionary.h"
#include "hinge.h"
#include "text/words.h"

enum weighting {
    WEIGHT_TF_IDF, /* hashed words have no df, and their second factor is 1 */
    WEIGHT_COUNTS, /* tf */
    WEIGHT_BINARY  /* 1 */
};

enum { BAG_MAX_NGRAMS = 9, BAG_MAX_HASH_BITS = 30 };

struct bag_settings {
    uint32_t ngrams;       /* longest sequence of words that is a feature, 1 .. BAG_MAX_NGRAMS */
    uint32_t min_rows;     /* smallest number of texts that have a feature */
    uint32_t max_features; /* number of the most frequent features that are kept; 0: all */
    enum weighting weighting;
    uint32_t hash_bits; /* 0: a vocabulary; else a word has the feature that its hash value names */
    int keeps; /* features of counted texts go to a temporary file, if it has room for them */
};

struct bag_word {
    uint32_t texts; /* texts that have the word */
    uint32_t uses;  /* occurrences in all texts, at most UINT32_MAX */
    double rarity;  /* ln((1 + m) / (1 + df)) + 1; 0: not computed yet */
};

struct bag_value {
    uint32_t feature; /* number of the feature, from 0 */
    double value;
};

/* All zero except for settings: no words. */
struct bag {
    struct bag_settings settings;
    uint64_t texts;          /* number of texts counted */
    struct dictionary names; /* names of features: words, joined by blanks */
    struct bag_word *word;   /* [names.count], or NULL if words are hashed */
    size_t capacity;         /* elements allocated for word */
    FILE *kept;              /* counted texts: number of features, then the features; or NULL */
    uint32_t *number;        /* [words counted] features of the words in kept, or DICTIONARY_NONE */

    /* The current text. */
    struct words words;
    uint64_t *key; /* [keys] features of the text, with repetitions */
    size_t keys, key_capacity;
    struct bag_value *value;
    size_t values, value_capacity;
};

/* Adds a text to the vocabulary. */
enum hinge_status bag_count(struct bag *bag, const char *text, size_t length,
                            struct hinge_error *error);

/* Ends the counting: leaves out the words that the settings exclude. Features are numbered in the
 * order in which the texts first have them. */
enum hinge_status bag_choose(struct bag *bag, struct hinge_error *error);

/* Adds the next word of a vocabulary that was chosen before, with the number of texts that have it.
 * The caller sets bag->texts. A word that is already there fails with HINGE_BAD_INPUT. */
enum hinge_status bag_restore(struct bag *bag, const char *word, uint32_t texts,
                              struct hinge_error *error);

/* Returns the number of features. */
uint32_t bag_features(const struct bag *bag);

/* Finds the features of a text and their weights: bag->value[bag->values], features ascending. */
enum hinge_status bag_weigh(struct bag *bag, const char *text, size_t length,
                            struct hinge_error *error);

/* Does what bag_weigh does for the next counted text, which it reads from bag->kept. */
enum hinge_status bag_weigh_kept(struct bag *bag, struct hinge_error *error);

void bag_free(struct bag *bag);

#endif
