/* pieces.h - lines of a file parsed side by side. */
#ifndef HINGE_DATA_PIECES_H
#define HINGE_DATA_PIECES_H

#include "data/rows.h"

/* Appends the rows that follow, as rows_read does, with so many threads. There is a row before
 * them, and the source is behind a line end. Rows, error and its place are those of rows_read. */
enum hinge_status pieces_read(struct rows *rows, unsigned threads, struct hinge_error *error);

/* Reads all rows of the source, those of so many bytes by one thread, and always the first one:
 * what is said of a file that is no data is said of its beginning. */
enum hinge_status pieces_read_all(struct rows *rows, unsigned threads, uint64_t alone,
                                  struct hinge_error *error);

#endif
