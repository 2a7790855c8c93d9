/* test_notes.c - lines of a model's record: added, found, written and read back. */
#include "models.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HEAD "solver_type L2R_LR\nnr_class 2\nlabel 1 2\nnr_feature 1\nbias -1\nw\n0.5 \n"

static void expect_note(const struct hinge_model *model, size_t k, const char *key,
                        const char *value)
{
    assert_true(k < model->notes);
    assert_string_equal(model->note[k].key, key);
    assert_string_equal(model->note[k].value, value);
}

static void test_lines_of_the_record_are_notes(void **state)
{
    struct hinge_model *model = read_text(HEAD "# C 1\n#lambda\t0.5 \r\n# a  b  c \n#\n# \n##\n"
                                               "# empty\n  # last one");

    (void)state;
    assert_int_equal(model->notes, 6);
    expect_note(model, 0, "C", "1");
    expect_note(model, 1, "lambda", "0.5");
    expect_note(model, 2, "a", "b  c");
    expect_note(model, 3, "#", "");
    expect_note(model, 4, "empty", "");
    expect_note(model, 5, "last", "one");
    assert_string_equal(hinge_model_note(model, "a"), "b  c");
    assert_string_equal(hinge_model_note(model, "empty"), "");
    assert_null(hinge_model_note(model, "b"));
    assert_null(hinge_model_note(model, ""));
    hinge_model_free(model);
}

/* A value that has a field of its own is not a note, and is written once. */
static void test_fields_are_no_notes(void **state)
{
    struct hinge_model *model = read_text(HEAD "# zero_based 1\n# sigmoid -1 2\n# sigmoid 3 4\n");
    size_t length;
    char *text;

    (void)state;
    assert_int_equal(model->notes, 1);
    expect_note(model, 0, "sigmoid", "3 4");
    text = written(model, "test_notes.text", &length);
    assert_string_equal(text, HEAD "# zero_based 1\n# sigmoid -1 2\n# sigmoid 3 4\n");
    free(text);
    hinge_model_free(model);
    model = read_text(HEAD "# zero_based 0\n# zero_based\n# zero_based indices: no\n");
    assert_int_equal(model->zero_based, 0);
    assert_int_equal(model->notes, 3);
    expect_note(model, 0, "zero_based", "0");
    hinge_model_free(model);
}

/* The lines of a map are never notes, and their blanks stay. */
static void test_a_map_is_kept_as_it_is(void **state)
{
    static const char map[] = "# map hinge-map 3\n# map class 1  a b  \n# map \n# map end \\n\n";
    static const char other[] = "# map of the world\n# mapped 1\n# C 1\n";
    char all[300];
    struct hinge_model *model;
    size_t length;
    char *text;

    (void)state;
    snprintf(all, sizeof all, HEAD "%s%s", other, map);
    model = read_text(all);
    assert_int_equal(model->notes, 3);
    text = written(model, "test_notes.text", &length);
    assert_string_equal(text, all);
    free(text);
    model->is_bare = 1;
    text = written(model, "test_notes.text", &length);
    snprintf(all, sizeof all, HEAD "%s", map);
    assert_string_equal(text, all);
    free(text);
    hinge_model_free(model);
}

/* A model that is read and written gives the same file, with lines of any length. */
static void test_what_is_read_is_written(void **state)
{
    enum { LONG = 300000 };
    char *text = malloc(LONG + 1000), *back, *p = text;
    struct hinge_model *model;
    size_t length;

    (void)state;
    assert_non_null(text);
    p += sprintf(p, HEAD "# solver softmax\n# steps 12\n# long ");
    for (size_t k = 0; k < LONG; k++)
        *p++ = (char)('a' + k % 26);
    p += sprintf(p, "\n");
    for (int k = 0; k < 40; k++)
        p += sprintf(p, "# key%d value %d\n", k, k);
    model = read_bytes(text, (size_t)(p - text), &(struct hinge_error){HINGE_OK, ""});
    assert_non_null(model);
    assert_true(model->steps == 12);
    assert_int_equal(strlen(hinge_model_note(model, "long")), LONG);
    assert_string_equal(hinge_model_note(model, "key39"), "value 39");
    back = written(model, "test_notes.text", &length);
    assert_string_equal(back, text);
    free(back);
    free(text);
    hinge_model_free(model);
}

static void test_notes_are_added_and_changed(void **state)
{
    static struct sample sample;
    struct hinge_error error = {HINGE_OK, ""};
    struct hinge_model *model = read_text(HEAD "# C 1\n");
    char key[32], *text;
    size_t length;

    (void)state;
    for (int k = 0; k < 100; k++) {
        snprintf(key, sizeof key, "key%d", k);
        assert_int_equal(hinge_model_add_note(model, key, "", &error), HINGE_OK);
    }
    assert_int_equal(hinge_model_add_note(model, "C", "another one", &error), HINGE_OK);
    assert_int_equal(hinge_model_add_note(model, "key99", "2 3", &error), HINGE_OK);
    assert_int_equal(model->notes, 101);
    expect_note(model, 0, "C", "another one");
    expect_note(model, 1, "key0", "");
    expect_note(model, 100, "key99", "2 3");
    hinge_model_free(model);

    /* the notes of a trained model follow its record */
    sample_draw(&sample, 2, 3, -1, 1);
    sample_record(&sample, 1);
    sample.model.rows = 17;
    sample.model.class_weight = (double[]){0.5, 2};
    sample.model.balanced = sample.model.row_weighted = 1;
    assert_int_equal(hinge_model_add_note(&sample.model, "data", "d e", &error), HINGE_OK);
    text = written(&sample.model, "test_notes.text", &length);
    assert_non_null(strstr(text, "\n# rows 17\n# class_weights 0.5 2\n# balanced 1\n"
                                 "# row_weights 1\n# outcome "));
    assert_string_equal(strrchr(text, '#'), "# data d e\n");
    free(text);
    free(sample.model.note->key);
    free(sample.model.note);
}

static void test_what_would_break_the_file_is_refused(void **state)
{
    static const char *const keys[] = {"",      "a b",     "a\tb",       "a\n",    " a",    "a\r",
                                       "a\177", "sigmoid", "zero_based", "solver", "steps", "map"};
    static const char *const values[] = {"a\nb", "\n", "a\rb", "\t", "\001", "\177"};
    struct hinge_model *model = read_text(HEAD "# C 1\n");

    (void)state;
    for (size_t k = 0; k < COUNT(keys) + COUNT(values); k++) {
        struct hinge_error error = {HINGE_OK, ""};
        const int is_key = k < COUNT(keys);

        assert_int_equal(hinge_model_add_note(model, is_key ? keys[k] : "C",
                                              is_key ? "" : values[k - COUNT(keys)], &error),
                         HINGE_BAD_ARGUMENT);
        assert_int_equal(error.status, HINGE_BAD_ARGUMENT);
        assert_null(strpbrk(error.message, "\n\r\t\001\177"));
        assert_int_equal(model->notes, 1);
        expect_note(model, 0, "C", "1");
    }
    hinge_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lines_of_the_record_are_notes),
        cmocka_unit_test(test_fields_are_no_notes),
        cmocka_unit_test(test_a_map_is_kept_as_it_is),
        cmocka_unit_test(test_what_is_read_is_written),
        cmocka_unit_test(test_notes_are_added_and_changed),
        cmocka_unit_test(test_what_would_break_the_file_is_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
