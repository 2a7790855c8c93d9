/* parallel_reader.h - lines of a file parsed side by side. */
#ifndef HINGE_DATA_PARALLEL_READER_H
#define HINGE_DATA_PARALLEL_READER_H

#include "data/rows.h"

/* Appends the rows that follow, as rows_read does, with so many threads. There is a row before
 * them, and the source is after a line end. Rows, error and its place are those of rows_read. */
enum hinge_status parallel_reader_read(struct rows *rows, unsigned threads,
                                       struct hinge_error *error);

/* Reads all rows of the source, always the first one by one thread: what is said of a file that is
 * no data is said of its beginning. The start of other threads takes as long as it takes one to
 * read so many bytes, alone: it reads these before, if the size of the file is not known, else a
 * small part of them, or the whole file if that is less than twice as long. */
enum hinge_status parallel_reader_read_all(struct rows *rows, unsigned threads, uint64_t alone,
                                           struct hinge_error *error);

#endif
