/* block.c - a value is stored as nothing (1), as an int32_t (value times 10^places) or as a double;
 * an index as nothing or in one, two or four bytes.
 *
 * Most files have short decimals, which are whole numbers of their last place. Stored as such they
 * take half the memory of doubles and lose nothing: whole / 10^places, rounded once, is the double
 * nearest to the text.
 *
 * Where rows have all features, an index says nothing; where they have half of them, adding a zero
 * is cheaper than following an index. A block therefore begins without indices, and stays so while
 * each entry is that of the next feature, up to a few zeros that rows leave out. Those are stored
 * as marks, so that what was read can still be told apart: at the end the number of entries read
 * decides about indices, not the order in which they came.
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

/* ---- From kinds to kinds ------------------------------------------------ */

/* Stores a zero that the file leaves out. */
static ALWAYS_INLINE void set_left_out(const struct hinge_matrix *x, size_t at, int keep_mark)
{
    if (x->value_kind == HINGE_VALUE_WHOLE)
        ((int32_t *)x->value)[at] = keep_mark ? LEFT_OUT_WHOLE : 0;
    else
        ((double *)x->value)[at] = keep_mark ? LEFT_OUT_VALUE : 0;
}

/* Stores value k of one block as value `at` of another. */
static ALWAYS_INLINE void copy_value(const struct block *from, size_t k, const struct block *to,
                                     size_t at, int keep_mark)
{
    const enum hinge_value_kind kind = from->x.value_kind;

    if (to->x.value_kind == HINGE_VALUE_ONE)
        return;
    if (block_is_left_out(&from->x, k))
        set_left_out(&to->x, at, keep_mark);
    else if (to->x.value_kind == HINGE_VALUE_WHOLE)
        ((int32_t *)to->x.value)[at] = kind == HINGE_VALUE_ONE
                                           ? (int32_t)whole_power[to->places]
                                           : ((const int32_t *)from->x.value)[k] *
                                                 (int32_t)whole_power[to->places - from->places];
    else
        ((double *)to->x.value)[at] =
            kind == HINGE_VALUE_ONE ? 1
            : kind == HINGE_VALUE_WHOLE
                ? ((const int32_t *)from->x.value)[k] / power_of_ten[from->places]
                : ((const double *)from->x.value)[k];
}

/* True if values are stored in the same way. */
static int have_same_values(const struct block *a, const struct block *b)
{
    return a->x.value_kind == b->x.value_kind && a->places == b->places;
}

/* Keeps the entries that there are: both blocks have indices, or rows of the same width. Indices
 * may get more bytes in the same memory. The last one goes first, because an index takes the place
 * of those after it. They are copied as bytes, as C lets no type be read where another was written.
 */
static void convert_entries(const struct block *from, const struct block *to, int keep_marks)
{
    const struct hinge_matrix *x = &from->x, *y = &to->x;
    const size_t at = to->row;

    for (size_t k = x->index_kind == y->index_kind ? 0 : x->nonzeros; k-- > 0;) {
        const char *const index = (const char *)x->index + (k << x->index_kind);
        char *const wider = (char *)y->index + ((at + k) << y->index_kind);
        uint16_t two = *(const unsigned char *)index;
        uint32_t four;

        if (x->index_kind == HINGE_INDEX_16)
            memcpy(&two, index, sizeof two);
        four = two;
        if (y->index_kind == HINGE_INDEX_16)
            memcpy(wider, &two, sizeof two);
        else
            memcpy(wider, &four, sizeof four);
    }
    if (x->index_kind == y->index_kind && x->index_kind != HINGE_INDEX_NONE &&
        x->index != y->index && x->nonzeros > 0)
        memcpy((char *)y->index + index_bytes(y->index_kind, at), x->index,
               index_bytes(x->index_kind, x->nonzeros));
    if (!have_same_values(from, to) || (from->filled > 0 && !keep_marks))
        for (size_t k = 0; k < x->nonzeros; k++)
            copy_value(from, k, to, at + k, keep_marks);
    else if (x->value_kind != HINGE_VALUE_ONE && x->value != y->value && x->nonzeros > 0)
        memcpy((char *)y->value + value_bytes(y->value_kind, at), x->value,
               value_bytes(x->value_kind, x->nonzeros));
    for (size_t i = 0; y->start && y->start != x->start && i < x->rows; i++)
        y->start[i] = at + x->start[i] - x->start[0];
}

/* Copies the values of a row to their columns of a row that has all of them. */
static ALWAYS_INLINE void scatter(const struct hinge_matrix *x, size_t size, size_t first,
                                  size_t end, char *row)
{
    const struct hinge_matrix from = *x; /* no store can change a copy */

    for (size_t k = first; k < end; k++)
        memcpy(row + hinge_index(&from, k) * size, (const char *)from.value + k * size, size);
}

/* Gives each row an entry for each column. A row never moves down, so the values may stay in their
 * array if the last row goes first. */
static void fill_columns(const struct block *from, const struct block *to, int keep_marks)
{
    const struct hinge_matrix *x = &from->x;
    const int has_indices = x->index_kind != HINGE_INDEX_NONE;
    const int only_moves = has_indices && !keep_marks && have_same_values(from, to);
    const size_t columns = to->width;
    size_t end = x->nonzeros;

    for (size_t i = x->rows; i-- > 0;) {
        const size_t first = has_indices ? x->start[i] - x->start[0] : i * from->width;
        const size_t at = to->row + i * columns;
        size_t k = end;

        if (only_moves && (x->value != to->x.value || end <= at)) {
            char *row = (char *)to->x.value + value_bytes(x->value_kind, at);

            memset(row, 0, value_bytes(x->value_kind, columns));
            if (x->value_kind == HINGE_VALUE_DOUBLE)
                scatter(x, sizeof(double), first, end, row);
            else
                scatter(x, sizeof(int32_t), first, end, row);
        } else {
            for (size_t j = columns; j-- > 0;)
                if (k > first && (has_indices ? hinge_index(x, k - 1) : k - 1 - first) == j)
                    copy_value(from, --k, to, at + j, keep_marks);
                else
                    set_left_out(&to->x, at + j, keep_marks);
        }
        if (to->x.start)
            to->x.start[i] = at;
        end = first;
    }
}

static int has_same_rows(const struct block *from, const struct block *to)
{
    return (from->x.index_kind == HINGE_INDEX_NONE) == (to->x.index_kind == HINGE_INDEX_NONE) &&
           (from->x.index_kind != HINGE_INDEX_NONE || from->width == to->width);
}

void block_convert(const struct block *from, const struct block *to, int keep_marks)
{
    const struct hinge_matrix *x = &from->x;
    size_t at = to->row, k = 0;

    if (has_same_rows(from, to)) {
        convert_entries(from, to, keep_marks);
        return;
    }
    if (to->x.index_kind == HINGE_INDEX_NONE) {
        fill_columns(from, to, keep_marks);
        return;
    }
    /* Makes indices and drops marks. No entry moves up, so the values may stay in their array. */
    for (size_t i = 0; i < x->rows; i++) {
        const size_t first = k, end = i + 1 < x->rows ? first + from->width : x->nonzeros;

        if (to->x.start)
            to->x.start[i] = at;
        for (; k < end; k++)
            if (!block_is_left_out(x, k)) {
                store_index(to->x.index_kind, to->x.index, at, (uint32_t)(k - first));
                copy_value(from, k, to, at++, 0);
            }
    }
}

/* Changes the kinds, the places and the width of a block to those of another one, which was copied
 * from it. Arrays grow in place where that is possible: memory holds no second copy of them. */
static enum hinge_status change(struct block *block, const struct block *wanted, int keep_marks,
                                struct hinge_error *error)
{
    struct block from = *block, to = *wanted;
    const int is_listed = to.x.index_kind != HINGE_INDEX_NONE;
    const int is_new = to.x.value_kind != from.x.value_kind;
    const int is_under_way = from.x.nonzeros > from.row, has_same = has_same_rows(&from, &to);
    void *array;

    if (!has_same && !is_listed)
        to.capacity = from.x.rows * to.width;
    if (is_listed && to.x.index_kind != from.x.index_kind) {
        const size_t size = (size_t)1 << to.x.index_kind;

        if (!(to.x.index = array_resize(from.x.index, to.capacity, size, error)))
            return failure(error);
        if (has_same)
            block->x.index = from.x.index = to.x.index;
    }
    if (is_new || (to.capacity != from.capacity && to.x.value_kind != HINGE_VALUE_ONE)) {
        if (!(array = array_resize(is_new ? NULL : from.x.value, to.capacity,
                                   value_size(to.x.value_kind), error))) {
            if (is_listed && !has_same)
                free(to.x.index);
            return failure(error);
        }
        to.x.value = array;
        if (!is_new)
            block->x.value = from.x.value = array;
    }
    if (!is_listed)
        to.x.index = NULL;
    from.x.rows += (size_t)is_under_way;
    to.row = 0;
    block_convert(&from, &to, keep_marks);
    if (to.x.index != from.x.index)
        free(from.x.index);
    if (to.x.value != from.x.value)
        free(from.x.value);
    if (!has_same)
        to.x.nonzeros = is_listed ? from.x.nonzeros - from.filled : to.capacity;
    if (is_listed || !keep_marks)
        to.filled = 0;
    to.row = !is_under_way ? to.x.nonzeros : has_same ? from.row : to.x.start[to.x.rows];
    if (to.x.start)
        to.x.start[to.x.rows] = to.row;
    *block = to;
    return HINGE_OK;
}

/* ---- Row by row --------------------------------------------------------- */

/* True if a block with this many marks needs indices. With eight entries for each mark, no index is
 * longer than the marks; a few are allowed at the beginning of a file. */
static int has_many_marks(uint64_t marks, uint64_t entries)
{
    return marks >= 64 && marks > entries / 8;
}

/* Makes indices of what was read, the row under way included. */
static enum hinge_status list(struct block *block, struct hinge_error *error)
{
    const size_t count = block->x.nonzeros - block->row;
    struct block wanted = *block;

    wanted.x.index_kind = index_kind_of(count > block->width ? count : block->width);
    return change(block, &wanted, 0, error);
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
    set_left_out(x, x->nonzeros++, 1);
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

/* Writes the value with as few places as its double can be written with, if a whole number has room
 * for it: the kind depends on the values, not on how they are written. A negative zero is no whole
 * number. */
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

/* Changes the kind of the values so that it holds those of a summary, too. */
static enum hinge_status hold_values(struct block *block, const struct storage_kinds *kinds,
                                     struct hinge_error *error)
{
    const struct storage_kinds own = block_kinds(block), both = storage_kinds_join(&own, kinds);
    struct block wanted = *block;

    wanted.x.value_kind = both.value_kind;
    wanted.places = both.places;
    return change(block, &wanted, 1, error);
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
        return change(block, &wanted, 1, error);
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
    return change(block, &wanted, 0, error);
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
        change(block, &same, 0, &ignored); /* changes marks alone, which takes no memory */
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

    if (have_same_values(whole, part) || whole->x.value_kind == HINGE_VALUE_DOUBLE)
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

/* Takes the place for the part's rows and entries, which has room in the whole. */
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
        if (change(whole, &wanted, 1, error))
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
