/* test_softmax.c - multinomial logistic regression: the certificate recomputed in long double from
 * the model and its alpha, the minimum by gradient descent, two classes by logistic regression. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support.h"

enum { SOFTMAX = 62, MOST_ROWS = 60, MOST_FEATURES = 40, MOST_CLASSES = 6, KINDS = 8 };

/* A problem of a kind, and its dense form. */
struct drawn {
    size_t start[MOST_ROWS + 1];
    uint32_t index[MOST_ROWS * MOST_FEATURES];
    double value[MOST_ROWS * MOST_FEATURES], label[MOST_ROWS], row_weight[MOST_ROWS];
    double table[MOST_ROWS * MOST_FEATURES];
    double class_label[MOST_CLASSES], class_weight[MOST_CLASSES];
    size_t classes, rows, features;
    struct hinge_dataset data;
    struct hinge_parameters parameters;
};

static void draw_row(struct drawn *drawn, size_t i, int kind, uint64_t *random)
{
    size_t end = drawn->start[i];

    for (size_t j = 0; j < drawn->features; j++) {
        const double scale = kind == 5 ? pow(10, (double)(j % 9) - 4) : 1;

        if (random_unit(random) < 0.4)
            continue;
        drawn->index[end] = (uint32_t)j;
        drawn->value[end++] = scale * (2 * random_unit(random) - 1);
    }
    if (kind == 2 && i > 0 && i % 2) { /* the row before it again, of any class */
        const size_t count = drawn->start[i] - drawn->start[i - 1];

        end = drawn->start[i] + count;
        memmove(drawn->index + drawn->start[i], drawn->index + drawn->start[i - 1],
                count * sizeof *drawn->index);
        memmove(drawn->value + drawn->start[i], drawn->value + drawn->start[i - 1],
                count * sizeof *drawn->value);
    }
    if (kind == 3 && i % 3 == 0) /* no feature */
        end = drawn->start[i];
    drawn->start[i + 1] = end;
}

/* Many rows, many features, duplicate rows, rows without features, weights, features of any scale,
 * 0 and 1, classes that a plane separates. */
static void draw(struct drawn *drawn, unsigned long number)
{
    static const double C[] = {1e-6, 1e-2, 1, 1e2, 1e6, 1e10};
    const int kind = (int)(number % KINDS);
    uint64_t random = number + 1;

    memset(drawn, 0, sizeof *drawn);
    drawn->classes = 2 + draw_below(&random, MOST_CLASSES - 1);
    drawn->rows = kind == 1 ? drawn->classes + draw_below(&random, 6) : MOST_ROWS;
    drawn->features = kind == 1 ? MOST_FEATURES : 1 + draw_below(&random, 6);
    for (size_t i = 0; i < drawn->rows; i++) {
        size_t c = i < drawn->classes ? i : draw_below(&random, drawn->classes);

        draw_row(drawn, i, kind, &random);
        for (size_t e = drawn->start[i]; e < drawn->start[i + 1]; e++) {
            drawn->value[e] = kind == 6 ? 1 : drawn->value[e];
            drawn->value[e] += kind == 7 && drawn->index[e] == c % drawn->features ? 2 : 0;
        }
        drawn->label[i] = (double)c - 1;
        drawn->row_weight[i] = kind == 4 ? (double)draw_below(&random, 4) : 1;
    }
    for (size_t c = 0; c < drawn->classes; c++) {
        drawn->class_label[c] = (double)c - 1;
        drawn->class_weight[c] = 0.5 + random_unit(&random);
        drawn->row_weight[c] += drawn->row_weight[c] == 0;
    }
    drawn->data = (struct hinge_dataset){.x = {.rows = drawn->rows,
                                               .nonzeros = drawn->start[drawn->rows],
                                               .start = drawn->start,
                                               .index_kind = HINGE_INDEX_32,
                                               .value_kind = HINGE_VALUE_DOUBLE,
                                               .index = drawn->index,
                                               .value = drawn->value},
                                         .features = (uint32_t)drawn->features,
                                         .label = drawn->label};
    drawn->parameters = hinge_parameters_default();
    drawn->parameters.solver = SOFTMAX;
    drawn->parameters.C = C[number / KINDS % COUNT(C)];
    drawn->parameters.keep_alpha = 1;
    drawn->parameters.bias = number / 3 % 2 ? 1 : -1;
    drawn->parameters.free_bias = number / 3 % 4 == 1;
    if (kind == 4) {
        drawn->parameters.row_weight = drawn->row_weight;
        drawn->parameters.row_weights = drawn->rows;
        drawn->parameters.weight_label = drawn->class_label;
        drawn->parameters.weight = drawn->class_weight;
        drawn->parameters.weights = drawn->classes;
    }
}

/* C_i */
static double cost_of(const struct drawn *drawn, size_t i)
{
    const size_t c = (size_t)(drawn->label[i] + 1);

    return drawn->parameters.weights > 0
               ? drawn->parameters.C * drawn->class_weight[c] * drawn->row_weight[i]
               : drawn->parameters.C;
}

static struct hinge_model *train(const struct drawn *drawn)
{
    struct hinge_error error;
    struct hinge_model *model = hinge_train(&drawn->data, &drawn->parameters, NULL, &error);

    if (!model)
        fail_msg("%s", error.message);
    return model;
}

/* The column of the model for row i's class. */
static size_t class_of(const struct drawn *drawn, const struct hinge_model *model, size_t i)
{
    size_t c = 0;

    while (model->label[c] != drawn->label[i])
        c++;
    return c;
}

/* z[m] of row i for any weights of the model's layout. */
static void margins(const struct drawn *drawn, const struct hinge_model *model,
                    const long double *w, size_t i, long double *z)
{
    for (size_t m = 0; m < model->classes; m++) {
        z[m] = model->bias >= 0 ? model->bias * w[model->features * model->classes + m] : 0;
        for (size_t e = drawn->start[i]; e < drawn->start[i + 1]; e++)
            z[m] += drawn->value[e] * w[drawn->index[e] * model->classes + m];
    }
}

static size_t width_of(const struct hinge_model *model)
{
    return (model->features + (model->bias >= 0)) * model->classes;
}

/* Entries of w in |w|^2: without free biases. */
static size_t penalised_of(const struct hinge_model *model)
{
    return (model->features + (model->bias >= 0 && !model->free_bias)) * model->classes;
}

/* P(w); gradient[width], unless it is NULL. */
static long double exact_primal(const struct drawn *drawn, const struct hinge_model *model,
                                const long double *w, long double *gradient)
{
    const size_t k = model->classes;
    long double total = 0;

    for (size_t j = 0; j < width_of(model); j++) {
        const long double own = j < penalised_of(model) ? w[j] : 0;

        total += own * own / 2;
        if (gradient)
            gradient[j] = own;
    }
    for (size_t i = 0; i < drawn->rows; i++) {
        const size_t y = class_of(drawn, model, i);
        const double cost = cost_of(drawn, i);
        long double z[MOST_CLASSES] = {0}, top, rest = 0;
        size_t at = 0;

        margins(drawn, model, w, i, z);
        for (size_t m = 1; m < k; m++)
            at = z[m] > z[at] ? m : at;
        top = z[at];
        for (size_t m = 0; m < k; m++)
            rest += m == at ? 0 : expl(z[m] - top);
        total += cost * (top - z[y] + log1pl(rest));
        for (size_t m = 0; m < k && gradient; m++) {
            const long double slope = cost * (expl(z[m] - top) / (1 + rest) - (m == y));

            for (size_t e = drawn->start[i]; e < drawn->start[i + 1]; e++)
                gradient[drawn->index[e] * k + m] += slope * drawn->value[e];
            if (model->bias >= 0)
                gradient[model->features * k + m] += slope * model->bias;
        }
    }
    return total;
}

/* alpha, its rows made to sum to 0; and where biases are free the classes', by a share of the point
 * where all rows have the same probabilities. Rounding alone is to be made good for. */
static void feasible_alpha(const struct drawn *drawn, const struct hinge_model *model,
                           long double (*alpha)[MOST_CLASSES])
{
    const size_t k = model->classes;
    long double sum[MOST_CLASSES] = {0}, costs[MOST_CLASSES] = {0}, total = 0, share = 0;

    for (size_t i = 0; i < drawn->rows; i++) {
        const size_t y = class_of(drawn, model, i);
        const double cost = cost_of(drawn, i);
        long double others = 0;

        for (size_t m = 0; m < k; m++) {
            alpha[i][m] = model->alpha[i * k + m];
            others += m == y ? 0 : alpha[i][m];
            assert_true(m == y || (alpha[i][m] <= 0 && alpha[i][m] >= -cost));
        }
        assert_true(fabsl(alpha[i][y] + others) <= 1e-15L * fabsl(others));
        alpha[i][y] = -others;
        costs[y] += cost;
        total += cost;
        for (size_t m = 0; m < k; m++)
            sum[m] += alpha[i][m];
    }
    for (size_t m = 0; m < k && model->free_bias; m++) {
        assert_true(costs[m] > 0 || sum[m] == 0);
        share = fmaxl(share, costs[m] > 0 ? -sum[m] / costs[m] : 0);
    }
    assert_true(share <= 1e-13L);
    for (size_t i = 0; i < drawn->rows; i++)
        for (size_t m = 0; m < k; m++) {
            const int own = m == class_of(drawn, model, i);

            alpha[i][m] += (long double)cost_of(drawn, i) *
                           (share * own - (share * costs[m] + sum[m] * (share > 0)) / total);
            alpha[i][m] /= 1 + share;
        }
}

/* D(alpha) */
static long double exact_dual(const struct drawn *drawn, const struct hinge_model *model)
{
    static long double v[(MOST_FEATURES + 1) * MOST_CLASSES], alpha[MOST_ROWS][MOST_CLASSES];
    const size_t k = model->classes;
    long double total = 0;

    memset(v, 0, sizeof v);
    feasible_alpha(drawn, model, alpha);
    for (size_t i = 0; i < drawn->rows; i++) {
        const size_t y = class_of(drawn, model, i);
        const double cost = cost_of(drawn, i);

        for (size_t m = 0; m < k; m++) {
            const long double a = alpha[i][m], p = cost > 0 ? (m == y ? cost - a : -a) / cost : 0;

            assert_true(cost > 0 ? p >= -1e-19L && p <= 1 + 1e-15L : a == 0);
            if (p > 0)
                total += cost * p * (m == y ? log1pl(-a / cost) : logl(p));
            for (size_t e = drawn->start[i]; e < drawn->start[i + 1]; e++)
                v[drawn->index[e] * k + m] += a * drawn->value[e];
            if (model->bias >= 0)
                v[model->features * k + m] += a * model->bias;
        }
    }
    for (size_t j = 0; j < penalised_of(model); j++)
        total += v[j] * v[j] / 2;
    return total;
}

static void widen(const struct hinge_model *model, long double *w)
{
    for (size_t j = 0; j < width_of(model); j++) {
        assert_true(isfinite(model->weight[j]));
        w[j] = model->weight[j];
    }
}

/* The bounds are on the right side of the exact values, and what they prove is what was asked for.
 */
static void test_certificate_is_true(void **state)
{
    static struct drawn drawn;
    static long double w[(MOST_FEATURES + 1) * MOST_CLASSES];

    (void)state;
    for (unsigned long number = 0; number < 960; number++) {
        struct hinge_model *model;
        long double primal, dual;

        draw(&drawn, number);
        drawn.parameters.gap = number % 5 == 0 ? 1e-6 : 1e-3;
        drawn.parameters.max_passes = number % 7 == 0 ? 2 : 0;
        model = train(&drawn);
        widen(model, w);
        primal = exact_primal(&drawn, model, w, NULL);
        dual = exact_dual(&drawn, model);
        if (model->result->outcome == HINGE_CERTIFIED) {
            assert_true(model->result->primal >= primal * (1 - 1e-17L));
            assert_true(model->result->dual >= dual - 1e-17L * fabsl(dual));
            assert_true(model->result->gap <= drawn.parameters.gap);
        }
        assert_true(fabsl(model->result->primal - primal) <=
                    (1e-10L + 2 * model->result->rounding) * primal);
        assert_true(primal + dual >= -1e-15L * primal);
        if (drawn.parameters.max_passes == 0 && drawn.parameters.C <= 1e6)
            assert_int_equal(model->result->outcome, HINGE_CERTIFIED);
        hinge_model_free(model);
    }
}

/* Gradient descent with steps of 1 over a bound of the curvature, until its gradient is small. */
static void test_minimum_is_that_of_gradient_descent(void **state)
{
    static struct drawn drawn;
    static long double w[(MOST_FEATURES + 1) * MOST_CLASSES], gradient[COUNT(w)];

    (void)state;
    for (unsigned long number = 0; number < 64; number++) {
        struct hinge_model *model;
        long double curvature = 1, slope = 1, minimum = 0;

        draw(&drawn, number);
        drawn.parameters.C = number % 2 ? 1 : 0.1;
        drawn.parameters.gap = 1e-9;
        if (number % KINDS == 5) /* badly scaled: too slow this way */
            continue;
        model = train(&drawn);
        for (size_t i = 0; i < drawn.rows; i++)
            for (size_t e = drawn.start[i]; e <= drawn.start[i + 1]; e++) {
                const double x = e < drawn.start[i + 1] ? drawn.value[e] : model->bias;

                curvature += cost_of(&drawn, i) * x * x / 2;
            }
        memset(w, 0, sizeof w);
        for (int k = 0; k < 100000 && slope > 1e-16L * minimum; k++) {
            minimum = exact_primal(&drawn, model, w, gradient);
            slope = 0;
            for (size_t j = 0; j < width_of(model); j++) {
                w[j] -= gradient[j] / curvature;
                slope += gradient[j] * gradient[j];
            }
        }
        /* a bound of its excess; in free biases P is not curved by 1 */
        assert_true(slope / 2 <= 1e-12L * minimum);
        assert_true(model->result->primal <= minimum * (1 + 1.1e-9L));
        assert_true(model->result->primal >= minimum * (1 - (model->free_bias ? 1e-9L : 1e-12L)));
        assert_true(-model->result->dual <= minimum);
        hinge_model_free(model);
    }
}

/* Two columns +-u/2 have the loss of logistic regression with w = u, and |u|^2/4: P is half of that
 * of logistic regression at 2 C. */
static void test_two_classes_are_logistic_regression(void **state)
{
    static struct drawn drawn;

    (void)state;
    for (unsigned long number = 0; number < 240; number++) {
        struct hinge_model *both, *one;
        double size = 0, distance = 0;

        draw(&drawn, number);
        if (drawn.classes > 2)
            for (size_t i = 0; i < drawn.rows; i++)
                drawn.label[i] = drawn.label[i] > 0 ? 0 : drawn.label[i];
        drawn.parameters.C = fmin(drawn.parameters.C, 1e4);
        drawn.parameters.gap = 1e-9;
        both = train(&drawn);
        drawn.parameters.solver = 0;
        drawn.parameters.C *= 2;
        one = train(&drawn);
        assert_int_equal(both->columns, 2);
        assert_int_equal(both->problems, 1);
        assert_true(fabs(2 * both->result->primal - one->result->primal) <=
                    2.1e-9 * one->result->primal);
        for (size_t j = 0; j < width_of(both) / 2; j++) {
            assert_true(both->weight[2 * j] == -both->weight[2 * j + 1]);
            if (2 * j >= penalised_of(both))
                continue;
            distance += pow(2 * both->weight[2 * j] - one->weight[j], 2);
            size += pow(one->weight[j], 2);
        }
        /* |w - w*|^2 / 2 <= P(w) - P(w*) */
        assert_true(sqrt(distance) <= 3 * sqrt(2e-9 * one->result->primal) + 1e-12 * sqrt(size));
        hinge_model_free(both);
        hinge_model_free(one);
    }
}

/* Other labels in another order are the same problem. */
static void test_labels_do_not_matter(void **state)
{
    static struct drawn drawn;

    (void)state;
    for (unsigned long number = 0; number < 96; number++) {
        struct hinge_model *first, *second;
        double distance = 0;

        draw(&drawn, number);
        if (drawn.parameters.weights > 0)
            continue;
        drawn.parameters.C = fmin(drawn.parameters.C, 1e4);
        drawn.parameters.gap = 1e-9;
        first = train(&drawn);
        for (size_t i = 0; i < drawn.rows; i++) /* the order of first appearance is the other one */
            drawn.label[i] = (double)drawn.classes - 3 - drawn.label[i];
        second = train(&drawn);
        assert_true(fabs(first->result->primal - second->result->primal) <=
                    1.1e-9 * first->result->primal);
        for (size_t c = 0; c < first->classes; c++)
            for (size_t d = 0; d < first->classes; d++)
                for (size_t j = 0;
                     first->label[c] == (double)drawn.classes - 3 - second->label[d] &&
                     j < penalised_of(first) / first->classes;
                     j++)
                    distance += pow(first->weight[j * first->classes + c] -
                                        second->weight[j * first->classes + d],
                                    2);
        assert_true(sqrt(distance) <= 2 * sqrt(2e-9 * first->result->primal));
        hinge_model_free(first);
        hinge_model_free(second);
    }
}

/* ---- Free biases ---------------------------------------------------------- */

/* A number added to every feature changes free biases alone: w is within sqrt(2 excess) of that of
 * the minimum, and it takes about as many steps. */
static void test_moved_features_change_only_free_biases(void **state)
{
    static const double GAP = 1e-8;
    static struct drawn drawn;
    uint64_t steps = 0, moved_steps = 0;

    (void)state;
    for (unsigned long number = 0; number < 240; number++) {
        struct hinge_model *model, *moved;
        size_t at = 0;

        draw(&drawn, number);
        if (number % KINDS == 5) /* 10 more than 1e-4 leaves few digits */
            continue;
        drawn.parameters.C = fmin(fmax(drawn.parameters.C, 1e-3), 1e3);
        drawn.parameters.bias = drawn.parameters.free_bias = 1;
        drawn.parameters.gap = GAP;
        model = train(&drawn);
        for (size_t i = 0; i < drawn.rows; i++)
            for (size_t j = 0; j < drawn.features; j++) {
                double value = 0;

                for (size_t e = drawn.start[i]; e < drawn.start[i + 1]; e++)
                    value += drawn.index[e] == j ? drawn.value[e] : 0;
                drawn.table[at++] = 10 + value;
            }
        for (size_t i = 0; i <= drawn.rows; i++)
            drawn.start[i] = i * drawn.features;
        for (at = 0; at < drawn.rows * drawn.features; at++) {
            drawn.index[at] = (uint32_t)(at % drawn.features);
            drawn.value[at] = drawn.table[at];
        }
        drawn.data.x.nonzeros = at;
        moved = train(&drawn);
        assert_int_equal(model->result->outcome, HINGE_CERTIFIED);
        assert_int_equal(moved->result->outcome, HINGE_CERTIFIED);
        assert_true(fabs(model->result->primal - moved->result->primal) <=
                    1.1 * GAP * model->result->primal);
        for (size_t j = 0; j < penalised_of(model); j++)
            assert_true(fabs(model->weight[j] - moved->weight[j]) <=
                        2 * sqrt(2 * GAP * model->result->primal));
        steps += model->result->steps;
        moved_steps += moved->result->steps;
        hinge_model_free(model);
        hinge_model_free(moved);
    }
    assert_true(moved_steps <= steps + steps / 10);
}

/* Without rows of a class, its bias falls without end: the training ends, and no row has a share of
 * the class in alpha. */
static void test_class_without_rows(void **state)
{
    static struct drawn drawn;

    (void)state;
    for (unsigned long number = 4; number < 240; number += KINDS) {
        struct hinge_model *model;
        size_t empty = 0;

        draw(&drawn, number);
        drawn.parameters.bias = drawn.parameters.free_bias = 1;
        drawn.parameters.C = fmin(drawn.parameters.C, 1e4);
        drawn.class_weight[0] = 0;
        model = train(&drawn);
        if (drawn.classes > 2) /* else the minimum is 0 */
            assert_int_equal(model->result->outcome, HINGE_CERTIFIED);
        assert_true(model->result->primal < 1e-6 || drawn.classes > 2);
        while (model->label[empty] != drawn.class_label[0])
            empty++;
        for (size_t i = 0; i < drawn.rows; i++)
            assert_true(model->alpha[i * model->classes + empty] == 0);
        assert_true(exact_dual(&drawn, model) <=
                    model->result->dual + 1e-17L * fabs(model->result->dual));
        hinge_model_free(model);
    }
}

/* LIBLINEAR's rule of its primal solvers, with the smallest of the classes. */
static void test_rule_of_eps(void **state)
{
    static struct drawn drawn;
    static long double w[(MOST_FEATURES + 1) * MOST_CLASSES], gradient[COUNT(w)];

    (void)state;
    for (unsigned long number = 0; number < 192; number++) {
        size_t count[MOST_CLASSES] = {0}, fewest = MOST_ROWS;
        long double first = 0, last = 0;
        struct hinge_model *model;

        draw(&drawn, number);
        if (drawn.parameters.weights > 0 || drawn.parameters.C > 1e6)
            continue;
        drawn.parameters.gap = 0;
        drawn.parameters.eps = number % 2 ? 0.01 : 1e-4;
        model = train(&drawn);
        assert_true(model->result->outcome == HINGE_TOLERANCE_MET ||
                    model->result->outcome == HINGE_CERTIFIED);
        for (size_t i = 0; i < drawn.rows; i++)
            count[class_of(&drawn, model, i)]++;
        for (size_t c = 0; c < model->classes; c++)
            fewest = count[c] < fewest ? count[c] : fewest;
        memset(w, 0, sizeof w);
        exact_primal(&drawn, model, w, gradient);
        for (size_t j = 0; j < width_of(model); j++)
            first += gradient[j] * gradient[j];
        widen(model, w);
        exact_primal(&drawn, model, w, gradient);
        for (size_t j = 0; j < width_of(model); j++)
            last += gradient[j] * gradient[j];
        assert_true(sqrtl(last) <= drawn.parameters.eps * (1 + 1e-9) * (double)fewest /
                                       (double)drawn.rows * sqrtl(first));
        hinge_model_free(model);
    }
}

/* ---- Stopping, and going on ---------------------------------------------- */

static enum hinge_answer interrupt(void *context, const struct hinge_progress *progress)
{
    unsigned *asked = context;

    assert_int_equal(progress->problems, 1);
    *asked -= *asked > 0;
    return *asked == 0 ? HINGE_INTERRUPT : HINGE_GO_ON;
}

/* Wherever it is stopped, between steps or within the solution of a system, what is returned is no
 * worse than 0, and says so; and is a start for the rest. */
static void test_stopped_anywhere(void **state)
{
    static struct drawn drawn;
    static long double w[(MOST_FEATURES + 1) * MOST_CLASSES];
    unsigned stopped = 0;

    (void)state;
    for (unsigned after = 0; after < 200; after++) {
        unsigned left = 1 + after / 4;
        const struct hinge_monitor monitor = {interrupt, &left, NULL, 1};
        struct hinge_error error;
        struct hinge_model *model, *rest;

        draw(&drawn, after);
        drawn.parameters.C = 1e3;
        drawn.parameters.gap = 1e-9;
        model = hinge_train(&drawn.data, &drawn.parameters, &monitor, &error);
        assert_non_null(model);
        widen(model, w);
        if (left == 0)
            assert_true(model->result->outcome == HINGE_INTERRUPTED ||
                        model->result->outcome == HINGE_CERTIFIED);
        stopped += model->result->outcome == HINGE_INTERRUPTED;
        assert_true(exact_primal(&drawn, model, w, NULL) <= model->result->primal * (1 + 1e-12L));
        memset(w, 0, sizeof w);
        assert_true(model->result->primal <= exact_primal(&drawn, model, w, NULL) * (1 + 1e-12L));
        drawn.parameters.initial = model;
        rest = train(&drawn);
        assert_int_equal(rest->result->outcome, HINGE_CERTIFIED);
        hinge_model_free(rest);
        hinge_model_free(model);
    }
    assert_true(stopped > 50);
}

/* A path of C ends at each C where a training of its own does. */
static void test_path_over_C(void **state)
{
    static const double C[] = {1e-3, 0.1, 10, 1e3, 1};
    static struct drawn drawn;

    (void)state;
    for (unsigned long number = 0; number < 40; number++) {
        struct hinge_model *model[COUNT(C)], *alone;
        struct hinge_error error;

        draw(&drawn, number);
        drawn.parameters.gap = 1e-6;
        assert_int_equal(
            hinge_train_path(&drawn.data, &drawn.parameters, C, COUNT(C), NULL, model, &error),
            HINGE_OK);
        for (size_t k = 0; k < COUNT(C); k++) {
            drawn.parameters.C = C[k];
            alone = train(&drawn);
            assert_int_equal(model[k]->result->outcome, HINGE_CERTIFIED);
            assert_true(fabs(alone->result->primal - model[k]->result->primal) <=
                        1.1e-6 * alone->result->primal);
            assert_true(exact_dual(&drawn, model[k]) <=
                        model[k]->result->dual + 1e-17L * fabs(model[k]->result->dual));
            hinge_model_free(alone);
            hinge_model_free(model[k]);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_certificate_is_true),
        cmocka_unit_test(test_minimum_is_that_of_gradient_descent),
        cmocka_unit_test(test_two_classes_are_logistic_regression),
        cmocka_unit_test(test_labels_do_not_matter),
        cmocka_unit_test(test_moved_features_change_only_free_biases),
        cmocka_unit_test(test_class_without_rows),
        cmocka_unit_test(test_rule_of_eps),
        cmocka_unit_test(test_stopped_anywhere),
        cmocka_unit_test(test_path_over_C),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
