/* sums.h - every sum over the rows of a problem.
 *
 * Each shard is summed from 0, and the sums of shards are added in the order of the shards. So the
 * number of threads or ranks that share the shards changes no bit.
 */
#ifndef HINGE_PROBLEM_SUMS_H
#define HINGE_PROBLEM_SUMS_H

#include "base/stop.h"
#include "problem/shards.h"

/* ---- Shards and blocks (shard_sum.c) -------------------------------------- */

enum { MOST_SCALARS = 9 };

/* Places first .. end - 1 of a selection, and what they are added to. */
struct shard {
    uint32_t first;
    uint32_t end;
    unsigned number; /* 0 .. 63 */
    double *scalars; /* [MOST_SCALARS] */
    double *vector;  /* [length]; NULL: none is summed */
    double *room;    /* [4 classes] of the thread */
};

/* Adds the terms of the places. It may also write to arrays at these places, and to its room. */
typedef void shard_function(void *context, const struct shard *shard);

/* Sums over a selection: sets scalars to their sums, and adds the sum of vectors to vector, which
 * may be NULL. In a team, sums over the selections of all ranks, which must call it with the same
 * vector and all get the sums. */
void sums_run(const struct shards *shards, struct selection rows, shard_function *add,
              void *context, double *scalars, double *vector);

/* Works on places first .. end - 1, independently of other places. */
typedef void places_function(void *context, uint32_t first, uint32_t end);

/* Calls act for blocks of the places first .. end - 1, by the threads of the shards. */
void places_run(const struct shards *shards, uint32_t first, uint32_t end, places_function *act,
                void *context);

/* ---- The sums (sums.c) ------------------------------------------------------ */

/* v[width] += factor sum_s alpha[s] y_s x_s; with classes v += sum_s x_s alpha_s', and factor is 1.
 */
void sums_combine(const struct shards *shards, const struct problem *problem, struct selection rows,
                  const double *alpha, double factor, double *v);

/* v[width] = factor sum_i alpha_i y_i x_i over all rows; with classes v = sum_i x_i alpha_i',
 * and factor is 1. */
void sums_form(const struct shards *shards, const struct problem *problem, const double *alpha,
               double factor, double *v);

/* Adds what places first .. end - 1 add in sums_combine, for shard functions. alpha[end - first];
 * not with classes. */
void sums_combine_some(const struct problem *problem, struct selection rows, const double *alpha,
                       double factor, uint32_t first, uint32_t end, double *v);

/* z[s] = y_s <v, x_s>; with classes z[s classes ..] = v'x_s. */
void sums_margins(const struct shards *shards, const struct problem *problem, struct selection rows,
                  const double *v, double *z);

/* Computes z[end - first] of rows first .. end - 1, for shard functions; not with classes. */
void sums_margins_some(const struct problem *problem, const double *v, uint32_t first, uint32_t end,
                       double *z);

/* product[width] += sum_s weight[s] x_s <x_s, p> */
void sums_hessian(const struct shards *shards, const struct problem *problem, struct selection rows,
                  const double *weight, const double *p, double *product);

/* matrix[width^2] += sum_s weight[s] x_s x_s', upper triangle by rows. Long sums ask stop every few
 * milliseconds; after a stop the matrix is incomplete. */
void sums_outer(const struct shards *shards, const struct problem *problem, struct selection rows,
                const double *weight, const struct stop *stop, double *matrix);

/* diagonal[width] += weight x_ij^2 for row i. */
void sums_add_squares(const struct problem *problem, uint32_t i, double weight, double *diagonal);

/* diagonal[width] += sum_s weight[s] x_sj^2 */
void sums_squares(const struct shards *shards, const struct problem *problem, struct selection rows,
                  const double *weight, double *diagonal);

/* Returns the sums of the terms at w and alpha; value alone if alpha is NULL. value and conjugate
 * are compensated sums: at a gap of 1e-8 the rounding of a million terms would show. The same pass
 * over the rows sets z[rows] to the margins, unless z is NULL (required with classes), and adds
 * what sums_combine adds to v[width], unless v is NULL (required without alpha). */
struct row_terms sums_terms(const struct shards *shards, const struct problem *problem,
                            const double *w, const double *alpha, double *z, double *v);

/* Returns the sum of the conjugates of the rows. */
double sums_conjugates(const struct shards *shards, const struct problem *problem,
                       const double *alpha);

#endif
