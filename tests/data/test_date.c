/* test_date.c - days, months and weekdays of dates in all spellings. */
#include "support.h"

#include <string.h>

#include "data/date.h"

static void expect(const char *text, enum date_order order, double days, int month, int weekday)
{
    struct date date;

    if (!date_read(text, strlen(text), order, &date))
        fail_msg("'%s' is no date", text);
    if (date.days != days || date.month != month || date.weekday != weekday)
        fail_msg("'%s' is day %.17g, month %d, weekday %d", text, date.days, date.month,
                 date.weekday);
}

/* The days are the output of the command date +%s, divided by 86400. */
static void reads_days(void **unused)
{
    (void)unused;
    expect("1970-01-01", DATE_YMD, 0, 1, 4);
    expect("1969-12-31", DATE_YMD, -1, 12, 3);
    expect("2000-02-29", DATE_YMD, 11016, 2, 2);
    expect("2026-11-21", DATE_YMD, 20778, 11, 6);
    expect("2026/1/2", DATE_YMD, 20455, 1, 5);
    expect("0001-01-01", DATE_YMD, -719162, 1, 1);
    expect("9999-12-31", DATE_YMD, 2932896, 12, 5);
    expect("21.11.2026", DATE_DMY, 20778, 11, 6);
    expect("21/11/26", DATE_DMY, 20778, 11, 6);
    expect("11/21/26", DATE_MDY, 20778, 11, 6);
    expect("1-2-70", DATE_MDY, 1, 1, 5);
    expect("1-2-69", DATE_DMY, 36191, 2, 5);
    expect("21-Nov-2026", DATE_DMY, 20778, 11, 6);
    expect("21-november-26", DATE_MDY, 20778, 11, 6);
    expect("2026-Nov-21", DATE_YMD, 20778, 11, 6);
}

static void reads_times(void **unused)
{
    (void)unused;
    expect("2026-11-21 12:00", DATE_YMD, 20778.5, 11, 6);
    expect("2026-11-21T06:00:00Z", DATE_YMD, 20778.25, 11, 6);
    expect("2026-11-21T06:00:00.000+01:00", DATE_YMD, 20778.25, 11, 6);
    expect("2026-11-21 18:00:00-0500", DATE_YMD, 20778.75, 11, 6);
    expect("11/21/2026 6:00 PM", DATE_MDY, 20778.75, 11, 6);
    expect("11/21/2026 12:00 am", DATE_MDY, 20778, 11, 6);
    expect("12:00", DATE_DMY, 0.5, 0, 0);
    expect("18:00:00", DATE_YMD, 0.75, 0, 0);
}

static void refuses_others(void **unused)
{
    static const char *const bad[] = {
        "",           "x",           "5",           "2026",        "2026-11",
        "2026-13-01", "2026-02-29",  "2026-11-21x", "2026-11-21 ", "2026-11-21 25:00",
        "2026-11/21", "2026-Nox-21", "2026-11-211", "20261-11-21", "2026-11-21T",
        "1:5",        "12:60",       "13:00 PM",    "-1-1-2026",   "2026--21",
        "2026-00-10", "2026-11-00",  "12:30+1",     "12:30:5"};
    struct date date;

    (void)unused;
    for (size_t k = 0; k < COUNT(bad); k++)
        for (int order = 0; order < DATE_ORDERS; order++)
            if (date_read(bad[k], strlen(bad[k]), (enum date_order)order, &date))
                fail_msg("'%s' is a date of order %d", bad[k], order);
    assert_false(date_read("21.11.2026", 10, DATE_MDY, &date));
    assert_false(date_read("21.11.2026", 10, DATE_YMD, &date));
    assert_false(date_read("2026-11-21", 10, DATE_DMY, &date));
    assert_false(date_read("20-11-21", 8, DATE_YMD, &date));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_days),
        cmocka_unit_test(reads_times),
        cmocka_unit_test(refuses_others),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
