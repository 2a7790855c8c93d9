/* test_number.c - compares number_parse with strtod bit for bit; prints and reads numbers. */
#include "support.h"

#include <float.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "data/number.h"

static uint64_t bits_of(double value)
{
    uint64_t bits;

    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static double double_of(uint64_t bits)
{
    double value;

    memcpy(&value, &bits, sizeof value);
    return value;
}

/* ---- Random decimal texts ---------------------------------------------- */

enum { MOST_DIGITS = 2000, TEXT_SIZE = 8192 };

/* A decimal 0.d1 d2 .. dn 10^exponent. */
struct decimal {
    char digit[MOST_DIGITS];
    int count;
    long exponent;
    int known;     /* 1: `bits` are known without strtod */
    uint64_t bits; /* bits of the nearest double */
};

struct text {
    char byte[TEXT_SIZE];
    size_t length;
};

static int between(uint64_t *state, int low, int high)
{
    return low + (int)(random_bits(state) % (uint64_t)(high - low + 1));
}

static void add_digits(struct decimal *decimal, int count, uint64_t *state)
{
    uint64_t bits = 0;

    assert_true(decimal->count + count <= MOST_DIGITS);
    for (int i = 0; i < count; i++) {
        if (i % 16 == 0)
            bits = random_bits(state);
        decimal->digit[decimal->count++] = (char)('0' + bits % 10);
        bits /= 10;
    }
}

static void add_copies(struct decimal *decimal, char digit, int count)
{
    assert_true(decimal->count + count <= MOST_DIGITS);
    memset(decimal->digit + decimal->count, digit, (size_t)count);
    decimal->count += count;
}

static void put(struct text *text, char c, size_t times)
{
    assert_true(text->length + times < TEXT_SIZE);
    memset(text->byte + text->length, c, times);
    text->length += times;
}

static void put_digits(struct text *text, const char *digit, size_t count)
{
    assert_true(text->length + count < TEXT_SIZE);
    memcpy(text->byte + text->length, digit, count);
    text->length += count;
}

static void put_exponent(struct text *text, long exponent, uint64_t *state)
{
    uint64_t choice = random_bits(state);
    unsigned long size = (unsigned long)labs(exponent);
    char digit[24];
    int count = 0;

    if (exponent == 0 && choice & 15)
        return;
    put(text, choice & 16 ? 'e' : 'E', 1);
    if (exponent < 0)
        put(text, '-', 1);
    else if (choice & 32)
        put(text, '+', 1);
    put(text, '0', choice % 11 == 0 ? choice % 7 : 0);
    do
        digit[count++] = (char)('0' + size % 10);
    while (size /= 10);
    while (count > 0)
        put(text, digit[--count], 1);
}

/* Writes the decimal with the point after `before` of its digits. This place may be far off on
 * either side: zeros fill the gap, and the exponent compensates for it. */
static void put_decimal(struct text *text, const struct decimal *decimal, long before,
                        uint64_t *state)
{
    uint64_t choice = random_bits(state);
    size_t count = (size_t)decimal->count;

    put(text, '0', choice % 8 == 0 ? choice / 8 % 30 : 0);
    if (before <= 0) {
        put(text, '0', choice >> 20 & 1);
        put(text, '.', 1);
        put(text, '0', (size_t)-before);
        put_digits(text, decimal->digit, count);
    } else if ((size_t)before < count) {
        put_digits(text, decimal->digit, (size_t)before);
        put(text, '.', 1);
        put_digits(text, decimal->digit + before, count - (size_t)before);
    } else {
        put_digits(text, decimal->digit, count);
        put(text, '0', (size_t)before - count);
        put(text, '.', choice >> 21 & 1);
    }
    put_exponent(text, decimal->exponent - before, state);
}

/* Returns the place of the decimal point: mostly near the digits, sometimes so that the exponent is
 * 0, sometimes so far away that zeros compensate for a huge exponent. */
static long choose_point(const struct decimal *decimal, uint64_t *state)
{
    int choice = between(state, 0, 15);

    if (choice < 6 && labs(decimal->exponent) < 40)
        return decimal->exponent;
    if (choice == 6)
        return between(state, -700, 700 + decimal->count);
    if (choice == 7)
        return decimal->count;
    return between(state, -3, decimal->count + 3);
}

/* ---- The kinds of numbers ---------------------------------------------- */

static void make_short(struct decimal *decimal, uint64_t *state)
{
    add_digits(decimal, between(state, 1, 7), state);
    decimal->exponent = between(state, -4, 9);
}

/* Makes a number near the limits of the fast path: 19 digits, 2^53, 10^22. */
static void make_ordinary(struct decimal *decimal, uint64_t *state)
{
    add_digits(decimal, between(state, 8, 20), state);
    decimal->exponent = between(state, -30, 50);
}

static void make_long(struct decimal *decimal, uint64_t *state)
{
    add_digits(decimal, between(state, 17, 40), state);
    decimal->exponent = between(state, -345, 312);
}

static void make_very_long(struct decimal *decimal, uint64_t *state)
{
    add_digits(decimal, between(state, 41, 800), state);
    decimal->exponent = between(state, -345, 312);
}

static void make_subnormal(struct decimal *decimal, uint64_t *state)
{
    add_digits(decimal, between(state, 1, 25), state);
    decimal->exponent = between(state, -327, -305);
}

static void make_nearly_infinite(struct decimal *decimal, uint64_t *state)
{
    static const char largest[] = "1797693134862315807937289714053034150799341327100378269361737";
    int kept = between(state, 0, (int)sizeof largest - 1);

    memcpy(decimal->digit, largest, (size_t)kept);
    decimal->count = kept;
    add_digits(decimal, between(state, 1, 12), state);
    decimal->exponent = kept < 5 ? between(state, 305, 320) : 309;
}

/* Makes a double printed to 17 digits or fewer, the form of most numbers in files. */
static void make_printed(struct decimal *decimal, uint64_t *state)
{
    uint64_t bits = random_bits(state) >> 1;
    int digits = between(state, 10, 17);
    char text[64];

    snprintf(text, sizeof text, "%.*e", digits - 1,
             double_of(bits >> 52 == 2047 ? bits ^ UINT64_C(1) << 52 : bits));
    decimal->digit[0] = text[0];
    memcpy(decimal->digit + 1, text + 2, (size_t)digits - 1);
    decimal->count = digits;
    decimal->exponent = strtol(strchr(text, 'e') + 1, NULL, 10) + 1;
    if (digits == 17) {
        decimal->known = 1;
        decimal->bits = bits >> 52 == 2047 ? bits ^ UINT64_C(1) << 52 : bits;
    }
}

/* ---- The middle between two doubles, digit by digit --------------------- */

/* The number limb[0] + limb[1] 10^9 + ... */
struct big {
    uint32_t limb[128];
    int limbs;
};

static void big_multiply(struct big *big, uint32_t factor)
{
    uint64_t carry = 0;

    for (int i = 0; i < big->limbs; i++) {
        carry += (uint64_t)big->limb[i] * factor;
        big->limb[i] = (uint32_t)(carry % 1000000000);
        carry /= 1000000000;
    }
    for (; carry; carry /= 1000000000)
        big->limb[big->limbs++] = (uint32_t)(carry % 1000000000);
}

static void big_digits(const struct big *big, struct decimal *decimal)
{
    for (int i = big->limbs - 1; i >= 0; i--) {
        char text[16];
        int length = snprintf(text, sizeof text, i == big->limbs - 1 ? "%lu" : "%09lu",
                              (unsigned long)big->limb[i]);

        memcpy(decimal->digit + decimal->count, text, (size_t)length);
        decimal->count += length;
    }
}

/* Computes the exact digits of (2 m + 1) 2^(e - 1), halfway from m 2^e to the next double. */
static void exact_middle(struct decimal *decimal, uint64_t bits)
{
    uint64_t fraction = bits & ((UINT64_C(1) << 52) - 1);
    int biased = (int)(bits >> 52);
    uint64_t m = biased ? fraction | UINT64_C(1) << 52 : fraction;
    int power = (biased ? biased : 1) - 1075 - 1;
    struct big big = {{0}, 0};

    for (m = 2 * m + 1; m; m /= 1000000000)
        big.limb[big.limbs++] = (uint32_t)(m % 1000000000);
    if (power < 0)
        decimal->exponent = power; /* m 2^power = m 5^-power 10^power */
    for (; power > 0; power -= power < 29 ? power : 29)
        big_multiply(&big, UINT32_C(1) << (power < 29 ? power : 29));
    for (; power <= -13; power += 13)
        big_multiply(&big, 1220703125);
    for (; power < 0; power++)
        big_multiply(&big, 5);
    big_digits(&big, decimal);
    decimal->exponent += decimal->count;
}

static void decrement(struct decimal *decimal)
{
    int i = decimal->count - 1;

    for (; decimal->digit[i] == '0'; i--)
        decimal->digit[i] = '9';
    decimal->digit[i]--;
}

static uint64_t any_finite(uint64_t *state)
{
    uint64_t fraction = random_bits(state) >> 12;
    int kind = between(state, 0, 7);

    if (kind == 0)
        return fraction >> between(state, 0, 51); /* subnormal */
    if (kind == 1)
        fraction = random_bits(state) & 1 ? 0 : (UINT64_C(1) << 52) - 1; /* at a power of two */
    if (kind <= 3)
        return (uint64_t)between(state, 0, 2046) << 52 | fraction;
    return (uint64_t)between(state, 1023 - 30, 1023 + 90) << 52 | fraction;
}

/* Makes a number exactly halfway between two doubles, or different from it by a much later digit.
 * The nearest double is known. */
static void make_middle(struct decimal *decimal, uint64_t *state)
{
    uint64_t bits = any_finite(state);
    int kind = between(state, 0, 3);

    exact_middle(decimal, bits);
    decimal->known = 1;
    decimal->bits = bits + (bits & 1); /* ties to even */
    if (kind == 1)
        add_copies(decimal, '0', between(state, 1, 300));
    if (kind == 2) {
        add_copies(decimal, '0', between(state, 0, between(state, 0, 1) ? 800 : 20));
        add_copies(decimal, (char)between(state, '1', '9'), 1);
        decimal->bits = bits + 1;
    }
    if (kind == 3) {
        decrement(decimal);
        add_copies(decimal, '9', between(state, 1, between(state, 0, 1) ? 800 : 20));
        decimal->bits = bits;
    }
}

/* Makes a middle with so few digits that 64 bits hardly suffice to decide on which side it is. */
static void make_almost_middle(struct decimal *decimal, uint64_t *state)
{
    int kept = between(state, 15, 25);

    exact_middle(decimal, any_finite(state));
    if (decimal->count > kept)
        decimal->count = kept;
    if (decimal->digit[decimal->count - 1] != '9')
        decimal->digit[decimal->count - 1] =
            (char)(decimal->digit[decimal->count - 1] + between(state, 0, 1));
}

/* Writes random characters of numbers. Most of these texts are no numbers, or end early. */
static void put_noise(struct text *text, uint64_t *state)
{
    static const char alphabet[] = "00123456789..eE+-+-";
    int length = between(state, 0, 14);

    for (int i = 0; i < length; i++)
        put(text, alphabet[random_bits(state) % (sizeof alphabet - 1)], 1);
}

/* ---- Comparing --------------------------------------------------------- */

/* Fails unless number_parse and strtod agree on the text, and on bits if they are known. */
static void compare(const struct text *text, const struct decimal *decimal, int negative)
{
    const double untouched = 12345.5;
    double ours = untouched;
    char *their_end;
    double theirs = strtod(text->byte, &their_end);
    const char *our_end = number_parse(text->byte, &ours);

    if (their_end == text->byte)
        theirs = untouched;
    if (our_end != their_end)
        fail_msg("'%s': ends at %ld, strtod at %ld", text->byte, (long)(our_end - text->byte),
                 (long)(their_end - text->byte));
    if (bits_of(ours) != bits_of(theirs))
        fail_msg("'%s': %a, strtod %a", text->byte, ours, theirs);
    if (decimal && decimal->known && bits_of(ours) != (decimal->bits | (uint64_t)negative << 63))
        fail_msg("'%s': %a, expected %a", text->byte, ours, double_of(decimal->bits));
}

static void compare_random(uint64_t *state)
{
    static const struct {
        void (*make)(struct decimal *, uint64_t *);
        int percent;
    } kind[] = {
        {make_middle, 4},    {make_almost_middle, 8},   {make_very_long, 2},
        {make_subnormal, 6}, {make_nearly_infinite, 2}, {make_printed, 10},
        {make_long, 16},     {make_ordinary, 24},       {make_short, 23},
        {NULL, 5}, /* noise */
    };
    static struct decimal decimal;
    static struct text text;
    int choice = between(state, 0, 99), sign = between(state, 0, 3), i = 0;

    for (; choice >= kind[i].percent; i++)
        choice -= kind[i].percent;
    decimal.count = decimal.known = 0;
    decimal.exponent = 0;
    text.length = 0;
    if (kind[i].make) {
        kind[i].make(&decimal, state);
        put(&text, sign == 0 ? '-' : '+', sign < 2);
        put_decimal(&text, &decimal, choose_point(&decimal, state), state);
        put(&text, " \n:#,x\t\r"[random_bits(state) % 8], random_bits(state) & 1);
    } else {
        put_noise(&text, state);
    }
    text.byte[text.length] = '\0';
    compare(&text, &decimal, sign == 0);
}

/* True if strtod rounds correctly. musl's strtod returns 0 for this number, which is just above
 * half of the least double. */
static int strtod_is_right(void)
{
    return strtod("-247032822920623272089e-344", NULL) == -DBL_MIN * DBL_EPSILON;
}

static void parses_random_decimals_like_strtod(void **unused)
{
    const char *wanted = getenv("HINGE_TEST_NUMBERS");
    long count = wanted && *wanted ? atol(wanted) : (long)repeats(4000000, 1000000);
    uint64_t state = 1;

    (void)unused;
    assert_true(count > 0);
    if (!strtod_is_right()) {
        print_message("[  SKIPPED ] this strtod does not round right\n");
        skip();
    }
    for (long i = 0; i < count; i++)
        compare_random(&state);
    print_message("%ld random decimals compared with strtod\n", count);
}

/* ---- Hazards one by one ------------------------------------------------ */

static void compare_text(const char *bytes)
{
    static struct text text;

    text.length = 0;
    put_digits(&text, bytes, strlen(bytes));
    text.byte[text.length] = '\0';
    compare(&text, NULL, 0);
}

static void parses_every_short_text_like_strtod(void **unused)
{
    static const char alphabet[] = "05.e+-";
    long texts = 6;

    (void)unused;
    for (int length = 1; length <= 6; length++, texts *= 6) {
        for (long i = 0; i < texts; i++) {
            char text[8] = {0};
            long rest = i;

            for (int k = 0; k < length; k++, rest /= 6)
                text[k] = alphabet[rest % 6];
            compare_text(text);
        }
    }
}

static void parses_the_edges_of_the_format(void **unused)
{
    static const struct {
        const char *text;
        uint64_t bits;
    } edge[] = {
        {"0", 0},
        {"-0", UINT64_C(1) << 63},
        {"-0.0e999999999999999999999", UINT64_C(1) << 63},
        {"1e-99999999999999999999999", 0},
        {"1e99999999999999999999999", UINT64_C(0x7ff0000000000000)},
        {"-1e99999999999999999999999", UINT64_C(0xfff0000000000000)},
        {"18446744073709551616e0", UINT64_C(0x43f0000000000000)},
        {"9007199254740992", UINT64_C(0x4340000000000000)},
        {"9007199254740993", UINT64_C(0x4340000000000000)},
        {"9007199254740995", UINT64_C(0x4340000000000002)},
        {"9007199254740993.00000000000000000000000000000000001", UINT64_C(0x4340000000000001)},
        {"2.2250738585072011e-308", UINT64_C(0x000fffffffffffff)},
        {"2.2250738585072012e-308", UINT64_C(0x0010000000000000)},
        {"2.2250738585072014e-308", UINT64_C(0x0010000000000000)},
        {"4.9406564584124654e-324", 1},
        {"2.4703282292062327e-324", 0},
        {"2.4703282292062328e-324", 1},
        {"7.4109846876186981e-324", 1},
        {"7.4109846876186982e-324", 2},
        {"1e-400", 0},
        {"1.7976931348623157e308", UINT64_C(0x7fefffffffffffff)},
        {"1.7976931348623158e308", UINT64_C(0x7fefffffffffffff)},
        {"1.7976931348623159e308", UINT64_C(0x7ff0000000000000)},
        {"1e23", UINT64_C(0x44b52d02c7e14af6)},
        {"8.5e22", UINT64_C(0x44b1ffdbf6b2b2eb)},
    };

    (void)unused;
    for (size_t i = 0; i < sizeof edge / sizeof edge[0]; i++) {
        double value = 5;

        assert_ptr_equal(number_parse(edge[i].text, &value), edge[i].text + strlen(edge[i].text));
        if (bits_of(value) != edge[i].bits)
            fail_msg("%s: %a, expected %a", edge[i].text, value, double_of(edge[i].bits));
        compare_text(edge[i].text);
    }
}

/* A number ends where the decimal ends. Other forms that strtod reads, such as hexadecimal, are not
 * numbers here. */
static void ends_where_the_decimal_ends(void **unused)
{
    static const struct {
        const char *text;
        int length; /* length of the number; 0: there is none */
        double value;
        int like_strtod;
    } row[] = {
        {"", 0, 0, 1},         {"-", 0, 0, 1},
        {"+", 0, 0, 1},        {".", 0, 0, 1},
        {"-.", 0, 0, 1},       {"e5", 0, 0, 1},
        {".e5", 0, 0, 1},      {"+-1", 0, 0, 1},
        {"--1", 0, 0, 1},      {"abc", 0, 0, 1},
        {"1e", 1, 1, 1},       {"1e+", 1, 1, 1},
        {"1e-", 1, 1, 1},      {"1e+-5", 1, 1, 1},
        {"1ee5", 1, 1, 1},     {"1.e", 2, 1, 1},
        {"5.", 2, 5, 1},       {".5", 2, 0.5, 1},
        {"5.e1", 4, 50, 1},    {".5E+1x", 5, 5, 1},
        {"1.2.3", 3, 1.2, 1},  {"1,5", 1, 1, 1},
        {"1e5.5", 3, 1e5, 1},  {"1 2", 1, 1, 1},
        {"1:2", 1, 1, 1},      {"1d5", 1, 1, 1},
        {"1_000", 1, 1, 1},    {"1f", 1, 1, 1},
        {"0x1p3", 1, 0, 0},    {"-0x10", 2, -0.0, 0},
        {"0X.8", 1, 0, 0},     {"nan", 0, 0, 0},
        {"NAN(1)", 0, 0, 0},   {"-nan", 0, 0, 0},
        {"inf", 0, 0, 0},      {"-Inf", 0, 0, 0},
        {"INFINITY", 0, 0, 0}, {" 1", 0, 0, 0},
        {"\t1", 0, 0, 0},      {"\n1", 0, 0, 0},
        {"\v1", 0, 0, 0},      {"+ 1", 0, 0, 1},
        {"\xd9\xa1", 0, 0, 1}, {"\xef\xbc\x91", 0, 0, 1},
    };

    (void)unused;
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        double value = 77;
        const char *end = number_parse(row[i].text, &value);

        if (end - row[i].text != row[i].length)
            fail_msg("'%s' ends at %ld", row[i].text, (long)(end - row[i].text));
        assert_int_equal(bits_of(value), bits_of(row[i].length ? row[i].value : 77));
        if (row[i].like_strtod)
            compare_text(row[i].text);
    }
}

/* Ten million zeros compensate for an exponent of ten million, on both sides of the point. */
static void zeros_make_up_for_a_huge_exponent(void **unused)
{
    enum { ZEROS = 10000000 };
    char *text = malloc(ZEROS + 64);
    double value = 0;

    (void)unused;
    assert_non_null(text);
    memset(text, '0', ZEROS + 2);
    text[1] = '.';
    strcpy(text + ZEROS + 2, "25e10000001"); /* 0.000..025 */
    assert_ptr_equal(number_parse(text, &value), text + strlen(text));
    assert_true(value == 2.5);
    memset(text, '0', ZEROS + 2);
    text[0] = '2';
    text[1] = '5';
    strcpy(text + ZEROS + 2, ".00e-10000001"); /* 25000..0 */
    assert_ptr_equal(number_parse(text, &value), text + strlen(text));
    assert_true(value == 2.5);
    strcpy(text + ZEROS + 2, "e-10000400");
    assert_ptr_equal(number_parse(text, &value), text + strlen(text));
    assert_true(value == 0);
    strcpy(text + ZEROS + 2, "");
    assert_ptr_equal(number_parse(text, &value), text + strlen(text));
    assert_true(value == HUGE_VAL);
    free(text);
}

/* ---- Printing ---------------------------------------------------------- */

static void check_print(double value)
{
    char ours[NUMBER_LENGTH], theirs[64];
    double back = 0;
    int length = number_print(ours, value);

    snprintf(theirs, sizeof theirs, "%.17g", value);
    assert_string_equal(ours, theirs);
    assert_int_equal(length, strlen(ours));
    assert_ptr_equal(number_parse(ours, &back), ours + length);
    if (bits_of(back) != bits_of(value))
        fail_msg("%s comes back as %a, not %a", ours, back, value);
}

static void prints_what_reads_back_the_same(void **unused)
{
    static const double special[] = {0.0,     -0.0,        1,       -1,      0.1,   1e22, 1e23,
                                     DBL_MAX, -DBL_MAX,    DBL_MIN, 123456,  1e-5,  1e-4, 1e16,
                                     1e17,    DBL_EPSILON, 5e-324,  -5e-324, -1e100};
    uint64_t state = 2;

    (void)unused;
    for (size_t i = 0; i < sizeof special / sizeof special[0]; i++)
        check_print(special[i]);
    for (int i = 0; i < 200000; i++) {
        double value = double_of(random_bits(&state));

        if (fabs(value) <= DBL_MAX)
            check_print(value);
        check_print((double)between(&state, -1000000, 1000000) / 1024);
    }
}

/* Digits that a carry turns into another power of ten, decimals of few digits, whole numbers, and
 * the middles between two decimals of 17 digits. */
static void prints_hard_cases_like_printf(void **unused)
{
    uint64_t state = 3;

    (void)unused;
    for (int power = -323; power <= 308; power++) {
        double value = pow(10, power);

        for (int k = 0; k < 3; k++, value = nextafter(value, 0))
            if (value > 0)
                check_print(value);
        value = nextafter(pow(10, power), HUGE_VAL);
        if (value <= DBL_MAX)
            check_print(-value);
    }
    for (int i = 0; i < 200000; i++) {
        const uint64_t bits = random_bits(&state);

        check_print((double)(bits % 100000) / pow(10, (double)(bits >> 61)));
        check_print((double)(bits >> (bits & 63)));
        check_print(ldexp((double)(bits >> 40), -(int)(bits & 63)));
    }
}

/* Prints the same as printf with so many digits, except that printf may round the middle of two
 * decimals another way. */
static void prints_few_digits(void **unused)
{
    uint64_t state = 5;
    char text[NUMBER_LENGTH];

    (void)unused;
    assert_int_equal(number_print_rounded(text, 0.99999999999999, 13), 1);
    assert_string_equal(text, "1");
    assert_int_equal(number_print_rounded(text, -0.0625, 1), 5);
    assert_string_equal(text, "-0.06");
    assert_int_equal(number_print_rounded(text, 1e-30 / 3, 3), 8);
    assert_string_equal(text, "3.33e-31");
    for (int i = 0; i < 100000; i++) {
        const double value =
            ldexp((double)(random_bits(&state) >> 11), -(int)(random_bits(&state) % 90));
        const int digits = 1 + (int)(random_bits(&state) % 14);
        const int length = number_print_rounded(text, value, digits);
        double back;

        assert_int_equal(length, strlen(text));
        assert_ptr_equal(number_parse(text, &back), text + length);
        assert_true(fabs(back - value) <= value * (0.5 + 1e-3) * pow(10, 1 - digits));
    }
}

/* Checks that text and value in a locale are those of the "C" locale. */
static void check_in_locale(const char *name)
{
    static const struct {
        double value;
        const char *text;
    } row[] = {
        {0.5, "0.5"},
        {-1.25, "-1.25"},
        {1234567.5, "1234567.5"},
        {0.1, "0.10000000000000001"},
        {-1.5e-300, "-1.5000000000000001e-300"},
        {3, "3"},
        {1e300, "1.0000000000000001e+300"},
    };
    const char *comma = "1,5";

    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        char text[NUMBER_LENGTH];
        double value = 0;

        if (number_print(text, row[i].value) != (int)strlen(row[i].text) ||
            strcmp(text, row[i].text) != 0)
            fail_msg("locale %s: '%s' printed as '%s'", name, row[i].text, text);
        assert_ptr_equal(number_parse(row[i].text, &value), row[i].text + strlen(row[i].text));
        assert_int_equal(bits_of(value), bits_of(row[i].value));
        assert_ptr_equal(number_parse(comma, &value), comma + 1);
    }
}

/* In the locale ps_AF, the decimal point has two bytes. */
static void is_the_same_in_every_locale(void **unused)
{
    static const char *const name[] = {"de_DE.UTF-8", "de_DE.utf8",  "de_DE",       "fr_FR.UTF-8",
                                       "fr_FR",       "es_ES.UTF-8", "ru_RU.UTF-8", "nl_NL.UTF-8",
                                       "ps_AF.UTF-8", "ps_AF.utf8",  "ps_AF",       "German"};
    int found = 0;

    (void)unused;
    for (size_t i = 0; i < sizeof name / sizeof name[0]; i++)
        if (setlocale(LC_ALL, name[i]) && strcmp(localeconv()->decimal_point, ".") != 0) {
            check_in_locale(name[i]);
            found++;
        }
    setlocale(LC_ALL, "C");
    if (found)
        return;
    print_message("[  SKIPPED ] no locale with another decimal point than '.' is installed\n");
    skip();
}

static void whole_numbers_end_where_they_would_be_too_large(void **state)
{
    static const struct {
        const char *text;
        uint64_t most, value;
        size_t length;
    } cases[] = {
        {"", UINT64_MAX, 0, 0},
        {"-1", UINT64_MAX, 0, 0},
        {"x", 9, 0, 0},
        {"007x", UINT64_MAX, 7, 3},
        {"1.5", UINT64_MAX, 1, 1},
        {"5", 4, 0, 0},
        {"1", 1, 1, 1},
        {"01", 1, 1, 2},
        {"12", 12, 12, 2},
        {"13", 12, 1, 1},
        {"120", 12, 12, 2},
        {"0", 0, 0, 1},
        {"4294967295", UINT32_MAX, UINT32_MAX, 10},
        {"4294967296", UINT32_MAX, 429496729, 9},
        {"18446744073709551615", UINT64_MAX, UINT64_MAX, 20},
        {"18446744073709551616", UINT64_MAX, UINT64_C(1844674407370955161), 19},
    };

    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        uint64_t value = 17;

        assert_ptr_equal(number_parse_whole(cases[k].text, cases[k].most, &value),
                         cases[k].text + cases[k].length);
        assert_true(value == cases[k].value);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parses_random_decimals_like_strtod),
        cmocka_unit_test(parses_every_short_text_like_strtod),
        cmocka_unit_test(parses_the_edges_of_the_format),
        cmocka_unit_test(ends_where_the_decimal_ends),
        cmocka_unit_test(zeros_make_up_for_a_huge_exponent),
        cmocka_unit_test(whole_numbers_end_where_they_would_be_too_large),
        cmocka_unit_test(prints_hard_cases_like_printf),
        cmocka_unit_test(prints_few_digits),
        cmocka_unit_test(prints_what_reads_back_the_same),
        cmocka_unit_test(is_the_same_in_every_locale),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
