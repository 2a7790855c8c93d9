/* test_one_class.c - one-class SVMs: certificates recomputed in long double from weights, rho and
 * alpha, and a comparison with slow steps on pairs of alpha. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support.h"

enum { MOST_ROWS = 150, MOST_FEATURES = 60 };

/* A dense problem and its properties. */
struct one_class {
    struct hinge_dataset data;
    struct hinge_parameters parameters;
    size_t start[MOST_ROWS + 1];
    uint32_t index[MOST_ROWS * MOST_FEATURES];
    double value[MOST_ROWS * MOST_FEATURES];
    double label[MOST_ROWS];
    double weight[MOST_ROWS];
    long double x[MOST_ROWS][MOST_FEATURES];
    unsigned long number;
};

#define HOLDS(problem, condition)                                                                  \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            print_error("problem %lu, nu = %g\n", (problem)->number, (problem)->parameters.nu);    \
            assert_true(condition);                                                                \
        }                                                                                          \
    } while (0)

/* ---- The problem ----------------------------------------------------------- */

static double cost(const struct one_class *from, size_t i)
{
    return from->parameters.row_weights > 0 ? from->weight[i] : 1;
}

static long double total_of(const struct one_class *from)
{
    long double total = 0;

    for (size_t i = 0; i < from->data.x.rows; i++)
        total += cost(from, i);
    return from->parameters.nu * total;
}

static long double dot(const struct one_class *from, size_t i, const long double *w)
{
    long double sum = 0;

    for (size_t j = 0; j < from->data.features; j++)
        sum += w[j] * from->x[i][j];
    return sum;
}

static long double primal_of(const struct one_class *from, const long double *w, long double rho)
{
    long double primal = -total_of(from) * rho;

    for (size_t j = 0; j < from->data.features; j++)
        primal += w[j] * w[j] / 2;
    for (size_t i = 0; i < from->data.x.rows; i++) {
        const long double slack = rho - dot(from, i, w);

        primal += slack > 0 ? cost(from, i) * slack : 0;
    }
    return primal;
}

/* Returns D(alpha), and sets v = sum alpha_i x_i. */
static long double dual_of(const struct one_class *from, const long double *alpha, long double *v)
{
    long double dual = 0;

    for (size_t j = 0; j < from->data.features; j++) {
        v[j] = 0;
        for (size_t i = 0; i < from->data.x.rows; i++)
            v[j] += alpha[i] * from->x[i][j];
        dual += v[j] * v[j] / 2;
    }
    return dual;
}

/* Returns P at the best rho, which is the z of a row. */
static long double best_primal(const struct one_class *from, const long double *w)
{
    long double best = primal_of(from, w, 0);

    for (size_t i = 0; i < from->data.x.rows; i++)
        best = fminl(best, primal_of(from, w, dot(from, i, w)));
    return best;
}

/* Returns the value that gaps are relative to, as the manual defines it. */
static long double scale_of(const struct one_class *from, long double primal)
{
    long double squares = 0, costs = 0, length;

    for (size_t i = 0; i < from->data.x.rows; i++) {
        squares += cost(from, i) * dot(from, i, from->x[i]);
        costs += cost(from, i);
    }
    length = 1e-3L * total_of(from) * sqrtl(squares / costs);
    return fmaxl(fmaxl(fabsl(primal), length * length / 2), DBL_MIN);
}

/* Minimises D `steps` times over the pair of rows that violates optimality most. */
static void descend(const struct one_class *from, long double *alpha, long double *w, int steps)
{
    const size_t rows = from->data.x.rows;
    long double rest = total_of(from);

    for (size_t i = 0; i < rows; i++) {
        alpha[i] = fminl(rest, cost(from, i));
        rest -= alpha[i];
    }
    dual_of(from, alpha, w);
    while (steps-- > 0) {
        long double least = HUGE_VALL, most = -HUGE_VALL, square = 0, t;
        size_t up = rows, down = rows;

        for (size_t i = 0; i < rows; i++) {
            const long double z = dot(from, i, w);

            if (alpha[i] < cost(from, i) && z < least) {
                least = z;
                up = i;
            }
            if (alpha[i] > 0 && z > most) {
                most = z;
                down = i;
            }
        }
        if (up == rows || down == rows || !(most > least))
            return;
        for (size_t j = 0; j < from->data.features; j++)
            square += (from->x[up][j] - from->x[down][j]) * (from->x[up][j] - from->x[down][j]);
        t = fminl((most - least) / square, fminl(cost(from, up) - alpha[up], alpha[down]));
        alpha[up] += t;
        alpha[down] -= t;
        for (size_t j = 0; j < from->data.features; j++)
            w[j] += t * (from->x[up][j] - from->x[down][j]);
    }
}

/* ---- Drawing --------------------------------------------------------------- */

enum kind { ORDINARY, DUPLICATES, EMPTY_ROWS, AROUND_ZERO, SPARSE, NO_FEATURES, KINDS };

/* Draws a row near a point away from 0, or equal to the previous row, or its opposite. */
static void draw_row(struct one_class *to, size_t i, enum kind kind, double scale, uint64_t *random)
{
    for (size_t j = 0; j < to->data.features; j++) {
        const double drawn = random_unit(random), centre = j % 3 ? 1 : 0;
        double x = scale * (centre + 2 * (drawn - 0.5));

        if (random_unit(random) < (kind == SPARSE ? 0.9 : 0.2))
            x = 0;
        if (kind == DUPLICATES && i % 3 > 0)
            x = (double)to->x[i - 1][j];
        if (kind == AROUND_ZERO && i % 2 > 0)
            x = -(double)to->x[i - 1][j];
        to->x[i][j] = kind == NO_FEATURES || (kind == EMPTY_ROWS && i % 4 == 1) ? 0 : x;
    }
}

/* Draws a problem. Each property depends on a different remainder of its number. */
static void draw(struct one_class *to, unsigned long number)
{
    static const double shares[] = {0.5, 0.1, 0.01, 0.9, 1, 1e-5, 1e-3, 0.3};
    static const double scales[] = {1, 1e6, 1e-6, 1};
    static const size_t shapes[][2] = {{100, 4}, {8, 50}, {20, 20}, {150, 2}, {1, 3}, {2, 1}};
    const size_t *shape = shapes[number % COUNT(shapes)];
    uint64_t random = 1000 + number;
    size_t nonzeros = 0;

    memset(to, 0, sizeof *to);
    to->number = number;
    to->parameters = parameters_default();
    to->parameters.solver = 21;
    to->parameters.nu = shares[number / 6 % COUNT(shares)];
    to->parameters.keep_alpha = 1;
    to->parameters.relative_gap = number % 7 == 0 ? 1e-8 : 1e-3;
    to->data.features = (uint32_t)shape[1];
    for (size_t i = 0; i < shape[0]; i++) {
        draw_row(to, i, (enum kind)(number / 5 % KINDS), scales[number / 3 % COUNT(scales)],
                 &random);
        to->start[i] = nonzeros;
        for (size_t j = 0; j < shape[1]; j++)
            if (to->x[i][j] != 0) {
                to->index[nonzeros] = (uint32_t)j;
                to->value[nonzeros++] = (double)to->x[i][j];
            }
        to->start[i + 1] = nonzeros;
        to->label[i] = (double)(i % 3); /* labels are ignored */
        to->weight[i] = i % 6 == 5 ? 0 : 3 * random_unit(&random);
    }
    if (number % 4 == 2) {
        to->parameters.row_weights = shape[0];
        to->parameters.row_weight = to->weight;
    }
    to->data.x = (struct hinge_matrix){.rows = shape[0],
                                       .nonzeros = nonzeros,
                                       .start = to->start,
                                       .index_kind = HINGE_INDEX_32,
                                       .value_kind = HINGE_VALUE_DOUBLE,
                                       .index = to->index,
                                       .value = to->value};
    to->data.label = to->label;
}

/* ---- Trainings ------------------------------------------------------------- */

static struct hinge_model *train(const struct one_class *from)
{
    struct hinge_error error = {HINGE_OK, ""};
    struct hinge_model *model = hinge_train(&from->data, &from->parameters, NULL, &error);

    if (!model)
        print_error("%s\n", error.message);
    HOLDS(from, model != NULL);
    return model;
}

/* The reported values of a model, recomputed. */
struct found {
    long double w[MOST_FEATURES];
    long double rho;
    long double alpha[MOST_ROWS];
    long double primal;
    long double dual;
    long double scale;
};

/* Checks that the point is feasible, and that P and D are not above the reported ones. */
static void check(const struct one_class *from, const struct hinge_model *model,
                  struct found *found)
{
    const struct hinge_result *result = model->result;
    const long double total = total_of(from);
    long double v[MOST_FEATURES], sum = 0, reach, tiny; /* tiny: rounding of this check */
    size_t support = 0;

    HOLDS(from, model->one_class && model->classes == 2 && model->columns == 1);
    HOLDS(from, model->label[0] == 1 && model->label[1] == -1 && model->bias == 1);
    for (size_t j = 0; j < from->data.features; j++)
        found->w[j] = model->weight[j];
    found->rho = -(long double)model->weight[from->data.features];
    for (size_t i = 0; i < from->data.x.rows; i++) {
        found->alpha[i] = model->alpha[i];
        sum += found->alpha[i];
        support += found->alpha[i] > 0;
        HOLDS(from, found->alpha[i] >= 0 && found->alpha[i] <= cost(from, i));
    }
    HOLDS(from, fabsl(sum - total) <= 1e-15L * total);
    HOLDS(from, result->support_vectors == support);
    found->primal = primal_of(from, found->w, found->rho);
    found->dual = dual_of(from, found->alpha, v);
    found->scale = scale_of(from, found->primal);
    reach = 1e3L * sqrtl(2 * scale_of(from, 0)) / from->parameters.nu; /* above sum C_i |x_i| */
    tiny = 1e-16L * found->dual + 1e-18L * reach * (sqrtl(found->dual) + 1e-18L * reach) + LDBL_MIN;
    HOLDS(from, found->primal <= result->primal + tiny && found->dual <= result->dual + tiny);
    HOLDS(from, found->primal <= tiny); /* P(0) = 0 */
    HOLDS(from, result->primal + result->dual <=
                    result->relative_gap * scale_of(from, result->primal) * (1 + 1e-12L));
}

/* A certified P is within the gap of the minimum, which the slow steps find. The weights of rows
 * outside sum to at most the share nu. */
static void test_certificates_are_true(void **state)
{
    enum { PROBLEMS = 1500, BRACKETED = 300 };
    static struct one_class drawn;
    static struct found found;
    unsigned known = 0, at_zero = 0;

    (void)state;
    for (unsigned long number = 0; number < PROBLEMS; number++) {
        struct hinge_model *model;
        long double w[MOST_FEATURES], alpha[MOST_ROWS], outside = 0, primal, dual;

        draw(&drawn, number);
        model = train(&drawn);
        check(&drawn, model, &found);
        HOLDS(&drawn, model->result->outcome == HINGE_CERTIFIED);
        HOLDS(&drawn, found.primal + found.dual <=
                          drawn.parameters.relative_gap * found.scale * (1 + 1e-9L) + LDBL_MIN);
        for (size_t i = 0; i < drawn.data.x.rows; i++)
            if (dot(&drawn, i, found.w) < found.rho - 1e-9L * fabsl(found.rho))
                outside += cost(&drawn, i);
        HOLDS(&drawn, outside <= total_of(&drawn) * (1 + 1e-12L));
        at_zero += found.primal == 0;
        if (number < BRACKETED) {
            descend(&drawn, alpha, w, 3000);
            primal = best_primal(&drawn, w);
            dual = dual_of(&drawn, alpha, w);
            HOLDS(&drawn, found.primal >= -dual - 1e-15L * dual);
            HOLDS(&drawn, primal >= -found.dual - 1e-15L * found.dual);
            known += primal + dual <= drawn.parameters.relative_gap * scale_of(&drawn, primal);
        }
        hinge_model_free(model);
    }
    assert_true(known > BRACKETED * 9 / 10 && at_zero > PROBLEMS / 20);
}

/* LIBLINEAR's rule: max z_i over alpha_i > 0 is at most eps above min z_i over alpha_i < C_i. */
static void test_rule_of_eps_is_LIBLINEARs(void **state)
{
    static struct one_class drawn;
    static struct found found;

    (void)state;
    for (unsigned long number = 0; number < 400; number++) {
        struct hinge_model *model;
        long double v[MOST_FEATURES], least = HUGE_VALL, most = -HUGE_VALL;

        draw(&drawn, number);
        drawn.parameters.relative_gap = 0;
        drawn.parameters.eps = number % 2 ? 1e-2 : 1e-6;
        if (number / 3 % 4 == 1) /* values of 1e6 */
            drawn.parameters.eps *= 1e12;
        model = train(&drawn);
        check(&drawn, model, &found);
        HOLDS(&drawn, model->result->outcome == HINGE_CERTIFIED ||
                          model->result->outcome == HINGE_TOLERANCE_MET);
        dual_of(&drawn, found.alpha, v);
        for (size_t i = 0; i < drawn.data.x.rows; i++) {
            const long double z = dot(&drawn, i, v);

            if (found.alpha[i] < cost(&drawn, i) * (1 - 1e-12L)) /* the sum may be rounded */
                least = fminl(least, z);
            most = found.alpha[i] > 0 ? fmaxl(most, z) : most;
        }
        HOLDS(&drawn, most - least <= drawn.parameters.eps * (1 + 1e-9L));
        hinge_model_free(model);
    }
}

/* ---- Other properties of a training ----------------------------------------- */

static void test_weights_of_rows_are_rows(void **state)
{
    static struct one_class once, twice;

    (void)state;
    for (unsigned long number = 0; number < 60; number++) {
        struct hinge_model *first, *second;
        size_t rows = 0;

        draw(&once, number);
        once.parameters.relative_gap = 1e-9;
        draw(&twice, number);
        twice.parameters.relative_gap = 1e-9;
        twice.parameters.row_weights = 0;
        if (once.data.x.rows > MOST_ROWS / 2)
            continue;
        for (size_t i = 0; i < once.data.x.rows; i++) {
            once.weight[i] = (double)((i + 1) % 3);
            for (size_t k = 0; k < (i + 1) % 3; k++)
                memcpy(twice.x[rows++], once.x[i], sizeof once.x[i]);
        }
        once.parameters.row_weights = once.data.x.rows;
        once.parameters.row_weight = once.weight;
        twice.data.x.rows = rows;
        twice.data.x.nonzeros = 0;
        for (size_t i = 0; i < rows; i++) {
            for (uint32_t j = 0; j < twice.data.features; j++)
                if (twice.x[i][j] != 0) {
                    twice.index[twice.data.x.nonzeros] = j;
                    twice.value[twice.data.x.nonzeros++] = (double)twice.x[i][j];
                }
            twice.start[i + 1] = twice.data.x.nonzeros;
        }
        first = train(&once);
        second = train(&twice);
        HOLDS(&once, fabs(first->result->primal - second->result->primal) <=
                         3e-9 * (double)scale_of(&once, first->result->primal));
        hinge_model_free(first);
        hinge_model_free(second);
    }
}

/* Labels and class weights have no effect. C is the unit of alpha. */
static void test_labels_count_for_nothing(void **state)
{
    static const double labels[] = {0, 1, -1}, weights[] = {0, 5, 7};
    static struct one_class drawn;
    struct hinge_model *first, *second;

    (void)state;
    draw(&drawn, 0);
    first = train(&drawn);
    drawn.parameters.weights = 3;
    drawn.parameters.weight_label = labels;
    drawn.parameters.weight = weights;
    for (size_t i = 0; i < drawn.data.x.rows; i++)
        drawn.label[i] = (double)i;
    second = train(&drawn);
    assert_memory_equal(first->weight, second->weight,
                        (drawn.data.features + 1) * sizeof *first->weight);
    hinge_model_free(second);
    drawn.parameters.C = 4;
    second = train(&drawn);
    for (size_t j = 0; j <= drawn.data.features; j++)
        assert_true(fabs(second->weight[j] - 4 * first->weight[j]) <=
                    1e-12 * fabs(first->weight[j]));
    hinge_model_free(first);
    hinge_model_free(second);
}

/* A training that starts from its own model is certified at once, or nearly so. A model of another
 * kind is refused as a start. */
static void test_a_start_is_taken(void **state)
{
    static struct one_class drawn;
    static struct found found;
    struct hinge_error error;

    (void)state;
    for (unsigned long number = 0; number < 200; number++) {
        struct hinge_model *first, *second;

        draw(&drawn, number);
        drawn.parameters.relative_gap = 1e-6;
        first = train(&drawn);
        drawn.parameters.initial = first;
        drawn.parameters.relative_gap = 1e-3;
        second = train(&drawn);
        check(&drawn, second, &found);
        HOLDS(&drawn, second->result->outcome == HINGE_CERTIFIED);
        first->one_class = 0;
        assert_null(hinge_train(&drawn.data, &drawn.parameters, NULL, &error));
        assert_string_equal(error.message,
                            "the initial model is no one-class SVM, the solver one-class");
        first->one_class = 1;
        hinge_model_free(first);
        hinge_model_free(second);
    }
}

/* On a path, costs and alpha are proportional to C. */
static void test_a_path_is_trainings_one_after_the_other(void **state)
{
    static const double C[] = {1, 8, 2};
    static struct one_class drawn;
    struct hinge_model *models[3];
    struct hinge_error error;

    (void)state;
    draw(&drawn, 0);
    assert_int_equal(hinge_train_path(&drawn.data, &drawn.parameters, C, 3, NULL, models, &error),
                     HINGE_OK);
    for (size_t k = 0; k < 3; k++) {
        assert_int_equal(models[k]->result->outcome, HINGE_CERTIFIED);
        assert_true(
            fabs(models[k]->result->primal / models[0]->result->primal / (C[k] * C[k]) - 1) < 2e-3);
    }
    for (size_t k = 0; k < 3; k++)
        hinge_model_free(models[k]);
}

static enum hinge_answer interrupt(void *context, const struct hinge_progress *progress)
{
    const uint64_t *passes = context;

    assert_true(progress->positive == 1 && progress->outputs == 1 && progress->bias == 1);
    return progress->passes >= *passes ? HINGE_INTERRUPT : HINGE_GO_ON;
}

/* A training that is stopped anywhere, also before the first step, reports true values, and P is
 * not above P(0) = 0. */
static void test_an_interrupted_training_says_the_truth(void **state)
{
    static struct one_class drawn;
    static struct found found;

    (void)state;
    for (unsigned long number = 0; number < 200; number++) {
        uint64_t passes = number % 3;
        const struct hinge_monitor monitor = {interrupt, &passes, NULL, 0};
        struct hinge_error error;
        struct hinge_model *model;

        draw(&drawn, number);
        drawn.parameters.relative_gap = 1e-9;
        assert_non_null(model = hinge_train(&drawn.data, &drawn.parameters, &monitor, &error));
        check(&drawn, model, &found);
        hinge_model_free(model);
    }
}

/* Folds have all rows, whatever their labels. Predictions are +1 or -1. */
static void test_cross_validation_predicts_what_it_did_not_see(void **state)
{
    static struct one_class drawn;
    struct hinge_validation validation;
    struct hinge_error error;
    size_t correct = 0, inside = 0;
    int interrupted;

    (void)state;
    draw(&drawn, 0);
    drawn.parameters.nu = 0.2;
    for (size_t i = 0; i < drawn.data.x.rows; i++)
        drawn.label[i] = i % 10 ? 1 : 7;
    assert_int_equal(hinge_cross_validate(&drawn.data, &drawn.parameters, 5, &drawn.parameters.C, 1,
                                          NULL, &validation, &interrupted, &error),
                     HINGE_OK);
    assert_int_equal(validation.certified, 5);
    assert_true(validation.predictions->label[0] == 1 && validation.predictions->label[1] == -1);
    assert_int_equal(validation.predictions->classes, 3); /* 1, -1 and 7 */
    for (size_t i = 0; i < drawn.data.x.rows; i++) {
        const uint32_t predicted = validation.predictions->predicted[i];

        assert_int_equal(predicted, validation.predictions->decision[i] > 0 ? 0 : 1);
        inside += predicted == 0;
        correct += predicted == validation.predictions->given[i];
    }
    assert_true(inside >= 65 && inside <= 95 && correct < inside);
    hinge_validation_clear(&validation);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_certificates_are_true),
        cmocka_unit_test(test_rule_of_eps_is_LIBLINEARs),
        cmocka_unit_test(test_weights_of_rows_are_rows),
        cmocka_unit_test(test_labels_count_for_nothing),
        cmocka_unit_test(test_a_start_is_taken),
        cmocka_unit_test(test_a_path_is_trainings_one_after_the_other),
        cmocka_unit_test(test_an_interrupted_training_says_the_truth),
        cmocka_unit_test(test_cross_validation_predicts_what_it_did_not_see),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
