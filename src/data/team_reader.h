/* team_reader.h - a data file read by the processes of a team, each a part of it. */
#ifndef HINGE_DATA_TEAM_READER_H
#define HINGE_DATA_TEAM_READER_H

#include "data/rows.h"

/* hinge_dataset_read with format->team, by so many threads in each process, with a buffer of chunk
 * bytes each at first. */
struct hinge_dataset *team_reader_read(const char *path, const struct hinge_format *format,
                                       size_t chunk, unsigned threads, struct hinge_error *error);

#endif
