/* shard_sum.h - a sum over shards: each is summed from 0, and the sums are added in the order of
 * the shards. So whoever hands out the shards, one thread, several, or the ranks of a team, changes
 * no bit of a sum.
 */
#ifndef HINGE_PROBLEM_SHARD_SUM_H
#define HINGE_PROBLEM_SHARD_SUM_H

#include "problem/shards.h"

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

/* Adds what the places contribute. It may write to arrays at these places, too, and to its room. */
typedef void shard_function(void *context, const struct shard *shard);

/* Sums over a selection, in a team over those of all ranks, which all get the sums and have the
 * same vector: scalars are set to their sums; vector, which may be NULL, += its sum. */
void sums_run(const struct shards *shards, struct selection rows, shard_function *add,
              void *context, double *scalars, double *vector);

/* Work on places first .. end - 1, independent of other places. */
typedef void places_function(void *context, uint32_t first, uint32_t end);

/* Does it at all of these places, by the threads of the shards. */
void places_run(const struct shards *shards, uint32_t first, uint32_t end, places_function *act,
                void *context);

#endif
