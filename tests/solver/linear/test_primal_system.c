/* test_primal_system.c - |r - H p| recomputed from the rows, for each of the preconditioners. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "random_problem.h"
#include "solver/linear/primal_system.h"

/* Returns |r - (R + scale sum weight_i x_i x_i') p| / |r|, in long double. R = I if unit is NULL.
 */
static double residual(const struct random_problem *random, const double *weight, double scale,
                       const double *unit, const double *r, const double *p)
{
    const size_t width = problem_width(&random->problem);
    long double *left = malloc(2 * width * sizeof *left), *wide = left + width;
    long double square = 0, whole = 0;

    assert_non_null(left);
    for (size_t j = 0; j < width; j++) {
        wide[j] = p[j];
        left[j] = r[j] - p[j] / (unit ? (long double)unit[j] * unit[j] : 1);
    }
    for (uint32_t i = 0; i < random->problem.rows; i++)
        if (weight[i] > 0)
            random_problem_add(
                random, i, -(long double)scale * weight[i] * random_problem_dot(random, i, wide),
                left);
    for (size_t j = 0; j < width; j++) {
        square += left[j] * left[j];
        whole += (long double)r[j] * r[j];
    }
    free(left);
    return (double)sqrtl(square / whole);
}

static void draw_weights(struct random_problem *random, double share, int alike, double *weight)
{
    for (uint32_t i = 0; i < random->problem.rows; i++) {
        const double own = alike ? 1 : exp2(4 * random_unit(&random->random) - 2);

        weight[i] = random_unit(&random->random) < share ? own : 0;
    }
}

static void form(struct primal_system *system, const struct problem *problem,
                 const struct shards *shards, const double *weight, double scale)
{
    struct row_weights *weights = primal_system_weights(system);

    weights->count = 0;
    for (uint32_t i = 0; i < problem->rows; i++) {
        weights->row[weights->count] = i;
        weights->weight[weights->count] = weight[i];
        weights->count += weight[i] > 0;
    }
    primal_system_form(system, problem, shards, scale, weights->count, NULL);
}

/* Solves with weights as in methods: some rows come and go, the scale grows, and the problem comes
 * again with another C. The system's residual must be that of the solution, up to a relative error
 * of error_of_left. */
static void check_sequence(struct random_problem *random, double share, double tolerance,
                           double error_of_left)
{
    const size_t rows = random->problem.rows, width = problem_width(&random->problem);
    double *weight = calloc(rows, sizeof *weight), *r = malloc(width * sizeof *r);
    double *p = malloc(width * sizeof *p), scale = 0.5, left, told;
    struct hinge_error error;
    const struct problem again = random->problem;
    struct primal_system *system = primal_system_new(&random->problem, &error);
    struct shards shards =
        shards_of(&again, SUM_OF_VECTORS, (double)random->data.x.nonzeros, width);

    shards.partial = calloc(width, sizeof *shards.partial);
    assert_true(weight && r && p && system && shards.partial);
    for (int k = 0; k < 12; k++, scale *= 2) {
        if (k % 4 == 0)
            draw_weights(random, k == 8 ? 0 : share, k < 4, weight);
        for (size_t i = (size_t)k; i < rows; i += 7 + (size_t)k)
            weight[i] = weight[i] > 0 ? 0 : 1;
        for (size_t j = 0; j < width; j++)
            r[j] = 2 * random_unit(&random->random) - 1;
        form(system, k < 6 ? &random->problem : &again, &shards, weight, scale);
        primal_system_solve(system, r, p, tolerance, 2000);
        left = residual(random, weight, scale, NULL, r, p);
        assert_true(left <= 1.1 * tolerance + 1e-13);
        told = dense_dot(primal_system_residual(system), primal_system_residual(system), width);
        /* with an exact factor the system's residual is 0, and errors are at most 1e-4 tolerance */
        assert_true(fabs(sqrt(told / dense_dot(r, r, width)) - left) <=
                    error_of_left * left + 1e-4 * tolerance + 1e-12);
    }
    primal_system_free(system);
    free(shards.partial);
    free(weight);
    free(r);
    free(p);
}

static void check_sizes(size_t rows, size_t features, size_t in_row, double share)
{
    for (int k = 0; k < 3; k++) {
        struct random_problem random = {.random = 1 + (uint64_t)k};

        random_problem_new(&random, rows, features, in_row, k - 1);
        check_sequence(&random, share, k == 2 ? 0.1 : 1e-8, 1e-3);
        random_problem_free(&random);
    }
}

static void test_factor_over_features(void **state)
{
    (void)state;
    check_sizes(200, 40, 6, 0.5);
    check_sizes(3000, 133, 5, 0.2);
    check_sizes(41, 40, 40, 1);
    check_sizes(5, 1, 1, 1);
}

/* Checks features with few rows. With are_equal, the features of the first two strips are equal in
 * pairs, except in one row. */
static void check_rare(size_t rows, size_t features, size_t in_row, int are_equal)
{
    for (int k = 0; k < 4; k++) {
        struct random_problem random = {.random = 1 + (uint64_t)k};
        uint32_t *index;

        random_problem_new(&random, rows, features, in_row, k % 2 - 1);
        index = random.data.x.index;
        for (size_t e = 0; are_equal && e < random.data.x.nonzeros; e += in_row) {
            index[e + 1] = index[e] + (uint32_t)(features / in_row);
            random.value[e + 1] = random.value[e] + (e == 5 * in_row);
        }
        random.problem.only_l1 = k > 1;
        check_sequence(&random, 0.5, 1e-8, 1e-3);
        random_problem_free(&random);
    }
}

/* Returns numbers between -1 and 1, which the caller frees. */
static double *random_vector(size_t count, uint64_t *random)
{
    double *vector = malloc(count * sizeof *vector);

    assert_non_null(vector);
    for (size_t j = 0; j < count; j++)
        vector[j] = 2 * random_unit(random) - 1;
    return vector;
}

/* True if there is a price for eliminating rare features first, which grows with the steps. Checks
 * that a solution after it is as exact as others. */
static int has_order(size_t rows, size_t features, size_t in_row, double bias)
{
    struct random_problem random = {.random = 3};
    struct shards shards = {.rows = (uint32_t)rows, .count = 1, .length = features + 1};
    double *weight = calloc(rows, sizeof *weight), *r, *p = calloc(features + 1, sizeof *p);
    struct primal_system *system;
    struct hinge_error error;
    double few, many;

    random_problem_new(&random, rows, features, in_row, bias);
    shards.length = problem_width(&random.problem);
    assert_non_null(system = primal_system_new(&random.problem, &error));
    few = primal_system_ordered_price(system, &random.problem, 1);
    many = primal_system_ordered_price(system, &random.problem, 100);
    assert_true(weight && p && (many > few || (many == 0 && few == 0)));
    r = random_vector(shards.length, &random.random);
    draw_weights(&random, 0.8, 0, weight);
    form(system, &random.problem, &shards, weight, 10);
    primal_system_solve(system, r, p, 1e-9, 2000);
    assert_true(residual(&random, weight, 10, NULL, r, p) <= 1.1e-9);
    primal_system_free(system);
    random_problem_free(&random);
    free(weight);
    free(r);
    free(p);
    return few > 0;
}

static void test_rare_features(void **state)
{
    (void)state;
    assert_true(has_order(600, 400, 3, 1));
    assert_true(has_order(600, 400, 1, -1)); /* orthogonal features leave a dense block of one */
    assert_true(has_order(600, 400, 1, 2));
    assert_false(has_order(600, 400, 200, 1)); /* no feature is rare */
    assert_false(has_order(600, 700, 3, 1));   /* no factor over features */
    check_rare(600, 400, 3, 0);
    check_rare(3000, 300, 3, 0);
    check_rare(700, 2000 / 3, 6, 1);
    check_rare(900, 300, 30, 1);
}

/* Features in the last strips are rare, except for the first of each strip. There are so many rows
 * that the dense block is the sum of several matrices, by two threads. One step with its factor
 * solves. Then the sums are over all features again. */
static void test_rare_features_in_shards(void **state)
{
    enum { ROWS = 36000, IN_ROW = 20, STRIP = 15, FEATURES = IN_ROW * STRIP };
    enum { FREQUENT = 13 * STRIP, WITH_RARE = 10 };
    struct random_problem random = {.random = 5};
    struct shards shards = {.rows = ROWS, .count = 1, .length = FEATURES, .threads = 2};
    double *weight = calloc(ROWS, sizeof *weight), *r, *p = calloc(FEATURES, sizeof *p);
    struct primal_system *system;
    struct hinge_error error;
    uint32_t *index;

    (void)state;
    random_problem_new(&random, ROWS, FEATURES, IN_ROW, -1);
    index = random.data.x.index;
    for (size_t e = WITH_RARE * IN_ROW; e < random.data.x.nonzeros; e++)
        if (index[e] >= FREQUENT)
            index[e] -= index[e] % STRIP;
    r = random_vector(FEATURES, &random.random);
    assert_non_null(system = primal_system_new(&random.problem, &error));
    assert_true(weight && p && primal_system_ordered_price(system, &random.problem, 1) > 0);
    draw_weights(&random, 1, 0, weight);
    for (int k = 0; k < 2; k++) {
        form(system, &random.problem, &shards, weight, 0.1);
        primal_system_solve(system, r, p, 1e-3, k == 0 ? 1 : 100);
        assert_true(residual(&random, weight, 0.1, NULL, r, p) <= 1e-3);
        assert_true(primal_system_reset(system, &random.problem));
    }
    primal_system_free(system);
    random_problem_free(&random);
    free(weight);
    free(r);
    free(p);
}

/* There are so many rows that X'WX is the sum of several matrices. */
static void test_sums_in_shards(void **state)
{
    (void)state;
    check_sizes(9000, 12, 6, 0.5);
    check_sizes(9000, 12, 6, 0.01); /* few rows with a weight */
}

static void test_factor_over_rows(void **state)
{
    (void)state;
    check_sizes(40, 300, 6, 0.5);
    check_sizes(400, 2000, 30, 0.7);
    check_sizes(1, 50, 3, 1);
}

/* The factor is over rows if few of them have a weight, and otherwise over features. */
static void test_either_factor(void **state)
{
    (void)state;
    check_sizes(1200, 600, 5, 0.05);
    check_sizes(900, 600, 5, 0.35);
    check_sizes(700, 520, 20, 0.1);
}

/* Solves with a diagonal other than I, of any scale, and then with I again. */
static void check_units(uint32_t rows, uint32_t features)
{
    enum { MOST = 300 };

    for (int k = 0; k < 12; k++) {
        struct random_problem random = {.random = 1 + (uint64_t)k};
        struct shards shards = {.rows = rows, .count = 1, .length = features + 1};
        double weight[MOST], unit[MOST + 1], p[MOST + 1], *r;
        struct primal_system *system;
        struct hinge_error error;
        size_t width;

        random_problem_new(&random, rows, features, 6, k % 2 ? 1 : -1);
        random.problem.only_l1 = 1;
        width = shards.length = problem_width(&random.problem);
        assert_non_null(system = primal_system_new(&random.problem, &error));
        r = random_vector(width, &random.random);
        for (size_t i = 0; i < rows; i++)
            weight[i] = exp2(20 * random_unit(&random.random) - 10);
        for (size_t j = 0; j < width; j++)
            unit[j] = exp2(k * random_unit(&random.random) - k / 2.0);
        form(system, &random.problem, &shards, weight, 0.5);
        primal_system_set_units(system, unit);
        primal_system_solve(system, r, p, 1e-9, 200);
        assert_true(residual(&random, weight, 0.5, unit, r, p) <= 1e-7);
        assert_true(residual(&random, weight, 0.5, NULL, r, p) > 1e-7 || k == 0);
        form(system, &random.problem, &shards, weight, 0.5);
        primal_system_solve(system, r, p, 1e-9, 200);
        assert_true(residual(&random, weight, 0.5, NULL, r, p) <= 1e-8);
        primal_system_free(system);
        random_problem_free(&random);
        free(r);
    }
}

static void test_diagonal_of_units(void **state)
{
    (void)state;
    check_units(300, 40);
    check_units(300, 290);
    check_units(40, 300);
}

/* More rows come than the number whose products are kept. */
static void test_products_are_given_up(void **state)
{
    enum { ROWS = 4300, FEATURES = 4400, SOME = 100 };
    struct random_problem random = {.random = 9};
    double *weight = calloc(ROWS, sizeof *weight), *r;
    double *p = malloc(FEATURES * sizeof *p);
    struct shards shards = {.rows = ROWS, .count = 1, .length = FEATURES};
    struct primal_system *system;
    struct hinge_error error;

    (void)state;
    random_problem_new(&random, ROWS, FEATURES, 4, -1);
    system = primal_system_new(&random.problem, &error);
    assert_true(weight && p && system);
    r = random_vector(FEATURES, &random.random);
    for (size_t first = 0; first < ROWS; first += SOME) {
        memset(weight, 0, ROWS * sizeof *weight);
        for (size_t i = first; i < first + SOME; i++)
            weight[i] = 1;
        form(system, &random.problem, &shards, weight, 10);
        primal_system_solve(system, r, p, 1e-8, 2);
        assert_true(residual(&random, weight, 10, NULL, r, p) <= 1.1e-8);
    }
    primal_system_free(system);
    random_problem_free(&random);
    free(weight);
    free(r);
    free(p);
}

/* With more rows and features than a factor may have, conjugate gradients have the diagonal alone.
 */
static void test_no_room_for_a_factor(void **state)
{
    (void)state;
    check_sizes(4500, 4600, 4, 1);
}

/* Given squares are those that the system would sum. They serve one solution. */
static void test_squares_are_given(void **state)
{
    enum { ROWS = 4300, FEATURES = 4400 };
    struct random_problem random = {.random = 11};
    double *weight = calloc(ROWS, sizeof *weight), *r;
    double *p = malloc(FEATURES * sizeof *p), *other = malloc(FEATURES * sizeof *other);
    double *squares = calloc(FEATURES, sizeof *squares);
    struct shards shards = {.rows = ROWS, .count = 1, .length = FEATURES};
    struct primal_system *system;
    struct hinge_error error;

    (void)state;
    random_problem_new(&random, ROWS, FEATURES, 4, -1);
    system = primal_system_new(&random.problem, &error);
    assert_true(weight && p && other && squares && system);
    r = random_vector(FEATURES, &random.random);
    for (size_t i = 0; i < ROWS; i++)
        weight[i] = 0.1 + random_unit(&random.random);
    assert_true(primal_system_needs_squares(system, ROWS));
    assert_false(primal_system_needs_squares(system, 100)); /* because there will be a factor */
    sums_squares(&shards, &random.problem, all_rows(&random.problem), weight, squares);
    form(system, &random.problem, &shards, weight, 10);
    primal_system_solve(system, r, p, 1e-3, 3);
    for (int k = 0; k < 3; k++) {
        if (k == 1)
            memset(squares, 0, FEATURES * sizeof *squares);
        primal_system_form(system, &random.problem, &shards, 10,
                           primal_system_weights(system)->count, k < 2 ? squares : NULL);
        primal_system_solve(system, r, other, 1e-3, 3);
        assert_int_equal(memcmp(p, other, FEATURES * sizeof *p) != 0, k == 1);
    }
    primal_system_free(system);
    random_problem_free(&random);
    free(weight);
    free(r);
    free(p);
    free(other);
    free(squares);
}

static void test_over_features_or_rows(void **state)
{
    static const size_t sizes[][2] = {{50, 50},     {50, 51},   {49, 50},  {4097, 4096},
                                      {5000, 4097}, {600, 511}, {600, 512}};
    static const int over_features[] = {1, 0, 0, 1, 0, 1, 1};
    static const size_t rows[] = {0, 50, 49, 2048, 4096, 0, 256};
    static const size_t rows_of_l1[] = {0, 50, 49, 0, 5000, 0, 0};

    (void)state;
    for (size_t k = 0; k < COUNT(sizes); k++) {
        struct random_problem random = {.random = 1};

        random_problem_new(&random, sizes[k][0], sizes[k][1], 1, -1);
        assert_int_equal(primal_over_features(&random.problem), over_features[k]);
        assert_int_equal(primal_row_capacity(&random.problem), rows[k]);
        random.problem.only_l1 = 1;
        assert_int_equal(primal_row_capacity(&random.problem), rows_of_l1[k]);
        random_problem_free(&random);
    }
}

static void test_refinement_reaches_rounding_errors(void **state)
{
    struct random_problem random = {.random = 5};

    (void)state;
    random_problem_new(&random, 500, 60, 10, 1);
    check_sequence(&random, 0.5, 1e-12, HUGE_VAL); /* only rounding errors are left */
    random_problem_free(&random);
}

/* Large features that are nearly equal spoil a factor, so its solutions must be refined. (With ten
 * times as much, refinement fails, too.) */
static void test_nearly_equal_features_are_refined(void **state)
{
    (void)state;
    for (int k = 0; k < 3; k++) {
        struct random_problem random = {.random = 7 + (uint64_t)k};

        random_problem_new(&random, 300, 20, 20, k - 1);
        for (size_t e = 0; e < random.data.x.nonzeros; e++)
            random.value[e] += 1e6;
        check_sequence(&random, 0.5, 0.1,
                       HUGE_VAL); /* rounding errors are as large as the residual */
        random_problem_free(&random);
    }
}

static void test_right_hand_side_of_zero(void **state)
{
    struct random_problem random = {.random = 6};
    double weight[20], r[6] = {0}, p[6];
    struct shards shards = {.rows = 20, .count = 1, .length = 6};
    struct hinge_error error;
    struct primal_system *system;

    (void)state;
    random_problem_new(&random, 20, 6, 2, -1);
    draw_weights(&random, 1, 1, weight);
    system = primal_system_new(&random.problem, &error);
    assert_non_null(system);
    form(system, &random.problem, &shards, weight, 1);
    primal_system_solve(system, r, p, 1e-3, 10);
    for (size_t j = 0; j < 6; j++)
        assert_true(p[j] == 0);
    primal_system_free(system);
    random_problem_free(&random);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_factor_over_features),
        cmocka_unit_test(test_rare_features),
        cmocka_unit_test(test_rare_features_in_shards),
        cmocka_unit_test(test_sums_in_shards),
        cmocka_unit_test(test_factor_over_rows),
        cmocka_unit_test(test_either_factor),
        cmocka_unit_test(test_diagonal_of_units),
        cmocka_unit_test(test_products_are_given_up),
        cmocka_unit_test(test_no_room_for_a_factor),
        cmocka_unit_test(test_squares_are_given),
        cmocka_unit_test(test_over_features_or_rows),
        cmocka_unit_test(test_refinement_reaches_rounding_errors),
        cmocka_unit_test(test_nearly_equal_features_are_refined),
        cmocka_unit_test(test_right_hand_side_of_zero),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
