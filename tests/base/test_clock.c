/* test_clock.c - the stopwatch never runs back, also if a clock wraps around. */
#include "support.h"

#include "base/clock.h"

/* Returns processor seconds, plus a microsecond for the rounding of many small differences. */
static double processor_since(clock_t start)
{
    return (double)(clock() - start) / CLOCKS_PER_SEC + 1e-6;
}

static void measures_time_that_does_not_run_back(void **unused)
{
    struct stopwatch watch;
    clock_t start = clock();
    double processor = 0, elapsed = 0;

    (void)unused;
    stopwatch_start(&watch);
    while (processor < 0.1) {
        double next = stopwatch_processor(&watch);

        assert_true(next >= processor);
        processor = next;
        next = stopwatch_elapsed(&watch);
        assert_true(next >= elapsed && (watch.precise >= 0 || next >= processor));
        elapsed = next;
    }
    assert_true(processor <= processor_since(start));
}

/* The clock has wrapped around since the last reading, or the process has slept. */
static void bridges_wraps_and_waits(void **unused)
{
    struct stopwatch watch;
    clock_t start;
    double seconds;

    (void)unused;
    stopwatch_start(&watch);
    start = clock();
    if (sizeof(clock_t) > 4) {
        watch.processor = (clock_t)((double)start + 4294967296.0 - 5 * (double)CLOCKS_PER_SEC);
        seconds = stopwatch_processor(&watch);
        assert_true(seconds >= 5 && seconds <= 5 + processor_since(start));
    }
    watch.seconds = 7;
    start = clock();
    stopwatch_start(&watch);
    watch.wall -= 100;
    watch.precise -= watch.precise >= 0 ? 100 : 0;
    seconds = stopwatch_elapsed(&watch);
    assert_true(seconds >= 99);
    assert_true(seconds <=
                difftime(time(NULL), watch.wall) + (watch.precise >= 0)); /* calendar time */
    seconds = stopwatch_processor(&watch);
    assert_true(seconds <= processor_since(start));
}

/* The calendar's second may have changed a moment ago, so it proves no elapsed second. */
static void takes_no_second_for_granted(void **unused)
{
    struct stopwatch watch, other;
    double seconds;
    time_t now;

    (void)unused;
    stopwatch_start(&other);
    do {
        now = time(NULL);
        stopwatch_start(&watch);
        watch.wall = now - 1;
        seconds = stopwatch_elapsed(&watch);
    } while (time(NULL) != now);
    assert_true(seconds <= stopwatch_elapsed(&other) + 1e-6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(measures_time_that_does_not_run_back),
        cmocka_unit_test(bridges_wraps_and_waits),
        cmocka_unit_test(takes_no_second_for_granted),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
