/* test_sequential_dual.c - Crammer and Singer's problem by passes alone: the certificate recomputed
 * in long double from the model and its alpha, the minimum by steps on pairs, LIBLINEAR's rule. */
#include <math.h>

#include "class_tests.h"
#include "support.h"

static void test_certificate_is_true(void **state)
{
    static struct class_toy toy;

    (void)state;
    for (unsigned long number = 0; number < 960; number++) {
        struct hinge_model *model;

        class_toy_draw(&toy, CRAMMER_SINGER, number);
        toy.parameters.single_method = 1;
        toy.parameters.relative_gap = number % 5 == 0 ? 1e-6 : 1e-3;
        toy.parameters.max_passes = number % 7 == 0 ? 2 : toy.parameters.C > 1 ? 300 : 100000;
        model = class_certified(&toy);
        if (toy.parameters.max_passes == 100000 && number % TOY_KINDS != 5)
            assert_int_equal(model->result->outcome, HINGE_CERTIFIED);
        hinge_model_free(model);
    }
}

static void test_minimum_is_that_of_pairs(void **state)
{
    static struct class_toy toy;

    (void)state;
    for (unsigned long number = 0; number < 64; number++) {
        struct hinge_model *model;
        long double minimum, bound;

        class_toy_draw(&toy, CRAMMER_SINGER, number);
        toy.parameters.C = number % 2 ? 1 : 0.1;
        toy.parameters.relative_gap = 1e-8;
        toy.parameters.single_method = 1;
        if (number % TOY_KINDS == 5) /* badly scaled: too slow this way */
            continue;
        model = class_toy_train(&toy);
        minimum = class_toy_minimum(&toy, model, &bound);
        assert_int_equal(model->result->outcome, HINGE_CERTIFIED);
        assert_true(model->result->primal <= minimum * (1 + 1.1e-8L));
        assert_true(model->result->primal >= bound);
        assert_true(-model->result->dual <= minimum);
        hinge_model_free(model);
    }
}

/* With many features, no row has a loss, so the minimum and its dual variables are the same at any
 * large C. C minus the share of a row's own class is as exact as they are. */
static void test_large_costs_beside_small_shares(void **state)
{
    enum { ROWS = 30, FEATURES = 600, CLASSES = 3 };
    static size_t start[ROWS + 1];
    static uint32_t index[ROWS * FEATURES];
    static double value[ROWS * FEATURES], label[ROWS];
    const struct hinge_dataset data = {.x = {.rows = ROWS,
                                             .start = start,
                                             .index_kind = HINGE_INDEX_32,
                                             .value_kind = HINGE_VALUE_DOUBLE,
                                             .index = index,
                                             .value = value,
                                             .nonzeros = ROWS * FEATURES},
                                       .features = FEATURES,
                                       .label = label};
    struct hinge_parameters parameters = parameters_default();
    double lowest = 0;
    uint64_t random = 7;

    (void)state;
    for (size_t i = 0; i < ROWS; i++) {
        label[i] = (double)(i % CLASSES);
        for (uint32_t j = 0; j < FEATURES; j++) {
            index[i * FEATURES + j] = j;
            value[i * FEATURES + j] = 20 * random_unit(&random) - 10;
        }
        start[i + 1] = (i + 1) * FEATURES;
    }
    parameters.solver = CRAMMER_SINGER;
    parameters.single_method = 1;
    parameters.max_passes = 100;
    for (parameters.C = 1; parameters.C < 1e8; parameters.C *= 10) {
        struct hinge_error error;
        struct hinge_model *model = hinge_train(&data, &parameters, NULL, &error);

        assert_non_null(model);
        assert_int_equal(model->result->outcome, HINGE_CERTIFIED);
        if (parameters.C == 1)
            lowest = -model->result->dual;
        assert_true(model->result->primal >= lowest * (1 - 1e-15) &&
                    -model->result->dual <= lowest * 1.002);
        hinge_model_free(model);
    }
}

/* LIBLINEAR's rule holds for all rows, including shrunk ones, at the returned weights. */
static void test_rule_of_eps(void **state)
{
    static struct class_toy toy;

    (void)state;
    for (unsigned long number = 0; number < 192; number++) {
        struct hinge_model *model;

        class_toy_draw(&toy, CRAMMER_SINGER, number);
        toy.parameters.C = fmin(toy.parameters.C, 1);
        toy.parameters.single_method = (int)(number / TOY_KINDS % 2);
        toy.parameters.relative_gap = 0;
        toy.parameters.eps = number % 3 ? 0.1 : 1e-3;
        if (number % TOY_KINDS == 5 && toy.parameters.single_method)
            continue;
        model = class_toy_train(&toy);
        assert_true(model->result->outcome == HINGE_TOLERANCE_MET ||
                    model->result->outcome == HINGE_CERTIFIED);
        assert_true(class_toy_violation(&toy, model) <= toy.parameters.eps * (1 + 1e-9));
        hinge_model_free(model);
    }
}

/* Passes that start from the weights of a model return no worse weights, however few they are. With
 * enough passes they find the minimum. */
static void test_start(void **state)
{
    static struct class_toy toy;

    (void)state;
    for (unsigned long number = 0; number < 64; number++) {
        struct hinge_model *model, *again;

        class_toy_draw(&toy, CRAMMER_SINGER, number);
        toy.parameters.C = number % 2 ? 1 : 0.1;
        toy.parameters.single_method = 1;
        if (number % TOY_KINDS == 5) /* badly scaled: too slow this way */
            continue;
        toy.parameters.relative_gap = 1e-2;
        model = class_toy_train(&toy);
        toy.parameters.initial = model;
        toy.parameters.relative_gap = 1e-6;
        toy.parameters.max_passes = 1;
        again = class_certified(&toy);
        assert_true(again->result->primal <= model->result->primal * (1 + 1e-12));
        hinge_model_free(again);
        toy.parameters.max_passes = 100000;
        again = class_certified(&toy);
        assert_int_equal(again->result->outcome, HINGE_CERTIFIED);
        hinge_model_free(again);
        hinge_model_free(model);
    }
}

/* The seed decides the order of the rows. */
static void test_seeds(void **state)
{
    static struct class_toy toy;
    struct hinge_model *model[3];
    int differs = 0;

    (void)state;
    class_toy_draw(&toy, CRAMMER_SINGER, 23);
    toy.parameters.single_method = 1;
    toy.parameters.C = 1;
    for (size_t k = 0; k < 3; k++) {
        toy.parameters.seed = k == 2 ? 7 : 1;
        model[k] = class_toy_train(&toy);
    }
    for (size_t j = 0; j < toy.features * model[0]->classes; j++) {
        assert_true(model[0]->weight[j] == model[1]->weight[j]);
        differs |= model[0]->weight[j] != model[2]->weight[j];
    }
    assert_true(differs);
    for (size_t k = 0; k < 3; k++)
        hinge_model_free(model[k]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_certificate_is_true),
        cmocka_unit_test(test_minimum_is_that_of_pairs),
        cmocka_unit_test(test_large_costs_beside_small_shares),
        cmocka_unit_test(test_rule_of_eps),
        cmocka_unit_test(test_start),
        cmocka_unit_test(test_seeds),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
