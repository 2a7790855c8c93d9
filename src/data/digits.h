/* digits.h - characters that are digits, one or eight at once; the product of two words and powers
 * of ten, for the numbers that they make. */
#ifndef HINGE_DATA_DIGITS_H
#define HINGE_DATA_DIGITS_H

#include <stdint.h>
#include <string.h>

#include "base/compiler.h"

static inline int is_digit(char c)
{
    return (unsigned)(c - '0') < 10;
}

/* Eight characters, the first one in the lowest byte. */
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

/* The same, a digit's byte being its value. */
static ALWAYS_INLINE uint64_t load_digits(const char *p)
{
    return load_eight(p) ^ UINT64_C(0x3030303030303030);
}

/* Stores what load_eight loads. */
static ALWAYS_INLINE void store_eight(char *p, uint64_t bytes)
{
#if LITTLE_ENDIAN_WORDS
    memcpy(p, &bytes, sizeof bytes);
#else
    for (int k = 0; k < 8; k++)
        p[k] = (char)(unsigned char)(bytes >> 8 * k);
#endif
}

/* The high bit of each byte that is no digit, and of none before the first of these: 0x76 takes
 * what is above 9 to 0x80 or beyond, and what already was there is or'ed in. A byte may carry into
 * the next one, but only one that is no digit does. */
static ALWAYS_INLINE uint64_t other_than_digits(uint64_t bytes)
{
    return ((bytes + 0x7676767676767676) | bytes) & 0x8080808080808080;
}

/* The number that eight digits are: pairs, fours, and all, each sum in the upper part of what was
 * two. */
static ALWAYS_INLINE uint64_t sum_digits(uint64_t bytes)
{
    bytes = (bytes * (1 + (10 << 8))) >> 8 & 0x00ff00ff00ff00ff;
    bytes = (bytes * (1 + (100 << 16))) >> 16 & 0x0000ffff0000ffff;
    return (bytes * (1 + ((uint64_t)10000 << 32))) >> 32;
}

/* The characters of a number below 10^8, sum_digits backwards: fours, pairs, digits, each quotient
 * in the lower part of what was one. 5243 / 2^19 and 103 / 2^10 are near enough to 1/100 and 1/10.
 */
static ALWAYS_INLINE uint64_t split_digits(uint32_t number)
{
    uint64_t bytes = number / 10000 | (uint64_t)(number % 10000) << 32, part;

    part = (bytes * 5243) >> 19 & 0x0000007f0000007f;
    bytes = part | (bytes - part * 100) << 16;
    part = (bytes * 103) >> 10 & 0x000f000f000f000f;
    bytes = part | (bytes - part * 10) << 8;
    return bytes ^ UINT64_C(0x3030303030303030);
}

/* x y = *high 2^64 + *low */
static ALWAYS_INLINE void multiply_words(uint64_t x, uint64_t y, uint64_t *high, uint64_t *low)
{
    const uint64_t a = x >> 32, b = x & UINT32_MAX, c = y >> 32, d = y & UINT32_MAX;
    const uint64_t middle = a * d + (b * d >> 32); /* at most 2^64 - 2^32 */
    const uint64_t other = b * c + (middle & UINT32_MAX);

    *high = a * c + (middle >> 32) + (other >> 32);
    *low = other << 32 | (b * d & UINT32_MAX);
}

/* The powers that fit 32 bits, and those that are doubles. */
static const uint32_t whole_power[10] = {1,      10,      100,      1000,      10000,
                                         100000, 1000000, 10000000, 100000000, 1000000000};
static const double power_of_ten[23] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                        1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                        1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

#endif
