/* test_smo.c - pairs of rows with a free bias against a dense reference, the certificate and the
 * gradient recomputed in long double, the cache of columns. */
#include "support.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "solver/pairs.h"
#include "toy.h"

enum { SMO = 50 };

/* ---- Small problems and their certificate ------------------------------- */

struct answer {
    double w[MOST_WIDTH + 1]; /* the bias last, at [features] */
    double alpha[MOST_ROWS];
    struct hinge_result result;
};

static void free_the_bias(struct toy *toy)
{
    toy->problem.bias = 1;
    toy->problem.free_bias = 1;
}

/* The number-th small problem, with the L1-loss and a free bias. */
static void draw(struct toy *toy, unsigned long number)
{
    struct draft draft = draft_small(number);

    draft.loss = LOSS_HINGE;
    draft.bias = -1;
    toy_draw(toy, &draft, number, 0, 0);
    free_the_bias(toy);
}

/* The same with costs of 1/32 .. 32. */
static void draw_tame(struct toy *toy, unsigned long number)
{
    struct draft draft = draft_small(number);

    draft.loss = LOSS_HINGE;
    draft.bias = -1;
    draft.C = exp2((double)(number % 11) - 5);
    draft.spread = 0;
    toy_draw(toy, &draft, number, 0, 0);
    free_the_bias(toy);
}

static void draw_hard(struct toy *toy, double C, double scale)
{
    struct draft draft = {ORDINARY, C, 0, -1, 0, scale, LOSS_HINGE};

    toy_draw(toy, &draft, 1, MOST_ROWS, 12);
    free_the_bias(toy);
}

static struct hinge_parameters parameters_for(double gap, double eps)
{
    struct hinge_parameters parameters = hinge_parameters_default();

    parameters.solver = SMO;
    parameters.gap = gap;
    parameters.eps = eps;
    return parameters;
}

/* Goes on from the answer's alpha. */
static void solve_on(const struct toy *toy, const struct hinge_parameters *parameters,
                     const struct hinge_monitor *monitor, struct answer *answer)
{
    struct solver_task task = {.problem = &toy->problem,
                               .loss = LOSS_HINGE,
                               .parameters = parameters,
                               .monitor = monitor,
                               .problems = 1,
                               .positive = 1,
                               .alpha = answer->alpha};
    struct hinge_error error;

    memset(answer->w, 0xff, sizeof answer->w); /* NaN: nothing may be taken from there */
    memset(&answer->result, 0xff, sizeof answer->result);
    CHECK(toy, solver_find(SMO)->solve(&task, answer->w, &answer->result, &error) == HINGE_OK);
}

static void solve(const struct toy *toy, const struct hinge_parameters *parameters,
                  const struct hinge_monitor *monitor, struct answer *answer)
{
    memset(answer->alpha, 0, sizeof answer->alpha);
    solve_on(toy, parameters, monitor, answer);
}

/* sum_i C_i max(0, 1 - y_i (<w, x_i> + b)) */
static long double losses(const struct toy *toy, const double *w, double b)
{
    long double total = 0;

    for (size_t i = 0; i < toy->m; i++) {
        const long double slack = 1 - ((long double)margin(toy, i, w) + toy->sign[i] * b);

        total += slack > 0 ? toy->cost[i] * slack : 0;
    }
    return total;
}

/* The least of these for all b: each corner is tried. */
static long double least_losses(const struct toy *toy, const double *w)
{
    long double least = HUGE_VALL;

    for (size_t i = 0; i < toy->m; i++) {
        const double b = toy->sign[i] - toy->sign[i] * margin(toy, i, w);

        least = fminl(least, losses(toy, w, b));
    }
    return toy->m > 0 ? least : 0;
}

/* rounding() knows nothing of b, which is about as large as the margins. */
static double tolerance_of(const struct toy *toy, const struct answer *answer)
{
    double costs = 0;

    for (size_t i = 0; i < toy->m; i++)
        costs += toy->cost[i];
    return 4 * (rounding(toy, answer->w) + dual_rounding(toy, answer->alpha)) +
           1e-14 * costs * (1 + fabs(answer->w[toy->data.features]));
}

/* alpha is feasible, w is made of it, b is the best one, and primal, dual and gap are theirs. */
static void check_certificate(const struct toy *toy, const struct answer *answer)
{
    const struct hinge_result *result = &answer->result;
    const double gap = (result->primal + result->dual) / fmax(fabs(result->primal), DBL_MIN);
    const double tolerance = tolerance_of(toy, answer);
    long double balance = 0, total = 0, primal;
    double w[MOST_WIDTH];
    size_t support = 0;

    weights_of(toy, answer->alpha, w);
    for (size_t i = 0; i < toy->m; i++) {
        CHECK(toy, answer->alpha[i] >= 0 && answer->alpha[i] <= toy->cost[i]);
        balance += (long double)toy->sign[i] * answer->alpha[i];
        total += answer->alpha[i];
        support += answer->alpha[i] > 0;
    }
    CHECK(toy, fabsl(balance) <= 1e-13 * total);
    for (size_t j = 0; j < toy->width; j++)
        CHECK(toy, (w[j] - answer->w[j]) * (w[j] - answer->w[j]) <= tolerance * 1e-3);
    primal = half_square(toy, answer->w) + losses(toy, answer->w, answer->w[toy->data.features]);
    CHECK(toy, fabsl(result->primal - primal) <= tolerance);
    CHECK(toy,
          result->primal <= half_square(toy, answer->w) + least_losses(toy, answer->w) + tolerance);
    CHECK(toy, fabs(result->dual - dual_of(toy, answer->alpha)) <= tolerance);
    CHECK(toy, result->primal + result->dual >= -tolerance);
    CHECK(toy, fabs(result->gap - (gap > 0 ? gap : 0)) <= 1e-15);
    CHECK(toy, result->support_vectors == support);
    CHECK(toy, result->steps == result->passes && strcmp(result->engine, "smo") == 0);
    CHECK(toy, result->seconds >= 0);
}

/* ---- The reference: the worst pair, all from nothing at each step -------- */

struct dense {
    long double K[MOST_ROWS][MOST_ROWS];
    long double alpha[MOST_ROWS];
};

static long double F_of(const struct toy *toy, const struct dense *dense, size_t i)
{
    long double F = -toy->sign[i];

    for (size_t j = 0; j < toy->m; j++)
        F += dense->alpha[j] * toy->sign[j] * dense->K[i][j];
    return F;
}

/* Moves the pair that violates the conditions of optimality most; 0 if it is by nothing. */
static int step_dense(const struct toy *toy, struct dense *dense)
{
    long double low = HUGE_VALL, high = -HUGE_VALL, room, t, square;
    size_t i = 0, j = 0;

    for (size_t k = 0; k < toy->m; k++) {
        const long double F = F_of(toy, dense, k);
        const int above = dense->alpha[k]<toy->cost[k], below = dense->alpha[k]> 0;

        if ((toy->sign[k] > 0 ? above : below) && F < low) {
            low = F;
            i = k;
        }
        if ((toy->sign[k] > 0 ? below : above) && F > high) {
            high = F;
            j = k;
        }
    }
    if (!(high - low > 1e-14L))
        return 0;
    square = dense->K[i][i] + dense->K[j][j] - 2 * dense->K[i][j];
    t = square > 0 ? (high - low) / square : HUGE_VALL;
    room = toy->sign[i] > 0 ? toy->cost[i] - dense->alpha[i] : dense->alpha[i];
    t = fminl(t, room);
    room = toy->sign[j] > 0 ? dense->alpha[j] : toy->cost[j] - dense->alpha[j];
    t = fminl(t, room);
    dense->alpha[i] += toy->sign[i] * t;
    dense->alpha[j] -= toy->sign[j] * t;
    return t > 0;
}

/* Brackets the minimum of P; how closely depends on the problem. */
static struct bracket reference_pairs(const struct toy *toy)
{
    static struct dense dense;
    double w[MOST_WIDTH], alpha[MOST_ROWS];

    memset(&dense, 0, sizeof dense);
    for (size_t i = 0; i < toy->m; i++)
        for (size_t j = 0; j < toy->m; j++)
            dense.K[i][j] = toy->sign[i] * toy->sign[j] * quadratic(toy, i, j);
    for (int k = 0; k < 3000 && step_dense(toy, &dense); k++)
        ;
    for (size_t i = 0; i < toy->m; i++)
        alpha[i] = (double)dense.alpha[i];
    weights_of(toy, alpha, w);
    return (struct bracket){-dual_of(toy, alpha),
                            half_square(toy, w) + (double)least_losses(toy, w)};
}

static void test_random_problems_are_certified(void **state)
{
    static struct toy toy;
    size_t tight = 0;

    (void)state;
    for (unsigned long number = 0; number < 3000; number++) {
        struct hinge_parameters parameters = parameters_for(number % 4 == 3 ? 1e-3 : 1e-6, 0);
        struct bracket bracket;
        struct answer answer;
        double tolerance;

        draw(&toy, number);
        bracket = reference_pairs(&toy);
        tight += bracket.upper - bracket.lower <= 1e-9 * bracket.upper;
        solve(&toy, &parameters, NULL, &answer);
        check_certificate(&toy, &answer);
        tolerance = tolerance_of(&toy, &answer);
        CHECK(&toy, answer.result.primal >= bracket.lower - tolerance);
        CHECK(&toy, -answer.result.dual <= bracket.upper + tolerance);
        CHECK(&toy, answer.result.outcome == HINGE_CERTIFIED);
        CHECK(&toy, answer.result.gap <= parameters.gap);
    }
    assert_true(tight > 2000);
}

/* Features from 1e-4 to 1e4: a few take more steps than anyone waits for, and say so. */
static void test_bad_scaling_leaves_a_true_certificate(void **state)
{
    static struct toy toy;
    size_t certified = 0;

    (void)state;
    for (unsigned long number = 0; number < 300; number++) {
        struct hinge_parameters parameters = parameters_for(1e-3, 0);
        struct draft draft = draft_small(number);
        struct answer answer;

        draft.loss = LOSS_HINGE;
        draft.bias = -1;
        draft.scale = 1e4;
        draft.C = 1;
        draft.spread = 0;
        toy_draw(&toy, &draft, number, 0, 0);
        free_the_bias(&toy);
        parameters.max_passes = 20000;
        solve(&toy, &parameters, NULL, &answer);
        check_certificate(&toy, &answer);
        CHECK(&toy, answer.result.outcome ==
                        (answer.result.gap <= 1e-3 ? HINGE_CERTIFIED : HINGE_PASS_LIMIT));
        certified += answer.result.outcome == HINGE_CERTIFIED;
    }
    assert_true(certified > 250);
}

/* With rows of one sign, or one row, w is 0 and the bias alone leaves no loss. */
static void test_one_sign_alone_needs_no_weights(void **state)
{
    static struct toy toy;
    struct hinge_parameters parameters = parameters_for(1e-9, 0);
    struct answer answer;
    size_t seen = 0;

    (void)state;
    for (unsigned long number = 0; number < 280; number++) {
        double sum = 0;

        draw(&toy, number);
        for (size_t i = 0; i < toy.m; i++)
            sum += toy.sign[i];
        if (fabs(sum) < (double)toy.m)
            continue;
        seen++;
        solve(&toy, &parameters, NULL, &answer);
        check_certificate(&toy, &answer);
        CHECK(&toy, answer.result.primal == 0 && answer.result.dual == 0);
        CHECK(&toy, answer.result.outcome == HINGE_CERTIFIED && answer.result.passes == 0);
        CHECK(&toy, answer.w[toy.data.features] * toy.sign[0] >= 1);
        for (size_t j = 0; j < toy.data.features; j++)
            CHECK(&toy, answer.w[j] == 0);
    }
    assert_true(seen > 30);
}

/* Class weights of 0 may leave nothing. */
static void test_problem_without_rows(void **state)
{
    static struct toy toy;
    struct hinge_parameters parameters = parameters_for(1e-3, 0);
    struct answer answer;

    (void)state;
    draw(&toy, 0);
    toy.m = toy.problem.rows = 0;
    solve(&toy, &parameters, NULL, &answer);
    CHECK(&toy, answer.result.outcome == HINGE_CERTIFIED);
    CHECK(&toy, answer.result.primal == 0 && answer.result.dual == 0 && answer.result.gap == 0);
    for (size_t j = 0; j <= toy.data.features; j++)
        CHECK(&toy, answer.w[j] == 0);
}

/* Equal rows of both signs: nothing tells them apart but the bias. */
static void test_rows_that_are_all_equal(void **state)
{
    static struct toy toy;

    (void)state;
    for (unsigned long number = ALL_ALIKE; number < 40 * SHAPES; number += SHAPES) {
        struct hinge_parameters parameters = parameters_for(1e-9, 0);
        double cost[2] = {0, 0};
        struct answer answer;

        draw(&toy, number);
        for (size_t i = 0; i < toy.m; i++)
            cost[toy.sign[i] > 0] += toy.cost[i];
        solve(&toy, &parameters, NULL, &answer);
        check_certificate(&toy, &answer);
        CHECK(&toy, answer.result.outcome == HINGE_CERTIFIED);
        CHECK(&toy, fabs(answer.result.primal - 2 * fmin(cost[0], cost[1])) <=
                        1e-8 * (cost[0] + cost[1]));
    }
}

/* ---- Rules and limits ---------------------------------------------------- */

/* m(alpha) - M(alpha) over all rows. */
static long double violation_of(const struct toy *toy, const double *alpha)
{
    static struct dense dense;
    long double low = HUGE_VALL, high = -HUGE_VALL;

    for (size_t i = 0; i < toy->m; i++) {
        dense.alpha[i] = alpha[i];
        for (size_t j = 0; j < toy->m; j++)
            dense.K[i][j] = toy->sign[i] * toy->sign[j] * quadratic(toy, i, j);
    }
    for (size_t k = 0; k < toy->m; k++) {
        const long double F = F_of(toy, &dense, k);
        const int above = alpha[k]<toy->cost[k], below = alpha[k]> 0;

        if (toy->sign[k] > 0 ? above : below)
            low = fminl(low, F);
        if (toy->sign[k] > 0 ? below : above)
            high = fmaxl(high, F);
    }
    return high - low;
}

static void test_eps_rule_holds_on_all_rows(void **state)
{
    static struct toy toy;
    size_t loose = 0;

    (void)state;
    for (unsigned long number = 0; number < 600; number++) {
        struct hinge_parameters parameters = parameters_for(0, exp2(-(double)(number % 20)));
        struct answer answer;

        draw_tame(&toy, number);
        if (toy.draft.shape == UNLIKE_NORMS)
            continue;
        solve(&toy, &parameters, NULL, &answer);
        check_certificate(&toy, &answer);
        CHECK(&toy, violation_of(&toy, answer.alpha) <= parameters.eps + 1e-9);
        CHECK(&toy,
              answer.result.outcome ==
                  (answer.result.gap <= HINGE_DEFAULT_GAP ? HINGE_CERTIFIED : HINGE_TOLERANCE_MET));
        loose += answer.result.outcome == HINGE_TOLERANCE_MET;
    }
    assert_true(loose > 20);
}

static void test_both_rules_must_hold(void **state)
{
    static const double demand[][2] = {{1e-7, 1e-1}, {0.5, 1e-8}, {1e-7, 10}};
    static struct toy toy;
    struct answer answer;

    (void)state;
    for (unsigned long number = 0; number < 600; number++) {
        struct hinge_parameters parameters =
            parameters_for(demand[number % 3][0], demand[number % 3][1]);

        draw_tame(&toy, number);
        if (toy.draft.shape == UNLIKE_NORMS)
            continue;
        solve(&toy, &parameters, NULL, &answer);
        check_certificate(&toy, &answer);
        CHECK(&toy, violation_of(&toy, answer.alpha) <= parameters.eps + 1e-9);
        CHECK(&toy, answer.result.outcome == HINGE_CERTIFIED);
        CHECK(&toy, answer.result.gap <= parameters.gap);
    }
}

static void test_step_limit_is_exact(void **state)
{
    static const uint64_t limits[] = {1, 2, 3, 7, 20, 65, 129};
    static struct toy toy;
    struct answer answer;

    (void)state;
    draw_hard(&toy, 100, 1);
    for (size_t k = 0; k < sizeof limits / sizeof *limits; k++) {
        struct hinge_parameters parameters = parameters_for(1e-9, k % 2 ? 1e-9 : 0);

        parameters.max_passes = limits[k];
        solve(&toy, &parameters, NULL, &answer);
        check_certificate(&toy, &answer);
        CHECK(&toy, answer.result.passes == limits[k]);
        CHECK(&toy, answer.result.outcome == HINGE_PASS_LIMIT);
    }
}

/* A gap that rounding does not allow ends the training all the same. */
static void test_gap_beyond_double_stalls(void **state)
{
    static struct toy toy;
    struct hinge_parameters parameters = parameters_for(1e-300, 0);
    struct answer answer;

    (void)state;
    draw_hard(&toy, 3, 1);
    solve(&toy, &parameters, NULL, &answer);
    check_certificate(&toy, &answer);
    CHECK(&toy, answer.result.outcome == HINGE_STALLED || answer.result.gap == 0);
    CHECK(&toy, answer.result.gap <= 1e-12);
}

/* ---- Monitors ------------------------------------------------------------ */

struct witness {
    size_t calls;
    size_t stop_at;
    enum hinge_answer answer;
    uint64_t passes;
    int last;
};

static enum hinge_answer look(void *context, const struct hinge_progress *progress)
{
    struct witness *witness = context;

    assert_true(progress->passes >= witness->passes && !witness->last);
    assert_true(progress->passes == progress->steps && progress->active <= progress->rows);
    assert_true(progress->bias == 1);
    assert_true(!progress->measured || progress->gap >= 0);
    witness->passes = progress->passes;
    witness->last = progress->last;
    return ++witness->calls >= witness->stop_at ? witness->answer : HINGE_GO_ON;
}

/* Looking changes nothing; a stop is obeyed, and leaves a certificate. */
static void test_monitors_stop_and_change_nothing(void **state)
{
    static struct toy toy;
    struct hinge_parameters parameters = parameters_for(1e-9, 0);
    struct witness witness = {0, 0, HINGE_MEASURE, 0, 0};
    struct hinge_monitor monitor = {look, &witness, NULL};
    struct answer alone, watched;

    (void)state;
    draw_hard(&toy, 1000, 1);
    solve(&toy, &parameters, NULL, &alone);
    solve(&toy, &parameters, &monitor, &watched);
    CHECK(&toy, witness.calls > 4 && witness.last);
    assert_memory_equal(alone.alpha, watched.alpha, sizeof alone.alpha);
    assert_memory_equal(alone.w, watched.w, (toy.data.features + 1) * sizeof *alone.w);
    witness = (struct witness){0, 3, HINGE_INTERRUPT, 0, 0};
    solve(&toy, &parameters, &monitor, &watched);
    check_certificate(&toy, &watched);
    CHECK(&toy, watched.result.outcome == HINGE_INTERRUPTED && witness.last);
    CHECK(&toy, watched.result.passes < alone.result.passes);
    witness = (struct witness){0, 1, HINGE_OUT_OF_TIME, 0, 0};
    solve(&toy, &parameters, &monitor, &watched);
    CHECK(&toy, watched.result.outcome == HINGE_TIME_LIMIT && watched.result.passes == 0);
}

/* ---- Starting from alpha ------------------------------------------------- */

/* Any feasible alpha, bounds and all, is a start; the optimum is the same. */
static void test_starts_from_any_feasible_point(void **state)
{
    static struct toy toy;

    (void)state;
    for (unsigned long number = 0; number < 600; number++) {
        struct hinge_parameters parameters = parameters_for(1e-7, 0);
        struct answer answer, again;
        const double factor = number % 3 ? 3 : 1;

        draw_tame(&toy, number);
        solve(&toy, &parameters, NULL, &answer);
        again = answer;
        for (size_t i = 0; i < toy.m; i++) {
            toy.cost[i] *= factor;
            again.alpha[i] *= factor;
        }
        solve_on(&toy, &parameters, NULL, &again);
        check_certificate(&toy, &again);
        CHECK(&toy, again.result.outcome == HINGE_CERTIFIED);
        CHECK(&toy, factor > 1 || again.result.passes <= 2);
        solve(&toy, &parameters, NULL, &answer);
        CHECK(&toy, fabs(again.result.primal - answer.result.primal) <=
                        2.1e-7 * answer.result.primal + tolerance_of(&toy, &answer));
    }
}

/* ---- The gradient, kept and recomputed ----------------------------------- */

enum { ROWS = 400, FEATURES = 60, MOST_LARGE = 300, IN_A_ROW = 24 };

/* A problem that is large enough for rows to be set aside. */
struct large {
    struct hinge_dataset data;
    struct binary_problem problem;
    size_t start[ROWS + 1];
    uint32_t index[ROWS * IN_A_ROW];
    double value[ROWS * IN_A_ROW];
    uint32_t row[ROWS];
    signed char sign[ROWS];
    double cost[ROWS];
    double x[ROWS][MOST_LARGE];
};

static void large_row(struct large *large, size_t i, uint32_t features, enum entry entry,
                      uint64_t *state)
{
    size_t count = 0;

    for (uint32_t j = 0; j < features && count < features / 5 && count < IN_A_ROW; j++) {
        const size_t k = large->start[i] + count;

        if (random_unit(state) > 0.15)
            continue;
        large->index[k] = j;
        large->value[k] = entry == ENTRY_BYTE ? 1 : random_between(state, -3, 3);
        if (entry == ENTRY_FLOAT)
            large->value[k] = floor(large->value[k]);
        large->x[i][j] = large->value[k];
        count++;
    }
    large->start[i + 1] = large->start[i] + count;
}

/* Signs by a plane, one in five against it; costs of factors 1/4 .. 4. */
static void large_draw_wide(struct large *large, uint32_t features, enum entry entry, double C,
                            uint64_t seed)
{
    double plane[MOST_LARGE];

    memset(large, 0, sizeof *large);
    for (size_t j = 0; j < features; j++)
        plane[j] = random_between(&seed, -1, 1);
    for (size_t i = 0; i < ROWS; i++) {
        double side = 0;

        large_row(large, i, features, entry, &seed);
        for (size_t j = 0; j < features; j++)
            side += plane[j] * large->x[i][j];
        large->row[i] = (uint32_t)i;
        large->sign[i] = (side > 0) != (random_unit(&seed) < 0.2) ? 1 : -1;
        large->cost[i] = C * exp2(floor(random_between(&seed, -2, 3)));
    }
    large->data = (struct hinge_dataset){
        .x = {.rows = ROWS,
              .nonzeros = large->start[ROWS],
              .start = large->start,
              .index_kind = HINGE_INDEX_32,
              .value_kind = entry == ENTRY_BYTE ? HINGE_VALUE_ONE : HINGE_VALUE_DOUBLE,
              .index = large->index,
              .value = entry == ENTRY_BYTE ? NULL : large->value},
        .features = features};
    large->problem = (struct binary_problem){.data = &large->data,
                                             .rows = ROWS,
                                             .row = large->row,
                                             .sign = large->sign,
                                             .cost = large->cost,
                                             .bias = 1,
                                             .free_bias = 1};
}

static void large_draw(struct large *large, enum entry entry, double C, uint64_t seed)
{
    large_draw_wide(large, FEATURES, entry, C, seed);
}

static long double product_of(const struct large *large, size_t i, size_t j)
{
    long double product = 0;

    for (size_t k = large->start[i]; k < large->start[i + 1]; k++)
        product += (long double)large->value[k] * large->x[j][large->index[k]];
    return product;
}

/* F of the active rows, F_bar of all rows, as the formulas have them. */
static void check_gradient(const struct pairs *pairs, const struct large *large)
{
    const uint32_t *row = pairs->columns->row;

    for (uint32_t k = 0; k < pairs->rows; k++) {
        long double F = -large->sign[row[k]], F_bar = 0;

        assert_true(pairs->sign[k] == large->sign[row[k]] && pairs->cost[k] == large->cost[row[k]]);
        for (uint32_t j = 0; j < pairs->rows; j++) {
            const long double term = pairs->alpha[j] > 0 ? pairs->alpha[j] * pairs->sign[j] *
                                                               product_of(large, row[k], row[j])
                                                         : 0;

            F += term;
            F_bar += pairs->alpha[j] == pairs->cost[j] ? term : 0;
        }
        if (fabsl(F_bar - pairs->F_bar[k]) > 1e-9 ||
            (k < pairs->active && fabsl(F - pairs->F[k]) > 1e-9))
            fail_msg("position %u of %u: F %.17g is %.17Lg, F_bar %.17g is %.17Lg", (unsigned)k,
                     (unsigned)pairs->active, pairs->F[k], F, pairs->F_bar[k], F_bar);
    }
}

/* What happened in a run. */
struct events {
    size_t entered; /* rows that came to their upper bound, */
    size_t left;    /* and that left it, */
    size_t shrunk;  /* and times that some rows were set aside, */
    size_t aside;   /* and how many they were at most */
};

static void note_bounds(const struct pairs *pairs, unsigned char *bounded, struct events *events)
{
    for (uint32_t k = 0; k < pairs->rows; k++) {
        const uint32_t i = pairs->columns->row[k];
        const unsigned char is = pairs->alpha[k] == pairs->cost[k];

        events->entered += is > bounded[i];
        events->left += is < bounded[i];
        bounded[i] = is;
    }
}

/* Steps to the end, shrinking and un-shrinking on the way, and looks at the gradient each time. */
static void run_and_check(const struct large *large, double mebibytes, struct events *events)
{
    struct hinge_parameters parameters = parameters_for(1e-9, 0);
    const struct solver_task task = {
        .problem = &large->problem, .loss = LOSS_HINGE, .parameters = &parameters, .problems = 1};
    unsigned char bounded[ROWS] = {0};
    double w[FEATURES + 1];
    struct hinge_error error;
    struct pairs pairs;
    size_t steps = 0;

    parameters.cache = mebibytes;
    assert_int_equal(pairs_new(&pairs, &task, w, &error), HINGE_OK);
    for (;;) {
        const uint32_t active = pairs.active;

        if (!pairs_step(&pairs, 1e-6)) {
            check_gradient(&pairs, large);
            if (pairs.active == pairs.rows)
                break;
            pairs_unshrink(&pairs);
            check_gradient(&pairs, large);
            continue;
        }
        note_bounds(&pairs, bounded, events);
        if (++steps % 100 == 0)
            pairs_shrink(&pairs);
        events->shrunk += pairs.active < active;
        if (pairs.rows - pairs.active > events->aside)
            events->aside = pairs.rows - pairs.active;
        if (steps % 300 == 0)
            check_gradient(&pairs, large);
        if (steps % 900 == 0)
            pairs_unshrink(&pairs);
        if (steps % 900 == 0)
            check_gradient(&pairs, large);
    }
    assert_false(pairs.out_of_memory);
    assert_true(pairs.columns->used <= pairs.columns->room);
    pairs_free(&pairs);
}

static void test_gradient_is_what_alpha_makes_it(void **state)
{
    static struct large large;

    (void)state;
    for (int entry = ENTRY_BYTE; entry <= ENTRY_DOUBLE; entry++)
        for (int small = 0; small < 3; small++) {
            struct events events = {0, 0, 0, 0};

            large_draw(&large, (enum entry)entry, 0.05 * (small + 1), 7 + (uint64_t)small);
            run_and_check(&large, small == 0 ? 100 : small == 1 ? 0.05 : 1e-9, &events);
            if (events.entered < 100 || events.left < 20 || events.shrunk < 2 || events.aside < 100)
                fail_msg("bounds entered %lu, left %lu times; shrunk %lu times, to %lu fewer",
                         (unsigned long)events.entered, (unsigned long)events.left,
                         (unsigned long)events.shrunk, (unsigned long)events.aside);
        }
}

/* The kind of entry is the narrowest that holds all products. */
static void test_columns_take_the_narrowest_entries(void **state)
{
    static struct large large;
    struct hinge_error error;

    (void)state;
    for (int entry = ENTRY_BYTE; entry <= ENTRY_DOUBLE; entry++) {
        struct columns *columns;

        large_draw(&large, (enum entry)entry, 1, 3);
        assert_non_null(columns = columns_new(&large.problem, 1, &error));
        assert_int_equal(columns->entry, entry);
        columns_free(columns);
    }
    large_draw(&large, ENTRY_FLOAT, 1, 3);
    large.value[5] = 1 << 20; /* its square, times the non-zeros, is beyond 2^24 */
    {
        struct columns *columns = columns_new(&large.problem, 1, &error);

        assert_non_null(columns);
        assert_int_equal(columns->entry, ENTRY_DOUBLE);
        columns_free(columns);
    }
}

/* Parts of columns, of different lengths, before and after the positions change. */
static void test_columns_hold_what_was_asked_for(void **state)
{
    static struct large large;
    uint64_t random = 5;
    struct hinge_error error;

    (void)state;
    for (int k = 0; k < 12; k++) {
        const double sizes[] = {1e-9, 0.01, 0.1, 100};
        struct columns *columns;

        large_draw(&large, (enum entry)(k % 3), 1, (uint64_t)k);
        assert_non_null(columns = columns_new(&large.problem, sizes[k / 3], &error));
        for (int ask = 0; ask < 3000; ask++) {
            const uint32_t position = (uint32_t)random_index(&random, ROWS);
            const uint32_t length = 1 + (uint32_t)random_index(&random, ROWS);
            const uint32_t other = (uint32_t)random_index(&random, ROWS);
            const void *one = columns_get(columns, position, length);
            const void *two = columns_get(columns, other, length);
            const uint32_t at = (uint32_t)random_index(&random, length);

            assert_true(one && two && columns->used <= columns->room);
            assert_true(fabsl(column_entry(one, columns->entry, at) -
                              product_of(&large, columns->row[position], columns->row[at])) <=
                        1e-12);
            assert_true(fabsl(column_entry(two, columns->entry, at) -
                              product_of(&large, columns->row[other], columns->row[at])) <= 1e-12);
            if (ask % 100 == 99) {
                uint32_t from[ROWS], kept = 0, behind;

                for (uint32_t i = 0; i < ROWS; i++)
                    kept += i % (uint32_t)(ask / 100 + 2) != 0;
                behind = kept;
                kept = 0;
                for (uint32_t i = 0; i < ROWS; i++)
                    from[i % (uint32_t)(ask / 100 + 2) ? kept++ : behind++] = i;
                columns_reorder(columns, from, kept);
            }
        }
        columns_free(columns);
    }
}

/* ---- Least squares: the example of seed 003, section 1 -------------------- */

/* f(w) = 1/2 |Xw - y|^2, grad f = X'(Xw - y), delta grad f = X'X delta w. The rows of the data are
 * the columns of X here, so that the columns of K are those of X'X. */
static void test_least_squares_gradient_is_incremental(void **state)
{
    static struct large large;
    static double w[ROWS], gradient[ROWS];
    double residual[FEATURES];
    struct columns *columns;
    struct hinge_error error;
    uint64_t random = 11;

    (void)state;
    large_draw(&large, ENTRY_DOUBLE, 1, 11);
    assert_non_null(columns = columns_new(&large.problem, 0.05, &error));
    for (size_t j = 0; j < FEATURES; j++)
        residual[j] = random_between(&random, -1, 1); /* -y */
    for (size_t i = 0; i < ROWS; i++)
        for (size_t j = 0; j < FEATURES; j++)
            gradient[i] += large.x[i][j] * residual[j];
    for (int step = 0; step < 2000; step++) {
        const uint32_t i = (uint32_t)random_index(&random, ROWS);
        const double length = columns_diagonal(columns, i);
        const double change = length > 0 ? -gradient[i] / length : 0;
        const void *column = columns_get(columns, i, ROWS);

        assert_non_null(column);
        w[i] += change;
        for (size_t k = 0; k < ROWS; k++)
            gradient[k] += column_entry(column, columns->entry, k) * change;
        for (size_t j = 0; j < FEATURES; j++)
            residual[j] += large.x[i][j] * change;
        if (step % 200 != 199)
            continue;
        for (size_t k = 0; k < ROWS; k++) {
            long double recomputed = 0;

            for (size_t j = 0; j < FEATURES; j++)
                recomputed += (long double)large.x[k][j] * residual[j];
            assert_true(fabsl(gradient[k] - recomputed) <= 1e-11);
        }
    }
    columns_free(columns);
}

/* ---- Whole trainings ------------------------------------------------------ */

/* Shrunk or not, with any cache, by either rule: the same optimum. */
static void test_cache_of_any_size_leads_to_the_optimum(void **state)
{
    static const double sizes[] = {100, 0.1, 1e-300};
    static struct large large;

    (void)state;
    for (int k = 0; k < 36; k++) {
        struct hinge_parameters parameters = parameters_for(k % 2 ? 0 : 1e-8, k % 2 ? 1e-8 : 0);
        const struct solver_task task = {
            .problem = &large.problem, .loss = LOSS_HINGE, .parameters = &parameters, .problems = 1};
        struct hinge_result result;
        struct hinge_error error;
        double w[FEATURES + 1];
        static double primal;

        parameters.cache = sizes[k % 3];
        large_draw(&large, (enum entry)(k / 6 % 3), k < 18 ? 0.01 : 0.3, (uint64_t)(k / 6));
        assert_int_equal(solver_find(SMO)->solve(&task, w, &result, &error), HINGE_OK);
        assert_int_equal(result.outcome, HINGE_CERTIFIED);
        if (k % 6 == 0)
            primal = result.primal;
        assert_true(fabs(primal - result.primal) <= 1e-6 * primal);
    }
}

static enum hinge_answer lose_patience(void *context, const struct hinge_progress *progress)
{
    size_t *looks = context;

    (void)progress;
    return ++*looks > 2000 ? HINGE_INTERRUPT : HINGE_GO_ON;
}

/* With many free rows, and no column kept, taking rows back computes so much that a checkpoint is
 * due at once: it is not to set them aside again, for ever. */
static void test_rows_taken_back_are_looked_at(void **state)
{
    static struct large large;

    (void)state;
    for (int k = 0; k < 6; k++) {
        struct hinge_parameters parameters = parameters_for(0, 1e-3);
        size_t looks = 0;
        const struct hinge_monitor monitor = {lose_patience, &looks, NULL};
        const struct solver_task task = {.problem = &large.problem,
                                         .loss = LOSS_HINGE,
                                         .parameters = &parameters,
                                         .monitor = &monitor,
                                         .problems = 1};
        struct hinge_result result;
        struct hinge_error error;
        double w[MOST_LARGE + 1];

        parameters.cache = 1e-9;
        large_draw_wide(&large, MOST_LARGE, ENTRY_DOUBLE, k % 2 ? 0.1 : 0.03, (uint64_t)k);
        assert_int_equal(solver_find(SMO)->solve(&task, w, &result, &error), HINGE_OK);
        assert_int_equal(result.outcome, HINGE_CERTIFIED);
    }
}

static struct hinge_model *train(const struct large *large,
                                 const struct hinge_parameters *parameters)
{
    struct hinge_error error = {HINGE_OK, ""};
    struct hinge_model *model = hinge_train(&large->data, parameters, NULL, &error);

    if (!model)
        fail_msg("%s", error.message);
    assert_true(model->bias == 1);
    return model;
}

/* Three classes are three problems of one against the rest, each with its own bias. */
static void test_one_against_the_rest(void **state)
{
    static struct large large;
    static double label[ROWS], binary[ROWS];
    struct hinge_parameters parameters = parameters_for(1e-6, 0);
    struct hinge_model *all;

    (void)state;
    large_draw(&large, ENTRY_DOUBLE, 1, 3);
    for (size_t i = 0; i < ROWS; i++)
        label[i] = large.sign[i] > 0 ? 7 : (double)(i % 2);
    large.data.label = label;
    all = train(&large, &parameters);
    assert_int_equal(all->columns, 3);
    large.data.label = binary;
    for (size_t c = 0; c < 3; c++) {
        struct hinge_model *one;
        size_t column;

        for (size_t i = 0; i < ROWS; i++)
            binary[i] = label[i] == all->label[c] ? 1 : -1;
        one = train(&large, &parameters);
        column = c;
        assert_int_equal(one->columns, 1);
        for (size_t j = 0; j <= FEATURES; j++)
            assert_true(one->weight[j] == all->weight[j * 3 + column]);
        assert_true(all->weight[FEATURES * 3 + column] != 0);
        assert_int_equal(all->result[c].outcome, HINGE_CERTIFIED);
        hinge_model_free(one);
    }
    hinge_model_free(all);
}

/* A row of weight 2 is as good as the row twice; class weights multiply. */
static void test_weights_are_costs(void **state)
{
    static struct large large;
    static double label[ROWS], weight[ROWS];
    static const double labels[] = {1, -1}, class_weight[] = {3, 0.5};
    struct hinge_parameters parameters = parameters_for(1e-8, 0);
    struct hinge_model *by_class, *by_row;

    (void)state;
    large_draw(&large, ENTRY_DOUBLE, 1, 3);
    for (size_t i = 0; i < ROWS; i++) {
        label[i] = large.sign[i];
        weight[i] = label[i] > 0 ? 3 : 0.5;
    }
    large.data.label = label;
    parameters.weights = 2;
    parameters.weight_label = labels;
    parameters.weight = class_weight;
    by_class = train(&large, &parameters);
    parameters.weights = 0;
    parameters.row_weights = ROWS;
    parameters.row_weight = weight;
    by_row = train(&large, &parameters);
    assert_memory_equal(by_class->weight, by_row->weight, (FEATURES + 1) * sizeof(double));
    hinge_model_free(by_row);
    for (size_t i = 0; i < ROWS; i++)
        weight[i] = i % 2 ? 0 : 1;
    by_row = train(&large, &parameters);
    for (size_t i = 0; i < ROWS; i++) /* what weighs 0 may be anything */
        for (size_t k = large.start[i]; k < large.start[i + 1] && i % 2; k++)
            large.value[k] = -large.value[k];
    hinge_model_free(by_class);
    by_class = train(&large, &parameters);
    assert_memory_equal(by_class->weight, by_row->weight, (FEATURES + 1) * sizeof(double));
    hinge_model_free(by_class);
    hinge_model_free(by_row);
}

/* Along a path each training starts where the one before it ended. */
static void test_path_ends_where_single_trainings_do(void **state)
{
    static const double C[] = {0.001, 0.01, 0.1, 1, 0.5, 0.03};
    static struct large large;
    static double label[ROWS];
    struct hinge_parameters parameters = parameters_for(1e-7, 0);
    struct hinge_model *models[6];
    struct hinge_error error;

    (void)state;
    large_draw(&large, ENTRY_BYTE, 1, 3);
    for (size_t i = 0; i < ROWS; i++)
        label[i] = large.sign[i];
    large.data.label = label;
    assert_int_equal(hinge_train_path(&large.data, &parameters, C, 6, NULL, models, &error),
                     HINGE_OK);
    for (size_t k = 0; k < 6; k++) {
        struct hinge_model *single;

        parameters.C = C[k];
        single = train(&large, &parameters);
        assert_int_equal(models[k]->result->outcome, HINGE_CERTIFIED);
        assert_true(fabs(models[k]->result->primal - single->result->primal) <=
                    2e-7 * single->result->primal);
        hinge_model_free(single);
        hinge_model_free(models[k]);
    }
}

static void test_parameters_of_pairs_are_checked(void **state)
{
    static const double bad[] = {0, -1, -0.0, NAN, INFINITY};
    struct hinge_parameters parameters = parameters_for(1e-3, 0);
    struct hinge_error error;

    (void)state;
    assert_int_equal(hinge_parameters_check(&parameters, &error), HINGE_OK);
    parameters.bias = 1;
    assert_int_equal(hinge_parameters_check(&parameters, &error), HINGE_BAD_ARGUMENT);
    assert_string_equal(error.message, "bias: that of solver smo is free");
    parameters.bias = -1;
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        parameters.cache = bad[k];
        assert_int_equal(hinge_parameters_check(&parameters, &error), HINGE_BAD_ARGUMENT);
        assert_string_equal(error.message, "cache: not a positive finite number");
    }
}

/* ---- The best bias -------------------------------------------------------- */

/* Many equal corners, unbounded intervals, costs apart. */
static void test_best_bias_is_the_best_of_all_corners(void **state)
{
    static struct toy toy;

    (void)state;
    for (unsigned long number = 0; number < 2000; number++) {
        struct breakpoint points[MOST_ROWS];
        uint64_t random = number;
        double w[MOST_WIDTH], b, costs = 0;

        draw(&toy, number);
        for (size_t j = 0; j < toy.data.features; j++)
            w[j] = number % 5 ? random_between(&random, -2, 2) : 0;
        for (size_t i = 0; i < toy.m; i++)
            costs += toy.cost[i] * (1 + fabs(margin(&toy, i, w)));
        b = bias_best(&toy.problem, w, points);
        CHECK(&toy, losses(&toy, w, b) <= least_losses(&toy, w) + 1e-13 * costs);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_problems_are_certified),
        cmocka_unit_test(test_bad_scaling_leaves_a_true_certificate),
        cmocka_unit_test(test_one_sign_alone_needs_no_weights),
        cmocka_unit_test(test_problem_without_rows),
        cmocka_unit_test(test_rows_that_are_all_equal),
        cmocka_unit_test(test_eps_rule_holds_on_all_rows),
        cmocka_unit_test(test_both_rules_must_hold),
        cmocka_unit_test(test_step_limit_is_exact),
        cmocka_unit_test(test_gap_beyond_double_stalls),
        cmocka_unit_test(test_monitors_stop_and_change_nothing),
        cmocka_unit_test(test_starts_from_any_feasible_point),
        cmocka_unit_test(test_gradient_is_what_alpha_makes_it),
        cmocka_unit_test(test_columns_take_the_narrowest_entries),
        cmocka_unit_test(test_columns_hold_what_was_asked_for),
        cmocka_unit_test(test_least_squares_gradient_is_incremental),
        cmocka_unit_test(test_cache_of_any_size_leads_to_the_optimum),
        cmocka_unit_test(test_rows_taken_back_are_looked_at),
        cmocka_unit_test(test_one_against_the_rest),
        cmocka_unit_test(test_weights_are_costs),
        cmocka_unit_test(test_path_ends_where_single_trainings_do),
        cmocka_unit_test(test_parameters_of_pairs_are_checked),
        cmocka_unit_test(test_best_bias_is_the_best_of_all_corners),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
