/* test_regression.c - regressions: certificates recomputed in long double from weights and alpha,
 * and a comparison with a slow descent over beta. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support.h"

enum { MOST_ROWS = 120, MOST_FEATURES = 60 };

/* A dense problem and its properties. */
struct regression {
    struct hinge_dataset data;
    struct hinge_parameters parameters;
    size_t start[MOST_ROWS + 1];
    uint32_t index[MOST_ROWS * MOST_FEATURES];
    double value[MOST_ROWS * MOST_FEATURES];
    double label[MOST_ROWS];
    double weight[MOST_ROWS];
    size_t rows;
    size_t width; /* number of features, including the bias */
    int squared;
    double scale; /* scale of the targets */
    unsigned long number;
};

#define HOLDS(regression, condition)                                                               \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            print_error("problem %lu, solver %d, C = %g, epsilon = %g\n", (regression)->number,    \
                        (regression)->parameters.solver, (regression)->parameters.C,               \
                        (regression)->parameters.epsilon);                                         \
            assert_true(condition);                                                                \
        }                                                                                          \
    } while (0)

/* ---- The problem ----------------------------------------------------------- */

static long double feature(const struct regression *from, size_t i, size_t j)
{
    if (j == from->data.features)
        return from->parameters.bias;
    for (size_t k = from->start[i]; k < from->start[i + 1]; k++)
        if (from->index[k] == j)
            return from->value[k];
    return 0;
}

static double cost(const struct regression *from, size_t i)
{
    const int weighs = from->parameters.row_weights > 0;

    return from->parameters.C * (weighs ? from->weight[i] : 1); /* as in hinge.h */
}

static long double dot(const struct regression *from, size_t i, const long double *w)
{
    long double sum = 0;

    for (size_t j = 0; j < from->width; j++)
        sum += w[j] == 0 ? 0 : w[j] * feature(from, i, j);
    return sum;
}

static long double primal_of(const struct regression *from, const long double *w)
{
    long double primal = 0;

    for (size_t j = 0; j < from->width; j++)
        primal += w[j] * w[j] / 2;
    for (size_t i = 0; i < from->rows; i++) {
        const long double beyond =
            fabsl(dot(from, i, w) - from->label[i]) - (long double)from->parameters.epsilon;

        if (beyond > 0)
            primal += cost(from, i) * (from->squared ? beyond * beyond : beyond);
    }
    return primal;
}

/* Returns D(beta), and sets v = sum beta_i x_i. */
static long double dual_of(const struct regression *from, const long double *beta, long double *v)
{
    long double dual = 0;

    for (size_t j = 0; j < from->width; j++) {
        v[j] = 0;
        for (size_t i = 0; i < from->rows; i++)
            v[j] += beta[i] == 0 ? 0 : beta[i] * feature(from, i, j);
        dual += v[j] * v[j] / 2;
    }
    for (size_t i = 0; i < from->rows; i++) {
        if (beta[i] == 0)
            continue;
        dual += from->parameters.epsilon * fabsl(beta[i]) - from->label[i] * beta[i];
        if (from->squared)
            dual += beta[i] * beta[i] / (4 * cost(from, i));
    }
    return dual;
}

static void descend(const struct regression *from, long double *beta, long double *w, int passes)
{
    const long double epsilon = from->parameters.epsilon;

    for (size_t j = 0; j < from->width; j++)
        w[j] = 0;
    for (size_t i = 0; i < from->rows; i++)
        beta[i] = 0;
    for (int pass = 0; pass < passes; pass++)
        for (size_t i = 0; i < from->rows; i++) {
            const long double own =
                from->squared && cost(from, i) > 0 ? 1 / (2 * cost(from, i)) : 0;
            const long double most = from->squared && cost(from, i) > 0 ? HUGE_VALL : cost(from, i);
            long double square = own, free, after;

            for (size_t j = 0; j < from->width; j++)
                square += feature(from, i, j) * feature(from, i, j);
            free = from->label[i] - dot(from, i, w) + (square - own) * beta[i];
            after = fabsl(free) <= epsilon ? 0 : free - copysignl(epsilon, free);
            after = square > 0 ? after / square : after == 0 ? 0 : copysignl(most, after);
            after = fminl(fmaxl(after, -most), most);
            for (size_t j = 0; j < from->width; j++)
                w[j] += (after - beta[i]) * feature(from, i, j);
            beta[i] = after;
        }
}

/* ---- Drawing --------------------------------------------------------------- */

/* Draws a problem. Each property depends on a different remainder of its number. */
static void draw(struct regression *to, unsigned long number)
{
    static const double costs[] = {1e-6, 1e-3, 1, 1, 30, 1e3, 1e6}, scales[] = {1, 1e8, 1e-8, 1};
    static const size_t shapes[][2] = {{60, 4}, {6, 50}, {20, 20}, {120, 3}, {1, 3}, {3, 1}};
    const size_t *shape = shapes[number % COUNT(shapes)];
    const double scale = scales[number / 3 % COUNT(scales)];
    uint64_t random = 1000 + number;
    double largest = 0, plane[MOST_FEATURES];
    size_t nonzeros = 0;

    memset(to, 0, sizeof *to);
    to->number = number;
    to->scale = scale;
    to->rows = shape[0];
    to->parameters = parameters_default();
    to->parameters.C = costs[number / 2 % COUNT(costs)];
    to->parameters.bias = number % 5 == 0 ? 1 : -1;
    to->parameters.keep_alpha = 1;
    to->parameters.relative_gap = number % 7 == 0 ? 1e-8 : 1e-3;
    to->width = shape[1] + (to->parameters.bias >= 0);
    for (size_t j = 0; j < shape[1]; j++)
        plane[j] = random_unit(&random) - 0.5;
    for (size_t i = 0; i < to->rows; i++) {
        const size_t like = i % 4 == 3 && number % 4 == 1 ? i - 1 : i; /* row before again */

        to->start[i] = nonzeros;
        to->label[i] = random_unit(&random) - 0.5;
        for (size_t j = 0; j < shape[1] && (i % 9 != 4 || number % 3 > 0); j++) { /* or none */
            const double drawn = random_unit(&random) - 0.5;

            if (like == i && drawn > 0.25)
                continue;
            if (like != i && feature(to, like, j) == 0)
                continue;
            to->index[nonzeros] = (uint32_t)j;
            to->value[nonzeros] = like == i ? 4 * drawn : (double)feature(to, like, j);
            to->label[i] += plane[j] * to->value[nonzeros++];
        }
        to->start[i + 1] = nonzeros;
        to->label[i] *= scale;
        largest = fmax(largest, fabs(to->label[i]));
        to->weight[i] = i % 6 == 5 ? 0 : 3 * random_unit(&random);
    }
    if (number % 4 == 2) {
        to->parameters.row_weights = to->rows;
        to->parameters.row_weight = to->weight;
    }
    to->parameters.epsilon = number % 11 == 3   ? 0
                             : number % 11 == 7 ? 1.5 * largest
                             : number % 11 == 9 ? 0.1
                                                : 0.1 * scale;
    to->data = (struct hinge_dataset){.x = {.rows = to->rows,
                                            .nonzeros = nonzeros,
                                            .start = to->start,
                                            .index_kind = HINGE_INDEX_32,
                                            .value_kind = HINGE_VALUE_DOUBLE,
                                            .index = to->index,
                                            .value = to->value},
                                      .features = (uint32_t)shape[1],
                                      .label = to->label};
}

/* ---- Trainings ------------------------------------------------------------- */

/* True if the gap is out of reach in double precision. With a linear loss, C/s with targets of size
 * 1 equals C with targets of size s. There rounding of a residual near epsilon costs 1e-16 C s, and
 * P is about s^2. */
static int is_beyond_double(const struct regression *from)
{
    return !from->squared &&
           from->parameters.C / from->scale * (HINGE_DEFAULT_GAP / from->parameters.relative_gap) >
               1e10;
}

/* Checks that P and D are not above the reported ones, and that the gap is certified. */
static void check(struct regression *from, const long double *bracket)
{
    struct hinge_error error = {HINGE_OK, ""};
    struct hinge_model *model = hinge_train(&from->data, &from->parameters, NULL, &error);
    const struct hinge_result *result;
    long double w[MOST_FEATURES + 1], v[MOST_FEATURES + 1], beta[MOST_ROWS], primal, dual, tiny;
    size_t support = 0;

    HOLDS(from, model != NULL);
    result = model->result;
    HOLDS(from, model->classes == 0 && model->columns == 1 && !model->label);
    for (size_t j = 0; j < from->width; j++)
        w[j] = model->weight[j];
    for (size_t i = 0; i < from->rows; i++) {
        beta[i] = model->alpha[i];
        support += beta[i] != 0;
        HOLDS(from,
              fabsl(beta[i]) <= (from->squared && cost(from, i) > 0 ? DBL_MAX : cost(from, i)));
    }
    primal = primal_of(from, w);
    dual = dual_of(from, beta, v);
    tiny = 1e-15L * fabsl(primal);
    HOLDS(from, result->outcome == HINGE_CERTIFIED || is_beyond_double(from));
    HOLDS(from, result->support_vectors == support);
    HOLDS(from, primal <= result->primal + tiny && dual <= result->dual + tiny);
    HOLDS(from, primal + dual >= -tiny);
    if (result->outcome == HINGE_CERTIFIED) {
        HOLDS(from, primal + dual <= from->parameters.relative_gap * primal + tiny);
        HOLDS(from, result->primal <= primal * (1 + from->parameters.relative_gap) + 1e-290L);
    }
    if (bracket && result->outcome == HINGE_CERTIFIED) {
        HOLDS(from, primal * (1 - from->parameters.relative_gap) <= bracket[0] + tiny);
        HOLDS(from, primal >= -bracket[1] - tiny);
    }
    hinge_model_free(model);
}

static void test_certificates_are_true(void **state)
{
    enum { PROBLEMS = 2000, BRACKETED = 200 };
    static struct regression drawn;
    unsigned known = 0;

    (void)state;
    for (unsigned long number = 0; number < PROBLEMS; number++)
        for (int solver = 11; solver <= 13; solver++) {
            long double w[MOST_FEATURES + 1], beta[MOST_ROWS], bracket[2];

            draw(&drawn, number);
            drawn.parameters.solver = solver;
            drawn.squared = solver != 13;
            if (number < BRACKETED) {
                descend(&drawn, beta, w, 100);
                bracket[0] = primal_of(&drawn, w);
                bracket[1] = dual_of(&drawn, beta, w);
                known += bracket[0] + bracket[1] <= 1e-3L * bracket[0];
            }
            check(&drawn, number < BRACKETED ? bracket : NULL);
        }
    assert_true(known > 3 * BRACKETED / 2); /* in other problems the descent is too slow */
}

/* ---- Rules ------------------------------------------------------------------ */

/* Returns |f'(beta)|_1 at w, without derivatives that lead out of the domain, as in LIBLINEAR's
 * dual solvers. */
static long double violation(const struct regression *from, const long double *beta,
                             const long double *w)
{
    const long double epsilon = from->parameters.epsilon;
    long double total = 0;

    for (size_t i = 0; i < from->rows; i++) {
        const long double most = from->squared && cost(from, i) > 0 ? HUGE_VALL : cost(from, i);
        const long double own =
            from->squared && cost(from, i) > 0 ? beta[i] / (2 * cost(from, i)) : 0;
        const long double gradient = dot(from, i, w) - from->label[i] + own;
        const long double up = gradient + epsilon, down = gradient - epsilon;

        if (most == 0)
            continue;
        if (beta[i] == 0)
            total += up < 0 ? -up : down > 0 ? down : 0;
        else if (beta[i] > 0)
            total += beta[i] >= most && up < 0 ? 0 : fabsl(up);
        else
            total += beta[i] <= -most && down > 0 ? 0 : fabsl(down);
    }
    return total;
}

static long double gradient_norm(const struct regression *from, const long double *w)
{
    long double gradient[MOST_FEATURES + 1], square = 0;

    memcpy(gradient, w, from->width * sizeof *gradient);
    for (size_t i = 0; i < from->rows; i++) {
        const long double error = dot(from, i, w) - from->label[i];
        const long double beyond = fmaxl(fabsl(error) - (long double)from->parameters.epsilon, 0);

        for (size_t j = 0; j < from->width; j++)
            gradient[j] += 2 * cost(from, i) * copysignl(beyond, error) * feature(from, i, j);
    }
    for (size_t j = 0; j < from->width; j++)
        square += gradient[j] * gradient[j];
    return sqrtl(square);
}

static void test_rules_of_eps_are_LIBLINEARs(void **state)
{
    static const double rules[] = {0.1, 1e-2, 1e-4};
    static struct regression drawn;

    (void)state;
    for (unsigned long number = 0; number < 600; number++)
        for (int solver = 11; solver <= 13; solver++) {
            long double w[MOST_FEATURES + 1], v[MOST_FEATURES + 1], beta[MOST_ROWS];
            long double zero[MOST_ROWS + MOST_FEATURES] = {0};
            struct hinge_error error = {HINGE_OK, ""};
            struct hinge_model *model;
            double eps;

            draw(&drawn, number);
            if (drawn.scale != 1 || drawn.parameters.C > 100)
                continue;
            drawn.squared = solver != 13;
            drawn.parameters.solver = solver;
            drawn.parameters.relative_gap = 0;
            drawn.parameters.eps = eps = rules[number / 6 % COUNT(rules)];
            drawn.parameters.single_method = number % 2;
            HOLDS(&drawn, (model = hinge_train(&drawn.data, &drawn.parameters, NULL, &error)));
            for (size_t i = 0; i < drawn.rows; i++)
                beta[i] = model->alpha[i];
            for (size_t j = 0; j < drawn.width; j++)
                w[j] = model->weight[j];
            if (solver == 11) {
                HOLDS(&drawn, gradient_norm(&drawn, w) <=
                                  eps * gradient_norm(&drawn, zero) * (1 + 1e-9L) + 1e-12L);
            } else { /* for w = v(beta), up to the steps after the last visits of a pass */
                dual_of(&drawn, beta, v);
                HOLDS(&drawn, violation(&drawn, beta, v) <=
                                  3 * eps * violation(&drawn, zero, zero) + 1e-12L);
            }
            hinge_model_free(model);
        }
}

/* ---- Paths, and what monitors see ------------------------------------------ */

static void test_a_path_is_trainings_one_after_the_other(void **state)
{
    static const double costs[] = {0.01, 0.1, 1, 10, 100};
    static struct regression drawn;

    (void)state;
    for (unsigned long number = 0; number < 60; number++)
        for (int solver = 11; solver <= 13; solver++) {
            struct hinge_model *models[COUNT(costs)];
            struct hinge_error error = {HINGE_OK, ""};

            draw(&drawn, number);
            if (drawn.scale != 1)
                continue;
            drawn.squared = solver != 13;
            drawn.parameters.solver = solver;
            HOLDS(&drawn, hinge_train_path(&drawn.data, &drawn.parameters, costs, COUNT(costs),
                                           NULL, models, &error) == HINGE_OK);
            for (size_t k = 0; k < COUNT(costs); k++) {
                long double w[MOST_FEATURES + 1], v[MOST_FEATURES + 1], beta[MOST_ROWS];

                drawn.parameters.C = costs[k];
                for (size_t j = 0; j < drawn.width; j++)
                    w[j] = models[k]->weight[j];
                for (size_t i = 0; i < drawn.rows; i++)
                    beta[i] = models[k]->alpha[i];
                HOLDS(&drawn, models[k]->result->outcome == HINGE_CERTIFIED);
                HOLDS(&drawn,
                      primal_of(&drawn, w) + dual_of(&drawn, beta, v) <=
                          drawn.parameters.relative_gap * primal_of(&drawn, w) * (1 + 1e-9L));
                hinge_model_free(models[k]);
            }
        }
}

/* A regression that starts from its own weights has little left to do. */
static void test_a_start_is_taken(void **state)
{
    static struct regression drawn;

    (void)state;
    for (unsigned long number = 0; number < 60; number++) {
        struct hinge_error error = {HINGE_OK, ""};
        struct hinge_model *first, *second;

        draw(&drawn, number);
        drawn.parameters.solver = 11;
        drawn.parameters.relative_gap = 1e-9;
        HOLDS(&drawn, (first = hinge_train(&drawn.data, &drawn.parameters, NULL, &error)) != NULL);
        drawn.parameters.relative_gap = 1e-8;
        drawn.parameters.initial = first;
        HOLDS(&drawn, (second = hinge_train(&drawn.data, &drawn.parameters, NULL, &error)) != NULL);
        HOLDS(&drawn, second->result->outcome == HINGE_CERTIFIED && second->result->passes <= 1);
        hinge_model_free(first);
        hinge_model_free(second);
    }
}

static enum hinge_answer look(void *context, const struct hinge_progress *progress)
{
    const struct regression *from = context;

    HOLDS(from, progress->rows == from->rows && progress->active <= from->rows);
    HOLDS(from, progress->row_visits <= progress->passes * from->rows);
    HOLDS(from, isnan(progress->positive) && progress->problems == 1);
    return HINGE_MEASURE;
}

static void test_monitors_see_rows_of_the_data(void **state)
{
    static struct regression drawn;
    const struct hinge_monitor monitor = {look, &drawn, NULL, 0};

    (void)state;
    for (unsigned long number = 0; number < 40; number++)
        for (int solver = 12; solver <= 13; solver++) { /* passes alone */
            struct hinge_error error;
            struct hinge_model *model;

            draw(&drawn, number);
            drawn.parameters.row_weights = 0;
            drawn.parameters.single_method = 1;
            drawn.parameters.max_passes = 50;
            drawn.parameters.solver = solver;
            model = hinge_train(&drawn.data, &drawn.parameters, &monitor, &error);
            HOLDS(&drawn, model != NULL);
            HOLDS(&drawn, model->result->row_visits <= model->result->passes * drawn.rows);
            hinge_model_free(model);
        }
}

/* With many more rows than features, Newton's method starts at a part of the rows. Both dual
 * variables of a row are in the part, or none. */
static void test_many_rows(void **state)
{
    enum { ROWS = 6000, FEATURES = 4 };
    static size_t start[ROWS + 1];
    static uint32_t index[ROWS * FEATURES];
    static double value[ROWS * FEATURES], label[ROWS];
    struct hinge_dataset data = {.x = {.rows = ROWS,
                                       .nonzeros = ROWS * FEATURES,
                                       .start = start,
                                       .index_kind = HINGE_INDEX_32,
                                       .value_kind = HINGE_VALUE_DOUBLE,
                                       .index = index,
                                       .value = value},
                                 .features = FEATURES,
                                 .label = label};
    struct hinge_parameters parameters = parameters_default();
    uint64_t random = 7;

    (void)state;
    for (size_t i = 0; i < ROWS; i++) {
        label[i] = 0.2 * (random_unit(&random) - 0.5);
        for (size_t j = 0; j < FEATURES; j++) {
            index[i * FEATURES + j] = (uint32_t)j;
            value[i * FEATURES + j] = random_unit(&random) - 0.5;
            label[i] += (double)j * value[i * FEATURES + j];
        }
        start[i + 1] = (i + 1) * FEATURES;
    }
    for (parameters.solver = 11; parameters.solver <= 13; parameters.solver++) {
        struct hinge_error error;
        struct hinge_model *model = hinge_train(&data, &parameters, NULL, &error);

        assert_non_null(model);
        assert_int_equal(model->result->outcome, HINGE_CERTIFIED);
        assert_true(parameters.solver > 11 || model->result->passes < 10);
        for (size_t j = 0; j < FEATURES; j++)
            assert_true(fabs(model->weight[j] - (double)j) < 0.05);
        hinge_model_free(model);
    }
}

/* ---- Scores ---------------------------------------------------------------- */

static void test_cross_validation_predicts_what_it_did_not_see(void **state)
{
    enum { ROWS = 30 };
    static struct regression drawn;
    struct hinge_validation validation;
    struct hinge_error error;
    const double C = 1e6;
    int interrupted;

    (void)state;
    draw(&drawn, 3); /* the first ROWS rows get feature i % 3 alone */
    drawn.data.x.rows = ROWS;
    for (size_t i = 0; i < ROWS; i++) {
        drawn.start[i + 1] = i + 1;
        drawn.index[i] = (uint32_t)(i % 3);
        drawn.value[i] = 1;
        drawn.label[i] = (double)(i % 3) * 10 + (i == 7 ? 1000 : 0); /* no other row has 1000 */
    }
    drawn.data.x.nonzeros = ROWS;
    drawn.parameters.epsilon = 0.25;
    drawn.parameters.bias = -1;
    drawn.parameters.keep_alpha = 0;
    drawn.parameters.row_weights = 0;
    drawn.parameters.solver = 13;
    assert_int_equal(hinge_cross_validate(&drawn.data, &drawn.parameters, 5, &C, 1, NULL,
                                          &validation, &interrupted, &error),
                     HINGE_OK);
    assert_int_equal(validation.trainings, 5);
    assert_int_equal(validation.predictions->classes, 0);
    assert_int_equal(validation.predictions->rows, ROWS);
    for (size_t i = 0; i < ROWS; i++) {
        assert_true(validation.predictions->target[i] == drawn.label[i]);
        assert_true(fabs(validation.predictions->decision[i] - (double)(i % 3) * 10) <= 0.26);
    }
    hinge_validation_clear(&validation);
}

/* Compares with two passes in long double, also if the mean is a billion times the spread. */
static void test_residuals(void **state)
{
    static const double means[] = {0, 3, 1e9};

    (void)state;
    for (size_t m = 0; m < COUNT(means); m++) {
        enum { ROWS = 500 };
        long double mean[2] = {0}, squares = 0, absolute = 0, yy = 0, vv = 0, vy = 0, largest = 0;
        double target[ROWS], predicted[ROWS];
        struct hinge_residuals residuals = {0};
        uint64_t random = m + 1;

        assert_true(isnan(hinge_squared_correlation(&residuals)));
        for (size_t i = 0; i < ROWS; i++) {
            target[i] = means[m] + random_unit(&random);
            predicted[i] = target[i] + random_unit(&random) - 0.5;
            mean[0] += target[i] / (long double)ROWS;
            mean[1] += predicted[i] / (long double)ROWS;
            hinge_residuals_add(&residuals, target[i], predicted[i], 1);
        }
        for (size_t i = 0; i < ROWS; i++) {
            const long double error = fabsl((long double)predicted[i] - target[i]);

            squares += error * error;
            absolute += error;
            largest = fmaxl(largest, error);
            yy += (target[i] - mean[0]) * (target[i] - mean[0]);
            vv += (predicted[i] - mean[1]) * (predicted[i] - mean[1]);
            vy += (target[i] - mean[0]) * (predicted[i] - mean[1]);
        }
        assert_int_equal(residuals.rows, ROWS);
        assert_true(fabsl(residuals.squares / squares - 1) < 1e-12L);
        assert_true(fabsl(residuals.absolute / absolute - 1) < 1e-12L);
        assert_true(residuals.largest == (double)largest);
        assert_true(fabsl(hinge_squared_correlation(&residuals) - vy * vy / vv / yy) < 1e-6L);
    }
}

/* ---- Arguments ------------------------------------------------------------- */

/* A constant meets the targets. P = 0 says that it does so exactly, although target - epsilon is
 * rounded. */
static void test_a_constant_meets_the_targets(void **state)
{
    enum { ROWS = 3 };
    static const double value[ROWS] = {1, -0.5, 2};
    double label[ROWS];
    int zeros = 0;

    (void)state;
    for (int number = 0; number < 600; number++) {
        struct hinge_parameters parameters = parameters_default();
        const size_t rows = number % 2 ? ROWS : 1;
        struct hinge_error error;
        struct hinge_dataset *data;
        struct hinge_model *model;

        parameters.solver = 11 + number % 3;
        parameters.bias = parameters.free_bias = 1;
        parameters.epsilon = number % 5 ? number / 1000.0 : 0;
        for (size_t i = 0; i < rows; i++) /* within 1.8 epsilon */
            label[i] = (number + 1) / 7.0 + 0.9 * parameters.epsilon * ((double)i - 1);
        data = hinge_view_dense(rows, 1, value, HINGE_VALUE_DOUBLE, label, &error);
        assert_non_null(data);
        model = hinge_train(data, &parameters, NULL, &error);
        assert_non_null(model);
        assert_true(model->result->outcome == HINGE_CERTIFIED || parameters.epsilon == 0);
        zeros += parameters.epsilon == 0 && model->result->primal == 0;
        for (size_t i = 0; i < rows && model->result->primal == 0; i++) {
            const long double residual =
                (long double)label[i] - (long double)model->weight[0] * value[i] - model->weight[1];

            assert_true(fabsl(residual) <= parameters.epsilon);
        }
        hinge_model_free(model);
        hinge_view_free(data);
    }
    assert_true(zeros > 50); /* of 120 constants that must equal the target to the last bit */
}

static void test_refusals(void **state)
{
    static const double refused[] = {-1, -1e-300, NAN, HUGE_VAL, 1e101};
    static struct regression drawn;
    struct hinge_error error;

    (void)state;
    draw(&drawn, 0);
    drawn.parameters.solver = 12;
    for (size_t k = 0; k < COUNT(refused); k++) {
        drawn.parameters.epsilon = refused[k];
        assert_null(hinge_train(&drawn.data, &drawn.parameters, NULL, &error));
        assert_int_equal(error.status, HINGE_BAD_ARGUMENT);
        assert_string_equal(error.message, "epsilon: not between 0 and 1e100");
    }
    drawn.parameters.epsilon = 0.1;
    drawn.parameters.balanced = 1;
    assert_null(hinge_train(&drawn.data, &drawn.parameters, NULL, &error));
    assert_string_equal(error.message, "balanced: a regression (svr-dcd-l2) has no classes");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_certificates_are_true),
        cmocka_unit_test(test_rules_of_eps_are_LIBLINEARs),
        cmocka_unit_test(test_a_path_is_trainings_one_after_the_other),
        cmocka_unit_test(test_a_start_is_taken),
        cmocka_unit_test(test_monitors_see_rows_of_the_data),
        cmocka_unit_test(test_many_rows),
        cmocka_unit_test(test_cross_validation_predicts_what_it_did_not_see),
        cmocka_unit_test(test_residuals),
        cmocka_unit_test(test_a_constant_meets_the_targets),
        cmocka_unit_test(test_refusals),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
