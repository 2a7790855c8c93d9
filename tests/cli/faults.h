/* faults.h - the C library under the programs with something missing: linked in by -Wl,--wrap, it
 * counts what is asked of memory and files, and refuses what it is told to.
 *
 * What the streams hold is kept by the functions of the section "Files": of the disk, for a program
 * that is a process (faults_process.c), or of memory, for programs that are called one after the
 * other (in_process.c). */
#ifndef HINGE_TESTS_FAULTS_H
#define HINGE_TESTS_FAULTS_H

#include <stddef.h>
#include <stdio.h>

enum kind { ALLOC, OPEN, READ, WRITE, SEEK, CLOSE, RENAME, PRINT, KINDS };

/* "alloc", "open", ... */
extern const char *const fault_kinds[KINDS];

/* The C library's words for why a call of that kind fails. */
const char *fault_reason(enum kind kind);

/* What goes wrong in a run. */
struct fault {
    enum kind kind;
    unsigned long number; /* the call of that kind; 0: none */
    int on;               /* all calls after it fail too */
    int signals;          /* the call does not fail, but SIGINT comes before it */
    int after;            /* SIGINT comes after the call, which is a rename */
    int kills;            /* SIGKILL comes before it; not to a process: it would have no end */
    int trickle;          /* every read brings a few bytes */
};

enum { MOST_BLOCKS = 4096, MOST_FILES = 64 };

struct faults {
    struct fault fault;
    int active; /* a program runs: calls are counted; else they go to the C library */
    int dead;   /* the program was ended by a signal: no call has an effect any more */
    unsigned long calls[KINDS];
    size_t blocks; /* allocated and not freed */
    void *block[MOST_BLOCKS];
    long streams;                      /* opened and not closed */
    unsigned char written[MOST_FILES]; /* 1: something was written to the open file */
};

extern struct faults faults;

/* What the linker puts in the place of the C library's stdin and stdout. */
extern FILE *__wrap_stdin;
extern FILE *__wrap_stdout;

/* Counts from 0, lets this go wrong, and opens the standard streams: their contents are the files
 * of these numbers. */
void faults_begin(const struct fault *fault, int input, int output);

/* A stream over a file that is never refused, which is not counted. */
FILE *faults_stream(int file);

void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *block, size_t size);
void __real_free(void *block);
FILE *__real_fopen(const char *path, const char *mode);

/* ---- Files ------------------------------------------------------------- */

/* Each returns a negative number and sets errno if it fails. The modes are those of fopen. */
int file_open(const char *path, const char *mode);
int file_temporary(void); /* a new file without a name */
long file_read(int file, char *bytes, size_t size);
long file_write(int file, const char *bytes, size_t size);
long file_seek(int file, long offset, int whence);
int file_halve(int file); /* truncates it to half of its size */
int file_close(int file);
int file_rename(const char *from, const char *to);

#endif
