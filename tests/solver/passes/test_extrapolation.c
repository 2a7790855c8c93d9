/* test_extrapolation.c - a single extrapolation (D, the box, w, the length), the dual point of a
 * certificate, and the passes that extrapolations save.
 */
#include "solver/passes/extrapolation.c"

#include <stdlib.h>

#include "training.h"

/* A training at a random point, and the memory of an extrapolation. */
struct bench {
    struct hinge_parameters parameters;
    struct task task;
    struct training training;
    struct descent descent;
    double alpha[MOST_ROWS];
    double w[MOST_WIDTH];
    void *block;
};

static void bench_new(struct bench *bench, const struct toy *toy, uint64_t *random)
{
    struct training *training = &bench->training;
    struct arena arena = {NULL, 0, 0};
    struct hinge_error error;

    memset(bench, 0, sizeof *bench);
    bench->descent.stopping.may_part = 1;
    for (size_t i = 0; i < toy->m; i++)
        bench->alpha[i] = toy->cost[i] * random_unit(random);
    weights_of(toy, bench->alpha, bench->w);
    *training = (struct training){.task = &bench->task,
                                  .problem = &toy->problem,
                                  .parameters = &bench->parameters,
                                  .rows = toy->problem.rows,
                                  .width = toy->width,
                                  .point.w = bench->w,
                                  .point.alpha = bench->alpha};
    training->shards = shards_of(&toy->problem, SUM_OF_VECTORS, 0, toy->width);
    training->point.dual = dual_of(toy, bench->alpha);
    extrapolation_lay_out(&bench->descent.extrapolation, &arena, training);
    assert_non_null(bench->block = arena_new(&arena, &error));
    extrapolation_lay_out(&bench->descent.extrapolation, &arena, training);
}

/* Makes a step along D's gradient, of a random length, inside the box. */
static void move(struct bench *bench, const struct toy *toy, uint64_t *random)
{
    const double length = exp2(-4 * random_unit(random));
    double gradient[MOST_ROWS];

    for (size_t i = 0; i < toy->m; i++) {
        gradient[i] = loss_is_curved(toy->problem.loss) ? logit(toy->cost[i], bench->alpha[i]) : -1;
        for (size_t k = 0; k < toy->m; k++)
            gradient[i] += quadratic(toy, i, k) * bench->alpha[k];
    }
    for (size_t i = 0; i < toy->m; i++) {
        const int is_curved = loss_is_curved(toy->problem.loss);
        const double least = is_curved ? bench->alpha[i] / 2 : 0;
        const double most = is_curved ? toy->cost[i] - (toy->cost[i] - bench->alpha[i]) / 2
                                      : loss_upper(toy->problem.loss, toy->cost[i]);
        const double curvature = quadratic(toy, i, i) * (double)toy->m;

        if (curvature > 0)
            bench->alpha[i] =
                fmin(fmax(bench->alpha[i] - length * gradient[i] / curvature, least), most);
    }
    weights_of(toy, bench->alpha, bench->w);
    bench->training.point.dual = dual_of(toy, bench->alpha);
}

/* Returns D at distance t from the new point, along the step that led to it. */
static double dual_near(const struct toy *toy, const double *before, const double *after, double t)
{
    double alpha[MOST_ROWS];

    for (size_t i = 0; i < toy->m; i++)
        alpha[i] = after[i] + t * (after[i] - before[i]);
    return dual_of(toy, alpha);
}

/* Returns the distance from the new point to the minimum of D on that line; 0: there is none. */
static double length_to_minimum(const struct toy *toy, const double *before, const double *after)
{
    const double ahead = dual_near(toy, before, after, 1);
    const double back = dual_near(toy, before, after, -1);
    const double curvature = ahead + back - 2 * dual_of(toy, after);

    return curvature > 0 ? (back - ahead) / 2 / curvature : 0;
}

static const enum loss losses[] = {LOSS_HINGE, LOSS_SQUARED_HINGE, LOSS_LOGISTIC};

/* D falls to the reported value, alpha stays in the box, and w stays the weights of alpha. If no
 * row was clipped and the minimum on the line is known exactly, D rises on both sides. */
static void test_moves_lower_the_dual(void **state)
{
    static struct toy toy;
    size_t moves = 0, whole = 0;
    uint64_t random = 7;

    (void)state;
    for (unsigned long number = 0; number < 2000; number++) {
        struct bench bench;
        struct training *training = &bench.training;
        double earlier[MOST_ROWS], before[MOST_ROWS], w[MOST_WIDTH], dual, tolerance;
        int clipped = 0, is_longest = 0;

        toy_even(&toy, number, losses[number % 3]);
        bench_new(&bench, &toy, &random);
        training->progress.passes = 16;
        CHECK(&toy,
              !extrapolate(&bench.descent.extrapolation, training)); /* without an earlier point */
        memcpy(earlier, bench.alpha, sizeof earlier);
        move(&bench, &toy, &random);
        training->spent = 1e9;
        training->progress.passes = 31;
        CHECK(&toy, !extrapolate(&bench.descent.extrapolation, training)); /* too early */
        training->progress.passes = 32;
        memcpy(before, bench.alpha, sizeof before);
        dual = training->point.dual;
        tolerance = dual_rounding(&toy, bench.alpha);
        if (extrapolate(&bench.descent.extrapolation, training)) {
            moves++;
            tolerance = 100 * fmax(tolerance, dual_rounding(&toy, bench.alpha));
            CHECK(&toy, training->point.dual < dual + tolerance);
            CHECK(&toy, fabs(training->point.dual - dual_of(&toy, bench.alpha)) <= tolerance);
            weights_of(&toy, bench.alpha, w);
            for (size_t j = 0; j < toy.width; j++)
                CHECK(&toy, fabs(bench.w[j] - w[j]) <= 1e-10 * (1 + sqrt(half_square(&toy, w))));
            for (size_t i = 0; i < toy.m; i++) {
                const double most = loss_upper(toy.problem.loss, toy.cost[i]);

                CHECK(&toy, bench.alpha[i] >= 0 && bench.alpha[i] <= most);
                clipped |= bench.alpha[i] == 0 || bench.alpha[i] == most;
                is_longest |= fabs(bench.alpha[i] - before[i]) > 60 * fabs(before[i] - earlier[i]);
            }
            if (!clipped && !loss_is_curved(toy.problem.loss)) {
                CHECK(&toy, dual_near(&toy, before, bench.alpha, -0.01) >=
                                training->point.dual - tolerance);
                CHECK(&toy, is_longest || dual_near(&toy, before, bench.alpha, 0.01) >=
                                              training->point.dual - tolerance);
                whole++;
            }
        } else {
            CHECK(&toy, memcmp(before, bench.alpha, toy.m * sizeof *before) == 0);
            CHECK(&toy, training->point.dual == dual);
        }
        free(bench.block);
    }
    assert_true(moves > 1000 && whole > 100);
}

/* From the second extrapolation on, alpha moves to the minimum of D in the plane of the present
 * point and the two points after earlier extrapolations, if that minimum is in the box and not too
 * far: D rises in all four directions of the plane. */
static void test_moves_to_the_minimum_in_the_plane(void **state)
{
    static struct toy toy;
    size_t inside = 0;
    uint64_t random = 5;

    (void)state;
    for (unsigned long number = 0; number < 2000; number++) {
        struct bench bench;
        struct training *training = &bench.training;
        struct extrapolation *extrapolation = &bench.descent.extrapolation;
        struct direction direction = {0, 0};
        double point[3][MOST_ROWS], step[MOST_ROWS], length, decrease, tolerance;
        int is_inside;

        toy_even(&toy, number, losses[number % 2]);
        bench_new(&bench, &toy, &random);
        for (unsigned k = 0; k < 2; k++) {
            training->progress.passes = 16 * (k + 1);
            training->spent = 1e9 * k;
            extrapolate(extrapolation, training);
            memcpy(point[k], bench.alpha, sizeof point[k]);
            move(&bench, &toy, &random);
        }
        memcpy(point[2], bench.alpha, sizeof point[2]);
        direction = direction_in_plane(extrapolation, training);
        for (size_t i = 0; i < toy.m; i++)
            step[i] = direction.last * (point[2][i] - point[1][i]) +
                      direction.before * (point[2][i] - point[0][i]);
        for (size_t i = 0; i < toy.m; i++)
            point[2][i] -= step[i];
        length = length_to_minimum(&toy, point[2], bench.alpha);
        is_inside = direction.before != 0 && length > 1e-3 && length < MOST_TIMES;
        for (size_t i = 0; i < toy.m; i++) {
            const double alpha = bench.alpha[i] + length * step[i];

            point[2][i] += step[i];
            is_inside &= alpha >= 0 && alpha <= loss_upper(toy.problem.loss, toy.cost[i]);
        }
        training->progress.passes = 48;
        training->spent = 1e12;
        decrease = training->point.dual;
        is_inside &= extrapolate(extrapolation, training);
        decrease -= training->point.dual;
        tolerance = 1e-6 * decrease + 100 * dual_rounding(&toy, bench.alpha);
        for (int k = 0; is_inside && k < 4; k++) {
            const double part = k % 2 ? 0.01 : -0.01;
            double alpha[MOST_ROWS];

            for (size_t i = 0; i < toy.m; i++)
                alpha[i] = bench.alpha[i] + part * (point[2][i] - point[k / 2][i]);
            CHECK(&toy, dual_of(&toy, alpha) >= training->point.dual - tolerance);
        }
        inside += is_inside > 0;
        free(bench.block);
    }
    assert_true(inside > 300);
}

/* Makes three points of a descent. The third one is the current point and is measured. */
static void descend_to_certify(struct bench *bench, const struct toy *toy, uint64_t *random)
{
    struct training *training = &bench->training;

    training->progress.passes = 16;
    extrapolate(&bench->descent.extrapolation, training);
    for (unsigned pass = 32; pass <= 48; pass += 16) {
        for (int k = 0; k < 4; k++)
            move(bench, toy, random);
        training->spent = 1e9 * pass;
        training->progress.passes = pass;
        if (pass == 32)
            extrapolate(&bench->descent.extrapolation, training);
    }
    weights_of(toy, bench->alpha, bench->w);
    training->point.dual = dual_of(toy, bench->alpha);
    training->point.primal = primal_of(toy, bench->w);
}

/* Checks a dual point that was taken: it is in the box, its D and gap are the reported ones, its
 * sum is the training's v, and w has not changed. */
static void check_taken(const struct toy *toy, const struct bench *bench, const double *w,
                        double dual, double tolerance)
{
    const struct training *training = &bench->training;
    double v[MOST_WIDTH];

    for (size_t i = 0; i < toy->m; i++)
        CHECK(toy, bench->alpha[i] >= 0 &&
                       bench->alpha[i] <= loss_upper(toy->problem.loss, toy->cost[i]));
    CHECK(toy, dual_of(toy, bench->alpha) < dual + tolerance);
    CHECK(toy, fabs(training->point.dual - dual_of(toy, bench->alpha)) <= tolerance);
    CHECK(toy, training->point.primal == primal_of(toy, w) && !training->point.is_formed);
    CHECK(toy,
          fabs(training->progress.relative_gap * training->point.primal - training->point.primal -
               training->point.dual) <= tolerance + 1e-12 * training->point.primal);
    CHECK(toy, memcmp(bench->w, w, toy->width * sizeof *w) == 0);
    weights_of(toy, bench->alpha, v);
    for (size_t j = 0; j < toy->width; j++)
        CHECK(toy, fabs(training->point.v[j] - v[j]) <= 1e-10 * (1 + sqrt(half_square(toy, v))));
}

/* From an earlier point, or from another one, a dual point is taken if it has the requested gap.
 * Otherwise nothing changes. */
static void test_certificates_take_better_points(void **state)
{
    static struct toy toy;
    size_t taken[2] = {0, 0};
    uint64_t random = 11;

    (void)state;
    for (unsigned long number = 0; number < 2000; number++) {
        const int is_back = number % 2;
        struct bench bench;
        struct training *training = &bench.training;
        double before[MOST_ROWS], w[MOST_WIDTH], slope = 0, dual, tolerance, part = -1, gap;

        toy_even(&toy, number, losses[1 + number / 2 % 2]);
        bench_new(&bench, &toy, &random);
        bench.parameters.relative_gap = 1e-9;
        descend_to_certify(&bench, &toy, &random);
        if (!is_back) { /* from a point that led to the current one */
            struct left_point *room = &bench.descent.extrapolation.before;

            room->is_set = 0;
            assert_ptr_equal(extrapolation_room(&bench.descent), room->alpha);
            memcpy(before, bench.alpha, sizeof before);
            move(&bench, &toy, &random);
            memcpy(room->alpha, bench.alpha, toy.m * sizeof *before);
            memcpy(bench.alpha, before, sizeof before);
            weights_of(&toy, bench.alpha, bench.w);
            training->point.dual = dual_of(&toy, bench.alpha);
            for (size_t i = 0; i < toy.m; i++) {
                const double s = loss_target(toy.problem.loss) - margin(&toy, i, bench.w);
                const double scale = loss_scale(toy.problem.loss, toy.cost[i]);

                slope += (before[i] - room->alpha[i]) *
                         loss_gradient(toy.problem.loss, scale, before[i], s);
            }
        } else {
            assert_null(extrapolation_room(&bench.descent));
        }
        memcpy(before, bench.alpha, sizeof before);
        memcpy(w, bench.w, sizeof w);
        dual = training->point.dual;
        gap = training->point.primal + dual;
        tolerance = 100 * dual_rounding(&toy, bench.alpha);
        for (int is_wanted = 0; is_wanted < 2; is_wanted++) {
            const double target = is_wanted ? gap / training->point.primal + 1e-8 : -1;
            const int took =
                is_back ? take_back(&bench.descent.extrapolation, training, target, &part)
                        : take_ahead(&bench.descent.extrapolation, training, slope, target);

            CHECK(&toy, is_wanted || !took);
            if (took) {
                taken[is_back]++;
                tolerance = fmax(tolerance, 100 * dual_rounding(&toy, bench.alpha));
                check_taken(&toy, &bench, w, dual, tolerance);
                CHECK(&toy, !is_back || !(gap > tolerance) ||
                                fabs(part * gap - training->point.primal - training->point.dual) <=
                                    tolerance);
                break;
            }
            CHECK(&toy, memcmp(before, bench.alpha, toy.m * sizeof *before) == 0);
            CHECK(&toy, memcmp(w, bench.w, toy.width * sizeof *w) == 0);
            CHECK(&toy, training->point.dual == dual && !training->point.v);
        }
        free(bench.block);
    }
    assert_true(taken[0] > 500 && taken[1] > 500);
}

static void test_forming_w_changes_no_difference(void **state)
{
    static struct toy toy;
    uint64_t random = 3;
    struct bench bench;
    double difference[MOST_WIDTH];

    (void)state;
    toy_even(&toy, 1, LOSS_HINGE);
    bench_new(&bench, &toy, &random);
    bench.training.progress.passes = 16;
    extrapolate(&bench.descent.extrapolation, &bench.training);
    move(&bench, &toy, &random);
    for (size_t j = 0; j < toy.width; j++)
        difference[j] = bench.w[j] - bench.descent.extrapolation.last.w[j];
    store_differences(&bench.descent.extrapolation, &bench.training);
    for (size_t j = 0; j < toy.width; j++)
        bench.w[j] += 1;
    store_differences(&bench.descent.extrapolation, &bench.training);
    for (size_t j = 0; j < toy.width; j++)
        assert_true(fabs(bench.w[j] - bench.descent.extrapolation.last.w[j] - difference[j]) <
                    1e-14 * (1 + fabs(bench.w[j])));
    free(bench.block);
}

/* Passes on separable rows at a large C. Without extrapolations there are 139,503 and 80,922. */
static void test_passes_are_saved(void **state)
{
    static const size_t most[] = {75000, 50000};
    static struct toy toy;

    (void)state;
    for (size_t k = 0; k < 2; k++) {
        struct draft draft = {SEPARABLE, 1e3, 0, -1, 0, 1, losses[k]};
        struct hinge_parameters parameters = plain_parameters_for(1e-3, 0);
        size_t passes = 0;

        for (unsigned long number = 0; number < 100; number++) {
            struct answer answer;

            toy_draw(&toy, &draft, number, MOST_ROWS, 10);
            toy_train(&toy, &parameters, NULL, &answer);
            check_certificate(&toy, &answer);
            CHECK(&toy, answer.result.outcome == HINGE_CERTIFIED);
            passes += answer.result.passes;
        }
        assert_true(passes < most[k]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_moves_lower_the_dual),
        cmocka_unit_test(test_moves_to_the_minimum_in_the_plane),
        cmocka_unit_test(test_certificates_take_better_points),
        cmocka_unit_test(test_forming_w_changes_no_difference),
        cmocka_unit_test(test_passes_are_saved),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
