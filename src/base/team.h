/* team.h - processes that train together, as seen by one of them.
 *
 * What a caller gives as struct hinge_team only moves bytes. Once it has failed it is not called
 * again: what is received is 0 then, and the training goes on with that until it asks team_check.
 * NULL is a process alone, whose numbers are those of all.
 */
#ifndef HINGE_BASE_TEAM_H
#define HINGE_BASE_TEAM_H

#include "hinge_team.h"

struct team {
    const struct hinge_team *transport;
    struct hinge_error error; /* of the first failure, */
    int failed;               /* if there was one */
    uint64_t rounds;          /* calls of the transport */
    uint64_t sent;            /* bytes, to other ranks */

    /* Rows of the data are divided into parts, of which each rank has some that follow each other:
     * see shards_team. */
    unsigned parts;
    uint32_t first; /* the rows of this rank, */
    uint32_t end;   /* to the one before this */

    int all_ones; /* the values of all entries are 1, and stored as that by all ranks */

    size_t *bytes; /* [2 size] room for counts */
    void *room;    /* of team_room */
    size_t room_size;
};

/* floor(whole k/parts), where part k of a whole begins, k being at most parts and parts below 2^32:
 * no product overflows. */
static inline uint64_t part_begin(uint64_t whole, uint64_t parts, uint64_t k)
{
    return whole / parts * k + whole % parts * k / parts;
}

/* NULL and *error on failure, also if there is no such rank. */
struct team *team_new(const struct hinge_team *transport, struct hinge_error *error);
void team_free(struct team *team);

/* Whether there are several processes. */
static inline int team_is_shared(const struct team *team)
{
    return team && team->transport->size > 1;
}

static inline unsigned team_rank(const struct team *team)
{
    return team ? (unsigned)team->transport->rank : 0;
}

static inline unsigned team_size(const struct team *team)
{
    return team ? (unsigned)team->transport->size : 1;
}

/* Notes that this process has failed: other calls of the transport would not match those of the
 * other ranks. */
void team_fail(struct team *team, const struct hinge_error *error);

/* Whether all is well; HINGE_TEAM_FAILED if the transport has failed, or what team_fail was told.
 */
enum hinge_status team_check(const struct team *team, struct hinge_error *error);

/* Room for so many bytes, which the next call may move; NULL: there is none, and the team fails. */
void *team_room(struct team *team, size_t count, size_t size);

/* As the functions of struct hinge_team. */
void team_exchange(struct team *team, const void *send, const size_t *send_bytes, void *receive,
                   const size_t *receive_bytes);
void team_gather(struct team *team, const void *send, void *receive, const size_t *bytes);

/* The same number of bytes of each rank: all[size * bytes]. */
void team_gather_each(struct team *team, const void *own, size_t bytes, void *all);

/* own[bytes] of one rank are copied to all others. */
void team_send_from(struct team *team, unsigned rank, void *bytes, size_t count);

/* Sums over the ranks, of whole numbers below 2^53. */
void team_add(struct team *team, double *numbers, size_t count);

/* The largest of the ranks' numbers; each number becomes the largest that a rank has in its place.
 */
double team_largest(struct team *team, double number);
void team_largest_each(struct team *team, double *numbers, size_t count);

/* Whether something holds of all, or of any. */
int team_all(struct team *team, int holds);
int team_any(struct team *team, int holds);

/* The last call: waits until all ranks have come to it. One that has failed does not come, so that
 * all others fail, too. */
enum hinge_status team_end(struct team *team, struct hinge_error *error);

/* Whether something has succeeded on all ranks. Where it has not here, *error is filled; else it is
 * here: HINGE_TEAM_FAILED. */
int team_agrees(struct team *team, int succeeded, struct hinge_error *error);

#endif
