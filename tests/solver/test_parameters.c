/* test_parameters.c - defaults, every refusal, the ends of the ranges, the words for outcomes. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "solver/solver.h"
#include "support.h"

static void test_parameters_default_as_documented(void **state)
{
    struct hinge_parameters parameters = hinge_parameters_default();
    struct hinge_error error;

    (void)state;
    assert_int_equal(parameters.solver, 1);
    assert_true(parameters.C == 1 && parameters.lambda == 0 && parameters.bias == -1);
    assert_true(parameters.gap == 1e-3 && parameters.eps == 0);
    assert_true(parameters.max_passes == 0 && parameters.seed == 1);
    assert_true(parameters.weights == 0);
    assert_null(parameters.weight_label);
    assert_null(parameters.weight);
    assert_int_equal(hinge_parameters_check(&parameters, &error), HINGE_OK);
}

/* Sets the double at offset and expects a refusal whose message starts with the field's name. */
static void expect_refusal(const char *field, size_t offset, double value)
{
    struct hinge_parameters parameters = hinge_parameters_default();
    struct hinge_error error = {HINGE_OK, ""};

    memcpy((char *)&parameters + offset, &value, sizeof value);
    if (hinge_parameters_check(&parameters, &error) != HINGE_BAD_ARGUMENT ||
        error.status != HINGE_BAD_ARGUMENT || strncmp(error.message, field, strlen(field)) != 0)
        fail_msg("%s = %g: %s", field, value, error.message);
}

static void test_parameters_out_of_range_are_named(void **state)
{
    const double bad_cost[] = {NAN, INFINITY, -INFINITY, -1, 9e-151, 1.1e100};
    const double bad_limit[] = {NAN, INFINITY, -INFINITY, -1, -1e-300};
    const double bad_bias[] = {NAN, INFINITY, -INFINITY};

    (void)state;
    expect_refusal("C:", offsetof(struct hinge_parameters, C), 0);
    for (size_t k = 0; k < sizeof bad_cost / sizeof *bad_cost; k++) {
        expect_refusal("C:", offsetof(struct hinge_parameters, C), bad_cost[k]);
        expect_refusal("lambda:", offsetof(struct hinge_parameters, lambda), bad_cost[k]);
    }
    for (size_t k = 0; k < sizeof bad_limit / sizeof *bad_limit; k++) {
        expect_refusal("gap:", offsetof(struct hinge_parameters, gap), bad_limit[k]);
        expect_refusal("eps:", offsetof(struct hinge_parameters, eps), bad_limit[k]);
    }
    for (size_t k = 0; k < sizeof bad_bias / sizeof *bad_bias; k++)
        expect_refusal("bias:", offsetof(struct hinge_parameters, bias), bad_bias[k]);
    expect_refusal("gap", offsetof(struct hinge_parameters, gap), 0); /* eps is 0, too */
}

static void test_bad_solver_and_weights_are_named(void **state)
{
    static const int unknown[] = {-1, 0, 2, 4, 99, INT32_MAX};
    static const double label[3] = {1, 2, 3};
    struct hinge_parameters parameters = hinge_parameters_default();
    struct hinge_error error;

    (void)state;
    for (size_t k = 0; k < sizeof unknown / sizeof *unknown; k++) {
        if (hinge_solver_find(unknown[k]))
            continue;
        parameters.solver = unknown[k];
        assert_int_equal(hinge_parameters_check(&parameters, &error), HINGE_BAD_ARGUMENT);
        assert_non_null(strstr(error.message, "solver:"));
    }
    parameters.solver = 3;
    for (size_t k = 0; k < 9; k++) {
        const double bad[] = {NAN, INFINITY, -1};
        double weight[3] = {1, 0, DBL_MAX};

        parameters.weights = 3;
        parameters.weight_label = label;
        parameters.weight = weight;
        assert_int_equal(hinge_parameters_check(&parameters, &error), HINGE_OK);
        weight[k % 3] = bad[k / 3];
        assert_int_equal(hinge_parameters_check(&parameters, &error), HINGE_BAD_ARGUMENT);
        assert_int_equal(strncmp(error.message, "weight:", 7), 0);
    }
}

/* The ends of the ranges are inside, and a successful check leaves the error alone. */
static void test_parameters_at_the_ends_are_accepted(void **state)
{
    struct hinge_parameters parameters = hinge_parameters_default();
    struct hinge_error error;

    (void)state;
    memset(&error, 0x5a, sizeof error);
    for (int k = 0; k < 16; k++) {
        parameters.C = k & 1 ? 1e100 : 1e-100;
        parameters.lambda = k & 2 ? 1e100 : 1e-100;
        parameters.gap = k & 4 ? 0 : 1e300;
        parameters.eps = k & 4 || k & 8 ? DBL_MIN : 0;
        parameters.bias = k & 8 ? 0 : -1e300;
        parameters.seed = k & 8 ? UINT64_MAX : 0;
        assert_int_equal(hinge_parameters_check(&parameters, &error), HINGE_OK);
    }
    for (size_t k = 0; k < sizeof error; k++)
        assert_int_equal(((unsigned char *)&error)[k], 0x5a);
}

/* Model files hold the names of outcomes, one beside the other. */
static void test_outcome_names_are_distinct_words(void **state)
{
    (void)state;
    for (int k = HINGE_CERTIFIED; k <= HINGE_STALLED; k++) {
        const char *name = hinge_outcome_name((enum hinge_outcome)k);

        assert_true(*name && !strpbrk(name, " \t\n\r#"));
        assert_string_not_equal(name, hinge_outcome_name((enum hinge_outcome)99));
        for (int other = HINGE_CERTIFIED; other < k; other++)
            assert_string_not_equal(name, hinge_outcome_name((enum hinge_outcome)other));
    }
    assert_string_equal(hinge_outcome_name(HINGE_CERTIFIED), "certified");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_parameters_default_as_documented),
        cmocka_unit_test(test_parameters_out_of_range_are_named),
        cmocka_unit_test(test_bad_solver_and_weights_are_named),
        cmocka_unit_test(test_parameters_at_the_ends_are_accepted),
        cmocka_unit_test(test_outcome_names_are_distinct_words),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
