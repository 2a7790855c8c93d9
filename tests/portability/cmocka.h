/* cmocka.h - as much of cmocka as the unit tests use, for targets that have none. */
#ifndef HINGE_TESTS_CMOCKA_H
#define HINGE_TESTS_CMOCKA_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct CMUnitTest {
    const char *name;
    void (*test)(void **state);
    int (*setup)(void **state);
    int (*teardown)(void **state); /* never called: no test has one */
    void *initial_state;
};

#if defined(__GNUC__)
#define SMALL_NORETURN           __attribute__((noreturn))
#define SMALL_PRINTF(text, rest) __attribute__((format(printf, text, rest)))
#else
#define SMALL_NORETURN
#define SMALL_PRINTF(text, rest)
#endif

/* Ends the running test. */
void small_fail(const char *file, int line, const char *format, ...)
    SMALL_PRINTF(3, 4) SMALL_NORETURN;
void small_skip(void) SMALL_NORETURN;
int small_run(const struct CMUnitTest *tests, size_t count, int (*setup)(void **));
void print_message(const char *format, ...) SMALL_PRINTF(1, 2);
#define print_error print_message

#define cmocka_unit_test(test)                                                                     \
    {                                                                                              \
#test, test, NULL, NULL, NULL                                                              \
    }
#define cmocka_unit_test_setup(test, setup)                                                        \
    {                                                                                              \
#test, test, setup, NULL, NULL                                                             \
    }
#define cmocka_unit_test_prestate(test, state)                                                     \
    {                                                                                              \
#test, test, NULL, NULL, state                                                             \
    }
#define cmocka_run_group_tests(tests, setup, teardown)                                             \
    small_run(tests, sizeof(tests) / sizeof(tests)[0], setup)

#define SMALL_DEMAND(condition, text)                                                              \
    ((condition) ? (void)0 : small_fail(__FILE__, __LINE__, "%s", text))

#define fail()        small_fail(__FILE__, __LINE__, "failed")
#define fail_msg(...) small_fail(__FILE__, __LINE__, __VA_ARGS__)
#define skip()        small_skip()

#define assert_true(a)                SMALL_DEMAND((a), #a)
#define assert_false(a)               SMALL_DEMAND(!(a), "not " #a)
#define assert_null(a)                SMALL_DEMAND(!(a), #a " is NULL")
#define assert_non_null(a)            SMALL_DEMAND((a), #a " is not NULL")
#define assert_ptr_equal(a, b)        SMALL_DEMAND((a) == (b), #a " == " #b)
#define assert_int_equal(a, b)        small_int(__FILE__, __LINE__, (intmax_t)(a), (intmax_t)(b), 1)
#define assert_int_not_equal(a, b)    small_int(__FILE__, __LINE__, (intmax_t)(a), (intmax_t)(b), 0)
#define assert_in_range(a, low, high) SMALL_DEMAND((a) >= (low) && (a) <= (high), #a " in range")
#define assert_string_equal(a, b)     small_string(__FILE__, __LINE__, (a), (b), 1)
#define assert_string_not_equal(a, b) small_string(__FILE__, __LINE__, (a), (b), 0)
#define assert_memory_equal(a, b, size)                                                            \
    SMALL_DEMAND(memcmp((a), (b), (size)) == 0, "same bytes: " #a ", " #b)
#define assert_memory_not_equal(a, b, size)                                                        \
    SMALL_DEMAND(memcmp((a), (b), (size)) != 0, "other bytes: " #a ", " #b)

void small_int(const char *file, int line, intmax_t a, intmax_t b, int equal);
void small_string(const char *file, int line, const char *a, const char *b, int equal);

#endif
