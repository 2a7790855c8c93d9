/* hinge_text.h - texts as features: words and sequences of words, as hinge-convert --text has them.
 *
 * A word is a run of at least two letters and digits of UTF-8, in lower case; each Chinese or
 * Japanese character is a word. If k of m texts have a word, and a text has it t times, the value
 * of its feature is
 *
 *     HINGE_TF_IDF    (1 + ln t) (ln((1 + m) / (1 + k)) + 1), divided by the Euclidean length of
 *                     the values of the text; with hash_bits the second factor is 1
 *     HINGE_COUNTS    t
 *     HINGE_BINARY    1
 *
 * A vocabulary is counted (hinge_text_count, for any number of parts of the texts), chosen once
 * (hinge_text_choose), and then makes datasets (hinge_text_dataset). hinge.h says how errors,
 * ownership and array lengths are written.
 *
 * Texts are bytes, one text after the other: text i ends before texts[end[i]], where the next one
 * begins. end[rows] does not descend.
 */
#ifndef HINGE_TEXT_H
#define HINGE_TEXT_H

#include "hinge.h"

#ifdef __cplusplus
extern "C" {
#endif

enum hinge_weighting { HINGE_TF_IDF, HINGE_COUNTS, HINGE_BINARY };

/* A vocabulary. Calls that share one must not run at the same time. */
struct hinge_text;

/* Returns a vocabulary without words; NULL on failure. Free it with hinge_text_free.
 *
 *   ngrams        1 .. 9: sequences of up to so many words are features, too
 *   min_rows      words that fewer texts have are left out
 *   max_features  the words that occur most often are kept; 0: all
 *   hash_bits     0: a vocabulary; 1 .. 30: instead, a word has the feature that its hash value
 *                 names, of 2^hash_bits. min_rows and max_features have no meaning then */
struct hinge_text *hinge_text_new(uint32_t ngrams, uint32_t min_rows, uint32_t max_features,
                                  enum hinge_weighting weighting, uint32_t hash_bits,
                                  struct hinge_error *error);
void hinge_text_free(struct hinge_text *text);

/* Counts the words of texts. HINGE_BAD_ARGUMENT after hinge_text_choose or hinge_text_restore. */
enum hinge_status hinge_text_count(struct hinge_text *text, size_t rows, const char *texts,
                                   const size_t *end, struct hinge_error *error);

/* Leaves out the words that the settings exclude, and numbers the others as they first occur.
 * HINGE_BAD_ARGUMENT if the words were chosen or restored before. */
enum hinge_status hinge_text_choose(struct hinge_text *text, struct hinge_error *error);

/* Restores a vocabulary that was counted and chosen before: rows is the number of its texts, word
 * has its words, each ended by a NUL, and texts[words] the number of texts that have each word.
 * HINGE_BAD_ARGUMENT if the vocabulary is not new, or if there are words but words are hashed.
 * HINGE_BAD_INPUT if a word occurs twice. */
enum hinge_status hinge_text_restore(struct hinge_text *text, size_t rows, size_t words,
                                     const char *word, const uint32_t *texts,
                                     struct hinge_error *error);

/* hinge_text_rows returns the number of texts that were counted, hinge_text_features the number of
 * features. */
size_t hinge_text_rows(const struct hinge_text *text);
size_t hinge_text_features(const struct hinge_text *text);

/* Returns the words of a feature, from 0, with blanks between them, and sets *texts, which may be
 * NULL, to the number of texts that have them. NULL if there is no such feature or words are
 * hashed. The result lasts as long as the vocabulary. */
const char *hinge_text_word(const struct hinge_text *text, size_t feature, uint32_t *texts);

/* Returns a dataset with the features of texts and without labels. It does not need the vocabulary
 * or the texts any more. NULL on failure: HINGE_BAD_ARGUMENT if rows is not in 1 .. 2^32 - 1, or
 * before hinge_text_choose; HINGE_NO_MEMORY. Free with hinge_dataset_free. */
struct hinge_dataset *hinge_text_dataset(struct hinge_text *text, size_t rows, const char *texts,
                                         const size_t *end, struct hinge_error *error);

#ifdef __cplusplus
}
#endif
#endif
