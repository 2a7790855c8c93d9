/* checksum.h - a checksum of bytes, FNV-1a of 64 bits (Fowler, Noll, Vo). */
#ifndef HINGE_BASE_CHECKSUM_H
#define HINGE_BASE_CHECKSUM_H

#include <stddef.h>
#include <stdint.h>

/* The checksum of no bytes. */
#define CHECKSUM_NONE UINT64_C(0xcbf29ce484222325)

/* Returns the checksum of the bytes of sum followed by these bytes. */
static inline uint64_t checksum(uint64_t sum, const void *bytes, size_t count)
{
    const unsigned char *byte = bytes;

    for (size_t k = 0; k < count; k++)
        sum = (sum ^ byte[k]) * UINT64_C(0x100000001b3);
    return sum;
}

#endif
