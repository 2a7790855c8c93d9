/* test_policy.c - coordinate descent and what takes over from it: the certificate recomputed, the
 * minimum by another method, which methods came when. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "large.h"
#include "methods.h"
#include "training.h"

/* ---- Handing over ------------------------------------------------------- */

/* Where coordinate descent needs very many passes an engine ends it in few; not if it is not to. */
static void test_slow_descent_is_handed_over(void **state)
{
    static const enum loss losses[] = {LOSS_HINGE, LOSS_SQUARED_HINGE};
    static struct toy toy;

    (void)state;
    for (int k = 0; k < 2; k++) {
        struct hinge_parameters parameters = parameters_for(1e-6, 0);
        struct draft draft = {ORDINARY, 1000, 0, 1, 0, 10, losses[k]};
        struct answer answer;
        uint64_t together;

        toy_draw(&toy, &draft, 1, MOST_ROWS, 12);
        solve(&toy, &parameters, NULL, &answer);
        CHECK(&toy, answer.result.outcome == HINGE_CERTIFIED && answer.result.steps > 0);
        CHECK(&toy, strcmp(answer.result.engine, k ? "newton" : "pnewton") == 0);
        together = answer.result.passes;
        parameters.plain = 1;
        parameters.max_passes = 0;
        solve(&toy, &parameters, NULL, &answer);
        CHECK(&toy, answer.result.outcome == HINGE_CERTIFIED && answer.result.steps == 0);
        CHECK(&toy, !answer.result.engine && answer.result.passes > 20 * together);
    }
}

/* Behind descent, too, an engine fulfils the rule; engines must have come to act. */
static void test_eps_rule_holds_behind_descent(void **state)
{
    static struct toy toy;
    int handed_over[2] = {0, 0};

    (void)state;
    for (int k = 0; k < 40; k++) {
        const struct hinge_parameters parameters = parameters_for(0, k % 4 < 2 ? 1e-2 : 1e-5);
        struct answer answer;

        toy_hard(&toy, k % 2 ? LOSS_SQUARED_HINGE : LOSS_HINGE, exp2(k / 4), 10);
        solve(&toy, &parameters, NULL, &answer);
        check_rule(&toy, &answer, parameters.eps);
        handed_over[k % 2] += answer.result.engine && !answer.result.fallback;
    }
    assert_true(handed_over[0] > 5 && handed_over[1] > 5);
}

/* ---- Larger problems ----------------------------------------------------- */

/* 4000 rows are enough to start at a part of them, unless C is small: then there is no pass. */
static void check_beginning(const struct large *large, unsigned long number, int solver,
                            const struct hinge_result *result)
{
    const int descends = solver_find(solver)->info.descends;
    const int at_once = number % 4 == 0 && number / 2 % 5 > 1;
    const int small = large->problem.rows < 4000 || number / 2 % 5 < 1;

    if (descends && at_once)
        assert_true(result->engine && result->steps == result->passes);
    if (descends && small)
        assert_true(result->passes > result->steps);
}

/* The minimum lies between all -D and all P that several methods find. */
static void check_large(struct large *large, unsigned long number, int solver, int plain,
                        struct bracket *bracket)
{
    struct hinge_parameters parameters = parameters_for(plain ? 1e-3 : 1e-9, 0);
    struct hinge_result result;

    parameters.plain = plain;
    result = large_solve(large, solver, &parameters, NULL);
    if (!plain)
        check_beginning(large, number, solver, &result);
    bracket->lower = fmax(bracket->lower, -large_dual(large));
    bracket->upper = fmin(bracket->upper, large_primal(large));
    if (!large_is_true(large, &result) || result.outcome != HINGE_CERTIFIED ||
        !(result.gap <= parameters.gap) || !(bracket->lower <= bracket->upper * (1 + 1e-12)))
        fail_msg("large problem %lu, solver %d, plain %d: %s, primal %.17g, dual %.17g", number,
                 solver, plain, hinge_outcome_name(result.outcome), result.primal, result.dual);
}

static void test_larger_problems_are_certified(void **state)
{
    static const int of_l1[] = {3, 60, 61}, of_l2[] = {1, 2};
    static struct large large;

    (void)state;
    for (unsigned long number = 0; number < 40; number++)
        for (int loss = LOSS_HINGE; loss <= LOSS_SQUARED_HINGE; loss++) {
            struct bracket bracket = {0, HUGE_VAL};

            large_number(&large, number, (enum loss)loss);
            for (size_t k = 0; k < (loss == LOSS_HINGE ? COUNT(of_l1) : COUNT(of_l2)); k++)
                check_large(&large, number, loss == LOSS_HINGE ? of_l1[k] : of_l2[k], 0, &bracket);
            if (number / 2 % 5 < 3) /* C up to 2: descent alone gets there */
                check_large(&large, number, loss == LOSS_HINGE ? 3 : 1, 1, &bracket);
        }
}

int main(void)
{
    static int solvers[] = {3, 1, 0};
    const struct CMUnitTest tests[] = {
        TESTS_OF_METHODS(solvers),
        cmocka_unit_test(test_slow_descent_is_handed_over),
        cmocka_unit_test(test_eps_rule_holds_behind_descent),
        cmocka_unit_test(test_larger_problems_are_certified),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
