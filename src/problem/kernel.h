/* kernel.h - loops over the entries of a sparse or dense vector.
 *
 * An addition waits for the one before it, so two chains of partial sums take half the time. Eight
 * chains pay on long rows, not on rows of a dozen non-zeros. The order of additions is part of the
 * result and the same on every machine. Each loop is compiled for every kind of values and indices.
 * Floats are converted to double first. Equal values give the same bits in every kind, except for
 * whole numbers with a unit other than 1.
 */
#ifndef HINGE_PROBLEM_KERNEL_H
#define HINGE_PROBLEM_KERNEL_H

#include <math.h>

#include "base/compiler.h"
#include "data/pages.h"

/* A sparse vector: entries of a matrix, usually a row, without the bias feature. */
struct sparse {
    enum hinge_index_kind index_kind;
    enum hinge_value_kind value_kind;
    const void *index; /* [count] */
    const void *value; /* [count]; NULL: all are 1 */
    double unit;       /* for HINGE_VALUE_WHOLE 1/scale; else 1 */
    size_t count;
    size_t first; /* for HINGE_INDEX_NONE: index of the first entry */
};

/* Returns the index of an entry of a vector with this kind of indices. */
static ALWAYS_INLINE uint32_t index_as(const struct sparse *x, enum hinge_index_kind kind, size_t k)
{
    if (kind == HINGE_INDEX_32)
        return ((const uint32_t *)x->index)[k];
    if (kind == HINGE_INDEX_16)
        return ((const uint16_t *)x->index)[k];
    return kind == HINGE_INDEX_8 ? ((const uint8_t *)x->index)[k] : (uint32_t)(x->first + k);
}

/* Returns the value of an entry of a vector with this kind of values, without the unit. */
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

/* Returns the unit of values of this kind; compilers drop a product with a constant 1. */
static ALWAYS_INLINE double unit_as(const struct sparse *x, enum hinge_value_kind kind)
{
    return kind == HINGE_VALUE_WHOLE ? x->unit : 1;
}

/* Returns a value with its unit. */
static ALWAYS_INLINE double value_as(const struct sparse *x, enum hinge_value_kind kind, size_t k)
{
    return kind == HINGE_VALUE_WHOLE ? bare_value(x, kind, k) * x->unit : bare_value(x, kind, k);
}

static inline double value_at(const struct sparse *x, size_t k)
{
    return value_as(x, x->value_kind, k);
}

/* Executes the statement, in which `name` is the kind as a compile-time constant. */
#define WITH_KIND(type, name, kind, statement)                                                     \
    do {                                                                                           \
        const enum type name = kind;                                                               \
                                                                                                   \
        statement;                                                                                 \
    } while (0)

/* Executes the statement, which may be a return, with the kind of values as the constant KIND.
 * Contains a copy of the statement for each kind. */
#define WITH_VALUES(x, statement)                                                                  \
    do {                                                                                           \
        if ((x)->value_kind == HINGE_VALUE_DOUBLE)                                                 \
            WITH_KIND(hinge_value_kind, KIND, HINGE_VALUE_DOUBLE, statement);                      \
        else if ((x)->value_kind == HINGE_VALUE_WHOLE)                                             \
            WITH_KIND(hinge_value_kind, KIND, HINGE_VALUE_WHOLE, statement);                       \
        else if ((x)->value_kind == HINGE_VALUE_ONE)                                               \
            WITH_KIND(hinge_value_kind, KIND, HINGE_VALUE_ONE, statement);                         \
        else                                                                                       \
            WITH_KIND(hinge_value_kind, KIND, HINGE_VALUE_FLOAT, statement);                       \
    } while (0)

/* Executes the statement with the kind of listed indices as the constant INDEX. Contains a copy of
 * the statement for each kind. */
#define WITH_LISTED(x, statement)                                                                  \
    do {                                                                                           \
        if ((x)->index_kind == HINGE_INDEX_16)                                                     \
            WITH_KIND(hinge_index_kind, INDEX, HINGE_INDEX_16, statement);                         \
        else if ((x)->index_kind == HINGE_INDEX_8)                                                 \
            WITH_KIND(hinge_index_kind, INDEX, HINGE_INDEX_8, statement);                          \
        else                                                                                       \
            WITH_KIND(hinge_index_kind, INDEX, HINGE_INDEX_32, statement);                         \
    } while (0)

/* Executes the statement with the kind of indices as the constant INDEX. Contains a copy of the
 * statement for each kind. */
#define WITH_INDICES(x, statement)                                                                 \
    do {                                                                                           \
        if ((x)->index_kind == HINGE_INDEX_NONE)                                                   \
            WITH_KIND(hinge_index_kind, INDEX, HINGE_INDEX_NONE, statement);                       \
        else                                                                                       \
            WITH_LISTED(x, statement);                                                             \
    } while (0)

/* Returns log2 of the bytes of a value of a stored kind. */
static ALWAYS_INLINE unsigned value_shift(enum hinge_value_kind kind)
{
    return kind == HINGE_VALUE_DOUBLE ? 3 : 2;
}

/* Returns the unit of a matrix whose values are of this kind. */
static ALWAYS_INLINE double matrix_unit(const struct hinge_matrix *x, enum hinge_value_kind kind)
{
    return kind == HINGE_VALUE_WHOLE ? 1 / x->scale : 1;
}

/* Returns count entries of a matrix from entry start on, the first of a row. */
static ALWAYS_INLINE struct sparse sparse_part(const struct hinge_matrix *x, size_t start,
                                               size_t count)
{
    struct sparse part = {.index_kind = x->index_kind, .value_kind = x->value_kind, .count = count};

    part.index = x->index_kind == HINGE_INDEX_NONE
                     ? NULL
                     : (const char *)x->index + (start << x->index_kind);
    part.value = x->value_kind == HINGE_VALUE_ONE
                     ? NULL
                     : (const char *)x->value + (start << value_shift(x->value_kind));
    part.unit = matrix_unit(x, x->value_kind);
    return part;
}

/* Returns a row of a matrix. In a paged matrix, the next call may overwrite the row. */
static ALWAYS_INLINE struct sparse sparse_row(const struct hinge_matrix *x, size_t row)
{
    const size_t *start = x->start + row;

    if (UNLIKELY(x->pages != NULL)) {
        const struct pages_row place = pages_find(x, row);
        const struct hinge_matrix found = {.index_kind = x->index_kind,
                                           .value_kind = x->value_kind,
                                           .index = (void *)place.index,
                                           .value = (void *)place.value,
                                           .scale = x->scale};

        return sparse_part(&found, 0, start[1] - *start);
    }
    return sparse_part(x, *start, start[1] - *start);
}

/* Returns the entries start .. end - 1 of a matrix, which belong to the row. */
static ALWAYS_INLINE struct sparse sparse_slice(const struct hinge_matrix *x, size_t row,
                                                size_t start, size_t end)
{
    struct sparse slice = sparse_part(x, start, end - start);

    slice.first = start - x->start[row];
    return slice;
}

/* ---- Loops over entries ------------------------------------------------- */

enum { LONG_ROW = 16 }; /* rows of at least LONG_ROW entries are summed in eight chains */

/* Returns the place in w of entry k of x. */
static ALWAYS_INLINE size_t place_as(const struct sparse *x, enum hinge_index_kind kind, size_t k)
{
    return kind == HINGE_INDEX_NONE ? x->first + k : index_as(x, kind, k);
}

/* <w, x>, for kinds that are constants */
static ALWAYS_INLINE double dot_as(const struct sparse *x, enum hinge_index_kind index_kind,
                                   enum hinge_value_kind value_kind, const double *w)
{
    enum { CHAINS = 8 };
    double even = 0, odd = 0, sum[CHAINS] = {0};
    size_t k = 0;

    if (x->count < LONG_ROW) {
        for (; k + 1 < x->count; k += 2) {
            even += bare_value(x, value_kind, k) * w[place_as(x, index_kind, k)];
            odd += bare_value(x, value_kind, k + 1) * w[place_as(x, index_kind, k + 1)];
        }
        if (k < x->count)
            even += bare_value(x, value_kind, k) * w[place_as(x, index_kind, k)];
        return unit_as(x, value_kind) * (even + odd);
    }
    for (; k + CHAINS <= x->count; k += CHAINS)
        for (size_t c = 0; c < CHAINS; c++)
            sum[c] += bare_value(x, value_kind, k + c) * w[place_as(x, index_kind, k + c)];
    for (; k < x->count; k++)
        sum[0] += bare_value(x, value_kind, k) * w[place_as(x, index_kind, k)];
    return unit_as(x, value_kind) *
           (((sum[0] + sum[1]) + (sum[2] + sum[3])) + ((sum[4] + sum[5]) + (sum[6] + sum[7])));
}

/* w += factor x, or x^2, entry by entry, for kinds that are constants */
static ALWAYS_INLINE void add_as(const struct sparse *x, enum hinge_index_kind index_kind,
                                 enum hinge_value_kind value_kind, int squared, double factor,
                                 double *w)
{
    const double unit = unit_as(x, value_kind), multiple = factor * (squared ? unit * unit : unit);

    for (size_t k = 0; k < x->count; k++) {
        const double value = bare_value(x, value_kind, k);

        w[place_as(x, index_kind, k)] += multiple * (squared ? value * value : value);
    }
}

/* <w, x> and w += factor x, for rows with indices (listed) and without (whole). These functions are
 * compiled once, in kernel.c. With a copy for each kind in every loop over rows, train had 200 KB
 * more of text. A call costs up to 3 % of a training on rows of a dozen non-zeros, and nothing on
 * long rows. The arguments are values because a row whose address is passed keeps no field in a
 * register. */
double listed_dot(enum hinge_index_kind index_kind, enum hinge_value_kind value_kind,
                  const void *index, const void *value, double unit, size_t count, const double *w);
void listed_add(enum hinge_index_kind index_kind, enum hinge_value_kind value_kind,
                const void *index, const void *value, double unit, size_t count, double factor,
                double *w);
double whole_dot(enum hinge_value_kind kind, const void *value, double unit, size_t count,
                 const double *w);
void whole_add(enum hinge_value_kind kind, const void *value, double unit, size_t count,
               double factor, double *w);

/* True if the rows of a matrix have no indices, and are in memory. */
static inline int has_whole_rows(const struct hinge_matrix *x)
{
    return x->index_kind == HINGE_INDEX_NONE && !x->pages;
}

/* True if rows without indices exceed the cache, so that loops over them wait for memory. With slow
 * memory, loops that fetch rows ahead take half to two thirds of the time. */
static inline int whole_rows_wait(const struct hinge_matrix *x)
{
    static const size_t CACHED = (size_t)1 << 21; /* bytes of a core's second-level cache */

    return x->value_kind != HINGE_VALUE_ONE && x->nonzeros > CACHED >> value_shift(x->value_kind);
}

/* Do what whole_dot and whole_add do for many rows of a matrix without indices, with the same bits:
 * dot[k] := <row[k], w>; w += sum_k factor[k] row[k], added one after the other. Short rows take
 * half the time; adding long rows takes two thirds. */
void whole_rows_dot(const struct hinge_matrix *x, const uint32_t *row, size_t count,
                    const double *w, double *dot);
void whole_rows_add(const struct hinge_matrix *x, const uint32_t *row, size_t count,
                    const double *factor, double *w);

/* sum_k value[k] w[index[k]] */
static ALWAYS_INLINE double sparse_dot(const struct sparse *x, const double *w)
{
    return x->index_kind == HINGE_INDEX_NONE
               ? whole_dot(x->value_kind, x->value, x->unit, x->count, w + x->first)
               : listed_dot(x->index_kind, x->value_kind, x->index, x->value, x->unit, x->count, w);
}

/* w += factor x */
static ALWAYS_INLINE void sparse_add(const struct sparse *x, double factor, double *w)
{
    if (x->index_kind == HINGE_INDEX_NONE)
        whole_add(x->value_kind, x->value, x->unit, x->count, factor, w + x->first);
    else
        listed_add(x->index_kind, x->value_kind, x->index, x->value, x->unit, x->count, factor, w);
}

/* w += factor x^2, entry by entry */
void sparse_add_squares(const struct sparse *x, double factor, double *w);

static ALWAYS_INLINE double square_as(const struct sparse *x, enum hinge_value_kind kind)
{
    const double unit = unit_as(x, kind);
    double even = 0, odd = 0;
    size_t k = 0;

    if (kind == HINGE_VALUE_ONE)
        return (double)x->count;
    for (; k + 1 < x->count; k += 2) {
        even += bare_value(x, kind, k) * bare_value(x, kind, k);
        odd += bare_value(x, kind, k + 1) * bare_value(x, kind, k + 1);
    }
    if (k < x->count)
        even += bare_value(x, kind, k) * bare_value(x, kind, k);
    return unit * unit * (even + odd);
}

/* |x|^2 */
static inline double sparse_square(const struct sparse *x)
{
    WITH_VALUES(x, return square_as(x, KIND));
}

/* Fetches the cache lines of the first `most` entries at most. Values are most of a row, so their
 * last line is fetched as well. */
static ALWAYS_INLINE void sparse_prefetch(const struct sparse *x, size_t most)
{
    enum { LINE = 64 };
    const size_t end = x->count < most ? x->count : most;
    const size_t indices = x->index_kind == HINGE_INDEX_NONE ? 0 : end << x->index_kind;
    const size_t values = x->value_kind == HINGE_VALUE_ONE ? 0 : end << value_shift(x->value_kind);

    for (size_t k = 0; k < indices; k += LINE)
        PREFETCH((const char *)x->index + k);
    for (size_t k = 0; k < values; k += LINE)
        PREFETCH((const char *)x->value + k);
    if (values > 0)
        PREFETCH((const char *)x->value + values - 1);
}

/* Returns the largest |a[j]|; 0 for an empty vector, NaN if one is NaN. */
double dense_largest(const double *a, size_t count);

/* Returns the largest |value| of a matrix in memory; 1 if all values are 1 by their kind. */
double matrix_largest(const struct hinge_matrix *x);

/* Returns the number of a[j] that are not 0. */
size_t dense_nonzeros(const double *a, size_t count);

static inline int dense_is_zero(const double *a, size_t count)
{
    while (count > 0 && a[count - 1] == 0)
        count--;
    return count == 0;
}

/* Returns sum_j a[j], in eight chains. */
static ALWAYS_INLINE double dense_sum(const double *a, size_t count)
{
    double sum[8] = {0};
    size_t j = 0;

    for (; j + 8 <= count; j += 8)
        for (size_t k = 0; k < 8; k++)
            sum[k] += a[j + k];
    for (; j < count; j++)
        sum[0] += a[j];
    return ((sum[0] + sum[1]) + (sum[2] + sum[3])) + ((sum[4] + sum[5]) + (sum[6] + sum[7]));
}

/* Returns sum_j a[j] b[j], in eight chains. */
static ALWAYS_INLINE double dense_dot(const double *a, const double *b, size_t count)
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
