/* test_proximal.c - compares the l1 term with the papers' dense loops, and the closed forms of
 * coordinates, in blocks, with their recursion. */
#include "solver/stochastic/proximal.c"

#include <stdlib.h>
#include <string.h>

#include "dense_run.h"

/* l1 goes from a small effect to a term that makes all weights 0. */
static void test_dense_loop_agrees_with_l1(void **state)
{
    static const double l1[] = {1e-4, 0.01, 0.03, 0.1, 5};
    const int *solver = *state;
    size_t zero[5] = {0}, all = 0;

    for (int variant = 0; variant < VARIANTS; variant++) {
        struct dense_problem *toy = variant_toy(variant);

        for (size_t l = 0; l < 5; l++) {
            struct hinge_parameters parameters = variant_parameters(*solver, variant, 5000);
            struct dense_run run;

            parameters.l1 = l1[l];
            run = check_outputs(toy, parameters);
            zero[l] += zeros_at_end(&run);
            free(run.w);
        }
        all += toy->width;
        dense_problem_free(toy);
    }
    for (size_t l = 1; l < 5; l++)
        assert_true(zero[l] > zero[l - 1]);
    assert_true(zero[0] < all / 4 && zero[2] > all / 4 && zero[3] < all && zero[4] == all);
}

/* Rows have about as many entries as a block, including the bias, or several blocks. */
static void test_rows_of_several_blocks(void **state)
{
    static const uint32_t features[] = {BLOCK - 1, BLOCK, BLOCK + 1, 2 * BLOCK, 150};

    (void)state;
    for (size_t k = 0; k < COUNT(features); k++)
        for (int has_bias = 0; has_bias <= 1; has_bias++) {
            const struct dense_draft all_there = {20, features[k], 40, 1, has_bias ? 0.5 : -1,
                                                  0,  0.3,         k};
            struct dense_problem *toy = dense_problem_new(&all_there);

            for (int solver = COMID; solver <= HRMD_W; solver++)
                for (int variant = 0; variant < VARIANTS; variant++) {
                    struct hinge_parameters parameters = variant_parameters(solver, variant, 300);

                    parameters.l1 = 0.01;
                    free(check_outputs(toy, parameters).w);
                }
            dense_problem_free(toy);
        }
}

/* Without l1, sgd.c makes the steps. With an l1 that changes no digit, proximal.c makes them. */
static void test_no_l1_is_a_tiny_l1(void **state)
{
    (void)state;
    for (int variant = 0; variant < VARIANTS; variant++)
        for (int solver = COMID; solver <= HRMD_W; solver++)
            for (int last = 0; last < 2; last++) {
                struct hinge_parameters parameters = variant_parameters(solver, variant, 3000);
                struct dense_problem *toy = variant_toy(variant);
                double *none = zeros(toy->width, sizeof *none);
                double *tiny = zeros(toy->width, sizeof *tiny), largest = 0;

                if (last)
                    parameters.average = HINGE_AVERAGE_NONE;
                dense_solve(toy, &parameters, NULL, none);
                parameters.l1 = 1e-30;
                dense_solve(toy, &parameters, NULL, tiny);
                for (size_t j = 0; j < toy->width; j++)
                    largest = fmax(largest, fabs(none[j]));
                for (size_t j = 0; j < toy->width; j++)
                    assert_true(fabs(none[j] - tiny[j]) <= 1e-11 * largest);
                assert_true(largest > 0 && memcmp(none, tiny, toy->width * sizeof *none) != 0);
                free(none);
                free(tiny);
                dense_problem_free(toy);
            }
}

static void test_l1_makes_the_same_zeros(void **state)
{
    (void)state;
    for (int variant = 0; variant < VARIANTS; variant++)
        for (int solver = COMID; solver <= HRMD_W; solver++) {
            struct hinge_parameters parameters = variant_parameters(solver, variant, 2000);
            struct dense_problem *toy = variant_toy(variant);
            double *w = zeros(toy->width, sizeof *w);
            struct dense_run run;

            parameters.l1 = 0.02;
            parameters.average = HINGE_AVERAGE_NONE;
            run = dense_run_new(toy, &parameters);
            assert_int_equal(dense_solve(toy, &parameters, NULL, w).nonzeros,
                             toy->width - zeros_at_end(&run));
            for (size_t j = 0; j < toy->width; j++)
                assert_true((w[j] == 0) == (iterate_at(&run, run.steps + 1)[j] == 0));
            free(run.w);
            free(w);
            dense_problem_free(toy);
        }
}

/* ---- Harmonic sums -------------------------------------------------------- */

static void test_excess_of_short_sums(void **state)
{
    (void)state;
    for (double a = 1; a < 1e6; a = ceil(a * 1.3))
        for (double n = 1; (n - 1) * PARTS < a; n = ceil(n * 1.2)) {
            const double c = a + (n - 1) / 2;
            long double excess = 0;

            for (double t = a; t < a + n; t++) /* 1/t = 1/c - (t - c)/c^2 + (t - c)^2/(c^2 t) */
                excess += (t - c) * (t - c) / ((long double)c * t * n);
            assert_true(fabsl(harmonic_excess(n, 1 / c) - excess) <= 1e-9L * excess + 2e-16L);
        }
}

/* Checks that every r of a run is found from the noted sums, of which there are at most NOTES. */
static void check_notes(double begin, size_t steps)
{
    static double note[NOTES];
    struct lazy s;
    long double *sum = calloc(steps + 1, sizeof *sum);
    size_t notes = 0;

    assert_non_null(sum);
    memset(note, 0, sizeof note);
    lazy_begin(&s, 1, 0, begin, note);
    for (size_t n = 1; n <= steps; n++) {
        sum[n] = sum[n - 1] + 1 / ((long double)begin + (long double)n);
        lazy_enter(&s, begin + (double)n);
        assert_true(fabsl(s.harmonic - sum[n]) <= 2e-16L * sum[n]);
    }
    for (size_t n = 1; n <= steps; n++)
        assert_true(fabsl(harmonic_before(note, begin, begin + (double)n) - sum[n]) <=
                    6e-16L * sum[n]);
    for (size_t slot = 0; slot < NOTES; slot++)
        notes += note[slot] != 0;
    assert_true((double)notes <= PARTS + PARTS * log2(1 + (double)steps / fmax(begin, 1)) + 1);
    free(sum);
}

static void test_sums_are_noted(void **state)
{
    (void)state;
    for (double begin = 0; begin < 2 * PARTS + 6; begin += begin < 20 ? 1 : 17)
        check_notes(begin, 4 * PARTS);
    check_notes(0, 1000000);
    for (double begin = 100; begin < 8e15; begin *= 17)
        check_notes(begin, 20000);
    assert_true(note_slot(9007199254740992.0) < NOTES); /* 2^53 */
}

static void test_notes_are_in_order(void **state)
{
    double t = 1;

    (void)state;
    assert_int_equal(note_slot(1), 0);
    for (; t < 1e15; t = note_after(t)) {
        const double next = note_after(t);

        assert_true(note_time(t) == t && note_time(next - 1) == t);
        assert_true(note_slot(next) > note_slot(t) && note_slot(next - 1) == note_slot(t));
        assert_true(next == t + 1 || (next - t) * PARTS <= t);
    }
}

/* ---- Coordinates ---------------------------------------------------------- */

/* Returns 10^u, u uniform in low .. high. */
static double random_decade(uint64_t *random, double low, double high)
{
    return pow(10, low + (high - low) * random_unit(random));
}

/* A coordinate by recursion, which the closed forms solve. */
struct slow {
    long double u;       /* u_t of the next step */
    long double sum;     /* sum of u_t/t */
    long double weights; /* sum of G(t)/t */
    long double largest; /* largest |w_t| */
};

static long double slow_growth(int quadratic, long double t)
{
    return quadratic ? t * (t + 1) : t;
}

static void slow_step(struct slow *slow, int quadratic, long double t, long double push,
                      long double k)
{
    const long double g = slow_growth(quadratic, t);
    const long double rest = fabsl(slow->u + push) - k * (slow_growth(quadratic, t + 1) - g);

    slow->sum += slow->u / t;
    slow->weights += g / t;
    slow->u = copysignl(fmaxl(rest, 0), slow->u + push);
    slow->largest = fmaxl(slow->largest, fabsl(slow->u) / slow_growth(quadratic, t + 1));
}

enum { WIDTH = 13 };

struct coordinates {
    double height[WIDTH], rest[WIDTH];
    struct slow slow[WIDTH];
};

/* Makes a step in which a share of the coordinates, in one block, moves by a factor times a value.
 */
static void random_step(struct lazy *s, struct coordinates *all, double share, uint64_t *random)
{
    const double factor = lazy_growth(s, s->t, s->t + 1);
    double value[WIDTH], height[WIDTH], rest[WIDTH];
    size_t place[WIDTH], count = 0;

    for (size_t j = 0; j < WIDTH; j++) {
        const int has_push = random_unit(random) < share;

        value[count] = 2 * random_unit(random) - 1;
        height[count] = all->height[j];
        rest[count] = all->rest[j];
        place[count] = j;
        slow_step(&all->slow[j], s->quadratic, s->t, has_push ? factor * value[count] : 0, s->k);
        count += (size_t)has_push;
    }
    lazy_move(s, count, factor, value, height, rest);
    for (size_t e = 0; e < count; e++) {
        all->height[place[e]] = height[e];
        all->rest[place[e]] = rest[e];
    }
}

/* Checks the sums and u after the step, up to rounding errors of numbers as large as |w| + K.
 * Returns the number of u that are 0. */
static size_t check_coordinates(const struct lazy *s, const struct coordinates *all)
{
    const long double next = slow_growth(s->quadratic, (long double)s->t + 1);
    double sum[WIDTH];
    size_t zero = 0;

    lazy_sums(s, WIDTH, all->height, sum);
    for (size_t j = 0; j < WIDTH; j++) {
        const struct slow *slow = &all->slow[j];
        const double u = soft(all->height[j], s->next);
        const long double tolerance = 1e-12L * (slow->largest + s->k);

        if (!(fabsl(all->rest[j] + sum[j] - slow->sum) <= tolerance * slow->weights) ||
            !(fabsl(u - slow->u) <= tolerance * next))
            fail_msg("%s, from %.17g, step %.17g, K %g: the sum is %.17g, not %.17Lg, u %.17g, not "
                     "%.17Lg",
                     s->quadratic ? "hrmd-w" : "comid", s->begin, s->t, s->k, all->rest[j] + sum[j],
                     slow->sum, u, slow->u);
        assert_true(slow->u != 0 || u == 0);
        zero += u == 0;
    }
    return zero;
}

/* Checks u at the beginning of a step. */
static void check_current(const struct lazy *s, const struct coordinates *all)
{
    const long double growth = slow_growth(s->quadratic, s->t);

    for (size_t j = 0; j < WIDTH; j++) {
        const struct slow *slow = &all->slow[j];
        const double u = lazy_current(s, all->height[j]);

        assert_true(fabsl(u - slow->u) <= 1e-12L * (slow->largest + s->k) * growth);
    }
}

/* Takes `steps` steps after `begin`, a share of them with a gradient. Checks all coordinates ten
 * times, and returns how many of them were 0 then. */
static size_t check_run(int quadratic, double begin, size_t steps, double share, double k,
                        uint64_t *random)
{
    static double note[NOTES];
    struct coordinates all = {.height = {0}};
    struct lazy s;
    size_t zero = 0;

    memset(note, 0, sizeof note);
    lazy_begin(&s, k, quadratic, begin, note);
    for (size_t n = 1; n <= steps; n++) {
        lazy_enter(&s, begin + (double)n);
        if (n % (steps / 10) == 1)
            check_current(&s, &all);
        random_step(&s, &all, share, random);
        if (n % (steps / 10) == 0)
            zero += check_coordinates(&s, &all);
    }
    return zero;
}

/* Gradients come in every step or rarely, and l1 is small or so large that every u becomes 0. */
static void test_runs_of_coordinates(void **state)
{
    uint64_t random = 17;
    size_t zero = 0, checked = 0;

    (void)state;
    for (int quadratic = 0; quadratic <= 1; quadratic++)
        for (double share = 1; share > 5e-4; share /= 10)
            for (double k = 1e-8; k < 20; k *= 10)
                for (int n = 0; n < 2; n++, checked += 10 * WIDTH)
                    zero += check_run(quadratic, 0, n ? 2000 : 30000, share, k * share, &random);
    assert_in_range(zero, checked / 5, checked * 4 / 5);
}

/* S and Q sum over the steps from the first one on, so they stay small. */
static void test_runs_that_begin_late(void **state)
{
    uint64_t random = 18;

    (void)state;
    for (int n = 0; n < 100; n++)
        check_run(n % 2, floor(random_decade(&random, 0, 13)), 5000, random_decade(&random, -3, 0),
                  random_decade(&random, -5, 0), &random);
}

/* Above 2^52 all doubles are whole, so 1/2 cannot be added. */
static void test_last_step_of_the_largest(void **state)
{
    (void)state;
    for (double t = 4; t < 9e15; t *= 3) {
        const double beyond = t / 2 + 1;

        assert_true(last_step(t, 1, 0, 1, beyond) == floor(beyond));
        assert_true(last_step(t, 1, 0, 1, 9e15) == floor(t));
        assert_true(last_step(1e300, 1e300, 0, 1, t) == floor(t));
    }
}

static void test_zero_stays_zero(void **state)
{
    (void)state;
    for (int quadratic = 0; quadratic <= 1; quadratic++) {
        double note[NOTES] = {0}, height = 0, rest = 7, sum;
        const double value = 1;
        struct lazy s;

        lazy_begin(&s, 0.5, quadratic, 2, note);
        lazy_enter(&s, 3);
        lazy_move(&s, 1, 0.4, &value, &height, &rest);
        lazy_sums(&s, 1, &height, &sum);
        assert_true(height == 0 && rest == 7 && sum == 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        OF_SOLVER(test_dense_loop_agrees_with_l1, 4),
        OF_SOLVER(test_dense_loop_agrees_with_l1, 5),
        cmocka_unit_test(test_rows_of_several_blocks),
        cmocka_unit_test(test_no_l1_is_a_tiny_l1),
        cmocka_unit_test(test_l1_makes_the_same_zeros),
        cmocka_unit_test(test_excess_of_short_sums),
        cmocka_unit_test(test_sums_are_noted),
        cmocka_unit_test(test_notes_are_in_order),
        cmocka_unit_test(test_runs_of_coordinates),
        cmocka_unit_test(test_runs_that_begin_late),
        cmocka_unit_test(test_last_step_of_the_largest),
        cmocka_unit_test(test_zero_stays_zero),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
