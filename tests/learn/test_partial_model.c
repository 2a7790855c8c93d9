/* test_partial_model.c - monitors see the model that an interrupt would return. */
#include "learn/path.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support.h"

/* A monitor that looks at models, and stops after `most` looks. */
struct look {
    size_t looks, most;
    size_t measured, without_model;
    double *weight; /* [weights] weights of the last model shown */
    size_t weights;
    enum hinge_outcome outcome[16]; /* outcomes of its problems */
    double primal[16];
    size_t problems;
};

static size_t weights_of(const struct hinge_model *model)
{
    return ((size_t)model->features + (model->bias >= 0)) * model->columns;
}

static enum hinge_answer look(void *context, const struct hinge_progress *progress)
{
    struct look *seen = context;
    const struct hinge_model *model = progress->model;
    const size_t columns = model ? model->columns : 0;
    int is_progress;

    if (progress->rows == 0)
        return seen->looks >= seen->most ? HINGE_INTERRUPT : HINGE_GO_ON;
    if (!progress->measured) {
        assert_null(model);
        return HINGE_MEASURE;
    }
    seen->measured++;
    seen->without_model += !model;
    if (!model)
        return HINGE_GO_ON;
    seen->weights = weights_of(model);
    seen->weight = realloc(seen->weight, seen->weights * sizeof *seen->weight);
    memcpy(seen->weight, model->weight, seen->weights * sizeof *seen->weight);
    is_progress = model->result[progress->problem].primal == progress->primal;
    assert_true(is_progress || model->result[progress->problem].primal < progress->primal);
    for (size_t j = 0; is_progress && j < progress->features * progress->outputs; j++)
        assert_true(model->weight[j / progress->outputs * columns + progress->problem +
                                  j % progress->outputs] == (progress->w ? progress->w[j] : 0));
    for (size_t c = 0; c < seen->problems; c++) /* a problem that has ended may not be the best */
        assert_false(seen->primal[c] < model->result[c].primal &&
                     model->result[c].outcome == HINGE_INTERRUPTED);
    seen->problems = model->problems;
    for (size_t c = 0; c < model->problems && c < COUNT(seen->outcome); c++) {
        seen->outcome[c] = model->result[c].outcome;
        seen->primal[c] = model->result[c].primal;
    }
    return ++seen->looks >= seen->most ? HINGE_INTERRUPT : HINGE_GO_ON;
}

/* Trains until `looks` looks. Returns the model, which must be the last one shown. */
static struct hinge_model *train_until(const struct hinge_dataset *data,
                                       const struct hinge_parameters *parameters, size_t looks,
                                       struct look *seen)
{
    struct hinge_monitor monitor = {look, seen, NULL, HINGE_MODEL};
    struct hinge_error error;
    struct hinge_model *model;

    *seen = (struct look){.most = looks};
    model = hinge_train(data, parameters, &monitor, &error);
    assert_non_null(model);
    return model;
}

static void test_the_model_of_an_interrupt(void **state)
{
    static const struct {
        const char *data;
        int solver;
        size_t looks;
    } cases[] = {{"data/breast-cancer", 3, 4}, {"data/breast-cancer", 2, 2},
                 {"data/digits", 3, 9},        {"data/digits", 4, 3},
                 {"data/digits", 62, 2},       {"data/digits", 11, 2}};
    const struct hinge_format format = {.threads = 1};
    struct hinge_error error;

    (void)state;
    for (size_t k = 0; k < COUNT(cases); k++) {
        struct hinge_dataset *data = hinge_dataset_read(cases[k].data, &format, &error);
        struct hinge_parameters parameters = parameters_default();
        struct hinge_model *model;
        struct look seen;

        assert_non_null(data);
        parameters.solver = cases[k].solver;
        parameters.bias = 1;
        parameters.relative_gap = 1e-12;
        model = train_until(data, &parameters, cases[k].looks, &seen);
        assert_int_equal(seen.without_model, 0);
        assert_true(seen.measured >= cases[k].looks);
        assert_int_equal(seen.weights, weights_of(model));
        assert_memory_equal(seen.weight, model->weight, seen.weights * sizeof(double));
        assert_int_equal(seen.problems, model->problems);
        for (size_t c = 0; c < model->problems; c++) {
            const enum hinge_outcome outcome = model->result[c].outcome;

            assert_int_equal(seen.outcome[c], outcome);
            assert_true(seen.primal[c] == model->result[c].primal || outcome == HINGE_NOT_BEGUN);
        }
        free(seen.weight);
        hinge_model_free(model);
        hinge_dataset_free(data);
    }
}

/* Checks the number of steps in the model, including those of its start. */
static enum hinge_answer look_at_steps(void *context, const struct hinge_progress *progress)
{
    const double *from = context;

    if (progress->rows > 0 && !progress->measured)
        return HINGE_MEASURE;
    if (progress->rows > 0)
        assert_true(progress->model->steps == *from + (double)progress->passes);
    return HINGE_GO_ON;
}

static void test_steps_so_far(void **state)
{
    const struct hinge_format format = {.threads = 1};
    struct hinge_parameters parameters = parameters_default();
    double from = 0;
    struct hinge_monitor monitor = {look_at_steps, &from, NULL, HINGE_MODEL};
    struct hinge_error error;
    struct hinge_dataset *data = hinge_dataset_read("data/breast-cancer", &format, &error);
    struct hinge_model *initial, *model;

    (void)state;
    assert_non_null(data);
    parameters.solver = 32;
    assert_non_null(initial = hinge_train(data, &parameters, &monitor, &error));
    assert_true(initial->steps == 20.0 * 569);
    parameters.initial = initial;
    from = initial->steps;
    assert_non_null(model = hinge_train(data, &parameters, &monitor, &error));
    assert_true(model->steps == 2 * initial->steps);
    hinge_model_free(model);
    hinge_model_free(initial);
    hinge_dataset_free(data);
}

/* A class that was not begun has the weights and the bias of its start. */
static void test_start_of_the_rest(void **state)
{
    const struct hinge_format format = {.threads = 1};
    struct hinge_error error;
    struct hinge_dataset *data = hinge_dataset_read("data/digits", &format, &error);
    struct hinge_parameters parameters = parameters_default();
    struct hinge_model *initial, *model;
    struct look seen;
    const size_t columns = 10;

    (void)state;
    parameters.solver = 3;
    parameters.bias = 1;
    initial = train_until(data, &parameters, SIZE_MAX, &seen);
    free(seen.weight);
    parameters.initial = initial;
    model = train_until(data, &parameters, 1, &seen);
    assert_int_equal(seen.outcome[9], HINGE_NOT_BEGUN);
    for (size_t j = 0; j < seen.weights; j++)
        if (j % columns > 0)
            assert_true(seen.weight[j] == initial->weight[j]);
    free(seen.weight);
    hinge_model_free(model);
    hinge_model_free(initial);
    hinge_dataset_free(data);
}

/* Monitors see no model in folds. */
static void test_folds(void **state)
{
    const struct hinge_format format = {.threads = 1};
    struct hinge_error error;
    struct hinge_dataset *data = hinge_dataset_read("data/breast-cancer", &format, &error);
    struct hinge_parameters parameters = parameters_default();
    struct look seen = {.most = SIZE_MAX};
    const struct hinge_monitor monitor = {look, &seen, NULL, HINGE_MODEL};
    struct hinge_validation validation;
    int interrupted;

    (void)state;
    assert_int_equal(hinge_cross_validate(data, &parameters, 3, &parameters.C, 1, &monitor,
                                          &validation, &interrupted, &error),
                     HINGE_OK);
    assert_true(seen.measured > 0);
    assert_int_equal(seen.without_model, seen.measured);
    hinge_validation_clear(&validation);
    hinge_dataset_free(data);
}

/* A model that monitors see is never worse than the start, although passes begin with badly fitting
 * dual variables. */
static void test_no_worse_than_the_start(void **state)
{
    static const int solvers[] = {3, 12, 13, 42};
    const struct hinge_format format = {.threads = 1};
    struct hinge_error error;
    struct hinge_dataset *data = hinge_dataset_read("data/breast-cancer", &format, &error);

    (void)state;
    assert_non_null(data);
    for (size_t k = 0; k < COUNT(solvers); k++) {
        struct hinge_parameters parameters = parameters_default();
        struct hinge_model *initial, *model;
        struct look seen;

        parameters.solver = solvers[k];
        parameters.C = 300;
        parameters.l1 = solvers[k] == 42 ? 1e-4 : 0;
        parameters.relative_gap = 1e-6;
        assert_non_null(initial = hinge_train(data, &parameters, NULL, &error));
        parameters.initial = initial;
        parameters.relative_gap = 1e-12;
        parameters.single_method = 1;
        for (size_t looks = 1; looks <= 3; looks++) {
            model = train_until(data, &parameters, looks, &seen);
            assert_true(seen.primal[0] <= (1 + 1e-12) * initial->result[0].primal);
            assert_true(model->result[0].primal == seen.primal[0]);
            free(seen.weight);
            hinge_model_free(model);
        }
        hinge_model_free(initial);
    }
    hinge_dataset_free(data);
}

/* A monitor that does not ask for the model gets none. */
static void test_a_model_that_nobody_wants(void **state)
{
    const struct hinge_format format = {.threads = 1};
    const struct hinge_parameters parameters = parameters_default();
    struct hinge_error error;
    struct hinge_dataset *data = hinge_dataset_read("data/digits", &format, &error);

    (void)state;
    assert_non_null(data);
    for (int wanted = 0; wanted < 2; wanted++) {
        struct look first = {.most = SIZE_MAX}, second = {.most = SIZE_MAX};
        const struct hinge_monitor next = {look, &second, NULL, wanted ? HINGE_MODEL : 0};
        const struct hinge_monitor monitor = {look, &first, &next, 0};
        struct hinge_model *model = hinge_train(data, &parameters, &monitor, &error);

        assert_non_null(model);
        assert_true(first.measured > 0 && second.measured == first.measured);
        assert_int_equal(first.without_model, first.measured);
        assert_int_equal(second.without_model, wanted ? 0 : second.measured);
        free(first.weight);
        free(second.weight);
        hinge_model_free(model);
    }
    hinge_dataset_free(data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_model_of_an_interrupt),
        cmocka_unit_test(test_steps_so_far),
        cmocka_unit_test(test_start_of_the_rest),
        cmocka_unit_test(test_folds),
        cmocka_unit_test(test_no_worse_than_the_start),
        cmocka_unit_test(test_a_model_that_nobody_wants),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
