/* test_solver.c - dual coordinate descent against a dense interior-point method, the certificate
 * recomputed from the weights, limits, monitors, parameters. */
#include "support.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "solver/calendar.h"
#include "toy.h"

/* ---- Solving and judging ------------------------------------------------ */

struct answer {
    double w[MOST_WIDTH];
    struct hinge_result result;
};

/* What the solver is told about its place among the binary problems. */
enum { POSITION = 2, PROBLEMS = 5 };

static void solve(const struct toy *toy, const struct hinge_parameters *parameters,
                  const struct hinge_monitor *monitor, struct answer *answer)
{
    struct solver_task task = {.problem = &toy->problem,
                               .loss = toy->draft.loss,
                               .parameters = parameters,
                               .monitor = monitor,
                               .position = POSITION,
                               .problems = PROBLEMS,
                               .positive = 1};
    struct hinge_error error;

    memset(answer, 0xff, sizeof *answer); /* NaN: nothing may be taken from there */
    CHECK(toy, solver_find(toy->draft.loss == LOSS_HINGE ? 3 : 1)
                       ->solve(&task, answer->w, &answer->result, &error) == HINGE_OK);
}

static struct hinge_parameters parameters_for(double gap, double eps)
{
    struct hinge_parameters parameters = hinge_parameters_default();

    parameters.gap = gap;
    parameters.eps = eps;
    parameters.plain = 1; /* test_engines.c has the rest */
    return parameters;
}

/* The result says the truth about the weights. */
static void check_certificate(const struct toy *toy, const struct answer *answer)
{
    const struct hinge_result *result = &answer->result;
    double gap = (result->primal + result->dual) / fmax(fabs(result->primal), DBL_MIN);
    double tolerance = rounding(toy, answer->w);

    CHECK(toy, fabs(result->primal - primal_of(toy, answer->w)) <= tolerance);
    CHECK(toy, result->primal + result->dual >= -tolerance);
    CHECK(toy, fabs(result->gap - (gap > 0 ? gap : 0)) <= 1e-15);
    CHECK(toy, result->support_vectors <= toy->m);
    CHECK(toy, result->row_visits <= result->passes * toy->m);
    CHECK(toy, result->seconds >= 0);
}

/* The certificate bounds the distance from the minimum, which the reference knows. */
static void check_optimum(const struct toy *toy, const struct answer *answer,
                          const struct bracket *bracket)
{
    const struct hinge_result *result = &answer->result;
    double tolerance = rounding(toy, answer->w);

    CHECK(toy, result->primal >= bracket->lower - tolerance);
    CHECK(toy, -result->dual <= bracket->upper + tolerance);
    CHECK(toy, result->primal * (1 - result->gap) <= bracket->upper + tolerance);
}

static void test_random_problems_are_certified(void **state)
{
    static struct toy toy;

    (void)state;
    for (unsigned long number = 0; number < 3000; number++) {
        struct hinge_parameters parameters = parameters_for(number % 4 == 3 ? 1e-3 : 1e-6, 0);
        struct bracket bracket;
        struct answer answer;

        toy_small(&toy, number);
        bracket = reference(&toy);
        solve(&toy, &parameters, NULL, &answer);
        check_certificate(&toy, &answer);
        check_optimum(&toy, &answer, &bracket);
        CHECK(&toy, answer.result.outcome == HINGE_CERTIFIED);
        CHECK(&toy, answer.result.gap <= parameters.gap);
    }
}

/* Class weights of 0 may leave nothing. */
static void test_problem_without_rows(void **state)
{
    static struct toy toy;
    struct hinge_parameters parameters = parameters_for(1e-3, 0);
    struct answer answer;

    (void)state;
    for (unsigned long number = 0; number < 20; number++) {
        toy_small(&toy, number);
        toy.m = toy.problem.rows = 0;
        solve(&toy, &parameters, NULL, &answer);
        CHECK(&toy, answer.result.outcome == HINGE_CERTIFIED);
        CHECK(&toy, answer.result.primal == 0 && answer.result.dual == 0);
        CHECK(&toy, answer.result.gap == 0 && answer.result.support_vectors == 0);
        for (size_t j = 0; j < toy.width; j++)
            CHECK(&toy, answer.w[j] == 0);
    }
}

/* ---- LIBLINEAR's rule --------------------------------------------------- */

/* How large P + D can be when every projected gradient of the last pass was at most eps: a step
 * moves alpha_j by at most eps / Q_jj, and with it G_i by |Q_ij| as much, so that afterwards the
 * violation of row i is at most delta_i = eps sum_j |Q_ij| / Q_jj (and the 1e-12 that the solver
 * does not chase); its term of the gap is then at most C_i delta_i for the L1-loss and
 * 2 C_i delta_i^2 for the L2-loss. */
static double gap_after_rule(const struct toy *toy, double eps)
{
    double total = 0;

    for (size_t i = 0; i < toy->m; i++) {
        double delta = 1e-12;

        for (size_t j = 0; j < toy->m; j++)
            if (quadratic(toy, j, j) > diagonal(toy, j))
                delta += eps * fabs(quadratic(toy, i, j)) / quadratic(toy, j, j);
        total += toy->cost[i] * (toy->draft.loss == LOSS_HINGE ? delta : 2 * delta * delta);
    }
    return total;
}

static void check_rule(const struct toy *toy, const struct answer *answer, double eps)
{
    const struct hinge_result *result = &answer->result;
    double bound = gap_after_rule(toy, eps) + rounding(toy, answer->w);

    check_certificate(toy, answer);
    CHECK(toy, result->primal + result->dual <= bound);
    CHECK(toy, result->primal - reference(toy).upper <= bound);
}

static void test_eps_rule_holds_on_all_rows(void **state)
{
    static struct toy toy;
    struct hinge_parameters parameters = parameters_for(0, 1e-8);
    struct answer answer;

    (void)state;
    for (unsigned long number = 0; number < 600; number++) {
        toy_tame(&toy, number);
        solve(&toy, &parameters, NULL, &answer);
        check_rule(&toy, &answer, parameters.eps);
        CHECK(&toy, answer.result.outcome == HINGE_CERTIFIED);
    }
}

/* Where the rule stops a training early, the outcome does not claim the gap. */
static void test_loose_eps_is_not_called_certified(void **state)
{
    static struct toy toy;
    struct hinge_parameters parameters = parameters_for(0, 0);
    size_t tolerance_met = 0;
    struct answer answer;

    (void)state;
    for (unsigned long number = 0; number < 600; number++) {
        toy_tame(&toy, number);
        parameters.eps = number % 2 ? 10 : 0.1;
        solve(&toy, &parameters, NULL, &answer);
        check_rule(&toy, &answer, parameters.eps);
        CHECK(&toy,
              answer.result.outcome ==
                  (answer.result.gap <= HINGE_DEFAULT_GAP ? HINGE_CERTIFIED : HINGE_TOLERANCE_MET));
        tolerance_met += answer.result.outcome == HINGE_TOLERANCE_MET;
    }
    assert_true(tolerance_met > 100);
}

/* Two rows with a positive product and the optimum inside the box: the two gradients of a pass have
 * opposite signs, so that their spread is larger than either. */
static void toy_pair(struct toy *toy)
{
    static const double table[2][2] = {{1, 0}, {0.9, 0.5}};
    struct draft draft = {ORDINARY, 100, 0, -1, 0, 1, LOSS_HINGE};

    toy_draw(toy, &draft, 1, 2, 2);
    for (size_t i = 0; i < 2; i++) {
        memcpy(toy->table[i], table[i], sizeof table[i]);
        toy->sign[i] = 1;
    }
    compress_table(toy);
    expand_view(toy);
}

/* alpha after so many passes, found from w, which is table[0] alpha[0] + table[1] alpha[1]. */
static void pair_alpha(const struct toy *toy, struct hinge_parameters parameters, uint64_t passes,
                       double *alpha)
{
    struct answer answer;

    alpha[0] = alpha[1] = 0;
    if (passes == 0)
        return;
    parameters.max_passes = passes;
    solve(toy, &parameters, NULL, &answer);
    alpha[1] = answer.w[1] / toy->x[1][1];
    alpha[0] = answer.w[0] - toy->x[1][0] * alpha[1];
}

/* The gradients that a pass from alpha met, both rows visited in either order or one alone, and
 * alpha behind it. */
static void pair_pass(const struct toy *toy, size_t first, size_t visits, double *alpha, double *G)
{
    for (size_t k = 0; k < visits; k++) {
        const size_t i = k == 0 ? first : 1 - first;

        G[k] = quadratic(toy, i, 0) * alpha[0] + quadratic(toy, i, 1) * alpha[1] - 1;
        alpha[i] -= G[k] / quadratic(toy, i, i);
    }
}

/* LIBLINEAR's rule: the gradients near 0 and to each other. */
static int pair_keeps_rule(const double *G, double eps)
{
    return fabs(G[0]) <= eps && fabs(G[1]) <= eps && fabs(G[0] - G[1]) <= eps;
}

/* Of the passes that lead from one alpha to the other, which ones fulfil the rule: with the
 * gradients they met, all rows visited, or with that of one row and those of all behind it. A row
 * that the pass before visited last is where it is best, and whether this one began with it cannot
 * be told. */
static void pair_rule(const struct toy *toy, const double *from, const double *to, double eps,
                      int *some, int *all)
{
    *some = 0;
    *all = 1;
    for (size_t way = 0; way < 4; way++) {
        const size_t visits = 2 - way / 2;
        double alpha[2] = {from[0], from[1]}, G[2] = {0, 0}, behind[2];
        int met;

        pair_pass(toy, way % 2, visits, alpha, G);
        if (fabs(alpha[0] - to[0]) + fabs(alpha[1] - to[1]) > 1e-12)
            continue;
        for (size_t i = 0; i < 2; i++)
            behind[i] = quadratic(toy, i, 0) * to[0] + quadratic(toy, i, 1) * to[1] - 1;
        met = pair_keeps_rule(G, eps) && (visits == 2 || pair_keeps_rule(behind, eps));
        *some |= met;
        *all &= met;
    }
}

static void test_eps_rule_stops_at_the_first_pass_that_meets_it(void **state)
{
    size_t told = 0, passes = 0;
    static struct toy toy;

    (void)state;
    toy_pair(&toy);
    for (int k = 0; k < 60; k++) {
        struct hinge_parameters parameters = parameters_for(0, exp2(-2 - k % 20));
        struct answer answer;

        parameters.seed = (uint64_t)k;
        solve(&toy, &parameters, NULL, &answer);
        for (uint64_t pass = 1; pass <= answer.result.passes; pass++) {
            double from[2], to[2];
            int some, all;

            pair_alpha(&toy, parameters, pass - 1, from);
            pair_alpha(&toy, parameters, pass, to);
            pair_rule(&toy, from, to, parameters.eps, &some, &all);
            CHECK(&toy, pass == answer.result.passes ? some : !all);
            told += some == all;
            passes++;
        }
    }
    assert_true(2 * told > passes);
}

/* With both rules the stricter one decides, whichever it is. */
static void test_both_rules_must_hold(void **state)
{
    static const double demand[][2] = {{1e-6, 1e-3}, {0.5, 1e-8}, {1e-6, 10}};
    static struct toy toy;
    struct answer answer;

    (void)state;
    for (unsigned long number = 0; number < 600; number++) {
        struct hinge_parameters parameters =
            parameters_for(demand[number % 3][0], demand[number % 3][1]);

        toy_tame(&toy, number);
        solve(&toy, &parameters, NULL, &answer);
        check_rule(&toy, &answer, parameters.eps);
        CHECK(&toy, answer.result.outcome == HINGE_CERTIFIED);
        CHECK(&toy, answer.result.gap <= parameters.gap);
    }
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
        for (size_t k = 0; k < sizeof limits / sizeof *limits; k++) {
            struct hinge_parameters parameters = parameters_for(1e-9, k % 2 ? 1e-9 : 0);

            parameters.max_passes = limits[k];
            solve(&toy, &parameters, NULL, &answer);
            check_certificate(&toy, &answer);
            check_optimum(&toy, &answer, &bracket);
            CHECK(&toy, answer.result.passes == limits[k]);
            CHECK(&toy, answer.result.outcome == HINGE_PASS_LIMIT);
            CHECK(&toy, answer.result.gap > 1e-9);
        }
    }
}

/* A limit that is met together with the gap does not hide it. */
static void test_limit_with_gap_met_is_certified(void **state)
{
    static struct toy toy;
    struct hinge_parameters parameters = parameters_for(1e-2, 0);
    size_t certified = 0, limited = 0;
    struct answer answer;

    (void)state;
    toy_hard(&toy, LOSS_SQUARED_HINGE, 1, 1);
    for (parameters.max_passes = 1; parameters.max_passes < 60; parameters.max_passes++) {
        solve(&toy, &parameters, NULL, &answer);
        check_certificate(&toy, &answer);
        CHECK(&toy, answer.result.outcome ==
                        (answer.result.gap <= 1e-2 ? HINGE_CERTIFIED : HINGE_PASS_LIMIT));
        certified += answer.result.outcome == HINGE_CERTIFIED;
        limited += answer.result.outcome == HINGE_PASS_LIMIT;
    }
    assert_true(certified > 0 && limited > 0);
}

/* A demand that no double can meet ends all the same, close to the optimum. */
static void test_impossible_gap_ends_stalled(void **state)
{
    static struct toy toy;
    struct hinge_parameters parameters = parameters_for(1e-300, 0);
    size_t stalled = 0;
    struct answer answer;

    (void)state;
    for (unsigned long number = 0; number < 600; number++) {
        struct draft scaled = {ORDINARY, exp2((double)(number % 10) - 8), 0, number % 3 ? -1 : 1, 0,
                               100, /* features from 1/100 to 100 in one row */
                               LOSS_HINGE};

        scaled.loss = number % 2 ? LOSS_HINGE : LOSS_SQUARED_HINGE;
        if (number < 500)
            toy_tame(&toy, number);
        else
            toy_draw(&toy, &scaled, number, 10, 5);
        solve(&toy, &parameters, NULL, &answer);
        check_certificate(&toy, &answer);
        CHECK(&toy, answer.result.gap <= 1e-9);
        CHECK(&toy,
              answer.result.outcome == (answer.result.gap == 0 ? HINGE_CERTIFIED : HINGE_STALLED));
        stalled += answer.result.outcome == HINGE_STALLED;
    }
    assert_true(stalled > 100);
}

/* Separable rows have small alphas however large C is: a double resolves z_i to 1e-16, so that
 * C = 1e12 leaves an error of 1e-4 in P, and "stalled" would be a lie. */
static void test_large_cost_is_not_called_stalled(void **state)
{
    static const double table[5][2] = {{1, 0.3}, {-0.5, 0.7}, {0.8, -0.2}, {-1, -0.1}, {0.1, -0.9}};
    static const double costs[] = {1e3, 1e6, 1e9, 1e12};
    static struct toy toy;
    struct hinge_parameters parameters = parameters_for(1e-3, 0);
    struct draft draft = {SEPARABLE, 1, 0, -1, 0, 1, LOSS_HINGE};
    struct answer answer;

    (void)state;
    for (size_t k = 0; k < 2 * sizeof costs / sizeof *costs; k++) {
        draft.loss = k % 2 ? LOSS_SQUARED_HINGE : LOSS_HINGE;
        draft.C = costs[k / 2];
        toy_draw(&toy, &draft, k, 5, 2);
        for (size_t i = 0; i < 5; i++) {
            memcpy(toy.table[i], table[i], sizeof table[i]);
            toy.sign[i] = i % 2 ? -1 : 1;
        }
        compress_table(&toy);
        expand_view(&toy);
        solve(&toy, &parameters, NULL, &answer);
        check_certificate(&toy, &answer);
        CHECK(&toy, answer.result.outcome == HINGE_CERTIFIED);
    }
}

/* ---- Monitors ----------------------------------------------------------- */

struct watch {
    const struct toy *toy;
    enum hinge_answer answer; /* given from pass `from` on; before, HINGE_GO_ON */
    uint64_t from;
    uint64_t calls;
    uint64_t measured; /* calls with a measurement of the moment */
    struct hinge_progress last;
};

/* Objectives of the moment bound each other, and the dual never rises. */
static void check_measurement(struct watch *watch, const struct hinge_progress *progress)
{
    double slack = 1e-10 * progress->primal;

    CHECK(watch->toy, progress->primal + progress->dual >= -slack);
    CHECK(watch->toy,
          fabs(progress->gap - (progress->primal + progress->dual) / progress->primal) <= 1e-10);
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
    CHECK(toy, progress->rows == toy->m && progress->active <= toy->m);
    CHECK(toy, progress->measured == 0 || progress->measured == 1);
    if (watch->calls == 0)
        CHECK(toy, progress->passes == 0 && progress->row_visits == 0);
    else if (again) /* only to hand over what was asked for, or to say that this is the end */
        CHECK(toy, progress->measured &&
                       (progress->last || (watch->answer == HINGE_MEASURE && !last->measured)));
    else
        CHECK(toy, progress->passes == last->passes + 1 &&
                       progress->row_visits >= last->row_visits &&
                       progress->row_visits <= last->row_visits + toy->m);
    if (progress->measured)
        check_measurement(watch, progress);
    else if (watch->measured == 0)
        CHECK(toy, isnan(progress->primal) && isnan(progress->dual) && isnan(progress->gap) &&
                       progress->nonzeros == 0);
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
        struct hinge_monitor monitor = {look, &watch, NULL};
        struct hinge_parameters parameters = parameters_for(1e-6, 0);

        parameters.max_passes = number % 2 ? 5 : 0;
        if (number < 90)
            toy_tame(&toy, number);
        else
            toy_hard(&toy, number % 4 < 2 ? LOSS_HINGE : LOSS_SQUARED_HINGE, exp2((double)number - 94), 1);
        solve(&toy, &parameters, &monitor, &answer);
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
        struct hinge_monitor monitor = {look, &watch, NULL};
        struct hinge_parameters parameters = parameters_for(1e-6, number % 2 ? 1e-4 : 0);

        if (number < 180)
            toy_tame(&toy, number);
        else
            toy_hard(&toy, number % 4 < 2 ? LOSS_HINGE : LOSS_SQUARED_HINGE, exp2((double)number - 190), 1);
        solve(&toy, &parameters, NULL, &answer);
        solve(&toy, &parameters, &monitor, &watched);
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
    struct hinge_parameters parameters = parameters_for(1e-9, 0);
    struct answer answer;

    (void)state;
    for (int loss = LOSS_HINGE; loss <= LOSS_SQUARED_HINGE; loss++) {
        struct bracket bracket;

        toy_hard(&toy, (enum loss)loss, 100, 1);
        bracket = reference(&toy);
        for (uint64_t from = 0; from < 20; from++) {
            struct watch watch = {.toy = &toy, .from = from};
            struct hinge_monitor monitor = {look, &watch, NULL};

            watch.answer = from % 2 ? HINGE_OUT_OF_TIME : HINGE_INTERRUPT;
            solve(&toy, &parameters, &monitor, &answer);
            check_certificate(&toy, &answer);
            check_optimum(&toy, &answer, &bracket);
            CHECK(&toy, answer.result.outcome == meaning[watch.answer]);
            CHECK(&toy, answer.result.passes == from);
        }
    }
}

/* At the start the gap is 1, or less where rows are solved without a pass: a limit may find the gap
 * met, but an interruption is reported as one whatever was reached. */
static void test_interruption_is_never_called_certified(void **state)
{
    static struct toy toy;
    struct hinge_parameters parameters = parameters_for(1.5, 0);
    struct answer answer;

    (void)state;
    for (unsigned long number = 0; number < 100; number++) {
        struct watch watch = {.toy = &toy};
        struct hinge_monitor monitor = {look, &watch, NULL};

        toy_tame(&toy, number);
        watch.answer = number % 2 ? HINGE_OUT_OF_TIME : HINGE_INTERRUPT;
        solve(&toy, &parameters, &monitor, &answer);
        check_certificate(&toy, &answer);
        CHECK(&toy, answer.result.passes == 0 && answer.result.gap <= 1);
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
    struct hinge_parameters parameters = parameters_for(1e-9, 0);
    struct answer answer;

    (void)state;
    parameters.max_passes = 3;
    toy_hard(&toy, LOSS_HINGE, 100, 1);
    for (unsigned code = 0; code < 64; code++) {
        struct voter voter[] = {{(enum hinge_answer)(code % 4), 0},
                                {(enum hinge_answer)(code / 4 % 4), 0},
                                {(enum hinge_answer)(code / 16), 0}};
        struct hinge_monitor last = {vote, &voter[2], NULL}, middle = {vote, &voter[1], &last};
        struct hinge_monitor first = {vote, &voter[0], &middle};
        enum hinge_answer most = HINGE_GO_ON;

        for (int k = 0; k < 3; k++)
            most = voter[k].answer > most ? voter[k].answer : most;
        solve(&toy, &parameters, &first, &answer);
        CHECK(&toy, answer.result.outcome == outcome[most]);
        CHECK(&toy, answer.result.passes == (most < HINGE_OUT_OF_TIME ? 3 : 0));
        CHECK(&toy, voter[0].calls > 0 && voter[1].calls == voter[0].calls &&
                        voter[2].calls == voter[0].calls);
    }
}

/* ---- Objectives --------------------------------------------------------- */

static void draw_weights(const struct toy *toy, double *w, uint64_t *state)
{
    for (size_t j = 0; j < toy->width; j++)
        w[j] = random_between(state, -2, 2);
}

/* Feasible, with some at each bound. */
static void draw_alpha(const struct toy *toy, double *alpha, uint64_t *state)
{
    for (size_t i = 0; i < toy->m; i++) {
        double u = random_between(state, -0.3, 1.3);

        alpha[i] = toy->cost[i] * (u < 0 ? 0 : u > 1 ? 1 : u);
        if (toy->draft.loss == LOSS_SQUARED_HINGE)
            alpha[i] *= 4;
    }
}

/* dP / dw_j */
static double primal_slope(const struct toy *toy, const double *w, size_t j)
{
    double slope = w[j];

    for (size_t i = 0; i < toy->m; i++) {
        double z = margin(toy, i, w), factor = toy->draft.loss == LOSS_HINGE ? 1 : 2 * (1 - z);

        if (z < 1)
            slope -= toy->cost[i] * factor * toy->sign[i] * toy->x[i][j];
    }
    return slope;
}

/* Whether a row's loss bends between w_j - h and w_j + h. */
static int bends(const struct toy *toy, const double *w, size_t j, double h)
{
    for (size_t i = 0; i < toy->m; i++)
        if (fabs(1 - margin(toy, i, w)) <= h * fabs(toy->x[i][j]))
            return 1;
    return 0;
}

/* P is quadratic between the bends, so that central differences are exact up to rounding. */
static void test_primal_agrees_with_its_gradient(void **state)
{
    static struct toy toy;
    const double h = 1.0 / 64, alpha[MOST_ROWS] = {0};
    uint64_t random = 11;
    size_t checked = 0;

    (void)state;
    for (unsigned long number = 0; number < 300; number++) {
        double w[MOST_WIDTH];

        toy_small(&toy, number);
        draw_weights(&toy, w, &random);
        for (size_t j = 0; j < toy.width; j++) {
            double at = w[j], difference, slope = primal_slope(&toy, w, j);

            if (bends(&toy, w, j, h))
                continue;
            w[j] = at + h;
            difference = objective_measure(&toy.problem, toy.draft.loss, w, alpha, w).primal;
            w[j] = at - h;
            difference -= objective_measure(&toy.problem, toy.draft.loss, w, alpha, w).primal;
            w[j] = at;
            CHECK(&toy, fabs(difference / (2 * h) - slope) <= rounding(&toy, w) / h);
            checked++;
        }
    }
    assert_true(checked > 500);
}

static double measured_dual(const struct toy *toy, const double *alpha)
{
    double w[MOST_WIDTH];

    binary_weights(&toy->problem, alpha, w);
    return objective_measure(&toy->problem, toy->draft.loss, w, alpha, w).dual;
}

/* dD / dalpha_i = y_i <w, x_i> - 1 + d_i alpha_i, the G_i of the descent. */
static void test_dual_agrees_with_its_gradient(void **state)
{
    static struct toy toy;
    uint64_t random = 12;

    (void)state;
    for (unsigned long number = 0; number < 300; number++) {
        double alpha[MOST_ROWS], w[MOST_WIDTH], size = 0, longest = 0;

        toy_small(&toy, number);
        draw_alpha(&toy, alpha, &random);
        weights_of(&toy, alpha, w);
        for (size_t i = 0; i < toy.m; i++) {
            size += alpha[i] * (1 + diagonal(&toy, i) * alpha[i]);
            longest += alpha[i] * sqrt(quadratic(&toy, i, i) - diagonal(&toy, i));
        }
        size += longest * longest; /* of |w| if nothing in it cancelled */
        for (size_t i = 0; i < toy.m; i++) {
            double at = alpha[i], h = toy.cost[i] / 8, difference;
            double slope = margin(&toy, i, w) - 1 + diagonal(&toy, i) * at;

            alpha[i] = at + h;
            difference = measured_dual(&toy, alpha);
            alpha[i] = at - h;
            difference -= measured_dual(&toy, alpha);
            alpha[i] = at;
            CHECK(&toy, fabs(difference / (2 * h) - slope) <= 1e-13 * (1 + size) / h);
        }
    }
}

/* The term of row i in the identity at the head of dcd.c. */
static double gap_term(const struct toy *toy, const double *w, const double *alpha, size_t i)
{
    double z = margin(toy, i, w);

    return toy->cost[i] * loss_of(toy, z) + diagonal(toy, i) * alpha[i] * alpha[i] / 2 -
           alpha[i] * (1 - z);
}

/* P(w) + D(alpha) is a sum of one term a row, none negative: what the estimate of a pass and the
 * setting aside of rows rest on. */
static void test_gap_is_the_sum_of_its_terms(void **state)
{
    static struct toy toy;
    uint64_t random = 13;

    (void)state;
    for (unsigned long number = 0; number < 1000; number++) {
        double alpha[MOST_ROWS], w[MOST_WIDTH], formed[MOST_WIDTH], total = 0, size = 1;
        struct objective objective;

        toy_small(&toy, number);
        draw_alpha(&toy, alpha, &random);
        weights_of(&toy, alpha, w);
        binary_weights(&toy.problem, alpha, formed);
        objective = objective_measure(&toy.problem, toy.draft.loss, formed, alpha, formed);
        for (size_t i = 0; i < toy.m; i++) {
            double term = gap_term(&toy, w, alpha, i);

            CHECK(&toy, term >= -rounding(&toy, w));
            total += term;
            size += alpha[i];
        }
        CHECK(&toy,
              fabs(objective.primal + objective.dual - total) <= rounding(&toy, w) + 1e-12 * size);
        CHECK(&toy, fabs(objective.primal - primal_of(&toy, w)) <= rounding(&toy, w));
        CHECK(&toy, fabs(objective.gap - total / objective.primal) <=
                        rounding(&toy, w) / objective.primal + 1e-12 * size / objective.primal);
    }
}

/* ---- Known optima ------------------------------------------------------- */

struct golden {
    const char *file;
    int solver;
    double bias;
    double optimum;
    double printed; /* half a unit of its last digit */
};

/* All rows, +1 the positive side, C = 1. */
static void solve_whole(const struct hinge_dataset *data, const struct golden *golden,
                        struct hinge_result *result)
{
    const struct solver *solver = solver_find(golden->solver);
    struct hinge_parameters parameters = parameters_for(1e-6, 0);
    uint32_t *row = calloc(data->x.rows, sizeof *row);
    signed char *sign = calloc(data->x.rows, sizeof *sign);
    double *cost = calloc(data->x.rows, sizeof *cost), *w = calloc(data->features + 1, sizeof *w);
    struct binary_problem problem = {data, (uint32_t)data->x.rows, row, sign,
                                     cost, golden->bias,           0};
    struct solver_task task = {.problem = &problem,
                               .loss = solver->loss,
                               .parameters = &parameters,
                               .problems = 1,
                               .positive = 1};
    struct hinge_error error;

    assert_true(row && sign && cost && w);
    for (uint32_t i = 0; i < data->x.rows; i++) {
        row[i] = i;
        sign[i] = data->label[i] > 0 ? 1 : -1;
        cost[i] = 1;
    }
    assert_int_equal(solver->solve(&task, w, result, &error), HINGE_OK);
    free(row);
    free(sign);
    free(cost);
    free(w);
}

static void check_golden(const struct golden *golden, size_t count)
{
    const struct hinge_format format = {0, 0};
    const char *path = data_path(golden->file);
    struct hinge_dataset *data;
    struct hinge_error error;

    if (!path)
        skip();
    data = hinge_dataset_read(path, &format, &error);
    assert_non_null(data);
    for (; count > 0; count--, golden++) {
        struct hinge_result result;
        double slack;

        solve_whole(data, golden, &result);
        slack = 1e-6 * result.primal + golden->printed;
        print_message("%s -s %d: primal %.6f, optimum %.6f, %llu passes, %.2f s\n", golden->file,
                      golden->solver, result.primal, golden->optimum,
                      (unsigned long long)result.passes, result.seconds);
        assert_int_equal(result.outcome, HINGE_CERTIFIED);
        assert_true(fabs(result.primal - golden->optimum) <= slack);
        assert_true(fabs(result.dual + golden->optimum) <= slack);
        assert_true(result.primal >= golden->optimum - golden->printed);
        assert_true(-result.dual <= golden->optimum + golden->printed);
    }
    hinge_dataset_free(data);
}

static void test_known_optima_of_a9a(void **state)
{
    static const struct golden golden[] = {{"a9a", 3, -1, 11433.807697, 5e-7},
                                           {"a9a", 3, 1, 11433.700198, 5e-7},
                                           {"a9a", 1, -1, 13742.397304, 5e-7},
                                           {"a9a", 1, 1, 13742.373305, 5e-7}};

    (void)state;
    check_golden(golden, sizeof golden / sizeof *golden);
}

static void test_known_optimum_of_w8a(void **state)
{
    static const struct golden golden = {"w8a", 3, -1, 6604.8866, 5e-5};

    (void)state;
    check_golden(&golden, 1);
}

/* ---- Parameters and the registry ---------------------------------------- */

static void test_parameters_default_as_documented(void **state)
{
    struct hinge_parameters parameters = hinge_parameters_default();
    struct hinge_error error;

    (void)state;
    assert_int_equal(parameters.solver, 1);
    assert_true(parameters.C == 1 && parameters.lambda == 0 && parameters.bias == -1);
    assert_true(parameters.gap == 1e-3 && parameters.eps == 0);
    assert_true(parameters.max_passes == 0 && parameters.seed == 1);
    assert_true(parameters.weights == 0);
    assert_null(parameters.weight_label);
    assert_null(parameters.weight);
    assert_int_equal(hinge_parameters_check(&parameters, &error), HINGE_OK);
}

/* Sets the double at offset and expects a refusal whose message starts with the field's name. */
static void expect_refusal(const char *field, size_t offset, double value)
{
    struct hinge_parameters parameters = hinge_parameters_default();
    struct hinge_error error = {HINGE_OK, ""};

    memcpy((char *)&parameters + offset, &value, sizeof value);
    if (hinge_parameters_check(&parameters, &error) != HINGE_BAD_ARGUMENT ||
        error.status != HINGE_BAD_ARGUMENT || strncmp(error.message, field, strlen(field)) != 0)
        fail_msg("%s = %g: %s", field, value, error.message);
}

static void test_parameters_out_of_range_are_named(void **state)
{
    const double bad_cost[] = {NAN, INFINITY, -INFINITY, -1, 9e-151, 1.1e100};
    const double bad_limit[] = {NAN, INFINITY, -INFINITY, -1, -1e-300};
    const double bad_bias[] = {NAN, INFINITY, -INFINITY};

    (void)state;
    expect_refusal("C:", offsetof(struct hinge_parameters, C), 0);
    for (size_t k = 0; k < sizeof bad_cost / sizeof *bad_cost; k++) {
        expect_refusal("C:", offsetof(struct hinge_parameters, C), bad_cost[k]);
        expect_refusal("lambda:", offsetof(struct hinge_parameters, lambda), bad_cost[k]);
    }
    for (size_t k = 0; k < sizeof bad_limit / sizeof *bad_limit; k++) {
        expect_refusal("gap:", offsetof(struct hinge_parameters, gap), bad_limit[k]);
        expect_refusal("eps:", offsetof(struct hinge_parameters, eps), bad_limit[k]);
    }
    for (size_t k = 0; k < sizeof bad_bias / sizeof *bad_bias; k++)
        expect_refusal("bias:", offsetof(struct hinge_parameters, bias), bad_bias[k]);
    expect_refusal("gap", offsetof(struct hinge_parameters, gap), 0); /* eps is 0, too */
}

static void test_bad_solver_and_weights_are_named(void **state)
{
    static const int unknown[] = {-1, 0, 2, 4, 99, INT32_MAX};
    static const double label[3] = {1, 2, 3};
    struct hinge_parameters parameters = hinge_parameters_default();
    struct hinge_error error;

    (void)state;
    for (size_t k = 0; k < sizeof unknown / sizeof *unknown; k++) {
        if (hinge_solver_find(unknown[k]))
            continue;
        parameters.solver = unknown[k];
        assert_int_equal(hinge_parameters_check(&parameters, &error), HINGE_BAD_ARGUMENT);
        assert_non_null(strstr(error.message, "solver:"));
    }
    parameters.solver = 3;
    for (size_t k = 0; k < 9; k++) {
        const double bad[] = {NAN, INFINITY, -1};
        double weight[3] = {1, 0, DBL_MAX};

        parameters.weights = 3;
        parameters.weight_label = label;
        parameters.weight = weight;
        assert_int_equal(hinge_parameters_check(&parameters, &error), HINGE_OK);
        weight[k % 3] = bad[k / 3];
        assert_int_equal(hinge_parameters_check(&parameters, &error), HINGE_BAD_ARGUMENT);
        assert_int_equal(strncmp(error.message, "weight:", 7), 0);
    }
}

/* The ends of the ranges are inside, and a successful check leaves the error alone. */
static void test_parameters_at_the_ends_are_accepted(void **state)
{
    struct hinge_parameters parameters = hinge_parameters_default();
    struct hinge_error error;

    (void)state;
    memset(&error, 0x5a, sizeof error);
    for (int k = 0; k < 16; k++) {
        parameters.C = k & 1 ? 1e100 : 1e-100;
        parameters.lambda = k & 2 ? 1e100 : 1e-100;
        parameters.gap = k & 4 ? 0 : 1e300;
        parameters.eps = k & 4 || k & 8 ? DBL_MIN : 0;
        parameters.bias = k & 8 ? 0 : -1e300;
        parameters.seed = k & 8 ? UINT64_MAX : 0;
        assert_int_equal(hinge_parameters_check(&parameters, &error), HINGE_OK);
    }
    for (size_t k = 0; k < sizeof error; k++)
        assert_int_equal(((unsigned char *)&error)[k], 0x5a);
}

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

/* Model files hold the names of outcomes, one beside the other. */
static void test_outcome_names_are_distinct_words(void **state)
{
    (void)state;
    for (int k = HINGE_CERTIFIED; k <= HINGE_STALLED; k++) {
        const char *name = hinge_outcome_name((enum hinge_outcome)k);

        assert_true(*name && !strpbrk(name, " \t\n\r#"));
        assert_string_not_equal(name, hinge_outcome_name((enum hinge_outcome)99));
        for (int other = HINGE_CERTIFIED; other < k; other++)
            assert_string_not_equal(name, hinge_outcome_name((enum hinge_outcome)other));
    }
    assert_string_equal(hinge_outcome_name(HINGE_CERTIFIED), "certified");
}

/* ---- The calendar ------------------------------------------------------ */

/* Moves the rows of a day, which are those that the table says, to other days. */
static void move_rows(struct calendar *calendar, unsigned *day_of_row, uint32_t rows, unsigned day,
                      uint64_t *random)
{
    uint32_t *taken = calloc(rows, sizeof *taken), count, expected = 0;

    assert_non_null(taken);
    for (uint32_t i = 0; i < rows; i++)
        expected += day_of_row[i] == day;
    count = calendar_take(calendar, day, taken);
    assert_int_equal(count, expected);
    for (uint32_t k = 0; k < count; k++) {
        assert_int_equal(day_of_row[taken[k]], day);
        day_of_row[taken[k]] = DAYS; /* none is given twice */
    }
    for (uint32_t k = 0; k < count; k++) {
        day_of_row[taken[k]] = (unsigned)(random_bits(random) % DAYS);
        calendar_put(calendar, day_of_row[taken[k]], taken[k]);
    }
    free(taken);
}

/* However the rows are spread over the days, all have room, and come on theirs. */
static void test_calendar_gives_each_row_on_its_day(void **unused)
{
    static const uint32_t sizes[] = {1, SHEET_ROWS, SHEET_ROWS + 1, 1000, 5000};
    uint64_t random = 11;

    (void)unused;
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        unsigned *day_of_row = calloc(sizes[s], sizeof *day_of_row);
        struct hinge_error error;
        struct calendar calendar;

        assert_non_null(day_of_row);
        assert_int_equal(calendar_new(&calendar, sizes[s], &error), HINGE_OK);
        for (unsigned time = 0; time < 3; time++) {
            for (uint32_t i = 0; i < sizes[s]; i++) {
                day_of_row[i] = time; /* all on one day */
                calendar_put(&calendar, time, i);
            }
            for (unsigned day = 0; day < 20 * DAYS; day++)
                move_rows(&calendar, day_of_row, sizes[s], day % DAYS, &random);
            calendar_clear(&calendar);
        }
        calendar_free(&calendar);
        free(day_of_row);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_problems_are_certified),
        cmocka_unit_test(test_problem_without_rows),
        cmocka_unit_test(test_eps_rule_holds_on_all_rows),
        cmocka_unit_test(test_loose_eps_is_not_called_certified),
        cmocka_unit_test(test_eps_rule_stops_at_the_first_pass_that_meets_it),
        cmocka_unit_test(test_both_rules_must_hold),
        cmocka_unit_test(test_pass_limit_is_exact),
        cmocka_unit_test(test_limit_with_gap_met_is_certified),
        cmocka_unit_test(test_impossible_gap_ends_stalled),
        cmocka_unit_test(test_large_cost_is_not_called_stalled),
        cmocka_unit_test(test_monitor_is_called_once_a_pass),
        cmocka_unit_test(test_measuring_changes_no_bit),
        cmocka_unit_test(test_monitor_stops),
        cmocka_unit_test(test_interruption_is_never_called_certified),
        cmocka_unit_test(test_strongest_answer_counts),
        cmocka_unit_test(test_primal_agrees_with_its_gradient),
        cmocka_unit_test(test_dual_agrees_with_its_gradient),
        cmocka_unit_test(test_gap_is_the_sum_of_its_terms),
        cmocka_unit_test(test_known_optima_of_a9a),
        cmocka_unit_test(test_known_optimum_of_w8a),
        cmocka_unit_test(test_parameters_default_as_documented),
        cmocka_unit_test(test_parameters_out_of_range_are_named),
        cmocka_unit_test(test_bad_solver_and_weights_are_named),
        cmocka_unit_test(test_parameters_at_the_ends_are_accepted),
        cmocka_unit_test(test_registry_finds_what_it_lists),
        cmocka_unit_test(test_outcome_names_are_distinct_words),
        cmocka_unit_test(test_calendar_gives_each_row_on_its_day),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
