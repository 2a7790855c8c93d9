/* methods.c - trains each solver on hundreds of problems, and recomputes its answers. */
#include "methods.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "training.h"

static unsigned stalls; /* trainings that ended short of the gap, and said so */

static void expect_certified(const struct toy *toy, const struct answer *answer, double gap)
{
    const struct hinge_result *result = &answer->result;

    if (result->outcome == HINGE_CERTIFIED) {
        CHECK(toy, result->relative_gap <= gap);
        return;
    }
    CHECK(toy, result->outcome == HINGE_STALLED && result->relative_gap > gap);
    stalls++;
    print_message("problem %lu (%s, C = %g), solver %d: stalled, gap %g, %d passes\n", toy->number,
                  shape_names[toy->draft.shape], toy->draft.C, toy->solver, result->relative_gap,
                  (int)result->passes);
}

static int number_wanted(unsigned long number)
{
    const char *only = getenv("HINGE_PROBLEM"); /* to repeat a failure */

    return !only || strtoul(only, NULL, 10) == number;
}

static size_t count_of(void **state)
{
    const int *solvers = *state;
    size_t count = 0;

    while (solvers[count] >= 0)
        count++;
    return count;
}

/* ---- Random problems ---------------------------------------------------- */

/* Calls judge on the problems from first to below end, for each solver of a list that -1 ends. */
static void for_each(void **state, unsigned long first, unsigned long end,
                     void (*draw)(struct toy *toy, unsigned long number, enum loss loss),
                     void (*judge)(const struct toy *toy))
{
    static struct toy toy;

    for (unsigned long number = first; number < end; number++)
        for (const int *solver = *state; number_wanted(number) && *solver >= 0; solver++) {
            draw(&toy, number, solver_find(*solver)->loss);
            toy.solver = *solver;
            judge(&toy);
        }
}

static void judge_any(const struct toy *toy)
{
    const struct hinge_parameters parameters = parameters_for(1e-6, 0);
    const struct bracket bracket = reference(toy);
    struct answer answer;

    toy_train(toy, &parameters, NULL, &answer);
    check_certificate(toy, &answer);
    check_optimum(toy, &answer, &bracket);
    expect_certified(toy, &answer, 1e-6);
}

void test_problems_of_every_shape_and_scale_are_certified(void **state)
{
    stalls = 0;
    for_each(state, 0, 2400, toy_any, judge_any);
    for_each(state, 0, 800, toy_special, judge_any);
    assert_int_equal(stalls, 0);
}

static void judge_even(const struct toy *toy)
{
    const struct hinge_parameters parameters = parameters_for(1e-9, 0);
    struct answer answer;

    toy_train(toy, &parameters, NULL, &answer);
    check_certificate(toy, &answer);
    expect_certified(toy, &answer, 1e-9);
}

void test_even_problems_are_certified_to_1e_9(void **state)
{
    stalls = 0;
    for_each(state, 0, 600, toy_even, judge_even);
    assert_int_equal(stalls, 0);
}

/* Found among many more: 9881 stalled pnewton, the others ipm. */
void test_problems_that_once_stalled_are_certified(void **state)
{
    stalls = 0;
    for_each(state, 9881, 9882, toy_any, judge_any);
    for_each(state, 10442, 10443, toy_any, judge_any);
    for_each(state, 4938, 4939, toy_even, judge_even);
    assert_int_equal(stalls, 0);
}

/* Checks that a target out of reach is not claimed, and that the training ends. */
static void judge_impossible(const struct toy *toy)
{
    const struct hinge_parameters parameters = parameters_for(1e-300, 0);
    struct answer answer;

    toy_train(toy, &parameters, NULL, &answer);
    check_certificate(toy, &answer);
    CHECK(toy, answer.result.outcome ==
                   (answer.result.relative_gap <= 1e-300 ? HINGE_CERTIFIED : HINGE_STALLED));
    CHECK(toy, answer.result.relative_gap <= 1e-6);
}

void test_impossible_gap_ends_near_the_minimum(void **state)
{
    for_each(state, 0, 150, toy_even, judge_impossible);
}

/* ---- Starts ------------------------------------------------------------- */

static void judge_start(const struct toy *toy, struct answer *answer)
{
    const struct hinge_parameters parameters = parameters_for(1e-6, 0);

    toy_train_from(toy, &parameters, NULL, answer);
    check_certificate(toy, answer);
    expect_certified(toy, answer, 1e-6);
}

static uint64_t passes_cold, passes_warm;

/* Checks that a training from its own result is not worse, even though an interior point begins in
 * the middle of the box. The dual point proves as much as the one that it started from. */
static void judge_own_result(const struct toy *toy)
{
    struct answer answer = {.alpha = {0}};
    struct hinge_result cold;

    judge_start(toy, &answer);
    cold = answer.result;
    judge_start(toy, &answer);
    CHECK(toy, answer.result.outcome == HINGE_STALLED ||
                   answer.result.primal * (1 - 1e-6) <= cold.primal * (1 + 1e-12));
    passes_cold += cold.passes;
    passes_warm += answer.result.passes;
}

void test_a_result_is_a_good_start(void **state)
{
    stalls = 0;
    passes_cold = passes_warm = 0;
    for_each(state, 0, 600, toy_any, judge_own_result);
    assert_int_equal(stalls, 0);
    assert_true(passes_warm < passes_cold || getenv("HINGE_PROBLEM") || *(int *)*state == 60);
}

/* Trains along a path over C, up and down, in one workspace. */
static void judge_path(const struct toy *toy)
{
    static const double factors[] = {2, 1.0 / 1024, 1, 1024, 0.5};
    const struct hinge_parameters parameters = parameters_for(1e-6, 0);
    struct toy other = *toy;
    struct answer answer = {.alpha = {0}};
    struct hinge_error error;
    struct workspace *workspace = workspace_new(&error);

    assert_non_null(workspace);
    other.problem.cost = other.cost;
    for (size_t k = 0; k < sizeof factors / sizeof *factors; k++) {
        for (size_t i = 0; i < toy->m; i++) {
            other.cost[i] *= factors[k];
            answer.alpha[i] *= factors[k];
        }
        toy_train_in(workspace, &other, &parameters, NULL, &answer);
        check_certificate(&other, &answer);
        expect_certified(&other, &answer, 1e-6);
    }
    workspace_free(workspace);
}

void test_path_over_costs_is_certified(void **state)
{
    stalls = 0;
    for_each(state, 0, 200, toy_even, judge_path);
    assert_int_equal(stalls, 0);
}

/* Starts anywhere in the box, in its corners, and with the L2-loss far beyond the minimum. */
static void judge_random_start(const struct toy *toy)
{
    uint64_t state = toy->number + 1;
    struct answer answer = {.alpha = {0}};

    for (int k = 0; k < 3; k++) {
        for (size_t i = 0; i < toy->m; i++) {
            answer.alpha[i] = random_unit(&state) * toy->cost[i];
            if (k == 1)
                answer.alpha[i] = random_unit(&state) < 0.5 ? 0 : toy->cost[i];
            if (k == 2 && toy->draft.loss == LOSS_SQUARED_HINGE)
                answer.alpha[i] *= 1000;
        }
        judge_start(toy, &answer);
    }
}

void test_any_feasible_start_leads_there(void **state)
{
    stalls = 0;
    for_each(state, 0, 200, toy_even, judge_random_start);
    assert_int_equal(stalls, 0);
}

void test_far_starts_of_badly_scaled_problems_lead_there(void **state)
{
    stalls = 0;
    for_each(state, 0, 300, toy_any, judge_random_start);
    assert_int_equal(stalls, 0);
}

static void expect_same_bits(const struct toy *toy, const struct answer *first,
                             const struct answer *second)
{
    CHECK(toy, memcmp(first->w, second->w, sizeof first->w) == 0);
    CHECK(toy, memcmp(first->alpha, second->alpha, sizeof first->alpha) == 0);
    CHECK(toy, first->result.passes == second->result.passes);
    CHECK(toy, first->result.primal == second->result.primal);
    CHECK(toy, first->result.dual == second->result.dual);
    CHECK(toy, first->result.row_visits == second->result.row_visits);
}

/* Checks that the same training in a workspace that served problems of other sizes gives the same
 * result. */
static void judge_repetition(const struct toy *toy)
{
    const struct hinge_parameters parameters = parameters_for(1e-6, 0);
    struct answer first, second;
    struct hinge_error error;
    struct workspace *workspace = workspace_new(&error);
    static struct toy other;

    assert_non_null(workspace);
    toy_train(toy, &parameters, NULL, &first);
    toy_train(toy, &parameters, NULL, &second);
    expect_same_bits(toy, &first, &second);
    for (unsigned long number = toy->number; number < toy->number + 3; number++) {
        toy_any(&other, number + 1, toy->draft.loss);
        other.solver = toy->solver;
        memset(&second, 0, sizeof second);
        toy_train_in(workspace, &other, &parameters, NULL, &second);
        workspace_reset(workspace);
        memset(&second, 0, sizeof second);
        toy_train_in(workspace, toy, &parameters, NULL, &second);
        workspace_reset(workspace);
        expect_same_bits(toy, &first, &second);
    }
    workspace_free(workspace);
}

void test_same_task_gives_the_same_bits(void **state)
{
    for_each(state, 0, 300, toy_any, judge_repetition);
}

/* Trains without rows, because class weights of 0 may leave none. */
static void judge_nothing(const struct toy *toy)
{
    const struct hinge_parameters parameters =
        parameters_for(toy->number % 2 ? 1e-6 : 0, toy->number % 3 ? 1e-3 : 1e-300);
    struct toy nothing = *toy;
    struct answer answer;

    nothing.m = nothing.problem.rows = 0;
    toy_train(&nothing, &parameters, NULL, &answer);
    CHECK(toy, answer.result.outcome == HINGE_CERTIFIED && answer.result.relative_gap == 0);
    CHECK(toy, answer.result.primal == 0 && answer.result.dual == 0);
    for (size_t j = 0; j < toy->width; j++)
        CHECK(toy, answer.w[j] == 0);
}

void test_problem_without_rows(void **state)
{
    for_each(state, 0, SHAPES, toy_any, judge_nothing);
}

/* Costs as far from 1 as hinge_parameters_check allows. */
static void toy_far(struct toy *toy, unsigned long number, enum loss loss)
{
    static const double costs[] = {1e-100, 1e-30, 1e30, 1e100};

    toy_even(toy, number, loss);
    for (size_t i = 0; i < toy->m; i++)
        toy->cost[i] = costs[number % 4];
}

/* Checks that the result is true, whatever gap is reached. */
static void judge_far_cost(const struct toy *toy)
{
    const struct hinge_parameters parameters = parameters_for(1e-3, 0);
    struct answer answer;

    toy_train(toy, &parameters, NULL, &answer);
    check_certificate(toy, &answer);
    CHECK(toy, (answer.result.outcome == HINGE_CERTIFIED) == (answer.result.relative_gap <= 1e-3));
    CHECK(toy, answer.result.outcome != HINGE_PASS_LIMIT); /* the training would not end */
    CHECK(toy, toy->number % 4 > 1 || answer.result.outcome == HINGE_CERTIFIED);
}

void test_far_costs_end_in_the_truth(void **state)
{
    for_each(state, 0, 120, toy_far, judge_far_cost);
}

/* ---- Rules -------------------------------------------------------------- */

static double rule_of(const struct toy *toy)
{
    return toy->number % 2 ? 1e-1 : 1e-4;
}

static void judge_rule(const struct toy *toy)
{
    const struct hinge_parameters parameters = parameters_for(0, rule_of(toy));
    struct answer answer;

    toy_train(toy, &parameters, NULL, &answer);
    check_rule(toy, &answer, parameters.eps);
}

void test_eps_rule_holds_on_all_rows(void **state)
{
    for_each(state, 0, 400, toy_even, judge_rule);
}

/* Checks that the rule holds from any start. */
static void judge_rule_from_afar(const struct toy *toy)
{
    const struct hinge_parameters parameters = parameters_for(0, rule_of(toy));
    uint64_t state = toy->number + 1;
    struct answer answer;

    toy_train(toy, &parameters, NULL, &answer);
    toy_train_from(toy, &parameters, NULL, &answer);
    check_rule(toy, &answer, parameters.eps);
    for (size_t i = 0; i < toy->m; i++)
        answer.alpha[i] = random_unit(&state) * toy->cost[i];
    toy_train_from(toy, &parameters, NULL, &answer);
    check_rule(toy, &answer, parameters.eps);
}

void test_eps_rule_holds_from_any_start(void **state)
{
    for_each(state, 0, 400, toy_even, judge_rule_from_afar);
}

/* Checks that the stricter of the two rules decides. An interior point approaches a bound and a
 * gradient of 0 only as the square root of their product, so its rule is looser. */
static void judge_both_rules(const struct toy *toy)
{
    const double eps = toy->number % 2 ? 10 : solver_of(toy) == 60 ? 1e-4 : 1e-6;
    const struct hinge_parameters parameters = parameters_for(toy->number % 2 ? 1e-7 : 0.5, eps);
    struct answer answer;

    toy_train(toy, &parameters, NULL, &answer);
    check_certificate(toy, &answer);
    CHECK(toy, answer.result.outcome == HINGE_CERTIFIED);
    CHECK(toy, answer.result.relative_gap <= parameters.relative_gap);
    if (solver_find(solver_of(toy))->primal_rule)
        check_primal_rule(toy, &answer, eps);
    else
        check_dual_rule(toy, &answer, eps);
}

void test_both_rules_must_hold(void **state)
{
    for_each(state, 0, 200, toy_even, judge_both_rules);
}

/* ---- Limits and monitors ------------------------------------------------ */

/* Goes on before checkpoint `at`, counted from 1, and gives the answer from there on. */
struct stopper {
    const struct toy *toy;
    const double *alpha; /* alpha of the training */
    int at;
    enum hinge_answer answer;
    int seen;
    int stopped; /* checkpoints answered, without the last one */
    struct hinge_progress last;
};

/* Checks that the reported values are those of w and alpha at this moment, and that passes count up
 * by one. */
static enum hinge_answer stop_there(void *context, const struct hinge_progress *progress)
{
    struct stopper *stopper = context;
    const struct toy *toy = stopper->toy;
    const double bounds = progress->measured ? progress->rounding * progress->primal : 0;

    CHECK(toy, progress->rows == toy->m && progress->active <= toy->m);
    CHECK(toy, progress->steps <= progress->passes && (progress->method || progress->steps == 0));
    CHECK(toy, progress->passes - stopper->last.passes <= 1 && !stopper->last.last);
    CHECK(toy, stopper->seen > 0 || progress->passes == 0);
    if (progress->measured) {
        CHECK(toy, progress->primal + progress->dual >= -rounding(toy, progress->w));
        CHECK(toy, fabs(progress->primal - primal_of(toy, progress->w)) <=
                       rounding(toy, progress->w) + bounds);
        CHECK(toy, fabs(progress->dual - dual_of(toy, stopper->alpha)) <=
                       rounding(toy, progress->w) + dual_rounding(toy, stopper->alpha) + bounds);
    }
    stopper->last = *progress;
    if (++stopper->seen < stopper->at)
        return HINGE_GO_ON;
    stopper->stopped += !progress->last;
    return stopper->answer;
}

static void judge_limits(const struct toy *toy)
{
    struct hinge_parameters parameters = parameters_for(1e-9, 0);
    struct answer answer;

    for (uint64_t most = 1; most <= 12; most++) {
        parameters.max_passes = most;
        toy_train(toy, &parameters, NULL, &answer);
        check_certificate(toy, &answer);
        CHECK(toy, answer.result.passes == most ||
                       (answer.result.passes < most && answer.result.relative_gap <= 1e-9));
        CHECK(toy, answer.result.outcome ==
                       (answer.result.relative_gap <= 1e-9 ? HINGE_CERTIFIED : HINGE_PASS_LIMIT));
    }
}

void test_limit_of_passes_and_steps_is_kept(void **state)
{
    for_each(state, 0, 60, toy_even, judge_limits);
}

static int stops_of_engines; /* shows that the test is not empty */

static void judge_stops(const struct toy *toy)
{
    const struct hinge_parameters parameters = parameters_for(1e-300, 0);

    for (int at = 1; at <= 12; at++) {
        const int interrupts = at % 2;
        struct answer answer;
        struct stopper stopper = {.toy = toy, .alpha = answer.alpha, .at = at};
        struct hinge_monitor monitor = {stop_there, &stopper, NULL, 0};

        stopper.answer = interrupts ? HINGE_INTERRUPT : HINGE_OUT_OF_TIME;
        toy_train(toy, &parameters, &monitor, &answer);
        check_certificate(toy, &answer);
        CHECK(toy, stopper.last.last && stopper.last.passes == answer.result.passes);
        CHECK(toy, stopper.stopped <= 1);
        if (stopper.stopped && interrupts)
            CHECK(toy, answer.result.outcome == HINGE_INTERRUPTED);
        else if (stopper.stopped)
            CHECK(toy,
                  answer.result.outcome == HINGE_TIME_LIMIT || answer.result.relative_gap == 0);
        else
            CHECK(toy, answer.result.outcome ==
                           (answer.result.relative_gap == 0 ? HINGE_CERTIFIED : HINGE_STALLED));
        stops_of_engines += stopper.stopped && answer.result.method;
    }
}

void test_monitor_stops_an_engine(void **state)
{
    stops_of_engines = 0;
    for_each(state, 0, 60, toy_even, judge_stops);
    assert_true(stops_of_engines > 100 * (int)count_of(state) || getenv("HINGE_PROBLEM"));
}

/* Trains also to the end of double precision, where the last bits of P and D decide. */
static void judge_measuring(const struct toy *toy)
{
    const struct hinge_parameters parameters = parameters_for(toy->number % 2 ? 1e-9 : 1e-300, 0);
    struct answer alone, measured;
    struct stopper always = {.toy = toy, .alpha = measured.alpha, .answer = HINGE_MEASURE};
    struct hinge_monitor monitor = {stop_there, &always, NULL, 0};

    toy_train(toy, &parameters, NULL, &alone);
    toy_train(toy, &parameters, &monitor, &measured);
    CHECK(toy, memcmp(alone.w, measured.w, sizeof alone.w) == 0);
    CHECK(toy, memcmp(alone.alpha, measured.alpha, sizeof alone.alpha) == 0);
    CHECK(toy, alone.result.passes == measured.result.passes);
    CHECK(toy, (uint64_t)always.seen > measured.result.passes);
}

void test_measuring_changes_no_bit(void **state)
{
    for_each(state, 0, repeats(300, 60), toy_any, judge_measuring);
    for_each(state, 0, repeats(100, 20), toy_far, judge_measuring);
}

/* ---- Known optima of real data ------------------------------------------ */

struct golden {
    enum loss loss;
    double C;
    double bias;
    double optimum;
    double digits; /* relative uncertainty of the optimum as it was printed */
};

static void check_model(const struct hinge_model *model, const struct golden *golden)
{
    const struct hinge_result *result = model->result;
    const double tolerance = (1e-8 + golden->digits) * golden->optimum;

    if (result->outcome != HINGE_CERTIFIED ||
        !(fabs(result->primal - golden->optimum) <= tolerance) ||
        !(fabs(result->dual + golden->optimum) <= tolerance))
        fail_msg("C = %g, bias %g, solver %s: %s, %.10g and %.10g, not %.10g", golden->C,
                 golden->bias, model->solver->name, hinge_outcome_name(result->outcome),
                 result->primal, result->dual, golden->optimum);
}

static void check_golden(void **state, const char *name, const struct golden *golden, size_t count)
{
    const struct hinge_format format = {0};
    const char *path = data_path(name);
    struct hinge_error error;
    struct hinge_dataset *data;

    if (!path)
        skip();
    data = hinge_dataset_read(path, &format, &error);
    assert_non_null(data);
    for (; count > 0; count--, golden++)
        for (const int *solver = *state; *solver >= 0; solver++) {
            struct hinge_parameters parameters = parameters_for(1e-8, 0);
            struct hinge_model *model;

            if (solver_find(*solver)->loss != golden->loss)
                continue;
            parameters.solver = *solver;
            parameters.C = golden->C;
            parameters.bias = golden->bias;
            model = hinge_train(data, &parameters, NULL, &error);
            if (!model)
                fail_msg("solver %d: %s", parameters.solver, error.message);
            check_model(model, golden);
            hinge_model_free(model);
        }
    hinge_dataset_free(data);
}

void test_known_optima_of_a9a(void **state)
{
    static const struct golden golden[] = {{LOSS_HINGE, 1, -1, 11433.807697, 1e-10},
                                           {LOSS_HINGE, 1, 1, 11433.700198, 1e-10},
                                           {LOSS_SQUARED_HINGE, 1, -1, 13742.397304, 1e-10},
                                           {LOSS_SQUARED_HINGE, 1, 1, 13742.373305, 1e-10},
                                           {LOSS_HINGE, 100, -1, 1142271.5875, 1e-10}};

    check_golden(state, "a9a", golden, COUNT(golden));
}

void test_known_optimum_of_w8a(void **state)
{
    static const struct golden golden = {LOSS_HINGE, 1, -1, 6604.8866, 1e-8};

    check_golden(state, "w8a", &golden, 1);
}
