/* test_status.c - messages of errors. */
#include "support.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#undef fail /* cmocka's, which takes no arguments; status.h has its own */
#include "base/output.h"
#include "base/status.h"

static void cuts_messages_that_do_not_fit(void **unused)
{
    struct {
        struct hinge_error error;
        char behind[16];
    } it;
    char text[3000];

    (void)unused;
    memset(text, 'x', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    memset(it.behind, '!', sizeof it.behind);
    assert_int_equal(fail(&it.error, HINGE_BAD_INPUT, "%s%d", text, 1), HINGE_BAD_INPUT);
    assert_int_equal(it.error.status, HINGE_BAD_INPUT);
    assert_int_equal(strlen(it.error.message), sizeof it.error.message - 1);
    assert_memory_equal(it.behind, "!!!!!!!!!!!!!!!!", sizeof it.behind);
    assert_int_equal(fail(&it.error, HINGE_NO_MEMORY, "%s: %d", "short", 7), HINGE_NO_MEMORY);
    assert_string_equal(it.error.message, "short: 7");
    errno = ENOSPC;
    assert_int_equal(fail_file(&it.error, "write", "some/file"), HINGE_FILE_ERROR);
    snprintf(text, sizeof text, "cannot write some/file: %s", strerror(ENOSPC));
    assert_string_equal(it.error.message, text);
    errno = 0;
    fail_file(&it.error, "read", "f");
    assert_string_equal(it.error.message, "cannot read f: input/output error");
}

static void messages_are_one_line(void **unused)
{
    struct hinge_error error;
    char text[3000];

    (void)unused;
    error_fill(&error, HINGE_BAD_ARGUMENT, "'%s'", "a\nb\t\177\001\351\\");
    assert_string_equal(error.message, "'a\\012b\\011\\177\\001\351\\'");
    for (size_t length = sizeof error.message - 6; length < sizeof error.message; length++) {
        memset(text, 'x', length);
        strcpy(text + length, "\n");
        error_fill(&error, HINGE_BAD_ARGUMENT, "%s", text);
        assert_int_equal(strlen(error.message),
                         length + (length + 4 < sizeof error.message ? 4 : 0));
    }
}

static void errors_are_made_and_read_without_their_layout(void **unused)
{
    struct hinge_error *error = hinge_error_new();

    (void)unused;
    assert_non_null(error);
    assert_int_equal(hinge_error_status(error), HINGE_OK);
    assert_string_equal(hinge_error_message(error), "");
    assert_int_equal(fail(error, HINGE_BAD_INPUT, "row %d", 3), HINGE_BAD_INPUT);
    assert_int_equal(hinge_error_status(error), HINGE_BAD_INPUT);
    assert_string_equal(hinge_error_message(error), "row 3");
    hinge_error_free(error);
    hinge_error_free(NULL);
    assert_string_equal(hinge_version(), HINGE_VERSION);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cuts_messages_that_do_not_fit),
        cmocka_unit_test(messages_are_one_line),
        cmocka_unit_test(errors_are_made_and_read_without_their_layout),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
