/* test_table.c - compares records of tables with a reader that goes character by character. */
#include "support.h"

#include <stdlib.h>
#include <string.h>

#include "data/table.h"
#include "slow_table.h"

/* ---- Reading a table --------------------------------------------------- */

struct read {
    char *text; /* in the form of slow_table; NULL: refused */
    char separator;
    struct hinge_error error;
};

struct text {
    char *text;
    size_t length, capacity;
};

static void append(struct text *to, const char *more, size_t count, char behind)
{
    if (to->capacity < to->length + count + 2) {
        to->capacity = 2 * to->capacity + count + 2;
        to->text = realloc(to->text, to->capacity);
        assert_non_null(to->text);
    }
    memcpy(to->text + to->length, more, count);
    to->length += count;
    to->text[to->length++] = behind;
    to->text[to->length] = '\0';
}

/* Reads all records. With `twice`, reads them once more and compares. */
static struct read read_table(const char *path, char separator, int decimal_comma, int twice)
{
    struct read result = {NULL, 0, {HINGE_OK, "untouched"}};
    struct table table;
    int found = -1;

    for (int pass = 0; pass <= twice; pass++) {
        struct text text = {calloc(64, 1), 0, 64};

        assert_non_null(text.text);
        if (pass == 0 ? table_open(&table, path, separator, decimal_comma, &result.error) ||
                            (twice && source_keep(&table.source, &result.error))
                      : table_rewind(&table, &result.error))
            found = -1;
        else
            found = 1;
        while (found > 0 && (found = table_next(&table, &result.error)) > 0) {
            for (size_t k = 0; k < table.fields; k++)
                append(&text, table.field[k].text, table.field[k].length, '\1');
            append(&text, "", 0, '\2');
        }
        if (found == 0)
            assert_int_equal(table_next(&table, &result.error), 0); /* the end comes again */
        if (found == 0 && result.text)
            assert_string_equal(result.text, text.text);
        result.separator = table.separator;
        free(result.text);
        result.text = text.text;
        if (found < 0)
            break;
    }
    if (found < 0) {
        assert_int_not_equal(result.error.status, HINGE_OK);
        assert_null(strchr(result.error.message, '\n'));
        free(result.text);
        result.text = NULL;
    }
    table_close(&table);
    return result;
}

static const char *write_text(const char *bytes, size_t length)
{
    return scratch_write("table", bytes, length);
}

/* Checks that the text has the records "a|b;c|d;", or is refused with "LINE:COLUMN: reason". */
static void expect(const char *bytes, size_t length, char separator, const char *expected)
{
    const char *path = write_text(bytes, length);

    for (int twice = 0; twice <= 1; twice++) {
        struct read read = read_table(path, separator, 0, twice);
        char message[1100];

        if (read.text) {
            for (char *p = read.text; *p; p++)
                *p = *p == '\1' ? '|' : *p == '\2' ? ';' : *p;
            assert_string_equal(read.text, expected);
        } else {
            snprintf(message, sizeof message, "%s:%s", path, expected);
            assert_string_equal(read.error.message, message);
            assert_int_equal(read.error.status, HINGE_BAD_INPUT);
        }
        free(read.text);
    }
}

#define EXPECT(literal, separator, expected)                                                       \
    expect(literal, sizeof literal - 1, separator, expected)

/* ---- Tests ------------------------------------------------------------- */

static void reads_fields_quotes_and_line_ends(void **unused)
{
    (void)unused;
    EXPECT("", ',', "");
    EXPECT("\n\r\n \n", ',', "");
    EXPECT("a,b\nc,d\n", ',', "a|b|;c|d|;");
    EXPECT("a,b\r\nc,d", ',', "a|b|;c|d|;");
    EXPECT("a,b\rc,d\r", ',', "a|b|;c|d|;");
    EXPECT("\xef\xbb\xbf"
           "a,b\n\n\nc,d\n\n",
           ',', "a|b|;c|d|;");
    EXPECT("a,,\n,,\n,b,c\n", ',', "a|||;|||;|b|c|;");
    EXPECT(" a , b\t,c \n", ',', "a|b|c|;");
    EXPECT("\"a\",\"b,\nc\" , \"d \"\"e\"\"\"\n", ',', "a|b,\nc|d \"e\"|;");
    EXPECT("\"\"\n\"\"\"\"\n", ',', "|;\"|;");
    EXPECT("5\" pipe,a\"b\n", ',', "5\" pipe|a\"b|;");
    EXPECT("a\tb c\t\n", '\t', "a|b c||;");
    EXPECT("\t\t\n", '\t', "|||;");
    EXPECT("  a  b\t\"c d\"  \n1 2 3\n", ' ', "a|b|c d|;1|2|3|;");
    EXPECT("a|b;c\n", ';', "a|b|c|;");
    EXPECT("a,b\nc,d,\n1,2,,,\n", ',', "a|b|;c|d|;1|2|;");
    EXPECT("sep=;\na;b\n", ',', "a|b|;");
    EXPECT("\"sep=|\"\r\na|b\r\n", ',', "a|b|;");
    EXPECT("sep=:\n1\n", ',', "sep=:|;1|;");
    EXPECT("sep=;x\n1\n", ',', "sep=;x|;1|;");
    EXPECT("a \"b\", c\r\n\n \"d\te\t\nsep=;", TABLE_LINES, "a \"b\", c|;|;\"d\te|;sep=;|;");
    EXPECT("__label__x a b\n__label__y\n\nc\n", TABLE_LINES, "x|a b|;y||;||;|c|;");
}

static void says_where_a_table_is_wrong(void **unused)
{
    (void)unused;
    EXPECT("a,b\nc\n", ',', "2:1: 1 column where the first line has 2");
    EXPECT("a,b\n\nc,d,e\n", ',', "3:5: 3 columns where the first line has 2");
    EXPECT("a,b\r\n\"c\nx\",d,e\n", ',', "3:6: 3 columns where the first line has 2");
    EXPECT("a,b\rc,\"d\n", ',', "2:3: no quote ends the text that this one begins");
    EXPECT("a,\"b\"c\n", ',',
           "1:6: text after a quoted field; a quote inside one must stand there twice");
    EXPECT("a,\0b\n", ',', "1:3: NUL byte");
    EXPECT("a,\"b\0c\"\n", ',', "1:5: NUL byte");
    EXPECT("a,b\nx,\002y\n", ',', "2:3: byte 0x02: this is no text file");
    EXPECT("a\n __label__x b\n", TABLE_LINES, "2:13: 2 columns where the first line has 1");
    EXPECT("__label__x __label__y a\n", TABLE_LINES,
           "1:12: a second label; a row can have only one");
    EXPECT("{\"a\": \001", ',',
           "1:7: byte 0x01: this is no text file; the file looks like JSON: save "
           "it as a table (CSV), which convert reads");
}

static void sees_the_separator(void **unused)
{
    static const struct {
        const char *text;
        char separator;
        int decimal_comma;
    } cases[] = {{"a\tb,c;d|e\n", '\t', 0},
                 {"a;b,c|d\n", ';', 0},
                 {"a,b|c d\n", ',', 0},
                 {"a|b c\n", '|', 0},
                 {"a b\n", ' ', 0},
                 {"a\n1,2\n", ' ', 0},
                 {"\"a;b\",c\n", ',', 0},
                 {"\"a\tb\nc;d\",e", ',', 0},
                 {"\n\n  \na,b\n", ',', 0},
                 {"\ta\n1\t2\n", '\t', 0},
                 {"5\",6\n7,\"\"\n", ',', 0},
                 {"1;5,1;3,5\n", ';', 0},
                 {"1,5 0\n", ' ', 1},
                 {"1,5|0\n", '|', 1},
                 {"1,5\t0;2\n", '\t', 1},
                 {"1,5\n", ' ', 1},
                 {"a,b\n", ',', 1},
                 {"\"1,5\",2\n", ',', 1},
                 {"0,1,\"1,5\"\n", ',', 1},
                 {"sep=|\na;b\n", '|', 0},
                 {"__label__x a,b\n", TABLE_LINES, 0},
                 {"__label_x a,b\n", ',', 0}};

    (void)unused;
    for (size_t k = 0; k < COUNT(cases); k++) {
        struct read read = read_table(write_text(cases[k].text, strlen(cases[k].text)), 0,
                                      cases[k].decimal_comma, 0);

        if (read.separator != cases[k].separator)
            fail_msg("'%s': separator '%c'", cases[k].text, read.separator);
        free(read.text);
    }
}

/* Returns the width that a survey finds. It is negative if the first line lacks the name of the
 * first column. */
static int survey(const char *text, size_t least)
{
    struct hinge_error error;
    struct table table;
    int width;

    assert_int_equal(table_open(&table, write_text(text, strlen(text)), ',', 0, &error), HINGE_OK);
    assert_int_equal(table_survey(&table, least, 1, &error), HINGE_OK);
    assert_int_equal(table_next(&table, &error), 1);
    assert_int_equal(table.fields, table.width);
    assert_true(!table.row_names || table.field[0].length == 0);
    width = (int)table.width * (table.row_names ? -1 : 1);
    table_close(&table);
    return width;
}

static void surveys_its_first_records(void **unused)
{
    (void)unused;
    assert_int_equal(survey("a,b\n", 0), 2);
    assert_int_equal(survey("a,b,\n", 0), 3);       /* one record proves nothing */
    assert_int_equal(survey("a,b,\n1,2,\n", 0), 2); /* a separator at the end of each line */
    assert_int_equal(survey("a,b,,\n1,2\n3,4,\n", 0), 2);
    assert_int_equal(survey("a,b\n1,2,\n", 0), 2);
    assert_int_equal(survey("a,b,\n1,2,\n3,4,5\n", 0), 3);
    assert_int_equal(survey("a,b,\n1,2,\n", 3), 3); /* a map knows three columns */
    assert_int_equal(survey("a,b\nx,1,2\ny,3,4\n", 0), -3);
    assert_int_equal(survey("\"a\"\n\"1\",2\n", 0), -2);
    assert_int_equal(survey("1,2\nx,1,2\n", 0), 2); /* numbers are no names */
    assert_int_equal(survey("a,b\nx,1,2\ny,3\n", 0), 2);
}

/* Texts are random sequences of pieces that have a meaning for the reader. */
static void agrees_with_a_slow_reader(void **unused)
{
    static const char *const pieces[] = {
        ",",  ",", ",", "\n", "\r",    "\r\n",     "\"",           "\"\"",      " ",
        "\t", ";", "a", "1",  "\"x\"", "\"y,\n\"", "\xef\xbb\xbf", "__label__", "\001"};
    static const char separators[] = {',', '\t', ' ', ';', TABLE_LINES};
    uint64_t random = 3;
    size_t refused = 0;

    (void)unused;
    for (int n = 0; n < 6000; n++) {
        const char separator = separators[draw_below(&random, COUNT(separators))];
        const size_t count = draw_below(&random, 14);
        char bytes[160] = "", *expected;
        struct read read;

        for (size_t k = 0; k < count; k++)
            strcat(bytes, pieces[draw_below(&random, COUNT(pieces) - (n % 4 != 0))]);
        expected = slow_table(bytes, strlen(bytes), separator);
        read = read_table(write_text(bytes, strlen(bytes)), separator, 0, n % 2);
        if ((read.text != NULL) != (expected != NULL) ||
            (expected && strcmp(read.text, expected) != 0))
            fail_msg("'%s' by '%c': '%s', not '%s'", bytes, separator,
                     read.text ? read.text : read.error.message, expected ? expected : "refused");
        refused += expected == NULL;
        free(read.text);
        free(expected);
    }
    assert_in_range(refused, 1000, 5000);
}

/* Records cross the ends of the buffer at each of their characters. Some are larger than the
 * buffer. */
static void reads_records_across_chunks(void **unused)
{
    enum { CHUNK = 1 << 17, LARGE = 5 << 17, LONG = 3 << 20 };
    char *bytes = malloc(LARGE + 100);

    (void)unused;
    assert_non_null(bytes);
    for (size_t shift = 0; shift < 24; shift++) {
        static const char tail[] = "\r\n\"b \"\"c\"\",\",2\r\n3,4\r\n";
        const size_t length = CHUNK - 24 + shift;
        char *expected;
        struct read read;

        memset(bytes, 'a', length);
        bytes[length / 2] = ',';
        memcpy(bytes + length, tail, sizeof tail);
        expected = slow_table(bytes, length + sizeof tail - 1, ',');
        assert_non_null(expected);
        read = read_table(write_text(bytes, length + sizeof tail - 1), ',', 0, shift % 2);
        assert_non_null(read.text);
        assert_string_equal(read.text, expected);
        free(read.text);
        free(expected);
    }
    memset(bytes, '1', LARGE);
    for (size_t k = 1; k < LARGE; k += 2)
        bytes[k] = ',';
    bytes[LARGE - 1] = '\n';
    strcpy(bytes + LARGE, "1,2\n");
    {
        struct read read = read_table(write_text(bytes, LARGE + 4), 0, 0, 1);
        char *message =
            strstr(read.error.message, ":2:3: 2 columns where the first line has 327680");

        assert_null(read.text);
        assert_non_null(message);
    }
    memset(bytes, 'x', LARGE);
    bytes[0] = '"';
    {
        struct read read = read_table(write_text(bytes, LARGE), 0, 0, 0);

        assert_null(read.text);
        assert_non_null(strstr(read.error.message, ":1:1: no quote ends the text"));
    }
    bytes = realloc(bytes, LONG + 8);
    assert_non_null(bytes);
    memset(bytes, 'x', LONG);
    bytes[0] = '"';
    strcpy(bytes + LONG, "\",1\n");
    {
        struct read read = read_table(write_text(bytes, LONG + 4), 0, 0, 0);

        assert_non_null(read.text);
        assert_int_equal(strlen(read.text), LONG - 1 + 4);
        free(read.text);
    }
    free(bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_fields_quotes_and_line_ends),
        cmocka_unit_test(says_where_a_table_is_wrong),
        cmocka_unit_test(sees_the_separator),
        cmocka_unit_test(surveys_its_first_records),
        cmocka_unit_test(agrees_with_a_slow_reader),
        cmocka_unit_test(reads_records_across_chunks),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
