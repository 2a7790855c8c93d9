/* gathered_rows.c - each rank sends the entries of its rows to all others. */
#include "solver/linear/gathered_rows.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

void gathered_rows_clear(struct gathered_rows *gathered)
{
    gathered->data.x.rows = gathered->data.x.nonzeros = 0;
}

void gathered_rows_free(struct gathered_rows *gathered)
{
    free(gathered->data.x.start);
    free(gathered->data.x.index);
    free(gathered->data.x.value);
    free(gathered->number);
    free(gathered->list);
    free(gathered->row);
    free(gathered->weight);
    *gathered = (struct gathered_rows){.listed = 0};
}

/* Returns a larger array. Without memory, fails the team and returns the old array. */
static void *grown(struct team *team, void *array, size_t count, size_t size)
{
    struct hinge_error error;
    void *larger = team->failed ? NULL : array_resize(array, count, size, &error);

    if (!larger && !team->failed)
        team_fail(team, &error);
    return larger ? larger : array;
}

/* Makes room in the data for this number of rows and entries. False if there is no memory. */
static int make_data_room(struct gathered_rows *gathered, struct team *team, size_t rows,
                          size_t entries)
{
    const size_t row_room = array_grown(gathered->row_room, rows + 1); /* start has one more */
    const size_t entry_room = array_grown(gathered->entry_room, entries);
    struct hinge_matrix *x = &gathered->data.x;

    if (rows >= gathered->row_room) {
        x->start = grown(team, x->start, row_room, sizeof *x->start);
        gathered->number = grown(team, gathered->number, row_room, sizeof *gathered->number);
        for (size_t i = gathered->row_room; i < row_room && !team->failed; i++)
            gathered->number[i] = (uint32_t)i;
        gathered->row_room = team->failed ? gathered->row_room : row_room;
    }
    if (entries > gathered->entry_room) {
        x->index = grown(team, (void *)x->index, entry_room, sizeof(uint32_t));
        x->value = grown(team, (void *)x->value, entry_room, sizeof(double));
        gathered->entry_room = team->failed ? gathered->entry_room : entry_room;
    }
    return !team->failed;
}

int gathered_rows_list(struct gathered_rows *gathered, const struct problem *problem,
                       const uint32_t *row, const double *weight, uint32_t count)
{
    struct team *team = problem->team;
    const unsigned size = team_size(team);
    const double own_count = count;
    double *counts = team_room(team, size, sizeof *counts);
    size_t *const bytes = team->bytes + size; /* team_gather_each uses the first ones */
    struct gathered_row *own;

    gathered->listed = 0;
    if (!counts)
        return 0;
    team_gather_each(team, &own_count, sizeof own_count, counts);
    for (unsigned q = 0; q < size; q++) {
        bytes[q] = (size_t)counts[q] * sizeof *own;
        gathered->listed += (size_t)counts[q];
    }
    own = team_room(team, count, sizeof *own);
    if (!own || team->failed)
        return 0;
    if (gathered->listed > gathered->list_room) {
        const size_t room = array_grown(gathered->list_room, gathered->listed);

        gathered->list = grown(team, gathered->list, room, sizeof *gathered->list);
        gathered->row = grown(team, gathered->row, room, sizeof *gathered->row);
        gathered->weight = grown(team, gathered->weight, room, sizeof *gathered->weight);
        if (team->failed)
            return 0;
        gathered->list_room = room;
    }
    for (uint32_t s = 0; s < count; s++)
        own[s] = (struct gathered_row){row[s], (uint32_t)problem_length(problem, row[s]),
                                       weight ? weight[s] : 0};
    team_gather(team, own, gathered->list, bytes);
    for (size_t s = 0; s < gathered->listed; s++) {
        gathered->row[s] = gathered->list[s].row;
        gathered->weight[s] = gathered->list[s].weight;
    }
    return !team->failed;
}

/* ---- Entries ------------------------------------------------------------ */

/* Appends count received entries to the data. */
static void unpack(struct hinge_matrix *x, const struct team *team, const char *sent, size_t count)
{
    const char *const indices = sent + (team->all_ones ? 0 : count * sizeof(double));

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

/* A rank sends first the values of its entries, unless all are 1, and then their indices. */
int gathered_rows_append(struct gathered_rows *gathered, const struct problem *problem,
                         const uint32_t *at, size_t count)
{
    const struct hinge_matrix *from = &problem->data->x;
    const struct own_rows own = own_rows(problem);
    struct hinge_matrix *x = &gathered->data.x;
    struct team *team = problem->team;
    const unsigned size = team_size(team);
    const size_t value_size = team->all_ones ? 0 : sizeof(double);
    const size_t entry_size = value_size + sizeof(uint32_t);
    size_t entries = 0, own_entries, next = 0;
    char *send, *receive, *values, *indices;

    for (unsigned q = 0; q < size; q++) {
        const uint32_t end = first_row_of_rank(problem, q + 1);

        team->bytes[q] = 0;
        for (; next < count && gathered->list[at ? at[next] : next].row < end; next++)
            team->bytes[q] += gathered->list[at ? at[next] : next].length;
        entries += team->bytes[q];
    }
    own_entries = team->bytes[team_rank(team)];
    if (!(send = team_room(team, own_entries + entries, entry_size)) ||
        !make_data_room(gathered, team, x->rows + count, x->nonzeros + entries))
        return 0;
    receive = send + own_entries * entry_size;
    values = send;
    indices = send + own_entries * value_size;
    for (size_t k = 0; k < count; k++) {
        const uint32_t i = gathered->list[at ? at[k] : k].row;
        struct sparse row;

        if (i < own.first || i >= own.end)
            continue;
        row = problem_row(problem, i);
        for (size_t entry = 0; entry < row.count; entry++) {
            const uint32_t index = index_at(&row, entry);
            const double value = bare_value(&row, row.value_kind, entry);

            memcpy(indices, &index, sizeof index);
            indices += sizeof index;
            memcpy(values, &value, value_size);
            values += value_size;
        }
    }
    for (unsigned q = 0; q < size; q++)
        team->bytes[q] *= entry_size;
    team_gather(team, send, receive, team->bytes);
    if (team->failed)
        return 0;
    x->index_kind = HINGE_INDEX_32;
    x->value_kind = team->all_ones                          ? HINGE_VALUE_ONE
                    : from->value_kind == HINGE_VALUE_WHOLE ? HINGE_VALUE_WHOLE
                                                            : HINGE_VALUE_DOUBLE;
    x->scale = from->scale;
    gathered->data.features = problem->data->features;
    x->start[x->rows] = x->nonzeros;
    for (size_t k = 0; k < count; k++, x->rows++)
        x->start[x->rows + 1] = x->start[x->rows] + gathered->list[at ? at[k] : k].length;
    for (unsigned q = 0; q < size; q++) {
        unpack(x, team, receive, team->bytes[q] / entry_size);
        receive += team->bytes[q];
    }
    return 1;
}

int gathered_rows_view(struct gathered_rows *gathered, const struct problem *problem,
                       const uint32_t *row, const double *weight, uint32_t count,
                       struct problem *view)
{
    gathered_rows_clear(gathered);
    if (!gathered_rows_list(gathered, problem, row, weight, count) ||
        !gathered_rows_append(gathered, problem, NULL, gathered->listed))
        return 0;
    *view = *problem;
    view->data = &gathered->data;
    view->row = gathered->number;
    view->rows = (uint32_t)gathered->listed;
    view->team = NULL;
    return 1;
}
