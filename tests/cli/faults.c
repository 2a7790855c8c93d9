/* faults.c - the C library under the programs with something missing: linked in by
 * -Wl,--wrap, it counts what is asked of memory and files, and refuses what it is told to.
 *
 * HINGE_FAULT="KIND N" fails the N-th call of a kind, "KIND N on" that and all after it,
 * "signal KIND N" lets SIGINT come before the call, "signal KIND N after" after it, and "trickle"
 * lets every read bring a few bytes. HINGE_FAULT_LOG names a file for the allocations and the
 * streams that were never given back, in its first line, a line "KIND CALLS" for each kind, and a
 * line "reason KIND TEXT", the C library's words for why such a call failed. */
#define _GNU_SOURCE /* fopencookie */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum kind { ALLOC, OPEN, READ, WRITE, SEEK, CLOSE, RENAME, PRINT, KINDS };

static const char *const kind_names[KINDS] = {"alloc", "open",  "read",   "write",
                                              "seek",  "close", "rename", "print"};
static const int reasons[KINDS] = {ENOMEM, EMFILE, EIO, ENOSPC, ESPIPE, EIO, EACCES, ENOSPC};

enum { MOST_BLOCKS = 4096 };

static struct {
    enum kind kind;
    unsigned long number; /* 0: none fails */
    int on;               /* and all after it */
    int signals;          /* it does not fail, but SIGINT comes */
    int after;            /* of a rename: when it is done */
    int trickle;
    unsigned long calls[KINDS];
    size_t blocks;
    void *block[MOST_BLOCKS];
    long streams;
} faults;

/* Whether this call is to fail. */
static int refused(enum kind kind)
{
    const unsigned long call = ++faults.calls[kind];

    if (kind != faults.kind || faults.number == 0 || call < faults.number ||
        (call > faults.number && !faults.on))
        return 0;
    if (faults.signals && !faults.after)
        raise(SIGINT);
    if (faults.signals)
        return 0;
    errno = reasons[kind];
    return 1;
}

/* ---- Memory ------------------------------------------------------------ */

void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *block, size_t size);
void __real_free(void *block);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *block, size_t size);
void __wrap_free(void *block);

/* Only of what came from here: a C library that is linked in has its own blocks freed here, too. */
static int forget(const void *block)
{
    for (size_t k = 0; block && k < faults.blocks; k++)
        if (faults.block[k] == block) {
            faults.block[k] = faults.block[--faults.blocks];
            return 1;
        }
    return 0;
}

static void *note(void *block)
{
    if (block && faults.blocks == MOST_BLOCKS)
        abort();
    if (block)
        faults.block[faults.blocks++] = block;
    return block;
}

void *__wrap_calloc(size_t count, size_t size)
{
    return refused(ALLOC) ? NULL : note(__real_calloc(count, size));
}

void *__wrap_realloc(void *block, size_t size)
{
    const int known = forget(block);
    void *resized = refused(ALLOC) ? NULL : __real_realloc(block, size);

    if (resized)
        return note(resized);
    if (known)
        note(block);
    return NULL;
}

void __wrap_free(void *block)
{
    forget(block);
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
    if (refused(READ))
        return -1;
    return read(descriptor(cookie), bytes, faults.trickle && size > 7 ? 7 : size);
}

/* What a cookie answers that could not write: 0 if the manual of glibc is asked; musl takes a 0 for
 * a success. */
#ifdef __GLIBC__
enum { NOT_WRITTEN = 0 };
#else
enum { NOT_WRITTEN = -1 };
#endif

/* A disk that becomes full takes some of it. */
static ssize_t write_as(enum kind kind, void *cookie, const char *bytes, size_t size)
{
    if (!refused(kind))
        return write(descriptor(cookie), bytes, size);
    if (write(descriptor(cookie), bytes, size / 2) < 0)
        return NOT_WRITTEN;
    errno = reasons[kind];
    return NOT_WRITTEN;
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
    if (refused(SEEK))
        return -1;
    *offset = lseek(descriptor(cookie), (off_t)*offset, whence);
    return *offset < 0 ? -1 : 0;
}

static int cookie_close(void *cookie)
{
    const int failed = refused(CLOSE);

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
FILE *__wrap_tmpfile(void);
int __real_rename(const char *from, const char *to);
int __wrap_rename(const char *from, const char *to);

FILE *__wrap_fopen(const char *path, const char *mode)
{
    const int flags = *mode == 'w' ? (strchr(mode, '+') ? O_RDWR : O_WRONLY) | O_CREAT | O_TRUNC
                      : strchr(mode, '+') ? O_RDWR
                                          : O_RDONLY;
    const int file = refused(OPEN) ? -1 : open(path, flags, 0666);
    FILE *stream = file < 0 ? NULL : stream_new(file, mode, cookie_write);

    faults.streams += stream != NULL;
    return stream;
}

FILE *__wrap_tmpfile(void)
{
    char name[] = "faults-XXXXXX"; /* in the tests' own folder */
    const int file = refused(OPEN) ? -1 : mkstemp(name);
    FILE *stream = file < 0 ? NULL : stream_new(file, "w+b", cookie_write);

    if (file >= 0)
        unlink(name);
    faults.streams += stream != NULL;
    return stream;
}

int __wrap_rename(const char *from, const char *to)
{
    int failed;

    if (refused(RENAME))
        return -1;
    failed = __real_rename(from, to);
    if (faults.kind == RENAME && faults.after && faults.calls[RENAME] == faults.number)
        raise(SIGINT);
    return failed;
}

/* ---- Standard streams -------------------------------------------------- */

/* The linker puts these in the place of the C library's, which not all let be assigned to; what
 * prints without naming a stream has to follow. */
FILE *__wrap_stdin;
FILE *__wrap_stdout;
int __wrap_printf(const char *format, ...) __attribute__((format(printf, 1, 2)));
int __wrap_puts(const char *text);
int __wrap_putchar(int character);

int __wrap_printf(const char *format, ...)
{
    va_list arguments;
    int printed;

    va_start(arguments, format);
    printed = vfprintf(__wrap_stdout, format, arguments);
    va_end(arguments);
    return printed;
}

int __wrap_puts(const char *text)
{
    return fprintf(__wrap_stdout, "%s\n", text);
}

int __wrap_putchar(int character)
{
    return putc(character, __wrap_stdout);
}

/* ---- Beginning and end ------------------------------------------------- */

static void write_log(void)
{
    const char *path = getenv("HINGE_FAULT_LOG");
    FILE *log = path ? __real_fopen(path, "w") : NULL;

    if (!log)
        return;
    fprintf(log, "left %lu blocks, %ld streams\n", (unsigned long)faults.blocks, faults.streams);
    for (int kind = 0; kind < KINDS; kind++)
        fprintf(log, "%s %lu\nreason %s %s\n", kind_names[kind], faults.calls[kind],
                kind_names[kind], strerror(reasons[kind]));
    fclose(log);
}

static __attribute__((constructor)) void begin(void)
{
    const char *fault = getenv("HINGE_FAULT");

    faults.signals = fault && strncmp(fault, "signal ", 7) == 0;
    if (faults.signals)
        fault += 7;
    faults.after = faults.signals && strstr(fault, " after");
    for (int kind = 0; fault && kind < KINDS; kind++) {
        const size_t length = strlen(kind_names[kind]);

        if (strncmp(fault, kind_names[kind], length) == 0 && fault[length] == ' ') {
            faults.kind = (enum kind)kind;
            faults.number = strtoul(fault + length, NULL, 10);
            faults.on = strstr(fault, " on") != NULL;
        }
    }
    faults.trickle = fault && strcmp(fault, "trickle") == 0;
    __wrap_stdin = stream_new(0, "r", cookie_write);
    __wrap_stdout = stream_new(1, "w", cookie_print);
    atexit(write_log);
}
