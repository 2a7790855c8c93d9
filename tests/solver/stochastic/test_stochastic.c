/* test_stochastic.c - compares the stochastic solvers with dense loops of the papers' formulas;
 * starts from models, checkpoints, stop rules, convergence. */
#include "solver/stochastic/stochastic.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "dense_run.h"

/* ---- The papers' loops --------------------------------------------------- */

static void test_dense_loop_agrees(void **state)
{
    const int *solver = *state;

    for (int variant = 0; variant < VARIANTS; variant++) {
        struct dense_problem *toy = variant_toy(variant);

        free(check_outputs(toy, variant_parameters(*solver, variant, 5000)).w);
        dense_problem_free(toy);
    }
}

/* One row, one feature, rows without features, no non-zero. */
static void test_small_shapes_agree(void **state)
{
    static const struct dense_draft shapes[] = {
        {1, 5, 2, 1, -1, 0, 0, 3},    {1, 1, 40, 2, 0.5, 0, 0, 4}, {9, 1, 40, 1, -1, 0, 0.3, 5},
        {30, 8, 1, 1, -1, 0.5, 0, 6}, {30, 8, 1, 1, 1, 0.5, 0, 7}, {5, 0, 0, 1, -1, 0, 0, 8},
        {5, 0, 0, 1, 2, 0, 0, 9},     {4, 3, 0, 1, -1, 1, 0, 10},  {2, 60, 0.9, 1, 1, 0, 0, 11}};

    (void)state;
    for (size_t shape = 0; shape < sizeof shapes / sizeof *shapes; shape++) {
        struct dense_problem *toy = dense_problem_new(&shapes[shape]);

        for (int s = 0; s < SOLVERS; s++)
            for (int variant = 0; variant < VARIANTS; variant += 2) {
                struct hinge_parameters parameters = variant_parameters(solvers[s], variant, 300);

                parameters.l1 = has_l1(solvers[s]) && shape % 2 ? 0.02 : 0;
                free(check_outputs(toy, parameters).w);
            }
        dense_problem_free(toy);
    }
}

/* All short runs, because formulas with t - 1 are wrong in the first steps, if at all. */
static void test_short_runs_agree(void **state)
{
    const int *solver = *state;

    for (uint64_t steps = 1; steps <= 40; steps++) {
        int variant = (int)(steps % VARIANTS);
        struct dense_problem *toy = variant_toy(variant);
        struct hinge_parameters parameters = variant_parameters(*solver, variant, steps);

        parameters.l1 = has_l1(*solver) && steps % 3 ? 0.05 : 0;
        free(check_outputs(toy, parameters).w);
        dense_problem_free(toy);
    }
}

/* With C = 1e-100 or 1e100, eta |x| exceeds the square root of the largest double. */
static void test_extreme_costs_agree(void **state)
{
    static const double costs[] = {1e-100, 1e100};
    const int *solver = *state;

    for (int c = 0; c < 2; c++)
        for (double scale = 1; scale < 1e4; scale *= 1000) {
            struct hinge_parameters parameters = dense_parameters(*solver, 1000);
            struct dense_draft draft = ordinary_draft;
            struct dense_problem *toy;

            draft.C = costs[c];
            toy = dense_problem_new(&draft);
            for (size_t e = 0; e < toy->data.x.nonzeros; e++)
                toy->value[e] *= scale;
            for (size_t e = 0; e < draft.rows * toy->width; e++)
                toy->x[e] *= scale;
            free(check_outputs(toy, parameters).w);
            dense_problem_free(toy);
        }
}

/* ---- Starts from a model ------------------------------------------------ */

/* Checks a run from a model with `steps` steps. t continues after these steps, both in step sizes
 * and in weights of averages. */
static void check_start(int solver, int variant, double size, double steps, uint64_t iterations)
{
    struct hinge_parameters parameters = variant_parameters(solver, variant, iterations);
    struct dense_problem *toy = variant_toy(variant);
    struct hinge_model model = random_model(toy, size, steps, (uint64_t)variant);
    struct dense_run run;

    parameters.l1 = has_l1(solver) ? 0.01 * (variant % 3) : 0;
    parameters.initial = &model;
    run = check_outputs(toy, parameters);
    free(run.w);
    free(model.weight);
    dense_problem_free(toy);
}

/* Few and many steps before the run and in it. The last runs start from a w far outside the ball to
 * which Pegasos projects. */
static void test_dense_loop_agrees_from_a_model(void **state)
{
    static const double steps[] = {1, 2, 17, 1000, 300000, 1e9};
    const int *solver = *state;

    for (int variant = 0; variant < VARIANTS; variant++)
        for (size_t s = 0; s < sizeof steps / sizeof *steps; s++) {
            check_start(*solver, variant, 0.3, steps[s], 1);
            check_start(*solver, variant, 0.3, steps[s], 13);
            check_start(*solver, variant, 0.3, steps[s], 2000);
            check_start(*solver, variant, 100, steps[s], 300);
        }
}

/* A model that does not know its steps counts as if it had made as many as are to come. */
static void test_unknown_steps_are_as_many_as_to_come(void **state)
{
    static const uint64_t iterations[] = {1, 2, 60, 1500};
    const int *solver = *state;

    for (int variant = 0; variant < VARIANTS; variant++)
        for (size_t k = 0; k < sizeof iterations / sizeof *iterations; k++)
            check_start(*solver, variant, 0.5, 0, iterations[k]);
}

/* If the start does not know its steps, it counts as the steps to come. A limit by epochs is
 * rounded up to steps. */
static void test_unknown_steps_follow_the_epochs(void **state)
{
    static const double epochs[] = {0.01, 1, 2.51, 7};
    const int *solver = *state;

    for (int variant = 0; variant < VARIANTS; variant++)
        for (size_t e = 0; e < sizeof epochs / sizeof *epochs; e++) {
            struct hinge_parameters parameters = variant_parameters(*solver, variant, 0);
            struct dense_problem *toy = variant_toy(variant);
            struct hinge_model model = random_model(toy, 0.5, 0, e);
            double one[41] = {0}, other[41] = {0};

            parameters.epochs = epochs[e];
            parameters.initial = &model;
            dense_solve(toy, &parameters, NULL, one);
            model.steps = ceil(epochs[e] * toy->problem.rows / parameters.batch);
            parameters.iterations = (uint64_t)model.steps;
            assert_int_equal(dense_solve(toy, &parameters, NULL, other).passes,
                             parameters.iterations);
            assert_memory_equal(one, other, sizeof one);
            free(model.weight);
            dense_problem_free(toy);
        }
}

static enum hinge_answer stop_early(void *context, const struct hinge_progress *progress)
{
    const uint64_t *passes = context;

    return progress->passes >= *passes ? HINGE_INTERRUPT : HINGE_GO_ON;
}

/* A run that a monitor stops equals a shorter run. Monitors count steps from the start of the run.
 */
static void test_checkpoints_count_from_the_start(void **state)
{
    const int *solver = *state;

    for (int variant = 0; variant < VARIANTS; variant++) {
        struct hinge_parameters parameters = variant_parameters(*solver, variant, 100);
        struct dense_problem *toy = variant_toy(variant);
        struct hinge_model model = random_model(toy, 0.5, 77, 1);
        uint64_t until = 40;
        const struct hinge_monitor monitor = {stop_early, &until, NULL, 0};
        double stopped[41] = {0}, shorter[41] = {0};
        struct hinge_result result;

        parameters.initial = &model;
        parameters.checkpoint = 20;
        /* without the suffix and the random iterate, which depend on T */
        parameters.average = *solver == SGD_SUFFIX ? HINGE_AVERAGE_NONE : HINGE_AVERAGE_DEFAULT;
        result = dense_solve(toy, &parameters, &monitor, stopped);
        assert_int_equal(result.outcome, HINGE_INTERRUPTED);
        assert_true(result.passes >= 40 && result.passes < 60);
        assert_int_equal(result.row_visits, result.passes * parameters.batch);
        parameters.iterations = result.passes;
        dense_solve(toy, &parameters, NULL, shorter);
        assert_memory_equal(stopped, shorter, sizeof stopped);
        free(model.weight);
        dense_problem_free(toy);
    }
}

/* After the largest numbers of steps, t and t + 1 still differ, and steps are made. */
static void test_start_behind_very_many_steps(void **state)
{
    static const double steps[] = {1e15, 9007199254740992.0, 1e300};
    const int *solver = *state;

    for (size_t s = 0; s < 3; s++) {
        struct hinge_parameters parameters = variant_parameters(*solver, 0, 50);
        struct dense_problem *toy = variant_toy(0);
        struct hinge_model model = random_model(toy, 0.5, steps[s], s);
        double w[41];

        parameters.initial = &model;
        assert_int_equal(dense_solve(toy, &parameters, NULL, w).passes, 50);
        for (size_t j = 0; j < toy->width; j++)
            assert_true(fabs(w[j] - model.weight[j]) <= 1e-9);
        free(model.weight);
        dense_problem_free(toy);
    }
}

/* ---- Wide problems ------------------------------------------------------ */

/* Moves the features of a toy apart, so that they fill no cache. */
static void spread(struct dense_problem *toy, uint32_t factor)
{
    for (size_t e = 0; e < toy->data.x.nonzeros; e++)
        toy->index[e] *= factor;
    toy->data.features *= factor;
    toy->width = toy->data.features + (toy->problem.bias_kind != BIAS_NONE ? 1u : 0u);
}

/* Wide problems have code of their own: it prefetches entries and recomputes norms less often. */
static void test_width_changes_nothing(void **state)
{
    const int *solver = *state;
    enum { FACTOR = 2000 };

    for (int variant = 0; variant < VARIANTS; variant++) {
        struct hinge_parameters parameters = variant_parameters(*solver, variant, 500);
        struct dense_problem *toy = variant_toy(variant);
        double *wide = zeros(40 * FACTOR + 1, sizeof *wide), narrow[41];
        size_t nonzeros;

        parameters.l1 = has_l1(*solver) ? 0.02 : 0;
        nonzeros = dense_solve(toy, &parameters, NULL, narrow).nonzeros;
        spread(toy, FACTOR);
        assert_int_equal(dense_solve(toy, &parameters, NULL, wide).nonzeros, nonzeros);
        for (size_t j = 0; j < 40 + (variant & 1 ? 1u : 0u); j++)
            assert_true(fabs(wide[j * FACTOR] - narrow[j]) <= 1e-12 * fabs(narrow[j]));
        free(wide);
        dense_problem_free(toy);
    }
}

/* ---- What is reported -------------------------------------------------- */

static void test_result_is_that_of_w(void **state)
{
    double w[41];

    (void)state;
    for (int variant = 0; variant < VARIANTS; variant++)
        for (int s = 0; s < SOLVERS; s++) {
            struct hinge_parameters parameters = variant_parameters(solvers[s], variant, 777);
            struct dense_problem *toy = variant_toy(variant);
            struct hinge_result result;
            long double primal;
            size_t nonzeros = 0;

            parameters.l1 = has_l1(solvers[s]) && variant % 3 ? 0.03 : 0;
            result = dense_solve(toy, &parameters, NULL, w);
            primal = objective_of(toy, parameters.l1, w);
            for (size_t j = 0; j < toy->width; j++)
                nonzeros += w[j] != 0;
            assert_true(fabsl(result.primal - primal) <= 1e-13L * primal);
            assert_int_equal(result.nonzeros, nonzeros);
            assert_int_equal(result.outcome, HINGE_FINISHED);
            assert_int_equal(result.passes, 777);
            assert_int_equal(result.row_visits, 777 * parameters.batch);
            assert_int_equal(result.support_vectors, 0);
            assert_true(isnan(result.relative_gap) && isnan(result.dual) && result.seconds >= 0);
            dense_problem_free(toy);
        }
}

static void test_same_seed_same_bits_another_seed_others(void **state)
{
    double first[40], second[40];

    (void)state;
    for (int s = 0; s < SOLVERS; s++) {
        struct hinge_parameters parameters = dense_parameters(solvers[s], 500);
        struct dense_problem *toy = dense_problem_new(&ordinary_draft);

        dense_solve(toy, &parameters, NULL, first);
        dense_solve(toy, &parameters, NULL, second);
        assert_memory_equal(first, second, sizeof first);
        parameters.seed++;
        dense_solve(toy, &parameters, NULL, second);
        assert_memory_not_equal(first, second, sizeof first);
        dense_problem_free(toy);
    }
}

/* ---- Checkpoints ------------------------------------------------------- */

enum { MOST_CALLS = 4096 };

/* Keeps all progress that a monitor sees. Gives `answer` from step `from` on. */
struct recorder {
    enum hinge_answer answer;
    uint64_t from;
    size_t calls;
    struct hinge_progress seen[MOST_CALLS];
};

static enum hinge_answer record(void *context, const struct hinge_progress *progress)
{
    struct recorder *recorder = context;

    assert_true(recorder->calls < MOST_CALLS);
    recorder->seen[recorder->calls++] = *progress;
    return progress->passes >= recorder->from ? recorder->answer : HINGE_GO_ON;
}

static struct hinge_result solve_recorded(const struct dense_problem *toy,
                                          const struct hinge_parameters *parameters,
                                          struct recorder *recorder, enum hinge_answer answer,
                                          uint64_t from, double *w)
{
    struct hinge_monitor monitor = {record, recorder, NULL, 0};

    recorder->answer = answer;
    recorder->from = from;
    recorder->calls = 0;
    return dense_solve(toy, parameters, &monitor, w);
}

/* True if step t ends an epoch, because it completes another m rows. */
static int ends_epoch(const struct dense_problem *toy, uint32_t k, uint64_t t)
{
    return t > 0 && t * k / toy->problem.rows > (t - 1) * k / toy->problem.rows;
}

static void check_call(const struct dense_problem *toy, const struct hinge_progress *seen,
                       uint32_t k)
{
    assert_int_equal(seen->row_visits, seen->passes * k);
    assert_true(seen->rows == toy->problem.rows && seen->active == toy->problem.rows);
    assert_true(seen->problem == 0 && seen->problems == 1 && seen->positive == 1);
    assert_int_equal(seen->features, toy->data.features);
    assert_true(isnan(seen->dual) && isnan(seen->relative_gap));
    if (!seen->measured)
        assert_true(isnan(seen->primal) && seen->nonzeros == 0 && !seen->w);
}

/* Checks that the monitor sees step 0, the ends of epochs, the multiples of `checkpoint` and the
 * last step. */
static void check_calls(const struct dense_problem *toy, const struct hinge_parameters *parameters,
                        const struct recorder *recorder)
{
    size_t call = 0;

    for (uint64_t t = 0; t <= parameters->iterations; t++) {
        int due = t == 0 || t == parameters->iterations || ends_epoch(toy, parameters->batch, t) ||
                  (parameters->checkpoint > 0 && t % parameters->checkpoint == 0);

        assert_true(call < recorder->calls);
        assert_int_equal(due, recorder->seen[call].passes == t);
        for (; call < recorder->calls && recorder->seen[call].passes == t; call++) {
            check_call(toy, &recorder->seen[call], parameters->batch);
            assert_int_equal(recorder->seen[call].last, call + 1 == recorder->calls);
        }
    }
    assert_int_equal(call, recorder->calls);
    assert_int_equal(recorder->seen[call - 1].measured, 1);
}

static void test_checkpoints_come_when_due(void **state)
{
    static const uint64_t checkpoints[] = {0, 1, 7, 60, 100, 1000, UINT64_MAX};
    static const uint32_t batches[] = {1, 7, 60, 100};
    static struct recorder recorder;
    struct dense_problem *toy = dense_problem_new(&ordinary_draft);
    struct hinge_model model = random_model(toy, 0.5, 77, 1);
    double w[40];

    (void)state;
    for (int s = 0; s < SOLVERS; s++)
        for (size_t c = 0; c < 7; c++)
            for (size_t b = 0; b < 8; b++) {
                struct hinge_parameters parameters = dense_parameters(solvers[s], 333);
                struct hinge_result result;

                parameters.checkpoint = checkpoints[c];
                parameters.batch = batches[b % 4];
                parameters.initial = b < 4 ? NULL : &model;
                result = solve_recorded(toy, &parameters, &recorder, HINGE_GO_ON, 0, w);
                check_calls(toy, &parameters, &recorder);
                assert_true(recorder.seen[recorder.calls - 1].primal == result.primal);
            }
    free(model.weight);
    dense_problem_free(toy);
}

/* Checks that each measurement belongs to the iterate that a run of so many steps returns. */
static void check_measurements(const struct dense_problem *toy, struct hinge_parameters parameters,
                               const struct recorder *recorder)
{
    double w[40];

    for (size_t call = 0; call < recorder->calls; call++) {
        const struct hinge_progress *seen = &recorder->seen[call];

        if (!seen->measured || seen->passes == 0)
            continue;
        parameters.iterations = seen->passes;
        parameters.checkpoint = 0;
        assert_true(dense_solve(toy, &parameters, NULL, w).primal == seen->primal);
    }
}

static void test_measuring_changes_no_bit(void **state)
{
    static struct recorder recorder;
    struct dense_problem *toy = dense_problem_new(&ordinary_draft);
    double plain[40], measured[40];

    (void)state;
    for (int s = 0; s < SOLVERS; s++)
        for (int average = HINGE_AVERAGE_DEFAULT; average <= HINGE_AVERAGE_RANDOM; average++) {
            struct hinge_parameters parameters = variant_parameters(solvers[s], average, 500);
            struct hinge_result first, second;

            parameters.average = (enum hinge_average)average;
            if (average && !has_average(solvers[s], parameters.average))
                continue;
            parameters.l1 = has_l1(solvers[s]) ? 0.02 : 0;
            first = dense_solve(toy, &parameters, NULL, plain);
            parameters.checkpoint = 1 + (uint64_t)s * 5;
            second = solve_recorded(toy, &parameters, &recorder, HINGE_MEASURE, 0, measured);
            second.seconds = first.seconds;
            assert_memory_equal(plain, measured, sizeof plain);
            assert_true(first.primal == second.primal && first.nonzeros == second.nonzeros);
            assert_int_equal(first.passes, second.passes);
            assert_true(recorder.calls > 2 * 500 / parameters.checkpoint);
            if (average != HINGE_AVERAGE_RANDOM && average != HINGE_AVERAGE_SUFFIX &&
                solvers[s] != SGD_SUFFIX)
                check_measurements(toy, parameters, &recorder);
        }
    dense_problem_free(toy);
}

static void test_stopped_run_is_a_shorter_one(void **state)
{
    static struct recorder recorder;
    struct dense_problem *toy = dense_problem_new(&ordinary_draft);
    double stopped[40], shorter[40];

    (void)state;
    for (int s = 0; s < SOLVERS; s++)
        for (uint64_t from = 1; from < 200; from += 37) {
            enum hinge_answer answer = from % 2 ? HINGE_INTERRUPT : HINGE_OUT_OF_TIME;
            struct hinge_parameters parameters = variant_parameters(solvers[s], 2, 100000);
            struct hinge_result result;

            parameters.l1 = has_l1(solvers[s]) ? 0.01 : 0;
            result = solve_recorded(toy, &parameters, &recorder, answer, from, stopped);
            assert_int_equal(result.outcome, from % 2 ? HINGE_INTERRUPTED : HINGE_TIME_LIMIT);
            assert_true(result.passes >= from && ends_epoch(toy, 7, result.passes));
            assert_true(result.passes < from + 9 && recorder.seen[recorder.calls - 1].last);
            parameters.iterations = result.passes;
            if (solvers[s] == SGD_SUFFIX) /* before the suffix, a run returns the iterate */
                parameters.average = HINGE_AVERAGE_NONE;
            assert_true(dense_solve(toy, &parameters, NULL, shorter).primal == result.primal);
            assert_memory_equal(stopped, shorter, sizeof stopped);
        }
    dense_problem_free(toy);
}

/* 2^53 steps, or more of them by epochs, with a monitor that stops before the first step or after
 * a few. */
static void test_very_many_steps_do_not_overflow(void **state)
{
    static struct recorder recorder;
    struct dense_problem *toy = dense_problem_new(&ordinary_draft);
    double w[40];

    (void)state;
    for (int s = 0; s < SOLVERS; s += (int)repeats(1, 2))
        for (int n = 0; n < 24; n++) {
            struct hinge_parameters parameters =
                dense_parameters(solvers[s], n & 1 ? 0 : (UINT64_C(1) << 53) - (n & 4 ? 1 : 0));
            struct hinge_result result;

            parameters.epochs = n & 4 ? DBL_MAX : 1e30;
            parameters.average = (enum hinge_average)(n / 4);
            if (n / 4 && !has_average(solvers[s], parameters.average))
                continue;
            parameters.batch = n < 12 ? 1 : 1u << 20;
            parameters.checkpoint = n & 8 ? UINT64_MAX : 0;
            result = solve_recorded(toy, &parameters, &recorder, HINGE_INTERRUPT, n & 2, w);
            assert_int_equal(result.outcome, HINGE_INTERRUPTED);
            assert_int_equal(result.passes, n & 2 ? (n < 12 ? 60 : 2) : 0);
            assert_int_equal(result.row_visits, result.passes * parameters.batch);
            for (size_t j = 0; j < toy->width; j++)
                assert_true(n & 2 ? fabs(w[j]) <= DBL_MAX : w[j] == 0);
        }
    dense_problem_free(toy);
}

static void test_epochs_are_rounded_up_to_steps(void **state)
{
    static const struct {
        double epochs;
        uint32_t k;
        uint64_t steps;
    } cases[] = {{1, 1, 60},    {20, 1, 1200},    {0.5, 1, 30},          {0.51, 1, 31}, {1, 7, 9},
                 {2, 7, 18},    {0.001, 1, 1},    {DBL_MIN, 1, 1},       {1, 60, 1},    {1, 61, 1},
                 {1.02, 60, 2}, {1, 1u << 20, 1}, {100000, 1u << 20, 6}, {7, 7, 60}};
    struct dense_problem *toy = dense_problem_new(&ordinary_draft);
    double w[40];

    (void)state;
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++)
        for (int s = 0; s < SOLVERS; s += (int)repeats(1, 2)) {
            struct hinge_parameters parameters = dense_parameters(solvers[s], 0);

            parameters.epochs = cases[c].epochs;
            parameters.batch = cases[c].k;
            assert_int_equal(dense_solve(toy, &parameters, NULL, w).passes, cases[c].steps);
        }
    dense_problem_free(toy);
}

static void test_problem_without_rows(void **state)
{
    static struct recorder recorder;
    struct dense_problem *toy = dense_problem_new(&ordinary_draft);

    (void)state;
    for (int variant = 0; variant < VARIANTS; variant++)
        for (int s = 0; s < SOLVERS; s++) {
            struct hinge_parameters parameters =
                variant_parameters(solvers[s], variant, variant & 1 ? 100 : 0);
            struct hinge_result result;
            double w[40];

            parameters.l1 = has_l1(solvers[s]) ? 0.1 : 0;
            parameters.eps = variant & 2 ? 0.1 : 0;
            toy->problem.rows = 0;
            result = solve_recorded(toy, &parameters, &recorder, HINGE_MEASURE, 0, w);
            assert_int_equal(result.outcome, HINGE_FINISHED);
            assert_true(result.primal == 0 && result.nonzeros == 0 && result.passes == 0);
            assert_true(recorder.calls > 0 && recorder.seen[recorder.calls - 1].last);
            for (size_t j = 0; j < toy->width; j++)
                assert_true(w[j] == 0);
        }
    dense_problem_free(toy);
}

/* ---- The rule of eps --------------------------------------------------- */

/* Returns the step at which the rule first holds, by the measurements: the end of the first epoch,
 * after the first one, that improves the objective by less than eps. Returns T if there is none. */
static uint64_t first_settled(const struct dense_problem *toy,
                              const struct hinge_parameters *parameters,
                              const struct recorder *recorder)
{
    double before = HUGE_VAL;

    for (size_t call = 0; call < recorder->calls; call++) {
        const struct hinge_progress *seen = &recorder->seen[call];

        if (!seen->measured || !ends_epoch(toy, parameters->batch, seen->passes))
            continue;
        if (before < HUGE_VAL && (before - seen->primal) / before < parameters->eps)
            return seen->passes;
        before = seen->primal;
        while (call + 1 < recorder->calls && recorder->seen[call + 1].passes == seen->passes)
            call++;
    }
    return parameters->iterations;
}

static void test_eps_ends_the_first_epoch_that_settles(void **state)
{
    static const double eps[] = {0.5, 0.1, 0.01, 1e-3, 1e-4};
    static struct recorder recorder;
    struct dense_problem *toy = dense_problem_new(&ordinary_draft);
    struct hinge_model model = random_model(toy, 0.5, 77, 1);
    double plain[40], measured[40];
    int early = 0, late = 0;

    (void)state;
    for (int s = 0; s < SOLVERS; s++)
        for (int variant = 0; variant < VARIANTS; variant++)
            for (size_t n = 0; n < 5; n++) {
                struct hinge_parameters parameters = variant_parameters(solvers[s], variant, 6000);
                struct hinge_result result;
                uint64_t expected;

                parameters.checkpoint = variant & 4 ? 11 : 0;
                parameters.initial = variant & 1 ? &model : NULL;
                solve_recorded(toy, &parameters, &recorder, HINGE_MEASURE, 0, measured);
                parameters.eps = eps[n];
                expected = first_settled(toy, &parameters, &recorder);
                result = dense_solve(toy, &parameters, NULL, plain);
                assert_int_equal(result.passes, expected);
                assert_int_equal(result.outcome, HINGE_FINISHED);
                solve_recorded(toy, &parameters, &recorder, HINGE_MEASURE, 0, measured);
                assert_memory_equal(plain, measured, sizeof plain);
                assert_int_equal(recorder.seen[recorder.calls - 1].passes, expected);
                early += expected < 600;
                late += expected > 600;
            }
    assert_true(early > 20 && late > 5);
    free(model.weight);
    dense_problem_free(toy);
}

/* ---- Convergence ------------------------------------------------------- */

/* Returns the mean of (P(w) - P*)/P* over ten seeds. The dual certifies the bounds of P*. */
static double mean_excess(const struct dense_problem *toy, struct hinge_parameters parameters,
                          const struct hinge_result *optimum)
{
    double w[20], sum = 0;

    for (parameters.seed = 1; parameters.seed <= 10; parameters.seed++) {
        double primal = dense_solve(toy, &parameters, NULL, w).primal;

        assert_true(primal >= -optimum->dual * (1 - 1e-12));
        sum += (primal - optimum->primal) / optimum->primal / 10;
    }
    return sum;
}

static struct hinge_result certified_optimum(const struct dense_problem *toy)
{
    struct hinge_parameters parameters = parameters_default();
    struct hinge_result result;
    double w[20];

    parameters.solver = 3;
    parameters.relative_gap = 1e-9;
    result = dense_solve(toy, &parameters, NULL, w);
    assert_int_equal(result.outcome, HINGE_CERTIFIED);
    return result;
}

static const struct dense_draft larger = {300, 20, 0.9, 0.2, -1, 0, 0.05, 21};

static void test_objective_falls_to_the_optimum(void **state)
{
    struct dense_problem *toy = dense_problem_new(&larger);
    struct hinge_result optimum = certified_optimum(toy);

    (void)state;
    for (int s = 0; s < SOLVERS; s++) {
        double before = HUGE_VAL;

        for (uint64_t steps = 1000; steps <= 100000; steps *= 10) {
            double factor = solvers[s] == SGD_W || solvers[s] == HRMD_W ? 3 : 1;
            double excess = mean_excess(toy, dense_parameters(solvers[s], steps), &optimum);

            print_message("solver %d, T %6lu: excess %.3g\n", solvers[s], (unsigned long)steps,
                          excess);
            assert_true(excess < before / factor);
            before = excess;
        }
        assert_true(before < 0.01);
    }
    dense_problem_free(toy);
}

/* The reason for the papers' weights is that the first iterates are far away and should not count.
 */
static void test_weighted_average_ends_below_uniform(void **state)
{
    static const int pairs[][4] = {
        {SGD, HINGE_AVERAGE_WEIGHTED, SGD, HINGE_AVERAGE_UNIFORM},
        {SGD_W, HINGE_AVERAGE_WEIGHTED, SGD_W, HINGE_AVERAGE_UNIFORM},
        {SGD_W, HINGE_AVERAGE_WEIGHTED, SGD, HINGE_AVERAGE_UNIFORM},
        {SGD_SUFFIX, HINGE_AVERAGE_SUFFIX, SGD, HINGE_AVERAGE_UNIFORM},
        {PEGASOS, HINGE_AVERAGE_WEIGHTED, PEGASOS, HINGE_AVERAGE_UNIFORM},
        {HRMD_W, HINGE_AVERAGE_WEIGHTED, COMID, HINGE_AVERAGE_UNIFORM}};
    struct dense_problem *toy = dense_problem_new(&larger);
    struct hinge_result optimum = certified_optimum(toy);

    (void)state;
    for (size_t p = 0; p < sizeof pairs / sizeof *pairs; p++) {
        double excess[2];

        for (int side = 0; side < 2; side++) {
            struct hinge_parameters parameters = dense_parameters(pairs[p][2 * side], 30000);

            parameters.average = (enum hinge_average)pairs[p][2 * side + 1];
            excess[side] = mean_excess(toy, parameters, &optimum);
        }
        print_message("solver %d average %d: %.3g; solver %d average %d: %.3g\n", pairs[p][0],
                      pairs[p][1], excess[0], pairs[p][2], pairs[p][3], excess[1]);
        assert_true(excess[0] < excess[1]);
    }
    dense_problem_free(toy);
}

/* ---- The cost of a step ------------------------------------------------ */

#ifndef ADDRESS_SANITIZER
/* Returns rows of 50 non-zeros that are spread over all features. */
static struct dense_problem *wide_toy(uint32_t features)
{
    enum { ROWS = 20000, COUNT = 50 };
    struct dense_draft draft = {ROWS, 0, 0, 1e-3, -1, 0, 0.5, 41};
    struct dense_problem *toy = dense_problem_new(&draft);
    uint64_t random = 42;

    toy->width = toy->data.features = features;
    toy->data.x.nonzeros = (size_t)ROWS * COUNT;
    toy->index = realloc(toy->index, toy->data.x.nonzeros * sizeof *toy->index);
    toy->value = realloc(toy->value, toy->data.x.nonzeros * sizeof *toy->value);
    assert_true(toy->index && toy->value);
    toy->data.x.index = toy->index;
    toy->data.x.value = toy->value;
    for (uint32_t i = 0; i < ROWS; i++) {
        toy->data.x.start[i + 1] = (i + 1) * (size_t)COUNT;
        for (uint32_t e = 0; e < COUNT; e++) {
            uint32_t span = features / COUNT;

            toy->index[i * COUNT + e] = e * span + (uint32_t)(random_unit(&random) * span);
            toy->value[i * COUNT + e] = random_unit(&random) - 0.5;
        }
    }
    return toy;
}

static double seconds_of(int solver, uint32_t features)
{
    struct hinge_parameters parameters = dense_parameters(solver, 200000);
    struct dense_problem *toy = wide_toy(features);
    double *w = zeros(toy->width, sizeof *w);
    clock_t start = clock();
    double seconds;

    parameters.l1 = has_l1(solver) ? 1e-4 : 0;
    assert_int_equal(dense_solve(toy, &parameters, NULL, w).passes, 200000);
    seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
    free(w);
    dense_problem_free(toy);
    return seconds;
}
#endif

/* Prints the time of a step with 1e3 and with 1e6 features. If it grew with n, the factor would be
 * 1000; the processor's caches alone make it small. Times are not asserted. */
static void test_cost_of_a_step(void **state)
{
    (void)state;
#ifdef ADDRESS_SANITIZER
    skip();
#else
    for (int s = 0; s < SOLVERS; s++) {
        double narrow, wide;

        if (solvers[s] == SGD || solvers[s] == SGD_SUFFIX)
            continue;
        narrow = seconds_of(solvers[s], 1000);
        wide = seconds_of(solvers[s], 1000000);
        print_message("%s: 2e5 steps in %.2f s with 1e3 features, %.2f s with 1e6: ratio %.1f\n",
                      hinge_solver_find(solvers[s])->name, narrow, wide, wide / narrow);
    }
#endif
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        OF_EACH_SOLVER(test_dense_loop_agrees),
        cmocka_unit_test(test_small_shapes_agree),
        OF_EACH_SOLVER(test_short_runs_agree),
        OF_EACH_SOLVER(test_extreme_costs_agree),
        OF_EACH_SOLVER(test_dense_loop_agrees_from_a_model),
        OF_EACH_SOLVER(test_unknown_steps_are_as_many_as_to_come),
        OF_EACH_SOLVER(test_unknown_steps_follow_the_epochs),
        OF_EACH_SOLVER(test_checkpoints_count_from_the_start),
        OF_EACH_SOLVER(test_start_behind_very_many_steps),
        OF_EACH_SOLVER(test_width_changes_nothing),
        cmocka_unit_test(test_result_is_that_of_w),
        cmocka_unit_test(test_same_seed_same_bits_another_seed_others),
        cmocka_unit_test(test_checkpoints_come_when_due),
        cmocka_unit_test(test_measuring_changes_no_bit),
        cmocka_unit_test(test_stopped_run_is_a_shorter_one),
        cmocka_unit_test(test_very_many_steps_do_not_overflow),
        cmocka_unit_test(test_epochs_are_rounded_up_to_steps),
        cmocka_unit_test(test_problem_without_rows),
        cmocka_unit_test(test_eps_ends_the_first_epoch_that_settles),
        cmocka_unit_test(test_objective_falls_to_the_optimum),
        cmocka_unit_test(test_weighted_average_ends_below_uniform),
        cmocka_unit_test(test_cost_of_a_step),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
