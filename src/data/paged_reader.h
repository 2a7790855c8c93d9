/* paged_reader.h - a file read into less memory than its entries take. */
#ifndef HINGE_DATA_PAGED_READER_H
#define HINGE_DATA_PAGED_READER_H

#include "data/rows.h"

/* Reads the rows that follow, with format.memory of the reader. As long as they take less than
 * some part of it they are left in rows, and *spilled is 0. Else all of them are moved into the
 * dataset, as pages or in memory, as pages_finish has it. */
enum hinge_status paged_reader_read(struct rows *rows, struct hinge_dataset *data, int *spilled,
                                    struct hinge_error *error);

#endif
