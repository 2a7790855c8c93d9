/* support_factor.c - U'U = S (X'X + diag(ridge)) S + RIDGE I on the support, S = diag(H)^-1/2.
 *
 * The factor is in single precision. It preconditions conjugate gradients on later supports, too,
 * and with another H: for a coordinate outside the factor, it uses only the diagonal of H. (6,000
 * rows of counts, 1,600 weights: a factor takes 0.03 s.)
 */
#include <float.h>
#include <math.h>
#include <string.h>

#include "problem/problem.h"
#include "solver/linear/cholesky.h"
#include "solver/linear/cost.h"
#include "solver/sparse/lasso.h"

/* The factor adds this to a diagonal of ones, because single precision has few digits. */
static const double RIDGE = 1e-5;

void support_factor_lay_out(struct support_factor *factor, struct arena *arena, size_t order,
                            size_t rows, size_t nonzeros)
{
    enum { MOST = 4096 }; /* 64 MB */

    factor->capacity = order < rows ? order : rows;
    factor->capacity = factor->capacity < MOST ? factor->capacity : MOST;
    factor->matrix = arena_take(arena, factor->capacity * factor->capacity, sizeof(float));
    factor->right = arena_take(arena, factor->capacity, sizeof *factor->right);
    factor->unit = arena_take(arena, order, sizeof *factor->unit);
    factor->place = arena_take(arena, order, sizeof *factor->place);
    factor->start = arena_take(arena, rows + 2, sizeof *factor->start);
    factor->index = arena_take(arena, nonzeros, sizeof *factor->index);
    factor->value = arena_take(arena, nonzeros, sizeof *factor->value);
}

void support_factor_form(struct column_lasso *by)
{
    struct support_factor *factor = &by->factor;
    const struct lasso *lasso = &by->lasso;
    const size_t count = lasso->count;

    memset(factor->matrix, 0, count * count * sizeof *factor->matrix);
    memset(factor->place, 0, lasso->order * sizeof *factor->place);
    memset(factor->start, 0, (by->rows + 2) * sizeof *factor->start);
    for (size_t k = 0; k < count; k++) {
        const uint32_t j = lasso->member[k];
        const struct sparse x = sparse_row(&by->columns, j);

        factor->unit[j] = 1 / sqrt(RIDGE * by->diagonal[j]);
        factor->place[j] = (uint32_t)k + 1;
        factor->matrix[k * (count + 1)] = (float)(by->ridge[j] * factor->unit[j] * factor->unit[j]);
        for (size_t e = 0; e < x.count; e++)
            factor->start[index_at(&x, e) + 2]++;
    }
    for (size_t i = 2; i < by->rows + 2; i++)
        factor->start[i] += factor->start[i - 1];
    for (size_t k = 0; k < count; k++) {
        const struct sparse x = sparse_row(&by->columns, lasso->member[k]);

        for (size_t e = 0; e < x.count; e++) {
            const size_t at = factor->start[index_at(&x, e) + 1]++;

            factor->index[at] = (uint32_t)k;
            factor->value[at] = (float)(value_at(&x, e) * factor->unit[lasso->member[k]]);
        }
    }
    for (size_t i = 0; i < by->rows; i++)
        for (size_t a = factor->start[i]; a < factor->start[i + 1]; a++) {
            float *line = factor->matrix + factor->index[a] * count;
            const float value = factor->value[a];

            for (size_t b = a; b < factor->start[i + 1]; b++)
                line[factor->index[b]] += value * factor->value[b];
        }
    factor->order = single_cholesky_factor(factor->matrix, count, &by->cg.stop) ? count : 0;
}

/* Returns 1/sqrt(RIDGE H_jj) for a coordinate of the factor, and 0 for another one. */
static double unit_of(const struct support_factor *factor, uint32_t j)
{
    return factor->order > 0 && factor->place[j] > 0 ? factor->unit[j] : 0;
}

void support_factor_solve(void *context, const double *r, double *result)
{
    struct column_lasso *by = context;
    struct support_factor *factor = &by->factor;
    struct lasso *lasso = &by->lasso;
    double largest = DBL_MIN; /* divides the numbers, so that floats can hold them */

    for (size_t k = 0; k < lasso->count; k++)
        largest = fmax(largest, fabs(r[k] * unit_of(factor, lasso->member[k])));
    for (size_t c = 0; c < factor->order; c++)
        factor->right[c] = 0;
    for (size_t k = 0; k < lasso->count; k++) {
        const uint32_t j = lasso->member[k];
        const double unit = unit_of(factor, j);

        if (unit > 0)
            factor->right[factor->place[j] - 1] = (float)(r[k] * unit / largest);
    }
    single_cholesky_solve(factor->matrix, factor->order, factor->right);
    lasso->work += COST_OF_LINE_ENTRY * ((double)factor->order * (double)factor->order);
    for (size_t k = 0; k < lasso->count; k++) {
        const uint32_t j = lasso->member[k];
        const double unit = unit_of(factor, j);

        result[k] = unit > 0 ? factor->right[factor->place[j] - 1] * unit * largest
                             : r[k] / by->diagonal[j];
    }
}
