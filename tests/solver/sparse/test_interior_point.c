/* test_interior_point.c - the interior-point method certifies models that Newton's method cannot.
 */
#include <string.h>

#include "support.h"

/* Makes rows of 150 features that are sums of 60 numbers, and labels that are mostly noise. At a
 * large C the solution is far from the start, and systems are singular up to rounding errors. */
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

/* Makes rows with one category in each of 20 columns. Each category is a feature, so the features
 * of a column add up to 1. Most categories are rare. */
static struct hinge_dataset *make_one_hot(uint64_t seed)
{
    enum { ROWS = 500, COLUMNS = 20, CATEGORIES = 20, FEATURES = COLUMNS * CATEGORIES };
    static double x[ROWS * FEATURES], label[ROWS], weight[FEATURES];
    struct hinge_error error;
    struct hinge_dataset *data;

    memset(x, 0, sizeof x);
    for (size_t j = 0; j < FEATURES; j++)
        weight[j] = 2 * random_unit(&seed) - 1;
    for (size_t i = 0; i < ROWS; i++) {
        double score = 8 * random_unit(&seed) - 4;

        for (size_t k = 0; k < COLUMNS; k++) {
            const double at = random_unit(&seed);
            const size_t j = k * CATEGORIES + (size_t)(CATEGORIES * at * at * at * at);

            x[i * FEATURES + j] = 1;
            score += weight[j];
        }
        label[i] = score > 0 ? 1 : -1;
    }
    data = hinge_view_dense(ROWS, FEATURES, x, HINGE_VALUE_DOUBLE, label, &error);
    assert_non_null(data);
    return data;
}

/* Trains to a certificate with few steps of the last method. Returns the name of this method. */
static const char *certified_by(const struct hinge_dataset *data, int solver, double C, double gap)
{
    struct hinge_parameters parameters = parameters_default();
    struct hinge_error error;
    struct hinge_model *model;
    const char *method;

    parameters.solver = solver;
    parameters.C = C;
    parameters.relative_gap = gap;
    assert_non_null(model = hinge_train(data, &parameters, NULL, &error));
    assert_int_equal(model->result->outcome, HINGE_CERTIFIED);
    assert_true(model->result->relative_gap <= gap);
    method = model->result->method;
    assert_true(model->result->steps <= 100);
    hinge_model_free(model);
    return method;
}

/* At a large C, rounding errors lose the regulariser of these systems. The steps continue by
 * least-squares problems, or the interior-point method follows. */
static void test_dependent_unscaled_features(void **state)
{
    (void)state;
    for (uint64_t seed = repeats(1, 7); seed <= repeats(8, 7); seed++) {
        struct hinge_dataset *data = make_dependent(seed, 5000);

        for (double C = (double)repeats(1, 10); C < 1e8; C *= (double)repeats(10, 1000))
            certified_by(data, 61, C, 1e-3);
        hinge_view_free(data);
    }
}

/* With nearly dependent features, |w|_1 is a small part of P, and a dual point after much scaling
 * is useless. Proximal Newton steps with a repaired dual point reach a gap of 1e-3. The
 * interior-point method reaches 1e-9.
 */
static void test_dependent_features(void **state)
{
    static const int solvers[] = {5, 6};
    struct hinge_dataset *data = make_dependent(1, 50);

    (void)state;
    for (size_t k = 0; k < COUNT(solvers); k++) {
        for (double C = 1; C < 1e8; C *= (double)repeats(10, 1000))
            assert_string_equal(certified_by(data, solvers[k], C, 1e-3), "newton");
        for (double C = 1; C <= 1000; C *= (double)repeats(10, 1000))
            assert_string_equal(certified_by(data, solvers[k], C, 1e-9), "ipm");
    }
    hinge_view_free(data);
}

/* Trainings with a wrong second derivative of the logistic loss are certified, too, but take 190 to
 * 260 steps instead of 31 to 43. */
static void test_one_hot_features(void **state)
{
    static const int solvers[] = {5, 6};
    struct hinge_dataset *data = make_one_hot(1);

    (void)state;
    for (size_t k = 0; k < COUNT(solvers); k++)
        for (double C = 1024; C < 1e5; C *= (double)repeats(64, 4096))
            assert_string_equal(certified_by(data, solvers[k], C, 1e-7), "ipm");
    hinge_view_free(data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_dependent_unscaled_features),
                                       cmocka_unit_test(test_dependent_features),
                                       cmocka_unit_test(test_one_hot_features)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
