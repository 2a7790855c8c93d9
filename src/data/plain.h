/* plain.h - the loop over features that are nothing but digits, for each kind and size of entries.
 *
 * What bounds it is not how much it does but how soon it finds where the next feature begins. A
 * branch that is foretold rightly costs no time there, a look at a character does. So an index is
 * taken to have as many digits as the one before, which eight characters at once show to be true;
 * only behind the point of a value, where nobody can foretell how many digits there are, the loop
 * waits until they are counted.
 */
#ifndef HINGE_DATA_PLAIN_H
#define HINGE_DATA_PLAIN_H

#include "data/entries.h"

/* ---- Indices ----------------------------------------------------------- */

/* What eight characters have to be that begin with so many digits and a colon. */
struct shape {
    unsigned digits;
    unsigned shift; /* moves the digits to the upper end */
    uint64_t text;  /* zeros, and the colon */
    uint64_t slack; /* takes a byte that differs from it, by more than a digit may, to 0x80 */
    uint64_t high;  /* 0x80 in each of these bytes */
};

static ALWAYS_INLINE struct shape shape_of(unsigned digits)
{
    const unsigned bits = 8 * digits;
    const uint64_t before = (UINT64_C(1) << bits) - 1, colon = UINT64_C(0xff) << bits;

    return (struct shape){
        .digits = digits,
        .shift = 64 - bits,
        .text = (before & UINT64_C(0x3030303030303030)) | (colon & UINT64_C(0x3a3a3a3a3a3a3a3a)),
        .slack = (before & UINT64_C(0x7676767676767676)) | (colon & UINT64_C(0x7f7f7f7f7f7f7f7f)),
        .high = (before | colon) & UINT64_C(0x8080808080808080)};
}

/* The index at p, if it has the shape; else 0. */
static ALWAYS_INLINE int index_by_shape(const char *p, const struct shape *shape, uint32_t *index)
{
    const uint64_t bytes = load_eight(p) ^ shape->text;

    *index = (uint32_t)sum_digits(bytes << shape->shift);
    return (((bytes + shape->slack) | bytes) & shape->high) == 0;
}

/* The index at p digit by digit, and its shape if it has one; returns what is behind the colon,
 * NULL if it is not plain. */
static ALWAYS_INLINE const char *index_by_digits(const char *p, struct shape *shape,
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

/* Stores the value at p behind the others, if it is plain; returns its end, else NULL. */
static ALWAYS_INLINE const char *store_value(struct entries *entries, enum kind kind, const char *p)
{
    struct decimal value = {0, 0, 0};

    if (kind == KIND_ONE) {
        if (*p != '1')
            return NULL;
        p++;
    } else {
        p = decimal_parse(p, &value, &entries->signs);
        if (UNLIKELY(!p || !entries_store_as(entries, entries->count, kind, &value)))
            return NULL;
    }
    return LIKELY(is_blank(*p) || *p == '\n') ? p : NULL;
}

/* plain_append for values of that kind and indices of that size. The shortest ones belong to short
 * rows, where few indices are as long as the one before. */
static ALWAYS_INLINE const char *append_as(struct entries *entries, const char *p, uint32_t first,
                                           int64_t *last, enum kind kind, size_t size)
{
    struct entries to = *entries; /* no store of a byte can change a copy */
    struct shape shape = shape_of(1);
    int64_t before = *last;

    while (to.count < to.capacity) {
        const char *q = p;
        uint32_t index;

        while (is_blank(*q))
            q++;
        if (size > sizeof *to.tiny && LIKELY(index_by_shape(q, &shape, &index)))
            q += shape.digits + 1;
        else if (!(q = index_by_digits(q, &shape, &index)))
            break;
        if (UNLIKELY(index <= before) ||
            UNLIKELY(!entries_store_index_as(&to, to.count, size, index - first)))
            break;
        q = store_value(&to, kind, q);
        if (UNLIKELY(!q))
            break;
        before = index;
        to.count++;
        p = q;
    }
    entries->signs = to.signs;
    entries->count = to.count;
    *last = before;
    return p;
}

static ALWAYS_INLINE const char *append_sized(struct entries *entries, const char *p,
                                              uint32_t first, int64_t *last, size_t size)
{
    switch (entries->kind) {
    case KIND_ONE:
        return append_as(entries, p, first, last, KIND_ONE, size);
    case KIND_WHOLE:
        return append_as(entries, p, first, last, KIND_WHOLE, size);
    default:
        return append_as(entries, p, first, last, KIND_DOUBLE, size);
    }
}

/* Appends plain features, from p on, for as long as there is room for them and they can be kept as
 * the others are: indices that ascend, from first on, *last being the one before them as written.
 * Returns where something else begins. */
static ALWAYS_INLINE const char *plain_append(struct entries *entries, const char *p,
                                              uint32_t first, int64_t *last)
{
    switch (entries_index_size(entries)) {
    case sizeof(uint8_t):
        return append_sized(entries, p, first, last, sizeof(uint8_t));
    case sizeof(uint16_t):
        return append_sized(entries, p, first, last, sizeof(uint16_t));
    default:
        return append_sized(entries, p, first, last, sizeof(uint32_t));
    }
}

#endif
