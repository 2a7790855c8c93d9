/* test_guess.c - guesses of the format of a file that is not in LIBSVM's format. */
#include "support.h"

#include <string.h>

#include "data/guess.h"

/* Checks that the text looks like `kind`, or like nothing if kind is NULL. More text may follow it,
 * except if it is whole. */
static void expect_guess(const char *text, int whole, const char *kind)
{
    char guessed[GUESS_LENGTH] = "untouched";
    const enum guess found = guess_format(text, text + strlen(text), whole, guessed);
    const int is_table = kind && strncmp(kind, "a table with ", 13) == 0;
    const int is_data = kind && strncmp(kind, "LIBSVM's format", 15) == 0;

    if (found != (!kind      ? GUESS_NOTHING
                  : is_table ? GUESS_TABLE
                  : is_data  ? GUESS_DATA
                             : GUESS_OTHER) ||
        strncmp(guessed, kind ? kind : "untouched", strlen(kind ? kind : "untouched")) != 0)
        fail_msg("'%.200s' looks like '%s', not '%s'", text, guessed, kind ? kind : "nothing");
}

static void knows_files_by_their_first_bytes(void **unused)
{
    (void)unused;
    expect_guess("\xff\xfe"
                 "1",
                 1, "UTF-16 text");
    expect_guess("\xfe\xff", 1, "UTF-16 text");
    expect_guess("solver_type L2R_LR\n", 1, "a model");
    expect_guess("hinge-map 1\n", 1, "a map of convert");
    expect_guess("solver_typo L2R_LR\n", 1, NULL);
    expect_guess("BZ 1:1\n", 1, NULL);
}

static void knows_arff_and_html_by_their_first_word(void **unused)
{
    (void)unused;
    expect_guess("% a comment\n@RELATION iris\n", 1, "an ARFF file");
    expect_guess("\n \t\r\n# x\n@Relation iris\n", 1, "an ARFF file");
    expect_guess("@attribute a numeric\n", 1, "an ARFF file");
    expect_guess("<!DOCTYPE html>\n", 1, "a web page");
    expect_guess("\n  <HTML>\n", 1, "a web page");
    expect_guess("<!-- x -->\n", 1, NULL);
    expect_guess("@rel\n", 1, NULL);
}

static void knows_json_vw_and_several_labels(void **unused)
{
    (void)unused;
    expect_guess("{\"a\": 1}\n", 1, "JSON: save it as a table");
    expect_guess("\n [\n {\"a\": 1}]\n", 1, "JSON");
    expect_guess("[[1, 2], [3, 4]]\n", 1, "JSON");
    expect_guess("{a}\n", 1, NULL);
    expect_guess("[", 1, NULL);
    expect_guess("1 |f a:1 b:2\n", 1, "Vowpal Wabbit's format");
    expect_guess("-1 2.0 |words a b c\n", 1, "Vowpal Wabbit's format");
    expect_guess("| a b\n", 1, "Vowpal Wabbit's format");
    expect_guess("1 | 2 | 3\n", 1, NULL);
    expect_guess("1,2 1:1\n", 1, "multi-label data: keep one label a row");
    expect_guess("0,5,17  3:0.5 4:1\n", 1, "multi-label data");
    expect_guess("1,2 x\n", 1, "a table with ','");
}

static void knows_libsvm_by_its_pairs(void **unused)
{
    (void)unused;
    expect_guess("+1 1:2 3:0.5 \n-1\n", 1, "LIBSVM's format, which train reads: train FILE");
    expect_guess("# x\n\n2\t7:1", 1, "LIBSVM's format");
    expect_guess("x 1:2\n", 1, NULL);
    expect_guess("1:2 3:4\n", 1, NULL);
    expect_guess("1 1:2 3,5,7\n", 1, "LIBSVM's format");
}

static void knows_tables_by_their_first_line(void **unused)
{
    (void)unused;
    expect_guess("1,2,3\n4,5,6\n", 1, "a table with ',' between columns (CSV)");
    expect_guess("# names\n\nheight,weight\n", 1, "a table with ',' between columns (CSV)");
    expect_guess("1;2,5;3\n", 1, "a table with ';' between columns (CSV)");
    expect_guess("1\t2\t3\n", 1, "a table with tabs between columns");
    expect_guess("1 0.5 -3\n", 1, "a table with blanks between columns");
    expect_guess("1 0.5 -3", 1, "a table with blanks between columns");
    expect_guess("\"a b\",\"12:30:00\"\n", 1,
                 "a table with quoted columns, ',' between them (CSV)");
    expect_guess("1,\"x; y\"\n", 1, "a table with quoted columns, ',' between them (CSV)");
    expect_guess("\"a\";\"b\"\n", 1, "a table with quoted columns, ';' between them (CSV)");
    expect_guess("\"a\"\t\"b\"\n", 1, "a table with quoted columns, tabs between them");
    expect_guess("\"a, b", 1, NULL);
    expect_guess("name\tage\n", 1, "a table with tabs between columns");
    expect_guess("1\t1:x\n", 1, NULL);
    expect_guess("1,2\n", 1, "a table with ',' between columns (CSV): " GUESS_CONVERT);
}

/* A fault in a file in LIBSVM's format must not look like another format. */
static void takes_nothing_for_a_table_that_may_be_libsvm(void **unused)
{
    static const char *const texts[] = {
        "", "\n", "1\n", "1 2\n", "1 x 3\n", "1:2,3:4\n", "1 2:x;3\n", "a b c d e\n", "# 1,2,3\n"};

    (void)unused;
    for (size_t k = 0; k < COUNT(texts); k++)
        expect_guess(texts[k], 1, NULL);
}

/* A line that continues after the text gives no guess, except if it is long. */
static void waits_for_the_end_of_a_short_line(void **unused)
{
    char text[1200];

    (void)unused;
    expect_guess("1,2,3", 0, NULL);
    expect_guess("1,2,3", 1, "a table with ','");
    for (size_t k = 0; k < sizeof text - 1; k++)
        text[k] = k % 2 ? ',' : '7';
    text[sizeof text - 1] = '\0';
    expect_guess(text, 0, "a table with ','");
    text[900] = '\0';
    expect_guess(text, 0, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(knows_files_by_their_first_bytes),
        cmocka_unit_test(knows_arff_and_html_by_their_first_word),
        cmocka_unit_test(knows_json_vw_and_several_labels),
        cmocka_unit_test(knows_libsvm_by_its_pairs),
        cmocka_unit_test(knows_tables_by_their_first_line),
        cmocka_unit_test(takes_nothing_for_a_table_that_may_be_libsvm),
        cmocka_unit_test(waits_for_the_end_of_a_short_line),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
