/* test_raw_tables.c - tables whose features have scales of 1e-37 to 1e10: every solver for two
 * classes and for regression certifies its model, and the certificate is recomputed in long double.
 */
#include <math.h>
#include <stdlib.h>

#include "model/model.h"
#include "support.h"

struct raw_table {
    size_t rows, features;
    double *value; /* [rows features] */
    double *label;
    double *number; /* [rows] labels of a regression */
    struct hinge_dataset *data, *regression;
};

static double normal(uint64_t *random)
{
    double sum = -6;

    for (int k = 0; k < 12; k++)
        sum += random_unit(random);
    return sum;
}

/* Draws values that are log-normal within a column, with either sign, and labels that depend on
 * the logarithms of some columns, or on a plane if `plane`. Scales are 10^low to 10^high. */
static void draw(struct raw_table *table, size_t rows, size_t features, double low, double high,
                 int plane, uint64_t seed)
{
    struct hinge_error error;
    uint64_t random = seed * 0x9e3779b97f4a7c15;
    double *scale = malloc(features * sizeof *scale), mean = 0;

    *table = (struct raw_table){.rows = rows, .features = features};
    table->value = malloc(rows * features * sizeof *table->value);
    table->label = malloc(rows * sizeof *table->label);
    table->number = malloc(rows * sizeof *table->number);
    assert_true(scale && table->value && table->label && table->number);
    for (size_t j = 0; j < features; j++)
        scale[j] = pow(10, low + (high - low) * random_unit(&random));
    for (size_t i = 0; i < rows; i++) {
        double sum = normal(&random);

        for (size_t j = 0; j < features; j++) {
            const double u = normal(&random);
            const double x = (random_unit(&random) < 0.5 ? -1 : 1) * exp(u);

            table->value[i * features + j] = x * scale[j];
            sum += plane ? ((double)(j % 3) - 1) * x : j < 20 ? u : 0;
        }
        table->number[i] = sum / 5;
        mean += sum / 5 / (double)rows;
    }
    for (size_t i = 0; i < rows; i++)
        table->label[i] = table->number[i] > mean ? 1 : -1;
    free(scale);
    table->data =
        hinge_view_dense(rows, features, table->value, HINGE_VALUE_DOUBLE, table->label, &error);
    table->regression =
        hinge_view_dense(rows, features, table->value, HINGE_VALUE_DOUBLE, table->number, &error);
    assert_true(table->data && table->regression);
}

static void release(struct raw_table *table)
{
    hinge_view_free(table->data);
    hinge_view_free(table->regression);
    free(table->value);
    free(table->label);
    free(table->number);
}

/* Returns the loss of a row with cost C, label or target y and decision value z. */
static long double loss_at(int solver, long double C, long double z, long double y,
                           long double epsilon)
{
    const long double s = 1 - y * z, r = fabsl(z - y) - epsilon;

    switch (solver) {
    case 0:
    case 6:
    case 7:
        return C * (y * z > 0 ? log1pl(expl(-y * z)) : -y * z + log1pl(expl(y * z)));
    case 3:
    case 61:
        return C * fmaxl(0, s);
    case 11:
    case 12:
        return C * fmaxl(0, r) * fmaxl(0, r);
    case 13:
        return C * fmaxl(0, r);
    default:
        return C * fmaxl(0, s) * fmaxl(0, s);
    }
}

static long double conjugate_at(int solver, long double C, long double a, long double y,
                                long double epsilon)
{
    const long double p = a / C;

    switch (solver) {
    case 0:
    case 6:
    case 7:
        return C * ((p > 0 ? p * logl(p) : 0) + (p < 1 ? (1 - p) * log1pl(-p) : 0));
    case 3:
    case 61:
        return -a;
    case 11:
    case 12:
        return a * a / (4 * C) - y * a + epsilon * fabsl(a);
    case 13:
        return -y * a + epsilon * fabsl(a);
    default:
        return a * a / (4 * C) - a;
    }
}

static void check(const struct raw_table *table, int solver, double C, int bias)
{
    const int is_regression = solver >= 11 && solver <= 13;
    const int is_l1 = solver == 5 || solver == 6;
    const int is_bounded = solver == 0 || solver == 6 || solver == 7 || solver == 3 || solver == 61;
    const size_t n = table->features, width = n + (bias > 0);
    struct hinge_parameters parameters = parameters_default();
    struct hinge_error error;
    struct hinge_model *model;
    long double primal = 0, dual = 0, total = 0, size = 0, largest = 1;
    long double *v = calloc(width, sizeof *v);

    parameters.solver = solver;
    parameters.C = C;
    parameters.bias = bias ? 1 : -1;
    parameters.free_bias = bias == 2;
    parameters.keep_alpha = 1;
    model = hinge_train(is_regression ? table->regression : table->data, &parameters, NULL, &error);
    assert_true(v && model);
    for (size_t i = 0; i < table->rows; i++) {
        const double *x = table->value + i * n;
        const long double y = is_regression ? table->number[i] : table->label[i];
        const long double a = model->alpha[i], beta = is_regression ? a : y * a;
        long double z = bias ? model->weight[n] : 0;

        assert_true(is_regression || a >= 0);
        assert_true((!is_bounded && solver != 13) || fabsl(a) <= C);
        for (size_t j = 0; j < n; j++) {
            z += (long double)model->weight[j] * x[j];
            v[j] += beta * x[j];
        }
        if (bias)
            v[n] += beta;
        total += beta;
        size += fabsl(a);
        primal += loss_at(solver, C, z, y, parameters.epsilon);
    }
    for (size_t j = 0; j < (bias == 2 ? n : width); j++) {
        const long double w = model->weight[j];

        primal += is_l1 ? fabsl(w) : w * w / 2;
        dual += is_l1 ? 0 : v[j] * v[j] / 2;
        largest = fmaxl(largest, fabsl(v[j]));
    }
    for (size_t i = 0; i < table->rows; i++) /* |w|_1: scaled to |v_j| <= 1 */
        dual +=
            conjugate_at(solver, C, model->alpha[i] / (is_l1 ? largest : 1),
                         is_regression ? table->number[i] : table->label[i], parameters.epsilon);
    if (model->result->outcome != HINGE_CERTIFIED ||
        !(primal + dual <= 1.000001L * 1e-3 * primal) ||
        (bias == 2 && !(fabsl(total) <= 1e-12L * size)))
        fail_msg("%zu x %zu, solver %d, C %g, bias %d: P %Lg, D %Lg, sum %Lg of %Lg, by %s",
                 table->rows, n, solver, C, bias, primal, dual, total, size, model->result->method);
    hinge_model_free(model);
    free(v);
}

static const int solvers[] = {2, 1, 0, 7, 3, 61, 11, 12, 13};

static void test_columns_of_any_scale(void **state)
{
    static const struct {
        size_t rows, features;
        double low, high;
        int plane;
    } row[] = {{60, 150, -37, 10, 0},
               {120, 25, -37, 10, 0},
               {90, 60, -5, 10, 1},
               {200, 12, 0, 10, 1},
               {40, 90, 0, 5, 1},
               {40, 90, 6, 10, 1}}; /* P is 1e-19 there, far below rounding errors of margins */

    (void)state;
    for (size_t r = 0; r < COUNT(row); r++)
        for (uint64_t seed = 1; seed <= repeats(3, 1); seed++) {
            struct raw_table table;

            draw(&table, row[r].rows, row[r].features, row[r].low, row[r].high, row[r].plane, seed);
            for (size_t s = 0; s < COUNT(solvers); s++)
                for (double C = 0.01; C < 1e4; C *= 64)
                    for (int bias = 0; bias < 3; bias++)
                        check(&table, solvers[s], C, bias);
            release(&table);
        }
}

static void test_units_of_a_few_features(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= repeats(12, 2); seed++)
        for (int plane = 0; plane < 2; plane++) {
            struct raw_table table;

            draw(&table, seed % 2 ? 80 : 30, 50, -0.5, 0.5, plane, seed);
            for (size_t i = 0; i < table.rows; i++) {
                table.value[i * 50 + 3] *= 1e12;
                table.value[i * 50 + 20] *= 1e12;
                table.value[i * 50 + 7] *= 1e-15;
            }
            for (size_t s = 0; s < COUNT(solvers); s++)
                for (double C = 0.1; C < 1e3; C *= 30)
                    check(&table, solvers[s], C, (int)(seed + s) % 3);
            release(&table);
        }
}

/* With |w|_1, steps by a factor over the rows would end far from the minimum: with gaps of 0.2
 * to 0.8 at C = 4096. With many rows, rounding errors of alpha alone leave gaps of up to 0.2. */
static void test_sparse_models(void **state)
{
    static const size_t size[][2] = {{60, 150}, {120, 25}, {90, 60}, {600, 40}};

    (void)state;
    for (size_t r = 0; r < COUNT(size); r++)
        for (uint64_t seed = 1; seed <= repeats(5, 1); seed++)
            for (int solver = 5; solver <= 6; solver++) {
                struct raw_table table;

                draw(&table, size[r][0], size[r][1], -37, 10, 0, seed);
                for (double C = 1; C < 1e5; C *= 64)
                    for (int bias = 0; bias < 3; bias++)
                        check(&table, solver, C, bias);
                release(&table);
            }
}

/* Along a path of C, data become badly scaled where C grows. */
static void test_path_of_C(void **state)
{
    static const int some[] = {1, 2, 0, 3};
    struct raw_table table;

    (void)state;
    draw(&table, 60, 90, -37, 10, 0, 7);
    for (size_t s = 0; s < COUNT(some); s++) {
        double C[14];
        struct hinge_parameters parameters = parameters_default();
        struct hinge_model *model[COUNT(C)];
        struct hinge_error error;

        for (size_t k = 0; k < COUNT(C); k++)
            C[k] = 1e-12 * pow(8, (double)k);
        parameters.solver = some[s];
        assert_int_equal(
            hinge_train_path(table.data, &parameters, C, COUNT(C), NULL, model, &error), HINGE_OK);
        for (size_t k = 0; k < COUNT(C); k++) {
            assert_int_equal(model[k]->result->outcome, HINGE_CERTIFIED);
            hinge_model_free(model[k]);
        }
    }
    release(&table);
}

/* Columns of 1e8 that differ by 1 in a few rows. Newton's steps stall at gaps of 0.04 to 0.25. The
 * passes after them would end at a gap of 1, because they lose D. */
static void test_last_passes_lose_no_gap(void **state)
{
    static const int some[] = {0, 7};
    struct hinge_parameters parameters = parameters_default();
    struct hinge_error error;

    (void)state;
    parameters.C = 4096;
    for (uint64_t seed = 1; seed <= repeats(6, 2); seed++) {
        struct raw_table table;

        draw(&table, 300, 30, 0, 0, 1, seed);
        for (size_t i = 0; i < table.rows; i++)
            for (size_t j = 30; j-- > 0;) { /* column j / 3 is still as it was drawn */
                double *row = table.value + i * 30;

                row[j] = floor(1e8 * row[j / 3] + (j % 3 > 0 ? 1e-3 * row[j] : 0));
            }
        for (size_t s = 0; s < COUNT(some); s++) {
            struct hinge_model *model;

            parameters.solver = some[s];
            model = hinge_train(table.data, &parameters, NULL, &error);
            assert_non_null(model);
            assert_true(model->result->relative_gap < 0.7);
            hinge_model_free(model);
        }
        release(&table);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_columns_of_any_scale), cmocka_unit_test(test_units_of_a_few_features),
        cmocka_unit_test(test_sparse_models), cmocka_unit_test(test_path_of_C),
        cmocka_unit_test(test_last_passes_lose_no_gap)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
