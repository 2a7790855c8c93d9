/* test_learn.c - labels to classes, classes to binary problems, class weights, starts from a model,
 * alpha, what training promises about seeds, interruptions and data at the edge of double. */
#include "support.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "learn/classes.h"
#include "solver/solver.h"

enum { MOST_ROWS = 64, MOST_FEATURES = 8, MOST_WIDTH = MOST_FEATURES + 1 };

/* ---- Data by hand ------------------------------------------------------- */

struct table {
    struct hinge_dataset data; /* points into this struct */
    size_t start[MOST_ROWS + 1];
    uint32_t index[MOST_ROWS * MOST_FEATURES];
    double value[MOST_ROWS * MOST_FEATURES];
    double label[MOST_ROWS];
};

/* rows x features values, row by row; zeros are left out. */
static void table_fill(struct table *table, size_t rows, size_t features, const double *value,
                       const double *label)
{
    struct hinge_dataset *data = &table->data;

    memset(table, 0, sizeof *table);
    *data = (struct hinge_dataset){.x = {.rows = rows,
                                         .start = table->start,
                                         .index_kind = HINGE_INDEX_32,
                                         .value_kind = HINGE_VALUE_DOUBLE,
                                         .index = table->index,
                                         .value = table->value},
                                   .features = (uint32_t)features,
                                   .label = table->label};
    for (size_t i = 0; i < rows; i++) {
        table->label[i] = label[i];
        for (size_t j = 0; j < features; j++)
            if (value[i * features + j] != 0) {
                table->index[data->x.nonzeros] = (uint32_t)j;
                table->value[data->x.nonzeros++] = value[i * features + j];
            }
        table->start[i + 1] = data->x.nonzeros;
    }
}

/* Random rows; class c, one of `classes`, has labels[c] and lies around a point of its own. Every
 * class has a row, and the first rows have the classes in order. */
static void table_draw(struct table *table, size_t classes, const double *labels, uint64_t seed)
{
    double value[MOST_ROWS * MOST_FEATURES], label[MOST_ROWS];
    uint64_t state = 0x9e3779b97f4a7c15 * (seed + 1);

    for (size_t i = 0; i < MOST_ROWS; i++) {
        size_t c = i < classes ? i : (size_t)(random_unit(&state) * (double)classes);

        label[i] = labels[c];
        for (size_t j = 0; j < MOST_FEATURES; j++) {
            double centre = (double)((c + 1) * (j + 3) % 7) / 7 - 0.5;
            double at = random_unit(&state) + random_unit(&state) - 1 + centre;

            value[i * MOST_FEATURES + j] = random_unit(&state) < 0.7 ? at : 0;
        }
    }
    table_fill(table, MOST_ROWS, MOST_FEATURES, value, label);
}

static struct hinge_model *train(const struct table *table,
                                 const struct hinge_parameters *parameters)
{
    struct hinge_error error = {HINGE_OK, ""};
    struct hinge_model *model = hinge_train(&table->data, parameters, NULL, &error);

    if (!model)
        fail_msg("%s", error.message);
    return model;
}

static size_t width(const struct hinge_model *model)
{
    return (size_t)model->features + (model->bias >= 0);
}

/* Column a of one model and column b of another are the same bits. */
static int same_column(const struct hinge_model *one, size_t a, const struct hinge_model *other,
                       size_t b)
{
    assert_int_equal(width(one), width(other));
    for (size_t j = 0; j < width(one); j++)
        if (memcmp(&one->weight[j * one->columns + a], &other->weight[j * other->columns + b],
                   sizeof(double)) != 0)
            return 0;
    return 1;
}

/* ---- Classes ------------------------------------------------------------ */

/* The classes of rows with these labels and no feature. */
static void find(struct classes *classes, const double *label, size_t rows)
{
    struct hinge_dataset data = {.x = {.rows = 0}};
    struct hinge_error error;

    data.x.rows = rows;
    data.label = malloc(rows * sizeof *label);
    assert_non_null(data.label);
    memcpy(data.label, label, rows * sizeof *label);
    assert_int_equal(classes_find(classes, &data, &error), HINGE_OK);
    free(data.label);
}

static void expect_classes(const double *label, size_t rows, const double *expected, size_t count)
{
    struct classes classes;

    find(&classes, label, rows);
    assert_int_equal(classes.count, count);
    for (size_t c = 0; c < count; c++)
        assert_true(classes.label[c] == expected[c] &&
                    !signbit(classes.label[c]) == !signbit(expected[c]));
    for (size_t i = 0; i < rows; i++) {
        assert_true(classes.of_row[i] < count);
        assert_true(classes.label[classes.of_row[i]] == label[i]);
    }
    classes_free(&classes);
}

#define EXPECT_CLASSES(labels, ...)                                                                \
    do {                                                                                           \
        const double expected[] = {__VA_ARGS__};                                                   \
        expect_classes(labels, sizeof labels / sizeof *labels, expected,                           \
                       sizeof expected / sizeof *expected);                                        \
    } while (0)

static void test_classes_stand_in_order_of_appearance(void **state)
{
    static const double several[] = {3, -7, 3, 0, 1, -7, 2, 0};
    static const double down[] = {2, 1, 2, 1}, up[] = {1, 2, 2, 1};
    static const double zero_one[] = {0, 1, 1}, one_zero[] = {1, 0, 1};
    static const double one[] = {5, 5, 5};

    (void)state;
    EXPECT_CLASSES(several, 3, -7, 0, 1, 2);
    EXPECT_CLASSES(down, 2, 1);
    EXPECT_CLASSES(up, 1, 2);
    EXPECT_CLASSES(zero_one, 0, 1);
    EXPECT_CLASSES(one_zero, 1, 0);
    EXPECT_CLASSES(one, 5);
}

/* LIBLINEAR's order, and only for exactly these two labels. */
static void test_minus_one_and_one_put_one_first(void **state)
{
    static const double minus[] = {-1, -1, 1, -1, 1}, plus[] = {1, -1, 1};
    static const double third[] = {-1, 1, 2}, twos[] = {-2, 2}, only[] = {-1, -1};
    static const double near[] = {-1, 1.0000000000000002};

    (void)state;
    EXPECT_CLASSES(minus, 1, -1);
    EXPECT_CLASSES(plus, 1, -1);
    EXPECT_CLASSES(third, -1, 1, 2);
    EXPECT_CLASSES(twos, -2, 2);
    EXPECT_CLASSES(only, -1);
    EXPECT_CLASSES(near, -1, 1.0000000000000002);
}

static void test_minus_zero_is_zero(void **state)
{
    static const double first[] = {-0.0, 0.0, 1, -0.0}, later[] = {0.0, 1, -0.0};

    (void)state;
    EXPECT_CLASSES(first, 0, 1);
    EXPECT_CLASSES(later, 0, 1);
}

/* LIBLINEAR cuts 1.5 and 1.2 down to one class; here labels are numbers. */
static void test_labels_need_not_be_whole(void **state)
{
    static const double label[] = {1.5, 1.2, 1.5, 1e300, -1e-300, 5e-324, 1.2, 9007199254740993.0};

    (void)state;
    EXPECT_CLASSES(label, 1.5, 1.2, 1e300, -1e-300, 5e-324, 9007199254740992.0);
}

/* 10,000 classes of three rows, in an order that is neither up nor down. */
static void test_ten_thousand_classes_are_told_apart(void **state)
{
    enum { CLASSES = 10000, ROWS = 3 * CLASSES };
    double *label = malloc(ROWS * sizeof *label), *expected = malloc(CLASSES * sizeof *expected);

    (void)state;
    assert_true(label && expected);
    for (size_t i = 0; i < ROWS; i++)
        label[i] = (double)(i * 7919 % CLASSES) / 4 - 1000;
    memcpy(expected, label, CLASSES * sizeof *expected); /* 7919 is prime to 10,000 */
    expect_classes(label, ROWS, expected, CLASSES);
    free(label);
    free(expected);
}

/* Processor seconds to number `rows` different labels. */
static double seconds_to_find(size_t rows, double first, double step)
{
    double *label = malloc(rows * sizeof *label);
    struct classes classes;
    clock_t start;

    assert_non_null(label);
    for (size_t i = 0; i < rows; i++)
        label[i] = first + step * (double)i;
    start = clock();
    find(&classes, label, rows);
    assert_int_equal(classes.count, rows);
    classes_free(&classes);
    free(label);
    return (double)(clock() - start) / CLOCKS_PER_SEC;
}

/* Whole labels differ in few bits of a double: a table that looks at the others holds them all in
 * one chain, and 100,000 of them take five billion steps instead of some 200,000. */
static void test_whole_labels_do_not_share_a_chain(void **state)
{
    (void)state;
    assert_true(seconds_to_find(100000, 0.1, 0.37) < 1);
    assert_true(seconds_to_find(100000, 1, 1) < 1);
    assert_true(seconds_to_find(100000, 0, 1048576) < 1);
}

/* ---- Columns ------------------------------------------------------------ */

static const double four_labels[] = {2.5, -1, 1, 7};

static void test_columns_are_one_against_the_rest(void **state)
{
    static struct table table, binary;

    (void)state;
    for (uint64_t seed = 0; seed < 12; seed++) {
        struct hinge_parameters parameters = hinge_parameters_default();
        struct hinge_model *all;

        parameters.solver = seed % 2 ? 1 : 3;
        parameters.bias = seed % 3 ? 1 : -1;
        parameters.C = exp2((double)(seed % 5) - 2);
        table_draw(&table, 4, four_labels, seed);
        all = train(&table, &parameters);
        assert_int_equal(all->classes, 4);
        assert_int_equal(all->columns, 4);
        for (size_t c = 0; c < 4; c++) {
            struct hinge_model *one;

            table_draw(&binary, 4, four_labels, seed);
            for (size_t i = 0; i < MOST_ROWS; i++)
                binary.label[i] = table.label[i] == all->label[c] ? 1 : -1;
            one = train(&binary, &parameters);
            assert_int_equal(one->columns, 1);
            assert_true(same_column(all, c, one, 0));
            assert_true(all->result[c].primal == one->result[0].primal);
            assert_true(all->result[c].dual == one->result[0].dual);
            assert_int_equal(all->result[c].outcome, HINGE_CERTIFIED);
            hinge_model_free(one);
        }
        hinge_model_free(all);
    }
}

/* P(w) of column c, the costs given per row. */
static double primal_of(const struct table *table, const struct hinge_model *model, size_t c,
                        const double *cost)
{
    const int l1_loss = solver_find(model->solver->number)->loss == LOSS_L1;
    long double primal = 0;

    for (size_t j = 0; j < width(model); j++)
        primal += (long double)model->weight[j * model->columns + c] *
                  model->weight[j * model->columns + c] / 2;
    for (size_t i = 0; i < table->data.x.rows; i++) {
        long double z = 0;

        for (size_t k = table->start[i]; k < table->start[i + 1]; k++)
            z += (long double)table->value[k] * model->weight[table->index[k] * model->columns + c];
        if (model->bias >= 0)
            z += (long double)model->bias * model->weight[(width(model) - 1) * model->columns + c];
        z = table->label[i] == model->label[c] ? 1 - z : 1 + z;
        if (z > 0)
            primal += cost[i] * (l1_loss ? z : z * z);
    }
    return (double)primal;
}

/* What a model says of itself is true, for the costs given per row. */
static void check_results(const struct table *table, const struct hinge_model *model,
                          const double *cost)
{
    for (size_t c = 0; c < model->columns; c++) {
        const struct hinge_result *result = &model->result[c];
        double primal = primal_of(table, model, c, cost);

        assert_true(fabs(result->primal - primal) <= 1e-12 * primal);
        assert_true(result->primal + result->dual >= -1e-12 * primal);
        assert_true(fabs(result->gap * result->primal - (result->primal + result->dual)) <=
                    1e-12 * primal);
    }
}

static void test_model_carries_what_it_was_trained_with(void **state)
{
    static struct table table;
    double cost[MOST_ROWS];

    (void)state;
    for (uint64_t seed = 0; seed < 8; seed++) {
        struct hinge_parameters parameters = hinge_parameters_default();
        struct hinge_model *model;

        parameters.solver = seed % 2 ? 1 : 3;
        parameters.bias = seed % 4 < 2 ? 0.5 : -3;
        parameters.C = 0.75;
        parameters.seed = seed;
        table_draw(&table, seed % 3 ? 2 : 4, four_labels, seed);
        table.data.zero_based = seed == 5;
        model = train(&table, &parameters);
        for (size_t i = 0; i < MOST_ROWS; i++)
            cost[i] = 0.75;
        check_results(&table, model, cost);
        assert_int_equal(model->features, MOST_FEATURES);
        assert_true(model->bias == (seed % 4 < 2 ? 0.5 : -1));
        assert_int_equal(model->zero_based, seed == 5);
        assert_int_equal(model->solver->number, parameters.solver);
        assert_string_equal(model->solver_type, model->solver->model_name);
        assert_true(model->C == 0.75 && model->seed == seed);
        assert_true(fabs(model->lambda * 0.75 * MOST_ROWS - 1) < 1e-15);
        hinge_model_free(model);
    }
}

/* ---- A path over C ------------------------------------------------------ */

/* Each model of a path is certified, and so near the minimum that a training of its own finds. */
static void check_path(const struct table *table, int solver, const double *C, size_t count)
{
    struct hinge_parameters parameters = hinge_parameters_default();
    struct hinge_model *path[8], *alone;
    struct hinge_error error;

    parameters.solver = solver;
    parameters.gap = 1e-6;
    assert_int_equal(hinge_train_path(&table->data, &parameters, C, count, NULL, path, &error),
                     HINGE_OK);
    for (size_t k = 0; k < count; k++) {
        parameters.C = C[k];
        alone = train(table, &parameters);
        assert_true(path[k]->C == C[k] && path[k]->lambda == alone->lambda);
        assert_int_equal(path[k]->columns, alone->columns);
        for (size_t c = 0; c < alone->columns; c++) {
            const struct hinge_result *one = &path[k]->result[c], *other = &alone->result[c];

            assert_int_equal(one->outcome, HINGE_CERTIFIED);
            assert_true(fabs(one->primal - other->primal) <= 2e-6 * other->primal);
            assert_true(-one->dual <= other->primal * (1 + 1e-12));
        }
        if (k == 0) /* the first starts as any other */
            assert_memory_equal(path[k]->weight, alone->weight,
                                table->data.features * alone->columns * sizeof(double));
        hinge_model_free(alone);
        hinge_model_free(path[k]);
    }
}

static void test_path_over_C_is_certified_everywhere(void **state)
{
    static const double up[] = {0.01, 0.1, 1, 10, 100, 1000}, mixed[] = {3, 500, 500, 0.002, 40};
    static const int solvers[] = {1, 2, 3, 60, 61};
    static const double labels[] = {4, 2, 9};

    (void)state;
    for (size_t s = 0; s < sizeof solvers / sizeof *solvers; s++)
        for (unsigned long number = 0; number < 40; number++) {
            static struct table table;

            table_draw(&table, 2 + number % 2, labels, number);
            check_path(&table, solvers[s], up, sizeof up / sizeof *up);
            check_path(&table, solvers[s], mixed, sizeof mixed / sizeof *mixed);
        }
}

/* ---- Row weights -------------------------------------------------------- */

/* The same rows, row i of them times[i] times in a row. */
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

/* A third of the rows of table_draw, so that there is room to repeat them. */
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
                    2 * parameters.gap * other->result[c].primal);
        for (size_t j = 0; j < width(one); j++)
            assert_true(fabs(one->weight[j * one->columns + c] -
                             other->weight[j * one->columns + c]) <= 1e-4);
    }
    hinge_model_free(one);
    hinge_model_free(other);
}

/* Weight 2 is as good as the row twice, for every solver with a certificate, with balanced classes,
 * class weights, C from lambda. */
static void test_weight_is_repetition(void **state)
{
    static const int solvers[] = {1, 2, 3, 60, 61};
    static const double labels[] = {1, -1, 5}, class_weight[] = {0.5};
    struct table table, repeated;
    uint64_t random = 3;

    (void)state;
    for (unsigned long number = 0; number < 60; number++) {
        struct hinge_parameters parameters = hinge_parameters_default();
        double weight[MOST_ROWS];

        table_small(&table, 2 + number % 2, labels, number);
        for (size_t i = 0; i < table.data.x.rows; i++)
            weight[i] = 1 + floor(3 * random_unit(&random));
        table_repeat(&repeated, &table, weight);
        parameters.solver = solvers[number % 5];
        parameters.gap = 1e-10;
        parameters.balanced = number % 4 < 2;
        parameters.weights = number % 3 == 0;
        parameters.weight_label = labels;
        parameters.weight = class_weight;
        parameters.lambda = number % 7 == 0 ? 0.03 : 0;
        check_repeated(&table, &repeated, parameters, weight);
    }
}

/* Weight 0 is as good as no row, to the last bit. */
static void test_weight_zero_leaves_the_row_out(void **state)
{
    static const double labels[] = {1, -1};
    struct hinge_parameters parameters = hinge_parameters_default();
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

/* Balanced: each class weighs as much as the others, so that a third class, far fewer, counts. */
static void test_balanced_weights_are_as_documented(void **state)
{
    static const double labels[] = {3, 8};
    struct hinge_parameters parameters = hinge_parameters_default();
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

static void expect_refusal(const struct table *table, const struct hinge_parameters *parameters,
                           const char *message)
{
    struct hinge_error error = {HINGE_OK, ""};

    assert_null(hinge_train(&table->data, parameters, NULL, &error));
    assert_int_equal(error.status, HINGE_BAD_ARGUMENT);
    assert_string_equal(error.message, message);
}

static void test_bad_row_weights_are_refused(void **state)
{
    static const double labels[] = {1, -1};
    struct hinge_parameters parameters = hinge_parameters_default();
    double weight[MOST_ROWS] = {1, 1, 1};
    struct table table;

    (void)state;
    table_draw(&table, 2, labels, 4);
    parameters.row_weight = weight;
    parameters.row_weights = 3;
    expect_refusal(&table, &parameters, "row_weights: 3 for 64 rows");
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
    struct binary_problem problem = {&table->data, 0, row, sign, kept, parameters->bias, 0};
    const struct solver *solver = solver_find(parameters->solver);
    struct solver_task task = {.problem = &problem,
                               .loss = solver->loss,
                               .parameters = parameters,
                               .problems = 1,
                               .positive = 1};
    struct hinge_error error;

    for (uint32_t i = 0; i < table->data.x.rows; i++) {
        row[problem.rows] = i;
        sign[problem.rows] = table->label[i] == positive ? 1 : -1;
        kept[problem.rows] = cost[i];
        problem.rows += cost[i] != 0;
    }
    assert_int_equal(solver->solve(&task, w, result, &error), HINGE_OK);
}

/* Every column of the model is what the costs cost[column][row] give by hand. */
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
        assert_true(result.primal == model->result[c].primal);
        assert_true(result.dual == model->result[c].dual);
        assert_int_equal(result.outcome, model->result[c].outcome);
        assert_true(fabs(primal_of(table, model, c, cost[c]) - result.primal) <=
                    1e-12 * result.primal);
    }
    hinge_model_free(model);
}

static struct hinge_parameters weighted(size_t weights, const double *label, const double *weight)
{
    struct hinge_parameters parameters = hinge_parameters_default();

    parameters.C = 0.5;
    parameters.weights = weights;
    parameters.weight_label = label;
    parameters.weight = weight;
    return parameters;
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

/* With more classes only the rows of the weighted class feel it, and only in its own column: in the
 * others they are part of the rest, which costs C. */
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
    table_draw(&table, 2, four_labels, 6); /* 2.5 and -1: only 2.5 remains */
    for (size_t i = 0; i < MOST_ROWS; i++)
        cost[0][i] = table.label[i] == -1 ? 0 : 0.5;
    check_columns(&table, &parameters, cost);
}

/* Both classes at weight 0: nothing to lose, and so w = 0. */
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
    assert_true(model->result[0].primal == 0 && model->result[0].gap == 0);
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

/* ---- Parameters --------------------------------------------------------- */

static void test_lambda_is_another_name_of_C(void **state)
{
    static const double lambdas[] = {1, 1e-3, 0.7, 1e-5};
    static struct table table;

    (void)state;
    table_draw(&table, 4, four_labels, 10);
    for (size_t k = 0; k < sizeof lambdas / sizeof *lambdas; k++) {
        struct hinge_parameters by_lambda = hinge_parameters_default(), by_C = by_lambda;
        struct hinge_model *one, *other;

        by_lambda.lambda = lambdas[k];
        by_lambda.C = 12345; /* not to be used */
        by_C.C = 1 / (lambdas[k] * MOST_ROWS);
        one = train(&table, &by_lambda);
        other = train(&table, &by_C);
        assert_true(one->C == by_C.C && one->lambda == lambdas[k]);
        for (size_t c = 0; c < 4; c++)
            assert_true(same_column(one, c, other, c));
        hinge_model_free(one);
        hinge_model_free(other);
    }
}

static void expect_failure(const struct table *table, const struct hinge_parameters *parameters,
                           enum hinge_status status, const char *message)
{
    struct hinge_error error = {HINGE_OK, ""};

    assert_null(hinge_train(&table->data, parameters, NULL, &error));
    assert_int_equal(error.status, status);
    if (!strstr(error.message, message))
        fail_msg("'%s' does not say '%s'", error.message, message);
}

static void test_single_class_is_refused(void **state)
{
    static const double labels[] = {-2.5};
    static struct table table;
    struct hinge_parameters parameters = hinge_parameters_default();

    (void)state;
    table_draw(&table, 1, labels, 0);
    expect_failure(&table, &parameters, HINGE_BAD_INPUT,
                   "all rows have the label -2.5: a classifier needs two classes");
    table.label[3] = 4;
    hinge_model_free(train(&table, &parameters));
}

static void test_bad_parameters_are_refused_before_work(void **state)
{
    static const double label[] = {2.5}, bad[] = {-1}, tiny[] = {1e-200};
    static struct table table;
    struct hinge_parameters parameters = hinge_parameters_default();

    (void)state;
    table_draw(&table, 4, four_labels, 0);
    parameters.solver = 77;
    expect_failure(&table, &parameters, HINGE_BAD_ARGUMENT, "solver: there is no number 77");
    parameters = hinge_parameters_default();
    parameters.C = NAN;
    expect_failure(&table, &parameters, HINGE_BAD_ARGUMENT, "C:");
    parameters = weighted(1, label, bad);
    expect_failure(&table, &parameters, HINGE_BAD_ARGUMENT, "weight:");
    parameters = weighted(1, label, tiny); /* weight and C are fine, their product is not */
    expect_failure(&table, &parameters, HINGE_BAD_ARGUMENT, "its weights");
    parameters = hinge_parameters_default();
    parameters.lambda = 1e100; /* C = 1 / (64e150) */
    expect_failure(&table, &parameters, HINGE_BAD_ARGUMENT, "C");
    parameters = hinge_parameters_default();
    parameters.C = 1e100;
    parameters.gap = parameters.eps = 0;
    expect_failure(&table, &parameters, HINGE_BAD_ARGUMENT, "gap");
}

/* The same table in a place of its own. */
static void table_copy(struct table *copy, const struct table *table)
{
    *copy = *table;
    copy->data.x.start = copy->start;
    copy->data.x.index = copy->index;
    copy->data.x.value = copy->value;
    copy->data.label = copy->label;
}

/* For a test of each solver: C small and large, with a bias and without. */
static struct hinge_parameters parameters_of(const struct hinge_solver *solver, uint64_t seed)
{
    struct hinge_parameters parameters = hinge_parameters_default();

    parameters.solver = solver->number;
    parameters.C = seed % 3 ? 100 : 0.01;
    parameters.bias = seed % 2 && !solver->pairs ? 1 : -1;
    parameters.l1 = solver->l1 ? 1e-3 : 0;
    return parameters;
}

/* Both tables train the same weights, bit for bit. */
static void expect_same_weights(const struct table *table, const struct table *other,
                                const struct hinge_parameters *parameters)
{
    struct hinge_model *first = train(table, parameters), *second = train(other, parameters);

    assert_memory_equal(first->weight, second->weight,
                        width(first) * first->columns * sizeof *first->weight);
    hinge_model_free(first);
    hinge_model_free(second);
}

/* Values that are not stored give the same bits as ones. */
static void test_ones_need_no_values(void **state)
{
    static struct table with, without;
    const struct hinge_solver *solver;

    (void)state;
    for (size_t k = 0; (solver = hinge_solver_at(k)); k++)
        for (uint64_t seed = 0; seed < 6; seed++) {
            const struct hinge_parameters parameters = parameters_of(solver, seed);

            table_draw(&with, 3, four_labels, seed);
            for (size_t e = 0; e < with.data.x.nonzeros; e++)
                with.value[e] = 1;
            table_copy(&without, &with);
            without.data.x.value_kind = HINGE_VALUE_ONE;
            without.data.x.value = NULL;
            expect_same_weights(&with, &without, &parameters);
        }
}

/* Floats, and wholes with a scale of 1, give the same bits as doubles of the same values. */
static void test_kind_of_values_changes_no_bit(void **state)
{
    static struct table doubles, others;
    static float narrow[sizeof doubles.value / sizeof *doubles.value];
    static int32_t whole[sizeof doubles.value / sizeof *doubles.value];
    const struct hinge_solver *solver;

    (void)state;
    for (size_t k = 0; (solver = hinge_solver_at(k)); k++)
        for (uint64_t seed = 0; seed < 12; seed++) {
            const struct hinge_parameters parameters = parameters_of(solver, seed);
            const int is_float = seed / 6 == 0;

            table_draw(&doubles, 3, four_labels, seed);
            for (size_t e = 0; e < doubles.data.x.nonzeros; e++) {
                narrow[e] = (float)doubles.value[e];
                whole[e] = (int32_t)(doubles.value[e] * 8);
                doubles.value[e] = is_float ? (double)narrow[e] : whole[e];
            }
            table_copy(&others, &doubles);
            others.data.x.value_kind = is_float ? HINGE_VALUE_FLOAT : HINGE_VALUE_WHOLE;
            others.data.x.value = is_float ? (void *)narrow : (void *)whole;
            others.data.x.scale = is_float ? 0 : 1;
            expect_same_weights(&doubles, &others, &parameters);
        }
}

/* Wholes with a scale are another way to write doubles: what is learnt differs by rounding. */
static void test_wholes_are_doubles_over_a_scale(void **state)
{
    static struct table doubles, wholes;
    static int32_t whole[sizeof doubles.value / sizeof *doubles.value];
    const struct hinge_solver *solver;

    (void)state;
    for (size_t k = 0; (solver = hinge_solver_at(k)); k++)
        for (uint64_t seed = 0; seed < 6; seed++) {
            struct hinge_parameters parameters = parameters_of(solver, seed);
            const double scale = seed % 2 ? 1e9 : 1000;
            struct hinge_model *first, *second;

            parameters.gap = solver->kind == HINGE_DUAL ? 1e-9 : parameters.gap;
            table_draw(&doubles, 3, four_labels, seed);
            for (size_t e = 0; e < doubles.data.x.nonzeros; e++) {
                whole[e] = (int32_t)(doubles.value[e] * scale / 10);
                doubles.value[e] = whole[e] / scale;
            }
            table_copy(&wholes, &doubles);
            wholes.data.x.value_kind = HINGE_VALUE_WHOLE;
            wholes.data.x.value = whole;
            wholes.data.x.scale = scale;
            first = train(&doubles, &parameters);
            second = train(&wholes, &parameters);
            for (size_t c = 0; c < first->columns; c++)
                assert_true(fabs(first->result[c].primal - second->result[c].primal) <=
                            1e-9 * first->result[c].primal);
            for (size_t e = 0;
                 solver->kind == HINGE_STOCHASTIC && e < width(first) * first->columns; e++)
                assert_true(fabs(first->weight[e] - second->weight[e]) <=
                            1e-9 * (1 + fabs(first->weight[e])));
            hinge_model_free(first);
            hinge_model_free(second);
        }
}

/* Indices of two bytes and of one are the same indices, with every kind of values: every solver
 * learns the same bits. */
static void test_kind_of_indices_changes_no_bit(void **state)
{
    static struct table wide, narrowed;
    static uint16_t narrow[sizeof wide.index / sizeof *wide.index];
    static uint8_t tiny[sizeof wide.index / sizeof *wide.index];
    static float single[sizeof wide.value / sizeof *wide.value];
    static int32_t whole[sizeof wide.value / sizeof *wide.value];
    void *const values[] = {NULL, whole, single, wide.value};
    const struct hinge_solver *solver;

    (void)state;
    for (size_t k = 0; (solver = hinge_solver_at(k)); k++)
        for (uint64_t seed = 0; seed < 8; seed++) {
            const struct hinge_parameters parameters = parameters_of(solver, seed);
            const unsigned kind = seed % 4;

            table_draw(&wide, 3, four_labels, seed);
            for (size_t e = 0; e < wide.data.x.nonzeros; e++) {
                tiny[e] = (uint8_t)(narrow[e] = (uint16_t)wide.index[e]);
                single[e] = (float)wide.value[e];
                whole[e] = (int32_t)(wide.value[e] * 100);
            }
            wide.data.x.value_kind = (enum hinge_value_kind)kind;
            wide.data.x.value = values[kind];
            wide.data.x.scale = 100;
            table_copy(&narrowed, &wide);
            narrowed.data.x.value = values[kind];
            narrowed.data.x.index_kind = seed / 4 ? HINGE_INDEX_16 : HINGE_INDEX_8;
            narrowed.data.x.index = seed / 4 ? (void *)narrow : (void *)tiny;
            expect_same_weights(&wide, &narrowed, &parameters);
        }
}

static void test_seed_decides_the_bits(void **state)
{
    static struct table table;
    struct hinge_parameters parameters = hinge_parameters_default();
    struct hinge_model *first, *again, *other;
    double cost[MOST_ROWS];
    int differs = 0;

    (void)state;
    table_draw(&table, 4, four_labels, 11);
    for (size_t i = 0; i < MOST_ROWS; i++)
        cost[i] = 1;
    first = train(&table, &parameters);
    for (uint64_t seed = 0; seed < 4; seed++) {
        parameters.seed = seed == 1 ? UINT64_MAX : seed;
        other = train(&table, &parameters);
        again = train(&table, &parameters);
        check_results(&table, other, cost);
        for (size_t c = 0; c < 4; c++) {
            assert_int_equal(other->result[c].outcome, HINGE_CERTIFIED);
            assert_true(same_column(other, c, again, c));
            differs += !same_column(other, c, first, c);
        }
        hinge_model_free(other);
        hinge_model_free(again);
    }
    assert_true(differs >= 8);
    hinge_model_free(first);
}

/* ---- Interruptions ------------------------------------------------------ */

/* Answers `answer` from pass `pass` of binary problem `problem` on. */
struct stop {
    enum hinge_answer answer;
    size_t problem;
    uint64_t pass;
    size_t problems_seen;
    int wrong; /* progress out of range */
};

static enum hinge_answer stop(void *context, const struct hinge_progress *progress)
{
    struct stop *at = context;

    at->wrong |= progress->problem >= 4 || progress->problems != 4 || progress->rows != MOST_ROWS;
    at->wrong |=
        progress->problem != at->problems_seen && progress->problem + 1 != at->problems_seen;
    at->problems_seen = progress->problem + 1;
    return progress->problem > at->problem ||
                   (progress->problem == at->problem && progress->passes >= at->pass)
               ? at->answer
               : HINGE_GO_ON;
}

static void test_interrupted_training_returns_every_column(void **state)
{
    static struct table table;
    struct hinge_parameters parameters = hinge_parameters_default();
    struct hinge_model *whole, *part;
    double cost[MOST_ROWS];

    (void)state;
    table_draw(&table, 4, four_labels, 12);
    for (size_t i = 0; i < MOST_ROWS; i++)
        cost[i] = 100;
    parameters.C = 100;
    parameters.gap = 1e-8;
    whole = train(&table, &parameters);
    for (size_t problem = 0; problem < 4; problem++) {
        struct stop at = {HINGE_INTERRUPT, problem, 2, 0, 0};
        struct hinge_monitor monitor = {stop, &at, NULL};
        struct hinge_error error;

        at.answer = problem % 2 ? HINGE_OUT_OF_TIME : HINGE_INTERRUPT;
        part = hinge_train(&table.data, &parameters, &monitor, &error);
        assert_non_null(part);
        assert_false(at.wrong);
        check_results(&table, part, cost);
        for (size_t c = 0; c < 4; c++) {
            assert_int_equal(part->result[c].outcome, c < problem   ? HINGE_CERTIFIED
                                                      : problem % 2 ? HINGE_TIME_LIMIT
                                                                    : HINGE_INTERRUPTED);
            assert_int_equal(same_column(whole, c, part, c), c < problem);
            if (c >= problem)
                assert_int_equal(part->result[c].passes, c == problem ? 2 : 0);
        }
        hinge_model_free(part);
    }
    hinge_model_free(whole);
}

/* ---- Trainings that are not begun ------------------------------------------ */

enum { CLASSES = 20 };

/* Every kind of weight. For some seeds the rows of class 7 outweigh all others by more than double
 * can tell, or are the only ones, and count for nothing in their own column. */
struct weights {
    double row[MOST_ROWS];
    double class[CLASSES];
    double label[CLASSES];
    double cost[CLASSES][MOST_ROWS]; /* of the columns, in order of the labels */
};

/* The rows of a binary problem. */
static size_t costly_rows(const struct weights *weights, size_t problem)
{
    size_t rows = 0;

    for (size_t i = 0; i < MOST_ROWS; i++)
        rows += !weights || weights->cost[problem][i] > 0;
    return rows;
}

/* Stops binary problem `problem` before its first pass, and all behind it if `forever`. */
struct refusal {
    enum hinge_answer answer;
    size_t problem;
    int forever;
    size_t heard[CLASSES];         /* last words of each problem */
    int wrong;                     /* progress that is none of a training without a pass */
    const struct weights *weights; /* NULL: all rows cost something */
};

static enum hinge_answer refuse(void *context, const struct hinge_progress *progress)
{
    struct refusal *refusal = context;
    const int refused = refusal->forever ? progress->problem >= refusal->problem
                                         : progress->problem == refusal->problem;

    assert_true(progress->problem < CLASSES && progress->problems == CLASSES);
    refusal->heard[progress->problem] += progress->last != 0;
    if (!refused)
        return HINGE_GO_ON;
    refusal->wrong |= progress->rows != costly_rows(refusal->weights, progress->problem);
    refusal->wrong |= progress->passes > 0 || progress->steps > 0 ||
                      (progress->row_visits > 0 && progress->problem > refusal->problem);
    return refusal->answer;
}

static void weights_draw(struct weights *weights, const struct table *table,
                         struct hinge_parameters *parameters, uint64_t seed)
{
    double total = 0, of_class[CLASSES] = {0};
    uint64_t state = 0x9e3779b97f4a7c15 * (seed + 1);

    for (size_t i = 0; i < MOST_ROWS; i++) {
        const size_t c = (size_t)table->label[i];

        weights->row[i] = floor(1 + 3 * random_unit(&state)) * (seed % 4 == 1 && c == 7 ? 1e18 : 1);
        if ((seed % 4 < 2 && c == 3) || (seed % 8 == 7 && c != 7)) /* then 7 has no rows at all */
            weights->row[i] = 0;
        of_class[c] += weights->row[i];
        total += weights->row[i];
    }
    for (size_t c = 0; c < CLASSES; c++) {
        weights->label[c] = (double)c;
        weights->class[c] = seed % 2 && c == 7 ? 0 : floor(3 * random_unit(&state)) / 2;
    }
    parameters->row_weights = MOST_ROWS;
    parameters->row_weight = weights->row;
    parameters->weights = CLASSES;
    parameters->weight_label = weights->label;
    parameters->weight = weights->class;
    parameters->balanced = seed % 3 == 0;
    for (size_t c = 0; c < CLASSES; c++) {
        const double balance =
            parameters->balanced && of_class[c] > 0 ? total / (CLASSES * of_class[c]) : 1;

        for (size_t i = 0; i < MOST_ROWS; i++)
            weights->cost[c][i] = parameters->C * weights->row[i] *
                                  ((size_t)table->label[i] == c ? balance * weights->class[c] : 1);
    }
}

/* Rows of 20 classes, 0, 1, .. in order of appearance. */
static void table_of_many(struct table *table, uint64_t seed)
{
    double labels[CLASSES];

    for (size_t c = 0; c < CLASSES; c++)
        labels[c] = (double)c;
    table_draw(table, CLASSES, labels, seed);
}

static void check_not_begun(const struct table *table, const struct hinge_model *model, size_t c,
                            const double *cost)
{
    const struct hinge_result *result = &model->result[c];
    const double primal = primal_of(table, model, c, cost);

    for (size_t j = 0; j < width(model); j++)
        assert_true(model->weight[j * model->columns + c] == 0);
    for (size_t i = 0; model->alpha && i < MOST_ROWS; i++)
        assert_true(model->alpha[i * model->columns + c] == 0);
    assert_true(fabs(result->primal - primal) <= 1e-12 * primal);
    assert_true(result->passes == 0 && result->nonzeros == 0 && result->support_vectors == 0);
    if (model->solver->kind == HINGE_DUAL)
        assert_true(result->dual == 0 && result->gap == (primal > 0));
    else
        assert_true(isnan(result->dual) && isnan(result->gap));
}

/* Whichever class a monitor stops, those behind it keep the weights 0 and say of them what is true,
 * for all solvers and weights. */
static void test_classes_not_begun_say_what_is_true(void **state)
{
    static const int solvers[] = {1, 3, 2, 50, 60, 31, 40};
    static struct table table;
    static struct weights weights;
    size_t not_begun = 0;

    (void)state;
    for (uint64_t seed = 0; seed < 7 * 12; seed++) {
        struct hinge_parameters parameters = hinge_parameters_default();
        struct refusal refusal = {
            seed % 5 ? HINGE_OUT_OF_TIME : HINGE_INTERRUPT, seed % 4, 1, {0}, 0, &weights};
        struct hinge_monitor monitor = {refuse, &refusal, NULL};
        struct hinge_error error = {HINGE_OK, ""};
        struct hinge_model *model;

        parameters.solver = solvers[seed % 7];
        parameters.C = 0.25;
        parameters.bias = seed % 2 && parameters.solver != 50 ? 1 : -1;
        parameters.keep_alpha = solver_find(parameters.solver)->info.kind == HINGE_DUAL;
        parameters.max_passes = 3;
        parameters.epochs = 1;
        table_of_many(&table, seed);
        weights_draw(&weights, &table, &parameters, seed);
        model = hinge_train(&table.data, &parameters, &monitor, &error);
        if (!model)
            fail_msg("%s", error.message);
        assert_false(refusal.wrong);
        for (size_t c = 0, begun = 1; c < CLASSES; c++) {
            const enum hinge_outcome outcome = model->result[c].outcome;

            assert_int_equal(refusal.heard[c], 1);
            if (c < refusal.problem)
                continue;
            if (!begun)
                check_not_begun(&table, model, c, weights.cost[c]);
            not_begun += !begun;
            begun &= outcome == HINGE_CERTIFIED; /* it was sooner */
            if (outcome == HINGE_CERTIFIED)
                assert_true(begun || (seed % 5 && model->result[c].primal == 0));
            else
                assert_int_equal(outcome, seed % 5 ? HINGE_TIME_LIMIT : HINGE_INTERRUPTED);
        }
        hinge_model_free(model);
    }
    assert_true(not_begun > 7 * 12 * 15);
}

/* A gap of 1 may be all that was asked for. */
static void test_classes_not_begun_may_be_certified(void **state)
{
    static struct table table;
    struct hinge_parameters parameters = hinge_parameters_default();
    struct refusal refusal = {HINGE_OUT_OF_TIME, 0, 1, {0}, 0, NULL};
    struct hinge_monitor monitor = {refuse, &refusal, NULL};
    struct hinge_error error;
    struct hinge_model *model;

    (void)state;
    table_of_many(&table, 1);
    for (int turn = 0; turn < 2; turn++) {
        parameters.gap = turn ? 1 : 0.999;
        model = hinge_train(&table.data, &parameters, &monitor, &error);
        assert_non_null(model);
        for (size_t c = 1; c < CLASSES; c++)
            assert_int_equal(model->result[c].outcome, turn ? HINGE_CERTIFIED : HINGE_TIME_LIMIT);
        hinge_model_free(model);
    }
}

/* A monitor may stop one class alone: those behind it are trained as ever. */
static void test_one_class_alone_may_be_stopped(void **state)
{
    static struct table table;
    struct hinge_parameters parameters = hinge_parameters_default();
    struct hinge_model *whole, *part;

    (void)state;
    table_of_many(&table, 2);
    whole = train(&table, &parameters);
    for (size_t problem = 0; problem < CLASSES; problem++) {
        struct refusal refusal = {HINGE_OUT_OF_TIME, problem, 0, {0}, 0, NULL};
        struct hinge_monitor monitor = {refuse, &refusal, NULL};
        struct hinge_error error;

        part = hinge_train(&table.data, &parameters, &monitor, &error);
        assert_non_null(part);
        for (size_t c = 0; c < CLASSES; c++) {
            assert_int_equal(refusal.heard[c], 1);
            assert_int_equal(same_column(whole, c, part, c), c != problem);
            assert_int_equal(part->result[c].outcome,
                             c == problem ? HINGE_TIME_LIMIT : HINGE_CERTIFIED);
        }
        hinge_model_free(part);
    }
    hinge_model_free(whole);
}

/* A path ends at the C of an interrupt; a limit of time leaves all of them. */
static void test_path_of_classes_not_begun(void **state)
{
    static const double C[] = {0.5, 2, 8};
    static struct table table;
    struct hinge_parameters parameters = hinge_parameters_default();
    double cost[MOST_ROWS];

    (void)state;
    table_of_many(&table, 3);
    for (int turn = 0; turn < 3; turn++) { /* the last: an interrupt among those not begun */
        struct refusal late = {HINGE_INTERRUPT, 6, 1, {0}, 0, NULL};
        struct hinge_monitor second = {refuse, &late, NULL};
        struct refusal refusal = {
            turn == 1 ? HINGE_INTERRUPT : HINGE_OUT_OF_TIME, 4, 1, {0}, 0, NULL};
        struct hinge_monitor monitor = {refuse, &refusal, turn == 2 ? &second : NULL};
        struct hinge_model *models[3];
        struct hinge_error error;

        assert_int_equal(hinge_train_path(&table.data, &parameters, C, 3, &monitor, models, &error),
                         HINGE_OK);
        for (size_t k = 0; k < 3; k++) {
            assert_int_equal(models[k] == NULL, turn && k > 0);
            for (size_t i = 0; i < MOST_ROWS; i++)
                cost[i] = C[k];
            for (size_t c = 5; models[k] && c < CLASSES; c++)
                check_not_begun(&table, models[k], c, cost);
            hinge_model_free(models[k]);
        }
    }
}

/* ---- Starts from a model -------------------------------------------------- */

static const int starting[] = {2, 30, 31, 32, 33, 40, 41};

enum { STARTING = sizeof starting / sizeof *starting, MODEL_FEATURES = 12 };

/* A model by hand. */
struct start {
    struct hinge_model model; /* points into this struct */
    double label[4];
    double weight[(MODEL_FEATURES + 1) * 4];
};

/* Random weights; the labels in another order than given, but for turn 0. */
static void start_draw(struct start *start, size_t classes, const double *labels, size_t turn,
                       uint32_t features, double bias, uint64_t seed)
{
    uint64_t state = 0x9e3779b97f4a7c15 * (seed + 1);

    memset(start, 0, sizeof *start);
    start->model = (struct hinge_model){.classes = classes,
                                        .label = start->label,
                                        .features = features,
                                        .bias = bias,
                                        .columns = classes == 2 ? 1 : classes,
                                        .weight = start->weight,
                                        .solver_type = "L2R_L1LOSS_SVC_DUAL"};
    for (size_t c = 0; c < classes; c++)
        start->label[c] = labels[(c + turn) % classes];
    for (size_t k = 0; k < sizeof start->weight / sizeof *start->weight; k++)
        start->weight[k] = random_unit(&state) - 0.5;
}

/* What a class of that label starts from in these data. */
static void start_for(const struct start *start, const struct table *table, double label, double *w)
{
    const struct hinge_model *model = &start->model;
    const size_t features = table->data.features;
    size_t c = 0;

    while (model->label[c] != label)
        c++;
    for (size_t j = 0; j <= features; j++) {
        const size_t line = j < features ? j : model->features;
        const double *weight = &model->weight[line * model->columns];

        w[j] = j < features && j >= model->features ? 0
               : model->columns > 1                 ? weight[c]
               : c == 0                             ? weight[0]
                                                    : -weight[0];
    }
}

/* One class against the rest, from given weights, all rows of cost C. */
static struct hinge_result solve_from(const struct table *table,
                                      const struct hinge_parameters *parameters, double positive,
                                      const double *from, double *w)
{
    uint32_t row[MOST_ROWS];
    signed char sign[MOST_ROWS];
    double cost[MOST_ROWS];
    const struct binary_problem problem = {
        &table->data, (uint32_t)table->data.x.rows, row, sign, cost, parameters->bias, 0};
    const struct solver *solver = solver_find(parameters->solver);
    const struct solver_task task = {.problem = &problem,
                                     .loss = solver->loss,
                                     .parameters = parameters,
                                     .problems = 1,
                                     .recipe = &solver->recipe,
                                     .start = from};
    struct hinge_result result;
    struct hinge_error error;

    for (uint32_t i = 0; i < table->data.x.rows; i++) {
        row[i] = i;
        sign[i] = table->label[i] == positive ? 1 : -1;
        cost[i] = parameters->C;
    }
    assert_int_equal(solver->solve(&task, w, &result, &error), HINGE_OK);
    return result;
}

/* Classes that a monitor stops before they begin keep the weights of the model that they would have
 * started from, and claim nothing of them. */
static void test_classes_not_begun_keep_their_start(void **state)
{
    static struct table table;
    static struct start start;

    (void)state;
    for (size_t number = 0; number < 2 * STARTING; number++) {
        struct hinge_parameters parameters = hinge_parameters_default();
        struct stop at = {number % 2 ? HINGE_INTERRUPT : HINGE_OUT_OF_TIME, 1, 0, 0, 0};
        struct hinge_monitor monitor = {stop, &at, NULL};
        struct hinge_error error;
        struct hinge_model *model;
        double from[MOST_WIDTH];

        parameters.solver = starting[number % STARTING];
        parameters.bias = 1;
        parameters.initial = &start.model;
        table_draw(&table, 4, four_labels, number);
        start_draw(&start, 4, four_labels, number, number % 2 ? 5 : MODEL_FEATURES, 1, number);
        model = hinge_train(&table.data, &parameters, &monitor, &error);
        assert_non_null(model);
        for (size_t c = 2; c < 4; c++) {
            const struct hinge_result *result = &model->result[c];
            size_t nonzeros = 0;

            start_for(&start, &table, model->label[c], from);
            for (size_t j = 0; j < width(model); j++) {
                assert_true(model->weight[j * 4 + c] == from[j]);
                nonzeros += from[j] != 0;
            }
            assert_true(isnan(result->primal) && isnan(result->dual) && isnan(result->gap));
            assert_int_equal(result->nonzeros, nonzeros);
            assert_int_equal(result->outcome, number % 2 ? HINGE_INTERRUPTED : HINGE_TIME_LIMIT);
        }
        hinge_model_free(model);
    }
}

/* Whatever the order of its labels, and with features that the data lack, or too few. */
static void test_start_takes_the_weights_of_each_class(void **state)
{
    static const uint32_t features[] = {MOST_FEATURES, 3, MODEL_FEATURES, 0};
    static struct table table;
    static struct start start;

    (void)state;
    for (unsigned long number = 0; number < 24 * STARTING; number++) {
        struct hinge_parameters parameters = hinge_parameters_default();
        const size_t classes = number % 3 == 2 ? 4 : 2;
        const double *labels = classes == 2 && number % 2 ? four_labels + 1 : four_labels;
        struct hinge_model *model;

        parameters.solver = starting[number / 24];
        parameters.bias = number % 5 ? -1 : 0.5;
        parameters.iterations = 50;
        parameters.max_passes = 1; /* of newton-l2, so that the start is to be seen */
        parameters.gap = 1e-14;
        parameters.initial = &start.model;
        table_draw(&table, classes, labels, number);
        start_draw(&start, classes, labels, number / 2 % 4, features[number / 4 % 4],
                   parameters.bias, number);
        start.model.steps = (double)(number % 7) * 10;
        model = train(&table, &parameters);
        for (size_t c = 0; c < model->columns; c++) {
            double from[MOST_WIDTH], w[MOST_WIDTH];

            start_for(&start, &table, model->label[c], from);
            solve_from(&table, &parameters, model->label[c], from, w);
            for (size_t j = 0; j < width(model); j++)
                assert_true(w[j] == model->weight[j * model->columns + c]);
        }
        hinge_model_free(model);
    }
}

/* Two trainings in turn are one of twice the steps, as far as the steps go. */
static void test_steps_count_on(void **state)
{
    static struct table table;

    (void)state;
    for (size_t s = 1; s < STARTING; s++)
        for (size_t classes = 2; classes <= 4; classes += 2) {
            struct hinge_parameters parameters = hinge_parameters_default();
            struct hinge_model *first, *second, *third;

            table_draw(&table, classes, four_labels, s);
            parameters.solver = starting[s];
            parameters.iterations = 300;
            first = train(&table, &parameters);
            parameters.initial = first;
            parameters.iterations = 40;
            second = train(&table, &parameters);
            parameters.initial = second;
            third = train(&table, &parameters);
            assert_true(first->steps == 300 && second->steps == 340 && third->steps == 380);
            for (size_t c = 0; c < second->columns; c++) {
                assert_int_equal(second->result[c].passes, 40);
                assert_false(same_column(first, c, second, c));
            }
            hinge_model_free(first);
            hinge_model_free(second);
            hinge_model_free(third);
        }
}

/* Of all columns the fewest, so that none has taken less; rows that cost nothing are not counted
 * in its epochs. A model that knows of no steps counts as if it had taken as many as are to come.
 */
static void test_steps_are_those_of_the_shortest_column(void **state)
{
    static const double label[] = {7}, weight[] = {0};
    static struct table table;
    static struct start start;
    struct hinge_parameters parameters = hinge_parameters_default();

    (void)state;
    table_draw(&table, 4, four_labels, 5);
    parameters.solver = 31;
    parameters.epochs = 5;
    parameters.weights = 1;
    parameters.weight_label = label;
    parameters.weight = weight;
    for (size_t turn = 0; turn < 4; turn++) { /* the short column is another one each time */
        struct hinge_model *model;
        double rows = 0;

        for (size_t i = 0; i < 4; i++)
            table.label[i] = four_labels[(i + turn) % 4];
        for (size_t i = 0; i < MOST_ROWS; i++)
            rows += table.label[i] != 7;
        parameters.initial = NULL;
        model = train(&table, &parameters);
        assert_true(rows < MOST_ROWS && model->steps == 5 * rows);
        hinge_model_free(model);
        start_draw(&start, 4, four_labels, turn, MOST_FEATURES, -1, 1);
        parameters.initial = &start.model;
        model = train(&table, &parameters);
        assert_true(model->steps == 10 * rows);
        hinge_model_free(model);
        start.model.steps = 123;
        model = train(&table, &parameters);
        assert_true(model->steps == 123 + 5 * rows);
        hinge_model_free(model);
    }
}

static void test_solvers_without_steps_leave_none(void **state)
{
    static const int others[] = {1, 2, 3, 60, 61};
    static struct table table;

    (void)state;
    table_draw(&table, 2, four_labels, 5);
    for (size_t s = 0; s < 5; s++) {
        struct hinge_parameters parameters = hinge_parameters_default();
        struct hinge_model *model;

        parameters.solver = others[s];
        model = train(&table, &parameters);
        assert_true(model->steps == 0 && model->result[0].passes > 0);
        hinge_model_free(model);
    }
}

/* Where the first training stops, the second starts, also when it has been a file in between. */
static void test_model_from_a_file_starts_as_it_did_in_memory(void **state)
{
    static struct table table;

    (void)state;
    for (size_t s = 0; s < STARTING; s++) {
        struct hinge_parameters parameters = hinge_parameters_default();
        struct hinge_model *first, *back, *one, *other;
        struct hinge_error error = {HINGE_OK, ""};

        table_draw(&table, s % 2 ? 4 : 2, four_labels, s);
        parameters.solver = starting[s];
        parameters.epochs = 2;
        parameters.gap = 0.2;
        first = train(&table, &parameters);
        assert_int_equal(hinge_model_write(first, scratch_path("test_learn.model"), &error),
                         HINGE_OK);
        assert_non_null(back = hinge_model_read(scratch_path("test_learn.model"), &error));
        assert_true(back->steps == first->steps);
        parameters.gap = 1e-9;
        parameters.initial = first;
        one = train(&table, &parameters);
        parameters.initial = back;
        other = train(&table, &parameters);
        for (size_t c = 0; c < one->columns; c++)
            assert_true(same_column(one, c, other, c));
        hinge_model_free(first);
        hinge_model_free(back);
        hinge_model_free(one);
        hinge_model_free(other);
    }
}

/* Along a path a stochastic solver starts each training from the model; newton-l2 the first, and
 * the others where the one before ended. */
static void test_path_from_a_model(void **state)
{
    static const double C[] = {0.3, 5, 5};
    static struct table table;
    static struct start start;

    (void)state;
    for (size_t s = 0; s < STARTING; s++) {
        struct hinge_parameters parameters = hinge_parameters_default();
        struct hinge_model *path[3];
        struct hinge_error error;

        table_draw(&table, 2, four_labels, s);
        start_draw(&start, 2, four_labels, s % 2, MOST_FEATURES, -1, s);
        parameters.solver = starting[s];
        parameters.epochs = 2;
        parameters.gap = 1e-9;
        parameters.initial = &start.model;
        assert_int_equal(hinge_train_path(&table.data, &parameters, C, 3, NULL, path, &error),
                         HINGE_OK);
        for (size_t k = 0; k < 3; k++) {
            struct hinge_model *alone;

            parameters.C = C[k];
            alone = train(&table, &parameters);
            if (k == 0 || parameters.solver != 2)
                assert_true(same_column(alone, 0, path[k], 0));
            assert_true(parameters.solver != 2 ||
                        fabs(path[k]->result->primal - alone->result->primal) <=
                            2e-9 * alone->result->primal);
            assert_true(path[k]->steps == alone->steps);
            assert_true(parameters.solver != 2 || k < 2 || path[k]->result->steps == 0);
            hinge_model_free(alone);
            hinge_model_free(path[k]);
        }
    }
}

/* w apart: |w - w'|, in one column. */
static double distance(const struct hinge_model *one, const struct hinge_model *other, size_t c)
{
    double square = 0;

    for (size_t j = 0; j < width(one); j++)
        square += pow(one->weight[j * one->columns + c] - other->weight[j * one->columns + c], 2);
    return sqrt(square);
}

/* From the optimum there is nothing to do; from any other weights, near or far, the same optimum
 * is found: |w - w*|^2 <= 2 gap P for each. */
static void test_newton_ends_at_the_optimum_from_anywhere(void **state)
{
    static const double sizes[] = {1e-3, 1, 1e3, 1e6};
    static struct table table;
    static struct start start;

    (void)state;
    for (unsigned long number = 0; number < 60; number++) {
        struct hinge_parameters parameters = hinge_parameters_default();
        struct hinge_model *optimum, *again;

        table_draw(&table, number % 2 ? 4 : 2, four_labels, number);
        parameters.solver = 2;
        parameters.gap = 1e-12;
        parameters.C = exp2((double)(number % 13) - 6);
        parameters.bias = number % 3 ? -1 : 2;
        optimum = train(&table, &parameters);
        parameters.gap = 1e-9;
        for (size_t k = 0; k <= 4; k++) {
            start_draw(&start, optimum->classes, optimum->label, number % 4, MOST_FEATURES,
                       parameters.bias, number);
            for (size_t e = 0; k < 4 && e < sizeof start.weight / sizeof *start.weight; e++)
                start.weight[e] *= sizes[k];
            parameters.initial = k < 4 ? &start.model : optimum;
            again = train(&table, &parameters);
            for (size_t c = 0; c < again->columns; c++) {
                const struct hinge_result *result = &again->result[c];

                assert_int_equal(result->outcome, HINGE_CERTIFIED);
                assert_true(distance(optimum, again, c) <=
                            2 * sqrt(2 * 1e-9 * optimum->result[c].primal));
                assert_true(k < 4 ? result->steps > 0 : result->steps == 0 && result->passes == 0);
            }
            hinge_model_free(again);
        }
        hinge_model_free(optimum);
    }
}

/* |w - 2 sum C y x max(0, 1 - z)|, the gradient of the L2-loss, all rows of cost C. */
static double gradient_norm(const struct table *table, const struct hinge_model *model, double C,
                            const double *w)
{
    double gradient[MOST_WIDTH], square = 0;

    for (size_t j = 0; j < width(model); j++)
        gradient[j] = w[j];
    for (size_t i = 0; i < table->data.x.rows; i++) {
        const double y = table->label[i] == model->label[0] ? 1 : -1;
        double z = 0;

        for (size_t e = table->start[i]; e < table->start[i + 1]; e++)
            z += y * table->value[e] * w[table->index[e]];
        for (size_t e = table->start[i]; e < table->start[i + 1] && z < 1; e++)
            gradient[table->index[e]] -= 2 * C * y * table->value[e] * (1 - z);
    }
    for (size_t j = 0; j < width(model); j++)
        square += gradient[j] * gradient[j];
    return sqrt(square);
}

/* LIBLINEAR's rule measures by the gradient at 0, not by that of the start, which may be as large
 * as one likes. */
static void test_newton_measures_by_the_gradient_at_zero(void **state)
{
    static const double zero[MOST_WIDTH] = {0};
    static struct table table;
    static struct start start;

    (void)state;
    for (unsigned long number = 0; number < 40; number++) {
        struct hinge_parameters parameters = hinge_parameters_default();
        struct hinge_model *model;

        table_draw(&table, 2, four_labels, number);
        start_draw(&start, 2, four_labels, number % 2, MOST_FEATURES, -1, number);
        for (size_t e = 0; e < MOST_FEATURES; e++)
            start.weight[e] *= number % 4 ? 1e5 : 1e-5;
        parameters.solver = 2;
        parameters.gap = 0;
        parameters.eps = 1e-3;
        parameters.initial = &start.model;
        model = train(&table, &parameters);
        assert_true(gradient_norm(&table, model, 1, model->weight) <=
                    1.001e-3 * gradient_norm(&table, model, 1, zero));
        hinge_model_free(model);
    }
}

static void test_unfit_models_are_no_start(void **state)
{
    static const double other[] = {2.5, 5}, twice[] = {2.5, 2.5};
    static struct table table, four;
    static struct start start;
    struct hinge_parameters parameters = hinge_parameters_default();

    (void)state;
    table_draw(&table, 2, four_labels, 1); /* 2.5 and -1 */
    table_draw(&four, 4, four_labels, 1);
    parameters.solver = 31;
    parameters.initial = &start.model;
    start_draw(&start, 3, four_labels, 0, MOST_FEATURES, -1, 1);
    expect_refusal(&table, &parameters, "the initial model has 3 classes, the data 2");
    expect_refusal(&four, &parameters, "the initial model has 3 classes, the data 4");
    start_draw(&start, 2, other, 0, MOST_FEATURES, -1, 1);
    expect_refusal(&table, &parameters, "the initial model has no class -1");
    start_draw(&start, 2, twice, 0, MOST_FEATURES, -1, 1);
    expect_refusal(&table, &parameters, "the initial model has no class -1");
    start_draw(&start, 2, four_labels, 1, MOST_FEATURES, -1, 1);
    start.model.columns = 2;
    expect_refusal(&table, &parameters,
                   "the initial model has two columns of weights for its two classes");
    start.model.columns = 1;
    parameters.bias = 1;
    expect_refusal(&table, &parameters, "the initial model has the bias -1, not 1");
    start.model.bias = 0.5;
    expect_refusal(&table, &parameters, "the initial model has the bias 0.5, not 1");
    parameters.bias = -1;
    expect_refusal(&table, &parameters, "the initial model has the bias 0.5, not -1");
    start.model.bias = -7; /* none, by another name */
    hinge_model_free(train(&table, &parameters));
}

static void test_only_some_solvers_start_from_a_model(void **state)
{
    static struct table table;
    static struct start start;

    (void)state;
    table_draw(&table, 2, four_labels, 1);
    start_draw(&start, 2, four_labels, 0, MOST_FEATURES, -1, 1);
    for (size_t s = 0; hinge_solver_at(s); s++) {
        const struct hinge_solver *solver = hinge_solver_at(s);
        struct hinge_parameters parameters = hinge_parameters_default();
        char message[100];
        int starts = 0;

        for (size_t k = 0; k < STARTING; k++)
            starts |= starting[k] == solver->number;
        parameters.solver = solver->number;
        parameters.initial = &start.model;
        assert_int_equal(solver->starts, starts);
        snprintf(message, sizeof message, "initial: solver %s starts from no model", solver->name);
        if (starts)
            hinge_model_free(train(&table, &parameters));
        else
            expect_refusal(&table, &parameters, message);
    }
}

/* ---- Alpha, kept ------------------------------------------------------------ */

/* The costs of all rows in a column as the header has them; class weights for two labels. */
static void costs_for(const struct table *table, const struct hinge_model *model, size_t c,
                      const struct hinge_parameters *parameters, double *cost)
{
    for (size_t i = 0; i < table->data.x.rows; i++) {
        const int own = table->label[i] == model->label[c];

        cost[i] = model->C;
        for (size_t k = 0; k < parameters->weights && (own || model->classes == 2); k++)
            if (parameters->weight_label[k] == table->label[i])
                cost[i] *= parameters->weight[k];
        if (parameters->row_weights > 0)
            cost[i] *= parameters->row_weight[i];
    }
}

/* D of column c of alpha. */
static long double dual_of(const struct table *table, const struct hinge_model *model, size_t c,
                           int l1_loss, const double *cost)
{
    long double w[MOST_WIDTH] = {0}, dual = 0;

    for (size_t i = 0; i < table->data.x.rows; i++) {
        const long double alpha = model->alpha[i * model->columns + c];
        const int y = table->label[i] == model->label[c] ? 1 : -1;

        for (size_t e = table->start[i]; e < table->start[i + 1]; e++)
            w[table->index[e]] += alpha * y * table->value[e];
        if (model->bias >= 0)
            w[width(model) - 1] += alpha * y * model->bias;
        if (alpha > 0)
            dual += (l1_loss ? 0 : alpha * alpha / (4 * cost[i])) - alpha;
    }
    for (size_t j = 0; j < width(model); j++)
        dual += w[j] * w[j] / 2;
    return dual;
}

/* Every column of alpha is feasible, and together with w worth what the result says. */
static void check_alpha(const struct table *table, const struct hinge_model *model,
                        const struct hinge_parameters *parameters)
{
    const int l1_loss = solver_find(parameters->solver)->loss == LOSS_L1;

    assert_int_equal(model->rows, table->data.x.rows);
    assert_non_null(model->alpha);
    for (size_t c = 0; c < model->columns; c++) {
        const struct hinge_result *result = &model->result[c];
        double cost[MOST_ROWS], primal, slack = 1e-12;
        size_t support = 0;

        costs_for(table, model, c, parameters, cost);
        for (size_t i = 0; i < table->data.x.rows; i++) {
            const double alpha = model->alpha[i * model->columns + c];

            assert_true(alpha >= 0 && (cost[i] > 0 || alpha == 0));
            assert_true(!l1_loss || alpha <= cost[i]);
            support += alpha > 0;
            slack += 1e-12 * alpha;
        }
        primal = primal_of(table, model, c, cost);
        slack += 1e-12 * primal;
        assert_int_equal(result->support_vectors, support);
        assert_true(fabs(result->primal - primal) <= slack);
        assert_true(fabsl(result->dual - dual_of(table, model, c, l1_loss, cost)) <= slack);
        assert_true(fabsl(result->gap * primal -
                          fmaxl(0, primal + dual_of(table, model, c, l1_loss, cost))) <= 2 * slack);
    }
}

/* Parameters with class weights, row weights, some of them 0, bias, and a gap, all sorts. */
static struct hinge_parameters alpha_parameters(unsigned long number, double *row_weight)
{
    static const int dual[] = {1, 3, 2, 60, 61};
    static const double label[] = {-1, 2.5}, weight[] = {3, 0};
    struct hinge_parameters parameters = hinge_parameters_default();
    uint64_t random = number + 1;

    for (size_t i = 0; i < MOST_ROWS; i++)
        row_weight[i] = random_unit(&random) < 0.2 ? 0 : 0.5 + random_unit(&random);
    parameters.solver = dual[number % 5];
    parameters.plain = number / 5 % 2;
    parameters.C = exp2((double)(number / 3 % 7) - 3);
    parameters.bias = number % 3 ? -1 : 0.7;
    parameters.gap = number % 4 ? 1e-3 : 1e-8;
    parameters.weights = number / 2 % 3;
    parameters.weight_label = label;
    parameters.weight = weight;
    parameters.row_weights = number / 4 % 2 ? MOST_ROWS : 0;
    parameters.row_weight = row_weight;
    parameters.keep_alpha = 1;
    return parameters;
}

static void test_alpha_proves_the_gap(void **state)
{
    static struct table table;

    (void)state;
    for (unsigned long number = 0; number < 240; number++) {
        double row_weight[MOST_ROWS];
        struct hinge_parameters parameters = alpha_parameters(number, row_weight);
        struct hinge_model *model, *without;

        table_draw(&table, number / 8 % 2 ? 4 : 2, four_labels, number);
        model = train(&table, &parameters);
        check_alpha(&table, model, &parameters);
        parameters.keep_alpha = 0;
        without = train(&table, &parameters);
        assert_null(without->alpha);
        for (size_t c = 0; c < model->columns; c++)
            assert_true(same_column(model, c, without, c));
        hinge_model_free(without);
        hinge_model_free(model);
    }
}

/* Each model of a path has its own, of its own C, also where the training was cut short. */
static void test_alpha_along_a_path(void **state)
{
    static const double C[] = {0.1, 10, 1};
    static struct table table;

    (void)state;
    for (unsigned long number = 0; number < 60; number++) {
        double row_weight[MOST_ROWS];
        struct hinge_parameters parameters = alpha_parameters(number, row_weight);
        struct hinge_model *path[3];
        struct hinge_error error;

        parameters.max_passes = number % 7 == 0 ? 2 : 0;
        table_draw(&table, number / 8 % 2 ? 4 : 2, four_labels, number);
        assert_int_equal(hinge_train_path(&table.data, &parameters, C, 3, NULL, path, &error),
                         HINGE_OK);
        for (size_t k = 0; k < 3; k++) {
            assert_true(path[k]->C == C[k]);
            check_alpha(&table, path[k], &parameters);
        }
        for (size_t k = 0; k < 3; k++)
            hinge_model_free(path[k]);
    }
}

/* A line for each row, on it a number for each column, to the last bit. */
static void test_alpha_is_written_row_by_row(void **state)
{
    static struct table table;

    (void)state;
    for (unsigned long number = 0; number < 10; number++) {
        double row_weight[MOST_ROWS];
        struct hinge_parameters parameters = alpha_parameters(number, row_weight);
        struct hinge_error error = {HINGE_OK, ""};
        struct hinge_model *model;
        size_t length, k = 0;
        char *text, *p;

        table_draw(&table, number % 2 ? 4 : 2, four_labels, number);
        model = train(&table, &parameters);
        assert_int_equal(hinge_alpha_write(model, scratch_path("test_learn.alpha"), &error),
                         HINGE_OK);
        assert_non_null(text = read_file(scratch_path("test_learn.alpha"), &length));
        for (p = text; *p; k++) {
            const int last = k % model->columns + 1 == model->columns;

            assert_true(strtod(p, &p) == model->alpha[k]);
            assert_int_equal(*p++, last ? '\n' : ' ');
        }
        assert_int_equal(k, MOST_ROWS * model->columns);
        free(text);
        hinge_model_free(model);
    }
}

static void test_stochastic_solvers_have_no_alpha(void **state)
{
    static struct table table;

    (void)state;
    table_draw(&table, 2, four_labels, 1);
    for (size_t s = 0; hinge_solver_at(s); s++) {
        const struct hinge_solver *solver = hinge_solver_at(s);
        struct hinge_parameters parameters = hinge_parameters_default();
        char message[100];

        if (solver->kind != HINGE_STOCHASTIC)
            continue;
        parameters.solver = solver->number;
        parameters.keep_alpha = 1;
        snprintf(message, sizeof message, "keep_alpha: solver %s has no dual point", solver->name);
        expect_refusal(&table, &parameters, message);
    }
}

/* ---- The edge of double ------------------------------------------------- */

/* Trains on four rows of two features and expects either a refusal that says why, or a model
 * without a NaN or an infinity in it, results included. */
static void expect_finite(const double *value, int solver, double C, double bias)
{
    static const double label[] = {1, -1, -1, 1};
    static struct table table;
    struct hinge_parameters parameters = hinge_parameters_default();
    struct hinge_error error = {HINGE_OK, ""};
    struct hinge_model *model;

    parameters.solver = solver;
    parameters.C = C;
    parameters.bias = bias;
    parameters.max_passes = 1000; /* alphas may have to grow by 1e-200 a pass */
    table_fill(&table, 4, 2, value, label);
    model = hinge_train(&table.data, &parameters, NULL, &error);
    if (!model) {
        assert_int_equal(error.status, HINGE_BAD_INPUT);
        assert_non_null(strstr(error.message, "range of double"));
        return;
    }
    for (size_t j = 0; j < width(model); j++)
        assert_true(isfinite(model->weight[j]));
    if (!isfinite(model->result->primal) || !isfinite(model->result->dual) ||
        !isfinite(model->result->gap))
        fail_msg("-s %d, C %g, bias %g, values %g %g ...: primal %g, dual %g, gap %g", solver, C,
                 bias, value[0], value[2], model->result->primal, model->result->dual,
                 model->result->gap);
    assert_true(model->result->outcome != HINGE_CERTIFIED || model->result->gap <= 1e-3);
    hinge_model_free(model);
}

static void try_values(const double *value)
{
    for (int solver = 1; solver <= 3; solver += 2) {
        expect_finite(value, solver, 1, -1);
        expect_finite(value, solver, 1, 1);
        expect_finite(value, solver, 1e-100, -1);
        expect_finite(value, solver, 1e100, -1);
    }
}

static void test_large_values_give_no_nan(void **state)
{
    static const double large[] = {1e100, 1e100, 1e154, 1e160, 1e200, 1e300, DBL_MAX};

    (void)state;
    for (size_t k = 0; k < sizeof large / sizeof *large; k++) {
        double x = large[k];

        try_values((double[]){x, 0, -0.5, 0.7, -1, -0.1, 0.1, -0.9});
        try_values((double[]){1, 0, -x, 1e-200, x, -1, 0, 1});
        try_values((double[]){0.4, 0, -0.1, 0, x, 1e-3, 0, 1});
        try_values((double[]){x, x, x, -x, -x, x, -x, -x});
    }
}

static void test_tiny_values_give_no_nan(void **state)
{
    static const double tiny[] = {1e-100, 1e-154, 1e-160, 1e-200, 1e-300, DBL_MIN, 5e-324};

    (void)state;
    for (size_t k = 0; k < sizeof tiny / sizeof *tiny; k++) {
        double x = tiny[k];

        try_values((double[]){x, 0, -0.5, 0.7, -1, -0.1, 0.1, -0.9});
        try_values((double[]){x, x, x, -x, -x, x, -x, -x});
        try_values((double[]){x, 1e200, x, -1e100, -x, x, -x, -x});
    }
}

static void test_large_bias_gives_no_nan(void **state)
{
    static const double value[] = {1, 0.3, -0.5, 0.7, -1, -0.1, 0.1, -0.9};
    static const double biases[] = {1e-300, 1e-160, 1e100, 1e154, 1e200, DBL_MAX};

    (void)state;
    for (size_t k = 0; k < sizeof biases / sizeof *biases; k++)
        for (int solver = 1; solver <= 3; solver += 2)
            expect_finite(value, solver, 1, biases[k]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_path_over_C_is_certified_everywhere),
        cmocka_unit_test(test_weight_is_repetition),
        cmocka_unit_test(test_weight_zero_leaves_the_row_out),
        cmocka_unit_test(test_balanced_weights_are_as_documented),
        cmocka_unit_test(test_bad_row_weights_are_refused),
        cmocka_unit_test(test_classes_stand_in_order_of_appearance),
        cmocka_unit_test(test_minus_one_and_one_put_one_first),
        cmocka_unit_test(test_minus_zero_is_zero),
        cmocka_unit_test(test_labels_need_not_be_whole),
        cmocka_unit_test(test_ten_thousand_classes_are_told_apart),
        cmocka_unit_test(test_whole_labels_do_not_share_a_chain),
        cmocka_unit_test(test_columns_are_one_against_the_rest),
        cmocka_unit_test(test_model_carries_what_it_was_trained_with),
        cmocka_unit_test(test_two_classes_take_both_weights),
        cmocka_unit_test(test_a_class_weight_stays_in_its_column),
        cmocka_unit_test(test_repeated_weights_multiply),
        cmocka_unit_test(test_weight_zero_leaves_rows_out),
        cmocka_unit_test(test_nothing_left_gives_zero_weights),
        cmocka_unit_test(test_unknown_weight_label_is_ignored),
        cmocka_unit_test(test_weight_of_minus_zero_is_of_zero),
        cmocka_unit_test(test_lambda_is_another_name_of_C),
        cmocka_unit_test(test_single_class_is_refused),
        cmocka_unit_test(test_bad_parameters_are_refused_before_work),
        cmocka_unit_test(test_ones_need_no_values),
        cmocka_unit_test(test_wholes_are_doubles_over_a_scale),
        cmocka_unit_test(test_kind_of_values_changes_no_bit),
        cmocka_unit_test(test_kind_of_indices_changes_no_bit),
        cmocka_unit_test(test_seed_decides_the_bits),
        cmocka_unit_test(test_interrupted_training_returns_every_column),
        cmocka_unit_test(test_classes_not_begun_say_what_is_true),
        cmocka_unit_test(test_classes_not_begun_may_be_certified),
        cmocka_unit_test(test_one_class_alone_may_be_stopped),
        cmocka_unit_test(test_path_of_classes_not_begun),
        cmocka_unit_test(test_classes_not_begun_keep_their_start),
        cmocka_unit_test(test_start_takes_the_weights_of_each_class),
        cmocka_unit_test(test_steps_count_on),
        cmocka_unit_test(test_steps_are_those_of_the_shortest_column),
        cmocka_unit_test(test_solvers_without_steps_leave_none),
        cmocka_unit_test(test_model_from_a_file_starts_as_it_did_in_memory),
        cmocka_unit_test(test_path_from_a_model),
        cmocka_unit_test(test_newton_ends_at_the_optimum_from_anywhere),
        cmocka_unit_test(test_newton_measures_by_the_gradient_at_zero),
        cmocka_unit_test(test_unfit_models_are_no_start),
        cmocka_unit_test(test_only_some_solvers_start_from_a_model),
        cmocka_unit_test(test_alpha_proves_the_gap),
        cmocka_unit_test(test_alpha_along_a_path),
        cmocka_unit_test(test_alpha_is_written_row_by_row),
        cmocka_unit_test(test_stochastic_solvers_have_no_alpha),
        cmocka_unit_test(test_large_values_give_no_nan),
        cmocka_unit_test(test_tiny_values_give_no_nan),
        cmocka_unit_test(test_large_bias_gives_no_nan),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
