/* kernel.h - the loops over the non-zeros of a row, and over a dense vector.
 *
 * Two partial sums: an addition waits for the one before it, so that two chains take half the
 * time; more do not pay on rows of a dozen non-zeros. The order of additions is part of the
 * result and the same on every machine. Each loop is compiled for every kind of values and
 * indices; doubles that are all 1 give the same result as no values.
 */
#ifndef HINGE_PROBLEM_KERNEL_H
#define HINGE_PROBLEM_KERNEL_H

#include "base/compiler.h"
#include "problem/binary.h"

enum values { VALUES_ONE, VALUES_WHOLE, VALUES_DOUBLE };

/* Without the unit. */
static ALWAYS_INLINE double bare_value(const struct binary_row *row, enum values values, size_t k)
{
    return values == VALUES_ONE ? 1 : values == VALUES_WHOLE ? row->whole[k] : row->value[k];
}

/* The entry of w that goes with a value. */
#define ENTRY(w, row, width, k) ((w)[index_as(row, width, k)])

static ALWAYS_INLINE double dot_as(const struct binary_row *row, enum width width,
                                   enum values values, const double *w)
{
    double even = 0, odd = 0;
    size_t k = 0;

    for (; k + 1 < row->count; k += 2) {
        even += bare_value(row, values, k) * ENTRY(w, row, width, k);
        odd += bare_value(row, values, k + 1) * ENTRY(w, row, width, k + 1);
    }
    if (k < row->count)
        even += bare_value(row, values, k) * ENTRY(w, row, width, k);
    return even + odd;
}

static ALWAYS_INLINE double dot_at(const struct binary_row *row, enum width width, const double *w)
{
    if (row->value)
        return dot_as(row, width, VALUES_DOUBLE, w);
    return row->whole ? row->unit * dot_as(row, width, VALUES_WHOLE, w)
                      : dot_as(row, width, VALUES_ONE, w);
}

/* sum_k value[k] w[index[k]] */
static ALWAYS_INLINE double sparse_dot(const struct binary_row *row, const double *w)
{
    if (row->width == FOUR_BYTES)
        return dot_at(row, FOUR_BYTES, w);
    return row->width == TWO_BYTES ? dot_at(row, TWO_BYTES, w) : dot_at(row, ONE_BYTE, w);
}

static ALWAYS_INLINE void add_as(const struct binary_row *row, enum width width, enum values values,
                                 double factor, double *w)
{
    for (size_t k = 0; k < row->count; k++)
        ENTRY(w, row, width, k) += factor * bare_value(row, values, k);
}

static ALWAYS_INLINE void add_at(const struct binary_row *row, enum width width, double factor,
                                 double *w)
{
    if (row->value)
        add_as(row, width, VALUES_DOUBLE, factor, w);
    else if (row->whole)
        add_as(row, width, VALUES_WHOLE, factor * row->unit, w);
    else
        add_as(row, width, VALUES_ONE, factor, w);
}

/* w += factor x */
static ALWAYS_INLINE void sparse_add(const struct binary_row *row, double factor, double *w)
{
    if (row->width == FOUR_BYTES)
        add_at(row, FOUR_BYTES, factor, w);
    else if (row->width == TWO_BYTES)
        add_at(row, TWO_BYTES, factor, w);
    else
        add_at(row, ONE_BYTE, factor, w);
}

static ALWAYS_INLINE double square_as(const struct binary_row *row, enum values values)
{
    double even = 0, odd = 0;
    size_t k = 0;

    for (; k + 1 < row->count; k += 2) {
        even += bare_value(row, values, k) * bare_value(row, values, k);
        odd += bare_value(row, values, k + 1) * bare_value(row, values, k + 1);
    }
    if (k < row->count)
        even += bare_value(row, values, k) * bare_value(row, values, k);
    return even + odd;
}

/* |x|^2 */
static inline double sparse_square(const struct binary_row *row)
{
    if (row->value)
        return square_as(row, VALUES_DOUBLE);
    return row->whole ? row->unit * row->unit * square_as(row, VALUES_WHOLE) : (double)row->count;
}

/* Four lines of the matrix at a time share the loads, and the end of a loop. */
static ALWAYS_INLINE void outer_as(const struct binary_row *row, enum width width,
                                   enum values values, double factor, double *matrix, size_t order)
{
    enum { LINES = 4 };
    size_t k = 0;

    for (; k + LINES <= row->count; k += LINES) {
        double *line[LINES], multiple[LINES];

        for (size_t u = 0; u < LINES; u++) {
            line[u] = matrix + index_as(row, width, k + u) * order;
            multiple[u] = factor * bare_value(row, values, k + u);
            for (size_t l = u; l < LINES; l++)
                line[u][index_as(row, width, k + l)] +=
                    multiple[u] * bare_value(row, values, k + l);
        }
        for (size_t l = k + LINES; l < row->count; l++)
            for (size_t u = 0; u < LINES; u++)
                line[u][index_as(row, width, l)] += multiple[u] * bare_value(row, values, l);
    }
    for (; k < row->count; k++)
        for (size_t l = k; l < row->count; l++)
            matrix[index_as(row, width, k) * order + index_as(row, width, l)] +=
                factor * bare_value(row, values, k) * bare_value(row, values, l);
}

static ALWAYS_INLINE void outer_at(const struct binary_row *row, enum width width, double factor,
                                   double *matrix, size_t order)
{
    if (row->value)
        outer_as(row, width, VALUES_DOUBLE, factor, matrix, order);
    else if (row->whole)
        outer_as(row, width, VALUES_WHOLE, factor * row->unit * row->unit, matrix, order);
    else
        outer_as(row, width, VALUES_ONE, factor, matrix, order);
}

/* matrix[order^2] += factor x x', upper triangle by rows: the features of a row ascend. */
static inline void sparse_outer(const struct binary_row *row, double factor, double *matrix,
                                size_t order)
{
    if (row->width == FOUR_BYTES)
        outer_at(row, FOUR_BYTES, factor, matrix, order);
    else if (row->width == TWO_BYTES)
        outer_at(row, TWO_BYTES, factor, matrix, order);
    else
        outer_at(row, ONE_BYTE, factor, matrix, order);
}

/* Asks for the first non-zeros, so many at most, cache line by cache line. */
static ALWAYS_INLINE void sparse_prefetch(const struct binary_row *row, size_t most)
{
    enum { LINE = 64, WHOLES = 16, DOUBLES = 8 };
    const size_t end = row->count < most ? row->count : most;

    for (size_t k = 0; k < end << row->width; k += LINE)
        PREFETCH((const char *)row->index + k);
    for (size_t k = 0; row->whole && k < end; k += WHOLES)
        PREFETCH(row->whole + k);
    for (size_t k = 0; row->value && k < end; k += DOUBLES)
        PREFETCH(row->value + k);
}

/* sum_j a[j] b[j]; dense, so that eight chains pay. */
static inline double dense_dot(const double *a, const double *b, size_t count)
{
    double sum[8] = {0};
    size_t j = 0;

    for (; j + 8 <= count; j += 8)
        for (size_t k = 0; k < 8; k++)
            sum[k] += a[j + k] * b[j + k];
    for (; j < count; j++)
        sum[0] += a[j] * b[j];
    return ((sum[0] + sum[1]) + (sum[2] + sum[3])) + ((sum[4] + sum[5]) + (sum[6] + sum[7]));
}

#endif
