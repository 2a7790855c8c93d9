/* test_newton_classes.c - Newton's method with all classes at once: the certificate recomputed in
 * long double from the model and its alpha, the minimum by other methods, two classes by the binary
 * losses. For Crammer and Singer's hinge, Newton's method comes after passes, or first.
 */
#include <math.h>
#include <string.h>

#include "class_tests.h"
#include "support.h"
#include "toy.h"

/* Checks that every problem up to C = 1e6 is certified, also if it is badly scaled. Returns the
 * number of trainings with steps. */
static unsigned check_certificates(int solver, uint64_t few_passes, uint64_t most_passes)
{
    static struct class_toy toy;
    unsigned with_steps = 0;

    for (unsigned long number = 0; number < 960; number++) {
        struct hinge_model *model;

        class_toy_draw(&toy, solver, number);
        toy.parameters.relative_gap = number % 5 == 0 ? 1e-6 : 1e-3;
        toy.parameters.max_passes = number % 7 == 0 ? few_passes : most_passes;
        model = class_certified(&toy);
        if (number % 7 > 0 && toy.parameters.C <= 1e6)
            assert_int_equal(model->result->outcome, HINGE_CERTIFIED);
        with_steps += model->result->steps > 0;
        hinge_model_free(model);
    }
    return with_steps;
}

static void test_certificate_is_true(void **state)
{
    (void)state;
    check_certificates(SOFTMAX, 2, 0);
    assert_true(check_certificates(CRAMMER_SINGER, 4, 100000) > 100);
}

static void test_two_classes_are_a_binary_problem(void **state)
{
    (void)state;
    class_test_two_classes(SOFTMAX, 0, 1e-9);
    class_test_two_classes(CRAMMER_SINGER, 3, 1e-8);
}

static void test_labels_do_not_matter(void **state)
{
    (void)state;
    class_test_labels(SOFTMAX, 1e-9);
    class_test_labels(CRAMMER_SINGER, 1e-8);
}

static void test_stopped_anywhere(void **state)
{
    (void)state;
    class_test_stops(SOFTMAX, 1e-9);
    class_test_stops(CRAMMER_SINGER, 1e-8);
}

static void test_path_over_C(void **state)
{
    (void)state;
    class_test_path(SOFTMAX);
    class_test_path(CRAMMER_SINGER);
}

/* ---- Softmax -------------------------------------------------------------- */

/* Gradient descent finds the same minimum. Its step is 1/(bound of the curvature), and it ends with
 * a small gradient. */
static void test_minimum_is_that_of_gradient_descent(void **state)
{
    static struct class_toy toy;
    static long double w[TOY_WIDTH], gradient[COUNT(w)];

    (void)state;
    for (unsigned long number = 0; number < 64; number++) {
        struct hinge_model *model;
        long double curvature = 1, slope = 1, minimum = 0;

        class_toy_draw(&toy, SOFTMAX, number);
        toy.parameters.C = number % 2 ? 1 : 0.1;
        toy.parameters.relative_gap = 1e-9;
        if (number % TOY_KINDS == 5) /* badly scaled: too slow this way */
            continue;
        model = class_toy_train(&toy);
        for (size_t i = 0; i < toy.rows; i++)
            for (size_t e = toy.start[i]; e <= toy.start[i + 1]; e++) {
                const double x = e < toy.start[i + 1] ? toy.value[e] : model->bias;

                curvature += class_toy_cost(&toy, i) * x * x / 2;
            }
        memset(w, 0, sizeof w);
        for (int k = 0; k < 100000 && slope > 1e-16L * minimum; k++) {
            minimum = class_toy_primal(&toy, model, w, gradient);
            slope = 0;
            for (size_t j = 0; j < class_toy_width(model); j++) {
                w[j] -= gradient[j] / curvature;
                slope += gradient[j] * gradient[j];
            }
        }
        /* slope / 2 bounds the excess; with free biases, where P has less curvature, it does not */
        assert_true(slope / 2 <= 1e-12L * minimum);
        assert_true(model->result->primal <= minimum * (1 + 1.1e-9L));
        assert_true(model->result->primal >= minimum * (1 - (model->free_bias ? 1e-9L : 1e-12L)));
        assert_true(-model->result->dual <= minimum);
        hinge_model_free(model);
    }
}

/* The monomials of three numbers, up to the fourth degree. With the diagonal of the Hessian alone
 * as preconditioner, 50 steps leave a large residual, and Newton's method took 2,300 steps. */
static void test_features_that_depend_on_each_other(void **state)
{
    static struct class_toy toy;
    uint64_t random = 7, steps = 0;

    (void)state;
    for (unsigned long number = 0; number < 24; number++) {
        struct hinge_model *model;
        size_t at = 0;

        class_toy_draw(&toy, SOFTMAX, number * TOY_KINDS);
        toy.parameters.C = pow(10, (double)(number % 6) - 1);
        toy.parameters.relative_gap = 1e-3;
        for (size_t i = 0; i < toy.rows; i++) {
            const double x = random_between(&random, 0, 20), y = random_between(&random, 0, 20),
                         z = random_between(&random, 0, 20);
            uint32_t index = 0;

            toy.start[i] = at;
            for (int degree = 1; degree <= 4; degree++)
                for (int of_x = 0; of_x <= degree; of_x++)
                    for (int of_y = 0; of_x + of_y <= degree; of_y++) {
                        toy.index[at] = index++;
                        toy.value[at++] =
                            pow(x, of_x) * pow(y, of_y) * pow(z, degree - of_x - of_y);
                    }
        }
        toy.start[toy.rows] = toy.data.x.nonzeros = at;
        toy.features = toy.data.features = (uint32_t)(at / toy.rows);
        model = class_certified(&toy);
        assert_int_equal(model->result->outcome, HINGE_CERTIFIED);
        steps += model->result->steps;
        hinge_model_free(model);
    }
    assert_true(steps <= 1200);
}

/* ---- Softmax with free biases ---------------------------------------------------------- */

/* A number added to every feature changes only the free biases: w is within sqrt(2 excess) of the w
 * of the minimum, and the number of steps is about the same. */
static void test_moved_features_change_only_free_biases(void **state)
{
    static const double GAP = 1e-8;
    static struct class_toy toy;
    static double table[TOY_ROWS * TOY_FEATURES];
    uint64_t steps = 0, moved_steps = 0;

    (void)state;
    for (unsigned long number = 0; number < 240; number++) {
        struct hinge_model *model, *moved;
        size_t at = 0;

        class_toy_draw(&toy, SOFTMAX, number);
        if (number % TOY_KINDS == 5) /* 1e-4 + 10 leaves few digits of 1e-4 */
            continue;
        toy.parameters.C = fmin(fmax(toy.parameters.C, 1e-3), 1e3);
        toy.parameters.bias = toy.parameters.free_bias = 1;
        toy.parameters.relative_gap = GAP;
        model = class_toy_train(&toy);
        for (size_t i = 0; i < toy.rows; i++)
            for (size_t j = 0; j < toy.features; j++) {
                table[at] = 10;
                for (size_t e = toy.start[i]; e < toy.start[i + 1]; e++)
                    table[at] += toy.index[e] == j ? toy.value[e] : 0;
                at++;
            }
        for (size_t i = 0; i <= toy.rows; i++)
            toy.start[i] = i * toy.features;
        for (size_t e = 0; e < at; e++) {
            toy.index[e] = (uint32_t)(e % toy.features);
            toy.value[e] = table[e];
        }
        toy.data.x.nonzeros = at;
        moved = class_toy_train(&toy);
        assert_int_equal(model->result->outcome, HINGE_CERTIFIED);
        assert_int_equal(moved->result->outcome, HINGE_CERTIFIED);
        assert_true(fabs(model->result->primal - moved->result->primal) <=
                    1.1 * GAP * model->result->primal);
        for (size_t j = 0; j < class_toy_penalised(model); j++)
            assert_true(fabs(model->weight[j] - moved->weight[j]) <=
                        2 * sqrt(2 * GAP * model->result->primal));
        steps += model->result->steps;
        moved_steps += moved->result->steps;
        hinge_model_free(model);
        hinge_model_free(moved);
    }
    assert_true(moved_steps <= steps + steps / 10);
}

/* Without rows of a class, the minimum has no finite bias for it. The training ends, and no row has
 * a share of the class in alpha. */
static void test_class_without_rows(void **state)
{
    static struct class_toy toy;

    (void)state;
    for (unsigned long number = 4; number < 240; number += TOY_KINDS) {
        struct hinge_model *model;
        size_t empty = 0;

        class_toy_draw(&toy, SOFTMAX, number);
        toy.parameters.bias = toy.parameters.free_bias = 1;
        toy.parameters.C = fmin(toy.parameters.C, 1e4);
        toy.class_weight[0] = 0;
        model = class_toy_train(&toy);
        if (toy.classes > 2) /* with two classes the minimum is 0 */
            assert_int_equal(model->result->outcome, HINGE_CERTIFIED);
        assert_true(model->result->primal < 1e-6 || toy.classes > 2);
        while (model->label[empty] != toy.class_label[0])
            empty++;
        for (size_t i = 0; i < toy.rows; i++)
            assert_true(model->alpha[i * model->classes + empty] == 0);
        assert_true(class_toy_dual(&toy, model) <=
                    model->result->dual + 1e-17L * fabs(model->result->dual));
        hinge_model_free(model);
    }
}

/* LIBLINEAR's rule of its primal solvers, with the smallest of the classes. */
static void test_rule_of_eps(void **state)
{
    static struct class_toy toy;
    static long double w[TOY_WIDTH], gradient[COUNT(w)];

    (void)state;
    for (unsigned long number = 0; number < 192; number++) {
        size_t count[TOY_CLASSES] = {0}, fewest = TOY_ROWS;
        long double first = 0, last = 0;
        struct hinge_model *model;

        class_toy_draw(&toy, SOFTMAX, number);
        if (toy.parameters.weights > 0 || toy.parameters.C > 1e6)
            continue;
        toy.parameters.relative_gap = 0;
        toy.parameters.eps = number % 2 ? 0.01 : 1e-4;
        model = class_toy_train(&toy);
        assert_true(model->result->outcome == HINGE_TOLERANCE_MET ||
                    model->result->outcome == HINGE_CERTIFIED);
        for (size_t i = 0; i < toy.rows; i++)
            count[class_toy_class(&toy, model, i)]++;
        for (size_t c = 0; c < model->classes; c++)
            fewest = count[c] < fewest ? count[c] : fewest;
        memset(w, 0, sizeof w);
        class_toy_primal(&toy, model, w, gradient);
        for (size_t j = 0; j < class_toy_width(model); j++)
            first += gradient[j] * gradient[j];
        class_toy_weights(model, w);
        class_toy_primal(&toy, model, w, gradient);
        for (size_t j = 0; j < class_toy_width(model); j++)
            last += gradient[j] * gradient[j];
        assert_true(sqrtl(last) <= toy.parameters.eps * (1 + 1e-9) * (double)fewest /
                                       (double)toy.rows * sqrtl(first));
        hinge_model_free(model);
    }
}

/* ---- Crammer and Singer's hinge -------------------------------------------- */

/* If planes separate each two classes, the solution is the same from some C on, so a cost above the
 * largest possible share is lowered to it. Then the shares of the other classes keep their digits.
 * If a stage ended before its minimum was near, trainings from C = 1e5 on would take 48 to 203
 * steps. */
static void test_any_cost_of_real_data(void **state)
{
    const struct hinge_format format = {0};
    struct hinge_parameters parameters = parameters_default();
    struct hinge_error error;
    struct hinge_dataset *data = hinge_dataset_read("data/digits", &format, &error);
    size_t number = 0;
    double least = HUGE_VAL, most = 0;

    (void)state;
    assert_non_null(data);
    parameters.solver = CRAMMER_SINGER;
    for (parameters.C = 100; parameters.C < 1e100; parameters.C *= 1e7) {
        struct hinge_model *model;

        if (number++ % repeats(1, 4) > 0)
            continue;
        model = hinge_train(data, &parameters, NULL, &error);
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

/* Newton's method starts from the weights of a model and ends at the minimum. */
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
    assert_true(with_steps > 5); /* w = 0 is often better than the model, or the minimum */
}

/* Rows have lengths from 1e-3 to 1e8. The largest margins have errors of 1e-6, but the gains must
 * keep all digits. */
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

/* There are too many features for blocks. If rows have all features, as in images, and are mostly
 * mixtures of a few patterns, Newton's method takes over when passes have cost as much as it would.
 * If rows have few features, it never takes over. */
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_certificate_is_true),
        cmocka_unit_test(test_two_classes_are_a_binary_problem),
        cmocka_unit_test(test_labels_do_not_matter),
        cmocka_unit_test(test_stopped_anywhere),
        cmocka_unit_test(test_path_over_C),
        cmocka_unit_test(test_minimum_is_that_of_gradient_descent),
        cmocka_unit_test(test_features_that_depend_on_each_other),
        cmocka_unit_test(test_moved_features_change_only_free_biases),
        cmocka_unit_test(test_class_without_rows),
        cmocka_unit_test(test_rule_of_eps),
        cmocka_unit_test(test_any_cost_of_real_data),
        cmocka_unit_test(test_start),
        cmocka_unit_test(test_rows_of_any_scale),
        cmocka_unit_test(test_features_without_blocks),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
