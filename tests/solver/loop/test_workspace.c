/* test_workspace.c - the workspace that one training leaves does not change the next result. */
#include "solver/loop/workspace.h"

#include <string.h>

#include "training.h"

/* One workspace serves trainings at C, 2 C and C again, from 0, on problems of rising and falling
 * size. Every certificate is true. After a reset, the answer is the same as with a new workspace.
 */
static void test_workspace_serves_one_training_after_the_other(void **state)
{
    static const int solvers[] = {1, 3, 2, 60, 61};
    const struct hinge_parameters parameters = parameters_for(1e-6, 0);
    static struct toy toy;

    (void)state;
    for (size_t k = 0; k < COUNT(solvers); k++) {
        struct hinge_error error;
        struct workspace *workspace = workspace_new(&error);

        assert_non_null(workspace);
        for (unsigned long number = 0; number < 200; number++) {
            struct answer first, answer;

            toy_even(&toy, number, solver_find(solvers[k])->loss);
            toy.solver = solvers[k];
            toy_train(&toy, &parameters, NULL, &first);
            for (int part = 0; part < 3; part++) {
                for (size_t i = 0; i < toy.m; i++)
                    toy.cost[i] *= part == 0 ? 1 : part == 1 ? 2 : 0.5;
                memset(&answer, 0, sizeof answer);
                toy_train_in(workspace, &toy, &parameters, NULL, &answer);
                check_certificate(&toy, &answer);
                CHECK(&toy, answer.result.outcome == HINGE_CERTIFIED);
                CHECK(&toy, part > 0 || memcmp(answer.w, first.w, sizeof first.w) == 0);
            }
            workspace_reset(workspace);
        }
        workspace_free(workspace);
    }
}

/* Other targets for the same rows, as in one class against the rest, also need a reset. */
static void test_workspace_is_reset_between_targets(void **state)
{
    static const int solvers[] = {2, 60, 61};
    const struct hinge_parameters parameters = parameters_for(1e-9, 0);
    static struct toy toy;

    (void)state;
    for (size_t k = 0; k < COUNT(solvers); k++)
        for (unsigned long number = 0; number < 60; number++) {
            struct hinge_error error;
            struct workspace *workspace = workspace_new(&error);
            struct answer fresh, answer;

            assert_non_null(workspace);
            toy_even(&toy, number, solver_find(solvers[k])->loss);
            toy.solver = solvers[k];
            for (size_t other = 0; other < 3; other++) {
                for (size_t i = other; i < toy.m; i += 3)
                    toy.sign[i] = (signed char)-toy.sign[i];
                toy_train(&toy, &parameters, NULL, &fresh);
                memset(&answer, 0, sizeof answer);
                toy_train_in(workspace, &toy, &parameters, NULL, &answer);
                workspace_reset(workspace);
                check_certificate(&toy, &answer);
                CHECK(&toy, memcmp(answer.w, fresh.w, sizeof fresh.w) == 0);
                CHECK(&toy, memcmp(answer.alpha, fresh.alpha, sizeof fresh.alpha) == 0);
            }
            workspace_free(workspace);
        }
}

static void test_free_accepts_null(void **state)
{
    (void)state;
    workspace_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_workspace_serves_one_training_after_the_other),
        cmocka_unit_test(test_workspace_is_reset_between_targets),
        cmocka_unit_test(test_free_accepts_null),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
