/* paged_reader.c - read rows | when they take their share of the memory: to the file, and on. */
#include "data/paged_reader.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "data/pages.h"

/* What all rows have in memory. */
struct paged_reader {
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
static enum hinge_status move(struct paged_reader *reader, struct rows *rows,
                              struct hinge_error *error)
{
    struct entries *entries = &rows->reader.entries;
    const struct hinge_matrix *x = &entries->x;
    size_t *start;

    if (x->rows > UINT32_MAX - reader->rows)
        return source_fail(&rows->reader.source, rows->reader.source.cursor, error,
                           "more than %lu rows", (unsigned long)UINT32_MAX);
    if (rows_reserve(&reader->label, &reader->start, &reader->capacity, reader->rows + x->rows,
                     error))
        return failure(error);
    if (reader->rows == 0)
        reader->start[0] = 0;
    memcpy(reader->label + reader->rows, rows->label, x->rows * sizeof *rows->label);
    start = reader->start + reader->rows;
    for (size_t i = 0; i < x->rows; i++) {
        const size_t end = i + 1 < x->rows ? x->start[i + 1] : x->nonzeros;
        size_t count = end - x->start[i];

        for (size_t k = x->start[i]; entries->filled > 0 && k < end; k++)
            count -= (size_t)entries_is_left_out(x, k);
        start[i + 1] = start[i] + count;
    }
    reader->read = start[x->rows];
    reader->rows += x->rows;
    reader->features = rows->features > reader->features ? rows->features : reader->features;
    return pages_put(reader->pages, entries, error);
}

/* Moves all that there is, and what follows, a block at a time. */
static enum hinge_status move_all(struct paged_reader *reader, struct rows *rows, size_t block,
                                  int more, struct hinge_error *error)
{
    for (;;) {
        if (rows->reader.entries.x.rows > 0 && move(reader, rows, error))
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
static size_t left_for_entries(size_t memory, const struct paged_reader *reader, int *is_short)
{
    enum { ROW = 96, FEATURE = 64, SHARE = 8 };
    const double others = ROW * (double)reader->rows + FEATURE * (double)reader->features;
    const size_t least = memory / SHARE;

    *is_short = others >= (double)(memory - least);
    return *is_short ? least : memory - (size_t)others;
}

/* Gives the dataset its rows; the entries of the reader are not needed any more. */
static enum hinge_status finish(struct paged_reader *reader, struct rows *rows,
                                struct hinge_dataset *data, struct hinge_error *error)
{
    int is_short;
    const size_t memory = left_for_entries(rows->reader.format.memory, reader, &is_short);

    entries_free(&rows->reader.entries);
    reader->label = array_cut(reader->label, reader->rows, sizeof *reader->label);
    reader->start = array_cut(reader->start, reader->rows + 1, sizeof *reader->start);
    data->x = (struct hinge_matrix){.rows = reader->rows, .start = reader->start};
    if (pages_finish(reader->pages, memory, is_short, &data->x, reader->features, error)) {
        reader->start = data->x.start;
        return failure(error);
    }
    data->zeros = data->x.nonzeros - reader->read;
    data->features = reader->features;
    data->label = reader->label;
    data->zero_based = rows->reader.format.zero_based;
    if (!data->x.pages)
        pages_free(reader->pages);
    return HINGE_OK;
}

enum hinge_status paged_reader_read(struct rows *rows, struct hinge_dataset *data, int *spilled,
                                    struct hinge_error *error)
{
    enum { BLOCK = 1 << 25 };
    const size_t memory = rows->reader.format.memory;
    struct paged_reader reader = {0};
    int more = 1;

    *spilled = 0;
    if (read_some(rows, memory / 5 * 2, &more, error))
        return failure(error);
    if (!more)
        return HINGE_OK;
    *spilled = 1;
    if ((reader.pages = pages_new(rows->reader.format.scratch, error)) &&
        !move_all(&reader, rows, memory / 5 < BLOCK ? memory / 5 : BLOCK, more, error) &&
        !finish(&reader, rows, data, error))
        return HINGE_OK;
    pages_free(reader.pages);
    free(reader.start);
    free(reader.label);
    return failure(error);
}
