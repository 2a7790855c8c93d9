/* test_regression.c - regressions, their certificates recomputed in long double from weights and
 * alpha, against a slow descent over beta. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support.h"

enum { MOST_ROWS = 120, MOST_FEATURES = 60 };

/* A dense problem, and what it is like. */
struct regression {
    struct hinge_dataset data;
    struct hinge_parameters parameters;
    size_t start[MOST_ROWS + 1];
    uint32_t index[MOST_ROWS * MOST_FEATURES];
    double value[MOST_ROWS * MOST_FEATURES];
    double label[MOST_ROWS];
    double weight[MOST_ROWS];
    size_t rows;
    size_t width; /* with the bias */
    int squared;
    double scale; /* of the targets */
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

    return from->parameters.C * (weighs ? from->weight[i] : 1); /* as hinge.h has it */
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

/* D(beta), and v = sum beta_i x_i. */
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

/* Descends along one beta after the other, so many times. */
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

/* What the numbers of a problem decide, each by a remainder of its own. */
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
    to->parameters = hinge_parameters_default();
    to->parameters.C = costs[number / 2 % COUNT(costs)];
    to->parameters.bias = number % 5 == 0 ? 1 : -1;
    to->parameters.keep_alpha = 1;
    to->parameters.gap = number % 7 == 0 ? 1e-8 : 1e-3;
    to->width = shape[1] + (to->parameters.bias >= 0);
    for (size_t j = 0; j < shape[1]; j++)
        plane[j] = random_unit(&random) - 0.5;
    for (size_t i = 0; i < to->rows; i++) {
        const size_t like = i % 4 == 3 && number % 4 == 1 ? i - 1 : i; /* the row before again */

        to->start[i] = nonzeros;
        to->label[i] = random_unit(&random) - 0.5;
        for (size_t j = 0; j < shape[1] && (i % 9 != 4 || number % 3 > 0);
             j++) { /* or no feature */
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

/* With a linear loss C/s at targets of size 1 is C at targets of size s. A residual that is epsilon
 * but for rounding costs C 1e-16 s there, beside a P of s^2. */
static int is_beyond_double(const struct regression *from)
{
    return !from->squared &&
           from->parameters.C / from->scale * (HINGE_DEFAULT_GAP / from->parameters.gap) > 1e10;
}

/* The model says the truth: P and D are not above what is reported, the gap is certified. */
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
        HOLDS(from, primal + dual <= from->parameters.gap * primal + tiny);
        HOLDS(from, result->primal <= primal * (1 + from->parameters.gap) + 1e-290L);
    }
    if (bracket && result->outcome == HINGE_CERTIFIED) {
        HOLDS(from, primal * (1 - from->parameters.gap) <= bracket[0] + tiny);
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
    assert_true(known > 3 * BRACKETED / 2); /* elsewhere the descent is too slow to tell */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_certificates_are_true),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
