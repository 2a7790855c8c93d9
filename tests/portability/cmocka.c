/* cmocka.c - runs tests one after the other; one that fails or is skipped ends by longjmp. */
#include "cmocka.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

static jmp_buf out;

enum { PASSED, FAILED, SKIPPED };

void small_fail(const char *file, int line, const char *format, ...)
{
    va_list arguments;

    printf("%s:%d: ", file, line);
    va_start(arguments, format);
    vprintf(format, arguments);
    va_end(arguments);
    putchar('\n');
    longjmp(out, FAILED);
}

void small_skip(void)
{
    longjmp(out, SKIPPED);
}

void print_message(const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    vprintf(format, arguments);
    va_end(arguments);
}

void small_int(const char *file, int line, intmax_t a, intmax_t b, int equal)
{
    if ((a == b) != equal)
        small_fail(file, line, "%lld %s %lld", (long long)a, equal ? "!=" : "==", (long long)b);
}

void small_string(const char *file, int line, const char *a, const char *b, int equal)
{
    if ((strcmp(a, b) == 0) != equal)
        small_fail(file, line, "'%.1000s' %s '%.1000s'", a, equal ? "!=" : "==", b);
}

int small_run(const struct CMUnitTest *tests, size_t count, int (*setup)(void **))
{
    static int results[3];
    void *state = NULL;

    if (setup && setup(&state) != 0)
        return 1;
    for (volatile size_t k = 0; k < count; k++) {
        const int result = setjmp(out);

        if (result == PASSED) {
            state = tests[k].initial_state;
            if (tests[k].setup && tests[k].setup(&state) != 0)
                small_fail(tests[k].name, 0, "its setup failed");
            tests[k].test(&state);
        }
        results[result]++;
        if (result == FAILED)
            printf("FAIL %s\n", tests[k].name);
    }
    printf("%d passed, %d failed, %d skipped\n", results[PASSED], results[FAILED],
           results[SKIPPED]);
    return results[FAILED] > 0;
}
