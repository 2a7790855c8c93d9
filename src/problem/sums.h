/* sums.h - every sum over the rows of a problem.
 *
 * The rows of the data are divided into shards, whose number and limits depend on the data alone,
 * not on the problem, which may be a view of some rows. Each shard is summed from 0, and the sums
 * are added in the order of the shards. So whoever hands out the shards, one thread or several,
 * changes no bit of a sum.
 */
#ifndef HINGE_PROBLEM_SUMS_H
#define HINGE_PROBLEM_SUMS_H

#include "base/stop.h"
#include "problem/problem.h"

/* Largest order of a matrix X'WX, of its factor, or of one over rows: 128 MiB. */
enum { MOST_ORDER = 4096 };

/* What is summed: numbers for each feature, or X'WX. */
enum summed { SUM_OF_VECTORS, SUM_OF_PRODUCTS };

/* The shards of a problem's rows for sums of so many numbers. */
struct shards {
    const uint32_t *row; /* [rows of the problem] of the data; not used if there is one shard */
    uint32_t rows;       /* of the data */
    unsigned count;      /* a power of 2 */
    size_t length;       /* of a vector that is summed */
    size_t order;        /* of a matrix that is, of which this is the upper triangle; 0: a vector */
    double work;         /* additions of one sum over all rows */
    struct team *team;   /* whose ranks have a part of the shards each; NULL: all are here */
    unsigned threads;    /* that sum shards side by side; 0: 1 */
    double *partial; /* [threads * length] sums of shards; not used if there is only one shard */
    size_t row_room; /* 4 classes */
    double *room;    /* [threads * row_room] for what a row of a problem with classes has of each */
};

/* How the rows are divided for sums of vectors of that length, or of matrices of the order whose
 * square it is. work, the additions of one sum, tells whether threads pay. There is one thread. Its
 * partial and room are left to the caller. */
struct shards shards_of(const struct problem *problem, enum summed what, double work,
                        size_t length);

/* The ranks that train on such data, of which each has the rows of hinge_team_rows. NULL and *error
 * on failure. */
struct team *shards_team(const struct hinge_team *transport, const struct hinge_dataset *data,
                         struct hinge_error *error);

/* Uses so many threads, if there is work for them; then partial and room are for these. */
void shards_use_threads(struct shards *shards, unsigned threads);

/* Some rows of a problem, ascending; row NULL: the first ones. Arrays that go with them are in
 * their order. In a team: some of the own rows; or, row being NULL, all rows, where what is asked
 * for is only done for own ones. */
struct selection {
    const uint32_t *row;
    uint32_t count;
};

/* All rows. */
static inline struct selection all_rows(const struct problem *problem)
{
    return (struct selection){NULL, problem->rows};
}

/* Rows first .. end - 1 of a problem. */
struct own_rows {
    uint32_t first;
    uint32_t end;
};

/* Those of this process; alone all. */
struct own_rows own_rows(const struct problem *problem);

/* The first row of a rank; of one more than there are, the end. */
uint32_t first_row_of_rank(const struct problem *problem, unsigned rank);

/* Gives all ranks what each has for its own rows: of_row[rows outputs]. */
void sums_gather(const struct problem *problem, double *of_row);

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

/* Places first .. end - 1 of a selection, and what they are added to. */
struct shard {
    uint32_t first;
    uint32_t end;
    unsigned number; /* 0 .. 63 */
    double *scalars; /* [MOST_SCALARS] */
    double *vector;  /* [length]; NULL: none is summed */
    double *room;    /* [4 classes] of the thread */
};

/* Adds what the places contribute. It may write to arrays at these places, too, and to its room. */
typedef void shard_function(void *context, const struct shard *shard);

/* Sums over a selection, in a team over those of all ranks, which all get the sums and have the
 * same vector: scalars are set to their sums; vector, which may be NULL, += its sum. */
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
void sums_margins(const struct shards *shards, const struct problem *problem, struct selection rows,
                  const double *v, double *z);

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

/* The same, with the margins left in z[rows], which may be NULL; not with classes. */
struct row_terms sums_terms_margins(const struct shards *shards, const struct problem *problem,
                                    const double *w, const double *alpha, double *z);

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

/* The same where the margins are known, z[rows]; not with classes. */
struct violations sums_violations_at(const struct shards *shards, const struct problem *problem,
                                     const double *z, const double *alpha);

#endif
