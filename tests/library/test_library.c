/* test_library.c - the library inside another program: two threads at once, and another
 * locale. */
#define _POSIX_C_SOURCE 200809L /* pthread.h */
#include "support.h"

#include <locale.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const int solvers[] = {1, 2, 3, 50, 60, 61, 30, 31, 32, 33, 40, 41};

enum { SOLVERS = sizeof solvers / sizeof *solvers };

static struct hinge_dataset *read_data(const char *path)
{
    const struct hinge_format format = {0, 0};
    struct hinge_error error;
    struct hinge_dataset *data = hinge_dataset_read(path, &format, &error);

    if (!data)
        fail_msg("%s", error.message);
    return data;
}

/* ---- Two at once ------------------------------------------------------- */

/* What one thread does: all solvers on its data, and what came of it. */
struct work {
    const struct hinge_dataset *data;
    uint64_t seed;
    const char *path; /* where models are written and read again */
    char *text[SOLVERS];
    size_t length[SOLVERS];
    int failed;
};

static void *train_all(void *argument)
{
    struct work *work = argument;

    for (int k = 0; k < SOLVERS; k++) {
        struct hinge_parameters parameters = hinge_parameters_default();
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

/* Both threads train on the same data, from other seeds: only for reading is it shared. */
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

/* Writes and reads the same model again and again; a number of its own that another thread can get
 * at is found sooner or later. */
static void *write_often(void *argument)
{
    enum { TIMES = 1000 };
    struct work *work = argument;
    struct hinge_parameters parameters = hinge_parameters_default();
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

/* musl takes any name and goes on with points. */
static int has_commas(const char *name)
{
    return setlocale(LC_ALL, name) && strcmp(localeconv()->decimal_point, ",") == 0;
}

/* The program's own printf writes commas then; files stay what they are. */
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_two_threads_do_not_disturb_each_other),
        cmocka_unit_test(test_two_threads_write_their_own_models),
        cmocka_unit_test(test_files_are_the_same_in_a_locale_with_commas),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
