/* elementary.h - exp, ln and ln(1 + x), the same on every machine and within a few units of the
 * last place, which bounds of rounding errors rely on; the C library promises neither. Plain
 * arithmetic without a branch, so that loops over rows become vector code. */
#ifndef HINGE_BASE_ELEMENTARY_H
#define HINGE_BASE_ELEMENTARY_H

#include <stdint.h>
#include <string.h>

#include "base/compiler.h"

/* ln 2 in two parts; the first has 21 zero bits at its end, for exact products with exponents. */
#define LN2_HIGH 0x1.62e42fee00000p-1
#define LN2_LOW  0x1.a39ef35793c76p-33

/* 2^k, -1022 <= k <= 1023 */
static ALWAYS_INLINE double power_of_2(int64_t k)
{
    const uint64_t bits = (uint64_t)(k + 1023) << 52;
    double power;

    memcpy(&power, &bits, sizeof power);
    return power;
}

/* e^x, -745 <= x <= 0; below that e^-745, the smallest number there is. With x = k ln 2 + r, |r| <=
 * ln 2/2, it is 2^k e^r; the Taylor series of e^r is cut off below 2^-57. */
static ALWAYS_INLINE double exp_of(double x)
{
    static const double SHIFT = 0x1.8p52; /* adding it rounds to a whole number */
    const double least = x > -745 ? x : -745;
    const double whole = (least * 0x1.71547652b82fep0 + SHIFT) - SHIFT;
    const double r = (least - whole * LN2_HIGH) - whole * LN2_LOW;
    const int64_t k = (int64_t)whole;
    double sum = 1 / 6227020800.0;

    sum = sum * r + 1 / 479001600.0;
    sum = sum * r + 1 / 39916800.0;
    sum = sum * r + 1 / 3628800.0;
    sum = sum * r + 1 / 362880.0;
    sum = sum * r + 1 / 40320.0;
    sum = sum * r + 1 / 5040.0;
    sum = sum * r + 1 / 720.0;
    sum = sum * r + 1 / 120.0;
    sum = sum * r + 1 / 24.0;
    sum = sum * r + 1 / 6.0;
    sum = sum * r + 0.5;
    sum = sum * (r * r) + r + 1;
    return sum * power_of_2(k / 2) * power_of_2(k - k / 2);
}

/* ln((1 + s)/(1 - s)) = 2 (s + s^3/3 + s^5/5 + ...), |s| <= 3 - sqrt(8); cut off below 2^-60. */
static ALWAYS_INLINE double twice_artanh(double s)
{
    const double square = s * s;
    double sum = 2 / 21.0;

    sum = sum * square + 2 / 19.0;
    sum = sum * square + 2 / 17.0;
    sum = sum * square + 2 / 15.0;
    sum = sum * square + 2 / 13.0;
    sum = sum * square + 2 / 11.0;
    sum = sum * square + 2 / 9.0;
    sum = sum * square + 2 / 7.0;
    sum = sum * square + 2 / 5.0;
    sum = sum * square + 2 / 3.0;
    return sum * (square * s) + 2 * s;
}

/* ln(1 + x), 0 <= x <= 1: that of 1 + x, or of 2 (1 + (x - 1)/2). */
static ALWAYS_INLINE double log1p_of(double x)
{
    const int is_large = x > 0.41421356237309503;
    const double s = (is_large ? x - 1 : x) / (is_large ? x + 3 : x + 2);

    return (is_large ? LN2_HIGH + LN2_LOW : 0) + twice_artanh(s);
}

/* ln x, x at least 2^-1022, which smaller numbers are taken for, also 0: x = 2^k m, sqrt(1/2) <= m
 * < sqrt 2. */
static ALWAYS_INLINE double log_of(double x)
{
    const uint64_t ONE = UINT64_C(1023) << 52, ROOT = UINT64_C(0x3fe6a09e667f3bcd);
    uint64_t bits;
    int64_t k;
    double m;

    x = x > 0x1p-1022 ? x : 0x1p-1022;
    memcpy(&bits, &x, sizeof bits);
    k = (int64_t)((bits - ROOT + ONE) >> 52) - 1023;
    bits -= (uint64_t)k << 52;
    memcpy(&m, &bits, sizeof m);
    return (double)k * LN2_HIGH + (twice_artanh((m - 1) / (m + 1)) + (double)k * LN2_LOW);
}

#endif
