/* block_file.h - a temporary file of blocks, each in the kinds that the reader had for it; and rows
 * of it in memory, in the kinds of the whole.
 */
#ifndef HINGE_DATA_BLOCK_FILE_H
#define HINGE_DATA_BLOCK_FILE_H

#include <stdio.h>

#include "data/block.h"

/* Consecutive rows, as they were put. */
struct stored_block {
    size_t first; /* row */
    enum hinge_index_kind index_kind;
    struct storage_kinds kinds;
    size_t width;  /* as in struct block */
    size_t filled; /* as in struct block */
    fpos_t index, value;
};

/* Nothing was put as long as all but `path` is zero. Call block_file_close in any case. */
struct block_file {
    const char *path; /* NULL: where the C library puts temporary files */
    FILE *file;
    char *remove;   /* path to remove at the end, where the system keeps the name of an open file */
    char name[256]; /* for messages; a longer name is cut */
    size_t columns;
    unsigned places; /* HINGE_VALUE_WHOLE: the scale of the whole is 10^places */
    size_t count, capacity;
    struct stored_block *block; /* [count + 1]; the last one says where the rows end */
    double bytes;               /* bytes written */
    double read;                /* bytes read so far */
    size_t *listed;             /* [rows + 1] where a row begins in a list of the entries read; NULL
                                   if the start of the matrix says so */
    char *index, *value;        /* room for rows before a change of their kinds */
    size_t index_size, value_size; /* bytes of that room */
};

void block_file_close(struct block_file *file);

/* Writes rows, which follow those that were put before. The first call opens the file. A file that
 * is at `path` before is refused, not overwritten. Where the system allows it, the file loses its
 * name as soon as it is open. */
enum hinge_status block_file_put(struct block_file *file, const struct block *block,
                                 struct hinge_error *error);

/* Chooses the kinds of x as if its rows, one at least, had been read into memory, and sets its
 * scale, start and nonzeros. Before, start counts the entries read, without zeros that were left
 * out. */
enum hinge_status block_file_finish(struct block_file *file, struct hinge_matrix *x, size_t columns,
                                    struct hinge_error *error);

/* Makes room to change the kinds of rows first .. end - 1 of a block, if they need it. */
enum hinge_status block_file_make_room(struct block_file *file, const struct hinge_matrix *x,
                                       size_t block, size_t first, size_t end,
                                       struct hinge_error *error);

/* Reads these rows in the kinds of x. */
enum hinge_status block_file_load(struct block_file *file, const struct hinge_matrix *x,
                                  size_t block, size_t first, size_t end, void *index, void *value,
                                  struct hinge_error *error);

#endif
