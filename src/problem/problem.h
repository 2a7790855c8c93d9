/* problem.h - a problem: rows of a dataset, a sign, a target and a cost for each, a loss, a
 * regulariser, a bias.
 *
 *     P(w) = R(w) + sum_i C_i phi(t_i - z_i),   z_i = y_i <w, x_i>
 *
 * or, with a class for each row instead of sign and target, a vector of margins z_i = W'x_i, one
 * for each class: softmax.h.
 *
 * It is a view: folds, classes, class weights, left-out rows and parts of the rows are views of
 * data that are stored once. The constant feature of the bias is the last entry of w.
 */
#ifndef HINGE_PROBLEM_PROBLEM_H
#define HINGE_PROBLEM_PROBLEM_H

#include <string.h>

#include "problem/kernel.h"
#include "problem/loss.h"

enum bias_kind {
    BIAS_NONE,
    BIAS_REGULARISED, /* a constant feature like any other */
    BIAS_FREE /* its weight is not in R, its value in no |x_i|^2: a threshold, which the dual
                 has the constraint sum_i alpha_i y_i = 0 for */
};

struct problem {
    const struct hinge_dataset *data;
    uint32_t rows;            /* of the view */
    const uint32_t *row;      /* [rows] row of the dataset */
    const signed char *sign;  /* [rows] y_i: +1 or -1 */
    const double *cost;       /* [rows] C_i > 0 */
    const double *target;     /* [rows] t_i, of a loss that has them */
    size_t classes;           /* k; 0: each row has a sign */
    const uint32_t *class_of; /* [rows] y_i: 0 .. k - 1 */
    enum loss loss;           /* with classes, its generalisation to them */
    double l1;                /* of R, see regulariser.h */
    enum bias_kind bias_kind;
    double bias; /* value of the constant feature */
};

/* Numbers that each feature has in w, and each row in alpha: 1, or one for each class. */
static inline size_t problem_outputs(const struct problem *problem)
{
    return problem->classes > 0 ? problem->classes : 1;
}

/* Entries of alpha. */
static inline size_t problem_duals(const struct problem *problem)
{
    return problem->rows * problem_outputs(problem);
}

/* How many rows of the view a row of the data is, which follow each other: of a regression a row of
 * either sign. */
static inline uint32_t problem_views(const struct problem *problem)
{
    return loss_has_targets(problem->loss) ? 2 : 1;
}

/* Entries of w: the outputs of each feature, and of the bias. */
static inline size_t problem_width(const struct problem *problem)
{
    return problem_outputs(problem) *
           ((size_t)problem->data->features + (problem->bias_kind != BIAS_NONE));
}

/* How many of these, the first ones, are in R. */
static inline size_t problem_penalised(const struct problem *problem)
{
    return problem_outputs(problem) *
           ((size_t)problem->data->features + (problem->bias_kind == BIAS_REGULARISED));
}

/* The features of row i, without the constant one. */
static ALWAYS_INLINE struct sparse problem_row(const struct problem *problem, uint32_t i)
{
    const size_t *start = problem->data->x.start + problem->row[i];

    return sparse_part(&problem->data->x, *start, start[1] - *start);
}

/* How many they are. */
static inline size_t problem_length(const struct problem *problem, uint32_t i)
{
    const size_t *start = problem->data->x.start + problem->row[i];

    return start[1] - *start;
}

/* How many all rows have, about: as if they were as long as those of the whole data on average. */
static inline double problem_nonzeros(const struct problem *problem)
{
    const struct hinge_matrix *x = &problem->data->x;

    return x->rows > 0 ? (double)x->nonzeros * problem->rows / (double)x->rows : 0;
}

/* t_i; the loss is problem->loss, which the caller's compiler may know. */
static ALWAYS_INLINE double problem_target(const struct problem *problem, uint32_t i,
                                           enum loss loss)
{
    return loss_has_targets(loss) ? problem->target[i] : loss_target(loss);
}

/* <w, x>, the constant feature included. */
static ALWAYS_INLINE double problem_dot(const struct problem *problem, const struct sparse *x,
                                        const double *w)
{
    const double dot = sparse_dot(x, w);

    return problem->bias_kind != BIAS_NONE ? dot + problem->bias * w[problem->data->features] : dot;
}

/* w += factor x */
static ALWAYS_INLINE void problem_add(const struct problem *problem, const struct sparse *x,
                                      double factor, double *w)
{
    sparse_add(x, factor, w);
    if (problem->bias_kind != BIAS_NONE)
        w[problem->data->features] += factor * problem->bias;
}

/* Asks for the line of w that goes with an entry some entries after this one. */
static ALWAYS_INLINE void prefetch_line(const struct sparse *x, size_t k, const double *w,
                                        size_t outputs)
{
    enum { AHEAD = 12, DOUBLES = 8 };

    for (size_t m = 0; m < outputs && k + AHEAD < x->count; m += DOUBLES)
        PREFETCH(w + index_at(x, k + AHEAD) * outputs + m);
}

/* y += factor x, both [count] */
static ALWAYS_INLINE void add_multiple(size_t count, double factor, const double *restrict x,
                                       double *restrict y)
{
    for (size_t m = 0; m < count; m++)
        y[m] += factor * x[m];
}

/* z[outputs] := W'x, where w has several outputs. */
static inline void problem_dots(const struct problem *problem, const struct sparse *x,
                                const double *w, double *z)
{
    const size_t outputs = problem->classes;

    memset(z, 0, outputs * sizeof *z);
    for (size_t k = 0; k < x->count; k++) {
        prefetch_line(x, k, w, outputs);
        add_multiple(outputs, value_at(x, k), w + index_at(x, k) * outputs, z);
    }
    if (problem->bias_kind != BIAS_NONE)
        add_multiple(outputs, problem->bias, w + problem->data->features * outputs, z);
}

/* W += x a', a[outputs] */
static inline void problem_add_outer(const struct problem *problem, const struct sparse *x,
                                     const double *a, double *w)
{
    const size_t outputs = problem->classes;

    for (size_t k = 0; k < x->count; k++) {
        prefetch_line(x, k, w, outputs);
        add_multiple(outputs, value_at(x, k), a, w + index_at(x, k) * outputs);
    }
    if (problem->bias_kind != BIAS_NONE)
        add_multiple(outputs, problem->bias, a, w + problem->data->features * outputs);
}

/* The same for some of the outputs: z[s] := <column output[s] of W, x>. */
static inline void problem_dots_of(const struct problem *problem, const struct sparse *x,
                                   const double *w, size_t count, const uint32_t *output, double *z)
{
    const size_t outputs = problem->classes;
    const double *line = w + problem->data->features * outputs;

    for (size_t s = 0; s < count; s++)
        z[s] = problem->bias_kind != BIAS_NONE ? problem->bias * line[output[s]] : 0;
    for (size_t k = 0; k < x->count; k++) {
        const double value = value_at(x, k);

        prefetch_line(x, k, w, outputs);
        line = w + index_at(x, k) * outputs;
        for (size_t s = 0; s < count; s++)
            z[s] += value * line[output[s]];
    }
}

/* Column output[s] of W += a[s] x */
static inline void problem_add_outer_of(const struct problem *problem, const struct sparse *x,
                                        size_t count, const uint32_t *output, const double *a,
                                        double *w)
{
    const size_t outputs = problem->classes;
    double *line = w + problem->data->features * outputs;

    for (size_t s = 0; problem->bias_kind != BIAS_NONE && s < count; s++)
        line[output[s]] += problem->bias * a[s];
    for (size_t k = 0; k < x->count; k++) {
        const double value = value_at(x, k);

        prefetch_line(x, k, w, outputs);
        line = w + index_at(x, k) * outputs;
        for (size_t s = 0; s < count; s++)
            line[output[s]] += value * a[s];
    }
}

/* Makes the outputs of each line of w sum to 0; two become opposite numbers exactly. */
static inline void problem_centre(const struct problem *problem, double *w)
{
    const size_t k = problem->classes, width = problem_width(problem);

    for (double *line = w; line < w + width; line += k) {
        double mean = 0, others = 0;

        for (size_t m = 0; m < k; m++)
            mean += line[m];
        mean /= (double)k;
        for (size_t m = 0; m + 1 < k; m++)
            others += line[m] -= mean;
        line[k - 1] = -others;
    }
}

/* <w, x_i> */
static inline double problem_decision(const struct problem *problem, uint32_t i, const double *w)
{
    const struct sparse x = problem_row(problem, i);

    return problem_dot(problem, &x, w);
}

/* |x_i|^2, without the value of a free bias. */
static inline double problem_square(const struct problem *problem, uint32_t i)
{
    const struct sparse x = problem_row(problem, i);
    const double square = sparse_square(&x);

    return problem->bias_kind == BIAS_REGULARISED ? square + problem->bias * problem->bias : square;
}

/* The value of the constant feature that products of two rows have; 0: there is none. */
static inline double problem_constant(const struct problem *problem)
{
    return problem->bias_kind == BIAS_REGULARISED ? problem->bias : 0;
}

#endif
