/* test_subsample.c - the rules by which Newton's method starts at the solution of a part of the
 * rows, the point at which it starts, and monitors that stop it there. */
#include "solver/loop/method.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "large.h"
#include "solver/loop/loop.h"
#include "training.h"

/* A training of a large problem that has not begun. */
struct bench {
    struct hinge_parameters parameters;
    struct task task;
    struct training training;
};

static void bench_new(struct bench *bench, struct large *large, const struct hinge_monitor *monitor)
{
    bench->parameters = parameters_for(1e-3, 0);
    bench->task = (struct task){.problem = &large->problem,
                                .solver = solver_find(large->problem.loss == LOSS_HINGE ? 3 : 1),
                                .parameters = &bench->parameters,
                                .monitor = monitor,
                                .problems = 1,
                                .positive = 1,
                                .alpha = large->alpha,
                                .w = large->w};
    bench->training = (struct training){.train_part = driver_train_part,
                                        .task = &bench->task,
                                        .problem = &large->problem,
                                        .parameters = &bench->parameters,
                                        .rows = large->problem.rows,
                                        .width = problem_width(&large->problem),
                                        .point.w = large->w,
                                        .point.alpha = large->alpha,
                                        .progress = progress_new(&bench->task)};
    memset(large->alpha, 0, sizeof large->alpha);
}

static void draw_five(struct large *large, size_t rows, double C, enum loss loss)
{
    large_draw(large, 7 + rows, rows, 5, 1, C, loss, -1);
}

/* ---- Rules for a start at a part ---------------------------------------- */

/* A part, one row of 16, must have 15 rows for each feature. */
static void test_part_needs_many_rows(void **state)
{
    static struct large large;
    struct bench bench;
    double mu = 0;

    (void)state;
    draw_five(&large, 16 * 15 * 5 - 1, 100, LOSS_HINGE);
    bench_new(&bench, &large, NULL);
    assert_int_equal(subsample_pays(&bench.training), 0);
    assert_null(subsample_solve(&bench.training, &mu));
    draw_five(&large, 16 * 15 * 5, 100, LOSS_HINGE);
    bench_new(&bench, &large, NULL);
    assert_int_equal(subsample_pays(&bench.training), 1);
    large.problem.bias_kind = BIAS_REGULARISED; /* a sixth feature */
    bench_new(&bench, &large, NULL);
    assert_int_equal(subsample_pays(&bench.training), 0);
    assert_null(subsample_solve(&bench.training, &mu));
}

/* C |x|^2 is about 5/3 C. Passes are many if it is above 1, or with a smooth loss above 1/4. */
static void test_part_pays_where_c_is_not_small(void **state)
{
    static const struct {
        enum loss loss;
        double few, many;
    } pays[] = {{LOSS_HINGE, 0.3, 0.7}, {LOSS_SQUARED_HINGE, 0.3 / 4, 0.7 / 4}};
    static struct large large;
    struct bench bench;

    (void)state;
    for (size_t k = 0; k < COUNT(pays); k++) {
        draw_five(&large, 4000, pays[k].few, pays[k].loss);
        bench_new(&bench, &large, NULL);
        assert_int_equal(subsample_pays(&bench.training), 0);
        draw_five(&large, 4000, pays[k].many, pays[k].loss);
        bench_new(&bench, &large, NULL);
        assert_int_equal(subsample_pays(&bench.training), 1);
    }
}

/* A training that is near the minimum starts at its own point, which is nearer than a part's
 * solution. */
static void test_near_training_starts_where_it_is(void **state)
{
    static struct large large;
    struct bench bench;
    double mu = 0, *w;

    (void)state;
    draw_five(&large, 1500, 100, LOSS_HINGE);
    bench_new(&bench, &large, NULL);
    bench.training.progress.relative_gap = 0.019;
    assert_null(subsample_solve(&bench.training, &mu));
    bench.training.progress.relative_gap = 0.021;
    assert_non_null(w = subsample_solve(&bench.training, &mu));
    free(w);
    bench.training.progress.relative_gap = NAN; /* not measured: a part only at alpha = 0 */
    large.alpha[1499] = 1e-9;
    assert_null(subsample_solve(&bench.training, &mu));
    large.alpha[1499] = 0;
    assert_non_null(w = subsample_solve(&bench.training, &mu));
    free(w);
}

/* ---- The solution of a part ---------------------------------------------- */

static double primal_at(struct large *large, const double *w)
{
    memcpy(large->w, w, problem_width(&large->problem) * sizeof *w);
    return large_primal(large);
}

/* The solution on a part of the rows is near the minimum over all rows, also if |w|^2 is a large
 * part of P. Each row of the part stands for sixteen. */
static void test_solution_of_the_part_is_near(void **state)
{
    static struct large large;

    (void)state;
    for (int k = 0; k < 2 * 4; k++) {
        const enum loss loss = k % 2 ? LOSS_HINGE : LOSS_SQUARED_HINGE;
        const struct hinge_parameters all = parameters_for(1e-6, 0);
        struct hinge_result best;
        struct bench bench;
        double mu = 0, *w;

        draw_five(&large, k < 4 ? 1500 : 4000, exp2(4 * (k / 2 % 2) - 8), loss);
        best = large_solve(&large, loss == LOSS_HINGE ? 3 : 1, &all, NULL);
        bench_new(&bench, &large, NULL);
        assert_non_null(w = subsample_solve(&bench.training, &mu));
        assert_true(primal_at(&large, w) <= 1.15 * best.primal);
        assert_true(primal_at(&large, w) >= -best.dual * (1 - 1e-12));
        assert_int_equal(mu > 0, loss == LOSS_HINGE);
        assert_true(bench.training.progress.passes == 0 && bench.training.progress.steps == 0);
        free(w);
    }
}

/* A part is solved as exactly as it is useful, for any rule of the training and any limit of
 * passes. */
static void test_part_is_solved_as_far_as_it_serves(void **state)
{
    static struct large large;
    double *w[4];

    (void)state;
    for (int loss = LOSS_HINGE; loss <= LOSS_SQUARED_HINGE; loss++) {
        draw_five(&large, 1500, 10, (enum loss)loss);
        for (size_t k = 0; k < COUNT(w); k++) {
            struct bench bench;
            double mu = 0;

            bench_new(&bench, &large, NULL);
            bench.parameters.relative_gap = k == 1 ? 1e-9 : k == 2 ? 0 : 1e-3;
            bench.parameters.eps = k == 2 ? 1e-9 : 0;
            bench.parameters.max_passes = k == 3 ? 1 : 0;
            assert_non_null(w[k] = subsample_solve(&bench.training, &mu));
            assert_memory_equal(w[k], w[0], 5 * sizeof **w);
        }
        for (size_t k = 0; k < COUNT(w); k++)
            free(w[k]);
    }
}

static void test_seed_chooses_the_part(void **state)
{
    static struct large large;
    double *w[3];

    (void)state;
    draw_five(&large, 1500, 10, LOSS_HINGE);
    for (size_t k = 0; k < COUNT(w); k++) {
        struct bench bench;
        double mu = 0;

        bench_new(&bench, &large, NULL);
        bench.parameters.seed = 1 + k / 2;
        assert_non_null(w[k] = subsample_solve(&bench.training, &mu));
    }
    assert_memory_equal(w[0], w[1], 5 * sizeof **w);
    assert_memory_not_equal(w[0], w[2], 5 * sizeof **w);
    for (size_t k = 0; k < COUNT(w); k++)
        free(w[k]);
}

/* ---- Monitors ----------------------------------------------------------- */

/* A monitor that gives the answer from the call of this number on. */
struct stopper {
    uint64_t at;
    enum hinge_answer answer;
    uint64_t calls;
    uint64_t calls_at_start; /* calls before any pass or step over all rows */
    uint64_t calls_after;    /* calls from the answer on */
    uint32_t rows;
};

static enum hinge_answer stop(void *context, const struct hinge_progress *progress)
{
    struct stopper *stopper = context;

    assert_int_equal(progress->rows, stopper->rows); /* all rows, not those of the part */
    stopper->calls++;
    stopper->calls_at_start += progress->passes == 0;
    if (stopper->calls <= stopper->at)
        return HINGE_GO_ON;
    stopper->calls_after++;
    return stopper->answer;
}

/* A training that is stopped anywhere in its start at a part ends before its first step over all
 * rows, and asks at most three times more. */
static void check_stops(struct large *large, int solver, enum hinge_answer answer)
{
    const struct hinge_parameters parameters = parameters_for(1e-9, 0);
    struct stopper whole = {.at = UINT64_MAX, .rows = large->problem.rows};
    struct hinge_monitor monitor = {stop, &whole, NULL, 0};
    struct hinge_result result = large_solve(large, solver, &parameters, &monitor);

    assert_int_equal(result.outcome, HINGE_CERTIFIED);
    assert_int_equal(result.passes, result.steps); /* the training began at a part */
    assert_true(whole.calls_at_start >= 3);        /* the part, its last call, the training */
    for (uint64_t at = 0; at < whole.calls_at_start; at++) {
        struct stopper stopper = {.at = at, .answer = answer, .rows = large->problem.rows};

        monitor.context = &stopper;
        result = large_solve(large, solver, &parameters, &monitor);
        assert_int_equal(result.outcome,
                         answer == HINGE_INTERRUPT ? HINGE_INTERRUPTED : HINGE_TIME_LIMIT);
        assert_int_equal(result.passes, 0);
        assert_int_equal(stopper.calls_after, stopper.calls - at);
        assert_true(stopper.calls_after <= 4); /* also the last calls of parts and training */
        assert_true(large_is_true(large, &result));
    }
}

static void test_monitor_stops_the_start_at_a_part(void **state)
{
    static struct large large;

    (void)state;
    for (int k = 0; k < 2; k++) {
        draw_five(&large, 1500, 10, k ? LOSS_HINGE : LOSS_SQUARED_HINGE);
        check_stops(&large, k ? 3 : 1, HINGE_INTERRUPT);
        check_stops(&large, k ? 3 : 1, HINGE_OUT_OF_TIME);
        check_stops(&large, k ? 61 : 2, HINGE_INTERRUPT);
    }
}

static void test_measuring_during_the_start_changes_no_bit(void **state)
{
    static struct large alone, measured;
    const struct hinge_parameters parameters = parameters_for(1e-9, 0);
    struct stopper always = {.at = 0, .answer = HINGE_MEASURE, .rows = 1500};
    struct hinge_monitor monitor = {stop, &always, NULL, 0};

    (void)state;
    for (int k = 0; k < 2; k++) {
        const int solver = k ? 3 : 1;

        draw_five(&alone, 1500, 10, k ? LOSS_HINGE : LOSS_SQUARED_HINGE);
        draw_five(&measured, 1500, 10, k ? LOSS_HINGE : LOSS_SQUARED_HINGE);
        large_solve(&alone, solver, &parameters, NULL);
        large_solve(&measured, solver, &parameters, &monitor);
        assert_memory_equal(alone.w, measured.w, 5 * sizeof *alone.w);
        assert_memory_equal(alone.alpha, measured.alpha, sizeof alone.alpha);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_part_needs_many_rows),
        cmocka_unit_test(test_part_pays_where_c_is_not_small),
        cmocka_unit_test(test_near_training_starts_where_it_is),
        cmocka_unit_test(test_solution_of_the_part_is_near),
        cmocka_unit_test(test_part_is_solved_as_far_as_it_serves),
        cmocka_unit_test(test_seed_chooses_the_part),
        cmocka_unit_test(test_monitor_stops_the_start_at_a_part),
        cmocka_unit_test(test_measuring_during_the_start_changes_no_bit),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
