/* files.h - the files that a command line names: no output may be an input or another output. */
#ifndef HINGE_CLI_FILES_H
#define HINGE_CLI_FILES_H

#include "hinge.h"

struct file {
    const char *called; /* in messages: "--trace", "the data" */
    const char *path;   /* NULL: none */
    int streams;        /* of an output: "-", standard output, is allowed */
};

struct files {
    struct file input[8];  /* ended by called == NULL */
    struct file output[8]; /* likewise */
};

/* Refuses, by names alone, an output that is an input or another output, and two inputs that are
 * standard input. Devices may be named several times. */
enum hinge_status files_check(const struct files *files, struct hinge_error *error);

/* Refuses an output that exists and has the same content as an input: it may be the same file by
 * another name, which C99 cannot tell. Only reads, up to the first difference; files of different
 * size are not read. Call it when the inputs are read, or at least open: opening a named pipe
 * before would harm its writer. */
enum hinge_status files_compare(const struct files *files, struct hinge_error *error);

#endif
