/* normal.c - (I + scale sum_i weight_i x_i x_i') p = r by preconditioned conjugate gradients.
 *
 * The preconditioner is a Cholesky factor of a matrix I + A that H is, or was: with few features
 *
 *     A = scale X'WX,  over features,  H^-1 = (I + A)^-1,
 *
 * with few rows, D = sqrt(scale W) (Sherman, Morrison, Woodbury),
 *
 *     A = D X X' D,    over rows,      H^-1 = I - X'D (I + A)^-1 D X,
 *
 * and as long as neither is worth its price, the diagonal of H. A fresh factor solves in one step;
 * what follows is refinement, with H as the rows define it, so that neither a factor spoilt by
 * badly scaled data nor one of an earlier H costs accuracy. It costs steps: when these have added
 * up to the price of a factor, there is a new one. (Renting until the rent has come to the price
 * never costs more than twice what the best choice in hindsight does.)
 */
#include "solver/normal.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/status.h"
#include "problem/kernel.h"
#include "solver/cholesky.h"

enum { MOST_ORDER = 4096 }; /* of a factor: 128 MiB */

/* Prices in the unit of normal_price, measured on problems of 100 to 2,000 features or rows. */
static const double factor_rate = 0.25; /* of factoring: four at a time share a load and a store */
static const double solve_rate = 0.7;   /* of solving with a factor, and of dense vectors */
static const double row_rate = 1.6;     /* of multiplying with rows and their transpose */

struct normal {
    const struct binary_problem *problem;
    size_t width;
    double scale;
    int by_features;   /* A is over features, else over rows */
    size_t capacity;   /* largest order of a factor; 0: none */
    size_t order;      /* of the factor; 0: there is none */
    double spent;      /* multiply-adds of solving, since the factor was made */
    size_t nonzeros;   /* of the member rows */
    uint32_t members;  /* rows of positive weight */
    uint32_t *member;  /* [rows] which they are, in ascending order */
    uint32_t *held;    /* the rows that the factor is over; [rows] by features, else [capacity] */
    size_t helds;      /* by features: how many, those with a weight in sum */
    double *memory;    /* the arrays below */
    double *weight;    /* [rows] of the members */
    double *summed;    /* [rows] by features: of the held rows, in sum */
    double *sum;       /* by features [width^2]: upper triangle of X'WX, by rows; by rows
                          [capacity (capacity + 1)/2]: <x_i, x_j> of the rows in two slots */
    uint32_t *slot_of; /* [rows] by rows: slot of a row that has one */
    uint32_t *row_in;  /* [capacity] by rows: the row in a slot */
    size_t slots;      /* how many are taken */
    double *factor;    /* [order^2] U of I + A = U'U by rows; on its diagonal 1/U_jj */
    double *root;      /* [capacity] by rows: the diagonal of D */
    double *reduced;   /* [capacity] */
    double *diagonal;  /* [width] 1/H_jj */
    double *residual;  /* [width] */
    double *direction; /* [width] */
    double *product;   /* [width] */
    double *corrected; /* [width] the preconditioned residual */
};

/* ---- Setting up -------------------------------------------------------- */

/* The arrays, one behind the other in memory, or, where memory is NULL, how long they are. */
static size_t lay_out(struct normal *normal, double *memory)
{
    const size_t rows = normal->problem->rows, width = normal->width, order = normal->capacity;
    const size_t sum = normal->by_features ? width * width : order * (order + 1) / 2;
    const struct {
        double **array;
        size_t length;
    } arrays[] = {{&normal->weight, rows},     {&normal->summed, normal->by_features ? rows : 0},
                  {&normal->sum, sum},         {&normal->factor, order * order},
                  {&normal->root, order},      {&normal->reduced, order},
                  {&normal->diagonal, width},  {&normal->residual, width},
                  {&normal->direction, width}, {&normal->product, width},
                  {&normal->corrected, width}};
    size_t total = 0;

    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) {
        if (memory)
            *arrays[k].array = memory + total;
        total += arrays[k].length;
    }
    return total;
}

int normal_by_features(const struct binary_problem *problem)
{
    return binary_width(problem) <= problem->rows && binary_width(problem) <= MOST_ORDER;
}

struct normal *normal_new(const struct binary_problem *problem, struct hinge_error *error)
{
    struct normal *normal = array_new(1, sizeof *normal, error);
    const size_t width = binary_width(problem);

    if (!normal)
        return NULL;
    normal->problem = problem;
    normal->width = width;
    normal->by_features = normal_by_features(problem);
    normal->capacity = normal->by_features           ? width
                       : problem->rows <= MOST_ORDER ? problem->rows
                                                     : MOST_ORDER;
    if (!(normal->memory = array_new(lay_out(normal, NULL), sizeof(double), error)) ||
        !(normal->member = array_new(problem->rows, sizeof *normal->member, error)) ||
        !(normal->held = array_new(normal->by_features ? problem->rows : normal->capacity,
                                   sizeof *normal->held, error)) ||
        !(normal->slot_of = array_new(problem->rows, sizeof *normal->slot_of, error)) ||
        !(normal->row_in = array_new(normal->capacity, sizeof *normal->row_in, error))) {
        normal_free(normal);
        return NULL;
    }
    lay_out(normal, normal->memory);
    return normal;
}

void normal_free(struct normal *normal)
{
    if (!normal)
        return;
    free(normal->memory);
    free(normal->member);
    free(normal->held);
    free(normal->slot_of);
    free(normal->row_in);
    free(normal);
}

/* ---- The factor -------------------------------------------------------- */

static double square(double x)
{
    return x * x;
}

/* sum += change x_i x_i', the bias feature included. */
static void add_outer(struct normal *normal, uint32_t i, double change)
{
    const struct binary_row row = binary_row(normal->problem, i);
    const double bias = normal->problem->bias;
    const size_t width = normal->width;

    sparse_outer(&row, change, normal->sum, width);
    if (bias < 0)
        return;
    for (size_t k = 0; k < row.count; k++)
        normal->sum[(index_at(&row, k) + 1) * width - 1] += change * value_at(&row, k) * bias;
    normal->sum[width * width - 1] += change * bias * bias;
}

/* Where a walk along the rows whose weight in sum is not the present one is. */
struct walk {
    size_t held;
    uint32_t member;
    uint32_t row;
    double change;
};

/* Both kinds of rows ascend, so that those that are of one kind only are found like this. */
static int next_change(const struct normal *normal, struct walk *walk)
{
    while (walk->held < normal->helds || walk->member < normal->members) {
        const int held = walk->held < normal->helds, member = walk->member < normal->members;
        const uint32_t a = held ? normal->held[walk->held] : UINT32_MAX;
        const uint32_t b = member ? normal->member[walk->member] : UINT32_MAX;

        walk->row = a < b ? a : b;
        walk->change = 0;
        if (b <= a)
            walk->change += normal->weight[walk->member++];
        if (a <= b)
            walk->change -= normal->summed[walk->held++];
        if (walk->change != 0)
            return 1;
    }
    return 0;
}

static size_t count_changes(const struct normal *normal)
{
    struct walk walk = {0, 0, 0, 0};
    size_t changes = 0;

    while (next_change(normal, &walk))
        changes++;
    return changes;
}

/* Brings sum from the weights in it to the new ones, by the rows that changed or afresh, whichever
 * are fewer; then factor := A. */
static void form_by_features(struct normal *normal)
{
    const size_t width = normal->width;
    struct walk walk = {0, 0, 0, 0};

    if (count_changes(normal) >= normal->members) {
        memset(normal->sum, 0, width * width * sizeof *normal->sum);
        normal->helds = 0;
    }
    while (next_change(normal, &walk))
        add_outer(normal, walk.row, walk.change);
    memcpy(normal->held, normal->member, normal->members * sizeof *normal->held);
    memcpy(normal->summed, normal->weight, normal->members * sizeof *normal->summed);
    normal->helds = normal->members;
    for (size_t i = 0; i < width; i++)
        for (size_t j = i; j < width; j++)
            normal->factor[i * width + j] = normal->scale * normal->sum[i * width + j];
    normal->order = width;
}

/* Writes value times x_i into a dense vector. */
static void spread(const struct binary_row *row, double value, double *dense)
{
    for (size_t k = 0; k < row->count; k++)
        dense[index_at(row, k)] = value * value_at(row, k);
}

/* Where the product of the rows in two slots stands, other <= slot. */
static size_t pair(size_t slot, size_t other)
{
    return slot * (slot + 1) / 2 + other;
}

/* Gives a row the next slot, and multiplies it with all that have one. */
static void add_slot(struct normal *normal, uint32_t i)
{
    const double bias = normal->problem->bias > 0 ? normal->problem->bias : 0;
    const struct binary_row row = binary_row(normal->problem, i);
    const size_t slot = normal->slots;

    normal->row_in[normal->slots++] = i;
    normal->slot_of[i] = (uint32_t)slot;
    spread(&row, 1, normal->product);
    for (size_t other = 0; other <= slot; other++) {
        const struct binary_row its = binary_row(normal->problem, normal->row_in[other]);

        normal->sum[pair(slot, other)] = sparse_dot(&its, normal->product) + bias * bias;
    }
    spread(&row, 0, normal->product);
}

static int has_slot(const struct normal *normal, uint32_t i)
{
    return normal->slot_of[i] < normal->slots && normal->row_in[normal->slot_of[i]] == i;
}

/* Products of all pairs of member rows; those of rows that were members once are kept as long as
 * there is room. */
static void multiply_members(struct normal *normal)
{
    size_t missing = 0;

    for (uint32_t s = 0; s < normal->members; s++)
        missing += !has_slot(normal, normal->member[s]);
    if (normal->slots + missing > normal->capacity)
        normal->slots = 0;
    memset(normal->product, 0, normal->width * sizeof *normal->product);
    for (uint32_t s = 0; s < normal->members; s++)
        if (!has_slot(normal, normal->member[s]))
            add_slot(normal, normal->member[s]);
}

/* factor := A over the member rows. */
static void form_by_rows(struct normal *normal)
{
    const size_t order = normal->members;

    multiply_members(normal);
    for (size_t k = 0; k < order; k++) {
        normal->held[k] = normal->member[k];
        normal->root[k] = sqrt(normal->scale * normal->weight[k]);
    }
    for (size_t k = 0; k < order; k++) {
        const size_t slot = normal->slot_of[normal->held[k]];

        for (size_t l = k; l < order; l++) {
            const size_t other = normal->slot_of[normal->held[l]];
            const double product =
                normal->sum[slot < other ? pair(other, slot) : pair(slot, other)];

            normal->factor[k * order + l] = normal->root[k] * normal->root[l] * product;
        }
    }
    normal->order = order;
}

/* What a factor costs. */
static double factor_price(int by_features, double order, double members, double nonzeros)
{
    const double form = nonzeros * (by_features ? nonzeros / fmax(members, 1) : order) / 2;

    return form + factor_rate * order * order * order / 6;
}

/* What a factor of the present H costs; infinite where there is no room for it. */
static double price_now(const struct normal *normal)
{
    const double order = normal->by_features ? (double)normal->width : normal->members;

    if (order < 1 || order > (double)normal->capacity)
        return HUGE_VAL;
    return factor_price(normal->by_features, order, normal->members, (double)normal->nonzeros);
}

static void renew_factor(struct normal *normal)
{
    if (normal->by_features)
        form_by_features(normal);
    else
        form_by_rows(normal);
    cholesky_factor(normal->factor, normal->order);
    normal->spent = 0;
}

/* ---- Conjugate gradients ----------------------------------------------- */

/* product := H p */
static void multiply(const struct normal *normal, const double *p, double *product)
{
    const double bias = normal->problem->bias;
    const size_t width = normal->width;

    memset(product, 0, width * sizeof *product);
    for (uint32_t s = 0; s < normal->members; s++) {
        const struct binary_row row = binary_row(normal->problem, normal->member[s]);
        double factor = sparse_dot(&row, p);

        if (bias >= 0)
            factor += bias * p[width - 1];
        factor *= normal->weight[s];
        sparse_add(&row, factor, product);
        if (bias >= 0)
            product[width - 1] += factor * bias;
    }
    for (size_t j = 0; j < width; j++)
        product[j] = p[j] + normal->scale * product[j];
}

static void form_diagonal(struct normal *normal)
{
    const double bias = normal->problem->bias > 0 ? normal->problem->bias : 0;
    double *diagonal = normal->diagonal;

    memset(diagonal, 0, normal->width * sizeof *diagonal);
    for (uint32_t s = 0; s < normal->members; s++) {
        const struct binary_row row = binary_row(normal->problem, normal->member[s]);
        const double weight = normal->weight[s];

        for (size_t k = 0; k < row.count; k++)
            diagonal[index_at(&row, k)] += weight * square(value_at(&row, k));
        if (bias > 0)
            diagonal[normal->width - 1] += weight * square(bias);
    }
    for (size_t j = 0; j < normal->width; j++)
        diagonal[j] = 1 / (1 + normal->scale * diagonal[j]);
}

void normal_form(struct normal *normal, const uint32_t *row, const double *weight, uint32_t count,
                 double scale)
{
    normal->scale = scale;
    normal->members = 0;
    normal->nonzeros = 0;
    for (uint32_t s = 0; s < count; s++) {
        normal->member[normal->members] = row ? row[s] : s;
        normal->weight[normal->members] = weight[s];
        normal->members += weight[s] > 0;
    }
    for (uint32_t s = 0; s < normal->members; s++)
        normal->nonzeros += binary_row(normal->problem, normal->member[s]).count;
    if (normal->order == 0)
        form_diagonal(normal);
}

/* p := r - X'D (I + A)^-1 D X r */
static void apply_by_rows(struct normal *normal, const double *r, double *p)
{
    const double bias = normal->problem->bias;
    const size_t last = normal->width - 1;

    for (size_t k = 0; k < normal->order; k++) {
        const struct binary_row row = binary_row(normal->problem, normal->held[k]);

        normal->reduced[k] = sparse_dot(&row, r);
        if (bias >= 0)
            normal->reduced[k] += bias * r[last];
        normal->reduced[k] *= normal->root[k];
    }
    cholesky_solve(normal->factor, normal->order, normal->reduced);
    memcpy(p, r, normal->width * sizeof *p);
    for (size_t k = 0; k < normal->order; k++) {
        const struct binary_row row = binary_row(normal->problem, normal->held[k]);
        const double factor = -normal->root[k] * normal->reduced[k];

        sparse_add(&row, factor, p);
        if (bias >= 0)
            p[last] += factor * bias;
    }
}

static void precondition(struct normal *normal, const double *r, double *p)
{
    if (normal->order == 0) {
        for (size_t j = 0; j < normal->width; j++)
            p[j] = normal->diagonal[j] * r[j];
    } else if (normal->by_features) {
        memcpy(p, r, normal->width * sizeof *p);
        cholesky_solve(normal->factor, normal->order, p);
    } else {
        apply_by_rows(normal, r, p);
    }
}

/* What a step of conjugate gradients costs, with a factor of that order or, if 0, none. */
static double step_price(int by_features, double order, double width, double nonzeros)
{
    const double times = order > 0 && !by_features ? 4 : 2;

    return times * row_rate * nonzeros + solve_rate * (order * order + 4 * width);
}

/* One step; 0 if rounding errors leave no direction. old is r'p of the step before, 0 in the first.
 */
static int step(struct normal *normal, double *p, double *old)
{
    const size_t width = normal->width;
    double now, length;

    precondition(normal, normal->residual, normal->corrected);
    now = dense_dot(normal->residual, normal->corrected, width);
    for (size_t j = 0; j < width; j++)
        normal->direction[j] =
            normal->corrected[j] + (*old > 0 ? now / *old * normal->direction[j] : 0);
    multiply(normal, normal->direction, normal->product);
    length = now / dense_dot(normal->direction, normal->product, width);
    if (!(now > 0 && length > 0 && length <= DBL_MAX))
        return 0;
    for (size_t j = 0; j < width; j++) {
        p[j] += length * normal->direction[j];
        normal->residual[j] -= length * normal->product[j];
    }
    *old = now;
    return 1;
}

/* Whether the present factor of H itself solves as well as asked for, so that there is nothing to
 * refine. Its rounding errors, relative to the trace of H, count relative to the smallest
 * eigenvalue, which is at least 1; and those of older, larger sums are in it. */
static int is_exact(const struct normal *normal, double tolerance)
{
    const size_t width = normal->width;
    double trace = 0;

    if (!normal->by_features)
        return 0;
    for (size_t j = 0; j < width; j++)
        trace += 1 + normal->scale * normal->sum[j * (width + 1)];
    return trace * (double)width * DBL_EPSILON <= 1e-4 * tolerance;
}

void normal_solve(struct normal *normal, const double *r, double *p, double tolerance,
                  unsigned most)
{
    const size_t width = normal->width;
    const double enough = square(tolerance) * dense_dot(r, r, width);
    const double rent = step_price(normal->by_features, (double)normal->order, (double)width,
                                   (double)normal->nonzeros);
    double price = price_now(normal), old = 0;

    memset(p, 0, width * sizeof *p);
    memcpy(normal->residual, r, width * sizeof *r);
    for (unsigned k = 0; k < most; k++) {
        if (dense_dot(normal->residual, normal->residual, width) <= enough)
            return;
        normal->spent += rent;
        if (normal->spent > price || price < 8 * rent) {
            renew_factor(normal);
            if (k == 0 && is_exact(normal, tolerance)) {
                precondition(normal, r, p);
                return;
            }
            price = HUGE_VAL;
            old = 0;
        }
        if (!step(normal, p, &old))
            return;
    }
}

/* By features a factor is made anew in most steps, but brought up to date from the one before; by
 * rows once in five steps, and 40 steps of conjugate gradients make up for its age. Without a
 * factor, conjugate gradients end at their limit. */
double normal_price(const struct binary_problem *problem, double members, double nonzeros)
{
    const double width = (double)binary_width(problem);

    if (normal_by_features(problem))
        return factor_price(1, width, members, nonzeros / 4) +
               step_price(1, width, width, nonzeros);
    if (members <= MOST_ORDER)
        return factor_price(0, members, members, nonzeros) / 5 +
               40 * step_price(0, members, width, nonzeros);
    return 200 * step_price(0, 0, width, nonzeros);
}
