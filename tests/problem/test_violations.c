/* test_violations.c - compares violations of all rows with plain loops in long double. */
#include "problem/objective.h"

#include <math.h>
#include <stdlib.h>

#include "sample.h"

static long double slow_margin(const struct sample *sample, uint32_t i)
{
    const struct problem *problem = &sample->problem;
    const struct sparse x = problem_row(problem, i);
    long double sum = 0;

    for (size_t k = 0; k < x.count; k++)
        sum += (long double)value_at(&x, k) * sample->w[index_at(&x, k)];
    if (problem->bias_kind != BIAS_NONE)
        sum += (long double)problem->bias * sample->w[sample->width - 1];
    return problem->sign[i] * sum;
}

static void check_violations(const struct sample *sample, struct selection rows)
{
    const struct problem *problem = &sample->problem;
    const int hinge = problem->loss == LOSS_HINGE;
    struct violations fast, again;
    long double largest = -HUGE_VALL, smallest = HUGE_VALL, total = 0;
    double *z;

    if (rows.row || rows.count == 0)
        return;
    fast = violations_at(&sample->shards, problem, sample->w, NULL, sample->alpha);
    for (uint32_t i = 0; i < problem->rows; i++) {
        const long double cost = sample->cost[i], a = sample->alpha[i];
        long double gradient = slow_margin(sample, i) - 1 + (hinge ? 0 : a / (2 * cost));

        if ((a == 0 && gradient > 0) || (hinge && a == cost && gradient < 0))
            gradient = 0;
        largest = fmaxl(largest, gradient);
        smallest = fminl(smallest, gradient);
        total += fabsl(gradient);
    }
    assert_true(fabsl(fast.largest - largest) <= 1e-13L);
    assert_true(fabsl(fast.smallest - smallest) <= 1e-13L);
    assert_true(fabsl(fast.total - total) <= 1e-13L * (1 + total));
    z = sample_room(problem->rows, sizeof *z); /* known margins give the same violations */
    sums_margins(&sample->shards, problem, all_rows(problem), sample->w, z);
    again = violations_at(&sample->shards, problem, NULL, z, sample->alpha);
    assert_true(again.largest == fast.largest && again.smallest == fast.smallest &&
                again.total == fast.total);
    free(z);
}

static void test_violations(void **state)
{
    (void)state;
    sample_each(check_violations);
}

static void test_no_rows_have_no_violations(void **state)
{
    struct sample sample;
    struct violations found;

    (void)state;
    sample_new(&sample, 3, 4, 2, BIAS_REGULARISED, LOSS_HINGE);
    sample.problem.rows = 0;
    found = violations_at(&sample.shards, &sample.problem, sample.w, NULL, sample.alpha);
    assert_true(found.largest == -HUGE_VAL && found.smallest == HUGE_VAL && found.total == 0);
    sample_free(&sample);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_violations),
        cmocka_unit_test(test_no_rows_have_no_violations),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
