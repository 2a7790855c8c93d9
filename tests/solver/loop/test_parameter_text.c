/* test_parameter_text.c - sets parameters by the name of train's option and a text. */
#include "support.h"

#include <stdio.h>
#include <string.h>

static struct hinge_parameters *defaults(void)
{
    struct hinge_error error;
    struct hinge_parameters *parameters = hinge_parameters_new(&error);

    if (!parameters)
        fail_msg("%s", error.message);
    return parameters;
}

/* Sets the parameter, and compares all of them with the expected ones. */
#define EXPECT(name, text, field, expected)                                                        \
    do {                                                                                           \
        struct hinge_parameters *set = defaults(), all = parameters_default();                     \
        struct hinge_error error;                                                                  \
                                                                                                   \
        if (hinge_parameters_set(set, name, text, &error))                                         \
            fail_msg("%s %s: %s", name, text, error.message);                                      \
        assert_true(set->field == (expected));                                                     \
        set->field = all.field;                                                                    \
        expect_defaults(set);                                                                      \
        hinge_parameters_free(set);                                                                \
    } while (0)

static void expect_defaults(const struct hinge_parameters *set)
{
    const struct hinge_parameters all = parameters_default();

    assert_true(set->solver == all.solver && set->C == all.C && set->lambda == all.lambda &&
                set->bias == all.bias && set->free_bias == all.free_bias &&
                set->relative_gap == all.relative_gap && set->eps == all.eps &&
                set->epsilon == all.epsilon && set->nu == all.nu && set->cache == all.cache &&
                set->max_passes == all.max_passes && set->seed == all.seed &&
                set->single_method == all.single_method && set->keep_alpha == all.keep_alpha &&
                set->probability == all.probability && !set->initial && set->l1 == all.l1 &&
                set->batch == all.batch && set->iterations == all.iterations &&
                set->epochs == all.epochs && set->checkpoint == all.checkpoint &&
                set->sampling == all.sampling && set->average == all.average &&
                set->suffix == all.suffix && !set->weights && set->balanced == all.balanced &&
                !set->row_weights && !set->row_groups &&
                set->store_decisions == all.store_decisions);
}

static void each_name_sets_its_field(void **unused)
{
    const struct hinge_solver *solver;

    (void)unused;
    for (size_t k = 0; (solver = hinge_solver_at(k)); k++)
        EXPECT("solver", solver->name, solver, solver->number);
    EXPECT("solver", "62", solver, 62);
    EXPECT("C", "12.5", C, 12.5);
    EXPECT("cost", "1e-3", C, 1e-3);
    EXPECT("lambda", "0.25", lambda, 0.25);
    EXPECT("bias", "-1.5", bias, -1.5);
    EXPECT("free-bias", "1", free_bias, 1);
    EXPECT("free_bias", "1", free_bias, 1);
    EXPECT("l1", "1e-4", l1, 1e-4);
    EXPECT("epsilon", "0", epsilon, 0);
    EXPECT("nu", "0.1", nu, 0.1);
    EXPECT("cache", "7", cache, 7);
    EXPECT("balanced", "1", balanced, 1);
    EXPECT("probability", "1", probability, 1);
    EXPECT("relative-gap", "1e-9", relative_gap, 1e-9);
    EXPECT("gap", "1e-8", relative_gap, 1e-8);
    EXPECT("keep-alpha", "1", keep_alpha, 1);
    EXPECT("store-decisions", "1", store_decisions, 1);
    EXPECT("checkpoint", "77", checkpoint, 77);
    EXPECT("eps", "0.01", eps, 0.01);
    EXPECT("max-iter", "18446744073709551615", max_passes, UINT64_MAX);
    EXPECT("max_iter", "0", max_passes, 0);
    EXPECT("single_method", "1", single_method, 1);
    EXPECT("plain", "1", single_method, 1);
    EXPECT("iterations", "5000", iterations, 5000);
    EXPECT("epochs", "2.5", epochs, 2.5);
    EXPECT("batch", "4294967295", batch, UINT32_MAX);
    EXPECT("sampling", "permute", sampling, HINGE_PERMUTE);
    EXPECT("average", "random", average, HINGE_AVERAGE_RANDOM);
    EXPECT("average", "default", average, HINGE_AVERAGE_DEFAULT);
    EXPECT("suffix", "0.75", suffix, 0.75);
    EXPECT("seed", "42", seed, 42);
}

static void refuses_names_and_texts(void **unused)
{
    static const struct {
        const char *name, *text, *message;
    } table[] = {
        {"foo", "1", "there is no parameter 'foo'"},
        {"", "1", "there is no parameter ''"},
        {"max", "1", "there is no parameter 'max'"},
        {"max-iter-", "1", "there is no parameter 'max-iter-'"},
        {"c", "1", "there is no parameter 'c'"},
        {"C", "", "C: '' is not a finite number"},
        {"C", "1x", "C: '1x' is not a finite number"},
        {"C", " 1", "C: ' 1' is not a finite number"},
        {"C", "nan", "C: 'nan' is not a finite number"},
        {"C", "1e999", "C: '1e999' is not a finite number"},
        {"plain", "2", "plain: '2' is not 0 or 1"},
        {"plain", "", "plain: '' is not 0 or 1"},
        {"plain", "True", "plain: 'True' is not 0 or 1"},
        {"seed", "-1", "seed: '-1' is not a whole number below 2^64"},
        {"seed", "18446744073709551616",
         "seed: '18446744073709551616' is not a whole number below 2^64"},
        {"seed", "1.0", "seed: '1.0' is not a whole number below 2^64"},
        {"batch", "4294967296", "batch: '4294967296' is not a whole number below 2^32"},
        {"sampling", "i", "sampling: 'i' is not iid or permute"},
        {"average", "mean",
         "average: 'mean' is not default, none, uniform, weighted, suffix or random"},
    };
    struct hinge_parameters *parameters = defaults();

    (void)unused;
    for (size_t t = 0; t < COUNT(table); t++) {
        struct hinge_error error;

        if (!hinge_parameters_set(parameters, table[t].name, table[t].text, &error))
            fail_msg("%s %s is taken", table[t].name, table[t].text);
        assert_int_equal(error.status, HINGE_BAD_ARGUMENT);
        assert_string_equal(error.message, table[t].message);
        expect_defaults(parameters);
    }
    hinge_parameters_free(parameters);
    hinge_parameters_free(NULL);
}

static void an_unknown_solver_is_refused_with_the_list_of_solvers(void **unused)
{
    static const char *const strange[] = {"dcd", "1.5", "", "dcd-l22"};
    struct hinge_parameters *parameters = defaults();
    const struct hinge_solver *solver;
    struct hinge_error error;

    (void)unused;
    for (size_t t = 0; t < COUNT(strange); t++) {
        char begin[80];

        snprintf(begin, sizeof begin, "solver: '%s' is not a solver; there are ", strange[t]);
        assert_int_equal(hinge_parameters_set(parameters, "solver", strange[t], &error),
                         HINGE_BAD_ARGUMENT);
        assert_memory_equal(error.message, begin, strlen(begin));
        for (size_t k = 0; (solver = hinge_solver_at(k)); k++) {
            char one[80];

            snprintf(one, sizeof one, "%d (%s)", solver->number, solver->name);
            assert_non_null(strstr(error.message, one));
        }
        expect_defaults(parameters);
    }
    hinge_parameters_free(parameters);
}

static void arrays_and_a_start_are_set(void **unused)
{
    static const double label[] = {1, 2}, weight[] = {3, 4};
    static const uint32_t group[] = {7, 8, 7};
    const struct hinge_team team = {.size = 1};
    const struct hinge_model model = {.classes = 2};
    struct hinge_parameters *parameters = defaults();

    (void)unused;
    hinge_parameters_weigh_classes(parameters, 2, label, weight);
    hinge_parameters_weigh_rows(parameters, 2, label);
    hinge_parameters_group_rows(parameters, 3, group);
    hinge_parameters_team(parameters, &team);
    hinge_parameters_start(parameters, &model);
    assert_int_equal(parameters->row_groups, 3);
    assert_ptr_equal(parameters->row_group, group);
    assert_ptr_equal(parameters->team, &team);
    assert_int_equal(parameters->weights, 2);
    assert_ptr_equal(parameters->weight_label, label);
    assert_ptr_equal(parameters->weight, weight);
    assert_int_equal(parameters->row_weights, 2);
    assert_ptr_equal(parameters->row_weight, label);
    assert_ptr_equal(parameters->initial, &model);
    hinge_parameters_start(parameters, NULL);
    assert_null(parameters->initial);
    hinge_parameters_free(parameters);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_name_sets_its_field),
        cmocka_unit_test(refuses_names_and_texts),
        cmocka_unit_test(an_unknown_solver_is_refused_with_the_list_of_solvers),
        cmocka_unit_test(arrays_and_a_start_are_set),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
