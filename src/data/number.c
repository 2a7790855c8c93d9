/* number.c - text -> the double nearest to it, ties to even; and a double -> its 17 digits.
 *
 * Reading takes three steps. Each is exact or knows a bound on its error, and each is rarer than
 * the one before:
 *  1. at most 19 digits, worth at most 2^53, times 10^e, |e| <= 22: both factors are doubles, so
 *     one multiplication or division rounds correctly (Clinger, PLDI 1990);
 *  2. the leading 19 digits times 10^e in 64-bit precision with a bound on the error: decides
 *     unless the value is within the bound of the middle between two doubles;
 *  3. in that case, a comparison of whole numbers of unlimited precision decides.
 *
 * Printing m 2^e takes one product: m 2^e 10^k, rounded, has 17 digits. For 1 <= k <= 27, both m
 * and 10^k 2^-j are exact in a word. So their product of two words is exact, and so is the
 * rounding, ties to even. This serves numbers from 1e-11 to 1e15. Other numbers are rare, and
 * printf prints them.
 */
#include "data/number.h"

#include <float.h>
#include <locale.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/elementary.h"
#include "data/digits.h"

/* ---- Scanning ---------------------------------------------------------- */

enum { LEADING = 19 }; /* digits that 64 bits hold */

/* A number as it is written. */
struct numeral {
    uint64_t leading;  /* the first LEADING significant digits */
    int64_t exponent;  /* value = leading * 10^exponent, up to digits that were cut off */
    int cut;           /* not all of the digits cut off are zero */
    const char *digit; /* first significant digit in the text */
    const char *end;   /* after the last digit; a point may lie between */
    int64_t last;      /* power of ten of the last digit in the text */
};

/* Returns value with the digits from p to before end appended. */
static uint64_t append_digits(uint64_t value, const char *p, const char *end)
{
    for (; end - p >= 8; p += 8)
        value = value * 100000000 + sum_digits(load_digits(p));
    for (; p < end; p++)
        value = value * 10 + (uint64_t)(*p - '0');
    return value;
}

/* ---- Step 3: whole numbers --------------------------------------------- */

/* 96 limbs are enough: 770 digits take 2,558 bits, 5^1112 takes 2,582, and a side of a comparison
 * that is shifted ends within a few bits of the other. */
enum { LIMBS = 96, DIGITS = 770 };

struct whole {
    uint32_t limb[LIMBS]; /* least significant first */
    int limbs;
};

static void whole_set(struct whole *x, uint64_t value)
{
    x->limb[0] = (uint32_t)value;
    x->limb[1] = (uint32_t)(value >> 32);
    x->limbs = x->limb[1] ? 2 : 1;
}

static void whole_multiply_add(struct whole *x, uint32_t factor, uint32_t addend)
{
    uint64_t carry = addend;

    for (int i = 0; i < x->limbs; i++) {
        carry += (uint64_t)x->limb[i] * factor;
        x->limb[i] = (uint32_t)carry;
        carry >>= 32;
    }
    if (carry)
        x->limb[x->limbs++] = (uint32_t)carry;
}

static void whole_multiply_power_of_5(struct whole *x, int64_t power)
{
    for (; power >= 13; power -= 13)
        whole_multiply_add(x, 1220703125, 0); /* 5^13 */
    for (; power > 0; power--)
        whole_multiply_add(x, 5, 0);
}

static void whole_shift_left(struct whole *x, int64_t bits)
{
    int words = (int)(bits / 32);

    whole_multiply_add(x, UINT32_C(1) << (bits % 32), 0);
    memmove(x->limb + words, x->limb, (size_t)x->limbs * sizeof x->limb[0]);
    memset(x->limb, 0, (size_t)words * sizeof x->limb[0]);
    x->limbs += words;
}

/* Returns the sign of numeral - (below + 1/2) 2^exponent. No middle between two doubles has more
 * than 767 digits. After DIGITS of them it matters only whether all others are zeros; if not, one
 * more digit, 1, stands for them. */
static int compare_with_middle(const struct numeral *numeral, uint64_t below, int exponent)
{
    struct whole left, right;
    int64_t ten = numeral->exponent, two; /* powers by which left is multiplied */
    int digits = 0, more = 0;

    whole_set(&left, numeral->leading);
    if (numeral->cut) {
        left.limbs = 0;
        ten = numeral->last;
        for (const char *p = numeral->digit; p < numeral->end; p++) {
            if (*p == '.')
                continue;
            if (digits < DIGITS) {
                whole_multiply_add(&left, 10, (uint32_t)(*p - '0'));
                digits++;
            } else {
                ten++;
                more |= *p != '0';
            }
        }
        if (more) {
            whole_multiply_add(&left, 10, 1);
            ten--;
        }
    }
    two = ten - (exponent - 1);
    whole_set(&right, 2 * below + 1);
    if (ten > 0)
        whole_multiply_power_of_5(&left, ten);
    else
        whole_multiply_power_of_5(&right, -ten);
    if (two > 0)
        whole_shift_left(&left, two);
    else
        whole_shift_left(&right, -two);
    if (left.limbs != right.limbs)
        return left.limbs < right.limbs ? -1 : 1;
    for (int i = left.limbs - 1; i >= 0; i--)
        if (left.limb[i] != right.limb[i])
            return left.limb[i] < right.limb[i] ? -1 : 1;
    return 0;
}

/* ---- Step 2: 64 bits and an error bound -------------------------------- */

struct scaled {
    uint64_t mantissa; /* highest bit set */
    int exponent;      /* value = mantissa * 2^exponent */
};

/* 10^0 .. 10^27, exact. */
static const struct scaled fine_power[28] = {
    {UINT64_C(0x8000000000000000), -63}, {UINT64_C(0xa000000000000000), -60},
    {UINT64_C(0xc800000000000000), -57}, {UINT64_C(0xfa00000000000000), -54},
    {UINT64_C(0x9c40000000000000), -50}, {UINT64_C(0xc350000000000000), -47},
    {UINT64_C(0xf424000000000000), -44}, {UINT64_C(0x9896800000000000), -40},
    {UINT64_C(0xbebc200000000000), -37}, {UINT64_C(0xee6b280000000000), -34},
    {UINT64_C(0x9502f90000000000), -30}, {UINT64_C(0xba43b74000000000), -27},
    {UINT64_C(0xe8d4a51000000000), -24}, {UINT64_C(0x9184e72a00000000), -20},
    {UINT64_C(0xb5e620f480000000), -17}, {UINT64_C(0xe35fa931a0000000), -14},
    {UINT64_C(0x8e1bc9bf04000000), -10}, {UINT64_C(0xb1a2bc2ec5000000), -7},
    {UINT64_C(0xde0b6b3a76400000), -4},  {UINT64_C(0x8ac7230489e80000), 0},
    {UINT64_C(0xad78ebc5ac620000), 3},   {UINT64_C(0xd8d726b7177a8000), 6},
    {UINT64_C(0x878678326eac9000), 10},  {UINT64_C(0xa968163f0a57b400), 13},
    {UINT64_C(0xd3c21bcecceda100), 16},  {UINT64_C(0x84595161401484a0), 20},
    {UINT64_C(0xa56fa5b99019a5c8), 23},  {UINT64_C(0xcecb8f27f4200f3a), 26},
};

/* 10^(28 k), k = -13 .. 11, rounded to nearest. */
static const struct scaled coarse_power[25] = {
    {UINT64_C(0xe1afa13afbd14d6e), -1273}, {UINT64_C(0xe3e27a444d8d98b8), -1180},
    {UINT64_C(0xe61acf033d1a45df), -1087}, {UINT64_C(0xe858ad248f5c22ca), -994},
    {UINT64_C(0xea9c227723ee8bcb), -901},  {UINT64_C(0xece53cec4a314ebe), -808},
    {UINT64_C(0xef340a98172aace5), -715},  {UINT64_C(0xf18899b1bc3f8ca2), -622},
    {UINT64_C(0xf3e2f893dec3f126), -529},  {UINT64_C(0xf64335bcf065d37d), -436},
    {UINT64_C(0xf8a95fcf88747d94), -343},  {UINT64_C(0xfb158592be068d2f), -250},
    {UINT64_C(0xfd87b5f28300ca0e), -157},  {UINT64_C(0x8000000000000000), -63},
    {UINT64_C(0x813f3978f8940984), 30},    {UINT64_C(0x82818f1281ed44a0), 123},
    {UINT64_C(0x83c7088e1aab65db), 216},   {UINT64_C(0x850fadc09923329e), 309},
    {UINT64_C(0x865b86925b9bc5c2), 402},   {UINT64_C(0x87aa9aff79042287), 495},
    {UINT64_C(0x88fcf317f22241e2), 588},   {UINT64_C(0x8a5296ffe33cc930), 681},
    {UINT64_C(0x8bab8eefb6409c1a), 774},   {UINT64_C(0x8d07e33455637eb3), 867},
    {UINT64_C(0x8e679c2f5e44ff8f), 960},
};

/* Multiplies x by y. Returns 1 if bits were lost. */
static int scaled_multiply(struct scaled *x, const struct scaled *y)
{
    uint64_t high, low;
    int shift;

    multiply_words(x->mantissa, y->mantissa, &high, &low);
    shift = !(high >> 63);
    x->mantissa = shift ? high << 1 | low >> 63 : high;
    x->exponent += y->exponent + 64 - shift;
    return shift ? low << 1 != 0 : low != 0;
}

static double nearest_double(const struct numeral *numeral)
{
    const int exponent = (int)numeral->exponent;
    uint64_t error, below, rest, half;
    struct scaled x;
    int zeros, coarse, bits, up;

    if (numeral->leading == 0 || numeral->exponent < -344)
        return 0; /* below 10^19 10^-345, less than half the least subnormal */
    if (numeral->exponent > 309)
        return HUGE_VAL;
    /* x becomes leading 10^exponent, off by less than error in units of the last place. */
    zeros = 63 - (int)HIGHEST_BIT(numeral->leading);
    x = (struct scaled){numeral->leading << zeros, -zeros};
    error = (uint64_t)numeral->cut << zeros;
    coarse = (exponent + 28 * 13) / 28; /* exponent >= -344, so this is a floor */
    if (scaled_multiply(&x, &fine_power[exponent + 28 * 13 - 28 * coarse]))
        error += 1;
    error *= 2; /* normalising may have doubled it, here and below */
    if (coarse != 13) {
        scaled_multiply(&x, &coarse_power[coarse]);
        error = 2 * (error + 2); /* half a unit from the power, one from cutting off */
    }
    bits = x.exponent + 64 + 1074; /* down to the last place of a subnormal */
    if (bits > DBL_MANT_DIG)
        bits = DBL_MANT_DIG;
    if (bits <= 0)
        return compare_with_middle(numeral, 0, -1074) > 0 ? ldexp(1, -1074) : 0;
    x.exponent += 64 - bits;
    below = x.mantissa >> (64 - bits);
    rest = x.mantissa << bits >> bits;
    half = UINT64_C(1) << (63 - bits);
    up = rest > half;
    if (rest + error >= half && rest <= half + error) {
        const int sign = compare_with_middle(numeral, below, x.exponent);

        up = sign > 0 || (sign == 0 && (below & 1));
    }
    /* The fields of binary64 are such that a mantissa of 2^53 carries into the exponent. */
    return x.exponent > 971
               ? HUGE_VAL
               : double_of(((uint64_t)(x.exponent + 1074) << 52) + below + (uint64_t)up);
}

/* ---- Step 1, and parsing ----------------------------------------------- */

static double convert(const struct numeral *numeral)
{
    if (LIKELY(numeral->leading <= UINT64_C(1) << 53 && !numeral->cut)) {
        if (numeral->exponent <= 0 && numeral->exponent >= -22)
            return (double)numeral->leading / power_of_ten[-numeral->exponent];
        if (numeral->exponent > 0 && numeral->exponent <= 22)
            return (double)numeral->leading * power_of_ten[numeral->exponent];
    }
    return nearest_double(numeral);
}

double number_nearest(uint64_t whole, unsigned places)
{
    const struct numeral numeral = {.leading = whole, .exponent = -(int64_t)places};

    return convert(&numeral);
}

const char *number_parse(const char *text, double *value)
{
    const int64_t enough = INT64_C(1) << 40; /* no text has enough digits to make up for it */
    struct numeral numeral;
    const char *p = text, *first, *point, *digit, *end;
    int64_t fraction = 0, exponent = 0;
    const int negative = *p == '-';

    if (*p == '-' || *p == '+')
        p++;
    first = p;
    while (is_digit(*p))
        p++;
    point = end = p;
    if (*p == '.') {
        for (p++; is_digit(*p);)
            p++;
        fraction = p - point - 1;
        end = p;
    }
    if (end == first || (end == first + 1 && *first == '.'))
        return text;
    if ((*p == 'e' || *p == 'E') && is_digit(p[1 + (p[1] == '-' || p[1] == '+')])) {
        const int below = *++p == '-';

        for (p += !is_digit(*p); is_digit(*p); p++)
            if (exponent < enough)
                exponent = exponent * 10 + (*p - '0');
        exponent = below ? -exponent : exponent;
    }
    for (digit = first; digit < end && (*digit == '0' || *digit == '.');)
        digit++;
    exponent -= fraction;
    numeral = (struct numeral){.exponent = exponent, .digit = digit, .end = end, .last = exponent};
    if (UNLIKELY(end - digit - (digit < point && point < end) > LEADING)) {
        int kept = 0;

        for (const char *q = digit; q < end; q++) {
            if (*q == '.')
                continue;
            if (kept < LEADING) {
                numeral.leading = numeral.leading * 10 + (uint64_t)(*q - '0');
                kept++;
            } else {
                numeral.exponent++;
                numeral.cut |= *q != '0';
            }
        }
    } else if (digit < point) {
        numeral.leading = append_digits(append_digits(0, digit, point), point + (point < end), end);
    } else {
        numeral.leading = append_digits(0, digit, end);
    }
    *value = convert(&numeral);
    if (negative)
        *value = -*value;
    return p;
}

const char *number_parse_whole(const char *text, uint64_t most, uint64_t *value)
{
    for (*value = 0; is_digit(*text); text++) {
        const uint64_t digit = (uint64_t)(*text - '0');

        if (digit > most || *value > (most - digit) / 10)
            break;
        *value = *value * 10 + digit;
    }
    return text;
}

int number_read(const char *text, double *value)
{
    const char *end = number_parse(text, value);

    return end != text && *end == '\0' && fabs(*value) <= DBL_MAX;
}

/* ---- Printing ---------------------------------------------------------- */

enum { PRINTED = 17 }; /* digits: they tell all doubles apart */

static const uint64_t LEAST = UINT64_C(10000000000000000); /* the smallest number of 17 digits */

/* Returns the 17 digits of x > 0, rounded; the first one stands for 10^*first. Returns 0 if x is
 * out of range. */
static ALWAYS_INLINE uint64_t leading_digits(double x, int *first)
{
    static const double power_from[] = {
        1e-11, 1e-10, 1e-9, 1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 1e-1, 1e0,  1e1,  1e2, 1e3,
        1e4,   1e5,   1e6,  1e7,  1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17};
    uint64_t bits, mantissa;
    int binary, at;

    if (!(x >= 1e-11 && x < 1e15))
        return 0;
    bits = bits_of(x);
    binary = (int)(bits >> 52) - 1023; /* 2^binary <= x */
    mantissa = (bits & ((UINT64_C(1) << 52) - 1)) | UINT64_C(1) << 52;
    at = (binary * 315653 + (100 << 20)) / (1 << 20) - 100; /* floor(log10(2^binary)) */
    at += x >= power_from[at + 12]; /* floor(log10(x)); one more for a power rounded down */
    for (;;) {
        const int power = PRINTED - 1 - at;
        const struct scaled *ten = &fine_power[power];
        uint64_t high, low, digits, rest, half;
        int shift;

        if (power >= (int)(sizeof fine_power / sizeof *fine_power))
            return 0;
        shift = 52 - binary - ten->exponent; /* 59 .. 63 */
        multiply_words(mantissa, ten->mantissa, &high, &low);
        digits = high << (64 - shift) | low >> shift;
        if (UNLIKELY(digits < LEAST)) { /* before rounding */
            at--;
            continue;
        }
        half = UINT64_C(1) << (shift - 1);
        rest = low & (2 * half - 1);
        digits += rest > half || (rest == half && (digits & 1));
        *first = at + (digits == 10 * LEAST);
        return digits == 10 * LEAST ? LEAST : digits;
    }
}

/* Writes the first `count` digits as %.17g does, and returns the length of the text. The other
 * digits are 0. The first digit stands for 10^first. Copies have a fixed size, and may go beyond
 * that length. */
static ALWAYS_INLINE int write_digits(char *text, uint64_t digits, int count, int first)
{
    char digit[2 * PRINTED] = "", *end = text;
    const uint64_t after = digits % LEAST;

    *digit = (char)('0' + digits / LEAST);
    store_eight(digit + 1, split_digits((uint32_t)(after / 100000000)));
    store_eight(digit + 9, split_digits((uint32_t)(after % 100000000)));
    while (count > 1 && digit[count - 1] == '0')
        count--;
    if (first < -4) {
        text[0] = *digit;
        text[1] = '.';
        memcpy(text + 2, digit + 1, PRINTED);
        end += count > 1 ? count + 1 : 1;
        return (int)(end - text) + sprintf(end, "e-%02d", -first);
    }
    if (first < 0) {
        memset(text, '0', 5);
        text[1] = '.';
        memcpy(text + 1 - first, digit, PRINTED);
        end += 1 - first + count;
    } else {
        memcpy(text, digit, PRINTED);
        memcpy(text + first + 2, digit + first + 1, PRINTED);
        text[first + 1] = '.';
        end += count > first + 1 ? count + 1 : first + 1;
    }
    *end = '\0';
    return (int)(end - text);
}

int number_print(char *text, double value)
{
    return number_print_rounded(text, value, PRINTED);
}

int number_print_rounded(char *text, double value, int digits)
{
    const int negative = value < 0;
    int first = 0;
    uint64_t all = leading_digits(fabs(value), &first);

    if (all == 0) { /* zero, very small and large numbers, and those that are not finite */
        const char *point = localeconv()->decimal_point;
        const size_t size = strlen(point);
        const int length = snprintf(text, NUMBER_LENGTH, "%.*g", digits, value);
        char *found = size > 0 && strcmp(point, ".") != 0 ? strstr(text, point) : NULL;

        if (!found)
            return length;
        *found = '.';
        memmove(found + 1, found + size, strlen(found + size) + 1);
        return length - (int)size + 1;
    }
    if (digits < PRINTED) {
        const uint64_t unit = (uint64_t)power_of_ten[PRINTED - digits];

        all += unit / 2;
        all -= all % unit;
        first += all == 10 * LEAST;
        all = all == 10 * LEAST ? LEAST : all;
    }
    *text = '-';
    return negative + write_digits(text + negative, all, digits, first);
}

void number_write(FILE *stream, double value)
{
    char text[NUMBER_LENGTH];
    const int length = number_print(text, value);

    fwrite(text, 1, (size_t)length, stream);
}
