/* gram.c - matrix_ij += (weight_k x_ki) x_kj, i <= j, for each row k.
 *
 * Rows with few features add at the places of their entries. Rows with most features are treated as
 * dense, one tile of the matrix after another, as in BLAS's syrk. The part of the rows that a tile
 * needs is expanded on the stack and stays in the first-level cache. Two lines of the tile and four
 * rows share their loads, and the loop over columns has no branch, so compilers use vectors. Both
 * ways give the same bits: each number of the matrix is the same sum in the same order, and adding
 * a zero changes nothing.
 */
#include "problem/gram.h"

#include <string.h>

enum {
    TILE = GRAM_LINES, /* columns and lines of a tile */
    FOUR = 4,          /* rows at a time */
    TWO = 2            /* lines at a time */
};

/* ---- Rows of few features ----------------------------------------------- */

/* Adds one row. Four lines of the matrix share the loads and the end of the loop. */
static ALWAYS_INLINE void scatter_as(const struct sparse *x, enum hinge_index_kind index_kind,
                                     enum hinge_value_kind value_kind, double factor,
                                     double *matrix, size_t order)
{
    enum { LINES = 4 };
    const double unit = unit_as(x, value_kind);
    size_t k = 0;

    for (; k + LINES <= x->count; k += LINES) {
        double *line[LINES], multiple[LINES];

        for (size_t u = 0; u < LINES; u++) {
            line[u] = matrix + index_as(x, index_kind, k + u) * order;
            multiple[u] = factor * (unit * bare_value(x, value_kind, k + u));
            for (size_t l = u; l < LINES; l++)
                line[u][index_as(x, index_kind, k + l)] +=
                    multiple[u] * (unit * bare_value(x, value_kind, k + l));
        }
        for (size_t l = k + LINES; l < x->count; l++) {
            const double value = unit * bare_value(x, value_kind, l);

            for (size_t u = 0; u < LINES; u++)
                line[u][index_as(x, index_kind, l)] += multiple[u] * value;
        }
    }
    for (; k < x->count; k++)
        for (size_t l = k; l < x->count; l++)
            matrix[index_as(x, index_kind, k) * order + index_as(x, index_kind, l)] +=
                factor * (unit * bare_value(x, value_kind, k)) *
                (unit * bare_value(x, value_kind, l));
}

/* Adds one row. It is never inlined, so that its loops keep their registers. (covtype, -s 1:
 * inlined, they take a seventh more instructions.) */
static NEVER_INLINE void scatter(const struct sparse *x, double factor, double *matrix,
                                 size_t order)
{
    WITH_INDICES(x, WITH_VALUES(x, scatter_as(x, INDEX, KIND, factor, matrix, order)));
}

/* ---- Rows that have most features ---------------------------------------- */

/* The columns of the rows that a tile needs. */
typedef double strip[GRAM_ROWS][TILE];

/* Expands columns from .. until - 1 of all rows, and zeros up to a multiple of four rows. at[k] is
 * the first entry of row k there, and moves past these columns. */
static ALWAYS_INLINE void expand(const struct gram_rows *rows, size_t *at, size_t from,
                                 size_t until, size_t width, strip to)
{
    size_t k = 0;

    for (; k < rows->count; k++) {
        const struct sparse x = rows->x[k]; /* No store can change a copy. */
        double *const line = to[k];
        size_t l = at[k];

        if (x.index_kind == HINGE_INDEX_NONE) {
            const size_t end = x.count < until ? x.count : until;

            for (; l < end; l++)
                line[l - from] = value_at(&x, l);
            for (size_t j = l; j < until; j++)
                line[j - from] = 0;
        } else {
            memset(line, 0, (until - from) * sizeof *line);
            for (size_t j; l < x.count && (j = index_at(&x, l)) < until; l++)
                line[j - from] = value_at(&x, l);
        }
        if (rows->has_constant && until == width)
            line[width - 1 - from] = rows->constant;
        at[k] = l;
    }
    for (; k % FOUR != 0; k++)
        memset(to[k], 0, (until - from) * sizeof *to[k]);
}

/* line[j] += sum_r multiple[r] x_r[j] for from <= j < end, one row after another. */
static ALWAYS_INLINE void add_to_line(double *restrict line, const double *multiple,
                                      const double *restrict a, const double *restrict b,
                                      const double *restrict c, const double *restrict d,
                                      size_t from, size_t end)
{
    const double ma = multiple[0], mb = multiple[1], mc = multiple[2], md = multiple[3];

    for (size_t j = from; j < end; j++)
        line[j] = (((line[j] + ma * a[j]) + mb * b[j]) + mc * c[j]) + md * d[j];
}

/* Does what add_to_line does, for two lines with one load of each x_r[j]. */
static ALWAYS_INLINE void add_to_lines(double *restrict line, double *restrict next,
                                       const double *multiple, const double *its_multiple,
                                       const double *restrict a, const double *restrict b,
                                       const double *restrict c, const double *restrict d,
                                       size_t from, size_t end)
{
    const double ma = multiple[0], mb = multiple[1], mc = multiple[2], md = multiple[3];
    const double na = its_multiple[0], nb = its_multiple[1], nc = its_multiple[2],
                 nd = its_multiple[3];

    for (size_t j = from; j < end; j++) {
        const double xa = a[j], xb = b[j], xc = c[j], xd = d[j];

        line[j] = (((line[j] + ma * xa) + mb * xb) + mc * xc) + md * xd;
        next[j] = (((next[j] + na * xa) + nb * xb) + nc * xc) + nd * xd;
    }
}

/* Adds the rows to one tile of the matrix. If two lines cross the diagonal, the second line gets a
 * number below the diagonal, which is restored. */
static ALWAYS_INLINE void add_tile(const struct gram_rows *rows, strip left, strip right,
                                   size_t lines, size_t columns, int is_diagonal, double *corner,
                                   size_t width)
{
    for (size_t i = 0; i < lines; i += TWO) {
        double *const line = corner + i * width, *const next = line + width;
        const int both = i + 1 < lines;
        const size_t from = is_diagonal ? i : 0;
        const double below = both && is_diagonal ? next[i] : 0;

        for (size_t k = 0; k < rows->count; k += FOUR) {
            double multiple[FOUR], its[FOUR];

            for (size_t r = 0; r < FOUR; r++) {
                const double weight = k + r < rows->count ? rows->weight[k + r] : 0;

                multiple[r] = weight * left[k + r][i];
                its[r] = both ? weight * left[k + r][i + 1] : 0;
            }
            if (both)
                add_to_lines(line, next, multiple, its, right[k], right[k + 1], right[k + 2],
                             right[k + 3], from, columns);
            else
                add_to_line(line, multiple, right[k], right[k + 1], right[k + 2], right[k + 3],
                            from, columns);
        }
        if (both && is_diagonal)
            next[i] = below;
    }
}

/* Adds the rows to one row of tiles, from the diagonal to the right. at[k] is the first entry of
 * row k in the diagonal tile, and moves past that tile. */
STATIC_VERSIONED(void, (void), fill_lines,
                 (const struct gram_rows *rows, size_t *at, size_t first, double *lines,
                  size_t width),
                 (rows, at, first, lines, width))
{
    const size_t end = first + TILE < width ? first + TILE : width;
    size_t right_at[GRAM_ROWS];
    strip left, right;

    memcpy(right_at, at, sizeof right_at);
    for (size_t from = first, until; from < width; from = until) {
        const int is_diagonal = from == first;

        until = from + TILE < width ? from + TILE : width;
        /* cppcheck-suppress legacyUninitvar ; expand fills the strip */
        expand(rows, right_at, from, until, width, is_diagonal ? left : right);
        if (is_diagonal)
            memcpy(at, right_at, sizeof right_at);
        add_tile(rows, left, is_diagonal ? left : right, end - first, until - from, is_diagonal,
                 lines + from, width);
    }
}

void gram_add_lines(const struct gram_rows *rows, size_t first, double *lines, size_t width)
{
    size_t at[GRAM_ROWS] = {0};

    for (size_t k = 0; k < rows->count; k++)
        while (at[k] < rows->x[k].count && index_at(&rows->x[k], at[k]) < first)
            at[k]++;
    fill_lines(rows, at, first, lines, width);
}

/* ---- The choice --------------------------------------------------------- */

/* A scattered product takes as long as three products in tiles. */
void gram_add(const struct gram_rows *rows, double *matrix, size_t width)
{
    static const double SCATTERED = 3;
    const double constant = rows->constant;
    double products = 0;

    for (size_t k = 0; k < rows->count; k++)
        products += (double)rows->x[k].count * (double)rows->x[k].count;
    if (products * SCATTERED >= (double)width * (double)width * (double)rows->count) {
        size_t at[GRAM_ROWS] = {0};

        for (size_t first = 0; first < width; first += TILE)
            fill_lines(rows, at, first, matrix + first * width, width);
        return;
    }
    for (size_t k = 0; k < rows->count; k++) {
        const struct sparse *x = &rows->x[k];
        const double weight = rows->weight[k];

        scatter(x, weight, matrix, width);
        if (!rows->has_constant)
            continue;
        for (size_t l = 0; l < x->count; l++)
            matrix[(index_at(x, l) + 1) * width - 1] += weight * value_at(x, l) * constant;
        matrix[width * width - 1] += weight * constant * constant;
    }
}
