/* columns.h - columns of the matrix K_ij = <x_i, x_j>, computed when they are asked for, and the
 * latest of them kept.
 *
 * The rows of the problem stand in an order of their own, so that those a solver works on can be
 * the first ones: a column holds its entries for so many positions from the first. Signs are the
 * caller's: Q_ij = y_i y_j K_ij.
 */
#ifndef HINGE_SOLVER_COLUMNS_H
#define HINGE_SOLVER_COLUMNS_H

#include "base/compiler.h"
#include "problem/binary.h"

/* What an entry takes. Nothing is rounded: bytes and floats are for data whose products they hold.
 */
enum entry { ENTRY_BYTE, ENTRY_FLOAT, ENTRY_DOUBLE };

struct column;

struct columns {
    const struct binary_problem *problem;
    uint32_t *row;         /* [rows] of the problem, by position */
    enum entry entry;      /* of all columns */
    size_t room;           /* bytes that the entries of all columns may take */
    size_t used;           /* bytes that they do */
    struct column *column; /* [rows + 1] by row of the problem; the last is the ends of the list */
    double *dense;         /* [features] the row whose column is being computed; else 0 */
    double *partial;       /* [rows] */
    uint32_t *old;         /* [rows] */
    uint64_t products;     /* how many entries have been computed */
};

/* NULL on failure. Free with columns_free. There is room for two whole columns at least. */
struct columns *columns_new(const struct binary_problem *problem, double mebibytes,
                            struct hinge_error *error);
void columns_free(struct columns *columns);

/* Bytes of the two columns that are in use at a time. */
double columns_least(const struct columns *columns);

/* Entries 0 .. length-1 of the column of the row at a position. They last until the call after the
 * next, or columns_reorder. NULL if there is no memory for them. */
const void *columns_get(struct columns *columns, uint32_t position, uint32_t length);

/* Entries from .. rows-1 of it at [from]; they last until the next call. */
const double *columns_rest(struct columns *columns, uint32_t position, uint32_t from);

/* Puts the row at position from[k] to position k, for all k. from[0 .. active) ascends, and so does
 * the rest. */
void columns_reorder(struct columns *columns, const uint32_t *from, uint32_t active);

/* K_ii */
double columns_diagonal(const struct columns *columns, uint32_t position);

static ALWAYS_INLINE double column_entry(const void *entries, enum entry entry, size_t k)
{
    return entry == ENTRY_BYTE    ? (double)((const uint8_t *)entries)[k]
           : entry == ENTRY_FLOAT ? (double)((const float *)entries)[k]
                                  : ((const double *)entries)[k];
}

#endif
