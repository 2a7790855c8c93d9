/* test_max_row_norm.c - one thread and several find the same longest row as a plain loop. */
#include "problem/certificate.h"

#include <math.h>

#include "sample.h"

/* Any number of threads finds the longest row of all rows, or of a list. */
static void test_the_longest_row(void **state)
{
    struct sample sample;

    (void)state;
    sample_new(&sample, 500, 40, 7, BIAS_REGULARISED, LOSS_SQUARED_HINGE);
    for (unsigned threads = 1; threads <= 3; threads++)
        for (size_t rows = 1; rows <= 500; rows += rows < 140 ? 1 : 120)
            for (int listed = 0; listed < 2; listed++) {
                const struct hinge_matrix *x = &sample.problem.data->x;
                struct max_row_norm max_row_norm = {listed ? sample.list + 500 - rows : NULL, rows,
                                                    0, 0, 0};
                const struct shards shards = {.threads = threads, .work = 1e9, .over = 1};
                double square = 0, features = 0;

                for (size_t k = 0; k < rows; k++) {
                    const size_t i = listed ? 500 - rows + k : k;
                    double own = sample.problem.bias * sample.problem.bias;

                    for (size_t e = x->start[i]; e < x->start[i + 1]; e++)
                        own += hinge_value(x, e) * hinge_value(x, e);
                    square = fmax(square, own);
                    features = fmax(features, (double)(x->start[i + 1] - x->start[i]));
                }
                max_row_norm_find(&sample.problem, &shards, &max_row_norm);
                assert_true(max_row_norm.known && max_row_norm.features == features);
                assert_true(fabs(max_row_norm.square - square) <= 1e-12 * square);
            }
    sample_free(&sample);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_longest_row),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
