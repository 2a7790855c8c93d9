/* columns.c - K_ij = <x_i, x_j>: row i scattered into a dense vector, one sparse product a row j.
 *
 * The columns form a list, the one least lately asked for first; those are given up when there is
 * no room. A column is as long as it had to be so far, and grows when more of it is asked for.
 */
#include "solver/columns.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/status.h"
#include "problem/kernel.h"

struct column {
    void *entries;   /* [length] in the columns' kind of entry */
    uint32_t length; /* 0: not kept, and in no list */
    uint32_t before; /* rows of the problem; the oldest follows the list's end, */
    uint32_t after;  /* which follows the newest */
};

/* ---- Making ------------------------------------------------------------ */

/* Whether no product of two rows, nor a part of its sum, is beyond the whole numbers that float
 * holds; and all values are whole. */
static int fits_float(const struct hinge_dataset *data, size_t longest)
{
    double largest = 1;

    for (size_t k = 0; data->x.value_kind != HINGE_VALUE_ONE && k < data->x.nonzeros; k++) {
        const double value = hinge_value(&data->x, k);

        if (value != floor(value))
            return 0;
        largest = fmax(largest, fabs(value));
    }
    return largest * largest * (double)longest <= 16777216;
}

static enum entry choose_entry(const struct hinge_dataset *data)
{
    size_t longest = 0;

    for (size_t i = 0; i < data->x.rows; i++)
        if (data->x.start[i + 1] - data->x.start[i] > longest)
            longest = data->x.start[i + 1] - data->x.start[i];
    if (data->x.value_kind == HINGE_VALUE_ONE && longest <= UINT8_MAX)
        return ENTRY_BYTE;
    return fits_float(data, longest) ? ENTRY_FLOAT : ENTRY_DOUBLE;
}

static size_t entry_size(const struct columns *columns)
{
    static const size_t sizes[] = {sizeof(uint8_t), sizeof(float), sizeof(double)};

    return sizes[columns->entry];
}

double columns_least(const struct columns *columns)
{
    return 2.0 * columns->problem->rows * (double)entry_size(columns);
}

static void choose_room(struct columns *columns, double mebibytes)
{
    const double room = fmax(mebibytes * 1048576, columns_least(columns));

    columns->room = (size_t)fmin(room, (double)(SIZE_MAX / 2));
}

struct columns *columns_new(const struct binary_problem *problem, double mebibytes,
                            struct hinge_error *error)
{
    const size_t rows = problem->rows;
    struct columns *columns = array_new(1, sizeof *columns, error);

    if (!columns)
        return NULL;
    columns->problem = problem;
    columns->entry = choose_entry(problem->data);
    choose_room(columns, mebibytes);
    if (!(columns->row = array_new(rows, sizeof *columns->row, error)) ||
        !(columns->column = array_new(rows + 1, sizeof *columns->column, error)) ||
        !(columns->dense = array_new(problem->data->features, sizeof(double), error)) ||
        !(columns->partial = array_new(rows, sizeof(double), error)) ||
        !(columns->old = array_new(rows, sizeof *columns->old, error))) {
        columns_free(columns);
        return NULL;
    }
    for (uint32_t i = 0; i < problem->rows; i++)
        columns->row[i] = i;
    columns->column[rows].before = columns->column[rows].after = problem->rows;
    return columns;
}

void columns_free(struct columns *columns)
{
    if (!columns)
        return;
    for (uint32_t i = 0; columns->column && i < columns->problem->rows; i++)
        free(columns->column[i].entries);
    free(columns->column);
    free(columns->row);
    free(columns->dense);
    free(columns->partial);
    free(columns->old);
    free(columns);
}

/* ---- Computing --------------------------------------------------------- */

static void scatter(struct columns *columns, const struct sparse *row)
{
    for (size_t k = 0; k < row->count; k++)
        columns->dense[index_at(row, k)] = value_at(row, k);
}

static void clear(struct columns *columns, const struct sparse *row)
{
    for (size_t k = 0; k < row->count; k++)
        columns->dense[index_at(row, k)] = 0;
}

static ALWAYS_INLINE void store(void *entries, enum entry entry, size_t k, double product)
{
    if (entry == ENTRY_BYTE)
        ((uint8_t *)entries)[k] = (uint8_t)product;
    else if (entry == ENTRY_FLOAT)
        ((float *)entries)[k] = (float)product;
    else
        ((double *)entries)[k] = product;
}

static ALWAYS_INLINE void multiply_as(const struct columns *columns, uint32_t from, uint32_t to,
                                      void *entries, enum entry entry)
{
    for (uint32_t k = from; k < to; k++) {
        const struct sparse row = binary_row(columns->problem, columns->row[k]);

        store(entries, entry, k, sparse_dot(&row, columns->dense));
    }
}

/* Entries from .. to-1 of the column of row i of the problem, at entries[from]. */
static void multiply(struct columns *columns, uint32_t i, uint32_t from, uint32_t to, void *entries,
                     enum entry entry)
{
    const struct sparse row = binary_row(columns->problem, i);

    scatter(columns, &row);
    if (entry == ENTRY_BYTE)
        multiply_as(columns, from, to, entries, ENTRY_BYTE);
    else if (entry == ENTRY_FLOAT)
        multiply_as(columns, from, to, entries, ENTRY_FLOAT);
    else
        multiply_as(columns, from, to, entries, ENTRY_DOUBLE);
    clear(columns, &row);
    columns->products += to - from;
}

double columns_diagonal(const struct columns *columns, uint32_t position)
{
    const struct sparse row = binary_row(columns->problem, columns->row[position]);

    return sparse_square(&row);
}

/* ---- Keeping ----------------------------------------------------------- */

static void take_out(struct columns *columns, uint32_t i)
{
    struct column *column = columns->column;

    column[column[i].before].after = column[i].after;
    column[column[i].after].before = column[i].before;
}

static void put_last(struct columns *columns, uint32_t i)
{
    struct column *column = columns->column;
    const uint32_t end = columns->problem->rows;

    column[i].before = column[end].before;
    column[i].after = end;
    column[column[end].before].after = i;
    column[end].before = i;
}

/* Forgets a column that is in no list. */
static void give_up(struct columns *columns, uint32_t i)
{
    struct column *column = &columns->column[i];

    columns->used -= column->length * entry_size(columns);
    free(column->entries);
    column->entries = NULL;
    column->length = 0;
}

/* Makes the column, which is in no list, so long: of the others, all but the newest may go. */
static int grow(struct columns *columns, uint32_t i, uint32_t length)
{
    const size_t more = (length - columns->column[i].length) * entry_size(columns);
    const struct column *end = &columns->column[columns->problem->rows];
    struct hinge_error error;
    void *entries = NULL;

    for (;;) {
        const uint32_t oldest = end->after;

        if (columns->used + more <= columns->room)
            entries = array_resize(columns->column[i].entries, length, entry_size(columns), &error);
        if (entries)
            break;
        if (oldest == end->before)
            return 0;
        take_out(columns, oldest);
        give_up(columns, oldest);
    }
    columns->column[i].entries = entries;
    columns->used += more;
    return 1;
}

const void *columns_get(struct columns *columns, uint32_t position, uint32_t length)
{
    const uint32_t i = columns->row[position];
    struct column *column = &columns->column[i];

    if (column->length > 0)
        take_out(columns, i);
    if (column->length < length) {
        if (!grow(columns, i, length)) {
            give_up(columns, i);
            return NULL;
        }
        multiply(columns, i, column->length, length, column->entries, columns->entry);
        column->length = length;
    }
    put_last(columns, i);
    return column->entries;
}

const double *columns_rest(struct columns *columns, uint32_t position, uint32_t from)
{
    const uint32_t i = columns->row[position], rows = columns->problem->rows;
    const struct column *column = &columns->column[i];
    uint32_t k = from;

    for (; k < column->length; k++)
        columns->partial[k] = column_entry(column->entries, columns->entry, k);
    multiply(columns, i, k, rows, columns->partial, ENTRY_DOUBLE);
    return columns->partial + from;
}

/* ---- Reordering -------------------------------------------------------- */

static void move_entries(char *to, const char *source, const uint32_t *from, uint32_t count,
                         size_t size)
{
    if (size == 1)
        for (uint32_t k = 0; k < count; k++)
            to[k] = source[from[k]];
    else
        for (uint32_t k = 0; k < count; k++)
            memmove(to + k * size, source + from[k] * size, size);
}

/* A whole column stays one. Of another one, the entries of the first positions are kept: as these
 * ascend, none is overwritten before it is read. */
static void reorder_column(struct columns *columns, uint32_t i, const uint32_t *from,
                           uint32_t active)
{
    struct column *column = &columns->column[i];
    const uint32_t rows = columns->problem->rows;
    const size_t size = entry_size(columns);
    uint32_t kept = 0;
    void *smaller;
    struct hinge_error error;

    if (column->length == rows) {
        memcpy(columns->partial, column->entries, rows * size);
        move_entries(column->entries, (const char *)columns->partial, from, rows, size);
        return;
    }
    while (kept < active && from[kept] < column->length)
        kept++;
    move_entries(column->entries, column->entries, from, kept, size);
    columns->used -= (column->length - kept) * size;
    column->length = kept;
    if (kept > 0 && (smaller = array_resize(column->entries, kept, size, &error)))
        column->entries = smaller;
}

void columns_reorder(struct columns *columns, const uint32_t *from, uint32_t active)
{
    const uint32_t rows = columns->problem->rows;

    for (uint32_t i = 0; i < rows; i++) {
        if (columns->column[i].length == 0)
            continue;
        reorder_column(columns, i, from, active);
        if (columns->column[i].length == 0) {
            take_out(columns, i);
            give_up(columns, i);
        }
    }
    memcpy(columns->old, columns->row, rows * sizeof *columns->old);
    for (uint32_t k = 0; k < rows; k++)
        columns->row[k] = columns->old[from[k]];
}
