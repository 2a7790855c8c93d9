/* test_interior_point.c - the interior-point method certifies models that Newton's method cannot.
 */
#include <string.h>

#include "support.h"

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

/* Rounding errors lose the regulariser of these systems at a large C; the steps go on by least
 * squares problems, or the interior-point method follows. */
static void test_dependent_unscaled_features(void **state)
{
    (void)state;
    for (uint64_t seed = repeats(1, 7); seed <= repeats(8, 7); seed++) {
        struct hinge_dataset *data = make_dependent(seed, 5000);

        for (double C = (double)repeats(1, 10); C < 1e8; C *= (double)repeats(10, 1000))
            certified_by(data, 61, C);
        hinge_view_free(data);
    }
}

/* Proximal Newton steps are slow with nearly dependent features: the interior-point method ends
 * them.
 */
static void test_dependent_features(void **state)
{
    static const int solvers[] = {5, 6};
    struct hinge_dataset *data = make_dependent(1, 50);

    (void)state;
    for (size_t k = 0; k < COUNT(solvers); k++)
        for (double C = 1; C < 1e8; C *= (double)repeats(10, 1000))
            assert_string_equal(certified_by(data, solvers[k], C), "ipm");
    hinge_view_free(data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_dependent_unscaled_features),
                                       cmocka_unit_test(test_dependent_features)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
