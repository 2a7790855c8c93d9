/* test_lasso.c - compares the model of a proximal Newton step by columns with coordinate descent in
 * long double, and stops it.
 */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "solver/linear/cost.h"
#include "solver/sparse/lasso.h"
#include "support.h"

enum { SIZE = 60, LENGTH = 4, ORDER = SIZE + 1 }; /* the last coordinate is free */

/* A problem whose columns overlap with the next ones. The more they overlap, the worse is the
 * condition. */
struct smooth {
    struct column_lasso by;
    void *block;
    size_t start[ORDER + 1];
    uint16_t index[ORDER * SIZE];
    double value[ORDER * SIZE];
};

static void lay_out(struct smooth *smooth)
{
    struct arena arena = {NULL, 0, 0};
    struct hinge_error error;

    column_lasso_lay_out(&smooth->by, &arena, ORDER, SIZE + LENGTH, ORDER * (SIZE + LENGTH));
    assert_non_null(smooth->block = arena_new(&arena, &error));
    column_lasso_lay_out(&smooth->by, &arena, ORDER, SIZE + LENGTH, ORDER * (SIZE + LENGTH));
}

static void begin(struct smooth *smooth, uint64_t number, double overlap, double scale,
                  double ridge)
{
    struct column_lasso *by = &smooth->by;
    uint64_t random = number + 1;
    size_t at = 0;

    memset(smooth, 0, sizeof *smooth);
    lay_out(smooth);
    for (size_t j = 0; j < ORDER; j++) {
        const size_t rows = j < SIZE ? LENGTH : SIZE;

        smooth->start[j] = at;
        for (size_t k = 0; k < rows; k++, at++) {
            smooth->index[at] = (uint16_t)((j < SIZE ? j : 0) + k);
            smooth->value[at] = scale * (j == SIZE ? 0.1
                                         : k == 0  ? 1
                                                   : overlap * random_unit(&random));
        }
        by->lasso.gradient[j] =
            scale * (j < SIZE ? 40 * sin(0.2 * (double)j) + 10 * random_unit(&random) - 5 : 1);
        by->origin[j] = j % 3 ? 0 : (random_unit(&random) - 0.5) / scale;
        by->lasso.u[j] = by->origin[j];
        by->ridge[j] = ridge;
    }
    smooth->start[ORDER] = at;
    by->columns = (struct hinge_matrix){.rows = ORDER,
                                        .nonzeros = at,
                                        .index_kind = HINGE_INDEX_16,
                                        .value_kind = HINGE_VALUE_DOUBLE,
                                        .start = smooth->start,
                                        .index = smooth->index,
                                        .value = smooth->value};
    by->rows = SIZE + LENGTH;
    by->lasso.order = ORDER;
    by->lasso.penalised = SIZE;
}

static const struct stop never;

/* ---- The reference ------------------------------------------------------ */

struct slow {
    long double u[ORDER], gradient[ORDER], matrix[ORDER][ORDER];
};

static void find_matrix(struct slow *slow, const struct smooth *smooth)
{
    for (size_t j = 0; j < ORDER; j++)
        for (size_t k = 0; k < ORDER; k++) {
            long double row[SIZE + LENGTH] = {0}, sum = j == k ? smooth->by.ridge[j] : 0;

            for (size_t e = smooth->start[j]; e < smooth->start[j + 1]; e++)
                row[smooth->index[e]] += smooth->value[e];
            for (size_t e = smooth->start[k]; e < smooth->start[k + 1]; e++)
                sum += row[smooth->index[e]] * smooth->value[e];
            slow->matrix[j][k] = sum;
        }
}

/* Sets gradient := g + H (u - w), and returns the value of the model. */
static long double evaluate(struct slow *slow, const struct smooth *smooth)
{
    const double *first = smooth->by.lasso.gradient;
    long double value = 0;

    for (size_t j = 0; j < ORDER; j++) {
        long double sum = 0;

        for (size_t k = 0; k < ORDER; k++)
            sum += slow->matrix[j][k] * (slow->u[k] - smooth->by.origin[k]);
        slow->gradient[j] = first[j] + sum;
        value += (first[j] + sum / 2) * (slow->u[j] - smooth->by.origin[j]);
        value += j < SIZE ? fabsl(slow->u[j]) : 0;
    }
    return value;
}

static long double violation(const struct slow *slow)
{
    long double largest = 0;

    for (size_t j = 0; j < ORDER; j++) {
        const long double g = slow->gradient[j];
        const long double its = j >= SIZE         ? fabsl(g)
                                : slow->u[j] != 0 ? fabsl(g + (slow->u[j] > 0 ? 1 : -1))
                                                  : fmaxl(0, fabsl(g) - 1);

        largest = fmaxl(largest, its);
    }
    return largest;
}

/* Sweeps until no violation is above `enough`. Returns the value of the model. */
static long double solve_slowly(struct slow *slow, const struct smooth *smooth, long double enough)
{
    enum { MOST = 200000 };
    long double value = evaluate(slow, smooth);

    for (int k = 0; k < MOST && violation(slow) > enough; k++) {
        for (size_t j = 0; j < ORDER; j++) {
            const long double h = slow->matrix[j][j], to = slow->u[j] - slow->gradient[j] / h;
            const long double part = j < SIZE ? 1 / h : 0;
            const long double step = (to > part    ? to - part
                                      : to < -part ? to + part
                                                   : 0) -
                                     slow->u[j];

            slow->u[j] += step;
            for (size_t l = 0; l < ORDER; l++)
                slow->gradient[l] += slow->matrix[l][j] * step;
        }
        if (k % 100 == 0)
            value = evaluate(slow, smooth);
    }
    value = evaluate(slow, smooth);
    assert_true(violation(slow) <= enough);
    return value;
}

static long double value_found(struct slow *slow, const struct smooth *smooth)
{
    for (size_t j = 0; j < ORDER; j++)
        slow->u[j] = smooth->by.lasso.u[j];
    return evaluate(slow, smooth);
}

/* Checks that the solver's residual is X (u - w), whatever steps it took. */
static void check_residual(const struct smooth *smooth)
{
    const struct column_lasso *by = &smooth->by;
    long double sum[SIZE + LENGTH] = {0}, size[SIZE + LENGTH] = {0};

    for (size_t j = 0; j < ORDER; j++)
        for (size_t e = smooth->start[j]; e < smooth->start[j + 1]; e++) {
            const long double u = by->lasso.u[j], w = by->origin[j];

            sum[smooth->index[e]] += smooth->value[e] * (u - w);
            size[smooth->index[e]] += fabsl(smooth->value[e]) * (fabsl(u) + fabsl(w) + 1);
        }
    for (size_t i = 0; i < by->rows; i++)
        assert_true(fabsl(by->residual[i] - sum[i]) <= 1e-9L * size[i]);
}

/* ---- Tests -------------------------------------------------------------- */

static void test_solution(void **state)
{
    static struct smooth smooth;
    static struct slow slow;

    (void)state;
    for (uint64_t number = 0; number < 24; number++) {
        long double least;

        /* where columns overlap by 1.3, several coordinates change their signs at once */
        begin(&smooth, number, number % 9 == 6 ? 1.3 : 0.6, number % 3 == 1 ? 100 : 1,
              number % 2 ? 0.01 : 0);
        find_matrix(&slow, &smooth);
        for (size_t j = 0; j < ORDER; j++)
            slow.u[j] = smooth.by.origin[j];
        least = solve_slowly(&slow, &smooth, 1e-9L);
        smooth.by.has_factor = number >= 12;
        for (unsigned k = 0; k < 200; k++) {
            column_lasso_solve(&smooth.by, 1e-8, 10 * (k % 20 + 1), &never);
            check_residual(&smooth);
        }
        assert_true(value_found(&slow, &smooth) - least <= 1e-9L * (1 + fabsl(least)));
        assert_true(violation(&slow) <= 1e-7L);
        free(smooth.block);
    }
}

/* Columns whose squares are near 1e-90, and weights outside the range of float. */
static void test_tiny_columns(void **state)
{
    static struct smooth smooth;
    static struct slow slow;

    (void)state;
    for (uint64_t number = 0; number < 4; number++) {
        begin(&smooth, number, 1, 1e-45, 0);
        smooth.by.has_factor = number % 2 == 1;
        find_matrix(&slow, &smooth);
        for (size_t j = 0; j < SIZE; j++) /* a slope that |u|_1 does not outweigh */
            smooth.by.lasso.gradient[j] *= 1e45;
        for (unsigned k = 0; k < 200; k++)
            column_lasso_solve(&smooth.by, 1e-8, 200, &never);
        value_found(&slow, &smooth);
        assert_true(violation(&slow) <= 1e-7L);
        free(smooth.block);
    }
}

/* ---- A stop ------------------------------------------------------------- */

/* Answers "stop" from question `first` on, and notes the work between questions. */
struct listener {
    const struct lasso *lasso;
    unsigned asked, first;
    double before;   /* work at the last question */
    double most;     /* largest work between two questions */
    double answered; /* work at the first answer "stop" */
};

static int is_over(const void *context)
{
    struct listener *listener = *(struct listener *const *)context;
    const double work = listener->lasso->work;

    listener->most = fmax(listener->most, work - listener->before);
    listener->before = work;
    if (++listener->asked == listener->first)
        listener->answered = work;
    return listener->asked >= listener->first;
}

/* Asks for more than a solution can reach, and stops it at question `first`. Returns 0 if it ended
 * before that question. */
static int solve_until(struct smooth *smooth, unsigned first, struct listener *listener)
{
    const struct stop stop = {is_over, &listener};

    begin(smooth, 0, 1, 1, 0);
    *listener = (struct listener){.lasso = &smooth->by.lasso, .first = first};
    column_lasso_solve(&smooth->by, 1e-12, 20, &stop);
    return listener->asked >= first;
}

/* Returns the non-zeros that a sweep from the origin has read. It reads those of a changed
 * coordinate twice. */
static double nonzeros_swept(const struct smooth *smooth)
{
    size_t count = 0;

    for (size_t j = 0; j < ORDER; j++)
        count += (smooth->start[j + 1] - smooth->start[j]) *
                 (smooth->by.lasso.u[j] != smooth->by.origin[j] ? 2 : 1);
    return (double)count;
}

/* A stop is asked for after each sweep and before each conjugate-gradient step. Between two
 * questions, and after the answer, there are at most two products with H or two sweeps over all
 * columns. */
static void test_stop_is_heard_within_a_round(void **state)
{
    enum { QUESTIONS = 500 }; /* least number of questions, in 20 rounds */
    static struct smooth smooth;
    struct listener listener;
    unsigned first = 1;
    double product;

    (void)state;
    assert_true(solve_until(&smooth, 1, &listener));
    assert_true(smooth.by.lasso.work == COST_OF_NONZERO * nonzeros_swept(&smooth));
    product = COST_OF_NONZERO * (2 * (double)smooth.start[ORDER]);
    free(smooth.block);
    for (; solve_until(&smooth, ++first, &listener); free(smooth.block)) {
        assert_true(listener.most <= 2 * product);
        assert_true(smooth.by.lasso.work - listener.answered <= 2 * product);
    }
    free(smooth.block);
    assert_true(first > QUESTIONS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_solution),
        cmocka_unit_test(test_tiny_columns),
        cmocka_unit_test(test_stop_is_heard_within_a_round),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
