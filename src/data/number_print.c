/* number_print.c - a double -> its 17 digits, as "%.17g" has them: m 2^e -> round(m 5^k 2^(e + k)).
 *
 * For 1 <= k <= 27 the power 5^k fits 63 bits and m 53, so that their product, of two words, is
 * exact, and so is the rounding, ties to even. That is for numbers from 1e-11 to where neighbours
 * are whole numbers. The others are rare, and for printf.
 */
#include <locale.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/elementary.h"
#include "data/digits.h"
#include "data/number.h"

enum { PRINTED = 17, MOST_POWER = 27 }; /* digits: as many as tell all doubles apart */

static const uint64_t LEAST = UINT64_C(10000000000000000); /* of 17 digits */

/* The power of ten of the first digit of x, at least 1e-11 and less than 1e17, whose power of two
 * is that; or one more where x is a power of ten that was rounded down. */
static ALWAYS_INLINE int first_place(double x, int binary)
{
    static const double power[] = {1e-11, 1e-10, 1e-9, 1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2,
                                   1e-1,  1e0,   1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,
                                   1e9,   1e10,  1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17};
    const int at = (binary * 315653 + (100 << 20)) / (1 << 20); /* floor(log10(2^binary)) + 100 */

    return at - 100 + (x >= power[at - 100 + 12]);
}

/* The 17 digits of x > 0, rounded, the first of which stands for 10^*first; 0: it is out of range.
 */
static ALWAYS_INLINE uint64_t leading_digits(double x, int *first)
{
    static const uint64_t power_of_5[MOST_POWER + 1] = {UINT64_C(1),
                                                        UINT64_C(5),
                                                        UINT64_C(25),
                                                        UINT64_C(125),
                                                        UINT64_C(625),
                                                        UINT64_C(3125),
                                                        UINT64_C(15625),
                                                        UINT64_C(78125),
                                                        UINT64_C(390625),
                                                        UINT64_C(1953125),
                                                        UINT64_C(9765625),
                                                        UINT64_C(48828125),
                                                        UINT64_C(244140625),
                                                        UINT64_C(1220703125),
                                                        UINT64_C(6103515625),
                                                        UINT64_C(30517578125),
                                                        UINT64_C(152587890625),
                                                        UINT64_C(762939453125),
                                                        UINT64_C(3814697265625),
                                                        UINT64_C(19073486328125),
                                                        UINT64_C(95367431640625),
                                                        UINT64_C(476837158203125),
                                                        UINT64_C(2384185791015625),
                                                        UINT64_C(11920928955078125),
                                                        UINT64_C(59604644775390625),
                                                        UINT64_C(298023223876953125),
                                                        UINT64_C(1490116119384765625),
                                                        UINT64_C(7450580596923828125)};
    uint64_t bits, mantissa;
    int binary, at;

    if (!(x >= 1e-11 && x < 1e15))
        return 0;
    bits = bits_of(x);
    binary = (int)(bits >> 52) - 1023; /* 2^binary <= x */
    mantissa = (bits & ((UINT64_C(1) << 52) - 1)) | UINT64_C(1) << 52;
    for (at = first_place(x, binary);;) {
        const int power = PRINTED - 1 - at;
        const int shift = 52 - binary - power; /* 1 .. 63 */
        uint64_t high, low, digits, rest, half;

        if (power > MOST_POWER)
            return 0;
        multiply_words(mantissa, power_of_5[power], &high, &low);
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

/* Writes the digits, the first of which stands for 10^first, as %.17g does; the length. What is
 * copied has a fixed size, and may be more than that. */
static ALWAYS_INLINE int write_digits(char *text, uint64_t digits, int first)
{
    char digit[2 * PRINTED] = "", *end = text;
    const uint64_t after = digits % LEAST;
    int count = PRINTED;

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

/* What is out of range: zero, what is not finite, very small and large numbers. */
static int print_slowly(char *text, double value)
{
    int length = snprintf(text, NUMBER_LENGTH, "%.17g", value);
    const char *point = localeconv()->decimal_point;
    size_t size = strlen(point);
    char *found = size > 0 && strcmp(point, ".") != 0 ? strstr(text, point) : NULL;

    if (!found)
        return length;
    *found = '.';
    memmove(found + 1, found + size, strlen(found + size) + 1);
    return length - (int)size + 1;
}

int number_print(char *text, double value)
{
    const int negative = value < 0;
    int first = 0;
    const uint64_t digits = leading_digits(fabs(value), &first);

    if (digits == 0)
        return print_slowly(text, value);
    *text = '-';
    return negative + write_digits(text + negative, digits, first);
}

void number_write(FILE *stream, double value)
{
    char text[NUMBER_LENGTH];
    const int length = number_print(text, value);

    fwrite(text, 1, (size_t)length, stream);
}
