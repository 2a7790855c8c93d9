/* kernel.h - the loops over the entries of a sparse vector, and over a dense one.
 *
 * Two partial sums: an addition waits for the one before it, so that two chains take half the
 * time; more do not pay on rows of a dozen non-zeros. The order of additions is part of the
 * result and the same on every machine. Each loop is compiled for every kind of values and
 * indices; floats are converted to double first, and the same values give the same bits whatever
 * their kind, wholes with a unit other than 1 apart.
 */
#ifndef HINGE_PROBLEM_KERNEL_H
#define HINGE_PROBLEM_KERNEL_H

#include <math.h>

#include "base/compiler.h"
#include "hinge.h"

/* A sparse vector: some entries of a matrix, as a rule a row's, without the bias feature. */
struct sparse {
    enum hinge_index_kind index_kind;
    enum hinge_value_kind value_kind;
    const void *index; /* [count] */
    const void *value; /* [count]; NULL: all are 1 */
    double unit;       /* of HINGE_VALUE_WHOLE, 1/scale; else 1 */
    size_t count;
};

/* The index of an entry of a vector that is of this kind. */
static ALWAYS_INLINE uint32_t index_as(const struct sparse *x, enum hinge_index_kind kind, size_t k)
{
    if (kind == HINGE_INDEX_32)
        return ((const uint32_t *)x->index)[k];
    return kind == HINGE_INDEX_16 ? ((const uint16_t *)x->index)[k]
                                  : ((const uint8_t *)x->index)[k];
}

/* Its value, of this kind, without the unit. */
static ALWAYS_INLINE double bare_value(const struct sparse *x, enum hinge_value_kind kind, size_t k)
{
    if (kind == HINGE_VALUE_DOUBLE)
        return ((const double *)x->value)[k];
    if (kind == HINGE_VALUE_WHOLE)
        return ((const int32_t *)x->value)[k];
    return kind == HINGE_VALUE_FLOAT ? (double)((const float *)x->value)[k] : 1;
}

static inline uint32_t index_at(const struct sparse *x, size_t k)
{
    return index_as(x, x->index_kind, k);
}

static inline double value_at(const struct sparse *x, size_t k)
{
    const double bare = bare_value(x, x->value_kind, k);

    return x->value_kind == HINGE_VALUE_WHOLE ? bare * x->unit : bare;
}

/* Bytes of a value, which is of a kind that is stored, as a power of two. */
static ALWAYS_INLINE unsigned value_shift(enum hinge_value_kind kind)
{
    return kind == HINGE_VALUE_DOUBLE ? 3 : 2;
}

/* So many entries of a matrix from one on. */
static ALWAYS_INLINE struct sparse sparse_part(const struct hinge_matrix *x, size_t start,
                                               size_t count)
{
    struct sparse part = {.index_kind = x->index_kind, .value_kind = x->value_kind, .count = count};

    part.index = (const char *)x->index + (start << x->index_kind);
    part.value = x->value_kind == HINGE_VALUE_ONE
                     ? NULL
                     : (const char *)x->value + (start << value_shift(x->value_kind));
    part.unit = x->value_kind == HINGE_VALUE_WHOLE ? 1 / x->scale : 1;
    return part;
}

/* ---- Loops over entries ------------------------------------------------- */

/* The entry of w that goes with an entry of x. */
#define ENTRY(w, x, kind, k) ((w)[index_as(x, kind, k)])

static ALWAYS_INLINE double dot_as(const struct sparse *x, enum hinge_index_kind index_kind,
                                   enum hinge_value_kind value_kind, const double *w)
{
    double even = 0, odd = 0;
    size_t k = 0;

    for (; k + 1 < x->count; k += 2) {
        even += bare_value(x, value_kind, k) * ENTRY(w, x, index_kind, k);
        odd += bare_value(x, value_kind, k + 1) * ENTRY(w, x, index_kind, k + 1);
    }
    if (k < x->count)
        even += bare_value(x, value_kind, k) * ENTRY(w, x, index_kind, k);
    return even + odd;
}

static ALWAYS_INLINE double dot_at(const struct sparse *x, enum hinge_index_kind kind,
                                   const double *w)
{
    if (x->value_kind == HINGE_VALUE_DOUBLE)
        return dot_as(x, kind, HINGE_VALUE_DOUBLE, w);
    if (x->value_kind == HINGE_VALUE_WHOLE)
        return x->unit * dot_as(x, kind, HINGE_VALUE_WHOLE, w);
    return x->value_kind == HINGE_VALUE_ONE ? dot_as(x, kind, HINGE_VALUE_ONE, w)
                                            : dot_as(x, kind, HINGE_VALUE_FLOAT, w);
}

/* sum_k value[k] w[index[k]] */
static ALWAYS_INLINE double sparse_dot(const struct sparse *x, const double *w)
{
    if (x->index_kind == HINGE_INDEX_32)
        return dot_at(x, HINGE_INDEX_32, w);
    return x->index_kind == HINGE_INDEX_16 ? dot_at(x, HINGE_INDEX_16, w)
                                           : dot_at(x, HINGE_INDEX_8, w);
}

static ALWAYS_INLINE void add_as(const struct sparse *x, enum hinge_index_kind index_kind,
                                 enum hinge_value_kind value_kind, double factor, double *w)
{
    for (size_t k = 0; k < x->count; k++)
        ENTRY(w, x, index_kind, k) += factor * bare_value(x, value_kind, k);
}

static ALWAYS_INLINE void add_at(const struct sparse *x, enum hinge_index_kind kind, double factor,
                                 double *w)
{
    if (x->value_kind == HINGE_VALUE_DOUBLE)
        add_as(x, kind, HINGE_VALUE_DOUBLE, factor, w);
    else if (x->value_kind == HINGE_VALUE_WHOLE)
        add_as(x, kind, HINGE_VALUE_WHOLE, factor * x->unit, w);
    else if (x->value_kind == HINGE_VALUE_ONE)
        add_as(x, kind, HINGE_VALUE_ONE, factor, w);
    else
        add_as(x, kind, HINGE_VALUE_FLOAT, factor, w);
}

/* w += factor x */
static ALWAYS_INLINE void sparse_add(const struct sparse *x, double factor, double *w)
{
    if (x->index_kind == HINGE_INDEX_32)
        add_at(x, HINGE_INDEX_32, factor, w);
    else if (x->index_kind == HINGE_INDEX_16)
        add_at(x, HINGE_INDEX_16, factor, w);
    else
        add_at(x, HINGE_INDEX_8, factor, w);
}

static ALWAYS_INLINE double square_as(const struct sparse *x, enum hinge_value_kind kind)
{
    double even = 0, odd = 0;
    size_t k = 0;

    for (; k + 1 < x->count; k += 2) {
        even += bare_value(x, kind, k) * bare_value(x, kind, k);
        odd += bare_value(x, kind, k + 1) * bare_value(x, kind, k + 1);
    }
    if (k < x->count)
        even += bare_value(x, kind, k) * bare_value(x, kind, k);
    return even + odd;
}

/* |x|^2 */
static inline double sparse_square(const struct sparse *x)
{
    if (x->value_kind == HINGE_VALUE_DOUBLE)
        return square_as(x, HINGE_VALUE_DOUBLE);
    if (x->value_kind == HINGE_VALUE_WHOLE)
        return x->unit * x->unit * square_as(x, HINGE_VALUE_WHOLE);
    return x->value_kind == HINGE_VALUE_ONE ? (double)x->count : square_as(x, HINGE_VALUE_FLOAT);
}

/* Four lines of the matrix at a time share the loads, and the end of a loop. */
static ALWAYS_INLINE void outer_as(const struct sparse *x, enum hinge_index_kind index_kind,
                                   enum hinge_value_kind value_kind, double factor, double *matrix,
                                   size_t order)
{
    enum { LINES = 4 };
    size_t k = 0;

    for (; k + LINES <= x->count; k += LINES) {
        double *line[LINES], multiple[LINES];

        for (size_t u = 0; u < LINES; u++) {
            line[u] = matrix + index_as(x, index_kind, k + u) * order;
            multiple[u] = factor * bare_value(x, value_kind, k + u);
            for (size_t l = u; l < LINES; l++)
                line[u][index_as(x, index_kind, k + l)] +=
                    multiple[u] * bare_value(x, value_kind, k + l);
        }
        for (size_t l = k + LINES; l < x->count; l++)
            for (size_t u = 0; u < LINES; u++)
                line[u][index_as(x, index_kind, l)] += multiple[u] * bare_value(x, value_kind, l);
    }
    for (; k < x->count; k++)
        for (size_t l = k; l < x->count; l++)
            matrix[index_as(x, index_kind, k) * order + index_as(x, index_kind, l)] +=
                factor * bare_value(x, value_kind, k) * bare_value(x, value_kind, l);
}

static ALWAYS_INLINE void outer_at(const struct sparse *x, enum hinge_index_kind kind,
                                   double factor, double *matrix, size_t order)
{
    if (x->value_kind == HINGE_VALUE_DOUBLE)
        outer_as(x, kind, HINGE_VALUE_DOUBLE, factor, matrix, order);
    else if (x->value_kind == HINGE_VALUE_WHOLE)
        outer_as(x, kind, HINGE_VALUE_WHOLE, factor * x->unit * x->unit, matrix, order);
    else if (x->value_kind == HINGE_VALUE_ONE)
        outer_as(x, kind, HINGE_VALUE_ONE, factor, matrix, order);
    else
        outer_as(x, kind, HINGE_VALUE_FLOAT, factor, matrix, order);
}

/* matrix[order^2] += factor x x', upper triangle by rows: the indices of x ascend. */
static inline void sparse_outer(const struct sparse *x, double factor, double *matrix, size_t order)
{
    if (x->index_kind == HINGE_INDEX_32)
        outer_at(x, HINGE_INDEX_32, factor, matrix, order);
    else if (x->index_kind == HINGE_INDEX_16)
        outer_at(x, HINGE_INDEX_16, factor, matrix, order);
    else
        outer_at(x, HINGE_INDEX_8, factor, matrix, order);
}

/* Asks for the first entries, so many at most, cache line by cache line. */
static ALWAYS_INLINE void sparse_prefetch(const struct sparse *x, size_t most)
{
    enum { LINE = 64 };
    const size_t end = x->count < most ? x->count : most;

    for (size_t k = 0; k < end << x->index_kind; k += LINE)
        PREFETCH((const char *)x->index + k);
    for (size_t k = 0; x->value && k < end << value_shift(x->value_kind); k += LINE)
        PREFETCH((const char *)x->value + k);
}

/* The largest |a[j]|; 0 of none. */
static inline double dense_largest(const double *a, size_t count)
{
    double largest = 0;

    for (size_t j = 0; j < count; j++)
        largest = fabs(a[j]) > largest ? fabs(a[j]) : largest;
    return largest;
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
