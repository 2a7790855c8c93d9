/* test_costs.c - the costs of rows: row weights, class weights, balanced classes. */
#include "by_hand.h"
#include "tables.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "learn/costs.h"

/* ---- Row weights -------------------------------------------------------- */

static void table_repeat(struct table *repeated, const struct table *table, const double *times)
{
    double value[MOST_ROWS * MOST_FEATURES] = {0}, label[MOST_ROWS];
    size_t rows = 0;

    for (size_t i = 0; i < table->data.x.rows; i++)
        for (int k = 0; k < (int)times[i]; k++, rows++) {
            assert_true(rows < MOST_ROWS);
            label[rows] = table->label[i];
            for (size_t s = table->start[i]; s < table->start[i + 1]; s++)
                value[rows * MOST_FEATURES + table->index[s]] = table->value[s];
        }
    table_fill(repeated, rows, MOST_FEATURES, value, label);
}

/* Draws a third of the rows of table_draw, so that there is room to repeat them. */
static void table_small(struct table *table, size_t classes, const double *labels, uint64_t seed)
{
    table_draw(table, classes, labels, seed);
    table->data.x.rows = MOST_ROWS / 3;
    table->data.x.nonzeros = table->start[table->data.x.rows];
}

static void check_repeated(const struct table *weighted, const struct table *repeated,
                           struct hinge_parameters parameters, const double *weight)
{
    struct hinge_model *one, *other;

    other = train(repeated, &parameters);
    parameters.row_weight = weight;
    parameters.row_weights = weighted->data.x.rows;
    one = train(weighted, &parameters);
    assert_true(fabs(one->C - other->C) <= 1e-15 * other->C);
    assert_true(fabs(one->lambda - other->lambda) <= 1e-15 * other->lambda);
    for (size_t c = 0; c < one->columns; c++) {
        assert_int_equal(one->result[c].outcome, HINGE_CERTIFIED);
        assert_true(fabs(one->result[c].primal - other->result[c].primal) <=
                    2 * parameters.relative_gap * other->result[c].primal);
        for (size_t j = 0; j < width(one); j++)
            assert_true(fabs(one->weight[j * one->columns + c] -
                             other->weight[j * one->columns + c]) <= 1e-4);
    }
    hinge_model_free(one);
    hinge_model_free(other);
}

/* A row of weight 2 counts as two equal rows, for every solver with a certificate, with balanced
 * classes, class weights, and C from lambda. */
static void test_weight_is_repetition(void **state)
{
    static const int solvers[] = {1, 2, 3, 60, 61};
    static const double labels[] = {1, -1, 5}, class_weight[] = {0.5};
    struct table table, repeated;
    uint64_t random = 3;

    (void)state;
    for (unsigned long number = 0; number < 60; number++) {
        struct hinge_parameters parameters = parameters_default();
        double weight[MOST_ROWS];

        table_small(&table, 2 + number % 2, labels, number);
        for (size_t i = 0; i < table.data.x.rows; i++)
            weight[i] = 1 + floor(3 * random_unit(&random));
        table_repeat(&repeated, &table, weight);
        parameters.solver = solvers[number % 5];
        parameters.relative_gap = 1e-10;
        parameters.balanced = number % 4 < 2;
        parameters.weights = number % 3 == 0;
        parameters.weight_label = labels;
        parameters.weight = class_weight;
        parameters.lambda = number % 7 == 0 ? 0.03 : 0;
        check_repeated(&table, &repeated, parameters, weight);
    }
}

static void test_weight_zero_leaves_the_row_out(void **state)
{
    static const double labels[] = {1, -1};
    struct hinge_parameters parameters = parameters_default();
    struct table table, repeated;
    struct hinge_model *one, *other;
    double weight[MOST_ROWS];

    (void)state;
    table_small(&table, 2, labels, 1);
    for (size_t i = 0; i < table.data.x.rows; i++)
        weight[i] = i % 4 != 3;
    table_repeat(&repeated, &table, weight);
    other = train(&repeated, &parameters);
    parameters.row_weight = weight;
    parameters.row_weights = table.data.x.rows;
    one = train(&table, &parameters);
    assert_true(same_column(one, 0, other, 0));
    assert_true(one->lambda == other->lambda);
    hinge_model_free(one);
    hinge_model_free(other);
}

/* With balanced classes, each class has the same total weight, also a much smaller third class. */
static void test_balanced_weights_are_as_documented(void **state)
{
    static const double labels[] = {3, 8};
    struct hinge_parameters parameters = parameters_default();
    struct table table;
    struct hinge_model *one, *other;
    double weight[2] = {0, 0};

    (void)state;
    table_draw(&table, 2, labels, 4);
    for (size_t i = 0; i < table.data.x.rows; i++)
        weight[table.label[i] == labels[1]]++;
    for (size_t c = 0; c < 2; c++)
        weight[c] = (double)table.data.x.rows / (2 * weight[c]);
    parameters.balanced = 1;
    one = train(&table, &parameters);
    parameters.balanced = 0;
    parameters.weights = 2;
    parameters.weight_label = labels;
    parameters.weight = weight;
    other = train(&table, &parameters);
    assert_true(same_column(one, 0, other, 0));
    hinge_model_free(one);
    hinge_model_free(other);
}

static void test_bad_row_weights_are_refused(void **state)
{
    static const double labels[] = {1, -1};
    struct hinge_parameters parameters = parameters_default();
    static const uint32_t group[] = {1, 2, 3}, same_group[MOST_ROWS];
    double weight[MOST_ROWS] = {1, 1, 1};
    struct hinge_error error;
    struct table table;

    (void)state;
    table_draw(&table, 2, labels, 4);
    parameters.row_weight = weight;
    parameters.row_weights = 3;
    expect_refusal(&table, &parameters, "row_weights: 3 for 64 rows");
    parameters.row_weights = 0;
    parameters.row_group = group;
    parameters.row_groups = 3;
    expect_refusal(&table, &parameters, "row_groups: 3 for 64 rows");
    parameters.row_groups = 0;
    parameters.row_weights = MOST_ROWS;
    weight[0] = -1;
    expect_refusal(&table, &parameters, "row_weight: not a finite number of at least 0");
    weight[0] = NAN;
    expect_refusal(&table, &parameters, "row_weight: not a finite number of at least 0");
    weight[0] = 1e-300;
    expect_refusal(
        &table, &parameters,
        "the cost of a row, C times its weights, is 1e-300: not between 1e-100 and 1e100");
    weight[0] = weight[1] = weight[2] = 0;
    expect_refusal(&table, &parameters, "row_weight: all are 0");
    for (size_t i = 0; i < MOST_ROWS; i++)
        weight[i] = table.label[i] == -1;
    assert_null(hinge_train(&table.data, &parameters, NULL, &error));
    assert_int_equal(error.status, HINGE_BAD_INPUT);
    assert_string_equal(
        error.message,
        "all rows that weigh more than 0 have the label -1: a classifier needs two classes");
    parameters.row_weights = 0;
    parameters.row_group = same_group;
    parameters.row_groups = MOST_ROWS;
    parameters.probability = 1;
    expect_refusal(
        &table, &parameters,
        "probability: a sigmoid is fitted to two groups of rows at least, and only one weighs more "
        "than 0: give more groups of rows a weight, or ask for no probabilities");
}

/* ---- Class weights ------------------------------------------------------ */

/* Trains column c by hand: class label[c] against the rest with the costs given per row, rows of
 * cost 0 left out. */
static void solve_by_hand(const struct table *table, const struct hinge_parameters *parameters,
                          double positive, const double *cost, double *w,
                          struct hinge_result *result)
{
    uint32_t row[MOST_ROWS];
    signed char sign[MOST_ROWS];
    double kept[MOST_ROWS];
    struct problem problem = problem_for(&table->data, parameters, row, sign, kept);

    for (uint32_t i = 0; i < table->data.x.rows; i++) {
        row[problem.rows] = i;
        sign[problem.rows] = table->label[i] == positive ? 1 : -1;
        kept[problem.rows] = cost[i];
        problem.rows += cost[i] != 0;
    }
    *result = solve_problem(&problem, parameters, NULL, w);
}

/* True if two values are equal within the bounds of rounding errors. The bounds may count the rows
 * that were left out. */
static int is_same(double a, double b, const struct hinge_result *result)
{
    return fabs(a - b) <= result->rounding * result->primal;
}

static void check_columns(const struct table *table, const struct hinge_parameters *parameters,
                          double (*cost)[MOST_ROWS])
{
    struct hinge_model *model = train(table, parameters);

    for (size_t c = 0; c < model->columns; c++) {
        double w[MOST_WIDTH];
        struct hinge_result result;

        solve_by_hand(table, parameters, model->label[c], cost[c], w, &result);
        for (size_t j = 0; j < width(model); j++)
            assert_true(w[j] == model->weight[j * model->columns + c]);
        assert_true(is_same(result.primal, model->result[c].primal, &model->result[c]));
        assert_true(is_same(result.dual, model->result[c].dual, &model->result[c]));
        assert_int_equal(result.outcome, model->result[c].outcome);
        assert_true(fabs(column_primal(table, model, c, cost[c]) - result.primal) <=
                    1e-12 * result.primal);
    }
    hinge_model_free(model);
}

static void test_two_classes_take_both_weights(void **state)
{
    static const double label[] = {-1, 1}, weight[] = {4, 0.25};
    static struct table table;

    (void)state;
    for (uint64_t seed = 0; seed < 4; seed++) {
        struct hinge_parameters parameters = weighted(2, label, weight);
        double cost[1][MOST_ROWS];

        parameters.solver = seed % 2 ? 1 : 3;
        table_draw(&table, 2, label, seed);
        for (size_t i = 0; i < MOST_ROWS; i++)
            cost[0][i] = table.label[i] == 1 ? 0.125 : 2;
        check_columns(&table, &parameters, cost);
    }
}

/* With more than two classes, a class weight changes the cost of the rows of that class in its own
 * column only. In the other columns these rows belong to the rest, which costs C. */
static void test_a_class_weight_stays_in_its_column(void **state)
{
    static const double label[] = {7, 2.5}, weight[] = {8, 0.5};
    static struct table table;
    struct hinge_parameters parameters = weighted(2, label, weight);
    double cost[4][MOST_ROWS];

    (void)state;
    table_draw(&table, 4, four_labels, 3);
    for (size_t c = 0; c < 4; c++)
        for (size_t i = 0; i < MOST_ROWS; i++) {
            double own = four_labels[c] == 7 ? 4 : four_labels[c] == 2.5 ? 0.25 : 0.5;

            cost[c][i] = table.label[i] == four_labels[c] ? own : 0.5;
        }
    check_columns(&table, &parameters, cost);
}

static void test_repeated_weights_multiply(void **state)
{
    static const double label[] = {1, 2.5, 1, 1}, weight[] = {4, 2, 0.5, 3};
    static struct table table;
    struct hinge_parameters parameters = weighted(4, label, weight);
    double cost[4][MOST_ROWS];

    (void)state;
    table_draw(&table, 4, four_labels, 4);
    for (size_t c = 0; c < 4; c++)
        for (size_t i = 0; i < MOST_ROWS; i++) {
            double own = four_labels[c] == 1 ? 3 : four_labels[c] == 2.5 ? 1 : 0.5;

            cost[c][i] = table.label[i] == four_labels[c] ? own : 0.5;
        }
    check_columns(&table, &parameters, cost);
}

static void test_weight_zero_leaves_rows_out(void **state)
{
    static const double label[] = {-1}, weight[] = {0};
    static struct table table;
    struct hinge_parameters parameters = weighted(1, label, weight);
    double cost[4][MOST_ROWS];

    (void)state;
    table_draw(&table, 4, four_labels, 5);
    for (size_t c = 0; c < 4; c++)
        for (size_t i = 0; i < MOST_ROWS; i++)
            cost[c][i] = four_labels[c] == -1 && table.label[i] == -1 ? 0 : 0.5;
    check_columns(&table, &parameters, cost);
    table_draw(&table, 2, four_labels, 6); /* labels 2.5 and -1; only 2.5 has a cost */
    for (size_t i = 0; i < MOST_ROWS; i++)
        cost[0][i] = table.label[i] == -1 ? 0 : 0.5;
    check_columns(&table, &parameters, cost);
}

/* With weight 0 for both classes there is no loss, so w = 0. */
static void test_nothing_left_gives_zero_weights(void **state)
{
    static const double label[] = {-1, 2.5}, weight[] = {0, 0};
    static struct table table;
    struct hinge_parameters parameters = weighted(2, label, weight);
    struct hinge_model *model;

    (void)state;
    table_draw(&table, 2, four_labels, 7);
    model = train(&table, &parameters);
    assert_int_equal(model->result[0].outcome, HINGE_CERTIFIED);
    assert_true(model->result[0].primal == 0 && model->result[0].relative_gap == 0);
    for (size_t j = 0; j < width(model); j++)
        assert_true(model->weight[j] == 0);
    hinge_model_free(model);
}

static void test_unknown_weight_label_is_ignored(void **state)
{
    static const double label[] = {99, -1.5, NAN}, weight[] = {0, 1e9, 3};
    static struct table table;
    struct hinge_parameters parameters = weighted(3, label, weight);
    struct hinge_model *with, *without;

    (void)state;
    table_draw(&table, 4, four_labels, 8);
    with = train(&table, &parameters);
    parameters.weights = 0;
    without = train(&table, &parameters);
    for (size_t c = 0; c < 4; c++)
        assert_true(same_column(with, c, without, c));
    hinge_model_free(with);
    hinge_model_free(without);
}

/* The label that a weight names is compared as a number, like labels of rows. */
static void test_weight_of_minus_zero_is_of_zero(void **state)
{
    static const double labels[] = {0, 3}, label[] = {-0.0}, weight[] = {2};
    static struct table table;
    struct hinge_parameters parameters = weighted(1, label, weight);
    double cost[1][MOST_ROWS];

    (void)state;
    table_draw(&table, 2, labels, 9);
    for (size_t i = 0; i < MOST_ROWS; i++)
        cost[0][i] = table.label[i] == 0 ? 1 : 0.5;
    check_columns(&table, &parameters, cost);
}

static size_t searches, additions; /* numbers of calls by costs.c: see tests.mk */

size_t __wrap_labels_find(const struct labels *labels, double label);
size_t __real_labels_find(const struct labels *labels, double label);
enum hinge_status __wrap_labels_number(struct labels *labels, double label, uint32_t *number,
                                       struct hinge_error *error);
enum hinge_status __real_labels_number(struct labels *labels, double label, uint32_t *number,
                                       struct hinge_error *error);

size_t __wrap_labels_find(const struct labels *labels, double label)
{
    searches++;
    return __real_labels_find(labels, label);
}

enum hinge_status __wrap_labels_number(struct labels *labels, double label, uint32_t *number,
                                       struct hinge_error *error)
{
    additions++;
    return __real_labels_number(labels, label, number, error);
}

/* Each class looks up its weights once, in a table that was filled once. A search of the list per
 * class would take quadratic time. Each class has two weights in the list, which also has CLASSES
 * weights of labels that are not classes. */
static void test_long_lists_of_weights(void **state)
{
    enum { CLASSES = 1 << 12 };
    struct hinge_parameters parameters = parameters_default();
    static double label[3 * CLASSES], weight[3 * CLASSES], came[CLASSES];
    const struct classes classes = {.count = CLASSES, .label = label};
    const struct path path = {.parameters = &parameters, .classes = &classes};
    struct hinge_error error;

    (void)state;
    for (size_t k = 0; k < 3 * CLASSES; k++) {
        label[k] = k < CLASSES       ? (double)k
                   : k < 2 * CLASSES ? (double)(2 * CLASSES - 1 - k)
                                     : -(double)k;
        weight[k] = k < 2 * CLASSES ? 1 + label[k] / 3 : 0.1;
    }
    parameters.weights = 3 * CLASSES;
    parameters.weight_label = label;
    parameters.weight = weight;
    searches = additions = 0;
    assert_int_equal(costs_weigh_classes(&path, came, &error), HINGE_OK);
    assert_int_equal(searches, CLASSES);
    assert_int_equal(additions, 3 * CLASSES);
    for (size_t c = 0; c < CLASSES; c++)
        assert_true(came[c] == weight[c] * weight[c]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_weight_is_repetition),
        cmocka_unit_test(test_weight_zero_leaves_the_row_out),
        cmocka_unit_test(test_balanced_weights_are_as_documented),
        cmocka_unit_test(test_bad_row_weights_are_refused),
        cmocka_unit_test(test_two_classes_take_both_weights),
        cmocka_unit_test(test_a_class_weight_stays_in_its_column),
        cmocka_unit_test(test_repeated_weights_multiply),
        cmocka_unit_test(test_weight_zero_leaves_rows_out),
        cmocka_unit_test(test_nothing_left_gives_zero_weights),
        cmocka_unit_test(test_unknown_weight_label_is_ignored),
        cmocka_unit_test(test_weight_of_minus_zero_is_of_zero),
        cmocka_unit_test(test_long_lists_of_weights),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
