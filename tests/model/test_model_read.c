/* test_model_read.c - reads LIBLINEAR's model format: accepted files, refusals and their
 * places, hostile files. */
#define _XOPEN_SOURCE 700 /* RLIMIT_AS */
#include "models.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

/* ---- Models of other programs ---------------------------------------------- */

#define HEADER    "solver_type L2R_L1LOSS_SVC_DUAL\nnr_class 2\nlabel 1 -1\nnr_feature 2\nbias -1\n"
#define ONE_CLASS "solver_type ONECLASS_SVM\nnr_class 2\nnr_feature 2\n"
#define PLAIN     HEADER "w\n0.25 \n-3 \n"

static void expect_plain(struct hinge_model *model)
{
    static const double label[] = {1, -1}, weight[] = {0.25, -3};

    assert_true(model->classes == 2 && model->columns == 1 && model->features == 2);
    assert_true(model->bias == -1 && model->zero_based == 0);
    assert_true(same_bits(model->label, label, 2) && same_bits(model->weight, weight, 2));
    assert_string_equal(model->solver_type, "L2R_L1LOSS_SVC_DUAL");
    hinge_model_free(model);
}

/* The keys of the header come in all 120 orders. The only order refused is label before
 * nr_class. */
static void test_header_keys_come_in_any_order(void **state)
{
    static const char *const lines[] = {"solver_type L2R_L1LOSS_SVC_DUAL\n", "nr_class 2\n",
                                        "label 1 -1\n", "nr_feature 2\n", "bias -1\n"};
    int accepted = 0, refused = 0;

    (void)state;
    for (int code = 0; code < 3125; code++) {
        int order[5], used = 0, place[5];
        struct hinge_error error;
        struct hinge_model *model;
        char text[256] = "";

        for (int k = 0, rest = code; k < 5; k++, rest /= 5) {
            order[k] = rest % 5;
            used |= 1 << order[k];
            place[order[k]] = k;
        }
        if (used != 31)
            continue;
        for (int k = 0; k < 5; k++)
            strcat(text, lines[order[k]]);
        strcat(text, "w\n0.25 \n-3 \n");
        model = read_bytes(text, strlen(text), &error);
        assert_int_equal(model != NULL, place[1] < place[2]);
        if (model)
            expect_plain(model);
        else
            assert_non_null(strstr(error.message, ": label before nr_class"));
        accepted += place[1] < place[2];
        refused += place[1] > place[2];
    }
    assert_true(accepted == 60 && refused == 60);
}

/* Any white space separates words, as in fscanf. */
static void test_layout_does_not_matter(void **state)
{
    (void)state;
    expect_plain(read_text(PLAIN));
    expect_plain(read_text("solver_type L2R_L1LOSS_SVC_DUAL\r\nnr_class 2\r\nlabel 1 -1 \r\n"
                           "nr_feature 2\r\nbias -1\r\nw\r\n0.25 \r\n-3 \r\n"));
    expect_plain(read_text("\n\n solver_type\n\tL2R_L1LOSS_SVC_DUAL nr_class 2 label\n1\n-1 "
                           "nr_feature 2 bias -1 w 0.25 -3"));
    expect_plain(read_text(HEADER "w\n+2.5e-1\t\t-0003.000\n\n\n \t"));
    expect_plain(read_text(PLAIN "# any thing\n#\n#x\n\n# primal nan \n# last"));
    expect_plain(read_text("\xef\xbb\xbf" PLAIN));
    expect_plain(read_text(HEADER "w\n0.25 \n-3# directly behind\r\n"));
}

static void test_all_classifiers_of_liblinear_are_read(void **state)
{
    static const char *const names[] = {
        "L2R_LR", "L2R_L2LOSS_SVC_DUAL", "L2R_L2LOSS_SVC", "L2R_L1LOSS_SVC_DUAL", "L1R_L2LOSS_SVC",
        "L1R_LR", "L2R_LR_DUAL"};

    (void)state;
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        struct hinge_model *model;
        char text[256];

        snprintf(text, sizeof text,
                 "solver_type %s\nnr_class 2\nlabel 5 9\nnr_feature 1\nbias 2\nw\n1 \n3 \n",
                 names[k]);
        model = read_text(text);
        assert_string_equal(model->solver_type, names[k]);
        assert_true(model->columns == 1 && model->bias == 2 && model->weight[1] == 3);
        hinge_model_free(model);
    }
}

/* Crammer and Singer's models have a column for each class, even for two. A model may have one
 * class. */
static void test_columns_follow_type_and_classes(void **state)
{
    struct hinge_model *model = read_text("solver_type MCSVM_CS\nnr_class 2\nlabel 5 9\n"
                                          "nr_feature 2\nbias -1\nw\n1 2 \n3 4 \n");

    (void)state;
    assert_true(model->classes == 2 && model->columns == 2);
    assert_true(model->weight[1] == 2 && model->weight[3] == 4);
    hinge_model_free(model);
    model =
        read_text("solver_type L2R_LR\nnr_class 1\nlabel 5\nnr_feature 2\nbias -1\nw\n1 \n3 \n");
    assert_true(model->classes == 1 && model->columns == 1 && model->weight[1] == 3);
    assert_int_equal(hinge_decide(model, (double[]){-1}), 0);
    hinge_model_free(model);
    model = read_text("solver_type MCSVM_CS\nnr_class 1\nlabel 5\nnr_feature 0\nbias 1\nw\n7 \n");
    assert_true(model->columns == 1 && model->weight[0] == 7);
    hinge_model_free(model);
}

/* ---- Refusals ------------------------------------------------------------ */

/* A text that must be refused at line:column (0: any line, any column) for a reason with these
 * words. */
struct refusal {
    const char *text;
    unsigned line, column;
    const char *reason;
};

static void expect_refusal(const void *bytes, size_t length, unsigned line, unsigned column,
                           const char *reason)
{
    struct hinge_error error;
    struct hinge_model *model = read_bytes(bytes, length, &error);
    char place[300];

    keep_seed("model", bytes, length);
    if (model)
        fail_msg("read, not refused as '%s': %s", reason, (const char *)bytes);
    snprintf(place, sizeof place, "%s:", read_from());
    if (line)
        snprintf(place + strlen(place), 32, "%u:", line);
    if (column)
        snprintf(place + strlen(place), 32, "%u: ", column);
    if (error.status != HINGE_BAD_INPUT || strncmp(error.message, place, strlen(place)) != 0 ||
        !strstr(error.message, reason) || strchr(error.message, '\n'))
        fail_msg("expected '%s' and '%s', got %d '%s'", place, reason, (int)error.status,
                 error.message);
}

static void expect_refusals(const struct refusal *refusal, size_t count)
{
    for (; count > 0; count--, refusal++)
        expect_refusal(refusal->text, strlen(refusal->text), refusal->line, refusal->column,
                       refusal->reason);
}

#define EXPECT_REFUSALS(list) expect_refusals(list, sizeof list / sizeof *list)

static void test_unknown_and_repeated_keys_are_refused(void **state)
{
    static const struct refusal list[] = {
        {"solver L2R_LR\n", 1, 1, "'solver' is no key of a model"},
        {"solver_typeL2R_LR\n", 1, 1, "'solver_typeL2R_LR' is no key of a model"},
        {HEADER "row 1\nw\n", 6, 1, "'row' is no key of a model"},
        {HEADER "W\n1 \n2 \n", 6, 1, "'W' is no key of a model"},
        {HEADER "\n\n  nr_clas 2\nw\n", 8, 3, "'nr_clas' is no key of a model"},
        {HEADER "# w\n1 \n2 \n", 6, 1, "a model's key expected"},
        {HEADER "solver_type L2R_LR\nw\n", 6, 1, "solver_type is given twice"},
        {HEADER "nr_class 2\nw\n", 6, 1, "nr_class is given twice"},
        {HEADER "label 1 2\nw\n", 6, 1, "label is given twice"},
        {HEADER "nr_feature 2\nw\n", 6, 1, "nr_feature is given twice"},
        {HEADER "bias 1\nw\n", 6, 1, "bias is given twice"},
        {HEADER "label\n", 6, 1, "label is given twice"},
    };

    (void)state;
    EXPECT_REFUSALS(list);
}

static void test_missing_keys_are_refused(void **state)
{
    static const struct refusal list[] = {
        {"nr_class 2\nlabel 1 2\nnr_feature 1\nbias -1\nw\n1 \n", 5, 0, "solver_type is missing"},
        {"solver_type L2R_LR\nnr_feature 1\nbias -1\nw\n1 \n", 4, 0, "nr_class is missing"},
        {"solver_type L2R_LR\nnr_class 2\nnr_feature 1\nbias -1\nw\n1 \n", 5, 0,
         "label is missing"},
        {"solver_type L2R_LR\nnr_class 2\nlabel 1 2\nbias -1\nw\n1 \n", 5, 0,
         "nr_feature is missing"},
        {"solver_type L2R_LR\nnr_class 2\nlabel 1 2\nnr_feature 1\nw\n1 \n", 5, 0,
         "bias is missing"},
        {"w\n", 1, 0, "is missing"},
        {HEADER, 6, 1, "a model's key expected"},
        {"", 1, 1, "a model's key expected"},
        {"\n\n", 3, 1, "a model's key expected"},
        {"solver_type", 1, 12, "a solver name expected"},
        {"solver_type L2R_LR\nlabel 1 2\n", 2, 0, "label before nr_class"},
    };

    (void)state;
    EXPECT_REFUSALS(list);
}

static void test_regressions_have_one_column(void **state)
{
    static const char *const types[] = {"L2R_L2LOSS_SVR", "L2R_L2LOSS_SVR_DUAL",
                                        "L2R_L1LOSS_SVR_DUAL"};
    static const struct refusal list[] = {
        {"solver_type L2R_L2LOSS_SVR\nnr_class 1\nnr_feature 1\nbias -1\nw\n1\n", 5, 2,
         "a regression has nr_class 2 and no label"},
        {"solver_type L2R_L2LOSS_SVR\nnr_class 2\nlabel 1 2\nnr_feature 1\nbias -1\nw\n1\n", 6, 2,
         "a regression has nr_class 2 and no label"},
        {"solver_type L2R_L2LOSS_SVR\nnr_feature 1\nbias -1\nw\n1\n", 4, 2, "nr_class is missing"},
    };

    (void)state;
    for (size_t k = 0; k < COUNT(types); k++) {
        char text[200];
        struct hinge_error error;
        struct hinge_model *model;

        snprintf(text, sizeof text,
                 "solver_type %s\nnr_class 2\nnr_feature 2\nbias 1\nw\n1\n2\n3\n", types[k]);
        assert_non_null(model = read_bytes(text, strlen(text), &error));
        assert_string_equal(model->solver_type, types[k]);
        assert_true(model->classes == 0 && model->columns == 1 && !model->label);
        assert_true(model->features == 2 && model->weight[2] == 3);
        hinge_model_free(model);
    }
    EXPECT_REFUSALS(list);
}

/* rho of a one-class model is the negative weight of a bias. Labels are the predicted ones. */
static void test_one_class_models_have_rho(void **state)
{
    static const struct refusal list[] = {
        {HEADER "rho 1\nw\n", 7, 2, "rho, but solver_type is L2R_L1LOSS_SVC_DUAL"},
        {ONE_CLASS "bias -1\nw\n1\n2\n", 5, 2, "rho is missing before w"},
        {ONE_CLASS "bias -1\nrho\n", 6, 1, "rho expected"},
        {ONE_CLASS "bias -1\nrho x\n", 5, 5, "rho 'x'"},
        {ONE_CLASS "bias -1\nrho inf\n", 5, 5, "rho 'inf'"},
        {ONE_CLASS "bias -1\nrho nan\n", 5, 5, "rho 'nan'"},
        {ONE_CLASS "bias -1\nrho 1\nrho 1\n", 6, 1, "rho is given twice"},
        {ONE_CLASS "bias 1\nrho 1\nw\n1\n2\n3\n", 6, 2, "a one-class SVM has rho and no bias"},
        {ONE_CLASS "label 1 2\nbias -1\nrho 1\nw\n", 7, 2,
         "a one-class SVM has nr_class 2 and no label"},
        {ONE_CLASS "bias -1\nrho 1\nw\n1\n", 8, 1, "weight expected"},
        {ONE_CLASS "bias -1\nrho 1\nw\n1\n2\n3\n", 9, 1, "text after the last weight"},
        {"solver_type ONECLASS_SVM\nnr_class 3\nnr_feature 2\nbias -1\nrho 1\nw\n", 6, 2,
         "a one-class SVM has nr_class 2 and no label"},
    };
    static const char text[] = ONE_CLASS "bias -1\nrho 0.75\nw\n0.5 \n-2 \n";
    const uint32_t index[] = {0, 1, 7};
    const double value[] = {2, 0.125, 1};
    const struct hinge_row rows[] = {{.count = 3, .index = index, .value = value},
                                     {.count = 1, .index = index, .value = value}};
    struct hinge_error error;
    struct hinge_model *model;
    double decision;

    (void)state;
    assert_non_null(model = read_bytes(text, strlen(text), &error));
    assert_string_equal(model->solver_type, "ONECLASS_SVM");
    assert_true(model->one_class && model->classes == 2 && model->columns == 1);
    assert_true(model->label[0] == 1 && model->label[1] == -1);
    assert_true(model->features == 2 && model->bias == 1 && model->weight[2] == -0.75);
    assert_false(hinge_has_probabilities(model));
    hinge_decision_values(model, &rows[0], &decision); /* 1 - 0.25 - 0.75: not above 0 */
    assert_true(decision == 0 && hinge_decide(model, &decision) == 1);
    hinge_decision_values(model, &rows[1], &decision);
    assert_true(decision == 0.25 && hinge_decide(model, &decision) == 0);
    hinge_model_free(model);
    EXPECT_REFUSALS(list);
}

static void test_other_solver_types_are_refused(void **state)
{
    static const struct refusal list[] = {
        {"solver_type L2R_L2LOSS_SVRX\n", 1, 13, "'L2R_L2LOSS_SVRX' is unknown"},
        {"solver_type L2R_L2LOSS_SVC_DUA\n", 1, 13, "'L2R_L2LOSS_SVC_DUA' is unknown"},
        {"solver_type l2r_lr\n", 1, 13, "'l2r_lr' is unknown"},
        {"solver_type\nnr_class 2\n", 2, 1, "'nr_class' is unknown"},
    };

    (void)state;
    EXPECT_REFUSALS(list);
}

/* nr_class and nr_feature are whole numbers in the range of LIBLINEAR's int. */
static void test_counts_out_of_range_are_refused(void **state)
{
    static const char *const bad[] = {"-1",
                                      "1.5",
                                      "2147483648",
                                      "4294967298",
                                      "9223372036854775808",
                                      "18446744073709551618",
                                      "1e400",
                                      "nan",
                                      "inf",
                                      "2x",
                                      "0x2",
                                      "two",
                                      "-9223372036854775808",
                                      "1e-400x"};

    (void)state;
    expect_refusal("nr_class 0\n", 11, 1, 10, "nr_class '0' is no whole number from 1 to 2^31-1");
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        char text[200], reason[100];

        snprintf(text, sizeof text, "solver_type L2R_LR\nnr_class %s\n", bad[k]);
        snprintf(reason, sizeof reason, "nr_class '%s' is no whole number from 1 to", bad[k]);
        expect_refusal(text, strlen(text), 2, 10, reason);
        snprintf(text, sizeof text, "solver_type L2R_LR\nnr_feature  %s\n", bad[k]);
        snprintf(reason, sizeof reason, "nr_feature '%s' is no whole number from 0 to", bad[k]);
        expect_refusal(text, strlen(text), 2, 13, reason);
    }
    expect_refusal("nr_class", 8, 1, 9, "nr_class expected");
    expect_refusal("nr_feature \n", 12, 2, 1, "nr_feature expected");
}

static void test_bad_labels_and_bias_are_refused(void **state)
{
    static const struct refusal list[] = {
        {"nr_class 3\nlabel 1 -1\nnr_feature 2\n", 3, 1, "'nr_feature' is not a"},
        {"nr_class 2\nlabel 1 -1 5\nnr_feature 2\n", 2, 12, "'5' is no key of a model"},
        {"nr_class 2\nlabel 1 nan\n", 2, 9, "'nan' is not a finite number"},
        {"nr_class 2\nlabel inf 1\n", 2, 7, "'inf' is not a finite number"},
        {"nr_class 2\nlabel 1 1e999\n", 2, 9, "'1e999' is beyond the largest double"},
        {"nr_class 2\nlabel 1 2;3\n", 2, 10, "is not a number"},
        {"nr_class 2\nlabel 1", 2, 8, "expected"},
        {"bias nan\n", 1, 6, "'nan' is not a finite number"},
        {"bias -inf\n", 1, 6, "'-inf' is not a finite number"},
        {"bias 1e309\n", 1, 6, "'1e309' is beyond the largest double"},
        {"bias\nw\n", 2, 1, "'w' is not a number"},
        {"bias 1,5\n", 1, 7, "bias '1,5' is not a number"},
    };

    (void)state;
    EXPECT_REFUSALS(list);
}

static void test_bad_weights_are_refused(void **state)
{
    static const struct refusal list[] = {
        {HEADER "w\n0.25 \nnan \n", 8, 1, "weight 'nan' is not a finite number"},
        {HEADER "w\n0.25 \n-inf \n", 8, 1, "weight '-inf' is not a finite number"},
        {HEADER "w\n1e999 \n-3 \n", 7, 1, "weight '1e999' is beyond the largest double"},
        {HEADER "w\n0.25 \n  x3 \n", 8, 3, "weight 'x3' is not a number"},
        {HEADER "w\n0.25 \n-3x \n", 8, 3, "weight '-3x' is not a number"},
        {HEADER "w\n0.25,-3 \n", 7, 5, "weight '0.25,-3' is not a number"},
        {HEADER "w\n0x1p3 \n-3 \n", 7, 2, "weight '0x1p3' is not a number"},
        {HEADER "w\n0.25 \n", 8, 1, "weight expected"},
        {HEADER "w\n0.25", 7, 5, "weight expected"},
        {HEADER "w\n", 7, 1, "weight expected"},
        {HEADER "w\n0.25\n# C 1\n-3 \n", 8, 1, "weight expected"},
        {HEADER "w\n0.25 \n- \n", 8, 1, "weight '-' is not a number"},
        {PLAIN "7 \n", 9, 1, "text after the last weight"},
        {HEADER "w\n0.25 -3 7\n", 7, 9, "text after the last weight"},
        {PLAIN "# C 1\nx\n", 10, 1, "text after the last weight"},
        {PLAIN "# C 1\n\n  solver_type L2R_LR\n", 11, 3, "text after the last weight"},
    };

    (void)state;
    EXPECT_REFUSALS(list);
}

/* Only whole numbers of steps count. A key that only begins with the key of steps is another one.
 */
static void test_steps_are_read_from_the_record(void **state)
{
    static const struct {
        const char *record;
        double steps;
    } list[] = {
        {"", 0},
        {"# steps 7\n", 7},
        {"#steps 8\n", 8},
        {"#   steps\t9", 9},
        {"# C 1\n# steps 1e3\n# primal 5\n", 1000},
        {"# steps 5.75\n", 5},
        {"# steps -0\n", 0},
        {"# stepsize 3\n# step 4\n# iterations 6\n# my steps 5\n", 0},
        {"# steps 3 # and so on\n", 3},
    };

    (void)state;
    for (size_t k = 0; k < sizeof list / sizeof *list; k++) {
        char text[300];
        struct hinge_model *model;

        snprintf(text, sizeof text, "%s%s", PLAIN, list[k].record);
        model = read_text(text);
        if (model->steps != list[k].steps)
            fail_msg("'%s': %.17g steps", list[k].record, model->steps);
        expect_plain(model);
    }
}

/* A sigmoid is a line with exactly two numbers for each column. Other lines are comments. */
static void test_sigmoids_are_read_from_the_record(void **state)
{
    static const struct {
        const char *record;
        int there;
    } list[] = {
        {"", 0},
        {"# sigmoid -2.5 1e-3\n", 1},
        {"#sigmoid\t-2.5 0.001", 1},
        {"# C 1\r\n# sigmoid -2.5  0.001 \r\n# steps 5\n", 1},
        {"# sigmoid\n# sigmoid -2.5 0.001\n# sigmoid 7 7\n", 1},
        {"# sigmoid interrupted\n", 0},
        {"# sigmoid -2.5\n", 0},
        {"# sigmoid -2.5 0.001 3\n", 0},
        {"# sigmoid -2.5 0.001 # here\n", 0},
        {"# sigmoid -2.5 x\n", 0},
        {"# sigmoid -2.5 0.001x\n", 0},
        {"# sigmoid nan 0.001\n", 0},
        {"# sigmoid 1e999 0.001\n", 0},
        {"# sigmoids -2.5 0.001\n# my sigmoid -2.5 0.001\n", 0},
        {"# a sigmoid curve, drawn by hand\n#\n##\n# \n", 0},
    };

    (void)state;
    for (size_t k = 0; k < sizeof list / sizeof *list; k++) {
        char text[300];
        struct hinge_model *model;

        snprintf(text, sizeof text, "%s%s", PLAIN, list[k].record);
        model = read_text(text);
        if ((model->sigmoid != NULL) != list[k].there)
            fail_msg("'%s': a sigmoid? %d", list[k].record, model->sigmoid != NULL);
        if (model->sigmoid)
            assert_true(model->sigmoid[0] == -2.5 && model->sigmoid[1] == 0.001);
        expect_plain(model);
    }
}

/* Three columns have six numbers. With the blanks between them they are longer than a chunk of the
 * file. */
static void test_long_sigmoids(void **state)
{
    static char text[400000];
    struct hinge_model *model;
    int length = snprintf(text, sizeof text,
                          "solver_type MCSVM_CS\nnr_class 3\nlabel 1 2 3\nnr_feature 0\nbias -1\n"
                          "w\n# sigmoid");

    (void)state;
    for (int k = 1; k <= 6; k++)
        length += snprintf(text + length, sizeof text - (size_t)length, "%*d", k * 15000, k);
    snprintf(text + length, sizeof text - (size_t)length, "\n# C 1\n");
    model = read_text(text);
    assert_non_null(model->sigmoid);
    for (int k = 0; k < 6; k++)
        assert_true(model->sigmoid[k] == k + 1);
    hinge_model_free(model);
}

static void test_bad_steps_are_refused(void **state)
{
    static const struct refusal list[] = {
        {PLAIN "# steps x\n", 9, 9, "steps 'x' is not a number"},
        {PLAIN "# steps nan\n", 9, 9, "steps 'nan' is not a finite number"},
        {PLAIN "# steps inf\n", 9, 9, "steps 'inf' is not a finite number"},
        {PLAIN "# steps 1e999\n", 9, 9, "steps '1e999' is beyond the largest double"},
        {PLAIN "# C 1\n# steps 3x\n", 10, 10, "steps '3x' is not a number"},
        {PLAIN "# steps", 9, 8, "steps expected"},
        {PLAIN "# steps # C 1\n", 9, 9, "steps expected"},
    };

    (void)state;
    EXPECT_REFUSALS(list);
}

/* The message has the place of the number, as in all other refusals. */
static void test_negative_steps_are_refused(void **state)
{
    static const struct refusal list[] = {
        {PLAIN "# steps -1\n", 9, 9, "steps: a negative number"},
        {PLAIN "# C 1\n# steps   -1e-300\n", 10, 11, "steps: a negative number"},
    };

    (void)state;
    EXPECT_REFUSALS(list);
}

/* The number must be on the line of its key. A number below it is refused. */
static void test_steps_do_not_run_over_their_line(void **state)
{
    struct hinge_error error;
    static const char *const list[] = {PLAIN "# steps\n12\n", PLAIN "# steps \n\n12 # C 1\n"};

    (void)state;
    for (size_t k = 0; k < 2; k++) {
        struct hinge_model *model = read_bytes(list[k], strlen(list[k]), &error);

        hinge_model_free(model);
        assert_null(model);
        assert_int_equal(error.status, HINGE_BAD_INPUT);
        assert_non_null(strstr(error.message, "steps expected"));
    }
}

/* A NUL, or another byte that is no text, is refused at any place. */
static void test_binary_bytes_are_refused(void **state)
{
    static const char with_record[] = PLAIN "# hinge 0\n# C 1\n";
    static const char bytes[] = {'\0', '\1', '\x1b', '\x7f'};

    (void)state;
    for (size_t at = 0; at < sizeof with_record - 1; at++)
        for (size_t k = 0; k < sizeof bytes; k++) {
            char text[sizeof with_record];
            struct hinge_error error;
            struct hinge_model *model;

            memcpy(text, with_record, sizeof text);
            text[at] = bytes[k];
            model = read_bytes(text, sizeof text - 1, &error);
            if (model && (bytes[k] == '\0' || !memchr(text, '#', at)))
                fail_msg("byte 0x%02x at offset %lu was read", (unsigned char)bytes[k],
                         (unsigned long)at);
            assert_true(model || error.status == HINGE_BAD_INPUT);
            hinge_model_free(model);
        }
    expect_refusal(PLAIN "# a\0b\n", sizeof PLAIN + 5, 9, 4, "NUL byte");
    expect_refusal("solver_type L2R\0_LR\n", 20, 1, 0, "");
    expect_refusal("\x7f"
                   "ELF\2\1\1\0\0\0",
                   10, 1, 0, "");
}

/* ---- Hostile files ------------------------------------------------------- */

/* Headers announce up to 2^62 weights in a file of 100 bytes. They are refused at the byte where
 * the file ends, not by a lack of memory, although memory is small. */
static void test_promises_of_a_header_cost_nothing(void **state)
{
    static const struct {
        const char *text;
        unsigned line, column;
    } promises[] = {
        {"solver_type L2R_LR\nnr_class 2\nlabel 1 2\nnr_feature 2147483647\nbias 1\nw\n1 \n2 \n", 9,
         0},
        {"solver_type MCSVM_CS\nnr_class 2\nlabel 1 2\nnr_feature 2147483647\nbias 1\nw\n1 2 \n", 8,
         0},
        {"nr_feature 2147483647\nnr_class 2147483647\nsolver_type L2R_LR\nbias 1\nlabel 1 2 3", 5,
         0},
        {"solver_type L2R_LR\nnr_class 2147483647\nnr_feature 2147483647\nlabel 1\nbias 1\nw\n1 ",
         5, 1},
        {"solver_type L2R_LR\nnr_class 3\nlabel 1 2 3\nnr_feature 2147483647\nbias -1\nw\n1 2 3 ",
         7, 0},
    };

    (void)state;
    for (size_t k = 0; k < sizeof promises / sizeof *promises; k++) {
#ifndef ADDRESS_SANITIZER /* it needs terabytes of addresses */
        rlim_t before = set_limit(RLIMIT_AS, (rlim_t)1 << 28);
#endif

        /* with 32 bits the header itself is refused */
        expect_refusal(promises[k].text, strlen(promises[k].text),
                       SIZE_MAX > UINT32_MAX ? promises[k].line : 0,
                       SIZE_MAX > UINT32_MAX ? promises[k].column : 0, "");
#ifndef ADDRESS_SANITIZER
        set_limit(RLIMIT_AS, before);
#endif
    }
}

/* A cut file is refused, except if the cut is after the last weight or inside its digits. */
static void test_model_cut_anywhere_is_refused_or_whole(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 6; seed++) {
        static struct sample sample;
        size_t length, weights, last, end;
        char *text;

        sample_draw(&sample, 2 + seed % 2, 5, seed % 3 ? 1 : -1, seed);
        sample_record(&sample, seed);
        weights = count_weights(&sample.model);
        sample.weight[weights - 1] = -0.12345678901234567;
        text = written(&sample.model, "test_model.text", &length);
        last = (size_t)(strstr(text, "-0.12345678901234") - text);
        end = last + strcspn(text + last, " ");
        for (size_t cut = 0; cut <= length; cut++) {
            struct hinge_error error;
            struct hinge_model *model = read_bytes(text, cut, &error);

            if (model) {
                assert_true(cut > last);
                assert_true(same_bits(model->weight, sample.weight, weights - (cut < end ? 1 : 0)));
                hinge_model_free(model);
            } else {
                assert_true(cut < end);
                assert_int_equal(error.status, HINGE_BAD_INPUT);
            }
        }
        free(text);
    }
}

/* Overwrites, deletes, doubles or inserts some bytes. Returns the new length. */
static size_t mutate(char *text, size_t length, size_t capacity, uint64_t *state)
{
    static const char likely[] = "0123456789.-+eE \t\n\r#naif_w\0\xff";
    size_t at = (size_t)(random_unit(state) * (double)length);
    size_t count = 1 + (size_t)(random_unit(state) * random_unit(state) * 20);
    char byte = likely[(size_t)(random_unit(state) * (double)sizeof likely)];

    if (count > length - at)
        count = length - at;
    switch (random_bits(state) >> 61) {
    case 0:
        memmove(text + at, text + at + count, length - at - count);
        return length - count;
    case 1:
        if (length + count > capacity)
            return length;
        memmove(text + at + count, text + at, length - at);
        return length + count;
    case 2:
    case 3:
        if (length + 1 > capacity)
            return length;
        memmove(text + at + 1, text + at, length - at);
        text[at] = byte;
        return length + 1;
    case 4:
        text[at] = (char)(text[at] ^ (1 << (random_bits(state) >> 61)));
        return length;
    default:
        text[at] = byte;
        return length;
    }
}

/* Checks that a model that was read has finite numbers, in arrays of the right length. */
static void check_model(const struct hinge_model *model)
{
    double sum = 0;

    assert_true(model->classes >= 1 && model->columns >= 1 && model->columns <= model->classes);
    assert_non_null(model->solver_type);
    for (size_t c = 0; c < model->classes; c++)
        assert_true(fabs(model->label[c]) <= DBL_MAX);
    for (size_t k = 0; k < count_weights(model); k++)
        sum = fmax(sum, fabs(model->weight[k]));
    assert_true(sum <= DBL_MAX);
}

static void test_random_damage_does_no_harm(void **state)
{
    enum { ROUNDS = 100000, CAPACITY = 2000 };
    uint64_t random = 4711;
    size_t read = 0, refused = 0;
    struct sample sample;
    char *text[3], place[300];
    size_t length[3];

    (void)state;
    snprintf(place, sizeof place, "%s:", read_from());
    for (uint64_t k = 0; k < 3; k++) {
        sample_draw(&sample, 2 + (k == 2), (uint32_t)k * 2, k == 1 ? -1 : 1, k);
        sample_record(&sample, k);
        text[k] = written(&sample.model, "test_model.text", &length[k]);
    }
    for (int round = 0; round < ROUNDS; round++) {
        char damaged[CAPACITY];
        struct hinge_error error;
        struct hinge_model *model;
        size_t size = length[round % 3];

        memcpy(damaged, text[round % 3], size);
        for (int k = 0; k <= round % 4 && size > 0; k++)
            size = mutate(damaged, size, CAPACITY, &random);
        model = read_bytes(damaged, size, &error);
        if (model)
            check_model(model);
        else
            assert_true(error.status == HINGE_BAD_INPUT &&
                        strncmp(error.message, place, strlen(place)) == 0);
        read += model != NULL;
        refused += model == NULL;
        hinge_model_free(model);
    }
    assert_true(read > ROUNDS / 50 && refused > ROUNDS / 10);
    for (size_t k = 0; k < 3; k++)
        free(text[k]);
}

static void test_unreadable_files_are_file_errors(void **state)
{
    struct hinge_error error;
    char path[300];

    (void)state;
    snprintf(path, sizeof path, "%s", scratch_path("test_model.absent"));
    assert_null(hinge_model_read(path, &error));
    assert_int_equal(error.status, HINGE_FILE_ERROR);
    assert_non_null(strstr(error.message, path));
    snprintf(path, sizeof path, "%s", scratch_path("")); /* a folder */
    assert_null(hinge_model_read(path, &error));
    assert_int_equal(error.status, HINGE_FILE_ERROR);
    assert_non_null(strstr(error.message, path));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_header_keys_come_in_any_order),
        cmocka_unit_test(test_layout_does_not_matter),
        cmocka_unit_test(test_all_classifiers_of_liblinear_are_read),
        cmocka_unit_test(test_columns_follow_type_and_classes),
        cmocka_unit_test(test_unknown_and_repeated_keys_are_refused),
        cmocka_unit_test(test_missing_keys_are_refused),
        cmocka_unit_test(test_regressions_have_one_column),
        cmocka_unit_test(test_one_class_models_have_rho),
        cmocka_unit_test(test_other_solver_types_are_refused),
        cmocka_unit_test(test_counts_out_of_range_are_refused),
        cmocka_unit_test(test_bad_labels_and_bias_are_refused),
        cmocka_unit_test(test_bad_weights_are_refused),
        cmocka_unit_test(test_steps_are_read_from_the_record),
        cmocka_unit_test(test_sigmoids_are_read_from_the_record),
        cmocka_unit_test(test_long_sigmoids),
        cmocka_unit_test(test_bad_steps_are_refused),
        cmocka_unit_test(test_negative_steps_are_refused),
        cmocka_unit_test(test_steps_do_not_run_over_their_line),
        cmocka_unit_test(test_binary_bytes_are_refused),
        cmocka_unit_test(test_promises_of_a_header_cost_nothing),
        cmocka_unit_test(test_model_cut_anywhere_is_refused_or_whole),
        cmocka_unit_test(test_random_damage_does_no_harm),
        cmocka_unit_test(test_unreadable_files_are_file_errors),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
