/* test_proximal_newton.c - L1-regularised L2-loss and logistic regression: the certificate
 * recomputed in long double from the model and its alpha, the minimum by an independent method,
 * LIBLINEAR's rule, and the C at which the solution leaves 0. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "random_problem.h"
#include "solver/linear/column_cache.h"
#include "solver/loop/solver.h"
#include "support.h"

enum { SQUARED = 5, LOGISTIC = 6, KINDS = 9, MANY = 300 };
enum { MOST_ROWS = 500, MOST_NONZEROS = 30000 };

/* A random problem and its parameters. */
struct drawn {
    size_t start[MOST_ROWS + 1];
    uint32_t index[MOST_NONZEROS];
    double value[MOST_NONZEROS], label[MOST_ROWS], row_weight[MOST_ROWS];
    double class_label[2], class_weight[2];
    struct hinge_dataset data;
    struct hinge_parameters parameters;
};

static const double costs[] = {1e-6, 1e-2, 1, 1e2, 1e6};

static void draw_row(struct drawn *drawn, size_t i, int kind, uint64_t *random)
{
    const uint32_t features = drawn->data.features;
    const double share = kind == 1 ? 0.02 : 0.5;
    size_t end = drawn->start[i];

    for (uint32_t j = 0; j < features && end < MOST_NONZEROS; j++) {
        if (random_unit(random) > share)
            continue;
        drawn->index[end] = j;
        drawn->value[end] = kind == 6 ? 1 : 2 * random_unit(random) - 1;
        drawn->value[end] *= kind == 5 ? pow(10, (double)(j % 7) - 3) : 1;
        drawn->value[end] += kind == 7 && j == 0 ? 2 * drawn->label[i] : 0;
        end++;
    }
    if (kind == 2 && i % 2) { /* repeats the previous row, in any class */
        const size_t count = drawn->start[i] - drawn->start[i - 1];

        end = drawn->start[i] + count;
        memmove(drawn->index + drawn->start[i], drawn->index + drawn->start[i - 1],
                count * sizeof *drawn->index);
        memmove(drawn->value + drawn->start[i], drawn->value + drawn->start[i - 1],
                count * sizeof *drawn->value);
    }
    if (kind == 3 && i % 3 == 0) /* a row without features */
        end = drawn->start[i];
    for (size_t e = drawn->start[i]; kind == 8 && e < end; e++) /* pairs of equal features */
        drawn->value[e] =
            drawn->index[e] % 2 && e > drawn->start[i] && drawn->index[e] == drawn->index[e - 1] + 1
                ? drawn->value[e - 1]
                : drawn->value[e];
    drawn->start[i + 1] = end;
}

/* Draws a problem. The kinds are: many rows, more features than rows and than a matrix is made for,
 * duplicate rows, rows without features, weights, features of any scale, 0 and 1, classes that a
 * plane separates, equal features. Every third problem has a bias, every third a free bias. */
static void draw(struct drawn *drawn, unsigned long number, int solver)
{
    const int kind = (int)(number % KINDS);
    const size_t rows = kind == 1 ? 40 : kind == 0 ? MANY : 60;
    uint64_t random = number + 1;

    memset(drawn, 0, sizeof *drawn);
    drawn->data = (struct hinge_dataset){.x = {.rows = rows,
                                               .start = drawn->start,
                                               .index_kind = HINGE_INDEX_32,
                                               .value_kind = HINGE_VALUE_DOUBLE,
                                               .index = drawn->index,
                                               .value = drawn->value},
                                         .features = kind == 1 ? 700 : 2 + (uint32_t)(number % 19),
                                         .label = drawn->label};
    for (size_t i = 0; i < rows; i++) {
        drawn->label[i] = i > 1 && random_unit(&random) < 0.6 ? -1 : 1;
        drawn->label[1] = -1;
        draw_row(drawn, i, kind, &random);
        drawn->row_weight[i] = i > 1 ? (double)draw_below(&random, 4) / 2 : 1;
    }
    drawn->data.x.nonzeros = drawn->start[rows];
    drawn->parameters = parameters_default();
    drawn->parameters.solver = solver;
    drawn->parameters.C = costs[number / KINDS % COUNT(costs)];
    drawn->parameters.keep_alpha = 1;
    drawn->parameters.bias = number % 3 ? 1 : -1;
    drawn->parameters.free_bias = number % 3 == 2;
    drawn->class_label[0] = drawn->class_weight[0] = 1;
    drawn->class_label[1] = -1;
    drawn->class_weight[1] = 0.3;
    if (kind != 4)
        return;
    drawn->parameters.row_weight = drawn->row_weight;
    drawn->parameters.row_weights = rows;
    drawn->parameters.weight_label = drawn->class_label;
    drawn->parameters.weight = drawn->class_weight;
    drawn->parameters.weights = 2;
}

/* Draws words: feature j is 1 in about one of 1 + j/8 rows. The labels are noise. */
static void draw_words(struct drawn *drawn, unsigned long number, int solver)
{
    uint64_t random = number + 1;
    size_t end = 0;

    draw(drawn, 9 * number, solver); /* kind 0, and its biases */
    drawn->data.x.rows = MOST_ROWS;
    drawn->data.features = 2000;
    for (size_t i = 0; i < MOST_ROWS; i++) {
        drawn->label[i] = i % 2 ? 1 : -1;
        for (uint32_t j = 0; j < drawn->data.features && end < MOST_NONZEROS; j++)
            if (random_unit(&random) < 8.0 / (j + 8.0)) {
                drawn->index[end] = j;
                drawn->value[end++] = 1;
            }
        drawn->start[i + 1] = end;
    }
    drawn->data.x.nonzeros = end;
}

/* Keeps half of the rows, and repeats them with the other label. */
static void give_rows_both_labels(struct drawn *drawn)
{
    const size_t half = drawn->data.x.rows / 2, end = drawn->start[half];

    memcpy(drawn->index + end, drawn->index, end * sizeof *drawn->index);
    memcpy(drawn->value + end, drawn->value, end * sizeof *drawn->value);
    for (size_t i = 0; i < half; i++) {
        drawn->start[half + i + 1] = end + drawn->start[i + 1];
        drawn->label[half + i] = -drawn->label[i];
    }
    drawn->data.x.rows = 2 * half;
    drawn->data.x.nonzeros = 2 * end;
}

static struct hinge_model *train(const struct drawn *drawn)
{
    struct hinge_error error;
    struct hinge_model *model = hinge_train(&drawn->data, &drawn->parameters, NULL, &error);

    if (!model)
        fail_msg("%s", error.message);
    return model;
}

static double cost_of(const struct drawn *drawn, size_t i)
{
    const double C = drawn->parameters.C;

    return drawn->parameters.weights > 0
               ? C * drawn->class_weight[drawn->label[i] < 0] * drawn->row_weight[i]
               : C;
}

/* ---- In long double ----------------------------------------------------- */

static long double margin(const struct drawn *drawn, const double *w, size_t i)
{
    long double z = 0;

    for (size_t e = drawn->start[i]; e < drawn->start[i + 1]; e++)
        z += (long double)drawn->value[e] * w[drawn->index[e]];
    if (drawn->parameters.bias >= 0)
        z += drawn->parameters.bias * w[drawn->data.features];
    return drawn->label[i] * z;
}

static long double loss(const struct drawn *drawn, long double z)
{
    if (drawn->parameters.solver == SQUARED)
        return z < 1 ? (1 - z) * (1 - z) : 0;
    return z > 0 ? log1pl(expl(-z)) : log1pl(expl(z)) - z;
}

/* Returns -phi'(z). */
static long double slope(const struct drawn *drawn, long double z)
{
    if (drawn->parameters.solver == SQUARED)
        return z < 1 ? 2 * (1 - z) : 0;
    return z > 0 ? expl(-z) / (1 + expl(-z)) : 1 / (1 + expl(z));
}

static size_t width_of(const struct drawn *drawn)
{
    return drawn->data.features + (drawn->parameters.bias >= 0);
}

static int is_penalised(const struct drawn *drawn, size_t j)
{
    return j < drawn->data.features || !drawn->parameters.free_bias;
}

static long double primal_of(const struct drawn *drawn, const double *w)
{
    long double P = 0;

    for (size_t j = 0; j < width_of(drawn); j++)
        P += is_penalised(drawn, j) ? fabsl(w[j]) : 0;
    for (size_t i = 0; i < drawn->data.x.rows; i++)
        if (cost_of(drawn, i) > 0)
            P += cost_of(drawn, i) * loss(drawn, margin(drawn, w, i));
    return P;
}

/* Returns C phi*(-a/C). */
static long double conjugate(const struct drawn *drawn, long double cost, long double a)
{
    const long double p = a / cost;

    if (drawn->parameters.solver == SQUARED)
        return a * p / 4 - a;
    return cost * ((p > 0 ? p * logl(p) : 0) + (p < 1 ? (1 - p) * log1pl(-p) : 0));
}

/* Sets v[width] := sum alpha_i y_i x_i. */
static void combine(const struct drawn *drawn, const long double *alpha, long double *v)
{
    memset(v, 0, width_of(drawn) * sizeof *v);
    for (size_t i = 0; i < drawn->data.x.rows; i++) {
        for (size_t e = drawn->start[i]; e < drawn->start[i + 1]; e++)
            v[drawn->index[e]] += drawn->label[i] * alpha[i] * drawn->value[e];
        if (drawn->parameters.bias >= 0)
            v[drawn->data.features] += drawn->label[i] * alpha[i] * drawn->parameters.bias;
    }
}

/* Returns D of the feasible point that alpha stands for. With a free bias, the class with the
 * larger sum is scaled first. Then all alpha are scaled by *times, so that no |v_j| exceeds 1. */
static long double dual_of(const struct drawn *drawn, const double *alpha, long double *times)
{
    static long double point[MOST_ROWS], v[MOST_NONZEROS];
    long double sum[2] = {0, 0}, largest = 1, D = 0;

    for (size_t i = 0; i < drawn->data.x.rows; i++)
        sum[drawn->label[i] > 0] += alpha[i];
    for (size_t i = 0; i < drawn->data.x.rows; i++) {
        const int side = drawn->label[i] > 0;

        point[i] = alpha[i];
        if (drawn->parameters.free_bias && sum[side] > sum[!side])
            point[i] *= sum[!side] / sum[side];
    }
    combine(drawn, point, v);
    for (size_t j = 0; j < width_of(drawn); j++)
        largest = is_penalised(drawn, j) ? fmaxl(largest, fabsl(v[j])) : largest;
    for (size_t i = 0; i < drawn->data.x.rows; i++) {
        const double cost = cost_of(drawn, i);

        if (!(alpha[i] >= 0) || (drawn->parameters.solver == LOGISTIC && alpha[i] > cost))
            fail_msg("alpha of row %lu is %g, its cost %g", (unsigned long)i, alpha[i], cost);
        if (cost > 0)
            D += conjugate(drawn, cost, point[i] / largest);
    }
    *times = 1 / largest;
    return D;
}

/* ---- Tests -------------------------------------------------------------- */

/* Checks that P, D and the gap of the result are bounds of the true values at w and alpha. Returns
 * the factor by which alpha is scaled. */
static long double check_bounds(const struct drawn *drawn, unsigned long number,
                                const struct hinge_model *model)
{
    const struct hinge_result *result = model->result;
    const int solver = drawn->parameters.solver;
    long double times;
    const long double P = primal_of(drawn, model->weight), D = dual_of(drawn, model->alpha, &times);

    if (!(P <= result->primal * (1 + 1e-15L)) ||
        !(D <= result->dual + 1e-15L * fabsl(D) + 1e-17L * P) ||
        !(P + D <= result->relative_gap * P + 1e-17L * P))
        fail_msg("problem %lu, solver %d: P %.17Lg, said %.17g, D %.17Lg, said %.17g", number,
                 solver, P, result->primal, D, result->dual);
    if (!(P + D >= -1e-15L * P))
        fail_msg("problem %lu, solver %d: P + D = %Lg", number, solver, P + D);
    return times;
}

static void check_certificate(const struct drawn *drawn, unsigned long number,
                              const struct hinge_model *model)
{
    const struct hinge_result *result = model->result;
    const int solver = drawn->parameters.solver;
    const long double times = check_bounds(drawn, number, model);

    if (result->outcome != HINGE_CERTIFIED ||
        !(result->relative_gap <= drawn->parameters.relative_gap))
        fail_msg("problem %lu, solver %d: %s, gap %g", number, solver,
                 hinge_outcome_name(result->outcome), result->relative_gap);
    if (!(times > 1 - 1e-6L))
        fail_msg("problem %lu, solver %d: alpha to be multiplied by %.17Lg", number, solver, times);
}

static void test_certificates_are_true(void **state)
{
    static struct drawn drawn;
    size_t nonzeros = 0, zeros = 0;

    (void)state;
    for (unsigned long number = 0; number < 4 * KINDS * COUNT(costs); number++)
        for (int solver = SQUARED; solver <= LOGISTIC; solver++) {
            struct hinge_model *model;

            draw(&drawn, number, solver);
            drawn.parameters.relative_gap = number % 2 ? 1e-3
                                            : drawn.parameters.C < 1e6
                                                ? 1e-7
                                                : 1e-5; /* reached at any scale */
            model = train(&drawn);
            check_certificate(&drawn, number, model);
            for (size_t j = 0; j < width_of(&drawn); j++) {
                nonzeros += model->weight[j] != 0;
                zeros += model->weight[j] == 0;
            }
            hinge_model_free(model);
        }
    assert_true(nonzeros > 1000 && zeros > 10000);
}

/* Returns the minimum of P by proximal gradient steps with momentum, from 0. */
static long double slow_minimum(const struct drawn *drawn)
{
    static double w[MOST_NONZEROS], at[MOST_NONZEROS], next;
    static long double alpha[MOST_ROWS], v[MOST_NONZEROS];
    long double curvature = 0, momentum = 1;

    for (size_t i = 0; i < drawn->data.x.rows; i++) {
        long double square = drawn->parameters.bias >= 0 ? 1 : 0;

        for (size_t e = drawn->start[i]; e < drawn->start[i + 1]; e++)
            square += (long double)drawn->value[e] * drawn->value[e];
        curvature += (drawn->parameters.solver == SQUARED ? 2 : 0.25L) * cost_of(drawn, i) * square;
    }
    memset(w, 0, sizeof w);
    memset(at, 0, sizeof at);
    for (int k = 0; k < 30000; k++) {
        const long double before = momentum;

        momentum = (1 + sqrtl(1 + 4 * before * before)) / 2;
        for (size_t i = 0; i < drawn->data.x.rows; i++)
            alpha[i] = cost_of(drawn, i) * slope(drawn, margin(drawn, at, i));
        combine(drawn, alpha, v);
        for (size_t j = 0; j < width_of(drawn); j++) {
            const long double to = at[j] + v[j] / curvature;
            const long double rest = fabsl(to) - (is_penalised(drawn, j) ? 1 / curvature : 0);

            next = rest > 0 ? (double)copysignl(rest, to) : 0;
            at[j] = next + (double)((before - 1) / momentum) * (next - w[j]);
            w[j] = next;
        }
    }
    return primal_of(drawn, w);
}

static void test_the_minimum_is_that_of_another_method(void **state)
{
    static struct drawn drawn;

    (void)state;
    for (unsigned long number = 2 * KINDS; number < 3 * KINDS; number++)
        for (int solver = SQUARED; solver <= LOGISTIC; solver++) {
            struct hinge_model *model;
            long double slow;

            if (number % KINDS == 0 || number % KINDS == 5) /* large; badly scaled */
                continue;
            draw(&drawn, number, solver);
            drawn.parameters.relative_gap = 1e-9;
            model = train(&drawn);
            slow = slow_minimum(&drawn);
            if (!(fabsl(slow - primal_of(&drawn, model->weight)) <= 1e-6L * slow))
                fail_msg("problem %lu, solver %d: %.17g, slowly %.17Lg", number, solver,
                         model->result->primal, slow);
            hinge_model_free(model);
        }
}

/* The solution is w = 0 exactly if no |v_j| at 0 exceeds 1. It is found without a step. */
static void test_where_the_solution_leaves_zero(void **state)
{
    static struct drawn drawn;
    static long double alpha[MOST_ROWS], v[MOST_NONZEROS];

    (void)state;
    for (unsigned long number = 0; number < 6 * KINDS; number += 3) /* without a bias */
        for (int solver = SQUARED; solver <= LOGISTIC; solver++) {
            long double largest = 0;

            draw(&drawn, number, solver);
            drawn.parameters.C = 1;
            for (size_t i = 0; i < drawn.data.x.rows; i++)
                alpha[i] = cost_of(&drawn, i) * slope(&drawn, 0);
            combine(&drawn, alpha, v);
            for (size_t j = 0; j < width_of(&drawn); j++)
                largest = fmaxl(largest, fabsl(v[j]));
            for (int above = 0; above < 2; above++) {
                struct hinge_model *model;

                drawn.parameters.relative_gap = 1e-9;
                drawn.parameters.C = (double)((above ? 1.01L : 0.99L) / largest);
                model = train(&drawn);
                assert_int_equal(model->result->nonzeros > 0, above);
                assert_int_equal(model->result->passes > 0, above);
                hinge_model_free(model);
            }
        }
}

/* Each row occurs once with each label, so that all v_j are 0 at w = 0. The solution is 0 at any C.
 * The sanitizers see it if v = 0 is a divisor. */
static void test_rows_of_both_classes(void **state)
{
    static struct drawn drawn;

    (void)state;
    for (int kind = 0; kind < 6; kind++)
        for (int solver = SQUARED; solver <= LOGISTIC; solver++) {
            struct hinge_model *model;

            if (kind < 3)
                draw_words(&drawn, 0, solver);
            else
                draw(&drawn, 0, solver);
            drawn.parameters.bias = kind % 3 ? 1 : -1;
            drawn.parameters.free_bias = kind % 3 == 2;
            give_rows_both_labels(&drawn);
            drawn.parameters.C = 1e4;
            model = train(&drawn);
            check_certificate(&drawn, 0, model);
            for (size_t j = 0; j < width_of(&drawn); j++)
                assert_true(model->weight[j] == 0);
            assert_int_equal(model->result->passes, 0);
            hinge_model_free(model);
        }
}

static long double violation(const struct drawn *drawn, const double *w)
{
    static long double alpha[MOST_ROWS], v[MOST_NONZEROS];
    long double sum = 0;

    for (size_t i = 0; i < drawn->data.x.rows; i++)
        alpha[i] = cost_of(drawn, i) * slope(drawn, margin(drawn, w, i));
    combine(drawn, alpha, v);
    for (size_t j = 0; j < width_of(drawn); j++)
        sum += !is_penalised(drawn, j) ? fabsl(v[j])
               : w[j] != 0             ? fabsl(copysignl(1, w[j]) - v[j])
                                       : fmaxl(0, fabsl(v[j]) - 1);
    return sum;
}

static void test_rule_of_liblinear(void **state)
{
    static struct drawn drawn;
    static double zero[MOST_NONZEROS];
    size_t met = 0;

    (void)state;
    for (unsigned long number = 0; number < 5 * KINDS; number++)
        for (int solver = SQUARED; solver <= LOGISTIC; solver++) {
            double positive = 0, rows, fewer;
            struct hinge_model *model;

            if (number % KINDS == 4) /* rows of weight 0 are not counted */
                continue;
            draw(&drawn, number, solver);
            drawn.parameters.relative_gap = 0;
            drawn.parameters.eps = number % 2 ? 0.01 : 1e-4;
            rows = (double)drawn.data.x.rows;
            for (size_t i = 0; i < drawn.data.x.rows; i++)
                positive += drawn.label[i] > 0;
            fewer = fmin(positive, rows - positive);
            model = train(&drawn);
            assert_true(model->result->outcome == HINGE_TOLERANCE_MET ||
                        model->result->outcome == HINGE_CERTIFIED);
            if (!(violation(&drawn, model->weight) <=
                  (1 + 1e-6L) * drawn.parameters.eps * fewer / rows * violation(&drawn, zero) +
                      1e-9L))
                fail_msg("problem %lu, solver %d: %Lg of %Lg", number, solver,
                         violation(&drawn, model->weight), violation(&drawn, zero));
            met += model->result->passes > 0;
            hinge_model_free(model);
        }
    assert_true(met > 20);
}

/* A path, up or down, has the minima of single trainings. Each of its trainings starts where the
 * previous one ended. */
static void test_a_path_starts_where_the_last_C_ended(void **state)
{
    static const double C[] = {0.5, 0.6, 0.75, 0.7, 1};
    static struct drawn drawn;
    uint64_t alone = 0, together = 0;

    (void)state;
    for (unsigned long number = 0; number < 2 * KINDS; number++)
        for (int solver = SQUARED; solver <= LOGISTIC; solver++) {
            struct hinge_model *models[COUNT(C)];
            struct hinge_error error;

            draw(&drawn, number, solver);
            drawn.parameters.relative_gap = 1e-6;
            assert_int_equal(
                hinge_train_path(&drawn.data, &drawn.parameters, C, COUNT(C), NULL, models, &error),
                HINGE_OK);
            for (size_t k = 0; k < COUNT(C); k++) {
                struct hinge_model *own;

                drawn.parameters.C = C[k];
                own = train(&drawn);
                assert_int_equal(models[k]->result->outcome, HINGE_CERTIFIED);
                assert_true(fabs(own->result->primal - models[k]->result->primal) <=
                            1e-6 * own->result->primal);
                alone += own->result->passes;
                together += models[k]->result->passes;
                hinge_model_free(own);
                hinge_model_free(models[k]);
            }
        }
    assert_true((double)together < 0.8 * (double)alone);
}

/* On a path with small changes of C, each training takes the sums of the previous one, and each
 * certificate is true. A training of one step looks at all rows at most five times: for the model,
 * for margins and losses at its end, for the dual point, and to see that it cannot end at its
 * start. */
static void test_trainings_of_a_path_begin_with_the_last_sums(void **state)
{
    enum { COUNT_C = 12, PASSES = 5 };
    static struct drawn drawn;
    size_t steps = 0, few = 0, ready = 0;

    (void)state;
    for (unsigned long number = 0; number < 4 * KINDS; number++)
        for (int solver = SQUARED; solver <= LOGISTIC; solver++) {
            const size_t rows = number % KINDS == 1 ? 40 : number % KINDS == 0 ? MANY : 60;
            const double ratio = number % 4 < 2 ? 1.05 : number % 4 == 2 ? 1 / 1.1 : 1.002;
            struct hinge_model *models[COUNT_C];
            struct hinge_error error;
            double C[COUNT_C];

            draw(&drawn, number, solver);
            drawn.parameters.relative_gap = number % 2 ? 1e-3 : 1e-7;
            for (size_t k = 0; k < COUNT_C; k++)
                C[k] = k > 0 ? C[k - 1] * ratio : 0.5;
            assert_int_equal(
                hinge_train_path(&drawn.data, &drawn.parameters, C, COUNT_C, NULL, models, &error),
                HINGE_OK);
            for (size_t k = 0; k < COUNT_C; k++) {
                const struct hinge_result *result = models[k]->result;

                drawn.parameters.C = C[k];
                check_certificate(&drawn, number, models[k]);
                if (k > 0 && result->passes == 1) {
                    steps++; /* a few steps are shortened, or begin at 0 */
                    few += result->row_visits <= PASSES * rows;
                }
                ready += k > 0 && result->passes == 0 && result->nonzeros > 0;
                hinge_model_free(models[k]);
            }
        }
    assert_true(steps > 100 && ready > 20 && 4 * few >= 3 * steps);
}

/* Draws categories: a row has one of the 10 features of each of 12 fields, the first ones most
 * often. The 25 rows with the largest sums of weights are a rare class. */
static void draw_fields(struct drawn *drawn, unsigned long number, int solver)
{
    enum { FIELDS = 12, SIZE = 10, RARE = 25 };
    double weight[FIELDS * SIZE], score[MOST_ROWS];
    uint64_t random = number + 1;

    draw(drawn, 9 * number, solver); /* kind 0, and its biases */
    drawn->data.x.rows = MOST_ROWS;
    drawn->data.x.nonzeros = (size_t)MOST_ROWS * FIELDS;
    drawn->data.features = FIELDS * SIZE;
    for (size_t j = 0; j < COUNT(weight); j++)
        weight[j] = 2 * random_unit(&random) - 1;
    for (size_t i = 0; i < MOST_ROWS; i++) {
        score[i] = random_unit(&random);
        for (uint32_t f = 0; f < FIELDS; f++) {
            const double place = -log(1 - random_unit(&random)) * SIZE / 5;
            const uint32_t j = f * SIZE + (uint32_t)fmin(place, SIZE - 1);

            drawn->index[i * FIELDS + f] = j;
            drawn->value[i * FIELDS + f] = 1;
            score[i] += weight[j];
        }
        drawn->start[i + 1] = (i + 1) * FIELDS;
    }
    for (size_t i = 0; i < MOST_ROWS; i++) {
        size_t larger = 0;

        for (size_t k = 0; k < MOST_ROWS; k++)
            larger += score[k] > score[i];
        drawn->label[i] = larger < RARE ? 1 : -1;
    }
}

/* Draws all products of up to three of 6 numbers in 0 .. most: features of any scale that are
 * nearly dependent. */
static void draw_powers_of(struct drawn *drawn, unsigned long number, int solver, size_t rows,
                           double most, double noise)
{
    enum { NUMBERS = 6, ONE = NUMBERS };
    uint64_t random = number + 1;
    size_t end = 0;

    draw(drawn, 9 * number, solver);
    for (size_t i = 0; i < rows; i++) {
        double of[NUMBERS + 1];
        uint32_t feature = 0;

        for (size_t k = 0; k < NUMBERS; k++)
            of[k] = most * random_unit(&random);
        of[ONE] = 1;
        for (size_t a = 0; a < NUMBERS; a++)
            for (size_t b = a; b <= ONE; b++)
                for (size_t c = b; c <= ONE; c++) {
                    drawn->index[end] = feature++;
                    drawn->value[end++] = of[a] * of[b] * of[c];
                }
        drawn->start[i + 1] = end;
        drawn->data.features = feature;
        drawn->label[i] =
            of[0] * of[1] - of[2] * of[3] + noise * random_unit(&random) > noise / 2 ? 1 : -1;
    }
    drawn->data.x.rows = rows;
    drawn->data.x.nonzeros = end;
}

static void draw_powers(struct drawn *drawn, unsigned long number, int solver)
{
    draw_powers_of(drawn, number, solver, 300, 10, 8);
}

/* At a large C few rows have a loss, |w|_1 is nearly all of P, and proximal Newton steps become
 * short. The interior-point method ends the training. Its model is as sparse and, for the L2-loss,
 * has no more support vectors. */
static void test_the_interior_point_method_takes_over(void **state)
{
    static const double large[] = {1e2, 1e4, 1e6};
    static struct drawn drawn;

    (void)state;
    for (int kind = 0; kind < 3; kind++) {
        const int solver = kind < 2 ? SQUARED : LOGISTIC;
        size_t taken_over = 0;

        for (unsigned long number = 0; number < 4 * COUNT(large); number++) {
            struct hinge_model *model;
            size_t zeros = 0, others = 0;

            (kind ? draw_powers : draw_fields)(&drawn, number, solver);
            drawn.parameters.C = large[number % COUNT(large)];
            drawn.parameters.relative_gap = number % 2 ? 1e-3 : 1e-7;
            model = train(&drawn);
            check_certificate(&drawn, number, model);
            taken_over += strcmp(model->result->method, "ipm") == 0;
            for (size_t j = 0; j < width_of(&drawn); j++)
                zeros += model->weight[j] == 0;
            for (size_t i = 0; i < drawn.data.x.rows; i++)
                others += model->alpha[i] == 0;
            assert_true(zeros > 15 && (solver == LOGISTIC || others > 200));
            hinge_model_free(model);
        }
        assert_true(taken_over > 8);
    }
}

/* Draws fewer rows than features, which have any scale. In one kind they are dependent. In the
 * other there are so many, as in data on genes, that proximal Newton steps use a part of them. */
static void draw_wide(struct drawn *drawn, unsigned long number, int solver)
{
    enum { ROWS = 40, FEATURES = 700 };
    uint64_t random = number + 1;

    if (number % 2) {
        draw_powers_of(drawn, number, solver, 60, 100, 0);
        return;
    }
    draw(drawn, 9 * number, solver);
    for (size_t i = 0; i < ROWS; i++) {
        for (uint32_t j = 0; j < FEATURES; j++) {
            drawn->index[i * FEATURES + j] = j;
            drawn->value[i * FEATURES + j] = exp(5 + 5 * sin(j) + 2 * random_unit(&random));
        }
        drawn->start[i + 1] = (i + 1) * FEATURES;
        drawn->label[i] = random_unit(&random) > 0.4 ? 1 : -1;
    }
    drawn->data.features = FEATURES;
    drawn->data.x.rows = ROWS;
    drawn->data.x.nonzeros = ROWS * FEATURES;
}

/* The interior-point method, with its system over rows, ends these trainings. Proximal Newton steps
 * leave gaps of 0.01 to 1. */
static void test_it_takes_over_where_features_are_more_than_rows(void **state)
{
    static const double large[] = {1e2, 1e4, 1e6};
    static struct drawn drawn;
    const unsigned long count = repeats(6, 2) * COUNT(large);

    (void)state;
    for (int solver = SQUARED; solver <= LOGISTIC; solver++) {
        size_t taken_over = 0;

        for (unsigned long number = 0; number < count; number++) {
            struct hinge_model *model;
            size_t zeros = 0;

            draw_wide(&drawn, number, solver);
            drawn.parameters.C = large[number / 2 % COUNT(large)];
            drawn.parameters.relative_gap = 1e-3;
            model = train(&drawn);
            check_certificate(&drawn, number, model);
            taken_over += strcmp(model->result->method, "ipm") == 0;
            for (size_t j = 0; j < width_of(&drawn); j++)
                zeros += model->weight[j] == 0;
            assert_true(zeros > 15);
            hinge_model_free(model);
        }
        assert_true(2 * taken_over >= count);
    }
}

/* If proximal Newton steps under LIBLINEAR's rule stall, the training goes on without the rule. */
static void test_a_stall_under_the_rule_of_liblinear(void **state)
{
    static struct drawn drawn;

    (void)state;
    for (int solver = SQUARED; solver <= LOGISTIC; solver++) {
        struct hinge_model *model;

        draw_wide(&drawn, 0, solver);
        drawn.parameters.C = 1e3;
        drawn.parameters.relative_gap = 0;
        drawn.parameters.eps = 1e-20;
        model = train(&drawn);
        drawn.parameters.relative_gap = 1e-3;
        check_certificate(&drawn, 0, model);
        hinge_model_free(model);
    }
}

/* On separable rows, at a large C, a step with a small predicted decrease may move margins far.
 * Then the margins that steps add up are no longer those of w. */
static void test_badly_scaled_rows_of_the_logistic_loss(void **state)
{
    static const double large[] = {1e5, 1e8, 3e9};
    static struct drawn drawn;

    (void)state;
    for (unsigned long number = 0; number < repeats(8, 1) * COUNT(large); number++) {
        struct hinge_model *model;

        draw_powers_of(&drawn, number, LOGISTIC, 300, 100, 0);
        drawn.parameters.C = large[number % COUNT(large)];
        drawn.parameters.relative_gap = 1e-3;
        model = train(&drawn);
        check_certificate(&drawn, number, model);
        hinge_model_free(model);
    }
}

/* On a path with tiny changes of C, rounding errors at a large C keep proximal Newton steps from
 * the gap. After another method took over, the next training must not use the margins of the steps
 * as those of its w. (In problem 5 its gap would be too small.) */
static void test_sums_of_a_method_are_not_those_of_another(void **state)
{
    enum { COUNT_C = 4 };
    static struct drawn drawn;
    size_t taken_over = 0;

    (void)state;
    for (unsigned long number = 5; number < 4 * KINDS; number += KINDS) { /* any scale */
        struct hinge_model *models[COUNT_C];
        struct hinge_error error;
        double C[COUNT_C];

        draw(&drawn, number, SQUARED);
        drawn.parameters.relative_gap = 1e-4;
        drawn.parameters.max_passes = 400;
        for (size_t k = 0; k < COUNT_C; k++)
            C[k] = k > 0 ? C[k - 1] * 1.000001 : 1e8;
        assert_int_equal(
            hinge_train_path(&drawn.data, &drawn.parameters, C, COUNT_C, NULL, models, &error),
            HINGE_OK);
        for (size_t k = 0; k < COUNT_C; k++) {
            drawn.parameters.C = C[k];
            check_bounds(&drawn, number, models[k]);
            taken_over += k + 1 < COUNT_C && strcmp(models[k]->result->method, "ipm") == 0;
            hinge_model_free(models[k]);
        }
    }
    assert_true(taken_over > 0);
}

/* The interior-point method does not run with --plain, nor with LIBLINEAR's rule. */
static void test_proximal_steps_alone(void **state)
{
    static struct drawn drawn;

    (void)state;
    for (int k = 0; k < 4; k++) {
        struct hinge_model *model;

        draw_powers(&drawn, 0, k < 2 ? SQUARED : LOGISTIC);
        drawn.parameters.C = 1e4;
        drawn.parameters.max_passes = repeats(60, 15);
        drawn.parameters.single_method = k % 2;
        drawn.parameters.eps = k % 2 ? 0 : 1e-9;
        model = train(&drawn);
        assert_string_equal(model->result->method, "newton");
        hinge_model_free(model);
    }
}

/* At a large C a model has as many features as rows, and P is near its minimum long before the
 * scaled dual point of a step is near its own. Without repairs these trainings take 990 steps, with
 * them 660. */
static void test_dual_points_are_repaired(void **state)
{
    static struct drawn drawn;
    uint64_t steps = 0;

    (void)state;
    for (unsigned long number = 0; number < 2; number++)
        for (int solver = SQUARED; solver <= LOGISTIC; solver++)
            for (int k = 0; k < 2; k++) {
                struct hinge_model *model;

                draw_words(&drawn, number, solver);
                drawn.parameters.bias = k ? 1 : -1;
                drawn.parameters.free_bias = k;
                drawn.parameters.C = 1000;
                drawn.parameters.relative_gap = 1e-3;
                model = train(&drawn);
                check_certificate(&drawn, number, model);
                steps += model->result->steps;
                hinge_model_free(model);
            }
    assert_true(steps < 800);
}

/* One class has weight 0, so a free bias alone makes P 0. A build with SANITIZE=1
 * finds divisions by P. */
static void test_a_free_bias_alone_leaves_no_loss(void **state)
{
    enum { ROWS = 3, FEATURES = 400 };
    static double value[ROWS * FEATURES];
    static const double label[ROWS] = {1, -1, -1}, weight[ROWS] = {1, 0.5, 1}, none = 0;
    struct hinge_error error;
    uint64_t random = 1;

    (void)state;
    for (size_t k = FEATURES; k < COUNT(value); k++)
        value[k] = 4 * random_unit(&random) - 2;
    for (int solver = SQUARED; solver <= LOGISTIC; solver++) {
        struct hinge_parameters parameters = parameters_default();
        struct hinge_dataset *data =
            hinge_view_dense(ROWS, FEATURES, value, HINGE_VALUE_DOUBLE, label, &error);
        struct hinge_model *model;

        assert_non_null(data);
        parameters.solver = solver;
        parameters.C = 0.001;
        parameters.relative_gap = 1e-6;
        parameters.bias = parameters.free_bias = 1;
        parameters.row_weights = ROWS;
        parameters.row_weight = weight;
        parameters.weights = 1;
        parameters.weight_label = label;
        parameters.weight = &none;
        parameters.max_passes = 1000;
        model = hinge_train(data, &parameters, NULL, &error);
        assert_non_null(model);
        if (solver == SQUARED) {
            assert_int_equal(model->result->outcome, HINGE_CERTIFIED);
            assert_true(model->result->primal == 0 && model->result->dual == 0);
        }
        hinge_model_free(model);
        hinge_view_free(data);
    }
}

/* Draws words whose rows have weights, some of them 0. The first `twice` rows come again in the
 * other class, so no plane separates the classes. */
static void draw_centred(struct drawn *drawn, unsigned long number, size_t twice)
{
    draw_words(drawn, number, SQUARED);
    for (size_t i = 0; i < MOST_ROWS; i++)
        drawn->row_weight[i] = i > 1 ? (double)(i % 4) / 2 : 1;
    if (number % 2) {
        drawn->parameters.row_weight = drawn->row_weight;
        drawn->parameters.row_weights = MOST_ROWS;
        drawn->parameters.weight_label = drawn->class_label;
        drawn->parameters.weight = drawn->class_weight;
        drawn->parameters.weights = 2;
    }
    for (size_t i = 0; i < twice; i++) { /* replaces the last rows */
        const size_t count = drawn->start[i + 1] - drawn->start[i], at = MOST_ROWS - twice + i;
        const size_t start = drawn->start[at];

        if (start + count > MOST_NONZEROS)
            fail_msg("no room for row %lu", (unsigned long)i);
        memmove(drawn->index + start, drawn->index + drawn->start[i], count * sizeof *drawn->index);
        for (size_t e = start; e < start + count; e++)
            drawn->value[e] = 1;
        drawn->start[at + 1] = start + count;
        drawn->label[at] = -drawn->label[i];
    }
    drawn->data.x.nonzeros = drawn->start[MOST_ROWS];
}

/* On rows that a plane separates, at a large C, stages alone take 457 steps, stages with centres
 * 139. On rows that no plane separates, the certificates are true as well. */
static void test_centres_of_the_dual(void **state)
{
    static struct drawn drawn;
    uint64_t steps = 0;

    (void)state;
    for (unsigned long number = 0; number < 2; number++)
        for (size_t twice = 0; twice <= 30; twice += 30)
            for (double C = 100; C <= 1000; C *= 10) {
                struct hinge_model *model;

                draw_centred(&drawn, number, twice);
                drawn.parameters.bias = C > 100 ? 1 : -1;
                drawn.parameters.free_bias = C > 100;
                drawn.parameters.C = C;
                drawn.parameters.relative_gap = 1e-3;
                model = train(&drawn);
                check_certificate(&drawn, number, model);
                steps += twice ? 0 : model->result->steps;
                hinge_model_free(model);
            }
    assert_true(steps < 250);
}

/* On rows of counts that a plane separates, many steps are short. The trainings take 227 steps
 * without smoothing, 155 with it. */
static void test_counts_are_smoothed(void **state)
{
    static struct drawn drawn;
    uint64_t steps = 0;

    (void)state;
    for (double C = 1; C <= 64; C *= 64) {
        struct hinge_model *model;
        uint64_t random = 2;

        draw_words(&drawn, 1, SQUARED);
        for (size_t e = 0; e < drawn.data.x.nonzeros; e++)
            drawn.value[e] = fmin(floor(1 / (random_unit(&random) + 1e-9)), 3000);
        drawn.parameters.C = C;
        drawn.parameters.relative_gap = 1e-3;
        model = train(&drawn);
        check_certificate(&drawn, 1, model);
        assert_int_equal(model->result->outcome, HINGE_CERTIFIED);
        steps += model->result->steps;
        hinge_model_free(model);
    }
    assert_true(steps < 190);
}

/* If few rows cannot be separated and make nearly all of P, stages finish the training. Centres
 * alone would take 155 steps. */
static void test_few_rows_that_cannot_be_separated(void **state)
{
    static struct drawn drawn;
    uint64_t steps = 0;

    (void)state;
    for (unsigned long number = 0; number < 2; number++) {
        struct hinge_model *model;

        draw_centred(&drawn, number, number ? 1 : 4);
        drawn.parameters.bias = 1;
        drawn.parameters.free_bias = 1;
        drawn.parameters.C = 1e4;
        drawn.parameters.relative_gap = 1e-3;
        model = train(&drawn);
        check_certificate(&drawn, number, model);
        assert_int_equal(model->result->outcome, HINGE_CERTIFIED);
        steps += model->result->steps;
        hinge_model_free(model);
    }
    assert_true(steps < 120);
}

/* A training that starts from the weights of its own solution has nothing left to do. */
static void test_starts_from_a_model(void **state)
{
    static struct drawn drawn;

    (void)state;
    for (unsigned long number = 0; number < 3 * KINDS; number++) {
        struct hinge_model *model, *again;

        draw(&drawn, number, number % 2 ? SQUARED : LOGISTIC);
        drawn.parameters.relative_gap = 1e-8;
        model = train(&drawn);
        drawn.parameters.initial = model;
        again = train(&drawn);
        assert_true(again->result->passes <= 2);
        assert_int_equal(again->result->outcome, HINGE_CERTIFIED);
        hinge_model_free(again);
        hinge_model_free(model);
    }
}

/* Draws words with synonyms: features 8 k + 5 .. 8 k + 7 are equal to feature 8 k + 4. */
static void draw_synonyms(struct drawn *drawn, unsigned long number, int solver)
{
    static uint32_t index[MOST_NONZEROS];
    size_t from = 0, end = 0;

    draw_words(drawn, number, solver);
    memcpy(index, drawn->index, sizeof index);
    for (size_t i = 0; i < MOST_ROWS; i++) {
        for (; from < drawn->start[i + 1] && end + 4 <= MOST_NONZEROS; from++)
            for (uint32_t k = 0; k < (index[from] % 8 == 4 ? 4 : index[from] % 8 < 4); k++) {
                drawn->index[end] = index[from] + k;
                drawn->value[end++] = 1;
            }
        from = drawn->start[i + 1];
        drawn->start[i + 1] = end;
    }
    drawn->data.x.nonzeros = end;
}

/* The first of equal features has the weight of all, also if the start divides it between them. The
 * certificate is recomputed with all features. */
static void test_equal_features_are_one(void **state)
{
    static struct drawn drawn;
    size_t weights = 0;

    (void)state;
    for (unsigned long number = 0; number < 6; number++)
        for (int solver = SQUARED; solver <= LOGISTIC; solver++) {
            struct hinge_model *model, *again;

            draw_synonyms(&drawn, number, solver);
            drawn.parameters.C = number % 2 ? 0.3 : 0.1;
            drawn.parameters.relative_gap = 1e-4;
            drawn.parameters.single_method = 1;
            model = train(&drawn);
            check_certificate(&drawn, number, model);
            for (size_t j = 0; j < drawn.data.features; j++)
                assert_true(j % 8 < 5 || model->weight[j] == 0);
            for (size_t j = 4; j < drawn.data.features; j += 8) {
                weights += model->weight[j] != 0;
                model->weight[j + 3] = 1.5 * model->weight[j];
                model->weight[j] *= -0.5;
            }
            drawn.parameters.initial = model;
            again = train(&drawn);
            check_certificate(&drawn, number, again);
            assert_true(again->result->passes <= 2);
            for (size_t j = 0; j < drawn.data.features; j++)
                assert_true(j % 8 < 5 || again->weight[j] == 0);
            hinge_model_free(again);
            hinge_model_free(model);
        }
    assert_true(weights > 200);
}

/* C is so large that P + D is 0, rounded, and the certified gap is at least 1e-5. The training must
 * end. */
static void test_ends_where_all_is_rounding(void **state)
{
    enum { ROWS = 9 };
    static const int32_t tenths[ROWS][3] = {{-318, 950},     {-251}, {1277, 351, 1134},
                                            {0, 2169, -521}, {0},    {0, 0, -551},
                                            {686},           {-54},  {-875}};
    static int32_t value[3 * ROWS];
    static const double label[ROWS] = {1, -1, 1, -1, 1, 1, 1, -1, -1};
    static struct drawn drawn;

    (void)state;
    for (int solver = SQUARED; solver <= LOGISTIC; solver++) {
        struct hinge_model *model;
        size_t end = 0;

        draw(&drawn, 0, solver);
        for (size_t i = 0; i < ROWS; i++) {
            drawn.label[i] = label[i];
            for (uint32_t j = 0; j < 3; j++)
                if (tenths[i][j] != 0) {
                    drawn.index[end] = j;
                    value[end++] = tenths[i][j];
                }
            drawn.start[i + 1] = end;
        }
        drawn.data.x.rows = ROWS;
        drawn.data.x.nonzeros = end;
        drawn.data.x.value_kind = HINGE_VALUE_WHOLE;
        drawn.data.x.scale = 10;
        drawn.data.x.value = value;
        drawn.data.features = 3;
        drawn.parameters.bias = -1;
        drawn.parameters.free_bias = 0;
        drawn.parameters.C = 84255156216.562744;
        drawn.parameters.relative_gap = 1e-6;
        drawn.parameters.max_passes = 100000;
        model = train(&drawn);
        assert_true(model->result->outcome == HINGE_STALLED ||
                    model->result->outcome == HINGE_CERTIFIED);
        hinge_model_free(model);
    }
}

/* ---- A stop ------------------------------------------------------------- */

struct impatient {
    int asked; /* number of questions so far */
    int most;  /* number of questions after which the answer is HINGE_INTERRUPT */
};

static enum hinge_answer interrupt_after(void *context, const struct hinge_progress *progress)
{
    struct impatient *impatient = context;

    (void)progress;
    return ++impatient->asked > impatient->most ? HINGE_INTERRUPT : HINGE_GO_ON;
}

/* True if no row has a weight in the stored matrix. Checks the first line of the matrix against
 * the weights. */
static int is_cleared(const struct random_problem *random, const struct column_cache *by)
{
    enum { MOST = 200 };
    long double sum[MOST] = {0}, x[MOST];
    int has_weights = 0;

    assert_true(by->width <= MOST);
    for (uint32_t i = 0; i < random->problem.rows; i++) {
        has_weights |= by->weight[i] != 0;
        memset(x, 0, sizeof x);
        random_problem_add(random, i, 1, x);
        for (size_t j = 0; j < by->width; j++)
            sum[j] += by->weight[i] * x[0] * x[j];
    }
    for (size_t j = 0; j < by->width; j++)
        assert_true(fabsl(by->matrix[j] - sum[j]) <= 1e-12L * sum[0]);
    return !has_weights;
}

/* With few features, X'WX is stored for the next C. A matrix that a stop left half-formed is not
 * stored. */
static void test_stopped_matrix_is_not_kept(void **state)
{
    enum { ROWS = 3000, FEATURES = 100 }; /* the sum X'WX asks for a stop after 2000 rows */
    struct random_problem random = {.random = 1};
    struct hinge_parameters parameters = parameters_default();
    int cleared = 0, kept = 0, stopped = 1;

    (void)state;
    random_problem_new(&random, ROWS, FEATURES, FEATURES, 1);
    random.problem.loss = LOSS_SQUARED_HINGE;
    random.problem.l1 = random.problem.only_l1 = 1;
    parameters.relative_gap = 1e-9;
    for (int most = 0; stopped; most++) {
        struct impatient impatient = {0, most};
        const struct hinge_monitor monitor = {interrupt_after, &impatient, NULL, HINGE_BETWEEN};
        double alpha[ROWS] = {0}, w[FEATURES + 1];
        struct hinge_error error;
        struct hinge_result result;
        const struct task task = {.problem = &random.problem,
                                  .solver = solver_find(SQUARED),
                                  .parameters = &parameters,
                                  .monitor = &monitor,
                                  .problems = 1,
                                  .alpha = alpha,
                                  .w = w,
                                  .workspace = workspace_new(&error)};

        assert_non_null(task.workspace);
        assert_int_equal(solver_train(&task, &result, &error), HINGE_OK);
        stopped = result.outcome == HINGE_INTERRUPTED;
        if (is_cleared(&random, workspace_by_features(task.workspace, &random.problem, &error)))
            cleared += result.steps > 0;
        else
            kept++;
        workspace_free(task.workspace);
    }
    assert_true(cleared > 2 && kept > 2);
    random_problem_free(&random);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_certificates_are_true),
        cmocka_unit_test(test_the_minimum_is_that_of_another_method),
        cmocka_unit_test(test_where_the_solution_leaves_zero),
        cmocka_unit_test(test_rows_of_both_classes),
        cmocka_unit_test(test_rule_of_liblinear),
        cmocka_unit_test(test_a_path_starts_where_the_last_C_ended),
        cmocka_unit_test(test_trainings_of_a_path_begin_with_the_last_sums),
        cmocka_unit_test(test_the_interior_point_method_takes_over),
        cmocka_unit_test(test_it_takes_over_where_features_are_more_than_rows),
        cmocka_unit_test(test_a_stall_under_the_rule_of_liblinear),
        cmocka_unit_test(test_badly_scaled_rows_of_the_logistic_loss),
        cmocka_unit_test(test_sums_of_a_method_are_not_those_of_another),
        cmocka_unit_test(test_proximal_steps_alone),
        cmocka_unit_test(test_dual_points_are_repaired),
        cmocka_unit_test(test_a_free_bias_alone_leaves_no_loss),
        cmocka_unit_test(test_centres_of_the_dual),
        cmocka_unit_test(test_counts_are_smoothed),
        cmocka_unit_test(test_few_rows_that_cannot_be_separated),
        cmocka_unit_test(test_starts_from_a_model),
        cmocka_unit_test(test_equal_features_are_one),
        cmocka_unit_test(test_ends_where_all_is_rounding),
        cmocka_unit_test(test_stopped_matrix_is_not_kept),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
