/* blocks.c - kinds of each block -> kinds of the whole.
 *
 * The reader widens its kinds as it goes on. Those of the whole are known at the end: of indices
 * from the number of columns, of values the widest, with the most places if every block's largest
 * number can have these. They are those that entries.c would have come to, in whatever order rows
 * come. Rows are brought to these kinds when they are loaded: only the first blocks have other ones
 * as a rule.
 */
#include "data/blocks.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

void blocks_free(struct blocks *blocks)
{
    scratch_close(&blocks->scratch);
    free(blocks->block);
    free(blocks->listed);
    free(blocks->index);
    free(blocks->value);
    memset(blocks, 0, sizeof *blocks);
}

enum hinge_status blocks_put(struct blocks *blocks, struct entries *entries,
                             struct hinge_error *error)
{
    const struct hinge_matrix *x = &entries->x;
    const size_t count = blocks->count;
    const size_t for_index = index_bytes(x->index_kind, x->nonzeros);
    const size_t for_value = value_bytes(x->value_kind, x->nonzeros);
    struct block *block;

    if (!blocks->scratch.file && scratch_open(&blocks->scratch, blocks->path, error))
        return failure(error);
    if (!(block = array_reserve(blocks->block, &blocks->capacity, count + 2, sizeof *block, error)))
        return failure(error);
    blocks->block = block;
    block += count;
    block->first = count > 0 ? block->first : 0;
    block->index_kind = x->index_kind;
    block->kinds = entries_kinds(entries, 0);
    block->width = entries->width;
    block->filled = entries->filled;
    if ((for_index > 0 &&
         scratch_append(&blocks->scratch, x->index, for_index, &block->index, error)) ||
        (for_value > 0 &&
         scratch_append(&blocks->scratch, x->value, for_value, &block->value, error)))
        return failure(error);
    blocks->bytes += (double)for_index + (double)for_value;
    blocks->count++;
    block[1].first = block->first + x->rows;
    return HINGE_OK;
}

/* ---- Kinds ------------------------------------------------------------- */

static void choose_kinds(const struct blocks *blocks, struct hinge_matrix *x, size_t columns)
{
    struct storage_kinds all = blocks->block->kinds;

    for (size_t b = 1; b < blocks->count; b++)
        all = storage_kinds_join(&all, &blocks->block[b].kinds);
    all.columns = (uint32_t)columns;
    x->value_kind = all.value_kind;
    x->scale = value_scale(all.value_kind, all.places);
    x->index_kind = storage_kinds_are_dense(&all) ? HINGE_INDEX_NONE : index_kind_of(columns);
}

/* Of rows that have all columns start is another; that of the list may still be needed. */
static enum hinge_status set_start(struct blocks *blocks, struct hinge_matrix *x, size_t columns,
                                   struct hinge_error *error)
{
    size_t *start;

    if (x->index_kind != HINGE_INDEX_NONE)
        return HINGE_OK;
    if (!(start = array_new(x->rows + 1, sizeof *start, error)))
        return failure(error);
    for (size_t i = 0; i <= x->rows; i++)
        start[i] = i * columns;
    blocks->listed = x->start;
    x->start = start;
    return HINGE_OK;
}

enum hinge_status blocks_finish(struct blocks *blocks, struct hinge_matrix *x, size_t columns,
                                struct hinge_error *error)
{
    blocks->columns = columns;
    choose_kinds(blocks, x, columns);
    if (set_start(blocks, x, columns, error))
        return failure(error);
    x->nonzeros = x->start[x->rows];
    return HINGE_OK;
}

/* ---- Loading ----------------------------------------------------------- */

/* Some rows, as they were put and as they are to be. */
struct rows_of_block {
    const struct block *block;
    size_t first, end;    /* rows */
    size_t from, entries; /* in the block */
    struct hinge_matrix raw;
};

static size_t row_from(const struct blocks *blocks, const struct hinge_matrix *x,
                       const struct block *block, size_t row)
{
    const size_t *listed = blocks->listed ? blocks->listed : x->start;

    return block->index_kind == HINGE_INDEX_NONE ? (row - block->first) * block->width
                                                 : listed[row] - listed[block->first];
}

static struct rows_of_block rows_of(const struct blocks *blocks, const struct hinge_matrix *x,
                                    size_t block, size_t first, size_t end)
{
    struct rows_of_block rows = {.block = &blocks->block[block], .first = first, .end = end};

    rows.from = row_from(blocks, x, rows.block, first);
    rows.entries = row_from(blocks, x, rows.block, end) - rows.from;
    return rows;
}

/* Whether the entries of a block are of the kinds of the whole. */
static int is_final(const struct blocks *blocks, const struct hinge_matrix *x,
                    const struct block *block)
{
    return block->index_kind == x->index_kind && block->kinds.value_kind == x->value_kind &&
           (x->value_kind != HINGE_VALUE_WHOLE || power_of_ten[block->kinds.places] == x->scale) &&
           (x->index_kind != HINGE_INDEX_NONE ||
            (block->filled == 0 && block->width == blocks->columns));
}

static enum hinge_status read_raw(struct blocks *blocks, const struct rows_of_block *rows,
                                  void *index, void *value, struct hinge_error *error)
{
    const struct block *block = rows->block;
    const size_t for_index = index_bytes(block->index_kind, rows->entries);
    const size_t for_value = value_bytes(block->kinds.value_kind, rows->entries);

    if ((for_index > 0 &&
         scratch_read(&blocks->scratch, &block->index, index_bytes(block->index_kind, rows->from),
                      index, for_index, error)) ||
        (for_value > 0 &&
         scratch_read(&blocks->scratch, &block->value,
                      value_bytes(block->kinds.value_kind, rows->from), value, for_value, error)))
        return failure(error);
    blocks->read += (double)for_index + (double)for_value;
    return HINGE_OK;
}

/* Stores entry k of the raw ones. A whole number times a power of ten is one that fits. */
static void store_value(const struct hinge_matrix *x, void *value, size_t at,
                        const struct hinge_matrix *raw, size_t k)
{
    if (x->value_kind == HINGE_VALUE_WHOLE)
        ((int32_t *)value)[at] =
            raw->value_kind == HINGE_VALUE_ONE
                ? (int32_t)x->scale
                : ((const int32_t *)raw->value)[k] * (int32_t)(x->scale / raw->scale);
    else if (x->value_kind == HINGE_VALUE_DOUBLE)
        ((double *)value)[at] = hinge_value(raw, k);
}

/* Brings the raw entries to the kinds of the whole. Where only the indices go, which may be in
 * every block, that is soon done. */
static void convert(const struct blocks *blocks, const struct hinge_matrix *x,
                    const struct rows_of_block *rows, void *index, void *value)
{
    const struct hinge_matrix *raw = &rows->raw;
    const int is_dense = x->index_kind == HINGE_INDEX_NONE;
    const int has_values = raw->index_kind != HINGE_INDEX_NONE && is_dense &&
                           raw->value_kind == x->value_kind &&
                           (x->value_kind != HINGE_VALUE_WHOLE || raw->scale == x->scale);
    size_t at = 0, k = 0;

    if (is_dense)
        memset(value, 0, value_bytes(x->value_kind, (rows->end - rows->first) * blocks->columns));
    for (size_t row = rows->first; row < rows->end; row++) {
        const size_t first = k, end = row_from(blocks, x, rows->block, row + 1) - rows->from;

        if (has_values)
            entries_spread(raw, first, end, (char *)value + value_bytes(x->value_kind, at));
        for (k = has_values ? end : first; k < end; k++) {
            const size_t column =
                raw->index_kind == HINGE_INDEX_NONE ? k - first : hinge_index(raw, k);

            if (entries_is_left_out(raw, k))
                continue;
            if (!is_dense)
                store_index(x->index_kind, index, at, (uint32_t)column);
            store_value(x, value, is_dense ? at + column : at, raw, k);
            at += !is_dense;
        }
        at += is_dense ? blocks->columns : 0;
    }
}

enum hinge_status blocks_load(struct blocks *blocks, const struct hinge_matrix *x, size_t block,
                              size_t first, size_t end, void *index, void *value,
                              struct hinge_error *error)
{
    struct rows_of_block rows = rows_of(blocks, x, block, first, end);

    if (is_final(blocks, x, rows.block))
        return read_raw(blocks, &rows, index, value, error);
    if (read_raw(blocks, &rows, blocks->index, blocks->value, error))
        return failure(error);
    rows.raw = (struct hinge_matrix){.index_kind = rows.block->index_kind,
                                     .value_kind = rows.block->kinds.value_kind,
                                     .index = blocks->index,
                                     .value = blocks->value,
                                     .scale = power_of_ten[rows.block->kinds.places]};
    convert(blocks, x, &rows, index, value);
    return HINGE_OK;
}

static enum hinge_status enlarge(char **room, size_t *size, size_t needed,
                                 struct hinge_error *error)
{
    char *array;

    if (needed <= *size)
        return HINGE_OK;
    if (!(array = array_resize(*room, needed, 1, error)))
        return failure(error);
    *room = array;
    *size = needed;
    return HINGE_OK;
}

enum hinge_status blocks_make_room(struct blocks *blocks, const struct hinge_matrix *x,
                                   size_t block, size_t first, size_t end,
                                   struct hinge_error *error)
{
    const struct rows_of_block rows = rows_of(blocks, x, block, first, end);

    if (is_final(blocks, x, rows.block))
        return HINGE_OK;
    if (enlarge(&blocks->index, &blocks->index_size,
                index_bytes(rows.block->index_kind, rows.entries), error))
        return failure(error);
    return enlarge(&blocks->value, &blocks->value_size,
                   value_bytes(rows.block->kinds.value_kind, rows.entries), error);
}
