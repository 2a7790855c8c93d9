/* entries.h - non-zeros of one row after the other, in growing arrays of the smallest kinds that
 * hold them.
 */
#ifndef HINGE_DATA_ENTRIES_H
#define HINGE_DATA_ENTRIES_H

#include <math.h>

#include "base/status.h"
#include "data/decimal.h"
#include "data/storage_kinds.h"
#include "hinge.h"

/* The kinds of values, each of which holds those of the kinds before it exactly: HINGE_VALUE_ONE,
 * HINGE_VALUE_WHOLE with a scale of 10^places, HINGE_VALUE_DOUBLE. HINGE_VALUE_FLOAT is not used.
 */
enum { MOST_PLACES = 9 };

struct entries {
    struct hinge_matrix x; /* nonzeros: so many up to now; rows, start: filled in by the caller;
                              scale: set by entries_finish */
    size_t capacity;       /* of index and value */
    unsigned places;
    int signs; /* some values have one */

    /* Of HINGE_INDEX_NONE, which is the kind of indices as long as hardly a row leaves a feature
     * out: */
    size_t row;    /* where the row under way begins */
    size_t width;  /* entries of each row before it */
    size_t filled; /* zeros that were left out: stored as what no value is, until the end */
};

/* A zero that was left out: outside the range of wholes, and not finite. */
#define LEFT_OUT_WHOLE INT32_MIN
#define LEFT_OUT_VALUE NAN

/* Whether entry k is such a zero. */
static inline int entries_is_left_out(const struct hinge_matrix *x, size_t k)
{
    if (x->value_kind == HINGE_VALUE_ONE)
        return 0;
    return x->value_kind == HINGE_VALUE_WHOLE ? ((const int32_t *)x->value)[k] == LEFT_OUT_WHOLE
                                              : isnan(((const double *)x->value)[k]);
}

/* The smallest kind that indices below `columns` have room in. */
static inline enum hinge_index_kind index_kind_of(size_t columns)
{
    if (columns <= UINT8_MAX + 1)
        return HINGE_INDEX_8;
    return columns <= UINT16_MAX + 1 ? HINGE_INDEX_16 : HINGE_INDEX_32;
}

/* Bytes of a stored value of this kind. */
static inline size_t value_size(enum hinge_value_kind kind)
{
    return kind == HINGE_VALUE_DOUBLE ? sizeof(double) : sizeof(int32_t);
}

/* Bytes of so many entries of these kinds. */
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

/* The scale of a matrix with such values. */
static inline double value_scale(enum hinge_value_kind kind, unsigned places)
{
    return kind == HINGE_VALUE_WHOLE ? power_of_ten[places] : 1;
}

/* Empty, with indices and values of these kinds at first. entries_free is to be called in any case;
 * it frees x.start, too. */
enum hinge_status entries_new(struct entries *entries, enum hinge_index_kind index_kind,
                              enum hinge_value_kind value_kind, struct hinge_error *error);
void entries_free(struct entries *entries);

/* Makes room for one more, or changes the kinds if this one needs others. */
enum hinge_status entries_prepare(struct entries *entries, uint32_t index, struct decimal *value,
                                  struct hinge_error *error);

/* Ends a row; to be called after each one if the first kind of indices was HINGE_INDEX_NONE.
 * x.start must be filled in up to x.start[x.rows], where this row begins. */
enum hinge_status entries_end_row(struct entries *entries, struct hinge_error *error);

/* Appends the rows of another, of any kinds, to x.rows rows; x.start has room for all. */
enum hinge_status entries_join(struct entries *entries, const struct entries *other,
                               struct hinge_error *error);

/* Makes room for so many times the entries that there are. An estimate: nothing is said where there
 * is no memory for it. Memory that is not written to in the end was not used, as most systems see
 * it, and is given back by entries_finish. */
void entries_expect(struct entries *entries, double times);

/* Where rows stand among others: the first of them, and the first of their entries. */
struct row_start {
    size_t row, entry;
};

/* The same in two steps, the second of which other threads may do: the rows of another are counted
 * in, 0 if the entries must first be changed, or need more memory; and what they have is copied,
 * x.start included. */
int entries_place(struct entries *entries, const struct entries *other, struct row_start *at);
void entries_copy(const struct entries *entries, const struct entries *other,
                  const struct row_start *at);

/* Makes it empty, and of the kinds of another. */
enum hinge_status entries_clear(struct entries *entries, const struct entries *like,
                                struct hinge_error *error);

/* Chooses whether there are indices, cuts the arrays to their length, and sets the scale; the
 * matrix has so many columns. x.rows and all of x.start are there. Returns how many zeros that were
 * left out are entries now. */
size_t entries_finish(struct entries *entries, size_t columns);

/* Puts the entries first .. end - 1, of a row with indices, where they are in a row that has all
 * columns and up to now zeros alone; values of the same kind, which is stored. */
void entries_spread(const struct hinge_matrix *x, size_t first, size_t end, void *whole);

/* What the rows contain; the matrix has so many columns. */
struct storage_kinds entries_kinds(const struct entries *entries, uint32_t columns);

/* Gives the entries the kinds that they have in these kinds, of which they are a part. */
enum hinge_status entries_fit(struct entries *entries, const struct storage_kinds *kinds,
                              struct hinge_error *error);

/* Stores the value after the others, which are of that kind; 0 if it is not. */
static ALWAYS_INLINE int entries_store_as(struct entries *entries, enum hinge_value_kind kind,
                                          const struct decimal *value)
{
    const size_t at = entries->x.nonzeros;
    int64_t whole = value->whole;

    switch (kind) {
    case HINGE_VALUE_ONE:
        return whole == 1 && value->places == 0;
    case HINGE_VALUE_WHOLE:
        if (value->places > entries->places || whole > INT32_MAX || whole < -INT32_MAX)
            return 0;
        whole *= whole_power[entries->places - value->places];
        if (whole > INT32_MAX || whole < -INT32_MAX)
            return 0;
        ((int32_t *)entries->x.value)[at] = (int32_t)whole;
        return 1;
    default:
        ((double *)entries->x.value)[at] = decimal_value(value);
        return 1;
    }
}

static inline int entries_store(struct entries *entries, const struct decimal *value)
{
    return entries_store_as(entries, entries->x.value_kind, value);
}

/* Stores an index of a kind that has a size; 0 if it is too large for it. */
static ALWAYS_INLINE int store_index(enum hinge_index_kind kind, void *array, size_t at,
                                     uint32_t index)
{
    if (kind == HINGE_INDEX_32) {
        ((uint32_t *)array)[at] = index;
        return 1;
    }
    if (kind == HINGE_INDEX_16) {
        ((uint16_t *)array)[at] = (uint16_t)index;
        return index <= UINT16_MAX;
    }
    ((uint8_t *)array)[at] = (uint8_t)index;
    return index <= UINT8_MAX;
}

/* The same as entries_store_as of the index. */
static ALWAYS_INLINE int entries_store_index_as(struct entries *entries, enum hinge_index_kind kind,
                                                uint32_t index)
{
    const size_t at = entries->x.nonzeros;

    return kind == HINGE_INDEX_NONE ? index == at - entries->row
                                    : store_index(kind, entries->x.index, at, index);
}

static inline int entries_store_index(struct entries *entries, uint32_t index)
{
    return entries_store_index_as(entries, entries->x.index_kind, index);
}

static inline enum hinge_status entries_append(struct entries *entries, uint32_t index,
                                               struct decimal *value, struct hinge_error *error)
{
    while (UNLIKELY(entries->x.nonzeros == entries->capacity) ||
           UNLIKELY(!entries_store(entries, value)) ||
           UNLIKELY(!entries_store_index(entries, index)))
        if (entries_prepare(entries, index, value, error))
            return failure(error);
    entries->x.nonzeros++;
    return HINGE_OK;
}

#endif
