/* kernel_cache.h - columns of the matrix K_ij = <x_i, x_j>, computed when they are asked for, and
 * the least recently used of them evicted.
 *
 * The rows of the problem stand in an order of their own, so that the active ones can be the first:
 * a column holds its entries for so many positions from the first. Signs are the caller's: Q_ij =
 * y_i y_j K_ij. Columns are allocated as they come; two whole ones are reserved at the start, so
 * that memory may be short later and no call fails.
 */
#ifndef HINGE_SOLVER_PASSES_KERNEL_CACHE_H
#define HINGE_SOLVER_PASSES_KERNEL_CACHE_H

#include "base/memory.h"
#include "problem/problem.h"

/* The type of an entry. Nothing is rounded: bytes and floats are for data whose products they hold
 * exactly. */
enum entry { ENTRY_BYTE, ENTRY_FLOAT, ENTRY_DOUBLE };

/* Makes the call, in which ENTRY_KIND is the kind as a compile-time constant. */
#define WITH_ENTRY(kind, call)                                                                     \
    do {                                                                                           \
        if ((kind) == ENTRY_BYTE) {                                                                \
            const enum entry ENTRY_KIND = ENTRY_BYTE;                                              \
            call;                                                                                  \
        } else if ((kind) == ENTRY_FLOAT) {                                                        \
            const enum entry ENTRY_KIND = ENTRY_FLOAT;                                             \
            call;                                                                                  \
        } else {                                                                                   \
            const enum entry ENTRY_KIND = ENTRY_DOUBLE;                                            \
            call;                                                                                  \
        }                                                                                          \
    } while (0)

struct kernel_column;

struct kernel_cache {
    const struct problem *problem;
    uint32_t *row;                /* [rows] of the problem, by position */
    enum entry entry;             /* of all columns */
    size_t room;                  /* bytes that the entries of all columns may take */
    size_t used;                  /* bytes that they take */
    struct kernel_column *column; /* [rows + 1] by row of the problem; the last is the list's end */
    char *reserve[2];             /* two whole columns, for when memory is short */
    double *dense;                /* [features] the row whose column is being computed; else 0 */
    double *scratch;              /* [rows] */
    uint64_t products;            /* how many entries have been computed */
};

/* Takes the cache's arrays from the arena. */
void kernel_cache_lay_out(struct kernel_cache *cache, struct arena *arena,
                          const struct problem *problem);

/* An empty cache of so many MiB, two whole columns at least. Each position has its own row. */
enum hinge_status kernel_cache_begin(struct kernel_cache *cache, double mebibytes,
                                     struct hinge_error *error);
void kernel_cache_end(struct kernel_cache *cache);

/* Entries 0 .. length-1 of the column of the row at a position. They last until the call after the
 * next, or kernel_cache_reorder. */
const void *kernel_cache_get(struct kernel_cache *cache, uint32_t position, uint32_t length);

/* Entries from .. rows-1 of it at [from]; they last until the next call. */
const double *kernel_cache_rest(struct kernel_cache *cache, uint32_t position, uint32_t from);

/* Puts the row at position from[k] to position k, for all k. from[0 .. active) ascends, and so does
 * the rest. */
void kernel_cache_reorder(struct kernel_cache *cache, const uint32_t *from, uint32_t active);

/* The same for an array [rows] of elements of 1, 4 or 8 bytes. */
void kernel_cache_permute(struct kernel_cache *cache, void *array, size_t size,
                          const uint32_t *from);

static ALWAYS_INLINE double kernel_entry(const void *entries, enum entry entry, size_t k)
{
    return entry == ENTRY_BYTE    ? (double)((const uint8_t *)entries)[k]
           : entry == ENTRY_FLOAT ? (double)((const float *)entries)[k]
                                  : ((const double *)entries)[k];
}

#endif
