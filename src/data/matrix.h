/* matrix.h - labelled rows: a sparse matrix by rows, in the smallest types that hold it.
 *
 * Reading a file chooses the kinds by the values, not by how they are written. Indices: none if
 * each row has each feature, or if the rows have half of all features or more and not all values
 * are 1. Otherwise the smallest type for the largest index. Without indices, each zero that the
 * file leaves out is an entry. Values: none if all are 1, whole numbers with a common scale for
 * short decimals, otherwise double. The same values give the same model, bit for bit, whatever
 * their kind, with one exception. Whole numbers with a scale other than 1 round differently: sums
 * add the whole numbers and are multiplied by 1/scale.
 */
#ifndef HINGE_DATA_MATRIX_H
#define HINGE_DATA_MATRIX_H

#include "hinge.h"

/* Storage of indices: unsigned integers of 1 << kind bytes, or not at all. */
enum hinge_index_kind {
    HINGE_INDEX_8,   /* uint8_t */
    HINGE_INDEX_16,  /* uint16_t */
    HINGE_INDEX_32,  /* uint32_t */
    HINGE_INDEX_NONE /* each row has an entry for each column, in order; index is NULL */
};

/* The entries of a matrix in a temporary file, see pages.h. */
struct hinge_pages;

/* A matrix compressed by rows: the entries of row i are hinge_index(x, k), hinge_value(x, k) for
 * start[i] <= k < start[i + 1]. */
struct hinge_matrix {
    size_t rows;
    size_t nonzeros; /* start[rows] */
    size_t *start;   /* [rows + 1] */
    enum hinge_index_kind index_kind;
    enum hinge_value_kind value_kind;
    void *index;               /* [nonzeros] columns from 0, strictly ascending within a row */
    void *value;               /* [nonzeros] finite; HINGE_VALUE_WHOLE: the value times scale */
    double scale;              /* HINGE_VALUE_WHOLE: a power of ten in 1 .. 1e9 */
    struct hinge_pages *pages; /* the file of the entries: index and value are NULL, and hinge_index
                                  and hinge_value must not be called; NULL: entries are in memory */
};

/* Returns the column of an entry. */
static inline uint32_t hinge_index(const struct hinge_matrix *x, size_t entry)
{
    if (x->index_kind == HINGE_INDEX_NONE)
        return (uint32_t)(entry % (x->nonzeros / x->rows));
    if (x->index_kind == HINGE_INDEX_32)
        return ((const uint32_t *)x->index)[entry];
    return x->index_kind == HINGE_INDEX_16 ? ((const uint16_t *)x->index)[entry]
                                           : ((const uint8_t *)x->index)[entry];
}

/* Returns the value of an entry. */
static inline double hinge_value(const struct hinge_matrix *x, size_t entry)
{
    if (x->value_kind == HINGE_VALUE_DOUBLE)
        return ((const double *)x->value)[entry];
    if (x->value_kind == HINGE_VALUE_WHOLE)
        return ((const int32_t *)x->value)[entry] / x->scale;
    return x->value_kind == HINGE_VALUE_FLOAT ? (double)((const float *)x->value)[entry] : 1;
}

struct hinge_dataset {
    struct hinge_matrix x; /* at least 1 row, fewer than 2^32; columns are features */
    uint32_t features;     /* n = 1 + the largest index; 0 if no row has a feature */
    double *label;         /* [x.rows] finite; NULL: none, see hinge_view_csr */
    int zero_based;        /* 1: the file's indices start at 0 */
    size_t zeros;          /* entries of x that the file leaves out */
};

/* Returns the number of entries of the longest row. */
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

/* Returns row i, without a label. Indices and values that are stored as other types are converted
 * into room, which must hold the longest row. */
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
