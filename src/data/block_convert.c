/* block_convert.c - rows in the kinds of one block -> the same rows in the kinds of another.
 *
 * Both blocks may share their arrays. Each loop goes in the direction in which no store overtakes
 * the entries that are still to be read.
 */
#include "data/block.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/status.h"

/* Stores value k of one block as value `at` of another. */
static ALWAYS_INLINE void copy_value(const struct block *from, size_t k, const struct block *to,
                                     size_t at, int keep_mark)
{
    const enum hinge_value_kind kind = from->x.value_kind;

    if (to->x.value_kind == HINGE_VALUE_ONE)
        return;
    if (block_is_left_out(&from->x, k))
        block_leave_out(&to->x, at, keep_mark);
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

/* Converts entries one by one: both blocks have indices, or rows of the same width. Indices may get
 * more bytes in the same memory, so the last index goes first. Indices are copied as bytes, because
 * C lets no type be read where another was written. */
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
    /* If values stay where they are, only marks change. */
    if (x->value == y->value && at == 0 && block_has_same_values(from, to)) {
        for (size_t k = 0; from->filled > 0 && !keep_marks && k < x->nonzeros; k++)
            if (block_is_left_out(x, k))
                block_leave_out(y, k, 0);
    } else if (!block_has_same_values(from, to) || (from->filled > 0 && !keep_marks))
        for (size_t k = 0; k < x->nonzeros; k++)
            copy_value(from, k, to, at + k, keep_marks);
    else if (x->value_kind != HINGE_VALUE_ONE && x->nonzeros > 0)
        memcpy((char *)y->value + value_bytes(y->value_kind, at), x->value,
               value_bytes(x->value_kind, x->nonzeros));
    for (size_t i = 0; y->start && y->start != x->start && i < x->rows; i++)
        y->start[i] = at + x->start[i] - x->start[0];
}

/* Copies the values of a row to their columns in a row that has all columns. */
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
    const int only_moves = has_indices && !keep_marks && block_has_same_values(from, to);
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
                    block_leave_out(&to->x, at + j, keep_marks);
        }
        if (to->x.start)
            to->x.start[i] = at;
        end = first;
    }
}

/* True if a row has the same entries in both blocks. */
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

/* Arrays grow in place where that is possible, so memory holds no second copy of them. */
enum hinge_status block_change(struct block *block, const struct block *wanted, int keep_marks,
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
    from.x.rows += (size_t)is_under_way;
    to.row = 0;
    block_convert(&from, &to, keep_marks);
    if (!is_listed)
        to.x.index = NULL;
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
