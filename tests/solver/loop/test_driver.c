/* test_driver.c - limits, monitors, measurements, and the result of a failed training. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "refusal.h"
#include "training.h"

static unsigned long left_to_fail;

static unsigned long *calls_left(void)
{
    return &left_to_fail;
}

/* ---- Limits ------------------------------------------------------------- */

static void test_pass_limit_is_exact(void **state)
{
    static const uint64_t limits[] = {1, 2, 3, 7, 20};
    static struct toy toy;
    struct answer answer;

    (void)state;
    for (int loss = LOSS_HINGE; loss <= LOSS_SQUARED_HINGE; loss++) {
        struct bracket bracket;

        toy_hard(&toy, (enum loss)loss, 100, 1);
        bracket = reference(&toy);
        for (size_t k = 0; k < COUNT(limits); k++) {
            struct hinge_parameters parameters = plain_parameters_for(1e-9, k % 2 ? 1e-9 : 0);

            parameters.max_passes = limits[k];
            toy_train(&toy, &parameters, NULL, &answer);
            check_certificate(&toy, &answer);
            check_optimum(&toy, &answer, &bracket);
            CHECK(&toy, answer.result.passes == limits[k]);
            CHECK(&toy, answer.result.outcome == HINGE_PASS_LIMIT);
            CHECK(&toy, answer.result.relative_gap > 1e-9);
        }
    }
}

/* Limits are exact for every method that runs at the limit, and for one that has just stalled. */
static void test_limits_are_exact_whatever_takes_over(void **state)
{
    static const double costs[] = {10, 1e4, 1e30};
    static struct toy toy;
    size_t with_steps = 0, with_fallback = 0;

    (void)state;
    for (size_t k = 0; k < 2 * COUNT(costs); k++)
        for (uint64_t most = 1; most < 300; most += 1 + most / 30) {
            struct hinge_parameters parameters = parameters_for(1e-300, 0);
            struct answer answer;

            toy_hard(&toy, k % 2 ? LOSS_HINGE : LOSS_SQUARED_HINGE, costs[k / 2], 10);
            parameters.max_passes = most;
            toy_train(&toy, &parameters, NULL, &answer);
            check_certificate(&toy, &answer);
            CHECK(&toy, answer.result.outcome == HINGE_PASS_LIMIT ? answer.result.passes == most
                                                                  : answer.result.passes <= most);
            with_steps += answer.result.passes == most && answer.result.steps > 0;
            with_fallback += answer.result.passes == most && answer.result.fallback != NULL;
        }
    assert_true(with_steps > 30 && with_fallback > 10);
}

static void test_limit_with_gap_met_is_certified(void **state)
{
    static struct toy toy;
    struct hinge_parameters parameters = plain_parameters_for(1e-2, 0);
    size_t certified = 0, limited = 0;
    struct answer answer;

    (void)state;
    toy_hard(&toy, LOSS_SQUARED_HINGE, 1, 1);
    for (parameters.max_passes = 1; parameters.max_passes < 60; parameters.max_passes++) {
        toy_train(&toy, &parameters, NULL, &answer);
        check_certificate(&toy, &answer);
        CHECK(&toy, answer.result.outcome ==
                        (answer.result.relative_gap <= 1e-2 ? HINGE_CERTIFIED : HINGE_PASS_LIMIT));
        certified += answer.result.outcome == HINGE_CERTIFIED;
        limited += answer.result.outcome == HINGE_PASS_LIMIT;
    }
    assert_true(certified > 0 && limited > 0);
}

/* ---- Monitors ----------------------------------------------------------- */

struct watch {
    const struct toy *toy;
    enum hinge_answer answer; /* given from pass `from` on; before, HINGE_GO_ON */
    uint64_t from;
    uint64_t calls;
    uint64_t measured; /* calls with a measurement of the current point */
    struct hinge_progress last;
};

/* Checks that the objectives of the current point bound each other, and that D never rises. */
static void check_measurement(struct watch *watch, const struct hinge_progress *progress)
{
    double slack = 1e-10 * progress->primal;

    CHECK(watch->toy, progress->primal + progress->dual >= -slack);
    CHECK(watch->toy, fabs(progress->relative_gap -
                           (progress->primal + progress->dual) / progress->primal) <= 1e-10);
    CHECK(watch->toy, progress->nonzeros <= watch->toy->width);
    CHECK(watch->toy, watch->measured == 0 || progress->dual <= watch->last.dual + slack);
    watch->measured++;
}

static enum hinge_answer look(void *context, const struct hinge_progress *progress)
{
    struct watch *watch = context;
    const struct toy *toy = watch->toy;
    const struct hinge_progress *last = &watch->last;
    int again = watch->calls > 0 && progress->passes == last->passes;

    CHECK(toy, progress->problem == POSITION && progress->problems == PROBLEMS);
    CHECK(toy, progress->C == toy->draft.C && progress->positive == 1 && progress->folds == 0);
    CHECK(toy, progress->features == toy->data.features &&
                   (progress->bias >= 0) == (toy->draft.bias >= 0));
    CHECK(toy, progress->rows == toy->m && progress->active <= toy->m);
    CHECK(toy, progress->measured == 0 || progress->measured == 1);
    if (watch->calls == 0)
        CHECK(toy, progress->passes == 0 && progress->row_visits == 0);
    else if (again) /* only to give a measurement that was asked for, or at the end */
        CHECK(toy, progress->measured &&
                       (progress->last || (watch->answer == HINGE_MEASURE && !last->measured)));
    else
        CHECK(toy, progress->passes == last->passes + 1 &&
                       progress->row_visits >= last->row_visits &&
                       progress->row_visits <= last->row_visits + toy->m);
    if (progress->measured)
        check_measurement(watch, progress);
    else if (watch->measured == 0)
        CHECK(toy, isnan(progress->primal) && isnan(progress->dual) &&
                       isnan(progress->relative_gap) && progress->nonzeros == 0);
    watch->last = *progress;
    watch->calls++;
    return progress->passes >= watch->from ? watch->answer : HINGE_GO_ON;
}

static void test_monitor_is_called_once_a_pass(void **state)
{
    static struct toy toy;
    struct answer answer;

    (void)state;
    for (unsigned long number = 0; number < 100; number++) {
        struct watch watch = {.toy = &toy, .answer = HINGE_GO_ON};
        struct hinge_monitor monitor = {look, &watch, NULL, 0};
        struct hinge_parameters parameters = plain_parameters_for(1e-6, 0);

        parameters.max_passes = number % 2 ? 5 : 0;
        if (number < 90)
            toy_tame(&toy, number);
        else
            toy_hard(&toy, number % 4 < 2 ? LOSS_HINGE : LOSS_SQUARED_HINGE,
                     exp2((double)number - 94), 1);
        toy_train(&toy, &parameters, &monitor, &answer);
        CHECK(&toy,
              watch.calls == answer.result.passes + 1 || watch.calls == answer.result.passes + 2);
        CHECK(&toy, watch.last.row_visits <= answer.result.row_visits);
    }
}

static void test_measuring_changes_no_bit(void **state)
{
    static struct toy toy;
    struct answer answer, watched;
    uint64_t measured = 0;

    (void)state;
    for (unsigned long number = 0; number < 200; number++) {
        struct watch watch = {.toy = &toy, .answer = HINGE_MEASURE};
        struct hinge_monitor monitor = {look, &watch, NULL, 0};
        struct hinge_parameters parameters = plain_parameters_for(1e-6, number % 2 ? 1e-4 : 0);

        if (number < 180)
            toy_tame(&toy, number);
        else
            toy_hard(&toy, number % 4 < 2 ? LOSS_HINGE : LOSS_SQUARED_HINGE,
                     exp2((double)number - 190), 1);
        toy_train(&toy, &parameters, NULL, &answer);
        toy_train(&toy, &parameters, &monitor, &watched);
        answer.result.seconds = watched.result.seconds;
        CHECK(&toy, memcmp(answer.w, watched.w, toy.width * sizeof *answer.w) == 0);
        CHECK(&toy, memcmp(&answer.result, &watched.result, sizeof answer.result) == 0);
        CHECK(&toy, watch.measured >= answer.result.passes);
        measured += watch.measured;
    }
    assert_true(measured > 2000);
}

static void test_monitor_stops(void **state)
{
    static const enum hinge_outcome meaning[] = {
        [HINGE_OUT_OF_TIME] = HINGE_TIME_LIMIT, [HINGE_INTERRUPT] = HINGE_INTERRUPTED};
    static struct toy toy;
    struct hinge_parameters parameters = plain_parameters_for(1e-9, 0);
    struct answer answer;

    (void)state;
    for (int loss = LOSS_HINGE; loss <= LOSS_SQUARED_HINGE; loss++) {
        struct bracket bracket;

        toy_hard(&toy, (enum loss)loss, 100, 1);
        bracket = reference(&toy);
        for (uint64_t from = 0; from < 20; from++) {
            struct watch watch = {.toy = &toy, .from = from};
            struct hinge_monitor monitor = {look, &watch, NULL, 0};

            watch.answer = from % 2 ? HINGE_OUT_OF_TIME : HINGE_INTERRUPT;
            toy_train(&toy, &parameters, &monitor, &answer);
            check_certificate(&toy, &answer);
            check_optimum(&toy, &answer, &bracket);
            CHECK(&toy, answer.result.outcome == meaning[watch.answer]);
            CHECK(&toy, answer.result.passes == from);
        }
    }
}

/* At the start the gap is 1, or less if rows are solved without a pass. A limit may find that the
 * gap is met, but an interruption is always reported as one. */
static void test_interruption_is_never_called_certified(void **state)
{
    static struct toy toy;
    struct hinge_parameters parameters = plain_parameters_for(1.5, 0);
    struct answer answer;

    (void)state;
    for (unsigned long number = 0; number < 100; number++) {
        struct watch watch = {.toy = &toy};
        struct hinge_monitor monitor = {look, &watch, NULL, 0};

        toy_tame(&toy, number);
        watch.answer = number % 2 ? HINGE_OUT_OF_TIME : HINGE_INTERRUPT;
        toy_train(&toy, &parameters, &monitor, &answer);
        check_certificate(&toy, &answer);
        CHECK(&toy, answer.result.passes == 0 && answer.result.relative_gap <= 1);
        CHECK(&toy, answer.result.outcome == (number % 2 ? HINGE_CERTIFIED : HINGE_INTERRUPTED));
    }
}

struct voter {
    enum hinge_answer answer;
    int calls;
};

static enum hinge_answer vote(void *context, const struct hinge_progress *progress)
{
    struct voter *voter = context;

    (void)progress;
    voter->calls++;
    return voter->answer;
}

/* Every monitor of a list is asked, and the largest answer counts wherever it stands. */
static void test_strongest_answer_counts(void **state)
{
    static const enum hinge_outcome outcome[] = {HINGE_PASS_LIMIT, HINGE_PASS_LIMIT,
                                                 HINGE_TIME_LIMIT, HINGE_INTERRUPTED};
    static struct toy toy;
    struct hinge_parameters parameters = plain_parameters_for(1e-9, 0);
    struct answer answer;

    (void)state;
    parameters.max_passes = 3;
    toy_hard(&toy, LOSS_HINGE, 100, 1);
    for (unsigned code = 0; code < 64; code++) {
        struct voter voter[] = {{(enum hinge_answer)(code % 4), 0},
                                {(enum hinge_answer)(code / 4 % 4), 0},
                                {(enum hinge_answer)(code / 16), 0}};
        struct hinge_monitor last = {vote, &voter[2], NULL, 0},
                             middle = {vote, &voter[1], &last, 0};
        struct hinge_monitor first = {vote, &voter[0], &middle, 0};
        enum hinge_answer most = HINGE_GO_ON;

        for (int k = 0; k < 3; k++)
            most = voter[k].answer > most ? voter[k].answer : most;
        toy_train(&toy, &parameters, &first, &answer);
        CHECK(&toy, answer.result.outcome == outcome[most]);
        CHECK(&toy, answer.result.passes == (most < HINGE_OUT_OF_TIME ? 3 : 0));
        CHECK(&toy, voter[0].calls > 0 && voter[1].calls == voter[0].calls &&
                        voter[2].calls == voter[0].calls);
    }
}

/* ---- No worse than w = 0 ------------------------------------------------- */

static double primal_at_zero(const struct toy *toy)
{
    double total = 0;

    for (size_t i = 0; i < toy->m; i++)
        total += toy->cost[i];
    return total;
}

struct impatient {
    size_t asked; /* number of questions so far */
    size_t most;  /* number of questions after which the training is interrupted */
    uint64_t passes;
};

static enum hinge_answer interrupt_after(void *context, const struct hinge_progress *progress)
{
    struct impatient *impatient = context;

    impatient->passes = progress->passes;
    return ++impatient->asked > impatient->most ? HINGE_INTERRUPT : HINGE_GO_ON;
}

/* A step that is stopped anywhere, in a factor or in conjugate gradients, is the last one, and the
 * result has a true certificate. */
static void test_steps_are_stopped_between_checkpoints(void **state)
{
    static const int solvers[] = {2, 60, 61};
    static struct toy toy;
    size_t within = 0;

    (void)state;
    for (unsigned long number = 0; number < 100; number++)
        for (size_t most = 0; most < 40; most++) {
            const int solver = solvers[most % COUNT(solvers)];
            const struct hinge_parameters parameters = parameters_for(1e-6, 0);
            struct impatient impatient = {0, most, 0};
            const struct hinge_monitor monitor = {interrupt_after, &impatient, NULL, HINGE_BETWEEN};
            struct answer answer;

            toy_even(&toy, number, solver_find(solver)->loss);
            toy.solver = solver;
            toy_train(&toy, &parameters, &monitor, &answer);
            check_certificate(&toy, &answer);
            if (answer.result.outcome != HINGE_INTERRUPTED)
                continue;
            CHECK(&toy, impatient.asked > most && answer.result.passes <= impatient.passes + 1);
            within += most > answer.result.passes + 1;
        }
    assert_true(within > 500); /* more questions than checkpoints */
}

struct listener {
    size_t asked, measured; /* number of questions, and of questions with a measurement */
};

static enum hinge_answer listen(void *context, const struct hinge_progress *progress)
{
    struct listener *listener = context;

    listener->asked++;
    listener->measured += progress->measured != 0;
    return HINGE_MEASURE;
}

/* Within a step, w may be changing, so questions there have no measurement. */
static void test_nothing_is_measured_between_checkpoints(void **state)
{
    static const int solvers[] = {1, 3, 2, 0, 7, 60, 61};
    static struct toy toy;
    size_t within = 0;

    (void)state;
    for (unsigned long number = 0; number < 140; number++) {
        const struct hinge_parameters parameters = parameters_for(1e-6, 0);
        struct listener at_checkpoints = {0, 0}, between = {0, 0};
        const struct hinge_monitor second = {listen, &at_checkpoints, NULL, 0};
        const struct hinge_monitor first = {listen, &between, &second, 1};
        struct answer answer;

        toy_even(&toy, number, solver_find(solvers[number % COUNT(solvers)])->loss);
        toy.solver = solvers[number % COUNT(solvers)];
        toy_train(&toy, &parameters, &first, &answer);
        CHECK(&toy, at_checkpoints.measured > 0);
        CHECK(&toy, between.measured == at_checkpoints.measured);
        within += between.asked - at_checkpoints.asked;
    }
    assert_true(within > 500);
}

/* At costs that double precision cannot solve, with every solver, after few passes and many, the
 * returned point is no worse than w = 0 and alpha = 0, and the result belongs to it. */
static void test_no_training_is_worse_than_zero(void **state)
{
    static const int solvers[] = {1, 3, 2, 60, 61};
    static const double costs[] = {1e3, 1e15, 1e30, 1e100};
    static struct toy toy;
    size_t zeros = 0;

    (void)state;
    for (unsigned long number = 0; number < 60; number++)
        for (size_t k = 0; k < COUNT(solvers) * COUNT(costs); k++) {
            struct hinge_parameters parameters = parameters_for(1e-3, 0);
            struct answer answer;
            double zero;

            toy_even(&toy, number, solver_find(solvers[k / COUNT(costs)])->loss);
            toy.solver = solvers[k / COUNT(costs)];
            for (size_t i = 0; i < toy.m; i++)
                toy.cost[i] *= costs[k % COUNT(costs)];
            zero = primal_at_zero(&toy);
            parameters.max_passes = number % 3 ? number % 3 : 100000;
            toy_train(&toy, &parameters, NULL, &answer);
            check_certificate(&toy, &answer);
            CHECK(&toy, answer.result.primal <= zero * (1 + 1e-14));
            CHECK(&toy, primal_of(&toy, answer.w) <= zero * (1 + 1e-15));
            CHECK(&toy, answer.result.dual <= 0);
            zeros += answer.result.nonzeros == 0 && answer.result.primal > 0;
        }
    assert_true(zeros > 10); /* w = 0 had to be returned */
}

static long double exact_primal(const struct hinge_dataset *data, double C,
                                const struct hinge_model *model)
{
    const double *value = data->x.value;
    long double primal = 0;

    for (size_t j = 0; j < data->features; j++)
        primal += (long double)model->weight[j] * model->weight[j] / 2;
    for (size_t i = 0; i < data->x.rows; i++) {
        const int side = data->label[i] == model->label[0] ? 1 : -1;
        long double slack = 1;

        for (size_t j = 0; j < data->features; j++)
            slack -= side * (long double)model->weight[j] * value[i * data->features + j];
        primal += slack > 0 ? C * slack * slack : 0;
    }
    return primal;
}

/* One value is far larger than all others, and passes end before the gap is below 1. The result has
 * P(w), which is below P(0), although a bound from the longest row would be above it. */
static void test_result_without_certificate_is_about_what_is_returned(void **state)
{
    enum { ROWS = 200, FEATURES = 4 };
    static double x[ROWS * FEATURES], label[ROWS];
    struct hinge_parameters parameters = parameters_default();
    struct hinge_error error;
    size_t better = 0;

    (void)state;
    parameters.C = 1e6;
    for (double large = 1e10; large < 1e17; large *= 100)
        for (parameters.max_passes = 1; parameters.max_passes < 9; parameters.max_passes++) {
            uint64_t random = 1;
            struct hinge_dataset *data;
            struct hinge_model *model;

            for (size_t i = 0; i < ROWS; i++) {
                for (size_t j = 0; j < FEATURES; j++)
                    x[i * FEATURES + j] = 2 * random_unit(&random) - 1;
                label[i] = x[i * FEATURES] > 0 ? 1 : -1;
                x[i * FEATURES] += label[i] / 2;
            }
            x[0] = label[0] * large;
            data = hinge_view_dense(ROWS, FEATURES, x, HINGE_VALUE_DOUBLE, label, &error);
            assert_non_null(data);
            model = hinge_train(data, &parameters, NULL, &error);
            assert_non_null(model);
            if (model->result->outcome == HINGE_PASS_LIMIT) {
                const long double primal = exact_primal(data, parameters.C, model);

                assert_true(model->result->primal >= primal);
                assert_true(model->result->primal <= 1.0011L * primal);
                better += primal < parameters.C * ROWS / 10;
            }
            hinge_model_free(model);
            hinge_view_free(data);
        }
    assert_true(better > 5);
}

/* At this C, no certificate is possible in double precision. */
static void test_hopeless_cost_of_real_data(void **state)
{
    static const int solvers[] = {1, 3, 2, 60, 61, 50};
    const struct hinge_format format = {0};
    const char *path = data_path("breast-cancer");
    struct hinge_dataset *data;
    struct hinge_error error;

    (void)state;
    if (!path)
        skip();
    assert_non_null(data = hinge_dataset_read(path, &format, &error));
    for (size_t k = 0; k < COUNT(solvers); k++) {
        struct hinge_parameters parameters = parameters_for(1e-3, 0);
        struct hinge_model *model;

        parameters.solver = solvers[k];
        parameters.C = 1e30;
        assert_non_null(model = hinge_train(data, &parameters, NULL, &error));
        assert_true(model->result->primal <= 1e30 * (double)data->x.rows * (1 + 1e-15));
        assert_true(model->result->dual <= 0 && model->result->relative_gap >= 0);
        if (solvers[k] == 50) /* separable with a free bias, so alpha stays small */
            assert_true(model->result->outcome == HINGE_CERTIFIED &&
                        model->result->relative_gap <= 1e-3);
        else
            assert_int_equal(model->result->outcome, HINGE_STALLED);
        hinge_model_free(model);
    }
    hinge_dataset_free(data);
}

/* If w = 0 is the minimum and rounding changes P a little, the gap is 0 and never negative. */
static void test_minimum_at_zero_has_no_negative_gap(void **state)
{
    static const int solvers[] = {1, 3, 2, 60, 61};
    const struct hinge_parameters parameters = parameters_for(1e-9, 0);
    static struct toy toy;

    (void)state;
    for (unsigned long number = 0; number < 1000; number++)
        for (size_t k = 0; k < COUNT(solvers); k++) {
            struct draft draft = {number % 2 ? NO_FEATURE : ALL_ALIKE, 1, 10, -1, 0, 1, LOSS_HINGE};
            struct answer answer;

            draft.loss = solver_find(solvers[k])->loss;
            toy_draw(&toy, &draft, number, 0, 0);
            toy.solver = solvers[k];
            for (size_t i = 0; i < toy.m; i++)
                toy.cost[i] = toy.cost[i / 2 * 2];
            toy_train(&toy, &parameters, NULL, &answer);
            check_certificate(&toy, &answer);
            CHECK(&toy,
                  answer.result.relative_gap >= 0 && answer.result.outcome == HINGE_CERTIFIED);
        }
}

/* ---- No worse than the previous point ------------------------------------ */

struct least {
    const struct toy *toy;
    double primal; /* least P of second-order steps */
};

static enum hinge_answer keep_least(void *context, const struct hinge_progress *progress)
{
    struct least *least = context;

    if (progress->measured && progress->steps > 0 && !progress->fallback)
        least->primal = fmin(least->primal, primal_of(least->toy, progress->w));
    return HINGE_MEASURE;
}

/* If a second-order method stalls and the passes after it get no memory, its point is returned,
 * even if P of sum alpha_i y_i x_i is a million times as large. At these costs, rounding changes P
 * by a tenth. */
static void test_a_point_is_not_lost_for_want_of_memory(void **state)
{
    static const double costs[] = {1e12, 1e15};
    struct hinge_parameters parameters = parameters_for(1e-300, 0);
    const size_t numbers = repeats(160, 32);
    static struct toy toy;
    size_t ended = 0;

    (void)state;
    parameters.max_passes = 1000;
    for (unsigned long number = 0; number < numbers; number++) {
        unsigned long call = 0, left = 0;

        toy_even(&toy, number / 4, number % 2 ? LOSS_HINGE : LOSS_SQUARED_HINGE);
        for (size_t i = 0; i < toy.m; i++)
            toy.cost[i] *= costs[number / 2 % 2];
        while (left == 0 && toy.width <= toy.m) { /* until no allocation fails */
            struct least least = {&toy, HUGE_VAL};
            const struct hinge_monitor monitor = {keep_least, &least, NULL, 0};
            struct answer answer = {.alpha = {0}};
            struct task task = task_for(&toy, &parameters, &monitor, &answer);
            struct hinge_error error;

            assert_non_null(task.workspace = workspace_new(&error));
            left_to_fail = ++call;
            if (solver_train(&task, &answer.result, &error) == HINGE_OK) {
                CHECK(&toy, primal_of(&toy, answer.w) <= 2 * least.primal);
                ended += left_to_fail == 0 && least.primal < HUGE_VAL && answer.result.fallback;
            }
            left = left_to_fail;
            left_to_fail = 0;
            workspace_free(task.workspace);
        }
    }
    assert_true(ended > numbers / 8);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pass_limit_is_exact),
        cmocka_unit_test(test_limits_are_exact_whatever_takes_over),
        cmocka_unit_test(test_limit_with_gap_met_is_certified),
        cmocka_unit_test(test_monitor_is_called_once_a_pass),
        cmocka_unit_test(test_measuring_changes_no_bit),
        cmocka_unit_test(test_monitor_stops),
        cmocka_unit_test(test_interruption_is_never_called_certified),
        cmocka_unit_test(test_strongest_answer_counts),
        cmocka_unit_test(test_steps_are_stopped_between_checkpoints),
        cmocka_unit_test(test_nothing_is_measured_between_checkpoints),
        cmocka_unit_test(test_no_training_is_worse_than_zero),
        cmocka_unit_test(test_result_without_certificate_is_about_what_is_returned),
        cmocka_unit_test(test_hopeless_cost_of_real_data),
        cmocka_unit_test(test_minimum_at_zero_has_no_negative_gap),
        cmocka_unit_test(test_a_point_is_not_lost_for_want_of_memory),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
