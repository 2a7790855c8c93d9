/* test_proximal.c - a coordinate's closed forms against the recursion; the l1 term against the
 * papers' dense loops. */
#include "solver/proximal.c"

#include <float.h>
#include <stdlib.h>
#include <string.h>

#include "dense_run.h"

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
            assert_true(fabsl(harmonic_excess(n, 1 / c) - excess) <= 1e-12L * excess + 2e-16L);
        }
}

/* Every r of a run is found from the sums noted on the way, which is so many at most. */
static void check_notes(double begin, double steps)
{
    static double note[NOTES];
    struct proximal s = {.note = note, .run = {.begin = begin}, .next_note = note_of(begin).next};
    long double *sum = zeros((size_t)steps + 1, sizeof *sum);
    size_t notes = 0;

    memset(note, 0, sizeof note);
    for (double n = 1; n <= steps; n++) {
        sum[(size_t)n] = sum[(size_t)n - 1] + 1 / ((long double)begin + n);
        s.run.t = begin + n;
        add_harmonic(&s, s.run.t);
        assert_true(fabsl(s.harmonic - sum[(size_t)n]) <= 2e-16L * sum[(size_t)n]);
    }
    for (double n = 0; n <= steps; n++)
        assert_true(fabsl(harmonic_before(&s, begin + n) - sum[(size_t)n]) <=
                    6e-16L * sum[(size_t)n]);
    for (size_t slot = 0; slot < NOTES; slot++)
        notes += note[slot] != 0;
    assert_true((double)notes <= PARTS + PARTS * log2(1 + steps / fmax(begin, 1)) + 1);
    free(sum);
}

static void test_sums_are_noted(void **state)
{
    (void)state;
    for (double begin = 0; begin < 70; begin++)
        check_notes(begin, 300);
    check_notes(0, 1e6);
    for (double begin = 100; begin < 8e15; begin *= 17)
        check_notes(begin, 20000);
    assert_true(note_of(9007199254740992.0).slot < NOTES);
}

static void test_notes_are_in_order(void **state)
{
    (void)state;
    for (double t = 0; t < 1e15; t = note_of(t).next) {
        const struct note here = note_of(t), next = note_of(here.next);

        assert_true(here.time == t && next.time == here.next && next.slot == here.slot + 1);
        assert_true(here.next == t + 1 || (here.next - t) * PARTS <= t);
        assert_int_equal(note_of(here.next - 1).slot, here.slot);
    }
}

/* ---- A coordinate ------------------------------------------------------ */

/* 10^u, u uniform in low .. high */
static double random_decade(uint64_t *random, double low, double high)
{
    return pow(10, low + (high - low) * random_unit(random));
}

/* A coordinate by the recursion that the closed forms are of. */
struct slow {
    long double u;       /* u_t of the step to come */
    long double sum;     /* of u_t/t */
    long double weights; /* of G(t)/t */
    long double largest; /* |w_t| */
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
    slow->largest = fmaxl(slow->largest, fabsl(slow->u) / g);
    slow->u = copysignl(fmaxl(rest, 0), slow->u + push);
}

/* So many steps after begin, of which a share has a push, against the recursion: the sum and u
 * after each tenth of them, up to rounding errors of numbers as large as |w| + K. How many u were
 * 0. */
static size_t check_run(int quadratic, double begin, size_t steps, double share, double k,
                        uint64_t *random)
{
    static double note[NOTES];
    struct proximal s = {.quadratic = quadratic, .averages = 1, .k = k, .inverse_k = 1 / k};
    struct slow slow = {0, 0, 0, 0};
    struct coordinate coordinate = {0, 0};
    size_t zero = 0;

    memset(note, 0, sizeof note);
    s.note = note;
    s.run.begin = begin;
    s.next_note = note_of(begin).next;
    for (size_t n = 1; n <= steps; n++) {
        const double t = s.run.t = begin + (double)n;
        const double gradient = 2 * random_unit(random) - 1;
        const double push = random_unit(random) < share ? gradient * growth(&s, t, t + 1) : 0;

        enter_step(&s);
        slow_step(&slow, quadratic, t, push, k);
        if (push != 0)
            move(&s, &coordinate, push);
        if (n % (steps / 10) == 0) {
            const long double next = slow_growth(quadratic, (long double)t + 1);
            const double u = soft(coordinate.height, k * growth(&s, 0, t + 1));
            const long double tolerance = 1e-12L * (slow.largest + k);

            if (!(fabsl(sum_up(&s, &coordinate) - slow.sum) <= tolerance * slow.weights))
                fail_msg("%s, from %.17g, step %zu, share %g, K %g: the sum is %.17g, not %.17Lg",
                         quadratic ? "hrmd-w" : "comid", begin, n, share, k,
                         sum_up(&s, &coordinate), slow.sum);
            if (!(fabsl(u - slow.u) <= tolerance * next))
                fail_msg("%s, from %.17g, step %zu, share %g, K %g: u is %.17g, not %.17Lg",
                         quadratic ? "hrmd-w" : "comid", begin, n, share, k, u, slow.u);
            assert_true(slow.u != 0 || u == 0);
            zero += u == 0;
        }
    }
    return zero;
}

/* From gradients in every step to one now and then, from an l1 that does little to one that leaves
 * nothing. */
static void test_runs_of_a_coordinate(void **state)
{
    uint64_t random = 17;
    size_t zero = 0, runs = 0;

    (void)state;
    for (int quadratic = 0; quadratic <= 1; quadratic++)
        for (double share = 1; share > 5e-4; share /= 10)
            for (double k = 1e-8; k < 20; k *= 10)
                for (int n = 0; n < 4; n++, runs++)
                    zero += check_run(quadratic, 0, n ? 2000 : 100000, share, k * share, &random);
    assert_in_range(zero, 2 * runs, 8 * runs); /* of ten a run */
}

/* S and Q are of the steps from the first one on, so that they stay small. */
static void test_runs_that_begin_late(void **state)
{
    uint64_t random = 18;

    (void)state;
    for (int n = 0; n < 300; n++)
        check_run(n % 2, floor(random_decade(&random, 0, 13)), 5000, random_decade(&random, -3, 0),
                  random_decade(&random, -5, 0), &random);
}

/* A coordinate that is 0 stays there, and adds nothing. */
static void test_zero_stays_zero(void **state)
{
    (void)state;
    for (int quadratic = 0; quadratic <= 1; quadratic++) {
        struct proximal s = {.quadratic = quadratic, .averages = 1, .k = 0.5, .inverse_k = 2};
        struct coordinate resting = {0, 7};
        double note[NOTES];

        s.note = note;
        s.next_note = HUGE_VAL;
        s.run.t = 3;
        enter_step(&s);
        move(&s, &resting, 0.4);
        assert_true(resting.height == 0 && resting.rest == 7 && sum_up(&s, &resting) == 7);
    }
}

/* ---- The l1 term --------------------------------------------------------- */

/* l1 from a term that does little to one that leaves nothing. */
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

/* Without l1 the steps are those of sgd.c, with one that changes no digit they are not. */
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

/* The zeros themselves: exactly 0, and the same ones. */
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_excess_of_short_sums),
        cmocka_unit_test(test_sums_are_noted),
        cmocka_unit_test(test_notes_are_in_order),
        cmocka_unit_test(test_runs_of_a_coordinate),
        cmocka_unit_test(test_runs_that_begin_late),
        cmocka_unit_test(test_zero_stays_zero),
        OF_SOLVER(test_dense_loop_agrees_with_l1, 4),
        OF_SOLVER(test_dense_loop_agrees_with_l1, 5),
        cmocka_unit_test(test_no_l1_is_a_tiny_l1),
        cmocka_unit_test(test_l1_makes_the_same_zeros),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
