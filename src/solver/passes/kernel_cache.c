/* kernel_cache.c - K_ij = <x_i, x_j>: row i is scattered into a dense vector, then each row j takes
 * a sparse product.
 *
 * The columns form a list, the least recently used one first. A column has the entries that were
 * needed so far, and grows when more are asked for.
 */
#include "solver/passes/smo.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/elementary.h"
#include "base/status.h"
#include "data/matrix.h"

struct kernel_column {
    void *entries;   /* [length] in the cache's type of entry */
    uint32_t length; /* 0: not kept, and in no list */
    uint32_t before; /* row of the column used before it; the list's end for the first column */
    uint32_t after;  /* row of the column used after it; the list's end for the last column */
};

/* ---- Beginning ---------------------------------------------------------- */

/* Returns bytes if all values are 1 and no row has more than 255 of them. Returns floats if values
 * are whole and no product, nor a part of its sum, exceeds 2^24. The answer depends on the values,
 * not on how they are stored, because the number of columns that are kept changes the steps. */
static enum entry choose_entry(const struct hinge_matrix *x)
{
    double largest = 1;
    const size_t longest = matrix_longest(x);
    size_t k = 0;

    if (x->value_kind == HINGE_VALUE_ONE)
        k = x->nonzeros;
    while (k < x->nonzeros && hinge_value(x, k) == 1)
        k++;
    if (k == x->nonzeros && longest <= UINT8_MAX)
        return ENTRY_BYTE;
    for (; k < x->nonzeros; k++) {
        const double value = hinge_value(x, k);

        if (value != floor(value))
            return ENTRY_DOUBLE;
        largest = fmax(largest, fabs(value));
    }
    return largest * largest * (double)longest <= 16777216 ? ENTRY_FLOAT : ENTRY_DOUBLE;
}

static size_t entry_size(const struct kernel_cache *cache)
{
    static const size_t sizes[] = {sizeof(uint8_t), sizeof(float), sizeof(double)};

    return sizes[cache->entry];
}

void kernel_cache_lay_out(struct kernel_cache *cache, struct arena *arena,
                          const struct problem *problem)
{
    const size_t rows = problem->rows;

    *cache = (struct kernel_cache){.problem = problem};
    cache->row = arena_take(arena, rows, sizeof *cache->row);
    cache->column = arena_take(arena, rows + 1, sizeof *cache->column);
    cache->dense = arena_take(arena, problem->data->features, sizeof *cache->dense);
    cache->scratch = arena_take(arena, rows, sizeof *cache->scratch);
}

enum hinge_status kernel_cache_begin(struct kernel_cache *cache, double mebibytes,
                                     struct hinge_error *error)
{
    const uint32_t rows = cache->problem->rows;
    double whole;

    cache->entry = choose_entry(&cache->problem->data->x);
    whole = (double)rows * (double)entry_size(cache);
    cache->room = (size_t)clamp(mebibytes * 1048576, 2 * whole, (double)(SIZE_MAX / 2));
    for (int k = 0; k < 2; k++)
        if (!(cache->reserve[k] = array_new(rows, entry_size(cache), error))) {
            kernel_cache_end(cache);
            return failure(error);
        }
    for (uint32_t i = 0; i < rows; i++)
        cache->row[i] = i;
    cache->column[rows].before = cache->column[rows].after = rows;
    return HINGE_OK;
}

static int is_reserved(const struct kernel_cache *cache, const void *entries)
{
    return entries == cache->reserve[0] || entries == cache->reserve[1];
}

void kernel_cache_end(struct kernel_cache *cache)
{
    for (uint32_t i = 0; i < cache->problem->rows; i++)
        if (!is_reserved(cache, cache->column[i].entries))
            free(cache->column[i].entries);
    free(cache->reserve[0]);
    free(cache->reserve[1]);
}

/* ---- Columns ------------------------------------------------------------ */

static ALWAYS_INLINE void multiply_as(const struct kernel_cache *cache, uint32_t from, uint32_t to,
                                      void *entries, enum entry entry)
{
    for (uint32_t k = from; k < to; k++) {
        const struct sparse x = problem_row(cache->problem, cache->row[k]);
        const double product = sparse_dot(&x, cache->dense);

        if (entry == ENTRY_BYTE)
            ((uint8_t *)entries)[k] = (uint8_t)product;
        else if (entry == ENTRY_FLOAT)
            ((float *)entries)[k] = (float)product;
        else
            ((double *)entries)[k] = product;
    }
}

/* Computes entries from .. to-1 of the column of row i of the problem, the first at entries[from].
 */
static void multiply(struct kernel_cache *cache, uint32_t i, uint32_t from, uint32_t to,
                     void *entries, enum entry entry)
{
    const struct sparse x = problem_row(cache->problem, i);

    for (size_t k = 0; k < x.count; k++)
        cache->dense[index_at(&x, k)] = value_at(&x, k);
    WITH_ENTRY(entry, multiply_as(cache, from, to, entries, ENTRY_KIND));
    for (size_t k = 0; k < x.count; k++)
        cache->dense[index_at(&x, k)] = 0;
    cache->products += to - from;
}

static void list_remove(struct kernel_cache *cache, uint32_t i)
{
    struct kernel_column *column = cache->column;

    column[column[i].before].after = column[i].after;
    column[column[i].after].before = column[i].before;
}

/* Forgets a column that is in no list. */
static void discard(struct kernel_cache *cache, uint32_t i)
{
    struct kernel_column *column = &cache->column[i];

    cache->used -= column->length * entry_size(cache);
    if (!is_reserved(cache, column->entries))
        free(column->entries);
    column->entries = NULL;
    column->length = 0;
}

/* Resizes the entries of a column. Returns NULL and keeps them if memory is short. */
static void *resize(struct kernel_cache *cache, struct kernel_column *column, uint32_t length)
{
    struct hinge_error error;

    if (is_reserved(cache, column->entries))
        return column->entries;
    return array_resize(column->entries, length, entry_size(cache), &error);
}

/* To make room, all other columns except the most recently used one may be evicted. If memory is
 * short even then, the column starts again in the reserve that the most recently used column does
 * not occupy. */
const void *kernel_cache_get(struct kernel_cache *cache, uint32_t position, uint32_t length)
{
    const uint32_t i = cache->row[position], rows = cache->problem->rows;
    struct kernel_column *all = cache->column, *column = &all[i], *end = &all[rows];
    void *entries = NULL;

    if (column->length > 0)
        list_remove(cache, i);
    while (column->length < length && !entries) {
        const size_t more = (length - column->length) * entry_size(cache);
        const uint32_t oldest = end->after;

        if (cache->used + more <= cache->room && (entries = resize(cache, column, length))) {
            cache->used += more;
            column->entries = entries;
        } else if (oldest != end->before) {
            list_remove(cache, oldest);
            discard(cache, oldest);
        } else {
            discard(cache, i);
            column->entries = cache->reserve[all[oldest].entries == cache->reserve[0]];
        }
    }
    if (entries) {
        multiply(cache, i, column->length, length, entries, cache->entry);
        column->length = length;
    }
    column->before = end->before;
    column->after = rows;
    all[end->before].after = i;
    end->before = i;
    return column->entries;
}

const double *kernel_cache_rest(struct kernel_cache *cache, uint32_t position, uint32_t from)
{
    const uint32_t i = cache->row[position];
    const struct kernel_column *column = &cache->column[i];
    uint32_t k = from;

    for (; k < column->length; k++)
        cache->scratch[k] = kernel_entry(column->entries, cache->entry, k);
    multiply(cache, i, k, cache->problem->rows, cache->scratch, ENTRY_DOUBLE);
    return cache->scratch;
}

/* ---- Reordering --------------------------------------------------------- */

static ALWAYS_INLINE void move_as(char *to, const char *source, const uint32_t *from,
                                  uint32_t count, size_t size)
{
    for (uint32_t k = 0; k < count; k++)
        memmove(to + k * size, source + from[k] * size, size);
}

/* to[k] := source[from[k]]. The two may be one array if from ascends: then no element is
 * overwritten before it is read. */
static void move_elements(void *to, const void *source, const uint32_t *from, uint32_t count,
                          size_t size)
{
    if (size == 1)
        move_as(to, source, from, count, 1);
    else if (size == 4)
        move_as(to, source, from, count, 4);
    else
        move_as(to, source, from, count, 8);
}

void kernel_cache_permute(struct kernel_cache *cache, void *array, size_t size,
                          const uint32_t *from)
{
    const uint32_t rows = cache->problem->rows;

    memcpy(cache->scratch, array, rows * size);
    move_elements(array, cache->scratch, from, rows, size);
}

/* A whole column stays whole. A shorter column keeps its entries at the first positions. */
void kernel_cache_reorder(struct kernel_cache *cache, const uint32_t *from, uint32_t active)
{
    const uint32_t rows = cache->problem->rows;
    const size_t size = entry_size(cache);

    for (uint32_t i = 0; i < rows; i++) {
        struct kernel_column *column = &cache->column[i];
        uint32_t kept = 0;
        void *smaller;

        if (column->length == 0)
            continue;
        if (column->length == rows) {
            kernel_cache_permute(cache, column->entries, size, from);
            continue;
        }
        while (kept < active && from[kept] < column->length)
            kept++;
        if (kept == 0) {
            list_remove(cache, i);
            discard(cache, i);
            continue;
        }
        move_elements(column->entries, column->entries, from, kept, size);
        cache->used -= (column->length - kept) * size;
        column->length = kept;
        if ((smaller = resize(cache, column, kept)))
            column->entries = smaller;
    }
    kernel_cache_permute(cache, cache->row, sizeof *cache->row, from);
}
