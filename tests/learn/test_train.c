/* test_train.c - the parameters and the alpha in a model; trainings with equal seeds, with all
 * kinds of storage, and with data at the edge of double. */
#include "tables.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "slow_loss.h"
#include "solver/loop/solver.h"

static void test_model_carries_what_it_was_trained_with(void **state)
{
    static struct table table;
    double cost[MOST_ROWS];

    (void)state;
    for (uint64_t seed = 0; seed < 8; seed++) {
        struct hinge_parameters parameters = parameters_default();
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

/* A model has the class weights that are not 1, with their labels, and a mark for row weights. */
static void test_model_carries_the_weights(void **state)
{
    static const double labels[] = {5, -1, 1, 5, 77}, weights[] = {2, 0.25, 3, 4, 9};
    static const double ones[] = {1, 1, 1, 1, 1};
    static struct table table;
    double row_weight[MOST_ROWS];

    (void)state;
    for (size_t i = 0; i < MOST_ROWS; i++)
        row_weight[i] = 1 + (double)(i % 3);
    for (int kind = 0; kind < 8; kind++) {
        struct hinge_parameters parameters = parameters_default();
        struct hinge_model *model;

        table_draw(&table, 4, four_labels, 3);
        parameters.weights = kind % 4 ? COUNT(labels) : 0;
        parameters.weight_label = labels;
        parameters.weight = kind % 4 == 1 ? ones : weights;
        parameters.balanced = kind % 4 == 3;
        parameters.row_weights = kind >= 4 ? MOST_ROWS : 0;
        parameters.row_weight = kind >= 4 ? row_weight : NULL;
        model = train(&table, &parameters);
        assert_int_equal(model->balanced, kind % 4 == 3);
        assert_int_equal(model->row_weighted, kind >= 4);
        assert_int_equal(model->class_weight != NULL, kind % 4 >= 2);
        for (size_t c = 0; model->class_weight && c < model->classes; c++) {
            double expected = 1, total = 0, own = 0;

            for (size_t k = 0; k < COUNT(labels); k++)
                if (labels[k] == model->label[c])
                    expected *= weights[k];
            for (size_t i = 0; i < MOST_ROWS; i++) {
                const double weight = kind >= 4 ? row_weight[i] : 1;

                total += weight;
                own += table.label[i] == model->label[c] ? weight : 0;
            }
            if (kind % 4 == 3)
                expected *= total / (4 * own);
            assert_true(fabs(model->class_weight[c] - expected) <= 1e-14 * expected);
        }
        hinge_model_free(model);
    }
}

/* ---- Parameters --------------------------------------------------------- */

static void test_lambda_is_another_name_of_C(void **state)
{
    static const double lambdas[] = {1, 1e-3, 0.7, 1e-5};
    static struct table table;

    (void)state;
    table_draw(&table, 4, four_labels, 10);
    for (size_t k = 0; k < sizeof lambdas / sizeof *lambdas; k++) {
        struct hinge_parameters by_lambda = parameters_default(), by_C = by_lambda;
        struct hinge_model *one, *other;

        by_lambda.lambda = lambdas[k];
        by_lambda.C = 12345; /* must not be used */
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
    struct hinge_parameters parameters = parameters_default();

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
    struct hinge_parameters parameters = parameters_default();

    (void)state;
    table_draw(&table, 4, four_labels, 0);
    parameters.solver = 77;
    expect_failure(&table, &parameters, HINGE_BAD_ARGUMENT, "solver: there is no number 77");
    parameters = parameters_default();
    parameters.C = NAN;
    expect_failure(&table, &parameters, HINGE_BAD_ARGUMENT, "C:");
    parameters = weighted(1, label, bad);
    expect_failure(&table, &parameters, HINGE_BAD_ARGUMENT, "weight:");
    parameters = weighted(1, label, tiny); /* the weight and C are allowed, their product is not */
    expect_failure(&table, &parameters, HINGE_BAD_ARGUMENT, "its weights");
    parameters = parameters_default();
    parameters.lambda = 1e100; /* C = 1 / (64e150) */
    expect_failure(&table, &parameters, HINGE_BAD_ARGUMENT, "C");
    parameters = parameters_default();
    parameters.C = 1e100;
    parameters.relative_gap = parameters.eps = 0;
    expect_failure(&table, &parameters, HINGE_BAD_ARGUMENT, "relative_gap");
}

static void test_data_without_labels_are_refused(void **state)
{
    static struct table table;
    struct hinge_parameters parameters = parameters_default();
    struct hinge_error error = {HINGE_OK, ""}, again = {HINGE_OK, ""};
    struct hinge_validation validation = {0};
    const double C = 1;
    int interrupted;

    (void)state;
    table_draw(&table, 4, four_labels, 0);
    table.data.label = NULL;
    for (size_t k = 0; hinge_solver_at(k); k++) {
        const struct hinge_solver *solver = hinge_solver_at(k);

        parameters.solver = solver->number;
        if (!solver->one_class)
            expect_failure(&table, &parameters, HINGE_BAD_ARGUMENT, "label");
        else
            hinge_model_free(train(&table, &parameters));
        error.status = HINGE_OK;
        assert_int_equal(hinge_cross_validate(&table.data, &parameters, 2, &C, 1, NULL, &validation,
                                              &interrupted, &error),
                         HINGE_BAD_ARGUMENT);
        assert_non_null(strstr(error.message, "label"));
    }
    parameters.solver = 1;
    assert_true(hinge_least_C(&table.data, &parameters, &again) == 0);
    assert_int_equal(again.status, HINGE_BAD_ARGUMENT);
}

static void table_copy(struct table *copy, const struct table *table)
{
    *copy = *table;
    copy->data.x.start = copy->start;
    copy->data.x.index = copy->index;
    copy->data.x.value = copy->value;
    copy->data.label = copy->label;
}

/* Returns parameters for a test of a solver: a small or large C, with or without a bias. */
static struct hinge_parameters parameters_of(const struct hinge_solver *solver, uint64_t seed)
{
    struct hinge_parameters parameters = parameters_default();

    parameters.solver = solver->number;
    parameters.C = seed % 3 ? 100 : 0.01;
    parameters.bias = seed % 2 && !solver->pairs && !solver->one_class ? 1 : -1;
    parameters.l1 = solver->l1 == 1 ? 1e-3 : 0;
    return parameters;
}

static void expect_same_weights(const struct table *table, const struct table *other,
                                const struct hinge_parameters *parameters)
{
    struct hinge_model *first = train(table, parameters), *second = train(other, parameters);

    assert_memory_equal(first->weight, second->weight,
                        width(first) * first->columns * sizeof *first->weight);
    hinge_model_free(first);
    hinge_model_free(second);
}

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

/* Whole numbers with a scale represent doubles, so the weights differ only by rounding. */
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

            parameters.relative_gap = solver->kind == HINGE_DUAL ? 1e-9 : parameters.relative_gap;
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
            for (size_t c = 0; c < first->problems; c++)
                assert_true(fabs(first->result[c].primal - second->result[c].primal) <=
                            1e-9 * fabs(first->result[c].primal));
            for (size_t e = 0;
                 solver->kind == HINGE_STOCHASTIC && e < width(first) * first->columns; e++)
                assert_true(fabs(first->weight[e] - second->weight[e]) <=
                            1e-9 * (1 + fabs(first->weight[e])));
            hinge_model_free(first);
            hinge_model_free(second);
        }
}

/* With indices of two bytes or of one, and every kind of values, every solver gives the same bits.
 */
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

/* Rows of all features give the same bits with indices and without, whether they are long or short,
 * few or many. */
static void test_rows_without_indices_change_no_bit(void **state)
{
    enum { ROWS = 70, FEATURES = 40 };
    static uint32_t index[ROWS * FEATURES];
    static double value[ROWS * FEATURES], label[ROWS];
    static size_t start[ROWS + 1];
    const struct hinge_solver *solver;

    (void)state;
    for (size_t s = 0; (solver = hinge_solver_at(s)); s++)
        for (uint64_t seed = 0; seed < 8; seed++) {
            const size_t features = seed % 2 ? FEATURES : 9, rows = seed / 2 % 2 ? ROWS : 30;
            struct hinge_parameters parameters = parameters_of(solver, seed);
            struct hinge_model *with, *without;
            struct hinge_error error;
            uint64_t random = seed;
            struct hinge_dataset data = {.x = {.rows = rows,
                                               .nonzeros = rows * features,
                                               .start = start,
                                               .index_kind = HINGE_INDEX_32,
                                               .value_kind = HINGE_VALUE_DOUBLE,
                                               .index = index,
                                               .value = value},
                                         .features = (uint32_t)features,
                                         .label = label};

            parameters.single_method = seed >= 4;
            for (size_t i = 0; i < rows; i++) {
                label[i] = four_labels[i % (solver->one_class ? 1 : 3)];
                start[i + 1] = (i + 1) * features;
                for (size_t j = 0; j < features; j++) {
                    index[start[i] + j] = (uint32_t)j;
                    value[start[i] + j] = 2 * random_unit(&random) - 1 + (j % 3 == i % 3 ? 0.5 : 0);
                }
            }
            with = hinge_train(&data, &parameters, NULL, &error);
            data.x.index_kind = HINGE_INDEX_NONE;
            data.x.index = NULL;
            without = hinge_train(&data, &parameters, NULL, &error);
            assert_true(with && without);
            assert_memory_equal(with->weight, without->weight,
                                width(with) * with->columns * sizeof *with->weight);
            hinge_model_free(with);
            hinge_model_free(without);
        }
}

static void test_seed_decides_the_bits(void **state)
{
    static struct table table;
    struct hinge_parameters parameters = parameters_default();
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

static void test_solvers_without_steps_leave_none(void **state)
{
    static const int others[] = {1, 2, 3, 60, 61};
    static struct table table;

    (void)state;
    table_draw(&table, 2, four_labels, 5);
    for (size_t s = 0; s < 5; s++) {
        struct hinge_parameters parameters = parameters_default();
        struct hinge_model *model;

        parameters.solver = others[s];
        model = train(&table, &parameters);
        assert_true(model->steps == 0 && model->result[0].passes > 0);
        hinge_model_free(model);
    }
}

/* ---- Alpha, kept ------------------------------------------------------------ */

/* Computes the costs of all rows in a column as hinge.h defines them, with two class weights. */
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

static long double dual_of(const struct table *table, const struct hinge_model *model, size_t c,
                           enum loss loss, const double *cost)
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
            dual += slow_conjugate(loss, cost[i], alpha) - loss_target(loss) * alpha;
    }
    for (size_t j = 0; j < width(model); j++)
        dual += w[j] * w[j] / 2;
    return dual;
}

/* Checks that every column of alpha is feasible, and that w and alpha have the reported P, D and
 * gap. */
static void check_alpha(const struct table *table, const struct hinge_model *model,
                        const struct hinge_parameters *parameters)
{
    const enum loss loss = solver_find(parameters->solver)->loss;

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
            assert_true(loss == LOSS_SQUARED_HINGE || alpha <= cost[i]);
            support += alpha > 0;
            slack += 1e-12 * alpha;
        }
        primal = column_primal(table, model, c, cost);
        slack += 1e-12 * primal;
        assert_int_equal(result->support_vectors, support);
        assert_true(fabs(result->primal - primal) <= slack);
        assert_true(fabsl(result->dual - dual_of(table, model, c, loss, cost)) <= slack);
        assert_true(fabsl(result->relative_gap * primal -
                          fmaxl(0, primal + dual_of(table, model, c, loss, cost))) <= 2 * slack);
    }
}

/* Returns parameters with various class weights, row weights (some of them 0), biases and gaps. */
static struct hinge_parameters alpha_parameters(unsigned long number, double *row_weight)
{
    static const int dual[] = {1, 3, 0, 2, 60, 7, 61};
    static const double label[] = {-1, 2.5}, weight[] = {3, 0};
    struct hinge_parameters parameters = parameters_default();
    uint64_t random = number + 1;

    for (size_t i = 0; i < MOST_ROWS; i++)
        row_weight[i] = random_unit(&random) < 0.2 ? 0 : 0.5 + random_unit(&random);
    parameters.solver = dual[number % COUNT(dual)];
    parameters.single_method = number / 5 % 2;
    parameters.C = exp2((double)(number / 3 % 7) - 3);
    parameters.bias = number % 3 ? -1 : 0.7;
    parameters.relative_gap = number % 4 ? 1e-3 : 1e-8;
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

/* Each model of a path has the alpha of its own C, also if the training was cut short. */
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

/* alpha has a line for each row with a number for each column, exact to the last bit. */
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
        struct hinge_parameters parameters = parameters_default();
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

/* Trains on four rows of two features. Expects a refusal with a reason, or a model without NaN and
 * infinity, also in its results. */
static void expect_finite(const double *value, int solver, double C, double bias)
{
    static const double label[] = {1, -1, -1, 1};
    static struct table table;
    struct hinge_parameters parameters = parameters_default();
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
        !isfinite(model->result->relative_gap))
        fail_msg("-s %d, C %g, bias %g, values %g %g ...: primal %g, dual %g, gap %g", solver, C,
                 bias, value[0], value[2], model->result->primal, model->result->dual,
                 model->result->relative_gap);
    assert_true(model->result->outcome != HINGE_CERTIFIED || model->result->relative_gap <= 1e-3);
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

/* Checks the direction of w as C falls to 0. w is parallel to sum g_i x_i, with g_i the slopes of
 * the losses at w = 0: equal except for their signs, or the targets for a squared loss of
 * regression. The gap of w = 0 meets any target, but w = 0 neither classifies nor ranks. */
static void expect_direction(int solver, double C)
{
    static const double value[] = {1, 0.3, -0.5, 0.7, -1, -0.1, 0.1, -0.9},
                        label[] = {1, 2, -1, -4};
    const int is_regression = solver >= 11 && solver <= 13,
              is_squared = solver == 11 || solver == 12;
    struct hinge_parameters parameters = parameters_default();
    struct hinge_error error;
    struct table table;
    struct hinge_model *model;
    double given[4], sum[2] = {0, 0}, w[2];

    for (size_t i = 0; i < 4; i++) {
        const double sign = label[i] > 0 ? 1 : -1, slope = is_squared ? label[i] : sign;

        given[i] = is_regression ? label[i] : sign;
        sum[0] += slope * value[2 * i];
        sum[1] += slope * value[2 * i + 1];
    }
    table_fill(&table, 4, 2, value, given);
    parameters.solver = solver;
    parameters.C = C;
    parameters.epsilon = 0;
    model = hinge_train(&table.data, &parameters, NULL, &error);
    assert_non_null(model);
    assert_int_equal(model->result->outcome, HINGE_CERTIFIED);
    w[0] = model->weight[0];
    w[1] = model->weight[model->columns];
    if (!(w[0] * sum[0] + w[1] * sum[1] > 0.999 * hypot(w[0], w[1]) * hypot(sum[0], sum[1])))
        fail_msg("-s %d, C = %g: w = %g, %g", solver, C, w[0], w[1]);
    hinge_model_free(model);
}

static void test_a_small_C_leaves_a_direction(void **state)
{
    static const int solvers[] = {0, 1, 2, 3, 7, 11, 12, 13, 60, 61, 62}, passes[] = {1, 3, 12, 13};

    (void)state;
    for (size_t k = 0; k < COUNT(solvers); k++)
        for (double C = 1e-5; C > 1e-15; C /= 1000)
            expect_direction(solvers[k], C);
    for (size_t k = 0; k < COUNT(passes); k++) /* P equals P(0) up to rounding */
        for (double C = 1e-16; C > 1e-100; C /= 1e6)
            expect_direction(passes[k], C);
}

/* The questions to a function, and its answer. */
struct asked {
    int times;
    int last; /* number of the question that gets `answer`; 0: none */
    int answer;
};

static int answer_once(void *context)
{
    struct asked *asked = context;

    return ++asked->times == asked->last ? asked->answer : HINGE_GO_ON;
}

/* A function that needs no structure of hinge.h ends a training as a monitor does, and changes
 * nothing else. */
static void test_a_function_is_asked_whether_to_go_on(void **state)
{
    static const struct {
        int answer;
        enum hinge_outcome outcome;
    } cases[] = {{HINGE_OUT_OF_TIME, HINGE_TIME_LIMIT}, {HINGE_INTERRUPT, HINGE_INTERRUPTED}};
    struct hinge_parameters parameters = parameters_default();
    struct asked asked = {0, 0, 0};
    static struct table table;
    struct hinge_model *plain, *model;
    struct hinge_error error;

    (void)state;
    parameters.relative_gap = 1e-12;
    parameters.single_method = 1;
    table_draw(&table, 2, four_labels, 1);
    plain = train(&table, &parameters);
    for (int way = 0; way < 2; way++) {
        model =
            hinge_train_until(&table.data, &parameters, way ? answer_once : NULL, &asked, &error);
        assert_non_null(model);
        assert_int_equal(model->result->outcome, HINGE_CERTIFIED);
        assert_memory_equal(model->weight, plain->weight, MOST_FEATURES * sizeof *plain->weight);
        assert_true(way ? asked.times > 3 : asked.times == 0);
        hinge_model_free(model);
    }
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        asked = (struct asked){0, 2, cases[k].answer};
        model = hinge_train_until(&table.data, &parameters, answer_once, &asked, &error);
        assert_non_null(model);
        assert_int_equal(model->result->outcome, cases[k].outcome);
        assert_in_range(asked.times, 2, 3); /* also the last call of the training */
        hinge_model_free(model);
    }
    parameters.C = -1;
    assert_null(hinge_train_until(&table.data, &parameters, NULL, NULL, &error));
    assert_int_equal(error.status, HINGE_BAD_ARGUMENT);
    hinge_model_free(plain);
}

/* Keeps the weights that a monitor sees at the end of a training. */
static enum hinge_answer keep_last(void *context, const struct hinge_progress *progress)
{
    double *w = context;

    if (progress->last)
        memcpy(w, progress->w, (progress->features + 1) * progress->outputs * sizeof *w);
    return HINGE_GO_ON;
}

static void check_last(const struct hinge_dataset *data, const struct hinge_parameters *parameters)
{
    double w[100];
    const struct hinge_monitor monitor = {keep_last, w, NULL, 0};
    struct hinge_error error;
    struct hinge_model *model = hinge_train(data, parameters, &monitor, &error);

    assert_non_null(model);
    assert_memory_equal(w, model->weight, (model->features + 1) * sizeof *w);
    hinge_model_free(model);
}

/* A monitor sees the weights of the model, whichever method has measured. Here passes with a free
 * bias train on one row. */
static void test_a_monitor_sees_the_weights_of_the_model(void **state)
{
    static const int solvers[] = {0, 1, 2, 3, 5, 6, 7, 11, 12, 13, 60, 61};
    static const double gaps[] = {0.3, 1e-2, 1e-6}, x[] = {-2, 3}, y[] = {-2};
    const struct hinge_format format = {0};
    struct hinge_parameters parameters = parameters_default();
    struct hinge_error error;
    struct hinge_dataset *data = hinge_dataset_read("data/breast-cancer", &format, &error);
    struct hinge_dataset *row = hinge_view_dense(1, 2, x, HINGE_VALUE_DOUBLE, y, &error);

    (void)state;
    assert_true(data && row);
    parameters.bias = 1;
    for (size_t k = 0; k < 2 * COUNT(solvers) * COUNT(gaps); k++) {
        parameters.free_bias = k % 2;
        parameters.solver = solvers[k / 2 % COUNT(solvers)];
        parameters.relative_gap = gaps[k / 2 / COUNT(solvers)];
        parameters.C = 0.05;
        check_last(data, &parameters);
        if (parameters.solver > 10 && parameters.solver < 14)
            check_last(row, &parameters);
    }
    hinge_view_free(row);
    hinge_dataset_free(data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_function_is_asked_whether_to_go_on),
        cmocka_unit_test(test_a_monitor_sees_the_weights_of_the_model),
        cmocka_unit_test(test_model_carries_what_it_was_trained_with),
        cmocka_unit_test(test_model_carries_the_weights),
        cmocka_unit_test(test_lambda_is_another_name_of_C),
        cmocka_unit_test(test_single_class_is_refused),
        cmocka_unit_test(test_bad_parameters_are_refused_before_work),
        cmocka_unit_test(test_data_without_labels_are_refused),
        cmocka_unit_test(test_ones_need_no_values),
        cmocka_unit_test(test_wholes_are_doubles_over_a_scale),
        cmocka_unit_test(test_kind_of_values_changes_no_bit),
        cmocka_unit_test(test_kind_of_indices_changes_no_bit),
        cmocka_unit_test(test_rows_without_indices_change_no_bit),
        cmocka_unit_test(test_seed_decides_the_bits),
        cmocka_unit_test(test_solvers_without_steps_leave_none),
        cmocka_unit_test(test_alpha_proves_the_gap),
        cmocka_unit_test(test_alpha_along_a_path),
        cmocka_unit_test(test_alpha_is_written_row_by_row),
        cmocka_unit_test(test_stochastic_solvers_have_no_alpha),
        cmocka_unit_test(test_large_values_give_no_nan),
        cmocka_unit_test(test_tiny_values_give_no_nan),
        cmocka_unit_test(test_large_bias_gives_no_nan),
        cmocka_unit_test(test_a_small_C_leaves_a_direction),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
