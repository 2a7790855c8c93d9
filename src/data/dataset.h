/* dataset.h - the ways to read a whole file: by one thread, by several, by the ranks of a team,
 * into a temporary file. All give the same rows and the same messages, byte for byte.
 */
#ifndef HINGE_DATA_DATASET_H
#define HINGE_DATA_DATASET_H

#include "data/reader.h"

/* Reads a file in one pass, with a buffer of chunk bytes for each thread at first. Chunk and number
 * of threads are at least 1, and change no result; for `alone` see parallel_reader_read. */
struct hinge_dataset *dataset_read(const char *path, const struct hinge_format *format,
                                   size_t chunk, unsigned threads, uint64_t alone,
                                   struct hinge_error *error);

/* Reads all rows of the source. One thread always reads the first row: if the file is no data, the
 * message is about its beginning. Starting other threads takes as long as reading `alone` bytes. If
 * the size of the file is unknown, one thread reads these bytes before the others start. Otherwise
 * it reads at most 512 KiB of them, or the whole file if the file has less than twice as many. */
enum hinge_status parallel_reader_read(struct hinge_reader *reader, unsigned threads,
                                       uint64_t alone, struct hinge_error *error);

/* Reads the part of this rank of format->team, and returns the rows that this rank owns. Each rank
 * reads with this number of threads. */
struct hinge_dataset *team_reader_read(const char *path, const struct hinge_format *format,
                                       size_t chunk, unsigned threads, struct hinge_error *error);

/* Reads all rows of the source within format.memory. If their entries take at most two fifths of
 * it, the rows stay in the block of the reader, and *is_read is 0. Otherwise the dataset gets all
 * rows, as pages or in memory, see pages_finish. */
enum hinge_status paged_reader_read(struct hinge_reader *reader, struct hinge_dataset *data,
                                    int *is_read, struct hinge_error *error);

#endif
