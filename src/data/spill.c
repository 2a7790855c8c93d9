/* spill.c - read rows | when they take their share of the memory: to the file, and on. */
#include "data/spill.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "data/pages.h"

/* What all rows have in memory. */
struct spill {
    struct hinge_pages *pages;
    size_t rows, capacity;
    size_t *start; /* [capacity + 1] of the entries that were read, without zeros left out, */
    size_t read;   /* and where the last row ends */
    double *label; /* [capacity] */
    uint32_t features;
};

/* Bytes of the entries; ones count as if they were stored, as the next value may change that. */
static size_t bytes_of(const struct entries *entries)
{
    const struct hinge_matrix *x = &entries->x;

    return index_bytes(x->index_kind, x->nonzeros) + x->nonzeros * value_size(x->value_kind);
}

/* Rows until they take so many bytes, or the data end: *more is 0 then. */
static enum hinge_status read_some(struct rows *rows, size_t most, int *more,
                                   struct hinge_error *error)
{
    while (bytes_of(&rows->reader.entries) <= most) {
        const int found = rows_next(rows, error);

        *more = found > 0;
        if (found <= 0)
            return found < 0 ? failure(error) : HINGE_OK;
    }
    return HINGE_OK;
}

/* Appends labels and lengths of rows, and puts their entries into the file. */
static enum hinge_status move(struct spill *spill, struct rows *rows, struct hinge_error *error)
{
    struct entries *entries = &rows->reader.entries;
    const struct hinge_matrix *x = &entries->x;
    size_t *start;

    if (x->rows > UINT32_MAX - spill->rows)
        return source_fail(&rows->reader.source, rows->reader.source.cursor, error,
                           "more than %lu rows", (unsigned long)UINT32_MAX);
    if (rows_reserve(&spill->label, &spill->start, &spill->capacity, spill->rows + x->rows, error))
        return failure(error);
    if (spill->rows == 0)
        spill->start[0] = 0;
    memcpy(spill->label + spill->rows, rows->label, x->rows * sizeof *rows->label);
    start = spill->start + spill->rows;
    for (size_t i = 0; i < x->rows; i++) {
        const size_t end = i + 1 < x->rows ? x->start[i + 1] : x->nonzeros;
        size_t count = end - x->start[i];

        for (size_t k = x->start[i]; entries->filled > 0 && k < end; k++)
            count -= (size_t)entries_is_left_out(x, k);
        start[i + 1] = start[i] + count;
    }
    spill->read = start[x->rows];
    spill->rows += x->rows;
    spill->features = rows->features > spill->features ? rows->features : spill->features;
    return pages_put(spill->pages, entries, error);
}

/* Moves all that there is, and what follows, a block at a time. */
static enum hinge_status move_all(struct spill *spill, struct rows *rows, size_t block, int more,
                                  struct hinge_error *error)
{
    for (;;) {
        if (rows->reader.entries.x.rows > 0 && move(spill, rows, error))
            return failure(error);
        if (!more)
            return HINGE_OK;
        if (rows_clear(rows, rows, error) || read_some(rows, block, &more, error))
            return failure(error);
    }
}

/* What is left for entries of so many bytes in all: labels and starts of rows and the vectors of a
 * training take at most so many for each row and feature, coordinate descent half of that. With too
 * little for these, which *is_short tells, entries get a share all the same: so small that memory
 * which has room for coordinate descent and a fifth more is not exceeded. */
static size_t left_for_entries(size_t memory, const struct spill *spill, int *is_short)
{
    enum { ROW = 96, FEATURE = 64, SHARE = 8 };
    const double others = ROW * (double)spill->rows + FEATURE * (double)spill->features;
    const size_t least = memory / SHARE;

    *is_short = others >= (double)(memory - least);
    return *is_short ? least : memory - (size_t)others;
}

/* Gives the dataset its rows; the entries of the reader are not needed any more. */
static enum hinge_status finish(struct spill *spill, struct rows *rows, struct hinge_dataset *data,
                                struct hinge_error *error)
{
    int is_short;
    const size_t memory = left_for_entries(rows->reader.format.memory, spill, &is_short);

    entries_free(&rows->reader.entries);
    spill->label = array_cut(spill->label, spill->rows, sizeof *spill->label);
    spill->start = array_cut(spill->start, spill->rows + 1, sizeof *spill->start);
    data->x = (struct hinge_matrix){.rows = spill->rows, .start = spill->start};
    if (pages_finish(spill->pages, memory, is_short, &data->x, spill->features, error)) {
        spill->start = data->x.start;
        return failure(error);
    }
    data->zeros = data->x.nonzeros - spill->read;
    data->features = spill->features;
    data->label = spill->label;
    data->zero_based = rows->reader.format.zero_based;
    if (!data->x.pages)
        pages_free(spill->pages);
    return HINGE_OK;
}

enum hinge_status spill_read(struct rows *rows, struct hinge_dataset *data, int *spilled,
                             struct hinge_error *error)
{
    enum { BLOCK = 1 << 25 };
    const size_t memory = rows->reader.format.memory;
    struct spill spill = {0};
    int more = 1;

    *spilled = 0;
    if (read_some(rows, memory / 5 * 2, &more, error))
        return failure(error);
    if (!more)
        return HINGE_OK;
    *spilled = 1;
    if ((spill.pages = pages_new(rows->reader.format.scratch, error)) &&
        !move_all(&spill, rows, memory / 5 < BLOCK ? memory / 5 : BLOCK, more, error) &&
        !finish(&spill, rows, data, error))
        return HINGE_OK;
    pages_free(spill.pages);
    free(spill.start);
    free(spill.label);
    return failure(error);
}
