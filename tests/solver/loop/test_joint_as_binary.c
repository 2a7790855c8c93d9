/* test_joint_as_binary.c - compares two classes by signs with steps on both columns, and checks
 * what monitors see. */
#include "solver/loop/loop.h"

#include <math.h>
#include <string.h>

#include "class_toy.h"
#include "support.h"

enum { COLUMNS = 2, WIDTH = (TOY_FEATURES + 1) * COLUMNS };

/* A toy of two classes as a task. */
struct two {
    struct class_toy toy;
    uint32_t row[TOY_ROWS], class_of[TOY_ROWS];
    double cost[TOY_ROWS], alpha[TOY_ROWS * COLUMNS], w[WIDTH];
    struct problem problem;
    struct task task;
};

static void draw(struct two *two, int solver, unsigned long number)
{
    static const double label[COLUMNS] = {-1, 0};
    struct class_toy *toy = &two->toy;

    memset(two, 0, sizeof *two);
    class_toy_draw(toy, solver, number);
    toy->parameters.C = fmin(toy->parameters.C, 1e4);
    for (uint32_t i = 0; i < toy->rows; i++) {
        const uint32_t k = two->problem.rows;

        two->row[k] = i;
        two->class_of[k] = toy->label[i] >= 0;
        two->cost[k] = toy->parameters.C * (toy->parameters.weights > 0 ? toy->row_weight[i] : 1);
        two->problem.rows += two->cost[k] > 0; /* rows without a cost are left out */
    }
    two->problem.data = &toy->data;
    two->problem.row = two->row;
    two->problem.class_of = two->class_of;
    two->problem.cost = two->cost;
    two->problem.classes = COLUMNS;
    two->problem.loss = solver_find(solver)->loss;
    two->problem.bias = toy->parameters.bias;
    two->problem.bias_kind = solver_bias_kind(solver_find(solver), &toy->parameters);
    two->task = (struct task){.problem = &two->problem,
                              .solver = solver_find(solver),
                              .parameters = &toy->parameters,
                              .problems = 1,
                              .positive = label[0],
                              .label = label,
                              .alpha = two->alpha,
                              .w = two->w};
}

static struct hinge_result train(struct two *two, int by_signs)
{
    struct hinge_error error;
    struct hinge_result result;
    struct solver on_columns = *two->task.solver;
    struct task task = two->task;

    on_columns.of_two = on_columns.info.number;
    if (!by_signs)
        task.solver = &on_columns;
    assert_non_null(task.workspace = workspace_new(&error));
    assert_int_equal(solver_train(&task, &result, &error), HINGE_OK);
    workspace_free(task.workspace);
    return result;
}

/* Checks that columns and dual variables are opposite, and dual variables within their costs. */
static void check_halves(const struct two *two)
{
    for (size_t j = 0; j < problem_width(&two->problem); j += COLUMNS)
        assert_true(two->w[j] == -two->w[j + 1]);
    for (uint32_t i = 0; i < two->problem.rows; i++) {
        const double *a = two->alpha + (size_t)i * COLUMNS;

        assert_true(a[0] == -a[1]);
        assert_true(a[two->class_of[i]] >= 0 && a[two->class_of[i]] <= two->cost[i]);
    }
}

static void test_both_ways_end_at_one_minimum(void **state)
{
    static const int solvers[] = {CRAMMER_SINGER, SOFTMAX};
    static struct two signs, both;
    size_t compared = 0;

    (void)state;
    for (size_t s = 0; s < COUNT(solvers); s++)
        for (unsigned long number = 0; number < 240; number++) {
            const double gap = 1e-8;
            struct hinge_result by_signs, by_both;
            double distance = 0;

            draw(&signs, solvers[s], number);
            draw(&both, solvers[s], number);
            signs.toy.parameters.relative_gap = both.toy.parameters.relative_gap = gap;
            both.toy.parameters.max_passes = 20000;
            by_signs = train(&signs, 1);
            by_both = train(&both, 0);
            check_halves(&signs);
            assert_int_equal(by_signs.outcome, HINGE_CERTIFIED);
            if (by_both.outcome != HINGE_CERTIFIED)
                continue;
            compared++;
            assert_true(-by_signs.dual <= by_both.primal && -by_both.dual <= by_signs.primal);
            assert_true(fabs(by_signs.primal - by_both.primal) <= 1.1 * gap * by_both.primal);
            for (size_t j = 0; j < problem_penalised(&signs.problem); j++)
                distance += pow(signs.w[j] - both.w[j], 2);
            /* |w - w*|^2 / 2 <= P(w) - P(w*) */
            assert_true(distance <= 8.1 * gap * by_both.primal);
        }
    assert_true(compared > 400);
}

/* A training that starts from its own dual point has almost nothing left to do. Its weights alone
 * save less. */
static void test_it_goes_on_where_it_ended(void **state)
{
    static struct two two, again;
    uint64_t passes = 0, from_weights = 0;

    (void)state;
    for (unsigned long number = 0; number < 192; number++) {
        const int solver = number % 2 ? CRAMMER_SINGER : SOFTMAX, by_alpha = number % 4 < 2;
        struct hinge_result before, result;

        draw(&two, solver, number / 2);
        two.toy.parameters.relative_gap = 1e-6;
        before = train(&two, 1);
        assert_int_equal(before.outcome, HINGE_CERTIFIED);
        draw(&again, solver, number / 2);
        again.toy.parameters.relative_gap = 2e-6;
        again.task.bias = two.w[problem_width(&two.problem) - 1];
        if (by_alpha)
            memcpy(again.alpha, two.alpha, sizeof two.alpha);
        else
            again.task.start = two.w;
        result = train(&again, 1);
        assert_int_equal(result.outcome, HINGE_CERTIFIED);
        assert_true(!by_alpha || result.passes <= 2);
        passes += by_alpha ? 0 : before.passes;
        from_weights += by_alpha ? 0 : result.passes;
    }
    assert_true(3 * from_weights < 2 * passes);
}

/* The task's bias belongs to the second column. */
static void test_a_free_bias_starts_where_it_was(void **state)
{
    static struct two two, again;
    uint64_t passes[2] = {0}; /* started at 0, started at the solution */

    (void)state;
    for (unsigned long number = 0; number < 240; number++) {
        draw(&two, SOFTMAX, number);
        if (two.problem.bias_kind != BIAS_FREE)
            continue;
        two.toy.parameters.relative_gap = 1e-6;
        assert_int_equal(train(&two, 1).outcome, HINGE_CERTIFIED);
        for (int k = 0; k < 2; k++) {
            draw(&again, SOFTMAX, number);
            again.toy.parameters.relative_gap = 2e-6;
            again.task.bias = k * two.w[problem_width(&two.problem) - 1];
            memcpy(again.alpha, two.alpha, sizeof two.alpha);
            passes[k] += train(&again, 1).passes;
        }
    }
    assert_true(3 * passes[1] < passes[0]);
}

/* ---- Monitors ------------------------------------------------------------ */

struct seen {
    const struct two *two;
    unsigned long asked, measured, last, stop; /* stop: number of the question; 0: never */
    struct hinge_progress end;                 /* its w and result must not be read */
    double w[WIDTH];
};

static enum hinge_answer look(void *context, const struct hinge_progress *progress)
{
    struct seen *seen = context;

    seen->asked++;
    assert_int_equal(progress->outputs, COLUMNS);
    assert_ptr_equal(progress->label, seen->two->task.label);
    assert_true(progress->positive == seen->two->task.positive);
    assert_int_equal(progress->rows, seen->two->problem.rows);
    if (progress->measured) {
        seen->measured++;
        seen->end = *progress;
        memcpy(seen->w, progress->w, problem_width(&seen->two->problem) * sizeof *seen->w);
    }
    if (progress->last) {
        seen->last++;
        assert_true(progress->result->primal == progress->primal);
        assert_true(progress->result->dual == progress->dual);
        assert_int_equal(progress->result->nonzeros, progress->nonzeros);
    }
    return seen->asked == seen->stop ? HINGE_INTERRUPT : HINGE_MEASURE;
}

static void test_monitors_see_both_columns(void **state)
{
    static struct two two;
    unsigned long stopped = 0, between = 0;

    (void)state;
    for (unsigned long number = 0; number < 96; number++) {
        struct seen first = {.two = &two}, second = {.two = &two, .stop = number / 8};
        struct hinge_monitor last = {look, &second, NULL, HINGE_BETWEEN};
        const struct hinge_monitor monitor = {look, &first, &last, 0};
        struct hinge_result result;
        size_t nonzeros = 0;

        draw(&two, number % 2 ? CRAMMER_SINGER : SOFTMAX, number);
        two.task.monitor = &monitor;
        result = train(&two, 1);
        check_halves(&two);
        assert_int_equal(first.last, 1);
        assert_int_equal(second.last, 1);
        assert_true(second.asked >= first.asked && first.measured > 0);
        assert_true(first.end.primal == result.primal && first.end.dual == result.dual);
        assert_true(first.end.relative_gap == result.relative_gap);
        assert_memory_equal(first.w, two.w, problem_width(&two.problem) * sizeof *two.w);
        for (size_t j = 0; j < problem_width(&two.problem); j++)
            nonzeros += two.w[j] != 0;
        assert_int_equal(result.nonzeros, nonzeros);
        stopped += result.outcome == HINGE_INTERRUPTED;
        between += second.asked - first.asked;
    }
    assert_true(stopped > 10 && between > 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_both_ways_end_at_one_minimum),
        cmocka_unit_test(test_it_goes_on_where_it_ended),
        cmocka_unit_test(test_a_free_bias_starts_where_it_was),
        cmocka_unit_test(test_monitors_see_both_columns),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
