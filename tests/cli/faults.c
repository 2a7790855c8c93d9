/* faults.c - counts each call; refuses it, or passes it on. */
#define _GNU_SOURCE /* fopencookie */
#include "faults.h"

#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

const char *const fault_kinds[KINDS] = {"alloc", "open",  "read",   "write",
                                        "seek",  "close", "rename", "print"};
static const int reasons[KINDS] = {ENOMEM, EMFILE, EIO, ENOSPC, ESPIPE, EIO, EACCES, ENOSPC};

struct faults faults;

const char *fault_reason(enum kind kind)
{
    return strerror(reasons[kind]);
}

/* Returns the errno of a call that is refused or that SIGINT has ended. */
static int errno_of(enum kind kind)
{
    return faults.fault.ends ? EINTR : reasons[kind];
}

/* Counts a call, and sends the signal that comes before it. Returns 1, with errno set, if the call
 * must fail. */
static int refused(enum kind kind)
{
    const struct fault *fault = &faults.fault;
    const unsigned long call = ++faults.calls[kind];
    const int is_meant = kind == fault->kind && fault->number > 0 &&
                         (call == fault->number || (call > fault->number && fault->persists));

    if (is_meant && fault->signals && !fault->after)
        raise(SIGINT);
    if (is_meant && fault->kills)
        faults.dead = 1;
    if (!faults.dead && (!is_meant || (fault->signals && !fault->ends)))
        return 0;
    errno = errno_of(kind);
    return 1;
}

/* ---- Memory ------------------------------------------------------------ */

void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *block, size_t size);
void __wrap_free(void *block);

/* Forgets a block. Returns 0 if it is unknown, because a statically linked C library frees its own
 * blocks here, too. */
static int forget(const void *block)
{
    for (size_t k = block ? faults.blocks : 0; k > 0; k--)
        if (faults.block[k - 1] == block) {
            faults.block[k - 1] = faults.block[--faults.blocks];
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
    if (!faults.active)
        return __real_calloc(count, size);
    return refused(ALLOC) ? NULL : note(__real_calloc(count, size));
}

void *__wrap_realloc(void *block, size_t size)
{
    int known;
    void *resized;

    if (!faults.active)
        return __real_realloc(block, size);
    known = forget(block);
    resized = refused(ALLOC) ? NULL : __real_realloc(block, size);
    if (resized)
        return note(resized);
    if (known)
        note(block);
    return NULL;
}

void __wrap_free(void *block)
{
    if (faults.active)
        forget(block);
    __real_free(block);
}

/* ---- Streams ----------------------------------------------------------- */

/* Returns the number of a stream's file, which is its cookie. */
static int number(const void *cookie)
{
    return (int)(intptr_t)cookie;
}

static ssize_t cookie_read(void *cookie, char *bytes, size_t size)
{
    if (refused(READ))
        return -1;
    return file_read(number(cookie), bytes, faults.fault.trickle && size > 7 ? 7 : size);
}

/* The value of a failed write function is 0 by the manual of glibc. musl takes 0 for a success. */
#ifdef __GLIBC__
enum { NOT_WRITTEN = 0 };
#else
enum { NOT_WRITTEN = -1 };
#endif

/* Writes the bytes. If the call is refused, it writes half of them, like a disk that becomes full.
 * If a signal ends it, it writes none. */
static ssize_t write_as(enum kind kind, void *cookie, const char *bytes, size_t size)
{
    if (!refused(kind))
        return file_write(number(cookie), bytes, size);
    if (!faults.dead && !faults.fault.ends && file_write(number(cookie), bytes, size / 2) < 0)
        return NOT_WRITTEN;
    errno = errno_of(kind);
    return NOT_WRITTEN;
}

static ssize_t cookie_write(void *cookie, const char *bytes, size_t size)
{
    faults.written[number(cookie)] = 1;
    return write_as(WRITE, cookie, bytes, size);
}

static ssize_t cookie_print(void *cookie, const char *bytes, size_t size)
{
    return write_as(PRINT, cookie, bytes, size);
}

static ssize_t write_uncounted(void *cookie, const char *bytes, size_t size)
{
    return faults.dead ? NOT_WRITTEN : file_write(number(cookie), bytes, size);
}

static int cookie_seek(void *cookie, off64_t *offset, int whence)
{
    if (refused(SEEK))
        return -1;
    *offset = file_seek(number(cookie), (long)*offset, whence);
    return *offset < 0 ? -1 : 0;
}

/* Closes the file. If the call is refused, half of the file is lost, as on a disk that reports late
 * that it is full. */
static int cookie_close(void *cookie)
{
    const int file = number(cookie), failed = refused(CLOSE);

    faults.streams--;
    if (failed && !faults.dead && faults.written[file])
        file_halve(file);
    return file_close(file) == 0 && !failed ? 0 : -1;
}

static int close_uncounted(void *cookie)
{
    return file_close(number(cookie));
}

static FILE *stream_new(int file, const char *mode, cookie_write_function_t *writer,
                        cookie_close_function_t *closer)
{
    const cookie_io_functions_t functions = {cookie_read, writer, cookie_seek, closer};

    return fopencookie((void *)(intptr_t)file, mode, functions);
}

FILE *faults_stream(int file)
{
    return stream_new(file, "w", write_uncounted, close_uncounted);
}

static FILE *open_stream(int file, const char *mode)
{
    FILE *stream = file < 0 ? NULL : stream_new(file, mode, cookie_write, cookie_close);

    if (file >= MOST_FILES)
        abort();
    if (file >= 0)
        faults.written[file] = 0;
    faults.streams += stream != NULL;
    return stream;
}

FILE *__wrap_fopen(const char *path, const char *mode);
FILE *__wrap_tmpfile(void);
int __real_rename(const char *from, const char *to);
int __wrap_rename(const char *from, const char *to);

FILE *__wrap_fopen(const char *path, const char *mode)
{
    if (!faults.active)
        return __real_fopen(path, mode);
    return open_stream(refused(OPEN) ? -1 : file_open(path, mode), mode);
}

FILE *__wrap_tmpfile(void)
{
    return open_stream(refused(OPEN) ? -1 : file_temporary(), "w+b");
}

int __wrap_rename(const char *from, const char *to)
{
    int failed;

    if (!faults.active)
        return __real_rename(from, to);
    if (refused(RENAME))
        return -1;
    failed = file_rename(from, to);
    if (faults.fault.kind == RENAME && faults.fault.after &&
        faults.calls[RENAME] == faults.fault.number)
        raise(SIGINT);
    return failed;
}

/* ---- Standard streams -------------------------------------------------- */

/* Some C libraries do not allow assigning to their standard streams, so the linker replaces the
 * streams. The functions that print without naming a stream are replaced as well. */
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

void faults_begin(const struct fault *fault, int input, int output)
{
    memset(&faults, 0, offsetof(struct faults, block));
    faults.streams = 0;
    faults.fault = *fault;
    __wrap_stdin = stream_new(input, "r", cookie_write, close_uncounted);
    __wrap_stdout = stream_new(output, "w", cookie_print, close_uncounted);
    faults.active = 1;
}
