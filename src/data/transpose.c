/* transpose.c - a counting sort of the entries by feature, which keeps the order of the rows. Rows
 * without indices are copied column by column. */
#include "data/transpose.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "data/storage_kinds.h"

struct hinge_matrix *transpose_new(const struct hinge_dataset *data, size_t nonzeros,
                                   struct hinge_error *error)
{
    const enum hinge_value_kind kind = data->x.value_kind;
    struct hinge_matrix *transpose = array_new(1, sizeof *transpose, error);

    if (!transpose)
        return NULL;
    transpose->rows = data->features;
    transpose->index_kind =
        data->x.index_kind == HINGE_INDEX_NONE ? HINGE_INDEX_NONE : HINGE_INDEX_32;
    transpose->value_kind = kind;
    transpose->scale = data->x.scale;
    /* one number more than in other matrices, see transpose_fill */
    if (!(transpose->start =
              array_new((size_t)data->features + 2, sizeof *transpose->start, error)) ||
        (transpose->index_kind != HINGE_INDEX_NONE &&
         !(transpose->index = array_new(nonzeros, sizeof(uint32_t), error))) ||
        (kind != HINGE_VALUE_ONE &&
         !(transpose->value = array_new(nonzeros, value_size(kind), error)))) {
        transpose_free(transpose);
        return NULL;
    }
    return transpose;
}

void transpose_free(struct hinge_matrix *transpose)
{
    if (!transpose)
        return;
    free(transpose->start);
    free(transpose->index);
    free(transpose->value);
    free(transpose);
}

/* Appends each entry to its row of the transpose, which continues at next[j]. A value is copied as
 * `size` bytes. */
static ALWAYS_INLINE void place_entries(const struct hinge_matrix *transpose, size_t *next,
                                        const struct hinge_matrix *x, const uint32_t *row,
                                        uint32_t count, size_t size)
{
    const struct hinge_matrix from = *x, to = *transpose; /* no store can change a copy */

    for (uint32_t s = 0; s < count; s++)
        for (size_t k = from.start[row[s]], end = from.start[row[s] + 1]; k < end; k++) {
            const size_t at = next[hinge_index(&from, k)]++;

            ((uint32_t *)to.index)[at] = s;
            if (size > 0)
                memcpy((char *)to.value + at * size, (const char *)from.value + k * size, size);
        }
}

/* Copies the values of rows that have all columns. */
static ALWAYS_INLINE void copy_values(const struct hinge_matrix *transpose,
                                      const struct hinge_matrix *x, const uint32_t *row,
                                      uint32_t count, size_t size)
{
    for (uint32_t s = 0; s < count; s++) {
        const char *from = (const char *)x->value + x->start[row[s]] * size;
        char *to = (char *)transpose->value + s * size;

        for (size_t j = 0; j < transpose->rows; j++)
            memcpy(to + j * count * size, from + j * size, size);
    }
}

/* No array but start is needed: next[j] = start[j + 1] first counts the entries before row j of the
 * transpose, and then moves from where that row begins to where it ends. Counting uses next[j + 1],
 * so start has one number more than in other matrices. */
void transpose_fill(struct hinge_matrix *transpose, const struct hinge_dataset *data,
                    const uint32_t *row, uint32_t count)
{
    const struct hinge_matrix *x = &data->x;
    size_t *next = transpose->start + 1;

    if (x->index_kind == HINGE_INDEX_NONE) {
        for (size_t j = 0; j <= transpose->rows; j++)
            transpose->start[j] = j * count;
        if (x->value_kind == HINGE_VALUE_DOUBLE)
            copy_values(transpose, x, row, count, sizeof(double));
        else if (x->value_kind != HINGE_VALUE_ONE)
            copy_values(transpose, x, row, count, sizeof(float));
        transpose->nonzeros = transpose->start[transpose->rows];
        return;
    }
    memset(transpose->start, 0, (transpose->rows + 2) * sizeof *transpose->start);
    for (uint32_t s = 0; s < count; s++)
        for (size_t k = x->start[row[s]], end = x->start[row[s] + 1]; k < end; k++)
            next[hinge_index(x, k) + 1]++;
    for (size_t j = 0; j < transpose->rows; j++)
        next[j + 1] += next[j];
    if (x->value_kind == HINGE_VALUE_ONE)
        place_entries(transpose, next, x, row, count, 0);
    else if (x->value_kind == HINGE_VALUE_DOUBLE)
        place_entries(transpose, next, x, row, count, sizeof(double));
    else
        place_entries(transpose, next, x, row, count, sizeof(float));
    transpose->nonzeros = transpose->start[transpose->rows];
}
