/* test_class_system.c - the residuals of solutions by the definition of the system, in long double.
 * Few steps suffice for badly scaled features, and threads change nothing. */
#include "solver/linear/class_system.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "random_problem.h"

enum { CLASSES = 4, FEW_FEATURES = 40, MANY_FEATURES = 4500 };

struct system_case {
    struct random_problem random;
    struct class_system system;
    struct shards shards;
    size_t width;
    uint32_t *class_of; /* [rows] */
    double *alpha;      /* [rows CLASSES] */
    void *memory;
};

static int stops(const void *context)
{
    return context != NULL;
}

/* Draws features with scales of 1/16 .. 16. */
static void draw(struct system_case *of, uint64_t number, size_t features, enum loss loss,
                 enum bias_kind bias_kind)
{
    struct arena arena = {NULL, 0, 0};
    struct hinge_error error;
    struct problem *problem = &of->random.problem;
    const size_t rows = 60;

    memset(of, 0, sizeof *of);
    of->random.random = number + 1;
    random_problem_new(&of->random, rows, features, 10, 2);
    of->class_of = calloc(rows, sizeof *of->class_of);
    of->alpha = calloc(rows * CLASSES, sizeof *of->alpha);
    assert_true(of->class_of && of->alpha);
    for (size_t i = 0; i < rows; i++)
        of->class_of[i] = (uint32_t)(random_unit(&of->random.random) * CLASSES);
    problem->bias_kind = bias_kind;
    problem->loss = loss;
    problem->classes = CLASSES;
    problem->class_of = of->class_of;
    for (size_t e = 0; e < of->random.data.x.nonzeros; e++)
        of->random.value[e] *= exp2((double)(hinge_index(&of->random.data.x, e) % 9) - 4);
    of->width = problem_width(problem);
    class_system_lay_out(&of->system, &arena, problem);
    of->memory = arena_new(&arena, &error);
    assert_non_null(of->memory);
    class_system_lay_out(&of->system, &arena, problem);
    of->shards = shards_of(problem, SUM_OF_VECTORS, (double)of->random.data.x.nonzeros, of->width);
    of->shards.row_room = ROWS_TOGETHER * CLASSES;
    of->shards.room = calloc(of->shards.row_room, sizeof *of->shards.room);
    of->shards.partial = calloc(of->width, sizeof *of->shards.partial);
    assert_true(of->shards.room && of->shards.partial);
    class_system_begin(&of->system, problem, &of->shards, (struct stop){NULL, NULL});
}

static void release(struct system_case *of)
{
    random_problem_free(&of->random);
    free(of->shards.room);
    free(of->shards.partial);
    free(of->class_of);
    free(of->alpha);
    free(of->memory);
}

/* Draws a dual point. For the hinge a fifth of the rows have one class with a share, and each other
 * row has two to four; for softmax every class has one. */
static void draw_alpha(struct system_case *of)
{
    for (uint32_t i = 0; i < of->random.problem.rows; i++) {
        const double cost = of->random.problem.cost[i];
        const uint32_t y = of->class_of[i];
        const int is_alone = random_unit(&of->random.random) < 0.2;
        double *alpha = of->alpha + i * CLASSES, sum = 0;

        for (uint32_t m = 0; m < CLASSES; m++) {
            const int has_share = of->random.problem.loss == LOSS_LOGISTIC || m == y ||
                                  (!is_alone && random_unit(&of->random.random) < 0.7);

            alpha[m] = has_share ? 0.1 + random_unit(&of->random.random) : 0;
            sum += alpha[m];
        }
        for (uint32_t m = 0; m < CLASSES; m++)
            alpha[m] *= -cost / sum;
        alpha[y] = 0;
        for (uint32_t m = 0; m < CLASSES; m++)
            alpha[y] -= m == y ? 0 : alpha[m];
    }
}

/* Sets d := B_i d. */
static void curve(const struct system_case *of, uint32_t i, long double scale, long double *d)
{
    const double cost = of->random.problem.cost[i], *alpha = of->alpha + i * CLASSES;
    long double mean = 0, share[CLASSES], members = 0;

    for (size_t m = 0; m < CLASSES; m++) {
        share[m] = (m == of->class_of[i] ? cost - alpha[m] : -alpha[m]) / (long double)cost;
        members += share[m] > 0;
    }
    for (size_t m = 0; m < CLASSES; m++)
        if (of->random.problem.loss != LOSS_LOGISTIC)
            share[m] = share[m] > 0 ? 1 / members : 0;
    for (size_t m = 0; m < CLASSES; m++)
        mean += share[m] * d[m];
    for (size_t m = 0; m < CLASSES; m++)
        d[m] = of->random.problem.loss == LOSS_LOGISTIC ? cost * share[m] * (d[m] - mean)
               : share[m] > 0                           ? scale * (d[m] - mean)
                                                        : 0;
}

/* Subtracts x_i' (x) B_i p of row i from `left`. */
static void subtract_row(const struct system_case *of, uint32_t i, double scale, const double *p,
                         long double *left)
{
    static long double column[MANY_FEATURES + 1];
    long double d[CLASSES];

    for (size_t m = 0; m < CLASSES; m++) {
        for (size_t j = 0; j < of->width / CLASSES; j++)
            column[j] = p[j * CLASSES + m];
        d[m] = random_problem_dot(&of->random, i, column);
    }
    curve(of, i, scale, d);
    for (size_t m = 0; m < CLASSES; m++) {
        memset(column, 0, sizeof column);
        random_problem_add(&of->random, i, -d[m], column);
        for (size_t j = 0; j < of->width / CLASSES; j++)
            left[j * CLASSES + m] += column[j];
    }
}

/* Returns |r - H p| / |r|. */
static double residual(const struct system_case *of, double scale, const double *r, const double *p)
{
    long double *left = calloc(of->width, sizeof *left), squares = 0, all = 0;

    assert_non_null(left);
    for (size_t j = 0; j < of->width; j++)
        left[j] = (long double)r[j] - (j < problem_penalised(&of->random.problem) ? p[j] : 0);
    for (uint32_t i = 0; i < of->random.problem.rows; i++)
        subtract_row(of, i, scale, p, left);
    for (size_t j = 0; j < of->width; j++) {
        squares += left[j] * left[j];
        all += (long double)r[j] * r[j];
    }
    free(left);
    return (double)sqrtl(squares / all);
}

/* Checks a solution. The columns of r sum to 0, so those of p must, too. */
static void check(struct system_case *of, unsigned steps)
{
    static const double TOLERANCE = 1e-8;
    const struct problem *problem = &of->random.problem;
    double *r = calloc(of->width, sizeof *r), *p = calloc(of->width, sizeof *p);

    assert_true(r && p);
    for (double scale = 0.25; scale < 1000; scale *= 8) {
        draw_alpha(of);
        for (size_t j = 0; j < of->width; j++)
            r[j] = 2 * random_unit(&of->random.random) - 1;
        problem_centre(problem, r);
        class_system_form(&of->system, problem, all_rows(problem), of->alpha, scale);
        class_system_solve(&of->system, r, p, TOLERANCE, steps);
        assert_true(residual(of, scale, r, p) <= 1.01 * TOLERANCE);
        for (size_t j = 0; j < of->width; j += CLASSES)
            assert_true(fabs(p[j] + p[j + 1] + p[j + 2] + p[j + 3]) <= 1e-12);
    }
    free(r);
    free(p);
}

static void test_solutions_for_the_hinge(void **state)
{
    (void)state;
    for (uint64_t number = 0; number < 8; number++) {
        const enum bias_kind kind = number % 2 ? BIAS_REGULARISED : BIAS_NONE;
        struct system_case of;

        draw(&of, number, FEW_FEATURES, LOSS_HINGE, kind);
        assert_int_equal(of.system.order, FEW_FEATURES + number % 2);
        check(&of, 60); /* more than 100 steps without the preconditioner */
        release(&of);
        draw(&of, number, MANY_FEATURES, LOSS_HINGE, kind);
        assert_int_equal(of.system.order, 0);
        check(&of, 120); /* about the dimension that the free rows span */
        release(&of);
    }
}

static void test_solutions_for_softmax(void **state)
{
    static const enum bias_kind kinds[] = {BIAS_NONE, BIAS_REGULARISED, BIAS_FREE};

    (void)state;
    for (uint64_t number = 0; number < 12; number++) {
        struct system_case of;

        draw(&of, number, FEW_FEATURES, LOSS_LOGISTIC, kinds[number % 3]);
        check(&of, 120);
        assert_true(of.system.has_blocks);
        release(&of);
        draw(&of, number, MANY_FEATURES, LOSS_LOGISTIC, kinds[number % 3]);
        check(&of, 300);
        release(&of);
    }
}

/* After class_system_settle, alpha plus its first-order change by the biases sums to 0 over the
 * rows, for each class. */
static void test_free_biases_settle(void **state)
{
    (void)state;
    for (uint64_t number = 0; number < 8; number++) {
        static double step[(FEW_FEATURES + 1) * CLASSES], change[60 * CLASSES];
        long double sum[CLASSES] = {0}, total = 0;
        struct system_case of;

        draw(&of, number, FEW_FEATURES, LOSS_LOGISTIC, BIAS_FREE);
        draw_alpha(&of);
        memset(step, 0, sizeof step);
        memset(change, 0, sizeof change);
        class_system_form(&of.system, &of.random.problem, all_rows(&of.random.problem), of.alpha,
                          0);
        class_system_settle(&of.system, step, change);
        for (uint32_t i = 0; i < of.random.problem.rows; i++) {
            long double d[CLASSES];

            for (size_t m = 0; m < CLASSES; m++) {
                const double moved = of.random.problem.bias * step[of.system.penalised + m];

                assert_true(fabs(change[i * CLASSES + m] - moved) <= 1e-12 * (1 + fabs(moved)));
                d[m] = change[i * CLASSES + m];
            }
            curve(&of, i, 0, d);
            for (size_t m = 0; m < CLASSES; m++) {
                sum[m] += of.alpha[i * CLASSES + m] - d[m];
                total += fabs(of.alpha[i * CLASSES + m]);
            }
        }
        for (size_t m = 0; m < CLASSES; m++)
            assert_true(fabsl(sum[m]) <= 1e-10L * total);
        release(&of);
    }
}

/* With several threads the solutions have the same bits, and a stopped solution is 0. */
static void test_threads_and_stop(void **state)
{
    static double r[(FEW_FEATURES + 1) * CLASSES], p[4][COUNT(r)], stopped[COUNT(r)];

    (void)state;
    for (uint64_t number = 0; number < 8; number++) {
        const enum loss loss = number % 2 ? LOSS_HINGE : LOSS_LOGISTIC;

        for (unsigned threads = 1; threads <= COUNT(p); threads++) {
            struct system_case of;
            const struct problem *problem = &of.random.problem;

            draw(&of, number, FEW_FEATURES, loss, BIAS_REGULARISED);
            of.shards.threads = threads;
            draw_alpha(&of);
            for (size_t j = 0; j < of.width; j++)
                r[j] = 2 * random_unit(&of.random.random) - 1;
            problem_centre(problem, r);
            class_system_form(&of.system, problem, all_rows(problem), of.alpha, 4);
            class_system_solve(&of.system, r, p[threads - 1], 1e-8, 100);
            assert_memory_equal(p[0], p[threads - 1], sizeof p[0]);
            of.system.cg.stop = (struct stop){stops, &of};
            class_system_solve(&of.system, r, stopped, 1e-8, 100);
            for (size_t j = 0; j < of.width; j++)
                assert_true(stopped[j] == 0);
            release(&of);
        }
    }
}

static void test_no_blocks_where_they_would_be_large(void **state)
{
    struct hinge_dataset data = {.features = 2048};
    struct problem problem = {.data = &data, .classes = 4};

    (void)state;
    assert_int_equal(class_system_order(&problem), 2048);
    problem.classes = 5;
    assert_int_equal(class_system_order(&problem), 0);
    problem.classes = 2;
    problem.bias_kind = BIAS_FREE;
    assert_int_equal(class_system_order(&problem), 2048);
    problem.bias_kind = BIAS_REGULARISED;
    assert_int_equal(class_system_order(&problem), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_solutions_for_the_hinge),
        cmocka_unit_test(test_solutions_for_softmax),
        cmocka_unit_test(test_free_biases_settle),
        cmocka_unit_test(test_threads_and_stop),
        cmocka_unit_test(test_no_blocks_where_they_would_be_large),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
