/* text_features.c - texts of the caller -> vocabulary -> dataset. */
#include "hinge_text.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/status.h"
#include "data/matrix.h"
#include "text/bag.h"

struct hinge_text {
    struct bag bag;
    int is_chosen;
};

struct hinge_text *hinge_text_new(uint32_t ngrams, uint32_t min_rows, uint32_t max_features,
                                  enum hinge_weighting weighting, uint32_t hash_bits,
                                  struct hinge_error *error)
{
    struct hinge_text *text = NULL;

    if (ngrams - 1 >= BAG_MAX_NGRAMS)
        error_fill(error, HINGE_BAD_ARGUMENT, "ngrams: not from 1 to %d", BAG_MAX_NGRAMS);
    else if (hash_bits > BAG_MAX_HASH_BITS)
        error_fill(error, HINGE_BAD_ARGUMENT, "hash_bits: not from 0 to %d", BAG_MAX_HASH_BITS);
    else if ((unsigned)weighting > HINGE_BINARY)
        error_fill(error, HINGE_BAD_ARGUMENT, "weighting: %d is no weighting", (int)weighting);
    else
        text = array_new(1, sizeof *text, error);
    if (text)
        text->bag.settings = (struct bag_settings){
            ngrams, min_rows, max_features, (enum weighting)weighting, hash_bits, 0};
    return text;
}

void hinge_text_free(struct hinge_text *text)
{
    if (text)
        bag_free(&text->bag);
    free(text);
}

/* ---- The vocabulary ------------------------------------------------------ */

static enum hinge_status check_open(const struct hinge_text *text, struct hinge_error *error)
{
    return text->is_chosen ? fail(error, HINGE_BAD_ARGUMENT, "the words were chosen before")
                           : HINGE_OK;
}

enum hinge_status hinge_text_count(struct hinge_text *text, size_t rows, const char *texts,
                                   const size_t *end, struct hinge_error *error)
{
    if (check_open(text, error))
        return failure(error);
    if (text->bag.settings.hash_bits)
        text->bag.texts += rows;
    else
        for (size_t i = 0, begin = 0; i < rows; begin = end[i++])
            if (bag_count(&text->bag, texts + begin, end[i] - begin, error))
                return failure(error);
    return HINGE_OK;
}

enum hinge_status hinge_text_choose(struct hinge_text *text, struct hinge_error *error)
{
    if (check_open(text, error) || (!text->bag.settings.hash_bits && bag_choose(&text->bag, error)))
        return failure(error);
    text->is_chosen = 1;
    return HINGE_OK;
}

enum hinge_status hinge_text_restore(struct hinge_text *text, size_t rows, size_t words,
                                     const char *word, const uint32_t *texts,
                                     struct hinge_error *error)
{
    if (check_open(text, error))
        return failure(error);
    if (text->bag.texts > 0 || (words > 0 && text->bag.settings.hash_bits))
        return fail(error, HINGE_BAD_ARGUMENT, "the vocabulary is not new, or has no words");
    for (size_t k = 0; k < words; k++, word += strlen(word) + 1)
        if (bag_restore(&text->bag, word, texts[k], error))
            return failure(error);
    text->bag.texts = rows;
    text->is_chosen = 1;
    return HINGE_OK;
}

size_t hinge_text_rows(const struct hinge_text *text)
{
    return (size_t)text->bag.texts;
}

size_t hinge_text_features(const struct hinge_text *text)
{
    return bag_features(&text->bag);
}

const char *hinge_text_word(const struct hinge_text *text, size_t feature, uint32_t *texts)
{
    const struct bag *bag = &text->bag;

    if (bag->settings.hash_bits || feature >= bag->names.count)
        return NULL;
    if (texts)
        *texts = bag->word[feature].texts;
    return dictionary_text(&bag->names, (uint32_t)feature);
}

/* ---- Rows ---------------------------------------------------------------- */

struct hinge_dataset *hinge_text_dataset(struct hinge_text *text, size_t rows, const char *texts,
                                         const size_t *end, struct hinge_error *error)
{
    struct bag *bag = &text->bag;
    struct hinge_dataset *data = NULL;
    struct hinge_matrix *x;
    size_t capacity = 0;

    if (!text->is_chosen)
        error_fill(error, HINGE_BAD_ARGUMENT, "no words were chosen yet");
    else if (rows - 1 >= UINT32_MAX)
        error_fill(error, HINGE_BAD_ARGUMENT, "%lu rows: not from 1 to %lu", (unsigned long)rows,
                   (unsigned long)UINT32_MAX);
    else
        data = array_new(1, sizeof *data, error);
    if (!data)
        return NULL;
    x = &data->x;
    *x = (struct hinge_matrix){
        .rows = rows, .index_kind = HINGE_INDEX_32, .value_kind = HINGE_VALUE_DOUBLE, .scale = 1};
    data->features = bag_features(bag);
    x->start = array_new(rows + 1, sizeof *x->start, error);
    for (size_t i = 0, begin = 0; x->start && i < rows; begin = end[i++]) {
        size_t values = capacity;

        if (bag_weigh(bag, texts + begin, end[i] - begin, error) ||
            array_extend(&x->index, &capacity, x->nonzeros + bag->values + 1, sizeof(uint32_t),
                         error) ||
            array_extend(&x->value, &values, x->nonzeros + bag->values + 1, sizeof(double),
                         error)) {
            hinge_dataset_free(data);
            return NULL;
        }
        for (size_t k = 0; k < bag->values; k++, x->nonzeros++) {
            ((uint32_t *)x->index)[x->nonzeros] = bag->value[k].feature;
            ((double *)x->value)[x->nonzeros] = bag->value[k].value;
        }
        x->start[i + 1] = x->nonzeros;
    }
    if (x->start)
        return data;
    hinge_dataset_free(data);
    return NULL;
}
