/* normal.c - (I + scale sum_i weight_i x_i x_i') p = r by conjugate gradients,
 * preconditioned with a Cholesky factor U'U of the matrix, or with its diagonal.
 *
 * With the factor the first step is the whole solution up to rounding, and the steps after it are
 * what is called refinement: they use H as the rows define it, so that a factor spoilt by a bad
 * scaling of the data costs steps but no accuracy.
 */
#include "solver/normal.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/status.h"
#include "problem/kernel.h"

struct normal {
    const struct binary_problem *problem;
    size_t width;
    enum normal_method method;
    double scale;
    double *memory;     /* all numbers below */
    double *sum;        /* [width^2] upper triangle of sum weight_i x_i x_i', by rows */
    double *factor;     /* [width^2] U, upper triangular, by rows; 1/U_jj on its diagonal */
    double *weight;     /* [rows] as they are in sum */
    double *diagonal;   /* [width] 1/H_jj */
    double *residual;   /* [width] */
    double *direction;  /* [width] */
    double *product;    /* [width] */
    double *solved;     /* [width] preconditioned residual */
    uint32_t *member;   /* [rows] those of positive weight */
    uint32_t members;
};

/* ---- Setting up -------------------------------------------------------- */

struct normal *normal_new(const struct binary_problem *problem, enum normal_method method,
                          struct hinge_error *error)
{
    struct normal *normal = array_new(1, sizeof *normal, error);
    size_t width = binary_width(problem);
    size_t matrix = method == NORMAL_DIRECT ? width * width : 0;
    double *next;

    if (!normal)
        return NULL;
    normal->problem = problem;
    normal->width = width;
    normal->method = method;
    normal->memory = array_new(2 * matrix + 5 * width + problem->rows, sizeof(double), error);
    if (normal->memory)
        normal->member = array_new(problem->rows, sizeof *normal->member, error);
    if (!normal->member) {
        normal_free(normal);
        return NULL;
    }
    next = normal->memory;
    normal->sum = next;
    normal->factor = (next += matrix);
    normal->diagonal = (next += matrix);
    normal->residual = (next += width);
    normal->direction = (next += width);
    normal->product = (next += width);
    normal->solved = (next += width);
    normal->weight = next + width;
    return normal;
}

void normal_free(struct normal *normal)
{
    if (!normal)
        return;
    free(normal->memory);
    free(normal->member);
    free(normal);
}

/* ---- Forming ----------------------------------------------------------- */

struct row_view {
    const uint32_t *index;
    const double *value;
    size_t count;
};

static struct row_view row_of(const struct binary_problem *problem, uint32_t i)
{
    const struct hinge_dataset *data = problem->data;
    size_t start = data->start[problem->row[i]];

    return (struct row_view){data->index + start, data->value + start,
                             data->start[problem->row[i] + 1] - start};
}

/* sum += change x_i x_i', upper triangle: features of a row ascend. */
static void add_square(struct normal *normal, uint32_t i, double change)
{
    const struct row_view row = row_of(normal->problem, i);
    const double bias = normal->problem->bias;
    const size_t width = normal->width;

    for (size_t k = 0; k < row.count; k++) {
        double *line = normal->sum + row.index[k] * width;
        double factor = change * row.value[k];

        for (size_t l = k; l < row.count; l++)
            line[row.index[l]] += factor * row.value[l];
        if (bias >= 0)
            line[width - 1] += factor * bias;
    }
    if (bias >= 0)
        normal->sum[width * width - 1] += change * bias * bias;
}

/* Brings sum from the old weights to the new: by the rows that changed, or afresh, whichever are
 * fewer rows. */
static void update_sum(struct normal *normal, const double *weight)
{
    const uint32_t rows = normal->problem->rows;
    uint32_t changed = 0;

    for (uint32_t i = 0; i < rows; i++)
        changed += weight[i] != normal->weight[i];
    if (changed >= normal->members) {
        memset(normal->sum, 0, normal->width * normal->width * sizeof *normal->sum);
        memset(normal->weight, 0, rows * sizeof *normal->weight);
    }
    for (uint32_t i = 0; i < rows; i++)
        if (weight[i] != normal->weight[i])
            add_square(normal, i, weight[i] - normal->weight[i]);
}

static void form_diagonal(struct normal *normal)
{
    double *diagonal = normal->diagonal;

    for (size_t j = 0; j < normal->width; j++)
        diagonal[j] = 0;
    for (uint32_t s = 0; s < normal->members; s++) {
        const struct row_view row = row_of(normal->problem, normal->member[s]);
        const double weight = normal->weight[normal->member[s]];

        for (size_t k = 0; k < row.count; k++)
            diagonal[row.index[k]] += weight * row.value[k] * row.value[k];
        if (normal->problem->bias >= 0)
            diagonal[normal->width - 1] += weight * normal->problem->bias * normal->problem->bias;
    }
    for (size_t j = 0; j < normal->width; j++)
        diagonal[j] = 1 / (1 + normal->scale * diagonal[j]);
}

/* ---- Factoring --------------------------------------------------------- */

/* H = U'U, row by row; four finished rows at a time are taken from the rest, which halves the
 * traffic of memory twice. A pivot that rounding has made smaller than it can be is put back to
 * what rounding leaves of it: conjugate gradients make up for that. */
static void take_rows(double *line, const double *const *above, const double *factor, size_t from,
                      size_t width)
{
    for (size_t j = from; j < width; j++)
        line[j] -= factor[0] * above[0][j] + factor[1] * above[1][j] + factor[2] * above[2][j] +
                   factor[3] * above[3][j];
}

static void factor_row(struct normal *normal, size_t i, size_t from)
{
    const size_t width = normal->width;
    double *line = normal->factor + i * width;
    const double whole = 1 + normal->scale * normal->sum[i * width + i];
    double pivot;

    for (size_t k = from; k < i; k++) {
        const double *above = normal->factor + k * width;
        const double factor = above[i];

        for (size_t j = i; j < width; j++)
            line[j] -= factor * above[j];
    }
    pivot = fmax(line[i], fmax(1, whole * (DBL_EPSILON * (double)width)));
    pivot = 1 / sqrt(pivot);
    for (size_t j = i + 1; j < width; j++)
        line[j] *= pivot;
    line[i] = pivot;
}

static void factor_matrix(struct normal *normal)
{
    enum { BLOCK = 4 };
    const size_t width = normal->width;

    for (size_t i = 0; i < width; i++) {
        for (size_t j = i; j < width; j++)
            normal->factor[i * width + j] = normal->scale * normal->sum[i * width + j];
        normal->factor[i * width + i] += 1;
    }
    for (size_t first = 0; first < width; first += BLOCK) {
        const size_t end = first + BLOCK < width ? first + BLOCK : width;
        const double *above[BLOCK];

        for (size_t i = first; i < end; i++)
            factor_row(normal, i, first);
        if (end < first + BLOCK)
            break;
        for (size_t k = 0; k < BLOCK; k++)
            above[k] = normal->factor + (first + k) * width;
        for (size_t i = end; i < width; i++) {
            const double factor[BLOCK] = {above[0][i], above[1][i], above[2][i], above[3][i]};

            if (factor[0] != 0 || factor[1] != 0 || factor[2] != 0 || factor[3] != 0)
                take_rows(normal->factor + i * width, above, factor, i, width);
        }
    }
}

/* p := U^-1 U^-T r */
static void solve_factor(const struct normal *normal, const double *r, double *p)
{
    const size_t width = normal->width;

    if (p != r)
        memcpy(p, r, width * sizeof *p);
    for (size_t i = 0; i < width; i++) {
        const double *line = normal->factor + i * width;

        p[i] *= line[i];
        for (size_t j = i + 1; j < width; j++)
            p[j] -= p[i] * line[j];
    }
    for (size_t i = width; i-- > 0;) {
        const double *line = normal->factor + i * width;
        double even = 0, odd = 0;
        size_t j = i + 1;

        for (; j + 1 < width; j += 2) {
            even += line[j] * p[j];
            odd += line[j + 1] * p[j + 1];
        }
        if (j < width)
            even += line[j] * p[j];
        p[i] = (p[i] - (even + odd)) * line[i];
    }
}

void normal_form(struct normal *normal, const double *weight, double scale)
{
    normal->scale = scale;
    if (normal->method == NORMAL_DIRECT)
        update_sum(normal, weight);
    normal->members = 0;
    for (uint32_t i = 0; i < normal->problem->rows; i++) {
        normal->weight[i] = weight[i];
        if (weight[i] > 0)
            normal->member[normal->members++] = i;
    }
    if (normal->method == NORMAL_DIRECT)
        factor_matrix(normal);
    else
        form_diagonal(normal);
}

/* ---- Solving ----------------------------------------------------------- */

/* product := H p */
static void multiply(const struct normal *normal, const double *p, double *product)
{
    const double bias = normal->problem->bias;
    const size_t last = normal->width - 1;

    memset(product, 0, normal->width * sizeof *product);
    for (uint32_t s = 0; s < normal->members; s++) {
        const struct row_view row = row_of(normal->problem, normal->member[s]);
        double factor = sparse_dot(row.index, row.value, row.count, p);

        if (bias >= 0)
            factor += bias * p[last];
        factor *= normal->weight[normal->member[s]];
        sparse_add(row.index, row.value, row.count, factor, product);
        if (bias >= 0)
            product[last] += factor * bias;
    }
    for (size_t j = 0; j <= last; j++)
        product[j] = p[j] + normal->scale * product[j];
}

static void precondition(const struct normal *normal, const double *r, double *p)
{
    if (normal->method == NORMAL_DIRECT)
        solve_factor(normal, r, p);
    else
        for (size_t j = 0; j < normal->width; j++)
            p[j] = normal->diagonal[j] * r[j];
}

static double dot(const double *a, const double *b, size_t count)
{
    double even = 0, odd = 0;
    size_t j = 0;

    for (; j + 1 < count; j += 2) {
        even += a[j] * b[j];
        odd += a[j + 1] * b[j + 1];
    }
    if (j < count)
        even += a[j] * b[j];
    return even + odd;
}

size_t normal_solve(struct normal *normal, const double *r, double *p, double tolerance,
                    size_t most)
{
    const size_t width = normal->width;
    double enough = tolerance * sqrt(dot(r, r, width)), old = 0;
    size_t steps = 0;

    memset(p, 0, width * sizeof *p);
    memcpy(normal->residual, r, width * sizeof *r);
    while (steps < most && !(sqrt(dot(normal->residual, normal->residual, width)) <= enough)) {
        double now, length;

        precondition(normal, normal->residual, normal->solved);
        now = dot(normal->residual, normal->solved, width);
        for (size_t j = 0; j < width; j++)
            normal->direction[j] =
                normal->solved[j] + (steps > 0 ? now / old * normal->direction[j] : 0);
        multiply(normal, normal->direction, normal->product);
        length = now / dot(normal->direction, normal->product, width);
        for (size_t j = 0; j < width; j++) {
            p[j] += length * normal->direction[j];
            normal->residual[j] -= length * normal->product[j];
        }
        old = now;
        steps++;
    }
    return steps;
}
