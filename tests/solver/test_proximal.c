/* test_proximal.c - sums over a stretch in closed form against direct ones; the l1 term against the
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

/* ---- Sums over a stretch ----------------------------------------------- */

static long double exact_growth(int quadratic, long double a, long double b)
{
    return quadratic ? (b - a) * (a + b + 1) : b - a;
}

/* A run that began before a, its S there as large as it becomes, and has taken steps up to t. */
static struct proximal run_to(int quadratic, double a, double t, double k)
{
    static double note[NOTES];
    static const double large = 36;
    struct proximal s = {
        .quadratic = quadratic, .averages = 1, .k = k, .inverse_k = k > 0 ? 1 / k : 0};

    s.note = note;
    s.run.begin = a - 1;
    note[note_of(s.run.begin).slot] = s.sum.total = large;
    s.next_note = note_of(s.run.begin).next;
    for (s.run.t = a; s.run.t <= t; s.run.t++)
        add_harmonic(&s, s.run.t);
    s.run.t = t;
    return s;
}

/* move from a to a + length against the sum of its terms. */
static void check_stretch(int quadratic, double u, double a, double length, double k)
{
    const struct proximal stretch = run_to(quadratic, a, a + length - 1, k);
    struct coordinate coordinate = {u, a, 0, 36};
    long double size = fabs(u), sum = 0, rest = size;

    for (long double t = a; t < a + length && rest > 0; t++) {
        sum += rest / t;
        rest = fmaxl(0, size - k * exact_growth(quadratic, a, t + 1));
    }
    rest = fmaxl(0, size - k * exact_growth(quadratic, a, (long double)a + length));
    move(&stretch, quadratic, &coordinate, 0);
    if (!(fabsl(fabsl(coordinate.sum) - sum) <= 1e-11L * sum))
        fail_msg("%s, u %.17g, a %.17g, length %.17g, K %.17g: the sum is %.17g, not %.17Lg",
                 quadratic ? "hrmd-w" : "comid", u, a, length, k, coordinate.sum, sum);
    if (!(fabsl(fabsl(coordinate.u) - rest) <= 1e-15L * size))
        fail_msg("%s, u %.17g, a %.17g, length %.17g, K %.17g: u becomes %.17g, not %.17Lg",
                 quadratic ? "hrmd-w" : "comid", u, a, length, k, coordinate.u, rest);
    assert_true(coordinate.time == a + length && coordinate.harmonic == stretch.harmonic);
    assert_true(coordinate.sum == 0 || (coordinate.sum > 0) == (u > 0));
    assert_true(coordinate.u == 0 || (coordinate.u > 0) == (u > 0));
}

/* 10^u, u uniform in low .. high */
static double random_decade(uint64_t *random, double low, double high)
{
    return pow(10, low + (high - low) * random_unit(random));
}

/* Draws u and K: none, tiny, one that reaches 0 near the stretch's end, or at one of its steps, or
 * at once. */
static void check_random_stretch(uint64_t *random, double a, double length)
{
    int quadratic = (int)(random_bits(random) >> 63);
    double u = random_decade(random, -12, 12) * (random_bits(random) >> 63 ? 1 : -1);
    double whole = exact_growth(quadratic, a, a + length) > 0
                       ? (double)exact_growth(quadratic, a, a + length)
                       : 1;
    double inside = ceil(length * random_unit(random));
    double k[] = {0, fabs(u) / whole * random_decade(random, -12, -1),
                  fabs(u) / whole / (0.01 + 2 * random_unit(random)),
                  fabs(u) / (double)exact_growth(quadratic, a, a + fmax(1, inside)),
                  fabs(u) * random_decade(random, 0, 6)};

    check_stretch(quadratic, u, a, length, k[(random_bits(random) >> 32) % 5]);
}

static void test_stretches_from_any_time(void **state)
{
    uint64_t random = 17;

    (void)state;
    for (int n = 0; n < 400; n++)
        check_random_stretch(&random, floor(random_decade(&random, 0, 6)),
                             floor(random_decade(&random, 0, 6)));
    for (int n = 0; n < 20000; n++)
        check_random_stretch(&random, floor(random_decade(&random, 0, 3)),
                             floor(random_decade(&random, 0, 3)));
    for (double length = 1; length <= 1e6; length *= 10)
        check_random_stretch(&random, 1, length);
}

/* Where the closed forms take over from the sum: all starts and lengths around it. */
static void test_stretches_where_the_closed_form_begins(void **state)
{
    uint64_t random = 18;

    (void)state;
    for (double a = 1; a <= 40; a++)
        for (double length = 1; length <= 60; length++)
            for (int n = 0; n < 20; n++)
                check_random_stretch(&random, a, length);
}

/* The two terms of the textbook form would cancel here to nothing. */
static void test_stretches_late_in_a_long_run(void **state)
{
    uint64_t random = 19;

    (void)state;
    for (int n = 0; n < 20000; n++)
        check_random_stretch(&random, floor(random_decade(&random, 3, 15)),
                             floor(random_decade(&random, 0, 2.5)));
    for (int n = 0; n < 40; n++)
        check_random_stretch(&random, floor(random_decade(&random, 6, 12)),
                             floor(random_decade(&random, 4, 6)));
}

/* A coordinate that is 0 stays there, and adds nothing. */
static void test_zero_stays_zero(void **state)
{
    (void)state;
    for (int quadratic = 0; quadratic <= 1; quadratic++) {
        const struct proximal stretch = run_to(quadratic, 3, 1000, 0.5);
        struct coordinate resting = {0, 3, 7, 0};

        move(&stretch, quadratic, &resting, 0);
        assert_true(resting.u == 0 && resting.sum == 7 && resting.time == 1001);
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
        cmocka_unit_test(test_stretches_from_any_time),
        cmocka_unit_test(test_stretches_where_the_closed_form_begins),
        cmocka_unit_test(test_stretches_late_in_a_long_run),
        cmocka_unit_test(test_zero_stays_zero),
        OF_SOLVER(test_dense_loop_agrees_with_l1, 4),
        OF_SOLVER(test_dense_loop_agrees_with_l1, 5),
        cmocka_unit_test(test_no_l1_is_a_tiny_l1),
        cmocka_unit_test(test_l1_makes_the_same_zeros),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
