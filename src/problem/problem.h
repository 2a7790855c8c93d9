/* problem.h - a problem: rows of a dataset with signs, targets and costs, a loss, a regulariser and
 * a bias.
 *
 *     P(w) = R(w) + sum_i C_i phi(t_i - z_i),   z_i = y_i <w, x_i>
 *
 * With classes instead of signs and targets, a row has a margin for each class, z_i = W'x_i; see
 * softmax.h.
 *
 * A free bias b, whose feature has the value B, may add a linear term total B b to P. The dual
 * point then satisfies sum_i alpha_i y_i = total instead of 0. In a one-class SVM, all rows have
 * sign +1 and target 0, total = nu sum_i C_i, and rho = -B b.
 *
 * A problem is a view: folds, classes, class weights, left-out rows and parts of the rows are views
 * of data that are stored once. The weight of the bias is the last entry of w.
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
    BIAS_FREE /* its weight is not in R and its value not in |x_i|^2; the dual point satisfies
                 sum_i alpha_i y_i = total */
};

struct feature_columns;

struct problem {
    const struct hinge_dataset *data;
    uint32_t rows;           /* number of rows of the view */
    const uint32_t *row;     /* [rows] row of the dataset, ascending */
    const signed char *sign; /* [rows] y_i: +1 or -1 */
    double C;                /* factor of all costs */
    const double *cost;      /* [rows] C_i > 0; NULL: C_i is in sign_cost, for paged rows */
    double sign_cost[2];     /* cost of rows of sign -1 and of sign +1 */
    const double *target;    /* [rows] t_i for a loss with targets */
    const double *square;    /* [rows of the dataset] |x_i|^2 without the constant feature, set for
                                rows of the view; NULL: computed when needed */
    double trace_bound;      /* at least sum C_i |x_i|^2; 0: unknown. A copy with larger costs or
                                other data sets it anew. */
    const struct feature_columns *columns; /* the view by features; NULL: made when needed */
    size_t classes;                        /* k; 0: rows have signs */
    const uint32_t *class_of;              /* [rows] y_i in 0 .. k - 1 */
    enum loss loss;                        /* with classes, its generalisation to classes */
    double l1;                             /* l1 of R, see regulariser.h */
    int only_l1;                           /* 1: l2 of R is 0 instead of 1 */
    enum bias_kind bias_kind;
    double bias;  /* value of the constant feature */
    double total; /* free bias: the required sum_i alpha_i y_i, 0 .. sum_i C_i */
    double least; /* gaps are relative to max(|P|, least), because a linear term may make P 0 */
    const struct hinge_dataset *whole; /* the data from which some rows were copied to *data */
    const uint32_t *whole_row;         /* [rows] row of *whole, ascending; NULL: no copy */
    struct team *team; /* the ranks that share the rows; arrays over rows are valid at own rows.
                          NULL: one process has all rows */
};

/* Returns l2 of R. */
static inline double problem_l2(const struct problem *problem)
{
    return problem->only_l1 ? 0 : 1;
}

/* True if R has both terms. Then w of a dual point is soft(v, l1) and not v. */
static inline int problem_has_both_norms(const struct problem *problem)
{
    return problem->l1 > 0 && !problem->only_l1;
}

/* Returns the numbers of a feature in w and of a row in alpha: 1, or the number of classes. */
static inline size_t problem_outputs(const struct problem *problem)
{
    return problem->classes > 0 ? problem->classes : 1;
}

/* Returns the length of alpha. */
static inline size_t problem_duals(const struct problem *problem)
{
    return problem->rows * problem_outputs(problem);
}

/* Returns how many adjacent rows of the view are the same row of the data: 2 for regression, one
 * of each sign. */
static inline uint32_t problem_views(const struct problem *problem)
{
    return loss_has_targets(problem->loss) ? 2 : 1;
}

/* Returns the length of w: the outputs of each feature and the bias. */
static inline size_t problem_width(const struct problem *problem)
{
    return problem_outputs(problem) *
           ((size_t)problem->data->features + (problem->bias_kind != BIAS_NONE));
}

/* Returns the derivative of the linear term by the last entry of w. */
static inline double problem_slope(const struct problem *problem)
{
    return problem->total * problem->bias;
}

/* Returns the linear term; 0 in most problems. */
static inline double problem_linear(const struct problem *problem, const double *w)
{
    return problem->total != 0 ? problem_slope(problem) * w[problem_width(problem) - 1] : 0;
}

/* Returns the divisor of relative gaps at P. */
static inline double problem_scale(const struct problem *problem, double primal)
{
    return fmax(fabs(primal), fmax(problem->least, DBL_MIN));
}

/* Returns the relative gap of bounds of P and D. If P is below LEAST, numbers that make it up may
 * have underflowed, and the gap is at least 1, so that nothing is certified. */
static inline double problem_gap(const struct problem *problem, double primal, double dual)
{
    static const double LEAST = 1e-300;
    const double scale = problem_scale(problem, primal), gap = (primal + dual) / scale;

    return scale < LEAST ? fmax(gap, 1) : gap;
}

/* Returns how many entries of w, from the first on, are in R. */
static inline size_t problem_penalised(const struct problem *problem)
{
    return problem_outputs(problem) *
           ((size_t)problem->data->features + (problem->bias_kind == BIAS_REGULARISED));
}

/* Returns the entries of row i without the constant feature. */
static ALWAYS_INLINE struct sparse problem_row(const struct problem *problem, uint32_t i)
{
    return sparse_row(&problem->data->x, problem->row[i]);
}

/* True if only some rows are in memory at a time. */
static inline int problem_is_paged(const struct problem *problem)
{
    return problem->data->x.pages != NULL;
}

/* Returns the number of entries of row i without the constant feature. */
static inline size_t problem_length(const struct problem *problem, uint32_t i)
{
    const size_t *start = problem->data->x.start + problem->row[i];

    return start[1] - *start;
}

/* Estimates the entries of all rows from the mean length of a row of the data. */
static inline double problem_nonzeros(const struct problem *problem)
{
    const struct hinge_matrix *x = &problem->data->x;

    return x->rows > 0 ? (double)x->nonzeros * problem->rows / (double)x->rows : 0;
}

/* Returns C_i. */
static ALWAYS_INLINE double problem_cost(const struct problem *problem, uint32_t i)
{
    return problem->cost ? problem->cost[i] : problem->sign_cost[problem->sign[i] > 0];
}

/* Returns the upper end of the domain of alpha_i. */
static inline double problem_upper(const struct problem *problem, uint32_t i)
{
    return loss_upper(problem->loss, problem_cost(problem, i));
}

/* Returns d_i, the curvature that the conjugate of row i adds to D. */
static inline double problem_dual_curvature(const struct problem *problem, uint32_t i)
{
    return loss_dual_curvature(problem->loss, loss_scale(problem->loss, problem_cost(problem, i)));
}

/* Returns C_i of count rows from i on: a part of problem->cost or, if that is NULL, cost[count],
 * which is filled. */
static inline const double *problem_costs(const struct problem *problem, uint32_t i, uint32_t count,
                                          double *cost)
{
    if (problem->cost)
        return problem->cost + i;
    for (uint32_t k = 0; k < count; k++)
        cost[k] = problem_cost(problem, i + k);
    return cost;
}

/* Returns t_i. loss is problem->loss, so that a caller can pass a compile-time constant. */
static ALWAYS_INLINE double problem_target(const struct problem *problem, uint32_t i,
                                           enum loss loss)
{
    return loss_has_targets(loss) ? problem->target[i] : loss_target(loss);
}

/* Returns <w, x> with the constant feature. */
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

/* v += factor x, then w = soft(v, l1) at the entries of x. The function is not inline, so that
 * loops without an l1 term keep their registers. */
void problem_add_mapped(const struct problem *problem, const struct sparse *x, double factor,
                        double *v, double *w);

/* y += factor x, both [count] */
static ALWAYS_INLINE void add_multiple(size_t count, double factor, const double *restrict x,
                                       double *restrict y)
{
    for (size_t m = 0; m < count; m++)
        y[m] += factor * x[m];
}

/* Sets z[outputs] to W'x, for several outputs. */
void problem_dots(const struct problem *problem, const struct sparse *x, const double *w,
                  double *z);

/* W += x a', a[outputs] */
void problem_add_outer(const struct problem *problem, const struct sparse *x, const double *a,
                       double *w);

/* Does problem_dots and problem_add_outer for count rows from first on, with the same bits;
 * z[count outputs], a[count outputs]. If rows have every feature, ROWS_TOGETHER rows share the
 * loads of w. */
enum { ROWS_TOGETHER = 4 };

void problem_rows_dots(const struct problem *problem, uint32_t first, uint32_t count,
                       const double *w, double *z);
void problem_rows_add_outer(const struct problem *problem, uint32_t first, uint32_t count,
                            const double *a, double *w);

/* Sets z[s] to <column output[s] of W, x> for count outputs. */
void problem_dots_of(const struct problem *problem, const struct sparse *x, const double *w,
                     size_t count, const uint32_t *output, double *z);

/* Column output[s] of W += a[s] x */
void problem_add_outer_of(const struct problem *problem, const struct sparse *x, size_t count,
                          const uint32_t *output, const double *a, double *w);

/* Subtracts the mean of line[count], so that its sum is 0. Two numbers become exactly opposite. */
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

/* Centres the outputs of each feature. */
static inline void problem_centre(const struct problem *problem, double *w)
{
    const size_t k = problem->classes, width = problem_width(problem);

    for (size_t j = 0; j < width; j += k)
        centre_line(k, w + j);
}

/* Returns <w, x_i>. */
static inline double problem_decision(const struct problem *problem, uint32_t i, const double *w)
{
    const struct sparse x = problem_row(problem, i);

    return problem_dot(problem, &x, w);
}

/* Returns |x_i|^2 without the value of a free bias. */
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

/* Returns the value of the constant feature in <x_i, x_j>; 0 if it has none. */
static inline double problem_constant(const struct problem *problem)
{
    return problem->bias_kind == BIAS_REGULARISED ? problem->bias : 0;
}

#endif
