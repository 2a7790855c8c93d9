/* test_library.c - the library inside another program: two threads at once, another locale, and
 * refused misuse. */
#define _POSIX_C_SOURCE 200809L /* pthread.h */
#include "support.h"

#include <locale.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const int solvers[] = {1, 2, 3, 50, 60, 61, 30, 31, 32, 33, 40, 41};

enum { SOLVERS = sizeof solvers / sizeof *solvers };

static struct hinge_dataset *read_data(const char *path)
{
    const struct hinge_format format = {0};
    struct hinge_error error;
    struct hinge_dataset *data = hinge_dataset_read(path, &format, &error);

    if (!data)
        fail_msg("%s", error.message);
    return data;
}

/* ---- Two at once ------------------------------------------------------- */

/* The work of one thread: it trains all solvers on its data, and stores the results. */
struct work {
    const struct hinge_dataset *data;
    uint64_t seed;
    const char *path; /* file for models that are written and read again */
    char *text[SOLVERS];
    size_t length[SOLVERS];
    int failed;
};

static void *train_all(void *argument)
{
    struct work *work = argument;

    for (int k = 0; k < SOLVERS; k++) {
        struct hinge_parameters parameters = parameters_default();
        struct hinge_error error;
        struct hinge_model *model, *again;

        parameters.solver = solvers[k];
        parameters.seed = work->seed;
        parameters.C = 10;
        parameters.epochs = 3;
        model = hinge_train(work->data, &parameters, NULL, &error);
        work->failed |= !model || hinge_model_write(model, work->path, &error);
        again = model ? hinge_model_read(work->path, &error) : NULL;
        work->failed |= !again;
        work->text[k] = read_file(work->path, &work->length[k]);
        hinge_model_free(model);
        hinge_model_free(again);
    }
    return NULL;
}

static void forget(struct work *work)
{
    for (int k = 0; k < SOLVERS; k++)
        free(work->text[k]);
}

static void expect_same(const struct work *alone, const struct work *together)
{
    for (int k = 0; k < SOLVERS; k++) {
        assert_true(alone->text[k] && together->text[k]);
        if (alone->length[k] != together->length[k] ||
            memcmp(alone->text[k], together->text[k], alone->length[k]) != 0)
            fail_msg("solver %d: another model beside another thread", solvers[k]);
    }
}

/* Two threads train on the same data, with different seeds. They share the data for reading
 * only. */
static void test_two_threads_do_not_disturb_each_other(void **state)
{
    enum { ROUNDS = 3 };
    static const char *const name[] = {"library.1", "library.2"};
    struct hinge_dataset *data = read_data("data/breast-cancer");
    struct work alone[2];
    char path[2][300];

    (void)state;
    memset(alone, 0, sizeof alone);
    for (int i = 0; i < 2; i++) {
        snprintf(path[i], sizeof path[i], "%s", scratch_path(name[i]));
        alone[i] = (struct work){.data = data, .seed = (uint64_t)i + 1, .path = path[i]};
        train_all(&alone[i]);
        assert_false(alone[i].failed);
    }
    for (int round = 0; round < ROUNDS; round++) {
        struct work together[2];
        pthread_t thread[2];

        for (int i = 0; i < 2; i++) {
            together[i] = (struct work){.data = data, .seed = (uint64_t)i + 1, .path = path[i]};
            assert_int_equal(pthread_create(&thread[i], NULL, train_all, &together[i]), 0);
        }
        for (int i = 0; i < 2; i++)
            assert_int_equal(pthread_join(thread[i], NULL), 0);
        for (int i = 0; i < 2; i++) {
            assert_false(together[i].failed);
            expect_same(&alone[i], &together[i]);
            forget(&together[i]);
        }
    }
    forget(&alone[0]);
    forget(&alone[1]);
    hinge_dataset_free(data);
}

/* Writes and reads the same model again and again, so that data shared by mistake with the other
 * thread is found sooner or later. */
static void *write_often(void *argument)
{
    enum { TIMES = 1000 };
    struct work *work = argument;
    struct hinge_parameters parameters = parameters_default();
    struct hinge_error error;
    struct hinge_model *model;
    size_t weights;

    parameters.solver = 3;
    parameters.seed = work->seed;
    model = hinge_train(work->data, &parameters, NULL, &error);
    work->failed = !model;
    weights = model ? model->features * model->columns : 0;
    for (int k = 0; k < TIMES && !work->failed; k++) {
        struct hinge_model *again = NULL;

        work->failed = hinge_model_write(model, work->path, &error) ||
                       !(again = hinge_model_read(work->path, &error)) ||
                       memcmp(model->weight, again->weight, weights * sizeof *again->weight) != 0;
        hinge_model_free(again);
    }
    hinge_model_free(model);
    return NULL;
}

static void test_two_threads_write_their_own_models(void **state)
{
    static const char *const name[] = {"library.3", "library.4"};
    struct hinge_dataset *data = read_data("data/digits");
    struct work work[2];
    pthread_t thread[2];
    char path[2][300];

    (void)state;
    for (int i = 0; i < 2; i++) {
        snprintf(path[i], sizeof path[i], "%s", scratch_path(name[i]));
        work[i] = (struct work){.data = data, .seed = (uint64_t)i + 1, .path = path[i]};
        assert_int_equal(pthread_create(&thread[i], NULL, write_often, &work[i]), 0);
    }
    for (int i = 0; i < 2; i++)
        assert_int_equal(pthread_join(thread[i], NULL), 0);
    assert_false(work[0].failed);
    assert_false(work[1].failed);
    hinge_dataset_free(data);
}

/* ---- Another locale ---------------------------------------------------- */

/* True if numbers have commas in the locale. musl accepts any name, but keeps points. */
static int has_commas(const char *name)
{
    return setlocale(LC_ALL, name) && strcmp(localeconv()->decimal_point, ",") == 0;
}

/* In this locale the program's printf writes commas, but files stay the same. */
static void test_files_are_the_same_in_a_locale_with_commas(void **state)
{
    static const char *const name[] = {"de_DE.UTF-8", "de_DE.utf8", "de_DE", "fr_FR.UTF-8"};
    struct work works[2];
    char text[8];
    size_t k = 0;

    (void)state;
    memset(works, 0, sizeof works);
    for (int i = 0; i < 2; i++) {
        struct hinge_dataset *data;

        while (i == 1 && k < sizeof name / sizeof *name && !has_commas(name[k]))
            k++;
        if (k == sizeof name / sizeof *name) {
            print_message("[  SKIPPED ] no locale with a comma in numbers is installed\n");
            forget(&works[0]);
            skip();
        }
        snprintf(text, sizeof text, "%.1f", 0.5);
        assert_string_equal(text, i ? "0,5" : "0.5");
        data = read_data("data/breast-cancer");
        works[i] = (struct work){.data = data, .seed = 1, .path = scratch_path("library.locale")};
        train_all(&works[i]);
        hinge_dataset_free(data);
    }
    setlocale(LC_ALL, "C");
    assert_false(works[0].failed || works[1].failed);
    expect_same(&works[0], &works[1]);
    forget(&works[0]);
    forget(&works[1]);
}

/* ---- The manual -------------------------------------------------------- */

/* The lines of the example in hinge.h, without " * ", are a function in example.c, which is
 * compiled and run. */
static void test_the_example_of_the_header_is_compiled(void **state)
{
    size_t length, lines = 0;
    char *header = read_file("include/hinge.h", &length);
    char *example = read_file("tests/library/example.c", &length);
    char *line = header ? strstr(header, " *     const double x[]") : NULL, *end;
    const char *place = example;

    (void)state;
    assert_true(header && example && line);
    for (; strncmp(line, " * Problem", 10) != 0; line = end + 1, lines++) {
        end = strchr(line, '\n');
        assert_non_null(end);
        *end = '\0';
        if (strlen(line) <= 3)
            continue;
        place = strstr(place, line + 3);
        if (!place)
            fail_msg("example.c has not, or not in this place: %s", line);
    }
    assert_true(lines > 10 && lines < 25);
    free(header);
    free(example);
}

/* ---- Accessors --------------------------------------------------------- */

/* Accessors of a dataset, a trained model, and the same model after reading it again. */
static void test_accessors_return_fields(void **state)
{
    struct hinge_dataset *data = read_data("data/breast-cancer");
    struct hinge_parameters *parameters;
    struct hinge_model *model, *again;
    struct hinge_error error;

    (void)state;
    assert_int_equal(hinge_dataset_rows(data), data->x.rows);
    assert_int_equal(hinge_dataset_features(data), 30);
    assert_int_equal(hinge_dataset_entries(data), data->x.nonzeros);
    assert_ptr_equal(hinge_dataset_labels(data), data->label);
    for (int dual = 0; dual < 2; dual++) {
        const struct hinge_result *result;

        assert_non_null(parameters = hinge_parameters_new(&error));
        assert_int_equal(
            hinge_parameters_set(parameters, "solver", dual ? "dcd-l1" : "pegasos", &error),
            HINGE_OK);
        assert_int_equal(hinge_parameters_set(parameters, "keep-alpha", dual ? "1" : "0", &error),
                         HINGE_OK);
        assert_non_null(model = hinge_train(data, parameters, NULL, &error));
        assert_non_null(result = hinge_model_result(model, 0));
        assert_true(result->outcome == (dual ? HINGE_CERTIFIED : HINGE_FINISHED));
        assert_null(hinge_model_result(model, 1));
        assert_true((hinge_model_alpha(model) != NULL) == dual);
        assert_true((hinge_model_steps(model) > 0) == !dual);
        assert_int_equal(hinge_model_write(model, scratch_path("library.accessors"), &error),
                         HINGE_OK);
        assert_non_null(again = hinge_model_read(scratch_path("library.accessors"), &error));
        assert_null(hinge_model_result(again, 0));
        assert_null(hinge_model_alpha(again));
        assert_true(hinge_model_steps(again) == hinge_model_steps(model));
        hinge_model_free(model);
        hinge_model_free(again);
        hinge_parameters_free(parameters);
    }
    hinge_dataset_free(data);
}

/* Copies both kinds of data set: one stored by its entries, one with all features of each row. */
static void test_a_dataset_is_copied(void **state)
{
    static const char *const paths[] = {"data/breast-cancer", "data/digits"};

    (void)state;
    for (int zero_based = 0; zero_based < 2; zero_based++) {
        struct hinge_error error;
        struct hinge_dataset *data =
            hinge_dataset_read_file(paths[zero_based], zero_based, 2, &error);
        const size_t rows = hinge_dataset_rows(data), entries = hinge_dataset_entries(data);
        int64_t *start = malloc((rows + 1) * sizeof *start);
        int32_t *index = malloc(entries * sizeof *index);
        double *value = malloc(entries * sizeof *value);
        const struct hinge_format format = {.zero_based = zero_based};
        struct hinge_reader *reader = hinge_reader_open(paths[zero_based], &format, &error);
        struct hinge_row row;
        int64_t k = 0;

        assert_true(start && index && value && reader);
        assert_int_equal(hinge_dataset_copy(data, start, index, value, &error), HINGE_OK);
        assert_int_equal(start[0], 0);
        for (size_t i = 0; i < rows; i++) {
            assert_int_equal(hinge_reader_next(reader, &row, &error), 1);
            for (size_t j = 0; j < row.count; j++)
                if (row.value[j] != 0) {
                    assert_int_equal(index[k], row.index[j]);
                    assert_true(value[k++] == row.value[j]);
                }
            assert_int_equal(start[i + 1], k);
        }
        hinge_reader_close(reader);
        hinge_dataset_free(data);
        free(start);
        free(index);
        free(value);
    }
}

static void test_paged_data_are_not_copied(void **state)
{
    const struct hinge_format format = {.memory = 50000};
    struct hinge_error error;
    struct hinge_dataset *data = hinge_dataset_read("data/breast-cancer", &format, &error);
    double unused[1];
    int64_t start[1];
    int32_t index[1];

    (void)state;
    assert_true(hinge_dataset_is_paged(data));
    assert_int_equal(hinge_dataset_copy(data, start, index, unused, &error), HINGE_BAD_ARGUMENT);
    hinge_dataset_free(data);
}

/* The calls that a monitor of hinge_monitor_new has received. */
struct seen {
    double last_gap;
    double passes;
    int is_strange;
};

static enum hinge_answer see(void *context, const struct hinge_progress *progress)
{
    struct seen *seen = context;

    if (hinge_progress_value(progress, "last") == 1) {
        seen->last_gap = hinge_progress_value(progress, "relative_gap");
        seen->passes = hinge_progress_value(progress, "passes");
    }
    seen->is_strange |= hinge_progress_value(progress, "problems") != 1 ||
                        !isnan(hinge_progress_value(progress, "no such number"));
    return HINGE_GO_ON;
}

static void test_a_monitor_without_its_struct(void **state)
{
    struct seen seen = {-1, -1, 0};
    struct hinge_error error;
    struct hinge_dataset *data = read_data("data/breast-cancer");
    struct hinge_parameters *parameters = hinge_parameters_new(&error);
    struct hinge_monitor *monitor = hinge_monitor_new(see, &seen, HINGE_BETWEEN, &error);
    struct hinge_model *model = hinge_train(data, parameters, monitor, &error);

    (void)state;
    assert_non_null(model);
    assert_true(seen.last_gap == hinge_model_value(model, "relative_gap", 0));
    assert_true(seen.passes == hinge_model_value(model, "iterations", 0));
    assert_false(seen.is_strange);
    hinge_monitor_free(monitor);
    hinge_monitor_free(NULL);
    hinge_model_free(model);
    hinge_parameters_free(parameters);
    hinge_dataset_free(data);
}

/* ---- Misuse ------------------------------------------------------------ */

static struct hinge_dataset *small_data(void)
{
    static size_t start[] = {0, 1, 2, 3, 4};
    static uint8_t index[] = {0, 0, 0, 0};
    static double value[] = {1, -1, 2, -3}, label[] = {1, -1, 1, -1};
    static struct hinge_dataset data;

    data = (struct hinge_dataset){.x = {.rows = 4,
                                        .nonzeros = 4,
                                        .start = start,
                                        .value_kind = HINGE_VALUE_DOUBLE,
                                        .index = index,
                                        .value = value},
                                  .features = 1,
                                  .label = label};
    return &data;
}

static void expect_error(const struct hinge_error *error, enum hinge_status status,
                         const char *message)
{
    assert_int_equal(error->status, status);
    assert_string_equal(error->message, message);
}

static void test_values_of_C_that_are_none_are_refused(void **state)
{
    const double wrong[] = {0, -0.0, -1, 1e101, 1e-101, HUGE_VAL, -HUGE_VAL};
    struct hinge_parameters parameters = parameters_default();
    const struct hinge_dataset *data = small_data();
    struct hinge_validation validation[2];
    struct hinge_error error;
    int interrupted;

    (void)state;
    for (size_t k = 0; k < COUNT(wrong); k++)
        for (int place = 0; place < 2; place++) {
            const double C[] = {place ? 1 : wrong[k], place ? wrong[k] : 1};
            struct hinge_model *models[2];

            error.status = HINGE_OK;
            assert_int_equal(hinge_train_path(data, &parameters, C, 2, NULL, models, &error),
                             HINGE_BAD_ARGUMENT);
            assert_int_equal(error.status, HINGE_BAD_ARGUMENT);
            assert_true(!models[0] && !models[1]);
            error.status = HINGE_OK;
            assert_int_equal(hinge_cross_validate(data, &parameters, 2, C, 2, NULL, validation,
                                                  &interrupted, &error),
                             HINGE_BAD_ARGUMENT);
            assert_int_equal(error.status, HINGE_BAD_ARGUMENT);
            assert_true(!validation[0].predictions && !validation[1].predictions);
        }
    expect_error(&error, HINGE_BAD_ARGUMENT,
                 "the cost of a row, C times its weights, is -inf: not between 1e-100 and 1e100");
    assert_int_equal(
        hinge_train_path(data, &parameters, wrong, 1, NULL, (struct hinge_model *[]){NULL}, &error),
        HINGE_BAD_ARGUMENT);
    expect_error(&error, HINGE_BAD_ARGUMENT, "C: 0 is not between 1e-100 and 1e100");
    for (size_t k = 0; k < COUNT(wrong); k++) {
        parameters.C = wrong[k];
        assert_null(hinge_train(data, &parameters, NULL, &error));
        expect_error(&error, HINGE_BAD_ARGUMENT, "C: not between 1e-100 and 1e100");
        assert_true(hinge_least_C(data, &parameters, &error) == 0);
    }
}

static void test_counts_are_checked(void **state)
{
    static const double C[] = {1, 2};
    struct hinge_parameters parameters = parameters_default();
    struct hinge_dataset *data = small_data();
    struct hinge_validation validation[2] = {{0}};
    struct hinge_error error = {HINGE_OK, ""};
    struct hinge_model *model;
    int interrupted = 1;

    (void)state;
    assert_int_equal(hinge_train_path(data, &parameters, NULL, 0, NULL, NULL, &error), HINGE_OK);
    assert_int_equal(
        hinge_cross_validate(data, &parameters, 2, NULL, 0, NULL, NULL, &interrupted, &error),
        HINGE_OK);
    assert_int_equal(interrupted, 0);
    for (size_t folds = 0; folds < 6; folds += folds == 1 ? 4 : 1) {
        assert_int_equal(hinge_cross_validate(data, &parameters, folds, C, 2, NULL, validation,
                                              &interrupted, &error),
                         HINGE_BAD_ARGUMENT);
        expect_error(&error, HINGE_BAD_ARGUMENT, "folds: not between 2 and the 4 rows");
    }
    parameters.lambda = 0.5;
    for (size_t count = 0; count < 3; count += 2) {
        assert_int_equal(hinge_cross_validate(data, &parameters, 2, C, count, NULL, validation,
                                              &interrupted, &error),
                         HINGE_BAD_ARGUMENT);
        assert_true(strstr(error.message, "count: with lambda there is one C, not ") != NULL);
    }
    for (int has_lambda = 0; has_lambda < 2; has_lambda++) {
        parameters.lambda = has_lambda;
        data->x.rows = 0;
        assert_null(hinge_train(data, &parameters, NULL, &error));
        expect_error(&error, HINGE_BAD_INPUT, "no rows");
        data->x.rows = 1;
        assert_null(hinge_train(data, &parameters, NULL, &error));
        assert_int_equal(error.status, HINGE_BAD_INPUT);
        data->x.rows = 4;
    }
    parameters.row_weight = C;
    parameters.row_weights = 2;
    assert_null(hinge_train(data, &parameters, NULL, &error));
    expect_error(&error, HINGE_BAD_ARGUMENT, "row_weights: 2 for 4 rows");
    assert_null(hinge_solver_at(1000));
    assert_null(hinge_solver_at(SIZE_MAX));
    assert_null(hinge_solver_find(-1));
    assert_string_equal(hinge_outcome_name((enum hinge_outcome)77), "unknown");
    parameters = parameters_default();
    model = hinge_train(data, &parameters, NULL, &error);
    assert_non_null(model);
    assert_int_equal(hinge_alpha_write(model, scratch_path("library.alpha"), &error),
                     HINGE_BAD_ARGUMENT);
    expect_error(&error, HINGE_BAD_ARGUMENT, "the model has no alpha: train it with keep_alpha");
    hinge_model_free(model);
}

/* Without this check, an invalid position would read and write outside the arrays. */
static void test_predicted_classes_are_checked(void **state)
{
    static const double label[] = {5, 7, 5};
    struct hinge_error error = {HINGE_OK, ""};

    (void)state;
    for (size_t classes = 0; classes <= 3; classes++) { /* 0: of a regression */
        struct hinge_predictions *predictions = hinge_predictions_new(label, classes, &error);
        const size_t last = classes > 0 ? classes - 1 : 0;

        assert_non_null(predictions);
        /* one label is unknown to the model */
        assert_int_equal(hinge_predictions_add(predictions, 9, last, 0, &error), HINGE_OK);
        for (size_t beyond = last + 1; beyond < last + 4; beyond++)
            assert_int_equal(hinge_predictions_add(predictions, 5, beyond, 0, &error),
                             HINGE_BAD_ARGUMENT);
        assert_int_equal(hinge_predictions_add(predictions, 5, SIZE_MAX, 0, &error),
                         HINGE_BAD_ARGUMENT);
        assert_int_equal(predictions->rows, 1);
        hinge_predictions_free(predictions);
    }
}

/* Every function that may be called with NULL, or again, accepts that. */
static void test_what_is_freed_twice_or_never_was(void **state)
{
    static const double C[] = {1};
    struct hinge_parameters parameters = parameters_default();
    struct hinge_validation validation = {0};
    struct hinge_error error;
    int interrupted;

    (void)state;
    hinge_model_free(NULL);
    hinge_dataset_free(NULL);
    hinge_reader_close(NULL);
    hinge_predictions_free(NULL);
    hinge_metrics_free(NULL);
    hinge_validation_clear(NULL);
    hinge_validation_clear(&validation);
    assert_int_equal(hinge_cross_validate(small_data(), &parameters, 2, C, 1, NULL, &validation,
                                          &interrupted, &error),
                     HINGE_OK);
    assert_non_null(validation.predictions);
    hinge_validation_clear(&validation);
    assert_null(validation.predictions);
    hinge_validation_clear(&validation);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_two_threads_do_not_disturb_each_other),
        cmocka_unit_test(test_two_threads_write_their_own_models),
        cmocka_unit_test(test_files_are_the_same_in_a_locale_with_commas),
        cmocka_unit_test(test_accessors_return_fields),
        cmocka_unit_test(test_a_dataset_is_copied),
        cmocka_unit_test(test_paged_data_are_not_copied),
        cmocka_unit_test(test_a_monitor_without_its_struct),
        cmocka_unit_test(test_the_example_of_the_header_is_compiled),
        cmocka_unit_test(test_values_of_C_that_are_none_are_refused),
        cmocka_unit_test(test_counts_are_checked),
        cmocka_unit_test(test_predicted_classes_are_checked),
        cmocka_unit_test(test_what_is_freed_twice_or_never_was),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
