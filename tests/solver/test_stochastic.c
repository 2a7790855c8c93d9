/* test_stochastic.c - the stochastic solvers against dense loops of the papers' formulas, their
 * lazy sums against direct ones, sampling, checkpoints, stop rules, convergence, parameters. */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "problem/kernel.h"
#include "solver/stochastic.h"

/* The engines once more as text, which shows what they keep to themselves. Some functions have the
 * same name in both: the function-like macros rename the second ones where they are defined. So
 * sgd_solve_copy takes those of proximal.c; it is never called. */
#define proximal_solve proximal_solve_copy
#include "solver/proximal.c"
#define sgd_solve             sgd_solve_copy
#define step(run, state)      sgd_step(run, state)
#define output(run, state, w) sgd_output(run, state, w)
#define fetch(run, state)     sgd_fetch(run, state)
#include "solver/sgd.c"
#undef proximal_solve
#undef sgd_solve
#undef step
#undef output
#undef fetch
#undef fail /* status.h's; cmocka has another */

#include "support.h"

#if defined(__SANITIZE_ADDRESS__)
#define SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SANITIZED 1
#endif
#endif

enum { PEGASOS = 30, SGD = 31, SGD_W = 32, SGD_SUFFIX = 33, COMID = 40, HRMD_W = 41 };
enum { SOLVERS = 6 };

static const int solvers[SOLVERS] = {PEGASOS, SGD, SGD_W, SGD_SUFFIX, COMID, HRMD_W};

static int has_l1(int solver)
{
    return solver == COMID || solver == HRMD_W;
}

static int has_average(int solver, enum hinge_average average)
{
    return (int)(hinge_solver_find(solver)->averages >> average & 1);
}

/* calloc that ends the test where there is no memory. */
static void *zeros(size_t count, size_t size)
{
    void *array = calloc(count + 1, size);

    assert_non_null(array);
    return array;
}

/* ---- Random problems --------------------------------------------------- */

/* What to draw. The first feature is in a share density of the rows, the last in a 40th of that,
 * so that some are in no row and some rest for hundreds of steps. Costs are C 2^u, u uniform in
 * -1 .. 1. */
struct draft {
    uint32_t rows, features;
    double density;
    double C;
    double bias;
    double empty; /* share of rows without a feature */
    double noise; /* share of signs turned */
    uint64_t seed;
};

static const struct draft ordinary = {60, 40, 0.9, 1, -1, 0, 0.1, 1};

/* A binary problem twice: as the solver sees it, and dense for the reference. */
struct toy {
    struct binary_problem problem; /* points into this struct */
    struct hinge_dataset data;
    uint32_t *index; /* data.x.index */
    double *value;   /* data.x.value */
    uint32_t *row;
    signed char *sign;
    double *cost;
    double *x; /* [rows][width] the view's rows, the bias feature last */
    size_t width;
};

/* Draws the entries of the dataset, real-valued so that no margin is exactly 1. */
static void draw_data(struct toy *toy, const struct draft *draft, uint64_t *state)
{
    struct hinge_dataset *data = &toy->data;

    data->x.rows = draft->rows;
    data->features = draft->features;
    data->x.start = zeros(data->x.rows + 1, sizeof *data->x.start);
    toy->index = zeros((size_t)draft->rows * draft->features, sizeof *toy->index);
    toy->value = zeros((size_t)draft->rows * draft->features, sizeof *toy->value);
    data->x.index_kind = HINGE_INDEX_32;
    data->x.value_kind = HINGE_VALUE_DOUBLE;
    data->x.index = toy->index;
    data->x.value = toy->value;
    for (uint32_t i = 0; i < draft->rows; i++) {
        int empty = random_unit(state) < draft->empty;

        for (uint32_t j = 0; j < draft->features && !empty; j++)
            if (random_unit(state) < draft->density * pow(0.025, (double)j / draft->features)) {
                toy->index[data->x.nonzeros] = j;
                toy->value[data->x.nonzeros++] = 3 * random_unit(state) - 1.5;
            }
        data->x.start[i + 1] = data->x.nonzeros;
    }
}

/* The view's rows in any order, one of the dataset perhaps twice; the table is filled from it. */
static void draw_view(struct toy *toy, const struct draft *draft, uint64_t *state)
{
    const struct hinge_dataset *data = &toy->data;

    for (uint32_t i = 0; i < draft->rows; i++) {
        double *x = toy->x + i * toy->width, decision = 0;
        uint32_t row = (uint32_t)(random_unit(state) * draft->rows);

        toy->row[i] = random_unit(state) < 0.1 ? row : draft->rows - 1 - i;
        for (size_t e = data->x.start[toy->row[i]]; e < data->x.start[toy->row[i] + 1]; e++) {
            x[toy->index[e]] = toy->value[e];
            decision += toy->value[e] * (toy->index[e] % 3 - 1.0);
        }
        if (draft->bias >= 0)
            x[draft->features] = draft->bias;
        toy->sign[i] = (decision > 0) != (random_unit(state) < draft->noise) ? 1 : -1;
        toy->cost[i] = draft->C * exp2(2 * random_unit(state) - 1);
    }
}

static struct toy *toy_new(const struct draft *draft)
{
    struct toy *toy = zeros(1, sizeof *toy);
    uint64_t state = draft->seed * UINT64_C(0x9e3779b97f4a7c15);

    draw_data(toy, draft, &state);
    toy->width = draft->features + (draft->bias >= 0 ? 1u : 0u);
    toy->row = zeros(draft->rows, sizeof *toy->row);
    toy->sign = zeros(draft->rows, sizeof *toy->sign);
    toy->cost = zeros(draft->rows, sizeof *toy->cost);
    toy->x = zeros(draft->rows * toy->width, sizeof *toy->x);
    toy->problem = (struct binary_problem){&toy->data, draft->rows, toy->row, toy->sign,
                                           toy->cost,  draft->bias, 0};
    draw_view(toy, draft, &state);
    return toy;
}

static void toy_free(struct toy *toy)
{
    free(toy->data.x.start);
    free(toy->index);
    free(toy->value);
    free(toy->row);
    free(toy->sign);
    free(toy->cost);
    free(toy->x);
    free(toy);
}

static long double total_cost(const struct toy *toy)
{
    long double total = 0;

    for (uint32_t i = 0; i < toy->problem.rows; i++)
        total += toy->cost[i];
    return total;
}

/* ---- Solving ----------------------------------------------------------- */

static struct hinge_parameters parameters_for(int solver, uint64_t iterations)
{
    struct hinge_parameters parameters = hinge_parameters_default();

    parameters.solver = solver;
    parameters.iterations = iterations;
    return parameters;
}

static struct solver_task task_for(const struct toy *toy, const struct hinge_parameters *parameters,
                                   const struct hinge_monitor *monitor)
{
    const struct solver *solver = solver_find(parameters->solver);
    struct solver_task task = {.problem = &toy->problem,
                               .loss = solver->loss,
                               .parameters = parameters,
                               .monitor = monitor,
                               .problems = 1,
                               .positive = 1,
                               .recipe = &solver->recipe};

    if (parameters->initial)
        task.start = parameters->initial->weight;
    return task;
}

static struct hinge_result solve(const struct toy *toy, const struct hinge_parameters *parameters,
                                 const struct hinge_monitor *monitor, double *w)
{
    struct solver_task task = task_for(toy, parameters, monitor);
    struct hinge_error error = {HINGE_OK, ""};
    struct hinge_result result;

    for (size_t j = 0; j < toy->width; j++)
        w[j] = NAN;
    assert_int_equal(hinge_parameters_check(parameters, &error), HINGE_OK);
    assert_int_equal(solver_find(parameters->solver)->solve(&task, w, &result, &error), HINGE_OK);
    return result;
}

/* P(w) and the l1 term, from the dense table. */
static long double objective_of(const struct toy *toy, double l1, const double *w)
{
    long double primal = 0;

    for (size_t j = 0; j < toy->width; j++)
        primal += (long double)w[j] * w[j] / 2 + l1 * total_cost(toy) * fabsl(w[j]);
    for (uint32_t i = 0; i < toy->problem.rows; i++) {
        long double z = 0;

        for (size_t j = 0; j < toy->width; j++)
            z += (long double)w[j] * toy->x[i * toy->width + j];
        primal += toy->cost[i] * fmaxl(0, 1 - toy->sign[i] * z);
    }
    return primal;
}

/* ---- The papers' loops, dense ------------------------------------------ */

/* All iterates of a run; the n-th is w_t with t = begin + n. */
struct path {
    uint64_t steps;
    long double begin; /* t before the first step: 0, or what a model to start from says */
    size_t width;
    long double *w;      /* [steps + 1][width]: the first T + 1 */
    long double closest; /* smallest |z - 1| that decided whether a row counts */
    double unit;         /* what a random iterate is drawn with */
};

static const long double *iterate_at(const struct path *path, uint64_t n)
{
    return path->w + (n - 1) * path->width;
}

/* g_t = -1/k sum over the rows with z < 1 of v_i y_i x_i,  v_i = m C_i / sum C */
static void gradient_at(const struct toy *toy, const uint32_t *batch, uint32_t k,
                        const long double *w, long double *g, long double *closest)
{
    long double weight = toy->problem.rows / total_cost(toy);

    for (size_t j = 0; j < toy->width; j++)
        g[j] = 0;
    for (uint32_t b = 0; b < k; b++) {
        const double *x = toy->x + batch[b] * toy->width;
        long double z = 0;

        for (size_t j = 0; j < toy->width; j++)
            z += w[j] * x[j];
        z *= toy->sign[batch[b]];
        *closest = fminl(*closest, fabsl(z - 1));
        for (size_t j = 0; j < toy->width && z < 1; j++)
            g[j] -= weight * toy->cost[batch[b]] * toy->sign[batch[b]] * x[j] / k;
    }
}

/* w_{t+1} from w_t as SPEC's table of stochastic solvers has it. */
static void dense_step(const struct hinge_parameters *parameters, long double sigma, long double t,
                       size_t width, const long double *w, const long double *g, long double *next)
{
    const long double l1 = parameters->l1;
    int solver = parameters->solver;
    long double square = 0, eta = 1 / (sigma * t);

    if (solver == SGD_W)
        eta = 2 / (sigma * (t + 1));
    if (solver == HRMD_W)
        eta = 2 / (sigma * t);
    for (size_t j = 0; j < width; j++) {
        long double v = w[j] - eta * g[j];

        if (has_l1(solver))
            next[j] = copysignl(fmaxl(fabsl(v) - l1 * eta, 0), v) / (1 + sigma * eta);
        else
            next[j] = w[j] - eta * (sigma * w[j] + g[j]);
        square += next[j] * next[j];
    }
    if (solver == PEGASOS && sqrtl(square) > 1 / sqrtl(sigma))
        for (size_t j = 0; j < width; j++)
            next[j] *= 1 / sqrtl(sigma) / sqrtl(square);
}

/* The steps the initial model has taken, or as many as are to come; none without one. */
static long double steps_before(const struct hinge_parameters *parameters)
{
    if (!parameters->initial)
        return 0;
    return parameters->initial->steps > 0 ? parameters->initial->steps
                                          : (long double)parameters->iterations;
}

static struct path path_new(const struct toy *toy, const struct hinge_parameters *parameters)
{
    struct path path = {
        parameters->iterations, steps_before(parameters), toy->width, NULL, HUGE_VALL, 0};
    struct random_state random = {parameters->seed};
    uint32_t k = parameters->batch, *batch = zeros(k, sizeof *batch);
    long double *g = zeros(toy->width, sizeof *g);
    struct hinge_error error;
    struct sampler sampler;

    path.unit = (double)(random_next(&random) >> 11) / 9007199254740992.0;
    assert_int_equal(
        sampler_new(&sampler, &toy->problem, parameters->sampling, random_next(&random), &error),
        HINGE_OK);
    path.w = zeros((path.steps + 1) * path.width, sizeof *path.w);
    for (size_t j = 0; j < path.width && parameters->initial; j++)
        path.w[j] = parameters->initial->weight[j];
    for (uint64_t n = 1; n <= path.steps; n++) {
        for (uint32_t b = 0; b < k; b++)
            batch[b] = sampler_next(&sampler);
        gradient_at(toy, batch, k, iterate_at(&path, n), g, &path.closest);
        dense_step(parameters, 1 / total_cost(toy), path.begin + n, toy->width,
                   iterate_at(&path, n), g, path.w + n * path.width);
    }
    sampler_free(&sampler);
    free(batch);
    free(g);
    return path;
}

/* SPEC's default outputs. */
static enum hinge_average default_average(int solver)
{
    switch (solver) {
    case PEGASOS:
        return HINGE_AVERAGE_NONE;
    case SGD_SUFFIX:
        return HINGE_AVERAGE_SUFFIX;
    case SGD_W:
    case HRMD_W:
        return HINGE_AVERAGE_WEIGHTED;
    default:
        return HINGE_AVERAGE_UNIFORM;
    }
}

/* The weight of the n-th iterate, n = 1 .. T + 1, in the output of a run. */
static long double weight_of(const struct path *path, const struct hinge_parameters *parameters,
                             uint64_t n)
{
    double share = floor(parameters->suffix * (double)path->steps);
    uint64_t suffix = share < 1 ? 1 : (uint64_t)share;
    uint64_t chosen = 1 + (uint64_t)(path->unit * (double)path->steps);

    switch (parameters->average == HINGE_AVERAGE_DEFAULT ? default_average(parameters->solver)
                                                         : parameters->average) {
    case HINGE_AVERAGE_UNIFORM:
        return n <= path->steps;
    case HINGE_AVERAGE_WEIGHTED:
        return n <= path->steps ? path->begin + n + (parameters->solver == HRMD_W) : 0;
    case HINGE_AVERAGE_SUFFIX:
        return n <= path->steps && n > path->steps - suffix;
    case HINGE_AVERAGE_RANDOM:
        return n == chosen;
    default:
        return n == path->steps + 1;
    }
}

static void output_of(const struct path *path, const struct hinge_parameters *parameters,
                      long double *w)
{
    long double total = 0;

    for (size_t j = 0; j < path->width; j++)
        w[j] = 0;
    for (uint64_t n = 1; n <= path->steps + 1; n++) {
        long double weight = weight_of(path, parameters, n);

        total += weight;
        for (size_t j = 0; j < path->width && weight != 0; j++)
            w[j] += weight * iterate_at(path, n)[j];
    }
    for (size_t j = 0; j < path->width; j++)
        w[j] /= total;
}

/* Every coordinate within 1e-9 of itself, or, of small ones, of a thousandth of the largest, that
 * of w_T+1 included: where it has only just moved, its average is 0 but for rounding. */
static void check_output(const struct toy *toy, const struct hinge_parameters *parameters,
                         const struct path *path)
{
    long double *expected = zeros(toy->width, sizeof *expected), largest = 0;
    double *w = zeros(toy->width, sizeof *w);

    output_of(path, parameters, expected);
    solve(toy, parameters, NULL, w);
    for (size_t j = 0; j < toy->width; j++)
        largest =
            fmaxl(largest, fmaxl(fabsl(expected[j]), fabsl(iterate_at(path, path->steps + 1)[j])));
    for (size_t j = 0; j < toy->width; j++)
        if (!(fabsl(w[j] - expected[j]) <= 1e-9L * fmaxl(fabsl(expected[j]), largest / 1000)))
            fail_msg("solver %d, average %d, k %u, bias %g, sampling %d, l1 %g, suffix %g, seed "
                     "%lu: w[%lu] is %.17g, not %.17Lg",
                     parameters->solver, parameters->average, (unsigned)parameters->batch,
                     toy->problem.bias, parameters->sampling, parameters->l1, parameters->suffix,
                     (unsigned long)parameters->seed, (unsigned long)j, w[j], expected[j]);
    free(expected);
    free(w);
}

/* One run of the reference, and all outputs that the solver has for it. */
static struct path check_outputs(const struct toy *toy, struct hinge_parameters parameters)
{
    static const double shares[] = {0.5, 1, 0.1, 0.37, 1e-9};
    struct path path = path_new(toy, &parameters);

    assert_true(path.closest > 1e-10L); /* else rounding may decide another way */
    for (int average = HINGE_AVERAGE_DEFAULT; average <= HINGE_AVERAGE_RANDOM; average++) {
        parameters.average = (enum hinge_average)average;
        if (average != HINGE_AVERAGE_DEFAULT && !has_average(parameters.solver, parameters.average))
            continue;
        for (size_t s = 0; s < (average == HINGE_AVERAGE_SUFFIX ? 5 : 1); s++) {
            parameters.suffix = shares[s];
            check_output(toy, &parameters, &path);
        }
    }
    return path;
}

/* Zeros of w_T+1. */
static size_t zeros_at_end(const struct path *path)
{
    size_t count = 0;

    for (size_t j = 0; j < path->width; j++)
        count += iterate_at(path, path->steps + 1)[j] == 0;
    return count;
}

/* The combinations of batch, bias and sampling. */
enum { VARIANTS = 8 };

static struct toy *variant_toy(int variant)
{
    struct draft draft = ordinary;

    draft.bias = variant & 1 ? 1 : -1;
    draft.seed = (uint64_t)variant + 1;
    return toy_new(&draft);
}

static struct hinge_parameters variant_parameters(int solver, int variant, uint64_t iterations)
{
    struct hinge_parameters parameters = parameters_for(solver, iterations);

    parameters.batch = variant & 2 ? 7 : 1;
    parameters.sampling = variant & 4 ? HINGE_PERMUTE : HINGE_IID;
    parameters.seed = (uint64_t)(100 * solver + variant);
    return parameters;
}

/* The solver is the test's initial state, here and below. */
static void test_dense_loop_agrees(void **state)
{
    const int *solver = *state;

    for (int variant = 0; variant < VARIANTS; variant++) {
        struct toy *toy = variant_toy(variant);

        free(check_outputs(toy, variant_parameters(*solver, variant, 5000)).w);
        toy_free(toy);
    }
}

/* l1 from a term that does little to one that leaves nothing. */
static void test_dense_loop_agrees_with_l1(void **state)
{
    static const double l1[] = {1e-4, 0.01, 0.03, 0.1, 5};
    const int *solver = *state;
    size_t zero[5] = {0}, all = 0;

    for (int variant = 0; variant < VARIANTS; variant++) {
        struct toy *toy = variant_toy(variant);

        for (size_t l = 0; l < 5; l++) {
            struct hinge_parameters parameters = variant_parameters(*solver, variant, 5000);
            struct path path;

            parameters.l1 = l1[l];
            path = check_outputs(toy, parameters);
            zero[l] += zeros_at_end(&path);
            free(path.w);
        }
        all += toy->width;
        toy_free(toy);
    }
    for (size_t l = 1; l < 5; l++)
        assert_true(zero[l] > zero[l - 1]);
    assert_true(zero[0] < all / 4 && zero[2] > all / 4 && zero[3] < all && zero[4] == all);
}

/* The zeros themselves: exactly 0, and the same ones. */
static void test_l1_makes_the_same_zeros(void **state)
{
    (void)state;
    for (int variant = 0; variant < VARIANTS; variant++)
        for (int solver = COMID; solver <= HRMD_W; solver++) {
            struct hinge_parameters parameters = variant_parameters(solver, variant, 2000);
            struct toy *toy = variant_toy(variant);
            double *w = zeros(toy->width, sizeof *w);
            struct path path;

            parameters.l1 = 0.02;
            parameters.average = HINGE_AVERAGE_NONE;
            path = path_new(toy, &parameters);
            assert_int_equal(solve(toy, &parameters, NULL, w).nonzeros,
                             toy->width - zeros_at_end(&path));
            for (size_t j = 0; j < toy->width; j++)
                assert_true((w[j] == 0) == (iterate_at(&path, path.steps + 1)[j] == 0));
            free(path.w);
            free(w);
            toy_free(toy);
        }
}

/* Radii 1/sqrt(sigma) of about 8, 60 and 450: projection shrinks w by factors whose product is far
 * beyond the range of double, and the averages must not notice. */
static void test_averages_survive_projections(void **state)
{
    (void)state;
    for (double C = 1; C < 5000; C *= 57)
        for (uint32_t k = 1; k < 8; k += 6) {
            struct hinge_parameters parameters = parameters_for(PEGASOS, 3000);
            struct draft draft = ordinary;
            struct toy *toy;

            draft.C = C;
            toy = toy_new(&draft);
            parameters.batch = k;
            free(check_outputs(toy, parameters).w);
            toy_free(toy);
        }
}

/* One row, one feature, rows without features, nothing at all. */
static void test_small_shapes_agree(void **state)
{
    static const struct draft shapes[] = {
        {1, 5, 2, 1, -1, 0, 0, 3},    {1, 1, 40, 2, 0.5, 0, 0, 4}, {9, 1, 40, 1, -1, 0, 0.3, 5},
        {30, 8, 1, 1, -1, 0.5, 0, 6}, {30, 8, 1, 1, 1, 0.5, 0, 7}, {5, 0, 0, 1, -1, 0, 0, 8},
        {5, 0, 0, 1, 2, 0, 0, 9},     {4, 3, 0, 1, -1, 1, 0, 10},  {2, 60, 0.9, 1, 1, 0, 0, 11}};

    (void)state;
    for (size_t shape = 0; shape < sizeof shapes / sizeof *shapes; shape++) {
        struct toy *toy = toy_new(&shapes[shape]);

        for (int s = 0; s < SOLVERS; s++)
            for (int variant = 0; variant < VARIANTS; variant += 2) {
                struct hinge_parameters parameters = variant_parameters(solvers[s], variant, 300);

                parameters.l1 = has_l1(solvers[s]) && shape % 2 ? 0.02 : 0;
                free(check_outputs(toy, parameters).w);
            }
        toy_free(toy);
    }
}

/* All short runs: the first steps are the ones that formulas with t - 1 in them get wrong. */
static void test_short_runs_agree(void **state)
{
    const int *solver = *state;

    for (uint64_t steps = 1; steps <= 40; steps++) {
        int variant = (int)(steps % VARIANTS);
        struct toy *toy = variant_toy(variant);
        struct hinge_parameters parameters = variant_parameters(*solver, variant, steps);

        parameters.l1 = has_l1(*solver) && steps % 3 ? 0.05 : 0;
        free(check_outputs(toy, parameters).w);
        toy_free(toy);
    }
}

/* ---- Starts from a model ------------------------------------------------ */

/* A model of random weights of about that size, some of them 0, after so many steps. */
static struct hinge_model random_model(const struct toy *toy, double size, double steps,
                                       uint64_t seed)
{
    struct hinge_model model = {.classes = 2, .columns = 1, .steps = steps};
    uint64_t random = UINT64_C(0x9e3779b97f4a7c15) * (seed + 1);

    model.weight = zeros(toy->width, sizeof *model.weight);
    for (size_t j = 0; j < toy->width; j++)
        model.weight[j] = random_unit(&random) < 0.8 ? size * (2 * random_unit(&random) - 1) : 0;
    return model;
}

/* One run from such a model: t goes on behind its steps, in step sizes and weights alike. */
static void check_start(int solver, int variant, double size, double steps, uint64_t iterations)
{
    struct hinge_parameters parameters = variant_parameters(solver, variant, iterations);
    struct toy *toy = variant_toy(variant);
    struct hinge_model model = random_model(toy, size, steps, (uint64_t)variant);
    struct path path;

    parameters.l1 = has_l1(solver) ? 0.01 * (variant % 3) : 0;
    parameters.initial = &model;
    path = check_outputs(toy, parameters);
    free(path.w);
    free(model.weight);
    toy_free(toy);
}

/* Few steps before and many, many after and few. The last ones move a w that is far outside of the
 * ball that Pegasos projects to. */
static void test_dense_loop_agrees_from_a_model(void **state)
{
    static const double steps[] = {1, 2, 17, 1000, 300000, 1e9};
    const int *solver = *state;

    for (int variant = 0; variant < VARIANTS; variant++)
        for (size_t s = 0; s < sizeof steps / sizeof *steps; s++) {
            check_start(*solver, variant, 0.3, steps[s], 1);
            check_start(*solver, variant, 0.3, steps[s], 13);
            check_start(*solver, variant, 0.3, steps[s], 2000);
            check_start(*solver, variant, 100, steps[s], 300);
        }
}

/* A model that does not know its steps: as many are thought to lie behind as are to come. */
static void test_unknown_steps_are_as_many_as_to_come(void **state)
{
    static const uint64_t iterations[] = {1, 2, 60, 1500};
    const int *solver = *state;

    for (int variant = 0; variant < VARIANTS; variant++)
        for (size_t k = 0; k < sizeof iterations / sizeof *iterations; k++)
            check_start(*solver, variant, 0.5, 0, iterations[k]);
}

/* As many as are to come, also where epochs say how many those are, rounded up. */
static void test_unknown_steps_follow_the_epochs(void **state)
{
    static const double epochs[] = {0.01, 1, 2.51, 7};
    const int *solver = *state;

    for (int variant = 0; variant < VARIANTS; variant++)
        for (size_t e = 0; e < sizeof epochs / sizeof *epochs; e++) {
            struct hinge_parameters parameters = variant_parameters(*solver, variant, 0);
            struct toy *toy = variant_toy(variant);
            struct hinge_model model = random_model(toy, 0.5, 0, e);
            double one[41] = {0}, other[41] = {0};

            parameters.epochs = epochs[e];
            parameters.initial = &model;
            solve(toy, &parameters, NULL, one);
            model.steps = ceil(epochs[e] * toy->problem.rows / parameters.batch);
            parameters.iterations = (uint64_t)model.steps;
            assert_int_equal(solve(toy, &parameters, NULL, other).passes, parameters.iterations);
            assert_memory_equal(one, other, sizeof one);
            free(model.weight);
            toy_free(toy);
        }
}

static enum hinge_answer stop_early(void *context, const struct hinge_progress *progress)
{
    const uint64_t *passes = context;

    return progress->passes >= *passes ? HINGE_INTERRUPT : HINGE_GO_ON;
}

/* A run that a monitor stops in between is a shorter one, and hears of the steps since its own
 * start. */
static void test_checkpoints_count_from_the_start(void **state)
{
    const int *solver = *state;

    for (int variant = 0; variant < VARIANTS; variant++) {
        struct hinge_parameters parameters = variant_parameters(*solver, variant, 100);
        struct toy *toy = variant_toy(variant);
        struct hinge_model model = random_model(toy, 0.5, 77, 1);
        uint64_t until = 40;
        const struct hinge_monitor monitor = {stop_early, &until, NULL};
        double stopped[41] = {0}, shorter[41] = {0};
        struct hinge_result result;

        parameters.initial = &model;
        parameters.checkpoint = 20;
        /* not the suffix or the random iterate, which know T */
        parameters.average = *solver == SGD_SUFFIX ? HINGE_AVERAGE_NONE : HINGE_AVERAGE_DEFAULT;
        result = solve(toy, &parameters, &monitor, stopped);
        assert_int_equal(result.outcome, HINGE_INTERRUPTED);
        assert_true(result.passes >= 40 && result.passes < 60);
        assert_int_equal(result.row_visits, result.passes * parameters.batch);
        parameters.iterations = result.passes;
        solve(toy, &parameters, NULL, shorter);
        assert_memory_equal(stopped, shorter, sizeof stopped);
        free(model.weight);
        toy_free(toy);
    }
}

/* Of the largest counts: t and t + 1 are told apart, and steps are taken. */
static void test_start_behind_very_many_steps(void **state)
{
    static const double steps[] = {1e15, 9007199254740992.0, 1e300};
    const int *solver = *state;

    for (size_t s = 0; s < 3; s++) {
        struct hinge_parameters parameters = variant_parameters(*solver, 0, 50);
        struct toy *toy = variant_toy(0);
        struct hinge_model model = random_model(toy, 0.5, steps[s], s);
        double w[41];

        parameters.initial = &model;
        assert_int_equal(solve(toy, &parameters, NULL, w).passes, 50);
        for (size_t j = 0; j < toy->width; j++)
            assert_true(fabs(w[j] - model.weight[j]) <= 1e-9);
        free(model.weight);
        toy_free(toy);
    }
}

/* ---- Wide problems ------------------------------------------------------ */

/* Moves the features of a toy apart, so that they fill no cache. */
static void spread(struct toy *toy, uint32_t factor)
{
    for (size_t e = 0; e < toy->data.x.nonzeros; e++)
        toy->index[e] *= factor;
    toy->data.features *= factor;
    toy->width = toy->data.features + (toy->problem.bias >= 0 ? 1u : 0u);
}

/* Wide problems take other ways: entries are asked for ahead, norms computed anew less often. */
static void test_width_changes_nothing(void **state)
{
    const int *solver = *state;
    enum { FACTOR = 1000 };

    for (int variant = 0; variant < VARIANTS; variant++) {
        struct hinge_parameters parameters = variant_parameters(*solver, variant, 500);
        struct toy *toy = variant_toy(variant);
        double *wide = zeros(40 * FACTOR + 1, sizeof *wide), narrow[41];
        size_t nonzeros;

        parameters.l1 = has_l1(*solver) ? 0.02 : 0;
        nonzeros = solve(toy, &parameters, NULL, narrow).nonzeros;
        spread(toy, FACTOR);
        assert_true(toy->width >= FETCH_WIDTH);
        assert_int_equal(solve(toy, &parameters, NULL, wide).nonzeros, nonzeros);
        for (size_t j = 0; j < 40 + (variant & 1 ? 1u : 0u); j++)
            assert_true(fabs(wide[j * FACTOR] - narrow[j]) <= 1e-12 * fabs(narrow[j]));
        free(wide);
        toy_free(toy);
    }
}

/* ---- Sums over a stretch ----------------------------------------------- */

static long double exact_growth(int quadratic, long double a, long double b)
{
    return quadratic ? (b - a) * (a + b + 1) : b - a;
}

/* catch_up from a to a + length against the sum of its terms. */
static void check_stretch(int quadratic, double u, double a, double length, double k)
{
    struct proximal proximal = {NULL, quadratic, 1, k};
    struct coordinate coordinate = {u, a, 0.25, 0};
    long double size = fabs(u), sum = 0, rest = size;

    for (long double t = a; t < a + length && rest > 0; t++) {
        sum += rest / t;
        rest = fmaxl(0, size - k * exact_growth(quadratic, a, t + 1));
    }
    rest = fmaxl(0, size - k * exact_growth(quadratic, a, (long double)a + length));
    coordinate.sum = 0;
    catch_up(&proximal, &coordinate, a + length);
    if (!(fabsl(fabsl(coordinate.sum) - sum) <= 1e-11L * sum))
        fail_msg("%s, u %.17g, a %.17g, length %.17g, K %.17g: the sum is %.17g, not %.17Lg",
                 quadratic ? "hrmd-w" : "comid", u, a, length, k, coordinate.sum, sum);
    if (!(fabsl(fabsl(coordinate.u) - rest) <= 1e-15L * size))
        fail_msg("%s, u %.17g, a %.17g, length %.17g, K %.17g: u becomes %.17g, not %.17Lg",
                 quadratic ? "hrmd-w" : "comid", u, a, length, k, coordinate.u, rest);
    assert_true(coordinate.time == a + length);
    assert_true(coordinate.sum == 0 || (coordinate.sum > 0) == (u > 0));
    assert_true(coordinate.u == 0 || (coordinate.u > 0) == (u > 0));
}

/* -x^2/2 + x^3/3 - .. for x < 1/2 */
static long double logarithm_series(long double x)
{
    long double sum = 0;

    for (int n = 60; n >= 2; n--)
        sum = (n % 2 ? 1.0L : -1.0L) / n + x * sum;
    return x * x * sum;
}

/* To the last bits where it is a series; else to those that the difference leaves. */
static void test_logarithm_keeps_its_bits(void **state)
{
    (void)state;
    for (double x = 1e-300; x < 0.5; x *= 1.01)
        if (x * x > DBL_MIN) {
            long double expected = logarithm_series(x);
            long double slack = x > 0.01 ? 4e-16L / x : 1e-15L;

            assert_true(fabsl(log1p_minus(x, log1p(x)) - expected) <= slack * -expected);
        }
    for (double x = 0.5; x < 1e15; x *= 1.1)
        assert_true(fabsl(log1p_minus(x, log1p(x)) - (log1pl(x) - x)) <= 1e-15L * x);
    assert_true(log1p_minus(0, 0) == 0);
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

static void test_no_stretch_changes_nothing(void **state)
{
    struct proximal proximal = {NULL, 1, 1, 0.5};
    struct coordinate resting = {0, 3, 7, 0}, current = {2, 9, 7, 0};

    (void)state;
    catch_up(&proximal, &resting, 1e9);
    assert_true(resting.u == 0 && resting.sum == 7 && resting.time == 1e9);
    catch_up(&proximal, &current, 9);
    assert_true(current.u == 2 && current.sum == 7 && current.time == 9);
}

/* ---- What Pegasos keeps ------------------------------------------------ */

static long double true_square(const double *v, size_t width)
{
    long double square = 0;

    for (size_t j = 0; j < width; j++)
        square += (long double)v[j] * v[j];
    return square;
}

/* Drives the copy of the engine. After each step |v|^2 is what it is said to be, and |w| within its
 * bound. The scale is taken into v every so many steps, if not 0; returns how often that was done
 * without being asked for. */
static int drive(const struct toy *toy, const struct hinge_parameters *parameters, int every,
                 double *w)
{
    struct solver_task task = task_for(toy, parameters, NULL);
    struct sgd sgd = {.scale = 1, .projected = 1};
    struct hinge_error error;
    struct run run;
    int absorbed = 0;

    assert_int_equal(run_new(&run, &task, &error), HINGE_OK);
    assert_int_equal(sgd_new(&sgd, &run, &error), HINGE_OK);
    while (run.t < run.end) {
        double before = sgd.scale;
        long double square, length;

        run.t++;
        for (uint32_t b = 0; b < run.k; b++)
            run.batch[b] = sampler_next(&run.sampler);
        sgd_step(&run, &sgd);
        absorbed += sgd.scale > before;
        if (every > 0 && fmod(run.t, every) == 0)
            fold(&run, &sgd);
        square = true_square(sgd.v, toy->width);
        length = sgd.scale * sqrtl(square / total_cost(toy));
        if (!(length <= 1 + 1e-12L))
            fail_msg("step %.0f: |w| is %.17Lg times its bound", run.t, length);
        if (!(fabsl(sgd.norm - square) <= 1e-12L * square))
            fail_msg("step %.0f: |v|^2 is %.17Lg, not %.17g", run.t, square, sgd.norm);
    }
    sgd_output(&run, &sgd, w);
    sgd_free(&sgd);
    run_free(&run);
    return absorbed;
}

static void test_norm_is_kept(void **state)
{
    (void)state;
    for (double C = 0.01; C < 1e7; C *= 100)
        for (int variant = 0; variant < VARIANTS; variant++) {
            struct hinge_parameters parameters = variant_parameters(PEGASOS, variant, 4000);
            struct draft draft = ordinary;
            double w[1000];
            struct toy *toy;

            draft.C = C;
            draft.features = variant < 4 ? 40 : 900;
            draft.bias = variant & 1 ? 1 : -1;
            draft.noise = variant & 2 ? 0.5 : 0.1;
            toy = toy_new(&draft);
            drive(toy, &parameters, 0, w);
            toy_free(toy);
        }
}

/* Two rows, the second almost the first, with opposite signs: in one batch their sum is as small as
 * eps, and what |v|^2 was in between is larger by far. */
static void test_norm_is_kept_where_rows_of_a_batch_cancel(void **state)
{
    struct draft draft = {2, 200, 0.9, 1e10, -1, 0, 0, 5};
    struct hinge_parameters parameters = parameters_for(PEGASOS, 200);
    struct toy *toy = toy_new(&draft);
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
    toy_free(toy);
}

/* A start that the first step takes back but for a few digits: what |v|^2 was before is larger by
 * far. */
static void test_norm_is_kept_where_a_step_cancels_the_start(void **state)
{
    struct draft draft = {1, 200, 0.9, 1e10, -1, 0, 0, 5};
    struct hinge_parameters parameters = parameters_for(PEGASOS, 200);
    struct toy *toy = toy_new(&draft);
    struct hinge_model model = random_model(toy, 0, 9, 1);
    double w[200];

    (void)state;
    for (size_t e = 0; e < toy->data.x.nonzeros; e++) /* (1 - 1/t) w = -y x/(sigma t), t = 10 */
        model.weight[toy->index[e]] =
            -toy->sign[0] * toy->value[e] * toy->cost[0] / 9 * (e == 0 ? 1 + 1e-4 : 1);
    parameters.initial = &model;
    drive(toy, &parameters, 0, w);
    free(model.weight);
    toy_free(toy);
}

/* A scale that is taken into v now and then, or has left the range of double many times. */
static void test_tiny_scale_changes_no_result(void **state)
{
    double plain[40], often[40], solved[40];

    (void)state;
    for (double C = 1; C < 1e6; C *= 1000) {
        struct hinge_parameters parameters = parameters_for(PEGASOS, 4000);
        struct draft draft = ordinary;
        struct toy *toy;
        struct path path;
        int absorbed;

        draft.C = C;
        toy = toy_new(&draft);
        absorbed = drive(toy, &parameters, 0, plain);
        assert_true(C < 1e3 || absorbed > 0);
        drive(toy, &parameters, 7, often);
        solve(toy, &parameters, NULL, solved);
        assert_memory_equal(plain, solved, sizeof plain);
        for (size_t j = 0; j < 40; j++)
            assert_true(fabs(often[j] - plain[j]) <= 1e-10 * fabs(plain[j]) + 1e-13 * sqrt(C));
        path = path_new(toy, &parameters);
        check_output(toy, &parameters, &path);
        free(path.w);
        toy_free(toy);
    }
}

/* C may be 1e-100 or 1e100, and then eta |x| is beyond the square root of the largest double. */
static void test_extreme_costs_agree(void **state)
{
    static const double costs[] = {1e-100, 1e100};
    const int *solver = *state;

    for (int c = 0; c < 2; c++)
        for (double scale = 1; scale < 1e4; scale *= 1000) {
            struct hinge_parameters parameters = parameters_for(*solver, 1000);
            struct draft draft = ordinary;
            struct toy *toy;

            draft.C = costs[c];
            toy = toy_new(&draft);
            for (size_t e = 0; e < toy->data.x.nonzeros; e++)
                toy->value[e] *= scale;
            for (size_t e = 0; e < draft.rows * toy->width; e++)
                toy->x[e] *= scale;
            free(check_outputs(toy, parameters).w);
            toy_free(toy);
        }
}

/* ---- What is reported -------------------------------------------------- */

static void test_result_is_that_of_w(void **state)
{
    double w[41];

    (void)state;
    for (int variant = 0; variant < VARIANTS; variant++)
        for (int s = 0; s < SOLVERS; s++) {
            struct hinge_parameters parameters = variant_parameters(solvers[s], variant, 777);
            struct toy *toy = variant_toy(variant);
            struct hinge_result result;
            long double primal;
            size_t nonzeros = 0;

            parameters.l1 = has_l1(solvers[s]) && variant % 3 ? 0.03 : 0;
            result = solve(toy, &parameters, NULL, w);
            primal = objective_of(toy, parameters.l1, w);
            for (size_t j = 0; j < toy->width; j++)
                nonzeros += w[j] != 0;
            assert_true(fabsl(result.primal - primal) <= 1e-13L * primal);
            assert_int_equal(result.nonzeros, nonzeros);
            assert_int_equal(result.outcome, HINGE_FINISHED);
            assert_int_equal(result.passes, 777);
            assert_int_equal(result.row_visits, 777 * parameters.batch);
            assert_int_equal(result.support_vectors, 0);
            assert_true(isnan(result.gap) && isnan(result.dual) && result.seconds >= 0);
            toy_free(toy);
        }
}

static void test_same_seed_same_bits_another_seed_others(void **state)
{
    double first[40], second[40];

    (void)state;
    for (int s = 0; s < SOLVERS; s++) {
        struct hinge_parameters parameters = parameters_for(solvers[s], 500);
        struct toy *toy = toy_new(&ordinary);

        solve(toy, &parameters, NULL, first);
        solve(toy, &parameters, NULL, second);
        assert_memory_equal(first, second, sizeof first);
        parameters.seed++;
        solve(toy, &parameters, NULL, second);
        assert_memory_not_equal(first, second, sizeof first);
        toy_free(toy);
    }
}

/* Which of w_1 .. w_4 comes back: over many seeds all equally often. */
static void test_random_iterate_is_uniform(void **state)
{
    struct toy *toy = toy_new(&ordinary);
    double chosen[40], w[40], chi = 0;
    int count[4] = {0};

    (void)state;
    for (uint64_t seed = 1; seed <= 2000; seed++) {
        struct hinge_parameters parameters = parameters_for(PEGASOS, 4);

        parameters.seed = seed;
        parameters.average = HINGE_AVERAGE_RANDOM;
        if (solve(toy, &parameters, NULL, chosen).nonzeros == 0)
            count[0]++;
        parameters.average = HINGE_AVERAGE_NONE;
        for (parameters.iterations = 1; parameters.iterations < 4; parameters.iterations++) {
            solve(toy, &parameters, NULL, w);
            count[parameters.iterations] += memcmp(chosen, w, sizeof w) == 0;
        }
    }
    assert_int_equal(count[0] + count[1] + count[2] + count[3], 2000);
    for (int c = 0; c < 4; c++)
        chi += pow(count[c] - 500, 2) / 500;
    assert_true(chi < 16); /* 3 degrees of freedom: one seed in a thousand */
    toy_free(toy);
}

/* ---- Checkpoints ------------------------------------------------------- */

enum { MOST_CALLS = 4096 };

/* Keeps all that a monitor was told; answers from some step on. */
struct recorder {
    enum hinge_answer answer;
    uint64_t from;
    size_t calls;
    struct hinge_progress seen[MOST_CALLS];
};

static enum hinge_answer record(void *context, const struct hinge_progress *progress)
{
    struct recorder *recorder = context;

    assert_true(recorder->calls < MOST_CALLS);
    recorder->seen[recorder->calls++] = *progress;
    return progress->passes >= recorder->from ? recorder->answer : HINGE_GO_ON;
}

/* Solves with a fresh recorder. */
static struct hinge_result solve_recorded(const struct toy *toy,
                                          const struct hinge_parameters *parameters,
                                          struct recorder *recorder, enum hinge_answer answer,
                                          uint64_t from, double *w)
{
    struct hinge_monitor monitor = {record, recorder, NULL};

    recorder->answer = answer;
    recorder->from = from;
    recorder->calls = 0;
    return solve(toy, parameters, &monitor, w);
}

/* An epoch ends with the step that completes m rows more. */
static int ends_epoch(const struct toy *toy, uint32_t k, uint64_t t)
{
    return t > 0 && t * k / toy->problem.rows > (t - 1) * k / toy->problem.rows;
}

static void check_call(const struct toy *toy, const struct hinge_progress *seen, uint32_t k)
{
    assert_int_equal(seen->row_visits, seen->passes * k);
    assert_true(seen->rows == toy->problem.rows && seen->active == toy->problem.rows);
    assert_true(seen->problem == 0 && seen->problems == 1 && seen->positive == 1);
    assert_int_equal(seen->features, toy->data.features);
    assert_true(isnan(seen->dual) && isnan(seen->gap));
    if (!seen->measured)
        assert_true(isnan(seen->primal) && seen->nonzeros == 0 && !seen->w);
}

/* The steps told are 0, the ends of epochs, the multiples of checkpoint, and the last. */
static void check_calls(const struct toy *toy, const struct hinge_parameters *parameters,
                        const struct recorder *recorder)
{
    size_t call = 0;

    for (uint64_t t = 0; t <= parameters->iterations; t++) {
        int due = t == 0 || t == parameters->iterations || ends_epoch(toy, parameters->batch, t) ||
                  (parameters->checkpoint > 0 && t % parameters->checkpoint == 0);

        assert_true(call < recorder->calls);
        assert_int_equal(due, recorder->seen[call].passes == t);
        for (; call < recorder->calls && recorder->seen[call].passes == t; call++) {
            check_call(toy, &recorder->seen[call], parameters->batch);
            assert_int_equal(recorder->seen[call].last, call + 1 == recorder->calls);
        }
    }
    assert_int_equal(call, recorder->calls);
    assert_int_equal(recorder->seen[call - 1].measured, 1);
}

static void test_checkpoints_come_when_due(void **state)
{
    static const uint64_t checkpoints[] = {0, 1, 7, 60, 100, 1000, UINT64_MAX};
    static const uint32_t batches[] = {1, 7, 60, 100};
    static struct recorder recorder;
    struct toy *toy = toy_new(&ordinary);
    struct hinge_model model = random_model(toy, 0.5, 77, 1);
    double w[40];

    (void)state;
    for (int s = 0; s < SOLVERS; s++)
        for (size_t c = 0; c < 7; c++)
            for (size_t b = 0; b < 8; b++) {
                struct hinge_parameters parameters = parameters_for(solvers[s], 333);
                struct hinge_result result;

                parameters.checkpoint = checkpoints[c];
                parameters.batch = batches[b % 4];
                parameters.initial = b < 4 ? NULL : &model;
                result = solve_recorded(toy, &parameters, &recorder, HINGE_GO_ON, 0, w);
                check_calls(toy, &parameters, &recorder);
                assert_true(recorder.seen[recorder.calls - 1].primal == result.primal);
            }
    free(model.weight);
    toy_free(toy);
}

/* Every measurement is one of the iterate that a run of so many steps would return. */
static void check_measurements(const struct toy *toy, struct hinge_parameters parameters,
                               const struct recorder *recorder)
{
    double w[40];

    for (size_t call = 0; call < recorder->calls; call++) {
        const struct hinge_progress *seen = &recorder->seen[call];

        if (!seen->measured || seen->passes == 0)
            continue;
        parameters.iterations = seen->passes;
        parameters.checkpoint = 0;
        assert_true(solve(toy, &parameters, NULL, w).primal == seen->primal);
    }
}

static void test_measuring_changes_no_bit(void **state)
{
    static struct recorder recorder;
    struct toy *toy = toy_new(&ordinary);
    double plain[40], measured[40];

    (void)state;
    for (int s = 0; s < SOLVERS; s++)
        for (int average = HINGE_AVERAGE_DEFAULT; average <= HINGE_AVERAGE_RANDOM; average++) {
            struct hinge_parameters parameters = variant_parameters(solvers[s], average, 500);
            struct hinge_result first, second;

            parameters.average = (enum hinge_average)average;
            if (average && !has_average(solvers[s], parameters.average))
                continue;
            parameters.l1 = has_l1(solvers[s]) ? 0.02 : 0;
            first = solve(toy, &parameters, NULL, plain);
            parameters.checkpoint = 1 + (uint64_t)s * 5;
            second = solve_recorded(toy, &parameters, &recorder, HINGE_MEASURE, 0, measured);
            second.seconds = first.seconds;
            assert_memory_equal(plain, measured, sizeof plain);
            assert_true(first.primal == second.primal && first.nonzeros == second.nonzeros);
            assert_int_equal(first.passes, second.passes);
            assert_true(recorder.calls > 2 * 500 / parameters.checkpoint);
            if (average != HINGE_AVERAGE_RANDOM && average != HINGE_AVERAGE_SUFFIX &&
                solvers[s] != SGD_SUFFIX)
                check_measurements(toy, parameters, &recorder);
        }
    toy_free(toy);
}

/* A run that is stopped returns what a run of so many steps does. */
static void test_stopped_run_is_a_shorter_one(void **state)
{
    static struct recorder recorder;
    struct toy *toy = toy_new(&ordinary);
    double stopped[40], shorter[40];

    (void)state;
    for (int s = 0; s < SOLVERS; s++)
        for (uint64_t from = 1; from < 200; from += 37) {
            enum hinge_answer answer = from % 2 ? HINGE_INTERRUPT : HINGE_OUT_OF_TIME;
            struct hinge_parameters parameters = variant_parameters(solvers[s], 2, 100000);
            struct hinge_result result;

            parameters.l1 = has_l1(solvers[s]) ? 0.01 : 0;
            result = solve_recorded(toy, &parameters, &recorder, answer, from, stopped);
            assert_int_equal(result.outcome, from % 2 ? HINGE_INTERRUPTED : HINGE_TIME_LIMIT);
            assert_true(result.passes >= from && ends_epoch(toy, 7, result.passes));
            assert_true(result.passes < from + 9 && recorder.seen[recorder.calls - 1].last);
            parameters.iterations = result.passes;
            if (solvers[s] == SGD_SUFFIX) /* the suffix has not begun: the iterate itself */
                parameters.average = HINGE_AVERAGE_NONE;
            assert_true(solve(toy, &parameters, NULL, shorter).primal == result.primal);
            assert_memory_equal(stopped, shorter, sizeof stopped);
        }
    toy_free(toy);
}

/* 2^53 steps, or epochs that would be more, and a monitor that stops before the first or after
 * some. */
static void test_very_many_steps_do_not_overflow(void **state)
{
    static struct recorder recorder;
    struct toy *toy = toy_new(&ordinary);
    double w[40];

    (void)state;
    for (int s = 0; s < SOLVERS; s++)
        for (int n = 0; n < 24; n++) {
            struct hinge_parameters parameters =
                parameters_for(solvers[s], n & 1 ? 0 : (UINT64_C(1) << 53) - (n & 4 ? 1 : 0));
            struct hinge_result result;

            parameters.epochs = n & 4 ? DBL_MAX : 1e30;
            parameters.average = (enum hinge_average)(n / 4);
            if (n / 4 && !has_average(solvers[s], parameters.average))
                continue;
            parameters.batch = n < 12 ? 1 : 1u << 20;
            parameters.checkpoint = n & 8 ? UINT64_MAX : 0;
            result = solve_recorded(toy, &parameters, &recorder, HINGE_INTERRUPT, n & 2, w);
            assert_int_equal(result.outcome, HINGE_INTERRUPTED);
            assert_int_equal(result.passes, n & 2 ? (n < 12 ? 60 : 2) : 0);
            assert_int_equal(result.row_visits, result.passes * parameters.batch);
            for (size_t j = 0; j < toy->width; j++)
                assert_true(n & 2 ? fabs(w[j]) <= DBL_MAX : w[j] == 0);
        }
    toy_free(toy);
}

static void test_epochs_are_rounded_up_to_steps(void **state)
{
    static const struct {
        double epochs;
        uint32_t k;
        uint64_t steps;
    } cases[] = {{1, 1, 60},    {20, 1, 1200},    {0.5, 1, 30},          {0.51, 1, 31}, {1, 7, 9},
                 {2, 7, 18},    {0.001, 1, 1},    {DBL_MIN, 1, 1},       {1, 60, 1},    {1, 61, 1},
                 {1.02, 60, 2}, {1, 1u << 20, 1}, {100000, 1u << 20, 6}, {7, 7, 60}};
    struct toy *toy = toy_new(&ordinary);
    double w[40];

    (void)state;
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++)
        for (int s = 0; s < SOLVERS; s++) {
            struct hinge_parameters parameters = parameters_for(solvers[s], 0);

            parameters.epochs = cases[c].epochs;
            parameters.batch = cases[c].k;
            assert_int_equal(solve(toy, &parameters, NULL, w).passes, cases[c].steps);
        }
    toy_free(toy);
}

static void test_problem_without_rows(void **state)
{
    static struct recorder recorder;
    struct toy *toy = toy_new(&ordinary);

    (void)state;
    for (int variant = 0; variant < VARIANTS; variant++)
        for (int s = 0; s < SOLVERS; s++) {
            struct hinge_parameters parameters =
                variant_parameters(solvers[s], variant, variant & 1 ? 100 : 0);
            struct hinge_result result;
            double w[40];

            parameters.l1 = has_l1(solvers[s]) ? 0.1 : 0;
            parameters.eps = variant & 2 ? 0.1 : 0;
            toy->problem.rows = 0;
            result = solve_recorded(toy, &parameters, &recorder, HINGE_MEASURE, 0, w);
            assert_int_equal(result.outcome, HINGE_FINISHED);
            assert_true(result.primal == 0 && result.nonzeros == 0 && result.passes == 0);
            assert_true(recorder.calls > 0 && recorder.seen[recorder.calls - 1].last);
            for (size_t j = 0; j < toy->width; j++)
                assert_true(w[j] == 0);
        }
    toy_free(toy);
}

/* ---- The rule of eps --------------------------------------------------- */

/* The step at which the rule holds for the first time, by the measurements: the first end of an
 * epoch but one that improves the objective by less than eps; T if there is none. */
static uint64_t first_settled(const struct toy *toy, const struct hinge_parameters *parameters,
                              const struct recorder *recorder)
{
    double before = HUGE_VAL;

    for (size_t call = 0; call < recorder->calls; call++) {
        const struct hinge_progress *seen = &recorder->seen[call];

        if (!seen->measured || !ends_epoch(toy, parameters->batch, seen->passes))
            continue;
        if (before < HUGE_VAL && (before - seen->primal) / before < parameters->eps)
            return seen->passes;
        before = seen->primal;
        while (call + 1 < recorder->calls && recorder->seen[call + 1].passes == seen->passes)
            call++;
    }
    return parameters->iterations;
}

static void test_eps_ends_the_first_epoch_that_settles(void **state)
{
    static const double eps[] = {0.5, 0.1, 0.01, 1e-3, 1e-4};
    static struct recorder recorder;
    struct toy *toy = toy_new(&ordinary);
    struct hinge_model model = random_model(toy, 0.5, 77, 1);
    double plain[40], measured[40];
    int early = 0, late = 0;

    (void)state;
    for (int s = 0; s < SOLVERS; s++)
        for (int variant = 0; variant < VARIANTS; variant++)
            for (size_t n = 0; n < 5; n++) {
                struct hinge_parameters parameters = variant_parameters(solvers[s], variant, 6000);
                struct hinge_result result;
                uint64_t expected;

                parameters.checkpoint = variant & 4 ? 11 : 0;
                parameters.initial = variant & 1 ? &model : NULL;
                solve_recorded(toy, &parameters, &recorder, HINGE_MEASURE, 0, measured);
                parameters.eps = eps[n];
                expected = first_settled(toy, &parameters, &recorder);
                result = solve(toy, &parameters, NULL, plain);
                assert_int_equal(result.passes, expected);
                assert_int_equal(result.outcome, HINGE_FINISHED);
                solve_recorded(toy, &parameters, &recorder, HINGE_MEASURE, 0, measured);
                assert_memory_equal(plain, measured, sizeof plain);
                assert_int_equal(recorder.seen[recorder.calls - 1].passes, expected);
                early += expected < 600;
                late += expected > 600;
            }
    assert_true(early > 20 && late > 5);
    free(model.weight);
    toy_free(toy);
}

/* ---- Convergence ------------------------------------------------------- */

/* Means over ten seeds of (P(w) - P*)/P*, given the bounds of P* that the dual certifies. */
static double mean_excess(const struct toy *toy, struct hinge_parameters parameters,
                          const struct hinge_result *optimum)
{
    double w[20], sum = 0;

    for (parameters.seed = 1; parameters.seed <= 10; parameters.seed++) {
        double primal = solve(toy, &parameters, NULL, w).primal;

        assert_true(primal >= -optimum->dual * (1 - 1e-12));
        sum += (primal - optimum->primal) / optimum->primal / 10;
    }
    return sum;
}

static struct hinge_result certified_optimum(const struct toy *toy)
{
    struct hinge_parameters parameters = hinge_parameters_default();
    struct hinge_result result;
    double w[20];

    parameters.solver = 3;
    parameters.gap = 1e-9;
    result = solve(toy, &parameters, NULL, w);
    assert_int_equal(result.outcome, HINGE_CERTIFIED);
    return result;
}

static const struct draft larger = {300, 20, 0.9, 0.2, -1, 0, 0.05, 21};

static void test_objective_falls_to_the_optimum(void **state)
{
    struct toy *toy = toy_new(&larger);
    struct hinge_result optimum = certified_optimum(toy);

    (void)state;
    for (int s = 0; s < SOLVERS; s++) {
        double before = HUGE_VAL;

        for (uint64_t steps = 1000; steps <= 100000; steps *= 10) {
            double factor = solvers[s] == SGD_W || solvers[s] == HRMD_W ? 3 : 1;
            double excess = mean_excess(toy, parameters_for(solvers[s], steps), &optimum);

            print_message("solver %d, T %6lu: excess %.3g\n", solvers[s], (unsigned long)steps,
                          excess);
            assert_true(excess < before / factor);
            before = excess;
        }
        assert_true(before < 0.01);
    }
    toy_free(toy);
}

/* The point of the papers' weights: the first iterates are far away, and should not count. */
static void test_weighted_average_ends_below_uniform(void **state)
{
    static const int pairs[][4] = {
        {SGD, HINGE_AVERAGE_WEIGHTED, SGD, HINGE_AVERAGE_UNIFORM},
        {SGD_W, HINGE_AVERAGE_WEIGHTED, SGD_W, HINGE_AVERAGE_UNIFORM},
        {SGD_W, HINGE_AVERAGE_WEIGHTED, SGD, HINGE_AVERAGE_UNIFORM},
        {SGD_SUFFIX, HINGE_AVERAGE_SUFFIX, SGD, HINGE_AVERAGE_UNIFORM},
        {PEGASOS, HINGE_AVERAGE_WEIGHTED, PEGASOS, HINGE_AVERAGE_UNIFORM},
        {HRMD_W, HINGE_AVERAGE_WEIGHTED, COMID, HINGE_AVERAGE_UNIFORM}};
    struct toy *toy = toy_new(&larger);
    struct hinge_result optimum = certified_optimum(toy);

    (void)state;
    for (size_t p = 0; p < sizeof pairs / sizeof *pairs; p++) {
        double excess[2];

        for (int side = 0; side < 2; side++) {
            struct hinge_parameters parameters = parameters_for(pairs[p][2 * side], 30000);

            parameters.average = (enum hinge_average)pairs[p][2 * side + 1];
            excess[side] = mean_excess(toy, parameters, &optimum);
        }
        print_message("solver %d average %d: %.3g; solver %d average %d: %.3g\n", pairs[p][0],
                      pairs[p][1], excess[0], pairs[p][2], pairs[p][3], excess[1]);
        assert_true(excess[0] < excess[1]);
    }
    toy_free(toy);
}

/* ---- Sampling ---------------------------------------------------------- */

static struct sampler sampler_for(const struct toy *toy, enum hinge_sampling sampling,
                                  uint64_t seed)
{
    struct sampler sampler;
    struct hinge_error error;

    assert_int_equal(sampler_new(&sampler, &toy->problem, sampling, seed, &error), HINGE_OK);
    return sampler;
}

/* Pearson's statistic of counts that should all be alike. */
static double chi_square(const uint32_t *count, size_t cells)
{
    double total = 0, chi = 0;

    for (size_t c = 0; c < cells; c++)
        total += count[c];
    for (size_t c = 0; c < cells; c++)
        chi += pow(count[c] - total / (double)cells, 2) / (total / (double)cells);
    return chi;
}

/* Rows, and pairs of rows that follow each other, are equally frequent, and not more equally than
 * chance has it: within five standard deviations of chi-square's mean. */
static void test_iid_rows_and_pairs_are_uniform(void **state)
{
    struct draft draft = {23, 2, 1, 1, -1, 0, 0, 31};
    struct toy *toy = toy_new(&draft);

    (void)state;
    for (uint64_t seed = 0; seed < 5; seed++) {
        struct sampler sampler = sampler_for(toy, HINGE_IID, seed);
        static uint32_t single[23], pair[23 * 23];
        uint32_t before = sampler_next(&sampler);

        memset(single, 0, sizeof single);
        memset(pair, 0, sizeof pair);
        for (int n = 0; n < 100000; n++) {
            uint32_t row = sampler_next(&sampler);

            assert_true(row < 23);
            single[row]++;
            pair[before * 23 + row]++;
            before = row;
        }
        assert_true(fabs(chi_square(single, 23) - 22) < 5 * sqrt(2 * 22));
        assert_true(fabs(chi_square(pair, 23 * 23) - 528) < 5 * sqrt(2 * 528));
        sampler_free(&sampler);
    }
    toy_free(toy);
}

static void test_permutations_visit_each_row_once(void **state)
{
    (void)state;
    for (uint32_t rows = 1; rows <= 70; rows += rows < 40 ? 1 : 10) {
        struct draft draft = {rows, 2, 1, 1, -1, 0, 0, rows};
        struct toy *toy = toy_new(&draft);
        struct sampler sampler = sampler_for(toy, HINGE_PERMUTE, rows);
        uint32_t before[70] = {0}, same = 0;

        for (int epoch = 0; epoch < 50; epoch++) {
            uint32_t now[70], visits[70] = {0};

            for (uint32_t n = 0; n < rows; n++)
                visits[now[n] = sampler_next(&sampler)]++;
            for (uint32_t i = 0; i < rows; i++)
                assert_int_equal(visits[i], 1);
            same += epoch > 0 && memcmp(now, before, rows * sizeof *now) == 0;
            memcpy(before, now, sizeof before);
        }
        assert_true(rows < 7 || same == 0);
        sampler_free(&sampler);
        toy_free(toy);
    }
}

/* The next order of 5 rows, as a number of base 5. */
static uint32_t next_order(struct sampler *sampler)
{
    uint32_t code = 0;

    for (int n = 0; n < 5; n++)
        code = 5 * code + sampler_next(sampler);
    return code;
}

/* All 120 orders of 5 rows have come, and equally often. */
static void check_orders(uint32_t count[3125])
{
    uint32_t orders = 0;

    for (uint32_t code = 0; code < 3125; code++)
        if (count[code] > 0)
            count[orders++] = count[code];
    assert_int_equal(orders, 120);
    assert_true(fabs(chi_square(count, 120) - 119) < 5 * sqrt(2 * 119));
}

/* From epoch to epoch, and, what shuffling a shuffled order would hide, the first ones. */
static void test_permutations_are_uniform(void **state)
{
    static uint32_t later[3125], first[3125];
    struct draft draft = {5, 2, 1, 1, -1, 0, 0, 33};
    struct toy *toy = toy_new(&draft);
    struct sampler sampler = sampler_for(toy, HINGE_PERMUTE, 1);

    (void)state;
    for (int epoch = 0; epoch < 60000; epoch++)
        later[next_order(&sampler)]++;
    sampler_free(&sampler);
    for (uint64_t seed = 0; seed < 60000; seed++) {
        sampler = sampler_for(toy, HINGE_PERMUTE, seed);
        first[next_order(&sampler)]++;
        sampler_free(&sampler);
    }
    check_orders(later);
    check_orders(first);
    toy_free(toy);
}

/* ---- Parameters -------------------------------------------------------- */

static void check_refused(const struct hinge_parameters *parameters, const char *field)
{
    struct hinge_error error = {HINGE_OK, ""};
    size_t length = strlen(field);

    assert_int_equal(hinge_parameters_check(parameters, &error), HINGE_BAD_ARGUMENT);
    assert_int_equal(error.status, HINGE_BAD_ARGUMENT);
    if (strncmp(error.message, field, length) != 0 || error.message[length] != ':')
        fail_msg("\"%s\" does not name %s", error.message, field);
}

static void check_accepted(const struct hinge_parameters *parameters)
{
    struct hinge_error error = {HINGE_OK, ""};

    if (hinge_parameters_check(parameters, &error) != HINGE_OK)
        fail_msg("refused: %s", error.message);
}

/* Sets a field of a copy of good and expects its name in the refusal. */
#define REFUSED(good, field, ...)                                                                  \
    do {                                                                                           \
        struct hinge_parameters bad = (good);                                                      \
        bad.field = __VA_ARGS__;                                                                   \
        check_refused(&bad, #field);                                                               \
    } while (0)

#define ACCEPTED(good, field, ...)                                                                 \
    do {                                                                                           \
        struct hinge_parameters other = (good);                                                    \
        other.field = __VA_ARGS__;                                                                 \
        check_accepted(&other);                                                                    \
    } while (0)

static void test_numbers_out_of_range_are_named(void **state)
{
    const double wrong[] = {-1, -DBL_MIN, NAN, INFINITY, -INFINITY};

    (void)state;
    for (int s = 0; s < SOLVERS; s++) {
        struct hinge_parameters good = parameters_for(solvers[s], 0);

        for (size_t n = 0; n < 5; n++) {
            REFUSED(good, l1, wrong[n]);
            REFUSED(good, epochs, wrong[n]);
            REFUSED(good, suffix, wrong[n]);
            REFUSED(good, eps, wrong[n]);
        }
        REFUSED(good, l1, 1.01e100);
        REFUSED(good, epochs, 0);
        REFUSED(good, suffix, 0);
        REFUSED(good, suffix, 1 + DBL_EPSILON);
        REFUSED(good, batch, 0);
        REFUSED(good, batch, (1u << 20) + 1);
        REFUSED(good, batch, UINT32_MAX);
        REFUSED(good, iterations, (UINT64_C(1) << 53) + 1);
        REFUSED(good, iterations, UINT64_MAX);
    }
}

static void test_numbers_at_the_ends_are_accepted(void **state)
{
    (void)state;
    for (int s = 0; s < SOLVERS; s++) {
        struct hinge_parameters good = parameters_for(solvers[s], 0);

        check_accepted(&good);
        ACCEPTED(good, batch, 1u << 20);
        ACCEPTED(good, iterations, UINT64_C(1) << 53);
        ACCEPTED(good, checkpoint, UINT64_MAX);
        ACCEPTED(good, epochs, DBL_MIN);
        ACCEPTED(good, epochs, DBL_MAX);
        ACCEPTED(good, suffix, DBL_MIN);
        ACCEPTED(good, suffix, 1);
        ACCEPTED(good, gap, 0); /* no rule of theirs */
        ACCEPTED(good, sampling, HINGE_PERMUTE);
        if (has_l1(solvers[s])) {
            ACCEPTED(good, l1, DBL_MIN);
            ACCEPTED(good, l1, 1e100);
        } else {
            REFUSED(good, l1, DBL_MIN);
            REFUSED(good, l1, 1e100);
        }
    }
}

/* The averages each solver has, as the README's table lists them. */
static void test_averages_are_those_of_the_table(void **state)
{
    static const char *const table[SOLVERS] = {"ndu w r", "nduw", "nduw", "nds", "ndu", "ndw"};
    static const char letter[] = "dnuwsr"; /* in the order of enum hinge_average */

    (void)state;
    for (int s = 0; s < SOLVERS; s++)
        for (int average = HINGE_AVERAGE_DEFAULT; average <= HINGE_AVERAGE_RANDOM; average++) {
            struct hinge_parameters good = parameters_for(solvers[s], 0);

            if (strchr(table[s], letter[average]))
                ACCEPTED(good, average, (enum hinge_average)average);
            else
                REFUSED(good, average, (enum hinge_average)average);
        }
}

/* Numbers that are no enumerator; 33 and 34 are none modulo 32. */
static void test_unknown_choices_are_named(void **state)
{
    static const unsigned unknown[] = {6, 31, 32, 33, 34, 35, 64, 65, 1000, 0x7fffffff};

    (void)state;
    for (int s = 0; s < SOLVERS; s++) {
        struct hinge_parameters good = parameters_for(solvers[s], 0);

        REFUSED(good, sampling, (enum hinge_sampling)2);
        for (size_t u = 0; u < sizeof unknown / sizeof *unknown; u++) {
            REFUSED(good, sampling, (enum hinge_sampling)unknown[u]);
            REFUSED(good, average, (enum hinge_average)unknown[u]);
        }
    }
}

/* ---- The cost of a step ------------------------------------------------ */

#ifndef SANITIZED
/* Rows of 50 non-zeros, spread over all features. */
static struct toy *wide_toy(uint32_t features)
{
    enum { ROWS = 20000, COUNT = 50 };
    struct draft draft = {ROWS, 0, 0, 1e-3, -1, 0, 0.5, 41};
    struct toy *toy = toy_new(&draft);
    uint64_t random = 42;

    toy->width = toy->data.features = features;
    toy->data.x.nonzeros = (size_t)ROWS * COUNT;
    toy->index = realloc(toy->index, toy->data.x.nonzeros * sizeof *toy->index);
    toy->value = realloc(toy->value, toy->data.x.nonzeros * sizeof *toy->value);
    assert_true(toy->index && toy->value);
    toy->data.x.index = toy->index;
    toy->data.x.value = toy->value;
    for (uint32_t i = 0; i < ROWS; i++) {
        toy->data.x.start[i + 1] = (i + 1) * (size_t)COUNT;
        for (uint32_t e = 0; e < COUNT; e++) {
            uint32_t span = features / COUNT;

            toy->index[i * COUNT + e] = e * span + (uint32_t)(random_unit(&random) * span);
            toy->value[i * COUNT + e] = random_unit(&random) - 0.5;
        }
    }
    return toy;
}

/* Processor seconds of 200,000 steps. */
static double seconds_of(int solver, uint32_t features)
{
    struct hinge_parameters parameters = parameters_for(solver, 200000);
    struct toy *toy = wide_toy(features);
    double *w = zeros(toy->width, sizeof *w);
    clock_t start = clock();
    double seconds;

    parameters.l1 = has_l1(solver) ? 1e-4 : 0;
    assert_int_equal(solve(toy, &parameters, NULL, w).passes, 200000);
    seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
    free(w);
    toy_free(toy);
    return seconds;
}
#endif

/* Prints what a step costs with 1e3 and with 1e6 features; a cost of order n would make that a
 * factor of 1000, the processor's caches make it a small one. Time is not a thing to assert. */
static void test_cost_of_a_step(void **state)
{
    (void)state;
#ifdef SANITIZED
    skip();
#else
    for (int s = 0; s < SOLVERS; s++) {
        double narrow, wide;

        if (solvers[s] == SGD || solvers[s] == SGD_SUFFIX)
            continue;
        narrow = seconds_of(solvers[s], 1000);
        wide = seconds_of(solvers[s], 1000000);
        print_message("%s: 2e5 steps in %.2f s with 1e3 features, %.2f s with 1e6: ratio %.1f\n",
                      hinge_solver_find(solvers[s])->name, narrow, wide, wide / narrow);
    }
#endif
}

/* A test of one solver, by its place in solvers. */
#define OF_SOLVER(test, s)                                                                         \
    {                                                                                              \
#test "(solvers[" #s "])", test, NULL, NULL, (void *)&solvers[s]                           \
    }
#define OF_EACH_SOLVER(test)                                                                       \
    OF_SOLVER(test, 0), OF_SOLVER(test, 1), OF_SOLVER(test, 2), OF_SOLVER(test, 3),                \
        OF_SOLVER(test, 4), OF_SOLVER(test, 5)

int main(void)
{
    const struct CMUnitTest tests[] = {
        OF_EACH_SOLVER(test_dense_loop_agrees),
        OF_SOLVER(test_dense_loop_agrees_with_l1, 4),
        OF_SOLVER(test_dense_loop_agrees_with_l1, 5),
        cmocka_unit_test(test_l1_makes_the_same_zeros),
        cmocka_unit_test(test_averages_survive_projections),
        cmocka_unit_test(test_small_shapes_agree),
        OF_EACH_SOLVER(test_short_runs_agree),
        OF_EACH_SOLVER(test_dense_loop_agrees_from_a_model),
        OF_EACH_SOLVER(test_unknown_steps_are_as_many_as_to_come),
        OF_EACH_SOLVER(test_unknown_steps_follow_the_epochs),
        OF_EACH_SOLVER(test_checkpoints_count_from_the_start),
        OF_EACH_SOLVER(test_start_behind_very_many_steps),
        OF_EACH_SOLVER(test_width_changes_nothing),
        cmocka_unit_test(test_logarithm_keeps_its_bits),
        cmocka_unit_test(test_stretches_from_any_time),
        cmocka_unit_test(test_stretches_where_the_closed_form_begins),
        cmocka_unit_test(test_stretches_late_in_a_long_run),
        cmocka_unit_test(test_no_stretch_changes_nothing),
        cmocka_unit_test(test_norm_is_kept),
        cmocka_unit_test(test_norm_is_kept_where_rows_of_a_batch_cancel),
        cmocka_unit_test(test_norm_is_kept_where_a_step_cancels_the_start),
        cmocka_unit_test(test_tiny_scale_changes_no_result),
        OF_EACH_SOLVER(test_extreme_costs_agree),
        cmocka_unit_test(test_result_is_that_of_w),
        cmocka_unit_test(test_same_seed_same_bits_another_seed_others),
        cmocka_unit_test(test_random_iterate_is_uniform),
        cmocka_unit_test(test_checkpoints_come_when_due),
        cmocka_unit_test(test_measuring_changes_no_bit),
        cmocka_unit_test(test_stopped_run_is_a_shorter_one),
        cmocka_unit_test(test_very_many_steps_do_not_overflow),
        cmocka_unit_test(test_epochs_are_rounded_up_to_steps),
        cmocka_unit_test(test_problem_without_rows),
        cmocka_unit_test(test_eps_ends_the_first_epoch_that_settles),
        cmocka_unit_test(test_objective_falls_to_the_optimum),
        cmocka_unit_test(test_weighted_average_ends_below_uniform),
        cmocka_unit_test(test_iid_rows_and_pairs_are_uniform),
        cmocka_unit_test(test_permutations_visit_each_row_once),
        cmocka_unit_test(test_permutations_are_uniform),
        cmocka_unit_test(test_numbers_out_of_range_are_named),
        cmocka_unit_test(test_numbers_at_the_ends_are_accepted),
        cmocka_unit_test(test_averages_are_those_of_the_table),
        cmocka_unit_test(test_cost_of_a_step),
        cmocka_unit_test(test_unknown_choices_are_named),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
