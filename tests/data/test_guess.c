/* test_guess.c - what a file is taken for that is not in LIBSVM's format. */
#include "support.h"

#include <string.h>

#include "data/guess.h"

/* The text, of which more may follow unless it is whole, looks like kind; NULL: like nothing. */
static void expect_guess(const char *text, int whole, const char *kind)
{
    char guessed[GUESS_LENGTH] = "untouched";
    const int found = guess_format(text, text + strlen(text), whole, guessed);

    if (found != (kind != NULL) ||
        strncmp(guessed, kind ? kind : "untouched", strlen(kind ? kind : "untouched")) != 0)
        fail_msg("'%.200s' looks like '%s', not '%s'", text, guessed, kind ? kind : "nothing");
}

static void knows_files_by_their_first_bytes(void **unused)
{
    (void)unused;
    expect_guess("\x1f\x8b\x08", 1, "data compressed by gzip: try zcat");
    expect_guess("BZh91AY", 1, "data compressed by bzip2: try bzcat");
    expect_guess("\xfd\x37zXZ", 1, "data compressed by xz: try xzcat");
    expect_guess("(\xb5/\xfd", 1, "data compressed by zstd: try zstdcat");
    expect_guess("PK\3\4", 1, "a zip archive: try unzip");
    expect_guess("\xff\xfe"
                 "1",
                 1, "UTF-16 text");
    expect_guess("\xfe\xff", 1, "UTF-16 text");
    expect_guess("solver_type L2R_LR\n", 1, "a model");
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

static void knows_tables_by_their_first_line(void **unused)
{
    (void)unused;
    expect_guess("1,2,3\n4,5,6\n", 1, "a table with ',' between columns (CSV)");
    expect_guess("# names\n\nheight,weight\n", 1, "a table with ',' between columns (CSV)");
    expect_guess("1;2,5;3\n", 1, "a table with ';' between columns (CSV)");
    expect_guess("1\t2\t3\n", 1, "a table with tabs between columns");
    expect_guess("1 0.5 -3\n", 1, "a table with blanks between columns");
    expect_guess("1 0.5 -3", 1, "a table with blanks between columns");
}

/* A fault in a file of LIBSVM's format is that, not another format. */
static void takes_nothing_for_a_table_that_may_be_libsvm(void **unused)
{
    static const char *const texts[] = {
        "",          "\n",        "1\n",       "1 2\n",        "1 x 3\n",     "1 1:2 3,5,7\n",
        "1,2 1:3\n", "1:2,3:4\n", "1 2:x;3\n", "+1 1:0.5 2\n", "a b c d e\n", "# 1,2,3\n"};

    (void)unused;
    for (size_t k = 0; k < COUNT(texts); k++)
        expect_guess(texts[k], 1, NULL);
}

/* A line that goes on after the text tells nothing, unless it is long. */
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
        cmocka_unit_test(knows_tables_by_their_first_line),
        cmocka_unit_test(takes_nothing_for_a_table_that_may_be_libsvm),
        cmocka_unit_test(waits_for_the_end_of_a_short_line),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
