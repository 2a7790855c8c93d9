/* test_sgd.c - the |v|^2 that Pegasos keeps, its projections, the random iterate. */
#include "solver/stochastic/sgd.c"

#include <stdlib.h>

#include "dense_run.h"

/* ---- What Pegasos keeps ------------------------------------------------ */

static long double true_square(const double *v, size_t width)
{
    long double square = 0;

    for (size_t j = 0; j < width; j++)
        square += (long double)v[j] * v[j];
    return square;
}

/* Runs the steps of sgd.c. Checks after each step that the kept |v|^2 is correct and |w| within its
 * bound. Multiplies v by the scale every `every` steps, if it is not 0. Returns how often sgd.c has
 * done that by itself. */
static int drive(const struct dense_problem *toy, const struct hinge_parameters *parameters,
                 int every, double *w)
{
    const struct problem problem = toy->problem;
    const struct task task = {.problem = &problem,
                              .solver = solver_find(parameters->solver),
                              .parameters = parameters,
                              .start = parameters->initial ? parameters->initial->weight : NULL};
    struct training training = {.task = &task,
                                .problem = &problem,
                                .parameters = parameters,
                                .rows = problem.rows,
                                .width = toy->width};
    struct arena arena = {NULL, 0, 0};
    struct hinge_error error;
    int absorbed = 0;
    struct sgd state = {0}, *s = &state;
    void *block;

    lay_out(s, &arena, &training);
    assert_non_null(block = arena_new(&arena, &error));
    lay_out(s, &arena, &training);
    assert_int_equal(begin(s, &training, &error), HINGE_OK);
    while (s->run.t < s->run.end) {
        double before = s->scale;
        long double square, length;

        s->run.t++;
        for (uint32_t b = 0; b < s->run.k; b++)
            s->run.batch[b] = sampler_next(&s->run.sampler);
        take(s);
        absorbed += s->scale > before;
        if (every > 0 && fmod(s->run.t, every) == 0)
            fold(s);
        square = true_square(s->v, toy->width);
        length = s->scale * sqrtl(square / total_cost(toy));
        if (!(length <= 1 + 1e-12L))
            fail_msg("step %.0f: |w| is %.17Lg times its bound", s->run.t, length);
        if (!(fabsl(s->norm - square) <= 1e-12L * square))
            fail_msg("step %.0f: |v|^2 is %.17Lg, not %.17g", s->run.t, square, s->norm);
    }
    output(s, w);
    free(block);
    return absorbed;
}

static void test_norm_is_kept(void **state)
{
    (void)state;
    for (double C = 0.01; C < 1e7; C *= 100)
        for (int variant = 0; variant < VARIANTS; variant++) {
            struct hinge_parameters parameters = variant_parameters(PEGASOS, variant, 4000);
            struct dense_draft draft = ordinary_draft;
            double w[1000];
            struct dense_problem *toy;

            draft.C = C;
            draft.features = variant < 4 ? 40 : 900;
            draft.bias = variant & 1 ? 1 : -1;
            draft.noise = variant & 2 ? 0.5 : 0.1;
            toy = dense_problem_new(&draft);
            drive(toy, &parameters, 0, w);
            dense_problem_free(toy);
        }
}

/* Two nearly equal rows have opposite signs. In one batch their sum is as small as eps, and |v|^2
 * between the two rows is far larger. */
static void test_norm_is_kept_where_rows_of_a_batch_cancel(void **state)
{
    struct dense_draft draft = {2, 200, 0.9, 1e10, -1, 0, 0, 5};
    struct hinge_parameters parameters = dense_parameters(PEGASOS, 200);
    struct dense_problem *toy = dense_problem_new(&draft);
    double w[200];

    (void)state;
    parameters.batch = 2;
    parameters.sampling = HINGE_PERMUTE;
    for (size_t e = 0; e < toy->data.x.start[1]; e++) {
        toy->index[toy->data.x.start[1] + e] = toy->index[e];
        toy->value[toy->data.x.start[1] + e] = toy->value[e] * (e == 0 ? 1 + 1e-4 : 1);
    }
    toy->data.x.start[2] = 2 * toy->data.x.start[1];
    for (uint32_t i = 0; i < 2; i++) {
        toy->row[i] = i;
        toy->sign[i] = i ? -1 : 1;
        toy->cost[i] = draft.C;
    }
    drive(toy, &parameters, 0, w);
    dense_problem_free(toy);
}

/* The first step cancels the start except for a few digits, so |v|^2 was far larger before. */
static void test_norm_is_kept_where_a_step_cancels_the_start(void **state)
{
    struct dense_draft draft = {1, 200, 0.9, 1e10, -1, 0, 0, 5};
    struct hinge_parameters parameters = dense_parameters(PEGASOS, 200);
    struct dense_problem *toy = dense_problem_new(&draft);
    struct hinge_model model = random_model(toy, 0, 9, 1);
    double w[200];

    (void)state;
    for (size_t e = 0; e < toy->data.x.nonzeros; e++) /* (1 - 1/t) w = -y x/(sigma t), t = 10 */
        model.weight[toy->index[e]] =
            -toy->sign[0] * toy->value[e] * toy->cost[0] / 9 * (e == 0 ? 1 + 1e-4 : 1);
    parameters.initial = &model;
    drive(toy, &parameters, 0, w);
    free(model.weight);
    dense_problem_free(toy);
}

/* v is multiplied by the scale now and then, also if the scale has left the range of double often.
 */
static void test_tiny_scale_changes_no_result(void **state)
{
    double plain[40], often[40], solved[40];

    (void)state;
    for (double C = 1; C < 1e6; C *= 1000) {
        struct hinge_parameters parameters = dense_parameters(PEGASOS, 4000);
        struct dense_draft draft = ordinary_draft;
        struct dense_problem *toy;
        struct dense_run run;
        int absorbed;

        draft.C = C;
        toy = dense_problem_new(&draft);
        absorbed = drive(toy, &parameters, 0, plain);
        assert_true(C < 1e3 || absorbed > 0);
        drive(toy, &parameters, 7, often);
        dense_solve(toy, &parameters, NULL, solved);
        assert_memory_equal(plain, solved, sizeof plain);
        for (size_t j = 0; j < 40; j++)
            assert_true(fabs(often[j] - plain[j]) <= 1e-10 * fabs(plain[j]) + 1e-13 * sqrt(C));
        run = dense_run_new(toy, &parameters);
        check_output(toy, &parameters, &run);
        free(run.w);
        dense_problem_free(toy);
    }
}

/* The radii 1/sqrt(sigma) are about 8, 60 and 450. Projections shrink w by factors whose product is
 * far outside the range of double. The averages must not change by that. */
static void test_averages_survive_projections(void **state)
{
    (void)state;
    for (double C = 1; C < 5000; C *= 57)
        for (uint32_t k = 1; k < 8; k += 6) {
            struct hinge_parameters parameters = dense_parameters(PEGASOS, 3000);
            struct dense_draft draft = ordinary_draft;
            struct dense_problem *toy;

            draft.C = C;
            toy = dense_problem_new(&draft);
            parameters.batch = k;
            free(check_outputs(toy, parameters).w);
            dense_problem_free(toy);
        }
}

/* ---- The random iterate -------------------------------------------------- */

/* Over many seeds, each of w_1 .. w_4 is returned equally often. */
static void test_random_iterate_is_uniform(void **state)
{
    struct dense_problem *toy = dense_problem_new(&ordinary_draft);
    double chosen[40], w[40], chi = 0;
    int count[4] = {0};

    (void)state;
    for (uint64_t seed = 1; seed <= 2000; seed++) {
        struct hinge_parameters parameters = dense_parameters(PEGASOS, 4);

        parameters.seed = seed;
        parameters.average = HINGE_AVERAGE_RANDOM;
        if (dense_solve(toy, &parameters, NULL, chosen).nonzeros == 0)
            count[0]++;
        parameters.average = HINGE_AVERAGE_NONE;
        for (parameters.iterations = 1; parameters.iterations < 4; parameters.iterations++) {
            dense_solve(toy, &parameters, NULL, w);
            count[parameters.iterations] += memcmp(chosen, w, sizeof w) == 0;
        }
    }
    assert_int_equal(count[0] + count[1] + count[2] + count[3], 2000);
    for (int c = 0; c < 4; c++)
        chi += pow(count[c] - 500, 2) / 500;
    assert_true(chi < 16); /* 3 degrees of freedom: one seed in a thousand */
    dense_problem_free(toy);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_norm_is_kept),
        cmocka_unit_test(test_norm_is_kept_where_rows_of_a_batch_cancel),
        cmocka_unit_test(test_norm_is_kept_where_a_step_cancels_the_start),
        cmocka_unit_test(test_tiny_scale_changes_no_result),
        cmocka_unit_test(test_averages_survive_projections),
        cmocka_unit_test(test_random_iterate_is_uniform),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
