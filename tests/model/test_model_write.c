/* test_model_write.c - writes LIBLINEAR's model format and reads it back; model files
 * appear whole or not at all. */
#define _XOPEN_SOURCE 700 /* mkfifo, symlink */
#include "models.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- Writing ------------------------------------------------------------ */

static void expect_text(const struct hinge_model *model, const char *expected)
{
    size_t length;
    char *text = written(model, "test_model.text", &length);

    assert_int_equal(length, strlen(expected));
    assert_string_equal(text, expected);
    free(text);
}

/* The model is in LIBLINEAR's format to the byte, including the blank at the end of each line of
 * weights. */
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
    model.bias = -7; /* no bias is always written as -1 */
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

/* LIBLINEAR writes a one-class model without labels, and its bias as rho. */
static void test_one_class_is_written_as_by_liblinear(void **state)
{
    double label[] = {1, -1}, weight[] = {0.5, -2, -0.75};
    struct hinge_model model = {.classes = 2,
                                .label = label,
                                .features = 2,
                                .bias = 1,
                                .columns = 1,
                                .weight = weight,
                                .one_class = 1,
                                .solver_type = "ONECLASS_SVM"};

    (void)state;
    expect_text(&model, "solver_type ONECLASS_SVM\nnr_class 2\nnr_feature 2\nbias -1\n"
                        "rho 0.75\nw\n0.5 \n-2 \n");
    weight[2] = 0; /* no rho of -0 */
    expect_text(&model, "solver_type ONECLASS_SVM\nnr_class 2\nnr_feature 2\nbias -1\n"
                        "rho 0\nw\n0.5 \n-2 \n");
}

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
                                      result->relative_gap};
            char *end;

            assert_true(strtod(p, &end) == numbers[k]);
            p = end;
        }
        assert_int_equal(p[strspn(p, " ")], '\n');
    }
}

/* After the last weight, where LIBLINEAR reads nothing, there are only lines "# key value". */
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

/* ---- Written and read back ----------------------------------------------- */

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
        double sigmoid[2 * MOST_CLASSES];
        struct hinge_error error = {HINGE_OK, ""};
        struct hinge_model *model;

        sample_draw(&sample, 1 + seed / 3 % MOST_CLASSES, features[seed % 4], biases[seed % 6],
                    seed);
        if (seed % 5 < 3)
            sample_record(&sample, seed);
        sample.model.zero_based = seed % 5 == 1;
        for (size_t k = 0; k < COUNT(sigmoid); k++)
            sigmoid[k] = ((double)seed - 200) / (double)(3 * k + 7);
        sample.model.sigmoid = seed % 3 ? sigmoid : NULL;
        assert_int_equal(hinge_model_write(&sample.model, scratch_path("test_model.trip"), &error),
                         HINGE_OK);
        model = hinge_model_read(scratch_path("test_model.trip"), &error);
        if (!model)
            fail_msg("%s", error.message);
        expect_same(&sample.model, model);
        assert_null(model->solver);
        assert_null(model->result);
        assert_int_equal(model->sigmoid != NULL, seed % 3 != 0);
        if (model->sigmoid)
            assert_true(same_bits(model->sigmoid, sigmoid, 2 * model->columns));
        hinge_model_free(model);
    }
}

/* The model of a stochastic solver keeps the number of its steps, up to the largest number. Models
 * of other solvers have no such number, also when they are read. */
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
    const struct hinge_format format = {0};
    const char *path = data_path("digits");
    struct hinge_parameters parameters = parameters_default();
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

/* ---- Files that appear whole ---------------------------------------------- */

/* Removes the temporary files in the scratch folder whose names begin with `start`. Returns their
 * number. */
static int remove_temporaries(const char *start)
{
    DIR *folder;
    struct dirent *entry;
    int count = 0;

    folder = opendir(scratch_path("")); /* scratch_path makes it */
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

/* For this process, the disk is full after 512 bytes. */
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

/* The test is skipped for root, who may write everywhere. */
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

/* A file that a rename would destroy, such as a device, is written in place, also through a link.
 */
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

/* A pipe is refused. It cannot be replaced, and its reader would see an end after a trial. */
static void test_named_pipes_are_refused(void **state)
{
    struct stat status;
    char path[300];
    int reader;

    (void)state;
    snprintf(path, sizeof path, "%s", scratch_path("test_model.pipe"));
    remove(path);
    assert_int_equal(mkfifo(path, 0600), 0);
    reader = open(path, O_RDONLY | O_NONBLOCK); /* so that no open waits for a reader */
    assert_true(reader >= 0);
    expect_unwritable(path);
    assert_true(stat(path, &status) == 0 && S_ISFIFO(status.st_mode));
    assert_int_equal(remove_temporaries("test_model.pipe"), 0);
    close(reader);
    remove(path);
}

/* Removes files that an earlier, failed run left behind. */
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
        cmocka_unit_test(test_one_class_is_written_as_by_liblinear),
        cmocka_unit_test(test_record_follows_the_weights),
        cmocka_unit_test(test_round_trip_keeps_every_bit),
        cmocka_unit_test(test_steps_survive_their_file),
        cmocka_unit_test(test_trained_model_survives_its_file),
        cmocka_unit_test(test_full_disk_leaves_the_old_model),
        cmocka_unit_test(test_writing_replaces_the_old_model),
        cmocka_unit_test(test_unwritable_places_are_refused),
        cmocka_unit_test(test_protected_places_are_refused),
        cmocka_unit_test(test_checking_leaves_no_trace),
        cmocka_unit_test(test_devices_stay_devices),
        cmocka_unit_test(test_named_pipes_are_refused),
    };

    return cmocka_run_group_tests(tests, clean, NULL);
}
