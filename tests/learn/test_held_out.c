/* test_held_out.c - compares the decision values and probabilities of the rows held out with models
 * of the other rows; folds by groups of rows. */
#include "tables.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "learn/folds.h"

enum { FOLDS = 4, MOST_CLASSES = 4 };

static const double labels[] = {2, -1, 7, 0.5};

/* A validation with folds of single rows, or of given groups. */
struct trial {
    struct table table;
    struct hinge_parameters parameters;
    uint32_t group[MOST_ROWS];
    double weight[MOST_ROWS];
};

static void trial_draw(struct trial *trial, size_t classes, int solver, uint64_t seed)
{
    uint64_t random = seed;

    table_draw(&trial->table, classes, labels, seed);
    trial->parameters = parameters_default();
    trial->parameters.solver = solver;
    trial->parameters.relative_gap = 1e-9;
    trial->parameters.seed = seed;
    trial->parameters.store_decisions = 1;
    for (size_t i = 0; i < trial->table.data.x.rows; i++) {
        trial->group[i] = (uint32_t)draw_below(&random, 4) * 10;
        trial->weight[i] = (double)draw_below(&random, 3);
    }
}

static void validate(struct trial *trial, size_t folds, struct hinge_validation *validation)
{
    struct hinge_error error = {HINGE_OK, ""};
    int interrupted = 1;

    if (hinge_cross_validate(&trial->table.data, &trial->parameters, folds, &trial->parameters.C, 1,
                             NULL, validation, &interrupted, &error))
        fail_msg("%s", error.message);
    assert_int_equal(interrupted, 0);
}

/* Lists the rows of the data that have a weight. Returns their number. */
static size_t rows_of(const struct trial *trial, uint32_t *row)
{
    size_t rows = 0;

    for (uint32_t i = 0; i < trial->table.data.x.rows; i++)
        if (trial->parameters.row_weights == 0 || trial->weight[i] > 0)
            row[rows++] = i;
    return rows;
}

/* Returns a model of all rows except those of a fold, which get weight 0. It has no sigmoids. */
static struct hinge_model *train_without(const struct trial *trial, const uint32_t *row,
                                         const struct hinge_validation *validation, uint32_t fold)
{
    struct hinge_parameters parameters = trial->parameters;
    struct hinge_model *model;
    double weight[MOST_ROWS];

    for (size_t i = 0; i < trial->table.data.x.rows; i++)
        weight[i] = trial->parameters.row_weights ? trial->weight[i] : 1;
    for (size_t i = 0; i < validation->predictions->rows; i++)
        if (validation->fold[i] == fold)
            weight[row[i]] = 0;
    parameters.row_weights = trial->table.data.x.rows;
    parameters.row_weight = weight;
    parameters.row_groups = 0;
    parameters.probability = parameters.store_decisions = 0;
    model = train(&trial->table, &parameters);
    assert_non_null(model);
    return model;
}

static struct hinge_row row_at(const struct table *table, uint32_t i)
{
    return (struct hinge_row){.label = table->label[i],
                              .count = table->start[i + 1] - table->start[i],
                              .index = table->index + table->start[i],
                              .value = table->value + table->start[i]};
}

static void expect_near(double came, double expected, double apart)
{
    if (!(fabs(came - expected) <= apart))
        fail_msg("%.17g, not %.17g", came, expected);
}

static void fit_others(const struct trial *trial, const uint32_t *row,
                       const struct hinge_validation *validation, uint32_t fold,
                       struct hinge_model *model)
{
    const size_t columns = validation->columns;
    double value[MOST_ROWS], weight[MOST_ROWS];
    signed char sign[MOST_ROWS];

    model->sigmoid = calloc(2 * columns, sizeof *model->sigmoid);
    assert_non_null(model->sigmoid);
    for (size_t c = 0; c < columns; c++) {
        size_t rows = 0;

        for (size_t i = 0; i < validation->predictions->rows; i++)
            if (validation->fold[i] != fold) {
                value[rows] = validation->decision[i * columns + c];
                sign[rows] = trial->table.label[row[i]] == model->label[c] ? 1 : -1;
                weight[rows++] = trial->parameters.row_weights ? trial->weight[row[i]] : 1;
            }
        sigmoid_fit(rows, value, sign, weight, model->sigmoid + 2 * c);
    }
}

/* Compares each row with the prediction by the model of the other folds. */
static void check_kept(const struct trial *trial, size_t folds,
                       const struct hinge_validation *validation)
{
    const struct hinge_predictions *predictions = validation->predictions;
    uint32_t row[MOST_ROWS];

    assert_int_equal(predictions->rows, rows_of(trial, row));
    for (uint32_t fold = 0; fold < folds; fold++) {
        struct hinge_model *model = train_without(trial, row, validation, fold);
        const size_t columns = model->columns;

        assert_int_equal(validation->columns, columns);
        if (trial->parameters.probability && !hinge_has_probabilities(model))
            fit_others(trial, row, validation, fold, model);
        assert_int_equal(validation->probability != NULL, hinge_has_probabilities(model));
        for (size_t i = 0; i < predictions->rows; i++) {
            const struct hinge_row held_out = row_at(&trial->table, row[i]);
            const double *kept = validation->decision + i * columns;
            double decision[MOST_CLASSES], probability[MOST_CLASSES];

            if (validation->fold[i] != fold)
                continue;
            hinge_decision_values(model, &held_out, decision);
            for (size_t c = 0; c < columns; c++)
                expect_near(kept[c], decision[c], 1e-3 * (1 + fabs(decision[c])));
            if (model->classes > 0)
                assert_int_equal(hinge_decide(model, kept), predictions->predicted[i]);
            assert_true(predictions->decision[i] ==
                        kept[model->classes > 2 ? predictions->predicted[i] : 0]);
            if (!validation->probability)
                continue;
            hinge_probabilities(model, kept, probability);
            for (size_t c = 0; c < model->classes; c++)
                assert_true(validation->probability[i * model->classes + c] == probability[c]);
        }
        hinge_model_free(model);
    }
}

static void test_kept_values_are_those_of_the_other_folds(void **state)
{
    static const int solvers[] = {1, 0, 62, 4, 3, 11};
    static struct trial trial;

    (void)state;
    for (uint64_t n = 0; n < 96; n++) {
        struct hinge_validation validation;

        trial_draw(&trial, 2 + n % 3, solvers[n / 3 % 6], n + 1);
        trial.parameters.probability = n / 18 % 2 && trial.parameters.solver != 11;
        if (n % 4 == 1) {
            trial.parameters.row_weights = trial.table.data.x.rows;
            trial.parameters.row_weight = trial.weight;
        }
        validate(&trial, FOLDS, &validation);
        check_kept(&trial, FOLDS, &validation);
        hinge_validation_clear(&validation);
        assert_true(!validation.decision && !validation.probability);
    }
}

static void test_nothing_is_kept_unasked(void **state)
{
    static struct trial trial;
    struct hinge_validation validation;

    (void)state;
    trial_draw(&trial, 2, 0, 1);
    trial.parameters.store_decisions = 0;
    validate(&trial, FOLDS, &validation);
    assert_true(validation.predictions && !validation.decision && !validation.probability);
    hinge_validation_clear(&validation);
}

/* Rows of a group are in one fold, and their predictions are those of models without the group. */
static void test_groups_are_held_out_together(void **state)
{
    static struct trial trial;

    (void)state;
    for (uint64_t n = 1; n <= 40; n++) {
        struct hinge_validation validation;
        uint32_t row[MOST_ROWS];
        size_t in_fold[4] = {0}, folds;

        trial_draw(&trial, 2 + n % 2, 1, n);
        for (uint32_t i = 0; i < 4; i++)
            trial.group[i] = i * 10; /* each group has a row */
        if (n % 3 == 0) {
            trial.parameters.row_weights = trial.table.data.x.rows;
            trial.parameters.row_weight = trial.weight;
            for (size_t i = 0; i < 4; i++)
                trial.weight[i] = 1;
        }
        trial.parameters.row_groups = trial.table.data.x.rows;
        trial.parameters.row_group = trial.group;
        folds = 2 + n % 3;
        validate(&trial, folds, &validation);
        assert_int_equal(validation.predictions->rows, rows_of(&trial, row));
        for (size_t i = 0; i < validation.predictions->rows; i++) {
            in_fold[validation.fold[i]]++;
            for (size_t j = 0; j < i; j++)
                if (trial.group[row[i]] == trial.group[row[j]])
                    assert_int_equal(validation.fold[i], validation.fold[j]);
            if (folds == 4)
                assert_int_equal(validation.fold[i], trial.group[row[i]] / 10);
        }
        for (size_t f = 0; f < folds; f++)
            assert_true(in_fold[f] > 0);
        check_kept(&trial, folds, &validation);
        hinge_validation_clear(&validation);
    }
}

/* The sigmoids of a training also come from folds by groups, of which there are few. */
static void test_sigmoids_by_groups(void **state)
{
    static struct trial trial;
    struct hinge_model *by_rows, *by_groups;

    (void)state;
    for (uint64_t n = 1; n <= 10; n++) {
        struct hinge_validation validation;
        double value[MOST_ROWS], sigmoid[2];
        signed char sign[MOST_ROWS];
        uint32_t row[MOST_ROWS];
        size_t rows;

        trial_draw(&trial, 2, 1, n);
        for (uint32_t i = 0; i < 4; i++)
            trial.group[i] = i * 10;
        trial.parameters.probability = 1;
        by_rows = train(&trial.table, &trial.parameters);
        trial.parameters.row_groups = trial.table.data.x.rows;
        trial.parameters.row_group = trial.group;
        by_groups = train(&trial.table, &trial.parameters);
        assert_true(by_rows && by_groups);
        assert_true(by_rows->sigmoid[0] != by_groups->sigmoid[0]);
        validate(&trial, 4, &validation); /* as many folds as groups */
        rows = rows_of(&trial, row);
        for (size_t i = 0; i < rows; i++) {
            value[i] = validation.decision[i];
            sign[i] = trial.table.label[row[i]] == by_groups->label[0] ? 1 : -1;
        }
        sigmoid_fit(rows, value, sign, NULL, sigmoid);
        expect_near(by_groups->sigmoid[0], sigmoid[0], 1e-9 * fabs(sigmoid[0]));
        expect_near(by_groups->sigmoid[1], sigmoid[1], 1e-9 * (1 + fabs(sigmoid[1])));
        hinge_validation_clear(&validation);
        hinge_model_free(by_rows);
        hinge_model_free(by_groups);
    }
}

static void expect_refused(struct trial *trial, size_t folds, const char *message)
{
    struct hinge_error error = {HINGE_OK, ""};
    struct hinge_validation validation;
    int interrupted;

    assert_int_equal(hinge_cross_validate(&trial->table.data, &trial->parameters, folds,
                                          &trial->parameters.C, 1, NULL, &validation, &interrupted,
                                          &error),
                     HINGE_BAD_ARGUMENT);
    assert_string_equal(error.message, message);
}

static void test_groups_that_make_no_folds_are_refused(void **state)
{
    static struct trial trial;
    char message[100];

    (void)state;
    trial_draw(&trial, 2, 1, 1);
    trial.parameters.row_group = trial.group;
    trial.parameters.row_groups = 3;
    snprintf(message, sizeof message, "row_groups: 3 for %lu rows",
             (unsigned long)trial.table.data.x.rows);
    expect_refused(&trial, 2, message);
    trial.parameters.row_groups = trial.table.data.x.rows;
    for (size_t i = 0; i < MOST_ROWS; i++)
        trial.group[i] = 5;
    expect_refused(&trial, 2, "folds: not between 2 and the 1 groups of rows");
    trial.parameters.probability = 1;
    expect_refusal(&trial.table, &trial.parameters,
                   "probability: a sigmoid is fitted to two groups of rows at least, and only one "
                   "weighs more than 0: give more groups of rows a weight, or ask for no "
                   "probabilities");
    trial.parameters.probability = 0;
    trial.group[1] = 6;
    expect_refused(&trial, 3, "folds: not between 2 and the 2 groups of rows");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_kept_values_are_those_of_the_other_folds),
        cmocka_unit_test(test_nothing_is_kept_unasked),
        cmocka_unit_test(test_groups_are_held_out_together),
        cmocka_unit_test(test_sigmoids_by_groups),
        cmocka_unit_test(test_groups_that_make_no_folds_are_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
