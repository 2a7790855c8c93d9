/* decimal.h - the numbers that data files are full of: few digits, no exponent. */
#ifndef HINGE_DATA_DECIMAL_H
#define HINGE_DATA_DECIMAL_H

#include <stddef.h>
#include <stdint.h>

#include "base/compiler.h"
#include "data/digits.h"
#include "data/number.h"
#include "data/token.h"

/* A number as read: whole / 10^places, or, places being LONG, value. */
struct decimal {
    int64_t whole; /* at most 15 digits */
    unsigned places;
    double value;
};

enum { MOST_DIGITS = 15, LONG = 16 };

/* The nearest double: a whole number below 2^53 over a power of ten that is a double takes one
 * division, and that rounds correctly. */
static inline double decimal_value(const struct decimal *decimal)
{
    return decimal->places == LONG ? decimal->value
                                   : (double)decimal->whole / power_of_ten[decimal->places];
}

/* ---- Reading ----------------------------------------------------------- */

/* The number at p digit by digit; NULL if it is not short or does not end there. */
static ALWAYS_INLINE const char *decimal_by_digits(const char *p, struct decimal *decimal)
{
    const int negative = *p == '-';
    const char *first = p + negative, *point = NULL;
    uint64_t whole = 0;

    for (p = first; is_digit(*p); p++)
        whole = whole * 10 + (uint64_t)(*p - '0');
    if (p == first)
        return NULL;
    if (*p == '.')
        for (point = ++p; is_digit(*p); p++)
            whole = whole * 10 + (uint64_t)(*p - '0');
    if (UNLIKELY(p - first > MOST_DIGITS || !ends_token(*p)))
        return NULL;
    if (UNLIKELY(negative && whole == 0)) /* its sign would be lost */
        return NULL;
    decimal->whole = negative ? -(int64_t)whole : (int64_t)whole;
    decimal->places = point ? (unsigned)(p - point) : 0;
    return p;
}

/* Appends the digits at *p to those of whole, and moves *p past them; others, the mask of these
 * characters, says that they are fewer than eight. Their number differs from value to value, and
 * the end of a loop would be mispredicted each time; so there is none. */
static ALWAYS_INLINE uint64_t append_few(uint64_t whole, const char **p, uint64_t bytes,
                                         uint64_t others)
{
    const unsigned count = LOWEST_BIT(others) / 8;

    *p += count;
    /* in two shifts, as count may be 0 */
    return whole * whole_power[count] + sum_digits(bytes << 8 << (56 - 8 * count));
}

/* The same of up to so many digits. It looks at eight characters at a time. */
static ALWAYS_INLINE uint64_t append_digits(uint64_t whole, const char **p, unsigned most)
{
    for (unsigned count = 0; count < 16; count += 8) {
        const uint64_t bytes = load_digits(*p), others = other_than_digits(bytes);

        if (LIKELY(others != 0))
            return append_few(whole, p, bytes, others);
        whole = whole * 100000000 + sum_digits(bytes);
        *p += 8;
    }
    for (unsigned count = 16; count < most && is_digit(**p); count++)
        whole = whole * 10 + (uint64_t)(*(*p)++ - '0');
    return whole;
}

enum { MOST_PLACES_READ = 18 }; /* with a digit before the point they fit 64 bits */

/* The same, where eight characters from any of them on may be read. The end of the number depends
 * on its digits, and reading on waits for it. A sign must not make the wait longer: as long as
 * *signs is 0 a branch, which is predicted, assumes that there is none. */
static ALWAYS_INLINE const char *decimal_parse(const char *p, struct decimal *decimal, int *signs)
{
    const int negative = *p == '-';
    const char *first = p, *q;
    unsigned places = 0;
    uint64_t whole;

    if (*signs)
        first += negative;
    else if (UNLIKELY(negative)) {
        *signs = 1;
        first++;
    }
    if (UNLIKELY(!is_digit(*first)))
        return NULL;
    whole = (uint64_t)(*first - '0');
    q = first + 1;
    if (*q == '.') {
        q++;
        whole = append_digits(whole, &q, MOST_PLACES_READ);
        places = (unsigned)(q - first - 2);
    } else if (UNLIKELY(is_digit(*q)))
        return decimal_by_digits(p, decimal);
    if (UNLIKELY(!ends_token(*q) || (negative && whole == 0)))
        return NULL;
    if (UNLIKELY(places >= MOST_DIGITS)) {
        const double value = number_nearest(whole, places);

        decimal->value = negative ? -value : value;
        decimal->places = LONG;
        return q;
    }
    decimal->whole = negative ? -(int64_t)whole : (int64_t)whole;
    decimal->places = places;
    return q;
}

#endif
