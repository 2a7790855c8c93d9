/* test_multiplier.c - the multiplier of a free bias by itself: its changes of a point, and passes
 * with it, which find the bias of another method. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "free_bias.h"
#include "solver/passes/multiplier.h"

static const enum loss losses[] = {LOSS_HINGE, LOSS_SQUARED_HINGE, LOSS_LOGISTIC};

/* A training at a random alpha, with passes of a free bias begun. */
struct bench {
    struct free_bias rows;
    struct task task;
    struct training training;
    struct multiplier multiplier;
    double w[MOST_LARGE + 1];
    double alpha[ROWS];
    void *block;
};

static void bench_new(struct bench *bench, enum loss loss, uint64_t random, double bias)
{
    struct training *training = &bench->training;
    struct arena arena = {NULL, 0, 0};
    struct hinge_error error;

    free_bias_draw_wide(&bench->rows, MOST_LARGE, ENTRY_DOUBLE, 1, random);
    bench->rows.problem.loss = loss;
    bench->rows.problem.bias_kind = BIAS_FREE;
    bench->rows.problem.bias = 1;
    bench->task = (struct task){.problem = &bench->rows.problem};
    for (size_t i = 0; i < ROWS; i++)
        bench->alpha[i] = bench->rows.cost[i] * random_unit(&random);
    *training = (struct training){.task = &bench->task,
                                  .problem = &bench->rows.problem,
                                  .rows = ROWS,
                                  .width = MOST_LARGE + 1,
                                  .point.w = bench->w,
                                  .point.alpha = bench->alpha,
                                  .point.primal = HUGE_VAL};
    training->shards = shards_of(training->problem, SUM_OF_VECTORS, 0, training->width);
    memset(bench->w, 0, sizeof bench->w);
    bench->w[MOST_LARGE] = bias;
    memset(&bench->multiplier, 0, sizeof bench->multiplier);
    multiplier_lay_out(&bench->multiplier, &arena, training);
    assert_non_null(bench->block = arena_new(&arena, &error));
    multiplier_lay_out(&bench->multiplier, &arena, training);
    multiplier_begin(&bench->multiplier, training);
    training_form(training);
}

static double sum_of(const struct bench *bench, const double *alpha)
{
    long double sum = 0;

    for (size_t i = 0; i < ROWS; i++)
        sum += bench->rows.sign[i] * (long double)alpha[i];
    return (double)sum;
}

/* u = origin + a sum alpha_i y_i, where the origin is the previous bias. The other weights are
 * those without a bias, and so is D, except for the price of u. */
static void test_weight_of_the_bias_is_the_sum(void **state)
{
    static struct bench bench;

    (void)state;
    for (size_t k = 0; k < COUNT(losses); k++)
        for (uint64_t random = 1; random <= 4; random++) {
            const struct training *training = &bench.training;
            double a, u, sum, plain;

            bench_new(&bench, losses[k], random, random % 2 ? 0 : -0.75);
            a = training->problem->bias;
            u = training->point.w[MOST_LARGE];
            sum = sum_of(&bench, training->point.alpha);
            assert_true(training->problem->bias_kind == BIAS_REGULARISED && a > 0);
            assert_true(fabs(bench.multiplier.origin * a - (random % 2 ? 0 : -0.75)) <= 1e-15);
            assert_true(fabs(u - (bench.multiplier.origin + a * sum)) <= 1e-12 * (1 + fabs(u)));
            plain = objective_dual(&training->shards, &bench.rows.problem, training->point.alpha,
                                   training->point.w);
            assert_true(fabs(training->point.dual - plain -
                             (u * u - bench.multiplier.origin * bench.multiplier.origin) / 2) <=
                        1e-12 * (fabs(plain) + u * u));
            free(bench.block);
        }
}

/* A move changes u and the origin alike, so that their difference stays a sum alpha_i y_i. It
 * changes D as u does, with the same alpha. The first move goes to u. Later the secant may go
 * farther.
 */
static void test_moves_keep_the_sum(void **state)
{
    static struct bench bench;

    (void)state;
    for (uint64_t random = 1; random <= 4; random++) {
        struct training *training = &bench.training;

        bench_new(&bench, LOSS_SQUARED_HINGE, random, 0.5);
        for (int move = 0; move < 4; move++) {
            const double u = training->point.w[MOST_LARGE], origin = bench.multiplier.origin;
            const double dual = training->point.dual, rest = multiplier_rest(training);
            double moved, now;

            multiplier_move(training);
            now = training->point.w[MOST_LARGE];
            moved = bench.multiplier.origin - origin;
            assert_true(fabs(rest - (u - origin) * (u - origin)) <= 1e-12 * rest);
            assert_true(fabs((now - u) - moved) <= 1e-12 * (fabs(now) + fabs(u)));
            assert_true(moved * (u - origin) > 0);
            if (move == 0)
                assert_true(bench.multiplier.origin == u);
            else /* the sum has not changed: the longest move */
                assert_true(fabs(moved - 10 * (u - origin)) <= 1e-9 * fabs(moved));
            assert_true(fabs(training->point.dual - dual - (u - origin) * moved) <=
                        1e-12 * (fabs(dual) + fabs(training->point.dual)));
        }
        /* half of the sum is gone, and the secant finds the move for all of it */
        {
            const double u = training->point.w[MOST_LARGE], rest = u - bench.multiplier.origin;
            const double moved = bench.multiplier.moved, origin = bench.multiplier.origin;
            const double fall = bench.multiplier.change - rest / 2;

            training->point.w[MOST_LARGE] = origin + rest / 2;
            multiplier_move(training);
            assert_true(fabs(bench.multiplier.origin - origin -
                             rest / 2 / fmin(fmax(fall / moved, 0.1), 1)) <= 1e-9 * fabs(rest));
        }
        free(bench.block);
    }
}

/* A settled copy has sum alpha_i y_i = 0, alpha in the box, and the w and bias of this alpha. The
 * training's point, from which the steps continue, keeps every bit. At the end, the training takes
 * the copy. */
static void test_settling_balances_a_copy(void **state)
{
    static struct bench bench;
    static double w[MOST_LARGE + 1], alpha[ROWS];

    (void)state;
    for (size_t k = 0; k < COUNT(losses); k++)
        for (uint64_t random = 1; random <= 4; random++) {
            struct training *training = &bench.training;
            const struct multiplier *multiplier = &bench.multiplier;
            double total = 0, b;

            bench_new(&bench, losses[k], random, 0.25);
            memcpy(w, training->point.w, sizeof w);
            memcpy(alpha, training->point.alpha, sizeof alpha);
            assert_true(fabs(sum_of(&bench, alpha)) > 1e-3);
            b = w[MOST_LARGE] * training->problem->bias;
            multiplier_settle(training);
            assert_memory_equal(w, training->point.w, sizeof w);
            assert_memory_equal(alpha, training->point.alpha, sizeof alpha);
            for (size_t i = 0; i < ROWS; i++) {
                total += multiplier->alpha[i];
                assert_true(multiplier->alpha[i] >= 0 &&
                            (losses[k] == LOSS_SQUARED_HINGE ||
                             multiplier->alpha[i] <= bench.rows.cost[i]));
            }
            assert_true(total > 0 && fabs(sum_of(&bench, multiplier->alpha)) <= 1e-12 * total);
            assert_true(fabs(multiplier->w[MOST_LARGE] - b) <= 1e-15 * fabs(b));
            for (size_t j = 0; j < MOST_LARGE; j++) {
                long double v = 0, size = 0;

                for (size_t i = 0; i < ROWS; i++) {
                    const long double term =
                        bench.rows.sign[i] * (long double)multiplier->alpha[i] * bench.rows.x[i][j];

                    v += term;
                    size += fabsl(term);
                }
                assert_true(fabsl(v - multiplier->w[j]) <= 1e-13L * size);
            }
            multiplier_end(training);
            assert_true(!training->multiplier && training->problem == &bench.rows.problem);
            assert_memory_equal(training->point.w, multiplier->w, sizeof w);
            assert_memory_equal(training->point.alpha, multiplier->alpha, sizeof alpha);
            free(bench.block);
        }
}

/* ---- Passes with it ------------------------------------------------------ */

struct trained {
    double w[MOST_LARGE + 1];
    double alpha[ROWS];
    struct hinge_result result;
};

static void train(const struct problem *problem, int number, int plain, double eps,
                  struct trained *trained)
{
    struct hinge_parameters parameters = parameters_default();
    struct hinge_error error;
    struct task task = {.problem = problem,
                        .solver = solver_find(number),
                        .parameters = &parameters,
                        .problems = 1,
                        .alpha = trained->alpha,
                        .w = trained->w,
                        .workspace = workspace_new(&error)};

    parameters.solver = number;
    parameters.single_method = plain;
    parameters.relative_gap = eps > 0 ? 0 : 1e-8;
    parameters.eps = eps;
    parameters.max_passes = 50000;
    memset(trained->alpha, 0, sizeof trained->alpha);
    assert_non_null(task.workspace);
    assert_int_equal(solver_train(&task, &trained->result, &error), HINGE_OK);
    workspace_free(task.workspace);
}

/* At three costs, passes alone reach the minimum that the interior-point method, or Newton's method
 * on the primal, finds. P is curved by |w|^2/2, so w is known to the square root of the gap. */
static void test_passes_come_to_the_minimum_of_another_method(void **state)
{
    static const int numbers[][2] = {{3, 60}, {1, 2}, {7, 0}};
    static struct free_bias rows;

    (void)state;
    for (size_t k = 0; k < COUNT(numbers); k++)
        for (uint64_t random = 0; random < 6; random++) {
            static const double C[] = {1e-3, 1, 30};
            static struct trained passes, other;

            free_bias_draw_wide(&rows, MOST_LARGE, ENTRY_DOUBLE, C[random % 3], random + 1);
            rows.problem.loss = solver_find(numbers[k][0])->loss;
            rows.problem.bias_kind = BIAS_FREE;
            rows.problem.bias = 1;
            train(&rows.problem, numbers[k][0], 1, 0, &passes);
            train(&rows.problem, numbers[k][1], 0, 0, &other);
            assert_int_equal(passes.result.outcome, HINGE_CERTIFIED);
            assert_int_equal(other.result.outcome, HINGE_CERTIFIED);
            assert_int_equal(passes.result.steps, 0);
            assert_true(passes.result.primal <= other.result.primal * (1 + 1e-8));
            for (size_t j = 0; j < MOST_LARGE; j++)
                assert_true(fabs(passes.w[j] - other.w[j]) <= 2 * sqrt(2e-8 * other.result.primal));
        }
}

/* LIBSVM's rule m(alpha) - M(alpha) <= eps holds for the returned alpha. */
static void test_rule_of_eps_is_about_what_is_returned(void **state)
{
    static const double EPS = 1e-3;
    static struct free_bias rows;
    static struct trained passes;

    (void)state;
    for (uint64_t random = 1; random <= 6; random++) {
        long double up = HUGE_VALL, low = -HUGE_VALL;

        free_bias_draw_wide(&rows, MOST_LARGE, ENTRY_DOUBLE, random % 2 ? 1e-3 : 1, random);
        rows.problem.loss = LOSS_HINGE;
        rows.problem.bias_kind = BIAS_FREE;
        rows.problem.bias = 1;
        train(&rows.problem, 3, 1, EPS, &passes);
        assert_true(passes.result.outcome == HINGE_TOLERANCE_MET ||
                    passes.result.outcome == HINGE_CERTIFIED);
        for (size_t i = 0; i < ROWS; i++) {
            long double F = -rows.sign[i];
            const int above = passes.alpha[i] > 0, below = passes.alpha[i] < rows.cost[i];

            for (size_t j = 0; j < MOST_LARGE; j++)
                F += (long double)rows.x[i][j] * passes.w[j];
            if (rows.sign[i] > 0 ? below : above)
                up = fminl(up, F);
            if (rows.sign[i] > 0 ? above : below)
                low = fmaxl(low, F);
        }
        assert_true(low - up <= EPS * (1 + 1e-9L));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_weight_of_the_bias_is_the_sum),
        cmocka_unit_test(test_moves_keep_the_sum),
        cmocka_unit_test(test_settling_balances_a_copy),
        cmocka_unit_test(test_passes_come_to_the_minimum_of_another_method),
        cmocka_unit_test(test_rule_of_eps_is_about_what_is_returned),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
