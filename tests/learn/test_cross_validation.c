/* test_cross_validation.c - compares cross-validation with trainings on copies of the rows; its
 * monitors and their stops; the least C that is worth a try. */
#include "by_hand.h"
#include "support.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "learn/folds.h"
#include "learn/path.h"
#include "solver/loop/solver.h"

enum { MOST_ROWS = 64, MOST_FEATURES = 6, MOST_CLASSES = 8, MOST_C = 4 };

/* ---- Data ---------------------------------------------------------------- */

struct table {
    struct hinge_dataset data; /* points into this struct */
    size_t start[MOST_ROWS + 1];
    uint32_t index[MOST_ROWS * MOST_FEATURES];
    double value[MOST_ROWS * MOST_FEATURES];
    double label[MOST_ROWS];
};

static void table_clear(struct table *table)
{
    memset(table, 0, sizeof *table);
    table->data = (struct hinge_dataset){.x = {.start = table->start,
                                               .index_kind = HINGE_INDEX_32,
                                               .value_kind = HINGE_VALUE_DOUBLE,
                                               .index = table->index,
                                               .value = table->value},
                                         .features = MOST_FEATURES,
                                         .label = table->label};
}

static void table_add(struct table *table, const double *x, double label)
{
    struct hinge_dataset *data = &table->data;

    assert_true(data->x.rows < MOST_ROWS);
    table->label[data->x.rows++] = label;
    for (uint32_t j = 0; j < MOST_FEATURES; j++)
        if (x[j] != 0) {
            table->index[data->x.nonzeros] = j;
            table->value[data->x.nonzeros++] = x[j];
        }
    table->start[data->x.rows] = data->x.nonzeros;
}

/* Draws random rows, each class around a point of its own. The first 2 * classes rows have two rows
 * of each class. */
static void table_draw(struct table *table, size_t rows, size_t classes, const double *label,
                       uint64_t seed)
{
    uint64_t state = UINT64_C(0x9e3779b97f4a7c15) * (seed + 1);

    table_clear(table);
    for (size_t i = 0; i < rows; i++) {
        const size_t c = i < 2 * classes ? (seed + i * i) % classes : draw_below(&state, classes);
        double x[MOST_FEATURES];

        for (size_t j = 0; j < MOST_FEATURES; j++) {
            const double centre = (double)((c + 1) * (j + 3) % 7) / 7 - 0.5;
            const double at = random_unit(&state) + random_unit(&state) - 1 + centre;

            x[j] = random_unit(&state) < 0.7 ? at : 0;
        }
        table_add(table, x, label[i < 2 * classes ? i % classes : c]);
    }
}

static void table_copy(struct table *copy, const struct table *table, const uint32_t *row,
                       size_t rows)
{
    table_clear(copy);
    for (size_t k = 0; k < rows; k++) {
        double x[MOST_FEATURES] = {0};

        for (size_t e = table->start[row[k]]; e < table->start[row[k] + 1]; e++)
            x[table->index[e]] = table->value[e];
        table_add(copy, x, table->label[row[k]]);
    }
}

static const double labels_of[][MOST_CLASSES] = {
    {1, -1}, {-1, 1}, {7, 2, 4.5}, {0, 3, -2, 9}, {5, 6}};
static const size_t classes_of[] = {2, 2, 3, 4, 2};

enum { KINDS = 5 };

static void table_kind(struct table *table, size_t rows, unsigned long number)
{
    table_draw(table, rows, classes_of[number % KINDS], labels_of[number % KINDS], number);
}

/* ---- Cross-validation by copies ------------------------------------------- */

/* The data of a validation, and the fold of each row. */
struct trial {
    const struct table *table;
    struct hinge_parameters parameters;
    size_t folds;
    struct classes classes;
    size_t rows;
    uint32_t row[MOST_ROWS];
    uint32_t fold[MOST_ROWS];
};

static void trial_begin(struct trial *trial, const struct table *table,
                        const struct hinge_parameters *parameters, size_t folds)
{
    struct hinge_error error = {HINGE_OK, ""};

    *trial = (struct trial){.table = table, .parameters = *parameters, .folds = folds};
    assert_int_equal(classes_find(&trial->classes, &table->data, &error), HINGE_OK);
    for (uint32_t i = 0; i < table->data.x.rows; i++)
        if (parameters->row_weights == 0 || parameters->row_weight[i] != 0)
            trial->row[trial->rows++] = i;
    assert_int_equal(split_folds(trial->row, trial->rows, trial->classes.of_row,
                                 trial->classes.count, folds, parameters->seed, trial->fold,
                                 &error),
                     HINGE_OK);
}

static void train_path_without(const struct trial *trial, size_t fold, const double *C,
                               size_t count, struct hinge_model **model)
{
    static struct table copy;
    struct hinge_parameters parameters = trial->parameters;
    struct hinge_error error = {HINGE_OK, ""};
    double weight[MOST_ROWS];
    uint32_t row[MOST_ROWS];
    size_t rows = 0;

    for (size_t i = 0; i < trial->rows; i++)
        if (trial->fold[i] != fold) {
            if (parameters.row_weights > 0)
                weight[rows] = parameters.row_weight[trial->row[i]];
            row[rows++] = trial->row[i];
        }
    table_copy(&copy, trial->table, row, rows);
    if (parameters.row_weights > 0) {
        parameters.row_weights = rows;
        parameters.row_weight = weight;
    }
    parameters.C = *C;
    if (count == 1)
        *model = hinge_train(&copy.data, &parameters, NULL, &error); /* also with lambda */
    else
        assert_int_equal(hinge_train_path(&copy.data, &parameters, C, count, NULL, model, &error),
                         HINGE_OK);
    if (!*model)
        fail_msg("%s", error.message);
}

static struct hinge_model *train_without(const struct trial *trial, size_t fold, double C)
{
    struct hinge_model *model;

    train_path_without(trial, fold, &C, 1, &model);
    return model;
}

static double decision_for(const struct trial *trial, const struct hinge_model *model, uint32_t row,
                           double label)
{
    const struct hinge_dataset *data = &trial->table->data;
    const struct problem one =
        problem_for(&trial->table->data, &trial->parameters, &row, NULL, NULL);
    const size_t count = data->x.start[row + 1] - data->x.start[row];
    const struct hinge_row shown = {1, 0, count, trial->table->index + data->x.start[row],
                                    trial->table->value + data->x.start[row]};
    double w[MOST_FEATURES + 1], decision, all[MOST_CLASSES];
    size_t c = 0;

    while (model->label[c] != label)
        assert_true(++c < model->classes);
    for (size_t j = 0; j < problem_width(&one); j++)
        w[j] = model->columns > 1 ? model->weight[j * model->columns + c]
               : c == 0           ? model->weight[j]
                                  : -model->weight[j];
    decision = problem_decision(&one, 0, w);
    hinge_decision_values(model, &shown, all);
    assert_true(fabs((model->columns > 1 ? all[c]
                      : c                ? -all[0]
                                         : all[0]) -
                     decision) <= 1e-13 * (1 + fabs(decision)));
    return decision;
}

static void check_row(const struct trial *trial, const struct hinge_model *model, size_t i,
                      const struct hinge_predictions *predictions)
{
    const struct classes *classes = &trial->classes;
    double best = decision_for(trial, model, trial->row[i], classes->label[0]);
    size_t predicted = classes->count == 2 && !(best > 0) ? 1 : 0;

    for (size_t c = 1; c < classes->count && classes->count > 2; c++) {
        const double decision = decision_for(trial, model, trial->row[i], classes->label[c]);

        if (decision > best) {
            best = decision;
            predicted = c;
        }
    }
    assert_true(predictions->label[predictions->given[i]] == trial->table->label[trial->row[i]]);
    if (predictions->predicted[i] != predicted || predictions->decision[i] != best)
        fail_msg("-s %d, row %lu: class %lu by %.17g, not %lu by %.17g", trial->parameters.solver,
                 (unsigned long)trial->row[i], (unsigned long)predictions->predicted[i],
                 predictions->decision[i], (unsigned long)predicted, best);
}

/* Adds what a fold's model contributes to the report on all trainings. */
static void note_model(const struct hinge_model *model, struct hinge_validation *expected)
{
    for (size_t c = 0; c < model->columns; c++) {
        const struct hinge_result *result = &model->result[c];

        expected->certified += result->outcome == HINGE_CERTIFIED;
        expected->relative_gap = expected->trainings++
                                     ? fmax(expected->relative_gap, result->relative_gap)
                                     : result->relative_gap;
    }
}

static void check_validation(const struct trial *trial, double C,
                             const struct hinge_validation *validation)
{
    const struct hinge_predictions *predictions = validation->predictions;
    struct hinge_validation expected = {0};

    assert_int_equal(predictions->rows, trial->rows);
    assert_int_equal(validation->folds, trial->folds);
    assert_memory_equal(validation->fold, trial->fold, trial->rows * sizeof *trial->fold);
    assert_int_equal(predictions->classes, trial->classes.count);
    assert_memory_equal(predictions->label, trial->classes.label,
                        trial->classes.count * sizeof(double));
    for (size_t fold = 0; fold < trial->folds; fold++) {
        struct hinge_model *model = train_without(trial, fold, C);

        note_model(model, &expected);
        for (size_t i = 0; i < trial->rows; i++)
            if (trial->fold[i] == fold)
                check_row(trial, model, i, predictions);
        hinge_model_free(model);
    }
    assert_int_equal(validation->trainings, expected.trainings);
    assert_int_equal(validation->certified, expected.certified);
    assert_true(isnan(expected.relative_gap) ? isnan(validation->relative_gap)
                                             : validation->relative_gap == expected.relative_gap);
}

static void validate(const struct table *table, const struct hinge_parameters *parameters,
                     size_t folds, const double *C, size_t count,
                     const struct hinge_monitor *monitor, struct hinge_validation *validation)
{
    struct hinge_error error = {HINGE_OK, ""};
    int interrupted = -1;

    if (hinge_cross_validate(&table->data, parameters, folds, C, count, monitor, validation,
                             &interrupted, &error))
        fail_msg("%s", error.message);
    assert_int_equal(interrupted, 0);
}

static void check_against_copies(const struct table *table,
                                 const struct hinge_parameters *parameters, size_t folds)
{
    struct hinge_validation validation;
    struct trial trial;

    trial_begin(&trial, table, parameters, folds);
    validate(table, parameters, folds, &parameters->C, 1, NULL, &validation);
    assert_true(parameters->lambda > 0 || validation.C == parameters->C);
    check_validation(&trial, parameters->C, &validation);
    hinge_validation_clear(&validation);
    assert_null(validation.predictions);
    classes_free(&trial.classes);
}

static const int solvers[] = {1, 3, 2, 60, 61, 31, 30, 41, 0, 7};

enum { SOLVERS = sizeof solvers / sizeof *solvers };

static struct hinge_parameters parameters_for(unsigned long number)
{
    struct hinge_parameters parameters = parameters_default();

    parameters.solver = solvers[number / KINDS % SOLVERS];
    parameters.seed = number;
    parameters.C = exp2((double)(number % 7) - 3);
    parameters.bias = number % 3 ? -1 : 0.5 * (double)(number % 4);
    parameters.epochs = 3;
    parameters.single_method = 1; /* a change of method depends on the size of the whole data */
    return parameters;
}

/* Returns parameters of a solver whose models need sigmoids for probabilities. */
static struct hinge_parameters sigmoid_parameters_for(unsigned long number)
{
    struct hinge_parameters parameters = parameters_for(number);

    parameters.probability = 1;
    if (strstr(hinge_solver_find(parameters.solver)->model_name, "_LR"))
        parameters.solver = 1;
    return parameters;
}

static void test_folds_are_predicted_by_models_of_the_others(void **state)
{
    static struct table table;

    (void)state;
    for (unsigned long number = 0; number < 6 * KINDS * SOLVERS; number++) {
        const struct hinge_parameters parameters = parameters_for(number);
        const size_t rows = 20 + number % 20;

        table_kind(&table, rows, number);
        check_against_copies(&table, &parameters, number % 11 ? 2 + number % 6 : rows);
    }
}

/* With class weights, balanced classes, row weights (some of them 0) and lambda, each fold has its
 * own total weight, so its own C and its own balance. */
static void test_weights_are_those_of_the_rows_trained_on(void **state)
{
    static struct table table;
    uint64_t random = 3;

    (void)state;
    for (unsigned long number = 0; number < 12 * KINDS * SOLVERS; number++) {
        struct hinge_parameters parameters = parameters_for(number);
        const double *label = labels_of[number % KINDS];
        const double class_label[] = {label[1], label[0], 77, label[1]};
        const double class_weight[] = {3, 0.25, 1000, 0.7};
        double row_weight[MOST_ROWS];

        table_kind(&table, 40, number);
        for (size_t i = 0; i < MOST_ROWS; i++) /* the first 16 have all classes */
            row_weight[i] = i >= 16 && random_unit(&random) < 0.3 ? 0 : 0.1 + random_unit(&random);
        parameters.weights = number % 2 ? 1 + number % 4 : 0;
        parameters.weight_label = class_label;
        parameters.weight = class_weight;
        parameters.balanced = number / 2 % 2;
        parameters.row_weights = number / 4 % 2 ? table.data.x.rows : 0;
        parameters.row_weight = row_weight;
        parameters.lambda = number / 8 % 2 ? 0.01 : 0;
        check_against_copies(&table, &parameters, 2 + number % 7);
    }
}

static void test_every_fold_starts_from_the_initial_model(void **state)
{
    static struct table table;

    (void)state;
    for (unsigned long number = 0; number < 2 * KINDS * SOLVERS; number++) {
        struct hinge_parameters parameters = parameters_for(number);
        struct hinge_error error = {HINGE_OK, ""};
        struct hinge_model *model;

        if (!hinge_solver_find(parameters.solver)->starts)
            continue;
        table_kind(&table, 40, number);
        assert_non_null(model = hinge_train(&table.data, &parameters, NULL, &error));
        parameters.initial = model;
        check_against_copies(&table, &parameters, 4);
        hinge_model_free(model);
    }
}

static void test_rows_of_weight_zero_count_for_nothing(void **state)
{
    static struct table table, changed;
    struct hinge_parameters parameters = parameters_default();
    struct hinge_validation one, other;
    double weight[MOST_ROWS];

    (void)state;
    for (unsigned long number = 0; number < 10; number++) {
        table_kind(&table, 50, number);
        changed = table;
        changed.data.x.start = changed.start;
        changed.data.x.index = changed.index;
        changed.data.x.value = changed.value;
        changed.data.label = changed.label;
        for (size_t i = 0; i < 50; i++) {
            weight[i] = i % 3 || i < 16;
            for (size_t e = table.start[i]; e < table.start[i + 1] && weight[i] == 0; e++)
                changed.value[e] = 1000 - table.value[e];
            if (weight[i] == 0)
                changed.label[i] = table.label[0];
        }
        parameters.row_weight = weight;
        parameters.row_weights = 50;
        validate(&table, &parameters, 5, &parameters.C, 1, NULL, &one);
        validate(&changed, &parameters, 5, &parameters.C, 1, NULL, &other);
        assert_int_equal(one.predictions->rows, 39);
        assert_int_equal(other.predictions->rows, 39);
        assert_memory_equal(one.predictions->decision, other.predictions->decision,
                            39 * sizeof(double));
        assert_memory_equal(one.predictions->predicted, other.predictions->predicted,
                            39 * sizeof(uint32_t));
        hinge_validation_clear(&one);
        hinge_validation_clear(&other);
    }
}

/* ---- A class with one row --------------------------------------------------- */

/* Computes w for one class against the others on the rows outside the fold, all with cost C. */
static void solve_without(const struct trial *trial, size_t fold, size_t c, double *w)
{
    const struct hinge_parameters *parameters = &trial->parameters;
    uint32_t row[MOST_ROWS] = {0};
    signed char sign[MOST_ROWS] = {0};
    double cost[MOST_ROWS] = {0};
    struct problem problem = problem_for(&trial->table->data, parameters, row, sign, cost);

    for (size_t i = 0; i < trial->rows; i++)
        if (trial->fold[i] != fold) {
            row[problem.rows] = trial->row[i];
            sign[problem.rows] = trial->classes.of_row[trial->row[i]] == c ? 1 : -1;
            cost[problem.rows++] = parameters->C;
        }
    solve_problem(&problem, parameters, NULL, w);
}

/* Lists the classes of the rows outside the fold. Returns their number. */
static size_t classes_without(const struct trial *trial, size_t fold, size_t *seen)
{
    size_t count = 0;

    for (size_t c = 0; c < trial->classes.count; c++)
        for (size_t i = 0; i < trial->rows; i++)
            if (trial->fold[i] != fold && trial->classes.of_row[trial->row[i]] == c) {
                seen[count++] = c;
                break;
            }
    return count;
}

/* The fold of the only row of a class predicts by a model without this class. */
static void check_single_row(const struct table *table, const struct hinge_parameters *parameters)
{
    struct hinge_validation validation;
    struct trial trial;
    size_t trainings = 0, seen[MOST_ROWS];

    trial_begin(&trial, table, parameters, 3);
    validate(table, parameters, 3, &parameters->C, 1, NULL, &validation);
    for (size_t fold = 0; fold < 3; fold++) {
        const size_t count = classes_without(&trial, fold, seen);

        trainings += count > 2 ? count : count - 1;
    }
    assert_int_equal(validation.trainings, trainings);
    for (size_t i = 0; i < trial.rows; i++) {
        const struct hinge_predictions *predictions = validation.predictions;
        const struct problem one = problem_for(&table->data, parameters, &trial.row[i], NULL, NULL);
        const size_t count = classes_without(&trial, trial.fold[i], seen);
        double best = -INFINITY, w[MOST_FEATURES + 1];
        size_t predicted = 0;

        for (size_t s = 0; s < count && count != 2; s++) {
            double decision = 0;

            if (count > 1) {
                solve_without(&trial, trial.fold[i], seen[s], w);
                decision = problem_decision(&one, 0, w);
            }
            predicted = decision > best ? s : predicted;
            best = fmax(best, decision);
        }
        if (count == 2) {
            solve_without(&trial, trial.fold[i], seen[0], w);
            best = problem_decision(&one, 0, w);
            predicted = best > 0 ? 0u : 1u;
        }
        assert_int_equal(predictions->predicted[i], seen[predicted]);
        if (count == 2 && trial.classes.count > 2)
            best = fabs(best);
        if (count == 1 && trial.classes.count == 2)
            best = seen[0] == 0 ? INFINITY : -INFINITY;
        assert_true(predictions->decision[i] == best);
    }
    hinge_validation_clear(&validation);
    classes_free(&trial.classes);
}

static void test_class_of_one_row_is_held_out_once(void **state)
{
    static struct table table;

    (void)state;
    for (unsigned long number = 0; number < KINDS * SOLVERS; number++) {
        const double *label = labels_of[number % KINDS];
        struct hinge_parameters parameters = parameters_for(number);

        table_kind(&table, 20, number);
        for (size_t i = 0; i < 20; i++)
            if (table.label[i] == label[1])
                table.label[i] = label[0];
        table.label[number % 20] = label[1];
        check_single_row(&table, &parameters);
    }
}

/* ---- A path over C ----------------------------------------------------------- */

static const double path_of_C[MOST_C] = {0.02, 0.5, 30, 2};

static void expect_same(const struct hinge_validation *one, const struct hinge_validation *other)
{
    const size_t rows = one->predictions->rows;

    assert_int_equal(one->trainings, other->trainings);
    assert_int_equal(other->predictions->rows, rows);
    assert_memory_equal(one->predictions->decision, other->predictions->decision,
                        rows * sizeof(double));
    assert_memory_equal(one->predictions->predicted, other->predictions->predicted,
                        rows * sizeof(uint32_t));
    assert_memory_equal(one->predictions->given, other->predictions->given,
                        rows * sizeof(uint32_t));
}

/* Checks that each C of a path has the result of a single validation, to the last bit. */
static void check_path(const struct table *table, const struct hinge_parameters *parameters,
                       const struct hinge_validation *path, size_t count)
{
    for (size_t k = 0; k < count; k++) {
        struct hinge_validation alone;

        validate(table, parameters, 4, &path_of_C[k], 1, NULL, &alone);
        assert_true(path[k].C == path_of_C[k] && alone.C == path_of_C[k]);
        expect_same(&path[k], &alone);
        hinge_validation_clear(&alone);
    }
}

static void test_each_C_is_as_alone(void **state)
{
    static const int dual[] = {1, 3, 2, 60, 61};
    static struct table table;

    (void)state;
    for (unsigned long number = 0; number < 5 * KINDS; number++) {
        struct hinge_parameters parameters = parameters_for(number);
        struct hinge_validation path[MOST_C];

        parameters.solver = dual[number / KINDS];
        parameters.single_method = 0;
        parameters.relative_gap = 1e-10;
        table_kind(&table, 40, number);
        validate(&table, &parameters, 4, path_of_C, MOST_C, NULL, path);
        for (size_t k = 0; k < MOST_C; k++) {
            const size_t classes = path[k].predictions->classes;

            assert_int_equal(path[k].trainings, 4 * (classes == 2 ? 1 : classes));
            assert_int_equal(path[k].certified, path[k].trainings);
            assert_true(path[k].relative_gap >= 0 && path[k].relative_gap <= 1e-10);
        }
        check_path(&table, &parameters, path, MOST_C);
        for (size_t k = 0; k < MOST_C; k++)
            hinge_validation_clear(&path[k]);
    }
}

static long double loss_at(int solver, double C, long double margin)
{
    const long double t = margin < 1 ? 1 - margin : 0;

    return solver == 7 ? C * logl(1 + expl(-margin)) : solver == 3 ? C * t : C * t * t;
}

static long double conjugate_at(int solver, double C, long double alpha)
{
    const long double p = alpha / C;

    if (solver == 7)
        return C * ((p > 0 ? p * logl(p) : 0) + (p < 1 ? (1 - p) * logl(1 - p) : 0));
    return solver == 3 ? -alpha : alpha * alpha / (4 * C) - alpha;
}

/* The share of the losses equals the share in models of copies, and bounds the gap of a model at
 * any larger C. */
static void test_losses_bound_the_gap_at_larger_C(void **state)
{
    static struct table table;
    int tight = 0;

    (void)state;
    for (unsigned long number = 0; number < 60; number++) {
        struct hinge_parameters parameters = parameters_default();
        struct hinge_validation validation;
        struct trial trial;
        double largest = 0;

        parameters.solver = number % 3 == 0 ? 1 : number % 3 == 1 ? 3 : 7;
        parameters.single_method = 1;
        parameters.keep_alpha = 1;
        parameters.C = exp2((double)(number % 20) - 6);
        parameters.relative_gap = 1e-6;
        table_draw(&table, 30, 2, labels_of[0], number);
        trial_begin(&trial, &table, &parameters, 3);
        validate(&table, &parameters, 3, &parameters.C, 1, NULL, &validation);
        for (size_t fold = 0; fold < 3; fold++) {
            struct hinge_model *model = train_without(&trial, fold, parameters.C);
            long double square = 0, primal[3] = {0}, dual[3] = {0};
            size_t trained = 0;
            double losses;

            for (size_t j = 0; j < MOST_FEATURES; j++)
                square += (long double)model->weight[j] * model->weight[j];
            for (size_t i = 0; i < trial.rows; i++) {
                long double margin = 0;

                if (trial.fold[i] == fold)
                    continue;
                for (size_t e = table.start[i]; e < table.start[i + 1]; e++)
                    margin += (long double)table.value[e] * model->weight[table.index[e]];
                margin *= table.label[i];
                for (int k = 0; k < 3; k++) {
                    const double C = parameters.C * (k == 0 ? 1 : k == 1 ? 2 : 9);

                    primal[k] += loss_at(parameters.solver, C, margin);
                    dual[k] += conjugate_at(parameters.solver, C, model->alpha[trained]);
                }
                trained++;
            }
            losses = (double)(primal[0] / (primal[0] + square / 2));
            largest = fmax(largest, losses);
            for (int k = 1; k < 3; k++) {
                const double ratio = k == 1 ? 2 : 9;
                const double gap =
                    (double)((primal[k] + square + dual[k]) / (primal[k] + square / 2));

                assert_true(gap <= model->result->relative_gap + (ratio - 1) * losses + 1e-12);
                tight += gap > (ratio - 1) * losses / 20;
            }
            hinge_model_free(model);
        }
        assert_true(fabs(validation.losses - largest) <= 1e-9);
        hinge_validation_clear(&validation);
        classes_free(&trial.classes);
    }
    assert_true(tight > 60);
}

/* Checks that decision values of two trainings, both within the gap of the minimum, are near. P is
 * strongly convex, so |w - w*|^2 <= 2 (P(w) - P(w*)) <= 2 gap P(0). */
static void expect_near(const struct table *table, const struct hinge_parameters *parameters,
                        const struct hinge_validation *one, const struct hinge_validation *other,
                        double gap)
{
    assert_int_equal(one->trainings, other->trainings);
    assert_int_equal(one->predictions->rows, table->data.x.rows);
    assert_int_equal(other->predictions->rows, table->data.x.rows);
    for (uint32_t i = 0; i < table->data.x.rows; i++) {
        const struct problem row = problem_for(&table->data, parameters, &i, NULL, NULL);
        const double most = other->C * (double)table->data.x.rows * problem_square(&row, 0);
        const double change = one->predictions->decision[i] - other->predictions->decision[i];

        assert_true(fabs(change) <= 2 * sqrt(2 * gap * most));
        assert_int_equal(one->predictions->given[i], other->predictions->given[i]);
    }
}

/* If a second-order method takes over, the bits differ from those of copies, but decision values
 * are near those of coordinate descent. */
static void test_engines_predict_as_coordinate_descent(void **state)
{
    static struct table table;

    (void)state;
    for (unsigned long number = 0; number < 2 * KINDS; number++) {
        struct hinge_parameters parameters = parameters_for(number);
        struct hinge_validation plain, engine;

        parameters.solver = number / KINDS ? 3 : 1;
        parameters.relative_gap = 1e-10;
        table_kind(&table, 40, number);
        validate(&table, &parameters, 5, &parameters.C, 1, NULL, &plain);
        parameters.single_method = 0;
        validate(&table, &parameters, 5, &parameters.C, 1, NULL, &engine);
        assert_int_equal(engine.certified, engine.trainings);
        expect_near(&table, &parameters, &engine, &plain, 1e-10);
        hinge_validation_clear(&plain);
        hinge_validation_clear(&engine);
    }
}

static void test_stochastic_path_is_of_single_trainings(void **state)
{
    static struct table table;

    (void)state;
    for (unsigned long number = 0; number < 3 * KINDS; number++) {
        struct hinge_parameters parameters = parameters_for(number);
        struct hinge_validation path[MOST_C];

        parameters.solver = solvers[5 + number / KINDS];
        table_kind(&table, 40, number);
        validate(&table, &parameters, 4, path_of_C, MOST_C, NULL, path);
        check_path(&table, &parameters, path, MOST_C);
        for (size_t k = 0; k < MOST_C; k++) {
            assert_int_equal(path[k].certified, 0);
            assert_true(isnan(path[k].relative_gap));
            hinge_validation_clear(&path[k]);
        }
    }
}

static void test_uncertified_trainings_are_not_counted(void **state)
{
    static struct table table;
    struct hinge_parameters parameters = parameters_default();
    struct hinge_validation validation;

    (void)state;
    table_kind(&table, 60, 2);
    parameters.C = 1000;
    parameters.single_method = 1;
    parameters.max_passes = 1;
    validate(&table, &parameters, 5, &parameters.C, 1, NULL, &validation);
    assert_int_equal(validation.trainings, 15);
    assert_int_equal(validation.certified, 0);
    assert_true(validation.relative_gap > HINGE_DEFAULT_GAP);
    hinge_validation_clear(&validation);
    parameters.max_passes = 0; /* only eps is met, which certifies nothing */
    parameters.relative_gap = 0;
    parameters.eps = 1;
    validate(&table, &parameters, 5, &parameters.C, 1, NULL, &validation);
    assert_int_equal(validation.certified, 0);
    assert_true(validation.relative_gap > HINGE_DEFAULT_GAP);
    hinge_validation_clear(&validation);
}

/* ---- Monitors ---------------------------------------------------------------- */

/* A monitor of all trainings of a validation, which answers at one of them. */
struct listener {
    size_t folds;
    size_t columns;
    const double *label; /* [columns] labels of the positive classes; NULL: not checked */
    const double *C;
    size_t count;
    size_t ended; /* number of ended trainings, in the order C, fold, column */
    enum hinge_answer answer;
    size_t at;       /* number of the training at which it gives `answer` */
    int forever;     /* 1: also at all later trainings */
    double gap;      /* gap that the trainings must reach */
    int asked;       /* 1: `answer` was given in the current training before its end */
    int ended_by_it; /* 1: `answer` has ended a training */
    size_t fold;     /* fold of the ended training, counted over all C */
    int behind;      /* 1: a training of a later fold has begun after it */
};

/* Returns the answer of a monitor, which may end a training. The clock does not cut short a
 * training that is certified, and an answer to a finished training comes too late. */
static enum hinge_answer answer_at(struct listener *listener, size_t number,
                                   const struct hinge_progress *progress)
{
    const size_t fold = number / listener->columns;
    const int chosen = number == listener->at || (number > listener->at && listener->forever);

    if (progress->last) {
        listener->ended_by_it |= listener->asked && (listener->answer == HINGE_INTERRUPT ||
                                                     !(progress->relative_gap <= listener->gap));
        listener->asked = 0;
    } else {
        listener->asked |= chosen;
    }
    listener->behind |= listener->ended_by_it && fold > listener->fold;
    if (!listener->ended_by_it)
        listener->fold = fold;
    return chosen ? listener->answer : HINGE_GO_ON;
}

static enum hinge_answer hear(void *context, const struct hinge_progress *progress)
{
    struct listener *listener = context;
    size_t k = 0, number;

    while (k < listener->count && listener->C[k] != progress->C)
        k++;
    assert_true(k < listener->count);
    assert_int_equal(progress->folds, listener->folds);
    assert_true(progress->fold < listener->folds && progress->problem < listener->columns);
    assert_int_equal(progress->problems, listener->columns);
    if (listener->label)
        assert_true(progress->positive == listener->label[progress->problem]);
    number = (k * listener->folds + progress->fold) * listener->columns + progress->problem;
    if (listener->answer < HINGE_OUT_OF_TIME)
        assert_int_equal(number, listener->ended);
    listener->ended += progress->last != 0;
    return answer_at(listener, number, progress);
}

static void test_monitors_hear_fold_and_C(void **state)
{
    static struct table table;

    (void)state;
    for (unsigned long number = 0; number < KINDS * SOLVERS; number++) {
        struct hinge_parameters parameters = parameters_for(number);
        struct listener listener = {.folds = 3 + number % 3, .C = path_of_C, .count = MOST_C};
        const struct hinge_monitor monitor = {hear, &listener, NULL, 0};
        struct hinge_validation validation[MOST_C];
        struct trial trial;

        table_kind(&table, 30, number);
        trial_begin(&trial, &table, &parameters, listener.folds);
        listener.columns = trial.classes.count == 2 ? 1 : trial.classes.count;
        listener.label = trial.classes.label;
        validate(&table, &parameters, listener.folds, path_of_C, MOST_C, &monitor, validation);
        assert_int_equal(listener.ended, listener.folds * listener.columns * MOST_C);
        for (size_t k = 0; k < MOST_C; k++)
            hinge_validation_clear(&validation[k]);
        classes_free(&trial.classes);
    }
}

/* With lambda, monitors see the C that follows from lambda in each fold. */
static enum hinge_answer hear_lambda(void *context, const struct hinge_progress *progress)
{
    const struct trial *trial = context;
    size_t trained = 0;

    for (size_t i = 0; i < trial->rows; i++)
        trained += trial->fold[i] != progress->fold;
    assert_true(progress->C == 1 / (0.03 * (double)trained));
    return HINGE_GO_ON;
}

static void test_monitors_hear_the_C_of_lambda(void **state)
{
    static struct table table;
    struct hinge_parameters parameters = parameters_default();
    struct hinge_validation validation;
    struct trial trial;
    const struct hinge_monitor monitor = {hear_lambda, &trial, NULL, 0};

    (void)state;
    table_kind(&table, 31, 2);
    parameters.lambda = 0.03;
    trial_begin(&trial, &table, &parameters, 4);
    validate(&table, &parameters, 4, &parameters.C, 1, &monitor, &validation);
    hinge_validation_clear(&validation);
    classes_free(&trial.classes);
}

static enum hinge_answer expect_no_fold(void *context, const struct hinge_progress *progress)
{
    (void)context;
    assert_true(progress->fold == 0 && progress->folds == 0 && progress->C == 0.25);
    return HINGE_GO_ON;
}

static void test_plain_training_has_no_fold(void **state)
{
    static struct table table;
    const struct hinge_monitor monitor = {expect_no_fold, NULL, NULL, 0};
    struct hinge_error error;

    (void)state;
    table_kind(&table, 30, 0);
    for (size_t s = 0; s < SOLVERS; s++) {
        struct hinge_parameters parameters = parameters_default();

        parameters.solver = solvers[s];
        parameters.C = 0.25;
        hinge_model_free(hinge_train(&table.data, &parameters, &monitor, &error));
    }
}

static void check_part(const struct hinge_validation *part, const struct hinge_validation *whole,
                       size_t folds)
{
    const struct hinge_predictions *all = whole->predictions;
    size_t row = 0;

    assert_true((part->predictions == NULL) == (folds == 0));
    assert_true((part->fold == NULL) == (folds == 0));
    assert_int_equal(part->folds, folds);
    for (size_t i = 0; i < all->rows && folds > 0; i++) {
        if (whole->fold[i] >= folds)
            continue;
        assert_int_equal(part->fold[row], whole->fold[i]);
        assert_int_equal(part->predictions->given[row], all->given[i]);
        assert_int_equal(part->predictions->predicted[row], all->predicted[i]);
        assert_true(part->predictions->decision[row] == all->decision[i]);
        row++;
    }
    if (folds > 0)
        assert_int_equal(part->predictions->rows, row);
}

/* Checks that a monitor that ends any training ends the validation: no more fold begins, and only
 * the complete folds have results. */
static void check_stopped(const struct table *table, const struct hinge_parameters *parameters,
                          struct listener *listener, const struct hinge_validation *whole)
{
    const struct hinge_monitor monitor = {hear, listener, NULL, 0};
    struct hinge_validation validation[MOST_C];
    struct hinge_error error = {HINGE_OK, ""};
    size_t trainings = 0;
    int interrupted = 0;

    memset(validation, 0xff, sizeof validation);
    assert_int_equal(hinge_cross_validate(&table->data, parameters, listener->folds, listener->C,
                                          listener->count, &monitor, validation, &interrupted,
                                          &error),
                     HINGE_OK);
    assert_int_equal(interrupted, listener->ended_by_it);
    for (size_t k = 0; k < listener->count; k++) {
        const size_t before = k * listener->folds, complete = listener->fold;

        check_part(&validation[k], &whole[k],
                   !interrupted || complete >= before + listener->folds ? listener->folds
                   : complete > before                                  ? complete - before
                                                                        : 0);
        trainings += validation[k].trainings;
        hinge_validation_clear(&validation[k]);
    }
    assert_false(listener->behind);
    assert_int_equal(trainings, listener->ended); /* all trainings that had begun */
}

static void test_any_training_can_be_stopped(void **state)
{
    static struct table table;
    int stopped = 0, all = 0;

    (void)state;
    for (unsigned long number = 0; number < KINDS * SOLVERS; number += 3) {
        const size_t columns = classes_of[number % KINDS] == 2 ? 1 : classes_of[number % KINDS];
        struct hinge_parameters parameters = parameters_for(number);
        struct hinge_validation whole[3];

        parameters.relative_gap = 1e-12;
        table_kind(&table, 24, number);
        validate(&table, &parameters, 3, path_of_C, 3, NULL, whole);
        for (size_t at = 0; at < 3 * columns * 3; at++)
            for (int how = 0; how < 4; how++) {
                struct listener listener = {.folds = 3,
                                            .columns = columns,
                                            .C = path_of_C,
                                            .count = 3,
                                            .answer = how % 2 ? HINGE_INTERRUPT : HINGE_OUT_OF_TIME,
                                            .at = at,
                                            .forever = how / 2,
                                            .gap = parameters.relative_gap};

                check_stopped(&table, &parameters, &listener, whole);
                stopped += listener.ended_by_it;
                all++;
            }
        for (size_t k = 0; k < 3; k++)
            hinge_validation_clear(&whole[k]);
    }
    assert_true(stopped > all * 0.95);
}

/* ---- Repeated validations ------------------------------------------------------- */

static int same_predictions(const struct hinge_validation *one,
                            const struct hinge_validation *other)
{
    const size_t rows = one->predictions->rows;

    assert_int_equal(other->predictions->rows, rows);
    return memcmp(one->predictions->decision, other->predictions->decision,
                  rows * sizeof(double)) == 0 &&
           memcmp(one->predictions->predicted, other->predictions->predicted,
                  rows * sizeof(uint32_t)) == 0;
}

/* The same seed gives the same bits, also if results are measured at each checkpoint. Another seed
 * gives other bits. */
static void test_same_seed_same_predictions(void **state)
{
    static struct table table;

    (void)state;
    for (unsigned long number = 0; number < KINDS * SOLVERS; number++) {
        struct hinge_parameters parameters = parameters_for(number);
        struct listener listener = {
            .folds = 4, .C = path_of_C, .count = 2, .answer = HINGE_MEASURE, .forever = 1};
        const struct hinge_monitor monitor = {hear, &listener, NULL, 0};
        struct hinge_validation first[2], again[2], other[2];

        listener.columns = classes_of[number % KINDS] == 2 ? 1 : classes_of[number % KINDS];
        table_kind(&table, 40, number);
        validate(&table, &parameters, 4, path_of_C, 2, NULL, first);
        validate(&table, &parameters, 4, path_of_C, 2, &monitor, again);
        parameters.seed++;
        validate(&table, &parameters, 4, path_of_C, 2, NULL, other);
        for (size_t k = 0; k < 2; k++) {
            assert_true(same_predictions(&first[k], &again[k]));
            assert_false(same_predictions(&first[k], &other[k]));
            hinge_validation_clear(&first[k]);
            hinge_validation_clear(&again[k]);
            hinge_validation_clear(&other[k]);
        }
    }
}

/* ---- Refusals ------------------------------------------------------------------ */

static void expect_refusal(const struct table *table, const struct hinge_parameters *parameters,
                           size_t folds, const double *C, size_t count, enum hinge_status status,
                           const char *message)
{
    struct hinge_validation validation[MOST_C];
    struct hinge_error error = {HINGE_OK, ""};
    int interrupted = -1;

    memset(validation, 0xff, sizeof validation);
    assert_int_equal(hinge_cross_validate(&table->data, parameters, folds, C, count, NULL,
                                          validation, &interrupted, &error),
                     status);
    assert_int_equal(error.status, status);
    assert_string_equal(error.message, message);
    assert_int_equal(interrupted, 0);
    for (size_t k = 0; k < count; k++)
        assert_null(validation[k].predictions);
}

/* Rows with weight 0 are in no fold, so they do not count for the largest number of folds. */
static void test_folds_out_of_range_are_refused(void **state)
{
    static const size_t wrong[] = {0, 1, 13, 14, SIZE_MAX};
    static struct table table;
    struct hinge_parameters parameters = parameters_default();
    struct hinge_validation validation;
    double weight[MOST_ROWS];

    (void)state;
    table_kind(&table, 12, 0);
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++)
        expect_refusal(&table, &parameters, wrong[k], path_of_C, 2, HINGE_BAD_ARGUMENT,
                       "folds: not between 2 and the 12 rows");
    check_against_copies(&table, &parameters, 12);
    check_against_copies(&table, &parameters, 2);
    for (size_t i = 0; i < 12; i++)
        weight[i] = i != 3 && i != 11;
    parameters.row_weights = 12;
    parameters.row_weight = weight;
    expect_refusal(&table, &parameters, 11, path_of_C, 1, HINGE_BAD_ARGUMENT,
                   "folds: not between 2 and the 10 rows");
    validate(&table, &parameters, 10, path_of_C, 1, NULL, &validation);
    hinge_validation_clear(&validation);
}

static void test_what_training_refuses_is_refused(void **state)
{
    static const double bad[] = {1, 1e200, 1}, nothing[] = {NAN};
    static struct table table;
    struct hinge_parameters parameters = parameters_default();
    char message[128];

    (void)state;
    table_kind(&table, 12, 0);
    expect_refusal(
        &table, &parameters, 3, bad, 3, HINGE_BAD_ARGUMENT,
        "the cost of a row, C times its weights, is 1e+200: not between 1e-100 and 1e100");
    /* the sign of a NaN depends on the compiler */
    snprintf(message, sizeof message,
             "the cost of a row, C times its weights, is %g: not between 1e-100 and 1e100",
             nothing[0]);
    expect_refusal(&table, &parameters, 3, nothing, 1, HINGE_BAD_ARGUMENT, message);
    parameters.relative_gap = -1;
    expect_refusal(&table, &parameters, 3, path_of_C, 2, HINGE_BAD_ARGUMENT,
                   "relative_gap: not a finite number of at least 0");
    parameters = parameters_default();
    for (size_t i = 0; i < 12; i++)
        table.label[i] = 4;
    expect_refusal(&table, &parameters, 3, path_of_C, 2, HINGE_BAD_INPUT,
                   "all rows have the label 4: a classifier needs two classes");
}

/* ---- Where to begin -------------------------------------------------------------- */

/* Returns the largest y_i <w, x_i> of any row in any column. */
static double largest_margin(const struct table *table, const struct hinge_parameters *parameters,
                             double C)
{
    struct hinge_parameters changed = *parameters;
    struct hinge_error error = {HINGE_OK, ""};
    struct hinge_model *model;
    double largest = -INFINITY;

    changed.C = C;
    if (!(model = hinge_train(&table->data, &changed, NULL, &error)))
        fail_msg("C %g: %s", C, error.message);
    for (uint32_t i = 0; i < table->data.x.rows; i++)
        for (size_t c = 0; c < model->columns; c++) {
            double z = 0;

            for (size_t e = table->start[i]; e < table->start[i + 1]; e++)
                z += table->value[e] * model->weight[table->index[e] * model->columns + c];
            if (model->bias >= 0)
                z += model->bias * model->weight[model->features * model->columns + c];
            largest = fmax(largest, table->label[i] == model->label[c] ? z : -z);
        }
    hinge_model_free(model);
    return largest;
}

static void expect_power_of_two(double C)
{
    int exponent;

    if (!(C >= 1e-100 && C <= 1 && frexp(C, &exponent) == 0.5))
        fail_msg("%.17g is no power of 2 from 1e-100 to 1", C);
}

static double least_C(const struct hinge_dataset *data, const struct hinge_parameters *parameters)
{
    struct hinge_error error = {HINGE_OK, ""};
    const double C = hinge_least_C(data, parameters, &error);

    assert_int_equal(error.status, HINGE_OK);
    return C;
}

/* The values are so large that the reciprocals of their sums are 0. */
static void test_least_C_of_huge_values(void **state)
{
    static const double value[] = {1e308, -1e308, 1e307, 1}, label[] = {1, -1, 1, -1};
    struct hinge_parameters parameters = parameters_default();
    struct hinge_error error;
    struct hinge_dataset *data = hinge_view_dense(4, 1, value, HINGE_VALUE_DOUBLE, label, &error);

    (void)state;
    assert_non_null(data);
    for (int solver = 5; solver <= 6; solver++) {
        parameters.solver = solver;
        expect_power_of_two(least_C(data, &parameters));
    }
    hinge_view_free(data);
}

/* Checks that every row has a loss at the least C. */
static void check_least_C(const struct table *table, const struct hinge_parameters *parameters)
{
    const double C = least_C(&table->data, parameters);

    expect_power_of_two(C);
    if (!(largest_margin(table, parameters, C) < 1))
        fail_msg("-s %d, bias %g, %lu class weights: a row has no loss at C %g", parameters->solver,
                 parameters->bias, (unsigned long)parameters->weights, C);
}

/* Draws features of all sizes, rows with few of them, all classes in one direction, or a bias
 * larger than all features. */
static void table_unlike(struct table *table, unsigned long number, uint64_t *random)
{
    table_kind(table, 16 + draw_below(random, 40), number);
    for (size_t e = 0; e < table->data.x.nonzeros; e++)
        table->value[e] = number % 3 == 0 ? table->value[e] * exp2((double)(number % 13) - 6)
                                          : fabs(table->value[e]) * 10;
}

static void test_every_row_has_a_loss_at_the_least_C(void **state)
{
    static const int dual[] = {1, 3, 2, 60, 61, 0, 7};
    static struct table table;
    uint64_t random = 9;

    (void)state;
    for (unsigned long number = 0; number < 600; number++) {
        const double *label = labels_of[number % KINDS];
        struct hinge_parameters parameters = parameters_default();
        const double class_label[] = {label[0], label[1], 77};
        const double class_weight[] = {number % 4 ? 50 : 0.01, 7, 1};
        double row_weight[MOST_ROWS];

        table_unlike(&table, number, &random);
        for (size_t i = 0; i < MOST_ROWS; i++)
            row_weight[i] =
                exp2(floor(6 * random_unit(&random) - 2)) * (random_unit(&random) < 0.9);
        row_weight[0] = row_weight[1] = 40;
        parameters.solver = dual[number / 5 % COUNT(dual)];
        parameters.relative_gap = 1e-9;
        parameters.bias = number % 4 ? -1 : random_unit(&random) * 20;
        parameters.weights = number / 2 % 4;
        parameters.weight_label = class_label;
        parameters.weight = class_weight;
        parameters.balanced = number / 8 % 2;
        parameters.row_weights = number / 16 % 2 ? table.data.x.rows : 0;
        parameters.row_weight = row_weight;
        check_least_C(&table, &parameters);
    }
}

/* Rows are on two points x and -x, with weights 1. Up to z = 1, z = C m |x|^2. So the least C is
 * near 1/(m |x|^2), and at eight times the least C no row has a loss. */
static void test_least_C_is_not_needlessly_small(void **state)
{
    static struct table table;

    (void)state;
    for (size_t rows = 2; rows <= MOST_ROWS; rows++)
        for (int power = -3; power < 10; power++) {
            struct hinge_parameters parameters = parameters_default();
            double x[MOST_FEATURES] = {0}, C;

            parameters.solver = 3;
            parameters.relative_gap = 1e-12;
            table_clear(&table);
            for (size_t i = 0; i < rows; i++) {
                x[1] = (i % 2 ? 1 : -1) * exp2(power);
                table_add(&table, x, i % 2 ? 1 : -1);
            }
            C = least_C(&table.data, &parameters);
            expect_power_of_two(C);
            if (C < 1)
                assert_true(8 * C * (double)rows * exp2(2 * power) >= 1.999);
            check_least_C(&table, &parameters);
            if (C <= 0.125)
                assert_true(largest_margin(&table, &parameters, 8 * C) > 0.999);
            for (parameters.solver = 0; parameters.solver <= 7; parameters.solver += 7) {
                assert_true(least_C(&table.data, &parameters) == fmin(2 * C, 1));
                check_least_C(&table, &parameters);
            }
        }
}

/* Targets are 5 at x and -5 at -x, so z = C |x|^2 times the sum of weights. At the least C, z is at
 * most a tenth of |target| - epsilon. */
static void test_least_C_of_the_absolute_loss(void **state)
{
    static struct table table;
    double weight[MOST_ROWS], all = 0;

    (void)state;
    table_clear(&table);
    for (size_t rows = 1; rows <= MOST_ROWS; rows++) {
        struct hinge_parameters parameters = parameters_default();
        const double x = exp2((double)(rows % 7) - 3), sign = rows % 2 ? 1 : -1;
        double C;

        weight[rows - 1] = 1 + (double)(rows % 3);
        all += weight[rows - 1];
        table_add(&table, (double[MOST_FEATURES]){0, sign}, 5 * sign);
        for (size_t i = 0; i < rows; i++)
            table.value[i] = copysign(x, table.value[i]);
        parameters.solver = 13;
        parameters.epsilon = 1;
        parameters.row_weights = rows;
        parameters.row_weight = weight;
        C = least_C(&table.data, &parameters);
        expect_power_of_two(C);
        assert_true(C * all * x * x <= 0.4);
        assert_true(C == 1 || C * all * x * x > 0.2);
    }
}

/* A label whose weight is given twice has the product of both. */
static void test_least_C_knows_weights_that_multiply(void **state)
{
    static const double label[] = {1, 1, 1}, weight[] = {4, 3, 8};
    static struct table table;
    struct hinge_parameters parameters = parameters_default();
    double x[MOST_FEATURES] = {1};

    (void)state;
    table_clear(&table);
    for (size_t i = 0; i < 32; i++) {
        x[0] = i ? 1 : -1;
        table_add(&table, x, i ? 1 : -1);
    }
    parameters.solver = 3;
    parameters.weights = 3;
    parameters.weight_label = label;
    parameters.weight = weight;
    check_least_C(&table, &parameters);
}

/* Makes eight rows on two points x and -x. */
static void table_pair(struct table *table, double size)
{
    double x[MOST_FEATURES] = {0};

    table_clear(table);
    for (size_t i = 0; i < 8; i++) {
        x[0] = i % 2 ? size : -size;
        table_add(table, x, i % 2 ? 1 : -1);
    }
}

/* Even if every C in the range of the parameters is too large, the least C is a power of 2. */
static void test_least_C_of_large_features(void **state)
{
    static const double sizes[] = {1e10, 1e40, 1e49}, larger[] = {1e60, 1e100, 1e150};
    static struct table table;
    struct hinge_parameters parameters = parameters_default();

    (void)state;
    for (size_t k = 0; k < 3; k++) {
        table_pair(&table, sizes[k]);
        check_least_C(&table, &parameters);
    }
    for (size_t k = 0; k < 3; k++) {
        table_pair(&table, larger[k]);
        assert_true(least_C(&table.data, &parameters) <= 1e-99);
        expect_power_of_two(least_C(&table.data, &parameters));
    }
}

/* The square of a row is a double, but its product with the number of rows overflows. The least C
 * must be small, not 1/2. */
static void test_least_C_of_squares_at_the_edge_of_double(void **state)
{
    static struct table table;
    struct hinge_parameters parameters = parameters_default();

    (void)state;
    table_pair(&table, 1e154);
    assert_true(least_C(&table.data, &parameters) <= 1e-99);
}

/* Squares of features range from below the least double to above the largest. */
static void test_least_C_falls_as_features_grow(void **state)
{
    static struct table table;
    struct hinge_parameters parameters = parameters_default();
    double before = 1;

    (void)state;
    for (int power = -1070; power <= 1020; power += 5) {
        double C;

        table_pair(&table, ldexp(1, power));
        C = least_C(&table.data, &parameters);
        expect_power_of_two(C);
        if (!(C <= before))
            fail_msg("%g at features of 2^%d, and %g before", C, power, before);
        before = C;
    }
    assert_true(before < 1e-99);
}

static void test_least_C_without_features_is_one(void **state)
{
    static struct table table;
    struct hinge_parameters parameters = parameters_default();
    double x[MOST_FEATURES] = {0};

    (void)state;
    table_clear(&table);
    for (size_t i = 0; i < 4; i++)
        table_add(&table, x, i % 2 ? 1 : -1);
    assert_true(least_C(&table.data, &parameters) == 1);
    parameters.bias = 0;
    assert_true(least_C(&table.data, &parameters) == 1);
    table.data.features = 0;
    assert_true(least_C(&table.data, &parameters) == 1);
    parameters.bias = 1;
    check_least_C(&table, &parameters);
    assert_true(least_C(&table.data, &parameters) == 0.125);
    parameters.bias = 1e-3; /* with small features, the least C is at most 1 */
    assert_true(least_C(&table.data, &parameters) == 1);
}

/* True if at C the weights of all features are 0, and the bias, too, if it is not free. */
static int solution_is_zero(const struct table *table, const struct hinge_parameters *parameters,
                            double C)
{
    struct hinge_parameters changed = *parameters;
    struct hinge_error error = {HINGE_OK, ""};
    struct hinge_model *model;
    size_t width;
    int zero = 1;

    changed.C = C;
    if (!(model = hinge_train(&table->data, &changed, NULL, &error)))
        fail_msg("C %g: %s", C, error.message);
    width = model->features + (model->bias >= 0 && !parameters->free_bias);
    for (size_t k = 0; k < width * model->columns; k++)
        zero &= model->weight[k] == 0;
    hinge_model_free(model);
    return zero;
}

/* Checks, with |w|_1, that the solution at the least C is not 0, and at half of it is 0. */
static void check_least_beside_zero(const struct table *table,
                                    const struct hinge_parameters *parameters)
{
    const double C = least_C(&table->data, parameters);

    expect_power_of_two(C);
    if (!solution_is_zero(table, parameters, C / 2) ||
        (C < 1 && solution_is_zero(table, parameters, C)))
        fail_msg("-s %d, bias %g, free %d: %g is not the least C", parameters->solver,
                 parameters->bias, parameters->free_bias, C);
}

static void test_least_C_beside_the_sum_of_weights(void **state)
{
    static struct table table;
    uint64_t random = 4;

    (void)state;
    for (unsigned long number = 0; number < 480; number++) {
        const double *label = labels_of[number % KINDS];
        struct hinge_parameters parameters = parameters_default();
        const double class_weight[] = {3, 0.5};
        double row_weight[MOST_ROWS];

        table_unlike(&table, number, &random);
        for (size_t i = 0; i < MOST_ROWS; i++)
            row_weight[i] = i < 16 ? 1 : (double)(i % 5);
        parameters.solver = number / 2 % 2 ? 6 : 5;
        parameters.relative_gap = 1e-9;
        parameters.bias = number % 3 ? 1 : -1;
        parameters.free_bias = number % 3 == 2;
        parameters.weights = number / 3 % 3;
        parameters.weight_label = label;
        parameters.weight = class_weight;
        parameters.balanced = number / 8 % 2;
        parameters.row_weights = number / 16 % 2 ? table.data.x.rows : 0;
        parameters.row_weight = row_weight;
        check_least_beside_zero(&table, &parameters);
    }
}

/* There is one long row in one class, and four rows in the other. The best bias at w = 0 is far
 * from 0. At w = 0 and b = 0 the sum of the rows is 0, which would give the solution 0 at any C. */
static void test_least_C_is_at_the_best_free_bias(void **state)
{
    static struct table table;
    struct hinge_parameters parameters = parameters_default();
    double x[MOST_FEATURES] = {4000};

    (void)state;
    table_clear(&table);
    table_add(&table, x, 1);
    x[0] = 1000;
    for (size_t i = 0; i < 4; i++)
        table_add(&table, x, -1);
    parameters.bias = 1;
    parameters.free_bias = 1;
    parameters.solver = 5; /* threshold 1/9600 */
    assert_true(least_C(&table.data, &parameters) == 0x1p-13);
    check_least_beside_zero(&table, &parameters);
    parameters.solver = 6; /* threshold 1/2400 */
    assert_true(least_C(&table.data, &parameters) == 0x1p-11);
    check_least_beside_zero(&table, &parameters);
}

/* If the rows of one class have weight 0, a free bias alone leaves no loss. */
static void test_least_C_of_one_class_that_weighs_nothing(void **state)
{
    static const double label[] = {-1}, weight[] = {0};
    static struct table table;
    struct hinge_parameters parameters = parameters_default();

    (void)state;
    table_pair(&table, 64);
    parameters.bias = 1;
    parameters.free_bias = 1;
    parameters.weights = 1;
    parameters.weight_label = label;
    parameters.weight = weight;
    for (parameters.solver = 5; parameters.solver <= 6; parameters.solver++) {
        assert_true(least_C(&table.data, &parameters) == 1);
        assert_true(solution_is_zero(&table, &parameters, 100));
    }
}

/* ---- Probabilities -------------------------------------------------------- */

/* Fits sigmoids to the decision values of each fold by a model of all other rows. */
static void fit_by_copies(const struct trial *trial, double *sigmoid)
{
    const struct hinge_parameters *parameters = &trial->parameters;
    const size_t classes = trial->classes.count;
    double decision[MOST_CLASSES][MOST_ROWS], weight[MOST_ROWS];
    signed char sign[MOST_ROWS];

    for (size_t fold = 0; fold < trial->folds; fold++) {
        struct hinge_model *model = train_without(trial, fold, parameters->C);

        for (size_t i = 0; i < trial->rows; i++)
            for (size_t c = 0; c < classes && trial->fold[i] == fold; c++)
                decision[c][i] = decision_for(trial, model, trial->row[i], trial->classes.label[c]);
        hinge_model_free(model);
    }
    for (size_t c = 0; c < (classes == 2 ? 1 : classes); c++) {
        for (size_t i = 0; i < trial->rows; i++) {
            sign[i] = trial->classes.of_row[trial->row[i]] == c ? 1 : -1;
            weight[i] = parameters->row_weights ? parameters->row_weight[trial->row[i]] : 1;
        }
        sigmoid_fit(trial->rows, decision[c], sign, weight, sigmoid + 2 * c);
    }
}

static struct hinge_model *train(const struct table *table,
                                 const struct hinge_parameters *parameters,
                                 const struct hinge_monitor *monitor)
{
    struct hinge_error error = {HINGE_OK, ""};
    struct hinge_model *model = hinge_train(&table->data, parameters, monitor, &error);

    if (!model)
        fail_msg("%s", error.message);
    return model;
}

/* Sigmoids are fitted to the rows left out: with weights, with an initial model that the folds do
 * not start from, and with few rows. */
static void test_sigmoids_are_fitted_to_rows_left_out(void **state)
{
    static struct table table;
    uint64_t random = 9;

    (void)state;
    for (unsigned long number = 0; number < 6 * KINDS * SOLVERS; number++) {
        struct hinge_parameters parameters = sigmoid_parameters_for(number), plain;
        struct hinge_model *model, *without;
        double sigmoid[2 * MOST_CLASSES], row_weight[MOST_ROWS];
        struct trial trial;

        table_kind(&table, number % 7 ? 30 + number % 20 : 10, number);
        for (size_t i = 0; i < MOST_ROWS; i++)
            row_weight[i] = i >= 16 && random_unit(&random) < 0.3 ? 0 : 0.1 + random_unit(&random);
        parameters.row_weights = number % 2 ? table.data.x.rows : 0;
        parameters.row_weight = row_weight;
        plain = parameters;
        plain.probability = 0;
        without = train(&table, &plain, NULL);
        assert_null(without->sigmoid);
        model = train(&table, &parameters, NULL);
        assert_non_null(model->sigmoid);
        assert_int_equal(model->uncalibrated, 0);
        assert_memory_equal(model->weight, without->weight,
                            (model->features + (model->bias >= 0)) * model->columns *
                                sizeof(double));
        trial_begin(&trial, &table, &plain, 5);
        fit_by_copies(&trial, sigmoid);
        assert_memory_equal(model->sigmoid, sigmoid, 2 * model->columns * sizeof(double));
        if (hinge_solver_find(parameters.solver)->starts) {
            hinge_model_free(model);
            parameters.initial = without;
            model = train(&table, &parameters, NULL);
            assert_memory_equal(model->sigmoid, sigmoid, 2 * model->columns * sizeof(double));
        }
        hinge_model_free(model);
        hinge_model_free(without);
        classes_free(&trial.classes);
    }
}

/* Each model of a path has the sigmoid of a single training at its C. */
static void test_sigmoids_of_a_path(void **state)
{
    static struct table table;
    struct hinge_parameters parameters = parameters_for(0);
    const double C[] = {0.1, 1, 10};
    struct hinge_error error = {HINGE_OK, ""};
    struct hinge_model *models[3];

    (void)state;
    table_kind(&table, 40, 3);
    parameters.probability = 1;
    assert_int_equal(hinge_train_path(&table.data, &parameters, C, 3, NULL, models, &error),
                     HINGE_OK);
    for (size_t k = 0; k < 3; k++) {
        struct hinge_model *one;

        parameters.C = C[k];
        one = train(&table, &parameters, NULL);
        assert_memory_equal(one->sigmoid, models[k]->sigmoid, 2 * one->columns * sizeof(double));
        hinge_model_free(one);
        hinge_model_free(models[k]);
    }
}

static void test_logistic_regression_needs_no_sigmoid(void **state)
{
    static struct table table;
    const struct hinge_monitor monitor = {expect_no_fold, NULL, NULL, 0};

    (void)state;
    for (int solver = 0; solver <= 7; solver += 7) {
        struct hinge_parameters parameters = parameters_default();
        struct hinge_model *model;

        table_kind(&table, 40, 1);
        parameters.solver = solver;
        parameters.C = 0.25;
        parameters.probability = 1;
        model = train(&table, &parameters, &monitor);
        assert_null(model->sigmoid);
        assert_int_equal(model->uncalibrated, 0);
        assert_int_equal(hinge_has_probabilities(model), 1);
        hinge_model_free(model);
    }
}

/* A monitor that stops the trainings of folds, or the training before them, after some questions.
 */
struct stopper {
    enum hinge_answer answer;
    int in_folds;
    unsigned long left;
    unsigned long heard;
};

static enum hinge_answer stop_later(void *context, const struct hinge_progress *progress)
{
    struct stopper *stopper = context;

    assert_true(progress->folds == 0 || progress->folds == 5);
    if ((progress->folds > 0) != stopper->in_folds)
        return HINGE_GO_ON;
    return stopper->heard++ < stopper->left ? HINGE_GO_ON : stopper->answer;
}

/* The weights of a model whose folds were stopped are complete. A stop after the last fold has no
 * effect. */
static void test_stopped_folds_leave_no_sigmoid(void **state)
{
    static const enum hinge_answer answers[] = {HINGE_INTERRUPT, HINGE_OUT_OF_TIME};
    static struct table table;
    unsigned long cut_short[2] = {0, 0};

    (void)state;
    for (unsigned long number = 0; number < KINDS * SOLVERS; number++) {
        struct hinge_parameters parameters = sigmoid_parameters_for(number);

        table_kind(&table, 40, number);
        for (unsigned long k = 0; k < 10; k++) {
            struct stopper stopper = {answers[k % 2], k > 1, 3 * (k / 2), 0};
            const struct hinge_monitor monitor = {stop_later, &stopper, NULL, 0};
            struct hinge_model *model = train(&table, &parameters, &monitor);
            int cut = 0;

            for (size_t c = 0; c < model->columns; c++)
                cut |= model->result[c].outcome == HINGE_INTERRUPTED ||
                       model->result[c].outcome == HINGE_TIME_LIMIT;
            if (stopper.in_folds)
                assert_int_equal(cut, 0);
            if (cut)
                assert_null(model->sigmoid);
            if (stopper.heard <= stopper.left)
                assert_non_null(model->sigmoid);
            assert_int_equal(model->uncalibrated, model->sigmoid == NULL);
            assert_int_equal(hinge_has_probabilities(model), model->sigmoid != NULL);
            cut_short[stopper.in_folds] += model->sigmoid == NULL;
            hinge_model_free(model);
        }
    }
    assert_true(cut_short[0] > 40 && cut_short[1] > 200);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_folds_are_predicted_by_models_of_the_others),
        cmocka_unit_test(test_weights_are_those_of_the_rows_trained_on),
        cmocka_unit_test(test_every_fold_starts_from_the_initial_model),
        cmocka_unit_test(test_rows_of_weight_zero_count_for_nothing),
        cmocka_unit_test(test_class_of_one_row_is_held_out_once),
        cmocka_unit_test(test_each_C_is_as_alone),
        cmocka_unit_test(test_losses_bound_the_gap_at_larger_C),
        cmocka_unit_test(test_engines_predict_as_coordinate_descent),
        cmocka_unit_test(test_stochastic_path_is_of_single_trainings),
        cmocka_unit_test(test_uncertified_trainings_are_not_counted),
        cmocka_unit_test(test_monitors_hear_fold_and_C),
        cmocka_unit_test(test_monitors_hear_the_C_of_lambda),
        cmocka_unit_test(test_plain_training_has_no_fold),
        cmocka_unit_test(test_any_training_can_be_stopped),
        cmocka_unit_test(test_same_seed_same_predictions),
        cmocka_unit_test(test_folds_out_of_range_are_refused),
        cmocka_unit_test(test_what_training_refuses_is_refused),
        cmocka_unit_test(test_every_row_has_a_loss_at_the_least_C),
        cmocka_unit_test(test_least_C_is_not_needlessly_small),
        cmocka_unit_test(test_least_C_of_the_absolute_loss),
        cmocka_unit_test(test_least_C_knows_weights_that_multiply),
        cmocka_unit_test(test_least_C_of_large_features),
        cmocka_unit_test(test_least_C_of_huge_values),
        cmocka_unit_test(test_least_C_of_squares_at_the_edge_of_double),
        cmocka_unit_test(test_least_C_falls_as_features_grow),
        cmocka_unit_test(test_least_C_without_features_is_one),
        cmocka_unit_test(test_least_C_beside_the_sum_of_weights),
        cmocka_unit_test(test_least_C_is_at_the_best_free_bias),
        cmocka_unit_test(test_least_C_of_one_class_that_weighs_nothing),
        cmocka_unit_test(test_sigmoids_are_fitted_to_rows_left_out),
        cmocka_unit_test(test_sigmoids_of_a_path),
        cmocka_unit_test(test_logistic_regression_needs_no_sigmoid),
        cmocka_unit_test(test_stopped_folds_leave_no_sigmoid),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
