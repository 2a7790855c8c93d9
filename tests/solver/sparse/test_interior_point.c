/* test_interior_point.c - the interior-point method: the certificate recomputed, the minimum by
 * another one. */
#include <math.h>
#include <string.h>

#include "free_toy.h"
#include "methods.h"

static void test_free_bias(void **state)
{
    (void)state;
    free_toys_are_certified(60);
}

/* From a solution to 1e-3 it takes a third of the steps from the middle of the box. */
static void test_warm_start(void **state)
{
    const struct hinge_format format = {0};
    struct hinge_parameters parameters = parameters_default();
    struct hinge_error error;
    struct hinge_dataset *data = hinge_dataset_read("data/digits", &format, &error);
    struct hinge_model *model[3];
    uint64_t steps[3] = {0};

    (void)state;
    assert_non_null(data);
    parameters.solver = 60;
    parameters.C = 1000;
    for (size_t k = 0; k < 3; k++) { /* 0 to 1e-3, 1 from there and 2 from the middle to 1e-6 */
        parameters.relative_gap = k == 0 ? 1e-3 : 1e-6;
        parameters.initial = k == 1 ? model[0] : NULL;
        assert_non_null(model[k] = hinge_train(data, &parameters, NULL, &error));
        for (size_t c = 0; c < model[k]->problems; c++) {
            assert_int_equal(model[k]->result[c].outcome, HINGE_CERTIFIED);
            steps[k] += model[k]->result[c].steps;
        }
    }
    assert_true(3 * steps[1] < steps[2]);
    for (size_t k = 0; k < 3; k++)
        hinge_model_free(model[k]);
    hinge_dataset_free(data);
}

/* Rows of 150 features that are sums of 60 numbers, and labels that are mostly noise: at large C
 * the solution is far from where it starts, and systems are singular but for rounding errors. */
static struct hinge_dataset *make_dependent(uint64_t seed, double largest)
{
    enum { ROWS = 1000, FEATURES = 150, NUMBERS = 60 };
    static double x[ROWS * FEATURES], share[NUMBERS][FEATURES], label[ROWS];
    struct hinge_error error;
    struct hinge_dataset *data;

    memset(x, 0, sizeof x);
    for (size_t k = 0; k < NUMBERS * FEATURES; k++)
        share[k / FEATURES][k % FEATURES] = largest * (2 * random_unit(&seed) - 1);
    for (size_t i = 0; i < ROWS; i++) {
        double score = 60 * random_unit(&seed) - 30;

        for (size_t k = 0; k < NUMBERS; k++) {
            const double of = 2 * random_unit(&seed) - 1;

            score += of;
            for (size_t j = 0; j < FEATURES; j++)
                x[i * FEATURES + j] += of * share[k][j];
        }
        label[i] = score > 0 ? 1 : -1;
    }
    data = hinge_view_dense(ROWS, FEATURES, x, HINGE_VALUE_DOUBLE, label, &error);
    assert_non_null(data);
    return data;
}

/* Trains to a certificate; by what method last. */
static const char *certified_by(const struct hinge_dataset *data, int solver, double C)
{
    struct hinge_parameters parameters = parameters_default();
    struct hinge_error error;
    struct hinge_model *model;
    const char *method;

    parameters.solver = solver;
    parameters.C = C;
    assert_non_null(model = hinge_train(data, &parameters, NULL, &error));
    assert_int_equal(model->result->outcome, HINGE_CERTIFIED);
    assert_true(model->result->relative_gap <= 1e-3);
    method = model->result->method;
    hinge_model_free(model);
    return method;
}

static void test_dependent_features(void **state)
{
    static const int solvers[] = {60, 5, 6};
    struct hinge_dataset *data = make_dependent(1, 50);

    (void)state;
    for (size_t k = 0; k < COUNT(solvers); k++)
        for (double C = 1; C < 1e8; C *= (double)repeats(10, 1000))
            assert_string_equal(certified_by(data, solvers[k], C), "ipm");
    hinge_view_free(data);
}

/* Of larger values rounding errors end either method of the L1-loss here and there; then the other
 * goes on. */
static void test_one_method_follows_the_other(void **state)
{
    unsigned followed[2] = {0, 0};

    (void)state;
    for (uint64_t seed = repeats(1, 7); seed <= repeats(8, 7); seed++) { /* the seventh has both */
        struct hinge_dataset *data = make_dependent(seed, 5000);

        for (double C = (double)repeats(1, 10); C < 1e8; C *= (double)repeats(10, 1000)) {
            followed[0] += strcmp(certified_by(data, 60, C), "ipm") != 0;
            followed[1] += strcmp(certified_by(data, 61, C), "pnewton") != 0;
        }
        hinge_view_free(data);
    }
    assert_true(followed[0] > 0 && followed[1] > 0);
}

/* One row of a hundred is of the smaller class, and the bias is free: for some twenty steps the gap
 * is that of v apart from w, and only mu falls. */
static void test_rare_class_with_free_bias(void **state)
{
    enum { ROWS = 20000, FEATURES = 5 };
    static double x[ROWS * FEATURES], label[ROWS];
    struct hinge_parameters parameters = parameters_default();
    struct hinge_error error;

    (void)state;
    parameters.solver = 60;
    parameters.bias = 1;
    parameters.free_bias = 1;
    for (uint64_t seed = 1; seed < 4; seed++) {
        uint64_t random = seed;
        struct hinge_dataset *data;

        for (size_t i = 0; i < ROWS; i++) {
            label[i] = i % 100 ? -1 : 1;
            for (size_t j = 0; j < FEATURES; j++) { /* nearly normal */
                double sum = -6;

                for (int k = 0; k < 12; k++)
                    sum += random_unit(&random);
                x[i * FEATURES + j] = sum + (j == 0 && label[i] > 0 ? 1 : 0);
            }
        }
        data = hinge_view_dense(ROWS, FEATURES, x, HINGE_VALUE_DOUBLE, label, &error);
        assert_non_null(data);
        for (parameters.C = 0.01; parameters.C < 1e4; parameters.C *= 100) {
            struct hinge_model *model = hinge_train(data, &parameters, NULL, &error);

            assert_non_null(model);
            assert_int_equal(model->result->outcome, HINGE_CERTIFIED);
            hinge_model_free(model);
        }
        hinge_view_free(data);
    }
}

int main(void)
{
    static int solvers[] = {60, -1};
    const struct CMUnitTest tests[] = {TESTS_OF_METHODS(solvers),
                                       cmocka_unit_test(test_free_bias),
                                       cmocka_unit_test(test_warm_start),
                                       cmocka_unit_test(test_dependent_features),
                                       cmocka_unit_test(test_one_method_follows_the_other),
                                       cmocka_unit_test(test_rare_class_with_free_bias)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
