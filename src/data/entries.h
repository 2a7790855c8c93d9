/* entries.h - non-zeros of one row after the other, in growing arrays as small as the values allow.
 */
#ifndef HINGE_DATA_ENTRIES_H
#define HINGE_DATA_ENTRIES_H

#include "base/status.h"
#include "data/decimal.h"
#include "hinge.h"

/* What a value is kept as. Each kind holds the values of those before it, exactly. */
enum kind {
    KIND_ONE,   /* not at all: it is 1 */
    KIND_WHOLE, /* a whole number of 10^-places */
    KIND_DOUBLE
};

enum { MOST_PLACES = 9 };

struct entries {
    enum kind kind;
    uint8_t *tiny;    /* the indices, if they allow it and all of uint32_t are not wanted, */
    uint16_t *narrow; /* or here, */
    uint32_t *index;  /* or here; the other two are NULL */
    int32_t *whole;   /* KIND_WHOLE */
    double *value;    /* KIND_DOUBLE */
    unsigned places;
    int signs; /* some values have one */
    size_t count;
    size_t capacity; /* of each array in use */
};

/* Empty; values of that kind, and the larger indices, from the start if it is KIND_DOUBLE.
 * entries_free is to be called in any case. */
enum hinge_status entries_new(struct entries *entries, enum kind kind, struct hinge_error *error);
void entries_free(struct entries *entries);

/* Makes room for one more, and changes what all are kept as if that cannot keep this one. */
enum hinge_status entries_prepare(struct entries *entries, uint32_t index, struct decimal *value,
                                  struct hinge_error *error);

/* Cuts the arrays to their length. */
void entries_cut(struct entries *entries);

/* Stores the value behind the others, which are of that kind; 0 if it is not. */
static ALWAYS_INLINE int entries_store_as(struct entries *entries, size_t at, enum kind kind,
                                          const struct decimal *value)
{
    static const int64_t power[MOST_PLACES + 1] = {
        1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000, 1000000000};
    int64_t whole = value->whole;

    switch (kind) {
    case KIND_ONE:
        return whole == 1 && value->places == 0;
    case KIND_WHOLE:
        if (value->places > entries->places || whole > INT32_MAX || whole < -INT32_MAX)
            return 0;
        whole *= power[entries->places - value->places];
        if (whole > INT32_MAX || whole < -INT32_MAX)
            return 0;
        entries->whole[at] = (int32_t)whole;
        return 1;
    default:
        entries->value[at] = decimal_value(value);
        return 1;
    }
}

static inline int entries_store(struct entries *entries, const struct decimal *value)
{
    return entries_store_as(entries, entries->count, entries->kind, value);
}

/* The same of the index, of so many bytes. */
static ALWAYS_INLINE int entries_store_index_as(struct entries *entries, size_t at, size_t size,
                                                uint32_t index)
{
    if (size == sizeof *entries->index) {
        entries->index[at] = index;
        return 1;
    }
    if (size == sizeof *entries->narrow) {
        entries->narrow[at] = (uint16_t)index;
        return index <= UINT16_MAX;
    }
    entries->tiny[at] = (uint8_t)index;
    return index <= UINT8_MAX;
}

/* Bytes of an index, there being some. */
static inline size_t entries_index_size(const struct entries *entries)
{
    if (entries->index)
        return sizeof *entries->index;
    return entries->narrow ? sizeof *entries->narrow : sizeof *entries->tiny;
}

static inline int entries_store_index(struct entries *entries, uint32_t index)
{
    return entries_store_index_as(entries, entries->count, entries_index_size(entries), index);
}

/* The last index, where there is one. */
static inline uint32_t entries_last(const struct entries *entries)
{
    const size_t last = entries->count - 1;

    if (entries->index)
        return entries->index[last];
    return entries->narrow ? entries->narrow[last] : entries->tiny[last];
}

static inline enum hinge_status entries_append(struct entries *entries, uint32_t index,
                                               struct decimal *value, struct hinge_error *error)
{
    while (UNLIKELY(entries->count == entries->capacity) ||
           UNLIKELY(!entries_store(entries, value)) ||
           UNLIKELY(!entries_store_index(entries, index)))
        if (entries_prepare(entries, index, value, error))
            return failure(error);
    entries->count++;
    return HINGE_OK;
}

#endif
