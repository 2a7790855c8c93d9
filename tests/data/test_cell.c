/* test_cell.c - what the text of a field is. */
#include "support.h"

#include <string.h>

#include "data/table.h"

static void expect(const char *text, char decimal, enum cell cell, double value)
{
    double came = -7;
    const enum cell kind = cell_read(text, strlen(text), decimal, &came);

    if (kind != cell || (cell == CELL_NUMBER && came != value))
        fail_msg("'%s' is of kind %d, %g", text, (int)kind, came);
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
    expect("1,234.5", '.', CELL_TEXT, 0);
    expect("5,1", ',', CELL_NUMBER, 5.1);
    expect("-1,5e3", ',', CELL_NUMBER, -1500);
    expect("7", ',', CELL_NUMBER, 7);
    expect("5.1", ',', CELL_TEXT, 0);
    expect("1.234,5", ',', CELL_TEXT, 0);
    expect("1,2,3", ',', CELL_TEXT, 0);
    expect("0x10", '.', CELL_TEXT, 0);
    expect("inf", '.', CELL_TEXT, 0);
    expect("5 kg", '.', CELL_TEXT, 0);
    expect("$5", '.', CELL_TEXT, 0);
    memset(digits, '1', sizeof digits);
    digits[1] = ',';
    digits[390] = '\0';
    expect(digits, ',', CELL_NUMBER, 1.1111111111111112);
    digits[390] = '1';
    digits[999] = '\0';
    expect(digits, ',', CELL_TEXT, 0);
}

static void knows_what_is_missing(void **unused)
{
    static const char *const missing[] = {"",    "?",   "NA",  "na",   "N/A",
                                          "n/a", "NaN", "nan", "NULL", "null"};
    static const char *const others[] = {"??", "n", "nab", "none", "-", ".", "nul", "0"};

    (void)unused;
    for (size_t k = 0; k < COUNT(missing); k++) {
        expect(missing[k], '.', CELL_MISSING, 0);
        expect(missing[k], ',', CELL_MISSING, 0);
        assert_true(cell_is_missing(missing[k], strlen(missing[k])));
    }
    for (size_t k = 0; k < COUNT(others); k++)
        assert_false(cell_is_missing(others[k], strlen(others[k])));
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
        cmocka_unit_test(knows_numbers),
        cmocka_unit_test(knows_what_is_missing),
        cmocka_unit_test(knows_dates_and_pairs),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
