/* test_cg.c - conjugate gradients on a small dense system, also with a preconditioner that is
 * renewed or exact.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "solver/linear/cg.h"
#include "support.h"

enum { ORDER = 12 };

/* A diagonal plus a matrix of rank 2, and the preconditioner s I. */
struct system {
    double a[ORDER][ORDER];
    double s;
    int steps;    /* number of prepared steps */
    int products; /* number of products with a */
    int renewed;  /* step at which M becomes the diagonal of A; 0: none */
    int exact;    /* step at which M becomes A^-1; 0: none */
    int stopped;  /* number of products after which a stop is asked for; 0: never */
    double diagonal[ORDER];
};

static void multiply(void *context, const double *p, double *product)
{
    struct system *system = context;

    system->products++;
    for (size_t i = 0; i < ORDER; i++) {
        product[i] = 0;
        for (size_t j = 0; j < ORDER; j++)
            product[i] += system->a[i][j] * p[j];
    }
}

/* Solves A p = r by elimination. */
static void eliminate(const struct system *system, const double *r, double *p)
{
    double a[ORDER][ORDER];

    memcpy(a, system->a, sizeof a);
    memmove(p, r, ORDER * sizeof *p);
    for (size_t k = 0; k < ORDER; k++)
        for (size_t i = k + 1; i < ORDER; i++) {
            const double factor = a[i][k] / a[k][k];

            for (size_t j = k; j < ORDER; j++)
                a[i][j] -= factor * a[k][j];
            p[i] -= factor * p[k];
        }
    for (size_t i = ORDER; i-- > 0;) {
        for (size_t j = i + 1; j < ORDER; j++)
            p[i] -= a[i][j] * p[j];
        p[i] /= a[i][i];
    }
}

static void precondition(void *context, const double *r, double *result)
{
    const struct system *system = context;
    const int renewed = system->renewed && system->steps >= system->renewed;

    if (system->exact && system->steps >= system->exact)
        eliminate(system, r, result);
    else
        for (size_t j = 0; j < ORDER; j++)
            result[j] = r[j] / (renewed ? system->diagonal[j] : system->s);
}

static enum preconditioner prepare(void *context)
{
    struct system *system = context;

    system->steps++;
    if (system->steps == system->exact)
        return EXACT;
    return system->steps == system->renewed ? RENEWED : UNCHANGED;
}

static void draw_system(struct system *system, uint64_t random, double spread)
{
    double u[2][ORDER];

    *system = (struct system){.s = 2};
    for (size_t j = 0; j < ORDER; j++)
        for (size_t k = 0; k < 2; k++)
            u[k][j] = 2 * random_unit(&random) - 1;
    for (size_t i = 0; i < ORDER; i++)
        for (size_t j = 0; j < ORDER; j++)
            system->a[i][j] = u[0][i] * u[0][j] + u[1][i] * u[1][j] +
                              (i == j ? 1 + spread * random_unit(&random) : 0);
    for (size_t j = 0; j < ORDER; j++)
        system->diagonal[j] = system->a[j][j];
}

static int is_stopped(const void *context)
{
    const struct system *system = context;

    return system->stopped && system->products >= system->stopped;
}

/* Solves with at most `most` steps. Returns |r - A p| / |r|. */
static double solve(struct system *system, const double *r, double *p, double tolerance,
                    unsigned most)
{
    struct cg cg = {.context = system,
                    .multiply = multiply,
                    .precondition = precondition,
                    .prepare = system->stopped ? NULL : prepare,
                    .stop = {is_stopped, system}};
    struct arena arena = {NULL, 0, 0};
    struct hinge_error error;
    long double square = 0, whole = 0;
    void *block;

    cg_lay_out(&cg, &arena, ORDER);
    assert_non_null(block = arena_new(&arena, &error));
    cg_lay_out(&cg, &arena, ORDER);
    cg_solve(&cg, ORDER, r, p, tolerance, most);
    free(block);
    for (size_t i = 0; i < ORDER; i++) {
        long double left = r[i];

        for (size_t j = 0; j < ORDER; j++)
            left -= (long double)system->a[i][j] * p[j];
        square += left * left;
        whole += (long double)r[i] * r[i];
    }
    return whole > 0 ? (double)sqrtl(square / whole) : 0;
}

static void draw_vector(uint64_t random, double *r)
{
    for (size_t j = 0; j < ORDER; j++)
        r[j] = 2 * random_unit(&random) - 1;
}

/* With a multiple of I as preconditioner, the number of steps is the number of different
 * eigenvalues. */
static void test_eigenvalues_are_steps(void **state)
{
    double r[ORDER], p[ORDER];
    struct system system;

    (void)state;
    for (uint64_t random = 1; random <= 50; random++) {
        draw_vector(random + 100, r);
        draw_system(&system, random, 0); /* I + a matrix of rank 2 */
        assert_true(solve(&system, r, p, 1e-12, ORDER) <= 1e-11);
        assert_true(system.products <= 4);
        draw_system(&system, random, 5);
        assert_true(solve(&system, r, p, 1e-12, 3 * ORDER) <= 1e-11);
        assert_true(system.products > 4);
    }
}

/* The method stops as soon as the tolerance is met, and at the limit of steps. */
static void test_ends(void **state)
{
    double r[ORDER], p[ORDER];
    struct system system;

    (void)state;
    draw_vector(1, r);
    draw_system(&system, 2, 100);
    for (unsigned most = 0, met = 0; most < 8; most++) {
        double left;

        system.steps = system.products = 0;
        left = solve(&system, r, p, 0.1, most);
        assert_true(system.steps == system.products && system.products <= (int)most);
        assert_true(left <= 0.1 || system.products == (int)most);
        if (met)
            assert_true(system.products < (int)most);
        met = left <= 0.1;
    }
}

static void test_right_hand_side_of_zero(void **state)
{
    double r[ORDER] = {0}, p[ORDER];
    struct system system;

    (void)state;
    draw_system(&system, 3, 5);
    memset(p, 0xff, sizeof p);
    solve(&system, r, p, 1e-3, 10);
    assert_true(system.steps == 0);
    for (size_t j = 0; j < ORDER; j++)
        assert_true(p[j] == 0);
}

/* The step after a renewal is along M^-1 r, an exact step from the current point. Old directions,
 * conjugate for another M, would spoil it. */
static void test_renewal_restarts(void **state)
{
    double r[ORDER], before[ORDER], after[ORDER], left[ORDER], direction[ORDER], product[ORDER];
    struct system system;

    (void)state;
    draw_vector(4, r);
    draw_system(&system, 5, 100);
    solve(&system, r, before, 0, 3);
    system.steps = 0;
    system.renewed = 4;
    solve(&system, r, after, 0, 4);
    multiply(&system, before, left);
    for (size_t j = 0; j < ORDER; j++) {
        left[j] = r[j] - left[j];
        direction[j] = left[j] / system.diagonal[j];
    }
    multiply(&system, direction, product);
    for (size_t j = 0; j < ORDER; j++) {
        double now = 0, curvature = 0;

        for (size_t k = 0; k < ORDER; k++) {
            now += left[k] * direction[k];
            curvature += direction[k] * product[k];
        }
        assert_true(fabs(after[j] - before[j] - now / curvature * direction[j]) <= 1e-13);
    }
}

/* An exact preconditioner solves the system without a product with A or a further step. */
static void test_exact_preconditioner_is_the_end(void **state)
{
    double r[ORDER], p[ORDER];
    struct system system;

    (void)state;
    draw_vector(6, r);
    for (int step = 1; step < 5; step++) {
        draw_system(&system, 7, 100);
        system.exact = step;
        assert_true(solve(&system, r, p, 1e-13, 10) <= 1e-12);
        assert_true(system.steps == step && system.products == step - 1);
    }
}

/* If A is not positive definite, or has a NaN, the method ends, and p stays unchanged. */
static void test_breakdown_ends(void **state)
{
    double r[ORDER], p[ORDER];
    struct system system;

    (void)state;
    draw_vector(8, r);
    draw_system(&system, 9, 5);
    for (size_t i = 0; i < ORDER; i++)
        for (size_t j = 0; j < ORDER; j++)
            system.a[i][j] = -system.a[i][j];
    solve(&system, r, p, 1e-3, 10);
    assert_true(system.steps == 1 && p[0] == 0);
    draw_system(&system, 9, 5);
    system.a[3][3] = NAN;
    solve(&system, r, p, 1e-3, 10);
    assert_true(system.steps == 1 && p[3] == 0);
}

/* A stopped solution has the steps before the stop. M is not prepared again. */
static void test_stopped(void **state)
{
    double r[ORDER], p[ORDER], until[ORDER];
    struct system system;

    (void)state;
    draw_vector(10, r);
    draw_system(&system, 11, 100);
    solve(&system, r, until, 0, 3);
    system.products = 0;
    system.stopped = 3;
    solve(&system, r, p, 0, 20);
    assert_true(system.products == 3);
    for (size_t j = 0; j < ORDER; j++)
        assert_true(p[j] == until[j]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_eigenvalues_are_steps),
        cmocka_unit_test(test_ends),
        cmocka_unit_test(test_right_hand_side_of_zero),
        cmocka_unit_test(test_renewal_restarts),
        cmocka_unit_test(test_exact_preconditioner_is_the_end),
        cmocka_unit_test(test_breakdown_ends),
        cmocka_unit_test(test_stopped),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
