/* transpose.c - a counting sort of the entries by feature, which keeps the order of the rows. */
#include "data/transpose.h"

#include <stdlib.h>
#include <string.h>

#include "base/compiler.h"
#include "base/memory.h"

struct hinge_matrix *transpose_new(const struct hinge_dataset *data, size_t nonzeros,
                                   struct hinge_error *error)
{
    const enum hinge_value_kind kind = data->x.value_kind;
    const size_t size = kind == HINGE_VALUE_DOUBLE ? sizeof(double) : sizeof(float);
    struct hinge_matrix *transpose = array_new(1, sizeof *transpose, error);

    if (!transpose)
        return NULL;
    transpose->rows = data->features;
    transpose->index_kind = HINGE_INDEX_32;
    transpose->value_kind = kind;
    transpose->scale = data->x.scale;
    /* one more than other matrices have: see count_entries */
    transpose->start = array_new((size_t)data->features + 2, sizeof *transpose->start, error);
    if (transpose->start)
        transpose->index = array_new(nonzeros, sizeof(uint32_t), error);
    if (transpose->index && kind != HINGE_VALUE_ONE)
        transpose->value = array_new(nonzeros, size, error);
    if (!transpose->index || (kind != HINGE_VALUE_ONE && !transpose->value)) {
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

/* Sets next[j] to where row j begins. That next[j + 1] first counts the entries of row j is why
 * start has room for one number more than other matrices have. */
static void count_entries(struct hinge_matrix *transpose, const struct hinge_matrix *x,
                          const uint32_t *row, uint32_t count)
{
    size_t *next = transpose->start + 1;

    memset(transpose->start, 0, (transpose->rows + 2) * sizeof *transpose->start);
    for (uint32_t s = 0; s < count; s++)
        for (size_t k = x->start[row[s]], end = x->start[row[s] + 1]; k < end; k++)
            next[hinge_index(x, k) + 1]++;
    for (size_t j = 0; j < transpose->rows; j++)
        next[j + 1] += next[j];
}

/* Puts each entry where its row of the transpose goes on. */
static ALWAYS_INLINE void place_entries_as(struct hinge_matrix *transpose,
                                           const struct hinge_matrix *x, const uint32_t *row,
                                           uint32_t count, enum hinge_value_kind kind)
{
    const struct hinge_matrix from = *x, to = *transpose; /* no store can change a copy */
    size_t *next = to.start + 1;

    for (uint32_t s = 0; s < count; s++)
        for (size_t k = from.start[row[s]], end = from.start[row[s] + 1]; k < end; k++) {
            const size_t at = next[hinge_index(&from, k)]++;

            ((uint32_t *)to.index)[at] = s;
            if (kind == HINGE_VALUE_WHOLE)
                ((int32_t *)to.value)[at] = ((const int32_t *)from.value)[k];
            if (kind == HINGE_VALUE_FLOAT)
                ((float *)to.value)[at] = ((const float *)from.value)[k];
            if (kind == HINGE_VALUE_DOUBLE)
                ((double *)to.value)[at] = ((const double *)from.value)[k];
        }
}

/* While entries are placed, start[j + 1] counts up from where row j begins to where it ends, which
 * is what it is to be: no other array is needed. */
void transpose_fill(struct hinge_matrix *transpose, const struct hinge_dataset *data,
                    const uint32_t *row, uint32_t count)
{
    const struct hinge_matrix *x = &data->x;

    count_entries(transpose, x, row, count);
    switch (x->value_kind) {
    case HINGE_VALUE_ONE:
        place_entries_as(transpose, x, row, count, HINGE_VALUE_ONE);
        break;
    case HINGE_VALUE_WHOLE:
        place_entries_as(transpose, x, row, count, HINGE_VALUE_WHOLE);
        break;
    case HINGE_VALUE_FLOAT:
        place_entries_as(transpose, x, row, count, HINGE_VALUE_FLOAT);
        break;
    case HINGE_VALUE_DOUBLE:
        place_entries_as(transpose, x, row, count, HINGE_VALUE_DOUBLE);
        break;
    }
    transpose->nonzeros = transpose->start[transpose->rows];
}
