/* test_parameters.c - defaults, every refusal, the ends of the ranges, the names of outcomes. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "dense_run.h"
#include "solver/loop/solver.h"
#include "support.h"

static void test_parameters_default_as_documented(void **state)
{
    struct hinge_parameters parameters = parameters_default();
    struct hinge_error error;

    (void)state;
    assert_int_equal(parameters.solver, 1);
    assert_true(parameters.C == 1 && parameters.lambda == 0 && parameters.bias == -1);
    assert_true(parameters.relative_gap == 1e-3 && parameters.eps == 0);
    assert_true(parameters.max_passes == 0 && parameters.seed == 1);
    assert_true(parameters.weights == 0);
    assert_null(parameters.weight_label);
    assert_null(parameters.weight);
    assert_int_equal(hinge_parameters_check(&parameters, &error), HINGE_OK);
}

/* Sets the double at offset and expects a refusal whose message starts with the field's name. */
static void expect_refusal(const char *field, size_t offset, double value)
{
    struct hinge_parameters parameters = parameters_default();
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
        expect_refusal("relative_gap:", offsetof(struct hinge_parameters, relative_gap),
                       bad_limit[k]);
        expect_refusal("eps:", offsetof(struct hinge_parameters, eps), bad_limit[k]);
    }
    for (size_t k = 0; k < sizeof bad_bias / sizeof *bad_bias; k++)
        expect_refusal("bias:", offsetof(struct hinge_parameters, bias), bad_bias[k]);
    expect_refusal("relative_gap, eps:", offsetof(struct hinge_parameters, relative_gap),
                   0); /* eps is 0, too */
}

static void test_bad_solver_and_weights_are_named(void **state)
{
    static const int unknown[] = {-1, 8, 9, 99, INT32_MAX};
    static const double label[3] = {1, 2, 3};
    struct hinge_parameters parameters = parameters_default();
    struct hinge_error error;

    (void)state;
    for (size_t k = 0; k < sizeof unknown / sizeof *unknown; k++) {
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
    struct hinge_parameters parameters = parameters_default();
    struct hinge_error error;

    (void)state;
    memset(&error, 0x5a, sizeof error);
    for (int k = 0; k < 16; k++) {
        parameters.C = k & 1 ? 1e100 : 1e-100;
        parameters.lambda = k & 2 ? 1e100 : 1e-100;
        parameters.relative_gap = k & 4 ? 0 : 1e300;
        parameters.eps = k & 4 || k & 8 ? DBL_MIN : 0;
        parameters.bias = k & 8 ? 0 : -1e300;
        parameters.seed = k & 8 ? UINT64_MAX : 0;
        assert_int_equal(hinge_parameters_check(&parameters, &error), HINGE_OK);
    }
    for (size_t k = 0; k < sizeof error; k++)
        assert_int_equal(((unsigned char *)&error)[k], 0x5a);
}

static void expect_refused(const struct hinge_parameters *parameters, const char *field)
{
    struct hinge_error error = {HINGE_OK, ""};

    if (hinge_parameters_check(parameters, &error) != HINGE_BAD_ARGUMENT ||
        error.status != HINGE_BAD_ARGUMENT || strncmp(error.message, field, strlen(field)) != 0)
        fail_msg("solver %d, %s: %s", parameters->solver, field, error.message);
}

static void expect_accepted(const struct hinge_parameters *parameters)
{
    struct hinge_error error = {HINGE_OK, ""};

    if (hinge_parameters_check(parameters, &error) != HINGE_OK)
        fail_msg("solver %d: %s", parameters->solver, error.message);
}

/* Expects that the parameters are accepted, or a refusal that starts with the field's name. */
static void expect_either(const struct hinge_parameters *parameters, int accepted,
                          const char *field)
{
    if (accepted)
        expect_accepted(parameters);
    else
        expect_refused(parameters, field);
}

/* Sets the defaults for the k-th solver. Returns 0 after the last one. */
static int next_solver(struct hinge_parameters *parameters, size_t k)
{
    *parameters = parameters_default();
    if (!hinge_solver_at(k))
        return 0;
    parameters->solver = hinge_solver_at(k)->number;
    return 1;
}

static int is_stochastic(const struct hinge_parameters *parameters)
{
    return hinge_solver_find(parameters->solver)->kind == HINGE_STOCHASTIC;
}

static void test_defaults_suit_every_solver(void **state)
{
    struct hinge_parameters parameters;

    (void)state;
    for (size_t k = 0; next_solver(&parameters, k); k++)
        expect_accepted(&parameters);
}

static void test_range_of_nu(void **state)
{
    const double bad[] = {NAN, INFINITY, -INFINITY, -1, 0, 1e-101, 1 + DBL_EPSILON};
    struct hinge_parameters parameters = parameters_default();

    (void)state;
    assert_true(parameters.nu == 0.5);
    parameters.solver = 21;
    for (size_t k = 0; k < COUNT(bad); k++) {
        parameters.nu = bad[k];
        expect_refused(&parameters, "nu:");
    }
    parameters.nu = 1e-100;
    expect_accepted(&parameters);
    parameters.nu = 1;
    expect_accepted(&parameters);
    parameters.balanced = 1;
    expect_refused(&parameters, "balanced: a one-class SVM (one-class) has no classes");
    parameters.balanced = 0;
    parameters.probability = 1;
    expect_refused(&parameters, "probability: a one-class SVM (one-class) has no classes");
}

static void test_fields_that_a_solver_does_not_have(void **state)
{
    const struct hinge_model model = {.classes = 2};
    struct hinge_parameters parameters;

    (void)state;
    for (size_t k = 0; next_solver(&parameters, k); k++) {
        const struct hinge_solver *solver = hinge_solver_at(k);
        const int is_free = solver->pairs || solver->one_class;
        const int may_free = solver->l1 != 1 && !is_free && !is_stochastic(&parameters) &&
                             !(solver->joint && solver->descends);

        parameters.bias = 0;
        expect_either(&parameters, !is_free, "bias:");
        parameters.bias = 1;
        parameters.free_bias = 1;
        expect_either(&parameters, may_free, is_free ? "bias:" : "free_bias:");
        parameters.bias = 2;
        if (!is_free)
            expect_either(&parameters, 0, "free_bias:");
        parameters.bias = -1;
        expect_either(&parameters, 0, "free_bias:");
        parameters.bias = 1;
        parameters.single_method = 1;
        expect_either(&parameters, may_free, is_free ? "bias:" : "free_bias:");
        parameters.single_method = 0;
        parameters.free_bias = 0;
        parameters.bias = -1;
        parameters.initial = &model;
        expect_either(&parameters, solver->starts, "initial:");
        parameters.initial = NULL;
        parameters.keep_alpha = 1;
        expect_either(&parameters, !is_stochastic(&parameters), "keep_alpha:");
        parameters.keep_alpha = 0;
        parameters.relative_gap = 0;
        expect_either(&parameters, is_stochastic(&parameters), "relative_gap, eps:");
        parameters.eps = 1e-3;
        expect_accepted(&parameters);
        parameters.l1 = 1;
        expect_either(&parameters, solver->l1 == 1, "l1:");
    }
}

static void test_averages_are_those_of_the_solver(void **state)
{
    struct hinge_parameters parameters;
    int refused = 0, accepted = 0;

    (void)state;
    for (size_t k = 0; next_solver(&parameters, k); k++)
        for (int average = HINGE_AVERAGE_NONE; average <= HINGE_AVERAGE_RANDOM; average++) {
            const int has = (int)(hinge_solver_at(k)->averages >> average & 1);

            parameters.average = (enum hinge_average)average;
            expect_either(&parameters, has, "average:");
            refused += !has;
            accepted += has;
        }
    assert_true(refused > 6 && accepted > 6);
    parameters.solver = 30;
    parameters.average = (enum hinge_average)(HINGE_AVERAGE_RANDOM + 1);
    expect_refused(&parameters, "average:");
    parameters.average = (enum hinge_average)33; /* a shift by 33 bits is undefined */
    expect_refused(&parameters, "average:");
}

/* The ends of ranges, and the values just outside, for fields that only stochastic solvers use. */
static void test_ranges_of_stochastic_solvers(void **state)
{
    const double not_positive[] = {NAN, INFINITY, -INFINITY, -1, 0};
    struct hinge_parameters parameters;

    (void)state;
    for (size_t k = 0; next_solver(&parameters, k); k++) {
        const struct hinge_parameters defaults = parameters;

        for (size_t bad = 0; bad < COUNT(not_positive); bad++) {
            parameters.epochs = not_positive[bad];
            expect_refused(&parameters, "epochs:");
            parameters = defaults;
            parameters.suffix = not_positive[bad];
            expect_refused(&parameters, "suffix:");
            parameters = defaults;
            parameters.l1 = bad < 4 ? not_positive[bad] : 1.1e100;
            expect_refused(&parameters, "l1:");
            parameters = defaults;
        }
        parameters.suffix = nextafter(1, 2);
        expect_refused(&parameters, "suffix:");
        parameters.suffix = 1;
        parameters.epochs = DBL_MIN;
        parameters.l1 = hinge_solver_at(k)->l1 == 1 ? 1e100 : 0;
        parameters.iterations = UINT64_C(1) << 53;
        parameters.batch = 1 << 20;
        parameters.sampling = HINGE_PERMUTE;
        expect_accepted(&parameters);
        parameters.iterations++;
        expect_refused(&parameters, "iterations:");
        parameters.iterations = 0;
        parameters.batch++;
        expect_refused(&parameters, "batch:");
        parameters.batch = 0;
        expect_refused(&parameters, "batch:");
        parameters.batch = 1;
        parameters.sampling = (enum hinge_sampling)(HINGE_PERMUTE + 1);
        expect_refused(&parameters, "sampling:");
    }
}

static void test_cache_and_row_weights_are_named(void **state)
{
    const double bad[] = {NAN, INFINITY, -INFINITY, -1, 0};
    struct hinge_parameters parameters;

    (void)state;
    for (size_t k = 0; next_solver(&parameters, k); k++)
        for (size_t b = 0; b < COUNT(bad); b++) {
            double weight[] = {0, 1, DBL_MAX};

            parameters.cache = bad[b];
            expect_refused(&parameters, "cache:");
            parameters.cache = DBL_MIN;
            parameters.row_weights = 3;
            parameters.row_weight = weight;
            expect_accepted(&parameters);
            weight[b % 3] = bad[b];
            if (bad[b] != 0)
                expect_refused(&parameters, "row_weight:");
            parameters.row_weights = b % 3; /* only the weights before the bad one */
            expect_accepted(&parameters);
        }
}

/* ---- The constant feature ------------------------------------------------ */

static void test_bias_of_a_solver(void **state)
{
    struct hinge_parameters parameters;

    (void)state;
    for (size_t k = 0; next_solver(&parameters, k); k++) {
        const struct solver *solver = solver_find(parameters.solver);
        const int is_free = solver->info.pairs || solver->info.one_class;

        assert_int_equal(solver_bias_kind(solver, &parameters), is_free ? BIAS_FREE : BIAS_NONE);
        assert_true(solver_bias(solver, &parameters) == (is_free ? 1 : -1));
        parameters.bias = -0.5; /* any negative number means no bias */
        assert_int_equal(solver_bias_kind(solver, &parameters), is_free ? BIAS_FREE : BIAS_NONE);
        assert_true(solver_bias(solver, &parameters) == (is_free ? 1 : -1));
        for (parameters.bias = 0; parameters.bias < 8 && !is_free; parameters.bias += 2.5) {
            assert_int_equal(solver_bias_kind(solver, &parameters), BIAS_REGULARISED);
            assert_true(solver_bias(solver, &parameters) == parameters.bias);
        }
        parameters.bias = 1;
        parameters.free_bias = 1;
        assert_int_equal(solver_bias_kind(solver, &parameters), BIAS_FREE);
        assert_true(solver_bias(solver, &parameters) == 1);
    }
}

/* ---- Outcomes ------------------------------------------------------------ */

/* A line of a model file has the names of several outcomes, so they must be single words. */
static void test_outcome_names_are_distinct_words(void **state)
{
    (void)state;
    for (int k = HINGE_CERTIFIED; k <= HINGE_NOT_BEGUN; k++) {
        const char *name = hinge_outcome_name((enum hinge_outcome)k);

        assert_true(*name && !strpbrk(name, " \t\n\r#"));
        assert_string_not_equal(name, hinge_outcome_name((enum hinge_outcome)99));
        for (int other = HINGE_CERTIFIED; other < k; other++)
            assert_string_not_equal(name, hinge_outcome_name((enum hinge_outcome)other));
    }
    assert_string_equal(hinge_outcome_name(HINGE_CERTIFIED), "certified");
}

/* ---- Stochastic solvers -------------------------------------------------- */

static void check_refused(const struct hinge_parameters *parameters, const char *field)
{
    struct hinge_error error = {HINGE_OK, ""};
    size_t length = strlen(field);

    assert_int_equal(hinge_parameters_check(parameters, &error), HINGE_BAD_ARGUMENT);
    assert_int_equal(error.status, HINGE_BAD_ARGUMENT);
    if (strncmp(error.message, field, length) != 0 || error.message[length] != ':')
        fail_msg("\"%s\" does not name %s", error.message, field);
}

static void check_accepted(const struct hinge_parameters *parameters)
{
    struct hinge_error error = {HINGE_OK, ""};

    if (hinge_parameters_check(parameters, &error) != HINGE_OK)
        fail_msg("refused: %s", error.message);
}

/* Sets a field of a copy of good and expects its name in the refusal. */
#define REFUSED(good, field, ...)                                                                  \
    do {                                                                                           \
        struct hinge_parameters bad = (good);                                                      \
        bad.field = __VA_ARGS__;                                                                   \
        check_refused(&bad, #field);                                                               \
    } while (0)

#define ACCEPTED(good, field, ...)                                                                 \
    do {                                                                                           \
        struct hinge_parameters other = (good);                                                    \
        other.field = __VA_ARGS__;                                                                 \
        check_accepted(&other);                                                                    \
    } while (0)

static void test_numbers_out_of_range_are_named(void **state)
{
    const double wrong[] = {-1, -DBL_MIN, NAN, INFINITY, -INFINITY};

    (void)state;
    for (int s = 0; s < SOLVERS; s++) {
        struct hinge_parameters good = dense_parameters(solvers[s], 0);

        for (size_t n = 0; n < 5; n++) {
            REFUSED(good, l1, wrong[n]);
            REFUSED(good, epochs, wrong[n]);
            REFUSED(good, suffix, wrong[n]);
            REFUSED(good, eps, wrong[n]);
        }
        REFUSED(good, l1, 1.01e100);
        REFUSED(good, epochs, 0);
        REFUSED(good, suffix, 0);
        REFUSED(good, suffix, 1 + DBL_EPSILON);
        REFUSED(good, batch, 0);
        REFUSED(good, batch, (1u << 20) + 1);
        REFUSED(good, batch, UINT32_MAX);
        REFUSED(good, iterations, (UINT64_C(1) << 53) + 1);
        REFUSED(good, iterations, UINT64_MAX);
    }
}

static void test_numbers_at_the_ends_are_accepted(void **state)
{
    (void)state;
    for (int s = 0; s < SOLVERS; s++) {
        struct hinge_parameters good = dense_parameters(solvers[s], 0);

        check_accepted(&good);
        ACCEPTED(good, batch, 1u << 20);
        ACCEPTED(good, iterations, UINT64_C(1) << 53);
        ACCEPTED(good, checkpoint, UINT64_MAX);
        ACCEPTED(good, epochs, DBL_MIN);
        ACCEPTED(good, epochs, DBL_MAX);
        ACCEPTED(good, suffix, DBL_MIN);
        ACCEPTED(good, suffix, 1);
        ACCEPTED(good, relative_gap, 0); /* stochastic solvers have no such rule */
        ACCEPTED(good, sampling, HINGE_PERMUTE);
        if (has_l1(solvers[s])) {
            ACCEPTED(good, l1, DBL_MIN);
            ACCEPTED(good, l1, 1e100);
        } else {
            REFUSED(good, l1, DBL_MIN);
            REFUSED(good, l1, 1e100);
        }
    }
}

static void test_averages_are_those_of_the_table(void **state)
{
    static const char *const table[SOLVERS] = {"ndu w r", "nduw", "nduw", "nds", "ndu", "ndw"};
    static const char letter[] = "dnuwsr"; /* in the order of enum hinge_average */

    (void)state;
    for (int s = 0; s < SOLVERS; s++)
        for (int average = HINGE_AVERAGE_DEFAULT; average <= HINGE_AVERAGE_RANDOM; average++) {
            struct hinge_parameters good = dense_parameters(solvers[s], 0);

            if (strchr(table[s], letter[average]))
                ACCEPTED(good, average, (enum hinge_average)average);
            else
                REFUSED(good, average, (enum hinge_average)average);
        }
}

/* Numbers that are not enumerators. 33 and 34 would be enumerators modulo 32. */
static void test_unknown_choices_are_named(void **state)
{
    static const unsigned unknown[] = {6, 31, 32, 33, 34, 35, 64, 65, 1000, 0x7fffffff};

    (void)state;
    for (int s = 0; s < SOLVERS; s++) {
        struct hinge_parameters good = dense_parameters(solvers[s], 0);

        REFUSED(good, sampling, (enum hinge_sampling)2);
        for (size_t u = 0; u < sizeof unknown / sizeof *unknown; u++) {
            REFUSED(good, sampling, (enum hinge_sampling)unknown[u]);
            REFUSED(good, average, (enum hinge_average)unknown[u]);
        }
    }
}

/* ---- The solver smo ------------------------------------------------------ */

static void test_parameters_of_pairs_are_checked(void **state)
{
    static const double bad[] = {0, -1, -0.0, NAN, INFINITY};
    struct hinge_parameters parameters = dense_parameters(50, 0);
    struct hinge_error error;

    (void)state;
    assert_int_equal(hinge_parameters_check(&parameters, &error), HINGE_OK);
    parameters.bias = 1;
    assert_int_equal(hinge_parameters_check(&parameters, &error), HINGE_BAD_ARGUMENT);
    assert_string_equal(error.message, "bias: that of solver smo is free");
    parameters.bias = -1;
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        parameters.cache = bad[k];
        assert_int_equal(hinge_parameters_check(&parameters, &error), HINGE_BAD_ARGUMENT);
        assert_string_equal(error.message, "cache: not a positive finite number");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_parameters_default_as_documented),
        cmocka_unit_test(test_parameters_out_of_range_are_named),
        cmocka_unit_test(test_bad_solver_and_weights_are_named),
        cmocka_unit_test(test_parameters_at_the_ends_are_accepted),
        cmocka_unit_test(test_defaults_suit_every_solver),
        cmocka_unit_test(test_range_of_nu),
        cmocka_unit_test(test_fields_that_a_solver_does_not_have),
        cmocka_unit_test(test_averages_are_those_of_the_solver),
        cmocka_unit_test(test_ranges_of_stochastic_solvers),
        cmocka_unit_test(test_cache_and_row_weights_are_named),
        cmocka_unit_test(test_bias_of_a_solver),
        cmocka_unit_test(test_outcome_names_are_distinct_words),
        cmocka_unit_test(test_numbers_out_of_range_are_named),
        cmocka_unit_test(test_numbers_at_the_ends_are_accepted),
        cmocka_unit_test(test_averages_are_those_of_the_table),
        cmocka_unit_test(test_unknown_choices_are_named),
        cmocka_unit_test(test_parameters_of_pairs_are_checked),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
