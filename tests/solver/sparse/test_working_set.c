/* test_working_set.c - sums by columns equal sums by rows. A working set has the features whose
 * weight is not 0 or is nearest to leaving 0, and none without entries. The median of |v_j| is over
 * the features with entries. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "solver/sparse/working_set.h"
#include "support.h"

enum { ROWS = 40, FEATURES = 60, EMPTY = 11, SQUARED = 5, LOGISTIC = 6, PROBLEMS = 400 };

struct drawn {
    size_t start[ROWS + 1];
    uint32_t index[ROWS * FEATURES], row[ROWS];
    double value[ROWS * FEATURES], label[ROWS], cost[ROWS];
    signed char sign[ROWS];
    struct hinge_dataset data;
    struct problem problem;
    struct hinge_parameters parameters;
};

static void draw(struct drawn *drawn, unsigned long number)
{
    uint64_t random = number + 1;
    const double share = number % 3 ? 0.2 : 0.8;
    size_t end = 0;

    *drawn = (struct drawn){.parameters = parameters_default()};
    drawn->parameters.solver = number % 2 ? SQUARED : LOGISTIC;
    drawn->parameters.C = pow(10, 3 * random_unit(&random) - 1);
    drawn->parameters.keep_alpha = 1;
    for (size_t i = 0; i < ROWS; i++) {
        drawn->sign[i] = i > 0 && random_unit(&random) < 0.5 ? -1 : 1;
        drawn->label[i] = drawn->sign[i];
        drawn->row[i] = (uint32_t)i;
        drawn->cost[i] = drawn->parameters.C;
        for (uint32_t j = 0; j < FEATURES; j++)
            if (random_unit(&random) < share && j != EMPTY) {
                drawn->index[end] = j;
                drawn->value[end++] = (2 * random_unit(&random) - 1) * (j % 5 ? 1 : 3) +
                                      (j < 3 ? 0.5 * drawn->sign[i] : 0);
            }
        drawn->start[i + 1] = end;
    }
    drawn->sign[ROWS - 1] = -1;
    drawn->label[ROWS - 1] = -1;
    drawn->data = (struct hinge_dataset){.x = {.rows = ROWS,
                                               .nonzeros = end,
                                               .start = drawn->start,
                                               .index_kind = HINGE_INDEX_32,
                                               .value_kind = HINGE_VALUE_DOUBLE,
                                               .index = drawn->index,
                                               .value = drawn->value},
                                         .features = FEATURES,
                                         .label = drawn->label};
    drawn->problem = (struct problem){.data = &drawn->data,
                                      .rows = ROWS,
                                      .row = drawn->row,
                                      .sign = drawn->sign,
                                      .cost = drawn->cost,
                                      .loss = number % 2 ? LOSS_SQUARED_HINGE : LOSS_LOGISTIC,
                                      .l1 = 1,
                                      .only_l1 = 1};
}

/* Returns a working set of the problem. Its arrays are *block, which the caller frees, and *by. */
static struct working_set begin(const struct drawn *drawn, struct column_cache **by, void **block)
{
    struct working_set set = {0};
    struct arena arena = {NULL, 0, 0};
    struct hinge_error error;

    working_set_lay_out(&set, &arena, &drawn->problem);
    *block = arena_new(&arena, &error);
    assert_non_null(*block);
    working_set_lay_out(&set, &arena, &drawn->problem);
    assert_non_null(*by = column_cache_new(&drawn->problem, 1, &error));
    working_set_begin(&set, &drawn->problem, *by);
    return set;
}

static void end(struct column_cache *by, void *block)
{
    column_cache_free(by);
    free(block);
}

static struct shards one_shard(void)
{
    return (struct shards){.rows = ROWS, .count = 1, .length = FEATURES};
}

static void test_sums_by_columns(void **state)
{
    static struct drawn drawn;

    (void)state;
    for (unsigned long number = 0; number < 50; number++) {
        double alpha[ROWS], slow[FEATURES] = {0}, v[FEATURES], some[FEATURES], w[FEATURES] = {0};
        double change[ROWS], step[FEATURES];
        uint64_t random = number + 1;
        const struct shards shards = one_shard();
        struct column_cache *by;
        struct working_set set;
        void *block;

        draw(&drawn, number);
        set = begin(&drawn, &by, &block);
        for (size_t i = 0; i < ROWS; i++) {
            alpha[i] = random_unit(&random);
            for (size_t e = drawn.start[i]; e < drawn.start[i + 1]; e++)
                slow[drawn.index[e]] += drawn.sign[i] * alpha[i] * drawn.value[e];
        }
        working_set_combine(&set, &shards, alpha, v);
        for (size_t j = 0; j < FEATURES; j++) {
            assert_true(fabs(v[j] - slow[j]) <= 1e-12);
            v[j] /= 50;
        }
        w[7] = 1;
        working_set_choose(&set, 20, w, v, 1);
        assert_true(set.count >= 20 && set.count < FEATURES);
        working_set_combine_some(&set, alpha, -2, some);
        for (size_t c = 0; c < set.count; c++) {
            assert_true(c == 0 || set.member[c] > set.member[c - 1]);
            assert_true(fabs(some[c] + 2 * slow[set.member[c]]) <= 1e-12);
            w[7] -= set.member[c] == 7;
            step[c] = random_unit(&random) - 0.5;
        }
        assert_true(w[7] == 0); /* feature 7 was in the set */
        working_set_margins(&set, step, change);
        for (size_t i = 0; i < ROWS; i++) {
            double z = 0;

            for (size_t e = drawn.start[i]; e < drawn.start[i + 1]; e++)
                for (size_t c = 0; c < set.count; c++)
                    z += set.member[c] == drawn.index[e] ? step[c] * drawn.value[e] : 0;
            assert_true(fabs(change[i] - drawn.sign[i] * z) <= 1e-12);
        }
        working_set_choose(&set, FEATURES, w, v, 1);
        assert_int_equal(set.count, FEATURES - 1);
        for (size_t c = 0; c < set.count; c++)
            assert_true(set.member[c] != EMPTY);
        end(by, block);
    }
}

/* The median is over the features with entries: FEATURES - 1 of them, or one fewer. If their number
 * is even, it is the larger of the two in the middle. */
static void test_median(void **state)
{
    static struct drawn drawn;

    (void)state;
    for (unsigned long number = 0; number < 50; number++) {
        const uint32_t without = number % 2 ? 3 : EMPTY; /* its values become 0 */
        uint64_t random = number + 1;
        double v[FEATURES];
        size_t below = 0, above = 0;
        struct column_cache *by;
        struct working_set set;
        void *block;

        draw(&drawn, number);
        for (size_t e = 0; e < drawn.data.x.nonzeros; e++)
            drawn.value[e] *= drawn.index[e] != without;
        set = begin(&drawn, &by, &block);
        for (size_t j = 0; j < FEATURES; j++)
            v[j] = j == EMPTY || j == without ? (number % 2 ? 0 : 9) : 2 * random_unit(&random) - 1;
        for (size_t j = 0; j < FEATURES; j++)
            if (j != EMPTY && j != without) {
                below += fabs(v[j]) < working_set_median(&set, v);
                above += fabs(v[j]) > working_set_median(&set, v);
            }
        assert_int_equal(below, (FEATURES - 1) / 2);
        assert_int_equal(above, FEATURES - 2 - (number % 2) - below);
        end(by, block);
    }
}

/* Gives all rows every feature, without indices. */
static void fill_in(struct drawn *drawn)
{
    static double whole[ROWS * FEATURES];
    static size_t start[ROWS + 1];

    memset(whole, 0, sizeof whole);
    for (size_t i = 0; i < ROWS; i++) {
        for (size_t e = drawn->start[i]; e < drawn->start[i + 1]; e++)
            whole[i * FEATURES + drawn->index[e]] = drawn->value[e];
        start[i + 1] = (i + 1) * FEATURES;
    }
    drawn->data.x.nonzeros = ROWS * FEATURES;
    drawn->data.x.start = start;
    drawn->data.x.index_kind = HINGE_INDEX_NONE;
    drawn->data.x.index = NULL;
    drawn->data.x.value = whole;
}

/* The columns of the model are those of the set, with rows scaled by the root of their weight. Rows
 * of weight 0 are left out. Columns have single precision, except if their scale does not allow it.
 */
static void test_columns_of_the_model(void **state)
{
    static struct drawn drawn;

    (void)state;
    for (unsigned long number = 0; number < 60; number++) {
        static double model[ROWS * (FEATURES + 1)];
        const int has_indices = number % 2 == 0;
        const size_t biases = number % 3 == 0;
        const double scale = number % 5 == 0 ? 1e20 : 1;
        double weight[ROWS], slow[ROWS], w[FEATURES] = {0}, v[FEATURES];
        uint64_t random = number + 1;
        struct column_cache *by;
        struct column_lasso lasso = {0};
        struct working_set set;
        size_t rows = 0;
        void *block;

        draw(&drawn, number);
        if (!has_indices)
            fill_in(&drawn);
        for (size_t e = 0; e < drawn.data.x.nonzeros; e++)
            ((double *)drawn.data.x.value)[e] *= scale;
        drawn.problem.bias_kind = biases ? BIAS_REGULARISED : BIAS_NONE;
        drawn.problem.bias = 2;
        set = begin(&drawn, &by, &block);
        for (size_t j = 0; j < FEATURES; j++)
            v[j] = scale * random_unit(&random);
        for (size_t i = 0; i < ROWS; i++) {
            weight[i] = i % 4 == number % 4 ? 0 : random_unit(&random);
            rows += weight[i] > 0;
        }
        working_set_choose(&set, 20, w, v, 1);
        working_set_model(&set, weight, &lasso);
        assert_int_equal(lasso.rows, rows);
        assert_int_equal(lasso.columns.rows, set.count + biases);
        assert_int_equal(lasso.lasso.order, set.count + biases);
        assert_int_equal(lasso.columns.index_kind == HINGE_INDEX_NONE, !has_indices);
        assert_int_equal(lasso.columns.value_kind,
                         scale > 1 ? HINGE_VALUE_DOUBLE : HINGE_VALUE_FLOAT);
        memset(model, 0, sizeof model);
        for (size_t c = 0; c < set.count + biases; c++)
            for (size_t k = lasso.columns.start[c]; k < lasso.columns.start[c + 1]; k++) {
                const size_t at =
                    has_indices ? hinge_index(&lasso.columns, k) : k - lasso.columns.start[c];

                assert_true(at < rows);
                model[c * ROWS + at] = hinge_value(&lasso.columns, k);
            }
        for (size_t c = 0; c < set.count + biases; c++) {
            size_t place = 0;

            for (size_t i = 0; i < ROWS; i++)
                slow[i] = c == set.count ? drawn.problem.bias : 0;
            for (size_t i = 0; c < set.count && i < ROWS; i++)
                for (size_t e = drawn.data.x.start[i]; e < drawn.data.x.start[i + 1]; e++)
                    if ((has_indices ? drawn.index[e] : e % FEATURES) == set.member[c])
                        slow[i] = hinge_value(&drawn.data.x, e);
            for (size_t i = 0; i < ROWS; i++)
                if (weight[i] > 0) {
                    assert_true(fabs(model[c * ROWS + place++] - sqrt(weight[i]) * slow[i]) <=
                                (scale > 1 ? 1e-14 : 1e-6) * scale);
                }
        }
        end(by, block);
    }
}

/* More rows than short indices can number. */
static void test_columns_of_many_rows(void **state)
{
    enum { MANY = 70000 };
    static size_t start[MANY + 1];
    static uint32_t index[MANY], row[MANY];
    static double value[MANY], weight[MANY], cost[MANY];
    static signed char sign[MANY];
    static struct drawn drawn;
    struct column_cache *by;
    struct column_lasso lasso = {0};
    struct working_set set;
    double w[3] = {0}, v[3] = {1, 2, 3};
    void *block;

    (void)state;
    for (uint32_t i = 0; i < MANY; i++) {
        start[i + 1] = i + 1;
        index[i] = i % 3;
        row[i] = i;
        sign[i] = i % 2 ? 1 : -1;
        value[i] = weight[i] = cost[i] = 1;
    }
    drawn.data = (struct hinge_dataset){.x = {.rows = MANY,
                                              .nonzeros = MANY,
                                              .start = start,
                                              .index_kind = HINGE_INDEX_32,
                                              .value_kind = HINGE_VALUE_DOUBLE,
                                              .index = index,
                                              .value = value},
                                        .features = 3};
    drawn.problem = (struct problem){.data = &drawn.data,
                                     .rows = MANY,
                                     .row = row,
                                     .sign = sign,
                                     .cost = cost,
                                     .loss = LOSS_SQUARED_HINGE,
                                     .l1 = 1,
                                     .only_l1 = 1};
    set = begin(&drawn, &by, &block);
    working_set_choose(&set, 3, w, v, 1);
    working_set_model(&set, weight, &lasso);
    assert_int_equal(lasso.rows, MANY);
    for (size_t c = 0; c < 3; c++)
        for (size_t k = lasso.columns.start[c], n = 0; k < lasso.columns.start[c + 1]; k++, n++)
            assert_int_equal(hinge_index(&lasso.columns, k), set.member[c] + 3 * n);
    end(by, block);
}

/* After a change of C, the columns, norms and matrix equal those of a new working set. */
static void test_rows_by_features_turn_to_another_cost(void **state)
{
    static struct drawn drawn;

    (void)state;
    for (unsigned long number = 0; number < 40; number++) {
        const int in_columns = number % 2 == 0;
        struct hinge_error error;
        struct column_cache *by, *fresh;

        draw(&drawn, number / 2);
        assert_non_null(by = column_cache_new(&drawn.problem, in_columns, &error));
        for (size_t k = 0; !in_columns && k < (size_t)FEATURES * FEATURES; k++)
            by->matrix[k] = (double)k;
        for (size_t i = 0; !in_columns && i < ROWS; i++)
            by->weight[i] = (double)i;
        for (size_t i = 0; i < ROWS; i++)
            drawn.cost[i] *= 7;
        assert_true(column_cache_turn(by, &drawn.problem));
        assert_non_null(fresh = column_cache_new(&drawn.problem, in_columns, &error));
        for (size_t j = 0; by->columns && j < FEATURES; j++)
            assert_true(fabs(by->norm[j] - fresh->norm[j]) <= 1e-14 * fresh->norm[j]);
        for (size_t k = 0; !in_columns && k < (size_t)FEATURES * FEATURES; k++)
            assert_true(fabs(by->matrix[k] - 7 * (double)k) <= 1e-14 * (double)k * 7);
        for (size_t i = 0; !in_columns && i < ROWS; i++)
            assert_true(fabs(by->weight[i] - 7 * (double)i) <= 1e-14 * (double)i * 7);
        drawn.problem.rows--;
        assert_false(column_cache_turn(by, &drawn.problem)); /* it has other rows */
        column_cache_free(by);
        column_cache_free(fresh);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sums_by_columns),
        cmocka_unit_test(test_median),
        cmocka_unit_test(test_columns_of_the_model),
        cmocka_unit_test(test_columns_of_many_rows),
        cmocka_unit_test(test_rows_by_features_turn_to_another_cost),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
