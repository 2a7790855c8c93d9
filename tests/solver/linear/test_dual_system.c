/* test_dual_system.c - |r - (Q + diag(ridge)) p| recomputed, over rows that come and go. */
#include <math.h>
#include <stdlib.h>

#include "random_problem.h"
#include "solver/linear/cost.h"
#include "solver/linear/dual_system.h"

/* Some rows, their ridges and a right hand side. */
struct choice {
    uint32_t *row;
    uint32_t rows;
    double *ridge;
    double *r;
    double *p;
};

static void draw_choice(struct random_problem *random, double share, struct choice *choice)
{
    choice->rows = 0;
    for (uint32_t i = 0; i < random->problem.rows; i++) {
        choice->ridge[i] = exp2(4 * random_unit(&random->random) - 6);
        if (random_unit(&random->random) < share) {
            choice->r[choice->rows] = 2 * random_unit(&random->random) - 1;
            choice->row[choice->rows++] = i;
        }
    }
}

/* Returns |r - (Q + diag(ridge)) p| / |r|, in long double. */
static double residual(const struct random_problem *random, const struct choice *choice)
{
    const signed char *sign = random->problem.sign;
    long double *v = calloc(random->data.features + 1u, sizeof *v), square = 0, whole = 0;

    assert_non_null(v);
    for (uint32_t s = 0; s < choice->rows; s++)
        random_problem_add(random, choice->row[s], (long double)choice->p[s] * sign[choice->row[s]],
                           v);
    for (uint32_t s = 0; s < choice->rows; s++) {
        const uint32_t i = choice->row[s];
        const long double left = choice->r[s] - sign[i] * random_problem_dot(random, i, v) -
                                 (long double)choice->ridge[i] * choice->p[s];

        square += left * left;
        whole += (long double)choice->r[s] * choice->r[s];
    }
    free(v);
    return choice->rows > 0 ? (double)sqrtl(square / whole) : 0;
}

/* Rows come and go, sometimes all of them. The allowed steps are too few for a wrong factor. */
static void check_choices(struct random_problem *random, unsigned most)
{
    const size_t rows = random->problem.rows;
    struct choice choice = {malloc(rows * sizeof *choice.row), 0,
                            malloc(rows * sizeof *choice.ridge), malloc(rows * sizeof *choice.r),
                            malloc(rows * sizeof *choice.p)};
    struct shards shards =
        shards_of(&random->problem, SUM_OF_VECTORS, (double)random->data.x.nonzeros,
                  problem_width(&random->problem));
    struct dual_system *system;
    struct hinge_error error;
    double spent = 0;

    shards.partial = calloc(shards.length, sizeof(double));
    system = dual_system_new(&random->problem, &shards, (struct stop){NULL, NULL}, &error);
    assert_true(choice.row && choice.ridge && choice.r && choice.p && shards.partial && system);
    for (int k = 0; k < 8; k++) {
        draw_choice(random, k == 3 ? 0 : k == 5 ? 2 : 0.7, &choice);
        dual_system_choose(system, (struct selection){choice.row, choice.rows}, choice.ridge);
        dual_system_solve(system, choice.r, choice.p, 1e-6, most);
        assert_true(residual(random, &choice) <= 1.1e-6);
        assert_true(choice.rows == 0 || dual_system_spent(system) > spent);
        spent = dual_system_spent(system);
    }
    dual_system_free(system);
    free(shards.partial);
    free(choice.row);
    free(choice.ridge);
    free(choice.r);
    free(choice.p);
}

/* Checks rows of this size. Rows with every feature have no indices. */
static void check_sizes(size_t rows, size_t features, size_t in_row, unsigned most)
{
    for (int k = 0; k < 3; k++) {
        struct random_problem random = {.random = (uint64_t)k + 7};

        random_problem_new(&random, rows, features, in_row, k - 1);
        if (in_row == features)
            random.data.x.index_kind = HINGE_INDEX_NONE;
        check_choices(&random, most);
        random_problem_free(&random);
    }
}

static void test_chosen_rows(void **state)
{
    (void)state;
    check_sizes(400, 900, 30, 5);
    check_sizes(37, 200, 6, 3);
    check_sizes(1, 50, 3, 1);
}

/* The rows are about as many as the lines formed together, twice as many, and a few more. */
static void test_rows_of_all_features(void **state)
{
    (void)state;
    check_sizes(300, 400, 400, 5);
    check_sizes(170, 190, 190, 5);
    check_sizes(3, 1, 1, 3);
}

/* Q p is the sum of several vectors. */
static void test_sums_in_shards(void **state)
{
    (void)state;
    check_sizes(1100, 12, 6, 300); /* four vectors */
}

/* If few rows come and go, an old factor is nearly as good as a new one, and few steps suffice. */
static void test_old_factor_serves(void **state)
{
    enum { ROWS = 1000 };
    struct random_problem random = {.random = 5};
    uint32_t row[ROWS];
    double ridge[ROWS], r[ROWS], p[ROWS];
    struct choice choice = {row, ROWS, ridge, r, p};
    struct shards shards = {.rows = ROWS, .count = 1, .length = ROWS};
    struct dual_system *system;
    struct hinge_error error;

    (void)state;
    random_problem_new(&random, ROWS, ROWS, 4, -1);
    system = dual_system_new(&random.problem, &shards, (struct stop){NULL, NULL}, &error);
    assert_non_null(system);
    for (uint32_t i = 0; i < ROWS; i++) {
        ((uint32_t *)random.problem.row)[i] = i / 2; /* each row that goes has a twin that stays */
        ridge[i] = 1e-2;
        r[i] = 2 * random_unit(&random.random) - 1;
    }
    for (uint32_t k = 0; k < 2; k++) {
        const double spent = dual_system_spent(system);

        choice.rows = 0;
        for (uint32_t i = 0; i < ROWS; i++)
            if (i % 500 != k || k == 0)
                row[choice.rows++] = i;
        dual_system_choose(system, (struct selection){row, choice.rows}, ridge);
        dual_system_solve(system, r, p, k > 0 ? 1e-4 : 1e-13, k > 0 ? 3 : 2000);
        assert_true(residual(&random, &choice) <= 1.1e-4);
        assert_true((dual_system_spent(system) - spent > cost_of_dual_factor(choice.rows)) ==
                    (k == 0));
    }
    dual_system_free(system);
    random_problem_free(&random);
}

/* More rows than a factor may have. */
static void test_no_room_for_a_factor(void **state)
{
    struct random_problem random = {.random = 11};

    (void)state;
    random_problem_new(&random, 6500, 8000, 3, -1);
    check_choices(&random, 2000);
    random_problem_free(&random);
}

static void test_kinds_of_values(void **state)
{
    (void)state;
    for (int kind = HINGE_VALUE_ONE; kind <= HINGE_VALUE_DOUBLE; kind++) {
        struct random_problem random = {.random = 3};
        struct hinge_matrix *x = &random.data.x;

        random_problem_new(&random, 150, 300, 8, 1);
        x->value_kind = (enum hinge_value_kind)kind;
        x->scale = 8;
        for (size_t k = 0; k < x->nonzeros; k++) {
            if (kind == HINGE_VALUE_WHOLE)
                ((int32_t *)x->value)[k] = (int32_t)(k % 17) - 8;
            if (kind == HINGE_VALUE_FLOAT)
                ((float *)x->value)[k] = (float)(k % 17) - 8;
        }
        random.value = malloc(x->nonzeros * sizeof *random.value);
        assert_non_null(random.value);
        for (size_t k = 0; k < x->nonzeros; k++)
            random.value[k] = hinge_value(x, k);
        check_choices(&random, 25);
        free(random.value);
        random_problem_free(&random);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_chosen_rows),          cmocka_unit_test(test_rows_of_all_features),
        cmocka_unit_test(test_sums_in_shards),       cmocka_unit_test(test_old_factor_serves),
        cmocka_unit_test(test_no_room_for_a_factor), cmocka_unit_test(test_kinds_of_values),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
