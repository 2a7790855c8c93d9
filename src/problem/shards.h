/* shards.h - the shards that the rows of the data are divided into, and whose they are.
 *
 * Their number and limits depend on the data alone, not on the problem, which may be a view of some
 * rows. In a team a rank has the rows of some parts, which follow each other; each shard is in one
 * part, or there is one shard.
 */
#ifndef HINGE_PROBLEM_SHARDS_H
#define HINGE_PROBLEM_SHARDS_H

#include "problem/problem.h"

enum { MOST_SHARDS = 64 };

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
    double work;         /* additions of a sum over all rows of the problem */
    double over;         /* the rows of the problem */
    struct team *team;   /* whose ranks have a part of the shards each; NULL: all are here */
    unsigned threads;    /* that may sum shards side by side; 0: 1 */
    double *partial; /* [threads * length] sums of shards; not used if there is only one shard */
    size_t row_room; /* 4 classes */
    double *room;    /* [threads * row_room] for what a row of a problem with classes has of each */
};

/* How the rows are divided for sums of vectors of that length, or of matrices of the order whose
 * square it is. work is the additions of one sum over all rows of the problem. There is one thread.
 * Its partial and room are left to the caller. */
struct shards shards_of(const struct problem *problem, enum summed what, double work,
                        size_t length);

/* The ranks that train on such data, of which each has the rows of hinge_team_rows. NULL and *error
 * on failure. */
struct team *shards_team(const struct hinge_team *transport, const struct hinge_dataset *data,
                         struct hinge_error *error);

/* Returns how many threads share a sum over that many rows: 1 if it is too short to share. */
unsigned shards_threads(const struct shards *shards, double rows);

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

/* The places of a selection that are of own rows. */
struct own_rows own_places(const struct problem *problem, struct selection rows);

/* The first row of a rank; of one more than there are, the end. */
uint32_t first_row_of_rank(const struct problem *problem, unsigned rank);

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

/* The first place of the selection whose row has that number or a larger one, numbers being
 * ascending; number NULL: that of row i is i. */
uint32_t selection_place(const uint32_t *number, struct selection rows, uint32_t limit);

/* The first place of the selection whose row is in shard k or a later one. */
uint32_t shards_place(const struct shards *shards, struct selection rows, unsigned k);

/* The first shard of a rank, and how many it has: its parts are so many whole shards each. */
unsigned shards_first_of_rank(const struct shards *shards, unsigned rank);
unsigned shards_of_rank(const struct shards *shards, unsigned rank);

/* Of one shard for all ranks: whether a rank has rows of it, and the places of a selection that are
 * of own rows. */
int shards_has_part(const struct shards *shards, unsigned rank);
struct own_rows shards_own_places(const struct shards *shards, struct selection rows);

/* Gives all ranks what each has for its own rows: of_row[rows outputs]. */
void shards_gather(const struct problem *problem, double *of_row);

#endif
