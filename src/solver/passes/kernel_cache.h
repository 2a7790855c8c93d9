/* kernel_cache.h - columns of the matrix K_ij = <x_i, x_j>: computed when asked for, the least
 * recently used ones evicted.
 *
 * The rows of the problem stand in an order of their own, so that the active ones can come first. A
 * column holds its entries for the first positions, as many as were asked for. Signs are the
 * caller's: Q_ij = y_i y_j K_ij. Columns are allocated as they come. Two whole ones are reserved at
 * the beginning, so that no call fails when memory is short later.
 */
#ifndef HINGE_SOLVER_PASSES_KERNEL_CACHE_H
#define HINGE_SOLVER_PASSES_KERNEL_CACHE_H

#include "base/memory.h"
#include "problem/problem.h"

/* The type of an entry. Bytes and floats are for data whose products they hold exactly. */
enum entry { ENTRY_BYTE, ENTRY_FLOAT, ENTRY_DOUBLE };

/* Makes the call, in which ENTRY_KIND is the kind as a compile-time constant. */
#define WITH_ENTRY(kind, call)                                                                     \
    do {                                                                                           \
        if ((kind) == ENTRY_BYTE)                                                                  \
            WITH_KIND(entry, ENTRY_KIND, ENTRY_BYTE, call);                                        \
        else if ((kind) == ENTRY_FLOAT)                                                            \
            WITH_KIND(entry, ENTRY_KIND, ENTRY_FLOAT, call);                                       \
        else                                                                                       \
            WITH_KIND(entry, ENTRY_KIND, ENTRY_DOUBLE, call);                                      \
    } while (0)

struct kernel_column;

struct kernel_cache {
    const struct problem *problem;
    uint32_t *row;                /* [rows] row of the problem at a position */
    enum entry entry;             /* type of all entries */
    size_t room;                  /* bytes that the entries of all columns may take */
    size_t used;                  /* bytes that they take */
    struct kernel_column *column; /* [rows + 1] by row of the problem; the last ends the list */
    char *reserve[2];             /* two whole columns, for when memory is short */
    double *dense;                /* [features] row whose column is being computed; 0 otherwise */
    double *scratch;              /* [rows] */
    uint64_t products;            /* number of entries computed so far */
};

/* Takes the cache's arrays from the arena. */
void kernel_cache_lay_out(struct kernel_cache *cache, struct arena *arena,
                          const struct problem *problem);

/* Begins with an empty cache of so many MiB, at least two whole columns. Row i is at position i. */
enum hinge_status kernel_cache_begin(struct kernel_cache *cache, double mebibytes,
                                     struct hinge_error *error);
void kernel_cache_end(struct kernel_cache *cache);

/* Returns entries 0 .. length-1 of the column of the row at a position. They last until the call
 * after the next, or until kernel_cache_reorder. */
const void *kernel_cache_get(struct kernel_cache *cache, uint32_t position, uint32_t length);

/* Returns an array whose places from .. rows-1 are those entries of the column. They last until the
 * next call. */
const double *kernel_cache_rest(struct kernel_cache *cache, uint32_t position, uint32_t from);

/* Moves the row at position from[k] to position k, for all k. from[0 .. active) ascends, and so
 * does the rest of from. */
void kernel_cache_reorder(struct kernel_cache *cache, const uint32_t *from, uint32_t active);

/* Does the same in an array[rows] of elements of 1, 4 or 8 bytes. */
void kernel_cache_permute(struct kernel_cache *cache, void *array, size_t size,
                          const uint32_t *from);

static ALWAYS_INLINE double kernel_entry(const void *entries, enum entry entry, size_t k)
{
    return entry == ENTRY_BYTE    ? (double)((const uint8_t *)entries)[k]
           : entry == ENTRY_FLOAT ? (double)((const float *)entries)[k]
                                  : ((const double *)entries)[k];
}

#endif
