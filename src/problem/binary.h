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

static inline struct sparse binary_row(const struct binary_problem *problem, uint32_t i)
{
    const size_t *start = problem->data->x.start + problem->row[i];

    return sparse_part(&problem->data->x, *start, start[1] - *start);
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
