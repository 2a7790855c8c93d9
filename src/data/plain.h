/* plain.h - the loop over features that consist of digits alone, for each kind of entries.
 *
 * Its time is bounded not by the work but by how soon it knows where the next feature begins. A
 * branch that is predicted costs no time there, a look at a character does. So an index is taken to
 * have as many digits as the one before, which one comparison of eight characters confirms; only
 * after the point of a value, where the number of digits cannot be predicted, the loop waits until
 * they are counted.
 */
#ifndef HINGE_DATA_PLAIN_H
#define HINGE_DATA_PLAIN_H

#include "data/entries.h"

/* ---- Indices ----------------------------------------------------------- */

/* A pattern of eight characters: so many digits and a colon, then anything. */
struct index_shape {
    unsigned digits;
    unsigned shift; /* moves the digits to the upper end */
    uint64_t text;  /* zeros, and the colon */
    uint64_t slack; /* takes a byte that differs from it, by more than a digit may, to 0x80 */
    uint64_t high;  /* 0x80 in each of these bytes */
};

static ALWAYS_INLINE struct index_shape shape_of(unsigned digits)
{
    const unsigned bits = 8 * digits;
    const uint64_t before = (UINT64_C(1) << bits) - 1, colon = UINT64_C(0xff) << bits;

    return (struct index_shape){
        .digits = digits,
        .shift = 64 - bits,
        .text = (before & UINT64_C(0x3030303030303030)) | (colon & UINT64_C(0x3a3a3a3a3a3a3a3a)),
        .slack = (before & UINT64_C(0x7676767676767676)) | (colon & UINT64_C(0x7f7f7f7f7f7f7f7f)),
        .high = (before | colon) & UINT64_C(0x8080808080808080)};
}

/* The index at p, if it has the shape; else 0. */
static ALWAYS_INLINE int index_by_shape(const char *p, const struct index_shape *shape,
                                        uint32_t *index)
{
    const uint64_t bytes = load_eight(p) ^ shape->text;

    *index = (uint32_t)sum_digits(bytes << shape->shift);
    return (((bytes + shape->slack) | bytes) & shape->high) == 0;
}

/* Reads the index at p digit by digit, and sets *shape if it is short enough for one; returns what
 * follows the colon, NULL if it is not plain. */
static ALWAYS_INLINE const char *index_by_digits(const char *p, struct index_shape *shape,
                                                 uint32_t *index)
{
    enum { PLAIN = 9, SHAPED = 7 }; /* digits at most */
    const char *q = p;

    for (*index = 0; is_digit(*q); q++)
        *index = *index * 10 + (uint32_t)(*q - '0');
    if (UNLIKELY(*q != ':' || q == p || q - p > PLAIN))
        return NULL;
    if (q - p <= SHAPED)
        *shape = shape_of((unsigned)(q - p));
    return q + 1;
}

/* ---- Features ---------------------------------------------------------- */

/* Stores the value at p after the others, if it is plain; returns its end, else NULL. */
static ALWAYS_INLINE const char *store_value(struct entries *entries, enum hinge_value_kind kind,
                                             const char *p)
{
    struct decimal value = {0, 0, 0};

    if (kind == HINGE_VALUE_ONE) {
        if (*p != '1')
            return NULL;
        p++;
    } else {
        p = decimal_parse(p, &value, &entries->signs);
        if (UNLIKELY(!p || !entries_store_as(entries, kind, &value)))
            return NULL;
    }
    return LIKELY(is_blank(*p) || *p == '\n') ? p : NULL;
}

/* plain_append for these kinds. Indices of 8 bits belong to short rows, in which few have as many
 * digits as the one before. */
static ALWAYS_INLINE const char *append_as(struct entries *entries, const char *p, uint32_t first,
                                           int64_t *last, enum hinge_index_kind index_kind,
                                           enum hinge_value_kind value_kind)
{
    struct entries to = *entries; /* no store of a byte can change a copy */
    struct index_shape shape = shape_of(1);
    int64_t before = *last;

    while (to.x.nonzeros < to.capacity) {
        const char *q = p;
        uint32_t index;

        while (is_blank(*q))
            q++;
        if (index_kind != HINGE_INDEX_8 && LIKELY(index_by_shape(q, &shape, &index)))
            q += shape.digits + 1;
        else if (!(q = index_by_digits(q, &shape, &index)))
            break;
        if (UNLIKELY(index <= before) ||
            UNLIKELY(!entries_store_index_as(&to, index_kind, index - first)))
            break;
        q = store_value(&to, value_kind, q);
        if (UNLIKELY(!q))
            break;
        before = index;
        to.x.nonzeros++;
        p = q;
    }
    entries->signs = to.signs;
    entries->x.nonzeros = to.x.nonzeros;
    *last = before;
    return p;
}

static ALWAYS_INLINE const char *append_indexed(struct entries *entries, const char *p,
                                                uint32_t first, int64_t *last,
                                                enum hinge_index_kind kind)
{
    switch (entries->x.value_kind) {
    case HINGE_VALUE_ONE:
        return append_as(entries, p, first, last, kind, HINGE_VALUE_ONE);
    case HINGE_VALUE_WHOLE:
        return append_as(entries, p, first, last, kind, HINGE_VALUE_WHOLE);
    default:
        return append_as(entries, p, first, last, kind, HINGE_VALUE_DOUBLE);
    }
}

/* Appends plain features from p on, as long as there is room and the kinds of the entries hold
 * them; the indices ascend, first is the least one, *last the one before them as written. Returns
 * where something else begins. */
static ALWAYS_INLINE const char *plain_append(struct entries *entries, const char *p,
                                              uint32_t first, int64_t *last)
{
    switch (entries->x.index_kind) {
    case HINGE_INDEX_8:
        return append_indexed(entries, p, first, last, HINGE_INDEX_8);
    case HINGE_INDEX_16:
        return append_indexed(entries, p, first, last, HINGE_INDEX_16);
    case HINGE_INDEX_32:
        return append_indexed(entries, p, first, last, HINGE_INDEX_32);
    default:
        return append_indexed(entries, p, first, last, HINGE_INDEX_NONE);
    }
}

#endif
