/* plain.h - the loop over features that consist of digits alone, for each kind of entries.
 *
 * A predicted branch costs hardly any time, a mispredicted one twenty instructions or more. The
 * loop therefore assumes that an index has as many digits as the one before, which one comparison
 * of eight characters confirms. After the point of a value the number of digits cannot be
 * predicted; no branch depends on it.
 */
#ifndef HINGE_DATA_PLAIN_H
#define HINGE_DATA_PLAIN_H

#include "data/block.h"
#include "data/matrix.h"

/* ---- Indices ----------------------------------------------------------- */

/* A pattern of eight characters: some digits and a colon, then anything. */
struct index_shape {
    unsigned digits;
    unsigned shift; /* moves the digits to the upper end of the word */
    uint64_t text;  /* a '0' for each digit, and the colon */
    uint64_t slack; /* added to the difference from text, it sets the high bit of a wrong byte */
    uint64_t high;  /* the high bits of digits and colon */
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

/* Reads the index after the blank at p. Returns NULL if it is not as expected. Indices of 8 bits
 * belong to short rows, in which few indices have as many digits as the one before: at most three
 * digits are read one by one. */
static ALWAYS_INLINE const char *index_as_expected(const char *p, enum hinge_index_kind kind,
                                                   const struct index_shape *shape, uint32_t *index)
{
    uint64_t bytes;

    if (UNLIKELY(*p++ != ' '))
        return NULL;
    if (kind == HINGE_INDEX_8 || (kind == HINGE_INDEX_16 && shape->digits <= 3)) {
        *index = 0;
        for (int k = 0; k < 3; k++) {
            if (UNLIKELY(!is_digit(p[k])))
                return NULL;
            *index = *index * 10 + (uint32_t)(p[k] - '0');
            if (p[k + 1] == ':')
                return p + k + 2;
        }
        return NULL;
    }
    bytes = load_eight(p) ^ shape->text;
    *index = (uint32_t)sum_digits(bytes << shape->shift);
    return LIKELY((((bytes + shape->slack) | bytes) & shape->high) == 0) ? p + shape->digits + 1
                                                                         : NULL;
}

/* ---- Values ------------------------------------------------------------ */

/* Values as multiples of 1 / 10^places. */
struct unit {
    unsigned places;
    unsigned shift; /* moves `places` characters, at most eight, to the upper end of the word */
    uint64_t rest;  /* 10^(places - 8), at least 1 */
    uint64_t one;   /* 10^places */
};

/* Stores the value at p after the others, if it is a digit and a fraction that fits. Returns its
 * end, else NULL; the caller looks at what follows. No branch depends on the sign, which differs
 * from value to value. The fraction is filled up with zeros, so that no factor depends on its
 * number of digits. */
static ALWAYS_INLINE const char *store_short(struct block *block, const struct unit *unit,
                                             const char *p)
{
    const int negative = block->signs ? *p == '-' : 0;
    uint64_t whole;

    p += negative;
    if (UNLIKELY(!is_digit(*p)))
        return NULL;
    whole = (uint64_t)(*p++ - '0') * unit->one;
    if (*p == '.') {
        const uint64_t bytes = load_digits(++p), others = other_than_digits(bytes);

        if (LIKELY(others != 0)) {
            const uint64_t end = (others & (0 - others)) >> 7; /* lowest bit of the first other */
            const unsigned count = LOWEST_BIT(others) / 8;

            whole += sum_digits((bytes & (end - 1)) << unit->shift) * unit->rest;
            p += count;
            if (UNLIKELY(count > unit->places))
                return NULL;
        } else {
            whole += sum_digits(bytes) * unit->rest;
            p += 8;
            if (unit->places > 8 && is_digit(*p))
                whole += (uint64_t)(*p++ - '0');
            if (UNLIKELY(unit->places < 8))
                return NULL;
        }
    }
    if (UNLIKELY(whole > INT32_MAX) || UNLIKELY(negative & (whole == 0)))
        return NULL;
    ((int32_t *)block->x.value)[block->x.nonzeros] = ((int32_t)whole ^ -negative) + negative;
    return p;
}

static ALWAYS_INLINE int ends_plain(char c)
{
    return LIKELY(c == ' ') || c == '\n' || c == '\t';
}

/* Stores the value at p after the others, if it is plain. Returns its end, else NULL. */
static ALWAYS_INLINE const char *store_value(struct block *block, enum hinge_value_kind kind,
                                             const struct unit *unit, const char *p)
{
    struct decimal value = {0, 0, 0};
    const char *end;

    if (kind == HINGE_VALUE_ONE)
        return *p == '1' && ends_plain(p[1]) ? p + 1 : NULL;
    if (kind == HINGE_VALUE_WHOLE && LIKELY((end = store_short(block, unit, p)) != NULL) &&
        LIKELY(ends_plain(*end)))
        return end;
    end = decimal_parse(p, &value, &block->signs);
    return LIKELY(end != NULL) && LIKELY(block_store_as(block, kind, &value)) &&
                   LIKELY(ends_plain(*end))
               ? end
               : NULL;
}

/* ---- Features ---------------------------------------------------------- */

/* Does what plain_append does, for entries of these kinds. */
static ALWAYS_INLINE const char *append_as(struct block *block, const char *p, uint32_t first,
                                           int64_t *last, enum hinge_index_kind index_kind,
                                           enum hinge_value_kind value_kind)
{
    enum { PLAIN = 9, SHAPED = 7 }; /* most digits of an index, and of an index with a shape */
    struct block to = *block;       /* no store of a byte can change a copy */
    const unsigned at_once = to.places < 8 ? to.places : 8;
    const struct unit unit = {.places = to.places,
                              .shift = to.places > 0 ? 64 - 8 * at_once : 0,
                              .rest = whole_power[to.places - at_once],
                              .one = whole_power[to.places]};
    struct index_shape shape = shape_of(1);
    int64_t before = *last;

    while (to.x.nonzeros < to.capacity) {
        uint32_t index;
        const char *q = index_as_expected(p, index_kind, &shape, &index);

        if (UNLIKELY(!q)) {
            const char *first_digit = p;

            while (is_blank(*first_digit))
                first_digit++;
            for (q = first_digit, index = 0; is_digit(*q); q++)
                index = index * 10 + (uint32_t)(*q - '0');
            if (UNLIKELY(*q != ':' || q == first_digit || q - first_digit > PLAIN))
                break;
            if (q - first_digit <= SHAPED)
                shape = shape_of((unsigned)(q - first_digit));
            q++;
        }
        if (UNLIKELY(index <= before) ||
            UNLIKELY(!block_store_index_as(&to, index_kind, index - first)))
            break;
        q = store_value(&to, value_kind, &unit, q);
        if (UNLIKELY(!q))
            break;
        before = index;
        to.x.nonzeros++;
        p = q;
    }
    block->signs = to.signs;
    block->x.nonzeros = to.x.nonzeros;
    *last = before;
    return p;
}

static ALWAYS_INLINE const char *append_indexed(struct block *block, const char *p, uint32_t first,
                                                int64_t *last, enum hinge_index_kind kind)
{
    switch (block->x.value_kind) {
    case HINGE_VALUE_ONE:
        return append_as(block, p, first, last, kind, HINGE_VALUE_ONE);
    case HINGE_VALUE_WHOLE:
        return append_as(block, p, first, last, kind, HINGE_VALUE_WHOLE);
    default:
        return append_as(block, p, first, last, kind, HINGE_VALUE_DOUBLE);
    }
}

/* Appends plain features from p on, while there is room and the kinds of the entries hold them.
 * Their indices ascend. As written, `first` is the least index there is, *last the index before
 * them. Returns where something else begins. */
static ALWAYS_INLINE const char *plain_append(struct block *block, const char *p, uint32_t first,
                                              int64_t *last)
{
    switch (block->x.index_kind) {
    case HINGE_INDEX_8:
        return append_indexed(block, p, first, last, HINGE_INDEX_8);
    case HINGE_INDEX_16:
        return append_indexed(block, p, first, last, HINGE_INDEX_16);
    case HINGE_INDEX_32:
        return append_indexed(block, p, first, last, HINGE_INDEX_32);
    default:
        return append_indexed(block, p, first, last, HINGE_INDEX_NONE);
    }
}

#endif
