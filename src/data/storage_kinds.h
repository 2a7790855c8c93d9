/* storage_kinds.h - how the entries of a matrix are stored: the kind of its indices, the kind of
 * its values, and the sizes that follow. An entry takes 0, 1, 2 or 4 bytes for its index and 0, 4
 * or 8 for its value.
 *
 * The values of each kind can be stored exactly in the kinds after it: HINGE_VALUE_ONE,
 * HINGE_VALUE_WHOLE with a scale of 10^places, HINGE_VALUE_DOUBLE. Readers never choose
 * HINGE_VALUE_FLOAT.
 */
#ifndef HINGE_DATA_STORAGE_KINDS_H
#define HINGE_DATA_STORAGE_KINDS_H

#include "data/digits.h"
#include "data/matrix.h"

enum { MOST_PLACES = 9 }; /* 10^9 is the largest power of ten that fits an int32_t */

/* A summary of some rows, which decides how they are stored. The summary of all rows follows from
 * the summaries of their parts. */
struct storage_kinds {
    uint64_t rows;
    uint64_t read; /* entries in the file; zeros that it leaves out do not count */
    uint32_t columns;
    enum hinge_value_kind value_kind;
    unsigned places; /* HINGE_VALUE_WHOLE: the scale is 10^places */
    int32_t largest; /* HINGE_VALUE_WHOLE: largest absolute value of a stored number */
};

/* Returns the summary of two parts together. */
struct storage_kinds storage_kinds_join(const struct storage_kinds *one,
                                        const struct storage_kinds *other);

/* True if these rows, at least one, are stored without indices. */
int storage_kinds_are_dense(const struct storage_kinds *kinds);

/* Returns how many entries are stored: without indices, each row has one for each column. */
size_t storage_kinds_nonzeros(const struct storage_kinds *kinds);

/* ---- Sizes ------------------------------------------------------------- */

/* Returns the smallest kind that holds all indices below `columns`. */
static inline enum hinge_index_kind index_kind_of(size_t columns)
{
    if (columns <= UINT8_MAX + 1)
        return HINGE_INDEX_8;
    return columns <= UINT16_MAX + 1 ? HINGE_INDEX_16 : HINGE_INDEX_32;
}

/* Returns the bytes of one stored value. HINGE_VALUE_ONE stores none; it counts like the kind that
 * would follow it. */
static inline size_t value_size(enum hinge_value_kind kind)
{
    return kind == HINGE_VALUE_DOUBLE ? sizeof(double) : sizeof(int32_t);
}

/* Return the bytes of the indices of some entries, of their values, and of both. */
static inline size_t index_bytes(enum hinge_index_kind kind, size_t entries)
{
    return kind == HINGE_INDEX_NONE ? 0 : entries << kind;
}

static inline size_t value_bytes(enum hinge_value_kind kind, size_t entries)
{
    return kind == HINGE_VALUE_ONE ? 0 : entries * value_size(kind);
}

static inline size_t entry_bytes(const struct hinge_matrix *x, size_t entries)
{
    return index_bytes(x->index_kind, entries) + value_bytes(x->value_kind, entries);
}

/* Returns the scale of a matrix whose values have this kind. */
static inline double value_scale(enum hinge_value_kind kind, unsigned places)
{
    return kind == HINGE_VALUE_WHOLE ? power_of_ten[places] : 1;
}

#endif
