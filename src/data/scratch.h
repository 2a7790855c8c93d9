/* scratch.h - a file without a name, for what does not fit in memory. */
#ifndef HINGE_DATA_SCRATCH_H
#define HINGE_DATA_SCRATCH_H

#include <stdio.h>

#include "hinge.h"

/* All zero: not open. */
struct scratch {
    FILE *file;
    char *path; /* to be removed at the end, as the system keeps the name of an open file; else NULL
                 */
    char name[256]; /* for messages; cut if it is longer */
};

/* Opens a new file, at path or, if that is NULL, where the C library puts temporary files. It has
 * no name any more when this returns, where the system allows that. What is at path before is
 * refused, not overwritten. */
enum hinge_status scratch_open(struct scratch *scratch, const char *path,
                               struct hinge_error *error);

/* Appends bytes, of which the first is at *at then. Nothing was read yet. */
enum hinge_status scratch_append(struct scratch *scratch, const void *bytes, size_t size,
                                 fpos_t *at, struct hinge_error *error);

/* Reads what stands offset bytes after at. */
enum hinge_status scratch_read(struct scratch *scratch, const fpos_t *at, size_t offset,
                               void *bytes, size_t size, struct hinge_error *error);

void scratch_close(struct scratch *scratch);

#endif
