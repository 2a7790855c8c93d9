/* blocks.h - entries in a temporary file, in blocks of consecutive rows, each in the kinds that the
 * reader had for them; and some of their rows in memory, in the kinds of the whole.
 */
#ifndef HINGE_DATA_BLOCKS_H
#define HINGE_DATA_BLOCKS_H

#include "data/entries.h"
#include "data/scratch.h"

/* Rows as they were put. */
struct block {
    size_t first; /* row */
    enum hinge_index_kind index_kind;
    struct storage_kinds kinds; /* but for columns */
    size_t width;               /* of HINGE_INDEX_NONE: entries of each row, */
    size_t filled;              /* of which so many are zeros that were left out */
    fpos_t index, value;
};

/* All zero, but for path: nothing was put. blocks_free is to be called in any case. */
struct blocks {
    const char *path; /* of the file; NULL: as scratch_open has it */
    struct scratch scratch;
    size_t columns;
    size_t count, capacity;
    struct block *block; /* [count + 1], the last one where the rows end */
    double bytes;        /* of all blocks */
    double read;         /* bytes that were read */
    size_t *listed;      /* [rows + 1] where a row begins in a list of the entries that were read;
                            NULL: at start */
    char *index, *value; /* room for rows before their kinds are changed, */
    size_t index_size, value_size; /* in bytes */
};

void blocks_free(struct blocks *blocks);

/* Writes rows, which follow those that were put before. */
enum hinge_status blocks_put(struct blocks *blocks, struct entries *entries,
                             struct hinge_error *error);

/* Chooses the kinds of x as if its rows, one at least, had been read into memory, and sets its
 * scale, start and nonzeros. start counts the entries that were read, without zeros that were left
 * out, before. */
enum hinge_status blocks_finish(struct blocks *blocks, struct hinge_matrix *x, size_t columns,
                                struct hinge_error *error);

/* Makes room for changing the kinds of rows first .. end - 1 of a block, where that is needed. */
enum hinge_status blocks_make_room(struct blocks *blocks, const struct hinge_matrix *x,
                                   size_t block, size_t first, size_t end,
                                   struct hinge_error *error);

/* Reads these rows in the kinds of x. */
enum hinge_status blocks_load(struct blocks *blocks, const struct hinge_matrix *x, size_t block,
                              size_t first, size_t end, void *index, void *value,
                              struct hinge_error *error);

#endif
