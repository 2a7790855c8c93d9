/* test_primal_rule.c - compares the rule with a gradient in long double, near its bound. */
#include <math.h>
#include <string.h>

#include "slow_loss.h"
#include "solver/loop/method.h"
#include "training.h"

/* Returns |w - sum C_i phi'(s_i) y_i x_i|, where the first w has no free bias. NULL stands for w =
 * 0. */
static double slow_gradient(const struct toy *toy, const double *w)
{
    double slope[MOST_ROWS], sum[MOST_WIDTH], square = 0;

    for (size_t i = 0; i < toy->m; i++)
        slope[i] = toy->cost[i] *
                   (double)slow_slope(toy->problem.loss, problem_target(&toy->problem, (uint32_t)i,
                                                                        toy->problem.loss) -
                                                             (w ? margin(toy, i, w) : 0));
    weights_of(toy, slope, sum);
    for (size_t j = 0; j < toy->width; j++)
        square += pow((w && j < problem_penalised(&toy->problem) ? w[j] : 0) - sum[j], 2);
    return sqrt(square);
}

static double share_of_fewer(const struct toy *toy)
{
    double positive = 0, rows = (double)toy->m;

    for (size_t i = 0; i < toy->m; i++)
        positive += toy->sign[i] > 0;
    return fmax(fmin(positive, rows - positive), 1) / rows;
}

static void check_toy(const struct toy *toy, uint64_t *random)
{
    struct solver solver = {.primal_rule = 1};
    struct hinge_parameters parameters = {.eps = 0.01};
    struct task task = {.solver = &solver};
    double w[MOST_WIDTH], room[MOST_WIDTH], most, here;
    struct training training = {.task = &task,
                                .problem = &toy->problem,
                                .parameters = &parameters,
                                .rows = toy->problem.rows,
                                .width = toy->width,
                                .point.w = w};

    training.shards = shards_of(&toy->problem, SUM_OF_VECTORS, 0, toy->width);
    for (size_t j = 0; j < toy->width; j++)
        w[j] = random_unit(random) - 0.5;
    most = parameters.eps * share_of_fewer(toy) * slow_gradient(toy, NULL);
    CHECK(toy, fabs(primal_rule_most(&training, room) - most) <= 1e-12 * most);
    CHECK(toy, primal_rule_most(&training, room) == primal_rule_most(&training, room));
    here = slow_gradient(toy, w);
    if (!(most > 0) || !(here > 0))
        return;
    for (int k = -1; k <= 1; k += 2) { /* eps just below and above the gradient */
        parameters.eps = 0.01 * (here / most) * (1 + k * 1e-9);
        CHECK(toy, primal_rule_holds(&training) == (k > 0));
    }
}

static void rule_is_that_of_the_gradient(void **unused)
{
    static const enum loss losses[] = {LOSS_SQUARED_HINGE, LOSS_LOGISTIC};
    static struct toy toy;
    uint64_t random = 5;

    (void)unused;
    for (unsigned long number = 0; number < 1000; number++) {
        toy_any(&toy, number, losses[number % COUNT(losses)]);
        check_toy(&toy, &random);
    }
}

static void rule_is_asked_of_primal_solvers(void **unused)
{
    struct solver solver = {.primal_rule = 1};
    struct hinge_parameters parameters = {.eps = 0.01};
    struct task task = {.solver = &solver};
    const struct training training = {.task = &task, .parameters = &parameters};

    (void)unused;
    assert_true(primal_rule_is_asked(&training));
    parameters.eps = 0;
    assert_false(primal_rule_is_asked(&training));
    parameters.eps = 1;
    solver.primal_rule = 0;
    assert_false(primal_rule_is_asked(&training));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rule_is_that_of_the_gradient),
        cmocka_unit_test(rule_is_asked_of_primal_solvers),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
