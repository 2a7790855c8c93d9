/* test_dual_newton.c - steps on the free rows: D, the box and w, recomputed from the table. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "solver/loop/method.h"
#include "toy.h"

enum { PROBLEMS = 1500 };

/* A training of a small problem, and the state of the method in it. */
struct bench {
    struct training training;
    double alpha[MOST_ROWS];
    double w[MOST_WIDTH];
    void *block;
    void *state;
};

/* Begins a training with most rows inside the box, and the others at a bound. */
static void bench_new(struct bench *bench, const struct toy *toy, uint64_t *random)
{
    static const struct task task = {0};
    struct training *training = &bench->training;
    struct arena arena = {NULL, 0, 0};
    struct hinge_error error;

    for (size_t i = 0; i < toy->m; i++) {
        const double u = random_between(random, -0.2, toy->draft.loss == LOSS_HINGE ? 1.2 : 1);

        bench->alpha[i] = toy->cost[i] * fmin(fmax(u, 0), 1);
    }
    weights_of(toy, bench->alpha, bench->w);
    *training = (struct training){.task = &task,
                                  .problem = &toy->problem,
                                  .rows = toy->problem.rows,
                                  .width = toy->width,
                                  .point.w = bench->w,
                                  .point.alpha = bench->alpha,
                                  .point.dual = dual_of(toy, bench->alpha)};
    training->shards = shards_of(&toy->problem, SUM_OF_VECTORS, 0, toy->width);
    assert_true(training->shards.count == 1);
    assert_non_null(bench->state = calloc(1, dual_newton.size));
    dual_newton.lay_out(bench->state, &arena, training);
    assert_non_null(bench->block = arena_new(&arena, &error));
    dual_newton.lay_out(bench->state, &arena, training);
    assert_true(dual_newton.begin(bench->state, training, &error) == HINGE_OK);
}

static void bench_free(struct bench *bench)
{
    dual_newton.end(bench->state);
    free(bench->block);
    free(bench->state);
}

static int is_free(const struct toy *toy, double alpha, size_t i)
{
    return alpha > 0 && (toy->draft.loss != LOSS_HINGE || alpha < toy->cost[i]);
}

static void check_step(const struct toy *toy, struct bench *bench)
{
    const struct training before = bench->training;
    const double dual = dual_of(toy, bench->alpha);
    double alpha[MOST_ROWS], w[MOST_WIDTH], scale = 1, decrease;

    memcpy(alpha, bench->alpha, sizeof alpha);
    bench->training.progress.measured = 1;
    dual_newton.step(bench->state);
    weights_of(toy, bench->alpha, w);
    for (size_t j = 0; j < toy->width; j++)
        scale = fmax(scale, fabs(w[j]));
    for (size_t j = 0; j < toy->width; j++)
        CHECK(toy, fabs(bench->w[j] - w[j]) <= 1e-9 * scale);
    for (size_t i = 0; i < toy->m; i++) {
        CHECK(toy, bench->alpha[i] >= 0);
        CHECK(toy, toy->draft.loss != LOSS_HINGE || bench->alpha[i] <= toy->cost[i]);
        CHECK(toy, is_free(toy, alpha[i], i) || bench->alpha[i] == alpha[i]);
    }
    decrease = before.point.dual - bench->training.point.dual;
    CHECK(toy, decrease >= 0);
    CHECK(toy, fabs(dual - dual_of(toy, bench->alpha) - decrease) <=
                   1e-9 * (fabs(dual) + fabs(decrease)) + 1e-12);
    if (memcmp(alpha, bench->alpha, toy->m * sizeof *alpha))
        CHECK(toy, dual_newton.met(bench->state) == GOES_ON);
    CHECK(toy, bench->training.alpha_version == before.alpha_version + 1);
    CHECK(toy, bench->training.progress.passes == before.progress.passes + 1);
    CHECK(toy, bench->training.progress.steps == before.progress.steps + 1);
    CHECK(toy, bench->training.spent >= before.spent && !bench->training.progress.measured);
}

/* A step lowers D by the reported amount and stays in the box. Rows at a bound stay there, and w
 * stays the weights of alpha. */
static void test_steps_keep_their_promises(void **state)
{
    uint64_t random = 1;

    (void)state;
    for (unsigned long number = 0; number < PROBLEMS; number++) {
        struct toy toy;
        struct bench bench;

        toy_tame(&toy, number);
        bench_new(&bench, &toy, &random);
        for (int k = 0; k < 4; k++)
            check_step(&toy, &bench);
        bench_free(&bench);
    }
}

/* Returns the largest gradient of the free rows, from the table. */
static double steepest(const struct toy *toy, const struct bench *bench)
{
    double steepest = 0;

    for (size_t i = 0; i < toy->m; i++) {
        const double alpha = bench->alpha[i];
        const double gradient = margin(toy, i, bench->w) - 1 + diagonal(toy, i) * alpha;

        if (is_free(toy, alpha, i))
            steepest = fmax(steepest, fabs(gradient));
    }
    return steepest;
}

static void test_steps_come_to_the_minimum_over_the_free_rows(void **state)
{
    uint64_t random = 2;

    (void)state;
    for (unsigned long number = 0; number < PROBLEMS; number++) {
        struct toy toy;
        struct bench bench;

        toy_tame(&toy, number);
        if (toy.draft.shape == UNLIKE_NORMS)
            continue; /* one mu for all rows */
        bench_new(&bench, &toy, &random);
        for (int k = 0; k < 200; k++)
            dual_newton.step(bench.state);
        CHECK(&toy, steepest(&toy, &bench) <= 1e-6);
        bench_free(&bench);
    }
}

/* Without a free row, the method reports that it has nothing to do. */
static void test_no_free_row(void **state)
{
    uint64_t random = 3;
    struct toy toy;
    struct bench bench;

    (void)state;
    toy_hard(&toy, LOSS_HINGE, 1, 1);
    bench_new(&bench, &toy, &random);
    for (size_t i = 0; i < toy.m; i++)
        bench.alpha[i] = i % 2 ? toy.cost[i] : 0;
    weights_of(&toy, bench.alpha, bench.w);
    assert_true(dual_newton.met(bench.state) == GOES_ON);
    check_step(&toy, &bench);
    assert_true(dual_newton.met(bench.state) == STALLED);
    bench_free(&bench);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_steps_keep_their_promises),
        cmocka_unit_test(test_steps_come_to_the_minimum_over_the_free_rows),
        cmocka_unit_test(test_no_free_row),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
