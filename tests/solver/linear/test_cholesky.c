/* test_cholesky.c - factors and solutions of both precisions, checked in long double. */
#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "solver/linear/cholesky.h"
#include "support.h"

static const struct stop nobody = {NULL, NULL};

/* Returns A = B B' / rank, where B has `rank` columns. A is semidefinite if rank < order. */
static double *draw_matrix(size_t order, size_t rank, double scale)
{
    uint64_t random = order;
    double *b = malloc(order * rank * sizeof *b), *a = malloc(order * order * sizeof *a);

    assert_true(b && a);
    for (size_t k = 0; k < order * rank; k++)
        b[k] = 2 * random_unit(&random) - 1;
    for (size_t i = 0; i < order; i++)
        for (size_t j = 0; j < order; j++) {
            double sum = 0;

            for (size_t k = 0; k < rank; k++)
                sum += b[i * rank + k] * b[j * rank + k];
            a[i * order + j] = scale * sum / (double)rank;
        }
    free(b);
    return a;
}

/* Returns about |r - (I + A) p| / (|A| |p|). */
static double residual(const double *a, size_t order, const double *r, const double *p)
{
    long double square = 0, size = 0, largest = 1;

    for (size_t i = 0; i < order; i++) {
        long double left = (long double)r[i] - p[i];

        for (size_t j = 0; j < order; j++)
            left -= (long double)a[i * order + j] * p[j];
        square += left * left;
        size += (long double)p[i] * p[i];
        largest = fmaxl(largest, a[i * order + i]);
    }
    return (double)(sqrtl(square / size) / (largest * (long double)order));
}

static void check_order(size_t order, size_t rank, double scale)
{
    double *a = draw_matrix(order, rank, scale), *u = malloc(order * order * sizeof *u);
    double *r = calloc(order, sizeof *r), *p = malloc(order * sizeof *p);
    float *single = malloc(order * order * sizeof *single), *q = malloc(order * sizeof *q);
    uint64_t random = 3;

    assert_true(u && r && p && single && q);
    for (size_t i = 0; i < order; i++) {
        p[i] = r[i] = 2 * random_unit(&random) - 1;
        q[i] = (float)r[i];
        for (size_t j = 0; j < order; j++) /* the lower triangle must not be read */
            single[i * order + j] = (float)(u[i * order + j] = j < i ? NAN : a[i * order + j]);
    }
    cholesky_factor(u, order, &nobody);
    cholesky_solve(u, order, p);
    assert_true(residual(a, order, r, p) <= 10 * DBL_EPSILON);
    single_cholesky_factor(single, order, &nobody);
    single_cholesky_solve(single, order, q);
    for (size_t i = 0; i < order; i++)
        p[i] = q[i];
    assert_true(residual(a, order, r, p) <= 10 * (double)FLT_EPSILON);
    free(a);
    free(u);
    free(r);
    free(p);
    free(single);
    free(q);
}

/* Orders near the sizes of panels, tiles and unrolled loops. */
static void test_orders(void **state)
{
    static const size_t orders[] = {1, 2, 3, 4, 5, 7, 8, 31, 32, 33, 63, 64, 65, 289, 321};

    (void)state;
    for (size_t k = 0; k < COUNT(orders); k++) {
        check_order(orders[k], orders[k] + 1, 1);
        check_order(orders[k], orders[k] + 1, 1e6);
        check_order(orders[k], 1, 10);
    }
}

/* An order with larger panels and two more rows. */
static void test_large_order(void **state)
{
    (void)state;
    for (size_t k = 0; k < repeats(1, 0); k++)
        check_order(2050, 3, 100);
}

/* U'U = I + A, with 1/U_jj on the diagonal. */
static void test_factor_itself(void **state)
{
    enum { ORDER = 40 };
    double *a = draw_matrix(ORDER, ORDER, 1), u[ORDER * ORDER];

    (void)state;
    for (size_t k = 0; k < ORDER * ORDER; k++)
        u[k] = a[k];
    cholesky_factor(u, ORDER, &nobody);
    for (size_t i = 0; i < ORDER; i++)
        for (size_t j = i; j < ORDER; j++) {
            long double sum = i == j ? -1 : 0;

            for (size_t k = 0; k <= i; k++)
                sum += (k == i ? 1 / (long double)u[k * ORDER + k] : u[k * ORDER + i]) *
                       (k == j ? 1 / (long double)u[k * ORDER + k] : u[k * ORDER + j]);
            assert_true(fabsl(sum - a[i * ORDER + j]) <= 1e-14);
        }
    free(a);
}

/* Sets p and q to (U'U)^-1 r in both precisions, where U'U = I + A. Checks that the diagonals are
 * those of a positive definite matrix. */
static void solve_both(const double *a, size_t order, const double *r, double *p, double *q)
{
    double *u = malloc(order * order * sizeof *u);
    float *single = malloc(order * order * sizeof *single), *narrow = malloc(order * sizeof *q);

    assert_true(u && single && narrow);
    for (size_t k = 0; k < order * order; k++)
        single[k] = (float)(u[k] = a[k]);
    for (size_t k = 0; k < order; k++)
        narrow[k] = (float)(p[k] = r[k]);
    cholesky_factor(u, order, &nobody);
    single_cholesky_factor(single, order, &nobody);
    for (size_t k = 0; k < order; k++)
        assert_true(u[k * (order + 1)] > 0 && u[k * (order + 1)] <= 1 &&
                    single[k * (order + 1)] > 0 && single[k * (order + 1)] <= 1);
    cholesky_solve(u, order, p);
    single_cholesky_solve(single, order, narrow);
    for (size_t k = 0; k < order; k++)
        q[k] = narrow[k];
    free(u);
    free(single);
    free(narrow);
}

/* Returns |A p - r| / |r|. */
static double off(const double *a, size_t order, const double *r, const double *p)
{
    long double square = 0, size = 0;

    for (size_t i = 0; i < order; i++) {
        long double left = -(long double)r[i];

        for (size_t j = 0; j < order; j++)
            left += (long double)a[i * order + j] * p[j];
        square += left * left;
        size += (long double)r[i] * r[i];
    }
    return (double)sqrtl(square / size);
}

/* If rounding exceeds the 1 on the diagonal, pivots are replaced. The factor always belongs to a
 * positive definite matrix and solves for vectors in the range of A. This holds also if the rank is
 * less than the rows of a panel, where the other pivots are rounding errors. */
static void test_pivots_lost_to_rounding(void **state)
{
    static const size_t orders[][2] = {{30, 1}, {30, 2}, {30, 4}, {150, 20}, {150, 60}, {400, 100}};

    (void)state;
    for (size_t k = 0; k < COUNT(orders); k++)
        for (double scale = 1e16; scale < 1e21; scale *= 1e4) {
            const size_t order = orders[k][0];
            double *a = draw_matrix(order, orders[k][1], scale), r[400], p[400], q[400];

            for (size_t i = 0; i < order; i++) {
                r[i] = 0;
                for (size_t j = 0; j < order; j++)
                    r[i] += a[i * order + j] * (j % 2 ? 1e-20 : -1e-20);
            }
            solve_both(a, order, r, p, q);
            assert_true(off(a, order, r, p) < 1e-5);
            assert_true(off(a, order, r, q) < (order < 400 ? 1 : 1e3));
            free(a);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_orders),
        cmocka_unit_test(test_large_order),
        cmocka_unit_test(test_factor_itself),
        cmocka_unit_test(test_pivots_lost_to_rounding),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
