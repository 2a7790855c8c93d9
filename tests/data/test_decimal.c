/* test_decimal.c - compares the two readers of short numbers with number_parse. */
#include "support.h"

#include <stdio.h>
#include <string.h>

#include "data/digits.h"

/* Room for the eight characters that decimal_parse may read from any place of the text on. */
enum { TEXT_SIZE = 64 };

/* Draws a sign, digits, perhaps a point among them, and a byte after the number. */
static void draw_text(char *text, uint64_t *state, unsigned whole_digits, unsigned places)
{
    static const char ends[] = " \t\n\r#";
    int length = 0;

    memset(text, 0, TEXT_SIZE);
    if (random_bits(state) % 3 == 0)
        text[length++] = '-';
    for (unsigned k = 0; k < whole_digits; k++)
        text[length++] = (char)('0' + random_bits(state) % 10);
    if (places > 0)
        text[length++] = '.';
    for (unsigned k = 0; k < places; k++)
        text[length++] = (char)('0' + random_bits(state) % 10);
    text[length] = ends[random_bits(state) % sizeof ends]; /* or NUL */
}

/* Checks that the text ends where number_parse ends, and gives the same double. */
static void check_read(const char *text, const char *end, const struct decimal *decimal)
{
    double expected = 0, value;
    const char *expected_end = number_parse(text, &expected);

    assert_ptr_equal(end, expected_end);
    value = decimal_value(decimal);
    if (memcmp(&value, &expected, sizeof value) != 0)
        fail_msg("'%s' is %a, not %a", text, value, expected);
}

/* Both functions read every number of up to 15 characters. Only -0 is left to number_parse, because
 * decimal would lose its sign. */
static void reads_short_numbers_like_number_parse(void **unused)
{
    uint64_t state = 1;
    int signs = 0;

    (void)unused;
    for (unsigned n = 0; n < 300000; n++) {
        const unsigned digits = 1 + (unsigned)(random_bits(&state) % 4);
        const unsigned places = (unsigned)(random_bits(&state) % 11);
        struct decimal decimal = {0, 0, 0};
        char text[TEXT_SIZE];
        const char *end;
        double value = 0;

        draw_text(text, &state, digits, places);
        number_parse(text, &value);
        end = decimal_by_digits(text, &decimal);
        assert_int_equal(end == NULL, *text == '-' && value == 0);
        if (end)
            check_read(text, end, &decimal);
        signs = n % 2 ? signs : 0; /* 0: no sign has come before */
        end = decimal_parse(text, &decimal, &signs);
        assert_true(signs || *text != '-');
        assert_int_equal(end == NULL, *text == '-' && value == 0);
        if (end)
            check_read(text, end, &decimal);
    }
}

/* Numbers have up to 18 places. From 15 places on they are kept as doubles, rounded like those of
 * number_parse. */
static void reads_many_places_like_number_parse(void **unused)
{
    uint64_t state = 2;
    unsigned longs = 0;

    (void)unused;
    for (unsigned n = 0; n < 300000; n++) {
        const unsigned places = 10 + (unsigned)(random_bits(&state) % (MOST_PLACES_READ - 9));
        struct decimal decimal = {0, 0, 0};
        char text[TEXT_SIZE];
        int signs = 0;
        const char *end;

        draw_text(text, &state, 1, places);
        end = decimal_parse(text, &decimal, &signs);
        assert_non_null(end);
        check_read(text, end, &decimal);
        assert_int_equal(decimal.places == LONG, places >= MOST_DIGITS);
        longs += decimal.places == LONG;
    }
    assert_true(longs > 50000);
}

static void leaves_all_else_to_others(void **unused)
{
    static const char *const other[] = {"",
                                        "-",
                                        "+1",
                                        ".5",
                                        "-.5",
                                        "1e5",
                                        "1.5e1",
                                        "nan",
                                        "0x10",
                                        "1,5",
                                        "1:2",
                                        "--1",
                                        "1.2.3",
                                        "-0",
                                        "-0.0",
                                        "-00.0",
                                        "12345678901234567",
                                        "1.2345678901234567890",
                                        " 1"};

    (void)unused;
    for (size_t k = 0; k < COUNT(other); k++) {
        struct decimal decimal = {0, 0, 0};
        char text[TEXT_SIZE] = "";

        strcpy(text, other[k]);
        assert_null(decimal_by_digits(text, &decimal));
        for (int signs = 0; signs < 2; signs++) {
            int seen = signs;

            assert_null(decimal_parse(text, &decimal, &seen));
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_short_numbers_like_number_parse),
        cmocka_unit_test(reads_many_places_like_number_parse),
        cmocka_unit_test(leaves_all_else_to_others),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
