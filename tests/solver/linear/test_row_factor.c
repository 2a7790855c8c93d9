/* test_row_factor.c - multiplies vectors by the system in long double and solves with the factor.
 * The error is the H-norm of the difference, relative to the vector. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "random_problem.h"
#include "solver/linear/primal_factor.h"

enum { ROWS = 24, FEATURES = 60, WIDTH = FEATURES + 1 };

/* Sets product := (I + scale S sum weight_i x_i x_i' S) p over the rows. */
static void multiply(const struct random_problem *random, const double *unit, const uint32_t *row,
                     size_t count, const double *weight, double scale, const long double *p,
                     long double *product)
{
    const size_t width = problem_width(&random->problem);
    long double in_units[WIDTH] = {0};

    for (size_t j = 0; j < width; j++) {
        in_units[j] = unit[j] * p[j];
        product[j] = 0;
    }
    for (size_t s = 0; s < count; s++)
        random_problem_add(
            random, row[s],
            (long double)scale * weight[s] * random_problem_dot(random, row[s], in_units), product);
    for (size_t j = 0; j < width; j++)
        product[j] = p[j] + unit[j] * product[j];
}

static long double square_in(const struct random_problem *random, const double *unit,
                             const uint32_t *row, size_t count, const double *weight, double scale,
                             const long double *p)
{
    long double product[WIDTH] = {0}, sum = 0;

    multiply(random, unit, row, count, weight, scale, p, product);
    for (size_t j = 0; j < problem_width(&random->problem); j++)
        sum += p[j] * product[j];
    return sum;
}

/* Checks factors of rows, some with a weight. A free bias is a feature with the value `bias`. With
 * units, the second of three rounds has them. */
static void check(uint64_t number, enum bias_kind kind, double bias, double size, int with_units,
                  double error)
{
    const struct stop never = {NULL, NULL};
    const double scale = 3;
    struct random_problem random = {.random = number + 1};
    struct row_factor factor = {.order = 0};
    struct arena arena = {NULL, 0, 0};
    struct hinge_error no_memory;
    struct shards shards = {.rows = ROWS, .count = 1};
    uint32_t row[ROWS], count = 0;
    double weight[ROWS], p[WIDTH], unit[WIDTH];
    long double x[WIDTH] = {0}, r[WIDTH] = {0};
    void *memory;

    random_problem_new(&random, ROWS, FEATURES, 8, bias);
    for (size_t k = 0; k < random.data.x.nonzeros; k++)
        random.value[k] *= size;
    random.problem.bias_kind = kind;
    random.problem.only_l1 = with_units;
    row_factor_lay_out(&factor, &arena, &random.problem, ROWS);
    memory = arena_new(&arena, &no_memory);
    assert_non_null(memory);
    row_factor_lay_out(&factor, &arena, &random.problem, ROWS);
    assert_int_equal(factor.border != NULL, kind == BIAS_FREE);
    if (kind == BIAS_FREE)
        random.problem.bias_kind = BIAS_REGULARISED;
    row_factor_clear(&factor);
    shards.length = problem_width(&random.problem);
    for (int round = 0; round < 3; round++) {
        const int is_in_units = with_units && round == 1;

        for (size_t j = 0; j < WIDTH; j++)
            unit[j] = is_in_units ? exp2(6 * random_unit(&random.random) - 3) : 1;
        if (with_units)
            row_factor_set_units(&factor, is_in_units ? unit : NULL);
        count = 0;
        for (uint32_t i = 0; i < ROWS; i++)
            if (random_unit(&random.random) < 0.6) {
                row[count] = i;
                weight[count++] = exp2(6 * random_unit(&random.random) - 3);
            }
        assert_true(row_factor_form(&factor, &random.problem, (struct selection){row, count},
                                    weight, scale, &never));
        assert_int_equal(factor.order, count);
        for (size_t j = 0; j < shards.length; j++)
            x[j] = 2 * random_unit(&random.random) - 1;
        multiply(&random, unit, row, count, weight, scale, x, r);
        for (size_t j = 0; j < shards.length; j++)
            p[j] = (double)r[j];
        row_factor_solve(&factor, &shards, &random.problem, p);
        for (size_t j = 0; j < shards.length; j++)
            r[j] = p[j] - x[j];
        assert_true(square_in(&random, unit, row, count, weight, scale, r) <=
                    error * error * square_in(&random, unit, row, count, weight, scale, x));
    }
    row_factor_free(&factor);
    random_problem_free(&random);
    free(memory);
}

static void test_solutions(void **state)
{
    (void)state;
    for (uint64_t number = 0; number < 12; number++) {
        const int with_units = number % 2;

        check(number, BIAS_NONE, -1, 1, with_units, 1e-12);
        check(number, BIAS_REGULARISED, 1, 1, with_units, 1e-12);
        check(number, BIAS_FREE, 100, 1, with_units, 1e-12);
    }
}

/* The value of the bias is a hundred times the length of the rows. The error is 1e-4, from rounding
 * of r. With the bias in the products of rows, it would be several times the vector. */
static void test_large_rows_and_a_free_bias(void **state)
{
    (void)state;
    for (uint64_t number = 0; number < 12; number++)
        check(number, BIAS_FREE, 3e7, 1e5, 0, 1e-2);
}

/* ---- Products that are kept ---------------------------------------------- */

enum { MANY_ROWS = 60, FEW_FEATURES = 30, CAPACITY = 20 };

struct trial {
    struct random_problem random;
    struct row_factor factor;
    void *block;
};

static void trial_new(struct trial *trial, size_t features, size_t in_row, double bias,
                      int is_whole, size_t capacity)
{
    struct hinge_error error;
    struct arena arena = {NULL, 0, 0};

    *trial = (struct trial){.random = {.random = 3}};
    random_problem_new(&trial->random, MANY_ROWS, features, in_row, bias);
    if (is_whole)
        trial->random.data.x.index_kind = HINGE_INDEX_NONE;
    row_factor_lay_out(&trial->factor, &arena, &trial->random.problem, capacity);
    assert_non_null(trial->block = arena_new(&arena, &error));
    row_factor_lay_out(&trial->factor, &arena, &trial->random.problem, capacity);
}

static void trial_free(struct trial *trial)
{
    row_factor_free(&trial->factor);
    free(trial->block);
    random_problem_free(&trial->random);
}

/* Forms the factor of rows first, first + step, ... and checks the upper triangle of U'U against
 * I + A in long double. Returns what row_factor_form returns. */
static int form(struct trial *trial, uint32_t first, uint32_t step, size_t count,
                const struct stop *stop)
{
    const struct random_problem *random = &trial->random;
    const double *u = trial->factor.factor;
    long double dense[WIDTH + FEATURES];
    uint32_t row[MANY_ROWS] = {0};
    double weight[MANY_ROWS] = {0};

    for (uint32_t k = 0; k < count; k++) {
        row[k] = first + step * k;
        weight[k] = 1 + k % 3;
    }
    if (!row_factor_form(&trial->factor, &random->problem, (struct selection){row, (uint32_t)count},
                         weight, 1, stop))
        return 0;
    for (size_t k = 0; k < count; k++) {
        memset(dense, 0, sizeof dense);
        random_problem_add(random, row[k], 1, dense);
        for (size_t l = k; l < count; l++) {
            const long double product = random_problem_dot(random, row[l], dense);
            const long double expected =
                (k == l) + random->problem.sign[row[k]] * random->problem.sign[row[l]] *
                               sqrtl((long double)weight[k] * weight[l]) * product;
            long double sum = 0;

            for (size_t i = 0; i <= k; i++)
                sum += (i == k ? 1 / (long double)u[i * count + k] : u[i * count + k]) *
                       (i == l ? 1 / (long double)u[i * count + l] : u[i * count + l]);
            assert_true(fabsl(sum - expected) <= 1e-11L);
        }
    }
    return 1;
}

/* Rows of the last factor are kept. If there is no room for the new ones, all are dropped. */
static void test_lists_of_rows(void **state)
{
    static const struct {
        uint32_t first, step;
        size_t count, slots;
    } row[] = {{0, 3, 8, 8},   {0, 6, 5, 9}, {1, 2, 10, 16},
               {0, 2, 20, 20}, {5, 1, 1, 1}, {7, 1, 0, 1}};
    const struct stop never = {NULL, NULL};

    (void)state;
    for (int with_bias = 0; with_bias < 2; with_bias++) {
        struct trial trial;

        trial_new(&trial, FEW_FEATURES, 5, with_bias ? 0.5 : -1, 0, CAPACITY);
        for (size_t k = 0; k < sizeof row / sizeof *row; k++) {
            assert_true(form(&trial, row[k].first, row[k].step, row[k].count, &never));
            assert_int_equal(trial.factor.slots, row[k].slots);
        }
        row_factor_clear(&trial.factor);
        assert_int_equal(trial.factor.slots, 0);
        assert_true(form(&trial, 2, 3, CAPACITY, &never));
        trial_free(&trial);
    }
}

/* Rows without indices, several at a time, give the same bits as rows with indices. */
static void test_rows_without_indices(void **state)
{
    enum { MOST = 50 };
    const struct stop never = {NULL, NULL};

    (void)state;
    for (int with_bias = 0; with_bias < 2; with_bias++) {
        struct trial trial[2];

        for (int whole = 0; whole < 2; whole++)
            trial_new(&trial[whole], FEATURES, FEATURES, with_bias ? 0.5 : -1, whole, MOST);
        assert_true(trial[1].factor.lanes > trial[0].factor.lanes);
        for (size_t count = 3; count <= MOST; count += 1 + count / 2) {
            for (int whole = 0; whole < 2; whole++)
                assert_true(form(&trial[whole], (uint32_t)count % 2, 1, count, &never));
            assert_memory_equal(trial[0].factor.factor, trial[1].factor.factor,
                                count * count * sizeof(double));
        }
        trial_free(&trial[0]);
        trial_free(&trial[1]);
    }
}

static int asked(const void *context)
{
    const unsigned *times = context;

    return (*(unsigned *)(void *)times)-- == 0;
}

/* A factor that is stopped in the middle keeps the products of the rows before. */
static void test_stop(void **state)
{
    struct trial trial;
    unsigned times = 4;
    const struct stop stop = {asked, &times}, never = {NULL, NULL};

    (void)state;
    trial_new(&trial, FEW_FEATURES, 5, 0.5, 0, CAPACITY);
    assert_false(form(&trial, 0, 3, CAPACITY, &stop));
    assert_int_equal(trial.factor.slots, 4);
    assert_int_equal(trial.factor.order, 0);
    assert_true(form(&trial, 0, 3, CAPACITY, &never));
    trial_free(&trial);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_solutions),     cmocka_unit_test(test_large_rows_and_a_free_bias),
        cmocka_unit_test(test_lists_of_rows), cmocka_unit_test(test_rows_without_indices),
        cmocka_unit_test(test_stop),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
