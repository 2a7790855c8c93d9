/* block.c - a value is stored as nothing (1), as an int32_t (value times 10^places) or as a double;
 * an index as nothing or in one, two or four bytes.
 *
 * Most files have short decimals, which are whole numbers of their last place. Stored as such they
 * take half the memory of doubles and lose nothing: whole / 10^places, rounded once, is the double
 * nearest to the text.
 *
 * Where rows have all features, an index says nothing; where they have half of them, adding a zero
 * is cheaper than following an index. A block therefore begins without indices, and stays so while
 * each entry belongs to the next feature, except for a few zeros that rows leave out. These zeros
 * are stored as marks, which differ from all values read. So at the end, the number of entries read
 * decides if there are indices, not their order.
 */
#include "data/block.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/status.h"

/* ---- Memory ------------------------------------------------------------ */

static enum hinge_status resize(struct block *block, size_t capacity, struct hinge_error *error)
{
    struct hinge_matrix *x = &block->x;

    if ((x->index_kind != HINGE_INDEX_NONE &&
         array_adjust(&x->index, capacity, (size_t)1 << x->index_kind, error)) ||
        (x->value_kind != HINGE_VALUE_ONE &&
         array_adjust(&x->value, capacity, value_size(x->value_kind), error)))
        return failure(error);
    block->capacity = capacity;
    return HINGE_OK;
}

enum hinge_status block_new(struct block *block, enum hinge_index_kind index_kind,
                            enum hinge_value_kind value_kind, struct hinge_error *error)
{
    memset(block, 0, sizeof *block);
    block->x.index_kind = index_kind;
    block->x.value_kind = value_kind;
    return resize(block, array_grown(0, 1024), error);
}

void block_free(struct block *block)
{
    free(block->x.start);
    free(block->x.index);
    free(block->x.value);
    free(block->label);
    memset(block, 0, sizeof *block);
}

enum hinge_status block_clear(struct block *block, const struct block *like,
                              struct hinge_error *error)
{
    struct hinge_matrix *x = &block->x;

    x->rows = x->nonzeros = 0;
    block->row = block->width = block->filled = 0;
    block->features = 0;
    block->places = like->places;
    block->signs = like->signs;
    if (x->index_kind == like->x.index_kind && x->value_kind == like->x.value_kind)
        return HINGE_OK;
    free(x->index);
    free(x->value);
    x->index = x->value = NULL;
    x->index_kind = like->x.index_kind;
    x->value_kind = like->x.value_kind;
    block->capacity = 0;
    return resize(block, array_grown(0, 1024), error);
}

enum hinge_status block_reserve_rows(struct block *block, size_t rows, struct hinge_error *error)
{
    const size_t capacity = array_grown(block->row_capacity, rows > 256 ? rows : 256);

    if (rows <= block->row_capacity)
        return HINGE_OK;
    if (ARRAY_RESIZE(&block->label, capacity, error) ||
        ARRAY_RESIZE(&block->x.start, capacity + 1, error))
        return failure(error);
    block->row_capacity = capacity;
    return HINGE_OK;
}

void block_expect(struct block *block, double times)
{
    const double rows = times * (double)block->x.rows, entries = times * (double)block->x.nonzeros;
    struct hinge_error ignored;

    if (rows < UINT32_MAX)
        block_reserve_rows(block, (size_t)rows, &ignored);
    if (entries > (double)block->capacity && entries < (double)(SIZE_MAX / sizeof(double)))
        resize(block, (size_t)entries, &ignored);
}

/* ---- Row by row --------------------------------------------------------- */

/* True if a block with this many marks needs indices. With at least eight entries for each mark,
 * indices would take as much memory as the marks or more. 63 marks are always allowed, for the
 * beginning of a file. */
static int has_many_marks(uint64_t marks, uint64_t entries)
{
    return marks >= 64 && marks > entries / 8;
}

/* Makes indices for all entries read so far, also in the row that is being read. */
static enum hinge_status list(struct block *block, struct hinge_error *error)
{
    const size_t count = block->x.nonzeros - block->row;
    struct block wanted = *block;

    wanted.x.index_kind = index_kind_of(count > block->width ? count : block->width);
    return block_change(block, &wanted, 0, error);
}

/* Stores a mark for the next feature, which the row leaves out. Makes indices instead if the row is
 * longer than others or there would be too many marks. */
static enum hinge_status fill_in(struct block *block, struct hinge_error *error)
{
    struct hinge_matrix *x = &block->x;

    if (x->value_kind == HINGE_VALUE_ONE ||
        (x->rows > 0 && x->nonzeros - block->row >= block->width) ||
        has_many_marks(block->filled, x->nonzeros - block->filled))
        return list(block, error);
    block_leave_out(x, x->nonzeros++, 1);
    block->filled++;
    return HINGE_OK;
}

enum hinge_status block_end_row(struct block *block, struct hinge_error *error)
{
    struct hinge_matrix *x = &block->x;
    enum hinge_status status = HINGE_OK;

    if (x->rows == 0)
        block->width = x->nonzeros;
    if (x->index_kind == HINGE_INDEX_NONE && x->nonzeros - block->row > block->width)
        status = list(block, error);
    while (!status && x->index_kind == HINGE_INDEX_NONE && x->nonzeros - block->row < block->width)
        status = x->nonzeros < block->capacity
                     ? fill_in(block, error)
                     : resize(block, array_grown(block->capacity, 1024), error);
    block->row = x->nonzeros;
    return status;
}

/* Writes the value with the fewest places that give the same double, if a whole number holds it. So
 * the kind depends on the values, not on how they are written. A negative zero is no whole number.
 */
static void shorten(struct decimal *value)
{
    if (value->places == LONG && (value->value != 0 || !signbit(value->value))) {
        for (unsigned places = 0; places <= MOST_PLACES; places++) {
            const double whole = floor(value->value * power_of_ten[places] + 0.5);

            if (fabs(whole) > INT32_MAX)
                return;
            if (whole / power_of_ten[places] == value->value) {
                value->whole = (int64_t)whole;
                value->places = places;
                return;
            }
        }
    }
    while (value->places > 0 && value->places < LONG && value->whole % 10 == 0) {
        value->whole /= 10;
        value->places--;
    }
}

/* Changes the kind of the values so that it also holds the values of a summary. */
static enum hinge_status hold_values(struct block *block, const struct storage_kinds *kinds,
                                     struct hinge_error *error)
{
    const struct storage_kinds own = block_kinds(block), both = storage_kinds_join(&own, kinds);
    struct block wanted = *block;

    wanted.x.value_kind = both.value_kind;
    wanted.places = both.places;
    return block_change(block, &wanted, 1, error);
}

enum hinge_status block_prepare(struct block *block, uint32_t index, struct decimal *value,
                                struct hinge_error *error)
{
    struct storage_kinds kinds = {.value_kind = HINGE_VALUE_DOUBLE};

    if (block->x.nonzeros == block->capacity)
        return resize(block, array_grown(block->capacity, 1024), error);
    if (!block_store_index_as(block, block->x.index_kind, index)) {
        struct block wanted = *block;

        if (block->x.index_kind == HINGE_INDEX_NONE)
            return fill_in(block, error);
        wanted.x.index_kind = index_kind_of((size_t)index + 1);
        return block_change(block, &wanted, 1, error);
    }
    shorten(value);
    if (block_store_as(block, block->x.value_kind, value))
        return HINGE_OK;
    if (value->places <= MOST_PLACES && value->whole <= INT32_MAX && value->whole >= -INT32_MAX)
        kinds = (struct storage_kinds){
            .value_kind = HINGE_VALUE_WHOLE,
            .places = value->places,
            .largest = (int32_t)(value->whole < 0 ? -value->whole : value->whole)};
    return hold_values(block, &kinds, error);
}

/* ---- All rows ------------------------------------------------------------ */

struct storage_kinds block_kinds(const struct block *block)
{
    const struct hinge_matrix *x = &block->x;
    struct storage_kinds kinds = {.rows = x->rows,
                                  .read = x->nonzeros - block->filled,
                                  .columns = block->features,
                                  .value_kind = x->value_kind};

    if (x->value_kind != HINGE_VALUE_WHOLE)
        return kinds;
    kinds.places = block->places;
    for (size_t k = 0; k < x->nonzeros; k++)
        if (!block_is_left_out(x, k)) {
            const int32_t whole = ((const int32_t *)x->value)[k];
            const int32_t size = whole < 0 ? -whole : whole;

            kinds.largest = size > kinds.largest ? size : kinds.largest;
        }
    return kinds;
}

enum hinge_status block_fit(struct block *block, const struct storage_kinds *whole,
                            struct hinge_error *error)
{
    struct block wanted = *block;

    wanted.x.value_kind = whole->value_kind;
    wanted.places = whole->places;
    wanted.x.index_kind = index_kind_of(whole->columns);
    if (storage_kinds_are_dense(whole)) {
        wanted.x.index_kind = HINGE_INDEX_NONE;
        wanted.width = whole->columns;
    }
    wanted.x.scale = value_scale(whole->value_kind, whole->places);
    return block_change(block, &wanted, 0, error);
}

size_t block_finish(struct block *block)
{
    struct hinge_matrix *x = &block->x;
    const size_t read = x->nonzeros - block->filled;
    const struct storage_kinds kinds = {.rows = x->rows,
                                        .read = read,
                                        .columns = block->features,
                                        .value_kind = x->value_kind,
                                        .places = block->places};
    struct hinge_error ignored; /* without memory for the better storage, the other one stays */
    size_t capacity;

    if (block_fit(block, &kinds, &ignored)) {
        struct block same = *block;

        same.x.scale = value_scale(x->value_kind, block->places);
        block_change(block, &same, 0, &ignored); /* changes marks alone, which takes no memory */
    }
    capacity = block->capacity;
    /* an array that cannot be cut does no harm; capacity must then hold for both */
    if (resize(block, x->nonzeros, &ignored))
        block->capacity = capacity;
    return x->nonzeros - read;
}

/* ---- Parts of the whole -------------------------------------------------- */

/* True if the values of the part fit the kind of the whole. The part is searched for its largest
 * number if the places differ. */
static int holds_values(const struct block *whole, const struct block *part)
{
    const struct storage_kinds own = {.value_kind = whole->x.value_kind, .places = whole->places};
    struct storage_kinds kinds;

    if (block_has_same_values(whole, part) || whole->x.value_kind == HINGE_VALUE_DOUBLE)
        return 1;
    if (part->x.value_kind > whole->x.value_kind || part->places > whole->places)
        return 0;
    kinds = block_kinds(part);
    return storage_kinds_join(&own, &kinds).value_kind == whole->x.value_kind;
}

/* Returns how many entries the part has in the whole. */
static size_t entries_in(const struct block *whole, const struct block *part)
{
    return whole->x.index_kind == HINGE_INDEX_NONE ? part->x.rows * whole->width
                                                   : part->x.nonzeros - part->filled;
}

/* True if the indices of the part fit the whole, or both can do without. */
static int holds_indices(const struct block *whole, const struct block *part)
{
    const size_t read = part->x.nonzeros - part->filled;
    size_t marks;

    if (whole->x.index_kind != HINGE_INDEX_NONE)
        return index_kind_of(part->features) <= whole->x.index_kind;
    if (part->features > whole->width)
        return 0;
    marks = part->x.rows * whole->width - read;
    return marks == 0 ||
           (whole->x.value_kind != HINGE_VALUE_ONE &&
            !has_many_marks(whole->filled + marks, whole->x.nonzeros - whole->filled + read));
}

/* Takes the place for the part's rows and entries in the whole, which has room for them. */
static struct block_place take_place(struct block *whole, const struct block *part, size_t entries)
{
    struct hinge_matrix *x = &whole->x;
    const struct block_place place = {x->rows, x->nonzeros};

    x->rows += part->x.rows;
    x->nonzeros += entries;
    whole->row = x->nonzeros;
    if (x->index_kind == HINGE_INDEX_NONE)
        whole->filled += entries - (part->x.nonzeros - part->filled);
    if (part->features > whole->features)
        whole->features = part->features;
    return place;
}

int block_reserve_place(struct block *whole, const struct block *part, struct block_place *place)
{
    const size_t entries = entries_in(whole, part);

    if (!block_has_numbers(whole, part) || part->x.rows > whole->row_capacity - whole->x.rows ||
        entries > whole->capacity - whole->x.nonzeros || !holds_values(whole, part) ||
        !holds_indices(whole, part))
        return 0;
    *place = take_place(whole, part, entries);
    return 1;
}

void block_copy(const struct block *whole, const struct block *part,
                const struct block_place *place)
{
    const struct hinge_matrix *x = &whole->x;
    const struct block to = {.x = {.start = x->start + place->row,
                                   .index_kind = x->index_kind,
                                   .value_kind = x->value_kind,
                                   .index = x->index,
                                   .value = x->value},
                             .row = place->entry,
                             .width = whole->width,
                             .places = whole->places};

    memcpy(whole->label + place->row, part->label, part->x.rows * sizeof *part->label);
    block_convert(part, &to, 1);
}

enum hinge_status block_join(struct block *whole, const struct block *part,
                             struct hinge_error *error)
{
    struct block_place place;
    size_t entries, needed;

    if (part->x.rows == 0)
        return HINGE_OK;
    if (!holds_values(whole, part)) {
        const struct storage_kinds kinds = block_kinds(part);

        if (hold_values(whole, &kinds, error))
            return failure(error);
    }
    if (!holds_indices(whole, part)) {
        const uint32_t features =
            part->features > whole->features ? part->features : whole->features;
        struct block wanted = *whole;

        wanted.x.index_kind = index_kind_of(features);
        if (block_change(whole, &wanted, 1, error))
            return failure(error);
    }
    entries = entries_in(whole, part);
    needed = whole->x.nonzeros + entries;
    if (block_reserve_rows(whole, whole->x.rows + part->x.rows, error) ||
        (needed > whole->capacity && resize(whole, array_grown(whole->capacity, needed), error)))
        return failure(error);
    place = take_place(whole, part, entries);
    block_copy(whole, part, &place);
    return HINGE_OK;
}
