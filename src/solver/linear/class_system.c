/* class_system.c - (R + sum_i B_i (x) x_i x_i') p = r by preconditioned conjugate gradients.
 *
 * A product with H is a pass over the rows, which turns the margins d of the direction into B_i d.
 * For Crammer and Singer's hinge, it visits only the free rows and their members.
 *
 * The preconditioner has the block of H for each class separately. A block holds how features
 * depend on each other, and leaves out how classes do. For softmax, the diagonal of H serves until
 * the steps have cost as much as the blocks. For Crammer and Singer's hinge with many features,
 * there is no preconditioner: H differs from I only in the span of few rows, and with its diagonal
 * a solution took more steps.
 *
 * Free biases compensate a number that is added to every feature, but this number would dominate
 * the blocks and the diagonal. So the preconditioner is that of H in the unknowns
 * (w_m, b_m + <mean_m, w_m>). mean_m is the mean of x_i with the weights C_i p_im (1 - p_im).
 */
#include "solver/linear/class_system.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/parallel.h"
#include "problem/class_loss.h"
#include "solver/linear/cholesky.h"
#include "solver/linear/cost.h"

/* ---- The curvature of rows ----------------------------------------------- */

/* Returns C p_m (1 - p_m) for row i. */
static inline double softmax_weight(const struct class_system *system, uint32_t i, size_t m)
{
    const double cost = system->problem->cost[i];
    const double size = fabs(system->alpha[i * system->problem->classes + m]);

    return size / cost * (cost - size);
}

struct class_product {
    const struct class_system *system;
    const double *p;
};

static void add_softmax_product(void *context, const struct shard *shard)
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

static void add_singer_product(void *context, const struct shard *shard)
{
    const struct class_product *product = context;
    const struct class_system *system = product->system;
    double *const d = shard->room;

    for (uint32_t s = shard->first; s < shard->end; s++) {
        const struct sparse x = problem_row(system->problem, system->row[s]);
        const uint32_t *member = system->member + system->first[s];
        const size_t members = system->first[s + 1] - system->first[s];
        double mean = 0;

        problem_dots_of(system->problem, &x, product->p, members, member, d);
        for (size_t u = 0; u < members; u++)
            mean += d[u] / (double)members;
        for (size_t u = 0; u < members; u++)
            d[u] = (d[u] - mean) * system->scale;
        problem_add_outer_of(system->problem, &x, members, member, d, shard->vector);
    }
}

/* Sets result := H p. */
static void multiply(void *context, const double *p, double *result)
{
    const struct class_system *system = context;
    const int is_softmax = loss_is_smooth(system->problem->loss);
    const struct selection rows =
        is_softmax ? all_rows(system->problem) : (struct selection){system->row, system->free};
    struct class_product product = {system, p};

    for (size_t j = 0; j < system->width; j++)
        result[j] = j < system->penalised ? p[j] : 0;
    sums_run(system->shards, rows, is_softmax ? add_softmax_product : add_singer_product, &product,
             NULL, result);
}

/* ---- Forming ------------------------------------------------------------- */

static void add_diagonal(void *context, const struct shard *shard)
{
    const struct class_system *system = context;
    const struct problem *problem = system->problem;
    const size_t k = problem->classes;
    double *const weight = shard->room;

    for (uint32_t i = shard->first; i < shard->end; i++) {
        const struct sparse x = problem_row(problem, i);

        for (size_t m = 0; m < k; m++)
            weight[m] = softmax_weight(system, i, m);
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

        for (size_t m = 0; m < system->problem->classes; m++)
            weight[m] = softmax_weight(system, i, m);
        problem_add_outer(system->problem, &x, weight, shard->vector);
    }
}

/* Lists the rows with two members or more, and their members. */
static void list_members(struct class_system *system, struct selection rows)
{
    const struct problem *problem = system->problem;
    const size_t k = problem->classes;
    size_t end = 0;

    system->free = 0;
    for (uint32_t s = 0; s < rows.count; s++) {
        const uint32_t i = selected(&rows, s);
        const double *alpha = system->alpha + i * k;
        const size_t first = end;

        for (size_t m = 0; m < k; m++) {
            system->member[end] = (uint32_t)m;
            end += singer_share(problem->cost[i], problem->class_of[i], alpha, m) > 0;
        }
        system->row[system->free] = i;
        system->first[system->free] = first;
        system->free += end > first + 1;
        end = end > first + 1 ? end : first;
    }
    system->first[system->free] = end;
}

void class_system_form(struct class_system *system, const struct problem *problem,
                       struct selection rows, const double *alpha, double scale)
{
    const size_t k = problem->classes, penalised = system->penalised;
    double *const mean = system->mean, *const sum = mean ? mean + penalised : NULL, total = 0;

    system->problem = problem;
    system->alpha = alpha;
    system->is_present = 0;
    if (!loss_is_smooth(problem->loss)) {
        system->scale = scale;
        list_members(system, rows);
        return;
    }
    for (size_t j = 0; j < system->width; j++)
        system->diagonal[j] = j < penalised;
    sums_run(system->shards, all_rows(problem), add_diagonal, system, NULL, system->diagonal);
    if (!mean)
        return;
    /* The means turn sums of squares on the diagonal into sums of squared distances from the means.
     * The weights of a class are 0 if its p_im are all 0 or 1. */
    memset(mean, 0, system->width * sizeof *mean);
    sums_run(system->shards, all_rows(problem), add_weighted, system, NULL, mean);
    for (size_t m = 0; m < k; m++)
        total += sum[m] /= problem->bias;
    for (size_t m = 0; m < k; m++)
        sum[m] = fmax(sum[m], DBL_EPSILON * total + DBL_MIN);
    for (size_t j = 0; j < penalised; j += k)
        for (size_t m = 0; m < k; m++) {
            const double of = mean[j + m];

            mean[j + m] = of / sum[m];
            system->diagonal[j + m] = fmax(1, system->diagonal[j + m] - of * (of / sum[m]));
        }
}

/* ---- The blocks ---------------------------------------------------------- */

struct forming {
    const struct class_system *system;
    uint32_t *row;  /* [threads rows] */
    double *weight; /* [threads rows] */
};

/* Forms and factors the block of class m, from the rows whose B_i has a positive diagonal entry for
 * m. */
static void form_block(void *context, size_t m, unsigned thread)
{
    const struct forming *forming = context;
    const struct class_system *system = forming->system;
    const struct stop *stop = &system->cg.stop;
    const double *mean = system->mean;
    const size_t k = system->problem->classes, order = system->order;
    const size_t rows = system->problem->rows;
    uint32_t *const row = forming->row + thread * rows, count = 0;
    double *const weight = forming->weight + thread * rows;
    const struct shards one = {.rows = (uint32_t)rows, .count = 1, .length = order * order};
    double *const matrix = system->factor + m * order * order;
    struct problem column = *system->problem; /* the problem of one output */

    for (uint32_t i = 0; i < rows && loss_is_smooth(system->problem->loss); i++) {
        row[count] = i;
        weight[count] = softmax_weight(system, i, m);
        count += weight[count] > 0;
    }
    for (uint32_t s = 0; s < system->free; s++) {
        const size_t first = system->first[s], end = system->first[s + 1];

        for (size_t u = first; u < end; u++)
            if (system->member[u] == m) {
                row[count] = system->row[s];
                weight[count++] = (1 - 1 / (double)(end - first)) * system->scale;
            }
    }
    column.classes = 0;
    if (column.bias_kind == BIAS_FREE)
        column.bias_kind = BIAS_NONE;
    memset(matrix, 0, order * order * sizeof *matrix);
    sums_outer(&one, &column, (struct selection){row, count}, weight, stop, matrix);
    for (size_t i = 0; mean && i < order; i++)
        for (size_t j = i; j < order; j++)
            matrix[i * order + j] -= mean[order * k + m] * mean[i * k + m] * mean[j * k + m];
    system->is_factored[m] = cholesky_factor(matrix, order, stop) != 0;
}

/* Forms the blocks. For softmax, waits until the steps have cost as much as the blocks. */
static enum preconditioner prepare(void *context)
{
    struct class_system *system = context;
    const size_t k = system->problem->classes, rows = system->problem->rows;
    const double price =
        (double)k * cost_of_primal_factor(1, (double)system->order, system->problem->rows,
                                          problem_nonzeros(system->problem));
    struct forming alone = {system, system->block_row, system->block_weight};
    struct forming forming = {system, NULL, NULL};
    struct hinge_error ignored; /* without memory for several threads, one forms the blocks */
    unsigned threads;

    if (system->order == 0 || system->is_present)
        return UNCHANGED;
    if (loss_is_smooth(system->problem->loss)) {
        const size_t order = system->has_blocks ? system->order : 0;

        system->spent += cost_of_class_step(system->problem, (double)order);
        if (system->spent <= price)
            return UNCHANGED;
    }
    threads = parallel_threads_for(system->shards->threads, price);
    if (threads > 1) {
        forming.row = array_new(rows, threads * sizeof *forming.row, &ignored);
        forming.weight = array_new(rows, threads * sizeof *forming.weight, &ignored);
    }
    if (forming.row && forming.weight)
        parallel_run(threads, k, form_block, NULL, &forming);
    else
        parallel_run(1, k, form_block, NULL, &alone);
    free(forming.row);
    free(forming.weight);
    system->has_blocks = 1;
    for (size_t m = 0; m < k; m++)
        system->has_blocks &= system->is_factored[m];
    system->is_present = system->has_blocks;
    system->spent = 0;
    return system->has_blocks ? RENEWED : STOPPED;
}

/* ---- Solving ------------------------------------------------------------- */

static void precondition(void *context, const double *r, double *result)
{
    const struct class_system *system = context;
    const size_t k = system->problem->classes, order = system->order;
    const size_t penalised = system->penalised;
    const double bias = system->problem->bias, *const mean = system->mean;

    memcpy(result, r, system->width * sizeof *r);
    for (size_t j = 0; j < penalised && mean; j += k)
        for (size_t m = 0; m < k; m++)
            result[j + m] -= mean[j + m] * (r[penalised + m] / bias);
    for (size_t m = 0; m < k && system->has_blocks; m++) {
        for (size_t j = 0; j < order; j++)
            system->part[j] = result[j * k + m];
        cholesky_solve(system->factor + m * order * order, order, system->part);
        for (size_t j = 0; j < order; j++)
            result[j * k + m] = system->part[j];
    }
    for (size_t j = 0; j < penalised && !system->has_blocks && system->diagonal; j++)
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

void class_system_solve(struct class_system *system, const double *r, double *p, double tolerance,
                        unsigned most)
{
    cg_solve(&system->cg, system->width, r, p, tolerance, most);
    problem_centre(system->problem, p);
}

/* ---- Free biases --------------------------------------------------------- */

/* Context of sum B_i p or, if p is NULL, sum (B_i change_i - alpha_i). If margins change by d,
 * alpha_i falls by B_i d to first order. */
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

/* Sets result[classes] to the sum of struct shift over the rows. */
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
    centre_line(k, system->right); /* a part that is equal in all classes is rounding */
    cg_solve(&biases, k, system->right, system->correction, TOLERANCE, 4 * (unsigned)k);
    for (size_t m = 0; m < k; m++)
        step[system->penalised + m] -= system->correction[m] / system->problem->bias;
    for (uint32_t i = 0; i < system->problem->rows; i++)
        for (size_t m = 0; m < k; m++)
            change[i * k + m] -= system->correction[m];
}

/* ---- Setting up ---------------------------------------------------------- */

size_t class_system_order(const struct problem *problem)
{
    enum { MOST = 2048 };
    static const double MOST_NUMBERS = 2e7; /* 160 MB */
    const size_t k = problem->classes, order = problem_penalised(problem) / k;

    return order <= MOST && (double)(order * order) * (double)k <= MOST_NUMBERS ? order : 0;
}

void class_system_lay_out(struct class_system *to, struct arena *arena,
                          const struct problem *problem)
{
    const size_t width = problem_width(problem), k = problem->classes, rows = problem->rows;
    const size_t order = class_system_order(problem);

    to->order = order;
    to->factor = arena_take(arena, k * order * order, sizeof *to->factor);
    to->part = arena_take(arena, order, sizeof *to->part);
    to->block_row = arena_take(arena, rows, sizeof *to->block_row);
    to->block_weight = arena_take(arena, rows, sizeof *to->block_weight);
    to->is_factored = arena_take(arena, k, sizeof *to->is_factored);
    cg_lay_out(&to->cg, arena, width);
    if (loss_is_smooth(problem->loss)) {
        to->diagonal = arena_take(arena, width, sizeof *to->diagonal);
    } else {
        to->row = arena_take(arena, rows + (size_t)1, sizeof *to->row);
        to->first = arena_take(arena, rows + (size_t)1, sizeof *to->first);
        to->member = arena_take(arena, problem_duals(problem) + 1, sizeof *to->member);
    }
    if (problem->bias_kind != BIAS_FREE)
        return;
    to->mean = arena_take(arena, width, sizeof *to->mean);
    to->right = arena_take(arena, k, sizeof *to->right);
    to->correction = arena_take(arena, k, sizeof *to->correction);
}

void class_system_begin(struct class_system *system, const struct problem *problem,
                        const struct shards *shards, struct stop stop)
{
    system->problem = problem;
    system->shards = shards;
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
