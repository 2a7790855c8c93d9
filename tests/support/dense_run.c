/* dense_run.c - the formulas as the papers have them: every step moves every coordinate. */
#include "dense_run.h"

#include <math.h>
#include <stdlib.h>

#include "base/random.h"

const int solvers[SOLVERS] = {PEGASOS, SGD, SGD_W, SGD_SUFFIX, COMID, HRMD_W};

int has_l1(int solver)
{
    return solver == COMID || solver == HRMD_W;
}

int has_average(int solver, enum hinge_average average)
{
    return (int)(hinge_solver_find(solver)->averages >> average & 1);
}

void *zeros(size_t count, size_t size)
{
    void *array = calloc(count + 1, size);

    assert_non_null(array);
    return array;
}

/* ---- Random problems --------------------------------------------------- */

const struct dense_draft ordinary_draft = {60, 40, 0.9, 1, -1, 0, 0.1, 1};

/* Draws the entries of the dataset, real-valued so that no margin is exactly 1. */
static void draw_data(struct dense_problem *toy, const struct dense_draft *draft, uint64_t *state)
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

/* Draws the view's rows in any order, some perhaps twice, and fills the table. */
static void draw_view(struct dense_problem *toy, const struct dense_draft *draft, uint64_t *state)
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

struct dense_problem *dense_problem_new(const struct dense_draft *draft)
{
    struct dense_problem *toy = zeros(1, sizeof *toy);
    uint64_t state = draft->seed * UINT64_C(0x9e3779b97f4a7c15);

    draw_data(toy, draft, &state);
    toy->width = draft->features + (draft->bias >= 0 ? 1u : 0u);
    toy->row = zeros(draft->rows, sizeof *toy->row);
    toy->sign = zeros(draft->rows, sizeof *toy->sign);
    toy->cost = zeros(draft->rows, sizeof *toy->cost);
    toy->x = zeros(draft->rows * toy->width, sizeof *toy->x);
    toy->problem = (struct problem){.data = &toy->data,
                                    .rows = draft->rows,
                                    .row = toy->row,
                                    .sign = toy->sign,
                                    .cost = toy->cost,
                                    .loss = LOSS_HINGE,
                                    .bias_kind = draft->bias < 0 ? BIAS_NONE : BIAS_REGULARISED,
                                    .bias = draft->bias};
    draw_view(toy, draft, &state);
    return toy;
}

void dense_problem_free(struct dense_problem *toy)
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

long double total_cost(const struct dense_problem *toy)
{
    long double total = 0;

    for (uint32_t i = 0; i < toy->problem.rows; i++)
        total += toy->cost[i];
    return total;
}

/* ---- Solving ----------------------------------------------------------- */

struct hinge_parameters dense_parameters(int solver, uint64_t iterations)
{
    struct hinge_parameters parameters = parameters_default();

    parameters.solver = solver;
    parameters.iterations = iterations;
    return parameters;
}

struct problem dense_problem_of(const struct dense_problem *toy,
                                const struct hinge_parameters *parameters)
{
    struct problem problem = toy->problem;
    double total = 0;

    for (uint32_t i = 0; i < problem.rows; i++)
        total += problem.cost[i];
    problem.l1 = parameters->l1 * total;
    return problem;
}

struct hinge_result dense_solve(const struct dense_problem *toy,
                                const struct hinge_parameters *parameters,
                                const struct hinge_monitor *monitor, double *w)
{
    const struct problem problem = dense_problem_of(toy, parameters);
    struct hinge_error error = {HINGE_OK, ""};
    struct task task = {.problem = &problem,
                        .solver = solver_find(parameters->solver),
                        .parameters = parameters,
                        .monitor = monitor,
                        .problems = 1,
                        .positive = 1,
                        .start = parameters->initial ? parameters->initial->weight : NULL,
                        .alpha = zeros(problem.rows, sizeof *task.alpha),
                        .w = w,
                        .workspace = workspace_new(&error)};
    struct hinge_result result;

    for (size_t j = 0; j < toy->width; j++)
        w[j] = NAN;
    assert_non_null(task.workspace);
    assert_int_equal(hinge_parameters_check(parameters, &error), HINGE_OK);
    assert_int_equal(solver_train(&task, &result, &error), HINGE_OK);
    workspace_free(task.workspace);
    free(task.alpha);
    return result;
}

long double objective_of(const struct dense_problem *toy, double l1, const double *w)
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

const long double *iterate_at(const struct dense_run *run, uint64_t n)
{
    return run->w + (n - 1) * run->width;
}

/* g_t = -1/k sum over the rows with z < 1 of v_i y_i x_i,  v_i = m C_i / sum C */
static void gradient_at(const struct dense_problem *toy, const uint32_t *batch, uint32_t k,
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

/* Computes w_{t+1} from w_t by the table of stochastic solvers in hinge-algorithms(7). */
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

/* Returns the steps that the initial model has taken, or the steps of this run if it does not say.
 * Returns 0 without an initial model. */
static long double steps_before(const struct hinge_parameters *parameters)
{
    if (!parameters->initial)
        return 0;
    return parameters->initial->steps > 0 ? parameters->initial->steps
                                          : (long double)parameters->iterations;
}

void *sampler_new(struct sampler *sampler, const struct dense_problem *toy,
                  enum hinge_sampling sampling, uint64_t seed)
{
    struct arena arena = {NULL, 0, 0};
    struct hinge_error error;
    void *block;

    sampler_lay_out(sampler, &arena, &toy->problem, sampling);
    assert_non_null(block = arena_new(&arena, &error));
    sampler_lay_out(sampler, &arena, &toy->problem, sampling);
    sampler_begin(sampler, seed);
    return block;
}

struct dense_run dense_run_new(const struct dense_problem *toy,
                               const struct hinge_parameters *parameters)
{
    struct dense_run run = {
        parameters->iterations, steps_before(parameters), toy->width, NULL, HUGE_VALL, 0};
    struct random_state random = {parameters->seed};
    uint32_t k = parameters->batch, *batch = zeros(k, sizeof *batch);
    long double *g = zeros(toy->width, sizeof *g);
    struct sampler sampler;
    void *block;

    run.unit = (double)(random_next(&random) >> 11) / 9007199254740992.0;
    block = sampler_new(&sampler, toy, parameters->sampling, random_next(&random));
    run.w = zeros((run.steps + 1) * run.width, sizeof *run.w);
    for (size_t j = 0; j < run.width && parameters->initial; j++)
        run.w[j] = parameters->initial->weight[j];
    for (uint64_t n = 1; n <= run.steps; n++) {
        for (uint32_t b = 0; b < k; b++)
            batch[b] = sampler_next(&sampler);
        gradient_at(toy, batch, k, iterate_at(&run, n), g, &run.closest);
        dense_step(parameters, 1 / total_cost(toy), run.begin + n, toy->width, iterate_at(&run, n),
                   g, run.w + n * run.width);
    }
    free(block);
    free(batch);
    free(g);
    return run;
}

/* Returns the default output of a solver. */
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

/* Returns the weight of the n-th iterate, n = 1 .. T + 1, in the output of a run. */
static long double weight_of(const struct dense_run *run, const struct hinge_parameters *parameters,
                             uint64_t n)
{
    double share = floor(parameters->suffix * (double)run->steps);
    uint64_t suffix = share < 1 ? 1 : (uint64_t)share;
    uint64_t chosen = 1 + (uint64_t)(run->unit * (double)run->steps);

    switch (parameters->average == HINGE_AVERAGE_DEFAULT ? default_average(parameters->solver)
                                                         : parameters->average) {
    case HINGE_AVERAGE_UNIFORM:
        return n <= run->steps;
    case HINGE_AVERAGE_WEIGHTED:
        return n <= run->steps ? run->begin + n + (parameters->solver == HRMD_W) : 0;
    case HINGE_AVERAGE_SUFFIX:
        return n <= run->steps && n > run->steps - suffix;
    case HINGE_AVERAGE_RANDOM:
        return n == chosen;
    default:
        return n == run->steps + 1;
    }
}

static void output_of(const struct dense_run *run, const struct hinge_parameters *parameters,
                      long double *w)
{
    long double total = 0;

    for (size_t j = 0; j < run->width; j++)
        w[j] = 0;
    for (uint64_t n = 1; n <= run->steps + 1; n++) {
        long double weight = weight_of(run, parameters, n);

        total += weight;
        for (size_t j = 0; j < run->width && weight != 0; j++)
            w[j] += weight * iterate_at(run, n)[j];
    }
    for (size_t j = 0; j < run->width; j++)
        w[j] /= total;
}

void check_output(const struct dense_problem *toy, const struct hinge_parameters *parameters,
                  const struct dense_run *run)
{
    long double *expected = zeros(toy->width, sizeof *expected), largest = 0;
    double *w = zeros(toy->width, sizeof *w);

    output_of(run, parameters, expected);
    dense_solve(toy, parameters, NULL, w);
    for (size_t j = 0; j < toy->width; j++)
        largest =
            fmaxl(largest, fmaxl(fabsl(expected[j]), fabsl(iterate_at(run, run->steps + 1)[j])));
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

struct dense_run check_outputs(const struct dense_problem *toy, struct hinge_parameters parameters)
{
    static const double shares[] = {0.5, 1, 0.1, 0.37, 1e-9};
    struct dense_run run = dense_run_new(toy, &parameters);

    assert_true(run.closest > 1e-10L); /* else rounding may decide another way */
    for (int average = HINGE_AVERAGE_DEFAULT; average <= HINGE_AVERAGE_RANDOM; average++) {
        parameters.average = (enum hinge_average)average;
        if (average != HINGE_AVERAGE_DEFAULT && !has_average(parameters.solver, parameters.average))
            continue;
        for (size_t s = 0; s < (average == HINGE_AVERAGE_SUFFIX ? 5 : 1); s++) {
            parameters.suffix = shares[s];
            check_output(toy, &parameters, &run);
        }
    }
    return run;
}

size_t zeros_at_end(const struct dense_run *run)
{
    size_t count = 0;

    for (size_t j = 0; j < run->width; j++)
        count += iterate_at(run, run->steps + 1)[j] == 0;
    return count;
}

struct dense_problem *variant_toy(int variant)
{
    struct dense_draft draft = ordinary_draft;

    draft.bias = variant & 1 ? 1 : -1;
    draft.seed = (uint64_t)variant + 1;
    return dense_problem_new(&draft);
}

struct hinge_parameters variant_parameters(int solver, int variant, uint64_t iterations)
{
    struct hinge_parameters parameters = dense_parameters(solver, iterations);

    parameters.batch = variant & 2 ? 7 : 1;
    parameters.sampling = variant & 4 ? HINGE_PERMUTE : HINGE_IID;
    parameters.seed = (uint64_t)(100 * solver + variant);
    return parameters;
}

struct hinge_model random_model(const struct dense_problem *toy, double size, double steps,
                                uint64_t seed)
{
    struct hinge_model model = {.classes = 2, .columns = 1, .steps = steps};
    uint64_t random = UINT64_C(0x9e3779b97f4a7c15) * (seed + 1);

    model.weight = zeros(toy->width, sizeof *model.weight);
    for (size_t j = 0; j < toy->width; j++)
        model.weight[j] = random_unit(&random) < 0.8 ? size * (2 * random_unit(&random) - 1) : 0;
    return model;
}
