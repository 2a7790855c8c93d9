/* sums.h - every sum over the rows of a problem. */
#ifndef HINGE_PROBLEM_SUMS_H
#define HINGE_PROBLEM_SUMS_H

#include "base/stop.h"
#include "problem/shard_sum.h"

/* v[width] += factor sum_s alpha[s] y_s x_s; with classes, sum_s x_s alpha_s', factor being 1. */
void sums_combine(const struct shards *shards, const struct problem *problem, struct selection rows,
                  const double *alpha, double factor, double *v);

/* The same of all rows, v[width] being 0 before. */
void sums_form(const struct shards *shards, const struct problem *problem, const double *alpha,
               double factor, double *v);

/* What places first .. end - 1 add to that, for shard functions: alpha[end - first]; not with
 * classes. */
void sums_combine_some(const struct problem *problem, struct selection rows, const double *alpha,
                       double factor, uint32_t first, uint32_t end, double *v);

/* z[s] := y_s <v, x_s>; with classes z[s classes ..] := v'x_s */
void sums_margins(const struct shards *shards, const struct problem *problem, struct selection rows,
                  const double *v, double *z);

/* The same of rows first .. end - 1, z[end - first], for shard functions; not with classes. */
void sums_margins_some(const struct problem *problem, const double *v, uint32_t first, uint32_t end,
                       double *z);

/* product[width] += sum_s weight[s] x_s <x_s, p> */
void sums_hessian(const struct shards *shards, const struct problem *problem, struct selection rows,
                  const double *weight, const double *p, double *product);

/* matrix[width^2] += sum_s weight[s] x_s x_s', upper triangle by rows. Where that takes long, stop
 * is asked now and then; then rows are left out. */
void sums_outer(const struct shards *shards, const struct problem *problem, struct selection rows,
                const double *weight, const struct stop *stop, double *matrix);

/* diagonal[width] += weight x_ij^2, of one row. */
void sums_add_squares(const struct problem *problem, uint32_t i, double weight, double *diagonal);

/* diagonal[width] += sum_s weight[s] x_sj^2 */
void sums_squares(const struct shards *shards, const struct problem *problem, struct selection rows,
                  const double *weight, double *diagonal);

/* What the rows add to P, D and the gap. */
struct row_terms {
    double value;     /* sum C_i phi(s_i) */
    double conjugate; /* sum C_i phi*(alpha_i/C_i) - t_i alpha_i */
    double gap;       /* sum of both and alpha_i z_i, which has no negative term */
};

/* Over all rows, at w and alpha; alpha NULL: value alone. The first two are compensated: at a
 * gap of 1e-8 the rounding of a million terms would show in their sum. By the same read of the rows
 * z[rows] becomes the margins (NULL: not wanted; NULL with classes), and v[width] gets what
 * sums_combine adds (NULL: not wanted; needs alpha). */
struct row_terms sums_terms(const struct shards *shards, const struct problem *problem,
                            const double *w, const double *alpha, double *z, double *v);

/* The conjugate alone. */
double sums_conjugates(const struct shards *shards, const struct problem *problem,
                       const double *alpha);

#endif
