/* test_groups.c - files of one name a line: equal names get the same number, in order of
 * appearance; refusals. */
#include "support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "data/reader.h"

static enum hinge_status read_groups(struct groups *groups, const char *text, size_t rows,
                                     struct hinge_error *error)
{
    memset(error, 0, sizeof *error);
    return groups_read(groups, scratch_write("test_groups", text, strlen(text)), rows, error);
}

/* Compares with a search through all previous names. */
static void check_names(char (*name)[64], size_t rows)
{
    char *text = malloc(rows * 66 + 1);
    struct hinge_error error;
    struct groups groups;
    size_t length = 0, count = 0;

    assert_non_null(text);
    for (size_t i = 0; i < rows; i++)
        length += (size_t)sprintf(text + length, "%s\n", name[i]);
    text[length] = '\0';
    if (read_groups(&groups, text, rows, &error))
        fail_msg("%s", error.message);
    for (size_t i = 0; i < rows; i++) {
        size_t j = 0;

        while (strcmp(name[j], name[i]) != 0)
            j++;
        if (j == i)
            assert_int_equal(groups.of_row[i], count++);
        assert_int_equal(groups.of_row[i], groups.of_row[j]);
        assert_string_equal(dictionary_text(&groups.names, groups.of_row[i]), name[i]);
    }
    assert_int_equal(groups.names.count, count);
    groups_free(&groups);
    free(text);
}

/* Names have few letters and long common beginnings, so some are the beginning of others, and they
 * differ late. */
static void numbers_every_name(void **unused)
{
    enum { ROWS = 600 };
    static const char *const starts[] = {"", "", "patient-", "a",
                                         "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"};
    static char name[ROWS][64];
    uint64_t state = 1;

    (void)unused;
    for (int n = 0; n < 200; n++) {
        const size_t rows = 1 + draw_below(&state, n % 5 ? 30 : ROWS), letters = 1 + (size_t)n % 4;

        for (size_t i = 0; i < rows; i++) {
            const char *start = starts[draw_below(&state, COUNT(starts))];
            size_t length = (size_t)sprintf(name[i], "%s", start);
            const size_t end = length + 1 + draw_below(&state, 8);

            while (length < end)
                name[i][length++] = "a\xe9z0"[draw_below(&state, letters)];
            name[i][length] = '\0';
        }
        check_names(name, rows);
    }
}

static void numbers_many_names(void **unused)
{
    enum { ROWS = 100000 };
    char *text = malloc(ROWS * 12);
    struct hinge_error error;
    struct groups groups;
    size_t length = 0;

    (void)unused;
    assert_non_null(text);
    for (size_t i = 0; i < ROWS; i++)
        length += (size_t)sprintf(text + length, "g%zu\n", i * 7919 % 50000);
    assert_int_equal(read_groups(&groups, text, ROWS, &error), HINGE_OK);
    assert_int_equal(groups.names.count, 50000);
    for (size_t i = 0; i < ROWS; i++)
        assert_int_equal(groups.of_row[i], i % 50000);
    groups_free(&groups);
    free(text);
}

/* Blanks, comments, empty lines and other line ends change nothing. Upper and lower case differ. */
static void reads_every_layout(void **unused)
{
    static const char *const texts[] = {"x\ny\nx", "x\r\ny\r\nx\r\n", "# w\n\n x # two\n\ty\nx\n",
                                        "\xef\xbb\xbfx\ny\n\nx\n\n"};

    (void)unused;
    for (size_t k = 0; k < COUNT(texts); k++) {
        struct hinge_error error;
        struct groups groups;

        assert_int_equal(read_groups(&groups, texts[k], 3, &error), HINGE_OK);
        assert_true(groups.names.count == 2 && groups.of_row[1] == 1 && groups.of_row[2] == 0);
        assert_string_equal(dictionary_text(&groups.names, 1), "y");
        groups_free(&groups);
    }
}

static void refuses_every_fault_where_it_is(void **unused)
{
    static const struct {
        const char *text, *reason;
    } list[] = {
        {"1 2\n1\n1\n", "1:3: more than a fold name on the line"},
        {"1\n2\n", "3:1: 2 fold names for 3 rows"},
        {"", "1:1: 0 fold names for 3 rows"},
        {"1\n1\n1\n1\n", "4:2: more fold names than the 3 rows"},
        {"1\n1\n\x01\n", "3:1: byte 0x01: this is no text file"},
    };

    (void)unused;
    for (size_t k = 0; k < COUNT(list); k++) {
        struct hinge_error error;
        struct groups groups;
        char message[300];

        assert_int_equal(read_groups(&groups, list[k].text, 3, &error), HINGE_BAD_INPUT);
        snprintf(message, sizeof message, "%s:%s", scratch_path("test_groups"), list[k].reason);
        assert_string_equal(error.message, message);
        groups_free(&groups);
    }
}

static void says_what_file_cannot_be_read(void **unused)
{
    struct hinge_error error = {HINGE_OK, ""};
    struct groups groups;

    (void)unused;
    assert_int_equal(groups_read(&groups, scratch_path("no-such-file"), 3, &error),
                     HINGE_FILE_ERROR);
    assert_non_null(strstr(error.message, "no-such-file"));
    groups_free(&groups);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_every_name),
        cmocka_unit_test(numbers_many_names),
        cmocka_unit_test(reads_every_layout),
        cmocka_unit_test(refuses_every_fault_where_it_is),
        cmocka_unit_test(says_what_file_cannot_be_read),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
