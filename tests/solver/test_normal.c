/* test_normal.c - the normal matrix, and the one over rows: |r - H p| recomputed, for each of the
 * preconditioners. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "solver/gram.h"
#include "solver/normal.h"
#include "support.h"

/* A random sparse problem of any size. */
struct random_problem {
    struct binary_problem problem;
    struct hinge_dataset data;
    uint32_t *index; /* data.x.index */
    double *value;   /* data.x.value */
    uint64_t random;
};

static void sparse_new(struct random_problem *sparse, size_t rows, size_t features, size_t in_row,
                       double bias)
{
    struct hinge_dataset *data = &sparse->data;
    uint32_t *row = malloc(rows * sizeof *row);
    signed char *sign = malloc(rows);
    double *cost = malloc(rows * sizeof *cost);

    data->x.rows = rows;
    data->features = (uint32_t)features;
    data->x.start = malloc((rows + 1) * sizeof *data->x.start);
    data->x.index_kind = HINGE_INDEX_32;
    data->x.value_kind = HINGE_VALUE_DOUBLE;
    data->x.index = sparse->index = malloc(rows * in_row * sizeof *sparse->index);
    data->x.value = sparse->value = malloc(rows * in_row * sizeof *sparse->value);
    assert_true(row && sign && cost && data->x.start && sparse->index && sparse->value);
    data->x.nonzeros = 0;
    for (size_t i = 0; i < rows; i++) {
        const size_t step = features / in_row;

        data->x.start[i] = data->x.nonzeros;
        for (size_t k = 0; k < in_row; k++) { /* one feature from each of in_row strips */
            sparse->index[data->x.nonzeros] =
                (uint32_t)(k * step + (size_t)(random_unit(&sparse->random) * (double)step));
            sparse->value[data->x.nonzeros++] = 2 * random_unit(&sparse->random) - 1;
        }
        row[i] = (uint32_t)(rows - 1 - i);
        sign[i] = i % 3 ? 1 : -1;
        cost[i] = 1;
    }
    data->x.start[rows] = data->x.nonzeros;
    sparse->problem = (struct binary_problem){data, (uint32_t)rows, row, sign, cost, bias, 0};
}

static void sparse_free(struct random_problem *sparse)
{
    free((void *)sparse->problem.row);
    free((void *)sparse->problem.sign);
    free((void *)sparse->problem.cost);
    free(sparse->data.x.start);
    free(sparse->index);
    free(sparse->value);
}

/* |r - (I + scale sum weight_i x_i x_i') p| / |r|, in long double. */
static double residual(const struct random_problem *sparse, const double *weight, double scale,
                       const double *r, const double *p)
{
    const struct hinge_dataset *data = &sparse->data;
    const size_t width = binary_width(&sparse->problem);
    long double *left = malloc(width * sizeof *left), square = 0, whole = 0;

    assert_non_null(left);
    for (size_t j = 0; j < width; j++)
        left[j] = (long double)r[j] - p[j];
    for (uint32_t i = 0; i < sparse->problem.rows; i++) {
        const size_t row = sparse->problem.row[i];
        const double bias = sparse->problem.bias;
        long double product = bias >= 0 ? (long double)bias * p[width - 1] : 0;

        for (size_t k = data->x.start[row]; k < data->x.start[row + 1]; k++)
            product += (long double)sparse->value[k] * p[sparse->index[k]];
        product *= (long double)scale * weight[i];
        for (size_t k = data->x.start[row]; k < data->x.start[row + 1]; k++)
            left[sparse->index[k]] -= product * sparse->value[k];
        if (bias >= 0)
            left[width - 1] -= product * bias;
    }
    for (size_t j = 0; j < width; j++) {
        square += left[j] * left[j];
        whole += (long double)r[j] * r[j];
    }
    free(left);
    return (double)sqrtl(square / whole);
}

/* A share of the rows get a weight, all the same or each its own. */
static void draw_weights(struct random_problem *sparse, double share, int alike, double *weight)
{
    for (uint32_t i = 0; i < sparse->problem.rows; i++) {
        const double own = alike ? 1 : exp2(4 * random_unit(&sparse->random) - 2);

        weight[i] = random_unit(&sparse->random) < share ? own : 0;
    }
}

/* Solves for a run of weights as an engine meets them: some rows come and go, the scale grows. */
static void check_run(struct random_problem *sparse, double share, double tolerance)
{
    const size_t rows = sparse->problem.rows, width = binary_width(&sparse->problem);
    double *weight = calloc(rows, sizeof *weight), *r = malloc(width * sizeof *r);
    double *p = malloc(width * sizeof *p), scale = 0.5;
    struct hinge_error error;
    struct normal *normal = normal_new(&sparse->problem, &error);

    assert_true(weight && r && p && normal);
    for (int k = 0; k < 12; k++, scale *= 2) {
        if (k % 4 == 0)
            draw_weights(sparse, k == 8 ? 0 : share, k < 4, weight);
        for (size_t i = (size_t)k; i < rows; i += 7 + (size_t)k)
            weight[i] = weight[i] > 0 ? 0 : 1;
        for (size_t j = 0; j < width; j++)
            r[j] = 2 * random_unit(&sparse->random) - 1;
        normal_form(normal, NULL, weight, sparse->problem.rows, scale);
        normal_solve(normal, r, p, tolerance, 2000);
        assert_true(residual(sparse, weight, scale, r, p) <= 1.1 * tolerance + 1e-13);
    }
    normal_free(normal);
    free(weight);
    free(r);
    free(p);
}

static void check_sizes(size_t rows, size_t features, size_t in_row, double share)
{
    for (int k = 0; k < 3; k++) {
        struct random_problem sparse = {.random = (uint64_t)k};

        sparse_new(&sparse, rows, features, in_row, k - 1);
        check_run(&sparse, share, k == 2 ? 0.1 : 1e-8);
        sparse_free(&sparse);
    }
}

static void test_factor_over_features(void **state)
{
    (void)state;
    check_sizes(200, 40, 6, 0.5);
    check_sizes(3000, 133, 5, 0.2); /* panels and tiles of the factor, and what is left over */
    check_sizes(40, 40, 40, 1);
    check_sizes(5, 1, 1, 1);
}

static void test_factor_over_rows(void **state)
{
    (void)state;
    check_sizes(40, 300, 6, 0.5);
    check_sizes(400, 2000, 30, 0.7);
    check_sizes(1, 50, 3, 1);
}

/* More of both than a factor may have: conjugate gradients with the diagonal alone. */
static void test_no_room_for_a_factor(void **state)
{
    (void)state;
    check_sizes(4500, 4600, 4, 1);
}

/* The tighter the tolerance, the smaller the error, down to rounding errors. */
static void test_refinement_reaches_rounding_errors(void **state)
{
    struct random_problem sparse = {.random = 5};

    (void)state;
    sparse_new(&sparse, 500, 60, 10, 1);
    check_run(&sparse, 0.5, 1e-12);
    sparse_free(&sparse);
}

/* Features that are nearly the same, and large, spoil a factor: what it gives has to be refined.
 * (With ten times as much, refinement is lost, too.) */
static void test_nearly_equal_features_are_refined(void **state)
{
    (void)state;
    for (int k = 0; k < 3; k++) {
        struct random_problem sparse = {.random = 7 + (uint64_t)k};

        sparse_new(&sparse, 300, 20, 20, k - 1);
        for (size_t e = 0; e < sparse.data.x.nonzeros; e++)
            sparse.value[e] += 1e6;
        check_run(&sparse, 0.5, 0.1);
        sparse_free(&sparse);
    }
}

static void test_right_hand_side_of_zero(void **state)
{
    struct random_problem sparse = {.random = 6};
    double weight[20], r[6] = {0}, p[6];
    struct hinge_error error;
    struct normal *normal;

    (void)state;
    sparse_new(&sparse, 20, 6, 2, -1);
    draw_weights(&sparse, 1, 1, weight);
    normal = normal_new(&sparse.problem, &error);
    assert_non_null(normal);
    normal_form(normal, NULL, weight, sparse.problem.rows, 1);
    normal_solve(normal, r, p, 1e-3, 10);
    for (size_t j = 0; j < 6; j++)
        assert_true(p[j] == 0);
    normal_free(normal);
    sparse_free(&sparse);
}

/* ---- Over rows ----------------------------------------------------------- */

/* Some rows, their ridges and a right hand side. */
struct choice {
    uint32_t *member;
    uint32_t members;
    double *ridge;
    double *r;
    double *p;
};

static void draw_choice(struct random_problem *sparse, double share, struct choice *choice)
{
    choice->members = 0;
    for (uint32_t i = 0; i < sparse->problem.rows; i++) {
        choice->ridge[i] = exp2(4 * random_unit(&sparse->random) - 6);
        if (random_unit(&sparse->random) < share) {
            choice->r[choice->members] = 2 * random_unit(&sparse->random) - 1;
            choice->member[choice->members++] = i;
        }
    }
}

/* Row s of (Q + diag(ridge)) p, in long double. */
static long double product_at(const struct random_problem *sparse, const struct choice *choice,
                              uint32_t s, const long double *combined)
{
    const struct hinge_dataset *data = &sparse->data;
    const uint32_t i = choice->member[s];
    const size_t row = sparse->problem.row[i];
    long double product =
        sparse->problem.bias >= 0 ? sparse->problem.bias * combined[data->features] : 0;

    for (size_t k = data->x.start[row]; k < data->x.start[row + 1]; k++)
        product += sparse->value[k] * combined[sparse->index[k]];
    return sparse->problem.sign[i] * product + (long double)choice->ridge[i] * choice->p[s];
}

/* |r - (Q + diag(ridge)) p| / |r|, in long double. */
static double choice_residual(const struct random_problem *sparse, const struct choice *choice)
{
    const struct hinge_dataset *data = &sparse->data;
    long double *combined = calloc(data->features + 1u, sizeof *combined), square = 0, whole = 0;

    assert_non_null(combined);
    for (uint32_t s = 0; s < choice->members; s++) {
        const uint32_t i = choice->member[s];
        const size_t row = sparse->problem.row[i];
        const long double factor = (long double)choice->p[s] * sparse->problem.sign[i];

        for (size_t k = data->x.start[row]; k < data->x.start[row + 1]; k++)
            combined[sparse->index[k]] += factor * sparse->value[k];
        if (sparse->problem.bias >= 0)
            combined[data->features] += factor * sparse->problem.bias;
    }
    for (uint32_t s = 0; s < choice->members; s++) {
        const long double left = choice->r[s] - product_at(sparse, choice, s, combined);

        square += left * left;
        whole += (long double)choice->r[s] * choice->r[s];
    }
    free(combined);
    return choice->members > 0 ? (double)sqrtl(square / whole) : 0;
}

/* Rows come and go, all of them at times; few steps are allowed, which a factor gone wrong would
 * not do with. */
static void check_choices(struct random_problem *sparse, unsigned most)
{
    const size_t rows = sparse->problem.rows;
    struct choice choice = {malloc(rows * sizeof *choice.member), 0,
                            malloc(rows * sizeof *choice.ridge), malloc(rows * sizeof *choice.r),
                            malloc(rows * sizeof *choice.p)};
    struct hinge_error error;
    struct gram *gram = gram_new(&sparse->problem, &error);

    assert_true(choice.member && choice.ridge && choice.r && choice.p && gram);
    for (int k = 0; k < 8; k++) {
        draw_choice(sparse, k == 3 ? 0 : k == 5 ? 2 : 0.7, &choice);
        gram_choose(gram, choice.member, choice.members, choice.ridge);
        gram_solve(gram, choice.r, choice.p, 1e-6, most);
        assert_true(choice_residual(sparse, &choice) <= 1.1e-6);
    }
    gram_free(gram);
    free(choice.member);
    free(choice.ridge);
    free(choice.r);
    free(choice.p);
}

static void test_gram_over_chosen_rows(void **state)
{
    (void)state;
    for (int k = 0; k < 3; k++) {
        struct random_problem sparse = {.random = (uint64_t)k + 7};

        sparse_new(&sparse, 400, 900, 30, k - 1);
        check_choices(&sparse, 30);
        sparse_free(&sparse);
        sparse_new(&sparse, 37, 200, 6, k - 1);
        check_choices(&sparse, 12);
        sparse_free(&sparse);
        sparse_new(&sparse, 1, 50, 3, k - 1);
        check_choices(&sparse, 3);
        sparse_free(&sparse);
    }
}

/* More rows than a factor may have. */
static void test_gram_without_a_factor(void **state)
{
    struct random_problem sparse = {.random = 11};

    (void)state;
    sparse_new(&sparse, 6500, 8000, 3, -1);
    check_choices(&sparse, 2000);
    sparse_free(&sparse);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_factor_over_features),
        cmocka_unit_test(test_factor_over_rows),
        cmocka_unit_test(test_no_room_for_a_factor),
        cmocka_unit_test(test_refinement_reaches_rounding_errors),
        cmocka_unit_test(test_nearly_equal_features_are_refined),
        cmocka_unit_test(test_right_hand_side_of_zero),
        cmocka_unit_test(test_gram_over_chosen_rows),
        cmocka_unit_test(test_gram_without_a_factor),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
