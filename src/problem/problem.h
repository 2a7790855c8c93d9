/* problem.h - a problem: rows of a dataset, a sign, a target and a cost for each, a loss, a
 * regulariser, a bias.
 *
 *     P(w) = R(w) + sum_i C_i phi(t_i - z_i),   z_i = y_i <w, x_i>
 *
 * or, with a class for each row instead of sign and target, a vector of margins z_i = W'x_i, one
 * for each class: softmax.h.
 *
 * A free bias b may have a linear term, too:
 *
 *     P(w) = ... + total B b,   B the value of its feature,
 *
 * which makes the constraint of the dual sum_i alpha_i y_i = total instead of 0. A one-class SVM is
 * rows of sign +1 and target 0 with total = nu sum_i C_i; its rho is -B b.
 *
 * It is a view: folds, classes, class weights, left-out rows and parts of the rows are views of
 * data that are stored once. The constant feature of the bias is the last entry of w.
 */
#ifndef HINGE_PROBLEM_PROBLEM_H
#define HINGE_PROBLEM_PROBLEM_H

#include <string.h>

#include "base/team.h"
#include "problem/kernel.h"
#include "problem/loss.h"
#include "problem/regulariser.h"

enum bias_kind {
    BIAS_NONE,
    BIAS_REGULARISED, /* a constant feature like any other */
    BIAS_FREE /* its weight is not in R, its value in no |x_i|^2: a threshold, which the dual
                 has the constraint sum_i alpha_i y_i = total for */
};

struct problem {
    const struct hinge_dataset *data;
    uint32_t rows;           /* of the view */
    const uint32_t *row;     /* [rows] row of the dataset, ascending */
    const signed char *sign; /* [rows] y_i: +1 or -1 */
    const double *cost;      /* [rows] C_i > 0; NULL: where rows are in a file, those of a sign may
                                have the same cost, */
    double sign_cost[2];     /* this one, of -1 and of +1 */
    const double *target;    /* [rows] t_i, of a loss that has them */
    const double *square;    /* [rows of the dataset] |x|^2 of its rows that the view has, without
                                the constant feature; NULL: they are formed when asked for */
    const struct hinge_matrix *columns; /* [features] entries of the view's rows; NULL, too */
    size_t classes;                     /* k; 0: each row has a sign */
    const uint32_t *class_of;           /* [rows] y_i: 0 .. k - 1 */
    enum loss loss;                     /* with classes, its generalisation to them */
    double l1;                          /* of R, see regulariser.h, */
    int only_l1;                        /* and whether its l2 is 0 instead of 1 */
    enum bias_kind bias_kind;
    double bias;  /* value of the constant feature */
    double total; /* of a free bias: what sum_i alpha_i y_i is to be, 0 .. sum_i C_i */
    double least; /* gaps are relative to |P| or, where that is smaller, to this: with a linear term
                     the least P may be 0 */
    const struct hinge_dataset *whole; /* where data are a copy of some rows: what they are a copy
                                          of, */
    const uint32_t *whole_row;         /* [rows] and the row there, ascending; NULL: no copy */
    struct team *team; /* who has the other rows; arrays over rows are meaningful at own ones. NULL:
                          all are here */
};

/* The l2 of R. */
static inline double problem_l2(const struct problem *problem)
{
    return problem->only_l1 ? 0 : 1;
}

/* Whether R has an l1 term and another, so that w of a dual point is soft(v, l1), and not v itself.
 */
static inline int problem_has_both_norms(const struct problem *problem)
{
    return problem->l1 > 0 && !problem->only_l1;
}

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

/* The slope of the linear term by the last entry of w. */
static inline double problem_slope(const struct problem *problem)
{
    return problem->total * problem->bias;
}

/* The linear term; 0 in most problems. */
static inline double problem_linear(const struct problem *problem, const double *w)
{
    return problem->total != 0 ? problem_slope(problem) * w[problem_width(problem) - 1] : 0;
}

/* What a gap is relative to at that P. */
static inline double problem_scale(const struct problem *problem, double primal)
{
    return fmax(fabs(primal), fmax(problem->least, DBL_MIN));
}

/* How many entries of w[problem_width], the first ones, are in R. */
static inline size_t problem_penalised(const struct problem *problem)
{
    return problem_outputs(problem) *
           ((size_t)problem->data->features + (problem->bias_kind == BIAS_REGULARISED));
}

/* The features of row i, without the constant one. */
static ALWAYS_INLINE struct sparse problem_row(const struct problem *problem, uint32_t i)
{
    return sparse_row(&problem->data->x, problem->row[i]);
}

/* Whether only some of the rows are in memory at a time. */
static inline int problem_is_paged(const struct problem *problem)
{
    return problem->data->x.pages != NULL;
}

/* How many features row i has, without the constant one. */
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

/* C_i */
static ALWAYS_INLINE double problem_cost(const struct problem *problem, uint32_t i)
{
    return problem->cost ? problem->cost[i] : problem->sign_cost[problem->sign[i] > 0];
}

/* The upper end of alpha_i's domain, */
static inline double problem_upper(const struct problem *problem, uint32_t i)
{
    return loss_upper(problem->loss, problem_cost(problem, i));
}

/* and d_i, the curvature that its conjugate adds to the dual. */
static inline double problem_dual_curvature(const struct problem *problem, uint32_t i)
{
    return loss_dual_curvature(problem->loss, loss_scale(problem->loss, problem_cost(problem, i)));
}

/* C_i of so many rows from i on: those of an array, or else cost[count], which is filled. */
static inline const double *problem_costs(const struct problem *problem, uint32_t i, uint32_t count,
                                          double *cost)
{
    if (problem->cost)
        return problem->cost + i;
    for (uint32_t k = 0; k < count; k++)
        cost[k] = problem_cost(problem, i + k);
    return cost;
}

/* t_i; the loss is problem->loss, which the caller's compiler may know. */
static ALWAYS_INLINE double problem_target(const struct problem *problem, uint32_t i,
                                           enum loss loss)
{
    return loss_target_of(loss, problem->target, i);
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

/* v += factor x, and w = soft(v, l1) where that changes v. Not inline: loops that do without keep
 * their registers. */
void problem_add_mapped(const struct problem *problem, const struct sparse *x, double factor,
                        double *v, double *w);

/* y += factor x, both [count] */
static ALWAYS_INLINE void add_multiple(size_t count, double factor, const double *restrict x,
                                       double *restrict y)
{
    for (size_t m = 0; m < count; m++)
        y[m] += factor * x[m];
}

/* z[outputs] := W'x, where w has several outputs. */
void problem_dots(const struct problem *problem, const struct sparse *x, const double *w,
                  double *z);

/* W += x a', a[outputs] */
void problem_add_outer(const struct problem *problem, const struct sparse *x, const double *a,
                       double *w);

/* The same for some rows from one on, z[count outputs] and a[count outputs], to the bit; of rows
 * that have every feature, ROWS_TOGETHER at a time take less time. */
enum { ROWS_TOGETHER = 4 };

void problem_rows_dots(const struct problem *problem, uint32_t first, uint32_t count,
                       const double *w, double *z);
void problem_rows_add_outer(const struct problem *problem, uint32_t first, uint32_t count,
                            const double *a, double *w);

/* The same for some of the outputs: z[s] := <column output[s] of W, x>. */
void problem_dots_of(const struct problem *problem, const struct sparse *x, const double *w,
                     size_t count, const uint32_t *output, double *z);

/* Column output[s] of W += a[s] x */
void problem_add_outer_of(const struct problem *problem, const struct sparse *x, size_t count,
                          const uint32_t *output, const double *a, double *w);

/* Makes them sum to 0; two become opposite numbers exactly. */
static inline void centre_line(size_t count, double *line)
{
    double mean = 0, others = 0;

    for (size_t m = 0; m < count; m++)
        mean += line[m];
    mean /= (double)count;
    for (size_t m = 0; m + 1 < count; m++)
        others += line[m] -= mean;
    line[count - 1] = -others;
}

/* The same with the outputs of each feature. */
static inline void problem_centre(const struct problem *problem, double *w)
{
    const size_t k = problem->classes, width = problem_width(problem);

    for (size_t j = 0; j < width; j += k)
        centre_line(k, w + j);
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
    double square;

    if (problem->square) {
        square = problem->square[problem->row[i]];
    } else {
        const struct sparse x = problem_row(problem, i);

        square = sparse_square(&x);
    }
    return problem->bias_kind == BIAS_REGULARISED ? square + problem->bias * problem->bias : square;
}

/* The value of the constant feature that products of two rows have; 0: there is none. */
static inline double problem_constant(const struct problem *problem)
{
    return problem->bias_kind == BIAS_REGULARISED ? problem->bias : 0;
}

#endif
