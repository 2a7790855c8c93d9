/* test_loss_rows.c - many rows at once against loss.h, row by row: the same to the bit. */
#include "problem/loss_rows.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "support.h"

enum { MOST = 2 * ROWS_AT_ONCE + 3 };

static const enum loss LOSSES[] = {LOSS_SQUARED_HINGE, LOSS_LOGISTIC, LOSS_SQUARED_INSENSITIVE,
                                   LOSS_HINGE, LOSS_INSENSITIVE};

/* Rows of every size, at the ends of their domain, too. */
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

static const size_t COUNTS[] = {0, 1, 2, 3, 4, 5, 7, 8, 13, ROWS_AT_ONCE - 1, ROWS_AT_ONCE, MOST};

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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(points_are_those_of_rows),
        cmocka_unit_test(conjugates_are_those_of_rows),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
