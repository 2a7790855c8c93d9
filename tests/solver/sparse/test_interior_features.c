/* test_interior_features.c - Newton's equations for v, w and its multipliers, the longest step, and
 * the weights that are 0 in the end. */
#include <math.h>
#include <stdlib.h>

#include "random_problem.h"
#include "solver/loop/method.h"
#include "solver/sparse/interior_features.h"

enum { FEATURES = 7, WIDTH = FEATURES + 1 };

/* Draws the features of a problem with a free bias, at a random interior point. Returns their
 * block, which the caller frees. */
static void *draw(struct interior_features *features, uint64_t *random)
{
    struct hinge_dataset data = {.features = FEATURES};
    const struct problem problem = {
        .data = &data, .bias = 1, .bias_kind = BIAS_FREE, .l1 = 1, .only_l1 = 1};
    struct arena arena = {NULL, 0, 0};
    struct hinge_error error;
    void *block;

    interior_features_lay_out(features, &arena, &problem);
    assert_non_null(block = arena_new(&arena, &error));
    interior_features_lay_out(features, &arena, &problem);
    interior_features_begin(features, 14);
    assert_true(features->plus[3] == 2 && features->minus[3] == 2 && features->v[3] == 0);
    for (size_t j = 0; j < FEATURES; j++) {
        features->v[j] = 1.9 * random_unit(random) - 0.95;
        features->plus[j] = exp2(6 * random_unit(random) - 3);
        features->minus[j] = exp2(6 * random_unit(random) - 3);
        features->w[j] = features->plus[j] - features->minus[j];
    }
    return block;
}

/* The features' part of the right-hand side makes R dw - (right-hand side) equal to v + dv. A step
 * brings the products of the multipliers to the target, to first order. With the corrector it does
 * so to second order about the previous step. */
static void test_steps_solve_newtons_equations(void **state)
{
    static const double TARGET = 0.3;
    uint64_t random = 5;

    (void)state;
    for (int k = 0; k < 50; k++) {
        struct interior_features features = {0};
        void *block = draw(&features, &random);
        double right[WIDTH], moved[WIDTH] = {0}, cross[FEATURES][2] = {{0, 0}};

        assert_true(interior_features_weigh(&features));
        for (int corrector = 0; corrector < 2; corrector++) {
            double rest = 0;

            for (size_t j = 0; j < WIDTH; j++)
                right[j] = 0;
            interior_features_add_right(&features, TARGET, corrector, right);
            assert_true(right[FEATURES] == 0);
            for (size_t j = 0; j < WIDTH; j++)
                features.dw[j] = 2 * random_unit(&random) - 1;
            memset(moved, 0, sizeof moved);
            interior_features_take_moved(&features, moved);
            assert_true(moved[FEATURES] == 0);
            interior_features_find_steps(&features);
            for (size_t j = 0; j < FEATURES; j++) {
                const double v = features.v[j], dv = features.dv[j], unit = features.unit[j];
                const double plus = features.plus[j], minus = features.minus[j];

                rest = fmax(rest, fabs(features.dplus[j] - features.dminus[j] - features.dw[j]));
                rest = fmax(rest, fabs(plus * (1 - v) + features.dplus[j] * (1 - v) - plus * dv +
                                       cross[j][0] - TARGET));
                rest = fmax(rest, fabs(minus * (1 + v) + features.dminus[j] * (1 + v) + minus * dv +
                                       cross[j][1] - TARGET));
                rest = fmax(rest, fabs(features.dw[j] / (unit * unit) - right[j] - (v + dv)));
                rest = fmax(rest, fabs(moved[j] + (v + dv)));
                cross[j][0] = -features.dplus[j] * dv;
                cross[j][1] = features.dminus[j] * dv;
            }
            assert_true(rest < 1e-12);
        }
        free(block);
    }
}

/* Just before the longest step all numbers are inside their bounds, and just after it one is not.
 * The products are those of the point there. */
static void test_longest_step(void **state)
{
    uint64_t random = 9;

    (void)state;
    for (int k = 0; k < 100; k++) {
        for (int behind = 0; behind < 2; behind++) {
            struct interior_features features = {0};
            uint64_t same = random + (uint64_t)k;
            void *block = draw(&features, &same);
            double right[WIDTH] = {0}, t, said, products = 0, least = HUGE_VAL;

            assert_true(interior_features_weigh(&features));
            interior_features_add_right(&features, 0.01, 0, right);
            for (size_t j = 0; j < WIDTH; j++)
                features.dw[j] = 4 * random_unit(&same) - 2;
            interior_features_find_steps(&features);
            t = interior_features_longest(&features) * (behind ? 1 + 1e-6 : 1 - 1e-6);
            said = interior_features_products(&features, t);
            interior_features_move(&features, t);
            for (size_t j = 0; j < FEATURES; j++) {
                const double above[] = {features.plus[j], features.minus[j], 1 - features.v[j],
                                        1 + features.v[j]};

                for (size_t i = 0; i < COUNT(above); i++)
                    least = fmin(least, above[i]);
                products += above[0] * above[2] + above[1] * above[3];
                assert_true(features.w[j] == features.plus[j] - features.minus[j]);
            }
            assert_true(behind ? least < 0 : least > 0);
            assert_true(fabs(said - products) <= 1e-12 * fabs(products));
            assert_true(interior_features_count(&features) == 2 * FEATURES);
            free(block);
        }
    }
}

/* A weight stays, however small, if its v_j is at a bound, and otherwise becomes 0. A free bias
 * stays. */
static void test_what_a_multiplier_holds_at_zero(void **state)
{
    struct interior_features features = {0};
    uint64_t random = 3;
    void *block = draw(&features, &random);
    double w[WIDTH];

    (void)state;
    for (size_t j = 0; j < FEATURES; j++) {
        features.v[j] = j % 2 ? 0.9 : 1 - 1e-9;
        features.w[j] = j == 0 ? 100 : 5e-4;
    }
    features.w[FEATURES] = 1e-9;
    features.w[1] = 1; /* is held at 0 at level 0 alone */
    for (int level = 0; level < SETTLING_LEVELS; level++) {
        const int leaves_small = level >= 3; /* weights of 5e-4 are held up to level 2 */

        interior_features_settle(&features, level, w);
        for (size_t j = 0; j < WIDTH; j++) {
            const int is_held = j % 2 && j < FEATURES && !leaves_small && (j > 1 || level == 0);

            assert_true(w[j] == (is_held ? 0 : features.w[j]));
        }
    }
    features.v[2] = 1; /* rounded to the bound */
    assert_false(interior_features_weigh(&features));
    free(block);
}

/* Two rows have one feature each, one of them 1000 times as large, so its small weight counts. The
 * dual point of the solution has v = 1. If the point lags behind, weights are set to 0 in levels,
 * and each dual point is tried. */
static void test_gap_of_what_is_settled(void **state)
{
    enum { ROWS = 2, C = 10 };
    static size_t start[] = {0, 1, 2};
    static uint32_t index[] = {0, 1}, row[] = {0, 1};
    static double value[] = {1, 1000}, cost[] = {C, C};
    static const signed char sign[] = {1, 1};
    static const double of_zero[ROWS] = {0, 0}, of_solution[ROWS] = {0.9999, 0.0009999};
    static const double *const both[] = {of_zero, of_solution};
    const struct hinge_dataset data = {.x = {.rows = ROWS,
                                             .nonzeros = 2,
                                             .start = start,
                                             .index_kind = HINGE_INDEX_32,
                                             .value_kind = HINGE_VALUE_DOUBLE,
                                             .index = index,
                                             .value = value},
                                       .features = 2};
    const struct problem problem = {.data = &data,
                                    .rows = ROWS,
                                    .row = row,
                                    .sign = sign,
                                    .cost = cost,
                                    .loss = LOSS_SQUARED_HINGE,
                                    .l1 = 1,
                                    .only_l1 = 1};
    struct hinge_parameters parameters = parameters_default();
    double w[2], alpha[ROWS], sum[2], partial[2];
    const struct task task = {.problem = &problem, .parameters = &parameters};
    struct training training = {.task = &task,
                                .problem = &problem,
                                .parameters = &parameters,
                                .rows = ROWS,
                                .width = 2,
                                .point.w = w,
                                .point.alpha = alpha,
                                .point.v = sum};
    struct interior_features features = {0};
    struct arena arena = {NULL, 0, 0};
    struct hinge_error error;
    void *block;

    (void)state;
    training.shards = shards_of(&problem, SUM_OF_VECTORS, 2, 2);
    training.shards.partial = partial;
    interior_features_lay_out(&features, &arena, &problem);
    assert_non_null(block = arena_new(&arena, &error));
    interior_features_lay_out(&features, &arena, &problem);
    for (size_t j = 0; j < 2; j++) {
        features.w[j] = (1 - 1 / (2 * C * value[j])) / value[j];
        features.v[j] = 0.99;
    }
    assert_false(interior_features_gap_is_met(&features, &training, both + 1, 1, 0));
    assert_false(interior_features_gap_is_met(&features, &training, both, 1, 1));
    assert_false(interior_features_gap_is_met(&features, &training, both, 2, 0));
    assert_true(interior_features_gap_is_met(&features, &training, both + 1, 1, 1));
    assert_true(interior_features_gap_is_met(&features, &training, both, 2, 1));
    assert_memory_equal(w, features.w, sizeof w);
    assert_memory_equal(alpha, of_solution, sizeof alpha);
    assert_true(training.progress.relative_gap > 0 && training.progress.relative_gap < 1e-3);
    free(block);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_steps_solve_newtons_equations),
        cmocka_unit_test(test_longest_step),
        cmocka_unit_test(test_what_a_multiplier_holds_at_zero),
        cmocka_unit_test(test_gap_of_what_is_settled),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
