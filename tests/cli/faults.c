/* faults.c - the C library under train and predict with something missing: linked in by
 * -Wl,--wrap, it counts what is asked of memory and files, and refuses what it is told to.
 *
 * HINGE_FAULT="KIND N" fails the N-th call of a kind, "KIND N on" that and all behind it, and
 * "trickle" lets every read bring a few bytes. HINGE_FAULT_LOG names a file for a line "KIND CALLS"
 * for each kind, and for the allocations and the streams that were never given back. */
#define _GNU_SOURCE /* fopencookie */
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum kind { ALLOC, OPEN, READ, WRITE, SEEK, CLOSE, RENAME, PRINT, KINDS };

static const char *const kind_names[KINDS] = {"alloc", "open",  "read",   "write",
                                              "seek",  "close", "rename", "print"};

static struct {
    enum kind kind;
    unsigned long number; /* 0: none fails */
    int on;               /* and all behind it */
    int trickle;
    unsigned long calls[KINDS];
    long blocks;
    long streams;
} faults;

/* Whether this call is to fail. */
static int refused(enum kind kind, int reason)
{
    const unsigned long call = ++faults.calls[kind];

    if (kind != faults.kind || faults.number == 0 || call < faults.number ||
        (call > faults.number && !faults.on))
        return 0;
    errno = reason;
    return 1;
}

/* ---- Memory ------------------------------------------------------------ */

void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *block, size_t size);
void __real_free(void *block);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *block, size_t size);
void __wrap_free(void *block);

void *__wrap_calloc(size_t count, size_t size)
{
    void *block = refused(ALLOC, ENOMEM) ? NULL : __real_calloc(count, size);

    faults.blocks += block != NULL;
    return block;
}

void *__wrap_realloc(void *block, size_t size)
{
    void *resized = refused(ALLOC, ENOMEM) ? NULL : __real_realloc(block, size);

    faults.blocks += resized && !block;
    return resized;
}

void __wrap_free(void *block)
{
    faults.blocks -= block != NULL;
    __real_free(block);
}

/* ---- Files ------------------------------------------------------------- */

/* A stream's descriptor is its cookie. */
static int descriptor(const void *cookie)
{
    return (int)(intptr_t)cookie;
}

static ssize_t cookie_read(void *cookie, char *bytes, size_t size)
{
    if (refused(READ, EIO))
        return -1;
    return read(descriptor(cookie), bytes, faults.trickle && size > 7 ? 7 : size);
}

/* A disk that becomes full takes some of it. */
static ssize_t write_as(enum kind kind, void *cookie, const char *bytes, size_t size)
{
    if (!refused(kind, ENOSPC))
        return write(descriptor(cookie), bytes, size);
    if (write(descriptor(cookie), bytes, size / 2) < 0)
        return -1;
    errno = ENOSPC;
    return 0;
}

static ssize_t cookie_write(void *cookie, const char *bytes, size_t size)
{
    return write_as(WRITE, cookie, bytes, size);
}

static ssize_t cookie_print(void *cookie, const char *bytes, size_t size)
{
    return write_as(PRINT, cookie, bytes, size);
}

static int cookie_seek(void *cookie, off64_t *offset, int whence)
{
    if (refused(SEEK, ESPIPE))
        return -1;
    *offset = lseek(descriptor(cookie), (off_t)*offset, whence);
    return *offset < 0 ? -1 : 0;
}

static int cookie_close(void *cookie)
{
    const int failed = refused(CLOSE, EIO);

    faults.streams--;
    return close(descriptor(cookie)) == 0 && !failed ? 0 : -1;
}

static FILE *stream_new(int file, const char *mode, cookie_write_function_t *writer)
{
    const cookie_io_functions_t functions = {cookie_read, writer, cookie_seek, cookie_close};

    return fopencookie((void *)(intptr_t)file, mode, functions);
}

FILE *__real_fopen(const char *path, const char *mode);
FILE *__wrap_fopen(const char *path, const char *mode);
int __real_rename(const char *from, const char *to);
int __wrap_rename(const char *from, const char *to);

FILE *__wrap_fopen(const char *path, const char *mode)
{
    const int flags = *mode == 'w'        ? O_WRONLY | O_CREAT | O_TRUNC
                      : strchr(mode, '+') ? O_RDWR
                                          : O_RDONLY;
    const int file = refused(OPEN, EMFILE) ? -1 : open(path, flags, 0666);
    FILE *stream = file < 0 ? NULL : stream_new(file, mode, cookie_write);

    faults.streams += stream != NULL;
    return stream;
}

int __wrap_rename(const char *from, const char *to)
{
    return refused(RENAME, EACCES) ? -1 : __real_rename(from, to);
}

/* ---- Beginning and end ------------------------------------------------- */

static void write_log(void)
{
    const char *path = getenv("HINGE_FAULT_LOG");
    FILE *log = path ? __real_fopen(path, "w") : NULL;

    if (!log)
        return;
    for (int kind = 0; kind < KINDS; kind++)
        fprintf(log, "%s %lu\n", kind_names[kind], faults.calls[kind]);
    fprintf(log, "blocks %ld\nstreams %ld\n", faults.blocks, faults.streams);
    fclose(log);
}

static __attribute__((constructor)) void begin(void)
{
    const char *fault = getenv("HINGE_FAULT");

    for (int kind = 0; fault && kind < KINDS; kind++) {
        const size_t length = strlen(kind_names[kind]);

        if (strncmp(fault, kind_names[kind], length) == 0 && fault[length] == ' ') {
            faults.kind = (enum kind)kind;
            faults.number = strtoul(fault + length, NULL, 10);
            faults.on = strstr(fault, " on") != NULL;
        }
    }
    faults.trickle = fault && strcmp(fault, "trickle") == 0;
    stdin = stream_new(0, "r", cookie_write);
    stdout = stream_new(1, "w", cookie_print);
    atexit(write_log);
}
