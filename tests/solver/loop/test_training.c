/* test_training.c - a point that is held while another one is tried, and the certificate of the
 * lowest P with another method's alpha.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "solver/loop/method.h"
#include "support.h"
#include "training.h"

static void test_a_held_point_comes_back(void **state)
{
    double w[] = {1, 2}, alpha[] = {3, 4, 5}, of_w[2], of_alpha[3];
    const struct problem problem = {.rows = 3};
    struct training training = {.problem = &problem,
                                .rows = 3,
                                .width = 2,
                                .point.w = w,
                                .point.alpha = alpha,
                                .point.primal = 7,
                                .point.dual = -6};
    struct point held = {.w = of_w, .alpha = of_alpha};

    (void)state;
    training_hold(&training, &held);
    assert_true(w[0] == 1 && alpha[2] == 5);
    memset(w, 0, sizeof w);
    memset(alpha, 0, sizeof alpha);
    training.point.primal = 9;
    training.point.dual = 0;
    training.progress.measured = 1;
    training_put_back(&training, &held);
    assert_true(w[0] == 1 && w[1] == 2 && alpha[0] == 3 && alpha[1] == 4 && alpha[2] == 5);
    assert_true(training.point.primal == 7 && training.point.dual == -6);
    assert_false(training.progress.measured); /* the measurement was at the other point */
}

/* The kept P is certified with D of the training's alpha if their measured gap is at most target.
 * If the kept P is too low to be true, w and the kept point stay as they were, and no further
 * attempt is made. */
static void test_the_lowest_P_is_certified(void **state)
{
    static struct toy toy;
    size_t counted[2] = {0, 0};
    uint64_t random = 3;
    struct task task = {0};

    (void)state;
    for (unsigned long number = 0; number < 500; number++)
        for (int is_true = 0; is_true < 2; is_true++) {
            struct hinge_parameters parameters = {.relative_gap = 1};
            double alpha[MOST_ROWS], w[MOST_WIDTH], kept[MOST_WIDTH], sum[MOST_WIDTH];
            double primal, dual, gap;
            struct training training = {.task = &task, .parameters = &parameters};

            toy_even(&toy, number, LOSS_SQUARED_HINGE);
            for (size_t i = 0; i < toy.m; i++)
                alpha[i] = toy.cost[i] * random_unit(&random);
            weights_of(&toy, alpha, sum);
            for (size_t j = 0; j < toy.width; j++) {
                w[j] = sum[j];
                kept[j] = sum[j] / 2;
            }
            primal = primal_of(&toy, kept);
            dual = dual_of(&toy, alpha);
            gap = (primal + dual) / primal;
            if (!(primal < 0.99 * primal_of(&toy, w) && gap > 1e-3 && gap < 0.9))
                continue;
            training.problem = &toy.problem;
            training.rows = toy.problem.rows;
            training.width = toy.width;
            training.shards = shards_of(&toy.problem, SUM_OF_VECTORS, 0, toy.width);
            training.point = (struct point){.w = w, .alpha = alpha, .dual = dual, .is_formed = 1};
            training.point.sums = SUMS_UPDATED;
            assert_non_null(training.best.w = malloc(toy.width * sizeof *w));
            memcpy(training.best.w, kept, toy.width * sizeof *w);
            training.best.primal = is_true ? primal : primal * (1 - 0.1 * gap);
            gap *= is_true ? 1 + 1e-6 : 0.99;
            CHECK(&toy, !training_best_is_certified(&training, gap / 2));
            CHECK(&toy, memcmp(w, sum, toy.width * sizeof *w) == 0);
            CHECK(&toy, training_best_is_certified(&training, gap) == is_true);
            if (is_true) {
                CHECK(&toy, memcmp(w, kept, toy.width * sizeof *w) == 0);
                CHECK(&toy, fabs(training.progress.primal - primal) <= 1e-12 * primal);
                CHECK(&toy, fabs(training.progress.dual - dual) <= 1e-12 * (primal + fabs(dual)));
            } else {
                for (size_t j = 0; j < toy.width; j++)
                    CHECK(&toy, fabs(w[j] - sum[j]) <= 1e-12 * (1 + fabs(sum[j])));
                CHECK(&toy, memcmp(training.best.w, kept, toy.width * sizeof *w) == 0);
                CHECK(&toy, !training.point.v && training.point.is_formed);
                CHECK(&toy, !training_best_is_certified(&training, 1));
            }
            counted[is_true]++;
            free(training.best.w);
        }
    assert_true(counted[0] > 50 && counted[1] > 50);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_a_held_point_comes_back),
                                       cmocka_unit_test(test_the_lowest_P_is_certified)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
