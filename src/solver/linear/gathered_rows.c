/* gathered_rows.c - each rank sends the entries of its rows to all others. */
#include "solver/linear/gathered_rows.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

void gathered_rows_clear(struct gathered_rows *lent)
{
    lent->data.x.rows = lent->data.x.nonzeros = 0;
}

void gathered_rows_free(struct gathered_rows *lent)
{
    free(lent->data.x.start);
    free(lent->data.x.index);
    free(lent->data.x.value);
    free(lent->number);
    free(lent->list);
    free(lent->row);
    free(lent->weight);
    *lent = (struct gathered_rows){.listed = 0};
}

/* A larger array; NULL, and the team fails, if there is no room. The old one stays. */
static void *grown(struct team *team, void *array, size_t count, size_t size)
{
    struct hinge_error error;
    void *larger = team->failed ? NULL : array_resize(array, count, size, &error);

    if (!larger && !team->failed)
        team_fail(team, &error);
    return larger;
}

static int list_room(struct gathered_rows *lent, struct team *team, size_t count)
{
    const size_t room = array_grown(lent->list_room, count);
    struct lent_row *list;
    uint32_t *row;
    double *weight;

    if (count <= lent->list_room)
        return 1;
    if ((row = grown(team, lent->row, room, sizeof *row)))
        lent->row = row;
    if ((list = grown(team, lent->list, room, sizeof *list)))
        lent->list = list;
    if ((weight = grown(team, lent->weight, room, sizeof *weight)))
        lent->weight = weight;
    if (list && row && weight)
        lent->list_room = room;
    return list && row && weight;
}

static int row_room(struct gathered_rows *lent, struct team *team, size_t count)
{
    const size_t room = array_grown(lent->row_room, count);
    size_t *start;
    uint32_t *number;

    if (count < lent->row_room) /* start has one more */
        return 1;
    if ((start = grown(team, lent->data.x.start, room + 1, sizeof *start)))
        lent->data.x.start = start;
    if ((number = grown(team, lent->number, room + 1, sizeof *number)))
        lent->number = number;
    if (!start || !number)
        return 0;
    for (size_t i = lent->row_room; i <= room; i++)
        number[i] = (uint32_t)i;
    lent->row_room = room;
    return 1;
}

static int entry_room(struct gathered_rows *lent, struct team *team, size_t count)
{
    const size_t room = array_grown(lent->room, count);
    void *index, *value;

    if (count <= lent->room)
        return 1;
    if ((index = grown(team, lent->data.x.index, room, sizeof(uint32_t))))
        lent->data.x.index = index;
    if ((value = grown(team, lent->data.x.value, room, sizeof(double))))
        lent->data.x.value = value;
    if (index && value)
        lent->room = room;
    return index && value;
}

int gathered_rows_list(struct gathered_rows *lent, const struct problem *problem,
                       const uint32_t *row, const double *weight, uint32_t count)
{
    struct team *team = problem->team;
    const unsigned size = team_size(team);
    const double own_count = count;
    double *counts = team_room(team, size, sizeof *counts);
    size_t *const bytes = team->bytes + size; /* team_gather_each uses those before */
    struct lent_row *own;

    lent->listed = 0;
    if (!counts)
        return 0;
    team_gather_each(team, &own_count, sizeof own_count, counts);
    for (unsigned q = 0; q < size; q++) {
        bytes[q] = (size_t)counts[q] * sizeof *own;
        lent->listed += (size_t)counts[q];
    }
    own = team_room(team, count, sizeof *own);
    if (!own || team->failed || !list_room(lent, team, lent->listed))
        return 0;
    for (uint32_t s = 0; s < count; s++)
        own[s] = (struct lent_row){row[s], (uint32_t)problem_length(problem, row[s]),
                                   weight ? weight[s] : 0};
    team_gather(team, own, lent->list, bytes);
    for (size_t s = 0; s < lent->listed; s++) {
        lent->row[s] = lent->list[s].row;
        lent->weight[s] = lent->list[s].weight;
    }
    return !team->failed;
}

/* ---- Entries ------------------------------------------------------------ */

/* Bytes of an entry as it is sent: the values of a rank's entries, none if all are 1, then their
 * indices. */
static size_t entry_size(const struct team *team)
{
    return (team->all_ones ? 0 : sizeof(double)) + sizeof(uint32_t);
}

/* The entries of the own rows. */
static void pack(const struct gathered_rows *lent, const struct problem *problem,
                 const uint32_t *at, size_t count, char *values, char *indices)
{
    const struct own_rows own = own_rows(problem);

    for (size_t k = 0; k < count; k++) {
        const uint32_t i = lent->list[at ? at[k] : k].row;
        struct sparse x;

        if (i < own.first || i >= own.end)
            continue;
        x = problem_row(problem, i);
        for (size_t entry = 0; entry < x.count; entry++) {
            const uint32_t index = index_at(&x, entry);
            const double value = bare_value(&x, x.value_kind, entry);

            memcpy(indices, &index, sizeof index);
            indices += sizeof index;
            if (problem->team->all_ones)
                continue;
            memcpy(values, &value, sizeof value);
            values += sizeof value;
        }
    }
}

/* Entries that were sent, to the end of the data's. */
static void unpack(struct hinge_matrix *x, const struct team *team, const char *sent, size_t count)
{
    const char *const indices = sent + count * (entry_size(team) - sizeof(uint32_t));

    if (count == 0) /* there may be no arrays */
        return;
    memcpy((uint32_t *)x->index + x->nonzeros, indices, count * sizeof(uint32_t));
    for (size_t k = 0; k < count && !team->all_ones; k++) {
        double value;

        memcpy(&value, sent + k * sizeof value, sizeof value);
        if (x->value_kind == HINGE_VALUE_WHOLE)
            ((int32_t *)x->value)[x->nonzeros + k] = (int32_t)value;
        else
            ((double *)x->value)[x->nonzeros + k] = value;
    }
    x->nonzeros += count;
}

int gathered_rows_append(struct gathered_rows *lent, const struct problem *problem,
                         const uint32_t *at, size_t count)
{
    const struct hinge_matrix *from = &problem->data->x;
    struct hinge_matrix *x = &lent->data.x;
    struct team *team = problem->team;
    const unsigned size = team_size(team);
    size_t entries = 0, own_entries, next = 0;
    char *send, *receive;

    for (unsigned q = 0; q < size; q++) {
        const uint32_t end = first_row_of_rank(problem, q + 1);

        team->bytes[q] = 0;
        for (; next < count && lent->list[at ? at[next] : next].row < end; next++)
            team->bytes[q] += lent->list[at ? at[next] : next].length;
        entries += team->bytes[q];
    }
    own_entries = team->bytes[team_rank(team)];
    if (!(send = team_room(team, own_entries + entries, entry_size(team))) ||
        !row_room(lent, team, x->rows + count) || !entry_room(lent, team, x->nonzeros + entries))
        return 0;
    receive = send + own_entries * entry_size(team);
    pack(lent, problem, at, count, send,
         send + own_entries * (entry_size(team) - sizeof(uint32_t)));
    for (unsigned q = 0; q < size; q++)
        team->bytes[q] *= entry_size(team);
    team_gather(team, send, receive, team->bytes);
    if (team->failed)
        return 0;
    x->index_kind = HINGE_INDEX_32;
    x->value_kind = team->all_ones                          ? HINGE_VALUE_ONE
                    : from->value_kind == HINGE_VALUE_WHOLE ? HINGE_VALUE_WHOLE
                                                            : HINGE_VALUE_DOUBLE;
    x->scale = from->scale;
    lent->data.features = problem->data->features;
    x->start[x->rows] = x->nonzeros;
    for (size_t k = 0; k < count; k++, x->rows++)
        x->start[x->rows + 1] = x->start[x->rows] + lent->list[at ? at[k] : k].length;
    for (unsigned q = 0; q < size; q++) {
        unpack(x, team, receive, team->bytes[q] / entry_size(team));
        receive += team->bytes[q];
    }
    return 1;
}
