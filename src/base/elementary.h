/* elementary.h - clamp, exp, ln and ln(1 + x), the same on every machine.
 *
 * Results are within a few units of the last place, on which bounds of rounding errors rely. The C
 * library promises neither. There is no branch, so compilers use vectors for loops over rows. */
#ifndef HINGE_BASE_ELEMENTARY_H
#define HINGE_BASE_ELEMENTARY_H

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/compiler.h"

/* ln 2 in two parts. The first part ends in 21 zero bits, so its products with exponents are exact.
 */
#define LN2_HIGH 0x1.62e42fee00000p-1
#define LN2_LOW  0x1.a39ef35793c76p-33

/* Adding SHIFT_TO_WHOLE to a number below 2^51 rounds the number to a whole one, in the low bits of
 * the sum. Before AVX-512, vectors have no other conversion between doubles and whole numbers of 64
 * bits. */
#define SHIFT_TO_WHOLE 0x1.8p52
#define SHIFT_BITS     (UINT64_C(0x4338) << 48)

static ALWAYS_INLINE uint64_t bits_of(double x)
{
    uint64_t bits;

    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static ALWAYS_INLINE double double_of(uint64_t bits)
{
    double x;

    memcpy(&x, &bits, sizeof x);
    return x;
}

/* Returns min(max(x, low), high); low for NaN. fmin and fmax would be calls. */
static ALWAYS_INLINE double clamp(double x, double low, double high)
{
    const double above = x > low ? x : low;

    return above < high ? above : high;
}

/* Returns e^x for x <= 0; below -745 it returns e^-745, the least positive double. The result is
 * 2^k e^r, where x = k ln 2 + r and |r| <= ln 2/2. The Taylor series of e^r is cut off below 2^-57.
 */
static ALWAYS_INLINE double exp_of(double x)
{
    /* max(x, -745), and -745 for NaN. Bits of doubles without the sign are in the order of
       magnitudes, and a choice between whole numbers is compiled without a branch. */
    const int64_t size = (int64_t)bits_of(fabs(x)), most = (int64_t)bits_of(745);
    const double least = double_of(size < most ? bits_of(x) : bits_of(-745));
    const double shifted = least * 0x1.71547652b82fep0 + SHIFT_TO_WHOLE;
    const double whole = shifted - SHIFT_TO_WHOLE;
    const double r = (least - whole * LN2_HIGH) - whole * LN2_LOW;
    /* 2^k may be subnormal, its two factors are not: exponents n - 1024, and k is at least -1075 */
    const uint64_t k = bits_of(shifted) - SHIFT_BITS + 2048, half = k >> 1;
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
    return sum * double_of((half - 1) << 52) * double_of((k - half - 1) << 52);
}

/* Returns ln((1 + s)/(1 - s)) = 2 (s + s^3/3 + s^5/5 + ...) for |s| <= 3 - sqrt(8), cut off below
 * 2^-60. */
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

/* Returns ln(1 + x) for 0 <= x <= 1; rounding may leave x below 0. A large x uses 1 + x =
 * 2 (1 + (x - 1)/2). */
static ALWAYS_INLINE double log1p_of(double x)
{
    const uint64_t above = bits_of(0.41421356237309503) - bits_of(fabs(x));
    const double is_large = double_of(bits_of(1) & (0 - (above >> 63))); /* 1 or 0 */
    const double s = (x - is_large) / (x + (2 + is_large));

    return is_large * (LN2_HIGH + LN2_LOW) + twice_artanh(s);
}

/* Returns ln x; an x below 2^-1022, also 0, counts as 2^-1022. x = 2^k m with sqrt(1/2) <= m <
 * sqrt 2. */
static ALWAYS_INLINE double log_of(double x)
{
    const uint64_t ONE = UINT64_C(1023) << 52, ROOT = UINT64_C(0x3fe6a09e667f3bcd);
    /* max(x, 2^-1022): as signed numbers, bits of negative doubles are below all others */
    const int64_t given = (int64_t)bits_of(x), smallest = (int64_t)bits_of(0x1p-1022);
    const uint64_t bits = (uint64_t)(given > smallest ? given : smallest);
    const uint64_t exponent = (bits - ROOT + ONE) >> 52; /* k + 1023 */
    const double k = double_of(SHIFT_BITS + exponent) - (SHIFT_TO_WHOLE + 1023);
    const double m = double_of(bits - (exponent << 52) + ONE);

    return k * LN2_HIGH + (twice_artanh((m - 1) / (m + 1)) + k * LN2_LOW);
}

#endif
