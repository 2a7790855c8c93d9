/* shards.h - divides the rows of the data into shards, and shards among ranks.
 *
 * The number and limits of shards depend on the data alone, not on the problem, which may be a view
 * of some rows. In a team, a rank has the rows of adjacent parts. Each shard is in one part, or
 * there is one shard.
 */
#ifndef HINGE_PROBLEM_SHARDS_H
#define HINGE_PROBLEM_SHARDS_H

#include "problem/problem.h"

enum { MOST_SHARDS = 64 };

/* Largest order of a matrix over features or rows: it takes 128 MiB. */
enum { MOST_ORDER = 4096 };

/* The kind of a sum: numbers for each feature, or X'WX. */
enum summed { SUM_OF_VECTORS, SUM_OF_PRODUCTS };

/* The shards of a problem's rows for sums of length numbers. */
struct shards {
    const uint32_t *row; /* [rows of the problem] rows of the data; not used if count is 1 */
    uint32_t rows;       /* number of rows of the data */
    unsigned count;      /* number of shards, a power of 2 */
    size_t length;       /* length of the vector or matrix that is summed */
    size_t order;        /* order of a matrix, whose upper triangle is summed; 0: a vector */
    double work;         /* additions of one sum over all rows of the problem */
    double over;         /* number of rows of the problem */
    struct team *team;   /* the ranks that share the shards; NULL: this process has all */
    unsigned threads;    /* threads that may sum shards at the same time; 0 means 1 */
    double *partial;     /* [threads * length] sums of shards; not used if count is 1 */
    size_t row_room;     /* 4 times the number of classes */
    double *room;        /* [threads * row_room] numbers of a row for each class */
};

/* Returns the shards for sums of vectors of that length, or of matrices with that many entries.
 * work is the number of additions of one sum over all rows of the problem. threads is 0; the caller
 * sets it with partial and room. */
struct shards shards_of(const struct problem *problem, enum summed what, double work,
                        size_t length);

/* Returns the ranks that train on the data, each with the rows of hinge_team_rows. NULL on failure.
 * Free with team_free. */
struct team *shards_team(const struct hinge_team *transport, const struct hinge_dataset *data,
                         struct hinge_error *error);

/* Returns how many threads share a sum over that many rows: 1 if it is too short to share. */
unsigned shards_threads(const struct shards *shards, double rows);

/* Some rows of a problem, ascending: row[count], or rows 0 .. count - 1 if row is NULL. Arrays over
 * a selection are in its order. In a team, a selection with row has own rows alone. A selection
 * without row has all rows, and functions work on own rows. */
struct selection {
    const uint32_t *row;
    uint32_t count;
};

/* Returns the selection of all rows. */
static inline struct selection all_rows(const struct problem *problem)
{
    return (struct selection){NULL, problem->rows};
}

/* Rows first .. end - 1 of a problem. */
struct own_rows {
    uint32_t first;
    uint32_t end;
};

/* Returns the rows of this process: all, if it is alone. */
struct own_rows own_rows(const struct problem *problem);

/* Returns the places of a selection that have own rows. */
struct own_rows own_places(const struct problem *problem, struct selection rows);

/* Returns the first row of a rank; for rank = size, the number of rows. */
uint32_t first_row_of_rank(const struct problem *problem, unsigned rank);

/* Makes the call with ROWS as the selection. The compiler then knows whether row is NULL. */
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

/* Returns the row of the problem at a place of a selection. */
static inline uint32_t selected(const struct selection *selection, uint32_t s)
{
    return selection->row ? selection->row[s] : s;
}

/* Returns the first place of the selection whose row has a number of at least limit. number[rows]
 * ascends; NULL: row i has the number i. */
uint32_t selection_place(const uint32_t *number, struct selection rows, uint32_t limit);

/* Returns the first place of the selection whose row is in shard k or a later one. */
uint32_t shards_place(const struct shards *shards, struct selection rows, unsigned k);

/* Return the first shard of a rank and its number of shards. Each part is a number of whole shards.
 */
unsigned shards_first_of_rank(const struct shards *shards, unsigned rank);
unsigned shards_of_rank(const struct shards *shards, unsigned rank);

/* Sends of_row[rows outputs] at the own rows to all ranks, so that each has it at all rows. */
void shards_gather(const struct problem *problem, double *of_row);

#endif
