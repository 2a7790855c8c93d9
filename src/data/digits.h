/* digits.h - digits, one or eight at a time, and the numbers that data files are full of: few
 * digits, no exponent. */
#ifndef HINGE_DATA_DIGITS_H
#define HINGE_DATA_DIGITS_H

#include <stdint.h>
#include <string.h>

#include "base/compiler.h"
#include "data/number.h"

static inline int is_digit(char c)
{
    return (unsigned)(c - '0') < 10;
}

static inline int is_blank(char c)
{
    return c == ' ' || c == '\t';
}

/* Returns a letter of A to Z in lower case, any other character as it is. */
static inline int lower_case(char c)
{
    return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c;
}

/* True if the character may follow a token. NUL is the end of the buffer, or a fault. */
static inline int ends_token(char c)
{
    return LIKELY(is_blank(c) || c == '\n') || c == '\r' || c == '\0' || c == '#';
}

/* ---- Eight at a time ---------------------------------------------------- */

/* Returns eight characters, the first one in the lowest byte. */
static ALWAYS_INLINE uint64_t load_eight(const char *p)
{
#if LITTLE_ENDIAN_WORDS
    uint64_t bytes;

    memcpy(&bytes, p, sizeof bytes);
    return bytes;
#else
    const unsigned char *c = (const unsigned char *)p;
    uint64_t bytes = 0;

    for (int k = 0; k < 8; k++)
        bytes |= (uint64_t)c[k] << 8 * k;
    return bytes;
#endif
}

/* Returns eight characters, each digit replaced by its value. */
static ALWAYS_INLINE uint64_t load_digits(const char *p)
{
    return load_eight(p) ^ UINT64_C(0x3030303030303030);
}

/* Stores eight characters, the first one from the lowest byte. */
static ALWAYS_INLINE void store_eight(char *p, uint64_t bytes)
{
#if LITTLE_ENDIAN_WORDS
    memcpy(p, &bytes, sizeof bytes);
#else
    for (int k = 0; k < 8; k++)
        p[k] = (char)(unsigned char)(bytes >> 8 * k);
#endif
}

/* Returns a word with the high bit of each byte that is no digit. Bits after the first such byte
 * may be wrong: adding 0x76 takes a byte above 9 to 0x80 or beyond, and may carry into the next
 * one. */
static ALWAYS_INLINE uint64_t other_than_digits(uint64_t bytes)
{
    return ((bytes + 0x7676767676767676) | bytes) & 0x8080808080808080;
}

/* Returns the number that eight digits write. Each line adds neighbours, to pairs, fours, and all;
 * a sum is in the upper half of its two terms. */
static ALWAYS_INLINE uint64_t sum_digits(uint64_t bytes)
{
    bytes = (bytes * (1 + (10 << 8))) >> 8 & 0x00ff00ff00ff00ff;
    bytes = (bytes * (1 + (100 << 16))) >> 16 & 0x0000ffff0000ffff;
    return (bytes * (1 + ((uint64_t)10000 << 32))) >> 32;
}

/* Returns the eight characters of a number below 10^8: sum_digits backwards, from fours to pairs to
 * digits. A quotient is in the lower half of its dividend. 5243 / 2^19 and 103 / 2^10 are close
 * enough to 1/100 and 1/10 for the numbers that occur. */
static ALWAYS_INLINE uint64_t split_digits(uint32_t number)
{
    uint64_t bytes = number / 10000 | (uint64_t)(number % 10000) << 32, part;

    part = (bytes * 5243) >> 19 & 0x0000007f0000007f;
    bytes = part | (bytes - part * 100) << 16;
    part = (bytes * 103) >> 10 & 0x000f000f000f000f;
    bytes = part | (bytes - part * 10) << 8;
    return bytes ^ UINT64_C(0x3030303030303030);
}

/* Multiplies two words: x y = *high 2^64 + *low. */
static ALWAYS_INLINE void multiply_words(uint64_t x, uint64_t y, uint64_t *high, uint64_t *low)
{
    const uint64_t a = x >> 32, b = x & UINT32_MAX, c = y >> 32, d = y & UINT32_MAX;
    const uint64_t middle = a * d + (b * d >> 32); /* at most 2^64 - 2^32 */
    const uint64_t other = b * c + (middle & UINT32_MAX);

    *high = a * c + (middle >> 32) + (other >> 32);
    *low = other << 32 | (b * d & UINT32_MAX);
}

/* The powers of ten that fit 32 bits, and those that a double holds exactly. */
static const uint32_t whole_power[10] = {1,      10,      100,      1000,      10000,
                                         100000, 1000000, 10000000, 100000000, 1000000000};
static const double power_of_ten[23] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                        1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                        1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

/* ---- Short decimals ----------------------------------------------------- */

/* A number as read: whole / 10^places or, if places is LONG, value. */
struct decimal {
    int64_t whole; /* at most MOST_DIGITS digits */
    unsigned places;
    double value;
};

enum { MOST_DIGITS = 15, LONG = 16 };

/* Returns the nearest double. Whole number and power of ten are doubles, so that one division
 * rounds correctly. */
static inline double decimal_value(const struct decimal *decimal)
{
    return decimal->places == LONG ? decimal->value
                                   : (double)decimal->whole / power_of_ten[decimal->places];
}

/* Reads the number at p digit by digit. Returns its end, NULL if it is not short or no token ends
 * there. */
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

/* Returns whole with up to `most` digits at *p appended, and moves *p past them. Eight characters
 * must be readable from each of them on. No loop runs over the last ones, fewer than eight: their
 * number differs from value to value, and a loop would be mispredicted at its end each time. */
static ALWAYS_INLINE uint64_t add_digits(uint64_t whole, const char **p, unsigned most)
{
    for (unsigned count = 0; count < 16; count += 8) {
        const uint64_t bytes = load_digits(*p), others = other_than_digits(bytes);

        if (LIKELY(others != 0)) {
            const unsigned few = LOWEST_BIT(others) / 8;

            *p += few;
            /* in two shifts, because few may be 0 */
            return whole * whole_power[few] + sum_digits(bytes << 8 << (56 - 8 * few));
        }
        whole = whole * 100000000 + sum_digits(bytes);
        *p += 8;
    }
    for (unsigned count = 16; count < most && is_digit(**p); count++)
        whole = whole * 10 + (uint64_t)(*(*p)++ - '0');
    return whole;
}

enum { MOST_PLACES_READ = 18 }; /* with a digit before the point they fit 64 bits */

/* Reads the number at p. Returns its end, NULL if it is not short or no token ends there. Eight
 * characters must be readable from each of its characters on. The processor waits for the end of
 * the number before it reads on. A sign must not make it wait longer: while *signs is 0, a branch
 * assumes that there is none. */
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
        whole = add_digits(whole, &q, MOST_PLACES_READ);
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
