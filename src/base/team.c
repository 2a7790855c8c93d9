/* team.c - counts the calls of a transport and makes none after a failure. */
#include "base/team.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/ranks.h"
#include "base/status.h"

struct team *team_new(const struct hinge_team *transport, struct hinge_error *error)
{
    struct team *team;

    if (transport->size < 1 || transport->rank < 0 || transport->rank >= transport->size) {
        error_fill(error, HINGE_BAD_ARGUMENT, "team: rank %d of %d", transport->rank,
                   transport->size);
        return NULL;
    }
    if (!(team = array_new(1, sizeof *team, error)))
        return NULL;
    team->transport = transport;
    team->bytes = array_new((size_t)transport->size, 2 * sizeof *team->bytes, error);
    if (team->bytes)
        return team;
    team_free(team);
    return NULL;
}

void team_free(struct team *team)
{
    if (!team)
        return;
    free(team->bytes);
    free(team->room);
    free(team);
}

void team_fail(struct team *team, const struct hinge_error *error)
{
    if (!team_is_shared(team) || team->failed)
        return;
    team->failed = 1;
    team->error = *error;
}

enum hinge_status team_check(const struct team *team, struct hinge_error *error)
{
    if (!team || !team->failed)
        return HINGE_OK;
    *error = team->error;
    return failure(error);
}

void *team_room(struct team *team, size_t count, size_t size)
{
    struct hinge_error error;
    void *room = NULL;

    if (size > 0 && count <= team->room_size / size)
        return team->room;
    if (!team->failed && !(room = array_new(count, size, &error)))
        team_fail(team, &error);
    if (!room)
        return NULL;
    free(team->room);
    team->room = room;
    team->room_size = count * size;
    return room;
}

/* ---- Calls of the transport ---------------------------------------------- */

static size_t total(const struct team *team, const size_t *bytes)
{
    size_t sum = 0;

    for (unsigned q = 0; q < team_size(team); q++)
        sum += bytes[q];
    return sum;
}

/* Counts a call, or notes its failure and zeroes what should have been received. */
static void conclude(struct team *team, int failed, uint64_t sent, void *receive, size_t received)
{
    struct hinge_error error;

    if (failed) {
        if (!team->failed) {
            ranks_check(1, &error);
            team_fail(team, &error);
        }
        if (received > 0)
            memset(receive, 0, received);
        return;
    }
    team->rounds++;
    team->sent += sent;
}

void team_exchange(struct team *team, const void *send, const size_t *send_bytes, void *receive,
                   const size_t *receive_bytes)
{
    const int failed =
        team->failed || team->transport->exchange(team->transport->context, send, send_bytes,
                                                  receive, receive_bytes);

    conclude(team, failed, total(team, send_bytes) - send_bytes[team_rank(team)], receive,
             total(team, receive_bytes));
}

void team_gather(struct team *team, const void *send, void *receive, const size_t *bytes)
{
    const int failed =
        team->failed || team->transport->gather(team->transport->context, send, receive, bytes);

    conclude(team, failed, (uint64_t)bytes[team_rank(team)] * (team_size(team) - 1), receive,
             total(team, bytes));
}

void team_gather_each(struct team *team, const void *own, size_t bytes, void *all)
{
    if (!team_is_shared(team)) {
        memcpy(all, own, bytes);
        return;
    }
    for (unsigned q = 0; q < team_size(team); q++)
        team->bytes[q] = bytes;
    team_gather(team, own, all, team->bytes);
}

void team_send_from(struct team *team, unsigned rank, void *bytes, size_t count)
{
    static const char nothing[1] = {0};
    char *room;

    if (!team_is_shared(team) || !(room = team_room(team, count, 1)))
        return;
    memset(team->bytes, 0, team_size(team) * sizeof *team->bytes);
    team->bytes[rank] = count;
    team_gather(team, rank == team_rank(team) ? (const char *)bytes : nothing, room, team->bytes);
    memcpy(bytes, room, count);
}

/* ---- Numbers ------------------------------------------------------------ */

/* Returns [ranks * count] numbers of all ranks; NULL: one process alone, or out of memory. */
static const double *gather_numbers(struct team *team, const double *numbers, size_t count)
{
    double *all;

    if (!team_is_shared(team) || !(all = team_room(team, team_size(team) * count, sizeof *numbers)))
        return NULL;
    team_gather_each(team, numbers, count * sizeof *numbers, all);
    return all;
}

void team_add(struct team *team, double *numbers, size_t count)
{
    const double *all = gather_numbers(team, numbers, count);

    for (size_t k = 0; all && k < count; k++) {
        numbers[k] = 0;
        for (unsigned q = 0; q < team_size(team); q++)
            numbers[k] += all[q * count + k];
    }
}

void team_largest_each(struct team *team, double *numbers, size_t count)
{
    const double *all = gather_numbers(team, numbers, count);

    for (size_t k = 0; all && k < count; k++)
        for (unsigned q = 0; q < team_size(team); q++)
            if (q == 0 || all[q * count + k] > numbers[k])
                numbers[k] = all[q * count + k];
}

double team_largest(struct team *team, double number)
{
    team_largest_each(team, &number, 1);
    return number;
}

int team_any(struct team *team, int holds)
{
    return team_largest(team, holds != 0) > 0;
}

int team_all(struct team *team, int holds)
{
    return !team_any(team, !holds);
}

enum hinge_status team_end(struct team *team, struct hinge_error *error)
{
    team_all(team, 1);
    return team_check(team, error);
}

int team_agrees(struct team *team, int succeeded, struct hinge_error *error)
{
    if (team_all(team, succeeded))
        return succeeded && team_check(team, error) == HINGE_OK;
    if (succeeded)
        ranks_check(1, error);
    return 0;
}
