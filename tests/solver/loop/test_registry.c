/* test_registry.c - the table of solvers. */
#include "solver/loop/method.h"
#include "support.h"

static void test_registry_finds_what_it_lists(void **state)
{
    size_t count = 0;

    (void)state;
    for (; hinge_solver_at(count); count++) {
        const struct hinge_solver *solver = hinge_solver_at(count);

        assert_ptr_equal(hinge_solver_find(solver->number), solver);
        assert_ptr_equal(&solver_find(solver->number)->info, solver);
        assert_true(*solver->name && *solver->summary && *solver->model_name);
        for (size_t k = 0; k < count; k++)
            assert_string_not_equal(hinge_solver_at(k)->name, solver->name);
    }
    assert_true(count >= 2);
    assert_null(hinge_solver_at(count + 1));
    assert_null(hinge_solver_at(SIZE_MAX));
    assert_string_equal(hinge_solver_find(1)->model_name, "L2R_L2LOSS_SVC_DUAL");
    assert_string_equal(hinge_solver_find(3)->model_name, "L2R_L1LOSS_SVC_DUAL");
}

/* Checks the loss, the first method, and the name in records of each solver. */
static void test_solvers_with_a_certificate(void **state)
{
    static const struct {
        int number;
        enum loss loss;
        enum first_method method;
        const char *name;
        int descends, starts, pairs;
    } row[] = {{1, LOSS_SQUARED_HINGE, METHOD_COORDINATE_DESCENT, "dcd-l2", 1, 1, 0},
               {3, LOSS_HINGE, METHOD_COORDINATE_DESCENT, "dcd-l1", 1, 1, 0},
               {2, LOSS_SQUARED_HINGE, METHOD_NEWTON, "newton-l2", 1, 1, 0},
               {0, LOSS_LOGISTIC, METHOD_NEWTON, "lr-newton", 1, 1, 0},
               {7, LOSS_LOGISTIC, METHOD_COORDINATE_DESCENT, "lr-dcd", 1, 1, 0},
               {5, LOSS_SQUARED_HINGE, METHOD_PROXIMAL_NEWTON, "l1r-l2loss", 0, 1, 0},
               {6, LOSS_LOGISTIC, METHOD_PROXIMAL_NEWTON, "l1r-lr", 0, 1, 0},
               {62, LOSS_LOGISTIC, METHOD_SOFTMAX, "softmax", 0, 1, 0},
               {4, LOSS_HINGE, METHOD_SEQUENTIAL_DUAL, "crammer-singer", 1, 1, 0},
               {60, LOSS_HINGE, METHOD_NEWTON, "ipm", 0, 1, 0},
               {61, LOSS_HINGE, METHOD_NEWTON, "pnewton", 0, 1, 0},
               {42, LOSS_HINGE, METHOD_COORDINATE_DESCENT, "enet", 1, 1, 0},
               {50, LOSS_HINGE, METHOD_SMO, "smo", 1, 0, 1}};

    (void)state;
    for (size_t k = 0; k < COUNT(row); k++) {
        const struct solver *solver = solver_find(row[k].number);

        assert_non_null(solver);
        assert_string_equal(solver->info.name, row[k].name);
        assert_int_equal(solver->loss, row[k].loss);
        assert_int_equal(solver->method, row[k].method);
        assert_int_equal(solver->info.kind, HINGE_DUAL);
        assert_int_equal(solver->info.descends, row[k].descends);
        assert_int_equal(solver->info.starts, row[k].starts);
        assert_int_equal(solver->info.pairs, row[k].pairs);
        assert_int_equal(solver->primal_rule,
                         row[k].number == 2 || row[k].number == 0 || row[k].number == 62);
        assert_int_equal(solver->info.joint, row[k].number == 62 || row[k].number == 4);
        assert_int_equal(solver_is_only_l1(solver), row[k].number == 5 || row[k].number == 6);
        assert_int_equal(solver->info.l1, solver_is_only_l1(solver) ? 2 : row[k].number == 42);
    }
}

/* For two classes, a joint solver names a binary solver with its loss and its meaning of eps. */
static void test_joint_solvers_have_one_of_two_classes(void **state)
{
    static const int joint[] = {4, 62};

    (void)state;
    for (size_t k = 0; k < COUNT(joint); k++) {
        const struct solver *solver = solver_find(joint[k]), *of_two = solver_find(solver->of_two);

        assert_non_null(of_two);
        assert_false(of_two->info.joint);
        assert_int_equal(of_two->info.kind, solver->info.kind);
        assert_int_equal(of_two->info.descends || !solver->info.descends, 1);
        assert_int_equal(of_two->info.l1, 0);
        assert_int_equal(of_two->loss, solver->loss);
        assert_int_equal(of_two->primal_rule, solver->primal_rule);
    }
}

/* The names of Newton's methods depend on the loss, so the methods have none. */
static void test_newton_has_no_name(void **state)
{
    (void)state;
    assert_string_equal(newton.name, "");
    assert_string_equal(dual_newton.name, "");
}

/* Each stochastic solver has a step size, and a default average that it supports. */
static void test_stochastic_solvers_have_a_schedule(void **state)
{
    size_t count = 0;

    (void)state;
    for (size_t k = 0; hinge_solver_at(k); k++) {
        const struct solver *solver = solver_find(hinge_solver_at(k)->number);

        assert_int_equal(solver->schedule.step > 0, solver->info.kind == HINGE_STOCHASTIC);
        if (solver->info.kind != HINGE_STOCHASTIC)
            continue;
        assert_int_equal(solver->info.averages >> solver->schedule.average & 1, 1);
        assert_int_equal(solver->method == METHOD_PROXIMAL, solver->info.l1);
        assert_true(solver->loss == LOSS_HINGE && solver->info.starts);
        count++;
    }
    assert_int_equal(count, 6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_registry_finds_what_it_lists),
        cmocka_unit_test(test_solvers_with_a_certificate),
        cmocka_unit_test(test_joint_solvers_have_one_of_two_classes),
        cmocka_unit_test(test_newton_has_no_name),
        cmocka_unit_test(test_stochastic_solvers_have_a_schedule),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
