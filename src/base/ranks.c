/* ranks.c - gathers the messages of all ranks, so that each rank decides by the same bytes. */
#include "base/ranks.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/status.h"

enum hinge_status ranks_check(int failed, struct hinge_error *error)
{
    return failed ? fail(error, HINGE_TEAM_FAILED,
                         "another process of the team has failed, or cannot be reached")
                  : HINGE_OK;
}

/* Fails as a team: a rank that is out of memory cannot send that to the others. */
static enum hinge_status fail_alone(struct hinge_error *error)
{
    return fail(error, HINGE_TEAM_FAILED, "out of memory for what the processes tell each other");
}

enum hinge_status ranks_gather(const struct hinge_team *team, const void *own, size_t size,
                               void *all, struct hinge_error *error)
{
    size_t *bytes;
    int failed;

    if (ranks_count(team) == 1) {
        memcpy(all, own, size);
        return HINGE_OK;
    }
    if (!(bytes = array_new((size_t)team->size, sizeof *bytes, error)))
        return fail_alone(error);
    for (int q = 0; q < team->size; q++)
        bytes[q] = size;
    failed = team->gather(team->context, own, all, bytes);
    free(bytes);
    return ranks_check(failed, error);
}

void *ranks_gather_new(const struct hinge_team *team, const void *own, size_t size,
                       struct hinge_error *error)
{
    void *all = array_new(ranks_count(team), size, error);

    if (!all)
        fail_alone(error);
    else if (!ranks_gather(team, own, size, all, error))
        return all;
    free(all);
    return NULL;
}

/* The message of a rank. */
struct word {
    enum hinge_status status;
    int value;
    char message[sizeof((struct hinge_error *)NULL)->message];
};

enum hinge_status ranks_conclude(const struct hinge_team *team, enum hinge_status status,
                                 int *value, struct hinge_error *error)
{
    const size_t count = ranks_count(team);
    size_t first = 0, alike = 0; /* the first rank that failed; ranks that say the same */
    struct word own, *all;

    if (count == 1 || status == HINGE_TEAM_FAILED)
        return status;
    memset(&own, 0, sizeof own);
    own.status = status;
    own.value = value ? *value : 0;
    if (status)
        memcpy(own.message, error->message, strlen(error->message));
    if (!(all = ranks_gather_new(team, &own, sizeof own, error)))
        return failure(error);
    while (first < count && all[first].status == HINGE_OK)
        first++;
    status = first < count ? all[first].status : HINGE_OK;
    for (size_t q = 0; status && q < count; q++)
        alike += all[q].status == status && strcmp(all[q].message, all[first].message) == 0;
    if (status && alike == count)
        error_fill(error, status, "%s", all[first].message);
    else if (status)
        error_fill(error, status, "rank %lu of %lu: %s", (unsigned long)first, (unsigned long)count,
                   all[first].message);
    if (value)
        *value = all[0].value;
    free(all);
    return status;
}

enum hinge_status ranks_any(const struct hinge_team *team, uint64_t *bits,
                            struct hinge_error *error)
{
    uint64_t *all = ranks_gather_new(team, bits, sizeof *bits, error);

    if (!all)
        return failure(error);
    for (size_t q = 0; q < ranks_count(team); q++)
        *bits |= all[q];
    free(all);
    return HINGE_OK;
}

enum hinge_status ranks_compare(const struct hinge_team *team, uint64_t sum,
                                enum hinge_status status, const char *what,
                                struct hinge_error *error)
{
    const size_t count = ranks_count(team);
    size_t first = 1;
    uint64_t *all;

    if (count == 1)
        return HINGE_OK;
    if (!(all = ranks_gather_new(team, &sum, sizeof sum, error)))
        return failure(error);
    while (first < count && all[first] == all[0])
        first++;
    free(all);
    return first == count ? HINGE_OK
                          : fail(error, status, "rank %lu of %lu: %s differ from those of rank 0",
                                 (unsigned long)first, (unsigned long)count, what);
}
