/* test_training.c - a point that is held while another one is tried. */
#include <stdlib.h>
#include <string.h>

#include "solver/loop/method.h"
#include "support.h"

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

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_a_held_point_comes_back)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
