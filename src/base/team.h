/* team.h - processes that train together, as seen by one of them.
 *
 * struct hinge_team of the caller moves bytes. After a failure it is not called again: received
 * bytes are 0, and the training continues with them until it asks team_check. A team of NULL is one
 * process alone.
 */
#ifndef HINGE_BASE_TEAM_H
#define HINGE_BASE_TEAM_H

#include "hinge_team.h"

struct team {
    const struct hinge_team *transport;
    struct hinge_error error; /* the first failure */
    int failed;               /* 1: there was a failure */
    uint64_t rounds;          /* calls of the transport */
    uint64_t sent;            /* bytes sent to other ranks */

    unsigned parts; /* parts of the rows; a rank has adjacent ones, see shards_team */
    uint32_t first; /* first row of this rank */
    uint32_t end;   /* row after the last one of this rank */

    int all_ones; /* 1: all ranks store values as HINGE_VALUE_ONE */

    size_t *bytes; /* [2 size] working storage */
    void *room;    /* storage of team_room */
    size_t room_size;
};

/* Returns floor(whole k/parts), the beginning of part k. k <= parts < 2^32, so no product
 * overflows. */
static inline uint64_t part_begin(uint64_t whole, uint64_t parts, uint64_t k)
{
    return whole / parts * k + whole % parts * k / parts;
}

/* Returns this process as a rank of the team. NULL on failure, also if the rank is out of range. */
struct team *team_new(const struct hinge_team *transport, struct hinge_error *error);
void team_free(struct team *team);

/* True if there are several processes. */
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

/* Notes a failure of this process. No call of the transport follows, because it would not match the
 * calls of other ranks. */
void team_fail(struct team *team, const struct hinge_error *error);

/* Returns HINGE_OK, HINGE_TEAM_FAILED if the transport failed, or the error of team_fail. */
enum hinge_status team_check(const struct team *team, struct hinge_error *error);

/* Returns storage of count * size bytes, valid until the next call; NULL if out of memory, and then
 * the team fails. */
void *team_room(struct team *team, size_t count, size_t size);

/* Do what the functions of struct hinge_team do. */
void team_exchange(struct team *team, const void *send, const size_t *send_bytes, void *receive,
                   const size_t *receive_bytes);
void team_gather(struct team *team, const void *send, void *receive, const size_t *bytes);

/* Gathers the same number of bytes from each rank into all[ranks * bytes]. */
void team_gather_each(struct team *team, const void *own, size_t bytes, void *all);

/* Copies bytes[count] of one rank to all others. */
void team_send_from(struct team *team, unsigned rank, void *bytes, size_t count);

/* Replaces numbers[count] by their sums over the ranks. They must be whole and sums below 2^53. */
void team_add(struct team *team, double *numbers, size_t count);

/* Return the largest number of all ranks; replace numbers[count] by the largest of all ranks. */
double team_largest(struct team *team, double number);
void team_largest_each(struct team *team, double *numbers, size_t count);

/* True if `holds` is true on all ranks, or on any rank. */
int team_all(struct team *team, int holds);
int team_any(struct team *team, int holds);

/* Waits until all ranks have called it, as their last call. A rank that failed does not call it, so
 * all others fail, too. */
enum hinge_status team_end(struct team *team, struct hinge_error *error);

/* True if something succeeded on all ranks. If it failed here, *error must be filled; otherwise a
 * failure elsewhere fills it with HINGE_TEAM_FAILED. */
int team_agrees(struct team *team, int succeeded, struct hinge_error *error);

#endif
