/* test_loss_rows.c - compares many rows at once with loss.h, row by row: the same to the bit, sums
 * up to rounding. */
#include "problem/loss_rows.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "support.h"

enum { MOST = ROWS_AT_ONCE };

static const enum loss LOSSES[] = {LOSS_SQUARED_HINGE, LOSS_LOGISTIC, LOSS_SQUARED_INSENSITIVE,
                                   LOSS_HINGE, LOSS_INSENSITIVE};

/* Rows of every size, also at the ends of their domain. */
struct rows {
    double cost[MOST];
    double slack[MOST];
    double target[MOST];
    double a[MOST];
};

static void fill(struct rows *rows, enum loss loss)
{
    static const double edge[] = {0, -0.0, 1, -1, 36, -36, 37, -37, 700, -700, 745, -746, 1e10};
    uint64_t random = 7;

    for (size_t k = 0; k < MOST; k++) {
        const double share = random_unit(&random);
        const double upper = fmin(loss_upper(loss, 1), 4);

        rows->cost[k] = exp2(20 * random_unit(&random) - 10);
        rows->slack[k] =
            k < COUNT(edge) ? edge[k] : (random_unit(&random) - 0.5) * exp2((double)(k % 12));
        rows->target[k] = random_unit(&random) - 0.5;
        rows->a[k] = rows->cost[k] * upper *
                     (k % 7 == 0   ? (double)(k % 2)
                      : k % 7 == 1 ? exp2(-(double)k)
                      : k % 7 == 2 ? 1 - exp2(-(double)(k % 54))
                                   : share);
    }
}

static void same(const double *fast, double slow, size_t k)
{
    if (memcmp(fast, &slow, sizeof slow) != 0)
        fail_msg("row %lu: %.17g, not %.17g", (unsigned long)k, *fast, slow);
}

static const size_t COUNTS[] = {0, 1, 2, 3, 4, 5, 7, 8, 13, 100, ROWS_AT_ONCE - 1, MOST};

static void points_are_those_of_rows(void **unused)
{
    struct rows rows;

    (void)unused;
    for (size_t l = 0; l < COUNT(LOSSES); l++)
        for (size_t c = 0; loss_is_smooth(LOSSES[l]) && c < COUNT(COUNTS); c++) {
            double value[MOST + 1] = {0}, slope[MOST + 1] = {0}, curvature[MOST + 1] = {0};
            const size_t count = COUNTS[c];

            fill(&rows, LOSSES[l]);
            loss_rows_points(LOSSES[l], count, rows.cost, rows.slack, value, slope, curvature);
            for (size_t k = 0; k < count; k++) {
                double bend;
                const double its = loss_point(LOSSES[l], rows.cost[k], rows.slack[k], 0, 0, &bend);

                same(slope + k, its, k);
                same(curvature + k, bend, k);
                same(value + k, loss_value(LOSSES[l], rows.cost[k], rows.slack[k]), k);
            }
            assert_true(value[count] == 0 && slope[count] == 0 && curvature[count] == 0);
        }
}

static void conjugates_are_those_of_rows(void **unused)
{
    struct rows rows;

    (void)unused;
    for (size_t l = 0; l < COUNT(LOSSES); l++)
        for (size_t c = 0; c < COUNT(COUNTS); c++) {
            const int has_targets = loss_has_targets(LOSSES[l]);
            double conjugate[MOST + 1] = {0};
            const size_t count = COUNTS[c];

            fill(&rows, LOSSES[l]);
            loss_rows_conjugates(LOSSES[l], count, rows.cost, has_targets ? rows.target : NULL,
                                 rows.a, conjugate);
            for (size_t k = 0; k < count; k++)
                same(conjugate + k,
                     loss_conjugate(LOSSES[l], rows.cost[k],
                                    has_targets ? rows.target[k] : loss_target(LOSSES[l]),
                                    rows.a[k]),
                     k);
            assert_true(conjugate[count] == 0);
        }
}

static void terms_are_those_of_rows(void **unused)
{
    struct rows rows;

    (void)unused;
    for (size_t l = 0; l < COUNT(LOSSES); l++)
        for (size_t c = 0; c < COUNT(COUNTS); c++) {
            const enum loss loss = LOSSES[l];
            double value[MOST + 1] = {0}, conjugate[MOST + 1] = {0}, gap[MOST + 1] = {0};
            double again[MOST], z[MOST];
            const size_t count = COUNTS[c];
            const double *target = loss_has_targets(loss) ? rows.target : NULL;

            fill(&rows, loss);
            for (size_t k = 0; k < MOST; k++) { /* some a are slopes, or nearly */
                z[k] = -rows.slack[k];
                if (loss == LOSS_LOGISTIC && k % 5 == 0 && rows.a[k] > 0)
                    z[k] = -logit(rows.cost[k], rows.a[k]) + (k % 2 ? 0 : 1e-3);
            }
            loss_rows_terms(loss, count, rows.cost, target, z, rows.a, value, conjugate, gap);
            loss_rows_terms(loss, count, rows.cost, target, z, NULL, again, NULL, NULL);
            for (size_t k = 0; k < count; k++) {
                const double cost = rows.cost[k], t = target ? target[k] : loss_target(loss);

                same(value + k, loss_value(loss, cost, t - z[k]), k);
                same(again + k, value[k], k);
                same(conjugate + k, loss_conjugate(loss, cost, t, rows.a[k]), k);
                same(gap + k, loss_gap(loss, loss_scale(loss, cost), rows.a[k], t - z[k]), k);
            }
            assert_true(value[count] == 0 && conjugate[count] == 0 && gap[count] == 0);
        }
}

/* Returns the rows as Newton's method minimises them: smoothed, with a fraction of C. */
static struct loss_rows newton_rows(const struct rows *rows, enum loss loss, size_t count)
{
    return (struct loss_rows){.loss = loss,
                              .count = count,
                              .cost = rows->cost,
                              .target = loss_has_targets(loss) ? rows->target : NULL,
                              .centre = loss_is_smooth(loss) ? NULL : rows->a,
                              .inverse = loss_is_smooth(loss) ? 0 : 3,
                              .share = loss_is_smooth(loss) ? 0.25 : 1};
}

static double slow_point(const struct loss_rows *rows, size_t k, double slack, double *curvature)
{
    return loss_point(rows->loss, rows->share * rows->cost[k], slack,
                      rows->centre ? rows->centre[k] : 0, rows->inverse, curvature);
}

static double target_of(const struct loss_rows *rows, size_t k)
{
    return rows->target ? rows->target[k] : loss_target(rows->loss);
}

/* A sum, and the size to which its rounding errors are relative. */
struct slow {
    long double sum;
    long double size;
};

static void slow_add(struct slow *slow, double term)
{
    slow->sum += term;
    slow->size += fabs(term);
}

static void near(double fast, const struct slow *slow)
{
    if (!(fabsl(fast - slow->sum) <= 1e-13L * slow->size))
        fail_msg("%.17g, not %.17Lg", fast, slow->sum);
}

static void check_evaluation(const struct loss_rows *rows, const double *z, const double *before)
{
    double alpha[ROWS_AT_ONCE + 1] = {0}, change[ROWS_AT_ONCE + 1] = {0};
    struct slow value = {0, 0}, other = {0, 0}, linear = {0, 0}, total = {0, 0}, unbound = {0, 0};
    const int is_smooth = loss_is_smooth(rows->loss);
    struct loss_sums sums;

    memcpy(alpha, before, rows->count * sizeof *alpha);
    sums = loss_rows_evaluate(rows, z, alpha, change);
    for (size_t k = 0; k < rows->count; k++) {
        const double cost = rows->cost[k], target = target_of(rows, k), slack = target - z[k];
        double curvature;
        const double its = slow_point(rows, k, slack, &curvature);
        const double lost = loss_value(rows->loss, cost, slack);

        same(alpha + k, its, k);
        same(change + k, its - before[k], k);
        slow_add(&value, lost);
        slow_add(&other, is_smooth
                             ? loss_conjugate_at(rows->loss, cost, target, its, slack, lost)
                             : loss_gap(rows->loss, loss_scale(rows->loss, cost), its, slack));
        slow_add(&linear, target * its);
        slow_add(&total, its);
        slow_add(&unbound, loss_point_weight(rows->loss, rows->share * cost, its) > 0);
    }
    near(sums.value, &value);
    near(is_smooth ? sums.conjugate : sums.gap, &other);
    assert_true((is_smooth ? sums.gap : sums.conjugate) == 0);
    near(sums.linear, &linear);
    near(sums.total, &total);
    assert_true(sums.free == unbound.sum);
    assert_true(alpha[rows->count] == 0 && change[rows->count] == 0);
}

static void check_line(const struct loss_rows *rows, const double *z, const double *change)
{
    static const double t = 0.7;
    struct slow first = {0, 0}, second = {0, 0};
    double sums[2] = {2, 3};

    slow_add(&first, sums[0]);
    slow_add(&second, sums[1]);
    loss_rows_line(rows, z, change, t, sums);
    for (size_t k = 0; k < rows->count; k++) {
        double curvature;
        const double slack = target_of(rows, k) - (z[k] + t * change[k]);
        const double its = slow_point(rows, k, slack, &curvature);

        slow_add(&first, its * change[k]);
        slow_add(&second, curvature * change[k] * change[k]);
    }
    near(sums[0], &first);
    near(sums[1], &second);
}

static void sums_of_newton_are_those_of_rows(void **unused)
{
    struct rows rows;
    double change[MOST];
    uint64_t random = 8;

    (void)unused;
    for (size_t k = 0; k < MOST; k++)
        change[k] = random_unit(&random) - 0.5;
    for (size_t l = 0; l < COUNT(LOSSES); l++)
        for (size_t c = 0; c < COUNT(COUNTS); c++) {
            const size_t count = COUNTS[c] < ROWS_AT_ONCE ? COUNTS[c] : ROWS_AT_ONCE;
            struct loss_rows some;

            fill(&rows, LOSSES[l]);
            some = newton_rows(&rows, LOSSES[l], count);
            check_evaluation(&some, rows.slack, rows.a);
            check_line(&some, rows.slack, change);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(points_are_those_of_rows),
        cmocka_unit_test(conjugates_are_those_of_rows),
        cmocka_unit_test(terms_are_those_of_rows),
        cmocka_unit_test(sums_of_newton_are_those_of_rows),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
