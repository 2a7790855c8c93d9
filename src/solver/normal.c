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
 * and as long as neither is worth its price, the diagonal of H. A fresh factor solves in one step,
 * and is the end where its rounding errors are small enough; else there is refinement, with H as
 * the rows define it, so that neither a factor spoilt by badly scaled data nor one of an earlier H
 * costs accuracy. It costs steps: when these have added up to the price of a factor, there is a new
 * one. (Renting until the rent has come to the price never costs more than twice what the best
 * choice in hindsight does.)
 */
#include "solver/normal_factor.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/status.h"
#include "problem/kernel.h"

enum { MOST_ORDER = 4096 }; /* of a factor: 128 MiB */

/* Prices in the unit of normal_price, measured on problems of 100 to 2,000 features or rows. */
static const double solve_rate = 0.7; /* of solving with a factor, and of dense vectors */
static const double row_rate = 1.6;   /* of multiplying with rows and their transpose */

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

static double square(double x)
{
    return x * x;
}

/* ---- Conjugate gradients ----------------------------------------------- */

/* product := H p */
static void multiply(const struct normal *normal, const double *p, double *product)
{
    const double bias = normal->problem->bias;
    const size_t width = normal->width;

    memset(product, 0, width * sizeof *product);
    for (uint32_t s = 0; s < normal->members; s++) {
        const struct sparse row = binary_row(normal->problem, normal->member[s]);
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
        const struct sparse row = binary_row(normal->problem, normal->member[s]);
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

static void precondition(struct normal *normal, const double *r, double *p)
{
    if (normal->order == 0) {
        for (size_t j = 0; j < normal->width; j++)
            p[j] = normal->diagonal[j] * r[j];
    } else {
        normal_factor_solve(normal, r, p);
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

void normal_solve(struct normal *normal, const double *r, double *p, double tolerance,
                  unsigned most)
{
    const size_t width = normal->width;
    const double enough = square(tolerance) * dense_dot(r, r, width);
    const double rent = step_price(normal->by_features, (double)normal->order, (double)width,
                                   (double)normal->nonzeros);
    double price = normal_factor_price_now(normal), old = 0;

    memset(p, 0, width * sizeof *p);
    memcpy(normal->residual, r, width * sizeof *r);
    for (unsigned k = 0; k < most; k++) {
        if (dense_dot(normal->residual, normal->residual, width) <= enough)
            return;
        normal->spent += rent;
        if (normal->spent > price || price < 8 * rent) {
            normal_factor_renew(normal);
            if (k == 0 && normal_factor_is_exact(normal, tolerance)) {
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
        return normal_factor_price(1, width, members, nonzeros / 4) +
               step_price(1, width, width, nonzeros);
    if (members <= MOST_ORDER)
        return normal_factor_price(0, members, members, nonzeros) / 5 +
               40 * step_price(0, members, width, nonzeros);
    return 200 * step_price(0, 0, width, nonzeros);
}
