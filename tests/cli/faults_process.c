/* faults_process.c - a program as a process over faults.c.
 *
 * HINGE_FAULT names the fault. "KIND N" refuses the N-th call of a kind, "KIND N on" refuses it and
 * all after it. "signal KIND N" sends SIGINT before the call, "signal KIND N after" after it.
 * "trickle" lets every read bring a few bytes.
 * HINGE_FAULT_LOG names a file. Its first line counts the allocations and streams that were never
 * given back. Then each kind has a line "KIND CALLS" and a line "reason KIND TEXT", the C library's
 * message for such a failure. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "faults.h"

/* ---- Files of the disk ------------------------------------------------- */

int file_open(const char *path, const char *mode)
{
    const int flags = *mode == 'w' ? (strchr(mode, '+') ? O_RDWR : O_WRONLY) | O_CREAT | O_TRUNC
                      : strchr(mode, '+') ? O_RDWR
                                          : O_RDONLY;

    return open(path, flags, 0666);
}

int file_temporary(void)
{
    char name[] = "faults-XXXXXX"; /* in the tests' own folder */
    const int file = mkstemp(name);

    if (file >= 0)
        unlink(name);
    return file;
}

long file_read(int file, char *bytes, size_t size)
{
    return read(file, bytes, size);
}

long file_write(int file, const char *bytes, size_t size)
{
    return write(file, bytes, size);
}

long file_seek(int file, long offset, int whence)
{
    return lseek(file, offset, whence);
}

int file_halve(int file)
{
    return ftruncate(file, lseek(file, 0, SEEK_END) / 2);
}

int file_close(int file)
{
    return close(file);
}

int __real_rename(const char *from, const char *to);

int file_rename(const char *from, const char *to)
{
    return __real_rename(from, to);
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
        fprintf(log, "%s %lu\nreason %s %s\n", fault_kinds[kind], faults.calls[kind],
                fault_kinds[kind], fault_reason((enum kind)kind));
    fclose(log);
}

static __attribute__((constructor)) void begin(void)
{
    const char *text = getenv("HINGE_FAULT");
    struct fault fault = {.signals = text && strncmp(text, "signal ", 7) == 0};

    if (fault.signals)
        text += 7;
    fault.after = fault.signals && strstr(text, " after");
    for (int kind = 0; text && kind < KINDS; kind++) {
        const size_t length = strlen(fault_kinds[kind]);

        if (strncmp(text, fault_kinds[kind], length) == 0 && text[length] == ' ') {
            fault.kind = (enum kind)kind;
            fault.number = strtoul(text + length, NULL, 10);
            fault.persists = strstr(text, " on") != NULL;
        }
    }
    fault.trickle = text && strcmp(text, "trickle") == 0;
    faults_begin(&fault, 0, 1);
    atexit(write_log);
}
