/* test_path.c - classes to binary problems, paths over C, interruptions, starts from a model. */
#include "by_hand.h"
#include "tables.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "solver/loop/solver.h"

/* ---- Columns ------------------------------------------------------------ */

static void test_columns_are_one_against_the_rest(void **state)
{
    static struct table table, binary;

    (void)state;
    for (uint64_t seed = 0; seed < 12; seed++) {
        struct hinge_parameters parameters = parameters_default();
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

/* ---- A path over C ------------------------------------------------------ */

/* Checks that each model of a path is certified and as near the minimum as a training of its
 * own. */
static void check_path(const struct table *table, int solver, const double *C, size_t count)
{
    struct hinge_parameters parameters = parameters_default();
    struct hinge_model *path[8], *alone;
    struct hinge_error error;

    parameters.solver = solver;
    parameters.relative_gap = 1e-6;
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
        if (k == 0) /* the first one starts like a single training */
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

/* ---- Interruptions ------------------------------------------------------ */

/* Answers `answer` from pass `pass` of binary problem `problem` on. */
struct stopper {
    enum hinge_answer answer;
    size_t problem;
    uint64_t pass;
    size_t problems_seen;
    int wrong; /* 1: a progress was out of range */
};

static enum hinge_answer stop(void *context, const struct hinge_progress *progress)
{
    struct stopper *at = context;

    at->wrong |= progress->problem >= 4 || progress->problems != 4;
    at->wrong |= progress->rows != (progress->problem > at->problem ? 0 : MOST_ROWS);
    at->wrong |=
        progress->problem != at->problems_seen && progress->problem + 1 != at->problems_seen;
    at->problems_seen = progress->problem + 1;
    return progress->problem > at->problem ||
                   (progress->problem == at->problem && progress->passes >= at->pass)
               ? at->answer
               : HINGE_GO_ON;
}

/* Checks a class that was not begun and had no weights to start from. */
static void check_not_begun(const struct hinge_model *model, size_t c)
{
    const struct hinge_result *result = &model->result[c];

    for (size_t j = 0; j < width(model); j++)
        assert_true(model->weight[j * model->columns + c] == 0);
    for (size_t i = 0; model->alpha && i < MOST_ROWS; i++)
        assert_true(model->alpha[i * model->columns + c] == 0);
    assert_int_equal(result->outcome, HINGE_NOT_BEGUN);
    assert_true(isnan(result->primal) && isnan(result->dual) && isnan(result->relative_gap));
    assert_true(result->passes == 0 && result->nonzeros == 0 && result->support_vectors == 0);
}

static void test_interrupted_training_returns_every_column(void **state)
{
    static struct table table;
    struct hinge_parameters parameters = parameters_default();
    struct hinge_model *whole, *part;
    double cost[MOST_ROWS];

    (void)state;
    table_draw(&table, 4, four_labels, 12);
    for (size_t i = 0; i < MOST_ROWS; i++)
        cost[i] = 100;
    parameters.C = 100;
    parameters.relative_gap = 1e-8;
    whole = train(&table, &parameters);
    for (size_t problem = 0; problem < 4; problem++) {
        struct stopper at = {HINGE_INTERRUPT, problem, 2, 0, 0};
        struct hinge_monitor monitor = {stop, &at, NULL, 0};
        struct hinge_error error;

        at.answer = problem % 2 ? HINGE_OUT_OF_TIME : HINGE_INTERRUPT;
        part = hinge_train(&table.data, &parameters, &monitor, &error);
        assert_non_null(part);
        assert_false(at.wrong);
        for (size_t c = 0; c < 4; c++) {
            if (c > problem) {
                check_not_begun(part, c);
                continue;
            }
            check_result(&table, part, c, cost);
            assert_int_equal(part->result[c].outcome, c < problem   ? HINGE_CERTIFIED
                                                      : problem % 2 ? HINGE_TIME_LIMIT
                                                                    : HINGE_INTERRUPTED);
            assert_int_equal(same_column(whole, c, part, c), c < problem);
            if (c == problem)
                assert_int_equal(part->result[c].passes, 2);
        }
        hinge_model_free(part);
    }
    hinge_model_free(whole);
}

/* ---- Trainings that are not begun ------------------------------------------ */

enum { CLASSES = 20 };

/* Weights of every kind. For some seeds the rows of class 7 outweigh all others beyond the
 * precision of double, or only they have a weight, and in their own column their cost is 0. */
struct weights {
    double row[MOST_ROWS];
    double class[CLASSES];
    double label[CLASSES];
    double cost[CLASSES][MOST_ROWS]; /* costs of each column, in order of the labels */
};

static size_t costly_rows(const struct weights *weights, size_t problem)
{
    size_t rows = 0;

    for (size_t i = 0; i < MOST_ROWS; i++)
        rows += !weights || weights->cost[problem][i] > 0;
    return rows;
}

/* Stops binary problem `problem` before its first pass, and all later ones if `forever`. */
struct refusal {
    enum hinge_answer answer;
    size_t problem;
    int forever;
    size_t heard[CLASSES];         /* number of last calls of each problem */
    int wrong;                     /* 1: a progress showed a pass, or wrong numbers of rows */
    const struct weights *weights; /* NULL: all rows have a cost */
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
    if (progress->problem == refusal->problem || progress->rows > 0) /* 0: not begun */
        refusal->wrong |= progress->rows != costly_rows(refusal->weights, progress->problem);
    refusal->wrong |= progress->passes > 0 || progress->steps > 0 ||
                      (progress->row_visits > 0 && progress->rows == 0);
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
        if ((seed % 4 < 2 && c == 3) ||
            (seed % 8 == 7 && c < 6)) /* so column 7 has rows of one class */
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

static void table_of_many(struct table *table, uint64_t seed)
{
    double labels[CLASSES];

    for (size_t c = 0; c < CLASSES; c++)
        labels[c] = (double)c;
    table_draw(table, CLASSES, labels, seed);
}

/* When a monitor stops any class, all later classes have weights 0 and no certificate, for all
 * solvers and weights. */
static void test_classes_not_begun_say_so(void **state)
{
    static const int solvers[] = {1, 3, 2, 0, 7, 50, 60, 31, 40};
    static struct table table;
    static struct weights weights;
    size_t not_begun = 0;

    (void)state;
    for (uint64_t seed = 0; seed < 7 * 12; seed++) {
        struct hinge_parameters parameters = parameters_default();
        struct refusal refusal = {
            seed % 5 ? HINGE_OUT_OF_TIME : HINGE_INTERRUPT, seed % 4, 1, {0}, 0, &weights};
        struct hinge_monitor monitor = {refuse, &refusal, NULL, 0};
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

            assert_int_equal(refusal.heard[c], begun);
            if (c < refusal.problem)
                continue;
            if (!begun)
                check_not_begun(model, c);
            else if (outcome != HINGE_CERTIFIED) /* it was not certified before the stop */
                assert_int_equal(outcome, seed % 5 ? HINGE_TIME_LIMIT : HINGE_INTERRUPTED);
            not_begun += !begun;
            begun &= outcome == HINGE_CERTIFIED;
        }
        hinge_model_free(model);
    }
    assert_true(not_begun > 7 * 12 * 15);
}

/* If a gap of 1 is all that is asked for, alpha = 0 has it, and no class is stopped. */
static void test_classes_certified_at_once_are_begun(void **state)
{
    static struct table table;
    struct hinge_parameters parameters = parameters_default();
    struct refusal refusal = {HINGE_OUT_OF_TIME, 0, 1, {0}, 0, NULL};
    struct hinge_monitor monitor = {refuse, &refusal, NULL, 0};
    struct hinge_error error;
    struct hinge_model *model;

    (void)state;
    table_of_many(&table, 1);
    for (int turn = 0; turn < 2; turn++) {
        parameters.relative_gap = turn ? 1 : 0.999;
        model = hinge_train(&table.data, &parameters, &monitor, &error);
        assert_non_null(model);
        for (size_t c = 1; c < CLASSES; c++)
            assert_int_equal(model->result[c].outcome, turn ? HINGE_CERTIFIED : HINGE_NOT_BEGUN);
        hinge_model_free(model);
    }
}

/* If a monitor stops one class alone, all later classes are trained as usual. */
static void test_one_class_alone_may_be_stopped(void **state)
{
    static struct table table;
    struct hinge_parameters parameters = parameters_default();
    struct hinge_model *whole, *part;

    (void)state;
    table_of_many(&table, 2);
    whole = train(&table, &parameters);
    for (size_t problem = 0; problem < CLASSES; problem++) {
        struct refusal refusal = {HINGE_OUT_OF_TIME, problem, 0, {0}, 0, NULL};
        struct hinge_monitor monitor = {refuse, &refusal, NULL, 0};
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
    struct hinge_parameters parameters = parameters_default();

    (void)state;
    table_of_many(&table, 3);
    for (int turn = 0; turn < 3; turn++) { /* turn 2 interrupts classes not begun */
        struct refusal late = {HINGE_INTERRUPT, 6, 1, {0}, 0, NULL};
        struct hinge_monitor second = {refuse, &late, NULL, 0};
        struct refusal refusal = {
            turn == 1 ? HINGE_INTERRUPT : HINGE_OUT_OF_TIME, 4, 1, {0}, 0, NULL};
        struct hinge_monitor monitor = {refuse, &refusal, turn == 2 ? &second : NULL, 0};
        struct hinge_model *models[3];
        struct hinge_error error;

        assert_int_equal(hinge_train_path(&table.data, &parameters, C, 3, &monitor, models, &error),
                         HINGE_OK);
        for (size_t k = 0; k < 3; k++) {
            assert_int_equal(models[k] == NULL, turn && k > 0);
            for (size_t c = 5; models[k] && c < CLASSES; c++)
                check_not_begun(models[k], c);
            hinge_model_free(models[k]);
        }
    }
}

/* ---- Starts from a model -------------------------------------------------- */

static const int starting[] = {2, 0, 1, 3, 7, 60, 61, 42, 30, 31, 32, 33, 40, 41};

enum { STARTING = sizeof starting / sizeof *starting, CERTIFIED = 8, MODEL_FEATURES = 12 };

/* A model made by hand. */
struct start {
    struct hinge_model model; /* points into this struct */
    double label[4];
    double weight[(MODEL_FEATURES + 1) * 4];
};

/* Draws random weights. Except in turn 0, the labels are in another order than given. */
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

/* Trains one class against the rest from given weights, all rows with cost C. */
static struct hinge_result solve_from(const struct table *table,
                                      const struct hinge_parameters *parameters, double positive,
                                      const double *from, double *w)
{
    uint32_t row[MOST_ROWS];
    signed char sign[MOST_ROWS];
    double cost[MOST_ROWS];
    struct problem problem = problem_for(&table->data, parameters, row, sign, cost);

    problem.rows = (uint32_t)table->data.x.rows;
    for (uint32_t i = 0; i < table->data.x.rows; i++) {
        row[i] = i;
        sign[i] = table->label[i] == positive ? 1 : -1;
        cost[i] = parameters->C;
    }
    return solve_problem(&problem, parameters, from, w);
}

/* Classes that a monitor stops before they begin have the weights from which they would have
 * started, and no certificate. */
static void test_classes_not_begun_keep_their_start(void **state)
{
    static struct table table;
    static struct start start;

    (void)state;
    for (size_t number = 0; number < 2 * STARTING; number++) {
        struct hinge_parameters parameters = parameters_default();
        struct stopper at = {number % 2 ? HINGE_INTERRUPT : HINGE_OUT_OF_TIME, 1, 0, 0, 0};
        struct hinge_monitor monitor = {stop, &at, NULL, 0};
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
            assert_true(isnan(result->primal) && isnan(result->dual) &&
                        isnan(result->relative_gap));
            assert_int_equal(result->nonzeros, nonzeros);
            assert_int_equal(result->outcome, HINGE_NOT_BEGUN);
        }
        hinge_model_free(model);
    }
}

/* A start gives each class its weights, for any order of labels, and with more or fewer features
 * than the data. */
static void test_start_takes_the_weights_of_each_class(void **state)
{
    static const uint32_t features[] = {MOST_FEATURES, 3, MODEL_FEATURES, 0};
    static struct table table;
    static struct start start;

    (void)state;
    for (unsigned long number = 0; number < 24 * STARTING; number++) {
        struct hinge_parameters parameters = parameters_default();
        const size_t classes = number % 3 == 2 ? 4 : 2;
        const double *labels = classes == 2 && number % 2 ? four_labels + 1 : four_labels;
        struct hinge_model *model;

        parameters.solver = starting[number / 24];
        parameters.bias = number % 5 ? -1 : 0.5;
        parameters.iterations = 50;
        parameters.max_passes = 1; /* so that the start shows in the result */
        parameters.relative_gap = 1e-14;
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

/* Two trainings in turn count their steps like one with twice the steps. */
static void test_steps_count_on(void **state)
{
    static struct table table;

    (void)state;
    for (size_t s = CERTIFIED; s < STARTING; s++)
        for (size_t classes = 2; classes <= 4; classes += 2) {
            struct hinge_parameters parameters = parameters_default();
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

/* A model's steps are those of the column with the fewest steps. Rows without a cost do not count
 * in its epochs. A model without steps counts as if it had made as many as are to come. */
static void test_steps_are_those_of_the_shortest_column(void **state)
{
    static const double label[] = {7}, weight[] = {0};
    static struct table table;
    static struct start start;
    struct hinge_parameters parameters = parameters_default();

    (void)state;
    table_draw(&table, 4, four_labels, 5);
    parameters.solver = 31;
    parameters.epochs = 5;
    parameters.weights = 1;
    parameters.weight_label = label;
    parameters.weight = weight;
    for (size_t turn = 0; turn < 4; turn++) { /* each time another column has the fewest steps */
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

/* The second training starts where the first one stopped, also through a file. */
static void test_model_from_a_file_starts_as_it_did_in_memory(void **state)
{
    static struct table table;

    (void)state;
    for (size_t s = 0; s < STARTING; s++) {
        struct hinge_parameters parameters = parameters_default();
        struct hinge_model *first, *back, *one, *other;
        struct hinge_error error = {HINGE_OK, ""};

        table_draw(&table, s % 2 ? 4 : 2, four_labels, s);
        parameters.solver = starting[s];
        parameters.epochs = 2;
        parameters.relative_gap = 0.2;
        first = train(&table, &parameters);
        assert_int_equal(hinge_model_write(first, scratch_path("test_learn.model"), &error),
                         HINGE_OK);
        assert_non_null(back = hinge_model_read(scratch_path("test_learn.model"), &error));
        assert_true(back->steps == first->steps);
        parameters.relative_gap = 1e-9;
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

/* If no step improves P, the start is returned. The bias of proximal steps is best for a smoothed
 * loss, and may be worse for the loss. */
static void test_start_is_returned_where_steps_win_nothing(void **state)
{
    static const int solvers[] = {3, 61, 60, 1, 13};
    static struct table table;

    (void)state;
    for (unsigned long number = 0; number < 120; number++) {
        struct hinge_parameters parameters = parameters_default();
        struct hinge_model *first, *second;

        table_draw(&table, number % 2 ? 4 : 2, four_labels, number);
        parameters.solver = solvers[number / 2 % 5];
        parameters.C = exp2((double)(number / 10 % 6) - 3);
        parameters.bias = 1;
        parameters.free_bias = number % 3 != 0;
        parameters.relative_gap = 1e-5;
        first = train(&table, &parameters);
        parameters.relative_gap = 1e-12;
        parameters.initial = first;
        for (parameters.max_passes = 1; parameters.max_passes <= 4; parameters.max_passes++) {
            second = train(&table, &parameters);
            for (size_t c = 0; c < first->columns; c++)
                if (!(second->result[c].primal <= first->result[c].primal * (1 + 1e-9)))
                    fail_msg("-s %d, free bias %d: P %.17g after %lu passes from %.17g",
                             parameters.solver, parameters.free_bias, second->result[c].primal,
                             (unsigned long)parameters.max_passes, first->result[c].primal);
            hinge_model_free(second);
        }
        hinge_model_free(first);
    }
}

static void test_training_stopped_at_once_keeps_its_start(void **state)
{
    static const int solvers[] = {3, 61, 13};
    static struct table table;

    (void)state;
    for (unsigned long number = 0; number < 24; number++) {
        struct hinge_parameters parameters = parameters_default();
        struct stopper at = {HINGE_INTERRUPT, 0, 0, 0, 0};
        struct hinge_monitor monitor = {stop, &at, NULL, 0};
        struct hinge_error error;
        struct hinge_model *first, *second;

        table_draw(&table, 2, four_labels, number);
        parameters.solver = solvers[number % 3];
        parameters.bias = 1;
        parameters.free_bias = 1;
        parameters.relative_gap = 1e-5;
        first = train(&table, &parameters);
        parameters.relative_gap = 1e-12;
        parameters.initial = first;
        second = hinge_train(&table.data, &parameters, &monitor, &error);
        assert_non_null(second);
        assert_int_equal(second->result->outcome, HINGE_INTERRUPTED);
        assert_true(same_column(first, 0, second, 0));
        hinge_model_free(first);
        hinge_model_free(second);
    }
}

/* On a path a stochastic solver starts each training from the model. Other solvers start the first
 * training from it, and each later one where the previous one ended. */
static void test_path_from_a_model(void **state)
{
    static const double C[] = {0.3, 5, 5};
    static struct table table;
    static struct start start;

    (void)state;
    for (size_t s = 0; s < STARTING; s++) {
        struct hinge_parameters parameters = parameters_default();
        struct hinge_model *path[3];
        struct hinge_error error;

        table_draw(&table, 2, four_labels, s);
        start_draw(&start, 2, four_labels, s % 2, MOST_FEATURES, -1, s);
        parameters.solver = starting[s];
        parameters.epochs = 2;
        parameters.relative_gap = 1e-9;
        parameters.initial = &start.model;
        assert_int_equal(hinge_train_path(&table.data, &parameters, C, 3, NULL, path, &error),
                         HINGE_OK);
        for (size_t k = 0; k < 3; k++) {
            struct hinge_model *alone;

            parameters.C = C[k];
            alone = train(&table, &parameters);
            if (k == 0 || s >= CERTIFIED)
                assert_true(same_column(alone, 0, path[k], 0));
            assert_true(s >= CERTIFIED || fabs(path[k]->result->primal - alone->result->primal) <=
                                              2e-9 * alone->result->primal);
            assert_true(path[k]->steps == alone->steps);
            assert_true(parameters.solver != 2 || k < 2 || path[k]->result->steps == 0);
            hinge_model_free(alone);
            hinge_model_free(path[k]);
        }
    }
}

/* Returns |w - w'| in one column. */
static double distance(const struct hinge_model *one, const struct hinge_model *other, size_t c)
{
    double square = 0;

    for (size_t j = 0; j < width(one); j++)
        square += pow(one->weight[j * one->columns + c] - other->weight[j * one->columns + c], 2);
    return sqrt(square);
}

/* From the optimum there is nothing left to do. From any other weights, near or far, Newton's
 * method finds the same optimum: |w - w*|^2 <= 2 gap P for both. */
static void test_newton_ends_at_the_optimum_from_anywhere(void **state)
{
    static const double sizes[] = {1e-3, 1, 1e3, 1e6};
    static struct table table;
    static struct start start;

    (void)state;
    for (unsigned long number = 0; number < 60; number++) {
        struct hinge_parameters parameters = parameters_default();
        struct hinge_model *optimum, *again;

        table_draw(&table, number % 2 ? 4 : 2, four_labels, number);
        parameters.solver = 2;
        parameters.relative_gap = 1e-12;
        parameters.C = exp2((double)(number % 13) - 6);
        parameters.bias = number % 3 ? -1 : 2;
        optimum = train(&table, &parameters);
        parameters.relative_gap = 1e-9;
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

/* Returns |w - 2 sum C y x max(0, 1 - z)|, the norm of the gradient with the L2-loss and cost C. */
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

/* LIBLINEAR's rule is relative to the gradient at 0. The gradient at the start may be arbitrarily
 * large. */
static void test_newton_measures_by_the_gradient_at_zero(void **state)
{
    static const double zero[MOST_WIDTH] = {0};
    static struct table table;
    static struct start start;

    (void)state;
    for (unsigned long number = 0; number < 40; number++) {
        struct hinge_parameters parameters = parameters_default();
        struct hinge_model *model;

        table_draw(&table, 2, four_labels, number);
        start_draw(&start, 2, four_labels, number % 2, MOST_FEATURES, -1, number);
        for (size_t e = 0; e < MOST_FEATURES; e++)
            start.weight[e] *= number % 4 ? 1e5 : 1e-5;
        parameters.solver = 2;
        parameters.relative_gap = 0;
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
    struct hinge_parameters parameters = parameters_default();

    (void)state;
    table_draw(&table, 2, four_labels, 1); /* labels 2.5 and -1 */
    table_draw(&four, 4, four_labels, 1);
    parameters.solver = 31;
    parameters.initial = &start.model;
    start_draw(&start, 3, four_labels, 0, MOST_FEATURES, -1, 1);
    expect_refusal(&four, &parameters,
                   "the initial model has no class 7: new classes need a training without it");
    start_draw(&start, 2, other, 0, MOST_FEATURES, -1, 1);
    expect_refusal(&table, &parameters,
                   "the initial model has no class -1: new classes need a training without it");
    start_draw(&start, 2, twice, 0, MOST_FEATURES, -1, 1);
    expect_refusal(&table, &parameters,
                   "the initial model has no class -1: new classes need a training without it");
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
    start.model.bias = -7; /* no bias, like -1 */
    hinge_model_free(train(&table, &parameters));
}

/* A start whose weights are worse than 0 changes no bit. */
static void test_start_worse_than_0_is_left_out(void **state)
{
    static struct table table;
    static struct start start;

    (void)state;
    for (size_t s = 0; s < CERTIFIED; s++)
        for (size_t classes = 2; classes <= 4; classes += 2) {
            struct hinge_parameters parameters = parameters_default();
            struct hinge_model *alone, *started;

            table_draw(&table, classes, four_labels, s);
            start_draw(&start, classes, four_labels, s, MOST_FEATURES, 1, s);
            for (size_t e = 0; e < COUNT(start.weight); e++)
                start.weight[e] *= 1e6;
            parameters.solver = starting[s];
            parameters.bias = 1;
            alone = train(&table, &parameters);
            parameters.initial = &start.model;
            started = train(&table, &parameters);
            for (size_t c = 0; c < alone->columns; c++) {
                assert_true(same_column(alone, c, started, c));
                assert_true(alone->result[c].passes == started->result[c].passes);
            }
            hinge_model_free(alone);
            hinge_model_free(started);
        }
}

static enum hinge_answer stop_at_passes(void *context, const struct hinge_progress *progress)
{
    const uint64_t *passes = context;

    return progress->passes >= *passes ? HINGE_INTERRUPT : HINGE_GO_ON;
}

/* Stops a training half way, and lets one end. The next training starts from its model, and may
 * take most[] percent of the passes from 0. pnewton gains least. */
static void resume(const char *name)
{
    static const struct {
        int solver;
        unsigned half, end;
    } most[] = {{1, 70, 10}, {3, 70, 50}, {7, 70, 40}, {61, 100, 110}};
    const char *path = data_path(name);
    const struct hinge_format format = {0};
    struct hinge_dataset *data;
    struct hinge_error error;

    if (!path)
        skip();
    assert_non_null(data = hinge_dataset_read(path, &format, &error));
    for (size_t k = 0; k < COUNT(most); k++) {
        struct hinge_parameters parameters = parameters_default();
        struct hinge_model *whole, *half, *next;
        struct hinge_monitor monitor = {stop_at_passes, NULL, NULL, 0};
        uint64_t passes;

        parameters.solver = most[k].solver;
        assert_non_null(whole = hinge_train(data, &parameters, NULL, &error));
        passes = (whole->result->passes + 1) / 2;
        monitor.context = &passes;
        assert_non_null(half = hinge_train(data, &parameters, &monitor, &error));
        assert_int_equal(half->result->outcome, HINGE_INTERRUPTED);
        parameters.initial = half;
        assert_non_null(next = hinge_train(data, &parameters, NULL, &error));
        assert_int_equal(next->result->outcome, HINGE_CERTIFIED);
        assert_true(100 * next->result->passes <= most[k].half * whole->result->passes);
        hinge_model_free(next);
        parameters.initial = whole;
        assert_non_null(next = hinge_train(data, &parameters, NULL, &error));
        assert_int_equal(next->result->outcome, HINGE_CERTIFIED);
        assert_true(100 * next->result->passes <= most[k].end * whole->result->passes);
        hinge_model_free(next);
        hinge_model_free(half);
        hinge_model_free(whole);
    }
    hinge_dataset_free(data);
}

static void test_stopped_training_of_a9a_resumes(void **state)
{
    (void)state;
    resume("a9a");
}

static void test_stopped_training_of_w8a_resumes(void **state)
{
    (void)state;
    resume("w8a");
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
        struct hinge_parameters parameters = parameters_default();
        char message[100];
        int starts = 0;

        for (size_t k = 0; k < STARTING; k++)
            starts |= starting[k] == solver->number || solver->joint || solver->l1 > 1;
        parameters.solver = solver->number;
        parameters.initial = &start.model;
        if (solver->regression) { /* test_regression.c tests its starts */
            if (solver->starts)
                snprintf(message, sizeof message,
                         "the initial model is a classifier, the solver %s", solver->name);
            else
                snprintf(message, sizeof message, "initial: solver %s starts from no model",
                         solver->name);
            expect_refusal(&table, &parameters, message);
            continue;
        }
        if (solver->one_class) { /* test_one_class.c tests its starts */
            snprintf(message, sizeof message,
                     "the initial model is no one-class SVM, the solver %s", solver->name);
            expect_refusal(&table, &parameters, message);
            continue;
        }
        assert_int_equal(solver->starts, starts);
        snprintf(message, sizeof message, "initial: solver %s starts from no model", solver->name);
        if (starts)
            hinge_model_free(train(&table, &parameters));
        else
            expect_refusal(&table, &parameters, message);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_path_over_C_is_certified_everywhere),
        cmocka_unit_test(test_columns_are_one_against_the_rest),
        cmocka_unit_test(test_interrupted_training_returns_every_column),
        cmocka_unit_test(test_classes_not_begun_say_so),
        cmocka_unit_test(test_classes_certified_at_once_are_begun),
        cmocka_unit_test(test_one_class_alone_may_be_stopped),
        cmocka_unit_test(test_path_of_classes_not_begun),
        cmocka_unit_test(test_classes_not_begun_keep_their_start),
        cmocka_unit_test(test_start_takes_the_weights_of_each_class),
        cmocka_unit_test(test_steps_count_on),
        cmocka_unit_test(test_steps_are_those_of_the_shortest_column),
        cmocka_unit_test(test_model_from_a_file_starts_as_it_did_in_memory),
        cmocka_unit_test(test_start_is_returned_where_steps_win_nothing),
        cmocka_unit_test(test_training_stopped_at_once_keeps_its_start),
        cmocka_unit_test(test_path_from_a_model),
        cmocka_unit_test(test_newton_ends_at_the_optimum_from_anywhere),
        cmocka_unit_test(test_newton_measures_by_the_gradient_at_zero),
        cmocka_unit_test(test_unfit_models_are_no_start),
        cmocka_unit_test(test_start_worse_than_0_is_left_out),
        cmocka_unit_test(test_stopped_training_of_a9a_resumes),
        cmocka_unit_test(test_stopped_training_of_w8a_resumes),
        cmocka_unit_test(test_only_some_solvers_start_from_a_model),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
