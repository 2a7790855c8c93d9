/* test_column_cache.c - compares norms and columns with loops over the rows, at one C and after a
 * change to another one.
 */
#include "solver/linear/column_cache.h"

#include <math.h>

#include "data/storage_kinds.h"
#include "random_problem.h"

enum { ROWS = 60, FEATURES = 17, IN_ROW = 5 };

struct sample {
    struct random_problem random;
    struct problem problem;
    double cost[ROWS];
};

static void sample_new(struct sample *sample, enum loss loss, double C)
{
    sample->random = (struct random_problem){.random = 3};
    random_problem_new(&sample->random, ROWS, FEATURES, IN_ROW, -1);
    sample->problem = sample->random.problem;
    sample->problem.loss = loss;
    sample->problem.cost = sample->cost;
    for (uint32_t i = 0; i < ROWS; i++)
        sample->cost[i] = C * (1 + i % 3);
}

static void check_norms(const struct column_cache *by, const struct problem *problem)
{
    double least = HUGE_VAL, most = 0;

    for (uint32_t j = 0; j < FEATURES; j++) {
        double square = 0, norm;

        for (uint32_t i = 0; i < ROWS; i++) {
            const struct sparse x = problem_row(problem, i);

            for (size_t k = 0; k < x.count; k++)
                if (index_at(&x, k) == j)
                    square += loss_most_curvature(problem->loss, problem->cost[i]) *
                              value_at(&x, k) * value_at(&x, k);
        }
        norm = sqrt(square);
        assert_true(fabs(by->norm[j] - norm) <= 1e-12 * norm);
        most = norm > most ? norm : most;
        least = norm > 0 && norm < least ? norm : least;
    }
    assert_true(fabs(by->most - most) <= 1e-12 * most);
    assert_true(fabs(by->least - least) <= 1e-12 * least);
}

static void test_columns_and_their_norms(void **state)
{
    static const enum loss losses[] = {LOSS_SQUARED_HINGE, LOSS_LOGISTIC};

    (void)state;
    for (size_t k = 0; k < COUNT(losses); k++) {
        struct sample sample;
        struct hinge_error error;
        struct column_cache *by;

        sample_new(&sample, losses[k], 0.5);
        assert_non_null(by = column_cache_new(&sample.problem, 1, &error));
        assert_null(by->matrix);
        assert_true(by->columns->x->start[FEATURES] == ROWS * IN_ROW);
        check_norms(by, &sample.problem);
        assert_true(column_cache_turn(by, &sample.problem));
        check_norms(by, &sample.problem);
        for (uint32_t i = 0; i < ROWS; i++)
            sample.cost[i] *= 64;
        assert_true(column_cache_turn(by, &sample.problem));
        check_norms(by, &sample.problem);
        sample.problem.rows--;
        assert_false(column_cache_turn(by, &sample.problem));
        column_cache_free(by);
        random_problem_free(&sample.random);
    }
}

/* The caller fills the matrix. A change of C multiplies the matrix and its weights. */
static void test_matrix_turns_with_the_cost(void **state)
{
    struct sample sample;
    struct hinge_error error;
    struct column_cache *by;

    (void)state;
    sample_new(&sample, LOSS_SQUARED_HINGE, 2);
    assert_non_null(by = column_cache_new(&sample.problem, 0, &error));
    assert_null(by->columns);
    for (size_t k = 0; k < FEATURES * FEATURES; k++) {
        assert_true(by->matrix[k] == 0);
        by->matrix[k] = (double)k;
    }
    for (size_t i = 0; i < ROWS; i++) {
        assert_true(by->weight[i] == 0);
        by->weight[i] = (double)i;
    }
    for (uint32_t i = 0; i < ROWS; i++)
        sample.cost[i] *= 0.25;
    assert_true(column_cache_turn(by, &sample.problem));
    for (size_t k = 0; k < FEATURES * FEATURES; k++)
        assert_true(by->matrix[k] == (double)k / 4);
    for (size_t i = 0; i < ROWS; i++)
        assert_true(by->weight[i] == (double)i / 4);
    column_cache_free(by);
    column_cache_free(NULL);
    random_problem_free(&sample.random);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_columns_and_their_norms),
                                       cmocka_unit_test(test_matrix_turns_with_the_cost)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
