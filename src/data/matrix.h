/* matrix.h - a matrix of any kinds, row by row. */
#ifndef HINGE_DATA_MATRIX_H
#define HINGE_DATA_MATRIX_H

#include "hinge.h"

/* The number of entries of its longest row. */
static inline size_t matrix_longest(const struct hinge_matrix *x)
{
    size_t longest = 0;

    for (size_t i = 0; i < x->rows; i++)
        if (x->start[i + 1] - x->start[i] > longest)
            longest = x->start[i + 1] - x->start[i];
    return longest;
}

/* Bytes of room that matrix_row needs for an entry. */
enum { ROW_ENTRY = sizeof(double) + sizeof(uint32_t) };

/* Row i, without a label. Indices and values that are not stored as a row has them are put into the
 * room, which is for the longest row. */
static inline struct hinge_row matrix_row(const struct hinge_matrix *x, size_t i, double *room)
{
    const size_t start = x->start[i], count = x->start[i + 1] - start;
    uint32_t *index = (void *)(room + count); /* aligned, as doubles are */
    struct hinge_row row = {.count = count, .index = index, .value = room};

    if (x->index_kind == HINGE_INDEX_32 && count > 0)
        row.index = (const uint32_t *)x->index + start;
    else
        for (size_t k = 0; k < count; k++)
            index[k] = x->index_kind == HINGE_INDEX_NONE ? (uint32_t)k : hinge_index(x, start + k);
    if (x->value_kind == HINGE_VALUE_DOUBLE && count > 0)
        row.value = (const double *)x->value + start;
    else
        for (size_t k = 0; k < count; k++)
            room[k] = hinge_value(x, start + k);
    return row;
}

#endif
