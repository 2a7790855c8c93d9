/* dual_system.c - (Q + diag(ridge)) p = r by preconditioned conjugate gradients over rows.
 *
 * A product Q p is two passes over the rows: v = sum p_i y_i x_i, then y_i <v, x_i>. The
 * preconditioner is a Cholesky factor of the matrix over rows chosen earlier, restricted to those
 * still chosen. For other rows, it is the diagonal. The factor is in single precision, because half
 * the size is read in half the time. Conjugate gradients correct its errors.
 *
 * If few rows have come and gone, few steps are enough. Otherwise, even many steps are not. So a
 * new factor is made as soon as the steps have cost a quarter of its price.
 *
 * The products X X' are formed anew from columns of X. Keeping products for the next factor, as
 * row_factor.c does, takes longer here: farm-ads, C = 256, 1.3 times as long with the hinge and 1.5
 * times with its square.
 */
#include "solver/linear/dual_system.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/elementary.h"
#include "data/transpose.h"
#include "problem/gram.h"
#include "solver/linear/cg.h"
#include "solver/linear/cholesky.h"
#include "solver/linear/cost.h"

static const uint32_t NOT_CHOSEN = UINT32_MAX;

struct dual_system {
    void *block; /* the memory of all arrays */
    const struct problem *problem;
    const struct shards *shards;
    size_t width;
    struct selection rows; /* the chosen rows */
    const double *ridge;   /* [rows of the problem] */
    size_t nonzeros;       /* non-zeros of the chosen rows */
    uint32_t *place;       /* [rows of the problem] place in rows, or NOT_CHOSEN */
    double *inverse;       /* [rows.count] 1 over the diagonal */
    double *combination;   /* [width] sum p_i y_i x_i */
    struct cg cg;
    double spent;       /* cost of all solutions */
    double steps_cost;  /* cost of the steps since the factor was made */
    double factor_cost; /* cost of a new factor; infinite: this solution makes no more factors */

    size_t capacity; /* largest order of a factor */
    size_t order;    /* order of the factor; 0: there is none */
    float *factor;   /* [capacity^2] factor of I + D Q D over the factored rows, D = ridge^(-1/2) */
    uint32_t *factored; /* [capacity] the factored rows */
    double *root;       /* [capacity] diagonal of D */
    float *reduced;     /* [capacity] a vector over the factored rows */
    int is_dense;       /* rows have no indices: GRAM_LINES lines of X X' are formed together */
    double *lines;      /* [GRAM_LINES capacity], or [capacity] for one line */
    uint32_t *data_row; /* [capacity] the factored rows, as rows of the dataset */
    size_t *first;      /* [features] first entry of each column that is not used yet */
    struct hinge_matrix *transpose; /* transpose of the factored rows */
};

/* ---- The factor -------------------------------------------------------- */

/* Adds lines s .. end - 1 of X X', of `order` entries each, to system->lines. Returns the number of
 * products. If rows have every feature, each entry is a sum over all columns of X. Otherwise, the
 * one line s is a sum of columns, whose entries of the rows before s are used up. The entries left
 * in a column are those of rows s, s + 1, ... */
static double add_lines(struct dual_system *system, size_t s, size_t end, size_t order)
{
    const size_t features = system->problem->data->features;
    const struct sparse x = problem_row(system->problem, system->factored[s]);
    struct gram_rows columns = {.count = 0};
    double products = 0;

    for (size_t j = 0; j < features && system->is_dense; j++) {
        columns.x[columns.count] = sparse_row(system->transpose, j);
        columns.weight[columns.count++] = 1;
        if (columns.count == GRAM_ROWS || j + 1 == features) {
            gram_add_lines(&columns, s, system->lines, order);
            columns.count = 0;
        }
    }
    if (system->is_dense)
        return (double)features * (double)(end - s) * ((double)(order - s + order - end + 1) / 2);
    for (size_t k = 0; k < x.count; k++) {
        const uint32_t j = index_at(&x, k);
        const size_t first = system->first[j]++;
        const struct sparse column =
            sparse_slice(system->transpose, j, first, system->transpose->start[j + 1]);

        sparse_add(&column, value_at(&x, k), system->lines);
        products += (double)column.count;
    }
    return products;
}

/* Makes a factor over the chosen rows. If stopped, there is no factor. */
static void make_factor(struct dual_system *system)
{
    const struct problem *problem = system->problem;
    const double constant = problem_constant(problem);
    const size_t order = system->rows.count, most = system->is_dense ? GRAM_LINES : 1;
    double products = 0;

    for (uint32_t s = 0; s < order; s++) {
        const uint32_t i = selected(&system->rows, s);

        system->factored[s] = i;
        system->data_row[s] = problem->row[i];
        system->root[s] = 1 / sqrt(system->ridge[i]);
    }
    transpose_fill(system->transpose, problem->data, system->data_row, (uint32_t)order);
    memcpy(system->first, system->transpose->start,
           problem->data->features * sizeof *system->first);
    for (size_t first = 0, end; first < order; first = end) {
        end = order - first < most ? order : first + most;
        if (stop_is_asked(&system->cg.stop))
            break;
        for (size_t k = 0; k < (end - first) * order; k++)
            system->lines[k] = constant * constant;
        products += add_lines(system, first, end, order);
        for (size_t s = first; s < end; s++) {
            const double root = system->root[s] * problem->sign[system->factored[s]];
            const double *line = system->lines + (s - first) * order;

            for (size_t t = s; t < order; t++)
                system->factor[s * order + t] =
                    (float)(root * system->root[t] * problem->sign[system->factored[t]] * line[t]);
        }
    }
    system->order = single_cholesky_factor(system->factor, order, &system->cg.stop) ? order : 0;
    system->spent += COST_OF_TRANSPOSED * (double)system->nonzeros + COST_OF_PRODUCT * products +
                     cost_of_dual_factor((double)order);
    system->steps_cost = 0;
}

/* ---- Solving ----------------------------------------------------------- */

/* Sets product := (Q + diag(ridge)) p. */
static void multiply(void *context, const double *p, double *product)
{
    const struct dual_system *system = context;

    memset(system->combination, 0, system->width * sizeof *system->combination);
    sums_combine(system->shards, system->problem, system->rows, p, 1, system->combination);
    sums_margins(system->shards, system->problem, system->rows, system->combination, product);
    for (uint32_t s = 0; s < system->rows.count; s++)
        product[s] += system->ridge[selected(&system->rows, s)] * p[s];
}

static void precondition(void *context, const double *r, double *result)
{
    const struct dual_system *system = context;

    for (uint32_t s = 0; s < system->rows.count; s++)
        result[s] = system->inverse[s] * r[s];
    for (size_t k = 0; k < system->order; k++) {
        const uint32_t s = system->place[system->factored[k]];

        system->reduced[k] = s == NOT_CHOSEN ? 0 : (float)(system->root[k] * r[s]);
    }
    single_cholesky_solve(system->factor, system->order, system->reduced);
    for (size_t k = 0; k < system->order; k++) {
        const uint32_t s = system->place[system->factored[k]];

        if (s != NOT_CHOSEN)
            result[s] = system->root[k] * (double)system->reduced[k];
    }
}

/* Makes a new factor when the steps have cost a quarter of one, or one costs less than 8 steps. */
static enum preconditioner prepare(void *context)
{
    struct dual_system *system = context;
    const double step_cost = cost_of_dual_step((double)system->order, system->rows.count,
                                               (double)system->nonzeros, (double)system->width);

    system->spent += step_cost;
    system->steps_cost += step_cost;
    if (system->steps_cost <= 0.25 * system->factor_cost && system->factor_cost >= 8 * step_cost)
        return UNCHANGED;
    make_factor(system);
    system->factor_cost = HUGE_VAL;
    return system->order > 0 ? RENEWED : STOPPED;
}

void dual_system_choose(struct dual_system *system, struct selection rows, const double *ridge)
{
    memset(system->place, 0xff, system->problem->rows * sizeof *system->place);
    system->rows = rows;
    system->ridge = ridge;
    system->nonzeros = 0;
    for (uint32_t s = 0; s < rows.count; s++) {
        const uint32_t i = selected(&rows, s);

        system->place[i] = s;
        system->nonzeros += problem_length(system->problem, i);
        system->inverse[s] = 1 / (problem_square(system->problem, i) + ridge[i]);
    }
    system->spent += COST_OF_NONZERO * (double)system->nonzeros;
}

/* factor_cost leaves out the products of the rows. Their number, smaller for sparser rows, is not
 * known in advance. */
void dual_system_solve(struct dual_system *system, const double *r, double *p, double tolerance,
                       unsigned most)
{
    const uint32_t order = system->rows.count;

    system->factor_cost = order <= system->capacity ? cost_of_dual_factor(order) : HUGE_VAL;
    cg_solve(&system->cg, order, r, p, tolerance, most);
}

double dual_system_spent(const struct dual_system *system)
{
    return system->spent;
}

/* ---- Setting up -------------------------------------------------------- */

size_t dual_system_capacity(const struct problem *problem)
{
    static const double TIMES = 4; /* as many features as rows */
    const double many = (double)problem_width(problem) / TIMES;

    return (size_t)fmin(problem->rows, clamp(many, MOST_ORDER, 2 * MOST_ORDER));
}

static void lay_out(struct dual_system *to, struct arena *arena, const struct problem *problem)
{
    const size_t rows = problem->rows, capacity = dual_system_capacity(problem);

    to->problem = problem;
    to->width = problem_width(problem);
    to->capacity = capacity;
    to->place = arena_take(arena, rows, sizeof *to->place);
    to->inverse = arena_take(arena, rows, sizeof *to->inverse);
    to->combination = arena_take(arena, to->width, sizeof *to->combination);
    cg_lay_out(&to->cg, arena, rows);
    to->factor = arena_take(arena, capacity * capacity, sizeof *to->factor);
    to->factored = arena_take(arena, capacity, sizeof *to->factored);
    to->root = arena_take(arena, capacity, sizeof *to->root);
    to->reduced = arena_take(arena, capacity, sizeof *to->reduced);
    to->is_dense = problem->data->x.index_kind == HINGE_INDEX_NONE;
    to->lines = arena_take(arena, (to->is_dense ? GRAM_LINES : 1) * capacity, sizeof *to->lines);
    to->data_row = arena_take(arena, capacity, sizeof *to->data_row);
    to->first = arena_take(arena, problem->data->features, sizeof *to->first);
}

struct dual_system *dual_system_new(const struct problem *problem, const struct shards *shards,
                                    struct stop stop, struct hinge_error *error)
{
    struct dual_system *system = array_new(1, sizeof *system, error);
    struct arena arena = {NULL, 0, 0};
    size_t nonzeros = 0;

    for (uint32_t i = 0; i < problem->rows; i++)
        nonzeros += problem_length(problem, i);
    if (!system)
        return NULL;
    lay_out(system, &arena, problem);
    if (!(system->block = arena_new(&arena, error)) ||
        !(system->transpose = transpose_new(problem->data, nonzeros, error))) {
        dual_system_free(system);
        return NULL;
    }
    lay_out(system, &arena, problem);
    system->shards = shards;
    system->cg.context = system;
    system->cg.multiply = multiply;
    system->cg.precondition = precondition;
    system->cg.prepare = prepare;
    system->cg.stop = stop;
    return system;
}

void dual_system_free(struct dual_system *system)
{
    if (!system)
        return;
    transpose_free(system->transpose);
    free(system->block);
    free(system);
}
