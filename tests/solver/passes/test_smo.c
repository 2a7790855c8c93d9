/* test_smo.c - compares steps on pairs of rows, with a free bias, with a dense reference. The
 * certificate and the gradient are recomputed in long double. */
#include "solver/passes/smo.c"
#undef fail /* status.h's; cmocka has another */

#include <stdlib.h>
#include <string.h>

#include "free_bias.h"
#include "free_toy.h"

/* ---- Small problems ------------------------------------------------------ */

/* Draws a small problem with the L1-loss and a free bias. */
static void draw(struct toy *toy, unsigned long number)
{
    free_toy_small(toy, number, LOSS_HINGE);
}

static void draw_tame(struct toy *toy, unsigned long number)
{
    free_toy_tame(toy, number, LOSS_HINGE);
}

static void draw_hard(struct toy *toy, double C, double scale)
{
    struct draft draft = {ORDINARY, C, 0, -1, 0, scale, LOSS_HINGE};

    free_toy_draw(toy, &draft, 1, MOST_ROWS, 12);
}

static void solve_on(const struct toy *toy, const struct hinge_parameters *parameters,
                     const struct hinge_monitor *monitor, struct free_answer *answer)
{
    free_toy_train_from(toy, solver_find(SMO), parameters, monitor, answer);
}

static void solve(const struct toy *toy, const struct hinge_parameters *parameters,
                  const struct hinge_monitor *monitor, struct free_answer *answer)
{
    free_toy_train(toy, solver_find(SMO), parameters, monitor, answer);
}

static void test_random_problems_are_certified(void **state)
{
    static struct toy toy;
    size_t tight = 0;

    (void)state;
    for (unsigned long number = 0; number < 3000; number++) {
        struct hinge_parameters parameters = free_parameters_for(number % 4 == 3 ? 1e-3 : 1e-6, 0);
        struct bracket bracket;
        struct free_answer answer;
        double tolerance;

        draw(&toy, number);
        bracket = free_reference(&toy);
        tight += bracket.upper - bracket.lower <= 1e-9 * bracket.upper;
        solve(&toy, &parameters, NULL, &answer);
        free_check(&toy, &answer);
        tolerance = free_rounding(&toy, &answer);
        CHECK(&toy, answer.result.primal >= bracket.lower - tolerance);
        CHECK(&toy, -answer.result.dual <= bracket.upper + tolerance);
        CHECK(&toy, answer.result.outcome == HINGE_CERTIFIED);
        CHECK(&toy, answer.result.relative_gap <= parameters.relative_gap);
    }
    assert_true(tight > 2000);
}

/* Features from 1e-4 to 1e4. A few trainings end at the limit of steps, and say so. */
static void test_bad_scaling_leaves_a_true_certificate(void **state)
{
    static struct toy toy;
    size_t certified = 0;

    (void)state;
    for (unsigned long number = 0; number < 300; number++) {
        struct hinge_parameters parameters = free_parameters_for(1e-3, 0);
        struct draft draft = draft_small(number);
        struct free_answer answer;

        draft.loss = LOSS_HINGE;
        draft.scale = 1e4;
        draft.C = 1;
        draft.spread = 0;
        free_toy_draw(&toy, &draft, number, 0, 0);
        parameters.max_passes = 20000;
        solve(&toy, &parameters, NULL, &answer);
        free_check(&toy, &answer);
        CHECK(&toy, answer.result.outcome ==
                        (answer.result.relative_gap <= 1e-3 ? HINGE_CERTIFIED : HINGE_PASS_LIMIT));
        certified += answer.result.outcome == HINGE_CERTIFIED;
    }
    assert_true(certified > 250);
}

/* If all rows have one sign, w is 0 and the bias alone leaves no loss. */
static void test_one_sign_alone_needs_no_weights(void **state)
{
    static struct toy toy;
    struct hinge_parameters parameters = free_parameters_for(1e-9, 0);
    struct free_answer answer;
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
        free_check(&toy, &answer);
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
    struct hinge_parameters parameters = free_parameters_for(1e-3, 0);
    struct free_answer answer;

    (void)state;
    draw(&toy, 0);
    toy.m = toy.problem.rows = 0;
    solve(&toy, &parameters, NULL, &answer);
    CHECK(&toy, answer.result.outcome == HINGE_CERTIFIED);
    CHECK(&toy,
          answer.result.primal == 0 && answer.result.dual == 0 && answer.result.relative_gap == 0);
    for (size_t j = 0; j <= toy.data.features; j++)
        CHECK(&toy, answer.w[j] == 0);
}

/* If the rows of both signs are equal, only the bias matters. */
static void test_rows_that_are_all_equal(void **state)
{
    static struct toy toy;

    (void)state;
    for (unsigned long number = ALL_ALIKE; number < 40 * SHAPES; number += SHAPES) {
        struct hinge_parameters parameters = free_parameters_for(1e-9, 0);
        double cost[2] = {0, 0};
        struct free_answer answer;

        draw(&toy, number);
        for (size_t i = 0; i < toy.m; i++)
            cost[toy.sign[i] > 0] += toy.cost[i];
        solve(&toy, &parameters, NULL, &answer);
        free_check(&toy, &answer);
        CHECK(&toy, answer.result.outcome == HINGE_CERTIFIED);
        CHECK(&toy, fabs(answer.result.primal - 2 * fmin(cost[0], cost[1])) <=
                        1e-8 * (cost[0] + cost[1]));
    }
}

/* ---- Rules and limits ---------------------------------------------------- */

static void test_eps_rule_holds_on_all_rows(void **state)
{
    static struct toy toy;
    size_t loose = 0;

    (void)state;
    for (unsigned long number = 0; number < 600; number++) {
        struct hinge_parameters parameters = free_parameters_for(0, exp2(-(double)(number % 20)));
        struct free_answer answer;

        draw_tame(&toy, number);
        if (toy.draft.shape == UNLIKE_NORMS)
            continue;
        solve(&toy, &parameters, NULL, &answer);
        free_check(&toy, &answer);
        CHECK(&toy, free_violation(&toy, answer.alpha) <= parameters.eps + 1e-9);
        CHECK(&toy, answer.result.outcome == (answer.result.relative_gap <= HINGE_DEFAULT_GAP
                                                  ? HINGE_CERTIFIED
                                                  : HINGE_TOLERANCE_MET));
        loose += answer.result.outcome == HINGE_TOLERANCE_MET;
    }
    assert_true(loose > 20);
}

static void test_both_rules_must_hold(void **state)
{
    static const double demand[][2] = {{1e-7, 1e-1}, {0.5, 1e-8}, {1e-7, 10}};
    static struct toy toy;
    struct free_answer answer;

    (void)state;
    for (unsigned long number = 0; number < 600; number++) {
        struct hinge_parameters parameters =
            free_parameters_for(demand[number % 3][0], demand[number % 3][1]);

        draw_tame(&toy, number);
        if (toy.draft.shape == UNLIKE_NORMS)
            continue;
        solve(&toy, &parameters, NULL, &answer);
        free_check(&toy, &answer);
        CHECK(&toy, free_violation(&toy, answer.alpha) <= parameters.eps + 1e-9);
        CHECK(&toy, answer.result.outcome == HINGE_CERTIFIED);
        CHECK(&toy, answer.result.relative_gap <= parameters.relative_gap);
    }
}

static void test_step_limit_is_exact(void **state)
{
    static const uint64_t limits[] = {1, 2, 3, 7, 20, 65, 129};
    static struct toy toy;
    struct free_answer answer;

    (void)state;
    draw_hard(&toy, 100, 1);
    for (size_t k = 0; k < sizeof limits / sizeof *limits; k++) {
        struct hinge_parameters parameters = free_parameters_for(1e-9, k % 2 ? 1e-9 : 0);

        parameters.max_passes = limits[k];
        solve(&toy, &parameters, NULL, &answer);
        free_check(&toy, &answer);
        CHECK(&toy, answer.result.passes == limits[k]);
        CHECK(&toy, answer.result.outcome == HINGE_PASS_LIMIT);
    }
}

/* A training ends even if rounding errors do not allow the gap. */
static void test_gap_beyond_double_stalls(void **state)
{
    static struct toy toy;
    struct hinge_parameters parameters = free_parameters_for(1e-300, 0);
    struct free_answer answer;

    (void)state;
    draw_hard(&toy, 3, 1);
    solve(&toy, &parameters, NULL, &answer);
    free_check(&toy, &answer);
    CHECK(&toy, answer.result.outcome == HINGE_STALLED || answer.result.relative_gap == 0);
    CHECK(&toy, answer.result.relative_gap <= 1e-12);
}

/* ---- Monitors ------------------------------------------------------------ */

struct witness {
    size_t calls;
    size_t stop_at;
    enum hinge_answer answer;
    uint64_t passes;
    int last;
};

static enum hinge_answer watch(void *context, const struct hinge_progress *progress)
{
    struct witness *witness = context;

    assert_true(progress->passes >= witness->passes && !witness->last);
    assert_true(progress->passes == progress->steps && progress->active <= progress->rows);
    assert_true(progress->bias == 1);
    assert_true(!progress->measured || progress->relative_gap >= 0);
    witness->passes = progress->passes;
    witness->last = progress->last;
    return ++witness->calls >= witness->stop_at ? witness->answer : HINGE_GO_ON;
}

static void test_monitors_stop_and_change_nothing(void **state)
{
    static struct toy toy;
    struct hinge_parameters parameters = free_parameters_for(1e-9, 0);
    struct witness witness = {0, 0, HINGE_MEASURE, 0, 0};
    struct hinge_monitor monitor = {watch, &witness, NULL, 0};
    struct free_answer alone, watched;

    (void)state;
    draw_hard(&toy, 1000, 1);
    parameters.single_method = 1;
    solve(&toy, &parameters, NULL, &alone);
    solve(&toy, &parameters, &monitor, &watched);
    CHECK(&toy, witness.calls > 4 && witness.last);
    assert_memory_equal(alone.alpha, watched.alpha, sizeof alone.alpha);
    assert_memory_equal(alone.w, watched.w, (toy.data.features + 1) * sizeof *alone.w);
    witness = (struct witness){0, 3, HINGE_INTERRUPT, 0, 0};
    solve(&toy, &parameters, &monitor, &watched);
    free_check(&toy, &watched);
    CHECK(&toy, watched.result.outcome == HINGE_INTERRUPTED && witness.last);
    CHECK(&toy, watched.result.passes < alone.result.passes);
    witness = (struct witness){0, 1, HINGE_OUT_OF_TIME, 0, 0};
    solve(&toy, &parameters, &monitor, &watched);
    CHECK(&toy, watched.result.outcome == HINGE_TIME_LIMIT && watched.result.passes == 0);
}

/* ---- Starting from alpha ------------------------------------------------- */

/* From any feasible alpha, also with rows at bounds, a training finds the same optimum. */
static void test_starts_from_any_feasible_point(void **state)
{
    static struct toy toy;

    (void)state;
    for (unsigned long number = 0; number < 600; number++) {
        struct hinge_parameters parameters = free_parameters_for(1e-7, 0);
        struct free_answer answer, again;
        const double factor = number % 3 ? 3 : 1;

        draw_tame(&toy, number);
        solve(&toy, &parameters, NULL, &answer);
        again = answer;
        for (size_t i = 0; i < toy.m; i++) {
            toy.cost[i] *= factor;
            again.alpha[i] *= factor;
        }
        solve_on(&toy, &parameters, NULL, &again);
        free_check(&toy, &again);
        CHECK(&toy, again.result.outcome == HINGE_CERTIFIED);
        CHECK(&toy, factor > 1 || again.result.passes <= 2);
        solve(&toy, &parameters, NULL, &answer);
        CHECK(&toy, fabs(again.result.primal - answer.result.primal) <=
                        2.1e-7 * answer.result.primal + free_rounding(&toy, &answer));
    }
}

/* Dual variables that differ from their bound by rounding errors, as after scaling with C, start at
 * the bound. */
static void test_start_is_put_at_the_bounds(void **state)
{
    static struct toy toy;
    struct hinge_parameters parameters = free_parameters_for(1e-6, 0);
    struct free_answer answer, again;
    size_t bounded = 0;

    (void)state;
    draw_hard(&toy, 0.1, 1);
    solve(&toy, &parameters, NULL, &answer);
    again = answer;
    for (size_t i = 0; i < toy.m; i++)
        if (answer.alpha[i] == toy.cost[i])
            again.alpha[i] *= 1 - 1e-15;
    solve_on(&toy, &parameters, NULL, &again);
    CHECK(&toy, again.result.passes == 0);
    for (size_t i = 0; i < toy.m; i++)
        if (answer.alpha[i] == toy.cost[i]) {
            CHECK(&toy, again.alpha[i] == toy.cost[i]);
            bounded++;
        }
    assert_true(bounded > 10);
}

/* ---- The gradient, kept and recomputed ----------------------------------- */

/* Checks F of the active rows and F_bar of all rows by their formulas. */
static void check_gradient(const struct smo *s, const struct free_bias *large)
{
    const uint32_t *row = s->cache.row;

    for (uint32_t k = 0; k < s->rows; k++) {
        long double F = -large->sign[row[k]], F_bar = 0;

        assert_true(s->sign[k] == large->sign[row[k]] && s->cost[k] == large->cost[row[k]]);
        for (uint32_t j = 0; j < s->rows; j++) {
            const long double term =
                s->alpha[j] > 0 ? s->alpha[j] * s->sign[j] * product_of(large, row[k], row[j]) : 0;

            F += term;
            F_bar += s->alpha[j] == s->cost[j] ? term : 0;
        }
        if (fabsl(F_bar - s->F_bar[k]) > 1e-9 || (k < s->active && fabsl(F - s->F[k]) > 1e-9))
            fail_msg("position %u of %u: F %.17g is %.17Lg, F_bar %.17g is %.17Lg", (unsigned)k,
                     (unsigned)s->active, s->F[k], F, s->F_bar[k], F_bar);
    }
}

/* The events of a run. */
struct events {
    size_t entered; /* number of times that a row came to its upper bound */
    size_t left;    /* number of times that a row left its upper bound */
    size_t shrinks; /* number of times that rows were shrunk */
    size_t shrunk;  /* largest number of shrunk rows */
};

static void note_bounds(const struct smo *s, unsigned char *bounded, struct events *events)
{
    for (uint32_t k = 0; k < s->rows; k++) {
        const uint32_t i = s->cache.row[k];
        const unsigned char is = s->alpha[k] == s->cost[k];

        events->entered += is > bounded[i];
        events->left += is < bounded[i];
        bounded[i] = is;
    }
}

/* Runs to the end, shrinking and unshrinking, and checks the gradient each time. */
static void run_and_check(const struct free_bias *large, double mebibytes, struct events *events)
{
    struct hinge_parameters parameters = free_parameters_for(1e-9, 0);
    double w[FEATURES + 1], alpha[ROWS] = {0};
    struct training training = {.problem = &large->problem,
                                .parameters = &parameters,
                                .rows = ROWS,
                                .width = FEATURES + 1,
                                .point.w = w,
                                .point.alpha = alpha,
                                .point.primal = HUGE_VAL,
                                .shards = {.rows = ROWS, .count = 1, .length = FEATURES + 1}};
    unsigned char bounded[ROWS] = {0};
    struct arena arena = {NULL, 0, 0};
    struct hinge_error error;
    size_t steps = 0;
    struct smo state = {0}, *s = &state;
    void *block;

    parameters.cache = mebibytes;
    lay_out(s, &arena, &training);
    assert_non_null(block = arena_new(&arena, &error));
    lay_out(s, &arena, &training);
    assert_int_equal(begin(s, &training, &error), HINGE_OK);
    for (;;) {
        const uint32_t active = s->active;

        if (!smo_pair_step(s, 1e-6)) {
            check_gradient(s, large);
            if (s->active == s->rows)
                break;
            smo_unshrink(s);
            check_gradient(s, large);
            continue;
        }
        note_bounds(s, bounded, events);
        if (++steps % 100 == 0)
            smo_shrink(s);
        events->shrinks += s->active < active;
        if (s->rows - s->active > events->shrunk)
            events->shrunk = s->rows - s->active;
        if (steps % 300 == 0)
            check_gradient(s, large);
        if (steps % 900 == 0)
            smo_unshrink(s);
        if (steps % 900 == 0)
            check_gradient(s, large);
    }
    assert_true(s->cache.used <= s->cache.room);
    end(s);
    free(block);
}

static void test_gradient_is_what_alpha_makes_it(void **state)
{
    static struct free_bias large;

    (void)state;
    for (int entry = ENTRY_BYTE; entry <= ENTRY_DOUBLE; entry++)
        for (int small = 0; small < 3; small++) {
            struct events events = {0, 0, 0, 0};

            free_bias_draw(&large, (enum entry)entry, 0.05 * (small + 1), 7 + (uint64_t)small);
            run_and_check(&large, small == 0 ? 100 : small == 1 ? 0.05 : 1e-9, &events);
            if (events.entered < 100 || events.left < 20 || events.shrinks < 2 ||
                events.shrunk < 100)
                fail_msg("bounds entered %lu, left %lu times; shrunk %lu times, to %lu fewer",
                         (unsigned long)events.entered, (unsigned long)events.left,
                         (unsigned long)events.shrinks, (unsigned long)events.shrunk);
        }
}

static enum hinge_answer stop_after_many(void *context, const struct hinge_progress *progress)
{
    size_t *calls = context;

    (void)progress;
    return ++*calls > 10000 ? HINGE_INTERRUPT : HINGE_GO_ON;
}

/* ---- What takes over ------------------------------------------------------ */

static void draw_four(struct toy *toy)
{
    static const double first[] = {20000, -10000, -30000, 5000};
    struct draft draft = {ORDINARY, 1, 0, -1, 0, 1, LOSS_HINGE};

    free_toy_draw(toy, &draft, 1, 4, 2);
    for (size_t i = 0; i < 4; i++) {
        toy->table[i][0] = first[i];
        toy->table[i][1] = i == 3;
        toy->sign[i] = i % 2 ? -1 : 1;
    }
    compress_table(toy);
    expand_view(toy);
}

/* Draws 60 rows of 3 values up to 1e4, without a pattern. */
static void draw_sixty(struct toy *toy, unsigned long number)
{
    struct draft draft = {ORDINARY, 1, 0, -1, 0, 1, LOSS_HINGE};
    uint64_t state = number + 1;

    free_toy_draw(toy, &draft, number, 60, 3);
    for (size_t i = 0; i < 60; i++) {
        for (size_t j = 0; j < 3; j++)
            toy->table[i][j] = random_between(&state, -1e4, 1e4);
        toy->sign[i] = random_unit(&state) < 0.5 ? -1 : 1;
    }
    compress_table(toy);
    expand_view(toy);
}

/* Steps on pairs alone would take too long, so another method takes over. */
static void test_slow_pairs_are_handed_over(void **state)
{
    static struct toy toy;

    (void)state;
    for (unsigned long number = 0; number < 40; number++) {
        struct hinge_parameters parameters = free_parameters_for(number % 2 ? 1e-6 : 1e-3, 0);
        struct bracket bracket;
        struct free_answer answer;

        if (number == 0)
            draw_four(&toy);
        else
            draw_sixty(&toy, number);
        parameters.max_passes = 100000;
        solve(&toy, &parameters, NULL, &answer);
        free_check(&toy, &answer);
        bracket = free_reference(&toy);
        CHECK(&toy, answer.result.outcome == HINGE_CERTIFIED);
        CHECK(&toy, answer.result.steps > 0 && answer.result.steps < answer.result.passes);
        CHECK(&toy, answer.result.primal >= bracket.lower - free_rounding(&toy, &answer));
        CHECK(&toy, -answer.result.dual <= bracket.upper + free_rounding(&toy, &answer));
        parameters.single_method = 1;
        parameters.max_passes = 10000;
        solve(&toy, &parameters, NULL, &answer);
        free_check(&toy, &answer);
        CHECK(&toy, answer.result.outcome == HINGE_PASS_LIMIT);
        CHECK(&toy, strcmp(answer.result.method, "smo") == 0);
    }
}

/* The method that takes over also meets LIBSVM's rule. */
static void test_eps_rule_holds_behind_pairs(void **state)
{
    static struct toy toy;

    (void)state;
    for (unsigned long number = 1; number < 40; number++) {
        struct hinge_parameters parameters = free_parameters_for(0, number % 2 ? 1e-1 : 1e-4);
        struct free_answer answer;

        draw_sixty(&toy, number);
        parameters.max_passes = 100000;
        solve(&toy, &parameters, NULL, &answer);
        free_check(&toy, &answer);
        CHECK(&toy, answer.result.outcome == HINGE_CERTIFIED ||
                        answer.result.outcome == HINGE_TOLERANCE_MET);
        CHECK(&toy, strcmp(answer.result.method, "smo") != 0);
        CHECK(&toy, free_violation(&toy, answer.alpha) <= parameters.eps * 1.001);
    }
}

/* A training ends even if a K_ij or a curvature overflows: with two rows, and with two nearly equal
 * rows and a third one. */
static void test_overflow_ends(void **state)
{
    static const double sizes[] = {1e154, 1e155, 1e300};
    static struct toy toy;

    (void)state;
    for (size_t k = 0; k < 4 * COUNT(sizes); k++) {
        struct hinge_parameters parameters = free_parameters_for(1e-3, 0);
        struct draft draft = {ORDINARY, 1, 0, -1, 0, 1, LOSS_HINGE};
        const size_t rows = k / 2 % 2 ? 3 : 2;
        size_t calls = 0;
        const struct hinge_monitor monitor = {stop_after_many, &calls, NULL, 0};
        struct free_answer answer;

        parameters.single_method = k % 2 == 1;
        free_toy_draw(&toy, &draft, 1, rows, 2);
        for (size_t i = 0; i < rows; i++) {
            toy.sign[i] = i == 1 ? -1 : 1;
            toy.table[i][0] = i == 2 ? 0 : (rows == 2 ? toy.sign[i] : 1) * sizes[k / 4];
            toy.table[i][1] = i == 2 ? 3 : toy.sign[i];
        }
        compress_table(&toy);
        solve(&toy, &parameters, &monitor, &answer);
        CHECK(&toy,
              answer.result.outcome == HINGE_CERTIFIED || answer.result.outcome == HINGE_STALLED);
        CHECK(&toy,
              answer.result.primal >= 0 && answer.result.primal <= (double)rows * (1 + 1e-14));
        CHECK(&toy, answer.result.dual <= 0);
    }
}

/* K alpha cancels, because features have an offset. Steps would follow rounding errors for ever if
 * the method did not notice. */
static void test_pairs_that_chase_rounding_stall(void **state)
{
    static struct toy toy;

    (void)state;
    for (unsigned long number = 0; number < 12; number++) {
        struct hinge_parameters parameters = free_parameters_for(1e-15, number % 2 ? 1e-15 : 0);
        const double offset = pow(10, 6 + (double)(number / 4));
        size_t calls = 0;
        const struct hinge_monitor monitor = {stop_after_many, &calls, NULL, 0};
        struct free_answer answer;

        draw_hard(&toy, number / 2 % 2 ? 8 : 1, 1);
        for (size_t i = 0; i < toy.m; i++)
            for (size_t j = 0; j < 12; j++)
                toy.table[i][j] += offset;
        compress_table(&toy);
        expand_view(&toy);
        parameters.single_method = 1;
        solve(&toy, &parameters, &monitor, &answer);
        CHECK(&toy, answer.result.outcome == HINGE_STALLED);
    }
}

/* ---- Whole trainings ------------------------------------------------------ */

/* The optimum is the same with and without shrinking, with any cache and by both rules. */
static void test_cache_of_any_size_leads_to_the_optimum(void **state)
{
    static const double sizes[] = {100, 0.1, 1e-300};
    static struct free_bias large;

    (void)state;
    for (int k = 0; k < 36; k++) {
        struct hinge_parameters parameters =
            free_parameters_for(k % 2 ? 0 : 1e-8, k % 2 ? 1e-8 : 0);
        double w[FEATURES + 1], alpha[ROWS] = {0};
        struct hinge_result result;
        static double primal;

        parameters.cache = sizes[k % 3];
        free_bias_draw(&large, (enum entry)(k / 6 % 3), k < 18 ? 0.01 : 0.3, (uint64_t)(k / 6));
        result = free_train(&large.problem, solver_find(SMO), &parameters, NULL, alpha, w);
        assert_int_equal(result.outcome, HINGE_CERTIFIED);
        if (k % 6 == 0)
            primal = result.primal;
        assert_true(fabs(primal - result.primal) <= 1e-6 * primal);
    }
}

/* With many free rows and no stored column, unshrinking computes so much that a checkpoint is due
 * at once. The method must not shrink the same rows again forever. */
static void test_unshrunk_rows_have_their_steps(void **state)
{
    static struct free_bias large;

    (void)state;
    for (int k = 0; k < 6; k++) {
        struct hinge_parameters parameters = free_parameters_for(0, 1e-3);
        size_t calls = 0;
        const struct hinge_monitor monitor = {stop_after_many, &calls, NULL, 0};
        double w[MOST_LARGE + 1], alpha[ROWS] = {0};
        struct hinge_result result;

        parameters.cache = 1e-9;
        free_bias_draw_wide(&large, MOST_LARGE, ENTRY_DOUBLE, k % 2 ? 0.1 : 0.03, (uint64_t)k);
        result = free_train(&large.problem, solver_find(SMO), &parameters, &monitor, alpha, w);
        assert_int_equal(result.outcome, HINGE_CERTIFIED);
    }
}

static struct hinge_model *train(const struct free_bias *large,
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
    static struct free_bias large;
    static double label[ROWS], binary[ROWS];
    struct hinge_parameters parameters = free_parameters_for(1e-6, 0);
    struct hinge_model *all;

    (void)state;
    free_bias_draw(&large, ENTRY_DOUBLE, 1, 3);
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

/* A row of weight 2 counts like two equal rows. Class weights multiply. */
static void test_weights_are_costs(void **state)
{
    static struct free_bias large;
    static double label[ROWS], weight[ROWS];
    static const double labels[] = {1, -1}, class_weight[] = {3, 0.5};
    struct hinge_parameters parameters = free_parameters_for(1e-8, 0);
    struct hinge_model *by_class, *by_row;

    (void)state;
    free_bias_draw(&large, ENTRY_DOUBLE, 1, 3);
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
    for (size_t i = 0; i < ROWS; i++) /* rows of weight 0 may have any values */
        for (size_t k = large.start[i]; k < large.start[i + 1] && i % 2; k++)
            large.value[k] = -large.value[k];
    hinge_model_free(by_class);
    by_class = train(&large, &parameters);
    assert_memory_equal(by_class->weight, by_row->weight, (FEATURES + 1) * sizeof(double));
    hinge_model_free(by_class);
    hinge_model_free(by_row);
}

/* On a path each training starts where the previous one ended. */
static void test_path_ends_where_single_trainings_do(void **state)
{
    static const double C[] = {0.001, 0.01, 0.1, 1, 0.5, 0.03};
    static struct free_bias large;
    static double label[ROWS];
    struct hinge_parameters parameters = free_parameters_for(1e-7, 0);
    struct hinge_model *models[6];
    struct hinge_error error;

    (void)state;
    free_bias_draw(&large, ENTRY_BYTE, 1, 3);
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_slow_pairs_are_handed_over),
        cmocka_unit_test(test_eps_rule_holds_behind_pairs),
        cmocka_unit_test(test_overflow_ends),
        cmocka_unit_test(test_pairs_that_chase_rounding_stall),
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
        cmocka_unit_test(test_start_is_put_at_the_bounds),
        cmocka_unit_test(test_gradient_is_what_alpha_makes_it),
        cmocka_unit_test(test_cache_of_any_size_leads_to_the_optimum),
        cmocka_unit_test(test_unshrunk_rows_have_their_steps),
        cmocka_unit_test(test_one_against_the_rest),
        cmocka_unit_test(test_weights_are_costs),
        cmocka_unit_test(test_path_ends_where_single_trainings_do),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
