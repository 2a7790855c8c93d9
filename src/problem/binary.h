/* binary.h - a binary problem as a view of a dataset: which rows, which signs, which costs.
 *
 * Folds, classes, class weights and left-out rows are all such views; the data are stored once.
 */
#ifndef HINGE_PROBLEM_BINARY_H
#define HINGE_PROBLEM_BINARY_H

#include "base/compiler.h"
#include "hinge.h"

struct binary_problem {
    const struct hinge_dataset *data;
    uint32_t rows;           /* of the view */
    const uint32_t *row;     /* [rows] row of the dataset */
    const signed char *sign; /* [rows] y_i: +1 or -1 */
    const double *cost;      /* [rows] C_i > 0 */
    double bias;             /* value of the constant feature, the last one; < 0: none */
    int free_bias;           /* its weight counts in no |w|^2, its value in no |x_i|^2: a free
                                threshold, whose dual is the constraint sum_i alpha_i y_i = 0 */
};

/* What type the indices of a row have: uint8_t, uint16_t, uint32_t, of 1 << width bytes. */
enum width { ONE_BYTE, TWO_BYTES, FOUR_BYTES };

/* The non-zeros of a row, without the bias feature. */
struct binary_row {
    enum width width;
    const void *index;    /* [count] */
    const double *value;  /* [count]; NULL: whole * unit, or 1 */
    const int32_t *whole; /* [count]; NULL: all are 1 */
    double unit;
    size_t count;
};

/* The index of a non-zero of a row that has this width. */
static ALWAYS_INLINE uint32_t index_as(const struct binary_row *row, enum width width, size_t k)
{
    if (width == FOUR_BYTES)
        return ((const uint32_t *)row->index)[k];
    return width == TWO_BYTES ? ((const uint16_t *)row->index)[k]
                              : ((const uint8_t *)row->index)[k];
}

static inline uint32_t index_at(const struct binary_row *row, size_t k)
{
    return index_as(row, row->width, k);
}

static inline double value_at(const struct binary_row *row, size_t k)
{
    if (row->value)
        return row->value[k];
    return row->whole ? row->whole[k] * row->unit : 1;
}

/* So many non-zeros of the dataset from one on. */
static ALWAYS_INLINE struct binary_row non_zeros(const struct hinge_dataset *data, size_t start,
                                                 size_t count)
{
    struct binary_row row = {.count = count};

    row.width = data->index ? FOUR_BYTES : data->narrow ? TWO_BYTES : ONE_BYTE;
    row.index = data->index    ? (const void *)(data->index + start)
                : data->narrow ? (const void *)(data->narrow + start)
                               : (const void *)(data->tiny + start);
    row.value = data->value ? data->value + start : NULL;
    row.whole = data->whole ? data->whole + start : NULL;
    row.unit = data->whole ? 1 / data->scale : 1;
    return row;
}

static inline struct binary_row binary_row(const struct binary_problem *problem, uint32_t i)
{
    const size_t *start = problem->data->start + problem->row[i];

    return non_zeros(problem->data, *start, start[1] - *start);
}

/* Entries of w: the features, and one for the bias. */
size_t binary_width(const struct binary_problem *problem);

/* <w, x_i>, the bias feature included. */
double binary_decision(const struct binary_problem *problem, uint32_t i, const double *w);

/* How many of these, the first ones, count in |w|^2: all but a free bias. */
size_t binary_penalised(const struct binary_problem *problem);

/* |x_i|^2, the bias feature included unless it is free. */
double binary_square(const struct binary_problem *problem, uint32_t i);

/* w := sum_i alpha_i y_i x_i, the rows in their order; alpha[rows]. */
void binary_weights(const struct binary_problem *problem, const double *alpha, double *w);

/* w += factor sum_s alpha_s y_s x_s of some rows, row[count] and alpha[count]; row NULL: the first
 * ones. */
void binary_add(const struct binary_problem *problem, const uint32_t *row, const double *alpha,
                uint32_t count, double factor, double *w);

/* z_s := y_s <v, x_s> of some rows, as above. */
void binary_margins(const struct binary_problem *problem, const uint32_t *row, uint32_t count,
                    const double *v, double *z);

/* The margins of all rows, some at a time:
 *
 *     for (struct margins some = margins_of(problem, w); margins_next(&some);)
 *         ... some.z[k] is that of row some.first + k, k < some.count
 */
struct margins {
    const struct binary_problem *problem;
    const double *w;
    uint32_t first;
    uint32_t count;
    double z[256];
};

struct margins margins_of(const struct binary_problem *problem, const double *w);
int margins_next(struct margins *some);

#endif
