/* test_weights.c - files of one weight a line: weights are read bit for bit; refusals. */
#include "support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static double *read_weights(const char *text, size_t rows, struct hinge_error *error)
{
    memset(error, 0, sizeof *error);
    return hinge_weights_read(scratch_write("test_weights", text, strlen(text)), rows, error);
}

static void reads_every_bit(void **unused)
{
    enum { ROWS = 5000 };
    char *text = malloc(ROWS * 40);
    double written[ROWS], *read;
    struct hinge_error error;
    uint64_t state = 1;
    size_t length = 0;

    (void)unused;
    assert_non_null(text);
    for (size_t i = 0; i < ROWS; i++) {
        written[i] = i % 7 ? random_unit(&state) * (i % 3 ? 1 : 1e-200) : (double)(i % 5);
        length += (size_t)sprintf(text + length, "%.17g\n", written[i]);
    }
    read = read_weights(text, ROWS, &error);
    if (!read)
        fail_msg("%s", error.message);
    assert_memory_equal(read, written, sizeof written);
    free(read);
    free(text);
}

/* Blanks, comments, empty lines and other ends of lines change nothing. */
static void reads_every_layout(void **unused)
{
    static const char *const texts[] = {"2\n1\n0.5", "2\r\n1\r\n0.5\r\n",
                                        "# w\n\n2 # two\n\t1\n5e-1\n",
                                        "\xef\xbb\xbf+2.0\n1\n\n.5\n\n"};
    static const double expected[] = {2, 1, 0.5};

    (void)unused;
    for (size_t k = 0; k < COUNT(texts); k++) {
        struct hinge_error error;
        double *weight = read_weights(texts[k], 3, &error);

        if (!weight)
            fail_msg("%s", error.message);
        assert_memory_equal(weight, expected, sizeof expected);
        free(weight);
    }
}

static void refuses_every_fault_where_it_is(void **unused)
{
    static const struct {
        const char *text, *reason;
    } list[] = {
        {"1\nx\n1\n", "2:1: weight 'x' is not a number"},
        {"1\n1\nnan\n", "3:1: weight 'nan' is not a finite number"},
        {"1\n1e999\n1\n", "2:1: weight '1e999' is beyond the largest double"},
        {"1\n-2\n1\n", "2:3: the weight is negative"},
        {"1 2\n1\n1\n", "1:3: more than a weight on the line"},
        {"1\n2\n", "3:1: 2 weights for 3 rows"},
        {"", "1:1: 0 weights for 3 rows"},
        {"1\n1\n1\n1\n", "4:2: more weights than the 3 rows"},
        {"0\n0\n-0\n", "1:1: all weights are 0"},
        {"1\n1\n\x01\n", "3:1: byte 0x01: this is no text file"},
    };

    (void)unused;
    for (size_t k = 0; k < COUNT(list); k++) {
        struct hinge_error error;
        char message[300];

        assert_null(read_weights(list[k].text, 3, &error));
        assert_int_equal(error.status, HINGE_BAD_INPUT);
        snprintf(message, sizeof message, "%s:%s", scratch_path("test_weights"), list[k].reason);
        assert_string_equal(error.message, message);
    }
}

static void says_what_file_cannot_be_read(void **unused)
{
    struct hinge_error error = {HINGE_OK, ""};

    (void)unused;
    assert_null(hinge_weights_read(scratch_path("no-such-file"), 3, &error));
    assert_int_equal(error.status, HINGE_FILE_ERROR);
    assert_non_null(strstr(error.message, "no-such-file"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_every_bit),
        cmocka_unit_test(reads_every_layout),
        cmocka_unit_test(refuses_every_fault_where_it_is),
        cmocka_unit_test(says_what_file_cannot_be_read),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
