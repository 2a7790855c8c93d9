/* test_cell.c - the kind of a field's text: number, date, text, ... */
#include "support.h"

#include <stdio.h>
#include <string.h>

#include "data/cell.h"

static const struct notation points = {0}, commas = {.decimal_comma = 1},
                             english = {.thousands = 1},
                             german = {.decimal_comma = 1, .thousands = 1};

static void expect_in(const struct notation *notation, const char *text, enum cell cell,
                      double value)
{
    double came = -7;
    const enum cell kind = cell_read(notation, text, strlen(text), &came);

    if (kind != cell || (cell == CELL_NUMBER && came != value))
        fail_msg("'%s' is of kind %d, %g", text, (int)kind, came);
}

static void expect(const char *text, char decimal, enum cell cell, double value)
{
    expect_in(decimal == ',' ? &commas : &points, text, cell, value);
}

/* The number is written as expected, with a point and nothing between thousands. */
static void expect_written(const struct notation *notation, const char *text, const char *expected)
{
    char written[64] = "";
    FILE *stream = tmpfile();

    assert_non_null(stream);
    cell_write_number(notation, text, strlen(text), stream);
    rewind(stream);
    assert_int_equal(fread(written, 1, sizeof written - 1, stream), strlen(expected));
    assert_string_equal(written, expected);
    fclose(stream);
}

static void knows_units(void **unused)
{
    (void)unused;
    expect("$5", '.', CELL_NUMBER, 5);
    expect("$ -5.5", '.', CELL_NUMBER, -5.5);
    expect("12.5 %", '.', CELL_NUMBER, 12.5);
    expect("\xe2\x82\xac"
           "7",
           '.', CELL_NUMBER, 7);
    expect_in(&german, "1.234,5 \xe2\x82\xac", CELL_NUMBER, 1234.5);
    expect("$1,200.00", '.', CELL_COMMA, 0);
    expect_in(&english, "$1,200.00", CELL_NUMBER, 1200);
    expect("$1e999", '.', CELL_HUGE, 0);
    expect("%5", '.', CELL_TEXT, 0);
    expect("$", '.', CELL_TEXT, 0);
    expect("%", '.', CELL_TEXT, 0);
    expect("$5%", '.', CELL_TEXT, 0);
    expect("5$%", '.', CELL_TEXT, 0);
    expect_written(&points, "12.50 %", "12.50");
    expect_written(&english, "$1,200.00", "1200.00");
    expect_written(&german, "1.234,5 \xe2\x82\xac", "1234.5");
}

static void knows_numbers(void **unused)
{
    char digits[1000];

    (void)unused;
    expect("5", '.', CELL_NUMBER, 5);
    expect("-0.50", '.', CELL_NUMBER, -0.5);
    expect("+.5e1", '.', CELL_NUMBER, 5);
    expect("1e999", '.', CELL_HUGE, 0);
    expect("5,1", '.', CELL_COMMA, 0);
    expect("-1,5e3", '.', CELL_COMMA, 0);
    expect("1,234.5", '.', CELL_COMMA, 0);
    expect("5,1", ',', CELL_NUMBER, 5.1);
    expect("-1,5e3", ',', CELL_NUMBER, -1500);
    expect("7", ',', CELL_NUMBER, 7);
    expect("5.1", ',', CELL_NUMBER, 5.1);
    expect("5.123", ',', CELL_COMMA, 0); /* may be 5123 */
    expect("1.234,5", ',', CELL_COMMA, 0);
    expect("1,2,3", ',', CELL_TEXT, 0);
    expect("0x10", '.', CELL_TEXT, 0);
    expect("inf", '.', CELL_TEXT, 0);
    expect("5 kg", '.', CELL_TEXT, 0);
    memset(digits, '1', sizeof digits);
    digits[1] = ',';
    digits[390] = '\0';
    expect(digits, ',', CELL_NUMBER, 1.1111111111111112);
    digits[390] = '1';
    digits[999] = '\0';
    expect(digits, ',', CELL_TEXT, 0);
}

static void knows_thousands(void **unused)
{
    static const char *const no_groups[] = {"1,23",   "1234,567", "0,123",   ",123",
                                            "1,2345", "1,,234",   "1,234,56"};

    (void)unused;
    expect_in(&english, "1,234", CELL_NUMBER, 1234);
    expect_in(&english, "-12,345,678.25", CELL_NUMBER, -12345678.25);
    expect_in(&english, "999", CELL_NUMBER, 999);
    expect_in(&english, "2.5", CELL_NUMBER, 2.5);
    expect_in(&german, "1.234", CELL_NUMBER, 1234);
    expect_in(&german, "+1.234.567,5e2", CELL_NUMBER, 123456750);
    expect_in(&german, "2,5", CELL_NUMBER, 2.5);
    expect_in(&german, "2.5", CELL_COMMA, 0);
    for (size_t k = 0; k < COUNT(no_groups); k++) {
        double value;

        if (cell_read(&english, no_groups[k], strlen(no_groups[k]), &value) == CELL_NUMBER)
            fail_msg("'%s' is %g", no_groups[k], value);
    }
    expect_written(&english, "-12,345.50", "-12345.50");
    expect_written(&german, "12.345,50", "12345.50");
    expect_written(&commas, "12,50", "12.50");
    expect_written(&commas, "12.5", "12.5");
    expect_written(&points, "+1e5", "+1e5");
}

/* Tests the signs of each text, in the order of struct notation_signs: 1 if the text has the sign.
 */
static void knows_what_signs_tell(void **unused)
{
    static const struct {
        const char *text;
        const char *signs;
    } cases[] = {{"5,1", "1000000"},       {"0,125", "1000000"},   {"1234,567", "1000000"},
                 {"1,234,567", "0100000"}, {"1,234.5", "0100000"}, {"1,234", "0010000"},
                 {"-12,345", "0010000"},   {"5.1", "0001000"},     {"1.234,5", "0000100"},
                 {"1.234.567", "0000100"}, {"999", "0000010"},     {"1000", "0000001"},
                 {"1.234", "0000000"},     {"text", "0000000"},    {"a,b", "0000000"},
                 {"", "0000000"},          {"1,2,3", "0000000"},   {"1.2.26", "0000000"}};

    (void)unused;
    for (size_t k = 0; k < COUNT(cases); k++) {
        struct notation_signs signs = {0};
        char came[16];

        cell_add_signs(&signs, cases[k].text, strlen(cases[k].text));
        snprintf(came, sizeof came, "%d%d%d%d%d%d%d", (int)signs.decimal_commas,
                 (int)signs.comma_groups, (int)signs.comma_or_groups, (int)signs.points,
                 (int)signs.point_groups, (int)signs.below_thousand, (int)signs.thousand_plain);
        if (strcmp(came, cases[k].signs) != 0)
            fail_msg("'%s': %s", cases[k].text, came);
    }
}

static void knows_what_is_missing(void **unused)
{
    static const char *const missing[] = {"",    "?",   "NA",  "na",   "N/A",
                                          "n/a", "NaN", "nan", "NULL", "null"};
    static const char *const later[] = {"#N/A", "<NA>", "\\N", "None", "-", "."};
    static const char *const others[] = {"??", "n", "nab", "none", "--", "..", "nul", "0", "\\n"};
    const struct notation first = {.version = 1}, second = {.version = 2};
    struct notation own = {0};
    struct hinge_error error;
    uint32_t number;

    (void)unused;
    for (size_t k = 0; k < COUNT(missing); k++) {
        expect(missing[k], '.', CELL_MISSING, 0);
        expect(missing[k], ',', CELL_MISSING, 0);
        assert_true(cell_is_missing(&first, missing[k], strlen(missing[k]), 1));
    }
    expect("Unknown", '.', CELL_MISSING, 0);
    expect_in(&second, "unknown", CELL_TEXT, 0);
    assert_false(cell_is_missing(&points, "unknown", 7, 1));
    for (size_t k = 0; k < COUNT(later); k++) {
        const size_t length = strlen(later[k]);

        expect(later[k], '.', CELL_MISSING, 0);
        expect_in(&first, later[k], CELL_TEXT, 0);
        assert_int_equal(cell_is_missing(&points, later[k], length, 1), k < 3);
    }
    for (size_t k = 0; k < COUNT(others); k++)
        assert_false(cell_is_missing(&points, others[k], strlen(others[k]), 0));
    assert_int_equal(dictionary_add(&own.missing, "-999", 4, "", 0, &number, &error), HINGE_OK);
    expect_in(&own, "-999", CELL_MISSING, 0);
    expect_in(&own, "-999.0", CELL_NUMBER, -999);
    expect_in(&own, "NA", CELL_MISSING, 0);
    assert_true(cell_is_missing(&own, "-999", 4, 1));
    dictionary_free(&own.missing);
}

static void knows_dates_and_pairs(void **unused)
{
    static const char *const dates[] = {"2026-11-21",  "21/11/2026",          "1.2.26",
                                        "21-Nov-2026", "2026-11-21T12:30:00", "12:30",
                                        "12:30:15",    "2026-11-21 12:30"};
    static const char *const others[] = {"2026-11",   "1-2",   "1/2",   "1.2.x",
                                         "12345-1-1", "a-1-1", "1-2/3", "1-2-"};

    (void)unused;
    for (size_t k = 0; k < COUNT(dates); k++)
        expect(dates[k], '.', CELL_DATE, 0);
    for (size_t k = 0; k < COUNT(others); k++)
        expect(others[k], '.', CELL_TEXT, 0);
    expect("1:0.5", '.', CELL_PAIR, 0);
    expect("123:45", '.', CELL_PAIR, 0);
    expect("1:x", '.', CELL_TEXT, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(knows_numbers),         cmocka_unit_test(knows_units),
        cmocka_unit_test(knows_thousands),       cmocka_unit_test(knows_what_signs_tell),
        cmocka_unit_test(knows_what_is_missing), cmocka_unit_test(knows_dates_and_pairs),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
