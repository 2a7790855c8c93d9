/* test_engines.c - the second-order engines, alone and behind coordinate descent: the certificate
 * recomputed from w, alpha and the data, the minimum by an independent method, limits and rules. */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "toy.h"

/* Numbers of the solvers with an engine. */
static const int of_l1[] = {3, 60, 61}, of_l2[] = {1, 2};

struct answer {
    double w[MOST_WIDTH];
    double alpha[MOST_ROWS];
    struct hinge_result result;
};

/* ---- Problems ----------------------------------------------------------- */

/* Every shape, with features alike, of 1e-3 to 1e3, or a little unlike; C = 2^-10 .. 2^10, in some
 * 1e-6 or 1e6. */
static void toy_any(struct toy *toy, unsigned long number, enum loss loss)
{
    static const double scales[] = {1, 1, 1e3, 10};
    struct draft draft = draft_small(number);

    draft.loss = loss;
    draft.scale = scales[number / SHAPES % 4];
    if (number % 41 == 0)
        draft.C = number % 2 ? 1e6 : 1e-6;
    toy_draw(toy, &draft, number, 0, 0);
}

/* Well-scaled, and with costs that leave room for small gaps. */
static void toy_even(struct toy *toy, unsigned long number, enum loss loss)
{
    struct draft draft = draft_small(number);

    if (draft.shape == UNLIKE_NORMS)
        draft.shape = ORDINARY;
    draft.loss = loss;
    draft.C = exp2((double)(number % 11) - 5);
    draft.spread = 1;
    toy_draw(toy, &draft, number, 0, 0);
}

/* ---- Solving and judging ------------------------------------------------ */

static struct hinge_parameters parameters_for(double gap, double eps)
{
    struct hinge_parameters parameters = hinge_parameters_default();

    parameters.gap = gap;
    parameters.eps = eps;
    return parameters;
}

/* Solves from the alpha in the answer. */
static void solve_from(const struct toy *toy, int solver, const struct hinge_parameters *parameters,
                       const struct hinge_monitor *monitor, struct answer *answer)
{
    struct solver_task task = {.problem = &toy->problem,
                               .loss = toy->draft.loss,
                               .parameters = parameters,
                               .monitor = monitor,
                               .problems = 1,
                               .positive = 1,
                               .alpha = answer->alpha};
    struct hinge_error error;

    memset(answer->w, 0xff, sizeof answer->w); /* NaN: nothing may be taken from there */
    memset(&answer->result, 0xff, sizeof answer->result);
    CHECK(toy, solver_find(solver)->loss == toy->draft.loss);
    CHECK(toy, solver_find(solver)->solve(&task, answer->w, &answer->result, &error) == HINGE_OK);
}

static void solve(const struct toy *toy, int solver, const struct hinge_parameters *parameters,
                  const struct hinge_monitor *monitor, struct answer *answer)
{
    memset(answer, 0, sizeof *answer);
    solve_from(toy, solver, parameters, monitor, answer);
}

/* The result says the truth about w and alpha, and alpha is feasible. */
static void check_certificate(const struct toy *toy, const struct answer *answer)
{
    const struct hinge_result *result = &answer->result;
    const double gap = (result->primal + result->dual) / fmax(fabs(result->primal), DBL_MIN);
    size_t support = 0;

    for (size_t i = 0; i < toy->m; i++) {
        CHECK(toy, answer->alpha[i] >= 0 && answer->alpha[i] <= DBL_MAX);
        CHECK(toy, toy->draft.loss == LOSS_L2 || answer->alpha[i] <= toy->cost[i]);
        support += answer->alpha[i] > 0;
    }
    CHECK(toy, fabs(result->primal - primal_of(toy, answer->w)) <= rounding(toy, answer->w));
    CHECK(toy,
          fabs(result->dual - dual_of(toy, answer->alpha)) <= dual_rounding(toy, answer->alpha));
    CHECK(toy, fabs(result->gap - fmax(gap, 0)) <= 1e-15);
    CHECK(toy, result->support_vectors == support);
    CHECK(toy, result->steps <= result->passes);
    CHECK(toy, (result->engine != NULL) == (result->steps > 0) || result->steps == 0);
}

/* The certificate bounds the distance from the minimum, which the reference knows. */
static void check_optimum(const struct toy *toy, const struct answer *answer,
                          const struct bracket *bracket)
{
    const struct hinge_result *result = &answer->result;
    const double tolerance = rounding(toy, answer->w) + dual_rounding(toy, answer->alpha);

    CHECK(toy, result->primal >= bracket->lower - tolerance);
    CHECK(toy, -result->dual <= bracket->upper + tolerance);
    CHECK(toy, result->primal * (1 - result->gap) <= bracket->upper + tolerance);
}

static int number_wanted(unsigned long number)
{
    const char *only = getenv("HINGE_PROBLEM"); /* to repeat a failure */

    return !only || strtoul(only, NULL, 10) == number;
}

/* ---- Random problems ---------------------------------------------------- */

/* Calls judge for every solver on problems 0 .. count - 1 of both losses. */
static void for_each(unsigned long count,
                     void (*draw)(struct toy *toy, unsigned long number, enum loss loss),
                     void (*judge)(const struct toy *toy, int solver))
{
    static struct toy toy;

    for (unsigned long number = 0; number < count; number++) {
        if (!number_wanted(number))
            continue;
        draw(&toy, number, LOSS_L1);
        for (size_t k = 0; k < sizeof of_l1 / sizeof *of_l1; k++)
            judge(&toy, of_l1[k]);
        draw(&toy, number, LOSS_L2);
        for (size_t k = 0; k < sizeof of_l2 / sizeof *of_l2; k++)
            judge(&toy, of_l2[k]);
    }
}

static void judge_any(const struct toy *toy, int solver)
{
    const struct hinge_parameters parameters = parameters_for(1e-6, 0);
    const struct bracket bracket = reference(toy);
    struct answer answer;

    solve(toy, solver, &parameters, NULL, &answer);
    check_certificate(toy, &answer);
    check_optimum(toy, &answer, &bracket);
    CHECK(toy, answer.result.outcome == HINGE_CERTIFIED);
    CHECK(toy, answer.result.gap <= 1e-6);
}

static void test_problems_of_every_shape_and_scale_are_certified(void **state)
{
    (void)state;
    for_each(2400, toy_any, judge_any);
}

static void judge_even(const struct toy *toy, int solver)
{
    const struct hinge_parameters parameters = parameters_for(1e-9, 0);
    struct answer answer;

    solve(toy, solver, &parameters, NULL, &answer);
    check_certificate(toy, &answer);
    CHECK(toy, answer.result.outcome == HINGE_CERTIFIED);
    CHECK(toy, answer.result.gap <= 1e-9);
}

static void test_even_problems_are_certified_to_1e_9(void **state)
{
    (void)state;
    for_each(600, toy_even, judge_even);
}

/* What cannot be reached is not claimed, and the training ends. */
static void judge_impossible(const struct toy *toy, int solver)
{
    const struct hinge_parameters parameters = parameters_for(1e-300, 0);
    struct answer answer;

    solve(toy, solver, &parameters, NULL, &answer);
    check_certificate(toy, &answer);
    CHECK(toy,
          answer.result.outcome == (answer.result.gap <= 1e-300 ? HINGE_CERTIFIED : HINGE_STALLED));
    CHECK(toy, answer.result.gap <= 1e-6);
}

static void test_impossible_gap_ends_near_the_minimum(void **state)
{
    (void)state;
    for_each(150, toy_even, judge_impossible);
}

/* ---- Starts ------------------------------------------------------------- */

static void judge_starts(const struct toy *toy, int solver)
{
    const struct hinge_parameters parameters = parameters_for(1e-6, 0);
    uint64_t state = toy->number;
    struct toy other = *toy;
    struct answer answer;

    solve(toy, solver, &parameters, NULL, &answer);
    solve_from(toy, solver, &parameters, NULL, &answer); /* its own result */
    check_certificate(toy, &answer);
    CHECK(toy, answer.result.outcome == HINGE_CERTIFIED);
    other.problem.cost = other.cost; /* twice the cost, alpha scaled with it */
    for (size_t i = 0; i < toy->m; i++) {
        other.cost[i] *= 2;
        answer.alpha[i] *= 2;
    }
    solve_from(&other, solver, &parameters, NULL, &answer);
    check_certificate(&other, &answer);
    CHECK(toy, answer.result.outcome == HINGE_CERTIFIED);
    for (size_t i = 0; i < toy->m; i++)
        answer.alpha[i] = random_unit(&state) * toy->cost[i];
    solve_from(toy, solver, &parameters, NULL, &answer);
    check_certificate(toy, &answer);
    CHECK(toy, answer.result.outcome == HINGE_CERTIFIED);
}

static void test_any_feasible_start_leads_there(void **state)
{
    (void)state;
    for_each(300, toy_any, judge_starts);
}

/* ---- Rules -------------------------------------------------------------- */

/* LIBLINEAR's rule for its primal solvers, recomputed: the norm of w - w(2 C max(0, 1 - z)). */
static void check_primal_rule(const struct toy *toy, const struct answer *answer, double eps)
{
    double at_zero[MOST_ROWS], at_w[MOST_ROWS], start[MOST_WIDTH], here[MOST_WIDTH];
    double square = 0, square_at_zero = 0, positive = 0;

    for (size_t i = 0; i < toy->m; i++) {
        at_zero[i] = 2 * toy->cost[i];
        at_w[i] = 2 * toy->cost[i] * fmax(0, 1 - margin(toy, i, answer->w));
        positive += toy->sign[i] > 0;
    }
    weights_of(toy, at_zero, start);
    weights_of(toy, at_w, here);
    for (size_t j = 0; j < toy->width; j++) {
        square += (answer->w[j] - here[j]) * (answer->w[j] - here[j]);
        square_at_zero += start[j] * start[j];
    }
    positive = fmax(fmin(positive, (double)toy->m - positive), 1);
    CHECK(toy, sqrt(square) <= eps * positive / (double)toy->m * sqrt(square_at_zero) * 1.001 +
                                   1e-9 * sqrt(square_at_zero));
}

/* That for its dual solvers: the projected gradients at w = sum alpha_i y_i x_i. */
static void check_dual_rule(const struct toy *toy, const struct answer *answer, double eps)
{
    double w[MOST_WIDTH], largest = -HUGE_VAL, smallest = HUGE_VAL;

    weights_of(toy, answer->alpha, w);
    for (size_t i = 0; i < toy->m; i++) {
        const double alpha = answer->alpha[i];
        double G = margin(toy, i, w) - 1 + diagonal(toy, i) * alpha;

        if (alpha == 0)
            G = fmin(G, 0);
        if (toy->draft.loss == LOSS_L1 && alpha == toy->cost[i])
            G = fmax(G, 0);
        largest = fmax(largest, G);
        smallest = fmin(smallest, G);
    }
    CHECK(toy, largest - smallest <= eps + 1e-9 && largest <= eps + 1e-9);
    CHECK(toy, smallest >= -eps - 1e-9);
}

static void judge_rule(const struct toy *toy, int solver)
{
    const double eps = toy->number % 2 ? 1e-1 : 1e-4;
    const struct hinge_parameters parameters = parameters_for(0, eps);
    struct answer answer;

    solve(toy, solver, &parameters, NULL, &answer);
    check_certificate(toy, &answer);
    CHECK(toy,
          answer.result.outcome ==
              (answer.result.gap <= HINGE_DEFAULT_GAP ? HINGE_CERTIFIED : HINGE_TOLERANCE_MET));
    if (solver == 2)
        check_primal_rule(toy, &answer, eps);
    else if (answer.result.engine)
        check_dual_rule(toy, &answer, eps);
}

static void test_eps_rule_holds_on_all_rows(void **state)
{
    (void)state;
    for_each(400, toy_even, judge_rule);
}

/* ---- Limits and monitors ------------------------------------------------ */

/* Answers at the checkpoint of that number, from 1; go on before. */
struct stopper {
    int at;
    int seen;
    enum hinge_answer answer;
};

static enum hinge_answer stop_there(void *context, const struct hinge_progress *progress)
{
    struct stopper *stopper = context;

    (void)progress;
    return ++stopper->seen < stopper->at ? HINGE_GO_ON : stopper->answer;
}

static void judge_limits(const struct toy *toy, int solver)
{
    struct hinge_parameters parameters = parameters_for(1e-9, 0);
    struct answer answer;

    for (uint64_t most = 1; most <= 12; most++) {
        parameters.max_passes = most;
        solve(toy, solver, &parameters, NULL, &answer);
        check_certificate(toy, &answer);
        CHECK(toy, answer.result.passes <= most);
        CHECK(toy, answer.result.outcome ==
                       (answer.result.gap <= 1e-9 ? HINGE_CERTIFIED : HINGE_PASS_LIMIT));
    }
}

static void test_limit_of_passes_and_steps_is_kept(void **state)
{
    (void)state;
    for_each(60, toy_even, judge_limits);
}

static void judge_stops(const struct toy *toy, int solver)
{
    const struct hinge_parameters parameters = parameters_for(1e-300, 0);

    for (int at = 1; at <= 12; at++) {
        struct stopper stopper = {at, 0, at % 2 ? HINGE_INTERRUPT : HINGE_OUT_OF_TIME};
        struct hinge_monitor monitor = {stop_there, &stopper, NULL};
        struct answer answer;

        solve(toy, solver, &parameters, &monitor, &answer);
        check_certificate(toy, &answer);
        if (answer.result.outcome == HINGE_CERTIFIED || answer.result.outcome == HINGE_STALLED)
            continue; /* before that checkpoint */
        CHECK(toy, answer.result.outcome == (at % 2 ? HINGE_INTERRUPTED : HINGE_TIME_LIMIT));
    }
}

static void test_monitor_stops_an_engine(void **state)
{
    (void)state;
    for_each(60, toy_even, judge_stops);
}

static void judge_measuring(const struct toy *toy, int solver)
{
    const struct hinge_parameters parameters = parameters_for(1e-9, 0);
    struct stopper always = {0, 0, HINGE_MEASURE};
    struct hinge_monitor monitor = {stop_there, &always, NULL};
    struct answer alone, measured;

    solve(toy, solver, &parameters, NULL, &alone);
    solve(toy, solver, &parameters, &monitor, &measured);
    CHECK(toy, memcmp(alone.w, measured.w, sizeof alone.w) == 0);
    CHECK(toy, memcmp(alone.alpha, measured.alpha, sizeof alone.alpha) == 0);
    CHECK(toy, alone.result.passes == measured.result.passes);
}

static void test_measuring_changes_no_bit(void **state)
{
    (void)state;
    for_each(150, toy_any, judge_measuring);
}

/* ---- Handing over ------------------------------------------------------- */

/* Where coordinate descent needs very many passes an engine ends it in few; not if it is not to. */
static void test_slow_descent_is_handed_over(void **state)
{
    static const enum loss losses[] = {LOSS_L1, LOSS_L2};
    static struct toy toy;

    (void)state;
    for (int k = 0; k < 2; k++) {
        struct hinge_parameters parameters = parameters_for(1e-6, 0);
        struct draft draft = {ORDINARY, 1000, 0, 1, 0, 10, losses[k]};
        struct answer answer;
        uint64_t together;

        toy_draw(&toy, &draft, 1, MOST_ROWS, 12);
        solve(&toy, k ? 1 : 3, &parameters, NULL, &answer);
        CHECK(&toy, answer.result.outcome == HINGE_CERTIFIED && answer.result.steps > 0);
        CHECK(&toy, strcmp(answer.result.engine, k ? "newton" : "pnewton") == 0);
        together = answer.result.passes;
        parameters.plain = 1;
        solve(&toy, k ? 1 : 3, &parameters, NULL, &answer);
        CHECK(&toy, answer.result.outcome == HINGE_CERTIFIED && answer.result.steps == 0);
        CHECK(&toy, !answer.result.engine && answer.result.passes > 20 * together);
    }
}

/* ---- Known optima of real data ------------------------------------------ */

struct golden {
    const char *name;
    double C;
    double bias;
    enum loss loss;
    double optimum;
    double digits; /* relative uncertainty of the optimum as it was printed */
};

static void check_golden(const struct golden *golden, int solver)
{
    const struct hinge_format format = {0, 0};
    const char *path = data_path(golden->name);
    struct hinge_parameters parameters = parameters_for(1e-8, 0);
    struct hinge_error error;
    struct hinge_dataset *data;
    struct hinge_model *model;

    if (!path)
        skip();
    parameters.solver = solver;
    parameters.C = golden->C;
    parameters.bias = golden->bias;
    data = hinge_dataset_read(path, &format, &error);
    model = data ? hinge_train(data, &parameters, NULL, &error) : NULL;
    if (!model)
        fail_msg("%s", error.message);
    if (model->result->outcome != HINGE_CERTIFIED ||
        fabs(model->result->primal - golden->optimum) > (1e-8 + golden->digits) * golden->optimum ||
        fabs(model->result->dual + golden->optimum) > (1e-8 + golden->digits) * golden->optimum)
        fail_msg("%s, C = %g, solver %d: %.10g and %.10g, not %.10g", golden->name, golden->C,
                 solver, model->result->primal, model->result->dual, golden->optimum);
    hinge_model_free(model);
    hinge_dataset_free(data);
}

static void test_known_optima(void **state)
{
    static const struct golden known[] = {
        {"a9a", 1, -1, LOSS_L1, 11433.807697, 1e-10},   {"a9a", 1, 1, LOSS_L1, 11433.700198, 1e-10},
        {"a9a", 1, -1, LOSS_L2, 13742.397304, 1e-10},   {"a9a", 1, 1, LOSS_L2, 13742.373305, 1e-10},
        {"a9a", 100, -1, LOSS_L1, 1142271.5875, 1e-10}, {"w8a", 1, -1, LOSS_L1, 6604.8866, 1e-8}};

    (void)state;
    for (size_t k = 0; k < sizeof known / sizeof *known; k++)
        if (known[k].loss == LOSS_L1)
            for (size_t s = 0; s < sizeof of_l1 / sizeof *of_l1; s++)
                check_golden(&known[k], of_l1[s]);
        else
            for (size_t s = 0; s < sizeof of_l2 / sizeof *of_l2; s++)
                check_golden(&known[k], of_l2[s]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_problems_of_every_shape_and_scale_are_certified),
        cmocka_unit_test(test_even_problems_are_certified_to_1e_9),
        cmocka_unit_test(test_impossible_gap_ends_near_the_minimum),
        cmocka_unit_test(test_any_feasible_start_leads_there),
        cmocka_unit_test(test_eps_rule_holds_on_all_rows),
        cmocka_unit_test(test_limit_of_passes_and_steps_is_kept),
        cmocka_unit_test(test_monitor_stops_an_engine),
        cmocka_unit_test(test_measuring_changes_no_bit),
        cmocka_unit_test(test_slow_descent_is_handed_over),
        cmocka_unit_test(test_known_optima),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
