/* fuzz.h - what the fuzzers share: libFuzzer's entry, a demand that ends the run, input without a
 * file. */
#ifndef HINGE_TESTS_FUZZ_H
#define HINGE_TESTS_FUZZ_H

#define _GNU_SOURCE /* fmemopen, memfd_create: this header comes first */

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "hinge.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

/* Stops the fuzzer if a condition does not hold that must hold for every input. */
#define DEMAND(condition)                                                                          \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr, "%s:%d: %s does not hold\n", __FILE__, __LINE__, #condition);          \
            abort();                                                                               \
        }                                                                                          \
    } while (0)

/* Makes the bytes the contents of "-", in a fraction of the time of a file. Call end_input later.
 */
static inline void begin_input(const void *bytes, size_t size)
{
    stdin = fmemopen((void *)(uintptr_t)bytes, size, "rb");
    DEMAND(stdin);
}

static inline void end_input(void)
{
    fclose(stdin);
    stdin = NULL;
}

/* A file without a name. Its path is below /dev/, so that it is written in place. */
struct scratch {
    int file;
    char path[32];
};

static inline void scratch_open(struct scratch *scratch)
{
    if (*scratch->path)
        return;
    scratch->file = memfd_create("scratch", 0);
    DEMAND(scratch->file >= 0);
    snprintf(scratch->path, sizeof scratch->path, "/dev/fd/%d", scratch->file);
}

static inline void scratch_fill(struct scratch *scratch, const void *bytes, size_t size)
{
    DEMAND(ftruncate(scratch->file, 0) == 0);
    DEMAND(pwrite(scratch->file, bytes, size, 0) == (ssize_t)size);
}

/* Returns the bytes and a NUL, which the caller frees. Sets *size unless it is NULL. */
static inline char *scratch_text(const struct scratch *scratch, size_t *size)
{
    struct stat status;
    char *text;

    DEMAND(fstat(scratch->file, &status) == 0);
    text = calloc((size_t)status.st_size + 1, 1);
    DEMAND(text && pread(scratch->file, text, (size_t)status.st_size, 0) == status.st_size);
    if (size)
        *size = (size_t)status.st_size;
    return text;
}

#endif
