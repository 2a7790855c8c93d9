/* test_row_factor.c - vectors that the system is put to, in long double, and the factor takes back:
 * the errors' H-norm, relative to the vectors'. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "random_problem.h"
#include "solver/linear/row_factor.h"

enum { ROWS = 24, FEATURES = 60, WIDTH = FEATURES + 1 };

/* product := (I + scale S sum weight_i x_i x_i' S) p over the rows */
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

/* Some rows have a weight. kind is that of the problem; a free bias is a feature of value bias.
 * With units the second of three rounds is in them, the others are not. */
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

/* The value of the bias is a hundred times the length of the rows. Rounding errors of r leave 1e-4
 * of the vector; with the bias in the products of rows the error is several times the vector. */
static void test_large_rows_and_a_free_bias(void **state)
{
    (void)state;
    for (uint64_t number = 0; number < 12; number++)
        check(number, BIAS_FREE, 3e7, 1e5, 0, 1e-2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_solutions),
        cmocka_unit_test(test_large_rows_and_a_free_bias),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
