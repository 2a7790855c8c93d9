/* test_model_value.c - numbers of a model by name: of a trained model, and of the same model read
 * from its file. */
#include "models.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static struct hinge_model *train(const char *path, int solver)
{
    const struct hinge_format format = {0};
    struct hinge_parameters parameters = parameters_default();
    struct hinge_error error;
    struct hinge_dataset *data = hinge_dataset_read(path, &format, &error);
    struct hinge_model *model;

    parameters.solver = solver;
    parameters.C = 0.25;
    parameters.seed = 9;
    parameters.epochs = 2;
    parameters.l1 = solver == 42 ? 1e-4 : 0;
    parameters.bias = solver == 50 || solver == 21 ? -1 : 1;
    model = data ? hinge_train(data, &parameters, NULL, &error) : NULL;
    if (!model)
        fail_msg("%s", error.message);
    hinge_dataset_free(data);
    return model;
}

static int is_same(double a, double b)
{
    return a == b || (isnan(a) && isnan(b));
}

/* Checks that a value equals `expected`, or both are NaN, alone and together with the values before
 * it. */
static void expect(const struct hinge_model *model, const char *name, size_t position,
                   double expected)
{
    const double value = hinge_model_value(model, name, position);
    double *values = malloc((position + 1) * sizeof *values);

    assert_non_null(values);
    hinge_model_values(model, name, position + 1, values);
    if (!is_same(value, expected) || !is_same(values[position], expected))
        fail_msg("%s %d: %.17g, %.17g, not %.17g", name, (int)position, value, values[position],
                 expected);
    free(values);
}

static void expect_all(const struct hinge_model *model, const struct hinge_model *trained)
{
    const struct hinge_solver *solver = trained->solver;
    const int dual = solver->kind == HINGE_DUAL;
    static const char *const single[] = {"classes",   "features", "columns",  "bias",
                                         "one_class", "solver",   "problems", "rows",
                                         "C",         "lambda",   "nu",       "l1",
                                         "epsilon",   "seed",     "steps",    "probabilities"};

    expect(model, "classes", 0, (double)trained->classes);
    expect(model, "features", 0, trained->features);
    expect(model, "columns", 0, (double)trained->columns);
    expect(model, "bias", 0, trained->bias);
    expect(model, "one_class", 0, trained->one_class);
    expect(model, "probabilities", 0, hinge_has_probabilities(trained));
    expect(model, "solver", 0, solver->number);
    expect(model, "problems", 0, (double)trained->problems);
    expect(model, "rows", 0, (double)trained->rows);
    expect(model, "C", 0, trained->one_class ? NAN : 0.25);
    expect(model, "lambda", 0, trained->one_class ? NAN : trained->lambda);
    expect(model, "nu", 0, trained->one_class ? 0.5 : NAN);
    expect(model, "l1", 0, solver->l1 == 1 ? trained->l1 : NAN);
    expect(model, "epsilon", 0, solver->regression ? 0.1 : NAN);
    expect(model, "seed", 0, 9);
    expect(model, "steps", 0, dual ? NAN : trained->steps);
    for (size_t c = 0; c <= trained->classes; c++)
        expect(model, "label", c, c < trained->classes ? trained->label[c] : NAN);
    for (size_t k = 0; k <= trained->problems; k++) {
        const int known = k < trained->problems;
        const struct hinge_result *result = &trained->result[known ? k : 0];

        expect(model, "outcome", k, known ? (double)result->outcome : NAN);
        expect(model, "iterations", k, known ? (double)result->passes : NAN);
        expect(model, "primal", k, known ? result->primal : NAN);
        expect(model, "dual", k, known && dual ? result->dual : NAN);
        expect(model, "relative_gap", k, known && dual ? result->relative_gap : NAN);
    }
    for (size_t k = 0; k < COUNT(single); k++)
        expect(model, single[k], 1, NAN);
    expect(model, "foo", 0, NAN);
    expect(model, "", 0, NAN);
    assert_memory_equal(hinge_model_weights(model), trained->weight,
                        (trained->features + (trained->bias >= 0)) * trained->columns *
                            sizeof *trained->weight);
}

static void a_model_says_the_same_when_it_is_read(void **unused)
{
    static const int solvers[] = {1, 3, 4, 11, 21, 31, 42, 50, 62};

    (void)unused;
    for (size_t t = 0; t < COUNT(solvers); t++) {
        struct hinge_model *trained = train("data/breast-cancer", solvers[t]), *read;
        struct hinge_error error;
        const char *path = scratch_path("test_model_value.model");

        assert_int_equal(hinge_model_write(trained, path, &error), HINGE_OK);
        read = hinge_model_read(path, &error);
        assert_non_null(read);
        expect_all(trained, trained);
        expect_all(read, trained);
        expect(trained, "nonzeros", 0, (double)trained->result->nonzeros);
        expect(trained, "support_vectors", 0, (double)trained->result->support_vectors);
        expect(trained, "seconds", 0, trained->result->seconds);
        expect(read, "nonzeros", 0, NAN);
        expect(read, "seconds", 0, NAN);
        hinge_model_free(trained);
        hinge_model_free(read);
    }
}

static void problems_have_their_own_numbers(void **unused)
{
    struct hinge_model *trained = train("data/digits", 1), *read;
    const char *path = scratch_path("test_model_value.model");
    struct hinge_error error;

    (void)unused;
    assert_int_equal(trained->problems, 10);
    assert_int_equal(hinge_model_write(trained, path, &error), HINGE_OK);
    read = hinge_model_read(path, &error);
    assert_non_null(read);
    expect_all(trained, trained);
    expect_all(read, trained);
    hinge_model_free(trained);
    hinge_model_free(read);
}

/* Values are unknown if the record is not this library's, or missing. */
static void what_cannot_be_read_is_not_known(void **unused)
{
    static const char head[] = "solver_type L2R_L2LOSS_SVC\nnr_class 2\nlabel 1 2\nnr_feature 1\n"
                               "bias -1\nw\n0.5 \n";
    static const char *const record[] = {
        "",
        "# primal foo\n# C 1x\n# outcome solved\n# solver best\n",
        "# primal unknown\n# C\n# solver dcd-l\n# relative_gap - 1\n",
    };
    char text[300];

    (void)unused;
    for (size_t t = 0; t < COUNT(record); t++) {
        struct hinge_model *model;

        strcpy(text, head);
        strcat(text, record[t]);
        model = read_text(text);
        expect(model, "classes", 0, 2);
        expect(model, "label", 1, 2);
        expect(model, "primal", 0, NAN);
        expect(model, "C", 0, NAN);
        expect(model, "solver", 0, NAN);
        expect(model, "outcome", 0, NAN);
        expect(model, "relative_gap", 0, NAN);
        expect(model, "relative_gap", 1, t == 2 ? 1 : NAN);
        expect(model, "problems", 0, t == 1 ? 1 : NAN);
        hinge_model_free(model);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_model_says_the_same_when_it_is_read),
        cmocka_unit_test(problems_have_their_own_numbers),
        cmocka_unit_test(what_cannot_be_read_is_not_known),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
