/* block.h - rows in their own kinds: labels, and entries in growing arrays of the smallest kinds
 * that hold them. One thread that reads a file makes one block, which then is the dataset. Threads,
 * ranks and pages make several blocks, which block_convert alone puts together. */
#ifndef HINGE_DATA_BLOCK_H
#define HINGE_DATA_BLOCK_H

#include <math.h>

#include "base/compiler.h"
#include "data/digits.h"
#include "data/matrix.h"
#include "data/storage_kinds.h"

struct block {
    struct hinge_matrix x; /* start is filled in by the reader, scale by block_finish */
    size_t capacity;       /* entries that index and value have room for */
    unsigned places; /* HINGE_VALUE_WHOLE: a stored number is the value times 10^places; else 0 */
    int signs;       /* a value with a sign was read */
    size_t row;      /* first entry of the row that is being read */
    size_t width;    /* without indices: entries of each complete row */
    size_t filled;   /* without indices: entries that are marks, see below */
    double *label;   /* [row_capacity] */
    size_t row_capacity; /* rows that label has room for; start has room for one number more */
    uint32_t features;   /* 1 + the largest index, 0 if there is none */
};

/* Without indices, a zero that the file leaves out is stored as a mark, which differs from each
 * stored value. block_finish makes it a zero. */
#define LEFT_OUT_WHOLE INT32_MIN
#define LEFT_OUT_VALUE NAN

/* True if entry k is a mark. */
static inline int block_is_left_out(const struct hinge_matrix *x, size_t k)
{
    if (x->value_kind == HINGE_VALUE_ONE)
        return 0;
    return x->value_kind == HINGE_VALUE_WHOLE ? ((const int32_t *)x->value)[k] == LEFT_OUT_WHOLE
                                              : isnan(((const double *)x->value)[k]);
}

/* Stores entry `at`, a zero that the file leaves out: as a mark if keep_mark, else as a zero. */
static inline void block_leave_out(const struct hinge_matrix *x, size_t at, int keep_mark)
{
    if (x->value_kind == HINGE_VALUE_WHOLE)
        ((int32_t *)x->value)[at] = keep_mark ? LEFT_OUT_WHOLE : 0;
    else
        ((double *)x->value)[at] = keep_mark ? LEFT_OUT_VALUE : 0;
}

/* True if the values of two blocks are stored in the same way. */
static inline int block_has_same_values(const struct block *a, const struct block *b)
{
    return a->x.value_kind == b->x.value_kind && a->places == b->places;
}

/* Makes an empty block, with indices and values of these kinds at first. Call block_free in any
 * case. */
enum hinge_status block_new(struct block *block, enum hinge_index_kind index_kind,
                            enum hinge_value_kind value_kind, struct hinge_error *error);
void block_free(struct block *block);

/* Empties the block and gives it the kinds of another. */
enum hinge_status block_clear(struct block *block, const struct block *like,
                              struct hinge_error *error);

/* Makes room for this many rows. */
enum hinge_status block_reserve_rows(struct block *block, size_t rows, struct hinge_error *error);

/* Makes room for this many times the present rows and entries, an estimate. Does nothing if memory
 * is short. Most systems do not count memory that is never written to, and block_finish frees it.
 */
void block_expect(struct block *block, double times);

/* Makes room for one more entry, or changes the kinds if this entry needs wider ones. One call may
 * do a part of the work: try to store the entry again. */
enum hinge_status block_prepare(struct block *block, uint32_t index, struct decimal *value,
                                struct hinge_error *error);

/* Ends the entries of a row; the caller counts the row. Without indices, adds a mark for each entry
 * that the row lacks. */
enum hinge_status block_end_row(struct block *block, struct hinge_error *error);

/* Returns the summary of the rows. Takes a pass over the values. */
struct storage_kinds block_kinds(const struct block *block);

/* Ends reading: drops the indices or makes them, as the number of entries decides, cuts the arrays
 * to their length, and sets the scale. Returns the number of left-out zeros that are entries now.
 */
size_t block_finish(struct block *block);

/* Gives the rows, which are a part of the whole, the kinds and the scale of the whole. */
enum hinge_status block_fit(struct block *block, const struct storage_kinds *whole,
                            struct hinge_error *error);

/* ---- From kinds to kinds (block_convert.c) ------------------------------ */

/* Writes the rows of one block into another, whose kinds must hold them, from entry to->row on. If
 * `to` has no indices, its rows have to->width entries. Entries that a row lacks there, and marks,
 * become marks if keep_marks is set, else zeros. If only `to` has indices, marks are left out.
 * to->x.start, if there is one, gets the start of each row. The arrays of `to` may be those of
 * `from`. */
void block_convert(const struct block *from, const struct block *to, int keep_marks);

/* Changes the kinds, the places and the width of a block to those of `wanted`, which was copied
 * from it. Marks become zeros unless keep_marks is set. */
enum hinge_status block_change(struct block *block, const struct block *wanted, int keep_marks,
                               struct hinge_error *error);

/* ---- Putting blocks together -------------------------------------------- */

/* The place of a part in the whole: its first row, and the first entry of that row. */
struct block_place {
    size_t row, entry;
};

/* Appends the rows of a part to the whole, which is changed as needed. */
enum hinge_status block_join(struct block *whole, const struct block *part,
                             struct hinge_error *error);

/* True if 32-bit numbers suffice for the rows of the whole and the part together. */
static inline int block_has_numbers(const struct block *whole, const struct block *part)
{
    return part->x.rows <= UINT32_MAX - whole->x.rows;
}

/* Appends the rows of a part in two steps. block_reserve_place counts them in and sets *place;
 * returns 0 if the whole must first be changed, see block_join. block_copy writes them; several
 * threads may do so at the same time. */
int block_reserve_place(struct block *whole, const struct block *part, struct block_place *place);
void block_copy(const struct block *whole, const struct block *part,
                const struct block_place *place);

/* ---- Storing an entry --------------------------------------------------- */

/* Stores a value after the other values of the block, which have this kind. Returns 0 if the kind
 * does not hold the value. */
static ALWAYS_INLINE int block_store_as(struct block *block, enum hinge_value_kind kind,
                                        const struct decimal *value)
{
    const size_t at = block->x.nonzeros;
    int64_t whole = value->whole;

    switch (kind) {
    case HINGE_VALUE_ONE:
        return whole == 1 && value->places == 0;
    case HINGE_VALUE_WHOLE:
        if (value->places > block->places || whole > INT32_MAX || whole < -INT32_MAX)
            return 0;
        whole *= whole_power[block->places - value->places];
        if (whole > INT32_MAX || whole < -INT32_MAX)
            return 0;
        ((int32_t *)block->x.value)[at] = (int32_t)whole;
        return 1;
    default:
        ((double *)block->x.value)[at] = decimal_value(value);
        return 1;
    }
}

/* Stores an index. Returns 0 if the kind, which is not HINGE_INDEX_NONE, does not hold it. */
static ALWAYS_INLINE int store_index(enum hinge_index_kind kind, void *array, size_t at,
                                     uint32_t index)
{
    if (kind == HINGE_INDEX_32) {
        ((uint32_t *)array)[at] = index;
        return 1;
    }
    if (kind == HINGE_INDEX_16) {
        ((uint16_t *)array)[at] = (uint16_t)index;
        return index <= UINT16_MAX;
    }
    ((uint8_t *)array)[at] = (uint8_t)index;
    return index <= UINT8_MAX;
}

/* Stores an index after the other indices of the block, which have this kind. Returns 0 if the kind
 * does not hold the index. */
static ALWAYS_INLINE int block_store_index_as(struct block *block, enum hinge_index_kind kind,
                                              uint32_t index)
{
    const size_t at = block->x.nonzeros;

    return kind == HINGE_INDEX_NONE ? index == at - block->row
                                    : store_index(kind, block->x.index, at, index);
}

#endif
