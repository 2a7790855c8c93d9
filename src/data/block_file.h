/* block_file.h - a temporary file of blocks, each in the kinds that the reader had for it. Their
 * rows are loaded in the kinds of the whole, which are known at the end.
 */
#ifndef HINGE_DATA_BLOCK_FILE_H
#define HINGE_DATA_BLOCK_FILE_H

#include <stdio.h>

#include "data/block.h"

/* The rows of one block. */
struct stored_block {
    size_t first; /* first row */
    enum hinge_index_kind index_kind;
    struct storage_kinds kinds;
    size_t width, filled; /* as in struct block */
    fpos_t index, value;  /* places of the arrays in the file */
};

/* Set path, which may be NULL, and the other fields to 0. */
struct block_file {
    const char *path; /* the file; NULL: the C library chooses one */
    FILE *file;
    char *remove;   /* path to remove at the end, where the system keeps the name of an open file */
    char name[256]; /* for messages; a longer name is cut */
    size_t columns;
    unsigned places; /* HINGE_VALUE_WHOLE: the scale of the whole is 10^places */
    size_t count, capacity;
    struct stored_block *block; /* [count + 1] the last one says where the rows end */
    double bytes;               /* bytes written */
    double read;                /* bytes read so far */
    size_t *listed;             /* [rows + 1] where a row begins in a list of the entries read; NULL
                                   if the start of the matrix has these places */
    char *index, *value;        /* room for rows before a change of their kinds */
    size_t index_size, value_size; /* bytes of index and of value */
};

/* Appends the rows of a block. The first call opens the file; a file that exists at the path is
 * refused, not overwritten. If the system allows it, the file loses its name as soon as it is open.
 */
enum hinge_status block_file_put(struct block_file *file, const struct block *block,
                                 struct hinge_error *error);

/* Ends writing, and chooses the kinds that the entries of x would have in memory. x->start[x->rows
 * + 1] counts the entries that were read, without the zeros that the file leaves out, and becomes
 * the start of the entries that are stored. */
enum hinge_status block_file_finish(struct block_file *file, struct hinge_matrix *x, size_t columns,
                                    struct hinge_error *error);

/* Makes room for a change of the kinds of rows first .. end - 1 of a block, if they need one. */
enum hinge_status block_file_reserve(struct block_file *file, const struct hinge_matrix *x,
                                     size_t block, size_t first, size_t end,
                                     struct hinge_error *error);

/* Reads the entries of rows first .. end - 1 of a block, in the kinds of x. block_file_reserve must
 * have made room for them. */
enum hinge_status block_file_load(struct block_file *file, const struct hinge_matrix *x,
                                  size_t block, size_t first, size_t end, void *index, void *value,
                                  struct hinge_error *error);

/* Closes and removes the file. The file may never have been opened. */
void block_file_free(struct block_file *file);

#endif
