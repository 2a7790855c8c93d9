/* paged_reader.c - read rows | when they take their share of the memory: to the file, and on. */
#include <string.h>

#include "base/memory.h"
#include "base/status.h"
#include "data/block_file.h"
#include "data/dataset.h"
#include "data/pages.h"

/* The part of all rows that stays in memory. */
struct paged_reader {
    struct block_file file;
    struct block all; /* labels and starts, but no entries; start counts entries that were read,
                         without zeros left out */
    size_t read;      /* entries of all rows that were read */
};

/* Reads rows until the entries take this many bytes, or the data end: then *more is 0. Ones count
 * as if they were stored, because the next value may change that. */
static enum hinge_status read_some(struct hinge_reader *reader, size_t most, int *more,
                                   struct hinge_error *error)
{
    const struct hinge_matrix *x = &reader->block.x;

    while (index_bytes(x->index_kind, x->nonzeros) + x->nonzeros * value_size(x->value_kind) <=
           most) {
        const int found = reader_next(reader, error);

        *more = found > 0;
        if (found <= 0)
            return found < 0 ? failure(error) : HINGE_OK;
    }
    return HINGE_OK;
}

/* Appends labels and starts of the rows of a block, and puts their entries into the file. */
static enum hinge_status move(struct paged_reader *paged, struct hinge_reader *reader,
                              struct hinge_error *error)
{
    const struct block *block = &reader->block;
    const struct hinge_matrix *x = &block->x;
    struct block *all = &paged->all;
    size_t *start;

    if (!block_has_numbers(all, block))
        return source_fail(&reader->source, reader->source.cursor, error, "more than %lu rows",
                           (unsigned long)UINT32_MAX);
    if (block_reserve_rows(all, all->x.rows + x->rows, error))
        return failure(error);
    if (all->x.rows == 0)
        all->x.start[0] = 0;
    memcpy(all->label + all->x.rows, block->label, x->rows * sizeof *block->label);
    start = all->x.start + all->x.rows;
    for (size_t i = 0; i < x->rows; i++) {
        const size_t end = i + 1 < x->rows ? x->start[i + 1] : x->nonzeros;
        size_t count = end - x->start[i];

        for (size_t k = x->start[i]; block->filled > 0 && k < end; k++)
            count -= (size_t)block_is_left_out(x, k);
        start[i + 1] = start[i] + count;
    }
    paged->read = start[x->rows];
    all->x.rows += x->rows;
    all->features = block->features > all->features ? block->features : all->features;
    return block_file_put(&paged->file, block, error);
}

/* Labels and starts of rows and the vectors of a training take at most ROW bytes for each row and
 * FEATURE for each feature; coordinate descent takes half of that. The rest is left for entries.
 * Entries get at least 1/SHARE of the memory. This share is so small that memory with room for
 * coordinate descent and a fifth more is not exceeded. */
enum hinge_status paged_reader_read(struct hinge_reader *reader, struct hinge_dataset *data,
                                    int *is_read, struct hinge_error *error)
{
    enum { MOST = 1 << 25, ROW = 96, FEATURE = 64, SHARE = 8 };
    const size_t memory = reader->format.memory, least = memory / SHARE;
    const size_t most = memory / 5 < MOST ? memory / 5 : MOST;
    struct paged_reader paged = {0};
    struct block *all = &paged.all;
    enum hinge_status status;
    double others;
    int more = 1, is_short;

    *is_read = 0;
    status = read_some(reader, memory / 5 * 2, &more, error);
    if (status || !more)
        return status;
    *is_read = 1;
    paged.file.path = reader->format.scratch;
    status = move(&paged, reader, error);
    while (!status && more) {
        if (reader_clear(reader, reader, error) || read_some(reader, most, &more, error))
            status = failure(error);
        else if (reader->block.x.rows > 0)
            status = move(&paged, reader, error);
    }
    if (!status) {
        block_free(&reader->block); /* its entries are in the file */
        all->label = array_cut(all->label, all->x.rows, sizeof *all->label);
        all->x.start = array_cut(all->x.start, all->x.rows + 1, sizeof *all->x.start);
        data->x = (struct hinge_matrix){.rows = all->x.rows, .start = all->x.start};
        others = ROW * (double)all->x.rows + FEATURE * (double)all->features;
        is_short = others >= (double)(memory - least);
        status = pages_finish(&paged.file, is_short ? least : memory - (size_t)others, is_short,
                              &data->x, all->features, error);
        all->x.start = data->x.start;
    }
    block_file_free(&paged.file);
    if (status) {
        block_free(all);
        return status;
    }
    data->zeros = data->x.nonzeros - paged.read;
    data->features = all->features;
    data->label = all->label;
    data->zero_based = reader->format.zero_based;
    return HINGE_OK;
}
