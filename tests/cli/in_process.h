/* in_process.h - the programs as functions, over faults.c and files of memory. */
#ifndef HINGE_TESTS_IN_PROCESS_H
#define HINGE_TESTS_IN_PROCESS_H

#include "faults.h"

/* ---- Files of memory --------------------------------------------------- */

/* The bytes of a file, with a NUL behind them; bytes is NULL if there is no such file. They last
 * until the file is written to. */
struct content {
    const char *bytes;
    size_t size;
};

struct content content_of(const char *name);

/* Makes a file, in the place of another one of that name. */
void content_put(const char *name, const char *bytes, size_t size);

/* Gives a file one more name, in the place of another file of that name. */
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
    size_t blocks;      /* allocated and not freed */
    long streams;       /* opened and not closed */
    size_t unflushed;   /* bytes of standard output that were written when the program had ended */
    unsigned long calls[KINDS];
};

/* Runs a program on a command line, words with blanks between them, the first one its name. input
 * is the name of the file that standard input is. */
struct ending run(const char *line, const char *input, const struct fault *fault);

#endif
