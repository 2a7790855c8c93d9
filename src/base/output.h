/* output.h - output files that appear when they are complete. */
#ifndef HINGE_BASE_OUTPUT_H
#define HINGE_BASE_OUTPUT_H

#include <stdio.h>

#include "hinge.h"

struct output {
    FILE *stream;    /* write here */
    char *path;      /* the name asked for */
    char *temporary; /* the name written under until output_commit; NULL: written in place */
};

/* Opens a temporary file in the folder of path. A file that is at path already is neither read nor
 * written. A device is opened in place, because it must not be replaced. Its name, or a position
 * that stays at 0, tells a device. /dev/stdout and /dev/stderr are the streams of this program,
 * which stay open. Fails with HINGE_FILE_ERROR if path is a folder, a named pipe, write-protected
 * or too long, or if its folder takes no new file. */
enum hinge_status output_open(struct output *output, const char *path, struct hinge_error *error);

/* Fails if output_open would fail. It changes nothing, and does not open a device. */
enum hinge_status output_check(const char *path, struct hinge_error *error);

/* Checks that every byte was written, closes the file, and renames it to path. On failure it
 * removes the temporary file and leaves the old file at path. */
enum hinge_status output_commit(struct output *output, struct hinge_error *error);

/* Closes and removes the temporary file. Does nothing to an output that is all zero or was
 * committed. */
void output_abandon(struct output *output);

/* Fails with "cannot ACTION PATH: reason", the reason from errno. */
enum hinge_status fail_file(struct hinge_error *error, const char *action, const char *path);

#endif
