/* feature_columns.c - features with the same sum of hashes of rows and values; their columns are
 * then compared.
 *
 * Words of text are often equal: of the 74,055 uni- and bigrams of 67,349 sentences (sst2), 22,655
 * are in the same rows as an earlier one. The sums take one pass over the rows in any order.
 */
#include "data/feature_columns.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/random.h"
#include "base/status.h"
#include "data/storage_kinds.h"
#include "data/transpose.h"

enum hinge_status feature_columns_guess(const struct hinge_dataset *data, const uint32_t *row,
                                        uint32_t count, uint32_t *length, uint32_t *first,
                                        struct hinge_error *error)
{
    const size_t features = data->features;
    size_t slots = 2;
    uint64_t *hash = array_new(features, sizeof *hash, error);
    uint32_t *slot; /* features by hash; 0: none, else 1 more than the feature */

    while (slots < 2 * features)
        slots *= 2;
    slot = hash ? array_new(slots, sizeof *slot, error) : NULL;
    if (!slot) {
        free(hash);
        return failure(error);
    }
    memset(length, 0, features * sizeof *length);
    for (uint32_t s = 0; s < count; s++) {
        const uint64_t of_row = random_mix(s + UINT64_C(1));

        for (size_t k = data->x.start[row[s]], end = data->x.start[row[s] + 1]; k < end; k++) {
            const uint32_t j = hinge_index(&data->x, k);
            const double value = hinge_value(&data->x, k);
            uint64_t bits;

            memcpy(&bits, &value, sizeof bits);
            length[j]++;
            hash[j] += random_mix(of_row ^ bits);
        }
    }
    for (uint32_t j = 0; j < features; j++) {
        size_t at = hash[j] % slots;

        first[j] = j;
        if (length[j] == 0)
            continue;
        while (slot[at] && hash[slot[at] - 1] != hash[j])
            at = (at + 1) % slots;
        if (slot[at])
            first[j] = slot[at] - 1;
        else
            slot[at] = j + 1;
    }
    free(hash);
    free(slot);
    return HINGE_OK;
}

/* Removes the entries of features that are equal to first[j]. Other features become their own
 * first. */
static void remove_repeated(struct hinge_matrix *x, uint32_t *first)
{
    const size_t size = value_size(x->value_kind);
    uint32_t *index = x->index;
    char *value = x->value;
    size_t at = 0, end = 0;

    for (uint32_t j = 0; j < x->rows; j++) {
        const uint32_t f = first[j];
        const size_t start = end, count = x->start[j + 1] - start;

        end = x->start[j + 1];
        x->start[j] = at;
        if (f != j && x->start[f + 1] - x->start[f] == count &&
            memcmp(index + x->start[f], index + start, count * sizeof *index) == 0 &&
            (x->value_kind == HINGE_VALUE_ONE ||
             memcmp(value + x->start[f] * size, value + start * size, count * size) == 0))
            continue;
        first[j] = j;
        if (at < start && count > 0) {
            memmove(index + at, index + start, count * sizeof *index);
            if (x->value_kind != HINGE_VALUE_ONE)
                memmove(value + at * size, value + start * size, count * size);
        }
        at += count;
    }
    x->start[x->rows] = x->nonzeros = at;
}

struct feature_columns *feature_columns_new(const struct hinge_dataset *data, const uint32_t *row,
                                            uint32_t count, struct hinge_error *error)
{
    struct feature_columns *columns = array_new(1, sizeof *columns, error);
    const int has_indices = data->x.index_kind != HINGE_INDEX_NONE;
    uint32_t *length = NULL;
    size_t nonzeros = 0;

    if (!columns)
        return NULL;
    for (uint32_t s = 0; s < count; s++)
        nonzeros += data->x.start[row[s] + 1] - data->x.start[row[s]];
    if (!(columns->first = array_new(data->features, sizeof *columns->first, error)) ||
        !(columns->x = transpose_new(data, nonzeros, error)) ||
        (has_indices && (!(length = array_new(data->features, sizeof *length, error)) ||
                         feature_columns_guess(data, row, count, length, columns->first, error)))) {
        free(length);
        feature_columns_free(columns);
        return NULL;
    }
    free(length);
    transpose_fill(columns->x, data, row, count);
    for (uint32_t j = 0; !has_indices && j < data->features; j++)
        columns->first[j] = j;
    if (has_indices)
        remove_repeated(columns->x, columns->first);
    return columns;
}

void feature_columns_free(struct feature_columns *columns)
{
    if (!columns)
        return;
    transpose_free(columns->x);
    free(columns->first);
    free(columns);
}
