/* split.c - shuffle, sort by class, deal round. */
#include "data/split.h"

#include <stdlib.h>

#include "base/memory.h"
#include "base/random.h"
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
        next[c + 1] += next[c]; /* the place of the class's first row in the order by class */
    for (size_t k = 0; k < rows; k++) {
        const uint32_t c = class_of[row[order[k]]];

        fold[order[k]] = (uint32_t)(next[c]++ % folds);
    }
    free(order);
    free(next);
    return HINGE_OK;
}
