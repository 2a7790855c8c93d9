/* test_proximal.c - the l1 term against the papers' dense loops. */
#include "solver/stochastic/proximal.c"

#include <stdlib.h>
#include <string.h>

#include "dense_run.h"

/* l1 from a term that does little to one that leaves nothing. */
static void test_dense_loop_agrees_with_l1(void **state)
{
    static const double l1[] = {1e-4, 0.01, 0.03, 0.1, 5};
    const int *solver = *state;
    size_t zero[5] = {0}, all = 0;

    for (int variant = 0; variant < VARIANTS; variant++) {
        struct dense_problem *toy = variant_toy(variant);

        for (size_t l = 0; l < 5; l++) {
            struct hinge_parameters parameters = variant_parameters(*solver, variant, 5000);
            struct dense_run run;

            parameters.l1 = l1[l];
            run = check_outputs(toy, parameters);
            zero[l] += zeros_at_end(&run);
            free(run.w);
        }
        all += toy->width;
        dense_problem_free(toy);
    }
    for (size_t l = 1; l < 5; l++)
        assert_true(zero[l] > zero[l - 1]);
    assert_true(zero[0] < all / 4 && zero[2] > all / 4 && zero[3] < all && zero[4] == all);
}

/* Rows with about as many entries as a block has, the bias included, and with several blocks. */
static void test_rows_of_several_blocks(void **state)
{
    static const uint32_t features[] = {SHRINKAGE_BLOCK - 1, SHRINKAGE_BLOCK, SHRINKAGE_BLOCK + 1,
                                        2 * SHRINKAGE_BLOCK, 150};

    (void)state;
    for (size_t k = 0; k < COUNT(features); k++)
        for (int has_bias = 0; has_bias <= 1; has_bias++) {
            const struct dense_draft all_there = {20, features[k], 40, 1, has_bias ? 0.5 : -1,
                                                  0,  0.3,         k};
            struct dense_problem *toy = dense_problem_new(&all_there);

            for (int solver = COMID; solver <= HRMD_W; solver++)
                for (int variant = 0; variant < VARIANTS; variant++) {
                    struct hinge_parameters parameters = variant_parameters(solver, variant, 300);

                    parameters.l1 = 0.01;
                    free(check_outputs(toy, parameters).w);
                }
            dense_problem_free(toy);
        }
}

/* Without l1 the steps are those of sgd.c, with one that changes no digit they are not. */
static void test_no_l1_is_a_tiny_l1(void **state)
{
    (void)state;
    for (int variant = 0; variant < VARIANTS; variant++)
        for (int solver = COMID; solver <= HRMD_W; solver++)
            for (int last = 0; last < 2; last++) {
                struct hinge_parameters parameters = variant_parameters(solver, variant, 3000);
                struct dense_problem *toy = variant_toy(variant);
                double *none = zeros(toy->width, sizeof *none);
                double *tiny = zeros(toy->width, sizeof *tiny), largest = 0;

                if (last)
                    parameters.average = HINGE_AVERAGE_NONE;
                dense_solve(toy, &parameters, NULL, none);
                parameters.l1 = 1e-30;
                dense_solve(toy, &parameters, NULL, tiny);
                for (size_t j = 0; j < toy->width; j++)
                    largest = fmax(largest, fabs(none[j]));
                for (size_t j = 0; j < toy->width; j++)
                    assert_true(fabs(none[j] - tiny[j]) <= 1e-11 * largest);
                assert_true(largest > 0 && memcmp(none, tiny, toy->width * sizeof *none) != 0);
                free(none);
                free(tiny);
                dense_problem_free(toy);
            }
}

/* The zeros themselves: exactly 0, and the same ones. */
static void test_l1_makes_the_same_zeros(void **state)
{
    (void)state;
    for (int variant = 0; variant < VARIANTS; variant++)
        for (int solver = COMID; solver <= HRMD_W; solver++) {
            struct hinge_parameters parameters = variant_parameters(solver, variant, 2000);
            struct dense_problem *toy = variant_toy(variant);
            double *w = zeros(toy->width, sizeof *w);
            struct dense_run run;

            parameters.l1 = 0.02;
            parameters.average = HINGE_AVERAGE_NONE;
            run = dense_run_new(toy, &parameters);
            assert_int_equal(dense_solve(toy, &parameters, NULL, w).nonzeros,
                             toy->width - zeros_at_end(&run));
            for (size_t j = 0; j < toy->width; j++)
                assert_true((w[j] == 0) == (iterate_at(&run, run.steps + 1)[j] == 0));
            free(run.w);
            free(w);
            dense_problem_free(toy);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        OF_SOLVER(test_dense_loop_agrees_with_l1, 4),
        OF_SOLVER(test_dense_loop_agrees_with_l1, 5),
        cmocka_unit_test(test_rows_of_several_blocks),
        cmocka_unit_test(test_no_l1_is_a_tiny_l1),
        cmocka_unit_test(test_l1_makes_the_same_zeros),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
