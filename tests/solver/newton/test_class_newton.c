/* test_class_newton.c - the problem of Crammer and Singer where Newton's method takes over from the
 * passes, or comes first: the certificate recomputed in long double, the minimum by steps on pairs,
 * two classes by the L1-loss. */
#include <math.h>

#include "class_tests.h"
#include "support.h"

/* Up to C = 1e6 every problem is certified, badly scaled ones too. */
static void test_certificate_is_true(void **state)
{
    static struct class_toy toy;
    unsigned with_steps = 0;

    (void)state;
    for (unsigned long number = 0; number < 960; number++) {
        struct hinge_model *model;

        class_toy_draw(&toy, CRAMMER_SINGER, number);
        toy.parameters.relative_gap = number % 5 == 0 ? 1e-6 : 1e-3;
        toy.parameters.max_passes = number % 7 == 0 ? 4 : 100000;
        model = class_certified(&toy);
        if (toy.parameters.max_passes > 4 && toy.parameters.C <= 1e6)
            assert_int_equal(model->result->outcome, HINGE_CERTIFIED);
        with_steps += model->result->steps > 0;
        hinge_model_free(model);
    }
    assert_true(with_steps > 100);
}

/* At any C where a plane separates each two classes: the solution is the same from some C on, and
 * costs above what its shares can be are limited to that, and beside these the shares of the other
 * classes keep their digits. Where a stage ends before its minimum is near, there are 48 to 203
 * steps from C = 1e5 on. */
static void test_any_cost_of_real_data(void **state)
{
    const struct hinge_format format = {0};
    struct hinge_parameters parameters = parameters_default();
    struct hinge_error error;
    struct hinge_dataset *data = hinge_dataset_read("data/digits", &format, &error);
    double least = HUGE_VAL, most = 0;

    (void)state;
    assert_non_null(data);
    parameters.solver = CRAMMER_SINGER;
    for (parameters.C = 100; parameters.C < 1e100; parameters.C *= 1e7) {
        struct hinge_model *model = hinge_train(data, &parameters, NULL, &error);

        assert_non_null(model);
        assert_int_equal(model->result->outcome, HINGE_CERTIFIED);
        assert_true(model->result->steps <= 47);
        least = fmin(least, model->result->primal);
        most = fmax(most, model->result->primal);
        hinge_model_free(model);
    }
    assert_true(most <= least * (1 + 1.1e-3));
    hinge_dataset_free(data);
}

static void test_two_classes_are_the_hinge(void **state)
{
    (void)state;
    class_test_two_classes(CRAMMER_SINGER, 3, 1e-8);
}

/* At the weights of a model Newton's method begins, and ends at the minimum. */
static void test_start(void **state)
{
    static struct class_toy toy;
    unsigned with_steps = 0;

    (void)state;
    for (unsigned long number = 0; number < 64; number++) {
        struct hinge_model *model, *again;
        long double minimum, bound;

        class_toy_draw(&toy, CRAMMER_SINGER, number);
        toy.parameters.C = number % 2 ? 1 : 0.1;
        toy.parameters.relative_gap = 0.3;
        if (number % TOY_KINDS == 5) /* badly scaled: the minimum takes too long */
            continue;
        model = class_toy_train(&toy);
        toy.parameters.initial = model;
        toy.parameters.relative_gap = 1e-8;
        again = class_toy_train(&toy);
        assert_int_equal(again->result->outcome, HINGE_CERTIFIED);
        with_steps += again->result->steps == again->result->passes && again->result->steps > 0;
        minimum = class_toy_minimum(&toy, model, &bound);
        assert_true(again->result->primal <= minimum * (1 + 1.1e-8L));
        assert_true(again->result->primal >= bound);
        assert_true(-again->result->dual <= minimum);
        hinge_model_free(model);
        hinge_model_free(again);
    }
    assert_true(with_steps > 5); /* often 0 is better than the model, or the minimum */
}

/* Rows of lengths 1e-3 to 1e8: the largest margins are known to 1e-6, but the gains that count to
 * all digits. */
static void test_rows_of_any_scale(void **state)
{
    static double values[] = {0.0034794097425316635, 189695267.17831373, -844.18341249644698};
    static double labels[] = {1, 1, -1};
    static struct class_toy toy;
    struct hinge_model *model;

    (void)state;
    class_toy_draw(&toy, CRAMMER_SINGER, 0);
    toy.rows = toy.data.x.rows = toy.data.x.nonzeros = 3;
    toy.classes = 2;
    toy.features = toy.data.features = 1;
    for (size_t i = 0; i < 3; i++) {
        toy.start[i + 1] = i + 1;
        toy.index[i] = 0;
        toy.value[i] = values[i];
        toy.label[i] = labels[i];
    }
    toy.parameters.C = 13346094.3126774;
    toy.parameters.bias = -1;
    toy.parameters.max_passes = 10000;
    model = class_toy_train(&toy);
    assert_int_equal(model->result->outcome, HINGE_CERTIFIED);
    hinge_model_free(model);
}

/* Features that are too many for blocks. Where rows have all of them, as images do, and a few
 * patterns make up most, Newton's method takes over when passes have cost as much as it would;
 * where rows have few of them, never. */
static void test_features_without_blocks(void **state)
{
    enum { ROWS = 240, FEATURES = 2100, CLASSES = 3, PATTERNS = 12 };
    static size_t start[ROWS + 1];
    static uint32_t index[ROWS * FEATURES];
    static double value[ROWS * FEATURES], pattern[PATTERNS * FEATURES], label[ROWS];
    struct hinge_dataset data = {
        .x = {.rows = ROWS, .start = start, .value_kind = HINGE_VALUE_DOUBLE, .value = value},
        .features = FEATURES,
        .label = label};
    struct hinge_parameters parameters = parameters_default();
    uint64_t random = 5;

    (void)state;
    for (size_t at = 0; at < PATTERNS * FEATURES; at++)
        pattern[at] = 2 * random_unit(&random) - 1;
    for (size_t i = 0; i < ROWS; i++)
        label[i] = (double)(i % CLASSES);
    parameters.solver = CRAMMER_SINGER;
    for (size_t in_row = FEATURES; in_row > 0; in_row = in_row == FEATURES ? 20 : 0) {
        struct hinge_model *with, *plain;
        struct hinge_error error;

        for (size_t i = 0; i < ROWS; i++) {
            double share[PATTERNS];

            start[i + 1] = (i + 1) * in_row;
            for (size_t k = 0; k < PATTERNS; k++)
                share[k] = exp2(-(double)k) * (random_unit(&random) - (k % CLASSES == i % CLASSES));
            for (size_t e = start[i]; e < start[i + 1]; e++) {
                index[e] =
                    (uint32_t)((e - start[i]) * (FEATURES / in_row) + i % (FEATURES / in_row));
                value[e] = 0.01 * random_unit(&random);
                for (size_t k = 0; k < PATTERNS; k++)
                    value[e] += share[k] * pattern[k * FEATURES + index[e]];
            }
        }
        data.x.index_kind = in_row < FEATURES ? HINGE_INDEX_32 : HINGE_INDEX_NONE;
        data.x.index = in_row < FEATURES ? index : NULL;
        data.x.nonzeros = start[ROWS];
        parameters.C = 1;
        parameters.relative_gap = 1e-8;
        parameters.single_method = 0;
        with = hinge_train(&data, &parameters, NULL, &error);
        parameters.single_method = 1;
        plain = hinge_train(&data, &parameters, NULL, &error);
        assert_true(with && plain);
        assert_int_equal(with->result->outcome, HINGE_CERTIFIED);
        assert_int_equal(plain->result->outcome, HINGE_CERTIFIED);
        assert_true((with->result->steps > 0) == (in_row == FEATURES));
        assert_true(with->result->passes - with->result->steps > 400);
        assert_true(with->result->primal <= plain->result->primal * (1 + 1.1e-8));
        assert_true(plain->result->primal <= with->result->primal * (1 + 1.1e-8));
        hinge_model_free(with);
        hinge_model_free(plain);
    }
}

static void test_labels_do_not_matter(void **state)
{
    (void)state;
    class_test_labels(CRAMMER_SINGER, 1e-8);
}

static void test_stopped_anywhere(void **state)
{
    (void)state;
    class_test_stops(CRAMMER_SINGER, 1e-8);
}

static void test_path_over_C(void **state)
{
    (void)state;
    class_test_path(CRAMMER_SINGER);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_certificate_is_true),
        cmocka_unit_test(test_any_cost_of_real_data),
        cmocka_unit_test(test_two_classes_are_the_hinge),
        cmocka_unit_test(test_start),
        cmocka_unit_test(test_rows_of_any_scale),
        cmocka_unit_test(test_features_without_blocks),
        cmocka_unit_test(test_labels_do_not_matter),
        cmocka_unit_test(test_stopped_anywhere),
        cmocka_unit_test(test_path_over_C),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
