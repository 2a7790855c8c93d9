/* test_model.c - LIBLINEAR's model format written and read, hostile model files, decisions, and
 * model files that appear whole or not at all. */
#define _XOPEN_SOURCE 700 /* RLIMIT_AS, mkfifo */
#include "support.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <float.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* ---- Models by hand ----------------------------------------------------- */

enum { MOST_CLASSES = 6, MOST_FEATURES = 40 };

/* A model with the arrays it points to. */
struct sample {
    struct hinge_model model;
    double label[MOST_CLASSES];
    double weight[(MOST_FEATURES + 1) * MOST_CLASSES];
    struct hinge_result result[MOST_CLASSES];
};

/* A finite double, each of them equally likely as a pattern of bits, but never -0. */
static double random_double(uint64_t *state)
{
    for (;;) {
        uint64_t bits = random_bits(state);
        double value;

        memcpy(&value, &bits, sizeof value);
        if (fabs(value) <= DBL_MAX && value != 0)
            return value;
    }
}

static void sample_draw(struct sample *sample, size_t classes, uint32_t features, double bias,
                        uint64_t seed)
{
    uint64_t state = 0x9e3779b97f4a7c15 * (seed + 1);
    struct hinge_model *model = &sample->model;

    memset(sample, 0, sizeof *sample);
    model->classes = classes;
    model->columns = classes == 2 ? 1 : classes;
    model->features = features;
    model->bias = bias;
    model->solver_type = "L2R_L2LOSS_SVC_DUAL";
    model->label = sample->label;
    model->weight = sample->weight;
    for (size_t c = 0; c < classes; c++)
        sample->label[c] = seed % 2 ? random_double(&state) : (double)c - 1;
    for (size_t k = 0; k < (features + (bias >= 0)) * model->columns; k++)
        if (random_unit(&state) < 0.9)
            sample->weight[k] = random_double(&state);
}

/* What training adds: the record behind the weights. */
static void sample_record(struct sample *sample, uint64_t seed)
{
    uint64_t state = seed + 99;
    struct hinge_model *model = &sample->model;

    model->solver = hinge_solver_find(1);
    model->C = random_unit(&state);
    model->lambda = random_unit(&state);
    model->seed = random_bits(&state);
    model->result = sample->result;
    for (size_t c = 0; c < model->columns; c++)
        sample->result[c] =
            (struct hinge_result){.outcome = (enum hinge_outcome)(c % (HINGE_STALLED + 1)),
                                  .primal = random_unit(&state),
                                  .dual = -random_unit(&state),
                                  .gap = random_unit(&state),
                                  .passes = 17 + c,
                                  .steps = c,
                                  .engine = c % 2 ? "newton" : NULL};
}

static size_t count_weights(const struct hinge_model *model)
{
    return ((size_t)model->features + (model->bias >= 0)) * model->columns;
}

static int same_bits(const double *one, const double *other, size_t count)
{
    return count == 0 || memcmp(one, other, count * sizeof *one) == 0;
}

/* Writes to a scratch file of that name and returns what then stands in it, free()d by the caller.
 */
static char *written(const struct hinge_model *model, const char *name, size_t *length)
{
    struct hinge_error error = {HINGE_OK, ""};
    char *text;

    if (hinge_model_write(model, scratch_path(name), &error))
        fail_msg("%s", error.message);
    text = read_file(scratch_path(name), length);
    assert_non_null(text);
    return text;
}

#define READ_FROM "build/scratch/test_model.read"

/* Writes over the file that was there: to cut it to nothing first, 100,000 times, takes minutes on
 * some file systems. */
static struct hinge_model *read_bytes(const void *bytes, size_t length, struct hinge_error *error)
{
    int file = open(READ_FROM, O_WRONLY);

    if (file < 0)
        file = open(scratch_write("test_model.read", "", 0), O_WRONLY);
    assert_true(file >= 0);
    assert_int_equal(write(file, bytes, length), length);
    assert_int_equal(ftruncate(file, (off_t)length), 0);
    close(file);
    error->status = HINGE_OK;
    error->message[0] = '\0';
    return hinge_model_read(READ_FROM, error);
}

static struct hinge_model *read_text(const char *text)
{
    struct hinge_error error;
    struct hinge_model *model = read_bytes(text, strlen(text), &error);

    keep_seed("model", text, strlen(text));
    if (!model)
        fail_msg("%s\n%s", error.message, text);
    return model;
}

/* ---- Writing ------------------------------------------------------------ */

static void expect_text(const struct hinge_model *model, const char *expected)
{
    size_t length;
    char *text = written(model, "test_model.text", &length);

    assert_int_equal(length, strlen(expected));
    assert_string_equal(text, expected);
    free(text);
}

/* LIBLINEAR's grammar to the byte, the blank before each end of a weight line included. */
static void test_two_classes_are_written_as_by_liblinear(void **state)
{
    double label[] = {1, -1}, weight[] = {0.5, 0, -0.1, 1e-300};
    struct hinge_model model = {.classes = 2,
                                .label = label,
                                .features = 3,
                                .bias = -1,
                                .columns = 1,
                                .weight = weight,
                                .solver_type = "L2R_L1LOSS_SVC_DUAL"};

    (void)state;
    expect_text(&model, "solver_type L2R_L1LOSS_SVC_DUAL\nnr_class 2\nlabel 1 -1\nnr_feature 3\n"
                        "bias -1\nw\n0.5 \n0 \n-0.10000000000000001 \n");
    model.bias = 0.5;
    expect_text(&model, "solver_type L2R_L1LOSS_SVC_DUAL\nnr_class 2\nlabel 1 -1\nnr_feature 3\n"
                        "bias 0.5\nw\n0.5 \n0 \n-0.10000000000000001 \n"
                        "1e-300 \n");
    model.bias = -7; /* none is always written as -1 */
    model.features = 0;
    expect_text(&model, "solver_type L2R_L1LOSS_SVC_DUAL\nnr_class 2\nlabel 1 -1\nnr_feature 0\n"
                        "bias -1\nw\n");
}

static void test_more_classes_are_written_as_by_liblinear(void **state)
{
    double label[] = {3, -2, 1.5}, weight[] = {1, 2, 3, 0, 0.25, -1e22, 4, 0, 5};
    struct hinge_model model = {.classes = 3,
                                .label = label,
                                .features = 2,
                                .bias = 0,
                                .columns = 3,
                                .weight = weight,
                                .solver_type = "L2R_L2LOSS_SVC_DUAL"};

    (void)state;
    expect_text(&model, "solver_type L2R_L2LOSS_SVC_DUAL\nnr_class 3\nlabel 3 -2 1.5\n"
                        "nr_feature 2\nbias 0\nw\n1 2 3 \n0 0.25 -1e+22 \n4 0 5 \n");
}

/* The value of a record's line "# key value ...", or NULL. */
static const char *record_value(const char *text, const char *key)
{
    char start[64];
    const char *line;

    snprintf(start, sizeof start, "\n# %s ", key);
    line = strstr(text, start);
    return line ? line + strlen(start) : NULL;
}

static void expect_number(const char *text, const char *key, double expected)
{
    const char *value = record_value(text, key);

    if (!value || strtod(value, NULL) != expected)
        fail_msg("# %s: %s", key, value ? value : "missing");
}

static void expect_results(const char *text, const struct sample *sample)
{
    static const char *const keys[] = {"iterations", "primal", "dual", "relative_gap"};
    const char *value = record_value(text, "outcome");

    for (size_t c = 0; c < sample->model.columns; c++) {
        const char *name = hinge_outcome_name(sample->result[c].outcome);

        assert_non_null(value);
        assert_int_equal(strncmp(value, name, strlen(name)), 0);
        value += strlen(name) + 1;
    }
    for (size_t k = 0; k < sizeof keys / sizeof *keys; k++) {
        const char *p = record_value(text, keys[k]);

        assert_non_null(p);
        for (size_t c = 0; c < sample->model.columns; c++) {
            const struct hinge_result *result = &sample->result[c];
            const double numbers[] = {(double)result->passes, result->primal, result->dual,
                                      result->gap};
            char *end;

            assert_true(strtod(p, &end) == numbers[k]);
            p = end;
        }
        assert_int_equal(p[strspn(p, " ")], '\n');
    }
}

/* Behind the last weight, where LIBLINEAR reads nothing, stand lines "# key value" and no others.
 */
static void test_record_follows_the_weights(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 20; seed++) {
        static struct sample sample;
        const char *p;
        char *text;
        size_t length;

        sample_draw(&sample, 2 + seed % 3, 3, seed % 2 ? 1 : -1, seed);
        sample_record(&sample, seed);
        sample.model.zero_based = seed % 4 == 3;
        text = written(&sample.model, "test_model.text", &length);
        expect_number(text, "C", sample.model.C);
        expect_number(text, "lambda", sample.model.lambda);
        assert_true(strtoull(record_value(text, "seed"), NULL, 10) == sample.model.seed);
        assert_int_equal(strncmp(record_value(text, "solver"), "dcd-l2\n", 7), 0);
        assert_int_equal(strncmp(record_value(text, "hinge"), HINGE_VERSION "\n", 6), 0);
        assert_int_equal(record_value(text, "zero_based") != NULL, sample.model.zero_based);
        expect_results(text, &sample);
        p = strchr(text, '#');
        for (; *p; p = strchr(p, '\n') + 1)
            assert_true(p[0] == '#' && p[1] == ' ' && strchr(p, '\n'));
        free(text);
    }
}

/* ---- There and back ------------------------------------------------------ */

static void expect_same(const struct hinge_model *one, const struct hinge_model *other)
{
    assert_int_equal(one->classes, other->classes);
    assert_int_equal(one->columns, other->columns);
    assert_int_equal(one->features, other->features);
    assert_int_equal(one->zero_based, other->zero_based);
    assert_string_equal(one->solver_type, other->solver_type);
    assert_true(same_bits(&one->bias, &other->bias, 1));
    assert_true(same_bits(one->label, other->label, one->classes));
    assert_true(same_bits(one->weight, other->weight, count_weights(one)));
}

static void test_round_trip_keeps_every_bit(void **state)
{
    static const double biases[] = {-1, 0, 1, 0.1, 1e300, 5e-324};
    static const uint32_t features[] = {0, 1, 7, MOST_FEATURES};

    (void)state;
    for (uint64_t seed = 0; seed < 400; seed++) {
        static struct sample sample;
        struct hinge_error error = {HINGE_OK, ""};
        struct hinge_model *model;

        sample_draw(&sample, 1 + seed / 3 % MOST_CLASSES, features[seed % 4], biases[seed % 6],
                    seed);
        if (seed % 5 < 3)
            sample_record(&sample, seed);
        sample.model.zero_based = seed % 5 == 1;
        assert_int_equal(hinge_model_write(&sample.model, scratch_path("test_model.trip"), &error),
                         HINGE_OK);
        model = hinge_model_read(scratch_path("test_model.trip"), &error);
        if (!model)
            fail_msg("%s", error.message);
        expect_same(&sample.model, model);
        assert_null(model->solver);
        assert_null(model->result);
        hinge_model_free(model);
    }
}

/* Of a stochastic solver's model the steps are kept, up to the largest count; others say nothing of
 * steps, and know of none when they are read. */
static void test_steps_survive_their_file(void **state)
{
    static const double steps[] = {0, 1, 12345, 4294967296.0, 9007199254740992.0};

    (void)state;
    for (size_t k = 0; k < sizeof steps / sizeof *steps; k++)
        for (int number = 1; number <= 41; number += 40) { /* dcd-l2 and hrmd-w */
            static struct sample sample;
            char *text;
            size_t length;
            struct hinge_model *model;

            sample_draw(&sample, 2 + k % 2, 3, -1, k);
            sample_record(&sample, k);
            sample.model.solver = hinge_solver_find(number);
            sample.model.steps = steps[k];
            text = written(&sample.model, "test_model.text", &length);
            assert_int_equal(record_value(text, "steps") != NULL, number == 41);
            if (number == 41)
                expect_number(text, "steps", steps[k]);
            model = read_text(text);
            assert_true(model->steps == (number == 41 ? steps[k] : 0));
            hinge_model_free(model);
            free(text);
        }
}

static void test_trained_model_survives_its_file(void **state)
{
    const struct hinge_format format = {0, 0};
    const char *path = data_path("digits");
    struct hinge_parameters parameters = hinge_parameters_default();
    struct hinge_dataset *data;
    struct hinge_model *model, *back;
    struct hinge_error error;

    (void)state;
    if (!path)
        skip();
    data = hinge_dataset_read(path, &format, &error);
    assert_non_null(data);
    parameters.bias = 1;
    model = hinge_train(data, &parameters, NULL, &error);
    assert_non_null(model);
    assert_int_equal(hinge_model_write(model, scratch_path("test_model.trip"), &error), HINGE_OK);
    back = hinge_model_read(scratch_path("test_model.trip"), &error);
    assert_non_null(back);
    expect_same(model, back);
    hinge_model_free(back);
    hinge_model_free(model);
    hinge_dataset_free(data);
}

/* ---- Reading what others write -------------------------------------------- */

#define HEADER "solver_type L2R_L1LOSS_SVC_DUAL\nnr_class 2\nlabel 1 -1\nnr_feature 2\nbias -1\n"
#define PLAIN  HEADER "w\n0.25 \n-3 \n"

static void expect_plain(struct hinge_model *model)
{
    static const double label[] = {1, -1}, weight[] = {0.25, -3};

    assert_true(model->classes == 2 && model->columns == 1 && model->features == 2);
    assert_true(model->bias == -1 && model->zero_based == 0);
    assert_true(same_bits(model->label, label, 2) && same_bits(model->weight, weight, 2));
    assert_string_equal(model->solver_type, "L2R_L1LOSS_SVC_DUAL");
    hinge_model_free(model);
}

/* In all 120 orders; only label before nr_class is refused. */
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

/* White space is what separates, as for fscanf. */
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

/* Crammer and Singer's models have a column per class even for two; one class is a class. */
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

/* The text is refused at line:column (column 0: any) for a reason that contains the words. */
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
    snprintf(place, sizeof place, "%s:%u:", READ_FROM, line);
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
        {HEADER "rho 1\nw\n", 6, 1, "'rho' is no key of a model"},
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

static void test_other_solver_types_are_refused(void **state)
{
    static const struct refusal list[] = {
        {"solver_type L2R_L2LOSS_SVR\n", 1, 13, "L2R_L2LOSS_SVR: this is no classifier"},
        {"solver_type L2R_L2LOSS_SVR_DUAL\n", 1, 13, "L2R_L2LOSS_SVR_DUAL: this is no classifier"},
        {"solver_type L2R_L1LOSS_SVR_DUAL\n", 1, 13, "L2R_L1LOSS_SVR_DUAL: this is no classifier"},
        {"solver_type ONECLASS_SVM\n", 1, 13, "ONECLASS_SVM: this is no classifier"},
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
        {"nr_class 2\nlabel 1 2;3\n", 2, 10, "trailing junk"},
        {"nr_class 2\nlabel 1", 2, 8, "expected"},
        {"bias nan\n", 1, 6, "'nan' is not a finite number"},
        {"bias -inf\n", 1, 6, "'-inf' is not a finite number"},
        {"bias 1e309\n", 1, 6, "'1e309' is beyond the largest double"},
        {"bias\nw\n", 2, 1, "'w' is not a number"},
        {"bias 1,5\n", 1, 7, "trailing junk in bias '1,5'"},
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
        {HEADER "w\n0.25 \n-3x \n", 8, 3, "trailing junk in weight '-3x'"},
        {HEADER "w\n0.25,-3 \n", 7, 5, "trailing junk in weight '0.25,-3'"},
        {HEADER "w\n0x1p3 \n-3 \n", 7, 2, "trailing junk in weight '0x1p3'"},
        {HEADER "w\n0.25 \n", 8, 1, "weight expected"},
        {HEADER "w\n0.25", 7, 5, "weight expected"},
        {HEADER "w\n", 7, 1, "weight expected"},
        {HEADER "w\n0.25\n# C 1\n-3 \n", 8, 1, "weight expected"},
        {HEADER "w\n0.25 \n- \n", 8, 1, "weight '-' is not a number"},
        {PLAIN "7 \n", 9, 1, "junk behind the last weight"},
        {HEADER "w\n0.25 -3 7\n", 7, 9, "junk behind the last weight"},
        {PLAIN "# C 1\nx\n", 10, 1, "junk behind the last weight"},
        {PLAIN "# C 1\n\n  solver_type L2R_LR\n", 11, 3, "junk behind the last weight"},
    };

    (void)state;
    EXPECT_REFUSALS(list);
}

/* Whole steps count; a key that only begins like theirs is another one. */
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

static void test_bad_steps_are_refused(void **state)
{
    static const struct refusal list[] = {
        {PLAIN "# steps x\n", 9, 9, "steps 'x' is not a number"},
        {PLAIN "# steps nan\n", 9, 9, "steps 'nan' is not a finite number"},
        {PLAIN "# steps inf\n", 9, 9, "steps 'inf' is not a finite number"},
        {PLAIN "# steps 1e999\n", 9, 9, "steps '1e999' is beyond the largest double"},
        {PLAIN "# C 1\n# steps 3x\n", 10, 10, "trailing junk in steps '3x'"},
        {PLAIN "# steps", 9, 8, "steps expected"},
        {PLAIN "# steps # C 1\n", 9, 9, "steps expected"},
    };

    (void)state;
    EXPECT_REFUSALS(list);
}

/* The place is that of the number, as in all other refusals. */
static void test_negative_steps_are_refused(void **state)
{
    static const struct refusal list[] = {
        {PLAIN "# steps -1\n", 9, 9, "steps: a negative number"},
        {PLAIN "# C 1\n# steps   -1e-300\n", 10, 11, "steps: a negative number"},
    };

    (void)state;
    EXPECT_REFUSALS(list);
}

/* The number belongs to the line of its key: what stands below is junk as anywhere else. */
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

/* A NUL or another byte of no text is refused wherever it stands. */
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

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define ADDRESS_SANITIZER
#endif
#elif defined(__SANITIZE_ADDRESS__)
#define ADDRESS_SANITIZER
#endif

/* Sets the soft limit of a resource and returns the one before. */
static rlim_t set_limit(int resource, rlim_t soft)
{
    struct rlimit limit;
    rlim_t before;

    assert_int_equal(getrlimit(resource, &limit), 0);
    before = limit.rlim_cur;
    limit.rlim_cur = soft;
    assert_int_equal(setrlimit(resource, &limit), 0);
    return before;
}

/* Headers that promise up to 2^62 weights in a file of 100 bytes: refused at the byte where the
 * file ends, not for want of memory, of which there is little. */
static void test_promises_of_a_header_cost_nothing(void **state)
{
    static const char *const promises[] = {
        "solver_type L2R_LR\nnr_class 2\nlabel 1 2\nnr_feature 2147483647\nbias 1\nw\n1 \n2 \n",
        "solver_type MCSVM_CS\nnr_class 2\nlabel 1 2\nnr_feature 2147483647\nbias 1\nw\n1 2 \n",
        "nr_feature 2147483647\nnr_class 2147483647\nsolver_type L2R_LR\nbias 1\nlabel 1 2 3",
        "solver_type L2R_LR\nnr_class 2147483647\nnr_feature 2147483647\nlabel 1\nbias 1\nw\n1 ",
        "solver_type L2R_LR\nnr_class 3\nlabel 1 2 3\nnr_feature 2147483647\nbias -1\nw\n1 2 3 ",
    };
    clock_t start = clock();

    (void)state;
    for (size_t k = 0; k < sizeof promises / sizeof *promises; k++) {
        struct hinge_error error;
        struct hinge_model *model;
#ifndef ADDRESS_SANITIZER /* which needs terabytes of addresses for itself */
        rlim_t before = set_limit(RLIMIT_AS, (rlim_t)1 << 28);
#endif

        model = read_bytes(promises[k], strlen(promises[k]), &error);
#ifndef ADDRESS_SANITIZER
        set_limit(RLIMIT_AS, before);
#endif
        assert_null(model);
        if (error.status != HINGE_BAD_INPUT)
            fail_msg("%d %s", (int)error.status, error.message);
    }
    assert_true((double)(clock() - start) / CLOCKS_PER_SEC < 0.5);
}

/* A cut file is refused, unless the cut lies behind the last weight or inside its digits. */
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

/* Overwrites, deletes, doubles or inserts some bytes; returns the new length. */
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

/* What was read is a model: finite numbers in arrays as long as they should be. */
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
    char *text[3];
    size_t length[3];

    (void)state;
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
                        strncmp(error.message, READ_FROM ":", sizeof READ_FROM) == 0);
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
    assert_null(hinge_model_read("build/scratch", &error));
    assert_int_equal(error.status, HINGE_FILE_ERROR);
    assert_non_null(strstr(error.message, "build/scratch"));
}

/* ---- Decisions ----------------------------------------------------------- */

/* A random row of features below `bound`, ascending. */
static size_t draw_row(uint32_t *index, double *value, uint32_t bound, uint64_t *state)
{
    size_t count = 0;

    for (uint32_t j = 0; j < bound; j++)
        if (random_unit(state) < 0.4) {
            index[count] = j;
            value[count++] = random_unit(state) * 4 - 2;
        }
    return count;
}

/* <w_c, x> of the dense row, and in *size the sum of the absolute values. */
static double dense_decision(const struct hinge_model *model, const double *dense, size_t c,
                             double *size)
{
    long double sum = 0;

    *size = 0;
    for (size_t j = 0; j < model->features; j++) {
        sum += (long double)model->weight[j * model->columns + c] * dense[j];
        *size += fabs(model->weight[j * model->columns + c] * dense[j]);
    }
    if (model->bias >= 0) {
        double weight = model->weight[model->features * model->columns + c];

        sum += (long double)weight * model->bias;
        *size += fabs(weight * model->bias);
    }
    return (double)sum;
}

/* Rows go on beyond the model's features, where nothing counts. */
static void test_decision_values_agree_with_dense_ones(void **state)
{
    static const double biases[] = {-1, 0, 1, 0.3};
    enum { BEYOND = 20 };
    uint64_t random = 5;

    (void)state;
    for (uint64_t seed = 0; seed < 500; seed++) {
        static struct sample sample;
        uint32_t index[MOST_FEATURES + BEYOND], features = (uint32_t)(seed % (MOST_FEATURES + 1));
        double value[MOST_FEATURES + BEYOND], dense[MOST_FEATURES] = {0};
        double decision[MOST_CLASSES] = {NAN, NAN, NAN, NAN, NAN, NAN}, size;
        struct hinge_row row = {1, 0, 0, index, value};

        sample_draw(&sample, 1 + seed % MOST_CLASSES, features, biases[seed % 4], seed);
        for (size_t k = 0; k < count_weights(&sample.model); k++)
            sample.weight[k] = random_unit(&random) * 2 - 1;
        row.count = draw_row(index, value, features + BEYOND, &random);
        for (size_t k = 0; k < row.count; k++)
            if (index[k] < features)
                dense[index[k]] = value[k];
        hinge_decision_values(&sample.model, &row, decision);
        for (size_t c = 0; c < sample.model.columns; c++)
            assert_true(fabs(decision[c] - dense_decision(&sample.model, dense, c, &size)) <=
                        1e-14 * size);
        for (size_t c = sample.model.columns; c < MOST_CLASSES; c++)
            assert_true(isnan(decision[c]));
    }
}

/* A row that only has features that the model does not know, or none, has the bias alone. */
static void test_unknown_features_leave_the_bias(void **state)
{
    double label[] = {1, -1}, weight[] = {5, 0.75};
    const uint32_t index[] = {1, 2147483645};
    const double value[] = {1e300, 1e300};
    struct hinge_model model = {
        .classes = 2, .label = label, .features = 1, .bias = 2, .columns = 1, .weight = weight};
    struct hinge_row row = {1, 0, 2, index, value};
    double decision;

    (void)state;
    hinge_decision_values(&model, &row, &decision);
    assert_true(decision == 1.5);
    row.count = 0;
    hinge_decision_values(&model, &row, &decision);
    assert_true(decision == 1.5);
    model.bias = -1;
    hinge_decision_values(&model, &row, &decision);
    assert_true(decision == 0);
    assert_int_equal(hinge_decide(&model, &decision), 1);
}

static void test_decisions_and_ties(void **state)
{
    struct hinge_model two = {.classes = 2, .columns = 1}, pair = {.classes = 2, .columns = 2};
    struct hinge_model four = {.classes = 4, .columns = 4}, one = {.classes = 1, .columns = 1};

    (void)state;
    assert_int_equal(hinge_decide(&two, (double[]){1e-300}), 0);
    assert_int_equal(hinge_decide(&two, (double[]){-1e-300}), 1);
    assert_int_equal(hinge_decide(&two, (double[]){0.0}), 1);
    assert_int_equal(hinge_decide(&two, (double[]){-0.0}), 1);
    assert_int_equal(hinge_decide(&two, (double[]){NAN}), 1);
    assert_int_equal(hinge_decide(&pair, (double[]){-1, -2}), 0);
    assert_int_equal(hinge_decide(&pair, (double[]){-2, -1}), 1);
    assert_int_equal(hinge_decide(&pair, (double[]){3, 3}), 0);
    assert_int_equal(hinge_decide(&four, (double[]){-3, -1, -1, -2}), 1);
    assert_int_equal(hinge_decide(&four, (double[]){-3, -2, -4, -1}), 3);
    assert_int_equal(hinge_decide(&four, (double[]){0, 0, 0, 0}), 0);
    assert_int_equal(hinge_decide(&four, (double[]){-0.0, 0.0, 0, 0}), 0);
    assert_int_equal(hinge_decide(&one, (double[]){-5}), 0);
}

/* ---- Files that appear whole ---------------------------------------------- */

/* Removes the temporary files in the scratch folder whose names start so; returns how many there
 * were. */
static int remove_temporaries(const char *start)
{
    DIR *folder;
    struct dirent *entry;
    int count = 0;

    scratch_path(""); /* makes the folder */
    folder = opendir("build/scratch");
    assert_non_null(folder);
    while ((entry = readdir(folder)))
        if (strncmp(entry->d_name, start, strlen(start)) == 0 && strstr(entry->d_name, ".tmp")) {
            remove(scratch_path(entry->d_name));
            count++;
        }
    closedir(folder);
    return count;
}

static void expect_content(const char *name, const char *expected)
{
    size_t length;
    char *text = read_file(scratch_path(name), &length);

    assert_non_null(text);
    assert_string_equal(text, expected);
    free(text);
}

/* A disk that is full after 512 bytes, as far as this process is concerned. */
static void test_full_disk_leaves_the_old_model(void **state)
{
    static struct sample sample;
    struct hinge_error error = {HINGE_OK, ""};
    void (*handler)(int) = signal(SIGXFSZ, SIG_IGN);
    enum hinge_status status;
    rlim_t before;

    (void)state;
    sample_draw(&sample, 5, MOST_FEATURES, 1, 1);
    scratch_write("test_model.kept", "the old model", 13);
    before = set_limit(RLIMIT_FSIZE, 512);
    status = hinge_model_write(&sample.model, scratch_path("test_model.kept"), &error);
    set_limit(RLIMIT_FSIZE, before);
    signal(SIGXFSZ, handler);
    assert_int_equal(status, HINGE_FILE_ERROR);
    assert_int_equal(error.status, HINGE_FILE_ERROR);
    assert_non_null(strstr(error.message, "test_model.kept"));
    assert_null(strstr(error.message, ".tmp"));
    expect_content("test_model.kept", "the old model");
    assert_int_equal(remove_temporaries("test_model.kept"), 0);
}

static void test_writing_replaces_the_old_model(void **state)
{
    static struct sample sample;
    size_t length;
    char *text;

    (void)state;
    sample_draw(&sample, 2, 1, -1, 0);
    sample.weight[0] = 2;
    scratch_write("test_model.kept", "longer than the new one will be ... not", 39);
    text = written(&sample.model, "test_model.kept", &length);
    assert_non_null(strstr(text, "\nw\n2 \n"));
    assert_string_equal(strstr(text, "\nw\n"), "\nw\n2 \n");
    assert_int_equal(remove_temporaries("test_model.kept"), 0);
    free(text);
}

static void expect_unwritable(const char *path)
{
    static struct sample sample;
    struct hinge_error error = {HINGE_OK, ""};

    sample_draw(&sample, 2, 3, -1, 0);
    assert_int_equal(hinge_model_write(&sample.model, path, &error), HINGE_FILE_ERROR);
    assert_int_equal(error.status, HINGE_FILE_ERROR);
    assert_non_null(strstr(error.message, path));
    error.status = HINGE_OK;
    error.message[0] = '\0';
    assert_int_equal(hinge_model_check_writable(path, &error), HINGE_FILE_ERROR);
    assert_int_equal(error.status, HINGE_FILE_ERROR);
    assert_non_null(strstr(error.message, path));
}

static void test_unwritable_places_are_refused(void **state)
{
    struct stat status;
    char path[300];

    (void)state;
    snprintf(path, sizeof path, "%s/model", scratch_path("test_model.absent"));
    expect_unwritable(path);
    snprintf(path, sizeof path, "%s", scratch_path("test_model.folder"));
    mkdir(path, 0777);
    expect_unwritable(path);
    assert_true(stat(path, &status) == 0 && S_ISDIR(status.st_mode));
    assert_int_equal(remove_temporaries("test_model.folder"), 0);
    snprintf(path, sizeof path, "%s/model", scratch_path("test_model.kept"));
    scratch_write("test_model.kept", "no folder", 9);
    expect_unwritable(path);
    expect_content("test_model.kept", "no folder");
    expect_unwritable("");
}

/* Permissions do not bind root. */
static void test_protected_places_are_refused(void **state)
{
    char path[300];

    (void)state;
    if (geteuid() == 0) {
        print_message("permissions mean nothing to root: skipped\n");
        skip();
    }
    snprintf(path, sizeof path, "%s", scratch_write("test_model.protected", "old", 3));
    chmod(path, 0444);
    expect_unwritable(path);
    expect_content("test_model.protected", "old");
    chmod(path, 0666);
    remove(path);
    snprintf(path, sizeof path, "%s", scratch_path("test_model.folder"));
    mkdir(path, 0777);
    chmod(path, 0555);
    strcat(path, "/model");
    expect_unwritable(path);
    chmod(scratch_path("test_model.folder"), 0777);
}

static void test_checking_leaves_no_trace(void **state)
{
    struct hinge_error error;
    struct stat before, after;
    char path[300];

    (void)state;
    snprintf(path, sizeof path, "%s", scratch_path("test_model.new"));
    remove(path);
    assert_int_equal(hinge_model_check_writable(path, &error), HINGE_OK);
    assert_true(stat(path, &after) != 0 && errno == ENOENT);
    assert_int_equal(remove_temporaries("test_model.new"), 0);
    for (size_t length = 0; length <= 9; length += 9) {
        snprintf(path, sizeof path, "%s", scratch_write("test_model.kept", "as it was", length));
        assert_int_equal(stat(path, &before), 0);
        assert_int_equal(hinge_model_check_writable(path, &error), HINGE_OK);
        assert_int_equal(stat(path, &after), 0);
        assert_true(before.st_ino == after.st_ino && before.st_mode == after.st_mode);
        expect_content("test_model.kept", length ? "as it was" : "");
        assert_int_equal(remove_temporaries("test_model.kept"), 0);
    }
}

/* What a rename would destroy is written in place, also where its name lies elsewhere. */
static void test_devices_stay_devices(void **state)
{
    static const char *const devices[] = {"/dev/null", "/dev/full"};
    static struct sample sample;
    char link[300];

    (void)state;
    sample_draw(&sample, 2, 3, -1, 0);
    snprintf(link, sizeof link, "%s", scratch_path("test_model.link"));
    for (int k = 0; k < 4; k++) {
        const char *device = devices[k / 2], *path = k % 2 ? link : device;
        struct hinge_error error = {HINGE_OK, ""};
        struct stat status;

        if (stat(device, &status) != 0)
            continue;
        remove(link);
        assert_int_equal(symlink(device, link), 0);
        assert_int_equal(hinge_model_check_writable(path, &error), HINGE_OK);
        assert_int_equal(hinge_model_write(&sample.model, path, &error),
                         k < 2 ? HINGE_OK : HINGE_FILE_ERROR);
        assert_true(k < 2 || strstr(error.message, path));
        assert_true(stat(path, &status) == 0 && S_ISCHR(status.st_mode));
        assert_true(lstat(link, &status) == 0 && S_ISLNK(status.st_mode));
    }
    remove(link);
}

/* A pipe can be neither replaced nor tried without its reader seeing an end: it is refused. */
static void test_named_pipes_are_refused(void **state)
{
    struct stat status;
    char path[300];
    int reader;

    (void)state;
    snprintf(path, sizeof path, "%s", scratch_path("test_model.pipe"));
    remove(path);
    assert_int_equal(mkfifo(path, 0600), 0);
    reader = open(path, O_RDONLY | O_NONBLOCK); /* so that nothing here waits for one */
    assert_true(reader >= 0);
    expect_unwritable(path);
    assert_true(stat(path, &status) == 0 && S_ISFIFO(status.st_mode));
    assert_int_equal(remove_temporaries("test_model.pipe"), 0);
    close(reader);
    remove(path);
}

static void test_freeing_nothing_is_allowed(void **state)
{
    (void)state;
    hinge_model_free(NULL);
}

/* What an earlier run that failed has left is not this one's fault. */
static int clean(void **state)
{
    (void)state;
    remove_temporaries("test_model.");
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_two_classes_are_written_as_by_liblinear),
        cmocka_unit_test(test_more_classes_are_written_as_by_liblinear),
        cmocka_unit_test(test_record_follows_the_weights),
        cmocka_unit_test(test_round_trip_keeps_every_bit),
        cmocka_unit_test(test_steps_survive_their_file),
        cmocka_unit_test(test_trained_model_survives_its_file),
        cmocka_unit_test(test_header_keys_come_in_any_order),
        cmocka_unit_test(test_layout_does_not_matter),
        cmocka_unit_test(test_all_classifiers_of_liblinear_are_read),
        cmocka_unit_test(test_columns_follow_type_and_classes),
        cmocka_unit_test(test_unknown_and_repeated_keys_are_refused),
        cmocka_unit_test(test_missing_keys_are_refused),
        cmocka_unit_test(test_other_solver_types_are_refused),
        cmocka_unit_test(test_counts_out_of_range_are_refused),
        cmocka_unit_test(test_bad_labels_and_bias_are_refused),
        cmocka_unit_test(test_bad_weights_are_refused),
        cmocka_unit_test(test_steps_are_read_from_the_record),
        cmocka_unit_test(test_bad_steps_are_refused),
        cmocka_unit_test(test_negative_steps_are_refused),
        cmocka_unit_test(test_steps_do_not_run_over_their_line),
        cmocka_unit_test(test_binary_bytes_are_refused),
        cmocka_unit_test(test_promises_of_a_header_cost_nothing),
        cmocka_unit_test(test_model_cut_anywhere_is_refused_or_whole),
        cmocka_unit_test(test_random_damage_does_no_harm),
        cmocka_unit_test(test_unreadable_files_are_file_errors),
        cmocka_unit_test(test_decision_values_agree_with_dense_ones),
        cmocka_unit_test(test_unknown_features_leave_the_bias),
        cmocka_unit_test(test_decisions_and_ties),
        cmocka_unit_test(test_full_disk_leaves_the_old_model),
        cmocka_unit_test(test_writing_replaces_the_old_model),
        cmocka_unit_test(test_unwritable_places_are_refused),
        cmocka_unit_test(test_protected_places_are_refused),
        cmocka_unit_test(test_checking_leaves_no_trace),
        cmocka_unit_test(test_devices_stay_devices),
        cmocka_unit_test(test_named_pipes_are_refused),
        cmocka_unit_test(test_freeing_nothing_is_allowed),
    };

    return cmocka_run_group_tests(tests, clean, NULL);
}
