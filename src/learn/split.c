/* split.c - rows: shuffle, sort by class, deal in turn; groups of rows: the largest first, into the
 * fold with the fewest rows. */
#include "learn/folds.h"

#include <stdlib.h>

#include "base/memory.h"
#include "base/random.h"
#include "base/sort.h"
#include "base/status.h"

enum hinge_status split_folds(const uint32_t *row, size_t rows, const uint32_t *class_of,
                              size_t classes, size_t folds, uint64_t seed, uint32_t *fold,
                              struct hinge_error *error)
{
    struct random_state random = {seed};
    uint32_t *order = array_new(rows, sizeof *order, error);
    size_t *next = order ? array_new(classes + 1, sizeof *next, error) : NULL;

    if (!next) {
        free(order);
        return failure(error);
    }
    for (size_t i = 0; i < rows; i++) {
        order[i] = (uint32_t)i;
        next[class_of[row[i]] + 1]++;
    }
    random_shuffle(&random, order, (uint32_t)rows);
    for (size_t c = 0; c < classes; c++)
        next[c + 1] += next[c]; /* place of the first row of class c + 1 in the order by class */
    for (size_t k = 0; k < rows; k++) {
        const uint32_t c = class_of[row[order[k]]];

        fold[order[k]] = (uint32_t)(next[c]++ % folds);
    }
    free(order);
    free(next);
    return HINGE_OK;
}

/* ---- Groups ------------------------------------------------------------ */

/* The heap has an entry rows << 32 | fold for each fold. On its top is the fold with the fewest
 * rows, the first of equals. */
enum hinge_status split_groups(const uint32_t *row, size_t rows, const uint32_t *group_of,
                               size_t folds, uint64_t seed, uint32_t *fold,
                               struct hinge_error *error)
{
    struct random_state random = {seed};
    uint64_t *key = array_new(rows, sizeof *key, error);
    uint64_t *heap = key ? array_new(folds, sizeof *heap, error) : NULL;
    uint32_t *size = heap ? array_new(rows, 3 * sizeof *size, error) : NULL;
    uint32_t *order = size ? size + rows : NULL, *fold_of = size ? order + rows : NULL;
    enum hinge_status status = HINGE_OK;
    size_t groups = 0;

    for (size_t i = 0; size && i < rows; i++)
        key[i] = (uint64_t)group_of[row[i]] << 32 | i;
    if (size)
        sort_keys(key, rows, NULL);
    for (size_t k = 0; size && k < rows; k++) { /* fold holds the group for now */
        groups += k == 0 || key[k] >> 32 != key[k - 1] >> 32;
        size[groups - 1]++;
        fold[(uint32_t)key[k]] = (uint32_t)(groups - 1);
    }
    if (!size)
        status = failure(error);
    else if (groups < folds)
        status = fail(error, HINGE_BAD_ARGUMENT, "folds: not between 2 and the %lu groups of rows",
                      (unsigned long)groups);
    else if (groups > folds) {
        for (size_t g = 0; g < groups; g++)
            order[g] = (uint32_t)g;
        random_shuffle(&random, order, (uint32_t)groups);
        for (size_t k = 0; k < groups; k++) /* the largest first, then as shuffled */
            key[k] = (uint64_t)(UINT32_MAX - size[order[k]]) << 32 | k;
        sort_keys(key, groups, NULL);
        for (size_t k = 0; k < folds; k++)
            heap[k] = k;
        for (size_t k = 0; k < groups; k++) {
            const uint32_t group = order[(uint32_t)key[k]];
            const uint64_t moved = heap[0] + ((uint64_t)size[group] << 32);
            size_t at = 0, child;

            fold_of[group] = (uint32_t)heap[0];
            while ((child = 2 * at + 1) < folds) {
                child += child + 1 < folds && heap[child + 1] < heap[child];
                if (heap[child] >= moved)
                    break;
                heap[at] = heap[child];
                at = child;
            }
            heap[at] = moved;
        }
        for (size_t i = 0; i < rows; i++)
            fold[i] = fold_of[fold[i]];
    }
    free(key);
    free(heap);
    free(size);
    return status;
}
