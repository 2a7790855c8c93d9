/* test_elastic_net.c - problems with an l1 term: P, D and the gap recomputed in long double, the
 * minimum by a dual ascent in long double, small and large l1, working sets, the rule of -e. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "certificate.h"
#include "random_problem.h"
#include "solver/loop/method.h"
#include "training.h"

enum { ENET = 42 };

/* ---- A slow reference ----------------------------------------------------- */

static long double soft_of(long double v, long double l1)
{
    return fabsl(v) > l1 ? copysignl(fabsl(v) - l1, v) : 0;
}

/* Returns entry j of row i. The constant feature is the last one. */
static long double entry(const struct toy *toy, size_t i, size_t j)
{
    return (long double)toy->sign[i] * toy->x[i][j];
}

static long double slow_primal(const struct toy *toy, const long double *w)
{
    long double primal = 0;

    for (size_t j = 0; j < toy->width; j++)
        primal += toy->problem.l1 * fabsl(w[j]) + w[j] * w[j] / 2;
    for (size_t i = 0; i < toy->m; i++) {
        long double z = 0;

        for (size_t j = 0; j < toy->width; j++)
            z += w[j] * entry(toy, i, j);
        primal += toy->cost[i] * fmaxl(0, 1 - z);
    }
    return primal;
}

/* Returns D, and sets w[width] to the weights of v. */
static long double slow_dual(const struct toy *toy, const long double *alpha, long double *w)
{
    long double dual = 0;

    for (size_t j = 0; j < toy->width; j++) {
        long double v = 0;

        for (size_t i = 0; i < toy->m; i++)
            v += alpha[i] * entry(toy, i, j);
        w[j] = soft_of(v, toy->problem.l1);
        dual += w[j] * w[j] / 2;
    }
    for (size_t i = 0; i < toy->m; i++)
        dual -= alpha[i];
    return dual;
}

/* Ascends along one alpha after the other, by steps that never go too far. Returns -D and P of the
 * last point, which bound the minimum of P. */
static struct bracket slow_minimum(const struct toy *toy, size_t sweeps)
{
    long double alpha[MOST_ROWS] = {0}, v[MOST_WIDTH] = {0}, w[MOST_WIDTH];
    struct bracket bracket;

    for (size_t sweep = 0; sweep < sweeps; sweep++)
        for (size_t i = 0; i < toy->m; i++) {
            long double z = 0, square = 0, moved;

            for (size_t j = 0; j < toy->width; j++) {
                z += soft_of(v[j], toy->problem.l1) * entry(toy, i, j);
                square += entry(toy, i, j) * entry(toy, i, j);
            }
            moved = square > 0 ? alpha[i] + (1 - z) / square : toy->cost[i];
            moved = fminl(fmaxl(moved, 0), toy->cost[i]);
            for (size_t j = 0; j < toy->width; j++)
                v[j] += (moved - alpha[i]) * entry(toy, i, j);
            alpha[i] = moved;
        }
    bracket.lower = (double)-slow_dual(toy, alpha, w);
    bracket.upper = (double)slow_primal(toy, w);
    return bracket;
}

/* ---- Trainings ------------------------------------------------------------ */

/* Draws l1 as a random share of the largest possible |v_j|, sometimes 0. */
static void draw_l1(struct toy *toy, unsigned long number)
{
    uint64_t random = UINT64_C(0x9e3779b97f4a7c15) * (number + 3);
    long double largest = 0;

    toy->solver = ENET;
    for (size_t j = 0; j < toy->width; j++) {
        long double v = 0;

        for (size_t i = 0; i < toy->m; i++)
            v += toy->cost[i] * fabsl(entry(toy, i, j));
        largest = fmaxl(largest, v);
    }
    toy->problem.l1 = (double)largest * exp2(-12 * random_unit(&random)) * (number % 7 != 0);
}

/* Checks the reported objective, and the certificate if there is one, against w and alpha. */
static void check_answer(const struct toy *toy, const struct answer *answer)
{
    const struct hinge_result *result = &answer->result;
    long double w[MOST_WIDTH], alpha[MOST_ROWS], of_alpha[MOST_WIDTH], primal, dual;
    size_t nonzeros = 0;

    for (size_t j = 0; j < toy->width; j++) {
        w[j] = answer->w[j];
        nonzeros += answer->w[j] != 0;
    }
    for (size_t i = 0; i < toy->m; i++) {
        CHECK(toy, answer->alpha[i] >= 0 && answer->alpha[i] <= toy->cost[i]);
        alpha[i] = answer->alpha[i];
    }
    primal = slow_primal(toy, w);
    dual = slow_dual(toy, alpha, of_alpha);
    CHECK(toy, result->nonzeros == nonzeros);
    CHECK(toy, primal <= result->primal * (1 + 1e-15L));
    CHECK(toy, dual <= result->dual + 1e-15L * fabsl(dual));
    CHECK(toy, primal + dual <= result->relative_gap * primal * (1 + 1e-9L) + 1e-300L);
    CHECK(toy, fabsl(primal - result->primal) <= 1e-6L * primal);
    CHECK(toy, result->outcome == HINGE_CERTIFIED);
}

static void test_random_problems_are_certified(void **state)
{
    static struct toy toy;
    size_t zeros = 0, handed_over = 0, sharp = 0;

    (void)state;
    for (unsigned long number = 0; number < 1500; number++) {
        struct hinge_parameters parameters = number % 3
                                                 ? parameters_for(number % 3 == 1 ? 1e-3 : 1e-7, 0)
                                                 : plain_parameters_for(1e-3, 0);
        struct bracket bracket;
        struct answer answer;

        toy_even(&toy, number, LOSS_HINGE);
        draw_l1(&toy, number);
        toy_train(&toy, &parameters, NULL, &answer);
        check_answer(&toy, &answer);
        CHECK(&toy, answer.result.relative_gap <= parameters.relative_gap);
        bracket = slow_minimum(&toy, 300);
        CHECK(&toy, answer.result.primal >= bracket.lower * (1 - 1e-12));
        CHECK(&toy, -answer.result.dual <= bracket.upper * (1 + 1e-12));
        sharp += bracket.upper - bracket.lower <= 1e-6 * bracket.upper;
        handed_over += answer.result.method != NULL;
        for (size_t j = 0; j < toy.width; j++)
            zeros += answer.w[j] == 0;
    }
    assert_true(zeros > 1500 && handed_over > 100 && sharp > 700);
}

/* Costs from 2^-10 to 2^10 and more, features of any size. */
static void test_problems_of_every_shape_are_certified(void **state)
{
    static struct toy toy;

    (void)state;
    for (unsigned long number = 0; number < 1500; number++) {
        struct hinge_parameters parameters = parameters_for(1e-3, 0);
        struct answer answer;

        if (number % 2)
            toy_any(&toy, number, LOSS_HINGE);
        else
            toy_special(&toy, number, LOSS_HINGE);
        draw_l1(&toy, number);
        toy_train(&toy, &parameters, NULL, &answer);
        check_answer(&toy, &answer);
    }
}

static void test_zeros_are_those_of_the_optimum(void **state)
{
    static struct toy toy;
    size_t right = 0, all = 0;

    (void)state;
    for (unsigned long number = 0; number < 300; number++) {
        struct hinge_parameters parameters = parameters_for(1e-9, 0);
        long double alpha[MOST_ROWS], w[MOST_WIDTH];
        struct answer answer;

        toy_even(&toy, number, LOSS_HINGE);
        draw_l1(&toy, number);
        toy_train(&toy, &parameters, NULL, &answer);
        for (size_t i = 0; i < toy.m; i++)
            alpha[i] = answer.alpha[i];
        slow_dual(&toy, alpha, w);
        for (size_t j = 0; j < toy.width; j++, all++)
            right += (w[j] != 0) == (answer.w[j] != 0);
    }
    assert_true(right >= all - all / 100);
}

/* ---- Both ends of l1 -------------------------------------------------------- */

static void test_without_l1_it_is_dcd_l1(void **state)
{
    static struct toy toy;

    (void)state;
    for (unsigned long number = 0; number < 300; number++) {
        struct hinge_parameters parameters = parameters_for(1e-6, 0);
        struct answer with, without;

        toy_even(&toy, number, LOSS_HINGE);
        toy.solver = ENET;
        toy_train(&toy, &parameters, NULL, &with);
        toy.solver = 3;
        toy_train(&toy, &parameters, NULL, &without);
        CHECK(&toy, memcmp(with.w, without.w, toy.width * sizeof *with.w) == 0);
        CHECK(&toy, memcmp(with.alpha, without.alpha, toy.m * sizeof *with.alpha) == 0);
    }
}

static void test_large_l1_leaves_no_weight(void **state)
{
    static struct toy toy;

    (void)state;
    for (unsigned long number = 0; number < 300; number++) {
        struct hinge_parameters parameters = parameters_for(1e-6, 0);
        struct answer answer;

        toy_even(&toy, number, LOSS_HINGE);
        draw_l1(&toy, 7 * number + 1);
        for (size_t i = 0; i < toy.m; i++)
            for (size_t j = 0; j < toy.width; j++)
                toy.problem.l1 += toy.cost[i] * fabs(toy.x[i][j]);
        toy_train(&toy, &parameters, NULL, &answer);
        check_answer(&toy, &answer);
        CHECK(&toy, answer.result.nonzeros == 0);
    }
}

/* ---- Rules and monitors ----------------------------------------------------- */

/* The rule of -e holds at the w of each visit in the last pass of coordinate descent, and at the
 * returned w after a second-order method. */
static void test_eps_rule_holds_at_its_w(void **state)
{
    static struct toy toy;
    size_t handed_over = 0;

    (void)state;
    for (unsigned long number = 0; number < 400; number++) {
        struct hinge_parameters parameters = parameters_for(0, 1e-4);
        struct answer answer;

        toy_even(&toy, number, LOSS_HINGE);
        draw_l1(&toy, number);
        toy_train(&toy, &parameters, NULL, &answer);
        CHECK(&toy, answer.result.outcome == HINGE_CERTIFIED ||
                        answer.result.outcome == HINGE_TOLERANCE_MET);
        handed_over += answer.result.method != NULL;
        for (size_t i = 0; i < toy.m; i++) {
            const double slack = 1 - margin(&toy, i, answer.w), alpha = answer.alpha[i];
            double most = 1.01e-4;

            for (size_t k = 0; k < toy.m; k++)
                if (quadratic(&toy, k, k) > 0)
                    most += 1e-4 * fabs(quadratic(&toy, i, k)) / quadratic(&toy, k, k);
            CHECK(&toy, alpha == toy.cost[i] || slack <= most);
            CHECK(&toy, alpha == 0 || slack >= -most);
        }
    }
    assert_true(handed_over > 20);
}

static enum hinge_answer measure_always(void *context, const struct hinge_progress *progress)
{
    (void)context;
    (void)progress;
    return HINGE_MEASURE;
}

static void test_measuring_changes_no_bit(void **state)
{
    static struct toy toy;
    const struct hinge_monitor monitor = {measure_always, NULL, NULL, 0};

    (void)state;
    for (unsigned long number = 0; number < 300; number++) {
        struct hinge_parameters parameters = parameters_for(1e-6, 0);
        struct answer with, without;

        toy_even(&toy, number, LOSS_HINGE);
        draw_l1(&toy, number);
        toy_train(&toy, &parameters, &monitor, &with);
        toy_train(&toy, &parameters, NULL, &without);
        CHECK(&toy, memcmp(with.w, without.w, toy.width * sizeof *with.w) == 0);
        CHECK(&toy, with.result.passes == without.result.passes);
    }
}

static void test_limit_of_passes_is_kept(void **state)
{
    static struct toy toy;

    (void)state;
    for (unsigned long number = 0; number < 300; number++) {
        struct hinge_parameters parameters = parameters_for(1e-9, 0);
        struct answer answer;

        toy_even(&toy, number, LOSS_HINGE);
        draw_l1(&toy, number);
        parameters.max_passes = number % 20;
        parameters.max_passes += parameters.max_passes == 0;
        toy_train(&toy, &parameters, NULL, &answer);
        CHECK(&toy, answer.result.passes <= parameters.max_passes);
    }
}

/* ---- Working sets ----------------------------------------------------------- */

static void measure_slowly(const struct random_problem *random, const double *w,
                           const double *alpha, long double *primal, long double *dual)
{
    const struct problem *problem = &random->problem;
    const size_t width = problem_width(problem);
    long double *v = calloc(width, sizeof *v), *exact = calloc(width, sizeof *exact);

    assert_true(v && exact);
    *primal = *dual = 0;
    for (size_t j = 0; j < width; j++) {
        exact[j] = w[j];
        *primal += problem->l1 * fabsl(exact[j]) + exact[j] * exact[j] / 2;
    }
    for (uint32_t i = 0; i < problem->rows; i++) {
        assert_true(alpha[i] >= 0 && alpha[i] <= problem->cost[i]);
        *primal += problem->cost[i] *
                   fmaxl(0, 1 - problem->sign[i] * random_problem_dot(random, i, exact));
        random_problem_add(random, i, (long double)alpha[i] * problem->sign[i], v);
        *dual -= alpha[i];
    }
    for (size_t j = 0; j < width; j++)
        *dual += soft_of(v[j], problem->l1) * soft_of(v[j], problem->l1) / 2;
    free(v);
    free(exact);
}

/* 1,500 features, a part of them in the working set. */
static void test_many_features_are_certified(void **state)
{
    static const double l1s[] = {0.3, 3, 30, 100};
    size_t handed_over = 0;

    (void)state;
    for (unsigned number = 0; number < 8; number++) {
        struct random_problem random = {.random = number + 5};
        struct hinge_parameters parameters = parameters_for(number % 2 ? 1e-3 : 1e-6, 0);
        struct hinge_error error;
        struct hinge_result result;
        double *alpha = calloc(300, sizeof *alpha), *w = calloc(1502, sizeof *w), *cost;
        long double primal, dual;
        struct task task = {.problem = &random.problem,
                            .solver = solver_find(ENET),
                            .parameters = &parameters,
                            .problems = 1,
                            .positive = 1,
                            .alpha = alpha,
                            .w = w,
                            .workspace = workspace_new(&error)};

        random_problem_new(&random, 300, 1500, 25, number % 3 ? 1 : -1);
        cost = (double *)(void *)random.problem.cost;
        for (size_t i = 0; i < 300; i++)
            cost[i] = 64;
        random.problem.l1 = l1s[number / 2];
        assert_true(alpha && w && task.workspace);
        assert_int_equal(solver_train(&task, &result, &error), HINGE_OK);
        measure_slowly(&random, w, alpha, &primal, &dual);
        assert_int_equal(result.outcome, HINGE_CERTIFIED);
        assert_true(primal <= result.primal * (1 + 1e-15L));
        assert_true(dual <= result.dual + 1e-15L * fabsl(dual));
        assert_true(primal + dual <= parameters.relative_gap * primal);
        assert_true(result.nonzeros < 1500);
        handed_over += result.method != NULL;
        workspace_free(task.workspace);
        random_problem_free(&random);
        free(alpha);
        free(w);
    }
    assert_true(handed_over >= 3);
}

/* Once the gap consists of rounding alone, the method ends, whichever rule still fails. The columns
 * have scales 1e-8 to 1e8, C = 1e8, and the rule is LIBLINEAR's. */
static void test_rounding_ends_it(void **state)
{
    struct hinge_parameters parameters;
    const double label[2] = {1, -1};
    struct hinge_error error;
    struct hinge_dataset *data;
    struct hinge_model *model;
    struct nasty nasty;

    (void)state;
    assert_true(nasty_draw(&nasty, 5, 52));
    assert_non_null(data = certificate_read(&nasty, &error));
    parameters = nasty_parameters(&nasty, ENET, label, nasty.class_weight);
    assert_non_null(model = hinge_train(data, &parameters, NULL, &error));
    assert_true(parameters.eps > 0 && model->result->steps > 0);
    assert_true(model->result->steps < 10000);
    hinge_model_free(model);
    hinge_dataset_free(data);
    nasty_free(&nasty);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_problems_are_certified),
        cmocka_unit_test(test_problems_of_every_shape_are_certified),
        cmocka_unit_test(test_zeros_are_those_of_the_optimum),
        cmocka_unit_test(test_without_l1_it_is_dcd_l1),
        cmocka_unit_test(test_large_l1_leaves_no_weight),
        cmocka_unit_test(test_eps_rule_holds_at_its_w),
        cmocka_unit_test(test_measuring_changes_no_bit),
        cmocka_unit_test(test_limit_of_passes_is_kept),
        cmocka_unit_test(test_many_features_are_certified),
        cmocka_unit_test(test_rounding_ends_it),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
