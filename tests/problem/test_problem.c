/* test_problem.c - a problem as a view: compares its rows, and their products with vectors, for
 * every kind of bias, with dense rows in long double. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "problem/problem.h"
#include "toy.h"

enum { TOYS = 3000 };

/* Draws every shape and view. Every other problem with a bias has a free one. */
static void draw(struct toy *toy, unsigned long number)
{
    toy_small(toy, number);
    if (toy->problem.bias_kind != BIAS_NONE && number % 2)
        toy->problem.bias_kind = BIAS_FREE;
}

static void draw_dense(double *w, size_t count, uint64_t *random)
{
    for (size_t j = 0; j < count; j++)
        w[j] = random_between(random, -2, 2);
}

static void test_widths(void **state)
{
    static struct toy toy;
    size_t kinds[3] = {0};

    (void)state;
    for (unsigned long number = 0; number < TOYS; number++) {
        const struct problem *problem = &toy.problem;
        size_t features;

        draw(&toy, number);
        features = toy.data.features;
        CHECK(&toy, problem_width(problem) == toy.width);
        CHECK(&toy, problem_penalised(problem) ==
                        (problem->bias_kind == BIAS_REGULARISED ? features + 1 : features));
        CHECK(&toy, problem_constant(problem) ==
                        (problem->bias_kind == BIAS_REGULARISED ? toy.draft.bias : 0));
        kinds[problem->bias_kind]++;
    }
    assert_true(kinds[BIAS_NONE] > 100 && kinds[BIAS_REGULARISED] > 100 && kinds[BIAS_FREE] > 100);
}

/* Rows in any order, some left out, one twice: their entries are those of the dataset's row. */
static void test_rows_are_those_of_the_view(void **state)
{
    static struct toy toy;
    size_t subsets = 0, twice = 0;

    (void)state;
    for (unsigned long number = 0; number < TOYS; number++) {
        draw(&toy, number);
        subsets += toy.m < toy.data.x.rows;
        twice += toy.m > 1 && toy.row[0] == toy.row[1];
        for (uint32_t i = 0; i < toy.m; i++) {
            const struct sparse x = problem_row(&toy.problem, i);
            double dense[MOST_FEATURES] = {0};

            CHECK(&toy, problem_length(&toy.problem, i) == x.count);
            for (size_t k = 0; k < x.count; k++) {
                CHECK(&toy, value_at(&x, k) != 0 && dense[index_at(&x, k)] == 0);
                dense[index_at(&x, k)] = value_at(&x, k);
            }
            CHECK(&toy, memcmp(dense, toy.x[i], toy.data.features * sizeof *dense) == 0);
        }
    }
    assert_true(subsets > TOYS / 5 && twice > TOYS / 50);
}

static void test_nonzeros_are_those_of_average_rows(void **state)
{
    static struct toy toy;
    struct problem problem;

    (void)state;
    for (unsigned long number = 0; number < TOYS; number++) {
        size_t nonzeros = 0;

        draw(&toy, number);
        for (size_t i = 0; i < toy.data.x.rows; i++)
            for (size_t j = 0; j < toy.data.features; j++)
                nonzeros += toy.table[i][j] != 0;
        CHECK(&toy, fabs(problem_nonzeros(&toy.problem) -
                         (double)nonzeros * (double)toy.m / (double)toy.data.x.rows) <= 1e-12);
        if (toy.m == toy.data.x.rows)
            CHECK(&toy, problem_nonzeros(&toy.problem) == (double)nonzeros);
    }
    problem = toy.problem;
    problem.rows = 0;
    assert_true(problem_nonzeros(&problem) == 0);
    toy.data.x.rows = 0;
    assert_true(problem_nonzeros(&problem) == 0);
}

/* The constant feature is part of each product with a vector. */
static void test_products_are_those_of_dense_rows(void **state)
{
    static struct toy toy;

    (void)state;
    for (unsigned long number = 0; number < TOYS; number++) {
        uint64_t random = number + 1;
        double w[MOST_WIDTH];

        draw(&toy, number);
        draw_dense(w, toy.width, &random);
        for (uint32_t i = 0; i < toy.m; i++) {
            const struct sparse x = problem_row(&toy.problem, i);
            double v[MOST_WIDTH + 1], size = 0;
            long double dot = 0;

            for (size_t j = 0; j < toy.width; j++) {
                dot += (long double)w[j] * toy.x[i][j];
                size += fabs(w[j] * toy.x[i][j]);
            }
            CHECK(&toy, fabsl(problem_dot(&toy.problem, &x, w) - dot) <= 16 * DBL_EPSILON * size);
            CHECK(&toy, problem_decision(&toy.problem, i, w) == problem_dot(&toy.problem, &x, w));
            memcpy(v, w, sizeof w);
            v[toy.width] = 7; /* after the last entry */
            problem_add(&toy.problem, &x, -0.7, v);
            CHECK(&toy, v[toy.width] == 7);
            for (size_t j = 0; j < toy.width; j++)
                CHECK(&toy, fabsl(v[j] - (w[j] - 0.7L * toy.x[i][j])) <=
                                2 * DBL_EPSILON * (fabs(w[j]) + fabs(toy.x[i][j])));
        }
    }
}

enum { MOST_OUTPUTS = 9 };

/* Checks W += x a' by problem_add_outer, for all or some of its columns. */
static void check_outer(const struct toy *toy, const double *x, size_t outputs, const double *w,
                        const double *a, const double *found)
{
    for (size_t j = 0; j < toy->width; j++)
        for (size_t m = 0; m < outputs; m++) {
            const double before = w[j * outputs + m];

            CHECK(toy, fabsl(found[j * outputs + m] - (before + (long double)x[j] * a[m])) <=
                           2 * DBL_EPSILON * (fabs(before) + fabs(x[j] * a[m])));
        }
    CHECK(toy, found[toy->width * outputs] == 7); /* after the last entry */
}

static void test_products_with_several_columns(void **state)
{
    static struct toy toy;
    static double w[MOST_WIDTH * MOST_OUTPUTS + 1], v[MOST_WIDTH * MOST_OUTPUTS + 1];

    (void)state;
    for (unsigned long number = 0; number < TOYS; number++) {
        const size_t outputs = 2 + number % (MOST_OUTPUTS - 1), few = 1 + number / 8 % outputs;
        uint64_t random = number + 1;
        uint32_t output[MOST_OUTPUTS];
        double a[MOST_OUTPUTS], some[MOST_OUTPUTS], of_all[MOST_OUTPUTS] = {0};

        draw(&toy, number);
        toy.problem.classes = outputs;
        draw_dense(w, toy.width * outputs, &random);
        draw_dense(a, outputs, &random);
        w[toy.width * outputs] = 7;
        for (uint32_t s = 0; s < few; s++) { /* in any order */
            output[s] = (uint32_t)((s * 5 + number) % outputs);
            for (uint32_t t = 0; t < s; t++)
                if (output[t] == output[s]) {
                    output[s] = (uint32_t)((output[s] + 1) % outputs);
                    t = UINT32_MAX; /* starts again */
                }
            of_all[output[s]] = a[s];
        }
        for (uint32_t i = 0; i < toy.m; i++) {
            const struct sparse x = problem_row(&toy.problem, i);
            double z[MOST_OUTPUTS];

            problem_dots(&toy.problem, &x, w, z);
            problem_dots_of(&toy.problem, &x, w, few, output, some);
            for (size_t m = 0; m < outputs; m++) {
                long double dot = 0, size = 0;

                for (size_t j = 0; j < toy.width; j++) {
                    dot += (long double)w[j * outputs + m] * toy.x[i][j];
                    size += fabs(w[j * outputs + m] * toy.x[i][j]);
                }
                CHECK(&toy, fabsl(z[m] - dot) <= 16 * DBL_EPSILON * size);
                for (size_t s = 0; s < few; s++)
                    if (output[s] == m)
                        CHECK(&toy, fabsl(some[s] - dot) <= 16 * DBL_EPSILON * size);
            }
            memcpy(v, w, sizeof w);
            problem_add_outer(&toy.problem, &x, a, v);
            check_outer(&toy, toy.x[i], outputs, w, a, v);
            memcpy(v, w, sizeof w);
            problem_add_outer_of(&toy.problem, &x, few, output, a, v);
            check_outer(&toy, toy.x[i], outputs, w, of_all, v);
        }
    }
}

static void test_several_columns_without_indices(void **state)
{
    enum { FEATURES = 37, VALUES = 3 };
    static const enum hinge_value_kind kinds[VALUES] = {HINGE_VALUE_DOUBLE, HINGE_VALUE_FLOAT,
                                                        HINGE_VALUE_WHOLE};
    const struct hinge_dataset data = {.features = FEATURES};
    double doubles[FEATURES], w[(FEATURES + 1) * MOST_OUTPUTS];
    float floats[FEATURES];
    int32_t wholes[FEATURES];
    const void *const value[VALUES] = {doubles, floats, wholes};
    uint16_t index[FEATURES];
    uint64_t random = 3;

    (void)state;
    draw_dense(w, (FEATURES + 1) * MOST_OUTPUTS, &random);
    for (uint16_t j = 0; j < FEATURES; j++) {
        index[j] = j;
        doubles[j] = 2 * random_unit(&random) - 1;
        floats[j] = (float)doubles[j];
        wholes[j] = (int32_t)(1000 * doubles[j]);
    }
    for (size_t outputs = 2; outputs <= MOST_OUTPUTS; outputs++)
        for (size_t kind = 0; kind < VALUES; kind++)
            for (size_t few = 1; few <= outputs; few++) {
                const struct problem problem = {.data = &data,
                                                .classes = outputs,
                                                .bias_kind = few % 2 ? BIAS_NONE : BIAS_REGULARISED,
                                                .bias = 2};
                struct sparse x = {.index_kind = HINGE_INDEX_16,
                                   .value_kind = kinds[kind],
                                   .index = index,
                                   .value = value[kind],
                                   .unit = kinds[kind] == HINGE_VALUE_WHOLE ? 0.001 : 1,
                                   .count = FEATURES};
                double z[2][MOST_OUTPUTS], some[2][MOST_OUTPUTS];
                double v[2][2][(FEATURES + 1) * MOST_OUTPUTS];
                uint32_t output[MOST_OUTPUTS];

                for (uint32_t m = 0; m < few; m++)
                    output[m] = (uint32_t)((m + few) % outputs);
                for (int whole = 0; whole < 2; whole++, x.index_kind = HINGE_INDEX_NONE) {
                    problem_dots(&problem, &x, w, z[whole]);
                    problem_dots_of(&problem, &x, w, few, output, some[whole]);
                    for (int all = 0; all < 2; all++)
                        memcpy(v[whole][all], w, sizeof w);
                    problem_add_outer(&problem, &x, z[whole], v[whole][1]);
                    problem_add_outer_of(&problem, &x, few, output, some[whole], v[whole][0]);
                }
                assert_memory_equal(z[0], z[1], outputs * sizeof **z);
                assert_memory_equal(some[0], some[1], few * sizeof **some);
                assert_memory_equal(v[0], v[1], sizeof v[0]);
            }
}

static void test_several_rows_and_columns(void **state)
{
    enum { FEATURES = 37, ROWS = 11, VALUES = 4 };
    static double doubles[ROWS * FEATURES], w[(FEATURES + 1) * MOST_OUTPUTS];
    static float floats[ROWS * FEATURES];
    static int32_t wholes[ROWS * FEATURES];
    void *const value[VALUES] = {NULL, wholes, floats, doubles};
    const uint32_t row[ROWS] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
    size_t start[ROWS + 1];
    uint64_t random = 3;

    (void)state;
    draw_dense(w, (FEATURES + 1) * MOST_OUTPUTS, &random);
    for (size_t k = 0; k < ROWS * FEATURES; k++) {
        doubles[k] = 2 * random_unit(&random) - 1;
        floats[k] = (float)doubles[k];
        wholes[k] = (int32_t)(1000 * doubles[k]);
    }
    for (size_t i = 0; i <= ROWS; i++)
        start[i] = i * FEATURES;
    for (unsigned number = 0; number < VALUES * ROWS * (MOST_OUTPUTS - 1); number++) {
        const enum hinge_value_kind kind = (enum hinge_value_kind)(number % VALUES);
        const uint32_t count = number / VALUES % ROWS,
                       first = ROWS - count - number % (ROWS - count);
        const size_t outputs = 2 + number / VALUES / ROWS;
        const struct hinge_dataset data = {.features = FEATURES,
                                           .x = {.rows = ROWS,
                                                 .nonzeros = ROWS * FEATURES,
                                                 .start = start,
                                                 .index_kind = HINGE_INDEX_NONE,
                                                 .value_kind = kind,
                                                 .value = value[kind],
                                                 .scale = 1000}};
        const struct problem problem = {.data = &data,
                                        .rows = ROWS,
                                        .row = row,
                                        .classes = outputs,
                                        .bias_kind = number % 3 ? BIAS_NONE : BIAS_REGULARISED,
                                        .bias = 2};
        double z[(ROWS + 1) * MOST_OUTPUTS], of_one[MOST_OUTPUTS];
        double one[(FEATURES + 1) * MOST_OUTPUTS], all[(FEATURES + 1) * MOST_OUTPUTS];

        z[count * outputs] = 7; /* after the last product */
        problem_rows_dots(&problem, first - 1, count, w, z);
        assert_true(z[count * outputs] == 7);
        memcpy(one, w, sizeof w);
        memcpy(all, w, sizeof w);
        problem_rows_add_outer(&problem, first - 1, count, z, all);
        for (uint32_t i = 0; i < count; i++) {
            const struct sparse x = problem_row(&problem, first - 1 + i);

            problem_dots(&problem, &x, w, of_one);
            assert_memory_equal(of_one, z + i * outputs, outputs * sizeof *z);
            problem_add_outer(&problem, &x, of_one, one);
        }
        assert_memory_equal(one, all, sizeof one);
    }
}

/* Without an array of costs, the sign of a row gives its cost. With one, the sign does not
 * matter. */
static void test_costs_are_those_of_signs(void **state)
{
    static struct toy toy;

    (void)state;
    for (unsigned long number = 0; number < TOYS; number++) {
        double cost[MOST_ROWS];
        struct problem problem, with;

        draw(&toy, number);
        problem = toy.problem;
        problem.sign_cost[0] = 0.25;
        problem.sign_cost[1] = 3;
        with = problem;
        with.cost = problem_costs(&problem, 0, problem.rows, NULL);
        assert_ptr_equal(with.cost, problem.cost);
        problem.cost = NULL;
        with.cost = problem_costs(&problem, 0, problem.rows, cost);
        assert_ptr_equal(with.cost, cost);
        for (uint32_t i = 0; i < toy.m; i++) {
            CHECK(&toy, problem_cost(&toy.problem, i) == toy.problem.cost[i]);
            CHECK(&toy, problem_cost(&problem, i) == (problem.sign[i] > 0 ? 3 : 0.25));
            CHECK(&toy, problem_cost(&with, i) == problem_cost(&problem, i));
        }
    }
}

/* A free bias is no part of a row's length. */
static void test_squares_are_those_of_penalised_entries(void **state)
{
    static struct toy toy;

    (void)state;
    for (unsigned long number = 0; number < TOYS; number++) {
        draw(&toy, number);
        for (uint32_t i = 0; i < toy.m; i++) {
            long double square = 0;

            for (size_t j = 0; j < problem_penalised(&toy.problem); j++)
                square += (long double)toy.x[i][j] * toy.x[i][j];
            CHECK(&toy,
                  fabsl(problem_square(&toy.problem, i) - square) <= 16 * DBL_EPSILON * square);
        }
    }
}

/* Squares that are kept for rows of the data serve the view, which adds the square of the constant
 * feature. */
static void test_squares_that_are_kept(void **state)
{
    enum { MOST_SQUARES = 64 };
    static struct toy toy;

    (void)state;
    for (unsigned long number = 0; number < TOYS; number++) {
        double square[MOST_SQUARES];
        struct problem kept;

        draw(&toy, number);
        assert_true(toy.data.x.rows <= MOST_SQUARES);
        kept = toy.problem;
        kept.square = square;
        for (uint32_t i = 0; i < toy.m; i++) {
            const double constant = problem_constant(&kept);

            square[kept.row[i]] = i + 1.0;
            CHECK(&toy, problem_square(&kept, i) == i + 1.0 + constant * constant);
        }
    }
}

static void test_view_of_a_view(void **state)
{
    static struct toy toy;

    (void)state;
    for (unsigned long number = 0; number < TOYS; number++) {
        uint64_t random = number + 1;
        struct problem part;
        double w[MOST_WIDTH];
        uint32_t first;

        draw(&toy, number);
        draw_dense(w, toy.width, &random);
        part = toy.problem;
        first = (uint32_t)random_index(&random, toy.m);
        part.row += first;
        part.rows -= first;
        for (uint32_t i = 0; i < part.rows; i++) {
            CHECK(&toy,
                  problem_decision(&part, i, w) == problem_decision(&toy.problem, first + i, w));
            CHECK(&toy, problem_square(&part, i) == problem_square(&toy.problem, first + i));
            CHECK(&toy, problem_length(&part, i) == problem_length(&toy.problem, first + i));
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_widths),
        cmocka_unit_test(test_rows_are_those_of_the_view),
        cmocka_unit_test(test_nonzeros_are_those_of_average_rows),
        cmocka_unit_test(test_products_are_those_of_dense_rows),
        cmocka_unit_test(test_products_with_several_columns),
        cmocka_unit_test(test_several_columns_without_indices),
        cmocka_unit_test(test_several_rows_and_columns),
        cmocka_unit_test(test_costs_are_those_of_signs),
        cmocka_unit_test(test_squares_are_those_of_penalised_entries),
        cmocka_unit_test(test_squares_that_are_kept),
        cmocka_unit_test(test_view_of_a_view),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
