/* faults.h - functions of the C library that count calls for memory and files, and refuse the calls
 * that a test names. The linker puts them into the programs by -Wl,--wrap.
 *
 * The functions of the section "Files" store the bytes of the streams: on the disk for a program
 * that is a process (faults_process.c), in memory for programs that are called one after the other
 * (in_process.c). */
#ifndef HINGE_TESTS_FAULTS_H
#define HINGE_TESTS_FAULTS_H

#include <stddef.h>
#include <stdio.h>

enum kind { ALLOC, OPEN, READ, WRITE, SEEK, CLOSE, RENAME, PRINT, KINDS };

/* "alloc", "open", ... */
extern const char *const fault_kinds[KINDS];

/* Returns the C library's message for the failure of a call of that kind. */
const char *fault_reason(enum kind kind);

/* The fault of a run. */
struct fault {
    enum kind kind;
    unsigned long number; /* number of the call among those of its kind; 0: no fault */
    int persists;         /* all later calls of that kind fail, too */
    int signals;          /* SIGINT comes before the call, which does not fail */
    int after;            /* SIGINT comes after the call, which is a rename */
    int ends;             /* with `signals`: the call fails, because SIGINT has ended it */
    int kills;            /* SIGKILL comes before the call; only with in_process.c */
    int trickle;          /* every read brings at most 7 bytes */
};

enum { MOST_BLOCKS = 4096, MOST_FILES = 64 };

struct faults {
    struct fault fault;
    int active; /* 1: a program runs, and calls are counted; 0: they go to the C library */
    int dead;   /* 1: a signal has ended the program; no call has an effect any more */
    unsigned long calls[KINDS];
    size_t blocks; /* number of blocks allocated and not freed */
    void *block[MOST_BLOCKS];
    long streams;                      /* number of streams opened and not closed */
    unsigned char written[MOST_FILES]; /* 1: something was written to the open file */
};

extern struct faults faults;

/* The linker replaces the C library's stdin and stdout by these streams. */
extern FILE *__wrap_stdin;
extern FILE *__wrap_stdout;

/* Begins a run with that fault: sets all counts to 0, and opens the standard streams over the files
 * with these numbers. */
void faults_begin(const struct fault *fault, int input, int output);

/* Opens a stream over a file. Its calls are neither refused nor counted. */
FILE *faults_stream(int file);

void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *block, size_t size);
void __real_free(void *block);
FILE *__real_fopen(const char *path, const char *mode);

/* ---- Files ------------------------------------------------------------- */

/* The functions below return a negative number and set errno if they fail. The modes are those of
 * fopen. */
int file_open(const char *path, const char *mode);
int file_temporary(void); /* a new file without a name */
long file_read(int file, char *bytes, size_t size);
long file_write(int file, const char *bytes, size_t size);
long file_seek(int file, long offset, int whence);
int file_halve(int file); /* truncates it to half of its size */
int file_close(int file);
int file_rename(const char *from, const char *to);

#endif
