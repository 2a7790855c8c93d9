/* weights.c - a heap of the largest weights, with the least of them at its root; |w| without
 * overflow.
 */
#include "model/weights.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/status.h"

struct weight_column *weight_columns_new(size_t columns, size_t most, struct hinge_error *error)
{
    struct weight_column *column = array_new(columns, sizeof *column, error);
    struct weight *largest;

    if (!column)
        return NULL;
    if (most > SIZE_MAX / columns ||
        !(largest = array_new(columns * most, sizeof *largest, error))) {
        if (most > SIZE_MAX / columns)
            error_fill(error, HINGE_NO_MEMORY, "out of memory: %lu weights of %lu columns",
                       (unsigned long)most, (unsigned long)columns);
        free(column);
        return NULL;
    }
    for (size_t c = 0; c < columns; c++)
        column[c] = (struct weight_column){.most = most, .largest = largest + c * most};
    return column;
}

void weight_columns_free(struct weight_column *column)
{
    if (column)
        free(column->largest);
    free(column);
}

/* True if a weight comes after another one in the list. */
static int is_less(struct weight one, struct weight other)
{
    return one.size < other.size || (one.size == other.size && one.feature > other.feature);
}

/* Replaces the root of a heap of count weights, and restores the order of the heap. */
static void replace_root(struct weight *heap, size_t count, struct weight weight)
{
    size_t k = 0;

    for (size_t child; (child = 2 * k + 1) < count; k = child) {
        if (child + 1 < count && is_less(heap[child + 1], heap[child]))
            child++;
        if (!is_less(heap[child], weight))
            break;
        heap[k] = heap[child];
    }
    heap[k] = weight;
}

void weight_column_add(struct weight_column *column, uint32_t feature, double weight)
{
    const struct weight new = {fabs(weight), feature};

    if (new.size == 0)
        return;
    column->nonzeros++;
    column->absolute += new.size;
    if (new.size > column->unit) {
        const double ratio = column->unit / new.size;

        column->squares = column->squares * ratio * ratio + 1;
        column->unit = new.size;
    } else {
        column->squares += new.size / column->unit *(new.size / column->unit);
    }
    if (column->kept < column->most) {
        size_t k = column->kept++;

        for (; k > 0 && is_less(new, column->largest[(k - 1) / 2]); k = (k - 1) / 2)
            column->largest[k] = column->largest[(k - 1) / 2];
        column->largest[k] = new;
    } else if (column->most > 0 && is_less(*column->largest, new))
        replace_root(column->largest, column->most, new);
}

struct weight_column *weight_columns_of(const struct hinge_model *model, uint64_t most,
                                        struct hinge_error *error)
{
    struct weight_column *column = weight_columns_new(
        model->columns, most < model->features ? (size_t)most : model->features, error);

    for (uint32_t j = 0; column && j < model->features; j++)
        for (size_t c = 0; c < model->columns; c++)
            weight_column_add(&column[c], j, model->weight[j * model->columns + c]);
    return column;
}

double weight_column_norm(const struct weight_column *column)
{
    return column->unit * sqrt(column->squares);
}

void weight_column_sort(struct weight_column *column)
{
    for (size_t count = column->kept; count > 1; count--) {
        const struct weight last = column->largest[count - 1];

        column->largest[count - 1] = column->largest[0];
        replace_root(column->largest, count - 1, last);
    }
}
