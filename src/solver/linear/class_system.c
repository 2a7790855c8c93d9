/* class_system.c - (I + sum_i C_i (diag(p_i) - p_i p_i') (x) x_i x_i') p = r by preconditioned
 * conjugate gradients.
 *
 * A product is a pass over the rows, in which each takes the margins d of the direction to
 * C_i (diag(p_i) - p_i p_i') d. The preconditioner is the diagonal of H, or, once steps have cost
 * as much as these, its blocks for each class, which know how features depend on each other. A
 * number added to every feature, which free biases can make good for, would make either that of the
 * number alone: with them it is that of H in the unknowns (w_m, b_m + <mean_m, w_m>), mean_m being
 * that of x_i with the weights C_i p_im (1 - p_im).
 */
#include "solver/linear/class_system.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/parallel.h"
#include "problem/softmax.h"
#include "solver/loop/cost.h"

/* ---- Setting up --------------------------------------------------------- */

void class_system_lay_out(struct class_system *to, struct arena *arena,
                          const struct problem *problem)
{
    const size_t width = problem_width(problem), k = problem->classes;

    to->diagonal = arena_take(arena, width, sizeof *to->diagonal);
    class_blocks_lay_out(&to->blocks, arena, problem);
    cg_lay_out(&to->cg, arena, width);
    if (problem->bias_kind != BIAS_FREE)
        return;
    to->mean = arena_take(arena, width, sizeof *to->mean);
    to->right = arena_take(arena, k, sizeof *to->right);
    to->correction = arena_take(arena, k, sizeof *to->correction);
}

/* C p_m (1 - p_m) */
static inline double weight_of(const struct class_system *system, uint32_t i, size_t m)
{
    const double cost = system->problem->cost[i];
    const double size = fabs(system->alpha[i * system->problem->classes + m]);

    return size / cost * (cost - size);
}

static void weights_of(const struct class_system *system, uint32_t i, double *weight)
{
    for (size_t m = 0; m < system->problem->classes; m++)
        weight[m] = weight_of(system, i, m);
}

static void add_diagonal(void *context, const struct shard *shard)
{
    const struct class_system *system = context;
    const struct problem *problem = system->problem;
    const size_t k = problem->classes;
    double *const weight = shard->room;

    for (uint32_t i = shard->first; i < shard->end; i++) {
        const struct sparse x = problem_row(problem, i);

        weights_of(system, i, weight);
        for (size_t e = 0; e < x.count; e++)
            add_multiple(k, value_at(&x, e) * value_at(&x, e), weight,
                         shard->vector + index_at(&x, e) * k);
        if (problem->bias_kind != BIAS_NONE)
            add_multiple(k, problem->bias * problem->bias, weight,
                         shard->vector + problem->data->features * k);
    }
}

static void add_weighted(void *context, const struct shard *shard)
{
    const struct class_system *system = context;
    double *const weight = shard->room;

    for (uint32_t i = shard->first; i < shard->end; i++) {
        const struct sparse x = problem_row(system->problem, i);

        weights_of(system, i, weight);
        problem_add_outer(system->problem, &x, weight, shard->vector);
    }
}

/* The means, and from sum weight x^2 the sum of squares of what features are away from them. A
 * class that no row may be of has no weights. */
static void find_means(struct class_system *system)
{
    const size_t k = system->problem->classes, penalised = system->penalised;
    const double bias = system->problem->bias;
    double *const sum = system->mean + penalised, total = 0;

    memset(system->mean, 0, system->width * sizeof *system->mean);
    sums_run(system->shards, all_rows(system->problem), add_weighted, system, NULL, system->mean);
    for (size_t m = 0; m < k; m++)
        total += sum[m] /= bias;
    for (size_t m = 0; m < k; m++)
        sum[m] = fmax(sum[m], DBL_EPSILON * total + DBL_MIN);
    for (size_t j = 0; j < penalised; j += k)
        for (size_t m = 0; m < k; m++) {
            const double of = system->mean[j + m];

            system->mean[j + m] = of / sum[m];
            system->diagonal[j + m] = fmax(1, system->diagonal[j + m] - of * (of / sum[m]));
        }
}

void class_system_form(struct class_system *system)
{
    for (size_t j = 0; j < system->width; j++)
        system->diagonal[j] = j < system->penalised;
    sums_run(system->shards, all_rows(system->problem), add_diagonal, system, NULL,
             system->diagonal);
    if (system->mean)
        find_means(system);
    system->is_present = 0;
}

/* ---- The blocks --------------------------------------------------------- */

static uint32_t list_weights(const void *context, size_t m, uint32_t *row, double *weight)
{
    const struct class_system *system = context;
    uint32_t count = 0;

    for (uint32_t i = 0; i < system->problem->rows; i++) {
        row[count] = i;
        weight[count] = weight_of(system, i, m);
        count += weight[count] > 0;
    }
    return count;
}

/* Forms the blocks where steps have cost as much as they do. */
static enum preconditioner prepare(void *context)
{
    struct class_system *system = context;
    const struct class_weights weights = {list_weights, system, system->mean};
    const double order = (double)system->blocks.order;
    const double price = cost_of_class_blocks(system->problem, order);

    if (order == 0 || system->is_present)
        return UNCHANGED;
    system->spent += cost_of_class_step(system->problem, system->has_blocks ? order : 0);
    if (system->spent <= price)
        return UNCHANGED;
    system->has_blocks = system->is_present =
        class_blocks_form(&system->blocks, system->problem, &weights,
                          parallel_threads_for(system->shards->threads, price), &system->cg.stop);
    system->spent = 0;
    return system->has_blocks ? RENEWED : STOPPED;
}

/* ---- Solving ------------------------------------------------------------ */

struct class_product {
    const struct class_system *system;
    const double *p;
};

static void add_product(void *context, const struct shard *shard)
{
    const struct class_product *product = context;
    const struct class_system *system = product->system;
    const struct problem *problem = system->problem;
    const size_t k = problem->classes;
    double *const d = shard->room;

    for (uint32_t i = shard->first, count; i < shard->end; i += count) {
        count = shard->end - i < ROWS_TOGETHER ? shard->end - i : ROWS_TOGETHER;
        problem_rows_dots(problem, i, count, product->p, d);
        for (uint32_t row = 0; row < count; row++)
            softmax_curvature(k, problem->cost[i + row], problem->class_of[i + row],
                              system->alpha + (i + row) * k, d + row * k);
        problem_rows_add_outer(problem, i, count, d, shard->vector);
    }
}

static void multiply(void *context, const double *p, double *result)
{
    const struct class_system *system = context;
    struct class_product product = {system, p};

    for (size_t j = 0; j < system->width; j++)
        result[j] = j < system->penalised ? p[j] : 0;
    sums_run(system->shards, all_rows(system->problem), add_product, &product, NULL, result);
}

static void precondition(void *context, const double *r, double *result)
{
    const struct class_system *system = context;
    const size_t k = system->problem->classes, penalised = system->penalised;
    const double bias = system->problem->bias, *const mean = system->mean;

    memcpy(result, r, system->width * sizeof *r);
    for (size_t j = 0; j < penalised && mean; j += k)
        for (size_t m = 0; m < k; m++)
            result[j + m] -= mean[j + m] * (r[penalised + m] / bias);
    if (system->has_blocks)
        class_blocks_solve(&system->blocks, result);
    for (size_t j = 0; j < penalised && !system->has_blocks; j++)
        result[j] /= system->diagonal[j];
    for (size_t m = 0; m < k && mean; m++)
        result[penalised + m] /= bias * mean[penalised + m];
    for (size_t j = 0; j < penalised && mean; j += k)
        for (size_t m = 0; m < k; m++)
            result[penalised + m] -= mean[j + m] * result[j + m];
    for (size_t m = 0; m < k && mean; m++)
        result[penalised + m] /= bias;
    problem_centre(system->problem, result);
}

void class_system_begin(struct class_system *system, const struct problem *problem,
                        const struct shards *shards, const double *alpha, struct stop stop)
{
    system->problem = problem;
    system->shards = shards;
    system->alpha = alpha;
    system->width = problem_width(problem);
    system->penalised = problem_penalised(problem);
    system->cg.context = system;
    system->cg.multiply = multiply;
    system->cg.precondition = precondition;
    system->cg.prepare = prepare;
    system->cg.stop = stop;
    system->has_blocks = system->is_present = 0;
    system->spent = 0;
}

void class_system_solve(struct class_system *system, const double *r, double *p, double tolerance,
                        unsigned most)
{
    cg_solve(&system->cg, system->width, r, p, tolerance, most);
    problem_centre(system->problem, p);
}

/* ---- Free biases -------------------------------------------------------- */

/* Adds how alpha falls where the margins change: of all rows alike, by p, or if that is NULL by
 * change. */
struct shift {
    const struct class_system *system;
    const double *p;
    const double *change;
};

static void add_shift(void *context, const struct shard *shard)
{
    const struct shift *shift = context;
    const struct problem *problem = shift->system->problem;
    const size_t k = problem->classes;
    double *const d = shard->room;

    for (uint32_t i = shard->first; i < shard->end; i++) {
        const double *alpha = shift->system->alpha + i * k;

        memcpy(d, shift->p ? shift->p : shift->change + i * k, k * sizeof *d);
        softmax_curvature(k, problem->cost[i], problem->class_of[i], alpha, d);
        for (size_t m = 0; m < k; m++)
            shard->vector[m] += d[m] - (shift->p ? 0 : alpha[m]);
    }
}

/* result[classes] := the sums over the rows */
static void sum_shifts(const struct class_system *system, const double *p, const double *change,
                       double *result)
{
    struct shift shift = {system, p, change};
    struct shards shards = *system->shards;

    shards.length = system->problem->classes;
    memset(result, 0, shards.length * sizeof *result);
    sums_run(&shards, all_rows(system->problem), add_shift, &shift, NULL, result);
}

static void multiply_biases(void *context, const double *p, double *result)
{
    sum_shifts(context, p, NULL, result);
}

static void precondition_biases(void *context, const double *r, double *result)
{
    const struct class_system *system = context;
    const size_t k = system->problem->classes;

    for (size_t m = 0; m < k; m++)
        result[m] = r[m] / system->mean[system->penalised + m];
    centre_line(k, result);
}

void class_system_settle(struct class_system *system, double *step, double *change)
{
    static const double TOLERANCE = 1e-12;
    const size_t k = system->problem->classes;
    struct cg biases = system->cg;

    biases.multiply = multiply_biases;
    biases.precondition = precondition_biases;
    biases.prepare = NULL;
    sum_shifts(system, NULL, change, system->right);
    centre_line(k, system->right); /* what is the same for all is rounding */
    cg_solve(&biases, k, system->right, system->correction, TOLERANCE, 4 * (unsigned)k);
    for (size_t m = 0; m < k; m++)
        step[system->penalised + m] -= system->correction[m] / system->problem->bias;
    for (uint32_t i = 0; i < system->problem->rows; i++)
        for (size_t m = 0; m < k; m++)
            change[i * k + m] -= system->correction[m];
}
