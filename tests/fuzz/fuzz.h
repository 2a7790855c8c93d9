/* fuzz.h - what the fuzzers share: libFuzzer's entry, a demand that ends the run, input without a
 * file. */
#ifndef HINGE_TESTS_FUZZ_H
#define HINGE_TESTS_FUZZ_H

#define _GNU_SOURCE /* fmemopen, memfd_create: this header comes first */

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

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

/* Lets the path "-" be these bytes, which takes a fraction of the time of a file. end_input after
 * each. */
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

#endif
