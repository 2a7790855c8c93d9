/* test_row_products.c - products of rows against sums in long double, as lists of rows come and go.
 */
#include "solver/linear/row_products.h"

#include <math.h>
#include <stdlib.h>

#include "random_problem.h"

enum { ROWS = 60, FEATURES = 30, WIDTH = FEATURES + 1, IN_ROW = 5, CAPACITY = 20 };

struct trial {
    struct random_problem random;
    struct row_products products;
    void *block;
};

static void trial_new(struct trial *trial, double bias)
{
    struct hinge_error error;
    struct arena arena = {NULL, 0, 0};

    *trial = (struct trial){.random = {.random = 3}};
    random_problem_new(&trial->random, ROWS, FEATURES, IN_ROW, bias);
    row_products_lay_out(&trial->products, &arena, &trial->random.problem, CAPACITY);
    assert_non_null(trial->block = arena_new(&arena, &error));
    row_products_lay_out(&trial->products, &arena, &trial->random.problem, CAPACITY);
}

static void trial_free(struct trial *trial)
{
    row_products_free(&trial->products);
    free(trial->block);
    random_problem_free(&trial->random);
}

/* square NULL: 1 */
static double expected(const struct random_problem *random, const double *square, uint32_t i,
                       uint32_t j)
{
    long double *dense = calloc(problem_width(&random->problem), sizeof *dense), product;

    assert_non_null(dense);
    random_problem_add(random, i, 1, dense);
    for (size_t k = 0; square && k < problem_width(&random->problem); k++)
        dense[k] *= square[k];
    product = random_problem_dot(random, j, dense);
    free(dense);
    return (double)product;
}

static void check(struct trial *trial, const uint32_t *row, size_t count)
{
    const struct stop never = {NULL, NULL};

    assert_true(row_products_form(&trial->products, &trial->random.problem, row, count, &never));
    for (size_t k = 0; k < count; k++)
        for (size_t l = 0; l < count; l++)
            assert_true(fabs(row_product(&trial->products, row[k], row[l]) -
                             expected(&trial->random, trial->products.square, row[k], row[l])) <=
                        1e-13);
}

/* Ascending rows of the problem, every step-th from first on. */
static size_t list(uint32_t *row, uint32_t first, uint32_t step, size_t count)
{
    for (size_t k = 0; k < count; k++)
        row[k] = first + step * (uint32_t)k;
    return count;
}

/* Rows that were there are kept; where there is no room for more, all are given up. */
static void test_lists_of_rows(void **state)
{
    static const struct {
        uint32_t first, step;
        size_t count, slots;
    } row[] = {{0, 3, 8, 8},   {0, 6, 5, 9}, {1, 2, 10, 16},
               {0, 2, 20, 20}, {5, 1, 1, 1}, {7, 1, 0, 1}};
    uint32_t rows[CAPACITY];

    (void)state;
    for (int with_bias = 0; with_bias < 2; with_bias++) {
        struct trial trial;

        trial_new(&trial, with_bias ? 0.5 : -1);
        for (size_t k = 0; k < sizeof row / sizeof *row; k++) {
            check(&trial, rows, list(rows, row[k].first, row[k].step, row[k].count));
            assert_int_equal(trial.products.slots, row[k].slots);
        }
        row_products_clear(&trial.products);
        assert_int_equal(trial.products.slots, 0);
        check(&trial, rows, list(rows, 2, 3, CAPACITY));
        trial_free(&trial);
    }
}

/* What was formed with other weights of the features is given up. */
static void test_weights_of_features(void **state)
{
    uint32_t rows[CAPACITY];
    double square[WIDTH];

    (void)state;
    for (int with_bias = 0; with_bias < 2; with_bias++) {
        struct trial trial;

        trial_new(&trial, with_bias ? 0.5 : -1);
        list(rows, 0, 3, CAPACITY);
        check(&trial, rows, CAPACITY);
        for (size_t j = 0; j < WIDTH; j++)
            square[j] = 0.5 + (double)(j % 3);
        row_products_weigh(&trial.products, square);
        check(&trial, rows, CAPACITY);
        row_products_weigh(&trial.products, NULL);
        check(&trial, rows, CAPACITY);
        trial_free(&trial);
    }
}

/* Rows without indices, several at a time, are to the bit as those that have them. */
static void test_rows_without_indices(void **state)
{
    enum { LONG = 70, MANY = 50 };

    (void)state;
    for (int with_bias = 0; with_bias < 2; with_bias++) {
        struct trial trial[2];
        uint32_t rows[MANY];

        for (int whole = 0; whole < 2; whole++) {
            struct random_problem *random = &trial[whole].random;
            struct arena arena = {NULL, 0, 0};
            struct hinge_error error;

            trial[whole] = (struct trial){.random = {.random = 5}};
            random_problem_new(random, ROWS, LONG, LONG, with_bias ? 0.5 : -1);
            if (whole)
                random->data.x.index_kind = HINGE_INDEX_NONE;
            row_products_lay_out(&trial[whole].products, &arena, &random->problem, MANY);
            assert_non_null(trial[whole].block = arena_new(&arena, &error));
            row_products_lay_out(&trial[whole].products, &arena, &random->problem, MANY);
            for (size_t count = 3; count <= MANY; count += 1 + count / 2)
                check(&trial[whole], rows, list(rows, (uint32_t)count % 2, 1, count));
        }
        for (size_t slot = 0; slot < trial[0].products.slots; slot++)
            assert_memory_equal(row_product_place(&trial[0].products, slot, 0),
                                row_product_place(&trial[1].products, slot, 0),
                                (slot + 1) * sizeof(double));
        assert_true(trial[1].products.lanes > trial[0].products.lanes);
        trial_free(&trial[0]);
        trial_free(&trial[1]);
    }
}

static int asked(const void *context)
{
    const unsigned *times = context;

    return (*(unsigned *)(void *)times)-- == 0;
}

/* Stopped in the middle, it has the products of the rows before. */
static void test_stop(void **state)
{
    struct trial trial;
    uint32_t rows[CAPACITY];
    unsigned times = 4;
    const struct stop stop = {asked, &times};

    (void)state;
    trial_new(&trial, 0.5);
    list(rows, 0, 3, CAPACITY);
    assert_false(row_products_form(&trial.products, &trial.random.problem, rows, CAPACITY, &stop));
    assert_int_equal(trial.products.slots, 4);
    check(&trial, rows, CAPACITY);
    trial_free(&trial);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lists_of_rows),
        cmocka_unit_test(test_weights_of_features),
        cmocka_unit_test(test_rows_without_indices),
        cmocka_unit_test(test_stop),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
