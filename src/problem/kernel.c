/* kernel.c - loops over rows; the loops without indices are compiled for several instruction sets.
 */
#include "problem/kernel.h"

#include <string.h>

double listed_dot(enum hinge_index_kind index_kind, enum hinge_value_kind value_kind,
                  const void *index, const void *value, double unit, size_t count, const double *w)
{
    const struct sparse x = {index_kind, value_kind, index, value, unit, count, 0};

    WITH_LISTED(&x, WITH_VALUES(&x, return dot_as(&x, INDEX, KIND, w)));
}

void listed_add(enum hinge_index_kind index_kind, enum hinge_value_kind value_kind,
                const void *index, const void *value, double unit, size_t count, double factor,
                double *w)
{
    const struct sparse x = {index_kind, value_kind, index, value, unit, count, 0};

    WITH_LISTED(&x, WITH_VALUES(&x, add_as(&x, INDEX, KIND, 0, factor, w)));
}

static ALWAYS_INLINE struct sparse whole_row(enum hinge_value_kind kind, const void *value,
                                             double unit, size_t count)
{
    return (struct sparse){HINGE_INDEX_NONE, kind, NULL, value, unit, count, 0};
}

VERSIONED(double, return, whole_dot,
          (enum hinge_value_kind kind, const void *value, double unit, size_t count,
           const double *w),
          (kind, value, unit, count, w))
{
    const struct sparse x = whole_row(kind, value, unit, count);

    WITH_VALUES(&x, return dot_as(&x, HINGE_INDEX_NONE, KIND, w));
}

VERSIONED(void, (void), whole_add,
          (enum hinge_value_kind kind, const void *value, double unit, size_t count, double factor,
           double *w),
          (kind, value, unit, count, factor, w))
{
    const struct sparse x = whole_row(kind, value, unit, count);

    WITH_VALUES(&x, add_as(&x, HINGE_INDEX_NONE, KIND, 0, factor, w));
}

/* Doubles of at least 0 have the same order as their bits. Compilers use vectors for a maximum of
 * integers, and not for a maximum of doubles. */
VERSIONED(double, return, dense_largest, (const double *a, size_t count), (a, count))
{
    int64_t largest = 0, bits;
    double value;

    for (size_t j = 0; j < count; j++) {
        memcpy(&bits, &a[j], sizeof bits);
        bits &= INT64_MAX;
        largest = bits > largest ? bits : largest;
    }
    memcpy(&value, &largest, sizeof value);
    return value;
}

STATIC_VERSIONED(double, return, whole_largest, (const int32_t *a, size_t count), (a, count))
{
    int32_t high = 0, low = 0;

    for (size_t j = 0; j < count; j++) {
        high = a[j] > high ? a[j] : high;
        low = a[j] < low ? a[j] : low;
    }
    return high > -(double)low ? high : -(double)low;
}

double matrix_largest(const struct hinge_matrix *x)
{
    double largest = 0;

    switch (x->value_kind) {
    case HINGE_VALUE_ONE:
        return 1;
    case HINGE_VALUE_WHOLE:
        return whole_largest(x->value, x->nonzeros) / x->scale;
    case HINGE_VALUE_DOUBLE:
        return dense_largest(x->value, x->nonzeros);
    case HINGE_VALUE_FLOAT:
        for (size_t k = 0; k < x->nonzeros; k++)
            largest = fmax(largest, fabs(hinge_value(x, k)));
    }
    return largest;
}

VERSIONED(size_t, return, dense_nonzeros, (const double *a, size_t count), (a, count))
{
    size_t nonzeros = 0;

    for (size_t j = 0; j < count; j++)
        nonzeros += a[j] != 0;
    return nonzeros;
}

/* Returns a row of a matrix whose kind of values is a compile-time constant. */
static ALWAYS_INLINE struct sparse whole_row_of(const struct hinge_matrix *x,
                                                enum hinge_value_kind kind, double unit,
                                                uint32_t row)
{
    const size_t start = x->start[row], count = x->start[row + (size_t)1] - start;
    const void *value =
        kind == HINGE_VALUE_ONE ? NULL : (const char *)x->value + (start << value_shift(kind));

    return whole_row(kind, value, unit, count);
}

/* Number of rows added at a time, so that each part of w is read and written once for all. */
enum { TILE = 4 };

/* w += sum_t factor[t] x[t], added one after the other. */
static ALWAYS_INLINE void tile_add(const struct sparse *x, enum hinge_value_kind kind, double unit,
                                   const double *factor, double *restrict w)
{
    const double a = factor[0] * unit, b = factor[1] * unit, c = factor[2] * unit,
                 d = factor[3] * unit;

    for (size_t k = 0; k < x->count; k++)
        w[k] = (((w[k] + a * bare_value(&x[0], kind, k)) + b * bare_value(&x[1], kind, k)) +
                c * bare_value(&x[2], kind, k)) +
               d * bare_value(&x[3], kind, k);
}

static ALWAYS_INLINE void rows_dot(const struct hinge_matrix *x, enum hinge_value_kind kind,
                                   const uint32_t *row, size_t count, const double *w,
                                   double *restrict dot)
{
    enum { PAGE = 4096 };
    const double unit = matrix_unit(x, kind);
    const size_t bytes = (x->start[1] - x->start[0]) << value_shift(kind);
    /* a row is fetched a page ahead, because hardware stops prefetching at the end of a page */
    const size_t ahead = whole_rows_wait(x) ? 1 + PAGE / (bytes + 1) : count;

    for (size_t k = 0; k < count; k++) {
        const struct sparse of = whole_row_of(x, kind, unit, row[k]);

        if (k + ahead < count) {
            const struct sparse later = whole_row_of(x, kind, unit, row[k + ahead]);

            sparse_prefetch(&later, SIZE_MAX);
        }
        dot[k] = dot_as(&of, HINGE_INDEX_NONE, kind, w);
    }
}

VERSIONED(void, (void), whole_rows_dot,
          (const struct hinge_matrix *x, const uint32_t *row, size_t count, const double *w,
           double *dot),
          (x, row, count, w, dot))
{
    WITH_VALUES(x, rows_dot(x, KIND, row, count, w, dot));
}

static ALWAYS_INLINE void rows_add(const struct hinge_matrix *x, enum hinge_value_kind kind,
                                   const uint32_t *row, size_t count, const double *factor,
                                   double *w)
{
    const double unit = matrix_unit(x, kind);
    size_t k = 0;

    for (; k + TILE <= count; k += TILE) {
        struct sparse tile[TILE];

        for (size_t t = 0; t < TILE; t++)
            tile[t] = whole_row_of(x, kind, unit, row[k + t]);
        tile_add(tile, kind, unit, factor + k, w);
    }
    for (; k < count; k++) {
        const struct sparse of = whole_row_of(x, kind, unit, row[k]);

        add_as(&of, HINGE_INDEX_NONE, kind, 0, factor[k], w);
    }
}

VERSIONED(void, (void), whole_rows_add,
          (const struct hinge_matrix *x, const uint32_t *row, size_t count, const double *factor,
           double *w),
          (x, row, count, factor, w))
{
    WITH_VALUES(x, rows_add(x, KIND, row, count, factor, w));
}

VERSIONED(void, (void), sparse_add_squares, (const struct sparse *x, double factor, double *w),
          (x, factor, w))
{
    WITH_INDICES(x, WITH_VALUES(x, add_as(x, INDEX, KIND, 1, factor, w)));
}
