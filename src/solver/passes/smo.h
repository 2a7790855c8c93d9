/* smo.h - the state of sequential minimal optimisation, which smo.c begins and ends; its steps on
 * pairs of rows (pairs.c); and its columns of the matrix K_ij = <x_i, x_j> (kernel_cache.c).
 */
#ifndef HINGE_SOLVER_PASSES_SMO_H
#define HINGE_SOLVER_PASSES_SMO_H

#include "base/memory.h"
#include "solver/loop/method.h"

/* ---- Columns ------------------------------------------------------------ */

/* Columns are computed when asked for, and the least recently used ones are evicted. The rows of
 * the problem stand in an order of their own, so that the active ones can come first. A column
 * holds its entries for the first positions, as many as were asked for. Signs are the caller's:
 * Q_ij = y_i y_j K_ij. Columns are allocated as they come. Two whole ones are reserved at the
 * beginning, so that no call fails when memory is short later. */

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
    size_t used;                  /* bytes that the entries take */
    struct kernel_column *column; /* [rows + 1] by row of the problem; the last ends the list */
    char *reserve[2];             /* two whole columns, used when memory is short */
    double *dense;                /* [features] row whose column is being computed; 0 otherwise */
    double *scratch;              /* [rows] */
    uint64_t products;            /* number of entries computed so far */
};

/* Takes the cache's arrays from the arena. */
void kernel_cache_lay_out(struct kernel_cache *cache, struct arena *arena,
                          const struct problem *problem);

/* Begins with an empty cache of this number of MiB, at least two whole columns. Row i is at
 * position i. */
enum hinge_status kernel_cache_begin(struct kernel_cache *cache, double mebibytes,
                                     struct hinge_error *error);
void kernel_cache_end(struct kernel_cache *cache);

/* Returns entries 0 .. length-1 of the column of the row at a position. The entries last until the
 * call after the next, or until kernel_cache_reorder. */
const void *kernel_cache_get(struct kernel_cache *cache, uint32_t position, uint32_t length);

/* Returns an array that has entries from .. rows-1 of the column at places from .. rows-1. They
 * last until the next call. */
const double *kernel_cache_rest(struct kernel_cache *cache, uint32_t position, uint32_t from);

/* Moves the row at position from[k] to position k, for all k. from[0 .. active) ascends, and so
 * does the rest of from. */
void kernel_cache_reorder(struct kernel_cache *cache, const uint32_t *from, uint32_t active);

/* Moves element from[k] of an array[rows] to element k, for all k. An element has 1, 4 or 8 bytes.
 */
void kernel_cache_permute(struct kernel_cache *cache, void *array, size_t size,
                          const uint32_t *from);

static ALWAYS_INLINE double kernel_entry(const void *entries, enum entry entry, size_t k)
{
    return entry == ENTRY_BYTE    ? (double)((const uint8_t *)entries)[k]
           : entry == ENTRY_FLOAT ? (double)((const float *)entries)[k]
                                  : ((const double *)entries)[k];
}

/* ---- The state ---------------------------------------------------------- */

enum { IN_UP = 1, IN_LOW = 2, IN_BOTH = IN_UP + IN_LOW }; /* sets that a row is in */

enum { MOST_COLUMNS = 64 }; /* most columns that are computed between two checkpoints */

/* When to look at the rules, and when to stop. */
struct smo_stopping {
    uint64_t checked;       /* steps until the last checkpoint */
    uint64_t computed;      /* entries of K computed until the last checkpoint */
    double spent;           /* cost of the training until the last checkpoint */
    uint64_t next_check;    /* measure the gap from this step on whatever its estimate */
    double ratio;           /* measured gap / estimate, 0.1 .. 2 */
    int unshrunk;           /* all rows were unshrunk when the end was first near */
    int settled;            /* no pair among all rows was worth a step */
    uint64_t next_record;   /* step from which D, gap or violation must have fallen */
    double lowest_dual;     /* lowest D measured */
    double least_gap;       /* least gap measured */
    double least_violation; /* least of the largest violations */
    unsigned failures;      /* successive times that neither D nor gap nor violation had fallen */
};

/* Arrays are by position, the active rows first; cache.row[k] is the row at position k. */
struct smo {
    struct training *training;
    const struct problem *problem;
    struct kernel_cache cache; /* allocates columns during steps, but no call fails */
    uint32_t rows;
    uint32_t active;
    double *alpha;             /* [rows] */
    double *cost;              /* [rows] C_k */
    double *diagonal;          /* [rows] K_kk */
    double *F;                 /* [rows] not up to date for shrunk rows */
    double *F_bar;             /* [rows] up to date for all rows */
    signed char *sign;         /* [rows] y_k */
    unsigned char *sets;       /* [rows] IN_UP, IN_LOW */
    uint32_t *order;           /* [rows] the next order of positions */
    struct breakpoint *points; /* [rows] for the best bias */
    double b_up;               /* b_up of the active rows, when last computed */
    double b_low;              /* b_low of the active rows, when last computed */
    double dual;               /* D(alpha), kept up to date by the decreases */
    double decrease;           /* decrease of D since F was last formed anew */
    double mean_length;        /* entries of a row */
    double begun;              /* cost of the training before the first step */
    double scanned;            /* rows that pair steps have looked at */
    struct smo_stopping stopping;
};

/* ---- Pairs -------------------------------------------------------------- */

/* Sets the sets of the row at a position after a change of its alpha. */
void smo_update_sets(struct smo *s, uint32_t k);

/* Copies alpha to the training, where it is by rows of the problem. */
void smo_copy_alpha(struct smo *s);

/* Forms F, F_bar and D from alpha alone, without the rounding errors of the steps. */
void smo_form_gradient(struct smo *s);

/* Computes b_up and b_low. */
void smo_find_extremes(struct smo *s);

/* Minimises D over the most promising pair of active rows. Returns 0, and takes no step, if no pair
 * violates the conditions of optimality by more than the limit. */
int smo_pair_step(struct smo *s, double limit);

/* Shrinks rows if they are a tenth of the active ones or more: moving columns costs about as much
 * as the steps between two checkpoints. */
void smo_shrink(struct smo *s);

/* Makes all rows active. F of the shrunk rows comes from F_bar and the columns of the free rows,
 * which are never shrunk. With more than MOST_COLUMNS free rows, F is formed from w instead. */
void smo_unshrink(struct smo *s);

#endif
