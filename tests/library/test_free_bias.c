/* test_free_bias.c - trainings with a free bias: the certificate recomputed in long double from the
 * model and alpha, on random problems of every shape; passes alone; moved features; a single
 * class. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support.h"

enum { MOST_ROWS = 400, MOST_FEATURES = 120 };

static const int numbers[] = {0, 1, 2, 3, 7, 60, 61};
static const int with_passes[] = {1, 3, 7, 12, 13};

enum shape { EVEN, LONG, WIDE, TWINS, ZEROS, SEPARABLE, OFFSET, RARE, SHAPES };

struct sample {
    struct hinge_dataset data;
    size_t start[MOST_ROWS + 1];
    uint32_t index[MOST_ROWS * MOST_FEATURES];
    double value[MOST_ROWS * MOST_FEATURES];
    double label[MOST_ROWS];
    double row_weight[MOST_ROWS];
    double class_label[2];
    double class_weight[2];
    struct hinge_parameters parameters;
};

/* Draws a row. The shape of twins sometimes repeats the last row, with any label. */
static void draw_row(struct sample *sample, size_t i, size_t features, enum shape shape,
                     uint64_t *random)
{
    const size_t first = sample->start[i];
    size_t at = first;
    double side = -0.3;

    for (size_t j = 0; j < features; j++) {
        const double value = 2 * random_unit(random) - 1 + (shape == OFFSET ? 30 : 0);

        if ((shape == ZEROS && i % 3 == 0) || random_unit(random) < 0.3)
            continue;
        sample->index[at] = (uint32_t)j;
        sample->value[at++] = value;
        side += j % 2 ? value : -value;
    }
    if (shape == TWINS && i > 0 && i % 2) {
        const size_t before = sample->start[i - 1], count = first - before;

        memcpy(sample->index + first, sample->index + before, count * sizeof *sample->index);
        memcpy(sample->value + first, sample->value + before, count * sizeof *sample->value);
        at = first + count;
    }
    sample->start[i + 1] = at;
    sample->label[i] = (side > 0) != (shape != SEPARABLE && random_unit(random) < 0.2) ? 1 : -1;
    if (shape == RARE)
        sample->label[i] = random_unit(random) < 0.05 ? 1 : -1;
}

static void draw(struct sample *sample, unsigned long number)
{
    static const double C[] = {1e-6, 1e-2, 1, 100, 1e6};
    const enum shape shape = (enum shape)(number % SHAPES);
    uint64_t random = number + 1;
    const size_t rows = shape == LONG   ? MOST_ROWS
                        : shape == WIDE ? 12 + draw_below(&random, 30)
                                        : 10 + draw_below(&random, 100);
    const size_t features = shape == LONG   ? 1 + draw_below(&random, 6)
                            : shape == WIDE ? MOST_FEATURES
                                            : 1 + draw_below(&random, 20);

    memset(sample, 0, sizeof *sample);
    for (size_t i = 0; i < rows; i++) {
        draw_row(sample, i, features, shape, &random);
        sample->row_weight[i] = draw_below(&random, 8) == 0 ? 0 : exp2(4 * random_unit(&random));
    }
    sample->label[0] = 1;
    sample->label[1] = -1;
    sample->row_weight[0] = sample->row_weight[1] = 1;
    sample->data = (struct hinge_dataset){.x = {.rows = rows,
                                                .nonzeros = sample->start[rows],
                                                .start = sample->start,
                                                .index_kind = HINGE_INDEX_32,
                                                .value_kind = HINGE_VALUE_DOUBLE,
                                                .index = sample->index,
                                                .value = sample->value},
                                          .features = (uint32_t)features,
                                          .label = sample->label};
    sample->class_label[0] = 1;
    sample->class_label[1] = -1;
    sample->class_weight[0] = number % 2 ? 1 : 0.25 + 4 * random_unit(&random);
    sample->class_weight[1] = 1;
    sample->parameters = parameters_default();
    sample->parameters.C = C[number / SHAPES % COUNT(C)];
    sample->parameters.bias = 1;
    sample->parameters.free_bias = 1;
    sample->parameters.keep_alpha = 1;
    sample->parameters.weights = 2;
    sample->parameters.weight_label = sample->class_label;
    sample->parameters.weight = sample->class_weight;
    if (number % 3 == 0) {
        sample->parameters.row_weights = rows;
        sample->parameters.row_weight = sample->row_weight;
    }
}

/* ---- P and D, by the formulas ------------------------------------------- */

static long double cost_of(const struct sample *sample, size_t i)
{
    const long double own =
        (long double)sample->parameters.C * sample->class_weight[sample->label[i] < 0];

    return sample->parameters.row_weights > 0 ? own * sample->row_weight[i] : own;
}

static int is_squared(int solver)
{
    return solver == 1 || solver == 2 || solver == 12;
}

static int is_regression(int solver)
{
    return solver == 12 || solver == 13;
}

static long double loss_of(const struct sample *sample, long double z)
{
    const int solver = sample->parameters.solver;
    const long double slack = is_regression(solver)
                                  ? fmaxl(fabsl(z) - (long double)sample->parameters.epsilon, 0)
                                  : fmaxl(1 - z, 0);

    if (solver == 0 || solver == 7)
        return z > 0 ? log1pl(expl(-z)) : log1pl(expl(z)) - z;
    return is_squared(solver) ? slack * slack : slack;
}

/* Returns the conjugate of the loss at a row's |alpha|. For regression, target is multiplied by the
 * sign of alpha. */
static long double conjugate_of(const struct sample *sample, long double cost, long double target,
                                long double alpha)
{
    const int solver = sample->parameters.solver;
    const long double p = alpha / cost;
    const long double t =
        is_regression(solver) ? target - (long double)sample->parameters.epsilon : 1;

    if (is_squared(solver))
        return alpha * p / 4 - t * alpha;
    if (solver != 0 && solver != 7)
        return -t * alpha;
    return cost *
           ((p > 0 ? p * logl(p) : 0) + (p < 1 ? (1 - p) * log1pl(-p) : 0)); /* 0 at both ends */
}

static long double primal_of(const struct sample *sample, const struct hinge_model *model)
{
    const size_t features = sample->data.features;
    const int regression = is_regression(sample->parameters.solver);
    long double primal = 0;

    for (size_t j = 0; j < features; j++)
        primal += (long double)model->weight[j] * model->weight[j] / 2;
    for (size_t i = 0; i < sample->data.x.rows; i++) {
        long double z = model->weight[features];

        for (size_t k = sample->start[i]; k < sample->start[i + 1]; k++)
            z += (long double)sample->value[k] * model->weight[sample->index[k]];
        if (cost_of(sample, i) > 0)
            primal += cost_of(sample, i) * loss_of(sample, regression ? z - sample->label[i]
                                                           : sample->label[i] < 0 ? -z
                                                                                  : z);
    }
    return primal;
}

/* Returns 0 or 1, the number of the sum that has the row's alpha. Both sums must be equal. */
static int side_of(const struct sample *sample, const struct hinge_model *model, size_t i)
{
    return is_regression(sample->parameters.solver) ? model->alpha[i] < 0 : sample->label[i] < 0;
}

/* Returns D at alpha after the larger class was scaled down so that sum alpha_i y_i = 0. */
static long double dual_of(const struct sample *sample, const struct hinge_model *model)
{
    long double total[2] = {0, 0}, v[MOST_FEATURES] = {0}, dual = 0;

    const int solver = sample->parameters.solver, regression = is_regression(solver);

    for (size_t i = 0; i < sample->data.x.rows; i++)
        total[side_of(sample, model, i)] += fabs(model->alpha[i]);
    assert_true(fabsl(total[0] - total[1]) <= 1e-9L * (total[0] + total[1]));
    for (size_t i = 0; i < sample->data.x.rows; i++) {
        const int class = side_of(sample, model, i);
        const long double cost = cost_of(sample, i);
        const double target = class ? -sample->label[i] : sample->label[i];
        long double alpha = regression ? fabs(model->alpha[i]) : model->alpha[i];

        assert_true(alpha >= 0 && (cost > 0 || alpha == 0));
        if (total[class] > total[!class])
            alpha *= total[!class] / total[class];
        if (alpha > 0 && !is_squared(solver))
            assert_true(alpha <= cost * (1 + 4 * DBL_EPSILON));
        if (alpha > cost && !is_squared(solver))
            alpha = cost;
        if (cost > 0)
            dual += conjugate_of(sample, cost, target, alpha);
        for (size_t k = sample->start[i]; k < sample->start[i + 1]; k++)
            v[sample->index[k]] += (class ? -alpha : alpha) * sample->value[k];
    }
    for (size_t j = 0; j < sample->data.features; j++)
        dual += v[j] * v[j] / 2;
    return dual;
}

static struct hinge_model *train(const struct sample *sample)
{
    struct hinge_error error = {HINGE_OK, ""};
    struct hinge_model *model = hinge_train(&sample->data, &sample->parameters, NULL, &error);

    assert_string_equal(error.message, "");
    assert_non_null(model);
    assert_true(model->bias == 1);
    return model;
}

static void choose_solver(struct sample *sample, int solver)
{
    sample->parameters.solver = solver;
    if (is_regression(solver))
        sample->parameters.weights = 0, sample->class_weight[0] = 1;
}

static struct hinge_model *train_by_passes(struct sample *sample, int solver, size_t most)
{
    struct hinge_model *model;

    choose_solver(sample, solver);
    sample->parameters.single_method = 1;
    sample->parameters.max_passes = most;
    model = train(sample);
    assert_int_equal(model->result->steps, 0);
    return model;
}

/* Checks the reported P and D against values recomputed in long double. */
static void expect_bounds(const struct sample *sample, const struct hinge_model *model)
{
    const long double primal = primal_of(sample, model), dual = dual_of(sample, model);
    const long double off = 1e-13L * primal;

    assert_true(primal <= model->result->primal + off && dual <= model->result->dual + off);
    if (model->result->outcome == HINGE_CERTIFIED)
        assert_true(primal + dual <= (long double)sample->parameters.relative_gap * primal + off);
}

/* ---- Tests -------------------------------------------------------------- */

/* Every training is certified by true bounds, and solvers with the same loss find the same
 * minimum. */
static void test_certificates_hold(void **state)
{
    static struct sample sample;

    (void)state;
    for (unsigned long number = 0; number < 3 * 5 * SHAPES; number++) {
        long double least[8], most[8];

        draw(&sample, number);
        for (size_t k = 0; k < COUNT(numbers); k++) {
            const int solver = sample.parameters.solver = numbers[k];
            const int loss = solver == 2 ? 1 : solver >= 60 ? 3 : solver == 7 ? 0 : solver;
            struct hinge_model *model = train(&sample);
            const struct hinge_result *result = model->result;
            const long double primal = primal_of(&sample, model), dual = dual_of(&sample, model);
            const long double off = 1e-13L * primal;

            if (result->outcome != HINGE_CERTIFIED || primal > result->primal + off ||
                dual > result->dual + off || primal + dual > 1e-3L * primal + off) {
                print_error("problem %lu, solver %d: %s, P %.17Lg, said %.17g, D %.17Lg, said "
                            "%.17g\n",
                            number, solver, hinge_outcome_name(result->outcome), primal,
                            result->primal, dual, result->dual);
                fail();
            }
            if (solver == loss)
                least[loss] = -dual, most[loss] = primal;
            assert_true(-dual <= most[loss] + off && primal >= least[loss] - off);
            hinge_model_free(model);
        }
    }
}

/* Coordinate descent alone finds the bias: with many features at any C, otherwise at a small C. */
static void test_passes_alone_are_certified(void **state)
{
    static struct sample sample;

    (void)state;
    for (unsigned long number = 0; number < 5 * SHAPES; number++)
        for (size_t k = 0; k < COUNT(with_passes); k++) {
            struct hinge_model *model;

            draw(&sample, number);
            if (number % SHAPES != WIDE && sample.parameters.C > 0.1)
                continue;
            model = train_by_passes(&sample, with_passes[k], 20000);
            if (model->result->outcome != HINGE_CERTIFIED)
                fail_msg("problem %lu, solver %d: gap %g", number, with_passes[k],
                         model->result->relative_gap);
            expect_bounds(&sample, model);
            hinge_model_free(model);
        }
}

/* After any number of passes, the reported bounds are true, and sum alpha_i y_i is 0. */
static void test_few_passes_leave_true_bounds(void **state)
{
    static struct sample sample;

    (void)state;
    for (unsigned long number = 0; number < 5 * SHAPES; number++)
        for (size_t k = 0; k < COUNT(with_passes); k++)
            for (size_t most = 1; most <= 3; most++) {
                struct hinge_model *model;

                draw(&sample, number);
                model = train_by_passes(&sample, with_passes[k], most);
                expect_bounds(&sample, model);
                hinge_model_free(model);
            }
}

/* With many features a Newton step costs more than a pass, so passes come first. */
static void test_passes_come_first_with_many_features(void **state)
{
    static struct sample sample;

    (void)state;
    for (unsigned long number = WIDE; number < 5 * SHAPES; number += SHAPES)
        for (size_t k = 0; k < COUNT(with_passes); k++) {
            struct hinge_model *model;

            draw(&sample, number);
            choose_solver(&sample, with_passes[k]);
            model = train(&sample);
            assert_int_equal(model->result->outcome, HINGE_CERTIFIED);
            assert_true(model->result->steps < model->result->passes);
            expect_bounds(&sample, model);
            hinge_model_free(model);
        }
}

/* Returns |grad P| at the weights, or at 0 if they are NULL. */
static long double gradient_of(const struct sample *sample, const double *weight)
{
    const size_t features = sample->data.features;
    long double slope[MOST_FEATURES + 1] = {0}, square = 0;

    for (size_t i = 0; i < sample->data.x.rows; i++) {
        const int side = sample->label[i] < 0 ? -1 : 1;
        long double z = weight ? weight[features] : 0, factor;

        for (size_t k = sample->start[i]; k < sample->start[i + 1] && weight; k++)
            z += (long double)sample->value[k] * weight[sample->index[k]];
        z *= side;
        factor =
            side * cost_of(sample, i) *
            (is_squared(sample->parameters.solver) ? -2 * fmaxl(1 - z, 0) : -1 / (1 + expl(z)));
        for (size_t k = sample->start[i]; k < sample->start[i + 1]; k++)
            slope[sample->index[k]] += factor * sample->value[k];
        slope[features] += factor;
    }
    for (size_t j = 0; j <= features; j++) {
        slope[j] += weight && j < features ? weight[j] : 0;
        square += slope[j] * slope[j];
    }
    return sqrtl(square);
}

/* LIBLINEAR's rule for primal solvers holds at the returned weights, whichever method ends the
 * training: passes with many features, Newton's steps with few. */
static void test_primal_rule_holds_for_the_model(void **state)
{
    static const int solvers[] = {0, 2};
    static const double eps[] = {0.3, 0.03, 0.001};
    static struct sample sample;
    size_t ended_by_passes = 0;

    (void)state;
    for (unsigned long number = 0; number < 12 * SHAPES; number++)
        for (size_t k = 0; k < COUNT(solvers) * COUNT(eps) && number % 3; k++) {
            struct hinge_model *model;
            double positive = 0, rows, most;

            draw(&sample, number);
            sample.parameters.solver = solvers[k % COUNT(solvers)];
            sample.parameters.eps = eps[k / COUNT(solvers)];
            sample.parameters.relative_gap = 0;
            rows = (double)sample.data.x.rows;
            for (size_t i = 0; i < sample.data.x.rows; i++)
                positive += sample.label[i] > 0;
            most = sample.parameters.eps * fmax(fmin(positive, rows - positive), 1) / rows;
            model = train(&sample);
            if (model->result->outcome != HINGE_STALLED)
                assert_true(gradient_of(&sample, model->weight) <=
                            most * gradient_of(&sample, NULL) * (1 + 1e-6L) + 1e-9L);
            ended_by_passes += model->result->steps == 0;
            hinge_model_free(model);
        }
    assert_true(ended_by_passes > 0);
}

static void move(const struct sample *sample, struct sample *moved)
{
    size_t at = 0;

    *moved = *sample;
    moved->data.x.start = moved->start;
    moved->data.x.index = moved->index;
    moved->data.x.value = moved->value;
    moved->data.label = moved->label;
    moved->parameters.weight_label = moved->class_label;
    moved->parameters.weight = moved->class_weight;
    for (size_t i = 0; i < sample->data.x.rows; i++) {
        size_t from = sample->start[i];

        for (uint32_t j = 0; j < sample->data.features; j++) {
            const int has = from < sample->start[i + 1] && sample->index[from] == j;

            moved->index[at] = j;
            moved->value[at++] = 10 + (has ? sample->value[from] : 0);
            from += (size_t)has;
        }
        moved->start[i + 1] = at;
    }
    moved->data.x.nonzeros = at;
}

/* A number added to every feature changes only the bias. P has at least the curvature of |w|^2 / 2,
 * so w is within sqrt(2 excess) of the minimum. */
static void test_moved_features_change_only_the_bias(void **state)
{
    static const double GAP = 1e-7;
    static struct sample sample, other;

    (void)state;
    for (unsigned long number = 0; number < 3 * SHAPES; number++)
        for (size_t k = 0; k < COUNT(numbers); k++) {
            struct hinge_model *model, *moved;
            double within;

            draw(&sample, number);
            sample.parameters.solver = numbers[k];
            sample.parameters.relative_gap = GAP;
            move(&sample, &other);
            model = train(&sample);
            moved = train(&other);
            within = 2 * sqrt(2 * GAP * model->result->primal);
            assert_int_equal(model->result->outcome, HINGE_CERTIFIED);
            assert_int_equal(moved->result->outcome, HINGE_CERTIFIED);
            for (size_t j = 0; j < sample.data.features; j++)
                assert_true(fabs(model->weight[j] - moved->weight[j]) <= within);
            hinge_model_free(model);
            hinge_model_free(moved);
        }
}

/* Passes alone on the features, and a training that begins with passes on the moved features, find
 * the same weights. */
static void test_passes_find_the_same_weights(void **state)
{
    static const double GAP = 1e-6;
    static struct sample sample, other;

    (void)state;
    for (unsigned long number = WIDE; number < 4 * SHAPES; number += SHAPES)
        for (size_t k = 0; k < COUNT(with_passes); k++) {
            struct hinge_model *model, *moved;

            draw(&sample, number);
            sample.parameters.relative_gap = GAP;
            model = train_by_passes(&sample, with_passes[k], 100000);
            move(&sample, &other);
            other.parameters.single_method = 0;
            other.parameters.max_passes = 0;
            moved = train(&other);
            assert_int_equal(model->result->outcome, HINGE_CERTIFIED);
            assert_int_equal(moved->result->outcome, HINGE_CERTIFIED);
            for (size_t j = 0; j < sample.data.features; j++)
                assert_true(fabs(model->weight[j] - moved->weight[j]) <=
                            2 * sqrt(2 * GAP * model->result->primal));
            hinge_model_free(model);
            hinge_model_free(moved);
        }
}

/* If one class has weight 0, P has no minimum, or the minimum 0. The training ends with finite
 * numbers. */
static void test_one_class_alone_ends(void **state)
{
    static struct sample sample;

    (void)state;
    for (int class = 0; class < 2; class ++)
        for (size_t k = 0; k < COUNT(numbers); k++) {
            struct hinge_model *model;

            draw(&sample, 1);
            sample.parameters.solver = numbers[k];
            sample.class_weight[class] = 0;
            model = train(&sample);
            assert_true(primal_of(&sample, model) <= model->result->primal * (1 + 1e-12) + DBL_MIN);
            assert_true(model->result->primal >= 0 && model->result->primal < 1e-6);
            hinge_model_free(model);
        }
}

/* On a path every C is certified, starting where the last one ended. */
static void test_path_is_certified(void **state)
{
    static const double C[] = {1e-3, 1e-1, 10, 1e3, 1e-2};
    static struct sample sample;

    (void)state;
    for (unsigned long number = 0; number < SHAPES; number++)
        for (size_t k = 0; k < COUNT(numbers); k++) {
            struct hinge_model *model[COUNT(C)];
            struct hinge_error error;

            draw(&sample, number);
            sample.parameters.solver = numbers[k];
            assert_int_equal(hinge_train_path(&sample.data, &sample.parameters, C, COUNT(C), NULL,
                                              model, &error),
                             HINGE_OK);
            for (size_t c = 0; c < COUNT(C); c++) {
                long double primal, dual;

                sample.parameters.C = C[c];
                primal = primal_of(&sample, model[c]);
                dual = dual_of(&sample, model[c]);
                assert_int_equal(model[c]->result->outcome, HINGE_CERTIFIED);
                assert_true(primal + dual <= (1e-3L + 1e-13L) * primal);
                hinge_model_free(model[c]);
            }
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_certificates_hold),
        cmocka_unit_test(test_passes_alone_are_certified),
        cmocka_unit_test(test_few_passes_leave_true_bounds),
        cmocka_unit_test(test_passes_come_first_with_many_features),
        cmocka_unit_test(test_primal_rule_holds_for_the_model),
        cmocka_unit_test(test_moved_features_change_only_the_bias),
        cmocka_unit_test(test_passes_find_the_same_weights),
        cmocka_unit_test(test_one_class_alone_ends),
        cmocka_unit_test(test_path_is_certified),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
