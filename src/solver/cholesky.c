/* cholesky.c - U_ij = (A_ij + (i = j) - sum_k<i U_ki U_kj) / U_ii, a panel of rows at a time. */
#include "solver/cholesky.h"

#include <float.h>
#include <math.h>

#include "problem/kernel.h"

enum {
    PANEL = 32, /* finished rows that are taken from the others together */
    TILE = 256, /* columns that this is done for at a time: they stay in the cache */
    UNROLL = 4
};

/* line -= the given multiples of four rows above it. */
static void take_four(double *line, const double *const *above, const double *factor, size_t from,
                      size_t end)
{
    const double *a = above[0], *b = above[1], *c = above[2], *d = above[3];

    for (size_t j = from; j < end; j++)
        line[j] -= factor[0] * a[j] + factor[1] * b[j] + factor[2] * c[j] + factor[3] * d[j];
}

/* Takes the finished rows first .. end - 1 from columns from .. until - 1 of row i. */
static void take_panel(double *matrix, size_t order, size_t i, size_t first, size_t end,
                       size_t from, size_t until)
{
    double *line = matrix + i * order;
    size_t k = first;

    for (; k + UNROLL <= end; k += UNROLL) {
        const double *above[UNROLL];
        double factor[UNROLL];

        for (size_t u = 0; u < UNROLL; u++) {
            above[u] = matrix + (k + u) * order;
            factor[u] = above[u][i];
        }
        take_four(line, (const double *const *)above, factor, from, until);
    }
    for (; k < end; k++) {
        const double *above = matrix + k * order;

        for (size_t j = from; j < until; j++)
            line[j] -= above[i] * above[j];
    }
}

void cholesky_factor(double *matrix, size_t order)
{
    for (size_t first = 0; first < order; first += PANEL) {
        const size_t end = first + PANEL < order ? first + PANEL : order;

        for (size_t i = first; i < end; i++) {
            double *line = matrix + i * order;
            const double whole = line[i];
            double pivot;

            take_panel(matrix, order, i, first, i, i, order);
            pivot = fmax(line[i] + 1, fmax(1, whole * (DBL_EPSILON * (double)order)));
            pivot = 1 / sqrt(pivot);
            for (size_t j = i + 1; j < order; j++)
                line[j] *= pivot;
            line[i] = pivot;
        }
        for (size_t from = end; from < order; from += TILE) {
            const size_t until = from + TILE < order ? from + TILE : order;

            for (size_t i = end; i < until; i++)
                take_panel(matrix, order, i, first, end, i > from ? i : from, until);
        }
    }
}

void cholesky_solve(const double *matrix, size_t order, double *p)
{
    for (size_t i = 0; i < order; i++) {
        const double *line = matrix + i * order;

        p[i] *= line[i];
        for (size_t j = i + 1; j < order; j++)
            p[j] -= p[i] * line[j];
    }
    for (size_t i = order; i-- > 0;) {
        const double *line = matrix + i * order;

        p[i] = (p[i] - dense_dot(line + i + 1, p + i + 1, order - i - 1)) * line[i];
    }
}
