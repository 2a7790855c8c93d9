/* test_feature_factor.c - compares X'WX with sums in long double, after small and large changes of
 * weights, and after a stop.
 */
#include "solver/linear/primal_factor.h"

#include <math.h>
#include <stdlib.h>

#include "random_problem.h"

static void check_sum(const struct random_problem *random, const struct feature_products *products,
                      const double *weight)
{
    const size_t width = products->width;
    long double *sum = calloc(width * width, sizeof *sum), *x = calloc(width, sizeof *x);

    assert_true(sum && x);
    for (uint32_t i = 0; i < random->problem.rows; i++) {
        for (size_t j = 0; j < width; j++)
            x[j] = 0;
        random_problem_add(random, i, 1, x);
        for (size_t k = 0; k < width; k++)
            for (size_t l = k; l < width; l++)
                sum[k * width + l] += weight[i] * x[k] * x[l];
    }
    for (size_t k = 0; k < width; k++)
        for (size_t l = k; l < width; l++)
            assert_true(fabsl(products->sum[k * width + l] - sum[k * width + l]) <= 1e-11L);
    free(sum);
    free(x);
}

static struct selection list(const double *weight, uint32_t rows, uint32_t *row, double *listed)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < rows; i++)
        if (weight[i] > 0) {
            row[count] = i;
            listed[count++] = weight[i];
        }
    return (struct selection){row, count};
}

/* Checks sums with weights for all rows, some changed rows, no row and other rows. The change of a
 * single row is an update, which keeps even a wrong entry of the sum. So is the next change, for
 * rows that had a weight before the sum was made anew without them. */
static void check_sequence(size_t rows, size_t features, size_t in_row, double bias)
{
    enum { TIMES = 10, ONE_ROW = 7, SOME_COME_BACK };
    const struct stop never = {NULL, NULL};
    struct random_problem random = {.random = rows};
    struct feature_products products = {0};
    struct arena arena = {NULL, 0, 0};
    double *weight = calloc(rows, sizeof *weight), *listed = calloc(rows, sizeof *listed);
    uint32_t *row = calloc(rows, sizeof *row);
    struct hinge_error error;
    void *block;
    double *room;

    assert_true(weight && listed && row);
    random_problem_new(&random, rows, features, in_row, bias);
    feature_products_lay_out(&products, &arena, &random.problem);
    assert_non_null(block = arena_new(&arena, &error));
    feature_products_lay_out(&products, &arena, &random.problem);
    assert_non_null(room = calloc(products.width * products.width, sizeof *room));
    for (int k = 0; k < TIMES; k++) {
        struct products_work work = {.problem = &random.problem, .room = room, .stop = &never};
        struct selection some;

        for (uint32_t i = 0; i < rows; i++)
            if (k == 0 || k == TIMES - 1 || (k < 4 && i % 9 == (uint32_t)k))
                weight[i] = weight[i] > 0 && i % 2 ? 0 : 1 + random_unit(&random.random);
            else if (k == 4)
                weight[i] = i % 5 ? weight[i] : 0;
            else if (k == 5)
                weight[i] = 0;
            else if (k == 6)
                weight[i] = i % 3;
            else if (k == SOME_COME_BACK && i % 12 == 0)
                weight[i] = 1.5;
        if (k == ONE_ROW) {
            weight[rows / 2] += 1;
            products.sum[0] += 1;
        }
        some = list(weight, random.problem.rows, row, listed);
        work.count = some.count;
        work.nonzeros = (double)(some.count * in_row);
        feature_products_form(&products, &work, some, listed);
        if (k == ONE_ROW)
            products.sum[0] -= 1; /* a sum made anew would not have it */
        check_sum(&random, &products, weight);
    }
    feature_products_clear(&products, rows);
    for (size_t j = 0; j < products.width * products.width; j++)
        assert_true(products.sum[j] == 0);
    feature_products_free(&products);
    random_problem_free(&random);
    free(block);
    free(room);
    free(weight);
    free(listed);
    free(row);
}

static void test_weights_come_and_go(void **state)
{
    (void)state;
    check_sequence(40, 6, 3, -1);
    check_sequence(200, 30, 5, 0.5);
    check_sequence(90, 7, 7, 2);
}

/* Answers "stop" from question `first` on. */
struct question {
    int asked;
    int first;
};

static int count_questions(const void *context)
{
    struct question *question = *(struct question *const *)context;

    return ++question->asked >= question->first;
}

/* A sum that is stopped half-way or at its end becomes 0, without rows. The next sum with the same
 * weights has all rows. */
static void test_stopped_sum_is_not_kept(void **state)
{
    enum { ROWS = 120, FEATURES = 500, HALF_WAY = 1 }; /* the sum asks for a stop after 80 rows */
    struct random_problem random = {.random = 1};
    struct feature_products products = {0};
    struct arena arena = {NULL, 0, 0};
    double weight[ROWS];
    uint32_t row[ROWS];
    struct hinge_error error;
    void *block;
    double *room;

    (void)state;
    random_problem_new(&random, ROWS, FEATURES, FEATURES, -1);
    feature_products_lay_out(&products, &arena, &random.problem);
    assert_non_null(block = arena_new(&arena, &error));
    feature_products_lay_out(&products, &arena, &random.problem);
    assert_non_null(room = calloc((size_t)FEATURES * FEATURES, sizeof *room));
    for (uint32_t i = 0; i < ROWS; i++) {
        row[i] = i;
        weight[i] = 1 + random_unit(&random.random);
    }
    for (int first = HALF_WAY; first <= HALF_WAY + 1; first++) {
        struct question question = {0, first}, *asked = &question;
        const struct stop stop = {count_questions, &asked}, never = {NULL, NULL};
        struct products_work work = {.problem = &random.problem,
                                     .count = ROWS,
                                     .nonzeros = (double)ROWS * FEATURES,
                                     .room = room,
                                     .stop = &stop};
        const struct selection rows = {row, ROWS};

        feature_products_form(&products, &work, rows, weight);
        assert_int_equal(question.asked, 2);
        assert_int_equal(products.holders, 0);
        for (size_t k = 0; k < (size_t)FEATURES * FEATURES; k++)
            assert_true(products.sum[k] == 0);
        work.stop = &never;
        feature_products_form(&products, &work, rows, weight);
        check_sum(&random, &products, weight);
        feature_products_clear(&products, ROWS);
    }
    feature_products_free(&products);
    random_problem_free(&random);
    free(block);
    free(room);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_weights_come_and_go),
        cmocka_unit_test(test_stopped_sum_is_not_kept),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
