/* in_process.h - the programs as functions, with faults.c and files in memory. */
#ifndef HINGE_TESTS_IN_PROCESS_H
#define HINGE_TESTS_IN_PROCESS_H

#include "faults.h"

/* ---- Files of memory --------------------------------------------------- */

/* The bytes of a file, followed by a NUL, or NULL if there is no such file. They are valid until
 * the file is written to. */
struct content {
    const char *bytes;
    size_t size;
};

struct content content_of(const char *name);

/* Makes a file, and replaces another file of that name. */
void content_put(const char *name, const char *bytes, size_t size);

/* Gives a file one more name, and replaces another file of that name. */
void content_link(const char *name, const char *new_name);

/* Removes a name. Does nothing if there is no such file. */
void content_remove(const char *name);

/* True if both are names of the same file. */
int content_is_same(const char *one, const char *other);

/* Return the number of all names, and the name at a position. */
size_t content_count(void);
const char *content_name(size_t position);

/* ---- Runs -------------------------------------------------------------- */

/* The exit status of a process that SIGINT has ended, as shells report it. */
enum { ENDED_BY_SIGINT = 130 };

/* How a run has ended. */
struct ending {
    int status;
    struct content out; /* standard output */
    struct content err; /* standard error; both last until the next run */
    size_t blocks;      /* number of blocks allocated and not freed */
    long streams;       /* number of streams opened and not closed */
    size_t unflushed;   /* bytes of standard output that were written after the program's end */
    unsigned long calls[KINDS];
};

/* Runs a command line, words separated by blanks, the first one the program's name. Standard input
 * is the file with the name `input`. */
struct ending run(const char *line, const char *input, const struct fault *fault);

#endif
