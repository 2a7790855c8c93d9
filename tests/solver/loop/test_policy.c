/* test_policy.c - coordinate descent and the methods that take over: the certificate recomputed,
 * the minimum by another method, the order of the methods. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "large.h"
#include "methods.h"
#include "solver/loop/method.h"
#include "training.h"

/* ---- Handing over ------------------------------------------------------- */

/* If coordinate descent would need very many passes, a second-order method ends the training in few
 * steps, unless it is forbidden. */
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
        toy_train(&toy, &parameters, NULL, &answer);
        CHECK(&toy, answer.result.outcome == HINGE_CERTIFIED && answer.result.steps > 0);
        CHECK(&toy, strcmp(answer.result.method, k ? "newton" : "pnewton") == 0);
        together = answer.result.passes;
        parameters.single_method = 1;
        parameters.max_passes = 0;
        toy_train(&toy, &parameters, NULL, &answer);
        CHECK(&toy, answer.result.outcome == HINGE_CERTIFIED && answer.result.steps == 0);
        CHECK(&toy, !answer.result.method && answer.result.passes > 20 * together);
    }
}

/* A second-order method after coordinate descent also meets LIBLINEAR's rule. Some must take over.
 */
static void test_eps_rule_holds_behind_descent(void **state)
{
    static struct toy toy;
    int handed_over[2] = {0, 0};

    (void)state;
    for (int k = 0; k < 40; k++) {
        const struct hinge_parameters parameters = parameters_for(0, k % 4 < 2 ? 1e-2 : 1e-5);
        struct answer answer;

        toy_hard(&toy, k % 2 ? LOSS_SQUARED_HINGE : LOSS_HINGE, exp2(k / 4), 10);
        toy_train(&toy, &parameters, NULL, &answer);
        check_rule(&toy, &answer, parameters.eps);
        handed_over[k % 2] += answer.result.method && !answer.result.fallback;
    }
    assert_true(handed_over[0] > 5 && handed_over[1] > 5);
}

/* Newton's method may meet the rule at its start, before any step. Then that point and its result
 * are returned. */
static void test_rule_that_holds_at_the_hand_over(void **state)
{
    static const struct {
        unsigned long number;
        int exponent;
    } row[] = {{36, -10}, {63, -6},  {76, -3},   {161, -11}, {336, -9},
               {831, -6}, {931, -3}, {1031, -7}, {1911, -3}, {2082, -2}};
    static struct toy toy;

    (void)state;
    for (size_t k = 0; k < COUNT(row); k++) {
        const struct hinge_parameters parameters = parameters_for(0, pow(10, row[k].exponent));
        struct answer answer;

        (row[k].number % 2 ? toy_even : toy_any)(&toy, row[k].number, LOSS_HINGE);
        toy_train(&toy, &parameters, NULL, &answer);
        check_certificate(&toy, &answer);
        CHECK(&toy, answer.result.outcome == HINGE_CERTIFIED);
    }
}

/* ---- Which method when --------------------------------------------------- */

/* The passes and the steps of a training, one after the other, as a monitor sees them. */
enum { MOST_SEEN = 4096 };
struct diary {
    uint64_t seen;
    char step[MOST_SEEN]; /* [seen] 1: a step of a second-order method; 0: a pass */
    uint64_t visits[MOST_SEEN];
    uint64_t fallback; /* passes and steps before the fallback */
    struct hinge_progress last;
};

static enum hinge_answer write_down(void *context, const struct hinge_progress *progress)
{
    struct diary *diary = context;

    if (progress->passes > diary->last.passes) {
        assert_true(progress->passes == diary->last.passes + 1 && diary->seen < MOST_SEEN);
        diary->step[diary->seen] = progress->steps > diary->last.steps;
        diary->visits[diary->seen++] = progress->row_visits - diary->last.row_visits;
    }
    if (progress->fallback && !diary->fallback)
        diary->fallback = progress->passes;
    diary->last = *progress;
    return HINGE_GO_ON;
}

static size_t passes_behind_steps(const struct diary *diary)
{
    size_t count = 0;

    for (uint64_t k = 1; k < diary->seen; k++)
        count += diary->step[k - 1] && !diary->step[k];
    return count;
}

static struct hinge_result solve_and_write(struct large *large, int solver,
                                           const struct hinge_parameters *parameters,
                                           struct diary *diary)
{
    struct hinge_monitor monitor = {write_down, diary, NULL, 0};

    memset(diary, 0, sizeof *diary);
    return large_solve(large, solver, parameters, &monitor);
}

/* The logistic loss with more rows and features than a factor may have. Passes come first until the
 * gap is a small part of P. Newton's method ends with few steps what would take many passes. */
static void test_logistic_loss_of_many_features(void **state)
{
    enum { ROWS = 4200, IN_ROW = 10, STRIP = 480, FEWEST = 5, MOST = 16 };
    static struct large large;
    static struct diary diary;
    const struct hinge_parameters parameters = parameters_for(1e-3, 0);

    (void)state;
    for (int k = 8; k <= 16; k += 4) {
        struct hinge_result result;
        uint64_t passes = 0;

        large_draw(&large, 1, ROWS, IN_ROW, STRIP, exp2(k), LOSS_LOGISTIC, -1);
        result = solve_and_write(&large, 0, &parameters, &diary);
        while (passes < diary.seen && !diary.step[passes])
            passes++;
        assert_true(result.outcome == HINGE_CERTIFIED && large_is_true(&large, &result));
        assert_true(passes >= FEWEST && result.steps > 0 && result.passes <= MOST);
    }
}

/* Draws few rows of many features, with a large C. */
static void draw_wide(struct toy *toy, unsigned long number, enum loss loss)
{
    const struct draft draft = {ORDINARY, 1e4, 0, -1, 0, 10, loss};

    toy_draw(toy, &draft, number, 20, MOST_FEATURES);
}

/* With more features than rows, at least three steps on the free rows come between passes. Their
 * method has the name of Newton's method for the loss. */
static void test_free_rows_come_first_where_features_are_many(void **state)
{
    static struct toy toy;
    static struct diary diary;
    struct hinge_monitor monitor = {write_down, &diary, NULL, 0};
    size_t alternating[2] = {0, 0};

    (void)state;
    for (unsigned long number = 0; number < 400; number++) {
        const int is_hinge = number % 2;
        const struct hinge_parameters parameters = parameters_for(1e-8, 0);
        struct answer answer;
        uint64_t last = 0;

        draw_wide(&toy, number, is_hinge ? LOSS_HINGE : LOSS_SQUARED_HINGE);
        memset(&diary, 0, sizeof diary);
        toy_train(&toy, &parameters, &monitor, &answer);
        check_certificate(&toy, &answer);
        CHECK(&toy, answer.result.outcome == HINGE_CERTIFIED && !answer.result.fallback);
        CHECK(&toy, answer.result.steps == 0 ||
                        strcmp(answer.result.method, is_hinge ? "pnewton" : "newton") == 0);
        alternating[is_hinge] += passes_behind_steps(&diary) > 0;
        for (uint64_t k = 0; k < diary.seen; k++)
            if (diary.step[k]) {
                CHECK(&toy, last == 0 || k == last + 1 || k > last + 3);
                last = k;
            }
    }
    assert_true(alternating[0] > 100 && alternating[1] > 100);
}

/* With few features, many rows and C not small, there is no pass, except if few passes are allowed.
 */
static void test_newton_comes_first_where_it_starts_at_a_part(void **state)
{
    static const struct {
        uint64_t most;
        double C;
        int first;
    } row[] = {{0, 10, 1}, {101, 10, 1}, {100, 10, 0}, {1, 10, 0}, {0, 0.1, 0}};
    static struct large large;
    static struct diary diary;

    (void)state;
    for (size_t k = 0; k < 2 * COUNT(row); k++) {
        struct hinge_parameters parameters = parameters_for(1e-9, 0);
        struct hinge_result result;

        large_draw(&large, 5, 1500, 5, 1, row[k / 2].C, k % 2 ? LOSS_HINGE : LOSS_SQUARED_HINGE,
                   -1);
        parameters.max_passes = row[k / 2].most;
        result = solve_and_write(&large, k % 2 ? 3 : 1, &parameters, &diary);
        assert_true(large_is_true(&large, &result));
        assert_int_equal(diary.step[0], row[k / 2].first);
        assert_true(!row[k / 2].first || result.steps == result.passes);
    }
}

static void test_warm_start_begins_with_passes(void **state)
{
    static struct large large;
    static struct diary diary;
    struct hinge_parameters parameters = parameters_for(1e-2, 0);
    struct hinge_monitor monitor = {write_down, &diary, NULL, 0};
    struct hinge_error error;
    struct hinge_result result;
    struct task task = {.problem = &large.problem,
                        .solver = solver_find(3),
                        .parameters = &parameters,
                        .problems = 1,
                        .alpha = large.alpha,
                        .w = large.w};

    (void)state;
    large_draw(&large, 5, 1500, 5, 1, 10, LOSS_HINGE, -1);
    assert_non_null(task.workspace = workspace_new(&error));
    assert_int_equal(solver_train(&task, &result, &error), HINGE_OK);
    assert_int_equal(result.steps, result.passes);
    task.monitor = &monitor;
    parameters.relative_gap = 1e-9;
    assert_int_equal(solver_train(&task, &result, &error), HINGE_OK);
    workspace_free(task.workspace);
    assert_true(diary.seen > 0 && !diary.step[0]);
    assert_int_equal(result.outcome, HINGE_CERTIFIED);
}

/* With single_method, no other method runs before or after coordinate descent. */
static void test_plain_training_never_changes_over(void **state)
{
    static struct large large;
    static struct toy toy;

    (void)state;
    for (int k = 0; k < 6; k++) {
        struct hinge_parameters parameters = plain_parameters_for(1e-9, k % 3 ? 0 : 1e-6);
        struct answer answer;
        struct hinge_result result;

        parameters.max_passes = 2000;
        toy_hard(&toy, k % 2 ? LOSS_HINGE : LOSS_SQUARED_HINGE, 1e4, 10);
        toy_train(&toy, &parameters, NULL, &answer);
        check_certificate(&toy, &answer);
        CHECK(&toy, answer.result.steps == 0 && !answer.result.method && !answer.result.fallback);
        parameters.single_method = 0;
        toy_train(&toy, &parameters, NULL, &answer);
        CHECK(&toy, answer.result.steps > 0); /* without single_method a method takes over */
        parameters.single_method = 1;
        large_draw(&large, 5, 1500, 5, 1, 10, k % 2 ? LOSS_HINGE : LOSS_SQUARED_HINGE, -1);
        result = large_solve(&large, k % 2 ? 3 : 1, &parameters, NULL);
        assert_true(large_is_true(&large, &result));
        assert_true(result.steps == 0 && !result.method && !result.fallback);
    }
}

/* With more features than rows, a solver of Newton's method makes passes first, except with
 * single_method or given weights. Passes do not know its rule of -e, but it holds all the same. */
static void test_passes_come_first_where_features_are_many(void **state)
{
    static struct toy toy;
    size_t with_passes = 0, with_both = 0;

    (void)state;
    for (unsigned long number = 0; number < 400; number++) {
        const double eps = number % 3 ? 1e-2 : 1e-4;
        const struct hinge_parameters parameters = parameters_for(0, eps);
        struct answer answer;
        int wide;

        toy_even(&toy, number, number / 2 % 2 ? LOSS_SQUARED_HINGE : LOSS_LOGISTIC);
        toy.solver = number / 2 % 2 ? 2 : 0;
        wide = toy.width > toy.m && number % 2 == 0;
        toy_train(&toy, &parameters, NULL, &answer);
        check_rule(&toy, &answer, eps);
        CHECK(&toy, wide || answer.result.steps == answer.result.passes);
        with_passes += answer.result.passes > answer.result.steps;
        with_both += answer.result.passes > answer.result.steps && answer.result.steps > 0;
    }
    assert_true(with_passes > 20 && with_both > 5);
}

/* ---- Failure ------------------------------------------------------------- */

/* At a C that rounding errors make hopeless, every second-order method stalls. The passes after it
 * are judged without the last pass before it, so the first of them covers all rows. At most ten
 * times the passes so far, plus 1000, may follow. */
static void test_passes_behind_a_failure_are_judged_by_themselves(void **state)
{
    static struct diary diary;
    const struct hinge_format format = {0};
    const char *path = data_path("breast-cancer");
    struct hinge_monitor monitor = {write_down, &diary, NULL, 0};
    struct hinge_dataset *data;
    struct hinge_error error;

    (void)state;
    if (!path)
        skip();
    assert_non_null(data = hinge_dataset_read(path, &format, &error));
    for (int solver = 1; solver <= 3; solver += 2) {
        struct hinge_parameters parameters = parameters_for(1e-3, 0);
        struct hinge_model *model;

        parameters.solver = solver;
        parameters.C = 1e30;
        memset(&diary, 0, sizeof diary);
        assert_non_null(model = hinge_train(data, &parameters, &monitor, &error));
        assert_int_equal(model->result->outcome, HINGE_STALLED);
        assert_string_equal(model->result->fallback, "a second-order method stalled");
        assert_string_equal(model->result->method, solver == 1 ? "newton" : "ipm");
        assert_true(diary.fallback > 100); /* Newton's method stalls late */
        assert_true(diary.step[diary.fallback - 1] && !diary.step[diary.fallback]);
        assert_true(diary.visits[diary.fallback] > 0);
        assert_true(model->result->passes >= diary.fallback + 2);
        assert_true(model->result->passes <= 10 * diary.fallback + 1000);
        for (uint64_t k = diary.fallback; k < diary.seen; k++)
            assert_int_equal(diary.step[k], 0);
        hinge_model_free(model);
    }
    hinge_dataset_free(data);
}

/* ---- What is left for the next C ----------------------------------------- */

/* Trains for R = |w|_1, with room for the sums that a training leaves. */
static void train_and_leave(const struct toy *toy, const struct hinge_parameters *parameters,
                            struct last_point *last, struct answer *answer)
{
    static double rows[3][MOST_ROWS], widths[MOST_WIDTH];
    struct task task = task_for(toy, parameters, NULL, answer);
    struct hinge_error error;

    memset(answer, 0, sizeof *answer);
    *last =
        (struct last_point){.margin = rows[0], .slope = rows[1], .curvature = rows[2], .v = widths};
    task.last = last;
    assert_non_null(task.workspace = workspace_new(&error));
    CHECK(toy, solver_train(&task, &answer->result, &error) == HINGE_OK);
    workspace_free(task.workspace);
}

/* Proximal Newton steps leave their margins and sums if they were the last steps. They leave none
 * if the interior-point method took over, even if they came as near as rounding errors allow. */
static void test_what_is_left_is_of_the_last_method(void **state)
{
    static struct toy toy;
    const unsigned long all = repeats(200, 60);
    size_t left = 0, taken_over = 0;

    (void)state;
    for (unsigned long number = 0; number < all; number++) {
        const double C = number % 2 ? 1e6 : 1;
        const struct draft draft = {ORDINARY, C, 0, -1, 0, 1e3, LOSS_SQUARED_HINGE};
        struct hinge_parameters parameters = parameters_for(C > 1 ? 1e-12 : 1e-6, 0);
        struct last_point last;
        struct answer answer;

        toy_draw(&toy, &draft, number, MOST_ROWS, 8);
        toy.solver = 5;
        toy.problem.l1 = toy.problem.only_l1 = 1;
        parameters.max_passes = 400;
        train_and_leave(&toy, &parameters, &last, &answer);
        if (strcmp(answer.result.method, "newton") == 0) {
            left += last.C == C;
        } else if (!answer.result.fallback) {
            CHECK(&toy, last.C == 0);
            taken_over++;
        }
    }
    assert_true(left > all / 4 && taken_over > all / 10);
}

/* ---- Larger problems ----------------------------------------------------- */

/* Checks the first methods: with 4000 rows or more, and C not small, the training starts at the
 * solution of a part of the rows, without a pass. */
static void check_beginning(const struct large *large, unsigned long number, int solver,
                            const struct hinge_result *result)
{
    const int descends =
        solver_find(solver)->info.descends && solver_find(solver)->method != METHOD_NEWTON;
    const int at_once = number % 4 == 0 && number / 2 % 5 > 1;
    const int small = large->problem.rows < 4000 || number / 2 % 5 < 1;

    if (descends && at_once)
        assert_true(result->method && result->steps == result->passes);
    if (descends && small)
        assert_true(result->passes > result->steps);
}

/* Checks that the minimum lies between all -D and all P that several methods find. */
static void check_large(struct large *large, unsigned long number, int solver, int plain,
                        struct bracket *bracket)
{
    struct hinge_parameters parameters = parameters_for(plain ? 1e-3 : 1e-9, 0);
    struct hinge_result result;

    parameters.single_method = plain;
    result = large_solve(large, solver, &parameters, NULL);
    if (!plain)
        check_beginning(large, number, solver, &result);
    bracket->lower = fmax(bracket->lower, -large_dual(large));
    bracket->upper = fmin(bracket->upper, large_primal(large));
    if (!large_is_true(large, &result) || result.outcome != HINGE_CERTIFIED ||
        !(result.relative_gap <= parameters.relative_gap) ||
        !(bracket->lower <= bracket->upper * (1 + 1e-12)))
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
            if (number / 2 % 5 < 3) /* C up to 2: coordinate descent alone is certified */
                check_large(&large, number, loss == LOSS_HINGE ? 3 : 1, 1, &bracket);
        }
}

/* If visits are expensive, as for the logistic loss, and Newton steps are cheap, Newton's method
 * comes before any pass. This holds at a small C, too, and if a part of the rows would not pay. It
 * does not hold with many features, nor with --plain. */
static void test_newton_comes_first_where_the_loss_is_curved(void **state)
{
    static const struct {
        size_t strip; /* a fifth of the number of features */
        double C;
        int first;
    } row[] = {{1, 1e-4, 1}, {1, 1, 1}, {8, 1e-4, 1}, {8, 1, 1}, {200, 1e-4, 0}, {200, 1, 0}};
    static struct large large;

    (void)state;
    for (size_t k = 0; k < 2 * COUNT(row); k++) {
        struct hinge_parameters parameters = parameters_for(1e-6, 0);
        const size_t r = k / 2;
        struct hinge_result result;

        parameters.single_method = k % 2;
        large_draw(&large, 7, 1500, 5, row[r].strip, row[r].C, LOSS_LOGISTIC, -1);
        result = large_solve(&large, 7, &parameters, NULL);
        assert_int_equal(result.outcome, HINGE_CERTIFIED);
        assert_true(large_is_true(&large, &result));
        if (k % 2)
            assert_true(!result.method && result.steps == 0);
        else
            assert_int_equal(result.steps == result.passes && result.method, row[r].first);
    }
}

/* With more features than a factor may have, and many more rows than features, Newton's method
 * takes over early, and no pass comes between its steps. */
static void test_newton_takes_over_where_rows_are_many_more_than_features(void **state)
{
    static const struct {
        enum loss loss;
        int solver;
    } row[] = {{LOSS_SQUARED_HINGE, 1}, {LOSS_SQUARED_HINGE, 2}, {LOSS_LOGISTIC, 7}};
    static struct large large;
    static struct diary diary;

    (void)state;
    for (size_t k = 0; k < COUNT(row); k++) {
        const struct hinge_parameters parameters = parameters_for(1e-6, 0);
        struct hinge_result result;

        large_draw(&large, 11, LARGE_ROWS, 5, 1000, 1000, row[k].loss, -1);
        result = solve_and_write(&large, row[k].solver, &parameters, &diary);
        assert_true(large_is_true(&large, &result) && result.outcome == HINGE_CERTIFIED);
        assert_true(result.method && passes_behind_steps(&diary) == 0);
        assert_true(result.passes - result.steps < 20);
    }
}

/* If Newton's method must meet the rule about the gradient, the passes before it end when they are
 * near. Passes do not know this rule, so they would continue down to rounding errors. */
static void test_passes_end_near_the_rule_of_the_gradient(void **state)
{
    static struct large large;
    static struct diary diary;

    (void)state;
    for (int k = 0; k < 6; k++) {
        const struct hinge_parameters parameters = parameters_for(0, k % 2 ? 1e-2 : 1e-4);
        struct hinge_result result;
        uint64_t passes = 0;

        large_draw(&large, 7, 300, 5, 200 + 200 * ((size_t)k / 2 % 2), k < 4 ? 1 : 64,
                   LOSS_LOGISTIC, -1);
        result = solve_and_write(&large, 0, &parameters, &diary);
        assert_true(large_is_true(&large, &result));
        while (passes < diary.seen && !diary.step[passes])
            passes++;
        assert_true(passes > 0 && passes <= 30);
    }
}

int main(void)
{
    static int solvers[] = {3, 1, 7, -1};
    const struct CMUnitTest tests[] = {
        TESTS_OF_METHODS(solvers),
        cmocka_unit_test(test_logistic_loss_of_many_features),
        cmocka_unit_test(test_slow_descent_is_handed_over),
        cmocka_unit_test(test_eps_rule_holds_behind_descent),
        cmocka_unit_test(test_free_rows_come_first_where_features_are_many),
        cmocka_unit_test(test_newton_comes_first_where_it_starts_at_a_part),
        cmocka_unit_test(test_warm_start_begins_with_passes),
        cmocka_unit_test(test_passes_come_first_where_features_are_many),
        cmocka_unit_test(test_newton_takes_over_where_rows_are_many_more_than_features),
        cmocka_unit_test(test_passes_end_near_the_rule_of_the_gradient),
        cmocka_unit_test(test_plain_training_never_changes_over),
        cmocka_unit_test(test_passes_behind_a_failure_are_judged_by_themselves),
        cmocka_unit_test(test_rule_that_holds_at_the_hand_over),
        cmocka_unit_test(test_what_is_left_is_of_the_last_method),
        cmocka_unit_test(test_larger_problems_are_certified),
        cmocka_unit_test(test_newton_comes_first_where_the_loss_is_curved),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
