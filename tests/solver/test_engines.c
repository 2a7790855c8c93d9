/* test_engines.c - the second-order engines, alone and behind coordinate descent: the certificate
 * recomputed from w, alpha and the data, the minimum by an independent method, limits and rules. */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "solver/normal.h"
#include "toy.h"

/* Numbers of the solvers with an engine; the first of each descends before. */
enum { OF_L1 = 3, OF_L2 = 2 };
static const int of_l1[OF_L1] = {3, 60, 61}, of_l2[OF_L2] = {1, 2};

static int trying; /* the solver, for messages */

/* CHECK that names the solver, too; HINGE_PROBLEM=number repeats that problem alone. */
#undef CHECK
#define CHECK(toy, condition)                                                                      \
    do {                                                                                           \
        if (!(condition))                                                                          \
            fail_msg("problem %lu (%s, C = %g), solver %d: %s", (toy)->number,                     \
                     shape_names[(toy)->draft.shape], (toy)->draft.C, trying, #condition);         \
    } while (0)

struct answer {
    double w[MOST_WIDTH];
    double alpha[MOST_ROWS];
    struct hinge_result result;
};

/* ---- Problems ----------------------------------------------------------- */

/* Whether the shape says how many rows or features there are. */
static int is_sized(enum shape shape)
{
    return shape == WIDE || shape == ONE_FEATURE || shape == ONE_ROW || shape == NO_FEATURE;
}

/* Every shape, a third of them with up to 40 rows, with features alike, of 1e-3 to 1e3, or a little
 * unlike; C = 2^-10 .. 2^10, in some 1e-6 or 1e6. */
static void toy_any(struct toy *toy, unsigned long number, enum loss loss)
{
    static const double scales[] = {1, 1, 1e3, 10};
    struct draft draft = draft_small(number);
    uint64_t state = number + 1;
    size_t rows = 0, features = draft.shape == SPARSE ? MOST_FEATURES : 1 + number / SHAPES % 12;

    draft.loss = loss;
    draft.scale = scales[number / SHAPES % 4];
    if (number % 41 == 0)
        draft.C = number % 2 ? 1e6 : 1e-6;
    if (number / SHAPES % 3 == 0 && !is_sized(draft.shape))
        rows = 16 + random_index(&state, 25);
    if (rows && draft.shape == UNLIKE_NORMS)
        draft.scale = 1; /* with 1e3 the reference finds no minimum to its eleven digits */
    toy_draw(toy, &draft, number, rows, features);
}

/* What the shapes leave out: a row on each side; rows equal up to sign, all of one margin; every
 * row once with each label; columns falling from 1e3 to 1e-3. */
static void toy_special(struct toy *toy, unsigned long number, enum loss loss)
{
    struct draft draft = draft_small(number);
    const unsigned long kind = number % 4;
    uint64_t state = number + 1;
    size_t rows = kind == 0 ? 2 : 2 * (1 + random_index(&state, 15));
    size_t features = kind == 3 ? 2 + random_index(&state, 7) : 1 + random_index(&state, 12);

    draft.shape = ORDINARY;
    draft.subset = 0;
    draft.loss = loss;
    toy_draw(toy, &draft, number, rows, features);
    for (size_t i = 0; i < rows; i++) {
        if (kind < 3)
            toy->sign[i] = i % 2 ? -1 : 1;
        for (size_t j = 0; j < features; j++)
            if (kind == 1)
                toy->table[i][j] = toy->sign[i] * toy->table[0][j];
            else if (kind == 2)
                toy->table[i][j] = toy->table[i / 2 * 2][j];
            else if (kind == 3)
                toy->table[i][j] *= pow(10, 3 - 6 * (double)j / ((double)features - 1));
    }
    compress_table(toy);
    expand_view(toy);
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
    parameters.max_passes = 100000; /* what would not end is to fail */
    return parameters;
}

/* The name of the engine that is all of a solver; NULL: it starts by coordinate descent. */
static const char *engine_of(int solver)
{
    return solver == 2 ? "newton" : solver == 60 ? "ipm" : solver == 61 ? "pnewton" : NULL;
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

    trying = solver;
    memset(answer->w, 0xff, sizeof answer->w); /* NaN: nothing may be taken from there */
    memset(&answer->result, 0xff, sizeof answer->result);
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
    const char *engine = engine_of(trying);
    size_t support = 0;

    for (size_t j = toy->width; j < MOST_WIDTH; j++)
        CHECK(toy, isnan(answer->w[j])); /* nothing behind the width is written to */
    for (size_t i = 0; i < toy->m; i++) {
        CHECK(toy, answer->alpha[i] >= 0 && answer->alpha[i] <= DBL_MAX);
        CHECK(toy, toy->draft.loss == LOSS_SQUARED_HINGE || answer->alpha[i] <= toy->cost[i]);
        support += answer->alpha[i] > 0;
    }
    CHECK(toy, fabs(result->primal - primal_of(toy, answer->w)) <= rounding(toy, answer->w));
    CHECK(toy,
          fabs(result->dual - dual_of(toy, answer->alpha)) <= dual_rounding(toy, answer->alpha));
    CHECK(toy, fabs(result->gap - fmax(gap, 0)) <= 1e-15);
    CHECK(toy, result->support_vectors == support);
    CHECK(toy, result->steps <= result->passes);
    CHECK(toy, result->engine || result->steps == 0);
    CHECK(toy, !engine || (strcmp(result->engine, engine) == 0 && result->steps == result->passes));
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

static unsigned stalls; /* trainings that ended short of the gap, and said so */

static void expect_certified(const struct toy *toy, const struct answer *answer, double gap)
{
    const struct hinge_result *result = &answer->result;

    if (result->outcome == HINGE_CERTIFIED) {
        CHECK(toy, result->gap <= gap);
        return;
    }
    CHECK(toy, result->outcome == HINGE_STALLED && result->gap > gap);
    stalls++;
    print_message("problem %lu (%s, C = %g), solver %d: stalled, gap %g, %d passes\n", toy->number,
                  shape_names[toy->draft.shape], toy->draft.C, trying, result->gap,
                  (int)result->passes);
}

static int number_wanted(unsigned long number)
{
    const char *only = getenv("HINGE_PROBLEM"); /* to repeat a failure */

    return !only || strtoul(only, NULL, 10) == number;
}

/* ---- Random problems ---------------------------------------------------- */

/* Calls judge for every solver on the problems from first to below end, of both losses. */
static void for_each(unsigned long first, unsigned long end,
                     void (*draw)(struct toy *toy, unsigned long number, enum loss loss),
                     void (*judge)(const struct toy *toy, int solver))
{
    static struct toy toy;

    for (unsigned long number = first; number < end; number++) {
        if (!number_wanted(number))
            continue;
        draw(&toy, number, LOSS_HINGE);
        for (size_t k = 0; k < OF_L1; k++)
            if (solver_find(of_l1[k]))
                judge(&toy, of_l1[k]);
        draw(&toy, number, LOSS_SQUARED_HINGE);
        for (size_t k = 0; k < OF_L2; k++)
            if (solver_find(of_l2[k]))
                judge(&toy, of_l2[k]);
    }
}

static void test_every_engine_is_registered(void **state)
{
    (void)state;
    for (size_t k = 0; k < OF_L1 + OF_L2; k++) {
        const int number = k < OF_L1 ? of_l1[k] : of_l2[k - OF_L1];
        const struct solver *solver = solver_find(number);

        assert_non_null(solver);
        assert_int_equal(solver->loss, k < OF_L1 ? LOSS_HINGE : LOSS_SQUARED_HINGE);
        assert_int_equal(solver->info.kind, HINGE_DUAL);
        assert_int_equal(solver->info.descends, engine_of(number) == NULL);
    }
}

static void judge_any(const struct toy *toy, int solver)
{
    const struct hinge_parameters parameters = parameters_for(1e-6, 0);
    static struct bracket bracket;
    struct answer answer;

    if (solver == of_l1[0] || solver == of_l2[0])
        bracket = reference(toy);
    solve(toy, solver, &parameters, NULL, &answer);
    check_certificate(toy, &answer);
    check_optimum(toy, &answer, &bracket);
    expect_certified(toy, &answer, 1e-6);
}

static void test_problems_of_every_shape_and_scale_are_certified(void **state)
{
    (void)state;
    stalls = 0;
    for_each(0, 2400, toy_any, judge_any);
    for_each(0, 800, toy_special, judge_any);
    assert_int_equal(stalls, 0);
}

static void judge_even(const struct toy *toy, int solver)
{
    const struct hinge_parameters parameters = parameters_for(1e-9, 0);
    struct answer answer;

    solve(toy, solver, &parameters, NULL, &answer);
    check_certificate(toy, &answer);
    expect_certified(toy, &answer, 1e-9);
}

static void test_even_problems_are_certified_to_1e_9(void **state)
{
    (void)state;
    stalls = 0;
    for_each(0, 600, toy_even, judge_even);
    assert_int_equal(stalls, 0);
}

/* Found among many more: 9881 stalled pnewton, the others ipm. */
static void test_problems_that_once_stalled_are_certified(void **state)
{
    (void)state;
    stalls = 0;
    for_each(9881, 9882, toy_any, judge_any);
    for_each(10442, 10443, toy_any, judge_any);
    for_each(4938, 4939, toy_even, judge_even);
    assert_int_equal(stalls, 0);
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
    for_each(0, 150, toy_even, judge_impossible);
}

/* ---- Starts ------------------------------------------------------------- */

static void judge_start(const struct toy *toy, int solver, struct answer *answer)
{
    const struct hinge_parameters parameters = parameters_for(1e-6, 0);

    solve_from(toy, solver, &parameters, NULL, answer);
    check_certificate(toy, answer);
    expect_certified(toy, answer, 1e-6);
}

static uint64_t passes_cold, passes_warm;

/* No worse: the dual point proves as much as the one that it started from. */
static void judge_own_result(const struct toy *toy, int solver)
{
    struct answer answer = {.alpha = {0}};
    struct hinge_result cold;

    judge_start(toy, solver, &answer);
    cold = answer.result;
    judge_start(toy, solver, &answer);
    CHECK(toy, answer.result.outcome == HINGE_STALLED ||
                   answer.result.primal * (1 - 1e-6) <= cold.primal * (1 + 1e-12));
    passes_cold += cold.passes;
    passes_warm += answer.result.passes;
}

static void test_a_result_is_a_good_start(void **state)
{
    (void)state;
    stalls = 0;
    passes_cold = passes_warm = 0;
    for_each(0, 600, toy_any, judge_own_result);
    assert_int_equal(stalls, 0);
    assert_true(passes_warm < passes_cold || getenv("HINGE_PROBLEM"));
}

/* Along a path over C, up and down, with the engine that was kept. */
static void judge_path(const struct toy *toy, int solver)
{
    static const double factors[] = {2, 1.0 / 1024, 1, 1024, 0.5};
    const struct hinge_parameters parameters = parameters_for(1e-6, 0);
    struct toy other = *toy;
    struct answer answer = {.alpha = {0}};
    struct normal *kept = NULL;
    struct solver_task task = {.problem = &other.problem,
                               .loss = toy->draft.loss,
                               .parameters = &parameters,
                               .problems = 1,
                               .alpha = answer.alpha,
                               .kept = &kept};
    struct hinge_error error;

    other.problem.cost = other.cost;
    for (size_t k = 0; k < sizeof factors / sizeof *factors; k++) {
        for (size_t i = 0; i < toy->m; i++) {
            other.cost[i] *= factors[k];
            answer.alpha[i] *= factors[k];
        }
        trying = solver;
        memset(answer.w, 0xff, sizeof answer.w);
        CHECK(toy, solver_find(solver)->solve(&task, answer.w, &answer.result, &error) == HINGE_OK);
        CHECK(toy, kept || !engine_of(solver));
        check_certificate(&other, &answer);
        expect_certified(&other, &answer, 1e-6);
    }
    normal_free(kept);
}

static void test_path_over_costs_is_certified(void **state)
{
    (void)state;
    stalls = 0;
    for_each(0, 200, toy_even, judge_path);
    assert_int_equal(stalls, 0);
}

/* Anywhere in the box, in its corners; of the L2-loss far beyond the minimum. */
static void judge_random_start(const struct toy *toy, int solver)
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
        judge_start(toy, solver, &answer);
    }
}

static void test_any_feasible_start_leads_there(void **state)
{
    (void)state;
    stalls = 0;
    for_each(0, 200, toy_even, judge_random_start);
    assert_int_equal(stalls, 0);
}

static void test_far_starts_of_badly_scaled_problems_lead_there(void **state)
{
    (void)state;
    stalls = 0;
    for_each(0, 300, toy_any, judge_random_start);
    assert_int_equal(stalls, 0);
}

/* Without an alpha in the task there is the same w. */
static void judge_repetition(const struct toy *toy, int solver)
{
    const struct hinge_parameters parameters = parameters_for(1e-6, 0);
    struct solver_task task = {.problem = &toy->problem,
                               .loss = toy->draft.loss,
                               .parameters = &parameters,
                               .problems = 1};
    struct answer first, second;
    struct hinge_error error;

    solve(toy, solver, &parameters, NULL, &first);
    solve(toy, solver, &parameters, NULL, &second);
    first.result.seconds = second.result.seconds = 0;
    CHECK(toy, memcmp(first.w, second.w, sizeof first.w) == 0);
    CHECK(toy, memcmp(first.alpha, second.alpha, sizeof first.alpha) == 0);
    CHECK(toy, first.result.passes == second.result.passes);
    CHECK(toy, first.result.primal == second.result.primal);
    CHECK(toy, first.result.row_visits == second.result.row_visits);
    CHECK(toy, solver_find(solver)->solve(&task, second.w, &second.result, &error) == HINGE_OK);
    CHECK(toy, memcmp(first.w, second.w, sizeof first.w) == 0);
    CHECK(toy, first.result.dual == second.result.dual);
}

static void test_same_task_gives_the_same_bits(void **state)
{
    (void)state;
    for_each(0, 300, toy_any, judge_repetition);
}

/* Class weights of 0 may leave nothing. */
static void judge_nothing(const struct toy *toy, int solver)
{
    const struct hinge_parameters parameters =
        parameters_for(toy->number % 2 ? 1e-6 : 0, toy->number % 3 ? 1e-3 : 1e-300);
    struct toy nothing = *toy;
    struct answer answer;

    nothing.m = nothing.problem.rows = 0;
    solve(&nothing, solver, &parameters, NULL, &answer);
    CHECK(toy, answer.result.outcome == HINGE_CERTIFIED && answer.result.gap == 0);
    CHECK(toy, answer.result.primal == 0 && answer.result.dual == 0);
    for (size_t j = 0; j < toy->width; j++)
        CHECK(toy, answer.w[j] == 0);
}

static void test_problem_without_rows(void **state)
{
    (void)state;
    for_each(0, SHAPES, toy_any, judge_nothing);
}

/* Costs as far from 1 as hinge_parameters_check allows: whatever is reached, it is the truth. */
static void judge_far_cost(const struct toy *toy, int solver)
{
    static const double costs[] = {1e-100, 1e-30, 1e30, 1e100};
    const struct hinge_parameters parameters = parameters_for(1e-3, 0);
    struct toy far = *toy;
    struct answer answer;

    far.problem.cost = far.cost;
    for (size_t i = 0; i < toy->m; i++)
        far.cost[i] = costs[toy->number % 4];
    solve(&far, solver, &parameters, NULL, &answer);
    check_certificate(&far, &answer);
    CHECK(toy, (answer.result.outcome == HINGE_CERTIFIED) == (answer.result.gap <= 1e-3));
    CHECK(toy, answer.result.outcome != HINGE_PASS_LIMIT); /* it would not end */
    CHECK(toy, toy->number % 4 > 1 || answer.result.outcome == HINGE_CERTIFIED);
}

static void test_far_costs_end_in_the_truth(void **state)
{
    (void)state;
    for_each(0, 120, toy_even, judge_far_cost);
}

/* ---- Larger problems ----------------------------------------------------- */

enum { LARGE_ROWS = 4000, LARGE_WIDTH = 2001, LARGE_NONZEROS = 48000 };

struct large {
    struct binary_problem problem; /* points into this struct */
    struct hinge_dataset data;
    enum loss loss;
    size_t start[LARGE_ROWS + 1];
    uint32_t index[LARGE_NONZEROS], row[LARGE_ROWS];
    double value[LARGE_NONZEROS], cost[LARGE_ROWS];
    signed char sign[LARGE_ROWS];
    double alpha[LARGE_ROWS], w[LARGE_WIDTH];
};

/* 300 or 4000 full rows of 12 features, or 30 rows of 2000, of which each has five. */
static void large_draw(struct large *large, unsigned long number, enum loss loss)
{
    uint64_t state = 0x9e3779b97f4a7c15 * (number + 1);
    const int full = number % 2 == 0;
    const size_t in_row = full ? 12 : 5, strip = full ? 1 : 400;
    struct hinge_dataset *data = &large->data;

    memset(large, 0, sizeof *large);
    *data = (struct hinge_dataset){.x = {.rows = number % 4 == 0 ? 4000
                                                 : full          ? 300
                                                                 : 30,
                                         .start = large->start,
                                         .index_kind = HINGE_INDEX_32,
                                         .value_kind = HINGE_VALUE_DOUBLE,
                                         .index = large->index,
                                         .value = large->value},
                                   .features = (uint32_t)(in_row * strip)};
    large->loss = loss;
    for (size_t i = 0; i < data->x.rows; i++) {
        data->x.start[i] = data->x.nonzeros;
        for (size_t k = 0; k < in_row; k++) {
            large->index[data->x.nonzeros] = (uint32_t)(k * strip + random_index(&state, strip));
            large->value[data->x.nonzeros++] = random_between(&state, -1, 1);
        }
        large->row[i] = (uint32_t)i;
        large->sign[i] =
            (large->value[data->x.start[i]] > 0) != (random_unit(&state) < 0.2) ? 1 : -1;
        large->cost[i] = exp2((double)(number / 2 % 5) * 4 - 8 + random_unit(&state));
    }
    data->x.start[data->x.rows] = data->x.nonzeros;
    large->problem = (struct binary_problem){
        data, (uint32_t)data->x.rows, large->row, large->sign, large->cost, number % 3 ? 1 : -1, 0};
}

/* P(w), or D(alpha) if w is NULL. */
static double large_value(const struct large *large, const double *w)
{
    static long double v[LARGE_WIDTH];
    const size_t features = large->data.features;
    const long double bias = fmax(large->problem.bias, 0);
    long double total = 0;

    memset(v, 0, sizeof v);
    for (size_t j = 0; w && j < features + (bias > 0); j++)
        v[j] = w[j];
    for (size_t i = 0; i < large->data.x.rows; i++) {
        const long double alpha = large->alpha[i], cost = large->cost[i];
        long double slack = 1 - large->sign[i] * v[features] * bias;

        for (size_t k = large->start[i]; k < large->start[i + 1]; k++) {
            slack -= large->sign[i] * v[large->index[k]] * large->value[k];
            if (!w)
                v[large->index[k]] += alpha * large->sign[i] * large->value[k];
        }
        if (w)
            total += slack > 0 ? cost * (large->loss == LOSS_HINGE ? slack : slack * slack) : 0;
        else
            total += (large->loss == LOSS_HINGE ? 0 : alpha * alpha / (4 * cost)) - alpha;
        if (!w)
            v[features] += alpha * large->sign[i] * bias;
    }
    for (size_t j = 0; j < LARGE_WIDTH; j++)
        total += v[j] * v[j] / 2;
    return (double)total;
}

/* 4000 rows are enough to start at a part of them, unless C is small: then there is no pass. */
static void check_beginning(const struct large *large, unsigned long number, int solver,
                            const struct hinge_result *result)
{
    const int descends = solver_find(solver)->info.descends;
    const int at_once = number % 4 == 0 && number / 2 % 5 > 1;
    const int small = large->problem.rows < 4000 || number / 2 % 5 < 1;

    if (descends && at_once)
        assert_true(result->engine && result->steps == result->passes);
    if (descends && small)
        assert_true(result->passes > result->steps);
}

/* The minimum lies between all -D and all P that several methods find. */
static void check_large(struct large *large, unsigned long number, int solver, int plain,
                        struct bracket *bracket)
{
    struct hinge_parameters parameters = parameters_for(plain ? 1e-3 : 1e-9, 0);
    struct solver_task task = {&large->problem, large->loss, &parameters, .problems = 1,
                               .alpha = large->alpha};
    const double *U = large->loss == LOSS_HINGE ? large->cost : NULL;
    struct hinge_result result;
    struct hinge_error error;
    int feasible = 1;

    parameters.plain = plain;
    memset(large->alpha, 0, sizeof large->alpha);
    memset(large->w, 0xff, sizeof large->w);
    assert_int_equal(solver_find(solver)->solve(&task, large->w, &result, &error), HINGE_OK);
    for (size_t i = 0; i < large->data.x.rows; i++)
        feasible &= large->alpha[i] >= 0 && large->alpha[i] <= (U ? U[i] : DBL_MAX);
    if (!plain)
        check_beginning(large, number, solver, &result);
    bracket->lower = fmax(bracket->lower, -large_value(large, NULL));
    bracket->upper = fmin(bracket->upper, large_value(large, large->w));
    if (!feasible || result.outcome != HINGE_CERTIFIED || !(result.gap <= parameters.gap) ||
        !(fabs(result.primal - large_value(large, large->w)) <= 1e-11 * result.primal) ||
        !(fabs(result.dual - large_value(large, NULL)) <= 1e-11 * result.primal) ||
        !(bracket->lower <= bracket->upper * (1 + 1e-12)))
        fail_msg("large problem %lu, solver %d, plain %d: %s, primal %.17g, dual %.17g", number,
                 solver, plain, hinge_outcome_name(result.outcome), result.primal, result.dual);
}

static void test_larger_problems_are_certified(void **state)
{
    static struct large large;

    (void)state;
    for (unsigned long number = 0; number < 40; number++)
        for (int loss = LOSS_HINGE; number_wanted(number) && loss <= LOSS_SQUARED_HINGE; loss++) {
            struct bracket bracket = {0, HUGE_VAL};

            large_draw(&large, number, (enum loss)loss);
            for (size_t k = 0; k < (loss == LOSS_HINGE ? OF_L1 : OF_L2); k++)
                check_large(&large, number, loss == LOSS_HINGE ? of_l1[k] : of_l2[k], 0, &bracket);
            if (number / 2 % 5 < 3) /* C up to 2: descent alone gets there */
                check_large(&large, number, loss == LOSS_HINGE ? 3 : 1, 1, &bracket);
        }
}

/* ---- The gradient ------------------------------------------------------- */

static long double exact_primal(const struct toy *toy, const long double *w)
{
    long double total = 0;

    for (size_t j = 0; j < toy->width; j++)
        total += w[j] * w[j] / 2;
    for (size_t i = 0; i < toy->m; i++) {
        long double slack = 0;

        for (size_t j = 0; j < toy->width; j++)
            slack += w[j] * toy->x[i][j];
        slack = 1 - toy->sign[i] * slack;
        if (slack > 0)
            total += toy->cost[i] * slack * slack;
    }
    return total;
}

/* |grad P(w)|^2 by central differences. */
static double square_of_gradient(const struct toy *toy, const double *at)
{
    const long double h = 1e-9L;
    long double w[MOST_WIDTH], square = 0;

    for (size_t j = 0; j < toy->width; j++)
        w[j] = at[j];
    for (size_t j = 0; j < toy->width; j++) {
        long double difference;

        w[j] = at[j] + h;
        difference = exact_primal(toy, w);
        w[j] = at[j] - h;
        difference -= exact_primal(toy, w);
        w[j] = at[j];
        square += difference * difference / (4 * h * h);
    }
    return (double)square;
}

/* P has curvatures from 1 to L = 1 + 2 sum C_i |x_i|^2, so that |grad|^2 / 2 is at least P - min P
 * and at most L (P - min P), of which the certificate knows an upper bound. */
static void test_gradient_of_newton_vanishes(void **state)
{
    static struct toy toy;

    (void)state;
    for (unsigned long number = 0; number < 300; number++) {
        const struct hinge_parameters parameters = parameters_for(number % 2 ? 1e-9 : 1e-2, 0);
        double most = 1, square, above, rough;
        struct bracket bracket;
        struct answer answer;

        toy_even(&toy, number, LOSS_SQUARED_HINGE);
        bracket = reference(&toy);
        solve(&toy, 2, &parameters, NULL, &answer);
        square = square_of_gradient(&toy, answer.w);
        for (size_t i = 0; i < toy.m; i++)
            most += 2 * toy.cost[i] * (quadratic(&toy, i, i) - diagonal(&toy, i));
        above = answer.result.primal * answer.result.gap;
        rough = 1e-9 * answer.result.primal; /* of a difference quotient in long double */
        CHECK(&toy, square / 2 <= most * (above + 1e-14 * answer.result.primal) + rough * rough);
        CHECK(&toy, square / 2 >= answer.result.primal - bracket.upper - rounding(&toy, answer.w) -
                                      rough * rough);
    }
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

/* That for its dual solvers: the projected gradients at w = sum alpha_i y_i x_i. Descent meets the
 * rows of its last pass one after the other: steps of at most eps / Q_jj come behind. */
static void check_dual_rule(const struct toy *toy, const struct answer *answer, double eps)
{
    const int descended = !answer->result.engine || answer->result.fallback;
    double w[MOST_WIDTH], largest = -HUGE_VAL, smallest = HUGE_VAL;

    weights_of(toy, answer->alpha, w);
    for (size_t i = 0; i < toy->m; i++) {
        const double alpha = answer->alpha[i];
        double G = margin(toy, i, w) - 1 + diagonal(toy, i) * alpha, slack = 1e-9;

        for (size_t j = 0; j < toy->m && descended; j++)
            if (quadratic(toy, j, j) > diagonal(toy, j))
                slack += eps * fabs(quadratic(toy, i, j)) / quadratic(toy, j, j);
        if (alpha == 0)
            G = fmin(G, 0);
        if (toy->draft.loss == LOSS_HINGE && alpha == toy->cost[i])
            G = fmax(G, 0);
        largest = fmax(largest, G - slack);
        smallest = fmin(smallest, G + slack);
    }
    CHECK(toy, toy->m == 0 || largest - smallest <= eps);
    CHECK(toy, largest <= eps && smallest >= -eps);
}

static void check_rule(const struct toy *toy, const struct answer *answer, double eps)
{
    check_certificate(toy, answer);
    CHECK(toy,
          answer->result.outcome ==
              (answer->result.gap <= HINGE_DEFAULT_GAP ? HINGE_CERTIFIED : HINGE_TOLERANCE_MET));
    if (trying == 2)
        check_primal_rule(toy, answer, eps);
    else
        check_dual_rule(toy, answer, eps);
}

static double rule_of(const struct toy *toy)
{
    return toy->number % 2 ? 1e-1 : 1e-4;
}

static void judge_rule(const struct toy *toy, int solver)
{
    const struct hinge_parameters parameters = parameters_for(0, rule_of(toy));
    struct answer answer;

    solve(toy, solver, &parameters, NULL, &answer);
    check_rule(toy, &answer, parameters.eps);
}

static void test_eps_rule_holds_on_all_rows(void **state)
{
    (void)state;
    for_each(0, 400, toy_even, judge_rule);
}

/* The rule is about the problem, not about the start. */
static void judge_rule_from_afar(const struct toy *toy, int solver)
{
    const struct hinge_parameters parameters = parameters_for(0, rule_of(toy));
    uint64_t state = toy->number + 1;
    struct answer answer;

    solve(toy, solver, &parameters, NULL, &answer);
    solve_from(toy, solver, &parameters, NULL, &answer);
    check_rule(toy, &answer, parameters.eps);
    for (size_t i = 0; i < toy->m; i++)
        answer.alpha[i] = random_unit(&state) * toy->cost[i];
    solve_from(toy, solver, &parameters, NULL, &answer);
    check_rule(toy, &answer, parameters.eps);
}

static void test_eps_rule_holds_from_any_start(void **state)
{
    (void)state;
    for_each(0, 400, toy_even, judge_rule_from_afar);
}

/* Of the gap and the rule the stricter one decides. An interior point comes near a bound and a
 * gradient of 0 only as the square root of their product, so that its rule cannot be as strict. */
static void judge_both_rules(const struct toy *toy, int solver)
{
    const double eps = toy->number % 2 ? 10 : solver == 60 ? 1e-4 : 1e-6;
    const struct hinge_parameters parameters = parameters_for(toy->number % 2 ? 1e-7 : 0.5, eps);
    struct answer answer;

    solve(toy, solver, &parameters, NULL, &answer);
    check_certificate(toy, &answer);
    CHECK(toy, answer.result.outcome == HINGE_CERTIFIED);
    CHECK(toy, answer.result.gap <= parameters.gap);
    if (solver == 2)
        check_primal_rule(toy, &answer, eps);
    else
        check_dual_rule(toy, &answer, eps);
}

static void test_both_rules_must_hold(void **state)
{
    (void)state;
    for_each(0, 200, toy_even, judge_both_rules);
}

/* Behind descent, too, an engine fulfils the rule; engines must have come to act. */
static void test_eps_rule_holds_behind_descent(void **state)
{
    static struct toy toy;
    int handed_over[2] = {0, 0};

    (void)state;
    for (int k = 0; k < 40; k++) {
        const struct hinge_parameters parameters = parameters_for(0, k % 4 < 2 ? 1e-2 : 1e-5);
        struct answer answer;

        toy_hard(&toy, k % 2 ? LOSS_SQUARED_HINGE : LOSS_HINGE, exp2(k / 4), 10);
        solve(&toy, k % 2 ? 1 : 3, &parameters, NULL, &answer);
        check_rule(&toy, &answer, parameters.eps);
        handed_over[k % 2] += answer.result.engine && !answer.result.fallback;
    }
    assert_true(handed_over[0] > 5 && handed_over[1] > 5);
}

/* ---- Limits and monitors ------------------------------------------------ */

/* Answers at the checkpoint of that number, from 1, and after it; goes on before. */
struct stopper {
    const struct toy *toy;
    int at;
    enum hinge_answer answer;
    int seen;
    int stopped; /* it answered, and not only to the last word */
    struct hinge_progress last;
};

/* What is measured at the moment bounds the minimum; passes count up by one. */
static enum hinge_answer stop_there(void *context, const struct hinge_progress *progress)
{
    struct stopper *stopper = context;
    const struct toy *toy = stopper->toy;

    CHECK(toy, progress->rows == toy->m && progress->active <= toy->m);
    CHECK(toy, progress->steps <= progress->passes && (progress->engine || progress->steps == 0));
    CHECK(toy, progress->passes - stopper->last.passes <= 1 && !stopper->last.last);
    CHECK(toy, stopper->seen > 0 || progress->passes == 0);
    if (progress->measured) {
        CHECK(toy, progress->primal + progress->dual >= -rounding(toy, progress->w));
        CHECK(toy,
              fabs(progress->primal - primal_of(toy, progress->w)) <= rounding(toy, progress->w));
    }
    stopper->last = *progress;
    if (++stopper->seen < stopper->at)
        return HINGE_GO_ON;
    stopper->stopped += !progress->last;
    return stopper->answer;
}

static void judge_limits(const struct toy *toy, int solver)
{
    struct hinge_parameters parameters = parameters_for(1e-9, 0);
    struct answer answer;

    for (uint64_t most = 1; most <= 12; most++) {
        parameters.max_passes = most;
        solve(toy, solver, &parameters, NULL, &answer);
        check_certificate(toy, &answer);
        CHECK(toy, answer.result.passes == most ||
                       (answer.result.passes < most && answer.result.gap <= 1e-9));
        CHECK(toy, answer.result.outcome ==
                       (answer.result.gap <= 1e-9 ? HINGE_CERTIFIED : HINGE_PASS_LIMIT));
    }
}

static void test_limit_of_passes_and_steps_is_kept(void **state)
{
    (void)state;
    for_each(0, 60, toy_even, judge_limits);
}

static int stops_of_engines; /* that no test is empty */

static void judge_stops(const struct toy *toy, int solver)
{
    const struct hinge_parameters parameters = parameters_for(1e-300, 0);

    for (int at = 1; at <= 12; at++) {
        const int interrupts = at % 2;
        struct stopper stopper = {.toy = toy, .at = at};
        struct hinge_monitor monitor = {stop_there, &stopper, NULL};
        struct answer answer;

        stopper.answer = interrupts ? HINGE_INTERRUPT : HINGE_OUT_OF_TIME;
        solve(toy, solver, &parameters, &monitor, &answer);
        check_certificate(toy, &answer);
        CHECK(toy, stopper.last.last && stopper.last.passes == answer.result.passes);
        CHECK(toy, stopper.stopped <= 1);
        if (stopper.stopped && interrupts)
            CHECK(toy, answer.result.outcome == HINGE_INTERRUPTED);
        else if (stopper.stopped)
            CHECK(toy, answer.result.outcome == HINGE_TIME_LIMIT || answer.result.gap == 0);
        else
            CHECK(toy, answer.result.outcome ==
                           (answer.result.gap == 0 ? HINGE_CERTIFIED : HINGE_STALLED));
        stops_of_engines += stopper.stopped && answer.result.engine;
    }
}

static void test_monitor_stops_an_engine(void **state)
{
    (void)state;
    stops_of_engines = 0;
    for_each(0, 60, toy_even, judge_stops);
    assert_true(stops_of_engines > 500 || getenv("HINGE_PROBLEM"));
}

static void judge_measuring(const struct toy *toy, int solver)
{
    const struct hinge_parameters parameters = parameters_for(1e-9, 0);
    struct stopper always = {.toy = toy, .answer = HINGE_MEASURE};
    struct hinge_monitor monitor = {stop_there, &always, NULL};
    struct answer alone, measured;

    solve(toy, solver, &parameters, NULL, &alone);
    solve(toy, solver, &parameters, &monitor, &measured);
    CHECK(toy, memcmp(alone.w, measured.w, sizeof alone.w) == 0);
    CHECK(toy, memcmp(alone.alpha, measured.alpha, sizeof alone.alpha) == 0);
    CHECK(toy, alone.result.passes == measured.result.passes);
    CHECK(toy, (uint64_t)always.seen > measured.result.passes);
}

static void test_measuring_changes_no_bit(void **state)
{
    (void)state;
    for_each(0, 150, toy_any, judge_measuring);
}

/* ---- Handing over ------------------------------------------------------- */

/* Where coordinate descent needs very many passes an engine ends it in few; not if it is not to. */
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
        solve(&toy, k ? 1 : 3, &parameters, NULL, &answer);
        CHECK(&toy, answer.result.outcome == HINGE_CERTIFIED && answer.result.steps > 0);
        CHECK(&toy, strcmp(answer.result.engine, k ? "newton" : "pnewton") == 0);
        together = answer.result.passes;
        parameters.plain = 1;
        parameters.max_passes = 0;
        solve(&toy, k ? 1 : 3, &parameters, NULL, &answer);
        CHECK(&toy, answer.result.outcome == HINGE_CERTIFIED && answer.result.steps == 0);
        CHECK(&toy, !answer.result.engine && answer.result.passes > 20 * together);
    }
}

/* ---- Known optima of real data ------------------------------------------ */

struct golden {
    enum loss loss;
    double C;
    double bias;
    double optimum;
    double digits; /* relative uncertainty of the optimum as it was printed */
};

static void check_model(const struct hinge_model *model, const struct golden *golden, int solver)
{
    const struct hinge_result *result = model->result;
    const double tolerance = (1e-8 + golden->digits) * golden->optimum;

    if (result->outcome != HINGE_CERTIFIED ||
        !(fabs(result->primal - golden->optimum) <= tolerance) ||
        !(fabs(result->dual + golden->optimum) <= tolerance))
        fail_msg("C = %g, bias %g, solver %d: %s, %.10g and %.10g, not %.10g", golden->C,
                 golden->bias, solver, hinge_outcome_name(result->outcome), result->primal,
                 result->dual, golden->optimum);
}

static void check_golden(const char *name, const struct golden *golden, size_t count)
{
    const struct hinge_format format = {0, 0};
    const char *path = data_path(name);
    struct hinge_error error;
    struct hinge_dataset *data;

    if (!path)
        skip();
    data = hinge_dataset_read(path, &format, &error);
    assert_non_null(data);
    for (; count > 0; count--, golden++)
        for (size_t k = 0; k < (golden->loss == LOSS_HINGE ? OF_L1 : OF_L2); k++) {
            struct hinge_parameters parameters = parameters_for(1e-8, 0);
            struct hinge_model *model;

            parameters.solver = golden->loss == LOSS_HINGE ? of_l1[k] : of_l2[k];
            parameters.C = golden->C;
            parameters.bias = golden->bias;
            model = hinge_train(data, &parameters, NULL, &error);
            if (!model)
                fail_msg("solver %d: %s", parameters.solver, error.message);
            check_model(model, golden, parameters.solver);
            hinge_model_free(model);
        }
    hinge_dataset_free(data);
}

static void test_known_optima_of_a9a(void **state)
{
    static const struct golden golden[] = {{LOSS_HINGE, 1, -1, 11433.807697, 1e-10},
                                           {LOSS_HINGE, 1, 1, 11433.700198, 1e-10},
                                           {LOSS_SQUARED_HINGE, 1, -1, 13742.397304, 1e-10},
                                           {LOSS_SQUARED_HINGE, 1, 1, 13742.373305, 1e-10},
                                           {LOSS_HINGE, 100, -1, 1142271.5875, 1e-10}};

    (void)state;
    check_golden("a9a", golden, sizeof golden / sizeof *golden);
}

static void test_known_optimum_of_w8a(void **state)
{
    static const struct golden golden = {LOSS_HINGE, 1, -1, 6604.8866, 1e-8};

    (void)state;
    check_golden("w8a", &golden, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_engine_is_registered),
        cmocka_unit_test(test_problems_of_every_shape_and_scale_are_certified),
        cmocka_unit_test(test_even_problems_are_certified_to_1e_9),
        cmocka_unit_test(test_problems_that_once_stalled_are_certified),
        cmocka_unit_test(test_impossible_gap_ends_near_the_minimum),
        cmocka_unit_test(test_a_result_is_a_good_start),
        cmocka_unit_test(test_path_over_costs_is_certified),
        cmocka_unit_test(test_any_feasible_start_leads_there),
        cmocka_unit_test(test_far_starts_of_badly_scaled_problems_lead_there),
        cmocka_unit_test(test_same_task_gives_the_same_bits),
        cmocka_unit_test(test_problem_without_rows),
        cmocka_unit_test(test_far_costs_end_in_the_truth),
        cmocka_unit_test(test_larger_problems_are_certified),
        cmocka_unit_test(test_gradient_of_newton_vanishes),
        cmocka_unit_test(test_eps_rule_holds_on_all_rows),
        cmocka_unit_test(test_eps_rule_holds_from_any_start),
        cmocka_unit_test(test_both_rules_must_hold),
        cmocka_unit_test(test_eps_rule_holds_behind_descent),
        cmocka_unit_test(test_limit_of_passes_and_steps_is_kept),
        cmocka_unit_test(test_monitor_stops_an_engine),
        cmocka_unit_test(test_measuring_changes_no_bit),
        cmocka_unit_test(test_slow_descent_is_handed_over),
        cmocka_unit_test(test_known_optima_of_a9a),
        cmocka_unit_test(test_known_optimum_of_w8a),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
