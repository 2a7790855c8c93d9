/* test_descent.c - dual coordinate descent alone: comparison with a dense interior-point method,
 * the certificate recomputed, LIBLINEAR's rule, the end of double precision, known optima. The
 * queue of skipped rows is compared with a table of their buckets. */
#include "solver/passes/visits.c"

#include <stdlib.h>

#include "solver/loop/loop.h"
#include "training.h"

static void test_random_problems_are_certified(void **state)
{
    static struct toy toy;

    (void)state;
    for (unsigned long number = 0; number < 3000; number++) {
        struct hinge_parameters parameters = plain_parameters_for(number % 4 == 3 ? 1e-3 : 1e-6, 0);
        struct bracket bracket;
        struct answer answer;

        toy_small(&toy, number);
        bracket = reference(&toy);
        toy_train(&toy, &parameters, NULL, &answer);
        check_certificate(&toy, &answer);
        check_optimum(&toy, &answer, &bracket);
        CHECK(&toy, answer.result.outcome == HINGE_CERTIFIED);
        CHECK(&toy, answer.result.relative_gap <= parameters.relative_gap);
    }
}

/* Class weights of 0 may leave nothing. */
static void test_problem_without_rows(void **state)
{
    static struct toy toy;
    struct hinge_parameters parameters = plain_parameters_for(1e-3, 0);
    struct answer answer;

    (void)state;
    for (unsigned long number = 0; number < 20; number++) {
        toy_small(&toy, number);
        toy.m = toy.problem.rows = 0;
        toy_train(&toy, &parameters, NULL, &answer);
        CHECK(&toy, answer.result.outcome == HINGE_CERTIFIED);
        CHECK(&toy, answer.result.primal == 0 && answer.result.dual == 0);
        CHECK(&toy, answer.result.relative_gap == 0 && answer.result.support_vectors == 0);
        for (size_t j = 0; j < toy.width; j++)
            CHECK(&toy, answer.w[j] == 0);
    }
}

/* ---- LIBLINEAR's rule --------------------------------------------------- */

/* Returns a bound of P + D after a pass whose projected gradients were all at most eps. A step
 * moves alpha_j by at most eps / Q_jj, and G_i by |Q_ij| times that. So the violation of row i is
 * at most delta_i = eps sum_j |Q_ij| / Q_jj after the pass, plus the 1e-12 that the solver leaves.
 * Its term of the gap is at most C_i delta_i for the L1-loss and 2 C_i delta_i^2 for the L2-loss.
 */
static double gap_after_rule(const struct toy *toy, double eps)
{
    double total = 0;

    for (size_t i = 0; i < toy->m; i++) {
        double delta = 1e-12;

        for (size_t j = 0; j < toy->m; j++)
            if (quadratic(toy, j, j) > diagonal(toy, j))
                delta += eps * fabs(quadratic(toy, i, j)) / quadratic(toy, j, j);
        total += toy->cost[i] * (toy->draft.loss == LOSS_HINGE ? delta : 2 * delta * delta);
    }
    return total;
}

static void check_gap_after_rule(const struct toy *toy, const struct answer *answer, double eps)
{
    const struct hinge_result *result = &answer->result;
    double bound =
        gap_after_rule(toy, eps) + rounding(toy, answer->w) + result->rounding * result->primal;

    check_certificate(toy, answer);
    CHECK(toy, result->primal + result->dual <= bound);
    CHECK(toy, result->primal - reference(toy).upper <= bound);
}

static void test_eps_rule_holds_on_all_rows(void **state)
{
    static struct toy toy;
    struct hinge_parameters parameters = plain_parameters_for(0, 1e-8);
    struct answer answer;

    (void)state;
    for (unsigned long number = 0; number < 600; number++) {
        toy_tame(&toy, number);
        toy_train(&toy, &parameters, NULL, &answer);
        check_gap_after_rule(&toy, &answer, parameters.eps);
        CHECK(&toy, answer.result.outcome == HINGE_CERTIFIED);
    }
}

/* If LIBLINEAR's rule ends a training early, the outcome does not claim the gap. */
static void test_loose_eps_is_not_called_certified(void **state)
{
    static struct toy toy;
    struct hinge_parameters parameters = plain_parameters_for(0, 0);
    size_t tolerance_met = 0;
    struct answer answer;

    (void)state;
    for (unsigned long number = 0; number < 600; number++) {
        toy_tame(&toy, number);
        parameters.eps = number % 2 ? 10 : 0.1;
        toy_train(&toy, &parameters, NULL, &answer);
        check_gap_after_rule(&toy, &answer, parameters.eps);
        CHECK(&toy, answer.result.outcome == (answer.result.relative_gap <= HINGE_DEFAULT_GAP
                                                  ? HINGE_CERTIFIED
                                                  : HINGE_TOLERANCE_MET));
        tolerance_met += answer.result.outcome == HINGE_TOLERANCE_MET;
    }
    assert_true(tolerance_met > 100);
}

/* Makes two rows with a positive product and the optimum inside the box. The two gradients of a
 * pass have opposite signs, so their spread is larger than each of them. */
static void toy_pair(struct toy *toy)
{
    static const double table[2][2] = {{1, 0}, {0.9, 0.5}};
    struct draft draft = {ORDINARY, 100, 0, -1, 0, 1, LOSS_HINGE};

    toy_draw(toy, &draft, 1, 2, 2);
    for (size_t i = 0; i < 2; i++) {
        memcpy(toy->table[i], table[i], sizeof table[i]);
        toy->sign[i] = 1;
    }
    compress_table(toy);
    expand_view(toy);
}

/* Computes alpha after `passes` passes from w = table[0] alpha[0] + table[1] alpha[1]. */
static void pair_alpha(const struct toy *toy, struct hinge_parameters parameters, uint64_t passes,
                       double *alpha)
{
    struct answer answer;

    alpha[0] = alpha[1] = 0;
    if (passes == 0)
        return;
    parameters.max_passes = passes;
    toy_train(toy, &parameters, NULL, &answer);
    alpha[1] = answer.w[1] / toy->x[1][1];
    alpha[0] = answer.w[0] - toy->x[1][0] * alpha[1];
}

/* Makes a pass from alpha, with row `first` and, if visits = 2, the other row. G gets the gradients
 * at the visits. */
static void pair_pass(const struct toy *toy, size_t first, size_t visits, double *alpha, double *G)
{
    for (size_t k = 0; k < visits; k++) {
        const size_t i = k == 0 ? first : 1 - first;

        G[k] = quadratic(toy, i, 0) * alpha[0] + quadratic(toy, i, 1) * alpha[1] - 1;
        alpha[i] -= G[k] / quadratic(toy, i, i);
    }
}

/* True if LIBLINEAR's rule holds: the gradients are near 0 and near each other. */
static int pair_keeps_rule(const double *G, double eps)
{
    return fabs(G[0]) <= eps && fabs(G[1]) <= eps && fabs(G[0] - G[1]) <= eps;
}

/* Finds the passes that lead from one alpha to the other, and sets *some and *all if some, or all,
 * of them keep the rule. A pass over both rows keeps it with the gradients at the visits. A pass
 * over one row must keep it with the gradients after the pass, too. The row that the previous pass
 * visited last is at its minimum, so it is unknown if the pass began with it. Returns 0 if no
 * single pass leads there, as after an extrapolation. */
static int pair_rule(const struct toy *toy, const double *from, const double *to, double eps,
                     int *some, int *all)
{
    int found = 0;

    *some = 0;
    *all = 1;
    for (size_t way = 0; way < 4; way++) {
        const size_t visits = 2 - way / 2;
        double alpha[2] = {from[0], from[1]}, G[2] = {0, 0}, behind[2];
        int met;

        pair_pass(toy, way % 2, visits, alpha, G);
        if (fabs(alpha[0] - to[0]) + fabs(alpha[1] - to[1]) > 1e-12)
            continue;
        for (size_t i = 0; i < 2; i++)
            behind[i] = quadratic(toy, i, 0) * to[0] + quadratic(toy, i, 1) * to[1] - 1;
        met = pair_keeps_rule(G, eps) && (visits == 2 || pair_keeps_rule(behind, eps));
        *some |= met;
        *all &= met;
        found = 1;
    }
    return found;
}

static void test_eps_rule_stops_at_the_first_pass_that_meets_it(void **state)
{
    size_t told = 0, passes = 0;
    static struct toy toy;

    (void)state;
    toy_pair(&toy);
    for (int k = 0; k < 60; k++) {
        struct hinge_parameters parameters = plain_parameters_for(0, exp2(-2 - k % 20));
        struct answer answer;

        parameters.seed = (uint64_t)k;
        toy_train(&toy, &parameters, NULL, &answer);
        for (uint64_t pass = 1; pass <= answer.result.passes; pass++) {
            double from[2], to[2];
            int some, all;

            pair_alpha(&toy, parameters, pass - 1, from);
            pair_alpha(&toy, parameters, pass, to);
            passes++;
            if (!pair_rule(&toy, from, to, parameters.eps, &some, &all)) {
                CHECK(&toy, pass > 32 && pass % 16 == 1);
                continue;
            }
            CHECK(&toy, pass == answer.result.passes ? some : !all);
            told += some == all;
        }
    }
    assert_true(2 * told > passes);
}

static void test_both_rules_must_hold(void **state)
{
    static const double demand[][2] = {{1e-6, 1e-3}, {0.5, 1e-8}, {1e-6, 10}};
    static struct toy toy;
    struct answer answer;

    (void)state;
    for (unsigned long number = 0; number < 600; number++) {
        struct hinge_parameters parameters =
            plain_parameters_for(demand[number % 3][0], demand[number % 3][1]);

        toy_tame(&toy, number);
        toy_train(&toy, &parameters, NULL, &answer);
        check_gap_after_rule(&toy, &answer, parameters.eps);
        CHECK(&toy, answer.result.outcome == HINGE_CERTIFIED);
        CHECK(&toy, answer.result.relative_gap <= parameters.relative_gap);
    }
}

/* ---- The end of double precision ---------------------------------------- */

/* With a gap that no double can meet, the training ends near the optimum. */
static void test_impossible_gap_ends_stalled(void **state)
{
    static struct toy toy;
    struct hinge_parameters parameters = plain_parameters_for(1e-300, 0);
    size_t stalled = 0;
    struct answer answer;

    (void)state;
    for (unsigned long number = 0; number < 600; number++) {
        struct draft scaled = {ORDINARY,  exp2((double)(number % 10) - 8),
                               0,         number % 3 ? -1 : 1,
                               0,         100, /* one row has features from 1/100 to 100 */
                               LOSS_HINGE};

        scaled.loss = number % 2 ? LOSS_HINGE : LOSS_SQUARED_HINGE;
        if (number < 500)
            toy_tame(&toy, number);
        else
            toy_draw(&toy, &scaled, number, 10, 5);
        toy_train(&toy, &parameters, NULL, &answer);
        check_certificate(&toy, &answer);
        CHECK(&toy, answer.result.relative_gap <= 1e-9);
        CHECK(&toy, answer.result.outcome ==
                        (answer.result.relative_gap == 0 ? HINGE_CERTIFIED : HINGE_STALLED));
        stalled += answer.result.outcome == HINGE_STALLED;
    }
    assert_true(stalled > 100);
}

/* Separable rows have small alphas at any C. A double resolves z_i to 1e-16, so the error of P at
 * C = 1e12 is 1e-4, and the outcome must not be "stalled". */
static void test_large_cost_is_not_called_stalled(void **state)
{
    static const double table[5][2] = {{1, 0.3}, {-0.5, 0.7}, {0.8, -0.2}, {-1, -0.1}, {0.1, -0.9}};
    static const double costs[] = {1e3, 1e6, 1e9, 1e12};
    static struct toy toy;
    struct hinge_parameters parameters = plain_parameters_for(1e-3, 0);
    struct draft draft = {SEPARABLE, 1, 0, -1, 0, 1, LOSS_HINGE};
    struct answer answer;

    (void)state;
    for (size_t k = 0; k < 2 * sizeof costs / sizeof *costs; k++) {
        draft.loss = k % 2 ? LOSS_SQUARED_HINGE : LOSS_HINGE;
        draft.C = costs[k / 2];
        toy_draw(&toy, &draft, k, 5, 2);
        for (size_t i = 0; i < 5; i++) {
            memcpy(toy.table[i], table[i], sizeof table[i]);
            toy.sign[i] = i % 2 ? -1 : 1;
        }
        compress_table(&toy);
        expand_view(&toy);
        toy_train(&toy, &parameters, NULL, &answer);
        check_certificate(&toy, &answer);
        CHECK(&toy, answer.result.outcome == HINGE_CERTIFIED);
    }
}

/* ---- The method by itself ------------------------------------------------ */

/* Coordinate descent in a training that other methods have begun. */
struct bench {
    struct hinge_parameters parameters;
    struct training training;
    double alpha[MOST_ROWS];
    double w[MOST_WIDTH];
    void *block;
    void *state;
};

static void bench_new(struct bench *bench, const struct toy *toy, uint64_t random)
{
    struct training *training = &bench->training;
    static const struct solver solver = {0};
    static const struct task task = {.solver = &solver};
    struct arena arena = {NULL, 0, 0};
    struct hinge_error error;

    for (size_t i = 0; i < toy->m; i++)
        bench->alpha[i] = toy->cost[i] * random_unit(&random);
    *training = (struct training){.task = &task,
                                  .problem = &toy->problem,
                                  .parameters = &bench->parameters,
                                  .rows = toy->problem.rows,
                                  .width = toy->width,
                                  .point.w = bench->w,
                                  .point.alpha = bench->alpha,
                                  .eps = bench->parameters.eps,
                                  .point.primal = HUGE_VAL};
    training->shards = shards_of(&toy->problem, SUM_OF_VECTORS, 0, toy->width);
    assert_true(training->shards.count == 1);
    training->progress.passes = training->progress.steps = 109;
    assert_non_null(bench->state = calloc(1, coordinate_descent.size));
    coordinate_descent.lay_out(bench->state, &arena, training);
    assert_non_null(bench->block = arena_new(&arena, &error));
    coordinate_descent.lay_out(bench->state, &arena, training);
    assert_true(coordinate_descent.begin(bench->state, training, &error) == HINGE_OK);
}

static void bench_free(struct bench *bench)
{
    free(bench->training.best.w); /* the driver frees it in the library */
    free(bench->block);
    free(bench->state);
}

/* After other methods, coordinate descent meets no rule, however loose, before its own first pass.
 */
static void test_no_pass_is_judged_before_there_is_one(void **state)
{
    static struct toy toy;
    size_t met = 0;

    (void)state;
    for (unsigned long number = 0; number < 200; number++) {
        struct bench bench;
        double alpha[MOST_ROWS];

        toy_even(&toy, number, number % 2 ? LOSS_HINGE : LOSS_SQUARED_HINGE);
        bench.parameters = plain_parameters_for(number % 4 < 2 ? 1e300 : 0, 1e300);
        bench_new(&bench, &toy, number + 1);
        memcpy(alpha, bench.alpha, sizeof alpha);
        CHECK(&toy, coordinate_descent.met(bench.state) == GOES_ON);
        CHECK(&toy, memcmp(alpha, bench.alpha, toy.m * sizeof *alpha) == 0);
        CHECK(&toy, !bench.training.progress.measured && bench.training.progress.passes == 109);
        coordinate_descent.step(bench.state);
        CHECK(&toy, bench.training.progress.passes == 110 && bench.training.progress.steps == 109);
        met += coordinate_descent.met(bench.state) == MET;
        bench_free(&bench);
    }
    assert_int_equal(met, 200);
}

/* The dual that the steps add up is D(alpha), and w stays the weights of alpha. */
static void test_steps_keep_w_and_the_dual(void **state)
{
    static struct toy toy;

    (void)state;
    for (unsigned long number = 0; number < 300; number++) {
        struct bench bench;
        double w[MOST_WIDTH], before, tolerance;

        toy_even(&toy, number, number % 2 ? LOSS_HINGE : LOSS_SQUARED_HINGE);
        bench.parameters = plain_parameters_for(1e-300, 0);
        bench_new(&bench, &toy, number + 1);
        tolerance = dual_rounding(&toy, bench.alpha);
        for (int pass = 0; pass < 40; pass++) {
            before = bench.training.point.dual;
            coordinate_descent.step(bench.state);
            coordinate_descent.met(bench.state);
            weights_of(&toy, bench.alpha, w);
            CHECK(&toy, bench.training.point.dual <= before + tolerance);
            tolerance = fmax(tolerance, dual_rounding(&toy, bench.alpha));
            CHECK(&toy, fabs(bench.training.point.dual - dual_of(&toy, bench.alpha)) <= tolerance);
            for (size_t j = 0; j < toy.width; j++)
                CHECK(&toy, fabs(bench.w[j] - w[j]) <= 1e-11 * (1 + sqrt(half_square(&toy, w))));
        }
        CHECK(&toy, bench.training.spent > 0 || bench.training.progress.row_visits == 0);
        bench_free(&bench);
    }
}

/* ---- Known optima ------------------------------------------------------- */

struct golden {
    const char *file;
    int solver;
    double bias;
    double optimum;
    double printed; /* half a unit of the last printed digit */
};

/* Trains on all rows with C = 1, and +1 as the positive class. */
static void solve_whole(const struct hinge_dataset *data, const struct golden *golden,
                        struct hinge_result *result)
{
    const struct solver *solver = solver_find(golden->solver);
    struct hinge_parameters parameters = plain_parameters_for(1e-6, 0);
    uint32_t *row = calloc(data->x.rows, sizeof *row);
    signed char *sign = calloc(data->x.rows, sizeof *sign);
    double *cost = calloc(data->x.rows, sizeof *cost), *w = calloc(data->features + 1, sizeof *w);
    double *alpha = calloc(data->x.rows, sizeof *alpha);
    const struct problem problem = {.data = data,
                                    .rows = (uint32_t)data->x.rows,
                                    .row = row,
                                    .sign = sign,
                                    .cost = cost,
                                    .loss = solver->loss,
                                    .bias_kind = golden->bias < 0 ? BIAS_NONE : BIAS_REGULARISED,
                                    .bias = golden->bias};
    struct hinge_error error;
    const struct task task = {.problem = &problem,
                              .solver = solver,
                              .parameters = &parameters,
                              .problems = 1,
                              .positive = 1,
                              .alpha = alpha,
                              .w = w,
                              .workspace = workspace_new(&error)};

    assert_true(row && sign && cost && w && alpha && task.workspace);
    for (uint32_t i = 0; i < data->x.rows; i++) {
        row[i] = i;
        sign[i] = data->label[i] > 0 ? 1 : -1;
        cost[i] = 1;
    }
    assert_int_equal(solver_train(&task, result, &error), HINGE_OK);
    workspace_free(task.workspace);
    free(alpha);
    free(row);
    free(sign);
    free(cost);
    free(w);
}

static void check_golden(const struct golden *golden, size_t count)
{
    const struct hinge_format format = {0};
    const char *path = data_path(golden->file);
    struct hinge_dataset *data;
    struct hinge_error error;

    if (!path)
        skip();
    data = hinge_dataset_read(path, &format, &error);
    assert_non_null(data);
    for (; count > 0; count--, golden++) {
        struct hinge_result result;
        double slack;

        solve_whole(data, golden, &result);
        slack = 1e-6 * result.primal + golden->printed;
        print_message("%s -s %d: primal %.6f, optimum %.6f, %llu passes, %.2f s\n", golden->file,
                      golden->solver, result.primal, golden->optimum,
                      (unsigned long long)result.passes, result.seconds);
        assert_int_equal(result.outcome, HINGE_CERTIFIED);
        assert_true(fabs(result.primal - golden->optimum) <= slack);
        assert_true(fabs(result.dual + golden->optimum) <= slack);
        assert_true(result.primal >= golden->optimum - golden->printed);
        assert_true(-result.dual <= golden->optimum + golden->printed);
    }
    hinge_dataset_free(data);
}

static void test_known_optima_of_a9a(void **state)
{
    static const struct golden golden[] = {{"a9a", 3, -1, 11433.807697, 5e-7},
                                           {"a9a", 3, 1, 11433.700198, 5e-7},
                                           {"a9a", 1, -1, 13742.397304, 5e-7},
                                           {"a9a", 1, 1, 13742.373305, 5e-7}};

    (void)state;
    check_golden(golden, sizeof golden / sizeof *golden);
}

static void test_known_optimum_of_w8a(void **state)
{
    static const struct golden golden = {"w8a", 3, -1, 6604.8866, 5e-5};

    (void)state;
    check_golden(&golden, 1);
}

/* Makes an empty queue for `rows` rows. Returns its block of memory, which has exactly its size. */
static void *queue_new(struct queue *queue, uint32_t rows)
{
    struct arena arena = {NULL, 0, 0};
    struct hinge_error error;
    void *block;

    lay_out_queue(queue, &arena, rows);
    assert_non_null(block = arena_new(&arena, &error));
    lay_out_queue(queue, &arena, rows);
    clear_queue(queue);
    return block;
}

/* Moves the rows of a bucket, which must be those of the table, to other buckets. */
static void move_rows(struct queue *queue, unsigned *bucket_of_row, uint32_t rows, unsigned bucket,
                      uint64_t *random)
{
    uint32_t *taken = calloc(rows, sizeof *taken), count, expected = 0;

    assert_non_null(taken);
    for (uint32_t i = 0; i < rows; i++)
        expected += bucket_of_row[i] == bucket;
    count = empty_bucket(queue, bucket, taken);
    assert_int_equal(count, expected);
    for (uint32_t k = 0; k < count; k++) {
        assert_int_equal(bucket_of_row[taken[k]], bucket);
        bucket_of_row[taken[k]] = BUCKETS; /* finds a row that is given twice */
    }
    for (uint32_t k = 0; k < count; k++) {
        bucket_of_row[taken[k]] = (unsigned)(random_bits(random) % BUCKETS);
        enqueue(queue, bucket_of_row[taken[k]], taken[k], 0);
    }
    free(taken);
}

/* The queue has room for any distribution of rows, and each row comes out of its own bucket. */
static void test_each_row_comes_out_of_its_bucket(void **unused)
{
    static const uint32_t sizes[] = {1, CHUNK_ROWS, CHUNK_ROWS + 1, 1000, 5000};
    uint64_t random = 11;

    (void)unused;
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        unsigned *bucket_of_row = calloc(sizes[s], sizeof *bucket_of_row);
        struct queue queue;
        void *block = queue_new(&queue, sizes[s]);

        assert_non_null(bucket_of_row);
        for (unsigned time = 0; time < 3; time++) {
            for (uint32_t i = 0; i < sizes[s]; i++) {
                bucket_of_row[i] = time; /* all rows in one bucket */
                enqueue(&queue, time, i, 0);
            }
            for (unsigned bucket = 0; bucket < 20 * BUCKETS; bucket++)
                move_rows(&queue, bucket_of_row, sizes[s], bucket % BUCKETS, &random);
            clear_queue(&queue);
        }
        free(block);
        free(bucket_of_row);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_each_row_comes_out_of_its_bucket),
        cmocka_unit_test(test_random_problems_are_certified),
        cmocka_unit_test(test_problem_without_rows),
        cmocka_unit_test(test_eps_rule_holds_on_all_rows),
        cmocka_unit_test(test_loose_eps_is_not_called_certified),
        cmocka_unit_test(test_eps_rule_stops_at_the_first_pass_that_meets_it),
        cmocka_unit_test(test_both_rules_must_hold),
        cmocka_unit_test(test_impossible_gap_ends_stalled),
        cmocka_unit_test(test_large_cost_is_not_called_stalled),
        cmocka_unit_test(test_no_pass_is_judged_before_there_is_one),
        cmocka_unit_test(test_steps_keep_w_and_the_dual),
        cmocka_unit_test(test_known_optima_of_a9a),
        cmocka_unit_test(test_known_optimum_of_w8a),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
