/* ranks.h - messages between the processes of a team, so that all decide alike.
 *
 * All ranks make these calls in the same order. A team of NULL is one process.
 */
#ifndef HINGE_BASE_RANKS_H
#define HINGE_BASE_RANKS_H

#include <assert.h>
#include <stddef.h>
#include <stdint.h>

#include "hinge_team.h"

/* Return the number of ranks and the number of this rank. */
static inline size_t ranks_count(const struct hinge_team *team)
{
    return team ? (size_t)team->size : 1;
}

static inline size_t ranks_own(const struct hinge_team *team)
{
    return team ? (size_t)team->rank : 0;
}

/* Fails with HINGE_TEAM_FAILED if a function of the transport returned a number other than 0. */
enum hinge_status ranks_check(int failed, struct hinge_error *error);

/* Gathers size bytes of each rank into all[ranks_count * size]. */
enum hinge_status ranks_gather(const struct hinge_team *team, const void *own, size_t size,
                               void *all, struct hinge_error *error);

/* Gathers size bytes of each rank into a new array, which the caller frees. Returns NULL on
 * failure; the whole team fails, even if only this rank is out of memory. */
void *ranks_gather_new(const struct hinge_team *team, const void *own, size_t size,
                       struct hinge_error *error);

enum hinge_status ranks_conclude(const struct hinge_team *team, enum hinge_status status,
                                 int *value, struct hinge_error *error);

/* Returns HINGE_OK if each rank passes HINGE_OK, and sets *value, unless value is NULL, to the
 * *value of rank 0. Otherwise returns on each rank the status and error of the first rank that
 * failed; "rank R of N: " precedes a message that is not common to all. A rank that passes
 * HINGE_TEAM_FAILED asks no other rank and gets that status. */
static inline enum hinge_status ranks_agree_and_follow(const struct hinge_team *team,
                                                       enum hinge_status status, int *value,
                                                       struct hinge_error *error)
{
    const enum hinge_status agreed = ranks_conclude(team, status, value, error);

    assert(status == HINGE_OK || agreed != HINGE_OK);
    return agreed;
}

static inline enum hinge_status ranks_agree(const struct hinge_team *team, enum hinge_status status,
                                            struct hinge_error *error)
{
    return ranks_agree_and_follow(team, status, NULL, error);
}

static inline enum hinge_status ranks_follow(const struct hinge_team *team, int *value,
                                             struct hinge_error *error)
{
    return ranks_agree_and_follow(team, HINGE_OK, value, error);
}

/* Sets *bits to the union of the bits of all ranks. */
enum hinge_status ranks_any(const struct hinge_team *team, uint64_t *bits,
                            struct hinge_error *error);

/* Fails on all ranks if the checksum of one differs from that of rank 0: "rank R of N: WHAT differ
 * from those of rank 0". */
enum hinge_status ranks_compare(const struct hinge_team *team, uint64_t sum,
                                enum hinge_status status, const char *what,
                                struct hinge_error *error);

#endif
