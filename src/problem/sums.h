/* sums.h - every sum over the rows of a problem.
 *
 * The rows are divided into shards, whose number and limits depend on the data alone. Each shard is
 * summed from 0, and the sums are added in the order of the shards. So whoever hands out the
 * shards, one thread or several, changes no bit of a sum.
 */
#ifndef HINGE_PROBLEM_SUMS_H
#define HINGE_PROBLEM_SUMS_H

#include "base/stop.h"
#include "problem/problem.h"

/* The shards of a problem's rows for sums of so many numbers. */
struct shards {
    uint32_t rows;
    unsigned count;  /* a power of 2 */
    size_t length;   /* of a vector that is summed */
    double *partial; /* [length] the sum of a shard; not used if there is only one shard */
    double *room;    /* [4 classes] for what a row of a problem with classes has of each */
};

/* How the rows are divided for sums of vectors of that length, work being the additions of one sum
 * over all rows: adding up the shards is to cost little beside that. Its partial and room are left
 * to the caller. */
struct shards shards_of(const struct problem *problem, double work, size_t length);

/* Some rows of a problem, ascending; row NULL: the first ones. Arrays that go with them are in
 * their order. */
struct selection {
    const uint32_t *row;
    uint32_t count;
};

/* All rows. */
static inline struct selection all_rows(const struct problem *problem)
{
    return (struct selection){NULL, problem->rows};
}

/* Makes the call, in which ROWS is the selection, all rows or some being known to the compiler. */
#define WITH_ROWS(chosen, call)                                                                    \
    do {                                                                                           \
        if ((chosen).row) {                                                                        \
            const struct selection ROWS = (chosen);                                                \
            call;                                                                                  \
        } else {                                                                                   \
            const struct selection ROWS = {NULL, (chosen).count};                                  \
            call;                                                                                  \
        }                                                                                          \
    } while (0)

/* The row of the problem at a place of a selection. */
static inline uint32_t selected(const struct selection *selection, uint32_t s)
{
    return selection->row ? selection->row[s] : s;
}

enum { MOST_SCALARS = 8 };

/* Adds what the places first .. end - 1 of the selection contribute to scalars[MOST_SCALARS] and to
 * vector[length]. It may write to arrays at these places, too. */
typedef void shard_function(void *context, uint32_t first, uint32_t end, double *scalars,
                            double *vector);

/* Sums over a selection: scalars are set to their sums; vector, which may be NULL, += its sum. */
void sums_run(const struct shards *shards, struct selection rows, shard_function *add,
              void *context, double *scalars, double *vector);

/* v[width] += factor sum_s alpha[s] y_s x_s; with classes, sum_s x_s alpha_s', factor being 1. */
void sums_combine(const struct shards *shards, const struct problem *problem, struct selection rows,
                  const double *alpha, double factor, double *v);

/* What places first .. end - 1 add to that, for shard functions: alpha[end - first]; not with
 * classes. */
void sums_combine_some(const struct problem *problem, struct selection rows, const double *alpha,
                       double factor, uint32_t first, uint32_t end, double *v);

/* z[s] := y_s <v, x_s>; with classes z[s classes ..] := v'x_s */
void sums_margins(const struct problem *problem, struct selection rows, const double *v, double *z);

/* product[width] += sum_s weight[s] x_s <x_s, p> */
void sums_hessian(const struct shards *shards, const struct problem *problem, struct selection rows,
                  const double *weight, const double *p, double *product);

/* matrix[width^2] += sum_s weight[s] x_s x_s', upper triangle by rows. Where that takes long, stop
 * is asked now and then; then rows are left out. */
void sums_outer(const struct shards *shards, const struct problem *problem, struct selection rows,
                const double *weight, const struct stop *stop, double *matrix);

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
 * gap of 1e-8 the rounding of a million terms would show in their sum. */
struct row_terms sums_terms(const struct shards *shards, const struct problem *problem,
                            const double *w, const double *alpha);

/* The conjugate alone. */
double sums_conjugates(const struct shards *shards, const struct problem *problem,
                       const double *alpha);

/* The largest and the smallest violation of optimality (loss_violation, singer_violation) over all
 * rows, and the sum of their absolute values. */
struct violations {
    double largest;
    double smallest;
    double total;
};

struct violations sums_violations(const struct shards *shards, const struct problem *problem,
                                  const double *w, const double *alpha);

#endif
