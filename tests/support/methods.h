/* methods.h - the tests of every method that ends in a certificate. The initial state of each
 * test is the list of solvers, int[], that -1 ends. */
#ifndef HINGE_TESTS_METHODS_H
#define HINGE_TESTS_METHODS_H

#include "support.h"

void test_problems_of_every_shape_and_scale_are_certified(void **state);
void test_even_problems_are_certified_to_1e_9(void **state);
void test_problems_that_once_stalled_are_certified(void **state);
void test_impossible_gap_ends_near_the_minimum(void **state);
void test_a_result_is_a_good_start(void **state);
void test_path_over_costs_is_certified(void **state);
void test_any_feasible_start_leads_there(void **state);
void test_far_starts_of_badly_scaled_problems_lead_there(void **state);
void test_same_task_gives_the_same_bits(void **state);
void test_problem_without_rows(void **state);
void test_far_costs_end_in_the_truth(void **state);
void test_eps_rule_holds_on_all_rows(void **state);
void test_eps_rule_holds_from_any_start(void **state);
void test_both_rules_must_hold(void **state);
void test_limit_of_passes_and_steps_is_kept(void **state);
void test_monitor_stops_an_engine(void **state);
void test_measuring_changes_no_bit(void **state);
void test_known_optima_of_a9a(void **state);
void test_known_optimum_of_w8a(void **state);

/* All of them, for the list of a suite's tests. */
#define TESTS_OF_METHODS(solvers)                                                                  \
    cmocka_unit_test_prestate(test_problems_of_every_shape_and_scale_are_certified, solvers),      \
        cmocka_unit_test_prestate(test_even_problems_are_certified_to_1e_9, solvers),              \
        cmocka_unit_test_prestate(test_problems_that_once_stalled_are_certified, solvers),         \
        cmocka_unit_test_prestate(test_impossible_gap_ends_near_the_minimum, solvers),             \
        cmocka_unit_test_prestate(test_a_result_is_a_good_start, solvers),                         \
        cmocka_unit_test_prestate(test_path_over_costs_is_certified, solvers),                     \
        cmocka_unit_test_prestate(test_any_feasible_start_leads_there, solvers),                   \
        cmocka_unit_test_prestate(test_far_starts_of_badly_scaled_problems_lead_there, solvers),   \
        cmocka_unit_test_prestate(test_same_task_gives_the_same_bits, solvers),                    \
        cmocka_unit_test_prestate(test_problem_without_rows, solvers),                             \
        cmocka_unit_test_prestate(test_far_costs_end_in_the_truth, solvers),                       \
        cmocka_unit_test_prestate(test_eps_rule_holds_on_all_rows, solvers),                       \
        cmocka_unit_test_prestate(test_eps_rule_holds_from_any_start, solvers),                    \
        cmocka_unit_test_prestate(test_both_rules_must_hold, solvers),                             \
        cmocka_unit_test_prestate(test_limit_of_passes_and_steps_is_kept, solvers),                \
        cmocka_unit_test_prestate(test_monitor_stops_an_engine, solvers),                          \
        cmocka_unit_test_prestate(test_measuring_changes_no_bit, solvers),                         \
        cmocka_unit_test_prestate(test_known_optima_of_a9a, solvers),                              \
        cmocka_unit_test_prestate(test_known_optimum_of_w8a, solvers)

#endif
