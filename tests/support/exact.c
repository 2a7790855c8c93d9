/* exact.c - limbs of 32 bits in 64, whose carries wait until the number is read. */
#include "exact.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define BASE (INT64_C(1) << 32)

static void die(const char *reason)
{
    fprintf(stderr, "exact.c: %s\n", reason);
    abort();
}

/* Returns limb k, which is from now on inside of first .. end - 1. */
static int64_t *touch(struct exact *number, int k)
{
    if (k < 0 || k >= EXACT_LIMBS)
        die("a number out of range");
    if (number->first == number->end)
        number->first = number->end = k;
    while (k < number->first)
        number->limb[--number->first] = 0;
    while (k >= number->end)
        number->limb[number->end++] = 0;
    return &number->limb[k];
}

/* number += sign value 2^exponent */
static void add_shifted(struct exact *number, uint64_t value, int exponent, int sign)
{
    const int place = exponent + 32 * EXACT_UNIT, k = place / 32, shift = place % 32;

    if (place < 0)
        die("a number out of range");
    for (int half = 0; half < 2; half++) {
        const uint64_t part = (value >> (32 * half) & UINT32_MAX) << shift;

        *touch(number, k + half) += sign * (int64_t)(part & UINT32_MAX);
        *touch(number, k + half + 1) += sign * (int64_t)(part >> 32);
    }
}

/* |value| = mantissa 2^exponent */
static uint64_t take_apart(double value, int *exponent)
{
    double mantissa;

    if (!isfinite(value))
        die("a double that is not finite");
    mantissa = frexp(fabs(value), exponent);
    *exponent -= 53;
    return (uint64_t)ldexp(mantissa, 53);
}

/* Brings all limbs into 0 .. 2^32 - 1, except the last one, which is not 0 and has the sign. */
static void normalise(struct exact *number)
{
    int64_t carry = 0;

    for (int k = number->first; k < number->end; k++) {
        const int64_t sum = number->limb[k] + carry;
        const int64_t low = (sum % BASE + BASE) % BASE;

        number->limb[k] = low;
        carry = (sum - low) / BASE;
    }
    while (carry != 0) { /* a negative carry is stored, because -1 would go on for ever */
        const int64_t low = carry < 0 ? carry : carry % BASE;

        *touch(number, number->end) = low;
        carry = (carry - low) / BASE;
    }
    while (number->end > number->first && number->limb[number->end - 1] == 0)
        number->end--;
    while (number->first < number->end && number->limb[number->first] == 0)
        number->first++;
}

void exact_set(struct exact *number, double value)
{
    int exponent;
    const uint64_t mantissa = take_apart(value, &exponent);

    number->first = number->end = 0;
    if (mantissa > 0)
        add_shifted(number, mantissa, exponent, value < 0 ? -1 : 1);
}

void exact_add_product(struct exact *sum, double a, double b)
{
    int a_exponent, b_exponent;
    const uint64_t a_mantissa = take_apart(a, &a_exponent);
    const uint64_t b_mantissa = take_apart(b, &b_exponent);
    const uint64_t a_low = a_mantissa & UINT32_MAX, a_high = a_mantissa >> 32;
    const uint64_t b_low = b_mantissa & UINT32_MAX, b_high = b_mantissa >> 32;
    const int exponent = a_exponent + b_exponent, sign = (a < 0) == (b < 0) ? 1 : -1;

    if (a_mantissa == 0 || b_mantissa == 0)
        return;
    add_shifted(sum, a_low * b_low, exponent, sign);
    add_shifted(sum, a_low * b_high + a_high * b_low, exponent + 32, sign);
    add_shifted(sum, a_high * b_high, exponent + 64, sign);
}

/* Computes the quotient bit by bit, as on paper. */
void exact_add_quotient(struct exact *sum, double a, double c)
{
    enum { DIGITS = 128 };
    int exponent, divisor_exponent, bits = 0;
    const uint64_t divisor = take_apart(c, &divisor_exponent);
    struct exact square;
    uint64_t rest = 0;

    exact_set(&square, 0);
    exact_add_product(&square, a, a);
    normalise(&square);
    if (exact_sign(&square) == 0)
        return;
    exponent = 32 * (square.end - EXACT_UNIT);
    for (int k = square.end; bits < DIGITS;) {
        const uint64_t limb = --k >= square.first ? (uint64_t)square.limb[k] : 0;

        for (int bit = 31; bit >= 0 && bits < DIGITS; bit--) {
            rest = 2 * rest + (limb >> bit & 1);
            exponent--;
            bits += bits > 0 || rest >= divisor;
            if (rest >= divisor) {
                rest -= divisor;
                add_shifted(sum, 1, exponent - divisor_exponent, 1);
            }
        }
    }
}

/* sum += c value, where value is split into three doubles. */
static void add_scaled(struct exact *sum, double c, long double value)
{
    for (int part = 0; part < 3; part++) {
        const double high = (double)value;

        exact_add_product(sum, c, high);
        value -= high;
    }
}

/* ln(1 + e^s) = max(0, s) + ln(1 + e^-|s|), and e^(h + l) = e^h (1 + l) for l below the last place
 * of h. */
void exact_add_softplus(struct exact *sum, double c, const struct exact *s)
{
    const double LEAST = -11000; /* the range of long double ends there, at least that of x87 */
    struct exact rest = *s, size, high;
    const int sign = exact_sign(s);
    double h;

    exact_scale(&rest, sign < 0 ? 1 : -1); /* -|s| */
    if (sign > 0) {
        size = *s;
        exact_scale(&size, c);
        exact_add(sum, &size, 1);
    }
    if (exact_against(&rest, LEAST) < 0)
        return;
    h = exact_double(&rest);
    exact_set(&high, h);
    exact_add(&rest, &high, -1);
    add_scaled(sum, c,
               log1pl(expl(h) * (1 + (long double)exact_double(&rest))) *
                   (1 - EXACT_LOGARITHMS / 2));
}

void exact_add_entropy(struct exact *sum, double c, double a)
{
    const long double other = (long double)c - a, less = a < other ? a : other;
    const long double p = less / c;

    if (less > 0)
        add_scaled(sum, c, (p * logl(p) + (1 - p) * log1pl(-p)) * (1 + EXACT_LOGARITHMS / 2));
}

void exact_add(struct exact *sum, const struct exact *term, int sign)
{
    struct exact normal = *term;

    normalise(&normal);
    for (int k = normal.first; k < normal.end; k++)
        *touch(sum, k) += sign * normal.limb[k];
}

/* Sets *absolute to the absolute value, normalised. Returns the sign. */
static int magnitude(struct exact *absolute, const struct exact *number)
{
    int sign;

    *absolute = *number;
    normalise(absolute);
    sign = absolute->end == absolute->first ? 0 : absolute->limb[absolute->end - 1] < 0 ? -1 : 1;
    for (int k = absolute->first; sign < 0 && k < absolute->end; k++)
        absolute->limb[k] = -absolute->limb[k];
    normalise(absolute);
    return sign;
}

void exact_multiply(struct exact *product, const struct exact *a, const struct exact *b)
{
    struct exact one, other;
    const int sign = magnitude(&one, a) * magnitude(&other, b);

    product->first = product->end = 0;
    for (int i = one.first; i < one.end && sign != 0; i++) {
        uint64_t carry = 0;
        int k = i + other.first - EXACT_UNIT;

        for (int j = other.first; j < other.end; j++, k++) {
            const uint64_t sum = (uint64_t)one.limb[i] * (uint64_t)other.limb[j] +
                                 (uint64_t)*touch(product, k) + carry;

            product->limb[k] = (int64_t)(sum & UINT32_MAX);
            carry = sum >> 32;
        }
        *touch(product, k) += (int64_t)carry;
    }
    for (int k = product->first; sign < 0 && k < product->end; k++)
        product->limb[k] = -product->limb[k];
}

void exact_scale(struct exact *number, double factor)
{
    struct exact by, before = *number;

    exact_set(&by, factor);
    exact_multiply(number, &before, &by);
}

int exact_sign(const struct exact *number)
{
    struct exact ignored;

    return magnitude(&ignored, number);
}

int exact_compare(const struct exact *a, const struct exact *b)
{
    struct exact difference = *a;

    exact_add(&difference, b, -1);
    return exact_sign(&difference);
}

int exact_against(const struct exact *a, double b)
{
    struct exact other;

    exact_set(&other, b);
    return exact_compare(a, &other);
}

double exact_double(const struct exact *number)
{
    struct exact absolute;
    const int sign = magnitude(&absolute, number);
    double value = 0;
    int k = absolute.end;

    for (int limbs = 0; limbs < 3; limbs++)
        value = value * (double)BASE + (--k >= absolute.first ? (double)absolute.limb[k] : 0);
    return sign * ldexp(value, 32 * (k - EXACT_UNIT));
}
