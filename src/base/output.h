/* output.h - files that appear whole or not at all. */
#ifndef HINGE_BASE_OUTPUT_H
#define HINGE_BASE_OUTPUT_H

#include <stdio.h>

#include "hinge.h"

struct output {
    FILE *stream;    /* write here */
    char *path;      /* the name asked for */
    char *temporary; /* the name written under until output_commit; NULL: written in place */
};

/* Opens a file for writing beside path. A device, or anything below /dev/ or /proc/, is opened in
 * place instead, as it is not to be replaced. HINGE_FILE_ERROR when path is a folder, a named
 * pipe, write-protected, or in a folder that takes no new file. */
enum hinge_status output_open(struct output *output, const char *path, struct hinge_error *error);

/* Fails if output_open would; leaves what is there untouched. A device is not opened. */
enum hinge_status output_check(const char *path, struct hinge_error *error);

/* Ends writing: checks that every byte was taken, closes, renames to path, frees. On failure the
 * temporary file is removed, and what stood under path before still stands there. */
enum hinge_status output_commit(struct output *output, struct hinge_error *error);

/* Ends writing and removes the temporary file. */
void output_abandon(struct output *output);

/* Fills error with "cannot ACTION PATH: reason", the reason the one of the last failed call. */
enum hinge_status fail_file(struct hinge_error *error, const char *action, const char *path);

#endif
